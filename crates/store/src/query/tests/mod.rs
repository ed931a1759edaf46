//! What is found, whichever way it is looked for.

mod candidates;
mod found;
mod past;

use super::{Tags, tag_ids};
use crate::keyed::Key;
use crate::rejected::Checked;
use crate::tags::{self, NewTag};
use crate::{connection, migrate, sessions, spaces};
use rusqlite::Connection;
use um_model::work::ItemKey;
use um_model::{AgentId, SessionId, SpaceId, SpaceType};

const TAGS: [&str; 3] = ["one", "two", "three"];

/// A database with a space, one above it, and a session.
fn database() -> (Connection, [SpaceId; 2], SessionId) {
    connection::register_sqlite_vec();
    let mut c = Connection::open_in_memory().unwrap();
    connection::register_functions(&c).unwrap();
    connection::hash_under(&c, &Key::new([1; 32])).unwrap();
    migrate::migrate(&mut c, 1).unwrap();
    let owner = AgentId::owner();
    let above = spaces::insert(&c, "above", SpaceType::Organization, None, &owner, 1).unwrap();
    let space = spaces::insert(&c, "space", SpaceType::Project, Some(&above), &owner, 1).unwrap();
    let metadata = Default::default();
    let about = sessions::About { name: None, purpose: None, client_ref: None, metadata: &metadata };
    let session = sessions::insert(&c, (&space, &owner), &Checked::held(about), 1).unwrap();
    (c, [space, above], session)
}

/// Attaches the tags of some bits.
fn tag(c: &Connection, space: &SpaceId, item: &ItemKey, bits: u8) {
    for bit in (0..3).filter(|bit| bits & 1 << bit != 0) {
        tags::attach(c, space, item, &Checked::held(NewTag::named(TAGS[bit])), 1).unwrap();
    }
}

/// Asks for one of these tags, all of those, and none of the last ones, each as bits.
fn tags_of(c: &Connection, space: &SpaceId, (include, require, exclude): (u8, u8, u8)) -> Tags {
    let ids = |bits: u8| -> Vec<Vec<String>> {
        let names = (0..3).filter(|bit| bits & 1 << bit != 0).map(|bit| TAGS[bit]);
        names.map(|name| tag_ids(c, space, name).unwrap()).collect()
    };
    let include = (include != 0).then(|| ids(include).concat());
    Tags { include, require: ids(require), exclude: ids(exclude).concat() }
}
