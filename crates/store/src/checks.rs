//! Checks that the parts of the database agree with each other.

use crate::fts::sources;
use crate::{StoreResult, audit, rebuild, units, vectors};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use um_model::MemoryId;
use um_model::health::Check;

fn check(name: &str, problems: u64, well: &str, ill: &str) -> Check {
    Check {
        name: name.to_owned(),
        ok: problems == 0,
        detail: if problems == 0 { well.to_owned() } else { format!("{problems} {ill}") },
    }
}

/// Runs every check.
///
/// # Errors
/// SQLite's.
pub fn run(connection: &Connection) -> StoreResult<Vec<Check>> {
    Ok(vec![
        integrity(connection)?,
        foreign_keys(connection)?,
        full_text(connection)?,
        vector_index(connection)?,
        units_fit(connection)?,
        lone_files(connection)?,
        file_bytes(connection)?,
        together(connection)?,
        ledger(connection)?,
    ])
}

/// Whether the database is encrypted; where it is, each page is checked against its code.
///
/// # Errors
/// SQLite's.
pub fn encryption(connection: &Connection, encrypted: bool) -> StoreResult<Check> {
    let damaged = if encrypted { crate::cipher::damaged_pages(connection)? } else { 0 };
    let well = if encrypted { "The database and the files in it are encrypted." } else { "Nothing is encrypted." };
    Ok(check("encryption", damaged, well, "pages were changed or damaged. Restore the database from a backup."))
}

fn integrity(connection: &Connection) -> StoreResult<Check> {
    let answer: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    let ok = answer == "ok";
    let detail = if ok { "The database file is whole.".to_owned() } else { answer };
    Ok(Check { name: "integrity".to_owned(), ok, detail })
}

fn foreign_keys(connection: &Connection) -> StoreResult<Check> {
    let broken = connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
    Ok(check("foreign_keys", broken, "Every reference leads somewhere.", "references lead nowhere."))
}

/// Rows of full text that stand for nothing, and what should stand there and does not, of every kind in every space. Where some of it
/// cannot be read, making the full text anew fails at that: only what was kept elsewhere helps.
fn full_text(connection: &Connection) -> StoreResult<Check> {
    let (mut problems, mut unreadable) = (BTreeMap::new(), 0);
    for (space, kind) in sources::all(connection)? {
        let differing = sources::differing(connection, &space, kind)?;
        if differing > 0 {
            unreadable += sources::unreadable(connection, &space, kind)?;
        }
        *problems.entry(kind.called()).or_default() += differing;
    }
    problems.retain(|_, count: &mut u64| *count > 0);
    let of: Vec<String> = problems.iter().map(|(called, count)| format!("{count} of {called}")).collect();
    let detail = match of.is_empty() {
        true => "Everything is findable by its words.".to_owned(),
        false => {
            let helps = match unreadable {
                0 if rebuild::is_renewing_form(connection)? => "They are being indexed again.".to_owned(),
                0 => "Run `umem doctor --rebuild`.".to_owned(),
                1 => "1 of them cannot be read. Restore the database from a backup.".to_owned(),
                more => format!("{more} of them cannot be read. Restore the database from a backup."),
            };
            format!("Rows that differ from the full text: {}. {helps}", of.join(", "))
        }
    };
    Ok(Check { name: "fts".to_owned(), ok: of.is_empty(), detail })
}

