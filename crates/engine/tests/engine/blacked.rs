//! What is left of what was blacked out: the samples of a recording, and the vectors of a text.

use crate::redacting::{accept, apply, read, span_of};
use crate::support::eyes::files_with;
use crate::support::{MODEL, Rig, inputs, traces};
use um_engine::Caller;
use um_model::forget::RedactionApply;

/// Samples of a millisecond.
const MS: usize = inputs::SECOND / 1000;

#[test]
fn of_a_recording_the_words_alone_are_silenced() {
    let mut rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    let sentences = ["the heron stands in the reeds", "her word is zorvexian", "the ferry leaves at noon"];
    let (original, view, text) = read(&rig, "a.wav", inputs::spoken(&sentences));
    assert!(sentences.iter().all(|sentence| text.contains(sentence)), "{text}");
    accept(&rig, "text_view_id", view.as_str(), Some(span_of(&text, "zorvexian")), None);
    let applied = apply(&rig, RedactionApply { artifact: Some(original), memory: None });
    rig.settled();
    assert_eq!(applied.kept_as.as_deref(), Some("sound"));

    // What was said for 900 ms from the first second on is silent, with 80 ms before and after; all else is as it was.
    let (_, wav) = rig.engine().original(&Caller::owner("test"), &applied.artifact_id.unwrap()).unwrap();
    let (kept, were) = (inputs::samples_of(&wav).unwrap(), inputs::spoken_samples(&sentences));
    assert_eq!(kept.len(), were.len());
    let silent = (1_000 - 80) * MS..(1_900 + 80) * MS;
    for (at, (kept, was)) in kept.iter().zip(&were).enumerate() {
        match silent.contains(&at) {
            true => assert_eq!(*kept, 0, "sample {at}"),
            // A sample is rounded when it is written.
            false => assert!(kept.abs_diff(*was) <= 1 && *kept != 0 || *was == 0, "sample {at}: {kept}, was {was}"),
        }
    }
    for (word, times) in [("heron", 1), ("ferry", 1), ("zorvexian", 0)] {
        assert_eq!(rig.found(word).len(), times, "{word}");
    }
    rig.reopen(MODEL);
    rig.engine().stop();
    assert_eq!(traces(rig.data(), "zorvexian"), [""; 0]);
}

/// The vectors of the passages of a memory, by the passages' ids.
fn vectors(rig: &Rig, memory: &str) -> Vec<(String, Vec<u8>)> {
    let sql = "SELECT u.id, e.embedding FROM text_units u LEFT JOIN memory_embeddings e ON e.unit_id = u.id
               WHERE u.owner_memory_id = ?1 ORDER BY u.rid";
    let db = rig.db();
    let mut rows = db.prepare(sql).unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Option<Vec<u8>>>(1)?.unwrap_or_default()));
    rows.query_map([memory], row).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Forty bytes of a vector that say most of it.
fn telling(vector: &[u8]) -> &[u8] {
    let says = |bytes: &&[u8]| bytes.iter().filter(|byte| **byte != 0).count();
    (0..=vector.len() - 40).step_by(4).map(|at| &vector[at..at + 40]).max_by_key(says).unwrap()
}

#[test]
fn what_is_left_has_vectors_of_its_own_and_the_old_ones_are_in_no_byte() {
    let mut rig = Rig::new();
    rig.remember("The pier is long and the quay is wet.");
    let text = "Her secret word is zorvexian, she told the man at the gate, and then went home by the old road.";
    let memory = rig.remember(text);
    rig.settled();
    let old = vectors(&rig, memory.id.as_str());
    assert!(!old.is_empty() && old.iter().all(|(_, vector)| !vector.is_empty()), "each passage has a vector");
    let bytes: Vec<&[u8]> = old.iter().map(|(_, vector)| telling(vector)).collect();
    rig.db().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    assert!(!files_with(rig.data(), &bytes).is_empty(), "they are seen before");

    accept(&rig, "memory_id", memory.id.as_str(), Some(span_of(text, "zorvexian")), None);
    apply(&rig, RedactionApply { memory: Some(memory.id.clone()), artifact: None });
    rig.settled();
    let new = vectors(&rig, memory.id.as_str());
    assert!(!new.is_empty() && new.iter().all(|(_, vector)| !vector.is_empty()), "each passage has a vector again");
    assert!(new.iter().zip(&old).all(|((_, new), (_, old))| new != old), "of the words that are left");
    for (unit, vector) in &old {
        let left = "SELECT count(*) FROM memory_embeddings WHERE embedding = ?1";
        let left: i64 = rig.db().query_row(left, [vector], |row| row.get(0)).unwrap();
        assert_eq!(left, 0, "of {unit}");
    }
    rig.reopen(MODEL);
    rig.engine().stop();
    assert_eq!(files_with(rig.data(), &bytes), []);
    assert!(!files_with(rig.data(), &[telling(&new[0].1)]).is_empty(), "the new ones are there");
}

#[test]
fn a_forgotten_vector_is_in_no_byte() {
    use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
    let mut rig = Rig::new();
    rig.remember("The pier is long and the quay is wet.");
    let memory = rig.remember("The quince of the old yard is ripe, and the medlar beside the gate is not yet.");
    rig.settled();
    let old = vectors(&rig, memory.id.as_str());
    let bytes: Vec<&[u8]> = old.iter().map(|(_, vector)| telling(vector)).collect();
    rig.db().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    assert!(!files_with(rig.data(), &bytes).is_empty(), "they are seen before");
    let what = ForgetWhat { memory: Some(memory.id), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    rig.reopen(MODEL);
    rig.engine().stop();
    assert_eq!(files_with(rig.data(), &bytes), []);
}
