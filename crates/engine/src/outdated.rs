//! Vectors of a model that is in use no more: they go once all is embedded with another one and that is in use, a slice at a time,
//! while nothing waits to be read or embedded, and on from where it was after a restart. So do those of a change of the model that
//! was begun and given up: whoever stopped it can go on with it, until the model before is the one that works here again.

use crate::error::{Fault, Outcome, from_store};
use crate::{Caller, Engine, divergence};
use serde::{Deserialize, Serialize};
use um_model::{EpochMs, SpaceId};
use um_store::{Connection, StoreError, settings, vectors};

/// What is left of them: `system_settings`. Only where it is there does anything go, so that what is embedded with the next model,
/// and is not in use yet, stays.
const LEFT: &str = "vectors.outdated";
/// The model of a change that was begun and has not ended: `system_settings`.
const CHANGE: &str = "vectors.change";
/// So many vectors are looked at in one transaction.
const SLICE: usize = 500;

/// The vectors that are still to be looked at.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Left {
    /// The last one that was (`memory_embeddings.rid`).
    after: i64,
    /// The last one that was there when the model came into use.
    last: i64,
    /// How many went.
    gone: u64,
}

/// Lets the vectors of all other models go, from now on. Called in the transaction in which a model comes into use.
pub(crate) fn begin(tx: &Connection, now: EpochMs) -> Result<(), Fault> {
    settings::remove(tx, CHANGE)?;
    keep(tx, &Left { last: vectors::last(tx)?, ..Left::default() }, now)
}

/// Lets no more of them go: another model begins to embed all anew, or goes on with what it has of it.
pub(crate) fn change(tx: &Connection, model: &str, now: EpochMs) -> Result<(), Fault> {
    settings::remove(tx, LEFT)?;
    Ok(settings::set(tx, CHANGE, model, now)?)
}

/// Whether a change to another model was begun, and the model that works here is the database's own again. While one is under way it
/// is not: the model that works here is the other one.
fn is_given_up(c: &Connection, works: &str) -> Result<bool, StoreError> {
    let changes = settings::get(c, CHANGE)?.is_some_and(|model| model != works);
    Ok(changes && settings::get(c, settings::EMBEDDING_MODEL)?.is_some_and(|own| own == works))
}

/// Lets the next ones go, where there are any. Gives whether it looked at some.
pub(crate) fn go_on(engine: &Engine) -> Outcome<bool> {
    let (now, works) = (engine.now(), engine.providers().embedding.model_id().to_owned());
    let is_none = |c: &Connection| Ok::<_, StoreError>(left(c)?.is_none() && !is_given_up(c, &works)?);
    let waits = |c: &Connection| Ok::<_, StoreError>(is_none(c)? || divergence::busy(c, now)?);
    if engine.store().read(waits).map_err(from_store)? {
        return Ok(false);
    }
    engine.write(move |tx| {
        if is_given_up(tx, &works)? {
            begin(tx, now)?;
        }
        let Some(mut left) = left(tx)? else { return Ok(false) };
        let Some((reached, removed)) = vectors::remove_of_others(tx, (left.after, left.last), SLICE)? else {
            end(tx, &left, now)?;
            return Ok(true);
        };
        left.after = reached;
        left.gone += removed;
        keep(tx, &left, now)?;
        Ok(true)
    })
}

/// What is left; nothing where that cannot be read: then nothing goes.
fn left(c: &Connection) -> Result<Option<Left>, StoreError> {
    Ok(settings::get(c, LEFT)?.and_then(|left| serde_json::from_str(&left).ok()))
}

fn keep(tx: &Connection, left: &Left, now: EpochMs) -> Result<(), Fault> {
    let left = serde_json::json!(left).to_string();
    Ok(settings::set(tx, LEFT, &left, now)?)
}

fn end(tx: &Connection, left: &Left, now: EpochMs) -> Result<(), Fault> {
    settings::remove(tx, LEFT)?;
    if left.gone == 0 {
        return Ok(());
    }
    let model = crate::settings::embedding_model(tx)?;
    let (object, global) = (("models", model.as_str()), SpaceId::global());
    let payload = serde_json::json!({ "vectors": left.gone });
    Engine::audit(tx, &Caller::system("upkeep"), "vectors.removed", object, &global, payload, now)
}
