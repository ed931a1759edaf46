//! From what a language model proposes to candidates: each is checked against the text, and what the text does not
//! carry is dropped and counted. Nothing of a proposal is taken that the text does not say.

use super::find::{self, Plain};
use super::order;
use super::prompt::MOST;
use crate::language::Passage;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use um_model::belief::{
    CandidateObject, ClaimCandidate, ClaimType, EntityType, Mention, Polarity, Referent, ValueKind,
};
use um_model::{EpochMs, Utf16Span, predicates};
use um_rules::{date_begins, normal_value};
use unicode_segmentation::UnicodeSegmentation;

/// No quote that carries one claim is longer, in bytes.
const LONGEST_QUOTE: usize = 1_000;
/// No name is longer, in bytes.
const LONGEST_NAME: usize = 200;
/// No value is longer, in bytes.
const LONGEST_VALUE: usize = 500;
/// A word of a name that has at least so many characters stands for it.
const TELLING: usize = 3;
/// What somebody who was named before is called by.
const NAMED_BEFORE: &[&str] = &["he", "him", "his", "she", "her", "hers"];
/// At most so many circumstances of a claim.
const QUALIFIERS: usize = 6;

/// Proposals that were not taken, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Dropped {
    /// They are not in the form that was asked for.
    pub malformed: usize,
    /// Their quote is not in the text.
    pub unquoted: usize,
    /// The text does not name their subject or object.
    pub ungrounded: usize,
    /// Their quote is what an order to whoever reads wants to be said.
    pub ordered: usize,
    /// There were more than are taken.
    pub too_many: usize,
    /// A name in them may mean several, or is none.
    pub unresolved: usize,
}

impl Dropped {
    /// Adds those of another window.
    pub(super) fn add(&mut self, other: Dropped) {
        self.malformed += other.malformed;
        self.unquoted += other.unquoted;
        self.ungrounded += other.ungrounded;
        self.ordered += other.ordered;
        self.too_many += other.too_many;
        self.unresolved += other.unresolved;
    }

    /// How many they are.
    pub(super) fn count(self) -> usize {
        self.malformed + self.unquoted + self.ungrounded + self.ordered + self.too_many + self.unresolved
    }
}

/// How many, and why: `3 proposals dropped: 2 whose quote is not in the text, 1 in no proper form`.
impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.unquoted, "whose quote is not in the text"),
            (self.ungrounded, "of what the text does not name"),
            (self.ordered, "from an order to whoever reads"),
            (self.unresolved, "of a name that may mean several, or is none"),
            (self.malformed, "in no proper form"),
            (self.too_many, "more than are taken"),
        ];
        let told: Vec<String> =
            reasons.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
        let proposals = if self.count() == 1 { "proposal" } else { "proposals" };
        write!(f, "{} {proposals} dropped: {}", self.count(), told.join(", "))
    }
}

/// A proposal as the schema asks for it. What is often left out by models that no host holds to it has a default.
#[derive(Deserialize)]
struct Proposal {
    quote: String,
    subject: String,
    #[serde(default)]
    subject_type: Option<String>,
    predicate: String,
    object: String,
    #[serde(default)]
    object_is_entity: bool,
    #[serde(default)]
    object_type: Option<String>,
    #[serde(default)]
    polarity: Option<String>,
    #[serde(default)]
    qualifiers: Value,
    #[serde(default)]
    valid_from: Option<String>,
    #[serde(default)]
    valid_to: Option<String>,
    #[serde(default)]
    confidence: Option<f64>,
}

enum Refused {
    Malformed,
    Unquoted,
    Ungrounded,
    Ordered,
}

/// The candidates of an answer. `offset` is where the window begins in the whole text, in bytes; `whole` is that text.
pub(super) fn candidates(
    proposed: &[Value],
    window: &Passage<'_>,
    whole: &str,
    offset: usize,
) -> (Vec<ClaimCandidate>, Dropped) {
    let reading = Reading {
        text: window.text,
        plain: Plain::new(window.text),
        folded: Plain::folded(window.text),
        title: Plain::folded(window.title.unwrap_or_default()),
        whole,
        offset,
    };
    let mut dropped = Dropped { too_many: proposed.len().saturating_sub(MOST), ..Dropped::default() };
    let mut found: Vec<ClaimCandidate> = Vec::new();
    for proposal in proposed.iter().take(MOST) {
        match reading.candidate(proposal) {
            Ok(candidate) if found.contains(&candidate) => {}
            Ok(candidate) => found.push(candidate),
            Err(Refused::Malformed) => dropped.malformed += 1,
            Err(Refused::Unquoted) => dropped.unquoted += 1,
            Err(Refused::Ungrounded) => dropped.ungrounded += 1,
            Err(Refused::Ordered) => dropped.ordered += 1,
        }
    }
    (found, dropped)
}

/// A window of a text, ready to be searched.
struct Reading<'a> {
    text: &'a str,
    plain: Plain,
    folded: Plain,
    title: Plain,
    whole: &'a str,
    offset: usize,
}

