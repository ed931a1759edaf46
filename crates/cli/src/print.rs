//! What the program says, as words or as JSON.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// How to say it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub json: bool,
}

impl Output {
    /// Prints an answer: as one line of JSON, or in the words given.
    pub(crate) fn answer<T: Serialize>(self, answer: &T, words: impl FnOnce(&T) -> String) -> ExitCode {
        let text = if self.json { json(answer) } else { plain(&words(answer)) };
        write_out(text.trim_end());
        ExitCode::SUCCESS
    }

    /// Prints a failure: as JSON on standard output, or in words on standard error.
    pub(crate) fn failure(self, failure: &Failure) {
        if self.json {
            write_out(&json(&serde_json::json!({"error": failure.error})));
        } else {
            say(&format!("umem: {}", failure.error));
        }
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()))
}

/// Writes a line to standard output. A reader that has gone (`umem … | head`) is no failure.
fn write_out(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(std::io::stdout().lock(), "{text}");
    }
}

/// Writes a line to standard output, as it is.
pub(crate) fn line(text: &str) {
    write_out(text);
}

/// Writes a line to standard error.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", plain(text));
}

/// A line that changes in place, on a terminal; elsewhere nothing is written.
#[derive(Debug, Default)]
pub(crate) struct Live {
    shown: bool,
}

impl Live {
    /// Puts a line in the place of the last one.
    pub(crate) fn show(&mut self, text: &str) {
        let mut terminal = std::io::stderr().lock();
        if terminal.is_terminal() {
            let _ = write!(terminal, "\r\x1b[K{}", one_line(text)).and_then(|()| terminal.flush());
            self.shown = true;
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}

/// What fits on one line of a terminal.
fn one_line(text: &str) -> String {
    const WIDTH: usize = 79;
    let text = plain(text).replace('\n', " ");
    match text.char_indices().nth(WIDTH) {
        Some(_) => text.chars().take(WIDTH - 1).chain(['…']).collect(),
        None => text,
    }
}

/// Without the characters by which text from a file could steer a terminal, or show itself in another order than it has.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| *c == '\n' || !c.is_control() && !turns_order(*c)).collect()
}

/// Whether a character only says in which direction others are shown (Unicode Standard Annex 9): with one a name can
/// look as if it ended otherwise.
fn turns_order(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A cell of a table or a name in a line of its own words, on one line: a name may have line breaks.
pub(crate) fn cell(text: &str) -> String {
    plain(&text.replace(['\n', '\r', '\u{2028}', '\u{2029}'], " "))
}

/// A word as it is typed after a verb: in single quotes where a shell would take it apart.
fn argument(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Flags with their values, as they are typed: those that have one.
pub(crate) fn flags<const N: usize>(flags: [(&str, Option<String>); N]) -> String {
    flags.into_iter().filter_map(|(name, value)| Some(format!(" --{name} {}", argument(&value?)))).collect()
}

/// A list, each of whose things is on one line, as [`cell`] shows it: a name or text in it may have line breaks.
pub(crate) fn list<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> String {
    lines.into_iter().map(|line| cell(line.as_ref())).collect::<Vec<_>>().join("\n")
}

/// A table with aligned columns.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A size as people write it.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_cannot_steer_the_terminal() {
        for (text, shown) in [
            ("a\x1b[31mred\x07\nb\u{9b}2J", "a[31mred\nb2J"),
            ("\u{202e}fdp.exe", "fdp.exe"),
            ("\u{2067}a\u{2069}\u{200f}b\u{61c}", "ab"),
            ("مرحبا", "مرحبا"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn words_are_typed_as_the_shell_takes_them() {
        for (word, typed) in [
            ("Trips/Diary", "Trips/Diary"),
            ("My Diary", "'My Diary'"),
            ("a'b", r"'a'\''b'"),
            ("", "''"),
            ("$x", "'$x'"),
        ] {
            assert_eq!(argument(word), typed);
        }
    }

    #[test]
    fn a_live_line_is_one_line() {
        assert_eq!(one_line("a\nb\x1b[2J"), "a b[2J");
        let cut = one_line(&"é".repeat(100));
        assert_eq!((cut.chars().count(), cut.ends_with('…')), (79, true));
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "bb"], ["ccc", "d"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "a    bb\nccc  d");
        let broken = [["a\nb", "c"], ["\u{202e}d", "e"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&broken), "a b  c\nd    e");
    }

    #[test]
    fn each_thing_of_a_list_is_on_one_line() {
        assert_eq!(list(["a\n2. b\r\nc", "d\u{2028}e\x1b[2J"]), "a 2. b  c\nd e[2J");
        assert_eq!(list(Vec::<String>::new()), "");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!([999, 1_500, 2_000_000, 3_100_000_000].map(bytes), ["999 B", "1.5 KB", "2.0 MB", "3.1 GB"]);
    }
}
