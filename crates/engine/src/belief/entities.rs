//! Entities: listed, shown with all that is believed about them, found in a text, renamed, merged.

use super::key::canonical_name;
use super::resolve::{likeness, means_the_person};
use super::show::complete_then;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use um_model::belief::{ClaimState, MatchType};
use um_model::claims::*;
use um_model::{ApiError, EntityId, ErrorCode, SpaceId, Utf16Span};
use um_store::claims::{self, Side};
use um_store::edges::{self, EdgeFilter};
use um_store::filter::Then;
use um_store::{Connection, entities};
use unicode_segmentation::UnicodeSegmentation;

/// Claims about an entity that its page shows.
const CLAIMS: u32 = 500;
/// Claims of others that name it.
const NAMED_IN: u32 = 200;
/// Its neighbours.
const NEAR: u32 = 200;
/// Memories that name it without a claim.
const MENTIONS: u32 = 20;
/// Entities that may be the same.
const SIMILAR: usize = 8;
/// The longest text whose mentions are found, in characters.
const MAX_TEXT: usize = 10_000;
/// In one text so often words are compared with the names of all entities.
const FUZZY_LOOKS: usize = 150;
/// Names that are nearly borne are looked for in so many spaces: each takes up to [`FUZZY_LOOKS`] looks.
pub(crate) const NEARLY_IN: usize = 8;
/// Of the words of a longer name those that are left alone must be so near an entity's name: `Maya` of `Maya Haldon` is not
/// `Maya Okafor`.
const NEAR_PART: f64 = 0.8;
/// A name has at most so many words.
pub(super) const MAX_NAME_WORDS: usize = 6;

/// Lists entities.
pub(crate) fn entities_list(engine: &Engine, caller: &Caller, request: EntitiesList) -> Outcome<EntitiesListed> {
    engine.read(|c| {
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let ids: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let query = request.query.as_deref().map(canonical_name).filter(|query| !query.is_empty());
        let limit = request.limit.unwrap_or(50).clamp(1, 200);
        let (entities, total) = entities::list(c, &ids, query.as_deref(), &request.types, request.offset, limit)?;
        Ok(EntitiesListed { entities, total })
    })
}

/// The entity that a caller names by id, or by name in a space. A name that may mean several is an error that
/// lists them.
pub(crate) fn named(
    c: &Connection,
    caller: &Caller,
    entity: &str,
    space: Option<&str>,
) -> Result<(EntityId, SpaceId), Fault> {
    let open = crate::spaces::open_to(c, caller)?;
    let is_open = |space: &SpaceId| open.as_ref().is_none_or(|open| open.contains(space));
    // The id of one that is closed is looked up as a name, like that of nobody: it takes as long to find nothing.
    if let Ok(id) = EntityId::parse(entity.trim())
        && let Some(space) = entities::space_of(c, &id)?.filter(is_open)
    {
        crate::spaces::of_item(c, caller, &space, || nobody(entity))?;
        let standing = entities::standing(c, &id)?.map_or(id, |entity| entity.id);
        return Ok((standing, space));
    }
    let canonical = canonical_name(entity);
    let mut found = Vec::new();
    for space in crate::spaces::asked(c, caller, space)? {
        let bearing = entities::by_name(c, &space.id, &canonical)?;
        let exact = bearing.iter().any(|named| named.match_type == MatchType::Exact);
        let fitting = bearing.into_iter().filter(|named| !exact || named.match_type == MatchType::Exact);
        found.extend(fitting.map(|named| (named.id, space.clone())));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|a, b| a.0 == b.0);
    match found.len() {
        1 => Ok(found.remove(0)).map(|(id, space)| (id, space.id)),
        0 if means_the_person(&canonical) && space.is_none() => {
            Err(not_found("entity", entity).hint("You are another person in each space: name the space.").into())
        }
        0 => Err(nobody(entity).into()),
        _ => {
            let candidates: Vec<String> =
                found.iter().map(|(id, space)| format!("{entity} in {} ({id})", space.name)).collect();
            let apart = found.iter().any(|(_, space)| space.id != found[0].1.id) && !means_the_person(&canonical);
            let one = if apart {
                " Where they are one, share each that is not in Global yet: umem entity share ID (entity_share)."
            } else {
                ""
            };
            Err(ApiError::new(ErrorCode::Ambiguous, format!("More than one entity is named \"{entity}\"."))
                .hint(format!("Give the id: {}.{one}", candidates.join(", ")))
                .into())
        }
    }
}

/// An entity that is not there, or not for whoever asks.
fn nobody(entity: &str) -> ApiError {
    not_found("entity", entity).hint("Search the facts for it: it may be written in another way.")
}

