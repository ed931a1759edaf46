//! What the window may ask of the shell. One command reaches every operation of the engine; the others
//! do what needs the desktop: the system's file chooser and its programs.

use crate::shortcut::AskKeys;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tauri::ipc::{InvokeBody, Request};
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;
use um_engine::{Caller, Engine};
use um_model::capture::{ArtifactGet, IngestedFile};
use um_model::{ApiError, ArtifactId, ErrorCode, Modality};

fn caller() -> Caller {
    Caller::owner("window")
}

fn internal(error: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::Internal, error.to_string())
}

/// Runs what blocks beside the window's own thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tauri::async_runtime::spawn_blocking(work).await.map_err(internal)?
}

/// Carries out the operation of that name.
#[tauri::command]
pub(crate) async fn call(engine: State<'_, Engine>, name: String, request: Value) -> Result<Value, ApiError> {
    let engine = engine.inner().clone();
    blocking(move || engine.call(&caller(), &name, request)).await
}

/// Brings in a file whose bytes the window read from a file chooser: the body is the file, the headers
/// `x-name` (percent-encoded) and `x-space` say what and where to.
#[tauri::command]
pub(crate) async fn ingest_bytes(engine: State<'_, Engine>, request: Request<'_>) -> Result<IngestedFile, ApiError> {
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value
            .map(str::to_owned)
            .ok_or_else(|| ApiError::new(ErrorCode::InvalidRequest, format!("The header {name} is missing.")))
    };
    let (name, space) = (percent_decode(&header("x-name")?), header("x-space")?);
    let InvokeBody::Raw(bytes) = request.body() else {
        return Err(ApiError::new(ErrorCode::InvalidRequest, "The body is not a file's bytes."));
    };
    let (engine, bytes) = (engine.inner().clone(), bytes.clone());
    blocking(move || engine.ingest_bytes(&caller(), &name, &space, bytes)).await
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], digits) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 3;
            }
            (byte, _) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Lets the person choose files or a folder in the system's dialog.
#[tauri::command]
pub(crate) async fn pick_paths(app: AppHandle, folder: bool) -> Result<Vec<String>, ApiError> {
    blocking(move || {
        let dialog = app.dialog().file();
        let chosen = if folder { dialog.blocking_pick_folders() } else { dialog.blocking_pick_files() };
        let paths = chosen.unwrap_or_default().into_iter().filter_map(|path| path.into_path().ok());
        Ok(paths.map(|path| path.display().to_string()).collect())
    })
    .await
}

/// How many files and bytes lie under paths.
#[derive(Debug, Default, Clone, Copy, serde::Serialize)]
pub(crate) struct Weight {
    files: u64,
    bytes: u64,
}

/// So many files are counted at most; more than that is "many".
const MAX_WEIGHED: u64 = 100_000;

/// Weighs files and folders before they are brought in.
#[tauri::command]
pub(crate) async fn weigh_paths(paths: Vec<PathBuf>) -> Result<Weight, ApiError> {
    blocking(move || {
        let mut weight = Weight::default();
        for path in &paths {
            weigh(path, &mut weight);
        }
        Ok(weight)
    })
    .await
}

fn weigh(path: &Path, weight: &mut Weight) {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
        if metadata.is_file() {
            weight.files += 1;
            weight.bytes += metadata.len();
        } else if metadata.is_dir() {
            open.extend(
                std::fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()),
            );
        }
        if weight.files >= MAX_WEIGHED {
            return;
        }
    }
}

