//! From a pack back to what stands behind its items, as it is now: whole memories, the passages around a passage, the words that a fact
//! rests on, and what had no room in the pack. Or the pack itself, as it was handed over.

use super::count::Counter;
use super::gather::{Believed, Candidate, Gathered, LOW_TRUST, believed, in_words, item, object};
use super::{Asked, check_budget, pack, shown, text};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use um_model::capture::Memory;
use um_model::work::*;
use um_model::{ApiError, BlockId, ClaimId, EpochMs, ErrorCode, MemoryId, MemoryStatus, PackId, ResourceId};
use um_store::contexts::{self, Kept, Named};
use um_store::filter::Then;
use um_store::{Connection, blocks, briefs, claims, items, memories, resources, units};

/// The budget where nothing is said, in tokens.
const BUDGET: u32 = 8_000;
/// So many words of sources are told of a fact.
const SAID: u32 = 5;

/// Fetches what stands behind the items of a pack, or the pack as it was handed over.
pub(crate) fn context_hydrate(engine: &Engine, caller: &Caller, request: ContextHydrate) -> Outcome<Hydrated> {
    if request.as_handed {
        return as_handed(engine, caller, &request);
    }
    let budget = check_budget(Some(request.budget_tokens.unwrap_or(BUDGET)))?;
    let counter = Counter::of(request.model.as_deref());
    let (packed, gone, is_redacted) = engine.read(|c| {
        let kept = kept(c, caller, (&request.pack, engine.now()), || unknown(&request))?;
        let (mut candidates, mut gone) = (Vec::new(), Vec::new());
        let mut numbers = numbers(&kept);
        for one in wanted(&kept, &request)? {
            match behind(c, caller, (one, kept.utc_offset, engine.now()))? {
                Some(mut candidate) => {
                    // What the pack left out is numbered on after what it cites.
                    candidate.citation.get_or_insert_with(|| {
                        let number = numbers.entry(one.part).or_default();
                        *number += 1;
                        format!("{}{number}", text::letter(one.part))
                    });
                    candidates.push(candidate);
                }
                None => gone.push(Gone { citation: one.citation.clone(), part: one.part, item: one.item.clone() }),
            }
        }
        let at = crate::scopes::resolve_at(c, caller, Some(kept.space.as_str()), None)?;
        let (recall, then, utc_offset) = (None, Then::default(), kept.utc_offset);
        let asked = Asked { policy: Policy::Auto, query: None, counter, recall, utc_offset, then };
        let gathered = Gathered { candidates, ..Gathered::default() };
        let packed = pack::pack(c, (&at, &asked), gathered, (budget, engine.now()))?;
        Ok((packed, gone, kept.is_redacted))
    })?;
    let known = RefCell::default();
    let packed = packed.finish(|pack| shown::to(engine, caller, (&Value::Null, &known), pack))?;
    Ok(Hydrated {
        pack: request.pack,
        budget_tokens: budget,
        estimated_tokens: packed.estimated_tokens,
        counted_by: packed.counted_by,
        items: packed.items,
        left_out: packed.left_out,
        left_out_total: packed.left_out_total,
        gone,
        is_redacted,
        verification_warnings: Vec::new(),
        recall_warnings: Vec::new(),
        full_text: packed.full_text,
        text_hash: packed.text_hash,
    })
}

/// A pack as it was handed over: with what is hidden from the caller by now hidden, and only where the caller may read all of it still.
fn as_handed(engine: &Engine, caller: &Caller, request: &ContextHydrate) -> Outcome<Hydrated> {
    let asks_for_parts = !request.citations.is_empty() || !request.items.is_empty();
    if asks_for_parts || request.budget_tokens.is_some() || request.model.is_some() {
        return Err(invalid("A pack as it was handed over is given whole.").hint("Give as_handed with pack alone."));
    }
    let (mut pack, is_redacted) = engine.read(|c| {
        let kept = kept(c, caller, (&request.pack, engine.now()), || unknown(request))?;
        let mut pack = contexts::handed(c, &request.pack)?.ok_or_else(|| unknown(request))?;
        still_reads(c, caller, &pack)?;
        // It names the first of them alone.
        pack.left_out_total = pack.left_out_total.max(text::left_out(&pack.full_text));
        Ok((pack, kept.is_redacted))
    })?;
    let known = RefCell::default();
    let shown = |pack: &Briefing| shown::to(engine, caller, (&Value::Null, &known), pack);
    if let Some(seen) = shown(&pack)? {
        // What is hidden in an item is known by where it stands: its lines say it as it is shown. The items are hidden as they leave, like
        // those of any answer: of words that are hidden already nobody knows where they stand.
        let said = text::with_items(&pack.full_text, &seen.of(&pack.items)).ok_or_else(|| unknown(request))?;
        let text = std::mem::replace(&mut pack.full_text, said);
        if let Some(seen) = shown(&pack)? {
            pack.full_text = seen.text;
        }
        // The hash of hidden words would tell a guess.
        if pack.full_text != text {
            pack.text_hash = format!("{:x}", Sha256::digest(&pack.full_text));
        }
    }
    Ok(Hydrated {
        pack: request.pack.clone(),
        budget_tokens: pack.budget_tokens,
        estimated_tokens: pack.estimated_tokens,
        counted_by: pack.counted_by,
        items: pack.items,
        left_out: pack.left_out,
        left_out_total: pack.left_out_total,
        gone: Vec::new(),
        is_redacted,
        verification_warnings: pack.verification_warnings,
        recall_warnings: pack.recall_warnings,
        full_text: pack.full_text,
        text_hash: pack.text_hash,
    })
}

