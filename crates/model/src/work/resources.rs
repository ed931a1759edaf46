//! Resources: what a space works with, as a tree of addresses.

use crate::enums::text_enum;
use crate::{AgentId, EpochMs, EventId, ResourceId, SpaceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

text_enum! {
    /// What a resource is.
    ResourceKind {
        /// Holds others.
        Folder = "folder",
        /// A file.
        File = "file",
        /// A part of a program.
        Module = "module",
        /// A document.
        Document = "document",
        /// A page of the web.
        Url = "url",
        /// Something that runs and answers.
        Service = "service",
        /// Data.
        Dataset = "dataset",
        /// Something to do.
        Task = "task",
        /// A note.
        Note = "note",
        /// Anything else.
        Other = "other",
    }
}

/// A resource of a space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Resource {
    /// Its id.
    pub id: ResourceId,
    /// The space it belongs to.
    pub space_id: SpaceId,
    /// Its address, which it alone has in its space.
    pub uri: String,
    /// The address of the one it lies under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_uri: Option<String>,
    /// What it is called.
    pub title: String,
    /// What it is.
    pub kind: ResourceKind,
    /// What it says; left out of lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// SHA-256 of what it says, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The number of its version, from 1.
    pub version: u32,
    /// What else was said of it, and where in a work tree it was written.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// The events it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_event_ids: Vec<EventId>,
    /// How many lie directly under it.
    #[serde(default)]
    pub children: u64,
    /// Who put it there first.
    pub actor_id: AgentId,
    /// When it was put last.
    pub updated_at: EpochMs,
}

/// Puts a resource at an address of a space: a new one, or the next version of the one that stands there.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResourcePut {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// Its address: 1 to 1,000 characters, such as `repo://app/src/main.rs`.
    pub uri: String,
    /// The address of the one it lies under, which is there already; at the root where nothing is said.
    #[serde(default)]
    pub parent_uri: Option<String>,
    /// What it is called: 1 to 200 characters; the end of its address where nothing is said.
    #[serde(default)]
    pub title: Option<String>,
    /// What it is; a document where nothing is said.
    #[serde(default)]
    pub kind: Option<ResourceKind>,
    /// What it says: 200,000 bytes at most.
    #[serde(default)]
    pub content: Option<String>,
    /// The events it rests on: 100 at most.
    #[serde(default)]
    pub source_event_ids: Vec<EventId>,
    /// What else is to be kept with it: 4,000 bytes of JSON at most.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// Shows what lies under an address of a space, by title; or, with a text, the resources that speak of it, best first.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResourcesBrowse {
    /// Name, path, id or scope of the space; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// Under which address; the roots where nothing is said.
    #[serde(default)]
    pub parent_uri: Option<String>,
    /// Words that title, address or content have, or had then; looked for in the whole space.
    #[serde(default)]
    pub text: Option<String>,
    /// As it was at this time (valid time), but for how many lie under each now.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// Only what was known at this time (recorded time), as it stood then.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
    /// Skip so many.
    #[serde(default)]
    pub offset: u32,
    /// Give at most so many; 50 where nothing is said, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// What lies under an address.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResourcesBrowsed {
    /// The way there from a root, without contents; empty at the roots.
    pub path: Vec<Resource>,
    /// What lies there, without contents.
    pub children: Vec<Resource>,
    /// How many there are in all; of what was looked for, 500 at most are counted.
    pub total: u64,
    /// What was not compared, where something was not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// Fetches a resource with what it says, by its id, or by its address in a space.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResourceGet {
    /// Its id.
    #[serde(default)]
    pub id: Option<ResourceId>,
    /// Its address, where its id is not given.
    #[serde(default)]
    pub uri: Option<String>,
    /// Name, path, id or scope of the space of that address; where nothing is said, an agent's only space, else the default project.
    #[serde(default)]
    pub space: Option<String>,
    /// As it was at this time (valid time), but for how many lie under it now; as it is now where nothing is said.
    #[serde(default)]
    pub as_of: Option<EpochMs>,
    /// As it was known at this time (recorded time): by what had been put and removed by then.
    #[serde(default)]
    pub known_at: Option<EpochMs>,
}

/// Takes a resource away with all that lies under it. Putting one at its address again brings it back as its next version.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResourceRemove {
    /// Its id.
    pub id: ResourceId,
}
