//! The verbs that ask, and tell how answers came about.

use super::at_least_one;
use crate::when;
use um_model::traces::TraceOutcome;

#[derive(Debug, clap::Args)]
pub(crate) struct Recall {
    /// The question, in one word or several; -word leaves a word out
    #[arg(required = true)]
    pub query: Vec<String>,
    /// Name or id of the space to search [default: all]
    #[arg(long)]
    pub space: Option<String>,
    /// Give at most so many passages
    #[arg(long, value_parser = at_least_one)]
    pub limit: Option<u32>,
    /// Tell of each passage whose its memory is, where it came from, and how sure it is
    #[arg(long)]
    pub why: bool,
    /// Tell as well what is connected with the passages by entities, tags, relations and use, apart from them
    #[arg(long)]
    pub associated: bool,
    #[arg(long, value_name = "TIME", help = when::AS_OF)]
    pub as_of: Option<String>,
    #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
    pub known_at: Option<String>,
    /// Tell instead why a memory or file that you expected is not among the passages
    #[arg(long, value_name = "ID")]
    pub why_not: Option<String>,
}

/// `umem trace …`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Trace {
    /// List what was asked, the newest first
    List {
        /// Only questions that have all of these words, or parts of words
        #[arg(long, value_name = "WORDS")]
        query: Option<String>,
        /// Only what this one asked: name or id of an agent; `owner` are you
        #[arg(long, value_name = "AGENT")]
        actor: Option<String>,
        #[arg(long, value_name = "TIME", help = when::SINCE)]
        since: Option<String>,
        #[arg(long, value_name = "TIME", help = when::UNTIL)]
        until: Option<String>,
        /// Name or id of a space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Only those that ended so: success, abstained, error
        #[arg(long)]
        outcome: Option<TraceOutcome>,
        /// Only those that somebody said something of
        #[arg(long)]
        with_feedback: bool,
        /// Give at most so many
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Only what comes after this one in the list
        #[arg(long, value_name = "ID")]
        after: Option<String>,
    },
    /// Show how an answer came about
    Show {
        /// The trace's id, as `recall` and `trace list` tell it, or its first or last eight characters
        id: String,
    },
    /// Compute an answer again from its trace, and ask its question again now
    Replay {
        /// The trace's id, or its first or last eight characters
        id: String,
    },
    /// Say that an answer was right; what waits in `held list` for it, as it was called wrong before, is taken back
    Right {
        /// The trace's id, or its first or last eight characters
        id: String,
    },
    /// Say that an answer was wrong; what it rested on waits for you in `held list`
    Wrong {
        /// The trace's id, or its first or last eight characters
        id: String,
        /// What is right
        #[arg(long)]
        correction: Option<String>,
    },
    /// Take back what was said of an answer, that it was right or wrong; what waits in `held list` for it goes, too
    Unsay {
        /// The trace's id, or its first or last eight characters
        id: String,
    },
    /// Keep what was answered, beside how it came about
    Answer {
        /// The trace's id, or its first or last eight characters
        id: String,
        /// What was answered, or - for standard input
        #[arg(allow_hyphen_values = true)]
        text: String,
    },
}

/// `umem search …`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Search {
    /// Keep a question under a name
    Save {
        /// What it is called
        name: String,
        /// The question; from:, type:, tag:, tier:, before:, after:, "exact words" and -without narrow it down
        #[arg(allow_hyphen_values = true)]
        query: String,
        /// Name or id of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Give at most so many passages
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Only what was so then, as with `recall`; the day is kept as a moment, and is the same whenever it is asked
        #[arg(long, value_name = "TIME")]
        as_of: Option<String>,
        /// Only what was known then, likewise
        #[arg(long, value_name = "TIME")]
        known_at: Option<String>,
    },
    /// List the questions that are kept
    List,
    /// Ask a question that is kept, as `recall` does
    Run {
        /// What it is called, its id, or the beginning or end of that
        search: String,
    },
    /// Drop a question that is kept
    Drop {
        /// What it is called, its id, or the beginning or end of that
        search: String,
    },
}
