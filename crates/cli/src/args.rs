//! The verbs and their flags.

use crate::beliefs::args as beliefs;
use crate::findings::args as findings;
use crate::when;
use crate::work::args as work;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use um_model::access::{Grant, MembershipStatus, OverlayMode, ReadPolicy, Right, Role, ToolProfile, WritePolicy};
use um_model::audit::AuditTopic;
use um_model::envelope::{ConfidenceLabel, MemoryLayer, RecordKind};
use um_model::findings::FindingKind;
use um_model::llm::{LlmProtocol, LlmUse};
use um_model::promote::{PromotedKind, PromotionStatus};
use um_model::traces::TraceOutcome;
use um_model::{DeletePolicy, EpochMs, MemoryId, SpaceType};

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

impl Command {
    /// The spaces that the command names.
    pub(crate) fn spaces(&self) -> Vec<&str> {
        match self {
            Self::Space(Space::Overlay { space, overlay, .. }) => vec![space, overlay],
            Self::Agents(Agents::Pair { spaces, .. }) => spaces.iter().map(String::as_str).collect(),
            one => one.space().into_iter().collect(),
        }
    }

    /// The space that the command names, where it can name no more than one.
    fn space(&self) -> Option<&str> {
        match self {
            Self::Space(Space::Create { parent, .. }) => parent.as_deref(),
            Self::Space(
                Space::Rename { space, .. }
                | Space::Archive { space }
                | Space::Restore { space }
                | Space::Mask { space, .. }
                | Space::Describe { space, .. }
                | Space::Policy { space, .. }
                | Space::Member { space, .. },
            )
            | Self::Access { space, .. } => Some(space),
            Self::Ingest(Ingest { space, .. }) | Self::Remember(Remember { space, .. }) => Some(space),
            Self::Recall(Recall { space, .. })
            | Self::Artifacts(Artifacts { space, .. })
            | Self::Jobs(Jobs { space, .. }) => space.as_deref(),
            Self::Watch(Watch::Add { space, .. }) => Some(space),
            Self::Findings(findings::Findings::List { space, .. }) | Self::Audit(Audit::List { space, .. }) => {
                space.as_deref()
            }
            Self::Findings(
                findings::Findings::Accept(which)
                | findings::Findings::Dismiss(which)
                | findings::Findings::Reopen(which),
            ) => which.space.as_deref(),
            Self::Facts(_) | Self::Entity(_) | Self::Conflicts(_) | Self::Graph(_) | Self::Predicate(_) => {
                self.space_of_beliefs()
            }
            Self::Forget(forget) => forget.space.as_deref(),
            Self::Promote(promote) => Some(&promote.to),
            Self::Trace(Trace::List { space, .. }) | Self::Search(Search::Save { space, .. }) => space.as_deref(),
            Self::Promotions(Promotions::List { space, .. }) | Self::Held(Held::List { space, .. }) => space.as_deref(),
            _ => self.space_of_work(),
        }
    }

    fn space_of_work(&self) -> Option<&str> {
        match self {
            Self::Session(work::Session::Start { space, .. } | work::Session::List { space, .. }) => space.as_deref(),
            Self::State(work::State::Set { at, .. } | work::State::Show { at })
            | Self::Event(work::Event::Add { at, .. } | work::Event::List { at, .. })
            | Self::Lock(work::Lock::Take { at, .. })
            | Self::Entry(work::Entry::Show { at, .. } | work::Entry::List { at, .. }) => at.space.as_deref(),
            Self::Entry(work::Entry::Save(entry)) => entry.at.space.as_deref(),
            Self::Query(query) => query.at.space.as_deref(),
            Self::Lock(work::Lock::Release { space, .. } | work::Lock::List { space, .. })
            | Self::Entry(work::Entry::Conflicts { space, .. })
            | Self::Tag(work::Tag::List { space, .. } | work::Tag::Create { space, .. })
            | Self::Relation(work::Relation::List { space, .. }) => space.as_deref(),
            Self::Rule(rule) => rule.space(),
            Self::Resource(resource) => resource.space(),
            Self::Context(context) => context.space.as_deref(),
            Self::Verify(verify) => verify.space.as_deref(),
            Self::Drift(drift) => drift.space.as_deref(),
            _ => None,
        }
    }

