//! What stands before a colon at the head of a line and is no name.

use super::words::contains_word;

/// Labels of what is to be done, found out or agreed, and of what is made up.
const UNSETTLED: &[&str] = &[
    "action",
    "actions",
    "action item",
    "action items",
    "assumption",
    "assumptions",
    "case",
    "draft",
    "fiction",
    "homework",
    "hypothesis",
    "idea",
    "ideas",
    "joke",
    "mock",
    "next step",
    "next steps",
    "open point",
    "open points",
    "open question",
    "open questions",
    "option",
    "options",
    "persona",
    "plan",
    "prompt",
    "proposal",
    "q",
    "question",
    "questions",
    "quote",
    "quiz",
    "riddle",
    "risk",
    "risks",
    "role play",
    "rumor",
    "rumour",
    "scenario",
    "script",
    "story",
    "suggestion",
    "task",
    "tasks",
    "tbc",
    "tbd",
    "test",
    "test case",
    "to be checked",
    "to be confirmed",
    "to be decided",
    "to check",
    "to do",
    "to-do",
    "todo",
    "use case",
    "user story",
    "wish",
    "wishes",
];

/// Whether a label says that what follows it is not settled, or made up; a number may stand behind it.
pub(crate) fn is_unsettled(label: &str) -> bool {
    let lower = label.to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '#' | '.'));
    UNSETTLED.contains(&bare)
}

/// Labels that say nothing of what follows but that it is worth noting.
const NOTES: &str = " decision note info update fact reminder news summary conclusion result results background context status outcome \
    description definition overview agenda minutes topic reason cause solution fix problem issue warning caution important tip hint ps \
    p.s nb fyi answer a re fwd subject remark comment correction clarification addendum ";

/// Whether a label is a word for what follows it, and nobody's name.
pub(crate) fn is_note(label: &str) -> bool {
    let lower = label.to_lowercase();
    is_unsettled(&lower) || contains_word(NOTES, lower.rsplit(' ').next().unwrap_or(&lower))
}
