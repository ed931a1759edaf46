//! Listening to the disk. Events are gathered until a path has been quiet for a moment, so that a file
//! that is still being written, or saved by way of a temporary one, is read once.

use super::scan;
use crate::Engine;
use crate::engine::lock;
use notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer_opt};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use um_model::watch::WatchFolder;
use um_model::{WatchId, health::Event};
use um_store::watches;

/// The debouncer joins the events of one path for so long.
const DEBOUNCE: Duration = Duration::from_millis(300);
/// A path is looked at once it has been quiet for so long.
const QUIET: Duration = Duration::from_millis(700);
/// More changed paths than this are cheaper to find by comparing the whole folder.
const MANY: usize = 2_000;

/// A folder that is not there is looked for this often.
const ABSENT: Duration = Duration::from_secs(30);

/// What the listening thread is told.
enum Message {
    /// Paths changed.
    Changed(Vec<PathBuf>),
    /// Events were lost, or a folder was added: compare everything in it.
    Compare(Option<WatchId>),
    /// The service stops.
    Stop,
}

/// The watcher and its thread. Dropping it ends both.
pub(crate) struct Watching {
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    messages: Sender<Message>,
    problems: HashMap<WatchId, String>,
    stopping: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        drop(self.messages.send(Message::Stop));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Begins to listen to every watched folder, and compares each with what is known.
pub(crate) fn start(engine: &Engine) {
    let (messages, inbox) = channel();
    let heard = messages.clone();
    // Links lead out of what the person chose to watch.
    let config = notify::Config::default().with_follow_symlinks(false);
    let debouncer = new_debouncer_opt::<_, RecommendedWatcher, RecommendedCache>(
        DEBOUNCE,
        None,
        move |result| drop(heard.send(message(result))),
        RecommendedCache::new(),
        config,
    );
    let debouncer = match debouncer {
        Ok(debouncer) => debouncer,
        Err(error) => {
            tracing::error!(%error, "folders cannot be watched; they are compared at each start");
            return;
        }
    };
    let stopping = Arc::new(AtomicBool::new(false));
    let (worker, stop) = (engine.clone(), stopping.clone());
    let thread = std::thread::Builder::new()
        .name("um-watch".to_owned())
        .spawn(move || listen(&worker, &inbox, &stop))
        .expect("the system can start a thread");
    let mut watching = Watching { debouncer, messages, problems: HashMap::new(), stopping, thread: Some(thread) };
    for watch in engine.read(|c| Ok(watches::watched(c)?)).unwrap_or_default() {
        watching.add(&watch);
    }
    *lock(&engine.core().watching) = Some(watching);
}

impl Watching {
    fn add(&mut self, watch: &WatchFolder) {
        match self.debouncer.watch(&watch.path, RecursiveMode::Recursive) {
            Ok(()) => drop(self.problems.remove(&watch.id)),
            Err(error) => drop(self.problems.insert(watch.id.clone(), words(&error))),
        }
        drop(self.messages.send(Message::Compare(Some(watch.id.clone()))));
    }
}

fn words(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "The system allows no more watched folders. Raise fs.inotify.max_user_watches, then restart.".to_owned()
        }
        notify::ErrorKind::PathNotFound => ABSENT_WORDS.to_owned(),
        notify::ErrorKind::Io(error) => unreadable(error),
        _ => "The system does not tell of changes in this folder. It is compared at each start.".to_owned(),
    }
}

const ABSENT_WORDS: &str = "The folder is not there. It is watched again once it is.";

/// Why a folder cannot be looked into.
fn unreadable(error: &std::io::Error) -> String {
    match scan::is_absence(error) {
        true => ABSENT_WORDS.to_owned(),
        false => format!("The folder cannot be read: {}. It is watched again once it can be.", crate::plain(error)),
    }
}

/// A folder was added.
pub(super) fn added(engine: &Engine, watch: &WatchFolder) {
    if let Some(watching) = lock(&engine.core().watching).as_mut() {
        watching.add(watch);
    }
}

/// A folder is no longer watched.
pub(super) fn removed(engine: &Engine, watch: &WatchFolder) {
    if let Some(watching) = lock(&engine.core().watching).as_mut() {
        drop(watching.debouncer.unwatch(&watch.path));
        watching.problems.remove(&watch.id);
        // Another space may watch the same folder, or one inside it, through what was just ended.
        let shares = |other: &WatchFolder| {
            let (a, b) = (Path::new(&other.path), Path::new(&watch.path));
            a.starts_with(b) || b.starts_with(a)
        };
        for other in engine.read(|c| Ok(watches::watched(c)?)).unwrap_or_default().iter().filter(|other| shares(other))
        {
            watching.add(other);
        }
    }
}

