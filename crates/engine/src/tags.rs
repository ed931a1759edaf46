//! Tags: made, listed, attached to items of any kind, and detached.

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::forget::Door;
use crate::{Caller, Engine, access};
use um_model::health::Event;
use um_model::work::*;
use um_model::{ApiError, EpochMs, ErrorCode, SpaceId};
use um_store::tags::{self, NewTag};
use um_store::{Connection, items};

/// The longest name, in bytes.
const MAX_NAME: usize = 60;
/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 500;
/// So many tags are attached at once.
const MOST: usize = 20;

/// Names of tags as they are kept: in small letters, each once.
pub(crate) fn names(given: &[String]) -> Outcome<Vec<String>> {
    if given.len() > MOST {
        return Err(invalid(format!("At most {MOST} tags are attached at once.")));
    }
    let mut names: Vec<String> = Vec::new();
    for given in given {
        let name = name(given)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The same of tags that are to be attached. An older version took names with characters that are not seen: these can be looked for and
/// detached.
pub(crate) fn new_names(given: &[String]) -> Outcome<Vec<String>> {
    let names = names(given)?;
    names.iter().try_for_each(|name| crate::seen::check("a tag", name))?;
    Ok(names)
}

/// The name of a tag as it is kept and looked for: in small letters, with one space between its words.
pub(crate) fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn name(given: &str) -> Outcome<String> {
    let name = folded(given);
    if name.is_empty() || name.len() > MAX_NAME {
        return Err(invalid(format!("The name of a tag has 1 to {MAX_NAME} bytes.")));
    }
    Ok(name)
}

/// A name that a tag is to bear.
fn new_name(given: &str) -> Outcome<String> {
    let name = name(given)?;
    crate::seen::check("a tag", &name)?;
    Ok(name)
}

/// Attaches tags to an item of a space, with an entry in the ledger where it had not all of them.
pub(crate) fn attach_all(
    tx: &Connection,
    (caller, door): (&Caller, &Door),
    (space, item): (&SpaceId, &ItemKey),
    names: &[String],
    now: EpochMs,
) -> Result<(), Fault> {
    let mut added = 0;
    for name in names {
        if tags::by_name(tx, space, name)?.is_none() {
            make(tx, (caller, door), space, NewTag::named(name), now)?;
        }
        added += usize::from(tags::attach(tx, space, item, &door.pass(tx, NewTag::named(name))?, now)?);
    }
    if added == 0 {
        return Ok(());
    }
    let payload = serde_json::json!({ "type": item.item_type, "added": added });
    Engine::audit(tx, caller, "tag.attached", ("item_tags", &item.id), space, payload, now)
}

/// Makes a tag. By the ledger it is told who did.
fn make(
    tx: &Connection,
    (caller, door): (&Caller, &Door),
    space: &SpaceId,
    new: NewTag<'_>,
    now: EpochMs,
) -> Result<(), Fault> {
    let id = tags::insert(tx, space, &door.pass(tx, new)?, now)?;
    Engine::audit(tx, caller, "tag.created", ("tags", &id), space, serde_json::json!({}), now)
}

/// An item that can bear tags and that the caller may do that with.
fn item(c: &Connection, caller: &Caller, item_type: ItemType, id: &str) -> Result<(ItemKey, SpaceId), Fault> {
    if !item_type.can_be_tagged() {
        return Err(invalid(format!("A {} bears no tags.", item_type.called())).into());
    }
    let key = ItemKey { item_type, id: id.trim().to_owned() };
    let found = items::by_key(c, &key)?.map(|item| item.space_id);
    let space = crate::spaces::open(c, caller, found, || not_found(item_type.called(), id))?;
    Ok((key, space))
}

fn told(c: &Connection, item: ItemKey, space_id: SpaceId) -> Result<ItemTags, Fault> {
    Ok(ItemTags { tags: tags::of_item(c, &item)?, item, space_id })
}

/// Lists tags.
pub(crate) fn tags_list(engine: &Engine, caller: &Caller, request: TagsList) -> Outcome<TagsListed> {
    let limit = request.limit.unwrap_or(500).clamp(1, 2_000);
    engine.read(|c| {
        let wanted = request.item.as_ref().map(|asked| item(c, caller, asked.item_type, &asked.id)).transpose()?;
        let spaces: Vec<SpaceId> = match &wanted {
            Some((_, space)) => vec![space.clone()],
            None => crate::spaces::readable(c, caller, request.space.as_deref())?.into_iter().map(|s| s.id).collect(),
        };
        let key = wanted.as_ref().map(|(key, _)| key);
        let mut tags = tags::list(c, &spaces, request.category, key, (request.offset, limit + 1))?;
        let more = tags.len() > limit as usize;
        tags.truncate(limit as usize);
        Ok(TagsListed { tags, more })
    })
}

/// Makes a tag. One that is there already is answered as it is.
pub(crate) fn tag_create(engine: &Engine, caller: &Caller, request: TagCreate) -> Outcome<Tag> {
    let name = new_name(&request.name)?;
    if request.description.as_ref().is_some_and(|words| words.len() > MAX_DESCRIPTION) {
        return Err(ApiError::new(
            ErrorCode::TextTooLong,
            format!("It is described in at most {MAX_DESCRIPTION} bytes."),
        ));
    }
    let (caller, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let tag = engine.write(move |tx| {
        let space = crate::spaces::resolve_or_usual(tx, &caller, request.space.as_deref())?;
        if let Some(known) = tags::by_name(tx, &space.id, &name)? {
            return Ok(known);
        }
        let category = request.category.unwrap_or(TagCategory::Custom);
        let new = NewTag { name: &name, category, description: request.description.as_deref() };
        make(tx, (&caller, &Door::of(&key, &space.id)), &space.id, new, now)?;
        tags::by_name(tx, &space.id, &name)?.ok_or_else(|| not_found("tag", &name).into())
    })?;
    engine.tell(Event::Work);
    Ok(tag)
}

/// Attaches tags to an item.
pub(crate) fn tag_attach(engine: &Engine, caller: &Caller, request: TagAttach) -> Outcome<ItemTags> {
    let names = new_names(&request.tags)?;
    let (writer, key, now) = (caller.clone(), engine.key().clone(), engine.now());
    let tagged = engine.write(move |tx| {
        let (item, space) = item(tx, &writer, request.item_type, &request.id)?;
        attach_all(tx, (&writer, &Door::of(&key, &space)), (&space, &item), &names, now)?;
        told(tx, item, space)
    })?;
    engine.tell(Event::Work);
    Ok(access::told(caller, tagged))
}

/// Detaches tags from an item.
pub(crate) fn tag_detach(engine: &Engine, caller: &Caller, request: TagDetach) -> Outcome<ItemTags> {
    let names = names(&request.tags)?;
    let (writer, now) = (caller.clone(), engine.now());
    let tagged = engine.write(move |tx| {
        let (item, space) = item(tx, &writer, request.item_type, &request.id)?;
        let mut removed = 0;
        for name in &names {
            removed += usize::from(tags::detach(tx, &item, name, now)?);
        }
        if removed > 0 {
            let payload = serde_json::json!({ "type": item.item_type, "removed": removed });
            Engine::audit(tx, &writer, "tag.detached", ("item_tags", &item.id), &space, payload, now)?;
        }
        told(tx, item, space)
    })?;
    engine.tell(Event::Work);
    Ok(access::told(caller, tagged))
}
