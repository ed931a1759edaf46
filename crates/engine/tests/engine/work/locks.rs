//! Files that agents hold: one at a time, until they let go, or their time is up, or the person takes it.

use crate::support::{Rig, SPACE};
use proptest::prelude::*;
use std::collections::BTreeMap;
use um_engine::Caller;
use um_model::work::*;
use um_model::{ApiError, ErrorCode};

const MINUTE: i64 = 60_000;

fn take(rig: &Rig, by: &Caller, path: &str, minutes: i64) -> Result<Lock, ApiError> {
    let request = LockCheckout { path: path.into(), ttl_ms: Some(minutes * MINUTE), ..LockCheckout::default() };
    rig.engine().run(by, request)
}

fn let_go(rig: &Rig, by: &Caller, path: &str) -> Result<Lock, ErrorCode> {
    let request = LockCheckin { path: Some(path.into()), ..LockCheckin::default() };
    rig.engine().run(by, request).map_err(|error| error.code)
}

#[test]
fn a_file_is_held_by_one_until_it_is_free() {
    let rig = Rig::new();
    let (one, other) = (rig.agent_in("one", &[SPACE], &[]), rig.agent_in("other", &[SPACE], &[]));
    let held = take(&rig, &one, "src/./main.rs", 10).unwrap();
    assert_eq!((held.path.as_str(), held.agent.as_str()), ("src/main.rs", "one"));
    let refused = take(&rig, &other, "src//main.rs", 10).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert!(refused.message.contains("one holds it") && refused.message.contains("10 more minutes"), "{refused}");
    assert_eq!(let_go(&rig, &other, "src/main.rs").err(), Some(ErrorCode::Forbidden));
    rig.advance(5 * MINUTE);
    let longer = take(&rig, &one, "src/main.rs", 10).unwrap();
    assert_eq!((longer.id.clone(), longer.expires_at), (held.id.clone(), rig.now() + 10 * MINUTE), "held longer");
    rig.advance(10 * MINUTE);
    assert_eq!(rig.run(LocksList::default()).unwrap().locks.len(), 0, "its time is up");
    let theirs = take(&rig, &other, "src/main.rs", 10).unwrap();
    assert_eq!(let_go(&rig, &one, "src/main.rs").err(), Some(ErrorCode::Forbidden));
    let forced = rig.run(LockForce { lock: theirs.id.clone() }).unwrap();
    assert!(forced.was_forced && forced.released_at.is_some());
    assert_eq!(
        rig.engine().call(&one, "lock_force", serde_json::json!({"lock": theirs.id})).unwrap_err().code,
        ErrorCode::Forbidden
    );
    assert!(take(&rig, &one, "src/main.rs", 10).is_ok());
    let_go(&rig, &one, "src/main.rs").unwrap();
    assert_eq!(let_go(&rig, &one, "src/main.rs").err(), Some(ErrorCode::NotFound));
    let all = rig.run(LocksList { released: true, ..LocksList::default() }).unwrap().locks;
    assert_eq!(all.len(), 3);
}

#[test]
fn what_is_no_path_or_no_time_is_refused() {
    let rig = Rig::resting();
    let owner = Caller::owner("test");
    for path in ["", " ", ".", "/", "../x", "a/../../b", "a\u{0}b", &"x".repeat(1_001)] {
        assert_eq!(take(&rig, &owner, path, 10).unwrap_err().code, ErrorCode::InvalidRequest, "{path:?}");
    }
    for minutes in [0, 24 * 60 + 1, -1] {
        assert_eq!(take(&rig, &owner, "x", minutes).unwrap_err().code, ErrorCode::InvalidRequest, "{minutes}");
    }
    assert_eq!(take(&rig, &owner, "/srv\\pier//x.rs", 10).unwrap().path, "/srv/pier/x.rs");
}

#[derive(Debug, Clone)]
enum Step {
    Take(usize, usize, i64),
    LetGo(usize, usize),
    Force(usize),
    Wait(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..3usize, 0..2usize, 1..20i64).prop_map(|(who, what, minutes)| Step::Take(who, what, minutes)),
        2 => (0..3usize, 0..2usize).prop_map(|(who, what)| Step::LetGo(who, what)),
        1 => (0..2usize).prop_map(Step::Force),
        2 => (1..15i64).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is done in whatever order, a file has one holder, and the one that a simple table says.
    #[test]
    fn a_file_never_has_two_holders(steps in steps()) {
        let rig = Rig::resting();
        let who: Vec<Caller> = (0..3).map(|n| rig.agent_in(&format!("agent {n}"), &[SPACE], &[])).collect();
        let files = ["a.rs", "b.rs"];
        let mut held: BTreeMap<usize, (usize, i64)> = BTreeMap::new();
        for step in steps {
            held.retain(|_, (_, until)| *until > rig.now());
            match step {
                Step::Take(by, file, minutes) => {
                    let is_free = held.get(&file).is_none_or(|(holder, _)| *holder == by);
                    prop_assert_eq!(take(&rig, &who[by], files[file], minutes).is_ok(), is_free);
                    if is_free {
                        held.insert(file, (by, rig.now() + minutes * MINUTE));
                    }
                }
                Step::LetGo(by, file) => {
                    let holds = held.get(&file).is_some_and(|(holder, _)| *holder == by);
                    let done = let_go(&rig, &who[by], files[file]);
                    prop_assert!(!holds || done.is_ok());
                    if holds {
                        held.remove(&file);
                    }
                }
                Step::Force(file) => {
                    let locks = rig.run(LocksList::default()).unwrap().locks;
                    if let Some(lock) = locks.into_iter().find(|lock| lock.path == files[file]) {
                        rig.run(LockForce { lock: lock.id }).unwrap();
                        held.remove(&file);
                    }
                }
                Step::Wait(minutes) => rig.advance(minutes * MINUTE),
            }
            held.retain(|_, (_, until)| *until > rig.now());
            let locks = rig.run(LocksList::default()).unwrap().locks;
            let told: BTreeMap<String, String> = locks.into_iter().map(|lock| (lock.path, lock.agent)).collect();
            let wanted: BTreeMap<String, String> =
                held.iter().map(|(file, (by, _))| (files[*file].to_owned(), format!("agent {by}"))).collect();
            prop_assert_eq!(told, wanted);
        }
    }
}
