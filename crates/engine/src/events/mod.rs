//! Evidence events: told by agents in batches ([`append`]), listed ([`list`]), looked through for what was marked to be
//! remembered ([`markers`]), made memories ([`promote`]).

mod append;
mod list;
pub(crate) mod markers;
mod promote;

pub(crate) use append::{Batch, append, check, events_append};
pub(crate) use list::events_list;
pub(crate) use promote::{event_promote, keep_promoted};
