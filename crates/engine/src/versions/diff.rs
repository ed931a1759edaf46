//! What changed between two versions: field by field, line by line (Myers' algorithm, by the crate `similar`).

use serde_json::{Map, Value};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
use std::time::Duration;
use um_model::work::{DiffLine, DiffSide, FieldDiff};

/// Past this the rest is told as changed: two texts without anything in common take long.
const AT_MOST: Duration = Duration::from_millis(500);

/// The fields that differ, by name.
pub(super) fn fields(from: &Map<String, Value>, to: &Map<String, Value>) -> Vec<FieldDiff> {
    let names: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let differ = names.into_iter().filter(|name| from.get(*name) != to.get(*name));
    differ
        .map(|name| FieldDiff { field: name.clone(), lines: lines(&text(from.get(name)), &text(to.get(name))) })
        .collect()
}

/// A text as it is, anything else as JSON, a line for each part.
fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

fn lines(from: &str, to: &str) -> Vec<DiffLine> {
    let diff = TextDiff::configure().timeout(AT_MOST).diff_lines(from, to);
    let line = |change: similar::Change<&str>| DiffLine {
        side: match change.tag() {
            ChangeTag::Equal => DiffSide::Both,
            ChangeTag::Delete => DiffSide::From,
            ChangeTag::Insert => DiffSide::To,
        },
        text: change.value().trim_end_matches(['\n', '\r']).to_owned(),
    };
    diff.iter_all_changes().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_differ_line_by_line() {
        let check = |from: Value, to: Value, wanted: &[(&str, &str)]| {
            let (Value::Object(from), Value::Object(to)) = (from, to) else { unreachable!() };
            let told: Vec<(String, String)> = fields(&from, &to)
                .into_iter()
                .map(|one| {
                    let sign = |side| match side {
                        DiffSide::Both => ' ',
                        DiffSide::From => '-',
                        DiffSide::To => '+',
                    };
                    let lines: Vec<String> =
                        one.lines.iter().map(|line| format!("{}{}", sign(line.side), line.text)).collect();
                    (one.field, lines.join("|"))
                })
                .collect();
            let wanted: Vec<(String, String)> =
                wanted.iter().map(|(field, lines)| ((*field).to_owned(), (*lines).to_owned())).collect();
            assert_eq!(told, wanted);
        };
        check(json!({"content": "a"}), json!({"content": "a"}), &[]);
        check(json!({"content": "a\nb\nc"}), json!({"content": "a\nx\nc"}), &[("content", " a|-b|+x| c")]);
        check(json!({"content": "a", "rationale": "r"}), json!({"content": "a"}), &[("rationale", "-r")]);
        check(json!({"n": 1}), json!({"n": 2, "m": ["q"]}), &[("m", "+[|+  \"q\"|+]"), ("n", "-1|+2")]);
    }
}
