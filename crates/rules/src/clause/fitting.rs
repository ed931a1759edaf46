//! What one frame makes of a subject and what follows its verb.

use super::{Said, formerly, is_acronym, is_club, owned_words, place_in_time};
use crate::complement::{Complement, Part};
use crate::data::frames::{self, BARE, BEGIN, DENY, EVENT, Frame, Object, STATE, SWAP, WE, Who};
use crate::data::{names, nouns};
use crate::dates::Grain;
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::object::Objects;
use crate::time::{Relation, Time};
use crate::verb::{Tense, VerbGroup};
use um_model::belief::{CandidateObject, EntityType, Mention, Polarity, ValueKind};

/// A frame beside the clause that it is tried on.
pub(super) struct Fitting<'a, 't> {
    pub(super) words: &'a Words<'t>,
    pub(super) frame: &'static Frame,
    pub(super) verb: &'a VerbGroup,
    pub(super) follows: &'a Complement,
    pub(super) voices: &'a Voices<'t>,
    pub(super) objects: Objects<'a, 't>,
}

impl Fitting<'_, '_> {
    fn has(&self, flag: u16) -> bool {
        self.frame.flags & flag != 0
    }

    pub(super) fn said(&self, subject: &Np) -> Vec<Said> {
        let wanted = Wanted { who: self.frame.who, we: self.has(WE), bare: self.has(BARE) };
        let who = mention::subject(self.words, subject, self.voices, wanted);
        let Some(who) = who else { return Vec::new() };
        let crowd =
            nouns::are_kin(self.words.lower(subject.head)) && nouns::kin_noun(self.words.lower(subject.head)).is_none();
        if crowd && self.has(EVENT) {
            return Vec::new();
        }
        if matches!(self.frame.object, Object::Occasion | Object::Schedule | Object::Date | Object::Rhythm) {
            // `born in Bologna in 1985`: the year stands beside the place.
            let day = self.times().any(|time| time.when.is_some_and(|when| when.grain == Grain::Day));
            let placed = self.verb.lemma == "bear"
                && !day
                && self.words.any(self.verb.end, " in at ")
                && self.objects.any_linked(" in at ");
            if placed {
                return Vec::new();
            }
            // `Petr starts at Avast on 1 July` tells when he does, and not when he is.
            let placed = self.follows.parts.iter().any(|part| match part {
                Part::Linked(link, phrases) => {
                    self.words.any(*link, " at with as to ")
                        && phrases.iter().any(|np| mention::is_proper(self.words, np) || np.det == Det::The)
                }
                _ => false,
            });
            if placed && self.frame.object == Object::Schedule && mention::is_proper(self.words, subject) {
                return Vec::new();
            }
            // `Bo runs every day`: what runs on a schedule is no bare name.
            let runner = self.frame.object == Object::Rhythm && self.verb.lemma == "run" && subject.det == Det::None;
            if runner && mention::is_proper(self.words, subject) && subject.name.len() == 1 {
                return Vec::new();
            }
            // `Tensions ended in 1990`: what has no name does so on a day.
            let unnamed =
                subject.det == Det::None && subject.owner == Owner::None && !mention::is_proper(self.words, subject);
            let vague = self.times().all(|time| {
                time.relation != Relation::Schedule && !time.when.is_some_and(|when| when.grain == Grain::Day)
            });
            let hours = matches!(self.frame.predicate, "opens_at" | "closes_at") && self.verb.tense == Tense::Past;
            if (unnamed || hours)
                && vague
                && self.words.any(self.verb.main, " started began ended finished opened closed ")
            {
                return Vec::new();
            }
            let thing = who.entity_type != EntityType::Person || self.frame.who == Who::Being;
            let due = (self.frame.predicate == "scheduled_at").then(|| self.of_deadline(subject)).flatten();
            let dated = if thing { self.dated(due.clone().unwrap_or(who)) } else { None };
            let said = dated.map(|said| match due {
                Some(_) => Said { predicate: "deadline".to_owned(), ..said },
                None => said,
            });
            return said.into_iter().collect();
        }
        let Some((at, phrases)) = self.objects.phrases() else { return Vec::new() };
        // `don't drink coffee after noon` denies less than `don't drink coffee`.
        let narrowed = self.verb.negated
            && self.follows.parts[at + 1..].iter().any(|part| match part {
                Part::Linked(link, _) => self.words.any(*link, " after before during on at in without unless until "),
                Part::Time(time) => time.relation == Relation::Schedule,
                _ => false,
            });
        // `don't speak German very well`
        let weakened = self.verb.negated
            && (self.verb.end..self.follows.end)
                .any(|at| self.words.any(at, " well much often always fluently enough perfectly "));
        if weakened || narrowed && self.has(frames::KINDS) {
            return Vec::new();
        }
        // `moved from Cobalt Bank to Fenwick Capital` is no move of house.
        let firm = |np: &Np| names::guess(&self.words.slice(np.name.clone())) == Some(EntityType::Organization);
        let between = |part: &Part| matches!(part, Part::Linked(_, phrases) if phrases.iter().any(firm));
        if matches!(self.verb.lemma, "move" | "relocate") && self.follows.parts.iter().any(between) {
            return Vec::new();
        }
        // `moved from AWS to GCP` neither.
        if matches!(self.verb.lemma, "move" | "relocate") && phrases.iter().any(|np| is_acronym(self.words, np)) {
            return Vec::new();
        }
        // `runs the bookshop on Mill Lane`: what runs on something runs nothing else.
        let runs = self.frame.predicate == "hosted_on" && self.verb.lemma == "run";
        if runs && self.follows.parts[..at].iter().any(|part| matches!(part, Part::Object(_))) {
            return Vec::new();
        }
        // `the price includes VAT`
        if self.frame.predicate == "includes"
            && self.words.any(subject.head, " price fee cost total rent ticket rate bill amount ")
        {
            return Vec::new();
        }
        // A family moves as people do.
        if self.frame.predicate == "located_in" && self.words.any(subject.head, " family household couple ") {
            return Vec::new();
        }
        // `relocated our office to Ghent` says nothing of who did it.
        let moves = matches!(self.frame.predicate, "lives_in" | "visited") && !self.frame.links.is_empty();
        if moves && self.follows.parts[..at].iter().any(|part| matches!(part, Part::Object(_))) {
            return Vec::new();
        }
        let who = self.used_in(subject).unwrap_or(who);
        self.objects.all(at, phrases).into_iter().map(|object| self.finish(who.clone(), object)).collect()
    }

