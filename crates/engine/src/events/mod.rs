//! Evidence events: told by agents in batches ([`append`]), listed ([`list`]), looked through for what was marked to be
//! remembered ([`markers`]).

mod append;
mod list;
pub(crate) mod markers;

pub(crate) use append::{Batch, append, check, events_append};
pub(crate) use list::events_list;
