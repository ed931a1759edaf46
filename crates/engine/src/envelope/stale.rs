//! What was observed and nobody confirmed for long is stale (ruling 40: upkeep that tells what it did).

use crate::error::Outcome;
use crate::{Caller, Engine};
use std::collections::{BTreeMap, BTreeSet};
use um_model::health::Event;
use um_model::{EpochMs, MemoryId, SpaceId};
use um_store::envelope::{self, Cutoffs, Unseen};
use um_store::{settings, space_settings};

/// When it was last looked: `system_settings`.
const STALED_AT: &str = "envelope.staled_at";
/// It is looked once a day.
const DAY_MS: i64 = 86_400_000;
/// After so many days, where a space says nothing.
const USUAL_DAYS: u32 = 90;
/// So many memories are told in one step.
const STEP: u32 = 500;

/// Looks for what is stale, where a day has passed since it was last looked; stops where `wanted` says so, and begins anew the
/// next time. Gives whether it looked.
pub(crate) fn stale_when_due(engine: &Engine, wanted: &dyn Fn() -> bool) -> Outcome<bool> {
    let now = engine.now();
    let last = engine.read(|c| Ok(settings::get(c, STALED_AT)?))?.and_then(|at| at.parse::<i64>().ok());
    if last.is_some_and(|last| now - last < DAY_MS) {
        return Ok(false);
    }
    let cutoffs = engine.read(|c| {
        let own: Vec<(SpaceId, u32)> = space_settings::of_all(c, space_settings::STALE_AFTER_DAYS)?;
        let before = |days: u32| now - i64::from(days) * DAY_MS;
        let own = own.into_iter().map(|(space, days)| (space, before(days))).collect();
        Ok(Cutoffs { usual: before(USUAL_DAYS), own })
    })?;
    let (mut staled, mut spaces, mut from) = (0, BTreeSet::new(), EpochMs::MIN);
    loop {
        if !wanted() {
            return Ok(true);
        }
        let found = engine.read(|c| Ok(envelope::unseen(c, &cutoffs, from, STEP)?))?;
        let Some(last) = found.last() else { break };
        from = last.seen_at;
        staled += found.len() as u64;
        spaces.extend(found.iter().map(|one| one.space.clone()));
        set_stale(engine, found, now)?;
    }
    let in_spaces = spaces.len() as u64;
    engine.write(move |tx| {
        settings::set(tx, STALED_AT, &now.to_string(), now)?;
        Ok(envelope::looked(tx, staled, in_spaces, (now, now))?)
    })?;
    if staled > 0 {
        tracing::info!(memories = staled, "memories are stale");
        engine.tell(Event::Library);
    }
    Ok(true)
}

/// Says so of some, with an entry in the ledger for each space.
fn set_stale(engine: &Engine, found: Vec<Unseen>, now: EpochMs) -> Outcome<()> {
    let mut by_space: BTreeMap<SpaceId, Vec<MemoryId>> = BTreeMap::new();
    found.into_iter().for_each(|one| by_space.entry(one.space).or_default().push(one.id));
    engine.write(move |tx| {
        for (space, ids) in by_space {
            envelope::set_stale(tx, &ids)?;
            let payload = serde_json::json!({ "memories": ids.len() });
            let object = ("memory_spaces", space.as_str());
            Engine::audit(tx, &Caller::system("staleness"), "memory.staled", object, &space, payload, now)?;
        }
        Ok(())
    })
}
