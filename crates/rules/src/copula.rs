//! `X is Y`: names, kin, roles, ages, values, times and places.

mod behind;

use crate::clause::{Said, object_of};
use crate::data::frames::Who;
use crate::data::nouns;
use crate::data::words::{ADVERB, CONJUNCTION, PREPOSITION, RELATIVE, SUBORDINATOR, contains_word};
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::time::{Relation, time_at};
use crate::token::Shape;
use crate::verb::{Tense, VerbGroup, Voice};
use jiff::civil::Date;
use um_model::belief::{CandidateObject, EntityType, Mention, ValueKind};
use um_model::predicates;

/// What is needed to read a copula.
pub(crate) struct Copula<'a, 't> {
    /// The sentence.
    pub words: &'a Words<'t>,
    /// Who speaks.
    pub voices: &'a Voices<'t>,
    /// When.
    pub today: Option<Date>,
}

/// A value, as an object.
pub(crate) fn value(text: String, kind: ValueKind) -> CandidateObject {
    CandidateObject::Value { text, kind }
}

impl Copula<'_, '_> {
    /// The claims of `subject is ...`, where `at` is the first token behind the verb, and where they end.
    pub(crate) fn said(&self, subjects: &[Np], verb: &VerbGroup, at: usize) -> (Vec<Said>, usize) {
        if verb.unsure || verb.tense == Tense::Future && time_at(self.words, at, self.today).is_none() {
            return (Vec::new(), at);
        }
        let denied = verb.negated || verb.ended;
        if let ([subject], true) = (subjects, verb.voice == Voice::Passive) {
            return self.called(subject, at, denied);
        }
        if let Some(found) = self.each_other(subjects, at) {
            return found;
        }
        let mut said = Vec::new();
        let mut end = at;
        for subject in subjects {
            if let Some((liked, next)) = self.favourite(subject, at) {
                said.push(liked);
                end = next;
                continue;
            }
            if let Some((office, next)) = self.office(subject, at).filter(|_| !denied && verb.tense != Tense::Past) {
                said.push(office);
                end = next;
                continue;
            }
            let (mut more, next) = self.attribute(subject, at, denied, verb.tense == Tense::Past);
            if more.is_empty() {
                let past = matches!(verb.tense, Tense::Past | Tense::Perfect);
                (more, end) = self.of_entity(subject, at, past);
            } else {
                end = next;
            }
            said.append(&mut more);
        }
        let mut said: Vec<Said> = said.into_iter().map(|said| said.denied(denied)).collect();
        // `isn't a lawyer but a doctor`
        let other = end + usize::from(self.words.lower(end) == ",");
        if let ([subject], true) = (subjects, verb.negated && !said.is_empty() && self.words.lower(other) == "but")
            && (self.words.is(other + 1, PREPOSITION)
                || self
                    .words
                    .noun_phrase(other + 1, Place::Object)
                    .is_some_and(|np| !np.pronoun && self.words.stop(np.end)))
        {
            let (mut more, next) = self.of_entity(subject, other + 1, false);
            end = if more.is_empty() { end } else { next };
            said.append(&mut more);
        }
        let end = self.lasting(&mut said, verb, end);
        (said, end)
    }

    /// Puts since when and until when it is so behind it: `has been vegan since 2018`, `was a nurse in 2015`.
    fn lasting(&self, said: &mut [Said], verb: &VerbGroup, end: usize) -> usize {
        let mut end = end;
        while let Some(time) = time_at(self.words, end, self.today) {
            let passes = !said.is_empty() && said.iter().all(passes);
            let fits = matches!(time.relation, Relation::Since | Relation::Until | Relation::Between | Relation::For)
                || time.relation == Relation::At && verb.tense == Tense::Past && passes;
            if said.is_empty() || !fits {
                break;
            }
            said.iter_mut().for_each(|said| crate::clause::place_in_time(self.words, said, &time, true, verb));
            end = time.end;
        }
        end
    }