/// Why a folder cannot be watched now, where it cannot.
pub(super) fn problem(engine: &Engine, watch: &WatchFolder) -> Option<String> {
    if let Err(error) = scan::look_into(Path::new(&watch.path)) {
        return Some(unreadable(&error));
    }
    lock(&engine.core().watching).as_ref()?.problems.get(&watch.id).cloned()
}

fn message(result: DebounceEventResult) -> Message {
    match result {
        Ok(events) if events.iter().any(|event| event.need_rescan()) => Message::Compare(None),
        Ok(events) => Message::Changed(
            events.into_iter().filter(|event| !event.kind.is_access()).flat_map(|event| event.event.paths).collect(),
        ),
        // The watcher says that it lost something.
        Err(_) => Message::Compare(None),
    }
}

/// What is waiting to become quiet.
#[derive(Default)]
struct Waiting {
    paths: HashMap<PathBuf, Instant>,
    folders: HashSet<Option<WatchId>>,
}

impl Waiting {
    fn take(&mut self, message: Message) {
        match message {
            Message::Changed(paths) => {
                let now = Instant::now();
                self.paths.extend(paths.into_iter().map(|path| (path, now)));
            }
            Message::Compare(which) => drop(self.folders.insert(which)),
            Message::Stop => {}
        }
    }

    /// The paths that have been quiet for long enough; a batch whose paths are still being written waits,
    /// so that both ends of a move are seen together.
    fn quiet(&mut self) -> HashSet<PathBuf> {
        if self.paths.values().any(|at| at.elapsed() < QUIET) && self.paths.len() < MANY {
            let oldest = self.paths.values().map(Instant::elapsed).max().unwrap_or_default();
            if oldest < QUIET * 4 {
                return HashSet::new();
            }
        }
        let quiet: HashSet<PathBuf> =
            self.paths.iter().filter(|(_, at)| at.elapsed() >= QUIET).map(|(path, _)| path.clone()).collect();
        self.paths.retain(|path, _| !quiet.contains(path));
        quiet
    }

    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.folders.is_empty()
    }
}

fn listen(engine: &Engine, inbox: &Receiver<Message>, stopping: &AtomicBool) {
    let mut waiting = Waiting::default();
    while !stopping.load(Ordering::Relaxed) {
        let message = if waiting.is_empty() { inbox.recv_timeout(ABSENT) } else { inbox.recv_timeout(DEBOUNCE) };
        match message {
            Ok(message) => waiting.take(message),
            Err(RecvTimeoutError::Timeout) => watch_returned(engine),
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if stopping.load(Ordering::Relaxed) {
            return;
        }
        for which in std::mem::take(&mut waiting.folders) {
            compare(engine, stopping, which.as_ref(), None);
        }
        let quiet = waiting.quiet();
        if !quiet.is_empty() {
            let paths = if quiet.len() > MANY { None } else { Some(&quiet) };
            compare(engine, stopping, None, paths);
        }
    }
}

/// Watches folders again that were not there or could not be read, and are there now.
fn watch_returned(engine: &Engine) {
    let mut guard = lock(&engine.core().watching);
    let Some(watching) = guard.as_mut().filter(|watching| !watching.problems.is_empty()) else { return };
    for watch in engine.read(|c| Ok(watches::watched(c)?)).unwrap_or_default() {
        if watching.problems.contains_key(&watch.id) && scan::look_into(Path::new(&watch.path)).is_ok() {
            watching.add(&watch);
        }
    }
}

/// A folder that went away or may not be read any more is looked for from now on.
fn note_problem(engine: &Engine, watch: &WatchFolder, problem: String) {
    if let Some(watching) = lock(&engine.core().watching).as_mut() {
        watching.problems.insert(watch.id.clone(), problem);
    }
    engine.tell(Event::Spaces);
}

fn compare(engine: &Engine, stopping: &AtomicBool, which: Option<&WatchId>, paths: Option<&HashSet<PathBuf>>) {
    let folders = engine.read(|c| Ok(watches::watched(c)?)).unwrap_or_default();
    for watch in folders.iter().filter(|watch| which.is_none_or(|id| *id == watch.id)) {
        if let Err(error) = scan::look_into(Path::new(&watch.path)) {
            note_problem(engine, watch, unreadable(&error));
            continue;
        }
        // What happened to the folder itself may concern all that is in it.
        let inside = paths
            .filter(|paths| !paths.contains(Path::new(&watch.path)))
            .map(|paths| paths.iter().filter(|path| path.starts_with(&watch.path)).cloned().collect::<HashSet<_>>());
        if inside.as_ref().is_some_and(HashSet::is_empty) {
            continue;
        }
        match scan::compare(engine, watch, inside.as_ref(), stopping) {
            Ok(changes) => {
                tracing::debug!(
                    read = changes.read,
                    moved = changes.moved,
                    missing = changes.missing,
                    "a folder was compared"
                );
                engine.tell(Event::Spaces);
            }
            Err(error) => tracing::warn!(code = %error.code, "a folder could not be compared"),
        }
    }
}
