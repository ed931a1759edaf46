//! Which units may be found, and how a search finds only those.

use crate::{StoreError, StoreResult};
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, HashSet};
use um_model::{EpochMs, SpaceId};

/// Up to so many units are listed before anything is searched: comparing them one by one is quick.
const FEW: usize = 4096;
/// Where more pass, so many of a search's best are looked at before all that pass are listed.
const WIDE: usize = 2048;
/// So many are looked at together.
const PORTION: usize = 256;

/// Which units may be found.
#[derive(Debug, Clone, Default)]
pub struct UnitFilter {
    /// Modalities of their files, `text` for memories of words; all where empty.
    pub modalities: Vec<String>,
    /// Happened (or was recorded) at or after.
    pub since: Option<EpochMs>,
    /// Happened (or was recorded) before.
    pub until: Option<EpochMs>,
}

impl UnitFilter {
    /// Whether every unit passes.
    pub fn is_open(&self) -> bool {
        self.modalities.is_empty() && self.since.is_none() && self.until.is_none()
    }

    /// Looks how much the filter lets through of some spaces.
    ///
    /// # Errors
    /// SQLite's.
    pub fn admit(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Admitted<'_>> {
        if self.is_open() {
            return Ok(Admitted::All);
        }
        let few = self.list(connection, spaces, FEW + 1)?;
        if few.len() > FEW {
            return Ok(Admitted::Many(self));
        }
        let mut by_space: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        few.into_iter().for_each(|(space, rid)| by_space.entry(space).or_default().push(rid));
        Ok(Admitted::Few(by_space))
    }

    /// The rids of those of the given units that pass.
    ///
    /// # Errors
    /// SQLite's.
    pub fn keep(&self, connection: &Connection, rids: &[i64]) -> StoreResult<HashSet<i64>> {
        // CROSS JOIN keeps this order: from the given, which are few.
        let from = "json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
                    CROSS JOIN memories m ON m.id = u.owner_memory_id";
        self.passing(connection, from, &serde_json::to_string(rids)?, rids.len(), |row| row.get(1))
    }

    /// Units of some spaces that pass, at most `limit`: their spaces and rids.
    fn list(&self, connection: &Connection, spaces: &[SpaceId], limit: usize) -> StoreResult<Vec<(String, i64)>> {
        let from = "json_each(?1) given CROSS JOIN memories m ON m.space_id = given.value
                    CROSS JOIN text_units u ON u.owner_memory_id = m.id";
        self.passing(connection, from, &ids(spaces)?, limit, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn passing<T, C: FromIterator<T>>(
        &self,
        connection: &Connection,
        from: &str,
        given: &str,
        limit: usize,
        read: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> StoreResult<C> {
        // Named only where it is asked for, so that times alone are looked up in the index.
        let modality = if self.modalities.is_empty() {
            "?4 = '[]'"
        } else {
            "ifnull((SELECT a.modality FROM artifacts a WHERE a.id = m.primary_artifact_id), m.modality)
               IN (SELECT value FROM json_each(?4))"
        };
        let (since, until) = (self.since.unwrap_or(EpochMs::MIN), self.until.unwrap_or(EpochMs::MAX));
        let mut statement = connection.prepare_cached(&format!(
            "SELECT m.space_id, u.rid FROM {from} WHERE m.status = 'active' AND u.status = 'active'
               AND ifnull(m.occurred_at, m.created_at) >= ?2 AND ifnull(m.occurred_at, m.created_at) < ?3
               AND {modality} LIMIT ?5"
        ))?;
        let modalities = serde_json::to_string(&self.modalities)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        statement
            .query_map(params![given, since, until, modalities, limit], read)?
            .map(|row| row.map_err(StoreError::from))
            .collect()
    }
}

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
    /// The best `limit` units of what `search` finds in some of the spaces. `search` gives its best so many,
    /// best first; of all, or of some that are listed for it. Most filters let a good share through: then its
    /// best are looked at, best first, until enough have passed, and the rest is never listed.
    pub(crate) fn best(
        &self,
        connection: &Connection,
        spaces: &[SpaceId],
        limit: usize,
        search: impl Fn(usize, Option<&[i64]>) -> StoreResult<Vec<(i64, f64)>>,
    ) -> StoreResult<Vec<(i64, f64)>> {
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
        let mut found = Vec::with_capacity(limit);
        for portion in ranked.chunks(PORTION) {
            let rids: Vec<i64> = portion.iter().map(|(rid, _)| *rid).collect();
            let passing = filter.keep(connection, &rids)?;
            found.extend(portion.iter().filter(|(rid, _)| passing.contains(rid)).take(limit - found.len()));
            if found.len() == limit {
                return Ok(found);
            }
        }
        if ranked.len() < wide {
            return Ok(found);
        }
        let rids: Vec<i64> = filter.list(connection, spaces, usize::MAX)?.into_iter().map(|(_, rid)| rid).collect();
        search(limit, Some(&rids))
    }
}

/// Ids of spaces, as JSON for `json_each`.
pub(crate) fn ids(spaces: &[SpaceId]) -> StoreResult<String> {
    Ok(serde_json::to_string(&spaces.iter().map(SpaceId::as_str).collect::<Vec<_>>())?)
}
