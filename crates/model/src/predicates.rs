//! Predicates: the one table of what a claim can say, under which names, and how a person reads it.
//!
//! Extractors emit canonical names, the seeds of the database repeat the table (a test of the store compares
//! both), and evaluation looks names up here, so that `spouse_of` and `married_to` are one predicate and
//! `child_of` is `parent_of` with subject and object swapped.

mod table;

use crate::belief::{Cardinality, ClaimType, ValueKind};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;
pub use table::PREDICATES;

/// What one predicate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predicate {
    /// The canonical name: `works_at`.
    pub name: &'static str,
    /// What kind of claim it makes.
    pub claim_type: ClaimType,
    /// For relations, the canonical name of the other direction: `employs`. A symmetric one has its own name.
    pub inverse: Option<&'static str>,
    /// How many may stand on each side at one time; for attributes many-to-one means one value.
    pub cardinality: Cardinality,
    /// What kind of value it takes; none for relations, whose object is an entity.
    pub value: Option<ValueKind>,
    /// How a person reads it between subject and object: `works at`.
    pub phrase: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// Other names, beside `inverse`, that mean the same with subject and object swapped.
    pub inverse_aliases: &'static [&'static str],
}

/// A predicate found by one of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The predicate.
    pub predicate: &'static Predicate,
    /// Whether the name is one of the inverse ones, so that subject and object swap.
    pub inverted: bool,
}

static BY_NAME: LazyLock<HashMap<&'static str, Found>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for predicate in PREDICATES {
        let inverses = predicate.inverse.iter().chain(predicate.inverse_aliases);
        for (name, inverted) in std::iter::once(&predicate.name)
            .chain(predicate.aliases)
            .map(|name| (name, false))
            .chain(inverses.filter(|name| **name != predicate.name).map(|name| (name, true)))
        {
            names.insert(*name, Found { predicate, inverted });
        }
    }
    names
});

/// The predicate with this canonical, other or inverse name. Case, spaces, hyphens and British spelling of
/// `favourite` are let pass.
pub fn lookup(name: &str) -> Option<Found> {
    BY_NAME.get(&*written(name)).copied()
}

/// The canonical name, and whether subject and object swap. A name that no row has is its own canonical name.
pub fn canonical(name: &str) -> (Cow<'static, str>, bool) {
    match lookup(name) {
        Some(found) => (Cow::Borrowed(found.predicate.name), found.inverted),
        None => (Cow::Owned(written(name)), false),
    }
}

/// How two names relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// They say the same.
    Same,
    /// They say the same once subject and object are swapped.
    Swapped,
    /// They say the same either way round, as `married_to` does.
    Symmetric,
    /// They differ.
    Different,
}

/// Whether two predicate names mean the same, and which way round.
pub fn same_predicate(a: &str, b: &str) -> Likeness {
    let ((a, a_inverted), (b, b_inverted)) = (canonical(a), canonical(b));
    if a != b {
        return Likeness::Different;
    }
    let symmetric = lookup(&a).is_some_and(|found| found.predicate.inverse == Some(found.predicate.name));
    match (symmetric, a_inverted == b_inverted) {
        (true, _) => Likeness::Symmetric,
        (false, true) => Likeness::Same,
        (false, false) => Likeness::Swapped,
    }
}

/// A name as the table writes it: lower case with underscores.
fn written(name: &str) -> String {
    let joined = name.trim().to_lowercase().replace([' ', '-'], "_");
    joined.replace("favourite", "favorite")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_name_means_one_predicate() {
        let mut seen = HashSet::new();
        for predicate in PREDICATES {
            let own = [predicate.name].into_iter().chain(predicate.inverse);
            let names: HashSet<&str> =
                own.chain(predicate.aliases.iter().copied()).chain(predicate.inverse_aliases.iter().copied()).collect();
            for name in names {
                assert!(seen.insert(name), "{name} is claimed twice, again by {}", predicate.name);
                assert_eq!(written(name), name, "names are written in lower case with underscores");
            }
        }
    }

    #[test]
    fn rows_are_whole() {
        for predicate in PREDICATES {
            let relation = predicate.claim_type == ClaimType::Relationship;
            assert_eq!(relation, predicate.inverse.is_some(), "{}: relations alone have an inverse", predicate.name);
            assert_eq!(relation, predicate.value.is_none(), "{}: all others have a value", predicate.name);
            assert!(!predicate.phrase.is_empty(), "{}", predicate.name);
        }
    }

    #[test]
    fn names_are_found_either_way_round() {
        for (a, b, likeness) in [
            ("works_at", "works for", Likeness::Same),
            ("spouse_of", "Married-To", Likeness::Symmetric),
            ("parent_of", "child_of", Likeness::Swapped),
            ("mother_of", "father", Likeness::Swapped),
            ("daughter_of", "father", Likeness::Same),
            ("born_on", "date_of_birth", Likeness::Same),
            ("due_on", "deadline", Likeness::Same),
            ("favourite_colour", "favorite_colour", Likeness::Same),
            ("works_at", "lives_in", Likeness::Different),
            ("shoe_size", "hat_size", Likeness::Different),
        ] {
            assert_eq!(same_predicate(a, b), likeness, "{a} and {b}");
            assert_eq!(same_predicate(b, a), likeness, "{b} and {a}");
        }
    }
}
