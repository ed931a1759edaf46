//! `agents`, `space_memberships`, `agent_grants`, `space_overlays`: who has which part in which space.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;
use um_model::access::{AgentType, Grant, MembershipStatus, OverlayMode, Role, ToolProfile};
use um_model::{AgentId, EpochMs, SpaceId};

/// A row of `agents`.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// What it calls itself.
    pub name: String,
    /// What it is.
    pub agent_type: AgentType,
    /// The trust in what it says, 0 to 1.
    pub trust_weight: f64,
    /// Whether it may do anything.
    pub is_active: bool,
    /// Folders of the machine that it may bring in files from.
    pub folders: Vec<String>,
    /// The tools that it is shown.
    pub profile: ToolProfile,
    /// When it first came.
    pub created_at: EpochMs,
}

fn agent(row: &Row<'_>) -> StoreResult<Agent> {
    Ok(Agent {
        id: AgentId::parse(row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        agent_type: row.get::<_, String>(2)?.parse()?,
        trust_weight: row.get(3)?,
        is_active: row.get(4)?,
        folders: serde_json::from_str(row.get_ref(5)?.as_str().map_err(rusqlite::Error::from)?)?,
        created_at: row.get(6)?,
        profile: row.get::<_, String>(7)?.parse()?,
    })
}

const AGENT: &str =
    "SELECT id, name, agent_type, default_trust_weight, is_active, folders, created_at, profile FROM agents";

/// An agent by its id.
///
/// # Errors
/// SQLite's.
pub fn agent_by_id(connection: &Connection, id: &AgentId) -> StoreResult<Option<Agent>> {
    connection
        .prepare_cached(&format!("{AGENT} WHERE id = ?1"))?
        .query_row([id.as_str()], |row| Ok(agent(row)))
        .optional()?
        .transpose()
}

/// Every agent, in the order in which they came.
///
/// # Errors
/// SQLite's.
pub fn agents(connection: &Connection) -> StoreResult<Vec<Agent>> {
    connection.prepare_cached(&format!("{AGENT} ORDER BY rid"))?.query_and_then([], agent)?.collect()
}

/// Says whether an agent may do anything, how far it is trusted, the folders that are open to it and the tools that it is shown.
///
/// # Errors
/// SQLite's.
pub fn update_agent(connection: &Connection, agent: &Agent) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE agents SET is_active = ?2, default_trust_weight = ?3, folders = ?4, profile = ?5 WHERE id = ?1",
        )?
        .execute(params![
            agent.id.as_str(),
            agent.is_active,
            agent.trust_weight,
            serde_json::to_string(&agent.folders)?,
            agent.profile.as_str()
        ])?;
    Ok(())
}

/// Closes every folder to an agent.
///
/// # Errors
/// SQLite's.
pub fn close_folders(connection: &Connection, id: &AgentId) -> StoreResult<()> {
    connection.prepare_cached("UPDATE agents SET folders = '[]' WHERE id = ?1")?.execute([id.as_str()])?;
    Ok(())
}

/// A row of `space_memberships`.
#[derive(Debug, Clone, PartialEq)]
pub struct Membership {
    /// The space.
    pub space: SpaceId,
    /// The agent.
    pub agent: AgentId,
    /// What it is there.
    pub role: Role,
    /// Whether that counts.
    pub status: MembershipStatus,
    /// The trust in what it says there, where it is another than elsewhere.
    pub trust_weight: Option<f64>,
}

fn membership(row: &Row<'_>) -> StoreResult<Membership> {
    Ok(Membership {
        space: SpaceId::parse(row.get::<_, String>(0)?)?,
        agent: AgentId::parse(row.get::<_, String>(1)?)?,
        role: row.get::<_, String>(2)?.parse()?,
        status: row.get::<_, String>(3)?.parse()?,
        trust_weight: row.get(4)?,
    })
}

const MEMBERSHIP: &str = "SELECT space_id, agent_id, role, status, trust_weight FROM space_memberships";

/// An agent's part in a space, whether or not it counts.
///
/// # Errors
/// SQLite's.
pub fn of(connection: &Connection, space: &SpaceId, agent: &AgentId) -> StoreResult<Option<Membership>> {
    connection
        .prepare_cached(&format!("{MEMBERSHIP} WHERE space_id = ?1 AND agent_id = ?2"))?
        .query_row([space.as_str(), agent.as_str()], |row| Ok(membership(row)))
        .optional()?
        .transpose()
}

/// All parts in a space, in the order in which they were given, those that ended left out.
///
/// # Errors
/// SQLite's.
pub fn of_space(connection: &Connection, space: &SpaceId) -> StoreResult<Vec<Membership>> {
    connection
        .prepare_cached(&format!("{MEMBERSHIP} WHERE space_id = ?1 AND status <> 'removed' ORDER BY rid"))?
        .query_and_then([space.as_str()], membership)?
        .collect()
}

/// All of an agent's parts, those that ended left out.
///
/// # Errors
/// SQLite's.
pub fn of_agent(connection: &Connection, agent: &AgentId) -> StoreResult<Vec<Membership>> {
    connection
        .prepare_cached(&format!("{MEMBERSHIP} WHERE agent_id = ?1 AND status <> 'removed' ORDER BY rid"))?
        .query_and_then([agent.as_str()], membership)?
        .collect()
}

