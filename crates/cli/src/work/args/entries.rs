//! The verbs of tools, guidelines and knowledge, and their flags.

use super::{Page, Where};
use crate::when;
use clap::Subcommand;
use um_model::work::{ClashOutcome, EntryCategory, EntryType};

#[derive(Debug, Subcommand)]
pub(crate) enum Entry {
    /// Write a tool, guideline or piece of knowledge, or a new version of one
    Save(Box<EntrySave>),
    /// Show an entry: by its id, or by its type and name from the nearest level
    Show {
        /// Its id, or its name with --type
        name: String,
        /// tool, guideline, knowledge
        #[arg(long = "type", value_name = "TYPE")]
        entry_type: Option<EntryType>,
        #[command(flatten)]
        at: Where,
        /// Every level that has it
        #[arg(long)]
        all_levels: bool,
        /// Also one that is out of use
        #[arg(long)]
        inactive: bool,
        /// The number of a version [default: the last]
        #[arg(long, value_name = "NUMBER")]
        version: Option<u32>,
        #[arg(long, value_name = "TIME", help = when::AS_OF, conflicts_with = "version")]
        as_of: Option<String>,
    },
    /// List entries, the nearest level first, by priority; with words, those that say one of them
    List {
        /// Words: what is listed says one of them at least
        words: Vec<String>,
        #[command(flatten)]
        at: Where,
        /// tool, guideline, knowledge
        #[arg(long = "type", value_name = "TYPE")]
        entry_type: Option<EntryType>,
        /// Only about this
        #[arg(long)]
        category: Option<EntryCategory>,
        /// Nothing of the spaces above
        #[arg(long)]
        only_here: bool,
        /// What a nearer level overrides as well
        #[arg(long)]
        all_levels: bool,
        /// Those out of use as well
        #[arg(long)]
        inactive: bool,
        #[arg(long, value_name = "TIME", help = when::AS_OF)]
        as_of: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Take an entry out of use
    Disable {
        /// Its id
        id: String,
    },
    /// Take an entry into use again
    Enable {
        /// Its id
        id: String,
    },
    /// List the versions of an entry, the last first
    History {
        /// Its id
        id: String,
        #[command(flatten)]
        page: Page,
    },
    /// Tell what changed between two versions
    Diff {
        /// Its id
        id: String,
        /// The number of one version
        from: u32,
        /// The number of the other
        to: u32,
    },
    /// List versions that were written without regard to one another
    Conflicts {
        /// Name, path or id of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Those that were decided
        #[arg(long)]
        resolved: bool,
        #[command(flatten)]
        page: Page,
    },
    /// Decide between two versions
    Resolve {
        /// The id of the conflict
        id: String,
        /// keep_a, keep_b, merged, dismissed
        outcome: ClashOutcome,
        /// What both become, where they are merged: JSON
        #[arg(long, value_name = "JSON")]
        body: Option<String>,
        /// Why
        #[arg(long)]
        note: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct EntrySave {
    /// tool, guideline, knowledge
    pub entry_type: EntryType,
    /// Its name
    pub name: String,
    /// The text of a guideline or knowledge, or what a tool does
    #[arg(required_unless_present = "body")]
    pub text: Option<String>,
    /// All that it says, as JSON: the fields of entry_save's body
    #[arg(long, value_name = "JSON", conflicts_with = "text")]
    pub body: Option<String>,
    #[command(flatten)]
    pub at: Where,
    /// What it is about
    #[arg(long)]
    pub category: Option<EntryCategory>,
    /// 0 to 100, higher is more important
    #[arg(long)]
    pub priority: Option<u8>,
    /// Why it is written
    #[arg(long)]
    pub reason: Option<String>,
    /// The number of the version that you saw
    #[arg(long, value_name = "NUMBER")]
    pub base_version: Option<u32>,
    /// What goes with it, as a JSON object: where it was written, such as {"workspace_path": "…", "file_path": "…"}
    #[arg(long, value_name = "JSON")]
    pub metadata: Option<String>,
    /// A tag; may be repeated
    #[arg(long)]
    pub tag: Vec<String>,
}
