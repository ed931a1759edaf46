//! Prints the claims that the rules find: of each line of a file (text, or JSON Lines with `text` and
//! `occurred_at`), or with `--whole` of the file as one text.

use std::io::Read;
use um_model::belief::{CandidateObject, Polarity};
use um_rules::{Context, claims};

fn show(text: &str, context: &Context<'_>) {
    for claim in claims(text, context) {
        let object = match &claim.object {
            CandidateObject::Entity(mention) => format!("{} <{}>", mention.name, mention.entity_type),
            CandidateObject::Value { text, .. } => format!("{text:?}"),
        };
        let sign = if claim.polarity == Polarity::Negative { "NOT " } else { "" };
        let circumstances: Vec<String> =
            claim.qualifiers.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        println!(
            "{sign}{} | {} | {object} | {} | {}",
            claim.subject.name,
            claim.predicate,
            circumstances.join("; "),
            claim.quote.slice(text).unwrap_or("?").replace('\n', " ⏎ ")
        );
    }
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let whole = arguments.first().is_some_and(|first| first == "--whole");
    if whole {
        arguments.remove(0);
    }
    let mut text = String::new();
    match arguments.first() {
        Some(path) => text = String::from_utf8_lossy(&std::fs::read(path).expect("the file is not there")).into_owned(),
        None => drop(std::io::stdin().read_to_string(&mut text).expect("nothing to read")),
    }
    if whole {
        return show(&text, &Context::default());
    }
    for line in text.lines() {
        match serde_json::from_str::<serde_json::Value>(line) {
            Ok(json) if json.get("text").is_some() => {
                let occurred_at = json.get("occurred_at").and_then(serde_json::Value::as_i64);
                show(json["text"].as_str().unwrap_or(""), &Context { occurred_at, ..Context::default() });
            }
            _ => show(line, &Context::default()),
        }
    }
}
