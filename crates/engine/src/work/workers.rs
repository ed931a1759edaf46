//! The threads. Readers take one file at a time, the listener one recording (they are long, and must not
//! keep documents waiting), the embedder a handful of memories; the keeper renews
//! leases, takes over those that ran out, and unloads models that nobody uses.

use super::arrivals::{QUIET, gives_way};
use super::{Bell, embedding, several};
use crate::Engine;
use crate::belief::llm::Asking;
use crate::engine::lock;
use crate::error::{Fault, Outcome};
use crate::provider::Cancel;
use crate::reading::{self, Reading, Stopped};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use um_model::health::Event;
use um_model::{ApiError, EpochMs, ErrorCode, JobId, JobKind, JobStatus, MemoryId};
use um_store::jobs::{self, Claimed, Subject, Turn};
use um_store::{Transaction, artifacts, memories};

/// A worker that hears nothing looks by itself after so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// While something waits for its time (a retry), it looks more often.
const DELAYED: Duration = Duration::from_secs(1);
/// Leases are renewed this often.
const KEEPER: Duration = Duration::from_secs(15);
/// The keeper looks so often whether the data folder can be cleared of what was forgotten.
const AGAIN: Duration = Duration::from_secs(2);
/// Models leave memory after so long without use.
const MODEL_IDLE: Duration = Duration::from_secs(180);
/// Progress is written at most this often.
const PROGRESS: Duration = Duration::from_millis(400);
/// The first wait before a retry, in milliseconds; each further one is four times as long.
const BACKOFF_MS: i64 = 1_000;

/// So many memories are compared with others in a turn.
const COMPARED: usize = 32;

/// The running threads.
pub(crate) struct Workers {
    stopping: Arc<AtomicBool>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Workers {
    /// Starts the threads: as many readers as there are cores, at most four; one listener; one embedder; one
    /// extractor of claims; one detector of personal data; one that asks the language model; one for upkeep; one
    /// keeper.
    pub(crate) fn start(engine: &Engine) -> Self {
        let stopping = Arc::new(AtomicBool::new(false));
        let readers = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(1, 4));
        let mut threads = Vec::new();
        for number in 0..readers {
            threads.push(spawn(format!("um-read-{number}"), engine, &stopping, (Bell::Of(JobKind::Read), read_next)));
        }
        threads.push(spawn("um-listen".to_owned(), engine, &stopping, (Bell::Of(JobKind::Listen), listen_next)));
        threads.push(spawn(
            "um-embed".to_owned(),
            engine,
            &stopping,
            (Bell::Of(JobKind::Embed), embedding::embed_next),
        ));
        threads.push(spawn("um-extract".to_owned(), engine, &stopping, (Bell::Of(JobKind::Extract), extract_next)));
        threads.push(spawn("um-detect".to_owned(), engine, &stopping, (Bell::Of(JobKind::Detect), detect_next)));
        threads.push(spawn("um-ask".to_owned(), engine, &stopping, (Bell::Of(JobKind::Ask), ask_next)));
        threads.push(spawn("um-upkeep".to_owned(), engine, &stopping, (Bell::Any, upkeep)));
        threads.push(spawn_keeper(engine, &stopping));
        engine.wake_waiting();
        Self { stopping, threads }
    }

    /// Ends the threads. Readings under way are cut off and go back into the queue.
    pub(crate) fn stop(self, engine: &Engine) {
        self.stopping.store(true, Ordering::SeqCst);
        for cancel in lock(&engine.core().running).values() {
            cancel.cancel();
        }
        engine.wake();
        for thread in self.threads {
            drop(thread.join());
        }
    }
}

/// What a worker's step found.
pub(super) enum Step {
    /// It did something.
    Worked,
    /// There is nothing to do.
    Idle,
    /// What it has to do waits until no more of it comes in.
    Gathers,
}

type Act = fn(&Engine, &str, &Arc<AtomicBool>) -> Step;