impl Reading<'_> {
    fn candidate(&self, proposal: &Value) -> Result<ClaimCandidate, Refused> {
        let proposal = Proposal::deserialize(proposal).map_err(|_| Refused::Malformed)?;
        let predicate = predicate(&proposal.predicate).ok_or(Refused::Malformed)?;
        if proposal.quote.len() > LONGEST_QUOTE {
            return Err(Refused::Malformed);
        }
        let quote = find::quote(self.text, &self.plain, &proposal.quote).ok_or(Refused::Unquoted)?;
        if order::is_in_one(self.text, &quote) {
            return Err(Refused::Ordered);
        }
        let quoted = Quote { folded: Plain::folded(&self.text[quote.clone()]), start: quote.start };
        let subject_type = entity_type(proposal.subject_type.as_deref());
        let subject = self.mention(&proposal.subject, subject_type, &quoted, true).ok_or(Refused::Ungrounded)?;
        let known = predicates::lookup(&predicate).map(|found| found.predicate);
        // The table knows better than the model whether a relation has an entity on its other side.
        let is_entity = known.map_or(proposal.object_is_entity, |known| known.value.is_none());
        let object = if is_entity {
            let object_type = entity_type(proposal.object_type.as_deref());
            self.mention(&proposal.object, object_type, &quoted, false).map(CandidateObject::Entity)
        } else {
            self.value(&proposal.object, known.and_then(|known| known.value), &quoted)
        };
        let claim_type = match known {
            Some(known) => known.claim_type,
            None if is_entity => ClaimType::Relationship,
            None => ClaimType::Attribute,
        };
        Ok(ClaimCandidate {
            claim_type,
            subject,
            predicate,
            object: object.ok_or(Refused::Ungrounded)?,
            qualifiers: self.qualifiers(&proposal.qualifiers, &quoted),
            polarity: polarity(proposal.polarity.as_deref()),
            quote: self.span(quote),
            confidence: proposal.confidence.unwrap_or(0.5).clamp(0.0, 1.0),
            valid_from: self.moment(proposal.valid_from.as_deref()),
            valid_to: self.moment(proposal.valid_to.as_deref()),
        })
    }

    /// A range of the window as a span of the whole text.
    fn span(&self, range: std::ops::Range<usize>) -> Utf16Span {
        Utf16Span::from_byte_range(self.whole, self.offset + range.start..self.offset + range.end)
    }

    /// Where words stand: in the quote if they can, else in the window.
    fn place(&self, words: &str, quote: &Quote) -> Option<std::ops::Range<usize>> {
        let inside = find::words(&quote.folded, words).map(|at| at.start + quote.start..at.end + quote.start);
        inside.or_else(|| find::words(&self.folded, words))
    }

    /// Somebody or something that the text names, or the one who speaks.
    fn mention(&self, name: &str, entity_type: EntityType, quote: &Quote, titled: bool) -> Option<Mention> {
        let name = bare(name);
        if name.is_empty() || name.len() > LONGEST_NAME {
            return None;
        }
        if let Some(referent) = speaker(name) {
            let grounded = match &referent {
                Referent::OfSpeaker(relation) => self.place(relation, quote).is_some(),
                _ => true,
            };
            let name = match &referent {
                Referent::OfSpeaker(relation) => format!("user's {relation}"),
                _ => "user".to_owned(),
            };
            let entity_type = if referent == Referent::Speaker { EntityType::Person } else { entity_type };
            return grounded.then_some(Mention { name, referent, entity_type, span: None });
        }
        if !self.is_near(name, quote) {
            return None;
        }
        if let Some(at) = self.place(name, quote) {
            let name = self.text[at.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            return Some(Mention { name, referent: Referent::Named, entity_type, span: Some(self.span(at)) });
        }
        let in_title = titled && find::words(&self.title, name).is_some();
        let in_quote = all_words(name, |word| find::words(&quote.folded, word).is_some());
        (in_title || in_quote).then(|| Mention {
            name: name.to_owned(),
            referent: Referent::Named,
            entity_type,
            span: None,
        })
    }

    /// Whether whoever a quote calls "she", or by what is "hers", is named in it or in the sentence just before: further off it
    /// may be somebody else.
    fn is_near(&self, name: &str, quote: &Quote) -> bool {
        let calls = |word: &&str| find::words(&quote.folded, word).is_some();
        if find::words(&quote.folded, name).is_some() || !NAMED_BEFORE.iter().any(&calls) {
            return true;
        }
        let before = Plain::folded(sentence_before(self.text, quote.start));
        let is_name = |word: &&str| word.chars().count() >= TELLING && word.starts_with(char::is_uppercase);
        let words = || name.split(|c: char| !c.is_alphanumeric());
        words().filter(is_name).any(|word| calls(&word) || find::words(&before, word).is_some())
    }

    /// A value that the text has, dates in the form of ISO.
    fn value(&self, text: &str, kind: Option<ValueKind>, quote: &Quote) -> Option<CandidateObject> {
        let text = text.trim().trim_end_matches('.');
        if text.is_empty() || text.len() > LONGEST_VALUE || !self.says(text, quote) {
            return None;
        }
        if let Some(date) = date(text).filter(|_| kind.is_none_or(|kind| kind == ValueKind::Date)) {
            return Some(CandidateObject::Value { text: date, kind: ValueKind::Date });
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let kind = kind.filter(|kind| *kind != ValueKind::Date).unwrap_or_else(|| kind_of(&text));
        Some(CandidateObject::Value { text, kind })
    }

    /// Whether the text says these words together, or the quote says each of them.
    fn says(&self, words: &str, quote: &Quote) -> bool {
        self.place(words, quote).is_some() || all_words(words, |word| find::words(&quote.folded, word).is_some())
    }

    fn qualifiers(&self, proposed: &Value, quote: &Quote) -> BTreeMap<String, String> {
        // Hosts that hold answers to a schema give a list, others often a map.
        let listed = proposed.as_array().into_iter().flatten();
        let listed = listed.filter_map(|one| Some((one["name"].as_str()?, one["value"].as_str()?)));
        let mapped = proposed.as_object().into_iter().flatten();
        let mapped = mapped.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
        listed
            .chain(mapped)
            .filter_map(|(name, value)| Some((predicate(name)?, value.trim())))
            .filter(|(_, value)| !value.is_empty() && value.len() <= LONGEST_VALUE && self.says(value, quote))
            .take(QUALIFIERS)
            .map(|(name, value)| (name, value.to_owned()))
            .collect()
    }

    /// When a date begins that the text has.
    fn moment(&self, date: Option<&str>) -> Option<EpochMs> {
        let date = date?.trim();
        find::words(&self.folded, date).and_then(|_| date_begins(date))
    }
}

/// The quote of a proposal.
struct Quote {
    folded: Plain,
    /// Where it begins in the window, in bytes.
    start: usize,
}

/// The sentence before a place of a text, with the beginning of its own.
fn sentence_before(text: &str, at: usize) -> &str {
    let bounds: Vec<(usize, &str)> = text[..at].split_sentence_bound_indices().collect();
    let ended = |words: &str| words.trim_end_matches(['"', '\'', ')', '”', '’', ' ']).ends_with(['.', '!', '?', '\n']);
    let said: Vec<&(usize, &str)> = bounds.iter().filter(|(_, words)| !words.trim().is_empty()).collect();
    let wanted = if said.last().is_none_or(|(_, last)| ended(last)) { 1 } else { 2 };
    let from = said.get(said.len().saturating_sub(wanted)).map_or(at, |(from, _)| *from);
    &text[from..at]
}

/// Whether something is so of each word; not so where there is none.
fn all_words(text: &str, is_so: impl Fn(&str) -> bool) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(is_so)
}

