//! What holds for every table.

use crate::support::{checks_of, columns, empty, string, strings, tables};

/// References inside one space that a trigger of their own checks more closely than by space.
const CHECKED_CLOSER: &[&str] =
    &["claim_state_history.undo_of", "conflicts.resolution_id", "entries.current_version_id"];

#[test]
fn tables_are_strict_and_have_both_keys() {
    let db = empty();
    for table in tables(&db) {
        let strict = string(&db, &format!("SELECT CAST(strict AS TEXT) FROM pragma_table_list WHERE name = '{table}'"));
        assert_eq!(strict, "1", "{table} is not STRICT");
        let columns = columns(&db, &table);
        let keyed_otherwise =
            ["system_settings", "memory_status_transitions", "claim_state_transitions", "entity_words"]
                .contains(&table.as_str());
        if keyed_otherwise {
            continue;
        }
        assert_eq!(columns[0], "rid", "{table}");
        assert!(columns[1] == "id" || table == "text_view_spans", "{table}");
    }
}

#[test]
fn times_have_no_default_and_the_schema_no_clock() {
    let db = empty();
    for sql in strings(&db, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL") {
        for word in ["unixepoch", "strftime", "CURRENT_TIME", "CURRENT_DATE", "julianday", "datetime("] {
            assert!(!sql.contains(word), "{word} in: {sql}");
        }
    }
    for table in tables(&db) {
        let odd = format!(
            "SELECT name FROM pragma_table_info('{table}')
             WHERE (name LIKE '%\\_at' ESCAPE '\\' OR name IN ('valid_from', 'valid_to', 'valid_until'))
             AND (type <> 'INTEGER' OR dflt_value IS NOT NULL)"
        );
        assert_eq!(strings(&db, &odd), Vec::<String>::new(), "{table}");
    }
}

#[test]
fn a_space_is_never_missing() {
    let db = empty();
    for table in tables(&db) {
        let nullable =
            format!("SELECT name FROM pragma_table_info('{table}') WHERE name = 'space_id' AND \"notnull\" = 0");
        assert_eq!(strings(&db, &nullable), Vec::<String>::new(), "{table}");
    }
}

#[test]
fn json_columns_hold_json() {
    // A default of {} or [] says that a column is JSON.
    let db = empty();
    for table in tables(&db) {
        let json = format!("SELECT name FROM pragma_table_info('{table}') WHERE dflt_value IN ('''{{}}''', '''[]''')");
        let checks = checks_of(&db, &table);
        for column in strings(&db, &json) {
            assert!(checks.iter().any(|c| c.contains(&format!("json_valid({column})"))), "{table}.{column}");
        }
    }
}

#[test]
fn every_reference_between_space_scoped_tables_is_checked() {
    let db = empty();
    let scoped = |table: &str| columns(&db, table).iter().any(|c| c == "space_id");
    for table in tables(&db).into_iter().filter(|t| scoped(t)) {
        let references =
            strings(&db, &format!("SELECT \"from\" || ' ' || \"table\" FROM pragma_foreign_key_list('{table}')"));
        for reference in references {
            let (column, target) = reference.split_once(' ').unwrap();
            let name = format!("{table}.{column}");
            if !scoped(target) || CHECKED_CLOSER.contains(&name.as_str()) {
                continue;
            }
            for event in ["insert", "update"] {
                let body =
                    format!("SELECT ifnull(max(sql), '') FROM sqlite_master WHERE name = '{table}_space_{event}'");
                assert!(string(&db, &body).contains(&format!("'{name} must lie in")), "{name} on {event}");
            }
        }
    }
}

#[test]
fn seeds_are_there_once() {
    let db = empty();
    let count = |sql: &str| string(&db, &format!("SELECT CAST(count(*) AS TEXT) FROM {sql}"));
    assert_eq!(count("memory_spaces"), "3");
    assert_eq!(count("memory_spaces WHERE id = 'GLOBAL' AND space_type = 'global'"), "1");
    assert_eq!(count("agents WHERE agent_type = 'human'"), "1");
    assert_eq!(count("agents WHERE agent_type = 'system'"), "1");
    assert_eq!(count("space_memberships WHERE role = 'owner'"), "3");
    assert_eq!(count("tags WHERE is_predefined = 1 AND space_id = 'GLOBAL'"), "23");
    assert_eq!(count("relationship_types WHERE inverse_name IS NULL OR space_id <> 'GLOBAL'"), "0");
    assert_eq!(count("system_settings WHERE key = 'compliance_mode' AND value = 'false'"), "1");
    assert_eq!(strings(&db, "SELECT \"table\" FROM pragma_foreign_key_check"), Vec::<String>::new());
}
