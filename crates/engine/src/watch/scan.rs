//! Comparing a watched folder with what is known of it. Files whose size, time and identity are those of
//! the last reading are not opened.

use crate::error::{Fault, Outcome, invalid};
use crate::forget::Door;
use crate::ingest::{Arrival, file_name, keep_file, move_versions, path_text};
use crate::{Caller, Engine, library};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use um_model::watch::WatchFolder;
use um_model::{ApiError, DeletePolicy, EpochMs, ErrorCode};
use um_store::artifacts::Whereabouts;
use um_store::jobs::PRIORITY_SCAN;
use um_store::memories::{self, Label};
use um_store::rejected::Checked;
use um_store::watches::{self, Seen, WatchedFile};

/// Names that programs give to files while they write them, and litter of desktops.
const NEVER: &[&str] = &[
    "**/.*",
    "**/*~",
    "**/~$*",
    "**/#*#",
    "**/*.tmp",
    "**/*.temp",
    "**/*.swp",
    "**/*.swx",
    "**/*.part",
    "**/*.partial",
    "**/*.crdownload",
    "**/*.download",
    "**/Thumbs.db",
    "**/desktop.ini",
];

/// Which files of a folder are wanted.
pub(super) struct Patterns {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Patterns {
    /// # Errors
    /// `InvalidRequest` for a glob that is none.
    pub(super) fn new(include: &[String], exclude: &[String]) -> Outcome<Self> {
        let never: Vec<String> = NEVER.iter().map(|glob| (*glob).to_owned()).collect();
        let include = if include.is_empty() { None } else { Some(globs(include)?) };
        Ok(Self { include, exclude: globs(&[never.as_slice(), exclude].concat())? })
    }

    fn wants(&self, relative: &str) -> bool {
        self.include.as_ref().is_none_or(|globs| globs.is_match(relative)) && !self.exclude.is_match(relative)
    }
}

/// A glob without a slash means the name at any depth, as people expect of `*.md`.
fn globs(patterns: &[String]) -> Outcome<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let anywhere = if pattern.contains('/') { pattern.clone() } else { format!("**/{pattern}") };
        set.add(Glob::new(&anywhere).map_err(|e| invalid(format!("\"{pattern}\" is no pattern: {e}.")))?);
    }
    set.build().map_err(|e| invalid(format!("The patterns do not fit together: {e}.")))
}

/// A file on disk.
#[derive(Debug, Clone)]
struct OnDisk {
    relative: String,
    path: PathBuf,
    size: u64,
    mtime_ns: i64,
    key: Option<String>,
}

impl OnDisk {
    fn look(folder: &Path, path: &Path) -> Option<Self> {
        let metadata = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let mtime_ns = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
            .and_then(|since| i64::try_from(since.as_nanos()).ok())
            .unwrap_or_default();
        Some(Self {
            relative: relative(folder, path)?,
            path: path.to_owned(),
            size: metadata.len(),
            mtime_ns,
            key: file_key(&metadata),
        })
    }

    fn unchanged_since(&self, known: &WatchedFile) -> bool {
        // What failed is tried again: its permissions may have changed, which no time tells.
        matches!(known.status.as_str(), "present" | "ignored")
            && known.size == self.size
            && known.mtime_ns == self.mtime_ns
            && inode(known.file_key.as_deref()) == inode(self.key.as_deref())
    }

    fn modified(&self) -> EpochMs {
        self.mtime_ns / 1_000_000
    }
}

fn relative(folder: &Path, path: &Path) -> Option<String> {
    let relative = path_text(path.strip_prefix(folder).ok()?);
    // Elsewhere than on Windows a backslash is a letter of a name.
    let relative = if cfg!(windows) { relative.replace('\\', "/") } else { relative };
    (!relative.is_empty()).then_some(relative)
}

/// The part of a file's identity that lasts: some disks get another device number at each start.
fn inode(key: Option<&str>) -> Option<&str> {
    key.and_then(|key| key.split_once(':')).map(|(_, rest)| rest)
}