/// A name without the article in front.
fn bare(name: &str) -> &str {
    let name = name.trim().trim_end_matches(['.', ',']);
    let article = name.split_once(' ').filter(|(first, _)| ["the", "a", "an"].contains(&&*first.to_lowercase()));
    article.map_or(name, |(_, rest)| rest.trim_start())
}

/// Whether a name means the one who speaks, or somebody of theirs.
fn speaker(name: &str) -> Option<Referent> {
    let lower = name.to_lowercase().replace('’', "'");
    if ["user", "i", "me", "myself"].contains(&lower.as_str()) {
        return Some(Referent::Speaker);
    }
    let relation = ["user's ", "my "].iter().find_map(|before| lower.strip_prefix(before))?;
    Some(Referent::OfSpeaker(relation.trim().to_owned()))
}

/// A relation's name in lower case with underscores; `None` where nothing of it is left.
fn predicate(name: &str) -> Option<String> {
    let mut written = String::new();
    for c in name.trim().chars().take(60) {
        if c.is_uppercase() && written.ends_with(|last: char| last.is_lowercase()) {
            written.push('_');
        }
        match c.is_alphanumeric() {
            true => written.extend(c.to_lowercase()),
            false if written.ends_with('_') || written.is_empty() => {}
            false => written.push('_'),
        }
    }
    let written = written.trim_end_matches('_');
    written.chars().any(char::is_alphabetic).then(|| written.to_owned())
}

fn entity_type(name: Option<&str>) -> EntityType {
    name.and_then(|name| name.trim().to_lowercase().parse().ok()).unwrap_or(EntityType::Thing)
}

fn polarity(name: Option<&str>) -> Polarity {
    match name {
        Some(name) if name.trim().eq_ignore_ascii_case("negative") => Polarity::Negative,
        _ => Polarity::Positive,
    }
}

/// A date that is all of a text, in the form of ISO. A year alone may be any number.
fn date(text: &str) -> Option<String> {
    let date = normal_value(text, ValueKind::Date);
    let of_no_year = date.len() == 7 && date.starts_with("--");
    (date.contains('-') && (of_no_year || date_begins(&date).is_some())).then_some(date)
}

/// What kind of value words are that are no date.
fn kind_of(text: &str) -> ValueKind {
    match text.to_lowercase().as_str() {
        "yes" | "no" | "true" | "false" => ValueKind::Boolean,
        number if number.starts_with(|c: char| c.is_ascii_digit()) && number.split_whitespace().count() <= 2 => {
            ValueKind::Number
        }
        _ => ValueKind::Text,
    }
}

#[cfg(test)]
mod tests;
