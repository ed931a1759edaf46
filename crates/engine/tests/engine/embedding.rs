//! Embedding in turns: what is embedded is never embedded again, and a huge text keeps nothing waiting.

use crate::support::{MODEL, Rig};
use std::sync::atomic::Ordering;
use um_model::health::{HealthCheck, Reembed};
use um_model::jobs::Job;
use um_model::memories::{MemoriesAdd, MemoryText};
use um_model::recall::MemoryRecall;
use um_model::traces::{Lost, RecallWhyNot};
use um_model::{EmbeddingState, JobKind, JobStatus};

/// The model that [`MODEL`] is changed for.
const ANOTHER: &str = "another-model";

/// So many records with their vectors, opened with [`ANOTHER`] model since, without its threads.
fn changed(records: usize) -> Rig {
    let mut rig = Rig::new();
    for number in 0..records {
        rig.remember(&format!("Record {number} of the whinchat."));
    }
    rig.settled();
    rig.reopen(ANOTHER);
    rig
}

/// A text of at least so many passages.
fn long(passages: usize) -> String {
    (0..passages).map(|n| format!("# Part {n}\n\nSentence {n} of the long whinchat.\n\n")).collect()
}

/// How many vectors are kept.
fn kept(rig: &Rig) -> i64 {
    rig.count("SELECT count(*) FROM memory_embeddings")
}

fn passages(rig: &Rig) -> i64 {
    rig.count("SELECT count(*) FROM text_units WHERE status = 'active'")
}

/// The one job of embedding that there is.
fn embedding(rig: &Rig) -> Job {
    let mut jobs = rig.jobs().jobs;
    jobs.retain(|job| job.kind == JobKind::Embed);
    assert_eq!(jobs.len(), 1);
    jobs.remove(0)
}

/// How many vectors of a model are kept.
fn of_model(rig: &Rig, model: &str) -> i64 {
    rig.count(&format!("SELECT count(*) FROM memory_embeddings WHERE model_id = '{model}'"))
}

#[test]
fn vectors_of_an_earlier_model_go_once_another_is_in_use() {
    let rig = changed(70);
    // It fails midway: neither what is in use goes, nor what is done.
    rig.script.embeds_left.store(40, Ordering::Relaxed);
    assert!(rig.run(Reembed::default()).is_err());
    let done = of_model(&rig, ANOTHER);
    assert!((1..70).contains(&done), "{done}");
    rig.engine().start();
    rig.settled();
    assert_eq!((of_model(&rig, MODEL), of_model(&rig, ANOTHER)), (70, done));

    rig.script.embeds_left.store(-1, Ordering::Relaxed);
    rig.run(Reembed::default()).unwrap();
    rig.until("the earlier ones are gone", || {
        rig.wake();
        of_model(&rig, MODEL) == 0
    });
    rig.until("that is done with", || {
        rig.wake();
        rig.count("SELECT count(*) FROM system_settings WHERE key = 'vectors.outdated'") == 0
    });
    assert_eq!(of_model(&rig, ANOTHER), 70);
    assert_eq!(rig.count("SELECT count(*) FROM embeddings_text_dense_vec"), 70);
    assert_eq!(rig.found("Record 42 of the whinchat")[0].score_parts.vector_rank, Some(1));
    assert_eq!(rig.count("SELECT count(*) FROM audit_events WHERE event_type = 'vectors.removed'"), 1);
}

#[test]
fn vectors_that_are_left_stay_where_their_model_embeds_again() {
    let mut rig = changed(40);
    rig.run(Reembed::default()).unwrap();
    // Nothing of it went yet, as no thread is at work; back to the model before, all of it is there.
    rig.reopen(MODEL);
    let back = rig.run(Reembed::default()).unwrap();
    assert_eq!((back.resumed, back.embedded), (40, 0));
    rig.engine().start();
    rig.until("the others are gone", || {
        rig.wake();
        of_model(&rig, ANOTHER) == 0
    });
    assert_eq!(of_model(&rig, MODEL), 40);
}

