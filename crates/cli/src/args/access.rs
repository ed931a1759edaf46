//! The verbs of agents, of how they connect, and of the ledger.

use super::share;
use clap::Subcommand;
use std::path::PathBuf;
use um_model::access::{Right, ToolProfile};
use um_model::audit::AuditTopic;

/// What an agent asks for that is not let in yet.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Mcp {
    /// The spaces that it asks for [default: default]
    #[arg(long = "space", value_name = "SPACE")]
    pub spaces: Vec<String>,
    /// What it asks to do: read, write [default: both]
    #[arg(long, value_delimiter = ',')]
    pub rights: Vec<Right>,
    /// The tools that are shown: default, work, knowledge, beliefs, library, review, all [default: the agent's own]
    #[arg(long)]
    pub profile: Option<ToolProfile>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// List what was done, the newest first
    List {
        /// Only in this space
        #[arg(long)]
        space: Option<String>,
        /// Only by this agent
        #[arg(long)]
        agent: Option<String>,
        /// Only of this type: `agent`, `memory.remembered`
        #[arg(long = "type", value_name = "TYPE")]
        event_type: Option<String>,
        /// Only about this: asked, sources, beliefs, personal, copies, forgotten, access, upkeep
        #[arg(long)]
        topic: Option<AuditTopic>,
        /// Only of the object with this id
        #[arg(long)]
        object: Option<String>,
        /// Only before the entry of this number
        #[arg(long)]
        before: Option<i64>,
        /// At most so many
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// Check that no entry was altered, taken out or moved
    Verify,
    /// Print every entry as JSON Lines, the oldest last
    Export,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Agents {
    /// List the agents, what each may do where, and which wait to be let in
    List,
    /// Let an agent in: answers its request where one waits, else makes a token for it
    Pair {
        /// What the agent calls itself
        name: String,
        /// Its spaces [default: those that it asks for, else default]
        #[arg(long = "space", value_name = "SPACE")]
        spaces: Vec<String>,
        /// What it may do: read, write [default: what it asks for, else both]
        #[arg(long, value_delimiter = ',')]
        rights: Vec<Right>,
        /// End the token after so many days [default: never]
        #[arg(long, value_name = "DAYS")]
        expires: Option<u32>,
        /// Requests a minute, on average [default: 600]
        #[arg(long, value_name = "NUMBER")]
        rate: Option<u32>,
    },
    /// Answer the request of an agent with no
    Refuse {
        /// What the agent calls itself
        name: String,
        /// Not now: it may ask again in an hour
        #[arg(long)]
        for_now: bool,
    },
    /// Take an agent's tokens back, all or one
    Revoke {
        /// Name or id of the agent
        agent: String,
        /// The id of the token
        #[arg(long)]
        token: Option<String>,
    },
    /// Suspend an agent: it may do nothing until it is taken up again
    Suspend {
        /// Name or id of the agent
        agent: String,
    },
    /// Take a suspended agent up again
    Resume {
        /// Name or id of the agent
        agent: String,
    },
    /// Show, open or close folders that an agent may bring files in from
    Folders {
        /// Name or id of the agent
        agent: String,
        /// Open a folder to it
        #[arg(long, value_name = "FOLDER")]
        add: Vec<PathBuf>,
        /// Close a folder
        #[arg(long, value_name = "FOLDER")]
        remove: Vec<PathBuf>,
    },
    /// Say how far an agent is trusted
    Trust {
        /// Name or id of the agent
        agent: String,
        /// 0 to 1
        #[arg(value_parser = share)]
        weight: f64,
    },
    /// Choose the tools that an agent is shown
    Tools {
        /// Name or id of the agent
        agent: String,
        /// default, work, knowledge, beliefs, library, review, all
        profile: ToolProfile,
    },
    /// List what agents asked since the service began, and what they got
    Requests {
        /// Name or id of one agent
        agent: Option<String>,
        /// At most so many
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
}
