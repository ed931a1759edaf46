//! What was decided stands against whoever was heard then, in whatever form it is said again.

use super::*;
use um_model::belief::ResolutionType::{self, ClaimAWins, ClaimBWins, ManualOverride};
use um_model::capture::{MemoryRemember, MemoryRemove, MemoryRestore};

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

fn retract(rig: &Rig, claim: &ClaimId, undo: bool) {
    rig.advance(1);
    rig.run(ClaimRetract { claim: claim.clone(), undo }).unwrap();
    rig.settled();
}

fn remembered(rig: &Rig, words: &str) -> MemoryId {
    let sql = format!("SELECT id FROM memories WHERE content LIKE '%{words}%'");
    MemoryId::parse(rows(rig, &sql).remove(0)).unwrap()
}

fn remove(rig: &Rig, id: &MemoryId) {
    rig.run(MemoryRemove { id: id.clone() }).unwrap();
    rig.settled();
}

fn restore(rig: &Rig, id: &MemoryId) {
    rig.run(MemoryRestore { id: id.clone() }).unwrap();
    rig.settled();
}

#[test]
fn what_was_taken_back_falls_with_the_forms_of_the_same_voice() {
    let (plain, since) = ("Maya Okafor lives in Bergen.", "Maya Okafor lives in Bergen since 2019.");
    let only = |rig: &Rig| {
        let mut facts = rig.run(FactsSearch::default()).unwrap().facts;
        assert_eq!(facts.len(), 1, "{facts:?}");
        facts.remove(0).id
    };
    // One note says it twice.
    for text in [format!("{plain} {since}"), format!("{since} {plain}")] {
        let rig = Rig::new();
        note(&rig, &Caller::owner("test"), &text);
        let home = only(&rig);
        retract(&rig, &home, false);
        assert!(believed(&rig).is_empty(), "{text}: {:?}", believed(&rig));
        retract(&rig, &home, true);
        assert_eq!(only(&rig), home);
    }
    for [first, second] in [[plain, since], [since, plain]] {
        // An earlier version of the file comes back.
        let rig = Rig::new();
        let version = |text: &str| {
            rig.advance(1);
            rig.ingest("maya.md", text);
            rig.settled();
        };
        version(first);
        version(second);
        let home = only(&rig);
        retract(&rig, &home, false);
        version(first);
        assert!(believed(&rig).is_empty(), "{first}: {:?}", believed(&rig));
        note(&rig, &Caller::owner("test"), &format!("So it is: {first}"));
        assert_eq!(believed(&rig).len(), 1, "somebody else says so");

        // So does another note of the agent.
        let rig = Rig::new();
        let bot = agent(&rig, "notes-bot");
        note(&rig, &bot, first);
        let id = remembered(&rig, first);
        remove(&rig, &id);
        note(&rig, &bot, second);
        let home = only(&rig);
        retract(&rig, &home, false);
        restore(&rig, &id);
        assert!(believed(&rig).is_empty(), "{first}: {:?}", believed(&rig));
        retract(&rig, &home, true);
        assert_eq!(believed(&rig), ["asserted: Maya Okafor lives in Bergen (since: 2019)"], "{first}");
    }
}

/// The person says Oslo, an agent Bergen, and each is right at its time.
fn each_at_its_time() -> (Rig, Caller, ConflictId) {
    let rig = Rig::new();
    let bot = agent(&rig, "notes-bot");
    note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
    note(&rig, &bot, "Maya Okafor lives in Bergen.");
    let conflict = open(&rig).remove(0);
    let year = || Some("2020".to_owned());
    let windows = match conflict.claim_a.statement.contains("Oslo") {
        true => Windows { b_until: year(), a_from: year(), ..Windows::default() },
        false => Windows { a_until: year(), b_from: year(), ..Windows::default() },
    };
    rig.advance(1);
    let windows = Some(windows);
    rig.run(ConflictsResolve { windows, ..ConflictsResolve::of(conflict.id.clone(), ManualOverride) }).unwrap();
    assert_eq!(open(&rig).len(), 0);
    (rig, bot, conflict.id)
}

#[test]
fn what_is_right_at_its_time_is_kept_out_of_the_others() {
    let again: [(&str, Say); 4] = [
        ("the same", |rig, bot| note(rig, bot, "So it is: Maya Okafor lives in Bergen.")),
        ("of the other's time", |rig, bot| drop(state_it(rig, bot, between(at("Bergen"), "2021", "")))),
        ("of all times", |rig, bot| drop(state_it(rig, bot, between(at("Bergen"), "2015", "2024")))),
        ("denies the other", |rig, bot| note(rig, bot, "Maya Okafor does not live in Oslo.")),
    ];
    for (what, say) in again {
        let (rig, bot, _) = each_at_its_time();
        let decided = believed(&rig);
        say(&rig, &bot);
        assert_eq!((believed(&rig), open(&rig).len()), (decided, 0), "{what}");
        state_it(&rig, &agent(&rig, "other-bot"), between(at("Bergen"), "2022", ""));
        assert!(!open(&rig).is_empty(), "{what}: somebody else may ask");
    }
}

