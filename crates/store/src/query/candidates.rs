//! Which items of a kind other than entries lie at a place and fit, as rids: bounded, the likeliest first.

use super::sql::{Sql, Tags};
use super::{past, rows, source};
use crate::entries::Place;
use crate::filter::{Then, UnitFilter};
use crate::fts::table::{self, Fitting, Kind, LISTED};
use crate::fts::{self, then};
use crate::{StoreResult, resources, tags};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use std::collections::HashSet;
use um_model::work::ItemType;
use um_model::{EpochMs, SessionId, SpaceId};

/// What bears a tag is looked up where it is no more than this; otherwise the list is walked in its order, and soon comes by enough.
pub(super) const FEW: usize = 2_500;

/// The items of a kind that lie at a place.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    pub at: Place<'a>,
    pub of: ItemType,
    pub inactive: bool,
    /// Only those that were there at this time; in use then.
    pub as_of: Option<EpochMs>,
}

/// Where the time that is asked of is bound.
const AS_OF: &str = "?3";

/// Of which kind they are, whether those out of use are meant as well, and of which time, where it is not now.
pub type Which = (ItemType, bool, Option<EpochMs>);

impl<'a> Listed<'a> {
    fn of(at: Place<'a>, (of, inactive, as_of): Which) -> Self {
        Self { at, of, inactive, as_of }
    }

    /// A statement to which the space is bound as ?1, the session as ?2, and the time that is asked of as ?3, where it is one.
    fn begun(&self, text: &str) -> Sql {
        let session = self.at.session.map(|session| session.to_string());
        let mut values: Vec<Value> = vec![self.at.space.to_string().into(), session.into()];
        values.extend(self.as_of.map(Value::from));
        Sql::begun(text, values)
    }

    /// Which rows they are, and in what order they are listed: the last written first. Nothing where there can be none.
    fn rows(&self) -> Option<(String, &'static str)> {
        let in_use = |active: &'static str| if self.inactive { "1" } else { active };
        let (which, order) = match self.of {
            ItemType::CoreBlock => (in_use("t.is_active = 1"), "t.authority DESC, t.rid DESC"),
            ItemType::Resource => (in_use("t.status = 'active'"), "t.updated_at DESC, t.rid DESC"),
            ItemType::SessionState => (in_use("t.status <> 'complete'"), "t.updated_at DESC, t.rid DESC"),
            ItemType::Memory if self.inactive => ("t.status <> 'deleted'", "t.created_at DESC, t.rid DESC"),
            ItemType::Memory => ("t.status = 'active' AND t.tier <> 'cold'", "t.created_at DESC, t.rid DESC"),
            _ => ("1", "t.recorded_at DESC, t.rid DESC"),
        };
        let place = match (self.of, self.at.session) {
            (_, None) => "t.space_id = ?1",
            (ItemType::Event | ItemType::SessionState, Some(_)) => "+t.space_id = ?1 AND t.session_id = ?2",
            (_, Some(_)) => return None,
        };
        let which = match self.as_of {
            Some(_) => self.then(),
            None => which.to_owned(),
        };
        Some((format!("{place} AND {which} AND t.is_redacted = 0"), order))
    }

    /// Which were there at the time that is asked of, and in use then. Which tier a memory was of is not kept: it counts as now.
    fn then(&self) -> String {
        let from = source(self.of, Some(AS_OF));
        match (self.inactive, self.of) {
            (true, _) => from.there,
            (false, ItemType::Memory) => format!("{} AND {} AND t.tier <> 'cold'", from.there, from.is_active),
            (false, _) => format!("{} AND {}", from.there, from.is_active),
        }
    }

    /// What reads the last written of them, at most `limit`. Nothing where there can be none.
    pub(super) fn latest(&self, limit: usize) -> Option<Sql> {
        let (which, order) = self.rows()?;
        let mut sql = self.begun("SELECT t.rid FROM ");
        let limit = sql.limit(Some(limit));
        sql.text += &format!("{} t WHERE {which} ORDER BY {order}{limit}", source(self.of, None).table);
        Some(sql)
    }

