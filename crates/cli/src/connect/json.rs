//! Our entry in JSON with comments.

use super::entry::{Entry, NAME, Problem};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};

/// The text with our entry.
pub(super) fn with(text: &str, key: &str, typed: bool, entry: &Entry) -> Result<String, Problem> {
    let root = parse(text)?;
    let top = match root.value() {
        None => root.object_value_or_set(),
        Some(_) => top(&root)?,
    };
    let fields = fields(typed, entry);
    let servers = match servers(&top, key)? {
        Some(servers) => servers,
        None => top.append(key, CstInputValue::Object(Vec::new())).object_value_or_set(),
    };
    let mut ours = named(&servers, NAME).into_iter();
    match ours.next() {
        None => drop(servers.append(NAME, CstInputValue::Object(fields))),
        // What somebody added to it, such as variables of its environment, stays.
        Some(first) => match first.object_value().filter(|there| there.get("command").is_some()) {
            Some(there) => fields.into_iter().for_each(|(name, value)| set(&there, &name, value)),
            None => first.set_value(CstInputValue::Object(fields)),
        },
    }
    ours.for_each(CstObjectProp::remove);
    let written = root.to_string();
    Ok(if text.trim().is_empty() { format!("{}\n", written.trim()) } else { written })
}

/// The text without our entry.
pub(super) fn without(text: &str, key: &str) -> Result<String, Problem> {
    let root = parse(text)?;
    if root.value().is_none() {
        return Ok(text.to_owned());
    }
    if let Some(servers) = servers(&top(&root)?, key)? {
        named(&servers, NAME).into_iter().for_each(CstObjectProp::remove);
    }
    Ok(root.to_string())
}

/// Comments and trailing commas are what clients allow; all else that the parser would let through is a mistake.
fn parse(text: &str) -> Result<CstRootNode, Problem> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| Problem::Broken {
        line: error.line_display(),
        column: error.column_display(),
        what: error.kind().to_string(),
    })
}

fn top(root: &CstRootNode) -> Result<CstObject, Problem> {
    root.object_value().ok_or(Problem::Misplaced { name: String::new() })
}

/// The object of servers. Of two under one name nobody knows which one the client reads.
fn servers(top: &CstObject, key: &str) -> Result<Option<CstObject>, Problem> {
    let misplaced = || Problem::Misplaced { name: key.to_owned() };
    match named(top, key).as_slice() {
        [] => Ok(None),
        [one] => one.object_value().map(Some).ok_or_else(misplaced),
        _ => Err(misplaced()),
    }
}

fn named(object: &CstObject, name: &str) -> Vec<CstObjectProp> {
    object.properties().into_iter().filter(|one| one.decoded_name().as_deref() == Some(name)).collect()
}

fn fields(typed: bool, entry: &Entry) -> Vec<(String, CstInputValue)> {
    let args = entry.args.iter().map(|arg| arg.as_str().into()).collect();
    let kind = typed.then(|| ("type".to_owned(), "stdio".into()));
    let rest = [("command".to_owned(), entry.command.as_str().into()), ("args".to_owned(), CstInputValue::Array(args))];
    kind.into_iter().chain(rest).collect()
}

/// Sets a field, unless it says that already.
fn set(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        None => drop(object.append(name, value)),
        Some(there) if there.to_serde_value() == plain(&value) => {}
        Some(there) => there.set_value(value),
    }
}

fn plain(value: &CstInputValue) -> Option<serde_json::Value> {
    match value {
        CstInputValue::String(text) => Some(text.as_str().into()),
        CstInputValue::Array(all) => all.iter().map(plain).collect::<Option<Vec<_>>>().map(Into::into),
        _ => None,
    }
}
