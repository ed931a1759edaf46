//! `candidates` of what is proposed and waits for the person: with the operation and its request, so that it can be carried out
//! once they say so.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use um_model::held::{HeldState, HeldWrite, HoldReason};
use um_model::work::Provenance;
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
    /// `memory`, `claim`, `entry`, `core_block` or `resource`.
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
    /// Of a resource: the version that stood at its address as it was written; none where nothing did.
    pub seen: Option<u32>,
}

/// `candidates.payload`, as it is written. Where another answer proposes the same, `traces` lists them all; `trace` stays that whose
/// question it says.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(flatten)]
    asked: &'a Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<u32>,
}

impl Says for NewHeld<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.says));
        self.title.iter().for_each(|title| tell(Said::Name(title)));
    }
}

/// What makes a write this one: all that was asked but for the state of the work tree that it was written in, which is another after each
/// commit.
fn hash(actor: &AgentId, asked: &Asked) -> StoreResult<String> {
    let mut asked = asked.clone();
    if let Some(metadata) = asked.request.get_mut("metadata").and_then(serde_json::Value::as_object_mut) {
        metadata.retain(|key, _| !Provenance::STATE.contains(&key.as_str()));
    }
    let asked = serde_json::to_string(&asked)?;
    Ok(format!("{:x}", Sha256::digest(format!("{HELD}\0{actor}\0{asked}"))))
}

/// The same write of the same agent, where it waits or was dismissed, and which.
///
/// # Errors
/// SQLite's.
pub fn known(connection: &Connection, new: &NewHeld<'_>) -> StoreResult<Option<(CandidateId, HeldState)>> {
    connection
        .prepare_cached(
            "SELECT id, status FROM candidates WHERE space_id = ?1 AND content_hash = ?2 AND is_redacted = 0",
        )?
        .query_row(params![new.space.as_str(), hash(new.actor, new.asked)?], |row| {
            Ok((row.get::<_, String>(0)?, state(&row.get::<_, String>(1)?)))
        })
        .optional()?
        .map(|(id, state)| Ok((CandidateId::parse(id)?, state)))
        .transpose()
}

/// What became of one that has this status: what was accepted says nothing here any more.
fn state(status: &str) -> HeldState {
    if status == "pending" { HeldState::Waiting } else { HeldState::Dismissed }
}

/// Holds a write. The same one of the same agent is held once, and rests on each answer that it came of: one that was dismissed stays
/// dismissed. What was written again of another version of what it would replace waits anew, and not under the id that was looked at
/// before. Tells which it is.
///
/// # Errors
/// SQLite's.
pub fn hold(
    connection: &Connection,
    new: &Checked<NewHeld<'_>>,
    now: EpochMs,
) -> StoreResult<(CandidateId, HeldState)> {
    match known(connection, new)? {
        Some((id, HeldState::Waiting)) if saw_another(connection, &id, new.seen)? => {
            close(connection, id.as_str(), new.actor, now)?;
        }
        Some((id, HeldState::Waiting)) => {
            new.trace.map_or(Ok(()), |trace| also_of(connection, &id, trace))?;
            return Ok((id, HeldState::Waiting));
        }
        Some(known) => return Ok(known),
        None => {}
    }
    // The same write is held once, whichever answer it came of and whatever it would replace.
    let hash = hash(new.actor, new.asked)?;
    let payload = Payload { asked: new.asked, trace: new.trace.map(TraceId::as_str), seen: new.seen };
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

/// The answers that proposed a write, as JSON: one, where only that is told.
const TRACES: &str = "ifnull(payload -> '$.traces', json_array(payload ->> '$.trace'))";

/// Notes that a write that waits for an answer's sake does so for another one's, too.
fn also_of(connection: &Connection, id: &CandidateId, trace: &TraceId) -> StoreResult<()> {
    connection
        .prepare_cached(&format!(
            "UPDATE candidates SET payload = json_set(payload, '$.traces', json(json_insert({TRACES}, '$[#]', ?2)))
             WHERE id = ?1 AND payload ->> '$.trace' IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM json_each({TRACES}) WHERE value = ?2)"
        ))?
        .execute([id.as_str(), trace.as_str()])?;
    Ok(())
}

/// Whether the writer of a write that waits saw another version than this of what it would replace.
fn saw_another(connection: &Connection, id: &CandidateId, seen: Option<u32>) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT payload ->> '$.seen' IS NOT ?2 FROM candidates WHERE id = ?1")?
        .query_row(params![id.as_str(), seen], |row| row.get(0))?)
}

