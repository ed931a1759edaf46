//! What was decided stands against whoever was heard then, in whatever form it is said again.

use super::*;
use um_model::belief::ResolutionType::{self, ClaimAWins, ClaimBWins, ManualOverride};
use um_model::capture::MemoryRemember;

fn note(rig: &Rig, who: &Caller, text: &str) {
    rig.advance(1);
    let request = MemoryRemember { text: text.into(), space: SPACE.into(), ..MemoryRemember::default() };
    rig.engine().run(who, request).unwrap();
    rig.settled();
}

fn state_it(rig: &Rig, who: &Caller, fact: FactInput) -> FactAdded {
    rig.advance(1);
    let request = FactsAdd { space: SPACE.to_owned(), facts: vec![fact] };
    rig.engine().run(who, request).unwrap().facts.remove(0)
}

/// Decides the one open conflict for the side of which these words are.
fn decide_for(rig: &Rig, words: &str) -> ConflictId {
    let conflict = open(rig).remove(0);
    let resolution = if conflict.claim_a.statement.contains(words) { ClaimAWins } else { ClaimBWins };
    decide(rig, &conflict.id, resolution, None);
    conflict.id
}

fn decide(rig: &Rig, conflict: &ConflictId, resolution: ResolutionType, value: Option<&str>) {
    rig.advance(1);
    let value = value.map(str::to_owned);
    rig.run(ConflictsResolve { value, ..ConflictsResolve::of(conflict.clone(), resolution) }).unwrap();
    assert_eq!(open(rig).len(), 0);
}

/// What somebody says after a decision.
type Say = fn(&Rig, &Caller);

const HOME: &str = "lives_in";
const OSLO: &[&str] = &["asserted: Maya Okafor lives in Oslo"];

/// The person says Oslo, an agent Bergen, and it is Oslo.
fn decided() -> (Rig, Caller, ConflictId) {
    let rig = Rig::new();
    let bot = agent(&rig, "notes-bot");
    note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
    note(&rig, &bot, "Maya Okafor lives in Bergen since 2019.");
    let conflict = decide_for(&rig, "Oslo");
    (rig, bot, conflict)
}

fn at(city: &str) -> FactInput {
    fact("Maya Okafor", HOME, city)
}

#[test]
fn an_agent_that_lost_asks_nothing_anew() {
    let again: [(&str, Say); 7] = [
        ("denies what is right", |rig, bot| drop(state_it(rig, bot, denied(at("Oslo"))))),
        ("denies it in a note", |rig, bot| note(rig, bot, "Maya Okafor does not live in Oslo.")),
        ("less exactly", |rig, bot| note(rig, bot, "So it is: Maya Okafor lives in Bergen.")),
        ("at another time", |rig, bot| drop(state_it(rig, bot, between(at("Bergen"), "2020", "")))),
        ("an end of what is right", |rig, bot| drop(state_it(rig, bot, between(at("Oslo"), "", "2020")))),
        ("something else", |rig, bot| note(rig, bot, "Maya Okafor lives in Turin.")),
        ("twice", |rig, bot| {
            note(rig, bot, "So it is: Maya Okafor lives in Bergen.");
            note(rig, bot, "Please note. Maya Okafor lives in Bergen.");
        }),
    ];
    for (what, say) in again {
        let (rig, bot, conflict) = decided();
        say(&rig, &bot);
        assert_eq!((believed(&rig), open(&rig).len()), (OSLO.iter().map(|s| (*s).to_owned()).collect(), 0), "{what}");
        rig.run(ConflictsReopen { conflict }).unwrap();
        let asked = believed(&rig);
        assert!(asked.iter().all(|side| side.starts_with("disputed")) && asked.len() >= 2, "{what}: {asked:?}");
    }
}

#[test]
fn what_lost_is_not_believed_of_another_time_either() {
    let again: [(&str, Say); 2] = [
        ("a week", |rig, bot| drop(state_it(rig, bot, between(at("Bergen"), "", "1999-11-20")))),
        ("a place within", |rig, bot| {
            drop(state_it(rig, bot, fact("Bergen", "part_of", "Oslo")));
            drop(state_it(rig, bot, between(at("Bergen"), "2020", "")));
        }),
    ];
    for (what, say) in again {
        let (rig, bot, _) = decided();
        say(&rig, &bot);
        let homes: Vec<String> = believed(&rig).into_iter().filter(|fact| fact.contains("lives")).collect();
        assert_eq!((homes, open(&rig).len()), (OSLO.iter().map(|s| (*s).to_owned()).collect(), 0), "{what}");
    }
    assert_eq!(believed(&file_that_lost("Maya Okafor lived in Bergen until 1999.")), OSLO);
}

/// Where a file lost by a decision, and its next version says this.
fn file_that_lost(second: &str) -> Rig {
    let rig = Rig::new();
    note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
    rig.ingest("maya.md", "Maya Okafor lives in Bergen.");
    rig.settled();
    decide_for(&rig, "Oslo");
    rig.advance(1);
    rig.ingest("maya.md", second);
    rig.settled();
    rig
}

