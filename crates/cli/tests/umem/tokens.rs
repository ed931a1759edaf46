//! Agents' tokens at the service's own socket: what was recorded of a connection and is said again.

use crate::support::{Folder, code};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use um_server::{TOKEN_KEY, paths};

/// A connection that says the same lines again.
struct Raw(BufReader<UnixStream>);

impl Raw {
    fn to(folder: &Folder) -> Self {
        Self(BufReader::new(UnixStream::connect(paths::socket_path(&folder.data())).unwrap()))
    }

    /// What a request is answered: its code where it is refused.
    fn told(&mut self, line: &str) -> Result<(), String> {
        self.0.get_mut().write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        self.0.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["result"].is_object(), "{answer}");
        match answer["result"]["_meta"]["org.ultimatememory/error"]["code"].as_str() {
            Some(code) => Err(code.to_owned()),
            None => Ok(()),
        }
    }
}

/// A request of the revision of 2026, which brings the token along.
fn recall(name: &str, token: &str) -> String {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1"}
    });
    meta[TOKEN_KEY] = token.into();
    let params = json!({"name": "memory_recall", "arguments": {"query": "ferry"}, "_meta": meta});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
}

#[test]
fn a_token_that_was_taken_back_opens_nothing_however_often_it_is_replayed() {
    let folder = Folder::new();
    folder.run(&["remember", "The ferry leaves at noon.", "--space", "default"]);
    let (_, paired) = folder.json(&["agents", "pair", "bot", "--space", "default"]);
    let recorded = recall("bot", paired["token"].as_str().unwrap());
    let mut open = Raw::to(&folder);
    assert_eq!(open.told(&recorded), Ok(()));
    // Another program that heard it says it under its own name: the token's agent answers for it, as the ledger shows.
    assert_eq!(Raw::to(&folder).told(&recorded), Ok(()));
    assert_eq!(code(&folder.run(&["agents", "revoke", "bot"])), 0);
    for _ in 0..2 {
        assert_eq!(open.told(&recorded), Err("access_ended".to_owned()), "on a connection that was open");
        assert_eq!(Raw::to(&folder).told(&recorded), Err("access_ended".to_owned()), "on another one");
    }
    let (_, listed) = folder.json(&["agents", "list"]);
    assert_eq!(listed["waiting"], json!([]), "nobody is asked about a token that has ended");
    // Paired again, it is another token that opens: the old one stays shut.
    folder.json(&["agents", "pair", "bot", "--space", "default"]);
    assert_eq!(Raw::to(&folder).told(&recorded), Err("access_ended".to_owned()));
}

#[test]
fn a_flood_of_names_at_the_socket_is_told_so_and_displaces_nobody() {
    let folder = Folder::new();
    folder.run(&["remember", "The ferry leaves at noon.", "--space", "default"]);
    let mut raw = Raw::to(&folder);
    let told: Vec<_> =
        (1..=30).map(|number| raw.told(&recall(&format!("flood {number}"), &format!("{number:064x}")))).collect();
    assert_eq!(told.first(), Some(&Err("not_paired".to_owned())));
    assert!(told.ends_with(&vec![Err("rate_limited".to_owned()); 20]), "{told:?}");
    let (_, listed) = folder.json(&["agents", "list"]);
    assert!(listed["waiting"].as_array().unwrap().len() < 10, "{listed}");
}
