//! `compiled_contexts`: packs as they were handed out, for a while.

use crate::edges::Use;
use crate::filter::Then;
use crate::{StoreResult, ids::new_id, relations};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use um_model::work::{Briefing, ItemKey, ItemRef, ItemType, PackItem, PackSummary, Part};
use um_model::{AgentId, EpochMs, PackId, SessionId, SpaceId, UnitId};

/// What names something of a pack: ids and fixed words alone, so that it stays where what was said is forgotten.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// How the pack cites it; absent where it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// What it was there as.
    pub part: Part,
    /// What it is.
    #[serde(flatten)]
    pub item: ItemKey,
    /// The passage, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A pack that is kept.
#[derive(Debug)]
pub struct Kept {
    /// The space that it was put together for.
    pub space: SpaceId,
    /// Whom it was handed to.
    pub actor: AgentId,
    /// The session that was worked in.
    pub session: Option<SessionId>,
    /// What it is made of, in the order of the text, and what was left out.
    pub named: Vec<Named>,
    /// Whether something that it said was forgotten.
    pub is_redacted: bool,
    /// How far the clock by which it tells its days is ahead of UTC, in minutes.
    pub utc_offset: i32,
}

/// The passage that an item is, where it is one. Of no other item do its metadata tell that: whoever writes an entry or a resource says what
/// these are, and what a pack names by its id stays where what was said is forgotten.
pub fn unit_of(item: &PackItem) -> Option<UnitId> {
    let metadata = (item.item.item_type == ItemType::Memory).then_some(&item.metadata)?;
    UnitId::parse(metadata.get("unit")?.as_str()?.to_owned()).ok()
}

fn named(pack: &Briefing) -> Vec<Named> {
    let one = |citation: Option<&String>, part: Part, item: &ItemRef, unit: Option<UnitId>| {
        let unit = unit.map(String::from);
        Named { citation: citation.cloned(), part, item: item.key(), unit }
    };
    let packed = pack.items.iter().map(|item| one(Some(&item.citation), item.part, &item.item, unit_of(item)));
    packed.chain(pack.left_out.iter().map(|left| one(None, left.part, &left.item, left.unit.clone()))).collect()
}

/// So many relations are named of a pack at most.
const EDGES: u32 = 500;

