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

use crate::by_line;
use crate::failure::{Failure, id};
use serde_json::{Map, Value};
use std::path::Path;
use um_model::work::{ItemRef, NewEvent};
use um_model::{ApiError, ErrorCode, SessionId};

/// Where else to look, where no space was named.
const ELSEWHERE: &str = "--space names another one.";

/// What an item is, and what it is called where it has a name or words.
fn named(item: &ItemRef) -> String {
    let what = item.item_type.called();
    match item.title.trim() {
        "" => format!("{what} without a title"),
        title => format!("{what} {title:?}"),
    }
}

/// The session that was named.
fn session_id(named: Option<String>) -> Result<Option<SessionId>, Failure> {
    named.map(|text| id(text, SessionId::parse, "umem session list")).transpose()
}

/// Something that is written as JSON on the command line.
fn json<T: serde::de::DeserializeOwned>(what: &str, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        Failure::usage(ApiError::new(ErrorCode::InvalidRequest, format!("{what} does not fit: {error}.")))
    })
}

/// What was not compared, each in a line.
fn notes(notices: &[String]) -> impl Iterator<Item = String> {
    notices.iter().map(|notice| format!("Note: {notice}"))
}

/// What goes with something, where anything was given: a JSON object.
pub(crate) fn metadata(given: Option<String>) -> Result<Option<Map<String, Value>>, Failure> {
    given.map(|text| json("The metadata", &text)).transpose()
}

/// Events, one a line.
fn events(file: &Path) -> Result<Vec<NewEvent>, Failure> {
    let hint = "Each line is an event, such as {\"kind\":\"user_message\",\"content\":\"The quay is wet.\"}.";
    let events: Vec<(usize, NewEvent)> = by_line::parsed(file, hint)?;
    // The service counts events, not lines.
    if let Some((number, _)) = events.iter().find(|(_, event)| event.content.trim().is_empty()) {
        return Err(ApiError::new(ErrorCode::Empty, format!("Line {number} says nothing.")).hint(hint).into());
    }
    Ok(events.into_iter().map(|(_, event)| event).collect())
}
