//! What the ledger's entries say, in the words of the window.

use super::words::did;
use crate::{
    components::{
        citation::{OWNER, SYSTEM},
        icon::Icon,
        pairing::plain,
    },
    format::{count, grouped},
};
use um_model::{
    SpaceId,
    audit::{AuditEvent, AuditExported, AuditTopic, AuditVerified},
};

/// What the entries' ids are called now.
pub struct Names<'a> {
    /// A space.
    pub space: &'a dyn Fn(&SpaceId) -> Option<String>,
    /// An agent.
    pub agent: &'a dyn Fn(&str) -> Option<String>,
}

/// What a choice of entries is called.
pub fn topic(of: AuditTopic) -> &'static str {
    match of {
        AuditTopic::Asked => "What agents asked",
        AuditTopic::Sources => "Files and notes",
        AuditTopic::Beliefs => "Beliefs",
        AuditTopic::Personal => "Personal data",
        AuditTopic::Work => "What agents work with",
        AuditTopic::Copies => "Copies",
        AuditTopic::Forgotten => "Forgetting",
        AuditTopic::Access => "Spaces and agents",
        AuditTopic::Upkeep => "Settings and work",
    }
}

/// Who it was.
pub fn actor(name: Option<&str>) -> String {
    match name {
        Some(OWNER) => "You".to_owned(),
        Some(SYSTEM) => "Ultimate Memory".to_owned(),
        Some(name) => plain(name),
        None => "An agent that is gone".to_owned(),
    }
}

/// Whether an agent did not get what it asked for.
pub fn refused(event: &AuditEvent) -> bool {
    event.payload["outcome"].as_str().is_some_and(|outcome| outcome != "answered")
}

/// The drawing beside an entry.
pub fn icon(event_type: &str) -> Icon {
    match event_type.split('.').next().unwrap_or_default() {
        "agent" | "pairing" | "membership" => Icon::Agent,
        "memory" => Icon::FileText,
        "artifact" => Icon::File,
        "watch" => Icon::Folder,
        "fact" | "claim" | "entity" | "name" | "beliefs" | "predicate" => Icon::Beliefs,
        "conflict" => Icon::Conflict,
        "finding" | "findings" | "redaction" => Icon::Blacked,
        "promotion" => Icon::Copy,
        "forgetting" | "purged" | "compliance" => Icon::Trash,
        _ => Icon::Layers,
    }
}

/// An entry as a sentence: `Claude Code read 3 passages of Research`.
pub fn says(event: &AuditEvent, names: &Names<'_>) -> String {
    let who = match (event.event_type.as_str(), event.actor.as_deref()) {
        // Its files come in by themselves.
        ("artifact.ingested", Some(SYSTEM)) => "A watched folder".to_owned(),
        (_, name) => actor(name),
    };
    let global = event.space_id == SpaceId::global();
    let space = (names.space)(&event.space_id).filter(|_| !global);
    let did = match event.object_type.as_str() {
        "requests" => asked(event, space.as_deref()),
        _ => changed(event, names, space.as_deref()),
    };
    format!("{who} {did}")
}

/// The space with a word before it; nothing where none is meant.
fn placed(word: &str, space: Option<&str>) -> String {
    space.map(|space| format!(" {word} {space}")).unwrap_or_default()
}

/// What an agent asked and was told of.
fn asked(event: &AuditEvent, space: Option<&str>) -> String {
    let of = |word: &str| placed(word, space);
    let operation = event.event_type.strip_prefix("agent.").unwrap_or_default();
    let told = event.payload["items"].as_u64().unwrap_or_default();
    let listed = match operation {
        "memory_recall" => Some(("read", "passage", "searched")),
        "facts_search" => Some(("read", "fact", "searched what is believed")),
        "artifacts_list" => Some(("listed", "file", "listed files")),
        "entities_list" => Some(("listed", "name", "listed who is known")),
        "conflicts_list" => Some(("listed", "conflict", "listed conflicts")),
        "findings_list" => Some(("listed", "piece of personal data", "listed personal data")),
        _ => None,
    };
    let does = match did(operation) {
        _ if operation == "unknown" => "something that is not there".to_owned(),
        words => lower(&words),
    };
    match listed {
        _ if refused(event) => format!("was refused: {does}{}", of("in")),
        Some((verb, noun, _)) if told > 0 => format!("{verb} {}{}", counted(told, noun), of("of")),
        Some((.., nothing)) => format!("{nothing}{}, and found nothing", of("in")),
        None => format!("{does}{}", of("in")),
    }
}