/// The relations between items of a pack that hold at a time, and behind them the edges of the graph that its facts are, or were at the
/// time of which it tells: in each the first that were written down.
fn edges(connection: &Connection, pack: &Briefing, at: EpochMs) -> StoreResult<Vec<String>> {
    let items: Vec<[&str; 3]> = pack
        .items
        .iter()
        .map(|item| [item.item.item_type.as_str(), item.item.id.as_str(), item.space_id.as_str()])
        .collect();
    let then = Then { as_of: pack.as_of, known_at: pack.known_at };
    let Use { is_used, carried, from, until } = Use::then(then, "?2", "?4");
    let mut statement = connection.prepare_cached(&format!(
        "WITH packed(item_type, id, space_id) AS (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1))
         SELECT id FROM (
           SELECT 0 AS is_edge, r.rid AS rid, r.id AS id FROM packed p CROSS JOIN item_relations r
             ON r.from_type = p.item_type AND r.from_id = p.id AND +r.space_id = p.space_id
           WHERE EXISTS (SELECT 1 FROM packed o WHERE o.item_type = r.to_type AND o.id = r.to_id)
             AND {}
           UNION SELECT 1, e.rid, e.id FROM packed p CROSS JOIN entity_relationships e ON e.claim_id = p.id {carried}
           WHERE p.item_type = 'claim' AND ({is_used}) AND ifnull({from}, ?2) <= ?2 AND ifnull({until}, ?2 + 1) > ?2)
         ORDER BY is_edge, rid LIMIT ?3",
        relations::holds("r", "?2", "?4")
    ))?;
    // What was so on a day may have been written down later.
    let known_at = pack.known_at.unwrap_or(EpochMs::MAX);
    let rows = statement.query_map(params![serde_json::to_string(&items)?, at, EDGES, known_at], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Keeps a pack until it expires. The same pack, with the same warnings, read from the same spaces and handed to the same one again is kept
/// once, and longer. `overlays` are the spaces beside its own that memories and facts were read from: what is forgotten in one of them is
/// looked for in its question. Its days are told by a clock that is so many minutes ahead of UTC.
///
/// # Errors
/// SQLite's.
pub fn keep(
    connection: &Connection,
    pack: &Briefing,
    actor: &AgentId,
    (overlays, compiler, utc_offset): (&[SpaceId], &str, i32),
    (now, expires): (EpochMs, EpochMs),
) -> StoreResult<PackId> {
    let blocks = serde_json::to_string(&pack.items)?;
    let left_out = serde_json::to_string(&pack.left_out)?;
    let edges = serde_json::to_string(&edges(connection, pack, pack.as_of.unwrap_or(now))?)?;
    let overlays = crate::filter::ids(overlays)?;
    let as_agent = pack.as_agent.as_ref().map(AgentId::as_str);
    let checks = serde_json::to_string(&pack.verification_warnings)?;
    let warnings = serde_json::to_string(&pack.recall_warnings)?;
    let known: Option<String> = connection
        .prepare_cached(
            "SELECT id FROM compiled_contexts WHERE text_hash = ?1 AND actor_id = ?2 AND is_redacted = 0 AND space_id = ?3
               AND session_id IS ?4 AND query IS ?5 AND policy = ?6 AND budget_tokens = ?7 AND counted_by = ?8
               AND blocks = ?9 AND left_out = ?10 AND utc_offset = ?11 AND verification_warnings = ?12 AND recall_warnings = ?13
               AND as_of IS ?14 AND known_at IS ?15 AND as_agent IS ?16 AND overlay_space_ids = ?17
             ORDER BY rid LIMIT 1",
        )?
        .query_row(
            params![
                pack.text_hash,
                actor.as_str(),
                pack.base_space_id.as_str(),
                pack.session_id.as_ref().map(SessionId::as_str),
                pack.query,
                pack.policy.as_str(),
                pack.budget_tokens,
                pack.counted_by.as_str(),
                blocks,
                left_out,
                utc_offset,
                checks,
                warnings,
                pack.as_of,
                pack.known_at,
                as_agent,
                overlays
            ],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(id) = known {
        connection
            .prepare_cached("UPDATE compiled_contexts SET expires_at = ?2, edge_ids = ?3 WHERE id = ?1")?
            .execute(params![id, expires, edges])?;
        return Ok(PackId::parse(id)?);
    }
    let id = new_id(now);
    let ids = |of: ItemType| {
        let items = pack.items.iter().filter(|item| item.item.item_type == of);
        serde_json::to_string(&items.map(|item| &item.item.id).collect::<Vec<_>>())
    };
    connection
        .prepare_cached(
            "INSERT INTO compiled_contexts (id, space_id, actor_id, session_id, query, policy, budget_tokens,
               estimated_tokens, blocks, full_text, text_hash, memory_ids, claim_ids, item_ids, verification_warnings,
               recall_warnings, overlay_space_ids, compiler_config_version, expires_at, created_at, counted_by, left_out, edge_ids,
               utc_offset, as_of, known_at, as_agent)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
               ?23, ?24, ?25, ?26, ?27)",
        )?
        .execute(params![
            id,
            pack.base_space_id.as_str(),
            actor.as_str(),
            pack.session_id.as_ref().map(SessionId::as_str),
            pack.query,
            pack.policy.as_str(),
            pack.budget_tokens,
            pack.estimated_tokens,
            blocks,
            pack.full_text,
            pack.text_hash,
            ids(ItemType::Memory)?,
            ids(ItemType::Claim)?,
            serde_json::to_string(&named(pack))?,
            checks,
            warnings,
            overlays,
            compiler,
            expires,
            now,
            pack.counted_by.as_str(),
            left_out,
            edges,
            utc_offset,
            pack.as_of,
            pack.known_at,
            as_agent
        ])?;
    Ok(PackId::parse(id)?)
}

/// The space of a pack.
///
/// # Errors
/// SQLite's.
pub fn space_of(connection: &Connection, id: &PackId) -> StoreResult<Option<SpaceId>> {
    connection
        .prepare_cached("SELECT space_id FROM compiled_contexts WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get::<_, String>(0))
        .optional()?
        .map(|space| Ok(SpaceId::parse(space)?))
        .transpose()
}

/// A pack that has not expired.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &PackId, now: EpochMs) -> StoreResult<Option<Kept>> {
    type Row = (String, String, Option<String>, String, bool, i32);
    let row: Option<Row> = connection
        .prepare_cached(
            "SELECT space_id, actor_id, session_id, item_ids, is_redacted, utc_offset FROM compiled_contexts
             WHERE id = ?1 AND (expires_at IS NULL OR expires_at > ?2)",
        )?
        .query_row(params![id.as_str(), now], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
        })
        .optional()?;
    let Some((space, actor, session, items, is_redacted, utc_offset)) = row else { return Ok(None) };
    Ok(Some(Kept {
        space: SpaceId::parse(space)?,
        actor: AgentId::parse(actor)?,
        session: session.map(SessionId::parse).transpose()?,
        // Packs of earlier versions name ids alone, which nothing is fetched by.
        named: serde_json::from_str(&items).unwrap_or_default(),
        is_redacted,
        utc_offset,
    }))
}

