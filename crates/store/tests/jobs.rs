//! The queue: a newer request to do a job again is never lost, whatever became of the work under way.

use um_model::{
    AgentId, ApiError, ArtifactId, EmbeddingState, ErrorCode, JobId, JobKind, JobStatus, MemoryScope, ModelKind,
    SpaceId,
};
use um_store::artifacts::{self, Bytes, NewArtifact};
use um_store::jobs::{self, NewJob, OfNew, Outcome, Subject, Turn};
use um_store::keyed::Key;
use um_store::memories::{self, NewMemory};
use um_store::rejected::Checked;
use um_store::{Connection, Keys, Store, StoreResult};

struct Rig {
    store: Store,
    subject: Subject,
    _folder: tempfile::TempDir,
}

fn space() -> SpaceId {
    SpaceId::default_project()
}

fn rig() -> Rig {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("memory.db"), Keys::hashing(Key::new([1; 32])), 1).unwrap();
    let subject = recording(&store, "h");
    Rig { store, subject, _folder: folder }
}

fn recording(store: &Store, hash: &str) -> Subject {
    let new = NewArtifact {
        space: space(),
        actor: AgentId::owner(),
        content_hash: hash.into(),
        filename: "memo.wav".into(),
        source_path: None,
        mime_type: "audio/wav".into(),
        modality: um_model::Modality::Audio,
        byte_size: 1,
        bytes: Bytes::Inline(vec![1]),
        occurred_at: None,
    };
    Subject::Artifact(store.write(move |tx| artifacts::insert(tx, &Checked::held(new), 1)).unwrap())
}

impl Rig {
    fn write<T: Send + 'static>(&self, work: impl FnOnce(&Connection) -> StoreResult<T> + Send + 'static) -> T {
        self.store.write(move |tx| work(tx)).unwrap()
    }

    fn want(&self, again: bool) -> JobId {
        let subject = self.subject.clone();
        self.write(move |c| {
            let new = NewJob { kind: JobKind::Listen, subject: &subject, space: &space(), priority: 0, again };
            jobs::enqueue(c, &new, 2)
        })
    }

    /// Claims the job, as a worker does, at a time when no rest is in its way.
    fn claim(&self) -> bool {
        self.write(|c| Ok(!jobs::claim(c, JobKind::Listen, "w", 1, i64::MAX / 2)?.is_empty()))
    }

    fn job(&self, id: &JobId) -> um_model::jobs::Job {
        self.store.read(|c| jobs::by_id(c, id)).unwrap().unwrap()
    }
}

fn error() -> ApiError {
    ApiError::new(ErrorCode::ReaderFailed, "It failed.").hint("Never kept.")
}

#[test]
fn however_work_ends_a_newer_request_for_it_counts_for_more() {
    #[track_caller]
    fn check(outcome: Outcome, alone: JobStatus) {
        for again in [false, true] {
            let rig = rig();
            let id = rig.want(false);
            // The last of three tries.
            for _ in 0..2 {
                assert!(rig.claim());
                let (id, retry) = (id.clone(), Outcome::Retry(error(), 0));
                rig.write(move |c| jobs::finish(c, &id, "w", &retry, 3));
            }
            assert!(rig.claim());
            if again {
                assert_eq!(rig.want(true), id);
            }
            let (ended, outcome) = (id.clone(), outcome.clone());
            rig.write(move |c| jobs::finish(c, &ended, "w", &outcome, 4));
            let job = rig.job(&id);
            assert_eq!(job.status, if again { JobStatus::Pending } else { alone });
            if again {
                assert_eq!(job.attempts, 0, "it has all its tries");
                assert!(rig.claim(), "and needs not wait");
                let ended = id.clone();
                rig.write(move |c| jobs::finish(c, &ended, "w", &Outcome::Completed, 5));
                assert_eq!(rig.job(&id).status, JobStatus::Completed, "once");
            }
        }
    }
    check(Outcome::Completed, JobStatus::Completed);
    check(Outcome::Cancelled, JobStatus::Cancelled);
    check(Outcome::Failed(error()), JobStatus::Failed);
    check(Outcome::Retry(error(), 1_000_000), JobStatus::Poison);
    check(Outcome::Waiting(JobStatus::WaitingForModel, error()), JobStatus::WaitingForModel);
    check(Outcome::Waiting(JobStatus::WaitingForPassword, error()), JobStatus::WaitingForPassword);
}

