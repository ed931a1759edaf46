//! Facts, and those whom they name. A fact goes with the words that carry it: of each source one memory is made in the
//! target that has these words and no others, and the fact's evidence there quotes that.

use super::copy::To;
use crate::belief::{FullNames, Origin, Refused, canonical_name, may_be, record};
use crate::error::{Fault, not_found};
use crate::extract::Text;
use crate::ingest::{cut_units, text_hash};
use std::collections::BTreeMap;
use um_model::belief::{
    CandidateObject, ClaimCandidate, EvidencePolarity, ExtractionMethod, MatchType, Mention, Referent, ValueKind,
};
use um_model::capture::Memory;
use um_model::claims::{Claim, ClaimObject, Entity, EntityRef};
use um_model::span::utf16_len;
use um_model::{ApiError, EntityId, ErrorCode, MemoryId, SpaceId, Utf16Span};
use um_store::entities::{self, Named};
use um_store::evidence::{self, Found};
use um_store::promotions::{Copied, Lineage, copy_memory, led};
use um_store::units::{self, Source};
use um_store::{Connection, Transaction, memories, vocabulary};

/// Of a fact with more quotes than this, so many are copied: the first ones.
const QUOTES: u32 = 100;

/// Somebody in the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whom {
    /// This one, whom the target knows.
    Known(EntityId),
    /// The target knows nobody of that name.
    New,
    /// One of several.
    Several,
}

/// Whom an entity is in the target: by its name, or by itself where every space may name it.
pub(super) fn whom(c: &Connection, target: &SpaceId, entity: &Entity) -> Result<Whom, Fault> {
    if entity.space_id == SpaceId::global() {
        return Ok(Whom::Known(entity.id.clone()));
    }
    let mut found: Vec<Named> = entities::by_name(c, target, &canonical_name(&entity.name))?;
    found.retain(|named| may_be(named.entity_type, entity.entity_type));
    // Whoever bears the name itself comes before whoever is also called so.
    if found.iter().filter(|named| named.match_type == MatchType::Exact).count() == 1 {
        found.retain(|named| named.match_type == MatchType::Exact);
    }
    Ok(match found.as_slice() {
        [] => Whom::New,
        [one] => Whom::Known(one.id.clone()),
        _ => Whom::Several,
    })
}

/// An entity in use, with the names that its own space has for it.
pub(super) fn entity_in(c: &Connection, source: &SpaceId, id: &EntityId) -> Result<Option<Entity>, Fault> {
    let Some(standing) = entities::standing(c, id)? else { return Ok(None) };
    Ok(entities::by_id(c, &standing.id, std::slice::from_ref(source))?)
}

/// Finds an entity in the target, or copies it with its other names.
pub(super) fn entity(
    tx: &Transaction<'_>,
    to: &To<'_>,
    entity: &Entity,
    lineage: &mut Lineage,
) -> Result<EntityId, Fault> {
    let target = &to.target.id;
    let id = match whom(tx, target, entity)? {
        Whom::Known(id) => id,
        Whom::Several => {
            let message = format!("More than one is named \"{}\" in {}.", entity.name, to.target.name);
            return Err(ApiError::new(ErrorCode::Ambiguous, message).into());
        }
        Whom::New => {
            let canonical = canonical_name(&entity.name);
            let id = entities::insert(tx, target, &entity.name, &canonical, entity.entity_type, to.now)?;
            led(lineage, "entities", entity.id.as_str(), id.as_str());
            to.audit(tx, "entity.promoted", ("entities", id.as_str()), (entity.id.as_str(), &entity.space_id))?;
            id
        }
    };
    for alias in entity.aliases.iter().filter(|_| entity.space_id != SpaceId::global()) {
        entities::add_alias(tx, target, &id, alias, &canonical_name(alias), to.now)?;
    }
    Ok(id)
}

/// The words of one source that carry a fact.
#[derive(Debug, Clone)]
pub(super) struct Quoted {
    /// The memory that the source leads to.
    pub(super) memory: MemoryId,
    /// The pieces of evidence, with where each one's words stand in `text`.
    pub(super) pieces: Vec<(Found, Utf16Span)>,
    /// The words, each quote once and on a line of its own.
    pub(super) text: String,
}

/// The quotes that carry a fact, by their sources. Blacked out, missing and neutral ones are none.
pub(super) fn quotes(c: &Connection, claim: &Claim) -> Result<Vec<Quoted>, Fault> {
    let mut found = evidence::of_claims(c, std::slice::from_ref(&claim.id), QUOTES)?;
    found.retain(|piece| {
        let says = matches!(piece.polarity, EvidencePolarity::Supporting | EvidencePolarity::Contradicting);
        says && piece.in_use && !piece.redacted && piece.drift != "missing" && !piece.quote.trim().is_empty()
    });
    let mut sources: BTreeMap<MemoryId, Vec<Found>> = BTreeMap::new();
    for piece in found {
        sources.entry(piece.memory.clone()).or_default().push(piece);
    }
    Ok(sources.into_iter().map(|(memory, pieces)| quoted(memory, pieces)).collect())
}

fn quoted(memory: MemoryId, mut found: Vec<Found>) -> Quoted {
    found.sort_by_key(|piece| (piece.span.start, piece.span.end));
    let mut text = String::new();
    let mut spans: BTreeMap<String, Utf16Span> = BTreeMap::new();
    let mut pieces = Vec::new();
    for piece in found {
        let span = *spans.entry(piece.quote.clone()).or_insert_with(|| {
            if !text.is_empty() {
                text.push('\n');
            }
            let start = utf16_len(&text);
            text.push_str(&piece.quote);
            Utf16Span::new(start, start + utf16_len(&piece.quote))
        });
        pieces.push((piece, span));
    }
    Quoted { memory, pieces, text }
}

