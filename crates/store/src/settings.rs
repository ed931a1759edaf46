//! `system_settings`: one row a key.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use um_model::EpochMs;

/// The catalogue id of the model that the database's text vectors were made with.
pub const EMBEDDING_MODEL: &str = "embedding_model_id";
/// Whether rows may be removed for good (spine 7.5); the guards of the schema look at it.
pub const COMPLIANCE_MODE: &str = "compliance_mode";
/// Length of its vectors.
pub const EMBEDDING_DIMENSIONS: &str = "embedding_dimensions";

/// A setting's value.
///
/// # Errors
/// SQLite's.
pub fn get(connection: &Connection, key: &str) -> StoreResult<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT value FROM system_settings WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?)
}

/// Sets a value.
///
/// # Errors
/// SQLite's.
pub fn set(connection: &Connection, key: &str, value: &str, now: EpochMs) -> StoreResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO system_settings (key, value, updated_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
        )?
        .execute(params![key, value, now])?;
    Ok(())
}

/// Takes a setting away.
///
/// # Errors
/// SQLite's.
pub fn remove(connection: &Connection, key: &str) -> StoreResult<()> {
    connection.prepare_cached("DELETE FROM system_settings WHERE key = ?1")?.execute([key])?;
    Ok(())
}
