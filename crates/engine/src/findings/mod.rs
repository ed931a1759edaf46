//! Personal and secret data: looked for in every text, shown to the person, decided by them.

mod carry;
mod decide;
mod detect;
mod mark;
mod mask;
mod region;
mod show;

pub(crate) use decide::findings_decide;
pub(crate) use detect::{detect_memory, queue_next as queue_next_detection};
pub(crate) use mark::finding_add;
pub(crate) use mask::{for_agent, space_mask};
pub(crate) use region::words_in;
pub(crate) use show::findings_list;

use crate::Caller;
use crate::error::{Fault, Outcome};
use um_model::capture::Memory;
use um_model::{ApiError, ArtifactId, ErrorCode, MemoryId};
use um_store::{Connection, memories};

/// What is personal is for the person to look through and to decide about.
fn refuse_agents(caller: &Caller) -> Outcome<()> {
    if caller.is_agent() {
        return Err(ApiError::new(
            ErrorCode::Forbidden,
            "The person decides what is personal and what is blacked out.",
        )
        .hint("Ask them to look at it in the window, or with `umem findings`."));
    }
    Ok(())
}

/// The memory that a file or memory stands for, where one is named.
fn memory_of(
    c: &Connection,
    caller: &Caller,
    artifact: Option<&ArtifactId>,
    memory: Option<&MemoryId>,
) -> Result<Option<Memory>, Fault> {
    let found = match (artifact, memory) {
        (Some(_), Some(_)) => return Err(crate::error::invalid("Give a file or a memory, not both.").into()),
        (Some(file), None) => {
            Some(memories::by_artifact(c, file)?.ok_or_else(|| crate::error::not_found("file", file.as_str()))?)
        }
        (None, Some(id)) => {
            Some(memories::by_id(c, id)?.ok_or_else(|| crate::error::not_found("memory", id.as_str()))?)
        }
        (None, None) => None,
    };
    if let Some(memory) = &found {
        crate::spaces::resolve(c, caller, memory.space_id.as_str())?;
    }
    Ok(found)
}