fn spawn(
    name: String,
    engine: &Engine,
    stopping: &Arc<AtomicBool>,
    (bell, act): (Bell, Act),
) -> std::thread::JoinHandle<()> {
    let (engine, stopping, worker) = (engine.clone(), stopping.clone(), name.clone());
    let run = move || {
        let (mut seen, mut seen_by_all) = (0, 0);
        while !stopping.load(Ordering::Relaxed) {
            let step = if engine.is_paused() { Step::Idle } else { act(&engine, &worker, &stopping) };
            match step {
                Step::Worked => {}
                // Not at each note that comes in: to look takes from who adds them.
                Step::Gathers => engine.wait_for_work(Bell::Any, &mut seen_by_all, QUIET),
                Step::Idle => engine.wait_for_work(bell, &mut seen, patience(&engine)),
            }
        }
    };
    std::thread::Builder::new().name(name).spawn(run).expect("the system can start a thread")
}

/// How long a worker with nothing to do waits for a bell.
fn patience(engine: &Engine) -> Duration {
    let delayed = engine.read(|c| Ok(jobs::any_delayed(c)?)).unwrap_or(false);
    if delayed { DELAYED } else { PATIENCE }
}

fn spawn_keeper(engine: &Engine, stopping: &Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    let (engine, stopping) = (engine.clone(), stopping.clone());
    let run = move || {
        let mut last = Instant::now();
        let mut seen = 0;
        while !stopping.load(Ordering::Relaxed) {
            engine.wait_for_work(Bell::Any, &mut seen, if crate::forget::go_on(&engine) { AGAIN } else { KEEPER });
            if last.elapsed() >= KEEPER {
                last = Instant::now();
                keep_up(&engine);
            }
        }
    };
    std::thread::Builder::new().name("um-keeper".to_owned()).spawn(run).expect("the system can start a thread")
}

fn keep_up(engine: &Engine) {
    let now = engine.now();
    let running: Vec<JobId> = lock(&engine.core().running).keys().cloned().collect();
    drop(engine.write(move |tx| {
        jobs::renew(tx, &running, now)?;
        Ok(jobs::recover(tx, false, now)?)
    }));
    engine.providers().models.unload_idle(MODEL_IDLE);
}

/// Claims the next jobs and marks them as running here.
pub(super) fn claim(engine: &Engine, kind: JobKind, worker: &str, limit: usize) -> Vec<(Claimed, Cancel)> {
    let (name, now) = (worker.to_owned(), engine.now());
    // Most looks find nothing; they need not trouble the writer.
    if !engine.read(|c| Ok(jobs::any_pending(c, kind, now)?)).unwrap_or(false) {
        return Vec::new();
    }
    let asking = engine.clone();
    let claimed = engine.write(move |tx| match asking.is_paused() {
        // What comes after the person paused all work is not begun, even where this worker was about to look.
        true => Ok(Vec::new()),
        false => claim_in(tx, (kind, &name), limit, now),
    });
    let claimed = claimed.unwrap_or_else(|error| {
        tracing::error!(code = %error.code, "no job could be claimed");
        Vec::new()
    });
    let mut running = lock(&engine.core().running);
    claimed
        .into_iter()
        .map(|job| {
            let cancel = Cancel::default();
            running.insert(job.id.clone(), cancel.clone());
            (job, cancel)
        })
        .collect()
}

/// Claims the next jobs that are to be tried. Where the last try of one on several memories would be next, these memories have their
/// own instead.
fn claim_in(
    tx: &Transaction<'_>,
    (kind, worker): (JobKind, &str),
    limit: usize,
    now: EpochMs,
) -> Result<Vec<Claimed>, Fault> {
    loop {
        let claimed = jobs::claim(tx, kind, worker, limit, now)?;
        let [Claimed { subject: Subject::Memories(space, rids), is_last: true, .. }] = &*claimed else {
            return Ok(claimed);
        };
        let part = || Ok::<_, Fault>(several::part(tx, worker, &claimed[0], (kind, space, rids), now));
        match um_store::tentatively(tx, part)? {
            Ok(true) => {}
            Ok(false) => return Ok(claimed),
            Err(fault) => {
                tracing::error!(code = %ApiError::from(fault).code, "memories could not be given jobs of their own");
                return Ok(claimed);
            }
        }
    }
}

/// How a worker's turn with a job ended.
pub(super) enum End {
    /// It is done, or goes on as its outcome says.
    Of(jobs::Outcome),
    /// It is not, as the service stops.
    Back,
    /// Others have their turn before it goes on.
    Turn(Turn),
}

impl End {
    /// That of a turn that was all there was to do, or not.
    pub(super) fn of(done: Done) -> Self {
        match done {
            Done::All => Self::Of(jobs::Outcome::Completed),
            Done::Part(turn) => Self::Turn(turn),
        }
    }
}

