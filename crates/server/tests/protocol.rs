//! The socket from outside, with an engine that answers a few operations from memory.
#![cfg(unix)]

#[path = "protocol/hostile.rs"]
mod hostile;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::task::JoinHandle;
use um_engine::{Admitted, Claim};
use um_model::access::{Right, ToolProfile};
use um_model::capture::MemoryIngest;
use um_model::jobs::LongCall;
use um_model::{ApiError, ErrorCode};
use um_server::client::{ConnectError, Connection, Heard};
use um_server::operations::{Call, Operations};
use um_server::token::Token;
use um_server::{Limits, ServeError, ServeOptions, Shutdown, TOKEN_KEY, paths, serve_with};

const ID: &str = um_model::SYSTEM_AGENT;

#[derive(Default)]
struct Seen {
    calls: Mutex<Vec<Call>>,
    agents: AtomicU64,
    socket: Mutex<Option<String>>,
    busy: AtomicBool,
    shown: AtomicBool,
}

struct Fake {
    data_dir: PathBuf,
    seen: Arc<Seen>,
}

impl Operations for Fake {
    fn call(&self, call: &Call, request: Value) -> Result<Value, ApiError> {
        self.seen.calls.lock().unwrap().push(call.clone());
        match call.operation.as_str() {
            "memory_recall" => Ok(recalled(request["query"].as_str().unwrap_or("?"))),
            "memory_remember" if request["text"] == "" => {
                Err(ApiError::new(ErrorCode::Empty, "The text is empty.").hint("Give a text."))
            }
            "spaces_list" => Ok(json!({"spaces": [{"id": ID, "name": "default"}], "asked": request})),
            "context_compile" if request["space"] == "closed" => {
                Err(ApiError::new(ErrorCode::NotFound, "There is no space \"closed\"."))
            }
            "context_compile" => Ok(json!({"full_text": format!("packed {request}")})),
            "jobs_status" => Ok(json!({
                "counts": {}, "busy": self.seen.busy.load(Ordering::Relaxed), "paused": false, "calls": [],
                "jobs": [], "total": 0
            })),
            "watches_list" => Ok(json!({"watches": []})),
            "models_list" => Ok(json!({"models": []})),
            "memory_ingest" => Ok(ingest(call)),
            "view_read" => Ok(json!("x".repeat(10_000))),
            other => panic!("{other}"),
        }
    }
    /// Whoever has the folder's token is let in.
    fn admit(&self, claim: &Claim) -> Result<Admitted, ApiError> {
        if !Token::read(&self.data_dir).unwrap().matches(&claim.secret) {
            return Err(ApiError::new(ErrorCode::NotPaired, "The person is asked.").hint("Ask again."));
        }
        Ok(Admitted {
            agent: um_model::AgentId::parse(ID).unwrap(),
            name: claim.name.clone(),
            token: um_model::TokenId::parse(ID).unwrap(),
            spaces: Vec::new(),
            rights: Right::ALL.to_vec(),
            grants: Vec::new(),
            profile: ToolProfile::Default,
            requests_per_minute: 6_000,
        })
    }
    fn data_dir(&self) -> &Path {
        &self.data_dir
    }
    fn set_socket(&self, socket: Option<String>) {
        *self.seen.socket.lock().unwrap() = socket;
    }
    fn show_window(&self) {
        self.seen.shown.store(true, Ordering::SeqCst);
    }
    fn agent_connected(&self) {
        self.seen.agents.fetch_add(1, Ordering::SeqCst);
    }
    fn agent_disconnected(&self) {
        self.seen.agents.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Takes one file after the other until it is told to stop.
fn ingest(call: &Call) -> Value {
    let id = um_model::CallId::parse(um_model::OWNER_AGENT).unwrap();
    let (operation, note) = ("memory_ingest".to_owned(), "/a/file.txt".to_owned());
    let mut step = LongCall { id, operation, space_id: None, done: 0, total: Some(1 << 40), note, begun_at: 0 };
    while !call.cancel.is_cancelled() {
        step.done += 1;
        call.progress.tell(&step);
        std::thread::yield_now();
    }
    json!({"files": [], "created": step.done, "known": 0, "refused": 0, "cancelled": true})
}

fn recalled(quote: &str) -> Value {
    let id = um_model::OWNER_AGENT;
    json!({
        "hits": [{
            "rank": 1, "score": 0.5, "score_parts": {}, "quote": quote, "span": {"start": 0, "end": 4},
            "span_hash": "00", "matches": [], "ids": {"unit": id, "memory": id, "space": id}, "lines": [3, 5],
            "title": "a note", "modality": "text", "space_name": "default", "actor_id": id, "actor_name": "Owner",
            "recorded_at": 0
        }],
        "abstained": false, "reason": null, "answerability": 0.5, "notices": [], "spaces": [id], "timings": {}
    })
}

/// A served folder.
struct Served {
    temp: tempfile::TempDir,
    seen: Arc<Seen>,
    shutdown: Shutdown,
    task: JoinHandle<Result<(), ServeError>>,
}

async fn start(options: ServeOptions) -> Served {
    let temp = tempfile::tempdir().unwrap();
    let seen = Arc::new(Seen::default());
    let shutdown = Shutdown::new();
    let fake = Fake { data_dir: temp.path().to_owned(), seen: seen.clone() };
    let task = tokio::spawn(serve_with(fake, shutdown.clone(), options));
    while !paths::address_path(temp.path()).exists() {
        assert!(!task.is_finished(), "serving ended: {:?}", task.await);
        tokio::task::yield_now().await;
    }
    Served { temp, seen, shutdown, task }
}

impl Served {
    fn data(&self) -> &Path {
        self.temp.path()
    }

    fn token(&self) -> String {
        Token::read(self.data()).unwrap().as_str().to_owned()
    }

    async fn raw(&self) -> Raw {
        Raw(BufReader::new(UnixStream::connect(paths::socket_path(self.data())).await.unwrap()))
    }

    async fn end(self) {
        self.shutdown.stop();
        self.task.await.unwrap().unwrap();
        assert!(!paths::socket_path(self.temp.path()).exists());
        assert!(!paths::address_path(self.temp.path()).exists());
        assert_eq!(*self.seen.socket.lock().unwrap(), None);
        assert_eq!(self.seen.agents.load(Ordering::SeqCst), 0);
    }
}

/// A connection that says exactly what a test wants said.
struct Raw(BufReader<UnixStream>);

impl Raw {
    async fn send(&mut self, message: &Value) {
        self.0.get_mut().write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = tokio::time::timeout(Duration::from_secs(20), self.0.read_line(&mut line));
        let length = read.await.expect("an answer within 20 s").unwrap();
        (length > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    async fn ask(&mut self, message: Value) -> Value {
        self.send(&message).await;
        self.line().await.unwrap()
    }
}

/// `_meta` of a request of the 2026 revision, which has no `initialize`.
fn meta_2026(token: Option<&str>) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}
    });
    if let Some(token) = token {
        meta[TOKEN_KEY] = token.into();
    }
    meta
}

