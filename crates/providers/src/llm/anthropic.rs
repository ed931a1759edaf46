//! Anthropic's messages: <https://docs.anthropic.com/en/api/messages>. The answer comes as the input of a tool, which
//! the host holds to its schema.

use serde_json::{Value, json};
use um_engine::language::{Completion, LlmConfig, LlmError, Prompt};

use super::http::Question;
use super::{AnswerForm, Form, estimated, estimated_input, in_words, json};

/// The version of the protocol.
const VERSION: &str = "2023-06-01";

pub fn question(config: &LlmConfig, prompt: &Prompt, form: Form) -> Question {
    let mut body = json!({
        "model": config.model,
        "max_tokens": config.max_output_tokens,
        "messages": [{"role": "user", "content": prompt.user}],
    });
    if form.answer == AnswerForm::Schema {
        body["system"] = prompt.system.clone().into();
        body["tools"] =
            json!([{"name": prompt.schema_name, "description": "Takes the answer.", "input_schema": prompt.schema}]);
        body["tool_choice"] = json!({"type": "tool", "name": prompt.schema_name});
    } else {
        body["system"] = in_words(prompt).into();
    }
    let key = config.api_key.as_ref().map(|key| ("x-api-key", key.reveal().to_owned()));
    let headers = [("anthropic-version", VERSION.to_owned())].into_iter().chain(key).collect();
    // The base address is written with and without the version.
    let base = config.base_url.as_str().trim_end_matches("/v1");
    Question { url: format!("{base}/v1/messages"), headers, body }
}

pub fn completion(prompt: &Prompt, answered: &Value) -> Result<Completion, LlmError> {
    match answered["stop_reason"].as_str() {
        Some("max_tokens" | "model_context_window_exceeded") => return Err(LlmError::CutOff),
        Some("refusal") => return Err(LlmError::Declined),
        _ => {}
    }
    let blocks = answered["content"].as_array().ok_or(LlmError::Unfit("it has no content"))?;
    let given = blocks.iter().find(|block| block["type"] == "tool_use" && block["name"] == prompt.schema_name);
    let said = || blocks.iter().filter_map(|block| block["text"].as_str()).collect::<String>();
    let answer = given.map(|block| block["input"].clone()).filter(Value::is_object).or_else(|| json::object(&said()));
    let answer = answer.ok_or(LlmError::Unfit("it is not the JSON that was asked for"))?;
    let usage = &answered["usage"];
    // Tokens that a cache spared count as well: they were sent.
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let counted: Vec<u64> = input.iter().filter_map(|name| usage[*name].as_u64()).collect();
    let output_tokens = usage["output_tokens"].as_u64().unwrap_or_else(|| estimated(&answer.to_string()));
    let input_tokens = if counted.is_empty() { estimated_input(prompt) } else { counted.iter().sum() };
    Ok(Completion { answer, input_tokens, output_tokens })
}
