//! What is connected with an answer: spreading activation (Collins and Loftus, 1975) from whom the question names and from the
//! best passages, along entities, tags, relations and what was used together. Bounded in hops, nodes and links; what it finds
//! stands apart from the passages (ruling 34).

use super::fuse::Candidate;
use super::wanted::Wanted;
use crate::error::Fault;
use std::collections::{BTreeMap, HashSet};
use um_model::belief::MatchType;
use um_model::recall::{Basis, Hit, PathStep};
use um_model::traces::{Gate, TracedAssociate};
use um_model::{EntityId, EpochMs, MemoryId, SpaceId, Tier, UnitId};
use um_store::filter::UnitFilter;
use um_store::{Connection, associations};

/// So far from where it begins.
const HOPS: usize = 2;
/// Of each hop, so many of the most active nodes pass it on.
const FRONTIER: usize = 16;
/// What a link lets through, times its weight.
const DECAY: f64 = 0.6;
/// What is reached with less is not told: the gate of weak activation.
const ENOUGH: f64 = 0.12;
/// So many passages begin.
const SEEDS: usize = 5;
/// So many are told, and of what is not, so many are in the trace.
const MOST: usize = 5;
const PASSED_OVER: usize = 10;
/// Of those whom a question names, so many begin, so that with the passages all of them pass it on.
const NAMED: usize = FRONTIER - SEEDS;

/// A node that was reached: how much, and by which way.
#[derive(Debug, Clone, Default)]
struct Node {
    activation: f64,
    is_memory: bool,
    path: Vec<PathStep>,
}

impl Node {
    /// Whom it names, where it was reached by that.
    fn by_entity(&self) -> Option<&str> {
        self.path.last().filter(|step| step.basis == Basis::Entity).map(|step| step.from.as_str())
    }
}

/// A passage that was reached.
pub(super) struct Reached {
    /// Its score is its activation.
    pub(super) candidate: Candidate,
    pub(super) unit: UnitId,
    pub(super) memory: MemoryId,
    pub(super) path: Vec<PathStep>,
    /// Why it is not told.
    pub(super) gate: Option<Gate>,
}

impl Reached {
    /// As a trace tells it.
    pub(super) fn traced(&self) -> TracedAssociate {
        TracedAssociate {
            unit: self.unit.clone(),
            memory: self.memory.clone(),
            activation: self.candidate.score,
            path: self.path.clone(),
            gate: self.gate,
        }
    }
}

/// What is connected with a question and its passages, and is not among them, most of all first; then the best of what is
/// connected and is not told. Where another time is asked for, by the links that held then, and with those of the `past` passages that
/// were in use then.
pub(super) fn associated(
    c: &Connection,
    spaces: &[SpaceId],
    named: &[Named],
    hits: &[Hit],
    (filter, past): (&UnitFilter, &[i64]),
    now: EpochMs,
) -> Result<Vec<Reached>, Fault> {
    let seeds = seeds(named, hits);
    let which = (filter.then, filter.tiers.contains(&Tier::Cold));
    let nodes = spread(seeds, |frontier| Ok(associations::links(c, frontier, spaces, which, now)?))?;
    let given: HashSet<&str> = hits.iter().map(|hit| hit.ids.memory.as_str()).collect();
    let mut reached: Vec<(&str, &Node)> = nodes
        .iter()
        .filter(|(id, node)| node.is_memory && !given.contains(id.as_str()))
        .map(|(id, node)| (id.as_str(), node))
        .collect();
    reached.sort_by(|a, b| b.1.activation.total_cmp(&a.1.activation).then(a.0.cmp(b.0)));
    reached.truncate(4 * (MOST + PASSED_OVER));
    let memories: Vec<(&str, Option<&str>)> = reached.iter().map(|(id, node)| (*id, node.by_entity())).collect();
    let passages = associations::passages(c, spaces, &memories, past)?;
    let rids: Vec<i64> = passages.iter().map(|(_, rid, _)| *rid).collect();
    let mut passing: HashSet<i64> =
        if filter.is_open() { rids.into_iter().collect() } else { filter.keep(c, &rids)? };
    passing.extend(past);
    let passages = passages.into_iter().filter(|(_, rid, _)| passing.contains(rid));
    Ok(passages
        .take(MOST + PASSED_OVER)
        .enumerate()
        .filter_map(|(at, (memory, rid, unit))| {
            let node = nodes.get(memory.as_str())?;
            let candidate = Candidate { rid, score: node.activation, ..Candidate::default() };
            Some(Reached { candidate, unit, memory, path: node.path.clone(), gate: gate(at, node.activation) })
        })
        .collect())
}

