//! `audit_events`: what was done, by whom, to what; never what it said. Each row carries the hash of the
//! one before it, so that a row taken out or changed later shows; the last of them is sealed under a key that is not in
//! the database, so that the hashes cannot be made anew, nor the end be cut off, without it.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use um_model::audit::AuditEvent;
use um_model::{AgentId, EpochMs, MemoryId, SpaceId};

/// Something that was done. `payload` holds ids, counts and hashes only (spine 7.1).
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// `memory.remembered`, `artifact.ingested`, …
    pub event_type: &'a str,
    /// The table of the object.
    pub object_type: &'a str,
    /// Its id.
    pub object_id: &'a str,
    /// Its space.
    pub space: &'a SpaceId,
    /// Who did it.
    pub actor: &'a AgentId,
    /// The request it belongs to.
    pub request_id: &'a str,
    /// What for, where the caller said so.
    pub purpose: Option<&'a str>,
    /// Ids, counts and hashes.
    pub payload: serde_json::Value,
}

/// Appends an entry.
///
/// # Errors
/// SQLite's.
pub fn append(connection: &Connection, entry: &Entry<'_>, now: EpochMs) -> StoreResult<()> {
    let (entries, previous) = end(connection)?;
    let clock = entries + 1;
    let payload = entry.payload.to_string();
    let id = new_id(now);
    let said = Row {
        clock,
        id: &id,
        event_type: entry.event_type,
        object_type: entry.object_type,
        object_id: entry.object_id,
        space: entry.space.as_str(),
        actor: entry.actor.as_str(),
        request_id: Some(entry.request_id),
        purpose: entry.purpose,
        payload: &payload,
        at: now,
    };
    let hash = link(&previous, &said);
    // What was cut or written anew is not sealed over: it shows for ever.
    let is_whole = is_sealed(connection, entries, &previous)?;
    connection
        .prepare_cached(
            "INSERT INTO audit_events (id, event_type, object_type, object_id, payload, instance_id, logical_clock,
               space_id, actor_id, request_id, purpose, occurred_at, recorded_at, prev_hash, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, 'local', ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13)",
        )?
        .execute(params![
            id,
            entry.event_type,
            entry.object_type,
            entry.object_id,
            payload,
            clock,
            entry.space.as_str(),
            entry.actor.as_str(),
            entry.request_id,
            entry.purpose,
            now,
            previous,
            hash
        ])?;
    if is_whole {
        seal(connection, clock, &hash, now)?;
    }
    Ok(())
}

/// Seals the ledger as it stands.
///
/// # Errors
/// SQLite's.
pub(crate) fn seal_now(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    let (clock, hash) = end(connection)?;
    seal(connection, clock, &hash, now)
}

fn seal(connection: &Connection, entries: i64, last_hash: &str, now: EpochMs) -> StoreResult<()> {
    crate::settings::set(connection, SEAL, &sealed(connection, entries, last_hash)?, now)
}

fn is_sealed(connection: &Connection, entries: i64, last_hash: &str) -> StoreResult<bool> {
    Ok(crate::settings::get(connection, SEAL)? == Some(sealed(connection, entries, last_hash)?))
}

fn sealed(connection: &Connection, entries: i64, last_hash: &str) -> StoreResult<String> {
    Ok(connection
        .prepare_cached("SELECT keyed_hash('audit', ?1 || ':' || ?2)")?
        .query_row(params![entries, last_hash], |row| row.get(0))?)
}

/// The number of the last entry; 0 where there is none.
///
/// # Errors
/// SQLite's.
pub fn last(connection: &Connection) -> StoreResult<i64> {
    Ok(end(connection)?.0)
}