/// Closes a write that waits, in the name of `by`: it says nothing any more, so that it can be proposed anew.
fn close(connection: &Connection, id: &str, by: &AgentId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(&format!(
            "UPDATE candidates SET status = 'rejected', reviewed_by = ?3, reviewed_at = ?2, {EMPTIED} WHERE id = ?1"
        ))?
        .execute(params![id, now, by.as_str()])?;
    Ok(())
}

/// What of an answer's proposals is taken back.
#[derive(Debug, Clone, Copy)]
pub struct Withdrawn<'a> {
    /// The answer.
    pub trace: &'a TraceId,
    /// The spaces in which they lie.
    pub spaces: &'a [SpaceId],
    /// Only those of that agent; of all where none is named.
    pub of: Option<&'a AgentId>,
    /// But for these.
    pub still: &'a [CandidateId],
}

/// Takes back what an answer proposed and nobody decided yet. What another answer proposes, too, waits on for that one's
/// sake, and says its question; the rest is closed in the name of `by`, and says nothing any more, so that it can be proposed
/// anew. Gives what was closed, with its space.
///
/// # Errors
/// SQLite's.
pub fn withdraw(
    connection: &Connection,
    which: &Withdrawn<'_>,
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<Vec<(CandidateId, SpaceId)>> {
    let spaces = crate::filter::ids(which.spaces)?;
    let still = serde_json::to_string(&which.still.iter().map(CandidateId::as_str).collect::<Vec<_>>())?;
    let found: Vec<(String, String, String)> = connection
        .prepare_cached(&format!(
            "SELECT id, space_id, (SELECT json_group_array(value) FROM json_each({TRACES}) WHERE value <> ?2)
             FROM candidates
             WHERE space_id IN (SELECT value FROM json_each(?1)) AND reason = 'held' AND status = 'pending'
               AND is_redacted = 0
               AND EXISTS (SELECT 1 FROM json_each({TRACES}) WHERE value = ?2)
               AND (?3 IS NULL OR actor_id = ?3) AND id NOT IN (SELECT value FROM json_each(?4))
             ORDER BY rid"
        ))?
        .query_map(params![spaces, which.trace.as_str(), which.of.map(AgentId::as_str), still], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Result<_, _>>()?;
    let mut closed = Vec::new();
    for (id, space, others) in found {
        if others == "[]" {
            close(connection, &id, by, now)?;
            closed.push((CandidateId::parse(id)?, SpaceId::parse(space)?));
        } else {
            left_to(connection, &id, which.trace, &others)?;
        }
    }
    Ok(closed)
}

/// Leaves a write to the `others` that propose it, as JSON: where it says the question of the one that does no more, it says that of the
/// first of them, or none where that is kept no longer.
fn left_to(connection: &Connection, id: &str, gone: &TraceId, others: &str) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE candidates SET title = (SELECT nullif(query, '') FROM answer_traces WHERE id = ?3 ->> '$[0]' AND is_redacted = 0),
               payload = json_set(payload, '$.trace', ?3 ->> '$[0]')
             WHERE id = ?1 AND payload ->> '$.trace' = ?2",
        )?
        .execute([id, gone.as_str(), others])?;
    connection
        .prepare_cached("UPDATE candidates SET payload = json_set(payload, '$.traces', json(?2)) WHERE id = ?1")?
        .execute([id, others])?;
    Ok(())
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

/// A proposal, as it is named in a list of other things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: CandidateId,
    /// Where it would go.
    pub space: SpaceId,
    /// What it says.
    pub says: String,
}

/// Those of some `candidates`, by their ids, that were proposed and wait or were dismissed, the oldest first: the others are names that may
/// mean several.
///
/// # Errors
/// SQLite's.
pub fn among<'a>(connection: &Connection, ids: impl Iterator<Item = &'a str>) -> StoreResult<Vec<Proposal>> {
    connection
        .prepare_cached(
            "SELECT id, space_id, content FROM candidates
             WHERE id IN (SELECT value FROM json_each(?1)) AND reason = 'held' ORDER BY rid",
        )?
        .query_and_then([serde_json::Value::from_iter(ids).to_string()], |row| {
            let text = |at: usize| row.get::<_, String>(at);
            Ok(Proposal { id: CandidateId::parse(text(0)?)?, space: SpaceId::parse(text(1)?)?, says: text(2)? })
        })?
        .collect()
}

const SELECT: &str =
    "SELECT k.id, k.space_id, k.actor_id, g.name, k.title, k.content, k.payload, k.safety_flags, k.status,
    k.created_at, k.source_event_id, k.payload ->> '$.seen' FROM candidates k JOIN agents g ON g.id = k.actor_id";

