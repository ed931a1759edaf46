//! One question over all that agents work with: what fits is [gathered](gather) from each level, what a nearer level overrides
//! left out, and the rest [scored](score) by what speaks for it.

mod gather;
mod score;

use crate::error::{Fault, Outcome, invalid};
use crate::recall::words::Question;
use crate::scopes::{chain, resolve_at};
use crate::{Caller, Engine};
use gather::{Asked, Candidate};
use um_model::EpochMs;
use um_model::claims::Direction;
use um_model::work::*;
use um_store::entries::{self, versions};
use um_store::filter::Then;
use um_store::query::{KINDS, rows};
use um_store::{Connection, relations};

/// What is looked for where nothing is said.
const USUAL: [ItemType; 4] = [ItemType::Entry, ItemType::CoreBlock, ItemType::Resource, ItemType::Memory];
/// So many of each kind and level are looked at closely, or as many as the page needs: so many at most.
const CLOSELY: usize = 100;
pub(crate) const MOST: usize = 2_000;
/// The longest text, in characters.
const MAX_TEXT: usize = 2_000;

/// What is told where not all was compared that says something else by now, or is out of use.
const PAST_IS_CUT: &str =
    "Not all that changed or went out of use since then was compared with these words. Of a later day, more is.";
/// So many earlier versions are told.
const VERSIONS: usize = 10;

/// Finds items.
pub(crate) fn items_query(engine: &Engine, caller: &Caller, request: ItemsQuery) -> Outcome<ItemsFound> {
    check(&request)?;
    let tags = TagFilter {
        include: crate::tags::names(&request.tags.include)?,
        require: crate::tags::names(&request.tags.require)?,
        exclude: crate::tags::names(&request.tags.exclude)?,
    };
    let now = request.as_of.unwrap_or_else(|| engine.now());
    let gone_by = crate::library::gone_by(engine, Then { as_of: request.as_of, known_at: None });
    engine.read(|c| {
        let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
        let mut levels = chain(c, caller, &at)?;
        if !request.inherit {
            // A session is looked through with its space.
            levels.truncate(1 + usize::from(at.session.is_some()));
        }
        let question = question(request.text.as_deref())?;
        let related = request.related_to.as_ref().map(|to| related(c, caller, to, now)).transpose()?;
        let wanted = (request.offset + limit(&request)) as usize;
        let asked = Asked {
            c,
            request: &request,
            levels: &levels,
            tags: &tags,
            expression: question.as_ref().and_then(Question::match_expression),
            words: question.map(|question| question.words).unwrap_or_default(),
            related,
            closely: wanted.clamp(CLOSELY, MOST),
            gone_by,
        };
        let gathered = asked.gather()?;
        let total = gathered.candidates.len() as u64;
        let mut scored: Vec<(f64, Vec<Why>, Candidate)> = gathered
            .candidates
            .into_iter()
            .map(|one| {
                let why = score::why(&asked, &one, now);
                (score::sum(&why), why, one)
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.order().cmp(&b.2.order())));
        let page = scored.into_iter().skip(request.offset as usize).take(limit(&request) as usize);
        let items = page.map(|one| told(c, &request, one, now)).collect::<Result<_, _>>()?;
        let notices = cut(gathered.past_is_cut);
        Ok(ItemsFound { items, total, total_is_exact: gathered.is_all, notices })
    })
}

/// What words are asked for. A client may fill in what may be left out with nothing; a text without a word finds nothing, and is refused.
fn question(text: Option<&str>) -> Outcome<Option<Question>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let question = Question::parse(text);
    if question.words.is_empty() { Err(invalid("Search for words.")) } else { Ok(Some(question)) }
}