#[test]
fn deaths_make_a_job_poison_unless_it_was_wanted_again_meanwhile() {
    #[track_caller]
    fn check(again: bool, cancel: bool, expected: JobStatus) {
        let rig = rig();
        let id = rig.want(false);
        for death in 1.. {
            assert!(rig.claim(), "death {death}");
            let last = death == 12;
            if last && cancel {
                let id = id.clone();
                rig.write(move |c| jobs::cancel(c, &id, 3));
            }
            if last && again {
                rig.want(true);
            }
            assert_eq!(rig.write(|c| jobs::recover(c, true, 3)), 1);
            if last {
                break;
            }
            assert_eq!(rig.job(&id).status, JobStatus::Pending, "death {death}");
        }
        assert_eq!(rig.job(&id).status, expected);
    }
    check(false, false, JobStatus::Poison);
    check(true, false, JobStatus::Pending);
    check(false, true, JobStatus::Cancelled);
    check(true, true, JobStatus::Pending);
}

#[test]
fn a_poisoned_job_that_is_wanted_again_begins_anew() {
    let rig = rig();
    let id = rig.want(false);
    while rig.claim() {
        rig.write(|c| jobs::recover(c, true, 3));
    }
    assert_eq!(rig.job(&id).error.unwrap().code, ErrorCode::ReaderFailed);
    rig.want(false);
    assert_eq!(rig.job(&id).status, JobStatus::Poison, "who merely finds it wants nothing of it");
    rig.want(true);
    assert_eq!((rig.job(&id).status, rig.job(&id).error), (JobStatus::Pending, None));
    assert!(rig.claim());
    rig.write(|c| jobs::recover(c, true, 4));
    assert_eq!(rig.job(&id).status, JobStatus::Pending, "earlier deaths no longer count");
}

#[test]
fn an_error_is_told_by_code_and_model_and_never_by_what_to_do() {
    #[track_caller]
    fn check(code: ErrorCode, model: Option<ModelKind>) {
        let rig = rig();
        let id = rig.want(false);
        assert!(rig.claim());
        let ended = id.clone();
        let outcome = Outcome::Waiting(JobStatus::WaitingForModel, ApiError::new(code, "Why.").hint("umem this"));
        rig.write(move |c| jobs::finish(c, &ended, "w", &outcome, 3));
        let told = rig.job(&id).error.unwrap();
        assert_eq!((told.code, told.message.as_str(), told.model), (code, "Why.", model));
    }
    check(ErrorCode::ModelMissing, Some(ModelKind::Speech));
    check(ErrorCode::ModelMismatch, Some(ModelKind::Speech));
    check(ErrorCode::ToolMissing, None);
}

fn with_passage(rig: &Rig) -> (ArtifactId, um_model::MemoryId) {
    let Subject::Artifact(artifact) = rig.subject.clone() else { panic!("a file") };
    let of = artifact.clone();
    let memory = rig.write(move |c| {
        let new = NewMemory {
            space: space(),
            actor: AgentId::owner(),
            content: None,
            content_hash: "m".into(),
            modality: "audio".into(),
            artifact: Some(of),
            title: None,
            scope: MemoryScope::Fact,
            classification_confidence: 0.3,
            classifier_id: "test".into(),
            source_type: "observation",
            memory_key: None,
            supersedes: None,
            owner: None,
            session: None,
            occurred_at: None,
            envelope: Default::default(),
        };
        Ok(memories::insert(c, &Checked::held(new), 2)?.0)
    });
    (artifact, memory)
}

#[test]
fn embedding_is_told_once_there_is_something_to_embed() {
    use um_store::units::{self, NewUnit, Source};
    let rig = rig();
    let (artifact, memory) = with_passage(&rig);
    let told = || rig.store.read(|c| jobs::embedding(c, std::slice::from_ref(&artifact))).unwrap().remove(&artifact);
    assert_eq!(told(), None);
    let id = rig.write(move |c| {
        let text = "words".to_owned();
        let span = um_model::Utf16Span::new(0, 5);
        let unit = NewUnit { span, text, heading_path: None, segment: None, token_count: 1, mail: None };
        units::insert(c, &space(), &memory, Source::Memory(&memory), "", &[unit], 2)?;
        let subject = Subject::Memory(memory);
        let new = NewJob { kind: JobKind::Embed, subject: &subject, space: &space(), priority: 0, again: true };
        jobs::enqueue(c, &new, 2)
    });
    let state = || told().unwrap().state;
    assert_eq!(state(), EmbeddingState::Embedding);
    for (outcome, expected) in [
        (Outcome::Waiting(JobStatus::WaitingForModel, error()), EmbeddingState::WaitingForModel),
        (Outcome::Failed(error()), EmbeddingState::Failed),
        (Outcome::Cancelled, EmbeddingState::Cancelled),
        (Outcome::Completed, EmbeddingState::Embedded),
    ] {
        let job = id.clone();
        rig.write(move |c| {
            jobs::retry(c, &job, 3)?;
            jobs::claim(c, JobKind::Embed, "w", 1, 4)?;
            jobs::finish(c, &job, "w", &outcome, 5)
        });
        assert_eq!(state(), expected);
        let told = told().unwrap().error.map(|e| e.code);
        let failed = matches!(expected, EmbeddingState::WaitingForModel | EmbeddingState::Failed);
        assert_eq!(told, failed.then_some(ErrorCode::ReaderFailed), "{expected}");
    }
}

