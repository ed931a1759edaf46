//! What is read with a space, and why: overlays, and the set that a reader really gets.

use super::agents::{named, shown};
use super::standing::{Reached as Found, reach};
use crate::error::{Fault, Outcome, invalid};
use crate::{Caller, Engine};
use um_model::access::*;
use um_model::health::Event;
use um_model::spaces::{Space, path};
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId, SpaceType};
use um_store::{Connection, members, spaces};

/// Tells who may read and write a space, and what is read with it.
pub(crate) fn access_get(engine: &Engine, caller: &Caller, request: AccessGet) -> Outcome<Access> {
    let now = engine.now();
    engine.read(|c| {
        let space = crate::spaces::resolve(c, caller, &request.space)?;
        let reader = match &request.agent {
            Some(agent) => named(c, agent)?.id,
            None => caller.actor.clone(),
        };
        access(c, &space, &reader, now)
    })
}

/// Who may read and write a space, and what that reader reads with it.
pub(super) fn access(c: &Connection, space: &Space, reader: &AgentId, now: EpochMs) -> Result<Access, Fault> {
    let every = spaces::all(c)?;
    let path_of =
        |id: &SpaceId| every.iter().find(|one| one.id == *id).map(|one| path(&every, one)).unwrap_or_default();
    let members = members::of_space(c, &space.id)?
        .into_iter()
        .map(|one| {
            let name = members::agent_by_id(c, &one.agent)?.map(|agent| agent.name).unwrap_or_default();
            Ok(Member { name, membership: shown(c, one, now)? })
        })
        .collect::<Result<_, Fault>>()?;
    let overlays = members::overlays(c, &space.id)?
        .into_iter()
        .map(|(id, mode)| Overlay { space: path_of(&id), space_id: id, mode })
        .collect();
    let reached = reach(c, reader, space)?
        .into_iter()
        .map(|one| {
            Ok(Reached {
                space: path_of(&one.space.id),
                why: why(c, reader, &one)?,
                via: one.via.iter().map(path_of).collect(),
                can_read: one.can_read,
                can_write: one.can_write,
                space_id: one.space.id,
            })
        })
        .collect::<Result<_, Fault>>()?;
    Ok(Access {
        space_id: space.id.clone(),
        space: path_of(&space.id),
        read_policy: space.read_policy,
        write_policy: space.write_policy,
        members,
        overlays,
        reached,
    })
}

/// Why a reader may read a space, or may not.
fn why(c: &Connection, reader: &AgentId, reached: &Found) -> Result<String, Fault> {
    let agent = members::agent_by_id(c, reader)?;
    let name = agent.as_ref().map_or("It", |agent| agent.name.as_str());
    if agent.as_ref().is_some_and(|agent| agent.agent_type != AgentType::Ai) {
        return Ok("You own it.".to_owned());
    }
    let membership = members::of(c, &reached.space.id, reader)?;
    Ok(match (&membership, reached.space.read_policy) {
        (Some(one), _) if one.status == MembershipStatus::Suspended => format!("{name}'s part in it is suspended."),
        (_, ReadPolicy::Public) => "Every agent that was let in may read it.".to_owned(),
        (Some(one), policy) if one.status == MembershipStatus::Active => match reached.can_read {
            true => format!("{name} is {} there.", one.role),
            false if policy == ReadPolicy::OwnerOnly => {
                format!("{name} is {} there, and only its owner reads it.", one.role)
            }
            false => format!("{name} is {} there.", one.role),
        },
        _ => format!("{name} has no part in it."),
    })
}

/// Includes what another space holds in what is read of a space, or ends that.
pub(crate) fn overlay_set(engine: &Engine, caller: &Caller, request: OverlaySet) -> Outcome<Access> {
    let (now, writer) = (engine.now(), caller.clone());
    let access = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, &request.space)?;
        let overlay = crate::spaces::resolve(tx, &writer, &request.overlay)?;
        if [&space, &overlay].iter().any(|one| one.space_type == SpaceType::Global) {
            return Err(invalid("What Global names is read everywhere; it takes part in no overlay.").into());
        }
        if space.id == overlay.id {
            return Err(invalid("A space needs no overlay to be read with itself.").into());
        }
        let reached = reach(tx, &AgentId::owner(), &overlay)?;
        if request.mode.is_some() && reached.iter().any(|one| one.space.id == space.id) {
            let message = format!("{} includes {} already, so this would go in a circle.", overlay.name, space.name);
            return Err(ApiError::new(ErrorCode::Conflict, message).hint("End that overlay first.").into());
        }
        members::set_overlay(tx, &space.id, &overlay.id, request.mode, &writer.actor, now)?;
        let payload = serde_json::json!({ "overlay": overlay.id, "mode": request.mode });
        Engine::audit(tx, &writer, "overlay.set", ("memory_spaces", space.id.as_str()), &space.id, payload, now)?;
        self::access(tx, &space, &AgentId::owner(), now)
    })?;
    engine.tell(Event::Access);
    engine.tell(Event::Library);
    Ok(access)
}
