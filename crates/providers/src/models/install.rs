//! Models from a file or folder of this machine: recognised, tried, and only then put among the installed ones.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use um_engine::plain;
use um_engine::provider::{ProviderError, ProviderResult};
use um_model::ModelKind;

use super::ggml;
use crate::catalogue::{
    self, Entry, MEMO_WHISPER, MEMO_WHISPER_SHA256, MINI_LM, OTHER_NER, OTHER_WHISPER, SILERO, WHISPER_FILE,
};
use crate::{Locations, asr, embedding, encoder, entailment, names, rerank};

/// How folders that are being filled are called.
const BEING_ADDED: &str = ".adding-";

/// A model that was recognised: what it is, and its files with their names once installed.
#[derive(Debug)]
pub struct Found {
    /// The entry of the catalogue.
    pub entry: &'static Entry,
    files: Vec<(PathBuf, &'static str)>,
}

/// Recognises the model at a path and tries it.
///
/// # Errors
/// `Unsupported` when it fits no model, `Corrupt` when it is not what it is said to be, `ToolMissing` when it cannot
/// be tried.
pub fn recognise(locations: &Locations, path: &Path, id: Option<&str>) -> ProviderResult<Found> {
    let wanted = id.map(|id| catalogue::entry(id).ok_or_else(|| unknown(id))).transpose()?;
    let found = match find(path)? {
        Candidate::Whisper(file) => of_whisper(file, wanted)?,
        Candidate::Embedding(folder) => mini_lm(locations, &folder)?,
        Candidate::Entailment(folder) => nli(locations, &folder)?,
        Candidate::Names(folder) => ner(locations, &folder)?,
        Candidate::Reranking(folder) => reranker(locations, &folder)?,
    };
    match wanted {
        Some(wanted) if wanted.id != found.entry.id => Err(not_that(wanted, found.entry.name)),
        _ => Ok(found),
    }
}

/// The error for an id that the catalogue does not have.
pub fn unknown(id: &str) -> ProviderError {
    let known: Vec<&str> = catalogue::ENTRIES.iter().filter(|entry| entry.is_offered()).map(|entry| entry.id).collect();
    ProviderError::Unsupported(format!("There is no model “{id}”. Known are: {}.", known.join(", ")))
}

fn not_that(wanted: &Entry, what: &str) -> ProviderError {
    ProviderError::Corrupt(format!("it is not {}, it is {what}", wanted.name))
}

enum Candidate {
    Whisper(PathBuf),
    Embedding(PathBuf),
    Entailment(PathBuf),
    Names(PathBuf),
    Reranking(PathBuf),
}

fn find(path: &Path) -> ProviderResult<Candidate> {
    let metadata = fs::metadata(path)
        .map_err(|error| ProviderError::Failed(format!("The path cannot be read: {}.", plain(&error))))?;
    let inside = path.join(WHISPER_FILE);
    if metadata.is_file() && ggml::is_ggml(path) {
        Ok(Candidate::Whisper(path.to_path_buf()))
    } else if metadata.is_dir() && ggml::is_ggml(&inside) {
        Ok(Candidate::Whisper(inside))
    } else if metadata.is_dir() && names::is_tagger(path) {
        Ok(Candidate::Names(path.to_path_buf()))
    } else if metadata.is_dir() && rerank::is_reranker(path) {
        Ok(Candidate::Reranking(path.to_path_buf()))
    } else if metadata.is_dir() && entailment::is_classifier(path) {
        Ok(Candidate::Entailment(path.to_path_buf()))
    } else if metadata.is_dir() && embedding::graph(path).is_some() {
        Ok(Candidate::Embedding(path.to_path_buf()))
    } else {
        Err(ProviderError::Unsupported(
            "No known model is there. Choose a whisper model in ggml format (ggml-….bin), the folder of \
             all-MiniLM-L6-v2, or that of an entailment model (NLI), a model for names (NER) or a reranker, with \
             model.onnx, config.json and tokenizer.json in it."
                .into(),
        ))
    }
}

/// A model of whisper.cpp: that for voice activity is told by its bytes, as nothing else is taken for it.
fn of_whisper(file: PathBuf, wanted: Option<&'static Entry>) -> ProviderResult<Found> {
    let hash = sha256(&file).map_err(|error| ProviderError::Failed(error.to_string()))?;
    let silero = catalogue::entry(SILERO).filter(|entry| entry.files.iter().any(|file| file.sha256 == hash));
    match silero {
        Some(entry) => Ok(Found { entry, files: vec![(file, WHISPER_FILE)] }),
        None => whisper(file, &hash, wanted),
    }
}

fn whisper(file: PathBuf, hash: &str, wanted: Option<&'static Entry>) -> ProviderResult<Found> {
    let shape = ggml::inspect(&file).map_err(ProviderError::Corrupt)?;
    let id = if hash == MEMO_WHISPER_SHA256 {
        MEMO_WHISPER
    } else if wanted.is_some_and(|wanted| wanted.id == OTHER_WHISPER) {
        OTHER_WHISPER
    } else {
        shape.id().unwrap_or(OTHER_WHISPER)
    };
    asr::load_file(&file).map_err(ProviderError::Corrupt)?;
    let entry = catalogue::entry(id).ok_or_else(|| unknown(id))?;
    Ok(Found { entry, files: vec![(file, WHISPER_FILE)] })
}

fn mini_lm(locations: &Locations, folder: &Path) -> ProviderResult<Found> {
    let files = embedding::files(folder).map_err(ProviderError::Corrupt)?;
    let mut model = embedding::load_folder(locations, folder).map_err(corrupt)?;
    let vectors = embedding::embed(&mut model, &["That is a happy person", "That is a happy dog"]);
    let vectors = vectors.map_err(|error| ProviderError::Corrupt(error.to_string()))?;
    let likeness: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
    let entry = catalogue::entry(MINI_LM).ok_or_else(|| unknown(MINI_LM))?;
    // The model's card gives 0.6946 for these two; quantized copies stay near it, other models do not.
    if (likeness - 0.6946).abs() > 0.03 {
        return Err(not_that(entry, "another embedding model"));
    }
    Ok(Found { entry, files })
}

/// Any entailment model will do; the catalogue's own is told by its bytes.
fn nli(locations: &Locations, folder: &Path) -> ProviderResult<Found> {
    let files = encoder::files(folder).map_err(ProviderError::Corrupt)?;
    entailment::try_folder(locations, folder).map_err(corrupt)?;
    by_bytes(files, catalogue::entailment())
}

/// Any reranker will do; the catalogue's own are told by their bytes.
fn reranker(locations: &Locations, folder: &Path) -> ProviderResult<Found> {
    let files = encoder::files(folder).map_err(ProviderError::Corrupt)?;
    rerank::try_folder(locations, folder).map_err(corrupt)?;
    by_bytes(files, catalogue::reranking())
}

/// Which of a kind's models has these bytes; else the one that stands for any other.
fn by_bytes(
    files: Vec<(PathBuf, &'static str)>,
    of_kind: impl Iterator<Item = &'static Entry>,
) -> ProviderResult<Found> {
    let hashes: io::Result<Vec<String>> = files.iter().map(|(path, _)| sha256(path)).collect();
    let hashes = hashes.map_err(|error| ProviderError::Failed(plain(&error)))?;
    let has_bytes = |entry: &&Entry| {
        let is_its = |((_, name), hash): (&(PathBuf, &str), &String)| {
            entry.files.iter().any(|file| file.name == *name && file.sha256 == hash)
        };
        files.iter().zip(&hashes).all(is_its)
    };
    let (offered, others): (Vec<_>, Vec<_>) = of_kind.partition(|entry| entry.is_offered());
    let entry = offered.into_iter().find(has_bytes).or(others.into_iter().next());
    let entry = entry.ok_or_else(|| ProviderError::Unsupported("No model of this kind can be brought.".into()))?;
    Ok(Found { entry, files })
}

/// Any model for names will do.
fn ner(locations: &Locations, folder: &Path) -> ProviderResult<Found> {
    let files = encoder::files(folder).map_err(ProviderError::Corrupt)?;
    names::try_folder(locations, folder).map_err(corrupt)?;
    let entry = catalogue::entry(OTHER_NER).ok_or_else(|| unknown(OTHER_NER))?;
    Ok(Found { entry, files })
}

/// A model that fails when it is tried is not what it is said to be.
fn corrupt(error: ProviderError) -> ProviderError {
    match error {
        ProviderError::Failed(why) => ProviderError::Corrupt(why),
        other => other,
    }
}

/// Copies a recognised model among the installed ones: all of it, or nothing.
///
/// # Errors
/// `Failed` with the disk's reason.
pub fn copy(found: &Found, models_dir: &Path) -> ProviderResult<()> {
    let failed = |error: io::Error| ProviderError::Failed(format!("The model cannot be copied: {}.", plain(&error)));
    fs::create_dir_all(models_dir).map_err(failed)?;
    remove_leftovers(models_dir).map_err(failed)?;
    let folder = tempfile::Builder::new().prefix(BEING_ADDED).tempdir_in(models_dir).map_err(failed)?;
    for (from, name) in &found.files {
        let to = folder.path().join(name);
        fs::copy(from, &to).and_then(|_| File::open(&to)?.sync_all()).map_err(failed)?;
    }
    put(&folder.keep(), &models_dir.join(found.entry.id)).map_err(failed)
}

/// Puts a filled folder in the place of an installed model, if there is one.
///
/// # Errors
/// The disk's.
pub fn put(filled: &Path, target: &Path) -> io::Result<()> {
    if target.exists() {
        let parent = target.parent().unwrap_or(Path::new("."));
        // Dropped, and so removed, once the new one is in place.
        let old = tempfile::Builder::new().prefix(BEING_ADDED).tempdir_in(parent)?;
        fs::rename(target, old.path().join("old"))?;
        return fs::rename(filled, target);
    }
    fs::rename(filled, target)
}

/// What an earlier process left when it was killed in the middle.
fn remove_leftovers(models_dir: &Path) -> io::Result<()> {
    for found in fs::read_dir(models_dir)?.flatten() {
        if found.file_name().to_string_lossy().starts_with(BEING_ADDED) {
            fs::remove_dir_all(found.path())?;
        }
    }
    Ok(())
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// The disk's.
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a model is usable from where it lies.
pub fn is_installed(locations: &Locations, entry: &Entry) -> bool {
    match entry.kind {
        ModelKind::TextEmbedding => embedding::installed_folder(locations).is_some(),
        ModelKind::Speech => asr::installed_file(locations, entry.id).is_some(),
        ModelKind::Entailment | ModelKind::Names | ModelKind::Reranking => {
            encoder::installed_folder(locations, entry.id).is_some()
        }
        ModelKind::VoiceActivity => asr::installed_file(locations, entry.id).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &Path) -> Found {
        Found { entry: catalogue::entry("whisper-tiny").unwrap(), files: vec![(file.to_path_buf(), WHISPER_FILE)] }
    }

    #[test]
    fn a_copy_takes_the_place_of_the_old_one_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let (source, models) = (dir.path().join("source"), dir.path().join("models"));
        for text in ["old", "new"] {
            fs::write(&source, text).unwrap();
            copy(&found(&source), &models).unwrap();
        }
        assert_eq!(fs::read(models.join("whisper-tiny").join(WHISPER_FILE)).unwrap(), b"new");
        fs::create_dir(models.join(".adding-left")).unwrap();
        copy(&found(&source), &models).unwrap();
        assert_eq!(fs::read_dir(&models).unwrap().count(), 1);
    }

    #[test]
    fn what_fits_no_model_is_told_from_what_is_broken() {
        let dir = tempfile::tempdir().unwrap();
        let of = |name: &str, bytes: &[u8], id| {
            let path = dir.path().join(name);
            fs::write(&path, bytes).unwrap();
            recognise(&Locations::default(), &path, id).map(|found| found.entry.id)
        };
        assert!(matches!(of("text", b"hello", None), Err(ProviderError::Unsupported(_))));
        assert!(matches!(of("stub", &ggml::sample(0), None), Err(ProviderError::Corrupt(_))));
        assert!(matches!(of("x", &ggml::sample(1), Some("no-such")), Err(ProviderError::Unsupported(_))));
        assert!(matches!(of("cut", &ggml::sample(1)[..60], None), Err(ProviderError::Corrupt(_))));
        assert!(matches!(
            recognise(&Locations::default(), &dir.path().join("absent"), None),
            Err(ProviderError::Failed(_))
        ));
    }
}