#[test]
fn whatever_makes_a_job_wait_for_a_worker_is_noticed() {
    let rig = rig();
    rig.store.take_queued();
    let check = |what: &str, expected: bool| {
        let expected: &[JobKind] = if expected { &[JobKind::Listen] } else { &[] };
        assert_eq!(rig.store.take_queued(), expected, "{what}");
    };
    let id = rig.want(true);
    check("a new job", true);
    rig.want(false);
    check("one that waits already", false);
    assert!(rig.claim());
    check("a claim", false);
    let finish = |outcome: Outcome| {
        let id = id.clone();
        rig.write(move |c| jobs::finish(c, &id, "w", &outcome, 3))
    };
    finish(Outcome::Retry(ApiError::new(ErrorCode::Internal, "A fault."), 1));
    check("one that is to be tried again", true);
    assert!(rig.claim());
    finish(Outcome::Completed);
    check("an end", false);
    rig.want(true);
    check("one that is wanted again", true);
}

#[test]
fn a_long_job_of_a_person_keeps_nothing_of_agents_waiting() {
    let rig = rig();
    let queue = |subject: &Subject, priority: i64| {
        let subject = subject.clone();
        rig.write(move |c| {
            let new = NewJob { kind: JobKind::Listen, subject: &subject, space: &space(), priority, again: true };
            jobs::enqueue(c, &new, 2)
        })
    };
    let claimed = || rig.write(|c| Ok(jobs::claim(c, JobKind::Listen, "w", 1, 10)?.pop().map(|job| job.id)));
    let long = queue(&rig.subject, jobs::PRIORITY_PERSON);
    assert_eq!(claimed(), Some(long.clone()));
    let other = recording(&rig.store, "another");
    let short = queue(&other, jobs::PRIORITY_AGENT);
    let id = long.clone();
    let turn = Turn { share: 0.1, note: "embedded 32 of 7,444".to_owned(), at: None, passage: None, done: None };
    rig.write(move |c| jobs::pass_on(c, &id, "w", &turn, 11));
    assert_eq!((claimed(), claimed(), claimed()), (Some(short), Some(long), None), "by turns");
}

/// Queues a job on so many memories.
fn several(rig: &Rig, last: i64) -> JobId {
    rig.write(move |c| {
        let subject = Subject::Memories(space(), 1..=last);
        let new = NewJob { kind: JobKind::Dedupe, subject: &subject, space: &space(), priority: 0, again: true };
        jobs::enqueue(c, &new, 2)
    })
}

/// Claims the next of those on memories, at a time when no rest is in its way.
fn claim_next(rig: &Rig) -> Vec<jobs::Claimed> {
    rig.write(|c| jobs::claim(c, JobKind::Dedupe, "w", 32, i64::MAX / 2))
}

/// Queues what is done from a memory on.
fn from(rig: &Rig, rid: i64) {
    rig.write(move |c| jobs::enqueue_new(c, (JobKind::Dedupe, 0), (&space(), rid), 2));
}

