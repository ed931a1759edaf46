//! Keeping what an extractor proposes (spine 6.2): each candidate is checked against its source, finds or makes
//! its entities and its claim, adds its quote as evidence, and is settled. All of a text in one transaction.

use super::key::{ClaimIdentity, canonical_name, claim_key};
use super::quotes::{Added, add_evidence};
use super::resolve::{FullNames, Resolved, resolve};
use super::settle::{Why, settle};
use super::words::{circumstances, phrase, sentence};
use crate::error::Fault;
use std::collections::BTreeMap;
use um_model::belief::{
    CandidateObject, ClaimCandidate, ClaimState, ClaimType, EntityType, EvidencePolarity, ExtractionMethod, MatchType,
    Mention, Polarity, Referent, ValueKind,
};
use um_model::claims::{Claim, ClaimObject};
use um_model::{
    AgentId, ClaimId, ConflictId, EntityId, EpochMs, MemoryId, SegmentId, SpaceId, Utf16Span, ViewId, predicates,
};
use um_store::claims::{self, Cause, NewClaim};
use um_store::entities::{self, Link, Named};
use um_store::{Connection, vocabulary};

/// The longest value, in bytes.
const MAX_VALUE: usize = 2_000;

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
    /// Pieces of one cluster come from one source (ruling 27).
    pub(crate) cluster: &'a str,
    pub(crate) observed_at: EpochMs,
    /// Whose words they are.
    pub(crate) author: &'a AgentId,
    pub(crate) method: ExtractionMethod,
    /// What its quotes do to their claims.
    pub(crate) polarity: EvidencePolarity,
}

/// What became of a candidate.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) claim: ClaimId,
    /// Its state before; none where it is new.
    pub(crate) was: Option<ClaimState>,
    pub(crate) conflicts: Vec<ConflictId>,
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

/// Keeps candidates of one text, in their order; `names` are those that the text gave in full so far.
pub(crate) fn record(
    tx: &Connection,
    origin: &Origin<'_>,
    candidates: &[ClaimCandidate],
    names: &mut FullNames,
    now: EpochMs,
) -> Result<Vec<Result<Kept, Refused>>, Fault> {
    candidates.iter().map(|candidate| record_one(tx, origin, candidate, names, now)).collect()
}

/// A candidate whose names are found and whose words are canonical.
struct Resolution {
    subject: EntityId,
    subject_match: MatchType,
    object: Object,
    predicate: String,
    claim_type: ClaimType,
}

enum Object {
    Entity(EntityId, MatchType),
    Value(String),
}

