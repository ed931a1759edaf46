//! `umem mcp`: MCP on standard input and output, for agents that start a program. It passes lines to the
//! service's socket and back, and adds the agent's token: one for each name, made here and kept beside the data, which
//! the service knows by its hash once the person let the agent in.

use crate::args;
use crate::failure::{Failure, system};
use crate::service;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use um_model::{ApiError, ErrorCode};
use um_server::paths::agent_token_path;
use um_server::token::Token;
use um_server::{ASKS_KEY, ERROR_KEY, Limits, Line, Lines, PROFILE_KEY, TOKEN_KEY, client, parse_line};

/// How long answers under way are waited for once the agent has said its last.
const LAST_ANSWERS: Duration = Duration::from_secs(30);

/// The code of a failure of the bridge's own; `data` says which.
const BRIDGE_FAILED: i64 = -32000;

/// Passes messages until standard input ends.
pub(crate) async fn run(data: &Path, asks: args::Mcp) -> Result<ExitCode, Failure> {
    let mut bridge = Bridge {
        data: data.to_owned(),
        link: None,
        handshake: None,
        outstanding: Vec::new(),
        identity: Identity::new(data, asks),
    };
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
}

struct Bridge {
    data: PathBuf,
    /// Absent until the agent speaks, and after the service went away until the agent speaks again.
    link: Option<Link>,
    /// The agent's `initialize`, to be said again to a service that was started anew.
    handshake: Option<Value>,
    /// Ids of requests without an answer yet.
    outstanding: Vec<Value>,
    identity: Identity,
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
        let Ok(mut message) = parse_line(&line) else {
            return if line.iter().all(u8::is_ascii_whitespace) { Ok(()) } else { no_json().await };
        };
        let id = message.get("id").filter(|_| message.get("method").is_some()).cloned();
        if message["method"] == "notifications/cancelled" {
            // Such a request gets no answer.
            self.outstanding.retain(|id| *id != message["params"]["requestId"]);
        }
        let is_handshake = message["method"] == "initialize";
        // Nothing is made in a folder that is not there.
        let ready = match self.connect().await {
            Ok(_) if id.is_none() => Ok(()),
            Ok(_) => self.identity.sign(&mut message),
            Err(failure) => Err(failure),
        };
        if let Err(failure) = ready {
            return answer_all(id.into_iter().collect(), &failure.error).await;
        }
        let sent = match &mut self.link {
            Some(link) => link.send(message.clone()).await,
            None => Ok(()),
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
            if message["result"]["_meta"][ERROR_KEY]["code"] == ErrorCode::AccessEnded.as_str() {
                self.identity.forget();
            }
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
            let (read, write, _) = client::open_stream(&self.data).await.map_err(ApiError::from)?;
            let limit = Limits::default().result_bytes;
            let mut link = Link { lines: Lines::new(Box::new(read), limit), write: Box::new(write) };
            if let Some(mut handshake) = self.handshake.clone() {
                self.identity.sign(&mut handshake)?;
                link.introduce(handshake).await.map_err(system)?;
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
    async fn send(&mut self, message: Value) -> std::io::Result<()> {
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

/// Who the agent is, as far as it says, and the token that goes with that.
struct Identity {
    data: PathBuf,
    asks: args::Mcp,
    process: Option<String>,
    /// The name that a token was found for, and the token.
    known: Option<(String, Token)>,
}

impl Identity {
    fn new(data: &Path, asks: args::Mcp) -> Self {
        Self { data: data.to_owned(), asks, process: parent_process(), known: None }
    }

    /// Adds the agent's token to a request, and what it asks for where it is not let in yet.
    fn sign(&mut self, request: &mut Value) -> Result<(), Failure> {
        if let Some(name) = name_in(request)
            && self.known.as_ref().is_none_or(|(known, _)| known != name)
        {
            self.known =
                Some((name.to_owned(), Token::ensure_at(&agent_token_path(&self.data, name)).map_err(ApiError::from)?));
        }
        // Without a name nothing is asked in its name; the service says what to do.
        let Some((_, token)) = &self.known else { return Ok(()) };
        let asks = json!({"spaces": self.asks.spaces, "rights": self.asks.rights, "process": self.process});
        add_meta(request, TOKEN_KEY, token.as_str().into());
        add_meta(request, ASKS_KEY, asks);
        if let Some(profile) = self.asks.profile {
            add_meta(request, PROFILE_KEY, profile.as_str().into());
        }
        Ok(())
    }

    /// The token opens nothing any more: the next request comes with another, and the person is asked again.
    fn forget(&mut self) {
        let Some((name, _)) = self.known.take() else { return };
        let path = agent_token_path(&self.data, &name);
        // One that stays behind is refused again, and forgotten again.
        let _ = std::fs::remove_file(&path);
        self.known = Token::ensure_at(&path).ok().map(|token| (name, token));
    }
}

/// The name that a request gives the agent: with `initialize`, or with each request since 2026.
fn name_in(request: &Value) -> Option<&str> {
    let params = &request["params"];
    let info = match request["method"] == "initialize" {
        true => &params["clientInfo"],
        false => &params["_meta"]["io.modelcontextprotocol/clientInfo"],
    };
    info["name"].as_str()
}

/// The program that started this one, where the system tells.
fn parent_process() -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let parent = stat.rsplit(')').next()?.split_whitespace().nth(1)?;
        let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).ok()?;
        Some(name.trim().to_owned())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

fn add_meta(message: &mut Value, key: &str, value: Value) {
    let Some(message) = message.as_object_mut() else { return };
    let params = message.entry("params").or_insert_with(|| json!({}));
    let Some(params) = params.as_object_mut() else { return };
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    if let Some(meta) = meta.as_object_mut() {
        meta.insert(key.to_owned(), value);
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
            add_meta(&mut message, TOKEN_KEY, "secret".into());
            assert_eq!(message["params"]["_meta"][TOKEN_KEY], "secret");
            assert_eq!(message["params"]["_meta"]["progressToken"], given["params"]["_meta"]["progressToken"]);
            message["params"].as_object_mut().unwrap().remove("_meta");
            assert_eq!(message["params"], rest);
        }
    }
}
