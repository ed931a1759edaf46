//! What a memory is about, by local rules (ruling 13). Precision before recall: what no rule knows is a
//! fact of low confidence.

use um_model::MemoryScope;

/// Names these rules in `memories.classifier_id`.
pub(crate) const CLASSIFIER_ID: &str = "rules-1";

/// Word groups that tell a scope, in order of precedence. Each is matched as whole words.
const RULES: &[(MemoryScope, &[&str])] = &[
    (
        MemoryScope::Preference,
        &[
            "prefer",
            "prefers",
            "i like",
            "i love",
            "i hate",
            "i dislike",
            "favourite",
            "favorite",
            "rather than",
            "always use",
            "never use",
        ],
    ),
    (
        MemoryScope::Identity,
        &[
            "my name is",
            "i am a",
            "i'm a",
            "i was born",
            "born on",
            "my birthday",
            "i live in",
            "i work at",
            "i work for",
        ],
    ),
    (
        MemoryScope::Skill,
        &["how to", "step 1", "first run", "to install", "to build", "run the command", "procedure", "recipe"],
    ),
    (
        MemoryScope::Experience,
        &[
            "yesterday",
            "last week",
            "last night",
            "last month",
            "this morning",
            "we met",
            "i went",
            "we went",
            "i visited",
            "happened",
        ],
    ),
];

/// The scope and how sure the rules are, 0 to 1.
pub(crate) fn classify(text: &str) -> (MemoryScope, f64) {
    // A scope shows in the first few hundred characters or not at all.
    let head: String = text.chars().take(600).collect::<String>().to_lowercase().replace('’', "'");
    let words: String = head.chars().map(|c| if c.is_alphanumeric() || c == '\'' { c } else { ' ' }).collect();
    let padded = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    RULES
        .iter()
        .find(|(_, phrases)| phrases.iter().any(|phrase| padded.contains(&format!(" {phrase} "))))
        .map_or((MemoryScope::Fact, 0.3), |(scope, _)| (*scope, 0.7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes() {
        for (text, scope) in [
            ("I prefer tea to coffee.", MemoryScope::Preference),
            ("My name is Ana.", MemoryScope::Identity),
            ("How to rebuild the index: stop the service.", MemoryScope::Skill),
            ("Yesterday the boiler broke.", MemoryScope::Experience),
            ("The office moved to Thursday.", MemoryScope::Fact),
            ("Unpreferred tokens stay.", MemoryScope::Fact),
            ("", MemoryScope::Fact),
        ] {
            assert_eq!(classify(text).0, scope, "{text}");
        }
    }
}
