//! The files and memories in which something personal was found: what a person goes through one by one.

use crate::belief::Sources;
use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use um_model::Modality;
use um_model::findings::{FindingStatus, KindCount, RedactionItem, RedactionsList, RedactionsListed};
use um_store::Connection;
use um_store::findings::{self, Item, Wanted};
use um_store::parts::Text;

/// Lists the files and memories with findings that wait, or were blacked out.
pub(crate) fn redactions_list(engine: &Engine, caller: &Caller, request: RedactionsList) -> Outcome<RedactionsListed> {
    let limit = request.limit.unwrap_or(100).min(1000);
    let statuses = match request.applied {
        true => vec![FindingStatus::Applied],
        false => vec![FindingStatus::Pending, FindingStatus::Accepted],
    };
    engine.read(|c| {
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let spaces = spaces.into_iter().map(|space| space.id).collect();
        let wanted = Wanted { spaces, statuses, names_only: request.names_only, ..Wanted::default() };
        let (found, total) = findings::items(c, &wanted, request.offset, limit)?;
        let mut sources = Sources::default();
        let items = found.into_iter().map(|item| shown(c, item, &wanted, &mut sources)).collect::<Result<_, _>>()?;
        Ok(RedactionsListed { items, total })
    })
}

fn shown(c: &Connection, item: Item, wanted: &Wanted, sources: &mut Sources) -> Result<RedactionItem, Fault> {
    let kinds = findings::counts(c, &Wanted { memory: Some(item.memory.clone()), ..wanted.clone() })?;
    let title = match item.title {
        Some(title) => title,
        None => sources.head(c, &Text::Memory(item.memory.clone()))?,
    };
    let [pending, accepted, applied] = item.counts;
    Ok(RedactionItem {
        memory_id: item.memory,
        artifact_id: item.artifact,
        title,
        modality: item.modality.parse().unwrap_or(Modality::Other),
        space_id: item.space,
        pending,
        accepted,
        applied,
        kinds: kinds.into_iter().map(|(kind, count)| KindCount { kind, count }).collect(),
        at: item.at,
    })
}
