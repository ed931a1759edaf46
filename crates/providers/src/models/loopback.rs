//! A web server of one thread on the loopback, for tests of fetching.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What the server does with a path.
#[derive(Clone)]
pub enum Served {
    /// Sends all of it, whatever range is asked for.
    Whole(&'static [u8]),
    /// Sends so many bytes from where it is asked to begin, and hangs up.
    Pieces(&'static [u8], usize),
    /// Sends so many bytes of the beginning, and refuses to go on.
    Once(&'static [u8], usize),
    /// Has no such file.
    NotFound,
}

type Asked = Vec<(String, Option<String>)>;

/// The server; it serves until the test ends.
pub struct Server {
    port: u16,
    asked: Arc<Mutex<Asked>>,
}

impl Server {
    /// Serves what `serve` says for a path.
    pub fn start(serve: impl Fn(&str) -> Served + Send + 'static) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Asked::new()));
        let seen = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some((path, range)) = request(&stream) else {
                    continue;
                };
                seen.lock().unwrap().push((path.clone(), range.clone()));
                // The other side may have hung up already.
                let _ = respond(stream, &serve(&path), range.as_deref());
            }
        });
        Server { port, asked }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The paths and ranges that were asked for, in order.
    pub fn asked(&self) -> Asked {
        self.asked.lock().unwrap().clone()
    }
}

fn request(stream: &TcpStream) -> Option<(String, Option<String>)> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_string();
    let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let range = headers.iter().find_map(|line| line.to_lowercase().strip_prefix("range: ").map(str::to_string));
    Some((path, range))
}

fn respond(mut stream: TcpStream, served: &Served, range: Option<&str>) -> std::io::Result<()> {
    let start = range.and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok());
    let close = "Connection: close\r\n\r\n";
    match *served {
        Served::NotFound => write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n{close}"),
        Served::Once(..) if start.is_some() => {
            write!(stream, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n{close}")
        }
        Served::Whole(content) => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{close}", content.len())?;
            stream.write_all(content)
        }
        Served::Pieces(content, most) | Served::Once(content, most) => {
            let (start, end) = (start.unwrap_or(0), content.len());
            let status = if start > 0 { "206 Partial Content" } else { "200 OK" };
            let range = format!("Content-Range: bytes {start}-{}/{end}\r\n", end - 1);
            write!(stream, "HTTP/1.1 {status}\r\n{range}Content-Length: {}\r\n{close}", end - start)?;
            stream.write_all(&content[start..end.min(start + most)])
        }
    }
}
