//! Trying the language model: one word, so that a person sees whether address, model and key are right before any
//! text of theirs is sent.

use super::{ask, config, read};
use crate::error::Outcome;
use crate::language::{LlmError, Prompt};
use crate::provider::Cancel;
use crate::{Caller, Engine};
use serde_json::json;
use std::time::Instant;
use um_model::llm::{LlmTest, LlmTested};

/// Asks the language model for one word, also while it is off.
pub(crate) fn llm_test(engine: &Engine, caller: &Caller, _: LlmTest) -> Outcome<LlmTested> {
    let settings = engine.read(|c| {
        crate::access::may_act(c, caller)?;
        read(engine, c)
    })?;
    let config = config(engine, &settings)?;
    let prompt = Prompt {
        system: "You are asked whether you can be reached. Answer with the word \"ready\".".to_owned(),
        user: "Are you there?".to_owned(),
        schema_name: "trial",
        schema: json!({
            "type": "object", "additionalProperties": false, "required": ["word"],
            "properties": {"word": {"type": "string"}},
        }),
    };
    let begun = Instant::now();
    let answer = ask(engine, &config, &prompt, &Cancel::default());
    let latency_ms = begun.elapsed().as_millis() as u64;
    let host = config.base_url.host().to_owned();
    let tested = |ok, problem, tokens| LlmTested { ok, host, latency_ms, problem, tokens };
    let tested = match answer {
        Ok(completion) if completion.answer["word"].is_string() => {
            tested(true, None, completion.input_tokens + completion.output_tokens)
        }
        Ok(completion) => {
            let error = LlmError::Unfit("it is not the JSON that was asked for");
            tested(false, Some(in_words(&error)), completion.input_tokens + completion.output_tokens)
        }
        Err(error) => tested(false, Some(in_words(&error)), 0),
    };
    let payload = json!({ "ok": tested.ok, "tokens": tested.tokens });
    engine.note(caller, "llm.tested", ("system_settings", "user.llm"), payload)?;
    Ok(tested)
}

/// What is wrong, and what to do about it.
fn in_words(error: &LlmError) -> String {
    let advice = match error {
        LlmError::Unreachable { .. } => "Is it running, and is the address right?",
        LlmError::TimedOut(_) => {
            "A model that is loaded for the first time takes long: try again, or use a smaller one."
        }
        LlmError::KeyRefused(_) => "Give the host's own key, and check that its account may use this model.",
        LlmError::NoModel { .. } => "Check the name and the address; `ollama list` shows what Ollama has.",
        LlmError::Busy { .. } => "Try again later, or check the account's limits.",
        LlmError::HostFailed(_) => "Try again later.",
        LlmError::Rejected { .. } => "Check the protocol and the model's name.",
        LlmError::CutOff | LlmError::Unfit(_) | LlmError::TooLarge => {
            "This model does not keep to the form of its answers: use another one."
        }
        LlmError::Declined => "Use another model.",
        LlmError::OverBudget { .. } | LlmError::TooLong { .. } | LlmError::Cancelled => "",
    };
    format!("{error} {advice}").trim_end().to_owned()
}
