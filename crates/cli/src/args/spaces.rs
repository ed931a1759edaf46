//! The verbs of spaces.

use super::share;
use clap::Subcommand;
use um_model::SpaceType;
use um_model::access::{Grant, MembershipStatus, OverlayMode, ReadPolicy, Role, WritePolicy};
use um_model::findings::FindingKind;

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
        #[arg(long, value_name = "N", value_parser = share)]
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
        #[arg(long, value_parser = share)]
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
