//! What a clause says of its subjects: the readers of predicates, each in its turn.

use super::Reader;
use crate::clause::{Clause, Said, by_frames, place_in_time};
use crate::complement::{Part, complement, doing};
use crate::copula::{Copula, known_to_last, passes};
use crate::data::frames::Who;
use crate::data::{nouns, words};
use crate::decide::decision;
use crate::happened::{fond, happened, practised};
use crate::having::having;
use crate::job::{chosen, job, switched};
use crate::mention::{self, Wanted};
use crate::noun::{Np, Place, Words};
use crate::port::{port, reached};
use crate::time::{self, Relation};
use crate::verb::{Tense, VerbGroup, Voice};
use um_model::belief::{CandidateObject, ValueKind};

impl<'t> Reader<'t> {
    pub(super) fn predicate(
        &self,
        words: &Words<'_>,
        subjects: &[Np],
        verb: &VerbGroup,
        leading: Option<&time::Time>,
    ) -> (Vec<Said>, usize) {
        let (today, over_by) = (self.today, self.over_by);
        let clause = Clause { words, subjects, verb, leading, voices: &self.voices, today, over_by };
        let known = job(&clause)
            .or_else(|| switched(&clause))
            .or_else(|| reached(words, subjects, verb, &self.voices))
            .or_else(|| port(words, subjects, verb, &self.voices))
            .or_else(|| decision(&clause))
            .or_else(|| self.office_change(&clause))
            .or_else(|| chosen(&clause));
        if let Some(found) = known {
            return found;
        }
        let found = by_frames(&clause);
        if !found.0.is_empty() {
            return instead(&clause, found);
        }
        let told =
            fond(words, subjects, verb, &self.voices).or_else(|| practised(&clause)).or_else(|| happened(&clause));
        if let Some(told) = told {
            return told;
        }
        match (verb.voice, verb.lemma) {
            (Voice::Copula, _) => self.state(&clause),
            (Voice::Passive, "name") if nouns::is_role(words.lower(verb.end)) => {
                self.copula(words).state(subjects, verb).unwrap_or(found)
            }
            // `Ana and Tom divorced in 2015`, `Orbis and Tern merged`
            (Voice::Active, "marry" | "divorce" | "separate" | "merge") if subjects.len() == 2 => {
                let past = matches!(verb.tense, Tense::Past | Tense::Perfect);
                self.copula(words).state(subjects, verb).filter(|_| past).unwrap_or(found)
            }
            (Voice::Active, "become") => self.copula(words).became(subjects, verb).unwrap_or(found),
            (Voice::Passive, "call" | "name") => self.copula(words).said(subjects, verb, verb.end),
            (Voice::Passive, _) => {
                let by = || self.copula(words).done_by(subjects, verb);
                let on = || self.copula(words).done_on(subjects, verb);
                by().or_else(|| self.copula(words).state(subjects, verb)).or_else(on).unwrap_or(found)
            }
            (Voice::Active, "pass") if words.lower(verb.end) == "away" => {
                let died = VerbGroup { lemma: "die", end: verb.end + 1, ..verb.clone() };
                by_frames(&Clause { verb: &died, ..clause })
            }
            // `the warranty runs out on`, `the album comes out on`
            (Voice::Active, "run" | "come") if words.lower(verb.end) == "out" => {
                let lemma = if verb.lemma == "run" { "expire" } else { "launch" };
                by_frames(&Clause { verb: &VerbGroup { lemma, end: verb.end + 1, ..verb.clone() }, ..clause })
            }
            // `Helix Labs took over Ravenfield in 2019`
            (Voice::Active, "take") if words.lower(verb.end) == "over" => {
                let taken = VerbGroup { lemma: "acquire", end: verb.end + 1, ..verb.clone() };
                by_frames(&Clause { verb: &taken, ..clause })
            }
            (Voice::Active, "hold")
                if (verb.end..verb.end + 4).any(|at| words.any(at, " degree phd doctorate mba citizenship ")) =>
            {
                having(words, subjects, verb, &self.voices, self.today)
            }
            (Voice::Active, "have") => having(words, subjects, verb, &self.voices, self.today),
            _ => phase(&clause, found),
        }
    }

    /// `stepped down as CEO of Tern in 2020`, `took over as treasurer in May`
    fn office_change(&self, clause: &Clause<'_, '_>) -> Option<(Vec<Said>, usize)> {
        let Clause { words, subjects, verb, leading, .. } = *clause;
        let (over, down) = (words.lower(verb.end) == "over", words.lower(verb.end) == "down");
        let ended = match verb.lemma {
            "resign" | "retire" => true,
            "step" if down => true,
            "take" if over => false,
            _ => return None,
        };
        let past = matches!(verb.tense, Tense::Past | Tense::Perfect) && verb.voice == Voice::Active;
        let at = verb.end + usize::from(over || down);
        if !past || verb.unsure || verb.negated || verb.ended || verb.progressive || words.lower(at) != "as" {
            return None;
        }
        let [subject] = subjects else { return None };
        let who = mention::subject(words, subject, &self.voices, Wanted::one(Who::Being))?;
        let led = VerbGroup { end: at, ..verb.clone() };
        let (mut said, end) = self.copula(words).installed(&who, &led, !ended)?;
        for said in &mut said {
            leading
                .into_iter()
                .for_each(|time| place_in_time(words, said, time, !ended, &VerbGroup { begun: !ended, ..led.clone() }));
        }
        Some((said.into_iter().map(|said| said.denied(ended)).collect(), end))
    }

