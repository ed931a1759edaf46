//! Jobs on several memories: what fails among them is done alone, and they go on behind it.

use crate::support::{Rig, SPACE};
use um_model::jobs::{Job, JobRetry};
use um_model::memories::{MemoriesAdd, MemoryText};
use um_model::{JobKind, JobStatus};

const EMBEDDED: &str = "SELECT count(*) FROM memory_embeddings";

/// Adds so many notes together.
fn add(rig: &Rig, count: usize) {
    let note = |number| MemoryText { text: format!("Note {number}: a heron stands."), ..MemoryText::default() };
    rig.run(MemoriesAdd { space: SPACE.to_owned(), memories: (0..count).map(note).collect() }).unwrap();
}

/// The jobs of a kind that are there.
fn jobs_of(rig: &Rig, kind: JobKind) -> Vec<Job> {
    rig.jobs().jobs.into_iter().filter(|job| job.kind == kind).collect()
}

/// Lets nothing be written at some place that concerns the note of that number.
fn break_at(rig: &Rig, place: &str, memory: &str, number: usize) {
    let of = format!("(SELECT content FROM memories WHERE id = {memory}) LIKE 'Note {number}:%'");
    let sql =
        format!("CREATE TRIGGER broken BEFORE {place} WHEN {of} BEGIN SELECT RAISE(ABORT, 'the disk is ill'); END");
    rig.db().execute_batch(&sql).unwrap();
}

/// Waits until something is so, while the clock goes on.
#[track_caller]
fn in_time(rig: &Rig, what: &str, mut is_so: impl FnMut() -> bool) {
    rig.until(what, || {
        rig.advance(10_000);
        rig.wake();
        is_so()
    });
}

/// Does what failed once more, now that nothing is in its way.
#[track_caller]
fn done_once_mended(rig: &Rig, failed: Job) {
    rig.db().execute_batch("DROP TRIGGER broken").unwrap();
    rig.run(JobRetry { id: failed.id }).unwrap();
    rig.settled();
    assert_eq!(rig.count("SELECT count(*) FROM jobs"), 0);
}

#[test]
fn what_cannot_be_kept_costs_those_beside_it_nothing() {
    let rig = Rig::new();
    rig.pause();
    add(&rig, 100);
    break_at(&rig, "INSERT ON memory_embeddings", "(SELECT memory_id FROM text_units WHERE id = NEW.unit_id)", 40);
    in_time(&rig, "all the others are embedded", || rig.count(EMBEDDED) == 99);
    in_time(&rig, "it has failed by itself", || {
        jobs_of(&rig, JobKind::Embed).iter().all(|job| job.status == JobStatus::Poison)
    });
    let failed = jobs_of(&rig, JobKind::Embed).pop().unwrap();
    assert!(failed.title.starts_with("Note 40:"), "{failed:?}");
    done_once_mended(&rig, failed);
    assert_eq!(rig.count(EMBEDDED), 100);
}

#[test]
fn what_takes_the_service_down_each_time_is_looked_for_one_by_one() {
    let mut rig = Rig::resting();
    add(&rig, 70);
    rig.script.embedding.close();
    rig.db().execute_batch("UPDATE jobs SET payload = '{\"deaths\": 11}' WHERE kind = 'embed'").unwrap();
    rig.engine().start();
    rig.until("the model is at work", || rig.script.embedding.inside() == 1);
    let copy = rig.copied(1);
    // What ends here and now is not known to the copy.
    rig.script.embedding.open();
    rig.move_to(copy);
    rig.advance(60_000);
    let waiting = jobs_of(&rig, JobKind::Embed);
    assert_eq!(waiting.len(), 33, "one for each of a portion, and what is left");
    assert!(waiting.iter().all(|job| job.status == JobStatus::Pending), "{waiting:?}");
    let left = waiting.iter().find(|job| job.memory_id.is_none()).unwrap();
    assert_eq!((left.title.as_str(), left.progress_note.as_deref()), ("70 notes", Some("32 of 70 notes")));
    rig.engine().start();
    rig.settled();
    assert_eq!(rig.count(EMBEDDED), 70);
    assert_eq!(rig.count("SELECT count(*) FROM jobs"), 0);
}

#[test]
fn one_that_is_looked_at_alone_has_the_job_that_it_would_have_had() {
    let rig = Rig::new();
    rig.pause();
    add(&rig, 40);
    break_at(&rig, "UPDATE OF detected_by ON memories", "NEW.id", 3);
    in_time(&rig, "it has failed by itself", || {
        let jobs = jobs_of(&rig, JobKind::Detect);
        jobs.len() == 1 && jobs[0].status == JobStatus::Poison
    });
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE detected_by IS NULL"), 1);
    assert_eq!(rig.text("SELECT config_hash FROM jobs WHERE kind = 'detect'"), um_pii::VERSION);
    let failed = jobs_of(&rig, JobKind::Detect).pop().unwrap();
    done_once_mended(&rig, failed);
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE detected_by IS NULL"), 0);
}
