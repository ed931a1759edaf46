//! A forgetting that is stopped, or that cannot come to its end: what went is told with what is there still, and only what
//! went is refused from then on.

use crate::forgetting::{preview, query, reads};
use crate::support::{MODEL, Rig, SPACE, traces};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use um_engine::provider::Cancel;
use um_engine::{Caller, Progress};
use um_model::capture::MemoryRemember;
use um_model::forget::*;
use um_model::jobs::CallCancel;
use um_model::{AgentId, ErrorCode};

/// More than go in one portion.
const BOXES: usize = 60;

fn boxed(number: usize) -> String {
    format!("The quince of crate {number} is kept by crate{number}@quince.example.")
}

/// A rig with a memory for each box.
fn filled() -> Rig {
    let rig = Rig::new();
    for number in 0..BOXES {
        rig.remember(&boxed(number));
    }
    rig.settled();
    rig
}

/// Which boxes are there still.
fn there(rig: &Rig) -> Vec<usize> {
    let db = rig.db();
    let mut texts = db.prepare("SELECT content FROM memories WHERE is_redacted = 0 AND status = 'active'").unwrap();
    let texts: Vec<String> = texts.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    (0..BOXES).filter(|number| texts.contains(&boxed(*number))).collect()
}

fn execute(rig: &Rig, caller: &Caller) -> Value {
    let token = preview(rig, &query("quince")).unwrap().token;
    rig.engine().call(caller, "forget_execute", json!({ "query": "quince", "token": token })).unwrap()
}

fn shown(rig: &Rig) -> Value {
    rig.engine().call(&Caller::owner("test"), "forget_show", json!({})).unwrap()
}

/// A caller who stops at the step of that number.
fn stopping_at(step: u64) -> Caller {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let progress = Progress::new(move |call| {
        if call.done == step {
            stop.cancel();
        }
    });
    Caller { cancel, progress, ..Caller::owner("test") }
}

/// What the doors say to a text that each box's says, as it is and with what it alone says.
fn check_doors(rig: &Rig, there: &[usize]) {
    for number in (0..BOXES).step_by(7) {
        for text in [boxed(number), format!("Write to crate{number}@quince.example.")] {
            let request = MemoryRemember { text: text.clone(), space: SPACE.to_owned(), ..MemoryRemember::default() };
            let refused = rig.run(request).err().map(|error| error.code);
            let expected = (!there.contains(&number)).then_some(ErrorCode::Forgotten);
            assert_eq!(refused, expected, "{text}");
        }
    }
}

#[test]
fn what_stays_after_a_stop_is_told_and_not_refused() {
    for step in 0.. {
        let rig = filled();
        let report = execute(&rig, &stopping_at(step));
        let there = there(&rig);
        let stays = report["stays"]["memories"].as_u64().unwrap_or_default() as usize;
        assert_eq!(stays, there.len(), "at step {step}: {report}");
        assert_eq!(report["counts"]["memories"].as_u64().unwrap_or_default() as usize, BOXES - stays, "{report}");
        let ended = report["status"] == "done";
        assert_eq!(ended, stays == 0, "at step {step}: {report}");
        assert!(ended || report["status"] == "cancelled", "{report}");
        assert_eq!((&report["proof"]["left"], &report["failed"]), (&json!(0), &Value::Null), "{report}");
        check_doors(&rig, &there);
        if ended {
            assert!(step > 1, "one step only");
            break;
        }
    }
}

/// Whether the process ends before the data folder could be cleared, or not: what stays, stays.
#[test]
fn what_a_stop_left_does_not_go_at_the_next_start() {
    for waits in [false, true] {
        let mut rig = filled();
        let reader = waits.then(|| reads(&rig));
        let report = execute(&rig, &stopping_at(1));
        assert_eq!(report["status"], if waits { "erased" } else { "cancelled" }, "{report}");
        drop(reader);
        let before = there(&rig);
        assert!(!before.is_empty() && before.len() < BOXES, "{before:?}");
        assert_eq!(report["stays"]["memories"], json!(before.len()), "{report}");
        rig.reopen(MODEL);
        assert_eq!(there(&rig), before);
        let report = shown(&rig);
        assert_eq!((&report["status"], &report["stays"]["memories"]), (&json!("cancelled"), &json!(before.len())));
        check_doors(&rig, &before);
    }
}

