//! Each trigger against raw SQL that tries to get past it.
//!
//! An attack must be refused by the whole schema; by the trigger alone, with the table's other triggers
//! gone; and no longer by its message once the trigger is gone too. So each trigger is shown to hold, and
//! to be what holds.

use crate::attacks::{ATTACKS, Attack, LEGAL};
use crate::support::{
    assignments, columns, copy, filled, fresh, fresh_copy, redaction, string, strings, tables, undone,
};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// A trigger: the table it stands on, and what it says when it refuses.
pub struct Trigger {
    table: String,
    pub messages: Vec<String>,
}

/// Every trigger of the schema, by name.
pub fn triggers(db: &Connection) -> BTreeMap<String, Trigger> {
    strings(db, "SELECT name || ' ' || tbl_name || ' ' || sql FROM sqlite_master WHERE type = 'trigger'")
        .into_iter()
        .map(|row| {
            let mut parts = row.splitn(3, ' ');
            let mut next = || parts.next().unwrap().to_owned();
            let (name, table, sql) = (next(), next(), next());
            let messages = sql
                .split("RAISE(ABORT, '")
                .skip(1)
                .map(|rest| rest[..rest.find("')").expect("the message ends")].to_owned())
                .collect();
            (name, Trigger { table, messages })
        })
        .collect()
}

struct Range {
    db: Connection,
    triggers: BTreeMap<String, Trigger>,
    /// Trigger and message, for each message that an attack has drawn.
    drawn: BTreeSet<(String, String)>,
}

impl Range {
    fn new() -> Self {
        let db = filled();
        let triggers = triggers(&db);
        Self { db, triggers, drawn: BTreeSet::new() }
    }

    fn attack(&mut self, name: &str, setup: &str, attack: &str) {
        let trigger = self.triggers.get(name).unwrap_or_else(|| panic!("no trigger {name}"));
        let others: Vec<&String> = self
            .triggers
            .iter()
            .filter(|(other, t)| *other != name && t.table == trigger.table && !t.messages.is_empty())
            .map(|(other, _)| other)
            .collect();
        let run = |drop: &[&String]| {
            undone(&self.db, || {
                self.db.execute_batch(setup).unwrap_or_else(|e| panic!("{name}: setup {setup}: {e}"));
                for other in drop {
                    self.db.execute_batch(&format!("DROP TRIGGER {other}")).unwrap();
                }
                self.db.execute_batch(attack).map_err(|e| e.to_string())
            })
        };
        assert!(run(&[]).is_err(), "{name}: the schema let this pass: {attack}");
        let message = run(&others).expect_err(&format!("{name}: the trigger alone let this pass: {attack}"));
        let message = trigger
            .messages
            .iter()
            .find(|m| message.contains(*m))
            .unwrap_or_else(|| panic!("{name} is not what refused: {message}: {attack}"))
            .clone();
        let mut all = others.clone();
        let this = name.to_owned();
        all.push(&this);
        if let Err(error) = run(&all) {
            assert!(!error.contains(&message), "{name}: its message comes without it: {attack}");
        }
        self.drawn.insert((name.to_owned(), message));
    }

    fn has(&self, name: &str) -> bool {
        self.triggers.contains_key(name)
    }
}

/// A row of the table in space `a`.
fn row(table: &str) -> String {
    match table {
        // These are rows that stand in no special state.
        "memories" => "id = 'a-memory'".into(),
        "claims" => "id = 'a-claim'".into(),
        _ => "id LIKE 'a-%'".into(),
    }
}

fn one(db: &Connection, table: &str) -> String {
    string(db, &format!("SELECT id FROM {table} WHERE {} ORDER BY rid LIMIT 1", row(table)))
}

fn replacing(range: &mut Range, table: &str) {
    let name = format!("{table}_no_replace");
    if !range.has(&name) {
        return;
    }
    for recursive in ["ON", "OFF"] {
        range.db.pragma_update(None, "recursive_triggers", recursive).unwrap();
        let source = row(table);
        let same_id: Vec<_> = fresh(table);
        let by_id = copy(&range.db, "INSERT OR REPLACE", table, &source, &same_id);
        range.attack(&name, "", &by_id);
        let by_rid = fresh_copy(&range.db, "INSERT OR REPLACE", table, &source, &[("rid", "rid")]);
        range.attack(&name, "", &by_rid);
    }
    range.db.pragma_update(None, "recursive_triggers", "ON").unwrap();
}

fn moving(range: &mut Range, table: &str) {
    let id = one(&range.db, table);
    let mut fixed = vec![("rid", "rid + 1000000"), ("id", "'other'")];
    if columns(&range.db, table).iter().any(|c| c == "space_id") {
        fixed.push(("space_id", "'b-top'"));
    }
    for name in [format!("{table}_identity"), format!("{table}_append_only")] {
        if !range.has(&name) {
            continue;
        }
        for (column, value) in &fixed {
            range.attack(&name, "", &format!("UPDATE {table} SET {column} = {value} WHERE id = '{id}'"));
            range.attack(&name, "", &format!("UPDATE OR REPLACE {table} SET {column} = {value} WHERE id = '{id}'"));
        }
        range.attack(&name, "", &format!("UPDATE {table} SET rowid = rowid + 1000000 WHERE id = '{id}'"));
    }
}

