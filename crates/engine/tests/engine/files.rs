//! Files: kept once, whatever they are, within the limits.

use crate::support::inputs::{self, Page};
use crate::support::{Rig, SPACE, check_quote};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use um_engine::provider::Cancel;
use um_engine::{Caller, Progress};
use um_model::access::{AgentRevoke, AgentsList};
use um_model::capture::{ArtifactRemove, ArtifactsList, MediaPart, MediaRead, MemoryIngest};
use um_model::jobs::{CallCancel, LongCall};
use um_model::{ErrorCode, JobStatus, Modality, ViewType};

#[test]
fn every_kind_of_file_is_read_and_found() {
    #[track_caller]
    fn check(rig: &Rig, name: &str, bytes: Vec<u8>, modality: Modality, view: ViewType, word: &str) {
        let id = rig.ingest(name, bytes);
        rig.settled();
        let detail = rig.artifact(&id);
        assert_eq!(detail.summary.artifact.modality, modality, "{name}");
        assert_eq!(detail.summary.reading.as_ref().unwrap().status, JobStatus::Completed, "{name}: {detail:#?}");
        assert_eq!((detail.summary.note.as_deref(), detail.summary.has_text), (None, true), "{name}");
        assert_eq!(detail.views.iter().map(|v| v.view_type).collect::<Vec<_>>(), [view], "{name}");
        let hits = rig.found(word);
        assert_eq!(hits.iter().map(|hit| hit.title.as_str()).collect::<Vec<_>>(), [name], "{word}");
        let hit = &hits[0];
        check_quote(rig, hit);
        assert_eq!((hit.ids.artifact.as_ref(), hit.modality, hit.view_type), (Some(&id), modality, Some(view)));
        assert!(hit.ids.segment.is_some(), "{name}");
    }
    let rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    let text = |words: &str| words.as_bytes().to_vec();
    let document = ViewType::Document;
    check(&rig, "note.txt", text("The lantern hangs low.\n"), Modality::Text, document, "lantern");
    check(&rig, "note.md", text("# Head\n\nThe *ferry* leaves.\n"), Modality::Text, document, "ferry");
    check(&rig, "main.rs", text("fn anemone() { todo() }\n"), Modality::Source, document, "anemone");
    let page = "<!doctype html><html><body><h1>Top</h1><p>A quiet harbour.</p><script>secret()</script></body></html>";
    check(&rig, "page.html", text(page), Modality::Html, document, "harbour");
    check(
        &rig,
        "letter.docx",
        inputs::docx(&["Dear Ingrid,", "the oysters came."]),
        Modality::Document,
        document,
        "oysters",
    );
    let paper = inputs::pdf(None, &[Page::Text("Here are six words about mussels.".into())]);
    check(&rig, "paper.pdf", paper, Modality::Pdf, ViewType::Pdf, "mussels");
    check(&rig, "shot.png", inputs::png("a limpet on the rock"), Modality::Image, ViewType::Ocr, "limpet");
    check(&rig, "memo.wav", inputs::wav(&["call the cooper", "on friday"]), Modality::Audio, ViewType::Asr, "cooper");
    check(&rig, "clip.mp4", inputs::mp4(&["the windlass turns"]), Modality::Video, ViewType::Asr, "windlass");
    assert!(rig.found("secret").is_empty(), "scripts are no text");
}

#[test]
fn a_type_is_found_by_content_and_not_by_name() {
    let rig = Rig::new();
    let id = rig.ingest("not-really.txt", inputs::png("a hidden barnacle"));
    rig.settled();
    assert_eq!(rig.artifact(&id).summary.artifact.modality, Modality::Image);
    assert_eq!(rig.titles("barnacle"), ["not-really.txt"]);
}

