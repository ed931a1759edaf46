//! `Key: value` lines under a line that names what they are about.

use super::keys::KEYS;
use super::{Found, career, document, numbered};
use crate::clause::Said;
use crate::data::{attributes, names, nouns, words};
use crate::dates;
use crate::layout::{Block, Card};
use crate::mention::Voices;
use crate::source::Source;
use crate::values;
use crate::whose;
use std::ops::Range;
use um_model::belief::{CandidateObject, EntityType, Mention, Referent, ValueKind};
use um_model::predicates;

/// Headings that name a part of a document and no thing.
const PARTS: &str = " overview introduction summary notes note todo usage installation install options configuration settings features \
    requirements contents details information info example examples background conclusion references appendix changelog \
    license contributing faq help quick start getting started setup how what why when where build building run running test \
    testing tests documentation docs links resources misc other general description abstract agenda attendees decisions \
    actions next steps questions answers facts data model models command commands api reference table format formats ";

/// What the fields that follow are about.
struct Topic {
    mention: Mention,
    /// A paper with a number carries any field; a heading only those that are known.
    paper: bool,
    /// Whose card it stands below: an address there needs no key.
    carded: bool,
}

pub(super) fn claims(source: &Source<'_>, blocks: &[Block], title: Option<&str>, speaker: Option<&str>) -> Vec<Found> {
    let text = source.text;
    // In a letter, in talk and in a reprint `my` is theirs.
    let theirs = |block: &Block| matches!(block, Block::Prose(_, Some(_)) | Block::Card(_));
    let elsewhere = speaker.is_none() && (whose::is_elsewhere(text) || blocks.iter().any(theirs));
    let mut topic = title.filter(|title| names_a_thing(title) && !is_file(title)).map(|title| Topic {
        mention: Mention {
            name: (*title).to_owned(),
            referent: Referent::Named,
            entity_type: names::guess(title).unwrap_or(EntityType::Thing),
            span: None,
        },
        paper: false,
        carded: false,
    });
    let mut found: Vec<Found> = Vec::new();
    for block in blocks {
        match block {
            Block::Heading(range) => topic = heading(source, range.clone()).or_else(|| paper(source, range.clone())),
            Block::Prose(_, Some(speaker)) if speaker.talk => topic = None,
            Block::Prose(range, _) => {
                let mut start = range.start;
                for line in text[range.clone()].split('\n') {
                    let below = topic.as_ref().filter(|topic| topic.carded);
                    found.extend(below.and_then(|topic| reached(source, topic, start..start + line.len())));
                    if let Some(named) = paper(source, start..start + line.len()) {
                        topic = Some(named);
                    }
                    start += line.len() + 1;
                }
            }
            Block::Card(card) => {
                found.extend(held(source, card));
                topic = Some(Topic { mention: person(source, &card.name), paper: false, carded: true });
            }
            Block::Pair(line, key, value) => {
                if let Some(named) = paper(source, line.clone()).or_else(|| card(source, key, value, topic.is_none()))
                    && (named.paper || !topic.as_ref().is_some_and(|topic| topic.paper))
                {
                    topic = Some(named);
                    continue;
                }
                // `My allergies: ragweed, walnuts`
                if let Some(mine) = text[key.clone()].strip_prefix("My ") {
                    let mention = Voices { speaker, talk: false, antecedents: Vec::new() }.mention();
                    let own = Topic { mention, paper: false, carded: false };
                    let said = fields(source, &own, key.end - mine.len()..key.end, value.clone());
                    found.extend(said.into_iter().filter(|_| !elsewhere).map(|said| (line.clone(), said)));
                    continue;
                }
                let Some(topic) = &topic else { continue };
                found.extend(
                    fields(source, topic, key.clone(), value.clone()).into_iter().map(|said| (line.clone(), said)),
                );
            }
        }
    }
    found
}

/// Somebody who is named.
fn person(source: &Source<'_>, name: &Range<usize>) -> Mention {
    let span = Some(source.span(name.clone()));
    let name = source.text[name.clone()].to_owned();
    Mention { name, referent: Referent::Named, entity_type: EntityType::Person, span }
}

/// An address for mail that is all of a line.
fn reached(source: &Source<'_>, topic: &Topic, line: Range<usize>) -> Option<Found> {
    let text = source.text[line.clone()].trim();
    let (name, host) = text.split_once('@')?;
    let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || ".-_+".contains(c));
    let fits = plain(name) && plain(host) && host.contains('.');
    let object = CandidateObject::Value { text: text.to_owned(), kind: ValueKind::Text };
    fits.then(|| (line, Said::new(topic.mention.clone(), "email", object, 0.9)))
}

