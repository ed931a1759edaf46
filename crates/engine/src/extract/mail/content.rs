//! What a part holds: its bytes, and the words that these are.

use super::super::plain;
use super::head::Encoding as Transfer;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};
use mail_parser::decoders::base64::base64_decode_stream;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::parsers::MessageStream;
use std::borrow::Cow;

/// The bytes of a content. What is not encoded as it says stays as it came.
pub(super) fn bytes(content: &[u8], encoding: Transfer) -> Cow<'_, [u8]> {
    match encoding {
        Transfer::None => Cow::Borrowed(content),
        Transfer::Base64 => Cow::Owned(base64(content)),
        Transfer::Quoted => Cow::Owned(quoted(content).unwrap_or_else(|| quoted_lines(content))),
    }
}

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split_inclusive(|byte| *byte == b'\n')
}

/// Base64 up to its end, and the rest as it came: lists add their words below.
fn base64(content: &[u8]) -> Vec<u8> {
    let (above, below) = content.split_at(base64_length(content));
    // The padding at the end may have been left out.
    let decoded = base64_decode_stream(above.iter().chain(b"="), above.len(), u8::MAX);
    let mut found = decoded.unwrap_or_else(|| above.to_vec());
    if !below.trim_ascii().is_empty() {
        found.push(b'\n');
        found.extend_from_slice(below);
    }
    found
}

/// How long the base64 is that a content begins with: up to its padding, or to a line that is none. A single word looks like a line of it,
/// too: behind a blank line, as some programs put behind each, only one that is padded or as long as the first goes on with it.
fn base64_length(content: &[u8]) -> usize {
    let (mut at, mut end, mut first) = (0, 0, None);
    let mut is_behind_blank = false;
    for line in lines(content) {
        at += line.len();
        let line = line.trim_ascii();
        if line.is_empty() {
            is_behind_blank = true;
            continue;
        }
        let padding = line.iter().rev().take_while(|byte| **byte == b'=').count();
        let length = *first.get_or_insert(line.len());
        let is_cut = is_behind_blank && padding == 0 && line.len() != length;
        if is_cut || padding > 2 || !line[..line.len() - padding].iter().all(|byte| is_base64(*byte)) {
            break;
        }
        (end, is_behind_blank) = (at, false);
        if padding > 0 {
            break;
        }
    }
    end
}

/// Whether a byte stands for six bits. Some programs end lines with a carriage return alone.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'\r')
}

fn quoted(content: &[u8]) -> Option<Vec<u8>> {
    match MessageStream::new(content).decode_quoted_printable_mime(b"") {
        (usize::MAX, _) => None,
        (_, found) => Some(found.into_owned()),
    }
}

/// Line by line, those that cannot be decoded as they came.
fn quoted_lines(content: &[u8]) -> Vec<u8> {
    lines(content).flat_map(|line| quoted(line).unwrap_or_else(|| line.to_vec())).collect()
}

/// The words of a text and how sure they are (0 to 1): in the encoding that it names, unless it is plainly another one.
pub(super) fn words(bytes: &[u8], charset: Option<&str>) -> (String, f64) {
    let Some(label) = charset else { return plain::decode(bytes) };
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        // Their bytes may look like other encodings, too.
        Some(said) if [ISO_2022_JP, UTF_16BE, UTF_16LE].contains(&said) => {
            let (words, _, is_damaged) = said.decode(bytes);
            (words.into_owned(), if is_damaged { 0.5 } else { 1.0 })
        }
        Some(said) => plain::decode_as(bytes, Some(said.name())),
        // Encodings that the web does not know, such as UTF-7.
        None => charset_decoder(label.as_bytes()).map_or_else(|| plain::decode(bytes), |decode| (decode(bytes), 1.0)),
    }
}
