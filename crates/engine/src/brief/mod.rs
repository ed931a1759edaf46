//! Packs: what somebody reads before they work. What belongs there is gathered in the order of its authority, packed within a
//! budget of tokens, cited, and written as one text in which nothing that stands in an item can look like another item.
//!
//! The same rows make the same bytes, and the same pack has the same id while it is kept: no new id comes in. What the clock changes are
//! what holds and what stopped to (relations, facts, knowledge), which day a question means, and how much memories that answered together
//! are still connected, which fades from day to day. A model that searches or reranks counts as well: while it is not there, or too
//! slow, the order of the passages may be another, and the pack says that they were not searched for in every way. Where a work tree is
//! named, what it is at counts too; where none is, nothing on the disk is looked at.

mod count;
mod gather;
mod hydrate;
mod kept;
mod looked;
mod neutral;
mod pack;
mod shown;
mod text;
mod then;
mod warnings;

pub(crate) use hydrate::context_hydrate;
pub(crate) use kept::contexts_list;
pub(crate) use warnings::{warn_of_hits, warning};

use crate::access::Wish;
use crate::drift::WorkTree;
use crate::error::{Fault, Outcome, invalid};
use crate::forget::Door;
use crate::{Caller, Engine};
use count::Counter;
use pack::Packed;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use um_model::access::Right;
use um_model::recall::{Associate, Hit, MemoryRecall, Recalled, ScoreParts};
use um_model::work::*;
use um_model::{EpochMs, ErrorCode, PackId, SpaceId, TraceId};
use um_store::filter::Then;
use um_store::keyed::Key;
use um_store::rejected::{Said, Says};
use um_store::{Connection, contexts, traces};

/// The budget where nothing is said, the least and the greatest, in tokens.
const BUDGET: u32 = 1_200;
const LEAST: u32 = 200;
const MOST: u32 = 32_000;
/// So many passages are looked for.
const PASSAGES: u32 = 12;
/// So many packs are kept at most: of more, those that were handed out longest ago go.
const KEPT: u32 = 2_000;
/// So many of one caller's are kept at most, so that who asks much takes no room from others.
const KEPT_OF_ONE: u32 = 500;
/// Which packer made a pack (`compiled_contexts.compiler_config_version`).
const PACKER: &str = "packer-5";
const DAY_MS: i64 = 86_400_000;

/// Puts together what to read before working, and keeps it for a while as it was handed out. Nothing else is changed by it.
pub(crate) fn context_compile(engine: &Engine, caller: &Caller, request: ContextCompile) -> Outcome<Briefing> {
    // Some clients fill in what a schema says of a field that may be left out.
    match request.as_agent.as_deref().map(str::trim).filter(|named| !named.is_empty()) {
        Some(named) => looked::as_agent(engine, caller, named, &request),
        None => compile(engine, caller, &request, &Value::Null),
    }
}

/// The same for whoever begins a session; `beside` is what else its answer says.
pub(crate) fn compile(engine: &Engine, caller: &Caller, request: &ContextCompile, beside: &Value) -> Outcome<Briefing> {
    let Made { mut pack, found, forgotten } = put_together(engine, caller, request, beside, crate::recall::recall)?;
    if caller.reads() {
        pack.id = keep(engine, caller, (&pack, request.utc_offset), found, forgotten)?;
    }
    Ok(pack)
}

/// How passages are found: whether that leaves a trace.
type Recall = fn(&Engine, &Caller, MemoryRecall) -> Outcome<(Recalled, bool)>;

/// A pack that was not kept yet.
struct Made {
    pack: Briefing,
    found: Found,
    /// The last forgetting when it was read.
    forgotten: i64,
}