#[test]
fn what_nobody_can_read_is_kept_and_found_by_its_name() {
    let rig = Rig::new();
    let bytes: Vec<u8> = (0..4096u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let id = rig.ingest("capstan-drawing.xyz", &bytes);
    rig.settled();
    let detail = rig.artifact(&id);
    assert_eq!(detail.summary.reading, None);
    assert!(detail.summary.note.unwrap().starts_with("No reader for this type"));
    assert_eq!(rig.titles("capstan"), ["capstan-drawing.xyz"]);
    check_quote(&rig, &rig.found("capstan")[0]);
    let (name, kept) = rig.engine().original(&um_engine::Caller::owner("test"), &id).unwrap();
    assert_eq!((name.as_str(), kept), ("capstan-drawing.xyz", bytes));
}

#[test]
fn a_name_never_goes_before_a_text() {
    let rig = Rig::new();
    let bytes =
        |seed: u32| (0..512u32).map(|at| (at.wrapping_mul(2_654_435_761 + seed) >> 13) as u8).collect::<Vec<_>>();
    // More names than recall looks at, and each of them nothing but the words that are asked for.
    for number in 0..120 {
        rig.ingest(&format!("windlass-drawing-{number}.xyz"), bytes(2 * number));
    }
    rig.ingest("log.txt", "In the evening we cleaned the deck, and then the windlass was taken apart by the cook.");
    rig.remember("Somebody oiled the windlass, among many other things that had to be done before the rain.");
    rig.settled();
    let hits = rig.found("windlass drawing");
    let titles: Vec<&str> = hits.iter().map(|hit| hit.title.as_str()).collect();
    assert!(titles[..2].iter().all(|title| !title.ends_with(".xyz")), "{titles:?}");
    assert!(titles[2..].iter().all(|title| title.ends_with(".xyz")) && titles.len() > 2, "{titles:?}");
    assert!(hits[2..].iter().all(|hit| hit.score_parts.vector_rank.is_none()), "a name has no meaning of its own");
    assert_eq!(rig.count("SELECT count(*) FROM memory_embeddings"), 2);
}

#[test]
fn the_same_bytes_are_one_file() {
    let rig = Rig::new();
    let first = rig.ingest("first.txt", "the same words");
    let again = rig.ingest_path(SPACE, &rig.file("again.txt", "the same words")).remove(0);
    assert_eq!((again.artifact_id.as_ref(), again.created), (Some(&first), false));
    let owner = um_engine::Caller::owner("test");
    let third = rig.engine().ingest_bytes(&owner, "third.txt", SPACE, b"the same words".to_vec()).unwrap();
    assert_eq!((third.artifact_id.as_ref(), third.created), (Some(&first), false));
    rig.space("Other");
    let elsewhere = rig.ingest_path("Other", &rig.folder().join("first.txt")).remove(0);
    assert!(elsewhere.created, "another space has its own");
    assert_ne!(elsewhere.artifact_id, Some(first));
    rig.settled();
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 2);
    assert_eq!(rig.count("SELECT count(*) FROM memories"), 2);
    assert_eq!(rig.count("SELECT count(*) FROM derived_text_views"), 2);
}

#[test]
fn a_new_content_of_a_path_is_a_new_version() {
    let rig = Rig::new();
    let old = rig.ingest("plan.txt", "sail on Monday");
    rig.settled();
    let new = rig.ingest("plan.txt", "sail on Tuesday");
    rig.settled();
    assert_ne!(old, new);
    assert_eq!(rig.found("Monday").len(), 0, "the older version left recall");
    assert_eq!(rig.found("Tuesday").len(), 1);
    let detail = rig.artifact(&new);
    assert_eq!(detail.versions.iter().map(|v| &v.artifact_id).collect::<Vec<_>>(), [&old], "it stays in history");
    assert_eq!(rig.artifact(&old).views.len(), 1, "with its text");
    // Back again: what was there is there again.
    let back = rig.ingest("plan.txt", "sail on Monday");
    rig.settled();
    assert_eq!(back, old);
    assert_eq!((rig.found("Monday").len(), rig.found("Tuesday").len()), (1, 0));
}

#[test]
fn a_version_that_is_superseded_before_it_is_read_stays_out_of_recall() {
    let rig = Rig::new();
    rig.script.ocr.close();
    let old = rig.ingest("shot.png", inputs::png("an old crane"));
    rig.until("the old one is being read", || rig.script.ocr.inside() == 1);
    rig.ingest("shot.png", inputs::png("a new derrick"));
    rig.script.ocr.open();
    rig.settled();
    assert_eq!((rig.found("crane").len(), rig.found("derrick").len()), (0, 1));
    assert_eq!(rig.reading(&old).status, JobStatus::Cancelled);
}

