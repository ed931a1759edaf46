//! The ledger as a person reads it: listed, checked from end to end, written to a file.

use crate::error::{Fault, Outcome};
use crate::new_file::NewFile;
use crate::{Caller, Engine};
use um_model::audit::*;
use um_model::ops::OPERATIONS;
use um_model::{ApiError, ErrorCode};
use um_store::audit::{self, Break, Checked, Filter};
use um_store::{Connection, named};

/// The type of a request of an agent that is no operation: whatever it said does not come into the ledger.
pub(crate) const UNKNOWN: &str = "agent.unknown";
/// So many of the things that an entry is about are told of.
const THINGS: usize = 3;
/// The file that an export into a folder makes.
const EXPORT: &str = "ledger.jsonl";

/// The types of the entries that are about something.
fn types(topic: AuditTopic) -> Vec<String> {
    let types: &[&str] = match topic {
        AuditTopic::Asked => {
            let asked = OPERATIONS.iter().map(|operation| format!("agent.{}", operation.name));
            return asked.chain([UNKNOWN.to_owned()]).collect();
        }
        AuditTopic::Sources => &[
            "memory.remembered",
            "memories.added",
            "memory.restored",
            "memory.deleted",
            "memory.archived",
            "memory.expired",
            "memory.expiry_set",
            "memory.tier_set",
            "memory.deduplicated",
            "write.held",
            "write.accepted",
            "write.dismissed",
            "write.reopened",
            "write.withdrawn",
            // What accepting and dismissing were called before.
            "write.kept",
            "write.dropped",
            "artifact.ingested",
            "artifact.deleted",
            "artifact.moved",
            "watch.added",
            "watch.removed",
        ],
        AuditTopic::Beliefs => &[
            "fact.added",
            "claim.retracted",
            "claim.restored",
            "conflict.resolved",
            "conflict.reopened",
            "name.decided",
            "name.reopened",
            "entity.edited",
            "entity.merged",
            "entity.unmerged",
            "beliefs.read",
            "beliefs.settled",
            "beliefs.judged",
            "predicate.defined",
            "predicate.changed",
        ],
        AuditTopic::Personal => &[
            "finding.marked",
            "findings.marked",
            "findings.decided",
            "findings.carried_over",
            "redaction.applied",
            "space.masked",
        ],
        AuditTopic::Work => &[
            "session.begun",
            "session.paused",
            "session.resumed",
            "session.edited",
            "session.ended",
            "session.discarded",
            "state.set",
            "events.appended",
            "event.promoted",
            "block.set",
            "block.removed",
            "resource.put",
            "resource.removed",
            "entry.saved",
            "entry.disabled",
            "entry.enabled",
            "clash.resolved",
            "tag.created",
            "tag.attached",
            "tag.detached",
            "relation.added",
            "relation.ended",
            "relation.removed",
            "verification.added",
            "lock.taken",
            "lock.released",
            "lock.forced",
            "memory.confirmed",
            "memory.staled",
            "memory.pinned",
            "memory.unpinned",
            "memory.distilled",
        ],
        AuditTopic::Copies => &[
            "promotion.requested",
            "promotion.approved",
            "promotion.rejected",
            "memory.promoted",
            "artifact.promoted",
            "claim.promoted",
            "entity.promoted",
        ],
        AuditTopic::Forgotten => &[
            "forgetting.begun",
            "forgetting.refused",
            "forgetting.stopped",
            "forgetting.ended",
            "forgetting.allowed",
            "forgetting.exported",
            "purged",
            "compliance.set",
        ],
        AuditTopic::Access => &[
            "space.created",
            "space.edited",
            "overlay.set",
            "membership.set",
            "pairing.decided",
            "agent.paired",
            "agent.edited",
            "agent.revoked",
            "context.looked_at",
        ],
        AuditTopic::Upkeep => &[
            "settings.changed",
            "model.added",
            "model.fetch_begun",
            "model.fetch_stopped",
            "llm.tested",
            "index.reembedded",
            "vectors.removed",
            "artifact.reread",
            "artifact.unlocked",
            "job.cancelled",
            "job.retried",
            "call.cancelled",
            "work.paused",
            "work.resumed",
            "ledger.exported",
        ],
    };
    types.iter().map(|one| (*one).to_owned()).collect()
}

/// At most so many entries at once.
const MAX: u32 = 1_000;

/// Lists entries, the newest first.
pub(crate) fn audit_list(engine: &Engine, caller: &Caller, request: AuditList) -> Outcome<AuditListed> {
    let limit = request.limit.unwrap_or(100).clamp(1, MAX);
    engine.read(|c| {
        crate::access::may_act(c, caller)?;
        let space = request.space.as_deref().map(|one| crate::spaces::resolve(c, caller, one)).transpose()?;
        let actor = request.agent.as_deref().map(|one| crate::access::named(c, one)).transpose()?;
        let types = request.topic.map(types);
        let filter = Filter {
            space: space.as_ref().map(|space| &space.id),
            actor: actor.as_ref().map(|agent| &agent.id),
            event_type: request.event_type.as_deref(),
            types: types.as_deref(),
            object: request.object.as_deref(),
            since: request.since,
            until: request.until,
            before: request.before,
        };
        let mut events = audit::list(c, &filter, limit + 1)?;
        let more = events.len() > limit as usize;
        events.truncate(limit as usize);
        if request.with_things {
            for event in &mut events {
                event.things = things(c, event)?;
            }
        }
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
            Break::Unsealed => format!(
                "The ledger does not end as it was left: entries after {number} are missing, all were written anew, or \
                 forgotten.key is another one."
            ),
        });
        let first_break = first_break.map(|(number, _)| number);
        Ok(AuditVerified { ok: first_break.is_none(), checked: entries, first_break, message, last_hash })
    })
}

/// What an entry is about and is still there: its object, or the first things that an agent was told of.
fn things(c: &Connection, event: &AuditEvent) -> Result<Vec<AuditThing>, Fault> {
    let told = event.payload["ids"].as_array().into_iter().flatten().filter_map(|id| id.as_str());
    let mut things: Vec<AuditThing> = Vec::new();
    for id in [event.object_id.as_str()].into_iter().chain(told) {
        if things.len() == THINGS {
            break;
        }
        // A memory that stands for a file is that file.
        things.extend(named::named(c, id)?.filter(|thing| !things.contains(thing)));
    }
    Ok(things)
}

/// Writes the ledger to a new file, page by page, so that a long one is never held whole.
pub(crate) fn audit_export(engine: &Engine, caller: &Caller, request: AuditExport) -> Outcome<AuditExported> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    let mut file = NewFile::create(&request.path, EXPORT)?;
    // It comes first in the file.
    engine.note(caller, "ledger.exported", ("audit_events", "all"), serde_json::json!({}))?;
    let mut exported = AuditExported { path: file.path(), entries: 0 };
    let mut before = None;
    loop {
        let page = audit_list(engine, caller, AuditList { before, limit: Some(MAX), ..AuditList::default() })?;
        let mut lines = Vec::new();
        for event in &page.events {
            serde_json::to_writer(&mut lines, event).map_err(|e| ApiError::new(ErrorCode::Internal, e.to_string()))?;
            lines.push(b'\n');
        }
        file.write(&lines)?;
        exported.entries += page.events.len() as u64;
        before = page.events.last().map(|event| event.number);
        if !page.more {
            return Ok(exported);
        }
    }
}
