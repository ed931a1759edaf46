//! `verification_records`: how items came out when they were checked. The one of the latest time counts, of one time the one that was
//! written last.

use crate::rejected::{Checked, Said, Says};
use crate::{StoreResult, ids::new_id, items};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::work::{ItemKey, ItemRef, Verification, VerificationChecker, VerificationStatus};
use um_model::{AgentId, EpochMs, SpaceId, VerificationId};

/// A check that is to be written down.
#[derive(Debug)]
pub struct NewCheck<'a> {
    /// The space that the item lies in.
    pub space: &'a SpaceId,
    /// What was checked.
    pub item: &'a ItemKey,
    /// How it came out.
    pub status: VerificationStatus,
    /// Who or what checked.
    pub checker: VerificationChecker,
    /// What was found.
    pub detail: Option<&'a str>,
    /// Who writes it down.
    pub actor: &'a AgentId,
    /// When it was checked.
    pub checked_at: EpochMs,
}

impl Says for NewCheck<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        self.detail.iter().for_each(|words| tell(Said::Text(words)));
    }
}

/// Writes a check down. Gives its id, and whether it is new: what somebody wrote down already is not written again.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    new: &Checked<NewCheck<'_>>,
    now: EpochMs,
) -> StoreResult<(VerificationId, bool)> {
    let (item_type, status, checker) = (new.item.item_type.as_str(), new.status.as_str(), new.checker.as_str());
    let actor = new.actor.as_str();
    let known: Option<String> = connection
        .prepare_cached(
            "SELECT id FROM verification_records
             WHERE target_type = ?1 AND target_id = ?2 AND checked_at = ?3 AND status = ?4 AND checker = ?5
               AND detail IS ?6 AND actor_id = ?7 AND is_redacted = 0 ORDER BY rid LIMIT 1",
        )?
        .query_row(params![item_type, new.item.id, new.checked_at, status, checker, new.detail, actor], |row| {
            row.get(0)
        })
        .optional()?;
    if let Some(known) = known {
        return Ok((VerificationId::parse(known)?, false));
    }
    let id = new_id(now);
    connection
        .prepare_cached(
            "INSERT INTO verification_records (id, space_id, target_type, target_id, status, checker, detail, actor_id,
               checked_at, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            id,
            new.space.as_str(),
            item_type,
            new.item.id,
            status,
            checker,
            new.detail,
            actor,
            new.checked_at,
            now
        ])?;
    Ok((VerificationId::parse(id)?, true))
}

const SELECT: &str = "SELECT t.id, t.space_id, t.target_type, t.target_id, t.status, t.checker, t.detail, t.actor_id,
    g.name, t.checked_at, t.created_at
  FROM verification_records t LEFT JOIN agents g ON g.id = t.actor_id";

/// A check with what its item is called, which may have been blacked out since.
fn verification(connection: &Connection, row: &Row<'_>) -> StoreResult<Verification> {
    let text = |at: usize| row.get::<_, String>(at);
    let space_id = SpaceId::parse(text(1)?)?;
    let key = ItemKey { item_type: text(2)?.parse()?, id: text(3)? };
    let item = items::by_key(connection, &key)?.unwrap_or_else(|| ItemRef {
        item_type: key.item_type,
        id: key.id,
        space_id: space_id.clone(),
        title: String::new(),
    });
    Ok(Verification {
        id: VerificationId::parse(text(0)?)?,
        space_id,
        item,
        status: text(4)?.parse()?,
        checker: text(5)?.parse()?,
        detail: row.get(6)?,
        actor_id: row.get::<_, Option<String>>(7)?.map(AgentId::parse).transpose()?,
        actor: row.get(8)?,
        checked_at: row.get(9)?,
        created_at: row.get(10)?,
    })
}

/// One by its id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &VerificationId) -> StoreResult<Option<Verification>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE t.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(verification(connection, row)))
        .optional()?
        .transpose()
}

/// Which checks are listed.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// Of items in these spaces.
    pub spaces: &'a [SpaceId],
    /// Of this item.
    pub item: Option<&'a ItemKey>,
    /// That came out so; all where empty.
    pub statuses: &'a [VerificationStatus],
    /// The last one of each item.
    pub latest: bool,
}

/// A page of checks, the latest first, with their number in all. Those of an item are all there, also where what one said was
/// forgotten: how it came out still counts.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    wanted: &Wanted<'_>,
    (offset, limit): (u32, u32),
) -> StoreResult<(Vec<Verification>, u64)> {
    let spaces = crate::filter::ids(wanted.spaces)?;
    let statuses = serde_json::to_string(wanted.statuses)?;
    // Those of an item are found by it, others by their space.
    let (space, of_item) = match wanted.item {
        Some(_) => ("+t.space_id", "t.target_type = ?2 AND t.target_id = ?3"),
        None => ("t.space_id", "?2 IS NULL AND ?3 IS NULL AND t.is_redacted = 0"),
    };
    let counts = match wanted.latest {
        true => {
            "NOT EXISTS (SELECT 1 FROM verification_records l WHERE l.target_type = t.target_type
               AND l.target_id = t.target_id AND (l.checked_at, l.rid) > (t.checked_at, t.rid))"
        }
        false => "1",
    };
    let listed = format!(
        "WHERE {space} IN (SELECT value FROM json_each(?1)) AND {of_item}
           AND (?4 = '[]' OR t.status IN (SELECT value FROM json_each(?4))) AND {counts}"
    );
    let of = (wanted.item.map(|item| item.item_type.as_str()), wanted.item.map(|item| &item.id));
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM verification_records t {listed}"))?
        .query_row(params![spaces, of.0, of.1, statuses], |row| row.get(0))?;
    let page = connection
        .prepare_cached(&format!("{SELECT} {listed} ORDER BY t.checked_at DESC, t.rid DESC LIMIT ?5 OFFSET ?6"))?
        .query_and_then(params![spaces, of.0, of.1, statuses, limit, offset], |row| verification(connection, row))?
        .collect::<StoreResult<_>>()?;
    Ok((page, total))
}

/// The last check of an item.
#[derive(Debug)]
pub struct LastCheck {
    /// How it came out.
    pub status: VerificationStatus,
    /// Who or what checked it.
    pub checker: VerificationChecker,
    /// What was found.
    pub detail: Option<String>,
    /// When.
    pub checked_at: EpochMs,
}

/// How an item was checked last, where that was not passed.
///
/// # Errors
/// SQLite's.
pub fn not_passed(connection: &Connection, item: &ItemRef) -> StoreResult<Option<LastCheck>> {
    let read = |row: &Row<'_>| -> StoreResult<LastCheck> {
        Ok(LastCheck {
            status: row.get::<_, String>(0)?.parse()?,
            checker: row.get::<_, String>(1)?.parse()?,
            detail: row.get(2)?,
            checked_at: row.get(3)?,
        })
    };
    let last = connection
        .prepare_cached(
            "SELECT status, checker, detail, checked_at FROM verification_records
             WHERE target_type = ?1 AND target_id = ?2 AND +space_id = ?3
             ORDER BY checked_at DESC, rid DESC LIMIT 1",
        )?
        .query_row(params![item.item_type.as_str(), item.id, item.space_id.as_str()], |row| Ok(read(row)))
        .optional()?
        .transpose()?;
    Ok(last.filter(|last| last.status != VerificationStatus::Passed))
}
