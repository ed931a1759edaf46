//! Keeping what an extractor proposes (spine 6.2): each candidate is checked against its source, finds or makes
//! its entities and its claim, adds its quote as evidence, and is settled. All of a text in one transaction.

use super::decided;
use super::full_names::FullNames;
use super::held;
use super::key::{ClaimIdentity, claim_key, fact_key};
use super::names::{self, Object, Resolution};
use super::quotes::add_evidence;
use super::settle::{Why, settle};
use super::telling::{Place, place};
use super::words::{circumstances, statement};
use crate::error::Fault;
use std::collections::BTreeMap;
use um_model::belief::{
    CandidateObject, ClaimCandidate, ClaimState, ClaimType, EntityType, EvidencePolarity, ExtractionMethod, Mention,
    Polarity, Referent, ValueKind,
};
use um_model::claims::{Claim, ClaimObject};
use um_model::{
    AgentId, ClaimId, ConflictId, EntityId, EpochMs, EvidenceId, MemoryId, SegmentId, SpaceId, Utf16Span, ViewId,
    predicates,
};
use um_store::claims::{self, Cause, Keys, NewClaim};
use um_store::entities::{self, Named};
use um_store::{Connection, vocabulary};

/// The text that candidates were found in.
pub(crate) struct Origin<'a> {
    pub(crate) space: &'a SpaceId,
    /// The memory that the text leads to.
    pub(crate) memory: &'a MemoryId,
    /// The view that it is, where it is no memory's own words.
    pub(crate) view: Option<&'a ViewId>,
    /// The segments of the view with the part of the text that each covers, smallest last.
    pub(crate) segments: &'a [(Utf16Span, SegmentId)],
    pub(crate) text: &'a str,
    /// When it was kept to be said: of a file of which nothing tells, when it was last changed.
    pub(crate) observed_at: EpochMs,
    /// When it was said, where anything tells.
    pub(crate) said_at: Option<EpochMs>,
    /// Who says that its words say so: whoever states it, else whose words they are.
    pub(crate) author: &'a AgentId,
    pub(crate) method: ExtractionMethod,
    /// What its quotes do to their claims.
    pub(crate) polarity: EvidencePolarity,
    /// The decision that says so, by a name of its own: its word is new whatever was said before, and the time in it is
    /// only what follows.
    pub(crate) decides: Option<&'a str>,
}

/// What became of a candidate.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) claim: ClaimId,
    /// Its state before; none where it is new.
    pub(crate) was: Option<ClaimState>,
    /// The claim that stood in its place before.
    pub(crate) stood_by: Option<ClaimId>,
    /// Its new piece of evidence.
    pub(crate) piece: Option<EvidenceId>,
    /// The change of the time in which it is so, where a decision told one.
    pub(crate) timed: Option<String>,
    pub(crate) conflicts: Vec<ConflictId>,
    /// Whether it is out as a person decided otherwise, against whoever says so.
    pub(crate) decided: bool,
}

/// Why a candidate was not kept.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Refused {
    /// Its quote is not in the text.
    NoQuote,
    /// A name in it may mean several.
    Ambiguous(String, Vec<Named>),
    /// A name in it is none.
    NoName,
    /// A value without words, or too long.
    NoValue,
}

/// Keeps candidates of one text, in their order; `names` are those that the text gives in full.
pub(crate) fn record(
    tx: &Connection,
    origin: &Origin<'_>,
    candidates: &[ClaimCandidate],
    names: &FullNames,
    now: EpochMs,
) -> Result<Vec<Result<Kept, Refused>>, Fault> {
    candidates.iter().map(|candidate| record_one(tx, origin, candidate, names, now)).collect()
}

fn record_one(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    names: &FullNames,
    now: EpochMs,
) -> Result<Result<Kept, Refused>, Fault> {
    let Some(quote) = candidate.quote.slice(origin.text).filter(|quote| !quote.trim().is_empty()) else {
        return Ok(Err(Refused::NoQuote));
    };
    let candidate = canonical(tx, origin.space, candidate)?;
    // Whoever is made for a candidate that is refused after all goes with it.
    let kept = um_store::tentatively(tx, || match names::find(tx, origin, &candidate, names, now)? {
        Ok(found) => keep(tx, origin, &candidate, &found, quote, now).map(Ok),
        Err(refused) => Ok(Err(refused)),
    })?;
    if let Err(refused) = &kept {
        held::hold(tx, origin, &candidate, refused, quote, now)?;
    }
    Ok(kept)
}

/// Keeps a candidate whose names are found.
fn keep(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
    quote: &str,
    now: EpochMs,
) -> Result<Kept, Fault> {
    let Place { claim, known, timed } = place(tx, origin, candidate, found, now)?;
    let stood_by = claims::superseded_by(tx, &claim)?;
    let added = add_evidence(tx, origin, &claim, candidate, quote, now)?;
    let against = decided::against(tx, origin, &claim, added.piece.as_ref(), now)?;
    if let Some(decisions) = &against {
        decided::keep_out(tx, &claim, decisions, now)?;
    }
    let decided = against.is_some() || decided::was_taken_back(tx, origin, &claim, added.piece.as_ref(), now)?;
    let new_source = supports(origin) && added.new_source && !decided;
    names::link(tx, origin, found, now)?;
    names::name_relative(tx, origin, candidate, found, now)?;
    let cause = if origin.method == ExtractionMethod::User { Cause::Evidence } else { Cause::Extraction };
    let why = Why { actor: &AgentId::system(), now, cause, new_source };
    let conflicts = settle(tx, &claim, &why)?;
    let was = known.map(|known| known.state);
    Ok(Kept { claim, was, stood_by, piece: added.piece, timed, conflicts, decided })
}

