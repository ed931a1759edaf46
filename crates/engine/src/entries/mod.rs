//! Tools, guidelines and knowledge: written in versions ([`save`]), read from the nearest level that has them ([`show`]), and
//! decided between where two were written without regard to one another ([`clashes`]).

mod clashes;
mod save;
mod show;

pub(crate) use clashes::{clash_resolve, clashes_list};
pub(crate) use save::{entry_disable, entry_enable, entry_save, keep_written};
pub(crate) use show::{entries_list, entry_get};

use crate::Caller;
use crate::error::{Fault, not_found};
use crate::scopes::Level;
use um_model::work::Entry;
use um_model::{EntryId, EpochMs};
use um_store::Connection;
use um_store::entries::{self, Place};

/// An entry that the caller may do that with, by its id.
fn find(c: &Connection, caller: &Caller, id: &EntryId) -> Result<Entry, Fault> {
    let found = entries::by_id(c, id)?;
    let unknown = || not_found("entry", id.as_str());
    crate::spaces::open(c, caller, found.as_ref().map(|entry| entry.space_id.clone()), unknown)?;
    found.ok_or_else(|| unknown().into())
}

/// Marks entries that stopped to hold by a time.
pub(crate) fn mark_run_out<'a>(entries: impl IntoIterator<Item = &'a mut Entry>, by: EpochMs) {
    entries.into_iter().for_each(|entry| entry.ran_out = entry.version.body.ran_out(by));
}

fn place(level: &Level) -> Place<'_> {
    Place { space: &level.space.id, session: level.session.as_ref() }
}
