//! Adding many texts at once: each is kept as it would be alone, by the same rules, all in one transaction with one entry in
//! the ledger. What is refused of them costs the others nothing. What each is about (its scope, its tags) is read with its claims,
//! in the background: to read all before any is kept would take longer than to keep them.

use super::met::met;
use super::remember::{self, Given, Kept, MadeOf, Ready, keep};
use crate::error::{Fault, Outcome};
use crate::forget::Door;
use crate::held::{self, Written};
use crate::scopes::resolve_at;
use crate::{Caller, Engine};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use um_model::health::Event;
use um_model::memories::{MAX_ADDED, MAX_ADDED_BYTES, MemoriesAdd, MemoriesAdded, MemoryAdded, MemoryText};
use um_model::{ApiError, ErrorCode, JobKind, MemoryId, SpaceId};
use um_store::{Connection, Transaction, jobs};

/// A thread for fewer texts costs more than it brings.
const SHARE: usize = 64;

/// Keeps many texts as memories of one space. What an agent writes may be held for the person.
pub(crate) fn memories_add(engine: &Engine, caller: &Caller, request: MemoriesAdd) -> Outcome<MemoriesAdded> {
    let MemoriesAdd { space, memories } = request;
    // Whoever may not write there is told that, and not of each text.
    let at = engine.read(|c| resolve_at(c, caller, Some(&space), None))?;
    check(&memories)?;
    let (space, session) = (at.space.id, at.session.map(|session| session.to_string()));
    let look = |text: &MemoryText| {
        let mut request = text.clone().in_space(space.to_string());
        request.session = request.session.or_else(|| session.clone());
        remember::ready(engine, caller, request)
    };
    let (door, mut ready) = compared(engine, &space, each(&memories, look))?;
    if caller.is_agent() {
        let passed = |one: Outcome<Ready>| one.and_then(|one| hold(engine, caller, &space, &one).map(|_| one));
        ready = ready.into_iter().map(passed).collect();
    }
    let (writer, now, ready) = (caller.clone(), engine.now(), Arc::new(ready));
    let texts = ready.clone();
    let kept = engine.write(move |tx| keep_all(tx, &writer, &door, &texts, now))?;
    let kept = kept.into_iter().zip(ready.iter()).map(|one| hold_late(engine, caller, &space, one)).collect();
    engine.core().expiries.changed();
    engine.tell(Event::Library);
    Ok(answer(space, kept))
}

