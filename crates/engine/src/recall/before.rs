//! What is told where nothing is kept of the time that is asked for: since when something is.

use super::dates;
use crate::error::Fault;
use um_model::recall::MemoryRecall;
use um_model::{EpochMs, SpaceId};
use um_store::{Connection, memories};

/// What is told where nothing was found and another time is asked for, from before everything that these spaces keep.
pub(super) fn notice(
    c: &Connection,
    spaces: &[SpaceId],
    request: &MemoryRecall,
    is_empty: bool,
) -> Result<Option<String>, Fault> {
    if !is_empty || request.as_of.or(request.known_at).is_none() {
        return Ok(None);
    }
    let Some((dated, kept)) = memories::earliest(c, spaces)? else { return Ok(None) };
    let is_before = |asked: Option<EpochMs>, first: EpochMs| asked.is_some_and(|asked| asked < first);
    // `2026-11-27`
    let told = |at: EpochMs| um_rules::date_written(dates::Now::of(request, at).shown(at));
    Ok(if is_before(request.known_at, kept) {
        told(kept).map(|day| format!("Nothing was kept here by then: the first was kept on {day}."))
    } else if is_before(request.as_of, dated) {
        told(dated).map(|day| format!("Nothing of that time is kept here: what is kept begins on {day}."))
    } else {
        None
    })
}
