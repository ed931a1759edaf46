//! Clauses: a subject, a verb, what follows, and the frames that fit.

use crate::complement::{Complement, Part, complement};
use crate::data::frames::{self, BARE, BEGIN, DENY, EVENT, FUTURE, Frame, LONE, NOW, Object, STATE, SWAP, WE, Who};
use crate::data::{names, nouns};
use crate::dates::{Grain, When};
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::object::Objects;
use crate::time::{Relation, Time};
use crate::verb::{Tense, VerbGroup, Voice};
use std::collections::BTreeMap;
use um_model::EpochMs;
use um_model::belief::{CandidateObject, EntityType, Mention, Polarity, ValueKind};
use um_model::predicates;

/// A claim before it has its place in the text.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// Of whom or what.
    pub subject: Mention,
    /// A predicate's name; an inverse one swaps subject and object.
    pub predicate: String,
    /// The object.
    pub object: CandidateObject,
    /// Circumstances.
    pub qualifiers: BTreeMap<String, String>,
    /// Affirmed or denied.
    pub polarity: Polarity,
    /// How sure.
    pub confidence: f64,
    /// Since when.
    pub valid_from: Option<EpochMs>,
    /// Until when.
    pub valid_to: Option<EpochMs>,
}

impl Said {
    /// A claim without circumstances.
    pub(crate) fn new(subject: Mention, predicate: &str, object: CandidateObject, confidence: f64) -> Self {
        Self {
            subject,
            predicate: predicate.to_owned(),
            object,
            qualifiers: BTreeMap::new(),
            polarity: Polarity::Positive,
            confidence,
            valid_from: None,
            valid_to: None,
        }
    }

    /// The same, denied.
    pub(crate) fn denied(mut self, denied: bool) -> Self {
        if denied {
            self.polarity = if self.polarity == Polarity::Positive { Polarity::Negative } else { Polarity::Positive };
        }
        self
    }
}

/// A clause whose subjects and verb are known, as all who read predicates are given it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clause<'a, 't> {
    /// The sentence.
    pub words: &'a Words<'t>,
    /// Who or what is spoken of.
    pub subjects: &'a [Np],
    /// What is said of them.
    pub verb: &'a VerbGroup,
    /// The time that stands before the subject.
    pub leading: Option<&'a Time>,
    /// Who speaks, and whom pronouns mean.
    pub voices: &'a Voices<'t>,
    /// When it was said.
    pub today: Option<jiff::civil::Date>,
}

/// What the frames make of a subject, its verb and what follows.
pub(crate) fn by_frames(clause: &Clause<'_, '_>) -> (Vec<Said>, usize) {
    let Clause { words, subjects, verb, leading, voices, today } = *clause;
    // `cannot stand` dislikes.
    let averse = VerbGroup { lemma: "dislike", negated: false, ..verb.clone() };
    let verb = if verb.can && verb.negated && matches!(verb.lemma, "stand" | "bear") { &averse } else { verb };
    let (key, from) = match verb.voice {
        Voice::Copula => (words.lower(verb.end), verb.end + 1),
        _ => (verb.lemma, verb.end),
    };
    let mut follows = complement(words, from, today);
    follows.parts.extend(leading.cloned().map(Part::Time));
    let mut said = Vec::new();
    // `can eat`, `can speak` say what is so; `can work at` does not.
    let may =
        verb.can && !matches!(verb.lemma, "speak" | "eat" | "drink" | "play" | "dislike" | "sing" | "use" | "run");
    if verb.unsure || !follows.clean || may && !verb.negated {
        return (said, follows.end);
    }
    // Each part of what follows is the object of one frame: `studied physics at Leiden` says two things.
    let mut taken = Vec::new();
    for frame in frames::frames_of(key, verb.voice) {
        let objects = Objects { words, frame, verb, follows: &follows, voices };
        let part = objects.phrases().map(|(at, _)| at);
        let over = frame.flags & STATE != 0 && formerly(words, verb);
        if !over && !tense_fits(frame, verb, &follows)
            || taken.contains(&part)
            || frame.flags & LONE != 0 && !said.is_empty()
        {
            continue;
        }
        let fitting = Fitting { words, frame, verb, follows: &follows, voices, objects };
        let mut more: Vec<Said> = subjects.iter().flat_map(|subject| fitting.said(subject)).collect();
        if more.is_empty() {
            continue;
        }
        if verb.tense == Tense::Past && !verb.begun && frame.flags & STATE != 0 {
            more.iter_mut().for_each(|said| over_by_now(said, today));
        }
        if verb.lemma == "bear" {
            more.iter_mut().for_each(|said| birth(said, &follows));
        }
        if matches!(verb.lemma, "move" | "relocate") {
            let left: Vec<Said> = more.iter().filter_map(|said| fitting.left(said)).collect();
            more.extend(left);
        }
        said.append(&mut more);
        taken.push(part);
    }
    (said, follows.end)
}

/// What was so `for ten years` is over by the day on which it is told.
fn over_by_now(said: &mut Said, today: Option<jiff::civil::Date>) {
    let open = said.polarity == Polarity::Positive && said.valid_to.is_none();
    if open && !said.qualifiers.contains_key("since") {
        said.valid_to = today.and_then(|date| When { date, grain: Grain::Day }.begins());
    }
}

/// A birth has one date: a whole day is the birthday, a year stands beside the place.
fn birth(said: &mut Said, follows: &Complement) {
    let day = follows.parts.iter().any(|part| {
        matches!(part, Part::Time(time) if time.when.is_some_and(|when| matches!(when.grain, Grain::Day | Grain::Anniversary)))
    });
    if said.predicate == "born_in" && day {
        said.qualifiers.remove("at");
    }
}

