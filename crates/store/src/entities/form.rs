//! The names of a database that an older version wrote, in the form that they are compared in by now.

use crate::{StoreResult, candidates};
use rusqlite::Transaction;
use um_model::EpochMs;

/// Has `ß` compared as `ss`. Two that are called alike by it stay two: such a name may mean either of them from now on, as of any two
/// that have one name.
///
/// # Errors
/// SQLite's.
pub(crate) fn renew_form(transaction: &Transaction<'_>, now: EpochMs) -> StoreResult<()> {
    transaction.execute_batch(
        "UPDATE entities SET canonical_name = replace(canonical_name, 'ß', 'ss') WHERE instr(canonical_name, 'ß');
         -- Of several other names of one entity that are the same by now, one is enough: whichever stays counts where one of them did.
         UPDATE entity_aliases AS kept SET removed_at = NULL WHERE removed_at IS NOT NULL AND is_redacted = 0
           AND EXISTS (SELECT 1 FROM entity_aliases o WHERE o.entity_id = kept.entity_id AND o.space_id = kept.space_id
             AND o.is_redacted = 0 AND o.removed_at IS NULL AND instr(o.canonical_alias, 'ß')
             AND replace(o.canonical_alias, 'ß', 'ss') = replace(kept.canonical_alias, 'ß', 'ss'));
         UPDATE OR IGNORE entity_aliases SET canonical_alias = replace(canonical_alias, 'ß', 'ss')
           WHERE instr(canonical_alias, 'ß');",
    )?;
    transaction.execute(
        "UPDATE entity_aliases SET removed_at = ?1 WHERE instr(canonical_alias, 'ß') AND removed_at IS NULL",
        [now],
    )?;
    candidates::renew_form(transaction, now)
}