fn initialize(version: &str, meta: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}, "_meta": meta
    }})
}

fn tool_call(id: u64, name: &str, arguments: Value, meta: Option<Value>) -> Value {
    let mut params = json!({"name": name, "arguments": arguments});
    if let Some(meta) = meta {
        params["_meta"] = meta;
    }
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[tokio::test]
async fn the_command_lines_door_answers_and_asks_for_the_token() {
    let served = start(ServeOptions::default()).await;
    let mut connection = Connection::open(served.data()).await.unwrap();
    assert_eq!(connection.ping().await.unwrap().pid, std::process::id());
    let answer = connection.call("spaces_list", json!({"x": 1})).await.unwrap();
    assert_eq!(answer["asked"], json!({"x": 1}), "the token stays outside of the request");
    let error = connection.call("memory_remember", json!({"text": ""})).await.unwrap_err();
    assert_eq!((error.code, error.hint.as_deref()), (ErrorCode::Empty, Some("Give a text.")));
    assert_eq!(connection.call("nothing", json!({})).await.unwrap_err().code, ErrorCode::InvalidRequest);
    let calls = served.seen.calls.lock().unwrap().clone();
    assert_eq!(calls[0].purpose, "socket");
    assert_ne!(calls[0].request_id, calls[1].request_id);

    let mut raw = served.raw().await;
    for meta in [json!({}), json!({TOKEN_KEY: "0".repeat(64)}), json!({TOKEN_KEY: 7})] {
        for method in ["um/ping", "um/stop", "um/spaces_list"] {
            let answer = raw.ask(json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}})).await;
            assert_eq!(answer["error"]["data"]["code"], "forbidden", "{method}: {answer}");
        }
    }
    drop((raw, connection));
    served.end().await;
}

