//! What a database from before the ends of relations were kept gets of what is known of them.

mod support;

const OWNER: &str = "00000000-0000-7000-8000-00000000000a";

/// A database without that migration, with some memories that relations lead between; and that migration.
fn before() -> (um_store::Connection, &'static str) {
    let (db, migration) = support::before(support::IN_MEMORY, "0042_relation_ends.sql");
    for memory in ["from", "open", "planned", "ended", "twice"] {
        db.execute_batch(&format!(
            "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id)
             VALUES ('{memory}', '{memory}', '{memory}', 'fact', 1, 1, 'GLOBAL', '{OWNER}')"
        ))
        .unwrap();
    }
    (db, migration)
}

/// A relation to the memory of that name, which holds until a time by now; written down with an event that said until when it would.
fn relation(db: &um_store::Connection, id: &str, said: Option<i64>, until: Option<i64>) {
    let metadata = serde_json::json!({ "about": "from", "is": "relation", "state": { "valid_until": said } });
    db.execute(
        "INSERT INTO evidence_events (id, space_id, actor_id, kind, content, content_hash, metadata, occurred_at, recorded_at)
         VALUES ('event ' || ?1, 'GLOBAL', ?2, 'system_event', ?1, ?1, ?3, 1, 1)",
        (id, OWNER, metadata.to_string()),
    )
    .unwrap();
    db.execute(
        "INSERT INTO item_relations (id, space_id, from_type, from_id, to_type, to_id, relation_type, valid_until,
           source_event_ids, created_at)
         VALUES (?1, 'GLOBAL', 'memory', 'from', 'memory', ?1, 'supports', ?2, json_array('event ' || ?1), 1)",
        (id, until),
    )
    .unwrap();
}

/// What the ledger says of a relation that was ended.
fn ended(db: &um_store::Connection, id: &str, at: i64, now: i64) {
    db.execute(
        "INSERT INTO audit_events (id, event_type, object_type, object_id, payload, instance_id, logical_clock, space_id, actor_id,
           occurred_at, recorded_at, prev_hash, hash)
         VALUES ('audit ' || ?3, 'relation.ended', 'item_relations', ?1, json_object('at', ?2), 'local', ?3, 'GLOBAL', ?4, ?3, ?3,
           ifnull((SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1), ''), printf('%064d', ?3))",
        (id, at, now, OWNER),
    )
    .unwrap();
}

#[test]
fn ends_are_filled_from_the_ledger_and_from_what_was_said() {
    let (db, migration) = before();
    relation(&db, "open", None, None);
    relation(&db, "planned", Some(50), Some(50));
    relation(&db, "ended", None, Some(7));
    relation(&db, "twice", Some(40), Some(30));
    ended(&db, "ended", 7, 7);
    ended(&db, "twice", 20, 8);
    ended(&db, "twice", 30, 9);
    db.execute_batch(migration).unwrap();
    let check = |id: &str, expected: &[(i64, i64)]| {
        let mut statement = db
            .prepare("SELECT valid_until, recorded_at FROM item_relation_ends WHERE relation_id = ?1 ORDER BY rid")
            .unwrap();
        let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(rows.collect::<Result<Vec<(i64, i64)>, _>>().unwrap(), expected, "{id}");
    };
    check("open", &[]);
    check("planned", &[(50, 1)]);
    check("ended", &[(7, 7)]);
    check("twice", &[(40, 1), (20, 8), (30, 9)]);
}

#[test]
fn vectors_from_before_are_looked_at_where_there_are_any() {
    let left = |db: &um_store::Connection| -> Vec<String> {
        let mut statement =
            db.prepare("SELECT value ->> '$.last' || '' FROM system_settings WHERE key = 'vectors.outdated'").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let (db, migration) = before();
    db.execute_batch(migration).unwrap();
    assert_eq!(left(&db), Vec::<String>::new());
    let (db, migration) = before();
    db.execute_batch(&format!(
        "INSERT INTO memory_embeddings (rid, id, space_id, actor_id, memory_id, embedding_space, model_id, dimensions, embedding,
           created_at)
         VALUES (5, 'vector', 'GLOBAL', '{OWNER}', 'from', 'text_dense', 'earlier', 1, x'00000000', 1)"
    ))
    .unwrap();
    db.execute_batch(migration).unwrap();
    assert_eq!(left(&db), ["5"]);
}
