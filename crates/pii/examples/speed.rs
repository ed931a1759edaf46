//! How fast texts are read: `cargo run --release -p um-pii --example speed -- FILE…`. Prints megabytes a second on one
//! core for each file, repeated to 8 MB, and for a text of half the length, which must take half the time.

use std::time::Instant;
use um_pii::{Rules, find};

const LENGTH: usize = 8_000_000;

fn main() {
    let rules = Rules::default();
    find("warm up: tables are made ready at first use", &rules);
    for file in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) if !text.is_empty() => text,
            Ok(_) => continue,
            Err(error) => {
                eprintln!("{file}: {error}");
                continue;
            }
        };
        let long = text.repeat(LENGTH.div_ceil(text.len()));
        let half = text.repeat(LENGTH.div_ceil(text.len()).div_ceil(2));
        let (all, found) = time(&long, &rules);
        let (part, _) = time(&half, &rules);
        let speed = long.len() as f64 / 1e6 / all;
        println!("{file}: {speed:.1} MB/s, {found} findings; half the text in {:.2} of the time", part / all);
    }
}

/// Seconds, and how many findings.
fn time(text: &str, rules: &Rules) -> (f64, usize) {
    let start = Instant::now();
    let found = find(text, rules).len();
    (start.elapsed().as_secs_f64(), found)
}
