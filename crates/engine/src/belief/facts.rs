//! Facts that a person or an agent states outright.

use super::family;
use super::full_names::FullNames;
use super::key::canonical_name;
use super::record::{Kept, Origin, Refused, canonical, record};
use super::resolve::may_be;
use super::show::complete;
use super::turns::{judge_later, marking, settle_marked_by};
use super::words::{circumstances, statement, tidy_qualifiers};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::held::{self, Written};
use crate::ingest::Met;
use crate::{Caller, Engine};
use std::sync::Arc;
use um_model::belief::{
    CandidateObject, ClaimCandidate, ClaimState, ClaimType, EntityType, EvidencePolarity, ExtractionMethod, Mention,
    Polarity, Referent, ValueKind,
};
use um_model::capture::{Memory, MemoryRemember};
use um_model::claims::*;
use um_model::envelope::MemoryLayer;
use um_model::health::Event;
use um_model::{
    ApiError, ClaimId, EntityId, EpochMs, ErrorCode, MemoryId, MemoryStatus, SegmentId, SpaceId, Utf16Span, ViewId,
    predicates,
};
use um_store::events::Statement;
use um_store::rejected::{Checked, Said, Says};
use um_store::{Transaction, claims, derivations, entities, events, memories, units, views, vocabulary};

/// At most so many facts at once.
const MAX_FACTS: usize = 100;
/// How sure a fact is where nothing is said.
const STATED: f64 = 0.9;
/// A memory that is at most so long, in bytes, is its own quote.
const MAX_WHOLE_QUOTE: usize = 500;
/// The longest name, predicate and value, in bytes.
const MAX_PART: usize = 2_000;
/// At most so many circumstances, each with a name and a value of at most so many bytes.
const MAX_QUALIFIERS: usize = 16;
const MAX_QUALIFIER: [usize; 2] = [60, 500];
/// At most so many events, each with an id of at most so many bytes.
const MAX_EVENTS: usize = 50;
const MAX_EVENT_ID: usize = 100;

/// Adds facts. What an agent states may be held for the person.
pub(crate) fn facts_add(engine: &Engine, caller: &Caller, request: FactsAdd) -> Outcome<FactsAdded> {
    let pass = |door: Door, request: &FactsAdd, met: Met| {
        held::pass(engine, caller, door, |_| Ok(Written::facts(request, met)))
    };
    add_if(engine, caller, request, Some(&pass))
}

/// Adds facts that the person looked at.
pub(crate) fn keep_stated(engine: &Engine, caller: &Caller, request: FactsAdd) -> Outcome<FactsAdded> {
    add_if(engine, caller, request, None)
}

/// Lets facts whose words meet that through their door, or says why not.
type Pass<'a> = &'a dyn Fn(Door, &FactsAdd, Met) -> Outcome<Door>;

