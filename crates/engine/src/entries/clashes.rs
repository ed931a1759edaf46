//! Two versions of an entry that were written without regard to one another: seen and decided.

use super::find;
use super::save::{self, MAX_REASON, check_body};
use crate::access::told;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine};
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EntryConflictId, ErrorCode, SpaceId};
use um_store::Connection;
use um_store::entries::clashes;
use um_store::rejected::Remark;

/// Lists conflicts between versions.
pub(crate) fn clashes_list(engine: &Engine, caller: &Caller, request: ClashesList) -> Outcome<ClashesListed> {
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|space| space.id).collect();
        // Both versions are told whole, so that they can be put together.
        let limit = request.limit.unwrap_or(20).clamp(1, 50);
        let page = (request.offset, limit);
        let (clashes, total) = clashes::list(c, &spaces, request.entry.as_ref(), request.resolved, page)?;
        Ok(ClashesListed { clashes, total })
    })
}

fn by_id(c: &Connection, caller: &Caller, id: &EntryConflictId) -> Result<Clash, Fault> {
    let found = clashes::by_id(c, id)?;
    let unknown = || not_found("conflict between versions", id.as_str());
    crate::spaces::open(c, caller, found.as_ref().map(|clash| clash.space_id.clone()), unknown)?;
    found.ok_or_else(|| unknown().into())
}

/// Decides between two versions.
pub(crate) fn clash_resolve(engine: &Engine, caller: &Caller, request: ClashResolve) -> Outcome<Clash> {
    let note = request.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
    if caller.is_agent() && note.is_none() {
        let error = ApiError::new(ErrorCode::Forbidden, "An agent says on whose word it decides.");
        return Err(error.hint("Ask the person, and give their words as the note."));
    }
    if note.is_some_and(|note| note.len() > MAX_REASON) {
        return Err(ApiError::new(ErrorCode::TextTooLong, format!("A note has at most {MAX_REASON} bytes.")));
    }
    if (request.outcome == ClashOutcome::Merged) != request.body.is_some() {
        return Err(invalid("A body is given where both are merged, and nowhere else."));
    }
    pass_merged(engine, caller, &request)?;
    let (writer, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let note = note.map(str::to_owned);
    let clash = engine.write(move |tx| {
        let clash = by_id(tx, &writer, &request.clash)?;
        if let Some(outcome) = clash.outcome {
            let error = ApiError::new(ErrorCode::Conflict, format!("It was decided already: {outcome}."));
            return Err(error.hint("Write a new version to change what counts.").into());
        }
        let entry = find(tx, &writer, &clash.entry_id)?;
        save::refuse_of_others(tx, &writer, &entry)?;
        let door = Door::of(&key, &clash.space_id);
        let counts = match (request.outcome, &request.body) {
            (ClashOutcome::KeepA, _) => Some(&clash.a.body),
            (ClashOutcome::KeepB, _) => Some(&clash.b.body),
            (ClashOutcome::Merged, body) => body.as_ref(),
            (ClashOutcome::Dismissed, _) => None,
        };
        if let Some(body) = counts.filter(|body| **body != entry.version.body) {
            check_body(body, entry.entry_type)?;
            let reason = format!("Decided between versions {} and {}.", clash.a.number, clash.b.number);
            save::append(tx, &writer, &door, (&entry, body, &reason), now)?;
        }
        let said = door.pass(tx, Remark(note.as_deref()))?;
        clashes::resolve(tx, &clash.id, request.outcome, &said, &writer.actor, now)?;
        let payload = serde_json::json!({ "outcome": request.outcome, "entry": clash.entry_id });
        let object = ("entry_conflicts", clash.id.as_str());
        Engine::audit(tx, &writer, "clash.resolved", object, &clash.space_id, payload, now)?;
        by_id(tx, &writer, &clash.id)
    })?;
    engine.tell(Event::Work);
    Ok(told(caller, clash))
}

/// What an agent merges may be held for the person, as a version that it would write.
fn pass_merged(engine: &Engine, caller: &Caller, request: &ClashResolve) -> Outcome<()> {
    let Some(body) = request.body.as_ref().filter(|_| caller.is_agent()) else { return Ok(()) };
    let (door, save) = engine.read(|c| {
        let clash = by_id(c, caller, &request.clash)?;
        let entry = find(c, caller, &clash.entry_id)?;
        let save = EntrySave {
            space: entry.session_id.is_none().then(|| entry.space_id.to_string()),
            session: entry.session_id.clone(),
            entry_type: entry.entry_type,
            name: entry.name.clone(),
            category: entry.category,
            priority: Some(entry.priority),
            body: body.clone(),
            change_reason: request.note.clone(),
            base_version: Some(entry.version.number),
            metadata: serde_json::Map::new(),
            tags: Vec::new(),
        };
        Ok((Door::compared(c, engine.key(), &clash.space_id, &save::Given(&save))?, save))
    })?;
    crate::held::pass(engine, caller, door, |_| Ok(crate::held::Written::entry(&save))).map(drop)
}
