//! `saved_searches`: questions that a person keeps, to ask them again.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::recall::MemoryRecall;
use um_model::traces::SavedSearch;
use um_model::{AgentId, EpochMs, SearchId, SpaceId};

/// A question that is to be kept.
#[derive(Debug)]
pub struct NewSearch<'a> {
    /// The space that it is asked in; the global one where it is asked everywhere.
    pub space: &'a SpaceId,
    /// Whose it is.
    pub actor: &'a AgentId,
    /// What it is called.
    pub name: &'a str,
    /// The question with its filters; a space that it names, by its id.
    pub recall: &'a MemoryRecall,
}

impl Says for NewSearch<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(self.name));
        let MemoryRecall { query, from, tags, phrases, without, .. } = self.recall;
        tell(Said::Text(query));
        [from, tags, phrases, without].into_iter().flatten().for_each(|words| tell(Said::Text(words)));
    }
}

/// Keeps a question; one of that name in that space is replaced.
///
/// # Errors
/// SQLite's.
pub fn save(connection: &Connection, new: &Checked<NewSearch<'_>>, now: EpochMs) -> StoreResult<SavedSearch> {
    let (space, actor) = (new.space.as_str(), new.actor.as_str());
    let filters = serde_json::to_string(new.recall)?;
    let sql = "UPDATE saved_searches SET query = ?4, filters = ?5, updated_at = ?6
               WHERE space_id = ?1 AND actor_id = ?2 AND name = ?3";
    let changed =
        connection.prepare_cached(sql)?.execute(params![space, actor, new.name, new.recall.query, filters, now])?;
    if changed == 0 {
        let sql = "INSERT INTO saved_searches (id, space_id, actor_id, name, query, filters, created_at, updated_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)";
        let values = params![new_id(now), space, actor, new.name, new.recall.query, filters, now];
        connection.prepare_cached(sql)?.execute(values)?;
    }
    connection
        .prepare_cached(&format!("{SELECT} WHERE q.space_id = ?1 AND q.actor_id = ?2 AND q.name = ?3"))?
        .query_row([space, actor, new.name], |row| Ok(search(row)))?
}

const SELECT: &str = "SELECT q.id, q.name, q.filters, q.created_at, s.name, s.status = 'archived'
    FROM saved_searches q JOIN memory_spaces s ON s.id = q.space_id";

fn search(row: &Row<'_>) -> StoreResult<SavedSearch> {
    let recall: MemoryRecall = serde_json::from_str(&row.get::<_, String>(2)?)?;
    let (space_name, archived) = match recall.space {
        Some(_) => (row.get(4)?, row.get(5)?),
        None => (None, false),
    };
    Ok(SavedSearch {
        id: SearchId::parse(row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        recall,
        space_name,
        archived,
        created_at: row.get(3)?,
    })
}

/// An actor's questions in some spaces, by name.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, spaces: &[SpaceId], actor: &AgentId) -> StoreResult<Vec<SavedSearch>> {
    connection
        .prepare_cached(&format!(
            "{SELECT} WHERE q.space_id IN (SELECT value FROM json_each(?1)) AND q.actor_id = ?2 ORDER BY q.name COLLATE NOCASE, q.id"
        ))?
        .query_and_then(params![crate::filter::ids(spaces)?, actor.as_str()], search)?
        .collect()
}

/// The space of an actor's question.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, id: &SearchId, actor: &AgentId) -> StoreResult<Option<SpaceId>> {
    let space: Option<String> = connection
        .prepare_cached("SELECT space_id FROM saved_searches WHERE id = ?1 AND actor_id = ?2")?
        .query_row([id.as_str(), actor.as_str()], |row| row.get(0))
        .optional()?;
    Ok(space.map(SpaceId::parse).transpose()?)
}

/// Drops a question.
///
/// # Errors
/// SQLite's.
pub fn remove(connection: &Connection, id: &SearchId) -> StoreResult<()> {
    connection.prepare_cached("DELETE FROM saved_searches WHERE id = ?1")?.execute([id.as_str()])?;
    Ok(())
}