/// All that a pack tells of lies where the caller reads, and none of it was taken from agents since.
fn still_reads(c: &Connection, caller: &Caller, pack: &Briefing) -> Result<(), Fault> {
    let closed = || {
        ApiError::new(ErrorCode::Forbidden, "Something in that pack is not yours to read any more.")
            .hint("Without as_handed you get what you still read of it.")
    };
    let packed = pack.items.iter().map(|item| (&item.item, &item.space_id));
    for (item, space) in packed.chain(pack.left_out.iter().map(|left| (&left.item, &left.space_id))) {
        crate::spaces::open(c, caller, Some(space.clone()), closed)?;
        if caller.is_agent() && item.item_type == ItemType::Memory {
            let memory = memories::by_id(c, &parsed(&item.id, MemoryId::parse)?)?;
            if memory.is_none_or(|memory| memory.status == MemoryStatus::Deleted) {
                return Err(closed().into());
            }
        }
        if caller.is_agent() && is_taken_away(c, item)? {
            return Err(closed().into());
        }
    }
    Ok(())
}

/// Whether something other than a memory was removed or put out of force since: what stands behind it is not told either.
fn is_taken_away(c: &Connection, item: &ItemRef) -> Result<bool, Fault> {
    let named = Named { citation: None, part: Part::Knowledge, item: item.key(), unit: None };
    // Nothing but memories goes by the time.
    Ok(item.item_type != ItemType::Memory && whole(c, (&named, 0, 0))?.is_none())
}

fn unknown(request: &ContextHydrate) -> ApiError {
    not_found("pack", request.pack.as_str())
        .hint("Packs are kept for a while, for whoever asked for them: compile it again.")
}

/// A pack that was handed to the caller, or any for the person.
pub(super) fn kept(
    c: &Connection,
    caller: &Caller,
    (pack, now): (&PackId, EpochMs),
    unknown: impl Fn() -> ApiError,
) -> Result<Kept, Fault> {
    crate::spaces::open(c, caller, contexts::space_of(c, pack)?, &unknown)?;
    let kept = contexts::by_id(c, pack, now)?;
    Ok(kept.filter(|kept| !caller.is_agent() || kept.actor == caller.actor).ok_or_else(unknown)?)
}

/// What is asked for of a pack: all that it cites, where nothing is named.
fn wanted<'a>(kept: &'a Kept, request: &ContextHydrate) -> Outcome<Vec<&'a Named>> {
    let is_named = |one: &Named| match (request.citations.is_empty(), request.items.is_empty()) {
        (true, true) => one.citation.is_some(),
        _ => {
            one.citation.as_ref().is_some_and(|cited| request.citations.iter().any(|asked| is_citation(asked, cited)))
                || request.items.contains(&one.item)
        }
    };
    let cited =
        |asked: &String| kept.named.iter().filter_map(|one| one.citation.as_ref()).any(|one| is_citation(asked, one));
    if let Some(unknown) = request.citations.iter().find(|asked| !cited(asked)) {
        return Err(invalid(format!("The pack cites nothing as {unknown:?}.")));
    }
    if let Some(unknown) = request.items.iter().find(|asked| kept.named.iter().all(|one| one.item != **asked)) {
        return Err(invalid(format!("The pack has no {} {:?}.", unknown.item_type.called(), unknown.id)));
    }
    Ok(kept.named.iter().filter(|one| is_named(one)).collect())
}

/// The last number that a pack cites of each part.
fn numbers(kept: &Kept) -> BTreeMap<Part, u32> {
    let mut last: BTreeMap<Part, u32> = BTreeMap::new();
    for one in &kept.named {
        let number = one.citation.as_deref().and_then(|citation| citation.get(1..)?.parse().ok());
        let known = last.entry(one.part).or_default();
        *known = (*known).max(number.unwrap_or_default());
    }
    last
}

/// Whether a citation is meant, with its brackets or without them.
fn is_citation(asked: &str, cited: &str) -> bool {
    asked.trim().trim_matches(['[', ']']).eq_ignore_ascii_case(cited)
}

