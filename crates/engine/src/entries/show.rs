//! Reading entries: the nearest level wins by type and name (ruling 18).

use super::{find, mark_run_out, place};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::query::MOST;
use crate::recall::words::Question;
use crate::scopes::{Level, chain, resolve_at};
use crate::{Caller, Engine};
use um_model::EpochMs;
use um_model::work::*;
use um_store::Connection;
use um_store::entries::levels::{self, Wanted};
use um_store::entries::{self, Place, clashes, versions};
use um_store::query::{Tags, found};

/// Fetches an entry.
pub(crate) fn entry_get(engine: &Engine, caller: &Caller, request: EntryGet) -> Outcome<EntryGot> {
    let at = request.as_of.unwrap_or_else(|| engine.now());
    engine.read(|c| {
        let mut got = match (&request.id, request.entry_type, &request.name) {
            (Some(id), None, None) => {
                let entry = as_of(c, find(c, caller, id)?, request.as_of)?;
                EntryGot { entry: entry.ok_or_else(|| not_found("entry", id.as_str()))?, overrides: Vec::new() }
            }
            (None, Some(of), Some(name)) => by_name(c, caller, &request, (of, name.trim()))?,
            _ => {
                let hint = "Give its id alone, or its type and its name, and where to look.";
                return Err(invalid("Which entry is meant is not said.").hint(hint).into());
            }
        };
        if let Some(number) = request.version {
            let unknown = || not_found("version of this entry", &number.to_string());
            got.entry.version = versions::by_number(c, &got.entry.id, number)?.ok_or_else(unknown)?;
        }
        mark_run_out([&mut got.entry].into_iter().chain(&mut got.overrides), at);
        Ok(got)
    })
}

/// An entry as it was at a time; none where it was not there yet.
fn as_of(c: &Connection, entry: Entry, at: Option<EpochMs>) -> Result<Option<Entry>, Fault> {
    let Some(at) = at else { return Ok(Some(entry)) };
    let Some(version) = versions::at(c, &entry.id, at)? else { return Ok(None) };
    let is_active = entries::was_in_use(c, &entry.id, at)?;
    let open_conflicts = clashes::open_at(c, (&entry.space_id, &entry.id), at)?;
    Ok(Some(Entry { version, is_active, open_conflicts, ..entry }))
}

fn by_name(
    c: &Connection,
    caller: &Caller,
    request: &EntryGet,
    (of, name): (EntryType, &str),
) -> Result<EntryGot, Fault> {
    let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
    let mut found = Vec::new();
    for level in chain(c, caller, &at)? {
        let entry = entries::by_name(c, place(&level), of, name)?;
        let entry = entry.map(|entry| as_of(c, entry, request.as_of)).transpose()?.flatten();
        let entry = entry.filter(|one| one.is_active || request.inactive);
        found.extend(entry.map(|entry| Entry { level: level.distance, ..entry }));
        if !found.is_empty() && !request.all_levels {
            break;
        }
    }
    let mut found = found.into_iter();
    let unknown = || {
        not_found(of.as_str(), name)
            .hint("entries_list lists what there is; inactive: true looks among those out of use.")
    };
    Ok(EntryGot { entry: found.next().ok_or_else(unknown)?, overrides: found.collect() })
}

