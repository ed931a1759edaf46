//! The verbs that bring something in: files, folders and texts.

use super::share;
use crate::when;
use clap::Subcommand;
use std::path::PathBuf;
use um_model::envelope::{ConfidenceLabel, MemoryLayer, RecordKind};
use um_model::{DeletePolicy, EpochMs, MemoryId};

#[derive(Debug, clap::Args)]
pub(crate) struct Ingest {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Name or id of the space they go to
    #[arg(long)]
    pub space: String,
    /// Return once every file is settled, and say how each ended
    #[arg(long)]
    pub wait: bool,
    /// Whose they are
    #[arg(long)]
    pub owner: Option<String>,
    /// The session they come from
    #[arg(long)]
    pub session: Option<String>,
    /// When what they hold was made or happened: a date such as 2024-05-01, 2024-05 or 2024, or milliseconds since 1970;
    /// else what each says itself, or when it was last changed
    #[arg(long, value_name = "DATE", value_parser = when::begins, allow_hyphen_values = true)]
    pub occurred_at: Option<EpochMs>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Remember {
    /// The text, or - for standard input
    #[arg(allow_hyphen_values = true, required_unless_present = "file")]
    pub text: Option<String>,
    /// Keep many, one a line of this file (- for standard input): a text, or JSON such as {"text": "…", "key": "…"}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "kind", "title", "key", "owner", "artifact_ref",
        "confidence", "record_kind", "importance", "metadata", "session", "occurred_at", "expires", "derived_from"])]
    pub file: Option<PathBuf>,
    /// Name, path or id of the space it goes to, or a scope such as global, project:NAME, session:ID
    #[arg(long, visible_alias = "scope")]
    pub space: String,
    /// raw, what was said as it was, which nothing changes; or distilled [default: distilled]
    #[arg(long)]
    pub kind: Option<MemoryLayer>,
    /// A title
    #[arg(long)]
    pub title: Option<String>,
    /// Groups versions: a new text with the same key supersedes the old one
    #[arg(long)]
    pub key: Option<String>,
    /// Whose it is
    #[arg(long)]
    pub owner: Option<String>,
    /// Where it comes from: the address of a message, pull request or file
    #[arg(long, value_name = "ADDRESS")]
    pub artifact_ref: Option<String>,
    /// How sure it is: verified, observed, inferred, stale [default: observed]
    #[arg(long, value_name = "LABEL")]
    pub confidence: Option<ConfidenceLabel>,
    /// What it records: user_preference, decision, lesson_learned, environment_fact, project_convention,
    /// active_project_state, tool_note, other
    #[arg(long, value_name = "KIND")]
    pub record_kind: Option<RecordKind>,
    /// 0 to 1: how much it matters [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub importance: Option<f64>,
    /// What goes with it, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// The session it comes from, by its id or as you call it: no session need be under way
    #[arg(long)]
    pub session: Option<String>,
    /// When it happened: a date such as 2024-05-01, 2024-05 or 2024, or milliseconds since 1970
    #[arg(long, value_name = "DATE", value_parser = when::begins, allow_hyphen_values = true)]
    pub occurred_at: Option<EpochMs>,
    /// It goes out of use by itself as that day, minute or second ends (2030-06-01, tomorrow, "in 3 days", 2030-06-01T14:30), or as
    /// that month or year begins (2030-06, 2030) [default: never]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub expires: Option<String>,
    /// A memory that it was made of, by its id; may be given several times
    #[arg(long = "from", value_name = "ID", value_parser = memory)]
    pub derived_from: Vec<MemoryId>,
}

fn memory(text: &str) -> Result<MemoryId, String> {
    MemoryId::parse(text).map_err(|_| "that is no id of a memory; umem recall shows them".to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Watch {
    /// Watch a folder
    Add {
        /// The folder
        dir: PathBuf,
        /// Name or id of the space its files go to
        #[arg(long)]
        space: String,
        /// Only files that match this glob; may be repeated
        #[arg(long, value_name = "GLOB")]
        include: Vec<String>,
        /// Never files that match this glob; may be repeated
        #[arg(long, value_name = "GLOB")]
        exclude: Vec<String>,
        /// Obey .gitignore files
        #[arg(long)]
        gitignore: bool,
        /// What a deleted file means: mark (it leaves recall) or keep
        #[arg(long, value_name = "POLICY")]
        on_delete: Option<DeletePolicy>,
    },
    /// List the watched folders
    List,
    /// Stop watching; what came in stays
    Remove {
        /// The id that `watch list` shows
        id: String,
    },
}
