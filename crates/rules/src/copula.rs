//! `X is Y`: names, kin, roles, ages, values, times and places.

use crate::clause::{Said, object_of};
use crate::complement::phrases;
use crate::data::attributes;
use crate::data::frames::Who;
use crate::data::words::{self, ADVERB, CONJUNCTION, PREPOSITION, RELATIVE, SUBORDINATOR, contains_word};
use crate::data::{names, nouns};
use crate::mention::{self, Voices};
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

fn value(text: String, kind: ValueKind) -> CandidateObject {
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
        let end = self.lasting(&mut said, verb, end);
        (said, end)
    }

    /// Puts since when and until when it is so behind it: `has been vegan since 2018`.
    fn lasting(&self, said: &mut [Said], verb: &VerbGroup, end: usize) -> usize {
        let mut end = end;
        while let Some(time) = time_at(self.words, end, self.today) {
            let fits = matches!(time.relation, Relation::Since | Relation::Until | Relation::Between | Relation::For);
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
            let person = |np: &Np| mention::subject(self.words, np, self.voices, Who::Being, false, false);
            let mut said = Said::new(person(first)?, predicate, CandidateObject::Entity(person(second)?), 0.9)
                .denied(verb.negated);
            let mut end = verb.end;
            while let Some(time) = time_at(self.words, end, self.today) {
                let begun = VerbGroup { begun: true, ..verb.clone() };
                crate::clause::place_in_time(self.words, &mut said, &time, true, &begun);
                end = time.end;
            }
            return Some((vec![said], end));
        }
        let [subject] = subjects else { return None };
        let who = mention::subject(self.words, subject, self.voices, Who::Any, false, false)?;
        if matches!(verb.lemma, "appoint" | "elect" | "name" | "promote" | "hire") && !verb.negated {
            return self.appointed(&who, verb);
        }
        let (predicate, end) = self.adjective(verb.main, true, &who)?;
        let object = value(self.words.slice(verb.main..end), ValueKind::Text);
        Some((vec![Said::new(who, predicate, object, 0.8).denied(verb.negated || verb.ended)], end))
    }

    /// `became CEO in 2022`
    pub(crate) fn became(&self, subjects: &[Np], verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        let [subject] = subjects else { return None };
        let past = matches!(verb.tense, Tense::Past | Tense::Perfect);
        let who = mention::subject(self.words, subject, self.voices, Who::Being, false, false)?;
        if verb.unsure || verb.negated || verb.ended || !past {
            return None;
        }
        self.appointed(&who, verb)
    }

    /// `was repaired by Dachbau Meier`: what was done, by whom, where no frame knows the verb.
    pub(crate) fn done_by(&self, subjects: &[Np], verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        let [subject] = subjects else { return None };
        let said_of = matches!(verb.tense, Tense::Past | Tense::Perfect | Tense::Present) && !verb.progressive;
        if self.voices.talk
            || !said_of
            || verb.unsure
            || verb.negated
            || verb.ended
            || self.words.lower(verb.end) != "by"
        {
            return None;
        }
        let thing = mention::subject(self.words, subject, self.voices, Who::System, false, false)?;
        let by = self.words.noun_phrase(verb.end + 1, Place::Object)?;
        let named = mention::is_proper(self.words, &by) && by.det != Det::Pointing && by.owner == Owner::None;
        let participle = self.words.lower(verb.main);
        let known = contains_word(
            " repaired fixed tested serviced inspected prepared updated renovated restored painted cleaned audited validated verified \
             checked illustrated photographed recorded edited compiled curated narrated hosted led taught coordinated supervised \
             implemented configured deployed refactored delivered catered decorated ordered paid planned proposed submitted requested \
             announced operated certified insured donated discovered migrated released presented moderated cooked baked ",
            participle,
        );
        if !known || !named || !self.ends(by.end) {
            return None;
        }
        let object = value(self.words.slice(by.name.clone()), ValueKind::Text);
        let mut said = vec![Said::new(thing, &format!("{participle}_by"), object, 0.8)];
        let mut end = by.end;
        while let Some(time) = time_at(self.words, end, self.today) {
            crate::clause::place_in_time(self.words, &mut said[0], &time, false, verb);
            end = time.end;
        }
        Some((said, end))
    }

    /// `was appointed CEO of Tern in 2023`, `was promoted to head of design`
    fn appointed(&self, who: &Mention, verb: &VerbGroup) -> Option<(Vec<Said>, usize)> {
        let at = verb.end + usize::from(self.words.any(verb.end, " as to "));
        let np = self.words.noun_phrase(at, Place::Object).filter(|np| nouns::is_role(self.head_before_of(np)))?;
        let (mut said, end) = self.identity(who, &np)?;
        if let Some(time) = time_at(self.words, end, self.today) {
            let begun = VerbGroup { begun: true, ..verb.clone() };
            said.iter_mut().for_each(|said| crate::clause::place_in_time(self.words, said, &time, true, &begun));
        }
        Some((said, end))
    }

    /// The noun before `of`: `head` in `head of design`.
    fn head_before_of(&self, np: &Np) -> &str {
        let of = np.name.clone().find(|at| self.words.lower(*at) == "of").unwrap_or(np.name.end);
        self.words.lower(of.saturating_sub(1))
    }

    fn entity(&self, np: &Np) -> Option<Mention> {
        mention::entity(self.words, np, self.voices, false)
    }

    /// `our network is called Blue Fern`
    fn called(&self, subject: &Np, at: usize, denied: bool) -> (Vec<Said>, usize) {
        let kin = nouns::kin_noun(self.words.lower(subject.head)).is_some() && subject.owner != Owner::None;
        if kin && !denied {
            return self.attribute(subject, at, denied, false);
        }
        match mention::subject(self.words, subject, self.voices, Who::Any, false, false) {
            Some(who) if !denied => self.values(who, "name", ValueKind::Text, at),
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
        let person = |np: &Np| mention::subject(self.words, np, self.voices, Who::Being, false, false);
        let (first, second) = (person(first)?, person(second)?);
        symmetric.then(|| (vec![Said::new(first, kin.predicate, CandidateObject::Entity(second), 0.9)], skip + 1))
    }

    /// `Ana's email is ...`, `the capital of France is ...`, `my brother is Leo`.
    fn attribute(&self, subject: &Np, at: usize, denied: bool, past: bool) -> (Vec<Said>, usize) {
        let none = (Vec::new(), at);
        let Some((noun, owner)) = self.parted(subject) else { return none };
        if let Some(kin) = nouns::kin_noun(&noun).filter(|_| !is_former(&noun)) {
            let (named, end) = self.name_at(at);
            return match named {
                Some(bearer) => (vec![kinship(bearer, &noun, kin, owner)], end),
                None => none,
            };
        }
        if nouns::is_role(&noun) && attributes::predicate(&noun).is_none() {
            let (named, end) = self.name_at(at);
            return match named {
                Some(bearer) => (vec![in_role(bearer, &noun, owner, subject.owner == Owner::Group)], end),
                None => none,
            };
        }
        if let Some(end) = self.dialled(&noun, at).filter(|_| !past && !denied) {
            let text = self.words.slice(at..end);
            return (vec![Said::new(owner, "phone", value(text, ValueKind::Text), 0.9)], end);
        }
        if let Some((said, end)) = self.aim(&noun, &owner, at).filter(|_| !past) {
            return (vec![said], end);
        }
        let plain = subject.owner != Owner::Listener && !self.voices.talk;
        let other = || (plain && self.is_exact(at)).then(|| attributes::plain(&noun)).flatten();
        let Some(predicate) = attributes::predicate(&noun).or_else(other) else { return none };
        let known = predicates::lookup(&predicate).map(|found| found.predicate);
        let kind = known.map(|known| known.value).unwrap_or(Some(ValueKind::Text));
        if denied && kind.is_some() {
            return none;
        }
        match kind {
            Some(ValueKind::Date) => {
                let Some(time) = time_at(self.words, at, self.today).or_else(|| bare_date(self.words, at)) else {
                    return none;
                };
                let said = Said::new(owner, &predicate, value(time.text(self.words), ValueKind::Date), 0.95);
                (vec![said], time.end)
            }
            Some(kind) => {
                let yearly = noun.ends_with("anniversary") || noun.ends_with(" date");
                if let Some(time) = bare_date(self.words, at).filter(|_| yearly) {
                    let said = Said::new(owner, &predicate, value(time.text(self.words), ValueKind::Date), 0.9);
                    return (vec![said], time.end);
                }
                self.values(owner, &predicate, kind, at)
            }
            None => {
                let (objects, end) = phrases(self.words, at);
                if !self.ends(end) {
                    return none;
                }
                let definite = |np: &&Np| {
                    mention::is_proper(self.words, np) || np.det == Det::The && np.name.len() > 1 && !self.voices.talk
                };
                let objects = objects.iter().filter(definite).filter_map(|np| self.entity(np));
                (
                    objects
                        .map(|object| Said::new(owner.clone(), &predicate, CandidateObject::Entity(object), 0.9))
                        .collect(),
                    end,
                )
            }
        }
    }

    /// Where the number ends that one calls: `my new number is 555-0143`.
    fn dialled(&self, noun: &str, at: usize) -> Option<usize> {
        let bare = noun.trim_start_matches("new ").trim_start_matches("current ");
        let phones =
            contains_word(" number phone cell mobile landline hotline ", bare.rsplit(' ').next().unwrap_or(bare))
                && bare
                    .split(' ')
                    .all(|word| contains_word(" number phone cell mobile landline hotline work home office ", word));
        let mut end = at;
        while self.words.tokens.get(end).is_some_and(|token| {
            token.lower.chars().any(|c| c.is_ascii_digit())
                && token.lower.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '/' | '.'))
        }) {
            end += 1;
        }
        let digits = self.words.slice(at..end).bytes().filter(u8::is_ascii_digit).count();
        (phones && (6..=16).contains(&digits) && self.ends(end)).then_some(end)
    }

    /// Whether what follows is a name, a number, a date, an address or words in quotes: a value, and no judgement.
    fn is_exact(&self, at: usize) -> bool {
        let Some(token) = self.words.tokens.get(at) else { return false };
        let money = crate::values::is_currency(&token.lower)
            && self.words.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Number);
        let plain = token.is_capital() && !token.is(words::CLOSED | words::ADVERB);
        plain
            || money
            || matches!(token.shape, Shape::Number | Shape::Link)
            || matches!(token.lower.as_str(), "\"" | "“")
    }

    /// `hiking is one of my favourite things`, `Dune is my favourite book`
    fn favourite(&self, subject: &Np, at: usize) -> Option<(Said, usize)> {
        let words = self.words;
        let one_of = words.lower(at) == "one" && words.lower(at + 1) == "of";
        let mine = at + if one_of { 2 } else { 0 };
        let adjective = mine + 1 + usize::from(words.any(mine + 1, " all-time absolute biggest "));
        let plain = words.any(adjective, " favorite favourite fave fav ");
        let plural = words.any(adjective, " favorites favourites faves hobbies passions ");
        let owner = match words.lower(mine) {
            "my" | "our" => self.voices.mention(),
            _ => return None,
        };
        let named = subject.name.clone().any(|at| words.tokens[at].is_word() && !words.is(at, words::CLOSED));
        let clear = !subject.pronoun
            && named
            && subject.det != Det::Pointing
            && matches!(subject.owner, Owner::None)
            && !mention::is_vague(words, subject);
        if !clear || !plain && !plural {
            return None;
        }
        let liked = value(mention::unquoted(&words.slice(subject.name.clone())), ValueKind::Text);
        let end = if plain {
            words.noun_phrase(adjective + 1, Place::Object).map_or(adjective + 1, |np| np.end)
        } else {
            adjective + 1
        };
        if !self.ends(end) {
            return None;
        }
        let noun = words.slice(adjective + 1..end).to_lowercase();
        let known =
            attributes::predicate(&format!("favorite {noun}")).filter(|_| plain && !one_of && end > adjective + 1);
        Some((Said::new(owner, known.as_deref().unwrap_or("likes"), liked, 0.85), end))
    }

    /// `my dream is to open a studio`
    fn aim(&self, noun: &str, owner: &Mention, at: usize) -> Option<(Said, usize)> {
        let aim = contains_word(" goal dream aim ambition ", noun.rsplit(' ').next().unwrap_or(noun));
        let verb = self.words.tokens.get(at + 1)?.verb?;
        if !aim || self.words.lower(at) != "to" || !verb.can_be(crate::data::verbs::BASE) {
            return None;
        }
        let end = crate::complement::doing(self.words, at + 1).filter(|end| *end > at + 2 && self.ends(*end))?;
        Some((Said::new(owner.clone(), "goal", value(self.words.slice(at..end), ValueKind::Text), 0.8), end))
    }

    fn values(&self, owner: Mention, predicate: &str, kind: ValueKind, at: usize) -> (Vec<Said>, usize) {
        if predicate == "address"
            || predicate.ends_with("_address") && predicate != "ip_address" && predicate != "email_address"
        {
            let end = (at..self.words.tokens.len())
                .find(|at| self.words.any(*at, " . ! ; and but "))
                .unwrap_or(self.words.tokens.len());
            let digit = (at..end).any(|at| self.words.tokens[at].shape == Shape::Number);
            return if digit {
                (vec![Said::new(owner, predicate, value(self.words.slice(at..end), kind), 0.9)], end)
            } else {
                (Vec::new(), at)
            };
        }
        if let Some(time) = time_at(self.words, at, self.today).filter(|_| predicate != "name") {
            let text = self.words.slice(time.value.clone());
            return (vec![Said::new(owner, predicate, value(text, kind), 0.85)], time.end);
        }
        let (objects, end) = phrases(self.words, at);
        if !self.ends(end) {
            return (Vec::new(), at);
        }
        let name = predicates::canonical(predicate).0;
        let said = objects.iter().filter_map(|np| {
            let vague = mention::is_vague(self.words, np) && !mention::is_proper(self.words, np);
            if np.pronoun || vague || !matches!(np.owner, Owner::None | Owner::Named(_)) || np.det == Det::Pointing {
                return None;
            }
            // A name begins with a capital, whatever else is said of it.
            if matches!(&*name, "name" | "full_name") && !self.words.capital(np.name.start) {
                return None;
            }
            let start = if np.owner == Owner::None { np.name.start } else { np.start };
            let text = self.words.slice(start..np.called.as_ref().map_or(np.name.end, |called| called.end));
            let digits =
                text.contains(|c: char| c.is_ascii_digit()) || crate::dates::count(&text.to_lowercase()).is_some();
            (kind != ValueKind::Number || digits)
                .then(|| Said::new(owner.clone(), predicate, value(mention::unquoted(&text), kind), 0.9))
        });
        (said.collect(), end)
    }

    /// The noun of a subject that names a value or a relation, and its owner.
    fn parted(&self, np: &Np) -> Option<(String, Mention)> {
        if np.pronoun || np.called.is_some() {
            return None;
        }
        let noun = self.words.slice(np.name.clone()).to_lowercase();
        match &np.owner {
            Owner::Speaker => return Some((noun, self.voices.mention())),
            Owner::Group => return Some((noun, self.voices.mention())),
            Owner::Named(owner) => return Some((noun, self.entity(owner)?)),
            Owner::Pronoun(at) => return Some((noun, self.voices.resolve(self.words.lower(*at))?)),
            Owner::Listener => return None,
            Owner::None => {}
        }
        if let Some(found) = self.compound(np) {
            return Some(found);
        }
        let of = np.name.clone().find(|at| self.words.any(*at, " of for "))?;
        let owner = self.words.noun_phrase(of + 1, Place::Object)?;
        let noun = self.words.slice(np.name.start..of).to_lowercase();
        if owner.end < np.name.end {
            return None;
        }
        Some((noun, self.entity(&owner)?))
    }

    /// `the project deadline`: the noun that names a value, and the thing before it.
    fn compound(&self, np: &Np) -> Option<(String, Mention)> {
        const LAST: &str = " deadline budget motto mascot headquarters capacity license licence owner author maintainer sponsor founder \
            total price version url subtotal hostname venue ";
        let last = self.words.lower(np.head);
        if np.det != Det::The || np.name.len() < 2 || np.head + 1 != np.name.end || !contains_word(LAST, last) {
            return None;
        }
        let inner = Np { end: np.head, name: np.name.start..np.head, head: np.head - 1, ..np.clone() };
        let vague = self.words.is(inner.head, words::ADJECTIVE | words::VAGUE);
        (!vague).then(|| self.entity(&inner)).flatten().map(|owner| (last.to_owned(), owner))
    }

    /// `the new CEO is Ada Lind`
    fn office(&self, subject: &Np, at: usize) -> Option<(Said, usize)> {
        let noun = self.words.slice(subject.name.clone()).to_lowercase();
        let fits =
            subject.det == Det::The && subject.owner == Owner::None && !self.voices.talk && nouns::is_role(&noun);
        let (named, end) = if fits { self.name_at(at) } else { return None };
        let bearer = Mention { entity_type: EntityType::Person, ..named? };
        Some((Said::new(bearer, "job_title", value(bare_title(&noun).to_owned(), ValueKind::Text), 0.8), end))
    }

    /// A proper name behind the copula, if it is all that is said.
    fn name_at(&self, at: usize) -> (Option<Mention>, usize) {
        let at = at + usize::from(self.words.any(at, " named called "));
        let Some(np) = self.words.noun_phrase(at, Place::Object) else { return (None, at) };
        let nation = np.name.len() == 1
            && (contains_word(names::NATIONALITIES, self.words.lower(np.head))
                || names::is_language(self.words.lower(np.head)));
        let proper = mention::is_proper(self.words, &np) && np.det == Det::None && np.owner == Owner::None && !nation;
        if !proper || !self.ends(np.end) {
            return (None, at);
        }
        let named = self.entity(&np).map(|mention| Mention { entity_type: EntityType::Person, ..mention });
        (named, np.end)
    }

    /// Whether a complement can end here.
    fn ends(&self, at: usize) -> bool {
        self.words.stop(at)
            || self.words.is(at, CONJUNCTION | SUBORDINATOR | RELATIVE | PREPOSITION | ADVERB)
            || time_at(self.words, at, self.today).is_some()
    }

    /// What is said of the subject itself.
    fn of_entity(&self, subject: &Np, at: usize, past: bool) -> (Vec<Said>, usize) {
        let words = self.words;
        let nothing = (Vec::new(), at);
        let Some(who) = mention::subject(words, subject, self.voices, Who::Any, false, false) else {
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
            return (vec![Said::new(who, "visited", object, 0.85)], place.end);
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
        if let Some((predicate, object, end)) = self.measured(at, definite).filter(|_| !past) {
            return one(predicate, object, end, 0.9);
        }
        if !person && words.any(at, " at on ") && is_ip_address(words.lower(at + 1)) {
            return one("ip_address", value(words.slice(at + 1..at + 2), ValueKind::Text), at + 2, 0.9);
        }
        let link =
            words.tokens.get(at + 1).is_some_and(|token| token.shape == Shape::Link && !token.lower.contains('@'));
        if !person && words.any(at, " at on ") && link {
            return one("url", value(words.slice(at + 1..at + 2), ValueKind::Text), at + 2, 0.9);
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
        let Some(np) = words.noun_phrase(at, Place::Object).filter(|np| !np.pronoun) else { return nothing };
        self.identity(&who, &np).unwrap_or((Vec::new(), np.end))
    }

    /// `Rent is due ...` is a frame; `Standup is at 9:30` names an event without article.
    fn scheduled_bare(&self, subject: &Np, at: usize) -> (Vec<Said>, usize) {
        let nothing = (Vec::new(), at);
        let event = nouns::is_event(self.words.lower(subject.head))
            || self.words.any(subject.head, " standup stand-up sync retro planning demo ");
        let Some(who) = event.then(|| mention::entity(self.words, subject, self.voices, true)).flatten() else {
            return nothing;
        };
        match self.schedule(at, false) {
            Some((object, end)) => (vec![Said::new(who, "scheduled_at", object, 0.8)], end),
            None => nothing,
        }
    }

    /// `on Thursdays at 10:00`, `tomorrow`, `in June`.
    fn schedule(&self, at: usize, past: bool) -> Option<(CandidateObject, usize)> {
        let first = time_at(self.words, at, self.today)?;
        if !matches!(first.relation, Relation::At | Relation::Schedule | Relation::Between) || past && first.relative {
            return None;
        }
        let mut end = first.end;
        while let Some(more) = time_at(self.words, end + usize::from(self.words.lower(end) == ","), self.today)
            .filter(|more| more.relation == Relation::Schedule || more.relation == Relation::At)
        {
            end = more.end;
        }
        if !self.ends(end) || first.relative && first.when.is_none() {
            return None;
        }
        let date = first.relation == Relation::At && first.when.is_some();
        let exact = date.then(|| first.text(self.words));
        let rest = self.words.slice(first.end..end);
        let text = match exact {
            Some(date) if rest.is_empty() => return Some((value(date, ValueKind::Date), end)),
            Some(date) => format!("{date} {rest}"),
            None => self.words.slice(first.value.start..end),
        };
        Some((value(text, ValueKind::Text), end))
    }

    /// Ages, prices, lengths: `34`, `34 years old`, `$12`, `120 metres long`.
    fn measured(&self, at: usize, definite: bool) -> Option<(&'static str, CandidateObject, usize)> {
        let words = self.words;
        let token = words.tokens.get(at)?;
        if token.shape != Shape::Number && !token.is(words::NUMBER) {
            // `EUR 1,200`
            let money = crate::values::is_currency(&token.lower)
                && words.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Number);
            return money.then(|| ("price", value(words.slice(at..at + 2), ValueKind::Number), at + 2));
        }
        if token.lower.starts_with(['$', '€', '£']) || crate::values::is_currency(words.lower(at + 1)) {
            let end = at + 1 + usize::from(crate::values::is_currency(words.lower(at + 1)));
            let per = end + usize::from(words.any(end, " per a ")) * 2;
            let per = if words.is(per.saturating_sub(1), words::UNIT) { per } else { end };
            return Some(("price", value(words.slice(at..per), ValueKind::Number), per));
        }
        if let Some(measure) = attributes::MEASURES.iter().find(|(adjective, _)| words.lower(at + 2) == *adjective) {
            return Some((measure.1, value(words.slice(at..at + 2), ValueKind::Number), at + 3));
        }
        let count = crate::dates::count(&token.lower)?;
        let old = words.any(at + 1, " years year ") && words.lower(at + 2) == "old";
        if old
            || (self.ends(at + 1)
                && !words.is(at + 1, PREPOSITION | CONJUNCTION)
                && definite
                && (2..=115).contains(&count))
        {
            let end = if old { at + 3 } else { at + 1 };
            return Some(("age", value(words.slice(at..at + 1), ValueKind::Number), end));
        }
        None
    }

    /// `is from Lisbon`, `is in Porto`, `is on the platform team`, `is into pottery`.
    fn linked(&self, who: &Mention, person: bool, at: usize) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let np = words.noun_phrase(at + 1, Place::Object).filter(|np| !np.pronoun)?;
        let proper = mention::is_proper(words, &np);
        let head = words.lower(np.head);
        let predicate = match words.lower(at) {
            "from" if person && proper => "comes_from",
            "in" if !person && proper => "located_in",
            "in" | "on"
                if !person
                    && !self.voices.talk
                    && np.det == Det::The
                    && nouns::type_of_head(head) == Some(EntityType::Location) =>
            {
                "located_in"
            }
            "in" if words.lower(at + 1) == "charge" && words.lower(at + 2) == "of" => {
                let np = words.noun_phrase(at + 3, Place::Object)?;
                let object = object_of(words, &np, "manages", self.voices)?;
                return Some((vec![Said::new(who.clone(), "manages", object, 0.85)], np.end));
            }
            "on" if person && head == "team" && np.name.len() > 1 => "member_of",
            "into" if person => "likes",
            "by" if !person && proper => "created_by",
            _ => return None,
        };
        if !self.ends(np.end) || mention::is_vague(words, &np) && !proper {
            return None;
        }
        let object = object_of(words, &np, predicate, self.voices)?;
        Some((vec![Said::new(who.clone(), predicate, object, 0.85)], np.end))
    }

    /// `is vegan`, `is diabetic`, `is deprecated`, `is Portuguese`.
    fn adjective(&self, at: usize, definite: bool, who: &Mention) -> Option<(&'static str, usize)> {
        let words = self.words;
        let word = words.lower(at);
        let end = at + 1;
        let person = who.entity_type == EntityType::Person || definite;
        if word == "lactose" && words.lower(end) == "intolerant" && person {
            return Some(("health_condition", end + 1));
        }
        if !self.ends(end) || !definite {
            return None;
        }
        let nation =
            (contains_word(names::NATIONALITIES, word) || contains_word(names::LANGUAGES, word)) && words.capital(at);
        if contains_word(attributes::DIETS, word) && person {
            Some(("diet", end))
        } else if contains_word(attributes::CONDITIONS, word) && person {
            Some(("health_condition", end))
        } else if contains_word(attributes::MARITAL, word) && person {
            Some(("marital_status", end))
        } else if nation && person {
            Some(("nationality", end))
        } else if contains_word(attributes::STATUSES, word) && who.entity_type != EntityType::Person {
            Some(("status", end))
        } else {
            None
        }
    }

    /// What `is <noun phrase>` says: `Peter's mother`, `the CEO of Northwind`, `a nurse at St. Mary's`.
    pub(crate) fn identity(&self, who: &Mention, np: &Np) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let of = np.name.clone().find(|at| words.lower(*at) == "of");
        let noun = words.slice(np.name.start..of.unwrap_or(np.name.end)).to_lowercase();
        if is_former(&noun) {
            return None;
        }
        let owner = match (&np.owner, of) {
            (Owner::Speaker | Owner::Group, _) => Some(self.voices.mention()),
            (Owner::Named(owner), _) => Some(self.entity(owner)?),
            (Owner::Pronoun(at), _) => Some(self.voices.resolve(words.lower(*at))?),
            (Owner::Listener, _) => return None,
            (Owner::None, Some(of)) => words.noun_phrase(of + 1, Place::Object).and_then(|np| self.entity(&np)),
            (Owner::None, None) => None,
        };
        if noun == "part" || noun == "member" {
            let person = who.entity_type == EntityType::Person;
            let whole = owner.clone().filter(|_| person || !self.voices.talk)?;
            let predicate = if person || noun == "member" { "member_of" } else { "part_of" };
            return Some((vec![Said::new(who.clone(), predicate, CandidateObject::Entity(whole), 0.85)], np.end));
        }
        if let Some(owner) = &owner
            && let Some(said) = self.related(who, np, &noun, owner)
        {
            return Some((vec![said], np.end));
        }
        let head = noun.rsplit(' ').next().unwrap_or(&noun).to_owned();
        // `a friend of mine`
        if words.lower(np.end) == "of"
            && words.any(np.end + 1, " mine ours ")
            && let Some(kin) = nouns::kin_noun(&noun)
        {
            return Some((vec![kinship(who.clone(), &noun, kin, self.voices.mention())], np.end + 2));
        }
        if np.det == Det::Quantity {
            return None;
        }
        if let (true, Some(of)) = (head == "fan", of) {
            return self.fan(who, of);
        }
        if let Some(nation) = noun.strip_suffix(" citizen").filter(|nation| !nation.contains(' ')) {
            let text = words.slice(np.name.start..np.name.start + 1);
            let known = contains_word(names::NATIONALITIES, nation) || names::is_language(nation);
            return known
                .then(|| (vec![Said::new(who.clone(), "nationality", value(text, ValueKind::Text), 0.9)], np.end));
        }
        if contains_word(attributes::DIETS, &noun) {
            return Some((vec![Said::new(who.clone(), "diet", value(noun, ValueKind::Text), 0.85)], np.end));
        }
        if nouns::is_role(&head) && np.owner == Owner::None {
            return self.role(who, np);
        }
        if who.referent == um_model::belief::Referent::Speaker && np.det == Det::None {
            let person = names::guess(&words.slice(np.name.clone())) == Some(EntityType::Person) && self.ends(np.end);
            return person.then(|| {
                (
                    vec![Said::new(who.clone(), "name", value(words.slice(np.name.clone()), ValueKind::Text), 0.8)],
                    np.end,
                )
            });
        }
        self.definition(who, np, of)
    }

    /// `a huge fan of pottery`
    fn fan(&self, who: &Mention, of: usize) -> Option<(Vec<Said>, usize)> {
        let (liked, end) = phrases(self.words, of + 1);
        let clear = |np: &&Np| {
            !np.pronoun
                && np.owner == Owner::None
                && !matches!(np.det, Det::Pointing | Det::Quantity)
                && !mention::is_vague(self.words, np)
        };
        let said = liked.iter().filter(clear).map(|np| {
            let text = self.words.slice(np.name.clone());
            Said::new(who.clone(), "likes", value(mention::unquoted(&text), ValueKind::Text), 0.85)
        });
        self.ends(end).then(|| (said.collect(), end))
    }

    fn related(&self, who: &Mention, np: &Np, noun: &str, owner: &Mention) -> Option<Said> {
        if let Some(kin) = nouns::kin_noun(noun) {
            return Some(kinship(who.clone(), noun, kin, owner.clone()));
        }
        let head = noun.rsplit(' ').next().unwrap_or(noun);
        if contains_word(nouns::PETS, head) && np.owner != Owner::None {
            return Some(Said::new(owner.clone(), "has_pet", CandidateObject::Entity(who.clone()), 0.9));
        }
        let of = format!("{}_of", noun.replace([' ', '-'], "_"));
        if predicates::lookup(&of).is_some_and(|found| found.predicate.value.is_none()) {
            return Some(Said::new(who.clone(), &of, CandidateObject::Entity(owner.clone()), 0.85));
        }
        if nouns::is_role(head) {
            let title = self.words.slice(np.name.start..np.name.start + noun.split(' ').count());
            return Some(in_role(
                who.clone(),
                &title,
                owner.clone(),
                np.owner == Owner::Group || np.owner == Owner::Speaker,
            ));
        }
        // `Paris is the capital of France`
        let predicate = attributes::predicate(noun).filter(|_| np.det == Det::The || np.owner != Owner::None)?;
        let known = predicates::lookup(&predicate).map(|found| found.predicate);
        let object = match known.map(|known| known.value) {
            Some(None) => CandidateObject::Entity(who.clone()),
            Some(Some(kind)) => value(who.name.clone(), kind),
            None => value(who.name.clone(), ValueKind::Text),
        };
        Some(Said::new(owner.clone(), &predicate, object, 0.85))
    }

    /// `a nurse at St. Mary's`, `the head of design at Acme`, `a software engineer`.
    fn role(&self, who: &Mention, np: &Np) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let title = bare_title(&words.slice(np.name.clone())).to_owned();
        if !matches!(who.entity_type, EntityType::Person) && !who.name.starts_with(char::is_uppercase) {
            return None;
        }
        if words.any(np.end, " at for with ")
            && let Some(place) =
                words.noun_phrase(np.end + 1, Place::Object).filter(|place| mention::is_proper(words, place))
        {
            let student = words.lower(np.head) == "student";
            let predicate = if student { "studied_at" } else { "works_at" };
            let object = object_of(words, &place, predicate, self.voices)?;
            let mut said = Said::new(who.clone(), predicate, object, 0.9);
            if !student {
                said.qualifiers.insert("role".into(), title);
            }
            return Some((vec![said], place.end));
        }
        let evaluated = np.name.clone().any(|at| {
            words.is(at, words::ADJECTIVE) && !words.any(at, " main lead senior junior retired private ")
                || words.any(at, " fellow member leader partner owner founder natural total inspiring talented gifted ")
        });
        if !self.ends(np.end) || evaluated || np.det == Det::The && np.name.len() == 1 {
            return None;
        }
        Some((vec![Said::new(who.clone(), "job_title", value(title, ValueKind::Text), 0.85)], np.end))
    }

    /// `Rust is a programming language`: outside of talk, and only of what has a name.
    fn definition(&self, who: &Mention, np: &Np, of: Option<usize>) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let named = who.name.starts_with(char::is_uppercase) && who.referent == um_model::belief::Referent::Named;
        let judged = np.name.clone().any(|at| words.is(at, words::ADJECTIVE | words::VAGUE));
        // `a novel by Stanisław Lem`
        if words.lower(np.end) == "by" && named && np.det == Det::Indefinite {
            let author = words
                .noun_phrase(np.end + 1, Place::Object)
                .filter(|by| mention::is_proper(words, by) && self.ends(by.end))?;
            let written = contains_word(
                " novel book poem essay article paper story play memoir biography textbook ",
                words.lower(np.head),
            );
            let predicate = if written { "written_by" } else { "created_by" };
            let object = Mention { entity_type: EntityType::Person, ..self.entity(&author)? };
            return Some((vec![Said::new(who.clone(), predicate, CandidateObject::Entity(object), 0.85)], author.end));
        }
        let plain = np.det == Det::Indefinite && !mention::is_vague(words, np) && of.is_none() && !judged;
        // `my laptop is a ThinkPad X1`
        let make = who.referent != um_model::belief::Referent::Named && self.words.capital(np.name.start);
        if self.voices.talk || !named && !make || !plain || !self.ends(np.end) || who.entity_type == EntityType::Person
        {
            return None;
        }
        Some((vec![Said::new(who.clone(), "is_a", value(words.slice(np.name.clone()), ValueKind::Text), 0.75)], np.end))
    }
}

