//! What the person does with what is proposed.

use crate::access::Wish;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::ingest::MadeOf;
use crate::{Caller, Engine};
use um_model::access::Right;
use um_model::health::Event;
use um_model::held::*;
use um_model::ops::Request;
use um_model::work::{BlockSet, EntrySave, EventPromote, ItemKey, ItemType, ResourcePut};
use um_model::{
    ApiError, CandidateId, EpochMs, ErrorCode, SpaceId, capture::MemoryRemember, capture::MemoryRemove,
    claims::FactsAdd, envelope::MemoryDistill,
};
use um_store::held::{self, Asked};
use um_store::{Connection, relations};

/// How long what was dismissed can be taken back.
const KEPT_FOR_MS: i64 = 30 * 86_400_000;

/// Lists what waits for the person, or was dismissed.
pub(crate) fn held_list(engine: &Engine, caller: &Caller, request: HeldList) -> Outcome<HeldListed> {
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|space| space.id).collect();
        let limit = request.limit.unwrap_or(50).clamp(1, 200);
        let (held, total) = held::list(c, &spaces, request.dismissed, request.offset, limit)?;
        Ok(HeldListed { held, total })
    })
}

/// Does what is proposed, dismisses it, or lets it wait again.
pub(crate) fn held_decide(engine: &Engine, caller: &Caller, request: HeldDecide) -> Outcome<HeldWrite> {
    let (found, asked) = engine.read(|c| find(c, caller, &request.id))?;
    may_be(&found, request.decision)?;
    // What is done twice, as this stopped in between, is there once: the same words are the same memory.
    let item = match request.decision {
        HeldDecision::Accept => {
            engine.read(|c| has_part(c, &found))?;
            is_to_come(&found, engine.now())?;
            Some(carry_out(engine, caller, &found, asked)?)
        }
        HeldDecision::Dismiss | HeldDecision::Wait => None,
    };
    let (writer, now) = (caller.clone(), engine.now());
    let decided = engine.write(move |tx| {
        let (mut held, _) = find(tx, &writer, &request.id)?;
        may_be(&held, request.decision)?;
        let (event_type, state) = match request.decision {
            HeldDecision::Accept => ("write.accepted", HeldState::Accepted),
            HeldDecision::Dismiss => ("write.dismissed", HeldState::Dismissed),
            HeldDecision::Wait => ("write.reopened", HeldState::Waiting),
        };
        match &item {
            Some(item) => {
                held::set_accepted(tx, &held.id, item, &writer.actor, now)?;
                if let Some(event) = &held.source_event_id {
                    let (memory, event) = (key(ItemType::Memory, item), key(ItemType::Event, event.as_str()));
                    relations::derives(tx, &held.space_id, (&memory, &event), &held.actor_id, now)?;
                }
                held.says.clear();
                held.title = None;
                held.labels.clear();
            }
            None => held::set_dismissed(tx, &held.id, state == HeldState::Dismissed, &writer.actor, now)?,
        }
        (held.state, held.item_id) = (state, item);
        let payload = serde_json::json!({ "operation": held.operation, "item": held.item_id });
        Engine::audit(tx, &writer, event_type, ("candidates", held.id.as_str()), &held.space_id, payload, now)?;
        Ok(held)
    })?;
    engine.tell(Event::Held);
    Ok(decided)
}

fn key(item_type: ItemType, id: &str) -> ItemKey {
    ItemKey { item_type, id: id.to_owned() }
}

fn find(c: &Connection, caller: &Caller, id: &CandidateId) -> Result<(HeldWrite, Asked), Fault> {
    let unknown = || {
        ApiError::new(ErrorCode::NotFound, format!("No proposal \"{id}\" waits or was dismissed."))
            .hint("It may have been written again since, and wait anew: look at what waits now.")
    };
    let (held, asked) = held::by_id(c, id)?.ok_or_else(unknown)?;
    crate::spaces::resolve(c, caller, held.space_id.as_str())?;
    Ok((held, asked))
}

fn may_be(held: &HeldWrite, decision: HeldDecision) -> Outcome<()> {
    let waits = held.state == HeldState::Waiting;
    match decision {
        HeldDecision::Wait if waits => Err(invalid("It waits already.").hint("Accept it or dismiss it.")),
        HeldDecision::Accept | HeldDecision::Dismiss if !waits => {
            Err(ApiError::new(ErrorCode::Conflict, "It was dismissed.").hint("Let it wait again first."))
        }
        _ => Ok(()),
    }
}

