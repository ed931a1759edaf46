//! `memory_spaces`.

use crate::ids::{has_part, new_id};
use crate::rejected::{Checked, Said, Says, tell_map};
use crate::{StoreResult, artifacts::REPLACED, space_settings};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value};
use um_model::spaces::{Space, SpaceSummary};
use um_model::{AgentId, EpochMs, SpaceId, SpaceType};

/// What is said of a space beside its name.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// What it is about.
    pub description: Option<&'a str>,
    /// The folder that is worked in for it.
    pub root_path: Option<&'a str>,
    /// What else is kept with it.
    pub metadata: &'a Map<String, Value>,
}

impl Says for About<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.description.iter().for_each(|words| tell(Said::Text(words)));
        self.root_path.iter().for_each(|path| tell(Said::Path(path)));
        tell_map(self.metadata, tell);
    }
}

const COLUMNS: &str = "s.id, s.name, s.space_type, s.parent_space_id, s.created_by_actor, s.created_at,
    s.read_policy, s.write_policy, s.description, s.root_path, s.metadata, s.updated_at";

fn space(row: &Row<'_>) -> StoreResult<Space> {
    let id = |text: Option<String>| text.map(SpaceId::parse).transpose();
    Ok(Space {
        id: SpaceId::parse(row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        space_type: row.get::<_, String>(2)?.parse()?,
        parent_space_id: id(row.get(3)?)?,
        created_by_actor: row.get::<_, Option<String>>(4)?.map(AgentId::parse).transpose()?,
        created_at: row.get(5)?,
        read_policy: row.get::<_, String>(6)?.parse()?,
        write_policy: row.get::<_, String>(7)?.parse()?,
        description: row.get(8)?,
        root_path: row.get(9)?,
        metadata: serde_json::from_str(&row.get::<_, String>(10)?)?,
        updated_at: row.get(11)?,
    })
}

/// The space of the thing with that id: a memory, a file, a text view, a passage, a job, or the space itself.
///
/// # Errors
/// SQLite's.
pub fn of_thing(connection: &Connection, id: &str) -> StoreResult<Option<SpaceId>> {
    connection
        .prepare_cached(
            "SELECT space_id FROM memories WHERE id = ?1
             UNION ALL SELECT space_id FROM artifacts WHERE id = ?1
             UNION ALL SELECT space_id FROM derived_text_views WHERE id = ?1
             UNION ALL SELECT space_id FROM text_units WHERE id = ?1
             UNION ALL SELECT space_id FROM jobs WHERE id = ?1
             UNION ALL SELECT id FROM memory_spaces WHERE id = ?1",
        )?
        .query_row([id], |row| row.get::<_, String>(0))
        .optional()?
        .map(|space| Ok(SpaceId::parse(space)?))
        .transpose()
}

/// The ids in these spaces that begin or end so, of memories, files, text views, passages, jobs and of the spaces themselves, but for what
/// was forgotten; at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn things_with_part(
    connection: &Connection,
    spaces: &[SpaceId],
    part: &str,
    limit: u32,
) -> StoreResult<Vec<String>> {
    let spaces = crate::filter::ids(spaces)?;
    connection
        .prepare_cached(&things_of_part())?
        .query_and_then(params![spaces, part, limit], |row| Ok(row.get(0)?))?
        .collect()
}

fn things_of_part() -> String {
    let is_there = "b.is_redacted = 0";
    // A passage says what its source does.
    let has_words = "NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = b.owner_memory_id AND m.is_redacted = 1)
        AND NOT EXISTS (SELECT 1 FROM derived_text_views v WHERE v.id = b.text_view_id AND v.is_redacted = 1)";
    let kinds = [
        ("memories", "space_id", is_there),
        ("artifacts", "space_id", is_there),
        ("derived_text_views", "space_id", is_there),
        ("text_units", "space_id", has_words),
        ("jobs", "space_id", "1"),
        ("memory_spaces", "id", "1"),
    ];
    let selects = kinds.map(|(table, space, is_left)| {
        let of_part = has_part("b.id", table);
        format!(
            "SELECT b.id FROM {table} b WHERE {of_part} AND {is_left}
               AND +b.{space} IN (SELECT value FROM json_each(?1))"
        )
    });
    format!("{} ORDER BY 1 LIMIT ?3", selects.join(" UNION ALL "))
}

/// The space of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &str) -> StoreResult<Option<Space>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM memory_spaces s WHERE s.id = ?1 AND s.status = 'active'"))?
        .query_row([id], |row| Ok(space(row)))
        .optional()?
        .transpose()
}

/// Every space, in the order in which they were made.
///
/// # Errors
/// SQLite's.
pub fn all(connection: &Connection) -> StoreResult<Vec<Space>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM memory_spaces s WHERE s.status = 'active' ORDER BY s.rid"))?
        .query_and_then([], space)?
        .collect()
}

/// Spaces that were archived, in the order in which they were made.
///
/// # Errors
/// SQLite's.
pub fn archived(connection: &Connection) -> StoreResult<Vec<Space>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM memory_spaces s WHERE s.status = 'archived' ORDER BY s.rid"))?
        .query_and_then([], space)?
        .collect()
}

/// Gives a space the name, the policies and the words that it has here, and this state.
///
/// # Errors
/// SQLite's.
pub fn update(
    connection: &Connection,
    space: &Space,
    about: &Checked<About<'_>>,
    archived: bool,
    now: EpochMs,
) -> StoreResult<()> {
    let status = if archived { "archived" } else { "active" };
    connection
        .prepare_cached(
            "UPDATE memory_spaces SET name = ?2, status = ?3, read_policy = ?4, write_policy = ?5,
               description = ?6, root_path = ?7, metadata = ?8, updated_at = ?9 WHERE id = ?1",
        )?
        .execute(params![
            space.id.as_str(),
            space.name,
            status,
            space.read_policy.as_str(),
            space.write_policy.as_str(),
            about.description,
            about.root_path,
            serde_json::to_string(about.metadata)?,
            now
        ])?;
    Ok(())
}

