//! A space's own words for what may be said: relations and attributes beside the predefined ones.

use super::record::{Said, key_of};
use super::settle::{Why, settle_all};
use crate::error::{Fault, Outcome, invalid};
use crate::{Caller, Engine};
use um_model::belief::Cardinality;
use um_model::claims::{ClaimObject, PredicateDefine, PredicateInfo};
use um_model::health::Event;
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId, predicates};
use um_store::claims::{self, Cause};
use um_store::{Connection, vocabulary};

/// The longest name, in bytes.
const MAX_NAME: usize = 60;
/// The longest wording, in bytes.
const MAX_PHRASE: usize = 200;

/// Adds a relation or attribute to a space. What is claimed with it already is settled anew.
pub(crate) fn predicate_define(engine: &Engine, caller: &Caller, request: PredicateDefine) -> Outcome<PredicateInfo> {
    let new = check(request.predicate)?;
    let now = engine.now();
    let (writer, kept) = (caller.clone(), new.clone());
    engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, &request.space)?.id;
        for name in std::iter::once(&kept.name).chain(&kept.inverse) {
            if vocabulary::relation(tx, &space, name)?.is_some() || vocabulary::attribute(tx, &space, name)?.is_some() {
                return Err(ApiError::new(ErrorCode::AlreadyExists, format!("\"{name}\" is defined already."))
                    .hint("Use it as it is, or choose another name.")
                    .into());
            }
        }
        let id = vocabulary::define(tx, &space, &kept, now)?;
        if !kept.relates {
            settle_known(tx, &space, &kept.name, now)?;
        }
        let table = if kept.relates { "relationship_types" } else { "attribute_keys" };
        Engine::audit(tx, &writer, "predicate.defined", (table, &id), &space, serde_json::json!({}), now)
    })?;
    engine.tell(Event::Beliefs);
    Ok(new)
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

/// Settles what is claimed with an attribute that was not defined before: it may have one value only, or be of a kind
/// whose values are compared in another way.
fn settle_known(tx: &Connection, space: &SpaceId, attribute: &str, now: EpochMs) -> Result<(), Fault> {
    let known = claims::of_attribute(tx, space, attribute)?;
    for claim in &known {
        let ClaimObject::Value(value) = &claim.object else { continue };
        let said = Said {
            space,
            claim_type: claim.claim_type,
            subject: &claim.subject.id,
            predicate: attribute,
            value: Some(value),
            target: None,
            qualifiers: &claim.qualifiers,
        };
        let key = key_of(tx, &said, claim.polarity)?;
        if claims::by_key(tx, space, &key)?.is_none() {
            claims::set_entities(tx, &claim.id, &claim.subject.id, None, &key)?;
        }
    }
    let why = Why { actor: &AgentId::system(), now, cause: Cause::Evidence, new_source: false };
    settle_all(tx, known.into_iter().map(|claim| claim.id), &why)
}
