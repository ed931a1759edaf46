//! `entity_relationships`: the graph that asserted claims carry.

use crate::claims::known::Expressions;
use crate::filter::Then;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, Row, params};
use um_model::claims::{Claim, ClaimObject, Direction, Edge, EntityRef};
use um_model::{ClaimId, EntityId, EpochMs, SpaceId};

/// Puts the edge of a relationship claim in place, or back in place. Does nothing for other claims.
///
/// # Errors
/// Another active edge in the slot; a claim that is not asserted; SQLite's.
pub fn activate(connection: &Connection, claim: &Claim, now: EpochMs) -> StoreResult<()> {
    let ClaimObject::Entity(object) = &claim.object else { return Ok(()) };
    let attributes = serde_json::to_string(&claim.qualifiers)?;
    let restored = connection
        .prepare_cached(
            "UPDATE entity_relationships SET is_active = 1, deactivated_at = NULL, confidence = ?2, attributes = ?3,
               valid_from = ?4, valid_to = ?5
             WHERE claim_id = ?1 AND is_redacted = 0 AND source_entity_id = ?6 AND target_entity_id = ?7",
        )?
        .execute(params![
            claim.id.as_str(),
            claim.confidence,
            attributes,
            claim.valid_from,
            claim.valid_to,
            claim.subject.id.as_str(),
            object.id.as_str()
        ])?;
    if restored == 0 {
        connection
            .prepare_cached(
                "INSERT INTO entity_relationships (id, source_entity_id, target_entity_id, relationship_type_id, claim_id,
                   space_id, confidence, attributes, valid_from, valid_to, created_at)
                 SELECT ?1, entity_id, target_entity_id, relationship_type_id, id, space_id, ?3, ?4, ?5, ?6, ?7
                 FROM claims WHERE id = ?2",
            )?
            .execute(params![
                new_id(now),
                claim.id.as_str(),
                claim.confidence,
                attributes,
                claim.valid_from,
                claim.valid_to,
                now
            ])?;
    }
    Ok(())
}

/// Takes a claim's edge out of the graph.
///
/// # Errors
/// SQLite's.
pub fn deactivate(connection: &Connection, claim: &ClaimId, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "UPDATE entity_relationships SET is_active = 0, deactivated_at = ?2 WHERE claim_id = ?1 AND is_active = 1",
        )?
        .execute(params![claim.as_str(), now])?;
    Ok(())
}

/// The claims that want one slot of the graph, the surest first, then the newest: affirmed, asserted, sure
/// enough, of the same two entities and relation (ruling 30).
///
/// # Errors
/// SQLite's.
pub fn contenders(
    connection: &Connection,
    space: &SpaceId,
    source: &EntityId,
    target: &EntityId,
    relation: &str,
    threshold: f64,
) -> StoreResult<Vec<ClaimId>> {
    connection
        .prepare_cached(
            // The pluses keep SQLite from going through all claims of the space.
            "SELECT c.id FROM claims c
             WHERE +c.space_id = ?1 AND c.entity_id = ?2 AND c.target_entity_id = ?3
               AND c.relationship_type_id IN (SELECT id FROM relationship_types WHERE name = ?4)
               AND +c.state = 'asserted' AND c.polarity = 'positive' AND c.is_redacted = 0 AND c.confidence >= ?5
             ORDER BY c.confidence DESC, c.rid DESC",
        )?
        .query_and_then(params![space.as_str(), source.as_str(), target.as_str(), relation, threshold], |row| {
            Ok(ClaimId::parse(row.get::<_, String>(0)?)?)
        })?
        .collect()
}

/// The claim whose edge is in a slot of the graph.
///
/// # Errors
/// SQLite's.
pub fn holder(
    connection: &Connection,
    space: &SpaceId,
    source: &EntityId,
    target: &EntityId,
    relation: &str,
) -> StoreResult<Option<ClaimId>> {
    use rusqlite::OptionalExtension;
    connection
        .prepare_cached(
            "SELECT e.claim_id FROM entity_relationships e
             WHERE e.space_id = ?1 AND e.source_entity_id = ?2 AND e.target_entity_id = ?3 AND e.is_active = 1
               AND e.relationship_type_id IN (SELECT id FROM relationship_types WHERE name = ?4)",
        )?
        .query_row(params![space.as_str(), source.as_str(), target.as_str(), relation], |row| row.get::<_, String>(0))
        .optional()?
        .map(|id| Ok(ClaimId::parse(id)?))
        .transpose()
}

const EDGE: &str =
    "s.id, s.name, s.entity_type, r.name, t.id, t.name, t.entity_type, e.claim_id, e.confidence, e.attributes";

/// What an edge is in use by, and its time: as they are, or as of another time.
pub(crate) struct Use {
    /// Of edges `e`.
    pub(crate) is_used: String,
    /// A join of the claims `c` that carry them, where those tell.
    pub(crate) carried: &'static str,
    pub(crate) from: String,
    pub(crate) until: String,
}

