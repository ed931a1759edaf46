//! What is looked for.

use crate::kind::Kind;

/// What is looked for, and how sure a detector has to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    kinds: Vec<Kind>,
    at_least: f64,
}

impl Rules {
    /// Everything that any detector proposes, guesses among it.
    pub fn everything() -> Self {
        Self { kinds: Kind::ALL.to_vec(), at_least: 0.0 }
    }

    /// Only these kinds, from a confidence of one half.
    pub fn of(kinds: &[Kind]) -> Self {
        Self { kinds: kinds.to_vec(), ..Self::default() }
    }

    /// The same kinds, from this confidence, which lies between 0 and 1.
    pub fn at_least(self, confidence: f64) -> Self {
        Self { at_least: confidence, ..self }
    }

    pub(crate) fn want(&self, kind: Kind, confidence: f64) -> bool {
        confidence >= self.at_least && self.kinds.contains(&kind)
    }
}

impl Default for Rules {
    /// What names, reaches or unlocks somebody, from a confidence of one half.
    fn default() -> Self {
        let kinds = Kind::ALL.iter().copied().filter(|kind| !kind.only_describes()).collect();
        Self { kinds, at_least: 0.5 }
    }
}