/// A kept pack as it was handed over, but for how its passages were searched for, and of what is left out that alone which it names; none
/// where it is not kept, or was put together by an earlier version that told its items in another way. Of one that said what was forgotten
/// since, the text is blacked out and nothing else is left.
///
/// # Errors
/// SQLite's.
pub fn handed(connection: &Connection, id: &PackId) -> StoreResult<Option<Briefing>> {
    connection
        .prepare_cached(
            "SELECT p.space_id, p.session_id, p.query, p.policy, ifnull(p.budget_tokens, 0), ifnull(p.estimated_tokens, 0),
               p.counted_by, p.blocks, p.left_out, p.verification_warnings, p.recall_warnings, p.full_text, p.text_hash, p.as_of,
               p.known_at, p.as_agent, g.name
             FROM compiled_contexts p LEFT JOIN agents g ON g.id = p.as_agent WHERE p.id = ?1",
        )?
        .query_and_then([id.as_str()], |row| {
            let text = |at: usize| row.get::<_, String>(at);
            let Ok(items) = serde_json::from_str::<Vec<PackItem>>(&text(7)?) else { return Ok(None) };
            let left_out: Vec<_> = serde_json::from_str(&text(8)?)?;
            Ok(Some(Briefing {
                id: Some(id.clone()),
                base_space_id: SpaceId::parse(text(0)?)?,
                session_id: row.get::<_, Option<String>>(1)?.map(SessionId::parse).transpose()?,
                query: row.get(2)?,
                as_of: row.get(13)?,
                known_at: row.get(14)?,
                as_agent: row.get::<_, Option<String>>(15)?.map(AgentId::parse).transpose()?,
                as_agent_name: row.get(16)?,
                notices: Vec::new(),
                policy: text(3)?.parse()?,
                budget_tokens: row.get(4)?,
                estimated_tokens: row.get(5)?,
                counted_by: text(6)?.parse()?,
                recall: None,
                items,
                left_out_total: u32::try_from(left_out.len()).unwrap_or(u32::MAX),
                left_out,
                verification_warnings: serde_json::from_str(&text(9)?)?,
                recall_warnings: serde_json::from_str(&text(10)?)?,
                full_text: text(11)?,
                text_hash: text(12)?,
            }))
        })?
        .next()
        .transpose()
        .map(Option::flatten)
}

