//! Serving: who may connect, how much each connection may ask, and when it ends.

use crate::connection::{converse, finish};
use crate::operations::{Call, Operations};
use crate::paths::{self, PathError};
use crate::places::Places;
use crate::rate::Rates;
use crate::stream::{self, Listener, Stream};
use crate::token::{Token, write_private};
use crate::wire::{OPERATION_FAILED, failure};
use serde_json::Value;
use std::fmt::Debug;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use um_engine::{Admitted, Claim};
use um_model::jobs::{JobsReport, JobsStatus};
use um_model::models::{ModelsList, ModelsListed};
use um_model::ops::Request;
use um_model::watch::{WatchesList, WatchesListed};
use um_model::{ApiError, ErrorCode, ModelState};

/// How long the answers under way may take once serving has ended.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Why the socket cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A place that must be private is not, or cannot be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The socket broke.
    #[error("The socket stopped: {0}")]
    Socket(#[from] std::io::Error),
}

impl From<ServeError> for ApiError {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Path(error) => error.into(),
            ServeError::Socket(_) => ApiError::new(ErrorCode::Io, error.to_string()),
        }
    }
}

/// Asks the serving to end. Clones share one state.
#[derive(Debug, Clone)]
pub struct Shutdown {
    stopped: watch::Sender<bool>,
    /// Connections whose clients asked for the end. They stay open until the last clone of this goes, so
    /// that the clients see when all is over: the owner drops it after the engine.
    asked_by: Arc<Mutex<Vec<Box<dyn Debug + Send>>>>,
}

impl Default for Shutdown {
    fn default() -> Self {
        Self::new()
    }
}

impl Shutdown {
    /// Nothing asked yet.
    pub fn new() -> Self {
        Self { stopped: watch::Sender::new(false), asked_by: Arc::default() }
    }

    /// Asks.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Returns once somebody asked.
    pub async fn stopped(&self) {
        // The sender is held by self, so waiting cannot fail.
        let _ = self.stopped.subscribe().wait_for(|stopped| *stopped).await;
    }

    /// Keeps a connection open until all is over.
    pub(crate) fn keep(&self, connection: impl Debug + Send + 'static) {
        self.asked_by.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(connection));
    }
}

/// Bounds of what is taken and given.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Of them, of one process, where the system tells processes apart.
    pub connections_of_one: usize,
    /// How long a connection may take to say its first whole line.
    pub first_line: Duration,
    /// Bytes of a request line.
    pub request_bytes: usize,
    /// Bytes of an answer line of JSON-RPC.
    pub result_bytes: usize,
    /// Bytes of an answer line of MCP.
    pub mcp_result_bytes: usize,
    /// Requests a second on one connection, on average.
    pub requests_per_second: u32,
    /// Operations under way on one connection.
    pub in_flight: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 64,
            connections_of_one: 24,
            first_line: Duration::from_secs(10),
            request_bytes: 1024 * 1024,
            result_bytes: 192 * 1024 * 1024,
            mcp_result_bytes: 4 * 1024 * 1024,
            requests_per_second: 1000,
            in_flight: 32,
        }
    }
}

/// How to serve.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServeOptions {
    /// Whether `um/stop` is obeyed: for a service that the command line started, not for the window, which obeys
    /// `um/show`.
    pub clients_may_stop: bool,
    /// End by itself after so long without a connection and without work.
    pub idle_exit: Option<Duration>,
    /// Bounds.
    pub limits: Limits,
}

/// What all connections share.
pub(crate) struct Server<E> {
    pub(crate) engine: Arc<E>,
    pub(crate) token: Token,
    pub(crate) options: ServeOptions,
    pub(crate) shutdown: Shutdown,
    places: Arc<Places>,
    last_used: Mutex<Instant>,
    requests: AtomicU64,
    pub(crate) rates: Rates,
}

