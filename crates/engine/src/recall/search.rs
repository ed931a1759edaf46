//! The two searches, by words and by meaning, over what is in use; and over what was, where another time is asked for.

use super::fuse::Lists;
use super::part::Part;
use super::wanted::Wanted;
use super::words::{self, Question};
use super::{Steps, dates, features};
use crate::error::Fault;
use std::collections::{BTreeMap, HashSet};
use um_model::{EpochMs, SpaceId};
use um_store::filter::{self, Admitted, UnitFilter};
use um_store::{Connection, StoreError, fts, units, vectors};

/// So many passages each search of each space contributes at least, and half as many again as are to be given. More costs pages that are
/// read for each, and hardly finds more (docs/adr/0016).
const DEPTH: usize = 75;
/// So many of a question's words are looked up among those who speak.
const SPEAKERS: usize = 6;
/// Of the passages that begin with a word, so many are looked at.
const LABELLED: u32 = 20;

/// So many passages each search of each space contributes where so many are to be given.
pub(super) fn depth(limit: usize) -> usize {
    DEPTH.max(limit + limit / 2)
}

/// What the searches found.
pub(super) struct Found {
    pub(super) lists: Lists,
    /// Whether meaning was to be searched, and what its index holds does not fit.
    pub(super) meaning_is_lost: bool,
    /// Those passages that are out of use now and were in use at the time that is asked for.
    pub(super) past: Vec<i64>,
    /// What the person should know of those.
    pub(super) past_notice: Option<&'static str>,
    /// Whether nothing passes what narrows the question down, words aside.
    pub(super) nothing_passes: bool,
    /// Whether nothing that passes has the words that it must have, where several of them must stand in one order.
    pub(super) lacks_phrase: bool,
    /// The identifiers that the question spells out and nothing that passes holds, in lower case.
    pub(super) unheld: Vec<String>,
}

/// What is out of use, or cold where that is asked for, and passes.
pub(super) struct Past<'a> {
    by_space: BTreeMap<String, fts::Past<'a>>,
    notice: Option<&'static str>,
}

/// What is told where not all of it was compared.
const PAST_IS_CUT: &str = "Not all that has gone out of use since was compared with this question, only what went last in each space. \
    Name one space, or narrow it down by type, tag, time or whose it is, and more is compared.";

/// The same where it is cold ones that were not all compared.
const COLD_IS_CUT: &str = "Not all that is cold was compared with this question, only the last of it in each space. Name one space, or narrow \
    it down by type, tag, time or whose it is, and more is compared.";

/// The same where it is both.
const BOTH_ARE_CUT: &str = "Neither all that has gone out of use since nor all that is cold was compared with this question, only the last of \
    both in each space. Name one space, or narrow it down by type, tag, time or whose it is, and more is compared.";

impl Past<'_> {
    /// The passages of all spaces.
    pub(super) fn rids(&self) -> Vec<i64> {
        self.by_space.values().flat_map(fts::Past::rids).copied().collect()
    }

    /// The best of a space by words, as [`fts::search`] gives them of what is in use.
    pub(super) fn search(&self, space: &SpaceId, expression: &str, limit: usize) -> Result<Vec<(i64, f64)>, Fault> {
        match self.by_space.get(space.as_str()) {
            Some(past) => Ok(past.search(expression, limit)?),
            None => Ok(Vec::new()),
        }
    }

    /// Whether one of some passages of a space is among these and matches an expression.
    pub(super) fn any(&self, space: &SpaceId, expression: &str, rids: &[i64]) -> Result<bool, Fault> {
        Ok(self.search(space, expression, usize::MAX)?.iter().any(|(rid, _)| rids.contains(rid)))
    }

    /// What the person should know of it.
    pub(super) fn notice(&self) -> Option<&'static str> {
        self.notice
    }
}

