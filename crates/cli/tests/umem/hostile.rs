//! `umem` where another program keeps the service busy.

use crate::support::{Folder, code, words};
use std::io::Write;
use std::os::unix::net::UnixStream;
use um_server::{Limits, paths};

#[test]
fn held_half_lines_keep_no_verb_from_its_answer() {
    let folder = Folder::new();
    assert_eq!(code(&folder.run(&["remember", "The ferry leaves at nine.", "--space", "default"])), 0);
    let socket = paths::socket_path(&folder.data());
    let half = |_| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        // Whoever is one too many may be closed already.
        let _ = stream.write_all(br#"{"jsonrpc": "2.0", "id": 1, "meth"#);
        stream
    };
    let held: Vec<UnixStream> = (0..4 * Limits::default().connections).map(half).collect();
    for _ in 0..3 {
        let output = folder.run(&["recall", "ferry", "--space", "default"]);
        assert!(code(&output) == 0 && words(&output).contains("at nine"), "{}", words(&output));
    }
    drop(held);
}
