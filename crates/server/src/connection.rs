//! One connection: its lines are told apart by dialect, and answered.

use crate::operations::{Call, Operations};
use crate::places::{Place, too_slow};
use crate::rate::{Bucket, too_many};
use crate::rpc::{Method, Pong, RpcRequest};
use crate::serve::{Limits, Server};
use crate::stream::Stream;
use crate::token::Token;
use crate::wire::{self, INVALID_REQUEST, Line, Lines, OPERATION_FAILED, PARSE_ERROR, failure, invalid};
use crate::{mcp, no_token, progress, rpc};
use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Value, json};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::AsyncWriteExt;
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};
use tokio::task::{JoinError, JoinSet};
use um_engine::provider::Cancel;
use um_engine::{Admitted, Claim, Peer};
use um_model::{ApiError, ErrorCode};

/// One connection.
pub(crate) struct Session<E> {
    server: Arc<Server<E>>,
    /// The process at the other end, where the system tells it.
    peer: Option<Peer>,
    in_flight: Semaphore,
    /// The requests under way, and what stops each.
    under_way: Mutex<Vec<(Value, Cancel)>>,
    /// Nothing is read from it any more.
    ended: AtomicBool,
}

/// A request under way: it can be cancelled until this goes.
pub(crate) struct Request<'a, E> {
    session: &'a Session<E>,
    /// What stops it.
    pub cancel: Cancel,
}

impl<E> Drop for Request<'_, E> {
    fn drop(&mut self) {
        // It has ended, so that this does nothing but mark it as over; or nobody waits for it any more, and nobody stopped it.
        self.cancel.cut_off();
        lock(&self.session.under_way).retain(|(_, cancel)| !cancel.is_cancelled());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// A name for a request.
    pub(crate) fn request_id(&self) -> String {
        self.server.request_id()
    }

    /// Takes one of the connection's places, unless all are taken.
    fn enter(&self) -> Result<SemaphorePermit<'_>, ApiError> {
        let in_flight = self.limits().in_flight;
        self.in_flight.try_acquire().map_err(|_| too_many(format!("{in_flight} are under way")))
    }

    /// Begins a request; `id` is what its client may cancel it by.
    pub(crate) fn begin(&self, id: Value) -> Request<'_, E> {
        let cancel = Cancel::default();
        lock(&self.under_way).push((id, cancel.clone()));
        Request { session: self, cancel }
    }

    /// Stops the requests that fit. What they have done stays.
    fn cancel(&self, fits: impl Fn(&Value) -> bool) {
        lock(&self.under_way).iter().filter(|(id, _)| fits(id)).for_each(|(_, cancel)| cancel.cancel());
    }

    /// Cuts all requests off, as the service ends: nobody asked for them to stop.
    fn cut_off(&self) {
        lock(&self.under_way).iter().for_each(|(_, cancel)| cancel.cut_off());
    }

    /// Whether nothing is read from the connection any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Lets an agent in, or says what it is told.
    pub(crate) async fn admit(&self, claim: Claim) -> Result<Admitted, ApiError> {
        self.server.admit(Claim { peer: self.peer.clone(), ..claim }).await
    }

    /// Takes a request out of what an agent may ask, over all of its connections.
    pub(crate) fn spend(&self, agent: &Admitted) -> Result<(), ApiError> {
        self.server.rates.take(agent)
    }

    /// Takes an answer out of what an agent may get.
    pub(crate) fn charge(&self, agent: &Admitted, bytes: usize) {
        self.server.rates.charge(agent, bytes);
    }

    /// Does an operation, unless too many of this connection's are under way.
    pub(crate) async fn call(&self, call: Call, request: Value) -> Result<Value, ApiError> {
        let _place = self.enter()?;
        self.server.call(call, request).await
    }
}

