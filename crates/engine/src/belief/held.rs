//! Names that may mean several: held with what would be said of them, until a person says whom they mean. Then the memory
//! is read again with that decision.

use super::extract::{Reading, Source};
use super::key::canonical_name;
use super::record::{Origin, Refused};
use super::resolve::{is_of_the_person, may_be};
use super::turns::{settle_later, settle_marked};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::recall::cite;
use crate::{Caller, Engine, work};
use um_model::belief::{ClaimCandidate, EntityType, ExtractionMethod, MatchType};
use um_model::capture::Memory;
use um_model::claims::*;
use um_model::health::Event;
use um_model::{AgentId, ApiError, CandidateId, EntityId, EpochMs, ErrorCode, MemoryId, SpaceId};
use um_store::candidates::{self, Held, NewHeld, Proposed};
use um_store::entities::{self, Named};
use um_store::parts::{self, Text};
use um_store::{Connection, claims, evidence, jobs};

/// So many texts are read again when a second one is known who has a first name, those read last.
const READ_AGAIN: u32 = 500;
/// A title is made of so many characters at most.
const HEAD: u32 = 2_000;

/// Holds a candidate that was refused because a name in it may mean several. What a person or an agent states outright is
/// not held: they are asked at once.
pub(super) fn hold(
    tx: &Connection,
    origin: &Origin<'_>,
    candidate: &ClaimCandidate,
    refused: &Refused,
    quote: &str,
    now: EpochMs,
) -> Result<(), Fault> {
    let Refused::Ambiguous(name, choices) = refused else { return Ok(()) };
    if origin.method == ExtractionMethod::User {
        return Ok(());
    }
    let choices: Vec<EntityId> = choices.iter().map(|named| named.id.clone()).collect();
    // Whoever is known by the person alone is shown as the person reads of them.
    let shown = name.strip_prefix("user's ").map_or_else(|| name.clone(), |relative| format!("your {relative}"));
    let new = NewHeld {
        space: origin.space,
        memory: origin.memory,
        actor: origin.author,
        name: &shown,
        canonical: &canonical_name(name),
        quote,
        choices: &choices,
        proposed: Proposed { claim: candidate.clone(), view: origin.view.cloned(), method: origin.method },
    };
    Ok(candidates::hold(tx, &new, now)?)
}

/// Whom a person said that a name means where it stands in this memory.
pub(super) fn meant(tx: &Connection, origin: &Origin<'_>, name: &str) -> Result<Option<EntityId>, Fault> {
    let Some(held) = candidates::of_name(tx, origin.space, origin.memory, &canonical_name(name))? else {
        return Ok(None);
    };
    let Some(meant) = held.meant else { return Ok(None) };
    // Whoever was meant may have gone into another one since.
    Ok(entities::standing(tx, &meant)?.map(|entity| entity.id))
}

/// Keeps what a language model had proposed of names that were decided since: it is not asked again.
pub(super) fn take_up(engine: &Engine, memory: &Memory, sources: &[Source]) -> Outcome<()> {
    let decided = engine.read(|c| Ok(candidates::decided_of(c, &memory.space_id, &memory.id)?))?;
    for source in sources {
        let waiting = decided.iter().flat_map(|held| &held.proposed);
        let of_model: Vec<ClaimCandidate> = waiting
            .filter(|proposed| proposed.method == ExtractionMethod::Llm && proposed.view == source.view)
            .map(|proposed| proposed.claim.clone())
            .collect();
        if !of_model.is_empty() {
            Reading::new(engine, memory, source, ExtractionMethod::Llm).keep(&of_model)?;
        }
    }
    Ok(())
}

/// Those whom a name may mean, as they stand: two of them may have become one.
fn choices(c: &Connection, held: &Held) -> Result<Vec<EntityRef>, Fault> {
    let mut choices: Vec<EntityRef> = Vec::new();
    for id in &held.choices {
        if let Some(entity) = entities::standing(c, id)?
            && !choices.contains(&entity)
        {
            choices.push(entity);
        }
    }
    Ok(choices)
}

/// Decides the names that may mean only one any more, now that an entity went into another one, and has their memories
/// read again. Gives which.
pub(super) fn settle_joined(
    tx: &Connection,
    space: &SpaceId,
    merged: &EntityId,
    actor: &AgentId,
    now: EpochMs,
) -> Result<Vec<CandidateId>, Fault> {
    let mut decided = Vec::new();
    for held in candidates::waiting_for(tx, space, merged)? {
        if let [only] = choices(tx, &held)?.as_slice() {
            candidates::decide(tx, &held.id, Some(&only.id), actor, now)?;
            work::queue_extraction(tx, &held.memory, &held.space, jobs::PRIORITY_PERSON, now)?;
            decided.push(held.id);
        }
    }
    Ok(decided)
}

