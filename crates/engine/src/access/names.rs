//! What agents are called.

use um_model::access::is_hidden;
use um_store::pairing::folded;
use unicode_normalization::UnicodeNormalization;

/// The longest name, in characters.
const MAX_NAME: usize = 100;

/// The name as it is shown of an agent that gives it to itself: as it is [given], and never that of the person or the product.
pub(super) fn shown(name: &str) -> Option<String> {
    given(name).map(|name| if is_own(&name) { of_agent(&name) } else { name })
}

/// Whether a name is the one under which the person or the product stands among the agents.
pub(super) fn is_own(name: &str) -> bool {
    matches!(folded(name).as_str(), "owner" | "system")
}

/// The name that an agent has where its own is somebody else's.
pub(super) fn of_agent(name: &str) -> String {
    format!("agent {name}")
}

/// The name as it was given: on one line, of characters that are seen, each in its one form; `None` where nothing is left.
pub(super) fn given(name: &str) -> Option<String> {
    // A line's end or another control character ends a word; whatever else is not seen does not.
    let lines: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let seen: String = lines.nfkc().filter(|c| !is_hidden(*c)).collect();
    let words: Vec<_> = seen.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(MAX_NAME).collect();
    (!folded(&name).is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn names_are_one_line_and_nobody_elses() {
        for (given, expected) in [
            ("claude-code", Some("claude-code")),
            (" Claude\n Code\u{1b}", Some("Claude Code")),
            ("Owner", Some("agent Owner")),
            ("owner\u{200b}", Some("agent owner")),
            ("\u{feff}Sys\u{ad}tem", Some("agent System")),
            ("ｏｗｎｅｒ", Some("agent owner")),
            ("b\u{200b}ot", Some("bot")),
            ("cafe\u{301}", Some("café")),
            ("\u{202e}\u{2060}", None),
            (" \t", None),
        ] {
            assert_eq!(shown(given).as_deref(), expected, "{given:?}");
        }
        assert_eq!(shown(&"x".repeat(500)).unwrap().len(), 100);
    }
}
