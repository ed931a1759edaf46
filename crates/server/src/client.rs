//! The other end of the socket, for the command line and the stdio bridge.

use crate::paths::{self, PathError};
use crate::rpc::{PREFIX, PROGRESS, Pong};
use crate::stream::{self, Stream};
use crate::token::Token;
use crate::wire::{Line, Lines};
use crate::{Limits, TOKEN_KEY};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::Path;
use std::pin::pin;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use um_model::ops::Request;
use um_model::{ApiError, ErrorCode};

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No service serves this data folder.
    #[error("No service runs for this data folder.")]
    NotRunning,
    /// A service answers, but its data folder is gone.
    #[error("The data folder was removed while a service had it open.")]
    Orphaned,
    /// The token or a folder is not as it must be.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The socket is there and refuses.
    #[error("The service's socket cannot be used: {0}")]
    Socket(std::io::Error),
}

impl From<ConnectError> for ApiError {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::NotRunning => ApiError::new(ErrorCode::Io, error.to_string()).hint("Start it: umem serve"),
            ConnectError::Orphaned => ApiError::new(ErrorCode::Io, error.to_string())
                .hint("That service ends now: run this again. Where the window has the folder open, quit it first."),
            ConnectError::Path(error) => error.into(),
            ConnectError::Socket(ref io) if io.kind() == ErrorKind::PermissionDenied => {
                ApiError::new(ErrorCode::Forbidden, error.to_string())
            }
            ConnectError::Socket(_) => ApiError::new(ErrorCode::Io, error.to_string()),
        }
    }
}

/// Connects to the service of a data folder: at the socket that this environment leads to, else at the one
/// that the service named in the data folder. Gives both halves and the token.
///
/// # Errors
/// [`ConnectError`].
pub async fn open_stream(
    data_dir: &Path,
) -> Result<(impl AsyncRead + Unpin + use<>, impl AsyncWrite + Unpin + use<>, Token), ConnectError> {
    let stream = find(data_dir).await?;
    let token = token(data_dir)?;
    let (read, write) = tokio::io::split(stream);
    Ok((read, write, token))
}

/// The token that the service made when it began: where there is none, the folder went since.
fn token(data_dir: &Path) -> Result<Token, ConnectError> {
    Token::read(data_dir).map_err(|error| match error {
        PathError::Io { error, .. } if error.kind() == ErrorKind::NotFound => ConnectError::Orphaned,
        error => error.into(),
    })
}

async fn find(data_dir: &Path) -> Result<Stream, ConnectError> {
    let named = std::fs::read_to_string(paths::address_path(data_dir)).ok().map(std::path::PathBuf::from);
    let mut refusal = None;
    for socket in std::iter::once(paths::socket_path(data_dir)).chain(named) {
        match stream::connect(&socket).await {
            Ok(stream) => return Ok(stream),
            Err(error) if nobody_there(error.kind()) => {}
            Err(error) => refusal = Some(error),
        }
    }
    Err(refusal.map_or(ConnectError::NotRunning, ConnectError::Socket))
}

fn nobody_there(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::ConnectionRefused | ErrorKind::NotADirectory)
}

/// A connection that makes one call after the other.
#[derive(Debug)]
pub struct Connection {
    lines: Lines<ReadHalf<Stream>>,
    write: WriteHalf<Stream>,
    token: Token,
    calls: u64,
}

impl Connection {
    /// Connects to the service of a data folder.
    ///
    /// # Errors
    /// [`ConnectError`].
    pub async fn open(data_dir: &Path) -> Result<Self, ConnectError> {
        let stream = find(data_dir).await?;
        let token = token(data_dir)?;
        let (read, write) = tokio::io::split(stream);
        // An answer holds at most the limit and its envelope.
        let lines = Lines::new(read, Limits::default().result_bytes + 64 * 1024);
        Ok(Self { lines, write, token, calls: 0 })
    }

    /// Does an operation.
    ///
    /// # Errors
    /// What the operation says; `Io` when the service goes away.
    pub async fn run<R: Request>(&mut self, request: R) -> Result<R::Response, ApiError> {
        let params = serde_json::to_value(request).map_err(strange)?;
        let answer = self.call(R::NAME, params).await?;
        serde_json::from_value(answer).map_err(strange)
    }

    /// Asks who serves.
    ///
    /// # Errors
    /// `Forbidden` when the token is not the service's; `Io` when it goes away.
    pub async fn ping(&mut self) -> Result<Pong, ApiError> {
        let answer = self.call("ping", json!({})).await?;
        serde_json::from_value(answer).map_err(strange)
    }

