//! Blacking out: what was accepted goes from words, pixels, sound and indexes; its neighbours stay where they are.

use crate::forgetting::traces;
use crate::support::inputs::{self, Page};
use crate::support::{MODEL, Rig, SPACE, check_quote};
use um_engine::Caller;
use um_model::capture::*;
use um_model::claims::*;
use um_model::forget::*;
use um_model::{ArtifactId, ErrorCode, OWNER_AGENT};

/// Accepts, as a person, what stands in a text or on a page.
fn accept(rig: &Rig, column: &str, id: &str, span: Option<(u32, u32)>, place: Option<&str>) {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    rig.db()
        .execute(
            &format!(
                "INSERT INTO redaction_findings (id, space_id, {column}, start_offset, end_offset, place, finding_kind,
                   detector_id, confidence, status, decided_by, decided_at, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'other', 'person', 1, 'accepted', ?7, 1, 1)"
            ),
            rusqlite::params![
                format!("0190f5e2-7c1a-7d3e-9b1f-{number:012x}"),
                SPACE,
                id,
                span.map(|span| span.0),
                span.map(|span| span.1),
                place,
                OWNER_AGENT
            ],
        )
        .unwrap();
}

/// Where words stand in a text, in UTF-16 units.
fn span_of(text: &str, words: &str) -> (u32, u32) {
    let at = text.find(words).unwrap();
    let start = text[..at].encode_utf16().count() as u32;
    (start, start + words.encode_utf16().count() as u32)
}

fn apply(rig: &Rig, request: RedactionApply) -> RedactionApplied {
    let applied = rig.run(request).unwrap();
    assert_eq!(applied.proof.left, 0, "{applied:?}");
    applied
}

fn stated(rig: &Rig, memory: &Memory, quote: &str, subject: &str, predicate: &str, object: &str) {
    let fact = FactInput {
        subject: subject.to_owned(),
        predicate: predicate.to_owned(),
        object: object.to_owned(),
        memory_id: Some(memory.id.clone()),
        quote: Some(quote.to_owned()),
        ..FactInput::default()
    };
    rig.run(FactsAdd { space: SPACE.to_owned(), facts: vec![fact] }).unwrap();
}

#[test]
fn words_of_a_memory_are_blacked_out_and_their_neighbours_found() {
    let mut rig = Rig::new();
    let text = "𝄞 Mira lives in Leeds. Her secret word is zorvexian, and she paints houses.";
    let memory = rig.remember(text);
    stated(&rig, &memory, "Her secret word is zorvexian", "Mira", "password", "zorvexian");
    stated(&rig, &memory, "Mira lives in Leeds.", "Mira", "lives_in", "Leeds");
    rig.settled();
    accept(&rig, "memory_id", memory.id.as_str(), Some(span_of(text, "zorvexian")), None);
    let request = RedactionApply { memory: Some(memory.id.clone()), artifact: None };
    let applied = apply(&rig, request.clone());
    assert_eq!((applied.findings, applied.facts), (1, 1), "{applied:?}");
    rig.settled();
    let left = rig.memory(&memory.id).content.unwrap();
    assert_eq!(left, text.replace("zorvexian", "█████████"));
    assert!(rig.found("zorvexian").is_empty());
    let found = rig.found("paints");
    assert_eq!(found.len(), 1);
    check_quote(&rig, &found[0]);
    assert_eq!(rig.count("SELECT count(*) FROM claims WHERE is_redacted = 0 AND state = 'asserted'"), 1);
    assert_eq!(rig.run(request).unwrap_err().code, ErrorCode::Conflict);
    let again = MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() };
    assert_eq!(rig.run(again).unwrap_err().code, ErrorCode::Forgotten);
    rig.reopen(MODEL);
    rig.engine().stop();
    assert_eq!(traces(rig.data(), "zorvexian"), Vec::<String>::new());
}

/// A file with its one text.
fn read(rig: &Rig, name: &str, bytes: Vec<u8>) -> (ArtifactId, um_model::ViewId, String) {
    let id = rig.ingest(name, bytes);
    rig.settled();
    let view = rig.artifact(&id).views.remove(0).id;
    let text = rig.run(ViewRead { id: view.clone(), span: None }).unwrap().text;
    (id, view, text)
}

