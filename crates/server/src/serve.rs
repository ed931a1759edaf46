//! Serving: who may connect, how much each connection may ask, and when it ends.

use crate::operations::{Call, Operations};
use crate::paths::{self, PathError};
use crate::rate::{Bucket, too_many};
use crate::rpc::{Method, Pong, RpcRequest};
use crate::stream::{Listener, Stream};
use crate::token::{Token, write_private};
use crate::wire::{self, INVALID_REQUEST, Line, Lines, OPERATION_FAILED, PARSE_ERROR, failure, invalid};
use crate::{mcp, not_paired, rpc};
use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;
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
pub struct Shutdown(watch::Sender<bool>);

impl Default for Shutdown {
    fn default() -> Self {
        Self::new()
    }
}

impl Shutdown {
    /// Nothing asked yet.
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Asks.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Returns once somebody asked.
    pub async fn stopped(&self) {
        // The sender is held by self, so waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}

/// Bounds of what is taken and given.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Bytes of a request line.
    pub request_bytes: usize,
    /// Bytes of an answer line of JSON-RPC.
    pub result_bytes: usize,
    /// Bytes of the text block of an MCP answer.
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
    /// Whether `um/stop` is obeyed: for a service that the command line started, not for the window.
    pub clients_may_stop: bool,
    /// End by itself after so long without a connection and without work.
    pub idle_exit: Option<Duration>,
    /// Bounds.
    pub limits: Limits,
}

/// What all connections share.
struct Server<E> {
    engine: Arc<E>,
    token: Token,
    options: ServeOptions,
    shutdown: Shutdown,
    connections: Arc<Semaphore>,
    last_used: Mutex<Instant>,
    requests: AtomicU64,
}

/// One connection.
pub(crate) struct Session<E> {
    server: Arc<Server<E>>,
    in_flight: Semaphore,
}

impl<E: Operations> Session<E> {
    pub(crate) fn engine(&self) -> &E {
        &self.server.engine
    }

    pub(crate) fn token(&self) -> &Token {
        &self.server.token
    }

    pub(crate) fn limits(&self) -> Limits {
        self.server.options.limits
    }