/// How many folders are watched for a space.
///
/// # Errors
/// SQLite's.
pub fn watches(connection: &Connection, id: &SpaceId) -> StoreResult<u64> {
    Ok(connection
        .prepare_cached("SELECT count(*) FROM watch_folders WHERE space_id = ?1 AND is_active = 1")?
        .query_one([id.as_str()], |row| row.get(0))?)
}

/// Every space, with what it holds, which takes counting, in the order in which they were made.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection) -> StoreResult<Vec<SpaceSummary>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS},
               (SELECT count(*) FROM artifacts a WHERE a.space_id = s.id AND a.status = 'active'
                  AND a.id NOT IN ({REPLACED} AND m.space_id = s.id)),
               (SELECT count(*) FROM memories m WHERE m.space_id = s.id AND m.status = 'active'),
               (SELECT count(*) FROM watch_folders w WHERE w.space_id = s.id AND w.is_active = 1),
               (SELECT t.value FROM space_settings t WHERE t.space_id = s.id AND t.key = ?1),
               (SELECT t.value FROM space_settings t WHERE t.space_id = s.id AND t.key = ?2)
             FROM memory_spaces s WHERE s.status = 'active' ORDER BY s.rid"
        ))?
        .query_and_then([space_settings::MASK_KINDS, space_settings::ABSTAIN_BELOW], |row| {
            let masked: Option<String> = row.get(15)?;
            let abstains: Option<String> = row.get(16)?;
            Ok(SpaceSummary {
                space: space(row)?,
                artifacts: row.get(12)?,
                memories: row.get(13)?,
                watches: row.get(14)?,
                mask_kinds: masked.map(|kinds| serde_json::from_str(&kinds)).transpose()?.unwrap_or_default(),
                abstain_below: abstains.map(|below| serde_json::from_str(&below)).transpose()?,
            })
        })?
        .collect()
}

/// Makes a space with its indexes.
///
/// # Errors
/// A duplicate name under the same parent ([`crate::StoreError::is_duplicate`]); SQLite's.
pub fn insert(
    connection: &Connection,
    name: &str,
    space_type: SpaceType,
    parent: Option<&SpaceId>,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<SpaceId> {
    let id = new_id(now);
    connection.execute(
        "INSERT INTO memory_spaces (id, name, space_type, parent_space_id, created_at, created_by_actor)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![id, name, space_type.as_str(), parent.map(SpaceId::as_str), now, actor.as_str()],
    )?;
    connection.execute(
        "INSERT INTO space_memberships (id, space_id, agent_id, role, added_at, added_by_actor)
         VALUES (?1, ?2, ?3, 'owner', ?4, ?3)",
        params![new_id(now), id, actor.as_str(), now],
    )?;
    crate::fts::create_missing(connection, now)?;
    Ok(SpaceId::parse(id)?)
}

/// Whether an agent is known and may act.
///
/// # Errors
/// SQLite's.
pub fn agent_exists(connection: &Connection, id: &AgentId) -> StoreResult<bool> {
    Ok(connection.prepare_cached("SELECT 1 FROM agents WHERE id = ?1 AND is_active = 1")?.exists([id.as_str()])?)
}

/// The agent that gives itself this name, where one is known, and how many such agents there are.
///
/// # Errors
/// SQLite's.
pub fn agent_named(connection: &Connection, name: &str) -> StoreResult<(Option<AgentId>, u64)> {
    let id: Option<String> = connection
        .prepare_cached(
            "SELECT id FROM agents WHERE agent_type = 'ai' AND folded_name(name) = ?1
             ORDER BY rid LIMIT 1",
        )?
        .query_row([crate::pairing::folded(name)], |row| row.get(0))
        .optional()?;
    let count = connection
        .prepare_cached("SELECT count(*) FROM agents WHERE agent_type = 'ai'")?
        .query_one([], |row| row.get(0))?;
    Ok((id.map(AgentId::parse).transpose()?, count))
}

/// The trust in an agent of which nobody said another: less than in the person, which is 1, as an agent may misread
/// what it passes on.
pub const AGENT_TRUST: f64 = 0.8;

/// Makes an agent, with the trust that agents have.
///
/// # Errors
/// SQLite's.
pub fn insert_agent(connection: &Connection, name: &str, now: EpochMs) -> StoreResult<AgentId> {
    let id = new_id(now);
    connection.execute(
        "INSERT INTO agents (id, name, agent_type, default_trust_weight, created_at) VALUES (?1, ?2, 'ai', ?4, ?3)",
        params![id, name, now, AGENT_TRUST],
    )?;
    Ok(AgentId::parse(id)?)
}

/// Where the work of a space lies on the disk.
///
/// # Errors
/// SQLite's.
pub fn root_path(connection: &Connection, space: &SpaceId) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT root_path FROM memory_spaces WHERE id = ?1")?
        .query_row([space.as_str()], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn things_are_looked_up_by_a_part_of_their_ids() {
        let plan = plan(&migrated(), &things_of_part());
        for table in ["memories", "artifacts", "derived_text_views", "text_units", "jobs", "memory_spaces"] {
            let begins = format!("INDEX sqlite_autoindex_{table}_1 (id>? AND id<?)");
            let ends = format!("SCAN told USING COVERING INDEX sqlite_autoindex_{table}_1");
            assert!(plan.contains(&begins) && plan.contains(&ends), "{table}: {plan}");
        }
    }
}