/// Lets a name wait again that was decided. What was read with that decision says nothing any more; the memory is read
/// again, for what it says by other names.
pub(super) fn let_wait(tx: &Connection, id: &CandidateId, now: EpochMs) -> Result<(), Fault> {
    let Some(held) = candidates::by_id(tx, id)?.filter(|held| held.status != "pending") else { return Ok(()) };
    candidates::reopen(tx, id)?;
    if let Some(meant) = &held.meant {
        let meant = entities::standing(tx, meant)?.map_or_else(|| meant.clone(), |entity| entity.id);
        silence(tx, &held, &meant)?;
        settle_later(tx, evidence::claims_of_memory(tx, &held.memory)?, &AgentId::system(), now)?;
    }
    work::queue_extraction(tx, &held.memory, &held.space, jobs::PRIORITY_PERSON, now)?;
    Ok(())
}

fn shown(c: &Connection, held: Held) -> Result<NameCandidate, Fault> {
    let choices = choices(c, &held)?;
    let title = match held.title {
        Some(title) => title,
        None => cite::first_words(&parts::beginning(c, &Text::Memory(held.memory.clone()), HEAD)?),
    };
    Ok(NameCandidate {
        id: held.id,
        name: held.name,
        choices,
        quote: held.quote,
        span: held.span,
        claims: held.proposed.len() as u32,
        memory_id: held.memory,
        view_id: held.view,
        artifact_id: held.artifact,
        title,
        space_id: held.space,
        waits: held.status == "pending",
        meant: held.meant.as_ref().map(|id| entities::standing(c, id)).transpose()?.flatten(),
        created_at: held.created_at,
    })
}

/// A name that waits or was decided.
pub(crate) fn name_shown(c: &Connection, id: &CandidateId) -> Result<Option<NameCandidate>, Fault> {
    candidates::by_id(c, id)?.map(|held| shown(c, held)).transpose()
}

/// Lists names in memories that may mean several.
pub(crate) fn candidates_list(engine: &Engine, caller: &Caller, request: CandidatesList) -> Outcome<CandidatesListed> {
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|space| space.id).collect();
        let limit = request.limit.unwrap_or(50).clamp(1, 200);
        let (held, total) = candidates::list(c, &spaces, request.decided, request.offset, limit)?;
        let candidates = held.into_iter().map(|held| shown(c, held)).collect::<Result<_, _>>()?;
        Ok(CandidatesListed { candidates, total })
    })
}

/// Says whom a name means, or that it means none of those. The memory is then read again.
pub(crate) fn candidates_decide(engine: &Engine, caller: &Caller, request: CandidatesDecide) -> Outcome<NameCandidate> {
    let (writer, now) = (caller.clone(), engine.now());
    let decided = engine.write(move |tx| {
        let held = candidates::by_id(tx, &request.candidate)?;
        let held = held.ok_or_else(|| not_found("name that waits", request.candidate.as_str()))?;
        crate::spaces::resolve(tx, &writer, held.space.as_str())?;
        if held.status != "pending" {
            return Err(ApiError::new(ErrorCode::Conflict, "Whom this name means was decided already.")
                .hint("Take that decision back first.")
                .into());
        }
        let meant = request.entity.as_deref().map(|entity| choice(tx, &held, entity)).transpose()?;
        candidates::decide(tx, &held.id, meant.as_ref(), &writer.actor, now)?;
        if meant.is_some() {
            work::queue_extraction(tx, &held.memory, &held.space, jobs::PRIORITY_PERSON, now)?;
        }
        let payload = serde_json::json!({ "meant": meant });
        Engine::audit(tx, &writer, "name.decided", ("candidates", held.id.as_str()), &held.space, payload, now)?;
        reload(tx, &held)
    })?;
    engine.tell(Event::Beliefs);
    Ok(decided)
}

