//! `candidates` of kind `claim`: names in memories that may mean several, held until a person says whom they mean.

use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use um_model::belief::{ClaimCandidate, ExtractionMethod};
use um_model::{AgentId, ArtifactId, CandidateId, EntityId, EpochMs, MemoryId, SpaceId, Utf16Span, ViewId};

/// Why these are held.
const AMBIGUOUS: &str = "ambiguous_name";
/// Of one name in one memory so many claims are held.
const MOST_PROPOSED: usize = 50;

/// A name that may mean several.
#[derive(Debug, Clone)]
pub struct NewHeld<'a> {
    /// The space.
    pub space: &'a SpaceId,
    /// The memory that names it.
    pub memory: &'a MemoryId,
    /// Whose words they are.
    pub actor: &'a AgentId,
    /// The name as it is written.
    pub name: &'a str,
    /// In the form that names are compared in.
    pub canonical: &'a str,
    /// The words that wait for the decision.
    pub quote: &'a str,
    /// Whom it may mean.
    pub choices: &'a [EntityId],
    /// What they would say.
    pub proposed: Proposed,
}

/// A claim that waits for a decision, as an extractor proposed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// The claim.
    pub claim: ClaimCandidate,
    /// The view whose text it was found in; none for the memory's own words.
    pub view: Option<ViewId>,
    /// Who found it.
    pub method: ExtractionMethod,
}

/// `candidates.payload` of a name that may mean several.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Payload {
    memory: MemoryId,
    canonical: String,
    choices: Vec<EntityId>,
    proposed: Vec<Proposed>,
}

/// A name that is or was held.
#[derive(Debug, Clone)]
pub struct Held {
    /// Its id.
    pub id: CandidateId,
    /// Its space.
    pub space: SpaceId,
    /// The memory that names it.
    pub memory: MemoryId,
    /// That memory's file.
    pub artifact: Option<ArtifactId>,
    /// The memory's title or the file's name.
    pub title: Option<String>,
    /// The name as it is written.
    pub name: String,
    /// In the form that names are compared in.
    pub canonical: String,
    /// The words that wait for the decision.
    pub quote: String,
    /// Where they stand.
    pub span: Utf16Span,
    /// The view that they stand in; none for the memory's own words.
    pub view: Option<ViewId>,
    /// Whom it may mean.
    pub choices: Vec<EntityId>,
    /// The claims that wait for it.
    pub proposed: Vec<Proposed>,
    /// `pending`, `approved` or `rejected`.
    pub status: String,
    /// Whom it means, where that was decided.
    pub meant: Option<EntityId>,
    /// When it was held.
    pub created_at: EpochMs,
}

const HELD: &str = "SELECT k.id, k.space_id, k.title, k.content, k.payload, k.status, k.imported_id, k.created_at,
    m.primary_artifact_id, ifnull(m.title, f.original_filename)
  FROM candidates k JOIN memories m ON m.id = json_extract(k.payload, '$.memory')
  LEFT JOIN artifacts f ON f.id = m.primary_artifact_id";

/// Those of some spaces that wait, or that were decided (`?2`): of memories that are in use.
const LISTED: &str = "k.space_id IN (SELECT value FROM json_each(?1)) AND (k.status <> 'pending') = ?2
    AND k.kind = 'claim' AND k.reason = 'ambiguous_name' AND k.is_redacted = 0 AND m.status = 'active'";

fn held(row: &Row<'_>) -> StoreResult<Held> {
    let text = |at: usize| row.get::<_, Option<String>>(at);
    let payload: Payload = serde_json::from_str(&row.get::<_, String>(4)?)?;
    let first = payload.proposed.first();
    Ok(Held {
        id: CandidateId::parse(row.get::<_, String>(0)?)?,
        space: SpaceId::parse(row.get::<_, String>(1)?)?,
        memory: payload.memory,
        artifact: text(8)?.map(ArtifactId::parse).transpose()?,
        title: text(9)?,
        name: text(2)?.unwrap_or_default(),
        canonical: payload.canonical,
        quote: row.get(3)?,
        span: first.map_or(Utf16Span::new(0, 0), |proposed| proposed.claim.quote),
        view: first.and_then(|proposed| proposed.view.clone()),
        choices: payload.choices,
        proposed: payload.proposed,
        status: row.get(5)?,
        meant: text(6)?.map(EntityId::parse).transpose()?,
        created_at: row.get(7)?,
    })
}

/// What makes a name in a memory this one: a memory's words are kept once under an id that never changes.
fn hash(memory: &MemoryId, canonical: &str) -> String {
    use sha2::{Digest, Sha256};
    format!("{:x}", Sha256::digest(format!("{AMBIGUOUS}\0{memory}\0{canonical}")))
}

