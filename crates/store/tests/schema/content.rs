//! Every TEXT and BLOB column is classed as content or not.

use crate::support::{columns, empty, strings, tables};
use std::collections::BTreeSet;
use um_store::content_columns::CONTENT_COLUMNS;

/// The columns that a `vec0` table declares, read from its CREATE statement.
fn declared(sql: &str) -> Vec<String> {
    let inner = &sql[sql.find('(').unwrap() + 1..sql.rfind(')').unwrap()];
    inner
        .split(',')
        .map(|part| part.trim().trim_start_matches('+'))
        .filter(|part| !part.starts_with("chunk_size") && !part.contains(" INTEGER"))
        .map(|part| part.split_whitespace().next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_text_and_blob_column_is_classed() {
    let db = empty();
    let mut schema = BTreeSet::new();
    for table in tables(&db) {
        let sql = format!("SELECT name FROM pragma_table_info('{table}') WHERE type IN ('TEXT', 'BLOB')");
        schema.extend(strings(&db, &sql).into_iter().map(|column| (table.clone(), column)));
    }
    for table in strings(&db, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'") {
        let sql = crate::support::string(&db, &format!("SELECT sql FROM sqlite_master WHERE name = '{table}'"));
        schema.extend(declared(&sql).into_iter().map(|column| (table.clone(), column)));
    }
    let classed: BTreeSet<_> = CONTENT_COLUMNS.iter().map(|(t, c, _)| (t.to_string(), c.to_string())).collect();
    assert_eq!(classed.len(), CONTENT_COLUMNS.len(), "a column is classed twice");
    let missing: Vec<_> = schema.difference(&classed).collect();
    let stale: Vec<_> = classed.difference(&schema).collect();
    assert!(missing.is_empty() && stale.is_empty(), "not classed: {missing:?}; no such column: {stale:?}");
}

#[test]
fn rows_with_content_can_be_redacted_or_deleted() {
    // Tables with content columns either have redaction columns, or their rows may be removed or rewritten.
    let db = empty();
    for (table, _, class) in CONTENT_COLUMNS {
        if *class == um_store::content_columns::Class::NotContent
            || columns(&db, table).iter().any(|c| c == "is_redacted")
        {
            continue;
        }
        let frozen = format!("SELECT name FROM sqlite_master WHERE name = '{table}_append_only'");
        assert!(strings(&db, &frozen).is_empty(), "{table} holds content that nothing can remove");
    }
}