/// What stands behind an item now, where it is there and the caller reads it, by a clock that is so many minutes ahead of UTC.
fn behind(
    c: &Connection,
    caller: &Caller,
    (one, utc_offset, now): (&Named, i32, EpochMs),
) -> Result<Option<Candidate>, Fault> {
    let Some(found) = items::by_key(c, &one.item)? else { return Ok(None) };
    let unknown = || not_found(one.item.item_type.called(), &one.item.id);
    if crate::spaces::open(c, caller, Some(found.space_id.clone()), unknown).is_err() {
        return Ok(None);
    }
    let Some(whole) = whole(c, (one, utc_offset, now))? else { return Ok(None) };
    let (low_trust, by) = match &whole.actor {
        Some(actor) => (briefs::trust(c, &found.space_id, actor)? < LOW_TRUST, briefs::agent_name(c, actor)?),
        None => (whole.is_doubted, whole.by),
    };
    Ok(Some(Candidate {
        part: one.part,
        because: Because::Named,
        citation: one.citation.clone(),
        item: item(found.item_type, &found.id, &found.space_id, &found.title),
        text: whole.text,
        low_trust,
        by,
        source_event_ids: whole.source_event_ids,
        metadata: whole.metadata,
        mark: whole.mark,
    }))
}

/// What an item says in full.
#[derive(Default)]
struct Whole {
    text: String,
    /// Who says it; nobody where that is not known.
    actor: Option<um_model::AgentId>,
    /// Whether it is to be relied on little, where nobody says it.
    is_doubted: bool,
    /// What the agent is called whose word a fact is, where it is one's.
    by: Option<String>,
    source_event_ids: Vec<um_model::EventId>,
    metadata: Map<String, Value>,
    mark: String,
}

fn whole(c: &Connection, (one, utc_offset, now): (&Named, i32, EpochMs)) -> Result<Option<Whole>, Fault> {
    let id = one.item.id.as_str();
    Ok(match one.item.item_type {
        ItemType::CoreBlock => {
            blocks::by_id(c, &parsed(id, BlockId::parse)?)?.filter(|block| block.is_active).map(|block| Whole {
                text: block.content,
                actor: Some(block.actor_id),
                metadata: block.metadata,
                ..Whole::default()
            })
        }
        ItemType::Memory => memory(c, one, now)?,
        ItemType::Entry => briefs::entry_by_id(c, id)?.map(|entry| Whole {
            text: in_words(&serde_json::from_str(&entry.body).unwrap_or_default(), utc_offset),
            is_doubted: entry.actor.is_none(),
            actor: entry.actor,
            metadata: object(serde_json::from_str(&entry.metadata).unwrap_or_default()),
            ..Whole::default()
        }),
        ItemType::SessionState | ItemType::Session => {
            let state = briefs::state(c, (id, one.item.item_type == ItemType::Session))?;
            state.map(|state| Whole {
                text: super::gather::in_hand(&state),
                actor: Some(state.actor),
                source_event_ids: state.source_event_ids,
                ..Whole::default()
            })
        }
        ItemType::Resource => {
            let stored = resources::by_id(c, &parsed(id, ResourceId::parse)?)?.filter(|stored| stored.is_active);
            stored.map(|stored| Whole {
                text: super::gather::addressed(&stored.resource),
                actor: Some(stored.resource.actor_id),
                source_event_ids: stored.resource.source_event_ids,
                metadata: stored.resource.metadata,
                ..Whole::default()
            })
        }
        ItemType::Claim => fact(c, id)?,
        // Packs are made of nothing else.
        ItemType::Artifact | ItemType::Event | ItemType::Entity | ItemType::Space => None,
    })
}

/// A memory in its own words; of a file, the passage with those around it. What went out of use since, as its time came or a newer one
/// stands in its place, no pack would find now, and it is not handed out as if it were so.
fn memory(c: &Connection, one: &Named, now: EpochMs) -> Result<Option<Whole>, Fault> {
    let known = memories::by_id(c, &parsed(&one.item.id, MemoryId::parse)?)?;
    // Its time may have come before it was taken out of use.
    let is_in_use =
        |memory: &Memory| memory.status == MemoryStatus::Active && memory.expires_at.is_none_or(|at| at > now);
    let Some(memory) = known.filter(is_in_use) else { return Ok(None) };
    let passage = match &one.unit {
        Some(unit) => units::around(c, unit)?.map(|(_, text)| (text, object(json!({ "unit": unit })))),
        None => memory.content.clone().map(|text| (text, Map::new())),
    };
    Ok(passage.map(|(text, metadata)| Whole { text, metadata, actor: Some(memory.actor_id), ..Whole::default() }))
}

/// A fact, and what it rests on in the words of the sources.
fn fact(c: &Connection, id: &str) -> Result<Option<Whole>, Fault> {
    let Some(fact) = claims::by_id(c, &parsed(id, ClaimId::parse)?)? else { return Ok(None) };
    let Believed { mark, low_trust, by, source_event_ids } = believed(c, &fact, None)?;
    let mut lines = vec![fact.statement];
    lines.extend(briefs::said_of(c, id, SAID)?.into_iter().map(|said| format!("Said: {said}")));
    lines.dedup();
    let metadata = object(json!({ "state": fact.state, "confidence": fact.confidence }));
    Ok(Some(Whole { text: lines.join("\n"), actor: None, is_doubted: low_trust, by, source_event_ids, metadata, mark }))
}

fn parsed<T>(id: &str, parse: impl Fn(String) -> Result<T, um_model::InvalidId>) -> Result<T, Fault> {
    parse(id.to_owned()).map_err(|error| invalid(error.to_string()).into())
}