/// Has the names of an older version found with `ß` as `ss`. Two of one memory that are one name by now become one: what was decided goes
/// before what waits, and of what waits the one that was held first stays. Nothing is left of the other but that it was.
pub(crate) fn renew_form(connection: &Connection, now: EpochMs) -> StoreResult<()> {
    let of_old_form: Vec<i64> = connection
        .prepare(
            "SELECT rid FROM candidates
             WHERE reason = 'ambiguous_name' AND is_redacted = 0 AND instr(payload ->> '$.canonical', 'ß') ORDER BY rid",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for rid in of_old_form {
        let (memory, canonical): (String, String) = connection.query_row(
            "SELECT payload ->> '$.memory', replace(payload ->> '$.canonical', 'ß', 'ss') FROM candidates WHERE rid = ?1",
            [rid],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let hash = hash(&MemoryId::parse(memory)?, &canonical);
        connection.execute(
            "UPDATE candidates SET payload = json_set(payload, '$.canonical', ?2), content_hash = ?3 WHERE rid = ?1",
            params![rid, canonical, hash],
        )?;
        unite(connection, rid, &hash, now)?;
    }
    Ok(())
}

/// Makes one of a name and the other of that hash in its space, where there is one.
fn unite(connection: &Connection, rid: i64, hash: &str, now: EpochMs) -> StoreResult<()> {
    let same: Vec<(i64, String)> = connection
        .prepare_cached(
            "SELECT k.rid, k.payload FROM candidates k JOIN candidates own ON own.rid = ?1 AND own.space_id = k.space_id
             WHERE k.content_hash = ?2 AND k.is_redacted = 0 AND k.reason = 'ambiguous_name'
             ORDER BY k.status = 'pending', k.reviewed_at DESC, k.rid",
        )?
        .query_map(params![rid, hash], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let Some(((kept, payload), others)) = same.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Ok(());
    };
    let mut payload: Payload = serde_json::from_str(payload)?;
    for (other, said) in others {
        let said: Payload = serde_json::from_str(said)?;
        payload.choices.extend(said.choices);
        payload.proposed.extend(said.proposed);
        connection.execute(
            "UPDATE candidates SET title = NULL, content = '[REDACTED]', content_hash = 'redacted:' || id, payload = '{}',
               reason = NULL, is_redacted = 1, redacted_at = ?2 WHERE rid = ?1",
            params![other, now],
        )?;
    }
    once(&mut payload.choices);
    once(&mut payload.proposed);
    payload.proposed.truncate(MOST_PROPOSED);
    connection.execute(
        "UPDATE candidates SET payload = ?2 WHERE rid = ?1",
        params![kept, serde_json::to_string(&payload)?],
    )?;
    Ok(())
}

/// Each once, where it stands first.
fn once<T: PartialEq>(things: &mut Vec<T>) {
    let all = std::mem::take(things);
    all.into_iter().for_each(|one| {
        if !things.contains(&one) {
            things.push(one);
        }
    });
}

/// What is held or was decided of a name in a memory.
///
/// # Errors
/// SQLite's.
pub fn of_name(
    connection: &Connection,
    space: &SpaceId,
    memory: &MemoryId,
    canonical: &str,
) -> StoreResult<Option<Held>> {
    connection
        .prepare_cached(&format!("{HELD} WHERE k.space_id = ?1 AND k.content_hash = ?2 AND k.is_redacted = 0"))?
        .query_row(params![space.as_str(), hash(memory, canonical)], |row| Ok(held(row)))
        .optional()?
        .transpose()
}

/// Holds a name. What is held already gets the further claim, and whom the name may mean by now; what was decided stays.
///
/// # Errors
/// SQLite's.
pub fn hold(connection: &Connection, new: &NewHeld<'_>, now: EpochMs) -> StoreResult<()> {
    let known = of_name(connection, new.space, new.memory, new.canonical)?;
    if known.as_ref().is_some_and(|held| held.status != "pending") {
        return Ok(());
    }
    let mut proposed = known.as_ref().map(|held| held.proposed.clone()).unwrap_or_default();
    if !proposed.contains(&new.proposed) && proposed.len() < MOST_PROPOSED {
        proposed.push(new.proposed.clone());
    }
    let payload = Payload {
        memory: new.memory.clone(),
        canonical: new.canonical.to_owned(),
        choices: new.choices.to_vec(),
        proposed,
    };
    let payload = serde_json::to_string(&payload)?;
    match known {
        Some(held) => connection
            .prepare_cached("UPDATE candidates SET payload = ?2 WHERE id = ?1")?
            .execute(params![held.id.as_str(), payload])?,
        None => connection
            .prepare_cached(
                "INSERT INTO candidates (id, space_id, actor_id, kind, title, content, content_hash, payload, reason,
                   text_view_id, quality, created_at)
                 VALUES (?1, ?2, ?3, 'claim', ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                new_id(now),
                new.space.as_str(),
                new.actor.as_str(),
                new.name,
                new.quote,
                hash(new.memory, new.canonical),
                payload,
                AMBIGUOUS,
                new.proposed.view.as_ref().map(ViewId::as_str),
                new.proposed.claim.confidence.clamp(0.0, 1.0),
                now
            ])?,
    };
    Ok(())
}