#[test]
fn vectors_of_a_change_that_was_given_up_go() {
    let mut rig = changed(70);
    rig.script.embeds_left.store(40, Ordering::Relaxed);
    assert!(rig.run(Reembed::default()).is_err());
    assert!(of_model(&rig, ANOTHER) > 0, "it could go on");
    rig.script.embeds_left.store(-1, Ordering::Relaxed);
    rig.reopen(MODEL);
    rig.engine().start();
    rig.until("what it embedded is gone", || {
        rig.wake();
        of_model(&rig, ANOTHER) == 0
    });
    rig.until("that is done with", || {
        rig.wake();
        rig.count("SELECT count(*) FROM system_settings WHERE key LIKE 'vectors.%'") == 0
    });
    assert_eq!((of_model(&rig, MODEL), rig.count("SELECT count(*) FROM embeddings_text_dense_vec")), (70, 70));
    assert_eq!(rig.found("Record 42 of the whinchat")[0].score_parts.vector_rank, Some(1));
    assert_eq!(rig.count("SELECT count(*) FROM audit_events WHERE event_type = 'vectors.removed'"), 1);
}

#[test]
fn a_death_between_batches_costs_no_vector() {
    let mut rig = Rig::new();
    rig.script.embedding.close();
    rig.ingest("long.md", long(150));
    for death in 1..=3 {
        rig.script.embedding.admit(1);
        rig.until("a batch is kept and the next begun", || {
            kept(&rig) == 32 * death && rig.script.embedding.inside() == 1
        });
        let copy = rig.copied(death as usize);
        // What the dying one still does is lost.
        rig.script.embeds_left.store(0, Ordering::Relaxed);
        rig.script.embedding.open();
        rig.move_to(copy);
        rig.script.embeds_left.store(-1, Ordering::Relaxed);
        rig.script.embedding.close();
        let job = embedding(&rig);
        let note = format!("embedded {} of {}", 32 * death, passages(&rig));
        assert_eq!((job.status, job.attempts, job.progress_note.as_deref()), (JobStatus::Pending, 0, Some(&*note)));
        rig.advance(60_000);
        rig.engine().start();
    }
    rig.script.embedding.open();
    rig.settled();
    assert!(passages(&rig) >= 150);
    assert_eq!(kept(&rig), passages(&rig));
    assert_eq!(rig.script.embedded.load(Ordering::Relaxed) as i64, passages(&rig), "none was embedded twice");
}

#[test]
fn what_is_blacked_out_while_it_is_embedded_has_no_vector_of_what_it_said() {
    #[track_caller]
    fn check(change: &str, vectors: i64) {
        let rig = Rig::new();
        rig.script.embedding.close();
        let memory = rig.remember("The word is seacave.");
        rig.until("it is embedded", || rig.script.embedding.inside() == 1);
        let changed = format!("UPDATE memories SET {change} WHERE id = ?1");
        assert_eq!(rig.db().execute(&changed, [memory.id.as_str()]).unwrap(), 1);
        rig.script.embedding.open();
        rig.settled();
        assert_eq!(kept(&rig), vectors, "{change}");
    }
    // As whoever blacks out words does it, who has the rest embedded anew.
    check("content = replace(content, 'seacave', '#######')", 0);
    // What is called another name says what it said.
    check("title = 'Caves'", 1);
}