#[test]
fn folders_come_in_whole_and_hidden_files_do_not() {
    let rig = Rig::resting();
    for name in ["b/two.txt", "a/one.txt", ".hidden", ".git/config", "c.txt"] {
        rig.file(name, name);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", rig.folder().join("link")).unwrap();
    let files = rig.ingest_path(SPACE, &rig.folder());
    let names: Vec<String> =
        files.iter().map(|f| Path::new(&f.path).strip_prefix(rig.folder()).unwrap().display().to_string()).collect();
    assert_eq!(names, ["a/one.txt", "b/two.txt", "c.txt"]);
    assert!(files.iter().all(|f| f.created));
}

#[cfg(unix)]
#[test]
fn names_that_are_no_unicode_are_told_apart() {
    use std::os::unix::ffi::OsStrExt;
    let rig = Rig::new();
    for (name, words) in [(b"f\xFCr.txt", "a wigeon"), (b"f\xE4r.txt", "a gadwall")] {
        std::fs::write(rig.folder().join(std::ffi::OsStr::from_bytes(name)), words).unwrap();
    }
    let files = rig.ingest_path(SPACE, &rig.folder());
    rig.settled();
    let paths: Vec<&str> = files.iter().map(|file| file.path.rsplit('/').next().unwrap()).collect();
    assert_eq!(paths, [r"f\xE4r.txt", r"f\xFCr.txt"]);
    assert_eq!(rig.titles("wigeon"), [r"f\xFCr.txt"]);
    assert_eq!(rig.titles("gadwall"), [r"f\xE4r.txt"]);
}

/// Brings the rig's folder in, and does something at each step.
fn ingest_told(
    rig: &Rig,
    cancel: Cancel,
    heard: impl Fn(&LongCall) + Send + Sync + 'static,
) -> um_model::capture::Ingested {
    let caller = Caller { cancel, progress: Progress::new(heard), ..Caller::owner("test") };
    let paths = vec![rig.folder().display().to_string()];
    rig.engine().run(&caller, MemoryIngest { paths, space: SPACE.into(), ..MemoryIngest::default() }).unwrap()
}

#[test]
fn a_folder_can_be_stopped_at_any_file_and_what_came_in_stays() {
    let rig = Rig::resting();
    for number in 0..30 {
        rig.file(&format!("{}/{number}.txt", number % 4), format!("text {number}"));
    }
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let answer = ingest_told(&rig, cancel, move |call| {
        if call.done == 7 {
            stop.cancel();
        }
    });
    assert_eq!((answer.cancelled, answer.created, answer.files.len()), (true, 7, 7));
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 7);
    // The same call goes on with the rest.
    let answer = ingest_told(&rig, Cancel::default(), |_| {});
    assert_eq!((answer.cancelled, answer.created, answer.known), (false, 23, 7));
}

#[test]
fn a_folder_is_seen_among_the_work_and_stopped_from_there() {
    let rig = Arc::new(Rig::resting());
    for number in 0..30 {
        rig.file(&format!("{number}.txt"), format!("text {number}"));
    }
    let seen: Arc<Mutex<Vec<LongCall>>> = Arc::default();
    let (within, told) = (Arc::downgrade(&rig), seen.clone());
    let answer = ingest_told(&rig, Cancel::default(), move |call| {
        let rig = within.upgrade().unwrap();
        let report = rig.jobs();
        assert_eq!(report.calls, std::slice::from_ref(call));
        assert!(report.busy);
        told.lock().unwrap().push(call.clone());
        if call.done == 3 {
            rig.run(CallCancel { id: call.id.clone() }).unwrap();
        }
    });
    assert_eq!((answer.cancelled, answer.created), (true, 3));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().map(|call| call.done).collect::<Vec<_>>(), [1, 2, 3]);
    let call = &seen[2];
    assert_eq!(
        (call.operation.as_str(), call.space_id.as_ref().unwrap().as_str(), call.total),
        ("memory_ingest", SPACE, None)
    );
    assert!(call.note.ends_with(".txt"), "{}", call.note);
    assert_eq!(rig.jobs().calls, []);
    let ended = rig.run(CallCancel { id: call.id.clone() }).unwrap_err();
    assert_eq!((ended.code, ended.hint.is_some()), (ErrorCode::NotFound, true));
}