/// How many entries there are, and the hash of the last one.
fn end(connection: &Connection) -> StoreResult<(i64, String)> {
    let last = connection
        .prepare_cached("SELECT logical_clock, hash FROM audit_events ORDER BY rid DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(last.unwrap_or_default())
}

/// The hash of a row: of the one before it and of everything that the row says.
fn link(previous: &str, row: &Row<'_>) -> String {
    let said = serde_json::json!([
        previous,
        row.clock,
        row.id,
        row.event_type,
        row.object_type,
        row.object_id,
        row.space,
        row.actor,
        row.request_id,
        row.purpose,
        row.payload,
        row.at
    ]);
    format!("{:x}", Sha256::digest(said.to_string()))
}

/// What a row says.
struct Row<'a> {
    clock: i64,
    id: &'a str,
    event_type: &'a str,
    object_type: &'a str,
    object_id: &'a str,
    space: &'a str,
    actor: &'a str,
    request_id: Option<&'a str>,
    purpose: Option<&'a str>,
    payload: &'a str,
    at: EpochMs,
}

/// The setting that holds the seal: the keyed hash of how many entries there are and of the last one's hash.
const SEAL: &str = "audit.seal";

/// What is wrong at an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// Its words are not those that its hash was made of.
    Altered,
    /// The one before it is missing, or another stands in its place.
    Unlinked,
    /// The ledger does not end as it was left: entries after it are missing, or all were written anew, or the key is
    /// another one.
    Unsealed,
}

/// What a check of the ledger found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Entries that were looked at.
    pub entries: u64,
    /// The number of the first entry that does not fit, and what is wrong there.
    pub first_break: Option<(i64, Break)>,
    /// The hash of the last entry that was looked at.
    pub last_hash: Option<String>,
}

/// Checks every entry from the first to the last, or to the first that does not fit.
///
/// # Errors
/// SQLite's.
pub fn check(connection: &Connection) -> StoreResult<Checked> {
    let mut statement = connection.prepare(
        "SELECT logical_clock, id, event_type, object_type, object_id, space_id, actor_id, request_id, purpose,
           payload, recorded_at, prev_hash, hash, instance_id = 'local' AND occurred_at = recorded_at
         FROM audit_events ORDER BY rid",
    )?;
    let mut rows = statement.query([])?;
    let mut checked = Checked { entries: 0, first_break: None, last_hash: None };
    let mut last = 0;
    while let Some(row) = rows.next()? {
        let text = |at: usize| -> rusqlite::Result<&str> { Ok(row.get_ref(at)?.as_str()?) };
        let maybe = |at: usize| -> rusqlite::Result<Option<&str>> { Ok(row.get_ref(at)?.as_str_or_null()?) };
        let said = Row {
            clock: row.get(0)?,
            id: text(1)?,
            event_type: text(2)?,
            object_type: text(3)?,
            object_id: text(4)?,
            space: text(5)?,
            actor: text(6)?,
            request_id: maybe(7)?,
            purpose: maybe(8)?,
            payload: text(9)?,
            at: row.get(10)?,
        };
        checked.entries += 1;
        let previous = checked.last_hash.as_deref().unwrap_or_default();
        if text(11)? != previous || said.clock != last + 1 {
            checked.first_break = Some((said.clock, Break::Unlinked));
            return Ok(checked);
        }
        // The two columns that no hash holds say the same in every row.
        if text(12)? != link(previous, &said) || !row.get::<_, bool>(13)? {
            checked.first_break = Some((said.clock, Break::Altered));
            return Ok(checked);
        }
        last = said.clock;
        let hash = text(12)?.to_owned();
        checked.last_hash = Some(hash);
    }
    if !is_sealed(connection, last, checked.last_hash.as_deref().unwrap_or_default())? {
        checked.first_break = Some((last, Break::Unsealed));
    }
    Ok(checked)
}

/// Which entries are wanted.
#[derive(Debug, Clone, Default)]
pub struct Filter<'a> {
    /// Of this space.
    pub space: Option<&'a SpaceId>,
    /// Of this actor.
    pub actor: Option<&'a AgentId>,
    /// Whose type is this, or begins with it and a point.
    pub event_type: Option<&'a str>,
    /// Whose type is one of these.
    pub types: Option<&'a [String]>,
    /// Of this object.
    pub object: Option<&'a str>,
    /// Not before.
    pub since: Option<EpochMs>,
    /// Before.
    pub until: Option<EpochMs>,
    /// With a smaller number.
    pub before: Option<i64>,
}

