//! The agents and their parts in spaces: listed, suspended, trusted, given roles.

use super::policy::Wish;
use super::standing::{Parts, really};
use crate::error::{Fault, Outcome, from_io, invalid};
use crate::{Caller, Engine};
use std::collections::BTreeSet;
use std::path::Path;
use um_model::access::*;
use um_model::health::Event;
use um_model::spaces::{Space, path};
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId, SpaceType};
use um_store::{Connection, members, pairing, spaces};

/// Lists the agents.
pub(crate) fn agents_list(engine: &Engine, caller: &Caller, _: AgentsList) -> Outcome<AgentsListed> {
    let now = engine.now();
    engine.read(|c| {
        super::may_act(c, caller)?;
        let every = every_space(c)?;
        let agents = members::agents(c)?
            .into_iter()
            .filter(|agent| agent.agent_type != AgentType::System)
            .map(|agent| info(c, &every, agent, now))
            .collect::<Result<_, _>>()?;
        let waiting = pairing::waiting(c, now - super::pairing::PATIENCE)?;
        let peers = &engine.core().peers;
        let checked = |asked: PairingRequest| PairingRequest { checked: peers.told(&asked.id), ..asked };
        let waiting = waiting.into_iter().map(|asked| with_parts(c, &every, checked(asked), now));
        let waiting = waiting.collect::<Result<_, _>>()?;
        Ok(AgentsListed { agents, waiting })
    })
}

/// A request with what an agent of its name is already, where one has access.
fn with_parts(c: &Connection, every: &[Space], asked: PairingRequest, now: EpochMs) -> Result<PairingRequest, Fault> {
    let known = spaces::agent_named(c, &asked.client_name)?.0;
    let known = known.map(|id| members::agent_by_id(c, &id)).transpose()?.flatten();
    let Some(agent) = known.filter(|agent| agent.agent_type == AgentType::Ai) else { return Ok(asked) };
    if pairing::tokens_of(c, &agent.id, now)?.is_empty() {
        return Ok(asked);
    }
    let AgentInfo { memberships, folders, .. } = info(c, every, agent, now)?;
    Ok(PairingRequest { parts: memberships, folders, ..asked })
}

/// Every space, archived ones too: a part in one is shown by its path.
pub(super) fn every_space(c: &Connection) -> Result<Vec<Space>, Fault> {
    Ok(spaces::all(c)?.into_iter().chain(spaces::archived(c)?).collect())
}

/// An agent as a person sees it.
pub(super) fn info(c: &Connection, every: &[Space], agent: members::Agent, now: EpochMs) -> Result<AgentInfo, Fault> {
    let grants = members::grants(c, &agent.id, now)?;
    let reads = really(c, &agent, &spaces::all(c)?, Right::Read, now)?;
    Ok(AgentInfo {
        reads: reads.iter().filter(|one| one.space_type != SpaceType::Global).map(|one| path(every, one)).collect(),
        memberships: members::of_agent(c, &agent.id)?.into_iter().map(|one| shown(every, &grants, one)).collect(),
        tokens: pairing::tokens_of(c, &agent.id, now)?,
        last_seen_at: pairing::last_seen(c, &agent.id)?,
        id: agent.id,
        name: agent.name,
        agent_type: agent.agent_type,
        trust_weight: agent.trust_weight,
        is_active: agent.is_active,
        profile: agent.profile,
        folders: agent.folders,
        created_at: agent.created_at,
    })
}

