//! A language model's host on the loopback: it gives the answers that a test lays ready, and keeps what it was asked.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

/// What the host does with a request.
#[derive(Clone)]
pub enum Answer {
    /// Answers with a status, further headers and a body.
    Says(u16, &'static str, String),
    /// Sends so many bytes of an answer, and says that there are more.
    Breaks(String),
    /// Takes the request and never answers.
    Hangs,
    /// Hangs up.
    Closes,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    /// In lower case, `name: value`; values as they came.
    pub headers: Vec<String>,
    pub body: Value,
}

impl Asked {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// The host; it serves until the test ends.
pub struct Host {
    port: u16,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// Rings with each request.
    pub rung: Receiver<()>,
}

impl Host {
    /// Gives these answers, in their order; then it hangs up.
    pub fn with(answers: impl IntoIterator<Item = Answer>) -> Host {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let answers = Arc::new(Mutex::new(answers.into_iter().collect::<VecDeque<_>>()));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (ring, rung) = channel();
        let (ready, seen) = (answers.clone(), asked.clone());
        thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().flatten() {
                held.extend(serve(stream, &ready, &seen, &ring));
            }
        });
        Host { port, answers, asked, rung }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Whether every answer was given.
    pub fn is_done(&self) -> bool {
        self.answers.lock().unwrap().is_empty()
    }
}

/// Serves one request; a stream that is to hang is given back, so that it stays open.
fn serve(
    mut stream: TcpStream,
    answers: &Mutex<VecDeque<Answer>>,
    asked: &Mutex<Vec<Asked>>,
    ring: &Sender<()>,
) -> Option<TcpStream> {
    let request = request(&stream)?;
    asked.lock().unwrap().push(request);
    let answer = answers.lock().unwrap().pop_front().unwrap_or(Answer::Closes);
    // The test may have ended.
    let _ = ring.send(());
    let head = |status: u16, more: &str, length: usize| {
        format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n{more}Connection: close\r\n\r\n")
    };
    let _ = match answer {
        Answer::Says(status, more, body) => stream.write_all((head(status, more, body.len()) + &body).as_bytes()),
        Answer::Breaks(body) => stream.write_all((head(200, "", body.len() + 10) + &body).as_bytes()),
        Answer::Hangs => return Some(stream),
        Answer::Closes => Ok(()),
    };
    None
}

fn request(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push(format!("{}: {value}", name.to_lowercase()));
    }
    let length = headers.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { path, headers, body: serde_json::from_slice(&body).ok()? })
}