/// What a card says that somebody does: `Jane Dorsey`, `Head of Sales`, `Acme Tools`.
fn held(source: &Source<'_>, card: &Card) -> Option<Found> {
    let text = source.text;
    let role = &text[card.role.clone()?];
    let who = person(source, &card.name);
    // `Tax adviser, Menon & Partner`
    if let Some((role, firm)) = career::post(role) {
        let line = card.role.clone()?;
        return Some((card.name.start..line.end, career::holds(source, who, role, firm)));
    }
    let role = role.to_owned();
    let Some(firm) = &card.firm else {
        let object = CandidateObject::Value { text: role, kind: ValueKind::Text };
        let end = card.role.as_ref().map_or(card.name.end, |role| role.end);
        return Some((card.name.start..end, Said::new(who, "job_title", object, 0.8)));
    };
    let span = Some(source.span(firm.clone()));
    let name = text[firm.clone()].to_owned();
    let object = Mention { name, referent: Referent::Named, entity_type: EntityType::Organization, span };
    let mut said = Said::new(who, "works_at", CandidateObject::Entity(object), 0.85);
    said.qualifiers.insert("role".into(), role);
    Some((card.name.start..firm.end, said))
}

/// `Invoice No. 20391` as `Invoice 20391`.
fn paper(source: &Source<'_>, range: Range<usize>) -> Option<Topic> {
    let text = source.text;
    let line = text[range.clone()].trim_start_matches(['*', '_', ' ']);
    let (name, code) = numbered(line)?;
    let offset = line.as_ptr() as usize - text.as_ptr() as usize;
    let end = code.as_ptr() as usize - text.as_ptr() as usize + code.len();
    Some(Topic {
        mention: document(source, format!("{} {code}", titled(name)), offset..end),
        paper: true,
        carded: false,
    })
}