#[tokio::test]
async fn packs_are_resources() {
    let served = start(ServeOptions::default()).await;
    let mut raw = served.raw().await;
    raw.ask(initialize("2025-06-18", json!({TOKEN_KEY: served.token()}))).await;
    raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let ask = |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let listed = raw.ask(ask("resources/list", json!({}))).await;
    assert_eq!(listed["result"]["resources"][0]["uri"], format!("um://context/{ID}"), "{listed}");
    let templates = raw.ask(ask("resources/templates/list", json!({}))).await;
    assert_eq!(templates["result"]["resourceTemplates"].as_array().unwrap().len(), 2, "{templates}");
    let read = raw.ask(ask("resources/read", json!({"uri": "um://context/default?budget=200"}))).await;
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert_eq!(text, r#"packed {"budget_tokens":200,"space":"default"}"#);
    for uri in ["um://context/closed", "um://elsewhere/default", "file:///etc/passwd"] {
        let refused = raw.ask(ask("resources/read", json!({"uri": uri}))).await;
        assert_eq!(refused["error"]["code"], -32002, "{uri}: {refused}");
    }
    let mut stranger = served.raw().await;
    stranger.ask(initialize("2025-06-18", json!({TOKEN_KEY: "0".repeat(64)}))).await;
    stranger.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    assert_eq!(stranger.ask(ask("resources/list", json!({}))).await["result"]["resources"], json!([]));
    let refused = stranger.ask(ask("resources/read", json!({"uri": "um://context/default"}))).await;
    assert_eq!(refused["error"]["data"]["code"], "not_paired", "{refused}");
    drop((raw, stranger));
    served.end().await;
}

#[tokio::test]
async fn clients_of_2025_shake_hands_once() {
    let served = start(ServeOptions::default()).await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut raw = served.raw().await;
        let hello = raw.ask(initialize(version, json!({TOKEN_KEY: served.token()}))).await;
        assert_eq!(hello["result"]["protocolVersion"], version);
        assert_eq!(hello["result"]["serverInfo"]["name"], "ultimate-memory");
        raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        let tools = raw.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
        let names: Vec<_> = tools["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
        let usable = um_server::tools::for_agent(Right::ALL, &[], ToolProfile::Default);
        assert_eq!(names, usable.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>());
        let answer = raw.ask(tool_call(2, "memory_recall", json!({"query": "polar bears"}), None)).await;
        let result = &answer["result"];
        assert_eq!(result["structuredContent"]["hits"][0]["quote"], "polar bears");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(um_server::text::DATA_SENTENCE) && text.contains("lines 3-5"), "{text}");
        assert_eq!(served.seen.agents.load(Ordering::SeqCst), 1);
        drop(raw);
        while served.seen.agents.load(Ordering::SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
    }
    let calls = served.seen.calls.lock().unwrap().clone();
    assert!(calls.iter().all(|call| call.purpose == "mcp" && call.agent.as_ref().is_some_and(|a| a.name == "test")));
    served.end().await;
}

#[tokio::test]
async fn clients_of_2026_need_no_handshake() {
    let served = start(ServeOptions::default()).await;
    let token = served.token();
    let mut raw = served.raw().await;
    let found = raw
        .ask(json!({"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {"_meta": meta_2026(None)}}))
        .await;
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let mut raw = served.raw().await;
    let answer = raw.ask(tool_call(1, "memory_recall", json!({"query": "x"}), Some(meta_2026(Some(&token))))).await;
    assert_eq!(answer["result"]["structuredContent"]["hits"][0]["quote"], "x", "{answer}");
    assert_eq!(answer["result"]["resultType"], "complete");
    let agent = served.seen.calls.lock().unwrap()[0].agent.clone();
    assert_eq!(agent.unwrap().name, "test");
    // Identity is per request: the next one without the token is nobody's.
    let answer = raw.ask(tool_call(2, "memory_recall", json!({"query": "x"}), Some(meta_2026(None)))).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    drop(raw);
    served.end().await;
}

#[tokio::test]
async fn agents_that_are_not_let_in_are_told_so_and_nothing_else() {
    let served = start(ServeOptions::default()).await;
    for meta in [json!({}), json!({TOKEN_KEY: "f".repeat(64)})] {
        let mut raw = served.raw().await;
        assert!(raw.ask(initialize("2025-06-18", meta)).await["result"].is_object());
        let answer = raw.ask(tool_call(1, "memory_recall", json!({"query": "x"}), None)).await;
        let result = &answer["result"];
        assert_eq!(result["isError"], true);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(text, "Error not_paired: The person is asked.\nWhat to do next: Ask again.");
        let tools = raw.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).await;
        assert!(tools["result"]["tools"].is_array(), "a list of verbs is no secret: {tools}");
    }
    assert!(served.seen.calls.lock().unwrap().is_empty(), "the engine was never asked");
    served.end().await;
}

#[tokio::test]
async fn failures_of_tools_are_in_band_and_say_what_to_do() {
    let served = start(ServeOptions::default()).await;
    let mut raw = served.raw().await;
    raw.ask(initialize("2025-11-25", json!({TOKEN_KEY: served.token()}))).await;
    let answer = raw.ask(tool_call(1, "memory_remember", json!({"text": "", "space": "default"}), None)).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "Error empty: The text is empty.\nWhat to do next: Give a text."
    );
    assert_eq!(answer["result"]["_meta"]["org.ultimatememory/error"]["code"], "empty");
    let answer = raw.ask(tool_call(2, "space_create", json!({"name": "x"}), None)).await;
    assert!(answer["error"]["message"].as_str().unwrap().contains("memory_recall"), "{answer}");
    drop(raw);
    served.end().await;
}

#[tokio::test]
async fn the_command_line_hears_how_far_a_call_is_and_can_stop_it() {
    let served = start(ServeOptions::default()).await;
    let mut connection = Connection::open(served.data()).await.unwrap();
    let request = || MemoryIngest { paths: vec!["/a".into()], space: "default".into(), ..MemoryIngest::default() };
    let (enough, told) = (tokio::sync::Notify::new(), std::cell::RefCell::new(Vec::new()));
    let heard = |heard: Heard| {
        told.borrow_mut().push(heard.done);
        assert_eq!((heard.total, heard.note.as_str()), (Some(1 << 40), "/a/file.txt"));
        if told.borrow().len() == 2 {
            enough.notify_one();
        }
    };
    let answer = connection.run_long(request(), heard, enough.notified()).await.unwrap();
    assert!(answer.cancelled && answer.created >= *told.borrow().last().unwrap(), "{answer:?}");
    assert!(told.borrow().is_sorted() && told.borrow().len() < 10, "a caller is not flooded: {told:?}");
    assert!(connection.ping().await.is_ok(), "the connection goes on");
    // A service that ends stops what is under way and answers.
    let ended = connection.run_long(request(), |_| served.shutdown.stop(), std::future::pending()).await;
    assert!(ended.unwrap().cancelled);
    drop(connection);
    served.end().await;
}

#[tokio::test]
async fn agents_hear_how_far_a_call_is_where_they_ask_and_can_cancel_it() {
    let served = start(ServeOptions::default()).await;
    let mut raw = served.raw().await;
    raw.ask(initialize("2025-11-25", json!({TOKEN_KEY: served.token()}))).await;
    raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let arguments = json!({"paths": ["/a"], "space": "default"});
    raw.send(&tool_call(1, "memory_ingest", arguments.clone(), Some(json!({"progressToken": "mine"})))).await;
    let mut last = 0.0;
    for _ in 0..2 {
        let told = raw.line().await.unwrap();
        assert_eq!(
            (&told["method"], &told["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("mine"))
        );
        let progress = told["params"]["progress"].as_f64().unwrap();
        assert!(progress > last, "it rises: {told}");
        assert_eq!(told["params"]["message"], "/a/file.txt");
        last = progress;
    }
    raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})).await;
    // Without a token of its own, a call tells nothing; the next line is the answer to another request.
    raw.send(&tool_call(2, "memory_ingest", arguments, None)).await;
    raw.send(&tool_call(3, "spaces_list", json!({}), None)).await;
    let answer = loop {
        let line = raw.line().await.unwrap();
        let late = line["method"] == "notifications/progress" && line["params"]["progressToken"] == "mine";
        // What was said before the cancel may still come, and the cancelled call's answer.
        if !late && line["id"] != 1 {
            break line;
        }
    };
    assert_eq!(answer["id"], 3, "{answer}");
    raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})).await;
    drop(raw);
    served.end().await;
}

