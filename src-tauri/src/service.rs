//! The service behind the window: the engine's background work and the socket.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use um_engine::encryption::{self, DatabaseKey, Passphrase};
use um_engine::{Engine, EngineConfig, SystemClock};
use um_model::{ApiError, ErrorCode};
use um_server::{Shutdown, client, serve};

/// How long a service without a window gets to make room for the window.
const HANDOVER: Duration = Duration::from_secs(15);

/// A data folder that was to be opened.
pub(crate) enum Opened {
    /// By this program.
    Here(Engine),
    /// By one that has a window already, which was asked to show it.
    Elsewhere,
}

/// Opens the data folder. A service that runs without a window (an agent or the command line started it)
/// is asked to make room; agents connect again by themselves. One with a window is asked to show it.
pub(crate) fn open(folder: &Path) -> Result<Opened, ApiError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| ApiError::new(ErrorCode::Io, e.to_string()))?;
    // Before anybody is asked to make room: who cannot open the folder takes it from nobody.
    let key = match unlock(folder) {
        Ok(key) => key,
        Err(closed) => return runtime.block_on(show(folder)).map(|()| Opened::Elsewhere).map_err(|_| closed),
    };
    let in_use = match open_once(folder, key.clone()) {
        Err(error) if error.code == ErrorCode::DataFolderInUse => error,
        opened => return opened.map(Opened::Here),
    };
    match runtime.block_on(take_over(folder)) {
        Ok(()) => open_once(folder, key).map(Opened::Here),
        Err(error) if error.code == ErrorCode::Forbidden => {
            runtime.block_on(show(folder)).map(|()| Opened::Elsewhere).map_err(|_| in_use)
        }
        Err(_) => Err(in_use),
    }
}

/// The key of an encrypted folder, whose passphrase is the first line of the file that `UM_PASSPHRASE_FILE` names.
fn unlock(folder: &Path) -> Result<Option<DatabaseKey>, ApiError> {
    let named = std::env::var_os("UM_PASSPHRASE_FILE").filter(|file| !file.is_empty());
    let passphrase = named.filter(|_| encryption::needs_passphrase(folder)).map(|file| {
        let read = std::fs::File::open(&file).and_then(|file| Passphrase::read(&mut std::io::BufReader::new(file)));
        read.map_err(|e| ApiError::new(ErrorCode::Io, format!("UM_PASSPHRASE_FILE cannot be read: {e}.")))
    });
    encryption::unlock(folder, passphrase.transpose()?.as_ref())
}

async fn show(folder: &Path) -> Result<(), ApiError> {
    client::Connection::open(folder).await?.show().await
}

fn open_once(folder: &Path, key: Option<DatabaseKey>) -> Result<Engine, ApiError> {
    Engine::open(EngineConfig {
        data_dir: folder.to_owned(),
        key,
        providers: um_providers::standard(folder),
        clock: Arc::new(SystemClock),
    })
}

async fn take_over(folder: &Path) -> Result<(), ApiError> {
    let mut connection = client::Connection::open(folder).await?;
    connection.stop().await?;
    let _ = tokio::time::timeout(HANDOVER, connection.closed()).await;
    // The socket closes before the folder's lock is given up: the service ends its work in between.
    let lock = folder.join("service.lock");
    let deadline = tokio::time::Instant::now() + HANDOVER;
    while tokio::time::Instant::now() < deadline {
        let free = std::fs::File::options().write(true).open(&lock).is_ok_and(|file| file.try_lock().is_ok());
        if free {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(ApiError::new(ErrorCode::TimedOut, "The running service did not end."))
}

/// The running service.
pub(crate) struct Service {
    engine: Engine,
    shutdown: Shutdown,
    socket: std::thread::JoinHandle<()>,
}

impl Service {
    /// Starts the background work and the socket.
    pub(crate) fn start(engine: Engine) -> Self {
        drop(um_server::logs::start(engine.data_dir()));
        engine.start();
        let shutdown = Shutdown::new();
        let (served, stop) = (engine.clone(), shutdown.clone());
        let socket = std::thread::Builder::new()
            .name("um-socket".to_owned())
            .spawn(move || serve_socket(served, stop))
            .expect("the system can start a thread");
        Self { engine, shutdown, socket }
    }

    /// Ends both, and waits for what is under way.
    pub(crate) fn stop(self) {
        self.shutdown.stop();
        drop(self.socket.join());
        self.engine.stop();
    }
}

fn serve_socket(engine: Engine, stop: Shutdown) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => {
            if let Err(error) = runtime.block_on(serve(engine, stop)) {
                tracing::error!(%error, "agents cannot connect");
                eprintln!("Agents cannot connect: {error}");
            }
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
        Err(error) => eprintln!("Agents cannot connect: {error}"),
    }
}
