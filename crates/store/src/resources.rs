//! `workspace_resources` and their versions: what a space works with, as a tree of addresses.

mod search;

use crate::events::sha256_hex;
use crate::filter::Then;
use crate::fts::table::{self, Kind};
use crate::projections::{self, Projected};
use crate::rejected::{Checked, Said, Says, tell_map};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
pub(crate) use search::said_then;
pub use search::{search, search_at};
use serde_json::{Map, Value, json};
use um_model::work::{Resource, ResourceKind};
use um_model::{AgentId, EpochMs, EventId, ResourceId, SpaceId};

/// What a resource is set to.
#[derive(Debug)]
pub struct NewResource<'a> {
    /// Where it lies.
    pub space: &'a SpaceId,
    /// Who sets it.
    pub actor: &'a AgentId,
    /// Its address.
    pub uri: &'a str,
    /// The address of the one it lies under.
    pub parent_uri: Option<&'a str>,
    /// What it is called.
    pub title: &'a str,
    /// What it is.
    pub kind: ResourceKind,
    /// What it says.
    pub content: Option<&'a str>,
    /// The events it rests on; the one that setting it leaves, where there are none.
    pub source_event_ids: &'a [EventId],
    /// What else is kept with it.
    pub metadata: &'a Map<String, Value>,
}

impl Says for NewResource<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(self.uri));
        tell(Said::Path(self.uri));
        self.parent_uri.iter().for_each(|uri| tell(Said::Name(uri)));
        tell(Said::Name(self.title));
        self.content.iter().for_each(|content| tell(Said::Text(content)));
        tell_map(self.metadata, tell);
    }
}

/// What is told of a resource, without what it says.
const COLUMNS: &str =
    "r.id, r.space_id, r.uri, r.parent_uri, r.title, r.kind, r.content_hash, r.current_version, r.metadata,
    r.source_event_ids, r.actor_id, r.updated_at,
    (SELECT count(*) FROM workspace_resources k WHERE k.space_id = r.space_id AND k.parent_uri = r.uri
       AND k.status = 'active')";

fn resource(row: &Row<'_>) -> StoreResult<Resource> {
    let text = |at: usize| row.get::<_, String>(at);
    Ok(Resource {
        id: ResourceId::parse(text(0)?)?,
        space_id: SpaceId::parse(text(1)?)?,
        uri: text(2)?,
        parent_uri: row.get(3)?,
        title: text(4)?,
        kind: text(5)?.parse()?,
        content: None,
        content_hash: row.get(6)?,
        version: row.get(7)?,
        metadata: serde_json::from_str(&text(8)?)?,
        source_event_ids: serde_json::from_str(&text(9)?)?,
        actor_id: AgentId::parse(text(10)?)?,
        updated_at: row.get(11)?,
        children: row.get(12)?,
    })
}

/// A resource as it stands in the database.
#[derive(Debug)]
pub struct Stored {
    /// Its row's number.
    pub rid: i64,
    /// Whether it was not removed.
    pub is_active: bool,
    /// The resource, with what it says.
    pub resource: Resource,
}

fn one(connection: &Connection, condition: &str, params: impl rusqlite::Params) -> StoreResult<Option<Stored>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS}, r.rid, r.status = 'active', r.content FROM workspace_resources r
             WHERE {condition} AND r.is_redacted = 0"
        ))?
        .query_row(params, |row| {
            let content = row.get(15)?;
            let found = resource(row).map(|found| Resource { content, ..found });
            Ok((row.get(13)?, row.get(14)?, found))
        })
        .optional()?
        .map(|(rid, is_active, found)| Ok(Stored { rid, is_active, resource: found? }))
        .transpose()
}

/// The resource of that id, removed or not, unless it was blacked out.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &ResourceId) -> StoreResult<Option<Stored>> {
    one(connection, "r.id = ?1", [id.as_str()])
}

