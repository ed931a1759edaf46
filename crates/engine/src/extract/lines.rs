//! Lines of a text.

use std::ops::Range;

/// The first and the last line, from 1, of a byte range. A range that ends with a line break ends on the
/// line that the break ends; an empty range stands on one line. Offsets beyond the text mean its end.
pub fn line_range(text: &str, bytes: Range<usize>) -> [u32; 2] {
    let text = text.as_bytes();
    let start = bytes.start.min(text.len());
    let end = bytes.end.clamp(start, text.len());
    let breaks = |part: &[u8]| part.iter().filter(|byte| **byte == b'\n').count() as u32;
    let first = 1 + breaks(&text[..start]);
    let inside = &text[start..end];
    let inside = inside.strip_suffix(b"\n").unwrap_or(inside);
    [first, first + breaks(inside)]
}

#[cfg(test)]
mod tests {
    use super::line_range;

    fn check(text: &str, bytes: std::ops::Range<usize>, expected: [u32; 2]) {
        assert_eq!(line_range(text, bytes.clone()), expected, "{text:?} {bytes:?}");
    }

    #[test]
    fn lines_count_from_one() {
        check("", 0..0, [1, 1]);
        check("one", 0..3, [1, 1]);
        check("one\ntwo\nthree", 0..3, [1, 1]);
        check("one\ntwo\nthree", 0..4, [1, 1]);
        check("one\ntwo\nthree", 4..13, [2, 3]);
        check("one\ntwo\nthree", 2..5, [1, 2]);
        check("é\né", 3..5, [2, 2]);
        check("one\n", 4..4, [2, 2]);
        check("one", 7..9, [1, 1]);
    }
}
