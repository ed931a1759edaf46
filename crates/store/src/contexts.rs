//! `compiled_contexts`: packs as they were handed out, for a while.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, params};
use um_model::work::{Briefing, ItemType};
use um_model::{AgentId, EpochMs, SpaceId};

/// Keeps a pack until it expires.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    pack: &Briefing,
    actor: &AgentId,
    (overlays, compiler): (&[SpaceId], &str),
    (now, expires): (EpochMs, EpochMs),
) -> StoreResult<()> {
    let ids = |of: Option<ItemType>| {
        let items = pack.items.iter().filter(|item| of.is_none_or(|of| item.item.item_type == of));
        serde_json::to_string(&items.map(|item| &item.item.id).collect::<Vec<_>>())
    };
    connection
        .prepare_cached(
            "INSERT INTO compiled_contexts (id, space_id, actor_id, session_id, query, policy, budget_tokens,
               estimated_tokens, blocks, full_text, text_hash, memory_ids, claim_ids, item_ids, verification_warnings,
               recall_warnings, overlay_space_ids, compiler_config_version, expires_at, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
        )?
        .execute(params![
            new_id(now),
            pack.base_space_id.as_str(),
            actor.as_str(),
            pack.session_id.as_ref().map(um_model::SessionId::as_str),
            pack.query,
            pack.policy.as_str(),
            pack.budget_tokens,
            pack.estimated_tokens,
            serde_json::to_string(&pack.items)?,
            pack.full_text,
            pack.text_hash,
            ids(Some(ItemType::Memory))?,
            ids(Some(ItemType::Claim))?,
            ids(None)?,
            serde_json::to_string(&pack.verification_warnings)?,
            serde_json::to_string(&pack.recall_warnings)?,
            serde_json::to_string(&overlays.iter().map(SpaceId::as_str).collect::<Vec<_>>())?,
            compiler,
            expires,
            now
        ])?;
    Ok(())
}

/// Empties and drops what expired. Gives how many packs that were.
///
/// # Errors
/// SQLite's.
pub fn expire(connection: &Connection, now: EpochMs) -> StoreResult<usize> {
    Ok(connection.prepare_cached("DELETE FROM compiled_contexts WHERE expires_at <= ?1")?.execute([now])?)
}
