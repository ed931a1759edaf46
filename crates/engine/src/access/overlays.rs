//! What is read with a space, and why: overlays, and the set that a reader really gets.

use super::agents::{every_space, named, shown};
use super::standing::{Parts, Reached as Found, reach, really};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use um_model::access::*;
use um_model::health::Event;
use um_model::spaces::{Space, path};
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId, SpaceType};
use um_store::{Connection, members, pairing};

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
    let every = every_space(c)?;
    let path_of =
        |id: &SpaceId| every.iter().find(|one| one.id == *id).map(|one| path(&every, one)).unwrap_or_default();
    let members = members::of_space(c, &space.id)?
        .into_iter()
        .map(|one| {
            let name = members::agent_by_id(c, &one.agent)?.map(|agent| agent.name).unwrap_or_default();
            let grants = members::grants(c, &one.agent, now)?;
            Ok(Member { name, membership: shown(&every, &grants, one) })
        })
        .collect::<Result<_, Fault>>()?;
    let overlays = members::overlays(c, &space.id)?
        .into_iter()
        .map(|(id, mode)| Overlay { space: path_of(&id), space_id: id, mode })
        .collect();
    let agent = members::agent_by_id(c, reader)?.ok_or_else(|| not_found("agent", reader.as_str()))?;
    let found = reach(c, &Parts::of(c, reader, &[])?, space)?;
    let spaces: Vec<Space> = found.iter().map(|one| one.space.clone()).collect();
    // What is read with a space is read by whoever a token opens that space for.
    let is_open = !really(c, &agent, std::slice::from_ref(space), Right::Read, now)?.is_empty();
    let written = really(c, &agent, &spaces, Right::Write, now)?;
    let reached = found
        .into_iter()
        .map(|one| {
            let why = match closed(c, &agent, now)?.filter(|_| !is_open) {
                Some(closed) if one.can_read => closed,
                _ => why(c, reader, &one)?,
            };
            Ok(Reached {
                space: path_of(&one.space.id),
                why,
                via: one.via.iter().map(path_of).collect(),
                can_read: one.can_read && is_open,
                can_write: one.can_write && is_open && written.contains(&one.space),
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

/// A role with its article.
fn a_role(role: Role) -> &'static str {
    match role {
        Role::Owner => "an owner",
        Role::Leader => "a leader",
        Role::Member => "a member",
        Role::Observer => "an observer",
    }
}

/// Why an agent reads nothing of what its parts would let it read.
fn closed(c: &Connection, agent: &members::Agent, now: EpochMs) -> Result<Option<String>, Fault> {
    if agent.agent_type != AgentType::Ai {
        return Ok(None);
    }
    let name = &agent.name;
    Ok(Some(match (agent.is_active, pairing::tokens_of(c, &agent.id, now)?.is_empty()) {
        (false, _) => format!("{name} is suspended."),
        (true, true) => format!("{name} has no access at present."),
        (true, false) => format!("No token of {name} opens it."),
    }))
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
        (Some(one), policy) if one.status == MembershipStatus::Active => {
            let is = format!("{name} is {} there", a_role(one.role));
            match !reached.can_read && policy == ReadPolicy::OwnerOnly {
                true => format!("{is}, and only its owner reads it."),
                false => format!("{is}."),
            }
        }
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
        let reached = reach(tx, &Parts::of(tx, &AgentId::owner(), &[])?, &overlay)?;
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
