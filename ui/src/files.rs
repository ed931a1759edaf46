//! Files of the library: how far each is read, and what can be done with one.

use crate::{
    components::{forget::Ask, icon::Icon, menu::Item as MenuItem},
    format::percent,
    ipc,
    state::App,
};
use leptos::{prelude::Callback, task::spawn_local};
use um_model::{
    EmbeddingState, ErrorCode, JobStatus,
    capture::{Artifact, ArtifactRemove, ArtifactReread, ArtifactRestore, ArtifactSummary},
    forget::ForgetWhat,
    jobs::{Embedding, Job, JobError},
};

/// How far a file is read.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// All of it.
    Done,
    /// So far, 0 to 1, and what is being done.
    Reading(f64, Option<String>),
    /// For a model, or for a program that is not installed.
    Waiting {
        /// What it is: `a model`, `Tesseract`.
        thing: String,
        /// How it comes to be there, where more is known than that it is missing.
        way_out: Option<String>,
    },
    /// It needs its password.
    Locked,
    /// The reason.
    Failed(String),
    /// Somebody stopped it.
    Cancelled,
    /// There is nothing to read in it, or parts of it could not be read, and why.
    Unread(String),
    /// It was taken out of recall.
    Removed,
}

/// How far a file is read.
pub fn state_of(file: &ArtifactSummary) -> State {
    let reason = |job: &Job| job.error.as_ref().map(|e| e.message.clone());
    match &file.reading {
        _ if file.artifact.deleted => State::Removed,
        Some(job) => match job.status {
            JobStatus::Pending | JobStatus::Processing => State::Reading(job.progress, job.progress_note.clone()),
            JobStatus::WaitingForModel => {
                let (thing, way_out) = awaited(job.error.as_ref());
                State::Waiting { thing, way_out }
            }
            JobStatus::WaitingForPassword => State::Locked,
            JobStatus::Failed | JobStatus::Poison => State::Failed(reason(job).unwrap_or_else(|| "Failed".into())),
            JobStatus::Cancelled => State::Cancelled,
            JobStatus::Completed => finished(file),
        },
        None => finished(file),
    }
}

/// What a job waits for, in words, and the way out: a program and how it is installed, or a model.
pub fn awaited(error: Option<&JobError>) -> (String, Option<String>) {
    let Some(error) = error.filter(|error| error.code == ErrorCode::ToolMissing) else {
        return ("a model".into(), None);
    };
    match error.message.split_once(" is not installed.") {
        Some((program, hint)) => {
            let program = program.strip_prefix("A ").map_or_else(|| program.to_owned(), |rest| format!("a {rest}"));
            (program, Some(hint.trim().to_owned()).filter(|hint| !hint.is_empty()))
        }
        None => ("a program".into(), Some(error.message.clone())),
    }
}

/// How far what was read can be found by its meaning; nothing where all of it can, or it is nobody's concern.
pub fn by_meaning(embedding: &Embedding) -> Option<String> {
    match (&embedding.note, embedding.state) {
        (Some(note), _) => Some(embedded(note)),
        (None, EmbeddingState::Embedding) => Some("By its words; soon by its meaning".into()),
        (None, EmbeddingState::WaitingForModel) => {
            let (thing, _) = awaited(embedding.error.as_ref());
            Some(format!("By its words; by its meaning once {thing} is there"))
        }
        (None, EmbeddingState::Failed | EmbeddingState::Cancelled) => Some("By its words".into()),
        (None, EmbeddingState::Embedded) => None,
    }
}

/// The note of a long embedding in the window's words: `320 of 7,444 passages by their meaning`.
pub fn embedded(note: &str) -> String {
    match note.strip_prefix("embedded ") {
        Some(so_far) => format!("{so_far} passages by their meaning"),
        None => note.to_owned(),
    }
}

fn finished(file: &ArtifactSummary) -> State {
    match (&file.note, file.has_text) {
        (Some(note), _) => State::Unread(note.clone()),
        (None, true) => State::Done,
        (None, false) => State::Unread("No words found".into()),
    }
}

impl State {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            State::Done => "Read".into(),
            State::Reading(share, _) if *share <= 0.0 => "Waiting its turn".into(),
            State::Reading(share, Some(note)) => format!("Reading {}, {note}", percent(*share)),
            State::Reading(share, None) => format!("Reading {}", percent(*share)),
            State::Waiting { thing, .. } => format!("Waiting for {thing}"),
            State::Locked => "Needs its password".into(),
            State::Failed(reason) => format!("Failed: {reason}"),
            State::Cancelled => "Not read: cancelled".into(),
            State::Unread(note) => note.clone(),
            State::Removed => "Removed".into(),
        }
    }
}

