//! From some rows to all that derives from them.

use super::cascade::{BARE_COPIES, KINDS, LEADS, Lead, NAMERS, RESTS};
use super::words::text_at;
use super::{Rows, passed, table_of};
use crate::StoreResult;
use rusqlite::{Connection, named_params};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// All rows that derive from these, with these; without those that have nothing to lose any more.
///
/// # Errors
/// SQLite's.
pub fn closure(connection: &Connection, roots: &Rows) -> StoreResult<Rows> {
    follow(connection, roots, |_| true, Some(None))
}

/// All rows of some memories and files themselves: like [`closure`], and no step leads to another memory or file.
///
/// # Errors
/// SQLite's.
pub fn belonging(connection: &Connection, roots: &Rows) -> StoreResult<Rows> {
    follow(connection, roots, |lead| !["memories", "artifacts"].contains(&lead.to), None)
}

/// What a closure found, and what there was to be found at that moment: to follow a part of it later without reading
/// whole tables.
#[derive(Debug, Clone)]
pub struct Seen {
    all: Rows,
    /// The last row of each of [`NAMERS`].
    last: Vec<i64>,
}

impl Seen {
    /// As of this moment, that of the closure.
    ///
    /// # Errors
    /// SQLite's.
    pub fn new(connection: &Connection, all: Rows) -> StoreResult<Self> {
        let last = |(table, _): &(&str, _)| {
            Ok(connection.query_row(&format!("SELECT ifnull(max(rid), 0) FROM {table}"), [], |row| row.get(0))?)
        };
        Ok(Self { all, last: NAMERS.iter().map(last).collect::<StoreResult<_>>()? })
    }

    /// What it found.
    pub fn all(&self) -> &Rows {
        &self.all
    }

    /// The last row of one of [`NAMERS`] at that moment.
    pub(super) fn last_of(&self, table: &str) -> i64 {
        let at = NAMERS.iter().position(|(name, _)| *name == table);
        at.map_or(0, |at| self.last[at])
    }
}

/// The closure of some of the roots of an earlier one: what names rows is looked for among what that found and what came
/// since. What was there and was changed since is left to [`still_naming`].
///
/// # Errors
/// SQLite's.
pub fn closure_within(connection: &Connection, roots: &Rows, seen: &Seen) -> StoreResult<Rows> {
    follow(connection, roots, |_| true, Some(Some(seen)))
}

/// The rows that name some of those by their ids and have something to lose.
///
/// # Errors
/// SQLite's.
pub fn still_naming(connection: &Connection, rows: &Rows) -> StoreResult<Rows> {
    let named = passed::gone(rows).collect();
    let mut found = Rows::default();
    for at in 0..NAMERS.len() {
        found.extend(naming(connection, at, &named, Looking::Late)?);
    }
    Ok(found)
}

