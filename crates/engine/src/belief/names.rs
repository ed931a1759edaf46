//! The names of a candidate: whom they mean, where the text names them, and what it tells of relatives.

use super::conflict::is_agents;
use super::full_names::FullNames;
use super::held;
use super::key::canonical_name;
use super::record::{Origin, Refused, in_order};
use super::resolve::{Around, Resolved, resolve};
use crate::Caller;
use crate::error::Fault;
use um_model::belief::{
    CandidateObject, ClaimCandidate, ClaimType, ExtractionMethod, MatchType, Mention, Polarity, Referent,
};
use um_model::{EntityId, EpochMs, Utf16Span};
use um_store::entities::{self, Link, Named};
use um_store::{Connection, evidence};

/// The longest value, in bytes.
const MAX_VALUE: usize = 2_000;

/// A candidate whose names are found and whose words are canonical.
pub(super) struct Resolution {
    pub(super) subject: End,
    pub(super) object: Object,
    pub(super) predicate: String,
    pub(super) claim_type: ClaimType,
}

/// An entity as a candidate names it.
pub(super) struct End {
    pub(super) id: EntityId,
    match_type: MatchType,
    /// Where the text names it.
    span: Option<Utf16Span>,
}

pub(super) enum Object {
    Entity(End),
    Value(String),
}

