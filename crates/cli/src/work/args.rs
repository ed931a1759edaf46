//! The verbs of what agents work with, and their flags.

mod entries;

pub(crate) use entries::{Entry, EntrySave};

use crate::args::share;
use crate::when;
use clap::Subcommand;
use std::path::PathBuf;
use um_model::envelope::{MemoryLayer, RecordKind};
use um_model::work::*;

/// Where something belongs.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Where {
    /// Name, path or id of the space, or a scope such as global, organization:NAME, project:NAME, session:ID
    #[arg(long)]
    pub space: Option<String>,
    /// The id of a session
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// Which part of a list is shown.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Page {
    /// At most so many
    #[arg(long, value_name = "NUMBER")]
    pub limit: Option<u32>,
    /// Skip so many
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub offset: u32,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Session {
    /// Begin a session of work, or take one up again
    Start {
        /// Name, path, id or scope of the space [default: default]
        #[arg(long)]
        space: Option<String>,
        /// What it is called
        #[arg(long)]
        name: Option<String>,
        /// What it is for
        #[arg(long)]
        purpose: Option<String>,
        /// What your program calls it: the one of that name that is under way is taken up again
        #[arg(long, value_name = "NAME")]
        client_ref: Option<String>,
        /// Take up the session with this id
        #[arg(long, value_name = "ID")]
        resume: Option<String>,
        /// What goes into the briefing: auto, task, workspace
        #[arg(long)]
        policy: Option<Policy>,
        /// So many tokens the briefing has at most [default: 1200]
        #[arg(long, value_name = "TOKENS")]
        budget: Option<u32>,
        /// The root of a work tree that what is in the briefing is compared with
        #[arg(long, value_name = "FOLDER")]
        workspace: Option<PathBuf>,
        /// What goes with it, as a JSON object; a session that goes on keeps what goes with it
        #[arg(long, value_name = "JSON")]
        metadata: Option<String>,
        /// Print the briefing alone, as an agent is to read it
        #[arg(long)]
        brief: bool,
    },
    /// Put a session off
    Pause {
        /// Its id
        id: String,
    },
    /// Take a session up again
    Resume {
        /// Its id
        id: String,
    },
    /// Give a session another name
    Rename {
        /// Its id
        id: String,
        /// The name
        name: String,
    },
    /// End a session; what it marked to be remembered waits in `umem held list`
    End {
        /// Its id
        id: String,
        /// What came of it
        #[arg(long)]
        summary: Option<String>,
        /// JSON Lines, an event a line, as events_append takes them, that are appended first; - for standard input
        #[arg(long, value_name = "FILE")]
        transcript: Option<PathBuf>,
    },
    /// Give a session up: what belongs to it alone is gone, its events stay
    Discard {
        /// Its id
        id: String,
    },
    /// List sessions, the latest first
    List {
        /// Name, path, id or scope of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Only of this status: active, paused, completed, discarded; may be repeated
        #[arg(long)]
        status: Vec<SessionStatus>,
        #[command(flatten)]
        page: Page,
    },
    /// Show a session with what belongs to it
    Show {
        /// Its id
        id: String,
        /// So many of its last events
        #[arg(long, default_value_t = 20, value_name = "NUMBER")]
        events: u32,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum State {
    /// Write down what is in hand; what nothing is said of stays as it was
    Set {
        #[command(flatten)]
        at: Where,
        /// What is wanted
        #[arg(long)]
        goal: Option<String>,
        /// How far it came, and what is next
        #[arg(long)]
        summary: Option<String>,
        /// active, blocked, complete
        #[arg(long)]
        status: Option<StateStatus>,
        /// A file or thing that is worked on; may be repeated, and takes the place of all before
        #[arg(long = "work", value_name = "NAME")]
        working_set: Vec<String>,
        /// What goes with it, as a JSON object; takes the place of what went with it before
        #[arg(long, value_name = "JSON")]
        metadata: Option<String>,
    },
    /// Tell what is in hand
    Show {
        #[command(flatten)]
        at: Where,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Event {
    /// Append what was said or done; nothing rewrites it
    Add {
        /// What was said, or done in words
        #[arg(required_unless_present = "file")]
        content: Option<String>,
        /// user_message, assistant_message, tool_call, tool_result, file_edit, system_event, explicit_memory
        #[arg(long, default_value = "user_message")]
        kind: EventKind,
        /// JSON Lines, an event a line, as events_append takes them; - for standard input
        #[arg(long, value_name = "FILE", conflicts_with = "content")]
        file: Option<PathBuf>,
        #[command(flatten)]
        at: Where,
    },
    /// List what was said and done, the latest first
    List {
        /// Words to look for: the best come first
        text: Option<String>,
        #[command(flatten)]
        at: Where,
        /// Only of this kind; may be repeated
        #[arg(long)]
        kind: Vec<EventKind>,
        #[command(flatten)]
        page: Page,
    },
    /// Make a memory of an event; it says which event it is from, and is forgotten with it
    Promote {
        /// The id that `event list` shows
        id: String,
        /// raw, what it says as it was; or distilled [default: distilled]
        #[arg(long)]
        layer: Option<MemoryLayer>,
        /// What is kept of it; - for standard input [default: all that it says]
        #[arg(long, allow_hyphen_values = true)]
        text: Option<String>,
        /// A title
        #[arg(long)]
        title: Option<String>,
        /// What it records: user_preference, decision, lesson_learned, environment_fact, project_convention,
        /// active_project_state, tool_note, other
        #[arg(long, value_name = "KIND")]
        record_kind: Option<RecordKind>,
        /// 0 to 1: how much it matters [default: 0.5]
        #[arg(long, value_name = "SHARE", value_parser = share)]
        importance: Option<f64>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Lock {
    /// Take a file, or hold it longer
    Take {
        /// The file
        path: String,
        #[command(flatten)]
        at: Where,
        /// For so many minutes, 1 to 1440
        #[arg(long, default_value_t = 30, value_name = "MINUTES")]
        minutes: i64,
        /// What for
        #[arg(long)]
        note: Option<String>,
    },
    /// Let a file go
    Release {
        /// The file, or the id of the lock
        path: String,
        /// Name, path, id or scope of the space
        #[arg(long)]
        space: Option<String>,
    },
    /// List files that are held
    List {
        /// Name, path, id or scope of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Those that were let go as well
        #[arg(long)]
        released: bool,
        #[command(flatten)]
        page: Page,
    },
    /// Take a file away from whoever holds it
    Force {
        /// The id of the lock
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tag {
    /// List the tags that spaces may use
    List {
        /// Name, path, id or scope of the space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// language, domain, meta, custom
        #[arg(long)]
        category: Option<TagCategory>,
    },
    /// Make a tag that a space knows
    Create {
        /// Its name
        name: String,
        /// Name, path, id or scope of the space
        #[arg(long)]
        space: Option<String>,
        /// language, domain, meta, custom
        #[arg(long)]
        category: Option<TagCategory>,
        /// What it means
        #[arg(long)]
        description: Option<String>,
    },
    /// Attach tags to an item
    Attach {
        /// memory, artifact, event, claim, entity, entry, core_block, session, resource, space
        item_type: ItemType,
        /// Its id
        id: String,
        /// The tags
        #[arg(required = true)]
        tags: Vec<String>,
    },
    /// Detach tags from an item
    Detach {
        /// What the item is
        item_type: ItemType,
        /// Its id
        id: String,
        /// The tags
        #[arg(required = true)]
        tags: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Relation {
    /// Say how one item bears on another
    Add(Box<RelationAdd>),
    /// Say that a relation holds no longer
    End {
        /// Its id
        id: String,
        /// Until when it held: 2024-05-01 as that day begins in UTC, or 2024-05-01T14:30 by your clock [default: now]
        #[arg(long, value_name = "TIME", value_parser = when::begins)]
        at: Option<um_model::EpochMs>,
    },
    /// Take a relation back that never held
    Remove {
        /// Its id
        id: String,
    },
    /// List the relations of an item, or those of a space
    List {
        /// Name, path, id or scope of the space
        #[arg(long)]
        space: Option<String>,
        /// Only those of this item
        #[arg(long, value_name = "TYPE:ID")]
        item: Option<String>,
        /// Only of this type; may be repeated
        #[arg(long = "type", value_name = "TYPE")]
        types: Vec<RelationType>,
        #[arg(long, value_name = "TIME", help = when::AS_OF)]
        as_of: Option<String>,
        #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
        known_at: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Walk along relations from an item
    Walk {
        /// memory, artifact, event, claim, entity, entry, core_block, session_state, resource, space
        item_type: ItemType,
        /// Its id
        id: String,
        /// Only along this type; may be repeated
        #[arg(long = "type", value_name = "TYPE")]
        types: Vec<RelationType>,
        /// out, in, both
        #[arg(long, value_parser = crate::beliefs::args::direction)]
        direction: Option<um_model::claims::Direction>,
        /// So many steps, 1 to 5 [default: 2]
        #[arg(long, value_name = "STEPS")]
        depth: Option<u8>,
        #[arg(long, value_name = "TIME", help = when::AS_OF)]
        as_of: Option<String>,
        #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
        known_at: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct RelationAdd {
    /// memory, artifact, event, claim, entity, entry, core_block, session_state, resource, space
    pub from_type: ItemType,
    /// The id of the item that it leads from
    pub from_id: String,
    /// contradicts, derives, extends, supports, supersedes, applies_to, depends_on, conflicts_with, related_to
    pub relation: RelationType,
    /// What the other item is
    pub to_type: ItemType,
    /// The id of the item that it leads to
    pub to_id: String,
    /// Since when: 2024-05-01, 2024-05 or 2024 as it begins in UTC, or 2024-05-01T14:30 by your clock
    #[arg(long, value_name = "TIME", value_parser = when::begins)]
    pub from: Option<um_model::EpochMs>,
    /// Until when, likewise
    #[arg(long, value_name = "TIME", value_parser = when::begins)]
    pub until: Option<um_model::EpochMs>,
    /// The id of an event that it rests on; may be repeated
    #[arg(long, value_name = "EVENT")]
    pub source: Vec<String>,
}

/// What is looked for among all that agents work with.
#[derive(Debug, clap::Args)]
pub(crate) struct Query {
    /// Words: what is found says one of them at least
    pub words: Vec<String>,
    #[command(flatten)]
    pub at: Where,
    /// entry, core_block, resource, session_state, memory, event; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    pub types: Vec<ItemType>,
    /// Of entries only tool, guideline or knowledge; may be repeated
    #[arg(long = "entry-type", value_name = "TYPE")]
    pub entry_types: Vec<EntryType>,
    /// Of entries only those about this
    #[arg(long)]
    pub category: Option<EntryCategory>,
    /// A tag that it has, this one or another that is named so; may be repeated
    #[arg(long)]
    pub tag: Vec<String>,
    /// A tag that it must have; may be repeated
    #[arg(long, value_name = "TAG")]
    pub require: Vec<String>,
    /// A tag that it must not have; may be repeated
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    /// What it is related to
    #[arg(long, value_name = "TYPE:ID")]
    pub related_to: Option<String>,
    /// Only along this relation; may be repeated
    #[arg(long, value_name = "TYPE", requires = "related_to")]
    pub relation: Vec<RelationType>,
    /// In so many steps at most, 1 to 5 [default: 2]
    #[arg(long, value_name = "STEPS", requires = "related_to")]
    pub depth: Option<u8>,
    /// Not what the spaces above have
    #[arg(long)]
    pub only_here: bool,
    /// Also what a nearer level overrides
    #[arg(long)]
    pub all_levels: bool,
    /// Also what is out of use
    #[arg(long)]
    pub inactive: bool,
    #[arg(long, value_name = "TIME", help = when::AS_OF)]
    pub as_of: Option<String>,
    /// With the earlier versions of entries (in JSON)
    #[arg(long)]
    pub versions: bool,
    /// Say what each score is made of
    #[arg(long)]
    pub why: bool,
    #[command(flatten)]
    pub page: Page,
}
