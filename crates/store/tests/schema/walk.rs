//! Any walk of raw SQL over claims, their evidence and their histories leaves only what may be: what is refused changes
//! nothing, and after each statement all invariants hold.

use crate::support::{filled, strings, undone};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use rusqlite::Connection;
use std::collections::BTreeMap;

const STATES: [&str; 5] = ["draft", "asserted", "disputed", "retracted", "superseded"];
const POLARITIES: [&str; 3] = ["supporting", "contradicting", "neutral"];

fn claim() -> impl Strategy<Value = &'static str> {
    select(&["a-claim", "a-claim", "a-claim", "a-claim0", "a-claim9", "b-claim"][..])
}

fn update() -> impl Strategy<Value = &'static str> {
    select(&["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"][..])
}

fn insert() -> impl Strategy<Value = &'static str> {
    select(&["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"][..])
}

/// Some of the evidence.
fn pieces() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..6u32).prop_map(|at| format!("rid IN (SELECT rid FROM claim_evidence ORDER BY rid LIMIT 1 OFFSET {at})")),
        claim().prop_map(|claim| format!("claim_id = '{claim}' AND is_redacted = 0")),
    ]
}

fn time() -> impl Strategy<Value = &'static str> {
    select(&["NULL", "0", "1", "3", "9"][..])
}

fn evidence_comes() -> impl Strategy<Value = String> {
    let what = (claim(), select(&POLARITIES[..]), 0..4u32, select(&["0.2", "0.9", "1.0"][..]), 0..12u32);
    (insert(), what).prop_map(|(verb, (claim, polarity, source, confidence, at))| {
        let space = &claim[..1];
        format!(
            "{verb} INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset,
               source_hash, span_hash, extraction_method, polarity, confidence, observed_at, recorded_at, actor_id)
             VALUES (hex(randomblob(8)), '{claim}', '{space}-memory', '{space}', 'Ada', 0, 3, 'walk{source}', 'h', 'rule',
               '{polarity}', {confidence}, {at}, {at}, '{space}-agent')"
        )
    })
}

fn evidence_changes() -> impl Strategy<Value = String> {
    let set = prop_oneof![
        4 => select(&POLARITIES[..]).prop_map(|polarity| format!("polarity = '{polarity}'")),
        4 => claim().prop_map(|claim| format!("claim_id = '{claim}'")),
        3 => (0..12u32).prop_map(|at| format!("is_redacted = 1, redacted_at = {at}, extracted_text = '[REDACTED]'")),
        1 => (claim(), select(&POLARITIES[..]))
            .prop_map(|(claim, polarity)| format!("claim_id = '{claim}', polarity = '{polarity}'")),
        1 => select(&["0", "0.5", "1"][..]).prop_map(|confidence| format!("confidence = {confidence}")),
        1 => Just("source_hash = source_hash || 'x'".to_owned()),
        1 => Just("is_redacted = 0".to_owned()),
    ];
    let changed = (update(), set, pieces())
        .prop_map(|(verb, set, which)| format!("{verb} claim_evidence SET {set} WHERE {which}"));
    let purged = pieces().prop_map(|which| {
        format!(
            "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
             DELETE FROM claim_evidence WHERE {which};
             UPDATE system_settings SET value = 'false' WHERE key = 'compliance_mode'"
        )
    });
    prop_oneof![5 => changed, 1 => purged]
}

/// A row of history, mostly from the state that the claim is in; undone is the latest change or an older one.
fn state_changes() -> impl Strategy<Value = String> {
    let from = prop_oneof![5 => Just(None), 1 => select(&STATES[..]).prop_map(Some)];
    let undone = prop_oneof![2 => Just(None), 3 => (0..3u32).prop_map(Some)];
    let rid = select(&["NULL", "NULL", "NULL", "NULL", "-1"][..]);
    (insert(), claim(), from, select(&STATES[..]), undone, rid, 0..12u32).prop_map(
        |(verb, claim, from, to, undone, rid, at)| {
            let from = from.map_or("state".to_owned(), |from| format!("'{from}'"));
            let cause = if undone.is_some() { "undo" } else { "user" };
            let undone = undone.map_or("NULL".to_owned(), |back| {
                format!("(SELECT id FROM claim_state_history WHERE claim_id = '{claim}' ORDER BY rid DESC LIMIT 1 OFFSET {back})")
            });
            let space = &claim[..1];
            format!(
                "{verb} INTO claim_state_history (rid, id, space_id, claim_id, from_state, to_state, cause, undo_of,
                   actor_id, changed_at)
                 SELECT {rid}, hex(randomblob(8)), space_id, id, {from}, '{to}', '{cause}', {undone}, '{space}-agent', {at}
                 FROM claims WHERE id = '{claim}'"
            )
        },
    )
}