/// The resource at an address of a space, removed or not, unless it was blacked out.
///
/// # Errors
/// SQLite's.
pub fn by_uri(connection: &Connection, space: &SpaceId, uri: &str) -> StoreResult<Option<Stored>> {
    one(connection, "r.space_id = ?1 AND r.uri = ?2", [space.as_str(), uri])
}

/// The resource of that number, likewise.
///
/// # Errors
/// SQLite's.
pub fn by_rid(connection: &Connection, rid: i64) -> StoreResult<Option<Stored>> {
    one(connection, "r.rid = ?1", [rid])
}

/// The address that the one at an address lies under.
///
/// # Errors
/// SQLite's.
pub fn parent_of(connection: &Connection, space: &SpaceId, uri: &str) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT parent_uri FROM workspace_resources WHERE space_id = ?1 AND uri = ?2 AND status = 'active'",
        )?
        .query_row([space.as_str(), uri], |row| row.get(0))
        .optional()?
        .flatten())
}

/// How many levels lie under an address.
///
/// # Errors
/// SQLite's.
pub fn height(connection: &Connection, space: &SpaceId, uri: &str) -> StoreResult<usize> {
    Ok(connection
        .prepare_cached(&format!("{UNDER} SELECT max(depth) FROM under"))?
        .query_row([space.as_str(), uri], |row| row.get::<_, Option<usize>>(0))?
        .unwrap_or_default())
}

/// What lies at and under an address: the limit of depth holds even where rows say otherwise. Each step looks up what lies under the
/// last; joined the other way round it would read the whole space.
const UNDER: &str = "WITH RECURSIVE under(uri, depth) AS (
      VALUES (?2, 0)
      UNION SELECT r.uri, under.depth + 1 FROM under CROSS JOIN workspace_resources r
        ON r.space_id = ?1 AND r.parent_uri = under.uri AND r.status = 'active'
      WHERE under.depth < 64)";

/// A page of what lies directly under an address, or at the roots, by title; with their number in all.
///
/// # Errors
/// SQLite's.
pub fn children(
    connection: &Connection,
    space: &SpaceId,
    parent: Option<&str>,
    (offset, limit): (u32, u32),
) -> StoreResult<(Vec<Resource>, u64)> {
    let listed = "r.space_id = ?1 AND r.parent_uri IS ?2 AND r.status = 'active'";
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM workspace_resources r WHERE {listed}"))?
        .query_row(params![space.as_str(), parent], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM workspace_resources r WHERE r.rid IN
               (SELECT r.rid FROM workspace_resources r WHERE {listed} ORDER BY r.title, r.uri LIMIT ?3 OFFSET ?4)
             ORDER BY r.title, r.uri"
        ))?
        .query_and_then(params![space.as_str(), parent, limit, offset], resource)?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}

/// What lay under the address `?2` of the space `?1`, or at its roots, at a time `?3`, as it was known at a time `?4`: what did not
/// change since lies there, and what did lay where its version of then was put, unless it was removed. Where that was forgotten, it is
/// told at the roots. The plus before the id lets the index of events be used, whose values have no type.
fn lay() -> String {
    format!(
        "WITH lay(id, title, uri) AS (
      SELECT r.id, r.title, r.uri FROM workspace_resources r
        WHERE r.space_id = ?1 AND r.parent_uri IS ?2 AND +r.status = 'active' AND r.updated_at <= {EARLIER} AND r.is_redacted = 0
      UNION ALL {})",
        changed(
            "r.id, v.title, r.uri",
            "AND (SELECT e.metadata ->> '$.state.parent_uri' FROM evidence_events e
            WHERE e.kind = 'system_event' AND json_extract(e.metadata, '$.about') = +r.id AND +e.recorded_at = v.recorded_at
              AND e.is_redacted = 0 AND e.metadata ->> '$.state.version' = v.version_num) IS ?2"
        )
    )
}

