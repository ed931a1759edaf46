//! Names of those who stay, where only what goes said them.

use super::Rows;
use super::telling::{Lost, Telling};
use super::words::{folded, says, text_at};
use crate::StoreResult;
use rusqlite::{Connection, params};
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
    for entity in staying(connection, rows)? {
        let mut names = names_of(connection, &entity)?;
        for name in &mut names {
            name.said_there = blacked.iter().any(|words| says(words, &folded(&name.name)));
        }
        listen(connection, &entity, rows, &mut names)?;
        let (lost, left): (Vec<Name>, Vec<Name>) =
            names.into_iter().partition(|name| name.said_there && !name.said_elsewhere);
        for name in lost {
            let in_json = serde_json::to_string(&name.name)?;
            // Whoever was merged into them was told by an id of their own before.
            if name.kind == "entities" {
                all_lost.entry(name.id.clone()).or_default().insert(in_json.clone());
            }
            all_lost.entry(entity.clone()).or_default().insert(in_json);
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

/// Those who are named in what goes, and stay.
fn staying(connection: &Connection, rows: &Rows) -> StoreResult<BTreeSet<String>> {
    Ok(touched(connection, rows)?.into_iter().filter(|id| !rows.has("entities", id)).collect())
}

/// Those who are named in what goes.
pub(super) fn touched(connection: &Connection, rows: &Rows) -> StoreResult<BTreeSet<String>> {
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

fn names_of(connection: &Connection, entity: &str) -> StoreResult<Vec<Name>> {
    let mut names = Vec::new();
    for (kind, sql) in [
        ("entities", "SELECT id, name FROM entities WHERE (id = ?1 OR merged_into = ?1) AND is_redacted = 0"),
        ("entity_aliases", "SELECT id, alias FROM entity_aliases WHERE entity_id = ?1 AND is_redacted = 0"),
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let mut found = statement.query([entity])?;
        while let Some(row) = found.next()? {
            let (id, name) = (row.get(0)?, row.get(1)?);
            names.push(Name { kind, id, name, said_there: false, said_elsewhere: false });
        }
    }
    Ok(names)
}

/// Reads what names an entity, what goes and what stays, and marks which names are said where.
fn listen(connection: &Connection, entity: &str, rows: &Rows, names: &mut [Name]) -> StoreResult<()> {
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
         WHERE l.entity_id = ?1",
    )?;
    let mut found = statement.query([entity])?;
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
         WHERE c.entity_id = ?1 AND e.is_redacted = 0
         UNION SELECT e.id, e.extracted_text FROM claims c JOIN claim_evidence e ON e.claim_id = c.id
         WHERE c.target_entity_id = ?1 AND e.is_redacted = 0",
    )?;
    let mut found = statement.query(params![entity])?;
    while let Some(row) = found.next()? {
        if !mark(rows.has("claim_evidence", &row.get::<_, String>(0)?), text_at(row, 1)?.unwrap_or_default()) {
            return Ok(());
        }
    }
    Ok(())
}
