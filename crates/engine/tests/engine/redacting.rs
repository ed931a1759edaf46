//! Blacking out: what was accepted goes from words, pixels, sound and indexes; its neighbours stay where they are.

use crate::support::inputs::{self, Page};
use crate::support::traces;
use crate::support::{MODEL, Rig, SPACE, check_quote};
use um_engine::Caller;
use um_model::capture::*;
use um_model::claims::*;
use um_model::findings::{AllFindings, FindingDecision, FindingsDecide};
use um_model::forget::*;
use um_model::{ArtifactId, ErrorCode, OWNER_AGENT};

/// Accepts, as a person, what stands in a text or on a page.
pub fn accept(rig: &Rig, column: &str, id: &str, span: Option<(u32, u32)>, place: Option<&str>) {
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

/// Accepts that some words of a memory are blacked out.
pub fn mark(rig: &Rig, memory: &Memory, words: &str) {
    let span = span_of(memory.content.as_deref().unwrap(), words);
    accept(rig, "memory_id", memory.id.as_str(), Some(span), None);
}

/// Where words stand in a text, in UTF-16 units.
pub fn span_of(text: &str, words: &str) -> (u32, u32) {
    let at = text.find(words).unwrap();
    let start = text[..at].encode_utf16().count() as u32;
    (start, start + words.encode_utf16().count() as u32)
}

pub fn apply(rig: &Rig, request: RedactionApply) -> RedactionApplied {
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
fn short_words_that_are_blacked_out_are_looked_for_where_they_say_something() {
    for (text, words, searched) in
        [("明日田中さんが来る。", "田中", 1), ("Bo paints the barn.", "Bo", 0), ("Anna paints the barn.", "Anna", 1)]
    {
        let rig = Rig::new();
        let memory = rig.remember(text);
        rig.settled();
        mark(&rig, &memory, words);
        let applied = apply(&rig, RedactionApply { memory: Some(memory.id.clone()), artifact: None });
        assert_eq!(applied.proof.searched, searched, "{words}");
    }
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

#[test]
fn a_question_of_a_moment_ago_does_not_outlive_what_it_asked_about() {
    let rig = Rig::new();
    let memory = rig.remember("Her secret word is zorvexian, and she paints houses.");
    rig.settled();
    mark(&rig, &memory, "zorvexian");
    // Its trace is not written yet when the blacking out begins.
    assert!(!rig.found("zorvexian").is_empty());
    let applied = apply(&rig, RedactionApply { memory: Some(memory.id.clone()), artifact: None });
    assert_eq!(applied.proof.said_elsewhere, 0, "{applied:?}");
    let saying = "SELECT count(*) FROM answer_traces WHERE query LIKE '%zorvexian%'";
    assert_eq!(rig.count(saying), 0);
}

/// A file with its one text.
pub fn read(rig: &Rig, name: &str, bytes: Vec<u8>) -> (ArtifactId, um_model::ViewId, String) {
    let id = rig.ingest(name, bytes);
    rig.settled();
    let view = rig.artifact(&id).views.remove(0).id;
    let text = rig.run(ViewRead { id: view.clone(), span: None }).unwrap().text;
    (id, view, text)
}

#[test]
fn files_are_kept_without_what_was_blacked_out() {
    let words = "please write to zorvexian soon";
    for (name, bytes, how, kept_as) in [
        ("a.png", inputs::png(words), "png at", "picture"),
        ("a.pdf", inputs::pdf(None, &[Page::Text(words.to_owned())]), "zlib at", "pages"),
        ("a.docx", inputs::docx(&[words, "and another line"]), "zip at", "text"),
        ("a.md", format!("# zorvexian\n\n{words}").into_bytes(), "memory.db at", "text"),
        ("a.wav", inputs::wav(&[words]), "memory.db at", "sound"),
    ] {
        let mut rig = Rig::new();
        rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
        let (original, view, text) = read(&rig, name, bytes);
        rig.db().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let seen = traces(rig.data(), "zorvexian");
        assert!(seen.iter().any(|place| place.contains(how)), "{name} is seen {how}: {seen:#?}");
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
            assert_eq!(rig.artifact(&kept).summary.note, None, "{name} was read");
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

/// Where a word stands in the tables: every column of text.
fn columns_with(rig: &Rig, word: &str) -> Vec<String> {
    let db = rig.db();
    let tables: Vec<String> = db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%USING%'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let mut found = Vec::new();
    for table in tables {
        let mut statement = db.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for (at, name) in names.iter().enumerate() {
                if let Ok(text) = row.get_ref(at).unwrap().as_str()
                    && text.to_lowercase().contains(word)
                {
                    found.push(format!("{table}.{name}"));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The columns of a memory and of what belongs to it, as later parts of the product may fill them.
fn fill(rig: &Rig, memory: &Memory, word: &str) {
    let db = rig.db();
    for sql in [
        "UPDATE memories SET title = ifnull(title, 'On {w}'), memory_key = ifnull(memory_key, 'the {w}'),
           owner = '{w}', session_id = '{w}', summary = 'on {w}', skill_links = '[\"{w}\"]', sources = '[\"{w}\"]',
           metadata = '{\"k\":\"{w}\"}' WHERE id = '{m}'",
        "UPDATE text_units SET heading_path = 'On {w}', mail_from = '{w}' WHERE owner_memory_id = '{m}'",
        "UPDATE artifacts SET metadata = '{\"earlier_paths\":[\"/{w}\"]}'
         WHERE id = (SELECT primary_artifact_id FROM memories WHERE id = '{m}')",
        "UPDATE derived_text_views SET metadata = '{\"k\":\"{w}\"}'
         WHERE artifact_id = (SELECT primary_artifact_id FROM memories WHERE id = '{m}')",
        "UPDATE media_segments SET metadata = '{\"k\":\"{w}\"}'
         WHERE artifact_id = (SELECT primary_artifact_id FROM memories WHERE id = '{m}')",
        "UPDATE watched_files SET last_error = 'cannot read {w}' WHERE memory_id = '{m}'",
        "UPDATE jobs SET last_error = 'cannot read {w}', progress_note = '{w}' WHERE subject_id = '{m}'",
        "INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, requested_by,
           requested_at, notes)
         SELECT '0190f5e2-7c1a-7d3e-9b1f-aaaaaaaaaaaa', 'memory', id, space_id, 'GLOBAL',
           '00000000-0000-7000-8000-00000000000a', 1, 'on {w}' FROM memories WHERE id = '{m}'",
    ] {
        let sql = sql.replace("{w}", word).replace("{m}", memory.id.as_str());
        db.execute_batch(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    }
}

#[test]
fn no_name_key_or_path_keeps_what_was_blacked_out() {
    for in_file in [false, true] {
        let mut rig = Rig::new();
        let (memory, column, source, text) = if in_file {
            rig.watch(|_| {});
            rig.file("the Zorvexian.md", "# Notes\n\nShe is called zorvexian at home.");
            rig.rescan();
            let id = rig.found("called").remove(0).ids.memory;
            let memory = rig.memory(&id);
            let view = rig.artifact(memory.artifact_id.as_ref().unwrap()).views.remove(0).id;
            let text = rig.run(ViewRead { id: view.clone(), span: None }).unwrap().text;
            (memory, "text_view_id", view.to_string(), text)
        } else {
            let text = "She is called zorvexian at home.";
            let memory = rig.remember(text);
            rig.settled();
            (memory.clone(), "memory_id", memory.id.to_string(), text.to_owned())
        };
        // A fact that says it, and quotes other words.
        stated(&rig, &memory, "at home", "Mira", "nickname", "zorvexian");
        rig.settled();
        fill(&rig, &memory, "zorvexian");
        let before = columns_with(&rig, "zorvexian");
        assert!(before.len() >= 15, "{before:?}");
        accept(&rig, column, &source, Some(span_of(&text, "zorvexian")), None);
        let applied = apply(&rig, RedactionApply { memory: Some(memory.id.clone()), artifact: None });
        assert_eq!(applied.proof.said_elsewhere, 0, "{applied:?}");
        assert_eq!(columns_with(&rig, "zorvexian"), Vec::<String>::new());
        rig.settled();
        assert!(rig.found("zorvexian").is_empty());
        assert_eq!(rig.found("home").len(), 1);
        if in_file {
            rig.rescan();
            assert_eq!(columns_with(&rig, "zorvexian"), Vec::<String>::new(), "the file does not come in again");
        }
        rig.reopen(MODEL);
        rig.engine().stop();
        assert_eq!(traces(rig.data(), "zorvexian"), Vec::<String>::new());
    }
}

#[test]
fn what_the_memory_itself_still_says_is_left_whoever_else_says_it() {
    let rig = Rig::new();
    let text = "Her secret word is zorvexian; zorvexian it is.";
    let memory = rig.remember(text);
    rig.remember("They all say zorvexian there.");
    rig.settled();
    // One of the two places.
    accept(&rig, "memory_id", memory.id.as_str(), Some(span_of(text, "zorvexian")), None);
    let applied = rig.run(RedactionApply { memory: Some(memory.id), artifact: None }).unwrap();
    assert_eq!(applied.proof.said_elsewhere, 1, "{applied:?}");
    assert!(applied.proof.left >= 1, "{applied:?}");
    assert_eq!(applied.proof.left_in[0].files, ["memory.db"], "{applied:?}");
}

/// A number that its label alone tells is refused after it, and words that a person marked are, wherever they come again;
/// what a detector took for a name is not.
#[test]
fn what_was_blacked_out_is_refused_by_its_kind() {
    let rig = Rig::new();
    let text = "Lena has passport number C01X00T47 and bank account 48291037 with the nickname Brightwater.";
    let memory = rig.remember(text);
    rig.settled();
    let accept = FindingsDecide {
        decision: FindingDecision::Accept,
        ids: Vec::new(),
        all: Some(AllFindings { memory: Some(memory.id.clone()), ..AllFindings::default() }),
    };
    assert!(rig.run(accept).unwrap().changed.len() >= 2);
    mark(&rig, &memory, "Brightwater");
    apply(&rig, RedactionApply { memory: Some(memory.id), artifact: None });
    for (text, refused) in [
        ("The passport number C01X00T47 runs out.", true),
        ("Bank account 48291037 is hers.", true),
        ("They call her Brightwater.", true),
        ("Lena called.", false),
        ("The bank has another account.", false),
    ] {
        let request = MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() };
        let code = rig.run(request).err().map(|error| error.code);
        assert_eq!(code, refused.then_some(ErrorCode::Forgotten), "{text}");
    }
}
