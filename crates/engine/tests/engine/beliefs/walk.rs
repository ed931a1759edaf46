//! Any walk over what can be done to beliefs keeps them in order: each step is checked by an account of its own,
//! drawn from the rows.

mod account;

use super::*;
use account::Account;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::collections::BTreeMap;
use um_model::belief::{Cardinality, ResolutionType, ValueKind};
use um_model::capture::{ArtifactRemove, ArtifactRestore, MemoryIngest};
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::{ArtifactId, ErrorCode, MemoryId, MergeId};

const NAMES: [&str; 3] = ["Ana", "Ben", "Cleo"];
/// What may be said, of whom and how many times over is for the walk to choose.
const SAID: [(&str, [&str; 2]); 7] = [
    ("birthday", ["1984-05-03", "1984-05-05"]),
    ("lives_in", ["Oslo", "Porto"]),
    ("likes", ["tea", "rain"]),
    ("married_to", ["Ben", "Cleo"]),
    ("manages", ["Heron", "Ana"]),
    // Two values as words, one as numbers: the walk says which.
    ("badge", ["1,249", "1249"]),
    // One way or both ways: the walk says which.
    ("spars", ["Ben", "Cleo"]),
];

#[derive(Debug, Clone, Copy)]
struct Fact {
    subject: usize,
    said: usize,
    object: usize,
    negative: bool,
    source: usize,
    sure: bool,
}

impl Fact {
    /// What makes two of them the same claim by the same words. To be married holds in both directions.
    fn words(&self) -> (&'static str, &'static str, &'static str, bool, usize) {
        let (predicate, objects) = SAID[self.said];
        let mut ends = [NAMES[self.subject], objects[self.object]];
        if predicate == "married_to" {
            ends.sort_unstable();
        }
        (predicate, ends[0], ends[1], self.negative, self.source)
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Add(Fact),
    /// From one of the years and until a later one.
    AddAt(Fact, usize),
    Contradict(Fact),
    Retract(usize),
    Restore(usize),
    Resolve(usize, usize),
    Reopen(usize),
    Merge(usize, usize),
    Unmerge(usize),
    RemoveFile(usize),
    RestoreFile(usize),
    /// For good: what was quoted from it has no words any more.
    Forget(usize),
    /// Whether what a badge says is a number, and whether there may be many.
    Define(bool, bool),
    /// Whether sparring reads both ways.
    Turn(bool),
    Reconcile,
}

/// When it may be so.
const TIMES: [(&str, &str); 4] = [("", "2010"), ("2010", ""), ("2005", "2015"), ("2012", "2020")];

/// Sources: so many texts, and after them the files.
const TEXTS: usize = 3;
const FILES: usize = 2;

fn facts() -> impl Strategy<Value = Fact> {
    (0..3usize, 0..SAID.len(), 0..2usize, prop::bool::weighted(0.2), 0..TEXTS + FILES, prop::bool::weighted(0.8))
        .prop_map(|(subject, said, object, negative, source, sure)| Fact {
            subject,
            said,
            object,
            negative,
            source,
            sure,
        })
}

fn steps() -> impl Strategy<Value = Step> {
    let one = 0..64usize;
    prop_oneof![
        12 => facts().prop_map(Step::Add),
        4 => (facts(), 0..TIMES.len()).prop_map(|(fact, at)| Step::AddAt(fact, at)),
        2 => facts().prop_map(Step::Contradict),
        3 => one.clone().prop_map(Step::Retract),
        3 => one.clone().prop_map(Step::Restore),
        5 => (one.clone(), 0..5usize).prop_map(|(at, how)| Step::Resolve(at, how)),
        3 => one.clone().prop_map(Step::Reopen),
        2 => (0..3usize, 0..3usize).prop_map(|(keep, merge)| Step::Merge(keep, merge)),
        2 => one.prop_map(Step::Unmerge),
        1 => (0..FILES).prop_map(Step::RemoveFile),
        1 => (0..FILES).prop_map(Step::RestoreFile),
        1 => (0..TEXTS).prop_map(Step::Forget),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(number, many)| Step::Define(number, many)),
        2 => any::<bool>().prop_map(Step::Turn),
        1 => Just(Step::Reconcile),
    ]
}

/// A space to walk in, with sources that say nothing by themselves.
struct Walk<'a> {
    rig: &'a Rig,
    space: String,
    memories: Vec<MemoryId>,
    files: Vec<ArtifactId>,
    db: rusqlite::Connection,
}

