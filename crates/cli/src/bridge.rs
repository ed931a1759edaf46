//! `umem mcp`: MCP on standard input and output, for agents that start a program. It passes lines to the
//! service's socket and back, and adds the token that the agent need not know.

use crate::failure::{Failure, system};
use crate::service;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use um_model::{ApiError, ErrorCode};
use um_server::token::Token;
use um_server::{Limits, Line, Lines, TOKEN_KEY, client, parse_line};

/// How long answers under way are waited for once the agent has said its last.
const LAST_ANSWERS: Duration = Duration::from_secs(30);

/// The code of a failure of the bridge's own; `data` says which.
const BRIDGE_FAILED: i64 = -32000;

/// Passes messages until standard input ends.
pub(crate) async fn run(data: &Path) -> Result<ExitCode, Failure> {
    let mut bridge = Bridge { data: data.to_owned(), link: None, handshake: None, outstanding: Vec::new() };
    let mut input = Lines::new(tokio::io::stdin(), Limits::default().request_bytes);
    loop {
        let event = tokio::select! {
            line = input.next() => Event::Said(line.map_err(system)?),
            line = bridge.heard() => Event::Heard(line),
        };
        match event {
            Event::Said(Line::Text(line)) => bridge.say(line).await?,
            Event::Said(Line::TooLong) => return too_long().await,
            Event::Said(Line::End) => break,
            Event::Heard(line) => bridge.hear(line).await?,
        }
    }
    // Whoever pipes a few requests in wants the answers too.
    let _ = tokio::time::timeout(LAST_ANSWERS, bridge.drain()).await;
    Ok(ExitCode::SUCCESS)
}

enum Event {
    Said(Line),
    Heard(Option<Vec<u8>>),
}

/// The connection to the service.
struct Link {
    lines: Lines<Box<dyn AsyncRead + Unpin>>,
    write: Box<dyn AsyncWrite + Unpin>,
    token: Token,
}

struct Bridge {
    data: PathBuf,
    /// Absent until the agent speaks, and after the service went away until the agent speaks again.
    link: Option<Link>,
    /// The agent's `initialize`, to be said again to a service that was started anew.
    handshake: Option<Value>,
    /// Ids of requests without an answer yet.
    outstanding: Vec<Value>,
}

impl Bridge {
    /// The next line of the service; `None` once it has gone. Waits for ever where there is no service.
    async fn heard(&mut self) -> Option<Vec<u8>> {
        match &mut self.link {
            None => std::future::pending().await,
            Some(link) => match link.lines.next().await {
                Ok(Line::Text(line)) => Some(line),
                _ => None,
            },
        }
    }

    /// Takes a line of the agent.
    async fn say(&mut self, line: Vec<u8>) -> Result<(), Failure> {
        let Ok(message) = parse_line(&line) else {
            return if line.iter().all(u8::is_ascii_whitespace) { Ok(()) } else { no_json().await };
        };
        let id = message.get("id").filter(|_| message.get("method").is_some()).cloned();
        if message["method"] == "notifications/cancelled" {
            // Such a request gets no answer.
            self.outstanding.retain(|id| *id != message["params"]["requestId"]);
        }
        let is_handshake = message["method"] == "initialize";
        let sent = match self.connect().await {
            Ok(link) => link.send(message.clone()).await,
            Err(failure) => return answer_all(id.into_iter().collect(), &failure.error).await,
        };
        if is_handshake {
            self.handshake = Some(message);
        }
        self.outstanding.extend(id);
        if sent.is_err() { self.hear(None).await } else { Ok(()) }
    }

    /// Takes a line of the service, or that it has gone.
    async fn hear(&mut self, line: Option<Vec<u8>>) -> Result<(), Failure> {
        let Some(line) = line else {
            self.link = None;
            let error = ApiError::new(ErrorCode::Io, "The Ultimate Memory service went away.")
                .hint("Ask again: it is started anew, and what it had acknowledged is kept.");
            return answer_all(std::mem::take(&mut self.outstanding), &error).await;
        };
        if let Ok(message) = serde_json::from_slice::<Value>(&line)
            && message.get("method").is_none()
        {
            self.outstanding.retain(|id| *id != message["id"]);
        }
        write_line(&line).await
    }

    async fn drain(&mut self) -> Result<(), Failure> {
        while !self.outstanding.is_empty() && self.link.is_some() {
            let line = self.heard().await;
            self.hear(line).await?;
        }
        Ok(())
    }

