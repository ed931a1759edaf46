//! Models on this machine, and those that could be.

use crate::{ModelKind, ModelState};
use serde::{Deserialize, Serialize};

/// A model of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Model {
    /// Its id in the catalogue.
    pub id: String,
    /// Its name as people know it.
    pub name: String,
    /// What it is for, in a sentence.
    pub purpose: String,
    /// What kind it is.
    pub kind: ModelKind,
    /// Bytes to fetch.
    pub download_bytes: u64,
    /// Its licence, as an SPDX expression.
    pub licence: String,
    /// Whether it can be used.
    pub state: ModelState,
    /// Bytes fetched so far, while it is being fetched.
    pub downloaded_bytes: Option<u64>,
    /// Why it cannot be used, where it cannot.
    pub problem: Option<String>,
    /// How many jobs wait for it.
    pub jobs_waiting: u64,
    /// Whether it is the one in use for its kind.
    pub in_use: bool,
}

/// Lists the models.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModelsList {}

/// The models.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModelsListed {
    /// The models, by kind.
    pub models: Vec<Model>,
}

/// Installs a model from a file or folder on this machine.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModelAdd {
    /// The file or folder.
    pub path: String,
    /// Which model of the catalogue it is; found out from the file where nothing is said.
    #[serde(default)]
    pub id: Option<String>,
}

/// Fetches a model of the catalogue. Answers at once; `models_list` tells how far it is.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModelDownload {
    /// Its id in the catalogue.
    pub id: String,
    /// `true` stops a download that is under way; what was fetched is kept for the next try.
    #[serde(default)]
    pub cancel: bool,
}
