//! `claims`, the changes of their state and of their time, and a full text table of them a space.

mod kin;
pub(crate) mod known;
mod search;
mod states;
mod windows;

pub use kin::{Kin, any_of_fact, behind, kin, naming_both, relating, with_part};
pub use known::as_then;
pub use search::{Question, first, search};
pub use states::{Cause, history, last_change, set_state};
pub use windows::{Window, WindowCause, set_ends_told, set_window, window_history};

use crate::filter::Then;
use crate::fts::{Kind, indexed_form, table};
use crate::{StoreResult, ids::new_id};
use known::Expressions;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use std::collections::{BTreeMap, BTreeSet};
use um_model::belief::{ClaimState, ClaimType, Polarity};
use um_model::claims::{Claim, ClaimObject, EntityRef, Telling};
use um_model::{AgentId, ClaimId, EntityId, EpochMs, SpaceId};

/// Every column of a claim as it is shown, with the names of those it speaks of.
const CLAIM: &str = "SELECT c.id, c.space_id, c.claim_type, s.id, s.name, s.entity_type,
    coalesce(r.name, c.attribute_key, ''), o.id, o.name, o.entity_type, c.attribute_value, c.statement, c.qualifiers,
    c.polarity, c.state, c.confidence, c.evidence_count, coalesce(c.valid_from, c.told_from), coalesce(c.valid_to, c.told_to),
    c.first_asserted_at, c.last_updated_at, c.first_said_at, c.last_said_at,
    c.valid_from, c.valid_to, c.heard_at, c.stated_at, c.voice_id
  FROM claims c JOIN entities s ON s.id = c.entity_id
  LEFT JOIN entities o ON o.id = c.target_entity_id LEFT JOIN relationship_types r ON r.id = c.relationship_type_id";

fn claim(row: &Row<'_>) -> StoreResult<Claim> {
    let reference = |at: usize| -> StoreResult<EntityRef> {
        Ok(EntityRef {
            id: EntityId::parse(row.get::<_, String>(at)?)?,
            name: row.get(at + 1)?,
            entity_type: row.get::<_, String>(at + 2)?.parse()?,
        })
    };
    let object = match row.get::<_, Option<String>>(7)? {
        Some(_) => ClaimObject::Entity(reference(7)?),
        None => ClaimObject::Value(row.get::<_, Option<String>>(10)?.unwrap_or_default()),
    };
    Ok(Claim {
        id: ClaimId::parse(row.get::<_, String>(0)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
        claim_type: row.get::<_, String>(2)?.parse()?,
        subject: reference(3)?,
        predicate: row.get(6)?,
        object,
        statement: row.get(11)?,
        qualifiers: serde_json::from_str(&row.get::<_, String>(12)?)?,
        polarity: row.get::<_, String>(13)?.parse()?,
        state: row.get::<_, String>(14)?.parse()?,
        confidence: row.get(15)?,
        evidence_count: row.get(16)?,
        valid_from: row.get(17)?,
        valid_to: row.get(18)?,
        first_asserted_at: row.get(19)?,
        last_updated_at: row.get(20)?,
        first_said_at: row.get(21)?,
        last_said_at: row.get(22)?,
        citations: Vec::new(),
        conflicts: Vec::new(),
        of_model: false,
        telling: Telling {
            window: (row.get(23)?, row.get(24)?),
            heard_at: row.get(25)?,
            stated_at: row.get(26)?,
            voice: row.get::<_, Option<String>>(27)?.map(AgentId::parse).transpose()?,
        },
    })
}

/// Claims that fit a condition on `c`, `s` (subject), `o` (object) and `r` (relation). Citations, conflicts and who
/// read them are for the caller to fill.
fn select(connection: &Connection, rest: &str, params: &[&dyn ToSql]) -> StoreResult<Vec<Claim>> {
    connection.prepare_cached(&format!("{CLAIM} {rest}"))?.query_and_then(params, claim)?.collect()
}

fn words<T: Copy>(items: &[T], word: impl Fn(T) -> &'static str) -> StoreResult<String> {
    Ok(serde_json::to_string(&items.iter().map(|item| word(*item)).collect::<Vec<_>>())?)
}

/// The claim of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &ClaimId) -> StoreResult<Option<Claim>> {
    Ok(select(connection, "WHERE c.id = ?1", &[&id.as_str()])?.pop())
}

