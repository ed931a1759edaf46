//! `candidates` of writes that agents made and that wait for the person: with the operation and its request, so that it can be
//! carried out once they say so.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use um_model::held::{HeldState, HeldWrite, HoldReason};
use um_model::{AgentId, CandidateId, EpochMs, EventId, SessionId, SpaceId, TraceId};

/// `candidates.reason` of such a write.
const HELD: &str = "held";

/// `candidates.payload`: what was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The operation.
    pub operation: String,
    /// Its request.
    pub request: serde_json::Value,
}

impl Asked {
    /// What is asked.
    ///
    /// # Errors
    /// A request that is no JSON.
    pub fn of<R: um_model::ops::Request>(request: &R) -> StoreResult<Self> {
        Ok(Self { operation: R::NAME.to_owned(), request: serde_json::to_value(request)? })
    }
}

/// A write that is to be held.
#[derive(Debug)]
pub struct NewHeld<'a> {
    /// Where it goes.
    pub space: &'a SpaceId,
    /// Who wrote it.
    pub actor: &'a AgentId,
    /// `memory` or `claim`.
    pub kind: &'a str,
    /// Its title.
    pub title: Option<&'a str>,
    /// What it says.
    pub says: &'a str,
    /// Why it waits.
    pub reasons: &'a [HoldReason],
    /// What was asked.
    pub asked: &'a Asked,
    /// The session that it belongs to, and goes with.
    pub session: Option<&'a SessionId>,
    /// The event that it was marked in.
    pub event: Option<&'a EventId>,
    /// The answer that it came of: it says that question again, and is forgotten with it.
    pub trace: Option<&'a TraceId>,
}

/// `candidates.payload`, as it is written.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(flatten)]
    asked: &'a Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a str>,
}

impl Says for NewHeld<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.says));
        self.title.iter().for_each(|title| tell(Said::Name(title)));
    }
}

/// What makes a write this one.
fn hash(actor: &AgentId, asked: &str) -> String {
    format!("{:x}", Sha256::digest(format!("{HELD}\0{actor}\0{asked}")))
}

/// The same write of the same agent, where it waits or was dropped, and which.
///
/// # Errors
/// SQLite's.
pub fn known(connection: &Connection, new: &NewHeld<'_>) -> StoreResult<Option<(CandidateId, HeldState)>> {
    connection
        .prepare_cached(
            "SELECT id, status FROM candidates WHERE space_id = ?1 AND content_hash = ?2 AND is_redacted = 0",
        )?
        .query_row(params![new.space.as_str(), hash(new.actor, &serde_json::to_string(new.asked)?)], |row| {
            Ok((row.get::<_, String>(0)?, state(&row.get::<_, String>(1)?)))
        })
        .optional()?
        .map(|(id, state)| Ok((CandidateId::parse(id)?, state)))
        .transpose()
}

/// What became of one that has this status: what was kept says nothing here any more.
fn state(status: &str) -> HeldState {
    if status == "pending" { HeldState::Waiting } else { HeldState::Dropped }
}

/// Holds a write. The same one of the same agent is held once: one that was dropped stays dropped. Tells which it is.
///
/// # Errors
/// SQLite's.
pub fn hold(
    connection: &Connection,
    new: &Checked<NewHeld<'_>>,
    now: EpochMs,
) -> StoreResult<(CandidateId, HeldState)> {
    if let Some(known) = known(connection, new)? {
        return Ok(known);
    }
    // The same write is held once, whichever answer it came of.
    let hash = hash(new.actor, &serde_json::to_string(new.asked)?);
    let payload = Payload { asked: new.asked, trace: new.trace.map(TraceId::as_str) };
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO candidates (id, space_id, actor_id, kind, title, content, content_hash, payload, reason,
               safety_flags, created_at, session_id, source_event_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            id,
            new.space.as_str(),
            new.actor.as_str(),
            new.kind,
            new.title,
            new.says,
            hash,
            serde_json::to_string(&payload)?,
            HELD,
            serde_json::to_string(new.reasons)?,
            now,
            new.session.map(SessionId::as_str),
            new.event.map(EventId::as_str)
        ])?;
    Ok((CandidateId::parse(id)?, HeldState::Waiting))
}

/// How many writes of an agent wait.
///
/// # Errors
/// SQLite's.
pub fn waiting_of(connection: &Connection, space: &SpaceId, actor: &AgentId) -> StoreResult<u64> {
    Ok(connection
        .prepare_cached(
            "SELECT count(*) FROM candidates WHERE space_id = ?1 AND actor_id = ?2 AND reason = 'held'
               AND status = 'pending'",
        )?
        .query_row([space.as_str(), actor.as_str()], |row| row.get(0))?)
}

