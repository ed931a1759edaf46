//! The verbs of what waits for the person: copies in other spaces, and what is proposed.

use super::at_least_one;
use clap::Subcommand;
use um_model::promote::{PromotedKind, PromotionStatus};

#[derive(Debug, clap::Args)]
pub(crate) struct Promote {
    /// memory, claim, entity or artifact
    pub kind: PromotedKind,
    /// Its id
    pub id: String,
    /// Name, path or id of the space that the copy is for
    #[arg(long, value_name = "SPACE")]
    pub to: String,
    /// Why
    #[arg(long)]
    pub notes: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Held {
    /// List what is proposed: what an agent wrote that looks like a secret or like an order to a model, what was marked to be
    /// remembered, what a wrong answer rested on
    List {
        /// Name or id of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// What was dismissed rather than what waits
        #[arg(long)]
        dismissed: bool,
        /// Give at most so many
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Do what is proposed: keep what it says, or take the memory that it tells of out of recall
    Accept {
        /// The id that `held list` shows
        id: String,
    },
    /// Do not do it: what it says is not kept, or the memory stays in recall; that can be taken back for 30 days
    Dismiss {
        /// The id that `held list` shows
        id: String,
    },
    /// Let what was dismissed wait again
    Wait {
        /// The id that `held list --dismissed` shows
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Promotions {
    /// List requests, the newest first
    List {
        /// Only from or for this space
        #[arg(long)]
        space: Option<String>,
        /// Only those in this state: pending, approved, rejected; may be repeated [default: pending]
        #[arg(long)]
        status: Vec<PromotionStatus>,
        /// At most so many, to 1,000 [default: 100]
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Show what approving would copy, who would read it, and what stands in the way
    Show {
        /// The id that `promotions list` shows
        id: String,
    },
    /// Look at what would be copied, and copy it
    Approve {
        /// The id that `promotions list` shows
        id: String,
        /// Why
        #[arg(long)]
        notes: Option<String>,
        /// Approve exactly what was shown under this token; without it, what there is now
        #[arg(long)]
        token: Option<String>,
    },
    /// Leave it where it is
    Reject {
        /// The id that `promotions list` shows
        id: String,
        /// Why
        #[arg(long)]
        notes: Option<String>,
    },
}
