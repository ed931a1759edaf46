//! The schema as one text: whoever changes it sees the change in review.

use crate::support::{bare, columns, migrated, strings, tables};
use rusqlite::Connection;

/// What makes a new database: its tables, its first rows, and all that belongs to tables, by name; without the tables that vec0
/// makes for itself.
fn dump(db: &Connection) -> String {
    let made = |condition: &str| {
        strings(
            db,
            &format!(
                "SELECT sql || ';' FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
                   AND name NOT LIKE 'embeddings_%_vec_%' AND {condition} ORDER BY type, name"
            ),
        )
    };
    let tables = tables(db).into_iter().flat_map(|table| rows(db, &table));
    let first = "-- Made from the migrations by `UPDATE_SNAPSHOTS=1 cargo test -p um-store --test schema`.\n\nPRAGMA defer_foreign_keys = ON;".to_owned();
    let all = [first].into_iter().chain(made("type = 'table'")).chain(tables).chain(made("type <> 'table'"));
    all.chain([String::new()]).collect::<Vec<_>>().join("\n\n")
}

/// A table's rows, each as the statement that writes it.
fn rows(db: &Connection, table: &str) -> Vec<String> {
    let names = columns(db, table);
    let values: Vec<String> = names.iter().map(|name| format!("quote({name})")).collect();
    let (names, values) = (names.join(", "), values.join(" || ', ' || "));
    strings(db, &format!("SELECT 'INSERT INTO {table} ({names}) VALUES (' || {values} || ');' FROM {table} ORDER BY 1"))
}

#[test]
fn the_schema_is_the_one_on_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/schema.sql");
    let now = dump(&migrated());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let differing = kept.lines().zip(now.lines()).find(|(a, b)| a != b);
    assert!(kept == now, "the schema changed: {differing:?}; run with UPDATE_SNAPSHOTS=1 and look at the difference");
    let new = bare();
    new.execute_batch(&format!("BEGIN;{kept}COMMIT;")).unwrap();
    assert!(dump(&new) == now, "a new database differs from one that was brought up to date");
}