fn deleting(range: &mut Range, table: &str) {
    let id = one(&range.db, table);
    let delete = format!("DELETE FROM {table} WHERE id = '{id}'");
    let guard = format!("{table}_delete_guard");
    if range.has(&guard) {
        range.attack(&guard, "", &delete);
        // A missing setting is no permission.
        range.attack(&guard, "DELETE FROM system_settings WHERE key = 'compliance_mode'", &delete);
        let compliance = "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
                          PRAGMA defer_foreign_keys = ON;";
        undone(&range.db, || range.db.execute_batch(&format!("{compliance}{delete}")).expect("purging is possible"));
    }
    let never = format!("{table}_no_delete");
    if range.has(&never) {
        range.attack(&never, "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode'", &delete);
    }
}

fn redacting(range: &mut Range, table: &str) {
    let id = one(&range.db, table);
    let Some(set) = redaction(&range.db, table) else {
        return;
    };
    let redact = redact_sql(table, &set, &id);
    undone(&range.db, || range.db.execute_batch(&redact).unwrap_or_else(|e| panic!("{redact}: {e}")));
    let restore = format!("UPDATE {table} SET is_redacted = 0, redacted_at = NULL WHERE id = '{id}'");
    for name in [format!("{table}_redaction_final"), format!("{table}_append_only")] {
        if range.has(&name) {
            range.attack(&name, &redact, &restore);
        }
    }
}

fn redact_sql(table: &str, set: &[(String, String)], id: &str) -> String {
    format!("UPDATE {table} SET {} WHERE id = '{id}'", assignments(set))
}

/// Every column of an append-only table that its redaction does not write.
fn rewriting(range: &mut Range, table: &str) {
    let name = format!("{table}_append_only");
    if !range.has(&name) {
        return;
    }
    let id = one(&range.db, table);
    for column in columns(&range.db, table) {
        let changed =
            format!("UPDATE {table} SET {column} = CASE WHEN {column} IS NULL THEN 1 ELSE NULL END WHERE id = '{id}'");
        if !["rid", "is_redacted", "redacted_at"].contains(&column.as_str()) {
            range.attack(&name, "", &changed);
        }
    }
}

/// Each reference, pointed into the other space.
fn crossing(range: &mut Range, table: &str) {
    for event in ["insert", "update"] {
        let name = format!("{table}_space_{event}");
        let Some(trigger) = range.triggers.get(&name) else {
            continue;
        };
        let prefix = format!("{table}.");
        let referring: Vec<String> = trigger
            .messages
            .iter()
            .filter_map(|m| Some(m.strip_prefix(&prefix)?.split_once(" must lie")?.0.to_owned()))
            .collect();
        assert_eq!(referring.len(), trigger.messages.len(), "{name}");
        for column in referring {
            let source = format!("id = (SELECT min(id) FROM {table} WHERE id LIKE 'a-%' AND {column} IS NOT NULL)");
            let foreign =
                format!("(SELECT {column} FROM {table} WHERE id LIKE 'b-%' AND {column} IS NOT NULL LIMIT 1)");
            if table == "text_view_spans" {
                continue;
            }
            let attacks = if event == "insert" {
                ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"]
                    .map(|verb| fresh_copy(&range.db, verb, table, &source, &[(&column, &foreign)]))
                    .to_vec()
            } else {
                ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"]
                    .map(|verb| format!("{verb} {table} SET {column} = {foreign} WHERE {source}"))
                    .to_vec()
            };
            for attack in attacks {
                range.attack(&name, "", &attack);
            }
        }
    }
}

#[test]
fn every_trigger_holds_and_is_what_holds() {
    let mut range = Range::new();
    for table in tables(&range.db) {
        if columns(&range.db, &table).iter().any(|c| c == "id") {
            replacing(&mut range, &table);
            moving(&mut range, &table);
            deleting(&mut range, &table);
            redacting(&mut range, &table);
            rewriting(&mut range, &table);
            crossing(&mut range, &table);
        }
    }
    for Attack { trigger, steps } in ATTACKS {
        let (attack, setup) = steps.split_last().expect("an attack has a step");
        range.attack(trigger, &setup.join(";"), attack);
    }
    let untested: Vec<String> = range
        .triggers
        .iter()
        .flat_map(|(name, t)| t.messages.iter().map(move |m| (name.clone(), m.clone())))
        .filter(|pair| !range.drawn.contains(pair))
        .map(|(name, message)| format!("{name}: {message}"))
        .collect();
    assert!(untested.is_empty(), "messages that no attack drew:\n{}", untested.join("\n"));
}

