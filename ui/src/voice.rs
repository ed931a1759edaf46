//! The sentences of the window: what happened, then what to do.

use crate::format::{count, size};
use um_model::{ApiError, JobStatus, ModelKind, health::Status, models::Model};

/// The first line of a first run, and of everything that asks for files.
pub const INVITATION: &str = "Drop a file, or watch a folder. It is read here and stays here.";

/// A question that nothing answers.
pub fn no_answer(space: &str) -> String {
    format!("Nothing in {space} answers this.")
}

/// A question that nothing answered on a day.
pub fn no_answer_then(space: &str, day: &str) -> String {
    format!("Nothing in {space} answers this as of {day}.")
}

/// What leads from there to the nearest passages.
pub fn show_closest(hits: usize) -> String {
    match hits {
        1 => "Show the closest".into(),
        more => format!("Show the {more} closest"),
    }
}

/// A space without files.
pub fn nothing_yet(space: &str) -> String {
    format!("Nothing in {space} yet. Drop files anywhere.")
}

/// Files wait for a model that is not installed.
pub fn waits_for_model(model: &Model) -> String {
    let (noun, wanted) = match model.kind {
        ModelKind::Speech => ("recording", "a speech model"),
        ModelKind::VoiceActivity => ("recording", "a voice activity model"),
        ModelKind::TextEmbedding => ("text", "an embedding model"),
        ModelKind::Entailment => ("comparison", "an entailment model"),
        ModelKind::Names => ("text", "a model for names"),
        ModelKind::Reranking => ("question", "a reranking model"),
    };
    let verb = if model.jobs_waiting == 1 { "waits" } else { "wait" };
    format!("{} {verb} for {wanted} ({}).", count(model.jobs_waiting, noun), size(model.download_bytes))
}

/// A file that is locked.
pub fn needs_password(file: &str) -> String {
    format!("{file} needs its password.")
}

/// What a drop would do: `Add 12 files (38 MB) to Personal`. The size is left out where it is not known.
pub fn add_files(files: u64, bytes: Option<u64>, space: Option<&str>) -> String {
    let size = bytes.map(|bytes| format!(" ({})", size(bytes))).unwrap_or_default();
    match space {
        Some(space) => format!("Add {}{size} to {space}", count(files, "file")),
        None => format!("Add {}{size}: choose a space", count(files, "file")),
    }
}

/// A hint for somebody at the window: without what it says of the command line. None where nothing is left.
pub fn hint(hint: &str) -> Option<String> {
    let sentence = |sentence: &str| match (sentence.split_once("`umem"), sentence.split_once(": umem ")) {
        (Some((before, _)), _) => Some(format!("{}.", before.strip_suffix(", or ")?)),
        (None, Some((before, _))) => Some(format!("{before}.")),
        (None, None) => Some(sentence.to_owned()),
    };
    let kept: Vec<String> = hint.split_inclusive(". ").filter_map(|one| sentence(one.trim_end())).collect();
    (!kept.is_empty()).then(|| kept.join(" "))
}

/// What failed and what to do next, in the window's words.
pub fn failure(error: &ApiError) -> String {
    match error.hint.as_deref().and_then(hint) {
        Some(hint) => format!("{} {hint}", error.message),
        None => error.message.clone(),
    }
}

/// Where texts go: nowhere, unless a language model on another machine is in use.
pub fn place(cloud: Option<&str>) -> String {
    cloud.map_or_else(|| "Local only".to_owned(), |host| format!("Cloud on: {host}"))
}

/// What [`place`] means.
pub fn privacy(cloud: Option<&str>) -> String {
    match cloud {
        None => "Everything is read on this machine and stays on it. Nothing is sent anywhere.".to_owned(),
        Some(host) => format!(
            "Texts of memories that come in are sent to the language model at {host}, which you turned on. Files, \
             pictures and recordings stay on this machine. `umem llm off` turns it off."
        ),
    }
}

/// How many jobs wait for a model: what waits beyond them waits for a program.
fn waiting_for_models(models: &[Model]) -> u64 {
    let of_kind = |kind: ModelKind| models.iter().filter(|m| m.kind == kind).map(|m| m.jobs_waiting).max();
    ModelKind::ALL.iter().filter_map(|kind| of_kind(*kind)).sum()
}

