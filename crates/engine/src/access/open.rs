//! What agents may ask for at all. All other operations are the person's.

use super::policy::Wish;
use crate::Caller;
use crate::error::Outcome;
use um_model::access::{Grant, Right, Role};
use um_model::{ApiError, ErrorCode};

const READ: Wish = Wish::Use(Right::Read);
const WRITE: Wish = Wish::Use(Right::Write);
const REDACT: Wish = Wish::Destroy(Grant::Redact);
const FORGET: Wish = Wish::Destroy(Grant::Forget);

/// The operations that agents may call, each with what it wants to do in every space that it touches.
const TO_AGENTS: &[(&str, Wish)] = &[
    ("memory_remember", WRITE),
    ("memories_add", WRITE),
    ("memory_ingest", WRITE),
    ("memory_confirm", WRITE),
    ("memory_tier", WRITE),
    ("memory_distill", WRITE),
    ("event_promote", WRITE),
    ("memory_recall", READ),
    ("recall_explain", READ),
    ("trace_feedback", WRITE),
    ("memory_get", READ),
    ("session_begin", WRITE),
    ("session_set", WRITE),
    ("session_end", WRITE),
    ("session_discard", WRITE),
    ("sessions_list", READ),
    ("session_get", READ),
    ("state_set", WRITE),
    ("state_get", READ),
    ("events_append", WRITE),
    ("events_list", READ),
    ("lock_checkout", WRITE),
    ("lock_checkin", WRITE),
    ("locks_list", READ),
    ("entry_save", WRITE),
    ("entry_get", READ),
    ("entries_list", READ),
    ("entry_disable", WRITE),
    ("entry_enable", WRITE),
    ("versions_list", READ),
    ("versions_diff", READ),
    ("clashes_list", READ),
    ("clash_resolve", WRITE),
    ("tags_list", READ),
    ("tag_create", WRITE),
    ("tag_attach", WRITE),
    ("tag_detach", WRITE),
    ("relation_add", WRITE),
    ("relation_end", WRITE),
    ("relations_list", READ),
    ("relations_walk", READ),
    ("items_query", READ),
    ("verification_add", WRITE),
    ("verifications_list", READ),
    ("spaces_list", READ),
    ("artifacts_list", READ),
    ("artifact_get", READ),
    ("view_read", READ),
    ("media_read", READ),
    ("jobs_status", READ),
    ("facts_add", WRITE),
    ("facts_search", READ),
    ("entities_list", READ),
    ("entity_get", READ),
    ("entities_resolve", READ),
    ("claim_explain", READ),
    ("graph_traverse", READ),
    ("conflicts_list", READ),
    ("conflicts_resolve", WRITE),
    ("findings_list", REDACT),
    ("findings_decide", REDACT),
    ("redaction_apply", REDACT),
    ("forget_preview", FORGET),
    ("forget_execute", FORGET),
    // It copies nothing by itself, but it asks in the agent's name: whoever only reads, does not ask either.
    ("promotion_request", WRITE),
    ("promotions_list", READ),
    ("promotion_show", READ),
    ("promotion_decide", Wish::Approve),
    ("blocks_list", READ),
    ("block_set", WRITE),
    ("resource_put", WRITE),
    ("resources_browse", READ),
    ("resource_get", READ),
    ("resource_remove", WRITE),
    ("context_compile", READ),
    ("context_hydrate", READ),
    ("contexts_list", READ),
    ("drift_check", READ),
    // The least that can be managed; the operation asks for each role that it gives or takes.
    ("membership_set", Wish::Manage(Role::Observer)),
];

fn wish_of(operation: &str) -> Option<Wish> {
    TO_AGENTS.iter().find(|(name, _)| *name == operation).map(|(_, wish)| *wish)
}

/// Whether an agent of these rights and grants may call an operation somewhere.
pub fn is_open(operation: &str, rights: &[Right], grants: &[Grant]) -> bool {
    wish_of(operation)
        .is_some_and(|wish| rights.contains(&wish.right()) && wish.grant().is_none_or(|grant| grants.contains(&grant)))
}

/// The caller as it may carry out that operation.
///
/// # Errors
/// `Forbidden` for an agent and what is the person's to do, or what it was not given.
pub(crate) fn admitted(caller: &Caller, operation: &str) -> Outcome<Caller> {
    if !caller.is_agent() {
        return Ok(caller.clone());
    }
    let forbidden = |message: String| ApiError::new(ErrorCode::Forbidden, message);
    let Some(wish) = wish_of(operation) else {
        return Err(forbidden(format!("{operation} is the person's to do.")).hint("Ask them to."));
    };
    let missing = wish.grant().filter(|grant| caller.grants.iter().all(|(_, given)| given != grant));
    if let Some(grant) = missing {
        return Err(forbidden(format!("{operation} is the person's to do, and was not granted to this agent."))
            .hint(format!("Ask them to, or for the grant: umem space member SPACE AGENT --grants {grant}.")));
    }
    if !caller.rights.contains(&wish.right()) {
        return Err(forbidden(format!("This agent was not given the right to {}.", wish.right()))
            .hint(format!("The person can give it: umem agents pair {:?} --rights read,write.", caller.called())));
    }
    Ok(caller.wishing(wish))
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::ops::{Effect, operation};

    /// What takes away, and is open to whoever may write: it can be brought back by the same right, or is the scratch of the
    /// one who takes it away.
    const TAKES_BACK: &[&str] = &["entry_disable", "tag_detach", "session_discard", "resource_remove"];

    #[test]
    fn what_writes_needs_the_right_to_write_and_what_destroys_a_grant() {
        for (name, wish) in TO_AGENTS {
            let known = operation(name).unwrap_or_else(|| panic!("{name} is gone"));
            assert!(known.effect == Effect::Reads || wish.right() == Right::Write, "{name}");
            let needs_grant = known.effect == Effect::Destroys && !TAKES_BACK.contains(name);
            assert!(!needs_grant || wish.grant().is_some(), "{name}");
            assert!(!is_open(name, &[], Grant::ALL), "{name}");
            assert_eq!(is_open(name, Right::ALL, &[]), wish.grant().is_none(), "{name}");
        }
    }
}
