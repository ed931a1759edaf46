//! The search for claims, by what they are and by their words.

use super::known::Expressions;
use super::{select, words};
use crate::StoreResult;
use crate::filter::Then;
use crate::fts::{Kind, table};
use rusqlite::{Connection, ToSql};
use um_model::belief::ClaimState;
use um_model::claims::Claim;
use um_model::{ArtifactId, EntityId, EpochMs, SpaceId};

/// What claims are searched by.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Of these spaces.
    pub spaces: Vec<SpaceId>,
    /// An FTS5 MATCH expression.
    pub expression: Option<String>,
    /// About or naming this entity.
    pub entity: Option<EntityId>,
    /// With a quote from this file that was not blacked out.
    pub artifact: Option<ArtifactId>,
    /// Of this predicate.
    pub predicate: Option<String>,
    /// In these states.
    pub states: Vec<ClaimState>,
    /// So at this time, and as was known at that one.
    pub then: Then,
    /// What was so before that time as well.
    pub with_past: bool,
}

/// What claims are filtered by, as the parameters 1 to 6 of a statement.
struct Filter<'a> {
    spaces: String,
    states: String,
    entity: Option<&'a str>,
    predicate: Option<&'a str>,
    as_of: Option<EpochMs>,
    artifact: Option<&'a str>,
    then: Expressions,
    with_past: bool,
}

impl<'a> Filter<'a> {
    fn of(question: &'a Question) -> StoreResult<Self> {
        let known_at = question.then.known_at.map_or_else(|| "NULL".to_owned(), |at| at.to_string());
        Ok(Self {
            spaces: crate::filter::ids(&question.spaces)?,
            states: words(&question.states, ClaimState::as_str)?,
            entity: question.entity.as_ref().map(EntityId::as_str),
            predicate: question.predicate.as_deref(),
            as_of: question.then.as_of,
            artifact: question.artifact.as_ref().map(ArtifactId::as_str),
            then: Expressions::then(question.then, "?5", &known_at),
            with_past: question.with_past,
        })
    }

    /// What is narrower than a space is looked up first, by its own index.
    fn condition(&self, by_words: bool) -> String {
        let narrow = by_words || self.entity.is_some() || self.artifact.is_some();
        let of_predicate = if narrow || self.predicate.is_none() { "1" } else { OF_PREDICATE };
        let narrow = narrow || self.predicate.is_some();
        let space = if narrow { "+c.space_id" } else { "c.space_id" };
        let of_entity = match self.entity {
            Some(_) => {
                "c.rid IN (SELECT rid FROM claims WHERE entity_id = ?3 UNION SELECT rid FROM claims WHERE target_entity_id = ?3)"
            }
            None => "?3 IS NULL",
        };
        let of_artifact = match self.artifact {
            Some(_) => {
                // Of what says less the words stand with what says more.
                "c.id IN (SELECT e.claim_id FROM derived_text_views v
                   JOIN claim_evidence e ON e.derived_text_view_id = v.id WHERE v.artifact_id = ?6 AND e.is_redacted = 0
                   UNION SELECT less.superseded_by_id FROM derived_text_views v
                   JOIN claim_evidence e ON e.derived_text_view_id = v.id JOIN claims less ON less.id = e.claim_id
                   WHERE v.artifact_id = ?6 AND e.is_redacted = 0 AND less.state = 'superseded' AND 'refinement' =
                     (SELECT cause FROM claim_state_history h WHERE h.claim_id = less.id ORDER BY h.rid DESC LIMIT 1))"
            }
            None => "?6 IS NULL",
        };
        let (is_in, Expressions { from, until, .. }) = (self.then.is_in("?2"), &self.then);
        let goes_on = if self.with_past { "1".to_owned() } else { format!("ifnull({until}, ?5 + 1) > ?5") };
        format!(
            "{space} IN (SELECT value FROM json_each(?1)) AND c.is_redacted = 0
               AND {is_in} AND {of_entity} AND {of_artifact} AND {of_predicate}
               AND (?4 IS NULL OR coalesce(r.name, c.attribute_key) = ?4 OR r.inverse_name = ?4)
               AND (?5 IS NULL OR (ifnull({from}, ?5) <= ?5 AND {goes_on}))"
        )
    }

    fn params(&self) -> [&dyn ToSql; 6] {
        [&self.spaces, &self.states, &self.entity, &self.predicate, &self.as_of, &self.artifact]
    }
}

/// By a relation's id, as its name is in no index of claims, or by an attribute.
const OF_PREDICATE: &str = "c.rid IN (SELECT rid FROM claims WHERE space_id IN (SELECT value FROM json_each(?1))
    AND relationship_type_id IN (SELECT id FROM relationship_types WHERE name = ?4 OR inverse_name = ?4)
  UNION SELECT rid FROM claims WHERE space_id IN (SELECT value FROM json_each(?1)) AND attribute_key = ?4)";
const RELATIONS: &str = "LEFT JOIN relationship_types r ON r.id = c.relationship_type_id";

