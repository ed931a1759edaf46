//! Calls that take long: whoever made one hears how far it is, the person sees all of them beside the jobs,
//! and either can stop it.

use crate::engine::lock;
use crate::error::{Outcome, not_found};
use crate::provider::Cancel;
use crate::{Caller, Engine};
use std::time::{Duration, Instant};
use um_model::capture::Done;
use um_model::health::Event;
use um_model::jobs::{CallCancel, LongCall};
use um_model::ops::Request;
use um_model::{AgentId, CallId, SpaceId, TokenId};

/// The window is told of a call's steps at most this often.
const TOLD: Duration = Duration::from_millis(400);

/// A call of at most so many steps tells each of them.
const FEW: u64 = 5;

/// A call that takes long, as it is listed: how far it is, whose it is, and what stops it.
pub(crate) struct Running {
    /// What the person sees of it.
    pub call: LongCall,
    /// The token that let its agent in.
    pub token: Option<TokenId>,
    actor: AgentId,
    cancel: Cancel,
}

/// A call under way. It is listed until this goes.
pub(crate) struct Underway<'a> {
    engine: &'a Engine,
    caller: &'a Caller,
    call: LongCall,
    told: Instant,
}

impl<'a> Underway<'a> {
    /// Begins a call of the operation `R`.
    pub(crate) fn begin<R: Request>(engine: &'a Engine, caller: &'a Caller, space: Option<&SpaceId>) -> Outcome<Self> {
        let now = engine.now();
        let call = LongCall {
            id: CallId::parse(um_store::ids::new_id(now)).map_err(|e| crate::error::invalid(e.to_string()))?,
            operation: R::NAME.to_owned(),
            space_id: space.cloned(),
            done: 0,
            total: None,
            note: String::new(),
            begun_at: now,
        };
        let (actor, token, cancel) = (caller.actor.clone(), caller.token.clone(), caller.cancel.clone());
        let running = Running { call: call.clone(), token, actor, cancel };
        lock(&engine.core().calls).insert(call.id.clone(), running);
        let underway = Self { engine, caller, call, told: Instant::now() };
        engine.tell(Event::Jobs);
        // Whoever lost its access before this was listed was not stopped by that.
        engine.read(|c| crate::access::may_act(c, caller))?;
        Ok(underway)
    }

    /// Whether it is to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.caller.cancel.is_cancelled()
    }

    /// What tells that it is to stop.
    pub(crate) fn cancel(&self) -> &'a Cancel {
        &self.caller.cancel
    }

    /// So much is done, of so much where that is known, and this is being done.
    pub(crate) fn moved(&mut self, done: u64, total: Option<u64>, note: &str) {
        // Another step than before is told at once where there are few.
        let step = total.is_some_and(|total| total <= FEW) && self.call.note != note;
        (self.call.done, self.call.total) = (done, total);
        note.clone_into(&mut self.call.note);
        if let Some(listed) = lock(&self.engine.core().calls).get_mut(&self.call.id) {
            listed.call = self.call.clone();
        }
        self.caller.progress.tell(&self.call);
        if step || self.told.elapsed() >= TOLD {
            self.told = Instant::now();
            self.engine.tell(Event::Jobs);
        }
    }
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        lock(&self.engine.core().calls).remove(&self.call.id);
        self.engine.tell(Event::Jobs);
    }
}

/// The calls under way, the oldest first; of one space, or of all.
pub(super) fn underway(engine: &Engine, space: Option<&SpaceId>) -> Vec<LongCall> {
    let calls = lock(&engine.core().calls);
    let concerns = |call: &LongCall| space.is_none() || call.space_id.as_ref() == space;
    calls.values().map(|running| &running.call).filter(|call| concerns(call)).cloned().collect()
}

/// Stops a call that takes long.
pub(crate) fn call_cancel(engine: &Engine, caller: &Caller, request: CallCancel) -> Outcome<Done> {
    engine.read(|c| crate::access::may_act(c, caller))?;
    {
        let calls = lock(&engine.core().calls);
        let running = calls.get(&request.id).ok_or_else(|| {
            not_found("call under way with the id", request.id.as_str())
                .hint("It may have ended; jobs_status lists them.")
        })?;
        running.cancel.cancel();
    }
    engine.note(caller, "call.cancelled", ("calls", request.id.as_str()), serde_json::json!({}))?;
    Ok(Done {})
}

/// Cuts all of them off: the service ends.
pub(crate) fn cancel_all(engine: &Engine) {
    lock(&engine.core().calls).values().for_each(|running| running.cancel.cut_off());
}

/// Stops those calls of an agent that fit: it may not do any more what they do. What they have done stays.
pub(crate) fn stop_calls_of(engine: &Engine, agent: &AgentId, fits: impl Fn(&Running) -> bool) {
    let calls = lock(&engine.core().calls);
    let theirs = calls.values().filter(|running| running.actor == *agent && fits(running));
    theirs.for_each(|running| running.cancel.cancel());
}