#[test]
fn a_long_text_goes_on_where_it_was_and_ends_with_what_came_before() {
    let rig = Rig::new();
    rig.script.embedding.close();
    rig.ingest("long.md", long(150));
    rig.script.embedding.admit(2);
    rig.until("two batches are kept and the third begun", || kept(&rig) == 64 && rig.script.embedding.inside() == 1);
    let next = "SELECT rid FROM text_units WHERE status = 'active' ORDER BY rid LIMIT 1 OFFSET 64";
    let goes_on =
        |path: &str| rig.count(&format!("SELECT payload ->> '$.passage.{path}' FROM jobs WHERE kind = 'embed'"));
    assert_eq!(goes_on("rid"), rig.count(next));
    assert_eq!((goes_on("left"), goes_on("total")), (passages(&rig) - 64, passages(&rig)));
    // As whoever blacks out words of the first passage does it.
    let first = "(SELECT id FROM text_units WHERE status = 'active' ORDER BY rid LIMIT 1)";
    let of = format!("FROM memory_embeddings WHERE unit_id = {first}");
    let index = format!("DELETE FROM embeddings_text_dense_vec WHERE embedding_rid = (SELECT rid {of})");
    for lost in [index, format!("DELETE {of}")] {
        assert_eq!(rig.db().execute(&lost, []).unwrap(), 1);
    }
    rig.script.embedding.open();
    rig.settled();
    assert_eq!(kept(&rig), passages(&rig));
    assert_eq!(
        rig.script.embedded.load(Ordering::Relaxed) as i64,
        passages(&rig) + 1,
        "none but that was embedded twice"
    );
}

#[test]
fn a_long_note_among_others_goes_on_where_it_was() {
    let rig = Rig::new();
    rig.pause();
    let texts = ["A short sandpiper.".to_owned(), long(1_200), "Another pratincole.".to_owned()];
    let memories = texts.map(|text| MemoryText { text, ..MemoryText::default() }).to_vec();
    rig.run(MemoriesAdd { space: crate::support::SPACE.to_owned(), memories }).unwrap();
    rig.script.embedding.close();
    rig.wake();
    rig.script.embedding.admit(1);
    rig.until("a batch is kept and the next begun", || kept(&rig) == 32 && rig.script.embedding.inside() == 1);
    let next = "SELECT rid FROM text_units WHERE status = 'active' ORDER BY rid LIMIT 1 OFFSET 32";
    assert_eq!(rig.count("SELECT payload ->> '$.passage.rid' FROM jobs WHERE kind = 'embed'"), rig.count(next));
    rig.script.embedding.open();
    rig.settled();
    assert_eq!(kept(&rig), passages(&rig));
    assert_eq!(rig.script.embedded.load(Ordering::Relaxed) as i64, passages(&rig), "none was embedded twice");
}

#[test]
fn a_long_text_says_how_far_it_is() {
    let rig = Rig::new();
    rig.script.embedding.close();
    let id = rig.ingest("long.md", long(150));
    rig.script.embedding.admit(2);
    rig.until("two batches are kept and the third begun", || kept(&rig) == 64 && rig.script.embedding.inside() == 1);
    let (job, all) = (embedding(&rig), passages(&rig));
    let note = format!("embedded 64 of {all}");
    assert_eq!((job.status, job.progress_note.as_deref()), (JobStatus::Processing, Some(&*note)));
    assert!((job.progress - 64.0 / all as f64).abs() < 1e-9, "{}", job.progress);
    let told = rig.artifact(&id).summary.embedding.unwrap();
    assert_eq!((told.state, told.note.as_deref()), (EmbeddingState::Embedding, Some(&*note)));
    rig.script.embedding.open();
    rig.settled();
    let told = rig.artifact(&id).summary.embedding.unwrap();
    assert_eq!((told.state, told.note), (EmbeddingState::Embedded, None));
}

#[test]
fn a_small_text_behind_a_huge_one_has_its_turn() {
    let rig = Rig::new();
    rig.script.embedding.close();
    rig.ingest("huge.md", long(400));
    rig.until("the huge one is being embedded", || rig.script.embedding.inside() == 1);
    let small = rig.ingest("small.txt", "A small sandpiper.");
    // An agent's words come behind what a person gives, and are not kept waiting for ever either.
    let said = rig.remember("A patient pratincole.");
    rig.reads(&small, JobStatus::Completed);
    // The batch under way, and one more.
    rig.script.embedding.admit(2);
    let state = || rig.artifact(&small).summary.embedding.unwrap().state;
    rig.until("the small one is embedded", || state() == EmbeddingState::Embedded);
    assert_eq!(kept(&rig), 32 + 1, "what a person gives and is short goes first: {:?}", rig.jobs().jobs);
    rig.script.embedding.admit(1);
    rig.until("the huge one goes on beside the agent's", || kept(&rig) == 32 + 1 + 32);
    let waiting = |job: &Job| job.kind == JobKind::Embed && job.memory_id.as_ref() == Some(&said.id);
    rig.until("the agent's is embedded", || !rig.jobs().jobs.iter().any(waiting));
    rig.script.embedding.open();
    rig.settled();
    assert_eq!(kept(&rig), passages(&rig));
    assert_eq!(rig.memory(&said.id).status, um_model::MemoryStatus::Active);
}

