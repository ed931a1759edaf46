//! Clients that mean ill or are broken: each is refused with an error that says so, and others are answered.

use super::*;
use std::time::Instant;
use tokio::io::AsyncReadExt;

/// What a flood may cost, in bytes, of all the tests that run at once.
const MOST_MEMORY: u64 = 128 << 20;
/// So many handles other tests may have open.
const OTHERS: usize = 1_000;

/// Somebody else is still answered.
async fn answers(served: &Served) {
    let mut connection = Connection::open(served.data()).await.unwrap();
    assert_eq!(connection.ping().await.unwrap().pid, std::process::id());
}

/// Waits until somebody else is answered: connections that were given up are let go of a moment later.
async fn answers_again(served: &Served) {
    let begun = Instant::now();
    loop {
        if let Ok(mut connection) = Connection::open(served.data()).await
            && connection.ping().await.is_ok()
        {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "nobody is answered any more");
        tokio::task::yield_now().await;
    }
}

/// A client's part of a test: the data folder whose service it asks.
const ASKS: &str = "UM_TEST_ASKS";

/// Asks the service of the folder that the environment names, where this process was started for that by [`answers_another_process`].
async fn is_asked() -> bool {
    let Some(data) = std::env::var_os(ASKS) else { return false };
    let mut connection = Connection::open(Path::new(&data)).await.expect("a connection");
    println!("answered by {}", connection.ping().await.expect("an answer").pid);
    true
}

/// A new client is answered that is another process than this one: the same test, started again to ask.
async fn answers_another_process(served: &Served, test: &str) {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", &format!("hostile::{test}"), "--nocapture"]).env(ASKS, served.data());
    let told = tokio::task::spawn_blocking(move || again.output().unwrap()).await.unwrap();
    let answered = format!("answered by {}\n", std::process::id());
    assert!(told.status.success() && String::from_utf8_lossy(&told.stdout).contains(&answered), "{told:?}");
}

/// So many connections as half of the handles allow that are left to this process, at most `most`.
fn room_for(most: usize) -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let open = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let limit = open.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(1024);
    most.min(limit.saturating_sub(handles()) / 2)
}

/// A connection that says the beginning of a line and holds on.
async fn half_line(served: &Served) -> UnixStream {
    let mut stream = UnixStream::connect(paths::socket_path(served.data())).await.unwrap();
    // Whoever is one too many may be closed already.
    let _ = stream.write_all(br#"{"jsonrpc": "2.0", "id": 1, "method": "um/pi"#).await;
    stream
}

/// The code of a refusal.
fn code(answer: &Value) -> &str {
    answer["error"]["data"]["code"].as_str().unwrap_or_default()
}

/// The memory that this process has in use, in bytes; 0 where the system does not say.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
}

/// The files and sockets that this process has open; 0 where the system does not say.
fn handles() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[tokio::test]
async fn lines_without_end_are_refused_and_cost_little() {
    let served = start(ServeOptions::default()).await;
    let before = resident();
    let chunk = vec![b'x'; 64 * 1024];
    for _ in 0..40 {
        let mut raw = served.raw().await;
        // It is told before it is done, and nothing of what follows is read.
        for _ in 0..32 {
            if raw.0.get_mut().write_all(&chunk).await.is_err() {
                break;
            }
        }
        let answer = raw.line().await.expect("a refusal");
        assert_eq!(code(&answer), "invalid_request", "{answer}");
        assert!(matches!(raw.0.read(&mut [0; 8]).await, Ok(0) | Err(_)), "such a connection is closed");
    }
    answers(&served).await;
    let grown = resident().saturating_sub(before);
    assert!(grown < MOST_MEMORY, "{grown} bytes more are in use");
    served.end().await;
}

