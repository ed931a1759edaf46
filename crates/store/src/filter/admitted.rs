//! What passes a filter, for a search that finds its best among all.

use super::{PORTION, UnitFilter, Worded};
use crate::StoreResult;
use rusqlite::Connection;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use um_model::{EpochMs, SpaceId};

/// Where more pass, so many of a search's best are looked at, at most, before all that pass are listed.
pub(crate) const WIDE: usize = 2048;

/// What a search found of which so many were wanted, best first, and whether there are no more. That is told by the search: of what it
/// found some may be left out since.
pub(crate) type Ranked = (Vec<(i64, f64)>, bool);

/// What a filter lets through of some spaces.
#[derive(Debug)]
pub enum Admitted<'a> {
    /// Every unit.
    All,
    /// These, by their spaces.
    Few(BTreeMap<String, Vec<i64>>),
    /// What passes the filter.
    Many(&'a UnitFilter),
}

impl Admitted<'_> {
    /// The filter, where many pass and times are all that it asks for.
    pub(crate) fn by_times(&self) -> Option<&UnitFilter> {
        match self {
            Self::Many(filter) => Some(*filter).filter(|filter| filter.is_of_times()),
            Self::All | Self::Few(_) => None,
        }
    }

    /// When what is to be looked for is dated, where many pass and it is not of all times.
    pub(crate) fn times(&self) -> Option<(EpochMs, EpochMs)> {
        match self {
            Self::Many(filter) if filter.since.is_some() || filter.until.is_some() => Some(filter.times()),
            _ => None,
        }
    }

    /// The best `limit` units of what `search` finds in some of the spaces. `search` gives its best so many,
    /// best first; of all, or of some that are listed for it. Most filters let a good share through: then its
    /// best are looked at, best first, until enough have passed, and the rest is never listed; or once, in `listed`, for whoever
    /// searches several times. Of its best, `first` are looked at first, and more where too few of them pass: a search to which more
    /// are no dearer begins with [`WIDE`].
    pub(crate) fn best(
        &self,
        connection: &Connection,
        spaces: &[SpaceId],
        (limit, first): (usize, usize),
        listed: &OnceCell<Vec<i64>>,
        search: impl Fn(usize, Option<&[i64]>) -> StoreResult<Ranked>,
    ) -> StoreResult<Vec<(i64, f64)>> {
        if let Some(rids) = listed.get() {
            return Ok(search(limit, Some(rids))?.0);
        }
        let filter = match self {
            Self::All => return Ok(search(limit, None)?.0),
            Self::Few(few) => {
                let rids: Vec<i64> = spaces.iter().filter_map(|s| few.get(s.as_str())).flatten().copied().collect();
                return if rids.is_empty() { Ok(Vec::new()) } else { Ok(search(limit, Some(&rids))?.0) };
            }
            Self::Many(filter) => filter,
        };
        let (most, mut passes) = (limit.max(WIDE), HashMap::new());
        let mut wide = first.clamp(limit, most);
        loop {
            let (ranked, are_all) = search(wide, None)?;
            let found = passing(connection, filter, &ranked, limit, &mut passes)?;
            if found.len() == limit || are_all {
                return Ok(found);
            }
            if wide == most {
                break;
            }
            wide = wider(wide, found.len(), limit).min(most);
        }
        let rids: Vec<i64> = filter.list(connection, spaces, usize::MAX)?.into_iter().map(|(_, rid)| rid).collect();
        Ok(search(limit, Some(listed.get_or_init(|| rids)))?.0)
    }
}

