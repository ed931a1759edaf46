//! Boxes and ships, where post goes instead of to a street.

use super::address::Begun;
use crate::source::Source;
use crate::token::Shape;

/// `P.O. Box 12`, `PSC 3294, Box 91`, `Unit 12 Box 34`, a ship's post office.
pub(crate) fn begin(source: &Source<'_>, at: usize) -> Option<Begun> {
    let token = source.tokens[at];
    let number = |at: usize| source.tokens.get(at).is_some_and(|token| token.shape == Shape::Number);
    if token.shape == Shape::Number && token.range().len() <= 6 && !number(at + 1) {
        // `77009 P.O. Box 255`
        let begins = is_any(source.word(at + 1), &["P", "PO"]);
        return if begins { begin(source, at + 1) } else { None };
    }
    if !token.is_word() || token.range().len() > 8 {
        return None;
    }
    let is_box = |at: usize| source.word(at).eq_ignore_ascii_case("box") && number(at + 1);
    let word = source.word(at);
    let end = if word.eq_ignore_ascii_case("P") {
        let o = at + 1 + usize::from(source.word(at + 1) == ".");
        let after = o + 1 + usize::from(source.word(o + 1) == ".");
        (source.word(o).eq_ignore_ascii_case("o") && is_box(after)).then_some(after + 2)
    } else if word.eq_ignore_ascii_case("PO") {
        is_box(at + 1).then_some(at + 3)
    } else if is_any(word, &["Postfach", "Apartado", "Postboks", "Postbus", "BP"]) {
        number(at + 1).then_some(at + 2)
    } else if is_any(word, &["PSC", "CMR", "Unit"]) && number(at + 1) {
        let comma = usize::from(source.word(at + 2) == ",");
        is_box(at + 2 + comma).then_some(at + 4 + comma)
    } else if is_any(word, &["USS", "USNS", "USNV", "USCGC", "HMS"]) {
        let line = (at + 2..at + 5).find(|at| source.word(*at) == "\n");
        line.filter(|line| is_any(source.word(line + 1), &["APO", "FPO", "DPO"]))
    } else {
        None
    };
    end.map(|end| Begun { end, confidence: 0.9, detector: "place.postbox" })
}

fn is_any(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(word))
}