const SELECT: &str =
    "SELECT k.id, k.space_id, k.actor_id, g.name, k.title, k.content, k.payload, k.safety_flags, k.status,
    k.created_at, k.source_event_id FROM candidates k JOIN agents g ON g.id = k.actor_id";

fn write(row: &Row<'_>) -> StoreResult<(HeldWrite, Asked)> {
    let text = |at: usize| row.get::<_, String>(at);
    let asked: Asked = serde_json::from_str(&text(6)?)?;
    let label = |name: &&str| Some(format!("{name}: {}", asked.request.get(name)?.as_str()?));
    let held = HeldWrite {
        id: CandidateId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        actor_id: AgentId::parse(text(2)?)?,
        actor_name: text(3)?,
        operation: asked.operation.clone(),
        title: row.get(4)?,
        labels: ["key", "owner", "session", "artifact_ref"].iter().filter_map(label).collect(),
        says: text(5)?,
        reasons: serde_json::from_str(&text(7)?)?,
        state: state(&text(8)?),
        kept_id: None,
        created_at: row.get(9)?,
        source_event_id: row.get::<_, Option<String>>(10)?.map(EventId::parse).transpose()?,
    };
    Ok((held, asked))
}

/// The one of that id that waits or was dropped, with what was asked.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &CandidateId) -> StoreResult<Option<(HeldWrite, Asked)>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE k.id = ?1 AND k.reason = 'held' AND k.status IN ('pending', 'rejected') AND k.is_redacted = 0"
        ))?
        .query_row([id.as_str()], |row| Ok(write(row)))
        .optional()?
        .transpose()
}

/// A page of the writes that wait in these spaces, the oldest first, or of those that were dropped, the latest first; with
/// their number in all.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    dropped: bool,
    offset: u32,
    limit: u32,
) -> StoreResult<(Vec<HeldWrite>, u64)> {
    let spaces = serde_json::to_string(&spaces.iter().map(SpaceId::as_str).collect::<Vec<_>>())?;
    let (status, order) = if dropped { ("rejected", "k.reviewed_at DESC, k.rid DESC") } else { ("pending", "k.rid") };
    let listed = format!(
        "k.space_id IN (SELECT value FROM json_each(?1)) AND k.reason = 'held' AND k.status = '{status}'
           AND k.is_redacted = 0"
    );
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM candidates k WHERE {listed}"))?
        .query_row([&spaces], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&format!("{SELECT} WHERE {listed} ORDER BY {order} LIMIT ?2 OFFSET ?3"))?
        .query_and_then(params![spaces, limit, offset], |row| Ok(write(row)?.0))?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}

/// Drops a write, or lets one that was dropped wait again.
///
/// # Errors
/// SQLite's.
pub fn set_dropped(
    connection: &Connection,
    id: &CandidateId,
    dropped: bool,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    let (status, reviewed) = if dropped { ("rejected", Some((actor.as_str(), now))) } else { ("pending", None) };
    connection.execute(
        "UPDATE candidates SET status = ?2, reviewed_by = ?3, reviewed_at = ?4 WHERE id = ?1",
        params![id.as_str(), status, reviewed.map(|(by, _)| by), reviewed.map(|(_, at)| at)],
    )?;
    Ok(())
}

/// What a row is that says nothing any more.
const EMPTIED: &str =
    "title = NULL, content = '[REDACTED]', content_hash = 'redacted:' || id, payload = '{}', reason = NULL,
    is_redacted = 1, redacted_at = ?2";

/// A write was kept: what it said stands there, and no longer here.
///
/// # Errors
/// SQLite's.
pub fn set_kept(
    connection: &Connection,
    id: &CandidateId,
    kept: &str,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection.execute(
        "UPDATE candidates SET status = 'approved', reviewed_by = ?2, reviewed_at = ?3 WHERE id = ?1",
        params![id.as_str(), actor.as_str(), now],
    )?;
    connection.execute(
        &format!("UPDATE candidates SET status = 'imported', imported_id = ?3, {EMPTIED} WHERE id = ?1"),
        params![id.as_str(), now, kept],
    )?;
    Ok(())
}

/// Empties what was dropped before a time. Gives how many there were.
///
/// # Errors
/// SQLite's.
pub fn empty_dropped(connection: &Connection, before: EpochMs, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(&format!(
            "UPDATE candidates SET {EMPTIED} WHERE reason = 'held' AND status = 'rejected' AND reviewed_at < ?1"
        ))?
        .execute(params![before, now])?)
}
