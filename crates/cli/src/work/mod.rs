//! What agents work with: sessions, events, what is in hand, standing rules, resources, entries, tags, relations, checks, locks.

pub(crate) mod args;
pub(crate) mod blocks;
pub(crate) mod brief;
pub(crate) mod drift;
mod entries;
mod locks;
mod query;
mod relations;
pub(crate) mod resources;
mod sessions;
mod tags;
pub(crate) mod verify;
mod versions;

pub(crate) use entries::entry;
pub(crate) use locks::lock;
pub(crate) use query::query;
pub(crate) use relations::relation;
pub(crate) use sessions::{event, session, state};
pub(crate) use tags::tag;

use crate::failure::{Failure, id};
use std::io::Read;
use std::path::Path;
use um_model::work::NewEvent;
use um_model::{ApiError, ErrorCode, SessionId};

/// The session that was named.
fn session_id(named: Option<String>) -> Result<Option<SessionId>, Failure> {
    named.map(|text| id(text, SessionId::parse, "umem session list")).transpose()
}

/// Something that is written as JSON on the command line.
pub(crate) fn json<T: serde::de::DeserializeOwned>(what: &str, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        Failure::usage(ApiError::new(ErrorCode::InvalidRequest, format!("{what} does not fit: {error}.")))
    })
}

/// Events, one a line.
fn events(file: &Path) -> Result<Vec<NewEvent>, Failure> {
    let mut text = String::new();
    let read = match file == Path::new("-") {
        true => std::io::stdin().lock().read_to_string(&mut text),
        false => std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text)),
    };
    read.map_err(crate::failure::system)?;
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| json("An event", line)).collect()
}