/// The ending under which a file of that type is opened: decided by its content, never by its name, so
/// that nothing is opened that a desktop would run. `None` for what is not handed to any program.
fn ending(modality: Modality, mime_type: &str) -> Option<&'static str> {
    Some(match (modality, mime_type) {
        (Modality::Text, "text/markdown") => "md",
        (Modality::Text | Modality::Source, _) => "txt",
        (Modality::Html, _) => "html",
        (Modality::Pdf, _) => "pdf",
        (Modality::Document, "application/vnd.openxmlformats-officedocument.wordprocessingml.document") => "docx",
        (Modality::Image, "image/png") => "png",
        (Modality::Image, "image/jpeg") => "jpg",
        (Modality::Image, "image/webp") => "webp",
        (Modality::Image, "image/tiff") => "tif",
        (Modality::Image, "image/gif") => "gif",
        (Modality::Image, "image/bmp") => "bmp",
        (Modality::Image, "image/heic") => "heic",
        (Modality::Audio, "audio/wav") => "wav",
        (Modality::Audio, "audio/mpeg") => "mp3",
        (Modality::Audio, "audio/flac") => "flac",
        (Modality::Audio, "audio/ogg") => "ogg",
        (Modality::Audio, "audio/mp4") => "m4a",
        (Modality::Audio, "audio/webm") => "weba",
        (Modality::Video, "video/mp4") => "mp4",
        (Modality::Video, "video/quicktime") => "mov",
        (Modality::Video, "video/webm") => "webm",
        (Modality::Video, "video/x-matroska") => "mkv",
        (Modality::Video, "video/x-msvideo") => "avi",
        _ => return None,
    })
}

/// Opens a copy of a file in the program that the system has for it. The copy lies in the data folder's
/// scratch space, which is emptied at the next start.
#[tauri::command]
pub(crate) async fn open_original(engine: State<'_, Engine>, id: ArtifactId) -> Result<(), ApiError> {
    let engine = engine.inner().clone();
    blocking(move || {
        let io = |e: std::io::Error| ApiError::new(ErrorCode::Io, e.to_string());
        let artifact = engine.run(&caller(), ArtifactGet { id: id.clone() })?.summary.artifact;
        let Some(ending) = ending(artifact.modality, &artifact.mime_type) else {
            return Err(ApiError::new(
                ErrorCode::Forbidden,
                format!("Files of the type {} are kept, and not opened from here.", artifact.mime_type),
            ));
        };
        let (name, bytes) = engine.original(&caller(), &id)?;
        let folder = engine.data_dir().join("tmp").join(format!("open-{id}"));
        std::fs::create_dir_all(&folder).map_err(io)?;
        let copy = folder.join(format!("{}.{ending}", plain_stem(&name)));
        std::fs::write(&copy, bytes).map_err(io)?;
        open::that_detached(&copy).map_err(|e| ApiError::new(ErrorCode::Io, format!("No program opens {name}: {e}.")))
    })
    .await
}

/// A file's name without its ending, of letters, digits and harmless marks.
fn plain_stem(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let plain: String =
        stem.chars().map(|c| if c.is_alphanumeric() || " -_()".contains(c) { c } else { '_' }).take(80).collect();
    if plain.trim().is_empty() { "file".to_owned() } else { plain }
}

/// What came of the keys that the settings name for asking from any program.
#[tauri::command]
pub(crate) async fn ask_keys(app: AppHandle) -> Result<AskKeys, ApiError> {
    blocking(move || Ok(crate::shortcut::follow(&app))).await
}

/// Opens the data folder in the system's file manager.
#[tauri::command]
pub(crate) async fn open_data_folder(engine: State<'_, Engine>) -> Result<(), ApiError> {
    let folder = engine.data_dir().to_owned();
    blocking(move || {
        open::that_detached(&folder)
            .map_err(|e| ApiError::new(ErrorCode::Io, format!("No file manager opens the folder: {e}.")))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_through_headers() {
        for (encoded, name) in
            [("a%20b.txt", "a b.txt"), ("%C3%BC.md", "ü.md"), ("100%", "100%"), ("%zz", "%zz"), ("ü%41", "üA")]
        {
            assert_eq!(percent_decode(encoded), name);
        }
    }

    #[test]
    fn content_decides_what_a_file_is_opened_as() {
        assert_eq!(ending(Modality::Source, "text/x-shellscript"), Some("txt"));
        assert_eq!(ending(Modality::Pdf, "application/pdf"), Some("pdf"));
        assert_eq!(ending(Modality::Other, "application/x-executable"), None);
        assert_eq!(plain_stem("evil.exe."), "evil_exe");
        assert_eq!(plain_stem("../../lease.pdf"), "______lease");
        assert_eq!(plain_stem("..."), "__");
    }
}
