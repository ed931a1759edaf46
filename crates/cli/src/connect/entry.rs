//! What a client's settings say with our entry in them, or without it. Pure: text in, text out.

use super::{json, toml};

/// What our entry is called in every client.
pub(crate) const NAME: &str = "ultimate-memory";

/// How a client writes down the servers that it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON, perhaps with comments: an object of servers under `key`, each with its `type` where `typed`.
    Json {
        /// What the object is called.
        key: &'static str,
        /// Whether an entry says that it speaks on standard input and output.
        typed: bool,
    },
    /// Codex's TOML: a table `[mcp_servers.NAME]` for each.
    Toml,
}

/// What the client is to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The program.
    pub command: String,
    /// What it is called with.
    pub args: Vec<String>,
}

/// Why a text was left as it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is not of its format.
    Broken {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// Something else stands where servers, or ours, would.
    Misplaced {
        /// Its name; empty for the whole text.
        name: String,
    },
}

/// The text with our entry, in place of the one that was there, or without ours where there is none to write. All else stays
/// as it stood. An empty text is that of a new file.
pub(crate) fn edited(text: &str, format: Format, entry: Option<&Entry>) -> Result<String, Problem> {
    let (mark, text) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    };
    let edited = match (format, entry) {
        (Format::Json { key, typed }, Some(entry)) => json::with(text, key, typed, entry),
        (Format::Json { key, .. }, None) => json::without(text, key),
        (Format::Toml, Some(entry)) => toml::with(text, entry),
        (Format::Toml, None) => toml::without(text),
    };
    Ok(format!("{mark}{}", edited?))
}
