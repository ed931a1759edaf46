//! Noun phrases: who or what is spoken of.

mod name;

use crate::data::nouns;
use crate::data::verbs::{ING, PAST, THIRD};
use crate::data::words::{self, contains_word};
use crate::source::Source;
use crate::token::{Shape, Token};
use std::ops::Range;
use um_model::Utf16Span;

/// The tokens of a sentence with the text that they are of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'t> {
    /// The whole text.
    pub source: &'t Source<'t>,
    /// The sentence's tokens.
    pub tokens: &'t [Token],
}

/// To whom a noun phrase says its thing belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Nobody.
    None,
    /// `my`
    Speaker,
    /// `our`
    Group,
    /// `your`
    Listener,
    /// `his`, `their`: the token.
    Pronoun(usize),
    /// `Ana's`
    Named(Box<Np>),
}

/// How a noun phrase points at its thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Det {
    /// Not at all.
    None,
    /// `a`
    Indefinite,
    /// `the`
    The,
    /// `this`, `that`
    Pointing,
    /// `some`, `every`
    Quantity,
}

/// A noun phrase, in token numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Np {
    /// First token.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// How it points.
    pub det: Det,
    /// Whose it is.
    pub owner: Owner,
    /// The words of its name, without article and owner.
    pub name: Range<usize>,
    /// Its head noun.
    pub head: usize,
    /// Whether it is a pronoun.
    pub pronoun: bool,
    /// In `my sister Ana`, the name behind the noun.
    pub called: Option<Range<usize>>,
    /// Whether it says what somebody does: `playing the cello`.
    pub gerund: bool,
}

/// Where in a clause a noun phrase stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the verb.
    Subject,
    /// Behind it.
    Object,
}

impl Np {
    /// The speaker, where the sentence leaves them out before the token `at`.
    pub(crate) fn speaker(at: usize) -> Self {
        Self {
            start: at,
            end: at,
            det: Det::None,
            owner: Owner::None,
            name: at..at,
            head: usize::MAX,
            pronoun: true,
            called: None,
            gerund: false,
        }
    }

    /// The words behind `of`, as a phrase of their own.
    pub(crate) fn tail(&self, of: Option<usize>) -> Self {
        let start = of.map_or(self.name.start, |of| (of + 1).min(self.name.end - 1));
        Self {
            start,
            det: Det::None,
            owner: Owner::None,
            name: start..self.name.end,
            head: self.name.end - 1,
            ..self.clone()
        }
    }

    /// The phrase itself or its owner that has a name behind its noun: `my daughter Sara` in `my daughter Sara's birthday`.
    pub(crate) fn with_called(self) -> Option<Self> {
        match (self.called.is_some(), self.owner) {
            (true, owner) => Some(Self { owner, ..self }),
            (false, Owner::Named(owner)) => owner.with_called(),
            (false, _) => None,
        }
    }
}

