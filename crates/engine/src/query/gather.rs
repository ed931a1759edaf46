//! Which items fit, from each level: by what narrows the most, relations before tags before words before the list.

use super::kinds;
use crate::error::Fault;
use crate::scopes::Level;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use um_model::EpochMs;
use um_model::work::*;
use um_store::entries::Place;
use um_store::fts::table::Fitting;
use um_store::query::candidates;
use um_store::query::found::{self, Wanted};
use um_store::query::rows::{self, Row};
use um_store::query::{Tags, tag_ids};
use um_store::{Connection, blocks, expiries};

/// So many of what has the tags are listed, before what says the words is looked for.
const LISTED: usize = 2_000;

/// A question, made ready.
pub(super) struct Asked<'a> {
    pub c: &'a Connection,
    pub request: &'a ItemsQuery,
    pub levels: &'a [Level],
    pub tags: &'a TagFilter,
    pub expression: Option<String>,
    pub words: Vec<String>,
    pub related: Option<Vec<(ItemKey, u8)>>,
    /// So many of each kind and level are looked at.
    pub closely: usize,
    /// Memories that went out of use by themselves by then are left out: some may be in use still.
    pub gone_by: Option<EpochMs>,
}

/// Something that fits.
pub(super) struct Candidate {
    pub of: ItemType,
    pub level: u8,
    pub row: Row,
    /// Which it is among those that say the words, from 0.
    pub rank: Option<usize>,
    /// How many of the tags that were asked for it has.
    pub tags: usize,
    /// The steps to it along relations.
    pub steps: Option<u8>,
}

impl Candidate {
    /// The order of what is as good.
    pub(super) fn order(&self) -> (u8, Reverse<Option<u8>>, Reverse<EpochMs>, &str) {
        (self.level, Reverse(self.row.priority), Reverse(self.row.updated_at), &self.row.id)
    }
}

pub(super) struct Gathered {
    pub candidates: Vec<Candidate>,
    /// Whether these are all that fit.
    pub is_all: bool,
    /// Whether not all was compared that says something else by now, or is out of use.
    pub past_is_cut: bool,
}

/// Rids, each with its rank by words.
struct Narrowed {
    rids: Vec<(i64, Option<usize>)>,
    /// Whether these are all.
    is_all: bool,
    /// See [`Gathered`].
    past_is_cut: bool,
}

fn place(level: &Level) -> Place<'_> {
    Place { space: &level.space.id, session: level.session.as_ref() }
}