/// What was there in the space `?1` at a time `?3`, as it was known at a time `?4`, and changed since: the resource, and as `v` its
/// version of then. Where that was forgotten, nothing is told: the one before it did not stand there any more.
fn changed(columns: &str, narrowed: &str) -> String {
    format!(
        "SELECT {columns} FROM workspace_resources r INDEXED BY idx_resources_recent
        CROSS JOIN workspace_resource_versions v ON v.resource_id = r.id AND v.version_num = (
          SELECT max(n.version_num) FROM workspace_resource_versions n
          WHERE n.resource_id = r.id AND n.valid_from <= ?3 AND n.recorded_at <= ?4) AND v.is_redacted = 0
        WHERE r.space_id = ?1 AND r.status IN ('active', 'deleted') AND r.updated_at > {EARLIER} AND r.is_redacted = 0
          {narrowed} AND {} IS NOT 'deleted'",
        state_at("+r.id", "v.recorded_at", EARLIER)
    )
}

/// The earlier one of the times `?3` and `?4`. A row itself, and what is told of its removal, have one time for both: that of the
/// change.
const EARLIER: &str = "min(?3, ?4)";

/// The times that are bound for another time than now: the end of time where one is not asked for.
fn moments(then: Then) -> [EpochMs; 2] {
    [then.as_of, then.known_at].map(|at| at.unwrap_or(EpochMs::MAX))
}

/// What the last event of a resource between two times set it to: to `deleted`, where it was removed. One that was forgotten tells nothing.
fn state_at(id: &str, from: &str, until: &str) -> String {
    format!(
        "(SELECT s.metadata ->> '$.state.status' FROM evidence_events s
            WHERE s.kind = 'system_event' AND json_extract(s.metadata, '$.about') = {id} AND s.metadata ->> '$.is' = 'resource'
              AND +s.recorded_at BETWEEN {from} AND {until} ORDER BY s.rid DESC LIMIT 1)"
    )
}

/// The condition that a resource that had a version at a time was not removed then.
pub(crate) fn was_there(resource: &str, at: &str) -> String {
    let since = format!(
        "(SELECT v.recorded_at FROM workspace_resource_versions v WHERE v.resource_id = {resource}.id AND v.valid_from <= {at}
            ORDER BY v.version_num DESC LIMIT 1)"
    );
    let state = state_at(&format!("+{resource}.id"), &since, at);
    format!(
        "CASE WHEN {resource}.updated_at <= {at} THEN {resource}.status = 'active' ELSE {state} IS NOT 'deleted' END"
    )
}

