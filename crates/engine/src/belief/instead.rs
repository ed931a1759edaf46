//! What a person says is right instead of both sides of a conflict.

use super::facts::{add, check};
use super::key::canonical_name;
use super::settle::{Why, settle_all};
use crate::Caller;
use crate::error::{Fault, invalid, not_found};
use serde::{Deserialize, Serialize};
use um_model::belief::{ClaimState, ResolutionType, ValueKind};
use um_model::claims::{Claim, ClaimObject, FactInput};
use um_model::{ClaimId, EpochMs, MemoryId, MemoryStatus};
use um_store::{Connection, Transaction, claims, entities, events, evidence, memories, units, vocabulary};

/// The claim that stands in place of both sides of a conflict.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Instead {
    pub(super) claim: ClaimId,
    /// Its state before, where there was such a claim.
    pub(super) was: Option<ClaimState>,
    /// The memory of the decision's words, where these were not said before.
    pub(super) said: Option<MemoryId>,
    /// The change of the time in which it is so, where there was such a claim and its time was told.
    pub(super) timed: Option<String>,
}

/// Makes the claim that stands in place of both sides of a conflict: what they have in common, with another value.
pub(super) fn instead(
    tx: &Transaction<'_>,
    caller: &Caller,
    sides: [&ClaimId; 2],
    value: &str,
    now: EpochMs,
) -> Result<Instead, Fault> {
    let get = |id: &ClaimId| claims::by_id(tx, id)?.ok_or_else(|| Fault::from(not_found("claim", id.as_str())));
    let (a, b) = (get(sides[0])?, get(sides[1])?);
    let fact = in_common(&a, &b, value);
    check(&fact)?;
    let added = add(tx, caller, &a.space_id, &fact, now)?;
    Ok(Instead { claim: added.kept.claim, was: added.kept.was, said: added.said, timed: added.kept.timed })
}

/// The side of a conflict that says a value already: to say that it is right is to choose that side.
pub(super) fn chosen(tx: &Connection, sides: [&ClaimId; 2], value: &str) -> Result<Option<ResolutionType>, Fault> {
    let get = |id: &ClaimId| claims::by_id(tx, id)?.ok_or_else(|| Fault::from(not_found("claim", id.as_str())));
    let (a, b) = (get(sides[0])?, get(sides[1])?);
    let kind = vocabulary::attribute(tx, &a.space_id, &a.predicate)?.map_or(ValueKind::Text, |known| known.kind);
    let named = entities::by_name(tx, &a.space_id, &canonical_name(value))?;
    let says = |side: ClaimObject| match side {
        ClaimObject::Value(said) => um_rules::normal_value(&said, kind) == um_rules::normal_value(value, kind),
        ClaimObject::Entity(entity) => {
            value.trim() == entity.id.as_str()
                || canonical_name(&entity.name) == canonical_name(value)
                || named.iter().any(|named| named.id == entity.id)
        }
    };
    match differing(&a, &b).map(says) {
        [true, false] => Ok(Some(ResolutionType::ClaimAWins)),
        [false, true] => Ok(Some(ResolutionType::ClaimBWins)),
        [false, false] => Ok(None),
        [true, true] => Err(invalid("Both sides say so: they disagree on something else.")
            .hint("Choose a or b, or give \"windows\", each of which is right at its time.")
            .into()),
    }
}

/// What two claims of one predicate do not have in common.
fn differing(a: &Claim, b: &Claim) -> [ClaimObject; 2] {
    let subject = |claim: &Claim| ClaimObject::Entity(claim.subject.clone());
    match (&a.object, &b.object) {
        (ClaimObject::Entity(of_a), ClaimObject::Entity(of_b))
            if a.subject.id != b.subject.id && of_a.id == of_b.id =>
        {
            [subject(a), subject(b)]
        }
        (ClaimObject::Entity(of_a), _) if of_a.id == b.subject.id => [subject(a), b.object.clone()],
        _ => [a.object.clone(), b.object.clone()],
    }
}

/// Takes back that a fact was said, unless it was stated again since, and settles what rests on it.
pub(super) fn unsay(tx: &Transaction<'_>, said: &MemoryId, why: &Why<'_>) -> Result<(), Fault> {
    let Some(memory) = memories::by_id(tx, said)?.filter(|memory| memory.status == MemoryStatus::Active) else {
        return Ok(());
    };
    let text = memory.content.as_deref().unwrap_or_default();
    if events::is_stated_after(tx, &memory.space_id, text, memory.created_at)? {
        return Ok(());
    }
    memories::set_status(tx, said, MemoryStatus::Retracted, why.now)?;
    units::deactivate(tx, &memory.space_id, units::Which::OfMemory(said))?;
    settle_all(tx, evidence::claims_of_memory(tx, said)?, why)
}

/// What two claims of one predicate have in common, with `value` for what they have not. It is so while both are said
/// to be.
fn in_common(a: &Claim, b: &Claim, value: &str) -> FactInput {
    let end = |claim: &Claim| match &claim.object {
        ClaimObject::Entity(entity) => Some(entity.id.to_string()),
        ClaimObject::Value(_) => None,
    };
    let subject = a.subject.id.to_string();
    let (subject, object) = match (end(a), end(b)) {
        // Of one object it is the subject that is another; where a relation reads both ways, either end.
        (Some(of_a), Some(of_b)) if a.subject.id != b.subject.id && of_a == of_b => (value.to_owned(), of_a),
        (Some(of_a), _) if of_a == b.subject.id.as_str() => (of_a, value.to_owned()),
        _ => (subject, value.to_owned()),
    };
    let shared = a.qualifiers.iter().filter(|(key, value)| b.qualifiers.get(*key) == Some(value));
    let written = |end: Option<EpochMs>| end.and_then(um_rules::date_written);
    FactInput {
        subject,
        predicate: a.predicate.clone(),
        object,
        object_is_entity: Some(end(a).is_some()),
        qualifiers: shared.map(|(key, value)| (key.clone(), value.clone())).collect(),
        valid_from: written(a.valid_from.max(b.valid_from)),
        valid_until: written([a.valid_to, b.valid_to].into_iter().flatten().min()),
        confidence: Some(1.0),
        ..FactInput::default()
    }
}
