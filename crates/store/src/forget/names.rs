//! Names of those who stay, where only what goes said them.

use super::Rows;
use super::roots::FAMILY;
use super::telling::{Lost, Telling};
use super::words::{folded, says, text_at};
use crate::StoreResult;
use rusqlite::Connection;
use std::collections::BTreeSet;
use um_model::EntityId;

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
    said_there: bool,
    said_elsewhere: bool,
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
    let mut losing = Vec::new();
    for entity in staying(connection, rows)? {
        let family = family(connection, &entity)?;
        let mut names = names_of(connection, &family)?;
        for name in &mut names {
            name.said_there = blacked.iter().any(|words| says(words, &folded(&name.name)));
        }
        listen(connection, &family, rows, &mut names)?;
        let (lost, left): (Vec<Name>, Vec<Name>) =
            names.into_iter().partition(|name| name.said_there && !name.said_elsewhere);
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
            names.push(Name { kind, id, name, said_there: false, said_elsewhere: false });
        }
    }
    Ok(names)
}

/// Reads what names an entity or one that went into it, what goes and what stays, and marks which names are said where.
fn listen(connection: &Connection, family: &[String], rows: &Rows, names: &mut [Name]) -> StoreResult<()> {
    let ids = serde_json::to_string(family)?;
    let words: Vec<String> = names.iter().map(|name| folded(&name.name)).collect();
    // Gives whether there is anything left to learn: a name that is said elsewhere stays.
    let mut mark = |goes: bool, text: &str| {
        let text = folded(text);
        for (name, words) in names.iter_mut().zip(&words) {
            if says(&text, words) {
                *(if goes { &mut name.said_there } else { &mut name.said_elsewhere }) = true;
            }
        }
        names.iter().any(|name| !name.said_elsewhere)
    };
    let mut statement = connection.prepare_cached(
        "SELECT l.id, m.content, m.title, v.text, v.id FROM memory_entity_links l JOIN memories m ON m.id = l.memory_id
         LEFT JOIN derived_text_views v ON v.artifact_id = m.primary_artifact_id AND v.is_redacted = 0
         WHERE l.entity_id IN (SELECT value FROM json_each(?1))",
    )?;
    let mut found = statement.query([&ids])?;
    while let Some(row) = found.next()? {
        let link: String = row.get(0)?;
        let view: Option<String> = row.get(4)?;
        let goes =
            rows.has("memory_entity_links", &link) || view.is_some_and(|view| rows.has("derived_text_views", &view));
        for at in 1..=3 {
            if let Some(text) = text_at(row, at)?
                && !mark(goes, text)
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
        if !mark(rows.has("claim_evidence", &row.get::<_, String>(0)?), text_at(row, 1)?.unwrap_or_default()) {
            return Ok(());
        }
    }
    Ok(())
}
