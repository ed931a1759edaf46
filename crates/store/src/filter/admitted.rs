//! What passes a filter, for a search that finds its best among all.

use super::{PORTION, UnitFilter, Worded};
use crate::StoreResult;
use rusqlite::Connection;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use um_model::{EpochMs, SpaceId};

/// Where more pass, so many of a search's best are looked at before all that pass are listed.
const WIDE: usize = 2048;

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
    /// searches several times.
    pub(crate) fn best(
        &self,
        connection: &Connection,
        spaces: &[SpaceId],
        limit: usize,
        listed: &OnceCell<Vec<i64>>,
        search: impl Fn(usize, Option<&[i64]>) -> StoreResult<Vec<(i64, f64)>>,
    ) -> StoreResult<Vec<(i64, f64)>> {
        if let Some(rids) = listed.get() {
            return search(limit, Some(rids));
        }
        let filter = match self {
            Self::All => return search(limit, None),
            Self::Few(few) => {
                let rids: Vec<i64> = spaces.iter().filter_map(|s| few.get(s.as_str())).flatten().copied().collect();
                return if rids.is_empty() { Ok(Vec::new()) } else { search(limit, Some(&rids)) };
            }
            Self::Many(filter) => filter,
        };
        let wide = limit.max(WIDE);
        let ranked = search(wide, None)?;
        let rids: Vec<i64> = ranked.iter().map(|(rid, _)| *rid).collect();
        let (mut found, mut words) = (Vec::with_capacity(limit), Worded::of(filter, &rids));
        for (portion, rids) in ranked.chunks(PORTION).zip(rids.chunks(PORTION)) {
            let passing = filter.keep_among(connection, rids, &mut words)?;
            found.extend(portion.iter().filter(|(rid, _)| passing.contains(rid)).take(limit - found.len()));
            if found.len() == limit {
                return Ok(found);
            }
        }
        if ranked.len() < wide {
            return Ok(found);
        }
        let rids: Vec<i64> = filter.list(connection, spaces, usize::MAX)?.into_iter().map(|(_, rid)| rid).collect();
        search(limit, Some(listed.get_or_init(|| rids)))
    }
}
