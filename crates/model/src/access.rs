//! Who may read and write what: agents, their roles, the policies of spaces, pairing (spine 2.6-2.9, rulings 18-22).

use crate::EpochMs;
use crate::enums::text_enum;
use crate::ids::{AgentId, PairingId, SpaceId, TokenId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What acts.
    AgentType {
        /// The product itself.
        System = "system",
        /// A person.
        Human = "human",
        /// A program.
        Ai = "ai",
    }
}

text_enum! {
    /// What an agent is in a space (spine 2.7), the strongest first.
    Role {
        /// Decides everything.
        Owner = "owner",
        /// Writes, approves, and manages members.
        Leader = "leader",
        /// Reads and writes.
        Member = "member",
        /// Reads.
        Observer = "observer",
    }
}

text_enum! {
    /// Whether a membership counts.
    MembershipStatus {
        /// It counts.
        Active = "active",
        /// It counts for nothing until it is taken up again.
        Suspended = "suspended",
        /// It has ended.
        Removed = "removed",
    }
}

text_enum! {
    /// Who reads a space.
    ReadPolicy {
        /// Its owner.
        OwnerOnly = "owner_only",
        /// Whoever has a role in it.
        Members = "members",
        /// Every agent that is paired.
        Public = "public",
    }
}

text_enum! {
    /// Who writes to a space.
    WritePolicy {
        /// Its owner.
        OwnerOnly = "owner_only",
        /// Its owner and leaders.
        Leaders = "leaders",
        /// Its owner, leaders and members; observers never.
        Members = "members",
    }
}

text_enum! {
    /// How a space includes another.
    OverlayMode {
        /// What the other holds is read.
        ReadOnly = "read_only",
        /// What the other holds is read, and may be written to by whoever may write to it.
        ReadWrite = "read_write",
    }
}

text_enum! {
    /// What a token lets its agent do, where the agent's role allows it as well.
    Right {
        /// Search and read.
        Read = "read",
        /// Remember, bring in, state facts, decide.
        Write = "write",
    }
}

text_enum! {
    /// What only the person does, unless an agent was granted it for a space (ruling 20). What is of the whole data folder, as
    /// compliance mode and removing rows for good are, no grant for a space opens: it stays the person's.
    Grant {
        /// Black out words and pixels.
        Redact = "redact",
        /// Forget.
        Forget = "forget",
        /// Approve what comes from another space.
        ApprovePromotion = "approve_promotion",
        /// Say which other agent has which role, as far as its own role may.
        ManageMembers = "manage_members",
    }
}

text_enum! {
    /// How a request for access was answered.
    PairingAnswer {
        /// For eight hours.
        Once = "once",
        /// Until it is revoked, or until the days are over that were given with it.
        Always = "always",
        /// Not now, and no more questions of this agent.
        Never = "never",
    }
}

text_enum! {
    /// Where a request for access stands.
    PairingStatus {
        /// The person has not answered.
        Pending = "pending",
        /// Granted.
        Approved = "approved",
        /// Refused.
        Denied = "denied",
        /// Nobody answered for a day, or the person said "not now".
        Expired = "expired",
    }
}

/// An agent's part in a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Membership {
    /// The space.
    pub space_id: SpaceId,
    /// Its path.
    pub space: String,
    /// The agent.
    pub agent_id: AgentId,
    /// What it is there.
    pub role: Role,
    /// Whether that counts.
    pub status: MembershipStatus,
    /// The trust in what it says there, 0 to 1, where it is another than elsewhere.
    pub trust_weight: Option<f64>,
    /// What it may do beyond its role.
    pub grants: Vec<Grant>,
}

/// What opens the socket to an agent. The secret itself is kept nowhere, only its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentToken {
    /// Its id.
    pub id: TokenId,
    /// The spaces that it opens.
    pub space_ids: Vec<SpaceId>,
    /// What for.
    pub rights: Vec<Right>,
    /// Requests a minute, on average.
    pub requests_per_minute: u32,
    /// When it was given.
    pub created_at: EpochMs,
    /// When it ends by itself.
    pub expires_at: Option<EpochMs>,
    /// When it was revoked.
    pub revoked_at: Option<EpochMs>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<EpochMs>,
}