/// Takes back whom a name was said to mean. What was read with that decision says nothing any more.
pub(crate) fn candidates_reopen(engine: &Engine, caller: &Caller, request: CandidatesReopen) -> Outcome<NameCandidate> {
    let (writer, now) = (caller.clone(), engine.now());
    let waiting = engine.write(move |tx| {
        let held = candidates::by_id(tx, &request.candidate)?;
        let held = held.ok_or_else(|| not_found("name that was decided", request.candidate.as_str()))?;
        crate::spaces::resolve(tx, &writer, held.space.as_str())?;
        if held.status == "pending" {
            return Err(invalid("Whom this name means was not decided yet.")
                .hint("Decide it; then that can be undone.")
                .into());
        }
        let_wait(tx, &held.id, now)?;
        let (object, payload) = (("candidates", held.id.as_str()), serde_json::json!({}));
        Engine::audit(tx, &writer, "name.reopened", object, &held.space, payload, now)?;
        reload(tx, &held)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    Ok(waiting)
}

fn reload(tx: &Connection, held: &Held) -> Result<NameCandidate, Fault> {
    shown(tx, candidates::by_id(tx, &held.id)?.ok_or_else(|| not_found("name", held.id.as_str()))?)
}

/// Leaves what was read of an entity in a memory as words that say nothing: all that the rules found, which they find again
/// where it is said by other names, and of a model's findings, which are not asked for again, those that waited for the
/// name.
fn silence(tx: &Connection, held: &Held, meant: &EntityId) -> Result<(), Fault> {
    silence_in(tx, &held.memory, &held.proposed, meant)
}

/// Somebody has a full name now: whoever is called by the first name alone may be them. Names that wait may mean them as
/// well; and where they are the second one who is called so, nobody knows any more whom those texts mean that were read
/// before: these are read again, and wait.
pub(super) fn share_first_name(
    tx: &Connection,
    space: &SpaceId,
    canonical: &str,
    id: &EntityId,
    now: EpochMs,
) -> Result<(), Fault> {
    let Some((first, _)) = canonical.split_once(' ').filter(|_| !is_of_the_person(canonical)) else { return Ok(()) };
    candidates::add_choice(tx, space, first, id)?;
    if entities::persons_called(tx, space, first, 3)?.len() != 2 {
        return Ok(());
    }
    let bearing = entities::by_name(tx, space, first)?;
    let alone = |named: &&Named| named.match_type == MatchType::Exact && may_be(named.entity_type, EntityType::Person);
    for named in bearing.iter().filter(alone) {
        for memory in entities::memories_naming(tx, space, &named.id, READ_AGAIN)? {
            silence_in(tx, &memory, &[], &named.id)?;
            settle_later(tx, evidence::claims_of_memory(tx, &memory)?, &AgentId::system(), now)?;
            work::queue_extraction(tx, &memory, space, jobs::PRIORITY_SCAN, now)?;
        }
    }
    Ok(())
}

fn silence_in(tx: &Connection, memory: &MemoryId, waited_for: &[Proposed], meant: &EntityId) -> Result<(), Fault> {
    for quoted in evidence::read_in(tx, memory)? {
        let waited = |proposed: &Proposed| {
            (proposed.method, &proposed.view, proposed.claim.quote) == (quoted.method, &quoted.view, quoted.span)
        };
        let names = |claim: Claim| {
            claim.subject.id == *meant || matches!(&claim.object, ClaimObject::Entity(object) if object.id == *meant)
        };
        let concerned = quoted.method == ExtractionMethod::Rule || waited_for.iter().any(waited);
        if concerned && claims::by_id(tx, &quoted.claim)?.is_some_and(names) {
            evidence::set_neutral(tx, &quoted.id)?;
        }
    }
    Ok(())
}

/// The one of a name's choices that a name or an id stands for.
fn choice(tx: &Connection, held: &Held, entity: &str) -> Result<EntityId, Fault> {
    let choices = choices(tx, held)?;
    let by_id = EntityId::parse(entity.trim()).ok().map(|id| entities::standing(tx, &id)).transpose()?.flatten();
    let means = |choice: &&EntityRef| match &by_id {
        Some(wanted) => choice.id == wanted.id,
        None => canonical_name(&choice.name) == canonical_name(entity),
    };
    let told = |found: &[&EntityRef]| {
        found.iter().map(|one| format!("{} ({})", one.name, one.id)).collect::<Vec<_>>().join(", ")
    };
    match choices.iter().filter(means).collect::<Vec<_>>().as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(invalid(format!("\"{}\" may not mean \"{entity}\".", held.name))
            .hint(format!("Give one of its choices: {}.", told(&choices.iter().collect::<Vec<_>>())))
            .into()),
        several => Err(ApiError::new(ErrorCode::Ambiguous, format!("More than one of them is named \"{entity}\"."))
            .hint(format!("Give the id: {}.", told(several)))
            .into()),
    }
}