    /// `is deprecated`, `was cancelled`: a state that reads as a passive; `got married`: of two with each other.
    pub(crate) fn state(&self, subjects: &[Np], verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        if verb.unsure || verb.tense == Tense::Future {
            return None;
        }
        if let ([first, second], Some(predicate)) = (subjects, together(verb.lemma)) {
            let who = if predicate == "merged_with" { Who::Any } else { Who::Being };
            let person = |np: &Np| mention::subject(self.words, np, self.voices, Wanted::one(who));
            let mut said = Said::new(person(first)?, predicate, CandidateObject::Entity(person(second)?), 0.9)
                .denied(verb.negated);
            // `got married in Rome in 2012`
            let place = self.words.noun_phrase(verb.end + 1, Place::Object).filter(|np| {
                self.words.any(verb.end, " in at ")
                    && time_at(self.words, verb.end, self.today).is_none()
                    && !np.pronoun
            });
            let mut end = place.map_or(verb.end, |place| place.end);
            while let Some(time) = time_at(self.words, end, self.today) {
                let begun = VerbGroup { begun: !matches!(predicate, "divorced_from" | "merged_with"), ..verb.clone() };
                crate::clause::place_in_time(self.words, &mut said, &time, begun.begun, &begun);
                end = time.end;
            }
            return Some((vec![said], end));
        }
        let [subject] = subjects else { return None };
        let who = mention::subject(self.words, subject, self.voices, Wanted::one(Who::Any))?;
        if matches!(verb.lemma, "appoint" | "elect" | "name" | "promote" | "hire") && !verb.negated {
            return self.appointed(&who, verb);
        }
        let (predicate, end) = self.adjective(verb.main, true, &who)?;
        // `was married to Tom`: nobody says that it is still so.
        if predicate == "marital_status" && verb.tense == Tense::Past {
            return None;
        }
        let object = value(self.words.slice(verb.main..end), ValueKind::Text);
        let mut said = vec![Said::new(who, predicate, object, 0.8).denied(verb.negated || verb.ended)];
        let end = if verb.tense == Tense::Perfect { self.lasting(&mut said, verb, end) } else { end };
        Some((said, end))
    }

    pub(crate) fn entity(&self, np: &Np) -> Option<Mention> {
        mention::entity(self.words, np, self.voices, false)
    }

    /// `our network is called Blue Fern`
    fn called(&self, subject: &Np, at: usize, denied: bool) -> (Vec<Said>, usize) {
        let head = self.words.lower(subject.head);
        let kin = (nouns::kin_noun(head).is_some() || nouns::are_kin(head)) && subject.owner != Owner::None;
        if kin && !denied {
            return self.attribute(subject, at, denied, false);
        }
        match mention::subject(self.words, subject, self.voices, Wanted::one(Who::Any)) {
            // `The game was called …`: in talk, whichever it was.
            Some(who) if !(denied || self.voices.talk && subject.det == Det::The) => {
                self.values(who, "name", ValueKind::Text, at)
            }
            _ => (Vec::new(), at),
        }
    }

    /// `Ana and Bo are cousins`
    fn each_other(&self, subjects: &[Np], at: usize) -> Option<(Vec<Said>, usize)> {
        let [first, second] = subjects else { return None };
        let skip = at + usize::from(self.words.any(at, " best close good old "));
        let plural = self.words.lower(skip);
        let noun = plural.strip_suffix('s')?;
        let kin = nouns::kin_noun(noun)?;
        let symmetric =
            predicates::lookup(kin.predicate).is_some_and(|found| found.predicate.inverse == Some(kin.predicate));
        let person = |np: &Np| mention::subject(self.words, np, self.voices, Wanted::one(Who::Being));
        let (first, second) = (person(first)?, person(second)?);
        symmetric.then(|| (vec![Said::new(first, kin.predicate, CandidateObject::Entity(second), 0.9)], skip + 1))
    }

    /// Whether a complement can end here.
    pub(crate) fn ends(&self, at: usize) -> bool {
        self.words.stop(at)
            || self.words.is(at, CONJUNCTION | SUBORDINATOR | RELATIVE | PREPOSITION | ADVERB)
            || time_at(self.words, at, self.today).is_some()
    }

