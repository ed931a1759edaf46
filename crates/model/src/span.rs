//! Text offsets. Every offset that leaves a function is in UTF-16 code units (spine, part 2.2); this
//! type alone converts them to Rust's UTF-8.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A half-open range `[start, end)` of UTF-16 code units in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Utf16Span {
    /// First code unit.
    pub start: u32,
    /// One past the last code unit.
    pub end: u32,
}

impl Utf16Span {
    /// The span `[start, end)`. An end before the start gives an empty span at the start.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end: end.max(start) }
    }

    /// How many code units it covers.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether the two share at least one code unit.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The byte range of `text` that it covers. `None` when it reaches past the end, or when one of its
    /// ends falls between the two halves of a surrogate pair.
    pub fn byte_range(self, text: &str) -> Option<Range<usize>> {
        let mut offsets = Utf16Offsets::new(text);
        let start = offsets.byte_at(self.start)?;
        let end = offsets.byte_at(self.end)?;
        Some(start..end)
    }

    /// The words of `text` that it covers, under the same conditions as [`Self::byte_range`].
    pub fn slice(self, text: &str) -> Option<&str> {
        self.byte_range(text).map(|range| &text[range])
    }

    /// The span of a byte range of `text`; both ends must lie on character boundaries.
    ///
    /// # Panics
    /// When an end lies inside a character.
    pub fn from_byte_range(text: &str, range: Range<usize>) -> Self {
        let start = utf16_len(&text[..range.start]);
        Self { start, end: start + utf16_len(&text[range]) }
    }
}

/// The length of a text in UTF-16 code units.
pub fn utf16_len(text: &str) -> u32 {
    units_begun(text.as_bytes())
}

/// How many code units the characters have that begin in a part of a text: one each, two where they have four bytes. Told by the
/// bytes alone, many at once.
fn units_begun(part: &[u8]) -> u32 {
    part.iter().map(|byte| u32::from(byte & 0xC0 != 0x80) + u32::from(*byte >= 0xF0)).sum()
}

/// So many bytes of a text are passed at once: a passage may stand millions behind its beginning.
const STRETCH: usize = 64;

/// Turns rising UTF-16 offsets of one text into byte offsets, in one pass over the text.
#[derive(Debug, Clone)]
pub struct Utf16Offsets<'a> {
    text: &'a str,
    byte: usize,
    unit: u32,
}

impl<'a> Utf16Offsets<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, byte: 0, unit: 0 }
    }

    /// The byte offset of a code unit. `None` past the end, inside a surrogate pair, or before an
    /// offset that was asked for earlier.
    pub fn byte_at(&mut self, unit: u32) -> Option<usize> {
        if unit < self.unit {
            return None;
        }
        self.leap(unit);
        let mut rest = self.text[self.byte..].chars();
        while self.unit < unit {
            let c = rest.next()?;
            self.unit += c.len_utf16() as u32;
            self.byte += c.len_utf8();
        }
        (self.unit == unit).then_some(self.byte)
    }

    /// Passes whole stretches of the text, as far as none of them goes beyond a code unit.
    fn leap(&mut self, unit: u32) {
        while let Some(stretch) = self.text.as_bytes().get(self.byte..self.byte + STRETCH) {
            let units = units_begun(stretch);
            if units > unit - self.unit {
                break;
            }
            self.byte += STRETCH;
            self.unit += units;
        }
        // What a stretch breaks off in the middle is counted where it begins.
        while !self.text.is_char_boundary(self.byte) {
            self.byte += 1;
        }
    }

    /// The code unit offset of a byte offset, which must not lie before an earlier one.
    ///
    /// # Panics
    /// When the byte lies inside a character or before an earlier one.
    pub fn unit_at(&mut self, byte: usize) -> u32 {
        self.unit += utf16_len(&self.text[self.byte..byte]);
        self.byte = byte;
        self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texts with what offsets trip over: astral characters, combining marks, CRLF.
    fn texts() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![
                Just("\r\n".to_owned()),
                Just("😀".to_owned()),
                Just("e\u{301}".to_owned()),
                Just("👩‍👩‍👧".to_owned()),
                Just("ß".to_owned()),
                "[a-z ]{0,6}",
                any::<char>().prop_map(String::from),
            ],
            0..24,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn spans_agree_with_utf16_itself(text in texts(), a in 0u32..80, b in 0u32..80) {
            let units: Vec<u16> = text.encode_utf16().collect();
            let span = Utf16Span::new(a.min(b), a.max(b));
            let expected = units
                .get(span.start as usize..span.end as usize)
                .and_then(|part| String::from_utf16(part).ok());
            let got = span.slice(&text).map(str::to_owned);
            // A lone half at an edge of the text cannot be cut out of UTF-8; UTF-16 refuses it as well.
            if let Some(expected) = expected {
                let whole = String::from_utf16(&units[..span.start as usize]).is_ok();
                if whole {
                    prop_assert_eq!(got, Some(expected));
                }
            } else {
                prop_assert_eq!(got, None);
            }
        }

        #[test]
        fn byte_ranges_round_trip(text in texts()) {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            for pair in bounds.windows(2) {
                let span = Utf16Span::from_byte_range(&text, pair[0]..pair[1]);
                prop_assert_eq!(span.byte_range(&text), Some(pair[0]..pair[1]));
            }
            prop_assert_eq!(utf16_len(&text) as usize, text.encode_utf16().count());
        }

        #[test]
        fn offsets_far_into_a_text_are_those_of_its_characters(text in texts(), times in 1usize..12, wanted in texts()) {
            let text = text.repeat(times);
            // Each character alone, and now and then many of them at once.
            for step in [1, 1 + wanted.len()] {
                let (mut offsets, mut unit) = (Utf16Offsets::new(&text), 0);
                for (place, (byte, c)) in text.char_indices().enumerate() {
                    if place % step == 0 {
                        prop_assert_eq!(offsets.byte_at(unit), Some(byte));
                    }
                    unit += c.len_utf16() as u32;
                    if c.len_utf16() == 2 {
                        prop_assert_eq!(Utf16Offsets::new(&text).byte_at(unit - 1), None);
                    }
                }
                prop_assert_eq!(offsets.byte_at(unit), Some(text.len()));
                prop_assert_eq!(offsets.byte_at(unit + 1), None);
            }
        }
    }

    #[test]
    fn halves_of_a_pair_are_no_place_to_cut() {
        assert_eq!(Utf16Span::new(0, 1).slice("😀"), None);
        assert_eq!(Utf16Span::new(0, 2).slice("😀"), Some("😀"));
        assert_eq!(Utf16Span::new(0, 3).slice("😀"), None);
    }
}
