//! What a caller is in a space, looked up and put to the policy. The one way from a caller to yes or no.

use super::policy::{Standing, Wish, allows};
use crate::Caller;
use crate::error::Fault;
use um_model::access::{AgentType, MembershipStatus, OverlayMode, Right, Role};
use um_model::spaces::Space;
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId};
use um_store::{Connection, members, spaces};

/// Overlays reach so far; a longer chain is nothing that a person keeps in mind.
const MAX_HOPS: usize = 16;

/// Refuses an actor that the database does not know or that was suspended.
pub(crate) fn may_act(connection: &Connection, caller: &Caller) -> Result<(), Fault> {
    match members::agent_by_id(connection, &caller.actor)? {
        Some(agent) if agent.is_active => Ok(()),
        Some(_) => Err(ApiError::new(ErrorCode::Forbidden, "This agent is suspended.")
            .hint("The person can take it up again: umem agents resume NAME.")
            .into()),
        None => Err(ApiError::new(ErrorCode::Forbidden, "This agent is not known here.").hint("Pair it first.").into()),
    }
}

/// Whether an agent may do that in a space, by its role, its grants and the space's policies.
pub(crate) fn may(
    connection: &Connection,
    agent: &AgentId,
    space: &Space,
    wish: Wish,
    now: EpochMs,
) -> Result<bool, Fault> {
    let is_human = matches!(
        members::agent_by_id(connection, agent)?.map(|agent| agent.agent_type),
        Some(AgentType::Human | AgentType::System)
    );
    let role = match is_human {
        // There is one person, whose machine it is; the product works in that person's name.
        true => Some(Role::Owner),
        false => members::of(connection, &space.id, agent)?
            .filter(|membership| membership.status == MembershipStatus::Active)
            .map(|membership| membership.role),
    };
    let grants = match wish {
        Wish::Use(_) => Vec::new(),
        _ => members::grants(connection, &space.id, agent, now)?,
    };
    Ok(allows(Standing { role, is_human, grants: &grants }, space.read_policy, space.write_policy, wish))
}

/// Whether a caller may use a space so: its token must open the space, or one through which it is reached.
pub(crate) fn may_use(connection: &Connection, caller: &Caller, space: &Space, right: Right) -> Result<bool, Fault> {
    if !caller.is_agent() {
        return Ok(true);
    }
    if !may(connection, &caller.actor, space, Wish::Use(right), 0)? {
        return Ok(false);
    }
    let Some(opened) = &caller.spaces else { return Ok(true) };
    if space.id == SpaceId::global() || opened.contains(&space.id) {
        return Ok(true);
    }
    for base in opened {
        let Some(base) = spaces::by_id(connection, base.as_str())? else { continue };
        let reached = reach(connection, &caller.actor, &base)?;
        if reached.iter().any(|one| one.space.id == space.id && one.can_use(right)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A space that another includes, directly or not.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    /// The space.
    pub space: Space,
    /// The spaces through which it is reached, the base first.
    pub via: Vec<SpaceId>,
    /// Whether it and all between may be read by the reader.
    pub can_read: bool,
    /// Whether every hop lets it be written to, and the space's policy too.
    pub can_write: bool,
}

impl Reached {
    fn can_use(&self, right: Right) -> bool {
        match right {
            Right::Read => self.can_read,
            Right::Write => self.can_write,
        }
    }
}

/// What is read with a space: the space itself, then what it includes, the nearest first. Each hop is checked for
/// the reader (ruling 18); behind one that is closed nothing is looked at.
pub(crate) fn reach(connection: &Connection, reader: &AgentId, base: &Space) -> Result<Vec<Reached>, Fault> {
    let allowed = |space: &Space, right| may(connection, reader, space, Wish::Use(right), 0);
    let mut reached = vec![Reached {
        can_read: allowed(base, Right::Read)?,
        can_write: allowed(base, Right::Write)?,
        space: base.clone(),
        via: Vec::new(),
    }];
    let mut at = 0;
    while at < reached.len() {
        let from = reached[at].clone();
        at += 1;
        if !from.can_read || from.via.len() >= MAX_HOPS {
            continue;
        }
        for (id, mode) in members::overlays(connection, &from.space.id)? {
            if reached.iter().any(|one| one.space.id == id) {
                continue;
            }
            let Some(space) = spaces::by_id(connection, id.as_str())? else { continue };
            let via = from.via.iter().cloned().chain([from.space.id.clone()]).collect();
            let writes = mode == OverlayMode::ReadWrite && (from.via.is_empty() || from.can_write);
            reached.push(Reached {
                can_read: allowed(&space, Right::Read)?,
                can_write: writes && allowed(&space, Right::Write)?,
                space,
                via,
            });
        }
    }
    Ok(reached)
}
