//! Standing rules: set in versions, inherited by label from the spaces above, and what is pinned beside them.
//!
//! Agents set rules of an authority of 50 at most, and leave those as they are that the person keeps to themselves.

mod pinned;

pub(crate) use pinned::memory_pin;

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::scopes::{self, At};
use crate::{Caller, Engine};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use um_model::capture::Done;
use um_model::health::Event;
use um_model::spaces::Space;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode};
use um_store::blocks::{self, NewBlock};
use um_store::rejected::{Said, Says};
use um_store::{Connection, Transaction};

/// The longest label, rule and reason, in characters; the longest metadata, in bytes of JSON.
const MAX_LABEL: usize = 100;
const MAX_CONTENT: usize = 4_000;
const MAX_REASON: usize = 500;
const MAX_METADATA: usize = 4_000;
/// A space has so many rules in force at most.
const MAX_RULES: u64 = 200;
/// What nobody said another authority of has this one, and what agents set has no more.
const AGENTS_AUTHORITY: u8 = 50;

/// Lists the standing rules of a space.
pub(crate) fn blocks_list(engine: &Engine, caller: &Caller, request: BlocksList) -> Outcome<BlocksListed> {
    engine.read(|c| {
        let at = scopes::resolve_at(c, caller, request.space.as_deref(), None)?;
        let mut pinned = um_store::pinned::of_space(c, &at.space.id)?;
        pinned.iter_mut().for_each(crate::bounded::pinned);
        Ok(BlocksListed {
            blocks: in_force(c, caller, &at, &request, None)?,
            pinned,
            budget: um_store::pinned::budget(c, &at.space.id)?,
        })
    })
}

/// The rules of a place: of two with one label, the one of the nearer space. What was removed hides nothing, and what agents may set
/// hides nothing that is the person's. With `then`, those that were in force at that time, and no others.
pub(crate) fn in_force(
    c: &Connection,
    caller: &Caller,
    at: &At,
    which: &BlocksList,
    then: Option<EpochMs>,
) -> Result<Vec<Block>, Fault> {
    let levels = match which.own_only {
        true => vec![at.space.clone()],
        false => {
            let spaces = scopes::chain(c, caller, &At { session: None, ..at.clone() })?;
            spaces.into_iter().map(|level| level.space).collect()
        }
    };
    let mut labels: BTreeMap<String, bool> = BTreeMap::new();
    let mut found: Vec<Block> = Vec::new();
    for space in &levels {
        let of_space = match then {
            Some(then) => blocks::of_space_at(c, &space.id, then)?,
            None => blocks::of_space(c, &space.id, which.inactive)?,
        };
        let is_hidden = |block: &Block| labels.get(&block.label).is_some_and(|by| *by || !is_the_persons(block));
        let shown: Vec<Block> = of_space.into_iter().filter(|block| !block.is_active || !is_hidden(block)).collect();
        for block in shown.iter().filter(|block| block.is_active) {
            let by_person = block.actor_id.as_str() == um_model::OWNER_AGENT || is_the_persons(block);
            *labels.entry(block.label.clone()).or_default() |= by_person;
        }
        found.extend(shown.into_iter().map(|block| Block { inherited: block.space_id != at.space.id, ..block }));
    }
    // Stable: of equal authority, the nearer space's come first, each space's by label.
    found.sort_by_key(|block| std::cmp::Reverse(block.authority));
    Ok(found)
}

/// Whether agents leave a rule as it is.
fn is_the_persons(block: &Block) -> bool {
    block.read_only || block.authority > AGENTS_AUTHORITY
}

/// All that a request says.
struct Given<'a>(&'a BlockSet);

impl Says for Given<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.0.content.trim()));
        tell(Said::Name(self.0.label.trim()));
        self.0.change_reason.iter().for_each(|reason| tell(Said::Text(reason.trim())));
        self.0.metadata.iter().for_each(|metadata| um_store::rejected::tell_map(metadata, tell));
    }
}

/// Sets a standing rule. What an agent writes that looks like a secret or an order to a model waits for the person.
pub(crate) fn block_set(engine: &Engine, caller: &Caller, request: BlockSet) -> Outcome<BlockSaved> {
    set_if(engine, caller, request, |door, request| {
        crate::held::pass(engine, caller, door, |_| Ok(crate::held::Written::block(request)))
    })
}

/// Sets a standing rule that the person looked at.
pub(crate) fn keep_block(engine: &Engine, caller: &Caller, request: BlockSet) -> Outcome<BlockSaved> {
    set_if(engine, caller, request, |door, _| Ok(door))
}

fn set_if(
    engine: &Engine,
    caller: &Caller,
    request: BlockSet,
    pass: impl FnOnce(Door, &BlockSet) -> Outcome<Door>,
) -> Outcome<BlockSaved> {
    check(&request)?;
    let door = engine.read(|c| {
        let space = scopes::resolve_at(c, caller, request.space.as_deref(), None)?.space;
        let known = blocks::by_label(c, &space.id, request.label.trim())?;
        may_set(caller, &request, known.as_ref())?;
        Door::compared(c, engine.key(), &space.id, &Given(&request))
    })?;
    let door = pass(door, &request)?;
    let (writer, now) = (caller.clone(), engine.now());
    let saved = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, door.space.as_str())?;
        set(tx, &writer, &door, (&request, &space), now)
    })?;
    engine.tell(Event::Work);
    Ok(crate::access::told(caller, saved))
}