/// What two are to each other of whom one verb is said: `Milan and Vera married`.
fn together(lemma: &str) -> Option<&'static str> {
    match lemma {
        "marry" => Some("married_to"),
        "engage" => Some("engaged_to"),
        "divorce" | "separate" => Some("divorced_from"),
        _ => None,
    }
}

/// `192.168.1.20`, `10.0.0.5:8080`
fn is_ip_address(word: &str) -> bool {
    let host = word.split(':').next().unwrap_or(word);
    host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
}

fn bare_date(words: &Words<'_>, at: usize) -> Option<crate::time::Time> {
    let (when, taken) = crate::dates::absolute(words.tokens.get(at..)?)?;
    Some(crate::time::Time {
        start: at,
        end: at + taken,
        value: at..at + taken,
        second: 0..0,
        relation: Relation::At,
        when: Some(when),
        then: None,
        relative: false,
    })
}

/// `my old boss` is no boss any more, `my future wife` no wife yet.
pub(crate) fn is_former(noun: &str) -> bool {
    noun.split(' ').any(|word| contains_word(" former old ex late future previous first ", word))
        && !noun.ends_with("friend")
}

/// The claim that somebody is another's kin, where `noun` says it. Of kin of the space's person the mention tells how
/// they are called elsewhere: `my sister Ana` is the `user's sister` of other sentences.
pub(crate) fn kinship(bearer: Mention, noun: &str, kin: &nouns::Kin, owner: Mention) -> Said {
    use um_model::belief::Referent;
    let of_person = owner.referent == Referent::Speaker && owner.name == "user" && bearer.referent == Referent::Named;
    let referent = if of_person { Referent::OfSpeaker(noun.to_owned()) } else { bearer.referent.clone() };
    let bearer = Mention { entity_type: EntityType::Person, referent, ..bearer };
    if kin.inverted {
        Said::new(owner, kin.predicate, CandidateObject::Entity(bearer), 0.95)
    } else {
        Said::new(bearer, kin.predicate, CandidateObject::Entity(owner), 0.95)
    }
}

/// `new designer` is a designer.
fn bare_title(title: &str) -> &str {
    ["new ", "current ", "New ", "newest "].iter().find_map(|more| title.strip_prefix(more)).unwrap_or(title)
}

/// The claim that somebody holds an office: of an organization, else just so.
fn in_role(bearer: Mention, role: &str, owner: Mention, ours: bool) -> Said {
    let bearer = Mention { entity_type: EntityType::Person, ..bearer };
    let role = bare_title(role);
    if ours || owner.referent == um_model::belief::Referent::Speaker {
        return Said::new(bearer, "job_title", value(role.to_owned(), ValueKind::Text), 0.85);
    }
    let owner = Mention { entity_type: EntityType::Organization, ..owner };
    let mut said = Said::new(bearer, "works_at", CandidateObject::Entity(owner), 0.85);
    said.qualifiers.insert("role".into(), role.to_owned());
    said
}
