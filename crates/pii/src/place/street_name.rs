//! How streets are named, and their houses numbered.

use super::tail;
use crate::lexicon::{self, Marks};
use crate::source::Source;
use crate::token::{Shape, Token};

/// The most words of a street's name.
const WORDS: usize = 7;

/// Over up to two numbers of houses.
pub(crate) fn numbers(source: &Source<'_>, from: usize) -> usize {
    let is_house = |at: usize| {
        let token = source.tokens.get(at).filter(|token| token.shape == Shape::Number);
        token.is_some_and(|token| token.range().len() <= 6)
    };
    from + usize::from(is_house(from)) + usize::from(is_house(from) && is_house(from + 1))
}

/// Where the name of a street ends: capital words, with the particles and street words between them.
pub(crate) fn name(source: &Source<'_>, from: usize) -> usize {
    let mut end = from;
    while end - from < WORDS && source.tokens.get(end).is_some_and(|token| is_name_word(source, end, from, *token)) {
        end += 1;
    }
    while end > from && source.tokens[end - 1].shape == Shape::Lower && !is_street(source.tokens[end - 1]) {
        end -= 1;
    }
    end
}

pub(crate) fn is_street(token: Token) -> bool {
    token.is(Marks::STREET_AFTER) || token.is(Marks::STREET_BEFORE)
}

fn is_name_word(source: &Source<'_>, at: usize, from: usize, token: Token) -> bool {
    match token.shape {
        Shape::Capital | Shape::Upper | Shape::Initial => at == from || tail::unit(source, at).is_none(),
        Shape::Lower => token.is(Marks::PARTICLE) || is_street(token) || is_between(source, at, from),
        Shape::Sign if at > from && source.touches(at) => {
            let before = source.tokens[at - 1];
            match source.word(at) {
                "." => {
                    is_street(before)
                        || lexicon::ends_like_street(source.word(at - 1))
                        || before.shape == Shape::Initial
                        || before.range().len() <= 4
                }
                "/" => before.range().len() == 1,
                "'" | "’" => true,
                _ => false,
            }
        }
        _ => false,
    }
}

/// A word in small letters inside a name: `Árpád fejedelem útja`, `rue tachkent`.
fn is_between(source: &Source<'_>, at: usize, from: usize) -> bool {
    let beside = |at: usize| source.tokens.get(at).is_some_and(|token| is_street(*token) && !token.is(Marks::PARTICLE));
    at > from && !source.tokens[at].is(Marks::ORDINARY) && (beside(at - 1) || beside(at + 1))
}

/// The number of a house behind the street, with its full stop: `25`, `19.`, `12b`.
pub(crate) fn house(source: &Source<'_>, at: usize) -> Option<usize> {
    let token = source.tokens.get(at).filter(|token| token.shape == Shape::Number && token.range().len() <= 5)?;
    let digits = source.text[token.range()].chars().take_while(char::is_ascii_digit).count();
    let goes_on =
        source.touches(at + 1) && matches!(source.word(at + 1), ":" | "%" | "," | "/") && source.touches(at + 2);
    let decimal = source.touches(at + 1)
        && source.word(at + 1) == "."
        && source.touches(at + 2)
        && source.tokens[at + 2].shape == Shape::Number;
    if digits > 4 || goes_on || decimal {
        return None;
    }
    let stop = source.touches(at + 1)
        && source.word(at + 1) == "."
        && source.tokens.get(at + 2).is_some_and(|next| next.shape != Shape::Lower);
    let ends_sentence = source.tokens.get(at + 2).is_none_or(|next| next.is_capital() && !next.is(Marks::UNIT));
    Some(at + 1 + usize::from(stop && !ends_sentence))
}

/// Whether the words are a street by a word of theirs: `Crown Street`, `Via Roma`, `Koskikatu`.
pub(crate) fn is_named_street(source: &Source<'_>, from: usize, to: usize) -> bool {
    let tokens = &source.tokens[from..to];
    let words = tokens.iter().filter(|token| token.is_word()).count();
    let before = tokens[0].is(Marks::STREET_BEFORE) && words > 1;
    let after = tokens.iter().skip(1).any(|token| token.is(Marks::STREET_AFTER));
    let ending =
        || tokens.iter().any(|token| token.is_capital() && lexicon::ends_like_street(&source.text[token.range()]));
    before || after || ending()
}
