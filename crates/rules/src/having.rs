//! `has`: pets, kin, illnesses, counts, what one owns.

use crate::clause::Said;
use crate::complement::{Part, complement};
use crate::data::frames::Who;
use crate::data::words::contains_word;
use crate::data::{attributes, nouns};
use crate::identity::kinship;
use crate::mention::{self, Voices, Wanted};
use crate::noun::{Det, Np, Words};
use crate::token::Shape;
use crate::verb::{Tense, VerbGroup};
use jiff::civil::Date;
use um_model::belief::{CandidateObject, EntityType, Mention, Referent, ValueKind};

/// What people own and count.
pub(crate) const GOODS: &str = " car truck motorcycle motorbike bike bicycle boat van house apartment flat cottage cabin farm piano guitar violin \
    laptop telescope camera drone television tv smartphone printer garden swimming-pool pool dishwasher microwave tractor scooter yacht \
    laptop caravan studio shop store business company bakery restaurant ";

/// Reads what a subject has; gives the claims and where they end.
pub(crate) fn having(
    words: &Words<'_>,
    subjects: &[Np],
    verb: &VerbGroup,
    voices: &Voices<'_>,
    today: Option<Date>,
) -> (Vec<Said>, usize) {
    let follows = complement(words, verb.end, today);
    let nothing = (Vec::new(), follows.end);
    let Some(Part::Object(objects)) = follows.parts.first() else { return nothing };
    if verb.unsure || !follows.clean || verb.tense == Tense::Future {
        return nothing;
    }
    let denied = verb.negated || verb.ended;
    let telling = Telling { denied, talk: voices.talk };
    // Kin stay kin; what else somebody had, they may have no more.
    let stays = |said: &Said| {
        let name = um_model::predicates::canonical(&said.predicate).0;
        verb.tense != Tense::Past || denied || contains_word(" parent_of sibling_of cousin_of grandparent_of ", &name)
    };
    let said = subjects.iter().flat_map(|subject| {
        let who = mention::subject(words, subject, voices, Wanted::one(Who::Any).or_us());
        let being = mention::subject(words, subject, voices, Wanted::one(Who::Being).or_us());
        let named = objects.first().filter(|_| !denied).map(|np| named_after(words, np)).unwrap_or_default();
        let bearers = named.into_iter().filter_map({
            let being = being.clone();
            move |called| {
                let np = Np { called: Some(called), ..objects[0].clone() };
                of_somebody(words, being.clone()?, &np, &None, telling)
            }
        });
        let bearers: Vec<Said> = bearers.collect();
        let known = bearers.is_empty();
        let others = objects.iter().filter(move |_| known).filter_map(move |np| {
            let known =
                being.clone().and_then(|who| of_somebody(words, who, np, &follows_link(words, np, voices), telling));
            known.or_else(|| who.clone().and_then(|who| counted(words, who, np)))
        });
        bearers.into_iter().chain(others)
    });
    let said: Vec<Said> = said.filter(stays).map(|said| said.denied(denied)).collect();
    (said, follows.end)
}

/// The names behind `two cats, Olive and Basil`, `a daughter, Eva,`.
fn named_after(words: &Words<'_>, np: &Np) -> Vec<std::ops::Range<usize>> {
    let noun = words.lower(np.head);
    let one = if matches!(noun, "children" | "kids") { "child" } else { noun.strip_suffix('s').unwrap_or(noun) };
    let bears = contains_word(nouns::PETS, noun) || nouns::kin_noun(one).is_some();
    let mut found = Vec::new();
    let mut at = np.end;
    if !bears || np.called.is_some() || words.lower(at) != "," {
        return found;
    }
    while words.any(at, " , and ") && words.capital(at + 1 + usize::from(words.lower(at + 1) == "and")) {
        let start = at + 1 + usize::from(words.lower(at + 1) == "and");
        at = start;
        while words.capital(at) && at < start + 3 {
            at += 1;
        }
        found.push(start..at);
    }
    if !words.stop(at) && !words.any(at, " who ") {
        found.clear();
    }
    found
}