/// The claims of those ids, in their order.
///
/// # Errors
/// SQLite's.
pub fn by_ids(connection: &Connection, ids: &[ClaimId]) -> StoreResult<Vec<Claim>> {
    let json = serde_json::to_string(&ids.iter().map(ClaimId::as_str).collect::<Vec<_>>())?;
    select(connection, "JOIN json_each(?1) wanted ON wanted.value = c.id ORDER BY wanted.key", &[&json])
}

/// The space of a claim.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, id: &ClaimId) -> StoreResult<Option<SpaceId>> {
    let space: Option<String> = connection
        .prepare_cached("SELECT space_id FROM claims WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(space.map(SpaceId::parse).transpose()?)
}

/// Which side of its claims an entity stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It is what they speak of.
    Subject,
    /// They name it.
    Object,
}

/// What these spaces claim of an entity in those states, by predicate, the surest first; as of another time, where one is asked for.
///
/// # Errors
/// SQLite's.
pub fn of_entity(
    connection: &Connection,
    spaces: &[SpaceId],
    entity: &EntityId,
    side: Side,
    states: &[ClaimState],
    then: Then,
    limit: u32,
) -> StoreResult<Vec<Claim>> {
    let known_at = then.known_at.map_or_else(|| "NULL".to_owned(), |at| at.to_string());
    let expressions = Expressions::then(then, "?3", &known_at);
    let (is_in, Expressions { from, until, .. }) = (expressions.is_in("?2"), expressions);
    let column = if side == Side::Subject { "c.entity_id" } else { "c.target_entity_id" };
    let states = words(states, ClaimState::as_str)?;
    let spaces = crate::filter::ids(spaces)?;
    select(
        connection,
        &format!(
            // Only a global entity has claims of several spaces: the index on the entity is the one to use.
            "WHERE {column} = ?1 AND {is_in} AND c.is_redacted = 0
               AND +c.space_id IN (SELECT value FROM json_each(?5))
               AND (?3 IS NULL OR (ifnull({from}, ?3) <= ?3 AND ifnull({until}, ?3 + 1) > ?3))
             ORDER BY coalesce(r.name, c.attribute_key), c.confidence DESC, c.rid LIMIT ?4"
        ),
        &[&entity.as_str(), &states, &then.as_of, &limit, &spaces],
    )
}

/// What a claim is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Its own, which no other claim of its space has.
    pub claim: String,
    /// That of the fact, which all have that tell it, each with circumstances of its own, and those that deny it.
    pub fact: String,
}

/// A claim to be kept as a draft.
#[derive(Debug, Clone)]
pub struct NewClaim {
    /// Its canonical keys.
    pub keys: Keys,
    /// Its space.
    pub space: SpaceId,
    /// Of whom or what.
    pub subject: EntityId,
    /// What it says.
    pub claim_type: ClaimType,
    /// The attribute, unless it is a relationship.
    pub attribute_key: Option<String>,
    /// The value, unless it is a relationship.
    pub attribute_value: Option<String>,
    /// The other entity of a relationship.
    pub target: Option<EntityId>,
    /// Its relation.
    pub relationship_type: Option<String>,
    /// As a sentence.
    pub statement: String,
    /// Circumstances.
    pub qualifiers: BTreeMap<String, String>,
    /// Affirmed or denied.
    pub polarity: Polarity,
    /// From when.
    pub valid_from: Option<EpochMs>,
    /// Until when.
    pub valid_to: Option<EpochMs>,
    /// Who makes it.
    pub actor: AgentId,
}