fn record_one(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    names: &mut FullNames,
    now: EpochMs,
) -> Result<Result<Kept, Refused>, Fault> {
    let Some(quote) = candidate.quote.slice(origin.text).filter(|quote| !quote.trim().is_empty()) else {
        return Ok(Err(Refused::NoQuote));
    };
    let candidate = canonical(tx, origin.space, candidate)?;
    let found = match find_names(tx, origin.space, &candidate, names, now)? {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let new = new_claim(tx, origin, &candidate, &found)?;
    let (claim, created) = claims::upsert(tx, &new, now)?;
    let was = if created { None } else { claims::by_id(tx, &claim)?.map(|claim| claim.state) };
    let evidence = add_evidence(tx, origin, &claim, &candidate, quote, now)?;
    let supports = origin.polarity == EvidencePolarity::Supporting;
    link(tx, origin, &candidate, &found, now)?;
    name_relative(tx, origin.space, &candidate, &found, now)?;
    let cause = if origin.method == ExtractionMethod::User { Cause::Evidence } else { Cause::Extraction };
    let new_source = supports && evidence == Added::NewSource;
    let why = Why { actor: &AgentId::system(), now, cause, new_source };
    let conflicts = settle(tx, &claim, &why)?;
    Ok(Ok(Kept { claim, was, conflicts }))
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

fn find_names(
    tx: &Connection,
    space: &SpaceId,
    candidate: &ClaimCandidate,
    names: &mut FullNames,
    now: EpochMs,
) -> Result<Result<Resolution, Refused>, Fault> {
    let one = |mention: &Mention, resolved: Resolved| match resolved {
        Resolved::One(id, by) => Ok((id, by)),
        Resolved::Ambiguous(candidates) => Err(Refused::Ambiguous(mention.name.clone(), candidates)),
        Resolved::Nobody => Err(Refused::NoName),
    };
    let (subject, subject_match) = match one(&candidate.subject, resolve(tx, space, &candidate.subject, names, now)?) {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let object = match &candidate.object {
        CandidateObject::Entity(mention) => match one(mention, resolve(tx, space, mention, names, now)?) {
            // Nobody is related to themselves: a sign of two names taken for one.
            Ok((id, _)) if id == subject => return Ok(Err(Refused::NoName)),
            Ok((id, by)) => Object::Entity(id, by),
            Err(refused) => return Ok(Err(refused)),
        },
        CandidateObject::Value { text, .. } => {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.is_empty() || text.len() > MAX_VALUE {
                return Ok(Err(Refused::NoValue));
            }
            Object::Value(text)
        }
    };
    let mut found = Resolution {
        subject,
        subject_match,
        object,
        predicate: candidate.predicate.clone(),
        claim_type: candidate.claim_type,
    };
    if let Object::Entity(object, object_match) = &mut found.object
        && !in_order(tx, space, &found.predicate, &found.subject, object)?
    {
        std::mem::swap(object, &mut found.subject);
        std::mem::swap(object_match, &mut found.subject_match);
    }
    Ok(Ok(found))
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

fn new_claim(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
) -> Result<NewClaim, Fault> {
    let name = |id: &EntityId| -> Result<String, Fault> {
        Ok(entities::standing(tx, id)?.map(|entity| entity.name).unwrap_or_default())
    };
    let (value, target, object) = match &found.object {
        Object::Entity(id, _) => (None, Some(id), name(id)?),
        Object::Value(text) => (Some(text.as_str()), None, text.clone()),
    };
    let said = Said {
        space: origin.space,
        claim_type: found.claim_type,
        subject: &found.subject,
        predicate: &found.predicate,
        value,
        target,
        qualifiers: &candidate.qualifiers,
    };
    Ok(NewClaim {
        key: key_of(tx, &said, candidate.polarity)?,
        space: origin.space.clone(),
        subject: found.subject.clone(),
        claim_type: found.claim_type,
        attribute_key: value.map(|_| found.predicate.clone()),
        attribute_value: value.map(str::to_owned),
        target: target.cloned(),
        relationship_type: match target {
            Some(_) => vocabulary::relation(tx, origin.space, &found.predicate)?.map(|known| known.id),
            None => None,
        },
        statement: sentence(
            &name(&found.subject)?,
            &phrase(tx, origin.space, &found.predicate)?,
            &object,
            candidate.polarity,
            &circumstances(&candidate.qualifiers),
        ),
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

/// The key of a claim that says so. A value is compared as what its attribute is known to be, else as text.
pub(crate) fn key_of(tx: &Connection, said: &Said<'_>, polarity: Polarity) -> Result<String, Fault> {
    let kind = vocabulary::attribute(tx, said.space, said.predicate)?.map_or(ValueKind::Text, |known| known.kind);
    let relation = match said.target {
        Some(target) => vocabulary::relation(tx, said.space, said.predicate)?.map(|known| known.id).zip(Some(target)),
        None => None,
    };
    Ok(claim_key(&ClaimIdentity {
        space: said.space,
        claim_type: said.claim_type,
        subject: said.subject,
        attribute: said.value.map(|value| (said.predicate, value, kind)),
        relation: relation.as_ref().map(|(id, target)| (id.as_str(), *target)),
        qualifiers: said.qualifiers,
        polarity,
    }))
}

fn link(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
    now: EpochMs,
) -> Result<(), Fault> {
    let mut mentions = vec![(&found.subject, found.subject_match, "subject", candidate.subject.span)];
    if let (Object::Entity(id, by), CandidateObject::Entity(mention)) = (&found.object, &candidate.object) {
        mentions.push((id, *by, "mention", mention.span));
    }
    for (entity, match_type, link_type, span) in mentions {
        let link = Link { memory: origin.memory, view: origin.view, entity, link_type, match_type, span };
        entities::link(tx, origin.space, &link, now)?;
    }
    Ok(())
}

/// "My sister Ana" tells who "my sister" is: that becomes another name of Ana, unless somebody is known by nothing else.
fn name_relative(
    tx: &Connection,
    space: &SpaceId,
    candidate: &ClaimCandidate,
    found: &Resolution,
    now: EpochMs,
) -> Result<(), Fault> {
    let CandidateObject::Entity(object) = &candidate.object else { return Ok(()) };
    let Object::Entity(object_id, ..) = &found.object else { return Ok(()) };
    if candidate.polarity == Polarity::Negative {
        return Ok(());
    }
    for mention in [&candidate.subject, object] {
        let Referent::OfSpeaker(relation) = &mention.referent else { continue };
        let shown = format!("your {relation}");
        let canonical = canonical_name(&shown);
        let named = canonical_name(&mention.name);
        let bearing = entities::by_name(tx, space, &canonical)?;
        // Who is called so and nothing else stays who they are; of two who are named, neither is meant any more.
        if named == canonical || bearing.iter().any(|other| other.match_type == MatchType::Exact) {
            continue;
        }
        // Subject and object may have changed places since.
        for id in [&found.subject, object_id] {
            if entities::standing(tx, id)?.is_some_and(|entity| canonical_name(&entity.name) == named) {
                entities::add_alias(tx, space, id, &shown, &canonical, now)?;
            }
        }
    }
    Ok(())
}