#[test]
fn a_service_that_ends_does_not_wait_for_a_folder() {
    let rig = Rig::new();
    for number in 0..30 {
        rig.file(&format!("{number}.txt"), format!("text {number}"));
    }
    let engine = rig.engine().clone();
    let answer = ingest_told(&rig, Cancel::default(), move |call| {
        if call.done == 2 {
            engine.stop();
        }
    });
    assert_eq!((answer.cancelled, answer.created), (true, 2));
}

#[test]
fn files_are_taken_as_they_are_found() {
    let rig = Rig::resting();
    let folders: Vec<_> = (0..20).map(|number| rig.folder().join(number.to_string())).collect();
    for number in 0..20 {
        rig.file(&format!("{number}/first.txt"), format!("text {number}"));
    }
    // What comes into folders that were not looked into yet is found: nobody has listed them beforehand.
    let answer = ingest_told(&rig, Cancel::default(), move |call| {
        if call.done == 1 {
            for (number, folder) in folders.iter().enumerate() {
                std::fs::write(folder.join("second.txt"), format!("late text {number}")).unwrap();
            }
        }
    });
    assert!((38..=40).contains(&answer.created), "{}", answer.created);
}

#[test]
fn an_answer_lists_some_files_and_counts_all() {
    let rig = Rig::resting();
    for number in 0..1_010 {
        rig.file(&format!("same/{number}.txt"), "the same words");
        let huge = rig.file(&format!("huge/{number}.bin"), "");
        std::fs::File::options().write(true).open(huge).unwrap().set_len(100 * 1024 * 1024 + 1).unwrap();
    }
    let answer = ingest_told(&rig, Cancel::default(), |_| {});
    assert_eq!((answer.created, answer.known, answer.refused), (1, 1_009, 1_010));
    assert_eq!(answer.files.iter().filter(|file| file.error.is_none()).count(), 1_000);
    assert_eq!(answer.files.iter().filter(|file| file.error.is_some()).count(), 1_000);
}

#[test]
fn the_data_folder_is_never_brought_in() {
    let rig = Rig::resting();
    rig.ingest("large.bin", vec![1u8; 10 * 1024 * 1024]);
    let above = rig.data().parent().unwrap();
    let files = rig.ingest_path(SPACE, above);
    assert!(files.iter().all(|file| file.path.ends_with("large.bin") && file.error.is_none()), "{files:?}");
    let itself = rig.ingest_path(SPACE, rig.data()).remove(0).error.unwrap();
    assert_eq!(itself.code, ErrorCode::InvalidRequest);
}

