//! Relations: said, ended, taken back, listed, and walked along.

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::scopes::resolve_at;
use crate::{Caller, Engine, access, clock};
use std::collections::{HashSet, VecDeque};
use um_model::capture::Done;
use um_model::claims::Direction;
use um_model::health::Event;
use um_model::work::*;
use um_model::{EpochMs, EventId, RelationId, SpaceId};
use um_store::projections::{self, Projected};
use um_store::relations::{self, NewRelation, Stored, Wanted};
use um_store::{Connection, events, items};

/// A relation rests on so many events at most.
const MAX_SOURCES: usize = 100;
/// A walk goes so far, reaches so many items, and follows so many relations of each.
const MAX_DEPTH: u8 = 5;
const MAX_REACHED: usize = 200;
const FAN_OUT: usize = 100;

/// An item that relations can lead from or to, where the caller may do that with it.
pub(crate) fn item(c: &Connection, caller: &Caller, key: &ItemKey) -> Result<(ItemKey, SpaceId), Fault> {
    if !key.item_type.can_be_related() {
        return Err(invalid(format!("No relation leads from or to a {}.", key.item_type.called())).into());
    }
    let key = ItemKey { item_type: key.item_type, id: key.id.trim().to_owned() };
    let found = items::by_key(c, &key)?.map(|item| item.space_id);
    let space = crate::spaces::open(c, caller, found, || not_found(key.item_type.called(), &key.id))?;
    Ok((key, space))
}

/// The item that a relation leads to: in the space of the one that it leads from, or in GLOBAL, which everybody reads.
fn target(c: &Connection, caller: &Caller, key: &ItemKey, space: &SpaceId) -> Result<ItemKey, Fault> {
    let global = SpaceId::global();
    let trimmed = ItemKey { item_type: key.item_type, id: key.id.trim().to_owned() };
    if key.item_type.can_be_related() && items::by_key(c, &trimmed)?.is_some_and(|item| item.space_id == global) {
        return Ok(trimmed);
    }
    let (key, lies_in) = item(c, caller, key)?;
    if lies_in != *space {
        return Err(invalid("The two items lie in different spaces.")
            .hint("A relation leads to an item of the same space, or of GLOBAL. Ask for a copy: promotion_request.")
            .into());
    }
    Ok(key)
}

fn told(c: &Connection, one: Option<Stored>, id: &RelationId) -> Result<Relation, Fault> {
    let named = one.map(|one| relations::named(c, one)).transpose()?.flatten();
    named.ok_or_else(|| not_found("relation", id.as_str()).into())
}

/// A relation, where the caller may do that in its space.
fn find(c: &Connection, caller: &Caller, id: &RelationId) -> Result<Stored, Fault> {
    let found = relations::by_id(c, id)?;
    let unknown = || not_found("relation", id.as_str());
    crate::spaces::open(c, caller, found.as_ref().map(|one| one.space_id.clone()), unknown)?;
    found.ok_or_else(|| unknown().into())
}

/// Says how one item bears on another.
pub(crate) fn relation_add(engine: &Engine, caller: &Caller, request: RelationAdd) -> Outcome<Relation> {
    if request.source_event_ids.len() > MAX_SOURCES {
        return Err(invalid(format!("A relation rests on at most {MAX_SOURCES} events.")));
    }
    clock::check(&[request.valid_from, request.valid_until])?;
    if let (Some(from), Some(until)) = (request.valid_from, request.valid_until)
        && from >= until
    {
        return Err(invalid("It ends before it begins.").hint("valid_from comes before valid_until."));
    }
    let (writer, now) = (caller.clone(), engine.now());
    let relation = engine.write(move |tx| add(tx, &writer, &request, now))?;
    engine.tell(Event::Work);
    Ok(access::told(caller, relation))
}

