//! Durable work: tried again, given up, cancelled, waiting, resumed.

use crate::support::inputs;
use crate::support::{Rig, SPACE};
use std::sync::atomic::Ordering;
use um_engine::provider::ProviderError;
use um_model::capture::{ArtifactRemove, ArtifactReread, ArtifactRestore, MemoryIngest};
use um_model::jobs::{JobCancel, JobRetry};
use um_model::models::{ModelAdd, ModelsList};
use um_model::{ArtifactId, EmbeddingState, ErrorCode, JobKind, JobStatus, ModelKind};

fn fails(rig: &Rig, times: usize) {
    let errors = std::iter::repeat_n(ProviderError::Failed("not now".into()), times);
    rig.script.ocr_errors.lock().unwrap().extend(errors);
}

/// Milliseconds until a job's next try.
fn delay(rig: &Rig) -> i64 {
    rig.count("SELECT not_before - updated_at FROM jobs WHERE kind = 'read'")
}

#[test]
fn what_fails_is_tried_three_times_with_growing_pauses() {
    let rig = Rig::new();
    fails(&rig, 2);
    // The machine may have been busy.
    rig.script.ocr_errors.lock().unwrap().push_back(ProviderError::TimedOut { seconds: 60 });
    let id = rig.ingest("shot.png", inputs::png("a heron"));
    let tried = |times| {
        let job = rig.reading(&id);
        job.status != JobStatus::Processing && job.attempts == times
    };
    for (attempt, pause) in [(1, 1_000), (2, 4_000)] {
        rig.until("it was tried", || tried(attempt));
        let job = rig.reading(&id);
        assert_eq!((job.status, job.error.unwrap().code), (JobStatus::Pending, ErrorCode::ReaderFailed));
        assert_eq!(delay(&rig), pause);
        rig.advance(pause);
        rig.wake();
    }
    rig.reads(&id, JobStatus::Poison);
    let job = rig.reading(&id);
    assert_eq!((job.attempts, job.error.as_ref().unwrap().code), (3, ErrorCode::TimedOut));
    assert_eq!(rig.artifact(&id).summary.note, job.error.map(|e| e.message), "the list says why");
    rig.run(JobRetry { id: job.id }).unwrap();
    rig.settled();
    assert_eq!((rig.reading(&id).status, rig.found("heron").len()), (JobStatus::Completed, 1));
}

#[test]
fn what_will_fail_again_is_not_tried_again() {
    #[track_caller]
    fn check(error: ProviderError, code: ErrorCode) {
        let rig = Rig::new();
        rig.script.ocr_errors.lock().unwrap().push_back(error);
        let id = rig.ingest("shot.png", inputs::png("a heron"));
        rig.settled();
        let job = rig.reading(&id);
        assert_eq!((job.status, job.attempts, job.error.unwrap().code), (JobStatus::Failed, 1, code));
        rig.run(JobRetry { id: job.id }).unwrap();
        rig.settled();
        assert_eq!(rig.found("heron").len(), 1, "a person may still ask for another try");
    }
    check(ProviderError::Corrupt("cut off".into()), ErrorCode::CorruptFile);
    check(ProviderError::Unsupported("no such codec".into()), ErrorCode::UnsupportedType);
}

/// As an adapter says that a program is not there.
fn lacks(what: &str) -> ProviderError {
    ProviderError::ToolMissing { what: what.into(), hint: "Install it.".into() }
}

#[test]
fn what_lacks_a_program_waits_and_then_runs_by_itself() {
    let rig = Rig::new();
    rig.script.ocr_errors.lock().unwrap().extend(std::iter::repeat_n(lacks("Tesseract"), 5));
    let ids: Vec<ArtifactId> =
        (0..4).map(|n| rig.ingest(&format!("{n}.png"), inputs::png(&format!("a knot {n}")))).collect();
    rig.settled();
    for id in &ids {
        let job = rig.reading(id);
        let error = job.error.unwrap();
        assert_eq!((job.status, job.attempts, error.code), (JobStatus::WaitingForModel, 0, ErrorCode::ToolMissing));
        assert_eq!(error.message, "Tesseract is not installed. Install it.");
        assert_eq!(rig.artifact(id).summary.note, Some(error.message), "the list says why");
    }
    assert_eq!(rig.run(ModelsList {}).unwrap().models[0].jobs_waiting, 0, "it is no model that they wait for");
    // One looks whether it is there by now: not yet.
    rig.advance(15_000);
    rig.wake();
    rig.until("one looked", || rig.script.ocr_errors.lock().unwrap().is_empty());
    rig.settled();
    assert!(ids.iter().all(|id| rig.reading(id).status == JobStatus::WaitingForModel), "and only one");
    // Now it is, and all are read.
    rig.advance(15_000);
    rig.wake();
    rig.until("all are read", || ids.iter().all(|id| rig.reading(id).status == JobStatus::Completed));
    rig.settled();
    assert_eq!(rig.found("knot").len(), 4);
}