#[test]
fn what_was_taken_back_is_not_believed_as_the_same_voice_tells_it_more_exactly() {
    let bergen = "Maya Okafor lives in Bergen";
    let taken_back = |rig: &Rig| {
        let home = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        assert_eq!(home.statement, bergen);
        rig.run(ClaimRetract { claim: home.id.clone(), undo: false }).unwrap();
        home.id
    };
    let rig = Rig::new();
    let bot = agent(&rig, "notes-bot");
    note(&rig, &bot, "Maya Okafor lives in Bergen.");
    let home = taken_back(&rig);
    let out = state_it(&rig, &bot, between(at("Bergen"), "2019", ""));
    assert_eq!((out.claim.state, out.warnings.len()), (ClaimState::Superseded, 1), "{:?}", out.warnings);
    assert!(out.warnings[0].contains("took it back"), "{:?}", out.warnings);
    assert!(believed(&rig).is_empty(), "{:?}", believed(&rig));
    rig.run(ClaimRetract { claim: home.clone(), undo: true }).unwrap();
    assert_eq!(believed(&rig), ["asserted: Maya Okafor lives in Bergen (since: 2019)"]);
    rig.run(ClaimRetract { claim: out.claim.id, undo: false }).unwrap();
    note(&rig, &Caller::owner("test"), "So it is: Maya Okafor lives in Bergen.");
    assert_eq!(believed(&rig), [format!("asserted: {bergen}")]);

    let rig = Rig::new();
    rig.ingest("maya.md", "Maya Okafor lives in Bergen.");
    rig.settled();
    taken_back(&rig);
    rig.advance(1);
    rig.ingest("maya.md", "Maya Okafor lives in Bergen since 2019.");
    rig.settled();
    assert!(believed(&rig).is_empty(), "{:?}", believed(&rig));
    note(&rig, &agent(&rig, "other-bot"), "Maya Okafor lives in Bergen since 2019.");
    assert_eq!(believed(&rig), ["asserted: Maya Okafor lives in Bergen (since: 2019)"]);
}

#[test]
fn who_was_not_heard_before_may_ask() {
    let new: [(&str, Say); 5] = [
        ("another agent", |rig, _| note(rig, &agent(rig, "other-bot"), "So it is: Maya Okafor lives in Bergen.")),
        ("another agent denies", |rig, _| drop(state_it(rig, &agent(rig, "other-bot"), denied(at("Oslo"))))),
        ("the person", |rig, _| note(rig, &Caller::owner("test"), "So it is: Maya Okafor lives in Bergen.")),
        ("a file", |rig, _| {
            rig.ingest("maya.md", "Maya Okafor lives in Bergen.");
            rig.settled();
        }),
        ("the agent, of what began since", |rig, bot| {
            rig.advance(60 * 86_400_000);
            state_it(rig, bot, between(at("Turin"), "2025-08-01", ""));
        }),
    ];
    for (what, say) in new {
        let (rig, bot, _) = decided();
        say(&rig, &bot);
        assert!(!open(&rig).is_empty(), "{what}: {:?}", believed(&rig));
    }
}

#[test]
fn what_begins_later_is_asked_about_then() {
    let (rig, bot, _) = decided();
    state_it(&rig, &bot, between(at("Turin"), "2030", ""));
    assert_eq!((believed(&rig)[0].as_str(), open(&rig).len()), (OSLO[0], 0), "{:?}", believed(&rig));
    rig.advance(6 * 366 * 86_400_000);
    rig.until("the daily reconciliation looks again", || {
        rig.wake();
        open(&rig).len() == 1
    });
}

#[test]
fn what_was_kept_out_is_asked_about_when_somebody_else_says_it() {
    let (rig, bot, _) = decided();
    let out = state_it(&rig, &bot, between(at("Bergen"), "2020", ""));
    assert_eq!((out.claim.state, out.conflicts.len(), out.warnings.len()), (ClaimState::Retracted, 0, 1));
    assert!(out.warnings[0].contains("decided otherwise"), "{:?}", out.warnings);
    let again = state_it(&rig, &agent(&rig, "other-bot"), between(at("Bergen"), "2020", ""));
    assert_eq!((again.claim.id, again.claim.state), (out.claim.id, ClaimState::Disputed));
}

#[test]
fn both_voices_of_a_conflict_lost_where_the_person_said_something_else() {
    let rig = Rig::new();
    let (one, other) = (agent(&rig, "one-bot"), agent(&rig, "other-bot"));
    note(&rig, &one, "Maya Okafor lives in Oslo.");
    note(&rig, &other, "Maya Okafor lives in Bergen.");
    let conflict = open(&rig).remove(0).id;
    decide(&rig, &conflict, ManualOverride, Some("Turin"));
    state_it(&rig, &one, between(at("Oslo"), "2020", ""));
    state_it(&rig, &other, denied(at("Turin")));
    assert_eq!((believed(&rig), open(&rig).len()), (vec!["asserted: Maya Okafor lives in Turin".to_owned()], 0));
    note(&rig, &Caller::owner("test"), "Maya Okafor does not live in Turin.");
    assert_eq!(open(&rig).len(), 1);
}