    /// A name for a request: unique while the service runs.
    pub(crate) fn request_id(&self) -> String {
        format!("socket-{}", self.server.requests.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Does an operation on a blocking thread.
    pub(crate) async fn call(&self, call: Call, request: Value) -> Result<Value, ApiError> {
        let in_flight = self.limits().in_flight;
        let _permit = self.in_flight.try_acquire().map_err(|_| too_many(format!("{in_flight} are under way")))?;
        self.server.call(call, request).await
    }
}

impl<E: Operations> Server<E> {
    async fn call(&self, call: Call, request: Value) -> Result<Value, ApiError> {
        let engine = self.engine.clone();
        tracing::debug!(operation = call.operation, request = call.request_id, door = call.purpose, "call");
        let done = tokio::task::spawn_blocking(move || engine.call(&call, request)).await;
        done.unwrap_or_else(|_| {
            let hint = "Look into the logs folder of the data folder, and report it.";
            Err(ApiError::new(ErrorCode::Internal, "The operation broke off.").hint(hint))
        })
    }

    async fn ask<R: Request>(&self, request: R) -> Result<R::Response, ApiError> {
        let internal = |error: serde_json::Error| ApiError::new(ErrorCode::Internal, error.to_string());
        let call = Call { operation: R::NAME.to_owned(), request_id: "idle".to_owned(), purpose: "socket" };
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

    fn used_now(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn unused_for(&self) -> Duration {
        if self.connections.available_permits() < self.options.limits.connections {
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
        connections: Arc::new(Semaphore::new(options.limits.connections)),
        last_used: Mutex::new(Instant::now()),
        requests: AtomicU64::new(0),
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
    let all = async { while let Some(ended) = connections.join_next().await { finish(ended) } };
    if tokio::time::timeout(LAST_ANSWERS, all).await.is_err() {
        tracing::warn!("some answers were not waited for");
    }
    Ok(())
}

/// Reports a task that broke off.
pub(crate) fn finish(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!("a connection's task broke off");
    }
}

fn admit<E: Operations>(server: &Arc<Server<E>>, mut stream: Stream, connections: &mut JoinSet<()>) {
    let server = server.clone();
    match server.connections.clone().try_acquire_owned() {
        Ok(permit) => {
            connections.spawn(async move {
                converse(&server, stream).await;
                server.used_now();
                drop(permit);
            });
        }
        Err(_) => {
            let error = ApiError::new(ErrorCode::RateLimited, "Too many connections.")
                .hint("Close some, or wait and try again.");
            let line = failure(&Value::Null, OPERATION_FAILED, &error) + "\n";
            connections.spawn(async move {
                // Whoever was too many may be gone already.
                let _ = stream.write_all(line.as_bytes()).await;
            });
        }
    }
}

/// Writes lines until nobody has any more, or the other side is gone.
async fn write_lines(mut stream: impl tokio::io::AsyncWrite + Unpin, mut lines: mpsc::Receiver<String>) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if stream.write_all(line.as_bytes()).await.is_err() || stream.flush().await.is_err() {
            return;
        }
    }
}

/// Takes requests off a connection until it ends, then waits for the answers under way.
async fn converse<E: Operations>(server: &Arc<Server<E>>, stream: Stream) {
    let (read, write) = tokio::io::split(stream);
    let (outgoing, lines) = mpsc::channel(64);
    let writer = tokio::spawn(write_lines(write, lines));
    let session = Arc::new(Session {
        server: server.clone(),
        in_flight: Semaphore::new(server.options.limits.in_flight),
    });
    let mut connection = Connection { session, outgoing, mcp: None, tasks: JoinSet::new() };
    connection.read(Lines::new(read, server.options.limits.request_bytes)).await;
    let Connection { outgoing, mcp, mut tasks, .. } = connection;
    drop((outgoing, mcp));
    while let Some(ended) = tasks.join_next().await {
        finish(ended);
    }
    finish(writer.await);
}

/// What reading a connection needs.
struct Connection<E: Operations> {
    session: Arc<Session<E>>,
    outgoing: mpsc::Sender<String>,
    mcp: Option<mpsc::Sender<ClientJsonRpcMessage>>,
    tasks: JoinSet<()>,
}

impl<E: Operations> Connection<E> {
    async fn read(&mut self, mut lines: Lines<impl tokio::io::AsyncRead + Unpin>) {
        let shutdown = self.session.server.shutdown.clone();
        let mut bucket = Bucket::new(self.session.limits().requests_per_second);
        loop {
            let line = tokio::select! {
                () = shutdown.stopped() => return,
                line = lines.next() => line,
            };
            while self.tasks.try_join_next().is_some() {}
            let go_on = match line {
                Ok(Line::Text(line)) if line.is_empty() => true,
                Ok(Line::Text(line)) => self.take(&line, &mut bucket).await,
                Ok(Line::TooLong) => {
                    let message = format!("A request has more than {} bytes.", self.session.limits().request_bytes);
                    self.send(failure(&Value::Null, INVALID_REQUEST, &invalid(&message))).await;
                    false
                }
                Ok(Line::End) | Err(_) => false,
            };
            if !go_on {
                return;
            }
        }
    }

    /// Sends a line. Returns whether there is still somebody to read it.
    async fn send(&self, line: String) -> bool {
        self.outgoing.send(line).await.is_ok()
    }

    /// Takes one message. Returns whether the connection goes on.
    async fn take(&mut self, line: &[u8], bucket: &mut Bucket) -> bool {
        let Ok(mut message) = serde_json::from_slice::<Value>(line) else {
            return self.send(failure(&Value::Null, PARSE_ERROR, &invalid("A line is no JSON."))).await;
        };
        if let Err(error) = bucket.take() {
            // A notification has nobody to tell.
            let Some(id) = message.get("id") else { return true };
            return self.send(failure(id, OPERATION_FAILED, &error)).await;
        }
        match rpc::parse(&mut message) {
            Some(request) => self.rpc(request).await,
            None => self.mcp(message).await,
        }
    }

    async fn rpc(&mut self, request: RpcRequest) -> bool {
        let RpcRequest { id, token, params, method } = request;
        if !token.is_some_and(|given| self.session.token().matches(&given)) {
            return self.send(failure(&id, OPERATION_FAILED, &not_paired())).await;
        }
        match method {
            Method::Ping => self.send(wire::answer(&id, json!(Pong::of_this_process()))).await,
            Method::Unknown(name) => self.send(rpc::unknown(&id, &name)).await,
            Method::Stop if !self.session.server.options.clients_may_stop => {
                let error = ApiError::new(ErrorCode::Forbidden, "This service belongs to the Ultimate Memory window.")
                    .hint("Quit it there, from the tray or its menu.");
                self.send(failure(&id, OPERATION_FAILED, &error)).await
            }
            Method::Stop => {
                self.send(wire::answer(&id, json!({}))).await;
                self.session.server.shutdown.stop();
                false
            }
            Method::Operation(name) => {
                let (session, outgoing) = (self.session.clone(), self.outgoing.clone());
                self.tasks.spawn(async move {
                    let call =
                        Call { operation: name.to_owned(), request_id: session.request_id(), purpose: "socket" };
                    let result = session.call(call, params).await;
                    let line = rpc::reply(&id, result, session.limits().result_bytes);
                    // Whoever asked may be gone.
                    let _ = outgoing.send(line).await;
                });
                true
            }
        }
    }

    async fn mcp(&mut self, message: Value) -> bool {
        // A notification has nobody to tell; anything else is answered, with `null` where it has no id.
        let id = message.get("id").cloned().or_else(|| message.get("method").is_none().then_some(Value::Null));
        match mcp::parse(message) {
            Ok(message) => {
                let (session, outgoing, tasks) = (&self.session, &self.outgoing, &mut self.tasks);
                let agent =
                    self.mcp.get_or_insert_with(|| mcp::start(session.clone(), outgoing.clone(), tasks));
                agent.send(message).await.is_ok()
            }
            Err(error) => match id {
                Some(id) => self.send(failure(&id, INVALID_REQUEST, &error)).await,
                None => true,
            },
        }
    }
}
