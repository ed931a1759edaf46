//! Names of those who stay, where only what goes said them.

use super::Rows;
use super::roots::FAMILY;
use super::telling::{Lost, Telling};
use super::words::{Heard, folded, text_at};
use crate::StoreResult;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use um_model::EntityId;

/// So many bytes of folded texts are kept while names are looked for in them.
const FOLDED: usize = 64 << 20;

/// Somebody who stays and whose name only what goes said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// Who.
    pub entity: EntityId,
    /// What they are called from now on: the longest of their names that is left, where one is.
    pub to: Option<String>,
}

/// A name of somebody who stays, and where it is kept.
struct Name {
    kind: &'static str,
    id: String,
    name: String,
    /// In what goes.
    there: Saying,
    /// In what stays.
    elsewhere: Saying,
}

/// How texts say a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Saying {
    #[default]
    Not,
    /// In another spelling, which search takes for the same.
    Alike,
    /// As it is written.
    Written,
}

impl Saying {
    /// How a text says a folded name.
    fn of(text: &Heard, name: &str) -> Self {
        match text.says_as_written(name) {
            true => Self::Written,
            false if text.says(name) => Self::Alike,
            false => Self::Not,
        }
    }
}

impl Name {
    /// Whether only what goes says it: in this spelling, or in any.
    fn is_lost(&self) -> bool {
        self.there > self.elsewhere
    }
}

/// Somebody who stays and loses a name.
struct Losing {
    entity: String,
    /// Their id with those of all who were merged into them: by any of them they were told at some time.
    family: Vec<String>,
    lost: Vec<Name>,
    left: Vec<Name>,
}

/// The names of those who stay that only the rows which go say: names of their own row's kind are added to `rows`, and the traces that tell
/// them with all that says their questions again; whoever loses the name that they are shown by is told with another one. `blacked` are
/// folded words that were taken out of texts which stay; `telling` is of before anything went.
///
/// # Errors
/// SQLite's.
pub fn only_said_there(
    connection: &Connection,
    rows: &mut Rows,
    blacked: &[String],
    telling: &Telling,
) -> StoreResult<Vec<Renamed>> {
    let (mut renamed, mut all_lost) = (Vec::new(), Lost::new());
    for Losing { entity, family, lost, left } in losing(connection, rows, blacked)? {
        for name in lost {
            let in_json = serde_json::to_string(&name.name)?;
            for id in &family {
                all_lost.entry(id.clone()).or_default().insert(in_json.clone());
            }
            if name.id == entity {
                let to = left.iter().max_by_key(|name| name.name.chars().count());
                let to = to.map(|name| name.name.clone());
                renamed.push(Renamed { entity: EntityId::parse(entity.clone())?, to });
            } else {
                rows.add(name.kind, name.id);
            }
        }
    }
    rows.extend(telling.rows(connection, &all_lost)?);
    Ok(renamed)
}

/// The ids by which those are told who lose a name with these rows and those words.
pub(super) fn who_lose(connection: &Connection, rows: &Rows, blacked: &[String]) -> StoreResult<BTreeSet<String>> {
    Ok(losing(connection, rows, blacked)?.into_iter().flat_map(|one| one.family).collect())
}

fn losing(connection: &Connection, rows: &Rows, blacked: &[String]) -> StoreResult<Vec<Losing>> {
    let (mut losing, mut folds) = (Vec::new(), Folds::new(FOLDED));
    let blacked: Vec<Heard> = blacked.iter().map(|words| Heard::new(words)).collect();
    for entity in staying(connection, rows)? {
        let family = family(connection, &entity)?;
        let mut names = names_of(connection, &family)?;
        for name in &mut names {
            let words = folded(&name.name);
            name.there = blacked.iter().map(|text| Saying::of(text, &words)).max().unwrap_or_default();
        }
        listen(connection, &family, rows, (&mut names[..], &mut folds))?;
        let (lost, left): (Vec<Name>, Vec<Name>) = names.into_iter().partition(Name::is_lost);
        if !lost.is_empty() {
            losing.push(Losing { entity, family, lost, left });
        }
    }
    Ok(losing)
}

