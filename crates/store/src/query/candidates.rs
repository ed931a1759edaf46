//! Which items of a kind lie at a place and fit, as rids: bounded, the likeliest first.

use super::source;
use crate::StoreResult;
use crate::entries::Place;
use crate::fts::table::{self, Kind};
use rusqlite::{Connection, params, params_from_iter};
use um_model::work::{EntryType, ItemType};
use um_model::{SessionId, SpaceId};

/// Which tags are asked for, by their ids.
#[derive(Debug, Clone, Default)]
pub struct Tags {
    /// One of these at least, where there are any.
    pub include: Option<Vec<String>>,
    /// Of each of these lists one.
    pub require: Vec<Vec<String>>,
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

/// Which entries are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Of<'a> {
    /// Of these types.
    pub types: &'a [EntryType],
    /// Those out of use as well.
    pub inactive: bool,
}

/// The rids of the entries of a place that have the tags, ascending. Read from `idx_item_tags_found` alone, which has them in order.
///
/// # Errors
/// SQLite's.
pub fn tagged_entries(connection: &Connection, at: Place<'_>, tags: &Tags, of: Of<'_>) -> StoreResult<Vec<i64>> {
    let mut sets = Vec::new();
    for ids in tags.include.iter().chain(&tags.require) {
        let mut set = Vec::new();
        for id in ids {
            set = union(set, postings(connection, at, id, of)?);
        }
        if set.is_empty() {
            return Ok(set);
        }
        sets.push(set);
    }
    sets.sort_by_key(Vec::len);
    let mut sets = sets.into_iter();
    let first = sets.next().unwrap_or_default();
    let all = sets.fold(first, |all, set| intersection(&all, &set));
    match at.session {
        // Of sessions the index tells that it is one, not which.
        Some(session) => of_session(connection, &all, session),
        None => Ok(all),
    }
}

