//! Two entities that are one: the claims, names and links of the one go over to the other, claims that then say
//! the same are joined (ruling 28), and all of it can be taken back.

use super::decide::bring_back;
use super::family::Family;
use super::held::{let_wait, settle_joined};
use super::key::canonical_name;
use super::parted::{self, Parted};
use super::record::{Said, in_order, keys_of};
use super::resolve::{is_of_the_person, make_known, may_be};
use super::settle::{Why, is_believed, refresh_edge, undo_last};
use super::turns::{judge_later, settle_later, settle_marked};
use super::words::restate;
use crate::error::{Fault, Outcome, invalid, not_found};
use crate::{Caller, Engine};
use serde::{Deserialize, Serialize};
use um_model::belief::ClaimState;
use um_model::belief::MatchType;
use um_model::claims::*;
use um_model::health::Event;
use um_model::{AgentId, ApiError, CandidateId, ClaimId, EntityId, EpochMs, ErrorCode, EvidenceId, SpaceId};
use um_store::claims::{self, Cause, Keys, NewClaim};
use um_store::evidence::ReadOf;
use um_store::{Connection, edges, entities, evidence, vocabulary};

/// What a merge moved: `entity_merges.moved`; what a change of a definition joined: `undo_log.before_state`. Ids only.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Moved {
    aliases: Vec<String>,
    links: Vec<String>,
    claims: Vec<MovedClaim>,
    joined: Vec<JoinedClaim>,
    /// Names that waited and that may mean only one now.
    #[serde(default)]
    names: Vec<CandidateId>,
}

impl Moved {
    /// The claims that went over or were joined, and those that they were joined with.
    fn touched(&self) -> impl Iterator<Item = ClaimId> {
        let joined = self.joined.iter().flat_map(|joined| [Some(&joined.claim), joined.into.as_ref()]);
        self.claims.iter().map(|moved| &moved.claim).chain(joined.flatten()).cloned()
    }
}

/// A claim that went over, with the entities that it had.
#[derive(Debug, Serialize, Deserialize)]
struct MovedClaim {
    claim: ClaimId,
    subject: EntityId,
    target: Option<EntityId>,
}

/// A claim that said the same as another one, the evidence that went there, the change of state that put it out, and
/// which claim stood in its place before.
#[derive(Debug, Serialize, Deserialize)]
struct JoinedClaim {
    claim: ClaimId,
    into: Option<ClaimId>,
    evidence: Vec<EvidenceId>,
    put_out: Option<String>,
    superseded_by: Option<ClaimId>,
    /// Words that the other one had and that said nothing there any more.
    #[serde(default)]
    spoke: Vec<EvidenceId>,
    /// The change of state that brought the other one back, which somebody had taken back.
    #[serde(default)]
    brought_back: Option<String>,
}