/// Why what stands in that place is not told.
pub(super) fn gate(at: usize, activation: f64) -> Option<Gate> {
    match activation >= ENOUGH {
        false => Some(Gate::WeakActivation),
        true if at >= MOST => Some(Gate::BeyondLimit),
        true => None,
    }
}

/// Whom or what a question names.
pub(super) struct Named {
    entity: EntityId,
    /// In which space it is called so; `GLOBAL` where it is in all.
    space: SpaceId,
    /// 0 to 1.
    confidence: f64,
}

/// Whom or what a question names in some spaces, and nearly names where that is asked for, where that is one; and what the person
/// should know of it. What is called just so is wanted.
pub(super) fn take(
    c: &Connection,
    spaces: &[SpaceId],
    (text, nearly): (&str, bool),
    wanted: &mut Wanted,
) -> Result<(Vec<Named>, Option<String>), Fault> {
    let mentions = crate::belief::mentions(c, spaces, text, nearly)?;
    let mut named: Vec<Named> = Vec::new();
    for (space, mention) in mentions.found {
        if let [one] = mention.candidates.as_slice() {
            if one.match_type != MatchType::Fuzzy {
                wanted.entities.entry(space.clone()).or_default().push(one.entity.clone());
                wanted.called.push((one.entity.clone(), mention.text.clone()));
            }
            named.push(Named { entity: one.entity.id.clone(), space, confidence: one.confidence });
        }
    }
    wanted.bearing = mentions.bearing;
    let notice = format!(
        "A word of this question may be a name that is written otherwise here. That was looked for in {} of {} spaces: name the \
         space that you mean, and it is looked for there.",
        crate::belief::NEARLY_IN,
        spaces.len()
    );
    Ok((named, mentions.is_cut.then_some(notice)))
}

/// Whom the question names, fully active, of many those in the spaces of the passages; and the best passages, each as much as its
/// score beside the best one's, or fully where nothing is scored.
fn seeds(named: &[Named], hits: &[Hit]) -> BTreeMap<String, Node> {
    let mut nodes = BTreeMap::new();
    let is_near = |one: &Named| one.space == SpaceId::global() || hits.iter().any(|hit| hit.ids.space == one.space);
    let (near, far): (Vec<&Named>, Vec<&Named>) = named.iter().partition(|one| is_near(one));
    for one in near.into_iter().chain(far) {
        if nodes.len() < NAMED {
            // Whoever is named twice is named as surely as by the surer one of these names.
            let node: &mut Node = nodes.entry(one.entity.to_string()).or_default();
            node.activation = node.activation.max(one.confidence);
        }
    }
    let best = hits.first().map_or(0.0, |hit| hit.score);
    let is_scored = hits.iter().any(|hit| hit.score != 0.0);
    let beside_the_best = |score: f64| if is_scored { score / best } else { 1.0 };
    let scored = hits.iter().map(|hit| (hit.ids.memory.as_str(), hit.score));
    for (memory, score) in first_memories(scored).into_iter().filter(|(_, score)| !is_scored || *score > 0.0) {
        let activation = beside_the_best(score).clamp(0.0, 1.0);
        nodes.entry(memory.to_owned()).or_insert(Node { activation, is_memory: true, path: Vec::new() });
    }
    nodes
}

/// The memories of the best passages, as many as begin, each with the score of its first passage.
fn first_memories<'a>(passages: impl Iterator<Item = (&'a str, f64)>) -> Vec<(&'a str, f64)> {
    let mut seen = HashSet::new();
    passages.filter(|(memory, _)| seen.insert(*memory)).take(SEEDS).collect()
}

