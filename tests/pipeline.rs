//! Real files through the real program: brought in, read, found, cited. Needs the shared data and the
//! recognisers; skips, saying so, where they are not there. Prints the figures.

mod support;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use support::{Place, check_doctor, runtime, shared_data, umem};
use um_model::capture::ViewRead;
use um_model::recall::MemoryRecall;
use um_model::{ErrorCode, ViewId};

/// No file may take longer.
const MOST_SECONDS: f64 = 60.0;

/// Whether a program is there to be run.
fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: {program} is not installed");
    }
    there
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// Brings a folder in and says how each file ended.
fn ingest(place: &Place, path: &Path) -> Vec<Value> {
    let begun = Instant::now();
    let path = path.to_str().expect("a path in UTF-8");
    let report = place.json(&["ingest", path, "--space", "default", "--wait"]);
    println!("{path}: {} in {:.1?}", report["counts"], begun.elapsed());
    report["files"].as_array().unwrap_or_else(|| panic!("{report}")).clone()
}

/// Every file ends done, waiting, or failed with a code that callers know.
fn check_ends(files: &[Value]) {
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let (path, state) = (text(file, "path"), text(file, "state"));
        let end = match state {
            "done" => "done".to_owned(),
            "waiting_for_model" | "waiting_for_password" | "failed" | "refused" => {
                let code = text(&file["reason"], "code");
                assert!(code.parse::<ErrorCode>().is_ok() && code != "internal", "{path}: {file}");
                assert!(!text(&file["reason"], "message").is_empty(), "{path}");
                format!("{state}: {code}")
            }
            _ => panic!("{path} ended {state}"),
        };
        *ends.entry(end).or_default() += 1;
    }
    println!("  {ends:?}");
}

/// The slowest reading, by the database's own times.
fn check_times(place: &Place) {
    let db = place.db();
    let slowest: Option<(String, f64)> = db
        .query_row(
            "SELECT a.original_filename, (j.completed_at - j.started_at) / 1000.0 FROM jobs j
             JOIN artifacts a ON a.id = j.subject_id WHERE j.kind = 'read' AND j.completed_at IS NOT NULL
             ORDER BY 2 DESC LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .ok();
    println!("slowest file: {slowest:?} (seconds)");
    assert!(slowest.is_none_or(|(_, seconds)| seconds <= MOST_SECONDS));
}

/// Every hit of some questions quotes its view word for word.
fn check_quotes(place: &Place) {
    const QUESTIONS: &[&str] = &[
        "polar bears",
        "lorem ipsum",
        "brown bear populations",
        "total amount",
        "page",
        "the office moved",
        "habibi",
        "country",
        "invoice",
        "document",
        "text",
        "attachment",
        "table of contents",
        "London",
        "code",
        "room",
    ];
    let runtime = runtime();
    let mut service = place.connect(&runtime);
    let (mut checked, mut questions) = (0, 0);
    for question in QUESTIONS {
        let request = MemoryRecall { query: (*question).into(), limit: Some(50), ..MemoryRecall::default() };
        let found = runtime.block_on(service.run(request)).expect("an answer");
        questions += usize::from(!found.hits.is_empty());
        for hit in found.hits {
            let id: ViewId = hit.ids.view.clone().expect("only files are in there");
            let read = runtime.block_on(service.run(ViewRead { id, span: None })).expect("the view is read");
            assert_eq!(hit.span.slice(&read.text), Some(hit.quote.as_str()), "{question}: {}", hit.title);
            for found in &hit.matches {
                assert!(found.span.slice(&read.text).is_some(), "{question}: {}", hit.title);
            }
            checked += 1;
        }
    }
    println!("quotes: {checked} of {questions} questions equal their view's text");
    assert!(checked >= 20);
}

/// Words that no line break, hyphen or case can tell apart.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Character error rate: edits to turn `read` into `truth`, by the length of `truth`.
fn error_rate(read: &str, truth: &str) -> f64 {
    let (read, truth): (Vec<char>, Vec<char>) = (plain(read).chars().collect(), plain(truth).chars().collect());
    let mut row: Vec<usize> = (0..=truth.len()).collect();
    for (i, a) in read.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in truth.iter().enumerate() {
            let cost = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[truth.len()] as f64 / truth.len() as f64
}

fn view_text(place: &Place, artifact: &str) -> String {
    let sql =
        "SELECT group_concat(text, char(10)) FROM derived_text_views WHERE artifact_id = ?1 AND status = 'active'";
    place.db().query_row(sql, [artifact], |row| row.get(0)).expect("the file has text")
}

/// The product reads a picture no worse than the recogniser's own command does.
fn check_error_rate(place: &Place, file: &Value, truth: &Path) {
    let path = text(file, "path");
    let ours = view_text(place, text(file, "artifact_id"));
    let tesseract = Command::new("tesseract").args([path, "-", "-l", "eng"]).output().expect("tesseract runs");
    let theirs = String::from_utf8_lossy(&tesseract.stdout).into_owned();
    let truth = std::fs::read_to_string(truth).expect("the text is there");
    let (ours, theirs) = (error_rate(&ours, &truth), error_rate(&theirs, &truth));
    println!("character error rate of {path}: {:.2} % (tesseract itself: {:.2} %)", ours * 100.0, theirs * 100.0);
    assert!(ours <= theirs + 1e-9, "{path}");
}

fn named<'a>(files: &'a [Value], name: &str) -> &'a Value {
    let found = files.iter().find(|file| text(file, "path").ends_with(name));
    found.unwrap_or_else(|| panic!("{name} is not among the files"))
}