#[test]
fn what_a_person_gives_is_embedded_before_a_bulk() {
    let rig = Rig::new();
    rig.pause();
    rig.file("bulk/huge.md", long(400));
    rig.watch(|watch| watch.path = rig.folder().join("bulk").display().to_string());
    rig.compared();
    rig.script.embedding.close();
    rig.wake();
    rig.until("the bulk is being embedded", || rig.script.embedding.inside() == 1);
    let dropped = rig.ingest("dropped.md", long(40));
    rig.reads(&dropped, JobStatus::Completed);
    // The batch under way, and the two that the dropped file takes.
    rig.script.embedding.admit(3);
    let state = || rig.artifact(&dropped).summary.embedding.unwrap().state;
    rig.until("the dropped one is embedded", || state() == EmbeddingState::Embedded);
    assert!(kept(&rig) < passages(&rig) / 2);
    rig.script.embedding.open();
    rig.settled();
}

#[test]
fn an_end_that_cannot_be_written_leaves_the_others_of_its_batch_alone() {
    let rig = Rig::resting();
    let (stuck, other) = (rig.remember("A stuck wheatear.").id, rig.remember("A quick wheatear.").id);
    rig.db()
        .execute_batch(&format!(
            "CREATE TRIGGER stuck BEFORE DELETE ON jobs WHEN OLD.kind = 'embed' AND OLD.subject_id = '{stuck}'
             BEGIN SELECT RAISE(ABORT, 'it cannot be written'); END"
        ))
        .unwrap();
    rig.engine().start();
    let jobs = |memory: &um_model::MemoryId| {
        rig.count(&format!("SELECT count(*) FROM jobs WHERE kind = 'embed' AND subject_id = '{memory}'"))
    };
    rig.until("the other one has ended", || jobs(&other) == 0);
    assert_eq!((jobs(&stuck), kept(&rig)), (1, 2));
}

#[test]
fn where_the_index_of_vectors_is_damaged_words_answer() {
    let rig = Rig::new();
    let memory = rig.remember("The whinchat sings at dawn.").id.to_string();
    rig.settled();
    let recall = || MemoryRecall { query: "When does the whinchat sing?".to_owned(), ..MemoryRecall::default() };
    let check = |by_meaning: bool, harm: &str| {
        let answer = rig.run(recall()).unwrap();
        let found = &answer.hits[0].score_parts;
        let told = answer.notices.iter().any(|notice| notice.starts_with("Meaning was not searched, only words."));
        let by = (found.bm25_rank.is_some(), found.vector_rank.is_some(), found.cosine.is_some(), !told);
        assert_eq!(by, (true, by_meaning, by_meaning, by_meaning), "{harm}: {:?}", answer.notices);
        let expected = memory.clone();
        assert_eq!(rig.run(RecallWhyNot { recall: recall(), expected }).unwrap().lost, Lost::Given, "{harm}");
    };
    check(true, "none");
    for harm in ["x''", "zeroblob(4 * 64 * 8)"] {
        let sql = format!("UPDATE embeddings_text_dense_vec_vector_chunks00 SET vectors = {harm}");
        assert_eq!(rig.db().execute(&sql, []).unwrap(), 1, "{harm}");
        check(false, harm);
    }
    rig.run(HealthCheck { rebuild: true }).unwrap();
    check(true, "made anew");
}
