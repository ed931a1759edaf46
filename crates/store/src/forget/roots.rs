//! Where forgetting begins: everything of an owner, everything beneath a folder, everything that names somebody.

use super::cascade::{KINDS, Kind, Loses};
use super::words::{Heard, folded, holders_of_names};
use super::{Rows, has_space, table_of};
use crate::StoreResult;
use rusqlite::{Connection, params};
use um_model::{EntityId, SpaceId};

/// The columns that say whose a row is. What is only read from a row's words, or made of rows of several, is not listed: it
/// goes where nothing else carries it.
const AUTHORS: &[(&str, &str)] = &[
    ("memories", "actor_id"),
    ("artifacts", "actor_id"),
    ("evidence_events", "actor_id"),
    ("claim_evidence", "actor_id"),
    ("candidates", "actor_id"),
    ("sessions", "agent_id"),
    ("session_states", "actor_id"),
    ("workspace_resources", "actor_id"),
    ("workspace_resource_versions", "actor_id"),
    ("core_blocks", "actor_id"),
    ("core_block_versions", "created_by"),
    ("entries", "created_by"),
    ("entry_versions", "created_by"),
    ("saved_searches", "actor_id"),
    ("compiled_contexts", "actor_id"),
    ("answer_traces", "actor_id"),
    ("file_locks", "agent_id"),
    ("verification_records", "actor_id"),
    ("watch_folders", "actor_id"),
    ("undo_log", "actor_id"),
    ("raw_archive", "archived_by"),
    ("promotion_requests", "requested_by"),
    ("pairing_requests", "agent_id"),
    ("agents", "id"),
    ("agents.name", "id"),
    ("agents.folders", "id"),
];

/// An entity (`?1`) with all that went into it, through others as well, as `family(id)`.
pub(super) const FAMILY: &str = "WITH RECURSIVE family(id) AS (SELECT ?1 UNION SELECT e.id FROM entities e JOIN family ON e.merged_into = family.id)";

/// Everything of an owner: an agent by its id or name, or whoever memories say that they are of.
///
/// # Errors
/// SQLite's.
pub fn by_owner(connection: &Connection, owner: &str) -> StoreResult<Rows> {
    let mut found = Rows::default();
    let is_owner = "(SELECT id FROM agents WHERE id = ?1 OR folded_name(name) = folded_name(?1))";
    for (kind, column) in AUTHORS {
        let id = KINDS.iter().find(|known| known.name == *kind).map_or("id", |kind| kind.id);
        collect(
            connection,
            &mut found,
            kind,
            &format!("SELECT {id} FROM {} WHERE {column} IN {is_owner}", table_of(kind)),
            owner,
        )?;
    }
    collect(
        connection,
        &mut found,
        "memories",
        "SELECT id FROM memories WHERE folded_name(owner) = folded_name(?1)",
        owner,
    )?;
    let archived = "SELECT id FROM raw_archive WHERE folded_name(envelope ->> '$.owner') = folded_name(?1)
                    OR memory_id IN (SELECT id FROM memories
                      WHERE actor_id IN (SELECT id FROM agents WHERE id = ?1 OR folded_name(name) = folded_name(?1)))";
    collect(connection, &mut found, "raw_archive", archived, owner)?;
    // What bears a tag carries it; one that nothing bears is whose that made it.
    let made = format!(
        "SELECT t.id FROM tags t JOIN audit_events a ON a.object_id = t.id AND a.event_type = 'tag.created'
         WHERE t.is_predefined = 0 AND a.actor_id IN {is_owner}
           AND NOT EXISTS (SELECT 1 FROM item_tags i WHERE i.tag_id = t.id)"
    );
    collect(connection, &mut found, "tags", &made, owner)?;
    // A pack says by the agent's name who stated a fact, which stays where others state it, too.
    let told = format!(
        "SELECT p.id FROM compiled_contexts p WHERE p.is_redacted = 0 AND EXISTS (
           SELECT 1 FROM json_each(p.blocks) item
           JOIN agents g ON g.name = iif(item.type = 'object', item.value, '{{}}') ->> '$.by' WHERE g.id IN {is_owner})"
    );
    collect(connection, &mut found, "compiled_contexts", &told, owner)?;
    Ok(found)
}