/// A page of what lay directly under an address, or at the roots, at a time, by title; with their number in all.
///
/// # Errors
/// SQLite's.
pub fn children_at(
    connection: &Connection,
    (space, parent): (&SpaceId, Option<&str>),
    then: Then,
    (offset, limit): (u32, u32),
) -> StoreResult<(Vec<ResourceId>, u64)> {
    let [at, known_at] = moments(then);
    let total = connection
        .prepare_cached(&format!("{} SELECT count(*) FROM lay", lay()))?
        .query_row(params![space.as_str(), parent, at, known_at], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&format!("{} SELECT id FROM lay ORDER BY title, uri LIMIT ?5 OFFSET ?6", lay()))?
        .query_and_then(params![space.as_str(), parent, at, known_at, limit, offset], |row| {
            Ok(ResourceId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}

/// What a version said. What stands in the event that setting it left alone is not known where that was forgotten.
#[derive(Debug)]
pub struct Version {
    /// Its number, from 1.
    pub number: u32,
    /// What it was called.
    pub title: String,
    /// What it said.
    pub content: Option<String>,
    /// The hash of that.
    pub content_hash: Option<String>,
    /// When it was put.
    pub recorded_at: EpochMs,
    /// What it was, where that is known.
    pub kind: Option<ResourceKind>,
    /// The address of the one that it lay under.
    pub parent_uri: Option<String>,
    /// What else was kept with it.
    pub metadata: Map<String, Value>,
    /// The events that it rested on.
    pub source_event_ids: Vec<EventId>,
}

/// The version of a resource that stood at another time than now; none where it was removed by then, or where that was forgotten.
///
/// # Errors
/// SQLite's.
pub fn version_at(connection: &Connection, id: &ResourceId, then: Then) -> StoreResult<Option<Version>> {
    let [at, known_at] = moments(then);
    let found = connection
        .prepare_cached(
            "SELECT * FROM (SELECT version_num, title, content, content_hash, recorded_at, is_redacted
               FROM workspace_resource_versions WHERE resource_id = ?1 AND valid_from <= ?2 AND recorded_at <= ?3
               ORDER BY version_num DESC LIMIT 1)
             WHERE is_redacted = 0",
        )?
        .query_row(params![id.as_str(), at, known_at], |row| {
            Ok(Version {
                number: row.get(0)?,
                title: row.get(1)?,
                content: row.get(2)?,
                content_hash: row.get(3)?,
                recorded_at: row.get(4)?,
                kind: None,
                parent_uri: None,
                metadata: Map::new(),
                source_event_ids: Vec::new(),
            })
        })
        .optional()?;
    let Some(version) = found else { return Ok(None) };
    let state: Option<String> = connection
        .prepare_cached(&format!("SELECT {}", state_at("?1", "?2", "?3")))?
        .query_row(params![id.as_str(), version.recorded_at, at.min(known_at)], |row| row.get(0))?;
    if state.as_deref() == Some("deleted") {
        return Ok(None);
    }
    let known = projections::set_to(connection, id.as_str(), &[version.recorded_at])?.remove(&version.number);
    let Some((event, mut state)) = known else { return Ok(Some(version)) };
    let mut of = |field: &str| state.remove(field).unwrap_or_default();
    let sources: Vec<EventId> = serde_json::from_value(of("source_event_ids")).unwrap_or_default();
    Ok(Some(Version {
        kind: serde_json::from_value(of("kind"))?,
        parent_uri: serde_json::from_value(of("parent_uri"))?,
        metadata: serde_json::from_value(of("metadata"))?,
        source_event_ids: if sources.is_empty() { vec![event] } else { sources },
        ..version
    }))
}

/// How many resources a space has.
///
/// # Errors
/// SQLite's.
pub fn count(connection: &Connection, space: &SpaceId) -> StoreResult<u64> {
    Ok(connection
        .prepare_cached("SELECT count(*) FROM workspace_resources WHERE space_id = ?1 AND status = 'active'")?
        .query_row([space.as_str()], |row| row.get(0))?)
}

/// Puts a resource at its address: a new one, or the next version of the one that is there. Gives its id.
///
/// # Errors
/// SQLite's.
pub fn put(
    connection: &Connection,
    new: &Checked<NewResource<'_>>,
    known: Option<&Stored>,
    now: EpochMs,
) -> StoreResult<ResourceId> {
    let id = known.map_or_else(|| new_id(now), |known| known.resource.id.to_string());
    let version = known.map_or(1, |known| known.resource.version + 1);
    let state = json!({ "uri": new.uri, "parent_uri": new.parent_uri, "title": new.title, "kind": new.kind,
        "content": new.content, "metadata": new.metadata, "source_event_ids": new.source_event_ids, "status": "active",
        "version": version });
    let says = format!("Resource {} was put at {}.", new.title, new.uri);
    let event = Projected { space: new.space, actor: new.actor, about: &id, is: "resource", says: &says, state };
    let event = projections::note(connection, &event, now)?;
    let own = [event];
    let sources = if new.source_event_ids.is_empty() { &own[..] } else { new.source_event_ids };
    let hash = new.content.map(sha256_hex);
    write_row(connection, new, known.is_none(), (&id, version), (hash.as_deref(), sources), now)?;
    connection
        .prepare_cached(
            "INSERT INTO workspace_resource_versions (id, space_id, resource_id, version_num, title, content, content_hash,
               valid_from, recorded_at, actor_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)",
        )?
        .execute(params![
            new_id(now),
            new.space.as_str(),
            id,
            version,
            new.title,
            new.content,
            hash,
            now,
            new.actor.as_str()
        ])?;
    let rid = connection
        .prepare_cached("SELECT rid FROM workspace_resources WHERE id = ?1")?
        .query_row([&id], |row| row.get(0))?;
    let at = (new.space, Kind::Resources);
    table::remove(connection, at, rid)?;
    table::put(connection, at, rid, &[new.title, new.uri, new.content.unwrap_or_default()], now)?;
    Ok(ResourceId::parse(id)?)
}

fn write_row(
    connection: &Connection,
    new: &NewResource<'_>,
    is_new: bool,
    (id, version): (&str, u32),
    (hash, sources): (Option<&str>, &[EventId]),
    now: EpochMs,
) -> StoreResult<()> {
    let sql = if is_new {
        "INSERT INTO workspace_resources (id, space_id, actor_id, uri, parent_uri, title, kind, content, content_hash,
           source_event_ids, metadata, current_version, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)"
    } else {
        "UPDATE workspace_resources SET parent_uri = ?5, title = ?6, kind = ?7, content = ?8, content_hash = ?9,
           source_event_ids = ?10, metadata = ?11, current_version = ?12, status = 'active', updated_at = ?13
         WHERE id = ?1 AND space_id = ?2 AND ?3 = ?3 AND uri = ?4"
    };
    connection.prepare_cached(sql)?.execute(params![
        id,
        new.space.as_str(),
        new.actor.as_str(),
        new.uri,
        new.parent_uri,
        new.title,
        new.kind.as_str(),
        new.content,
        hash,
        serde_json::to_string(sources)?,
        serde_json::to_string(new.metadata)?,
        version,
        now
    ])?;
    Ok(())
}