/// Tells all that is believed about an entity.
pub(crate) fn entity_get(engine: &Engine, caller: &Caller, request: EntityGet) -> Outcome<EntityDetail> {
    engine.read(|c| {
        let (id, _) = named(c, caller, &request.entity, request.space.as_deref())?;
        let own = entities::space_of(c, &id)?.ok_or_else(|| not_found("entity", id.as_str()))?;
        let spaces = claiming(c, caller, &own, request.space.as_deref())?;
        let entity = entities::by_id(c, &id, &spaces)?.ok_or_else(|| not_found("entity", id.as_str()))?;
        let states: &[ClaimState] =
            if request.history { ClaimState::ALL } else { &[ClaimState::Asserted, ClaimState::Disputed] };
        let then = Then { as_of: request.as_of, known_at: request.known_at };
        let mut claims = claims::of_entity(c, &spaces, &id, Side::Subject, states, then, CLAIMS)?;
        let mut named_in = claims::of_entity(c, &spaces, &id, Side::Object, states, then, NAMED_IN)?;
        complete_then(c, &mut claims, then, None)?;
        complete_then(c, &mut named_in, then, None)?;
        let mut conflicts: Vec<_> =
            claims.iter().chain(&named_in).flat_map(|claim| claim.conflicts.iter().cloned()).collect();
        conflicts.sort();
        conflicts.dedup();
        let merges = entities::merges_of(c, &id, &spaces)?;
        let (mentions, mentions_total) = entities::mentions(c, &id, &spaces, request.mentions_offset, MENTIONS)?;
        let mut looked_in = spaces.clone();
        looked_in.push(SpaceId::global());
        let filter = EdgeFilter { spaces, then, ..EdgeFilter::default() };
        Ok(EntityDetail {
            near: edges::at(c, std::slice::from_ref(&id), &filter, 1, NEAR)?,
            similar: similar(c, &looked_in, &entity)?,
            merges,
            mentions: super::show::mentions(c, mentions)?,
            mentions_total,
            entity,
            claims,
            named_in,
            conflicts,
        })
    })
}

/// The spaces whose knowledge of an entity of the space `own` is shown: its own, or of a global one all that are asked about.
pub(super) fn claiming(
    c: &Connection,
    caller: &Caller,
    own: &SpaceId,
    asked: Option<&str>,
) -> Result<Vec<SpaceId>, Fault> {
    if *own != SpaceId::global() {
        return Ok(vec![own.clone()]);
    }
    Ok(crate::spaces::asked(c, caller, asked)?.into_iter().map(|space| space.id).collect())
}

/// Entities of these spaces that may be the same as one, the likeliest first: those of its own, of `GLOBAL`, and for one that
/// every space may name of whichever space is read.
fn similar(c: &Connection, spaces: &[SpaceId], entity: &Entity) -> Result<Vec<EntityRef>, Fault> {
    let canonical = canonical_name(&entity.name);
    let mut found = Vec::new();
    for space in spaces {
        found.extend(alike(c, space, &canonical, 200)?);
    }
    Ok(likeliest(found).into_iter().map(|(_, other)| other).filter(|other| other.id != entity.id).collect())
}

/// Finds the entities that a text names: by name and alias, the longest words first; a name that is nearly an
/// entity's is a fuzzy match.
pub(crate) fn entities_resolve(
    engine: &Engine,
    caller: &Caller,
    request: EntitiesResolve,
) -> Outcome<EntitiesResolved> {
    if request.text.chars().count() > MAX_TEXT {
        return Err(invalid(format!("The text has at most {MAX_TEXT} characters.")));
    }
    engine.read(|c| {
        let space = crate::spaces::resolve(c, caller, &request.space)?;
        let found = mentions(c, std::slice::from_ref(&space.id), &request.text, true)?.found;
        Ok(EntitiesResolved { mentions: found.into_iter().map(|(_, mention)| mention).collect() })
    })
}