/// Everything that came from a folder of the disk, or from below it.
///
/// # Errors
/// SQLite's.
pub fn beneath(connection: &Connection, folder: &str) -> StoreResult<Rows> {
    let folder = folder.trim_end_matches(['/', '\\']);
    let below =
        |path: &str| format!("({path} = ?1 OR substr({path}, 1, length(?1) + 1) IN (?1 || '/', ?1 || char(92)))");
    let mut found = Rows::default();
    for (kind, sql) in [
        ("artifacts", format!("SELECT a.id FROM artifacts a WHERE {}", below("a.source_path"))),
        (
            "artifacts",
            format!(
                "SELECT a.id FROM artifacts a, json_each(a.metadata, '$.earlier_paths') earlier WHERE {}",
                below("earlier.value")
            ),
        ),
        ("watch_folders", format!("SELECT w.id FROM watch_folders w WHERE {}", below("w.path"))),
        (
            "watched_files",
            format!(
                "SELECT f.id FROM watched_files f JOIN watch_folders w ON w.id = f.watch_id WHERE {}",
                below("(w.path || '/' || f.rel_path)")
            ),
        ),
        (
            "agents.folders",
            format!("SELECT a.id FROM agents a, json_each(a.folders) opened WHERE {}", below("opened.value")),
        ),
        ("file_locks", format!("SELECT l.id FROM file_locks l WHERE {}", below("l.path"))),
        ("memory_spaces", format!("SELECT s.id FROM memory_spaces s WHERE {}", below("s.root_path"))),
        (
            "workspace_resources",
            format!("SELECT r.id FROM workspace_resources r WHERE {}", below("replace(r.uri, 'file://', '')")),
        ),
    ] {
        collect(connection, &mut found, kind, &sql, folder)?;
    }
    for address in ["uri", "parent_uri", "artifact_ref"] {
        let said = below(&format!("replace(trim(k.payload ->> '$.request.{address}'), 'file://', '')"));
        let sql = format!("SELECT k.id FROM candidates k WHERE {said}");
        collect(connection, &mut found, "candidates", &sql, folder)?;
    }
    // What was written of a work tree there, and what waits of it. An entry goes with the version that counts.
    let written = ["entry_versions", "session_states", "workspace_resources", "core_blocks", "memories"];
    let waiting = ("candidates", "w.payload ->> '$.request.metadata");
    for (kind, metadata) in written.map(|kind| (kind, "w.metadata ->> '$")).into_iter().chain([waiting]) {
        for key in ["workspace_path", "workspacePath", "file_path", "filePath"] {
            let said = below(&format!("({metadata}.{key}')"));
            collect(connection, &mut found, kind, &format!("SELECT w.id FROM {kind} w WHERE {said}"), folder)?;
        }
    }
    Ok(found)
}

/// The texts that say a claim: the memories and files that its evidence quotes.
///
/// # Errors
/// SQLite's.
pub fn saying(connection: &Connection, claim: &str) -> StoreResult<Rows> {
    let mut found = Rows::default();
    let quoted =
        "SELECT memory_id FROM claim_evidence WHERE claim_id = ?1 AND is_redacted = 0 AND memory_id IS NOT NULL";
    collect(connection, &mut found, "memories", quoted, claim)?;
    let read = "SELECT v.artifact_id FROM claim_evidence e JOIN derived_text_views v ON v.id = e.derived_text_view_id
                WHERE e.claim_id = ?1 AND e.is_redacted = 0";
    collect(connection, &mut found, "artifacts", read, claim)?;
    Ok(found)
}

/// Those of some rows that are of a space. What is of no space is not among them.
///
/// # Errors
/// SQLite's.
pub fn in_space(connection: &Connection, rows: &Rows, space: &SpaceId) -> StoreResult<Rows> {
    scoped(connection, rows, "=", space)
}

