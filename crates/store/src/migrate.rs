//! Brings a database's schema up to date. `user_version` counts the migrations that it has.

use crate::{StoreError, StoreResult};
use rusqlite::{Connection, Transaction};
use um_model::EpochMs;

macro_rules! migrations {
    ($($file:literal),+ $(,)?) => {
        /// Every migration: its file's name and its SQL, in order.
        pub const MIGRATIONS: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../../../migrations/", $file)))),+];
    };
}

migrations! {
    "0001_foundation.sql",
    "0002_access.sql",
    "0003_capture.sql",
    "0004_memory.sql",
    "0005_units.sql",
    "0006_vectors.sql",
    "0007_entities.sql",
    "0008_claims.sql",
    "0009_evidence.sql",
    "0010_graph.sql",
    "0011_sessions.sql",
    "0012_entries.sql",
    "0013_relations.sql",
    "0014_review.sql",
    "0015_observe.sql",
    "0016_jobs.sql",
    "0017_seed.sql",
    "0018_forgetting.sql",
    "0019_claims_said.sql",
    "0020_promotion.sql",
    "0021_forgotten_times.sql",
    "0022_audit_pages.sql",
    "0023_decisions.sql",
    "0024_promotion_askers.sql",
    "0025_ledger_seal.sql",
    "0026_agent_folders.sql",
    "0027_kept_out.sql",
    "0028_fixed_changes.sql",
    "0029_held_writes.sql",
    "0030_work.sql",
    "0031_entries.sql",
    "0032_events.sql",
    "0033_relations.sql",
    "0034_tag_origins.sql",
    "0035_query.sql",
    "0036_checked.sql",
    "0037_packs.sql",
    "0038_memory_history.sql",
    "0039_lean_indexes.sql",
    "0040_lean_writes.sql",
    "0041_lookups.sql",
    "0042_relation_ends.sql",
    "0043_memories_by_session.sql",
    "0044_searches_by_space.sql",
    "0045_packs_by_clock.sql",
    "0046_traces_asked.sql",
    "0047_then.sql",
    "0048_past_tags.sql",
    "0049_indexed_form.sql",
    "0050_expiry.sql",
    "0051_cold.sql",
    "0052_name_form.sql",
    "0053_whole_words.sql",
    "0054_mails_of_mailboxes.sql",
    "0055_held_resources.sql",
    "0056_conflicts_again.sql",
    "0057_packs_of_then.sql",
    "0058_types_and_names.sql",
}

/// What all migrations make, in one: the schema and the first rows. A new database is made by it, as each change of a table reads
/// the whole schema anew. A test keeps both the same.
const SCHEMA: &str = include_str!("../../../migrations/schema.sql");

/// What follows a migration in its transaction.
type After = fn(&Transaction<'_>, EpochMs) -> StoreResult<()>;

/// What a migration needs done that SQL alone cannot do.
const AFTER: &[(&str, After)] = &[
    ("0025_ledger_seal.sql", |transaction, now| crate::audit::seal_now(transaction, now)),
    ("0040_lean_writes.sql", |transaction, _| crate::vectors::rebuild(transaction).map(drop)),
    ("0049_indexed_form.sql", |transaction, now| crate::rebuild::renew_form(transaction, now)),
    ("0052_name_form.sql", |transaction, now| crate::entities::renew_form(transaction, now)),
    ("0053_whole_words.sql", |transaction, now| crate::rebuild::renew_form(transaction, now)),
];

/// How many migrations a database has.
///
/// # Errors
/// SQLite's.
pub fn schema_version(connection: &Connection) -> StoreResult<i64> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Makes a new database, or applies what one lacks, each migration in a transaction of its own.
pub(crate) fn migrate(connection: &mut Connection, now: EpochMs) -> StoreResult<()> {
    let found = schema_version(connection)?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    if found == 0 {
        let transaction = connection.transaction()?;
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", known)?;
        crate::audit::seal_now(&transaction, now)?;
        end(&transaction, now)?;
        return Ok(transaction.commit()?);
    }
    for (at, (name, sql)) in MIGRATIONS.iter().enumerate().skip(found as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", at as i64 + 1)?;
        for (_, after) in AFTER.iter().filter(|(of, _)| of == name) {
            after(&transaction, now)?;
        }
        if at as i64 + 1 == known {
            end(&transaction, now)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

/// What follows the last migration.
fn end(transaction: &Transaction<'_>, now: EpochMs) -> StoreResult<()> {
    stamp_seeds(transaction, now)?;
    crate::fts::create_missing(transaction, now)?;
    crate::fts::sources::build_missing(transaction, now)
}

/// Seed rows carry the time 0 in the SQL, which has no clock (ruling 8); they get the time of creation.
fn stamp_seeds(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    const TIMES: &[(&str, &str)] = &[
        ("memory_spaces", "created_at"),
        ("agents", "created_at"),
        ("relationship_types", "created_at"),
        ("attribute_keys", "created_at"),
        ("tags", "created_at"),
        ("space_memberships", "added_at"),
        ("system_settings", "updated_at"),
    ];
    for (table, time) in TIMES {
        connection.execute(&format!("UPDATE {table} SET {time} = ?1 WHERE {time} = 0"), [now])?;
    }
    Ok(())
}

/// A new database in memory.
#[cfg(test)]
pub(crate) fn migrated() -> Connection {
    crate::register_sqlite_vec();
    let db = Connection::open_in_memory().unwrap();
    crate::register_functions(&db).unwrap();
    MIGRATIONS.iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
    db
}

/// What SQLite says that it goes through for a statement, a line for each step.
#[cfg(test)]
pub(crate) fn plan(db: &Connection, sql: &str) -> String {
    let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = statement.raw_query().mapped(|row| row.get::<_, String>(3)).collect::<Result<Vec<_>, _>>();
    steps.unwrap().join("\n")
}

/// What a plan goes through from end to end, by the names in its statement, each once and in their order; without subqueries that have no
/// name, of which the plan tells what they go through.
#[cfg(test)]
pub(crate) fn scanned(plan: &str) -> Vec<&str> {
    let scans = plan.lines().filter_map(|step| step.strip_prefix("SCAN ")?.split(' ').next());
    let mut names: Vec<&str> = scans.filter(|name| !name.starts_with("(subquery")).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_goes_through_is_told_by_whole_names() {
        let db = migrated();
        let check = |sql: &str, expected: &[&str]| assert_eq!(scanned(&plan(&db, sql)), expected, "{sql}");
        check("SELECT * FROM sessions", &["sessions"]);
        check("SELECT s.rid FROM sessions s CROSS JOIN memories", &["memories", "s"]);
        check("SELECT * FROM sessions WHERE rid = 1", &[]);
        check("SELECT max(n) FROM (SELECT count(*) AS n FROM sessions)", &["sessions"]);
    }

    #[test]
    fn every_migration_file_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".sql") && name != "schema.sql")
            .collect();
        files.sort();
        let embedded: Vec<_> = super::MIGRATIONS.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(files, embedded);
        for (name, _) in super::AFTER {
            assert!(embedded.iter().any(|one| one == name), "{name} follows no migration");
        }
    }
}
