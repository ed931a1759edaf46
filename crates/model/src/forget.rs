//! Forgetting: what is to go, what that would take with it, and the proof that it went.

use crate::enums::text_enum;
use crate::{ApiError, ArtifactId, ClaimId, EntityId, EpochMs, MemoryId, SpaceId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

text_enum! {
    /// What a value is that was forgotten and must not come back.
    RejectedKind {
        /// A whole text.
        Content = "content",
        /// The bytes of a file, by their SHA-256.
        Artifact = "artifact",
        /// Something personal or secret that stood in a text.
        DetectedValue = "detected_value",
        /// The name of somebody or something.
        EntityName = "entity_name",
        /// Where a file came from.
        Uri = "uri",
    }
}

text_enum! {
    /// Whether what was forgotten was looked for afterwards.
    #[derive(Default)]
    Searching {
        /// It was: what the proof says is what was found.
        #[default]
        Done = "done",
        /// Not yet: something reads the database for long. It is done within seconds once that ends.
        Waits = "waits",
        /// It was not, as the service ended before it was: nobody knows any more what to look for.
        Never = "never",
    }
}

/// What the kinds of rows that are forgotten are called: in what would go, in what went and in what is there still.
pub const CALLED: &[(&str, &str)] = &[
    ("agents", "notes on agents"),
    ("agents.folders", "open folders"),
    ("agents.name", "names of agents"),
    ("answer_traces", "answer traces"),
    ("answer_traces.passed", "answers that passed it over"),
    ("artifacts", "files"),
    ("associations", "connections"),
    ("attribute_keys", "notes on attributes"),
    ("attribute_keys.name", "names of attributes"),
    ("candidates", "things to decide"),
    ("candidates.held", "proposals"),
    ("claim_evidence", "quotes"),
    ("claims", "facts"),
    ("compiled_contexts", "packs"),
    ("conflict_resolutions", "notes on conflicts"),
    ("core_block_versions", "versions of blocks"),
    ("core_blocks", "core blocks"),
    ("derived_text_views", "texts of files"),
    ("entities", "names"),
    ("entity_aliases", "other names"),
    ("entity_relationships", "relations"),
    ("entries", "entries"),
    ("entry_conflicts", "notes on versions"),
    ("entry_versions", "versions of entries"),
    ("evidence_events", "events"),
    ("file_locks", "locks on files"),
    ("item_tags", "tags on things"),
    ("jobs", "jobs"),
    ("media_segments", "places in files"),
    ("memories", "memories"),
    ("memory_embeddings", "vectors"),
    ("memory_entity_links", "mentions"),
    ("memory_spaces", "notes on spaces"),
    ("memory_spaces.name", "names of spaces"),
    ("pairing_requests", "requests to connect"),
    ("past_item_tags", "tags that were on things"),
    ("promotion_requests", "requests to copy"),
    ("raw_archive", "notes on what was archived"),
    ("redaction_findings", "findings to decide"),
    ("relationship_types", "notes on relations"),
    ("relationship_types.name", "names of relations"),
    ("saved_searches", "saved searches"),
    ("session_states", "states of sessions"),
    ("sessions", "sessions"),
    ("space_settings", "settings of spaces"),
    ("tags", "tags"),
    ("text_units", "passages"),
    ("text_view_spans", "places of words"),
    ("undo_log", "steps to undo"),
    ("verification_records", "checks"),
    ("watch_folders", "watched folders"),
    ("watched_files", "watched files"),
    ("workspace_resource_versions", "versions of resources"),
    ("workspace_resources", "workspace resources"),
];

/// What people call a kind of rows, of many; see [`CALLED`]. What has no name of its own is called as its table.
pub fn called(kind: &str) -> String {
    let known = CALLED.iter().find(|(known, _)| *known == kind);
    known.map_or_else(|| kind.replace(['_', '.'], " "), |(_, called)| (*called).to_owned())
}

/// What is to be forgotten: exactly one of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetWhat {
    /// A memory, with its file, its older versions and what was made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
    /// A file, with its older versions and all that was read from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
    /// A fact, with the texts that say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<ClaimId>,
    /// Somebody or something, with all facts of them and every text that names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<EntityId>,
    /// Everything of an owner: the name that memories say they are of, or an agent's name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Everything that came from a folder of this machine, by its absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Everything that has these words, one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Only in this space (name or id); in every space where nothing is said. Copies that were made for other spaces go
    /// with what they were made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// Asks what forgetting something would take with it. Changes nothing.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetPreview {
    /// What.
    #[serde(flatten)]
    pub what: ForgetWhat,
}

