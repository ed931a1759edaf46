//! What the engine asks of models of language: whether one text follows from another, and, where the person
//! turned it on, a completion by a language model. The engine owns prompts and checks; adapters speak protocols.

use crate::provider::{Cancel, ProviderError, ProviderResult};
use serde_json::Value;
use std::ops::Range;
use std::time::Duration;
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::findings::FindingKind;
use um_model::llm::{LlmProtocol, Secret};
use um_model::{EpochMs, MemoryScope};

pub use crate::llm::BaseUrl;

/// How a hypothesis stands to a premise (spine 4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntailmentLabel {
    /// It follows.
    Entails,
    /// It cannot be so.
    Contradicts,
    /// Neither.
    Neutral,
}

/// A judgement of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entailment {
    /// The likeliest label.
    pub label: EntailmentLabel,
    /// Its probability, 0 to 1.
    pub score: f64,
}

/// Judges whether hypotheses follow from premises.
pub trait EntailmentProvider: Send + Sync {
    /// The catalogue id of the model in use, if one is installed.
    fn model_id(&self) -> Option<String>;
    /// One judgement a pair of premise and hypothesis, in their order. Batches inside are bounded by the adapter.
    ///
    /// # Errors
    /// `ModelMissing`, `ToolMissing`, `Failed`, `Cancelled`.
    fn entailment(&self, pairs: &[(&str, &str)], cancel: &Cancel) -> ProviderResult<Vec<Entailment>>;
}

/// A name that a model sees in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// What it is the name of.
    pub kind: FindingKind,
    /// 0 to 1.
    pub confidence: f64,
}

/// Finds names in texts: named entity recognition.
pub trait NerProvider: Send + Sync {
    /// Names the model in use, if one is installed and can be loaded; another model has another name.
    fn model_id(&self) -> Option<String>;
    /// The names in a text, in their order and without overlaps. How much is in memory at once is bounded by the adapter.
    ///
    /// # Errors
    /// `ModelMissing`, `ToolMissing`, `Failed`, `Cancelled`.
    fn names(&self, text: &str, cancel: &Cancel) -> ProviderResult<Vec<Name>>;
}

/// A text that claims are looked for in.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// The text; quotes are spans of it.
    pub text: &'a str,
    /// What it is called: a file's name, a memory's title.
    pub title: Option<&'a str>,
    /// When it was said or written, where anything tells; relative dates count from here.
    pub occurred_at: Option<EpochMs>,
    /// By when it was written, where nothing else tells.
    pub written_by: Option<EpochMs>,
}

/// Proposes claims (spine 4.3).
pub trait ClaimExtractor: Send + Sync {
    /// Names the extractor and its version; a change means that texts may be read anew.
    fn extractor_id(&self) -> String;
    /// How its evidence is marked.
    fn method(&self) -> ExtractionMethod;
    /// The claims that the text makes. Each quote lies in the text.
    ///
    /// # Errors
    /// `Failed`, `TimedOut`, `Cancelled`, `Unsupported`.
    fn extract(&self, passage: &Passage<'_>, cancel: &Cancel) -> ProviderResult<Vec<ClaimCandidate>>;
}

/// What a memory is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Classification {
    /// Its scope.
    pub scope: MemoryScope,
    /// 0 to 1.
    pub confidence: f64,
    /// Tags, lower case.
    pub tags: Vec<String>,
}

/// Says what a memory is about (spine 4.3, ruling 13).
pub trait MemoryClassifier: Send + Sync {
    /// Names the classifier and its version.
    fn classifier_id(&self) -> String;
    /// Classifies a text.
    ///
    /// # Errors
    /// `Failed`, `TimedOut`, `Cancelled`.
    fn classify(&self, text: &str, cancel: &Cancel) -> ProviderResult<Classification>;
}

/// Where a language model is and how it is called. Its key is never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmConfig {
    /// The protocol.
    pub protocol: LlmProtocol,
    /// The base address.
    pub base_url: BaseUrl,
    /// The model's name there.
    pub model: String,
    /// The key, where the host wants one.
    pub api_key: Option<Secret>,
    /// A request is given up after so long.
    pub timeout: Duration,
    /// At most so many tokens come back.
    pub max_output_tokens: u32,
}

/// A question to a language model whose answer is JSON.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// What it is to do.
    pub system: String,
    /// The data, delimited.
    pub user: String,
    /// A name for the answer's schema.
    pub schema_name: &'static str,
    /// JSON Schema of the answer: an object.
    pub schema: Value,
}