/// `others`: whether rows that name others and copies are followed, and among which.
fn follow(
    connection: &Connection,
    roots: &Rows,
    leads: impl Fn(&Lead) -> bool,
    others: Option<Option<&Seen>>,
) -> StoreResult<Rows> {
    let mut all = Rows::default();
    let mut fresh = Front::default();
    let mut named: HashSet<String> = HashSet::new();
    fresh.take(&mut all, live(connection, roots)?);
    loop {
        while let Some((kind, new)) = fresh.next() {
            for lead in LEADS.iter().filter(|lead| lead.from == kind && leads(lead)) {
                fresh.take(&mut all, led(connection, lead, &new)?);
            }
        }
        for rests in RESTS {
            let [a, b] = rests.on.map(|kind| all.json(kind));
            let found = ids(connection, rests.sql, named_params! { ":a": a, ":b": b })?;
            fresh.take(&mut all, live(connection, &of_kind(rests.kind, found))?);
        }
        let (true, Some(seen)) = (fresh.is_empty(), others) else {
            if fresh.is_empty() {
                return Ok(all);
            }
            continue;
        };
        // Whole tables are read for this: once all else is followed, and for what was not looked for before.
        let new: Vec<String> = passed::gone(&all).filter(|id| !named.contains(*id)).map(str::to_owned).collect();
        if new.is_empty() {
            if seen.is_none() {
                let whole = passed::spelling(connection, &all)?;
                fresh.take(&mut all, whole);
            }
            if fresh.is_empty() {
                return Ok(passed::settled(all));
            }
            continue;
        }
        let mut found = copies(connection, roots, &all)?;
        let ids: HashSet<&str> = new.iter().map(String::as_str).collect();
        for at in 0..NAMERS.len() {
            found.extend(naming(connection, at, &ids, seen.map_or(Looking::Everywhere, Looking::Within))?);
        }
        drop(ids);
        named.extend(new);
        fresh.take(&mut all, found);
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

/// Where rows that name others are looked for.
#[derive(Clone, Copy)]
enum Looking<'a> {
    /// In whole tables.
    Everywhere,
    /// Among what an earlier closure found, which told how each goes, and what came since.
    Within(&'a Seen),
    /// In whole tables, once what they name is gone.
    Late,
}

/// The rows of one of [`NAMERS`] that name one of those by its id.
fn naming(connection: &Connection, at: usize, named: &HashSet<&str>, looking: Looking<'_>) -> StoreResult<Rows> {
    let (table, columns) = NAMERS[at];
    let only = KINDS.iter().find(|kind| kind.name == table).map_or("1", |kind| kind.only);
    let (among, seen) = match looking {
        Looking::Within(seen) => {
            let others = seen.all.of(passed::PASSED).filter(|_| table == passed::TRACES);
            let known = serde_json::Value::from_iter(seen.all.of(table).chain(others)).to_string();
            ("(id IN (SELECT value FROM json_each(?1)) OR rid > ?2)", Some((known, seen.last[at])))
        }
        Looking::Everywhere | Looking::Late => ("?1 IS NULL AND ?2 IS NULL", None),
    };
    let is_passed_over = |id: &str, trace: &str| match looking {
        _ if table != passed::TRACES => Ok(false),
        Looking::Everywhere => passed::is_passed_over(trace, |id| named.contains(id)),
        Looking::Within(seen) => Ok(seen.all.has(passed::PASSED, id)),
        // It came, or came to tell more, while what it names went.
        Looking::Late => Ok(false),
    };
    let sql = format!("SELECT id, {} FROM {table} WHERE ({only}) AND {among}", columns.join(", "));
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(seen.map_or((None, None), |(known, last)| (Some(known), Some(last))))?;
    let mut found = Rows::default();
    while let Some(row) = rows.next()? {
        for at in 1..=columns.len() {
            let text = text_at(row, at)?.filter(|text| uuids(text).any(|id| named.contains(id)));
            if let Some(text) = text {
                let id: String = row.get(0)?;
                found.add(if is_passed_over(&id, text)? { passed::PASSED } else { table }, id);
                break;
            }
        }
    }
    Ok(found)
}

/// What stands in a text between its quotation marks and commas and could be an id.
pub(super) fn uuids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_hexdigit() && c != '-').filter(|word| word.len() == 36)
}

/// The copies that promotions made of some rows: `promotion_requests.lineage` has each id with that of its copy, by table. Texts
/// and files go with what they were made of, claims and entities where these were named themselves, or where nothing else
/// carries the copy.
fn copies(connection: &Connection, roots: &Rows, all: &Rows) -> StoreResult<Rows> {
    type Lineage = BTreeMap<String, BTreeMap<String, String>>;
    let mut statement = connection.prepare_cached("SELECT lineage FROM promotion_requests WHERE lineage <> '{}'")?;
    let lineages: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if lineages.is_empty() {
        return Ok(Rows::default());
    }
    let (mut found, mut bare) = (Rows::default(), Rows::default());
    for lineage in lineages {
        for (table, made) in serde_json::from_str::<Lineage>(&lineage)? {
            let goes: BTreeSet<&str> = all.of(&table).collect();
            let named: BTreeSet<&str> = roots.of(&table).collect();
            let rests = BARE_COPIES.iter().any(|(kind, _)| *kind == table);
            for (source, copy) in made.into_iter().filter(|(source, _)| goes.contains(source.as_str())) {
                let into = if rests && !named.contains(source.as_str()) { &mut bare } else { &mut found };
                into.add(&table, copy);
            }
        }
    }
    let json = |kind: &str| all.json(kind);
    for (kind, sql) in BARE_COPIES.iter().filter(|(kind, _)| bare.of(kind).next().is_some()) {
        let params = named_params! { ":copies": bare.json(kind), ":evidence": json("claim_evidence"),
        ":links": json("memory_entity_links"), ":claims": json("claims") };
        for id in ids(connection, sql, params)? {
            found.add(kind, id);
        }
    }
    live(connection, &found)
}
