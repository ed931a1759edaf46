//! Why a claim is believed, and the walk along the graph.

use super::settle::{evidence_of, weigh};
use super::show::{Sources, complete_then, shown};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use std::collections::HashSet;
use um_model::claims::*;
use um_model::{ClaimId, EntityId, EpochMs, SpaceId};
use um_store::edges::{self, EdgeFilter};
use um_store::filter::Then;
use um_store::{Connection, claims, conflicts, entities, vocabulary};

/// At most so many pieces of evidence are shown.
const EVIDENCE: usize = 200;

/// Tells why something is believed.
pub(crate) fn claim_explain(engine: &Engine, caller: &Caller, request: ClaimExplain) -> Outcome<ClaimExplained> {
    engine.read(|c| {
        let id: ClaimId = request.claim;
        let unknown = || not_found("claim", id.as_str());
        // The space first: what a row of a closed one says, or that it is damaged, is never read.
        crate::spaces::open(c, caller, claims::space_of(c, &id)?, unknown)?;
        let mut found = claims::by_ids(c, std::slice::from_ref(&id))?;
        complete_then(c, &mut found, Then { as_of: None, known_at: request.known_at }, None)?;
        let known = |at: EpochMs| request.known_at.is_none_or(|known_at| at <= known_at);
        let claim = found.pop().ok_or_else(unknown)?;
        let mut pieces = evidence_of(c, &claim)?;
        pieces.retain(|piece| known(piece.heard_at));
        let (mut history, mut windows) = (claims::history(c, &id)?, claims::window_history(c, &id)?);
        history.retain(|change| known(change.changed_at));
        windows.retain(|change| known(change.changed_at));
        let mut conflicts = conflicts::of_claim(c, &id)?;
        conflicts.retain(|conflict| known(conflict.detected_at));
        for conflict in &mut conflicts {
            conflict.resolution = conflict.resolution.take().filter(|(_, decided)| known(decided.resolved_at));
            conflict.reopened_at = conflict.reopened_at.filter(|at| known(*at));
        }
        let mut sources = Sources::of(c, pieces.iter().take(EVIDENCE))?;
        Ok(ClaimExplained {
            confidence: weigh(&pieces),
            evidence: pieces
                .iter()
                .take(EVIDENCE)
                .map(|piece| shown(c, piece, &mut sources))
                .collect::<Result<_, _>>()?,
            history,
            windows,
            conflicts: super::decide::shown(c, conflicts)?,
            claim,
        })
    })
}

/// The most steps of a walk.
const MAX_DEPTH: u32 = 6;

/// At most so many names near one that is not known are told.
const NEAR: usize = 5;

/// The canonical name of a relation that one of the spaces knows, and whether `name` is its name the other way round.
fn relation(c: &Connection, spaces: &[SpaceId], name: &str) -> Result<(String, bool), Fault> {
    let (canonical, inverted) = um_model::predicates::canonical(name);
    for space in spaces {
        if let Some(known) = vocabulary::relation(c, space, &canonical)? {
            let is_inverse = known.name != canonical;
            return Ok((known.name, inverted != is_inverse));
        }
    }
    let known = vocabulary::list(c, &[spaces, &[SpaceId::global()]].concat())?;
    let mut near: Vec<&str> =
        known.iter().map(|known| &known.predicate).filter(|p| p.relates).map(|p| p.name.as_str()).collect();
    near.retain(|known| is_near(known, &canonical));
    near.dedup();
    near.truncate(NEAR);
    let near = if near.is_empty() { String::new() } else { format!("Near it: {}. ", near.join(", ")) };
    Err(invalid(format!("There is no relation \"{name}\" here."))
        .hint(format!("{near}Known ones: umem predicates list (predicates_list)."))
        .into())
}

/// Whether two names of relations share a word that tells something, or begin alike.
fn is_near(one: &str, other: &str) -> bool {
    let words = |name: &str| name.split('_').filter(|word| word.len() > 2).map(str::to_owned).collect::<Vec<_>>();
    let alike =
        |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count() >= 3.min(a.len().min(b.len()));
    let of_other = words(other);
    words(one).iter().any(|word| of_other.iter().any(|other| alike(word, other)))
}

/// Walks the graph from an entity, step by step; no edge is walked twice, so that a cycle ends the walk.
pub(crate) fn graph_traverse(engine: &Engine, caller: &Caller, request: GraphTraverse) -> Outcome<GraphTraversed> {
    let depth = request.depth.unwrap_or(2);
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(invalid(format!("A walk has 1 to {MAX_DEPTH} steps.")));
    }
    let limit = request.limit.unwrap_or(200).clamp(1, 1_000);
    engine.read(|c| {
        let (start, _) = super::entities::named(c, caller, &request.entity, request.space.as_deref())?;
        let space = entities::space_of(c, &start)?.ok_or_else(|| not_found("entity", start.as_str()))?;
        let spaces = super::entities::claiming(c, caller, &space, request.space.as_deref())?;
        let start = entities::standing(c, &start)?.ok_or_else(|| not_found("entity", start.as_str()))?;
        let named: Vec<(String, bool)> =
            request.relations.iter().map(|name| relation(c, &spaces, name)).collect::<Result<_, Fault>>()?;
        let (turned, along): (Vec<_>, Vec<_>) = named.into_iter().partition(|(_, turned)| *turned);
        let names = |named: Vec<(String, bool)>| named.into_iter().map(|(name, _)| name).collect();
        let (relations, turned) = (names(along), names(turned));
        let then = Then { as_of: request.as_of, known_at: request.known_at };
        let filter = EdgeFilter { spaces, direction: request.direction, relations, turned, then };
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