/// A pack as a caller reads it.
fn put_together(
    engine: &Engine,
    caller: &Caller,
    request: &ContextCompile,
    beside: &Value,
    recall: Recall,
) -> Outcome<Made> {
    let budget = check_budget(request.budget_tokens)?;
    crate::recall::check_utc_offset(request.utc_offset)?;
    crate::clock::check(&[request.as_of, request.known_at])?;
    let then = Then { as_of: request.as_of, known_at: request.known_at };
    check_then(then, request.workspace.as_deref())?;
    let query = request.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
    query.map_or(Ok(()), crate::recall::check_length)?;
    let reads = caller.reads();
    let reader = caller.wishing(Wish::Use(Right::Read));
    // Meaning is searched by a model, which is asked outside of what is read at one moment.
    let whose = if reads { &reader } else { caller };
    let space = engine
        .read(|c| Ok(crate::scopes::resolve_at(c, whose, request.space.as_deref(), request.session.as_ref())?.space))?;
    let tree = match request.workspace.as_deref().filter(|_| reads) {
        Some(workspace) => Some(WorkTree::named(engine, &reader, &space, workspace)?),
        None => None,
    };
    let counter = Counter::of(request.model.as_deref());
    let policy = request.policy.unwrap_or(Policy::Auto);
    // What is forgotten between the recall and the packing is in neither: then both are done again.
    let (mut packed, found, forgotten) = loop {
        let forgotten = engine.read(|c| Ok(um_store::forget::last(c)?))?;
        let found = match query.filter(|_| reads && policy != Policy::Workspace) {
            Some(query) => passages(|asked| recall(engine, &reader, asked), request, query, space.id.as_str())?,
            None => Found::default(),
        };
        let utc_offset = request.utc_offset;
        let asked = Asked { policy, query, counter, recall: found.recall.clone(), utc_offset, then };
        let packed = engine.read(|c| match um_store::forget::last(c)? == forgotten {
            true => packed(c, (whose, reads), request, &asked, &found.hits, (budget, engine.now())).map(Some),
            false => Ok(None),
        })?;
        if let Some(packed) = packed {
            break (packed, found, forgotten);
        }
    };
    // Files are read where no reader of the database waits for them.
    if let Some(mut tree) = tree {
        packed.compare_by(move |item, metadata| tree.warnings(item, metadata));
    }
    let known = RefCell::default();
    let pack = packed.finish(|pack| shown::to(engine, caller, (beside, &known), pack))?;
    Ok(Made { pack, found, forgotten })
}

/// What is packed, without its text. Whoever only writes is told nothing.
fn packed(
    c: &Connection,
    (whose, reads): (&Caller, bool),
    request: &ContextCompile,
    asked: &Asked<'_>,
    hits: &[Hit],
    (budget, now): (u32, EpochMs),
) -> Result<Packed, Fault> {
    let at = crate::scopes::resolve_at(c, whose, request.space.as_deref(), request.session.as_ref())?;
    let gathered = match reads {
        true => gather::gather(c, whose, &at, asked, hits, now)?,
        false => gather::Gathered::default(),
    };
    let packed = pack::pack(c, (&at, asked), gathered, (budget, now))?;
    // Only a work tree is compared with where the items were written.
    if reads && request.workspace.is_some() { packed.with_metadata(c) } else { Ok(packed) }
}

/// The budget that is asked for.
pub(crate) fn check_budget(asked: Option<u32>) -> Outcome<u32> {
    let budget = asked.unwrap_or(BUDGET);
    match (LEAST..=MOST).contains(&budget) {
        true => Ok(budget),
        false => Err(invalid(format!("A pack has {LEAST} to {MOST} tokens."))),
    }
}

/// Refuses to compare a work tree, which is as it is now, with what there was at another time.
fn check_then(then: Then, workspace: Option<&str>) -> Outcome<()> {
    match then.is_now() || workspace.is_none() {
        true => Ok(()),
        false => Err(invalid("A work tree is compared with what is written of it now.")
            .hint("Leave out workspace, or as_of and known_at.")),
    }
}

/// What a pack is asked for.
struct Asked<'a> {
    policy: Policy,
    query: Option<&'a str>,
    counter: Counter,
    recall: Option<PackRecall>,
    /// How far the clock of whoever asks is ahead of UTC, in minutes.
    utc_offset: i32,
    /// Of which other time than now it tells.
    then: Then,
}

/// What was recalled for a pack.
#[derive(Default)]
struct Found {
    hits: Vec<Hit>,
    recall: Option<PackRecall>,
    /// The spaces that were read.
    spaces: Vec<SpaceId>,
    /// How it was recalled.
    trace: Option<TraceId>,
    /// Whether the question is kept: something that fits it was found.
    keeps_words: bool,
}

