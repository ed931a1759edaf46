//! Running other programs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::place::Place;

/// A command in the checkout's root, with the tools' places in its environment.
///
/// `cargo run` leaves variables about *this* package behind; another cargo that saw them would believe that its
/// inputs had changed, and build again what a plain `cargo build` had built.
pub fn command(place: &Place, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place.root());
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if shown.starts_with("CARGO_PKG_") || shown.starts_with("CARGO_MANIFEST_") || shown == "LD_LIBRARY_PATH" {
            command.env_remove(&name);
        }
    }
    command.env("UM_TOOLS_DIR", place.tools());
    command.env("UM_SHARED_DATA", place.shared_data());
    let onnx_runtime = place.tool(crate::setup::ONNX_RUNTIME);
    if onnx_runtime.is_file() {
        command.env("ORT_DYLIB_PATH", onnx_runtime);
    }
    command
}

/// The cargo that runs this program, or the first one on the path.
pub fn cargo(place: &Place) -> Command {
    command(place, std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Python, which fetches packages that only its registry has.
pub fn python(place: &Place) -> Command {
    command(place, if cfg!(windows) { "python" } else { "python3" })
}

/// Runs silently and gives what was written to standard output.
///
/// # Errors
/// The program cannot be started, or it failed: the last lines that it wrote.
pub fn quiet(mut command: Command) -> Result<String, String> {
    let shown = shown(&command);
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{shown} cannot be started: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(failure(&shown, &output))
    }
}

/// Runs with its output on the terminal.
///
/// # Errors
/// The program cannot be started, or it failed.
pub fn loud(mut command: Command) -> Result<(), String> {
    let shown = shown(&command);
    println!();
    let _ = std::io::stdout().flush();
    let status = command.status().map_err(|e| format!("{shown} cannot be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed ({status})")) }
}

/// How one of several programs ended.
pub struct Ran {
    /// What was picked from the lines that it wrote.
    pub picked: Vec<String>,
    /// Whether it succeeded; else a sentence.
    pub ended: Result<(), String>,
}

/// Runs so many at a time, each in the place of one that ended; what they write comes to the terminal line by line, and `pick`
/// keeps of each line what is wanted. What came of each is given in the order of the commands.
pub fn side_by_side(commands: Vec<Command>, at_once: usize, pick: fn(&str) -> Option<&str>) -> Vec<Ran> {
    println!();
    let left = Mutex::new(commands.into_iter().enumerate());
    let take = || left.lock().expect("whoever takes one does not panic").next();
    let mut ran: Vec<(usize, Ran)> = thread::scope(|scope| {
        let row = || std::iter::from_fn(&take).map(|(at, command)| (at, by_lines(command, pick))).collect::<Vec<_>>();
        let rows: Vec<_> = (0..at_once).map(|_| scope.spawn(row)).collect();
        rows.into_iter().flat_map(|row| row.join().expect("it does not panic")).collect()
    });
    ran.sort_by_key(|(at, _)| *at);
    ran.into_iter().map(|(_, ran)| ran).collect()
}

fn by_lines(mut command: Command, pick: fn(&str) -> Option<&str>) -> Ran {
    let shown = shown(&command);
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return Ran { picked: Vec::new(), ended: Err(format!("{shown} cannot be started: {error}")) },
    };
    let mut picked = Vec::new();
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines().map_while(Result::ok)) {
        println!("{line}");
        picked.extend(pick(&line).map(str::to_owned));
    }
    let ended = match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} failed ({status})")),
        Err(error) => Err(format!("{shown} cannot be waited for: {error}")),
    };
    Ran { picked, ended }
}

/// Runs silently, and ends the program when it has not finished by itself within `limit`.
///
/// # Errors
/// The program cannot be started, failed, or took too long.
pub fn within(mut command: Command, limit: Duration) -> Result<(), String> {
    let shown = shown(&command);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{shown} cannot be started: {e}"))?;
    match wait(&mut child, limit, || false) {
        Waited::Ended(status) if status.success() => Ok(()),
        Waited::Ended(status) => Err(format!("{shown} failed ({status})")),
        Waited::Ready | Waited::TooLong => {
            stop(&mut child);
            Err(format!("{shown} did not finish within {} s", limit.as_secs()))
        }
    }
}

/// What waiting for a program came to.
pub enum Waited {
    /// It ended.
    Ended(ExitStatus),
    /// What was waited for is so.
    Ready,
    /// Neither came about in time.
    TooLong,
}

/// Waits until a program ends or `ready` is so.
pub fn wait(child: &mut Child, limit: Duration, ready: impl Fn() -> bool) -> Waited {
    let started = Instant::now();
    while started.elapsed() < limit {
        if ready() {
            return Waited::Ready;
        }
        // A child that cannot be asked is waited for until the limit.
        if let Ok(Some(status)) = child.try_wait() {
            return Waited::Ended(status);
        }
        thread::sleep(Duration::from_millis(100));
    }
    Waited::TooLong
}

/// Ends a program that this one started. One that is already gone is fine.
pub fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether a program can be started and succeeds; its output is not wanted.
pub fn succeeds(mut command: Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The command as an error names it: its first words.
fn shown(command: &Command) -> String {
    let first = command.get_program().to_string_lossy().into_owned();
    let mut words = vec![first.rsplit(['/', '\\']).next().unwrap_or_default().to_string()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    let more = if words.len() > 4 { " …" } else { "" };
    words.truncate(4);
    format!("`{}{more}`", words.join(" "))
}

/// How a program failed, and the last lines that it wrote.
fn failure(shown: &str, output: &Output) -> String {
    let text = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.trim().lines().collect();
    let last = lines[lines.len().saturating_sub(12)..].join("\n");
    format!("{shown} failed ({}) {last}", output.status).trim_end().to_string()
}
