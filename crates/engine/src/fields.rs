//! The fields of a request that its operation does not know: a misspelt one would be left out silently, and the answer would
//! be to another question.

use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::OnceLock;
use um_model::ops::OPERATIONS;

/// A field that is not known, and those that are known in its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    /// Where it stands: `facts[0].subjct`.
    pub(crate) field: String,
    pub(crate) known: Vec<String>,
}

/// The first field of a request that its operation does not know.
pub(crate) fn unknown(operation: &str, request: &Value) -> Option<Unknown> {
    static SCHEMAS: OnceLock<HashMap<&str, Value>> = OnceLock::new();
    let schemas = SCHEMAS.get_or_init(|| OPERATIONS.iter().map(|o| (o.name, (o.request_schema)())).collect());
    let schema = schemas.get(operation)?;
    find(schema, schema, request, "")
}

/// Looks through a value as its schema describes it; `root` has the definitions.
fn find(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<Unknown> {
    let schema = referred(root, schema);
    if let Some(choices) = ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key)?.as_array()) {
        // What stands beside the choices is known with each of them.
        let beside = schema.get("properties").and_then(Value::as_object);
        if let (Some(beside), Value::Object(fields)) = (beside, value) {
            let (own, rest) = fields.clone().into_iter().partition(|(name, _)| beside.contains_key(name));
            return in_object(root, schema, &own, at).or_else(|| in_one_of(root, choices, &Value::Object(rest), at));
        }
        return in_one_of(root, choices, value, at);
    }
    match value {
        Value::Object(fields) => in_object(root, schema, fields, at),
        Value::Array(items) => {
            let of_items = schema.get("items")?;
            items.iter().enumerate().find_map(|(n, item)| find(root, of_items, item, &format!("{at}[{n}]")))
        }
        _ => None,
    }
}

/// One of several: what fits one of them is known.
fn in_one_of(root: &Value, choices: &[Value], value: &Value, at: &str) -> Option<Unknown> {
    let mut found = None;
    for choice in choices {
        let unknown = find(root, choice, value, at);
        if describes(root, choice, value) && unknown.is_none() {
            return None;
        }
        found = found.or(unknown);
    }
    found
}

fn in_object(root: &Value, schema: &Value, fields: &Map<String, Value>, at: &str) -> Option<Unknown> {
    let known = schema.get("properties").and_then(Value::as_object);
    let others = schema.get("additionalProperties").filter(|others| others.is_object());
    let takes_any = others.is_some() || known.is_none();
    fields.iter().find_map(|(name, value)| {
        let field = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        match known.and_then(|known| known.get(name)).or(others) {
            Some(schema) => find(root, schema, value, &field),
            None if takes_any => None,
            None => Some(Unknown { field, known: known.into_iter().flatten().map(|(name, _)| name.clone()).collect() }),
        }
    })
}

/// What a `$ref` stands for.
fn referred<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

/// Whether a schema may describe a value, by what kind of value it is.
fn describes(root: &Value, schema: &Value, value: &Value) -> bool {
    let schema = referred(root, schema);
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match schema.get("type") {
        Some(Value::String(one)) => one == kind || (one == "integer" && kind == "number"),
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_an_operation_does_not_know_is_found() {
        for (operation, request, expected) in [
            ("facts_search", json!({"query": "tea", "limit": 3}), None),
            ("facts_search", json!({"querry": "tea"}), Some("querry")),
            ("facts_add", json!({"space": "s", "facts": [{"subject": "a", "qualifiers": {"any": "thing"}}]}), None),
            ("facts_add", json!({"space": "s", "facts": [{}, {"subjekt": "a"}]}), Some("facts[1].subjekt")),
            ("conflicts_resolve", json!({"windows": {"a_form": "2020"}}), Some("windows.a_form")),
            ("conflicts_resolve", json!({"windows": null, "value": null}), None),
            ("predicate_define", json!({"predicate": {"nme": "x"}}), Some("predicate.nme")),
            ("media_read", json!({"id": "x", "what": "page", "page": 1, "width": 300}), None),
            ("media_read", json!({"id": "x", "what": "thumbnail"}), None),
            ("media_read", json!({"id": "x", "what": "sound", "bins": 7, "loud": true}), Some("bins")),
            ("memory_recall", json!("text"), None),
            ("no_operation", json!({"any": 1}), None),
        ] {
            let found = unknown(operation, &request);
            assert_eq!(found.as_ref().map(|unknown| unknown.field.as_str()), expected, "{operation} {request}");
        }
        let known = unknown("claim_explain", &json!({"id": "x"})).map(|unknown| unknown.known);
        assert_eq!(known, Some(vec!["claim".to_owned(), "known_at".to_owned()]));
    }
}
