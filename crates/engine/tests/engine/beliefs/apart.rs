//! Whatever two spaces do with the entities that they share, neither hears of the other more than the shared names.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, to_value};

/// What is shared is called so; everything else bears the mark of its space.
const SHARED: [&str; 2] = ["Orbis", "Heron"];
const MARKS: [&str; 2] = ["Alfaquin", "Betagor"];

#[derive(Debug, Clone, Copy)]
enum Step {
    /// The space says something of a name of its own and one that may be shared.
    Say { name: usize, shared: usize, other_way: bool },
    /// It gives its own entity of a shared name another name.
    Alias(usize),
    /// It puts a name of its own into what it means by a shared name.
    Merge { name: usize, shared: usize },
    /// It shares what it means by a shared name.
    Share(usize),
    /// It undoes a merge of its own.
    Unmerge(usize),
    /// A text of it names both.
    Read { name: usize, shared: usize },
}

fn steps() -> impl Strategy<Value = Vec<(usize, Step)>> {
    let (name, shared) = (0..3usize, 0..2usize);
    let step = prop_oneof![
        4 => (name.clone(), shared.clone(), any::<bool>())
            .prop_map(|(name, shared, other_way)| Step::Say { name, shared, other_way }),
        2 => shared.clone().prop_map(Step::Alias),
        2 => (name.clone(), shared.clone()).prop_map(|(name, shared)| Step::Merge { name, shared }),
        3 => shared.clone().prop_map(Step::Share),
        2 => (0..8usize).prop_map(Step::Unmerge),
        2 => (name, shared).prop_map(|(name, shared)| Step::Read { name, shared }),
    ];
    prop::collection::vec((0..2usize, step), 4..24)
}

/// One of two spaces that share names.
struct Side<'a> {
    rig: &'a Rig,
    space: String,
    mark: &'static str,
    /// What makes the names that may be shared those of this walk.
    number: usize,
}

impl Side<'_> {
    fn shared(&self, at: usize) -> String {
        format!("{} {}", SHARED[at], self.number)
    }

    fn own(&self, name: usize) -> String {
        format!("{} {name}", self.mark)
    }

    fn get(&self, name: &str) -> Result<EntityDetail, ApiError> {
        let space = Some(self.space.clone());
        self.rig.run(EntityGet { entity: name.to_owned(), space, ..EntityGet::default() })
    }

    /// A step may be refused where it cannot be meant.
    fn take(&self, step: Step) -> Result<(), ApiError> {
        let rig = self.rig;
        rig.advance(1);
        match step {
            Step::Say { name, shared, other_way } => {
                let (own, shared) = (self.own(name), self.shared(shared));
                let (subject, object) = if other_way { (shared, own) } else { (own, shared) };
                let fact = fact(&subject, if other_way { "motto" } else { "works_at" }, &object);
                rig.run(FactsAdd { space: self.space.clone(), facts: vec![fact] }).map(drop)
            }
            Step::Alias(shared) => {
                let entity = self.get(&self.shared(shared))?.entity;
                if entity.space_id.as_str() != self.space {
                    return Ok(());
                }
                let alias = Some(format!("{} also", self.own(shared)));
                rig.run(EntityEdit { entity: entity.id.to_string(), alias, ..EntityEdit::default() }).map(drop)
            }
            Step::Merge { name, shared } => {
                let (keep, merge) = (self.get(&self.shared(shared))?.entity.id, self.get(&self.own(name))?.entity.id);
                rig.run(EntityMerge { keep, merge }).map(drop)
            }
            Step::Share(shared) => rig.run(EntityShare { entity: self.get(&self.shared(shared))?.entity.id }).map(drop),
            Step::Unmerge(at) => {
                let sql = format!(
                    "SELECT id FROM entity_merges WHERE space_id = '{}' AND undone_at IS NULL ORDER BY rid DESC",
                    self.space
                );
                let ids = rows(rig, &sql);
                let Some(id) = ids.get(at % ids.len().max(1)) else { return Ok(()) };
                rig.run(EntityUnmerge { merge: um_model::MergeId::parse(id.clone()).unwrap() }).map(drop)
            }
            Step::Read { name, shared } => {
                rig.remember_in(&self.space, &format!("We met {} of {} again.", self.own(name), self.shared(shared)));
                rig.settled();
                Ok(())
            }
        }
    }

    /// All that the space is told, and how it counts what is shared.
    fn told(&self, other: &Self) -> Result<(), String> {
        let space = || Some(self.space.clone());
        let mut answers: Vec<(String, Value)> = Vec::new();
        let mut tell = |what: &str, answer: Value| answers.push((what.to_owned(), answer));
        for name in [0, 1].map(|at| self.shared(at)) {
            let Ok(detail) = self.get(&name) else { continue };
            let counted = (detail.entity.claims, detail.claims.len() as u64);
            if counted.0 != counted.1 {
                return Err(format!("{name} has {counted:?} claims in {}", self.mark));
            }
            tell("get", to_value(&detail).unwrap());
            let walk = GraphTraverse { entity: name.clone(), space: space(), ..GraphTraverse::default() };
            tell("walk", to_value(self.rig.run(walk).unwrap()).unwrap());
            let facts = FactsSearch { entity: Some(name), space: space(), ..FactsSearch::default() };
            let facts = self.rig.run(facts).unwrap();
            for fact in &facts.facts {
                let why = self.rig.run(ClaimExplain::of(fact.id.clone())).unwrap();
                tell("why", to_value(why).unwrap());
            }
            tell("facts", to_value(facts).unwrap());
        }
        let list = EntitiesList { space: space(), limit: Some(200), ..EntitiesList::default() };
        tell("list", to_value(self.rig.run(list).unwrap()).unwrap());
        for (what, answer) in answers {
            if answer.to_string().contains(other.mark) {
                return Err(format!("{what} tells {} of {}: {answer}", self.mark, other.mark));
            }
        }
        // Names of the other's lead nowhere.
        let text = (0..3).map(|name| format!("{} also, {}. ", other.own(name), other.own(name))).collect();
        let found = self.rig.run(EntitiesResolve { space: self.space.clone(), text }).unwrap().mentions;
        if !found.is_empty() {
            return Err(format!("{} knows {found:?}", self.mark));
        }
        let query = Some(other.mark.to_lowercase());
        let listed = self.rig.run(EntitiesList { space: space(), query, ..EntitiesList::default() }).unwrap();
        if listed.total > 0 {
            return Err(format!("{} lists {:?}", self.mark, listed.entities));
        }
        Ok(())
    }
}

#[test]
fn spaces_that_share_hear_nothing_else_of_each_other() {
    let rig = Rig::new();
    let number = std::cell::Cell::new(0);
    let config = Config::default();
    let config = Config { cases: config.cases / 16, failure_persistence: None, max_shrink_iters: 200, ..config };
    TestRunner::new(config)
        .run(&steps(), |steps| {
            number.set(number.get() + 1);
            let sides = MARKS.map(|mark| {
                let space = rig.space(&format!("{mark} {}", number.get())).id.to_string();
                Side { rig: &rig, space, mark, number: number.get() }
            });
            for (at, (side, step)) in steps.iter().enumerate() {
                if let Err(refused) = sides[*side].take(*step) {
                    prop_assert!(!refused.message.contains("database"), "{:?}: {}", step, refused);
                }
                for (one, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
                    if let Err(wrong) = one.told(other) {
                        prop_assert!(false, "after step {at}, {step:?} of {side}: {wrong}");
                    }
                }
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