fn postings(connection: &Connection, at: Place<'_>, tag: &str, of: Of<'_>) -> StoreResult<Vec<i64>> {
    let standings: &[u8] = match (at.session.is_some(), of.inactive) {
        (true, true) => &[2, 0],
        (true, false) => &[2],
        (false, true) => &[1, 0],
        (false, false) => &[1],
    };
    let mut all = Vec::new();
    let mut statement = connection.prepare_cached(
        "SELECT item_rid FROM item_tags WHERE tag_id = ?1 AND item_type = 'entry' AND space_id = ?2 AND standing = ?3
           AND item_subtype = ?4 ORDER BY item_rid",
    )?;
    for (standing, entry_type) in standings.iter().flat_map(|one| of.types.iter().map(move |of| (one, of))) {
        let found: Vec<i64> = statement
            .query_map(params![tag, at.space.as_str(), standing, entry_type.as_str()], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        all = union(all, found);
    }
    Ok(all)
}

fn of_session(connection: &Connection, rids: &[i64], session: &SessionId) -> StoreResult<Vec<i64>> {
    Ok(connection
        .prepare_cached(
            "SELECT e.rid FROM json_each(?1) f CROSS JOIN entries e ON e.rid = f.value WHERE e.session_id = ?2 ORDER BY e.rid",
        )?
        .query_map(params![serde_json::to_string(rids)?, session.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

fn union(one: Vec<i64>, other: Vec<i64>) -> Vec<i64> {
    if one.is_empty() || other.is_empty() {
        return if one.is_empty() { other } else { one };
    }
    let mut all = Vec::with_capacity(one.len() + other.len());
    let (mut a, mut b) = (one.into_iter().peekable(), other.into_iter().peekable());
    while let (Some(left), Some(right)) = (a.peek().copied(), b.peek().copied()) {
        all.push(left.min(right));
        a.next_if_eq(&left.min(right));
        b.next_if_eq(&left.min(right));
    }
    all.extend(a);
    all.extend(b);
    all
}

fn intersection(few: &[i64], many: &[i64]) -> Vec<i64> {
    few.iter().filter(|rid| many.binary_search(rid).is_ok()).copied().collect()
}

/// So many rids are looked up one by one rather than by walking the list.
const FEW: usize = 4_000;

/// The best `limit` of those entries by priority and time, the best first.
///
/// # Errors
/// SQLite's.
pub fn best_entries(
    connection: &Connection,
    at: Place<'_>,
    rids: &[i64],
    of: Of<'_>,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    if rids.len() <= FEW {
        return Ok(connection
            .prepare_cached(
                "SELECT e.rid FROM json_each(?1) f CROSS JOIN entries e ON e.rid = f.value
                 ORDER BY e.priority DESC, ifnull(e.updated_at, e.created_at) DESC, e.rid LIMIT ?2",
            )?
            .query_map(params![serde_json::to_string(rids)?, limit as i64], |row| row.get(0))?
            .collect::<Result<_, _>>()?);
    }
    // Many: the list in its order soon comes by enough of them.
    let mut best = Vec::new();
    let states: &[u8] = if of.inactive { &[1, 0] } else { &[1] };
    for (entry_type, state) in of.types.iter().flat_map(|one| states.iter().map(move |state| (one, state))) {
        let sql = format!(
            "SELECT e.rid, e.priority, e.updated_at FROM entries e INDEXED BY idx_entries_listed
             WHERE e.space_id = ?1 AND ifnull(e.session_id, '') = ?2 AND e.entry_type = '{entry_type}'
               AND e.is_active = {state} AND e.is_redacted = 0 ORDER BY e.priority DESC, e.updated_at DESC"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let session = at.session.map_or("", SessionId::as_str);
        let mut rows = statement.query([at.space.as_str(), session])?;
        let mut found = 0;
        while found < limit
            && let Some(row) = rows.next()?
        {
            let rid: i64 = row.get(0)?;
            if rids.binary_search(&rid).is_ok() {
                found += 1;
                best.push((std::cmp::Reverse((row.get::<_, u8>(1)?, row.get::<_, Option<i64>>(2)?)), rid));
            }
        }
    }
    best.sort_unstable();
    best.truncate(limit);
    Ok(best.into_iter().map(|(_, rid)| rid).collect())
}

/// The rids of other items that lie at a place and have the tags, the last written first, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn tagged(
    connection: &Connection,
    at: Place<'_>,
    of: ItemType,
    tags: &Tags,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    let lists: Vec<&Vec<String>> = tags.include.iter().chain(&tags.require).collect();
    let mut sql = format!("SELECT t.rid FROM {} t WHERE t.space_id = ?1", source(of).table);
    let mut values = vec![at.space.to_string(), of.as_str().to_owned()];
    match (at.session, of) {
        (None, _) => {}
        (Some(session), ItemType::Event) => {
            values.push(session.to_string());
            sql += " AND t.session_id = ?3";
        }
        // Nothing else that bears tags here lies in a session.
        (Some(_), _) => return Ok(Vec::new()),
    }
    for ids in lists {
        values.push(serde_json::to_string(ids)?);
        sql += &format!(
            " AND t.id IN (SELECT item_id FROM item_tags WHERE item_type = ?2 AND space_id = ?1
                AND tag_id IN (SELECT value FROM json_each(?{})))",
            values.len()
        );
    }
    sql += &format!(" ORDER BY t.rid DESC LIMIT {limit}");
    Ok(connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(values), |row| row.get(0))?
        .collect::<Result<_, _>>()?)
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
            source(of).table
        ))?
        .query_map(
            params![serde_json::to_string(ids)?, at.space.as_str(), at.session.map(SessionId::as_str)],
            |row| row.get(0),
        )?
        .collect::<Result<_, _>>()?)
}