/// What a turn with a job did.
pub(super) enum Done {
    /// All of it.
    All,
    /// A part: it goes on in its next turn.
    Part(Turn),
}

/// What is kept together with the end of a job that is done.
pub(super) type Then = fn(&Transaction<'_>, &Claimed, EpochMs) -> Result<(), Fault>;

/// Ends jobs that were claimed here together with what they made, all in one transaction, and each whatever becomes of the ends of
/// the others: where an end cannot be written, the lease runs out and the job is done again; doing it twice changes nothing.
///
/// # Errors
/// Where what they made cannot be kept: then none has ended, and all still run here.
pub(super) fn end_all(
    engine: &Engine,
    worker: &str,
    ended: Vec<(Claimed, End)>,
    made: impl FnOnce(&Transaction<'_>, EpochMs) -> Result<(), Fault> + Send + 'static,
    then: Then,
) -> Outcome<()> {
    let (ids, written) = write_ends(engine, worker, ended, made, then);
    written.inspect(|()| no_longer_running(engine, &ids))
}

/// Ends jobs that made nothing that is kept with their ends.
pub(super) fn end_or_tell(engine: &Engine, worker: &str, ended: Vec<(Claimed, End)>, then: Then) {
    let (ids, written) = write_ends(engine, worker, ended, |_, _| Ok(()), then);
    no_longer_running(engine, &ids);
    if let Err(error) = written {
        tracing::error!(code = %error.code, "the ends of jobs could not be written");
    }
}

/// Writes the ends of jobs with what they made, and tells which cannot be written. Gives the jobs.
fn write_ends(
    engine: &Engine,
    worker: &str,
    ended: Vec<(Claimed, End)>,
    made: impl FnOnce(&Transaction<'_>, EpochMs) -> Result<(), Fault> + Send + 'static,
    then: Then,
) -> (Vec<JobId>, Outcome<()>) {
    let ids = ended.iter().map(|(job, _)| job.id.clone()).collect();
    let (name, now) = (worker.to_owned(), engine.now());
    let written = engine.write(move |tx| {
        made(tx, now)?;
        let mut failed = Vec::new();
        for one in &ended {
            let end = || Ok::<_, Fault>(end_one(tx, &name, one, then, now));
            failed.extend(um_store::tentatively(tx, end)?.err());
        }
        Ok(failed)
    });
    let tell = |failed: Vec<Fault>| {
        for fault in failed {
            tracing::error!(code = %ApiError::from(fault).code, "a job's end could not be written");
        }
    };
    (ids, written.map(tell))
}

fn no_longer_running(engine: &Engine, ids: &[JobId]) {
    let mut running = lock(&engine.core().running);
    ids.iter().for_each(|id| drop(running.remove(id)));
    drop(running);
    engine.tell(Event::Jobs);
}

fn end_one(
    tx: &Transaction<'_>,
    worker: &str,
    (job, end): &(Claimed, End),
    then: Then,
    now: EpochMs,
) -> Result<(), Fault> {
    match end {
        End::Of(outcome) => jobs::finish(tx, &job.id, worker, outcome, now)?,
        End::Back => jobs::give_back(tx, &job.id, worker, now)?,
        End::Turn(turn) => jobs::pass_on(tx, &job.id, worker, turn, now)?,
    }
    match end {
        End::Of(jobs::Outcome::Completed) => then(tx, job, now),
        _ => Ok(()),
    }
}

/// How a stopped job goes on.
pub(super) fn outcome_of(stopped: Stopped, job: &Claimed) -> jobs::Outcome {
    match stopped {
        Stopped::Waits(status, error) => jobs::Outcome::Waiting(status, error),
        Stopped::Fails(error) => jobs::Outcome::Failed(error),
        Stopped::Retries(error) => {
            jobs::Outcome::Retry(error, BACKOFF_MS << (2 * job.attempt.saturating_sub(1).min(5)))
        }
        Stopped::Cancelled => jobs::Outcome::Cancelled,
    }
}

fn read_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    match do_one(engine, JobKind::Read, worker, stopping, read_job) {
        Step::Idle => read_old(engine, stopping),
        worked => worked,
    }
}

/// Where nothing else is to be read, a file that an earlier version read otherwise is read again.
fn read_old(engine: &Engine, stopping: &Arc<AtomicBool>) -> Step {
    if stopping.load(Ordering::Relaxed) {
        return Step::Idle;
    }
    match reading::queue_next_again(engine) {
        Ok(true) => Step::Worked,
        Ok(false) => Step::Idle,
        Err(error) => {
            tracing::error!(code = %error.code, "no file could be queued to be read again");
            Step::Idle
        }
    }
}

fn listen_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    do_one(engine, JobKind::Listen, worker, stopping, read_job)
}

fn extract_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    if let Some(step) = gives_way(engine, &[JobKind::Extract, JobKind::Dedupe]) {
        return step;
    }
    match do_one(engine, JobKind::Extract, worker, stopping, extract_job) {
        Step::Idle => match do_some(engine, (JobKind::Dedupe, COMPARED), worker, stopping, dedupe_job) {
            Step::Idle => read_again(engine, stopping),
            worked => worked,
        },
        worked => worked,
    }
}

