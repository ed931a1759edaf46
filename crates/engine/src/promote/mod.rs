//! Promotion: somebody asks for a copy in another space, whoever decides there sees what would be copied ([`plan`]), and
//! approves exactly that ([`copy`], [`beliefs`], [`files`]). Who would read it is told before ([`readers`]).
//!
//! Asking needs what reading the source needs, and a target that the asker sees: nothing is written there before somebody
//! approves. Deciding is the target's owner's and leaders', a person's unless the target granted it to an agent (ruling 20).

mod beliefs;
mod copy;
mod files;
mod gather;
mod list;
mod looking;
mod plan;
mod readers;

pub(crate) use list::{promotions_list, with_paths};

use crate::access::{Wish, may_act, usable};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine};
use plan::{Compare, Plan, ReadTexts};
use std::collections::BTreeMap;
use um_model::access::Right;
use um_model::health::Event;
use um_model::promote::*;
use um_model::spaces::Space;
use um_model::{ApiError, EpochMs, ErrorCode, SpaceId, SpaceType};
use um_store::keyed::Key;
use um_store::promotions::{self, NewRequest, Stored};
use um_store::rejected::{Checked, Remark};
use um_store::{Connection, Transaction, forget, spaces};

/// The longest note, in bytes.
const MAX_NOTES: usize = 2_000;
/// An agent waits for so many decisions at most.
const MAX_WAITING: u64 = 100;
/// So many things are shown of what would be copied.
const SHOWN: usize = 200;

/// Asks for a copy. Where the same is asked for already, that request is answered; to an agent, only its own.
pub(crate) fn promotion_request(engine: &Engine, caller: &Caller, request: PromotionRequest) -> Outcome<Promotion> {
    check_notes(request.notes.as_deref())?;
    let (caller, key, now) = (caller.wishing(Wish::Use(Right::Read)), engine.key().clone(), engine.now());
    // Large files take long to look through and to compare, which keeps nobody from writing.
    let asked = engine.read(|c| {
        let between = between(c, &caller, &request)?;
        match pending(c, &caller, &request, &between.1)? {
            Some(_) => Ok(None),
            None => asked(c, &key, &request, &between).map(Some),
        }
    })?;
    let promotion = engine.write(move |tx| {
        let (source, target) = between(tx, &caller, &request)?;
        let id = match (pending(tx, &caller, &request, &target)?, asked) {
            (Some(known), _) => known,
            (None, Some(asked)) => ask(tx, &caller, &key, (&request, &asked), (&source, &target), now)?,
            (None, None) => {
                return Err(ApiError::new(ErrorCode::Conflict, "It was decided just now.").hint("Ask again.").into());
            }
        };
        let stored = promotions::by_id(tx, &id)?.ok_or_else(|| not_found("promotion", id.as_str()))?;
        Ok(list::with_paths(tx, vec![stored.promotion])?.remove(0))
    })?;
    engine.tell(Event::Promotions);
    Ok(promotion)
}

/// The spaces between which a copy is asked for.
fn between(c: &Connection, caller: &Caller, request: &PromotionRequest) -> Result<(SpaceId, Space), Fault> {
    let target = crate::spaces::resolve(c, caller, &request.to)?;
    let unknown = || not_found(plan::called(request.kind), request.id.trim());
    let source = plan::space_of(c, request.kind, request.id.trim())?.ok_or_else(unknown)?;
    crate::spaces::check(c, caller, &source, unknown)?;
    refuse_target(request.kind, &source, &target)?;
    Ok((source, target))
}

/// The request that waits for the same already.
fn pending(
    c: &Connection,
    caller: &Caller,
    request: &PromotionRequest,
    target: &Space,
) -> Result<Option<um_model::PromotionId>, Fault> {
    let by = caller.is_agent().then_some(&caller.actor);
    Ok(promotions::pending(c, request.kind, request.id.trim(), &target.id, by)?)
}

