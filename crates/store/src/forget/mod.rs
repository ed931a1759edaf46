//! Forgetting (spine 7.5, rulings 37 and 38): rows keep their ids and lose what they say.
//!
//! [`cascade`] is the description, as data: how each table's rows lose their content ([`KINDS`]), and what derives from
//! what ([`LEADS`], [`NAMERS`], [`RESTS`]). [`closure()`] follows it from some rows to all that derives from them;
//! [`erase()`] lets those lose what they say; [`scrub`](crate::Store::scrub) sees that no trace is left in the file.

mod cascade;
mod closure;
mod erase;
mod indexed;
mod journal;
mod names;
mod passed;
mod purge;
mod repeats;
mod roots;
mod telling;
mod words;

pub use cascade::{KINDS, Kind, LEADS, Lead, Loses, NAMERS, RESTS, Rests};
pub use closure::{Seen, belonging, closure, closure_within, still_naming};
pub use erase::{Eraser, affected_claims, archive, erase, spaces_of};
pub use indexed::{indexed_texts_beside, indexed_words_beside};
pub use journal::{Forgetting, Status, begin, count, finish, last, report, unfinished};
pub use names::{Renamed, only_said_there};
pub use passed::{narrowed, searches_sharing};
pub use purge::{HANGERS, Purge, compliance_mode, empty_rows, purge};
pub use repeats::repeating;
pub use roots::{beneath, by_owner, in_space, naming, outside, saying, still_there};
pub use telling::Telling;
pub(crate) use words::text_at;
pub use words::{
    Heard, Spot, alike, folded, holders, holders_among, indexed_texts, is_one_sign, kept_words, said_elsewhere, says,
    spelled_otherwise, stored_bytes, texts, texts_of,
};

use crate::StoreResult;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Rows, by their kind: the ids of those of each table. A kind is a table's name, or `table.part` where only that column or part
/// of what it says is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rows(BTreeMap<String, BTreeSet<String>>);

impl Rows {
    /// Adds a row. Gives whether it is new.
    pub fn add(&mut self, kind: &str, id: impl Into<String>) -> bool {
        match self.0.get_mut(kind) {
            Some(ids) => ids.insert(id.into()),
            None => self.0.entry(kind.to_owned()).or_default().insert(id.into()),
        }
    }

    /// Adds all of those rows.
    pub fn extend(&mut self, other: Rows) {
        for (kind, ids) in other.0 {
            self.0.entry(kind).or_default().extend(ids);
        }
    }

    /// These but for those.
    #[must_use]
    pub fn without(&self, others: &Rows) -> Rows {
        let left = self.iter().filter(|(kind, id)| !others.has(kind, id));
        left.fold(Rows::default(), |mut rows, (kind, id)| {
            rows.add(kind, id);
            rows
        })
    }

    /// The ids of a kind, in order.
    pub fn of(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.0.get(kind).into_iter().flatten().map(String::as_str)
    }

    /// Whether a row is among them.
    pub fn has(&self, kind: &str, id: &str) -> bool {
        self.0.get(kind).is_some_and(|ids| ids.contains(id))
    }

    /// How many there are of each kind.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        self.0.iter().filter(|(_, ids)| !ids.is_empty()).map(|(kind, ids)| (kind.clone(), ids.len() as u64)).collect()
    }

    /// How many there are in all.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(BTreeSet::is_empty)
    }

    /// All of them, by kind.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(kind, ids)| ids.iter().map(move |id| (kind.as_str(), id.as_str())))
    }

    /// These rows in portions of at most `size`.
    pub fn portions(&self, size: usize) -> Vec<Rows> {
        let mut portions = Vec::new();
        let mut portion = Rows::default();
        for (kind, id) in self.iter() {
            portion.add(kind, id);
            if portion.len() == size {
                portions.push(std::mem::take(&mut portion));
            }
        }
        if !portion.is_empty() {
            portions.push(portion);
        }
        portions
    }

    /// The ids of a kind as a JSON array.
    pub(crate) fn json(&self, kind: &str) -> String {
        serde_json::Value::from_iter(self.of(kind)).to_string()
    }
}

/// Whether a table's rows are of a space.
fn has_space(connection: &Connection, table: &str) -> StoreResult<bool> {
    Ok(connection.prepare_cached("SELECT 1 FROM pragma_table_info(?1) WHERE name = 'space_id'")?.exists([table])?)
}

/// A table's name without the column or part that a kind may name beside it.
pub(crate) fn table_of(kind: &str) -> &str {
    kind.split_once('.').map_or(kind, |(table, _)| table)
}