fn add_if(engine: &Engine, caller: &Caller, request: FactsAdd, pass: Option<Pass<'_>>) -> Outcome<FactsAdded> {
    if request.facts.is_empty() || request.facts.len() > MAX_FACTS {
        return Err(invalid(format!("Give 1 to {MAX_FACTS} facts.")));
    }
    request.facts.iter().try_for_each(check)?;
    let now = engine.now();
    let door = engine.read(|c| {
        let space = crate::spaces::resolve(c, caller, &request.space)?.id;
        Door::compared(c, engine.key(), &space, &Stated(&request.facts))
    })?;
    let door = match pass {
        Some(pass) => pass(door, &request, Met::default())?,
        None => door,
    };
    let how = How { decides: None, looked_at: pass.is_none() };
    let (space, request) = (door.space.clone(), Arc::new(request));
    let (writer, asked) = (caller.clone(), request.clone());
    let judged = super::contradict::is_on(engine);
    let written = engine.write(move |tx| {
        let space = crate::spaces::resolve(tx, &writer, &asked.space)?.id;
        if space != door.space {
            return Err(not_found("space", &asked.space).into());
        }
        let add = |fact| add(tx, (&writer, &door), &door.pass(tx, Stated(std::slice::from_ref(fact)))?, how, now);
        let (added, marked) = marking(tx, || asked.facts.iter().map(add).collect::<Result<Vec<Added>, Fault>>())?;
        if judged {
            judge_later(tx, added.iter().map(|added| added.kept.claim.clone()), now)?;
        }
        Ok::<_, Fault>((added, marked))
    });
    // In which words a fact is kept, and what these meet, is known only where it is written.
    let met = Met { displaces: true, ..Met::default() };
    let late = pass.map(|pass| {
        let (space, request) = (&space, &request);
        move || pass(Door::of(engine.key(), space), request, met)
    });
    let (added, marked) = held::ask_again(written, late)?;
    // Its words may have brought back what goes out of use by itself.
    engine.core().expiries.changed();
    // What was stated may have joined two entities.
    settle_marked_by(engine, marked)?;
    engine.tell(Event::Beliefs);
    engine.read(|c| {
        // What is known more exactly is answered with what is known.
        let stands = |added: &Added| {
            let front = if added.kept.decided { None } else { family::front(c, &added.kept.claim)? };
            Ok(front.unwrap_or_else(|| added.kept.claim.clone()))
        };
        let ids: Vec<ClaimId> = added.iter().map(stands).collect::<Result<_, Fault>>()?;
        let mut claims = ids.iter().map(|id| claims::by_id(c, id)).collect::<Result<Vec<_>, _>>()?;
        let mut claims: Vec<Claim> = claims.drain(..).flatten().collect();
        complete(c, &mut claims)?;
        let facts = added
            .into_iter()
            .zip(claims)
            .map(|(added, claim)| FactAdded {
                created: added.kept.was.is_none() && claim.id == added.kept.claim,
                conflicts: if claim.id == added.kept.claim { added.kept.conflicts } else { claim.conflicts.clone() },
                claim,
                warnings: added.warnings,
            })
            .collect();
        Ok(FactsAdded { facts })
    })
}

/// Facts that are stated.
pub(super) struct Stated<'a>(pub(super) &'a [FactInput]);

impl Says for Stated<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        for fact in self.0 {
            let qualifiers = fact.qualifiers.iter().flat_map(|(name, value)| [name, value]);
            let parts: Vec<&str> = [&fact.subject, &fact.predicate, &fact.object]
                .into_iter()
                .chain(qualifiers)
                .map(String::as_str)
                .collect();
            parts.iter().for_each(|part| tell(Said::Name(part)));
            // What is read in one line may say what no part does: a number after its label.
            tell(Said::Name(&parts.join(" ")));
        }
    }
}

pub(super) fn check(fact: &FactInput) -> Outcome<()> {
    let parts = [("subject", &fact.subject), ("predicate", &fact.predicate), ("object", &fact.object)];
    for (name, part) in parts {
        if part.trim().is_empty() || part.len() > MAX_PART {
            return Err(invalid(format!("A fact's {name} has 1 to {MAX_PART} bytes.")));
        }
    }
    if fact.confidence.is_some_and(|confidence| !(0.0..=1.0).contains(&confidence)) {
        return Err(invalid("A confidence is between 0 and 1."));
    }
    if fact.quote.is_some() && fact.memory_id.is_none() {
        return Err(invalid("A quote needs the memory that it is from.").hint("Give memory_id."));
    }
    if fact.contradicts && fact.memory_id.is_none() {
        return Err(invalid("What speaks against a fact is the words of a memory.")
            .hint("Give memory_id, or deny the fact itself with negative."));
    }
    check_bounds(fact)?;
    window(fact.valid_from.as_deref(), fact.valid_until.as_deref()).map(drop)
}

/// Circumstances and events are few and short.
fn check_bounds(fact: &FactInput) -> Outcome<()> {
    let [name, value] = MAX_QUALIFIER;
    let fits = |(key, said): (&String, &String)| !key.trim().is_empty() && key.len() <= name && said.len() <= value;
    if fact.qualifiers.len() > MAX_QUALIFIERS || !fact.qualifiers.iter().all(fits) {
        return Err(invalid(format!(
            "A fact has at most {MAX_QUALIFIERS} qualifiers, with names of 1 to {name} and values of at most {value} bytes."
        ))
        .hint("Say what tells when and how; a story belongs into a memory, which the fact can quote."));
    }
    let ids = &fact.source_event_ids;
    if ids.len() > MAX_EVENTS || ids.iter().any(|id| id.trim().is_empty() || id.len() > MAX_EVENT_ID) {
        return Err(invalid(format!(
            "A fact comes from at most {MAX_EVENTS} events, with ids of 1 to {MAX_EVENT_ID} bytes."
        ))
        .hint("Name those that carry it."));
    }
    Ok(())
}

