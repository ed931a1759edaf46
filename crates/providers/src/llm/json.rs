//! JSON out of an answer in words: models put it between remarks, thoughts and fences.

use serde_json::{Deserializer, Value};

/// The JSON object of an answer.
pub fn object(text: &str) -> Option<Value> {
    // What a model thinks aloud comes first, and may hold drafts.
    let said = text.rsplit_once("</think>").map_or(text, |(_, said)| said);
    let whole = serde_json::from_str(said.trim()).ok().filter(Value::is_object);
    whole.or_else(|| fenced(said)).or_else(|| first(said))
}

/// The object in a fence of backticks.
fn fenced(text: &str) -> Option<Value> {
    text.split("```").skip(1).step_by(2).find_map(|block| {
        let block = block.strip_prefix("json").unwrap_or(block);
        serde_json::from_str(block.trim()).ok().filter(Value::is_object)
    })
}

/// The first place where an object begins and ends as one.
fn first(text: &str) -> Option<Value> {
    text.match_indices('{').take(50).find_map(|(at, _)| {
        let value = Deserializer::from_str(&text[at..]).into_iter::<Value>().next()?;
        value.ok().filter(Value::is_object)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_are_found_among_words() {
        let check = |text: &str, expected: Option<Value>| assert_eq!(object(text), expected, "{text}");
        let a = Some(json!({"a": 1}));
        check("{\"a\": 1}", a.clone());
        check("  {\"a\": 1}\n", a.clone());
        check("Here it is:\n```json\n{\"a\": 1}\n```\nGood luck.", a.clone());
        check("```\n{\"a\": 1}\n```", a.clone());
        check("Sure! {\"a\": 1} Anything else?", a.clone());
        check("<think>{\"a\": 2} or {not}</think>{\"a\": 1}", a.clone());
        check("{or so} {\"a\": 1}", a);
        check("[1, 2]", None);
        check("{\"a\": 1", None);
        check("none", None);
        check("", None);
    }
}
