//! A person marks words, a part of a page, or a part of a recording.

use super::*;
use um_model::capture::MemoryGet;
use um_model::{TimeSpan, Utf16Span};

#[test]
fn words_that_a_person_marks_are_accepted_at_once() {
    let rig = Rig::new();
    let memory = rig.remember(&format!("The 🦊 project is secret. Write to {MAIL}."));
    rig.settled();
    let text = memory.content.clone().unwrap();
    let mark = |words: &str, kind| {
        let at = text.find(words).unwrap();
        let span = Some(Utf16Span::from_byte_range(&text, at..at + words.len()));
        rig.run(FindingAdd { memory: Some(memory.id.clone()), span, kind, ..FindingAdd::default() }).unwrap()
    };
    let marked = mark("🦊 project", None);
    assert_eq!(
        (marked.value.as_str(), marked.kind, marked.status),
        ("🦊 project", FindingKind::Other, FindingStatus::Accepted)
    );
    assert_eq!(marked.detector, "person");
    assert_eq!(mark("🦊 project", None).id, marked.id, "what is marked twice is marked once");
    // What a detector found is accepted by marking it.
    let mail = mark(MAIL, Some(FindingKind::Email));
    assert_eq!((mail.detector.as_str(), mail.status), ("net.email", FindingStatus::Accepted));
    assert_eq!(of_memory(&rig, &memory.id).len(), 2);
}

#[test]
fn a_box_on_a_page_holds_the_words_under_it_and_may_hold_none() {
    let rig = Rig::new();
    // 600 wide and 40 high.
    let picture = rig.ingest("shot.png", inputs::png("words below the edge"));
    let pages = [Page::Text("nothing".into()), Page::Text("first line here\nthe kittiwake sits".into())];
    let paper = rig.ingest("paper.pdf", inputs::pdf(None, &pages));
    rig.settled();
    let add = |file: &um_model::ArtifactId, page, bbox| {
        let region = Some(Region::Box { page, bbox });
        rig.run(FindingAdd { artifact: Some(file.clone()), region, ..FindingAdd::default() })
    };
    // Words are ten wide a letter, beginning at 10; lines stand at 300, 320, … and are 18 high.
    let marked = add(&paper, 2, [45.0, 315.0, 150.0, 30.0]).unwrap();
    assert_eq!((marked.value.as_str(), marked.status), ("kittiwake sits", FindingStatus::Accepted));
    assert_eq!(marked.region, Some(Region::Box { page: 2, bbox: [45.0, 315.0, 150.0, 30.0] }));
    assert_eq!((marked.span, marked.artifact_id.as_ref()), (None, Some(&paper)));
    assert_eq!(add(&paper, 2, [0.0, 290.0, 600.0, 60.0]).unwrap().value, "first line here\nthe kittiwake sits");
    assert_eq!(add(&picture, 1, [0.0, 0.0, 600.0, 40.0]).unwrap().value, "");
    let empty = add(&paper, 1, [0.04, 0.0, 50.0, 50.0]).unwrap();
    assert_eq!((empty.value.as_str(), empty.region), ("", Some(Region::Box { page: 1, bbox: [0.0, 0.0, 50.0, 50.0] })));
    // What hangs over the edge is cut there.
    let cut = add(&paper, 1, [590.0, -20.0, 100.0, 40.0]).unwrap();
    assert_eq!(cut.region, Some(Region::Box { page: 1, bbox: [590.0, 0.0, 10.0, 20.0] }));
    for (file, page, bbox) in [
        (&paper, 0, [0.0, 0.0, 5.0, 5.0]),
        (&paper, 3, [0.0, 0.0, 5.0, 5.0]),
        (&picture, 2, [0.0, 0.0, 5.0, 5.0]),
        (&paper, 1, [700.0, 0.0, 5.0, 5.0]),
        (&paper, 1, [0.0, 0.0, 0.0, 5.0]),
        (&paper, 1, [0.0, 0.0, -5.0, 5.0]),
        (&paper, 1, [0.0, f64::NAN, 5.0, 5.0]),
        (&paper, 1, [0.0, 0.0, f64::INFINITY, 5.0]),
    ] {
        assert_eq!(add(file, page, bbox).unwrap_err().code, ErrorCode::InvalidRequest, "{page} {bbox:?}");
    }
    let in_paper =
        FindingsList { artifact: Some(paper), statuses: vec![FindingStatus::Accepted], ..FindingsList::default() };
    let order: Vec<bool> = list(&rig, in_paper).findings.iter().map(|one| one.value.is_empty()).collect();
    assert_eq!(order, [true, true, false, false], "by their pages");
}