/// Whether an entry is about an object, alone or as one of the memories that were added with it: these came in at one moment.
const OF_OBJECT: &str = "(e.object_id = :object OR e.rid IN (
  SELECT a.rid FROM memories m CROSS JOIN audit_events a ON a.recorded_at = m.created_at
  WHERE m.id = :object AND a.space_id = m.space_id AND a.event_type = 'memories.added'
    AND :object IN (SELECT value FROM json_each(a.payload, '$.ids'))))";

/// Entries that fit, the newest first.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, filter: &Filter<'_>, limit: u32) -> StoreResult<Vec<AuditEvent>> {
    let conditions = [
        ("e.space_id = :space", filter.space.is_some()),
        ("e.actor_id = :actor", filter.actor.is_some()),
        (
            "(e.event_type = :type OR (e.event_type > :type || '.' AND e.event_type < :type || '/'))",
            filter.event_type.is_some(),
        ),
        ("e.event_type IN (SELECT value FROM json_each(:types))", filter.types.is_some()),
        (OF_OBJECT, filter.object.is_some()),
        ("e.recorded_at >= :since", filter.since.is_some()),
        ("e.recorded_at < :until", filter.until.is_some()),
        (
            "e.rid < (SELECT rid FROM audit_events WHERE logical_clock = :before AND instance_id = 'local')",
            filter.before.is_some(),
        ),
    ];
    let wanted: Vec<&str> = conditions.iter().filter(|(_, is_asked)| *is_asked).map(|(sql, _)| *sql).collect();
    let condition = if wanted.is_empty() { "1".to_owned() } else { wanted.join(" AND ") };
    // Which rows they are is found in an index alone; what they say is read of these only.
    let mut statement = connection.prepare_cached(&format!(
        "SELECT a.logical_clock, a.id, a.event_type, a.object_type, a.object_id, a.space_id, a.actor_id,
           (SELECT name FROM agents g WHERE g.id = a.actor_id), a.request_id, a.purpose, a.payload, a.recorded_at, a.hash
         FROM audit_events a
         WHERE a.rid IN (SELECT e.rid FROM audit_events e WHERE {condition} ORDER BY e.rid DESC LIMIT :limit)
         ORDER BY a.rid DESC"
    ))?;
    let types = filter.types.map(serde_json::to_string).transpose()?;
    let (space, actor) = (filter.space.map(SpaceId::as_str), filter.actor.map(AgentId::as_str));
    let values: [(&str, &dyn rusqlite::ToSql); 9] = [
        (":space", &space),
        (":actor", &actor),
        (":type", &filter.event_type),
        (":types", &types),
        (":object", &filter.object),
        (":since", &filter.since),
        (":until", &filter.until),
        (":before", &filter.before),
        (":limit", &limit),
    ];
    for (name, value) in values {
        // Only those that the statement names.
        if let Some(at) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(at, value)?;
        }
    }
    let mut rows = statement.raw_query();
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(AuditEvent {
            number: row.get(0)?,
            id: row.get(1)?,
            event_type: row.get(2)?,
            object_type: row.get(3)?,
            object_id: row.get(4)?,
            space_id: SpaceId::parse(row.get::<_, String>(5)?)?,
            actor_id: AgentId::parse(row.get::<_, String>(6)?)?,
            actor: row.get(7)?,
            request_id: row.get(8)?,
            purpose: row.get(9)?,
            payload: serde_json::from_str(&row.get::<_, String>(10)?)?,
            at: row.get(11)?,
            hash: row.get(12)?,
            things: Vec::new(),
        });
    }
    Ok(events)
}

/// Whether the ledger tells that a memory took an older one's place because both say the same.
///
/// # Errors
/// SQLite's.
pub fn deduplicated(connection: &Connection, newer: &MemoryId, older: &MemoryId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM audit_events WHERE object_type = 'memories' AND object_id = ?1
               AND +event_type = 'memory.deduplicated' AND payload ->> '$.superseded' = ?2 LIMIT 1",
        )?
        .exists([newer.as_str(), older.as_str()])?)
}