/// What forgetting something would take with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetPlan {
    /// Stands for exactly this plan: `forget_execute` wants it, and refuses where more or less would go by then.
    pub token: String,
    /// How many would go, by kind in plain words: `memories`, `files`, `facts`, `names`, …
    pub counts: BTreeMap<String, u64>,
    /// Some of them, so that the person sees what it is about.
    pub samples: Vec<ForgetSample>,
    /// What goes although it is not written as it was asked for, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What this cannot reach, in sentences.
    pub beyond: Vec<String>,
}

/// One of the things that would go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetSample {
    /// What it is: `memory`, `file`, `fact`, `name`, `proposal`, …
    pub kind: String,
    /// Its id.
    pub id: String,
    /// The space it is in.
    pub space_id: SpaceId,
    /// Its title, or its first words.
    pub title: String,
}

/// Forgets what a preview showed. It cannot be undone.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetExecute {
    /// What.
    #[serde(flatten)]
    pub what: ForgetWhat,
    /// The token of the preview that the person saw.
    pub token: String,
}

/// Removes for good the rows that forgetting and blacking out left empty, with what hangs on them. What they said is gone
/// already; this takes the ids, times and numbers as well.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RowsPurge {
    /// Only tells what would go.
    #[serde(default)]
    pub dry_run: bool,
}

/// What was removed for good, or would be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RowsPurged {
    /// How many rows, by table.
    pub counts: BTreeMap<String, u64>,
    /// Empty rows that stay, because something that is there refers to them.
    pub stays: u64,
}

/// What was forgotten, with the proof. Ids and numbers only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetReport {
    /// The forgetting's id.
    pub id: String,
    /// `running`; `erased`: the rows are, and the data folder is still to be cleared and searched; `done`; or `cancelled`: it
    /// was stopped, and what it had not reached is there as before, and not refused.
    pub status: String,
    /// How many rows lost what they said, by table.
    pub counts: BTreeMap<String, u64>,
    /// How many of the things that were named are there still, by table, where it did not come to its end.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stays: BTreeMap<String, u64>,
    /// Why this call could not bring it to its end. What waits goes when the service starts the next time, at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<ApiError>,
    /// What was looked for afterwards, and what was found.
    pub proof: ForgetProof,
    /// When it was begun.
    pub begun_at: EpochMs,
    /// When it ended.
    pub ended_at: Option<EpochMs>,
}

/// What was looked for after forgetting, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ForgetProof {
    /// Whether it was looked for.
    pub searching: Searching,
    /// How many strings of what was forgotten were looked for.
    pub searched: u64,
    /// How many of them other texts say, which were not to be forgotten; these are not counted as left.
    pub said_elsewhere: u64,
    /// How many files of the data folder were searched, byte by byte.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How often one of the strings was found. 0 is the proof.
    pub left: u64,
    /// Which strings those are, and where they stand: the first 20 of them. An agent is not told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_in: Vec<ForgetLeft>,
    /// Whether the whole database was written anew to get there.
    pub rewritten: bool,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

/// A string of what was forgotten that was found afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetLeft {
    /// Its number among those that were looked for, from 1 on. The string itself is kept nowhere.
    pub string: u64,
    /// How often it was found.
    pub times: u64,
    /// In which files, by their paths in the data folder; of the files in `blobs` and `agents`, the folder.
    pub files: Vec<String>,
}

/// What to do about a string that is left, by the file or folder of the data folder where it stands, or by how its name begins where that
/// ends with a hyphen.
const WHAT_TO_DO: &[(&str, &str)] = &[
    ("memory.db-", "That is the log of the database: stop the service (umem stop), which empties it."),
    (
        "memory.db",
        "In the database: have the indexes made anew (umem doctor --rebuild); then ask whether something still says it \
         (umem forget --query WORDS --dry-run), and forget that, too.",
    ),
    ("blobs", "In a large file that stays: look for it (umem artifacts), and forget that file, too."),
    ("logs", "In what the service wrote down of its work: stop the service (umem stop), then delete that file."),
    ("tmp", "In a copy that was made for reading: stop the service (umem stop); it is destroyed at the next start."),
    ("agents", "In the name or secret of an agent: remove that agent (umem agents)."),
    ("memory.db.old", CONVERTED),
    ("memory.db.new", CONVERTED),
    ("memory.key", KEY),
    ("forgotten.key", KEY),
    ("person.token", KEY),
    ("language-model.key", "That is the key for the language model: take it away (umem llm set --no-key)."),
    ("", "That file is none of the product's own: look at it, and delete it if nobody needs it."),
];

/// Of what encrypting or decrypting leaves behind where it was broken off.
const CONVERTED: &str = "In a copy of the database from encrypting or decrypting it: stop the service (umem stop); it is taken away at the next start.";
/// Of a file that holds nothing but random signs.
const KEY: &str = "In a key of the product's own, by chance: nothing that was said stands in it. Leave it where it is.";

