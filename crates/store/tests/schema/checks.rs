//! Each CHECK against values that break it: on UPDATE, INSERT and INSERT OR REPLACE.
//!
//! What a CHECK's own words tell (a list, a range, JSON, what redaction leaves) is attacked by that; the
//! rest stands in `SPECIAL`. A CHECK that neither covers fails the test.

use crate::specials::{SPECIAL, Special};
use crate::support::{assignments, checks_of, filled, fresh_copy, redaction, strings, tables, undone};
use rusqlite::Connection;

type Breaking = Vec<(String, String)>;

fn broken(column: &str, value: &str) -> Breaking {
    vec![(column.to_owned(), value.to_owned())]
}

/// The first word after a prefix.
fn column_after<'a>(check: &'a str, prefix: &str) -> Option<&'a str> {
    check.strip_prefix(prefix)?.split([')', ',', ' ']).next()
}

/// Values that break a CHECK on one column, as far as its words tell.
fn of_its_words(check: &str) -> Vec<Breaking> {
    if check.contains(" OR ") && !check.contains("OR json_valid(") {
        return Vec::new();
    }
    if let Some((_, rest)) = check.split_once("json_valid(") {
        return vec![broken(rest.trim_end_matches(')'), "'{'")];
    }
    if let Some(column) = column_after(check, "length(trim(") {
        return vec![broken(column, "''"), broken(column, "'  '")];
    }
    if let Some(column) = column_after(check, "length(") {
        return vec![broken(column, "''")];
    }
    let mut words = check.split(' ');
    let (Some(column), Some(operator), Some(operand)) = (words.next(), words.next(), words.next()) else {
        return Vec::new();
    };
    match operator {
        "IN" if operand.starts_with("('") => {
            vec![broken(column, "'no such word'"), broken(column, "''")]
        }
        "IN" => vec![broken(column, "2"), broken(column, "-1")],
        "BETWEEN" => vec![broken(column, "101"), broken(column, "-1")],
        ">=" | ">" => vec![broken(column, &format!("{operand} - 1"))],
        _ => Vec::new(),
    }
}

/// Redaction that forgets one thing: each must be refused.
fn of_redaction(db: &Connection, table: &str, check: &str) -> Vec<Breaking> {
    if !check.starts_with("is_redacted = 0 OR (redacted_at") {
        return Vec::new();
    }
    let full = redaction(db, table).expect("the table has that CHECK");
    let named: Vec<_> = full.iter().skip(1).filter(|(column, _)| check.contains(column.as_str())).collect();
    named
        .iter()
        .map(|(left_out, value)| {
            let mut set = full.clone();
            let slot = set.iter_mut().find(|(column, _)| column == left_out).expect("it is there");
            slot.1 = match (left_out.as_str(), value.as_str()) {
                ("redacted_at", _) => "NULL".into(),
                ("is_active", _) => "1".into(),
                ("embedding", _) => "x'00000000'".into(),
                (_, "'{}'") => "'{\"k\":1}'".into(),
                (_, "'[]'") => "'[1]'".into(),
                _ => "'still here'".into(),
            };
            set
        })
        .collect()
}

/// The rows to attack: for a special one its id, else the table's first row of space `a`.
fn source(db: &Connection, table: &str, id: &str) -> String {
    match (table, id) {
        ("system_settings", _) => "key = 'compliance_mode'".into(),
        ("claim_state_transitions", _) => "from_state = 'draft'".into(),
        ("text_view_spans", _) => "space_id = 'a'".into(),
        (_, "") => {
            let first = format!("SELECT id FROM {table} WHERE id LIKE 'a-%' ORDER BY rid DESC LIMIT 1");
            format!("id = '{}'", crate::support::string(db, &first))
        }
        (_, id) => format!("id = '{id}'"),
    }
}

fn attack(whole: &Connection, bare: &Connection, table: &str, check: &str, id: &str, set: &Breaking) {
    let source = source(whole, table, id);
    // A row that names itself names its copy when it is copied.
    let own = |(column, value): &'_ (String, String)| {
        (column.clone(), if value == "id" { "'fresh'".to_owned() } else { value.clone() })
    };
    let copied: Breaking = set.iter().map(own).collect();
    let overrides: Vec<(&str, &str)> = copied.iter().map(|(c, v)| (c.as_str(), v.as_str())).collect();
    let mut attacks = vec![
        format!("UPDATE {table} SET {} WHERE {source}", assignments(set)),
        format!("UPDATE OR REPLACE {table} SET {} WHERE {source}", assignments(set)),
    ];
    for verb in ["INSERT", "INSERT OR REPLACE"] {
        attacks.push(fresh_copy(whole, verb, table, &source, &overrides));
    }
    for sql in attacks {
        let refused = undone(whole, || whole.execute_batch(&sql));
        assert!(refused.is_err(), "{table}: CHECK ({check}) let this pass: {sql}");
        let error = undone(bare, || bare.execute_batch(&sql)).expect_err(&sql).to_string();
        assert!(
            error.contains("CHECK constraint failed"),
            "{table}: CHECK ({check}) is not what refused {sql}: {error}"
        );
    }
}

#[test]
fn every_check_holds() {
    let whole = filled();
    // Without triggers, so that it is the CHECK that refuses.
    let bare = filled();
    for trigger in strings(&bare, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
        bare.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    let mut uncovered = Vec::new();
    for special in SPECIAL {
        let known = checks_of(&whole, special.table);
        assert!(
            known.iter().any(|check| check.starts_with(special.check)),
            "{} has no such CHECK: {}",
            special.table,
            special.check
        );
    }
    for table in tables(&whole) {
        for check in checks_of(&whole, &table) {
            let mut covered = false;
            for set in of_its_words(&check).iter().chain(&of_redaction(&whole, &table, &check)) {
                attack(&whole, &bare, &table, &check, "", set);
                covered = true;
            }
            let meant = |s: &&Special| s.table == table && check.starts_with(s.check);
            for special in SPECIAL.iter().filter(meant) {
                let set: Breaking = special.set.iter().map(|(c, v)| ((*c).to_owned(), (*v).to_owned())).collect();
                attack(&whole, &bare, &table, &check, special.id, &set);
                covered = true;
            }
            if !covered {
                uncovered.push(format!("{table}: CHECK ({check})"));
            }
        }
    }
    assert!(uncovered.is_empty(), "no attack on:\n{}", uncovered.join("\n"));
}

#[test]
fn a_type_is_a_type() {
    let db = filled();
    for sql in [
        "UPDATE memories SET created_at = '2026-01-01' WHERE id = 'a-memory'",
        "UPDATE memories SET importance = 'much' WHERE id = 'a-memory'",
        "UPDATE memories SET content = x'00' WHERE id = 'a-memory'",
    ] {
        assert!(undone(&db, || db.execute_batch(sql)).is_err(), "{sql}");
    }
}