/// The words of a text, each with where it begins.
pub(super) struct Words<'a> {
    text: &'a str,
    pub(super) words: Vec<(usize, &'a str)>,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, words: text.unicode_word_indices().collect() }
    }

    pub(super) fn range(&self, words: &Range<usize>) -> Range<usize> {
        let (last, word) = self.words[words.end - 1];
        self.words[words.start].0..last + word.len()
    }

    fn text(&self, words: &Range<usize>) -> &str {
        &self.text[self.range(words)]
    }

    /// How many words from `at` on stand together and begin with a capital, as names do.
    fn name_run(&self, at: usize) -> usize {
        let together = |at: &usize| *at + 1 < self.words.len() && self.is_joined(*at);
        match self.capitals(at) {
            0 => 0,
            most => 1 + (at..at + most - 1).take_while(together).count(),
        }
    }

    /// Whether nothing stands between a word and the next one but space, or the stop of an initial: `J. Okafor`.
    fn is_joined(&self, at: usize) -> bool {
        let ((begins, word), (next, _)) = (self.words[at], self.words[at + 1]);
        let between = &self.text[begins + word.len()..next];
        let rest = between.strip_prefix('.').filter(|_| word.chars().count() <= 2).unwrap_or(between);
        let marks = |c: char| c.is_whitespace() || matches!(c, '-' | '&' | '\'' | '’');
        rest.chars().all(marks) && rest.matches('\n').count() < 2
    }

    /// Whether a sentence begins with a word, which has its capital for that.
    fn begins_sentence(&self, at: usize) -> bool {
        let before = self.text[..self.words[at].0].trim_end_matches(|c: char| c.is_whitespace() || "\"'“(".contains(c));
        before.is_empty() || before.ends_with(['.', '!', '?', ':', ';']) || at == 0 || !self.is_joined(at - 1)
    }

    /// The words from `at` on that may be one name, the most first.
    fn runs(&self, at: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        (1..=MAX_NAME_WORDS.min(self.words.len() - at)).rev().map(move |count| at..at + count)
    }

    /// The canonical form of some words.
    fn canonical(&self, run: Range<usize>) -> String {
        canonical_name(self.text(&run))
    }

    /// Whether a word looks like a name, or a part of one: it is no small word, and has its capital for nothing else.
    fn may_be_a_name(&self, at: usize) -> bool {
        let capitals = self.capitals(at);
        let is_free = !self.begins_sentence(at) || capitals == self.words.len();
        capitals > 0 && is_free && self.words[at].1.chars().count() > 2
    }

    /// How many words from `at` on begin with a capital, as names do.
    pub(super) fn capitals(&self, at: usize) -> usize {
        self.words[at..].iter().take_while(|(_, word)| word.starts_with(char::is_uppercase)).count()
    }
}

/// Whom a text names.
pub(crate) struct Mentions {
    /// In the order of the text, each with the space that knows it by that: `GLOBAL` for all that know it by nothing else.
    pub(crate) found: Vec<(SpaceId, ResolvedMention)>,
    /// The spaces that bear a name of their own: what `GLOBAL` says is not said for those.
    pub(crate) bearing: BTreeSet<SpaceId>,
    /// Whether there are words that may be nearly a name in one of the spaces in which that was not looked for.
    pub(crate) is_cut: bool,
}

/// Words by their numbers, and whom they may mean.
type Found = (Range<usize>, Vec<ResolutionCandidate>);

/// Whom a text names in some spaces; and whom it `nearly` names where that is wanted, in the first [`NEARLY_IN`] of them.
pub(crate) fn mentions(c: &Connection, spaces: &[SpaceId], text: &str, nearly: bool) -> Result<Mentions, Fault> {
    let words = Words::of(text);
    let all = 0..words.words.len();
    // Most words are nobody's name: which ones are, and where, is asked once for all.
    let names: BTreeSet<String> = all.clone().flat_map(|at| words.runs(at)).map(|run| words.canonical(run)).collect();
    let borne = entities::borne(c, spaces, &names.into_iter().collect::<Vec<_>>())?;
    let bears = |space: &SpaceId| borne.contains_key(space.as_str());
    // A space that bears none of them knows those whom GLOBAL knows: they are looked up once.
    let global = SpaceId::global();
    let of_global = if spaces.iter().all(bears) { Vec::new() } else { exact(c, &global, &words, &borne)? };
    let mut found: Vec<(SpaceId, Found)> = of_global.iter().map(|one| (global.clone(), one.clone())).collect();
    let nearly_in = if nearly { NEARLY_IN } else { 0 };
    for (at, space) in spaces.iter().enumerate() {
        // What GLOBAL itself is asked for stands there already, where any space knows nothing else.
        let is_told = *space == global && !of_global.is_empty();
        let own = if bears(space) && !is_told { exact(c, space, &words, &borne)? } else { Vec::new() };
        let (mut near, mut looks) = (Vec::new(), if at < nearly_in { FUZZY_LOOKS } else { 0 });
        for between in gaps(if bears(space) && !is_told { &own } else { &of_global }, all.end) {
            fuzzy(c, space, &words, between, (&mut near, &mut looks))?;
        }
        found.extend(own.into_iter().chain(near).map(|one| (space.clone(), one)));
    }
    found.sort_by_key(|(_, (at, _))| at.start);
    let is_named = |at: usize| found.iter().any(|(_, (run, _))| run.contains(&at));
    let is_cut = nearly && spaces.len() > nearly_in && all.clone().any(|at| words.may_be_a_name(at) && !is_named(at));
    let mention = |(at, candidates): Found| ResolvedMention {
        text: words.text(&at).to_owned(),
        span: Utf16Span::from_byte_range(text, words.range(&at)),
        candidates,
    };
    let bearing = spaces.iter().filter(|space| **space != global && bears(space)).cloned().collect();
    Ok(Mentions { bearing, found: found.into_iter().map(|(space, one)| (space, mention(one))).collect(), is_cut })
}

