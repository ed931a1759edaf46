//! What is proposed and waits for the person: what agents write that looks like a secret, or like an order to a model, is neither
//! refused silently nor kept as if it were trusted (ruling 36), and what would take the place of somebody else's note; what was marked
//! to be remembered; and what a wrong answer rested on.

use crate::capture::MemoryRemove;
use crate::claims::FactsAdd;
use crate::enums::text_enum;
use crate::ops::Request as _;
use crate::work::{BlockSet, EntrySave, ResourcePut};
use crate::{AgentId, CandidateId, EpochMs, EventId, OWNER_AGENT, SpaceId};
use serde::{Deserialize, Serialize};

text_enum! {
    /// Why a write waits.
    HoldReason {
        /// It says what looks like a key, token or password.
        Secret = "secret",
        /// It speaks to a model, and tells it what to do.
        Instruction = "instruction",
        /// It was marked, in a session, to be remembered.
        Marker = "marker",
        /// Somebody says that an answer was wrong, and that this is right.
        Correction = "correction",
        /// An answer that somebody calls wrong rested on it: to be taken out of recall.
        Doubted = "doubted",
        /// It would take the place of a note that somebody else brought in who has more to say in its space.
        Displaces = "displaces",
    }
}

impl HoldReason {
    /// Why it waits, in words that end a sentence which begins with "it".
    pub fn because(self) -> &'static str {
        match self {
            Self::Secret => "looks like a key, token or password",
            Self::Instruction => "looks like an order to a model",
            Self::Marker => "was marked to be remembered",
            Self::Correction => "corrects a wrong answer",
            Self::Doubted => "carried a wrong answer",
            Self::Displaces => "would take the place of a note that somebody else brought in",
        }
    }

    /// Why it waits, in a sentence.
    pub fn sentence(self) -> String {
        match self {
            Self::Doubted => "A wrong answer rested on it.".to_owned(),
            other => format!("It {}.", other.because()),
        }
    }
}

/// What accepting a proposal does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposal {
    /// A text is kept.
    Note,
    /// What is right is kept, where an answer was wrong.
    Correction,
    /// Facts are kept.
    Facts,
    /// A tool, guideline or piece of knowledge is kept.
    Entry,
    /// A standing rule holds.
    Rule,
    /// A resource stands at its address.
    Resource,
    /// A memory is taken out of recall.
    Removal,
}

/// How a proposal is spoken of at every door, so that none says the opposite of what happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProposalWords {
    /// What is proposed: `keep a note`.
    pub does: &'static str,
    /// What accepting does, as its button says it: `Keep it`.
    pub accept: &'static str,
    /// What dismissing does, as its button says it: `Drop it`.
    pub dismiss: &'static str,
    /// What was done once it was accepted, without a full stop: `Kept`.
    pub accepted: &'static str,
    /// What was done once it was dismissed, without a full stop: `Dropped`.
    pub dismissed: &'static str,
}

impl Proposal {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Note, Self::Correction, Self::Facts, Self::Entry, Self::Rule, Self::Resource, Self::Removal];

    /// The words for it.
    pub fn words(self) -> ProposalWords {
        let keep = |does| {
            let (accept, dismiss, accepted, dismissed) = ("Keep it", "Drop it", "Kept", "Dropped");
            ProposalWords { does, accept, dismiss, accepted, dismissed }
        };
        match self {
            Self::Note => keep("keep a note"),
            Self::Correction => keep("keep a correction"),
            Self::Facts => keep("keep facts"),
            Self::Entry => keep("keep an entry"),
            Self::Rule => ProposalWords { accept: "Set it", accepted: "Set", ..keep("set a standing rule") },
            Self::Resource => keep("keep a resource"),
            Self::Removal => ProposalWords {
                does: "take a memory out of recall",
                accept: "Take it out of recall",
                dismiss: "Leave it in recall",
                accepted: "Taken out of recall",
                dismissed: "Left in recall",
            },
        }
    }
}

text_enum! {
    /// What became of a proposal.
    HeldState {
        /// Nobody decided yet.
        Waiting = "waiting",
        /// The person accepted it, and it was done; what it said stands where it was kept, and no longer here.
        Accepted = "accepted",
        /// The person dismissed it, and nothing was done. That can be taken back for 30 days; then what it said goes.
        Dismissed = "dismissed",
    }
}

