//! The ledger as a person reads it: listed, and checked from end to end.

use crate::error::Outcome;
use crate::{Caller, Engine};
use um_model::audit::{AuditList, AuditListed, AuditVerified, AuditVerify};
use um_store::audit::{self, Break, Checked, Filter};

/// At most so many entries at once.
const MAX: u32 = 1_000;

/// Lists entries, the newest first.
pub(crate) fn audit_list(engine: &Engine, caller: &Caller, request: AuditList) -> Outcome<AuditListed> {
    let limit = request.limit.unwrap_or(100).clamp(1, MAX);
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let space = request.space.as_deref().map(|one| crate::spaces::resolve(c, caller, one)).transpose()?;
        let actor = request.agent.as_deref().map(|one| crate::access::named(c, one)).transpose()?;
        let filter = Filter {
            space: space.as_ref().map(|space| &space.id),
            actor: actor.as_ref().map(|agent| &agent.id),
            event_type: request.event_type.as_deref(),
            object: request.object.as_deref(),
            since: request.since,
            until: request.until,
            before: request.before,
        };
        let mut events = audit::list(c, &filter, limit + 1)?;
        let more = events.len() > limit as usize;
        events.truncate(limit as usize);
        Ok(AuditListed { events, more })
    })
}

/// Checks the ledger from end to end.
pub(crate) fn audit_verify(engine: &Engine, caller: &Caller, _: AuditVerify) -> Outcome<AuditVerified> {
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let Checked { entries, first_break, last_hash } = audit::check(c)?;
        let message = first_break.map(|(number, kind)| match kind {
            Break::Altered => format!("Entry {number} is not as it was written."),
            Break::Unlinked => format!("What stood before entry {number} is missing or was moved."),
            Break::Cut => format!("Entries after {number} are missing."),
        });
        let first_break = first_break.map(|(number, _)| number);
        Ok(AuditVerified { ok: first_break.is_none(), checked: entries, first_break, message, last_hash })
    })
}