/// The first of the claims that fit, the surest first (with words: those that fit best); they are not counted. Of many that match,
/// those that have the rarest words are ranked (`table::ranked_fitting`).
///
/// # Errors
/// SQLite's.
pub fn first(connection: &Connection, question: &Question, limit: u32) -> StoreResult<Vec<Claim>> {
    let filter = Filter::of(question)?;
    let Some(expression) = &question.expression else {
        let condition = filter.condition(false);
        let order = format!("WHERE {condition} ORDER BY c.confidence DESC, c.rid DESC LIMIT {limit}");
        return select(connection, &order, &filter.params());
    };
    let sql = format!(
        "SELECT c.rid FROM json_each(?7) given CROSS JOIN claims c ON c.rid = given.value {RELATIONS}
         WHERE {} ORDER BY given.key",
        filter.condition(true)
    );
    let fits = |rids: &[i64]| {
        let (given, mut params) = (serde_json::to_string(rids)?, filter.params().to_vec());
        params.push(&given);
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(&params[..], |row| row.get(0))?;
        Ok(rows.collect::<Result<Vec<i64>, _>>()?)
    };
    let mut ranked: Vec<(usize, i64)> = Vec::new();
    for space in &question.spaces {
        let of = (space, Kind::Claims);
        let found = table::ranked_fitting(connection, of, (expression, None), limit as usize, fits)?;
        ranked.extend(found.rids.into_iter().enumerate());
    }
    ranked.sort_unstable();
    ranked.truncate(limit as usize);
    by_rids(connection, ranked)
}

/// Claims by their rids, in this order.
fn by_rids(connection: &Connection, ranked: Vec<(usize, i64)>) -> StoreResult<Vec<Claim>> {
    let rids = serde_json::to_string(&ranked.into_iter().map(|(_, rid)| rid).collect::<Vec<_>>())?;
    select(connection, "JOIN json_each(?1) found ON found.value = c.rid ORDER BY found.key", &[&rids])
}

/// A page of the claims that fit, the surest first (with words: those that fit best), with their number in all.
///
/// # Errors
/// SQLite's.
pub fn search(connection: &Connection, question: &Question, offset: u32, limit: u32) -> StoreResult<(Vec<Claim>, u64)> {
    let filter = Filter::of(question)?;
    if let Some(expression) = &question.expression {
        return matching(connection, question, &filter, expression, (offset, limit));
    }
    let condition = filter.condition(false);
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM claims c {RELATIONS} WHERE {condition}"))?
        .query_row(&filter.params()[..], |row| row.get(0))?;
    let order = format!("WHERE {condition} ORDER BY c.confidence DESC, c.rid DESC LIMIT {limit} OFFSET {offset}");
    Ok((select(connection, &order, &filter.params())?, total))
}

/// Those that match words, best first, over spaces by rank (ruling 4). What does not fit takes no place in the ranking,
/// so that nothing that fits is missed, however many others match better.
fn matching(
    connection: &Connection,
    question: &Question,
    filter: &Filter<'_>,
    expression: &str,
    (offset, limit): (u32, u32),
) -> StoreResult<(Vec<Claim>, u64)> {
    let condition = filter.condition(true);
    let mut params = filter.params().to_vec();
    params.push(&expression);
    let (mut ranked, mut total): (Vec<(usize, i64)>, u64) = (Vec::new(), 0);
    // The page lies within as many of the best of each space as it ends at.
    let wanted = offset as usize + limit as usize;
    for space in &question.spaces {
        let Some(table) = table::find(connection, space, Kind::Claims)? else { continue };
        // Ranked and counted in one go: each match costs a look at its claim.
        let mut statement = connection.prepare_cached(&format!(
            "SELECT c.rid FROM {table} CROSS JOIN claims c ON c.rid = {table}.rowid {RELATIONS}
             WHERE {table} MATCH ?7 AND {condition} ORDER BY bm25({table}), c.rid"
        ))?;
        let mut rows = statement.query(&params[..])?;
        let mut rank = 0;
        while let Some(row) = rows.next()? {
            if rank < wanted {
                ranked.push((rank, row.get(0)?));
            }
            rank += 1;
        }
        total += rank as u64;
    }
    ranked.sort_unstable();
    let page = ranked.into_iter().skip(offset as usize).take(limit as usize).collect();
    Ok((by_rids(connection, page)?, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan};

    #[test]
    fn claims_of_a_predicate_are_looked_up() {
        let db = migrated();
        for (as_of, known_at) in [(None, None), (None, Some(1)), (Some(1), None), (Some(1), Some(1))] {
            let then = Then { as_of, known_at };
            let question = Question { predicate: Some("lives_in".to_owned()), then, ..Question::default() };
            let condition = Filter::of(&question).unwrap().condition(false);
            let sql = format!("SELECT c.rid FROM claims c {RELATIONS} WHERE {condition}");
            let plan = plan(&db, &sql);
            for expected in [
                "SEARCH c USING INTEGER PRIMARY KEY",
                "idx_claims_relation (space_id=? AND relationship_type_id=?)",
                "idx_claims_attribute (space_id=? AND attribute_key=?)",
            ] {
                assert!(plan.contains(expected), "{plan}");
            }
        }
    }
}
