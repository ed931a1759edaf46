//! `umem serve`: the service without a window.

use crate::failure::{Failure, system};
use crate::print::{Output, say};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use um_engine::{Engine, EngineConfig, SystemClock};
use um_model::ApiError;
use um_server::{ServeOptions, Shutdown, logs, paths, serve_with};

/// How long blocking work may go on after the engine has stopped.
const LAST_WORK: Duration = Duration::from_secs(5);

/// Opens an engine on a folder, with models looked for in another.
pub(crate) fn open(data: &Path, models: &Path) -> Result<Engine, Failure> {
    let providers = um_providers::standard(models);
    let key = um_engine::encryption::unlock(data, crate::encryption::passphrase(data)?.as_ref())?;
    Ok(Engine::open(EngineConfig { data_dir: data.to_owned(), key, providers, clock: Arc::new(SystemClock) })?)
}

/// Serves until a signal, `umem stop`, or idleness ends it.
pub(crate) fn run(data: &Path, idle_exit: Option<u64>, output: Output) -> Result<ExitCode, Failure> {
    let engine = open(data, data)?;
    logs::start(data).map_err(system)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(system)?;
    let options = ServeOptions {
        clients_may_stop: true,
        idle_exit: idle_exit.map(Duration::from_secs),
        ..ServeOptions::default()
    };
    let shutdown = Shutdown::new();
    engine.start();
    if idle_exit.is_none() && !output.json {
        say(&format!("Serving {} at {}. Ctrl-C ends it.", data.display(), paths::socket_path(data).display()));
    }
    let served = runtime.block_on(async {
        tokio::spawn(stop_at_signal(shutdown.clone(), idle_exit.is_some()));
        serve_with(engine.clone(), shutdown.clone(), options).await
    });
    engine.stop();
    runtime.shutdown_timeout(LAST_WORK);
    // In this order: whoever asked for the end sees it once the data folder is free again.
    drop(engine);
    drop(shutdown);
    served.map_err(ApiError::from)?;
    Ok(ExitCode::SUCCESS)
}

/// Asks for the end at Ctrl-C or the system's request. A service in the background outlives the terminal
/// that it was started from.
#[cfg(unix)]
async fn stop_at_signal(shutdown: Shutdown, in_background: bool) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) else {
        return;
    };
    loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => break,
            _ = terminate.recv() => break,
            _ = hangup.recv() => if !in_background { break },
        }
    }
    shutdown.stop();
}

#[cfg(not(unix))]
async fn stop_at_signal(shutdown: Shutdown, _in_background: bool) {
    if tokio::signal::ctrl_c().await.is_ok() {
        shutdown.stop();
    }
}