/// Writes a membership, new or changed.
///
/// # Errors
/// SQLite's.
pub fn put(connection: &Connection, of: &Membership, by: &AgentId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO space_memberships (id, space_id, agent_id, role, status, trust_weight, added_at, added_by_actor)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (space_id, agent_id) DO UPDATE SET role = ?4, status = ?5, trust_weight = ?6",
        )?
        .execute(params![
            new_id(now),
            of.space.as_str(),
            of.agent.as_str(),
            of.role.as_str(),
            of.status.as_str(),
            of.trust_weight,
            now,
            by.as_str()
        ])?;
    Ok(())
}

/// Gives the person and the product their parts back in which they are owners no more: they own every space, and nothing ends that.
/// Returns how many parts it were.
///
/// # Errors
/// SQLite's.
pub fn own_again(connection: &Connection) -> StoreResult<usize> {
    Ok(connection.execute(
        "UPDATE space_memberships SET role = 'owner', status = 'active' WHERE (role <> 'owner' OR status <> 'active')
           AND agent_id IN (SELECT id FROM agents WHERE agent_type <> 'ai')",
        [],
    )?)
}

/// What an agent may do beyond its roles at that time, by space.
///
/// # Errors
/// SQLite's.
pub fn grants(connection: &Connection, agent: &AgentId, now: EpochMs) -> StoreResult<Vec<(SpaceId, Grant)>> {
    grants_since(connection, agent, EpochMs::MIN, now)
}

/// Those of them that were given at `since` or later.
///
/// # Errors
/// SQLite's.
pub fn grants_since(
    connection: &Connection,
    agent: &AgentId,
    since: EpochMs,
    now: EpochMs,
) -> StoreResult<Vec<(SpaceId, Grant)>> {
    connection
        .prepare_cached(
            "SELECT space_id, operation FROM agent_grants WHERE agent_id = ?1 AND revoked_at IS NULL
               AND (expires_at IS NULL OR expires_at > ?2) AND granted_at >= ?3 ORDER BY space_id, operation",
        )?
        .query_and_then(params![agent.as_str(), now, since], |row| {
            let space = SpaceId::parse(row.get::<_, String>(0)?)?;
            // Earlier versions let more be granted, which opened nothing.
            Ok(row.get::<_, String>(1)?.parse().ok().map(|grant| (space, grant)))
        })?
        .filter_map(Result::transpose)
        .collect()
}

/// Makes these an agent's grants in a space, and ends all others. Each is given anew: a grant is that of the tokens that are
/// there when it is given.
///
/// # Errors
/// SQLite's.
pub fn set_grants(
    connection: &Connection,
    space: &SpaceId,
    agent: &AgentId,
    wanted: &[Grant],
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE agent_grants SET revoked_at = ?3 WHERE space_id = ?1 AND agent_id = ?2 AND revoked_at IS NULL",
        )?
        .execute(params![space.as_str(), agent.as_str(), now])?;
    let wanted: BTreeSet<&str> = wanted.iter().map(|grant| grant.as_str()).collect();
    for operation in wanted {
        connection
            .prepare_cached(
                "INSERT INTO agent_grants (id, space_id, agent_id, operation, granted_by, granted_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![new_id(now), space.as_str(), agent.as_str(), operation, by.as_str(), now])?;
    }
    Ok(())
}

/// The spaces that a space includes, in the order in which that was said.
///
/// # Errors
/// SQLite's.
pub fn overlays(connection: &Connection, space: &SpaceId) -> StoreResult<Vec<(SpaceId, OverlayMode)>> {
    connection
        .prepare_cached(
            "SELECT o.overlay_space_id, o.include_mode FROM space_overlays o
             JOIN memory_spaces s ON s.id = o.overlay_space_id AND s.status = 'active'
             WHERE o.space_id = ?1 ORDER BY o.rid",
        )?
        .query_and_then([space.as_str()], |row| {
            Ok((SpaceId::parse(row.get::<_, String>(0)?)?, row.get::<_, String>(1)?.parse()?))
        })?
        .collect()
}

/// Includes a space in another, or says how. Triggers refuse a cycle.
///
/// # Errors
/// [`crate::StoreError::refusal`] for a cycle; SQLite's.
pub fn set_overlay(
    connection: &Connection,
    space: &SpaceId,
    overlay: &SpaceId,
    mode: Option<OverlayMode>,
    by: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    match mode {
        None => connection
            .prepare_cached("DELETE FROM space_overlays WHERE space_id = ?1 AND overlay_space_id = ?2")?
            .execute([space.as_str(), overlay.as_str()])?,
        Some(mode) => connection
            .prepare_cached(
                "INSERT INTO space_overlays (id, space_id, overlay_space_id, include_mode, created_at, created_by_actor)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (space_id, overlay_space_id) DO UPDATE SET include_mode = ?4",
            )?
            .execute(params![new_id(now), space.as_str(), overlay.as_str(), mode.as_str(), now, by.as_str()])?,
    };
    Ok(())
}
