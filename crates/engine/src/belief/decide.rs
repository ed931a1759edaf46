//! What a person decides: which side of a conflict is right, and which claim is taken back. Nothing is
//! overwritten, and each decision can be undone.

use super::decided::let_in;
use super::family::{Family, Told, front};
use super::instead::{Instead, chosen, instead, not_instead};
use super::settle::{Why, is_believed, keeps_support, settle, settle_all, undo_last};
use super::show::complete;
use super::turns::judge_later;
use super::words::{phrase_of, sentence};
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine, held};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use um_model::belief::{ClaimState, ConflictType, Polarity, ResolutionType};
use um_model::claims::*;
use um_model::health::Event;
use um_model::{ApiError, ClaimId, ConflictId, EpochMs, ErrorCode, SpaceId};
use um_store::Connection;
use um_store::claims::{self, Cause, Window, WindowCause};
use um_store::conflicts::{self, Stored};
use um_store::rejected::Remark;
use um_store::undo::{self, Act};

/// The longest remark, in characters.
const MAX_NOTES: usize = 2_000;

/// Lists conflicts.
pub(crate) fn conflicts_list(engine: &Engine, caller: &Caller, request: ConflictsList) -> Outcome<ConflictsListed> {
    engine.read(|c| {
        let spaces: Vec<SpaceId> =
            crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|s| s.id).collect();
        let limit = request.limit.unwrap_or(50).clamp(1, 200);
        let (stored, total) = match &request.conflict {
            Some(id) => {
                let one = conflicts::by_id(c, id)?.filter(|stored| spaces.contains(&stored.space));
                let total = u64::from(one.is_some());
                (Vec::from_iter(one), total)
            }
            None => conflicts::list(c, &spaces, request.resolved, request.offset, limit)?,
        };
        Ok(ConflictsListed { conflicts: shown(c, stored)?, total })
    })
}

/// Conflicts with both of their claims. A few queries, whatever their number.
pub(super) fn shown(c: &Connection, stored: Vec<Stored>) -> Result<Vec<Conflict>, Fault> {
    let mut ids: Vec<ClaimId> = stored.iter().flat_map(|k| [k.claim_a.clone(), k.claim_b.clone()]).collect();
    ids.sort();
    ids.dedup();
    let mut claims = claims::by_ids(c, &ids)?;
    complete(c, &mut claims)?;
    let claims: HashMap<ClaimId, Claim> = claims.into_iter().map(|claim| (claim.id.clone(), claim)).collect();
    let of = |id: &ClaimId| claims.get(id).cloned().ok_or_else(|| not_found("claim", id.as_str()));
    stored
        .into_iter()
        .map(|stored| {
            let (claim_a, claim_b) = (of(&stored.claim_a)?, of(&stored.claim_b)?);
            Ok(Conflict {
                summary: summary(&stored, &phrase_of(c, &claim_a)?, &claim_a, &claim_b),
                id: stored.id,
                conflict_type: stored.conflict_type,
                found_by: stored.found_by,
                claim_a,
                claim_b,
                detected_at: stored.detected_at,
                reopened_at: stored.reopened_at,
                resolution: stored.resolution.map(|(_, resolution)| resolution),
                space_id: stored.space,
            })
        })
        .collect()
}

/// A conflict with the decision of that id.
pub(crate) fn conflict_decided(c: &Connection, decision: &str) -> Result<Option<Conflict>, Fault> {
    Ok(shown(c, conflicts::of_decision(c, decision)?.into_iter().collect())?.pop())
}

