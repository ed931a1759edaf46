//! Statements that are put together by what is asked for, and the tags that they ask for.

use crate::StoreResult;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use um_model::SpaceId;

/// What bears a tag is counted up to here.
pub(super) const COUNTED: usize = 10_000;

/// Which tags are asked for, by their ids.
#[derive(Debug, Clone, Default)]
pub struct Tags {
    /// One of these at least, where there are any.
    pub include: Option<Vec<String>>,
    /// Of each of these lists one.
    pub require: Vec<Vec<String>>,
    /// None of these.
    pub exclude: Vec<String>,
}

impl Tags {
    /// Whether only what has some of them is asked for.
    pub fn narrows(&self) -> bool {
        self.include.is_some() || !self.require.is_empty()
    }

    /// Whether everything fits.
    pub fn is_open(&self) -> bool {
        !self.narrows() && self.exclude.is_empty()
    }

    /// Of each of these one.
    pub(super) fn wanted(&self) -> impl Iterator<Item = &Vec<String>> {
        self.include.iter().chain(&self.require)
    }

    /// Of the lists of which each item has to have one those tags that the fewest bear, with how many do, as far as that is counted.
    /// `bearing` puts into a statement where what bears some tags stands.
    pub(super) fn rarest(
        &self,
        connection: &Connection,
        begun: impl Fn(&str) -> Sql,
        bearing: impl Fn(&mut Sql, &[String]) -> String,
    ) -> StoreResult<Option<(usize, &[String])>> {
        let mut rarest: Option<(usize, &[String])> = None;
        for tags in self.wanted() {
            let most = rarest.map_or(COUNTED, |(fewest, _)| fewest);
            let mut sql = begun("SELECT count(*) FROM (SELECT 1 ");
            let bearing = bearing(&mut sql, tags);
            let most = sql.bound(most as i64);
            sql.text += &format!("{bearing} LIMIT {most})");
            let count = sql.rows(connection)?.first().map_or(0, |count| *count as usize);
            if rarest.is_none_or(|(fewest, _)| count < fewest) {
                rarest = Some((count, tags));
            }
        }
        Ok(rarest)
    }
}

/// The ids of the tags of that name that a space may use: its own and everybody's.
///
/// # Errors
/// SQLite's.
pub fn tag_ids(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached("SELECT id FROM tags WHERE name = ?1 AND space_id IN (?2, 'GLOBAL')")?
        .query_map([name, space.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// A statement and what is bound to it.
pub(super) struct Sql {
    pub text: String,
    values: Vec<Value>,
}

impl Sql {
    /// One to which these are bound as ?1, ?2, …
    pub fn begun(text: &str, values: Vec<Value>) -> Self {
        Self { text: text.to_owned(), values }
    }

    /// Where that is bound.
    pub fn bound(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// Where each of these is bound.
    pub fn bound_all(&mut self, all: &[String]) -> String {
        all.iter().map(|one| self.bound(one.clone())).collect::<Vec<_>>().join(", ")
    }

    /// The most that are read; as many as there are where nothing is said. A part that has a limit, even that one, is read as it is
    /// asked for; of others SQLite makes one statement with what stands around them, of which it would sort all rows.
    pub fn limit(&mut self, most: Option<usize>) -> String {
        let most = most.and_then(|most| i64::try_from(most).ok()).unwrap_or(-1);
        format!(" LIMIT {}", self.bound(most))
    }

    /// The first column of what it finds.
    pub fn rows(self, connection: &Connection) -> StoreResult<Vec<i64>> {
        let mut statement = connection.prepare_cached(&self.text)?;
        let rows = statement.query_map(params_from_iter(self.values), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
