//! How much waits for the person.

use crate::format::count;

/// How much waits, of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Open conflicts.
    pub conflicts: u64,
    /// Files and notes in which something personal waits.
    pub redactions: u64,
    /// Requests for copies in other spaces.
    pub promotions: u64,
    /// What is proposed.
    pub held: u64,
    /// Names that may mean several.
    pub names: u64,
    /// Agents that ask to be let in.
    pub agents: u64,
}

impl Waiting {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.conflicts + self.redactions + self.promotions + self.held + self.names + self.agents
    }

    /// What it is, in words; empty where nothing waits.
    pub fn words(&self) -> String {
        let personal = if self.redactions == 1 { "source with personal data" } else { "sources with personal data" };
        let parts = [
            (self.conflicts, count(self.conflicts, "open conflict")),
            (self.redactions, format!("{} {personal}", crate::format::grouped(self.redactions))),
            (self.promotions, count(self.promotions, "promotion")),
            (self.held, count(self.held, "proposal")),
            (self.names, count(self.names, "unclear name")),
            (self.agents, count(self.agents, "agent request")),
        ];
        parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_waits_is_named() {
        let waiting = Waiting { conflicts: 1, redactions: 2, ..Waiting::default() };
        assert_eq!((waiting.total(), waiting.words().as_str()), (3, "1 open conflict, 2 sources with personal data"));
        assert_eq!(Waiting::default().words(), "");
    }
}
