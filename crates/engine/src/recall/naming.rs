//! Which memories name whom or what a question names.

use super::wanted::Wanted;
use crate::error::Fault;
use std::collections::{BTreeSet, HashMap};
use um_model::claims::EntityRef;
use um_model::recall::{Basis, Hit, PathStep};
use um_model::{EntityId, SpaceId};
use um_store::filter::UnitFilter;
use um_store::hits::Passage;
use um_store::{Connection, entities};

/// Of those whom a question names and a memory names, too, so many are told.
const TOLD: usize = 3;

/// Which memories name whom or what a question names.
#[derive(Debug, Default)]
pub(super) struct Naming {
    /// Whom or what it names.
    named: Vec<EntityRef>,
    /// The places in `named` of those that a memory names, by the memory.
    by_memory: HashMap<String, Vec<usize>>,
}

impl Naming {
    /// Among the memories of some passages: one statement for each space that knows somebody so. A space is told of those alone whom it
    /// knows itself, or all do.
    pub(super) fn of(
        c: &Connection,
        passages: &HashMap<i64, Passage>,
        (filter, wanted): (&UnitFilter, &Wanted),
    ) -> Result<Self, Fault> {
        let mut naming = Self::default();
        for (space, named) in &wanted.entities {
            let is_there = |one: &&Passage| match *space == SpaceId::global() {
                true => !wanted.bearing.iter().any(|own| own.as_str() == one.space),
                false => one.space == space.as_str(),
            };
            let memories: BTreeSet<&str> = passages.values().filter(is_there).map(|one| one.memory.as_str()).collect();
            if memories.is_empty() {
                continue;
            }
            let memories: Vec<&str> = memories.into_iter().collect();
            let ids: Vec<&str> = named.iter().map(|one| one.id.as_str()).collect();
            let before = naming.named.len();
            naming.named.extend(named.iter().cloned());
            for (memory, at) in entities::naming_any(c, &memories, &ids, filter.then.known_at)? {
                naming.by_memory.entry(memory).or_default().extend(at.into_iter().map(|at| before + at));
            }
        }
        Ok(naming)
    }

    /// Whether a memory names any of them.
    pub(super) fn is_in(&self, memory: &str) -> bool {
        self.by_memory.contains_key(memory)
    }

    /// Whether a memory names this one of them.
    pub(super) fn names(&self, memory: &str, entity: &EntityId) -> bool {
        let named = self.by_memory.get(memory).into_iter().flatten().filter_map(|at| self.named.get(*at));
        named.map(|one| &one.id).any(|id| id == entity)
    }

    /// Those that a memory names, each as the step that leads from them to it, in the order of the question; at most [`TOLD`].
    pub(super) fn steps(&self, memory: &str) -> Vec<PathStep> {
        let mut steps: Vec<PathStep> = Vec::new();
        let named = self.by_memory.get(memory).into_iter().flatten().filter_map(|at| self.named.get(*at));
        for one in named {
            // Whoever is named twice is told once.
            if steps.len() < TOLD && steps.iter().all(|step| step.from != one.id.as_str()) {
                steps.push(PathStep {
                    from: one.id.to_string(),
                    basis: Basis::Entity,
                    via: one.name.clone(),
                    entity_type: Some(one.entity_type),
                });
            }
        }
        steps
    }

    /// Notes them with hits.
    pub(super) fn tell(&self, hits: &mut [Hit]) {
        for hit in hits.iter_mut().filter(|hit| hit.score_parts.entity.is_some()) {
            hit.named = self.steps(hit.ids.memory.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::belief::EntityType;

    #[test]
    fn those_who_are_named_are_told_once_and_few_of_them() {
        let id = |number: usize| format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{number:04}");
        let named = [0, 1, 0, 2, 3].map(|number| EntityRef {
            id: EntityId::parse(id(number)).unwrap(),
            name: format!("e{number}"),
            entity_type: EntityType::Thing,
        });
        let check = |at: &[usize], expected: &[&str]| {
            let by_memory = HashMap::from([("m".to_owned(), at.to_vec())]);
            let naming = Naming { named: named.to_vec(), by_memory };
            let steps = naming.steps("m");
            assert_eq!(steps.iter().map(|step| step.via.as_str()).collect::<Vec<_>>(), expected, "{at:?}");
            assert!(steps.iter().all(|step| step.entity_type == Some(EntityType::Thing)), "{steps:?}");
            assert!(naming.is_in("m") && !naming.is_in("n") && naming.steps("n").is_empty());
        };
        check(&[1], &["e1"]);
        check(&[0, 2], &["e0"]);
        check(&[0, 1, 2, 3, 4], &["e0", "e1", "e2"]);
    }
}