/// Device, inode and, where the disk tells it, time of birth: an inode's number is given to another file as soon as
/// its own is deleted.
#[cfg(unix)]
fn file_key(metadata: &std::fs::Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let born = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let born = born.map(|since| format!(":{}", since.as_nanos())).unwrap_or_default();
    Some(format!("{}:{}{born}", metadata.dev(), metadata.ino()))
}

/// Whether a file's identity tells it from every other that there was: with its time of birth.
fn is_sure(key: &str) -> bool {
    key.matches(':').count() == 2
}

#[cfg(not(unix))]
fn file_key(_: &std::fs::Metadata) -> Option<String> {
    None
}

/// What lies at, above or below some paths. Each entry of a walk is asked about, so that the answer takes no longer the
/// more paths there are.
struct Concern {
    paths: HashSet<PathBuf>,
    above: HashSet<PathBuf>,
}

impl Concern {
    fn of(paths: &HashSet<PathBuf>) -> Self {
        let above = paths.iter().flat_map(|path| path.ancestors().skip(1)).map(Path::to_owned).collect();
        Self { paths: paths.clone(), above }
    }

    fn has(&self, path: &Path) -> bool {
        self.above.contains(path) || path.ancestors().any(|above| self.paths.contains(above))
    }
}

/// The wanted files of a folder; only at, above or below `paths` where they are given. The walk always
/// begins at the folder, so that its ignore files and hidden folders count for every path.
fn walk(watch: &WatchFolder, patterns: &Patterns, paths: Option<&HashSet<PathBuf>>) -> Vec<OnDisk> {
    let folder = Path::new(&watch.path);
    let concern = paths.map(Concern::of);
    let walker = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .hidden(true)
        .parents(watch.honour_gitignore)
        .git_ignore(watch.honour_gitignore)
        .git_exclude(watch.honour_gitignore)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| concern.as_ref().is_none_or(|concern| concern.has(entry.path())))
        .build();
    let mut found: Vec<OnDisk> = walker
        .filter_map(Result::ok)
        .filter_map(|entry| OnDisk::look(folder, entry.path()))
        .filter(|file| patterns.wants(&file.relative))
        .collect();
    found.sort_by(|a, b| a.relative.cmp(&b.relative));
    found
}

/// The files at or below a path that a watched folder takes, without links in their paths.
pub(crate) fn taken(watch: &WatchFolder, path: &Path) -> Outcome<Vec<PathBuf>> {
    let patterns = Patterns::new(&watch.include, &watch.exclude)?;
    let found = walk(watch, &patterns, Some(&HashSet::from([path.to_owned()])));
    Ok(found.into_iter().map(|file| file.path).collect())
}

/// What a comparison did.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Changes {
    pub(super) read: u32,
    pub(super) moved: u32,
    pub(super) missing: u32,
    pub(super) unchanged: u32,
}

/// Compares all of a folder, or only what lies at or below `paths`, with what is known. Ends early, with
/// what it did so far, once `stopping` is set or the folder is watched no longer.
///
/// # Errors
/// `Database`; a file that cannot be read costs that file only.
pub(super) fn compare(
    engine: &Engine,
    watch: &WatchFolder,
    paths: Option<&HashSet<PathBuf>>,
    stopping: &AtomicBool,
) -> Outcome<Changes> {
    let folder = Path::new(&watch.path);
    let mut changes = Changes::default();
    let patterns = Patterns::new(&watch.include, &watch.exclude)?;
    let below: Option<Vec<String>> =
        paths.map(|paths| paths.iter().filter_map(|path| relative(folder, path)).collect());
    let mut known: HashMap<String, WatchedFile> =
        engine.read(|c| known_files(c, watch, &below))?.into_iter().map(|file| (file.rel_path.clone(), file)).collect();
    let found_at = place(folder);
    if is_absent(folder, &known) {
        return Ok(changes);
    }
    let mut fresh = Vec::new();
    for file in walk(watch, &patterns, paths) {
        match known.remove(&file.relative) {
            Some(row) if file.unchanged_since(&row) => changes.unchanged += 1,
            Some(row) => fresh.push((file, Some(row))),
            None => fresh.push((file, None)),
        }
    }
    let mut gone: Vec<WatchedFile> =
        known.into_values().filter(|row| row.status != "missing" && is_gone(folder, &patterns, row)).collect();
    if place(folder) != found_at {
        // Its disk went away while it was looked at: that is no deletion of its files.
        gone.clear();
    }
    gone.sort_by(|a, b| a.rel_path.cmp(&b.rel_path));
    for (file, row) in fresh {
        if stopping.load(Ordering::Relaxed) || !engine.read(|c| Ok(watches::is_watched(c, &watch.id)?))? {
            return Ok(changes);
        }
        take_in(engine, watch, (&file, row), &mut gone, &mut changes)?;
    }
    for row in gone {
        lose_file(engine, watch, row)?;
        changes.missing += 1;
    }
    if paths.is_none() {
        let (id, now) = (watch.id.clone(), engine.now());
        engine.write(move |tx| Ok(watches::set_scanned(tx, &id, now)?))?;
    }
    Ok(changes)
}