#[test]
fn each_program_is_looked_for_by_itself() {
    let rig = Rig::new();
    rig.script.ocr_errors.lock().unwrap().push_back(lacks("Tesseract"));
    let picture = rig.ingest("shot.png", inputs::png("a godwit"));
    rig.reads(&picture, JobStatus::WaitingForModel);
    rig.script.embedding_lacks.store(true, Ordering::Relaxed);
    rig.remember("The eider dives.");
    rig.settled();
    rig.run(JobRetry { id: rig.reading(&picture).id }).unwrap();
    rig.reads(&picture, JobStatus::Completed);
    rig.settled();
    assert_eq!(rig.jobs().counts.get(&JobStatus::WaitingForModel), Some(&2), "what lacks another one waits on");
    rig.script.embedding_lacks.store(false, Ordering::Relaxed);
    rig.rescan();
    assert!(rig.found("eider")[0].score_parts.vector_rank.is_some(), "a start looks for all of them");
}

#[test]
fn a_reader_that_panics_costs_its_file_only() {
    let rig = Rig::new();
    let bad = rig.ingest("bad.png", inputs::png("PANIC"));
    for attempt in 1..3 {
        rig.until("it was tried", || {
            let job = rig.reading(&bad);
            job.attempts == attempt && job.status != JobStatus::Processing
        });
        rig.advance(60_000);
        rig.wake();
    }
    rig.reads(&bad, JobStatus::Poison);
    assert_eq!(rig.reading(&bad).error.unwrap().code, ErrorCode::Internal);
    for number in 0..6 {
        rig.ingest(&format!("{number}.png"), inputs::png(&format!("a good tern {number}")));
    }
    rig.settled();
    assert_eq!(rig.found("tern").len(), 6, "every reader still works");
}