/// Vectors in the index that may not be there, and vectors that should be. One of another length than the index holds stands in none,
/// however often that is made anew.
fn vector_index(connection: &Connection) -> StoreResult<Check> {
    let wanted = format!(
        "SELECT e.rid FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
         JOIN memory_embeddings e ON e.unit_id = u.id WHERE {}",
        vectors::INDEXED
    );
    let unreadable: u64 = connection.query_row(
        &format!("SELECT count(*) FROM ({wanted} AND NOT ({}))", vectors::READABLE),
        [],
        |row| row.get(0),
    )?;
    let wanted = format!("{wanted} AND {}", vectors::READABLE);
    let problems: u64 = connection.query_row(
        &format!(
            "WITH wanted(rid) AS ({wanted}), indexed(rid) AS (SELECT embedding_rid FROM embeddings_text_dense_vec)
             SELECT (SELECT count(*) FROM wanted WHERE rid NOT IN (SELECT rid FROM indexed))
                  + (SELECT count(*) FROM indexed WHERE rid NOT IN (SELECT rid FROM wanted))"
        ),
        [],
        |row| row.get(0),
    )?;
    let helps = match rebuild::is_incomplete(connection)? {
        true => "It is being made again.",
        false => "Run `umem doctor --rebuild`.",
    };
    let differing = (problems > 0).then(|| format!("{problems} vectors differ from the index. {helps}"));
    let lost = match unreadable {
        0 => None,
        1 => Some("1 vector cannot be read. Restore the database from a backup.".to_owned()),
        more => Some(format!("{more} vectors cannot be read. Restore the database from a backup.")),
    };
    let ill: Vec<String> = differing.into_iter().chain(lost).collect();
    let detail = match ill.is_empty() {
        true => "The vector index agrees with the vectors.".to_owned(),
        false => ill.join(" "),
    };
    Ok(Check { name: "vectors".to_owned(), ok: ill.is_empty(), detail })
}

/// Units whose memory is not in use but which are still active.
fn units_fit(connection: &Connection) -> StoreResult<Check> {
    let problems = connection.query_row(
        "SELECT count(*) FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
         WHERE u.status = 'active' AND m.status <> 'active'",
        [],
        |row| row.get(0),
    )?;
    Ok(check(
        "units",
        problems,
        "Only what is in use can be found.",
        "passages of removed memories can still be found.",
    ))
}

/// Files without a memory, and readable files without a job: neither can come from a whole ingest.
fn lone_files(connection: &Connection) -> StoreResult<Check> {
    let problems = connection.query_row(
        "SELECT count(*) FROM artifacts a WHERE a.derived_from_artifact_id IS NULL AND a.is_redacted = 0
           AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.primary_artifact_id = a.id)",
        [],
        |row| row.get(0),
    )?;
    Ok(check("artifacts", problems, "Every file has its memory.", "files have no memory."))
}

/// Files whose bytes are not in the database though they should be, or are not as many, and bytes without a
/// file. Lengths stand in the rows' heads: no bytes are read for this.
fn file_bytes(connection: &Connection) -> StoreResult<Check> {
    let problems = connection.query_row(
        "SELECT (SELECT count(*) FROM artifacts a LEFT JOIN artifact_bytes b ON b.id = a.bytes_id
                 WHERE a.bytes_id IS NOT NULL AND (b.id IS NULL OR length(b.blob) IS NOT ifnull(a.byte_size, length(b.blob))))
              + (SELECT count(*) FROM artifact_bytes b WHERE NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.bytes_id = b.id))",
        [],
        |row| row.get(0),
    )?;
    Ok(check(
        "file_bytes",
        problems,
        "Every file in the database has its bytes.",
        "files have lost their bytes, or bytes their file. Restore the database from a backup, or add the files again.",
    ))
}

/// What answered together leads to what is there, in its own space. Nothing else tells it: traces expire.
fn together(connection: &Connection) -> StoreResult<Check> {
    let problems = connection.query_row(
        "SELECT count(*) FROM associations a
         WHERE (SELECT space_id FROM item_spaces WHERE item_type = a.from_type AND item_id = a.from_id) IS NOT a.space_id
           OR (SELECT space_id FROM item_spaces WHERE item_type = a.to_type AND item_id = a.to_id) IS NOT a.space_id",
        [],
        |row| row.get(0),
    )?;
    Ok(check(
        "associations",
        problems,
        "What answered together is there.",
        "connections of what answered together lead nowhere. Restore the database from a backup.",
    ))
}

fn ledger(connection: &Connection) -> StoreResult<Check> {
    let broken = audit::check(connection)?.first_break.map(|(number, _)| number);
    Ok(Check {
        name: "audit".to_owned(),
        ok: broken.is_none(),
        detail: broken.map_or_else(
            || "The audit ledger is whole.".to_owned(),
            |clock| format!("The audit ledger was changed at entry {clock}."),
        ),
    })
}