#[test]
fn what_is_legal_passes() {
    let db = filled();
    // The rows of this one come about with what they tell of, and in no other way.
    for table in tables(&db).into_iter().filter(|table| table != "memory_status_history") {
        if columns(&db, &table).iter().any(|c| c == "id") {
            let insert = fresh_copy(&db, "INSERT", &table, &row(&table), &[]);
            undone(&db, || {
                assert_eq!(db.execute(&insert, []).unwrap_or_else(|e| panic!("{insert}: {e}")), 1, "{insert}")
            });
        }
    }
    for sql in LEGAL {
        undone(&db, || db.execute_batch(sql).unwrap_or_else(|e| panic!("{sql}: {e}")));
    }
}

#[test]
fn no_natural_key_lets_a_row_be_replaced() {
    // INSERT OR REPLACE deletes whatever stands in the way of any UNIQUE index, not only of the id.
    let db = filled();
    for table in tables(&db) {
        let guarded =
            format!("SELECT name FROM sqlite_master WHERE name IN ('{table}_delete_guard', '{table}_no_delete')");
        if strings(&db, &guarded).is_empty() {
            continue;
        }
        let id = one(&db, &table);
        let attack = copy(&db, "INSERT OR REPLACE", &table, &format!("id = '{id}'"), &[("id", "'forged'")]);
        undone(&db, || {
            // Where there is no natural key, the copy may go in; the row stays in any case.
            let _ = db.execute_batch(&attack);
            let kept = string(&db, &format!("SELECT CAST(count(*) AS TEXT) FROM {table} WHERE id = '{id}'"));
            assert_eq!(kept, "1", "replaced: {attack}");
        });
    }
}

#[test]
fn memory_states_change_as_ruled_and_no_other_way() {
    let db = filled();
    let states = ["active", "superseded", "consolidated", "archived", "retracted", "expired", "deleted"];
    for from in states {
        for to in states {
            let allowed = from == to || from == "active" || to == "active" || to == "deleted";
            let result = undone(&db, || {
                db.execute_batch(&format!("UPDATE memories SET status = '{from}' WHERE id = 'a-memory'")).unwrap();
                db.execute_batch(&format!("UPDATE memories SET status = '{to}' WHERE id = 'a-memory'"))
            });
            assert_eq!(result.is_ok(), allowed, "{from} -> {to}");
        }
    }
}

/// What supports a claim when its state is to change.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Support {
    None,
    Old,
    New,
}

/// Ruling 25, written out: whether a claim may change so.
fn ruled(from: &str, to: &str, support: Support, undo: bool) -> bool {
    match (from, to) {
        ("draft", "asserted") | ("disputed", "asserted") => support != Support::None,
        ("retracted", "asserted") => support == Support::New || (undo && support == Support::Old),
        ("superseded", "asserted") => undo,
        ("draft", "retracted") => true,
        ("asserted", "disputed" | "retracted" | "superseded") => true,
        ("disputed", "retracted" | "superseded") => true,
        _ => false,
    }
}

/// The way of a draft to each state.
const WAYS: &[(&str, &[&str])] = &[
    ("draft", &[]),
    ("asserted", &["asserted"]),
    ("disputed", &["asserted", "disputed"]),
    ("retracted", &["retracted"]),
    ("superseded", &["asserted", "superseded"]),
];

#[test]
fn claim_states_change_as_ruled_and_no_other_way() {
    let db = filled();
    let support = |at: i64| {
        let sql = format!(
            "INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset, source_hash,
               span_hash, extraction_method, polarity, observed_at, recorded_at, actor_id)
             VALUES ('n{at}', 'a-claim0', 'a-memory', 'a', 'Ada', 0, 3, 's{at}', 'h', 'rule', 'supporting', {at}, {at}, 'a-agent')"
        );
        db.execute_batch(&sql).unwrap();
    };
    let change = |to: &str, at: i64, undo: bool| {
        let (cause, undone) = match undo {
            true => ("undo", "(SELECT id FROM claim_state_history WHERE claim_id = c.id ORDER BY rid DESC LIMIT 1)"),
            false => ("user", "NULL"),
        };
        db.execute_batch(&format!(
            "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
             SELECT 'n{at}', 'a', id, state, '{to}', '{cause}', {undone}, 'a-agent', {at} FROM claims c WHERE id = 'a-claim0'"
        ))
    };
    for (from, way) in WAYS {
        for (to, _) in WAYS {
            for given in [Support::None, Support::Old, Support::New] {
                // What never changed has nothing to undo; nothing is believed without support.
                let believed = way.contains(&"asserted");
                if believed && given == Support::None {
                    continue;
                }
                for undo in [false, true] {
                    if undo && way.is_empty() {
                        continue;
                    }
                    let result = undone(&db, || {
                        if given == Support::Old || believed {
                            support(1);
                        }
                        way.iter().zip([10, 20]).for_each(|(state, at)| change(state, at, false).unwrap());
                        if given == Support::New {
                            support(30);
                        }
                        change(to, 40, undo)
                    });
                    let allowed = ruled(from, to, given, undo);
                    assert_eq!(
                        result.is_ok(),
                        allowed,
                        "{from} -> {to} with {given:?} support, undo: {undo}: {result:?}"
                    );
                }
            }
        }
    }
}