fn titled(name: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn heading(source: &Source<'_>, range: Range<usize>) -> Option<Topic> {
    let text = source.text;
    let name = text[range.clone()].trim_matches(['*', '_', '`', '#', ' ']);
    if !names_a_thing(name) {
        return None;
    }
    let bare = ["The ", "the ", "Our ", "A "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name);
    let start = bare.as_ptr() as usize - text.as_ptr() as usize;
    let entity_type = names::guess(bare).unwrap_or(EntityType::Thing);
    let span = Some(source.span(start..start + bare.len()));
    Some(Topic {
        mention: Mention { name: bare.to_owned(), referent: Referent::Named, entity_type, span },
        paper: false,
        carded: false,
    })
}

/// Whether a title is but the name of a file, as in `scan-008.jpg`.
fn is_file(title: &str) -> bool {
    title.rsplit_once('.').is_some_and(|(_, ending)| {
        ending.len() <= 5
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

fn names_a_thing(name: &str) -> bool {
    let parts: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let part = |word: &String| words::contains_word(PARTS, word.trim_end_matches([':', '.', ',']));
    let grammar = |word: &String| {
        words::tags(word) & (words::PRONOUN | words::QUESTION | words::MODAL | words::BE | words::POSSESSIVE) != 0
    };
    (1..=6).contains(&parts.len())
        && !parts.iter().any(part)
        && !parts.iter().any(grammar)
        && !name.ends_with(['?', ':', '.'])
        && name.chars().any(char::is_alphabetic)
}

/// What the first key of a card says that the card is of: `Company: Tern AG`.
fn thing(key: &str) -> Option<EntityType> {
    match key {
        "company" | "organization" | "organisation" | "firm" | "company name" | "business" => {
            Some(EntityType::Organization)
        }
        "venue" | "property" => Some(EntityType::Location),
        "project" | "product" | "event" | "device" | "server" | "service" | "course" | "book" | "vehicle" | "pet" => {
            Some(EntityType::Thing)
        }
        _ => None,
    }
}

/// `Name: Ana Ruiz` at the head of a card; `first` where nothing is known yet that the card could be of.
fn card(source: &Source<'_>, key: &Range<usize>, value: &Range<usize>, first: bool) -> Option<Topic> {
    let text = source.text;
    let name = &text[value.clone()];
    let key = text[key.clone()].to_lowercase();
    let parts = name.split_whitespace().count();
    let capital = name.split_whitespace().all(|part| part.starts_with(char::is_uppercase));
    if let Some(entity_type) =
        thing(&key).filter(|_| first && (1..=5).contains(&parts) && !name.ends_with(['.', '?', '!']))
    {
        let span = Some(source.span(value.clone()));
        let mention = Mention { name: name.to_owned(), referent: Referent::Named, entity_type, span };
        return Some(Topic { mention, paper: false, carded: false }).filter(|_| name.starts_with(char::is_uppercase));
    }
    if !matches!(
        key.as_str(),
        "name"
            | "full name"
            | "contact"
            | "patient"
            | "customer name"
            | "employee"
            | "passenger"
            | "guest"
            | "student"
            | "pupil"
    ) || parts > 4
        || !capital
        || parts < 2
    {
        return None;
    }
    let span = Some(source.span(value.clone()));
    let mention = Mention { name: name.to_owned(), referent: Referent::Named, entity_type: EntityType::Person, span };
    Some(Topic { mention, paper: false, carded: false })
}

/// What may be listed behind one key.
const LISTED: &str = " language allergy medication likes dislikes health_condition ";

/// What stands in a field that is left empty.
const NOTHING: &str = " none no n/a na nil unknown - — nothing tba tbd nka nkda ";

/// What a field says: each of its values where it may have several.
fn fields(source: &Source<'_>, topic: &Topic, key: Range<usize>, value: Range<usize>) -> Vec<Said> {
    let text = &source.text[value.clone()];
    let empty = words::contains_word(NOTHING, &text.trim_end_matches('.').to_lowercase())
        || text.starts_with("__")
        || text.to_lowercase().contains("none known")
        || text.to_lowercase().starts_with("no known ");
    if empty {
        return Vec::new();
    }
    let Some(whole) = field(source, topic, key.clone(), value.clone()) else { return Vec::new() };
    // `Position: Engineer at Tern AG`
    if predicates::canonical(&whole.predicate).0 == "job_title"
        && let Some((role, firm)) = career::post(text)
    {
        return vec![career::holds(source, topic.mention.clone(), role, firm)];
    }
    if !words::contains_word(LISTED, &predicates::canonical(&whole.predicate).0) {
        return vec![whole];
    }
    let parts = text.split([',', ';', '/']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" & "));
    let parts = parts.map(|part| part.trim().trim_start_matches("and ")).filter(|part| !part.is_empty());
    let range = |part: &str| {
        let start = part.as_ptr() as usize - source.text.as_ptr() as usize;
        start..start + part.len()
    };
    parts.filter_map(|part| field(source, topic, key.clone(), range(part))).collect()
}

fn field(source: &Source<'_>, topic: &Topic, key: Range<usize>, value: Range<usize>) -> Option<Said> {
    let text = source.text;
    let lower = text[key].to_lowercase();
    let key = lower.trim_end_matches(['#', '.', ' ']);
    let value_text = text[value.clone()].trim_end_matches(['.', ',', ';']).trim();
    let known = KEYS.iter().find(|(known, _)| *known == key).map(|(_, predicate)| (*predicate).to_owned());
    let of_one = topic.mention.entity_type == EntityType::Person;
    let own = match key {
        "company" | "organization" | "organisation" | "firm" if of_one => Some("employer".to_owned()),
        "title" if of_one => Some("job_title".to_owned()),
        _ => None,
    };
    let predicate = known
        .or(own)
        .or_else(|| attributes::predicate(key))
        .or_else(|| nouns::is_role(key).then(|| key.replace(' ', "_")))
        .or_else(|| own_key(topic, key, value_text))?;
    // `Start date: 1 June 2025`: a date is a date under any key.
    let day = dates::whole(value_text).filter(|when| when.grain == dates::Grain::Day);
    let found = predicates::lookup(&predicate).map(|found| found.predicate);
    // A heading may stand over anything: its fields count only where they are short.
    if !topic.paper && (value_text.split_whitespace().count() > 6 || value_text.contains('`')) || value_text.is_empty()
    {
        return None;
    }
    let object = match found.map(|found| found.value) {
        Some(None) => {
            let capital = value_text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
            let span = Some(source.span(value.start..value.start + value_text.len()));
            let entity_type = names::guess(value_text).unwrap_or(EntityType::Thing);
            capital.then(|| {
                CandidateObject::Entity(Mention {
                    name: value_text.to_owned(),
                    referent: Referent::Named,
                    entity_type,
                    span,
                })
            })?
        }
        Some(Some(ValueKind::Date)) => CandidateObject::Value { text: date(value_text)?, kind: ValueKind::Date },
        Some(Some(ValueKind::Number)) => value_text
            .contains(|c: char| c.is_ascii_digit())
            .then(|| CandidateObject::Value { text: value_text.to_owned(), kind: ValueKind::Number })?,
        Some(Some(kind)) => CandidateObject::Value { text: value_text.to_owned(), kind },
        None => CandidateObject::Value { text: value_text.to_owned(), kind: ValueKind::Text },
    };
    let object = match (object, day) {
        (CandidateObject::Value { .. }, Some(day)) => CandidateObject::Value { text: day.iso(), kind: ValueKind::Date },
        (object, _) => object,
    };
    Some(Said::new(topic.mention.clone(), &predicate, object, 0.9))
}

/// The key itself as a predicate, where a paper with a number gives a day or a sum behind it: `Check-in: 3 May 2026`.
fn own_key(topic: &Topic, key: &str, value: &str) -> Option<String> {
    let day = || dates::whole(value).is_some_and(|when| when.grain == dates::Grain::Day);
    let sum = || {
        let (first, last) = value.split_once(' ').unwrap_or((value, ""));
        let number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        values::is_currency(&first.to_lowercase()) && number(last)
            || number(first) && values::is_currency(&last.to_lowercase())
            || value.starts_with(['$', '€', '£']) && !value.contains(' ')
    };
    let plain =
        key.split([' ', '-']).count() <= 3 && key.chars().all(|c| c.is_ascii_lowercase() || c == ' ' || c == '-');
    (topic.paper && plain && !key.is_empty() && (day() || sum())).then(|| key.replace([' ', '-'], "_"))
}

/// A date that is all of the value, or the first thing in it.
fn date(value: &str) -> Option<String> {
    let tokens = crate::token::tokenize(value, 0, value.len());
    let (when, _) = dates::absolute(&tokens)?;
    Some(when.iso())
}
