//! The versions of what keeps them: entries, standing rules, resources.

use crate::{StoreResult, projections};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::work::{ItemVersion, VersionedType};
use um_model::{SpaceId, VersionId};

/// Where the versions of something stand, and in which columns.
struct Source {
    table: &'static str,
    of: &'static str,
    says: &'static str,
    reason: &'static str,
    flag: &'static str,
    at: &'static str,
    by: &'static str,
}

const fn source(item: VersionedType) -> Source {
    match item {
        VersionedType::Entry => Source {
            table: "entry_versions",
            of: "entry_id",
            says: "v.body",
            reason: "v.change_reason",
            flag: "v.conflict_flag",
            at: "v.created_at",
            by: "v.created_by",
        },
        VersionedType::CoreBlock => Source {
            table: "core_block_versions",
            of: "core_block_id",
            says: "json_object('content', v.content)",
            reason: "v.change_reason",
            flag: "0",
            at: "v.created_at",
            by: "v.created_by",
        },
        VersionedType::Resource => Source {
            table: "workspace_resource_versions",
            of: "resource_id",
            says: "json_object('title', v.title, 'content', v.content)",
            reason: "NULL",
            flag: "0",
            at: "v.recorded_at",
            by: "v.actor_id",
        },
    }
}

/// The space of what keeps versions.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, item: VersionedType, id: &str) -> StoreResult<Option<SpaceId>> {
    let table = match item {
        VersionedType::Entry => "entries",
        VersionedType::CoreBlock => "core_blocks",
        VersionedType::Resource => "workspace_resources",
    };
    connection
        .prepare_cached(&format!("SELECT space_id FROM {table} WHERE id = ?1 AND is_redacted = 0"))?
        .query_row([id], |row| row.get::<_, String>(0))
        .optional()?
        .map(|space| Ok(SpaceId::parse(space)?))
        .transpose()
}

fn version(row: &Row<'_>) -> StoreResult<ItemVersion> {
    Ok(ItemVersion {
        id: VersionId::parse(row.get::<_, String>(0)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
        number: row.get(2)?,
        says: serde_json::from_str(&row.get::<_, String>(3)?)?,
        change_reason: row.get(4)?,
        conflict_flag: row.get(5)?,
        created_at: row.get(6)?,
        author: row.get::<_, Option<String>>(7)?.unwrap_or_default(),
        truncated: None,
    })
}

fn select(item: VersionedType, rest: &str) -> String {
    let Source { table, of, says, reason, flag, at, by } = source(item);
    format!(
        "SELECT v.id, v.space_id, v.version_num, {says}, {reason}, {flag}, {at}, g.name
         FROM {table} v LEFT JOIN agents g ON g.id = {by} WHERE v.{of} = ?1 {rest}"
    )
}

/// A page of the versions of something, the last first; with their number in all.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    item: VersionedType,
    id: &str,
    (offset, limit): (u32, u32),
) -> StoreResult<(Vec<ItemVersion>, u64)> {
    let Source { table, of, .. } = source(item);
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM {table} WHERE {of} = ?1"))?
        .query_row([id], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&select(item, "ORDER BY v.version_num DESC LIMIT ?2 OFFSET ?3"))?
        .query_and_then(params![id, limit, offset], version)?
        .collect::<StoreResult<_>>()?;
    Ok((with_the_rest(connection, item, id, page)?, total))
}

/// The version of that number.
///
/// # Errors
/// SQLite's.
pub fn by_number(
    connection: &Connection,
    item: VersionedType,
    id: &str,
    number: u32,
) -> StoreResult<Option<ItemVersion>> {
    let found = connection
        .prepare_cached(&select(item, "AND v.version_num = ?2"))?
        .query_row(params![id, number], |row| Ok(version(row)))
        .optional()?
        .transpose()?;
    Ok(with_the_rest(connection, item, id, found.into_iter().collect())?.pop())
}

/// Versions with all that they were set to: what is not in their rows is in the events that setting them left.
fn with_the_rest(
    connection: &Connection,
    item: VersionedType,
    id: &str,
    mut versions: Vec<ItemVersion>,
) -> StoreResult<Vec<ItemVersion>> {
    let fields: &[&str] = match item {
        VersionedType::Entry => return Ok(versions),
        VersionedType::CoreBlock => &["authority", "read_only", "metadata"],
        VersionedType::Resource => &["kind", "parent_uri", "metadata"],
    };
    let times: Vec<_> = versions.iter().map(|version| version.created_at).collect();
    let mut known = projections::set_to(connection, id, &times)?;
    for version in &mut versions {
        let Some((_, mut state)) = known.remove(&version.number) else { continue };
        for field in fields {
            let value = state.remove(*field).filter(|value| !value.is_null());
            let value = value.filter(|value| value.as_object().is_none_or(|fields| !fields.is_empty()));
            version.says.extend(value.map(|value| ((*field).to_owned(), value)));
        }
    }
    Ok(versions)
}
