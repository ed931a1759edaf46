//! A text of one passage is kept with its vector where the model can make that at once; else a job makes it.

use crate::support::{MODEL, Rig, SPACE};
use std::sync::atomic::Ordering;
use um_model::capture::MemoryRemember;
use um_model::memories::{MemoriesAdd, MemoryText};
use um_model::recall::MemoryRecall;

const SHORT: &str = "The boiler is in the cellar.";

fn note(text: &str) -> MemoryRemember {
    MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() }
}

fn free() -> Rig {
    let rig = Rig::resting();
    rig.script.embedding_free.store(true, Ordering::Relaxed);
    rig
}

/// What waits to be done, by its kinds, and how many vectors there are and are searched.
#[track_caller]
fn check(rig: &Rig, jobs: &str, vectors: i64) {
    let kinds = rig.text("SELECT ifnull(group_concat(kind, ' '), '') FROM (SELECT kind FROM jobs ORDER BY kind)");
    assert_eq!(kinds, jobs);
    assert_eq!(rig.count("SELECT count(*) FROM memory_embeddings"), vectors);
    assert_eq!(rig.count("SELECT count(*) FROM embeddings_text_dense_vec_rowids"), vectors);
}

#[test]
fn what_is_kept_has_its_vector_where_the_model_is_free() {
    #[track_caller]
    fn after(prepare: fn(&Rig), request: MemoryRemember, jobs: &str, vectors: i64) {
        let rig = free();
        prepare(&rig);
        rig.run(request).unwrap();
        check(&rig, jobs, vectors);
    }
    let waits = "detect embed extract";
    after(|_| {}, note(SHORT), "dedupe detect extract", 1);
    after(|_| {}, MemoryRemember { key: Some("boiler".to_owned()), ..note(SHORT) }, "dedupe detect extract", 1);
    after(|rig| rig.script.embedding_free.store(false, Ordering::Relaxed), note(SHORT), waits, 0);
    after(|rig| rig.script.embedding_missing.store(true, Ordering::Relaxed), note(SHORT), waits, 0);
    after(|rig| rig.script.embeds_left.store(0, Ordering::Relaxed), note(SHORT), waits, 0);
    after(|rig| rig.script.embedding_breaks.store(true, Ordering::Relaxed), note(SHORT), waits, 0);
    after(|rig| rig.pause(), note(SHORT), waits, 0);
    after(|_| {}, note(&format!("{SHORT}\n\n").repeat(60)), waits, 0);
}

#[test]
fn another_model_than_that_of_the_database_makes_none() {
    let mut rig = free();
    rig.reopen("another-model");
    rig.engine().stop();
    rig.run(note(SHORT)).unwrap();
    assert_eq!(rig.count("SELECT count(*) FROM memory_embeddings"), 0);
    rig.reopen(MODEL);
}

#[test]
fn what_is_known_keeps_its_vector() {
    let rig = free();
    let first = rig.run(note(SHORT)).unwrap();
    let again = rig.run(note(SHORT)).unwrap();
    assert_eq!((again.created, again.memory.id), (false, first.memory.id));
    assert_eq!(rig.script.embedded.load(Ordering::Relaxed), 1, "what is known is not embedded again");
    check(&rig, "dedupe detect extract", 1);
    assert_eq!(rig.found("where is the boiler")[0].quote, SHORT);
}

/// What is not embedded yet is found by its words alone, and they count for its meaning, too: nobody knows that it has none.
#[test]
fn what_has_no_vector_yet_does_not_rank_as_if_it_meant_nothing() {
    let rig = free();
    for number in 0..10 {
        rig.run(note(&format!("Shelf {number} is full of jars, ropes and candles."))).unwrap();
    }
    let lost = "The boiler key was lost last winter.";
    rig.run(note(lost)).unwrap();
    rig.ingest("boiler.pdf", "");
    rig.script.embedding_free.store(false, Ordering::Relaxed);
    let new = "The boiler key of the harbour hangs by the door.";
    rig.run(note(new)).unwrap();
    let request = MemoryRecall { query: "harbour boiler key".to_owned(), limit: Some(50), ..MemoryRecall::default() };
    let hits = rig.run(request).unwrap().hits;
    let of = |quote: &str| hits.iter().find(|hit| hit.quote == quote).map(|hit| hit.score_parts.clone()).unwrap();
    assert_eq!((hits[0].quote.as_str(), of(new).cosine, of(new).words), (new, None, Some(2.0)), "{hits:?}");
    // A file's name never has a vector, and stands behind all texts as before.
    let name = hits.iter().find(|hit| hit.title == "boiler.pdf").unwrap();
    assert!(name.score_parts.cosine.is_none() && name.score_parts.words <= of(lost).words, "{hits:?}");
}

#[test]
fn what_comes_in_one_after_the_other_is_read_together() {
    let rig = free();
    for number in 0..70 {
        rig.run(note(&format!("Boiler {number} is in the cellar of house {number}."))).unwrap();
    }
    check(&rig, "dedupe detect extract", 70);
    assert!(rig.jobs().jobs.iter().all(|job| job.title == "New notes"));
    rig.engine().start();
    rig.settled();
    check(&rig, "", 70);
    let unread = "SELECT count(*) FROM memories WHERE detected_by IS NULL OR extractor_id IS NULL";
    assert_eq!(rig.count(unread), 0);
    rig.run(note(SHORT)).unwrap();
    rig.settled();
    check(&rig, "", 71);
    assert_eq!(rig.count(unread), 0);
}

#[test]
fn what_comes_in_together_is_read_with_what_came_in_before() {
    let rig = free();
    rig.run(note(SHORT)).unwrap();
    let text = |number| MemoryText { text: format!("Note {number}: a heron stands."), ..MemoryText::default() };
    rig.run(MemoriesAdd { space: SPACE.to_owned(), memories: (0..40).map(text).collect() }).unwrap();
    check(&rig, "dedupe detect embed extract", 1);
    rig.engine().start();
    rig.settled();
    check(&rig, "", 41);
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE detected_by IS NULL OR extractor_id IS NULL"), 0);
}
