//! Reading: page by page, again, behind a password; and what becomes of a file that is removed.

use crate::forgetting::forget;
use crate::support::inputs::{self, Page};
use crate::support::{Rig, check_quote};
use std::sync::atomic::Ordering;
use um_engine::provider::ProviderError;
use um_model::capture::*;
use um_model::forget::ForgetWhat;
use um_model::health::SettingsSet;
use um_model::{ApiError, ErrorCode, JobStatus, MemoryStatus, ViewType};

fn text(words: &str) -> Page {
    Page::Text(format!("this page has a text layer {words}"))
}

fn scan(words: &str) -> Page {
    Page::Scan(format!("a scanned page {words}"))
}

#[test]
fn a_pdf_that_mixes_text_and_scans_is_complete() {
    let rig = Rig::new();
    let id = rig.ingest("mixed.pdf", inputs::pdf(None, &[text("alpha"), scan("beta"), text("gamma")]));
    rig.settled();
    let detail = rig.artifact(&id);
    let views: Vec<_> = detail.views.iter().map(|v| (v.page, v.view_type)).collect();
    assert_eq!(views, [(Some(1), ViewType::Pdf), (Some(2), ViewType::Ocr), (Some(3), ViewType::Pdf)]);
    assert_eq!(detail.summary.artifact.page_count, Some(3));
    assert_eq!(detail.page_sizes, [[600.0, 800.0]; 3]);
    for (word, page) in [("alpha", 1), ("beta", 2), ("gamma", 3)] {
        let hits = rig.found(word);
        assert_eq!((hits.len(), hits[0].page), (1, Some(page)), "{word}");
        check_quote(&rig, &hits[0]);
    }
}

#[test]
fn a_page_that_breaks_the_reader_costs_that_page_only() {
    #[track_caller]
    fn check(pages: &[Page], code: ErrorCode, words: &str, found: &[&str]) {
        let rig = Rig::new();
        let id = rig.ingest("broken.pdf", inputs::pdf(None, pages));
        rig.settled();
        let job = rig.reading(&id);
        let error = job.error.unwrap();
        assert_eq!((job.status, error.code), (JobStatus::Failed, code), "{error:?}");
        assert!(error.message.contains(words), "{error:?}");
        for word in found {
            assert_eq!(rig.found(word).len(), 1, "{word}");
        }
        assert_eq!(rig.artifact(&id).views.len(), found.len());
    }
    let pages = [text("alpha"), Page::Broken, scan("gamma")];
    check(&pages, ErrorCode::ReaderFailed, "1 of 3 pages", &["alpha", "gamma"]);
    check(&[Page::Broken, Page::Broken], ErrorCode::CorruptFile, "Page 1", &[]);
    check(&[Page::Broken, text("omega")], ErrorCode::ReaderFailed, "1 of 2 pages", &["omega"]);
}

/// It says a number in another spelling than what was forgotten: it was not found in it then.
#[track_caller]
fn stays_as_it_was_read(read_by: &str) {
    let rig = Rig::new();
    let pages = [scan("alpha"), scan("her number is +442079460958")];
    let id = rig.ingest("scans.pdf", inputs::pdf(None, &pages));
    let note = rig.remember("Call Mira at +44 20 7946 0958 on Tuesday.").id;
    rig.settled();
    let read_by = format!("UPDATE derived_text_views SET view_type = '{read_by}' WHERE page = 2");
    rig.db().execute_batch(&read_by).unwrap();
    let before: Vec<_> = rig.artifact(&id).views.into_iter().map(|view| view.id).collect();
    forget(&rig, ForgetWhat { memory: Some(note), ..ForgetWhat::default() });
    *rig.script.ocr_config.lock().unwrap() = "2".to_owned();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.reads(&id, JobStatus::Failed);
    let error = rig.reading(&id).error.unwrap();
    assert_eq!(error.code, ErrorCode::ReaderFailed, "{error:?}");
    assert!(error.message.contains("1 of 2 pages") && error.message.contains("stays as it was read"), "{error:?}");
    let views: Vec<_> = rig.artifact(&id).views.into_iter().map(|view| view.id).collect();
    assert_eq!((views.len(), &views[1]), (2, &before[1]));
    assert_ne!(views[0], before[0], "the other page is read again");
    assert!(!rig.artifact(&id).summary.artifact.redacted);
}

