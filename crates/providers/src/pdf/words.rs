//! From a page's characters, as pdfium gives them, to words in lines and blocks.

use um_engine::provider::{PlacedWord, WordPage};

/// A character of a page, in reading order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyph {
    /// Its code: a Unicode scalar, or half of a UTF-16 pair.
    pub code: u32,
    /// Left, top, right, bottom in points of the page as shown; none for what is not drawn.
    pub place: Option<[f64; 4]>,
    /// Whether pdfium takes it for the hyphen of a word that goes on in the next line.
    pub hyphen: bool,
}

/// The words of a page `width` by `height` points in size.
pub fn page(glyphs: &[Glyph], width: f64, height: f64) -> WordPage {
    let mut writer = Writer { size: [width, height], ..Writer::default() };
    let mut glyphs = glyphs.iter().peekable();
    while let Some(glyph) = glyphs.next() {
        let low = glyphs.peek().filter(|_| (0xD800..0xDC00).contains(&glyph.code));
        match low.and_then(|low| pair(glyph.code, low.code)) {
            Some(both) => {
                writer.letter(both, glyph.place);
                glyphs.next();
            }
            None => writer.glyph(glyph),
        }
    }
    writer.end_word();
    let mut words = writer.words;
    number_blocks(&mut words);
    WordPage { words, width, height }
}

/// The character that two halves of a UTF-16 pair make.
fn pair(high: u32, low: u32) -> Option<char> {
    let low = (0xDC00..0xE000).contains(&low).then(|| low - 0xDC00)?;
    char::from_u32(0x10000 + ((high - 0xD800) << 10) + low)
}

#[derive(Default)]
struct Writer {
    size: [f64; 2],
    words: Vec<PlacedWord>,
    text: String,
    place: Option<[f64; 4]>,
    line: u32,
    new_line: bool,
}

impl Writer {
    fn glyph(&mut self, glyph: &Glyph) {
        // pdfium writes 0x2 or 0xFFFE for a hyphen that it would drop to join a word over two lines. The word stays
        // as printed, in two parts with a box each.
        if glyph.hyphen || matches!(glyph.code, 0x2 | 0xFFFE) {
            self.letter('-', glyph.place);
            self.end_line();
            return;
        }
        match char::from_u32(glyph.code) {
            Some('\r' | '\n' | '\u{2028}' | '\u{2029}') => self.end_line(),
            Some(c) if c.is_whitespace() || c == '\u{200B}' => self.end_word(),
            // Soft hyphens inside a line are not shown; controls say nothing.
            Some(c) if c.is_control() || matches!(c, '\u{AD}' | '\u{FEFF}' | '\u{FFFF}') => {}
            Some(c) => self.letter(c, glyph.place),
            None => self.letter(char::REPLACEMENT_CHARACTER, glyph.place),
        }
    }

    fn letter(&mut self, letter: char, place: Option<[f64; 4]>) {
        if let (Some(word), Some(next)) = (self.place, place)
            && returns(word, next)
        {
            self.end_line();
        }
        self.text.push(letter);
        self.place = match (self.place, place) {
            (Some(word), Some(next)) => Some(around(word, next)),
            (word, next) => word.or(next),
        };
    }

    fn end_line(&mut self) {
        self.end_word();
        self.new_line = true;
    }

    fn end_word(&mut self) {
        let (text, place) = (std::mem::take(&mut self.text), self.place.take());
        let Some(place) = place.filter(|_| !text.is_empty()) else {
            return;
        };
        if std::mem::take(&mut self.new_line) && !self.words.is_empty() {
            self.line += 1;
        }
        let [width, height] = self.size;
        let [left, top, right, bottom] = place;
        let (left, top) = (left.clamp(0.0, width), top.clamp(0.0, height));
        let bbox = [left, top, right.clamp(left, width) - left, bottom.clamp(top, height) - top];
        self.words.push(PlacedWord { text, bbox, confidence: 1.0, line: self.line, block: 0 });
    }
}

/// Whether the next letter stands at the beginning of another line: lower or higher, and further left.
fn returns(word: [f64; 4], next: [f64; 4]) -> bool {
    let height = (word[3] - word[1]).max(1.0);
    let middle = (next[1] + next[3]) / 2.0;
    let other_line = middle < word[1] - height * 0.3 || middle > word[3] + height * 0.3;
    other_line && next[0] < word[0] - height
}

