//! Files that an agent holds, so that no other works on them meanwhile.

use crate::{AgentId, EpochMs, LockId, SessionId, SpaceId};
use serde::{Deserialize, Serialize};

/// A file that an agent holds, or held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Lock {
    /// Its id.
    pub id: LockId,
    /// The space it is held in.
    pub space_id: SpaceId,
    /// The file, below the root of the space where it has one.
    pub path: String,
    /// Who holds it.
    pub agent_id: AgentId,
    /// What they are called.
    pub agent: String,
    /// The session that it is held for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// What for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Since when.
    pub checked_out_at: EpochMs,
    /// When it is free by itself.
    pub expires_at: EpochMs,
    /// When it was let go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released_at: Option<EpochMs>,
    /// Whether the person took it away.
    pub was_forced: bool,
}

/// Takes a file, or holds it longer. It is refused while another agent holds it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LockCheckout {
    /// Name, path, id or scope of the space; where neither this nor a session is given, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The session that it is held for; it is let go when that ends.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The file: a path below the root of the space, or a whole one, at most 1,000 bytes.
    pub path: String,
    /// For so long, in milliseconds: a minute to a day; half an hour where nothing is said.
    #[serde(default)]
    pub ttl_ms: Option<EpochMs>,
    /// What for, at most 500 bytes.
    #[serde(default)]
    pub note: Option<String>,
}

/// Lets a file go: by the lock's id, or by its path.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LockCheckin {
    /// The id of the lock.
    #[serde(default)]
    pub lock: Option<LockId>,
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// The file.
    #[serde(default)]
    pub path: Option<String>,
}

/// Lists files that are held, the latest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LocksList {
    /// Name, path, id or scope of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Those that were let go as well.
    #[serde(default)]
    pub released: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Files that are held.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LocksListed {
    /// Them.
    pub locks: Vec<Lock>,
    /// Whether there are more.
    pub more: bool,
}

/// Takes a file away from whoever holds it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LockForce {
    /// The id of the lock.
    pub lock: LockId,
}
