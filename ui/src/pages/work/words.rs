//! What agents work with, in the words of the window.

use crate::{
    components::{citation::OWNER, icon::Icon, pairing::plain},
    format::count,
};
use um_model::{EpochMs, work::*};

/// Who did something, as a sentence says it: `you`, or what an agent calls itself.
pub fn who(name: &str) -> String {
    match name {
        OWNER => "you".to_owned(),
        "" => "somebody".to_owned(),
        name => plain(name),
    }
}

/// So many characters of a line are shown where there is one line for them.
const LINE: usize = 300;

/// The first line of some words, without what cannot be seen.
pub fn first_line(words: &str) -> String {
    let line = words.lines().map(plain).find(|line| !line.trim().is_empty()).unwrap_or_default();
    let line = line.trim();
    match line.char_indices().nth(LINE) {
        Some((at, _)) => format!("{} ...", &line[..at]),
        None => line.to_owned(),
    }
}

/// What a session is called: its name, else what it is for, else whose it is.
pub fn session_title(session: &Session) -> String {
    let said = [&session.name, &session.purpose].into_iter().flatten().map(|words| first_line(words));
    said.into_iter().find(|words| !words.is_empty()).unwrap_or_else(|| match who(&session.agent).as_str() {
        "you" => "A session of yours".to_owned(),
        name => format!("A session of {name}"),
    })
}

/// How far a session is: drawing, word, class of the state.
pub fn session_state(status: SessionStatus) -> (Icon, &'static str, &'static str) {
    match status {
        SessionStatus::Active => (Icon::Activity, "Under way", "state small working"),
        SessionStatus::Paused => (Icon::Pause, "Paused", "state small waiting"),
        SessionStatus::Completed => (Icon::Check, "Ended", "state small muted"),
        SessionStatus::Discarded => (Icon::Ban, "Given up", "state small muted"),
    }
}

/// How far what is in hand is.
pub fn hand_state(status: StateStatus) -> (Icon, &'static str, &'static str) {
    match status {
        StateStatus::Active => (Icon::Activity, "Under way", "state small working"),
        StateStatus::Blocked => (Icon::Alert, "Something is in its way", "state small waiting"),
        StateStatus::Complete => (Icon::Check, "Done", "state small muted"),
    }
}

/// How long something took: `under a minute`, `42 min`, `3 h 10 min`, `2 days`.
pub fn lasted(ms: EpochMs) -> String {
    let minutes = ms.max(0) / 60_000;
    match (minutes / 1_440, minutes / 60 % 24, minutes % 60) {
        (0, 0, 0) => "under a minute".to_owned(),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, ..) => count(days as u64, "day"),
    }
}

/// What kind of thing was said or done.
pub fn event(kind: EventKind) -> (Icon, &'static str) {
    match kind {
        EventKind::AssistantMessage => (Icon::Agent, "said"),
        EventKind::ExplicitMemory => (Icon::Pin, "asked to remember"),
        EventKind::FileEdit => (Icon::Edit, "changed a file"),
        EventKind::SystemEvent => (Icon::Info, "noted"),
        EventKind::ToolCall => (Icon::Play, "used a tool"),
        EventKind::ToolResult => (Icon::Reread, "got from a tool"),
        EventKind::UserMessage => (Icon::Person, "was told"),
    }
}

/// One of a type, as a word on its own.
pub fn type_name(of: EntryType) -> &'static str {
    match of {
        EntryType::Tool => "Tool",
        EntryType::Guideline => "Guideline",
        EntryType::Knowledge => "Knowledge",
    }
}

/// Those of a type, and what they are.
pub fn type_names(of: EntryType) -> (&'static str, &'static str) {
    match of {
        EntryType::Guideline => ("Guidelines", "How things are done"),
        EntryType::Tool => ("Tools", "What can be called or run"),
        EntryType::Knowledge => ("Knowledge", "What is so, or was decided"),
    }
}

/// What one of a type looks like.
pub fn type_icon(of: EntryType) -> Icon {
    match of {
        EntryType::Tool => Icon::Settings,
        EntryType::Guideline => Icon::Book,
        EntryType::Knowledge => Icon::Idea,
    }
}

