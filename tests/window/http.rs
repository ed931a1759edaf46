//! Just enough HTTP to talk to a WebDriver on this machine: one request a connection, JSON both ways.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// The longest that a driver may take for one command: longer than any script may wait.
const LIMIT: Duration = Duration::from_secs(180);

/// Sends a request and gives the status and the body.
///
/// The connection is not asked to close: tauri-driver hands that wish on to the native driver, and then at times
/// sends the next command into the connection that is closing.
///
/// # Errors
/// The system's, or a sentence where the answer is no HTTP.
pub fn send(port: u16, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<(u16, Value)> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(LIMIT))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes())?;
    let mut answer = Vec::new();
    let mut part = vec![0; 1 << 16];
    loop {
        let read = stream.read(&mut part)?;
        answer.extend_from_slice(&part[..read]);
        if let Some(whole) = parse(&answer) {
            return Ok(whole);
        }
        if read == 0 {
            let shown = String::from_utf8_lossy(&answer);
            return Err(std::io::Error::other(format!("the driver's answer breaks off: {shown:.300?}")));
        }
    }
}

/// Status and body, once all of the answer is there.
fn parse(answer: &[u8]) -> Option<(u16, Value)> {
    let split = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..split]).ok()?.to_ascii_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let field = |name: &str| head.lines().filter_map(|line| line.split_once(':')).find(|(n, _)| *n == name);
    let rest = &answer[split + 4..];
    let body = match field("content-length") {
        Some((_, length)) => rest.get(..length.trim().parse().ok()?)?.to_vec(),
        None => joined(rest)?,
    };
    Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

/// The body of chunks, each with its length in hexadecimal before it.
fn joined(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let line = body.windows(2).position(|two| two == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&body[..line]).ok()?.trim(), 16).ok()?;
        body = &body[line + 2..];
        if length == 0 {
            return Some(whole);
        }
        whole.extend_from_slice(body.get(..length)?);
        body = body.get(length + 2..)?;
    }
}

#[test]
fn answers_come_whole_or_in_chunks() {
    let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}";
    let chunks = b"HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n";
    assert_eq!(parse(whole), Some((200, serde_json::json!({ "a": 1 }))));
    assert_eq!(parse(chunks), Some((404, serde_json::json!({ "a": 1 }))));
    assert_eq!(parse(&whole[..whole.len() - 1]), None);
    assert_eq!(parse(&chunks[..chunks.len() - 5]), None);
}