/// Takes a resource away with all that lies under it. Gives how many that were.
///
/// # Errors
/// SQLite's.
pub fn remove(connection: &Connection, resource: &Resource, actor: &AgentId, now: EpochMs) -> StoreResult<usize> {
    let space = &resource.space_id;
    let rows: Vec<(i64, String, String)> = connection
        .prepare_cached(&format!(
            "{UNDER} SELECT r.rid, r.id, r.uri FROM under CROSS JOIN workspace_resources r
               ON r.space_id = ?1 AND r.uri = under.uri WHERE r.status = 'active'"
        ))?
        .query_map([space.as_str(), &resource.uri], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let mut end = connection
        .prepare_cached("UPDATE workspace_resources SET status = 'deleted', updated_at = ?2 WHERE rid = ?1")?;
    for (rid, id, uri) in &rows {
        end.execute(params![rid, now])?;
        let (says, state) = (format!("Resource {uri} was removed."), json!({ "status": "deleted" }));
        projections::note(connection, &Projected { space, actor, about: id, is: "resource", says: &says, state }, now)?;
    }
    let rids: Vec<i64> = rows.iter().map(|(rid, ..)| *rid).collect();
    table::remove_all(connection, (space, Kind::Resources), &rids)?;
    Ok(rows.len())
}

#[cfg(test)]
#[test]
fn what_lay_there_is_looked_up() {
    let db = crate::migrate::migrated();
    let plan = crate::migrate::plan(&db, &format!("{} SELECT id FROM lay", lay()));
    assert!(!plan.contains("SCAN s") && !plan.contains("B-TREE"), "{plan}");
    let state = crate::migrate::plan(&db, &format!("SELECT {}", state_at("?1", "?2", "?3")));
    assert!(state.contains("idx_events_about (<expr>=?)") && !state.contains("B-TREE"), "{state}");
    for step in [
        "idx_resources_parent (space_id=? AND parent_uri=?)",
        "idx_resources_recent (space_id=? AND status=? AND updated_at>?)",
        "idx_events_about (<expr>=?)",
    ] {
        assert!(plan.contains(step), "{step}: {plan}");
    }
}