/// Attempts at what says which changes are allowed.
fn allowed_changes() -> impl Strategy<Value = String> {
    let states = || select(&STATES[..]);
    let needs = || select(&["nothing", "support", "new_support", "undo"][..]);
    let claims = prop_oneof![
        (insert(), states(), states(), needs()).prop_map(|(verb, from, to, needs)| {
            format!("{verb} INTO claim_state_transitions (from_state, to_state, requires) VALUES ('{from}', '{to}', '{needs}')")
        }),
        (update(), states(), needs())
            .prop_map(|(verb, from, needs)| format!("{verb} claim_state_transitions SET requires = '{needs}' WHERE from_state = '{from}'")),
        states().prop_map(|to| format!("DELETE FROM claim_state_transitions WHERE to_state = '{to}'")),
    ];
    let memories = select(
        &[
            "INSERT OR REPLACE INTO memory_status_transitions (from_status, to_status) VALUES ('deleted', 'archived')",
            "UPDATE memory_status_transitions SET to_status = 'archived' WHERE to_status = 'active'",
            "DELETE FROM memory_status_transitions",
        ][..],
    );
    prop_oneof![5 => claims, 1 => memories.prop_map(str::to_owned)]
}

fn window_changes() -> impl Strategy<Value = String> {
    (insert(), claim(), time(), time(), prop::bool::weighted(0.8)).prop_map(|(verb, claim, from, to, honest)| {
        let had = if honest { "valid_from, valid_to" } else { "NULL, 3" };
        let space = &claim[..1];
        format!(
            "{verb} INTO claim_window_history (id, space_id, claim_id, from_valid_from, from_valid_to, to_valid_from, to_valid_to,
               cause, actor_id, changed_at)
             SELECT hex(randomblob(8)), space_id, id, {had}, {from}, {to}, 'told', '{space}-agent', 5 FROM claims WHERE id = '{claim}'"
        )
    })
}

fn claim_changes() -> impl Strategy<Value = String> {
    let set = prop_oneof![
        3 => select(&STATES[..]).prop_map(|state| format!("state = '{state}'")),
        3 => select(&["0", "0.3", "0.6", "1"][..]).prop_map(|confidence| format!("confidence = {confidence}")),
        2 => (time(), time()).prop_map(|(from, to)| format!("valid_from = {from}, valid_to = {to}")),
        2 => claim().prop_map(|by| format!("superseded_by_id = '{by}'")),
        2 => select(&["attribute_value = 'other'", "polarity = 'negative'", "qualifiers = '{\"k\":2}'"][..])
            .prop_map(str::to_owned),
        1 => select(&["supporting_count = 7", "evidence_count = 0"][..]).prop_map(str::to_owned),
        1 => Just("is_redacted = 1, redacted_at = 9, statement = '[REDACTED]', attribute_value = NULL, qualifiers = '{}'".to_owned()),
    ];
    (update(), set, claim()).prop_map(|(verb, set, claim)| format!("{verb} claims SET {set} WHERE id = '{claim}'"))
}

fn statements() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => evidence_comes(),
        6 => evidence_changes(),
        6 => state_changes(),
        2 => window_changes(),
        4 => claim_changes(),
        2 => allowed_changes(),
        1 => Just("UPDATE entity_relationships SET is_active = 1".to_owned()),
    ]
}

