//! What an id of the ledger stands for, as far as that is still there.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension};
use um_model::audit::{AuditThing, AuditThingKind};

/// So many characters of a note's words name it where it has no title.
const HEAD: u32 = 80;

/// Where an id is looked for: what it is, the id that leads there, and its name.
const PLACES: [(AuditThingKind, &str); 6] = [
    (
        AuditThingKind::File,
        "SELECT id, ifnull(original_filename, 'a file') FROM artifacts WHERE id = ?1 AND is_redacted = 0",
    ),
    (
        AuditThingKind::File,
        "SELECT a.id, ifnull(a.original_filename, 'a file') FROM memories m JOIN artifacts a ON a.id = m.primary_artifact_id
         WHERE m.id = ?1 AND a.is_redacted = 0",
    ),
    (
        AuditThingKind::Note,
        "SELECT id, ifnull(title, substr(content, 1, ?2)) FROM memories
         WHERE id = ?1 AND primary_artifact_id IS NULL AND is_redacted = 0 AND ifnull(title, content) IS NOT NULL",
    ),
    (
        AuditThingKind::Entity,
        "SELECT id, name FROM entities WHERE id = ?1 AND is_redacted = 0 AND merged_into IS NULL",
    ),
    (
        AuditThingKind::Claim,
        "SELECT c.entity_id, c.statement FROM claims c JOIN entities e ON e.id = c.entity_id
         WHERE c.id = ?1 AND c.is_redacted = 0 AND e.is_redacted = 0 AND e.merged_into IS NULL",
    ),
    (
        AuditThingKind::Conflict,
        "SELECT k.id, c.statement FROM conflicts k JOIN claims c ON c.id = k.claim_a_id
         WHERE k.id = ?1 AND k.status = 'open' AND c.is_redacted = 0",
    ),
];

/// What has that id, where it is still there and has a name.
///
/// # Errors
/// SQLite's.
pub fn named(connection: &Connection, id: &str) -> StoreResult<Option<AuditThing>> {
    for (kind, sql) in PLACES {
        let sql = sql.replace("?2", &HEAD.to_string());
        let found =
            connection.prepare_cached(&sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        if let Some((id, title)) = found {
            return Ok(Some(AuditThing { kind, id, title }));
        }
    }
    Ok(None)
}