/// The passages that answer the question of a request, by its clock and of its time, and how well. One without a word finds none.
fn passages(
    recall: impl FnOnce(MemoryRecall) -> Outcome<(Recalled, bool)>,
    asked: &ContextCompile,
    query: &str,
    space: &str,
) -> Outcome<Found> {
    if crate::recall::words::Question::parse(query).match_expression().is_none() {
        return Ok(Found::default());
    }
    let request = MemoryRecall {
        query: query.to_owned(),
        space: Some(space.to_owned()),
        limit: Some(PASSAGES),
        associated: true,
        utc_offset: asked.utc_offset,
        as_of: asked.as_of,
        known_at: asked.known_at,
        ..MemoryRecall::default()
    };
    let (recalled, keeps_words) = recall(request)?;
    let Recalled { mut hits, associated, abstained, reason, answerability, notices, spaces, trace, .. } = recalled;
    // What is connected with an answer is none of its own: no search found it.
    let beside = |one: Associate| Hit { score_parts: ScoreParts::default(), ..one.hit };
    hits.extend(associated.into_iter().map(beside));
    let recall = Some(PackRecall { abstained, reason, answerability, notices });
    Ok(Found { hits, recall, spaces, trace, keeps_words })
}

/// What somebody asked.
struct Query<'a>(&'a str);

impl Says for Query<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.0));
    }
}

/// Keeps a pack as it was handed out, until it expires. Its days are told by a clock that is so many minutes ahead of UTC.
fn keep(
    engine: &Engine,
    caller: &Caller,
    (pack, utc_offset): (&Briefing, i32),
    found: Found,
    forgotten: i64,
) -> Outcome<Option<PackId>> {
    let keeping = Keeping::of(engine, caller, (pack, utc_offset), found, forgotten);
    engine.write(move |tx| keeping.write(tx))
}

/// A pack that is to be kept.
struct Keeping {
    /// By whom it was asked for.
    caller: Caller,
    key: Key,
    pack: Briefing,
    utc_offset: i32,
    found: Found,
    forgotten: i64,
    now: EpochMs,
}

impl Keeping {
    /// A question that nothing fits is not kept with its pack, as its trace does not keep it.
    fn of(
        engine: &Engine,
        caller: &Caller,
        (pack, utc_offset): (&Briefing, i32),
        found: Found,
        forgotten: i64,
    ) -> Self {
        let pack = if found.keeps_words { pack.clone() } else { without_words(pack.clone()) };
        let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
        Self { caller, key, pack, utc_offset, found, forgotten, now }
    }

    /// `forgotten` is the last forgetting when it was read: what was forgotten since is not kept anew, nor is a question that says what
    /// was. The trace of its recall, which was queued before, leads to it.
    fn write(self, tx: &Connection) -> Result<Option<PackId>, Fault> {
        let Self { caller, key, pack, utc_offset, found, forgotten, now } = self;
        let days = crate::settings::packs_kept_days(tx)?;
        if days == 0 || forgotten != um_store::forget::last(tx)? {
            return Ok(None);
        }
        if let Some(query) = &pack.query {
            match Door::of(&key, &pack.base_space_id).and_of(&found.spaces).pass(tx, Query(query)) {
                Ok(_) => {}
                Err(Fault::Api(error)) if error.code == ErrorCode::Forgotten => return Ok(None),
                Err(other) => return Err(other),
            }
        }
        let until = now + i64::from(days) * DAY_MS;
        let others: Vec<SpaceId> = found.spaces.into_iter().filter(|space| *space != pack.base_space_id).collect();
        let id = contexts::keep(tx, &pack, &caller.actor, (&others, PACKER, utc_offset), (now, until))?;
        contexts::expire(tx, (KEPT, KEPT_OF_ONE), now)?;
        if let Some(trace) = &found.trace {
            traces::went_into(tx, trace, &id)?;
        }
        Ok(Some(id))
    }
}

/// A pack without its question, and without the lines of its text that say words of it.
fn without_words(pack: Briefing) -> Briefing {
    let says = |line: &&str| line.strip_prefix(text::NOTE).is_some_and(crate::recall::says_the_question);
    let full_text: String = pack.full_text.split_inclusive('\n').filter(|line| !says(line)).collect();
    let text_hash = format!("{:x}", Sha256::digest(&full_text));
    Briefing { query: None, full_text, text_hash, ..pack }
}

/// Drops packs that expired, and those beyond what is kept.
pub(crate) fn expire(engine: &Engine) -> Outcome<usize> {
    let now = engine.now();
    engine.write(move |tx| Ok(contexts::expire(tx, (KEPT, KEPT_OF_ONE), now)?))
}