/// Those of some rows that are of other spaces. What is of no space is not among them.
///
/// # Errors
/// SQLite's.
pub fn outside(connection: &Connection, rows: &Rows, space: &SpaceId) -> StoreResult<Rows> {
    scoped(connection, rows, "<>", space)
}

fn scoped(connection: &Connection, rows: &Rows, compare: &str, space: &SpaceId) -> StoreResult<Rows> {
    let mut found = Rows::default();
    for kind in KINDS.iter().filter(|kind| rows.of(kind.name).next().is_some()) {
        let table = table_of(kind.name);
        if has_space(connection, table)? {
            let id = kind.id;
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {id} FROM {table}
                 WHERE space_id {compare} ?1 AND {id} IN (SELECT value FROM json_each(?2))"
            ))?;
            let mut of_space = statement.query(params![space.as_str(), rows.json(kind.name)])?;
            while let Some(row) = of_space.next()? {
                found.add(kind.name, row.get::<_, String>(0)?);
            }
        }
    }
    Ok(found)
}

/// Those of some rows that say what they said. Rows of which only a column is emptied, whatever it says, are not among them.
///
/// # Errors
/// SQLite's.
pub fn still_there(connection: &Connection, rows: &Rows) -> StoreResult<Rows> {
    let mut found = Rows::default();
    let tells = |kind: &&Kind| matches!(kind.loses, Loses::Goes) || kind.only.contains("is_redacted = 0");
    for Kind { name, id, only, .. } in KINDS.iter().filter(tells).filter(|kind| rows.of(kind.name).next().is_some()) {
        let sql =
            format!("SELECT {id} FROM {} WHERE ({only}) AND {id} IN (SELECT value FROM json_each(?1))", table_of(name));
        collect(connection, &mut found, name, &sql, &rows.json(name))?;
    }
    Ok(found)
}

/// Somebody or something with all that was merged into it, what is claimed of it, and all that names it: what is linked
/// with it, and what has one of its names that nobody else bears.
///
/// # Errors
/// SQLite's.
pub fn naming(connection: &Connection, entity: &EntityId) -> StoreResult<Rows> {
    let id = entity.as_str();
    let mut found = Rows::default();
    collect(connection, &mut found, "entities", &format!("{FAMILY} SELECT id FROM family"), id)?;
    let linked =
        format!("{FAMILY} SELECT memory_id FROM memory_entity_links WHERE entity_id IN (SELECT id FROM family)");
    collect(connection, &mut found, "memories", &linked, id)?;
    let names: Vec<String> = connection
        .prepare(&format!(
            "{FAMILY} SELECT name FROM entities WHERE id IN (SELECT id FROM family) AND is_redacted = 0
             UNION SELECT alias FROM entity_aliases WHERE entity_id IN (SELECT id FROM family) AND is_redacted = 0"
        ))?
        .query_map([id], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let others: Vec<Heard> = connection
        .prepare(&format!(
            "{FAMILY} SELECT name FROM entities WHERE id NOT IN (SELECT id FROM family) AND is_redacted = 0
             UNION SELECT alias FROM entity_aliases WHERE entity_id NOT IN (SELECT id FROM family) AND is_redacted = 0"
        ))?
        .query_map([id], |row| row.get::<_, String>(0))?
        .map(|name| name.map(|name| Heard::new(&name)))
        .collect::<Result<_, _>>()?;
    let own: Vec<String> =
        names.into_iter().filter(|name| others.iter().all(|other| !other.names(&folded(name)))).collect();
    found.extend(holders_of_names(connection, &own)?);
    Ok(found)
}

fn collect(connection: &Connection, found: &mut Rows, kind: &str, sql: &str, value: &str) -> StoreResult<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![value])?;
    while let Some(row) = rows.next()? {
        found.add(kind, row.get::<_, String>(0)?);
    }
    Ok(())
}