/// A conflict in a sentence for a person.
fn summary(conflict: &Stored, phrase: &str, a: &Claim, b: &Claim) -> String {
    match (a.is_forgotten(), b.is_forgotten()) {
        (false, false) => {}
        (true, true) => return "Both sides of it were forgotten.".to_owned(),
        (true, false) => return format!("One side of it was forgotten. The other: {}.", b.statement),
        (false, true) => return format!("One side of it was forgotten. The other: {}.", a.statement),
    }
    if conflict.can_both_stand() {
        return format!("Both can stand: {}; {}.", a.statement, b.statement);
    }
    let says = |subject: &str, object: &str| sentence(subject, phrase, object, Polarity::Positive, &[]);
    match conflict.conflict_type {
        ConflictType::OppositePolarity => {
            format!("One source says so, another denies it: {}.", says(&a.subject.name, a.object.text()))
        }
        _ if a.subject.id == b.subject.id && a.object == b.object => {
            format!(
                "Two sources disagree on the time: {} {}; {}.",
                says(&a.subject.name, a.object.text()),
                when(a),
                when(b)
            )
        }
        _ if a.subject.id == b.subject.id => {
            let either = format!("{} or {}", a.object.text(), b.object.text());
            format!("Two sources disagree: {}.", says(&a.subject.name, &either))
        }
        _ if a.object == b.object => format!(
            "Only one of them can be right: {} or {} {phrase} {}.",
            a.subject.name,
            b.subject.name,
            a.object.text()
        ),
        // They were of one when it was found.
        _ => format!("{}; {}.", a.statement, b.statement),
    }
}

/// The time in which a claim is so, as it is told.
fn when(claim: &Claim) -> String {
    let told = Told::of(claim);
    let words = [("since", told.since), ("until", told.until)]
        .into_iter()
        .filter_map(|(word, at)| Some(format!("{word} {}", at?)));
    let words = words.collect::<Vec<_>>().join(" ");
    let told_on = || claim.last_said_at.and_then(um_rules::date_written).unwrap_or_default();
    if words.is_empty() { format!("still so as told on {}", told_on()) } else { words }
}

/// What a decision changed: `undo_log.before_state`. Ids and states only.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Decided {
    /// The changes of the times in which claims are so.
    timed: Vec<(ClaimId, String)>,
    /// The changes of state by which claims were put out.
    put_out: Vec<(ClaimId, String)>,
    /// The claim that stands in place of both.
    instead: Option<Instead>,
}

/// Each decision has an entry of its own, so that a later one is not taken back in its place.
fn act(resolution: &str) -> Act<'_> {
    Act { operation: "conflicts_resolve", object_type: "conflict_resolutions", object_id: resolution }
}

fn open(tx: &Connection, caller: &Caller, id: &ConflictId) -> Result<Stored, Fault> {
    let unknown = || not_found("conflict", id.as_str());
    let stored = conflicts::by_id(tx, id)?.ok_or_else(unknown)?;
    crate::spaces::of_item(tx, caller, &stored.space, unknown)?;
    Ok(stored)
}

/// Decides a conflict.
pub(crate) fn conflicts_resolve(engine: &Engine, caller: &Caller, request: ConflictsResolve) -> Outcome<Conflict> {
    check(&request)?;
    passes_on(caller, &request)?;
    held::refuse_remark(caller, request.notes.as_deref())?;
    let mut windows = request.windows.as_ref().map(parse_windows).transpose()?;
    let of_value = super::facts::window(request.valid_from.as_deref(), request.valid_until.as_deref())?;
    let now = engine.now();
    let (writer, id, key) = (caller.clone(), request.conflict.clone(), engine.key().clone());
    engine.write(move |tx| {
        let stored = open(tx, &writer, &request.conflict)?;
        if stored.resolution.is_some() {
            return Err(ApiError::new(ErrorCode::Conflict, "This conflict was decided already.")
                .hint("Reopen it first.")
                .into());
        }
        let why = Why { actor: &writer.actor, now, cause: Cause::Resolution, new_source: false };
        let (resolution, value) = match &request.value {
            Some(value) => match chosen(tx, [&stored.claim_a, &stored.claim_b], value)? {
                Some(side) => {
                    let other = (None, None);
                    windows =
                        Some(if side == ResolutionType::ClaimAWins { [of_value, other] } else { [other, of_value] });
                    (side, None)
                }
                None => (request.resolution, Some(value)),
            },
            None => (request.resolution, None),
        };
        let door = Door::of(&key, &stored.space);
        let notes = door.pass(tx, Remark(request.notes.as_deref()))?;
        let instead = match value {
            Some(value) => Some(instead(tx, (&writer, &door), &stored, (value, &request), now)?),
            None => None,
        };
        let id = conflicts::resolve(tx, &stored, resolution, &notes, &writer.actor, now)?;
        conflicts::keep_out_still(tx, &stored, &id)?;
        let decided = decide(tx, &stored, resolution, windows, instead, &why)?;
        let decided = serde_json::to_value(&decided).map_err(um_store::StoreError::from)?;
        undo::keep(tx, &stored.space, &writer.actor, act(&id), &decided, now)?;
        let payload = serde_json::json!({ "resolution": resolution });
        Engine::audit(tx, &writer, "conflict.resolved", ("conflicts", stored.id.as_str()), &stored.space, payload, now)
    })?;
    // The words of what is right may have brought back what goes out of use by itself.
    engine.core().expiries.changed();
    engine.tell(Event::Beliefs);
    conflict(engine, &id)
}