/// Takes in a file that is new, moved or changed. What moved here is `gone` no longer.
fn take_in(
    engine: &Engine,
    watch: &WatchFolder,
    (file, row): (&OnDisk, Option<WatchedFile>),
    gone: &mut Vec<WatchedFile>,
    changes: &mut Changes,
) -> Outcome<()> {
    let row = match engine.read(|c| moved_from(c, watch, file, row.as_ref()))? {
        // Under a name that was forgotten nothing is kept: where it was, it is gone.
        Some(_) if is_refused(engine, watch, file)? => row,
        Some((from, old)) => {
            changes.moved += 1;
            gone.retain(|row| row.rid != old.rid);
            Some(move_file(engine, watch, (&from, old), file, row.as_ref())?)
        }
        None => row,
    };
    if !row.as_ref().is_some_and(|row| file.unchanged_since(row)) {
        read_file(engine, watch, file, row.as_ref())?;
        changes.read += 1;
    }
    Ok(())
}

/// Which folder stands at a path, as far as the system tells; `None` where none does.
fn place(folder: &Path) -> Option<Option<String>> {
    let metadata = std::fs::metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    Some(file_key(&metadata))
}

/// Whether a folder can be read: listed, and its files looked at.
pub(super) fn look_into(folder: &Path) -> std::io::Result<()> {
    match std::fs::read_dir(folder)?.next() {
        // A file that was there a moment ago is no trouble.
        Some(entry) => entry?.metadata().map(drop).or_else(|e| if is_absence(&e) { Ok(()) } else { Err(e) }),
        None => Ok(()),
    }
}

/// Whether the folder's disk is not there: that is no deletion of its files. A mount point without its
/// disk is an empty folder on another device.
fn is_absent(folder: &Path, known: &HashMap<String, WatchedFile>) -> bool {
    let Ok(metadata) = std::fs::metadata(folder) else { return true };
    let is_empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    let device = |key: &str| key.split(':').next().map(str::to_owned);
    let here = file_key(&metadata).as_deref().and_then(device);
    let elsewhere = |file: &WatchedFile| file.file_key.as_deref().and_then(device).is_some_and(|d| Some(d) != here);
    !metadata.is_dir() || (is_empty && known.values().any(elsewhere))
}

/// Whether a known file that the walk did not find is really gone: not there, or no longer wanted. One
/// that merely could not be looked at is not.
fn is_gone(folder: &Path, patterns: &Patterns, row: &WatchedFile) -> bool {
    match std::fs::symlink_metadata(folder.join(&row.rel_path)) {
        Ok(metadata) => !metadata.is_file() || !patterns.wants(&row.rel_path),
        Err(error) => is_absence(&error),
    }
}

/// Whether nothing is there; what merely cannot be looked at may be.
pub(super) fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn known_files(
    c: &um_store::Connection,
    watch: &WatchFolder,
    scope: &Option<Vec<String>>,
) -> Result<Vec<WatchedFile>, Fault> {
    Ok(match scope {
        None => watches::files(c, &watch.id)?,
        Some(below) => watches::files_below(c, &watch.id, below)?,
    })
}