/// An agent as a person sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentInfo {
    /// Its id.
    pub id: AgentId,
    /// What it calls itself.
    pub name: String,
    /// What it is.
    pub agent_type: AgentType,
    /// The trust in what it says, 0 to 1, where no space says another.
    pub trust_weight: f64,
    /// Whether it may do anything at all.
    pub is_active: bool,
    /// The tools that it is shown, where it does not say itself which.
    #[serde(default)]
    pub profile: ToolProfile,
    /// Folders of this machine that it may bring in files from, besides those that a space watches.
    #[serde(default)]
    pub folders: Vec<String>,
    /// When it first came.
    pub created_at: EpochMs,
    /// Its parts in spaces, those that ended left out.
    pub memberships: Vec<Membership>,
    /// Its tokens, the newest first, those that ended left out.
    pub tokens: Vec<AgentToken>,
    /// The paths of the spaces that it really reads, by its tokens and parts and the spaces' policies.
    #[serde(default)]
    pub reads: Vec<String>,
    /// When it asked last.
    pub last_seen_at: Option<EpochMs>,
}

/// Whether a character cannot be seen, or turns the words after it around: in somebody else's words it only deceives.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
            | '\u{e0000}'..='\u{e0fff}')
}

text_enum! {
    /// A list of tools that an agent is shown (ruling 43): a profile narrows the list, and takes no right away.
    #[derive(Default)]
    ToolProfile {
        /// What work of every kind needs, under 25 tools.
        #[default]
        Default = "default",
        /// Sessions and what is in hand, events, resources, checks, locks.
        Work = "work",
        /// Rules, guidelines, tools and knowledge with their versions, tags and relations.
        Knowledge = "knowledge",
        /// Facts, entities, conflicts.
        Beliefs = "beliefs",
        /// Files and how far they are read.
        Library = "library",
        /// What is asked for and decided between spaces.
        Review = "review",
        /// Every tool that there is.
        All = "all",
    }
}

/// Lists the agents.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentsList {}

/// The agents, the person first.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentsListed {
    /// The agents.
    pub agents: Vec<AgentInfo>,
    /// Requests for access that wait for the person, the oldest first.
    pub waiting: Vec<PairingRequest>,
}

/// Suspends an agent, takes it up again, changes the trust in it, or opens folders to it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentEdit {
    /// Name or id of the agent.
    pub agent: String,
    /// Whether it may do anything at all.
    #[serde(default)]
    pub is_active: Option<bool>,
    /// The trust in what it says, 0 to 1.
    #[serde(default)]
    pub trust_weight: Option<f64>,
    /// The tools that it is shown. What it may do, it may do whichever are shown.
    #[serde(default)]
    pub profile: Option<ToolProfile>,
    /// All folders of this machine that it may bring in files from, with whole paths; none closes all.
    #[serde(default)]
    pub folders: Option<Vec<String>>,
}

/// Gives an agent a part in a space, changes it or ends it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MembershipSet {
    /// Name, path or id of the space.
    pub space: String,
    /// Name or id of the agent.
    pub agent: String,
    /// What it is there; as it was where nothing is said.
    #[serde(default)]
    pub role: Option<Role>,
    /// Whether that counts; active where nothing is said.
    #[serde(default)]
    pub status: Option<MembershipStatus>,
    /// The trust in what it says there, 0 to 1; the agent's own where it never was said.
    #[serde(default)]
    pub trust_weight: Option<f64>,
    /// What it may do beyond its role; as it was where nothing is said.
    #[serde(default)]
    pub grants: Option<Vec<Grant>>,
}

/// Includes what another space holds in what is read of a space, changes how, or ends that.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OverlaySet {
    /// Name, path or id of the space that includes.
    pub space: String,
    /// Name, path or id of the space that is included.
    pub overlay: String,
    /// How; `null` ends it.
    pub mode: Option<OverlayMode>,
}

/// Tells who may read and write a space, and what is read with it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AccessGet {
    /// Name, path or id of the space.
    pub space: String,
    /// Name or id of the agent for whom it is told; for the caller where nothing is said.
    #[serde(default)]
    pub agent: Option<String>,
}

/// A space that is read with another, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reached {
    /// The space.
    pub space_id: SpaceId,
    /// Its path.
    pub space: String,
    /// The paths of the spaces through which it is reached; empty for the space itself.
    pub via: Vec<String>,
    /// Whether it may be read.
    pub can_read: bool,
    /// Whether it may be written to.
    pub can_write: bool,
    /// Why, in a sentence.
    pub why: String,
}

/// An overlay of a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Overlay {
    /// The space that is included.
    pub space_id: SpaceId,
    /// Its path.
    pub space: String,
    /// How.
    pub mode: OverlayMode,
}