/// The time of these two dates.
pub(super) fn window(from: Option<&str>, until: Option<&str>) -> Outcome<(Option<EpochMs>, Option<EpochMs>)> {
    let from = from.map(date).transpose()?;
    let until = until.map(date).transpose()?;
    match (from, until) {
        (Some(from), Some(until)) if until <= from => Err(invalid("A fact ceases to be so after it begins.")
            .hint("A date stands for its first moment: what was so in all of 2022 was so from 2022 until 2023.")),
        window => Ok(window),
    }
}

/// The beginning of a date that is written as `2021-05-01`, `2021-05` or `2021`, or in words. One that may be two days is not guessed.
pub(super) fn date(text: &str) -> Outcome<EpochMs> {
    if let Some([day_first, month_first]) = um_rules::two_readings(text) {
        return Err(invalid(format!("\"{text}\" may be two days."))
            .hint(format!("Write {day_first} if the day stands first in it, or {month_first} if the month does.")));
    }
    um_rules::date_begins(text).ok_or_else(|| {
        invalid(format!("\"{text}\" is no date that can be read.")).hint("Write 2021-05-01, 2021-05 or 2021.")
    })
}

/// A fact that was kept.
pub(super) struct Added {
    pub(super) kept: Kept,
    /// What to know.
    warnings: Vec<String>,
    /// The memory of its words, where these were not said before.
    pub(super) said: Option<MemoryId>,
}

/// How a fact is stated.
#[derive(Debug, Clone, Copy)]
pub(super) struct How<'a> {
    /// The decision that states it.
    pub(super) decides: Option<&'a str>,
    /// Whether the person looked at it: then its words may take the place of what somebody brought in who has more to say there.
    pub(super) looked_at: bool,
}

/// Keeps one fact, with its source.
///
/// # Errors
/// `Held` where an agent states it, nobody looked at it, and its words would take such a place.
pub(super) fn add(
    tx: &Transaction<'_>,
    (caller, door): (&Caller, &Door),
    stated: &Checked<Stated<'_>>,
    How { decides, looked_at }: How<'_>,
    now: EpochMs,
) -> Result<Added, Fault> {
    let (space, [fact]) = (&door.space, stated.0) else { return Err(invalid("Give one fact.").into()) };
    let (valid_from, valid_to) = window(fact.valid_from.as_deref(), fact.valid_until.as_deref())?;
    let candidate = candidate(tx, caller, space, fact)?;
    let mut candidate = canonical(tx, space, &candidate)?;
    (candidate.valid_from, candidate.valid_to) = (valid_from, valid_to);
    fits_kind(tx, space, &candidate)?;
    let source = match &fact.memory_id {
        Some(memory) => source_of(tx, space, memory, fact.quote.as_deref())?,
        None => {
            let words = in_words(tx, space, fact, &candidate)?;
            let source = state(tx, (caller, door), (&words, looked_at), now)?;
            if let Some(said) = &source.said {
                promoted(tx, caller, space, said, &fact.source_event_ids, now)?;
            }
            source
        }
    };
    candidate.quote = source.quote;
    if caller.is_agent() && fact.memory_id.is_some() {
        super::naming::check(tx, space, &candidate, (&source.text, source.quote))?;
    }
    let origin = Origin {
        space,
        memory: &source.memory.id,
        view: source.view.as_ref(),
        segments: &source.segments,
        text: &source.text,
        observed_at: source.memory.occurred_at.unwrap_or(source.memory.created_at),
        said_at: memories::said_at(tx, &source.memory.id)?.or(Some(now)),
        author: &caller.actor,
        method: ExtractionMethod::User,
        polarity: match fact.contradicts && !denies(caller, fact) {
            true => EvidencePolarity::Contradicting,
            false => EvidencePolarity::Supporting,
        },
        decides,
    };
    let kept = record(tx, &origin, &[candidate], &FullNames::default(), now)?.remove(0).map_err(refusal)?;
    let warnings = warnings(tx, space, fact, &kept)?;
    let payload = serde_json::json!({ "created": kept.was.is_none(), "conflicts": kept.conflicts.len() });
    Engine::audit(tx, caller, "fact.added", ("claims", kept.claim.as_str()), space, payload, now)?;
    Ok(Added { kept, warnings, said: source.said })
}