/// Where a file was that stands at a new place now, in any watched folder of the space: the same file by the
/// system's own word, whose old place is empty. With what was known of it there.
fn moved_from(
    c: &um_store::Connection,
    watch: &WatchFolder,
    new: &OnDisk,
    row: Option<&WatchedFile>,
) -> Result<Option<(String, WatchedFile)>, Fault> {
    let Some(key) = new.key.as_deref().filter(|key| row.is_none_or(|row| row.file_key.as_deref() != Some(key))) else {
        return Ok(None);
    };
    let is_empty = |path: &Path| match std::fs::symlink_metadata(path) {
        Ok(metadata) => !metadata.is_file(),
        Err(error) => is_absence(&error),
    };
    let same = |old: &WatchedFile| is_sure(key) || (old.size == new.size && old.mtime_ns == new.mtime_ns);
    Ok(watches::by_file_key(c, &watch.space_id, key)?
        .into_iter()
        .map(|(folder, old)| (Path::new(&folder).join(&old.rel_path), old))
        .map(|(path, old)| (path_text(&path), path, old))
        .find(|(text, path, old)| *text != path_text(&new.path) && same(old) && is_empty(path))
        .map(|(text, _, old)| (text, old)))
}

fn caller() -> Caller {
    Caller::system("watched folder")
}

/// A moved file keeps its identity: only its name and path change. Gives what is known of it at its new place; `row`
/// is what was known of that place before.
fn move_file(
    engine: &Engine,
    watch: &WatchFolder,
    (from, old): (&str, WatchedFile),
    new: &OnDisk,
    row: Option<&WatchedFile>,
) -> Outcome<WatchedFile> {
    let moved = WatchedFile { rel_path: new.relative.clone(), ..old };
    let (watch, known, from, now) = (watch.clone(), moved.clone(), from.to_owned(), engine.now());
    let (to, replaces) = (path_text(&new.path), row.and_then(|row| row.memory.clone()));
    let door = Door::of(engine.key(), &watch.space_id);
    engine.write(move |tx| {
        watches::rename(tx, &watch.id, known.rid, &known.rel_path, now)?;
        if let Some(memory) = known.memory.as_ref().map(|id| memories::by_id(tx, id)).transpose()?.flatten() {
            move_versions(tx, &door, &memory, (&from, &to), replaces.as_ref(), now)?;
        }
        let Some(artifact) = &known.artifact else { return Ok(()) };
        let object = ("artifacts", artifact.as_str());
        Engine::audit(tx, &caller(), "artifact.moved", object, &watch.space_id, serde_json::json!({}), now)
    })?;
    engine.tell(um_model::health::Event::Library);
    Ok(moved)
}

/// Whether what a file is called by was forgotten, so that it need not be read.
fn is_refused(engine: &Engine, watch: &WatchFolder, file: &OnDisk) -> Outcome<bool> {
    let (filename, path) = (file_name(&file.path), path_text(&file.path));
    let place = Whereabouts { filename: &filename, path: Some(&path) };
    match engine.read(|c| Door::compared(c, engine.key(), &watch.space_id, &place)) {
        Err(error) if error.code == ErrorCode::Forgotten => Ok(true),
        compared => compared.map(|_| false),
    }
}