/// Reports a task that broke off.
pub(crate) fn finish(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!("a connection's task broke off");
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
pub(crate) async fn converse<E: Operations>(server: &Arc<Server<E>>, stream: Stream, place: &Place) {
    let peer = crate::stream::pid(&stream).map(Peer::of);
    let (read, write) = tokio::io::split(stream);
    let (outgoing, lines) = mpsc::channel(64);
    let writer = tokio::spawn(write_lines(write, lines));
    let in_flight = Semaphore::new(server.options.limits.in_flight);
    let (server_of, under_way, ended) = (server.clone(), Mutex::default(), AtomicBool::new(false));
    let session = Arc::new(Session { server: server_of, peer, in_flight, under_way, ended });
    let mut requests = Lines::new(read, server.options.limits.request_bytes);
    let mut connection = Connection { session, outgoing, mcp: None, tasks: JoinSet::new(), asked_for_end: false };
    connection.read(&mut requests, place).await;
    connection.session.ended.store(true, Ordering::Release);
    let Connection { outgoing, mcp, mut tasks, asked_for_end, .. } = connection;
    if asked_for_end {
        server.shutdown.keep(requests);
    }
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
    asked_for_end: bool,
}

impl<E: Operations> Connection<E> {
    async fn read(&mut self, lines: &mut Lines<impl tokio::io::AsyncRead + Unpin>, place: &Place) {
        let shutdown = self.session.server.shutdown.clone();
        let Limits { requests_per_second, first_line, .. } = self.session.limits();
        let mut bucket = Bucket::new(requests_per_second);
        let mut patience = pin!(tokio::time::sleep(first_line));
        let mut has_spoken = false;
        loop {
            let line = tokio::select! {
                () = shutdown.stopped() => return self.session.cut_off(),
                line = lines.next() => line,
                () = place.lost() => return,
                () = &mut patience, if !has_spoken => {
                    self.send(failure(&Value::Null, INVALID_REQUEST, &too_slow(first_line))).await;
                    return;
                }
            };
            while self.tasks.try_join_next().is_some() {}
            let go_on = match line {
                Ok(Line::Text(line)) if line.is_empty() => true,
                Ok(Line::Text(line)) => {
                    has_spoken = true;
                    place.spoken();
                    self.take(&line, &mut bucket).await
                }
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
        let Ok(mut message) = wire::parse_line(line) else {
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
        let RpcRequest { id, token, progress_token, params, method } = request;
        if !token.is_some_and(|given| self.session.token().matches(&given)) {
            return self.send(failure(&id, OPERATION_FAILED, &no_token())).await;
        }
        match method {
            Method::Ping => self.send(wire::answer(&id, json!(Pong::of_this_process()))).await,
            Method::Unknown(name) => self.send(rpc::unknown(&id, &name)).await,
            Method::Cancel => {
                self.session.cancel(|of| !of.is_null() && *of == params["id"]);
                self.send(wire::answer(&id, json!({}))).await
            }
            Method::Stop if !self.session.server.options.clients_may_stop => {
                let error = ApiError::new(ErrorCode::Forbidden, "This service belongs to the Ultimate Memory window.")
                    .hint("Quit it there, from the tray or its menu.");
                self.send(failure(&id, OPERATION_FAILED, &error)).await
            }
            Method::Stop => {
                self.send(wire::answer(&id, json!({}))).await;
                self.asked_for_end = true;
                self.session.server.shutdown.stop();
                false
            }
            Method::Show if self.session.server.options.clients_may_stop => {
                let error = ApiError::new(ErrorCode::Conflict, "This service has no window.")
                    .hint("Start Ultimate Memory: it takes this service's place.");
                self.send(failure(&id, OPERATION_FAILED, &error)).await
            }
            Method::Show => {
                self.session.server.engine.show_window();
                self.send(wire::answer(&id, json!({}))).await
            }
            Method::Operation(name) => {
                let (session, outgoing) = (self.session.clone(), self.outgoing.clone());
                self.tasks.spawn(async move {
                    let request = session.begin(id.clone());
                    let (progress, heard) = progress::channel();
                    let call = Call {
                        operation: name.to_owned(),
                        request_id: session.request_id(),
                        purpose: "socket",
                        agent: None,
                        cancel: request.cancel.clone(),
                        progress: progress_token.as_ref().map(|_| progress).unwrap_or_default(),
                    };
                    let (listener, token) = (outgoing.clone(), progress_token.unwrap_or_default());
                    let tell = move |call| {
                        let (listener, line) = (listener.clone(), rpc::progress(&token, &call));
                        // Whoever asked may be gone.
                        async move { drop(listener.send(line).await) }
                    };
                    // The place is kept until the answer is taken: a client that does not read has few answers
                    // waiting, however many it asks for.
                    let (result, _place) = match session.enter() {
                        Ok(place) => {
                            (progress::beside(session.server.call(call, params), heard, tell).await, Some(place))
                        }
                        Err(error) => (Err(error), None),
                    };
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
                let agent = self.mcp.get_or_insert_with(|| mcp::start(session.clone(), outgoing.clone(), tasks));
                agent.send(message).await.is_ok()
            }
            Err(error) => match id {
                Some(id) => self.send(failure(&id, INVALID_REQUEST, &error)).await,
                None => true,
            },
        }
    }
}