#[test]
fn each_refusal_costs_its_own_file_only() {
    let rig = Rig::resting();
    let good = rig.file("good.txt", "good words");
    let empty = rig.file("empty.txt", "");
    let gone = rig.folder().join("gone.txt");
    let paths: Vec<String> =
        [&empty, &gone, &good].iter().map(|p| p.display().to_string()).chain(["relative.txt".to_owned()]).collect();
    let request = MemoryIngest { paths, space: SPACE.to_owned(), ..MemoryIngest::default() };
    let codes: Vec<_> = rig.run(request).unwrap().files.into_iter().map(|f| f.error.map(|e| e.code)).collect();
    assert_eq!(codes, [None, Some(ErrorCode::Io), None, Some(ErrorCode::InvalidRequest)]);
    let none = MemoryIngest { space: SPACE.to_owned(), ..MemoryIngest::default() };
    assert_eq!(rig.run(none).unwrap_err().code, ErrorCode::InvalidRequest);
    let nowhere = MemoryIngest { paths: vec![good.display().to_string()], space: "x".into(), ..Default::default() };
    assert_eq!(rig.run(nowhere).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn an_empty_file_is_kept_with_a_note() {
    let rig = Rig::new();
    let kept = rig.ingest("blank.pdf", "");
    rig.settled();
    let detail = rig.artifact(&kept);
    assert_eq!(detail.summary.note.as_deref(), Some("The file is empty."));
    assert_eq!((detail.summary.artifact.byte_size, detail.summary.reading), (0, None));
    assert_eq!(rig.recall("blank pdf").hits.len(), 1, "it is found by its name");
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn large_files_are_kept_beside_the_database_for_the_owner_only() {
    let rig = Rig::resting();
    let small = rig.ingest("small.bin", vec![0u8; 10 * 1024 * 1024 - 1]);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts WHERE storage_backend = 'sqlite_blob'"), 1);
    let bytes: Vec<u8> = (0..10 * 1024 * 1024u32).map(|at| (at >> 8) as u8).collect();
    let large = rig.ingest("large.bin", &bytes);
    let blobs = rig.data().join("blobs");
    let hash = rig.artifact(&large).summary.artifact.content_hash;
    let file = blobs.join(SPACE).join(&hash[..2]).join(&hash);
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(mode(&file), 0o600, "the file");
    for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(&blobs)) {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
    assert_eq!(mode(rig.data()), 0o700, "the data folder");
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        assert_eq!(mode(&rig.data().join(name)), 0o600, "{name}");
    }
    let incoming = std::fs::read_dir(&blobs)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("incoming-"));
    assert_eq!(incoming.count(), 0, "no temporary file is left");
    assert_ne!(small, large);
    // The same again leaves nothing behind either.
    rig.ingest("again.bin", &bytes);
    assert_eq!(std::fs::read_dir(&blobs).unwrap().count(), 1);
}

#[test]
fn a_large_file_that_was_taken_away_from_outside_comes_back_with_its_bytes() {
    let rig = Rig::resting();
    let bytes = vec![7u8; 10 * 1024 * 1024];
    let large = rig.ingest("large.bin", &bytes);
    std::fs::remove_dir_all(rig.data().join("blobs").join(SPACE)).unwrap();
    assert_eq!(rig.ingest("large.bin", &bytes), large);
    let (_, kept) = rig.engine().original(&um_engine::Caller::owner("test"), &large).unwrap();
    assert_eq!(kept, bytes);
}

#[test]
fn large_files_outlast_a_database_that_is_away_for_a_while() {
    let mut rig = Rig::resting();
    let bytes: Vec<u8> = (0..10 * 1024 * 1024u32).map(|at| (at >> 8) as u8).collect();
    let large = rig.ingest("large.bin", &bytes);
    let (data, other) = (rig.copied(1), rig.data().to_owned());
    let file = data.join("blobs").join(SPACE);
    let litter = data.join("blobs/incoming-1");
    std::fs::write(&litter, "half a file").unwrap();
    let aside = data.with_file_name("aside.db");
    let names = ["memory.db", "memory.db-wal", "memory.db-shm"];
    for name in names {
        std::fs::rename(data.join(name), aside.with_extension(name)).unwrap();
    }
    // Whoever starts the program now gets an empty database.
    rig.move_to(data.clone());
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 0);
    assert!(file.exists() && !litter.exists());
    rig.move_to(other);
    for name in names {
        drop(std::fs::remove_file(data.join(name)));
        std::fs::rename(aside.with_extension(name), data.join(name)).unwrap();
    }
    rig.move_to(data);
    let (_, kept) = rig.engine().original(&um_engine::Caller::owner("test"), &large).unwrap();
    assert_eq!(kept, bytes);
}

#[test]
fn a_file_over_the_limit_is_refused() {
    let rig = Rig::resting();
    let path = rig.file("huge.bin", "");
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(100 * 1024 * 1024 + 1).unwrap();
    let error = rig.ingest_path(SPACE, &path).remove(0).error.unwrap();
    assert_eq!(error.code, ErrorCode::FileTooLarge);
    assert!(error.hint.is_some());
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 0);
    file.set_len(100 * 1024 * 1024).unwrap();
    assert!(rig.ingest_path(SPACE, &path).remove(0).created, "just the limit is taken");
}