/// Merges an entity into another.
pub(crate) fn entity_merge(engine: &Engine, caller: &Caller, request: EntityMerge) -> Outcome<EntityDetail> {
    let now = engine.now();
    let (writer, keep) = (caller.clone(), request.keep.clone());
    engine.write(move |tx| {
        let (kept, merged) = (in_use(tx, &writer, &request.keep)?, in_use(tx, &writer, &request.merge)?);
        if kept.id == merged.id {
            return Err(invalid("An entity cannot be merged into itself.").into());
        }
        if kept.space_id != merged.space_id && !is_global(&kept) {
            return Err(invalid("Both entities must be in one space.").hint("Share the one that stays first.").into());
        }
        if !may_be(kept.entity_type, merged.entity_type) {
            let (one, other) = (kept.entity_type, merged.entity_type);
            return Err(invalid(format!("{} is kept as a {one}, {} as a {other}.", kept.name, merged.name))
                .hint("Where they are one all the same, say first what the one is (entity_edit, or its menu).")
                .into());
        }
        merge(tx, &writer, &kept, &merged, now)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    super::entity_get(engine, caller, EntityGet { entity: keep.to_string(), ..EntityGet::default() })
}

fn is_global(entity: &Entity) -> bool {
    entity.space_id == SpaceId::global()
}

fn merge(tx: &Connection, writer: &Caller, kept: &Entity, merged: &Entity, now: EpochMs) -> Result<(), Fault> {
    let why = Why { actor: &writer.actor, now, cause: Cause::Evidence, new_source: false };
    let mut moved = Moved::default();
    let canonical = canonical_name(&merged.name);
    entities::add_alias(tx, &merged.space_id, &merged.id, &merged.name, &canonical, now)?;
    (moved.aliases, moved.links) = entities::move_names_and_links(tx, &merged.id, &kept.id)?;
    for claim in claims::naming(tx, &merged.id)? {
        go_over(tx, &claim, &merged.id, &kept.id, &mut moved, &why)?;
    }
    entities::set_merged(tx, &merged.id, Some(&kept.id), now)?;
    moved.names = settle_joined(tx, &merged.space_id, &merged.id, why.actor, now)?;
    settle_later(tx, moved.touched(), why.actor, now)?;
    judge_later(tx, moved.touched(), now)?;
    let json = serde_json::to_value(&moved).map_err(um_store::StoreError::from)?;
    let id = entities::insert_merge(tx, &merged.space_id, &kept.id, &merged.id, &json, &writer.actor, now)?;
    let payload = serde_json::json!({ "kept": kept.id, "merged": merged.id });
    Engine::audit(tx, writer, "entity.merged", ("entity_merges", id.as_str()), &merged.space_id, payload, now)
}

/// Merges an entity into another where the text itself told that they are one.
pub(super) fn join(
    tx: &Connection,
    writer: &Caller,
    keep: &EntityId,
    other: &EntityId,
    now: EpochMs,
) -> Result<(), Fault> {
    let (kept, merged) = (in_use(tx, writer, keep)?, in_use(tx, writer, other)?);
    merge(tx, writer, &kept, &merged, now)
}

/// Undoes that a writer had whoever bears a name (in its canonical form) go into an entity, where that stands and nothing
/// was built on it.
pub(super) fn part_again(
    tx: &Connection,
    writer: &Caller,
    kept: &EntityId,
    canonical: &str,
    now: EpochMs,
) -> Result<(), Fault> {
    match entities::merge_by(tx, &writer.actor, kept, canonical)? {
        // What a person decided since stands: whom the name means is theirs to say, too.
        Some(found) if !entities::merged_since(tx, &found.0)? && !parted::was_decided(tx, kept, found.0.merged_at)? => {
            unmerge(tx, writer, found, now).map(drop)
        }
        _ => Ok(()),
    }
}

/// Lets every space name an entity: one in `GLOBAL` of the same name takes its place, made where there is none.
pub(crate) fn entity_share(engine: &Engine, caller: &Caller, request: EntityShare) -> Outcome<EntityDetail> {
    let now = engine.now();
    let writer = caller.clone();
    let shared = engine.write(move |tx| {
        let entity = in_use(tx, &writer, &request.entity)?;
        if is_global(&entity) {
            return Err(invalid("Every space may name it already.").into());
        }
        let canonical = canonical_name(&entity.name);
        if is_of_the_person(&canonical) {
            return Err(invalid("You are another person in each space, and so are those known by you alone.")
                .hint("Give it a name of its own first.")
                .into());
        }
        let global = SpaceId::global();
        let fits = |named: &entities::Named| {
            named.match_type == MatchType::Exact && may_be(named.entity_type, entity.entity_type)
        };
        let known = entities::by_name(tx, &global, &canonical)?.into_iter().find(fits);
        let id = match known {
            Some(named) => named.id,
            None => entities::insert(tx, &global, &entity.name, &canonical, entity.entity_type, now)?,
        };
        make_known(tx, &id, entity.entity_type, now)?;
        let kept = in_use(tx, &writer, &id)?;
        merge(tx, &writer, &kept, &entity, now)?;
        Ok(id)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    super::entity_get(engine, caller, EntityGet { entity: shared.to_string(), ..EntityGet::default() })
}

pub(super) fn in_use(tx: &Connection, caller: &Caller, id: &EntityId) -> Result<Entity, Fault> {
    let entity = entities::by_id(tx, id, &[])?.ok_or_else(|| not_found("entity", id.as_str()))?;
    crate::spaces::resolve(tx, caller, entity.space_id.as_str())?;
    match &entity.merged_into {
        None => Ok(entity),
        Some(into) => Err(ApiError::new(ErrorCode::Conflict, format!("\"{}\" was merged already.", entity.name))
            .hint(format!("It is part of {into} now."))
            .into()),
    }
}

fn target_of(claim: &Claim) -> Option<&EntityId> {
    match &claim.object {
        ClaimObject::Entity(entity) => Some(&entity.id),
        ClaimObject::Value(_) => None,
    }
}

/// Where a claim of these entities belongs: their order, its key, and the claim that says the same already.
struct Slot {
    subject: EntityId,
    target: Option<EntityId>,
    keys: Keys,
    twin: Option<ClaimId>,
}

fn slot(tx: &Connection, claim: &Claim, subject: EntityId, target: Option<EntityId>) -> Result<Slot, Fault> {
    let (subject, target) = match target {
        Some(target) if !in_order(tx, &claim.space_id, &claim.predicate, &subject, &target)? => (target, Some(subject)),
        target => (subject, target),
    };
    let said = Said { subject: &subject, target: target.as_ref(), ..Said::of(claim) };
    let keys = keys_of(tx, &said, claim.polarity)?;
    let twin = claims::by_key(tx, &claim.space_id, &keys.claim)?.map(|twin| twin.id).filter(|twin| *twin != claim.id);
    Ok(Slot { subject, target, keys, twin })
}

/// Gives a claim the entity that stays, or joins it with the claim that says the same of that one.
fn go_over(
    tx: &Connection,
    claim: &Claim,
    from: &EntityId,
    to: &EntityId,
    moved: &mut Moved,
    why: &Why<'_>,
) -> Result<(), Fault> {
    let swap = |id: &EntityId| if id == from { to.clone() } else { id.clone() };
    let (subject, target) = (swap(&claim.subject.id), target_of(claim).map(swap));
    let about_itself = target.as_ref() == Some(&subject);
    let slot = slot(tx, claim, subject, target)?;
    edges::deactivate(tx, &claim.id, why.now)?;
    if about_itself || slot.twin.is_some() {
        moved.joined.push(join_with(tx, claim, slot.twin.filter(|_| !about_itself), why)?);
        return Ok(());
    }
    let (subject, target) = (claim.subject.id.clone(), target_of(claim).cloned());
    moved.claims.push(MovedClaim { claim: claim.id.clone(), subject, target });
    Ok(claims::set_entities(tx, &claim.id, &slot.subject, slot.target.as_ref(), &slot.keys)?)
}

/// Puts a claim out. Its words go to the claim that says the same, if there is one, unless somebody decided against them:
/// such words make nothing surer.
fn join_with(tx: &Connection, claim: &Claim, into: Option<ClaimId>, why: &Why<'_>) -> Result<JoinedClaim, Fault> {
    let put_out = match claim.state {
        ClaimState::Asserted | ClaimState::Disputed => {
            Some(claims::set_state(tx, claim, ClaimState::Superseded, &Cause::Supersession, why.actor, why.now)?)
        }
        _ => None,
    };
    let superseded_by = claims::superseded_by(tx, &claim.id)?;
    let (claim_id, evidence, spoke) = (claim.id.clone(), Vec::new(), Vec::new());
    let mut joined = JoinedClaim { claim: claim_id, into, evidence, put_out, superseded_by, spoke, brought_back: None };
    let against = decided_against(tx, claim)?;
    if let Some(into) = joined.into.clone().filter(|_| !against) {
        joined.spoke = evidence::speak_as(tx, &into, &claim.id)?;
        joined.evidence = evidence::move_to(tx, &claim.id, &into)?;
        if joined.put_out.is_some() {
            joined.brought_back = ask_again(tx, &into, why)?;
        }
    }
    claims::set_superseded_by(tx, &claim.id, joined.into.as_ref())?;
    Ok(joined)
}

/// A claim that somebody took back is believed again where the one that is joined with it was believed, so that the person
/// is asked, whichever of two entities stays.
fn ask_again(tx: &Connection, id: &ClaimId, why: &Why<'_>) -> Result<Option<String>, Fault> {
    let twin = claims::by_id(tx, id)?.ok_or_else(|| not_found("claim", id.as_str()))?;
    if twin.state != ClaimState::Retracted || !decided_against(tx, &twin)? || !evidence::is_supported(tx, id)? {
        return Ok(None);
    }
    undo_last(tx, &twin, why)
}

/// Whether a claim was put out by a decision rather than for want of sources; `claim` is as it was before it was joined.
fn decided_against(tx: &Connection, claim: &Claim) -> Result<bool, Fault> {
    let out = matches!(claim.state, ClaimState::Retracted | ClaimState::Superseded);
    Ok(out
        && claims::last_change(tx, &claim.id)?
            .is_some_and(|(_, last)| !matches!(last.cause.as_str(), "evidence" | "refinement")))
}

/// Whether an entity that a claim names went into another one: then the claim of that one stands for it.
pub(super) fn names_merged(c: &Connection, claim: &Claim) -> Result<bool, Fault> {
    for id in std::iter::once(&claim.subject.id).chain(target_of(claim)) {
        if entities::standing(c, id)?.is_some_and(|standing| standing.id != *id) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives claims of a predicate the keys that they have by what is known of it now, and their entities their order; joins
/// those that then say the same. Tells what it did, for [`take_apart`].
pub(super) fn rekey(tx: &Connection, known: &[Claim], why: &Why<'_>) -> Result<Moved, Fault> {
    let mut moved = Moved::default();
    for claim in known {
        go_over(tx, claim, &claim.subject.id, &claim.subject.id, &mut moved, why)?;
    }
    Ok(moved)
}

/// Gives the claims that [`rekey`] turned their entities back, and parts those that it joined, each with its words and its
/// state, unless an entity of theirs went into another one since. Their keys are the caller's to renew.
pub(super) fn take_apart(tx: &Connection, moved: &Moved, why: &Why<'_>) -> Result<(), Fault> {
    for turned in &moved.claims {
        let Some(claim) = claims::by_id(tx, &turned.claim)?.filter(|claim| !claim.is_forgotten()) else { continue };
        let ends = (&claim.subject.id, target_of(&claim));
        let turned_round = ends != (&turned.subject, turned.target.as_ref());
        if turned_round && !names_merged(tx, &claim)? {
            edges::deactivate(tx, &claim.id, why.now)?;
            // Nobody else has such a key; it is renewed at once.
            let key = format!("turned:{}", claim.id);
            let keys = Keys { claim: key.clone(), fact: key };
            claims::set_entities(tx, &claim.id, &turned.subject, turned.target.as_ref(), &keys)?;
        }
    }
    for joined in &moved.joined {
        let Some(claim) = claims::by_id(tx, &joined.claim)? else { continue };
        if !names_merged(tx, &claim)? {
            part(tx, joined, why)?;
        }
    }
    Ok(())
}

/// Undoes a merge.
pub(crate) fn entity_unmerge(engine: &Engine, caller: &Caller, request: EntityUnmerge) -> Outcome<EntityDetail> {
    let now = engine.now();
    let writer = caller.clone();
    let restored = engine.write(move |tx| {
        let found = entities::merge_by_id(tx, &request.merge)?;
        let found = found.ok_or_else(|| not_found("merge", request.merge.as_str()))?;
        crate::spaces::resolve(tx, &writer, found.2.as_str())?;
        if found.0.undone {
            return Err(invalid("This merge was undone already.").into());
        }
        if entities::merged_since(tx, &found.0)? {
            return Err(ApiError::new(ErrorCode::Conflict, "Entities were merged with these since.")
                .hint("Undo the later merges first, the latest one first.")
                .into());
        }
        unmerge(tx, &writer, found, now)
    })?;
    settle_marked(engine, &|| true)?;
    engine.tell(Event::Beliefs);
    super::entity_get(engine, caller, EntityGet { entity: restored.to_string(), ..EntityGet::default() })
}

/// Gives everything that a merge moved back, and tells who stands for itself again.
fn unmerge(
    tx: &Connection,
    writer: &Caller,
    (merge, moved, space): entities::StoredMerge,
    now: EpochMs,
) -> Result<EntityId, Fault> {
    let moved: Moved = serde_json::from_value(moved).map_err(um_store::StoreError::from)?;
    let why = Why { actor: &writer.actor, now, cause: Cause::Evidence, new_source: false };
    entities::set_merged(tx, &merge.merged.id, None, now)?;
    entities::return_names_and_links(tx, &merge.merged.id, &moved.aliases, &moved.links)?;
    for name in &moved.names {
        let_wait(tx, name, now)?;
    }
    let mut left = Vec::new();
    for claim in &moved.claims {
        left.extend(go_back(tx, claim, &why)?);
    }
    for joined in &moved.joined {
        part(tx, joined, &why)?;
    }
    if is_of_all_spaces(tx, &merge, &space)? {
        left.extend(all_goes_back(tx, &merge, &space, &why)?);
    } else {
        let parted = Parted { space: &space, of: [&merge.kept.id, &merge.merged.id], since: merge.merged_at };
        parted::take_decisions_back(tx, &parted, &why)?;
        left.extend(parted::read_again(tx, &parted, now)?);
    }
    settle_later(tx, moved.touched().chain(left), &writer.actor, now)?;
    entities::undo_merge(tx, &merge.id, &writer.actor, now)?;
    entities::drop_unused_global(tx, &merge.kept.id, now)?;
    let payload = serde_json::json!({ "kept": merge.kept.id, "restored": merge.merged.id });
    Engine::audit(tx, writer, "entity.unmerged", ("entity_merges", merge.id.as_str()), &space, payload, now)?;
    Ok(merge.merged.id)
}

/// Whether a merge was the sharing of the only entity of a space that went into the one that stayed: all that the space says of
/// that one is of this one then.
fn is_of_all_spaces(tx: &Connection, merge: &Merge, space: &SpaceId) -> Result<bool, Fault> {
    let global = SpaceId::global();
    let other = |one: &Merge| !one.undone && one.id != merge.id && one.kept.id == merge.kept.id;
    Ok(*space != global
        && entities::space_of(tx, &merge.kept.id)? == Some(global)
        && !entities::merges_of(tx, &merge.kept.id, std::slice::from_ref(space))?.iter().any(other))
}

/// Gives whoever was shared all that their space says of the one who is. Gives the claims that this concerns.
fn all_goes_back(tx: &Connection, merge: &Merge, space: &SpaceId, why: &Why<'_>) -> Result<Vec<ClaimId>, Fault> {
    let (from, to) = (&merge.kept.id, &merge.merged.id);
    let mut moved = Moved::default();
    for claim in claims::naming(tx, from)?.into_iter().filter(|claim| claim.space_id == *space) {
        go_over(tx, &claim, from, to, &mut moved, why)?;
    }
    entities::move_of_space(tx, space, from, to)?;
    Ok(moved.touched().collect())
}

/// Gives a piece of evidence to the claim that says the same of another entity. Gives both claims.
pub(super) fn hand_over(
    tx: &Connection,
    read: &ReadOf,
    [from, to]: [&EntityId; 2],
    now: EpochMs,
) -> Result<Vec<ClaimId>, Fault> {
    let Some(claim) = claims::by_id(tx, &read.claim)? else { return Ok(Vec::new()) };
    let swap = |id: &EntityId| if id == from { to.clone() } else { id.clone() };
    let (subject, target) = (swap(&claim.subject.id), target_of(&claim).map(swap));
    if target.as_ref() == Some(&subject) {
        evidence::set_neutral(tx, &read.id)?;
        return Ok(vec![claim.id]);
    }
    let slot = slot(tx, &claim, subject, target)?;
    let other = match slot.twin {
        Some(twin) => twin,
        None => make_alike(tx, &claim, slot, now)?,
    };
    if !evidence::give_to(tx, &read.id, &other)? {
        evidence::set_neutral(tx, &read.id)?;
    }
    Ok(vec![claim.id, other])
}

/// Makes a claim that says what another one says, of the entities of a slot.
fn make_alike(tx: &Connection, claim: &Claim, slot: Slot, now: EpochMs) -> Result<ClaimId, Fault> {
    let value = match &claim.object {
        ClaimObject::Value(value) => Some(value.clone()),
        ClaimObject::Entity(_) => None,
    };
    let relation = vocabulary::relation(tx, &claim.space_id, &claim.predicate)?.filter(|_| value.is_none());
    let new = NewClaim {
        keys: slot.keys,
        space: claim.space_id.clone(),
        subject: slot.subject,
        claim_type: claim.claim_type,
        attribute_key: value.as_ref().map(|_| claim.predicate.clone()),
        attribute_value: value,
        target: slot.target,
        relationship_type: relation.map(|known| known.id),
        statement: claim.statement.clone(),
        qualifiers: claim.qualifiers.clone(),
        polarity: claim.polarity,
        valid_from: claim.telling.window.0,
        valid_to: claim.telling.window.1,
        actor: AgentId::system(),
    };
    let (made, _) = claims::upsert(tx, &new, now)?;
    if let Some(made) = claims::by_id(tx, &made)? {
        restate(tx, &made)?;
    }
    Ok(made)
}

/// Gives a claim that went over its entities back, and tells which ones told the same or denied it. The place in the graph that
/// it leaves may go to another claim. Its key is made anew, as its predicate may be known otherwise by now.
fn go_back(tx: &Connection, moved: &MovedClaim, why: &Why<'_>) -> Result<Vec<ClaimId>, Fault> {
    let Some(claim) = claims::by_id(tx, &moved.claim)?.filter(|claim| !claim.is_forgotten()) else {
        return Ok(Vec::new());
    };
    let left = Family::of(tx, &claim.id)?.ids();
    edges::deactivate(tx, &moved.claim, why.now)?;
    let slot = slot(tx, &claim, moved.subject.clone(), moved.target.clone())?;
    match slot.twin {
        Some(twin) => drop(join_with(tx, &claim, Some(twin), why)?),
        None => claims::set_entities(tx, &moved.claim, &slot.subject, slot.target.as_ref(), &slot.keys)?,
    }
    refresh_edge(tx, &claim, why.now)?;
    Ok(left)
}

/// Gives a joined claim its evidence and its state back. Of one that was forgotten since nothing comes back.
fn part(tx: &Connection, joined: &JoinedClaim, why: &Why<'_>) -> Result<(), Fault> {
    if claims::by_id(tx, &joined.claim)?.is_none_or(|claim| claim.is_forgotten()) {
        return Ok(());
    }
    evidence::return_to(tx, &joined.claim, &joined.evidence)?;
    joined.spoke.iter().try_for_each(|id| evidence::set_neutral(tx, id))?;
    if let (Some(into), Some(_)) = (&joined.into, &joined.brought_back) {
        let twin = claims::by_id(tx, into)?.ok_or_else(|| not_found("claim", into.as_str()))?;
        if is_believed(&twin) {
            claims::set_state(tx, &twin, ClaimState::Retracted, &Cause::User, why.actor, why.now)?;
        }
    }
    claims::set_superseded_by(tx, &joined.claim, joined.superseded_by.as_ref())?;
    if let Some(change) = &joined.put_out {
        bring_back(tx, &joined.claim, change, why)?;
    }
    Ok(())
}