/// Lists what is proposed and waits for the person.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldList {
    /// Name or id of the space; all readable ones where nothing is said.
    #[serde(default)]
    pub space: Option<String>,
    /// Those that were dismissed rather than those that wait.
    #[serde(default)]
    pub dismissed: bool,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// What is proposed.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldListed {
    /// Those that wait: the oldest first. Those that were dismissed: the latest first.
    pub held: Vec<HeldWrite>,
    /// How many there are in all.
    pub total: u64,
}

/// A proposal: what is done once the person accepts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldWrite {
    /// Its id.
    pub id: CandidateId,
    /// The space it is for.
    pub space_id: SpaceId,
    /// Who proposes it.
    pub actor_id: AgentId,
    /// What they are called.
    pub actor_name: String,
    /// What accepting it does: `memory_remember`, `facts_add`, `entry_save`, `event_promote` and such keep what it says;
    /// `memory_remove` takes the memory that it tells of out of recall.
    pub operation: String,
    /// Its title, where it was given one; of what a wrong answer led to, the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is filed under: `key: deploy`, `owner: Ana`, `session: s-1`, `uri: repo://app`. A key takes the place of what has it, and
    /// an address of what is there. With all else that is kept with it: `change_reason: typo`, `tag: tax`, `metadata.note: "new"`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// What it says: the text, or a line for each fact; of a memory that is to be taken out of recall, its title or first words.
    /// Empty once it was accepted.
    pub says: String,
    /// Why it waits: at least one reason.
    pub reasons: Vec<HoldReason>,
    /// When what it says goes out of use by itself, where it says so: from then on it can be dismissed alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<EpochMs>,
    /// Of a resource: the version that stood at its address as it was written last, and that it would take the place of; none where
    /// nothing did. Once something else stands there, it can be dismissed alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<u32>,
    /// What became of it.
    pub state: HeldState,
    /// The event that it was marked in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_event_id: Option<EventId>,
    /// Once it was accepted: the memory, claim, entry, rule or resource that was kept, or the memory that was taken out of recall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<String>,
    /// When it was proposed.
    pub created_at: EpochMs,
}

impl HeldWrite {
    /// What accepting it does.
    pub fn proposal(&self) -> Proposal {
        match self.operation.as_str() {
            MemoryRemove::NAME => Proposal::Removal,
            FactsAdd::NAME => Proposal::Facts,
            EntrySave::NAME => Proposal::Entry,
            BlockSet::NAME => Proposal::Rule,
            ResourcePut::NAME => Proposal::Resource,
            _ if self.reasons.contains(&HoldReason::Correction) => Proposal::Correction,
            _ => Proposal::Note,
        }
    }

    /// What is proposed, by somebody of that name: `Scout wants to keep a note`; of the person's own, `Proposed: keep a note`.
    pub fn heading(&self, name: &str) -> String {
        let does = self.proposal().words().does;
        if self.actor_id.as_str() == OWNER_AGENT {
            format!("Proposed: {does}")
        } else {
            format!("{name} wants to {does}")
        }
    }

    /// Why it waits, in sentences.
    pub fn why(&self) -> String {
        self.reasons.iter().map(|reason| reason.sentence()).collect::<Vec<_>>().join(" ")
    }

    /// Whether the time for which it was to be kept is over: then nothing is left to accept.
    pub fn is_over(&self, now: EpochMs) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }

    /// What it would take the place of, in a sentence, where that is told by a version.
    pub fn instead(&self) -> Option<String> {
        self.replaces.map(|version| format!("It would take the place of version {version} of what is at its address."))
    }

    /// Until when it is to be in use, in a sentence, where it says so; with the time as `written` writes it.
    pub fn until(&self, now: EpochMs, written: impl FnOnce(EpochMs) -> String) -> Option<String> {
        let is_over = self.is_over(now);
        let at = written(self.expires_at?);
        Some(match is_over {
            true => format!("It was to be in use until {at}, which is over."),
            false => format!("It is to be in use until {at}."),
        })
    }
}

/// Decides a proposal.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldDecide {
    /// Its id.
    pub id: CandidateId,
    /// What is done with it.
    pub decision: HeldDecision,
}