/// The person decides. An agent can pass on what they said, and has to say what that was.
fn passes_on(caller: &Caller, request: &ConflictsResolve) -> Outcome<()> {
    match request.notes.as_deref().map(str::trim) {
        None | Some("") if caller.is_agent() => {
            Err(ApiError::new(ErrorCode::Forbidden, "The person decides conflicts; an agent passes on what they said.")
                .hint("Show them both sides and ask. Then call again with their answer, in their words, as \"notes\"."))
        }
        _ => Ok(()),
    }
}

fn check(request: &ConflictsResolve) -> Outcome<()> {
    if request.notes.as_ref().is_some_and(|notes| notes.chars().count() > MAX_NOTES) {
        return Err(invalid(format!("A remark has at most {MAX_NOTES} characters.")));
    }
    if request.value.is_none() && (request.valid_from.is_some() || request.valid_until.is_some()) {
        return Err(invalid("\"valid_from\" and \"valid_until\" go with \"value\" only."));
    }
    let extra = usize::from(request.value.is_some()) + usize::from(request.windows.is_some());
    match (request.resolution == ResolutionType::ManualOverride, extra) {
        (true, 1) | (false, 0) => Ok(()),
        (true, _) => {
            Err(invalid("Say what is right: give either \"value\", or \"windows\" for both at different times."))
        }
        _ => Err(invalid("\"value\" and \"windows\" go with manual_override only.")),
    }
}

fn parse_windows(windows: &Windows) -> Outcome<[Window; 2]> {
    let side = |from: &Option<String>, until: &Option<String>| -> Outcome<Window> {
        let parse = |text: &Option<String>| text.as_deref().map(super::facts::date).transpose();
        let window = (parse(from)?, parse(until)?);
        match window {
            (Some(from), Some(until)) if until <= from => Err(invalid("A time ends after it begins.")),
            _ => Ok(window),
        }
    };
    let (a, b) = (side(&windows.a_from, &windows.a_until)?, side(&windows.b_from, &windows.b_until)?);
    let begins = a.0.unwrap_or(i64::MIN).max(b.0.unwrap_or(i64::MIN));
    let ends = a.1.unwrap_or(i64::MAX).min(b.1.unwrap_or(i64::MAX));
    if begins < ends {
        return Err(invalid("The two times overlap, so that both would still be so at once.")
            .hint("Let the one end where the other begins."));
    }
    Ok([a, b])
}

