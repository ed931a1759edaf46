//! Policies, roles and what agents do, in the words of the window.

use crate::format::{count, size};
use um_model::access::{
    AgentInfo, AgentRequest, AgentToken, Grant, MembershipStatus, OverlayMode, ReadPolicy, Right, Role, WritePolicy,
};

/// Who reads a space.
pub fn reads(policy: ReadPolicy) -> &'static str {
    match policy {
        ReadPolicy::OwnerOnly => "Only you",
        ReadPolicy::Members => "You, and agents that have a part in it",
        ReadPolicy::Public => "You, and every agent that was let in",
    }
}

/// Who writes to a space.
pub fn writes(policy: WritePolicy) -> &'static str {
    match policy {
        WritePolicy::OwnerOnly => "Only you",
        WritePolicy::Leaders => "You, and leaders",
        WritePolicy::Members => "You, leaders and members",
    }
}

/// What an agent is in a space.
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner: decides everything",
        Role::Leader => "Leader: reads, writes, has a say",
        Role::Member => "Member: reads and writes",
        Role::Observer => "Observer: reads",
    }
}

/// The same in a word.
pub fn role_word(role: Role) -> &'static str {
    match role {
        Role::Owner => "owner",
        Role::Leader => "leader",
        Role::Member => "member",
        Role::Observer => "observer",
    }
}

/// What an agent may do beyond its role.
pub fn grant(grant: Grant) -> &'static str {
    match grant {
        Grant::Redact => "Black out",
        Grant::Forget => "Forget",
        Grant::ApprovePromotion => "Approve copies",
        Grant::ManageMembers => "Manage members",
    }
}

/// Whether a part in a space counts.
pub fn status(status: MembershipStatus) -> &'static str {
    match status {
        MembershipStatus::Active => "Counts",
        MembershipStatus::Suspended => "Suspended",
        MembershipStatus::Removed => "Ended",
    }
}

/// How a space includes another.
pub fn overlay(mode: OverlayMode) -> &'static str {
    match mode {
        OverlayMode::ReadOnly => "is read",
        OverlayMode::ReadWrite => "is read, and may be written to",
    }
}

/// What a token lets its agent do.
pub fn rights(rights: &[Right]) -> &'static str {
    if rights.contains(&Right::Write) { "Reads and writes" } else { "Reads" }
}

/// Where an agent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It may come in.
    LetIn,
    /// It is stopped for a while.
    Suspended,
    /// None of its tokens opens anything.
    Out,
}

/// Where an agent stands now.
pub fn standing(agent: &AgentInfo) -> Standing {
    match (agent.is_active, agent.tokens.is_empty()) {
        (false, _) => Standing::Suspended,
        (true, false) => Standing::LetIn,
        (true, true) => Standing::Out,
    }
}

/// The spaces of a token by their paths, as far as they are known.
pub fn token_spaces(token: &AgentToken, name: impl Fn(&um_model::SpaceId) -> Option<String>) -> String {
    let known: Vec<String> = token.space_ids.iter().filter_map(name).collect();
    if known.is_empty() { "no space that is there".to_owned() } else { known.join(", ") }
}