impl Use {
    /// The times are numbers or the names of parameters; one that is not asked for may be null there.
    pub(crate) fn then(then: Then, as_of: &str, known_at: &str) -> Self {
        if then.is_now() {
            let (from, until) = ("e.valid_from".to_owned(), "e.valid_to".to_owned());
            return Self { is_used: "e.is_active = 1".to_owned(), carried: "", from, until };
        }
        let Expressions { state, from, until, .. } = Expressions::then(then, as_of, known_at);
        // A row of the graph stays where its claim is no longer believed; it is there since it was first. As far as nobody asks what was
        // known, a row that is in use tells for what is believed, unless other words stood in its place then.
        let is_used = match then.known_at {
            Some(_) => format!("e.created_at <= {known_at} AND e.is_redacted = 0 AND {state} = 'asserted'"),
            None => {
                format!(
                    "CASE e.is_active WHEN 1 THEN {state} IS NOT NULL
                       ELSE e.is_redacted = 0 AND c.state = 'retracted' AND {state} = 'asserted' END"
                )
            }
        };
        Self { is_used, carried: "JOIN claims c ON c.id = e.claim_id", from, until }
    }
}

fn edge(row: &Row<'_>, depth: u32) -> StoreResult<Edge> {
    let reference = |at: usize| -> StoreResult<EntityRef> {
        Ok(EntityRef {
            id: EntityId::parse(row.get::<_, String>(at)?)?,
            name: row.get(at + 1)?,
            entity_type: row.get::<_, String>(at + 2)?.parse()?,
        })
    };
    Ok(Edge {
        source: reference(0)?,
        relation: row.get(3)?,
        target: reference(4)?,
        claim_id: ClaimId::parse(row.get::<_, String>(7)?)?,
        confidence: row.get(8)?,
        attributes: serde_json::from_str(&row.get::<_, String>(9)?)?,
        valid_from: row.get(10)?,
        valid_to: row.get(11)?,
        depth,
    })
}

/// Which edges a walk may use.
#[derive(Debug, Clone, Default)]
pub struct EdgeFilter {
    /// Of these spaces.
    pub spaces: Vec<SpaceId>,
    /// Which way.
    pub direction: Direction,
    /// Of these relations, by their canonical names; all where this and `turned` are empty.
    pub relations: Vec<String>,
    /// Of these relations the other way round: out is against them, in along them.
    pub turned: Vec<String>,
    /// So at this time, and as was known at that one: carried by what was believed then, with the time that it was known with.
    pub then: Then,
}

/// The edges in use at those entities, now or as of another time, the surest first; `depth` is written into them. One step of a
/// walk, whatever the number of entities.
///
/// # Errors
/// SQLite's.
pub fn at(
    connection: &Connection,
    entities: &[EntityId],
    filter: &EdgeFilter,
    depth: u32,
    limit: u32,
) -> StoreResult<Vec<Edge>> {
    let ids = serde_json::to_string(&entities.iter().map(EntityId::as_str).collect::<Vec<_>>())?;
    let spaces = crate::filter::ids(&filter.spaces)?;
    let relations = serde_json::to_string(&filter.relations)?;
    let turned = serde_json::to_string(&filter.turned)?;
    const SOURCE: &str = "source_entity_id";
    const TARGET: &str = "target_entity_id";
    let (along, against): (&[&str], &[&str]) = match filter.direction {
        Direction::Out => (&[SOURCE], &[TARGET]),
        Direction::In => (&[TARGET], &[SOURCE]),
        Direction::Both => (&[SOURCE, TARGET], &[SOURCE, TARGET]),
    };
    let known_at = filter.then.known_at.map_or_else(|| "NULL".to_owned(), |at| at.to_string());
    let Use { is_used, carried, from, until } = Use::then(filter.then, "?4", &known_at);
    let side = |column: &&str| {
        format!(
            "SELECT e.rid FROM entity_relationships e {carried}
             WHERE e.{column} IN (SELECT value FROM json_each(?1)) AND {is_used}"
        )
    };
    let mut sides: Vec<String> = along.iter().map(side).collect();
    if !filter.turned.is_empty() {
        sides.extend(against.iter().map(side));
    }
    let here = |columns: &[&str]| {
        let at = |column: &&str| format!("e.{column} IN (SELECT value FROM json_each(?1))");
        columns.iter().map(at).collect::<Vec<_>>().join(" OR ")
    };
    connection
        .prepare_cached(&format!(
            "SELECT {EDGE}, {from}, {until} FROM entity_relationships e {carried} JOIN entities s ON s.id = e.source_entity_id
             JOIN entities t ON t.id = e.target_entity_id JOIN relationship_types r ON r.id = e.relationship_type_id
             WHERE e.rid IN ({}) AND +e.space_id IN (SELECT value FROM json_each(?2))
               AND ((?3 = '[]' AND ?6 = '[]')
                 OR (r.name IN (SELECT value FROM json_each(?3)) AND ({}))
                 OR (r.name IN (SELECT value FROM json_each(?6)) AND ({})))
               AND (?4 IS NULL OR (ifnull({from}, ?4) <= ?4 AND ifnull({until}, ?4 + 1) > ?4))
             ORDER BY e.confidence DESC, e.rid LIMIT ?5",
            sides.join(" UNION "),
            here(along),
            here(against)
        ))?
        .query_and_then(params![ids, spaces, relations, filter.then.as_of, limit, turned], |row| edge(row, depth))?
        .collect()
}
