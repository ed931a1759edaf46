//! Claims as they were known at an earlier time, by the histories of their state and their time (ruling 19).

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use std::fmt::Display;
use um_model::EpochMs;
use um_model::claims::Claim;

/// What stands for the state and the time of a claim `c` in a statement.
pub(crate) struct Expressions {
    pub(crate) state: String,
    pub(crate) from: String,
    pub(crate) until: String,
}

impl Expressions {
    /// As they are, or as they were known at a time: a number, or the name of a parameter.
    pub(crate) fn at(known_at: Option<impl Display>) -> Self {
        let Some(at) = known_at else {
            let own = |column: &str| format!("c.{column}");
            let end = |own: &str, told: &str| format!("coalesce(c.{own}, c.{told})");
            let (from, until) = (end("valid_from", "told_from"), end("valid_to", "told_to"));
            return Self { state: own("state"), from, until };
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
        }
    }
}

/// Gives claims the state and the time that they were known with at a time; those that nobody had made yet go.
///
/// # Errors
/// SQLite's.
pub fn as_known(connection: &Connection, claims: &mut Vec<Claim>, at: EpochMs) -> StoreResult<()> {
    let Expressions { state, from, until } = Expressions::at(Some(at));
    let sql = format!("SELECT {state}, {from}, {until} FROM claims c WHERE c.id = ?1 AND {state} IS NOT NULL");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut known = Vec::with_capacity(claims.len());
    for mut claim in claims.drain(..) {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?));
        if let Some((state, from, until)) = statement.query_row(params![claim.id.as_str()], row).optional()? {
            (claim.state, claim.valid_from, claim.valid_to) = (state.parse()?, from, until);
            known.push(claim);
        }
    }
    *claims = known;
    Ok(())
}