/// Finds the space's claim of that key, or makes it as a draft; gives its id and whether it is new. Two who
/// make the same claim at once get the same row.
///
/// # Errors
/// SQLite's.
pub fn upsert(connection: &Connection, new: &NewClaim, now: EpochMs) -> StoreResult<(ClaimId, bool)> {
    let id = new_id(now);
    let made = connection
        .prepare_cached(
            "INSERT INTO claims (id, claim_key, fact_key, entity_id, space_id, claim_type, attribute_key, attribute_value,
               target_entity_id, relationship_type_id, statement, qualifiers, polarity, valid_from, valid_to,
               last_updated_at, created_at, created_by_actor)
             VALUES (?1, ?2, ?17, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15, ?16)
             ON CONFLICT (space_id, claim_key) DO NOTHING RETURNING rid",
        )?
        .query_row(
            params![
                id,
                new.keys.claim,
                new.subject.as_str(),
                new.space.as_str(),
                new.claim_type.as_str(),
                new.attribute_key,
                new.attribute_value,
                new.target.as_ref().map(EntityId::as_str),
                new.relationship_type,
                new.statement,
                serde_json::to_string(&new.qualifiers)?,
                new.polarity.as_str(),
                new.valid_from,
                new.valid_to,
                now,
                new.actor.as_str(),
                new.keys.fact
            ],
            |row| row.get::<_, i64>(0),
        )
        .optional()?;
    if let Some(rid) = made {
        table::put(connection, (&new.space, Kind::Claims), rid, &[&new.statement], now)?;
        return Ok((ClaimId::parse(id)?, true));
    }
    let known: String = connection
        .prepare_cached("SELECT id FROM claims WHERE space_id = ?1 AND claim_key = ?2")?
        .query_row(params![new.space.as_str(), new.keys.claim], |row| row.get(0))?;
    Ok((ClaimId::parse(known)?, false))
}

/// Keeps a claim's confidence, where it changed.
///
/// # Errors
/// One above what its supporting evidence gives together; SQLite's.
pub fn set_confidence(connection: &Connection, claim: &ClaimId, confidence: f64) -> StoreResult<bool> {
    let changed = connection
        .prepare_cached("UPDATE claims SET confidence = ?2 WHERE id = ?1 AND abs(confidence - ?2) > 1e-9")?
        .execute(params![claim.as_str(), confidence.clamp(0.0, 1.0)])?;
    Ok(changed > 0)
}

/// Gives a claim another wording, also in full text: one of its entities bears another name.
///
/// # Errors
/// SQLite's.
pub fn set_statement(connection: &Connection, claim: &Claim, statement: &str) -> StoreResult<()> {
    let rid: i64 = connection
        .prepare_cached("UPDATE claims SET statement = ?2 WHERE id = ?1 RETURNING rid")?
        .query_row(params![claim.id.as_str(), statement], |row| row.get(0))?;
    if let Some(table) = table::find(connection, &claim.space_id, Kind::Claims)? {
        connection
            .prepare_cached(&format!("UPDATE {table} SET statement = ?2 WHERE rowid = ?1"))?
            .execute(params![rid, indexed_form(statement)])?;
    }
    Ok(())
}

/// The key of a claim.
///
/// # Errors
/// SQLite's; no such claim.
pub fn key(connection: &Connection, claim: &ClaimId) -> StoreResult<String> {
    Ok(connection
        .prepare_cached("SELECT claim_key FROM claims WHERE id = ?1")?
        .query_row([claim.as_str()], |row| row.get(0))?)
}

/// The key of the fact that a claim tells or denies; none where it was blacked out.
///
/// # Errors
/// SQLite's; no such claim.
pub fn fact_key(connection: &Connection, claim: &ClaimId) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT fact_key FROM claims WHERE id = ?1")?
        .query_row([claim.as_str()], |row| row.get(0))?)
}

