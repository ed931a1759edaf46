//! Settling many claims without keeping other writers waiting: what an act touches is marked in its own transaction, and
//! settled in turns after it. A service that ends in between goes on with the marks when it starts again.

use super::settle::{Why, settle_all};
use super::words::restate;
use crate::Engine;
use crate::error::{Fault, Outcome};
use std::collections::BTreeSet;
use um_model::{AgentId, ClaimId, EpochMs, SpaceId};
use um_store::claims::{self, Cause};
use um_store::unsettled::{self, Turn};
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
    let claims: Vec<ClaimId> = claims.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    for claims in claims.chunks(TURN) {
        unsettled::keep(tx, &Turn { actor: actor.clone(), claims: claims.to_vec() }, now)?;
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
    while wanted() && engine.read(|c| Ok(unsettled::any(c)?))? {
        let now = engine.now();
        engine.write(move |tx| settle_turn(tx, now))?;
        any = true;
    }
    Ok(any)
}

fn settle_turn(tx: &Connection, now: EpochMs) -> Result<(), Fault> {
    let Some(turn) = unsettled::take(tx)? else { return Ok(()) };
    // One of them may have been purged since.
    let known = claims::by_ids(tx, &turn.claims)?;
    for claim in &known {
        restate(tx, claim)?;
    }
    let why = Why { actor: &turn.actor, now, cause: Cause::Evidence, new_source: false };
    settle_all(tx, known.into_iter().map(|claim| claim.id), &why)
}
