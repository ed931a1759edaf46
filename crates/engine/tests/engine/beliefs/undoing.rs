//! Undoing decisions after something else happened: what the decision changed goes, and nothing but that.

use super::*;
use um_model::ErrorCode;
use um_model::belief::ResolutionType::{self, ClaimAWins, ClaimBWins, ManualOverride};
use um_model::belief::ValueKind;
use um_model::capture::{MemoryRemember, MemoryRemove, MemoryRestore};

fn decide(rig: &Rig, conflict: &Conflict, change: impl FnOnce(&mut ConflictsResolve)) {
    rig.advance(1);
    let mut decision = ConflictsResolve::of(conflict.id.clone(), ManualOverride);
    change(&mut decision);
    rig.run(decision).unwrap();
    rig.advance(1);
}

fn wins(conflict: &Conflict, object: &str) -> ResolutionType {
    if conflict.claim_a.object.text() == object { ClaimAWins } else { ClaimBWins }
}

/// Oslo until 2020 and Porto since then, whichever side they are.
fn one_after_the_other(conflict: &Conflict) -> Option<Windows> {
    let year = || Some("2020".to_owned());
    Some(match wins(conflict, "Oslo") {
        ClaimAWins => Windows { a_until: year(), b_from: year(), ..Windows::default() },
        _ => Windows { b_until: year(), a_from: year(), ..Windows::default() },
    })
}

fn undo(rig: &Rig, conflict: &ConflictId) -> Result<Conflict, ApiError> {
    rig.advance(1);
    rig.run(ConflictsReopen { conflict: conflict.clone() })
}

/// Two homes of Ana that cannot both be, each of a memory of its own.
fn homes(rig: &Rig) -> (Conflict, [MemoryId; 2]) {
    let memories = ["Oslo", "Porto"].map(|city| {
        let memory = rig.remember(&format!("{city} it is."));
        add(rig, of(&memory, fact("Ana", "lives_in", city)));
        memory.id
    });
    (open(rig).remove(0), memories)
}

/// What is believed, each with its time.
fn timed(rig: &Rig) -> Vec<String> {
    let day = |at: Option<i64>| at.and_then(um_rules::date_written).unwrap_or_default();
    let facts = rig.run(FactsSearch::default()).unwrap().facts;
    let told =
        |fact: &Claim| format!("{}: {} {}..{}", fact.state, fact.statement, day(fact.valid_from), day(fact.valid_to));
    let mut told: Vec<String> = facts.iter().map(told).collect();
    told.sort();
    told
}

#[test]
fn the_time_of_a_decision_goes_with_it_where_somebody_else_says_the_value_since() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    decide(&rig, &conflict, |decision| {
        (decision.value, decision.valid_from) = (Some("Bergen".into()), Some("2020".into()));
    });
    assert_eq!(timed(&rig), ["asserted: Ana lives in Bergen 2020-01-01.."]);
    add(&rig, of(&rig.remember("Bergen it is."), fact("Ana", "lives_in", "Bergen")));
    assert_eq!(timed(&rig), ["asserted: Ana lives in Bergen 2020-01-01.."]);
    undo(&rig, &conflict.id).unwrap();
    let all = ["Bergen", "Oslo", "Porto"].map(|city| format!("disputed: Ana lives in {city} .."));
    assert_eq!(timed(&rig), all);
}

#[test]
fn a_decision_is_undone_whole_where_one_side_was_forgotten_since() {
    let rig = Rig::resting();
    let (conflict, [_, porto]) = homes(&rig);
    decide(&rig, &conflict, |decision| decision.windows = one_after_the_other(&conflict));
    forget(&rig, &porto);
    assert_eq!(timed(&rig), ["asserted: Ana lives in Oslo ..2020-01-01"]);
    undo(&rig, &conflict.id).unwrap();
    assert_eq!(timed(&rig), ["asserted: Ana lives in Oslo .."], "the time goes");

    let rig = Rig::resting();
    let (conflict, [_, porto]) = homes(&rig);
    decide(&rig, &conflict, |decision| decision.value = Some("Bergen".into()));
    forget(&rig, &porto);
    assert_eq!(timed(&rig), ["asserted: Ana lives in Bergen .."]);
    undo(&rig, &conflict.id).unwrap();
    assert_eq!(timed(&rig), ["asserted: Ana lives in Oslo .."], "the value goes");
    assert_eq!(open(&rig).len(), 0);
    // What ended by itself as a side was forgotten is over.
    let refused = undo(&rig, &conflict.id).unwrap_err();
    assert!(refused.code == ErrorCode::Conflict && refused.hint.is_some(), "{refused}");
}