impl Asked<'_> {
    pub(super) fn gather(&self) -> Result<Gathered, Fault> {
        let mut all = Gathered { candidates: Vec::new(), is_all: true, past_is_cut: false };
        let mut seen = HashSet::new();
        for of in kinds(self.request) {
            for (at, level) in self.levels.iter().enumerate() {
                let narrowed = match of {
                    ItemType::Entry => self.entries(at)?,
                    _ => self.others(of, place(level))?,
                };
                all.is_all &= narrowed.is_all;
                all.past_is_cut |= narrowed.past_is_cut;
                let found = self.fitting(of, at, narrowed.rids)?;
                all.candidates.extend(found.into_iter().filter(|one| seen.insert((of, one.row.rid))));
            }
        }
        Ok(all)
    }

    fn entry_types(&self) -> &[EntryType] {
        if self.request.entry_types.is_empty() { EntryType::ALL } else { &self.request.entry_types }
    }

    fn entries(&self, at: usize) -> Result<Narrowed, Fault> {
        let place = place(&self.levels[at]);
        let nearer: Vec<Place<'_>> = match self.request.all_levels {
            true => Vec::new(),
            false => self.levels[..at].iter().map(self::place).collect(),
        };
        let tags = self.tag_ids(place)?;
        let wanted = Wanted {
            at: place,
            nearer: &nearer,
            types: self.entry_types(),
            category: self.request.category,
            inactive: self.request.inactive,
            as_of: self.request.as_of,
            tags: &tags,
        };
        let related = self.related_rids(ItemType::Entry, place)?;
        let rids = match (&self.expression, related) {
            (Some(expression), related) => {
                let said = found::saying(self.c, &wanted, (expression, related), self.closely + 1)?;
                return Ok(ranked(said, self.closely));
            }
            (None, Some(related)) => found::fitting(self.c, &wanted, &related)?,
            (None, None) => found::best(self.c, &wanted, self.closely + 1)?,
        };
        Ok(first(rids, self.closely))
    }

    fn others(&self, of: ItemType, place: Place<'_>) -> Result<Narrowed, Fault> {
        let in_sessions = matches!(of, ItemType::Event | ItemType::SessionState);
        if place.session.is_some() && !in_sessions {
            return Ok(first(Vec::new(), self.closely));
        }
        let (tags, which) = (self.tag_ids(place)?, (of, self.request.inactive, self.request.as_of));
        if tags.narrows() && !of.can_be_tagged() {
            return Ok(first(Vec::new(), self.closely));
        }
        let tagged = |most: usize| candidates::tagged(self.c, place, which, &tags, most);
        let related = self.related_rids(of, place)?;
        let Some(expression) = &self.expression else {
            let rids = match related {
                Some(related) => related,
                None if tags.is_open() || !of.can_be_tagged() => {
                    candidates::latest(self.c, place, which, self.closely + 1)?
                }
                None => tagged(self.closely + 1)?,
            };
            return Ok(first(rids, self.closely));
        };
        let allowed = match related {
            // Of few, these are searched alone; of many, those that say the words are looked for first.
            None if tags.narrows() => Some(tagged(LISTED + 1)?).filter(|tagged| tagged.len() <= LISTED),
            related => related,
        };
        let words = (expression.as_str(), self.words.as_slice());
        let said = candidates::saying(self.c, place, which, &tags, words, allowed.as_deref(), self.closely + 1)?;
        Ok(ranked(said, self.closely))
    }

    fn related_rids(&self, of: ItemType, place: Place<'_>) -> Result<Option<Vec<i64>>, Fault> {
        let Some(related) = &self.related else { return Ok(None) };
        let ids: Vec<String> =
            related.iter().filter(|(key, _)| key.item_type == of).map(|(key, _)| key.id.clone()).collect();
        Ok(Some(candidates::by_ids(self.c, place, of, &ids)?))
    }

    /// The ids of the tags that are asked for.
    fn tag_ids(&self, place: Place<'_>) -> Result<Tags, Fault> {
        let ids = |name: &String| tag_ids(self.c, place.space, name);
        let all = |names: &[String]| names.iter().map(ids).collect::<Result<Vec<_>, _>>();
        let TagFilter { include, require, exclude } = self.tags;
        let include = if include.is_empty() { None } else { Some(all(include)?.concat()) };
        Ok(Tags { include, require: all(require)?, exclude: all(exclude)?.concat() })
    }

    /// What fits in all else that was said, and is not overridden.
    fn fitting(&self, of: ItemType, at: usize, rids: Vec<(i64, Option<usize>)>) -> Result<Vec<Candidate>, Fault> {
        let ranks: HashMap<i64, Option<usize>> = rids.iter().copied().collect();
        let rids: Vec<i64> = rids.into_iter().map(|(rid, _)| rid).collect();
        let gone = match self.gone_by.filter(|_| of == ItemType::Memory && !self.request.inactive) {
            Some(at) => expiries::gone_by(self.c, &rids, at)?,
            None => HashSet::new(),
        };
        let mut found = Vec::new();
        for row in rows::rows(self.c, of, &rids, self.request.as_of)? {
            // Of entries only those came here.
            let is_in_use = self.is_in_use(&row) && !gone.contains(&row.rid);
            if of == ItemType::Entry || (is_in_use && !self.is_overridden(of, at, &row)?) {
                let steps = self.steps(of, &row.id);
                let rank = ranks.get(&row.rid).copied().flatten();
                found.push(Candidate { of, level: self.levels[at].distance, row, rank, tags: 0, steps });
            }
        }
        self.tagged(of, found)
    }

    fn is_in_use(&self, row: &Row) -> bool {
        row.is_active || self.request.inactive
    }

    /// Whether a nearer level has a rule by the same label.
    fn is_overridden(&self, of: ItemType, at: usize, row: &Row) -> Result<bool, Fault> {
        if of != ItemType::CoreBlock || self.request.all_levels {
            return Ok(false);
        }
        for level in self.levels[..at].iter().filter(|level| level.session.is_none()) {
            let is_there = match self.request.as_of {
                Some(at) => blocks::was_in_force(self.c, &level.space.id, &row.title, at)?,
                None => blocks::by_label(self.c, &level.space.id, &row.title)?.is_some(),
            };
            if is_there {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn steps(&self, of: ItemType, id: &str) -> Option<u8> {
        let related = self.related.as_ref()?;
        related.iter().find(|(key, _)| key.item_type == of && key.id == id).map(|(_, steps)| *steps)
    }

    /// Those whose tags fit, with how many of those asked for each has.
    fn tagged(&self, of: ItemType, mut found: Vec<Candidate>) -> Result<Vec<Candidate>, Fault> {
        let TagFilter { include, require, exclude } = self.tags;
        if include.is_empty() && require.is_empty() && exclude.is_empty() {
            return Ok(found);
        }
        let ids: Vec<&str> = found.iter().map(|one| one.row.id.as_str()).collect();
        let tags = rows::tags(self.c, of, &ids, self.request.as_of)?;
        found.retain_mut(|one| {
            let has = tags.get(&one.row.id).map(Vec::as_slice).unwrap_or_default();
            one.tags = include.iter().filter(|name| has.contains(name)).count();
            (include.is_empty() || one.tags > 0)
                && require.iter().all(|name| has.contains(name))
                && !exclude.iter().any(|name| has.contains(name))
        });
        Ok(found)
    }
}

/// The first of them, and whether there are more.
fn first(mut rids: Vec<i64>, most: usize) -> Narrowed {
    let is_all = rids.len() <= most;
    rids.truncate(most);
    Narrowed { rids: rids.into_iter().map(|rid| (rid, None)).collect(), is_all, past_is_cut: false }
}

/// The same of those that are in the order of their words.
fn ranked(said: Fitting, most: usize) -> Narrowed {
    let past_is_cut = said.past_is_cut;
    let is_all = said.rids.len() <= most && !said.is_cut && !past_is_cut;
    let rids = said.rids.into_iter().take(most).enumerate().map(|(rank, rid)| (rid, Some(rank))).collect();
    Narrowed { rids, is_all, past_is_cut }
}
