//! `item_relations`: how items bear on one another.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use um_model::work::ItemKey;
use um_model::{AgentId, EpochMs, SpaceId};

/// Says that an item was made of another one.
///
/// # Errors
/// SQLite's.
pub fn derives(
    connection: &Connection,
    space: &SpaceId,
    (made, of): (&ItemKey, &ItemKey),
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO item_relations (id, space_id, from_type, from_id, to_type, to_id, relation_type, created_at, created_by)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'derives', ?7, ?8 WHERE NOT EXISTS (SELECT 1 FROM item_relations
               WHERE from_type = ?3 AND from_id = ?4 AND to_type = ?5 AND to_id = ?6 AND relation_type = 'derives')",
        )?
        .execute(params![
            new_id(now),
            space.as_str(),
            made.item_type.as_str(),
            made.id,
            of.item_type.as_str(),
            of.id,
            now,
            actor.as_str()
        ])?;
    Ok(())
}