/// What the thing says, as a keyed hash, where a copy of it can be asked for.
fn asked(
    c: &Connection,
    key: &Key,
    request: &PromotionRequest,
    (source, target): &(SpaceId, Space),
) -> Result<String, Fault> {
    let plan = Plan::of(c, key, source, target, (request.kind, request.id.trim()), Compare::Now)?;
    if let Some(block) = plan.blocks.iter().find(|block| never_mends(block.obstacle)) {
        return Err(refusal(block).into());
    }
    if let Some(there) = plan.is_there() {
        return Err(ApiError::new(ErrorCode::AlreadyExists, format!("{} has this already.", target.name))
            .hint(format!("It is {there} there."))
            .into());
    }
    Ok(plan.asked(key))
}

fn ask(
    tx: &Transaction<'_>,
    caller: &Caller,
    key: &Key,
    (request, asked): (&PromotionRequest, &str),
    (source, target): (&SpaceId, &Space),
    now: EpochMs,
) -> Result<um_model::PromotionId, Fault> {
    if caller.is_agent() && promotions::pending_of(tx, &caller.actor)? >= MAX_WAITING {
        return Err(ApiError::new(ErrorCode::RateLimited, format!("{MAX_WAITING} requests of yours wait already."))
            .hint("Ask again once some of them are decided.")
            .into());
    }
    let id = request.id.trim();
    let new = NewRequest {
        kind: request.kind,
        object: id,
        source,
        target: &target.id,
        by: &caller.actor,
        notes: request.notes.as_deref(),
        asked,
    };
    // The remark stands in both spaces.
    let new = Door::of(key, source).and_of([&target.id]).pass(tx, new)?;
    let promotion = promotions::insert(tx, &new, now)?;
    let payload = serde_json::json!({ "kind": request.kind, "object": id, "target": target.id });
    let object = ("promotion_requests", promotion.as_str());
    Engine::audit(tx, caller, "promotion.requested", object, source, payload, now)?;
    Ok(promotion)
}

fn check_notes(notes: Option<&str>) -> Outcome<()> {
    match notes {
        Some(notes) if notes.len() > MAX_NOTES => {
            Err(ApiError::new(ErrorCode::TextTooLong, format!("A note has at most {MAX_NOTES} bytes.")))
        }
        _ => Ok(()),
    }
}

fn refuse_target(kind: PromotedKind, source: &SpaceId, target: &Space) -> Outcome<()> {
    if target.id == *source {
        return Err(invalid(format!("It is in {} already.", target.name)).hint("Name another space."));
    }
    if target.space_type == SpaceType::Global {
        let hint = match kind {
            PromotedKind::Entity => "Let every space name it instead: umem entity share.",
            _ => "Name another space.",
        };
        return Err(invalid("What every space shares are names, not copies.").hint(hint));
    }
    Ok(())
}

/// What no decision and no waiting mends.
fn never_mends(obstacle: PromotionObstacle) -> bool {
    matches!(obstacle, PromotionObstacle::Gone | PromotionObstacle::Forgotten)
}

fn refusal(block: &PromotionBlock) -> ApiError {
    let code = match block.obstacle {
        PromotionObstacle::Forgotten => ErrorCode::Forgotten,
        PromotionObstacle::Ambiguous => ErrorCode::Ambiguous,
        _ => ErrorCode::Conflict,
    };
    ApiError::new(code, &block.message).hint(&block.hint)
}

/// A request that a caller may see, with the space that the copy is for. An agent sees its own and those that it may
/// decide, while it reads both spaces; to it, any other does not exist.
fn seen(c: &Connection, caller: &Caller, id: &um_model::PromotionId) -> Result<(Stored, Space), Fault> {
    let unknown = || not_found("promotion", id.as_str());
    let reader = caller.wishing(Wish::Use(Right::Read));
    may_act(c, &reader)?;
    let stored = promotions::by_id(c, id)?;
    if !caller.is_agent() {
        let stored = stored.ok_or_else(unknown)?;
        let target = spaces::by_id(c, stored.promotion.target_space_id.as_str())?.ok_or_else(unknown)?;
        return Ok((stored, target));
    }
    // The same is asked whether there is such a request or not, so that how long the refusal takes tells nothing.
    let known = crate::spaces::readable(c, &reader, None)?;
    let decides = decided_by(c, caller, known.clone())?;
    let space = |id: &SpaceId| known.iter().find(|space| space.id == *id).cloned();
    let found = stored.and_then(|stored| {
        space(&stored.promotion.space_id)?;
        let target = space(&stored.promotion.target_space_id)?;
        let is_theirs = stored.promotion.requested_by == caller.actor || decides.iter().any(|one| one.id == target.id);
        is_theirs.then_some((stored, target))
    });
    found.ok_or_else(|| unknown().into())
}

