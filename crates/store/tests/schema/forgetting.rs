//! Forgetting reaches every column that can hold content.

use crate::support::{filled, strings};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::collections::{BTreeMap, BTreeSet};
use um_model::AgentId;
use um_store::content_columns::{CONTENT_COLUMNS, Class};
use um_store::forget::{self, Eraser, KINDS, LEADS, Loses, NAMERS, Rows};
use um_store::keyed::Key;

/// Tables with content that have no kind of their own, each with what empties them.
const OTHERWISE: &[(&str, &str)] = &[
    ("artifact_bytes", "the trigger artifacts_bytes_go_update"),
    ("thumbnails", "the trigger artifacts_thumbnail_goes_update"),
    ("entity_words", "the trigger entities_words_change"),
    ("embeddings_text_dense_vec", "erase, with memory_embeddings"),
    ("embeddings_vision_language_vec", "erase, with memory_embeddings"),
    ("embeddings_audio_text_vec", "erase, with memory_embeddings"),
];

fn content() -> impl Iterator<Item = (&'static str, &'static str)> {
    CONTENT_COLUMNS.iter().filter(|(_, _, class)| *class == Class::Content).map(|(table, column, _)| (*table, *column))
}

#[test]
fn every_content_column_is_in_the_cascade() {
    let mut missing = Vec::new();
    for (table, column) in content() {
        let sets = |kind: &&forget::Kind| {
            let of_table = kind.name.split('.').next() == Some(table);
            let assigned = |list: &str| list.split(',').any(|part| part.trim().starts_with(&format!("{column} =")));
            of_table && (kind.loses == Loses::Goes || matches!(kind.loses, Loses::Sets(list) if assigned(list)))
        };
        if !KINDS.iter().any(|kind| sets(&kind)) && !OTHERWISE.iter().any(|(other, _)| *other == table) {
            missing.push(format!("{table}.{column}"));
        }
    }
    assert!(missing.is_empty(), "nothing empties {missing:?}");
}

/// A space's database with what the program adds to it when it runs.
fn running() -> Connection {
    let db = filled();
    for space in ["a", "b"] {
        db.execute_batch(&format!(
            "CREATE VIRTUAL TABLE fts_{space} USING fts5(text);
             INSERT INTO fts_{space}(rowid, text) SELECT rid, 'words' FROM text_units WHERE space_id = '{space}';
             INSERT INTO embeddings_vision_language_vec (embedding_rid, space_id, embedding)
             SELECT rid, space_id, zeroblob(2048) FROM memory_embeddings WHERE space_id = '{space}';"
        ))
        .unwrap();
    }
    db
}

/// The values of every content column, by table, column and row.
fn values(db: &Connection) -> BTreeMap<(String, String, i64), Value> {
    let mut values = BTreeMap::new();
    for (table, column) in content() {
        let rid = if table.starts_with("embeddings_") { "embedding_rid" } else { "rid" };
        let mut statement = db.prepare(&format!("SELECT {rid}, {column} FROM {table}")).unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            values.insert((table.to_owned(), column.to_owned(), row.get(0).unwrap()), row.get(1).unwrap());
        }
    }
    values
}

/// The rows of space `a`, of every kind: their ids begin with it.
fn all_of_a(db: &Connection) -> Rows {
    let mut rows = Rows::default();
    for kind in KINDS {
        let table = kind.name.split('.').next().unwrap();
        for id in strings(db, &format!("SELECT {} FROM {table}", kind.id)) {
            if id == "a" || id.starts_with("a-") {
                rows.add(kind.name, id);
            }
        }
    }
    rows
}

fn erase(db: &Connection, rows: &Rows) -> BTreeMap<String, u64> {
    let (actor, key) = (AgentId::owner(), Key::new([7; 32]));
    forget::erase(db, rows, &Eraser { actor: &actor, key: &key, now: 50 }).unwrap()
}