impl<E: Operations> Server<E> {
    /// A name for a request: unique while the service runs.
    pub(crate) fn request_id(&self) -> String {
        format!("socket-{}", self.requests.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Does an operation on a blocking thread.
    pub(crate) async fn call(&self, call: Call, request: Value) -> Result<Value, ApiError> {
        let engine = self.engine.clone();
        tracing::debug!(operation = call.operation, request = call.request_id, door = call.purpose, "call");
        let done = tokio::task::spawn_blocking(move || engine.call(&call, request)).await;
        done.unwrap_or_else(|_| {
            let hint = "Look into the logs folder of the data folder, and report it.";
            Err(ApiError::new(ErrorCode::Internal, "The operation broke off.").hint(hint))
        })
    }

    /// Lets an agent in, or says what it is told. Looks into the database, so on a blocking thread.
    pub(crate) async fn admit(&self, claim: Claim) -> Result<Admitted, ApiError> {
        let engine = self.engine.clone();
        let admitted = tokio::task::spawn_blocking(move || engine.admit(&claim)).await;
        admitted.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Internal, "The operation broke off.")))
    }

    async fn ask<R: Request>(&self, request: R) -> Result<R::Response, ApiError> {
        let internal = |error: serde_json::Error| ApiError::new(ErrorCode::Internal, error.to_string());
        let (operation, request_id) = (R::NAME.to_owned(), "idle".to_owned());
        let call = Call { operation, request_id, purpose: "socket", ..Call::default() };
        let answer = self.call(call, serde_json::to_value(request).map_err(internal)?).await?;
        serde_json::from_value(answer).map_err(internal)
    }

    /// Whether the service is of use without a connection: work is under way, folders are watched, or a
    /// model is being fetched. What cannot be asked counts as no use.
    async fn has_work(&self) -> bool {
        let jobs = self.ask(JobsStatus { limit: Some(1), ..JobsStatus::default() }).await;
        let watches = self.ask(WatchesList {}).await;
        let models = self.ask(ModelsList {}).await;
        jobs.is_ok_and(|JobsReport { busy, paused, .. }| busy && !paused)
            || watches.is_ok_and(|WatchesListed { watches }| !watches.is_empty())
            || models.is_ok_and(|ModelsListed { models }| models.iter().any(|m| m.state == ModelState::Downloading))
    }

    /// Whether the data folder was removed under a service that nobody else would end.
    fn is_orphaned(&self) -> bool {
        self.options.clients_may_stop && !paths::token_path(self.engine.data_dir()).exists()
    }

    fn used_now(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn unused_for(&self) -> Duration {
        if !self.places.are_free() {
            return Duration::ZERO;
        }
        self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Returns once nobody has used the service for so long; never where it is to run on.
    async fn idle(&self) {
        let Some(limit) = self.options.idle_exit else { return std::future::pending().await };
        loop {
            tokio::time::sleep(limit.saturating_sub(self.unused_for()).max(limit / 10)).await;
            if self.unused_for() < limit {
                continue;
            }
            if !self.has_work().await {
                return;
            }
            self.used_now();
        }
    }
}

/// Serves the engine on its data folder's socket until `shutdown` is asked for. For the window: clients
/// cannot stop it.
///
/// # Errors
/// [`ServeError`] when the socket cannot be made private, or breaks.
pub async fn serve(engine: impl Operations, shutdown: Shutdown) -> Result<(), ServeError> {
    serve_with(engine, shutdown, ServeOptions::default()).await
}

/// Serves as the options say.
///
/// # Errors
/// [`ServeError`] when the socket cannot be made private, or breaks.
pub async fn serve_with(engine: impl Operations, shutdown: Shutdown, options: ServeOptions) -> Result<(), ServeError> {
    let data_dir = engine.data_dir().to_owned();
    let token = Token::ensure(&data_dir)?;
    let socket = paths::socket_path(&data_dir);
    let listener = Listener::bind(&socket).await?;
    let address = Address::tell(&data_dir, &socket)?;
    engine.set_socket(Some(socket.display().to_string()));
    tracing::info!(socket = %socket.display(), "serving");
    let server = Arc::new(Server {
        engine: Arc::new(engine),
        token,
        options,
        shutdown,
        places: Arc::new(Places::new(options.limits.connections, options.limits.connections_of_one)),
        last_used: Mutex::new(Instant::now()),
        requests: AtomicU64::new(0),
        rates: Rates::default(),
    });
    let result = accept(&server, listener).await;
    server.engine.set_socket(None);
    drop(address);
    tracing::info!("no longer serving");
    result
}

/// The file that names the socket; it goes when serving ends.
struct Address(std::path::PathBuf);

impl Address {
    fn tell(data_dir: &Path, socket: &Path) -> Result<Self, PathError> {
        let path = paths::address_path(data_dir);
        write_private(&path, &socket.display().to_string()).map_err(paths::io_error(&path))?;
        Ok(Self(path))
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        // A file that stays behind leads to a socket at which nobody answers.
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn accept<E: Operations>(server: &Arc<Server<E>>, listener: Listener) -> Result<(), ServeError> {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = server.shutdown.stopped() => break,
            () = server.idle() => {
                tracing::info!("idle");
                server.shutdown.stop();
            }
            accepted = listener.accept() => match accepted {
                // Whoever came finds no token; the next one finds no service, and starts one.
                Ok(_) if server.is_orphaned() => {
                    tracing::error!("the data folder is gone");
                    server.shutdown.stop();
                }
                Ok(stream) => admit(server, stream, &mut connections),
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                    tracing::warn!(%error, "a connection was turned away");
                }
                // Out of file handles, most likely: others keep theirs, and it may pass.
                Err(error) => {
                    tracing::error!(%error, "a connection could not be taken");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(ended) = connections.join_next() => finish(ended),
        }
    }
    drop(listener);
    let all = async {
        while let Some(ended) = connections.join_next().await {
            finish(ended)
        }
    };
    if tokio::time::timeout(LAST_ANSWERS, all).await.is_err() {
        tracing::warn!("some answers were not waited for");
    }
    Ok(())
}

fn admit<E: Operations>(server: &Arc<Server<E>>, mut stream: Stream, connections: &mut JoinSet<()>) {
    let server = server.clone();
    match server.places.take(stream::pid(&stream)) {
        Ok(place) => {
            connections.spawn(async move {
                converse(&server, stream, &place).await;
                server.used_now();
                drop(place);
            });
        }
        Err(error) => {
            let line = failure(&Value::Null, OPERATION_FAILED, &error) + "\n";
            connections.spawn(async move {
                // Whoever was too many may be gone already.
                let _ = stream.write_all(line.as_bytes()).await;
            });
        }
    }
}
