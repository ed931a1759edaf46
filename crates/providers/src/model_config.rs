//! What a transformer's `config.json` says whatever it is for: what it was made to tell, how much it reads, what it pads
//! with, what its outputs mean.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

/// No text is read beyond so many tokens at once, whatever the model could: time grows with their square.
const MAX_TOKENS: usize = 512;

/// A folder's `config.json`.
///
/// # Errors
/// Why it cannot be read, in words.
pub(crate) fn read(folder: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(folder.join("config.json")).map_err(|error| format!("config.json: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("config.json: {error}"))
}

/// The class that the model was trained as, such as `BertForTokenClassification`.
pub(crate) fn architecture(config: &Value) -> Option<&str> {
    config["architectures"].as_array()?.first()?.as_str()
}

/// Tokens that are read at once, marks included.
///
/// # Errors
/// Where there are fewer than `least`, in words.
pub(crate) fn max_tokens(config: &Value, least: usize) -> Result<usize, String> {
    let positions = config["max_position_embeddings"].as_u64().unwrap_or(MAX_TOKENS as u64) as usize;
    let family = config["model_type"].as_str().unwrap_or_default();
    // RoBERTa counts positions from two on, so that many places are never used.
    let usable = if family.contains("roberta") { positions.saturating_sub(2) } else { positions };
    if usable < least {
        Err(format!("config.json allows {usable} tokens, too few"))
    } else {
        Ok(usable.min(MAX_TOKENS))
    }
}

/// The token that fills shorter texts up.
pub(crate) fn padding(config: &Value) -> i64 {
    config["pad_token_id"].as_i64().unwrap_or(0)
}

/// The names of the outputs with their numbers, by `id2label`.
pub(crate) fn id2label(config: &Value) -> Vec<(usize, String)> {
    let read = |map: &Map<String, Value>| {
        map.iter().filter_map(|(id, name)| Some((id.parse().ok()?, name.as_str()?.to_owned()))).collect()
    };
    config["id2label"].as_object().map(read).unwrap_or_default()
}

/// The names of the outputs with their numbers, by `label2id`.
pub(crate) fn label2id(config: &Value) -> Vec<(usize, String)> {
    let read = |map: &Map<String, Value>| {
        map.iter().filter_map(|(name, id)| Some((id.as_u64()? as usize, name.clone()))).collect()
    };
    config["label2id"].as_object().map(read).unwrap_or_default()
}