/// Looks at each text, at several beside each other where there are many: all the writer does is to write.
fn each(texts: &[MemoryText], look: impl Fn(&MemoryText) -> Outcome<Ready> + Sync) -> Vec<Outcome<Ready>> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = texts.len().div_ceil(cores).max(SHARE);
    let look = &look;
    std::thread::scope(|threads| {
        // All are at work before the first is waited for.
        let shares: Vec<_> = texts
            .chunks(share)
            .map(|share| threads.spawn(move || share.iter().map(look).collect::<Vec<_>>()))
            .collect();
        shares.into_iter().flat_map(|share| share.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Refuses what is too much.
fn check(memories: &[MemoryText]) -> Outcome<()> {
    let too_much = |what: String| ApiError::new(ErrorCode::TextTooLong, what).hint("Add them in several calls.");
    if memories.is_empty() {
        return Err(ApiError::new(ErrorCode::Empty, "There is no text to add."));
    }
    if memories.len() > MAX_ADDED {
        return Err(too_much(format!("At most {MAX_ADDED} texts are added at once; these are {}.", memories.len())));
    }
    let metadata = |text: &MemoryText| match text.metadata.is_empty() {
        true => 0,
        false => serde_json::to_string(&text.metadata).map_or(usize::MAX / MAX_ADDED, |json| json.len()),
    };
    let bytes: usize = memories.iter().map(|text| text.text.len().saturating_add(metadata(text))).sum();
    match bytes > MAX_ADDED_BYTES {
        true => Err(too_much(format!("These texts have more than {MAX_ADDED_BYTES} bytes together."))),
        false => Ok(()),
    }
}

/// Those of the texts that were not forgotten, with the door at which all of them were compared.
fn compared(engine: &Engine, space: &SpaceId, ready: Vec<Outcome<Ready>>) -> Outcome<(Door, Vec<Outcome<Ready>>)> {
    engine.read(|c| {
        let door = Door::open(c, engine.key(), space)?;
        let compare = |one: Outcome<Ready>| {
            let one = match one {
                Ok(one) => one,
                Err(refused) => return Ok(Err(refused)),
            };
            told(door.compare(c, &Given(&one.request)).map(|()| one))
        };
        let ready = ready.into_iter().map(compare).collect::<Result<_, Fault>>()?;
        Ok((door, ready))
    })
}

/// An operation's own error concerns one text; the store's ends the call.
fn told<T>(outcome: Result<T, Fault>) -> Result<Outcome<T>, Fault> {
    match outcome {
        Ok(done) => Ok(Ok(done)),
        Err(Fault::Api(error)) => Ok(Err(error)),
        Err(fault) => Err(fault),
    }
}

/// Lets what an agent writes through, or holds it for the person.
fn hold(engine: &Engine, caller: &Caller, space: &SpaceId, ready: &Ready) -> Outcome<Door> {
    let door = Door::of(engine.key(), space);
    held::pass(engine, caller, door, |door| {
        Ok(Written::text(&ready.request, met(engine, caller, door, &ready.request)?))
    })
}

/// Holds what was let through and would displace what came in since, one of these texts or another.
fn hold_late(
    engine: &Engine,
    caller: &Caller,
    space: &SpaceId,
    (kept, ready): (Outcome<Kept>, &Outcome<Ready>),
) -> Outcome<Kept> {
    held::ask_again(kept, ready.as_ref().ok().map(|ready| || hold(engine, caller, space, ready)))
}

fn keep_all(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    ready: &[Outcome<Ready>],
    now: i64,
) -> Result<Vec<Outcome<Kept>>, Fault> {
    // What it may do there may have changed since it asked.
    crate::spaces::resolve_again(tx, caller, &door.space)?;
    let made_of = MadeOf::default();
    let keep_one = |one: &Outcome<Ready>| match one {
        Ok(one) => told(keep(tx, caller, door, (one, &made_of), now)),
        Err(refused) => Ok(Err(refused.clone())),
    };
    let kept: Vec<Outcome<Kept>> = ready.iter().map(keep_one).collect::<Result<_, Fault>>()?;
    queue(tx, &door.space, &kept, now)?;
    note(tx, caller, &door.space, &kept, now)?;
    Ok(kept)
}

/// Queues what is done with the new ones: together, where they are several.
fn queue(tx: &Connection, space: &SpaceId, kept: &[Outcome<Kept>], now: i64) -> Result<(), Fault> {
    let mut new = kept.iter().flatten().filter_map(|one| Some((&one.id, one.new.as_ref()?.rid)));
    let Some(first) = new.next() else { return Ok(()) };
    let Some((_, last)) = new.next_back() else { return crate::work::queue_new(tx, first, space, false, now) };
    // One transaction writes them, so that no other memory has a rid between theirs.
    let rids = first.1..=last;
    crate::work::queue_several(tx, JobKind::Embed, (space, &rids), jobs::PRIORITY_AGENT, now)?;
    crate::work::queue_read(tx, (space, &rids), now)
}

/// Tells the ledger which memories are new, and in whose place some of them stand.
fn note(tx: &Connection, caller: &Caller, space: &SpaceId, kept: &[Outcome<Kept>], now: i64) -> Result<(), Fault> {
    let new: Vec<&Kept> = kept.iter().flatten().filter(|one| one.new.is_some()).collect();
    let Some(first) = new.first() else { return Ok(()) };
    let ids: Vec<&MemoryId> = new.iter().map(|one| &one.id).collect();
    let supersedes: Vec<&MemoryId> = new.iter().filter_map(|one| one.supersedes.as_ref()).collect();
    let payload = serde_json::json!({ "memories": ids.len(), "ids": ids, "supersedes": supersedes });
    Engine::audit(tx, caller, "memories.added", ("memories", first.id.as_str()), space, payload, now)
}

fn answer(space_id: SpaceId, kept: Vec<Outcome<Kept>>) -> MemoriesAdded {
    let row = |one: Outcome<Kept>| match one {
        Ok(kept) => MemoryAdded { id: Some(kept.id), created: kept.new.is_some(), error: None },
        Err(error) => MemoryAdded { id: None, created: false, error: Some(error) },
    };
    let memories: Vec<MemoryAdded> = kept.into_iter().map(row).collect();
    let count = |is_so: fn(&MemoryAdded) -> bool| memories.iter().filter(|one| is_so(one)).count() as u64;
    MemoriesAdded {
        space_id,
        created: count(|one| one.created),
        known: count(|one| !one.created && one.error.is_none()),
        refused: count(|one| one.error.is_some()),
        memories,
    }
}
