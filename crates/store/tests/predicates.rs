//! The seeded relationship types and attribute keys are the model's table of predicates, row by row.

use rusqlite::Connection;
use std::collections::BTreeSet;
use um_model::belief::{Cardinality, ValueKind};
use um_model::predicates::PREDICATES;

fn rows(sql: &str) -> BTreeSet<(String, String, String)> {
    um_store::register_sqlite_vec();
    let db = Connection::open_in_memory().unwrap();
    for (name, sql) in um_store::MIGRATIONS {
        db.execute_batch(&format!("BEGIN;{sql}COMMIT;")).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let mut statement = db.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn text(words: [&str; 3]) -> (String, String, String) {
    let [a, b, c] = words.map(str::to_owned);
    (a, b, c)
}

#[test]
fn relationship_types_are_the_relations() {
    let expected = PREDICATES
        .iter()
        .filter_map(|p| p.inverse.map(|inverse| text([p.name, inverse, p.cardinality.as_str()])))
        .collect();
    let seeded = rows("SELECT name, inverse_name, cardinality FROM relationship_types");
    assert_eq!(seeded, expected, "migrations/0017_seed.sql and um_model::predicates differ");
}

#[test]
fn attribute_keys_are_the_predicates_with_values() {
    let of = |name, cardinality, kind: ValueKind| {
        text([name, if cardinality == Cardinality::ManyToOne { "one" } else { "many" }, kind.as_str()])
    };
    let expected = PREDICATES.iter().filter_map(|p| p.value.map(|kind| of(p.name, p.cardinality, kind))).collect();
    let seeded = rows("SELECT name, cardinality, value_kind FROM attribute_keys");
    assert_eq!(seeded, expected, "migrations/0017_seed.sql and um_model::predicates differ");
}