#[tokio::test]
async fn nonsense_is_answered_and_does_not_end_the_connection() {
    let served = start(ServeOptions::default()).await;
    let mut raw = served.raw().await;
    raw.0.get_mut().write_all(b"no json\n\n").await.unwrap();
    assert_eq!(raw.line().await.unwrap()["error"]["code"], -32700);
    assert_eq!(raw.ask(json!({"id": 5, "something": 1})).await["error"]["code"], -32600);
    assert_eq!(raw.ask(json!([1, 2])).await.get("result"), None);
    let token = served.token();
    let answer =
        raw.ask(json!({"jsonrpc": "2.0", "id": 6, "method": "um/ping", "params": {"_meta": {TOKEN_KEY: token}}})).await;
    assert_eq!(answer["result"]["pid"], std::process::id());
    drop(raw);
    served.end().await;
}

#[tokio::test]
async fn requests_answers_rates_and_connections_are_bounded() {
    let limits =
        Limits { request_bytes: 2000, result_bytes: 5000, requests_per_second: 5, connections: 2, ..Limits::default() };
    let served = start(ServeOptions { limits, ..ServeOptions::default() }).await;
    let mut connection = Connection::open(served.data()).await.unwrap();
    let error = connection.call("view_read", json!({})).await.unwrap_err();
    assert!(error.message.contains("at most 5000"), "{error}");
    let error = connection.call("spaces_list", json!({"x": "y".repeat(3000)})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest);
    assert_eq!(connection.ping().await.unwrap_err().code, ErrorCode::Io, "such a connection is closed");

    let mut connection = Connection::open(served.data()).await.unwrap();
    let mut codes = Vec::new();
    for _ in 0..12 {
        codes.extend(connection.ping().await.err().map(|error| error.code));
    }
    assert!(codes.contains(&ErrorCode::RateLimited), "{codes:?}");

    let _second = served.raw().await;
    let mut third = served.raw().await;
    assert_eq!(third.line().await.unwrap()["error"]["data"]["code"], "rate_limited");
    assert_eq!(third.line().await, None);
    drop((connection, _second));
    served.end().await;
}

