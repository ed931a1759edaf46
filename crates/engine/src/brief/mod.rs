//! Packs: what somebody reads before they work. What belongs there is gathered in the order of its authority, packed within a
//! budget of tokens, cited, and written as one text in which nothing that stands in an item can look like another item.
//!
//! The same rows make the same bytes: no new id comes in, and the clock only tells which relations hold. Where a work tree is named,
//! what it is at counts too; where none is, nothing on the disk is looked at.

mod gather;
mod pack;
mod text;
mod warnings;

pub(crate) use warnings::warning;

use crate::access::Wish;
use crate::drift::WorkTree;
use crate::error::{Outcome, invalid};
use crate::forget::Door;
use crate::{Caller, Engine};
use um_model::access::Right;
use um_model::recall::{Hit, MemoryRecall};
use um_model::work::*;
use um_store::rejected::{Said, Says};

/// The budget where nothing is said, the least and the greatest, in tokens.
const BUDGET: u32 = 1_200;
const LEAST: u32 = 200;
const MOST: u32 = 32_000;
/// The longest question, in characters.
const MAX_QUERY: usize = 2_000;
/// So many passages are looked for.
const PASSAGES: u32 = 12;
/// Which packer made a pack (`compiled_contexts.compiler_config_version`).
const PACKER: &str = "packer-1";
/// How long a pack is kept.
const KEPT_FOR_MS: i64 = 30 * 86_400_000;

/// Puts together what to read before working. Nothing of it is kept: whoever reads writes nothing.
pub(crate) fn context_compile(engine: &Engine, caller: &Caller, request: ContextCompile) -> Outcome<Briefing> {
    compile(engine, caller, &request)
}

/// The same for whoever begins a session.
pub(crate) fn compile(engine: &Engine, caller: &Caller, request: &ContextCompile) -> Outcome<Briefing> {
    let budget = check_budget(request.budget_tokens)?;
    let query = request.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
    if query.is_some_and(|query| query.chars().count() > MAX_QUERY) {
        return Err(invalid("A question has 1 to 2,000 characters."));
    }
    let reads = !caller.is_agent() || caller.rights.contains(&Right::Read);
    let reader = caller.wishing(Wish::Use(Right::Read));
    let asked = Asked { policy: request.policy.unwrap_or(Policy::Auto), query };
    // Meaning is searched by a model, which is asked outside of what is read at one moment.
    let space = engine.read(|c| {
        let wish = if reads { &reader } else { caller };
        Ok(crate::scopes::resolve_at(c, wish, request.space.as_deref(), request.session.as_ref())?.space)
    })?;
    let mut tree = match request.workspace.as_deref().filter(|_| reads) {
        Some(workspace) => Some(WorkTree::named(engine, &reader, &space, workspace)?),
        None => None,
    };
    let hits = match query {
        Some(query) if reads => passages(engine, &reader, query, space.id.as_str())?,
        _ => Vec::new(),
    };
    let mut packed = engine.read(|c| {
        let whose = if reads { &reader } else { caller };
        let at = crate::scopes::resolve_at(c, whose, request.space.as_deref(), request.session.as_ref())?;
        // Whoever only writes is told nothing.
        let gathered = match reads {
            true => gather::gather(c, &reader, &at, &asked, &hits)?,
            false => gather::Gathered::default(),
        };
        let packed = pack::pack(c, (&at, &asked), gathered, (budget, engine.now()))?;
        match tree {
            Some(_) => packed.with_metadata(c),
            None => Ok(packed),
        }
    })?;
    // Files are read where no reader of the database waits for them.
    if let Some(tree) = &mut tree {
        packed.compare(tree);
    }
    Ok(packed.finish())
}

/// The budget that is asked for.
pub(crate) fn check_budget(asked: Option<u32>) -> Outcome<u32> {
    let budget = asked.unwrap_or(BUDGET);
    match (LEAST..=MOST).contains(&budget) {
        true => Ok(budget),
        false => Err(invalid(format!("A pack has {LEAST} to {MOST} tokens."))),
    }
}

/// What a pack is asked for.
struct Asked<'a> {
    policy: Policy,
    query: Option<&'a str>,
}

/// The passages that answer a question. One without a word finds none.
fn passages(engine: &Engine, caller: &Caller, query: &str, space: &str) -> Outcome<Vec<Hit>> {
    if crate::recall::words::Question::parse(query).match_expression().is_none() {
        return Ok(Vec::new());
    }
    let request = MemoryRecall {
        query: query.to_owned(),
        space: Some(space.to_owned()),
        limit: Some(PASSAGES),
        ..MemoryRecall::default()
    };
    Ok(crate::recall::memory_recall(engine, caller, request)?.hits)
}

/// What somebody asked.
struct Query<'a>(&'a str);

impl Says for Query<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.0));
    }
}

/// Keeps a pack as it was handed out, until it expires: for what writes in any case.
pub(crate) fn keep(
    tx: &um_store::Connection,
    key: &um_store::keyed::Key,
    caller: &Caller,
    pack: &Briefing,
    now: um_model::EpochMs,
) -> Result<(), crate::error::Fault> {
    if let Some(query) = &pack.query {
        Door::of(key, &pack.base_space_id).pass(tx, Query(query))?;
    }
    Ok(um_store::contexts::insert(tx, pack, &caller.actor, (&[], PACKER), (now, now + KEPT_FOR_MS))?)
}

/// Drops packs that expired.
pub(crate) fn expire(engine: &Engine) -> Outcome<usize> {
    let now = engine.now();
    engine.write(move |tx| Ok(um_store::contexts::expire(tx, now)?))
}