/// The fields of a request that say what it is filed under, and why it is written.
const FILED: [&str; 7] = ["key", "owner", "session", "artifact_ref", "uri", "parent_uri", "change_reason"];

/// All that a request says besides its title and its text: it is held for what any of it looks like, and kept with all of it.
fn labels(request: &serde_json::Value) -> Vec<String> {
    let filed = FILED.iter().filter_map(|name| Some(format!("{name}: {}", request.get(name)?.as_str()?)));
    let tags = request.get("tags").and_then(serde_json::Value::as_array).into_iter().flatten();
    let tags = tags.filter_map(|tag| Some(format!("tag: {}", tag.as_str()?)));
    let metadata = request.get("metadata").and_then(serde_json::Value::as_object).into_iter().flatten();
    let metadata = metadata.map(|(name, value)| format!("metadata.{name}: {value}"));
    filed.chain(tags).chain(metadata).collect()
}

fn write(row: &Row<'_>) -> StoreResult<(HeldWrite, Asked)> {
    let text = |at: usize| row.get::<_, String>(at);
    let asked: Asked = serde_json::from_str(&text(6)?)?;
    let held = HeldWrite {
        id: CandidateId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        actor_id: AgentId::parse(text(2)?)?,
        actor_name: text(3)?,
        operation: asked.operation.clone(),
        title: row.get(4)?,
        labels: labels(&asked.request),
        says: text(5)?,
        reasons: serde_json::from_str(&text(7)?)?,
        expires_at: asked.request.get("expires_at").and_then(serde_json::Value::as_i64),
        replaces: row.get(11)?,
        state: state(&text(8)?),
        item_id: None,
        created_at: row.get(9)?,
        source_event_id: row.get::<_, Option<String>>(10)?.map(EventId::parse).transpose()?,
    };
    Ok((held, asked))
}

/// The one of that id that waits or was dismissed, with what was asked.
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

/// A page of the writes that wait in these spaces, the oldest first, or of those that were dismissed, the latest first; with
/// their number in all.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    dismissed: bool,
    offset: u32,
    limit: u32,
) -> StoreResult<(Vec<HeldWrite>, u64)> {
    let spaces = crate::filter::ids(spaces)?;
    let (status, order) = if dismissed { ("rejected", "k.reviewed_at DESC, k.rid DESC") } else { ("pending", "k.rid") };
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

/// Dismisses a write, or lets one that was dismissed wait again.
///
/// # Errors
/// SQLite's.
pub fn set_dismissed(
    connection: &Connection,
    id: &CandidateId,
    dismissed: bool,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    let (status, reviewed) = if dismissed { ("rejected", Some((actor.as_str(), now))) } else { ("pending", None) };
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

/// A write was accepted: what it said stands with `item`, and no longer here.
///
/// # Errors
/// SQLite's.
pub fn set_accepted(
    connection: &Connection,
    id: &CandidateId,
    item: &str,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection.execute(
        "UPDATE candidates SET status = 'approved', reviewed_by = ?2, reviewed_at = ?3 WHERE id = ?1",
        params![id.as_str(), actor.as_str(), now],
    )?;
    connection.execute(
        &format!("UPDATE candidates SET status = 'imported', imported_id = ?3, {EMPTIED} WHERE id = ?1"),
        params![id.as_str(), now, item],
    )?;
    Ok(())
}

/// Empties what was dismissed before a time. Gives how many there were.
///
/// # Errors
/// SQLite's.
pub fn empty_dismissed(connection: &Connection, before: EpochMs, now: EpochMs) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(&format!(
            "UPDATE candidates SET {EMPTIED} WHERE reason = 'held' AND status = 'rejected' AND reviewed_at < ?1"
        ))?
        .execute(params![before, now])?)
}

#[cfg(test)]
#[test]
fn all_that_would_be_kept_is_shown() {
    for (request, expected) in [
        (serde_json::json!({ "key": "moor", "uri": "repo://pier" }), &["key: moor", "uri: repo://pier"][..]),
        (serde_json::json!({ "text": "Moor.", "owner": null }), &[]),
        (
            serde_json::json!({ "change_reason": "typo", "tags": ["tax", "pier"] }),
            &["change_reason: typo", "tag: tax", "tag: pier"],
        ),
        (
            serde_json::json!({ "metadata": { "deep": { "of": 3 }, "note": "Moor\nthere." } }),
            &["metadata.deep: {\"of\":3}", "metadata.note: \"Moor\\nthere.\""],
        ),
        (serde_json::json!({ "metadata": null, "tags": null }), &[]),
    ] {
        assert_eq!(labels(&request), expected, "{request}");
    }
}
