//! The language model that a person may turn on: what is kept of it, and how it is tried.

use crate::enums::text_enum;
use serde::{Deserialize, Serialize};
use std::fmt;

text_enum! {
    /// Which protocol a language model's host speaks.
    LlmProtocol {
        /// `POST {base}/chat/completions`: OpenAI, Ollama, llama.cpp, vLLM and most others.
        OpenAi = "openai",
        /// `POST {base}/v1/messages`.
        Anthropic = "anthropic",
    }
}

text_enum! {
    /// What a language model is used for.
    LlmUse {
        /// Proposing claims, beside the local rules.
        Claims = "claims",
        /// Saying what a memory is about, in place of the local rules.
        Classification = "classification",
    }
}

/// Something that must not be seen. It is sent where it belongs and never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Secret(String);

impl Secret {
    /// Keeps it from being shown by accident.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// The secret itself, for whom it is meant.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The language model as it is set up. Its key is never told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LlmSettings {
    /// Whether it is used. Off until a person turns it on.
    pub enabled: bool,
    /// Its protocol.
    pub protocol: LlmProtocol,
    /// Where it is: `http://127.0.0.1:11434/v1`. Empty until it is set up.
    pub base_url: String,
    /// Its name there. Empty until it is set up.
    pub model: String,
    /// Whether a key is kept for it.
    pub key_set: bool,
    /// What it is used for.
    pub use_for: Vec<LlmUse>,
    /// At most so many tokens a day (UTC), in and out together.
    pub daily_token_budget: u64,
    /// Tokens spent today.
    pub tokens_today: u64,
    /// At most so many characters of one memory are sent.
    pub max_memory_chars: u64,
    /// The host that texts are sent to, where it is another machine than this one.
    pub cloud: Option<String>,
}

/// Changes of the language model's set-up; absent fields stay as they are.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LlmChange {
    /// Whether it is used. Turning it on takes an address and a model's name.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// Its protocol.
    #[serde(default)]
    pub protocol: Option<LlmProtocol>,
    /// Where it is. Without TLS (`http://`) only on this machine or in a private network, named by its IP address.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Its name there.
    #[serde(default)]
    pub model: Option<String>,
    /// The key; an empty one takes the old one away. Another host takes it away as well.
    #[serde(default)]
    pub key: Option<Secret>,
    /// What it is used for.
    #[serde(default)]
    pub use_for: Option<Vec<LlmUse>>,
    /// At most so many tokens a day.
    #[serde(default)]
    pub daily_token_budget: Option<u64>,
    /// At most so many characters of one memory.
    #[serde(default)]
    pub max_memory_chars: Option<u64>,
}

/// Asks the language model, as it is set up, for one word. Nothing of the person's is sent.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LlmTest {}

/// How the language model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LlmTested {
    /// Whether it answered as it must.
    pub ok: bool,
    /// The host that was asked.
    pub host: String,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// What is wrong and what to do, where something is.
    pub problem: Option<String>,
    /// Tokens that the test took.
    pub tokens: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_sent_and_never_shown() {
        let change = LlmChange { key: Some(Secret::new("sk-12345")), ..LlmChange::default() };
        assert!(!format!("{change:?}").contains("12345"));
        let sent = serde_json::to_value(&change).unwrap();
        assert_eq!(sent["key"], "sk-12345");
        assert_eq!(serde_json::from_value::<LlmChange>(sent).unwrap().key, change.key);
    }
}