/// Whether a caller may decide what comes into a space.
fn may_decide(c: &Connection, caller: &Caller, target: &Space) -> Result<bool, Fault> {
    Ok(!decided_by(c, caller, vec![target.clone()])?.is_empty())
}

/// Those of some spaces that a caller decides for.
fn decided_by(c: &Connection, caller: &Caller, spaces: Vec<Space>) -> Result<Vec<Space>, Fault> {
    if !caller.rights.contains(&Wish::Approve.right()) {
        return Ok(Vec::new());
    }
    usable(c, caller, spaces, Wish::Approve)
}

/// Shows what approving a request would copy.
pub(crate) fn promotion_show(engine: &Engine, caller: &Caller, request: PromotionShow) -> Outcome<PromotionDetail> {
    engine.read(|c| {
        let (stored, target) = seen(c, caller, &request.id)?;
        let source = spaces::by_id(c, stored.promotion.space_id.as_str())?
            .ok_or_else(|| not_found("promotion", request.id.as_str()))?;
        let may_decide = may_decide(c, caller, &target)?;
        let promotion = list::with_paths(c, vec![stored.promotion])?.remove(0);
        if promotion.status != PromotionStatus::Pending {
            return Ok(PromotionDetail {
                promotion,
                items: Vec::new(),
                total: 0,
                target_read_policy: target.read_policy,
                new_readers: Vec::new(),
                blocks: Vec::new(),
                changed_since_asked: false,
                may_decide: false,
                token: None,
            });
        }
        let plan =
            Plan::of(c, engine.key(), &source.id, &target, (promotion.kind, &promotion.object_id), Compare::Now)?;
        let new_readers = readers::new(c, &source, &target, engine.now())?;
        Ok(PromotionDetail {
            token: Some(plan.token(engine.key(), &promotion.id, &target, &new_readers)),
            changed_since_asked: stored.asked.is_some_and(|asked| asked != plan.asked(engine.key())),
            total: plan.items.len() as u64,
            items: plan.items.into_iter().take(SHOWN).collect(),
            target_read_policy: target.read_policy,
            blocks: plan.blocks,
            new_readers,
            may_decide,
            promotion,
        })
    })
}

/// Approves a request as it was shown, or rejects it.
pub(crate) fn promotion_decide(engine: &Engine, caller: &Caller, request: PromotionDecide) -> Outcome<Promotion> {
    check_notes(request.notes.as_deref())?;
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let looked = match request.decision {
        PromotionDecision::Approve => look(engine, &caller, &request)?,
        PromotionDecision::Reject => Looked::default(),
    };
    let promotion = engine.write(move |tx| {
        let (stored, target) = seen(tx, &caller, &request.id)?;
        let asked = stored.promotion;
        if !may_decide(tx, &caller, &target)? {
            let message = format!("What comes into {} is decided by its owner and leaders.", target.name);
            return Err(ApiError::new(ErrorCode::Forbidden, message)
                .hint("Ask the person: they decide in the window, or with `umem promotions`.")
                .into());
        }
        if asked.status != PromotionStatus::Pending {
            return Err(ApiError::new(ErrorCode::Conflict, format!("It was {} already.", asked.status))
                .hint("Ask for it anew, if it is to be decided otherwise.")
                .into());
        }
        let notes = Remark(request.notes.as_deref());
        let notes = Door::of(&key, &target.id).and_of([&asked.space_id]).pass(tx, notes)?;
        let payload = match request.decision {
            PromotionDecision::Reject => {
                promotions::reject(tx, &asked.id, (&caller.actor, &notes), now)?;
                serde_json::json!({ "object": asked.object_id })
            }
            PromotionDecision::Approve => {
                let to = copy::To { caller: &caller, target: &target, placed: looked.placed.as_deref(), now };
                approve(tx, &key, &asked, &to, (request.token.as_deref(), &notes), &looked.read)?
            }
        };
        let event = match request.decision {
            PromotionDecision::Reject => "promotion.rejected",
            PromotionDecision::Approve => "promotion.approved",
        };
        Engine::audit(tx, &caller, event, ("promotion_requests", asked.id.as_str()), &target.id, payload, now)?;
        let stored = promotions::by_id(tx, &asked.id)?.ok_or_else(|| not_found("promotion", asked.id.as_str()))?;
        Ok(list::with_paths(tx, vec![stored.promotion])?.remove(0))
    })?;
    // A copy goes out of use when what it was made of does.
    engine.core().expiries.changed();
    for event in [Event::Promotions, Event::Library, Event::Beliefs] {
        engine.tell(event);
    }
    Ok(promotion)
}

