//! Keeps `docs/mcp.md` true: it is rendered from the tools and operations themselves, and this test fails
//! where the file says something else. `UPDATE_DOCS=1 cargo test -p um-server --test mcp_reference` writes it.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;
use std::path::Path;
use um_model::access::ToolProfile;
use um_model::ops::OPERATIONS;
use um_server::tools::{self, NOT_TOOLS};

const HEAD: &str = "\
<!-- Rendered from the operations themselves; `UPDATE_DOCS=1 cargo test -p um-server --test mcp_reference` writes it. -->
# MCP reference

How to connect an agent, and what guards the door: [agents.md](agents.md). Every operation of the engine, tool or not, is
also reached as `umem call OPERATION JSON`, and `umem call OPERATION --schema` prints its schemas.

Ids are UUIDs. Spaces are named by id or by name. Times are milliseconds since 1970, UTC. Spans are `{start, end}` in UTF-16
code units. Boxes are `[x, y, width, height]` from the top left: pixels of the upright picture, points of a PDF page.
`?` marks what may be left out or absent, `[]` a list, `{}` a map by name.
";

#[test]
fn the_reference_says_what_the_tools_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.md");
    let rendered = render();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &rendered).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        written == rendered,
        "docs/mcp.md is out of date: run `UPDATE_DOCS=1 cargo test -p um-server --test mcp_reference`"
    );
}

#[test]
fn the_other_pages_list_the_same_tools() {
    let page =
        |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap();
    let agents = page("docs/agents.md");
    let listed: Vec<&str> = agents.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(listed, tools::names().collect::<Vec<_>>(), "the table of docs/agents.md");
    for (line, (name, profiles)) in agents.lines().filter(|line| line.starts_with("| `")).zip(tools::TOOLS) {
        let words: Vec<&str> = profiles.iter().map(|profile| profile.as_str()).collect();
        let shown = if profiles.len() == ToolProfile::ALL.len() { "every".to_owned() } else { words.join(", ") };
        assert!(line.ends_with(&format!("| {shown} |")), "docs/agents.md: {name} is shown in: {shown}");
    }
    let changelog = page("CHANGELOG.md");
    for tool in tools::names() {
        assert!(changelog.contains(&format!("`{tool}`")), "CHANGELOG.md says nothing of {tool}");
    }
}

fn render() -> String {
    let mut page = HEAD.to_owned();
    let mut types = BTreeMap::new();
    page.push_str("\n## Tools\n");
    for tool in tools::all() {
        let hints = tool.annotations.as_ref().unwrap();
        let effect = match (hints.read_only_hint, hints.destructive_hint) {
            (Some(true), _) => "Reads only.",
            (_, Some(true)) => "Takes away.",
            _ => "Writes; doing it twice does no more than once.",
        };
        let summary = tool.description.as_deref().unwrap();
        write!(page, "\n### {}\n\n{summary} {effect}\n\nRequest:\n\n", tool.name).unwrap();
        page.push_str(&fields(&tool.input_schema, &mut types));
        page.push_str("\nAnswer:\n\n");
        page.push_str(&fields(tool.output_schema.as_ref().unwrap(), &mut types));
    }
    page.push_str(&type_section(types));
    page.push_str(&operation_section());
    page
}

/// The types that the tools mention, each told once. Telling one may mention more.
fn type_section(mut to_tell: BTreeMap<String, Map<String, Value>>) -> String {
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    while let Some((name, schema)) = to_tell.pop_first() {
        if let Entry::Vacant(untold) = told.entry(name) {
            let mut more = BTreeMap::new();
            untold.insert(fields(&schema, &mut more));
            to_tell.extend(more);
        }
    }
    let mut section = "\n## Types\n".to_owned();
    for (name, text) in told {
        write!(section, "\n### {name}\n\n{text}").unwrap();
    }
    section
}

fn operation_section() -> String {
    let mut section = "\n## All operations\n\n| operation | it | | tool |\n|---|---|---|---|\n".to_owned();
    for operation in OPERATIONS {
        let why_not = NOT_TOOLS.iter().find(|(name, _)| *name == operation.name);
        let tool = why_not.map_or("yes".to_owned(), |(_, why)| format!("no: {why}"));
        writeln!(section, "| `{}` | {} | {} | {tool} |", operation.name, operation.effect, cell(operation.summary))
            .unwrap();
    }
    section
}

/// The fields of an object, the words of an enumeration, or the choices of a union, as a list.
fn fields(schema: &Map<String, Value>, types: &mut BTreeMap<String, Map<String, Value>>) -> String {
    if let Some(Value::Object(defs)) = schema.get("$defs") {
        types.extend(defs.iter().filter_map(|(name, def)| Some((name.clone(), def.as_object()?.clone()))));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return format!("One of {}.\n", words.join(", "));
    }
    if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
        return choices.iter().filter_map(Value::as_object).map(choice).collect();
    }
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|all| !all.is_empty()) else {
        return if schema.get("type").is_some_and(|kind| kind == "object") {
            "Nothing.\n".to_owned()
        } else {
            format!("`{}`{}\n", kind(&Value::Object(schema.clone())), said(schema))
        };
    };
    let line = |(name, property): (&String, &Value)| {
        let absent = if required.contains(&name.as_str()) && !may_be_null(property) { "" } else { "?" };
        let description = property.as_object().map(said).unwrap_or_default();
        format!("- `{name}{absent}` {}{description}\n", kind(property))
    };
    properties.iter().map(line).collect()
}

/// One choice of a union: a word with what it means, or an object with the field that tells it apart.
fn choice(schema: &Map<String, Value>) -> String {
    if let Some(word) = schema.get("const").and_then(Value::as_str) {
        return format!("- `{word}`{}\n", said(schema));
    }
    let whole = schema.get("$ref").and_then(Value::as_str).map(name_of);
    let mut properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    match properties.find_map(|(field, value)| Some((field, value["const"].as_str()?))) {
        Some((field, word)) => {
            let fields = whole.map(|of| format!(", with the fields of {}", link(of))).unwrap_or_default();
            format!("- `{field}`: `{word}`{fields}{}\n", said(schema))
        }
        None => format!("- {}{}\n", whole.map_or("anything".to_owned(), link), said(schema)),
    }
}

fn said(schema: &Map<String, Value>) -> String {
    let description = schema.get("description").and_then(Value::as_str);
    description.map(|text| format!(": {}", cell(text))).unwrap_or_default()
}

/// On one line, and without what a table would take for its own.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn may_be_null(property: &Value) -> bool {
    let is_null = |value: &Value| value["type"] == "null";
    property["type"].as_array().is_some_and(|kinds| kinds.contains(&Value::from("null")))
        || property["anyOf"].as_array().is_some_and(|choices| choices.iter().any(is_null))
}

/// A type in a word or two.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return link(name_of(reference));
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let kinds: Vec<String> = choices.iter().filter(|choice| choice["type"] != "null").map(kind).collect();
        return kinds.join(" or ");
    }
    let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    match kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null") {
        Some("array") => format!("{}[]", kind(&schema["items"])),
        Some("object") if schema["additionalProperties"].is_object() => {
            format!("{}{{}}", kind(&schema["additionalProperties"]))
        }
        Some("number") => "number".to_owned(),
        Some(other) => other.to_owned(),
        None => "anything".to_owned(),
    }
}

fn name_of(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}

fn link(name: &str) -> String {
    format!("[{name}](#{})", name.to_lowercase())
}