/// Finds or makes those that a candidate speaks of.
pub(super) fn find(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    names: &FullNames,
    now: EpochMs,
) -> Result<Result<Resolution, Refused>, Fault> {
    let subject = match end(tx, origin, &candidate.subject, names, now)? {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let object = match &candidate.object {
        CandidateObject::Entity(mention) => match end(tx, origin, mention, names, now)? {
            // Nobody is related to themselves: a sign of two names taken for one.
            Ok(found) if found.id == subject.id => return Ok(Err(Refused::NoName)),
            Ok(found) => Object::Entity(found),
            Err(refused) => return Ok(Err(refused)),
        },
        CandidateObject::Value { text, .. } => {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.is_empty() || text.len() > MAX_VALUE {
                return Ok(Err(Refused::NoValue));
            }
            Object::Value(text)
        }
    };
    let mut found =
        Resolution { subject, object, predicate: candidate.predicate.clone(), claim_type: candidate.claim_type };
    if let Object::Entity(object) = &mut found.object
        && !in_order(tx, origin.space, &found.predicate, &found.subject.id, &object.id)?
    {
        std::mem::swap(object, &mut found.subject);
    }
    Ok(Ok(found))
}

/// The entity that a mention means: because a person said so, or by its words.
fn end(
    tx: &Connection,
    origin: &Origin<'_>,
    mention: &Mention,
    names: &FullNames,
    now: EpochMs,
) -> Result<Result<End, Refused>, Fault> {
    let span = mention.span.or_else(|| named_in(origin, mention));
    let is_known = matches!(mention.referent, Referent::Known(_) | Referent::Speaker);
    if !is_known && let Some(id) = held::meant(tx, origin, &mention.name)? {
        return Ok(Ok(End { id, match_type: MatchType::User, span }));
    }
    let is_read = origin.method != ExtractionMethod::User;
    let source = if is_read && is_described(origin.text, mention) {
        evidence::lineage(tx, origin.memory)?.into_iter().next()
    } else {
        None
    };
    let around = Around { names: is_read.then_some(names), source: source.as_deref() };
    match resolve(tx, origin.space, mention, around, now)? {
        Resolved::One(id, match_type) => Ok(Ok(End { id, match_type, span })),
        Resolved::Ambiguous(choices) => Ok(Err(Refused::Ambiguous(mention.name.clone(), choices))),
        Resolved::Nobody => Ok(Err(Refused::NoName)),
    }
}

/// Whether a text describes something rather than name it: "the contract" is another one in each text.
fn is_described(text: &str, mention: &Mention) -> bool {
    let is_name = mention.name.chars().any(|c| c.is_uppercase() || c.is_numeric());
    let Some(at) = mention.span.filter(|_| mention.referent == Referent::Named && !is_name) else { return false };
    let Some(before) = Utf16Span::new(0, at.start).slice(text) else { return false };
    let words = at.slice(text).unwrap_or_default();
    let first = |words: &str| words.split_whitespace().next().map(str::to_lowercase);
    let last = before.rsplit(char::is_whitespace).find(|word| !word.is_empty()).map(str::to_lowercase);
    [first(words), last].into_iter().flatten().any(|word| DEFINITE.contains(&word.as_str()))
}

/// Words before what is known from the text around it.
const DEFINITE: [&str; 5] = ["the", "this", "that", "these", "those"];

/// Where the words of a fact that was stated name somebody: whoever states a fact tells no place.
fn named_in(origin: &Origin<'_>, mention: &Mention) -> Option<Utf16Span> {
    if origin.method != ExtractionMethod::User || mention.referent == Referent::Speaker || mention.name.is_empty() {
        return None;
    }
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (at, _) = origin.text.match_indices(&mention.name).find(|(at, name)| {
        !is_word(origin.text[..*at].chars().next_back()) && !is_word(origin.text[at + name.len()..].chars().next())
    })?;
    Some(Utf16Span::from_byte_range(origin.text, at..at + mention.name.len()))
}

/// Keeps where a text names those that a candidate speaks of.
pub(super) fn link(tx: &Connection, origin: &Origin<'_>, found: &Resolution, now: EpochMs) -> Result<(), Fault> {
    let object = match &found.object {
        Object::Entity(end) => Some((end, "mention")),
        Object::Value(_) => None,
    };
    for (end, link_type) in [(&found.subject, "subject")].into_iter().chain(object) {
        let End { id: entity, match_type, span } = end;
        let link =
            Link { memory: origin.memory, view: origin.view, entity, link_type, match_type: *match_type, span: *span };
        entities::link(tx, origin.space, &link, now)?;
    }
    Ok(())
}

/// "My sister Ana" tells who "my sister" is: that becomes another name of Ana. The one sister who was known by nothing
/// else is her; where a second one is named, nobody knows any more which of the two that was.
pub(super) fn name_relative(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    found: &Resolution,
    now: EpochMs,
) -> Result<(), Fault> {
    let (CandidateObject::Entity(object), Object::Entity(object_end)) = (&candidate.object, &found.object) else {
        return Ok(());
    };
    if candidate.polarity == Polarity::Negative {
        return Ok(());
    }
    for mention in [&candidate.subject, object] {
        let Referent::OfSpeaker(relation) = &mention.referent else { continue };
        let shown = format!("your {relation}");
        let (canonical, named) = (canonical_name(&shown), canonical_name(&mention.name));
        if named == canonical {
            continue;
        }
        // Subject and object may have changed places since.
        for id in [&found.subject.id, &object_end.id] {
            if entities::standing(tx, id)?.is_some_and(|entity| canonical_name(&entity.name) == named) {
                is_the_relative(tx, origin, id, (&shown, &canonical), now)?;
            }
        }
    }
    Ok(())
}

/// Somebody with a name of their own is the person's relative.
fn is_the_relative(
    tx: &Connection,
    origin: &Origin<'_>,
    id: &EntityId,
    (shown, canonical): (&str, &str),
    now: EpochMs,
) -> Result<(), Fault> {
    let bearing = entities::by_name(tx, origin.space, canonical)?;
    let (unnamed, others): (Vec<&Named>, Vec<&Named>) =
        bearing.iter().filter(|named| named.id != *id).partition(|named| named.match_type == MatchType::Exact);
    match (unnamed.as_slice(), others.as_slice()) {
        ([unnamed], []) => {
            if !entities::was_parted(tx, &unnamed.id)? {
                super::merge::join(tx, &Caller::system("extraction"), id, &unnamed.id, now)?;
            }
        }
        // Who stands apart stays who they are.
        ([_, ..], _) => {}
        ([], others) => {
            // What an agent says, or a file that it brought in, parts nobody: the name may mean several from then on.
            for other in others.iter().filter(|_| !is_agents(origin.author)) {
                super::merge::part_again(tx, &Caller::system("extraction"), &other.id, canonical, now)?;
            }
            // That may have brought back whoever is called so and nothing else.
            if entities::by_name(tx, origin.space, canonical)?.iter().all(|named| named.match_type != MatchType::Exact)
            {
                entities::add_alias(tx, origin.space, id, shown, canonical, now)?;
            }
        }
    }
    Ok(())
}
