//! What a caller is in a space, looked up and put to the policy. The one way from a caller to yes or no.

use super::policy::{Standing, Wish, allows};
use crate::Caller;
use crate::error::Fault;
use um_model::access::{AgentType, Grant, MembershipStatus, OverlayMode, Right, Role};
use um_model::spaces::Space;
use um_model::{AgentId, ApiError, EpochMs, ErrorCode, SpaceId};
use um_store::{Connection, members, pairing, spaces};

/// Overlays reach so far; a longer chain is nothing that a person keeps in mind.
const MAX_HOPS: usize = 16;

/// Refuses an actor that the database does not know, that was suspended, or whose token was taken back since it was let in.
pub(crate) fn may_act(connection: &Connection, caller: &Caller) -> Result<(), Fault> {
    match members::agent_by_id(connection, &caller.actor)? {
        Some(agent) if agent.is_active => match &caller.token {
            Some(token) if pairing::is_revoked(connection, token)? => Err(super::pairing::taken_back()),
            _ => Ok(()),
        },
        Some(_) => Err(ApiError::new(ErrorCode::Forbidden, "This agent is suspended.")
            .hint("The person can take it up again: umem agents resume NAME.")
            .into()),
        None => Err(ApiError::new(ErrorCode::Forbidden, "This agent is not known here.").hint("Pair it first.").into()),
    }
}

/// What somebody is in every space, read once for a request.
pub(crate) struct Parts<'a> {
    is_human: bool,
    roles: Vec<(SpaceId, Role)>,
    grants: &'a [(SpaceId, Grant)],
}

impl<'a> Parts<'a> {
    /// What an agent is, with what it was granted.
    pub(crate) fn of(
        connection: &Connection,
        agent: &AgentId,
        grants: &'a [(SpaceId, Grant)],
    ) -> Result<Parts<'a>, Fault> {
        let agent_type = members::agent_by_id(connection, agent)?.map(|agent| agent.agent_type);
        let is_human = matches!(agent_type, Some(AgentType::Human | AgentType::System));
        let roles = members::of_agent(connection, agent)?
            .into_iter()
            .filter(|part| part.status == MembershipStatus::Active)
            .map(|part| (part.space, part.role))
            .collect();
        Ok(Parts { is_human, roles, grants })
    }

    /// The role that counts in a space.
    fn role(&self, space: &SpaceId) -> Option<Role> {
        self.roles.iter().find(|(id, _)| id == space).map(|(_, role)| *role)
    }

    /// Whether that may be done in a space, by role, grants and the space's policies.
    pub(crate) fn may(&self, space: &Space, wish: Wish) -> bool {
        let role = match self.is_human {
            // There is one person, whose machine it is; the product works in that person's name.
            true => Some(Role::Owner),
            false => self.role(&space.id),
        };
        let grants: Vec<Grant> =
            self.grants.iter().filter(|(id, _)| *id == space.id).map(|(_, grant)| *grant).collect();
        let who = Standing { role, is_human: self.is_human, grants: &grants };
        allows(who, space.read_policy, space.write_policy, wish)
    }
}

/// Whether somebody has more to say in a space than another: the person and the product do, then whoever has the higher role there.
pub(crate) fn outranks(
    connection: &Connection,
    space: &SpaceId,
    who: &AgentId,
    other: &AgentId,
) -> Result<bool, Fault> {
    let who = Parts::of(connection, who, &[])?;
    let other = Parts::of(connection, other, &[])?;
    Ok(match (who.role(space), other.role(space)) {
        _ if who.is_human => true,
        (Some(who), Some(other)) => who < other,
        (who, _) => who.is_some(),
    })
}

/// Those of these spaces in which a caller may do that: its token must open the space, or one through which it is
/// reached. What needs a grant reaches no further than the token.
pub(crate) fn usable(
    connection: &Connection,
    caller: &Caller,
    mut spaces: Vec<Space>,
    wish: Wish,
) -> Result<Vec<Space>, Fault> {
    if !caller.is_agent() {
        return Ok(spaces);
    }
    let parts = Parts::of(connection, &caller.actor, &caller.grants)?;
    spaces.retain(|space| parts.may(space, wish));
    let Some(opened) = &caller.spaces else { return Ok(spaces) };
    let is_opened = |space: &Space| space.id == SpaceId::global() || opened.contains(&space.id);
    let mut through = Vec::new();
    if let Wish::Use(right) = wish
        && !spaces.iter().all(is_opened)
    {
        for base in opened {
            let Some(base) = spaces::by_id(connection, base.as_str())? else { continue };
            through.extend(reach(connection, &parts, &base)?.into_iter().filter(|one| one.can_use(right)));
        }
    }
    spaces.retain(|space| is_opened(space) || through.iter().any(|one| one.space.id == space.id));
    Ok(spaces)
}

/// Those of these spaces that somebody really reads, or writes to: an agent by its tokens in force, while it is not
/// suspended.
pub(crate) fn really(
    connection: &Connection,
    agent: &members::Agent,
    spaces: &[Space],
    right: Right,
    now: EpochMs,
) -> Result<Vec<Space>, Fault> {
    if agent.agent_type != AgentType::Ai {
        return Ok(spaces.to_vec());
    }
    let mut found: Vec<Space> = Vec::new();
    let tokens = if agent.is_active { pairing::tokens_of(connection, &agent.id, now)? } else { Vec::new() };
    for token in tokens.into_iter().filter(|token| token.rights.contains(&right)) {
        let caller = Caller { actor: agent.id.clone(), spaces: Some(token.space_ids), ..Caller::system("access") };
        found.extend(usable(connection, &caller, spaces.to_vec(), Wish::Use(right))?);
    }
    Ok(spaces.iter().filter(|space| found.iter().any(|one| one.id == space.id)).cloned().collect())
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
pub(crate) fn reach(connection: &Connection, reader: &Parts<'_>, base: &Space) -> Result<Vec<Reached>, Fault> {
    let allowed = |space: &Space, right| reader.may(space, Wish::Use(right));
    let mut reached = vec![Reached {
        can_read: allowed(base, Right::Read),
        can_write: allowed(base, Right::Write),
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
                can_read: allowed(&space, Right::Read),
                can_write: writes && allowed(&space, Right::Write),
                space,
                via,
            });
        }
    }
    Ok(reached)
}
