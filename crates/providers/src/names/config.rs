//! What a tagger's `config.json` says: what each of its outputs means, how much it reads, what it pads with.

use std::path::Path;

use serde_json::Value;
use um_model::findings::FindingKind;

use crate::model_config::{architecture, id2label, label2id, max_tokens, padding, read};

/// With fewer tokens there is no room for a word and the model's marks.
const MIN_TOKENS: usize = 4;

/// What a label says of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// What it is the name of; none for what is no name, or one of something that is not looked for.
    pub kind: Option<FindingKind>,
    /// Whether a name begins with it, so that the one before it has ended.
    pub begins: bool,
}

/// What is read from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The label of each output, in their order.
    pub labels: Vec<Label>,
    /// Tokens that are read at once, marks included.
    pub max_tokens: usize,
    /// The token that fills shorter texts up.
    pub padding: i64,
}

/// Whether a folder's `config.json` is that of a tagger of tokens.
pub fn is_tagger(folder: &Path) -> bool {
    read(folder).is_ok_and(|config| architecture(&config).is_some_and(|name| name.ends_with("ForTokenClassification")))
}

impl Config {
    /// Reads a folder's `config.json`.
    ///
    /// # Errors
    /// Why the model cannot be used, in words.
    pub fn of(folder: &Path) -> Result<Config, String> {
        Config::parse(&read(folder)?)
    }

    fn parse(config: &Value) -> Result<Config, String> {
        let max_tokens = max_tokens(config, MIN_TOKENS)?;
        Ok(Config { labels: labels(config)?, max_tokens, padding: padding(config) })
    }
}

fn labels(config: &Value) -> Result<Vec<Label>, String> {
    let mut named = id2label(config);
    if named.is_empty() {
        named = label2id(config);
    }
    named.sort_unstable();
    if named.iter().enumerate().any(|(place, (id, _))| place != *id) {
        return Err("the labels of config.json are not numbered from 0 on, each once".into());
    }
    let labels: Vec<Label> = named.iter().map(|(_, name)| label(name)).collect();
    match labels.iter().any(|label| label.kind == Some(FindingKind::Person)) {
        true => Ok(labels),
        false => {
            let names: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
            Err(format!("none of its labels means a person ({}); name them in id2label", names.join(", ")))
        }
    }
}

/// A label by its name, as models spell it: `B-PER`, `I-ORG`, `E-LOC`, `S-PERSON`, `U-GPE`, `PER`, `O`.
fn label(name: &str) -> Label {
    let name = name.trim().to_uppercase();
    let (place, kind) = match name.split_once(['-', '_']) {
        Some((place, kind)) if place.len() == 1 => (place, kind),
        _ => ("I", name.as_str()),
    };
    let kind = match kind {
        "PER" | "PERS" | "PERSON" => Some(FindingKind::Person),
        "ORG" | "ORGANIZATION" | "ORGANISATION" | "COMPANY" => Some(FindingKind::Organization),
        "LOC" | "LOCATION" | "GPE" => Some(FindingKind::Place),
        _ => None,
    };
    Label { kind, begins: matches!(place, "B" | "S" | "U") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FindingKind::{Organization, Person, Place};
    use serde_json::json;

    #[test]
    fn labels_are_read_in_every_spelling() {
        let check = |name: &str, kind: Option<FindingKind>, begins: bool| {
            assert_eq!(label(name), Label { kind, begins }, "{name}");
        };
        check("O", None, false);
        check("B-PER", Some(Person), true);
        check("I-PER", Some(Person), false);
        check("E-person", Some(Person), false);
        check("S-ORG", Some(Organization), true);
        check("U-GPE", Some(Place), true);
        check("LOC", Some(Place), false);
        check("B-MISC", None, true);
    }

    #[test]
    fn a_config_that_says_too_little_is_refused_with_the_way_out() {
        let check = |config: Value, words: &str| {
            let refused = Config::parse(&config).unwrap_err();
            assert!(refused.contains(words), "{config}: {refused}");
        };
        check(json!({}), "none of its labels means a person");
        check(json!({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}), "LABEL_0, LABEL_1");
        check(json!({"id2label": {"0": "O", "2": "B-PER"}}), "not numbered");
        check(json!({"id2label": {"0": "O", "1": "B-PER"}, "max_position_embeddings": 2}), "too few");
        let good = Config::parse(&json!({"label2id": {"O": 0, "B-PER": 1, "I-PER": 2}})).unwrap();
        assert_eq!((good.labels.len(), good.max_tokens, good.padding), (3, 512, 0));
    }
}