/// What an entry is about, in words.
pub fn category(of: EntryCategory) -> &'static str {
    match of {
        EntryCategory::Mcp => "Reached by MCP",
        EntryCategory::Cli => "Command line",
        EntryCategory::Function => "Function",
        EntryCategory::Api => "API",
        EntryCategory::CodeStyle => "How code looks",
        EntryCategory::Behavior => "How to act",
        EntryCategory::Security => "Safety",
        EntryCategory::Performance => "Speed",
        EntryCategory::ErrorHandling => "Errors",
        EntryCategory::Logging => "What is logged",
        EntryCategory::Decision => "Decision",
        EntryCategory::Fact => "Fact",
        EntryCategory::Context => "What surrounds it",
        EntryCategory::Reference => "Where more stands",
    }
}

/// What a part of a version is called.
pub fn part(name: &str) -> String {
    match name {
        "content" => "Text",
        "description" => "What it does",
        "constraints" => "What it cannot do, or must not be used for",
        "rationale" => "Why",
        "examples" => "Examples",
        "good" => "So",
        "bad" => "Not so",
        "parameters" => "What it takes",
        "required" => "Has to be given",
        "optional" => "May be given",
        "schema" => "Its form (JSON Schema)",
        "source" => "Where it comes from",
        "confidence" => "How sure it is",
        "valid_until" => "So until",
        "title" => "Title",
        other => return other.replace('_', " "),
    }
    .to_owned()
}

/// What a resource is: drawing and word.
pub fn resource(kind: ResourceKind) -> (Icon, &'static str) {
    match kind {
        ResourceKind::Folder => (Icon::Folder, "Folder"),
        ResourceKind::File => (Icon::File, "File"),
        ResourceKind::Module => (Icon::Code, "Module"),
        ResourceKind::Document => (Icon::FileText, "Document"),
        ResourceKind::Url => (Icon::Globe, "Web page"),
        ResourceKind::Service => (Icon::Plug, "Service"),
        ResourceKind::Dataset => (Icon::Grid, "Data"),
        ResourceKind::Task => (Icon::CheckCircle, "Task"),
        ResourceKind::Note => (Icon::Document, "Note"),
        ResourceKind::Other => (Icon::Thing, "Other"),
    }
}

/// What a decision between versions A and B of an entry does, and what its button says.
pub fn decides(outcome: ClashOutcome, name: &str, (a, b): (u32, u32)) -> (String, &'static str) {
    match outcome {
        ClashOutcome::KeepA => (format!("{name} says again what version {a} says, in a version of its own."), "Keep A"),
        ClashOutcome::KeepB => (
            format!("{name} says what version {b} says; where a later one counts now, in a version of its own."),
            "Keep B",
        ),
        ClashOutcome::Merged => (format!("{name} says what both say."), "Put both together"),
        ClashOutcome::Dismissed => (
            format!("Versions {a} and {b} of {name} agree: nothing is written, and the last version counts."),
            "They agree",
        ),
    }
}

/// How a clash was decided, in the past tense.
pub fn decided(outcome: ClashOutcome) -> &'static str {
    match outcome {
        ClashOutcome::KeepA => "A counts again. Every version stays.",
        ClashOutcome::KeepB => "B counts. Every version stays.",
        ClashOutcome::Merged => "Both are one now. Every version stays.",
        ClashOutcome::Dismissed => "They do not contradict each other. The last version counts.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: Option<&str>, purpose: Option<&str>, agent: &str) -> Session {
        let id = "00000000-0000-7000-8000-000000000001";
        serde_json::from_value(serde_json::json!({ "id": id, "space_id": id, "space": "default", "name": name,
            "purpose": purpose, "agent_id": id, "agent": agent, "status": "active", "started_at": 0, "events": 0 }))
        .unwrap()
    }

    #[test]
    fn a_session_has_a_title() {
        for (name, purpose, agent, title) in [
            (Some("Ferry times"), Some("Find them"), "Claude", "Ferry times"),
            (None, Some("\nFind them\nall"), "Claude", "Find them"),
            (Some(" "), None, "Claude", "A session of Claude"),
            (None, None, OWNER, "A session of yours"),
        ] {
            assert_eq!(session_title(&session(name, purpose, agent)), title);
        }
    }

    #[test]
    fn spans_are_short() {
        for (ms, words) in [
            (-5, "under a minute"),
            (59_000, "under a minute"),
            (42 * 60_000, "42 min"),
            (3 * 3_600_000, "3 h"),
            (3 * 3_600_000 + 600_000, "3 h 10 min"),
            (86_400_000, "1 day"),
            (3 * 86_400_000, "3 days"),
        ] {
            assert_eq!(lasted(ms), words);
        }
    }
}
