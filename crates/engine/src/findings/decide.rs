//! What the person decides about findings.

use super::memory_of;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use std::collections::BTreeMap;
use um_model::findings::{AllFindings, FindingDecision, FindingStatus, FindingsDecide, FindingsDecided};
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, FindingId, SpaceId};
use um_store::findings::{self, Found, Wanted};
use um_store::{Connection, Transaction};

/// So many findings are decided at once.
const MOST: u32 = 1_000;

/// Decides about findings.
pub(crate) fn findings_decide(engine: &Engine, caller: &Caller, request: FindingsDecide) -> Outcome<FindingsDecided> {
    let (caller, now) = (caller.clone(), engine.now());
    let decided = engine.write(move |tx| {
        let (found, in_all) = match &request.all {
            Some(all) if request.ids.is_empty() => fitting(tx, &caller, all, request.decision)?,
            None if !request.ids.is_empty() => (named(tx, &caller, &request.ids)?, 0),
            _ => {
                return Err(invalid("Say which findings are meant.")
                    .hint("Give the ids of some, or all of a space, a file or a memory.")
                    .into());
            }
        };
        let left = in_all.saturating_sub(found.len() as u64);
        let mut changed: BTreeMap<SpaceId, Vec<FindingId>> = BTreeMap::new();
        for one in found {
            if findings::decide(tx, &one.id, request.decision.status(), &caller.actor, now)? {
                changed.entry(one.space).or_default().push(one.id);
            }
        }
        for (space, ids) in &changed {
            let payload = serde_json::json!({ "decision": request.decision, "ids": ids });
            let object = match ids.as_slice() {
                [one] => ("redaction_findings", one.as_str()),
                _ => ("memory_spaces", space.as_str()),
            };
            Engine::audit(tx, &caller, "findings.decided", object, space, payload, now)?;
        }
        Ok(FindingsDecided { changed: changed.into_values().flatten().collect(), left })
    })?;
    engine.tell(Event::Findings);
    Ok(decided)
}

/// The findings of these ids.
fn named(tx: &Transaction<'_>, caller: &Caller, ids: &[FindingId]) -> Result<Vec<Found>, Fault> {
    if ids.len() > MOST as usize {
        return Err(invalid(format!("At most {MOST} findings are decided at once."))
            .hint("Give fewer, or say of which space or file all are meant.")
            .into());
    }
    ids.iter()
        .map(|id| {
            let unknown = || not_found("finding", id.as_str());
            let found = findings::by_id(tx, id)?.ok_or_else(unknown)?;
            crate::spaces::of_item(tx, caller, &found.space, unknown)?;
            if found.status == FindingStatus::Applied {
                return Err(ApiError::new(ErrorCode::Conflict, "This was blacked out; that cannot be undone.")
                    .hint("Leave it out.")
                    .into());
            }
            Ok(found)
        })
        .collect()
}

/// The first findings that a decision about all of them changes, and how many there are.
fn fitting(
    c: &Connection,
    caller: &Caller,
    all: &AllFindings,
    decision: FindingDecision,
) -> Result<(Vec<Found>, u64), Fault> {
    if all.space.is_none() && all.artifact.is_none() && all.memory.is_none() {
        return Err(invalid("Say of which space, file or memory all findings are meant.").into());
    }
    let spaces = crate::spaces::readable(c, caller, all.space.as_deref())?;
    let wanted = Wanted {
        spaces: spaces.into_iter().map(|space| space.id).collect(),
        statuses: match decision {
            FindingDecision::Accept | FindingDecision::Dismiss => vec![FindingStatus::Pending],
            FindingDecision::Reopen => vec![FindingStatus::Accepted, FindingStatus::Dismissed],
        },
        kinds: all.kind.into_iter().collect(),
        memory: memory_of(c, caller, all.artifact.as_ref(), all.memory.as_ref())?.map(|memory| memory.id),
        names_only: all.names_only.then_some(true),
    };
    let counts = findings::counts(c, &wanted)?;
    let total = counts.iter().filter(|(kind, _)| all.kind.is_none_or(|of| of == **kind)).map(|(_, count)| count).sum();
    Ok((findings::list(c, &wanted, 0, MOST)?, total))
}