impl<'a> Walk<'a> {
    fn new(rig: &'a Rig, number: usize) -> Self {
        let space = rig.space(&format!("walk {number}")).id.to_string();
        let texts = (0..TEXTS).map(|n| rig.remember_in(&space, &format!("blip {n} of walk {number}")).id);
        let mut walk = Self { rig, memories: texts.collect(), files: Vec::new(), db: rig.db(), space };
        for n in 0..FILES {
            let path = rig.file(&format!("walk-{number}/blip-{n}.txt"), format!("blip of file {n}, walk {number}\n"));
            let paths = vec![path.display().to_string()];
            let request = MemoryIngest { paths, space: walk.space.clone(), ..MemoryIngest::default() };
            let file = rig.run(request).unwrap().files.remove(0);
            walk.memories.extend(file.memory_id);
            walk.files.extend(file.artifact_id);
        }
        rig.settled();
        walk.define(false, true, false).unwrap();
        walk.turn(false, false).unwrap();
        walk
    }

    fn ids(&self, sql: &str) -> Vec<String> {
        column(&self.db, &sql.replace("?space", &format!("'{}'", self.space)))
    }

    fn pick(&self, sql: &str, at: usize) -> Option<String> {
        let ids = self.ids(sql);
        (!ids.is_empty()).then(|| ids[at % ids.len()].clone())
    }

    fn input(&self, fact: Fact) -> FactInput {
        let (predicate, objects) = SAID[fact.said];
        FactInput {
            memory_id: Some(self.memories[fact.source].clone()),
            quote: Some("blip".into()),
            negative: fact.negative,
            confidence: Some(if fact.sure { 0.9 } else { 0.3 }),
            ..super::fact(NAMES[fact.subject], predicate, objects[fact.object])
        }
    }

    fn add(&self, fact: FactInput) -> Result<(), ApiError> {
        self.rig.run(FactsAdd { space: self.space.clone(), facts: vec![fact] }).map(drop)
    }

    fn take(&self, step: Step) -> Result<(), ApiError> {
        self.rig.advance(1);
        let rig = self.rig;
        match step {
            Step::Add(fact) => self.add(self.input(fact)),
            Step::AddAt(fact, at) => self.add(super::between(self.input(fact), TIMES[at].0, TIMES[at].1)),
            Step::Contradict(fact) => self.add(FactInput { contradicts: true, ..self.input(fact) }),
            Step::Retract(at) | Step::Restore(at) => {
                let undo = matches!(step, Step::Restore(_));
                let wanted = if undo { "retracted', 'superseded" } else { "asserted', 'disputed', 'draft" };
                let sql =
                    format!("SELECT id FROM claims WHERE space_id = ?space AND state IN ('{wanted}') ORDER BY rid");
                let Some(id) = self.pick(&sql, at) else { return Ok(()) };
                rig.run(ClaimRetract { claim: ClaimId::parse(id).unwrap(), undo }).map(drop)
            }
            Step::Resolve(at, how) => self.resolve(at, how),
            Step::Reopen(at) => {
                let sql = "SELECT id FROM conflicts WHERE space_id = ?space AND status = 'resolved' ORDER BY rid";
                let Some(id) = self.pick(sql, at) else { return Ok(()) };
                rig.run(ConflictsReopen { conflict: ConflictId::parse(id).unwrap() }).map(drop)
            }
            Step::Merge(keep, merge) => {
                let sql = "SELECT id FROM entities WHERE space_id = ?space AND entity_type = 'person' ORDER BY rid";
                let (Some(keep), Some(merge)) = (self.pick(sql, keep), self.pick(sql, merge)) else { return Ok(()) };
                let id = |id: String| EntityId::parse(id).unwrap();
                rig.run(EntityMerge { keep: id(keep), merge: id(merge) }).map(drop)
            }
            Step::Unmerge(at) => {
                let sql =
                    "SELECT id FROM entity_merges WHERE space_id = ?space AND undone_at IS NULL ORDER BY rid DESC";
                let Some(id) = self.pick(sql, at) else { return Ok(()) };
                rig.run(EntityUnmerge { merge: MergeId::parse(id).unwrap() }).map(drop)
            }
            Step::RemoveFile(at) => {
                rig.run(ArtifactRemove { id: self.files[at].clone() })?;
                rig.settled();
                Ok(())
            }
            Step::RestoreFile(at) => {
                rig.run(ArtifactRestore { id: self.files[at].clone() })?;
                rig.settled();
                Ok(())
            }
            Step::Forget(at) => {
                let what = ForgetWhat { memory: Some(self.memories[at].clone()), ..ForgetWhat::default() };
                let token = rig.run(ForgetPreview { what: what.clone() })?.token;
                rig.run(ForgetExecute { what, token })?;
                rig.settled();
                Ok(())
            }
            Step::Define(number, many) => self.define(number, many, true),
            Step::Turn(both_ways) => self.turn(both_ways, true),
            Step::Reconcile => {
                sources::reconcile(rig);
                Ok(())
            }
        }
    }

