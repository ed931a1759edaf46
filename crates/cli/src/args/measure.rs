//! The verbs that measure quality and time.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Among so many passages
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub units: usize,
    /// How long their vectors are
    #[arg(long, value_name = "N", default_value_t = 384)]
    pub dim: usize,
    /// Over how many spaces they are spread
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub spaces: usize,
    /// Store 200 texts a second beside four who ask, for so many seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub seconds: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
    /// Score recall on a set of documents and questions, in a data folder of its own
    Recall {
        /// JSON Lines: documents and queries
        file: PathBuf,
        /// Tell what each part of recall brings as well: everything is asked again with one part off each; and what each signal of the score does
        #[arg(long)]
        ablate: bool,
    },
    /// Score the claims that the local rules read from sentences
    Beliefs {
        /// JSON Lines: texts with the claims that a person drew from them
        file: PathBuf,
    },
    /// Score the personal and secret data that the detectors find in texts
    Pii {
        /// JSON Lines: texts with what a person marked in them
        file: PathBuf,
    },
}