/// Those who are named in what goes, and stay. What names one who was merged names whom they are part of now.
fn staying(connection: &Connection, rows: &Rows) -> StoreResult<BTreeSet<String>> {
    let standing: BTreeSet<String> = connection
        .prepare_cached(
            "WITH RECURSIVE way(id) AS (SELECT value FROM json_each(?1) UNION
               SELECT e.merged_into FROM way JOIN entities e ON e.id = way.id WHERE e.merged_into IS NOT NULL)
             SELECT way.id FROM way CROSS JOIN entities e ON e.id = way.id WHERE e.merged_into IS NULL",
        )?
        .query_map([serde_json::to_string(&touched(connection, rows)?)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(standing.into_iter().filter(|id| !rows.has("entities", id)).collect())
}

/// Those who are named in what goes.
fn touched(connection: &Connection, rows: &Rows) -> StoreResult<BTreeSet<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT l.entity_id FROM json_each(?1) gone JOIN memory_entity_links l ON l.id = gone.value
             UNION SELECT c.entity_id FROM json_each(?2) gone JOIN claims c ON c.id = gone.value
             UNION SELECT c.target_entity_id FROM json_each(?2) gone JOIN claims c ON c.id = gone.value
               WHERE c.target_entity_id IS NOT NULL
             UNION SELECT c.entity_id FROM json_each(?3) gone JOIN claim_evidence e ON e.id = gone.value
               JOIN claims c ON c.id = e.claim_id",
        )?
        .query_map([rows.json("memory_entity_links"), rows.json("claims"), rows.json("claim_evidence")], |row| {
            row.get(0)
        })?
        .collect::<Result<_, _>>()?)
}

