//! Builds the app and opens it; where there is no display, shows the same service answering on a terminal.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::files::{make_folder, remove_folder};
use crate::place::Place;
use crate::sh::{cargo, command, loud, quiet, stop};
use crate::step::{Outcome, Step};

/// What the sample folder is asked, where nobody can type.
const QUESTIONS: &[&str] = &["When is the boiler serviced?", "Which train goes to the lake?"];

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

/// Opens the app, or asks the service where there is no display. `words` go to the program as they are, `--data DIR`
/// among them.
///
/// # Errors
/// A program's, in one sentence.
pub fn open(place: &Place, words: &[String]) -> Result<(), String> {
    if has_display() {
        println!("Ultimate Memory is open; closing its window ends this command, or hides it in the tray.");
        let mut app = command(place, program(place, "ultimate-memory"));
        app.args(words);
        return loud(app);
    }
    println!("There is no display: the service starts without a window, reads samples/ and answers.");
    let data = data_folder(place, words)?;
    let mut service = serve(place, &data)?;
    let shown = show_answers(place, &data);
    stop_gently(&mut service);
    shown
}

fn has_display() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn program(place: &Place, name: &str) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| place.at("target"), PathBuf::from);
    target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The folder after `--data`, or a fresh one.
fn data_folder(place: &Place, words: &[String]) -> Result<PathBuf, String> {
    match words.iter().position(|word| word == "--data").and_then(|at| words.get(at + 1)) {
        Some(named) => Ok(PathBuf::from(named)),
        None => {
            let fresh = place.at("target/sample-data");
            remove_folder(&fresh)?;
            make_folder(&fresh)?;
            Ok(fresh)
        }
    }
}

fn umem(place: &Place, data: &Path, words: &[&str]) -> Command {
    let mut umem = command(place, program(place, "umem"));
    umem.args(words).arg("--data").arg(data);
    umem
}

/// Starts the service and waits for its first line, which it prints when its socket is open.
fn serve(place: &Place, data: &Path) -> Result<Child, String> {
    let mut serve = umem(place, data, &["serve"]);
    serve.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = serve.spawn().map_err(|e| format!("the service cannot be started: {e}"))?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("the service has no output")?).lines();
    match lines.next() {
        Some(Ok(line)) => println!("{line}"),
        _ => {
            stop(&mut child);
            return Err("the service ended before it was ready; its reason stands above".into());
        }
    }
    // What it prints later is read away, so that it never waits for us.
    std::thread::spawn(move || lines.for_each(drop));
    Ok(child)
}

fn show_answers(place: &Place, data: &Path) -> Result<(), String> {
    let mut ingest = umem(place, data, &["ingest", "--space", "default", "--wait"]);
    ingest.arg(place.at("samples"));
    loud(ingest)?;
    for question in QUESTIONS {
        let reply = quiet(umem(place, data, &["recall", question, "--space", "default", "--limit", "3", "--json"]))?;
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

/// Asks the service to end, as a person at a terminal would.
fn stop_gently(service: &mut Child) {
    let asked = Command::new("kill").args(["-INT", &service.id().to_string()]).status();
    if asked.is_ok_and(|status| status.success()) {
        let _ = service.wait();
    } else {
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
