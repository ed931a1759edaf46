//! What the background makes of texts, in the ledger: how much came or changed, never what it says.

use crate::error::Fault;
use crate::{Caller, Engine};
use serde_json::json;
use um_model::{EpochMs, SpaceId};
use um_store::Connection;
use um_store::claims::{Written, written};

/// Does a piece of the background's work, and writes an entry of it where claims or entities came of it, or a claim is held
/// for something else than before.
pub(super) fn told<T>(
    tx: &Connection,
    event_type: &str,
    object: (&str, &str),
    space: &SpaceId,
    now: EpochMs,
    work: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    let before = written(tx)?;
    let done = work()?;
    let after = written(tx)?;
    if after != before {
        let Written { claims, entities, states } = before;
        // What was made and dropped again within the work leaves fewer than before.
        let came = |after: i64, before: i64| (after - before).max(0);
        let payload = json!({
            "claims": came(after.claims, claims),
            "entities": came(after.entities, entities),
            "states": came(after.states, states),
        });
        Engine::audit(tx, &Caller::system("beliefs"), event_type, object, space, payload, now)?;
    }
    Ok(done)
}
