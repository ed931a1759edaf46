//! How a clause opens: what leads up to it, and of whom or what it speaks.

use super::Reader;
use crate::clause::Said;
use crate::data::frames::Who;
use crate::data::words;
use crate::mention::{self, Wanted};
use crate::noun::{Np, Place, Words};
use crate::time;
use crate::verb::verb_group;

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
        let at = at + usize::from(words.any(at, " both neither ") && words.lower(at + 1) != "of");
        let first = words.noun_phrase(at, Place::Subject)?;
        let mut subjects = vec![first];
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