/// A value that is stated is of the kind that its attribute has.
fn fits_kind(tx: &Transaction<'_>, space: &SpaceId, candidate: &ClaimCandidate) -> Result<(), Fault> {
    let CandidateObject::Value { text, .. } = &candidate.object else { return Ok(()) };
    let kind = vocabulary::attribute(tx, space, &candidate.predicate)?.map_or(ValueKind::Text, |known| known.kind);
    if um_rules::reads_as(text, kind) {
        return Ok(());
    }
    let (what, hint) = match kind {
        ValueKind::Date => ("date", "Write 1984-05-03, 1984-05, 1984 or 3 May 1984."),
        ValueKind::Number => ("number", "Write it in digits, with its unit if it has one."),
        ValueKind::Boolean => ("yes or no", "Write yes or no."),
        ValueKind::Text => return Ok(()),
    };
    let name = candidate.predicate.replace('_', " ");
    Err(invalid(format!("\"{text}\" is no {what}, as \"{name}\" wants one.")).hint(hint).into())
}

/// What to know of a fact that was kept.
fn warnings(tx: &Transaction<'_>, space: &SpaceId, fact: &FactInput, kept: &Kept) -> Result<Vec<String>, Fault> {
    let missing = events::missing(tx, space, &fact.source_event_ids)?;
    let mut warnings: Vec<String> =
        missing.into_iter().map(|id| format!("There is no event {id} in this space.")).collect();
    warnings.extend(new_predicate(tx, space, fact, kept)?);
    let state = claims::by_id(tx, &kept.claim)?.map(|claim| claim.state);
    let is_out = matches!(state, Some(ClaimState::Retracted | ClaimState::Superseded)) && !fact.contradicts;
    let known = family::front(tx, &kept.claim)?;
    let says_more = known.as_ref().map_or(Ok(false), |known| family::says_more(tx, &kept.claim, known))?;
    let why = if is_out && kept.decided {
        "The person decided otherwise, or took it back, and this source was heard then: ask them, and pass on what they say."
    } else if says_more {
        "Others say this without the detail, which is too unsure or told by one agent alone: it counts once somebody else says it."
    } else if is_out && known.is_none() {
        "This was taken back before, and its source is known: restore the claim, or name another source."
    } else {
        return Ok(warnings);
    };
    warnings.push(why.to_owned());
    Ok(warnings)
}

/// What a predicate that nobody defined, and that nothing was stated with before, is taken for.
fn new_predicate(
    tx: &Transaction<'_>,
    space: &SpaceId,
    fact: &FactInput,
    kept: &Kept,
) -> Result<Option<String>, Fault> {
    let (name, _) = predicates::canonical(&fact.predicate);
    let is_known = kept.was.is_some()
        || vocabulary::attribute(tx, space, &name)?.is_some()
        || vocabulary::relation(tx, space, &name)?.is_some()
        || claims::is_said(tx, space, &name, &kept.claim)?;
    Ok((!is_known).then(|| {
        format!(
            "\"{name}\" is a new predicate, taken as an attribute that may have many values, so that none of them \
             conflict. Known ones: umem predicates list (predicates_list)."
        )
    }))
}

/// What is stated of earlier events is made of the memories that these became, and is no second source of theirs.
fn promoted(
    tx: &Transaction<'_>,
    caller: &Caller,
    space: &SpaceId,
    said: &MemoryId,
    event_ids: &[String],
    now: EpochMs,
) -> Result<(), Fault> {
    for content in events::contents(tx, space, event_ids)? {
        let known = memories::by_hash(tx, space, &crate::ingest::text_hash(&content))?;
        if let Some(known) = known.filter(|known| known.id != *said) {
            derivations::insert(tx, space, said, &known.id, &caller.actor, now)?;
        }
    }
    Ok(())
}

fn refusal(refused: Refused) -> ApiError {
    match refused {
        Refused::NoQuote => invalid("The quote is empty."),
        Refused::NoName => invalid("Subject and object need names of their own."),
        Refused::NoValue => invalid("The object has no words, or too many."),
        Refused::Ambiguous(name, candidates) => {
            let ids: Vec<String> = candidates.iter().map(|c| format!("{} ({})", c.name, c.id)).collect();
            ApiError::new(ErrorCode::Ambiguous, format!("More than one entity is named \"{name}\"."))
                .hint(format!("Give the id: {}.", ids.join(", ")))
        }
    }
}

