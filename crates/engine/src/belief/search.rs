//! The search for what is believed.

use super::show::complete_then;
use crate::error::{Outcome, invalid};
use crate::recall::words::Question;
use crate::{Caller, Engine};
use um_model::belief::ClaimState;
use um_model::claims::*;
use um_model::predicates;
use um_store::claims;
use um_store::filter::Then;

/// Searches what is believed.
pub(crate) fn facts_search(engine: &Engine, caller: &Caller, request: FactsSearch) -> Outcome<FactsFound> {
    engine.read(|c| {
        let readable = crate::spaces::asked(c, caller, request.space.as_deref())?;
        let expression = match request.query.as_deref().map(str::trim).filter(|query| !query.is_empty()) {
            Some(query) => Some(Question::parse(query).match_expression().ok_or_else(|| invalid("Search for words."))?),
            None => None,
        };
        let entity = match &request.entity {
            Some(entity) => Some(super::entities::named(c, caller, entity, request.space.as_deref())?.0),
            None => None,
        };
        let states = if request.states.is_empty() {
            vec![ClaimState::Asserted, ClaimState::Disputed]
        } else {
            request.states.clone()
        };
        let question = claims::Question {
            spaces: readable.into_iter().map(|space| space.id).collect(),
            expression,
            entity,
            artifact: request.artifact,
            predicate: request.predicate.as_deref().map(|name| predicates::canonical(name).0.into_owned()),
            states,
            then: Then { as_of: request.as_of, known_at: request.known_at },
            with_past: false,
        };
        let limit = request.limit.unwrap_or(50).clamp(1, 200);
        let (mut facts, total) = match request.uncounted {
            true => {
                let first = claims::first(c, &question, limit)?;
                let given = first.len() as u64;
                (first, given)
            }
            false => claims::search(c, &question, request.offset, limit)?,
        };
        complete_then(c, &mut facts, question.then, question.artifact.as_ref())?;
        Ok(FactsFound { facts, total })
    })
}