/// Nothing is done for an agent that has no part in the space any more.
fn has_part(c: &Connection, held: &HeldWrite) -> Result<(), Fault> {
    let agent = as_agent(held);
    crate::spaces::resolve(c, &agent, held.space_id.as_str()).map(drop).map_err(|fault| match fault {
        Fault::Api(error) if matches!(error.code, ErrorCode::NotFound | ErrorCode::Forbidden) => {
            let says = format!("{} may not write in that space any more.", held.actor_name);
            ApiError::new(ErrorCode::Conflict, says)
                .hint("Give it a part there that may write, or write it down yourself.")
                .into()
        }
        other => other,
    })
}

/// What was so for a time that is over is not kept: for good it was not meant, and it would go at once.
fn is_to_come(held: &HeldWrite, now: EpochMs) -> Outcome<()> {
    if !held.is_over(now) {
        return Ok(());
    }
    let says = "The time for which it was to be kept is over.";
    Err(ApiError::new(ErrorCode::Conflict, says)
        .hint("Dismiss it. What of it still holds you can write down yourself."))
}

/// The agent that wrote it, as its roles are now.
fn as_agent(held: &HeldWrite) -> Caller {
    Caller {
        actor: held.actor_id.clone(),
        agent_name: Some(held.actor_name.clone()),
        wish: Wish::Use(Right::Write),
        ..Caller::owner("")
    }
}

/// Does what was asked, in the agent's name, as if it had not been held. Gives the id of what it became, or of what was taken out of
/// recall.
fn carry_out(engine: &Engine, caller: &Caller, held: &HeldWrite, asked: Asked) -> Outcome<String> {
    let agent = Caller { request_id: caller.request_id.clone(), ..as_agent(held) };
    let unreadable = |error: serde_json::Error| ApiError::new(ErrorCode::Internal, error.to_string());
    match asked.operation.as_str() {
        MemoryRemember::NAME => {
            let mut request: MemoryRemember = serde_json::from_value(asked.request).map_err(unreadable)?;
            // Where it was held: another space may bear the name by now.
            request.space = held.space_id.to_string();
            let made_of = MadeOf::default();
            Ok(crate::ingest::keep_written(engine, &agent, request, made_of)?.memory.id.to_string())
        }
        MemoryDistill::NAME => {
            let request: MemoryDistill = serde_json::from_value(asked.request).map_err(unreadable)?;
            Ok(crate::envelope::keep_distilled(engine, &agent, &request)?.memory.id.to_string())
        }
        EventPromote::NAME => {
            let request: EventPromote = serde_json::from_value(asked.request).map_err(unreadable)?;
            Ok(crate::events::keep_promoted(engine, &agent, &request)?.memory.id.to_string())
        }
        FactsAdd::NAME => {
            let mut request: FactsAdd = serde_json::from_value(asked.request).map_err(unreadable)?;
            request.space = held.space_id.to_string();
            let added = crate::belief::keep_stated(engine, &agent, request)?;
            let first = added.facts.first().ok_or_else(|| not_found("fact", held.id.as_str()))?;
            Ok(first.claim.id.to_string())
        }
        EntrySave::NAME => {
            let mut request: EntrySave = serde_json::from_value(asked.request).map_err(unreadable)?;
            // A session says by itself where it lies.
            request.space = request.session.is_none().then(|| held.space_id.to_string());
            Ok(crate::entries::keep_written(engine, &agent, request)?.entry.id.to_string())
        }
        BlockSet::NAME => {
            let mut request: BlockSet = serde_json::from_value(asked.request).map_err(unreadable)?;
            request.space = Some(held.space_id.to_string());
            Ok(crate::blocks::keep_block(engine, &agent, request)?.block.id.to_string())
        }
        ResourcePut::NAME => {
            let mut request: ResourcePut = serde_json::from_value(asked.request).map_err(unreadable)?;
            request.space = Some(held.space_id.to_string());
            Ok(crate::resources::keep_put(engine, &agent, request, held.replaces)?.id.to_string())
        }
        MemoryRemove::NAME => {
            let request: MemoryRemove = serde_json::from_value(asked.request).map_err(unreadable)?;
            let id = request.id.to_string();
            // The person's act: agents take nothing out of recall.
            crate::library::memory_remove(engine, caller, request)?;
            Ok(id)
        }
        other => Err(invalid(format!("Nothing knows how to do what {other} asked for."))),
    }
}

/// Empties what was dismissed long ago.
pub(crate) fn empty_dismissed(engine: &Engine) -> Outcome<usize> {
    let now = engine.now();
    engine.write(move |tx| Ok(held::empty_dismissed(tx, now - KEPT_FOR_MS, now)?))
}