#[test]
fn jobs_are_cancelled_wherever_they_stand() {
    let rig = Rig::new();
    rig.pause();
    let id = rig.ingest("pending.png", inputs::png("a pending plover"));
    let job = rig.run(JobCancel { id: rig.reading(&id).id }).unwrap();
    assert_eq!(job.status, JobStatus::Cancelled);
    rig.wake();
    rig.settled();
    assert_eq!(rig.found("plover").len(), 0);
    assert_eq!(rig.artifact(&id).summary.note.as_deref(), Some("Its reading was cancelled."));

    rig.script.ocr.close();
    let running = rig.ingest("running.png", inputs::png("a running rail"));
    rig.until("it is being read", || rig.script.ocr.inside() == 1);
    rig.run(JobCancel { id: rig.reading(&running).id }).unwrap();
    rig.reads(&running, JobStatus::Cancelled);
    rig.script.ocr.open();

    let waiting = rig.ingest("memo.wav", inputs::wav(&["a waiting wren"]));
    rig.reads(&waiting, JobStatus::WaitingForModel);
    rig.run(JobCancel { id: rig.reading(&waiting).id }).unwrap();
    assert_eq!(rig.reading(&waiting).status, JobStatus::Cancelled);

    let done = rig.ingest("done.txt", "a done dunlin");
    rig.settled();
    assert_eq!(rig.run(JobCancel { id: rig.reading(&done).id }).unwrap().status, JobStatus::Completed);
    for id in [&id, &running] {
        rig.run(JobRetry { id: rig.reading(id).id }).unwrap();
    }
    rig.settled();
    assert_eq!((rig.found("plover").len(), rig.found("rail").len()), (1, 1));
    let unknown = JobCancel { id: um_model::JobId::parse(um_model::OWNER_AGENT).unwrap() };
    assert_eq!(rig.run(unknown).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn a_recording_waits_for_its_model_and_then_runs_by_itself() {
    let rig = Rig::new();
    let id = rig.ingest("memo.wav", inputs::wav(&["the whimbrel calls"]));
    rig.reads(&id, JobStatus::WaitingForModel);
    let job = rig.reading(&id);
    let error = job.error.unwrap();
    assert_eq!((job.attempts, error.code, error.model), (0, ErrorCode::ModelMissing, Some(ModelKind::Speech)));
    assert!(!error.message.contains("umem"), "each door says in its own words what to do: {error:?}");
    assert_eq!(rig.run(ModelsList {}).unwrap().models[0].jobs_waiting, 1);

    let wrong = rig.file("wrong.bin", "nonsense").display().to_string();
    let refused = rig.run(ModelAdd { path: wrong, id: None }).unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnsupportedType);
    let model = rig.file("model.bin", "speech model").display().to_string();
    rig.run(ModelAdd { path: model, id: None }).unwrap();
    rig.reads(&id, JobStatus::Completed);
    rig.settled();
    assert_eq!(rig.found("whimbrel").len(), 1);
    let listed = rig.run(ModelsList {}).unwrap().models.remove(0);
    assert_eq!((listed.jobs_waiting, listed.in_use), (0, true));
}

#[test]
fn passages_wait_for_their_model_and_are_found_by_words_meanwhile() {
    let rig = Rig::new();
    rig.script.embedding_missing.store(true, Ordering::Relaxed);
    rig.remember("The eider dives.");
    rig.until("embedding waits", || rig.jobs().counts.contains_key(&JobStatus::WaitingForModel));
    assert_eq!(rig.found("eider").len(), 1);
    rig.script.embedding_missing.store(false, Ordering::Relaxed);
    let model = rig.file("model.bin", "speech model").display().to_string();
    rig.run(ModelAdd { path: model, id: None }).unwrap();
    rig.settled();
    assert_eq!(rig.found("eider")[0].score_parts.vector_rank, Some(1));
}

#[test]
fn a_file_says_how_far_it_is_embedded() {
    let rig = Rig::new();
    let embedding = |id: &ArtifactId| rig.artifact(id).summary.embedding;
    rig.script.embedding.close();
    let id = rig.ingest("note.txt", "The garganey dabbles.");
    let blank = rig.ingest("blank.png", inputs::png(""));
    for id in [&id, &blank] {
        rig.reads(id, JobStatus::Completed);
    }
    assert_eq!(embedding(&id).unwrap().state, EmbeddingState::Embedding);
    assert_eq!(embedding(&blank), None, "there is nothing to be found");
    rig.script.embedding.open();
    rig.settled();
    assert_eq!(embedding(&id).unwrap().state, EmbeddingState::Embedded);

    rig.script.embedding_missing.store(true, Ordering::Relaxed);
    let id = rig.ingest("more.txt", "The gadwall as well.");
    rig.settled();
    let waits = embedding(&id).unwrap();
    assert_eq!(waits.state, EmbeddingState::WaitingForModel);
    let error = waits.error.unwrap();
    assert_eq!((error.code, error.model), (ErrorCode::ModelMissing, Some(ModelKind::TextEmbedding)));
    assert_eq!(rig.found("gadwall").len(), 1, "by its words it is found");
}

#[test]
fn a_cancelled_embedding_stops_at_the_next_batch() {
    let rig = Rig::new();
    rig.pause();
    let long: String = (0..400).map(|n| format!("# Part {n}\n\nSentence {n} of the long whinchat.\n\n")).collect();
    let id = rig.ingest("long.md", long);
    rig.script.embedding.close();
    rig.wake();
    rig.until("it is being embedded", || rig.script.embedding.inside() == 1);
    let job = rig.jobs().jobs.into_iter().find(|job| job.kind == JobKind::Embed).unwrap();
    assert!(unembedded(&rig) > 64, "{}", unembedded(&rig));
    rig.run(JobCancel { id: job.id }).unwrap();
    rig.script.embedding.open();
    rig.settled();
    let embedded = rig.script.embedded.load(Ordering::Relaxed);
    assert!(embedded <= 32, "{embedded} after the cancel");
    assert_eq!(rig.artifact(&id).summary.embedding.unwrap().state, EmbeddingState::Cancelled);
}

#[test]
fn a_recording_that_is_wanted_again_while_it_waits_in_vain_is_looked_at_again() {
    let rig = Rig::new();
    rig.script.sound.close();
    let id = rig.ingest("memo.wav", inputs::wav(&["a late whimbrel"]));
    rig.until("it is being decoded", || rig.script.sound.inside() == 1);
    rig.script.speech.store(true, Ordering::Relaxed);
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    rig.script.sound.open();
    rig.settled();
    assert_eq!((rig.reading(&id).status, rig.found("whimbrel").len()), (JobStatus::Completed, 1));
}

#[test]
fn what_a_person_gives_goes_before_what_an_agent_gives_and_that_before_a_scan() {
    let rig = Rig::new();
    rig.pause();
    for number in 0..5 {
        rig.file(&format!("scan/{number}.png"), inputs::png(&format!("scan {number}")));
    }
    rig.watch(|watch| watch.path = rig.folder().join("scan").display().to_string());
    rig.compared();
    let agent = rig.agent_in("scanner", &[SPACE], &[]);
    let path = rig.file("agent.png", inputs::png("agent")).display().to_string();
    rig.open_to("scanner", &[&rig.folder()]).unwrap();
    let request = MemoryIngest { paths: vec![path], space: SPACE.into(), ..MemoryIngest::default() };
    rig.engine().run(&agent, request).unwrap();
    rig.ingest("person.png", inputs::png("person"));
    let order: Vec<String> = {
        let db = rig.db();
        let mut statement = db
            .prepare("SELECT a.original_filename FROM jobs j JOIN artifacts a ON a.id = j.subject_id WHERE j.kind = 'read' ORDER BY j.priority DESC, j.rid")
            .unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(order[..2], ["person.png", "agent.png"]);
    rig.script.ocr.close();
    rig.wake();
    let readers = std::thread::available_parallelism().map_or(2, |n| n.get().min(2));
    rig.until("the first are being read", || rig.script.ocr.inside() >= readers);
    let busy = |job: &um_model::jobs::Job| job.status == JobStatus::Processing;
    let reading: Vec<String> = rig.jobs().jobs.into_iter().filter(busy).map(|job| job.title).collect();
    assert!(order[..readers].iter().all(|first| reading.contains(first)), "{reading:?}");
    rig.script.ocr.open();
    rig.settled();
}

#[test]
fn a_pause_outlives_the_service() {
    let mut rig = Rig::new();
    rig.pause();
    let id = rig.ingest("shot.png", inputs::png("a paused petrel"));
    rig.remember("A paused prion.");
    rig.reopen(crate::support::MODEL);
    rig.engine().start();
    assert!(rig.jobs().paused);
    assert_eq!(rig.reading(&id).status, JobStatus::Pending);
    assert_eq!(rig.jobs().counts.keys().collect::<Vec<_>>(), [&JobStatus::Pending], "{:?}", rig.jobs().counts);
    rig.wake();
    rig.settled();
    assert_eq!((rig.found("petrel").len(), rig.found("prion").len()), (1, 1));
}

#[test]
fn a_service_that_ends_midway_gives_its_work_back() {
    let mut rig = Rig::new();
    rig.script.ocr.close();
    let id = rig.ingest("shot.png", inputs::png("an unfinished ibis"));
    rig.until("it is being read", || rig.script.ocr.inside() == 1);
    rig.reopen(crate::support::MODEL);
    let job = rig.reading(&id);
    assert_eq!((job.status, job.attempts), (JobStatus::Pending, 0), "the try does not count");
    rig.script.ocr.open();
    rig.engine().start();
    rig.settled();
    assert_eq!(rig.found("ibis").len(), 1);
}

/// Dies in the middle of reading, and begins again with what the disk then held.
fn die_while_reading(rig: &mut Rig, number: usize) {
    rig.script.ocr.close();
    rig.until("it is being read", || rig.script.ocr.inside() == 1);
    let copy = rig.copied(number);
    rig.move_to(copy);
    // Whoever was there at more than one death rests before the next try.
    rig.advance(60_000);
    rig.script.ocr.open();
}

#[test]
fn a_death_midway_loses_nothing_and_doubles_nothing() {
    let mut rig = Rig::new();
    rig.script.ocr.close();
    let memory = rig.remember("Kept before the crash.");
    let id = rig.ingest("shot.png", inputs::png("an interrupted auk"));
    die_while_reading(&mut rig, 1);
    let job = rig.reading(&id);
    assert_eq!((job.status, job.attempts), (JobStatus::Pending, 0), "a death is no try of the job's own");
    rig.engine().start();
    rig.settled();
    assert_eq!((rig.found("auk").len(), rig.found("crash")[0].ids.memory.clone()), (1, memory.id));
    for table in ["artifacts", "derived_text_views"] {
        assert_eq!(rig.count(&format!("SELECT count(*) FROM {table}")), 1, "{table}");
    }
    assert_eq!(rig.count("SELECT count(*) FROM text_units"), 2);
}

#[test]
fn a_file_that_takes_the_service_down_each_time_is_left_alone() {
    let mut rig = Rig::new();
    rig.script.ocr.close();
    let id = rig.ingest("shot.png", inputs::png("a deadly dotterel"));
    let mut deaths = 0;
    while rig.reading(&id).status != JobStatus::Poison {
        assert!(deaths < 20, "it takes the service down for ever");
        rig.script.ocr.close();
        rig.engine().start();
        deaths += 1;
        die_while_reading(&mut rig, deaths);
    }
    assert!(deaths >= 3, "a bystander is not given up at once: {deaths}");
    let job = rig.reading(&id);
    assert!(job.error.unwrap().message.contains("stopped each time"));
}

#[test]
fn embedding_goes_on_where_its_model_failed() {
    let rig = Rig::new();
    rig.pause();
    for number in 0..70 {
        rig.remember(&format!("Note {number} on razorbills."));
    }
    rig.script.embeds_left.store(40, Ordering::Relaxed);
    rig.wake();
    rig.until("the model has failed", || {
        let jobs = rig.jobs().jobs;
        jobs.iter().any(|job| job.error.is_some())
            && jobs.iter().all(|job| job.attempts > 0)
            && jobs.iter().all(|job| job.status != JobStatus::Processing)
    });
    let kept = rig.count("SELECT count(*) FROM memory_embeddings");
    assert!((1..70).contains(&kept), "what was embedded is kept: {kept}");
    rig.script.embeds_left.store(-1, Ordering::Relaxed);
    rig.advance(1_000);
    rig.wake();
    rig.settled();
    assert_eq!(rig.count("SELECT count(*) FROM memory_embeddings"), 70);
    assert_eq!(rig.script.embedded.load(Ordering::Relaxed), 70, "nothing was embedded twice");
    assert!(rig.jobs().jobs.iter().all(|job| job.kind == JobKind::Embed && job.status == JobStatus::Completed));
}

/// Passages that could be found by meaning, and are not.
fn unembedded(rig: &Rig) -> i64 {
    rig.count(
        "SELECT count(*) FROM text_units u WHERE u.status = 'active'
         AND NOT EXISTS (SELECT 1 FROM memory_embeddings e WHERE e.unit_id = u.id)",
    )
}

#[test]
fn passages_that_come_while_their_memory_is_embedded_are_embedded_too() {
    let rig = Rig::new();
    rig.script.embedding.close();
    let id = rig.ingest("shot.png", inputs::png("a smew"));
    rig.until("it is being embedded", || rig.script.embedding.inside() == 1);
    *rig.script.ocr_config.lock().unwrap() = "2".into();
    *rig.script.ocr_prefix.lock().unwrap() = "now with goosander and ".into();
    rig.run(ArtifactReread { id: id.clone() }).unwrap();
    let text = |rig: &Rig| rig.count("SELECT count(*) FROM derived_text_views WHERE text LIKE '%goosander%'");
    rig.until("it was read again", || text(&rig) == 1 && !rig.reading_now(&id));
    rig.script.embedding.open();
    rig.settled();
    assert_eq!(unembedded(&rig), 0);
}

#[test]
fn a_file_that_is_removed_and_restored_while_it_is_read_is_read() {
    let rig = Rig::new();
    rig.script.ocr.close();
    let id: ArtifactId = rig.ingest("shot.png", inputs::png("a returning redshank"));
    rig.until("it is being read", || rig.script.ocr.inside() == 1);
    rig.run(ArtifactRemove { id: id.clone() }).unwrap();
    rig.run(ArtifactRestore { id: id.clone() }).unwrap();
    rig.script.ocr.open();
    rig.settled();
    assert_eq!((rig.reading(&id).status, rig.found("redshank").len()), (JobStatus::Completed, 1));
}