#[test]
fn what_is_forgotten_is_gone_from_every_column_and_the_rest_is_as_it_was() {
    let db = running();
    let before = values(&db);
    let all = forget::closure(&db, &all_of_a(&db)).unwrap();
    erase(&db, &all);
    let after = values(&db);
    let is_of_a = |table: &str, rid: i64| {
        let kind = KINDS.iter().find(|kind| kind.name == table)?;
        let sql = format!("SELECT count(*) FROM {table} WHERE rid = {rid} AND ({0} = 'b' OR {0} LIKE 'b-%')", kind.id);
        (db.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap() == 0).then_some(rid)
    };
    let seeds = running_seeds();
    let mut left = Vec::new();
    for (place, value) in &before {
        let (table, column, rid) = place;
        let empty =
            matches!(value, Value::Null) || matches!(value, Value::Text(text) if ["{}", "[]"].contains(&text.as_str()));
        if empty || seeds.contains(place) {
            continue;
        }
        let same = after.get(place) == Some(value);
        match is_of_a(table, *rid) {
            Some(_) if same => left.push(format!("{table}.{column} of row {rid}: {value:?}")),
            None if !same && !OTHERWISE.iter().any(|(other, _)| other == table) => {
                left.push(format!("{table}.{column} of row {rid}, of another space, changed"));
            }
            _ => {}
        }
    }
    assert!(left.is_empty(), "{left:#?}");
    for table in ["artifact_bytes", "thumbnails"] {
        let named = "AND id NOT LIKE '%-spare'";
        let rest = strings(&db, &format!("SELECT id FROM {table} WHERE space_id = 'a' {named}"));
        assert!(rest.is_empty(), "{table}: {rest:?}");
    }
    assert_eq!(strings(&db, "SELECT word FROM entity_words WHERE space_id = 'a'"), [""; 0]);
    assert!(!strings(&db, "SELECT word FROM entity_words WHERE space_id = 'b'").is_empty());
    for table in ["embeddings_vision_language_vec", "embeddings_text_dense_vec"] {
        let count = |space: &str| -> i64 {
            let sql = format!("SELECT count(*) FROM {table} WHERE space_id = '{space}'");
            db.query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(count("a"), 0, "{table}");
        assert_eq!(count("b"), if table.contains("vision") { 5 } else { 0 }, "{table}");
    }
    assert_eq!(db.query_row("SELECT count(*) FROM fts_a", [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    assert_eq!(db.query_row("SELECT count(*) FROM fts_b", [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    assert!(
        strings(&db, "SELECT id FROM claims WHERE is_redacted = 1 AND state IN ('asserted', 'disputed', 'draft')")
            .is_empty()
    );
    assert!(forget::closure(&db, &all).unwrap().counts().keys().all(|kind| !seeds_only(kind)), "done twice");
}

/// What every database begins with stays, whoever asks.
fn running_seeds() -> BTreeSet<(String, String, i64)> {
    values(&crate::support::empty()).into_keys().collect()
}

/// Kinds without `is_redacted` are emptied again without a change.
fn seeds_only(kind: &str) -> bool {
    KINDS.iter().any(|known| known.name == kind && known.only == "is_redacted = 0")
}

#[test]
fn what_derives_goes_along() {
    // From a root: the kinds of row that must go with it, among the rows of the space.
    for (kind, id, along) in [
        ("memories", "a-memory0", &["memories a-memory", "text_units a-unit0", "artifacts a-file"][..]),
        (
            "artifacts",
            "a-file0",
            &[
                "artifacts a-file",
                "memories a-memory",
                "derived_text_views a-view",
                "text_units a-unit",
                "text_view_spans a-view",
                "media_segments a-page",
                "memory_embeddings a-vec1",
                "memory_embeddings a-vec2",
                "memory_embeddings a-vec3",
                "memory_embeddings a-vec4",
                "memory_embeddings a-vec5",
                "claim_evidence a-proof",
                "claim_evidence a-proof2",
                "claims a-claim",
                "entity_relationships a-edge",
                "conflict_resolutions a-resolution",
                "candidates a-candidate",
                "memory_entity_links a-mel",
                "item_tags a-itemtag",
                "past_item_tags a-pasttag",
                "tags a-tag",
                "verification_records a-check",
                "associations a-assoc",
                "entities a-acme",
                "watched_files a-watched",
            ],
        ),
        (
            "entities",
            "a-ada",
            &["entities a-ada2", "entity_aliases a-alias", "claims a-claim0", "claims a-claim9", "claims a-claim"],
        ),
        ("claims", "a-claim", &["claim_evidence a-proof", "entity_relationships a-edge", "entities a-acme"]),
        (
            "sessions",
            "a-session",
            &["session_states a-state", "evidence_events a-event", "entries a-entry", "entry_versions a-entryv1"],
        ),
        ("core_blocks", "a-block", &["core_block_versions a-blockv"]),
        ("workspace_resources", "a-resource", &["workspace_resource_versions a-resourcev"]),
    ] {
        let db = running();
        let roots: Rows = serde_json::from_value(serde_json::json!({ kind: [id] })).unwrap();
        let all = forget::closure(&db, &roots).unwrap();
        for line in along {
            let (kind, id) = line.split_once(' ').unwrap();
            assert!(all.has(kind, id), "{line} stays when {roots:?} goes; {all:?}");
        }
        assert!(all.iter().all(|(_, id)| !id.starts_with("b-")), "{all:?}");
        erase(&db, &all);
    }
}

#[test]
fn the_description_fits_the_schema() {
    let db = running();
    for kind in KINDS {
        let table = kind.name.split('.').next().unwrap();
        db.prepare(&format!("SELECT {} FROM {table} WHERE {}", kind.id, kind.only)).unwrap();
        if let Loses::Sets(assignments) = kind.loses {
            db.prepare(&format!("UPDATE {table} SET {assignments}")).unwrap();
        }
    }
    for lead in LEADS {
        db.prepare(&format!("SELECT 1 FROM {} t WHERE {}", lead.to, lead.condition))
            .unwrap_or_else(|e| panic!("{} -> {}: {e}", lead.from, lead.to));
        assert!([lead.from, lead.to].iter().all(|name| KINDS.iter().any(|kind| kind.name == *name)), "{}", lead.to);
    }
    for (table, columns) in NAMERS {
        db.prepare(&format!("SELECT {} FROM {table}", columns.join(", "))).unwrap();
    }
}
