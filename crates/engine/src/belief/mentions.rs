//! Where texts name those whom the space knows, claim or no claim: in a memory that is read, and, of whoever it is the first
//! to name as the space knows them now, in what was read before.

use super::entities::{MAX_NAME_WORDS, Words};
use super::extract::Source;
use super::key::canonical_name;
use super::resolve::means_the_person;
use crate::Engine;
use crate::error::{Fault, Outcome};
use std::collections::HashMap;
use um_model::belief::MatchType;
use um_model::capture::Memory;
use um_model::span::Utf16Offsets;
use um_model::{EntityId, MemoryId, SpaceId, Utf16Span, ViewId};
use um_store::{Connection, entities, memories, units};

/// Of so many who are new, earlier passages are looked for.
const NEW: u32 = 20;
/// Of each so many passages, those read last.
const EARLIER: u32 = 50;
/// So many places are kept in one transaction.
const LINKS: usize = 200;
/// In a text so many different names are looked for.
const MAX_NAMES: usize = 2_000;

/// The places at which a text names entities of the space by their name or an alias, each name written with a capital. A
/// name that may mean several names nobody; nor does what the person is called by themselves and others.
fn named_in(c: &Connection, space: &SpaceId, text: &str) -> Result<Vec<(EntityId, String, Utf16Span)>, Fault> {
    let words = Words::of(text);
    let mut known: HashMap<String, Option<EntityId>> = HashMap::new();
    let (mut offsets, mut found, mut at) = (Utf16Offsets::new(text), Vec::new(), 0);
    while at < words.words.len() {
        let longest = if words.capitals(at) == 0 { 0 } else { MAX_NAME_WORDS.min(words.words.len() - at) };
        let mut next = at + 1;
        for count in (1..=longest).rev() {
            let range = words.range(&(at..at + count));
            let canonical = canonical_name(&text[range.clone()]);
            let meant = match known.get(&canonical) {
                Some(meant) => meant.clone(),
                None if known.len() >= MAX_NAMES => None,
                None => {
                    let meant = only(c, space, &canonical)?.map(|(id, _)| id);
                    known.insert(canonical.clone(), meant.clone());
                    meant
                }
            };
            if let Some(id) = meant {
                let span = Utf16Span::new(offsets.unit_at(range.start), offsets.unit_at(range.end));
                found.push((id, canonical, span));
                next = at + count;
                break;
            }
        }
        at = next;
    }
    Ok(found)
}

/// A place where a memory names an entity.
#[derive(Clone)]
struct Place {
    memory: MemoryId,
    view: Option<ViewId>,
    /// In its canonical form.
    name: String,
    span: Utf16Span,
}

/// Keeps where the texts of a memory name whom the space knows, and where earlier ones name whom it made known.
pub(super) fn link_named(engine: &Engine, memory: &Memory, sources: &[Source]) -> Outcome<()> {
    for source in sources {
        let found = engine.read(|c| named_in(c, &memory.space_id, &source.text))?;
        let place = |(_, name, span)| Place { memory: memory.id.clone(), view: source.view.clone(), name, span };
        link(engine, &memory.space_id, &found.into_iter().map(place).collect::<Vec<_>>())?;
    }
    let earlier = engine.read(|c| {
        let mut found = Vec::new();
        for (id, name) in entities::named_only_in(c, &memory.id, NEW)? {
            found.extend(earlier(c, memory, &id, &name)?);
        }
        Ok(found)
    })?;
    link(engine, &memory.space_id, &earlier)
}

/// The places in passages of other memories that name an entity.
fn earlier(c: &Connection, memory: &Memory, id: &EntityId, name: &str) -> Result<Vec<Place>, Fault> {
    let passages = units::with_phrase(c, &memory.space_id, name, &memory.id, EARLIER)?;
    let rids: Vec<i64> = passages.iter().map(|passage| passage.rid).collect();
    let texts: HashMap<i64, String> = units::texts(c, &rids)?.into_iter().map(|unit| (unit.rid, unit.text)).collect();
    let mut found = Vec::new();
    for passage in passages {
        let Some(text) = texts.get(&passage.rid) else { continue };
        for (entity, name, at) in named_in(c, &memory.space_id, text)? {
            if entity == *id {
                let span = Utf16Span::new(passage.start + at.start, passage.start + at.end);
                let (memory, view) = (passage.memory.clone(), passage.view.clone());
                found.push(Place { memory, view, name, span });
            }
        }
    }
    Ok(found)
}

/// Keeps places, in steps.
fn link(engine: &Engine, space: &SpaceId, places: &[Place]) -> Outcome<()> {
    for batch in places.chunks(LINKS) {
        let (batch, space, now) = (batch.to_vec(), space.clone(), engine.now());
        engine.write(move |tx| {
            for Place { memory, view, name, span } in &batch {
                // The memory may have been removed since it was read, and whoever was found merged, or parted from another one.
                if !memories::carries_claims(tx, memory)? {
                    continue;
                }
                let Some((entity, match_type)) = only(tx, &space, name)? else { continue };
                let link = entities::Link {
                    memory,
                    view: view.as_ref(),
                    entity: &entity,
                    link_type: "mention",
                    match_type,
                    span: Some(*span),
                };
                entities::link(tx, &space, &link, now)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The one entity that bears a canonical name.
fn only(c: &Connection, space: &SpaceId, canonical: &str) -> Result<Option<(EntityId, MatchType)>, Fault> {
    if canonical.is_empty() || means_the_person(canonical) {
        return Ok(None);
    }
    let found = entities::by_name(c, space, canonical)?;
    let exact = found.iter().any(|named| named.match_type == MatchType::Exact);
    let mut fitting = found.into_iter().filter(|named| !exact || named.match_type == MatchType::Exact);
    match (fitting.next(), fitting.next()) {
        (Some(named), None) => Ok(Some((named.id, named.match_type))),
        _ => Ok(None),
    }
}