/// Whatever fails once the person stopped it, or ends the process: what they kept stays, and is let in at the next start.
#[test]
fn a_stop_stands_whatever_fails_after_it() {
    for broken in
        ["UPDATE OF allowed_at ON rejected_values", "DELETE ON system_settings WHEN OLD.key LIKE 'beliefs.unsettled.%'"]
    {
        let mut rig = filled();
        let trigger =
            format!("CREATE TRIGGER broken BEFORE {broken} BEGIN SELECT RAISE(ABORT, 'the disk is ill'); END");
        rig.db().execute_batch(&trigger).unwrap();
        let turn = json!({ "actor": AgentId::owner(), "claims": [] }).to_string();
        let sql = "INSERT INTO system_settings (key, value, updated_at) VALUES ('beliefs.unsettled.0', ?1, 0)";
        rig.db().execute(sql, [turn]).unwrap();
        let report = execute(&rig, &stopping_at(1));
        let before = there(&rig);
        assert!(!before.is_empty() && before.len() < BOXES, "{broken}: {before:?}");
        assert_eq!(report["status"], "erased", "{broken}: {report}");
        assert!(report["failed"]["message"].as_str().is_some_and(|said| said.contains("the disk is ill")), "{report}");
        rig.db().execute_batch("DROP TRIGGER broken").unwrap();
        rig.reopen(MODEL);
        assert_eq!(there(&rig), before, "{broken}");
        let report = shown(&rig);
        assert_eq!((&report["status"], &report["stays"]["memories"]), (&json!("cancelled"), &json!(before.len())));
        check_doors(&rig, &before);
    }
}

/// The end of the service is no stop: what was not reached stays refused, and goes at the next start.
#[test]
fn one_that_the_end_of_the_service_cuts_off_goes_on_at_the_next_start() {
    let mut rig = filled();
    let engine = rig.engine().clone();
    let progress = Progress::new(move |call| {
        if call.done == 1 && call.note == "forgetting" {
            engine.stop();
        }
    });
    let report = execute(&rig, &Caller { progress, ..Caller::owner("test") });
    let before = there(&rig);
    assert!(!before.is_empty() && before.len() < BOXES, "{before:?}");
    let told = (&report["status"], &report["stays"]["memories"], &report["failed"]);
    assert_eq!(told, (&json!("running"), &json!(before.len()), &Value::Null), "{report}");
    check_doors(&rig, &[]);
    rig.reopen(MODEL);
    let report = shown(&rig);
    assert_eq!((&report["status"], &report["stays"]), (&json!("done"), &Value::Null), "{report}");
    assert_eq!(there(&rig), Vec::<usize>::new());
    check_doors(&rig, &[]);
}

/// What an earlier forgetting refuses stays refused, whoever stops a later one.
#[test]
fn a_stop_lets_nothing_in_that_was_refused_before() {
    let rig = Rig::new();
    let first = rig.remember("Her number is +44 20 7946 0958.");
    rig.settled();
    let what = ForgetWhat { memory: Some(first.id), ..ForgetWhat::default() };
    let token = preview(&rig, &what).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    let words = "The quince is hers.";
    rig.remember(words);
    rig.settled();
    // As a reading that was under way would have kept it.
    rig.db().execute("UPDATE memories SET summary = 'Call +44 20 7946 0958.' WHERE content = ?1", [words]).unwrap();
    assert_eq!(execute(&rig, &stopping_at(0))["status"], "cancelled");
    let again = MemoryRemember {
        text: "Again: +44 20 7946 0958.".to_owned(),
        space: SPACE.to_owned(),
        ..MemoryRemember::default()
    };
    assert_eq!(rig.run(again).unwrap_err().code, ErrorCode::Forgotten);
}