/// Carries a decision out, and settles all whom it concerns.
fn decide(
    tx: &Connection,
    stored: &Stored,
    resolution: ResolutionType,
    windows: Option<[Window; 2]>,
    instead: Option<Instead>,
    why: &Why<'_>,
) -> Result<Decided, Fault> {
    let (a, b) = (&stored.claim_a, &stored.claim_b);
    let mut decided = Decided { instead, ..Decided::default() };
    for (id, window) in [a, b].into_iter().zip(windows.into_iter().flatten()) {
        let window = with_ends_told(tx, id, window)?;
        let change = claims::set_window(tx, id, window, WindowCause::Decision, why.actor, why.now)?;
        decided.timed.extend(change.map(|change| (id.clone(), change)));
    }
    let right = decided.instead.as_ref().map(|instead| instead.claim.clone());
    let out: Vec<&ClaimId> = match resolution {
        ResolutionType::ClaimAWins => vec![b],
        ResolutionType::ClaimBWins => vec![a],
        ResolutionType::ManualOverride if right.is_some() => {
            [a, b].into_iter().filter(|side| Some(*side) != right.as_ref()).collect()
        }
        ResolutionType::ManualOverride | ResolutionType::BothDisputed => Vec::new(),
    };
    for id in out {
        decided.put_out.extend(put_out(tx, id, right.as_ref(), why)?);
    }
    let touched = [Some(a.clone()), Some(b.clone()), right].into_iter().flatten();
    settle_all(tx, touched.clone(), why)?;
    judge_later(tx, touched, why.now)?;
    Ok(decided)
}

/// The time that a decision gives a claim: an end of which it says nothing stays as it was told before.
fn with_ends_told(tx: &Connection, id: &ClaimId, decided: Window) -> Result<Window, Fault> {
    let claim = claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()))?;
    let own = claim.telling.window;
    let window = (decided.0.or(own.0), decided.1.or(own.1));
    match (window.0.or(claim.valid_from), window.1.or(claim.valid_to)) {
        (Some(from), Some(until)) if until <= from => Err(invalid(format!(
            "\"{}\" was told to be so {}, which does not go with this time.",
            claim.statement,
            when(&claim)
        ))
        .hint("Give both ends of its time.")
        .into()),
        _ => Ok(window),
    }
}

/// Takes a claim out of what is believed: another one stands in its place, or it is wrong. Gives the change of its
/// state.
pub(super) fn put_out(
    tx: &Connection,
    id: &ClaimId,
    right: Option<&ClaimId>,
    why: &Why<'_>,
) -> Result<Option<(ClaimId, String)>, Fault> {
    let claim = claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()))?;
    if !matches!(claim.state, ClaimState::Asserted | ClaimState::Disputed) {
        return Ok(None);
    }
    let (to, cause) = match right {
        Some(_) => (ClaimState::Superseded, Cause::Supersession),
        None => (ClaimState::Retracted, Cause::Resolution),
    };
    let change = claims::set_state(tx, &claim, to, &cause, why.actor, why.now)?;
    claims::set_superseded_by(tx, id, right)?;
    Ok(Some((id.clone(), change)))
}

/// Undoes the decision of a conflict.
pub(crate) fn conflicts_reopen(engine: &Engine, caller: &Caller, request: ConflictsReopen) -> Outcome<Conflict> {
    let now = engine.now();
    let writer = caller.clone();
    let id = engine.write(move |tx| {
        let stored = open(tx, &writer, &request.conflict)?;
        if stored.resolution.is_none() {
            return Err(invalid("This conflict is open.").hint("Decide it; then that can be undone.").into());
        }
        let why = Why { actor: &writer.actor, now, cause: Cause::Evidence, new_source: false };
        take_back(tx, &stored, &why)?;
        // What says a side more exactly by now has the conflict in its place.
        let stands = |side: &ClaimId| Ok::<_, Fault>(front(tx, side)?.unwrap_or_else(|| side.clone()));
        let sides = [stands(&stored.claim_a)?, stands(&stored.claim_b)?];
        let known = claims::by_ids(tx, &sides)?;
        // A side that was forgotten comes back no more; the other one stands again.
        let any_forgotten = known.iter().any(Claim::is_forgotten);
        if any_forgotten && stored.ended_by_itself() {
            return Err(ApiError::new(ErrorCode::Conflict, "One side of this conflict was forgotten.")
                .hint("The other one stands; there is nothing left to decide.")
                .into());
        }
        if let Some(out) = out_of_reach(tx, &stored, &known)?.filter(|_| !any_forgotten) {
            return Err(ApiError::new(ErrorCode::Conflict, "One side of this conflict is not believed any more.")
                .hint(how_it_is_believed_again(tx, &out.id)?)
                .into());
        }
        let object = ("conflicts", stored.id.as_str());
        Engine::audit(tx, &writer, "conflict.reopened", object, &stored.space, serde_json::json!({}), now)?;
        let standing = conflicts::of_pair(tx, &sides[0], &sides[1])?;
        Ok::<_, Fault>(standing.map_or(stored.id, |standing| standing.id))
    })?;
    engine.tell(Event::Beliefs);
    conflict(engine, &id)
}