fn around(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Gives every line its block: a new one begins after a gap, at another size of type, beside or above.
fn number_blocks(words: &mut [PlacedWord]) {
    let mut block = 0;
    let mut last: Option<[f64; 4]> = None;
    for line in words.chunk_by_mut(|a, b| a.line == b.line) {
        let place = line.iter().map(|w| [w.bbox[0], w.bbox[1], w.bbox[0] + w.bbox[2], w.bbox[1] + w.bbox[3]]);
        let place = place.reduce(around);
        if let (Some(last), Some(place)) = (last, place)
            && parted(last, place)
        {
            block += 1;
        }
        last = place;
        line.iter_mut().for_each(|word| word.block = block);
    }
}

fn parted(last: [f64; 4], next: [f64; 4]) -> bool {
    let (height, next_height) = ((last[3] - last[1]).max(1.0), (next[3] - next[1]).max(1.0));
    let gap = next[1] - last[3];
    let beside = next[0] > last[2] || next[2] < last[0];
    let other_size = height / next_height > 1.4 || next_height / height > 1.4;
    gap > 0.6 * height.min(next_height) || gap < -1.5 * height || beside || other_size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters ten points high and five wide, from a corner.
    fn line(text: &str, x: f64, y: f64) -> Vec<Glyph> {
        let glyph = |(i, c): (usize, char)| {
            let left = x + 5.0 * i as f64;
            Glyph { code: c.into(), place: Some([left, y, left + 5.0, y + 10.0]), hyphen: false }
        };
        text.chars().enumerate().map(glyph).collect()
    }

    fn invisible(code: u32) -> Glyph {
        Glyph { code, place: None, hyphen: false }
    }

    fn seen(glyphs: &[Glyph]) -> Vec<(String, u32, u32)> {
        page(glyphs, 600.0, 800.0).words.into_iter().map(|w| (w.text, w.line, w.block)).collect()
    }

    #[test]
    fn spaces_part_words_and_returns_part_lines_and_gaps_part_blocks() {
        let glyphs = [
            line("ab cd", 10.0, 10.0),
            vec![invisible(13), invisible(10)],
            line("ef", 10.0, 22.0),
            vec![invisible(10)],
            line("gh", 10.0, 60.0),
        ];
        let expected = [("ab", 0, 0), ("cd", 0, 0), ("ef", 1, 0), ("gh", 2, 1)];
        assert_eq!(seen(&glyphs.concat()), expected.map(|(t, l, b)| (t.to_string(), l, b)));
    }

    #[test]
    fn a_column_beside_is_another_block() {
        let glyphs = [line("ab", 10.0, 700.0), vec![invisible(10)], line("cd", 300.0, 10.0)].concat();
        assert_eq!(seen(&glyphs)[1].2, 1);
    }

    #[test]
    fn a_word_hyphenated_at_the_end_of_a_line_keeps_both_places() {
        let mut glyphs = line("for exam?", 10.0, 10.0);
        glyphs[8] = Glyph { code: 2, ..glyphs[8] };
        glyphs.extend(line("ple", 10.0, 22.0));
        let expected = [("for", 0, 0), ("exam-", 0, 0), ("ple", 1, 0)];
        assert_eq!(seen(&glyphs), expected.map(|(t, l, b)| (t.to_string(), l, b)));
    }

    #[test]
    fn controls_go_and_what_has_no_meaning_stays_visible() {
        let mut glyphs = line("a?b", 0.0, 0.0);
        glyphs[1].code = 0;
        assert_eq!(seen(&glyphs)[0].0, "ab");
        glyphs[1].code = 0xD800;
        assert_eq!(seen(&glyphs)[0].0, "a\u{FFFD}b");
    }

    #[test]
    fn halves_of_a_pair_make_one_letter() {
        let mut glyphs = line("??", 0.0, 0.0);
        (glyphs[0].code, glyphs[1].code) = (0xD83D, 0xDC3B);
        assert_eq!(seen(&glyphs)[0].0, "🐻");
    }

    #[test]
    fn boxes_stay_on_the_page() {
        let words = page(&line("ab", 596.0, 795.0), 600.0, 800.0).words;
        assert_eq!(words[0].bbox, [596.0, 795.0, 4.0, 5.0]);
    }
}
