//! From some rows to all that derives from them.

use super::cascade::{KINDS, LEADS, Lead, NAMERS, RESTS};
use super::words::text_at;
use super::{Rows, table_of};
use crate::StoreResult;
use rusqlite::{Connection, named_params};
use std::collections::{BTreeSet, VecDeque};

/// All rows that derive from these, with these; without those that have nothing to lose any more.
///
/// # Errors
/// SQLite's.
pub fn closure(connection: &Connection, roots: &Rows) -> StoreResult<Rows> {
    let mut all = Rows::default();
    let mut fresh = Front::default();
    fresh.take(&mut all, live(connection, roots)?);
    loop {
        while let Some((kind, new)) = fresh.next() {
            for lead in LEADS.iter().filter(|lead| lead.from == kind) {
                fresh.take(&mut all, led(connection, lead, &new)?);
            }
        }
        for rests in RESTS {
            let [a, b] = rests.on.map(|kind| all.json(kind));
            let found = ids(connection, rests.sql, named_params! { ":a": a, ":b": b })?;
            fresh.take(&mut all, live(connection, &of_kind(rests.kind, found))?);
        }
        for (table, columns) in NAMERS {
            let found = naming(connection, table, columns, &all)?;
            fresh.take(&mut all, live(connection, &of_kind(table, found))?);
        }
        let copies = copies(connection, &all)?;
        fresh.take(&mut all, copies);
        if fresh.is_empty() {
            return Ok(all);
        }
    }
}

/// Rows that were found and whose own leads are still to be followed.
#[derive(Default)]
struct Front(VecDeque<(String, Vec<String>)>);

impl Front {
    fn take(&mut self, all: &mut Rows, found: Rows) {
        for (kind, ids) in found.0 {
            let new: Vec<String> = ids.into_iter().filter(|id| all.add(&kind, id.as_str())).collect();
            if !new.is_empty() {
                self.0.push_back((kind, new));
            }
        }
    }

    /// The next kind, with its new rows' ids as a JSON array.
    fn next(&mut self) -> Option<(String, String)> {
        let (kind, new) = self.0.pop_front()?;
        Some((kind, serde_json::Value::from(new).to_string()))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn of_kind(kind: &str, ids: Vec<String>) -> Rows {
    Rows([(kind.to_owned(), ids.into_iter().collect::<BTreeSet<_>>())].into())
}

fn ids(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> StoreResult<Vec<String>> {
    Ok(connection.prepare_cached(sql)?.query_map(params, |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The rows with something to lose that a lead leads to from those.
fn led(connection: &Connection, lead: &Lead, new: &str) -> StoreResult<Rows> {
    let (id, only) = KINDS.iter().find(|kind| kind.name == lead.to).map_or(("id", "1"), |kind| (kind.id, kind.only));
    let sql = format!("SELECT t.{id} FROM {} t WHERE ({}) AND ({only})", lead.to, lead.condition);
    Ok(of_kind(lead.to, ids(connection, &sql, named_params! { ":new": new })?))
}

/// Those of some rows that are there and have something to lose.
fn live(connection: &Connection, rows: &Rows) -> StoreResult<Rows> {
    let mut live = Rows::default();
    for kind in KINDS {
        if rows.of(kind.name).next().is_none() {
            continue;
        }
        let sql = format!(
            "SELECT {id} FROM {table} WHERE {id} IN (SELECT value FROM json_each(:ids)) AND ({only})",
            id = kind.id,
            table = table_of(kind.name),
            only = kind.only
        );
        for id in ids(connection, &sql, named_params! { ":ids": rows.json(kind.name) })? {
            live.add(kind.name, id);
        }
    }
    Ok(live)
}

/// The rows of a table that name one of those by its id.
fn naming(connection: &Connection, table: &str, columns: &[&str], all: &Rows) -> StoreResult<Vec<String>> {
    let named: BTreeSet<&str> = all.iter().map(|(_, id)| id).collect();
    let only = KINDS.iter().find(|kind| kind.name == table).map_or("1", |kind| kind.only);
    let mut statement =
        connection.prepare_cached(&format!("SELECT id, {} FROM {table} WHERE {only}", columns.join(", ")))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        for at in 1..=columns.len() {
            if text_at(row, at)?.is_some_and(|text| uuids(text).any(|id| named.contains(id))) {
                found.push(row.get(0)?);
                break;
            }
        }
    }
    Ok(found)
}

/// What stands in a text between its quotation marks and commas and could be an id.
fn uuids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_hexdigit() && c != '-').filter(|word| word.len() == 36)
}

/// The copies that promotions made of some rows: `promotion_requests.lineage` has each id with that of its copy.
fn copies(connection: &Connection, all: &Rows) -> StoreResult<Rows> {
    let mut statement = connection.prepare_cached("SELECT lineage FROM promotion_requests WHERE lineage <> '{}'")?;
    let lineages: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if lineages.is_empty() {
        return Ok(Rows::default());
    }
    let named: BTreeSet<&str> = all.iter().map(|(_, id)| id).collect();
    let mut made = BTreeSet::new();
    for lineage in lineages {
        let mut open = vec![serde_json::from_str::<serde_json::Value>(&lineage)?];
        while let Some(value) = open.pop() {
            let serde_json::Value::Object(entries) = value else { continue };
            for (source, copy) in entries {
                match copy {
                    serde_json::Value::String(copy) if named.contains(source.as_str()) => drop(made.insert(copy)),
                    other => open.push(other),
                }
            }
        }
    }
    let mut found = Rows::default();
    for kind in
        ["memories", "artifacts", "claims", "entities", "derived_text_views", "claim_evidence", "entity_aliases"]
    {
        for id in &made {
            found.add(kind, id.as_str());
        }
    }
    live(connection, &found)
}
