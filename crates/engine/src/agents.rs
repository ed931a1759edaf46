//! The agents that write: known by the name that each gives itself, so that a citation says who it was.

use crate::Engine;
use crate::error::Outcome;
use um_model::AgentId;
use um_store::spaces;

/// The longest name, in characters.
const MAX_NAME: usize = 100;
/// More agents than this are not told apart: names cost nothing, and a client may give itself a new one each time.
const MAX_AGENTS: u64 = 1_000;

impl Engine {
    /// The agent that gives itself this name, made where there is none. It is a claim, not a proof: whoever holds the
    /// token may give any name. Without a name it is the person.
    ///
    /// # Errors
    /// `Database`.
    pub fn agent_named(&self, name: &str) -> Outcome<AgentId> {
        let Some(name) = shown(name) else { return Ok(AgentId::owner()) };
        let (known, count) = self.read(|c| Ok(spaces::agent_named(c, &name)?))?;
        match known {
            Some(agent) => Ok(agent),
            None if count >= MAX_AGENTS => Ok(AgentId::owner()),
            None => {
                let now = self.now();
                // Two may come at once.
                self.write(move |tx| match spaces::agent_named(tx, &name)? {
                    (Some(agent), _) => Ok(agent),
                    (None, _) => Ok(spaces::insert_agent(tx, &name, now)?),
                })
            }
        }
    }
}

/// The name as it is shown: on one line, and never that of the person or the product.
fn shown(name: &str) -> Option<String> {
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