/// Lists entries, level by level.
pub(crate) fn entries_list(engine: &Engine, caller: &Caller, request: EntriesList) -> Outcome<EntriesListed> {
    let limit = request.limit.unwrap_or(20).clamp(1, 200) as usize;
    let EntriesList { entry_type, category, inactive, as_of: then, .. } = request;
    let wanted = Wanted { entry_type, category, inactive, as_of: then };
    let text = request.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if text.is_some() {
        crate::query::check_words(text, request.offset as usize + limit)?;
    }
    let words = |text| Question::parse(text).match_expression().ok_or_else(|| invalid("Search for words."));
    let expression = text.map(words).transpose()?;
    let now = engine.now();
    engine.read(|c| {
        let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
        let mut levels = chain(c, caller, &at)?;
        if request.only_here {
            levels.truncate(1);
        }
        let hides = !request.all_levels;
        let asked = (request.offset as usize, limit);
        let page = match &expression {
            Some(expression) => saying(c, &levels, (wanted, expression), hides, asked)?,
            None => page(c, &levels, wanted, hides, asked)?,
        };
        let rids: Vec<i64> = page.rows.iter().map(|(rid, _)| *rid).collect();
        let mut entries = Vec::with_capacity(rids.len());
        for (entry, (_, level)) in entries::by_rids(c, &rids)?.into_iter().zip(page.rows) {
            entries.extend(as_of(c, Entry { level, ..entry }, then)?);
        }
        mark_run_out(&mut entries, then.unwrap_or(now));
        let mut notices = crate::query::cut(page.past_is_cut);
        notices.extend(page.is_cut.then(|| IS_CUT.to_owned()));
        Ok(EntriesListed { entries: crate::bounded::entries(entries), more: page.more, notices })
    })
}

/// What is told where not all that has the words was looked at.
const IS_CUT: &str =
    "So much has one of these words that not all of it was looked at: more may fit. Say more of what you look for.";

/// A page over all levels, the nearest first.
struct Page {
    /// The rids, each with the distance of its level.
    rows: Vec<(i64, u8)>,
    /// Whether there are more.
    more: bool,
    /// Whether not all that has the words was looked at: more may fit than is listed.
    is_cut: bool,
    /// Whether not all was compared with the words that says something else by now.
    past_is_cut: bool,
}

/// A page of those that say some words, or said them then: of each level the best come first. As many are asked for whatever the page
/// is: by that it is chosen which of them are compared, and pages of other orders would skip some and repeat others.
fn saying(
    c: &Connection,
    levels: &[Level],
    (wanted, expression): (Wanted, &str),
    hides: bool,
    (offset, limit): (usize, usize),
) -> Result<Page, Fault> {
    let places: Vec<Place<'_>> = levels.iter().map(place).collect();
    let Wanted { entry_type, category, inactive, as_of } = wanted;
    let types = entry_type.as_ref().map_or(EntryType::ALL, std::slice::from_ref);
    let (tags, end) = (Tags::default(), offset + limit);
    let mut page = Page { rows: Vec::new(), more: false, is_cut: false, past_is_cut: false };
    for (at, level) in levels.iter().enumerate() {
        let nearer = if hides { &places[..at] } else { &[] };
        let asked = found::Wanted { at: places[at], nearer, types, category, inactive, as_of, tags: &tags };
        let said = found::saying(c, &asked, (expression, None), MOST + 1)?;
        page.is_cut |= said.is_cut;
        page.past_is_cut |= said.past_is_cut;
        page.rows.extend(said.rids.into_iter().map(|rid| (rid, level.distance)));
        if page.rows.len() > end {
            break;
        }
    }
    page.more = page.rows.len() > end;
    page.rows = page.rows.into_iter().skip(offset).take(limit).collect();
    Ok(page)
}

/// A page of all. No level is read beyond what the page needs.
fn page(
    c: &Connection,
    levels: &[Level],
    wanted: Wanted,
    hides: bool,
    (mut offset, limit): (usize, usize),
) -> Result<Page, Fault> {
    let places: Vec<Place<'_>> = levels.iter().map(place).collect();
    let mut listed = Vec::new();
    for (at, level) in levels.iter().enumerate() {
        let missing = limit + 1 - listed.len();
        if missing == 0 {
            break;
        }
        let nearer = if hides { &places[..at] } else { &[] };
        let found = levels::page(c, places[at], nearer, wanted, (offset, missing))?;
        // A level that has some of the page has all that comes before it.
        offset = match found.is_empty() && offset > 0 {
            true => offset.saturating_sub(levels::count(c, places[at], nearer, wanted)?),
            false => 0,
        };
        listed.extend(found.into_iter().map(|one| (one.rid, level.distance)));
    }
    let more = listed.len() > limit;
    listed.truncate(limit);
    Ok(Page { rows: listed, more, is_cut: false, past_is_cut: false })
}
