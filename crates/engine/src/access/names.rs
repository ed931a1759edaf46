//! What agents are called.

/// The longest name, in characters.
const MAX_NAME: usize = 100;

/// The name as it is shown: on one line, and never that of the person or the product.
pub(super) fn shown(name: &str) -> Option<String> {
    let words: Vec<_> = name.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let name: String = words.join(" ").chars().take(MAX_NAME).collect();
    match name.to_lowercase().as_str() {
        "" => None,
        "owner" | "system" => Some(format!("agent {name}")),
        _ => Some(name),
    }
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
            (" \t", None),
        ] {
            assert_eq!(shown(given).as_deref(), expected, "{given:?}");
        }
        assert_eq!(shown(&"x".repeat(500)).unwrap().len(), 100);
    }
}