    /// What bears one of some tags, as `i`; of another time, what bears it or did.
    fn with_one_of(&self, sql: &mut Sql, tags: &[String]) -> String {
        let tags = sql.bound_all(tags);
        let bearing = format!("WHERE i.tag_id IN ({tags}) AND i.item_type = '{}' AND i.space_id = ?1", self.of);
        let now = format!("item_tags i INDEXED BY idx_item_tags_found {bearing}");
        match self.as_of {
            None => format!("FROM {now}"),
            Some(_) => format!(
                "FROM (SELECT i.item_id FROM {now}
                   UNION ALL SELECT i.item_id FROM past_item_tags i INDEXED BY idx_past_item_tags_tag {bearing}) i"
            ),
        }
    }

    /// Those that have the tags: among the first `most` of the list, or among what bears one of `rare`.
    fn tagged(
        &self,
        connection: &Connection,
        tags: &Tags,
        (rare, most): (Option<&[String]>, Option<usize>),
        limit: usize,
    ) -> StoreResult<Vec<i64>> {
        let Some((which, order)) = self.rows() else { return Ok(Vec::new()) };
        let (mut sql, table) = (self.begun("SELECT s.rid FROM (SELECT t.rid, t.id FROM "), source(self.of, None).table);
        let from = match rare {
            None => format!("{table} t"),
            Some(rare) => {
                let bearing = self.with_one_of(&mut sql, rare);
                format!("(SELECT DISTINCT i.item_id {bearing}) f CROSS JOIN {table} t ON t.id = f.item_id")
            }
        };
        let most = sql.limit(most);
        sql.text += &format!("{from} WHERE {which} ORDER BY {order}{most}) s WHERE 1");
        self.narrow(&mut sql, tags, "s.id");
        let limit = sql.limit(Some(limit));
        sql.text += &limit;
        sql.rows(connection)
    }

    /// That what has this id has the tags.
    fn narrow(&self, sql: &mut Sql, tags: &Tags, id: &str) {
        let has = tags.wanted().map(|tags| ("+", tags)).chain(Some(("NOT ", &tags.exclude)));
        for (sign, tags) in has.filter(|(sign, tags)| *sign == "+" || !tags.is_empty()) {
            let bound = sql.bound_all(tags);
            sql.text += &format!(" AND {sign}{}", tags::bears(self.of, (id, &bound), self.as_of.map(|_| AS_OF)));
        }
    }

    /// Those of some rows of full text that lie at the place and have the tags, in that order; a memory for each of its passages. Of
    /// those that `stand`, what says something else since the time that is asked of is left out.
    fn fitting(&self, connection: &Connection, tags: &Tags, rids: &[i64], stand: bool) -> StoreResult<Vec<i64>> {
        let Some((which, _)) = self.rows() else { return Ok(Vec::new()) };
        let mut sql = self.begun("SELECT t.rid FROM json_each(");
        let given = sql.bound(serde_json::to_string(rids)?);
        let row = match self.of {
            ItemType::Memory => {
                "text_units u ON u.rid = f.value CROSS JOIN memories t ON t.id = u.owner_memory_id".to_owned()
            }
            of => format!("{} t ON t.rid = f.value", source(of, None).table),
        };
        sql.text += &format!("{given}) f CROSS JOIN {row} WHERE {which}");
        if stand && self.as_of.is_some() && self.is_rewritten() {
            sql.text += &format!(" AND t.updated_at <= {AS_OF}");
        }
        self.narrow(&mut sql, tags, "t.id");
        sql.text += " ORDER BY f.key";
        sql.rows(connection)
    }

    /// Whether what stands in full text is what an item says now, and may have said otherwise before.
    fn is_rewritten(&self) -> bool {
        matches!(self.of, ItemType::Resource | ItemType::SessionState)
    }

    /// The rows of what said one of some words at the time that is asked of, and stands in no index with them: what was written anew
    /// since, and of memories the passages of those that went out of use.
    fn said_then(&self, connection: &Connection, expression: &str, at: EpochMs) -> StoreResult<Fitting> {
        let then = Then { as_of: Some(at), known_at: None };
        match self.of {
            ItemType::Resource => resources::said_then(connection, self.at.space, expression, then),
            ItemType::SessionState => self.states_then(connection, expression, at),
            ItemType::Memory => {
                let filter = UnitFilter { then, ..UnitFilter::default() };
                let past = filter.past(connection, std::slice::from_ref(self.at.space))?;
                let units = past.units.into_iter().map(|(_, rid)| rid).collect();
                let found = fts::Past::of(connection, units).search(expression, usize::MAX)?;
                let rids = found.into_iter().map(|(rid, _)| rid).collect();
                Ok(Fitting { rids, is_cut: false, past_is_cut: past.is_cut })
            }
            _ => Ok(Fitting::default()),
        }
    }

    /// The same of what was in hand.
    fn states_then(&self, connection: &Connection, expression: &str, at: EpochMs) -> StoreResult<Fitting> {
        let Some(sql) = self.rewritten() else { return Ok(Fitting::default()) };
        let rids = serde_json::to_string(&sql.rows(connection)?)?;
        let mut statement = connection.prepare_cached(&states_said("?2"))?;
        let said = statement.query_and_then(params![rids, at], |row| -> StoreResult<(i64, Vec<String>)> {
            Ok((row.get(0)?, vec![row.get(1)?, row.get(2)?, row.get(3)?]))
        })?;
        then::ranked(Kind::SessionStates, expression, said)
    }

    /// What reads those of what was in hand that were there then, and were written anew since.
    pub(super) fn rewritten(&self) -> Option<Sql> {
        let (which, _) = self.rows()?;
        let mut sql = self.begun("SELECT t.rid FROM session_states t WHERE ");
        let limit = sql.limit(Some(then::READ));
        // Of all states: so the index is looked up by the time, too.
        sql.text +=
            &format!("{which} AND t.status IN ('active', 'blocked', 'complete') AND t.updated_at > {AS_OF}{limit}");
        Some(sql)
    }

    /// The rows of full text that stand for some items; none where there are too many to be listed.
    fn indexed(&self, connection: &Connection, rids: &[i64]) -> StoreResult<Option<Vec<i64>>> {
        if self.of != ItemType::Memory {
            return Ok((rids.len() <= LISTED).then(|| rids.to_vec()));
        }
        let units: Vec<i64> = connection
            .prepare_cached(
                "SELECT u.rid FROM json_each(?1) f CROSS JOIN memories m ON m.rid = f.value
                 CROSS JOIN text_units u ON u.owner_memory_id = m.id WHERE u.status = 'active' LIMIT ?2",
            )?
            .query_map(params![serde_json::to_string(rids)?, LISTED as i64 + 1], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        Ok((units.len() <= LISTED).then_some(units))
    }
}

