//! A space's own words for what may be said: relations and attributes beside the predefined ones.

use super::merge::{Moved, rekey, take_apart};
use super::settle::Why;
use super::turns::{settle_later, settle_marked};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::belief::{Cardinality, ValueKind};
use um_model::claims::{PredicateDefine, PredicateInfo};
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, SpaceId, predicates};
use um_store::claims::{self, Cause};
use um_store::undo::{self, Act};
use um_store::{Connection, vocabulary};

/// The longest name, in bytes.
const MAX_NAME: usize = 60;
/// The longest wording, in bytes.
const MAX_PHRASE: usize = 200;

/// Adds a relation or attribute to a space, or changes one of its own. What is claimed with it already is settled anew.
pub(crate) fn predicate_define(engine: &Engine, caller: &Caller, request: PredicateDefine) -> Outcome<PredicateInfo> {
    let new = check(request.predicate)?;
    let now = engine.now();
    let (writer, kept) = (caller.clone(), new.clone());
    engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, &request.space)?.id;
        let own = if request.change { Some(own(tx, &space, &kept)?) } else { None };
        for name in std::iter::once(&kept.name).chain(&kept.inverse) {
            let is_own = |id: &str| own.as_ref().is_some_and(|(own, _)| own == id);
            let relation = vocabulary::relation(tx, &space, name)?.is_some_and(|known| !is_own(&known.id));
            let attribute = vocabulary::attribute(tx, &space, name)?.is_some_and(|known| !is_own(&known.id));
            if relation || attribute {
                return Err(ApiError::new(ErrorCode::AlreadyExists, format!("\"{name}\" is defined already."))
                    .hint("Use it as it is, ask for its change (\"change\", or --change), or choose another name.")
                    .into());
            }
        }
        let id = match &own {
            Some((id, _)) => vocabulary::redefine(tx, id, &kept).map(|()| id.clone())?,
            None => vocabulary::define(tx, &space, &kept, now)?,
        };
        let was = own.map(|(_, was)| was);
        let table = if kept.relates { "relationship_types" } else { "attribute_keys" };
        let why = Why { actor: &writer.actor, now, cause: Cause::Evidence, new_source: false };
        if was != Some(Keying::of(&kept)) {
            keep_anew(tx, &space, &kept, (table, &id), &why)?;
        }
        // There may be only one value now, or several.
        let known = claims::of_predicate(tx, &space, &kept.name)?.into_iter().map(|claim| claim.id);
        settle_later(tx, known, &writer.actor, now)?;
        let event = if was.is_some() { "predicate.changed" } else { "predicate.defined" };
        Engine::audit(tx, &writer, event, (table, &id), &space, serde_json::json!({}), now)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    Ok(new)
}

/// What a definition says of how its claims are told from each other and kept.
#[derive(PartialEq)]
struct Keying {
    symmetric: bool,
    kind: ValueKind,
}

impl Keying {
    fn of(predicate: &PredicateInfo) -> Self {
        Self {
            symmetric: predicate.inverse.as_ref() == Some(&predicate.name),
            kind: predicate.value_kind.unwrap_or(ValueKind::Text),
        }
    }
}

/// The space's own definition that is to be changed: its id, and how its claims are kept.
fn own(tx: &Connection, space: &SpaceId, new: &PredicateInfo) -> Result<(String, Keying), Fault> {
    let found = if new.relates {
        let own = vocabulary::relation(tx, space, &new.name)?.filter(|known| known.name == new.name);
        own.map(|known| (known.is_symmetric(), ValueKind::Text, known.id))
    } else {
        vocabulary::attribute(tx, space, &new.name)?.map(|known| (false, known.kind, known.id))
    };
    let (symmetric, kind, id) = found.ok_or_else(|| {
        let what = if new.relates { "relation" } else { "attribute" };
        not_found(&format!("{what} of this space"), &new.name).hint("Define it first, without \"change\".")
    })?;
    Ok((id, Keying { symmetric, kind }))
}

/// A definition that makes sense, with its names as they are kept.
fn check(new: PredicateInfo) -> Outcome<PredicateInfo> {
    let written = |name: &str| name.trim().to_lowercase().replace([' ', '-'], "_");
    let name = written(&new.name);
    let inverse = new.inverse.as_deref().map(written).filter(|inverse| !inverse.is_empty());
    for name in std::iter::once(&name).chain(&inverse) {
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err(invalid(format!("A predicate's name has 1 to {MAX_NAME} letters, digits and underscores.")));
        }
        if predicates::lookup(name).is_some() {
            return Err(ApiError::new(ErrorCode::AlreadyExists, format!("\"{name}\" is predefined."))
                .hint("Use it as it is, or choose another name."));
        }
    }
    let on_both_sides = matches!(new.cardinality, Cardinality::OneToOne | Cardinality::ManyToMany);
    if inverse.as_ref() == Some(&name) && !on_both_sides {
        return Err(invalid("A relation that reads the same both ways is one_to_one or many_to_many."));
    }
    let of_values = matches!(new.cardinality, Cardinality::ManyToOne | Cardinality::ManyToMany);
    if !new.relates && (inverse.is_some() || !of_values) {
        return Err(invalid("An attribute has no inverse, and is many_to_one (one value) or many_to_many.")
            .hint("Set relates for a relation between two entities."));
    }
    if new.relates && new.value_kind.is_some() {
        return Err(invalid("Only an attribute has a kind of value: the object of a relation is an entity."));
    }
    let phrase = match new.phrase.trim() {
        "" => name.replace('_', " "),
        phrase if phrase.len() > MAX_PHRASE => {
            return Err(invalid(format!("A wording has at most {MAX_PHRASE} bytes.")));
        }
        phrase => phrase.to_owned(),
    };
    Ok(PredicateInfo { name, phrase, inverse, ..new })
}

/// Keeps what is claimed with a predicate as its definition now wants it: values may be of a kind that is compared in
/// another way, and a relation may read both ways now. What then says the same is joined; what an earlier definition had
/// joined comes apart first, so that nothing is lost by a definition that is changed back.
fn keep_anew(
    tx: &Connection,
    space: &SpaceId,
    predicate: &PredicateInfo,
    (table, id): (&str, &str),
    why: &Why<'_>,
) -> Result<(), Fault> {
    let act = Act { operation: "predicate_define", object_type: table, object_id: id };
    if let Some(earlier) = undo::take(tx, act, why.actor, why.now)? {
        let earlier: Moved = serde_json::from_value(earlier).map_err(um_store::StoreError::from)?;
        take_apart(tx, &earlier, why)?;
    }
    let moved = rekey(tx, &claims::of_predicate(tx, space, &predicate.name)?, why)?;
    let moved = serde_json::to_value(&moved).map_err(um_store::StoreError::from)?;
    Ok(undo::keep(tx, space, why.actor, act, &moved, why.now)?)
}
