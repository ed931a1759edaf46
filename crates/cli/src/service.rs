//! The service behind the verbs: found, or started where none runs.

use crate::encryption::PASSPHRASE_FILE;
use crate::failure::{Failure, data_folder, system};
use crate::print::Output;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use um_engine::encryption::Passphrase;
use um_model::{ApiError, ErrorCode};
use um_server::client::{ConnectError, Connection};
use um_server::paths;

/// How long a service may take to answer once it was started: a large database may have to be migrated.
const START_PATIENCE: Duration = Duration::from_secs(120);
/// How long between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A service that was started for a verb ends after so many seconds without use.
const IDLE_EXIT_SECONDS: u64 = 600;

/// Connects to the service that runs, if one does. One that is just ending takes connections and answers
/// nothing: it does not count.
pub(crate) async fn find(data: &Path) -> Result<Option<Connection>, Failure> {
    let mut connection = match Connection::open(data).await {
        Ok(connection) => connection,
        Err(ConnectError::NotRunning) => return Ok(None),
        Err(error) => return Err(ApiError::from(error).into()),
    };
    match connection.ping().await {
        Ok(_) => Ok(Some(connection)),
        Err(error) if error.code == ErrorCode::Io => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Connects to the service; starts it where none runs. Of two that start one at the same time, the data
/// folder's lock lets one through, and both connect to that one.
pub(crate) async fn connect(data: &Path) -> Result<Connection, Failure> {
    if let Some(connection) = find(data).await? {
        return Ok(connection);
    }
    let passphrase = crate::encryption::passphrase(data)?;
    let begun = Instant::now();
    let mut attempts = 1..;
    let mut start = Start::new(data, passphrase.as_ref(), attempts.next())?;
    while begun.elapsed() < START_PATIENCE {
        if let Some(connection) = find(data).await? {
            return Ok(connection);
        }
        if start.has_ended()? {
            // Somebody else has the folder: a service that is starting, or one that is just ending.
            tokio::time::sleep(10 * LOOK_EVERY).await;
            if find(data).await?.is_none() {
                start = Start::new(data, passphrase.as_ref(), attempts.next())?;
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Err(ApiError::new(ErrorCode::DataFolderInUse, format!("The service of {} does not answer.", data.display()))
        .hint("Another process may have the folder open; look into its logs folder.")
        .into())
}

/// A service that is being started.
struct Start {
    child: Child,
    /// Where it writes what it has to say until it serves.
    words: PathBuf,
}

impl Start {
    fn new(data: &Path, passphrase: Option<&Passphrase>, attempt: Option<u32>) -> Result<Self, Failure> {
        let logs = paths::logs_dir(data);
        std::fs::create_dir_all(&logs).map_err(|error| data_folder(data, &error))?;
        let words = logs.join(format!("start-{}-{}.log", std::process::id(), attempt.unwrap_or_default()));
        let file = File::create(&words).map_err(|error| data_folder(data, &error))?;
        let mut command = Command::new(std::env::current_exe().map_err(system)?);
        command
            .arg("--json")
            .arg("--data")
            .arg(data)
            .arg("serve")
            .args(["--idle-exit", &IDLE_EXIT_SECONDS.to_string()]);
        match passphrase {
            Some(_) => command.stdin(Stdio::piped()).env(PASSPHRASE_FILE, "-"),
            None => command.stdin(Stdio::null()),
        };
        command.stdout(file.try_clone().map_err(system)?).stderr(file);
        command.current_dir(data);
        detach(&mut command);
        let mut child = command.spawn().map_err(system)?;
        if let (Some(passphrase), Some(mut input)) = (passphrase, child.stdin.take()) {
            // One that ends at once, as it does where another has the folder, reads nothing; it says why itself.
            let _ = writeln!(input, "{}", passphrase.text());
        }
        Ok(Self { child, words })
    }

    /// Whether it ended because somebody else has the folder.
    ///
    /// # Errors
    /// What it said when it ended for another reason.
    fn has_ended(&mut self) -> Result<bool, Failure> {
        if self.child.try_wait().map_err(system)?.is_none() {
            return Ok(false);
        }
        let said = std::fs::read_to_string(&self.words).unwrap_or_default();
        let error = said.lines().rev().find_map(reported).unwrap_or_else(|| {
            ApiError::new(ErrorCode::Internal, format!("The service ended at once: {}", said.trim()))
        });
        match error.code {
            ErrorCode::DataFolderInUse => Ok(true),
            _ => Err(error.into()),
        }
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        // What it says later goes to its log; nobody reads this file any more.
        let _ = std::fs::remove_file(&self.words);
    }
}

fn reported(line: &str) -> Option<ApiError> {
    let mut line: serde_json::Value = serde_json::from_str(line).ok()?;
    serde_json::from_value(line.get_mut("error")?.take()).ok()
}

/// Keeps the terminal's signals from the service.
fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x0000_0008;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        std::os::windows::process::CommandExt::creation_flags(command, DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
    }
}

/// Ends the service, where one runs that was started without a window. Says whether one did.
pub(crate) async fn end(data: &Path) -> Result<bool, Failure> {
    let Some(mut connection) = find(data).await? else { return Ok(false) };
    connection.stop().await?;
    connection.closed().await;
    Ok(true)
}

/// `umem stop`
pub(crate) async fn stop(data: &Path, output: Output) -> Result<ExitCode, Failure> {
    let was_running = end(data).await?;
    let answer = serde_json::json!({"stopped": was_running});
    Ok(output.answer(&answer, |_| if was_running { "Stopped." } else { "No service runs." }.to_owned()))
}