#[test]
fn a_stretch_of_a_recording_holds_the_words_said_in_it() {
    let rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut sound = inputs::wav(&["good morning", "the fulmar glides", "good night"]);
    sound.extend([0; 64_000]);
    let memo = rig.ingest("memo.wav", sound);
    rig.settled();
    let add = |start_ms, end_ms| {
        let region = Some(Region::Time(TimeSpan { start_ms, end_ms }));
        rig.run(FindingAdd { artifact: Some(memo.clone()), region, ..FindingAdd::default() })
    };
    assert_eq!(add(1_000, 2_000).unwrap().value.trim(), "the fulmar glides");
    assert_eq!(add(2_500, 2_500).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(add(600_000, 700_000).unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn what_is_nowhere_is_not_marked() {
    let rig = Rig::new();
    let memory = rig.remember("🦊 and more.");
    let file = rig.ingest("note.txt", "words");
    rig.settled();
    let region = Some(Region::Box { page: 1, bbox: [0.0, 0.0, 5.0, 5.0] });
    let span = |start, end| Some(Utf16Span::new(start, end));
    let of_memory = FindingAdd { memory: Some(memory.id.clone()), ..FindingAdd::default() };
    let nobody = MemoryId::parse(um_model::OWNER_AGENT).unwrap();
    let check = |request: FindingAdd, code| {
        let error = rig.run(request).unwrap_err();
        assert_eq!(error.code, code, "{error}");
    };
    use ErrorCode::{InvalidRequest, NotFound};
    check(FindingAdd::default(), InvalidRequest);
    check(of_memory.clone(), InvalidRequest);
    check(FindingAdd { span: span(1, 4), ..of_memory.clone() }, InvalidRequest);
    check(FindingAdd { span: span(0, 99), ..of_memory.clone() }, InvalidRequest);
    check(FindingAdd { span: span(2, 3), ..of_memory.clone() }, InvalidRequest);
    check(FindingAdd { span: span(3, 3), ..of_memory.clone() }, InvalidRequest);
    check(FindingAdd { span: span(0, 2), region, ..of_memory }, InvalidRequest);
    check(FindingAdd { span: span(0, 2), memory: Some(nobody), ..FindingAdd::default() }, NotFound);
    check(FindingAdd { artifact: Some(file), region, ..FindingAdd::default() }, InvalidRequest);
    assert_eq!(rig.count("SELECT count(*) FROM redaction_findings"), 0);
    assert!(rig.run(MemoryGet { id: memory.id.to_string() }).is_ok());
}

#[test]
fn words_are_marked_wherever_a_file_or_memory_says_them() {
    let rig = Rig::new();
    let memory = rig.remember("Project Heron is secret. Only the PROJECT  heron team knows it, not the herons.");
    let file = rig.ingest("plan.md", "# Plan\n\nThe project\nheron begins in May.");
    rig.settled();
    let mark = |words: &str, file: Option<&um_model::ArtifactId>| {
        let memory = file.is_none().then(|| memory.id.clone());
        rig.run(FindingsMark { words: words.into(), artifact: file.cloned(), memory, kind: None })
    };
    assert_eq!(mark("project heron", None).unwrap().marked.len(), 2);
    assert_eq!(mark("Project heron", Some(&file)).unwrap().marked.len(), 1);
    let values = told(&rig);
    for said in ["Project Heron", "PROJECT  heron", "project\nheron"] {
        assert!(values.contains(&format!("other accepted {said}")), "{said}: {values:?}");
    }
    assert_eq!(mark("bittern", None).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(mark(" ", None).unwrap_err().code, ErrorCode::NotFound);
    let none = FindingsMark { words: "heron".into(), ..FindingsMark::default() };
    assert_eq!(rig.run(none).unwrap_err().code, ErrorCode::InvalidRequest);
    let asked = FindingsMark { words: "heron".into(), memory: Some(memory.id), ..FindingsMark::default() };
    forbidden(rig.engine().run(&agent(&rig), asked));
}