/// The one of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &CandidateId) -> StoreResult<Option<Held>> {
    connection
        .prepare_cached(&format!("{HELD} WHERE k.id = ?1 AND k.reason = ?2 AND k.is_redacted = 0"))?
        .query_row([id.as_str(), AMBIGUOUS], |row| Ok(held(row)))
        .optional()?
        .transpose()
}

/// A page of the names that wait in these spaces, the oldest first, or of those that were decided, the latest first; with
/// their number in all.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    spaces: &[SpaceId],
    decided: bool,
    offset: u32,
    limit: u32,
) -> StoreResult<(Vec<Held>, u64)> {
    let spaces = crate::filter::ids(spaces)?;
    let total = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM candidates k JOIN memories m ON m.id = json_extract(k.payload, '$.memory')
             WHERE {LISTED}"
        ))?
        .query_row(params![spaces, decided], |row| row.get(0))?;
    let order = if decided { "k.reviewed_at DESC, k.rid DESC" } else { "k.rid" };
    let page = connection
        .prepare_cached(&format!("{HELD} WHERE {LISTED} ORDER BY {order} LIMIT ?3 OFFSET ?4"))?
        .query_and_then(params![spaces, decided, limit, offset], held)?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}

/// Adds somebody whom those names that wait and are written so may mean as well.
///
/// # Errors
/// SQLite's.
pub fn add_choice(connection: &Connection, space: &SpaceId, canonical: &str, entity: &EntityId) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE candidates SET payload = json_insert(payload, '$.choices[#]', ?3)
             WHERE space_id = ?1 AND json_extract(payload, '$.canonical') = ?2 AND reason = 'ambiguous_name'
               AND status = 'pending' AND is_redacted = 0
               AND NOT EXISTS (SELECT 1 FROM json_each(payload, '$.choices') WHERE value = ?3)",
        )?
        .execute(params![space.as_str(), canonical, entity.as_str()])?;
    Ok(())
}

/// The names that wait and may mean an entity.
///
/// # Errors
/// SQLite's.
pub fn waiting_for(connection: &Connection, space: &SpaceId, entity: &EntityId) -> StoreResult<Vec<Held>> {
    connection
        .prepare_cached(&format!(
            "{HELD} WHERE (k.space_id = ?2 OR ?2 = 'GLOBAL') AND k.status = 'pending' AND k.reason = 'ambiguous_name' AND k.is_redacted = 0
               AND EXISTS (SELECT 1 FROM json_each(k.payload, '$.choices') WHERE value = ?1) ORDER BY k.rid"
        ))?
        .query_and_then([entity.as_str(), space.as_str()], held)?
        .collect()
}

/// The names of a memory that were decided.
///
/// # Errors
/// SQLite's.
pub fn decided_of(connection: &Connection, space: &SpaceId, memory: &MemoryId) -> StoreResult<Vec<Held>> {
    connection
        .prepare_cached(&format!(
            "{HELD} WHERE k.space_id = ?1 AND json_extract(k.payload, '$.memory') = ?2 AND k.status = 'approved'
               AND k.reason = 'ambiguous_name' AND k.is_redacted = 0 ORDER BY k.rid"
        ))?
        .query_and_then([space.as_str(), memory.as_str()], held)?
        .collect()
}

/// Keeps whom a name means, or (`None`) that it means none of those.
///
/// # Errors
/// SQLite's.
pub fn decide(
    connection: &Connection,
    id: &CandidateId,
    meant: Option<&EntityId>,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<()> {
    let status = if meant.is_some() { "approved" } else { "rejected" };
    connection.execute(
        "UPDATE candidates SET status = ?2, imported_id = ?3, reviewed_by = ?4, reviewed_at = ?5 WHERE id = ?1",
        params![id.as_str(), status, meant.map(EntityId::as_str), actor.as_str(), now],
    )?;
    Ok(())
}

/// Lets a name wait again that was decided.
///
/// # Errors
/// SQLite's.
pub fn reopen(connection: &Connection, id: &CandidateId) -> StoreResult<()> {
    connection.execute(
        "UPDATE candidates SET status = 'pending', imported_id = NULL, reviewed_by = NULL, reviewed_at = NULL
         WHERE id = ?1",
        [id.as_str()],
    )?;
    Ok(())
}
