//! The verbs of beliefs and their flags.

use crate::args::{at_least_one, share};
use crate::when;
use clap::{ArgGroup, Subcommand};
use std::path::PathBuf;
use um_model::belief::{Cardinality, ClaimState, EntityType, ValueKind};
use um_model::claims::Direction;

#[derive(Debug, Subcommand)]
pub(crate) enum Facts {
    /// State facts, each with its source
    Add(Box<Fact>),
    /// List what is believed, or find it by its words
    List(FactsList),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Fact {
    /// Of whom or what: a name or an id; `me` is you
    #[arg(required_unless_present = "file")]
    pub subject: Option<String>,
    /// The relation or attribute, such as works_at or birthday
    #[arg(required_unless_present = "file")]
    pub predicate: Option<String>,
    /// A name or a value
    #[arg(required_unless_present = "file")]
    pub object: Option<String>,
    /// Name or id of the space
    #[arg(long)]
    pub space: String,
    /// JSON Lines, a fact a line, as facts_add takes them; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["subject", "predicate", "object"])]
    pub file: Option<PathBuf>,
    /// A circumstance, such as role=cook; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub qualifier: Vec<(String, String)>,
    /// It is not so
    #[arg(long)]
    pub negative: bool,
    /// How sure you are, 0 to 1 [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub confidence: Option<f64>,
    /// When it began to be so: a date such as 2021-05-01, 2021-05 or 2021, which stands for its first moment
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// When it ceased to be so: 2022 as that year begins
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// The memory whose words carry it [default: the fact in words becomes one]
    #[arg(long, value_name = "ID")]
    pub memory: Option<String>,
    /// The words of that memory that carry it, exactly
    #[arg(long, value_name = "TEXT", requires = "memory")]
    pub quote: Option<String>,
    /// Count the quote against the fact
    #[arg(long)]
    pub contradicts: bool,
    /// An event that it comes from; may be repeated
    #[arg(long, value_name = "ID")]
    pub event: Vec<String>,
    /// What the subject is: person, organization, concept, location, thing
    #[arg(long, value_name = "TYPE")]
    pub subject_type: Option<EntityType>,
    /// What the object is
    #[arg(long, value_name = "TYPE")]
    pub object_type: Option<EntityType>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FactsList {
    /// Words of the fact
    pub query: Option<String>,
    /// Name or id of a space [default: all]
    #[arg(long)]
    pub space: Option<String>,
    /// Only about or naming this entity (name or id)
    #[arg(long, value_name = "ENTITY")]
    pub entity: Option<String>,
    /// Only of this relation or attribute
    #[arg(long, value_name = "PREDICATE")]
    pub predicate: Option<String>,
    /// Only in this state: draft, asserted, disputed, retracted, superseded; may be repeated
    #[arg(long, value_name = "STATE")]
    pub state: Vec<ClaimState>,
    #[arg(long, value_name = "TIME", help = when::AS_OF)]
    pub as_of: Option<String>,
    #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
    pub known_at: Option<String>,
    /// Give at most so many
    #[arg(long, value_parser = at_least_one)]
    pub limit: Option<u32>,
    /// Skip so many
    #[arg(long, default_value_t = 0)]
    pub offset: u32,
}

/// Where a name is looked for.
#[derive(Debug, clap::Args)]
pub(crate) struct In {
    /// Name or id of the space [default: all]
    #[arg(long)]
    pub space: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Entity {
    /// List who and what is spoken of
    List {
        /// The beginning of a name, or of a word of it
        query: Option<String>,
        /// Name or id of a space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Only of this type; may be repeated
        #[arg(long = "type", value_name = "TYPE")]
        types: Vec<EntityType>,
        /// Give at most so many
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Show all that is believed about somebody or something
    Show {
        /// Its name or id
        entity: String,
        /// Where it is looked for
        #[command(flatten)]
        place: In,
        #[arg(long, value_name = "TIME", help = when::AS_OF)]
        as_of: Option<String>,
        #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
        known_at: Option<String>,
        /// Retracted and superseded claims too
        #[arg(long)]
        history: bool,
        /// Of where it is also mentioned, skip so many
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        mentions_offset: u32,
    },
    /// List names in memories that may mean several
    Candidates {
        /// Name or id of a space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// Those that were decided rather than those that wait
        #[arg(long)]
        decided: bool,
        /// Give at most so many
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Say whom such a name means; the memory is read again
    Decide {
        /// The name's id, as `entity candidates` tells it
        id: String,
        /// The one of its choices that it means, by name or id, or none where it means none of them
        entity: String,
    },
    /// Take back whom such a name was said to mean; it waits again
    Reopen {
        /// The name's id, as `entity candidates --decided` tells it
        id: String,
    },
    /// Find whom a text names
    Resolve {
        /// The text
        text: String,
        /// Name or id of the space
        #[arg(long)]
        space: String,
    },
    /// Make two entities one; it can be undone
    Merge {
        /// The one that stays (name or id)
        keep: String,
        /// The one that goes into it (name or id)
        merge: String,
        /// Where they are looked for
        #[command(flatten)]
        place: In,
    },
    /// Let every space name an entity; unmerge takes it back
    Share {
        /// Its name or id
        entity: String,
        /// Where it is looked for
        #[command(flatten)]
        place: In,
    },
    /// Undo a merge
    Unmerge {
        /// The merge that `entity show` tells
        id: String,
    },
    /// Give an entity another name; the old one stays as an alias
    Rename {
        /// Its name or id
        entity: String,
        /// The new name
        name: String,
        /// Where it is looked for
        #[command(flatten)]
        place: In,
    },
    /// Say what an entity is
    Retype {
        /// Its name or id
        entity: String,
        /// person, organization, concept, location or thing
        #[arg(value_name = "TYPE")]
        entity_type: EntityType,
        /// Where it is looked for
        #[command(flatten)]
        place: In,
    },
    /// Give an entity one more name, or take one from it
    Alias {
        /// Its name or id
        entity: String,
        /// The other name
        #[arg(required_unless_present = "remove", conflicts_with = "remove")]
        name: Option<String>,
        /// The name that it is to bear no longer; it can be given again
        #[arg(long, value_name = "ALIAS")]
        remove: Option<String>,
        /// Where it is looked for
        #[command(flatten)]
        place: In,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Claim {
    /// Show a claim with its best quotes
    Show {
        /// Its id
        id: String,
    },
    /// Take a claim back
    Retract {
        /// Its id
        id: String,
    },
    /// Undo that a claim was taken back
    Restore {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Conflicts {
    /// List claims that cannot both stand
    List {
        /// Name or id of a space [default: all]
        #[arg(long)]
        space: Option<String>,
        /// The decided ones instead
        #[arg(long = "decided", alias = "resolved")]
        resolved: bool,
        /// Give at most so many
        #[arg(long, value_parser = at_least_one)]
        limit: Option<u32>,
        /// Skip so many
        #[arg(long, default_value_t = 0)]
        offset: u32,
    },
    /// Decide a conflict; it can be undone
    #[command(group(ArgGroup::new("decision").required(true).args(["side", "value", "windows"])))]
    Resolve {
        /// Its id
        id: String,
        /// Which side is right: a, b, or both to leave both disputed
        #[arg(value_parser = ["a", "b", "both"])]
        side: Option<String>,
        /// What is right instead of both
        #[arg(long, value_name = "TEXT")]
        value: Option<String>,
        /// Both are right, at these times: A and B as FROM..UNTIL, either end open, such as ..2020 2020..
        #[arg(long, num_args = 2, value_names = ["A", "B"])]
        windows: Option<Vec<String>>,
        /// With --value: since when that is so
        #[arg(long, value_name = "DATE", requires = "value")]
        from: Option<String>,
        /// With --value: until when
        #[arg(long, value_name = "DATE", requires = "value")]
        until: Option<String>,
        /// A remark
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Undo the decision of a conflict
    Reopen {
        /// Its id
        id: String,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Graph {
    /// Where the walk begins: a name or an id
    pub entity: String,
    /// Where it is looked for
    #[command(flatten)]
    pub place: In,
    /// At most so many steps, 1 to 6 [default: 2]
    #[arg(long, value_name = "STEPS")]
    pub depth: Option<u32>,
    /// Which way: out (along the relations), in, both
    #[arg(long, value_name = "WAY", default_value = "both", value_parser = direction)]
    pub direction: Direction,
    /// Only along this relation; may be repeated
    #[arg(long, value_name = "RELATION")]
    pub relation: Vec<String>,
    #[arg(long, value_name = "TIME", help = when::AS_OF)]
    pub as_of: Option<String>,
    #[arg(long, value_name = "TIME", help = when::KNOWN_AT)]
    pub known_at: Option<String>,
    /// Give at most so many edges
    #[arg(long, value_parser = at_least_one)]
    pub limit: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Predicate {
    /// List the relations and attributes that facts can be stated with
    List {
        /// Name or id of the space whose own ones are listed with those of all [default: every space's]
        #[arg(long)]
        space: Option<String>,
    },
    /// Define a relation or attribute of a space
    Define {
        /// Its name, such as reports_on
        name: String,
        /// Name or id of the space
        #[arg(long)]
        space: String,
        /// It relates two entities [default: it is an attribute, with a value]
        #[arg(long)]
        relation: bool,
        /// A relation's name the other way round; its own where it reads the same both ways
        #[arg(long, value_name = "NAME", requires = "relation")]
        inverse: Option<String>,
        /// How many may stand on each side: one_to_one, one_to_many, many_to_one, many_to_many
        #[arg(long, value_name = "HOW_MANY", default_value = "many_to_many")]
        cardinality: Cardinality,
        /// How it reads, such as "reports on" [default: its name]
        #[arg(long, value_name = "TEXT", default_value = "")]
        phrase: String,
        /// An attribute's kind of value: text, number, date, boolean
        #[arg(long, value_name = "KIND", conflicts_with = "relation")]
        kind: Option<ValueKind>,
        /// Change the space's own definition of that name
        #[arg(long)]
        change: bool,
    },
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, such as role=cook")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

pub(crate) fn direction(text: &str) -> Result<Direction, String> {
    match text {
        "out" => Ok(Direction::Out),
        "in" => Ok(Direction::In),
        "both" => Ok(Direction::Both),
        _ => Err("one of out, in, both".to_owned()),
    }
}