/// The whole line that an agent gets is bounded, whatever its revision and whether the call succeeds.
#[tokio::test]
async fn the_line_that_an_agent_gets_is_bounded_as_it_is_sent() {
    async fn check(name: &str, arguments: Value, version_2026: bool) {
        let line = |limit: usize| {
            let arguments = arguments.clone();
            async move {
                let limits = Limits { mcp_result_bytes: limit, ..Limits::default() };
                let served = start(ServeOptions { limits, ..ServeOptions::default() }).await;
                let mut raw = served.raw().await;
                let meta = version_2026.then(|| meta_2026(Some(&served.token())));
                if !version_2026 {
                    raw.ask(initialize("2025-11-25", json!({TOKEN_KEY: served.token()}))).await;
                }
                let answer = raw.ask(tool_call(7, name, arguments, meta)).await.to_string();
                drop(raw);
                served.end().await;
                answer
            }
        };
        let whole = line(1_000_000).await;
        let bytes = whole.len() + 1;
        // Earlier revisions are not sent the type of the result, which is counted.
        let counted = r#""resultType":"complete","#.len();
        let sent = line(bytes + counted).await;
        assert_eq!(sent.len(), whole.len(), "{name}: {sent}");
        let refused = line(bytes - 1).await;
        assert!(refused.contains("The answer has "), "{name}: {refused}");
    }
    for version_2026 in [false, true] {
        check("memory_recall", json!({"query": "polar bears"}), version_2026).await;
        check("memory_remember", json!({"text": "", "space": "default"}), version_2026).await;
    }
}