/// Those words of a question that are names of whoever speaks there: passages begin with them as a label, `Ana: …`. Where another time is
/// asked for, those that were in use then as well, and cold ones where these are.
pub(super) fn speakers(
    c: &Connection,
    spaces: &[SpaceId],
    question: &Question,
    filter: &UnitFilter,
) -> Result<Vec<String>, Fault> {
    let mut names = question.capitals();
    names.truncate(SPEAKERS);
    if names.is_empty() {
        return Ok(names);
    }
    let mut left = names.clone();
    // Space by space: of most, one look tells that nobody of these speaks there.
    for space in fts::that_have_units(c, spaces)? {
        if left.len() > 1 && !fts::any_beginning_with(c, &space, &left)? {
            continue;
        }
        let mut others = Vec::with_capacity(left.len());
        for name in left {
            let texts = fts::beginning_with(c, &space, &name, LABELLED)?;
            if !texts.iter().any(|text| features::label(text).is_some_and(|label| label == name)) {
                others.push(name);
            }
        }
        left = others;
        if left.is_empty() {
            break;
        }
    }
    if !left.is_empty() {
        let past: Vec<i64> = filter.past(c, spaces)?.units.into_iter().map(|(_, rid)| rid).collect();
        // A word with a capital is rarely a name that anybody bears here: then none of it is read.
        let past = if past.is_empty() { past } else { units::of_sources_with(c, &past, &left)? };
        let speaking: HashSet<String> =
            units::texts(c, &past)?.iter().filter_map(|unit| features::label(&unit.text)).collect();
        left.retain(|name| !speaking.contains(name));
    }
    names.retain(|name| !left.contains(name));
    Ok(names)
}

/// Searches each space by words, as scores of different spaces do not compare, and all together by meaning; by time as well, where
/// nothing but a period is asked for; and what is [`past`] with this filter. What it [admits](UnitFilter::admit) is given.
pub(super) fn search(
    c: &Connection,
    spaces: &[SpaceId],
    (question, wanted): (&Question, &Wanted),
    vector: Option<&[f32]>,
    (filter, admitted, past, limit): (&UnitFilter, &Admitted<'_>, &Past<'_>, usize),
    clock: &mut Steps,
) -> Result<Found, Fault> {
    let depth = depth(limit);
    let is_worded = filter.must.is_some() || filter.must_not.is_some();
    let nothing_is_in_use = matches!(admitted, Admitted::Few(few) if few.is_empty());
    let nothing_is_left = nothing_is_in_use && past.by_space.is_empty();
    let nothing_passes = !is_worded && nothing_is_left;
    // Where anything else narrows it down, that may be what nothing passes.
    let others = UnitFilter { must: None, ..filter.clone() };
    let is_ordered = others.is_open() && filter.must.as_deref().is_some_and(words::has_order);
    let lacks_phrase = is_ordered && nothing_is_left;
    let mut lists = Lists::default();
    if let Some(period) = wanted.period.filter(|_| wanted.is_of_period_alone()) {
        lists.period = of_period(c, spaces, (filter, past), wanted.moments(period), depth)?;
    }
    clock.step("filter");
    let with_units = fts::that_have_units(c, spaces)?;
    if let Some(expression) = expression(question, wanted) {
        for space in &with_units {
            lists.words.push(fts::search(c, space, &expression, admitted, depth)?);
        }
        for past in past.by_space.values() {
            lists.words.push(past.search(&expression, depth)?);
        }
    }
    let unheld = unheld(c, &with_units, &wanted.identifiers, (admitted, past))?;
    clock.step("words");
    let meaning = match vector.map(|vector| by_meaning(c, spaces, vector, (admitted, past), depth)) {
        Some(Err(StoreError::Damaged(why))) => {
            tracing::warn!(%why, "meaning is not searched");
            None
        }
        Some(found) => Some(found?),
        None => None,
    };
    let meaning_is_lost = vector.is_some() && meaning.is_none();
    lists.meaning = meaning.unwrap_or_default();
    clock.step("meaning");
    let (past, past_notice) = (past.rids(), past.notice());
    Ok(Found { lists, meaning_is_lost, past, past_notice, nothing_passes, lacks_phrase, unheld })
}

