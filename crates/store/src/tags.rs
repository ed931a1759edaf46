//! `tags`, `item_tags` and `past_item_tags`: the predefined tags that every space may use, those of a space, what bears them, and what
//! bore them until they were taken off.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::work::{ItemKey, ItemType, Tag, TagCategory};
use um_model::{EpochMs, MemoryId, SpaceId, TagId};

/// The names of the tags that every space may use, in the order of the alphabet.
///
/// # Errors
/// SQLite's.
pub fn predefined(connection: &Connection) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached("SELECT name FROM tags WHERE space_id = 'GLOBAL' AND is_predefined = 1 ORDER BY name")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Gives a memory these tags of the classifier and no others of it; what somebody attached stays. A name that neither the space
/// nor GLOBAL knows becomes a tag of the space.
///
/// # Errors
/// SQLite's.
pub fn set_of_memory(
    connection: &Connection,
    space: &SpaceId,
    memory: &MemoryId,
    names: &[String],
    now: EpochMs,
) -> StoreResult<()> {
    let item = ItemKey { item_type: ItemType::Memory, id: memory.to_string() };
    let others =
        "by_classifier = 1 AND tag_id NOT IN (SELECT t.id FROM tags t JOIN json_each(?3) w ON w.value = t.name)";
    take_off(connection, &item, (others, &serde_json::to_string(names)?), now)?;
    for name in names {
        // What the classifier knows, or the memory says itself, which was compared when it came in.
        add(connection, (space, &item), &Checked::held(NewTag::named(name)), true, now)?;
    }
    Ok(())
}

/// A tag that may have to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewTag<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is about.
    pub category: TagCategory,
    /// What it means.
    pub description: Option<&'a str>,
}

impl<'a> NewTag<'a> {
    /// One of which nothing but the name is said.
    pub fn named(name: &'a str) -> Self {
        Self { name, category: TagCategory::Custom, description: None }
    }
}

impl Says for NewTag<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(self.name));
        self.description.iter().for_each(|words| tell(Said::Text(words)));
    }
}

/// Attaches a tag to an item of a space, made where neither the space nor GLOBAL knows it. Gives whether it had it not.
///
/// # Errors
/// SQLite's.
pub fn attach(
    connection: &Connection,
    space: &SpaceId,
    item: &ItemKey,
    tag: &Checked<NewTag<'_>>,
    now: EpochMs,
) -> StoreResult<bool> {
    add(connection, (space, item), tag, false, now)
}

/// Attaches a tag. One that the classifier attached is taken over by whoever attaches it too.
fn add(
    connection: &Connection,
    (space, item): (&SpaceId, &ItemKey),
    tag: &Checked<NewTag<'_>>,
    by_classifier: bool,
    now: EpochMs,
) -> StoreResult<bool> {
    let id = known(connection, space, tag.name)?.map_or_else(|| insert(connection, space, tag, now), Ok)?;
    let added = connection
        .prepare_cached(
            "INSERT INTO item_tags (id, space_id, item_type, item_id, tag_id, by_classifier, created_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS
               (SELECT 1 FROM item_tags WHERE item_type = ?3 AND item_id = ?4 AND tag_id = ?5)",
        )?
        .execute(params![
            new_id(now),
            space.as_str(),
            item.item_type.as_str(),
            item.id,
            id.as_str(),
            by_classifier,
            now
        ])?;
    if added == 0 && !by_classifier {
        connection
            .prepare_cached(
                "UPDATE item_tags SET by_classifier = 0
                 WHERE item_type = ?1 AND item_id = ?2 AND tag_id = ?3 AND by_classifier = 1",
            )?
            .execute(params![item.item_type.as_str(), item.id, id.as_str()])?;
    }
    Ok(added > 0)
}

/// Detaches a tag from an item. Gives whether it had it.
///
/// # Errors
/// SQLite's.
pub fn detach(connection: &Connection, item: &ItemKey, name: &str, now: EpochMs) -> StoreResult<bool> {
    take_off(connection, item, ("tag_id IN (SELECT id FROM tags WHERE name = ?3)", name), now)
}

/// Takes those tags off an item for which a condition holds, in which `words` are bound as ?3, and keeps that they were on it until now.
/// Gives whether there were any.
fn take_off(
    connection: &Connection,
    item: &ItemKey,
    (condition, words): (&str, &str),
    now: EpochMs,
) -> StoreResult<bool> {
    let of_item = format!("item_type = ?1 AND item_id = ?2 AND {condition}");
    let kept = connection
        .prepare_cached(&format!(
            "INSERT INTO past_item_tags (id, space_id, item_type, item_id, tag_id, created_at, removed_at)
             SELECT id, space_id, item_type, item_id, tag_id, created_at, ?4 FROM item_tags WHERE {of_item}"
        ))?
        .execute(params![item.item_type.as_str(), item.id, words, now])?;
    if kept > 0 {
        connection.prepare_cached(&format!("DELETE FROM item_tags WHERE {of_item}"))?.execute(params![
            item.item_type.as_str(),
            item.id,
            words
        ])?;
    }
    Ok(kept > 0)
}

