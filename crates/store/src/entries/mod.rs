//! `entries`: tools, guidelines and knowledge of a space, or of a session in it. What one says stands in its
//! [versions](versions), of which none is ever rewritten.

pub mod clashes;
pub mod levels;
pub mod versions;

use crate::fts::table::{self, Kind};
use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::work::{Entry, EntryBody, EntryCategory, EntryType};
use um_model::{AgentId, EntryId, EpochMs, SessionId, SpaceId};

/// Where entries lie: a space, or a session in it.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The space.
    pub space: &'a SpaceId,
    /// The session that they belong to alone.
    pub session: Option<&'a SessionId>,
}

impl Place<'_> {
    /// What is bound for the session. Statements compare with `ifnull(?, '')`, as the indexes know it: an empty text that is bound
    /// itself points nowhere, and to compare a row with that takes longer than all else that is done with it.
    pub(crate) fn session_bound(&self) -> Option<&str> {
        self.session.map(SessionId::as_str)
    }
}

/// An entry that is to be made.
#[derive(Debug)]
pub struct NewEntry<'a> {
    /// Where.
    pub place: Place<'a>,
    /// What it is.
    pub entry_type: EntryType,
    /// Its name.
    pub name: &'a str,
    /// What it is about.
    pub category: Option<EntryCategory>,
    /// 0 to 100.
    pub priority: u8,
    /// Who makes it.
    pub actor: &'a AgentId,
}

impl Says for NewEntry<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(self.name));
    }
}

/// Makes an entry that has no version yet.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, new: &Checked<NewEntry<'_>>, now: EpochMs) -> StoreResult<EntryId> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO entries (id, space_id, session_id, entry_type, name, category, priority, created_at, created_by, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?8)",
        )?
        .execute(params![
            id,
            new.place.space.as_str(),
            new.place.session.map(SessionId::as_str),
            new.entry_type.as_str(),
            new.name,
            new.category.map(EntryCategory::as_str),
            new.priority,
            now,
            new.actor.as_str()
        ])?;
    Ok(EntryId::parse(id)?)
}

/// Says what an entry is about and how important it is.
///
/// # Errors
/// SQLite's.
pub fn set_kind(
    connection: &Connection,
    id: &EntryId,
    category: Option<EntryCategory>,
    priority: u8,
) -> StoreResult<()> {
    connection.prepare_cached("UPDATE entries SET category = ?2, priority = ?3 WHERE id = ?1")?.execute(params![
        id.as_str(),
        category.map(EntryCategory::as_str),
        priority
    ])?;
    Ok(())
}

/// Takes an entry out of use, or into use again.
///
/// # Errors
/// SQLite's.
pub fn set_active(connection: &Connection, id: &EntryId, is_active: bool) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE entries SET is_active = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), is_active])?;
    Ok(())
}

/// What tells whether an entry was in use at a time: the last change of that until then, else what the first one after it changed.
pub(crate) fn in_use_at(entry: &str, at: &str) -> String {
    let change = |told: &str, when: &str| {
        format!(
            "(SELECT a.event_type = '{told}' FROM audit_events a WHERE a.object_id = {entry}.id AND a.object_type = 'entries'
                AND +a.event_type IN ('entry.enabled', 'entry.disabled') AND +a.recorded_at {when} LIMIT 1)"
        )
    };
    let last = change("entry.enabled", &format!("<= {at} ORDER BY a.rid DESC"));
    let next = change("entry.disabled", &format!("> {at} ORDER BY a.rid"));
    format!("coalesce({last}, {next}, {entry}.is_active)")
}

/// The condition that an entry was there at a time: it is from its first version on.
pub(crate) fn was_there(entry: &str, at: &str) -> String {
    format!("EXISTS (SELECT 1 FROM entry_versions v WHERE v.entry_id = {entry}.id AND v.created_at <= {at})")
}