/// Who holds connections with half a line each, far more than there are places, shuts out neither other processes nor, once
/// its patience is over, itself.
#[tokio::test]
async fn held_half_lines_shut_nobody_out() {
    if is_asked().await {
        return;
    }
    // One process may hold all places here, so that they are all taken by half lines.
    for connections_of_one in [Limits::default().connections_of_one, Limits::default().connections] {
        let limits = Limits { connections_of_one, ..Limits::default() };
        let served = start(ServeOptions { limits, ..ServeOptions::default() }).await;
        let mut held = Vec::new();
        for _ in 0..4 * limits.connections {
            held.push(half_line(&served).await);
        }
        for _ in 0..3 {
            answers_another_process(&served, "held_half_lines_shut_nobody_out").await;
        }
        drop(held);
        served.end().await;
    }
}

#[tokio::test]
async fn ten_thousand_held_at_once_cost_little_and_shut_nobody_out() {
    if is_asked().await {
        return;
    }
    let served = start(ServeOptions::default()).await;
    answers(&served).await;
    let (before, many) = (resident(), room_for(10_000));
    let mut held = Vec::new();
    for _ in 0..many {
        held.push(half_line(&served).await);
    }
    println!("{many} connections are held");
    answers_another_process(&served, "ten_thousand_held_at_once_cost_little_and_shut_nobody_out").await;
    let grown = resident().saturating_sub(before);
    assert!(grown < MOST_MEMORY, "{grown} bytes more are in use");
    drop(held);
    answers_again(&served).await;
    served.end().await;
}

/// The clock runs from the beginning of a connection to its first whole line, whatever comes before that.
#[tokio::test]
async fn who_says_no_whole_line_in_time_is_told_and_closed() {
    let limits = Limits { first_line: Duration::from_secs(2), ..Limits::default() };
    let served = start(ServeOptions { limits, ..ServeOptions::default() }).await;
    let (token, params) = (served.token(), |token: &str| json!({"_meta": {TOKEN_KEY: token}}));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "um/ping", "params": params(&token)});
    let mut speaker = served.raw().await;
    assert_eq!(speaker.ask(ping.clone()).await["result"]["pid"], std::process::id());
    let mut slow = Vec::new();
    for said in [&b""[..], b"\n\n\n", br#"{"jsonrpc": "2.0""#] {
        let mut raw = served.raw().await;
        raw.0.get_mut().write_all(said).await.unwrap();
        slow.push(raw);
    }
    for mut raw in slow {
        let answer = raw.line().await.expect("a refusal");
        assert!(code(&answer) == "invalid_request" && answer.to_string().contains("2s"), "{answer}");
        assert_eq!(raw.line().await, None, "and closed");
    }
    // Who spoke in time may be silent for as long as it likes.
    assert_eq!(speaker.ask(ping).await["result"]["pid"], std::process::id());
    drop(speaker);
    served.end().await;
}