/// Which claim stands in a claim's place.
///
/// # Errors
/// SQLite's.
pub fn superseded_by(connection: &Connection, claim: &ClaimId) -> StoreResult<Option<ClaimId>> {
    let by: Option<String> = connection
        .prepare_cached("SELECT superseded_by_id FROM claims WHERE id = ?1")?
        .query_row([claim.as_str()], |row| row.get(0))
        .optional()?
        .flatten();
    Ok(by.map(ClaimId::parse).transpose()?)
}

/// Says which claim stands in a claim's place. In the place of one that is believed no other one stands: it stays as it
/// is.
///
/// # Errors
/// SQLite's.
pub fn set_superseded_by(connection: &Connection, claim: &ClaimId, by: Option<&ClaimId>) -> StoreResult<()> {
    connection.execute(
        "UPDATE claims SET superseded_by_id = ?2 WHERE id = ?1 AND (?2 IS NULL OR state NOT IN ('asserted', 'disputed'))",
        params![claim.as_str(), by.map(ClaimId::as_str)],
    )?;
    Ok(())
}

/// Gives a claim other entities and the keys that follow from them: one of its entities was merged.
///
/// # Errors
/// A key that is taken; SQLite's.
pub fn set_entities(
    connection: &Connection,
    claim: &ClaimId,
    subject: &EntityId,
    target: Option<&EntityId>,
    keys: &Keys,
) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE claims SET entity_id = ?2, target_entity_id = ?3, claim_key = ?4, fact_key = ?5 WHERE id = ?1",
        )?
        .execute(params![claim.as_str(), subject.as_str(), target.map(EntityId::as_str), keys.claim, keys.fact])?;
    Ok(())
}

/// The space's claim of that key.
///
/// # Errors
/// SQLite's.
pub fn by_key(connection: &Connection, space: &SpaceId, key: &str) -> StoreResult<Option<Claim>> {
    Ok(select(connection, "WHERE c.space_id = ?1 AND c.claim_key = ?2", &[&space.as_str(), &key])?.pop())
}

/// Which claims may be rivals of a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rivalry {
    /// Those of the same subject that say something else; else only those that say the opposite.
    pub of_subject: bool,
    /// Those that say the same of another subject.
    pub of_object: bool,
    /// The relation reads the same both ways, so that either of its entities may stand on either side.
    pub symmetric: bool,
}

/// The believed and disputed claims of a claim's predicate that may be its rivals, the newest first; at most 200 of
/// each side. The claim itself is not among them.
///
/// # Errors
/// SQLite's.
pub fn rivals(connection: &Connection, claim: &Claim, rivalry: Rivalry) -> StoreResult<Vec<Claim>> {
    let subject = &claim.subject.id;
    let mut found = rivals_at(connection, claim, "c.entity_id", subject, rivalry.of_subject)?;
    if let ClaimObject::Entity(object) = &claim.object {
        if rivalry.of_object {
            found.extend(rivals_at(connection, claim, "c.target_entity_id", &object.id, true)?);
        }
        if rivalry.symmetric && rivalry.of_subject {
            found.extend(rivals_at(connection, claim, "c.entity_id", &object.id, true)?);
            found.extend(rivals_at(connection, claim, "c.target_entity_id", subject, true)?);
        }
    }
    let mut known = BTreeSet::new();
    found.retain(|claim| known.insert(claim.id.clone()));
    Ok(found)
}

/// The rivals that have an entity on one side. Those of the opposite polarity, and, where `any`, those of the same.
fn rivals_at(
    connection: &Connection,
    claim: &Claim,
    column: &str,
    entity: &EntityId,
    any: bool,
) -> StoreResult<Vec<Claim>> {
    let predicate = match &claim.object {
        ClaimObject::Value(_) => "c.attribute_key = ?3",
        ClaimObject::Entity(_) => {
            "c.attribute_key IS NULL
               AND c.relationship_type_id IN (SELECT id FROM relationship_types WHERE name = ?3)"
        }
    };
    select(
        connection,
        &format!(
            // Without the pluses SQLite, which has no statistics here, may go through all claims of the space.
            "WHERE {column} = ?1 AND c.id <> ?2 AND {predicate} AND +c.space_id = ?4 AND (?5 OR c.polarity <> ?6)
               AND +c.state IN ('asserted', 'disputed') AND c.is_redacted = 0 ORDER BY c.rid DESC LIMIT 200"
        ),
        &[
            &entity.as_str(),
            &claim.id.as_str(),
            &claim.predicate,
            &claim.space_id.as_str(),
            &any,
            &claim.polarity.as_str(),
        ],
    )
}

