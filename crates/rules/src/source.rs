//! UTF-16 offsets of places all over a text, each found in a bounded number of steps.

use std::ops::Range;
use um_model::Utf16Span;
use um_model::span::utf16_len;

/// So many bytes lie between two known offsets.
const STEP: usize = 256;

/// A text, and its offsets at every so many bytes.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    /// The text.
    pub text: &'t str,
    /// The first character boundary at or behind each step, in bytes, and its offset in UTF-16 units.
    known: Vec<(usize, u32)>,
}

impl<'t> Source<'t> {
    /// Looks once through the text.
    pub(crate) fn new(text: &'t str) -> Self {
        let mut known = Vec::with_capacity(text.len() / STEP + 1);
        let mut unit = 0;
        for (at, c) in text.char_indices() {
            if at >= known.len() * STEP {
                known.push((at, unit));
            }
            unit += c.len_utf16() as u32;
        }
        Self { text, known }
    }

    /// The span of a byte range of the text; both ends lie on character boundaries.
    pub(crate) fn span(&self, range: Range<usize>) -> Utf16Span {
        let start = self.unit(range.start);
        Utf16Span::new(start, start + utf16_len(&self.text[range]))
    }

    fn unit(&self, byte: usize) -> u32 {
        let behind = self.known.partition_point(|(at, _)| *at <= byte);
        let (at, unit) = behind.checked_sub(1).map_or((0, 0), |before| self.known[before]);
        unit + utf16_len(&self.text[at..byte])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_those_of_the_model() {
        let text = "ab😀é".repeat(300) + "end";
        let source = Source::new(&text);
        let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for pair in bounds.windows(3) {
            let range = pair[0]..pair[2];
            assert_eq!(source.span(range.clone()), Utf16Span::from_byte_range(&text, range));
        }
        assert_eq!(Source::new("").span(0..0), Utf16Span::new(0, 0));
    }
}
