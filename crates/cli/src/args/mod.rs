//! The verbs and their flags.

mod access;
mod capture;
mod forget;
mod measure;
mod named;
mod recall;
mod review;
mod spaces;
mod upkeep;

pub(crate) use access::{Agents, Audit, Mcp};
pub(crate) use capture::{Ingest, Remember, Watch};
pub(crate) use forget::{Forget, ForgetTarget, Purge};
pub(crate) use measure::{Bench, Eval};
pub(crate) use recall::{Recall, Search, Trace};
pub(crate) use review::{Held, Promote, Promotions};
pub(crate) use spaces::Space;
pub(crate) use upkeep::{Artifacts, Encryption, Job, Jobs, Llm, Models};

use crate::beliefs::args as beliefs;
use crate::findings::args as findings;
use crate::when;
use crate::work::args as work;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Evidence-first, long-term memory on your own machine.
#[derive(Debug, Parser)]
#[command(name = "umem", version, after_help = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused.")]
pub(crate) struct Args {
    /// The data folder [default: UM_DATA, else the platform's folder for application data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Print JSON instead of words
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make and list spaces
    #[command(subcommand)]
    Space(Space),
    /// Bring in files and folders
    Ingest(Ingest),
    /// Keep a text as a memory
    Remember(Remember),
    /// Find the passages that answer a question
    Recall(Recall),
    /// See how answers came about, and say what they were worth
    #[command(subcommand)]
    Trace(Trace),
    /// Keep questions to ask them again
    #[command(subcommand)]
    Search(Search),
    /// Say that a memory is still so
    Confirm {
        /// The memory's id
        id: String,
        /// You know that it is so, and do not just see it said
        #[arg(long)]
        verified: bool,
    },
    /// Say when a memory goes out of use by itself, or that it stays; one that went so comes back
    Expire {
        /// The memory's id
        id: String,
        /// As that day, minute or second ends (2030-06-01, tomorrow, "in 3 days", 2030-06-01T14:30), or as that month or year begins
        /// (2030-06, 2030); or `never`
        #[arg(value_name = "TIME")]
        time: String,
    },
    /// Say how near at hand a memory is; what is cold is found only where the question says tier:cold
    Tier {
        /// The id of the memory, or of a file
        id: String,
        /// hot, warm or cold
        tier: um_model::Tier,
    },
    /// Keep what a raw memory says as a distilled one, beside it
    Distill {
        /// The raw memory's id
        id: String,
        /// What is kept of it; - for standard input [default: all that it says]
        #[arg(long, allow_hyphen_values = true)]
        text: Option<String>,
    },
    /// Show anything by its id
    Get {
        /// The id of a memory, file, text view, passage, space or job, or the name of a space
        id: String,
    },
    /// List files and how far they are read
    Artifacts(Artifacts),
    /// Take a file or memory out of recall; it can be restored
    Remove {
        /// The id that `artifacts` or `recall` shows
        id: String,
    },
    /// Bring a removed file or memory back
    Restore {
        /// The id that `artifacts --removed` shows, or that was removed
        id: String,
    },
    /// Take a raw memory out for good: what it said is destroyed, that it was there is kept
    Archive {
        /// The memory's id
        id: String,
        /// Why
        #[arg(long)]
        reason: String,
    },
    /// Forget for good: show what would go, ask, let it go everywhere, and prove it
    Forget(Forget),
    /// Remove for good the empty rows that forgetting leaves (compliance mode)
    Purge(Purge),
    /// Read a file again
    Reread {
        /// The id that `artifacts` shows
        id: String,
    },
    /// Give the password of a file that waits for it: asked for, or read from standard input
    Unlock {
        /// The id that `artifacts` shows
        id: String,
    },
    /// Show what is being read and embedded, and what failed or waits
    Jobs(Jobs),
    /// Cancel a job, or try it again
    #[command(subcommand)]
    Job(Job),
    /// State facts, list and find what is believed
    #[command(subcommand)]
    Facts(beliefs::Facts),
    /// List, show, merge and name who and what is spoken of
    #[command(subcommand)]
    Entity(beliefs::Entity),
    /// Show, take back and restore a claim
    #[command(subcommand)]
    Claim(beliefs::Claim),
    /// Tell why something is believed: all quotes, and the arithmetic
    Why {
        /// The id of the claim
        claim: String,
        #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
        known_at: Option<String>,
    },
    /// List and decide claims that cannot both stand
    #[command(subcommand)]
    Conflicts(beliefs::Conflicts),
    /// Walk along believed relations
    Graph(beliefs::Graph),
    /// List and define relations and attributes
    #[command(subcommand, visible_alias = "predicates")]
    Predicate(beliefs::Predicate),
    /// List and decide what is personal or secret, and mark more
    #[command(subcommand)]
    Findings(findings::Findings),
    /// Ask for a copy of something in another space
    Promote(Promote),
    /// List, show and decide what is asked for from other spaces
    #[command(subcommand)]
    Promotions(Promotions),
    /// List and decide what is proposed: what agents wrote that is not kept before you say so, what a wrong answer rested on
    #[command(subcommand)]
    Held(Held),
    /// Begin, end, list and show sessions of work
    #[command(subcommand)]
    Session(work::Session),
    /// Write down and tell what is in hand
    #[command(subcommand)]
    State(work::State),
    /// Append and list what was said and done
    #[command(subcommand)]
    Event(work::Event),
    /// Take files, so that nobody else works on them meanwhile, and let them go
    #[command(subcommand)]
    Lock(work::Lock),
    /// Write, list and show tools, guidelines and knowledge, with their versions
    #[command(subcommand)]
    Entry(work::Entry),
    /// List, make, attach and detach tags
    #[command(subcommand)]
    Tag(work::Tag),
    /// Say how items bear on one another, list that, and walk along it
    #[command(subcommand)]
    Relation(work::Relation),
    /// Find tools, guidelines, knowledge, standing rules, resources and memories by words, tags, relations and level
    Query(Box<work::Query>),
    /// Write down that something was checked, and list that
    Verify(crate::work::verify::Verify),
    /// List, set and remove the standing rules that every agent of a space always reads
    #[command(subcommand)]
    Rule(crate::work::blocks::Rule),
    /// Pin a memory, so that every agent of its space always reads it
    Pin {
        /// The memory's id
        id: String,
    },
    /// Let a pinned memory go
    Unpin {
        /// The memory's id
        id: String,
    },
    /// Put, browse, show and remove what a space works with
    #[command(subcommand)]
    Resource(crate::work::resources::ResourceVerb),
    /// Put together what to read before working
    Context(crate::work::brief::Context),
    /// Compare what was written of a work tree with the work tree as it is
    Drift(crate::work::drift::Drift),
    /// Watch folders, whose files then come in by themselves
    #[command(subcommand)]
    Watch(Watch),
    /// List, install and fetch models
    Models {
        /// What to do [default: list]
        #[command(subcommand)]
        action: Option<Models>,
    },
    /// Set up, try or turn off a language model; off until set up
    Llm {
        /// What to do [default: show]
        #[command(subcommand)]
        action: Option<Llm>,
    },
    /// Serve the data folder in the foreground, without a window
    Serve {
        /// End after so many seconds without a connection and without work
        #[arg(long, value_name = "SECONDS")]
        idle_exit: Option<u64>,
    },
    /// Connect an agent: speak MCP on standard input and output
    Mcp(Mcp),
    /// Write into a program's settings that it starts `umem mcp`, after showing it and asking
    Connect(crate::connect::Connect),
    /// List the agents, let them in, suspend and revoke them
    #[command(subcommand)]
    Agents(Agents),
    /// Show, check and export the ledger of what was done
    #[command(subcommand)]
    Audit(Audit),
    /// Tell who may read and write a space, and what is read with it
    Access {
        /// Name, path or id of the space
        space: String,
        /// Tell it for this agent [default: you]
        #[arg(long)]
        agent: Option<String>,
    },
    /// Check the data folder
    Doctor {
        /// Rebuild the full text and vector indexes first
        #[arg(long)]
        rebuild: bool,
    },
    /// Encrypt the data folder with a passphrase, or decrypt it
    #[command(subcommand)]
    Encryption(Encryption),
    /// Embed every passage anew; resumable
    Reembed {
        /// The model of the catalogue [default: the one in use]
        #[arg(long)]
        model: Option<String>,
    },
    /// Show the service's state
    Status,
    /// End the service, where the command line started it
    Stop,
    /// Call any operation by its name
    Call {
        /// Its name, such as memory_recall
        operation: String,
        /// The request as JSON
        #[arg(default_value = "{}")]
        request: String,
        /// Print what it takes and answers, as JSON Schema, instead of calling it
        #[arg(long, conflicts_with = "request")]
        schema: bool,
    },
    /// Measure quality
    #[command(subcommand)]
    Eval(Eval),
    /// Measure how long recalling and storing take on this machine, in a data folder of its own
    Bench(Bench),
}

/// How many to give: none is no answer.
pub(crate) fn at_least_one(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "give a number, 1 at least".to_owned())
}

/// A share: a number from 0 to 1. What is no number, as `NaN`, or endless, would be sent as nothing at all.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "give a number from 0 to 1".to_owned())
}