    /// Asks the service to end.
    ///
    /// # Errors
    /// `Forbidden` when it belongs to the window.
    pub async fn stop(&mut self) -> Result<(), ApiError> {
        self.call("stop", json!({})).await.map(drop)
    }

    /// Asks for the service's window.
    ///
    /// # Errors
    /// `Conflict` when it has none.
    pub async fn show(&mut self) -> Result<(), ApiError> {
        self.call("show", json!({})).await.map(drop)
    }

    /// Returns once the service has closed the connection; after [`Connection::stop`], once it has ended and
    /// the data folder is free.
    pub async fn closed(mut self) {
        while matches!(self.lines.next().await, Ok(Line::Text(_))) {}
    }

    /// Does an operation that may take long. `heard` is told how far it is; once `stop` is ready, the service is
    /// asked to stop it, and the answer tells what was done by then.
    ///
    /// # Errors
    /// What the operation says; `Io` when the service goes away.
    pub async fn run_long<R: Request>(
        &mut self,
        request: R,
        mut heard: impl FnMut(Heard),
        stop: impl Future<Output = ()>,
    ) -> Result<R::Response, ApiError> {
        let params = serde_json::to_value(request).map_err(strange)?;
        let id = self.send(R::NAME, params, true).await?;
        let mut stop = pin!(stop);
        let mut is_stopping = false;
        loop {
            let mut message = tokio::select! {
                message = self.message() => message?,
                () = &mut stop, if !is_stopping => {
                    is_stopping = true;
                    self.send("cancel", json!({"id": id}), false).await?;
                    continue;
                }
            };
            if message["method"] == PROGRESS {
                // What cannot be understood of it is not worth an error.
                serde_json::from_value(message["params"].take()).ok().into_iter().for_each(&mut heard);
            } else if is_answer(&message, &id) {
                return serde_json::from_value(result_of(&mut message)?).map_err(strange);
            }
        }
    }

    /// Calls `um/<name>` with an object of parameters.
    ///
    /// # Errors
    /// What the service says; `Io` when it goes away.
    pub async fn call(&mut self, name: &str, params: Value) -> Result<Value, ApiError> {
        let id = self.send(name, params, false).await?;
        loop {
            let mut message = self.message().await?;
            if is_answer(&message, &id) {
                return result_of(&mut message);
            }
        }
    }

    /// Sends a request. Gives its id.
    async fn send(&mut self, name: &str, mut params: Value, wants_progress: bool) -> Result<Value, ApiError> {
        self.calls += 1;
        let id = Value::from(self.calls);
        params["_meta"] = json!({TOKEN_KEY: self.token.as_str()});
        if wants_progress {
            params["_meta"]["progressToken"] = id.clone();
        }
        let mut line =
            json!({"jsonrpc": "2.0", "id": id, "method": format!("{PREFIX}{name}"), "params": params}).to_string();
        line.push('\n');
        self.write.write_all(line.as_bytes()).await.map_err(gone)?;
        self.write.flush().await.map_err(gone)?;
        Ok(id)
    }

    async fn message(&mut self) -> Result<Value, ApiError> {
        match self.lines.next().await.map_err(gone)? {
            Line::Text(line) => serde_json::from_slice(&line).map_err(strange),
            Line::TooLong => Err(ApiError::new(ErrorCode::Internal, "The service's answer is too long.")),
            Line::End => Err(gone(ErrorKind::UnexpectedEof.into())),
        }
    }
}

/// How far a call is that takes long.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Heard {
    /// How much is done.
    #[serde(rename = "progress")]
    pub done: u64,
    /// Of how much, where that is known.
    #[serde(default)]
    pub total: Option<u64>,
    /// What was done last.
    #[serde(default, rename = "message")]
    pub note: String,
}

/// Whether it answers the request of that id. What the service refuses before it knows the id has none.
fn is_answer(message: &Value, id: &Value) -> bool {
    message.get("method").is_none() && (message["id"] == *id || message["id"].is_null())
}

fn result_of(answer: &mut Value) -> Result<Value, ApiError> {
    let Some(error) = answer.get_mut("error") else { return Ok(answer["result"].take()) };
    Err(serde_json::from_value(error["data"].take()).unwrap_or_else(|_| {
        ApiError::new(ErrorCode::Internal, error["message"].as_str().unwrap_or("unknown").to_owned())
    }))
}

fn gone(_: std::io::Error) -> ApiError {
    ApiError::new(ErrorCode::Io, "The service went away.").hint("Try again: what it had acknowledged is kept.")
}

fn strange(error: serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Internal, format!("The service's answer cannot be read: {error}"))
        .hint("Its version may differ from this program's: run umem stop, then try again.")
}
