//! Which words a name is made of: where it ends, and where `'s` makes it an owner.

use super::{Place, Words, is_quote};
use crate::data::frames::frames_of;
use crate::data::nouns;
use crate::data::verbs::{BASE, ING, PARTICIPLE, PAST, THIRD};
use crate::data::words;
use crate::mention::PARTICLES;
use crate::token::Shape;

impl Words<'_> {
    /// Whether `'s` here shows possession, and is not a short `is` or `has`.
    pub(crate) fn is_possessive(&self, at: usize) -> bool {
        match self.lower(at) {
            "'s" => {}
            "'" | "’" => {
                let plural = at > 0 && self.lower(at - 1).ends_with('s') && !self.tokens[at].spaced;
                return plural && self.word_of_name(at + 1, at + 1, true, Place::Object);
            }
            _ => return false,
        }
        if at > 0 && self.any(at - 1, " he she it that who there here what where how when let one ") {
            return false;
        }
        let Some(next) = self.tokens.get(at + 1) else { return false };
        if next.shape == Shape::Mark {
            return is_quote(&next.lower);
        }
        if next.is(words::CLOSED) || (next.is(words::ADVERB) && !next.is(words::ADJECTIVE | words::UNIT)) {
            return false;
        }
        if next.shape == Shape::Number {
            return false;
        }
        let then_ends = self.stop(at + 2) || self.is(at + 2, words::PREPOSITION | words::CONJUNCTION);
        if next.is(words::ADJECTIVE) && then_ends {
            return false;
        }
        match next.verb {
            Some(verb) if verb.can_be(ING) && !verb.nounish => then_ends && self.stop(at + 2),
            Some(verb) if verb.can_be(PARTICIPLE) && !verb.can_be(BASE) => !then_ends,
            _ => true,
        }
    }

    /// Whether the token at `at` can stand in a name that began at `from`.
    pub(super) fn word_of_name(&self, at: usize, from: usize, determined: bool, place: Place) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let first = at == from;
        match token.shape {
            Shape::Mark => {
                return token.lower == "&" && !first && self.capital(at - 1) && self.capital(at + 1);
            }
            Shape::Number => return first || !self.is(at - 1, words::MONTH) || token.lower.len() < 4,
            Shape::Link => return true,
            Shape::Lower | Shape::Capital | Shape::Upper => {}
        }
        if self.clitic(at) {
            return false;
        }
        // `Rua do Ouro`
        let ends = self.is(at + 1, words::WEEKDAY | words::MONTH);
        if !first && self.capital(at - 1) && self.capital(at + 1) && self.any(at, PARTICLES) && !ends {
            return true;
        }
        // `in Ghent all her life`
        if at > from && (self.bare_time(at) || token.lower == "all" && self.is(at + 1, words::POSSESSIVE)) {
            return false;
        }
        let sentence_first = at == 0;
        if token.shape == Shape::Upper && token.lower != "i" {
            return true;
        }
        // `Air Force One`
        if token.lower == "one" && token.is_capital() && !first && self.capital(at - 1) {
            return true;
        }
        if token.is(words::CLOSED) {
            let name = token.shape == Shape::Capital && !sentence_first && (!first || self.capital(at + 1));
            let known = token.is(words::MODAL | words::CONJUNCTION | words::DET | words::PREPOSITION);
            return name && known && !self.is(at, words::PRONOUN) && !first
                || (name && token.is(words::MODAL))
                || (token.is(words::INTERJECTION) && determined && first);
        }
        if token.is_capital() && !sentence_first {
            return true;
        }
        if token.is(words::ADVERB) && !token.is(words::ADJECTIVE) && !first && self.capital(at - 1) {
            return false;
        }
        if token.is(words::ADVERB) && !token.is(words::ADJECTIVE) {
            let next_fits = self.tokens.get(at + 1).is_some_and(|next| {
                next.is_word()
                    && !next.is(words::CLOSED | words::ADVERB)
                    && (next.is(words::ADJECTIVE)
                        || next.verb.is_none_or(|verb| verb.can_be(PARTICIPLE) || verb.nounish))
            });
            let periodic = self.any(
                at,
                " daily weekly monthly yearly nightly hourly quarterly annual annually online offline only long ",
            );
            // `The beta almost shipped`
            let of_verb = !first && self.any(at, " almost nearly just already finally recently also still never ");
            return (determined || !first)
                && next_fits
                && !of_verb
                && (periodic || self.is(at + 1, words::ADJECTIVE) || self.can_be(at + 1, PARTICIPLE));
        }
        let Some(verb) = token.verb else { return true };
        if first {
            if determined {
                return true;
            }
            if place == Place::Subject {
                return (verb.nounish && verb.can_be(BASE | THIRD)) || token.is_capital();
            }
            let followed =
                self.tokens.get(at + 1).is_some_and(|next| next.is_word() && !next.is(words::CLOSED | words::ADVERB));
            return verb.can_be(ING)
                || (verb.can_be(PARTICIPLE) && followed && !verb.can_be(BASE))
                || (verb.nounish && verb.can_be(BASE | THIRD));
        }
        self.verb_inside(at, from, place, verb)
    }

    /// A word inside a name that could be a verb.
    fn verb_inside(&self, at: usize, from: usize, place: Place, verb: crate::data::verbs::VerbForm) -> bool {
        let followed = self.tokens.get(at + 1).is_some_and(|next| {
            next.is_word()
                && !next.is(words::CLOSED | words::ADVERB)
                && !next.verb.is_some_and(|verb| !verb.nounish && verb.can_be(PAST | THIRD))
        });
        // `the 3 ships` counts them; `Release 4.2 ships` does not.
        let counted = self.tokens[at - 1].shape == Shape::Number && !(at > from + 1 && self.capital(from));
        let after_adjective = self.is(at - 1, words::ADJECTIVE | words::ADVERB) || counted;
        if verb.can_be(ING) && self.any(at, DOING_NOUNS) {
            return true;
        }
        if verb.can_be(ING) {
            return if followed {
                !self.any(at + 1, " the a an my our his her their ")
            } else {
                self.stop(at + 1) && place == Place::Object || after_adjective || self.finite(at + 1)
            };
        }
        if verb.can_be(PAST | PARTICIPLE) && !verb.can_be(BASE) {
            return after_adjective && followed;
        }
        // `The sofa cost 850 euros`: a past that looks like a noun, and what follows no noun bears behind it.
        let object = self
            .tokens
            .get(at + 1)
            .is_some_and(|next| next.shape == Shape::Number || next.is(words::DET | words::POSSESSIVE));
        if !verb.nounish || place == Place::Subject && object && verb.can_be(PAST) {
            return false;
        }
        let after_name = self.capital(at - 1) && !self.capital(at);
        // `works at Orbis, and Mia works at Vela`: a verb that frames know with the word behind it.
        let says = || {
            frames_of(verb.lemma, crate::verb::Voice::Active)
                .any(|frame| !frame.links.is_empty() && self.any(at + 1, frame.links))
        };
        let somebody = || nouns::kin_noun(self.lower(at - 1)).is_some() || nouns::is_role(self.lower(at - 1));
        if verb.can_be(THIRD) && (after_name || somebody()) && says() {
            return false;
        }
        let ends = self.stop(at + 1) || self.is(at + 1, words::PREPOSITION | words::CONJUNCTION);
        if place == Place::Object && (!(after_name && verb.can_be(THIRD)) || ends) || after_adjective {
            return true;
        }
        let then_verb = self.finite(at + 1);
        if verb.can_be(THIRD) {
            return then_verb;
        }
        let plural = self.lower(at - 1).ends_with('s') && !self.lower(at - 1).ends_with("ss");
        !plural && !after_name || then_verb
    }

    /// Whether the token is a short verb or `not` tied to the word before.
    fn clitic(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        self.source.text[token.start..].starts_with(['\'', '’', 'ʼ']) || (token.lower == "not")
    }

    /// Whether a time without a preposition begins here: `yesterday`, `last week`, `two years ago`.
    pub(crate) fn bare_time(&self, at: usize) -> bool {
        match self.lower(at) {
            "yesterday" | "today" | "tomorrow" | "tonight" => true,
            "last" | "next" | "this" | "every" | "each" | "past" => {
                self.is(at + 1, words::UNIT | words::WEEKDAY | words::MONTH)
            }
            _ => crate::dates::relative(&self.tokens[at..], None).is_some(),
        }
    }
}

/// Forms in `ing` that are nouns when a noun stands before them: `poetry reading`, `team building`.
const DOING_NOUNS: &str = " reading meeting training opening screening gathering writing painting building hearing outing signing tasting \
    housing funding lighting engineering marketing programming accounting manufacturing processing learning planning testing monitoring \
    logging caching hosting gaming mapping pricing shipping packaging banking watching dancing swimming riding climbing walking skating \
    surfing fishing hunting shopping cooking baking knitting diving ";