/// Spreads activation from seeds. What is reached by several ways adds up, and has the way by which most came.
fn spread(
    seeds: BTreeMap<String, Node>,
    links: impl Fn(&[&str]) -> Result<Vec<associations::Link>, Fault>,
) -> Result<BTreeMap<String, Node>, Fault> {
    let mut all = seeds.clone();
    let mut frontier = seeds;
    for _ in 0..HOPS {
        let mut passing: Vec<(&String, &Node)> = frontier.iter().collect();
        passing.sort_by(|a, b| b.1.activation.total_cmp(&a.1.activation).then(a.0.cmp(b.0)));
        passing.truncate(FRONTIER);
        let ids: Vec<&str> = passing.iter().map(|(id, _)| id.as_str()).collect();
        if ids.is_empty() {
            break;
        }
        let found = links(&ids)?;
        let mut next: BTreeMap<String, (Node, f64)> = BTreeMap::new();
        for link in found.iter().filter(|link| !all.contains_key(&link.to)) {
            let Some(from) = frontier.get(&link.from) else { continue };
            // What many hang on tells little of each (the fan effect: Anderson, 1974).
            let share = from.activation * DECAY * link.weight / f64::from(link.fan).sqrt();
            let (node, most) = next.entry(link.to.clone()).or_default();
            node.activation = (node.activation + share).min(1.0);
            node.is_memory = link.to_memory;
            if share > *most {
                *most = share;
                let step = PathStep {
                    from: link.from.clone(),
                    basis: link.basis,
                    via: link.via.clone(),
                    entity_type: link.entity_type,
                };
                node.path = from.path.iter().cloned().chain([step]).collect();
            }
        }
        frontier = next.into_iter().map(|(id, (node, _))| (id, node)).collect();
        all.extend(frontier.iter().map(|(id, node)| (id.clone(), node.clone())));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_store::associations::Link;

    fn link(from: &str, to: &str, weight: f64) -> Link {
        Link {
            from: from.to_owned(),
            to: to.to_owned(),
            to_memory: to.starts_with('m'),
            basis: Basis::Entity,
            via: String::new(),
            entity_type: None,
            weight,
            fan: 1,
        }
    }

    fn check(links: &[Link], seeds: &[(&str, f64)], expected: &[(&str, f64, usize)]) {
        let seeds = seeds
            .iter()
            .map(|(id, activation)| {
                ((*id).to_owned(), Node { activation: *activation, is_memory: id.starts_with('m'), path: Vec::new() })
            })
            .collect();
        let of =
            |nodes: &[&str]| Ok(links.iter().filter(|link| nodes.contains(&link.from.as_str())).cloned().collect());
        let Ok(reached) = spread(seeds, of) else { panic!("it reads no database") };
        for (id, activation, steps) in expected {
            let node = reached.get(*id).cloned().unwrap_or_default();
            assert!((node.activation - activation).abs() < 1e-9, "{id}: {node:?}");
            assert_eq!(node.path.len(), *steps, "{id}: {node:?}");
        }
    }

    #[test]
    fn activation_decays_by_hops_weights_and_fan() {
        let chain = [link("e1", "m1", 1.0), link("m1", "e2", 0.5), link("e2", "m2", 1.0)];
        check(&chain, &[("e1", 1.0)], &[("m1", 0.6, 1), ("e2", 0.18, 2), ("m2", 0.0, 0)]);
        // However few of them are followed.
        for (fan, expected) in [(4, 0.3), (400, 0.03)] {
            check(&[Link { fan, ..link("e1", "m1", 1.0) }], &[("e1", 1.0)], &[("m1", expected, 1)]);
        }
        let two = [link("e1", "m1", 1.0), link("e2", "m1", 1.0)];
        check(&two, &[("e1", 1.0), ("e2", 0.5)], &[("m1", 0.9, 1)]);
        // Where it has been it does not come again.
        check(&[link("m1", "e1", 1.0), link("e1", "m1", 1.0)], &[("m1", 0.5)], &[("m1", 0.5, 0), ("e1", 0.3, 1)]);
    }

    #[test]
    fn memories_begin_whatever_number_of_their_passages_is_given() {
        let given = ["m1", "m1", "m1", "m2", "m2", "m3", "m4", "m5", "m6"];
        let scored = given.into_iter().enumerate().map(|(at, memory)| (memory, 9.0 - at as f64));
        assert_eq!(first_memories(scored), [("m1", 9.0), ("m2", 6.0), ("m3", 4.0), ("m4", 3.0), ("m5", 2.0)]);
    }

    #[test]
    fn of_many_who_are_named_those_near_the_passages_begin() {
        let id = |number: usize| format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{number:04}");
        let named = |number: usize, space: SpaceId| {
            let entity = EntityId::parse(id(number)).unwrap();
            Named { entity, space, confidence: 1.0 }
        };
        let mut all: Vec<Named> = (0..100).map(|number| named(number, SpaceId::parse(id(number)).unwrap())).collect();
        all.push(named(100, SpaceId::global()));
        let seeds = seeds(&all, &[]);
        assert_eq!(seeds.len(), NAMED);
        assert!(seeds.contains_key(&id(100)) && seeds.contains_key(&id(0)), "{seeds:?}");
    }

    #[test]
    fn who_is_named_twice_begins_as_the_surer_name_tells() {
        let entity = EntityId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0000").unwrap();
        for confidences in [[1.0, 0.7], [0.7, 1.0]] {
            let named =
                confidences.map(|confidence| Named { entity: entity.clone(), space: SpaceId::global(), confidence });
            let active: Vec<f64> = seeds(&named, &[]).values().map(|node| node.activation).collect();
            assert_eq!(active, [1.0], "{confidences:?}");
        }
    }
}
