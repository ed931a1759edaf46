//! What a text is called by and kept with: its name, key, owner, path. Where such a column says what was blacked out of the
//! text, it is emptied.

use crate::forget::{Heard, text_at};
use crate::{StoreResult, fts, units, vectors};
use rusqlite::{Connection, named_params};
use std::path::{Path, PathBuf};
use um_model::{ArtifactId, MemoryId, SpaceId};

/// A table's columns that can say it, each with what it is left with.
struct Short {
    table: &'static str,
    /// Which rows, by `:memories` and `:files`.
    of: &'static str,
    columns: &'static [(&'static str, &'static str)],
}

const SHORT: &[Short] = &[
    Short {
        table: "memories",
        of: "id IN (SELECT value FROM json_each(:memories)) AND :files IS NOT NULL",
        columns: &[
            ("title", "NULL"),
            ("summary", "NULL"),
            ("memory_key", "NULL"),
            ("owner", "NULL"),
            ("session_id", "NULL"),
            ("skill_links", "'[]'"),
            ("sources", "'[]'"),
            ("metadata", "'{}'"),
        ],
    },
    Short {
        table: "artifacts",
        of: "id IN (SELECT value FROM json_each(:files)) AND :memories IS NOT NULL",
        columns: &[("original_filename", "NULL"), ("source_path", "NULL"), ("metadata", "'{}'")],
    },
    Short {
        table: "derived_text_views",
        of: "artifact_id IN (SELECT value FROM json_each(:files)) AND :memories IS NOT NULL",
        columns: &[("metadata", "'{}'")],
    },
    Short {
        table: "media_segments",
        of: "artifact_id IN (SELECT value FROM json_each(:files)) AND :memories IS NOT NULL",
        columns: &[("metadata", "'{}'")],
    },
    Short {
        table: "text_units",
        of: "owner_memory_id IN (SELECT value FROM json_each(:memories)) AND :files IS NOT NULL",
        columns: &[("heading_path", "NULL"), ("mail_from", "NULL")],
    },
    Short {
        table: "raw_archive",
        of: "memory_id IN (SELECT value FROM json_each(:memories)) AND :files IS NOT NULL",
        columns: &[("envelope", "'{}'"), ("reason", "'[REDACTED]'")],
    },
    Short {
        table: "promotion_requests",
        of: "object_id IN (SELECT value FROM json_each(:memories) UNION SELECT value FROM json_each(:files))",
        columns: &[("notes", "NULL"), ("review_notes", "NULL")],
    },
    Short {
        table: "watched_files",
        of: "memory_id IN (SELECT value FROM json_each(:memories)) OR artifact_id IN (SELECT value FROM json_each(:files))",
        columns: &[("last_error", "NULL")],
    },
];

/// Whose columns they are, as JSON arrays of ids.
struct Of {
    memories: String,
    files: String,
}

/// Empties what a memory, its file and their versions are called by and kept with, where it has one of these folded words.
/// A file whose path has one is watched no more. Gives the paths that had.
///
/// # Errors
/// SQLite's.
pub fn black_out_short(
    connection: &Connection,
    space: &SpaceId,
    (memory, file): (&MemoryId, Option<&ArtifactId>),
    values: &[String],
) -> StoreResult<Vec<PathBuf>> {
    let of = versions(connection, memory, file)?;
    let paths = leave_watch(connection, &of, values)?;
    let mut renamed = Vec::new();
    for short in SHORT {
        let found = empty(connection, short, &of, values)?;
        if short.table == "text_units" {
            vectors::forget_units(connection, &found)?;
        }
        if matches!(short.table, "memories" | "text_units") {
            renamed.extend(found);
        }
    }
    if !renamed.is_empty() {
        index_anew(connection, space, &of)?;
    }
    Ok(paths)
}

