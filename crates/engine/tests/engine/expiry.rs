//! Memories that go out of use by themselves when their time comes, and come back.

use crate::support::{MODEL, Rig, SPACE};
use um_engine::Caller;
use um_model::belief::ResolutionType;
use um_model::capture::*;
use um_model::claims::{ConflictsList, ConflictsResolve, FactInput, FactsAdd, FactsSearch};
use um_model::envelope::{MemoryExpire, MemoryLayer};
use um_model::memories::{MemoriesAdd, MemoryText};
use um_model::recall::MemoryRecall;
use um_model::traces::{Lost, RecallWhyNot};
use um_model::work::{ContextCompile, ContextHydrate, ItemsQuery, MemoryPin};
use um_model::{EpochMs, ErrorCode, MemoryId, MemoryStatus};

const DAY: i64 = 86_400_000;
const FERRY: &str = "The ferry leaves at noon.";

fn until(text: &str, expires_at: EpochMs) -> MemoryRemember {
    let (text, space) = (text.to_owned(), SPACE.to_owned());
    MemoryRemember { text, space, expires_at: Some(expires_at), ..MemoryRemember::default() }
}

fn keep(rig: &Rig, request: MemoryRemember) -> MemoryId {
    rig.run(request).unwrap().memory.id
}

fn expire(rig: &Rig, id: &MemoryId, expires_at: Option<EpochMs>) -> Result<Memory, ErrorCode> {
    rig.run(MemoryExpire { id: id.clone(), expires_at }).map_err(|error| error.code)
}

fn is_found(rig: &Rig, as_of: Option<EpochMs>) -> bool {
    let request = MemoryRecall { query: "ferry".into(), as_of, ..MemoryRecall::default() };
    rig.run(request).unwrap().hits.iter().any(|hit| !hit.matches.is_empty())
}

/// Keeps so much that is due after a day that the next call leaves what is due later to those after it.
fn keep_many_for_a_day(rig: &Rig) {
    let expires_at = Some(rig.now() + DAY);
    let text = |number: u32| MemoryText { text: format!("Lamp {number} is lit."), expires_at, ..MemoryText::default() };
    rig.run(MemoriesAdd { space: SPACE.to_owned(), memories: (0..50).map(text).collect() }).unwrap();
}

/// Whether a ferry is told of.
type Ask = fn(&Rig) -> bool;