#[test]
fn one_on_new_memories_comes_to_each_of_them() {
    fn pass(rig: &Rig, id: &JobId, at: i64) {
        let (id, turn) =
            (id.clone(), Turn { share: 0.0, note: String::new(), at: Some(at), passage: None, done: None });
        rig.write(move |c| jobs::pass_on(c, &id, "w", &turn, 3));
    }
    fn finish(rig: &Rig, id: &JobId, outcome: Outcome) {
        let id = id.clone();
        rig.write(move |c| jobs::finish(c, &id, "w", &outcome, 4));
    }
    /// From where the job that is worked on from 7 goes on after something happened.
    #[track_caller]
    fn check(happened: impl Fn(&Rig, &JobId), expected: Option<i64>) {
        let rig = rig();
        from(&rig, 7);
        let [claimed] = &*claim_next(&rig) else { panic!("it is not queued") };
        assert_eq!((claimed.at, &claimed.subject), (Some(7), &Subject::Memories(space(), jobs::NEW)));
        happened(&rig, &claimed.id);
        let next = claim_next(&rig).pop();
        assert_eq!(next.as_ref().and_then(|job| job.at), expected);
        assert!(next.is_none_or(|job| job.attempt == 1));
    }
    check(|rig, id| finish(rig, id, Outcome::Completed), None);
    check(|rig, id| (pass(rig, id, 9), from(rig, 9)).1, Some(9));
    check(|rig, id| (finish(rig, id, Outcome::Completed), from(rig, 9)).1, Some(9));
    // What comes in while it is worked on may have escaped it.
    check(|rig, id| (from(rig, 8), pass(rig, id, 8)).1, Some(8));
    check(|rig, id| (from(rig, 8), from(rig, 9), finish(rig, id, Outcome::Completed)).2, Some(8));
    check(|rig, id| (from(rig, 8), finish(rig, id, Outcome::Retry(error(), 0))).1, Some(7));
    // What is cancelled is not gone on with, and what comes in afterwards is done.
    let cancel = |rig: &Rig, id: &JobId| {
        let id = id.clone();
        rig.write(move |c| jobs::cancel(c, &id, 3));
    };
    check(|rig, id| (cancel(rig, id), pass(rig, id, 9)).1, None);
    check(|rig, id| (cancel(rig, id), finish(rig, id, Outcome::Cancelled)).1, None);
    check(|rig, id| (from(rig, 8), cancel(rig, id), from(rig, 9), finish(rig, id, Outcome::Cancelled)).3, Some(9));
    check(|rig, id| (cancel(rig, id), from(rig, 9), pass(rig, id, 8)).2, Some(9));
    // The rid of what was erased is given again.
    check(|rig, id| (pass(rig, id, 9), from(rig, 8)).1, Some(8));
    check(|rig, id| (from(rig, 8), pass(rig, id, 9)).1, Some(8));
    // What ended badly is not done again for what comes later.
    check(|rig, id| finish(rig, id, Outcome::Failed(error())), None);
    check(|rig, id| (finish(rig, id, Outcome::Failed(error())), from(rig, 8)).1, Some(8));
    check(|rig, id| (finish(rig, id, Outcome::Cancelled), from(rig, 8)).1, Some(8));
}

#[test]
fn one_on_new_memories_knows_how_many_are_done_until_it_begins_with_others() {
    let rig = rig();
    from(&rig, 7);
    let claim = || claim_next(&rig).pop().unwrap();
    let of = |done: u64| Some(OfNew { done, total: 64, is_least: true });
    let pass = |id: &JobId, at: i64, done: u64| {
        let (id, turn) =
            (id.clone(), Turn { share: 0.5, note: String::new(), at: Some(at), passage: None, done: of(done) });
        rig.write(move |c| jobs::pass_on(c, &id, "w", &turn, 3));
    };
    let id = claim().id;
    pass(&id, 9, 2);
    assert_eq!((claim().done, rig.job(&id).progress), (of(2), 0.5));
    pass(&id, 40, 32);
    assert_eq!(claim().done, of(32));
    // What came since is counted from there.
    from(&rig, 41);
    let ended = id.clone();
    rig.write(move |c| jobs::finish(c, &ended, "w", &Outcome::Completed, 4));
    let next = claim();
    assert_eq!((next.at, next.done), (Some(41), None));
}

#[test]
fn how_far_one_on_several_memories_is_stays_where_it_goes_on_there() {
    #[track_caller]
    fn check(outcome: Outcome) {
        let rig = rig();
        let id = several(&rig, 64);
        let turn = Turn { share: 0.5, note: "32 of 64 notes".to_owned(), at: Some(33), passage: None, done: None };
        let told = |of: &JobId| (rig.job(of).progress, rig.job(of).progress_note);
        let (passed, ended, again) = (id.clone(), id.clone(), id.clone());
        assert_eq!(claim_next(&rig)[0].at, None);
        rig.write(move |c| jobs::pass_on(c, &passed, "w", &turn, 3));
        assert_eq!(claim_next(&rig)[0].at, Some(33));
        rig.write(move |c| jobs::finish(c, &ended, "w", &outcome, 4));
        assert_eq!(told(&id), (0.5, Some("32 of 64 notes".to_owned())));
        rig.write(move |c| jobs::retry(c, &again, 5));
        assert_eq!(told(&id), (0.5, Some("32 of 64 notes".to_owned())));
        assert_eq!(claim_next(&rig)[0].at, Some(33));
    }
    check(Outcome::Retry(error(), 0));
    check(Outcome::Failed(error()));
    check(Outcome::Cancelled);
    check(Outcome::Waiting(JobStatus::WaitingForModel, error()));
    // What is about one thing begins again.
    let rig = rig();
    let id = rig.want(true);
    assert!(rig.claim());
    let (beating, ended) = (id.clone(), id.clone());
    assert!(rig.write(move |c| jobs::heartbeat(c, &beating, "w", 0.5, Some("page 2 of 4"), 3)));
    rig.write(move |c| jobs::finish(c, &ended, "w", &Outcome::Retry(error(), 0), 4));
    assert_eq!((rig.job(&id).progress, rig.job(&id).progress_note), (0.0, None));
}

