//! What agents do not see: kinds of findings that a space hides from them while the person still sees them.
//!
//! Whatever leaves for an agent comes through [`for_agent`], as the JSON that it is sent as. Detectors run on it then and
//! there, so that nothing escapes that nobody looked at yet. Offsets in an answer are those of the source, where nothing is
//! hidden.

mod claim;
mod hide;
mod known;
mod text;
mod walk;

pub(crate) use known::Known;

use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use um_model::capture::MediaRead;
use um_model::findings::FindingKind;
use um_model::health::Event;
use um_model::ops::Request;
use um_model::spaces::{SpaceMask, SpaceMasked};
use um_model::{ApiError, ErrorCode, SpaceId};
use um_store::{Connection, space_settings};

/// Kinds that are hidden.
type Kinds = BTreeSet<FindingKind>;

/// Says which kinds a space hides from agents.
pub(crate) fn space_mask(engine: &Engine, caller: &Caller, request: SpaceMask) -> Outcome<SpaceMasked> {
    let (caller, now) = (caller.clone(), engine.now());
    let masked = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &caller, &request.space)?;
        let kinds: Kinds = request.kinds.into_iter().collect();
        space_settings::set(tx, &space.id, space_settings::MASK_KINDS, &kinds, &caller.actor, now)?;
        let payload = serde_json::json!({ "kinds": kinds });
        Engine::audit(tx, &caller, "space.masked", ("memory_spaces", space.id.as_str()), &space.id, payload, now)?;
        Ok(SpaceMasked { space_id: space.id, mask_kinds: kinds.into_iter().collect() })
    })?;
    engine.tell(Event::Spaces);
    Ok(masked)
}

/// What the spaces hide.
struct Masks {
    by_space: BTreeMap<SpaceId, Kinds>,
    /// What any of them hides: for what belongs to no one space.
    any: Kinds,
}

impl Masks {
    fn read(c: &Connection) -> Result<Self, Fault> {
        let mut by_space: BTreeMap<SpaceId, Kinds> =
            space_settings::of_all(c, space_settings::MASK_KINDS)?.into_iter().collect();
        by_space.retain(|_, kinds| !kinds.is_empty());
        let any = by_space.values().flatten().copied().collect();
        Ok(Self { by_space, any })
    }

    /// What is hidden of the things of a space. What all spaces share may come from any of them.
    fn of(&self, space: &SpaceId) -> Kinds {
        if *space == SpaceId::global() {
            return self.any.clone();
        }
        self.by_space.get(space).cloned().unwrap_or_default()
    }
}

/// An answer that is still being made, as it is sent to the caller; nothing where nothing is hidden from the caller. What is looked up for
/// that is `known` when the same answer is made further.
pub(crate) fn hidden_from(
    c: &Connection,
    caller: &Caller,
    known: &mut Known,
    answer: impl FnOnce() -> Value,
) -> Result<Option<Value>, Fault> {
    if !caller.is_agent() {
        return Ok(None);
    }
    let masks = Masks::read(c)?;
    if masks.any.is_empty() {
        return Ok(None);
    }
    let mut answer = answer();
    hide::hide(c, &masks, &mut answer, known)?;
    Ok(Some(answer))
}

/// An answer as an agent gets it. Where it cannot be looked through, the agent gets none.
pub(crate) fn for_agent(engine: &Engine, operation: &str, answer: Outcome<Value>) -> Outcome<Value> {
    engine.read(|c| {
        let masks = Masks::read(c)?;
        if masks.any.is_empty() {
            return Ok(answer);
        }
        if operation == MediaRead::NAME {
            return Err(ApiError::new(ErrorCode::Forbidden, "Some of what is shown there is hidden from agents.")
                .hint("Read the words instead.")
                .into());
        }
        Ok(match answer {
            Ok(mut value) => {
                hide::hide(c, &masks, &mut value, &mut Known::default()).map(|()| value).map_err(ApiError::from)
            }
            Err(error) => Err(hide::hide_in_error(&masks, error)),
        })
    })?
}