#[test]
fn what_lost_stays_out_when_a_removed_memory_of_its_voice_is_restored() {
    let texts =
        ["Maya Okafor lives in Bergen.", "Maya Okafor lives in Bergen since 2018.", "Maya Okafor lives in Turin."];
    for text in texts {
        let rig = Rig::new();
        let bot = agent(&rig, "notes-bot");
        note(&rig, &bot, text);
        let id = remembered(&rig, text);
        remove(&rig, &id);
        note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
        note(&rig, &bot, "Maya Okafor lives in Bergen since 2019.");
        let conflict = decide_for(&rig, "Oslo");
        restore(&rig, &id);
        assert_eq!((believed(&rig), open(&rig).len()), (vec![OSLO[0].to_owned()], 0), "{text}");
        rig.advance(1);
        rig.run(ConflictsReopen { conflict }).unwrap();
        rig.settled();
        assert!(believed(&rig).len() > 1, "{text}: {:?}", believed(&rig));
    }
    // As what was stated.
    let rig = Rig::new();
    let bot = agent(&rig, "notes-bot");
    let stated = state_it(&rig, &bot, at("Turin")).claim;
    let id = stated.citations[0].memory_id.clone();
    remove(&rig, &id);
    note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
    note(&rig, &bot, "Maya Okafor lives in Bergen since 2019.");
    decide_for(&rig, "Oslo");
    restore(&rig, &id);
    assert_eq!((believed(&rig), open(&rig).len()), (vec![OSLO[0].to_owned()], 0), "stated");
    // Who was not heard then asks.
    let rig = Rig::new();
    let (bot, other) = (agent(&rig, "notes-bot"), agent(&rig, "other-bot"));
    note(&rig, &other, "Maya Okafor lives in Turin.");
    let id = remembered(&rig, "Turin");
    remove(&rig, &id);
    note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
    note(&rig, &bot, "Maya Okafor lives in Bergen since 2019.");
    decide_for(&rig, "Oslo");
    restore(&rig, &id);
    assert_eq!(open(&rig).len(), 1, "{:?}", believed(&rig));
}

#[test]
fn what_lost_is_kept_out_also_when_the_question_was_asked_again() {
    let (rig, bot, _) = decided();
    let more = |since: &str| state_it(&rig, &bot, between(at("Bergen"), since, "")).claim.id;
    let first = more("2020");
    note(&rig, &agent(&rig, "other-bot"), "So it is: Maya Okafor lives in Bergen since 2019.");
    assert_eq!(
        (state(&rig, &first), open(&rig).len()),
        (ClaimState::Retracted, 1),
        "only what is said anew is asked about"
    );
    let conflict = decide_for(&rig, "Oslo");
    super::sources::reconcile(&rig);
    let second = more("2021");
    for id in [&first, &second] {
        assert_eq!((believed(&rig), state(&rig, id)), (vec![OSLO[0].to_owned()], ClaimState::Retracted));
    }
    rig.advance(1);
    rig.run(ConflictsReopen { conflict }).unwrap();
    assert!(believed(&rig).iter().all(|side| side.starts_with("disputed")), "{:?}", believed(&rig));
    assert_eq!([&first, &second].map(|id| state(&rig, id)), [ClaimState::Disputed; 2], "no decision stands");
}

#[test]
fn what_lost_is_not_believed_of_a_time_to_come() {
    for from in ["2025-06-20", "2026", "2099"] {
        for text in [true, false] {
            let (rig, bot, _) = decided();
            match text {
                true => note(&rig, &bot, &format!("Maya Okafor lives in Bergen from {from}.")),
                false => drop(state_it(&rig, &bot, between(at("Bergen"), from, ""))),
            }
            assert_eq!((believed(&rig), open(&rig).len()), (vec![OSLO[0].to_owned()], 0), "{from}, {text}");
        }
        let rig = file_that_lost(&format!("Maya Okafor lives in Bergen since {from}."));
        assert_eq!((believed(&rig), open(&rig).len()), (vec![OSLO[0].to_owned()], 0), "{from}, a file");
    }
}

#[test]
fn what_an_agent_says_word_for_word_of_a_removed_note_is_its_own() {
    let words = "Maya Okafor lives in Bergen.";
    let removed = |rig: &Rig| {
        note(rig, &Caller::owner("test"), words);
        let id = remembered(rig, words);
        (agent(rig, "notes-bot"), id)
    };
    let voices = |rig: &Rig| {
        rows(
            rig,
            "SELECT DISTINCT g.name FROM claim_evidence e JOIN memories m ON m.id = e.memory_id
        JOIN agents g ON g.id = e.actor_id WHERE m.status = 'active' AND m.content LIKE '%Bergen%'",
        )
    };
    let rig = Rig::new();
    let (bot, id) = removed(&rig);
    remove(&rig, &id);
    for _ in 0..2 {
        note(&rig, &bot, words);
        assert_eq!(rig.memory(&id).status, um_model::MemoryStatus::Deleted);
        assert_eq!((believed(&rig).len(), voices(&rig)), (1, vec!["notes-bot".to_owned()]));
    }
    assert_eq!(rig.count("SELECT count(*) FROM memories"), 2);
    // The person's own words bring theirs back.
    note(&rig, &Caller::owner("test"), words);
    assert_eq!(rig.memory(&id).status, um_model::MemoryStatus::Active);

    let rig = Rig::new();
    let (bot, id) = removed(&rig);
    note(&rig, &Caller::owner("test"), "Maya Okafor lives in Oslo.");
    decide_for(&rig, "Oslo");
    remove(&rig, &id);
    note(&rig, &bot, words);
    assert_eq!((open(&rig).len(), voices(&rig)), (1, vec!["notes-bot".to_owned()]), "the person is asked");
}