/// Does the next extraction as a worker of that name does it. Gives whether one waited.
pub(crate) fn extract_as(engine: &Engine, worker: &str) -> bool {
    matches!(do_one(engine, JobKind::Extract, worker, &Arc::default(), extract_job), Step::Worked)
}

/// Where nothing else is to be done, a memory that an earlier version of the rules read is read again.
fn read_again(engine: &Engine, stopping: &Arc<AtomicBool>) -> Step {
    if stopping.load(Ordering::Relaxed) {
        return Step::Idle;
    }
    match crate::belief::queue_next_again(engine) {
        Ok(true) => Step::Worked,
        Ok(false) => Step::Idle,
        Err(error) => {
            tracing::error!(code = %error.code, "no memory could be queued to be read again");
            Step::Idle
        }
    }
}

fn detect_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    if let Some(step) = gives_way(engine, &[JobKind::Detect]) {
        return step;
    }
    match do_one(engine, JobKind::Detect, worker, stopping, detect_job) {
        Step::Idle => detect_again(engine, stopping),
        worked => worked,
    }
}

/// Where nothing else is to be looked at, a memory that another version of the detectors looked at is looked at again.
fn detect_again(engine: &Engine, stopping: &Arc<AtomicBool>) -> Step {
    if stopping.load(Ordering::Relaxed) {
        return Step::Idle;
    }
    match crate::findings::queue_next_detection(engine) {
        Ok(true) => Step::Worked,
        Ok(false) => Step::Idle,
        Err(error) => {
            tracing::error!(code = %error.code, "no memory could be queued to be looked at again");
            Step::Idle
        }
    }
}

fn ask_next(engine: &Engine, worker: &str, stopping: &Arc<AtomicBool>) -> Step {
    crate::llm::wake_when_due(engine);
    do_one(engine, JobKind::Ask, worker, stopping, ask_job)
}

/// What is due by the clock and no job asks for.
fn upkeep(engine: &Engine, _: &str, stopping: &Arc<AtomicBool>) -> Step {
    look_for_tools(engine);
    let wanted = || !stopping.load(Ordering::Relaxed);
    crate::library::expire_all_due(engine, &wanted);
    if let Err(error) = crate::envelope::stale_when_due(engine, &wanted) {
        tracing::error!(code = %error.code, "no look was taken for stale memories");
    }
    match crate::belief::reconcile_when_due(engine, &wanted) {
        Ok(true) => {
            match engine.store().check_vectors() {
                Ok(true) => {}
                Ok(false) => tracing::error!("the vectors in memory differed from their index and are read anew"),
                Err(error) => tracing::error!(%error, "the vectors in memory could not be compared with their index"),
            }
            if let Err(error) = crate::brief::expire(engine) {
                tracing::error!(code = %error.code, "packs that expired could not be dropped");
            }
            if let Err(error) = crate::recall::expire(engine) {
                tracing::error!(code = %error.code, "traces that expired could not be dropped");
            }
            if let Err(error) = crate::held::empty_dismissed(engine) {
                tracing::error!(code = %error.code, "dismissed proposals could not be emptied");
            }
            Step::Worked
        }
        Ok(false) => tidy(engine),
        Err(error) => {
            tracing::error!(code = %error.code, "beliefs could not be reconciled");
            tidy(engine)
        }
    }
}

