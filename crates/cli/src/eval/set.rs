//! A set of documents and questions: JSON Lines, each corpus apart.

use crate::by_line;
use crate::failure::Failure;
use serde::Deserialize;
use std::path::Path;
use um_model::EpochMs;

/// A text that is remembered.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Document {
    /// Which corpus it belongs to.
    pub corpus: String,
    /// Its id, unique in the corpus.
    pub id: String,
    /// The session in which it was said.
    #[serde(default)]
    pub session: Option<String>,
    /// Its words.
    pub text: String,
    /// When it was said.
    #[serde(default)]
    pub occurred_at: Option<EpochMs>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Query {
    /// The corpus that it is asked in.
    pub corpus: String,
    /// Its words.
    pub text: String,
    /// The documents that answer it; none where nothing does.
    #[serde(default)]
    pub gold: Vec<String>,
    /// Its kind.
    pub category: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Entry {
    Doc(Document),
    Query(Query),
}

/// Documents and questions in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub documents: Vec<Document>,
    pub queries: Vec<Query>,
}

impl Set {
    /// Reads a file.
    ///
    /// # Errors
    /// Wrong usage: it cannot be read, or has no question that could be scored.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let hint = "Each line is {\"type\":\"doc\",…} or {\"type\":\"query\",…}; see docs/cli.md.";
        let mut set = Self::default();
        for (_, entry) in by_line::parsed(file, hint)? {
            match entry {
                Entry::Doc(document) => set.documents.push(document),
                Entry::Query(query) => set.queries.push(query),
            }
        }
        let missing = match set.queries.iter().any(|query| !query.gold.is_empty()) {
            true => return Ok(set),
            false if set.queries.is_empty() => "question",
            false => "question that names a document that answers it",
        };
        Err(by_line::lacking(file, missing, hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Set, Failure> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Set::read(file.path())
    }

    #[test]
    fn documents_and_queries_keep_their_order() {
        let set = read(concat!(
            r#"{"type":"doc","corpus":"c","id":"1","session":"s","text":"a","occurred_at":5}"#,
            "\n\n",
            r#"{"type":"doc","corpus":"c","id":"2","session":null,"text":"b","occurred_at":null}"#,
            "\n",
            r#"{"type":"query","corpus":"c","text":"q","gold":["2"],"category":"k"}"#,
        ))
        .unwrap();
        assert_eq!(set.documents.iter().map(|d| d.id.as_str()).collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(set.documents[0].occurred_at, Some(5));
        assert_eq!(set.queries[0].gold, ["2"]);
    }

    #[test]
    fn what_cannot_be_scored_is_no_set() {
        let document = r#"{"type":"doc","corpus":"c","id":"1","text":"a"}"#;
        let query = r#"{"type":"query","corpus":"c","text":"q","category":"adversarial"}"#;
        let both = format!("{document}\n{query}");
        for (text, says) in [
            ("", "has no question."),
            (document, "has no question."),
            (both.as_str(), "has no question that names a document that answers it."),
        ] {
            let failure = read(text).unwrap_err();
            assert!(failure.error.message.ends_with(says), "{}", failure.error);
            assert_eq!(failure.exit, crate::failure::Exit::Usage);
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let failure = read("{\"type\":\"doc\"}").unwrap_err();
        assert!(failure.error.message.starts_with("Line 1: "), "{}", failure.error);
        assert_eq!(failure.exit, crate::failure::Exit::Usage);
    }
}
