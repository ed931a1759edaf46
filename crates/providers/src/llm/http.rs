//! One question by HTTP. It runs on a thread of its own, so that whoever asked can stop waiting at once; the thread
//! ends with the request's own time limit at the latest.

use std::io::Read;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use um_engine::language::{LlmConfig, LlmError};
use um_engine::provider::Cancel;
use ureq::http::header::{CONTENT_TYPE, RETRY_AFTER};
use ureq::{Agent, Body, Timeout};

/// The longest answer that is read.
const MAX_ANSWER: usize = 4 << 20;
/// How often is looked whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(50);
/// Longer takes no connection that comes about.
const CONNECT: Duration = Duration::from_secs(10);

/// What a host answered.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// How long it asks to wait.
    pub retry_after: Option<Duration>,
    /// The body, whole.
    pub body: Vec<u8>,
}

/// A question, ready to be sent.
#[derive(Debug, Clone)]
pub struct Question {
    /// Where to.
    pub url: String,
    /// Headers beside the usual ones; the key is among them.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Value,
}

/// Sends a question and waits for its answer, of whatever status.
///
/// # Errors
/// `Unreachable`, `TimedOut`, `TooLarge`, `Cancelled`.
pub fn post(config: &LlmConfig, question: Question, cancel: &Cancel) -> Result<Reply, LlmError> {
    let (sender, answer) = mpsc::sync_channel(1);
    let (config, watched) = (config.clone(), cancel.clone());
    let host = config.base_url.host().to_owned();
    let send = move || {
        // Nobody listens any more where the question was cancelled.
        let _ = sender.send(exchange(&config, &question, &watched));
    };
    let unreachable = |why: String| LlmError::Unreachable { host: host.clone(), why };
    thread::Builder::new().name("llm-request".into()).spawn(send).map_err(|error| unreachable(error.to_string()))?;
    loop {
        if cancel.is_cancelled() {
            return Err(LlmError::Cancelled);
        }
        match answer.recv_timeout(LOOK) {
            Ok(reply) => return reply,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(unreachable("the request broke down".into())),
        }
    }
}

fn agent(config: &LlmConfig) -> Agent {
    let mut builder = Agent::config_builder()
        .http_status_as_error(false)
        // A key and a person's texts go to the host that they were meant for, and to no other.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .https_only(config.base_url.is_secure())
        .timeout_connect(Some(CONNECT.min(config.timeout)))
        .timeout_per_read(Some(config.timeout))
        .timeout_global(Some(config.timeout))
        .user_agent(concat!("ultimate-memory/", env!("CARGO_PKG_VERSION")));
    if !config.base_url.is_secure() {
        // What is near is reached without a go-between, who could read all of it.
        builder = builder.proxy(None);
    }
    builder.build().new_agent()
}

fn exchange(config: &LlmConfig, question: &Question, cancel: &Cancel) -> Result<Reply, LlmError> {
    let mut request = agent(config).post(&question.url).header(CONTENT_TYPE, "application/json");
    for (name, value) in &question.headers {
        request = request.header(*name, value);
    }
    let response = request.send(question.body.to_string()).map_err(|error| failure(config, &error))?;
    let (head, body) = response.into_parts();
    let retry_after = head.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(seconds);
    Ok(Reply { status: head.status.as_u16(), retry_after, body: whole(config, body, cancel)? })
}

/// `Retry-After` as a number of seconds; what is a date says no more than that the host is busy.
fn seconds(value: &str) -> Option<Duration> {
    value.trim().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn whole(config: &LlmConfig, body: Body, cancel: &Cancel) -> Result<Vec<u8>, LlmError> {
    let mut stream = body.into_with_config().limit(u64::MAX).reader();
    let (mut all, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
    loop {
        if cancel.is_cancelled() {
            return Err(LlmError::Cancelled);
        }
        let count = stream.read(&mut buffer).map_err(|error| failure(config, &error.into()))?;
        if count == 0 {
            return Ok(all);
        }
        if all.len() + count > MAX_ANSWER {
            return Err(LlmError::TooLarge);
        }
        all.extend_from_slice(&buffer[..count]);
    }
}

/// What went wrong, in words of our own: those of the libraries may name headers.
fn failure(config: &LlmConfig, error: &ureq::Error) -> LlmError {
    let why = match error {
        ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => "no connection in time".to_owned(),
        ureq::Error::Timeout(_) => return LlmError::TimedOut(config.timeout),
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
            return LlmError::TimedOut(config.timeout);
        }
        ureq::Error::Io(error) => error.kind().to_string(),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        ureq::Error::Rustls(_) | ureq::Error::Tls(_) => {
            "its certificate is not trusted, or it speaks no TLS".to_owned()
        }
        ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => "it does not speak HTTP".to_owned(),
        _ => "no connection came about".to_owned(),
    };
    LlmError::Unreachable { host: config.base_url.host().to_owned(), why }
}