fn add(tx: &Connection, caller: &Caller, request: &RelationAdd, now: EpochMs) -> Result<Relation, Fault> {
    let (from, space) = item(tx, caller, &request.from)?;
    let to = target(tx, caller, &request.to, &space)?;
    if from == to {
        return Err(invalid("An item has no relation to itself.").into());
    }
    let sources: Vec<String> = request.source_event_ids.iter().map(ToString::to_string).collect();
    if let Some(missing) = events::missing(tx, &space, &sources)?.first() {
        return Err(not_found("event of that space", missing).into());
    }
    let known = relations::between(tx, (&from, &to), request.relation_type)?;
    let goes_on = |until: Option<EpochMs>| until.is_none_or(|until| until > now);
    let same = known.iter().find(|one| match request.valid_from {
        Some(from) => one.valid_from == Some(from),
        None => goes_on(one.valid_until) && one.valid_from.is_none_or(|from| from <= now),
    });
    if let Some(same) = same {
        if request.valid_until.is_some() && request.valid_until != same.valid_until {
            return Err(invalid("It is on record with another end.")
                .hint("relation_end says until when it held.")
                .into());
        }
        return told(tx, relations::by_id(tx, &same.id)?, &same.id);
    }
    let own = noted(tx, caller, (&space, &from, &to), request, now)?;
    let new = NewRelation {
        space: &space,
        from: &from,
        to: &to,
        relation_type: request.relation_type,
        // What held before and holds again, does so from now on.
        valid_from: request.valid_from.or((!known.is_empty()).then_some(now)),
        valid_until: request.valid_until,
        // What rests on nothing else rests on having been said.
        source_event_ids: if sources.is_empty() { &own } else { &request.source_event_ids },
        actor: &caller.actor,
    };
    let id = relations::insert(tx, &new, now)?;
    let payload = serde_json::json!({ "type": request.relation_type, "from": from.item_type, "to": to.item_type });
    Engine::audit(tx, caller, "relation.added", ("item_relations", id.as_str()), &space, payload, now)?;
    told(tx, relations::by_id(tx, &id)?, &id)
}

/// The event that saying so leaves.
fn noted(
    tx: &Connection,
    caller: &Caller,
    (space, from, to): (&SpaceId, &ItemKey, &ItemKey),
    request: &RelationAdd,
    now: EpochMs,
) -> Result<[EventId; 1], Fault> {
    let says = format!("{} {} {} {} {}.", from.item_type, from.id, request.relation_type, to.item_type, to.id);
    let state = serde_json::json!({ "from": from, "to": to, "relation_type": request.relation_type,
        "valid_from": request.valid_from, "valid_until": request.valid_until });
    let event = Projected { space, actor: &caller.actor, about: &from.id, is: "relation", says: &says, state };
    Ok([projections::note(tx, &event, now)?])
}

/// Says that a relation holds no longer.
pub(crate) fn relation_end(engine: &Engine, caller: &Caller, request: RelationEnd) -> Outcome<Relation> {
    clock::check(&[request.at])?;
    let (writer, now) = (caller.clone(), engine.now());
    let relation = engine.write(move |tx| {
        let one = told(tx, Some(find(tx, &writer, &request.relation)?), &request.relation)?;
        let at = request.at.unwrap_or(now);
        if one.valid_until == Some(at) || request.at.is_none() && one.valid_until.is_some_and(|until| until <= now) {
            return Ok(one);
        }
        if one.valid_from.is_some_and(|from| from >= at) {
            let hint = "Say a later time, or ask the person to take it back: umem relation remove.";
            return Err(invalid("It would end before it begins.").hint(hint).into());
        }
        relations::end(tx, &one.id, at, now)?;
        let payload = serde_json::json!({ "at": at });
        Engine::audit(tx, &writer, "relation.ended", ("item_relations", one.id.as_str()), &one.space_id, payload, now)?;
        told(tx, relations::by_id(tx, &one.id)?, &one.id)
    })?;
    engine.tell(Event::Work);
    Ok(access::told(caller, relation))
}

/// Takes a relation back that never held.
pub(crate) fn relation_remove(engine: &Engine, caller: &Caller, request: RelationRemove) -> Outcome<Done> {
    let (caller, now) = (caller.clone(), engine.now());
    engine.write(move |tx| {
        let one = find(tx, &caller, &request.relation)?;
        relations::remove(tx, &one.id)?;
        let payload = serde_json::json!({});
        Engine::audit(tx, &caller, "relation.removed", ("item_relations", one.id.as_str()), &one.space_id, payload, now)
    })?;
    engine.tell(Event::Work);
    Ok(Done {})
}

