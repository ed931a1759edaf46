//! Cutting texts: marked words, lines, base64 and addresses.

use um_model::{Utf16Span, span::Utf16Offsets, span::utf16_len};

/// A piece of a text, marked or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its words.
    pub text: String,
    /// How it is marked.
    pub mark: Mark,
}

/// How a piece is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Not at all.
    None,
    /// It belongs to the cited words.
    Cited,
    /// It is a word of the question.
    Matched,
    /// It was found to be personal: the number of the finding, from 0.
    Found(u32),
    /// It is to be blacked out: the number of the finding, from 0.
    Goes(u32),
}

/// Cuts a text into pieces. `base` is the offset of its first code unit in the source that the spans
/// count in; what reaches over the text is cut off, spans that cut a character are left out.
pub fn pieces(text: &str, base: u32, spans: &[(Utf16Span, Mark)]) -> Vec<Piece> {
    let end = base + utf16_len(text);
    let inside: Vec<(Utf16Span, Mark)> = spans
        .iter()
        .filter(|(span, _)| span.start < end && span.end > base)
        .map(|(span, mark)| (Utf16Span::new(span.start.max(base) - base, span.end.min(end) - base), *mark))
        .collect();
    let mut edges: Vec<u32> = inside.iter().flat_map(|(span, _)| [span.start, span.end]).chain([end - base]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut offsets = Utf16Offsets::new(text);
    let (mut out, mut from_unit, mut from_byte) = (Vec::<Piece>::new(), 0, 0);
    for edge in edges {
        let Some(byte) = offsets.byte_at(edge) else {
            continue;
        };
        if byte > from_byte {
            let here = Utf16Span::new(from_unit, edge);
            let mark = inside.iter().filter(|(span, _)| span.overlaps(here)).map(|(_, mark)| *mark).max();
            push(&mut out, &text[from_byte..byte], mark.unwrap_or(Mark::None));
        }
        (from_unit, from_byte) = (edge, byte);
    }
    out
}

fn push(out: &mut Vec<Piece>, text: &str, mark: Mark) {
    match out.last_mut() {
        Some(last) if last.mark == mark => last.text.push_str(text),
        _ => out.push(Piece { text: text.to_owned(), mark }),
    }
}

/// A line of a text and the offset of its first code unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Counted from 1 within the text.
    pub number: u32,
    /// Offset of its first code unit in the source.
    pub start: u32,
    /// Its words, without the line's end.
    pub text: String,
}

/// The lines of a text that begins at `base` in its source.
pub fn lines(text: &str, base: u32) -> Vec<Line> {
    let mut start = base;
    text.split_inclusive('\n')
        .enumerate()
        .map(|(at, line)| {
            let here = start;
            start += utf16_len(line);
            Line { number: at as u32 + 1, start: here, text: line.trim_end_matches(['\n', '\r']).to_owned() }
        })
        .collect()
}

/// The bytes of a base64 text (RFC 4648, padded). `None` when it is none.
pub fn base64_decode(text: &str) -> Option<Vec<u8>> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        held = held << 6 | u32::from(value(byte)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
        }
    }
    Some(out)
}

/// A text as it stands in an address.
pub fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The text that stands in an address. What is no escape stays as it is.
pub fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let escape = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match escape {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pieces: &[Piece]) -> String {
        let one = |p: &Piece| match p.mark {
            Mark::None => p.text.clone(),
            Mark::Cited => format!("({})", p.text),
            Mark::Matched => format!("[{}]", p.text),
            Mark::Found(at) => format!("{{{at}:{}}}", p.text),
            Mark::Goes(at) => format!("#{at}:{}#", p.text),
        };
        pieces.iter().map(one).collect()
    }

    #[test]
    fn matched_words_stand_inside_cited_ones() {
        let spans = [(Utf16Span::new(14, 24), Mark::Cited), (Utf16Span::new(18, 21), Mark::Matched)];
        assert_eq!(drawn(&pieces("one two three", 10, &spans)), "one (two )[thr](ee)");
    }

    #[test]
    fn spans_are_cut_to_the_text_and_count_utf16() {
        assert_eq!(drawn(&pieces("😀 bear", 0, &[(Utf16Span::new(3, 99), Mark::Matched)])), "😀 [bear]");
        assert_eq!(drawn(&pieces("bear", 10, &[(Utf16Span::new(0, 5), Mark::Matched)])), "bear");
        assert_eq!(drawn(&pieces("", 0, &[(Utf16Span::new(0, 5), Mark::Matched)])), "");
        assert_eq!(drawn(&pieces("plain", 0, &[])), "plain");
    }

    #[test]
    fn what_goes_stands_before_what_was_only_found() {
        let spans = [(Utf16Span::new(0, 7), Mark::Found(0)), (Utf16Span::new(4, 7), Mark::Goes(1))];
        assert_eq!(drawn(&pieces("one two three", 0, &spans)), "{0:one }#1:two# three");
    }

    #[test]
    fn a_span_inside_a_character_loses_no_words() {
        assert_eq!(drawn(&pieces("a😀b", 0, &[(Utf16Span::new(2, 4), Mark::Matched)])).replace(['[', ']'], ""), "a😀b");
    }

    #[test]
    fn lines_know_their_offsets() {
        let got = lines("ab\r\nc😀\n\nd", 5);
        let seen: Vec<_> = got.iter().map(|l| (l.number, l.start, l.text.as_str())).collect();
        assert_eq!(seen, [(1, 5, "ab"), (2, 9, "c😀"), (3, 13, ""), (4, 14, "d")]);
    }

    #[test]
    fn base64_of_all_lengths() {
        assert_eq!(base64_decode("").unwrap(), b"");
        assert_eq!(base64_decode("Zg==").unwrap(), b"f");
        assert_eq!(base64_decode("Zm8=").unwrap(), b"fo");
        assert_eq!(base64_decode("Zm9v").unwrap(), b"foo");
        assert_eq!(base64_decode("/+8=").unwrap(), [0xff, 0xef]);
        assert_eq!(base64_decode("a b"), None);
    }

    #[test]
    fn addresses_keep_every_character() {
        let text = "100 % ü/&=?+";
        assert_eq!(percent_decode(&percent_encode(text)), text);
        assert_eq!(percent_decode("%zz+a"), "%zz a");
    }
}
