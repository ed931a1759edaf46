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