/// What was done before the writer is asked.
#[derive(Default)]
struct Looked {
    /// Where a large file's bytes lie for the target.
    placed: Option<String>,
    /// What the texts said that were compared with what was forgotten, and the last forgetting by then.
    read: (ReadTexts, i64),
}

fn changed() -> ApiError {
    ApiError::new(ErrorCode::Conflict, "It changed since you looked; nothing was copied.")
        .hint("Look at it again, then decide.")
}

/// Reads and compares what would be copied, and puts a large file's bytes where the copy's are to lie, for whoever may approve it as
/// it is now. The writer learns of no token that stands for something else.
fn look(engine: &Engine, caller: &Caller, request: &PromotionDecide) -> Outcome<Looked> {
    let found = engine.read(|c| {
        let (stored, target) = seen(c, caller, &request.id)?;
        let asked = stored.promotion;
        if asked.status != PromotionStatus::Pending || !may_decide(c, caller, &target)? {
            return Ok(None);
        }
        let Some(token) = &request.token else {
            return Err(invalid("What is approved is looked at first.")
                .hint("Give the token of promotion_show.")
                .into());
        };
        let last = forget::last(c)?;
        let object = (asked.kind, asked.object_id.as_str());
        let plan = Plan::of(c, engine.key(), &asked.space_id, &target, object, Compare::Now)?;
        let unknown = || not_found("promotion", asked.id.as_str());
        let source = spaces::by_id(c, asked.space_id.as_str())?.ok_or_else(unknown)?;
        if *token != plan.token(engine.key(), &asked.id, &target, &readers::new(c, &source, &target, engine.now())?) {
            return Err(changed().into());
        }
        match plan.blocks.first() {
            Some(block) => Err(refusal(block).into()),
            None => Ok(Some((target, plan, last))),
        }
    })?;
    let Some((target, plan, last)) = found else { return Ok(Looked::default()) };
    Ok(Looked { placed: files::place(engine, &target, &plan)?, read: (plan.read, last) })
}

/// Copies what was looked at, and nothing else. Gives what stands in the ledger.
fn approve(
    tx: &Transaction<'_>,
    key: &Key,
    asked: &Promotion,
    to: &copy::To<'_>,
    (token, notes): (Option<&str>, &Checked<Remark<'_>>),
    (read, last): &(ReadTexts, i64),
) -> Result<serde_json::Value, Fault> {
    let unknown = || not_found("promotion", asked.id.as_str());
    let source = spaces::by_id(tx, asked.space_id.as_str())?.ok_or_else(unknown)?;
    // What was forgotten since may be in it: it is looked at anew, and not here.
    if forget::last(tx)? != *last {
        return Err(changed().into());
    }
    let object = (asked.kind, asked.object_id.as_str());
    let plan = Plan::of(tx, key, &source.id, to.target, object, Compare::Done(read))?;
    if token != Some(&plan.token(key, &asked.id, to.target, &readers::new(tx, &source, to.target, to.now)?)) {
        return Err(changed().into());
    }
    if let Some(block) = plan.blocks.first() {
        return Err(refusal(block).into());
    }
    let (promoted, lineage) = copy::copy(tx, to, (asked.kind, &plan))?;
    promotions::approve(tx, &asked.id, (&to.caller.actor, notes), (&promoted, &lineage), to.now)?;
    let copies: BTreeMap<_, _> = lineage.iter().map(|(table, copies)| (table, copies.len())).collect();
    Ok(serde_json::json!({ "object": asked.object_id, "copy": promoted, "copies": copies }))
}