/// `previously`, `formerly`, `once`, `before that` before a verb in the past.
fn formerly(words: &Words<'_>, verb: &VerbGroup) -> bool {
    let led = (verb.main.saturating_sub(6)..verb.main)
        .any(|at| words.any(at, " before prior ") && words.any(at + 1, " that to ") && !words.stop(at + 1));
    verb.tense == Tense::Past
        && !verb.negated
        && verb.main > 0
        && (words.any(verb.main - 1, " previously formerly once ") || led)
}

/// Whether the verb's tense can carry the frame. What was so once, without a word of when, is not said to be so.
fn tense_fits(frame: &Frame, verb: &VerbGroup, follows: &Complement) -> bool {
    let has = |flag: u16| frame.flags & flag != 0;
    let timed = || follows.parts.iter().any(|part| matches!(part, Part::Time(_)));
    match verb.tense {
        Tense::Future => has(FUTURE),
        Tense::Present if has(EVENT) => false,
        Tense::Present => true,
        Tense::Past if has(NOW) => false,
        // `was allergic to milk as a child`
        Tense::Past if frame.voice == Voice::Copula && frame.object != Object::Occasion => verb.ended || timed(),
        Tense::Past if has(STATE) => verb.ended || verb.begun || timed(),
        Tense::Past | Tense::Perfect => !has(EVENT) || !verb.progressive && !verb.negated,
    }
}

struct Fitting<'a, 't> {
    words: &'a Words<'t>,
    frame: &'static Frame,
    verb: &'a VerbGroup,
    follows: &'a Complement,
    voices: &'a Voices<'t>,
    objects: Objects<'a, 't>,
}

impl Fitting<'_, '_> {
    fn has(&self, flag: u16) -> bool {
        self.frame.flags & flag != 0
    }

    fn said(&self, subject: &Np) -> Vec<Said> {
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
    fn left(&self, moved: &Said) -> Option<Said> {
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
        // One joins a club as a member, and a company as its CFO.
        let hired = self.frame.predicate == "member_of" && self.objects.any_linked(" as ");
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
        let doing = |part: &Part| matches!(part, Part::Object(phrases) if phrases.iter().any(|np| np.gerund));
        let within = self.frame.predicate == "prefers" && self.follows.parts.iter().any(doing);
        // A wedding in Sintra is in Sintra whenever it is.
        let placed = self.frame.predicate == "located_in" && matches!(self.verb.lemma, "occur" | "hold");
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

/// `Green Party`, `Lund Choir`
fn is_club(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or(name).to_lowercase();
    nouns::is_club(&last)
}

/// `AWS`, but not `NYC`.
pub(crate) fn is_acronym(words: &Words<'_>, np: &Np) -> bool {
    let name = words.lower(np.head);
    words.tokens[np.head].shape == crate::token::Shape::Upper
        && np.name.len() == 1
        && name.len() > 2
        && !names::is_place(name)
        && !words.any(np.head, " nyc usa uae sfo lax ")
}

/// The words of a phrase, with whose it is where that is named: `cow's milk`.
fn owned_words(words: &Words<'_>, np: &Np) -> String {
    let start = if matches!(np.owner, Owner::Named(_)) { np.start } else { np.name.start };
    words.slice(start..np.name.end)
}

/// The object that a noun phrase gives to a predicate: an entity for a relation, else its words.
pub(crate) fn object_of(words: &Words<'_>, np: &Np, predicate: &str, voices: &Voices<'_>) -> Option<CandidateObject> {
    let relation = predicates::lookup(predicate).is_some_and(|found| found.predicate.value.is_none());
    let kind = predicates::lookup(predicate).and_then(|found| found.predicate.value).unwrap_or(ValueKind::Text);
    if !relation {
        let text = words.slice(np.name.clone());
        return (!np.pronoun && np.owner == Owner::None).then_some(CandidateObject::Value { text, kind });
    }
    let mut free = np.clone();
    if free.owner == Owner::None && free.det != Det::Pointing {
        free.det = Det::None;
    }
    let mut mention = mention::entity(words, &free, voices, true)?;
    mention.entity_type = match predicate {
        "works_at" | "member_of" | "studied_at" | "graduated_from" => EntityType::Organization,
        "lives_in" | "located_in" | "comes_from" | "born_in" => EntityType::Location,
        _ => mention.entity_type,
    };
    Some(CandidateObject::Entity(mention))
}

/// Puts an adjunct of time into a claim's circumstances and validity.
pub(crate) fn place_in_time(words: &Words<'_>, said: &mut Said, time: &Time, state: bool, verb: &VerbGroup) {
    let begins = time.when.and_then(crate::dates::When::begins);
    let ends = time.when.and_then(crate::dates::When::ends);
    let mut put = |key: &str, text: String| drop(said.qualifiers.insert(key.to_owned(), text));
    match time.relation {
        Relation::At if time.relative && time.when.is_none() => {}
        Relation::At if verb.begun && state => {
            put("since", time.text(words));
            said.valid_from = begins;
        }
        Relation::At => {
            put("at", time.text(words));
            said.valid_from = begins;
            said.valid_to = if state { ends } else { None };
        }
        Relation::Since if time.relative && time.when.is_none() => {}
        Relation::Since => {
            put("since", time.text(words));
            said.valid_from = begins;
        }
        Relation::Until => {
            put("until", time.text(words));
            said.valid_to = begins;
        }
        Relation::Between => {
            put("since", time.text(words));
            put("until", time.second_text(words));
            said.valid_from = begins;
            said.valid_to = time.then.and_then(crate::dates::When::ends);
        }
        Relation::For => put("for", words.slice(time.value.clone())),
        Relation::Schedule if said.predicate != "visited" => put("when", words.slice(time.value.clone())),
        Relation::Within | Relation::Schedule | Relation::Other => {}
    }
}
