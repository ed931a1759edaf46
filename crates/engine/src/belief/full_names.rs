//! The full names of persons in one text: within it "Maya" is the one Maya whom it names in full, before or after, and
//! whether or not anything is claimed of her.

use super::key::canonical_name;
use super::resolve::{is_of_the_person, may_be};
use crate::error::Fault;
use crate::lexical::{MONTHS, WEEKDAYS};
use std::collections::BTreeMap;
use um_model::SpaceId;
use um_model::belief::{CandidateObject, ClaimCandidate, EntityType, Mention};
use um_store::{Connection, entities};

/// So many names that nothing is claimed of are remembered.
const MOST: usize = 2_000;
/// A name has at most so many words.
const MAX_WORDS: usize = 3;
/// Words that stand with a capital behind a name and are no name of a person: what is called after somebody.
const NO_SURNAMES: &[&str] = &[
    "street",
    "road",
    "avenue",
    "lane",
    "square",
    "park",
    "bridge",
    "river",
    "lake",
    "bay",
    "island",
    "hill",
    "house",
    "hall",
    "school",
    "college",
    "university",
    "hospital",
    "church",
    "hotel",
    "cafe",
    "bar",
    "shop",
    "store",
    "bakery",
    "farm",
    "ltd",
    "inc",
    "llc",
    "gmbh",
    "ag",
    "corp",
    "co",
    "company",
    "group",
    "labs",
    "bank",
    "foundation",
    "museum",
    "airport",
    "station",
    "day",
    "award",
    "prize",
    "project",
    "team",
    "and",
    "i",
];

/// Full names, in the form that names are compared in, with how they are written.
type Names = BTreeMap<String, String>;

/// The full names of a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct FullNames {
    /// Of whom something is claimed, by each of first and last name.
    claimed: BTreeMap<String, Names>,
    /// What stands in the text like a name, by its first word.
    seen: BTreeMap<String, Names>,
}

impl FullNames {
    /// What stands in a text like the full name of somebody: words with capitals and nothing but a space between.
    pub(crate) fn in_text(text: &str) -> Self {
        let mut names = Self::default();
        let mut count = 0;
        for line in text.lines().filter(|line| !is_heading(line)) {
            let words: Vec<&str> = line.split(' ').collect();
            for at in 0..words.len() {
                let Some(name) = name_at(&words[at..]) else { continue };
                let canonical = canonical_name(&name);
                let Some((first, _)) = canonical.split_once(' ') else { continue };
                names.seen.entry(first.to_owned()).or_default().insert(canonical.clone(), name);
                count += 1;
                if count == MOST {
                    return names;
                }
            }
        }
        names
    }

    /// Adds those of whom something is claimed.
    pub(crate) fn note(&mut self, candidates: &[ClaimCandidate]) {
        for candidate in candidates {
            self.add(&candidate.subject);
            if let CandidateObject::Entity(mention) = &candidate.object {
                self.add(mention);
            }
        }
    }

    fn add(&mut self, mention: &Mention) {
        let canonical = canonical_name(&mention.name);
        let words: Vec<&str> = canonical.split(' ').collect();
        let is_theirs = is_of_the_person(&canonical) || words[0].ends_with("'s");
        if mention.entity_type != EntityType::Person || words.len() < 2 || is_theirs {
            return;
        }
        for word in [words[0], words[words.len() - 1]] {
            self.claimed.entry(word.to_owned()).or_default().insert(canonical.clone(), mention.name.clone());
        }
    }

    /// The one full name that a single word stands for, if the text has one: of whom something is claimed rather than one
    /// that only stands there, and nothing that is known to be no person.
    pub(super) fn only(&self, c: &Connection, space: &SpaceId, word: &str) -> Result<Option<String>, Fault> {
        let mut names = self.claimed.get(word).cloned().unwrap_or_default();
        for (canonical, name) in self.seen.get(word).into_iter().flatten() {
            let known = entities::by_name(c, space, canonical)?;
            let is_longer = names.keys().any(|claimed| canonical.starts_with(claimed.as_str()));
            if !is_longer
                && (known.is_empty() || known.iter().any(|named| may_be(named.entity_type, EntityType::Person)))
            {
                names.insert(canonical.clone(), name.clone());
            }
        }
        Ok(if names.len() == 1 { names.into_values().next() } else { None })
    }
}

/// A line of which nearly every word has a capital: nobody knows where a name ends in it.
fn is_heading(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().filter(|word| word.len() > 3).collect();
    let capitals = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    line.starts_with('#') || (words.len() > 3 && capitals * 4 > words.len() * 3)
}

/// The name that begins here: at least two words with capitals, until a mark.
fn name_at(words: &[&str]) -> Option<String> {
    let mut name: Vec<&str> = Vec::new();
    for word in words.iter().take(MAX_WORDS + 1) {
        let bare = word.trim_start_matches(['(', '"', '“', '*', '_']);
        let end = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
        let end = end.strip_suffix("'s").or_else(|| end.strip_suffix("’s")).unwrap_or(end);
        let is_name = end.chars().count() > 1
            && end.starts_with(char::is_uppercase)
            && end.chars().skip(1).any(char::is_lowercase)
            && end.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'));
        if !is_name || (!name.is_empty() && bare.len() != word.len()) {
            break;
        }
        name.push(end);
        if end.len() != bare.len() {
            break;
        }
    }
    let is_other = |word: &str| [NO_SURNAMES, &MONTHS, &WEEKDAYS].iter().any(|words| words.contains(&word));
    let is_person = |last: &&str| !is_other(&last.to_lowercase());
    (2..=MAX_WORDS).contains(&name.len()).then_some(())?;
    name.iter().skip(1).all(is_person).then(|| name.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_names_stand_in_texts() {
        for (text, expected) in [
            ("We met Maya Okafor yesterday.", Some("Maya Okafor")),
            ("Yesterday Maya Okafor\u{2019}s dog barked.", Some("Maya Okafor")),
            ("He thanked (Maya Okafor), and left.", Some("Maya Okafor")),
            ("Maya, Okafor and others.", None),
            ("It is in Maya Street.", None),
            ("Maya Okafor Moves House Again", None),
            ("Then Maya left. Okafor stayed.", None),
            ("MAYA OKAFOR", None),
        ] {
            let names = FullNames::in_text(text);
            let found: Vec<&String> = names.seen.get("maya").into_iter().flat_map(Names::values).collect();
            assert_eq!(found, expected.iter().collect::<Vec<_>>(), "{text}");
        }
    }
}