/// `to peanuts` behind `an allergy`.
fn follows_link(words: &Words<'_>, np: &Np, _voices: &Voices<'_>) -> Option<String> {
    let linked = words.lower(np.end) == "to";
    let inner = linked.then(|| words.noun_phrase(np.end + 1, crate::noun::Place::Object)).flatten()?;
    (!inner.pronoun).then(|| words.slice(inner.name))
}

/// How it is told.
#[derive(Debug, Clone, Copy)]
struct Telling {
    /// Whether it is denied.
    denied: bool,
    /// Whether in talk.
    talk: bool,
}

fn of_somebody(
    words: &Words<'_>,
    who: Mention,
    np: &Np,
    linked: &Option<String>,
    Telling { denied, talk }: Telling,
) -> Option<Said> {
    if np.pronoun
        || who.entity_type != EntityType::Person
        || np.owner != crate::noun::Owner::None
        || np.det == Det::Pointing
    {
        return None;
    }
    let head = words.lower(np.head);
    let noun = words.slice(np.name.clone());
    // `two sons, Ari and Ben`: each of the names is a son's.
    let counted = np.called.is_some() && np.name.len() > 1 && crate::dates::count(words.lower(np.name.start)).is_some();
    let lower = words.slice(np.name.start + usize::from(counted)..np.name.end).to_lowercase();
    let lower = if matches!(lower.as_str(), "children" | "kids") { "child".to_owned() } else { lower };
    let name = np.called.clone().map(|called| words.slice(called));
    let singular = lower.strip_suffix('s').filter(|_| name.is_some()).unwrap_or(&lower);
    if let Some(kin) = nouns::kin_noun(&lower).or_else(|| nouns::kin_noun(singular)) {
        let name = name?;
        let span = np.called.clone().and_then(|called| words.span(called));
        let bearer = Mention { name, referent: Referent::Named, entity_type: EntityType::Person, span };
        return Some(kinship(bearer, &lower, kin, who));
    }
    let several = np.called.is_none() && crate::dates::count(words.lower(np.name.start)).is_some();
    // `two cats`
    if several && contains_word(nouns::PETS, head.strip_suffix('s').unwrap_or(head)) && np.name.len() == 2 {
        let span = words.span(np.name.clone());
        let pets = Mention { name: noun, referent: Referent::Named, entity_type: EntityType::Thing, span };
        return Some(Said::new(who, "owns", CandidateObject::Entity(pets), 0.85));
    }
    if contains_word(nouns::PETS, head) && np.det != Det::The && !several {
        let range = np.called.clone().unwrap_or(np.name.clone());
        let span = words.span(range.clone());
        let pet = Mention { name: words.slice(range), referent: Referent::Named, entity_type: EntityType::Thing, span };
        return Some(Said::new(who, "has_pet", CandidateObject::Entity(pet), 0.9));
    }
    let first = words.lower(np.name.start);
    let number = crate::dates::count(first)
        .filter(|_| np.name.len() == 2 || words.any(np.name.start + 1, " young little adult grown "));
    if let (Some(_), true) = (
        number,
        words.any(
            np.head,
            " kids children sons daughters child kid brothers sisters siblings grandchildren nephews nieces cousins ",
        ),
    ) {
        let text = words.slice(np.name.start..np.name.start + 1);
        let predicate = if words.any(np.head, " kids children child kid ") {
            "number_of_children".to_owned()
        } else {
            format!("number_of_{head}")
        };
        return Some(Said::new(who, &predicate, CandidateObject::Value { text, kind: ValueKind::Number }, 0.9));
    }
    let value = |predicate: &str, text: String| {
        Some(Said::new(who.clone(), predicate, CandidateObject::Value { text, kind: ValueKind::Text }, 0.85))
    };
    let ill = [
        "disease",
        "blood pressure",
        "apnea",
        "syndrome",
        "diabetes",
        "heart condition",
        "dementia",
        "sclerosis",
        "hay fever",
    ];
    if contains_word(attributes::ILLNESSES, head) || np.name.len() > 1 && ill.iter().any(|ill| lower.ends_with(ill)) {
        return value("health_condition", noun);
    }
    if contains_word(" allergy allergies intolerance ", head) {
        let what = linked.clone().or_else(|| {
            let first = np.name.clone().find(|at| !words.is(*at, crate::data::words::ADJECTIVE))?;
            (first < np.head).then(|| words.slice(first..np.head))
        })?;
        return value("allergy", what);
    }
    if head == "citizenship" && np.name.len() == 2 && np.det == Det::None {
        return value("nationality", words.slice(np.name.start..np.head));
    }
    if contains_word(" degree phd masters master's bachelor's doctorate mba ", head) && words.lower(np.end) == "in" {
        let field = words.noun_phrase(np.end + 1, crate::noun::Place::Object).filter(|field| !field.pronoun)?;
        let named = if head == "degree" && np.name.len() == 1 { field.name.start } else { np.name.start };
        return value("degree", words.slice(named..field.name.end));
    }
    let make = words.capital(np.head) && np.det == Det::Indefinite && np.called.is_none() && !talk;
    let calendar = words.is(np.head, crate::data::words::WEEKDAY | crate::data::words::MONTH);
    if make && !calendar && words.stop(np.end) && words.tokens[np.head].shape != crate::token::Shape::Upper {
        let span = words.span(np.name.clone());
        let thing = Mention { name: noun, referent: Referent::Named, entity_type: EntityType::Thing, span };
        return Some(Said::new(who, "owns", CandidateObject::Entity(thing), 0.8));
    }
    let owned = contains_word(GOODS, head) || (np.name.len() > 1 && contains_word(GOODS, head));
    if owned && np.det == Det::Indefinite && (np.name.len() > 1 || denied) {
        let mut free = np.clone();
        free.det = Det::None;
        let span = words.span(np.name.clone());
        let thing = Mention { name: noun, referent: Referent::Named, entity_type: EntityType::Thing, span };
        return Some(Said::new(who, "owns", CandidateObject::Entity(thing), 0.8));
    }
    None
}

