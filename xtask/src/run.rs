//! Builds the app and opens it; where there is no display, shows the same service answering on a terminal.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::files::{make_folder, remove_folder};
use crate::place::Place;
use crate::sh::{Waited, cargo, command, loud, quiet, stop, wait};
use crate::step::{Outcome, Step};

/// What the sample folder is asked, where nobody can type.
const QUESTIONS: &[&str] = &["When is the boiler serviced?", "Within how many days must damage be reported?"];

/// Characters of a quote that a terminal is shown.
const SHOWN: usize = 160;

/// How long the service may take to open its socket.
const READY_LIMIT: Duration = Duration::from_secs(60);

/// How long the service may take to put away what it is at.
const END_LIMIT: Duration = Duration::from_secs(20);

/// Building the app and `umem`.
pub fn build_step() -> Step {
    Step { name: "App", act: |place| build(place).map(|()| Outcome::Done(String::new())), without: None }
}

/// Builds every program of the workspace: the same choice of packages as the tests, so that nothing is built twice.
///
/// # Errors
/// cargo's.
pub fn build(place: &Place) -> Result<(), String> {
    let mut build = cargo(place);
    build.args(["build", "--workspace", "--bins"]);
    loud(build)
}

/// Opens the app on a data folder, the usual one where none is named. Where there is no display, the service reads
/// the sample folder into that folder (a fresh one where none is named) and answers.
///
/// # Errors
/// A program's, in one sentence.
pub fn open(place: &Place, data: Option<&Path>) -> Result<(), String> {
    if has_display() {
        println!("Ultimate Memory opens; this command ends with it.");
        let mut app = command(place, program(place, "ultimate-memory"));
        if let Some(data) = data {
            app.arg("--data").arg(data);
        }
        return loud(app);
    }
    println!("There is no display: the service starts without a window, reads samples/ and answers.");
    let data = data.map_or_else(|| fresh_data(place), |named| Ok(named.to_path_buf()))?;
    let mut service = serve(place, &data)?;
    let shown = show_answers(place, &data);
    end(place, &data, &mut service);
    shown.map(|()| println!("{}", closing(&program(place, "umem"), &data)))
}

/// What to do next, in lines that can be copied.
fn closing(umem: &Path, data: &Path) -> String {
    let on = format!("{:?} --data {:?}", umem.display().to_string(), data.display().to_string());
    format!(
        "\nWhat was read stays in {}. Ask more of it, or serve it until Ctrl-C:\n  {on} recall \"What does the sauna cost?\"\n  \
         {on} serve\nTo have `umem` on your PATH: cargo xtask install",
        data.display()
    )
}

fn fresh_data(place: &Place) -> Result<PathBuf, String> {
    let fresh = place.at("target/sample-data");
    remove_folder(&fresh)?;
    make_folder(&fresh)?;
    Ok(fresh)
}

fn has_display() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// A program as the build leaves it.
pub fn program(place: &Place, name: &str) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| place.at("target"), PathBuf::from);
    target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

fn umem(place: &Place, data: &Path, words: &[&str]) -> Command {
    let mut umem = command(place, program(place, "umem"));
    umem.args(words).arg("--data").arg(data);
    umem
}

/// Starts the service and waits until it names its socket in the data folder.
fn serve(place: &Place, data: &Path) -> Result<Child, String> {
    let mut serve = umem(place, data, &["serve"]);
    serve.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = serve.spawn().map_err(|e| format!("the service cannot be started: {e}"))?;
    let socket = data.join("service.socket");
    match wait(&mut child, READY_LIMIT, || socket.is_file()) {
        Waited::Ready => Ok(child),
        Waited::Ended(status) => Err(format!("the service ended at once ({status}); its reason stands above")),
        Waited::TooLong => {
            stop(&mut child);
            Err(format!("the service was not ready within {} s", READY_LIMIT.as_secs()))
        }
    }
}

fn show_answers(place: &Place, data: &Path) -> Result<(), String> {
    let mut ingest = umem(place, data, &["ingest", "--space", "default", "--wait"]);
    ingest.arg(place.at("samples"));
    loud(ingest)?;
    for question in QUESTIONS {
        let reply = quiet(umem(place, data, &["recall", question, "--space", "default", "--limit", "2", "--json"]))?;
        println!("\n{question}");
        print_hits(&reply)?;
    }
    Ok(())
}

/// Prints the hits of a reply of `umem recall --json`: the quote, and where it stands.
fn print_hits(reply: &str) -> Result<(), String> {
    let reply: Value = serde_json::from_str(reply).map_err(|e| format!("umem's answer is no JSON: {e}"))?;
    let hits = reply["hits"].as_array().ok_or("umem's answer has no hits")?;
    if hits.is_empty() {
        return Err("nothing in samples/ answers this".into());
    }
    for hit in hits {
        println!("  {}", cited(hit));
    }
    Ok(())
}

/// “quote” (title, p. 2): as much of the place as the hit has.
fn cited(hit: &Value) -> String {
    let quote = hit["quote"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = quote.char_indices().nth(SHOWN).map(|(at, _)| format!("{}…", &quote[..at]));
    let quote = cut.unwrap_or(quote);
    let mut place = vec![hit["title"].as_str().unwrap_or_default().to_string()];
    if let Some(page) = hit["page"].as_i64() {
        place.push(format!("p. {page}"));
    }
    if let (Some(from), Some(to)) = (hit["time"]["start_ms"].as_i64(), hit["time"]["end_ms"].as_i64()) {
        place.push(format!("{}-{}", clock(from), clock(to)));
    }
    if let (Some(first), Some(last)) = (hit["lines"][0].as_i64(), hit["lines"][1].as_i64()) {
        place.push(format!("lines {first}-{last}"));
    }
    format!("“{quote}” ({})", place.join(", "))
}

fn clock(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Asks the service to end, and ends it where it does not answer.
fn end(place: &Place, data: &Path, service: &mut Child) {
    if quiet(umem(place, data, &["stop"])).is_err() {
        stop(service);
        return;
    }
    if let Waited::TooLong = wait(service, END_LIMIT, || false) {
        stop(service);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_shows_its_quote_and_its_place() {
        let hit = serde_json::json!({"quote": "the meeting\nis on Tuesday", "title": "memo.wav",
            "time": {"start_ms": 61_000, "end_ms": 64_500}});
        assert_eq!(cited(&hit), "“the meeting is on Tuesday” (memo.wav, 1:01-1:04)");
        let page = serde_json::json!({"quote": "a", "title": "b.pdf", "page": 2});
        assert_eq!(cited(&page), "“a” (b.pdf, p. 2)");
    }

    #[test]
    fn an_answer_without_hits_is_an_error() {
        assert!(print_hits(r#"{"hits":[]}"#).is_err());
        assert!(print_hits("{}").is_err());
    }
}