/// What there may be none of, with the SQL that lists it.
const NEVER: &[(&str, &str)] = &[
    (
        "a claim in another state than its history",
        "SELECT id FROM claims c WHERE state IS NOT ifnull(
           (SELECT to_state FROM claim_state_history h WHERE h.claim_id = c.id ORDER BY rid DESC LIMIT 1), 'draft')",
    ),
    (
        "a history with a gap",
        "SELECT id FROM claim_state_history h WHERE from_state IS NOT ifnull((SELECT to_state FROM claim_state_history p
           WHERE p.claim_id = h.claim_id AND p.rid < h.rid ORDER BY rid DESC LIMIT 1), 'draft')",
    ),
    (
        "a change that no claim makes, or that is made only by undo",
        "SELECT id FROM claim_state_history WHERE from_state || ' ' || to_state NOT IN (
           'draft asserted', 'draft retracted',
           'asserted disputed', 'asserted retracted', 'asserted superseded',
           'disputed asserted', 'disputed retracted', 'disputed superseded',
           'retracted asserted', 'superseded asserted')
           OR (from_state = 'superseded' AND undo_of IS NULL)",
    ),
    (
        "a list of allowed changes that is not the schema's own",
        "SELECT count(*) || ' ' || (SELECT count(*) FROM memory_status_transitions) FROM claim_state_transitions
         HAVING count(*) <> 10 OR (SELECT count(*) FROM memory_status_transitions) <> 17
           OR group_concat(requires, ' ' ORDER BY from_state, to_state) <>
             'nothing nothing nothing support nothing nothing support nothing new_support undo'",
    ),
    (
        "an undo of anything but the change before",
        "SELECT id FROM claim_state_history h WHERE undo_of IS NOT NULL AND undo_of IS NOT (SELECT id FROM claim_state_history p
           WHERE p.claim_id = h.claim_id AND p.rid < h.rid ORDER BY rid DESC LIMIT 1)",
    ),
    (
        "a believed claim without support",
        "SELECT id FROM claims c WHERE state IN ('asserted', 'disputed') AND NOT EXISTS (SELECT 1 FROM claim_evidence e
           WHERE e.claim_id = c.id AND e.polarity = 'supporting' AND e.is_redacted = 0)",
    ),
    (
        "a miscount",
        "SELECT id FROM claims c WHERE (evidence_count, supporting_count, contradicting_count) IS NOT (
           SELECT count(*), count(*) FILTER (WHERE polarity = 'supporting'), count(*) FILTER (WHERE polarity = 'contradicting')
           FROM claim_evidence e WHERE e.claim_id = c.id AND e.is_redacted = 0)",
    ),
    (
        "a claim surer than its evidence",
        "SELECT id FROM claims c WHERE confidence > 1e-9 + (SELECT total(confidence) FROM claim_evidence e
           WHERE e.claim_id = c.id AND e.polarity = 'supporting' AND e.is_redacted = 0)",
    ),
    (
        "a window that nothing tells of",
        "SELECT id FROM claims c WHERE is_redacted = 0 AND (valid_from, valid_to) IS NOT (SELECT to_valid_from, to_valid_to FROM (
           SELECT rid, to_valid_from, to_valid_to FROM claim_window_history w WHERE w.claim_id = c.id
           UNION ALL SELECT -9, 1, 2) ORDER BY rid DESC LIMIT 1)",
    ),
    (
        "a history of windows with a gap",
        "SELECT id FROM claim_window_history w WHERE (SELECT is_redacted FROM claims WHERE id = claim_id) = 0
           AND (from_valid_from, from_valid_to) IS NOT (
           SELECT to_valid_from, to_valid_to FROM (
             SELECT rid, to_valid_from, to_valid_to FROM claim_window_history p WHERE p.claim_id = w.claim_id AND p.rid < w.rid
             UNION ALL SELECT -9, 1, 2) ORDER BY rid DESC LIMIT 1)",
    ),
    (
        "a claim that stands in its own place, or in that of a believed one",
        "SELECT id FROM claims WHERE superseded_by_id = id OR (superseded_by_id IS NOT NULL AND state IN ('asserted', 'disputed'))",
    ),
    (
        "a claim of another space in a claim's place",
        "SELECT c.id FROM claims c JOIN claims b ON b.id = c.superseded_by_id WHERE b.space_id <> c.space_id",
    ),
    (
        "an edge of a claim that is not asserted",
        "SELECT e.id FROM entity_relationships e JOIN claims c ON c.id = e.claim_id WHERE e.is_active = 1 AND c.state <> 'asserted'",
    ),
];

