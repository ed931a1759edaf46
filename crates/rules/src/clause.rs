//! Clauses: a subject, a verb, what follows, and the frames that fit.

mod fitting;

use crate::complement::{Complement, Part, complement};
use crate::data::frames::{self, EVENT, FUTURE, Frame, LONE, NOW, Object, STATE};
use crate::data::{names, nouns};
use crate::dates::{Grain, When};
use crate::mention::{self, Voices};
use crate::noun::{Det, Np, Owner, Words};
use crate::object::Objects;
use crate::time::{Relation, Time};
use crate::verb::{Tense, VerbGroup, Voice};
use fitting::Fitting;
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
    /// The day by which it was written.
    pub over_by: Option<jiff::civil::Date>,
}

/// What the frames make of a subject, its verb and what follows.
pub(crate) fn by_frames(clause: &Clause<'_, '_>) -> (Vec<Said>, usize) {
    let Clause { words, subjects, verb, leading, voices, today, over_by } = *clause;
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
            more.iter_mut().for_each(|said| over_by_now(said, today, over_by));
        }
        if !over && today.is_none() && was_once(frame, verb) {
            more.retain(|said| is_told_when(said, verb));
        }
        if verb.tense == Tense::Past && today.is_none() {
            more.retain(|said| !ends_on_no_day(said));
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

/// What was so `for ten years` is over by the day on which it is told, or by which it was written.
fn over_by_now(said: &mut Said, today: Option<jiff::civil::Date>, over_by: Option<jiff::civil::Date>) {
    let open = said.polarity == Polarity::Positive && said.valid_to.is_none();
    let counted = ["at", "for"].iter().any(|key| said.qualifiers.contains_key(*key));
    if open && !said.qualifiers.contains_key("since") {
        said.valid_to =
            today.or(over_by.filter(|_| counted)).and_then(|date| When { date, grain: Grain::Day }.begins());
    }
}

/// Whether something ended on a day that nobody knows: "worked there until June" in a text of no known day. It would be told
/// as what is so now. What is so until June is so, whenever that June is.
pub(crate) fn ends_on_no_day(said: &Said) -> bool {
    said.qualifiers.contains_key("until") && said.valid_to.is_none()
}

/// Whether a verb tells what was so, and neither that it is over nor that it began.
fn was_once(frame: &Frame, verb: &VerbGroup) -> bool {
    let lasts = frame.flags & STATE != 0 && !verb.begun;
    let is = frame.voice == Voice::Copula && frame.object != Object::Occasion;
    verb.tense == Tense::Past && !verb.ended && (lasts || is)
}

/// Whether what was so has a time: `last year` of a day that nobody knows is none, and it would be told as what is so now.
fn is_told_when(said: &Said, verb: &VerbGroup) -> bool {
    let timed = ["at", "for", "since", "until"].iter().any(|key| said.qualifiers.contains_key(*key));
    let over = said.polarity == Polarity::Negative && !verb.negated;
    timed || over || said.valid_from.is_some() || said.valid_to.is_some()
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
    // `volunteered at a shelter last week`: once, and nothing that lasted.
    let once = frame.predicate == "volunteers_at"
        && follows
            .parts
            .iter()
            .any(|part| matches!(part, Part::Time(time) if time.relation == Relation::At && time.relative));
    match verb.tense {
        Tense::Future => has(FUTURE),
        Tense::Present if has(EVENT) => false,
        Tense::Present => true,
        Tense::Past if has(NOW) => false,
        // `was allergic to milk as a child`
        Tense::Past if frame.voice == Voice::Copula && frame.object != Object::Occasion => verb.ended || timed(),
        Tense::Past if has(STATE) && once => verb.ended || verb.begun,
        Tense::Past if has(STATE) => verb.ended || verb.begun || timed(),
        Tense::Past | Tense::Perfect => !has(EVENT) || !verb.progressive && !verb.negated,
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
            said.valid_to = time.then.and_then(|then| crate::dates::until(begins, then));
        }
        Relation::For => put("for", words.slice(time.value.clone())),
        Relation::Schedule if said.predicate != "visited" => put("when", words.slice(time.value.clone())),
        Relation::Within | Relation::Schedule | Relation::Other => {}
    }
}