/// A membership with its space's path and its grants.
pub(super) fn shown(every: &[Space], grants: &[(SpaceId, Grant)], of: members::Membership) -> Membership {
    let space = every.iter().find(|space| space.id == of.space);
    Membership {
        space: space.map(|space| path(every, space)).unwrap_or_default(),
        grants: grants.iter().filter(|(space, _)| *space == of.space).map(|(_, grant)| *grant).collect(),
        space_id: of.space,
        agent_id: of.agent,
        role: of.role,
        status: of.status,
        trust_weight: of.trust_weight,
    }
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
pub(super) fn is_program(agent: &members::Agent) -> Result<(), Fault> {
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

/// Folders that are opened to an agent, without links, each once.
fn opened(folders: &[String], data_dir: &Path) -> Outcome<Vec<String>> {
    let mut opened = BTreeSet::new();
    for folder in folders {
        let path = Path::new(folder.trim());
        let whole = path.canonicalize().map_err(|e| from_io("Opening", path, &e))?;
        if !path.is_absolute() || !whole.is_dir() {
            return Err(invalid(format!("{} is no whole path of a folder.", path.display())));
        }
        if whole.starts_with(data_dir) {
            return Err(invalid("This belongs to the data folder itself.").hint("It is never brought in."));
        }
        opened.insert(whole.to_string_lossy().into_owned());
    }
    Ok(opened.into_iter().collect())
}

/// Suspends an agent, takes it up again, changes the trust in it, or opens folders to it.
pub(crate) fn agent_edit(engine: &Engine, caller: &Caller, request: AgentEdit) -> Outcome<AgentInfo> {
    trusted(request.trust_weight)?;
    let folders = request.folders.as_deref().map(|all| opened(all, engine.data_dir())).transpose()?;
    let (now, writer) = (engine.now(), caller.clone());
    let (edited, loses) = engine.write(move |tx| {
        super::may_act(tx, &writer)?;
        let before = named(tx, &request.agent)?;
        is_program(&before)?;
        let had = before.folders.clone();
        let agent = members::Agent {
            is_active: request.is_active.unwrap_or(before.is_active),
            trust_weight: request.trust_weight.unwrap_or(before.trust_weight),
            folders: folders.unwrap_or(before.folders),
            profile: request.profile.unwrap_or(before.profile),
            ..before
        };
        members::update_agent(tx, &agent)?;
        if agent.trust_weight.to_bits() != before.trust_weight.to_bits() {
            crate::belief::reweigh(tx, &agent.id, None, now)?;
        }
        let payload = serde_json::json!({ "active": agent.is_active, "trust": agent.trust_weight,
            "folders": agent.folders.len(), "profile": agent.profile });
        let global = um_model::SpaceId::global();
        Engine::audit(tx, &writer, "agent.edited", ("agents", agent.id.as_str()), &global, payload, now)?;
        let loses = !agent.is_active || had.iter().any(|folder| !agent.folders.contains(folder));
        Ok((info(tx, &every_space(tx)?, agent, now)?, loses))
    })?;
    if loses {
        crate::work::stop_calls_of(engine, &edited.id, |_| true);
    }
    crate::belief::settle_marked(engine)?;
    engine.tell(Event::Access);
    engine.tell(Event::Beliefs);
    Ok(edited)
}

/// The refusal without the names of other agents, where an agent asked.
fn without_others(fault: Fault, caller: &Caller) -> Fault {
    match fault {
        Fault::Api(error) if caller.is_agent() => ApiError::new(error.code, error.message)
            .hint("Give the name that the agent calls itself, or its id.")
            .into(),
        fault => fault,
    }
}

/// What an agent is told that manages the members of a space: nothing of the spaces about it, which it may not know.
fn of_itself_alone(access: Access, space: &Space) -> Access {
    let is_there = |one: &Reached| one.space_id == space.id;
    let reached = access.reached.into_iter().filter(is_there).map(|one| Reached { space: space.name.clone(), ..one });
    let named = |mut one: Member| {
        one.membership.space.clone_from(&space.name);
        one
    };
    Access {
        space: space.name.clone(),
        members: access.members.into_iter().map(named).collect(),
        overlays: Vec::new(),
        reached: reached.collect(),
        ..access
    }
}

/// Gives an agent a part in a space, changes it or ends it.
pub(crate) fn membership_set(engine: &Engine, caller: &Caller, request: MembershipSet) -> Outcome<Access> {
    trusted(request.trust_weight)?;
    let (now, writer) = (engine.now(), caller.clone());
    let (access, loses) = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, &request.space)?;
        if writer.is_agent() && (request.grants.is_some() || request.trust_weight.is_some()) {
            return Err(ApiError::new(ErrorCode::Forbidden, "Grants and trust are the person's to give.")
                .hint("Say the role and the status alone.")
                .into());
        }
        if space.space_type == SpaceType::Global {
            return Err(invalid("Every agent reads Global, and none has a part in it.").into());
        }
        let agent = named(tx, &request.agent).map_err(|fault| without_others(fault, &writer))?;
        is_program(&agent)?;
        let before = members::of(tx, &space.id, &agent.id)?;
        let Some(role) = request.role.or_else(|| before.as_ref().map(|one| one.role)) else {
            return Err(invalid(format!("{} has no part in {} yet.", agent.name, space.name))
                .hint("Say which: owner, leader, member or observer.")
                .into());
        };
        let parts = Parts::of(tx, &writer.actor, &writer.grants)?;
        for role in [Some(role), before.as_ref().map(|one| one.role)].into_iter().flatten() {
            if !parts.may(&space, Wish::Manage(role)) {
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
        let had = members::grants(tx, &agent.id, now)?;
        let grants = match (&request.grants, after.status) {
            (_, MembershipStatus::Removed) => Some(&[][..]),
            (grants, _) => grants.as_deref(),
        };
        if let Some(grants) = grants {
            members::set_grants(tx, &space.id, &agent.id, grants, &writer.actor, now)?;
        }
        let has = members::grants(tx, &agent.id, now)?;
        let loses = after.status != MembershipStatus::Active
            || before.as_ref().is_some_and(|one| one.role < role)
            || had.iter().any(|grant| !has.contains(grant));
        if before.and_then(|one| one.trust_weight) != after.trust_weight {
            crate::belief::reweigh(tx, &agent.id, Some(&space.id), now)?;
        }
        let payload = serde_json::json!({ "agent": agent.id, "role": role, "status": after.status,
            "trust": after.trust_weight, "grants": grants });
        let object = ("space_memberships", agent.id.as_str());
        Engine::audit(tx, &writer, "membership.set", object, &space.id, payload, now)?;
        let access = super::overlays::access(tx, &space, &AgentId::owner(), now)?;
        let access = if writer.is_agent() { of_itself_alone(access, &space) } else { access };
        Ok((access, loses.then_some(agent.id)))
    })?;
    if let Some(agent) = loses {
        let is_there = |space: &SpaceId| *space == access.space_id;
        crate::work::stop_calls_of(engine, &agent, |by| by.call.space_id.as_ref().is_none_or(is_there));
    }
    crate::belief::settle_marked(engine)?;
    engine.tell(Event::Access);
    engine.tell(Event::Beliefs);
    Ok(access)
}
