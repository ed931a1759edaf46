//! Beliefs: facts with their sources, conflicts and what is decided of them, merges, the graph.

mod again;
mod apart;
mod conflicts;
mod decisions;
mod exact;
mod facts;
mod graph;
mod heard;
mod judging;
mod lineage;
mod merging;
mod names;
mod nearly;
mod parting;
mod resolving;
mod sharing;
mod sources;
mod telling;
mod together;
mod told;
mod undoing;
mod untold;
mod voices;
mod walk;
mod when;
mod whose;
mod workers;

use crate::support::{Rig, SPACE};
use um_engine::Caller;
use um_model::belief::ClaimState;
use um_model::capture::Memory;
use um_model::claims::*;
use um_model::{ApiError, ClaimId, ConflictId, EntityId, MemoryId};

/// A fact in three words or so.
fn fact(subject: &str, predicate: &str, object: &str) -> FactInput {
    FactInput {
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: object.to_owned(),
        ..FactInput::default()
    }
}

fn denied(fact: FactInput) -> FactInput {
    FactInput { negative: true, ..fact }
}

fn between(fact: FactInput, from: &str, until: &str) -> FactInput {
    let date = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    FactInput { valid_from: date(from), valid_until: date(until), ..fact }
}

/// A fact whose source is a whole memory.
fn of(memory: &Memory, fact: FactInput) -> FactInput {
    FactInput { memory_id: Some(memory.id.clone()), quote: memory.content.clone(), ..fact }
}

fn try_add(rig: &Rig, fact: FactInput) -> Result<FactAdded, ApiError> {
    // Ids sort by the time of their making, and with them the sides of a conflict.
    rig.advance(1);
    Ok(rig.run(FactsAdd { space: SPACE.to_owned(), facts: vec![fact] })?.facts.remove(0))
}

#[track_caller]
fn add(rig: &Rig, fact: FactInput) -> FactAdded {
    try_add(rig, fact).unwrap()
}

fn explain(rig: &Rig, id: &ClaimId) -> ClaimExplained {
    rig.run(ClaimExplain::of(id.clone())).unwrap()
}

fn claim(rig: &Rig, id: &ClaimId) -> Claim {
    explain(rig, id).claim
}

fn state(rig: &Rig, id: &ClaimId) -> ClaimState {
    claim(rig, id).state
}

fn confidence(rig: &Rig, id: &ClaimId) -> f64 {
    claim(rig, id).confidence
}

#[track_caller]
fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

/// The open conflicts.
fn open(rig: &Rig) -> Vec<Conflict> {
    rig.run(ConflictsList::default()).unwrap().conflicts
}

fn conflict(rig: &Rig, id: &ConflictId) -> Conflict {
    let listed = |resolved| rig.run(ConflictsList { resolved, ..ConflictsList::default() }).unwrap().conflicts;
    listed(false).into_iter().chain(listed(true)).find(|conflict| conflict.id == *id).unwrap()
}

fn entity(rig: &Rig, name: &str) -> EntityDetail {
    rig.run(EntityGet { entity: name.to_owned(), space: Some(SPACE.to_owned()), ..EntityGet::default() }).unwrap()
}

fn entity_id(rig: &Rig, name: &str) -> EntityId {
    entity(rig, name).entity.id
}

/// All facts that are believed or disputed, as `state: sentence`.
fn believed(rig: &Rig) -> Vec<String> {
    let facts = rig.run(FactsSearch { limit: Some(200), ..FactsSearch::default() }).unwrap().facts;
    let mut words: Vec<String> = facts.into_iter().map(|fact| format!("{}: {}", fact.state, fact.statement)).collect();
    words.sort();
    words
}

/// The edges in use, as `Ana works_at Orbis`.
fn edges(rig: &Rig) -> Vec<String> {
    rows(
        rig,
        "SELECT s.name || ' ' || r.name || ' ' || t.name FROM entity_relationships e
         JOIN entities s ON s.id = e.source_entity_id JOIN entities t ON t.id = e.target_entity_id
         JOIN relationship_types r ON r.id = e.relationship_type_id WHERE e.is_active = 1 ORDER BY 1",
    )
}

/// Has a memory forgotten, with all that rests on it.
fn forget(rig: &Rig, memory: &MemoryId) {
    let what = um_model::forget::ForgetWhat { memory: Some(memory.clone()), ..Default::default() };
    let token = rig.run(um_model::forget::ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(um_model::forget::ForgetExecute { what, token }).unwrap();
}

/// Says whether what badges say is words or numbers; there may be many.
fn define_badge(rig: &Rig, kind: um_model::belief::ValueKind, change: bool) {
    let predicate = PredicateInfo {
        name: "badge".into(),
        phrase: "has badge".into(),
        relates: false,
        inverse: None,
        cardinality: um_model::belief::Cardinality::ManyToMany,
        value_kind: Some(kind),
    };
    rig.run(PredicateDefine { space: SPACE.into(), predicate, change }).unwrap();
}

/// An agent that gives itself this name.
fn agent(rig: &Rig, name: &str) -> Caller {
    rig.agent_in(name, &[SPACE], &[])
}

/// The first column of some rows.
fn rows(rig: &Rig, sql: &str) -> Vec<String> {
    column(&rig.db(), sql)
}

fn column(db: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// What is believed and what it rests on, to the last row, without what only history keeps.
fn picture(rig: &Rig) -> Vec<String> {
    let mut picture = Vec::new();
    for sql in [
        "SELECT json_array('claim', id, claim_key, entity_id, target_entity_id, state, polarity, round(confidence, 9),
           valid_from, valid_to, superseded_by_id, statement) FROM claims ORDER BY id",
        "SELECT json_array('evidence', e.id, claim_id, polarity, start_offset, end_offset, cluster_id, drift_status)
         FROM claim_evidence e LEFT JOIN memories m ON m.id = e.memory_id
         WHERE ifnull(m.status, 'active') = 'active' ORDER BY e.id",
        "SELECT json_array('edge', claim_id, source_entity_id, target_entity_id, round(confidence, 9), attributes,
           valid_from, valid_to) FROM entity_relationships WHERE is_active = 1 ORDER BY claim_id",
        "SELECT json_array('entity', id, name, canonical_name, entity_type, is_active, merged_into)
         FROM entities ORDER BY id",
        // Its own name is nobody's other name.
        "SELECT json_array('alias', a.id, a.entity_id, a.canonical_alias) FROM entity_aliases a
         JOIN entities e ON e.id = a.entity_id WHERE a.canonical_alias <> e.canonical_name ORDER BY a.id",
        "SELECT json_array('link', id, memory_id, entity_id, link_type, spans) FROM memory_entity_links ORDER BY id",
        "SELECT json_array('conflict', id, conflict_type) FROM conflicts WHERE status = 'open' ORDER BY id",
    ] {
        picture.extend(rows(rig, sql));
    }
    picture
}