/// What a language model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// The answer: an object. Whether it fits the schema is for who asked to see.
    pub answer: Value,
    /// Tokens that went in, as the host counts; estimated where it does not say.
    pub input_tokens: u64,
    /// Tokens that came out, likewise.
    pub output_tokens: u64,
}

/// Why a language model gave no answer. No message holds the key, or a word of what was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LlmError {
    /// Nobody answers at the address.
    #[error("The language model's host {host} cannot be reached: {why}.")]
    Unreachable {
        /// The host.
        host: String,
        /// What the system says.
        why: String,
    },
    /// It took too long.
    #[error("The language model did not answer within {} s.", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The key is missing, wrong, or may not do this.
    #[error("The language model's host does not accept the key ({0}).")]
    KeyRefused(u16),
    /// The address or the model is not there.
    #[error("The language model's host has no model \"{model}\" at this address (404).")]
    NoModel {
        /// The model's name.
        model: String,
    },
    /// It has too much to do, or the account's limit is reached.
    #[error("The language model's host asks to wait (429).")]
    Busy {
        /// How long it asks to wait, where it says so.
        retry_after: Option<Duration>,
    },
    /// The host is in trouble.
    #[error("The language model's host failed ({0}).")]
    HostFailed(u16),
    /// The host understands the request and refuses it.
    #[error("The language model's host refused the request ({status}{}{detail}).", if .detail.is_empty() { "" } else { ": " })]
    Rejected {
        /// The HTTP status.
        status: u16,
        /// The name that the host gives to the error, where it gives one that is no sentence.
        detail: String,
    },
    /// The answer ended at the most tokens that it may have.
    #[error("The language model's answer was cut off.")]
    CutOff,
    /// The model, or its host's filter, declined.
    #[error("The language model declined to answer.")]
    Declined,
    /// The answer is not what was asked for.
    #[error("The language model's answer cannot be used: {0}.")]
    Unfit(&'static str),
    /// The answer is longer than any that could be meant.
    #[error("The language model's answer is too long.")]
    TooLarge,
    /// The budget of the day is spent.
    #[error(
        "The language model's budget of the day is spent: {spent} of {budget} tokens, and this takes some {needed}. It goes on tomorrow (UTC), or once the budget is raised."
    )]
    OverBudget {
        /// Tokens spent today.
        spent: u64,
        /// Tokens a day.
        budget: u64,
        /// What the question and its answer may take.
        needed: u64,
    },
    /// The memory is longer than what may be sent of one.
    #[error(
        "This text has {length} characters; at most {most} of one memory go to the language model. Raise that in the settings to have it read."
    )]
    TooLong {
        /// Characters of the text.
        length: usize,
        /// The most that are sent.
        most: u64,
    },
    /// Somebody cancelled it.
    #[error("Cancelled.")]
    Cancelled,
}

impl LlmError {
    /// After how long it may have passed by itself, where it may.
    pub fn passes_after(&self) -> Option<Duration> {
        const LATER: Duration = Duration::from_secs(15 * 60);
        match self {
            Self::Unreachable { .. } | Self::TimedOut(_) | Self::HostFailed(_) => Some(LATER),
            Self::Busy { retry_after } => Some(retry_after.unwrap_or(LATER).max(Duration::from_secs(60))),
            _ => None,
        }
    }
}

/// What follows for the work that asked: it is tried again, waits for the host, the person or another day, or is over.
impl From<LlmError> for ProviderError {
    fn from(error: LlmError) -> Self {
        let words = error.to_string();
        match error {
            LlmError::Cancelled => Self::Cancelled,
            LlmError::CutOff | LlmError::Unfit(_) | LlmError::TooLarge => Self::Failed(words),
            LlmError::Unreachable { .. }
            | LlmError::TimedOut(_)
            | LlmError::Busy { .. }
            | LlmError::HostFailed(_)
            | LlmError::KeyRefused(_)
            | LlmError::NoModel { .. }
            | LlmError::Rejected { .. }
            | LlmError::OverBudget { .. }
            | LlmError::TooLong { .. } => Self::Waits(words),
            LlmError::Declined => Self::Unsupported(words),
        }
    }
}

/// Speaks to language models.
pub trait LlmProvider: Send + Sync {
    /// Asks once, with the adapter's own bounded retries.
    ///
    /// # Errors
    /// See [`LlmError`]; all but `OverBudget` and `TooLong`.
    fn complete(&self, config: &LlmConfig, prompt: &Prompt, cancel: &Cancel) -> Result<Completion, LlmError>;
}