#[test]
fn what_was_kept_out_is_asked_about_whoever_it_is_of_once_the_decision_is_undone() {
    let rig = Rig::resting();
    let bot = agent(&rig, "notes-bot");
    let manages = |who: &str| fact(who, "manages", "Heron");
    add(&rig, manages("Ana"));
    state_it(&rig, &bot, manages("Ben"));
    let conflict = decide_for(&rig, "Ana");
    let cleo = state_it(&rig, &bot, manages("Cleo")).claim;
    assert_eq!((cleo.state, open(&rig).len()), (ClaimState::Retracted, 0));
    rig.advance(1);
    rig.run(ConflictsReopen { conflict }).unwrap();
    assert_eq!((state(&rig, &cleo.id), open(&rig).len()), (ClaimState::Disputed, 3));
}

#[test]
fn what_one_decision_keeps_out_stays_so_when_another_one_is_undone() {
    let rig = Rig::new();
    let (owner, bot) = (Caller::owner("test"), agent(&rig, "notes-bot"));
    note(&rig, &owner, "Maya Okafor lives in Oslo.");
    state_it(&rig, &bot, at("Bergen"));
    let of_agent = decide_for(&rig, "Oslo");
    note(&rig, &owner, "Maya Okafor lives in Porto.");
    let of_owner = decide_for(&rig, "Oslo");
    let turin = state_it(&rig, &bot, at("Turin")).claim.id;
    let undo = |conflict: &ConflictId| {
        rig.advance(1);
        rig.run(ConflictsReopen { conflict: conflict.clone() }).unwrap();
    };
    undo(&of_owner);
    assert_eq!(
        (state(&rig, &turin), believed(&rig)),
        (ClaimState::Retracted, ["Oslo", "Porto"].map(|city| format!("disputed: Maya Okafor lives in {city}")).into())
    );
    undo(&of_agent);
    assert_eq!(state(&rig, &turin), ClaimState::Disputed);
}

#[test]
fn whoever_the_person_decided_for_is_heard() {
    let rig = Rig::new();
    let (owner, bot) = (Caller::owner("test"), agent(&rig, "notes-bot"));
    note(&rig, &owner, "Maya Okafor lives in Oslo.");
    note(&rig, &bot, "Maya Okafor lives in Bergen.");
    decide_for(&rig, "Bergen");
    let id = MemoryId::parse(rows(&rig, "SELECT id FROM memories WHERE content LIKE '%Bergen%'").remove(0)).unwrap();
    rig.run(um_model::capture::MemoryRemove { id }).unwrap();
    note(&rig, &owner, "So it is: Maya Okafor lives in Oslo.");
    assert_eq!(believed(&rig), OSLO);
    note(&rig, &bot, "Maya Okafor lives in Bergen since 2019.");
    assert_eq!(open(&rig).len(), 1, "{:?}", believed(&rig));
}

#[test]
fn what_an_agent_that_lost_said_before_and_lost_its_source_is_kept_out_too() {
    let again: [(&str, Say); 2] = [
        ("in other words", |rig, bot| note(rig, bot, "So it is. Maya Okafor lives in Turin.")),
        ("in the very words", |rig, bot| drop(state_it(rig, bot, at("Turin")))),
    ];
    for (what, say) in again {
        let rig = Rig::new();
        let bot = agent(&rig, "notes-bot");
        note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
        let turin = state_it(&rig, &bot, at("Turin")).claim.id;
        let id = explain(&rig, &turin).claim.citations.remove(0).memory_id;
        rig.run(um_model::capture::MemoryRemove { id }).unwrap();
        rig.settled();
        state_it(&rig, &bot, at("Bergen"));
        let conflict = decide_for(&rig, "Oslo");
        say(&rig, &bot);
        rig.settled();
        assert_eq!((believed(&rig), state(&rig, &turin)), (vec![OSLO[0].to_owned()], ClaimState::Retracted), "{what}");
        rig.advance(1);
        rig.run(ConflictsReopen { conflict }).unwrap();
        assert_eq!(state(&rig, &turin), ClaimState::Disputed, "{what}");
    }
}

#[test]
fn a_file_that_lost_may_say_something_else() {
    let check = |second: &str, conflicts: usize| {
        let rig = file_that_lost(second);
        assert_eq!(open(&rig).len(), conflicts, "{second}: {:?}", believed(&rig));
    };
    check("Maya Okafor lives in Bergen since 2019.", 0);
    check("Maya Okafor lives in Turin.", 1);
}
