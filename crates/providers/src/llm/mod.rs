//! Language models, asked by HTTP: the chat completions of OpenAI, which Ollama, llama.cpp, vLLM and many others
//! speak too, and the messages of Anthropic.
//!
//! Hosts differ in how an answer is held to a schema, and refuse what they do not know. So a question is put in the
//! strictest [`Form`] first and, where it is refused, in a looser one; what worked is remembered.

mod anthropic;
mod http;
mod json;
mod openai;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use um_engine::language::{Completion, LlmConfig, LlmError, LlmProvider, Prompt};
use um_engine::provider::Cancel;
use um_model::llm::LlmProtocol;

use http::Reply;

/// How often a question is sent before it is given up.
const TRIES: u32 = 4;

/// How long is waited between tries.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Before the second try; each further wait is twice as long, and a random part of half of it comes on top.
    first: Duration,
    /// A host that asks to wait longer is not waited for: the work is put off.
    longest: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { first: Duration::from_millis(500), longest: Duration::from_secs(20) }
    }
}

/// Asks language models by HTTP.
#[derive(Default)]
pub struct HttpLlm {
    pace: Pace,
    /// The form that a host and model took last.
    forms: Mutex<HashMap<(String, String), Form>>,
}

/// How a question is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    answer: AnswerForm,
    /// For OpenAI: the newer name of the limit on tokens, `max_completion_tokens`.
    newer_limit: bool,
    /// For OpenAI: whether the temperature is left to the model, as some refuse any other.
    own_temperature: bool,
}

/// How the answer is held to its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerForm {
    /// By the host: a JSON schema, or a tool whose input has that schema.
    Schema,
    /// To JSON by the host, to the schema by words.
    Json,
    /// By words alone.
    Words,
}

impl Form {
    const STRICTEST: Form = Form { answer: AnswerForm::Schema, newer_limit: false, own_temperature: false };

    /// What to try after the host refused this, with what it said; `None` when nothing is left.
    fn after_refusal(self, protocol: LlmProtocol, said: &str) -> Option<Form> {
        let openai = protocol == LlmProtocol::OpenAi;
        if openai && !self.newer_limit && said.contains("max_completion_tokens") {
            return Some(Form { newer_limit: true, ..self });
        }
        if openai && !self.own_temperature && said.contains("temperature") {
            return Some(Form { own_temperature: true, ..self });
        }
        let answer = match self.answer {
            AnswerForm::Schema if openai => AnswerForm::Json,
            AnswerForm::Schema | AnswerForm::Json => AnswerForm::Words,
            AnswerForm::Words => return None,
        };
        Some(Form { answer, ..self })
    }
}

impl HttpLlm {
    fn known_form(&self, of: &(String, String)) -> Form {
        let forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        forms.get(of).copied().unwrap_or(Form::STRICTEST)
    }

    /// Sends until an answer comes that is worth reading.
    fn reply(&self, config: &LlmConfig, prompt: &Prompt, form: Form, cancel: &Cancel) -> Result<Reply, LlmError> {
        let question = || match config.protocol {
            LlmProtocol::OpenAi => openai::question(config, prompt, form),
            LlmProtocol::Anthropic => anthropic::question(config, prompt, form),
        };
        let mut wait = self.pace.first;
        for _ in 1..TRIES {
            let outcome = http::post(config, question(), cancel);
            let asked_to_wait = match &outcome {
                Ok(reply) if passes(reply.status) => reply.retry_after,
                Err(LlmError::Unreachable { .. }) => None,
                _ => return outcome,
            };
            if asked_to_wait.is_some_and(|asked| asked > self.pace.longest) {
                return outcome;
            }
            pause(asked_to_wait.unwrap_or_else(|| wait + jitter(wait / 2)), cancel)?;
            wait *= 2;
        }
        http::post(config, question(), cancel)
    }
}

impl LlmProvider for HttpLlm {
    fn complete(&self, config: &LlmConfig, prompt: &Prompt, cancel: &Cancel) -> Result<Completion, LlmError> {
        let of = (config.base_url.to_string(), config.model.clone());
        let known = self.known_form(&of);
        let mut form = known;
        let reply = loop {
            let reply = self.reply(config, prompt, form, cancel)?;
            if !matches!(reply.status, 400 | 422) {
                break reply;
            }
            let said = String::from_utf8_lossy(&reply.body);
            match form.after_refusal(config.protocol, &said) {
                Some(next) => form = next,
                None => break reply,
            }
        };
        if !(200..300).contains(&reply.status) {
            return Err(refusal(config, &reply));
        }
        if form != known {
            self.forms.lock().unwrap_or_else(PoisonError::into_inner).insert(of, form);
        }
        let answered: Value = serde_json::from_slice(&reply.body).map_err(|_| LlmError::Unfit("it is no JSON"))?;
        match config.protocol {
            LlmProtocol::OpenAi => openai::completion(prompt, &answered),
            LlmProtocol::Anthropic => anthropic::completion(prompt, &answered),
        }
    }
}

/// Whether what the status says may pass by itself.
fn passes(status: u16) -> bool {
    matches!(status, 408 | 429 | 500..=599)
}

fn refusal(config: &LlmConfig, reply: &Reply) -> LlmError {
    match reply.status {
        401 | 403 => LlmError::KeyRefused(reply.status),
        404 => LlmError::NoModel { model: config.model.clone() },
        408 => LlmError::TimedOut(config.timeout),
        429 => LlmError::Busy { retry_after: reply.retry_after },
        500..=599 => LlmError::HostFailed(reply.status),
        status => LlmError::Rejected { status, detail: detail(&reply.body) },
    }
}

/// The word that a host calls an error by: `context_length_exceeded`. Its sentences are left out, as they may repeat
/// what was sent, the key included.
fn detail(body: &[u8]) -> String {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    let is_word = |word: &&str| word.len() <= 60 && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let mut words = ["code", "type"].into_iter().filter_map(|name| said["error"][name].as_str());
    words.find(is_word).unwrap_or_default().to_owned()
}

/// Waits, unless the work is no longer wanted.
fn pause(length: Duration, cancel: &Cancel) -> Result<(), LlmError> {
    let until = Instant::now() + length;
    loop {
        if cancel.is_cancelled() {
            return Err(LlmError::Cancelled);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(Duration::from_millis(50)));
    }
}

/// A random part of a length, so that many who failed together do not come back together.
fn jitter(most: Duration) -> Duration {
    let random = RandomState::new().hash_one(0) % 1000;
    most * random as u32 / 1000
}

/// Tokens of a text, where a host does not count: few texts have less than three bytes a token.
fn estimated(text: &str) -> u64 {
    text.len() as u64 / 3 + 1
}

/// Tokens of all that was sent, likewise.
fn estimated_input(prompt: &Prompt) -> u64 {
    estimated(&prompt.system) + estimated(&prompt.user) + estimated(&prompt.schema.to_string())
}

/// The order to answer in JSON, for hosts that cannot see to it themselves.
fn in_words(prompt: &Prompt) -> String {
    format!(
        "{}\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n{}",
        prompt.system, prompt.schema
    )
}