#[test]
fn a_decision_is_undone_where_its_own_value_was_forgotten_since() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    decide(&rig, &conflict, |decision| {
        (decision.value, decision.valid_from) = (Some("Bergen".into()), Some("2020".into()));
    });
    let said = rows(&rig, "SELECT id FROM memories WHERE content LIKE '%Bergen%'").remove(0);
    forget(&rig, &MemoryId::parse(said).unwrap());
    assert_eq!(timed(&rig), [""; 0], "who lives where is said nowhere else");
    undo(&rig, &conflict.id).unwrap();
    assert_eq!(open(&rig).len(), 1);
}

#[test]
fn a_definition_is_changed_back_where_something_it_joined_was_forgotten() {
    let rig = Rig::resting();
    let define = |kind, change| define_badge(&rig, kind, change);
    define(ValueKind::Text, false);
    let badges = ["1,249", "1249", "7", "7.0"];
    let memories = badges.map(|badge| {
        let memory = rig.remember(&format!("It says {badge} on it."));
        add(&rig, of(&memory, fact("Ana", "badge", badge)));
        memory.id
    });
    define(ValueKind::Number, true);
    assert_eq!(believed(&rig).len(), 2);
    forget(&rig, &memories[3]);
    define(ValueKind::Text, true);
    assert_eq!(believed(&rig), ["1,249", "1249", "7"].map(|badge| format!("asserted: Ana has badge {badge}")));
}

#[test]
fn what_ended_by_itself_leaves_the_decision_that_ended_it_alone() {
    let rig = Rig::resting();
    for city in ["Oslo", "Porto", "Turin"] {
        add(&rig, fact("Ana", "lives_in", city));
    }
    let of = |cities: [&str; 2]| {
        let is_of = |conflict: &Conflict| {
            cities.iter().all(|city| [&conflict.claim_a, &conflict.claim_b].iter().any(|c| c.object.text() == *city))
        };
        open(&rig).into_iter().find(is_of).unwrap()
    };
    let (decided, ended) = (of(["Oslo", "Porto"]), of(["Porto", "Turin"]));
    decide(&rig, &decided, |decision| decision.resolution = wins(&decided, "Oslo"));
    let before = picture(&rig);
    let refused = undo(&rig, &ended.id).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert!(refused.hint.as_ref().is_some_and(|hint| hint.contains(decided.id.as_str())), "{refused:?}");
    assert_eq!(picture(&rig), before);
    assert!(super::conflict(&rig, &decided.id).resolution.is_some());
    undo(&rig, &decided.id).unwrap();
    assert_eq!(open(&rig).len(), 3);
}

#[test]
fn what_an_older_memory_is_quoted_for_since_outlives_a_decision() {
    let rig = Rig::resting();
    let older = rig.remember("Bergen it is, where Ana was seen.");
    rig.advance(1);
    let bergen = add(&rig, fact("Ana", "lives_in", "Bergen")).claim.id;
    rig.run(ClaimRetract { claim: bergen.clone(), undo: false }).unwrap();
    let (conflict, _) = homes(&rig);
    decide(&rig, &conflict, |decision| decision.value = Some("Bergen".into()));
    add(&rig, of(&older, fact("Ana", "lives_in", "Bergen")));
    undo(&rig, &conflict.id).unwrap();
    assert_eq!((state(&rig, &bergen), open(&rig).len()), (ClaimState::Disputed, 3));
}

#[test]
fn what_was_known_at_a_time_has_the_quotes_that_had_come_in() {
    let rig = Rig::resting();
    let older = rig.remember("Bergen it is, where Ana was seen.");
    rig.advance(1);
    let bergen = add(&rig, fact("Ana", "lives_in", "Bergen")).claim.id;
    let before = confidence(&rig, &bergen);
    let known_at = Some(crate::support::BEGIN + 100);
    rig.advance(1_000);
    add(&rig, of(&older, fact("Ana", "lives_in", "Bergen")));
    let then = rig.run(ClaimExplain { claim: bergen.clone(), known_at }).unwrap();
    assert_eq!((then.evidence.len(), then.claim.citations.len()), (1, 1));
    near(then.confidence.confidence, before);
    let listed = rig.run(FactsSearch { known_at, ..FactsSearch::default() }).unwrap().facts.remove(0);
    assert_eq!(listed.citations.len(), 1);
    assert_eq!(explain(&rig, &bergen).evidence.len(), 2);
}

#[test]
fn what_was_known_at_a_time_has_no_decision_that_came_later() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    let before = rig.now();
    decide(&rig, &conflict, |decision| decision.resolution = wins(&conflict, "Oslo"));
    let is_decided = |known_at: Option<i64>| {
        let claim = conflict.claim_a.id.clone();
        let told = rig.run(ClaimExplain { claim, known_at }).unwrap().conflicts;
        told.iter().map(|one| one.resolution.is_some()).collect::<Vec<_>>()
    };
    assert_eq!((is_decided(Some(before)), is_decided(None)), (vec![false], vec![true]));
}