/// Takes a file out of recall, with a way back.
pub fn remove(app: App, file: &Artifact) {
    let (id, name) = (file.id.clone(), file.filename.clone());
    spawn_local(async move {
        match ipc::call(ArtifactRemove { id: id.clone() }).await {
            Ok(_) => {
                app.toasts.say_with_undo(format!("{name} was removed."), move || {
                    crate::actions::run(app, ArtifactRestore { id: id.clone() });
                });
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Brings a removed file back, with a way to remove it again.
pub fn restore(app: App, file: &Artifact) {
    let (id, name) = (file.id.clone(), file.filename.clone());
    spawn_local(async move {
        match ipc::call(ArtifactRestore { id: id.clone() }).await {
            Ok(_) => {
                app.toasts.say_with_undo(format!("{name} is back."), move || {
                    crate::actions::run(app, ArtifactRemove { id: id.clone() });
                });
            }
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// What the menu of a file offers.
pub fn menu(app: App, file: &Artifact) -> Vec<MenuItem> {
    let act = |label: &str, icon, key, act: fn(App, &Artifact)| {
        let file = file.clone();
        MenuItem { label: label.into(), icon, key, act: Callback::new(move |()| act(app, &file)) }
    };
    let open = act("Open original", Icon::Open, None, open_original);
    let forget = act("Forget", Icon::Eraser, None, forget);
    if file.deleted {
        return vec![open, act("Restore", Icon::Undo, Some("R"), restore), forget];
    }
    let again = act("Read again", Icon::Reread, Some("R"), read_again);
    vec![open, again, act("Remove", Icon::Trash, Some("Del"), remove), forget]
}

/// Asks whether a file is to be forgotten, which has no way back.
pub fn forget(app: App, file: &Artifact) {
    let what = ForgetWhat { artifact: Some(file.id.clone()), ..ForgetWhat::default() };
    Ask::named(what, &file.filename).open(app);
}

/// Reads a file again.
pub fn read_again(app: App, file: &Artifact) {
    let (id, name) = (file.id.clone(), file.filename.clone());
    spawn_local(async move {
        match ipc::call(ArtifactReread { id }).await {
            Ok(_) => app.toasts.say(format!("{name} is read again.")),
            Err(error) => app.toasts.trouble(&error),
        }
    });
}

/// Opens a file in the program that the system has for it.
pub fn open_original(app: App, file: &Artifact) {
    let id = file.id.clone();
    spawn_local(async move {
        if let Err(error) = ipc::open_original(&id).await {
            app.toasts.trouble(&error);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(status: Option<&str>, error: &str, has_text: bool, note: &str) -> ArtifactSummary {
        file_lacking(status, ("corrupt_file", error), has_text, note)
    }

    fn file_lacking(status: Option<&str>, (code, error): (&str, &str), has_text: bool, note: &str) -> ArtifactSummary {
        let id = "00000000-0000-7000-8000-000000000001";
        let error =
            if error.is_empty() { "null".into() } else { format!(r#"{{"code":"{code}","message":"{error}"}}"#) };
        let job = status.map_or("null".into(), |status| {
            format!(
                r#"{{"id":"{id}","kind":"read","status":"{status}","space_id":"{id}","artifact_id":"{id}","memory_id":null,
                "title":"t","progress":0.5,"progress_note":"page 3 of 6","attempts":1,"error":{error},"created_at":0,"updated_at":0}}"#
            )
        });
        let note = if note.is_empty() { "null".into() } else { format!("\"{note}\"") };
        serde_json::from_str(&format!(
            r#"{{"id":"{id}","space_id":"{id}","actor_id":"{id}","content_hash":"","filename":"a.pdf","mime_type":"",
            "modality":"pdf","byte_size":1,"source_path":null,"deleted":false,"redacted":false,"page_count":null,"width":null,
            "height":null,"duration_ms":null,"occurred_at":null,"created_at":0,"memory_id":null,"memory_status":null,
            "reading":{job},"has_text":{has_text},"note":{note}}}"#
        ))
        .unwrap()
    }

    #[test]
    fn a_file_says_how_far_it_is() {
        for (file, words) in [
            (file(Some("completed"), "", true, ""), "Read"),
            (file(Some("completed"), "", false, ""), "No words found"),
            (file(None, "", false, "No reader for this type"), "No reader for this type"),
            (file(Some("processing"), "", false, ""), "Reading 50 %, page 3 of 6"),
            (file(Some("waiting_for_password"), "", false, ""), "Needs its password"),
            (file(Some("failed"), "The file is cut off.", false, ""), "Failed: The file is cut off."),
        ] {
            assert_eq!(state_of(&file).words(), words);
        }
        let lacks = |code: &str, error: &str| file_lacking(Some("waiting_for_model"), (code, error), false, "");
        for (file, words, way_out) in [
            (lacks("model_missing", "The speech model is not installed."), "Waiting for a model", None),
            (
                lacks("tool_missing", "Tesseract is not installed. Install it. Then it goes on."),
                "Waiting for Tesseract",
                Some("Install it. Then it goes on."),
            ),
            (
                lacks("tool_missing", "A language of Tesseract (nld) is not installed. Install it."),
                "Waiting for a language of Tesseract (nld)",
                Some("Install it."),
            ),
            (lacks("tool_missing", "Something is missing."), "Waiting for a program", Some("Something is missing.")),
        ] {
            let state = state_of(&file);
            assert_eq!(state.words(), words);
            let State::Waiting { way_out: out, .. } = state else { panic!("{words}: it waits") };
            assert_eq!(out.as_deref(), way_out);
        }
        let mut removed = file(Some("completed"), "", true, "");
        removed.artifact.deleted = true;
        assert_eq!(state_of(&removed), State::Removed);
    }

    #[test]
    fn how_a_file_is_found_is_told_while_not_all_of_it_is() {
        let of =
            |state, note: Option<&str>| by_meaning(&Embedding { state, note: note.map(str::to_owned), error: None });
        assert_eq!(
            of(EmbeddingState::Embedding, Some("embedded 320 of 7,444")).as_deref(),
            Some("320 of 7,444 passages by their meaning")
        );
        assert_eq!(of(EmbeddingState::Embedding, None).as_deref(), Some("By its words; soon by its meaning"));
        assert_eq!(
            of(EmbeddingState::WaitingForModel, None).as_deref(),
            Some("By its words; by its meaning once a model is there")
        );
        assert_eq!(of(EmbeddingState::Embedded, None), None);
    }
}
