//! Promotion: what one space holds is copied into another, once somebody who may looked at it and approved. The row itself
//! never moves; which copy was made of what is kept.

use crate::access::{ReadPolicy, Role};
use crate::enums::text_enum;
use crate::findings::KindCount;
use crate::{AgentId, ArtifactId, EntityId, EpochMs, MemoryId, PromotionId, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// What can be promoted.
    PromotedKind {
        /// A memory; one that stands for a file with the file.
        Memory = "memory",
        /// A fact, with the quotes that carry it and those whom it names.
        Claim = "claim",
        /// Somebody or something, with its other names.
        Entity = "entity",
        /// A file, with what was read from it.
        Artifact = "artifact",
    }
}

text_enum! {
    /// Where a request for promotion stands.
    PromotionStatus {
        /// Nobody decided yet.
        Pending = "pending",
        /// The copy was made.
        Approved = "approved",
        /// It stays where it is.
        Rejected = "rejected",
    }
}

/// Asks for a copy of something in another space. Nothing is copied before somebody approves it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionRequest {
    /// What it is.
    pub kind: PromotedKind,
    /// Its id.
    pub id: String,
    /// The space that the copy is for (name, path or id).
    pub to: String,
    /// Why, in at most 2,000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A request for promotion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Promotion {
    /// Its id.
    pub id: PromotionId,
    /// What is asked for.
    pub kind: PromotedKind,
    /// The id of what is asked for.
    pub object_id: String,
    /// Its title, name or first words. Empty where it is gone.
    pub title: String,
    /// The space that it is in.
    pub space_id: SpaceId,
    /// That space's path.
    pub space: String,
    /// The space that the copy is for.
    pub target_space_id: SpaceId,
    /// That space's path.
    pub target_space: String,
    /// Where it stands.
    pub status: PromotionStatus,
    /// Who asked.
    pub requested_by: AgentId,
    /// That one's name.
    pub requested_by_name: String,
    /// When.
    pub requested_at: EpochMs,
    /// Why, in the words of whoever asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_by: Option<AgentId>,
    /// That one's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_by_name: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_at: Option<EpochMs>,
    /// Why, in the words of whoever decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_notes: Option<String>,
    /// The id of the copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promoted_id: Option<String>,
}

/// Shows what approving a request would copy.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionShow {
    /// The request.
    pub id: PromotionId,
}

text_enum! {
    /// What one of the things is that would be copied.
    PromotionItemKind {
        /// A memory's own words.
        Memory = "memory",
        /// A file.
        File = "file",
        /// What was read from a file, of one page or of all.
        Text = "text",
        /// A fact.
        Claim = "claim",
        /// The words of a source that carry a fact, and no more of it.
        Quote = "quote",
        /// Somebody or something.
        Entity = "entity",
        /// Another name.
        Alias = "alias",
    }
}

text_enum! {
    /// What becomes of one of the things.
    PromotionStanding {
        /// The target has nothing like it: it is copied.
        New = "new",
        /// The target has the same already: that stays, and is used.
        There = "there",
        /// The target has the same, and it was taken out of recall or is cold: it comes back.
        Returns = "returns",
    }
}

/// One of the things that would be copied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionItem {
    /// What it is.
    pub kind: PromotionItemKind,
    /// Its id in the space that it is in: of a quote that of its evidence.
    pub id: String,
    /// Its title or name; empty where it has none.
    pub title: String,
    /// What it says: at most 2,000 characters.
    pub text: String,
    /// What becomes of it.
    pub standing: PromotionStanding,
    /// The id of what the target has already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub there: Option<String>,
}

/// Somebody who would read the copy and does not read what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NewReader {
    /// The agent.
    pub agent_id: AgentId,
    /// Its name.
    pub name: String,
    /// Its role in the target; none where everybody reads that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

text_enum! {
    /// What keeps something from being promoted.
    PromotionObstacle {
        /// Personal or secret data was found in it, and nobody decided about it.
        Undecided = "undecided",
        /// Some of it is to be blacked out, and was not yet.
        NotBlackedOut = "not_blacked_out",
        /// Nobody has looked for personal data in it yet.
        NotLookedAt = "not_looked_at",
        /// The person asked to forget it, or something in it, there or everywhere.
        Forgotten = "forgotten",
        /// It was removed, replaced or destroyed since.
        Gone = "gone",
        /// It is a fact that is not believed, or disputed.
        NotBelieved = "not_believed",
        /// A name of it may mean several in the target.
        Ambiguous = "ambiguous",
    }
}

/// Something that has to be settled before a request can be approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionBlock {
    /// What it is.
    pub obstacle: PromotionObstacle,
    /// The kinds of findings that it is about, with how many of each.
    #[serde(default)]
    pub findings: Vec<KindCount>,
    /// What stands in the way, in a sentence.
    pub message: String,
    /// What to do on the command line, in a sentence.
    pub hint: String,
    /// Where it is settled, where that is one thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<PromotionSettledAt>,
}

/// Where something is settled that stands in the way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum PromotionSettledAt {
    /// Among the findings of this memory.
    Memory(MemoryId),
    /// At this file.
    File(ArtifactId),
    /// Among what is believed of this entity.
    Entity(EntityId),
}

/// What approving a request would copy, who would read it, and what stands in the way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionDetail {
    /// The request.
    pub promotion: Promotion,
    /// What would be copied, at most 200 things. Empty once it was decided.
    pub items: Vec<PromotionItem>,
    /// How many things there are.
    pub total: u64,
    /// Who reads the target.
    pub target_read_policy: ReadPolicy,
    /// Those who would read the copy and do not read what it is made of.
    pub new_readers: Vec<NewReader>,
    /// What has to be settled first. Empty where it can be approved.
    pub blocks: Vec<PromotionBlock>,
    /// Whether what is asked for says something else now than when it was asked for.
    pub changed_since_asked: bool,
    /// Whether whoever asks now may decide.
    pub may_decide: bool,
    /// Stands for exactly what is shown here: `promotion_decide` wants it to approve. None once it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// Lists requests for promotion, the newest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionsList {
    /// Only from or for this space (name, path or id).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// Only in these states; pending ones where nothing is said.
    #[serde(default)]
    pub statuses: Vec<PromotionStatus>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 100 where nothing is said, 1,000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Requests for promotion. An agent gets its own, and those that it may decide.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionsListed {
    /// The requests.
    pub promotions: Vec<Promotion>,
    /// How many fit the question in all.
    pub total: u64,
}

text_enum! {
    /// What is decided about a request for promotion.
    PromotionDecision {
        /// It is copied.
        Approve = "approve",
        /// It stays where it is.
        Reject = "reject",
    }
}

/// Decides a request. The copy can be removed as anything else can; the decision stands.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionDecide {
    /// The request.
    pub id: PromotionId,
    /// What is decided.
    pub decision: PromotionDecision,
    /// To approve: the token of what was looked at (`promotion_show`). Where more, less or something else would be copied by
    /// now, or others would read it, nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Why, in at most 2,000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}