#[test]
fn one_that_does_not_say_what_it_is_about_fails_and_keeps_no_other_waiting() {
    #[track_caller]
    fn check(harm: &'static str) {
        let rig = rig();
        let ill = several(&rig, 64);
        let well = several(&rig, 70);
        let harmed = ill.clone();
        rig.write(move |c| Ok(c.execute(&format!("UPDATE jobs SET {harm} WHERE id = ?1"), [harmed.as_str()])?));
        let claimed: Vec<JobId> = claim_next(&rig).into_iter().map(|job| job.id).collect();
        assert_eq!(claimed, [well], "{harm}");
        let shown = rig.store.read(|c| jobs::list(c, None, &[], 0, 10)).unwrap();
        assert_eq!(shown.len(), 2, "{harm}");
        let told = shown.into_iter().find(|job| job.id == ill).unwrap();
        assert_eq!((told.status, told.error.unwrap().code), (JobStatus::Failed, ErrorCode::Database), "{harm}");
        assert!(claim_next(&rig).is_empty(), "{harm}");
    }
    check("config_hash = 'all of them'");
    check("config_hash = ''");
    check("config_hash = '9-3'");
    check("config_hash = '0-9223372036854775807'");
    check("payload = '{\"at\": \"the end\"}'");
}

#[test]
fn the_last_try_of_a_job_is_known_by_its_tries_and_by_deaths() {
    let rig = rig();
    let id = several(&rig, 64);
    let claim = |expected: bool| assert_eq!(claim_next(&rig).pop().unwrap().is_last, expected);
    let finish = |outcome: Outcome| {
        let id = id.clone();
        rig.write(move |c| jobs::finish(c, &id, "w", &outcome, 3));
    };
    for is_last in [false, false, true] {
        claim(is_last);
        finish(Outcome::Retry(error(), 0));
    }
    assert_eq!(rig.job(&id).status, JobStatus::Poison);
    several(&rig, 64);
    for _ in 0..11 {
        claim(false);
        rig.write(|c| jobs::recover(c, true, 3));
    }
    claim(true);
    // What was done in a turn took nothing down: tries and deaths are counted from there.
    let (passed, turn) =
        (id.clone(), Turn { share: 0.5, note: String::new(), at: Some(33), passage: None, done: None });
    rig.write(move |c| jobs::pass_on(c, &passed, "w", &turn, 4));
    claim(false);
}

#[test]
fn one_that_was_there_at_a_death_is_claimed_alone() {
    let rig = rig();
    let queue = |hash: &str| {
        let subject = recording(&rig.store, hash);
        rig.write(move |c| {
            let new = NewJob { kind: JobKind::Read, subject: &subject, space: &space(), priority: 0, again: true };
            jobs::enqueue(c, &new, 2)
        })
    };
    let claimed = || rig.write(|c| Ok(jobs::claim(c, JobKind::Read, "w", 32, i64::MAX / 2)?.len()));
    queue("a");
    queue("b");
    assert_eq!(claimed(), 2);
    rig.write(|c| jobs::recover(c, true, 3));
    queue("c");
    queue("d");
    assert_eq!([claimed(), claimed(), claimed(), claimed()], [2, 1, 1, 0], "those that came since go together");
}

#[test]
fn what_is_worked_on_is_open_and_what_rests_is_not() {
    let rig = rig();
    let is_open = || rig.store.read(|c| jobs::any_open(c, JobKind::Listen, 10)).unwrap();
    assert!(!is_open());
    let id = rig.want(true);
    assert!(is_open(), "it waits");
    assert!(rig.claim());
    assert!(is_open(), "it is worked on");
    rig.write(move |c| jobs::finish(c, &id, "w", &Outcome::Retry(error(), 1_000_000), 10));
    assert!(!is_open(), "it rests");
}
