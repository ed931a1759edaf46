//! Files and folders of this machine, brought in one after the other. A folder's files are taken as they are
//! found, so that a huge one costs no memory and can be stopped at any file; what was kept by then stays.

use super::files::{Arrival, file_name, keep_file, modified, path_text};
use super::opened::{Asked, Opened};
use crate::error::{Outcome, from_io, invalid};
use crate::work::Underway;
use crate::{Caller, Engine};
use std::path::{Path, PathBuf};
use um_model::capture::{Ingested, IngestedFile, MAX_INGESTED_LISTED, MemoryIngest};
use um_model::{ApiError, ErrorCode, SpaceId};
use um_store::jobs;

/// A file that was found, or what could not be looked at and why.
type Found = Result<PathBuf, (PathBuf, ApiError)>;

/// Brings files and folders in.
pub(crate) fn memory_ingest(engine: &Engine, caller: &Caller, request: MemoryIngest) -> Outcome<Ingested> {
    if request.paths.is_empty() {
        return Err(invalid("Name at least one file or folder."));
    }
    crate::clock::check(&[request.occurred_at])?;
    let space = engine.read(|c| crate::spaces::resolve(c, caller, &request.space))?.id;
    let opened = Opened::to(engine, caller, &space)?;
    let mut call = Underway::begin::<MemoryIngest>(engine, caller, Some(&space))?;
    let total = (!request.paths.iter().any(|path| Path::new(path).is_dir())).then_some(request.paths.len() as u64);
    let mut answer = Ingested::default();
    for path in &request.paths {
        let begun = answer.files.len();
        for found in files_of(Path::new(path), engine.data_dir(), &opened) {
            if call.is_cancelled() {
                answer.cancelled = true;
                break;
            }
            let found = found.and_then(|file| match opened.check_found(&file) {
                Ok(()) => Ok(file),
                Err(refused) => Err((file, refused)),
            });
            let file = take(engine, caller, &space, &request, found);
            let path = file.path.clone();
            count(&mut answer, file);
            call.moved(answer.created + answer.known + answer.refused, total, &path);
        }
        // Folders tell their files in no order.
        answer.files[begun..].sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(answer)
}

/// The file itself, or every file under a folder as they are found. Links are not followed: they lead out of
/// what the person chose. The data folder itself is passed by, and every other one.
fn files_of(path: &Path, data_dir: &Path, opened: &Opened) -> Box<dyn Iterator<Item = Found>> {
    let refused = |error: ApiError| Box::new(std::iter::once(Err((path.to_owned(), error))));
    if !path.is_absolute() {
        return refused(invalid(format!("{} is no absolute path.", path.display())));
    }
    let asked = match opened.check_asked(path) {
        Ok(asked) => asked,
        Err(closed) => return refused(closed),
    };
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(e) => return refused(from_io("Opening", path, &e)),
    };
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if whole.starts_with(data_dir) || whole.ancestors().any(is_data_folder) {
        return refused(invalid("This belongs to a data folder.").hint("It is never brought in."));
    }
    if let Asked::These(files) = asked {
        return Box::new(files.into_iter().filter(|file| !file.ancestors().any(is_data_folder)).map(Ok));
    }
    if metadata.is_file() {
        return Box::new(std::iter::once(Ok(whole)));
    }
    if !metadata.is_dir() {
        return refused(invalid(format!("{} is neither a file nor a folder.", path.display())));
    }
    let path = path.to_owned();
    let walk = ignore::WalkBuilder::new(whole)
        .standard_filters(false)
        .hidden(true)
        .follow_links(false)
        .filter_entry(|entry| !is_data_folder(entry.path()))
        .build();
    Box::new(walk.filter_map(move |entry| match entry {
        Ok(entry) if entry.file_type().is_some_and(|t| t.is_file()) => Some(Ok(entry.into_path())),
        Ok(_) => None,
        Err(e) => Some(Err((path.clone(), unlisted(&path, &e)))),
    }))
}

/// Whether this is what the product keeps everything in: this one, or another.
fn is_data_folder(folder: &Path) -> bool {
    folder.join("memory.db").is_file() && folder.join("forgotten.key").is_file()
}

/// Why a part of a folder could not be listed.
fn unlisted(folder: &Path, error: &ignore::Error) -> ApiError {
    match error.io_error() {
        Some(error) => from_io("Listing a folder in", folder, error),
        None => ApiError::new(ErrorCode::Io, format!("A part of {} could not be listed.", folder.display())),
    }
}

fn take(engine: &Engine, caller: &Caller, space: &SpaceId, request: &MemoryIngest, found: Found) -> IngestedFile {
    let kept = found.and_then(|file| {
        let arrival = Arrival {
            space: space.clone(),
            name: file_name(&file),
            path: Some(path_text(&file)),
            modified: modified(&file),
            occurred: request.occurred_at,
            priority: priority_of(caller),
            owner: request.owner.clone(),
            session: request.session.clone(),
            replaces: None,
            revives: true,
        };
        match keep_file(engine, caller, &file, &arrival) {
            Ok(kept) => Ok(kept.told(&file)),
            Err(error) => Err((file, error)),
        }
    });
    kept.unwrap_or_else(|(path, error)| IngestedFile {
        path: path_text(&path),
        artifact_id: None,
        memory_id: None,
        created: false,
        error: Some(error),
    })
}

fn priority_of(caller: &Caller) -> i64 {
    if caller.is_agent() { jobs::PRIORITY_AGENT } else { jobs::PRIORITY_PERSON }
}

/// Counts a file, and lists it while there is room for its like.
fn count(answer: &mut Ingested, file: IngestedFile) {
    let listed = match (&file.error, file.created) {
        (Some(_), _) => {
            answer.refused += 1;
            answer.refused
        }
        (None, created) => {
            *(if created { &mut answer.created } else { &mut answer.known }) += 1;
            answer.created + answer.known
        }
    };
    if listed <= MAX_INGESTED_LISTED {
        answer.files.push(file);
    }
}