#[test]
fn a_page_that_turns_out_to_say_what_was_forgotten_stays_as_it_was_read() {
    // By what was recognised on it, as now, or by its own text.
    ["ocr_text", "pdf_text"].into_iter().for_each(stays_as_it_was_read);
}

#[test]
fn a_page_without_words_that_turns_out_to_say_what_was_forgotten_costs_no_other_page() {
    let rig = Rig::new();
    let id = rig.ingest("scans.pdf", inputs::pdf(None, &[text("alpha"), Page::Scan(String::new())]));
    let note = rig.remember("Call Mira at +44 20 7946 0958 on Tuesday.").id;
    rig.settled();
    let before: Vec<_> = rig.artifact(&id).views.into_iter().map(|view| view.id).collect();
    assert_eq!(before.len(), 2);
    forget(&rig, ForgetWhat { memory: Some(note), ..ForgetWhat::default() });
    *rig.script.ocr_config.lock().unwrap() = "2".to_owned();
    *rig.script.ocr_prefix.lock().unwrap() = "her number is +442079460958".to_owned();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.reads(&id, JobStatus::Failed);
    let error = rig.reading(&id).error.unwrap();
    assert!(error.message.contains("1 of 2 pages") && error.message.contains("stays as it was read"), "{error:?}");
    assert_eq!(rig.artifact(&id).views.into_iter().map(|view| view.id).collect::<Vec<_>>(), before);
    assert!(!rig.artifact(&id).summary.artifact.redacted);
    assert_eq!(rig.found("alpha").len(), 1);
}

#[test]
fn a_picture_that_turns_out_to_say_what_was_forgotten_stays_as_it_was_read() {
    let rig = Rig::new();
    let id = rig.ingest("note.png", inputs::png("her number is +442079460958"));
    let note = rig.remember("Call Mira at +44 20 7946 0958 on Tuesday.").id;
    rig.settled();
    let before: Vec<_> = rig.artifact(&id).views.into_iter().map(|view| view.id).collect();
    forget(&rig, ForgetWhat { memory: Some(note), ..ForgetWhat::default() });
    *rig.script.ocr_config.lock().unwrap() = "2".to_owned();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.reads(&id, JobStatus::Failed);
    let error = rig.reading(&id).error.unwrap();
    assert_eq!(error.code, ErrorCode::Forgotten, "{error:?}");
    assert_eq!(rig.artifact(&id).views.into_iter().map(|view| view.id).collect::<Vec<_>>(), before);
    assert!(!rig.artifact(&id).summary.artifact.redacted);
}

#[test]
fn a_hostile_pdf_costs_that_file_only() {
    let rig = Rig::new();
    let bad = rig.ingest("bad.pdf", "%PDF-1.7\nnothing of a PDF");
    let good = rig.ingest("good.txt", "a fine day");
    rig.settled();
    let job = rig.reading(&bad);
    assert_eq!((job.status, job.error.unwrap().code), (JobStatus::Failed, ErrorCode::CorruptFile));
    assert_eq!(rig.reading(&good).status, JobStatus::Completed);
}

/// Waits until a file's reading was tried so often, and rests.
#[track_caller]
fn tried(rig: &Rig, id: &um_model::ArtifactId, times: u32) {
    rig.until("it was tried", || {
        let job = rig.reading(id);
        job.status != JobStatus::Processing && job.attempts == times
    });
}