#[test]
fn files_are_kept_without_what_was_blacked_out() {
    let words = "please write to zorvexian soon";
    for (name, bytes, kept_as) in [
        ("a.png", inputs::png(words), "picture"),
        ("a.pdf", inputs::pdf(None, &[Page::Text(words.to_owned())]), "text"),
        ("a.md", format!("# zorvexian\n\n{words}").into_bytes(), "text"),
        ("a.wav", inputs::wav(&[words]), "sound"),
    ] {
        let mut rig = Rig::new();
        rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
        let (original, view, text) = read(&rig, name, bytes);
        // All of its words, wherever they stand.
        for (at, found) in text.match_indices("zorvexian") {
            let start = text[..at].encode_utf16().count() as u32;
            accept(&rig, "text_view_id", view.as_str(), Some((start, start + found.len() as u32)), None);
        }
        if kept_as == "picture" {
            // The double keeps a picture's words in its first pixels.
            let place = r#"{"page":1,"bbox":[0,0,600,3]}"#;
            accept(&rig, "artifact_id", original.as_str(), None, Some(place));
        }
        let applied = apply(&rig, RedactionApply { artifact: Some(original.clone()), memory: None });
        rig.settled();
        let kept = applied.artifact_id.unwrap();
        assert_eq!(applied.kept_as.as_deref(), Some(kept_as), "{name}");
        assert!(rig.artifact(&original).summary.artifact.redacted, "{name}");
        assert!(rig.found("zorvexian").is_empty(), "{name}");
        // The double's words are no sound: what is left of a recording has none that it could hear again.
        if kept_as != "sound" {
            let found = rig.found("please soon");
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(found[0].ids.artifact.as_ref(), Some(&kept), "{name}");
            check_quote(&rig, &found[0]);
            let left = rig.run(ViewRead { id: view, span: None }).unwrap().text;
            assert_eq!(left, text.replace("zorvexian", "█████████"), "{name}");
        }
        if kept_as == "picture" {
            let (_, png) = rig.engine().original(&Caller::owner("test"), &kept).unwrap();
            let picture = image::load_from_memory(&png).unwrap().into_rgb8();
            assert!(picture.rows().take(3).flatten().all(|pixel| pixel.0 == [0, 0, 0]));
            assert!(picture.rows().skip(8).flatten().all(|pixel| pixel.0 == [255, 255, 255]));
        }
        let path = rig.folder().join(name);
        assert_eq!(rig.ingest_path(SPACE, &path).remove(0).error.unwrap().code, ErrorCode::Forgotten, "{name}");
        rig.reopen(MODEL);
        rig.engine().stop();
        assert_eq!(traces(rig.data(), "zorvexian"), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_box_takes_the_words_in_it() {
    let rig = Rig::new();
    let (original, view, text) =
        read(&rig, "a.pdf", inputs::pdf(None, &[Page::Text("one zorvexian three".to_owned())]));
    // Over a part of the second word.
    let anchors = rig.run(ViewRead { id: view.clone(), span: None }).unwrap().anchors;
    let [x, y, width, height] = anchors[1].bbox.unwrap();
    let place =
        serde_json::json!({ "page": 1, "bbox": [x + width / 4.0, y + height / 4.0, width / 4.0, height / 4.0] });
    accept(&rig, "artifact_id", original.as_str(), None, Some(&place.to_string()));
    apply(&rig, RedactionApply { artifact: Some(original), memory: None });
    let left = rig.run(ViewRead { id: view, span: None }).unwrap().text;
    assert_eq!(left, text.replace("zorvexian", "█████████"));
}

#[test]
fn only_a_person_blacks_out() {
    let rig = Rig::new();
    let memory = rig.remember("The quince is ripe.");
    let request = RedactionApply { memory: Some(memory.id), artifact: None };
    let agent = crate::forgetting::agent();
    assert_eq!(rig.engine().run(&agent, request).unwrap_err().code, ErrorCode::Forbidden);
    assert_eq!(rig.run(RedactionApply::default()).unwrap_err().code, ErrorCode::InvalidRequest);
}
