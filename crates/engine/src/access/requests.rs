//! What agents asked and what they got: the last requests are kept in memory for the person to see, and each is
//! written to the ledger by ids and counts.

use super::Wish;
use crate::error::Outcome;
use crate::scopes::resolve_at;
use crate::spaces::writes_to_usual;
use crate::{Caller, Engine};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;
use um_model::access::{AgentRequest, RequestsList, RequestsListed, Right};
use um_model::health::Event;
use um_model::ops::Request as _;
use um_model::work::{BlockSet, EntrySave, EventsAppend, LockCheckout, ResourcePut, SessionBegin, StateSet, TagCreate};
use um_model::{ApiError, ErrorCode, SessionId, SpaceId};
use um_store::Connection;

/// So many requests are kept.
const KEPT: usize = 1_000;
/// So much of a question is shown, in characters.
const SHOWN: usize = 200;
/// So many ids of what was told stand in the ledger.
const LEDGER_IDS: usize = 100;

/// The last requests, the newest at the end.
#[derive(Default)]
pub(crate) struct Requests(Mutex<VecDeque<Noted>>);

/// A request, with the code of its error, which says nothing of what was asked.
struct Noted {
    request: AgentRequest,
    code: Option<ErrorCode>,
}

/// Lists what agents asked.
pub(crate) fn requests_list(engine: &Engine, caller: &Caller, request: RequestsList) -> Outcome<RequestsListed> {
    let wanted = engine.read(|c| {
        super::may_act(c, caller)?;
        Ok(match &request.agent {
            Some(agent) => Some(super::agents::named(c, agent)?.id),
            None => None,
        })
    })?;
    let limit = request.limit.unwrap_or(100).min(KEPT);
    let kept = crate::engine::lock(&engine.core().requests.0);
    let fits = |one: &&AgentRequest| wanted.as_ref().is_none_or(|agent| one.agent_id == *agent);
    let requests = kept.iter().rev().map(|noted| &noted.request).filter(fits).take(limit).cloned().collect();
    Ok(RequestsListed { requests })
}

/// Forgets what was asked for: any of it may be what the person let go, also where an error says it again.
pub(crate) fn forget(engine: &Engine) {
    for noted in crate::engine::lock(&engine.core().requests.0).iter_mut() {
        noted.request.asked.clear();
        noted.request.error = noted.code.map(|code| code.to_string());
    }
}

/// Notes an agent's request with its answer.
///
/// # Errors
/// `Database` where the ledger cannot be written: what an agent reads unwritten, it is not told.
pub(crate) fn note(
    engine: &Engine,
    caller: &Caller,
    operation: &str,
    asked: &Value,
    answer: Result<&Value, &ApiError>,
    took: Duration,
) -> Outcome<()> {
    let now = engine.now();
    let told = answer.map(told).unwrap_or_default();
    let bytes = answer.map_or(0, |answer| answer.to_string().len());
    let noted = AgentRequest {
        at: now,
        agent_id: caller.actor.clone(),
        agent: caller.agent_name.clone().unwrap_or_default(),
        operation: operation.to_owned(),
        asked: in_short(asked),
        items: told.values().map(|of| of.things).sum(),
        bytes,
        error: answer.err().map(ToString::to_string),
        took_ms: took.as_millis().try_into().unwrap_or(u64::MAX),
    };
    {
        let mut kept = crate::engine::lock(&engine.core().requests.0);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(Noted { request: noted, code: answer.err().map(|error| error.code) });
    }
    let writer = caller.clone();
    // A name that is no operation is whatever the agent said.
    let event = um_model::ops::operation(operation)
        .map_or(crate::audit::UNKNOWN.to_owned(), |known| format!("agent.{}", known.name));
    let outcome = answer.err().map_or("answered", |error| error.code.as_str());
    let place = Place::of(operation, asked);
    let written = engine.write(move |tx| {
        let object = ("requests", writer.request_id.as_str());
        let entry = |space: &SpaceId, of: &Told| {
            let ids = &of.ids[..of.ids.len().min(LEDGER_IDS)];
            let mut payload = serde_json::json!({ "items": of.things, "ids": ids, "bytes": bytes, "outcome": outcome });
            // So many more were told whose ids stand here no more.
            if of.ids.len() > ids.len() {
                payload["more_ids"] = (of.ids.len() - ids.len()).into();
            }
            Engine::audit(tx, &writer, &event, object, space, payload, now)
        };
        // One for each space that the answer told of, so that whoever looks what was read of one finds it.
        for (space, of) in &told {
            let named = space.clone().or_else(|| place.known(tx, &writer));
            entry(&named.unwrap_or_else(SpaceId::global), of)?;
        }
        if told.is_empty() {
            entry(&place.known(tx, &writer).unwrap_or_else(SpaceId::global), &Told::default())?;
        }
        Ok(())
    });
    if written.is_err() {
        tracing::error!("an agent's request could not be written to the ledger");
    }
    engine.tell(Event::Access);
    written
}

