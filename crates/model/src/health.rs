//! Health, settings and the status line.

use crate::llm::{LlmChange, LlmSettings};
use crate::{EpochMs, JobStatus, MemoryId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Check {
    /// What was checked, as a stable word: `integrity`, `foreign_keys`, `fts`, `vectors`, `files`, …
    pub name: String,
    /// Whether all is well.
    pub ok: bool,
    /// What was found, in a sentence.
    pub detail: String,
}

/// Checks the data folder. Reads only, unless it is to rebuild.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HealthCheck {
    /// Rebuild every derived index first.
    #[serde(default)]
    pub rebuild: bool,
}

/// What the checks found.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HealthReport {
    /// Whether every check is well.
    pub ok: bool,
    /// The checks.
    pub checks: Vec<Check>,
    /// How many rows the main tables have.
    pub counts: BTreeMap<String, u64>,
    /// How long operations took since the start, by name.
    pub timings: BTreeMap<String, Timing>,
    /// Bytes of the database file and of its write-ahead log.
    pub database_bytes: u64,
    /// Version of the schema.
    pub schema_version: String,
}

/// How long an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Timing {
    /// How often it was measured.
    pub count: u64,
    /// Median, in milliseconds.
    pub p50_ms: f64,
    /// 95th percentile, in milliseconds.
    pub p95_ms: f64,
}

/// Embeds everything anew with the model that the settings name, then puts it in place at once.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reembed {
    /// The model of the catalogue; the one of the settings where nothing is said.
    #[serde(default)]
    pub model: Option<String>,
}

/// What a re-embedding did.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reembedded {
    /// The model now in use.
    pub model: String,
    /// How many passages were embedded by this run.
    pub embedded: u64,
    /// How many an earlier, interrupted run had embedded already.
    pub resumed: u64,
    /// How many the model refuses: these are found by their words only. Another run tries them again.
    #[serde(default)]
    pub refused: u64,
    /// The memories that they are of, at most 100.
    #[serde(default)]
    pub refused_of: Vec<NotEmbedded>,
}

/// A memory some passages of which could not be embedded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NotEmbedded {
    /// Its id.
    pub memory: MemoryId,
    /// Its title, or its first words.
    pub title: String,
    /// How many.
    pub passages: u64,
    /// What the model says of the first of them.
    pub reason: String,
}

/// Reads the person's settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SettingsGet {}

/// Changes the person's settings; absent fields stay as they are.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SettingsSet {
    /// `system`, `light` or `dark`.
    #[serde(default)]
    pub theme: Option<String>,
    /// Whether single letters act in lists.
    #[serde(default)]
    pub single_key_actions: Option<bool>,
    /// Whether closing the window leaves the service running in the tray.
    #[serde(default)]
    pub close_to_tray: Option<bool>,
    /// The keys that bring the window to the question from any program, such as `Ctrl+Alt+M`; none where it is empty.
    #[serde(default)]
    pub ask_keys: Option<String>,
    /// Languages for character recognition, as Tesseract names them: `eng+deu`.
    #[serde(default)]
    pub ocr_languages: Option<String>,
    /// For how many days packs are kept as they were handed out: 0 to 365.
    #[serde(default)]
    pub packs_kept_days: Option<u32>,
    /// For how many days it is kept how answers came about: 0 to 365.
    #[serde(default)]
    pub traces_kept_days: Option<u32>,
    /// Whether a reranking model, where one is installed, reads the best passages of each question.
    #[serde(default)]
    pub rerank: Option<bool>,
    /// The language model.
    #[serde(default)]
    pub llm: Option<LlmChange>,
    /// Whether rows that were forgotten may be removed for good: see `rows_purge`.
    #[serde(default)]
    pub compliance_mode: Option<bool>,
}

/// The names of the keys that are held while another one is pressed.
const HELD: [&str; 4] = ["Ctrl", "Alt", "Shift", "Super"];