#[test]
fn lists_are_filtered_ordered_and_paged() {
    #[track_caller]
    fn check(rig: &Rig, change: impl FnOnce(&mut ArtifactsList), expected: &[&str], total: u64) {
        let mut request = ArtifactsList::default();
        change(&mut request);
        let listed = rig.run(request).unwrap();
        let names: Vec<_> = listed.artifacts.iter().map(|a| a.artifact.filename.as_str()).collect();
        assert_eq!((names.as_slice(), listed.total), (expected, total));
    }
    let rig = Rig::new();
    let first = rig.ingest("b.txt", "short");
    rig.advance(1000);
    rig.ingest("A.png", inputs::png("words on a picture"));
    rig.advance(1000);
    rig.ingest("c 100%.txt", "somewhat longer text");
    rig.settled();
    use um_model::capture::ArtifactOrder::{Name, Newest, Size};
    check(&rig, |r| r.order = Newest, &["c 100%.txt", "A.png", "b.txt"], 3);
    check(&rig, |r| r.order = Name, &["A.png", "b.txt", "c 100%.txt"], 3);
    check(&rig, |r| (r.order, r.limit, r.offset) = (Name, Some(1), 1), &["b.txt"], 3);
    check(&rig, |r| (r.order, r.limit) = (Size, Some(1)), &["A.png"], 3);
    check(&rig, |r| r.name = Some("a.P".into()), &["A.png"], 1);
    check(&rig, |r| r.name = Some("%".into()), &["c 100%.txt"], 1);
    check(&rig, |r| r.modalities = vec![Modality::Image], &["A.png"], 1);
    check(&rig, |r| r.since = Some(crate::support::BEGIN + 1001), &["c 100%.txt"], 1);
    check(&rig, |r| r.states = vec![JobStatus::Failed], &[], 0);
    check(&rig, |r| r.deleted = true, &[], 0);
    rig.run(um_model::capture::ArtifactRemove { id: first }).unwrap();
    check(&rig, |r| r.deleted = true, &["b.txt"], 1);
    check(&rig, |r| (r.order, r.limit) = (Name, Some(0)), &[], 2);
}

#[test]
fn display_gives_pixels_and_samples() {
    #[track_caller]
    fn check(rig: &Rig, id: &um_model::ArtifactId, part: MediaPart, expected: Result<&str, ErrorCode>) {
        let media = rig.run(MediaRead { id: id.clone(), part });
        match (media, expected) {
            (Ok(media), Ok(mime)) => assert_eq!(media.mime_type, mime, "{part:?}"),
            (Err(error), Err(code)) => assert_eq!(error.code, code, "{part:?}: {error}"),
            (media, expected) => panic!("{part:?}: {:?}, not {expected:?}", media.map(|m| m.mime_type)),
        }
    }
    let rig = Rig::new();
    let picture = rig.ingest("p.png", inputs::png("pixels"));
    let paper = rig.ingest("p.pdf", inputs::pdf(None, &[Page::Scan("scanned".into())]));
    let sound = rig.ingest("p.wav", inputs::wav(&["sound"]));
    let text = rig.ingest("p.txt", "text");
    let page = |page| MediaPart::Page { page, width: 400 };
    check(&rig, &picture, MediaPart::Original, Ok("image/png"));
    check(&rig, &picture, MediaPart::Upright, Ok("image/png"));
    check(&rig, &picture, page(1), Err(ErrorCode::InvalidRequest));
    check(&rig, &paper, page(1), Ok("image/png"));
    check(&rig, &paper, page(2), Err(ErrorCode::NotFound));
    check(&rig, &paper, page(0), Err(ErrorCode::NotFound));
    check(&rig, &sound, MediaPart::Sound, Ok("audio/wav"));
    check(&rig, &sound, MediaPart::Waveform { bins: 16 }, Ok("application/octet-stream"));
    check(&rig, &text, MediaPart::Thumbnail, Err(ErrorCode::InvalidRequest));
    check(&rig, &text, MediaPart::Upright, Err(ErrorCode::InvalidRequest));
    rig.settled();
}

#[test]
fn a_thumbnail_is_made_once_and_goes_with_its_file() {
    let rig = Rig::resting();
    let id = rig.ingest("p.pdf", inputs::pdf(None, &[Page::Scan("scanned".into())]));
    let thumbnail = || rig.run(MediaRead { id: id.clone(), part: MediaPart::Thumbnail }).unwrap().base64;
    let opened = || rig.script.pdf_opened.load(std::sync::atomic::Ordering::Relaxed);
    let first = thumbnail();
    assert_eq!((opened(), rig.count("SELECT count(*) FROM thumbnails")), (1, 1));
    assert_eq!((thumbnail(), opened()), (first.clone(), 1), "the second time it is only fetched");
    rig.run(ArtifactRemove { id: id.clone() }).unwrap();
    assert_eq!(rig.count("SELECT count(*) FROM thumbnails"), 0);
    assert_eq!(
        (thumbnail(), rig.count("SELECT count(*) FROM thumbnails")),
        (first, 0),
        "of what is removed none is kept"
    );
}