/// Which relations a list has.
fn wanted<'a>(request: &'a RelationsList, spaces: &'a [SpaceId]) -> Wanted<'a> {
    Wanted { spaces, types: &request.types, at: request.as_of, known_at: request.known_at }
}

/// Lists relations.
pub(crate) fn relations_list(engine: &Engine, caller: &Caller, request: RelationsList) -> Outcome<RelationsListed> {
    let limit = request.limit.unwrap_or(50).clamp(1, 200) as usize;
    let page = (request.offset as usize, limit + 1);
    engine.read(|c| {
        let mut found = match &request.item {
            Some(key) => {
                let (key, _) = item(c, caller, key)?;
                let spaces: Vec<SpaceId> = crate::spaces::readable(c, caller, request.space.as_deref())?
                    .into_iter()
                    .map(|space| space.id)
                    .collect();
                relations::of_item(c, &key, Direction::Both, wanted(&request, &spaces), page)?
            }
            None => {
                let space = resolve_at(c, caller, request.space.as_deref(), None)?.space.id;
                let spaces = std::slice::from_ref(&space);
                relations::list(c, wanted(&request, spaces), page)?
            }
        };
        let more = found.len() > limit;
        found.truncate(limit);
        let mut listed = Vec::with_capacity(found.len());
        for one in found {
            listed.extend(relations::named(c, one)?);
        }
        Ok(RelationsListed { relations: listed, more })
    })
}

/// Walks along relations.
pub(crate) fn relations_walk(engine: &Engine, caller: &Caller, request: RelationsWalk) -> Outcome<RelationsWalked> {
    let depth = request.depth.unwrap_or(2);
    if depth == 0 || depth > MAX_DEPTH {
        return Err(invalid(format!("A walk has 1 to {MAX_DEPTH} steps.")));
    }
    let now = engine.now();
    engine.read(|c| {
        let start = ItemKey { item_type: request.item_type, id: request.id.clone() };
        let (start, space) = item(c, caller, &start)?;
        let spaces = [space, SpaceId::global()];
        let way = Way {
            direction: request.direction.unwrap_or(Direction::Both),
            wanted: Wanted {
                spaces: &spaces,
                types: &request.types,
                at: Some(request.as_of.unwrap_or(now)),
                known_at: request.known_at,
            },
            depth,
        };
        let walked = walk(c, &start, way)?;
        let mut told = RelationsWalked { items: Vec::new(), relations: Vec::new(), truncated: walked.truncated };
        for (key, steps) in &walked.reached {
            told.items.extend(items::by_key(c, key)?.map(|item| Reached { item, steps: *steps }));
        }
        for one in walked.followed {
            told.relations.extend(relations::named(c, one)?);
        }
        Ok(told)
    })
}

/// How a walk goes.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) direction: Direction,
    pub(crate) wanted: Wanted<'a>,
    pub(crate) depth: u8,
}

/// What a walk came by.
#[derive(Default)]
pub(crate) struct Walked {
    /// Each item with the fewest steps to it, the nearest first; not the one that it began at.
    pub(crate) reached: Vec<(ItemKey, u8)>,
    pub(crate) followed: Vec<Stored>,
    pub(crate) truncated: bool,
}

/// Walks breadth first, each item and relation once.
pub(crate) fn walk(c: &Connection, start: &ItemKey, way: Way<'_>) -> Result<Walked, Fault> {
    let mut walked = Walked::default();
    let (mut seen, mut taken) = (HashSet::from([start.clone()]), HashSet::new());
    let mut next = VecDeque::from([(start.clone(), 0)]);
    while let Some((from, steps)) = next.pop_front() {
        if steps == way.depth {
            continue;
        }
        let mut found = relations::of_item(c, &from, way.direction, way.wanted, (0, FAN_OUT + 1))?;
        walked.truncated |= found.len() > FAN_OUT;
        found.truncate(FAN_OUT);
        for one in found {
            let to = if one.from == from { one.to.clone() } else { one.from.clone() };
            if !seen.contains(&to) {
                if walked.reached.len() == MAX_REACHED {
                    walked.truncated = true;
                    continue;
                }
                seen.insert(to.clone());
                walked.reached.push((to.clone(), steps + 1));
                next.push_back((to, steps + 1));
            }
            if taken.insert(one.rid) {
                walked.followed.push(one);
            }
        }
    }
    Ok(walked)
}