/// Whether keys, by their names (`Ctrl+Alt+M`), may be taken from the program that has the focus: one key, while Super is held, or
/// two of Ctrl, Alt and Shift. Others stay with it, such as Ctrl+C.
pub fn are_ask_keys(keys: &str) -> bool {
    let Some((held, last)) = keys.rsplit_once('+') else { return false };
    let held: std::collections::BTreeSet<&str> = held.split('+').collect();
    let is_key = !last.is_empty() && !HELD.contains(&last) && last.chars().all(|c| c.is_ascii_alphanumeric());
    is_key && held.iter().all(|name| HELD.contains(name)) && (held.contains("Super") || held.len() > 1)
}

/// The person's settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Settings {
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Whether single letters act in lists.
    pub single_key_actions: bool,
    /// Whether closing the window leaves the service running in the tray.
    pub close_to_tray: bool,
    /// The keys that bring the window to the question from any program; none where it is empty.
    pub ask_keys: String,
    /// Languages for character recognition.
    pub ocr_languages: String,
    /// For how many days packs are kept as they were handed out; 0 keeps none.
    pub packs_kept_days: u32,
    /// For how many days it is kept how answers came about; 0 keeps nothing of it.
    pub traces_kept_days: u32,
    /// Whether a reranking model, where one is installed, reads the best passages of each question.
    pub rerank: bool,
    /// Where everything is kept.
    pub data_folder: String,
    /// The embedding model that the database was embedded with.
    pub embedding_model: String,
    /// The language model.
    pub llm: LlmSettings,
    /// Whether rows that were forgotten may be removed for good.
    pub compliance_mode: bool,
}

/// Asks for the status line.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StatusGet {}

/// The status line.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Status {
    /// Version of the product.
    pub version: String,
    /// How many jobs are in each state (only states that occur).
    pub jobs: BTreeMap<JobStatus, u64>,
    /// Whether the person has paused all work.
    pub paused: bool,
    /// Agents connected to the socket now.
    pub agents_connected: u64,
    /// Files in use, in all spaces.
    pub artifacts: u64,
    /// Memories in use, in all spaces.
    pub memories: u64,
    /// Passages whose vector is not made yet.
    pub units_unembedded: u64,
    /// When the service began.
    pub started_at: EpochMs,
    /// The socket that agents connect to.
    pub socket: Option<String>,
    /// The host that texts are sent to, while a language model on another machine is in use.
    #[serde(default)]
    pub cloud: Option<String>,
    /// Whether the data folder is encrypted.
    #[serde(default)]
    pub encrypted: bool,
    /// Whether an index is being made anew bit by bit: until that is done, some of what is kept may not be found.
    #[serde(default)]
    pub indexing_anew: bool,
}

/// What changed, told to the window as it happens. It says only where to look again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// Jobs moved.
    Jobs,
    /// Files or memories came, changed or went.
    Library,
    /// Spaces or watched folders changed.
    Spaces,
    /// Models came, went or moved on.
    Models,
    /// Claims, entities or conflicts changed.
    Beliefs,
    /// Findings of personal data came, went or were decided.
    Findings,
    /// Writes of agents were held or decided.
    Held,
    /// Sessions, events, rules, entries, resources, relations or locks came, changed or went.
    Work,
    /// Requests for promotion came or were decided.
    Promotions,
    /// An agent asked for something, or for access; or what agents may do changed.
    Access,
    /// Settings changed.
    Settings,
    /// Something was forgotten or blacked out: whatever is shown of it goes.
    Forgotten,
    /// The program was started a second time: its window is asked for.
    Window,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_other_programs_need_stay_with_them() {
        for keys in ["Ctrl+Alt+M", "Ctrl+Shift+1", "Alt+Shift+Space", "Super+F9", "Ctrl+Alt+Shift+Super+A"] {
            assert!(are_ask_keys(keys), "{keys}");
        }
        for keys in [
            "",
            "M",
            "F9",
            "Ctrl+C",
            "Shift+M",
            "Ctrl+Ctrl+M",
            "Ctrl+Alt",
            "Ctrl+Alt+",
            "Ctrl+Alt+Shift",
            "Hyper+Alt+M",
            "Ctrl+Alt+µ",
        ] {
            assert!(!are_ask_keys(keys), "{keys}");
        }
    }
}
