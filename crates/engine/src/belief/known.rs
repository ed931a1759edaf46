//! What can be named: the predicates that a space knows, and claims, conflicts, traces, memories and other things by a part of their ids.

use crate::error::{Fault, Outcome, invalid};
use crate::recall::Meant;
use crate::recall::cite::first_words;
use crate::{Caller, Engine};
use um_model::capture::{Got, Memory};
use um_model::claims::*;
use um_model::{EpochMs, MemoryStatus, Modality, SpaceId};
use um_store::{Connection, artifacts, claims, conflicts, memories, traces, vocabulary};

/// At most so many ids with the same part are told.
const MOST: u32 = 10;
/// At most so many of what is expected are told by their ids.
const EACH: u32 = 5;
/// An id is known by at least so many of its first or last characters.
const SHORTEST: usize = 8;
/// Words that are looked for have at most so many characters.
const LONGEST: usize = 2_000;

/// Lists the predicates that are defined for every space, and the spaces' own.
pub(crate) fn predicates_list(engine: &Engine, caller: &Caller, request: PredicatesList) -> Outcome<PredicatesListed> {
    engine.read(|c| {
        let mut spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|space| space.id).collect();
        spaces.push(SpaceId::global());
        let mut predicates = vocabulary::list(c, &spaces)?;
        for known in &mut predicates {
            // The predefined ones read as they are defined.
            if let Some(found) = um_model::predicates::lookup(&known.predicate.name).filter(|_| known.space.is_none()) {
                found.predicate.phrase.clone_into(&mut known.predicate.phrase);
            }
        }
        Ok(PredicatesListed { predicates })
    })
}

/// Finds claims, conflicts, traces, memories or other things by the beginning or the end of their ids.
pub(crate) fn ids_find(engine: &Engine, caller: &Caller, request: IdsFind) -> Outcome<IdsFound> {
    let part = request.part.trim().to_lowercase();
    if request.of != IdsOf::Expected && !is_part(&part) {
        return Err(invalid(format!("An id is known by at least {SHORTEST} of its first or last characters."))
            .hint("Give more of it, as the lists show it."));
    }
    if part.chars().count() > LONGEST {
        return Err(invalid(format!("Words to look for have at most {LONGEST} characters.")));
    }
    if matches!(request.of, IdsOf::Traces) {
        // One of a moment ago may not be written yet.
        crate::recall::settle(engine)?;
    }
    let now = engine.now();
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, None)?.into_iter().map(|space| space.id).collect();
        let found = match request.of {
            IdsOf::Claims => of_claims(c, &spaces, &part)?,
            IdsOf::Conflicts => of_conflicts(c, &spaces, &part)?,
            IdsOf::Traces => of_traces(c, caller, &spaces, (&part, now))?,
            IdsOf::Memories => of_memories(c, caller, &spaces, &part)?,
            IdsOf::Artifacts => of_artifacts(c, caller, &spaces, &part)?,
            IdsOf::Things => of_things(c, caller, &spaces, &part)?,
            IdsOf::Expected => return of_expected(c, caller, &spaces, (request.part.trim(), now)),
        };
        Ok(IdsFound { found, is_cut: false })
    })
}

