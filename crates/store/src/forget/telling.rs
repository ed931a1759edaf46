//! The traces that tell somebody by a name that is lost, and what says their questions again.

use super::closure::uuids;
use super::names::who_lose;
use super::passed::TRACES;
use super::words::text_at;
use super::{Rows, Seen, closure, closure_within};
use crate::StoreResult;
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, BTreeSet};

/// Lost names as JSON has them, by the ids by which traces tell whose they are.
pub(super) type Lost = BTreeMap<String, BTreeSet<String>>;

/// Which traces tell those who are to lose a name, as of one moment, with what says their questions again: read before anything goes, as no
/// transaction reads every trace while others wait to write. Where nobody loses one, none is read.
#[derive(Debug, Clone)]
pub struct Telling {
    /// By whom they tell, who may be told by none.
    traces: BTreeMap<String, BTreeSet<String>>,
    /// All of them, with what names them.
    seen: Seen,
}

impl Telling {
    /// As of this moment, before these rows go, and these folded words from texts that stay.
    ///
    /// # Errors
    /// SQLite's.
    pub fn new(connection: &Connection, all: &Rows, blacked: &[String]) -> StoreResult<Self> {
        Self::of(connection, who_lose(connection, all, blacked)?)
    }

    fn of(connection: &Connection, named: BTreeSet<String>) -> StoreResult<Self> {
        let mut traces: BTreeMap<String, BTreeSet<String>> =
            named.into_iter().map(|id| (id, BTreeSet::new())).collect();
        let mut found = Rows::default();
        if !traces.is_empty() {
            each(connection, None, |trace, tells| {
                for id in uuids(tells) {
                    if let Some(telling) = traces.get_mut(id) {
                        telling.insert(trace.to_owned());
                        found.add(TRACES, trace);
                    }
                }
            })?;
        }
        let all = if found.is_empty() { found } else { closure(connection, &found)? };
        Ok(Self { traces, seen: Seen::new(connection, all)? })
    }

    /// The traces that tell somebody by a lost name, on a way through the graph or as whom the question names, with all that says their
    /// questions again. All traces are read only where somebody lost a name who was not known to lose one.
    ///
    /// # Errors
    /// SQLite's.
    pub(super) fn rows(&self, connection: &Connection, lost: &Lost) -> StoreResult<Rows> {
        let mut found = Rows::default();
        if lost.is_empty() {
            return Ok(found);
        }
        let known: Option<Vec<_>> = lost.keys().map(|id| self.traces.get(id)).collect();
        let known = known.map(|known| known.into_iter().flatten().collect::<BTreeSet<_>>());
        let known = known.map(|known| serde_json::to_string(&known)).transpose()?;
        let within = known.as_deref().map(|known| (known, self.seen.last_of(TRACES)));
        each(connection, within, |trace, tells| {
            let ids: BTreeSet<&str> = uuids(tells).filter(|id| lost.contains_key(*id)).collect();
            if ids.into_iter().flat_map(|id| &lost[id]).any(|name| tells.contains(name.as_str())) {
                found.add(TRACES, trace);
            }
        })?;
        match within {
            _ if found.is_empty() => Ok(found),
            Some(_) => closure_within(connection, &found, &self.seen),
            None => closure(connection, &found),
        }
    }
}

/// Traces that tell anything: among those, as a JSON array of ids, and what came after that row.
const WITHIN: &str = "SELECT id, recall_trace FROM answer_traces
    WHERE is_redacted = 0 AND (id IN (SELECT value FROM json_each(?1)) OR rid > ?2)";
/// All of them.
const ALL: &str = "SELECT id, recall_trace FROM answer_traces WHERE is_redacted = 0 AND ?1 IS NULL AND ?2 IS NULL";

