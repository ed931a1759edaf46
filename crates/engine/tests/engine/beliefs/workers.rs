//! Several workers on one memory, and many sources that say one thing at once.

use super::together::together;
use super::*;
use um_engine::by_hand;
use um_engine::language::{Entailment, EntailmentLabel};
use um_model::JobKind;
use um_store::jobs::{self, NewJob, Subject};

const PEOPLE: usize = 20;

/// A memory of twenty lines, each of which holds one claim.
fn people(rig: &Rig) -> Memory {
    rig.remember(&(0..PEOPLE).map(|n| format!("Person{n} lives in Porto.\n")).collect::<String>())
}

/// Each line was found once, from one place, and no job says that something went wrong.
#[track_caller]
fn found_once(rig: &Rig, what: &str) {
    let request = FactsSearch { predicate: Some("lives_in".into()), limit: Some(200), ..FactsSearch::default() };
    let found = rig.run(request).unwrap().facts;
    assert_eq!((found.len(), rig.count("SELECT count(*) FROM claims")), (PEOPLE, PEOPLE as i64), "{what}");
    for claim in &found {
        assert_eq!((claim.state, claim.evidence_count), (ClaimState::Asserted, 1), "{what}: {}", claim.statement);
    }
    assert_eq!(rig.count("SELECT count(*) FROM claim_state_history"), PEOPLE as i64, "{what}");
    assert_eq!(rig.count("SELECT count(*) FROM entities"), PEOPLE as i64 + 1, "{what}: the people and one town");
    assert!(rig.jobs().jobs.iter().all(|job| job.error.is_none()), "{what}: {:?}", rig.jobs().jobs);
}

#[test]
fn however_many_read_a_memory_at_once_each_claim_is_made_once() {
    for readers in [2, 8] {
        let rig = Rig::resting();
        let memory = people(&rig);
        together(readers, |_| by_hand::extract(rig.engine(), &memory.id).unwrap());
        found_once(&rig, &format!("{readers} readers"));
        together(readers, |_| by_hand::extract(rig.engine(), &memory.id).unwrap());
        found_once(&rig, &format!("{readers} readers again"));
    }
}

#[test]
fn of_the_workers_who_look_for_a_job_one_has_it() {
    let rig = Rig::resting();
    people(&rig);
    let had = std::sync::atomic::AtomicUsize::new(0);
    together(8, |number| {
        let did = by_hand::extract_next(rig.engine(), &format!("worker-{number}"));
        had.fetch_add(usize::from(did), std::sync::atomic::Ordering::SeqCst);
    });
    assert_eq!(had.into_inner(), 1);
    found_once(&rig, "one job");
}

/// Has the claims of a memory read by a job of its own, as those of files are.
fn read_alone(rig: &Rig, memory: &Memory) {
    rig.db().execute("DELETE FROM jobs WHERE kind = 'extract'", []).unwrap();
    let (subject, space) = (Subject::Memory(memory.id.clone()), &memory.space_id);
    let job = NewJob { kind: JobKind::Extract, subject: &subject, space, priority: 0, again: true };
    jobs::enqueue(&rig.db(), &job, rig.now()).unwrap();
}

/// The jobs of extraction that are being done, by whom.
fn extracting(rig: &Rig) -> Vec<String> {
    rows(rig, "SELECT lease_owner FROM jobs WHERE kind = 'extract' AND status = 'processing'")
}

