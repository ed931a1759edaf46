//! The verbs of findings and their flags.

use crate::args::at_least_one;
use clap::{ArgGroup, Subcommand};
use um_model::findings::{FindingKind, FindingStatus};

#[derive(Debug, Subcommand)]
pub(crate) enum Findings {
    /// List what was found or marked, with its words and where they stand
    List {
        /// Name or id of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Only those in this state: pending, accepted, dismissed, applied; may be repeated [default: pending]
        #[arg(long)]
        status: Vec<FindingStatus>,
        /// Only those of this kind, such as email, phone, card, person; may be repeated
        #[arg(long)]
        kind: Vec<FindingKind>,
        /// Only those in this file
        #[arg(long, value_name = "ID", conflicts_with = "memory")]
        artifact: Option<String>,
        /// Only those in this memory
        #[arg(long, value_name = "ID")]
        memory: Option<String>,
        /// At most so many, to 1,000 [default: 100]
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Say that findings are to be blacked out
    Accept(Which),
    /// Say that findings stay as they are
    Dismiss(Which),
    /// Take back what was decided
    Reopen(Which),
    /// Black out for good what was accepted in a file or memory
    #[command(group = ArgGroup::new("in").required(true).args(["artifact", "memory"]))]
    Apply {
        /// The file
        #[arg(long, value_name = "ID")]
        artifact: Option<String>,
        /// The memory
        #[arg(long, value_name = "ID")]
        memory: Option<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Mark words, a box on a page or a stretch of a recording; what is marked is accepted
    Add(Mark),
}

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("which").required(true).args(["ids", "all"]))]
pub(crate) struct Which {
    /// The ids that `findings list` shows
    pub ids: Vec<String>,
    /// All of a space, a file or a memory
    #[arg(long)]
    pub all: bool,
    /// Of all, only those of this kind
    #[arg(long, requires = "all")]
    pub kind: Option<FindingKind>,
    /// Name or id of the space
    #[arg(long, requires = "all")]
    pub space: Option<String>,
    /// The file
    #[arg(long, value_name = "ID", requires = "all", conflicts_with = "memory")]
    pub artifact: Option<String>,
    /// The memory
    #[arg(long, value_name = "ID", requires = "all")]
    pub memory: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("source").required(true).args(["view", "memory", "artifact"]))]
#[command(group = ArgGroup::new("place").required(true).args(["span", "region", "time"]))]
pub(crate) struct Mark {
    /// The text view whose words are marked
    #[arg(long, value_name = "ID", requires = "span")]
    pub view: Option<String>,
    /// The memory whose words are marked
    #[arg(long, value_name = "ID", requires = "span")]
    pub memory: Option<String>,
    /// The file of which a part is marked
    #[arg(long, value_name = "ID", conflicts_with = "span")]
    pub artifact: Option<String>,
    /// Where the words stand, in UTF-16 code units of their text
    #[arg(long, value_name = "START-END", value_parser = range)]
    pub span: Option<(u64, u64)>,
    /// A box on the page, in its measure: points of a PDF, pixels of a picture
    #[arg(long = "box", value_name = "X,Y,W,H", value_parser = bbox)]
    pub region: Option<[f64; 4]>,
    /// The page that the box is on, from 1
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    pub page: u32,
    /// A stretch of a recording, in milliseconds
    #[arg(long, value_name = "START-END", value_parser = range)]
    pub time: Option<(u64, u64)>,
    /// What it is, such as email or person [default: other]
    #[arg(long)]
    pub kind: Option<FindingKind>,
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let parsed = text.split_once('-').and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
    parsed.filter(|(from, to)| from < to).ok_or_else(|| "write two numbers, such as 12-30".to_owned())
}

fn bbox(text: &str) -> Result<[f64; 4], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers
        .and_then(|numbers| <[f64; 4]>::try_from(numbers).ok())
        .ok_or_else(|| "write four numbers, such as 72,96.5,310,14".to_owned())
}