/// The memory with its other versions, and the files of all these: they bear the same names.
fn versions(connection: &Connection, memory: &MemoryId, file: Option<&ArtifactId>) -> StoreResult<Of> {
    let memories = connection.query_row(
        "WITH RECURSIVE version(id) AS (SELECT ?1
           UNION SELECT m.id FROM memories m JOIN version v ON m.superseded_by_id = v.id
           UNION SELECT m.superseded_by_id FROM memories m JOIN version v ON m.id = v.id
             WHERE m.superseded_by_id IS NOT NULL)
         SELECT json_group_array(id) FROM version",
        [memory.as_str()],
        |row| row.get(0),
    )?;
    let files = connection.query_row(
        "SELECT json_group_array(file) FROM (
           SELECT primary_artifact_id AS file FROM memories
           WHERE id IN (SELECT value FROM json_each(?1)) AND primary_artifact_id IS NOT NULL
           UNION SELECT ?2 WHERE ?2 IS NOT NULL)",
        (&memories, file.map(ArtifactId::as_str)),
        |row| row.get(0),
    )?;
    Ok(Of { memories, files })
}

fn has(text: Option<&str>, values: &[String]) -> bool {
    text.is_some_and(|text| {
        let text = Heard::new(text);
        values.iter().any(|value| text.says(value))
    })
}

/// Gives the rids of the rows that lost something.
fn empty(connection: &Connection, short: &Short, of: &Of, values: &[String]) -> StoreResult<Vec<i64>> {
    let names: Vec<&str> = short.columns.iter().map(|(column, _)| *column).collect();
    let mut found: Vec<(i64, Vec<String>)> = Vec::new();
    let mut statement = connection.prepare_cached(&format!(
        "SELECT rid, {} FROM {} WHERE {}",
        names.join(", "),
        short.table,
        short.of
    ))?;
    let mut rows = statement.query(named_params! { ":memories": of.memories, ":files": of.files })?;
    while let Some(row) = rows.next()? {
        let mut sets = Vec::new();
        for (at, (column, empty)) in short.columns.iter().enumerate() {
            if has(text_at(row, at + 1)?, values) {
                sets.push(format!("{column} = {empty}"));
            }
        }
        if !sets.is_empty() {
            found.push((row.get(0)?, sets));
        }
    }
    for (rid, sets) in &found {
        connection.execute(&format!("UPDATE {} SET {} WHERE rid = ?1", short.table, sets.join(", ")), [rid])?;
    }
    Ok(found.into_iter().map(|(rid, _)| rid).collect())
}

/// A path is what a watched file is known by: it cannot be emptied, so the file leaves the watch.
fn leave_watch(connection: &Connection, of: &Of, values: &[String]) -> StoreResult<Vec<PathBuf>> {
    let params = named_params! { ":memories": of.memories, ":files": of.files };
    let mut paths = Vec::new();
    let mut statement = connection.prepare_cached(
        "SELECT source_path FROM artifacts WHERE id IN (SELECT value FROM json_each(:files))
           AND source_path IS NOT NULL AND :memories IS NOT NULL",
    )?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        paths.extend(text_at(row, 0)?.filter(|path| has(Some(path), values)).map(PathBuf::from));
    }
    let watched: Vec<(i64, String, String)> = connection
        .prepare_cached(
            "SELECT f.rid, w.path, f.rel_path FROM watched_files f JOIN watch_folders w ON w.id = f.watch_id
             WHERE f.memory_id IN (SELECT value FROM json_each(:memories))
               OR f.artifact_id IN (SELECT value FROM json_each(:files))",
        )?
        .query_map(params, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (rid, folder, path) in watched.into_iter().filter(|(_, _, path)| has(Some(path), values)) {
        connection.prepare_cached("DELETE FROM watched_files WHERE rid = ?1")?.execute([rid])?;
        paths.push(Path::new(&folder).join(path));
    }
    Ok(paths)
}

/// Puts all passages of some memories into full text anew, under the names that are left.
fn index_anew(connection: &Connection, space: &SpaceId, of: &Of) -> StoreResult<()> {
    let rids: Vec<i64> = connection
        .prepare_cached(
            "SELECT rid FROM text_units WHERE owner_memory_id IN (SELECT value FROM json_each(?1)) AND status = 'active'",
        )?
        .query_map([&of.memories], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if let Some(table) = fts::table(connection, space)? {
        fts::remove(connection, &table, &rids)?;
    }
    units::index(connection, space, &rids)
}
