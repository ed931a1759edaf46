//! The verbs that keep a data folder: what is read, by which models, and whether it is encrypted.

use super::at_least_one;
use clap::Subcommand;
use std::path::PathBuf;
use um_model::llm::{LlmProtocol, LlmUse};

#[derive(Debug, clap::Args)]
pub(crate) struct Artifacts {
    /// Name or id of a space [default: all]
    #[arg(long)]
    pub space: Option<String>,
    /// Give at most so many
    #[arg(long, value_parser = at_least_one)]
    pub limit: Option<u32>,
    /// Skip so many
    #[arg(long, default_value_t = 0)]
    pub offset: u32,
    /// The removed ones instead
    #[arg(long)]
    pub removed: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Job {
    /// Cancel a job that is pending, waiting or running
    Cancel {
        /// The id that `jobs` shows
        id: String,
    },
    /// Queue a job anew that failed, was cancelled, or waits
    Retry {
        /// The id that `jobs` shows
        id: String,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Jobs {
    /// Only this space (name or id)
    #[arg(long, value_name = "SPACE")]
    pub space: Option<String>,
    /// Give at most so many
    #[arg(long, value_parser = at_least_one)]
    pub limit: Option<u32>,
    /// Skip so many
    #[arg(long, default_value_t = 0)]
    pub offset: u32,
    /// Return once nothing is pending or being worked on
    #[arg(long)]
    pub wait: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    /// List the models, installed or not
    List,
    /// Install a model from a file or folder
    Add {
        /// The file or folder
        path: PathBuf,
        /// Which model of the catalogue it is [default: found out from the file]
        #[arg(long)]
        id: Option<String>,
    },
    /// Fetch a model of the catalogue
    Download {
        /// The id that `models list` shows
        id: String,
        /// Return once it is installed
        #[arg(long)]
        wait: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Llm {
    /// Show how it is set up
    Show,
    /// Set it up; giving an address or a model turns it on, and what is not given stays as it is
    Set(LlmSet),
    /// Ask it for one word
    Test,
    /// Turn it off; how it is set up is kept
    Off,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LlmSet {
    /// Its protocol: openai (also Ollama, llama.cpp, vLLM and others) or anthropic
    #[arg(long)]
    pub protocol: Option<LlmProtocol>,
    /// Its address, such as http://127.0.0.1:11434/v1
    #[arg(long)]
    pub url: Option<String>,
    /// Its name there
    #[arg(long)]
    pub model: Option<String>,
    /// Read the key from this file, or from standard input with -
    #[arg(long, value_name = "FILE")]
    pub key_from: Option<PathBuf>,
    /// Take the key away
    #[arg(long, conflicts_with = "key_from")]
    pub no_key: bool,
    /// What it is used for: claims, classification, or both with a comma
    #[arg(long = "for", value_name = "USES", value_delimiter = ',')]
    pub use_for: Vec<LlmUse>,
    /// Spend at most so many tokens a day
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u64>,
    /// Send at most so many characters of one memory
    #[arg(long, value_name = "N")]
    pub max_chars: Option<u64>,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum Encryption {
    /// Tell whether it is encrypted
    Status,
    /// Encrypt it; asks for a new passphrase. Ends the service first
    On,
    /// Decrypt it; asks for the passphrase. Ends the service first
    Off,
    /// Change the passphrase
    Passphrase,
}