/// Which packs are listed.
#[derive(Debug)]
pub struct Listed<'a> {
    /// Of these spaces.
    pub spaces: &'a [SpaceId],
    /// Only those that were handed to this one.
    pub actor: Option<&'a AgentId>,
    /// Only those that come after this one.
    pub after: Option<&'a PackId>,
}

/// Packs that have not expired, those that were first handed out last before the others.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    which: &Listed<'_>,
    (limit, now): (u32, EpochMs),
) -> StoreResult<Vec<PackSummary>> {
    let Listed { spaces, actor, after } = *which;
    connection
        .prepare_cached(&listing(actor.is_some()))?
        .query_and_then(
            params![crate::filter::ids(spaces)?, actor.map(AgentId::as_str), after.map(PackId::as_str), limit, now],
            |row| {
                let text = |at: usize| row.get::<_, String>(at);
                Ok(PackSummary {
                    id: PackId::parse(text(0)?)?,
                    actor_id: AgentId::parse(text(1)?)?,
                    actor_name: text(2)?,
                    as_agent_name: row.get(3)?,
                    space_id: SpaceId::parse(text(4)?)?,
                    session_id: row.get::<_, Option<String>>(5)?.map(SessionId::parse).transpose()?,
                    query: row.get(6)?,
                    policy: text(7)?.parse()?,
                    as_of: row.get(8)?,
                    known_at: row.get(9)?,
                    budget_tokens: row.get(10)?,
                    estimated_tokens: row.get(11)?,
                    is_redacted: row.get(12)?,
                    created_at: row.get(13)?,
                })
            },
        )?
        .collect()
}

/// The packs that are listed, of the one `?2` or of all: by the number of their row, from the newest on, until there are enough.
fn listing(of_one: bool) -> String {
    let whose = if of_one { "p.actor_id = ?2" } else { "?2 IS NULL" };
    format!(
        "SELECT p.id, p.actor_id, a.name, g.name, p.space_id, p.session_id, p.query, p.policy, p.as_of, p.known_at,
           ifnull(p.budget_tokens, 0), ifnull(p.estimated_tokens, 0), p.is_redacted, p.created_at
         FROM compiled_contexts p CROSS JOIN agents a ON a.id = p.actor_id LEFT JOIN agents g ON g.id = p.as_agent
         WHERE {whose} AND +p.space_id IN (SELECT value FROM json_each(?1))
           AND (?3 IS NULL OR p.rid < (SELECT rid FROM compiled_contexts WHERE id = ?3 AND (?2 IS NULL OR actor_id = ?2)))
           AND ifnull(p.expires_at > ?5, 1)
         ORDER BY p.rid DESC LIMIT ?4"
    )
}

/// Keeps what is kept no longer than until then.
///
/// # Errors
/// SQLite's.
pub fn keep_until(connection: &Connection, at: EpochMs) -> StoreResult<()> {
    connection.prepare_cached("UPDATE compiled_contexts SET expires_at = ?1 WHERE expires_at > ?1")?.execute([at])?;
    Ok(())
}

/// Drops what expired, and of the rest what expires first beyond `of_one` of whoever has more, and beyond `most` of all: what was handed
/// out longest ago. Gives how many packs went.
///
/// # Errors
/// SQLite's.
pub fn expire(connection: &Connection, (most, of_one): (u32, u32), now: EpochMs) -> StoreResult<usize> {
    let expired = connection.prepare_cached("DELETE FROM compiled_contexts WHERE expires_at <= ?1")?.execute([now])?;
    let of_some = connection.prepare_cached(BEYOND_OF_ONE)?.execute([of_one])?;
    Ok(expired + of_some + connection.prepare_cached(BEYOND)?.execute([most])?)
}