/// The best by meaning of all spaces together, of what is in use and of what is past.
fn by_meaning(
    c: &Connection,
    spaces: &[SpaceId],
    vector: &[f32],
    (admitted, past): (&Admitted<'_>, &Past<'_>),
    limit: usize,
) -> Result<Vec<(i64, f64)>, StoreError> {
    let mut found = vectors::nearest(c, spaces, vector, admitted, limit)?;
    if !past.by_space.is_empty() {
        let past = past.by_space.iter().map(|(space, past)| (space.clone(), past.rids().to_vec())).collect();
        found.extend(vectors::nearest(c, spaces, vector, &Admitted::Few(past), limit)?);
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
    }
    Ok(found)
}

/// The FTS5 expression for the words of a question. Where it asks for nothing but what is of a period, only those that name a date are
/// looked up: what says `week` or `notes` need not be of last week.
fn expression(question: &Question, wanted: &Wanted) -> Option<String> {
    if wanted.is_without(Part::Words) {
        return None;
    }
    if !wanted.is_of_period_alone() {
        return question.match_expression();
    }
    let words = question.words.iter().filter(|word| dates::names_date(word)).cloned().collect();
    Question { words, ..question.clone() }.match_expression()
}

/// Those of the identifiers that nothing that passes holds.
fn unheld(
    c: &Connection,
    spaces: &[SpaceId],
    identifiers: &[String],
    searched: (&Admitted<'_>, &Past<'_>),
) -> Result<Vec<String>, Fault> {
    let mut unheld = Vec::new();
    for identifier in identifiers {
        if !is_held(c, spaces, identifier, searched)? {
            unheld.push(identifier.clone());
        }
    }
    Ok(unheld)
}

/// Whether anything that passes holds an identifier, whatever signs join its parts.
fn is_held(
    c: &Connection,
    spaces: &[SpaceId],
    identifier: &str,
    (admitted, past): (&Admitted<'_>, &Past<'_>),
) -> Result<bool, Fault> {
    let Some(expression) = words::phrase(identifier) else { return Ok(true) };
    for space in spaces {
        if fts::any(c, space, &expression, admitted)? {
            return Ok(true);
        }
    }
    for past in past.by_space.values() {
        if !past.search(&expression, 1)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The newest passages from one moment until before another that pass, one of each memory, and of each mail of a mailbox that is dated.
fn of_period(
    c: &Connection,
    spaces: &[SpaceId],
    (filter, past): (&UnitFilter, &Past<'_>),
    (from, to): (EpochMs, EpochMs),
    limit: usize,
) -> Result<Vec<i64>, Fault> {
    let since = filter.since.max(Some(from));
    let until = Some(filter.until.map_or(to, |until| until.min(to)));
    let within = UnitFilter { since, until, ..filter.clone() };
    Ok(within.newest(c, spaces, &past.rids(), limit)?)
}

/// What is out of use, or cold where that is asked for, and passes, its words too.
pub(super) fn past<'a>(c: &'a Connection, spaces: &[SpaceId], filter: &UnitFilter) -> Result<Past<'a>, Fault> {
    let filter::Past { units, is_cut, cold_is_cut } = filter.past(c, spaces)?;
    let mut by_space: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (space, rid) in units {
        by_space.entry(space).or_default().push(rid);
    }
    let mut by_space: BTreeMap<String, fts::Past<'a>> =
        by_space.into_iter().map(|(space, rids)| (space, fts::Past::of(c, rids))).collect();
    for (expression, wanted) in [(&filter.must, true), (&filter.must_not, false)] {
        let Some(expression) = expression else { continue };
        for past in by_space.values_mut() {
            past.keep(expression, wanted)?;
        }
    }
    let notice = match (is_cut, cold_is_cut) {
        (true, true) => Some(BOTH_ARE_CUT),
        (true, false) => Some(PAST_IS_CUT),
        (false, true) => Some(COLD_IS_CUT),
        (false, false) => None,
    };
    Ok(Past { by_space, notice })
}