/// Lets the next vectors of a model go that is in use no more; where there are none, looks after the indexes.
fn tidy(engine: &Engine) -> Step {
    match crate::outdated::go_on(engine) {
        Ok(true) => Step::Worked,
        Ok(false) => compare_indexes(engine),
        Err(error) => {
            tracing::error!(code = %error.code, "vectors of an earlier model could not be removed");
            compare_indexes(engine)
        }
    }
}

/// Compares a slice of the indexes with what they stand for, where that is due. Between two, whoever stops or pauses all work is heard.
fn compare_indexes(engine: &Engine) -> Step {
    match crate::divergence::compare_when_due(engine) {
        Ok(true) => Step::Worked,
        Ok(false) => Step::Idle,
        Err(error) => {
            tracing::error!(code = %error.code, "the indexes could not be compared with what they stand for");
            Step::Idle
        }
    }
}

/// Tries what waits for a program that may be installed by now.
fn look_for_tools(engine: &Engine) {
    let now = engine.now();
    if engine.read(|c| Ok(jobs::any_lack_tools(c, now)?)).unwrap_or(false) {
        drop(engine.write(move |tx| Ok(jobs::look_for_tools(tx, now)?)));
    }
}

/// What a job's worker does with it in a turn.
type Work = fn(&Engine, &str, &Claimed, &Cancel) -> Result<Done, Stopped>;

fn do_one(engine: &Engine, kind: JobKind, worker: &str, stopping: &Arc<AtomicBool>, work: Work) -> Step {
    do_some(engine, (kind, 1), worker, stopping, work)
}

/// Does the next jobs of a kind, at most so many.
fn do_some(
    engine: &Engine,
    (kind, most): (JobKind, usize),
    worker: &str,
    stopping: &Arc<AtomicBool>,
    work: Work,
) -> Step {
    let claimed = claim(engine, kind, worker, most);
    if claimed.is_empty() {
        return Step::Idle;
    }
    if stopping.load(Ordering::SeqCst) {
        // The stop came between the claim and its entry among the running jobs: they were not told.
        claimed.iter().for_each(|(_, cancel)| cancel.cancel());
    }
    engine.tell(Event::Jobs);
    let end_of = |(job, cancel): (Claimed, Cancel)| {
        let end = match guarded(|| work(engine, worker, &job, &cancel)) {
            Ok(done) => End::of(done),
            Err(Stopped::Cancelled) if stopping.load(Ordering::Relaxed) => End::Back,
            Err(stopped) => End::Of(outcome_of(stopped, &job)),
        };
        (job, end)
    };
    let ended = claimed.into_iter().map(end_of).collect();
    end_or_tell(engine, worker, ended, |_, _, _| Ok(()));
    Step::Worked
}

/// Turns a panic into a failure of what was being done only.
pub(super) fn guarded<T>(act: impl FnOnce() -> Result<T, Stopped>) -> Result<T, Stopped> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| {
        Err(Stopped::Retries(ApiError::new(ErrorCode::Internal, "The worker stopped with a fault of its own.")))
    })
}

/// What a job does with a memory.
type OfMemory = fn(&Engine, &str, &Claimed, &MemoryId, &Cancel) -> Result<(), Stopped>;

/// Does a job of one memory, or a turn of one of several.
fn of_memories(
    engine: &Engine,
    worker: &str,
    (job, cancel): (&Claimed, &Cancel),
    (kind, act): (JobKind, OfMemory),
) -> Result<Done, Stopped> {
    let act = |id: &MemoryId| guarded(|| act(engine, worker, job, id, cancel));
    match &job.subject {
        Subject::Memory(id) => act(id).map(|()| Done::All),
        Subject::Memories(space, rids) => several::turn(engine, job, (kind, space, rids), act),
        Subject::Artifact(_) => Err(Stopped::Fails(ApiError::new(ErrorCode::Internal, "The job has no memory."))),
    }
}

fn dedupe_job(engine: &Engine, worker: &str, job: &Claimed, cancel: &Cancel) -> Result<Done, Stopped> {
    of_memories(engine, worker, (job, cancel), (JobKind::Dedupe, dedupe_one))
}

fn dedupe_one(engine: &Engine, _: &str, _: &Claimed, id: &MemoryId, cancel: &Cancel) -> Result<(), Stopped> {
    crate::ingest::dedupe_memory(engine, id, cancel).map_err(|error| match error.code {
        ErrorCode::Cancelled => Stopped::Cancelled,
        ErrorCode::ModelMissing | ErrorCode::ToolMissing => Stopped::Waits(JobStatus::WaitingForModel, error),
        _ => Stopped::Retries(error),
    })
}