    fn define(&self, number: bool, many: bool, change: bool) -> Result<(), ApiError> {
        let predicate = PredicateInfo {
            name: "badge".into(),
            phrase: "has the badge".into(),
            relates: false,
            inverse: None,
            cardinality: if many { Cardinality::ManyToMany } else { Cardinality::ManyToOne },
            value_kind: Some(if number { ValueKind::Number } else { ValueKind::Text }),
        };
        self.rig.run(PredicateDefine { space: self.space.clone(), predicate, change }).map(drop)
    }

    fn turn(&self, both_ways: bool, change: bool) -> Result<(), ApiError> {
        let predicate = PredicateInfo {
            name: "spars".into(),
            phrase: "spars with".into(),
            relates: true,
            inverse: Some(if both_ways { "spars" } else { "sparred_by" }.into()),
            cardinality: Cardinality::ManyToMany,
            value_kind: None,
        };
        self.rig.run(PredicateDefine { space: self.space.clone(), predicate, change }).map(drop)
    }

    fn resolve(&self, at: usize, how: usize) -> Result<(), ApiError> {
        let sql = "SELECT id FROM conflicts WHERE space_id = ?space AND status = 'open' ORDER BY rid";
        let Some(id) = self.pick(sql, at) else { return Ok(()) };
        let mut request = ConflictsResolve::of(ConflictId::parse(id).unwrap(), ResolutionType::ManualOverride);
        match how {
            0 => request.resolution = ResolutionType::ClaimAWins,
            1 => request.resolution = ResolutionType::ClaimBWins,
            2 => request.resolution = ResolutionType::BothDisputed,
            3 => request.value = Some("1999".into()),
            _ => {
                let year = || Some("2020".to_owned());
                request.windows = Some(Windows { a_until: year(), b_from: year(), ..Windows::default() });
            }
        }
        self.rig.run(request)?;
        self.rig.settled();
        Ok(())
    }
}

/// A step may be refused where it cannot be meant; the schema must never have to.
fn check_refusal(step: Step, refused: &ApiError) {
    let meant = matches!(
        refused.code,
        ErrorCode::InvalidRequest
            | ErrorCode::Conflict
            | ErrorCode::Ambiguous
            | ErrorCode::NotFound
            | ErrorCode::Forgotten
    );
    assert!(meant && !refused.message.contains("database"), "{step:?}: {refused}");
}

/// A fifth of the usual number of cases: each takes many steps. `PROPTEST_CASES` asks for more.
fn runner() -> TestRunner {
    let config = Config::default();
    TestRunner::new(Config { cases: config.cases / 5, failure_persistence: None, max_shrink_iters: 200, ..config })
}

#[test]
fn every_walk_keeps_beliefs_in_order() {
    let rig = Rig::new();
    let number = std::cell::Cell::new(0);
    let walks = prop::collection::vec(steps(), 4..40);
    runner()
        .run(&walks, |steps| {
            number.set(number.get() + 1);
            let walk = Walk::new(&rig, number.get());
            for (at, step) in steps.iter().enumerate() {
                if let Err(refused) = walk.take(*step) {
                    check_refusal(*step, &refused);
                }
                let account = Account::of(&walk.db, &walk.space);
                account.check().map_err(|wrong| TestCaseError::fail(format!("after step {at}, {step:?}: {wrong}")))?;
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_order_in_which_facts_come_does_not_matter() {
    let rig = Rig::new();
    let number = std::cell::Cell::new(0);
    let sets =
        prop::collection::vec(facts(), 2..14).prop_flat_map(|facts| (Just(facts.clone()), Just(facts).prop_shuffle()));
    runner()
        .run(&sets, |(one, other)| {
            let told = [one, other].map(|facts| {
                number.set(number.get() + 1);
                let walk = Walk::new(&rig, 1000 + number.get());
                // The same words may say a thing once only: which of two confidences they have is the first one's.
                let mut sure: BTreeMap<_, bool> = BTreeMap::new();
                for fact in &facts {
                    sure.entry(fact.words()).and_modify(|sure| *sure |= fact.sure).or_insert(fact.sure);
                }
                for fact in facts {
                    let fact = Fact { sure: sure[&fact.words()], ..fact };
                    if let Err(refused) = walk.add(walk.input(fact)) {
                        check_refusal(Step::Add(fact), &refused);
                    }
                }
                Account::of(&walk.db, &walk.space).told()
            });
            prop_assert_eq!(&told[0], &told[1]);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