/// The first `limit` of what a search ranked that pass. What was looked up before is known to pass or not, and so is what is looked up now.
fn passing(
    connection: &Connection,
    filter: &UnitFilter,
    ranked: &[(i64, f64)],
    limit: usize,
    passes: &mut HashMap<i64, bool>,
) -> StoreResult<Vec<(i64, f64)>> {
    let unknown: Vec<i64> = ranked.iter().map(|(rid, _)| *rid).filter(|rid| !passes.contains_key(rid)).collect();
    let (mut found, mut words) = (Vec::with_capacity(limit), Worded::of(filter, &unknown));
    for portion in ranked.chunks(PORTION) {
        let rids: Vec<i64> = portion.iter().map(|(rid, _)| *rid).filter(|rid| !passes.contains_key(rid)).collect();
        if !rids.is_empty() {
            let passing = filter.keep_among(connection, &rids, &mut words)?;
            passes.extend(rids.into_iter().map(|rid| (rid, passing.contains(&rid))));
        }
        found.extend(portion.iter().filter(|(rid, _)| passes.get(rid) == Some(&true)).take(limit - found.len()));
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}

/// How many are looked at next, where so few of the last passed: as many as have enough among them if the same share passes, and half as
/// many again.
pub(crate) fn wider(wide: usize, passed: usize, limit: usize) -> usize {
    let enough = wide.saturating_mul(limit).checked_div(passed).unwrap_or(usize::MAX);
    enough.saturating_add(enough / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::migrated;
    use std::cell::RefCell;

    /// Units 1 to `count`, each of a memory that happened at the last digit of its number.
    fn units(count: i64) -> Connection {
        let db = migrated();
        let numbers = "WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?1)";
        let memories = "INSERT INTO memories (rid, id, content, content_hash, scope, valid_from, occurred_at, created_at, space_id,
              actor_id)
            SELECT at, 'memory ' || at, 'Words.', 'hash ' || at, 'fact', 1, at % 10, 1, 'GLOBAL', (SELECT id FROM agents LIMIT 1)
            FROM n";
        let units =
            "INSERT INTO text_units (rid, id, space_id, memory_id, owner_memory_id, ordinal, start_offset, end_offset,
              created_at)
            SELECT at, 'unit ' || at, 'GLOBAL', 'memory ' || at, 'memory ' || at, 0, 0, 0, 1 FROM n";
        for insert in [memories, units] {
            db.execute(&format!("{numbers} {insert}"), [count]).unwrap();
        }
        db
    }

    /// Looks for the best of units that are ranked by their numbers, of which the first `gone` are there no more.
    fn check(db: &Connection, since: i64, (limit, first): (usize, usize), gone: i64, expected_widths: &[usize]) {
        let count: i64 = db.query_row("SELECT count(*) FROM text_units", [], |row| row.get(0)).unwrap();
        let filter = UnitFilter { since: Some(since), ..UnitFilter::default() };
        let widths = RefCell::new(Vec::new());
        let search = |wanted: usize, allowed: Option<&[i64]>| {
            let mut ranked = allowed.map_or_else(|| (1..=count).collect::<Vec<i64>>(), <[i64]>::to_vec);
            if allowed.is_none() {
                widths.borrow_mut().push(wanted);
            }
            let are_all = ranked.len() < wanted;
            ranked.sort_unstable();
            ranked.truncate(wanted);
            Ok((ranked.into_iter().filter(|rid| *rid > gone).map(|rid| (rid, -rid as f64)).collect(), are_all))
        };
        let (spaces, listed) = ([SpaceId::global()], OnceCell::new());
        let found = Admitted::Many(&filter).best(db, &spaces, (limit, first), &listed, search).unwrap();
        let rids: Vec<i64> = found.into_iter().map(|(rid, _)| rid).collect();
        let expected: Vec<i64> = (gone + 1..=count).filter(|rid| rid % 10 >= since).take(limit).collect();
        assert_eq!((rids, widths.into_inner().as_slice()), (expected, expected_widths), "since {since}");
    }

    #[test]
    fn as_many_are_looked_at_as_have_enough_among_them() {
        let db = units(3_000);
        check(&db, 5, (10, 30), 0, &[30]);
        check(&db, 9, (10, 30), 0, &[30, 150]);
        // Too few of all that are looked at, or none.
        check(&db, 9, (300, 900), 0, &[900, WIDE]);
        check(&db, 10, (10, 30), 0, &[30, WIDE]);
        check(&db, 9, (10, WIDE), 0, &[WIDE]);
    }

    #[test]
    fn where_the_search_finds_no_more_nothing_is_listed() {
        let db = units(25);
        check(&db, 9, (10, 30), 0, &[30]);
        // That something of it is gone does not say that it finds no more.
        check(&units(3_000), 0, (10, 30), 30, &[30, WIDE]);
    }
}
