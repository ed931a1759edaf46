//! A text of one passage is kept with its vector where the model can make that at once; else a job makes it.

use crate::support::{MODEL, Rig, SPACE};
use std::sync::atomic::Ordering;
use um_model::capture::MemoryRemember;

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
    // What has a key says itself what it replaces.
    after(|_| {}, MemoryRemember { key: Some("boiler".to_owned()), ..note(SHORT) }, "detect extract", 1);
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