#[test]
fn pages_that_may_be_read_another_time_are_tried_again_and_they_alone() {
    #[track_caller]
    fn check(error: ProviderError) {
        let rig = Rig::new();
        rig.script.ocr_errors.lock().unwrap().push_back(error);
        let id = rig.ingest("scans.pdf", inputs::pdf(None, &[scan("alpha"), scan("beta"), scan("gamma")]));
        tried(&rig, &id, 1);
        let job = rig.reading(&id);
        let error = job.error.unwrap();
        assert_eq!((job.status, error.code), (JobStatus::Pending, ErrorCode::ReaderFailed), "{error:?}");
        assert!(error.message.starts_with("1 of 3 pages could not be read; the first is page 1"), "{error:?}");
        assert_eq!((rig.found("alpha").len(), rig.found("beta").len(), rig.found("gamma").len()), (0, 1, 1));
        let before = rig.artifact(&id).views;
        rig.advance(1_000);
        rig.wake();
        rig.settled();
        assert_eq!((rig.reading(&id).status, rig.reading(&id).error), (JobStatus::Completed, None));
        assert_eq!(rig.script.ocr_read.lock().unwrap().len(), 3, "each page once");
        let views = rig.artifact(&id).views;
        assert!(views.len() == 3 && before.iter().all(|view| views.contains(view)));
        assert_eq!(rig.found("alpha").len(), 1);
        // Asked for once more, nothing is read.
        rig.run(ArtifactReread { id }).unwrap();
        rig.settled();
        assert_eq!(rig.script.ocr_read.lock().unwrap().len(), 3);
    }
    check(ProviderError::Failed("not now".into()));
    check(ProviderError::TimedOut { seconds: 60 });
}

#[test]
fn a_page_that_never_can_be_read_poisons_its_file_after_three_tries() {
    let rig = Rig::new();
    // One page is read; the other fails each time, and beside it a page that no try can mend.
    let errors = std::iter::repeat_n(ProviderError::Failed("not now".into()), 3);
    rig.script.ocr_errors.lock().unwrap().extend(errors);
    let id = rig.ingest("scans.pdf", inputs::pdf(None, &[scan("alpha"), Page::Broken, text("gamma")]));
    for (times, pause) in [(1, 1_000), (2, 4_000)] {
        tried(&rig, &id, times);
        assert_eq!(rig.reading(&id).status, JobStatus::Pending);
        rig.advance(pause);
        rig.wake();
    }
    rig.reads(&id, JobStatus::Poison);
    let error = rig.reading(&id).error.unwrap();
    assert!(error.message.starts_with("2 of 3 pages"), "{error:?}");
    assert_eq!(rig.found("gamma").len(), 1, "what was read stays");
}

#[test]
fn a_try_that_leaves_pages_unread_keeps_their_older_readings() {
    let rig = Rig::new();
    let pages: Vec<Page> = (0..8).map(|number| scan(&format!("sheet{number}"))).collect();
    let id = rig.ingest("scans.pdf", inputs::pdf(None, &pages));
    rig.settled();
    // Other settings, and a recogniser that gives up before the end.
    *rig.script.ocr_config.lock().unwrap() = "2".into();
    let errors = std::iter::repeat_n(ProviderError::Corrupt("no".into()), 5);
    rig.script.ocr_errors.lock().unwrap().extend(errors);
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.settled();
    assert_eq!(rig.reading(&id).status, JobStatus::Failed);
    for number in 0..8 {
        assert_eq!(rig.found(&format!("sheet{number}")).len(), 1, "{number}");
    }
}

#[test]
fn a_file_tells_itself_when_it_was_made() {
    #[track_caller]
    fn check(name: &str, bytes: Vec<u8>, expected: Option<i64>) {
        let rig = Rig::new();
        let id = rig.ingest(name, bytes);
        rig.settled();
        let of_disk = {
            let changed = std::fs::metadata(rig.folder().join(name)).unwrap().modified().unwrap();
            changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64
        };
        let detail = rig.artifact(&id);
        let expected = Some(expected.unwrap_or(of_disk));
        assert_eq!(detail.summary.artifact.occurred_at, expected, "{name}");
        assert_eq!(rig.memory(&detail.summary.memory_id.unwrap()).occurred_at, expected, "{name}");
    }
    let paper = |created: &str| {
        inputs::Paper { password: None, created: Some(created.into()), pages: vec![text("words")] }.file()
    };
    check("photo.png", inputs::photo("a picture", "2024:02:29 12:34:56"), Some(1_709_210_096_000));
    check("unset.png", inputs::photo("a picture", "0000:00:00 00:00:00"), None);
    check("later.png", inputs::photo("a picture", "2099:01:01 00:00:00"), None);
    check("plain.png", inputs::png("a picture"), None);
    check("paper.pdf", paper("D:20240229123456Z"), Some(1_709_210_096_000));
    check("odd.pdf", paper("last summer"), None);
    check("note.txt", b"words".to_vec(), None);
}

