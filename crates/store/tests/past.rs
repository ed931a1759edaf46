//! Memories as they were at other times: which of them a search finds then, whatever became of them and how often.

mod support;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{open, read, remember, space, write};
use um_model::{EpochMs, MemoryId, MemoryStatus, SpaceId, Tier};
use um_store::filter::{Then, UnitFilter};
use um_store::units::{self, Which};
use um_store::{Store, fts, memories};

/// When `remember` keeps something.
const KEPT: EpochMs = 1;

/// What becomes of a memory: it takes effect where it may.
fn set(store: &Store, space: &SpaceId, memory: &MemoryId, to: MemoryStatus, at: EpochMs) {
    let (space, memory) = (space.clone(), memory.clone());
    write(store, move |tx| {
        memories::set_status(tx, &memory, to, at)?;
        match to {
            MemoryStatus::Active => units::activate(tx, &space, &memory),
            _ => units::deactivate(tx, &space, Which::OfMemory(&memory)),
        }
    });
}

/// The memories whose passages are found as of a time, as was known at a time.
fn found(store: &Store, space: &SpaceId, then: Then) -> BTreeSet<MemoryId> {
    let filter = UnitFilter { then, ..UnitFilter::default() };
    let spaces = std::slice::from_ref(space);
    read(store, |c| {
        let all: Vec<(i64, String)> = c
            .prepare("SELECT rid, owner_memory_id FROM text_units WHERE space_id = ?1")?
            .query_map([space.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let rids: Vec<i64> = all.iter().map(|(rid, _)| *rid).collect();
        let mut found = filter.keep(c, &rids)?;
        found.extend(filter.past(c, spaces)?.units.into_iter().map(|(_, rid)| rid));
        let of_found = all.into_iter().filter(|(rid, _)| found.contains(rid));
        Ok(of_found.map(|(_, memory)| MemoryId::parse(memory).unwrap()).collect())
    })
}

/// A memory as somebody would remember it who writes down each change.
#[derive(Debug, Default, Clone)]
struct Account(Vec<(EpochMs, MemoryStatus)>);

impl Account {
    fn status(&self) -> MemoryStatus {
        self.0.last().map_or(MemoryStatus::Active, |(_, status)| *status)
    }

    fn may(&self, to: MemoryStatus) -> bool {
        let from = self.status();
        from != to && (from == MemoryStatus::Active || matches!(to, MemoryStatus::Active | MemoryStatus::Deleted))
    }

    /// Ruling 19: `as_of` is about what was so, and `known_at` about what was known.
    fn is_found(&self, Then { as_of, known_at }: Then) -> bool {
        if self.status() == MemoryStatus::Deleted {
            return false;
        }
        if as_of.is_some_and(|at| at < KEPT) || known_at.is_some_and(|at| at < KEPT) {
            return false;
        }
        let known: Account =
            Account(self.0.iter().filter(|(at, _)| known_at.is_none_or(|by| *at <= by)).copied().collect());
        let Some(as_of) = as_of else { return known.status() == MemoryStatus::Active };
        if matches!(known.status(), MemoryStatus::Retracted | MemoryStatus::Deleted) {
            return false;
        }
        // From each change until the next, but for times in which it was only held to be wrong.
        let mut so = true;
        let mut before = MemoryStatus::Active;
        for (at, status) in known.0 {
            let of_wrong = status == MemoryStatus::Retracted || before == MemoryStatus::Retracted;
            if at <= as_of && !of_wrong {
                so = status == MemoryStatus::Active;
            }
            before = status;
        }
        so
    }
}

fn statuses() -> impl Strategy<Value = MemoryStatus> {
    use MemoryStatus::*;
    prop::sample::select(vec![
        Active,
        Active,
        Active,
        Superseded,
        Consolidated,
        Archived,
        Archived,
        Retracted,
        Expired,
        Deleted,
    ])
}

/// Which memory comes to which state, and when.
type Step = (usize, MemoryStatus, i64);
/// As of which time, and as known at which.
type Asked = (Option<i64>, Option<i64>);

#[test]
fn any_past_is_as_whoever_wrote_it_down_would_tell_it() {
    let folder = open();
    let store = &folder.store;
    let steps = prop::collection::vec((0..3usize, statuses(), 0..4i64), 1..24);
    let asked = prop::collection::vec((prop::option::of(-2..60i64), prop::option::of(-2..60i64)), 12);
    let config = Config { failure_persistence: None, ..Config::with_cases(64) };
    let spaces = AtomicU64::new(0);
    let walk = |(steps, asked): (Vec<Step>, Vec<Asked>)| {
        let space = space(store, &format!("s{}", spaces.fetch_add(1, Ordering::Relaxed)));
        let ids: Vec<MemoryId> = (0..3).map(|n| remember(store, &space, n, &[format!("The bear {n}.")])).collect();
        let mut accounts = vec![Account::default(); ids.len()];
        let mut now = KEPT;
        for (which, to, later) in steps {
            now += later;
            if accounts[which].may(to) {
                set(store, &space, &ids[which], to, now);
                accounts[which].0.push((now, to));
            }
        }
        let asked = asked.into_iter().map(|(as_of, known_at)| Then { as_of, known_at });
        for then in asked.filter(|then| !then.is_now()) {
            let told = ids.iter().zip(&accounts).filter(|(_, account)| account.is_found(then));
            let expected: BTreeSet<MemoryId> = told.map(|(id, _)| id.clone()).collect();
            prop_assert_eq!(found(store, &space, then), expected, "{:?} of {:?}", then, accounts);
        }
        Ok(())
    };
    TestRunner::new(config).run(&(steps, asked), walk).unwrap();
}

#[test]
fn archived_in_march_and_restored_in_april() {
    let folder = open();
    let store = &folder.store;
    let space = space(store, "s");
    let id = remember(store, &space, 1, &["The bear.".to_owned()]);
    set(store, &space, &id, MemoryStatus::Archived, 300);
    set(store, &space, &id, MemoryStatus::Active, 400);
    set(store, &space, &id, MemoryStatus::Superseded, 600);
    let check = |as_of, known_at, expected: bool| {
        let is_found = !found(store, &space, Then { as_of, known_at }).is_empty();
        assert_eq!(is_found, expected, "as of {as_of:?}, known at {known_at:?}");
    };
    for at in [None, Some(299)] {
        check(Some(200), at, true);
    }
    check(Some(350), None, false);
    check(None, Some(350), false);
    check(Some(500), None, true);
    check(None, Some(500), true);
    check(Some(700), None, false);
    check(Some(700), Some(500), true);
    // In March nobody knew that it would come back.
    check(Some(450), Some(350), false);
    check(Some(200), Some(350), true);
}

/// What a database holds of the times before its memories had a history.
#[test]
fn a_database_from_before_gets_what_is_known() {
    let (db, migration) = support::before(support::IN_MEMORY, "0038_memory_history.sql");
    let owner = "00000000-0000-7000-8000-00000000000a";
    for (id, end) in [
        ("active", ""),
        ("back", "status = 'active', status_changed_at = 9"),
        ("old", "status = 'superseded', status_changed_at = 5, valid_to = 5"),
        ("wrong", "status = 'retracted', status_changed_at = 6, valid_to = 6"),
        (
            "gone",
            "status = 'deleted', status_changed_at = 7, valid_to = 7, is_redacted = 1, redacted_at = 7, content = '[REDACTED]'",
        ),
    ] {
        db.execute_batch(&format!(
            "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id)
             VALUES ('{id}', 'x', '{id}', 'fact', 1, 1, 'GLOBAL', '{owner}')"
        ))
        .unwrap();
        if !end.is_empty() {
            db.execute_batch(&format!("UPDATE memories SET {end} WHERE id = '{id}'")).unwrap();
        }
    }
    db.execute_batch(migration).unwrap();
    let rows = |memory: &str| -> Vec<(String, String, Option<i64>, i64)> {
        db.prepare("SELECT from_status, to_status, valid_from, changed_at FROM memory_status_history WHERE memory_id = ?1 ORDER BY rid")
            .unwrap()
            .query_map([memory], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    };
    let row = |from: &str, to: &str, valid: Option<i64>, at: i64| (from.to_owned(), to.to_owned(), valid, at);
    assert_eq!(rows("active"), []);
    assert_eq!(rows("back"), []);
    assert_eq!(rows("old"), [row("active", "superseded", Some(5), 5)]);
    assert_eq!(rows("wrong"), [row("active", "retracted", None, 6)]);
    assert_eq!(rows("gone"), []);
    db.execute_batch("UPDATE memories SET status = 'active', status_changed_at = 8, valid_to = NULL WHERE id = 'old'")
        .unwrap();
    assert_eq!(rows("old")[1], row("superseded", "active", Some(8), 8));
}

#[test]
fn every_space_has_its_share_of_the_past() {
    let folder = open();
    let store = &folder.store;
    let kept = |name: &str, passages: u64| {
        let space = space(store, name);
        let texts: Vec<String> = (0..passages).map(|number| format!("The bear {number}.")).collect();
        let id = remember(store, &space, 1, &texts);
        set(store, &space, &id, MemoryStatus::Superseded, 300);
        space
    };
    let [large, small] = [kept("large", 5_001), kept("small", 2)];
    let filter = UnitFilter { then: Then { as_of: Some(200), known_at: None }, ..UnitFilter::default() };
    let check = |asked: &[&SpaceId], [of_large, of_small]: [usize; 2], is_cut: bool| {
        let asked: Vec<SpaceId> = asked.iter().map(|space| (*space).clone()).collect();
        let past = read(store, |c| filter.past(c, &asked));
        let of = |space: &SpaceId| past.units.iter().filter(|(of, _)| of == space.as_str()).count();
        assert_eq!((of(&large), of(&small), past.is_cut), (of_large, of_small, is_cut), "{asked:?}");
    };
    check(&[&large, &small], [2_500, 2], true);
    // What those before it left is a space's as well.
    check(&[&small, &large], [4_998, 2], true);
    check(&[&large], [5_000, 0], true);
    check(&[&small], [0, 2], false);
    // What is no more than its share is whole.
    let empty = |number| SpaceId::parse(format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f{number:04}")).unwrap();
    let others: Vec<SpaceId> = (0..2_499).map(empty).collect();
    check(&[&small].into_iter().chain(&others).collect::<Vec<_>>(), [0, 2], false);
}

#[test]
fn units_are_told_by_words_of_their_sources() {
    let folder = open();
    let store = &folder.store;
    let space = space(store, "s");
    let sources = [&["Ana: a bear.", "Ben: no, a seal."][..], &["Émile: a heron."], &["An owl."], &["Weiß: a stork."]];
    let all: Vec<i64> = sources
        .into_iter()
        .enumerate()
        .flat_map(|(number, texts)| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            let id = remember(store, &space, number as u64, &texts);
            read(store, |c| units::rids_of(c, &id))
        })
        .collect();
    let check = |given: &[usize], words: &[&str], expected: &[usize]| {
        let of = |places: &[usize]| places.iter().map(|at| all[*at]).collect::<Vec<i64>>();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut found = read(store, |c| units::of_sources_with(c, &of(given), &words));
        found.sort_unstable();
        assert_eq!(found, of(expected), "{words:?}");
    };
    check(&[0, 1, 2, 3], &["ana"], &[0, 1]);
    check(&[1, 2, 3], &["ana", "owl"], &[1, 3]);
    check(&[0, 1, 2, 3], &["émile"], &[2]);
    check(&[0, 1, 2, 3], &["cleo"], &[]);
    // Words have no ß where they are looked up.
    check(&[0, 3, 4], &["weiss"], &[4]);
    check(&[], &["ana"], &[]);
    check(&[0], &[], &[]);
}

#[test]
fn the_past_and_the_cold_share_what_may_be_compared() {
    let folder = open();
    let store = &folder.store;
    let kept = |name: &str, [past, cold]: [usize; 2]| {
        let space = space(store, name);
        let told = |number: u64, passages: usize| {
            let texts: Vec<String> = (0..passages).map(|at| format!("The bear {number}-{at}.")).collect();
            remember(store, &space, number, &texts)
        };
        set(store, &space, &told(1, past), MemoryStatus::Superseded, 300);
        let (id, of) = (told(2, cold), space.clone());
        write(store, move |tx| {
            memories::set_tier(tx, &id, Tier::Cold)?;
            units::deactivate(tx, &of, Which::OfMemory(&id))
        });
        space
    };
    let check = |name: &str, there: [usize; 2], expected: [usize; 2], cut: [bool; 2]| {
        let space = kept(name, there);
        let then = Then { as_of: Some(200), known_at: None };
        let filter = UnitFilter { tiers: vec![Tier::Warm, Tier::Cold], then, ..UnitFilter::default() };
        let (past, cold) = read(store, |c| {
            let past = filter.past(c, std::slice::from_ref(&space))?;
            let sql =
                "SELECT m.tier = 'cold' FROM text_units u JOIN memories m ON m.id = u.owner_memory_id WHERE u.rid = ?1";
            let are_cold: Result<Vec<bool>, _> =
                past.units.iter().map(|(_, rid)| c.query_row(sql, [rid], |row| row.get(0))).collect();
            Ok((past, are_cold?.into_iter().filter(|is_cold| *is_cold).count()))
        });
        assert_eq!([past.units.len() - cold, cold], expected, "{name}");
        assert_eq!([past.is_cut, past.cold_is_cut], cut, "{name}");
    };
    check("both", [5_001, 2_501], [2_500, 2_500], [true, true]);
    check("little is cold", [5_001, 3], [4_997, 3], [true, false]);
    check("much is cold", [3, 5_001], [3, 4_997], [false, true]);
    check("all", [2_499, 2_501], [2_499, 2_501], [false, false]);
}

#[test]
fn the_past_is_of_the_tiers_that_are_asked_for() {
    use Tier::{Cold, Hot, Warm};
    let folder = open();
    let store = &folder.store;
    let space = space(store, "s");
    for (number, tier) in [Hot, Warm, Cold].into_iter().enumerate() {
        let id = remember(store, &space, number as u64, &[format!("The bear {number}.")]);
        let of = id.clone();
        write(store, move |tx| memories::set_tier(tx, &of, tier));
        set(store, &space, &id, MemoryStatus::Superseded, 300);
    }
    let check = |tiers: &[Tier], expected: &[Tier]| {
        let then = Then { as_of: Some(200), known_at: None };
        let filter = UnitFilter { tiers: tiers.to_vec(), then, ..UnitFilter::default() };
        let found = read(store, |c| {
            let of = "SELECT m.tier FROM text_units u JOIN memories m ON m.id = u.owner_memory_id WHERE u.rid = ?1";
            let past = filter.past(c, std::slice::from_ref(&space))?.units;
            let tiers: Result<BTreeSet<String>, _> =
                past.iter().map(|(_, rid)| c.query_row(of, [rid], |row| row.get(0))).collect();
            Ok(tiers?)
        });
        let expected: BTreeSet<String> = expected.iter().map(Tier::to_string).collect();
        assert_eq!(found, expected, "{tiers:?}");
    };
    check(&[], &[Hot, Warm]);
    check(&[Hot], &[Hot]);
    check(&[Cold], &[Cold]);
    check(&[Warm, Cold], &[Warm, Cold]);
    check(&[Hot, Warm, Cold], &[Hot, Warm, Cold]);
}

#[test]
fn the_best_of_what_is_past_are_given() {
    let folder = open();
    let store = &folder.store;
    let space = space(store, "s");
    let texts = ["A bear and a bear.", "A bear on the ice of the far north.", "A seal.", "The bear sleeps."];
    let id = remember(store, &space, 1, &texts.map(str::to_owned));
    set(store, &space, &id, MemoryStatus::Superseded, 300);
    read(store, |c| {
        let all: Vec<i64> = c
            .prepare("SELECT rid FROM text_units ORDER BY rid")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let found = |past: &fts::Past<'_>, limit: usize| -> Vec<usize> {
            let found = past.search("bear", limit).unwrap();
            found.iter().map(|(rid, _)| all.iter().position(|other| other == rid).unwrap()).collect()
        };
        let mut past = fts::Past::of(c, all.clone());
        assert_eq!(found(&past, 9), [0, 3, 1]);
        assert_eq!(found(&past, usize::MAX), [0, 3, 1]);
        assert_eq!(found(&past, 2), [0, 3]);
        past.keep("sleeps OR ice OR seal", true)?;
        assert_eq!((found(&past, 9), past.rids()), (vec![3, 1], &all[1..]));
        past.keep("sleeps", false)?;
        assert_eq!((found(&past, 9), past.rids()), (vec![1], &all[1..3]));
        Ok(())
    });
}
