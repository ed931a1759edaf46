//! The checks that `cargo xtask test` is made of.

use std::process::Command;

use crate::place::Place;
use crate::setup::test_tools::{AXE, MCP_PYTHON};
use crate::sh::{cargo, command, loud, quiet, side_by_side, succeeds};
use crate::step::{Outcome, Step};

/// The form of the source.
pub fn format() -> Step {
    Step { name: "Format", act: check_format, without: None }
}

/// Clippy over everything, warnings denied.
pub fn clippy() -> Step {
    Step { name: "Clippy", act: check_clippy, without: None }
}

/// All tests but those of the window.
pub fn unit() -> Step {
    Step { name: "Tests", act: run_tests, without: None }
}

/// Encryption at rest, in a build that has it.
pub fn encryption() -> Step {
    Step { name: "Encryption", act: run_encryption_tests, without: None }
}

/// The window, driven through WebDriver on a display of its own.
pub fn window() -> Step {
    Step { name: "Window tests", act: run_window_tests, without: None }
}

/// A PNG of every page, light and dark, from the running app.
pub fn screenshots() -> Step {
    Step { name: "Screenshots", act: take_screenshots, without: None }
}

fn check_format(place: &Place) -> Result<Outcome, String> {
    let mut fmt = cargo(place);
    fmt.args(["fmt", "--all", "--check"]);
    loud(fmt).map_err(|why| format!("{why}; run `cargo fmt --all`"))?;
    Ok(Outcome::Done(String::new()))
}

fn check_clippy(place: &Place) -> Result<Outcome, String> {
    let mut clippy = cargo(place);
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    loud(clippy)?;
    Ok(Outcome::Done(String::new()))
}

fn run_tests(place: &Place) -> Result<Outcome, String> {
    build_for(place, &["--tests"])?;
    let mut probe = cargo(place);
    probe.args(["nextest", "--version"]);
    let words: &[&str] = if succeeds(probe) { &["nextest", "run"] } else { &["test"] };
    let mut tests = with_client(place, cargo(place));
    // One failure hides no other. Of what has no tests, nothing more is built for them.
    tests.args(words).args(["--workspace", "--tests", "--no-fail-fast"]);
    loud(tests)?;
    Ok(Outcome::Done(String::new()))
}

/// Builds tests, and the programs that they start, in one go: features of what only tests need are those of all then, and programs
/// that are built without them are built a second time from the bottom.
fn build_for(place: &Place, tests: &[&str]) -> Result<(), String> {
    let mut build = cargo(place);
    build.args(["build", "--workspace", "--bins"]).args(tests);
    loud(build)
}

fn run_encryption_tests(place: &Place) -> Result<Outcome, String> {
    if cfg!(windows) && std::env::var_os("OPENSSL_DIR").is_none() {
        return Ok(Outcome::Done("left out: OPENSSL_DIR names no OpenSSL".into()));
    }
    let mut tests = cargo(place);
    // Of the whole workspace, as features are those of all packages that are named: what does not encrypt is built already.
    tests.args(["test", "--workspace", "--no-fail-fast", "--test", "encryption", "--features"]);
    tests.arg("um-store/encryption,um-engine/encryption,umem/encryption");
    loud(tests)?;
    Ok(Outcome::Done(String::new()))
}

/// So many of the window's tests run beside each other.
const ROWS: usize = 2;
/// They are run in so many parts, as some take ten times as long as others: which row is done with one takes the next.
const PARTS: usize = 12;

