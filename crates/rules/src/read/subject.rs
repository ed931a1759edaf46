//! How a clause opens: what leads up to it, and of whom or what it speaks.

use super::Reader;
use crate::clause::Said;
use crate::data::frames::Who;
use crate::data::words;
use crate::mention::{self, Wanted};
use crate::noun::{Np, Place, Words};
use crate::time;
use crate::token::Shape;
use crate::verb::{Tense, VerbGroup, Voice, verb_group};
use um_model::belief::{CandidateObject, ValueKind};

/// `It was Ana who wrote the report`: Ana, and where her verb is.
fn pointed_out(words: &Words<'_>, at: usize) -> Option<(Vec<Np>, usize)> {
    let points = words.lower(at) == "it" && words.any(at + 1, " is was 's ");
    let who = points.then(|| words.noun_phrase(at + 2, Place::Subject)).flatten()?;
    let told = words.any(who.end, " who that ") && verb_group(words, who.end + 1).is_some();
    let end = who.end + 1;
    (told && mention::is_proper(words, &who)).then(|| (vec![who], end))
}

/// `The wedding of Ana and Bo is ...`: what is one is of both.
fn of_both(words: &Words<'_>, np: Np) -> Np {
    let of = np.name.clone().find(|at| words.lower(*at) == "of");
    let other = of.filter(|_| words.lower(np.end) == "and").and_then(|_| words.noun_phrase(np.end + 1, Place::Subject));
    let Some(other) = other.filter(|other| mention::is_proper(words, other) && mention::is_proper(words, &np.tail(of)))
    else {
        return np;
    };
    let one = words.any(other.end, " is was has takes begins starts ends opens ");
    if one { Np { end: other.end, name: np.name.start..other.end, ..np } } else { np }
}