/// The rids of items of a kind other than entries that lie at a place and have the tags, the last written first, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn tagged(
    connection: &Connection,
    at: Place<'_>,
    which: Which,
    tags: &Tags,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    tagged_of(connection, Listed::of(at, which), tags, (limit, FEW))
}

pub(super) fn tagged_of(
    connection: &Connection,
    listed: Listed<'_>,
    tags: &Tags,
    (limit, few): (usize, usize),
) -> StoreResult<Vec<i64>> {
    let begun = |text: &str| listed.begun(text);
    let Some((bearing, rare)) = tags.rarest(connection, begun, |sql, tags| listed.with_one_of(sql, tags))? else {
        return listed.tagged(connection, tags, (None, None), limit);
    };
    if bearing > few {
        // Where what fits is rarer than its tags are, the walk is given up.
        let found = listed.tagged(connection, tags, (None, Some(bearing * 2)), limit)?;
        if found.len() == limit {
            return Ok(found);
        }
    }
    match bearing {
        0 => Ok(Vec::new()),
        _ => listed.tagged(connection, tags, (Some(rare), None), limit),
    }
}

/// The rids of those items that lie at a place.
///
/// # Errors
/// SQLite's.
pub fn by_ids(connection: &Connection, at: Place<'_>, of: ItemType, ids: &[String]) -> StoreResult<Vec<i64>> {
    let session = match of {
        ItemType::Entry => "t.session_id IS ?3",
        ItemType::Event | ItemType::SessionState => "(?3 IS NULL OR t.session_id = ?3)",
        _ => "?3 IS NULL",
    };
    Ok(connection
        .prepare_cached(&format!(
            "SELECT t.rid FROM json_each(?1) f CROSS JOIN {} t ON t.id = f.value WHERE t.space_id = ?2 AND {session} ORDER BY t.rid",
            source(of, None).table
        ))?
        .query_map(
            params![serde_json::to_string(ids)?, at.space.as_str(), at.session.map(SessionId::as_str)],
            |row| row.get(0),
        )?
        .collect::<Result<_, _>>()?)
}