impl<'t> Words<'t> {
    /// The word at a place, in lower case; empty past the end.
    pub(crate) fn lower(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    /// Whether the word at a place is one of these, given between spaces.
    pub(crate) fn any(&self, at: usize, list: &'static str) -> bool {
        contains_word(list, self.lower(at))
    }

    /// Whether the token at a place is of one of the classes.
    pub(crate) fn is(&self, at: usize, tags: words::Tags) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(tags))
    }

    /// Whether the word at a place begins with a capital.
    pub(crate) fn capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_capital)
    }

    /// Whether a mark, or nothing, stands at a place.
    pub(crate) fn stop(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.shape == Shape::Mark && !is_quote(&token.lower))
    }

    /// The words of a range as they are written, with single spaces.
    pub(crate) fn slice(&self, range: Range<usize>) -> String {
        let Some(tokens) = self.tokens.get(range).filter(|tokens| !tokens.is_empty()) else { return String::new() };
        let raw = &self.source.text[tokens[0].start..tokens[tokens.len() - 1].end];
        raw.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Where a range of tokens stands in the text.
    pub(crate) fn span(&self, range: Range<usize>) -> Option<Utf16Span> {
        self.bytes(range).map(|range| self.source.span(range))
    }

    /// The bytes of a range of tokens.
    fn bytes(&self, range: Range<usize>) -> Option<Range<usize>> {
        let tokens = self.tokens.get(range).filter(|tokens| !tokens.is_empty())?;
        Some(tokens[0].start..tokens[tokens.len() - 1].end)
    }

    fn can_be(&self, at: usize, forms: crate::data::verbs::Forms) -> bool {
        self.tokens.get(at).and_then(|token| token.verb).is_some_and(|verb| verb.can_be(forms))
    }

    /// Whether the word can be the `ing` form of a verb.
    pub(crate) fn can_ing(&self, at: usize) -> bool {
        self.can_be(at, ING) && !self.capital(at)
    }

    /// Whether a verb that has a person and a tense stands here: `is`, `works`, `moved`, `can`.
    pub(crate) fn finite(&self, at: usize) -> bool {
        self.is(at, words::BE | words::HAVE | words::DO | words::MODAL)
            || (self.can_be(at, THIRD | PAST) && !self.capital(at))
    }

    /// The noun phrase at a place.
    pub(crate) fn noun_phrase(&self, at: usize, place: Place) -> Option<Np> {
        let token = self.tokens.get(at)?;
        if token.is(words::PRONOUN) && token.shape != Shape::Upper || token.lower == "i" {
            let owns = token.is(words::POSSESSIVE) && self.word_of_name(at + 1, at + 1, true, place);
            if !owns {
                return Some(self.pronoun(at));
            }
        }
        let (det, owner, from) = self.opening(at);
        let mut np = self.named(at, from, det, owner, place)?;
        // `Ana's sister's flat`
        for _ in 0..3 {
            if !self.is_possessive(np.end) {
                break;
            }
            let next = self.named(np.start, np.end + 1, Det::None, Owner::None, place)?;
            np = Np { owner: Owner::Named(Box::new(np)), ..next };
            if np.called.is_none() {
                self.find_called(&mut np);
            }
        }
        // `works at St. Mary's`: nothing is owned, so that the ending is the name's.
        let named = place == Place::Object && np.det == Det::None && !np.gerund && self.capital(np.name.start);
        let ends = self.stop(np.end + 1) || self.is(np.end + 1, words::PREPOSITION | words::CONJUNCTION);
        if named && self.lower(np.end) == "'s" && ends && np.called.is_none() {
            (np.end, np.name.end) = (np.end + 1, np.end + 1);
        }
        self.with_of(&mut np);
        Some(np)
    }

    fn pronoun(&self, at: usize) -> Np {
        let name = at..at + 1;
        Np {
            start: at,
            end: at + 1,
            det: Det::None,
            owner: Owner::None,
            name,
            head: at,
            pronoun: true,
            called: None,
            gerund: false,
        }
    }

    /// Article, owner or quantity at the head of a phrase, and where its name begins.
    fn opening(&self, at: usize) -> (Det, Owner, usize) {
        let Some(token) = self.tokens.get(at) else { return (Det::None, Owner::None, at) };
        if token.is(words::POSSESSIVE) {
            let owner = match token.lower.as_str() {
                "my" => Owner::Speaker,
                "our" => Owner::Group,
                "your" => Owner::Listener,
                _ => Owner::Pronoun(at),
            };
            return (Det::None, owner, at + 1);
        }
        for quantity in [
            "a few",
            "a lot of",
            "lots of",
            "a couple of",
            "a bunch of",
            "plenty of",
            "a number of",
            "a variety of",
            "one of",
            "some of",
            "all of",
            "both of",
            "many of",
            "most of",
            "tons of",
            "a pair of",
            "a set of",
        ] {
            let length = quantity.split(' ').count();
            if quantity.split(' ').enumerate().all(|(step, word)| self.lower(at + step) == word) {
                let (_, owner, from) = self.opening(at + length);
                return (Det::Quantity, owner, from);
            }
        }
        if token.is(words::QUANTIFIER) && !token.is_capital() || (token.is(words::QUANTIFIER) && at == 0) {
            let (inner, owner, from) = self.opening(at + 1);
            return (if inner == Det::Pointing { inner } else { Det::Quantity }, owner, from);
        }
        if token.is(words::DET) && (token.shape == Shape::Lower || at == 0 || token.lower == "the") {
            let det = if token.is(words::INDEFINITE) {
                Det::Indefinite
            } else if token.is(words::DEMONSTRATIVE) {
                Det::Pointing
            } else {
                Det::The
            };
            return (det, Owner::None, at + 1);
        }
        (Det::None, Owner::None, at)
    }

    /// `a safe and loving home`, `a safe, warm place`: whether the mark joins two words before a noun.
    fn joins_adjectives(&self, at: usize, from: usize, place: Place) -> bool {
        let joins = self.any(at, " and , ") && self.is(at - 1, words::ADJECTIVE) && !self.capital(at + 1);
        joins
            && self.word_of_name(at + 1, from, true, place)
            && self.word_of_name(at + 2, from, true, place)
            && !self.finite(at + 1)
            && !self.is(at + 1, words::ADVERB)
    }

    /// The phrase whose name begins at `from`.
    fn named(&self, start: usize, from: usize, det: Det, owner: Owner, place: Place) -> Option<Np> {
        let determined = det != Det::None || owner != Owner::None || from > start;
        let mut end = from;
        if let Some(close) = self.quoted(from) {
            end = close;
        } else {
            while end < self.tokens.len() && end - from < 12 {
                if self.word_of_name(end, from, determined, place) {
                    end += 1;
                } else if end > from && self.joins_adjectives(end, from, place) {
                    end += 2;
                } else {
                    break;
                }
            }
            if end > from
                && self.any(end, " or and ")
                && self.any(end + 1, " newer later higher above up older greater ")
            {
                end += 2;
            }
        }
        if end == from {
            return None;
        }
        let mut np =
            Np { start, end, det, owner, name: from..end, head: end - 1, pronoun: false, called: None, gerund: false };
        self.find_called(&mut np);
        Some(np)
    }

    /// The end of a title in quotes that begins here.
    fn quoted(&self, at: usize) -> Option<usize> {
        let close = match self.lower(at) {
            "\"" => "\"",
            "“" => "”",
            _ => return None,
        };
        let mut end = (at + 2..self.tokens.len().min(at + 14)).find(|end| self.lower(*end) == close)? + 1;
        while self.capital(end) && !self.is(end, words::CLOSED) {
            end += 1;
        }
        Some(end)
    }

    /// `sister Ana`, `dog named Max`, `friend, Bo,`: parts the noun from the name behind it.
    fn find_called(&self, np: &mut Np) {
        let split = np.name.clone().skip(1).find(|at| self.capital(*at) && !self.capital(at - 1));
        if let Some(split) = split {
            let noun = self.lower(split - 1);
            let firm = np.owner != Owner::None
                && contains_word(" supplier vendor client customer contractor competitor subsidiary landlord ", noun);
            let names_one =
                firm || nouns::kin_noun(noun).is_some() || contains_word(nouns::PETS, noun) || nouns::is_role(noun);
            if names_one && (split..np.end).all(|at| self.capital(at)) {
                np.called = Some(split..np.end);
                np.name = np.name.start..split;
                np.head = split - 1;
            }
            return;
        }
        if let (true, Some(close)) = (self.any(np.end, " named called titled "), self.quoted(np.end + 1)) {
            np.called = Some(np.end + 1..close);
            np.end = close;
        } else if self.any(np.end, " named called ") && self.capital(np.end + 1) {
            let mut end = np.end + 1;
            while self.capital(end) && end < np.end + 5 {
                end += 1;
            }
            np.called = Some(np.end + 1..end);
            np.end = end;
        } else if self.lower(np.end) == ","
            && np.owner != Owner::None
            && (nouns::kin_noun(self.lower(np.head)).is_some() || nouns::is_role(self.lower(np.head)))
        {
            let mut end = np.end + 1;
            while self.capital(end) && end < np.end + 4 {
                end += 1;
            }
            if end > np.end + 1 && self.lower(end) == "," {
                np.called = Some(np.end + 1..end);
                np.end = end + 1;
            }
        }
    }

    /// Takes `of` phrases into the name: `University of Porto`, `capital of France`.
    fn with_of(&self, np: &mut Np) {
        for _ in 0..2 {
            if self.lower(np.end) != "of" || np.called.is_some() {
                return;
            }
            let Some(inner) = self.noun_phrase(np.end + 1, Place::Object).filter(|inner| !inner.pronoun) else {
                return;
            };
            np.end = inner.end;
            np.name = np.name.start..inner.end;
        }
    }
}

fn is_quote(mark: &str) -> bool {
    matches!(mark, "\"" | "“" | "”")
}
