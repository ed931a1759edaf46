//! Removing for good the rows that forgetting left empty (spine 7.5, level 3). The schema's guards let it through in
//! compliance mode alone. What refers to what is read from the schema, so that a new table takes part by itself.

use crate::StoreResult;
use rusqlite::Connection;
use std::collections::BTreeMap;

/// Tables whose rows say nothing by themselves: they go with the row that they hang on. The rows of all other tables hold
/// the rows that they refer to.
pub const HANGERS: &[&str] = &[
    "associations",
    "claim_state_history",
    "claim_window_history",
    "conflicts",
    "entity_merges",
    "entry_conflicts",
    "item_relation_ends",
    "item_relations",
    "item_tags",
    "jobs",
    "memory_artifact_links",
    "memory_derivations",
    "memory_entity_links",
    "memory_status_history",
    "past_item_tags",
    "redaction_findings",
    "text_units",
    "text_view_spans",
    "thumbnails",
];

/// Columns that name rows of any kind by their ids, which no foreign key says.
const NAMING: &[(&str, &str)] = &[
    ("associations", "from_id"),
    ("associations", "to_id"),
    ("item_relations", "from_id"),
    ("item_relations", "to_id"),
    ("item_tags", "item_id"),
    ("jobs", "subject_id"),
    ("past_item_tags", "item_id"),
];

/// What goes first: its triggers look at what it hangs on.
const FIRST: &[&str] = &["claim_evidence", "claim_state_history", "claim_window_history"];

/// How many rows would go or went, by table, and how many must stay, because something that is there refers to them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purge {
    /// Those that go.
    pub goes: BTreeMap<String, u64>,
    /// Those that stay.
    pub stays: u64,
}

/// A column of a table that refers to another table's rows.
struct Link {
    child: String,
    column: String,
    parent: String,
    key: String,
}

/// Finds the rows that are empty and that nothing refers to but what goes with them. Notes them in a table of this
/// connection, for [`purge`].
///
/// # Errors
/// SQLite's.
pub fn empty_rows(connection: &Connection) -> StoreResult<Purge> {
    connection.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS purged (kind TEXT, row INTEGER, PRIMARY KEY (kind, row)) WITHOUT ROWID;
         CREATE TEMP TABLE IF NOT EXISTS held (kind TEXT, row INTEGER, PRIMARY KEY (kind, row)) WITHOUT ROWID;
         DELETE FROM temp.purged; DELETE FROM temp.held;",
    )?;
    let redactable = tables_with(connection, "is_redacted")?;
    for table in &redactable {
        connection.execute(
            &format!("INSERT INTO temp.purged SELECT '{table}', rowid FROM main.{table} WHERE is_redacted = 1"),
            [],
        )?;
    }
    let links = links(connection, &redactable)?;
    loop {
        hang(connection, &links)?;
        if hold(connection, &links)? == 0 {
            break;
        }
    }
    let goes = connection
        .prepare("SELECT kind, count(*) FROM temp.purged GROUP BY kind")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let stays = connection.query_row("SELECT count(*) FROM temp.held", [], |row| row.get(0))?;
    Ok(Purge { goes, stays })
}

/// Removes those rows. Gives how many went.
///
/// # Errors
/// The schema's refusal outside of compliance mode; SQLite's.
pub fn purge(connection: &Connection) -> StoreResult<Purge> {
    let found = empty_rows(connection)?;
    connection.pragma_update(None, "defer_foreign_keys", true)?;
    let rest = found.goes.keys().map(String::as_str).filter(|table| !FIRST.contains(table));
    for table in FIRST.iter().copied().filter(|table| found.goes.contains_key(*table)).chain(rest) {
        connection.execute(
            &format!("DELETE FROM main.{table} WHERE rowid IN (SELECT row FROM temp.purged WHERE kind = '{table}')"),
            [],
        )?;
    }
    connection.execute_batch("DELETE FROM temp.purged; DELETE FROM temp.held;")?;
    Ok(found)
}

/// Whether rows may be removed.
///
/// # Errors
/// SQLite's.
pub fn compliance_mode(connection: &Connection) -> StoreResult<bool> {
    Ok(crate::settings::get(connection, crate::settings::COMPLIANCE_MODE)?.as_deref() == Some("true"))
}

fn tables_with(connection: &Connection, column: &str) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT m.name FROM main.sqlite_schema m WHERE m.type = 'table'
               AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = ?1) ORDER BY m.name",
        )?
        .query_map([column], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

fn links(connection: &Connection, redactable: &[String]) -> StoreResult<Vec<Link>> {
    let goes = |table: &str| HANGERS.contains(&table) || redactable.iter().any(|one| one == table);
    let mut links: Vec<Link> = connection
        .prepare_cached(
            "SELECT m.name, k.\"from\", k.\"table\", ifnull(k.\"to\", 'id') FROM main.sqlite_schema m,
             pragma_foreign_key_list(m.name) k WHERE m.type = 'table'",
        )?
        .query_map([], |row| {
            Ok(Link { child: row.get(0)?, column: row.get(1)?, parent: row.get(2)?, key: row.get(3)? })
        })?
        .collect::<Result<_, _>>()?;
    links.retain(|link| goes(&link.parent));
    for (child, column) in NAMING {
        links.extend(redactable.iter().map(|parent| Link {
            child: (*child).to_owned(),
            column: (*column).to_owned(),
            parent: parent.clone(),
            key: "id".to_owned(),
        }));
    }
    Ok(links)
}

/// Adds what hangs on rows that go, and what hangs on that.
fn hang(connection: &Connection, links: &[Link]) -> StoreResult<()> {
    for hanger in HANGERS {
        connection.execute("DELETE FROM temp.purged WHERE kind = ?1", [hanger])?;
    }
    loop {
        let mut added = 0;
        for Link { child, column, parent, key } in links.iter().filter(|link| HANGERS.contains(&link.child.as_str())) {
            added += connection.execute(
                &format!(
                    "INSERT OR IGNORE INTO temp.purged SELECT '{child}', c.rowid
                     FROM temp.purged g CROSS JOIN main.{parent} p ON p.rowid = g.row CROSS JOIN main.{child} c ON c.{column} = p.{key}
                     WHERE g.kind = '{parent}'
                       AND NOT EXISTS (SELECT 1 FROM temp.held h WHERE h.kind = '{child}' AND h.row = c.rowid)"
                ),
                [],
            )?;
        }
        if added == 0 {
            return Ok(());
        }
    }
}

/// Keeps the rows to which something refers that stays. Gives how many.
fn hold(connection: &Connection, links: &[Link]) -> StoreResult<usize> {
    let mut held = 0;
    for Link { child, column, parent, key } in links {
        held += connection.execute(
            &format!(
                "INSERT OR IGNORE INTO temp.held SELECT '{parent}', p.rowid
                 FROM temp.purged g CROSS JOIN main.{parent} p ON p.rowid = g.row CROSS JOIN main.{child} c ON c.{column} = p.{key}
                 WHERE g.kind = '{parent}'
                   AND NOT EXISTS (SELECT 1 FROM temp.purged o WHERE o.kind = '{child}' AND o.row = c.rowid)"
            ),
            [],
        )?;
    }
    connection.execute(
        "DELETE FROM temp.purged
         WHERE EXISTS (SELECT 1 FROM temp.held h WHERE h.kind = purged.kind AND h.row = purged.row)",
        [],
    )?;
    Ok(held)
}