/// Reads a file that is new or changed, and keeps its state, whatever came of it.
fn read_file(engine: &Engine, watch: &WatchFolder, file: &OnDisk, row: Option<&WatchedFile>) -> Outcome<()> {
    if is_refused(engine, watch, file)? {
        return Ok(());
    }
    let arrival = Arrival {
        space: watch.space_id.clone(),
        name: file_name(&file.path),
        path: Some(path_text(&file.path)),
        modified: Some(file.modified()),
        occurred: None,
        priority: PRIORITY_SCAN,
        owner: None,
        session: None,
        replaces: row.and_then(|row| row.memory.clone()),
        // What the person removed stays removed, unless the file went away and came again.
        revives: row.is_none_or(|row| row.status == "missing"),
    };
    // Programs make a file before they write it: an empty one is not taken until something is in it.
    let kept = match file.size {
        0 => Err(ApiError::new(ErrorCode::Empty, format!("{} is empty.", file.path.display()))),
        _ => keep_file(engine, &caller(), &file.path, &arrival),
    };
    if kept.as_ref().is_err_and(|error| error.code == ErrorCode::Forgotten) {
        // Nothing of it is kept, its path neither.
        return Ok(());
    }
    let (watch, file, now) = (watch.clone(), file.clone(), engine.now());
    // A file that cannot be read now still stands for what was read of it.
    let (old_artifact, old_memory) = row.map(|row| (row.artifact.clone(), row.memory.clone())).unwrap_or_default();
    engine.write(move |tx| {
        let (status, error) = match &kept {
            Ok(_) => ("present", None),
            Err(error) if error.code == ErrorCode::Empty => ("ignored", Some(error.to_string())),
            Err(error) => ("failed", Some(error.to_string())),
        };
        let kept = kept.as_ref().ok();
        let seen = Seen {
            watch: &watch.id,
            space: &watch.space_id,
            rel_path: &file.relative,
            size: file.size,
            mtime_ns: file.mtime_ns,
            file_key: file.key.as_deref(),
            content_hash: kept.map(|k| k.hash.as_str()),
            artifact: kept.map(|k| &k.artifact).or(old_artifact.as_ref()),
            memory: kept.map(|k| &k.memory).or(old_memory.as_ref()),
            status,
            error: error.as_deref(),
        };
        watches::put_file(tx, &seen, now)?;
        if status == "ignored"
            && let (Some(artifact), Some(memory)) = (&old_artifact, &old_memory)
        {
            // It was emptied: what it said is gone from here.
            let path = path_text(&file.path);
            leave(tx, artifact, memory, &path, now)?;
        }
        Ok(())
    })
}

/// What stood at `path` stands there no longer: it leaves recall, unless a copy of it is still at another
/// watched path, or it came in from elsewhere.
fn leave(
    tx: &um_store::Connection,
    artifact: &um_model::ArtifactId,
    memory: &um_model::MemoryId,
    path: &str,
    now: EpochMs,
) -> Result<(), Fault> {
    if let Some(copy) = watches::copy_elsewhere(tx, memory, path)? {
        let label = Label { key: Some(&format!("file:{copy}")), title: None };
        return Ok(memories::set_label(tx, memory, &Checked::held(label))?);
    }
    let key = memories::by_id(tx, memory)?.and_then(|m| m.memory_key);
    if key.is_none_or(|key| key == format!("file:{path}")) {
        let artifact = library::existing(tx, &caller(), artifact)?;
        library::remove(tx, &caller(), &artifact, now)?;
    }
    Ok(())
}

/// A file is gone from disk: what came in from it follows the folder's policy, unless a copy of it is
/// still in a watched folder.
fn lose_file(engine: &Engine, watch: &WatchFolder, row: WatchedFile) -> Outcome<()> {
    let (policy, now) = (watch.on_delete, engine.now());
    let path = path_text(&Path::new(&watch.path).join(&row.rel_path));
    engine.write(move |tx| {
        watches::set_missing(tx, row.rid, now)?;
        match (&row.artifact, &row.memory) {
            (Some(artifact), Some(memory)) if policy == DeletePolicy::Mark => leave(tx, artifact, memory, &path, now),
            _ => Ok(()),
        }
    })?;
    engine.tell(um_model::health::Event::Library);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_at_above_or_below_a_path_concerns_it() {
        let concern = Concern::of(&["/w/a/b", "/w/c.txt"].map(PathBuf::from).into());
        for (path, expected) in [
            ("/", true),
            ("/w", true),
            ("/w/a", true),
            ("/w/a/b", true),
            ("/w/a/b/c/d", true),
            ("/w/c.txt", true),
            ("/w/a/bc", false),
            ("/w/a/other", false),
            ("/w/c.txt~", false),
            ("/v", false),
        ] {
            assert_eq!(concern.has(Path::new(path)), expected, "{path}");
        }
    }
}
