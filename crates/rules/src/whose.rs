//! Text that shows that its "I" is nobody who is known: about its author, reprinted, a talk with somebody.

use crate::clause::Said;
use crate::data::words::contains_word;
use um_model::belief::{CandidateObject, Mention, Referent};

/// What stands at the head of a text or line that somebody else wrote of themselves.
const HEADS: &[&str] = &[
    "about the author",
    "about the authors",
    "about the writer",
    "author bio",
    "author biography",
    "note on the author",
];
/// What stands at the head of a text that tells what somebody was asked.
const INTERVIEWS: &[&str] =
    &["interview with ", "an interview with ", "interview: ", "a conversation with ", "q&a with "];
/// What says anywhere that a text appeared elsewhere.
const REPRINTS: &[&str] = &[
    "(reprinted from ",
    "reprinted with permission",
    "reprinted by permission",
    "(excerpted from ",
    "(excerpt from ",
    "(extract from ",
    "(originally published in ",
    "this article first appeared in ",
    "this interview first appeared in ",
];

/// Whether a text is by somebody who is not known.
pub(crate) fn is_elsewhere(text: &str) -> bool {
    let bare = |line: &str| line.trim_matches(['#', '*', '_', ' ', '\t', '\r', '>']).to_lowercase();
    let mut lines = text.lines().map(bare).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    // A heading, and no sentence of a diary.
    let titled = first.split(' ').count() <= 12 && !first.ends_with(['.', '!']);
    let interview = titled && INTERVIEWS.iter().any(|head| first.starts_with(head)) && lines.next().is_some();
    let headed = |line: &str| {
        HEADS.iter().any(|head| line.strip_prefix(head).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
    };
    let lower = text.to_lowercase();
    let headed = text.lines().map(bare).any(|line| headed(&line) && !line.contains("about the author of"));
    interview || headed || REPRINTS.iter().any(|words| lower.contains(words))
}

/// Whether a text speaks of who wrote it, and of nobody else.
pub(crate) fn is_of_one_self(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has = |list: &'static str| lower.split(|c: char| !c.is_alphanumeric()).any(|word| contains_word(list, word));
    has(" i my me ") && !has(" she he her his him hers they them their candidate applicant ")
}

/// Whether a claim speaks of the space's person or theirs.
pub(crate) fn is_of_the_person(said: &Said) -> bool {
    let theirs = |mention: &Mention| {
        mention.referent != Referent::Named || mention.name == "user" || mention.name.starts_with("user's ")
    };
    theirs(&said.subject) || matches!(&said.object, CandidateObject::Entity(mention) if theirs(mention))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_appeared_elsewhere_is_known() {
        for (text, expected) in [
            ("About the author. I was born in Perth.", true),
            ("# Gardens\n\n## About the Author\n\nI teach.", true),
            ("I was born in Perth. (Reprinted from \"Gardens of the West\", 2011.)", true),
            ("# Interview with Olga Petrenko, 12 October 2026\n\nI live in Tartu.", true),
            ("Interview with Siemens went well.\nI live in Graz.", false),
            ("I read the part about the author. I live in Graz.", false),
            ("About me: I live in Graz.", false),
            ("", false),
        ] {
            assert_eq!(is_elsewhere(text), expected, "{text}");
        }
    }
}
