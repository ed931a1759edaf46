//! What agents asked and what they got: the last requests are kept in memory for the person to see, and each is
//! written to the ledger by ids and counts.

use crate::error::Outcome;
use crate::{Caller, Engine};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;
use um_model::access::{AgentRequest, RequestsList, RequestsListed};
use um_model::health::Event;
use um_model::{ApiError, SpaceId};

/// So many requests are kept.
const KEPT: usize = 1_000;
/// So much of a question is shown, in characters.
const SHOWN: usize = 200;
/// So many ids of what was told stand in the ledger.
const LEDGER_IDS: usize = 100;

/// The last requests, the newest at the end.
#[derive(Default)]
pub(crate) struct Requests(Mutex<VecDeque<AgentRequest>>);

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
    Ok(RequestsListed { requests: kept.iter().rev().filter(fits).take(limit).cloned().collect() })
}

/// Notes an agent's request with its answer.
pub(crate) fn note(
    engine: &Engine,
    caller: &Caller,
    operation: &str,
    asked: &Value,
    answer: Result<&Value, &ApiError>,
    took: Duration,
) {
    let now = engine.now();
    let ids = answer.map(told).unwrap_or_default();
    let bytes = answer.map_or(0, |answer| answer.to_string().len());
    let noted = AgentRequest {
        at: now,
        agent_id: caller.actor.clone(),
        agent: caller.agent_name.clone().unwrap_or_default(),
        operation: operation.to_owned(),
        asked: in_short(asked),
        items: ids.len(),
        bytes,
        error: answer.err().map(ToString::to_string),
        took_ms: took.as_millis().try_into().unwrap_or(u64::MAX),
    };
    {
        let mut kept = crate::engine::lock(&engine.core().requests.0);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(noted);
    }
    let (writer, operation) = (caller.clone(), operation.to_owned());
    let outcome = answer.err().map_or("answered", |error| error.code.as_str());
    let payload = serde_json::json!({ "items": ids.len(), "ids": &ids[..ids.len().min(LEDGER_IDS)], "bytes": bytes,
        "outcome": outcome });
    let written = engine.write(move |tx| {
        let object = ("requests", writer.request_id.as_str());
        Engine::audit(tx, &writer, &format!("agent.{operation}"), object, &SpaceId::global(), payload, now)
    });
    if written.is_err() {
        tracing::error!("an agent's request could not be written to the ledger");
    }
    engine.tell(Event::Access);
}

/// The ids of what an answer tells of, each once, in its order.
fn told(answer: &Value) -> Vec<String> {
    let mut ids = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut left = vec![answer];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items.iter().rev()),
            Value::Object(fields) => left.extend(fields.values().rev()),
            Value::String(word) if um_model::MemoryId::parse(word.clone()).is_ok() && seen.insert(word.as_str()) => {
                ids.push(word.clone());
            }
            _ => {}
        }
    }
    ids
}

/// A question in a line: what was searched for, or whatever it says.
fn in_short(asked: &Value) -> String {
    let words = ["query", "text", "entity", "id", "path", "from"].iter().find_map(|name| asked[*name].as_str());
    let all = words.map_or_else(|| asked.to_string(), str::to_owned);
    let line: String = all.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN).collect();
    if line == "{}" { String::new() } else { line }
}