/// Agents stop nothing by the id of a call.
#[test]
fn nobody_but_the_person_stops_what_another_began() {
    for (is_person, expected) in [(true, "cancelled"), (false, "done")] {
        let rig = filled();
        let (stopper, engine) = match is_person {
            true => (Caller::owner("another"), rig.engine().clone()),
            false => (rig.agent_in("bot", &[SPACE], &[]), rig.engine().clone()),
        };
        let refused = Arc::new(AtomicBool::new(false));
        let was_refused = refused.clone();
        let progress = Progress::new(move |call| {
            if call.done == 0 && call.note == "forgetting" {
                let answer = engine.run(&stopper, CallCancel { id: call.id.clone() });
                was_refused.store(answer.is_err_and(|e| e.code == ErrorCode::Forbidden), Ordering::Relaxed);
            }
        });
        let report = execute(&rig, &Caller { progress, ..Caller::owner("test") });
        assert_eq!((report["status"].as_str(), refused.load(Ordering::Relaxed)), (Some(expected), !is_person));
    }
}

/// A portion that cannot go: the answer is the report all the same, and the rest goes at the next start.
#[test]
fn one_that_fails_on_its_way_answers_with_what_went() {
    let mut rig = filled();
    rig.db()
        .execute_batch(
            "CREATE TRIGGER broken BEFORE UPDATE ON memories WHEN NEW.is_redacted = 1
               AND OLD.id = (SELECT max(id) FROM memories)
             BEGIN SELECT RAISE(ABORT, 'the disk is ill'); END",
        )
        .unwrap();
    let report = execute(&rig, &Caller::owner("test"));
    let stays = there(&rig).len() as u64;
    assert!(stays > 0 && stays < BOXES as u64, "{report}");
    assert_eq!(report["counts"]["memories"].as_u64(), Some(BOXES as u64 - stays), "{report}");
    assert_eq!(report["stays"]["memories"].as_u64(), Some(stays), "{report}");
    assert_eq!(report["status"], "running", "{report}");
    assert!(report["failed"]["message"].as_str().is_some_and(|said| said.contains("the disk is ill")), "{report}");
    let proof = &report["proof"];
    assert_eq!((&proof["searching"], &proof["left"]), (&json!("done"), &json!(0)), "{report}");
    assert!(proof["searched"].as_u64() > Some(0), "{report}");
    rig.db().execute_batch("DROP TRIGGER broken").unwrap();
    rig.reopen(MODEL);
    let report = shown(&rig);
    assert_eq!((&report["status"], &report["stays"]), (&json!("done"), &Value::Null), "{report}");
    rig.engine().stop();
    assert_eq!(traces(rig.data(), "quince"), Vec::<String>::new());
}

/// What lies above that which was named says nothing of it: the person's name stands in the paths of everything else.
#[test]
fn only_what_was_named_of_a_path_counts_as_a_trace() {
    for (folder, logged, left) in [
        (None, "anamaria-of-leeds", 0),
        (None, "papers on trees", 0),
        (None, "quince-notes.md", 1),
        (Some("anamaria-of-leeds/papers on trees"), "anamaria-of-leeds", 0),
        (Some("anamaria-of-leeds/papers on trees"), "papers on trees", 1),
        (Some("anamaria-of-leeds"), "anamaria-of-leeds", 1),
        (Some("anamaria-of-leeds"), "papers on trees", 1),
    ] {
        let rig = Rig::new();
        let path = rig.file("anamaria-of-leeds/papers on trees/quince-notes.md", "The medlar is ripe.");
        let file = rig.ingest_path(SPACE, &path).remove(0).artifact_id;
        rig.settled();
        std::fs::write(rig.data().join("today.log"), format!("somebody opened {logged} here")).unwrap();
        let what = match folder {
            Some(folder) => {
                ForgetWhat { folder: Some(rig.folder().join(folder).display().to_string()), ..ForgetWhat::default() }
            }
            None => ForgetWhat { artifact: file, ..ForgetWhat::default() },
        };
        let token = preview(&rig, &what).unwrap().token;
        let proof = rig.run(ForgetExecute { what, token }).unwrap().proof;
        assert_eq!(proof.left, left, "{folder:?}, {logged}: {proof:?}");
    }
}