    /// The link, made if there is none: the service is started where none runs, and told what the agent
    /// said of itself to an earlier one.
    async fn connect(&mut self) -> Result<&mut Link, Failure> {
        if self.link.is_none() {
            must_exist(&self.data)?;
            drop(service::connect(&self.data).await?);
            let (read, write, token) = client::open_stream(&self.data).await.map_err(ApiError::from)?;
            let limit = Limits::default().result_bytes;
            let mut link = Link { lines: Lines::new(Box::new(read), limit), write: Box::new(write), token };
            if let Some(handshake) = &self.handshake {
                link.introduce(handshake.clone()).await.map_err(system)?;
            }
            self.link = Some(link);
        }
        self.link.as_mut().ok_or_else(|| ApiError::new(ErrorCode::Internal, "There is no link.").into())
    }
}

/// An agent's configuration may name a folder wrongly. Only the default folder is made for it: memories that went
/// to a folder nobody meant would not be found again.
fn must_exist(data: &Path) -> Result<(), ApiError> {
    let default = um_server::paths::default_data_dir().ok();
    if data.exists() || default.as_deref() == Some(data) {
        return Ok(());
    }
    let default = default.map(|folder| format!(", which is {}", folder.display())).unwrap_or_default();
    Err(ApiError::new(ErrorCode::NotFound, format!("There is no data folder {}.", data.display())).hint(format!(
        "Leave --data and UM_DATA out for the default one{default}; or make this one: umem --data {:?} status",
        data.display().to_string()
    )))
}

impl Link {
    /// Sends a message, with the token if it is a request.
    async fn send(&mut self, mut message: Value) -> std::io::Result<()> {
        if message.get("method").is_some() && message.get("id").is_some() {
            add_token(&mut message, self.token.as_str());
        }
        self.write.write_all(format!("{message}\n").as_bytes()).await?;
        self.write.flush().await
    }

    /// Shakes hands in the agent's name; it has had its answer from the service before.
    async fn introduce(&mut self, handshake: Value) -> std::io::Result<()> {
        self.send(handshake).await?;
        self.lines.next().await?;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await
    }
}

fn add_token(message: &mut Value, token: &str) {
    let Some(message) = message.as_object_mut() else { return };
    let params = message.entry("params").or_insert_with(|| json!({}));
    let Some(params) = params.as_object_mut() else { return };
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    if let Some(meta) = meta.as_object_mut() {
        meta.insert(TOKEN_KEY.to_owned(), token.into());
    }
}

/// Tells the agent that its requests failed.
async fn answer_all(ids: Vec<Value>, error: &ApiError) -> Result<(), Failure> {
    for id in ids {
        let error = json!({"code": BRIDGE_FAILED, "message": error.to_string(), "data": error});
        write_line(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string().as_bytes()).await?;
    }
    Ok(())
}

async fn no_json() -> Result<(), Failure> {
    let error = json!({"code": -32700, "message": "A line is no JSON."});
    write_line(json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string().as_bytes()).await
}

async fn too_long() -> Result<ExitCode, Failure> {
    let limit = Limits::default().request_bytes;
    let error = ApiError::new(ErrorCode::InvalidRequest, format!("A request has more than {limit} bytes."))
        .hint("Bring large texts in as files, with memory_ingest.");
    answer_all(vec![Value::Null], &error).await?;
    Err(Failure::usage(error))
}

async fn write_line(line: &[u8]) -> Result<(), Failure> {
    let mut output = tokio::io::stdout();
    output.write_all(line).await.map_err(system)?;
    output.write_all(b"\n").await.map_err(system)?;
    output.flush().await.map_err(system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_goes_into_every_shape_of_request() {
        for (given, rest) in [
            (json!({"id": 1, "method": "tools/list"}), json!({})),
            (json!({"id": 1, "method": "m", "params": {"a": 1}}), json!({"a": 1})),
            (json!({"id": 1, "method": "m", "params": {"a": 1, "_meta": {"progressToken": 7}}}), json!({"a": 1})),
        ] {
            let mut message = given.clone();
            add_token(&mut message, "secret");
            assert_eq!(message["params"]["_meta"][TOKEN_KEY], "secret");
            assert_eq!(message["params"]["_meta"]["progressToken"], given["params"]["_meta"]["progressToken"]);
            message["params"].as_object_mut().unwrap().remove("_meta");
            assert_eq!(message["params"], rest);
        }
    }
}
