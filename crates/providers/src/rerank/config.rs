//! What a model's `config.json` says that reranking needs: that it gives one number, how much it reads, what it pads with.

use std::path::Path;

use serde_json::Value;

use crate::model_config::{architecture, id2label, label2id, max_tokens, padding, read};

/// With fewer there is no room for a question, a passage and the model's marks.
const MIN_TOKENS: usize = 16;

/// Whether a folder's `config.json` is that of a classifier of texts with one label, or with none that it names: rerankers
/// have no use for names of labels, and classifiers of more than one are of no use without.
pub fn is_reranker(folder: &Path) -> bool {
    read(folder).is_ok_and(|config| has_one_label(&config))
}

fn has_one_label(config: &Value) -> bool {
    let classifies = architecture(config).is_some_and(|name| name.ends_with("ForSequenceClassification"));
    classifies && id2label(config).len().max(label2id(config).len()) <= 1
}

/// Tokens of a pair, marks included, and the token that fills shorter pairs up.
///
/// # Errors
/// Why the model cannot be used, in words.
pub fn of(folder: &Path) -> Result<(usize, i64), String> {
    let config = read(folder)?;
    Ok((max_tokens(&config, MIN_TOKENS)?, padding(&config)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_label_or_none_makes_a_reranker() {
        let check = |expected: bool, config: Value| assert_eq!(has_one_label(&config), expected, "{config}");
        let of = |more: Value| {
            let mut config = json!({"architectures": ["XLMRobertaForSequenceClassification"]});
            config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            config
        };
        check(true, of(json!({"id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}})));
        check(true, of(json!({})));
        check(false, of(json!({"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}})));
        check(false, of(json!({"label2id": {"entailment": 0, "not_entailment": 1}})));
        check(false, json!({"architectures": ["BertModel"]}));
        check(false, json!({}));
    }
}