#[test]
fn a_decision_is_undone_where_the_words_that_it_kept_out_are_of_somebody_else_by_now() {
    let rig = Rig::new();
    let say = |who: &Caller, text: &str| {
        rig.advance(1);
        let request = MemoryRemember { text: text.into(), space: SPACE.into(), ..MemoryRemember::default() };
        rig.engine().run(who, request).unwrap();
        rig.settled();
    };
    let (owner, bot) = (Caller::owner("test"), agent(&rig, "notes-bot"));
    say(&owner, "Maya Okafor lives in Oslo.");
    say(&owner, "M. Okafor works at Orbis.");
    rig.advance(1);
    let merge = EntityMerge { keep: entity_id(&rig, "Maya Okafor"), merge: entity_id(&rig, "M. Okafor") };
    let merge = rig.run(merge).unwrap().merges.remove(0).id;
    say(&bot, "Maya Okafor lives in Bergen.");
    let conflict = open(&rig).remove(0);
    decide(&rig, &conflict, |decision| decision.resolution = wins(&conflict, "Oslo"));
    say(&bot, "M. Okafor lives in Turin.");
    assert_eq!(open(&rig).len(), 0, "who lost says something else");
    rig.advance(1);
    rig.run(EntityUnmerge { merge }).unwrap();
    rig.settled();
    undo(&rig, &conflict.id).unwrap();
    rig.settled();
    assert_eq!(
        believed(&rig),
        [
            "asserted: M. Okafor lives in Turin",
            "asserted: M. Okafor works at Orbis",
            "disputed: Maya Okafor lives in Bergen",
            "disputed: Maya Okafor lives in Oslo",
        ]
    );
}

/// A way to decide where Ana lives.
type Decide = fn(&Conflict, &mut ConflictsResolve);

const WAYS: [(&str, Decide); 4] = [
    ("Oslo", |conflict, decision| decision.resolution = wins(conflict, "Oslo")),
    ("Porto", |conflict, decision| decision.resolution = wins(conflict, "Porto")),
    ("both", |conflict, decision| decision.windows = one_after_the_other(conflict)),
    ("neither", |_, decision| decision.value = Some("Bergen".into())),
];

#[test]
fn a_decision_is_undone_where_the_source_of_a_side_was_removed_since() {
    for (what, way) in WAYS {
        for (removed, left) in [(0, "Porto"), (1, "Oslo")] {
            let rig = Rig::new();
            let (conflict, memories) = homes(&rig);
            rig.settled();
            let before = timed(&rig);
            decide(&rig, &conflict, |decision| way(&conflict, decision));
            let id = memories[removed].clone();
            rig.run(MemoryRemove { id: id.clone() }).unwrap();
            rig.settled();
            let undone = undo(&rig, &conflict.id);
            assert!(undone.is_ok(), "{what}, {removed}: {undone:?}");
            rig.settled();
            assert_eq!(timed(&rig), [format!("asserted: Ana lives in {left} ..")], "{what}, {removed}");
            rig.run(MemoryRestore { id }).unwrap();
            rig.settled();
            assert_eq!((timed(&rig), open(&rig).len()), (before, 1), "{what}, {removed}");
            assert_eq!(open(&rig)[0].id, conflict.id);
        }
    }
}

#[test]
fn a_decision_is_undone_as_it_should_be_where_a_source_was_restored_since() {
    for (what, way) in WAYS {
        for removed in [vec![0], vec![1], vec![0, 1]] {
            let rig = Rig::new();
            let (conflict, memories) = homes(&rig);
            rig.settled();
            let before = picture(&rig);
            decide(&rig, &conflict, |decision| way(&conflict, decision));
            let decided = timed(&rig);
            for at in &removed {
                rig.run(MemoryRemove { id: memories[*at].clone() }).unwrap();
                rig.settled();
            }
            for at in &removed {
                rig.run(MemoryRestore { id: memories[*at].clone() }).unwrap();
                rig.settled();
            }
            assert_eq!((timed(&rig), open(&rig).len()), (decided, 0), "{what}, {removed:?}: the decision stands");
            undo(&rig, &conflict.id).unwrap();
            rig.settled();
            let after = picture(&rig);
            let gone: Vec<&String> = before.iter().filter(|row| !after.contains(row)).collect();
            assert!(gone.is_empty(), "{what}, {removed:?}: {gone:#?}");
            assert_eq!(open(&rig).len(), 1, "{what}, {removed:?}");
        }
    }
}