fn set(
    tx: &Transaction<'_>,
    caller: &Caller,
    door: &Door,
    (request, space): (&BlockSet, &Space),
    now: um_model::EpochMs,
) -> Result<BlockSaved, Fault> {
    let known = blocks::by_label(tx, &space.id, request.label.trim())?;
    may_set(caller, request, known.as_ref())?;
    let none = Map::new();
    let new = NewBlock {
        space: &space.id,
        actor: &caller.actor,
        label: request.label.trim(),
        content: request.content.trim(),
        authority: request.authority.or(known.as_ref().map(|block| block.authority)).unwrap_or(AGENTS_AUTHORITY),
        read_only: request.read_only.or(known.as_ref().map(|block| block.read_only)).unwrap_or(false),
        change_reason: request.change_reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()),
        metadata: request.metadata.as_ref().or(known.as_ref().map(|block| &block.metadata)).unwrap_or(&none),
    };
    if let Some(known) = known.as_ref().filter(|known| is_so(known, &new)) {
        return Ok(BlockSaved { block: known.clone(), created: false });
    }
    if known.is_none() && blocks::count(tx, &space.id)? >= MAX_RULES {
        return Err(invalid(format!("{} has {MAX_RULES} standing rules already.", space.name))
            .hint("Put what belongs together in one, or remove one.")
            .into());
    }
    let id = blocks::put(tx, &door.pass(tx, new)?, known.as_ref(), now)?;
    let block = blocks::by_id(tx, &id)?.ok_or_else(|| not_found("standing rule", id.as_str()))?;
    let payload = serde_json::json!({ "version": block.version, "authority": block.authority });
    Engine::audit(tx, caller, "block.set", ("core_blocks", id.as_str()), &space.id, payload, now)?;
    Ok(BlockSaved { block, created: true })
}

fn is_so(known: &Block, new: &NewBlock<'_>) -> bool {
    known.content == new.content
        && known.authority == new.authority
        && known.read_only == new.read_only
        && known.metadata == *new.metadata
}

/// An agent leaves alone what the person keeps to themselves, and gives nothing more weight than agents' rules have.
fn may_set(caller: &Caller, request: &BlockSet, known: Option<&Block>) -> Outcome<()> {
    if !caller.is_agent() {
        return Ok(());
    }
    let refused = |says: &str, hint: &str| Err(ApiError::new(ErrorCode::Forbidden, says.to_owned()).hint(hint));
    if known.is_some_and(|known| known.read_only) {
        return refused("That rule is the person's to change.", "Ask them to, or set one with another label.");
    }
    if request.read_only == Some(true) {
        return refused("Only the person says which rules agents leave as they are.", "Leave read_only out.");
    }
    let authority = request.authority.or(known.map(|known| known.authority)).unwrap_or(AGENTS_AUTHORITY);
    if authority > AGENTS_AUTHORITY || known.is_some_and(|known| known.authority > AGENTS_AUTHORITY) {
        return refused(
            "A rule with an authority of more than 50 is the person's to set.",
            "Set one of 50 at most, with another label where the person has set this one.",
        );
    }
    Ok(())
}

fn check(request: &BlockSet) -> Outcome<()> {
    let chars = |text: &str| text.trim().chars().count();
    if !(1..=MAX_LABEL).contains(&chars(&request.label)) {
        return Err(invalid(format!("A standing rule's label has 1 to {MAX_LABEL} characters.")));
    }
    if !(1..=MAX_CONTENT).contains(&chars(&request.content)) {
        return Err(invalid(format!("A standing rule has 1 to {MAX_CONTENT} characters."))
            .hint("Keep what is always read short; put the rest in an entry or a resource."));
    }
    if request.change_reason.as_deref().is_some_and(|reason| chars(reason) > MAX_REASON) {
        return Err(invalid(format!("A reason has at most {MAX_REASON} characters.")));
    }
    if request.authority.is_some_and(|authority| authority > 100) {
        return Err(invalid("A rule's authority is 0 to 100."));
    }
    request.metadata.as_ref().map_or(Ok(()), check_metadata)
}

/// Metadata is small.
pub(crate) fn check_metadata(metadata: &Map<String, Value>) -> Outcome<()> {
    match serde_json::to_string(metadata) {
        Ok(json) if json.len() <= MAX_METADATA => Ok(()),
        _ => Err(invalid(format!("Metadata has at most {MAX_METADATA} bytes of JSON."))),
    }
}

/// Takes a standing rule out of force.
pub(crate) fn block_remove(engine: &Engine, caller: &Caller, request: BlockRemove) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let unknown = || not_found("standing rule", request.block.as_str());
        let block = blocks::by_id(tx, &request.block)?;
        crate::spaces::open(tx, &caller, block.as_ref().map(|block| block.space_id.clone()), unknown)?;
        let block = block.ok_or_else(unknown)?;
        if !block.is_active {
            return Ok(());
        }
        blocks::remove(tx, &block, &caller.actor, now)?;
        let payload = serde_json::json!({ "version": block.version });
        Engine::audit(tx, &caller, "block.removed", ("core_blocks", block.id.as_str()), &block.space_id, payload, now)
    })?;
    engine.tell(Event::Work);
    Ok(Done {})
}