pub(super) fn supports(origin: &Origin<'_>) -> bool {
    origin.polarity == EvidencePolarity::Supporting
}

/// A candidate in the product's own words: the canonical predicate, an entity where the relation wants one and a
/// value where no relation is known, the way round that the relation is defined.
pub(crate) fn canonical(tx: &Connection, space: &SpaceId, candidate: &ClaimCandidate) -> Result<ClaimCandidate, Fault> {
    let mut candidate = candidate.clone();
    let (name, inverted) = predicates::canonical(&candidate.predicate);
    candidate.predicate = name.into_owned();
    let Some(relation) = vocabulary::relation(tx, space, &candidate.predicate)? else {
        if let CandidateObject::Entity(mention) = candidate.object {
            candidate.object = CandidateObject::Value { text: mention.name, kind: ValueKind::Text };
        }
        if candidate.claim_type == ClaimType::Relationship {
            candidate.claim_type = ClaimType::Attribute;
        }
        return Ok(candidate);
    };
    candidate.claim_type = ClaimType::Relationship;
    let mut object = match candidate.object {
        CandidateObject::Entity(mention) => mention,
        CandidateObject::Value { text: name, .. } => {
            Mention { name, referent: Referent::Named, entity_type: EntityType::Thing, span: None }
        }
    };
    if inverted || relation.name != candidate.predicate {
        std::mem::swap(&mut candidate.subject, &mut object);
    }
    candidate.predicate = relation.name;
    candidate.object = CandidateObject::Entity(object);
    Ok(candidate)
}

/// Whether a relation of these two stands as it is kept: one that reads the same both ways is kept one way round.
pub(crate) fn in_order(
    tx: &Connection,
    space: &SpaceId,
    predicate: &str,
    subject: &EntityId,
    object: &EntityId,
) -> Result<bool, Fault> {
    let symmetric = vocabulary::relation(tx, space, predicate)?.is_some_and(|known| known.is_symmetric());
    Ok(!symmetric || subject <= object)
}

pub(super) fn new_claim(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
) -> Result<NewClaim, Fault> {
    let name = |id: &EntityId| -> Result<String, Fault> {
        Ok(entities::standing(tx, id)?.map(|entity| entity.name).unwrap_or_default())
    };
    let (value, target, object) = match &found.object {
        Object::Entity(end) => (None, Some(&end.id), name(&end.id)?),
        Object::Value(text) => (Some(text.as_str()), None, text.clone()),
    };
    let said = Said {
        space: origin.space,
        claim_type: found.claim_type,
        subject: &found.subject.id,
        predicate: &found.predicate,
        value,
        target,
        qualifiers: &candidate.qualifiers,
    };
    Ok(NewClaim {
        keys: keys_of(tx, &said, candidate.polarity)?,
        space: origin.space.clone(),
        subject: found.subject.id.clone(),
        claim_type: found.claim_type,
        attribute_key: value.map(|_| found.predicate.clone()),
        attribute_value: value.map(str::to_owned),
        target: target.cloned(),
        relationship_type: match target {
            Some(_) => vocabulary::relation(tx, origin.space, &found.predicate)?.map(|known| known.id),
            None => None,
        },
        statement: statement(
            tx,
            origin.space,
            &found.predicate,
            [&name(&found.subject.id)?, &object],
            candidate.polarity,
            &circumstances(&candidate.qualifiers),
        )?,
        qualifiers: candidate.qualifiers.clone(),
        polarity: candidate.polarity,
        valid_from: candidate.valid_from,
        // An end before its beginning was misread.
        valid_to: candidate.valid_to.filter(|end| candidate.valid_from.is_none_or(|begin| begin < *end)),
        actor: origin.author.clone(),
    })
}

/// What a claim says, of which entities.
pub(crate) struct Said<'a> {
    pub(crate) space: &'a SpaceId,
    pub(crate) claim_type: ClaimType,
    pub(crate) subject: &'a EntityId,
    pub(crate) predicate: &'a str,
    pub(crate) value: Option<&'a str>,
    pub(crate) target: Option<&'a EntityId>,
    pub(crate) qualifiers: &'a BTreeMap<String, String>,
}

impl<'a> Said<'a> {
    /// What a claim that was kept says.
    pub(crate) fn of(claim: &'a Claim) -> Self {
        let (value, target) = match &claim.object {
            ClaimObject::Value(text) => (Some(text.as_str()), None),
            ClaimObject::Entity(entity) => (None, Some(&entity.id)),
        };
        Self {
            space: &claim.space_id,
            claim_type: claim.claim_type,
            subject: &claim.subject.id,
            predicate: &claim.predicate,
            value,
            target,
            qualifiers: &claim.qualifiers,
        }
    }
}

/// The keys of a claim that says so. A value is compared as what its attribute is known to be, else as text.
pub(crate) fn keys_of(tx: &Connection, said: &Said<'_>, polarity: Polarity) -> Result<Keys, Fault> {
    let kind = vocabulary::attribute(tx, said.space, said.predicate)?.map_or(ValueKind::Text, |known| known.kind);
    let relation = match said.target {
        Some(target) => vocabulary::relation(tx, said.space, said.predicate)?.map(|known| known.id).zip(Some(target)),
        None => None,
    };
    let identity = ClaimIdentity {
        space: said.space,
        claim_type: said.claim_type,
        subject: said.subject,
        attribute: said.value.map(|value| (said.predicate, value, kind)),
        relation: relation.as_ref().map(|(id, target)| (id.as_str(), *target)),
        qualifiers: said.qualifiers,
        polarity,
    };
    Ok(Keys { claim: claim_key(&identity), fact: fact_key(&identity) })
}
