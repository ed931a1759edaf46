//! Questions that repeat what goes: they name it by no id, and say it all the same.

use super::Rows;
use super::words::{folded, says, text_at, texts_of};
use crate::StoreResult;
use crate::strings::Strings;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// Whole texts: kind and column.
const WHOLE: &[(&str, &str)] =
    &[("memories", "content"), ("evidence_events", "content"), ("derived_text_views", "text")];
/// What is kept of questions, where it says anything, and the columns in which somebody's words stand, the question first.
const QUESTIONS: &[(&str, &str, &[&str])] = &[
    ("saved_searches", "1", &["query", "name", "filters"]),
    ("answer_traces", "is_redacted = 0", &["query", "answer", "correction_text", "recall_trace ->> '$.asked'"]),
    ("compiled_contexts", "is_redacted = 0", &["query"]),
];
/// Longer texts stand in no question; in bytes.
const LONGEST: usize = 40_000;
/// A text of fewer words, counted at blanks, is said in many questions that mean something else: only one that says nothing besides
/// repeats it.
const FEWEST: usize = 3;

/// The saved searches, and what is kept of questions, that say the whole text of a memory, event or file among those rows,
/// whatever its case.
///
/// # Errors
/// SQLite's.
pub fn repeating(connection: &Connection, rows: &Rows) -> StoreResult<Rows> {
    let texts = Texts::of(connection, rows)?;
    let mut found = Rows::default();
    if texts.all.is_empty() {
        return Ok(found);
    }
    for (table, only, columns) in QUESTIONS {
        let mut statement =
            connection.prepare_cached(&format!("SELECT id, {} FROM {table} WHERE {only}", columns.join(", ")))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for at in 1..=columns.len() {
                if text_at(row, at)?.is_some_and(|text| texts.are_said_by(text, at == 1)) {
                    found.add(table, row.get::<_, String>(0)?);
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// Whole texts, as they are looked for.
struct Texts {
    all: BTreeSet<String>,
    /// Those of several words.
    long: Vec<String>,
    forms: Strings,
}

impl Texts {
    fn of(connection: &Connection, rows: &Rows) -> StoreResult<Self> {
        let mut with_text = Rows::default();
        for (kind, _) in WHOLE {
            for id in rows.of(kind) {
                with_text.add(kind, id);
            }
        }
        let mut all = BTreeSet::new();
        texts_of(connection, &with_text, |spot, text| {
            if WHOLE.contains(&(spot.kind, spot.column)) && text.len() <= LONGEST {
                all.extend(Some(bare(&folded(text)).to_owned()).filter(|text| !text.is_empty()));
            }
        })?;
        Ok(Self::new(all))
    }

    fn new(all: BTreeSet<String>) -> Self {
        let long: Vec<String> = all.iter().filter(|text| text.split(' ').count() >= FEWEST).cloned().collect();
        let forms = Strings::new(long.iter().map(|text| text.clone().into_bytes()).collect());
        Self { all, long, forms }
    }

    fn are_said_by(&self, text: &str, is_question: bool) -> bool {
        let text = folded(text);
        let mut said = is_question && self.all.contains(bare(&text));
        self.forms.find(text.as_bytes(), |number, _| said = said || says(&text, &self.long[number]));
        said
    }
}

/// Without the signs around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_said_whole_or_not_at_all() {
        let texts = ["the zeppelin is in the barn", "tea"].map(str::to_owned);
        let texts = Texts::new(texts.into());
        for (question, expected) in [
            ("Is it so that the zeppelin  is in the BARN?", true),
            ("\"The zeppelin is in the barn.\" type:text", true),
            ("the zeppelin is in the barnyard", false),
            ("Where is the zeppelin?", false),
            ("Tea?", true),
            ("When is tea?", false),
            ("", false),
        ] {
            assert_eq!(texts.are_said_by(question, true), expected, "{question}");
        }
        assert!(!texts.are_said_by("Tea", false), "a name says what a question is about");
    }
}