impl Reader<'_> {
    /// Skips what opens a clause: greetings, joining words, vocatives, adverbs, a time.
    pub(super) fn opening(&self, words: &Words<'_>, at: usize) -> (usize, Option<time::Time>) {
        let mut from = at;
        let mut leading = None;
        for _ in 0..8 {
            let start = from;
            while from < words.tokens.len() && words.stop(from)
                || words.is(from, words::INTERJECTION | words::CONJUNCTION)
            {
                from += 1;
            }
            // `Mel, I moved`
            let vocative = words.capital(from) && !words.is(from, words::ADVERB | words::CLOSED);
            // `Lars, our accountant, lives`: no vocative, but what Lars is.
            let aside = || {
                words.noun_phrase(from + 2, Place::Object).is_some_and(|np| !np.pronoun && words.lower(np.end) == ",")
            };
            if vocative && words.lower(from + 1) == "," && words.any(from + 2, " i we my our ") && !aside() {
                from += 2;
            }
            if let Some(found) = time::time_at(words, from, self.today) {
                from = found.end + usize::from(words.lower(found.end) == ",");
                leading = Some(found);
            }
            // `before that he lived in Graz`
            if words.lower(from) == "before" && words.lower(from + 1) == "that" {
                from += 2 + usize::from(words.lower(from + 2) == ",");
            }
            // `In this project, we use ...`
            if words.is(from, words::PREPOSITION) && !words.is(from, words::SUBORDINATOR) {
                let np = words.noun_phrase(from + 1, Place::Object).filter(|np| !np.pronoun);
                match np.map(|np| np.end) {
                    Some(end) if words.lower(end) == "," => from = end + 1,
                    Some(end) if words.any(end, " i we ") => from = end,
                    _ => {}
                }
            }
            let adverb = words.is(from, words::ADVERB) && !words.is(from, words::NEGATION | words::ADJECTIVE);
            if adverb && words.tokens[from].verb.is_none() {
                from += 1;
            }
            if from == start {
                break;
            }
        }
        (from, leading)
    }

    /// The subjects of a clause, and where its verb is to be. What is said of the subject in passing is added.
    pub(super) fn subjects(&self, words: &Words<'_>, at: usize, said: &mut Vec<Said>) -> Option<(Vec<Np>, usize)> {
        // Of `either Jo or Kim` nobody knows which.
        if words.lower(at) == "either" {
            return None;
        }
        if let Some(found) = pointed_out(words, at) {
            return Some(found);
        }
        let at = at + usize::from(words.any(at, " both neither ") && words.lower(at + 1) != "of");
        let first = words.noun_phrase(at, Place::Subject)?;
        let mut subjects = vec![of_both(words, first)];
        let mut end = subjects[0].end;
        if let Some((joined, end)) = self.joined(words, &subjects[0]) {
            return Some((joined, end));
        }
        // `The invoice from Orbis`: phrases that belong to the subject.
        let subject = &mut subjects[0];
        if !subject.pronoun && subject.called.is_none() {
            while words.is(end, words::PREPOSITION) && verb_group(words, end).is_none() {
                let Some(inner) = words.noun_phrase(end + 1, Place::Subject).filter(|np| !np.pronoun) else { break };
                end = inner.end;
                subject.end = end;
                subject.name.end = end;
            }
        }
        let end = self.aside(words, &subjects[0], end, said);
        Some((subjects, end))
    }

    /// `Ana, Bo and Cy` before a verb.
    fn joined(&self, words: &Words<'_>, first: &Np) -> Option<(Vec<Np>, usize)> {
        let mut all = vec![first.clone()];
        let mut end = first.end;
        while all.len() < 6 {
            let comma = usize::from(words.lower(end) == ",");
            let and = usize::from(words.any(end + comma, " and & nor "));
            if comma + and == 0 {
                return None;
            }
            let next = words
                .noun_phrase(end + comma + and, Place::Subject)
                .filter(|np| !np.pronoun || words.lower(np.head) == "i")?;
            end = next.end;
            all.push(next);
            if and == 1 {
                return verb_group(words, end).is_some().then_some((all, end));
            }
        }
        None
    }

    /// `Ana Ruiz, the CTO of Northwind, ...`, `Ana Ruiz, who works at Northwind, ...`: reads it, and skips it.
    fn aside(&self, words: &Words<'_>, subject: &Np, at: usize, said: &mut Vec<Said>) -> usize {
        if words.lower(at) != "," || subject.pronoun {
            return at;
        }
        // `Ana, not Bo, ...`
        if words.lower(at + 1) == "not" {
            let other = words.noun_phrase(at + 2, Place::Object).filter(|np| words.lower(np.end) == ",");
            return other.map_or(at, |np| np.end + 1);
        }
        // `Ana, 34, ...`
        if words.tokens.get(at + 1).is_some_and(|token| token.shape == Shape::Number) && words.lower(at + 2) == "," {
            let who = mention::subject(words, subject, &self.voices, Wanted::one(Who::Being));
            let age = words.slice(at + 1..at + 2);
            let years = age.parse::<u8>().is_ok_and(|years| (2..=115).contains(&years));
            if let Some(who) = who.filter(|_| years && verb_group(words, at + 3).is_some()) {
                let object = CandidateObject::Value { text: age, kind: ValueKind::Number };
                said.push(Said::new(who, "age", object, 0.85));
                return at + 3;
            }
            return at;
        }
        // `Ana, born in Lund in 1985, ...`
        if words.lower(at + 1) == "born" && words.any(at + 2, " in on at ") {
            let verb = VerbGroup {
                lemma: "bear",
                main: at + 1,
                end: at + 2,
                voice: Voice::Passive,
                tense: Tense::Past,
                progressive: false,
                negated: false,
                ended: false,
                begun: false,
                turning: false,
                can: false,
                unsure: false,
            };
            let (mut more, end) = self.predicate(words, std::slice::from_ref(subject), &verb, None);
            if words.lower(end) != "," || verb_group(words, end + 1).is_none() {
                return at;
            }
            said.append(&mut more);
            return end + 1;
        }
        // `Ravi Menon, formerly of Cobalt Bank, ...`
        if words.any(at + 1, " formerly previously originally currently now ") {
            let close = (at + 2..words.tokens.len().min(at + 12)).find(|at| words.lower(*at) == ",");
            return close.filter(|close| verb_group(words, close + 1).is_some()).map_or(at, |close| close + 1);
        }
        if words.lower(at + 1) == "who" || words.lower(at + 1) == "which" {
            let Some(verb) = verb_group(words, at + 2) else { return at };
            let (mut more, end) = self.predicate(words, std::slice::from_ref(subject), &verb, None);
            let close = (end.max(verb.end)..words.tokens.len()).find(|at| words.lower(*at) == ",");
            return match close {
                Some(close) => {
                    said.append(&mut more);
                    close + 1
                }
                None => at,
            };
        }
        let Some(np) = words.noun_phrase(at + 1, Place::Object).filter(|np| !np.pronoun) else { return at };
        let Some(who) = mention::subject(words, subject, &self.voices, Wanted::one(Who::Any)) else {
            return at;
        };
        let Some((mut more, end)) = self.copula(words).identity(&who, &np) else { return at };
        // `a lawyer from Graz`
        let mut end = end;
        while words.is(end, words::PREPOSITION) {
            let Some(inner) = words.noun_phrase(end + 1, Place::Object) else { return at };
            end = inner.end;
        }
        if words.lower(end) != "," {
            return at;
        }
        said.append(&mut more);
        end + 1
    }
}
