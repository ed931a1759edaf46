//! `core_blocks` and their versions: standing rules.

use crate::projections::{self, Projected};
use crate::rejected::{Checked, Said, Says, tell_map};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value, json};
use um_model::work::Block;
use um_model::{AgentId, BlockId, EpochMs, SpaceId};

/// What a rule is set to.
#[derive(Debug)]
pub struct NewBlock<'a> {
    /// Where it lies.
    pub space: &'a SpaceId,
    /// Who sets it.
    pub actor: &'a AgentId,
    /// What it is called.
    pub label: &'a str,
    /// What it says.
    pub content: &'a str,
    /// 0 to 100.
    pub authority: u8,
    /// Whether agents leave it as it is.
    pub read_only: bool,
    /// Why it changes.
    pub change_reason: Option<&'a str>,
    /// What else is kept with it.
    pub metadata: &'a Map<String, Value>,
}

impl Says for NewBlock<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.content));
        tell(Said::Name(self.label));
        self.change_reason.iter().for_each(|reason| tell(Said::Text(reason)));
        tell_map(self.metadata, tell);
    }
}

const SELECT: &str =
    "SELECT b.id, b.space_id, s.name, b.label, b.content, b.authority, b.read_only, b.is_active, b.current_version,
    b.metadata, b.actor_id, b.updated_at FROM core_blocks b JOIN memory_spaces s ON s.id = b.space_id";

fn block(row: &Row<'_>) -> StoreResult<Block> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Block {
        id: BlockId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        space: text(2)?,
        label: text(3)?,
        content: text(4)?,
        authority: row.get(5)?,
        read_only: row.get(6)?,
        is_active: row.get(7)?,
        version: row.get(8)?,
        metadata: serde_json::from_str(&text(9)?)?,
        actor_id: AgentId::parse(text(10)?)?,
        updated_at: row.get(11)?,
        inherited: false,
    })
}

fn one(connection: &Connection, condition: &str, params: impl rusqlite::Params) -> StoreResult<Option<Block>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE {condition}"))?
        .query_row(params, |row| Ok(block(row)))
        .optional()?
        .transpose()
}

/// The rule of that id, unless it was blacked out.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &BlockId) -> StoreResult<Option<Block>> {
    one(connection, "b.id = ?1 AND b.is_redacted = 0", [id.as_str()])
}

/// The rule in force that has this label in a space.
///
/// # Errors
/// SQLite's.
pub fn by_label(connection: &Connection, space: &SpaceId, label: &str) -> StoreResult<Option<Block>> {
    one(connection, "b.space_id = ?1 AND b.label = ?2 AND b.is_active = 1", [space.as_str(), label])
}

/// Whether a rule that has this label in a space was in force at a time.
///
/// # Errors
/// SQLite's.
pub fn was_in_force(connection: &Connection, space: &SpaceId, label: &str, at: EpochMs) -> StoreResult<bool> {
    Ok(connection.prepare_cached(IN_FORCE_AT)?.exists(params![space.as_str(), label, at])?)
}

const IN_FORCE_AT: &str =
    "SELECT 1 FROM core_blocks WHERE space_id = ?1 AND label = ?2 AND is_redacted = 0 AND created_at <= ?3
    AND (is_active = 1 OR updated_at > ?3)";

/// So many rules of a space are told: all that are in force, and the last of those that were removed.
const MOST: usize = 500;

/// The rules of a space, the highest authority first; those that were removed last as well where that is said.
///
/// # Errors
/// SQLite's.
pub fn of_space(connection: &Connection, space: &SpaceId, inactive: bool) -> StoreResult<Vec<Block>> {
    let which = if inactive { "b.is_redacted = 0" } else { "b.is_active = 1" };
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE b.rid IN (SELECT b.rid FROM core_blocks b WHERE b.space_id = ?1 AND {which}
               ORDER BY b.is_active DESC, b.rid DESC LIMIT {MOST})
             ORDER BY b.authority DESC, b.label, b.rid"
        ))?
        .query_and_then([space.as_str()], block)?
        .collect()
}

/// The rules of a space that were in force at a time, each as it said then, in the order of [`of_space`]: by the authority of now.
///
/// # Errors
/// SQLite's.
pub fn of_space_at(connection: &Connection, space: &SpaceId, at: EpochMs) -> StoreResult<Vec<Block>> {
    connection.prepare_cached(&of_then())?.query_and_then(params![space.as_str(), at], block)?.collect()
}

