//! What a model's `config.json` says that judging needs: which output is which label, how much it reads, what it
//! pads with. Models differ in all three, and a wrong order of labels turns every judgement around.

use std::path::Path;

use serde_json::Value;
use um_engine::language::EntailmentLabel;

use crate::model_config::{architecture, id2label, label2id, max_tokens, padding, read};

/// With fewer there is no room for two texts and the model's marks.
const MIN_TOKENS: usize = 8;

/// What is read from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The label of each output, in their order.
    pub labels: [EntailmentLabel; 3],
    /// Tokens of a pair, marks included.
    pub max_tokens: usize,
    /// The token that fills shorter pairs up.
    pub padding: i64,
}

/// Whether a folder's `config.json` is that of a classifier of texts.
pub fn is_classifier(folder: &Path) -> bool {
    let Ok(config) = read(folder) else { return false };
    match architecture(&config) {
        Some(architecture) => architecture.ends_with("ForSequenceClassification"),
        None => config["id2label"].is_object(),
    }
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

/// The order of the labels, by `id2label`, `label2id`, or both where they agree.
fn labels(config: &Value) -> Result<[EntailmentLabel; 3], String> {
    let (by_id, by_label) = (id2label(config), label2id(config));
    let names: Vec<&str> = by_id.iter().chain(&by_label).map(|(_, name)| name.as_str()).collect();
    if let Some(two_sided) = names.iter().find(|name| is_negated(name)) {
        return Err(format!(
            "it only tells “{two_sided}” from the rest; a model with entailment, neutral and contradiction is needed"
        ));
    }
    match (order(&by_id), order(&by_label)) {
        (Some(a), Some(b)) if a != b => Err("id2label and label2id of config.json contradict each other".into()),
        (Some(order), _) | (None, Some(order)) => Ok(order),
        (None, None) => Err(format!(
            "config.json does not say which output is entailment, neutral and contradiction (its labels: {}); name \
             them in id2label",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        )),
    }
}

/// The labels in the order of their numbers, where each of the three stands once.
fn order(numbered: &[(usize, String)]) -> Option<[EntailmentLabel; 3]> {
    let at = |wanted: usize| label(&numbered.iter().find(|(id, _)| *id == wanted)?.1);
    let order = [at(0)?, at(1)?, at(2)?];
    let distinct = order[0] != order[1] && order[1] != order[2] && order[0] != order[2];
    (numbered.len() == 3 && distinct).then_some(order)
}

/// A label by its name, as models spell it: `entailment`, `ENTAILMENT`, `entails`, `Contradiction`, `neutral`.
fn label(name: &str) -> Option<EntailmentLabel> {
    let name = name.trim().to_lowercase();
    let known = [
        ("entail", EntailmentLabel::Entails),
        ("contradict", EntailmentLabel::Contradicts),
        ("neutral", EntailmentLabel::Neutral),
    ];
    known.into_iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(_, label)| label)
}

fn is_negated(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("entail") && (name.starts_with("not") || name.starts_with("non"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntailmentLabel::{Contradicts as C, Entails as E, Neutral as N};
    use serde_json::json;

    fn check(config: Value, expected: Result<[EntailmentLabel; 3], &str>) {
        match (Config::parse(&config), expected) {
            (Ok(found), Ok(labels)) => assert_eq!(found.labels, labels, "{config}"),
            (Err(found), Err(words)) => assert!(found.contains(words), "{config}: {found}"),
            (found, expected) => panic!("{config}: {found:?} for {expected:?}"),
        }
    }

    #[test]
    fn every_order_and_spelling_of_the_labels_is_read() {
        check(json!({"id2label": {"0": "contradiction", "1": "entailment", "2": "neutral"}}), Ok([C, E, N]));
        check(json!({"id2label": {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}}), Ok([E, N, C]));
        check(json!({"id2label": {"2": "Entailment", "1": "Neutral", "0": "Contradiction"}}), Ok([C, N, E]));
        check(json!({"id2label": {"0": "neutral", "1": "contradicts", "2": "entails"}}), Ok([N, C, E]));
        check(json!({"id2label": {"0": "entailment", "1": "contradiction", "2": "neutral"}}), Ok([E, C, N]));
        check(json!({"id2label": {"0": "neutral", "1": "entailment", "2": "contradiction"}}), Ok([N, E, C]));
        check(json!({"label2id": {"entailment": 0, "neutral": 1, "contradiction": 2}}), Ok([E, N, C]));
        check(
            json!({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
                   "label2id": {"contradiction": 0, "neutral": 1, "entailment": 2}}),
            Ok([C, N, E]),
        );
    }

    #[test]
    fn labels_that_say_too_little_are_refused_with_the_way_out() {
        check(json!({}), Err("its labels: none"));
        check(json!({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}), Err("name them in id2label"));
        check(json!({"id2label": {"0": "entailment", "1": "not_entailment"}}), Err("not_entailment"));
        check(json!({"id2label": {"0": "entailment", "1": "neutral"}}), Err("does not say"));
        check(json!({"id2label": {"0": "negative", "1": "neutral", "2": "positive"}}), Err("negative"));
        check(json!({"id2label": {"0": "entailment", "1": "entailment", "2": "neutral"}}), Err("does not say"));
        check(
            json!({"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
                   "label2id": {"contradiction": 0, "neutral": 1, "entailment": 2}}),
            Err("contradict each other"),
        );
    }

    #[test]
    fn how_much_is_read_is_the_models_own() {
        let labels = json!({"0": "contradiction", "1": "entailment", "2": "neutral"});
        let tokens = |more: Value| {
            let mut config = json!({"id2label": labels});
            config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            Config::parse(&config).map(|config| (config.max_tokens, config.padding))
        };
        assert_eq!(tokens(json!({})), Ok((512, 0)));
        assert_eq!(tokens(json!({"max_position_embeddings": 128, "pad_token_id": 7})), Ok((128, 7)));
        let roberta = json!({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1});
        assert_eq!(tokens(roberta), Ok((512, 1)));
        assert_eq!(tokens(json!({"max_position_embeddings": 4096})), Ok((512, 0)));
        assert!(tokens(json!({"max_position_embeddings": 4})).is_err());
    }
}
