//! What a text meets in the space that it comes to: the memory that says the same already, and the one whose place it would take.

use super::remember::{Ready, layer};
use crate::access::outranks;
use crate::error::{Fault, Outcome};
use crate::forget::Door;
use crate::library::{is_due, is_in_use};
use crate::{Caller, Engine};
use sha2::{Digest, Sha256};
use um_model::capture::{Memory, MemoryRemember};
use um_model::envelope::MemoryLayer;
use um_model::held::HoldReason;
use um_model::{ApiError, EpochMs, ErrorCode, MemoryStatus, SpaceId};
use um_store::{Connection, memories};
use unicode_normalization::UnicodeNormalization;

/// What an agent's text meets.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Met {
    /// Whether just that text is in use already: what the person had kept once is not asked about again.
    pub(crate) known: bool,
    /// Whether it would take the place of what somebody else brought in who has more to say there.
    pub(crate) displaces: bool,
}

/// What an agent's text meets in the space of its door.
pub(crate) fn met(engine: &Engine, caller: &Caller, door: &Door, request: &MemoryRemember) -> Outcome<Met> {
    let (space, hash, now) = (&door.space, hash_in(layer(request), &request.text), engine.now());
    engine.read(|c| {
        let known = memories::by_hash(c, space, &hash)?.is_some_and(|memory| is_in_use(&memory, now));
        let displaces = displaces(c, caller, space, (request, &hash), now)?;
        Ok(Met { known, displaces })
    })
}

/// Whether a text would take the place of what somebody else brought in who has more to say there. What is due to go out of use makes
/// room by itself.
fn displaces(
    c: &Connection,
    caller: &Caller,
    space: &SpaceId,
    text: (&MemoryRemember, &str),
    now: EpochMs,
) -> Result<bool, Fault> {
    match displaced(c, caller, space, text, now)? {
        Some(older) if older.actor_id != caller.actor && !is_due(&older, now) => {
            outranks(c, space, &older.actor_id, &caller.actor)
        }
        _ => Ok(false),
    }
}

/// Refuses what an agent writes and would do so: since it was looked at, somebody brought in what it would displace.
pub(super) fn refuse_displacing(
    tx: &Connection,
    caller: &Caller,
    space: &SpaceId,
    ready: &Ready,
    now: EpochMs,
) -> Result<(), Fault> {
    let may = !caller.is_agent() || ready.may_displace;
    if may || !displaces(tx, caller, space, (&ready.request, &ready.hash), now)? {
        return Ok(());
    }
    let says = format!("It is not kept: it {}, which came in meanwhile.", HoldReason::Displaces.because());
    Err(ApiError::new(ErrorCode::Held, says).hint("Write it again: it waits for the person then.").into())
}

/// Idempotency: white space at the ends and the form of composed characters make no other memory.
pub(crate) fn text_hash(text: &str) -> String {
    let normal: String = text.trim().nfc().collect();
    format!("{:x}", Sha256::digest(normal.as_bytes()))
}

/// The same words are one memory in each layer (ADR 3).
pub(super) fn hash_in(layer: MemoryLayer, text: &str) -> String {
    match layer {
        MemoryLayer::Distilled => text_hash(text),
        MemoryLayer::Raw => text_hash(&format!("raw\0{}", text.trim())),
    }
}

/// The key under which a text is to be kept.
pub(super) fn key(request: &MemoryRemember) -> Option<&str> {
    request.key.as_deref().map(str::trim).filter(|key| !key.is_empty())
}

/// The memory whose place a text would take: that of its key; of words that come back, that of the key which they had.
fn displaced(
    c: &Connection,
    caller: &Caller,
    space: &SpaceId,
    text: (&MemoryRemember, &str),
    now: EpochMs,
) -> Result<Option<Memory>, Fault> {
    let (_, known) = known_by(c, caller, space, text, now)?;
    let had = known.as_ref().filter(|known| known.status != MemoryStatus::Active);
    let had = had.and_then(|known| known.memory_key.as_deref());
    let Some(key) = key(text.0).or(had) else { return Ok(None) };
    let current = memories::active_by_key(c, space, key)?;
    Ok(current.filter(|current| known.is_none_or(|known| known.id != current.id)))
}

/// What a telling is known by, and the memory that is known by it: that of its words; where these are somebody else's who had
/// them removed, or whose time for them has come, and an agent says them again, the agent's own.
pub(super) fn known_by(
    c: &Connection,
    caller: &Caller,
    space: &SpaceId,
    (request, hash): (&MemoryRemember, &str),
    now: EpochMs,
) -> Result<(String, Option<Memory>), Fault> {
    let (hash, known) = known_of_day(c, space, (request, hash))?;
    let is_gone = |known: &Memory| !is_in_use(known, now) && known.status != MemoryStatus::Superseded;
    let is_others = |known: &Memory| caller.is_agent() && is_gone(known) && known.actor_id != caller.actor;
    match known {
        Some(known) if is_others(&known) => known_as(c, space, request, caller.actor.as_str()),
        known => Ok((hash, known)),
    }
}

/// What words are known by; where these were said before and are said to be of another day, with that day.
fn known_of_day(
    c: &Connection,
    space: &SpaceId,
    (request, hash): (&MemoryRemember, &str),
) -> Result<(String, Option<Memory>), Fault> {
    let day = request.occurred_at.and_then(um_rules::date_written);
    let known = memories::by_hash(c, space, hash)?;
    let said = known.as_ref().and_then(|known| um_rules::date_written(known.occurred_at.unwrap_or(known.created_at)));
    match (said, day) {
        (Some(said), Some(day)) if said != day => known_as(c, space, request, &day),
        _ => Ok((hash.to_owned(), known)),
    }
}

/// What words are known by beside something else.
fn known_as(
    c: &Connection,
    space: &SpaceId,
    request: &MemoryRemember,
    beside: &str,
) -> Result<(String, Option<Memory>), Fault> {
    let hash = hash_in(layer(request), &format!("{}\n{beside}", request.text.trim()));
    let known = memories::by_hash(c, space, &hash)?;
    Ok((hash, known))
}
