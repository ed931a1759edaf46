//! A database with the schema and legal rows of every table in two spaces, `a` and `b`.

use rusqlite::Connection;

/// A database with nothing in it.
pub fn bare() -> Connection {
    um_store::register_sqlite_vec();
    let db = Connection::open_in_memory().unwrap();
    db.pragma_update(None, "foreign_keys", "ON").unwrap();
    db.pragma_update(None, "recursive_triggers", "ON").unwrap();
    um_store::register_functions(&db).unwrap();
    db
}

/// What the migrations make, one after the other.
pub fn migrated() -> Connection {
    let db = bare();
    for (name, sql) in um_store::MIGRATIONS {
        db.execute_batch(&format!("BEGIN;{sql}COMMIT;")).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    db
}

/// What makes a new database, without rows beyond the seeded ones.
pub fn empty() -> Connection {
    let db = bare();
    db.execute_batch(&format!("BEGIN;{}COMMIT;", include_str!("../../../../migrations/schema.sql"))).unwrap();
    db
}

/// That with rows of every table in the spaces `a` and `b`.
pub fn filled() -> Connection {
    let db = empty();
    for space in ["a", "b"] {
        db.execute_batch(&include_str!("rows.sql").replace("{s}", space)).unwrap();
    }
    db
}

/// One column of strings.
pub fn strings(db: &Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// One string.
pub fn string(db: &Connection, sql: &str) -> String {
    db.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|e| panic!("{sql}: {e}"))
}

/// Every table that the migrations write down as a table, without SQLite's and sqlite-vec's own.
pub fn tables(db: &Connection) -> Vec<String> {
    strings(
        db,
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
         AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'embeddings_%_vec_%' ORDER BY name",
    )
}

/// A table's columns.
pub fn columns(db: &Connection, table: &str) -> Vec<String> {
    strings(db, &format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"))
}

/// Runs `work`, then undoes all that it did.
pub fn undone<T>(db: &Connection, work: impl FnOnce() -> T) -> T {
    db.execute_batch("SAVEPOINT undone").unwrap();
    let value = work();
    db.execute_batch("ROLLBACK TO undone; RELEASE undone").unwrap();
    value
}

/// Overrides that make a copy of a row of space `a` a legal row of its own, beside a new id.
pub fn fresh(table: &str) -> Vec<(&'static str, &'static str)> {
    match table {
        "memory_spaces" | "saved_searches" | "entity_aliases" | "relationship_types" | "attribute_keys" | "tags" => {
            vec![(if table == "entity_aliases" { "canonical_alias" } else { "name" }, "'another'")]
        }
        "space_overlays" => vec![("overlay_space_id", "'GLOBAL'")],
        "space_memberships" => vec![("agent_id", "'b-agent'")],
        "agent_grants" => vec![("operation", "'forget'")],
        "agent_tokens" => vec![("token_hash", "'c' || substr(token_hash, 2)")],
        "space_settings" => vec![("key", "'another'")],
        "redaction_findings" => vec![("finding_kind", "'another'")],
        "rejected_values" => vec![("value_hmac", "'another'")],
        "space_indexes" => vec![("kind", "'claims'"), ("fts_table", "'another'")],
        "sessions" => vec![("client_ref", "'another'")],
        "session_states" => vec![("session_id", "NULL")],
        "file_locks" | "watch_folders" => vec![("path", "'another'")],
        "artifacts" => vec![("content_hash", "'another'"), ("bytes_id", "'a-spare'")],
        "thumbnails" => vec![("artifact_id", "'a-file0'")],
        "memories" => vec![("content_hash", "'another'")],
        "media_segments" => vec![("selector_hash", "'another'")],
        "derived_text_views" | "jobs" => vec![("config_hash", "'another'")],
        "raw_archive" => vec![("memory_id", "'a-raw1'")],
        "memory_derivations" => {
            vec![("derived_memory_id", "source_memory_id"), ("source_memory_id", "derived_memory_id")]
        }
        "memory_artifact_links" => vec![("role", "'attachment'")],
        "core_blocks" => vec![("label", "'another'")],
        "core_block_versions" | "workspace_resource_versions" => vec![("version_num", "2")],
        "text_units" => vec![("ordinal", "7")],
        "memory_embeddings" => vec![("model_id", "'another'")],
        "memory_entity_links" => vec![("link_type", "'about'")],
        "claims" => vec![
            ("claim_key", "'another'"),
            ("state", "'draft'"),
            ("evidence_count", "0"),
            ("supporting_count", "0"),
            ("contradicting_count", "0"),
        ],
        "claim_evidence" => vec![("source_hash", "'another'")],
        "claim_window_history" => vec![("from_valid_to", "4"), ("to_valid_to", "5")],
        "claim_state_history" => vec![("from_state", "'asserted'"), ("to_state", "'disputed'")],
        "entity_relationships" => vec![("is_active", "0")],
        "conflicts" => vec![("claim_b_id", "'a-claim9'")],
        "workspace_resources" => vec![("uri", "'another'")],
        "entries" => vec![("name", "'another'"), ("current_version_id", "NULL")],
        "entry_versions" => vec![("version_num", "3")],
        "entry_conflicts" => vec![("version_a_id", "version_b_id"), ("version_b_id", "version_a_id")],
        "item_tags" => vec![("tag_id", "(SELECT id FROM tags WHERE name = 'rust')")],
        "item_relations" => vec![("relation_type", "'extends'")],
        "associations" => vec![("basis", "'tag'")],
        "promotion_requests" => vec![("target_space_id", "'GLOBAL'")],
        "audit_events" => vec![
            ("logical_clock", "99"),
            ("prev_hash", "(SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1)"),
            ("hash", "'c' || substr(hash, 2)"),
        ],
        "watched_files" => vec![("rel_path", "'another'")],
        "models_installed" => vec![("catalogue_id", "'another'")],
        _ => vec![],
    }
}

/// `{verb} INTO table …`: a copy of the rows of `table` that fit `source`, with some columns overridden.
/// `rid` is left to SQLite unless it is overridden.
pub fn copy(db: &Connection, verb: &str, table: &str, source: &str, overrides: &[(&str, &str)]) -> String {
    let value = |column: &str| overrides.iter().rev().find(|(name, _)| *name == column).map(|(_, value)| *value);
    let columns: Vec<String> = columns(db, table).into_iter().filter(|c| c != "rid" || value(c).is_some()).collect();
    let values: Vec<&str> = columns.iter().map(|c| value(c).unwrap_or(c)).collect();
    format!(
        "{verb} INTO {table} ({}) SELECT {} FROM {table} WHERE {source} LIMIT 1",
        columns.join(", "),
        values.join(", ")
    )
}

/// A copy of a row under a new id that breaks nothing but what `overrides` break.
pub fn fresh_copy(db: &Connection, verb: &str, table: &str, source: &str, overrides: &[(&str, &str)]) -> String {
    let mut all = fresh(table);
    all.push(("id", "'fresh'"));
    all.extend_from_slice(overrides);
    copy(db, verb, table, source, &all)
}

/// A CHECK constraint as it is written, without the outer brackets, white space made single.
pub fn checks_of(db: &Connection, table: &str) -> Vec<String> {
    let sql = string(db, &format!("SELECT sql FROM sqlite_master WHERE name = '{table}'"));
    let sql: String = sql.lines().filter(|l| !l.trim_start().starts_with("--")).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    let mut rest = sql.as_str();
    while let Some(at) = rest.find("CHECK (") {
        rest = &rest[at + "CHECK (".len()..];
        let mut depth = 1;
        let end = rest
            .char_indices()
            .find(|(_, c)| {
                depth += i32::from(*c == '(') - i32::from(*c == ')');
                depth == 0
            })
            .map(|(at, _)| at)
            .expect("brackets match");
        found.push(rest[..end].split_whitespace().collect::<Vec<_>>().join(" "));
        rest = &rest[end..];
    }
    found
}

/// What redaction writes, column by column, as the table's own CHECK demands it: `None` where rows of
/// the table cannot be redacted.
pub fn redaction(db: &Connection, table: &str) -> Option<Vec<(String, String)>> {
    let check = checks_of(db, table).into_iter().find(|c| c.starts_with("is_redacted = 0 OR (redacted_at"))?;
    let inner = check.trim_start_matches("is_redacted = 0 OR (").trim_end_matches(')');
    let mut set = vec![("is_redacted".to_owned(), "1".to_owned()), ("redacted_at".to_owned(), "9".to_owned())];
    for part in inner.split(" AND ").skip(1) {
        let (column, value) = match part.split_once(" IS NULL") {
            Some((column, _)) => (column, "NULL"),
            None => part.split_once(" = ").expect("a comparison"),
        };
        let column = column.trim_start_matches("ifnull(").split(',').next().expect("a column");
        set.push((column.to_owned(), value.to_owned()));
    }
    // Columns that came later have a CHECK of their own.
    for check in checks_of(db, table) {
        let Some(rest) = check.strip_prefix("is_redacted = 0 OR ").filter(|rest| !rest.starts_with('(')) else {
            continue;
        };
        let (column, value) = match rest.split_once(" IS NULL") {
            Some((column, _)) => (column, "NULL"),
            None => rest.split_once(" = ").expect("a comparison"),
        };
        set.push((column.to_owned(), value.to_owned()));
    }
    if table == "artifacts" {
        set.push(("bytes_id".into(), "NULL".into()));
        set.push(("storage_uri".into(), "NULL".into()));
    }
    Some(set)
}

/// `a = 1, b = 2`.
pub fn assignments(set: &[(String, String)]) -> String {
    set.iter().map(|(column, value)| format!("{column} = {value}")).collect::<Vec<_>>().join(", ")
}
