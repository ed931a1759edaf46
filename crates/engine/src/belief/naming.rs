//! Whether words name whom a fact is of. An agent that offers a quote for a fact offers words about it, not any words that
//! happen to stand in a source.

use super::key::canonical_name;
use super::resolve::PERSON_NAME;
use crate::error::{Fault, invalid};
use std::collections::BTreeSet;
use um_model::belief::{CandidateObject, ClaimCandidate, Mention, Referent};
use um_model::{EntityId, SpaceId, Utf16Span};
use um_store::{Connection, entities};
use unicode_segmentation::UnicodeSegmentation;

/// A word of a name that has at least so many characters stands for it.
const TELLING: usize = 3;
/// What the one who speaks is called by.
const SPEAKER: &[&str] = &["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "you", "your", "yours"];
/// What somebody who was named before is called by.
const NAMED_BEFORE: &[&str] =
    &["he", "him", "his", "she", "her", "hers", "they", "them", "their", "theirs", "it", "its", "who", "whose"];

/// Refuses a quote that names neither the subject nor the object of a fact, be it by another name, nor calls one of them
/// `she` or `it` whom the text names.
pub(super) fn check(
    tx: &Connection,
    space: &SpaceId,
    candidate: &ClaimCandidate,
    (text, quote): (&str, Utf16Span),
) -> Result<(), Fault> {
    let words = Words::of(quote.slice(text).unwrap_or_default());
    let mut names = names(tx, space, &candidate.subject)?;
    match &candidate.object {
        CandidateObject::Entity(object) => names.extend(self::names(tx, space, object)?),
        CandidateObject::Value { text, .. } => names.push(text.clone()),
    }
    let of_speaker = names.iter().any(|name| name == PERSON_NAME) && words.has_any(SPEAKER);
    let named_before = || words.has_any(NAMED_BEFORE) && Words::of(text).name_any(&names);
    if of_speaker || words.name_any(&names) || named_before() {
        return Ok(());
    }
    let object = match &candidate.object {
        CandidateObject::Entity(object) => &object.name,
        CandidateObject::Value { text, .. } => text,
    };
    Err(invalid(format!("The quote names neither \"{}\" nor \"{object}\".", candidate.subject.name))
        .hint("Quote the words that say so of them; or leave memory_id out, and the statement is your own.")
        .into())
}

/// All names of whom a mention means.
fn names(tx: &Connection, space: &SpaceId, mention: &Mention) -> Result<Vec<String>, Fault> {
    let ids: Vec<EntityId> = match &mention.referent {
        Referent::Known(id) => vec![id.clone()],
        _ => entities::by_name(tx, space, &canonical_name(&mention.name))?.into_iter().map(|named| named.id).collect(),
    };
    let mut names = vec![mention.name.clone()];
    if mention.referent == Referent::Speaker {
        names.push(PERSON_NAME.to_owned());
    }
    for id in ids {
        if let Some(entity) = entities::by_id(tx, &id, std::slice::from_ref(space))? {
            names.push(entity.name);
            names.extend(entity.aliases);
        }
    }
    Ok(names)
}

/// The words of a text, as they are compared.
struct Words {
    text: String,
    words: BTreeSet<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let text = canonical_name(text);
        let bare = |word: &str| word.strip_suffix("'s").unwrap_or(word).to_owned();
        Self { words: text.unicode_words().map(bare).collect(), text }
    }

    fn has_any(&self, wanted: &[&str]) -> bool {
        wanted.iter().any(|word| self.words.contains(*word))
    }

    /// Whether any of these names stands in it, in full or by a word of it that is no small one.
    fn name_any(&self, names: &[String]) -> bool {
        names.iter().any(|name| {
            let name = Self::of(name);
            let telling = |word: &&String| word.chars().count() >= TELLING;
            let by_a_word = name.words.iter().filter(telling).any(|word| self.words.contains(word));
            let is_word = self.words.contains(&name.text);
            by_a_word || is_word || (name.text.chars().count() >= TELLING && self.text.contains(&name.text))
        })
    }
}