/// The side of a conflict that is not believed for another reason than this decision. One whose source was removed since comes
/// back with that, and the conflict is open again then.
fn out_of_reach<'a>(tx: &Connection, stored: &Stored, sides: &'a [Claim]) -> Result<Option<&'a Claim>, Fault> {
    for side in sides.iter().filter(|side| !is_believed(side)) {
        if stored.ended_by_itself() || keeps_support(tx, &side.id)? {
            return Ok(Some(side));
        }
    }
    Ok(None)
}

/// How a side that is not believed comes back: by undoing the decision of another conflict, where that put it out.
fn how_it_is_believed_again(tx: &Connection, side: &ClaimId) -> Result<String, Fault> {
    let mut decided = conflicts::of_claims(tx, std::slice::from_ref(side))?;
    decided.retain(|conflict| !conflict.ended_by_itself() && conflict.is_decided_against(side));
    Ok(match shown(tx, decided)?.pop() {
        Some(other) => format!(
            "The decision of another conflict put it out: {} Undo that one: umem conflicts reopen {}",
            other.summary, other.id
        ),
        None => "Restore that claim, and the conflict is open again.".to_owned(),
    })
}

/// The claim that the decision of a conflict put in place of both sides.
pub(super) fn instead_of(tx: &Connection, stored: &Stored) -> Result<Option<ClaimId>, Fault> {
    let Some((decision, _)) = &stored.resolution else { return Ok(None) };
    let before = undo::before(tx, act(decision))?;
    let decided: Option<Decided> =
        before.map(serde_json::from_value).transpose().map_err(um_store::StoreError::from)?;
    Ok(decided.and_then(|decided| decided.instead).map(|instead| instead.claim))
}

/// Takes the decision of a conflict back, with all that it changed and nobody changed since.
pub(super) fn take_back(tx: &Connection, stored: &Stored, why: &Why<'_>) -> Result<(), Fault> {
    let decision = stored.resolution.as_ref().map_or("", |(id, _)| id);
    let decided: Option<Decided> = undo::take(tx, act(decision), why.actor, why.now)?
        .map(serde_json::from_value)
        .transpose()
        .map_err(um_store::StoreError::from)?;
    conflicts::reopen(tx, stored, Some(why.actor), why.now)?;
    let mut touched = vec![stored.claim_a.clone(), stored.claim_b.clone()];
    let since = stored.resolution.as_ref().map_or(why.now, |(_, decided)| decided.resolved_at);
    let Decided { mut timed, put_out, instead } = decided.unwrap_or_default();
    if let Some(instead) = instead
        && not_instead(tx, &instead, since, why)?
    {
        timed.extend(instead.timed.map(|change| (instead.claim.clone(), change)));
        touched.push(instead.claim);
    }
    for (id, change) in &timed {
        take_time_back(tx, id, change, why)?;
    }
    for (id, change) in &put_out {
        bring_back(tx, id, change, why)?;
    }
    touched.extend(let_in(tx, stored, why)?);
    settle_all(tx, touched.iter().cloned(), why)?;
    judge_later(tx, touched, why.now)?;
    Ok(())
}