    /// Of `the deadline for the rollout` the rollout.
    fn of_deadline(&self, subject: &Np) -> Option<Mention> {
        let at = subject.name.start;
        let of = self.words.lower(at) == "deadline" && self.words.any(at + 1, " for of ");
        let inner = of.then(|| self.words.noun_phrase(at + 2, Place::Object)).flatten()?;
        mention::entity(self.words, &inner, self.voices, false)
    }

    /// Whether it was so before, and is over: `previously worked at`.
    fn formerly(&self) -> bool {
        self.has(STATE) && formerly(self.words, self.verb)
    }

    /// `we use tabs in this repository`: what the place uses.
    fn used_in(&self, subject: &Np) -> Option<Mention> {
        if self.frame.predicate != "uses" || !self.words.any(subject.head, " we i ") {
            return None;
        }
        let place = self.follows.parts.iter().find_map(|part| match part {
            Part::Linked(link, phrases) if self.words.any(*link, " in for within on ") => phrases.first(),
            _ => None,
        })?;
        let definite = matches!(place.det, Det::The | Det::Pointing) || place.owner == Owner::Group;
        mention::entity(self.words, place, self.voices, false).filter(|_| definite)
    }

    /// `moved from Lyon`: what ended with the move.
    pub(super) fn left(&self, moved: &Said) -> Option<Said> {
        let from = self.follows.parts.iter().find_map(|part| match part {
            Part::Linked(link, phrases) if self.words.lower(*link) == "from" => phrases.first(),
            _ => None,
        })?;
        let place = self.objects.one(from, 0)?;
        let mut said = Said::new(moved.subject.clone(), &moved.predicate, place, 0.85)
            .denied(moved.polarity == Polarity::Positive);
        said.valid_from = moved.valid_from;
        let housed = matches!(moved.predicate.as_str(), "lives_in" | "located_in");
        (housed && moved.polarity == Polarity::Positive).then_some(said)
    }