#[test]
fn the_time_of_a_photo_counts_in_recall() {
    use um_model::recall::MemoryRecall;
    let rig = Rig::new();
    rig.ingest("photo.png", inputs::photo("the spotted crake", "2024:02:29 12:34:56"));
    rig.settled();
    let found = |since| {
        let request = MemoryRecall { query: "crake".into(), since: Some(since), ..MemoryRecall::default() };
        rig.run(request).unwrap().hits.len()
    };
    assert_eq!((found(1_709_210_096_000), found(1_709_210_096_001)), (1, 0));
}

#[test]
fn a_long_recording_is_heard_in_stretches() {
    const STRETCH: usize = 600 * 16_000;
    let rig = Rig::new();
    rig.script.speech.store(true, Ordering::Relaxed);
    // The double reads one sample a byte: loud ones, and silence across the end of the first stretch.
    let mut bytes = inputs::wav(&["beginning"]);
    bytes.push(0);
    bytes.resize(STRETCH - 20_000, b'z');
    bytes.resize(STRETCH + 20_000, 0);
    bytes.extend(inputs::wav(&["the end"]));
    let samples = bytes.len();
    let id = rig.ingest("long.wav", bytes);
    rig.settled();
    assert_eq!(rig.reading(&id).status, JobStatus::Completed, "{:?}", rig.reading(&id).error);
    let heard = rig.script.heard.lock().unwrap().clone();
    assert_eq!((heard.len(), heard.iter().sum::<usize>()), (2, samples), "{heard:?}");
    assert!(heard[0] > STRETCH - 20_000 && heard[0] < STRETCH, "cut where it is quiet: {heard:?}");
    assert_eq!(rig.artifact(&id).summary.artifact.duration_ms, Some(samples as u64 / 16));
    let hit = &rig.found("end")[0];
    assert_eq!(hit.matches[0].time.unwrap().start_ms, heard[0] as u64 / 16, "times are of the whole recording");
    assert_eq!(std::fs::read_dir(rig.data().join("tmp")).unwrap().count(), 0, "nothing of it is left on disk");
}

fn unlock(rig: &Rig, id: &um_model::ArtifactId, password: &str) -> Result<(), ApiError> {
    rig.run(ArtifactUnlock { id: id.clone(), password: password.into() }).map(drop)
}

