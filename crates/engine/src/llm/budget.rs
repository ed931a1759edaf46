//! What may be spent in a day, what is spent, and when work that had to wait is tried again. Days are those of UTC, so
//! that no change of the clock's zone gives a day twice.

use crate::Engine;
use crate::error::{Fault, Outcome};
use um_model::EpochMs;
use um_store::{Connection, settings};

const DAY_MS: i64 = 86_400_000;
/// `day:tokens`.
const SPENT: &str = "llm.spent";
/// When what waits is tried again; empty where nothing does.
const NEXT_TRY: &str = "llm.next_try";

fn day(now: EpochMs) -> i64 {
    now.div_euclid(DAY_MS)
}

/// Tokens spent today.
pub(super) fn spent(connection: &Connection, now: EpochMs) -> Result<u64, Fault> {
    let kept = settings::get(connection, SPENT)?.unwrap_or_default();
    let today = kept.split_once(':').filter(|(of, _)| of.parse() == Ok(day(now)));
    Ok(today.and_then(|(_, tokens)| tokens.parse().ok()).unwrap_or_default())
}

/// Adds what was spent.
pub(super) fn charge(engine: &Engine, tokens: u64) -> Outcome<()> {
    let now = engine.now();
    engine.write(move |tx| {
        let total = spent(tx, now)?.saturating_add(tokens);
        Ok(settings::set(tx, SPENT, &format!("{}:{total}", day(now)), now)?)
    })
}

/// When the budget is new.
pub(super) fn next_day(now: EpochMs) -> EpochMs {
    (day(now) + 1) * DAY_MS
}

/// Remembers that work waits until then. An earlier time stays: what is tried too early waits again.
pub(super) fn put_off(engine: &Engine, until: EpochMs) -> Outcome<()> {
    let now = engine.now();
    engine.write(move |tx| {
        let earlier = next_try(tx)?.filter(|at| *at > now && *at < until);
        Ok(settings::set(tx, NEXT_TRY, &earlier.unwrap_or(until).to_string(), now)?)
    })
}

fn next_try(connection: &Connection) -> Result<Option<EpochMs>, Fault> {
    Ok(settings::get(connection, NEXT_TRY)?.and_then(|at| at.parse().ok()))
}

/// Queues what waits for the language model, once its time has come.
pub(crate) fn wake_when_due(engine: &Engine) {
    let now = engine.now();
    let is_due = engine.read(next_try).ok().flatten().is_some_and(|at| at <= now);
    if is_due && engine.write(move |tx| Ok(settings::set(tx, NEXT_TRY, "", now)?)).is_ok() {
        engine.wake_asking();
    }
}