fn asks() -> [(&'static str, Ask); 3] {
    [
        ("recall", |rig| is_found(rig, None)),
        ("pack", |rig| {
            let request =
                ContextCompile { query: Some("When does the ferry leave?".into()), ..ContextCompile::default() };
            rig.run(request).unwrap().full_text.contains("noon")
        }),
        ("list", |rig| {
            let request = ItemsQuery { text: Some("ferry".into()), ..ItemsQuery::default() };
            !rig.run(request).unwrap().items.is_empty()
        }),
    ]
}

#[test]
fn what_is_due_is_found_no_more_by_whatever_is_asked_first() {
    for (name, ask) in asks() {
        let rig = Rig::resting();
        let end = rig.now() + DAY;
        keep(&rig, until(FERRY, end));
        rig.advance(DAY - 1);
        assert!(ask(&rig), "{name} before its time");
        rig.advance(1);
        assert!(!ask(&rig), "{name} as its time has come");
    }
}

#[test]
fn what_cannot_be_taken_out_yet_is_found_by_nothing_and_left_to_upkeep() {
    let rig = Rig::resting();
    let end = rig.now() + DAY;
    let id = keep(&rig, until(FERRY, end));
    rig.run(MemoryPin { id, pinned: true }).unwrap();
    let refused = "CREATE TRIGGER refused BEFORE UPDATE OF status ON memories WHEN NEW.status = 'expired'
        BEGIN SELECT RAISE(ABORT, 'there is no room'); END";
    rig.db().execute_batch(refused).unwrap();
    rig.advance(DAY);
    for (name, ask) in asks() {
        assert!(!ask(&rig), "{name}");
    }
    // As of another time, as if it were gone.
    assert!(is_found(&rig, Some(end - 1)));
    assert!(!is_found(&rig, Some(end)));
    let in_use = || rig.count("SELECT count(*) FROM memories WHERE status = 'active'");
    rig.db().execute_batch("DROP TRIGGER refused").unwrap();
    assert!(!is_found(&rig, None));
    assert_eq!(in_use(), 1, "no call tries again");
    rig.engine().start();
    rig.until("upkeep took it out", || {
        rig.wake();
        in_use() == 0
    });
    assert!(!is_found(&rig, None));
}

#[test]
fn what_is_due_and_not_taken_out_yet_stands_behind_no_pack() {
    let rig = Rig::resting();
    let id = keep(&rig, until(FERRY, rig.now() + 60_000));
    rig.run(MemoryPin { id, pinned: true }).unwrap();
    let pack = rig.run(ContextCompile::default()).unwrap().id.unwrap();
    let refused = "CREATE TRIGGER refused BEFORE UPDATE OF status ON memories WHEN NEW.status = 'expired'
        BEGIN SELECT RAISE(ABORT, 'there is no room'); END";
    rig.db().execute_batch(refused).unwrap();
    for (later, behind) in [(59_999, (1, 0)), (1, (0, 1))] {
        rig.advance(later);
        let request = ContextHydrate {
            pack: pack.clone(),
            citations: Vec::new(),
            items: Vec::new(),
            budget_tokens: None,
            model: None,
            as_handed: false,
        };
        let told = rig.run(request).unwrap();
        assert_eq!((told.items.len(), told.gone.len()), behind, "{told:?}");
    }
}

#[test]
fn why_it_is_not_found_is_that_it_expired_whether_it_is_taken_out_or_not() {
    for is_taken_out in [false, true] {
        let rig = Rig::resting();
        let end = rig.now() + DAY;
        let id = keep(&rig, until(FERRY, end));
        if !is_taken_out {
            let refused = "CREATE TRIGGER refused BEFORE UPDATE OF status ON memories WHEN NEW.status = 'expired'
                BEGIN SELECT RAISE(ABORT, 'there is no room'); END";
            rig.db().execute_batch(refused).unwrap();
        }
        rig.advance(DAY);
        let asked = |query: &str| MemoryRecall { query: query.to_owned(), since: Some(0), ..MemoryRecall::default() };
        for (as_of, lost) in [(None, Lost::OutOfUse), (Some(end), Lost::OutOfUse), (Some(end - 1), Lost::Given)] {
            for query in ["ferry", ""] {
                let recall = MemoryRecall { as_of, ..asked(query) };
                let told = rig.run(RecallWhyNot { recall, expected: id.to_string() }).unwrap();
                assert_eq!(told.lost, lost, "{is_taken_out} {as_of:?} {query:?}: {told:?}");
                assert_eq!(told.reason.starts_with("It expired"), lost == Lost::OutOfUse, "{told:?}");
            }
        }
        let taken_out = rig.count("SELECT count(*) FROM memories WHERE status = 'expired'");
        assert_eq!(taken_out, i64::from(is_taken_out));
    }
}

#[test]
fn a_call_takes_out_some_of_what_is_due_and_finds_none_of_it() {
    let rig = Rig::resting();
    let expires_at = Some(rig.now() + DAY);
    let text =
        |number: u32| MemoryText { text: format!("Ferry {number} leaves."), expires_at, ..MemoryText::default() };
    rig.run(MemoriesAdd { space: SPACE.to_owned(), memories: (0..50).map(text).collect() }).unwrap();
    rig.advance(DAY);
    for gone in [20, 40, 50, 50] {
        assert!(!is_found(&rig, None), "{gone}");
        assert_eq!(rig.count("SELECT count(*) FROM memories WHERE status = 'expired'"), gone);
    }
}

#[test]
fn nothing_is_erased_and_another_day_finds_it() {
    let mut rig = Rig::resting();
    let (begin, end) = (rig.now(), rig.now() + 10 * DAY);
    let id = keep(&rig, until(FERRY, end));
    assert_eq!(rig.memory(&id).expires_at, Some(end));
    // The service rests when the time comes, and it was so until then all the same.
    rig.reopen(MODEL);
    rig.advance(20 * DAY);
    let gone = rig.memory(&id);
    assert_eq!((gone.status, gone.content.as_deref()), (MemoryStatus::Expired, Some(FERRY)));
    for (as_of, expected) in [(None, false), (Some(begin + 5 * DAY), true), (Some(begin + 15 * DAY), false)] {
        assert_eq!(is_found(&rig, as_of), expected, "as of {as_of:?}");
    }
    let entries = "SELECT count(*) FROM audit_events WHERE event_type = 'memory.expired'";
    assert_eq!(rig.count(entries), 1);
}

/// Whether anything else is due by now makes no difference.
#[test]
fn a_day_to_come_finds_what_is_in_use_then() {
    let listed = |rig: &Rig, as_of: EpochMs| {
        let request = ItemsQuery { as_of: Some(as_of), ..ItemsQuery::default() };
        rig.run(request).unwrap().items.iter().any(|found| found.says == FERRY)
    };
    for is_another_due in [false, true] {
        let rig = Rig::resting();
        let end = rig.now() + 10 * DAY;
        let id = keep(&rig, until(FERRY, end));
        if is_another_due {
            keep(&rig, until("The pier is long.", rig.now() + DAY));
            let refused = "CREATE TRIGGER refused BEFORE UPDATE OF status ON memories WHEN NEW.status = 'expired'
                BEGIN SELECT RAISE(ABORT, 'there is no room'); END";
            rig.db().execute_batch(refused).unwrap();
            rig.advance(DAY);
        }
        for (as_of, expected) in [(end - 1, true), (end, false), (end + DAY, false)] {
            let case = format!("{is_another_due}, as of {as_of}");
            assert_eq!(is_found(&rig, Some(as_of)), expected, "{case}");
            assert_eq!(listed(&rig, as_of), expected, "{case}");
            let asked = MemoryRecall { query: "ferry".into(), as_of: Some(as_of), ..MemoryRecall::default() };
            let told = rig.run(RecallWhyNot { recall: asked, expected: id.to_string() }).unwrap();
            assert_eq!(told.lost == Lost::OutOfUse, !expected, "{case}: {told:?}");
        }
        assert!(is_found(&rig, None), "{is_another_due}");
    }
}

#[test]
fn it_comes_back_by_another_time_by_restoring_and_by_being_said_again() {
    type Back = fn(&Rig, &MemoryId);
    let backs: [(&str, Back, Option<i64>); 5] = [
        ("another time", |rig, id| assert!(expire(rig, id, Some(rig.now() + DAY)).is_ok()), Some(DAY)),
        ("never", |rig, id| assert!(expire(rig, id, None).is_ok()), None),
        ("restored", |rig, id| assert!(rig.run(MemoryRestore { id: id.clone() }).is_ok()), None),
        ("said again", |rig, id| assert_eq!(rig.remember(FERRY).id, *id), None),
        ("said again with a time", |rig, id| assert_eq!(keep(rig, until(FERRY, rig.now() + DAY)), *id), Some(DAY)),
    ];
    // Whether it was noticed before that its time has come makes no difference.
    let each = backs.into_iter().flat_map(|back| [(true, back), (false, back)]);
    for (is_noticed, (name, back, left)) in each {
        let rig = Rig::resting();
        let id = keep(&rig, until(FERRY, rig.now() + 2 * DAY));
        if !is_noticed {
            keep_many_for_a_day(&rig);
        }
        rig.advance(2 * DAY);
        assert!(!is_noticed || !is_found(&rig, None), "{name}");
        back(&rig, &id);
        let name = format!("{name}, noticed: {is_noticed}");
        let memory = rig.memory(&id);
        assert_eq!(
            (memory.status, memory.expires_at),
            (MemoryStatus::Active, left.map(|left| rig.now() + left)),
            "{name}"
        );
        assert!(is_found(&rig, None), "{name}");
        rig.advance(2 * DAY);
        assert_eq!(is_found(&rig, None), left.is_none(), "{name}, later");
    }
}

#[test]
fn what_an_agent_says_again_once_its_time_is_over_is_its_own() {
    for is_noticed in [true, false] {
        let rig = Rig::resting();
        let bot = rig.agent_in("bot", &[SPACE], &[]);
        let theirs = keep(&rig, until(FERRY, rig.now() + 2 * DAY));
        if !is_noticed {
            keep_many_for_a_day(&rig);
        }
        rig.advance(2 * DAY);
        assert!(!is_noticed || !is_found(&rig, None));
        let (text, space) = (FERRY.to_owned(), SPACE.to_owned());
        let said = rig.engine().run(&bot, MemoryRemember { text, space, ..MemoryRemember::default() }).unwrap();
        assert!(said.created && said.memory.id != theirs, "{is_noticed}: {said:?}");
        // Each call takes out some more.
        for _ in 0..3 {
            assert!(is_found(&rig, None), "{is_noticed}");
        }
        assert_eq!(rig.memory(&theirs).status, MemoryStatus::Expired, "{is_noticed}");
    }
}

#[test]
fn its_time_may_be_told_later_and_taken_back() {
    let rig = Rig::resting();
    let first = rig.remember(FERRY).id;
    expire(&rig, &first, Some(rig.now() + DAY)).unwrap();
    expire(&rig, &first, Some(rig.now() + 3 * DAY)).unwrap();
    rig.advance(2 * DAY);
    assert!(is_found(&rig, None));
    expire(&rig, &first, None).unwrap();
    rig.advance(2 * DAY);
    assert!(is_found(&rig, None));
    // One that was removed meanwhile and is restored after its time stays.
    expire(&rig, &first, Some(rig.now() + DAY)).unwrap();
    rig.run(MemoryRemove { id: first.clone() }).unwrap();
    rig.advance(2 * DAY);
    assert_eq!(rig.memory(&first).status, MemoryStatus::Deleted);
    rig.run(MemoryRestore { id: first.clone() }).unwrap();
    assert!(is_found(&rig, None));
    assert_eq!(rig.memory(&first).expires_at, None);
    let set = "SELECT count(*) FROM audit_events WHERE event_type = 'memory.expiry_set'";
    assert_eq!(rig.count(set), 4);
}

#[test]
fn of_many_texts_each_has_its_own_time() {
    let rig = Rig::resting();
    let text = |text: &str, expires_at| MemoryText { text: text.to_owned(), expires_at, ..MemoryText::default() };
    let now = rig.now();
    let memories = vec![
        text("The ferry is red.", Some(now + DAY)),
        text("The ferry is old.", Some(now + 3 * DAY)),
        text("The ferry is ours.", None),
        text("The ferry was sold.", Some(now)),
    ];
    let added = rig.run(MemoriesAdd { space: SPACE.to_owned(), memories }).unwrap();
    assert_eq!((added.created, added.refused), (3, 1), "one time is over already");
    for (days, expected) in [(0, 3), (2, 2), (2, 1)] {
        rig.advance(days * DAY);
        rig.recall("ferry");
        assert_eq!(rig.count("SELECT count(*) FROM memories WHERE status = 'active'"), expected);
    }
}

#[test]
fn what_is_believed_by_it_alone_is_believed_no_more() {
    let rig = Rig::new();
    keep(&rig, until("Ana lives in Porto.", rig.now() + DAY));
    rig.settled();
    let homes = || {
        let search = FactsSearch { predicate: Some("lives_in".into()), ..FactsSearch::default() };
        rig.run(search).unwrap().facts.len()
    };
    assert_eq!(homes(), 1);
    rig.advance(2 * DAY);
    assert!(rig.found("Porto").is_empty());
    rig.settled();
    assert_eq!(homes(), 0);
}

#[test]
fn what_the_words_of_a_fact_bring_back_goes_by_its_time() {
    let rig = Rig::resting();
    let home = rig.space("Home");
    let state = |space: &str| {
        let (subject, predicate, object) = ("Halden ferry".into(), "colour".into(), "blue".into());
        let facts = vec![FactInput { subject, predicate, object, ..FactInput::default() }];
        rig.run(FactsAdd { space: space.to_owned(), facts }).unwrap();
    };
    // In which words a fact is kept.
    state("Home");
    let blue = rig.text(&format!("SELECT content FROM memories WHERE space_id = '{}'", home.id));
    let id = keep(&rig, until(&blue, rig.now() + 3 * DAY));
    rig.run(MemoryRemove { id: id.clone() }).unwrap();
    // Nothing else goes by itself, as is known once this did.
    keep(&rig, until("The pier is long.", rig.now() + DAY));
    rig.advance(DAY);
    rig.recall("pier");
    state(SPACE);
    assert_eq!(rig.memory(&id).status, MemoryStatus::Active);
    rig.advance(2 * DAY);
    assert_eq!(rig.memory(&id).status, MemoryStatus::Expired);
}

#[test]
fn what_the_words_of_a_decision_bring_back_goes_by_its_time() {
    let rig = Rig::resting();
    let home = rig.space("Home");
    let lives = |space: &str, city: &str| {
        let (subject, predicate, object) = ("Ana".into(), "lives_in".into(), city.into());
        let facts = vec![FactInput { subject, predicate, object, ..FactInput::default() }];
        rig.run(FactsAdd { space: space.to_owned(), facts }).unwrap();
    };
    // In which words a fact is kept.
    lives("Home", "Bergen");
    let bergen = rig.text(&format!("SELECT content FROM memories WHERE space_id = '{}'", home.id));
    let id = keep(&rig, until(&bergen, rig.now() + 3 * DAY));
    rig.run(MemoryRemove { id: id.clone() }).unwrap();
    ["Oslo", "Porto"].into_iter().for_each(|city| lives(SPACE, city));
    // Nothing else goes by itself, as is known once this did.
    keep(&rig, until("The pier is long.", rig.now() + DAY));
    rig.advance(DAY);
    rig.recall("pier");
    let conflict = rig.run(ConflictsList::default()).unwrap().conflicts.remove(0).id;
    let value = Some("Bergen".to_owned());
    rig.run(ConflictsResolve { value, ..ConflictsResolve::of(conflict, ResolutionType::ManualOverride) }).unwrap();
    assert_eq!(rig.memory(&id).status, MemoryStatus::Active);
    rig.advance(2 * DAY);
    assert_eq!(rig.memory(&id).status, MemoryStatus::Expired);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let rig = Rig::resting();
    let (now, later) = (rig.now(), rig.now() + DAY);
    let check = |request: MemoryRemember| {
        assert_eq!(rig.run(request.clone()).unwrap_err().code, ErrorCode::InvalidRequest, "{request:?}");
    };
    check(until(FERRY, now));
    check(MemoryRemember { kind: Some(MemoryLayer::Raw), ..until(FERRY, later) });
    let said = MemoryRemember { kind: Some(MemoryLayer::Raw), expires_at: None, ..until("They said so.", later) };
    let file = rig.artifact(&rig.ingest("quay.md", "The quay is wet.")).summary.memory_id.unwrap();
    let removed = rig.remember("The pier is long.").id;
    rig.run(MemoryRemove { id: removed.clone() }).unwrap();
    for id in [keep(&rig, said), file, removed] {
        assert_eq!(expire(&rig, &id, Some(later)), Err(ErrorCode::InvalidRequest));
    }
    assert_eq!(expire(&rig, &rig.remember(FERRY).id, Some(now)), Err(ErrorCode::InvalidRequest));
}

#[test]
fn an_agent_says_so_of_its_own_alone() {
    let rig = Rig::resting();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let own = "The pier is long.";
    let theirs = rig.remember(FERRY).id;
    let later = rig.now() + DAY;
    let as_bot = |request: MemoryRemember| rig.engine().run(&bot, request).unwrap().memory;
    assert_eq!(as_bot(until(FERRY, later)).id, theirs);
    assert_eq!(rig.memory(&theirs).expires_at, None);
    as_bot(until(own, later + DAY));
    assert_eq!(as_bot(until(own, later)).expires_at, Some(later));
    let refused = rig.engine().run(&bot, MemoryExpire { id: theirs, expires_at: Some(later) }).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden);
    assert_eq!(rig.engine().run(&Caller::owner("test"), until(FERRY, later)).unwrap().memory.expires_at, Some(later));
}
