//! The agents and their parts in spaces: listed, suspended, trusted, given roles.

use super::policy::Wish;
use super::standing::may;
use crate::error::{Fault, Outcome, invalid};
use crate::{Caller, Engine};
use um_model::access::*;
use um_model::health::Event;
use um_model::spaces::path;
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceType};
use um_store::{Connection, members, pairing, spaces};

/// Lists the agents.
pub(crate) fn agents_list(engine: &Engine, caller: &Caller, _: AgentsList) -> Outcome<AgentsListed> {
    let now = engine.now();
    engine.read(|c| {
        super::may_act(c, caller)?;
        let agents = members::agents(c)?
            .into_iter()
            .filter(|agent| agent.agent_type != AgentType::System)
            .map(|agent| info(c, agent, now))
            .collect::<Result<_, _>>()?;
        Ok(AgentsListed { agents, waiting: pairing::waiting(c, now - super::pairing::PATIENCE)? })
    })
}

/// An agent as a person sees it.
pub(super) fn info(c: &Connection, agent: members::Agent, now: EpochMs) -> Result<AgentInfo, Fault> {
    Ok(AgentInfo {
        memberships: members::of_agent(c, &agent.id)?
            .into_iter()
            .map(|one| shown(c, one, now))
            .collect::<Result<_, _>>()?,
        tokens: pairing::tokens_of(c, &agent.id, now)?,
        last_seen_at: pairing::last_seen(c, &agent.id)?,
        id: agent.id,
        name: agent.name,
        agent_type: agent.agent_type,
        trust_weight: agent.trust_weight,
        is_active: agent.is_active,
        created_at: agent.created_at,
    })
}

/// A membership with its space's path and its grants.
pub(super) fn shown(c: &Connection, of: members::Membership, now: EpochMs) -> Result<Membership, Fault> {
    let every: Vec<_> = spaces::all(c)?.into_iter().chain(spaces::archived(c)?).collect();
    let space = every.iter().find(|space| space.id == of.space);
    Ok(Membership {
        space: space.map(|space| path(&every, space)).unwrap_or_default(),
        grants: members::grants(c, &of.space, &of.agent, now)?,
        space_id: of.space,
        agent_id: of.agent,
        role: of.role,
        status: of.status,
        trust_weight: of.trust_weight,
    })
}

/// The one agent that a name or id means.
pub(crate) fn named(c: &Connection, wanted: &str) -> Result<members::Agent, Fault> {
    let wanted = wanted.trim();
    let agents = members::agents(c)?;
    let fits =
        |agent: &&members::Agent| agent.id.as_str() == wanted || agent.name.to_lowercase() == wanted.to_lowercase();
    let names = || agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
    match agents.iter().filter(fits).collect::<Vec<_>>().as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(ApiError::new(ErrorCode::NotFound, format!("There is no agent \"{wanted}\"."))
            .hint(format!("Known agents: {}.", names()))
            .into()),
        several => {
            let ids: Vec<_> = several.iter().map(|agent| agent.id.as_str()).collect();
            Err(ApiError::new(ErrorCode::Ambiguous, format!("More than one agent is named \"{wanted}\"."))
                .hint(format!("Give the id: {}.", ids.join(", ")))
                .into())
        }
    }
}

/// Refuses what would lock the person or the product out.
fn is_program(agent: &members::Agent) -> Result<(), Fault> {
    match agent.agent_type {
        AgentType::Ai => Ok(()),
        AgentType::Human => Err(invalid("You own every space; that cannot be changed.").into()),
        AgentType::System => Err(invalid("The product itself is no agent that can be changed.").into()),
    }
}

fn trusted(weight: Option<f64>) -> Outcome<()> {
    match weight {
        Some(weight) if !(0.0..=1.0).contains(&weight) => Err(invalid("Trust is a number from 0 to 1.")),
        _ => Ok(()),
    }
}

/// Suspends an agent, takes it up again, or changes the trust in it.
pub(crate) fn agent_edit(engine: &Engine, caller: &Caller, request: AgentEdit) -> Outcome<AgentInfo> {
    trusted(request.trust_weight)?;
    let (now, writer) = (engine.now(), caller.clone());
    let edited = engine.write(move |tx| {
        super::may_act(tx, &writer)?;
        let agent = named(tx, &request.agent)?;
        is_program(&agent)?;
        let is_active = request.is_active.unwrap_or(agent.is_active);
        let trust_weight = request.trust_weight.unwrap_or(agent.trust_weight);
        members::update_agent(tx, &agent.id, is_active, trust_weight)?;
        if trust_weight.to_bits() != agent.trust_weight.to_bits() {
            crate::belief::reweigh(tx, &agent.id, None, now)?;
        }
        let payload = serde_json::json!({ "active": is_active, "trust": trust_weight });
        let global = um_model::SpaceId::global();
        Engine::audit(tx, &writer, "agent.edited", ("agents", agent.id.as_str()), &global, payload, now)?;
        info(tx, members::Agent { is_active, trust_weight, ..agent }, now)
    })?;
    engine.tell(Event::Access);
    engine.tell(Event::Beliefs);
    Ok(edited)
}

/// Gives an agent a part in a space, changes it or ends it.
pub(crate) fn membership_set(engine: &Engine, caller: &Caller, request: MembershipSet) -> Outcome<Access> {
    trusted(request.trust_weight)?;
    let (now, writer) = (engine.now(), caller.clone());
    let access = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, &request.space)?;
        if space.space_type == SpaceType::Global {
            return Err(invalid("Every agent reads Global, and none has a part in it.").into());
        }
        let agent = named(tx, &request.agent)?;
        is_program(&agent)?;
        let before = members::of(tx, &space.id, &agent.id)?;
        let Some(role) = request.role.or_else(|| before.as_ref().map(|one| one.role)) else {
            return Err(invalid(format!("{} has no part in {} yet.", agent.name, space.name))
                .hint("Say which: owner, leader, member or observer.")
                .into());
        };
        for role in [Some(role), before.as_ref().map(|one| one.role)].into_iter().flatten() {
            if !may(tx, &writer.actor, &space, Wish::Manage(role), now)? {
                return Err(
                    ApiError::new(ErrorCode::Forbidden, format!("Who is {role} there is not yours to say.")).into()
                );
            }
        }
        let after = members::Membership {
            space: space.id.clone(),
            agent: agent.id.clone(),
            role,
            status: request.status.unwrap_or(MembershipStatus::Active),
            trust_weight: request.trust_weight.or_else(|| before.as_ref().and_then(|one| one.trust_weight)),
        };
        members::put(tx, &after, &writer.actor, now)?;
        let grants = match (&request.grants, after.status) {
            (_, MembershipStatus::Removed) => Some(&[][..]),
            (grants, _) => grants.as_deref(),
        };
        if let Some(grants) = grants {
            members::set_grants(tx, &space.id, &agent.id, grants, &writer.actor, now)?;
        }
        if before.and_then(|one| one.trust_weight) != after.trust_weight {
            crate::belief::reweigh(tx, &agent.id, Some(&space.id), now)?;
        }
        let payload = serde_json::json!({ "agent": agent.id, "role": role, "status": after.status,
            "trust": after.trust_weight, "grants": grants });
        let object = ("space_memberships", agent.id.as_str());
        Engine::audit(tx, &writer, "membership.set", object, &space.id, payload, now)?;
        super::overlays::access(tx, &space, &AgentId::owner(), now)
    })?;
    engine.tell(Event::Access);
    engine.tell(Event::Beliefs);
    Ok(access)
}
