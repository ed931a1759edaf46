//! Our entry in Codex's TOML.

use super::entry::{Entry, NAME, Problem};
use std::ops::Range;
use toml_edit::{Array, Document, DocumentMut, InlineTable, Item, Table, TableLike, TomlError, Value};

/// The table of servers.
const SERVERS: &str = "mcp_servers";

/// The text with our entry.
pub(super) fn with(text: &str, entry: &Entry) -> Result<String, Problem> {
    let mut doc: DocumentMut = text.parse().map_err(|error| broken(text, &error))?;
    let Some(servers) = doc.get_mut(SERVERS) else { return Ok(appended(text, entry)) };
    let is_inline = servers.is_inline_table();
    let servers = servers.as_table_like_mut().ok_or_else(|| misplaced(SERVERS))?;
    match servers.get_mut(NAME) {
        None if is_inline => drop(servers.insert(NAME, Item::Value(inline(entry).into()))),
        None => return Ok(appended(text, entry)),
        Some(ours) => {
            let ours = ours.as_table_like_mut().ok_or_else(|| misplaced(NAME))?;
            // A server that is reached by its address has fields that none of ours goes with.
            if !ours.contains_key("command") {
                ours.clear();
            }
            set(ours, "command", entry.command.as_str().into());
            set(ours, "args", Value::Array(entry.args.iter().map(String::as_str).collect()));
        }
    }
    Ok(as_before(text, doc.to_string()))
}

/// The text without our entry.
pub(super) fn without(text: &str) -> Result<String, Problem> {
    let doc = Document::parse(text).map_err(|error| broken(text, &error))?;
    let Some(servers) = doc.get(SERVERS) else { return Ok(text.to_owned()) };
    let servers = servers.as_table_like().ok_or_else(|| misplaced(SERVERS))?;
    match servers.get(NAME) {
        None => Ok(text.to_owned()),
        Some(Item::Table(ours)) if !ours.is_dotted() => {
            let mut parts = Vec::new();
            lines_of(text, ours, &mut parts);
            Ok(cut(text, parts))
        }
        Some(_) => {
            let mut doc = doc.into_mut();
            doc.get_mut(SERVERS).and_then(Item::as_table_like_mut).map(|servers| servers.remove(NAME));
            Ok(as_before(text, doc.to_string()))
        }
    }
}

fn misplaced(name: &str) -> Problem {
    Problem::Misplaced { name: name.to_owned() }
}

fn broken(text: &str, error: &TomlError) -> Problem {
    let at = error.span().map_or(text.len(), |span| span.start).min(text.len());
    let before = text.get(..at).unwrap_or(text);
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Problem::Broken { line: before.matches('\n').count() + 1, column, what: error.message().to_owned() }
}

/// The text with a table of ours at its end. Nothing of the rest is written anew.
fn appended(text: &str, entry: &Entry) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => newline,
        _ => &newline.repeat(2),
    };
    let args: Array = entry.args.iter().map(String::as_str).collect();
    let lines = [
        format!("[{SERVERS}.{NAME}]"),
        format!("command = {}", Value::from(entry.command.as_str())),
        format!("args = {args}"),
    ];
    format!("{text}{gap}{}{newline}", lines.join(newline))
}

fn inline(entry: &Entry) -> InlineTable {
    let args = Value::Array(entry.args.iter().map(String::as_str).collect());
    [("command", Value::from(entry.command.as_str())), ("args", args)].into_iter().collect()
}

/// Sets a field, unless it says that already; the comment behind it stays.
fn set(table: &mut dyn TableLike, name: &str, mut value: Value) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(there) if says(there) == says(&value) => {}
        Some(there) => {
            *value.decor_mut() = there.decor().clone();
            *there = value;
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
}

/// The strings of a value: all that ours are made of.
fn says(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(text) => Some(vec![text.value()]),
        Value::Array(all) => all.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// With the line ends that the text had: the library writes all of them in one way.
fn as_before(text: &str, written: String) -> String {
    let ends = text.matches("\r\n").count();
    if ends > 0 && ends == text.matches('\n').count() { written.replace('\n', "\r\n") } else { written }
}

/// The lines of a table and of the tables below it, each from its header to its last value. Comments between two tables are
/// of neither.
fn lines_of(text: &str, table: &Table, parts: &mut Vec<Range<usize>>) {
    if let Some(header) = table.span().filter(|_| !table.is_dotted()) {
        let end = table.get_values().iter().filter_map(|(_, value)| value.span()).map(|span| span.end).max();
        let end = end.unwrap_or(header.end).max(header.end);
        let from = text[..header.start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        parts.push(from..to);
    }
    for (_, item) in table.iter() {
        match item {
            Item::Table(below) => lines_of(text, below, parts),
            Item::ArrayOfTables(below) => below.iter().for_each(|one| lines_of(text, one, parts)),
            _ => {}
        }
    }
}

/// The text without those parts, and without the empty line that each leaves behind.
fn cut(text: &str, mut parts: Vec<Range<usize>>) -> String {
    parts.sort_by_key(|part| part.start);
    let mut rest = text.to_owned();
    for part in parts.into_iter().rev() {
        rest.replace_range(part.clone(), "");
        let (before, after) = rest.split_at(part.start);
        let ends_empty = ["\r\n", "\n"].into_iter().find(|end| before.ends_with(&format!("\n{end}")) || before == *end);
        let goes_on = !(after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n"));
        if let Some(end) = ends_empty.filter(|_| !goes_on) {
            rest.replace_range(part.start - end.len()..part.start, "");
        }
    }
    rest
}
