//! Letting rows lose what they say, in every table and index.

use super::cascade::{KINDS, Kind, Loses};
use super::{Rows, passed, table_of};
use crate::keyed::Key;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, named_params, params};
use std::collections::{BTreeMap, BTreeSet};
use um_model::{AgentId, ClaimId, EpochMs, MemoryId, SpaceId};

/// In whose name rows are emptied, and when.
#[derive(Debug, Clone, Copy)]
pub struct Eraser<'a> {
    /// Who does it.
    pub actor: &'a AgentId,
    /// The key of what outlives content.
    pub key: &'a Key,
    /// The time.
    pub now: EpochMs,
}

/// The full text tables, by `space_indexes.kind`, with the table whose rows they index.
pub(super) const INDEXED: &[(&str, &str)] = &[
    ("units", "text_units"),
    ("claims", "claims"),
    ("events", "evidence_events"),
    ("entries", "entries"),
    ("resources", "workspace_resources"),
    ("session_states", "session_states"),
    ("entities", "entities"),
];
/// The vector indexes; their rows have the rid of the row of `memory_embeddings`.
pub(crate) const VECTORS: &[&str] =
    &["embeddings_text_dense_vec", "embeddings_vision_language_vec", "embeddings_audio_text_vec"];

/// Empties rows: those of a [`closure`](super::closure()), so that nothing that derives from them stays behind. Gives how
/// many rows of each kind lost something.
///
/// # Errors
/// SQLite's; a refusal of the schema.
pub fn erase(connection: &Connection, rows: &Rows, by: &Eraser<'_>) -> StoreResult<BTreeMap<String, u64>> {
    archive_raw(connection, rows, by)?;
    leave_indexes(connection, rows)?;
    let mut counts = BTreeMap::new();
    for kind in KINDS.iter().filter(|kind| rows.of(kind.name).next().is_some()) {
        if kind.name == "claims" {
            retract(connection, rows, by)?;
        }
        let changed = empty(connection, kind, rows, by.now)?;
        if changed > 0 {
            counts.insert(kind.name.to_owned(), changed as u64);
        }
    }
    Ok(counts)
}

fn empty(connection: &Connection, kind: &Kind, rows: &Rows, now: EpochMs) -> StoreResult<usize> {
    let (table, id, only) = (table_of(kind.name), kind.id, kind.only);
    let which = format!("{id} IN (SELECT value FROM json_each(:ids)) AND ({only})");
    let ids = rows.json(kind.name);
    Ok(match kind.loses {
        Loses::Entries => passed::leave(connection, rows)?,
        Loses::Goes => connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE {which}"))?
            .execute(named_params! { ":ids": ids })?,
        Loses::Sets(assignments) => {
            let mut statement =
                connection.prepare_cached(&format!("UPDATE {table} SET {assignments} WHERE {which}"))?;
            match assignments.contains(":now") {
                true => statement.execute(named_params! { ":ids": ids, ":now": now })?,
                false => statement.execute(named_params! { ":ids": ids })?,
            }
        }
    })
}

/// Raw memories leave by way of the archive, which keeps that they were there (ruling 38).
fn archive_raw(connection: &Connection, rows: &Rows, by: &Eraser<'_>) -> StoreResult<()> {
    let raw: Vec<(String, String, String)> = connection
        .prepare_cached(
            "SELECT id, space_id, ifnull(content, '') FROM memories m
             WHERE id IN (SELECT value FROM json_each(?1)) AND layer = 'raw' AND is_redacted = 0
               AND NOT EXISTS (SELECT 1 FROM raw_archive a WHERE a.memory_id = m.id)",
        )?
        .query_map([rows.json("memories")], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (memory, space, content) in raw {
        connection.execute(
            "INSERT INTO raw_archive (id, space_id, memory_id, content_hmac, envelope, reason, archived_by, archived_at,
               is_redacted, redacted_at)
             VALUES (?1, ?2, ?3, ?4, '{}', '[REDACTED]', ?5, ?6, 1, ?6)",
            params![new_id(by.now), space, memory, by.key.hmac("content", &content), by.actor.as_str(), by.now],
        )?;
    }
    Ok(())
}

