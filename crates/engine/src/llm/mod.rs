//! The language model that the person may turn on: how it is set up, what it may cost, and how it is asked. Off until
//! configured; every question to it goes through [`ask`], which keeps the budget.

mod base_url;
mod budget;
mod key;
mod settings;
mod trial;

pub use base_url::BaseUrl;
pub(crate) use budget::wake_when_due;
pub(crate) use settings::{change, cloud, config, read, wanted_for};
pub(crate) use trial::llm_test;

use crate::Engine;
use crate::extract::estimate_tokens;
use crate::language::{Completion, LlmConfig, LlmError, Prompt};
use crate::provider::Cancel;
use um_model::ApiError;

/// Tokens of a usual answer.
const USUAL_ANSWER: u64 = 500;

/// Asks the language model, within the budget of the day. What was spent is counted also where no answer came of it.
///
/// # Errors
/// See [`LlmError`].
pub(crate) fn ask(
    engine: &Engine,
    config: &LlmConfig,
    prompt: &Prompt,
    cancel: &Cancel,
) -> Result<Completion, LlmError> {
    afford(engine, needed(prompt))?;
    let answer = engine.providers().llm.complete(config, prompt, cancel);
    let cost = match &answer {
        Ok(completion) => completion.input_tokens.saturating_add(completion.output_tokens),
        // The host answered, and counts it.
        Err(LlmError::CutOff) => needed(prompt) + u64::from(config.max_output_tokens),
        Err(LlmError::Declined | LlmError::Unfit(_) | LlmError::TooLarge) => needed(prompt),
        // It was sent, and is worked on or was: the host counts what it read.
        Err(LlmError::TimedOut(_)) => sent(prompt),
        Err(_) => 0,
    };
    if cost > 0 {
        budget::charge(engine, cost).map_err(uncounted)?;
    }
    if let Some(wait) = answer.as_ref().err().and_then(LlmError::passes_after) {
        budget::put_off(engine, engine.now() + wait.as_millis() as i64).map_err(uncounted)?;
    }
    answer
}

/// Tokens that a question and its answer take, some.
pub(crate) fn needed(prompt: &Prompt) -> u64 {
    sent(prompt) + USUAL_ANSWER
}

/// Tokens of a question, some.
fn sent(prompt: &Prompt) -> u64 {
    (estimate_tokens(&prompt.system) + estimate_tokens(&prompt.user)) as u64
}

/// Whether the budget of the day has room for so many tokens.
///
/// # Errors
/// `OverBudget`; the work may go on tomorrow.
pub(crate) fn afford(engine: &Engine, needed: u64) -> Result<(), LlmError> {
    let now = engine.now();
    let known = engine.read(|c| Ok((budget::spent(c, now)?, settings::daily_budget(c)?)));
    let (spent, budget) = known.map_err(uncounted)?;
    if spent.saturating_add(needed) <= budget {
        return Ok(());
    }
    budget::put_off(engine, budget::next_day(now)).map_err(uncounted)?;
    Err(LlmError::OverBudget { spent, budget, needed })
}

/// What cannot be counted is not spent.
fn uncounted(error: ApiError) -> LlmError {
    tracing::error!(code = %error.code, "the language model's budget could not be read or written");
    LlmError::Unfit("its budget could not be counted")
}