/// The names that stand in a text as they are borne in a space, the longest first. `borne` are those that may be, by the space.
fn exact(
    c: &Connection,
    space: &SpaceId,
    words: &Words<'_>,
    borne: &HashMap<String, HashSet<String>>,
) -> Result<Vec<Found>, Fault> {
    let of = [space.as_str(), um_model::GLOBAL].map(|space| borne.get(space));
    let is_borne = |name: &str| of.iter().flatten().any(|names| names.contains(name));
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.words.len() {
        let mut next = at + 1;
        for run in words.runs(at) {
            let name = words.canonical(run.clone());
            let candidates = if is_borne(&name) { bearing(c, space, &name)? } else { Vec::new() };
            if !candidates.is_empty() {
                next = run.end;
                found.push((run, candidates));
                break;
            }
        }
        at = next;
    }
    Ok(found)
}

/// The words that are in no name that was found.
fn gaps(found: &[Found], words: usize) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(found.iter().map(|(at, _)| at.end));
    let ends = found.iter().map(|(at, _)| at.start).chain([words]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty()).collect()
}

/// Adds the names among some words that are nearly borne.
fn fuzzy(
    c: &Connection,
    space: &SpaceId,
    words: &Words<'_>,
    between: Range<usize>,
    (found, looks): (&mut Vec<Found>, &mut usize),
) -> Result<(), Fault> {
    let mut at = between.start;
    while at < between.end {
        let run = at..at + words.name_run(at).min(MAX_NAME_WORDS).min(between.end - at);
        at = run.end.max(at + 1);
        fuzzy_in(c, space, words, &run, (&mut *found, &mut *looks))?;
    }
    Ok(())
}

/// Adds the names in a run of capitals that are nearly borne: the whole run, else its parts, the longest first.
fn fuzzy_in(
    c: &Connection,
    space: &SpaceId,
    words: &Words<'_>,
    run: &Range<usize>,
    (found, looks): (&mut Vec<Found>, &mut usize),
) -> Result<(), Fault> {
    let mut taken: Vec<Range<usize>> = Vec::new();
    for count in (1..=run.len()).rev() {
        for start in run.start..=run.end - count {
            let part = start..start + count;
            if *looks == 0 {
                return Ok(());
            }
            if taken.iter().any(|other| other.start < part.end && part.start < other.end) {
                continue;
            }
            *looks -= 1;
            let mut candidates = nearly(c, space, words.text(&part))?;
            let opener = part.start == run.start + 1 && words.begins_sentence(run.start);
            if !(part.end == run.end && (part.start == run.start || opener)) {
                candidates.retain(|candidate| candidate.confidence >= NEAR_PART);
            }
            if !candidates.is_empty() {
                found.push((part.clone(), candidates));
                taken.push(part);
            }
        }
    }
    Ok(())
}

/// The entities that bear a name, in its canonical form.
fn bearing(c: &Connection, space: &SpaceId, canonical: &str) -> Result<Vec<ResolutionCandidate>, Fault> {
    let found = entities::by_name(c, space, canonical)?;
    Ok(found
        .into_iter()
        .map(|named| ResolutionCandidate {
            entity: named.reference(),
            match_type: named.match_type,
            confidence: if named.match_type == MatchType::Exact { 1.0 } else { 0.9 },
        })
        .collect())
}

/// The entities whose name is nearly some words.
fn nearly(c: &Connection, space: &SpaceId, words: &str) -> Result<Vec<ResolutionCandidate>, Fault> {
    Ok(alike(c, space, &canonical_name(words), 50)?
        .into_iter()
        .map(|(confidence, entity)| ResolutionCandidate { entity, match_type: MatchType::Fuzzy, confidence })
        .collect())
}

/// Entities of a space with nearly that canonical name, the likeliest first. For each word so many are looked at.
fn alike(c: &Connection, space: &SpaceId, canonical: &str, looked_at: u32) -> Result<Vec<(f64, EntityRef)>, Fault> {
    let words: Vec<&str> = canonical.split(' ').filter(|word| word.chars().count() > 2).take(MAX_NAME_WORDS).collect();
    let found = entities::with_words(c, space, &words, looked_at * words.len() as u32)?;
    let alike = |(named, other): (entities::Named, String)| Some((likeness(canonical, &other)?, named.reference()));
    Ok(likeliest(found.into_iter().filter_map(alike).collect()))
}

fn likeliest(mut found: Vec<(f64, EntityRef)>) -> Vec<(f64, EntityRef)> {
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    found.dedup_by(|a, b| a.1.id == b.1.id);
    found.truncate(SIMILAR);
    found
}