#[test]
fn a_locked_pdf_waits_for_its_password() {
    let rig = Rig::new();
    let secret = "correct horse battery";
    // The double keeps the password in the file itself; what must not hold it is everything else.
    let id = rig.ingest("locked.pdf", inputs::pdf(Some(secret), &[text("treasure"), scan("island")]));
    rig.reads(&id, JobStatus::WaitingForPassword);
    assert_eq!(rig.reading(&id).error.unwrap().code, ErrorCode::PasswordNeeded);
    assert!(rig.found("treasure").is_empty());

    let before = rig.script.pdf_opened.load(Ordering::Relaxed);
    unlock(&rig, &id, "wrong").unwrap();
    rig.until("the wrong one was tried", || rig.script.pdf_opened.load(Ordering::Relaxed) > before);
    rig.reads(&id, JobStatus::WaitingForPassword);
    assert!(rig.reading(&id).error.unwrap().message.contains("does not open"));

    unlock(&rig, &id, secret).unwrap();
    rig.settled();
    assert_eq!(rig.reading(&id).status, JobStatus::Completed);
    assert_eq!((rig.found("treasure").len(), rig.found("island").len()), (1, 1));
    for column in ["payload", "purpose", "request_id"] {
        let held = rig.count(&format!("SELECT count(*) FROM audit_events WHERE {column} LIKE '%horse%'"));
        assert_eq!(held, 0, "{column}");
    }
    assert_eq!(
        rig.count("SELECT count(*) FROM jobs WHERE last_error LIKE '%horse%' OR progress_note LIKE '%horse%'"),
        0
    );
    assert_eq!(rig.count("SELECT count(*) FROM system_settings WHERE value LIKE '%horse%'"), 0);
    let nobody = um_model::ArtifactId::parse(um_model::OWNER_AGENT).unwrap();
    assert_eq!(unlock(&rig, &nobody, "x").unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn a_password_is_forgotten_when_the_service_ends() {
    let mut rig = Rig::new();
    let id = rig.ingest("locked.pdf", inputs::pdf(Some("open"), &[text("treasure")]));
    rig.reads(&id, JobStatus::WaitingForPassword);
    unlock(&rig, &id, "open").unwrap();
    rig.settled();
    rig.reopen(crate::support::MODEL);
    rig.engine().start();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.reads(&id, JobStatus::WaitingForPassword);
    assert_eq!(rig.found("treasure").len(), 1, "what was read stays");
}

#[test]
fn reading_again_puts_the_new_text_in_the_old_ones_place() {
    let rig = Rig::new();
    let id = rig.ingest("shot.png", inputs::png("an old reading"));
    rig.settled();
    let first = rig.artifact(&id).views.remove(0);
    // Nothing changed: nothing new.
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.settled();
    assert_eq!(rig.artifact(&id).views, std::slice::from_ref(&first));

    *rig.script.ocr_config.lock().unwrap() = "2".into();
    *rig.script.ocr_prefix.lock().unwrap() = "better ".into();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.settled();
    let views = rig.artifact(&id).views;
    assert_eq!(views.len(), 1);
    assert_ne!(views[0].id, first.id);
    let hits = rig.found("reading");
    assert_eq!((hits.len(), hits[0].quote.as_str()), (1, "better an old reading"));

    // And back: the first reading is found again.
    *rig.script.ocr_config.lock().unwrap() = "1".into();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.settled();
    assert_eq!(rig.found("reading")[0].quote, "an old reading");
    assert_eq!(rig.found("better").len(), 0);
}

#[test]
fn another_language_is_another_reading() {
    let rig = Rig::new();
    let id = rig.ingest("shot.png", inputs::png("words in a picture"));
    rig.settled();
    let english = rig.artifact(&id).views.remove(0).config_hash;
    rig.run(SettingsSet { ocr_languages: Some("eng+deu".into()), ..SettingsSet::default() }).unwrap();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.settled();
    assert_ne!(rig.artifact(&id).views[0].config_hash, english);
}

#[test]
fn a_removed_file_leaves_recall_and_a_restored_one_comes_back() {
    let rig = Rig::new();
    let id = rig.ingest("note.txt", "the storm petrel");
    rig.settled();
    let memory = rig.artifact(&id).summary.memory_id.unwrap();
    rig.run(ArtifactRemove { id: id.clone() }).unwrap();
    assert!(rig.recall("storm petrel").hits.is_empty());
    assert_eq!(rig.memory(&memory).status, MemoryStatus::Deleted);
    assert!(rig.artifact(&id).summary.artifact.deleted);
    let refused = rig.run(ArtifactReread { id: id.clone() }).unwrap_err();
    assert_eq!((refused.code, refused.hint.is_some()), (ErrorCode::Conflict, true));
    rig.run(ArtifactRemove { id: id.clone() }).unwrap();

    rig.run(ArtifactRestore { id: id.clone() }).unwrap();
    rig.settled();
    let hit = &rig.found("petrel")[0];
    assert_eq!(hit.score_parts.vector_rank, Some(1), "by meaning as well");
    assert_eq!(rig.memory(&memory).status, MemoryStatus::Active);
    rig.run(ArtifactRestore { id: id.clone() }).unwrap();

    // The same bytes again bring it back too.
    rig.run(ArtifactRemove { id: id.clone() }).unwrap();
    assert_eq!(rig.ingest("note.txt", "the storm petrel"), id);
    rig.settled();
    assert_eq!(rig.found("petrel").len(), 1);
}

#[test]
fn a_file_removed_before_it_was_read_is_read_once_it_is_restored() {
    let rig = Rig::new();
    rig.pause();
    let id = rig.ingest("shot.png", inputs::png("an early bittern"));
    rig.run(ArtifactRemove { id: id.clone() }).unwrap();
    assert_eq!(rig.reading(&id).status, JobStatus::Cancelled);
    rig.wake();
    rig.settled();
    rig.run(ArtifactRestore { id: id.clone() }).unwrap();
    rig.settled();
    assert_eq!(rig.found("bittern").len(), 1);
}

#[test]
fn a_view_is_read_in_parts() {
    #[track_caller]
    fn check(rig: &Rig, id: &um_model::ViewId, span: (u32, u32), text: &str, given: (u32, u32)) {
        let span = um_model::Utf16Span::new(span.0, span.1);
        let read = rig.run(ViewRead { id: id.clone(), span: Some(span) }).unwrap();
        assert_eq!((read.text.as_str(), (read.span.start, read.span.end)), (text, given));
    }
    let rig = Rig::new();
    let id = rig.ingest("smile.txt", "a😀b and more");
    rig.settled();
    let view = rig.artifact(&id).views.remove(0).id;
    check(&rig, &view, (0, 4), "a😀b", (0, 4));
    check(&rig, &view, (1, 3), "😀", (1, 3));
    check(&rig, &view, (2, 4), "😀b", (1, 4));
    check(&rig, &view, (0, 2), "a😀", (0, 3));
    check(&rig, &view, (2, 2), "😀", (1, 3));
    check(&rig, &view, (9, 900), "more", (9, 13));
    check(&rig, &view, (900, 901), "", (13, 13));
}

/// What of the folder for work is open in this process, as somebody else who has it open sees it, with or without a name.
#[cfg(target_os = "linux")]
fn work_files(rig: &Rig) -> Vec<std::fs::File> {
    let scratch = rig.data().canonicalize().unwrap().join("tmp");
    let named = std::fs::read_dir(&scratch).unwrap().map(|entry| entry.unwrap().path());
    let unnamed = std::fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let target = std::fs::read_link(path).unwrap_or_default();
        target.starts_with(&scratch) && target.to_string_lossy().ends_with("(deleted)")
    });
    named.chain(unnamed).map(|path| std::fs::File::open(path).unwrap()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_written_to_be_read_is_overwritten_before_it_goes() {
    use crate::support::doubles::{Gate, Script};
    use std::io::{Read, Seek};
    use std::os::unix::fs::MetadataExt;
    type Closed = (&'static str, Vec<u8>, fn(&Script) -> &Gate, usize);
    let closed: [Closed; 3] = [
        ("a.png", inputs::png("a heron stands in the reeds"), |script| &script.ocr, 1),
        ("a.wav", inputs::wav(&["a heron stands in the reeds"]), |script| &script.sound, 2),
        // The recording as it came is gone by then, or not; what was decoded of it is there.
        ("b.wav", inputs::wav(&["two herons stand in the reeds"]), |script| &script.hearing, 1),
    ];
    for (name, bytes, gate, least) in closed {
        let rig = Rig::new();
        rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
        let gate = gate(&rig.script);
        gate.close();
        rig.ingest(name, bytes);
        rig.until("it is being read", || gate.inside() == 1);
        let mut files = work_files(&rig);
        assert!(files.len() >= least, "{name}: {files:?}");
        let written = files.iter().filter(|file| file.metadata().unwrap().size() > 0).count();
        assert!(written > 0, "{name}: {files:?}");
        gate.open();
        rig.settled();
        assert_eq!(rig.found("reeds").len(), 1, "{name}");
        for file in &mut files {
            file.rewind().unwrap();
            let mut left = Vec::new();
            file.read_to_end(&mut left).unwrap();
            assert!(left.iter().all(|byte| *byte == 0), "{name}: {} bytes", left.len());
            assert_eq!(file.metadata().unwrap().nlink(), 0, "{name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_a_death_left_of_work_is_overwritten_at_the_next_start() {
    use std::io::Read;
    let mut rig = Rig::resting();
    let mut open = Vec::new();
    rig.meanwhile(crate::support::MODEL, |data| {
        std::fs::create_dir_all(data.join("tmp/below")).unwrap();
        for name in ["tmp/read-x", "tmp/below/y"] {
            std::fs::write(data.join(name), "what was read").unwrap();
            open.push(std::fs::File::open(data.join(name)).unwrap());
        }
    });
    for mut file in open {
        let mut left = Vec::new();
        file.read_to_end(&mut left).unwrap();
        assert_eq!(left, [0; 13]);
    }
    assert_eq!(std::fs::read_dir(rig.data().join("tmp")).unwrap().count(), 0);
}
