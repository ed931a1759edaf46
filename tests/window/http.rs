//! Just enough HTTP to talk to a WebDriver on this machine: one request a connection, JSON both ways.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// The longest that a driver may take for one command: starting the app is the slowest.
const LIMIT: Duration = Duration::from_secs(120);

/// Sends a request and gives the status and the body.
///
/// # Errors
/// The system's, or a sentence where the answer is no HTTP.
pub fn send(port: u16, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<(u16, Value)> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(LIMIT))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    parse(&answer).ok_or_else(|| std::io::Error::other("the driver's answer is no HTTP"))
}

fn parse(answer: &[u8]) -> Option<(u16, Value)> {
    let split = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..split]).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let body = &answer[split + 4..];
    let chunked = head.lines().any(|line| line.to_ascii_lowercase().starts_with("transfer-encoding: chunked"));
    let body = if chunked { joined(body)? } else { body.to_vec() };
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
    assert_eq!(parse(b"nonsense"), None);
}