    /// Frames whose object is a date, an hour or a rhythm.
    fn dated(&self, who: Mention) -> Option<Said> {
        let times: Vec<&Time> = self.times().collect();
        let first = times.first()?;
        if self.follows.parts.iter().any(|part| matches!(part, Part::Object(_))) {
            return None;
        }
        // `moved to Dock Street in 2024` tells when it did.
        let told = self.frame.verbs == "move" && !self.words.any(first.start, " to from ");
        if told {
            return None;
        }
        let mut predicate = self.frame.predicate;
        let (text, kind) = match first.relation {
            // `moved from Monday to Wednesday`
            Relation::Schedule | Relation::Between
                if self.words.any(first.start, " from ")
                    && !first.second.is_empty()
                    && matches!(
                        self.verb.lemma,
                        "move" | "shift" | "reschedule" | "change" | "push" | "postpone" | "delay" | "bring"
                    ) =>
            {
                let date = first.relation == Relation::Between && first.then.is_some();
                (first.second_text(self.words), if date { ValueKind::Date } else { ValueKind::Text })
            }
            Relation::Within if predicate == "expires_on" => {
                predicate = "expires_in";
                (self.words.slice(first.value.clone()), ValueKind::Text)
            }
            // `valid for 24 hours`
            Relation::For if self.frame.verbs == "valid" => {
                predicate = "expires_in";
                (self.words.slice(first.value.clone()), ValueKind::Text)
            }
            Relation::Schedule if self.frame.object != Object::Date && self.frame.verbs != "run last" => {
                let last = times.last().map_or(first.end, |last| last.end);
                (self.words.slice(first.value.start..last), ValueKind::Text)
            }
            _ if self.frame.object == Object::Rhythm => return None,
            // `postponed until 12 May`, `valid until 12 May`
            Relation::At | Relation::Since | Relation::Until if self.placed_by(first) => {
                let clock = times.get(1).filter(|time| time.relation == Relation::Schedule);
                let text = first.text(self.words);
                match clock {
                    Some(clock) if self.frame.object == Object::Schedule => {
                        (format!("{text} at {}", self.words.slice(clock.value.clone())), ValueKind::Text)
                    }
                    _ => (text, ValueKind::Date),
                }
            }
            _ => return None,
        };
        let said = Said::new(who, predicate, CandidateObject::Value { text, kind }, 0.9);
        Some(said.denied(self.verb.negated || self.verb.ended))
    }

    /// Whether a time says when, as the frame wants it.
    fn placed_by(&self, time: &Time) -> bool {
        let until = time.relation == Relation::Until;
        let fits = match self.frame.verbs {
            "valid" | "run last" => until,
            _ => !until || self.frame.predicate == "scheduled_at",
        };
        fits && (time.when.is_some() || !time.relative)
    }

    fn times(&self) -> impl Iterator<Item = &Time> {
        self.follows.parts.iter().filter_map(|part| match part {
            Part::Time(time) => Some(time),
            _ => None,
        })
    }

    fn finish(&self, who: Mention, object: CandidateObject) -> Said {
        let (who, object) = match object {
            CandidateObject::Entity(mention) if self.has(SWAP) => (mention, CandidateObject::Entity(who)),
            object => (who, object),
        };
        // One joins a club as a member, and a company as its CFO, or just to work there.
        let firm = who.entity_type != EntityType::Organization
            && matches!(&object, CandidateObject::Entity(firm) if self.verb.lemma == "join" && names::is_employer(&firm.name));
        let hired = self.frame.predicate == "member_of" && (firm || self.objects.any_linked(" as "));
        // One leaves a party as a member.
        let club = self.frame.predicate == "works_at"
            && self.has(DENY)
            && matches!(&object, CandidateObject::Entity(club) if is_club(&club.name));
        let predicate = match self.frame.predicate {
            _ if hired => "works_at",
            _ if club => "member_of",
            plain => plain,
        };
        let mut said = Said::new(who, predicate, object, 0.85);
        let ended = self.verb.ended || self.formerly() || (self.verb.negated != self.has(DENY));
        said = said.denied(ended);
        let within = self.frame.predicate == "prefers";
        // A wedding in Sintra is in Sintra whenever it is.
        let placed = self.frame.predicate == "located_in" && matches!(self.verb.lemma, "occur" | "hold");
        // `won it on Friday` was once.
        let within = within || self.frame.predicate == "won";
        for time in self.times().filter(|_| !placed).filter(|time| !within || time.relation != Relation::Schedule) {
            let begun = VerbGroup { begun: self.verb.begun || self.has(BEGIN), ..self.verb.clone() };
            place_in_time(self.words, &mut said, time, self.has(STATE | BEGIN), &begun);
        }
        for part in &self.follows.parts {
            if let (Part::Object(phrases), "prefers") = (part, self.frame.predicate) {
                // `email to phone calls`: the second half may look like a verb.
                let to = phrases.last().map_or(0, |np| np.end);
                let other =
                    (self.words.lower(to) == "to").then(|| self.words.noun_phrase(to + 1, Place::Object)).flatten();
                if let Some(other) = other.filter(|np| !np.pronoun) {
                    said.qualifiers.insert("over".into(), owned_words(self.words, &other));
                }
            }
            let Part::Linked(link, phrases) = part else { continue };
            let Some(np) = phrases.first().filter(|np| !np.pronoun) else { continue };
            let text = owned_words(self.words, np);
            match (self.frame.predicate, self.words.lower(*link)) {
                ("works_at" | "member_of" | "replaced", "as") => drop(said.qualifiers.insert("role".into(), text)),
                ("prefers", "over" | "to") => drop(said.qualifiers.insert("over".into(), text)),
                _ => {}
            }
        }
        said
    }
}
