//! Questions that repeat what goes: they name it by no id, and say it all the same.

use super::Rows;
use super::words::{Heard, alike, folded, says, text_at, texts_of};
use crate::StoreResult;
use crate::strings::Strings;
use rusqlite::{Connection, Row, named_params};
use serde_json::Value;
use std::collections::BTreeSet;
use um_model::{AgentId, SpaceId};

/// Whole texts: kind and column.
const WHOLE: &[(&str, &str)] =
    &[("memories", "content"), ("evidence_events", "content"), ("derived_text_views", "text")];

/// What is kept of questions.
struct Kept {
    /// Its kind.
    table: &'static str,
    /// Which rows say anything.
    only: &'static str,
    /// The columns in which somebody's words stand, the question first.
    columns: &'static [&'static str],
    /// JSON whose strings are such words, too; nothing where there is none.
    json: &'static str,
    /// Whether it was asked of `:space`, whatever space it is kept in.
    was_asked_of: &'static str,
}

const QUESTIONS: &[Kept] = &[
    Kept {
        table: "saved_searches",
        only: "1",
        columns: &["query", "name"],
        json: "filters",
        // One that names no space is asked of all.
        was_asked_of: "space_id IN ('GLOBAL', :space)",
    },
    Kept {
        table: "answer_traces",
        only: "is_redacted = 0",
        columns: &["query", "answer", "correction_text"],
        json: "recall_trace -> '$.asked'",
        was_asked_of: "space_id = :space OR EXISTS (
            SELECT 1 FROM json_each(recall_trace, '$.spaces') searched WHERE searched.value = :space)",
    },
    Kept {
        table: "compiled_contexts",
        only: "is_redacted = 0",
        columns: &["query"],
        json: "NULL",
        was_asked_of: "space_id = :space OR EXISTS (
            SELECT 1 FROM json_each(overlay_space_ids) searched WHERE searched.value = :space)",
    },
    // What feedback put into Review says the question again.
    Kept {
        table: "candidates",
        only: "is_redacted = 0 AND reason = 'held'
            AND EXISTS (SELECT 1 FROM json_each(safety_flags) f WHERE f.value IN ('correction', 'doubted'))",
        columns: &["title", "content"],
        json: "NULL",
        was_asked_of: "space_id = :space",
    },
];
/// Longer texts stand in no question; in bytes.
const LONGEST: usize = 40_000;
/// A text of fewer words, counted at blanks, is said in many questions that mean something else: only one that says nothing besides
/// repeats it.
const FEWEST: usize = 3;

/// The saved searches, and what is kept of questions in any space, that say the whole text of a memory, event or file among those
/// rows, whatever its case and spelling; with `words`, also those that say them and were asked of that space. `asker`: only those of one.
///
/// # Errors
/// SQLite's.
pub fn repeating(
    connection: &Connection,
    rows: &Rows,
    words: Option<(&str, &SpaceId)>,
    asker: Option<&AgentId>,
) -> StoreResult<Rows> {
    let sought = Sought { texts: Texts::of(connection, rows)?, words: words.map(|(words, _)| folded(words)) };
    let mut found = Rows::default();
    if sought.is_nothing() {
        return Ok(found);
    }
    let space = words.map(|(_, space)| space.as_str());
    for kept in QUESTIONS {
        let Kept { table, only, columns, json, was_asked_of } = kept;
        let mut statement = connection.prepare_cached(&format!(
            "SELECT id, :space IS NOT NULL AND ({was_asked_of}), {json}, {} FROM {table}
             WHERE ({only}) AND (:asker IS NULL OR actor_id = :asker)",
            columns.join(", ")
        ))?;
        let mut rows = statement.query(named_params! { ":space": space, ":asker": asker.map(AgentId::as_str) })?;
        while let Some(row) = rows.next()? {
            if sought.is_said_in(row, columns.len())? {
                found.add(table, row.get::<_, String>(0)?);
            }
        }
    }
    Ok(found)
}

/// What is looked for.
struct Sought {
    texts: Texts,
    words: Option<String>,
}

impl Sought {
    fn is_nothing(&self) -> bool {
        self.texts.all.is_empty() && self.words.is_none()
    }

    /// Whether a row of [`QUESTIONS`] says it: its JSON stands before its columns.
    fn is_said_in(&self, row: &Row<'_>, columns: usize) -> StoreResult<bool> {
        let words = self.words.as_deref().filter(|_| matches!(row.get(1), Ok(true)));
        let is_said = |text: &str, is_question: bool| {
            let folded = folded(text);
            let repeats = |text: &str| self.texts.are_said_by(text, is_question);
            repeats(&folded)
                || alike(&folded).is_some_and(|text| repeats(&text))
                || words.is_some_and(|words| Heard::new(text).says(words))
        };
        for at in 0..columns {
            if text_at(row, at + 3)?.is_some_and(|text| is_said(text, at == 0)) {
                return Ok(true);
            }
        }
        Ok(match text_at(row, 2)? {
            Some(json) => strings(&serde_json::from_str::<Value>(json)?).into_iter().any(|text| is_said(text, false)),
            None => false,
        })
    }
}

/// The strings in a JSON value, as they were before they were written as JSON.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
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
                let folded = folded(text);
                let forms = alike(&folded).into_iter().chain([folded]);
                all.extend(forms.map(|text| bare(&text).to_owned()).filter(|text| !text.is_empty()));
            }
        })?;
        Ok(Self::new(all))
    }

    fn new(all: BTreeSet<String>) -> Self {
        let long: Vec<String> = all.iter().filter(|text| text.split(' ').count() >= FEWEST).cloned().collect();
        let forms = Strings::new(long.iter().map(|text| text.clone().into_bytes()).collect());
        Self { all, long, forms }
    }

    /// Whether a folded text says one of them.
    fn are_said_by(&self, text: &str, is_question: bool) -> bool {
        let mut said = is_question && self.all.contains(bare(text));
        self.forms.find(text.as_bytes(), |number, _| said = said || says(text, &self.long[number]));
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
            assert_eq!(texts.are_said_by(&folded(question), true), expected, "{question}");
        }
        assert!(!texts.are_said_by("tea", false), "a name says what a question is about");
    }

    #[test]
    fn words_in_json_are_read_as_they_were_said() {
        let asked = serde_json::json!({"phrases": ["the \"zeppelin\"\nis here"], "limit": 3, "from": [null, "Ana"]});
        let mut found = strings(&asked);
        found.sort_unstable();
        assert_eq!(found, ["Ana", "the \"zeppelin\"\nis here"]);
    }
}
