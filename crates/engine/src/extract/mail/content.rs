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
        Transfer::Base64 => Cow::Owned(base64(content).unwrap_or_else(|| base64_above(content))),
        Transfer::Quoted => Cow::Owned(quoted(content).unwrap_or_else(|| quoted_lines(content))),
    }
}

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split_inclusive(|byte| *byte == b'\n')
}

fn base64(content: &[u8]) -> Option<Vec<u8>> {
    // The decoder would stop at it.
    if content.contains(&u8::MAX) {
        return None;
    }
    // The padding at the end may have been left out.
    base64_decode_stream(content.iter().chain(b"="), content.len(), u8::MAX)
}

/// Base64 up to the first line that is none, as lists add their words below, and the rest as it came.
fn base64_above(content: &[u8]) -> Vec<u8> {
    let above: usize = lines(content).take_while(|line| base64(line).is_some()).map(<[u8]>::len).sum();
    let (above, below) = content.split_at(above);
    let mut found = base64(above).unwrap_or_else(|| above.to_vec());
    found.push(b'\n');
    found.extend_from_slice(below);
    found
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
