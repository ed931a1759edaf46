//! What a version says, part by part.

use super::words::part;
use crate::{dates, format::percent};
use leptos::prelude::*;
use serde_json::{Map, Value};

/// The parts that come first, in this order; all others follow by name.
const FIRST: [&str; 10] = [
    "title",
    "content",
    "description",
    "rationale",
    "constraints",
    "source",
    "confidence",
    "valid_until",
    "parameters",
    "examples",
];

/// The parts of what a tool takes, and of the examples of a guideline, in their order.
const INNER: [&str; 5] = ["required", "optional", "schema", "good", "bad"];

/// The parts of a version with their names, as a person reads them; a part of several texts has several.
pub fn parts(says: &Map<String, Value>, day: fn(i64) -> String) -> Vec<(String, Vec<String>)> {
    let place = |name: &str| FIRST.iter().position(|one| *one == name).unwrap_or(FIRST.len());
    let mut names: Vec<&String> = says.keys().collect();
    names.sort_by_key(|name| (place(name), *name));
    let told = names.into_iter().flat_map(|name| match (name.as_str(), &says[name]) {
        (_, Value::Null) => Vec::new(),
        ("confidence", sure) => vec![(part(name), sure.as_f64().map(percent).into_iter().collect())],
        ("valid_until", at) => vec![(part(name), at.as_i64().map(day).into_iter().collect())],
        ("parameters" | "examples", Value::Object(inner)) => {
            let there = INNER.iter().filter_map(|name| Some((*name, inner.get(*name)?)));
            there.map(|(name, one)| (part(name), texts(one))).collect()
        }
        (_, value) => vec![(part(name), texts(value))],
    });
    told.filter(|(_, texts): &(String, Vec<String>)| !texts.is_empty()).collect()
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().map(text).collect(),
        other => vec![text(other)],
    }
}

/// One text: of a use of a tool its parts, one a line.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields)
            if fields.contains_key("input") || fields.contains_key("output") || fields.contains_key("description") =>
        {
            let part =
                |name: &str, lead: &str| fields.get(name).and_then(Value::as_str).map(|text| format!("{lead}{text}"));
            let parts = [part("description", ""), part("input", "Given: "), part("output", "Comes back: ")];
            parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// Draws what a version says.
pub fn said(says: &Map<String, Value>) -> impl IntoView + use<> {
    let one = |(name, texts): (String, Vec<String>)| {
        let texts = texts.into_iter().map(|text| view! { <p class="work-text">{text}</p> });
        view! { <div><dt>{name}</dt><dd>{texts.collect_view()}</dd></div> }
    };
    let parts = parts(says, |at| dates::day(at - 1));
    view! { <dl class="says">{parts.into_iter().map(one).collect_view()}</dl> }
}

/// What something says, as a version keeps it.
pub fn map(says: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(says) {
        Ok(Value::Object(says)) => says,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_version_is_told_in_the_order_of_its_parts() {
        let check = |says: Value, wanted: &[(&str, &[&str])]| {
            let told = parts(&map(&says), |at| format!("day {at}"));
            let wanted: Vec<(String, Vec<String>)> = wanted
                .iter()
                .map(|(name, texts)| ((*name).to_owned(), texts.iter().map(|text| (*text).to_owned()).collect()))
                .collect();
            assert_eq!(told, wanted);
        };
        check(
            json!({ "rationale": "So we agreed.", "content": "Use tabs.", "examples": { "bad": ["  "], "good": ["\t", "x"] } }),
            &[("Text", &["Use tabs."]), ("Why", &["So we agreed."]), ("So", &["\t", "x"]), ("Not so", &["  "])],
        );
        check(
            json!({ "content": "x", "confidence": 0.5, "valid_until": 7, "source": null }),
            &[("Text", &["x"]), ("How sure it is", &["50 %"]), ("So until", &["day 7"])],
        );
        check(
            json!({ "description": "Tests", "parameters": { "required": ["path"], "schema": { "type": "object" } },
                "examples": [{ "description": "all", "input": "t", "output": "ok" }] }),
            &[
                ("What it does", &["Tests"]),
                ("Has to be given", &["path"]),
                ("Its form (JSON Schema)", &["{\n  \"type\": \"object\"\n}"]),
                ("Examples", &["all\nGiven: t\nComes back: ok"]),
            ],
        );
        check(json!({}), &[]);
    }
}
