//! Tesseract's TSV: one row a page, block, paragraph, line or word, with its box in pixels and a confidence in
//! per cent. Columns: level, page, block, paragraph, line, word, left, top, width, height, conf, text.

use um_engine::provider::PlacedWord;

const WORD_LEVEL: &str = "5";

/// The words, in the order in which Tesseract reads them; rows without text or confidence are left out.
pub fn words(tsv: &str) -> Vec<PlacedWord> {
    let mut words = Vec::new();
    let (mut line, mut block) = (Counter::default(), Counter::default());
    for row in tsv.lines() {
        let columns: Vec<&str> = row.split('\t').collect();
        let Some((text, bbox, confidence)) = word(&columns) else {
            continue;
        };
        let block = block.number(&columns[1..4]);
        let line = line.number(&columns[1..5]);
        words.push(PlacedWord { text, bbox, confidence, line, block });
    }
    words
}

fn word(columns: &[&str]) -> Option<(String, [f64; 4], f32)> {
    let &[WORD_LEVEL, _, _, _, _, _, left, top, width, height, confidence, text] = columns else {
        return None;
    };
    let text: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let confidence: f32 = confidence.parse().ok()?;
    if text.is_empty() || confidence < 0.0 {
        return None;
    }
    let bbox = [left.parse().ok()?, top.parse().ok()?, width.parse().ok()?, height.parse().ok()?];
    Some((text, bbox, (confidence / 100.0).clamp(0.0, 1.0)))
}

/// Counts how often its key changed.
#[derive(Default)]
struct Counter {
    key: Vec<String>,
    number: u32,
}

impl Counter {
    fn number(&mut self, key: &[&str]) -> u32 {
        if self.key.iter().map(String::as_str).ne(key.iter().copied()) {
            self.number += u32::from(!self.key.is_empty());
            self.key = key.iter().map(|part| part.to_string()).collect();
        }
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TSV: &str = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
        1\t1\t0\t0\t0\t0\t0\t0\t600\t400\t-1\t\n\
        5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t96.5\tPolar\n\
        5\t1\t1\t1\t1\t2\t45\t20\t30\t12\t91\tbears\n\
        5\t1\t1\t1\t2\t1\t10\t40\t30\t12\t90\tswim\n\
        5\t1\t1\t2\t1\t1\t10\t90\t30\t12\t80\tfar\n\
        5\t1\t2\t1\t1\t1\t10\t150\t30\t12\t95\t \n\
        5\t1\t2\t1\t1\t2\t10\t150\t30\t12\t-1\tghost\n\
        5\t1\t2\t1\t1\t3\t10\t150\t30\t12\t70\tnorth\n";

    #[test]
    fn words_come_with_box_confidence_line_and_block() {
        let words = words(TSV);
        let seen: Vec<_> = words.iter().map(|w| (w.text.as_str(), w.line, w.block)).collect();
        assert_eq!(seen, [("Polar", 0, 0), ("bears", 0, 0), ("swim", 1, 0), ("far", 2, 1), ("north", 3, 2)]);
        assert_eq!((words[0].bbox, words[0].confidence), ([10.0, 20.0, 30.0, 12.0], 0.965));
    }

    #[test]
    fn rows_that_are_cut_short_are_left_out() {
        assert!(words("5\t1\t1\t1").is_empty());
        assert!(words("").is_empty());
    }
}