fn check(request: &ItemsQuery) -> Outcome<()> {
    if let Some(other) = request.types.iter().find(|of| !KINDS.contains(of)) {
        let known: Vec<&str> = KINDS.iter().map(|of| of.as_str()).collect();
        return Err(invalid(format!("{other} is not looked for here."))
            .hint(format!("Give some of {}. Facts are found by facts_search.", known.join(", "))));
    }
    check_words(request.text.as_deref(), request.offset as usize + limit(request) as usize)?;
    match request.related_to.as_ref().and_then(|to| to.depth) {
        Some(0 | 6..) => Err(invalid("A relation is followed 1 to 5 steps.")),
        _ => Ok(()),
    }
}

/// That a text is not too long, and the end of a page of what says it not too far.
pub(crate) fn check_words(text: Option<&str>, end: usize) -> Outcome<()> {
    if text.is_some_and(|text| text.chars().count() > MAX_TEXT) {
        return Err(invalid(format!("A text to look for has at most {MAX_TEXT} characters.")));
    }
    if end > MOST {
        return Err(invalid(format!("No more than the first {MOST} are told.")).hint("Say more of what you look for."));
    }
    Ok(())
}

/// What is told where the past was cut.
pub(crate) fn cut(past_is_cut: bool) -> Vec<String> {
    past_is_cut.then(|| PAST_IS_CUT.to_owned()).into_iter().collect()
}

fn limit(request: &ItemsQuery) -> u32 {
    request.limit.unwrap_or(20).clamp(1, 100)
}

/// What is looked for.
fn kinds(request: &ItemsQuery) -> impl Iterator<Item = ItemType> + '_ {
    let wanted = if request.types.is_empty() { &USUAL[..] } else { &request.types };
    KINDS.into_iter().filter(|of| wanted.contains(of))
}

/// What a walk from an item reaches, with the steps to it.
fn related(c: &Connection, caller: &Caller, to: &Related, now: EpochMs) -> Result<Vec<(ItemKey, u8)>, Fault> {
    let key = ItemKey { item_type: to.item_type, id: to.id.clone() };
    let (start, space) = crate::relations::item(c, caller, &key)?;
    let spaces = [space, um_model::SpaceId::global()];
    let way = crate::relations::Way {
        direction: to.direction.unwrap_or(Direction::Both),
        wanted: relations::Wanted { spaces: &spaces, types: &to.relations, at: Some(now), known_at: None },
        depth: to.depth.unwrap_or(2),
    };
    Ok(crate::relations::walk(c, &start, way)?.reached)
}

/// What is told of an item at a time: now, or that which is asked of.
fn told(
    c: &Connection,
    request: &ItemsQuery,
    (score, why, one): (f64, Vec<Why>, Candidate),
    now: EpochMs,
) -> Result<Found, Fault> {
    let row = one.row;
    let tags = rows::tags(c, one.of, &[&row.id], request.as_of)?.remove(&row.id).unwrap_or_default();
    let mut earlier = Vec::new();
    if request.versions && one.of == ItemType::Entry {
        let entry = entries::by_rids(c, &[row.rid])?.into_iter().next();
        for entry in entry.iter() {
            let last = match request.as_of {
                Some(at) => versions::at(c, &entry.id, at)?.map_or(0, |version| version.number),
                None => entry.version.number,
            };
            for number in (1..last).rev().take(VERSIONS) {
                earlier.extend(versions::by_number(c, &entry.id, number)?);
            }
        }
        earlier.iter_mut().for_each(crate::bounded::entry_version);
    }
    let is_knowledge = row.entry_type == Some(EntryType::Knowledge);
    let valid_until = if is_knowledge { versions::valid_until(c, &row.id, request.as_of)? } else { None };
    Ok(Found {
        ran_out: valid_until.is_some_and(|until| until <= now),
        says: rows::says(c, one.of, row.rid, request.as_of)?,
        item: ItemRef { item_type: one.of, id: row.id, space_id: row.space_id.clone(), title: row.title },
        space_id: row.space_id,
        level: one.level,
        entry_type: row.entry_type,
        priority: row.priority,
        is_active: row.is_active,
        updated_at: row.updated_at,
        tags,
        versions: earlier,
        score,
        why,
    })
}
