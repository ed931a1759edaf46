//! Personal and secret data: looked for in every text, shown to the person, decided by them.

mod carry;
mod decide;
mod detect;
mod items;
mod mark;
mod mask;
mod region;
mod show;
mod words;

pub(crate) use decide::findings_decide;
pub(crate) use detect::{detect_memory, queue_next as queue_next_detection};
pub(crate) use items::redactions_list;
pub(crate) use mark::{finding_add, findings_mark};
pub(crate) use mask::{Known, for_agent, hidden_from, space_mask};
pub(crate) use region::words_in;
pub(crate) use show::findings_list;
pub(crate) use words::places;

use crate::Caller;
use crate::error::{Fault, invalid, not_found};
use um_model::capture::Memory;
use um_model::{ArtifactId, MemoryId};
use um_store::{Connection, memories, spaces};

/// The memory that a file or memory stands for, where one is named.
fn memory_of(
    c: &Connection,
    caller: &Caller,
    artifact: Option<&ArtifactId>,
    memory: Option<&MemoryId>,
) -> Result<Option<Memory>, Fault> {
    let (id, unknown) = match (artifact, memory) {
        (Some(_), Some(_)) => return Err(invalid("Give a file or a memory, not both.").into()),
        (Some(file), None) => (file.as_str(), not_found("file", file.as_str())),
        (None, Some(id)) => (id.as_str(), not_found("memory", id.as_str())),
        (None, None) => return Ok(None),
    };
    crate::spaces::open(c, caller, spaces::of_thing(c, id)?, || unknown.clone())?;
    let found = match (artifact, memory) {
        (Some(file), _) => memories::by_artifact(c, file)?,
        (_, Some(id)) => memories::by_id(c, id)?,
        (None, None) => None,
    };
    found.ok_or_else(|| unknown.into()).map(Some)
}