/// What agents do, by the name of each operation that is open to them, in the past tense.
const DID: [(&str, &str); 80] = [
    ("memory_recall", "Searched"),
    ("recall_explain", "Asked why something was not found"),
    ("trace_feedback", "Said what an answer was worth"),
    ("memory_remember", "Kept a text"),
    ("memories_add", "Kept many texts"),
    ("memory_ingest", "Brought in files"),
    ("memory_confirm", "Confirmed a text"),
    ("memory_tier", "Said how near at hand something is"),
    ("memory_distill", "Kept what a text says in short"),
    ("event_promote", "Kept what was said or done as a text"),
    ("memory_get", "Opened"),
    ("artifact_get", "Opened"),
    ("view_read", "Opened"),
    ("media_read", "Opened"),
    ("artifacts_list", "Listed files"),
    ("spaces_list", "Listed spaces"),
    ("session_begin", "Began a session"),
    ("session_set", "Changed a session"),
    ("session_end", "Ended a session"),
    ("session_discard", "Gave a session up"),
    ("sessions_list", "Listed sessions"),
    ("session_get", "Looked at a session"),
    ("state_set", "Wrote down what is in hand"),
    ("state_get", "Read what is in hand"),
    ("events_append", "Wrote down what happened"),
    ("events_list", "Read what happened"),
    ("lock_checkout", "Took a file to work on"),
    ("lock_checkin", "Gave a file back"),
    ("locks_list", "Listed which files are held"),
    ("entry_save", "Saved an entry"),
    ("entry_get", "Read an entry"),
    ("entries_list", "Listed entries"),
    ("entry_disable", "Took an entry out of use"),
    ("entry_enable", "Took an entry into use again"),
    ("versions_list", "Listed versions"),
    ("versions_diff", "Compared versions"),
    ("clashes_list", "Listed versions that clash"),
    ("clash_resolve", "Decided between versions"),
    ("tags_list", "Listed tags"),
    ("tag_create", "Made a tag"),
    ("tag_attach", "Tagged something"),
    ("tag_detach", "Took a tag off"),
    ("relation_add", "Connected two things"),
    ("relation_end", "Ended a connection"),
    ("relations_list", "Listed connections"),
    ("relations_walk", "Followed connections"),
    ("items_query", "Looked for entries, rules and notes"),
    ("verification_add", "Wrote down a check"),
    ("verifications_list", "Listed checks"),
    ("facts_add", "Stated facts"),
    ("facts_search", "Searched beliefs"),
    ("entities_list", "Listed who is known"),
    ("entity_get", "Asked who that is"),
    ("entities_resolve", "Asked whom a name means"),
    ("claim_explain", "Asked why"),
    ("graph_traverse", "Looked at relations"),
    ("conflicts_list", "Listed conflicts"),
    ("conflicts_resolve", "Decided a conflict"),
    ("findings_list", "Listed personal data"),
    ("findings_decide", "Decided about personal data"),
    ("redaction_apply", "Blacked something out"),
    ("forget_preview", "Asked what forgetting would take"),
    ("forget_execute", "Forgot something for good"),
    ("promotion_request", "Asked for a copy"),
    ("promotions_list", "Listed copies that are asked for"),
    ("promotion_show", "Looked at a copy that is asked for"),
    ("promotion_decide", "Decided about a copy"),
    ("blocks_list", "Read the standing rules"),
    ("block_set", "Wrote a standing rule"),
    ("resource_put", "Kept a resource"),
    ("resources_browse", "Looked through resources"),
    ("resource_get", "Read a resource"),
    ("resource_remove", "Removed a resource"),
    ("context_compile", "Asked for a pack"),
    ("context_hydrate", "Read what stands behind a pack"),
    ("contexts_list", "Listed its packs"),
    ("drift_check", "Compared notes with a folder of work"),
    ("membership_set", "Changed who may do what"),
    ("jobs_status", "Asked how far work is"),
    ("status_get", "Asked how far work is"),
];

/// What an agent did, in the past tense.
pub fn did(operation: &str) -> String {
    let known = DID.iter().find(|(name, _)| *name == operation);
    known.map_or_else(|| operation.replace('_', " "), |(_, did)| (*did).to_owned())
}

/// What an agent got for a request.
pub fn got(request: &AgentRequest) -> String {
    match (&request.error, request.items) {
        (Some(error), _) => format!("Refused: {error}"),
        (None, 0) => format!("An answer of {}", size(request.bytes as u64)),
        (None, items) => format!("{}, {}", count(items as u64, "thing"), size(request.bytes as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(items: usize, error: Option<&str>) -> AgentRequest {
        serde_json::from_value(serde_json::json!({ "at": 0, "agent_id": "00000000-0000-7000-8000-000000000001",
            "agent": "a", "operation": "memory_recall", "asked": "", "items": items, "bytes": 1200, "error": error,
            "took_ms": 3 }))
        .unwrap()
    }

    #[test]
    fn what_agents_do_is_told_of_operations_that_there_are() {
        for (name, _) in DID {
            assert!(um_model::ops::operation(name).is_some(), "{name}");
        }
        for (name, says) in [
            ("memory_tier", "Said how near at hand something is"),
            ("context_hydrate", "Read what stands behind a pack"),
        ] {
            assert_eq!(did(name), says);
        }
    }

    #[test]
    fn all_that_agents_may_ask_has_words() {
        // The window knows no engine: which operations are open to agents it reads in the text that says so.
        let open = include_str!("../../../../crates/engine/src/access/open.rs");
        let (_, open) = open.split_once("const TO_AGENTS").expect("the list");
        let (open, _) = open.split_once("];").expect("its end");
        let is_open = |name: &str| open.contains(&format!("\"{name}\""));
        let named = um_model::ops::OPERATIONS.iter().map(|operation| operation.name).filter(|name| is_open(name));
        let named: Vec<&str> = named.collect();
        assert!(named.len() > 50, "{named:?}");
        for name in named {
            assert!(DID.iter().any(|(known, _)| *known == name), "{name}");
        }
    }

    #[test]
    fn requests_are_told_without_jargon() {
        assert_eq!((did("memory_recall"), did("entity_merge")), ("Searched".to_owned(), "entity merge".to_owned()));
        for (items, error, says) in [
            (1, None, "1 thing, 1 KB"),
            (0, None, "An answer of 1 KB"),
            (0, Some("There is no space \"x\"."), "Refused: There is no space \"x\"."),
        ] {
            assert_eq!(got(&request(items, error)), says);
        }
    }
}
