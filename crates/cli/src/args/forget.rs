//! The verbs that let something go for good.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Purge {
    /// Turn compliance mode on or off; nothing is removed by it
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"], conflicts_with_all = ["dry_run", "yes"])]
    pub compliance_mode: Option<String>,
    /// Only show what would go
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Forget {
    #[command(flatten)]
    pub target: ForgetTarget,
    /// In every space; so it is where no space is named
    #[arg(long, conflicts_with = "space")]
    pub everywhere: bool,
    /// Only in this space (name or id)
    #[arg(long)]
    pub space: Option<String>,
    /// Show what would go, and leave it
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct ForgetTarget {
    /// A memory, by its id
    #[arg(long, value_name = "ID")]
    pub memory: Option<String>,
    /// A file, by the id that `artifacts` shows
    #[arg(long, value_name = "ID")]
    pub artifact: Option<String>,
    /// A fact, by its id, with the texts that say it
    #[arg(long, value_name = "ID")]
    pub claim: Option<String>,
    /// Somebody or something, by name or id, with all that names them
    #[arg(long, value_name = "NAME")]
    pub entity: Option<String>,
    /// Everything of an owner or agent
    #[arg(long)]
    pub owner: Option<String>,
    /// Everything that came from a folder
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Everything that has these words
    #[arg(long, value_name = "WORDS")]
    pub query: Option<String>,
    /// Let a text, name or number in again that was forgotten
    #[arg(long, value_name = "TEXT")]
    pub allow: Option<String>,
    /// Let a file in again that was forgotten
    #[arg(long, value_name = "FILE")]
    pub allow_file: Option<PathBuf>,
    /// Show the report of the last time
    #[arg(long)]
    pub report: bool,
    /// Write the report of the last time to a new file
    #[arg(long, value_name = "FILE")]
    pub save_report: Option<PathBuf>,
}
