//! `Ana is Peter's mother`, `Ana is the CEO of Northwind`: who somebody is to others, and what.

mod done;

use crate::clause::{Said, object_of};
use crate::complement::phrases;
use crate::copula::{Copula, value};
use crate::data::attributes;
use crate::data::words::{self, contains_word};
use crate::data::{names, nouns};
use crate::mention;
use crate::noun::{Det, Np, Owner, Place, Words};
use crate::time::{Relation, time_at};
use um_model::belief::{CandidateObject, EntityType, Mention, ValueKind};
use um_model::predicates;

impl Copula<'_, '_> {
    /// The noun before `of`: `head` in `head of design`.
    pub(crate) fn head_before_of(&self, np: &Np) -> &str {
        let of = np.name.clone().find(|at| self.words.lower(*at) == "of").unwrap_or(np.name.end);
        self.words.lower(of.saturating_sub(1))
    }

    /// What `is <noun phrase>` says: `Peter's mother`, `the CEO of Northwind`, `a nurse at St. Mary's`.
    pub(crate) fn identity(&self, who: &Mention, np: &Np) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let of = np.name.clone().find(|at| words.lower(*at) == "of");
        let noun = words.slice(np.name.start..of.unwrap_or(np.name.end)).to_lowercase();
        // `the CEO of the year` holds no office.
        if of.is_some() && words.is(np.name.end - 1, words::UNIT) {
            return None;
        }
        // `a former pilot` is none now.
        if noun.starts_with("former ") && np.name.len() > 1 {
            let held = Np { name: np.name.start + 1..np.name.end, ..np.clone() };
            let (said, end) = self.identity(who, &held)?;
            let denied = said.into_iter().filter(crate::copula::passes).map(|said| said.denied(true));
            return Some((denied.collect(), end));
        }
        if is_former(&noun) {
            return None;
        }
        let owner = match (&np.owner, of) {
            (Owner::Speaker | Owner::Group, _) => Some(self.voices.mention()),
            (Owner::Named(owner), _) => Some(self.entity(owner)?),
            (Owner::Pronoun(at), _) => Some(self.voices.resolve(words.lower(*at))?),
            (Owner::Listener, _) => return None,
            (Owner::None, Some(of)) => {
                words.noun_phrase(of + 1, Place::Object).and_then(|np| self.entity(&unowned(words, np)))
            }
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
            let mut end = np.end;
            let mut all = vec![said];
            // `the mother of Lukas and Jana`
            while of.is_some() && words.any(end, " , and ") && nouns::kin_noun(&noun).is_some() {
                let and = usize::from(words.lower(end) == "," && words.lower(end + 1) == "and");
                let next = words.noun_phrase(end + 1 + and, Place::Object);
                let next = next.filter(|np| mention::is_proper(words, np) && !words.finite(np.end));
                let Some((np, owner)) = next.and_then(|np| Some((np.clone(), self.entity(&np)?))) else { break };
                all.extend(self.related(who, &np, &noun, &owner));
                end = np.end;
            }
            // `Bo's aunt and Cy's mother`
            let and = (words.lower(end) == "and").then(|| words.noun_phrase(end + 1, Place::Object)).flatten();
            if let Some(np) = and.filter(|np| matches!(np.owner, Owner::Named(_)) && self.ends(np.end))
                && nouns::kin_noun(&words.slice(np.name.clone()).to_lowercase()).is_some()
                && let Some((more, next)) = self.identity(who, &np)
            {
                all.extend(more);
                end = next;
            }
            return Some((all, end));
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
    pub(crate) fn fan(&self, who: &Mention, of: usize) -> Option<(Vec<Said>, usize)> {
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

    pub(crate) fn related(&self, who: &Mention, np: &Np, noun: &str, owner: &Mention) -> Option<Said> {
        // `my bed is my best friend`
        let thing =
            who.entity_type != EntityType::Person && matches!(who.referent, um_model::belief::Referent::OfSpeaker(_));
        if thing && nouns::kin_noun(noun).is_some() {
            return None;
        }
        // Of `Ida and Olof are Tom's children` each is one.
        let one = if matches!(noun, "children" | "kids") { "child" } else { noun.strip_suffix('s').unwrap_or(noun) };
        if let Some(kin) = nouns::kin_noun(noun).or_else(|| nouns::kin_noun(one)) {
            return Some(kinship(who.clone(), noun, kin, owner.clone()));
        }
        let head = noun.rsplit(' ').next().unwrap_or(noun);
        if contains_word(nouns::PETS, head) && np.owner != Owner::None {
            return Some(Said::new(owner.clone(), "has_pet", CandidateObject::Entity(who.clone()), 0.9));
        }
        let of = format!("{}_of", noun.replace([' ', '-'], "_"));
        // One directs a film, and is director of a museum.
        let house = matches!(owner.entity_type, EntityType::Organization | EntityType::Location);
        if house && of == "director_of" {
            return Some(in_role(who.clone(), noun, owner.clone(), np.owner == Owner::Group));
        }
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
    pub(crate) fn role(&self, who: &Mention, np: &Np) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let title = bare_title(&words.slice(np.name.clone())).to_owned();
        let somebody = who.entity_type == EntityType::Person || who.name.starts_with(char::is_uppercase);
        if !somebody || who.entity_type == EntityType::Organization {
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
        // `the treasurer` may be anybody's, but one who has been it since May is meant as one.
        let held = time_at(words, np.end, self.today).is_some_and(|time| time.relation == Relation::Since);
        // One who no longer is it, was meant as one, too.
        let over = (np.start.saturating_sub(2)..np.start).any(|at| words.lower(at) == "longer")
            || words.any(np.end, " anymore ")
            || words.lower(np.end) == "any" && words.lower(np.end + 1) == "more";
        let known = held || over || !self.voices.talk && names::guess(&who.name) == Some(EntityType::Person);
        if !self.ends(np.end) && !over || evaluated || np.det == Det::The && np.name.len() == 1 && !known {
            return None;
        }
        let mut said = vec![Said::new(who.clone(), "job_title", value(title, ValueKind::Text), 0.85)];
        let mut end = np.end;
        // `a baker from Truro`
        let home = (words.lower(end) == "from").then(|| words.noun_phrase(end + 1, Place::Object)).flatten();
        let town = |np: &Np| names::guess(&words.slice(np.name.clone())) != Some(EntityType::Organization);
        if let Some(home) = home.filter(|np| mention::is_proper(words, np) && town(np) && self.ends(np.end))
            && let Some(place) = object_of(words, &home, "comes_from", self.voices)
        {
            said.push(Said::new(who.clone(), "comes_from", place, 0.85));
            end = home.end;
        }
        Some((said, end))
    }

    /// `Rust is a programming language`: outside of talk, and only of what has a name.
    pub(crate) fn definition(&self, who: &Mention, np: &Np, of: Option<usize>) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let named = who.name.starts_with(char::is_uppercase) && who.referent == um_model::belief::Referent::Named;
        let judged = np.name.clone().any(|at| words.is(at, words::ADJECTIVE | words::VAGUE))
            || contains_word(JUDGING, words.lower(np.head));
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

/// Nouns that judge.
const JUDGING: &str = " legend star hero genius fool clown monster angel saint jerk idiot snob nightmare joke mess disaster beauty gem delight \
    treat bargain steal dream pain bore machine beast shame pity winner loser keeper lifesaver failure success surprise challenge must riot \
    blast hoot ";

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
    if kin.predicate == "reports_to" && is_no_one(&owner) {
        return Said::new(bearer, "manages", CandidateObject::Entity(owner), 0.9);
    }
    if kin.inverted {
        Said::new(owner, kin.predicate, CandidateObject::Entity(bearer), 0.95)
    } else {
        Said::new(bearer, kin.predicate, CandidateObject::Entity(owner), 0.95)
    }
}

/// Of `a friend of Eva's` Eva.
fn unowned(words: &Words<'_>, np: Np) -> Np {
    let last = np.name.end - 1;
    if words.lower(last) != "'s" || np.name.len() < 2 {
        return np;
    }
    Np { end: last, name: np.name.start..last, head: last - 1, ..np }
}

/// Whether it is surely not somebody who could report to another: `Oslo store`, `night shift`, a firm.
fn is_no_one(owner: &Mention) -> bool {
    let last = owner.name.rsplit(' ').next().unwrap_or_default();
    match owner.entity_type {
        EntityType::Person => false,
        EntityType::Thing => last.starts_with(char::is_lowercase) && !nouns::is_role(&last.to_lowercase()),
        _ => true,
    }
}

/// `new designer` is a designer.
pub(crate) fn bare_title(title: &str) -> &str {
    ["new ", "current ", "New ", "newest "].iter().find_map(|more| title.strip_prefix(more)).unwrap_or(title)
}

/// The claim that somebody holds an office: of an organization, else just so.
pub(crate) fn in_role(bearer: Mention, role: &str, owner: Mention, ours: bool) -> Said {
    let bearer = Mention { entity_type: EntityType::Person, ..bearer };
    let role = bare_title(role);
    // `Ana's vet` and `my dog's vet` work for many.
    let somebody = owner.entity_type == EntityType::Person;
    let last = owner.name.rsplit([' ', '\'']).next().unwrap_or_default().to_lowercase();
    if ours || somebody || contains_word(nouns::PETS, &last) || owner.referent == um_model::belief::Referent::Speaker {
        return Said::new(bearer, "job_title", value(role.to_owned(), ValueKind::Text), 0.85);
    }
    let owner = Mention { entity_type: EntityType::Organization, ..owner };
    let mut said = Said::new(bearer, "works_at", CandidateObject::Entity(owner), 0.85);
    said.qualifiers.insert("role".into(), role.to_owned());
    said
}
