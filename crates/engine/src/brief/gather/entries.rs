//! The entries of a pack: of each level those that speak of what is asked and the first by priority, as they are now or were at another
//! time.

use super::{Candidate, Reading, item, object};
use crate::brief::warnings::last_day;
use crate::error::Fault;
use crate::scopes::Level;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use um_model::work::*;
use um_model::{EpochMs, SessionId, SpaceId};
use um_store::briefs::{self, CurrentEntry};
use um_store::entries::{Place, levels};
use um_store::fts::table::{self, Kind};
use um_store::query::{Tags, found};

/// So many entries of a type are gathered from a level.
const ENTRIES: u32 = 40;
/// So many entries of a space are ranked by what they say, of whatever type.
const RANKED: usize = 1_000;

/// The entries of each level that speak of what is asked, the best first: so many of a type.
pub(super) struct Speaking {
    pub of_levels: Vec<Vec<CurrentEntry>>,
    /// See [`Gathered`](super::Gathered).
    pub past_is_cut: bool,
}

/// Where a level's entries are.
fn place(level: &Level) -> (&SpaceId, Option<&SessionId>) {
    (&level.space.id, level.session.as_ref())
}

impl Reading<'_> {
    /// What speaks of what is asked, or did at the time that is asked of.
    pub(super) fn speaking(&self) -> Result<Speaking, Fault> {
        match (&self.expression, self.then.earlier()) {
            (None, _) => {
                Ok(Speaking { of_levels: self.levels.iter().map(|_| Vec::new()).collect(), past_is_cut: false })
            }
            (Some(expression), None) => self.speaking_now(expression),
            (Some(expression), Some(then)) => self.speaking_then(expression, then),
        }
    }

    /// Each space is searched once.
    fn speaking_now(&self, expression: &str) -> Result<Speaking, Fault> {
        let mut of_levels: Vec<Vec<CurrentEntry>> = self.levels.iter().map(|_| Vec::new()).collect();
        let mut searched: Vec<&SpaceId> = Vec::new();
        for level in &self.levels {
            let space = &level.space.id;
            if searched.contains(&space) {
                continue;
            }
            searched.push(space);
            let ranked = table::ranked(self.c, (space, Kind::Entries), expression, RANKED)?;
            let rids: Vec<i64> = ranked.into_iter().map(|(rid, _)| rid).collect();
            for entry in briefs::entries_at(self.c, space, &rids)? {
                let is_of = |level: &Level| level.space.id == *space && level.session == entry.session;
                let Some(at) = self.levels.iter().position(is_of) else { continue };
                of_levels[at].push(entry);
            }
        }
        Ok(Speaking { of_levels: of_levels.into_iter().map(first_of_types).collect(), past_is_cut: false })
    }

    /// By what they said then: without those of which a nearer level had one of that name.
    fn speaking_then(&self, expression: &str, then: EpochMs) -> Result<Speaking, Fault> {
        let (places, tags) = (self.places(), Tags::default());
        let mut speaking = Speaking { of_levels: Vec::with_capacity(places.len()), past_is_cut: false };
        for (at, level) in places.iter().enumerate() {
            let wanted = found::Wanted {
                at: *level,
                nearer: &places[..at],
                types: EntryType::ALL,
                category: None,
                inactive: false,
                as_of: Some(then),
                tags: &tags,
            };
            let said = found::saying(self.c, &wanted, (expression, None), RANKED)?;
            speaking.past_is_cut |= said.past_is_cut;
            speaking.of_levels.push(first_of_types(briefs::entries_then(self.c, level.space, &said.rids, then)?));
        }
        Ok(speaking)
    }

    /// Where the entries of the levels are.
    fn places(&self) -> Vec<Place<'_>> {
        self.levels.iter().map(place).map(|(space, session)| Place { space, session }).collect()
    }

    /// The entries of a type: those that speak of what is asked, the others by level and priority, and of both those that stopped to hold.
    /// The nearer one of a name hides the others.
    pub(super) fn entries(
        &self,
        (of, part): (EntryType, Part),
        speaking: &[Vec<CurrentEntry>],
    ) -> Result<[Vec<Candidate>; 3], Fault> {
        let entry_type = of.as_str();
        let rest: Vec<Vec<CurrentEntry>> = match self.then.earlier() {
            Some(then) => self.entries_then(of, then)?,
            None => {
                let rest = |level: &Level| briefs::entries(self.c, place(level), entry_type, ENTRIES);
                self.levels.iter().map(rest).collect::<Result<_, _>>()?
            }
        };
        let mut found: Vec<(usize, Because, &CurrentEntry)> = Vec::new();
        for (at, (rest, speaking)) in rest.iter().zip(speaking).enumerate() {
            let of_type = speaking.iter().filter(|one| one.entry_type == entry_type);
            found.extend(of_type.map(|one| (at, Because::Speaks, one)));
            let rest = rest.iter().filter(|one| speaking.iter().all(|known| known.id != one.id));
            found.extend(rest.map(|one| (at, Because::Order, one)));
        }
        // What a nearer level hid at another time is not among them.
        let hidden = if self.then.is_now() { self.hidden(&found)? } else { HashSet::new() };
        let (mut best, mut others, mut ran_out) = (Vec::new(), Vec::new(), Vec::new());
        for (_, (at, because, entry)) in found.into_iter().enumerate().filter(|(which, _)| !hidden.contains(which)) {
            let body: Value = serde_json::from_str(&entry.body).unwrap_or_default();
            let has_ended = body["valid_until"].as_i64().is_some_and(|until| until <= self.at);
            let to = match because {
                _ if has_ended => &mut ran_out,
                Because::Speaks => &mut best,
                _ => &mut others,
            };
            to.push(self.entry((part, because), &self.levels[at], (entry, &body))?);
        }
        Ok([best, others, ran_out])
    }

    /// The entries of a type that were in use at a time, in each level the first by priority, as they said then: without those of which a
    /// nearer level had one of that name.
    fn entries_then(&self, entry_type: EntryType, then: EpochMs) -> Result<Vec<Vec<CurrentEntry>>, Fault> {
        let wanted = levels::Wanted { entry_type: Some(entry_type), as_of: Some(then), ..levels::Wanted::default() };
        let places = self.places();
        let mut of_levels = Vec::with_capacity(places.len());
        for (at, level) in places.iter().enumerate() {
            let listed = levels::page(self.c, *level, &places[..at], wanted, (0, ENTRIES as usize))?;
            let rids: Vec<i64> = listed.into_iter().map(|one| one.rid).collect();
            of_levels.push(briefs::entries_then(self.c, level.space, &rids, then)?);
        }
        Ok(of_levels)
    }

    /// Which of some entries, each with its level, a nearer level hides: it has one of that type and name. Asked once for all.
    fn hidden(&self, found: &[(usize, Because, &CurrentEntry)]) -> Result<HashSet<usize>, Fault> {
        let (mut asked, mut which) = (Vec::new(), Vec::new());
        for (number, (at, _, entry)) in found.iter().enumerate() {
            for nearer in &self.levels[..*at] {
                let (space, session) = place(nearer);
                asked.push([
                    space.as_str(),
                    session.map_or("", SessionId::as_str),
                    entry.entry_type.as_str(),
                    entry.name.as_str(),
                ]);
                which.push(number);
            }
        }
        Ok(briefs::entries_there(self.c, &asked)?.into_iter().filter_map(|at| which.get(at).copied()).collect())
    }

    fn entry(
        &self,
        (part, because): (Part, Because),
        level: &Level,
        (entry, body): (&CurrentEntry, &Value),
    ) -> Result<Candidate, Fault> {
        let low_trust = entry.actor.as_ref().map_or(Ok(true), |actor| self.is_low(&level.space.id, actor))?;
        Ok(Candidate {
            part,
            because,
            citation: None,
            item: item(ItemType::Entry, entry.id.as_str(), &level.space.id, &entry.name),
            text: in_words(body, self.utc_offset),
            low_trust,
            by: entry.actor.as_ref().map_or(Ok(None), |actor| self.by(actor))?,
            source_event_ids: Vec::new(),
            metadata: object(serde_json::from_str(&entry.metadata).unwrap_or_default()),
            mark: format!("priority {}", entry.priority),
        })
    }
}

/// The first so many of each type.
fn first_of_types(mut entries: Vec<CurrentEntry>) -> Vec<CurrentEntry> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    entries.retain(|entry| {
        let count = counts.entry(entry.entry_type.clone()).or_default();
        *count += 1;
        *count <= ENTRIES
    });
    entries
}

/// An entry's body as a person reads it by a clock that is so many minutes ahead of UTC: what it says first, the rest as `name: value`.
pub(in crate::brief) fn in_words(body: &Value, utc_offset: i32) -> String {
    let Value::Object(fields) = body else { return body.to_string() };
    let lead = ["content", "description"].into_iter().filter_map(|name| fields.get(name)?.as_str()).map(str::to_owned);
    let rest = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "content" | "description"));
    let rest = rest.map(|(name, value)| match value {
        Value::String(text) => format!("{name}: {text}"),
        value => match value.as_i64().filter(|_| name == "valid_until").and_then(|at| last_day(at, utc_offset)) {
            Some(day) => format!("{name}: {day}"),
            None => format!("{name}: {value}"),
        },
    });
    lead.chain(rest).collect::<Vec<_>>().join("\n")
}