/// What writes to a space or session, and to the agent's usual space where neither is named.
const WRITES_AT: [&str; 8] = [
    BlockSet::NAME,
    EntrySave::NAME,
    EventsAppend::NAME,
    LockCheckout::NAME,
    ResourcePut::NAME,
    SessionBegin::NAME,
    StateSet::NAME,
    TagCreate::NAME,
];

/// Where a request belongs.
struct Place {
    space: Option<String>,
    session: Option<SessionId>,
    /// Whether the agent's usual space is meant where nothing is named.
    or_usual: bool,
}

impl Place {
    fn of(operation: &str, asked: &Value) -> Self {
        let is_at = WRITES_AT.contains(&operation);
        let session = || asked["session"].as_str().or(asked["resume"].as_str());
        let space = asked["space"].as_str().map(str::trim).filter(|named| !named.is_empty());
        Self {
            space: space.map(str::to_owned),
            session: is_at.then(session).flatten().and_then(|id| SessionId::parse(id).ok()),
            or_usual: is_at || writes_to_usual(operation),
        }
    }

    /// Its space, where the agent may read that: what it may not is named nowhere. A question that names none is of no one space.
    fn known(&self, c: &Connection, caller: &Caller) -> Option<SpaceId> {
        let (space, session) = (self.space.as_deref(), self.session.as_ref());
        if space.is_none() && session.is_none() && !self.or_usual {
            return None;
        }
        // Also what it may not write to, and was refused.
        let reader = caller.wishing(Wish::Use(Right::Read));
        resolve_at(c, &reader, space, session).ok().map(|at| at.space.id)
    }
}

/// What an answer told of a space.
#[derive(Debug, Default)]
struct Told {
    /// How many things: the rows of a list, or the one that was asked for.
    things: usize,
    /// Their ids with those of what is theirs, each once, in the order of the answer.
    ids: Vec<String>,
}

/// What an answer told of each space, and of what lies in none.
fn told(answer: &Value) -> BTreeMap<Option<SpaceId>, Told> {
    let lists: Vec<&Value> = answer
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.values())
        .filter_map(Value::as_array)
        .flatten()
        .filter(|row| row.is_object())
        .collect();
    let things = if lists.is_empty() { vec![answer] } else { lists };
    let mut told = BTreeMap::<Option<SpaceId>, Told>::new();
    for thing in things {
        let (mut ids, space) = ids_in(thing);
        if ids.is_empty() {
            continue;
        }
        let of = told.entry(space).or_default();
        of.things += 1;
        ids.retain(|id| !of.ids.contains(id));
        of.ids.extend(ids);
    }
    told
}

/// The ids of a thing and of what is its own, in their order, and the space that it says it is in.
fn ids_in(thing: &Value) -> (Vec<String>, Option<SpaceId>) {
    let (mut ids, mut space) = (Vec::new(), None);
    let mut left = vec![("", thing)];
    while let Some((name, value)) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items.iter().rev().map(|item| ("", item))),
            Value::Object(fields) => left.extend(fields.iter().rev().map(|(name, value)| (name.as_str(), value))),
            Value::String(word) if matches!(name, "space_id" | "space") => {
                space = space.or_else(|| SpaceId::parse(word.clone()).ok());
            }
            Value::String(word) if um_model::MemoryId::parse(word.clone()).is_ok() && !ids.contains(word) => {
                ids.push(word.clone());
            }
            _ => {}
        }
    }
    (ids, space)
}

/// A question in a line: what was searched for, or whatever it says.
fn in_short(asked: &Value) -> String {
    let words = ["query", "text", "entity", "id", "path", "from"].iter().find_map(|name| asked[*name].as_str());
    let all = words.map_or_else(|| asked.to_string(), str::to_owned);
    let line: String = all.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN).collect();
    if line == "{}" { String::new() } else { line }
}