/// The ids of the space's claims after `after`, in the order of their making: for going through all of them
/// in steps.
///
/// # Errors
/// SQLite's.
pub fn page_of_ids(connection: &Connection, after: i64, limit: u32) -> StoreResult<Vec<(i64, ClaimId)>> {
    connection
        .prepare_cached("SELECT rid, id FROM claims WHERE rid > ?1 AND is_redacted = 0 ORDER BY rid LIMIT ?2")?
        .query_and_then(params![after, limit], |row| Ok((row.get(0)?, ClaimId::parse(row.get::<_, String>(1)?)?)))?
        .collect()
}

/// The claims of a space with that attribute or its own relation of that name, whatever their state.
///
/// # Errors
/// SQLite's.
pub fn of_predicate(connection: &Connection, space: &SpaceId, name: &str) -> StoreResult<Vec<Claim>> {
    select(
        connection,
        "WHERE c.space_id = ?1 AND (c.attribute_key = ?2 OR c.relationship_type_id IN
           (SELECT id FROM relationship_types WHERE name = ?2 AND space_id = ?1)) AND c.is_redacted = 0 ORDER BY c.rid",
        &[&space.as_str(), &name],
    )
}

/// Whether any other claim of a space has a value of that attribute.
///
/// # Errors
/// SQLite's.
pub fn is_said(connection: &Connection, space: &SpaceId, attribute: &str, but: &ClaimId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM claims WHERE space_id = ?1 AND attribute_key = ?2 AND id <> ?3")?
        .exists([space.as_str(), attribute, but.as_str()])?)
}

/// Whether anything is believed of an entity or names it.
///
/// # Errors
/// SQLite's.
pub fn is_believed_of(connection: &Connection, entity: &EntityId) -> StoreResult<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM claims WHERE entity_id = ?1 AND state IN ('asserted', 'disputed')
             UNION ALL SELECT 1 FROM claims WHERE target_entity_id = ?1 AND state IN ('asserted', 'disputed')",
        )?
        .exists([entity.as_str()])?)
}

/// The claims that speak of or name an entity, whatever their state; of those that were blacked out nothing is left
/// to be known by.
///
/// # Errors
/// SQLite's.
pub fn naming(connection: &Connection, entity: &EntityId) -> StoreResult<Vec<Claim>> {
    select(
        connection,
        "WHERE (c.entity_id = ?1 OR c.target_entity_id = ?1) AND c.is_redacted = 0 ORDER BY c.rid",
        &[&entity.as_str()],
    )
}

/// The last rows of what is believed: whoever compares two moments of one transaction sees how much came between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Of the claims.
    pub claims: i64,
    /// Of the entities.
    pub entities: i64,
    /// Of the changes of claims' states.
    pub states: i64,
}

/// How much was written so far.
///
/// # Errors
/// The database's.
pub fn written(connection: &Connection) -> StoreResult<Written> {
    let sql = "SELECT (SELECT ifnull(max(rid), 0) FROM claims), (SELECT ifnull(max(rid), 0) FROM entities),
                 (SELECT ifnull(max(rid), 0) FROM claim_state_history)";
    let row = |row: &Row<'_>| Ok(Written { claims: row.get(0)?, entities: row.get(1)?, states: row.get(2)? });
    Ok(connection.prepare_cached(sql)?.query_row([], row)?)
}
