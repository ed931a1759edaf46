//! The one API: every operation of `um_model::ops` is one function here, and the doors reach it by its
//! request's type or by its name.

use crate::access::admitted;
use crate::error::{Outcome, invalid};
use crate::fields::Unknown;
use crate::{Caller, Engine};
use serde_json::Value;
use um_model::access::*;
use um_model::audit::*;
use um_model::capture::*;
use um_model::claims::*;
use um_model::decisions::*;
use um_model::envelope::*;
use um_model::findings::*;
use um_model::forget::*;
use um_model::health::*;
use um_model::held::*;
use um_model::jobs::*;
use um_model::llm::*;
use um_model::memories::*;
use um_model::models::*;
use um_model::ops::{Effect, Request};
use um_model::promote::*;
use um_model::recall::*;
use um_model::spaces::*;
use um_model::traces::*;
use um_model::watch::*;
use um_model::work::*;
use um_model::{ApiError, ErrorCode};

/// A request that the engine can carry out.
pub trait Handle: Request {
    /// Carries it out. Blocks.
    ///
    /// # Errors
    /// Each operation's own.
    fn handle(self, engine: &Engine, caller: &Caller) -> Outcome<Self::Response>;
}

macro_rules! functions {
    ($($name:ident: $request:ident => $response:ident, $effect:ident, $summary:literal;)+) => {
        $(impl Handle for $request {
            fn handle(self, engine: &Engine, caller: &Caller) -> Outcome<$response> {
                operations::$name(engine, caller, self)
            }
        })+

        fn by_name(engine: &Engine, caller: &Caller, name: &str, request: Value) -> Outcome<Value> {
            match name {
                $(stringify!($name) => {
                    let request: $request = parse(name, request)?;
                    let response = engine.run(caller, request)?;
                    serde_json::to_value(response).map_err(|e| ApiError::new(ErrorCode::Internal, e.to_string()))
                })+
                _ => Err(ApiError::new(ErrorCode::NotFound, format!("There is no operation \"{name}\"."))),
            }
        }
    };
}
um_model::with_operations!(functions);

/// Where each operation lives.
mod operations {
    pub(super) use crate::access::{
        access_get, agent_edit, agent_pair, agent_revoke, agents_list, membership_set, overlay_set, pairing_decide,
        requests_list,
    };
    pub(super) use crate::audit::{audit_export, audit_list, audit_verify};
    pub(super) use crate::belief::{
        candidates_decide, candidates_list, candidates_reopen, claim_explain, claim_retract, conflicts_list,
        conflicts_reopen, conflicts_resolve, entities_list, entities_resolve, entity_edit, entity_get, entity_merge,
        entity_share, entity_unmerge, facts_add, facts_search, graph_traverse, ids_find, predicate_define,
        predicates_list,
    };
    pub(super) use crate::blocks::{block_remove, block_set, blocks_list, memory_pin};
    pub(super) use crate::brief::{context_compile, context_hydrate, contexts_list};
    pub(super) use crate::decisions::decisions_list;
    pub(super) use crate::drift::drift_check;
    pub(super) use crate::entries::{
        clash_resolve, clashes_list, entries_list, entry_disable, entry_enable, entry_get, entry_save,
    };
    pub(super) use crate::envelope::{memory_confirm, memory_distill};
    pub(super) use crate::events::{event_promote, events_append, events_list};
    pub(super) use crate::findings::{
        finding_add, findings_decide, findings_list, findings_mark, redactions_list, space_mask,
    };
    pub(super) use crate::forget::{
        forget_allow, forget_execute, forget_export, forget_preview, forget_show, memory_archive, redaction_apply,
        rows_purge,
    };
    pub(super) use crate::health::{health_check, index_reembed, status_get};
    pub(super) use crate::held::{held_decide, held_list};
    pub(super) use crate::ingest::{memories_add, memory_ingest, memory_remember};
    pub(super) use crate::library::{
        artifact_get, artifact_remove, artifact_reread, artifact_restore, artifact_unlock, artifacts_list, media_read,
        memories_status, memory_expire, memory_get, memory_remove, memory_restore, memory_tier, view_read,
    };
    pub(super) use crate::llm::llm_test;
    pub(super) use crate::locks::{lock_checkin, lock_checkout, lock_force, locks_list};
    pub(super) use crate::models::{model_add, model_download, models_list};
    pub(super) use crate::promote::{promotion_decide, promotion_request, promotion_show, promotions_list};
    pub(super) use crate::query::items_query;
    pub(super) use crate::recall::{
        memory_recall, recall_explain, search_drop, search_save, searches_list, trace_feedback, trace_get,
        trace_replay, traces_list,
    };
    pub(super) use crate::relations::{relation_add, relation_end, relation_remove, relations_list, relations_walk};
    pub(super) use crate::resources::{resource_get, resource_put, resource_remove, resources_browse};
    pub(super) use crate::sessions::{
        session_begin, session_discard, session_end, session_get, session_set, sessions_list, state_get, state_set,
    };
    pub(super) use crate::settings::{settings_get, settings_set};
    pub(super) use crate::spaces::{space_create, space_edit, spaces_list};
    pub(super) use crate::tags::{tag_attach, tag_create, tag_detach, tags_list};
    pub(super) use crate::verification::{verification_add, verifications_list};
    pub(super) use crate::versions::{versions_diff, versions_list};
    pub(super) use crate::watch::{watch_add, watch_remove, watches_list};
    pub(super) use crate::work::{call_cancel, job_cancel, job_retry, jobs_status, work_pause};
}