/// Copies a fact. Gives the id of the one that stands for it in the target.
pub(super) fn claim(tx: &Transaction<'_>, to: &To<'_>, claim: &Claim, lineage: &mut Lineage) -> Result<String, Fault> {
    let end = |lineage: &mut Lineage, end: &EntityRef| -> Result<Mention, Fault> {
        let found = entity_in(tx, &claim.space_id, &end.id)?.ok_or_else(|| not_found("entity", end.id.as_str()))?;
        let id = entity(tx, to, &found, lineage)?;
        let (name, entity_type) = (found.name, found.entity_type);
        Ok(Mention { name, referent: Referent::Known(id), entity_type, span: None })
    };
    let subject = end(lineage, &claim.subject)?;
    let object = match &claim.object {
        ClaimObject::Entity(other) => CandidateObject::Entity(end(lineage, other)?),
        ClaimObject::Value(text) => CandidateObject::Value { text: text.clone(), kind: ValueKind::Text },
    };
    define(tx, to, claim)?;
    let mut candidate = ClaimCandidate {
        claim_type: claim.claim_type,
        subject,
        predicate: claim.predicate.clone(),
        object,
        qualifiers: claim.qualifiers.clone(),
        polarity: claim.polarity,
        quote: Utf16Span::new(0, 0),
        confidence: 0.0,
        valid_from: claim.telling.window.0,
        valid_to: claim.telling.window.1,
    };
    let mut kept = None;
    for quoted in quotes(tx, claim)? {
        let memory = memories::by_id(tx, &quoted.memory)?.ok_or_else(|| not_found("memory", quoted.memory.as_str()))?;
        let copy = quote_memory(tx, to, &memory, &quoted.text, lineage)?;
        for (piece, span) in &quoted.pieces {
            (candidate.quote, candidate.confidence) = (*span, piece.confidence);
            let origin = Origin {
                space: &to.target.id,
                memory: &copy,
                view: None,
                segments: &[],
                text: &quoted.text,
                observed_at: memory.occurred_at.unwrap_or(memory.created_at),
                // Whoever approves says nothing: a file of no known day has none in the target either.
                said_at: memories::said_at(tx, &quoted.memory)?,
                author: &piece.actor,
                // Whoever approved looked at it: no later reading of the words alone takes it back.
                method: ExtractionMethod::User,
                polarity: piece.polarity,
                decides: None,
            };
            match record(tx, &origin, std::slice::from_ref(&candidate), &FullNames::default(), to.now)?.remove(0) {
                Ok(one) => {
                    // On words that the target had already, this alone goes with what it was copied from.
                    if let Some(made) = &one.piece {
                        led(lineage, "claim_evidence", piece.id.as_str(), made.as_str());
                    }
                    kept = Some(kept.unwrap_or(one));
                }
                Err(refused) => return Err(unfit(&refused).into()),
            }
        }
    }
    let Some(kept) = kept else { return Err(not_found("quote of claim", claim.id.as_str()).into()) };
    if kept.was.is_none() {
        led(lineage, "claims", claim.id.as_str(), kept.claim.as_str());
    }
    to.audit(tx, "claim.promoted", ("claims", kept.claim.as_str()), (claim.id.as_str(), &claim.space_id))?;
    Ok(kept.claim.to_string())
}

fn unfit(refused: &Refused) -> ApiError {
    let why = match refused {
        Refused::NoQuote => "its words are empty",
        Refused::NoName => "its names mean one and the same there",
        Refused::NoValue => "its value has no words",
        Refused::Ambiguous(..) => "a name of it may mean several there",
    };
    ApiError::new(ErrorCode::Conflict, format!("The target cannot hold this fact: {why}."))
        .hint("State it there in other words: umem facts add.")
}

/// A memory of the target that has the words of a source which carry a fact, and no others. Nothing is read from it anew.
fn quote_memory(
    tx: &Transaction<'_>,
    to: &To<'_>,
    source: &Memory,
    text: &str,
    lineage: &mut Lineage,
) -> Result<MemoryId, Fault> {
    let hash = text_hash(text);
    if let Some(known) = memories::by_hash(tx, &to.target.id, &hash)? {
        to.use_known(tx, &known, source)?;
        return Ok(known.id);
    }
    let copied = Copied { words: Some((text, &hash)), artifact: None };
    let id = copy_memory(tx, &source.id, &to.target.id, &copied, to.now)?;
    led(lineage, "memories", source.id.as_str(), id.as_str());
    let cut = cut_units(&Text::plain(text.to_owned()));
    units::insert(tx, &to.target.id, &id, Source::Memory(&id), source.title.as_deref().unwrap_or(""), &cut, to.now)?;
    to.found_and_looked_through(tx, source, &id)?;
    Ok(id)
}

/// Lets the target know what the fact is stated with, where only the source knows that.
fn define(tx: &Transaction<'_>, to: &To<'_>, claim: &Claim) -> Result<(), Fault> {
    let target = &to.target.id;
    let is_known = match claim.object {
        ClaimObject::Entity(_) => vocabulary::relation(tx, target, &claim.predicate)?.is_some(),
        ClaimObject::Value(_) => vocabulary::attribute(tx, target, &claim.predicate)?.is_some(),
    };
    if is_known {
        return Ok(());
    }
    let relates = matches!(claim.object, ClaimObject::Entity(_));
    let own = vocabulary::list(tx, std::slice::from_ref(&claim.space_id))?;
    if let Some(known) =
        own.iter().map(|known| &known.predicate).find(|p| p.relates == relates && p.name == claim.predicate)
    {
        vocabulary::define(tx, target, known, to.now)?;
    }
    Ok(())
}