/// The id of an entity, with those of all that went into it, through others as well.
fn family(connection: &Connection, entity: &str) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(&format!("{FAMILY} SELECT id FROM family"))?
        .query_map([entity], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

fn names_of(connection: &Connection, family: &[String]) -> StoreResult<Vec<Name>> {
    let (mut names, ids) = (Vec::new(), serde_json::to_string(family)?);
    for (kind, sql) in [
        ("entities", "SELECT id, name FROM entities WHERE id IN (SELECT value FROM json_each(?1)) AND is_redacted = 0"),
        (
            "entity_aliases",
            "SELECT id, alias FROM entity_aliases WHERE entity_id IN (SELECT value FROM json_each(?1)) AND is_redacted = 0",
        ),
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let mut found = statement.query([&ids])?;
        while let Some(row) = found.next()? {
            let (id, name) = (row.get(0)?, row.get(1)?);
            names.push(Name { kind, id, name, there: Saying::Not, elsewhere: Saying::Not });
        }
    }
    Ok(names)
}

/// Reads what names an entity or one that went into it, what goes and what stays, and marks which names are said where.
fn listen(
    connection: &Connection,
    family: &[String],
    rows: &Rows,
    (names, folds): (&mut [Name], &mut Folds),
) -> StoreResult<()> {
    let ids = serde_json::to_string(family)?;
    let words: Vec<String> = names.iter().map(|name| folded(&name.name)).collect();
    // Gives whether there is anything left to learn: a name that is said elsewhere as it is written stays.
    let mut mark = |goes: bool, text: &Heard| {
        for (name, words) in names.iter_mut().zip(&words) {
            let said = if goes { &mut name.there } else { &mut name.elsewhere };
            if *said < Saying::Written {
                *said = Saying::of(text, words).max(*said);
            }
        }
        names.iter().any(|name| name.elsewhere < Saying::Written)
    };
    let mut statement = connection.prepare_cached(
        "SELECT l.id, v.id, m.id, m.title, m.content, v.text FROM memory_entity_links l JOIN memories m ON m.id = l.memory_id
         LEFT JOIN derived_text_views v ON v.artifact_id = m.primary_artifact_id AND v.is_redacted = 0
         WHERE l.entity_id IN (SELECT value FROM json_each(?1))",
    )?;
    let mut found = statement.query([&ids])?;
    while let Some(row) = found.next()? {
        let link: String = row.get(0)?;
        let (view, memory): (Option<String>, String) = (row.get(1)?, row.get(2)?);
        let goes = rows.has("memory_entity_links", &link)
            || view.as_ref().is_some_and(|view| rows.has("derived_text_views", view));
        if let Some(title) = text_at(row, 3)?
            && !mark(goes, &Heard::new(title))
        {
            return Ok(());
        }
        for (id, at) in [(Some(memory), 4), (view, 5)] {
            if let Some(id) = id
                && let Some(text) = folds.of(&id, || text_at(row, at))?
                && !mark(goes, &text)
            {
                return Ok(());
            }
        }
    }
    let mut statement = connection.prepare_cached(
        "SELECT e.id, e.extracted_text FROM claims c JOIN claim_evidence e ON e.claim_id = c.id
         WHERE c.entity_id IN (SELECT value FROM json_each(?1)) AND e.is_redacted = 0
         UNION SELECT e.id, e.extracted_text FROM claims c JOIN claim_evidence e ON e.claim_id = c.id
         WHERE c.target_entity_id IN (SELECT value FROM json_each(?1)) AND e.is_redacted = 0",
    )?;
    let mut found = statement.query([&ids])?;
    while let Some(row) = found.next()? {
        let quote = Heard::new(text_at(row, 1)?.unwrap_or_default());
        if !mark(rows.has("claim_evidence", &row.get::<_, String>(0)?), &quote) {
            return Ok(());
        }
    }
    Ok(())
}

/// Long texts as they were folded: a mailbox names many, and is read and folded once for all of them.
struct Folds {
    /// So many bytes are kept; of longer texts one.
    most: usize,
    kept: BTreeMap<String, Rc<Heard>>,
    /// Of all that is kept, in bytes.
    size: usize,
}

impl Folds {
    /// Texts from so many bytes on are kept.
    const LONG: usize = 16 << 10;

    fn new(most: usize) -> Self {
        Self { most, kept: BTreeMap::new(), size: 0 }
    }

    /// The folded text of a row, which is read where it is not kept.
    fn of<'a>(
        &mut self,
        id: &str,
        read: impl FnOnce() -> StoreResult<Option<&'a str>>,
    ) -> StoreResult<Option<Rc<Heard>>> {
        if let Some(kept) = self.kept.get(id) {
            return Ok(Some(kept.clone()));
        }
        let Some(text) = read()? else { return Ok(None) };
        let text = Rc::new(Heard::new(text));
        if text.size() >= Self::LONG {
            if self.size + text.size() > self.most {
                *self = Self::new(self.most);
            }
            self.size += text.size();
            self.kept.insert(id.to_owned(), text.clone());
        }
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_read_once_and_no_more_is_kept_than_a_few() {
        let mut folds = Folds::new(50_000);
        let mut reads = |id: &str, length: usize, expected: bool| {
            let (text, mut read) = ("Ana ".repeat(length / 4), false);
            let found = folds.of(id, || {
                read = true;
                Ok(Some(text.as_str()))
            });
            assert!(found.unwrap().unwrap().says("ana ana"), "{id}");
            assert_eq!(read, expected, "{id}");
        };
        for (id, length, expected) in [
            ("short", 400, true),
            ("short", 400, true),
            ("long", 20_000, true),
            ("long", 20_000, false),
            ("other", 20_000, true),
            ("long", 20_000, false),
            ("longest", 80_000, true),
            ("longest", 80_000, false),
            ("long", 20_000, true),
        ] {
            reads(id, length, expected);
        }
        assert!(folds.of("none", || Ok(None)).unwrap().is_none());
    }
}
