//! Plain text in any encoding.

use super::Text;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Reads plain text and source code: the text as it is written, decoded and cleaned.
pub(super) fn read(bytes: &[u8]) -> Text {
    let (raw, quality) = decode(bytes);
    Text { quality, ..Text::plain(clean(&raw)) }
}

/// Decodes text: by its byte order mark, else as UTF-8, else as UTF-16 where every other byte is zero,
/// else in the encoding that its bytes look like most. The second value is the share of bytes that could
/// be decoded, which is 1 for all but damaged text.
pub(super) fn decode(bytes: &[u8]) -> (String, f64) {
    decode_as(bytes, None)
}

/// As [`decode`], with what the text says of itself: a label such as `iso-8859-2`, which counts only where
/// there is no byte order mark and the text is not UTF-8.
pub(super) fn decode_as(bytes: &[u8], label: Option<&str>) -> (String, f64) {
    let (encoding, mark) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, mark),
        None => (guess(bytes, label), 0),
    };
    let (text, damaged) = encoding.decode_without_bom_handling(&bytes[mark..]);
    if !damaged {
        return (text.into_owned(), 1.0);
    }
    let lost = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    let quality = 1.0 - lost as f64 / text.chars().count().max(1) as f64;
    (text.into_owned(), quality)
}

/// The encoding of text without a byte order mark.
fn guess(bytes: &[u8], label: Option<&str>) -> &'static Encoding {
    /// So many bytes tell an encoding; more only take time.
    const ENOUGH: usize = 1 << 20;
    if let Some(utf16) = utf16_without_mark(bytes) {
        return utf16;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let said = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    if let Some(said) = said.filter(|said| *said != UTF_8 && *said != UTF_16LE && *said != UTF_16BE) {
        return said;
    }
    if mostly_utf8(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let sample = &bytes[..bytes.len().min(ENOUGH)];
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Whether text is UTF-8 with a damaged place here and there: of its sequences beyond ASCII, at least
/// nineteen of twenty are whole.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut whole, mut broken) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    whole >= broken * 19
}

/// UTF-16 without its mark: nearly every other byte of the beginning is zero, on one side alone.
pub(super) fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(4096) & !1];
    if head.len() < 8 {
        return None;
    }
    let pairs = head.len() / 2;
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    if second * 10 >= pairs * 7 && first * 10 <= pairs {
        Some(UTF_16LE)
    } else if first * 10 >= pairs * 7 && second * 10 <= pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Makes line ends one (`\n` for CRLF and CR) and takes out what no reader sees: NULs, control characters
/// other than tab and line feed (a form feed, which ends a page, becomes a line feed), marks of byte order.
pub(super) fn clean(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                text.push('\n');
            }
            '\n' | '\t' => text.push(c),
            '\u{B}' | '\u{C}' | '\u{85}' => text.push('\n'),
            '\u{FEFF}' => {}
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(read(bytes).text, expected, "{bytes:02x?}");
    }

    fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    fn utf16(text: &str, mark: bool, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let mark = mark.then_some(0xFEFF);
        mark.into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    #[test]
    fn any_encoding_is_read() {
        check(b"", "");
        check(b"plain", "plain");
        check("\u{FEFF}grün 😀".as_bytes(), "grün 😀");
        let words = "Straße und Größe 😀";
        check(words.as_bytes(), words);
        check(&utf16(words, true, u16::to_le_bytes), words);
        check(&utf16(words, true, u16::to_be_bytes), words);
        check(&utf16(words, false, u16::to_le_bytes), words);
        check(&utf16(words, false, u16::to_be_bytes), words);
        let german = "Die Straße führt über die Brücke nach Süden; größere Schäden gibt es nicht.";
        check(&encoded(german, encoding_rs::WINDOWS_1252), german);
        let russian = "Завтра утром мы поедем в город на поезде, а вечером вернёмся домой.";
        check(&encoded(russian, encoding_rs::WINDOWS_1251), russian);
        check(&encoded(russian, encoding_rs::KOI8_R), russian);
        let japanese = "明日の会議は午後三時から始まります。資料を忘れずに持ってきてください。";
        check(&encoded(japanese, encoding_rs::SHIFT_JIS), japanese);
        check(&encoded(japanese, encoding_rs::EUC_JP), japanese);
    }

    #[test]
    fn a_damaged_place_does_not_change_the_encoding() {
        let mut bytes = "ä".repeat(40).into_bytes();
        bytes.push(0xC3);
        let text = read(&bytes);
        assert_eq!(text.text, format!("{}\u{FFFD}", "ä".repeat(40)));
        assert!(text.quality > 0.9 && text.quality < 1.0);
    }

    #[test]
    fn lines_are_made_one_and_controls_go() {
        check(b"a\r\nb\rc\nd", "a\nb\nc\nd");
        check(b"a\r\r\nb", "a\n\nb");
        check(b"a\0b\x07\x1b[0m\tc\x0cd", "ab[0m\tc\nd");
    }
}