    /// What somebody or something is, or was: the latter only where it is said when, or lasts.
    fn state(&self, clause: &Clause<'_, '_>) -> (Vec<Said>, usize) {
        let Clause { words, subjects, verb, leading, .. } = *clause;
        let (mut said, end) = self.copula(words).said(subjects, verb, verb.end);
        let had = (verb.main.saturating_sub(3)..verb.main).any(|at| words.lower(at) == "had");
        let past = verb.tense == Tense::Past || verb.tense == Tense::Perfect && had;
        let lasting = |time: &&time::Time| match time.relation {
            Relation::Since => true,
            Relation::At | Relation::Until | Relation::Between => past,
            _ => false,
        };
        for said in said.iter_mut().filter(|said| passes(said)) {
            for time in leading.iter().copied().filter(lasting) {
                place_in_time(words, said, time, true, verb);
            }
        }
        (if past { known_to_last(said) } else { said }, end)
    }

    /// In `was written by A and reviewed by B` the second participle shares the first one's helper.
    pub(super) fn shared_helper(&self, words: &Words<'_>, verb: &VerbGroup, at: usize) -> Option<VerbGroup> {
        let participle = words.tokens.get(at)?.verb.filter(|verb| verb.can_be(crate::data::verbs::PARTICIPLE))?;
        let fits = verb.voice == Voice::Passive && words.is(at + 1, words::PREPOSITION);
        fits.then(|| VerbGroup { lemma: participle.lemma, main: at, end: at + 1, ..verb.clone() })
    }

    pub(super) fn copula<'a>(&'a self, words: &'a Words<'t>) -> Copula<'a, 't>
    where
        't: 'a,
    {
        Copula { words, voices: &self.voices, today: self.today }
    }
}

/// `doesn't live in Bari but in Lecce`: what is so instead.
fn instead(clause: &Clause<'_, '_>, (mut said, end): (Vec<Said>, usize)) -> (Vec<Said>, usize) {
    let Clause { words, verb, .. } = *clause;
    let at = end + usize::from(words.lower(end) == ",") + 1;
    let from = at + usize::from(words.is(at, words::PREPOSITION));
    let np = words.noun_phrase(from, Place::Object).filter(|np| !np.pronoun && words.stop(np.end));
    if !verb.negated || verb.ended || words.lower(at - 1) != "but" || np.is_none() {
        return (said, end);
    }
    let (mut more, next) =
        by_frames(&Clause { verb: &VerbGroup { negated: false, end: at, ..verb.clone() }, ..*clause });
    said.append(&mut more);
    (said, next)
}

/// What one does somewhere or of something: by itself it says little.
const NEEDS_MORE: &str =
    " volunteering working studying teaching learning training going doing helping living making getting taking ";

/// `quit smoking`, `started painting`: what somebody began or gave up, where no frame knows what it is.
fn phase(clause: &Clause<'_, '_>, found: (Vec<Said>, usize)) -> (Vec<Said>, usize) {
    let Clause { words, subjects, verb, leading, voices, today, .. } = *clause;
    if !verb.turning || verb.negated || verb.unsure || verb.tense == Tense::Future {
        return found;
    }
    let predicate = if verb.begun { "started" } else { "quit" };
    let follows = complement(words, verb.end, today);
    let times: Vec<&time::Time> = leading
        .into_iter()
        .chain(follows.parts.iter().filter_map(|part| match part {
            Part::Time(time) => Some(time),
            _ => None,
        }))
        .collect();
    // `started volunteering here`, `started painting about five years ago`: where or since when is not known.
    let bare = |end: usize| {
        let unnamed = words.any(end - 1, " instrument language skill hobby sport ")
            && words.is(end.saturating_sub(2), words::INDEFINITE);
        let pointed = words.any(end, " here there ");
        let open = verb.begun && words.any(verb.main, NEEDS_MORE) && times.iter().all(|time| time.when.is_none());
        verb.begun && unnamed || end == verb.main + 1 && (pointed || open)
    };
    let undated = verb.begun && times.iter().any(|time| time.relative && time.when.is_none());
    let Some(text) = doing(words, verb.main)
        .filter(|end| {
            let empty = bare(*end) || verb.lemma == "do" && *end == verb.end;
            follows.clean && !undated && !empty && !words.is(*end, words::QUESTION | words::RELATIVE)
        })
        .map(|end| words.slice(verb.main..end))
    else {
        return found;
    };
    let who = subjects.iter().filter_map(|np| mention::subject(words, np, voices, Wanted::one(Who::Being).or_us()));
    let said = who.map(|who| {
        let object = CandidateObject::Value { text: text.clone(), kind: ValueKind::Text };
        let mut said = Said::new(who, predicate, object, 0.75);
        for time in times.iter().copied() {
            place_in_time(words, &mut said, time, false, &VerbGroup { begun: false, ..verb.clone() });
        }
        said
    });
    (said.collect(), follows.end)
}