#[test]
fn pictures_do_not_wait_for_a_recording() {
    let rig = Rig::resting();
    let sound = rig.ingest("p.wav", inputs::wav(&["sound"]));
    let picture = rig.ingest("p.png", inputs::png("pixels"));
    rig.script.sound.close();
    std::thread::scope(|scope| {
        let waveform = scope.spawn(|| rig.run(MediaRead { id: sound, part: MediaPart::Waveform { bins: 8 } }));
        rig.until("the recording is being decoded", || rig.script.sound.inside() == 1);
        rig.run(MediaRead { id: picture, part: MediaPart::Upright }).unwrap();
        rig.script.sound.open();
        waveform.join().unwrap().unwrap();
    });
}

/// What an agent may bring in of a folder: one row for each path that it asks for, with the files that came in and those that
/// were refused.
#[test]
#[cfg(unix)]
fn an_agent_brings_in_what_lies_open_to_it() {
    let rig = Rig::new();
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    let open = |folders: &[&Path]| rig.open_to("bot", folders);
    for name in
        ["open/a.txt", "open/sub/b.txt", "open/.hidden/c.txt", "open/server.pem", "open/id_ed25519", "shut/d.txt"]
    {
        rig.file(name, name);
    }
    for name in ["memory.db", "forgotten.key", "person.token", "note.txt"] {
        rig.file(&format!("open/other/{name}"), name);
    }
    let folder = rig.folder();
    std::fs::hard_link(folder.join("shut/d.txt"), folder.join("open/linked.txt")).unwrap();
    std::os::unix::fs::symlink(folder.join("shut/d.txt"), folder.join("open/soft.txt")).unwrap();
    std::os::unix::fs::symlink(folder.join("open"), folder.join("also-open")).unwrap();
    #[track_caller]
    fn check(rig: &Rig, agent: &Caller, path: &str, came: &[&str], refused: &[&str]) -> Option<String> {
        let folder = rig.folder();
        let request = serde_json::json!({ "paths": [folder.join(path).display().to_string()], "space": SPACE });
        let answer = rig.engine().call(agent, "memory_ingest", request).unwrap();
        let told = |refused: bool| -> Vec<String> {
            let files = answer["files"].as_array().unwrap().iter().filter(|file| file["error"].is_object() == refused);
            let named = files.map(|file| file["path"].as_str().unwrap().to_owned());
            named.map(|path| path.trim_start_matches(&format!("{}/", folder.display())).to_owned()).collect()
        };
        assert_eq!(
            (told(false), told(true)),
            (came.iter().map(|s| s.to_string()).collect(), refused.iter().map(|s| s.to_string()).collect()),
            "{path}"
        );
        let codes = answer["files"].as_array().unwrap().iter().filter_map(|file| file["error"]["code"].as_str());
        assert!(codes.clone().all(|code| code == "forbidden"), "{path}: {:?}", codes.collect::<Vec<_>>());
        let first = answer["files"].as_array().unwrap().iter().find(|file| file["error"].is_object());
        first.map(|file| format!("{} {}", file["error"]["message"], file["error"]["hint"]))
    }
    let shut = check(&rig, &agent, "open/a.txt", &[], &["open/a.txt"]).unwrap();
    let missing = check(&rig, &agent, "open/z.txt", &[], &["open/z.txt"]).unwrap();
    assert_eq!(shut.replace("a.txt", "z.txt"), missing, "what is not there is told as what is closed");
    open(&[&folder.join("also-open")]).unwrap();
    let keys = ["open/id_ed25519", "open/linked.txt", "open/server.pem"];
    check(&rig, &agent, "open", &["open/a.txt", "open/sub/b.txt"], &keys);
    for path in ["open/soft.txt", "open/../shut/d.txt", "shut", "open/.hidden/c.txt", "open/.hidden", "open/linked.txt"]
    {
        check(&rig, &agent, path, &[], &[path]);
    }
    check(&rig, &agent, "also-open/a.txt", &["open/a.txt"], &[]);
    assert_eq!(open(&[&folder.join("open/a.txt")]).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(open(&[Path::new("/nowhere/at/all")]).unwrap_err().code, ErrorCode::Io);
    assert_eq!(open(&[rig.data()]).unwrap_err().code, ErrorCode::InvalidRequest);
    rig.watch(|watch| watch.path = folder.join("shut").display().to_string());
    check(&rig, &agent, "shut/d.txt", &[], &["shut/d.txt"]);
    std::fs::remove_file(folder.join("open/linked.txt")).unwrap();
    check(&rig, &agent, "shut/d.txt", &["shut/d.txt"], &[]);
    rig.run(AgentRevoke { agent: "bot".into(), token: None }).unwrap();
    let bot = rig.run(AgentsList {}).unwrap().agents.into_iter().find(|one| one.name == "bot").unwrap();
    assert_eq!(bot.folders, [""; 0], "whoever comes next under that name brings in nothing");
    assert_eq!(rig.ingest_path(SPACE, &folder.join("open/server.pem")).len(), 1, "the person brings in what they like");
    let other = rig.ingest_path(SPACE, &folder.join("open/other/note.txt"));
    assert_eq!(other[0].error.as_ref().unwrap().code, ErrorCode::InvalidRequest, "but another memory's folder");
}

/// What is watched is open to agents as far as the watch goes: what it leaves out is told as what is not there.
#[test]
fn what_a_watch_leaves_out_is_closed_to_agents() {
    let rig = Rig::new();
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    for name in ["w/a.md", "w/taxes/t.md", "w/build/b.md", "w/c.txt", "w/.gitignore", "w/secrets.md", "w/pgp.md"] {
        rig.file(name, name);
    }
    rig.file("w/.gitignore", "build/");
    rig.file("w/pgp.md", "Mine:\n-----BEGIN OPENSSH PRIVATE KEY-----");
    rig.watch(|watch| {
        watch.path = rig.folder().join("w").display().to_string();
        (watch.include, watch.exclude) = (vec!["*.md".to_owned()], vec!["taxes/**".to_owned()]);
        watch.honour_gitignore = true;
    });
    rig.compared();
    let brought = |path: &str| {
        let path = rig.folder().join(path).display().to_string();
        let request = serde_json::json!({ "paths": [path], "space": SPACE });
        let answer = rig.engine().call(&agent, "memory_ingest", request).unwrap();
        let files = answer["files"].as_array().unwrap().iter();
        let told = |file: &serde_json::Value| {
            let name = Path::new(file["path"].as_str().unwrap()).file_name().unwrap().to_string_lossy().into_owned();
            (name, file["error"]["message"].as_str().map(|message| message.replace(&path, "PATH")))
        };
        files.map(told).collect::<Vec<_>>()
    };
    assert_eq!(brought("w/a.md"), [("a.md".to_owned(), None)]);
    let missing = brought("w/nothing.md").remove(0).1;
    for path in ["w/taxes/t.md", "w/taxes", "w/build/b.md", "w/c.txt"] {
        assert_eq!(brought(path).remove(0).1, missing, "{path}");
    }
    let of_all: Vec<(String, bool)> = brought("w").into_iter().map(|(name, error)| (name, error.is_none())).collect();
    assert_eq!(of_all, [("a.md".to_owned(), true), ("pgp.md".to_owned(), false), ("secrets.md".to_owned(), false)]);
    rig.pause();
    assert!(brought("w/a.md").remove(0).1.is_some(), "a watch that rests opens nothing");
}

#[test]
fn what_is_found_by_its_name_alone_says_why() {
    let rig = Rig::new();
    rig.ingest("zeppelin.txt", "");
    rig.ingest("lighthouse.xyz", [0_u8, 159, 146, 150, 0, 1]);
    rig.ingest("heron.txt", "The heron waits at the pier.");
    rig.settled();
    let check = |name: &str, expected: Option<&str>| {
        let hit = rig.recall(name).hits.into_iter().find(|hit| hit.title.starts_with(name)).unwrap();
        assert_eq!(hit.note.as_deref(), expected, "{name}: {hit:?}");
    };
    check("zeppelin", Some("The file is empty."));
    check("lighthouse", Some("There is no reader for this type of file."));
    check("heron", None);
}