text_enum! {
    /// What is done with a proposal.
    HeldDecision {
        /// What it proposes is done: what it says is kept as the agent's, as if it had not been held; or the memory that it tells of
        /// is taken out of recall.
        Accept = "accept",
        /// It is not done: what it says is not kept; or the memory stays in recall.
        Dismiss = "dismiss",
        /// It waits again, after it was dismissed.
        Wait = "wait",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(operation: &str, by: &str, reason: HoldReason) -> HeldWrite {
        let id = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c";
        serde_json::from_value(serde_json::json!({
            "id": id, "space_id": id, "actor_id": by, "actor_name": "Scout", "operation": operation, "says": "x",
            "reasons": [reason], "state": "waiting", "created_at": 0,
        }))
        .unwrap()
    }

    #[test]
    fn each_proposal_says_what_accepting_it_does() {
        use HoldReason::{Correction, Displaces, Doubted, Instruction, Marker, Secret};
        let agent = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c";
        let check = |operation: &str, by: &str, reason, heading: &str, [accept, accepted]: [&str; 2], why: &str| {
            let one = held(operation, by, reason);
            let words = one.proposal().words();
            assert_eq!((one.heading("Scout").as_str(), words.accept, words.accepted), (heading, accept, accepted));
            assert_eq!(one.why(), why, "{operation}");
        };
        let (keep, looks) = (["Keep it", "Kept"], "It looks like an order to a model.");
        check("memory_remember", agent, Instruction, "Scout wants to keep a note", keep, looks);
        check("memory_distill", agent, Instruction, "Scout wants to keep a note", keep, looks);
        check("event_promote", agent, Instruction, "Scout wants to keep a note", keep, looks);
        check("entry_save", agent, Instruction, "Scout wants to keep an entry", keep, looks);
        check("block_set", agent, Instruction, "Scout wants to set a standing rule", ["Set it", "Set"], looks);
        check("resource_put", agent, Instruction, "Scout wants to keep a resource", keep, looks);
        let key = "It looks like a key, token or password.";
        check("facts_add", agent, Secret, "Scout wants to keep facts", keep, key);
        let marked = "It was marked to be remembered.";
        check("memory_remember", OWNER_AGENT, Marker, "Proposed: keep a note", keep, marked);
        let displaces = "It would take the place of a note that somebody else brought in.";
        check("memory_remember", agent, Displaces, "Scout wants to keep a note", keep, displaces);
        let corrects = "It corrects a wrong answer.";
        check("memory_remember", OWNER_AGENT, Correction, "Proposed: keep a correction", keep, corrects);
        let out = ["Take it out of recall", "Taken out of recall"];
        let rested = "A wrong answer rested on it.";
        check("memory_remove", OWNER_AGENT, Doubted, "Proposed: take a memory out of recall", out, rested);
        check("memory_remove", agent, Doubted, "Scout wants to take a memory out of recall", out, rested);
    }

    #[test]
    fn a_proposal_says_until_when_it_would_be_in_use() {
        let check = |expires_at, now, expected: Option<&str>| {
            let one = HeldWrite { expires_at, ..held("memory_remember", OWNER_AGENT, HoldReason::Secret) };
            let until = one.until(now, |at| format!("hour {at}"));
            assert_eq!(until.as_deref(), expected, "{expires_at:?} at {now}");
            assert_eq!(one.is_over(now), expected.is_some_and(|until| until.contains("over")));
        };
        check(None, 7, None);
        check(Some(8), 7, Some("It is to be in use until hour 8."));
        check(Some(7), 7, Some("It was to be in use until hour 7, which is over."));
    }

    #[test]
    fn a_proposal_says_what_it_would_take_the_place_of() {
        for (replaces, expected) in
            [(None, None), (Some(3), Some("It would take the place of version 3 of what is at its address."))]
        {
            let one = HeldWrite { replaces, ..held("resource_put", OWNER_AGENT, HoldReason::Secret) };
            assert_eq!(one.instead().as_deref(), expected);
        }
    }

    #[test]
    fn only_what_is_kept_is_said_to_be_kept() {
        for proposal in Proposal::ALL {
            let words = proposal.words();
            let said =
                [words.does, words.accept, words.accepted, words.dismiss, words.dismissed].join(" ").to_lowercase();
            let keeps = said.contains("keep") || said.contains("kept") || said.contains("drop");
            assert_eq!(keeps, proposal != Proposal::Removal, "{said}");
        }
    }
}
