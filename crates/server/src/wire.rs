//! Lines of JSON: one line is one message, and no line is longer than agreed.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use um_model::{ApiError, ErrorCode};

/// What reading a line gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Text(Vec<u8>),
    /// A line over the limit. The rest of it is still to come, so the connection is of no more use.
    TooLong,
    /// The other side is done.
    End,
}

/// Reads lines of bounded length.
#[derive(Debug)]
pub struct Lines<R> {
    reader: BufReader<R>,
    partial: Vec<u8>,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Reads lines of at most so many bytes.
    pub fn new(reader: R, limit: usize) -> Self {
        Self { reader: BufReader::with_capacity(64 * 1024, reader), partial: Vec::new(), limit }
    }

    /// The next line. Safe to drop half-way: what was read so far is kept for the next call.
    ///
    /// # Errors
    /// What the stream says.
    pub async fn next(&mut self) -> std::io::Result<Line> {
        loop {
            let chunk = self.reader.fill_buf().await?;
            if chunk.is_empty() {
                let rest = std::mem::take(&mut self.partial);
                return Ok(if rest.is_empty() { Line::End } else { Line::Text(rest) });
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let (taken, consumed) = match end {
                Some(at) => (&chunk[..at], at + 1),
                None => (chunk, chunk.len()),
            };
            if self.partial.len() + taken.len() > self.limit {
                return Ok(Line::TooLong);
            }
            self.partial.extend_from_slice(taken);
            self.reader.consume(consumed);
            if end.is_some() {
                let mut line = std::mem::take(&mut self.partial);
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Line::Text(line));
            }
        }
    }
}

/// A line as JSON. Programs that cut a text through the middle of a character (JavaScript cuts emoji so) write half a pair
/// of `\u` escapes, which is no character: it is read as the mark of one that was lost, so that the request is answered.
///
/// # Errors
/// When it is no JSON.
pub fn parse_line(line: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(line).or_else(|error| match with_whole_characters(line) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    })
}

/// The line with `\ufffd` for each half of a pair that stands alone; `None` where there is none.
fn with_whole_characters(line: &[u8]) -> Option<Vec<u8>> {
    let half = |at: usize| {
        let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let code = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        (0xD800..0xE000).contains(&code).then_some(code)
    };
    let mut mended = line.to_vec();
    let (mut at, mut found) = (0, false);
    while at < line.len() {
        at += match (line[at], half(at), half(at + 6)) {
            (b'\\', Some(..0xDC00), Some(0xDC00..)) => 12,
            (b'\\', Some(_), _) => {
                mended[at + 2..at + 6].copy_from_slice(b"fffd");
                found = true;
                6
            }
            // Whatever is escaped is no beginning of an escape.
            (b'\\', None, _) => 2,
            _ => 1,
        };
    }
    found.then_some(mended)
}

/// JSON-RPC's code for bytes that are no JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// JSON-RPC's code for JSON that is no request.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// JSON-RPC's code for a method that does not exist.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The code of every failure of an operation; `data` says which.
pub(crate) const OPERATION_FAILED: i64 = -32000;

/// A successful answer.
pub(crate) fn answer(id: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
}

/// A failed answer. `data` is the [`ApiError`].
pub(crate) fn failure(id: &Value, code: i64, error: &ApiError) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": error.to_string(), "data": error}})
        .to_string()
}

/// The refusal of something that is no request.
pub(crate) fn invalid(message: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidRequest, message).hint("Send one JSON-RPC 2.0 object a line.")
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(bytes, limit);
        let mut found = Vec::new();
        loop {
            found.push(lines.next().await.unwrap());
            if !matches!(found.last(), Some(Line::Text(_))) {
                return found;
            }
        }
    }

    #[test]
    fn half_a_character_is_read_as_one_that_was_lost() {
        #[track_caller]
        fn check(line: &str, expected: Option<&str>) {
            let text = parse_line(line.as_bytes()).ok().map(|value| value["text"].as_str().unwrap().to_owned());
            assert_eq!(text.as_deref(), expected, "{line}");
        }
        check(r#"{"text": "whole \ud83d\ude00"}"#, Some("whole 😀"));
        check(r#"{"text": "first \ud83d"}"#, Some("first \u{FFFD}"));
        check(r#"{"text": "\ude00 second"}"#, Some("\u{FFFD} second"));
        check(r#"{"text": "\ud83d\ud83d\ude00\uDE00x"}"#, Some("\u{FFFD}😀\u{FFFD}x"));
        check(r#"{"text": "\\ud83d \ud83d\n"}"#, Some("\\ud83d \u{FFFD}\n"));
        check(r#"{"text": "\ud83d"#, None);
        check(r#"{"text": "\ud8"}"#, None);
        check("\\u", None);
        check("\\", None);
    }

    #[tokio::test]
    async fn lines_end_at_line_feeds_and_at_the_end() {
        let text = |t: &str| Line::Text(t.as_bytes().to_vec());
        assert_eq!(read(b"a\r\nbc\n\nlast", 10).await, [text("a"), text("bc"), text(""), text("last"), Line::End]);
    }

    #[tokio::test]
    async fn a_line_over_the_limit_ends_the_reading() {
        assert_eq!(read(b"12345\n123456\n", 5).await, [Line::Text(b"12345".to_vec()), Line::TooLong]);
        assert_eq!(read(&vec![b'x'; 1_000_000], 1000).await, [Line::TooLong]);
    }
}