fn ask_job(engine: &Engine, worker: &str, job: &Claimed, cancel: &Cancel) -> Result<Done, Stopped> {
    // Which parts of a text were asked about is kept with the job, so that each is about one.
    let Subject::Memory(id) = &job.subject else {
        return Err(Stopped::Fails(ApiError::new(ErrorCode::Internal, "A question has no memory.")));
    };
    let read = Asking::begin(engine, &job.id, worker, cancel)
        .and_then(|asking| crate::belief::llm::read_memory(engine, id, asking));
    read.map(|()| Done::All).map_err(|error| match error.code {
        ErrorCode::Cancelled => Stopped::Cancelled,
        ErrorCode::LanguageModel => Stopped::Waits(JobStatus::WaitingForModel, error),
        ErrorCode::UnsupportedType => Stopped::Fails(error),
        _ => Stopped::Retries(error),
    })
}

fn extract_job(engine: &Engine, worker: &str, job: &Claimed, cancel: &Cancel) -> Result<Done, Stopped> {
    of_memories(engine, worker, (job, cancel), (JobKind::Extract, extract_one))
}

fn extract_one(engine: &Engine, worker: &str, job: &Claimed, id: &MemoryId, cancel: &Cancel) -> Result<(), Stopped> {
    let ask = job.priority > jobs::PRIORITY_AGAIN;
    let told = |claims: usize| {
        // How many notes are read tells how far a job on several is; one that says nothing is at its end.
        if claims == 0 || matches!(job.subject, Subject::Memories(..)) {
            return;
        }
        let note = if claims == 1 { "1 claim".to_owned() } else { format!("{claims} claims") };
        let (job, worker, now) = (job.id.clone(), worker.to_owned(), engine.now());
        if let Ok(false) = engine.write(move |tx| Ok(jobs::heartbeat(tx, &job, &worker, 0.5, Some(&note), now)?)) {
            cancel.cancel();
        }
        engine.tell(Event::Jobs);
    };
    crate::belief::extract::extract_memory(engine, id, ask, &told, cancel).map_err(|error| match error.code {
        ErrorCode::Cancelled => Stopped::Cancelled,
        _ => Stopped::Retries(error),
    })
}

fn detect_job(engine: &Engine, worker: &str, job: &Claimed, cancel: &Cancel) -> Result<Done, Stopped> {
    of_memories(engine, worker, (job, cancel), (JobKind::Detect, detect_one))
}

fn detect_one(engine: &Engine, _: &str, _: &Claimed, id: &MemoryId, cancel: &Cancel) -> Result<(), Stopped> {
    crate::findings::detect_memory(engine, id, cancel).map_err(|error| match error.code {
        ErrorCode::Cancelled => Stopped::Cancelled,
        _ => Stopped::Retries(error),
    })
}

fn read_job(engine: &Engine, worker: &str, job: &Claimed, cancel: &Cancel) -> Result<Done, Stopped> {
    let Subject::Artifact(id) = &job.subject else {
        return Err(Stopped::Fails(ApiError::new(ErrorCode::Internal, "A reading job has no file.")));
    };
    let found = engine.read(|c| Ok((artifacts::by_id(c, id)?, memories::by_artifact(c, id)?)))?;
    let (Some(artifact), Some(memory)) = found else { return Err(Stopped::Cancelled) };
    if artifact.deleted || artifact.redacted || memory.status != um_model::MemoryStatus::Active {
        return Err(Stopped::Cancelled);
    }
    let last = Mutex::new(None::<Instant>);
    let progress = |share: f64, note: &str| {
        let mut last = lock(&last);
        if last.is_some_and(|at| at.elapsed() < PROGRESS) {
            return;
        }
        *last = Some(Instant::now());
        let (id, name, note, now) = (job.id.clone(), worker.to_owned(), note.to_owned(), engine.now());
        if let Ok(false) = engine.write(move |tx| Ok(jobs::heartbeat(tx, &id, &name, share, Some(&note), now)?)) {
            cancel.cancel();
        }
        engine.tell(Event::Jobs);
    };
    reading::read(&Reading {
        engine,
        artifact: &artifact,
        memory: &memory.id,
        priority: job.priority,
        cancel,
        progress: &progress,
    })
    .map(|()| Done::All)
}