    fn space_of_beliefs(&self) -> Option<&str> {
        use beliefs::{Conflicts, Entity, Facts, Predicate};
        match self {
            Self::Facts(Facts::Add(fact)) => Some(&fact.space),
            Self::Facts(Facts::List(list)) => list.space.as_deref(),
            Self::Entity(Entity::List { space, .. } | Entity::Candidates { space, .. })
            | Self::Conflicts(Conflicts::List { space, .. }) => space.as_deref(),
            Self::Entity(Entity::Resolve { space, .. }) | Self::Predicate(Predicate::Define { space, .. }) => {
                Some(space)
            }
            Self::Entity(
                Entity::Show { place, .. }
                | Entity::Merge { place, .. }
                | Entity::Share { place, .. }
                | Entity::Rename { place, .. }
                | Entity::Alias { place, .. },
            )
            | Self::Graph(beliefs::Graph { place, .. }) => place.space.as_deref(),
            Self::Predicate(Predicate::List { space }) => space.as_deref(),
            _ => None,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Space {
    /// Make a space
    Create {
        /// Its name
        name: String,
        /// What it is for: global, user_core, user_personal, organization, project, shared, hive
        #[arg(long = "type", value_name = "TYPE")]
        space_type: Option<SpaceType>,
        /// Name or id of the space it stands under
        #[arg(long)]
        parent: Option<String>,
        /// What it is about
        #[arg(long)]
        description: Option<String>,
        /// The folder that is worked in for it, with its whole path
        #[arg(long, value_name = "FOLDER")]
        root: Option<String>,
    },
    /// Say what a space is about, which folder is worked in for it, and what is always read of it
    Describe {
        /// Name, path or id of the space
        space: String,
        /// What it is about; nothing any more where empty
        #[arg(long)]
        description: Option<String>,
        /// The folder that is worked in for it, with its whole path; none any more where empty
        #[arg(long, value_name = "FOLDER")]
        root: Option<String>,
        /// What was not confirmed for so many days counts as stale
        #[arg(long, value_name = "DAYS")]
        stale_after: Option<u32>,
        /// What answers a question by less is no answer: 0 to 1 [default: 0.2]
        #[arg(long, value_name = "N")]
        abstain_below: Option<f64>,
        /// Go back to the usual of --abstain-below
        #[arg(long, conflicts_with = "abstain_below")]
        usual_abstain_below: bool,
        /// So many characters of standing rules and pinned memories are always read
        #[arg(long, value_name = "N", requires = "always_records")]
        always_chars: Option<u32>,
        /// So many standing rules and pinned memories are always read
        #[arg(long, value_name = "N", requires = "always_chars")]
        always_records: Option<u32>,
    },
    /// List the spaces and what they hold
    List,
    /// Give a space another name
    Rename {
        /// Name, path or id of the space
        space: String,
        /// The new name
        name: String,
    },
    /// Put a space away: it keeps what it holds, but nothing of it is listed or found
    Archive {
        /// Name, path or id of the space
        space: String,
    },
    /// Hide kinds of personal data of a space from agents; you still see them
    Mask {
        /// Name, path or id of the space
        space: String,
        /// The kinds, such as email,phone,card,person; `none` hides nothing
        #[arg(long, value_name = "KINDS", value_parser = kinds)]
        kinds: Kinds,
    },
    /// Bring an archived space back
    Restore {
        /// Name, path or id of the space
        space: String,
    },
    /// Say who reads a space and who writes to it
    Policy {
        /// Name, path or id of the space
        space: String,
        /// Who reads: owner_only, members, public
        #[arg(long)]
        read: Option<ReadPolicy>,
        /// Who writes: owner_only, leaders, members
        #[arg(long)]
        write: Option<WritePolicy>,
    },
    /// Give an agent a part in a space, change it or end it
    Member {
        /// Name, path or id of the space
        space: String,
        /// Name or id of the agent
        agent: String,
        /// What it is there: owner, leader, member, observer
        #[arg(long)]
        role: Option<Role>,
        /// Whether that counts: active, suspended, removed
        #[arg(long)]
        status: Option<MembershipStatus>,
        /// The trust in what it says there, 0 to 1
        #[arg(long)]
        trust: Option<f64>,
        /// What it may do beyond its role: redact, forget, approve_promotion, manage_members;
        /// all others end
        #[arg(long, value_delimiter = ',')]
        grants: Option<Vec<Grant>>,
    },
    /// Read what another space holds with a space, or end that
    Overlay {
        /// Name, path or id of the space that includes
        space: String,
        /// Name, path or id of the space that is included
        overlay: String,
        /// How: read_only, read_write
        #[arg(long, default_value = "read_only")]
        mode: OverlayMode,
        /// End it
        #[arg(long)]
        end: bool,
    },
}

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

/// Kinds of personal data.
#[derive(Debug, Clone)]
pub(crate) struct Kinds(pub Vec<FindingKind>);

fn kinds(text: &str) -> Result<Kinds, String> {
    if text.trim() == "none" {
        return Ok(Kinds(Vec::new()));
    }
    let kinds: Result<_, _> = text.split(',').map(|word| word.trim().parse::<FindingKind>()).collect();
    kinds.map(Kinds).map_err(|error| error.to_string())
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
        "confidence", "record_kind", "importance", "metadata", "session", "occurred_at", "derived_from"])]
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
    #[arg(long, value_name = "SHARE")]
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
    /// A memory that it was made of, by its id; may be given several times
    #[arg(long = "from", value_name = "ID", value_parser = memory)]
    pub derived_from: Vec<MemoryId>,
}

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

#[derive(Debug, clap::Args)]
pub(crate) struct Recall {
    /// The question, in one word or several; behind -- where it begins with a minus
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
        /// The trace's id, as `recall` and `trace list` tell it
        id: String,
    },
    /// Compute an answer again from its trace, and ask its question again now
    Replay {
        /// The trace's id
        id: String,
    },
    /// Say that an answer was right; what waits in `held list` for it, as it was called wrong before, is taken back
    Right {
        /// The trace's id
        id: String,
    },
    /// Say that an answer was wrong; what it rested on waits for you in `held list`
    Wrong {
        /// The trace's id
        id: String,
        /// What is right
        #[arg(long)]
        correction: Option<String>,
    },
    /// Take back what was said of an answer, that it was right or wrong; what waits in `held list` for it goes, too
    Unsay {
        /// The trace's id
        id: String,
    },
    /// Keep what was answered, beside how it came about
    Answer {
        /// The trace's id
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
        /// The question; from:, type:, tag:, before:, after:, "exact words" and -without narrow it down
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
        /// What it is called, its id, or the beginning of that
        search: String,
    },
    /// Drop a question that is kept
    Drop {
        /// What it is called, its id, or the beginning of that
        search: String,
    },
}

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

/// How many to give: none is no answer.
pub(crate) fn at_least_one(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "give a number, 1 at least".to_owned())
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
        /// Tell what each signal of the ranking brings as well: the hundred best, in the order that they have without it
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