/// The state of the work in a few words: `3 reading, 1 waiting for a model`.
pub fn work(status: &Status, models: &[Model]) -> String {
    let number = |wanted: &[JobStatus]| wanted.iter().filter_map(|s| status.jobs.get(s)).sum::<u64>();
    let reading = number(&[JobStatus::Pending, JobStatus::Processing]);
    let waiting = number(&[JobStatus::WaitingForModel]);
    // Before the models are known, it is said of all.
    let for_model = if models.is_empty() { waiting } else { waiting_for_models(models).min(waiting) };
    let parts = [
        (reading, if status.paused { "paused" } else { "reading" }),
        (for_model, "waiting for a model"),
        (waiting - for_model, "waiting for a program"),
        (number(&[JobStatus::WaitingForPassword]), "waiting for a password"),
        (number(&[JobStatus::Failed, JobStatus::Poison]), "failed"),
    ];
    let said: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
    let said = match (said.is_empty(), status.paused) {
        (true, true) => "Paused".into(),
        (true, false) => "All read".into(),
        _ => said.join(", "),
    };
    if status.indexing_anew { format!("{said}, search is still catching up") } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(jobs: &str, paused: bool) -> Status {
        serde_json::from_str(&format!(
            r#"{{"version":"","jobs":{jobs},"paused":{paused},"agents_connected":0,"artifacts":0,"memories":0,
            "units_unembedded":0,"started_at":0,"socket":null}}"#
        ))
        .unwrap()
    }

    fn speech(waiting: u64) -> Model {
        serde_json::from_str(&format!(
            r#"{{"id":"m","name":"M","purpose":"","kind":"speech","download_bytes":148000000,"licence":"MIT",
            "state":"missing","downloaded_bytes":null,"problem":null,"jobs_waiting":{waiting},"in_use":false}}"#
        ))
        .unwrap()
    }

    #[test]
    fn the_status_line_names_only_what_there_is() {
        let busy = status(r#"{"pending":2,"processing":1,"waiting_for_model":1,"completed":9}"#, false);
        assert_eq!(work(&busy, &[speech(1)]), "3 reading, 1 waiting for a model");
        assert_eq!(work(&busy, &[speech(0)]), "3 reading, 1 waiting for a program");
        let both = status(r#"{"waiting_for_model":5}"#, false);
        assert_eq!(work(&both, &[speech(3), speech(3)]), "3 waiting for a model, 2 waiting for a program");
        assert_eq!(work(&status(r#"{"completed":9}"#, false), &[]), "All read");
        assert_eq!(work(&status("{}", true), &[]), "Paused");
        assert_eq!(work(&status(r#"{"pending":2}"#, true), &[]), "2 paused");
        let anew = Status { indexing_anew: true, ..status(r#"{"completed":9}"#, false) };
        assert_eq!(work(&anew, &[]), "All read, search is still catching up");
    }

    #[test]
    fn hints_leave_the_command_line_out() {
        for (whole, left) in [
            ("Give another password.", Some("Give another password.")),
            ("Download it in Settings, or `umem models add FILE`.", Some("Download it in Settings.")),
            ("Nothing was changed. `umem doctor` checks the data folder.", Some("Nothing was changed.")),
            ("Run `umem doctor`.", None),
            ("Change that first: umem space policy \"Me\" --read members", Some("Change that first.")),
        ] {
            assert_eq!(hint(whole).as_deref(), left);
        }
    }

    #[test]
    fn sentences_are_those_of_the_design() {
        assert_eq!(add_files(12, Some(38_000_000), Some("Personal")), "Add 12 files (38 MB) to Personal");
        assert_eq!(add_files(1, None, None), "Add 1 file: choose a space");
        assert_eq!((place(None), place(Some("api.example"))), ("Local only".into(), "Cloud on: api.example".into()));
        assert!(privacy(None).contains("Nothing is sent") && privacy(Some("api.example")).contains("at api.example"));
        assert_eq!(
            format!("{} {}", no_answer("Personal"), show_closest(3)),
            "Nothing in Personal answers this. Show the 3 closest"
        );
        assert_eq!(waits_for_model(&speech(3)), "3 recordings wait for a speech model (148 MB).");
    }
}