/// Who may read and write a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Access {
    /// The space.
    pub space_id: SpaceId,
    /// Its path.
    pub space: String,
    /// Who reads it.
    pub read_policy: ReadPolicy,
    /// Who writes to it.
    pub write_policy: WritePolicy,
    /// Who has a part in it.
    pub members: Vec<Member>,
    /// The spaces that it includes.
    pub overlays: Vec<Overlay>,
    /// What is read with it by whom it is told for, itself first, and what is kept from them.
    pub reached: Vec<Reached>,
}

/// An agent with its part in a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Member {
    /// What the agent calls itself.
    pub name: String,
    /// Its part.
    #[serde(flatten)]
    pub membership: Membership,
}

/// A process at the other end of the socket, as the system told when it asked. Nobody else says so, and no copy of it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CheckedProcess {
    /// Its number.
    pub pid: i32,
    /// The path of its program, where the system tells.
    pub program: Option<String>,
    /// The path of the program that started it, where the system tells: that of an agent which comes by `umem mcp`.
    pub started_by: Option<String>,
}

/// A request for access. Name and process are what the agent *claims* (ruling 21).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PairingRequest {
    /// Its id.
    pub id: PairingId,
    /// What the agent calls itself.
    pub client_name: String,
    /// The program that it says it is.
    pub claimed_process: Option<String>,
    /// The user that runs it, checked by the system.
    pub peer_uid: Option<u32>,
    /// The process that asked, checked by the system; nothing where the system does not tell, or the service was started since.
    #[serde(default)]
    pub checked: Option<CheckedProcess>,
    /// Names of the spaces that it asks for.
    pub spaces: Vec<String>,
    /// What it asks to do.
    pub rights: Vec<Right>,
    /// Where it stands.
    pub status: PairingStatus,
    /// How it was answered.
    pub answer: Option<PairingAnswer>,
    /// When it came.
    pub created_at: EpochMs,
    /// Whether an agent of this name was paired before.
    pub is_known: bool,
    /// What an agent of this name is in spaces at present. The parts would be this program's too, in what is opened to it; what
    /// was granted beside them stays that of the tokens to which it was given.
    #[serde(default)]
    pub parts: Vec<Membership>,
    /// The folders that are open to an agent of this name; they would be to this program.
    #[serde(default)]
    pub folders: Vec<String>,
}

/// Answers a request for access.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PairingDecide {
    /// The id of the request.
    pub id: PairingId,
    /// The answer; `null` is "not now": the agent may ask again later.
    pub answer: Option<PairingAnswer>,
    /// Names, paths or ids of the spaces that are granted; those asked for where nothing is said.
    #[serde(default)]
    pub spaces: Option<Vec<String>>,
    /// What is granted; what was asked for where nothing is said.
    #[serde(default)]
    pub rights: Option<Vec<Right>>,
    /// With `always`: days until the access ends by itself; never where nothing is said.
    #[serde(default)]
    pub expires_in_days: Option<u32>,
}

/// Pairs an agent by hand: makes a token for it, or answers its waiting request.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentPair {
    /// What the agent calls itself.
    pub name: String,
    /// Names, paths or ids of its spaces; `default` where nothing is said.
    #[serde(default)]
    pub spaces: Vec<String>,
    /// What it may do there; all where nothing is said.
    #[serde(default)]
    pub rights: Vec<Right>,
    /// Days until the token ends by itself; never where nothing is said.
    #[serde(default)]
    pub expires_in_days: Option<u32>,
    /// Requests a minute, on average; 600 where nothing is said.
    #[serde(default)]
    pub requests_per_minute: Option<u32>,
}

/// A paired agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Paired {
    /// The agent.
    pub agent: AgentInfo,
    /// The secret, told this once; nothing where the agent made it itself.
    pub token: Option<String>,
}

/// Revokes an agent's tokens, all or one. It takes effect at once: calls under way end.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentRevoke {
    /// Name or id of the agent.
    pub agent: String,
    /// The token; all where nothing is said.
    #[serde(default)]
    pub token: Option<TokenId>,
}

/// Lists what agents asked since the service began, the newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RequestsList {
    /// Name or id of one agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// At most so many; 100 where nothing is said.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A request of an agent and what it got. Kept in memory while the service runs, never written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentRequest {
    /// When.
    pub at: EpochMs,
    /// Who.
    pub agent_id: AgentId,
    /// What it calls itself.
    pub agent: String,
    /// The operation.
    pub operation: String,
    /// What it asked, shortened.
    pub asked: String,
    /// Things that the answer told of.
    pub items: usize,
    /// Bytes of the answer.
    pub bytes: usize,
    /// Why it got none.
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

/// What agents asked.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RequestsListed {
    /// The requests, the newest first.
    pub requests: Vec<AgentRequest>,
}