#[test]
fn whose_lease_ran_out_while_it_worked_changes_nothing_when_it_ends() {
    let rig = Rig::resting();
    // The model holds the first worker up after it found what the text says.
    *rig.script.entailment.lock().unwrap() = Some(|_, _| Entailment { label: EntailmentLabel::Neutral, score: 0.99 });
    let memory = rig.remember("Ana likes tea.\nAna likes coffee.\n");
    read_alone(&rig, &memory);
    let likes = || rows(&rig, "SELECT statement || ' ' || state || ' ' || evidence_count FROM claims ORDER BY 1");
    let expected = ["Ana likes coffee asserted 1", "Ana likes tea asserted 1"];
    rig.script.judging.close();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| by_hand::extract_next(rig.engine(), "first"));
        rig.until("the first worker judges", || rig.script.judging.inside() == 1);
        assert_eq!(extracting(&rig), ["first"]);
        let note = "SELECT progress_note FROM jobs WHERE kind = 'extract'";
        assert_eq!(rows(&rig, note), ["2 claims"], "the job says how many it found");
        rig.advance(jobs::LEASE_MS + 1);
        assert_eq!(jobs::recover(&rig.db(), false, rig.now()).unwrap(), 1);
        let second = scope.spawn(|| by_hand::extract_next(rig.engine(), "second"));
        rig.until("the second worker judges", || rig.script.judging.inside() == 2);
        assert_eq!(extracting(&rig), ["second"]);
        // The first ends, and the job is still the second's.
        rig.script.judging.admit(1);
        rig.until("one is through", || rig.script.judging.inside() == 1);
        rig.script.judging.open();
        assert!(first.join().unwrap() && second.join().unwrap());
    });
    assert_eq!(likes(), expected);
    assert_eq!(rig.count("SELECT count(*) FROM jobs WHERE kind = 'extract'"), 0, "it is done");
    assert!(rig.jobs().jobs.iter().all(|job| job.error.is_none()));

    // A memory that was removed in the meantime is not brought back by whoever still works on it.
    rig.script.judging.close();
    let retried = rig.remember("Ana likes rain.\n");
    read_alone(&rig, &retried);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| by_hand::extract_next(rig.engine(), "first"));
        rig.until("the first worker judges", || rig.script.judging.inside() == 1);
        for id in [&memory.id, &retried.id] {
            rig.run(um_model::capture::MemoryRemove { id: id.clone() }).unwrap();
        }
        rig.script.judging.open();
        first.join().unwrap();
    });
    while by_hand::extract_next(rig.engine(), "third") {}
    assert_eq!(rows(&rig, "SELECT statement FROM claims WHERE state <> 'retracted'"), [""; 0]);
}

#[test]
fn what_agents_state_and_files_say_at_once_is_one_claim_with_all_of_it() {
    const EACH: usize = 8;
    let rig = Rig::new();
    let agents: Vec<Caller> = (0..EACH).map(|n| agent(&rig, &format!("bot-{n}"))).collect();
    let notes: Vec<Memory> = (0..EACH).map(|n| rig.remember(&format!("Bot {n} heard of Ana at the gate."))).collect();
    let files: Vec<std::path::PathBuf> =
        (0..EACH).map(|n| rig.file(&format!("{n}.txt"), format!("Sheet {n}.\n\nAna works at Orbis.\n"))).collect();
    together(2 * EACH, |number| match number.checked_sub(EACH) {
        Some(file) => drop(rig.ingest_path(SPACE, &files[file])),
        None => {
            let fact = of(&notes[number], fact("Ana", "works_at", "Orbis"));
            let request = FactsAdd { space: SPACE.to_owned(), facts: vec![fact] };
            rig.engine().run(&agents[number], request).unwrap();
        }
    });
    rig.settled();
    let facts = rig.run(FactsSearch::default()).unwrap().facts;
    let said: Vec<(&str, ClaimState, u32)> =
        facts.iter().map(|claim| (claim.statement.as_str(), claim.state, claim.evidence_count)).collect();
    assert_eq!(said, [("Ana works at Orbis", ClaimState::Asserted, 2 * EACH as u32)]);
    assert_eq!(explain(&rig, &facts[0].id).evidence.len(), 2 * EACH);
    assert_eq!(rig.count("SELECT count(DISTINCT actor_id) FROM claim_evidence"), 1 + EACH as i64);
    assert_eq!(rig.count("SELECT count(*) FROM claim_state_history"), 1);
    assert_eq!(rig.count("SELECT count(*) FROM entities"), 2);
    assert!(rig.jobs().jobs.iter().all(|job| job.error.is_none()), "{:?}", rig.jobs().jobs);
}
