//! The schema as one text: whoever changes it sees the change in review.

use crate::support::{empty, strings};

/// Every statement of sqlite_master by name, without the tables that vec0 makes for itself.
fn dump() -> String {
    let db = empty();
    let mut statements = strings(
        &db,
        "SELECT sql || ';' FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
         AND name NOT LIKE 'embeddings_%_vec_%' ORDER BY type, name",
    );
    statements.push(String::new());
    statements.join("\n\n")
}

#[test]
fn the_schema_is_the_one_on_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema/snapshots/schema.sql");
    let now = dump();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let differing = kept.lines().zip(now.lines()).find(|(a, b)| a != b);
    assert!(kept == now, "the schema changed: {differing:?}; run with UPDATE_SNAPSHOTS=1 and look at the difference");
}