/// How many rows the main tables have.
///
/// # Errors
/// SQLite's.
pub fn counts(connection: &Connection) -> StoreResult<BTreeMap<String, u64>> {
    const TABLES: &[&str] =
        &["artifacts", "memories", "derived_text_views", "text_units", "memory_embeddings", "jobs", "audit_events"];
    TABLES
        .iter()
        .map(|table| {
            let rows = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
            Ok(((*table).to_owned(), rows))
        })
        .collect()
}

/// Numbers for the status line.
#[derive(Debug, Clone, Copy)]
pub struct Totals {
    /// Files in use.
    pub artifacts: u64,
    /// Memories in use.
    pub memories: u64,
    /// Passages of memories that wait to be embedded.
    pub units_unembedded: u64,
}

/// Counts for the status line.
///
/// # Errors
/// SQLite's.
pub fn totals(connection: &Connection) -> StoreResult<Totals> {
    Ok(connection
        .prepare_cached(
            "SELECT (SELECT count(*) FROM artifacts WHERE status = 'active'),
                    (SELECT count(*) FROM memories WHERE status = 'active'),
                    (SELECT count(*) FROM jobs j JOIN text_units u ON u.owner_memory_id = j.subject_id AND u.status = 'active'
                     WHERE j.kind = 'embed' AND j.status IN ('pending', 'processing', 'waiting_for_model'))
                  + (SELECT count(*) FROM jobs j CROSS JOIN memories m ON +m.space_id = j.space_id
                       AND m.rid BETWEEN ifnull(j.payload ->> '$.at', CAST(j.config_hash AS INTEGER))
                         AND CAST(substr(j.config_hash, instr(j.config_hash, '-') + 1) AS INTEGER)
                     CROSS JOIN text_units u ON u.owner_memory_id = m.id AND u.status = 'active'
                     WHERE j.kind = 'embed' AND j.subject_type = 'space'
                       AND j.status IN ('pending', 'processing', 'waiting_for_model'))",
        )?
        .query_row([], |row| {
            Ok(Totals { artifacts: row.get(0)?, memories: row.get(1)?, units_unembedded: row.get(2)? })
        })?)
}

/// How many active passages have a vector of a model.
///
/// # Errors
/// SQLite's.
pub fn embedded_with(connection: &Connection, model: &str) -> StoreResult<u64> {
    Ok(connection.query_row(
        "SELECT count(*) FROM memory_embeddings e JOIN text_units u ON u.id = e.unit_id
         WHERE e.embedding_space = 'text_dense' AND e.model_id = ?1 AND u.status = 'active'",
        [model],
        |row| row.get(0),
    )?)
}

/// Passages in use, or cold, after one (`text_units.rid`) that have no vector of a model, in order, at most `limit`; a file's mere name needs
/// none.
///
/// # Errors
/// SQLite's.
pub fn without_vector(connection: &Connection, model: &str, after: i64, limit: usize) -> StoreResult<Vec<i64>> {
    Ok(connection
        .prepare_cached(&format!(
            "SELECT u.rid FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
             LEFT JOIN derived_text_views v ON v.id = u.text_view_id
             WHERE u.rid > ?3 AND {} AND m.is_redacted = 0 AND v.view_type IS NOT 'metadata_text'
               AND NOT EXISTS (SELECT 1 FROM memory_embeddings e WHERE e.unit_id = u.id
                 AND e.embedding_space = 'text_dense' AND e.model_id = ?1) ORDER BY u.rid LIMIT ?2",
            units::HAS_MEANING
        ))?
        .query_map(params![model, limit as i64, after], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Passages (`text_units.rid`), each with its memory.
///
/// # Errors
/// SQLite's.
pub fn memories_of(connection: &Connection, rids: &[i64]) -> StoreResult<Vec<(i64, MemoryId)>> {
    connection
        .prepare_cached(
            "SELECT u.rid, u.owner_memory_id FROM json_each(?1) wanted CROSS JOIN text_units u ON u.rid = wanted.value
             ORDER BY u.rid",
        )?
        .query_and_then([serde_json::to_string(rids)?], |row| {
            Ok((row.get(0)?, MemoryId::parse(row.get::<_, String>(1)?)?))
        })?
        .collect()
}
