//! What a part holds: its bytes, and the words that these are.

use super::super::plain;
use super::head::Encoding as Transfer;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};
use mail_parser::decoders::base64::base64_decode_stream;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::parsers::MessageStream;
use std::borrow::Cow;

/// How sure a text is at most that could not be read in part.
pub(super) const DAMAGED: f64 = 0.5;
/// A line of base64 that is shorter may as well be a word.
const LONG_LINE: usize = 20;
/// With spaces inside, a line of fewer letters is none of base64.
const LONG_SPACED: usize = 12;

/// The bytes of a content, and whether all of it could be decoded. What is not encoded as it says stays as it came.
pub(super) fn bytes(content: &[u8], encoding: Transfer) -> (Cow<'_, [u8]>, bool) {
    match encoding {
        Transfer::None => (Cow::Borrowed(content), true),
        Transfer::Base64 => {
            let (found, is_whole) = base64(content);
            (Cow::Owned(found), is_whole)
        }
        // Of a damaged line, each letter stays.
        Transfer::Quoted => (Cow::Owned(quoted(content).unwrap_or_else(|| quoted_lines(content))), true),
    }
}

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split_inclusive(|byte| *byte == b'\n')
}

/// Base64 up to its end, and the rest as it came: lists add their words below. And whether that rest looks like no base64.
fn base64(content: &[u8]) -> (Vec<u8>, bool) {
    let (above, below) = content.split_at(base64_length(content));
    // The padding at the end may have been left out.
    let decoded = base64_decode_stream(above.iter().chain(b"="), above.len(), u8::MAX);
    let mut found = decoded.unwrap_or_else(|| above.to_vec());
    if !below.trim_ascii().is_empty() {
        found.push(b'\n');
        found.extend_from_slice(below);
    }
    let length = lines(content).map(|line| line.trim_ascii().len()).find(|length| *length > 0).unwrap_or_default();
    let is_whole = !lines(below).any(|line| line.trim_ascii().len() == length && is_damaged(line.trim_ascii()));
    (found, is_whole)
}

/// Whether a line that is as long as base64 begins and could not be decoded was base64 itself, and is no rule or sentence below it.
fn is_damaged(line: &[u8]) -> bool {
    let letters = line.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    line.len() >= LONG_LINE && letters * 2 > line.len() && !line.iter().any(u8::is_ascii_whitespace)
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
        let is_one = line[..line.len() - padding].iter().all(|byte| is_base64(*byte)) || is_spaced(line);
        if is_cut || padding > 2 || !is_one {
            break;
        }
        (end, is_behind_blank) = (at, false);
        if padding > 0 {
            break;
        }
    }
    end
}

/// Whether a line is base64 with spaces inside, as some programs break it. Words look like that, too: it has to say something.
fn is_spaced(line: &[u8]) -> bool {
    let joined: Vec<u8> = line.iter().copied().filter(|byte| !matches!(byte, b' ' | b'\t')).collect();
    (LONG_SPACED..line.len()).contains(&joined.len())
        && joined.len().is_multiple_of(4)
        && joined.iter().all(|byte| is_base64(*byte) || *byte == b'=')
        && base64_decode_stream(joined.iter(), joined.len(), u8::MAX).is_some_and(|found| is_text(&found))
}

/// Whether bytes are a text, which may begin or end within a character: in UTF-8, or mostly in ASCII.
fn is_text(bytes: &[u8]) -> bool {
    let begun = bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    let is_utf8 = std::str::from_utf8(&bytes[begun..]).map_or_else(|error| error.error_len().is_none(), |_| true);
    let shown = bytes.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    let has_controls = bytes.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    !has_controls && (is_utf8 || shown * 4 >= bytes.len() * 3)
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
            (words.into_owned(), if is_damaged { DAMAGED } else { 1.0 })
        }
        Some(said) => plain::decode_as(bytes, Some(said.name())),
        // Encodings that the web does not know, such as UTF-7.
        None => match charset_decoder(label.as_bytes()) {
            Some(decode) => (decode(bytes), 1.0),
            None => unknown(bytes),
        },
    }
}

/// The words of a text in an encoding that nobody knows, as they are guessed: damaged where the guess leaves some out.
fn unknown(bytes: &[u8]) -> (String, f64) {
    let (words, quality) = plain::decode(bytes);
    (words, if quality < 1.0 { quality.min(DAMAGED) } else { quality })
}
