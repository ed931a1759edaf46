//! Packs as resources of MCP: what to read before working in a space, by its address, for clients that let the person choose what an
//! agent reads.

use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Map, Value, json};

const TEXT: &str = "text/plain";
const CONTEXT: &str = "um://context/";
const PACK: &str = "um://pack/";

/// What can be asked for, as templates of addresses.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let of = |address: &str, name: &str, says: &str| {
        ResourceTemplate::new(address, name).with_description(says).with_mime_type(TEXT)
    };
    vec![
        of(
            "um://context/{space}{?query,policy,budget,model,utc_offset}",
            "context",
            "What to read before working in a space: cited, within a budget of tokens. policy: auto, task or workspace. utc_offset: how \
             many minutes your clock is ahead of UTC.",
        ),
        of("um://pack/{id}{?budget,model}", "pack", "What stands behind the items of a pack, as it is now."),
    ]
}

/// A resource for each space of an answer of `spaces_list`.
pub(crate) fn of_spaces(answer: &Value) -> Vec<Resource> {
    let spaces = answer["spaces"].as_array().into_iter().flatten();
    let resource = |space: &Value| {
        let (id, name) = (space["id"].as_str()?, space["name"].as_str()?);
        let resource = Resource::new(format!("{CONTEXT}{id}"), "context").with_title(name).with_mime_type(TEXT);
        Some(resource.with_description("What to read before working in this space."))
    };
    spaces.filter_map(resource).collect()
}

/// The operation and the request that an address asks for; nothing where it is none of these.
pub(crate) fn asked(address: &str) -> Option<(&'static str, Value)> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (operation, named) = match (path.strip_prefix(CONTEXT), path.strip_prefix(PACK)) {
        (Some(space), _) => ("context_compile", ("space", space)),
        (None, Some(id)) => ("context_hydrate", ("pack", id)),
        (None, None) => return None,
    };
    let mut request = Map::new();
    let what = decoded(named.1).filter(|what| !what.is_empty())?;
    request.insert(named.0.to_owned(), what.into());
    for (name, value) in query.split('&').filter_map(|one| one.split_once('=')) {
        let value = decoded(value)?;
        match (operation, name) {
            (_, "budget") => request.insert("budget_tokens".to_owned(), json!(value.parse::<u32>().ok()?)),
            ("context_compile", "utc_offset") => request.insert(name.to_owned(), json!(value.parse::<i32>().ok()?)),
            (_, "model") | ("context_compile", "query" | "policy") => request.insert(name.to_owned(), value.into()),
            _ => return None,
        };
    }
    Some((operation, request.into()))
}

/// A part of an address as it was before it was written into one.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || (rest.next()? as char).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_ask_for_packs() {
        for (address, asked) in [
            ("um://context/default", Some(("context_compile", json!({"space": "default"})))),
            (
                "um://context/Apollo%2FLander?query=what%20is%20%C3%BCber&policy=task&budget=200&model=gpt-5",
                Some((
                    "context_compile",
                    json!({"space": "Apollo/Lander", "query": "what is über", "policy": "task", "budget_tokens": 200,
                        "model": "gpt-5"}),
                )),
            ),
            ("um://pack/0190?budget=8000", Some(("context_hydrate", json!({"pack": "0190", "budget_tokens": 8000})))),
            ("um://context/a?utc_offset=-480", Some(("context_compile", json!({"space": "a", "utc_offset": -480})))),
            ("um://context/a?utc_offset=far", None),
            ("um://pack/0190?utc_offset=60", None),
            ("um://pack/0190?query=x", None),
            ("um://context/", None),
            ("um://context/a?budget=many", None),
            ("um://context/a?workspace=%2Fhome", None),
            ("um://context/%zz", None),
            ("um://context/%ff", None),
            ("file:///etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(super::asked(address), asked, "{address}");
        }
    }
}