/// `The hall has a capacity of 300 seats`
fn measured(words: &Words<'_>, who: &Mention, np: &Np) -> Option<Said> {
    let of = np.name.clone().find(|at| words.lower(*at) == "of").filter(|_| np.det == Det::Indefinite)?;
    let first = words.tokens.get(of + 1)?;
    let exact = first.lower.contains(|c: char| c.is_ascii_digit())
        || words
            .tokens
            .get(of + 2)
            .is_some_and(|next| crate::values::is_currency(&first.lower) && next.shape == Shape::Number);
    let noun = words.slice(np.name.start..of).to_lowercase();
    let predicate = attributes::predicate(&noun).filter(|_| exact && !noun.contains("age"))?;
    let object = CandidateObject::Value { text: words.slice(of + 1..np.name.end), kind: ValueKind::Text };
    Some(Said::new(who.clone(), &predicate, object, 0.85))
}

/// `The team has 12 engineers`
fn counted(words: &Words<'_>, who: Mention, np: &Np) -> Option<Said> {
    if let Some(said) = measured(words, &who, np) {
        return Some(said);
    }
    let number = words.lower(np.name.start);
    let what = words.slice(np.name.start + 1..np.name.end).to_lowercase();
    let digits = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        || words.is(np.name.start, crate::data::words::NUMBER);
    if np.pronoun
        || np.det != Det::None
        || !digits
        || !(2..=3).contains(&np.name.len())
        || who.referent == Referent::Speaker
        || who.entity_type == EntityType::Person
        || nouns::is_event(what.trim_end_matches('s'))
    {
        return None;
    }
    if !what.ends_with('s') && !contains_word(" people children employees ", &what)
        || words.is(np.head, crate::data::words::UNIT | crate::data::words::VAGUE)
    {
        return None;
    }
    let predicate = format!("number_of_{}", what.replace([' ', '-'], "_"));
    let text = words.slice(np.name.start..np.name.start + 1);
    Some(Said::new(who, &predicate, CandidateObject::Value { text, kind: ValueKind::Number }, 0.8))
}
