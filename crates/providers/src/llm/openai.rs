//! OpenAI's chat completions: <https://platform.openai.com/docs/api-reference/chat>.

use serde_json::{Value, json};
use um_engine::language::{Completion, LlmConfig, LlmError, Prompt};

use super::http::Question;
use super::{AnswerForm, Form, estimated, estimated_input, in_words, json};

pub fn question(config: &LlmConfig, prompt: &Prompt, form: Form) -> Question {
    let system = match form.answer {
        AnswerForm::Schema => prompt.system.clone(),
        AnswerForm::Json | AnswerForm::Words => in_words(prompt),
    };
    let mut body = json!({
        "model": config.model,
        "stream": false,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}],
    });
    let limit = if form.newer_limit { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = config.max_output_tokens.into();
    if !form.own_temperature {
        body["temperature"] = 0.into();
    }
    match form.answer {
        AnswerForm::Schema => {
            let schema = json!({"name": prompt.schema_name, "strict": true, "schema": prompt.schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        AnswerForm::Json => body["response_format"] = json!({"type": "json_object"}),
        AnswerForm::Words => {}
    }
    let key = config.api_key.as_ref().map(|key| ("authorization", format!("Bearer {}", key.reveal())));
    Question { url: format!("{}/chat/completions", config.base_url), headers: key.into_iter().collect(), body }
}

pub fn completion(prompt: &Prompt, answered: &Value) -> Result<Completion, LlmError> {
    let choice = &answered["choices"][0];
    let message = &choice["message"];
    match choice["finish_reason"].as_str() {
        Some("length") => return Err(LlmError::CutOff),
        Some("content_filter") => return Err(LlmError::Declined),
        _ => {}
    }
    if message["refusal"].as_str().is_some_and(|refusal| !refusal.is_empty()) {
        return Err(LlmError::Declined);
    }
    let text = text(&message["content"]).ok_or(LlmError::Unfit("it has no text"))?;
    let answer = json::object(&text).ok_or(LlmError::Unfit("it is not the JSON that was asked for"))?;
    let counted = |name: &str| answered["usage"][name].as_u64();
    Ok(Completion {
        answer,
        input_tokens: counted("prompt_tokens").unwrap_or_else(|| estimated_input(prompt)),
        output_tokens: counted("completion_tokens").unwrap_or_else(|| estimated(&text)),
    })
}

/// A message's words: a text, or parts of one.
fn text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        _ => None,
    }
}