/// Takes back what a change made of the time in which a claim is so: each end that nobody told otherwise since. The changes of
/// one that was forgotten are gone with it.
fn take_time_back(tx: &Connection, id: &ClaimId, change: &str, why: &Why<'_>) -> Result<(), Fault> {
    let claim = claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()))?;
    let Some(made) = claims::window_history(tx, id)?.into_iter().find(|made| made.id == change) else { return Ok(()) };
    let end = |is: Option<EpochMs>, was: Option<EpochMs>, made: Option<EpochMs>| if is == made { was } else { is };
    let own = claim.telling.window;
    let (from, until) = (end(own.0, made.from.0, made.to.0), end(own.1, made.from.1, made.to.1));
    claims::set_window(tx, id, (from, until), WindowCause::Undo, why.actor, why.now)?;
    Ok(())
}

/// Takes back the change of state that put a claim out, where it is the claim's latest and its words are still there.
pub(super) fn bring_back(tx: &Connection, id: &ClaimId, change: &str, why: &Why<'_>) -> Result<(), Fault> {
    let claim = claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()))?;
    if claims::last_change(tx, id)?.is_some_and(|(last, ..)| last == change) {
        undo_last(tx, &claim, why)?;
    }
    Ok(())
}

fn conflict(engine: &Engine, id: &ConflictId) -> Outcome<Conflict> {
    engine.read(|c| {
        let stored = conflicts::by_id(c, id)?.ok_or_else(|| not_found("conflict", id.as_str()))?;
        shown(c, vec![stored])?.pop().ok_or_else(|| not_found("conflict", id.as_str()).into())
    })
}

/// Takes a claim back, or undoes that.
pub(crate) fn claim_retract(engine: &Engine, caller: &Caller, request: ClaimRetract) -> Outcome<Claim> {
    let now = engine.now();
    let (writer, id) = (caller.clone(), request.claim.clone());
    engine.write(move |tx| {
        let claim = claims::by_id(tx, &request.claim)?.ok_or_else(|| not_found("claim", request.claim.as_str()))?;
        crate::spaces::resolve(tx, &writer, claim.space_id.as_str())?;
        let why = Why { actor: &writer.actor, now, cause: Cause::User, new_source: false };
        match request.undo {
            false => retract(tx, &claim, &why)?,
            true => restore(tx, &claim, &why)?,
        }
        let event = if request.undo { "claim.restored" } else { "claim.retracted" };
        Engine::audit(tx, &writer, event, ("claims", claim.id.as_str()), &claim.space_id, serde_json::json!({}), now)
    })?;
    engine.tell(Event::Beliefs);
    engine.read(|c| {
        let mut claims = claims::by_ids(c, std::slice::from_ref(&id))?;
        complete(c, &mut claims)?;
        claims.pop().ok_or_else(|| not_found("claim", id.as_str()).into())
    })
}

fn retract(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    if matches!(claim.state, ClaimState::Retracted | ClaimState::Superseded) {
        return Err(invalid(format!("This claim is {} already.", claim.state)).into());
    }
    claims::set_state(tx, claim, ClaimState::Retracted, &Cause::User, why.actor, why.now)?;
    settle(tx, &claim.id, why)?;
    Ok(())
}

fn restore(tx: &Connection, claim: &Claim, why: &Why<'_>) -> Result<(), Fault> {
    let out = matches!(claim.state, ClaimState::Retracted | ClaimState::Superseded);
    let Some((change, ..)) = claims::last_change(tx, &claim.id)?.filter(|_| out) else {
        return Err(invalid("This claim was not taken back.").into());
    };
    if super::merge::names_merged(tx, claim)? {
        return Err(ApiError::new(ErrorCode::Conflict, "This claim went into another one when entities were merged.")
            .hint("Undo the merge instead.")
            .into());
    }
    if !keeps_support(tx, &claim.id)? {
        return Err(ApiError::new(ErrorCode::Conflict, "No source that is in use speaks for this claim.")
            .hint("Restore its source, or state it anew.")
            .into());
    }
    bring_back(tx, &claim.id, &change, why)?;
    settle(tx, &claim.id, why)?;
    // What the same voices tell in other words fell with it.
    settle_all(tx, Family::of(tx, &claim.id)?.ids(), why)
}