/// Drops all but so many packs of each to whom they were handed.
const BEYOND_OF_ONE: &str = "DELETE FROM compiled_contexts WHERE rid IN (
  SELECT rid FROM (
    SELECT rid, row_number() OVER (PARTITION BY actor_id ORDER BY expires_at DESC, rid DESC) AS place
    FROM compiled_contexts WHERE expires_at IS NOT NULL)
  WHERE place > ?1)";

/// Drops all but so many packs.
const BEYOND: &str = "DELETE FROM compiled_contexts WHERE rid IN (
  SELECT rid FROM compiled_contexts WHERE expires_at IS NOT NULL ORDER BY expires_at DESC, rid DESC LIMIT -1 OFFSET ?1)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    /// Keeps a pack for each moment at which it expires, with its number from 1 on, and gives the numbers of those that are left at 2.
    /// Those from `other` on were handed to another one.
    fn left(expire_at: &[EpochMs], most: (u32, u32), other: i64) -> Vec<i64> {
        let db = migrated();
        db.execute("INSERT INTO agents (id, name, agent_type, created_at) VALUES ('other', 'other', 'ai', 1)", [])
            .unwrap();
        for (at, expires) in (1_i64..).zip(expire_at) {
            db.execute(
                "INSERT INTO compiled_contexts (rid, id, space_id, actor_id, blocks, full_text, text_hash,
                   compiler_config_version, expires_at, created_at)
                 VALUES (?1, 'pack ' || ?1, 'GLOBAL', 
                   CASE WHEN ?1 >= ?3 THEN 'other' ELSE (SELECT id FROM agents WHERE id <> 'other' LIMIT 1) END, '[]', '', '', 'packer', ?2, 1)",
                [at, *expires, other],
            )
            .unwrap();
        }
        let went = expire(&db, most, 2).unwrap();
        let mut statement = db.prepare("SELECT rid FROM compiled_contexts ORDER BY rid").unwrap();
        let left: Vec<i64> = statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(went + left.len(), expire_at.len());
        left
    }

    #[test]
    fn of_too_many_packs_those_go_that_were_handed_out_longest_ago() {
        let check = |expire_at: &[EpochMs], most: u32, expected: &[i64]| {
            assert_eq!(left(expire_at, (most, 99), 99), expected, "{expire_at:?}, {most}");
        };
        check(&[1, 2, 3, 4], 9, &[3, 4]);
        check(&[3, 4, 5], 3, &[1, 2, 3]);
        check(&[3, 4, 5], 2, &[2, 3]);
        // The first one was handed out again.
        check(&[9, 4, 5, 6], 2, &[1, 4]);
        check(&[5, 5, 5, 1], 2, &[2, 3]);
    }

    #[test]
    fn who_asks_much_takes_no_room_from_others() {
        let check = |most: (u32, u32), other: i64, expected: &[i64]| {
            assert_eq!(left(&[3, 4, 5, 6, 7], most, other), expected, "{most:?}, {other}");
        };
        check((9, 2), 99, &[4, 5]);
        check((9, 2), 2, &[1, 4, 5]);
        check((9, 2), 4, &[2, 3, 4, 5]);
        check((3, 2), 4, &[3, 4, 5]);
        check((3, 9), 2, &[3, 4, 5]);
    }

    #[test]
    fn packs_are_listed_in_the_order_of_their_rows() {
        for (of_one, begins) in [(true, "SEARCH p USING INDEX idx_contexts_actor (actor_id=?)"), (false, "SCAN p")] {
            let plan = plan(&migrated(), &listing(of_one));
            assert!(plan.starts_with(begins) && !plan.contains("TEMP B-TREE"), "{plan}");
            assert!(plan.contains("SEARCH a USING INDEX") && plan.contains("SEARCH g USING INDEX"), "{plan}");
        }
    }

    #[test]
    fn packs_beyond_are_found_by_an_index() {
        let plan = plan(&migrated(), BEYOND);
        assert!(plan.contains("idx_contexts_expires") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