    /// What is said of the subject itself.
    fn of_entity(&self, subject: &Np, at: usize, past: bool) -> (Vec<Said>, usize) {
        let words = self.words;
        let nothing = (Vec::new(), at);
        let Some(who) = mention::subject(words, subject, self.voices, Wanted::one(Who::Any)) else {
            return self.scheduled_bare(subject, at);
        };
        let person = who.entity_type == EntityType::Person;
        // `I've been to Paris`
        if past && words.lower(at) == "to" && person {
            let place = words
                .noun_phrase(at + 1, Place::Object)
                .filter(|np| mention::is_proper(words, np) && self.ends(np.end));
            let Some(place) = place else { return nothing };
            let Some(object) = object_of(words, &place, "visited", self.voices) else { return nothing };
            let mut said = Said::new(who, "visited", object, 0.85);
            let Some(time) = time_at(words, place.end, self.today) else { return (vec![said], place.end) };
            let text = time.text(words);
            if time.relation == Relation::At && time.when.is_some() {
                said.valid_from = time.when.and_then(crate::dates::When::begins);
                said.qualifiers.insert("at".into(), text);
            }
            return (vec![said], time.end);
        }
        let one = |predicate: &str, object: CandidateObject, end: usize, sure: f64| {
            (vec![Said::new(who.clone(), predicate, object, sure)], end)
        };
        let opinion =
            words.any(subject.head, " guess bet hope choice vote pick preference answer suggestion proposal ");
        if !person
            && !opinion
            && let Some((object, end)) = self.schedule(at, past)
        {
            return one("scheduled_at", object, end, 0.85);
        }
        let definite = person || mention::is_proper(words, subject) || subject.owner != Owner::None;
        // `the budget is 40,000 euros`: of what, nobody knows.
        let sum = subject.owner == Owner::None
            && subject.name.len() == 1
            && words.any(subject.head, " total sum subtotal budget amount balance price cost fee bill rate ");
        if let Some((predicate, object, end)) = self.measured(at, definite).filter(|_| !past && !sum) {
            return one(predicate, object, end, 0.9);
        }
        if !person && words.any(at, " at on ") && is_ip_address(words.lower(at + 1)) {
            return one("ip_address", value(words.slice(at + 1..at + 2), ValueKind::Text), at + 2, 0.9);
        }
        // `is at version 4.1`, `is on 2.0`
        let number = at + 1 + usize::from(words.lower(at + 1) == "version");
        let version = words.tokens.get(number).is_some_and(|token| token.shape == Shape::Number);
        if !person && words.any(at, " at on ") && number > at + 1 && version && self.ends(number + 1) {
            return one("version", value(words.slice(number..number + 1), ValueKind::Text), number + 1, 0.85);
        }
        // `is version 3.2`
        let numbered = words.tokens.get(at + 1).is_some_and(|token| token.shape == Shape::Number);
        if !person && words.lower(at) == "version" && numbered && self.ends(at + 2) {
            return one("version", value(words.slice(at + 1..at + 2), ValueKind::Text), at + 2, 0.85);
        }
        let link =
            words.tokens.get(at + 1).is_some_and(|token| token.shape == Shape::Link && !token.lower.contains('@'));
        if !person && words.any(at, " at on ") && link {
            return one("url", value(words.slice(at + 1..at + 2), ValueKind::Text), at + 2, 0.9);
        }
        // `is at 5 Main Street, Springfield`
        if !person
            && words.any(at, " at on ")
            && let Some((address, end)) = self.house(at + 1)
        {
            return one("located_in", address, end, 0.85);
        }
        if words.is(at, PREPOSITION) {
            // A bare name may be anybody's; `the Louvre` is no person.
            let anybody =
                mention::is_proper(words, subject) && subject.det == Det::None && who.entity_type == EntityType::Thing;
            return self.linked(&who, person || anybody, at).unwrap_or(nothing);
        }
        if let Some((predicate, end)) =
            self.adjective(at, person || mention::is_proper(words, subject) || subject.owner != Owner::None, &who)
        {
            return one(predicate, value(words.slice(at..end), ValueKind::Text), end, 0.85);
        }
        if let Some((owner, end)) = self
            .owner_behind(at)
            .filter(|_| !person && subject.owner == Owner::None && nouns::is_belonging(words.lower(subject.head)))
        {
            return (vec![Said::new(owner, "owns", CandidateObject::Entity(who), 0.85)], end);
        }
        let Some(np) = words.noun_phrase(at, Place::Object).filter(|np| !np.pronoun) else { return nothing };
        if let Some(found) = self.two_offices(&who, &np) {
            return found;
        }
        self.identity(&who, &np).unwrap_or((Vec::new(), np.end))
    }