/// What each unredacted row said before.
#[derive(PartialEq, Eq)]
struct Said {
    claims: BTreeMap<String, String>,
    pieces: BTreeMap<String, String>,
}

impl Said {
    fn of(db: &Connection) -> Self {
        let map = |sql: &str| -> BTreeMap<String, String> {
            strings(db, sql)
                .iter()
                .filter_map(|row| row.split_once('|'))
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .collect()
        };
        Self {
            claims: map(
                "SELECT id || '|' || json_array(claim_type, attribute_key, attribute_value, relationship_type_id,
                qualifiers, polarity) FROM claims WHERE is_redacted = 0",
            ),
            pieces: map("SELECT id || '|' || polarity FROM claim_evidence WHERE is_redacted = 0"),
        }
    }

    /// What says something else than it did.
    fn turned(&self, now: &Self) -> Vec<String> {
        let changed = |before: &BTreeMap<String, String>, after: &BTreeMap<String, String>, neutral: &str| {
            let differs = |(id, said): &(&String, &String)| {
                before.get(*id).is_some_and(|was| was != *said && was != neutral && *said != neutral)
            };
            after.iter().filter(differs).map(|(id, _)| id.clone()).collect::<Vec<_>>()
        };
        [changed(&self.claims, &now.claims, ""), changed(&self.pieces, &now.pieces, "neutral")].concat()
    }
}

fn check(db: &Connection) -> Result<(), String> {
    for (what, list) in NEVER {
        let found = strings(db, list);
        if !found.is_empty() {
            return Err(format!("{what}: {found:?}"));
        }
    }
    let by_itself = "SELECT id FROM claim_state_history WHERE actor_id = '00000000-0000-7000-8000-00000000000b'";
    let odd = strings(db, by_itself)
        .into_iter()
        .find(|id| um_model::ClaimId::parse(id.as_str()).is_err() || &id[14..15] != "7");
    odd.map_or(Ok(()), |id| Err(format!("{id} is no UUIDv7")))
}

/// Claims that were taken back and are asserted again since that change, though no evidence came since they were taken back.
fn asserted_on_old_evidence(db: &Connection, since: i64) -> Vec<String> {
    strings(
        db,
        &format!(
            "SELECT id FROM claim_state_history h WHERE rid > {since} AND from_state = 'retracted' AND undo_of IS NULL
               AND NOT EXISTS (SELECT 1 FROM claim_evidence e WHERE e.claim_id = h.claim_id AND e.polarity = 'supporting'
                 AND e.is_redacted = 0 AND e.recorded_at >= (SELECT changed_at FROM claim_state_history p
                   WHERE p.claim_id = h.claim_id AND p.rid < h.rid ORDER BY rid DESC LIMIT 1))"
        ),
    )
}

fn latest_change(db: &Connection) -> Result<i64, String> {
    db.query_row("SELECT max(rid) FROM claim_state_history", [], |row| row.get(0)).map_err(|e| e.to_string())
}

fn walk(db: &Connection, statements: &[String]) -> Result<(), String> {
    for (at, sql) in statements.iter().enumerate() {
        let (before, latest) = (Said::of(db), latest_change(db)?);
        // Refused or not: what it leaves must hold.
        let taken = db.execute_batch(&format!("SAVEPOINT step; {sql}; RELEASE step"));
        if taken.is_err() {
            db.execute_batch("ROLLBACK TO step; RELEASE step").map_err(|e| e.to_string())?;
        }
        check(db).map_err(|wrong| format!("after step {at}, {sql}: {wrong}"))?;
        let early = asserted_on_old_evidence(db, latest);
        if !early.is_empty() {
            return Err(format!("step {at}, {sql}: {early:?} assert without new support"));
        }
        let turned = before.turned(&Said::of(db));
        if !turned.is_empty() {
            return Err(format!("step {at}, {sql}: {turned:?} says something else"));
        }
    }
    Ok(())
}

#[test]
fn no_walk_of_raw_sql_leaves_a_state_that_may_not_be() {
    let db = filled();
    check(&db).unwrap();
    let config = Config { failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    TestRunner::new(config)
        .run(&prop::collection::vec(statements(), 1..40), |steps| {
            undone(&db, || walk(&db, &steps)).map_err(TestCaseError::fail)
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
