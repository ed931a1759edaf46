//! Settling many claims without keeping other writers waiting: what an act touches is marked in its own transaction, and
//! settled in turns after it. A service that ends in between goes on with the marks when it starts again.

use super::ledger::told;
use super::settle::{Why, settle_all};
use super::words::restate;
use crate::Engine;
use crate::error::{Fault, Outcome};
use std::collections::BTreeSet;
use um_model::{AgentId, ClaimId, EpochMs, SpaceId};
use um_store::claims::{self, Cause};
use um_store::unsettled::{self, Queue, Turn};
use um_store::{Connection, StoreError};

/// So many claims are settled in one transaction: a tenth of a second or so.
pub(super) const TURN: usize = 50;

/// Marks claims as to be settled.
pub(crate) fn settle_later(
    tx: &Connection,
    claims: impl IntoIterator<Item = ClaimId>,
    actor: &AgentId,
    now: EpochMs,
) -> Result<(), StoreError> {
    mark(tx, Queue::Settle, claims, actor, now)
}

/// Marks claims as to be judged against those beside them: the worker does that where a model for it is installed.
pub(super) fn judge_later(
    tx: &Connection,
    claims: impl IntoIterator<Item = ClaimId>,
    now: EpochMs,
) -> Result<(), StoreError> {
    mark(tx, Queue::Judge, claims, &AgentId::system(), now)
}

fn mark(
    tx: &Connection,
    queue: Queue,
    claims: impl IntoIterator<Item = ClaimId>,
    actor: &AgentId,
    now: EpochMs,
) -> Result<(), StoreError> {
    let claims: Vec<ClaimId> = claims.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    for claims in claims.chunks(TURN) {
        unsettled::keep(tx, queue, &Turn { actor: actor.clone(), claims: claims.to_vec() }, now)?;
    }
    Ok(())
}

/// Marks every claim that an agent's words carry: the trust in it changed, everywhere or in a space.
pub(crate) fn reweigh(
    tx: &Connection,
    agent: &AgentId,
    space: Option<&SpaceId>,
    now: EpochMs,
) -> Result<(), StoreError> {
    settle_later(tx, um_store::evidence::claims_of_actor(tx, agent, space)?, &AgentId::system(), now)
}

/// Settles all that is marked.
pub(crate) fn settle_all_marked(engine: &Engine) -> Outcome<()> {
    settle_marked(engine, &|| true).map(drop)
}

/// Settles what is marked, in turns, until nothing is or `wanted` says so. Gives whether anything was.
pub(super) fn settle_marked(engine: &Engine, wanted: &dyn Fn() -> bool) -> Outcome<bool> {
    let mut any = false;
    while wanted() && engine.read(|c| Ok(unsettled::any(c, Queue::Settle)?))? {
        let now = engine.now();
        engine.write(move |tx| settle_turn(tx, now))?;
        any = true;
    }
    Ok(any)
}

/// Settles, in turns, what one act marked and nothing else: what others left is for the worker.
pub(super) fn settle_marked_by(engine: &Engine, act: Marked) -> Outcome<()> {
    for mark in act.0 {
        let now = engine.now();
        engine.write(move |tx| match unsettled::take_one(tx, &mark)? {
            Some(turn) => settle_claims(tx, turn, now),
            None => Ok(()),
        })?;
    }
    Ok(())
}

/// What an act marked as to be settled.
pub(super) struct Marked(Vec<String>);

/// Does something, and tells what it marked as to be settled.
pub(super) fn marking<T>(tx: &Connection, act: impl FnOnce() -> Result<T, Fault>) -> Result<(T, Marked), Fault> {
    let before = unsettled::last(tx)?;
    let done = act()?;
    Ok((done, Marked(unsettled::after(tx, Queue::Settle, before)?)))
}

fn settle_turn(tx: &Connection, now: EpochMs) -> Result<(), Fault> {
    match unsettled::take(tx, Queue::Settle)? {
        Some(turn) => settle_claims(tx, turn, now),
        None => Ok(()),
    }
}

fn settle_claims(tx: &Connection, turn: Turn, now: EpochMs) -> Result<(), Fault> {
    // One of them may have been purged since.
    let known = claims::by_ids(tx, &turn.claims)?;
    // Of what was forgotten there are no words.
    for claim in known.iter().filter(|claim| !claim.is_forgotten()) {
        restate(tx, claim)?;
    }
    let Some(first) = known.first() else { return Ok(()) };
    let (object, space) = (first.id.clone(), first.space_id.clone());
    let why = Why { actor: &turn.actor, now, cause: Cause::Evidence, new_source: false };
    let ids: Vec<ClaimId> = known.into_iter().map(|claim| claim.id).collect();
    told(tx, "beliefs.settled", ("claims", object.as_str()), &space, now, || settle_all(tx, ids, &why))
}
