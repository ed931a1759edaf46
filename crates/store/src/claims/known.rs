//! Claims as of another time: as they were known, by the histories of their state and their time, and as they were believed, by the
//! sources that were in use then (ruling 19).

use crate::filter::Then;
use crate::{StoreResult, evidence};
use rusqlite::{Connection, OptionalExtension, params};
use std::fmt::Display;
use um_model::claims::Claim;

/// Whether the person decided for a claim `c`: against others, or to have it back.
const DECIDED: &str = "(EXISTS (SELECT 1 FROM conflicts k WHERE k.claim_a_id = c.id AND k.status = 'resolved')
    OR EXISTS (SELECT 1 FROM conflicts k WHERE k.claim_b_id = c.id AND k.status = 'resolved')
    OR EXISTS (SELECT 1 FROM claim_state_history h WHERE h.claim_id = c.id AND h.cause = 'user'))";

/// What stands for the state and the time of a claim `c` in a statement.
pub(crate) struct Expressions {
    pub(crate) state: String,
    pub(crate) from: String,
    pub(crate) until: String,
    /// Whether what is retracted may have another state there.
    falls: bool,
}

impl Expressions {
    /// As of another time. As of a day a claim is in the state that it is in, as far as that was known; but what fell with its sources is
    /// in the state that it had until one left that was in use on that day, and what nothing tells the beginning of is in none while
    /// something else stood where its sources stand. The times stand where the parameters of those names are bound; a time that is not
    /// asked for may be null there.
    pub(crate) fn then(then: Then, as_of: &str, known_at: &str) -> Self {
        let known = Self::at(then.known_at.map(|_| known_at));
        if then.as_of.is_none() {
            return known;
        }
        let state = &known.state;
        let last = |column: &str, among: &str| {
            format!(
                "(SELECT h.{column} FROM claim_state_history h WHERE h.claim_id = c.id AND {among} ORDER BY h.rid DESC LIMIT 1)"
            )
        };
        let was_known = format!("h.changed_at <= ifnull({known_at}, h.changed_at)");
        let (cause, fell_from) = (last("cause", &was_known), last("from_state", &was_known));
        // What disputed it once the source had left took its place.
        let before = last("to_state", "h.changed_at < m.status_changed_at");
        let rested = evidence::rested(&format!("ifnull({before}, {fell_from})"), then, as_of, known_at);
        let instead = evidence::came_instead(then, as_of, known_at);
        let from = &known.from;
        let state = format!(
            "CASE WHEN {state} = 'retracted' AND {cause} = 'evidence' THEN ifnull(({rested}), {state})
               WHEN {from} IS NULL AND {instead} AND NOT {DECIDED} THEN NULL ELSE {state} END"
        );
        Self { state, falls: then.known_at.is_none(), ..known }
    }

    /// The condition that a claim `c` is in one of the states of the list that is bound there. What cannot be is left out by the index.
    pub(crate) fn is_in(&self, states: &str) -> String {
        let is_in = format!("{} IN (SELECT value FROM json_each({states}))", self.state);
        match self.falls {
            true => {
                format!("c.state IN (SELECT value FROM json_each({states}) UNION ALL SELECT 'retracted') AND {is_in}")
            }
            false => is_in,
        }
    }

    /// As they are, or as they were known at a time: a number, or the name of a parameter.
    pub(crate) fn at(known_at: Option<impl Display>) -> Self {
        let Some(at) = known_at else {
            let own = |column: &str| format!("c.{column}");
            let end = |own: &str, told: &str| format!("coalesce(c.{own}, c.{told})");
            let (from, until) = (end("valid_from", "told_from"), end("valid_to", "told_to"));
            return Self { state: own("state"), from, until, falls: false };
        };
        // The latest change until then tells; else the first one after it, by what it changed. What another one tells, or
        // that somebody left, was known when that one was.
        let end = |end: &str, told: &str| {
            format!(
                "coalesce((CASE WHEN EXISTS (SELECT 1 FROM claim_window_history w WHERE w.claim_id = c.id AND w.changed_at <= {at})
                   THEN (SELECT w.to_{end} FROM claim_window_history w WHERE w.claim_id = c.id AND w.changed_at <= {at}
                     ORDER BY w.rid DESC LIMIT 1)
                   WHEN EXISTS (SELECT 1 FROM claim_window_history w WHERE w.claim_id = c.id)
                   THEN (SELECT w.from_{end} FROM claim_window_history w WHERE w.claim_id = c.id ORDER BY w.rid LIMIT 1)
                   ELSE c.{end} END),
                   CASE WHEN EXISTS (SELECT 1 FROM claims less WHERE less.superseded_by_id = c.id
                     AND less.{end} = c.{told} AND less.created_at <= {at}) OR EXISTS (SELECT 1 FROM claims gone
                     WHERE gone.entity_id = c.entity_id AND gone.target_entity_id IS c.target_entity_id
                     AND gone.polarity = 'negative' AND '{end}' = 'valid_to' AND gone.valid_from = c.{told}
                     AND gone.created_at <= {at}) THEN c.{told} END)"
            )
        };
        Self {
            state: format!(
                "ifnull((SELECT h.to_state FROM claim_state_history h WHERE h.claim_id = c.id AND h.changed_at <= {at}
                   ORDER BY h.rid DESC LIMIT 1), CASE WHEN c.created_at <= {at} THEN 'draft' END)"
            ),
            from: end("valid_from", "told_from"),
            until: end("valid_to", "told_to"),
            falls: false,
        }
    }
}

/// Gives claims the state and the time that they had then; those that nobody had made yet go, and those in whose place others stood.
///
/// # Errors
/// SQLite's.
pub fn as_then(connection: &Connection, claims: &mut Vec<Claim>, then: Then) -> StoreResult<()> {
    if then.is_now() {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(&one_then(then))?;
    let mut known = Vec::with_capacity(claims.len());
    for mut claim in claims.drain(..) {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?));
        let found = statement.query_row(params![claim.id.as_str(), then.as_of, then.known_at], row).optional()?;
        if let Some((state, from, until)) = found {
            (claim.state, claim.valid_from, claim.valid_to) = (state.parse()?, from, until);
            known.push(claim);
        }
    }
    *claims = known;
    Ok(())
}

/// Reads the state and the time of the claim `?1` as of `?2`, as was known at `?3`.
fn one_then(then: Then) -> String {
    let Expressions { state, from, until, .. } = Expressions::then(then, "?2", "?3");
    format!(
        "SELECT * FROM (SELECT {state} AS state, {from}, {until} FROM claims c WHERE c.id = ?1)
         WHERE state IS NOT NULL"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::{migrated, plan, scanned};

    #[test]
    fn what_a_claim_rested_on_is_looked_up() {
        let db = migrated();
        for known_at in [None, Some(1)] {
            let plan = plan(&db, &one_then(Then { as_of: Some(1), known_at }));
            for expected in [
                "SEARCH e USING INDEX idx_evidence_claim (claim_id=? AND polarity=?",
                "SEARCH m USING INDEX sqlite_autoindex_memories_1 (id=?)",
                "SEARCH h USING INDEX idx_claim_history_claim (claim_id=?",
                "SEARCH h USING INDEX idx_memory_history_memory (memory_id=?",
            ] {
                assert!(plan.contains(expected), "{expected}: {plan}");
            }
            assert!(scanned(&plan).is_empty(), "{plan}");
        }
    }
}