fn run_window_tests(place: &Place) -> Result<Outcome, String> {
    build_for(place, &["--test", "window"])?;
    let mut list = cargo(place);
    list.args(WINDOW_TESTS).args(["--", "--list", "--format", "terse"]);
    let list = quiet(list)?;
    let names: Vec<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    // Those of one kind stand together, and take as long as each other: a part has some of each.
    let parts = PARTS.min(names.len());
    let part = |at: usize| names.iter().copied().skip(at).step_by(parts);
    let commands: Vec<Command> = (0..parts)
        .map(|at| {
            let mut tests = on_own_display(place, at)?;
            tests.args(WINDOW_TESTS).args(["--", "--test-threads", "1", "--exact"]).args(part(at));
            Ok(tests)
        })
        .collect::<Result<_, String>>()?;
    let mut left = Vec::new();
    for (at, ran) in side_by_side(commands, ROWS, passed_test).into_iter().enumerate() {
        if ran.ended.is_err() {
            left.extend(part(at).filter(|name| !ran.picked.iter().any(|picked| picked == name)));
        }
    }
    if left.is_empty() {
        return Ok(Outcome::Done(format!("{} tests", names.len())));
    }
    once_more(place, &left)?;
    Ok(Outcome::Done(format!("{} tests, of these only the second time: {}", names.len(), left.join(", "))))
}

/// Runs what did not pass, or was not come to, with nothing beside it: WebKit without a graphics card, on a machine whose
/// cores both rows fill, now and then loses an answer or ends. What fails twice is red; what failed once is named.
fn once_more(place: &Place, left: &[&str]) -> Result<(), String> {
    println!("\nonce more, by themselves: {}", left.join(", "));
    let mut again = on_own_display(place, 0)?;
    again.args(WINDOW_TESTS).args(["--", "--test-threads", "1", "--exact"]).args(left);
    loud(again)
}

/// The name of the test that a line tells the success of. What else a row's programs write may stand in that line: such a
/// test is run again with those that failed.
fn passed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... ok")
}

fn take_screenshots(place: &Place) -> Result<Outcome, String> {
    build_for(place, &["--test", "window"])?;
    let mut tests = on_own_display(place, 0)?;
    tests.env("UM_SCREENSHOTS_DIR", place.at("docs/screenshots"));
    tests.args(WINDOW_TESTS).args(["--", "--test-threads", "1", "screenshots"]);
    loud(tests)?;
    Ok(Outcome::Done("docs/screenshots".into()))
}

/// What cargo runs.
const WINDOW_TESTS: [&str; 4] = ["test", "--workspace", "--test", "window"];

/// A cargo with a display, a bus and a driver for a part of the window's tests: of two windows on one display only one has
/// the focus. They start the app: it is to be built before.
fn on_own_display(place: &Place, part: usize) -> Result<Command, String> {
    let driver = place.installed("tauri-driver");
    if !driver.is_file() {
        return Err("tauri-driver is not there: run `cargo xtask setup --all`".into());
    }
    let mut cargo_on_display = command(place, "dbus-run-session");
    // Each looks for a free number among its own: two that look among the same may find the same one.
    let first = (99 + 100 * part).to_string();
    cargo_on_display.args(["--", "xvfb-run", "--auto-servernum", "--server-num", &first]);
    cargo_on_display.args(["--server-args", "-screen 0 1400x1000x24"]);
    cargo_on_display.arg(cargo(place).get_program());
    cargo_on_display.env("UM_WINDOW_TESTS", "1").env("UM_TAURI_DRIVER", driver);
    // No sandboxed compositing and no GPU: a virtual display has none.
    cargo_on_display.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1").env("LIBGL_ALWAYS_SOFTWARE", "1");
    // They would take each other's accessibility bus, and every window wait for its answer.
    cargo_on_display.env("NO_AT_BRIDGE", "1").env_remove("WAYLAND_DISPLAY");
    // Each function of WebAssembly that is compiled sends the page's thread signals, and a GLib that a signal interrupts
    // in `getauxval` (a page with sound asks for its buses) ends the process: code stays interpreted here.
    cargo_on_display.env("JSC_useBBQJIT", "0").env("JSC_useOMGJIT", "0");
    let axe = place.tool(AXE);
    if axe.is_file() {
        cargo_on_display.env("UM_AXE", axe);
    }
    Ok(with_client(place, cargo_on_display))
}

/// Tells tests where the foreign MCP client's Python is, where it is.
fn with_client(place: &Place, mut command: Command) -> Command {
    let python = place.tool(MCP_PYTHON);
    if python.is_file() {
        command.env("UM_MCP_PYTHON", python);
    }
    command
}