/// Whether this may be a part of an id by which it is known.
fn is_part(text: &str) -> bool {
    (SHORTEST..=36).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

fn of_claims(c: &Connection, spaces: &[SpaceId], part: &str) -> Result<Vec<IdFound>, Fault> {
    let ids = claims::with_part(c, spaces, part, MOST)?;
    let told = |claim: Claim| found(claim.id.as_str(), claim.statement);
    Ok(claims::by_ids(c, &ids)?.into_iter().map(told).collect())
}

fn of_conflicts(c: &Connection, spaces: &[SpaceId], part: &str) -> Result<Vec<IdFound>, Fault> {
    let stored = conflicts::with_part(c, spaces, part, MOST)?;
    let told = |conflict: Conflict| found(conflict.id.as_str(), conflict.summary);
    Ok(super::decide::shown(c, stored)?.into_iter().map(told).collect())
}

fn of_traces(
    c: &Connection,
    caller: &Caller,
    spaces: &[SpaceId],
    (part, now): (&str, EpochMs),
) -> Result<Vec<IdFound>, Fault> {
    let actor = caller.is_agent().then_some(&caller.actor);
    let traces = traces::with_part(c, spaces, actor, part, (MOST, now))?;
    Ok(traces.into_iter().map(|one| found(one.id.as_str(), one.query)).collect())
}

/// What something is called may hold what is hidden from agents: they are told its id alone.
fn of_memories(c: &Connection, caller: &Caller, spaces: &[SpaceId], part: &str) -> Result<Vec<IdFound>, Fault> {
    let memories = memories::with_part(c, spaces, part, MOST)?;
    Ok(memories.into_iter().map(|memory| found(memory.id.as_str(), to_person(caller, called(&memory)))).collect())
}

fn of_artifacts(c: &Connection, caller: &Caller, spaces: &[SpaceId], part: &str) -> Result<Vec<IdFound>, Fault> {
    let files = artifacts::with_part(c, spaces, part, MOST)?;
    Ok(files.into_iter().map(|file| found(file.id.as_str(), to_person(caller, file.filename))).collect())
}

/// Memories in whatever state, by a part of their ids or those of the files that they stand for, or by names and words.
fn of_expected(
    c: &Connection,
    caller: &Caller,
    spaces: &[SpaceId],
    (part, now): (&str, EpochMs),
) -> Result<IdsFound, Fault> {
    if part.is_empty() {
        return Ok(IdsFound::default());
    }
    let id = part.to_lowercase();
    let mut all = if is_part(&id) { memories::with_part(c, spaces, &id, EACH)? } else { Vec::new() };
    let Meant { memories, is_cut } = crate::recall::meant(c, spaces, part)?;
    for memory in memories {
        if all.iter().all(|known| known.id != memory.id) {
            all.push(memory);
        }
    }
    let told = |memory: Memory| IdFound {
        expected: Some(expected(&memory, now)),
        ..found(memory.id.as_str(), to_person(caller, called(&memory)))
    };
    Ok(IdsFound { found: all.into_iter().map(told).collect(), is_cut })
}

/// What tells a memory from others that are called alike. One whose time has come is out of use, whether or not somebody noticed.
fn expected(memory: &Memory, now: EpochMs) -> Expected {
    let has_expired = memory.status == MemoryStatus::Active && !crate::library::is_in_use(memory, now);
    Expected {
        space_id: memory.space_id.clone(),
        modality: memory.artifact_id.as_ref().map(|_| memory.modality.parse().unwrap_or(Modality::Other)),
        status: if has_expired { MemoryStatus::Expired } else { memory.status },
        tier: memory.tier,
    }
}

fn of_things(c: &Connection, caller: &Caller, spaces: &[SpaceId], part: &str) -> Result<Vec<IdFound>, Fault> {
    let mut things = Vec::new();
    for id in um_store::spaces::things_with_part(c, spaces, part, MOST)? {
        // Of what was forgotten a row may be left with which nothing is told.
        if let Some(thing) = crate::library::thing(c, &id)? {
            things.push(found(&id, of_kind(caller, &thing)));
        }
    }
    Ok(things)
}

fn found(id: &str, says: String) -> IdFound {
    IdFound { id: id.to_owned(), says, expected: None }
}

fn to_person(caller: &Caller, says: String) -> String {
    if caller.is_agent() { String::new() } else { says }
}

/// What a memory is called: its title, else its first words.
fn called(memory: &Memory) -> String {
    let first = || memory.content.as_deref().map(first_words);
    memory.title.clone().or_else(first).unwrap_or_default()
}

/// What a thing is, and what it is called or begins with.
fn of_kind(caller: &Caller, thing: &Got) -> String {
    let (kind, says) = match thing {
        Got::Memory(memory) => ("memory", called(memory)),
        Got::Artifact(file) => ("file", file.summary.artifact.filename.clone()),
        Got::View(text) => ("text of a file", first_words(&text.text)),
        Got::Unit(passage) => ("passage", first_words(&passage.text)),
        Got::Space(space) => ("space", space.name.clone()),
        Got::Job(job) => ("job", format!("{} of {}", job.kind, job.title)),
    };
    match to_person(caller, says) {
        says if says.is_empty() => kind.to_owned(),
        says => format!("{kind}: {says}"),
    }
}