fn parse<T: serde::de::DeserializeOwned>(name: &str, request: Value) -> Outcome<T> {
    let request = if request.is_null() { Value::Object(Default::default()) } else { request };
    if let Some(Unknown { field, known }) = crate::fields::unknown(name, &request) {
        let known =
            if known.is_empty() { "It takes none.".to_owned() } else { format!("Known here: {}.", known.join(", ")) };
        return Err(invalid(format!("{name} knows no field \"{field}\".")).hint(known));
    }
    serde_json::from_value(request).map_err(|e| {
        invalid(format!("The request of {name} does not fit: {e}.")).hint("See the operation's input schema.")
    })
}

impl Engine {
    /// Carries out a request. Blocks.
    ///
    /// # Errors
    /// `Forbidden` for an agent and what is the person's to do, or what its token is not for; `Held` for words of an agent that look
    /// like a secret or an order to a model, where nothing lets them wait; the operation's own.
    pub fn run<R: Handle>(&self, caller: &Caller, request: R) -> Outcome<R::Response> {
        crate::library::expire_due(self);
        let begun = std::time::Instant::now();
        let caller = admitted(caller, R::NAME)?;
        crate::held::refuse(&caller, &request)?;
        let response = request.handle(self, &caller);
        self.timings().record(R::NAME, begun.elapsed());
        response
    }

    /// Carries out the request of that name. Blocks. Every door that agents come through calls this: what spaces hide from
    /// agents is hidden in the answer, and what an agent asks is noted, with what it got.
    ///
    /// # Errors
    /// `NotFound` for an unknown name, `InvalidRequest` for a request that does not fit, and the
    /// operation's own.
    pub fn call(&self, caller: &Caller, name: &str, request: Value) -> Outcome<Value> {
        if !caller.is_agent() {
            return by_name(self, caller, name, request);
        }
        let begun = std::time::Instant::now();
        // What is the person's is refused before the request is looked at.
        let answer = admitted(caller, name)
            .and_then(|_| crate::spaces::with_usual(self, caller, name, request.clone()))
            .and_then(|request| by_name(self, caller, name, request));
        let answer = crate::findings::for_agent(self, name, answer);
        // Whoever lost its access meanwhile is told nothing any more.
        let answer = answer.and_then(|told| self.read(|c| crate::access::may_act(c, caller)).map(|()| told));
        let noted = crate::access::requests::note(self, caller, name, &request, answer.as_ref(), begun.elapsed());
        // What was written is in the ledger by its own entry; what was read is told only where it is.
        match um_model::ops::operation(name).is_some_and(|known| known.effect == Effect::Reads) {
            true => noted.and(answer),
            false => answer,
        }
    }
}