/// A box holds another, give or take two pixels.
fn holds(outer: &Value, inner: &Value) -> bool {
    let edges = |value: &Value| {
        let side = |at: usize| value[at].as_f64().unwrap_or_else(|| panic!("{value} is no box"));
        [side(0), side(1), side(0) + side(2), side(1) + side(3)]
    };
    let (outer, inner) = (edges(outer), edges(inner));
    outer[0] <= inner[0] + 2.0 && outer[1] <= inner[1] + 2.0 && outer[2] + 2.0 >= inner[2] && outer[3] + 2.0 >= inner[3]
}

/// Of receipts the shop, the date and the total are claims, whose words stand in boxes on their pictures.
fn check_receipts(place: &Place, receipts: &[&Value]) {
    let facts = place.json(&["facts", "list", "--limit", "200"]);
    let facts = facts["facts"].as_array().expect("facts");
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for fact in facts {
        for cited in fact["citations"].as_array().expect("citations") {
            let of_receipt = receipts.iter().any(|file| file["artifact_id"] == cited["artifact_id"]);
            if of_receipt {
                assert!(cited["bbox"].is_array(), "{fact:#}");
                found.entry(text(fact, "predicate")).or_default().insert(text(cited, "artifact_id"));
            }
        }
    }
    for predicate in ["store", "date", "total"] {
        let read = found.get(predicate).map_or(0, BTreeSet::len);
        println!("receipts with their {predicate}: {read} of {}", receipts.len());
        assert!(2 * read > receipts.len(), "{predicate}");
    }
}

/// Personal data in pictures is found, each with a box for each line of its words.
fn check_findings(place: &Place, files: &[Value]) {
    let is_picture = |file: &&Value| [".jpg", ".png", ".tif"].iter().any(|end| text(file, "path").ends_with(end));
    let pictures: Vec<&Value> = files.iter().filter(is_picture).map(|file| &file["artifact_id"]).collect();
    let listed = place.json(&["findings", "list", "--limit", "1000"]);
    let findings = listed["findings"].as_array().expect("findings").iter();
    let in_pictures: Vec<&Value> = findings.filter(|finding| pictures.contains(&&finding["artifact_id"])).collect();
    println!("personal data: {} ({}), in pictures {}", listed["total"], listed["kinds"], in_pictures.len());
    assert!(!in_pictures.is_empty(), "receipts have the telephones of their shops");
    for finding in in_pictures {
        let cited = &finding["citation"];
        let boxes = cited["boxes"].as_array().unwrap_or_else(|| panic!("{finding:#}"));
        assert!(!boxes.is_empty() && boxes.iter().all(|one| holds(&cited["bbox"], one)), "{finding:#}");
        assert!(text(cited, "quote").contains(text(finding, "value")), "{finding:#}");
    }
}

#[test]
fn pictures_are_cited_by_their_boxes() {
    let (Some(umem), Some(data)) = (umem(), shared_data()) else { return };
    if !has("tesseract") {
        return;
    }
    let place = Place::new(umem);
    let files = ingest(&place, &data.join("ocr"));
    check_ends(&files);
    check_times(&place);
    let ocr = data.join("ocr");
    check_error_rate(&place, named(&files, "8087_054.3B.tif"), &ocr.join("8087_054.3B.txt"));
    check_error_rate(&place, named(&files, "polar-bears.png"), &ocr.join("polar-bears.expected.txt"));

    check_receipts(&place, &files.iter().filter(|file| text(file, "path").ends_with(".jpg")).collect::<Vec<_>>());
    check_findings(&place, &files);

    let answer = place.json(&["recall", "polar bears"]);
    let hits = answer["hits"].as_array().expect("hits");
    let hit = hits.iter().find(|hit| hit["title"] == "polar-bears.png").unwrap_or_else(|| panic!("{answer:#}"));
    println!("polar bears: rank {} bbox {}", hit["rank"], hit["bbox"]);
    let matched = hit["matches"].as_array().expect("matches");
    assert!(matched.len() >= 2, "{hit:#}");
    for word in matched {
        assert!(holds(&hit["bbox"], &word["bbox"]), "{word} lies outside {}", hit["bbox"]);
    }
    assert!(text(hit, "quote").to_lowercase().contains("polar bear"));
    check_doctor(&place);
}