    /// Whose it is: `mine`, `Kim's`.
    fn owner_behind(&self, at: usize) -> Option<(Mention, usize)> {
        let words = self.words;
        if self.voices.talk {
            return None;
        }
        if words.any(at, " mine ours ") && words.stop(at + 1) {
            return Some((self.voices.mention(), at + 1));
        }
        let np =
            words.noun_phrase(at, Place::Object).filter(|np| np.det == Det::None && mention::is_proper(words, np))?;
        let bare =
            Np { name: np.name.start..np.name.end - 1, end: np.end - 1, head: np.head.checked_sub(1)?, ..np.clone() };
        let owns = words.lower(np.name.end - 1) == "'s" && words.stop(np.end) && np.name.len() > 1;
        let owner = owns.then(|| self.entity(&bare)).flatten()?;
        (owner.entity_type == EntityType::Person).then_some((owner, np.end))
    }

    /// `is the founder and CEO of Orbis`: what is said of the second office's firm holds of the first one's, too.
    fn two_offices(&self, who: &Mention, first: &Np) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let noun = words.slice(first.name.clone()).to_lowercase();
        let alone = first.owner == Owner::None && words.lower(first.end) == "and";
        let second = alone.then(|| words.noun_phrase(first.end + 1, Place::Object)).flatten()?;
        let of = second.name.clone().find(|at| words.lower(*at) == "of")?;
        let firm = words.noun_phrase(of + 1, Place::Object).filter(|np| mention::is_proper(words, np))?;
        let title = words.slice(second.name.start..of).to_lowercase();
        if !nouns::is_role(&noun) || !nouns::is_role(&title) || words.finite(second.end) {
            return None;
        }
        let said = self.related(who, first, &noun, &self.entity(&firm)?)?;
        let (mut more, end) = self.identity(who, &second)?;
        more.insert(0, said);
        Some((more, end))
    }

    /// `Rent is due ...` is a frame; `Standup is at 9:30` names an event without article.
    fn scheduled_bare(&self, subject: &Np, at: usize) -> (Vec<Said>, usize) {
        let nothing = (Vec::new(), at);
        // `Yoga is on Tuesdays`: what comes back is no person.
        let again = (at..at + 3).any(|at| self.words.any(at, " every each ") || self.words.lower(at).ends_with("days"));
        let event = nouns::is_event(self.words.lower(subject.head))
            || self.words.any(subject.head, " standup stand-up sync retro planning demo check-in check-out ")
            || again
                && !self.voices.talk
                && subject.owner == Owner::None
                && subject.det == Det::None
                && !subject.pronoun;
        let Some(who) = event.then(|| mention::entity(self.words, subject, self.voices, true)).flatten() else {
            return nothing;
        };
        match self.schedule(at, false) {
            Some((object, end)) => (vec![Said::new(who, "scheduled_at", object, 0.8)], end),
            None => nothing,
        }
    }
}

/// What somebody is for a time: `was a nurse` does not say that they still are.
const PASSING: &str = " works_at job_title reports_to member_of manages lives_in located_in owns owned_by uses maintained_by diet \
    marital_status status age employer assigned_to roommate_of neighbor_of partner_of colleague_of assistant_of doctor_of mentors \
    landlord tenant is_a ";

/// Whether a claim is of what may be over.
pub(crate) fn passes(said: &Said) -> bool {
    let name = predicates::canonical(&said.predicate).0;
    contains_word(PASSING, &said.predicate) || contains_word(PASSING, &name)
}

/// Of what somebody was, what says when, or lasts.
pub(crate) fn known_to_last(said: Vec<Said>) -> Vec<Said> {
    let timed = |said: &Said| ["since", "until", "at"].iter().any(|key| said.qualifiers.contains_key(*key));
    let over = |said: &Said| said.polarity == um_model::belief::Polarity::Negative;
    said.into_iter().filter(|said| !passes(said) || timed(said) || over(said)).collect()
}

/// What two are to each other of whom one verb is said: `Milan and Vera married`.
fn together(lemma: &str) -> Option<&'static str> {
    match lemma {
        "marry" => Some("married_to"),
        "engage" => Some("engaged_to"),
        "merge" => Some("merged_with"),
        "divorce" | "separate" => Some("divorced_from"),
        _ => None,
    }
}

/// `192.168.1.20`, `10.0.0.5:8080`
fn is_ip_address(word: &str) -> bool {
    let host = word.split(':').next().unwrap_or(word);
    host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
}