/// Takes a raw memory out by way of the archive, which keeps its envelope and the reason: it loses what it says, with its
/// passages and vectors, while what was made of it stays. Gives whether there was one to take out.
///
/// # Errors
/// SQLite's; a refusal of the schema.
pub fn archive(connection: &Connection, memory: &MemoryId, reason: &str, by: &Eraser<'_>) -> StoreResult<bool> {
    type Found = (String, String, String);
    let found: Option<Found> = connection
        .prepare_cached(
            "SELECT space_id, ifnull(content, ''), json_object('owner', owner, 'artifact_ref', artifact_ref, 'session_id',
               session_id, 'scope', scope, 'confidence', confidence_label, 'created_at', created_at)
             FROM memories WHERE id = ?1 AND layer = 'raw' AND is_redacted = 0",
        )?
        .query_row([memory.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((space, content, envelope)) = found else { return Ok(false) };
    connection.execute(
        "INSERT INTO raw_archive (id, space_id, memory_id, content_hmac, envelope, reason, archived_by, archived_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            new_id(by.now),
            space,
            memory.as_str(),
            by.key.hmac("content", &content),
            envelope,
            reason,
            by.actor.as_str(),
            by.now
        ],
    )?;
    let mut rows = Rows::default();
    for (kind, sql) in [
        ("text_units", "SELECT id FROM text_units WHERE owner_memory_id = ?1"),
        ("memory_embeddings", "SELECT id FROM memory_embeddings WHERE memory_id = ?1"),
        ("memory_entity_links", "SELECT id FROM memory_entity_links WHERE memory_id = ?1"),
        ("jobs", "SELECT id FROM jobs WHERE subject_type = 'memory' AND subject_id = ?1"),
    ] {
        let ids: Vec<String> = connection
            .prepare_cached(sql)?
            .query_map([memory.as_str()], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for id in ids {
            rows.add(kind, id);
        }
    }
    let mut rows = super::closure(connection, &rows)?;
    rows.add("memories", memory.as_str());
    erase(connection, &rows, by)?;
    Ok(true)
}

/// Takes rows out of full text and vectors.
fn leave_indexes(connection: &Connection, rows: &Rows) -> StoreResult<()> {
    for (kind, source) in INDEXED {
        let ids = rows.json(source);
        let found: Vec<(String, i64)> = connection
            .prepare_cached(&format!(
                "SELECT i.fts_table, t.rid FROM {source} t JOIN space_indexes i ON i.space_id = t.space_id AND i.kind = ?2
                 WHERE t.id IN (SELECT value FROM json_each(?1))"
            ))?
            .query_map(params![ids, kind], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        for (table, rid) in found {
            connection.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?.execute([rid])?;
        }
    }
    let vectors: Vec<i64> = connection
        .prepare_cached("SELECT rid FROM memory_embeddings WHERE id IN (SELECT value FROM json_each(?1))")?
        .query_map([rows.json("memory_embeddings")], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in VECTORS {
        let mut delete = connection.prepare_cached(&format!("DELETE FROM {table} WHERE embedding_rid = ?1"))?;
        for rid in &vectors {
            delete.execute([rid])?;
        }
    }
    Ok(())
}

/// Nothing that is forgotten is believed. Claims that lost their support are retracted already, by the schema.
fn retract(connection: &Connection, rows: &Rows, by: &Eraser<'_>) -> StoreResult<()> {
    let standing: Vec<(String, String, String)> = connection
        .prepare_cached(
            "SELECT id, space_id, state FROM claims WHERE id IN (SELECT value FROM json_each(?1))
               AND state IN ('draft', 'asserted', 'disputed')",
        )?
        .query_map([rows.json("claims")], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (claim, space, state) in standing {
        connection.execute(
            "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
             VALUES (?1, ?2, ?3, ?4, 'retracted', 'redaction', ?5, ?6)",
            params![new_id(by.now), space, claim, state, by.actor.as_str(), by.now],
        )?;
    }
    Ok(())
}

/// The claims that stay but rest on, or stood against, what goes: to be settled anew once it went.
///
/// # Errors
/// SQLite's.
pub fn affected_claims(connection: &Connection, rows: &Rows) -> StoreResult<Vec<ClaimId>> {
    connection
        .prepare_cached(
            "SELECT claim_id FROM claim_evidence WHERE id IN (SELECT value FROM json_each(?1))
             UNION SELECT claim_a_id FROM conflicts WHERE claim_b_id IN (SELECT value FROM json_each(?2))
             UNION SELECT claim_b_id FROM conflicts WHERE claim_a_id IN (SELECT value FROM json_each(?2))
             UNION SELECT id FROM claims WHERE superseded_by_id IN (SELECT value FROM json_each(?2))
             UNION SELECT superseded_by_id FROM claims
               WHERE id IN (SELECT value FROM json_each(?2)) AND superseded_by_id IS NOT NULL
             UNION SELECT kin.id FROM claims gone
               JOIN claims kin ON kin.space_id = gone.space_id AND kin.fact_key = gone.fact_key AND kin.is_redacted = 0
               WHERE gone.id IN (SELECT value FROM json_each(?2))
             EXCEPT SELECT value FROM json_each(?2)",
        )?
        .query_and_then([rows.json("claim_evidence"), rows.json("claims")], |row| {
            Ok(ClaimId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

/// The spaces in whose full text some rows stand.
///
/// # Errors
/// SQLite's.
pub fn spaces_of(connection: &Connection, rows: &Rows) -> StoreResult<BTreeSet<SpaceId>> {
    let mut spaces = BTreeSet::new();
    for (_, source) in INDEXED {
        let found: Vec<String> = connection
            .prepare_cached(&format!(
                "SELECT DISTINCT space_id FROM {source} WHERE id IN (SELECT value FROM json_each(?1))"
            ))?
            .query_map([rows.json(source)], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for space in found {
            spaces.insert(SpaceId::parse(space)?);
        }
    }
    Ok(spaces)
}
