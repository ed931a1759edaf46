//! What may stand behind `is` beside names and offices: times, measures, houses, places, states.

use super::{Copula, value};
use crate::clause::{Said, object_of};
use crate::data::words::{self, CONJUNCTION, PREPOSITION, contains_word};
use crate::data::{attributes, names, nouns};
use crate::mention;
use crate::noun::{Det, Place};
use crate::time::{Relation, time_at};
use crate::token::Shape;
use um_model::belief::{CandidateObject, EntityType, Mention, ValueKind};

impl Copula<'_, '_> {
    /// `on Thursdays at 10:00`, `tomorrow`, `in June`.
    pub(crate) fn schedule(&self, at: usize, past: bool) -> Option<(CandidateObject, usize)> {
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
    pub(super) fn measured(&self, at: usize, definite: bool) -> Option<(&'static str, CandidateObject, usize)> {
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
                && !words.is(at + 1, PREPOSITION)
                && (!words.is(at + 1, CONJUNCTION) || crate::verb::verb_group(words, at + 2).is_some())
                && definite
                && (2..=115).contains(&count))
        {
            let end = if old { at + 3 } else { at + 1 };
            return Some(("age", value(words.slice(at..at + 1), ValueKind::Number), end));
        }
        None
    }

    /// `5 Main Street, Springfield`
    pub(super) fn house(&self, at: usize) -> Option<(CandidateObject, usize)> {
        let words = self.words;
        let street = words.noun_phrase(at, Place::Object).filter(|np| {
            np.det == Det::None
                && words.tokens[np.name.start].shape == Shape::Number
                && np.name.len() > 2
                && np.name.clone().skip(1).all(|at| words.capital(at))
        })?;
        let mut end = street.end;
        while words.lower(end) == "," && words.capital(end + 1) {
            end = words.noun_phrase(end + 1, Place::Object).map_or(end + 1, |town| town.end);
        }
        let name = words.slice(at..end);
        let span = words.span(at..end);
        let place =
            Mention { name, referent: um_model::belief::Referent::Named, entity_type: EntityType::Location, span };
        words.stop(end).then_some((CandidateObject::Entity(place), end))
    }

    /// `is from Lisbon`, `is in Porto`, `is on the platform team`, `is into pottery`.
    pub(super) fn linked(&self, who: &Mention, person: bool, at: usize) -> Option<(Vec<Said>, usize)> {
        let words = self.words;
        let np = words.noun_phrase(at + 1, Place::Object).filter(|np| !np.pronoun)?;
        let proper = mention::is_proper(words, &np);
        let head = words.lower(np.head);
        let predicate = match words.lower(at) {
            "from"
                if person
                    && proper
                    && names::guess(&words.slice(np.name.clone())) != Some(EntityType::Organization) =>
            {
                "comes_from"
            }
            "from" if !person && !self.voices.talk && names::is_place(&words.slice(np.name.clone()).to_lowercase()) => {
                "comes_from"
            }
            "in" if !person && proper => "located_in",
            "on" if !person && proper && is_street(head) => "located_in",
            "in" | "on"
                if !person
                    && !self.voices.talk
                    && np.det == Det::The
                    && (nouns::type_of_head(head) == Some(EntityType::Location) || nouns::is_holder(head)) =>
            {
                "located_in"
            }
            "in" if words.lower(at + 1) == "charge" && words.lower(at + 2) == "of" => {
                let np = words.noun_phrase(at + 3, Place::Object)?;
                let object = object_of(words, &np, "manages", self.voices)?;
                return Some((vec![Said::new(who.clone(), "manages", object, 0.85)], np.end));
            }
            "on" if person && head == "team" && np.name.len() > 1 => "member_of",
            "on" if person && np.det == Det::The && contains_word(" board committee council jury panel ", head) => {
                "member_of"
            }
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
    pub(super) fn adjective(&self, at: usize, definite: bool, who: &Mention) -> Option<(&'static str, usize)> {
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
        if person && contains_word(" left-handed right-handed ambidextrous ", word) {
            return Some(("is_a", end));
        }
        let nation =
            (contains_word(names::NATIONALITIES, word) || contains_word(names::LANGUAGES, word)) && words.capital(at);
        if contains_word(attributes::DIETS, word) && person {
            Some(("diet", end))
        } else if contains_word(attributes::CONDITIONS, word) && person {
            Some(("health_condition", end))
        } else if contains_word(attributes::MARITAL, word) && person && !words.any(end, " to from with ") {
            Some(("marital_status", end))
        } else if nation && person {
            Some(("nationality", end))
        } else if word == "retired" && words.capital(at.saturating_sub(2)) {
            None
        } else if contains_word(attributes::STATUSES, word)
            && !words.any(end, " between during on at in from after before for to ")
            && who.entity_type != EntityType::Person
        {
            Some(("status", end))
        } else {
            None
        }
    }
}

/// Whether a name that ends with this word is a street's.
fn is_street(head: &str) -> bool {
    contains_word(
        " street st road rd avenue ave lane square boulevard drive alley quay terrace crescent highway ",
        head,
    )
}
