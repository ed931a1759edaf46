//! The search for claims, by what they are and by their words.

use super::{select, words};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, ToSql, params};
use um_model::belief::ClaimState;
use um_model::claims::Claim;
use um_model::{ArtifactId, EntityId, EpochMs, SpaceId};

/// What claims are searched by.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Of these spaces.
    pub spaces: Vec<SpaceId>,
    /// An FTS5 MATCH expression.
    pub expression: Option<String>,
    /// About or naming this entity.
    pub entity: Option<EntityId>,
    /// With a quote from this file that was not blacked out.
    pub artifact: Option<ArtifactId>,
    /// Of this predicate.
    pub predicate: Option<String>,
    /// In these states.
    pub states: Vec<ClaimState>,
    /// So at this time.
    pub as_of: Option<EpochMs>,
}

/// A page of the claims that fit, the surest first (with words: those that fit best), with their number in all.
///
/// # Errors
/// SQLite's.
pub fn search(connection: &Connection, question: &Question, offset: u32, limit: u32) -> StoreResult<(Vec<Claim>, u64)> {
    let ranked = match &question.expression {
        Some(expression) => Some(matching(connection, &question.spaces, expression)?),
        None => None,
    };
    let ranked = ranked.map(|rids| serde_json::to_string(&rids)).transpose()?;
    let spaces = serde_json::to_string(&question.spaces.iter().map(SpaceId::as_str).collect::<Vec<_>>())?;
    let states = words(&question.states, ClaimState::as_str)?;
    let entity = question.entity.as_ref().map(EntityId::as_str);
    // What is narrower than a space is looked up first, by its own index.
    let narrow = ranked.is_some() || entity.is_some() || question.artifact.is_some();
    let space = if narrow { "+c.space_id" } else { "c.space_id" };
    let of_entity = match entity {
        Some(_) => {
            "c.rid IN (SELECT rid FROM claims WHERE entity_id = ?3 UNION SELECT rid FROM claims WHERE target_entity_id = ?3)"
        }
        None => "?3 IS NULL",
    };
    let of_artifact = match question.artifact {
        Some(_) => {
            "c.id IN (SELECT e.claim_id FROM derived_text_views v
               JOIN claim_evidence e ON e.derived_text_view_id = v.id WHERE v.artifact_id = ?7 AND e.is_redacted = 0)"
        }
        None => "?7 IS NULL",
    };
    let filter = format!(
        "{space} IN (SELECT value FROM json_each(?1)) AND c.is_redacted = 0
           AND c.state IN (SELECT value FROM json_each(?2)) AND {of_entity} AND {of_artifact}
           AND (?4 IS NULL OR coalesce(r.name, c.attribute_key) = ?4 OR r.inverse_name = ?4)
           AND (?5 IS NULL OR ((c.valid_from IS NULL OR c.valid_from <= ?5) AND (c.valid_to IS NULL OR c.valid_to > ?5)))"
    );
    let (join, order) = match ranked {
        Some(_) => ("JOIN json_each(?6) found ON found.value = c.rid", "found.key"),
        None => ("JOIN (SELECT ?6)", "c.confidence DESC, c.rid DESC"),
    };
    let artifact = question.artifact.as_ref().map(ArtifactId::as_str);
    let shared: [&dyn ToSql; 7] = [&spaces, &states, &entity, &question.predicate, &question.as_of, &ranked, &artifact];
    let total = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM claims c LEFT JOIN relationship_types r ON r.id = c.relationship_type_id {join}
             WHERE {filter}"
        ))?
        .query_row(&shared[..], |row| row.get(0))?;
    let page =
        select(connection, &format!("{join} WHERE {filter} ORDER BY {order} LIMIT {limit} OFFSET {offset}"), &shared)?;
    Ok((page, total))
}

/// At most so many claims of a space are ranked by their words.
const RANKED: usize = 500;

/// The rids of the claims that match, best first, over spaces by rank.
fn matching(connection: &Connection, spaces: &[SpaceId], expression: &str) -> StoreResult<Vec<i64>> {
    let mut ranked: Vec<(usize, i64)> = Vec::new();
    for space in spaces {
        let Some(table) = table(connection, space)? else { continue };
        let rids: Vec<i64> = connection
            .prepare_cached(&format!(
                "SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY bm25({table}), rowid LIMIT {RANKED}"
            ))?
            .query_map([expression], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        ranked.extend(rids.into_iter().enumerate());
    }
    ranked.sort_unstable();
    Ok(ranked.into_iter().map(|(_, rid)| rid).collect())
}

pub(super) fn table(connection: &Connection, space: &SpaceId) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT fts_table FROM space_indexes WHERE space_id = ?1 AND kind = 'claims'")?
        .query_row([space.as_str()], |row| row.get(0))
        .optional()?)
}

/// The space's full text table of claims (ruling 4), made with its first claim.
pub(super) fn table_or_new(connection: &Connection, space: &SpaceId, now: EpochMs) -> StoreResult<String> {
    if let Some(table) = table(connection, space)? {
        return Ok(table);
    }
    let rid: i64 =
        connection.query_row("SELECT rid FROM memory_spaces WHERE id = ?1", [space.as_str()], |row| row.get(0))?;
    let table = format!("fts_claims_{rid}");
    connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {table} USING fts5(statement, tokenize = \"porter unicode61 remove_diacritics 2\");
         INSERT INTO {table}({table}, rank) VALUES ('secure-delete', 1);"
    ))?;
    connection.execute(
        "INSERT INTO space_indexes (id, space_id, kind, fts_table, created_at) VALUES (?1, ?2, 'claims', ?3, ?4)",
        params![new_id(now), space.as_str(), table, now],
    )?;
    Ok(table)
}
