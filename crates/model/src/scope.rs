//! Scopes: the words by which agents' documents name where something belongs. Each resolves to a space, and to a session where
//! it names one (the table of them stands in `docs/design/work.md`).

use crate::SessionId;

/// Where something belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// `global`: what every space sees.
    Global,
    /// `user`: the person's own.
    User,
    /// `organization:NAME`, `team:NAME`.
    Organization(String),
    /// `project:NAME`, `workspace:NAME`, `customer:NAME`.
    Project(String),
    /// `session:ID`.
    Session(SessionId),
}

impl Scope {
    /// The scope that a word says; nothing where it says none, and names a space as it is.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim();
        if word.eq_ignore_ascii_case("global") {
            return Some(Self::Global);
        }
        if word.eq_ignore_ascii_case("user") {
            return Some(Self::User);
        }
        let (kind, name) = word.split_once(':')?;
        let name = name.trim().to_owned();
        if name.is_empty() {
            return None;
        }
        match kind.trim().to_ascii_lowercase().as_str() {
            "organization" | "org" | "team" => Some(Self::Organization(name)),
            "project" | "workspace" | "customer" => Some(Self::Project(name)),
            "session" => SessionId::parse(name).ok().map(Self::Session),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_a_word_or_a_kind_and_a_name() {
        let id = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";
        for (word, scope) in [
            ("global", Some(Scope::Global)),
            (" GLOBAL ", Some(Scope::Global)),
            ("user", Some(Scope::User)),
            ("team:Acme", Some(Scope::Organization("Acme".into()))),
            ("organization: Acme Inc", Some(Scope::Organization("Acme Inc".into()))),
            ("workspace:Apollo", Some(Scope::Project("Apollo".into()))),
            ("customer:Bo", Some(Scope::Project("Bo".into()))),
            (&format!("session:{id}"), Some(Scope::Session(SessionId::parse(id).unwrap()))),
            ("session:yesterday", None),
            ("project:", None),
            ("Apollo", None),
            ("C:/x", None),
        ] {
            assert_eq!(Scope::parse(word), scope, "{word}");
        }
    }
}