fn counted(number: u64, noun: &str) -> String {
    match noun.split_once(' ') {
        Some((first, rest)) if number != 1 => format!("{} {rest}", count(number, first)),
        _ => count(number, noun),
    }
}

fn lower(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// What was done.
fn changed(event: &AuditEvent, names: &Names<'_>, space: Option<&str>) -> String {
    let of = |word: &str| placed(word, space);
    let named = space.unwrap_or("that is gone");
    let said = &event.payload;
    let number = |field: &str| said[field].as_u64().unwrap_or_default();
    let listed = |field: &str| said[field].as_array().map_or(1, Vec::len) as u64;
    let agent = || (names.agent)(&event.object_id).map_or_else(|| "an agent".to_owned(), |name| plain(&name));
    match event.event_type.as_str() {
        "memory.remembered" => format!("kept a note{}", of("in")),
        "memories.added" => format!("kept {}{}", count(number("memories"), "note"), of("in")),
        "memory.restored" => format!("brought something back{}", of("in")),
        "memory.deleted" => format!("removed a note{}", of("from")),
        "memory.expired" => format!("took a note{} out of use, as its time had come", of("of")),
        "memory.expiry_set" if said["expires_at"].is_null() => {
            format!("said that a note{} stays in use until somebody removes it", of("of"))
        }
        "memory.expiry_set" => format!("said when a note{} goes out of use", of("of")),
        // It may stand for a file.
        "memory.tier_set" => match (said["tier"].as_str(), said["was"].as_str()) {
            (Some("cold"), _) => format!("put something{} out of the way", of("of")),
            (_, Some("cold")) => format!("brought something{} back that was out of the way", of("of")),
            _ => format!("said how near at hand something{} is", of("of")),
        },
        "memory.archived" => format!("archived a note{}, and destroyed its words", of("of")),
        "memory.deduplicated" => format!("joined two notes that say the same{}", of("in")),
        "write.held" => format!("proposed something{}", of("in")),
        "write.accepted" | "write.kept" => format!("accepted what was proposed{}", of("in")),
        "write.dismissed" | "write.dropped" => format!("dismissed what was proposed{}", of("in")),
        "write.reopened" => format!("let what was proposed wait again{}", of("in")),
        "write.withdrawn" => format!("took back what was proposed{}", of("in")),
        "artifact.ingested" => format!("brought a file{}", of("into")),
        "artifact.deleted" => format!("removed a file{}", of("from")),
        "artifact.moved" => format!("saw that a file moved{}", of("in")),
        "watch.added" => format!("began to watch a folder{}", of("for")),
        "watch.removed" => format!("stopped watching a folder{}", of("for")),
        "fact.added" => format!("stated a fact{}", of("in")),
        "claim.retracted" => format!("took a fact back{}", of("in")),
        "claim.restored" => format!("brought a fact back{}", of("in")),
        "conflict.resolved" => format!("decided a conflict{}", of("in")),
        "conflict.reopened" => format!("took a decision about a conflict back{}", of("in")),
        "name.decided" => format!("said whom a name means{}", of("in")),
        "name.reopened" => format!("took back whom a name means{}", of("in")),
        "entity.edited" => format!("changed a name{}", of("in")),
        "entity.merged" => format!("said that two are one{}", of("in")),
        "entity.unmerged" => format!("took back that two are one{}", of("in")),
        "beliefs.read" => {
            let (facts, names) = (number("claims"), number("entities"));
            match (facts, names) {
                (0, 0) => format!("weighed facts anew{}", of("in")),
                (0, names) => format!("took {} from a text{}", count(names, "name"), of("in")),
                (facts, _) => format!("took {} from a text{}", count(facts, "fact"), of("in")),
            }
        }
        "beliefs.settled" => format!("weighed {} anew{}", count(number("states"), "fact"), of("in")),
        "beliefs.judged" => format!("compared what sources say{}", of("in")),
        "predicate.defined" | "predicate.changed" => format!("said how many values a relation has{}", of("in")),
        "finding.marked" | "findings.marked" => {
            format!("marked {} as personal{}", count(listed("ids"), "place"), of("in"))
        }
        "findings.decided" => {
            let places = count(listed("ids"), "place");
            match said["decision"].as_str() {
                Some("accept") => format!("chose {places} to be blacked out{}", of("in")),
                Some("dismiss") => format!("left {places} as they are{}", of("in")),
                _ => format!("took the decision about {places} back{}", of("in")),
            }
        }
        "findings.carried_over" => format!("carried decisions about personal data over{}", of("in")),
        "redaction.applied" => format!("blacked out {}{}", count(number("findings"), "place"), of("in")),
        "space.masked" => format!("changed what agents do not see{}", of("of")),
        "promotion.requested" => format!("asked for a copy of something{}", of("of")),
        "promotion.approved" => format!("approved a copy{}", of("into")),
        "promotion.rejected" => format!("rejected a copy{}", of("into")),
        "memory.promoted" => format!("copied a note{}", of("into")),
        "artifact.promoted" => format!("copied a file{}", of("into")),
        "claim.promoted" => format!("copied a fact{}", of("into")),
        "entity.promoted" => format!("copied whom a fact is about{}", of("into")),
        "forgetting.begun" => format!("asked to forget {} for good{}", count(number("rows"), "thing"), of("of")),
        "forgetting.refused" => format!("let go of a new file{}: it says what was forgotten", of("of")),
        "forgetting.stopped" => {
            format!("stopped forgetting{}, which leaves {}", of("in"), count(number("stay"), "thing"))
        }
        "forgetting.ended" if number("left") == 0 => "forgot for good, and found nothing left".to_owned(),
        "forgetting.ended" => format!("forgot for good, and found {} left", count(number("left"), "trace")),
        "forgetting.allowed" => "let something come in again that was forgotten".to_owned(),
        "forgetting.exported" => "wrote the proof of a forgetting to a file".to_owned(),
        "settings.changed" => match listed("keys") {
            1 => "changed a setting".to_owned(),
            several => format!("changed {several} settings"),
        },
        "model.added" => "added a model".to_owned(),
        "model.fetch_begun" => "began to fetch a model".to_owned(),
        "model.fetch_stopped" => "stopped fetching a model".to_owned(),
        "llm.tested" => "tried the language model".to_owned(),
        "index.reembedded" => "embedded everything with another model".to_owned(),
        "vectors.removed" => "removed what an earlier model had embedded".to_owned(),
        "artifact.reread" => format!("had a file read again{}", of("of")),
        "artifact.unlocked" => format!("gave the password of a file{}", of("of")),
        "job.cancelled" => format!("cancelled work{}", of("in")),
        "job.retried" => format!("had work done again{}", of("in")),
        "call.cancelled" => "stopped something that took long".to_owned(),
        "work.paused" => "paused all work".to_owned(),
        "work.resumed" => "had all work go on".to_owned(),
        "ledger.exported" => "wrote the ledger to a file".to_owned(),
        "purged" => "removed what was forgotten from the tables".to_owned(),
        "compliance.set" if said["on"].as_bool() == Some(true) => "turned compliance mode on".to_owned(),
        "compliance.set" => "turned compliance mode off".to_owned(),
        "space.created" => format!("made the space {named}"),
        "space.edited" => format!("changed the space {named}"),
        "overlay.set" => format!("changed what is read with {named}"),
        "membership.set" => format!("changed who may do what{}", of("in")),
        "pairing.decided" => match said["answer"].as_str() {
            Some("once") => "let an agent in for eight hours".to_owned(),
            Some("always") => "let an agent in".to_owned(),
            Some(_) => "turned an agent away for good".to_owned(),
            None => "told an agent: not now".to_owned(),
        },
        "agent.paired" => format!("gave {} a token", agent()),
        "agent.edited" => format!("changed what {} may do", agent()),
        "agent.revoked" => format!("took access back from {}", agent()),
        "context.looked_at" => format!("looked at a pack{} as {} reads it", of("of"), agent()),
        other => format!("did: {}", other.replace(['.', '_'], " ")),
    }
}

/// What the check found.
pub fn verified(found: &AuditVerified) -> String {
    match &found.message {
        Some(message) => message.clone(),
        None => format!("Whole: {} entries, each as it was written.", grouped(found.checked)),
    }
}

/// What was exported.
pub fn exported(done: &AuditExported) -> String {
    let entries = if done.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(done.entries)) };
    format!("{entries} written to {}.", done.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(event_type: &str, object_type: &str, actor: &str, payload: Value, expected: &str) {
        let id = "00000000-0000-7000-8000-000000000009";
        let event: AuditEvent = serde_json::from_value(json!({ "number": 1, "id": id, "event_type": event_type,
            "object_type": object_type, "object_id": id, "space_id": id, "actor_id": id, "actor": actor,
            "request_id": null, "purpose": null, "payload": payload, "at": 0, "hash": "" }))
        .unwrap();
        let names = Names { space: &|_| Some("Research".to_owned()), agent: &|_| Some("Claude Code".to_owned()) };
        assert_eq!(says(&event, &names), expected);
    }

    #[test]
    fn entries_are_told_as_sentences() {
        let answered = |items: u64| json!({ "items": items, "outcome": "answered" });
        let rows = [
            ("agent.memory_recall", "requests", "Claude Code", answered(3), "Claude Code read 3 passages of Research"),
            ("agent.memory_recall", "requests", "Codex", answered(0), "Codex searched in Research, and found nothing"),
            (
                "agent.findings_list",
                "requests",
                "Codex",
                answered(2),
                "Codex listed 2 pieces of personal data of Research",
            ),
            ("agent.memory_get", "requests", "Codex", answered(1), "Codex opened in Research"),
            (
                "agent.settings_get",
                "requests",
                "Codex",
                json!({ "items": 0, "outcome": "forbidden" }),
                "Codex was refused: settings get in Research",
            ),
            ("memory.remembered", "memories", OWNER, json!({}), "You kept a note in Research"),
            ("memories.added", "memories", OWNER, json!({ "memories": 12 }), "You kept 12 notes in Research"),
            (
                "memory.expiry_set",
                "memories",
                OWNER,
                json!({ "expires_at": 1 }),
                "You said when a note of Research goes out of use",
            ),
            (
                "memory.expiry_set",
                "memories",
                OWNER,
                json!({ "expires_at": null }),
                "You said that a note of Research stays in use until somebody removes it",
            ),
            (
                "memory.tier_set",
                "memories",
                OWNER,
                json!({ "tier": "cold", "was": "warm" }),
                "You put something of Research out of the way",
            ),
            (
                "memory.tier_set",
                "memories",
                OWNER,
                json!({ "tier": "warm", "was": "cold" }),
                "You brought something of Research back that was out of the way",
            ),
            (
                "memory.tier_set",
                "memories",
                OWNER,
                json!({ "tier": "hot", "was": "warm" }),
                "You said how near at hand something of Research is",
            ),
            ("artifact.ingested", "artifacts", "system", json!({}), "A watched folder brought a file into Research"),
            ("beliefs.judged", "claims", "system", json!({}), "Ultimate Memory compared what sources say in Research"),
            (
                "findings.decided",
                "memory_spaces",
                OWNER,
                json!({ "decision": "accept", "ids": ["a", "b"] }),
                "You chose 2 places to be blacked out in Research",
            ),
            (
                "forgetting.refused",
                "forgettings",
                "system",
                json!({}),
                "Ultimate Memory let go of a new file of Research: it says what was forgotten",
            ),
            ("space.created", "memory_spaces", OWNER, json!({}), "You made the space Research"),
            ("pairing.decided", "pairing_requests", OWNER, json!({ "answer": null }), "You told an agent: not now"),
            ("agent.revoked", "agents", OWNER, json!({}), "You took access back from Claude Code"),
            (
                "context.looked_at",
                "agents",
                OWNER,
                json!({ "items": 3, "tokens": 90 }),
                "You looked at a pack of Research as Claude Code reads it",
            ),
            ("tier.moved", "memories", "system", json!({}), "Ultimate Memory did: tier moved"),
        ];
        for (event_type, object_type, actor, payload, expected) in rows {
            check(event_type, object_type, actor, payload, expected);
        }
    }
}
