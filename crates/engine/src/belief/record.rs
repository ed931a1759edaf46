//! Keeping what an extractor proposes (spine 6.2): each candidate is checked against its source, finds or makes
//! its entities and its claim, adds its quote as evidence, and is settled. All of a text in one transaction.

use super::full_names::FullNames;
use super::held;
use super::key::{ClaimIdentity, claim_key, fact_key};
use super::names::{self, Object, Resolution};
use super::quotes::{Added, add_evidence};
use super::settle::{Why, settle};
use super::words::{circumstances, phrase, sentence};
use crate::error::Fault;
use std::collections::BTreeMap;
use um_model::belief::{
    CandidateObject, ClaimCandidate, ClaimState, ClaimType, EntityType, EvidencePolarity, ExtractionMethod, Mention,
    Polarity, Referent, ValueKind,
};
use um_model::claims::{Claim, ClaimObject};
use um_model::{
    AgentId, ClaimId, ConflictId, EntityId, EpochMs, MemoryId, SegmentId, SpaceId, Utf16Span, ViewId, predicates,
};
use um_store::claims::{self, Cause, Keys, NewClaim, Window, WindowCause};
use um_store::entities::{self, Named};
use um_store::{Connection, evidence, vocabulary};

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
    pub(crate) observed_at: EpochMs,
    /// Who says that its words say so: whoever states it, else whose words they are.
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
    /// The change of the time in which it is so, where it was known before and this told more of it.
    pub(crate) timed: Option<String>,
    /// When it is so, where that is not what was said now.
    pub(crate) stays: Option<Window>,
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
    let new = new_claim(tx, origin, candidate, found)?;
    let (claim, created) = claims::upsert(tx, &new, now)?;
    let known = if created { None } else { claims::by_id(tx, &claim)? };
    let evidence = add_evidence(tx, origin, &claim, candidate, quote, now)?;
    let new_source = supports(origin) && evidence == Added::NewSource;
    let (timed, stays) = match &known {
        Some(known) if origin.method == ExtractionMethod::User && supports(origin) => {
            narrow(tx, known, &new, (origin.author, new_source), now)?
        }
        _ => (None, None),
    };
    names::link(tx, origin, found, now)?;
    names::name_relative(tx, origin, candidate, found, now)?;
    let cause = if origin.method == ExtractionMethod::User { Cause::Evidence } else { Cause::Extraction };
    let why = Why { actor: &AgentId::system(), now, cause, new_source };
    let conflicts = settle(tx, &claim, &why)?;
    Ok(Kept { claim, was: known.map(|known| known.state), timed, stays, conflicts })
}

fn supports(origin: &Origin<'_>) -> bool {
    origin.polarity == EvidencePolarity::Supporting
}

/// Fills in the ends of a known claim's time that nobody told before. What is told otherwise already stays as it is,
/// unless a new source brings a claim back that was taken back: what that says is all that is known then. The time of a
/// claim that is disputed, as it may settle the conflict, or that others speak for as well, is the person's to say. Gives
/// the change, if there was one, and when it is so, where that is not what was said now.
fn narrow(
    tx: &Connection,
    known: &Claim,
    new: &NewClaim,
    (author, new_source): (&AgentId, bool),
    at: EpochMs,
) -> Result<(Option<String>, Option<Window>), Fault> {
    let (told, said) = ((known.valid_from, known.valid_to), (new.valid_from, new.valid_to));
    if said == (None, None) {
        return Ok((None, None));
    }
    let is_persons = *author == AgentId::owner();
    let filled = match known.state {
        ClaimState::Disputed if !is_persons => told,
        ClaimState::Asserted if !is_persons && !evidence::only_by(tx, &known.id, author)? => told,
        ClaimState::Asserted | ClaimState::Disputed => (told.0.or(said.0), told.1.or(said.1)),
        ClaimState::Draft | ClaimState::Retracted | ClaimState::Superseded if new_source => said,
        _ => told,
    };
    let makes_sense = filled.0.zip(filled.1).is_none_or(|(from, until)| from < until);
    let now = if makes_sense { filled } else { told };
    let change = claims::set_window(tx, &known.id, now, WindowCause::Told, author, at)?;
    let kept = |said: Option<EpochMs>, now: Option<EpochMs>| said.is_none() || said == now;
    Ok((change, (!kept(said.0, now.0) || !kept(said.1, now.1)).then_some(now)))
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
        statement: sentence(
            &name(&found.subject.id)?,
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