/// When a tag `i` counts as of `as_of`, as was known at `known_at`, where these are bound; null is no such time. First of `item_tags`, then
/// of `past_item_tags`. What was known counts, since whenever it was: somebody may tag later what was so before; and of what was taken
/// off by then, what was on at that time.
pub(crate) fn counts(as_of: &str, known_at: &str) -> [String; 2] {
    let known = format!("i.created_at <= ifnull({known_at}, i.created_at)");
    let was_on = format!("i.created_at <= {as_of} AND i.removed_at > {as_of}");
    [known.clone(), format!("{known} AND (i.removed_at > {known_at} OR {was_on})")]
}

/// When a tag `i` was on an item of a kind at a time that is bound at `at`. First of `item_tags`, then of `past_item_tags`. What was
/// written down later than it was so had none then, and is told with those of now.
pub(crate) fn was_on(of: ItemType, at: &str) -> [String; 2] {
    let written = match of {
        ItemType::Memory => Some("SELECT w.created_at FROM memories w WHERE w.id = i.item_id"),
        ItemType::Event => Some("SELECT w.recorded_at FROM evidence_events w WHERE w.id = i.item_id"),
        _ => None,
    };
    let later = written.map_or(String::new(), |written| format!(" OR ({written}) > {at}"));
    [format!("(i.created_at <= {at}{later})"), format!("i.created_at <= {at} AND i.removed_at > {at}")]
}

/// That an item of a kind bears one of some tags, or bore it at a time, where one is bound at `at`. `item` is its id, `tags` are where
/// the ids of the tags are bound.
pub(crate) fn bears(of: ItemType, (item, tags): (&str, &str), at: Option<&str>) -> String {
    let there = |table: &str, when: &str| {
        format!(
            "EXISTS (SELECT 1 FROM {table} i WHERE i.item_type = '{of}' AND i.item_id = {item} AND i.tag_id IN ({tags}){when})"
        )
    };
    let Some(at) = at else { return there("item_tags", "") };
    let [on, taken_off] = was_on(of, at).map(|when| format!(" AND {when}"));
    format!("({} OR {})", there("item_tags", &on), there("past_item_tags", &taken_off))
}

/// The names of an item's tags, in the order of the alphabet.
///
/// # Errors
/// SQLite's.
pub fn of_item(connection: &Connection, item: &ItemKey) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT t.name FROM item_tags i JOIN tags t ON t.id = i.tag_id
             WHERE i.item_type = ?1 AND i.item_id = ?2 ORDER BY t.name",
        )?
        .query_map(params![item.item_type.as_str(), item.id], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

fn tag(row: &Row<'_>) -> StoreResult<Tag> {
    Ok(Tag {
        id: TagId::parse(row.get::<_, String>(0)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
        name: row.get(2)?,
        category: row.get::<_, String>(3)?.parse()?,
        is_predefined: row.get(4)?,
        description: row.get(5)?,
        uses: row.get(6)?,
    })
}

/// A page of the tags that some spaces may use, or those of one item in them, in the order of the alphabet, with how many of their items
/// bear each.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    category: Option<TagCategory>,
    item: Option<&ItemKey>,
    (offset, limit): (u32, u32),
) -> StoreResult<Vec<Tag>> {
    let spaces = crate::filter::ids(spaces)?;
    connection
        .prepare_cached(
            "SELECT t.id, t.space_id, t.name, t.category, t.is_predefined, t.description,
               (SELECT count(*) FROM item_tags i WHERE i.tag_id = t.id AND i.space_id IN (SELECT value FROM json_each(?1)))
             FROM tags t
             WHERE (t.space_id = 'GLOBAL' OR t.space_id IN (SELECT value FROM json_each(?1)))
               AND (?2 IS NULL OR t.category = ?2)
               AND (?3 IS NULL OR t.id IN (SELECT tag_id FROM item_tags WHERE item_type = ?3 AND item_id = ?4))
             ORDER BY t.name, t.space_id LIMIT ?5 OFFSET ?6",
        )?
        .query_and_then(
            params![
                spaces,
                category.map(TagCategory::as_str),
                item.map(|item| item.item_type.as_str()),
                item.map(|item| &item.id),
                limit,
                offset
            ],
            tag,
        )?
        .collect()
}

/// A tag that a space knows by that name, its own or everybody's.
///
/// # Errors
/// SQLite's.
pub fn by_name(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Option<Tag>> {
    connection
        .prepare_cached(
            "SELECT t.id, t.space_id, t.name, t.category, t.is_predefined, t.description,
               (SELECT count(*) FROM item_tags i WHERE i.tag_id = t.id AND i.space_id = ?1)
             FROM tags t WHERE t.name = ?2 AND t.space_id IN (?1, 'GLOBAL') ORDER BY t.space_id = 'GLOBAL' LIMIT 1",
        )?
        .query_row([space.as_str(), name], |row| Ok(tag(row)))
        .optional()?
        .transpose()
}

/// The id of a tag that the space may use.
fn known(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached(
            "SELECT id FROM tags WHERE name = ?1 AND space_id IN (?2, 'GLOBAL') ORDER BY space_id = 'GLOBAL' DESC LIMIT 1",
        )?
        .query_row(params![name, space.as_str()], |row| row.get(0))
        .optional()?)
}

/// Makes a tag that a space knows.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    space: &SpaceId,
    tag: &Checked<NewTag<'_>>,
    now: EpochMs,
) -> StoreResult<String> {
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO tags (id, space_id, name, category, description, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![id, space.as_str(), tag.name, tag.category.as_str(), tag.description, now])?;
    Ok(id)
}
