//! The person looks what an agent would be given.

use super::{Keeping, Made, put_together};
use crate::access::{admitted, as_it_asks};
use crate::error::Outcome;
use crate::{Caller, Engine, findings};
use serde_json::{Value, json};
use um_model::ops::Request as _;
use um_model::work::{Briefing, ContextCompile};
use um_model::{ApiError, ErrorCode};

/// A pack as an agent would be given it now: with what is closed to it left out, and what is hidden from it hidden. Nothing says that the
/// agent asked: its recall leaves no trace, and the pack is kept as the person's.
pub(super) fn as_agent(engine: &Engine, person: &Caller, named: &str, request: &ContextCompile) -> Outcome<Briefing> {
    if person.is_agent() {
        let error = ApiError::new(ErrorCode::Forbidden, "What another agent is given is the person's to look at.");
        return Err(error.hint("Leave out as_agent: what you are given is as you read it."));
    }
    let agent = engine.read(|c| as_it_asks(c, person, named, engine.now()))?;
    let agent = admitted(&agent, ContextCompile::NAME)?;
    let Made { pack, found, forgotten } = put_together(engine, &agent, request, &Value::Null, crate::recall::untraced)?;
    let pack = serde_json::to_value(pack).map_err(unreadable)?;
    let pack = findings::for_agent(engine, ContextCompile::NAME, Ok(pack))?;
    let pack: Briefing = serde_json::from_value(pack).map_err(unreadable)?;
    let mut pack = Briefing { as_agent: Some(agent.actor.clone()), as_agent_name: agent.agent_name.clone(), ..pack };
    let keeping = Keeping::of(engine, person, (&pack, request.utc_offset), found, forgotten);
    let (writer, space, now) = (person.clone(), pack.base_space_id.clone(), engine.now());
    let payload = json!({ "items": pack.items.len(), "tokens": pack.estimated_tokens });
    // Nothing is kept of a look that is not written down.
    pack.id = engine.write(move |tx| {
        let object = ("agents", agent.actor.as_str());
        Engine::audit(tx, &writer, "context.looked_at", object, &space, payload, now)?;
        keeping.write(tx)
    })?;
    Ok(pack)
}

fn unreadable(error: serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Internal, error.to_string())
}