impl ForgetProof {
    /// Which strings are left, and where, a line each; then what to do about each place. Nothing where none is left.
    pub fn where_left(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.left_in.iter().map(ForgetLeft::line).collect();
        let told: u64 = self.left_in.iter().map(|one| one.times).sum();
        if !lines.is_empty() && told < self.left {
            lines.push("More are left besides these.".to_owned());
        }
        let files = || self.left_in.iter().flat_map(|one| &one.files);
        let place = |file: &String| {
            let first = file.split(['/', '\\']).next().unwrap_or_default();
            let is_there = |name: &str| first == name || name.ends_with('-') && first.starts_with(name);
            WHAT_TO_DO.iter().position(|(name, _)| name.is_empty() || is_there(name))
        };
        let places: BTreeSet<usize> = files().filter_map(place).collect();
        lines.extend(places.into_iter().map(|at| WHAT_TO_DO[at].1.to_owned()));
        lines
    }
}

impl ForgetLeft {
    fn line(&self) -> String {
        let times = if self.times == 1 { "once".to_owned() } else { format!("{} times", self.times) };
        format!("String number {} stands {times} in {}.", self.string, self.files.join(", "))
    }
}

/// Blacks out, in a file or memory, what the person accepted: its words in every text, its pixels, its sound. The original is
/// destroyed; a rendition without them stands in its place. Exactly one of these.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RedactionApply {
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
    /// The memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
}

/// What was blacked out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RedactionApplied {
    /// How many findings were applied.
    pub findings: u64,
    /// The rendition that stands in the file's place.
    pub artifact_id: Option<ArtifactId>,
    /// What is kept of the file: `picture` (with black boxes), `pages` (a PDF of such pictures), `sound` (with silence) or `text`.
    pub kept_as: Option<String>,
    /// How many facts nothing carries any more, and went.
    pub facts: u64,
    /// In how many copies in other spaces the same was blacked out.
    #[serde(default)]
    pub copies: u64,
    /// What was looked for afterwards, and what was found.
    pub proof: ForgetProof,
}

/// Takes a raw memory out: what it said is destroyed; that it was there, whose it was and why it went is kept.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MemoryArchive {
    /// The memory.
    pub id: MemoryId,
    /// Why, in at most 500 bytes; without what it said.
    pub reason: String,
}

/// Asks for the report of a forgetting; of the last one where no id is given.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetShow {
    /// Its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// Writes the report of a forgetting, with its proof, to a new file as JSON.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetExport {
    /// The forgetting's id; the last one where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Path of the new file; or of a folder, in which `forgotten.json` is made.
    pub path: String,
}

/// The file that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetExported {
    /// Its path.
    pub path: String,
}

/// Lets something in again that was forgotten: exactly one of these.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetAllow {
    /// A text, name or number, spelled as it was when it was forgotten. Other spellings that were refused with it come in again with it,
    /// but not the other way round: `Andre` leaves `André` refused, where that was forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A file of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What was let in again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForgetAllowed {
    /// How many values were refused till now and are no more.
    pub allowed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_with_its_place_and_what_to_do() {
        let left = |string: u64, times: u64, files: &[&str]| {
            let files = files.iter().map(|file| (*file).to_owned()).collect();
            ForgetLeft { string, times, files }
        };
        let check = |left: u64, left_in: Vec<ForgetLeft>, begins: &[&str]| {
            let lines = ForgetProof { left, left_in, ..ForgetProof::default() }.where_left();
            assert_eq!(lines.len(), begins.len(), "{lines:?}");
            for (line, begin) in lines.iter().zip(begins) {
                assert!(line.starts_with(begin), "{line:?} begins with {begin:?}");
            }
        };
        check(0, vec![], &[]);
        let one = left(12, 1, &["memory.db"]);
        check(1, vec![one.clone()], &["String number 12 stands once in memory.db.", "In the database: "]);
        for (file, begins) in [
            ("blobs", "In a large file"),
            ("logs/service.log", "In what the service"),
            ("logs\\service.log", "In what the service"),
            ("memory.db.copy", "That file is none"),
            ("memory.db.old", "In a copy"),
            ("memory.key", "In a key"),
            ("language-model.key", "That is the key"),
            ("blobs.zip", "That file is none"),
            ("old/memory.db", "That file is none"),
        ] {
            check(1, vec![left(1, 1, &[file])], &["String number 1 stands once in ", begins]);
        }
        check(
            9,
            vec![one, left(13, 3, &["memory.db-wal", "old/copy.bin"])],
            &[
                "String number 12 stands once in memory.db.",
                "String number 13 stands 3 times in memory.db-wal, old/copy.bin.",
                "More are left besides these.",
                "That is the log",
                "In the database: ",
                "That file is none",
            ],
        );
    }
}