/// Whether an entry was in use at a time, as the ledger tells.
///
/// # Errors
/// SQLite's.
pub fn was_in_use(connection: &Connection, id: &EntryId, at: EpochMs) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(&format!("SELECT {} FROM entries e WHERE e.id = ?1", in_use_at("e", "?2")))?
        .query_row(params![id.as_str(), at], |row| row.get(0))?)
}

/// An entry as it is read, with its current version; the level, and whether it ran out, are its reader's to say.
const SELECT: &str =
    "SELECT e.id, e.space_id, s.name, e.session_id, e.entry_type, e.name, e.category, e.priority, e.is_active,
    e.created_at, ifnull(e.updated_at, e.created_at),
    (SELECT json_group_array(name) FROM (SELECT t.name FROM item_tags i JOIN tags t ON t.id = i.tag_id
       WHERE i.item_type = 'entry' AND i.item_id = e.id ORDER BY t.name)),
    (SELECT count(*) FROM entry_conflicts c WHERE c.entry_id = e.id AND c.resolved = 0),
    v.id, v.version_num, v.body, v.change_reason, v.conflict_flag, v.created_at, v.created_by, g.name, v.metadata, e.rid
  FROM entries e JOIN memory_spaces s ON s.id = e.space_id JOIN entry_versions v ON v.id = e.current_version_id
  LEFT JOIN agents g ON g.id = v.created_by";

fn entry(row: &Row<'_>) -> StoreResult<Entry> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Entry {
        id: EntryId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        space: text(2)?,
        session_id: row.get::<_, Option<String>>(3)?.map(SessionId::parse).transpose()?,
        entry_type: text(4)?.parse()?,
        name: text(5)?,
        category: row.get::<_, Option<String>>(6)?.map(|word| word.parse()).transpose()?,
        priority: row.get(7)?,
        is_active: row.get(8)?,
        ran_out: false,
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
        tags: serde_json::from_str(&text(11)?)?,
        open_conflicts: row.get(12)?,
        version: versions::version(row, 13)?,
        level: 0,
    })
}

/// An entry by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &EntryId) -> StoreResult<Option<Entry>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE e.id = ?1 AND e.is_redacted = 0"))?
        .query_row([id.as_str()], |row| Ok(entry(row)))
        .optional()?
        .transpose()
}

/// The entry of a type and name that lies at a place itself.
///
/// # Errors
/// SQLite's.
pub fn by_name(connection: &Connection, at: Place<'_>, of: EntryType, name: &str) -> StoreResult<Option<Entry>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ifnull(?2, '') AND e.entry_type = ?3 AND e.name = ?4
               AND e.is_redacted = 0"
        ))?
        .query_row(params![at.space.as_str(), at.session_bound(), of.as_str(), name], |row| Ok(entry(row)))
        .optional()?
        .transpose()
}

/// Entries by their rids, in that order.
///
/// # Errors
/// SQLite's.
pub fn by_rids(connection: &Connection, rids: &[i64]) -> StoreResult<Vec<Entry>> {
    let found: Vec<(i64, Entry)> = connection
        .prepare_cached(&format!("{SELECT} WHERE e.rid IN (SELECT value FROM json_each(?1)) AND e.is_redacted = 0"))?
        .query_and_then([serde_json::to_string(rids)?], |row| Ok((row.get(22)?, entry(row)?)))?
        .collect::<StoreResult<_>>()?;
    let mut by_rid: std::collections::HashMap<i64, Entry> = found.into_iter().collect();
    Ok(rids.iter().filter_map(|rid| by_rid.remove(rid)).collect())
}

/// Indexes what an entry says now.
fn index(
    connection: &Connection,
    (space, id): (&SpaceId, &EntryId),
    body: &EntryBody,
    now: EpochMs,
) -> StoreResult<()> {
    let (rid, name): (i64, String) = connection
        .prepare_cached("SELECT rid, name FROM entries WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    table::remove(connection, (space, Kind::Entries), rid)?;
    table::put(connection, (space, Kind::Entries), rid, &[&name, &body.words().join("\n")], now)
}
