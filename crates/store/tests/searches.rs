//! What a database from before kept questions named their space by its id gets of those that named it by what it was called.

mod support;

const OWNER: &str = "00000000-0000-7000-8000-00000000000a";

#[test]
fn questions_that_named_their_space_by_what_it_was_called_name_it_by_its_id() {
    let (db, migration) = support::before(support::IN_MEMORY, "0044_searches_by_space.sql");
    // The space that was meant is called otherwise by now, and another one has its name.
    for (id, name) in [("meant", "Wharf"), ("other", "Harbour")] {
        db.execute(
            "INSERT INTO memory_spaces (id, name, space_type, created_at) VALUES (?1, ?2, 'project', 1)",
            [id, name],
        )
        .unwrap();
    }
    let kept = [
        ("in one", "meant", r#"{"query": "boat", "space": "Harbour", "limit": 3}"#, Some("meant")),
        ("in the global one", "GLOBAL", r#"{"query": "boat", "space": "Global"}"#, Some("GLOBAL")),
        ("in all", "GLOBAL", r#"{"query": "boat", "space": null}"#, None),
        ("of old", "GLOBAL", "{}", None),
    ];
    for (name, space, filters, _) in kept {
        db.execute(
            "INSERT INTO saved_searches (id, space_id, actor_id, name, query, filters, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?1, 'boat', ?4, 1, 1)",
            [name, space, OWNER, filters],
        )
        .unwrap();
    }
    db.execute_batch(migration).unwrap();
    for (name, _, filters, expected) in kept {
        let (space, rest): (Option<String>, bool) = db
            .query_row(
                "SELECT json_extract(filters, '$.space'), json_remove(filters, '$.space') = json_remove(json(?2), '$.space')
                 FROM saved_searches WHERE name = ?1",
                [name, filters],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!((space.as_deref(), rest), (expected, true), "{name}");
    }
}
