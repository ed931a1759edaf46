//! Clearing the data folder of what is left outside of the tables, and searching it. Whoever reads the database for long keeps
//! its log from being emptied: then the keeper tries again.

use super::proof::Probes;
use crate::engine::lock;
use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use std::time::Instant;
use um_model::forget::{ForgetProof, Searching};
use um_model::health::Event;
use um_model::{EpochMs, SpaceId};
use um_store::StoreError;
use um_store::forget::Status;

/// It is tried again after so many milliseconds.
const AGAIN_MS: i64 = 2_000;
/// So much later where something else was in the way than a reader.
const LATER_MS: i64 = 60_000;

/// A forgetting whose rows are gone.
pub(crate) struct Clearing {
    /// Its id; none where rows went by another way, and nobody waits for a proof.
    pub(super) id: Option<String>,
    pub(super) caller: Caller,
    /// In whose full text the rows stood.
    pub(super) spaces: Vec<SpaceId>,
    /// What is looked for; none where nobody knows it any more.
    pub(super) probes: Option<Probes>,
    pub(super) status: Status,
    pub(super) begun: Instant,
    /// When it was tried last; 0 before that.
    pub(super) tried_at: EpochMs,
}

/// Comes to the end of a forgetting, or leaves that to the keeper. Gives the proof.
pub(super) fn finish(engine: &Engine, clearing: Clearing) -> Outcome<ForgetProof> {
    let is_first_try = clearing.tried_at == 0;
    match clear(engine, &clearing) {
        Ok(proof) => {
            if let Some(id) = &clearing.id {
                super::run::end(engine, &clearing.caller, id, clearing.status, proof.clone())?;
            }
            engine.tell(Event::Jobs);
            Ok(proof)
        }
        Err(Fault::Store(StoreError::Busy)) => {
            // The separators are done; only the log is left to be emptied.
            let spaces = Vec::new();
            later(engine, Clearing { tried_at: engine.now(), spaces, ..clearing }, is_first_try);
            Ok(waits())
        }
        Err(fault) => {
            // A full disk or a file that cannot be read may be mended: it is tried again, less often.
            let tried_at = engine.now() + LATER_MS;
            later(engine, Clearing { tried_at, ..clearing }, is_first_try);
            Err(fault.into())
        }
    }
}

/// Leaves it to the keeper, who looks at other times where there is such work, and need not be woken where it tried itself.
fn later(engine: &Engine, clearing: Clearing, is_first_try: bool) {
    lock(&engine.core().clearings).push(clearing);
    if is_first_try {
        engine.wake();
    }
}

/// The same for rows that went by another way: what they said is in no page any more.
pub(super) fn finish_quietly(engine: &Engine, caller: &Caller, spaces: Vec<SpaceId>) -> Outcome<()> {
    let (caller, begun) = (caller.clone(), Instant::now());
    let clearing = Clearing { id: None, caller, spaces, probes: None, status: Status::Done, begun, tried_at: 0 };
    finish(engine, clearing).map(drop)
}

/// A proof that is still to come.
pub(super) fn waits() -> ForgetProof {
    ForgetProof { searching: Searching::Waits, ..ForgetProof::default() }
}

/// Goes on with what could not be ended. Gives whether some is left.
pub(crate) fn go_on(engine: &Engine) -> bool {
    let now = engine.now();
    let due: Vec<Clearing> =
        lock(&engine.core().clearings).extract_if(.., |clearing| now - clearing.tried_at >= AGAIN_MS).collect();
    for clearing in due {
        if let Err(error) = finish(engine, clearing) {
            tracing::error!(%error, "the data folder cannot be cleared of what was forgotten");
        }
    }
    !lock(&engine.core().clearings).is_empty()
}

/// Where the database still has some of it in pages that it does not use, the database is written anew.
fn clear(engine: &Engine, clearing: &Clearing) -> Result<ForgetProof, Fault> {
    crate::access::forget_requests(engine);
    engine.store().scrub(clearing.spaces.clone(), false)?;
    let mut proof = match &clearing.probes {
        Some(probes) => probes.search(engine)?,
        None => ForgetProof { searching: Searching::Never, ..ForgetProof::default() },
    };
    if let Some(probes) = clearing.probes.as_ref().filter(|_| proof.left > 0) {
        engine.store().scrub(Vec::new(), true)?;
        proof = ForgetProof { rewritten: true, ..probes.search(engine)? };
    }
    proof.took_ms = clearing.begun.elapsed().as_millis() as u64;
    Ok(proof)
}