#[tokio::test]
async fn a_service_of_the_command_line_can_be_stopped_by_clients_and_one_with_a_window_be_shown() {
    let served = start(ServeOptions::default()).await;
    let mut connection = Connection::open(served.data()).await.unwrap();
    assert_eq!(connection.stop().await.unwrap_err().code, ErrorCode::Forbidden);
    connection.show().await.unwrap();
    assert!(served.seen.shown.load(Ordering::SeqCst));
    drop(connection);
    served.end().await;

    let served = start(ServeOptions { clients_may_stop: true, ..ServeOptions::default() }).await;
    let mut connection = Connection::open(served.data()).await.unwrap();
    assert_eq!(connection.show().await.unwrap_err().code, ErrorCode::Conflict);
    connection.stop().await.unwrap();
    let closed = tokio::spawn(connection.closed());
    served.task.await.unwrap().unwrap();
    assert!(!closed.is_finished(), "not all is over yet");
    drop(served.shutdown);
    closed.await.unwrap();
    assert!(matches!(Connection::open(served.temp.path()).await, Err(ConnectError::NotRunning)));
}

/// Lets so much time pass on the test's own clock, which runs ahead whenever nothing else is to do.
async fn let_pass(time: Duration) {
    assert!(tokio::time::timeout(time, std::future::pending::<()>()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_service_that_nobody_uses_ends_once_its_work_is_done() {
    let idle_exit = Some(Duration::from_secs(600));
    let served = start(ServeOptions { idle_exit, ..ServeOptions::default() }).await;
    served.seen.busy.store(true, Ordering::Relaxed);
    let connection = Connection::open(served.data()).await.unwrap();
    let_pass(Duration::from_secs(3000)).await;
    assert!(!served.task.is_finished(), "somebody is connected");
    drop(connection);
    let_pass(Duration::from_secs(3000)).await;
    assert!(!served.task.is_finished(), "there is work");
    served.seen.busy.store(false, Ordering::Relaxed);
    served.task.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_client_finds_the_socket_that_the_service_named() {
    use std::os::unix::fs::PermissionsExt;
    let served = start(ServeOptions::default()).await;
    let address = paths::address_path(served.data());
    let named = std::fs::read_to_string(&address).unwrap();
    assert_eq!(Path::new(&named), paths::socket_path(served.data()));
    for (path, mode) in [(address, 0o600), (paths::token_path(served.data()), 0o600), (named.into(), 0o600)] {
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
    }
    served.end().await;
}

#[tokio::test]
async fn a_service_whose_folder_is_gone_ends_when_somebody_comes() {
    let served = start(ServeOptions { clients_may_stop: true, ..ServeOptions::default() }).await;
    std::fs::remove_file(paths::token_path(served.data())).unwrap();
    assert!(matches!(Connection::open(served.data()).await, Err(ConnectError::Orphaned)));
    served.task.await.unwrap().unwrap();
    assert!(matches!(Connection::open(served.temp.path()).await, Err(ConnectError::NotRunning)));
}
