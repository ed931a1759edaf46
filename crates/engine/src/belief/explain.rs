//! Why a claim is believed, and the walk along the graph.

use super::settle::{evidence_of, weigh};
use super::show::{Sources, complete, shown};
use crate::error::{Outcome, invalid, not_found};
use crate::{Caller, Engine};
use std::collections::HashSet;
use um_model::claims::*;
use um_model::{ClaimId, EntityId};
use um_store::edges::{self, EdgeFilter};
use um_store::{claims, conflicts, entities};

/// At most so many pieces of evidence are shown.
const EVIDENCE: usize = 200;

/// Tells why something is believed.
pub(crate) fn claim_explain(engine: &Engine, caller: &Caller, request: ClaimExplain) -> Outcome<ClaimExplained> {
    engine.read(|c| {
        let id: ClaimId = request.claim;
        let mut found = claims::by_ids(c, std::slice::from_ref(&id))?;
        complete(c, &mut found)?;
        let unknown = || not_found("claim", id.as_str());
        let claim = found.pop().ok_or_else(unknown)?;
        crate::spaces::of_item(c, caller, &claim.space_id, unknown)?;
        let pieces = evidence_of(c, &claim)?;
        let mut sources = Sources::of(c, pieces.iter().take(EVIDENCE))?;
        Ok(ClaimExplained {
            confidence: weigh(&pieces),
            evidence: pieces
                .iter()
                .take(EVIDENCE)
                .map(|piece| shown(c, piece, &mut sources))
                .collect::<Result<_, _>>()?,
            history: claims::history(c, &id)?,
            windows: claims::window_history(c, &id)?,
            conflicts: super::decide::shown(c, conflicts::of_claim(c, &id)?)?,
            claim,
        })
    })
}

/// The most steps of a walk.
const MAX_DEPTH: u32 = 6;

/// Walks the graph from an entity, step by step; no edge is walked twice, so that a cycle ends the walk.
pub(crate) fn graph_traverse(engine: &Engine, caller: &Caller, request: GraphTraverse) -> Outcome<GraphTraversed> {
    let depth = request.depth.unwrap_or(2);
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(invalid(format!("A walk has 1 to {MAX_DEPTH} steps.")));
    }
    let limit = request.limit.unwrap_or(200).clamp(1, 1_000);
    let relations = request.relations.iter().map(|name| um_model::predicates::canonical(name).0.into_owned()).collect();
    engine.read(|c| {
        let (start, _) = super::entities::named(c, caller, &request.entity, request.space.as_deref())?;
        let space = entities::space_of(c, &start)?.ok_or_else(|| not_found("entity", start.as_str()))?;
        let spaces = super::entities::claiming(c, caller, &space, request.space.as_deref())?;
        let start = entities::standing(c, &start)?.ok_or_else(|| not_found("entity", start.as_str()))?;
        let filter = EdgeFilter { spaces, direction: request.direction, relations, as_of: request.as_of };
        let (mut edges, mut entities) = (Vec::new(), vec![start.clone()]);
        let (mut walked, mut reached) = (HashSet::new(), HashSet::from([start.id.clone()]));
        let mut frontier: Vec<EntityId> = vec![start.id.clone()];
        let mut truncated = false;
        for step in 1..=depth {
            let mut next = Vec::new();
            for edge in edges::at(c, &frontier, &filter, step, limit + 1)? {
                if !walked.insert(edge.claim_id.clone()) {
                    continue;
                }
                if edges.len() as u32 == limit {
                    truncated = true;
                    break;
                }
                for end in [&edge.source, &edge.target] {
                    if reached.insert(end.id.clone()) {
                        entities.push(end.clone());
                        next.push(end.id.clone());
                    }
                }
                edges.push(edge);
            }
            frontier = next;
            if frontier.is_empty() || truncated {
                break;
            }
        }
        Ok(GraphTraversed { start, entities, edges, truncated })
    })
}