/// The rids of a kind other than entries that lie at a place, the last written first, at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn latest(
    connection: &Connection,
    at: Place<'_>,
    (of, inactive): (ItemType, bool),
    limit: usize,
) -> StoreResult<Vec<i64>> {
    let in_use = |active: &'static str| if inactive { "1" } else { active };
    let (which, order) = match of {
        ItemType::CoreBlock => (in_use("t.is_active = 1"), "t.authority DESC, t.rid DESC"),
        ItemType::Resource => (in_use("t.status = 'active'"), "t.updated_at DESC, t.rid DESC"),
        ItemType::SessionState => (in_use("t.status <> 'complete'"), "t.updated_at DESC, t.rid DESC"),
        ItemType::Memory if inactive => ("t.status <> 'deleted'", "t.created_at DESC, t.rid DESC"),
        ItemType::Memory => ("t.status = 'active'", "t.created_at DESC, t.rid DESC"),
        _ => ("1", "t.recorded_at DESC, t.rid DESC"),
    };
    let session = match (of, at.session) {
        (ItemType::Event | ItemType::SessionState, Some(_)) => "t.session_id = ?2",
        (_, Some(_)) => return Ok(Vec::new()),
        (_, None) => "?2 IS NULL",
    };
    Ok(connection
        .prepare_cached(&format!(
            "SELECT t.rid FROM {} t WHERE t.space_id = ?1 AND {session} AND {which} AND t.is_redacted = 0
             ORDER BY {order} LIMIT ?3",
            source(of).table
        ))?
        .query_map(params![at.space.as_str(), at.session.map(SessionId::as_str), limit as i64], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
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

/// The rids of a kind in a space that say one of some words, the best first by BM25, at most `limit`; among `allowed` alone where
/// that is given. `words` are those of the expression, in lower case.
///
/// # Errors
/// SQLite's; a malformed expression among them.
pub fn saying(
    connection: &Connection,
    (space, of): (&SpaceId, ItemType),
    (expression, words): (&str, &[String]),
    allowed: Option<&[i64]>,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    let Some(kind) = indexed(of) else { return rules_saying(connection, space, words, allowed, limit) };
    if of != ItemType::Memory {
        let ranked = match allowed {
            Some(allowed) => table::ranked_among(connection, (space, kind), expression, allowed, limit)?,
            None => table::ranked(connection, (space, kind), expression, limit)?,
        };
        return Ok(ranked.into_iter().map(|(rid, _)| rid).collect());
    }
    // A memory is as good as its best passage.
    let ranked = table::ranked(connection, (space, kind), expression, limit * 2)?;
    let units: Vec<i64> = ranked.into_iter().map(|(rid, _)| rid).collect();
    let owners: Vec<i64> = connection
        .prepare_cached(
            "SELECT m.rid FROM json_each(?1) f CROSS JOIN text_units u ON u.rid = f.value CROSS JOIN memories m ON m.id = u.owner_memory_id
             ORDER BY f.key",
        )?
        .query_map([serde_json::to_string(&units)?], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut seen = std::collections::HashSet::new();
    let fits = |rid: &i64| allowed.is_none_or(|allowed| allowed.contains(rid));
    Ok(owners.into_iter().filter(|rid| fits(rid) && seen.insert(*rid)).take(limit).collect())
}

fn rules_saying(
    connection: &Connection,
    space: &SpaceId,
    words: &[String],
    allowed: Option<&[i64]>,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    let mut statement = connection.prepare_cached(
        "SELECT rid, lower(label || ' ' || content) FROM core_blocks WHERE space_id = ?1 AND is_redacted = 0 ORDER BY rid",
    )?;
    let mut found = Vec::new();
    for row in statement.query_map([space.as_str()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))? {
        let (rid, text) = row?;
        let said = words.iter().filter(|word| text.contains(word.as_str())).count();
        if said > 0 && allowed.is_none_or(|allowed| allowed.contains(&rid)) {
            found.push((std::cmp::Reverse(said), rid));
        }
    }
    found.sort_unstable();
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, rid)| rid).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_rids() {
        let check = |one: &[i64], other: &[i64], both: &[i64], shared: &[i64]| {
            assert_eq!(union(one.to_vec(), other.to_vec()), both);
            assert_eq!(union(other.to_vec(), one.to_vec()), both);
            assert_eq!(intersection(one, other), shared);
        };
        check(&[], &[], &[], &[]);
        check(&[1, 3], &[], &[1, 3], &[]);
        check(&[1, 3, 5], &[2, 3, 9], &[1, 2, 3, 5, 9], &[3]);
        check(&[1, 2], &[1, 2], &[1, 2], &[1, 2]);
    }
}