fn candidate(
    tx: &Transaction<'_>,
    caller: &Caller,
    space: &SpaceId,
    fact: &FactInput,
) -> Result<ClaimCandidate, Fault> {
    let (name, inverted) = predicates::canonical(&fact.predicate);
    let known = vocabulary::relation(tx, space, &name)?.is_some();
    let is_entity = fact.object_is_entity.unwrap_or(known);
    if is_entity && !known {
        return Err(invalid(format!("There is no relation \"{name}\" here."))
            .hint("Define it first, or leave object_is_entity out to keep the object as a value.")
            .into());
    }
    let (mut of_subject, mut of_object) = super::kinds::of(&name);
    if inverted {
        std::mem::swap(&mut of_subject, &mut of_object);
    }
    let subject = mention(tx, caller, space, &fact.subject, (fact.subject_type, of_subject))?;
    let object = if is_entity {
        CandidateObject::Entity(mention(tx, caller, space, &fact.object, (fact.object_type, of_object))?)
    } else {
        CandidateObject::Value { text: fact.object.trim().to_owned(), kind: ValueKind::Text }
    };
    let claim_type = match predicates::lookup(&name) {
        Some(found) => found.predicate.claim_type,
        None if is_entity => ClaimType::Relationship,
        None => ClaimType::Attribute,
    };
    Ok(ClaimCandidate {
        claim_type,
        subject,
        predicate: fact.predicate.clone(),
        object,
        qualifiers: tidy_qualifiers(&fact.qualifiers),
        polarity: if fact.negative != denies(caller, fact) { Polarity::Negative } else { Polarity::Positive },
        quote: Utf16Span::new(0, 0),
        confidence: fact.confidence.unwrap_or(STATED),
        valid_from: None,
        valid_to: None,
    })
}

/// Whether what speaks against a fact is kept as its denial: what an agent holds against what others say, the person decides.
fn denies(caller: &Caller, fact: &FactInput) -> bool {
    fact.contradicts && caller.is_agent()
}

/// A name or an id, as a mention: of the type that was said, else of the one that is likely.
fn mention(
    tx: &Transaction<'_>,
    caller: &Caller,
    space: &SpaceId,
    name: &str,
    (said, likely): (Option<EntityType>, Option<EntityType>),
) -> Result<Mention, Fault> {
    let name = name.trim();
    let known = match EntityId::parse(name) {
        // What looks like an id names nobody else.
        Ok(id) => Some(entities::by_id(tx, &id, &[])?.ok_or_else(|| not_found("entity", name))?),
        Err(_) => None,
    };
    if let Some(entity) = known {
        let reader = caller.wishing(crate::access::Wish::Use(um_model::access::Right::Read));
        crate::spaces::of_item(tx, &reader, &entity.space_id, || not_found("entity", name))?;
        if entity.space_id != *space && entity.space_id != SpaceId::global() {
            return Err(invalid(format!("\"{}\" is of another space.", entity.name))
                .hint("Name it, so that this space gets its own, or share it first.")
                .into());
        }
        let Some(entity) = entities::standing(tx, &entity.id)? else {
            return Err(not_found("entity", name).into());
        };
        let referent = Referent::Known(entity.id);
        return Ok(Mention { name: entity.name, referent, entity_type: entity.entity_type, span: None });
    }
    let means_the_person = ["me", "i", "myself", "user"].contains(&name.to_lowercase().as_str());
    if means_the_person {
        let (name, referent) = (super::resolve::PERSON.to_owned(), Referent::Speaker);
        return Ok(Mention { name, referent, entity_type: EntityType::Person, span: None });
    }
    // What is only likely makes no second entity of a name that is borne already.
    let bearing = entities::by_name(tx, space, &canonical_name(name))?;
    let fits = |likely: &EntityType| bearing.is_empty() || bearing.iter().any(|b| may_be(b.entity_type, *likely));
    let entity_type = said.or(likely.filter(fits)).unwrap_or(EntityType::Thing);
    Ok(Mention { name: name.to_owned(), referent: Referent::Named, entity_type, span: None })
}

