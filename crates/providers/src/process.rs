//! A program run for its output, within bounds of time and size, and ended when nobody wants it any more.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use um_engine::plain;
use um_engine::provider::{Cancel, ProviderError, ProviderResult};

/// How often a running program is asked whether it is still wanted.
pub const GLANCE: Duration = Duration::from_millis(25);

/// What a program writes to its error stream is kept up to here.
const MOST_COMPLAINT: u64 = 16 * 1024;

/// A program that has to be installed.
pub struct Tool {
    /// Its name for people.
    pub name: &'static str,
    /// How to get it.
    pub hint: &'static str,
}

impl Tool {
    /// The error that says that it is not there.
    pub fn missing(&self) -> ProviderError {
        ProviderError::ToolMissing { what: self.name.into(), hint: self.hint.into() }
    }
}

/// What a program may use.
pub struct Bounds {
    /// How long it may run.
    pub time: Duration,
    /// How many bytes it may write; it is ended once it writes more.
    pub output: u64,
}

/// How a program ended by itself.
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// The beginning of what it wrote to its error stream.
    pub complaint: String,
}

/// A child process that does not outlive this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program with `input` on its standard input and hands its output to `sink`, piece by piece.
///
/// # Errors
/// `ToolMissing` when there is no such program, `TimedOut`, `Cancelled`, `Failed` when it cannot be started.
pub fn run(
    tool: &Tool,
    mut command: Command,
    input: &[u8],
    bounds: &Bounds,
    cancel: &Cancel,
    sink: &mut (dyn FnMut(&[u8]) + Send),
) -> ProviderResult<Ended> {
    cancel.check()?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => tool.missing(),
        _ => ProviderError::Failed(format!("{} cannot be started: {}.", tool.name, plain(&error))),
    })?;
    let mut running = Running(child);
    let streams = (running.0.stdin.take(), running.0.stdout.take(), running.0.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = streams else {
        return Err(ProviderError::Failed(format!("{} has no streams.", tool.name)));
    };
    thread::scope(|scope| {
        // A program that stops reading early says why on its error stream.
        scope.spawn(move || drop(stdin.write_all(input)));
        let complaint = scope.spawn(move || first_of(stderr));
        let (done, output_ended) = mpsc::channel();
        scope.spawn(move || done.send(pass_on(stdout, bounds.output, sink)));
        let overflowed = match wait_for_output(&output_ended, bounds.time, cancel) {
            Ok(overflowed) => overflowed,
            Err(error) => {
                // Dropped inside the scope, so that the threads above see their streams end.
                drop(running);
                return Err(error);
            }
        };
        if overflowed {
            let _ = running.0.kill();
        }
        let status =
            running.0.wait().map_err(|e| ProviderError::Failed(format!("{} was lost: {}.", tool.name, plain(&e))))?;
        Ok(Ended { status, complaint: complaint.join().unwrap_or_default() })
    })
}

fn wait_for_output(ended: &mpsc::Receiver<bool>, time: Duration, cancel: &Cancel) -> ProviderResult<bool> {
    let started = Instant::now();
    loop {
        match ended.recv_timeout(GLANCE) {
            Ok(overflowed) => return Ok(overflowed),
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
            Err(RecvTimeoutError::Timeout) => cancel.check()?,
        }
        if started.elapsed() > time {
            return Err(ProviderError::TimedOut { seconds: time.as_secs() });
        }
    }
}

/// Hands over what comes, up to `most` bytes; whether there was more.
fn pass_on(mut stream: impl Read, most: u64, sink: &mut (dyn FnMut(&[u8]) + Send)) -> bool {
    let mut buffer = vec![0; 64 * 1024];
    let mut seen = 0;
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return false,
            Ok(count) => {
                seen += count as u64;
                if seen > most {
                    return true;
                }
                sink(&buffer[..count]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}

fn first_of(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = stream.by_ref().take(MOST_COMPLAINT).read_to_end(&mut kept);
    // The rest is read too: a program must not wait for somebody to take it.
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).trim().to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const SH: Tool = Tool { name: "sh", hint: "" };

    fn sh(script: &str, input: &[u8], bounds: &Bounds, cancel: &Cancel) -> ProviderResult<(Ended, Vec<u8>)> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let mut output = Vec::new();
        let ended = run(&SH, command, input, bounds, cancel, &mut |piece| output.extend_from_slice(piece))?;
        Ok((ended, output))
    }

    const PLENTY: Bounds = Bounds { time: Duration::from_secs(20), output: 1 << 20 };

    #[test]
    fn input_goes_in_and_output_comes_out() {
        let (ended, output) = sh("cat; echo oops >&2; exit 3", b"words", &PLENTY, &Cancel::default()).unwrap();
        assert_eq!(
            (output.as_slice(), ended.complaint.as_str(), ended.status.code()),
            (&b"words"[..], "oops", Some(3))
        );
    }

    #[test]
    fn a_program_that_does_not_read_its_input_is_no_trouble() {
        let (ended, _) = sh("exit 0", &vec![0; 1 << 20], &PLENTY, &Cancel::default()).unwrap();
        assert!(ended.status.success());
    }

    #[test]
    fn a_hanging_program_is_stopped() {
        let short = Bounds { time: Duration::from_millis(100), output: 10 };
        let stopped = sh("exec sleep 60", b"", &short, &Cancel::default());
        assert!(matches!(stopped, Err(ProviderError::TimedOut { .. })));
    }

    #[test]
    fn a_cancelled_program_is_stopped() {
        let cancel = Cancel::default();
        let stopped = thread::scope(|scope| {
            let running = scope.spawn(|| sh("exec sleep 60", b"", &PLENTY, &cancel).map(drop));
            cancel.cancel();
            running.join().unwrap()
        });
        assert_eq!(stopped, Err(ProviderError::Cancelled));
    }

    #[test]
    fn endless_output_is_cut() {
        let (ended, output) = sh("exec cat /dev/zero", b"", &PLENTY, &Cancel::default()).unwrap();
        assert!(!ended.status.success() && output.len() as u64 <= PLENTY.output);
    }

    #[test]
    fn a_program_that_is_not_there_is_a_missing_tool() {
        let tool = Tool { name: "Nothing", hint: "Install it." };
        let run = run(&tool, Command::new("no-such-program-um"), b"", &PLENTY, &Cancel::default(), &mut |_| {});
        assert!(matches!(run, Err(ProviderError::ToolMissing { what, .. }) if what == "Nothing"));
    }
}