/// The rids of items of a kind other than entries that lie at a place, the last written first, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn latest(connection: &Connection, at: Place<'_>, which: Which, limit: usize) -> StoreResult<Vec<i64>> {
    Listed::of(at, which).latest(limit).map_or_else(|| Ok(Vec::new()), |sql| sql.rows(connection))
}

/// The full text table of a kind; none of standing rules, which are few.
fn indexed(of: ItemType) -> Option<Kind> {
    match of {
        ItemType::Entry => Some(Kind::Entries),
        ItemType::Resource => Some(Kind::Resources),
        ItemType::SessionState => Some(Kind::SessionStates),
        ItemType::Event => Some(Kind::Events),
        ItemType::Memory => Some(Kind::Units),
        _ => None,
    }
}

/// The rids of items of a kind other than entries that lie at a place, have the tags and say one of some words, the best first by
/// BM25, at most `limit`; among `allowed` alone where that is given. As of a time, by what they said then. `words` are those of the
/// expression, in lower case.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn saying(
    connection: &Connection,
    at: Place<'_>,
    which: Which,
    tags: &Tags,
    (expression, words): (&str, &[String]),
    allowed: Option<&[i64]>,
    limit: usize,
) -> StoreResult<Fitting> {
    let listed = Listed::of(at, which);
    let allows: Option<HashSet<i64>> = allowed.map(|allowed| allowed.iter().copied().collect());
    let fits = |rids: &[i64], stand: bool| -> StoreResult<Vec<i64>> {
        let mut fitting = listed.fitting(connection, tags, rids, stand)?;
        fitting.retain(|rid| allows.as_ref().is_none_or(|allows| allows.contains(rid)));
        Ok(fitting)
    };
    let Some(kind) = indexed(listed.of) else {
        let mut rids = fits(&rules_saying(connection, at.space, words, listed.as_of)?, false)?;
        rids.truncate(limit);
        return Ok(Fitting { rids, ..Fitting::default() });
    };
    let among = allowed.map(|allowed| listed.indexed(connection, allowed)).transpose()?.flatten();
    // A memory is as good as its best passage.
    let stand = |rids: &[i64]| fits(rids, true);
    let found = table::ranked_fitting(connection, (at.space, kind), (expression, among.as_deref()), limit, stand)?;
    let Some(time) = listed.as_of else { return Ok(found) };
    let then = listed.said_then(connection, expression, time)?;
    let rids = fits(&then.rids, false)?;
    Ok(found.beside(Fitting { rids, ..then }, limit))
}

/// What states ?1 said at a time, where they were written anew since.
pub(super) fn states_said(at: &str) -> String {
    let from = source(ItemType::SessionState, Some(at));
    let works_on = past::works_on(at);
    format!(
        "SELECT t.rid, ifnull({}, ''), ifnull({}, ''), ifnull({works_on}, '')
         FROM json_each(?1) f CROSS JOIN session_states t ON t.rid = f.value",
        from.title, from.says
    )
}

/// The standing rules of a space that say some of the words, or said them at a time, those that say the most first.
fn rules_saying(
    connection: &Connection,
    space: &SpaceId,
    words: &[String],
    as_of: Option<EpochMs>,
) -> StoreResult<Vec<i64>> {
    let says = source(ItemType::CoreBlock, as_of.map(|_| "?2")).says;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT t.rid, lower(t.label || ' ' || ifnull({says}, '')) FROM core_blocks t
         WHERE t.space_id = ?1 AND t.is_redacted = 0 ORDER BY t.rid"
    ))?;
    let mut found = Vec::new();
    let bound = rows::bound(space.to_string(), as_of);
    for row in statement.query_map(bound, |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))? {
        let (rid, text) = row?;
        let said = words.iter().filter(|word| text.contains(word.as_str())).count();
        if said > 0 {
            found.push((std::cmp::Reverse(said), rid));
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, rid)| rid).collect())
}