/// The rules of the space `?1` at the time `?2`. A rule that was removed changed last then.
fn of_then() -> String {
    format!(
        "SELECT b.id, b.space_id, s.name, b.label, v.content, b.authority, b.read_only, 1, v.version_num, b.metadata, b.actor_id,
           v.created_at
         FROM core_blocks b JOIN memory_spaces s ON s.id = b.space_id
         CROSS JOIN core_block_versions v ON v.core_block_id = b.id AND v.version_num = (
           SELECT max(n.version_num) FROM core_block_versions n WHERE n.core_block_id = b.id AND n.created_at <= ?2)
         WHERE b.space_id = ?1 AND b.is_redacted = 0 AND v.is_redacted = 0 AND (b.is_active = 1 OR b.updated_at > ?2)
         ORDER BY b.authority DESC, b.label, b.rid LIMIT {MOST}"
    )
}

/// How many rules of a space are in force.
///
/// # Errors
/// SQLite's.
pub fn count(connection: &Connection, space: &SpaceId) -> StoreResult<u64> {
    Ok(connection
        .prepare_cached("SELECT count(*) FROM core_blocks WHERE space_id = ?1 AND is_active = 1")?
        .query_row([space.as_str()], |row| row.get(0))?)
}

/// Makes a rule, or the next version of the one that is given. Gives its id.
///
/// # Errors
/// SQLite's.
pub fn put(
    connection: &Connection,
    new: &Checked<NewBlock<'_>>,
    known: Option<&Block>,
    now: EpochMs,
) -> StoreResult<BlockId> {
    let id = known.map_or_else(|| new_id(now), |known| known.id.to_string());
    let version = known.map_or(1, |known| known.version + 1);
    let metadata = serde_json::to_string(new.metadata)?;
    if known.is_none() {
        connection
            .prepare_cached(
                "INSERT INTO core_blocks (id, space_id, actor_id, label, content, authority, read_only, metadata,
                   created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
            )?
            .execute(params![
                id,
                new.space.as_str(),
                new.actor.as_str(),
                new.label,
                new.content,
                new.authority,
                new.read_only,
                metadata,
                now
            ])?;
    } else {
        connection
            .prepare_cached(
                "UPDATE core_blocks SET content = ?2, authority = ?3, read_only = ?4, metadata = ?5, current_version = ?6,
                   updated_at = ?7 WHERE id = ?1",
            )?
            .execute(params![id, new.content, new.authority, new.read_only, metadata, version, now])?;
    }
    connection
        .prepare_cached(
            "INSERT INTO core_block_versions (id, space_id, core_block_id, version_num, content, change_reason,
               created_by, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            new_id(now),
            new.space.as_str(),
            id,
            version,
            new.content,
            new.change_reason,
            new.actor.as_str(),
            now
        ])?;
    let state = json!({ "label": new.label, "content": new.content, "authority": new.authority,
        "read_only": new.read_only, "is_active": true, "version": version, "metadata": new.metadata });
    note(connection, (new.space, new.actor), &id, &format!("Standing rule {} was set.", new.label), state, now)?;
    Ok(BlockId::parse(id)?)
}

/// Takes a rule out of force.
///
/// # Errors
/// SQLite's.
pub fn remove(connection: &Connection, block: &Block, actor: &AgentId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached("UPDATE core_blocks SET is_active = 0, updated_at = ?2 WHERE id = ?1")?
        .execute(params![block.id.as_str(), now])?;
    let says = format!("Standing rule {} was removed.", block.label);
    note(connection, (&block.space_id, actor), block.id.as_str(), &says, json!({ "is_active": false }), now)
}

fn note(
    connection: &Connection,
    (space, actor): (&SpaceId, &AgentId),
    about: &str,
    says: &str,
    state: Value,
    now: EpochMs,
) -> StoreResult<()> {
    let event = Projected { space, actor, about, is: "core_block", says, state };
    projections::note(connection, &event, now).map(drop)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_rules_of_another_time_are_looked_up_by_their_space() {
        let plan = crate::migrate::plan(&crate::migrate::migrated(), &super::of_then());
        assert!(plan.contains("SEARCH b USING INDEX idx_core_blocks_label (space_id=?)"), "{plan}");
        assert_eq!(crate::migrate::scanned(&plan), [""; 0], "{plan}");
    }

    #[test]
    fn a_rule_of_another_time_is_looked_up_by_its_label() {
        let plan = crate::migrate::plan(&crate::migrate::migrated(), super::IN_FORCE_AT);
        assert_eq!(plan, "SEARCH core_blocks USING INDEX idx_core_blocks_label (space_id=? AND label=?)");
    }
}