/// The text that carries a fact, and the words of it.
struct FactSource {
    memory: Memory,
    said: Option<MemoryId>,
    view: Option<ViewId>,
    segments: Vec<(Utf16Span, SegmentId)>,
    text: String,
    quote: Utf16Span,
}

fn whole(text: &str) -> Utf16Span {
    Utf16Span::from_byte_range(text, 0..text.len())
}

/// Finds a quote in a memory's words or in a text of its file.
fn source_of(
    tx: &Transaction<'_>,
    space: &SpaceId,
    memory: &MemoryId,
    quote: Option<&str>,
) -> Result<FactSource, Fault> {
    let found = memories::by_id(tx, memory)?.filter(|found| found.space_id == *space);
    let memory = found.ok_or_else(|| not_found("memory in this space", memory.as_str()))?;
    if memory.status != MemoryStatus::Active {
        return Err(invalid(format!("This memory is {}.", memory.status)).hint("Name one that is in use.").into());
    }
    if memory.layer == MemoryLayer::Raw {
        return Err(invalid("This memory is raw: nothing is believed by it.")
            .hint("Distil it first (memory_distill, umem distill), and quote that one.")
            .into());
    }
    let mut texts = Vec::new();
    if memory.content.is_some() {
        texts.push((None, units::source_text(tx, memory.id.as_str(), true)?));
    }
    if let Some(artifact) = &memory.artifact_id {
        for view in views::of_artifact(tx, artifact)? {
            texts.push((Some(view.id.clone()), units::source_text(tx, view.id.as_str(), false)?));
        }
    }
    for (view, text) in texts {
        let span = match quote {
            Some(quote) => text.find(quote).map(|at| Utf16Span::from_byte_range(&text, at..at + quote.len())),
            None if text.len() <= MAX_WHOLE_QUOTE => Some(whole(&text)),
            None => return Err(invalid("This memory is long.").hint("Give the quote that carries the fact.").into()),
        };
        if let Some(quote) = span.filter(|span| !span.is_empty()) {
            let segments = view.as_ref().map_or_else(|| Ok(Vec::new()), |view| units::segments(tx, view))?;
            return Ok(FactSource { memory, said: None, view, segments, text, quote });
        }
    }
    Err(invalid("These words are not in the memory.").hint("Give the quote exactly as it stands there.").into())
}

/// A fact without a source is one itself: what was said becomes an event, then a memory, then the quote
/// (ruling 31).
fn state(
    tx: &Transaction<'_>,
    (caller, door): (&Caller, &Door),
    (text, looked_at): (&str, bool),
    now: EpochMs,
) -> Result<FactSource, Fault> {
    let space = &door.space;
    door.compare_whole(tx, text)?;
    events::append_explicit_memory(tx, space, &caller.actor, &door.pass(tx, Statement(text))?, now)?;
    let known = memories::by_hash(tx, space, &crate::ingest::text_hash(text))?;
    let known = known.is_some_and(|memory| crate::library::is_in_use(&memory, now));
    let request = MemoryRemember { text: text.to_owned(), space: space.to_string(), ..MemoryRemember::default() };
    let (id, _) = crate::ingest::keep_text(tx, caller, door, (&request, looked_at), now)?;
    let memory = memories::by_id(tx, &id)?.ok_or_else(|| not_found("memory", id.as_str()))?;
    let text = memory.content.clone().unwrap_or_else(|| text.to_owned());
    let (quote, said) = (whole(&text), (!known).then_some(id));
    Ok(FactSource { memory, said, view: None, segments: Vec::new(), text, quote })
}

/// A fact in words, as it is kept where it has no other source.
fn in_words(
    tx: &Transaction<'_>,
    space: &SpaceId,
    fact: &FactInput,
    candidate: &ClaimCandidate,
) -> Result<String, Fault> {
    let object = match &candidate.object {
        CandidateObject::Entity(mention) => &mention.name,
        CandidateObject::Value { text, .. } => text,
    };
    let mut more = circumstances(&candidate.qualifiers);
    more.extend(fact.valid_from.iter().map(|from| format!("from {from}")));
    more.extend(fact.valid_until.iter().map(|until| format!("until {until}")));
    let ends = [candidate.subject.name.as_str(), object];
    Ok(statement(tx, space, &candidate.predicate, ends, candidate.polarity, &more)? + ".")
}