/// Calls `look` with the id of each trace and what it tells; with `within`, of those of an earlier look, and of those that came since.
fn each(connection: &Connection, within: Option<(&str, i64)>, mut look: impl FnMut(&str, &str)) -> StoreResult<()> {
    let mut statement = connection.prepare_cached(if within.is_some() { WITHIN } else { ALL })?;
    let (known, last) = within.unzip();
    let mut rows = statement.query(params![known, last])?;
    while let Some(row) = rows.next()? {
        look(text_at(row, 0)?.unwrap_or_default(), text_at(row, 1)?.unwrap_or_default());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities;
    use crate::forget::only_said_there;
    use crate::ids::new_id;
    use crate::migrate::{migrated, plan};
    use serde_json::json;
    use um_model::belief::EntityType;
    use um_model::{EntityId, SpaceId};

    const ANA: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a01";
    const BEA: &str = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a02";

    /// A trace that tells somebody by a name, and a proposal that says its question again.
    fn ask(db: &Connection, id: &str, entity: &str, name: &str) {
        let told = json!({"given": [{"named": [{"from": entity, "basis": "entity", "via": name}]}]}).to_string();
        db.execute(
            "INSERT INTO answer_traces (id, space_id, actor_id, query, recall_trace, outcome, created_at)
             VALUES (?1, 'GLOBAL', ?2, ?3, ?4, 'success', 1)",
            [id, um_model::OWNER_AGENT, name, &told],
        )
        .unwrap();
        db.execute(
            "INSERT INTO candidates (id, space_id, actor_id, kind, title, content, content_hash, payload, reason, created_at)
             VALUES ('of ' || ?1, 'GLOBAL', ?2, 'memory', ?3, 'x', 'of ' || ?1, ?4, 'held', 1)",
            [id, um_model::OWNER_AGENT, name, &json!({"trace": id}).to_string()],
        )
        .unwrap();
    }

    fn id(number: usize) -> String {
        format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{number:04}")
    }

    #[test]
    fn traces_that_tell_a_lost_name_are_found_with_what_says_their_questions() {
        let db = migrated();
        for (number, (entity, name)) in
            [(ANA, "Ana"), (ANA, "Anabel"), (BEA, "Ana"), (BEA, "Bea \"B\"")].into_iter().enumerate()
        {
            ask(&db, &id(number), entity, name);
        }
        let telling = |named: &[&str]| Telling::of(&db, named.iter().map(|id| (*id).to_owned()).collect()).unwrap();
        let check = |telling: &Telling, lost: &[(&str, &str)], expected: &[usize]| {
            let mut names = Lost::new();
            for (entity, name) in lost {
                names.entry((*entity).to_owned()).or_default().insert(json!(name).to_string());
            }
            let found = telling.rows(&db, &names).unwrap();
            let ids: Vec<String> = expected.iter().map(|number| id(*number)).collect();
            let waiting: Vec<String> = ids.iter().map(|id| format!("of {id}")).collect();
            assert_eq!(found.of(TRACES).collect::<Vec<_>>(), ids, "{lost:?}");
            assert_eq!(found.of("candidates").collect::<Vec<_>>(), waiting, "{lost:?}");
        };
        let before = telling(&[ANA, BEA]);
        for of in [&before, &telling(&[ANA]), &telling(&[])] {
            check(of, &[], &[]);
            check(of, &[(ANA, "Ana")], &[0]);
            check(of, &[(BEA, "Ana"), (ANA, "Quill")], &[2]);
            check(of, &[(BEA, "Bea \"B\""), (ANA, "Anabel")], &[1, 3]);
        }
        // What came since is looked at, and of what was there only what told them then.
        ask(&db, &id(4), ANA, "Ana");
        let told = json!({"given": [{"named": [{"from": ANA, "via": "Ana"}]}]}).to_string();
        db.execute("UPDATE answer_traces SET recall_trace = ?2 WHERE id = ?1", [&id(3), &told]).unwrap();
        check(&before, &[(ANA, "Ana")], &[0, 4]);
        check(&telling(&[]), &[(ANA, "Ana")], &[0, 3, 4]);
    }

    /// Has a text name somebody. Gives the id of what links both.
    fn say(db: &Connection, text: &str, whom: &EntityId) -> String {
        let id = new_id(1);
        db.execute(
            "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id)
             VALUES (?1, ?2, ?1, 'fact', 1, 1, 'GLOBAL', ?3)",
            params![id, text, um_model::OWNER_AGENT],
        )
        .unwrap();
        db.execute(
            "INSERT INTO memory_entity_links (id, memory_id, entity_id, space_id, created_at)
             VALUES (?1, ?1, ?2, 'GLOBAL', 1)",
            params![id, whom.as_str()],
        )
        .unwrap();
        id
    }

    /// Whom what goes names, what stays says, and whose names are lost, of three of whom each went into the one before.
    #[test]
    fn whoever_went_into_somebody_loses_a_name_with_the_traces_that_tell_it() {
        let check = |linked: usize, stays: &str, lost: &[usize]| {
            let (db, names) = (migrated(), ["Mira", "Nella", "Quellinda"]);
            let ids = names.map(|name| {
                let canonical = name.to_lowercase();
                entities::insert(&db, &SpaceId::global(), name, &canonical, EntityType::Person, 1).unwrap()
            });
            for pair in ids.windows(2) {
                entities::set_merged(&db, &pair[1], Some(&pair[0]), 1).unwrap();
            }
            for (at, name) in names.into_iter().enumerate() {
                ask(&db, &id(at), ids[at].as_str(), name);
            }
            let mut rows = Rows::default();
            rows.add("memory_entity_links", say(&db, "Mira, Nella and Quellinda came.", &ids[linked]));
            say(&db, stays, &ids[0]);
            let telling = Telling::new(&db, &rows, &[]).unwrap();
            assert_eq!(telling.traces.is_empty(), lost.is_empty(), "{stays}: no trace is read for nothing");
            let renamed = only_said_there(&db, &mut rows, &[], &telling).unwrap();
            let renamed = renamed.into_iter().map(|one| one.entity);
            let goes = |at: &usize| rows.has("entities", ids[*at].as_str());
            let nameless: Vec<EntityId> = (0..3).filter(goes).map(|at| ids[at].clone()).collect();
            let all: BTreeSet<EntityId> = renamed.chain(nameless).collect();
            assert_eq!(all, lost.iter().map(|at| ids[*at].clone()).collect::<BTreeSet<_>>(), "{stays}");
            let told: Vec<usize> = (0..3).filter(|at| rows.has(TRACES, &id(*at))).collect();
            assert_eq!(told, lost, "{stays}");
        };
        check(0, "Mira, Nella and Quellinda left.", &[]);
        check(0, "Mira and Nella left.", &[2]);
        check(0, "Quellinda left.", &[0, 1]);
        check(0, "They left.", &[0, 1, 2]);
        // What names somebody by whom they were before.
        check(2, "Mira and Nella left.", &[2]);
        check(2, "Mira, Nella and Quellinda left.", &[]);
    }

    #[test]
    fn no_trace_is_read_that_is_not_to_be_looked_at() {
        let plan = plan(&migrated(), WITHIN);
        assert!(!plan.contains("SCAN answer_traces"), "{plan}");
    }
}
