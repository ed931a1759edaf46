//! The changes of a claim's state.

use crate::error::ChangeRefused;
use crate::{StoreResult, ids::new_id};
use rusqlite::{Connection, Row, params};
use um_model::belief::{ClaimState, Needs};
use um_model::claims::{Claim, StateChange};
use um_model::{AgentId, ClaimId, EpochMs};

/// Why a state changes: the words of `claim_state_history.cause`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// Evidence came or went.
    Evidence,
    /// An extractor found it.
    Extraction,
    /// A conflict was found.
    Conflict,
    /// A conflict was decided.
    Resolution,
    /// Another claim stands in its place.
    Supersession,
    /// Another claim tells the same more exactly.
    Refinement,
    /// Somebody said so.
    User,
    /// The change of that id is taken back.
    Undo(String),
}

impl Cause {
    fn parts(&self) -> (&'static str, Option<&str>) {
        match self {
            Self::Evidence => ("evidence", None),
            Self::Extraction => ("extraction", None),
            Self::Conflict => ("conflict", None),
            Self::Resolution => ("resolution", None),
            Self::Supersession => ("supersession", None),
            Self::Refinement => ("refinement", None),
            Self::User => ("user", None),
            Self::Undo(id) => ("undo", Some(id)),
        }
    }
}

/// Refuses a change of state that ruling 25 does not allow. The schema does so too; this says why in types.
fn allowed(connection: &Connection, claim: &ClaimId, to: ClaimState, cause: &Cause) -> StoreResult<()> {
    let (from, supporting, fresh): (String, u32, bool) = connection
        .prepare_cached(
            "SELECT state, supporting_count, state = 'retracted' AND EXISTS (SELECT 1 FROM claim_evidence e
               WHERE e.claim_id = c.id AND e.polarity = 'supporting' AND e.is_redacted = 0 AND e.recorded_at >= (
                 SELECT changed_at FROM claim_state_history h WHERE h.claim_id = c.id ORDER BY h.rid DESC LIMIT 1))
             FROM claims c WHERE id = ?1",
        )?
        .query_row([claim.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let from: ClaimState = from.parse()?;
    let needs = from.may_become(to).ok_or(ChangeRefused::Never { from, to })?;
    let undone = matches!(cause, Cause::Undo(_));
    let missing = match needs {
        Needs::Nothing => false,
        Needs::Support => supporting == 0,
        Needs::NewSupport => supporting == 0 || !(fresh || undone),
        Needs::Undo => supporting == 0 || !undone,
    };
    if missing {
        let needs = if undone { Needs::Support } else { needs };
        return Err(ChangeRefused::Wants { from, to, needs }.into());
    }
    Ok(())
}

/// Moves a claim to another state: the row of history is the change, which the schema carries out. Gives the id of
/// that row.
///
/// # Errors
/// [`ChangeRefused`] where ruling 25 does not allow it; SQLite's.
pub fn set_state(
    connection: &Connection,
    claim: &Claim,
    to: ClaimState,
    cause: &Cause,
    actor: &AgentId,
    now: EpochMs,
) -> StoreResult<String> {
    allowed(connection, &claim.id, to, cause)?;
    let id = new_id(now);
    let (cause, undo_of) = cause.parts();
    connection
        .prepare_cached(
            "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id,
               confidence, changed_at)
             SELECT ?1, space_id, id, state, ?3, ?4, ?5, ?6, confidence, ?7 FROM claims WHERE id = ?2",
        )?
        .execute(params![id, claim.id.as_str(), to.as_str(), cause, undo_of, actor.as_str(), now])?;
    Ok(id)
}

const CHANGE: &str = "SELECT from_state, to_state, cause, actor_id, changed_at, id FROM claim_state_history
    WHERE claim_id = ?1 ORDER BY rid";

fn change(row: &Row<'_>) -> StoreResult<StateChange> {
    Ok(StateChange {
        from: row.get::<_, String>(0)?.parse()?,
        to: row.get::<_, String>(1)?.parse()?,
        cause: row.get(2)?,
        actor_id: AgentId::parse(row.get::<_, String>(3)?)?,
        changed_at: row.get(4)?,
    })
}

/// The latest change of a claim's state, with its id.
///
/// # Errors
/// SQLite's.
pub fn last_change(connection: &Connection, claim: &ClaimId) -> StoreResult<Option<(String, StateChange)>> {
    connection
        .prepare_cached(&format!("{CHANGE} DESC LIMIT 1"))?
        .query_and_then([claim.as_str()], |row| Ok((row.get(5)?, change(row)?)))?
        .next()
        .transpose()
}

/// Each change of a claim's state, the first one first; at most 500.
///
/// # Errors
/// SQLite's.
pub fn history(connection: &Connection, claim: &ClaimId) -> StoreResult<Vec<StateChange>> {
    connection.prepare_cached(&format!("{CHANGE} LIMIT 500"))?.query_and_then([claim.as_str()], change)?.collect()
}