#[tokio::test]
async fn half_lines_keep_nobody_else_waiting() {
    let served = start(ServeOptions::default()).await;
    let mut halves = Vec::new();
    for _ in 0..Limits::default().connections_of_one - 1 {
        let mut raw = served.raw().await;
        raw.0.get_mut().write_all(br#"{"jsonrpc": "2.0", "id": 1, "method": "um/pi"#).await.unwrap();
        halves.push(raw);
    }
    answers(&served).await;
    // One comes to its end after all; the others go in the middle of their line.
    let token = served.token();
    let rest = format!("ng\", \"params\": {{\"_meta\": {{\"{TOKEN_KEY}\": \"{token}\"}}}}}}\n");
    let mut last = halves.pop().unwrap();
    last.0.get_mut().write_all(rest.as_bytes()).await.unwrap();
    assert_eq!(last.line().await.unwrap()["result"]["pid"], std::process::id());
    drop((halves, last));
    answers_again(&served).await;
    served.end().await;
}

#[tokio::test]
async fn what_is_no_request_is_answered_as_such() {
    let served = start(ServeOptions::default()).await;
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(400_000));
    let wide = format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"{}\"}}", "m".repeat(900_000));
    for (line, what) in [
        (deep.as_bytes(), "brackets in brackets"),
        (wide.as_bytes(), "a long name"),
        (&[0xff, 0xfe, 0x00, 0x01][..], "no text"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "another protocol's greeting"),
        (b"GET / HTTP/1.1", "a browser's request"),
        (br#"{"jsonrpc": "2.0", "id": 1e999, "method": "um/ping"}"#, "a number out of all measure"),
        (br#"{"jsonrpc": "2.0", "id": {"a": []}, "method": 7, "params": "x"}"#, "wrong types"),
    ] {
        let mut raw = served.raw().await;
        raw.0.get_mut().write_all(&[line, b"\n"].concat()).await.unwrap();
        let answer = raw.line().await.unwrap_or_else(|| panic!("{what} is not answered"));
        assert!(answer["error"].is_object(), "{what}: {answer}");
        answers(&served).await;
    }
    assert!(served.seen.calls.lock().unwrap().is_empty(), "the engine was never asked");
    served.end().await;
}

#[tokio::test]
async fn tokens_that_are_not_the_folders_open_nothing() {
    let served = start(ServeOptions::default()).await;
    let token = served.token();
    let elsewhere = start(ServeOptions::default()).await;
    let others = elsewhere.token();
    let long = "f".repeat(500_000);
    for wrong in [
        json!(null),
        json!(7),
        json!([token]),
        json!({"token": token}),
        json!(""),
        json!(&token[..token.len() - 1]),
        json!(format!("{token}0")),
        json!(format!("{token}\n")),
        json!(format!("{token}\0")),
        json!(token.to_uppercase()),
        json!(others),
        json!(long),
    ] {
        if wrong == json!(token) {
            continue;
        }
        let mut raw = served.raw().await;
        for method in ["um/ping", "um/spaces_list", "um/stop"] {
            let params = json!({"_meta": {TOKEN_KEY: wrong}});
            let answer = raw.ask(json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await;
            let shown = wrong.to_string();
            assert_eq!(code(&answer), "forbidden", "{method} {}", &shown[..shown.len().min(80)]);
        }
    }
    // What was right once is wrong once the folder has another token: a request that was listened to is of no use then.
    let mut raw = served.raw().await;
    let listened = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "spaces_list", "arguments": {}, "_meta": meta_2026(Some(&token))}});
    assert_ne!(raw.ask(listened.clone()).await["result"]["isError"], true);
    std::fs::write(paths::token_path(served.data()), &others).unwrap();
    let replayed = raw.ask(listened).await;
    assert_eq!(replayed["result"]["isError"], true, "{replayed}");
    drop(raw);
    served.end().await;
    elsewhere.end().await;
}

#[tokio::test]
async fn ten_thousand_connections_one_after_the_other_leave_nothing_behind() {
    let served = start(ServeOptions::default()).await;
    answers(&served).await;
    let (before, open) = (resident(), handles());
    for number in 0..10_000_u32 {
        let mut raw = served.raw().await;
        match number % 4 {
            0 => {}
            1 => drop(raw.0.get_mut().write_all(b"{\"half\": ").await),
            2 => drop(raw.0.get_mut().write_all(b"no json\n").await),
            // Until its answer has come, so that those before it are gone as well.
            _ => {
                let params = json!({"_meta": {}});
                raw.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "um/ping", "params": params})).await;
                let answer = raw.line().await.expect("an answer");
                assert!(["forbidden", "rate_limited"].contains(&code(&answer)), "{answer}");
            }
        }
    }
    answers_again(&served).await;
    let begun = Instant::now();
    while handles() > open + OTHERS {
        assert!(begun.elapsed() < Duration::from_secs(20), "{} handles are open, {open} were", handles());
        tokio::task::yield_now().await;
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < MOST_MEMORY, "{grown} bytes more are in use");
    served.end().await;
}

#[tokio::test]
async fn of_hundreds_at_once_so_many_are_let_in_and_the_others_told() {
    for (connections, connections_of_one) in [(64, 64), (64, 24), (24, 64)] {
        let limits = Limits { connections, connections_of_one, ..Limits::default() };
        of_hundreds_so_many_are_let_in(limits).await;
    }
}

