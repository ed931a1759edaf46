//! Searching for what was forgotten: in every column and index of the database, and in every byte of the data folder. The
//! strings that are looked for live in memory alone, and as long as the search takes.

use crate::error::{Fault, Outcome, from_io, invalid};
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;
use um_model::forget::ForgetProof;
use um_store::Connection;
use um_store::forget::{self, Rows};

/// At most so many strings are looked for.
const MOST: usize = 4_000;
/// So many of one text, evenly spread.
const OF_A_TEXT: usize = 8;
/// A string has at most so many bytes, and at least so many: shorter ones stand somewhere by chance.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=40;
/// Folders of the data folder that hold nothing of the person's.
const NOT_SEARCHED: &[&str] = &["models"];
/// So many bytes are searched at once.
const CHUNK: usize = 1 << 20;

/// Strings of what was forgotten.
#[derive(Default)]
pub(super) struct Probes {
    strings: Vec<String>,
    said_elsewhere: u64,
}

impl Probes {
    /// Takes strings out of all that some rows say.
    pub(super) fn of(c: &Connection, rows: &Rows) -> Result<Self, Fault> {
        let mut strings = BTreeSet::new();
        forget::texts_of(c, rows, |_, text| {
            if strings.len() < MOST {
                strings.extend(parts(text));
            }
        })?;
        Ok(Self { strings: strings.into_iter().take(MOST).collect(), said_elsewhere: 0 })
    }

    /// Looks for these words, as far as they are long enough to stand nowhere by chance.
    pub(super) fn of_values(values: &[String]) -> Self {
        let long = values.iter().filter(|value| value.len() >= *LENGTH.start());
        Self { strings: long.take(MOST).cloned().collect(), said_elsewhere: 0 }
    }

    /// Leaves out what other texts say, which were not to be forgotten.
    pub(super) fn only_forgotten(self, c: &Connection) -> Result<Self, Fault> {
        if self.strings.is_empty() {
            return Ok(self);
        }
        let patterns = automaton(self.strings.iter().map(|string| string.as_bytes().to_vec()))?;
        let mut elsewhere = vec![false; self.strings.len()];
        let mut mark = |text: &str| {
            for found in patterns.find_overlapping_iter(text) {
                elsewhere[found.pattern().as_usize()] = true;
            }
        };
        forget::texts(c, |_, text| mark(text))?;
        forget::kept_words(c, |text| mark(text))?;
        let said_elsewhere = elsewhere.iter().filter(|said| **said).count() as u64;
        let strings = self.strings.into_iter().zip(elsewhere).filter(|(_, said)| !said).map(|(string, _)| string);
        Ok(Self { strings: strings.collect(), said_elsewhere })
    }

    /// Searches every file of a folder for the strings, as UTF-8 and as UTF-16.
    pub(super) fn search(&self, folder: &Path) -> Outcome<ForgetProof> {
        let mut proof = ForgetProof {
            searched: self.strings.len() as u64 + self.said_elsewhere,
            said_elsewhere: self.said_elsewhere,
            ..ForgetProof::default()
        };
        let wide = |string: &String| string.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let patterns = self.strings.iter().flat_map(|string| [string.as_bytes().to_vec(), wide(string)]);
        let patterns = automaton(patterns)?;
        let walk = ignore::WalkBuilder::new(folder)
            .standard_filters(false)
            .filter_entry(|entry| entry.depth() != 1 || !NOT_SEARCHED.iter().any(|name| entry.file_name() == *name))
            .build();
        for entry in walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_some_and(|t| t.is_file())) {
            search_file(entry.path(), &patterns, &mut proof)?;
        }
        Ok(proof)
    }
}

fn automaton(patterns: impl Iterator<Item = Vec<u8>>) -> Outcome<AhoCorasick> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(patterns)
        .map_err(|e| invalid(format!("The strings cannot be looked for: {e}.")))
}

fn search_file(path: &Path, patterns: &AhoCorasick, proof: &mut ForgetProof) -> Outcome<()> {
    let file = match File::open(path) {
        Ok(file) => file,
        // A file of another moment: a socket's, or one that a job had for a while.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(from_io("Searching", path, &error)),
    };
    let mut counted = Counted { inner: BufReader::with_capacity(CHUNK, file), bytes: 0 };
    proof.files += 1;
    for found in patterns.stream_find_iter(&mut counted) {
        found.map_err(|e| from_io("Searching", path, &e))?;
        proof.left += 1;
    }
    proof.bytes += counted.bytes;
    Ok(())
}

/// Counts what is read.
struct Counted<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Some parts of a text: its whole where it is short, else stretches that begin with a word, evenly spread. What is said
/// on several lines is cut at their ends, as no two places set them alike.
fn parts(text: &str) -> Vec<String> {
    let mut starts: Vec<usize> = Vec::new();
    let mut parts = Vec::new();
    for line in text.split(['\n', '\r', '\t', '"']).map(str::trim).filter(|line| line.len() >= *LENGTH.start()) {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        starts.push(at);
        let words = line.match_indices(' ').map(|(space, _)| at + space + 1);
        starts.extend(words.filter(|start| at + line.len() - start >= *LENGTH.end()));
    }
    let step = starts.len().div_ceil(OF_A_TEXT).max(1);
    for start in starts.into_iter().step_by(step) {
        let rest = text[start..].split(['\n', '\r', '\t', '"']).next().unwrap_or_default();
        let mut end = rest.len().min(*LENGTH.end());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let part = rest[..end].trim();
        if part.len() >= *LENGTH.start() && !has_id(part) {
            parts.push(part.to_owned());
        }
    }
    parts
}

/// Ids stay: rows keep theirs.
fn has_id(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_hexdigit() && c != '-').any(|word| word.matches('-').count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn parts_are_long_enough_and_few() {
        assert_eq!(parts("short"), Vec::<String>::new());
        assert_eq!(parts("just long enough"), ["just long enough"]);
        assert_eq!(parts(r#"{"claim":"0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b","was":"something"}"#), ["something"]);
        assert_eq!(parts("first line here\nsecond line here"), ["first line here", "second line here"]);
        let long = "words and more words é ".repeat(500);
        let found = parts(&long);
        assert!(found.len() <= 8 && found.iter().all(|part| long.contains(part) && part.len() <= 40), "{found:?}");
    }
}