#[test]
fn pdfs_end_well_or_say_why() {
    let (Some(umem), Some(data)) = (umem(), shared_data()) else { return };
    let place = Place::new(umem);
    let files = ingest(&place, &data.join("pdf"));
    check_ends(&files);
    if files.iter().any(|file| file["reason"]["code"] == "tool_missing") {
        eprintln!("skipped: a reader is missing; UM_TOOLS_DIR names the folder of readers");
        return;
    }
    check_times(&place);
    check_quotes(&place);
    assert_eq!(text(named(&files, "libreoffice-writer-password.pdf"), "state"), "waiting_for_password");
    for name in ["pdflatex-4-pages.pdf", "multicolumn.pdf", "google-doc-document.pdf", "imagemagick-images.pdf"] {
        assert_eq!(text(named(&files, &format!("/{name}")), "state"), "done", "{name}");
    }
    check_doctor(&place);
}

#[test]
fn recordings_wait_for_a_model_and_are_cited_by_their_seconds() {
    let (Some(umem), Some(data)) = (umem(), shared_data()) else { return };
    if !has("ffmpeg") {
        return;
    }
    let place = Place::new(umem);
    let memos = data.join("asr/memo");
    let before = ingest(&place, &memos);
    check_ends(&before);
    let is_memo = |file: &&Value| text(file, "path").ends_with(".wav");
    for memo in before.iter().filter(is_memo) {
        assert_eq!(text(memo, "state"), "waiting_for_model", "{memo}");
    }
    let model = data.join("asr/memo-whisper.bin");
    let added = place.json(&["models", "add", model.to_str().expect("a path in UTF-8")]);
    assert!(added["error"].is_null(), "{added}");
    assert!(place.run(&["jobs", "--wait"]).status.success());
    let after = ingest(&place, &memos);
    for memo in after.iter().filter(is_memo) {
        assert_eq!(text(memo, "state"), "done", "{memo}");
    }
    check_memos(&place, &memos);
    check_ends(&ingest(&place, &data.join("asr")));
    check_times(&place);
    check_doctor(&place);
}

/// Sentences of the reference are found, in the right recording, at the right second.
fn check_memos(place: &Place, memos: &Path) {
    let reference = std::fs::read_to_string(memos.join("reference.json")).expect("the reference is there");
    let reference: BTreeMap<String, Vec<Value>> = serde_json::from_str(&reference).expect("it is JSON");
    let (mut asked, mut found, mut furthest) = (0, 0, 0i64);
    for (memo, sentences) in reference.iter().filter(|(memo, _)| memo.starts_with("memo")) {
        for said in sentences {
            asked += 1;
            let answer = place.json(&["recall", text(said, "text"), "--limit", "3"]);
            let name = format!("{memo}.wav");
            let Some(hit) = answer["hits"].as_array().expect("hits").iter().find(|hit| hit["title"] == name) else {
                println!("  not found: {} of {memo}", text(said, "text"));
                continue;
            };
            let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("{hit:#}"));
            let start =
                hit["matches"].as_array().expect("matches").iter().map(|m| number(&m["time"]["start_ms"])).min();
            let (begin, end) = (number(&said["start_ms"]), number(&said["end_ms"]));
            assert!(number(&hit["time"]["start_ms"]) <= end && number(&hit["time"]["end_ms"]) >= begin, "{hit:#}");
            let apart = sentences.len() > 1 && start.is_some();
            furthest = furthest.max(if apart { nearest(hit, begin) } else { 0 });
            found += 1;
        }
    }
    println!("memos: {found} of {asked} sentences found in their recording; begins within {furthest} ms");
    assert!(found * 10 >= asked * 8, "a memo is found by its words");
    assert!(furthest <= 1_500);
}

/// How far from the sentence's true beginning the nearest marked word is said to begin.
fn nearest(hit: &Value, begin: i64) -> i64 {
    let starts = hit["matches"].as_array().expect("matches").iter().filter_map(|m| m["time"]["start_ms"].as_i64());
    starts.map(|start| (start - begin).abs()).min().unwrap_or(i64::MAX)
}