async fn of_hundreds_so_many_are_let_in(limits: Limits) {
    let served = start(ServeOptions { limits, ..ServeOptions::default() }).await;
    let most = limits.connections.min(limits.connections_of_one);
    let mut all = Vec::new();
    for _ in 0..300 {
        all.push(served.raw().await);
    }
    for refused in &mut all[most..] {
        let told = refused.line().await.expect("a refusal");
        assert_eq!(code(&told), "rate_limited", "{told}");
        assert_eq!(refused.line().await, None, "and no more");
    }
    // Those who were let in are answered meanwhile.
    let (token, params) = (served.token(), |token: &str| json!({"_meta": {TOKEN_KEY: token}}));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "um/ping", "params": params(&token)});
    for one in &mut all[..most] {
        assert_eq!(one.ask(ping.clone()).await["result"]["pid"], std::process::id());
    }
    drop(all);
    answers_again(&served).await;
    served.end().await;
}

/// A client that asks and never reads holds back itself alone.
#[tokio::test]
async fn who_does_not_read_has_few_answers_waiting() {
    let served = start(ServeOptions::default()).await;
    let before = resident();
    let (mut deaf, token) = (served.raw().await, served.token());
    let params = json!({"_meta": {TOKEN_KEY: token}});
    let line = format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "method": "um/view_read", "params": params}));
    let asking = async {
        for _ in 0..20_000 {
            deaf.0.get_mut().write_all(line.as_bytes()).await.unwrap();
        }
    };
    let _stuck = tokio::time::timeout(Duration::from_secs(2), asking).await;
    answers(&served).await;
    let grown = resident().saturating_sub(before);
    assert!(grown < MOST_MEMORY, "{grown} bytes more are in use");
    drop(deaf);
    served.end().await;
}

/// Says that the folder of sockets is this test's own.
const OWN_FOLDER: &str = "UM_TEST_OWN_FOLDER";

/// Another user of the machine, where this one may become another: whatever the modes of files are, it is turned away.
#[tokio::test]
async fn another_user_is_turned_away() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|of| std::os::unix::fs::MetadataExt::uid(&of) == 0);
    let python = std::process::Command::new("python3").arg("-c").arg("").status().is_ok_and(|status| status.success());
    if !is_root || !python {
        println!("skipped: only root with python3 can become another user");
        return;
    }
    let open = |path: &std::path::Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    };
    // The folder of sockets is opened to everybody here: it must be none that other programs use meanwhile.
    if std::env::var_os(OWN_FOLDER).is_none() {
        let runtime = tempfile::tempdir().unwrap();
        open(runtime.path());
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "hostile::another_user_is_turned_away"]);
        let told = again.env(OWN_FOLDER, "1").env("XDG_RUNTIME_DIR", runtime.path()).output().unwrap();
        let words = String::from_utf8_lossy(&told.stdout);
        assert!(told.status.success() && words.contains("1 passed"), "{told:?}");
        return;
    }
    let served = start(ServeOptions::default()).await;
    let socket = paths::socket_path(served.data());
    open(socket.parent().unwrap());
    open(&socket);
    let script = "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.settimeout(20)\n\
                  try:\n s.connect(sys.argv[1])\n s.sendall(b'{\"id\":1}\\n')\n print(len(s.recv(100)))\n\
                  except OSError: print(0)";
    let path = socket.clone();
    let other = tokio::task::spawn_blocking(move || {
        std::process::Command::new("python3").arg("-c").arg(script).arg(path).uid(65_534).gid(65_534).output().unwrap()
    });
    let told = other.await.unwrap();
    assert_eq!(String::from_utf8_lossy(&told.stdout).trim(), "0", "{told:?}");
    std::fs::set_permissions(socket.parent().unwrap(), std::fs::Permissions::from_mode(0o700)).unwrap();
    answers_again(&served).await;
    served.end().await;
}
