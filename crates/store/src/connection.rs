//! Opening connections, with the pragmas that every one of them needs.

use crate::StoreResult;
use crate::cipher::{self, DatabaseKey};
use crate::keyed::Key;
use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once};
use um_model::JobKind;

/// So long a connection waits for a lock.
pub(crate) const BUSY: std::time::Duration = std::time::Duration::from_secs(5);

/// So many statements stay prepared. Each space has tables of its own, of which a question asks up to six statements: those of 300 spaces stay,
/// in some 3 MB. To compile them anew takes four times as long as to run them.
const PREPARED: usize = 2_048;

static REGISTER: Once = Once::new();

/// Makes `vec0` known to every connection that this process opens from now on.
pub fn register_sqlite_vec() {
    REGISTER.call_once(|| {
        type Init = unsafe extern "C" fn(
            *mut rusqlite::ffi::sqlite3,
            *mut *mut std::os::raw::c_char,
            *const rusqlite::ffi::sqlite3_api_routines,
        ) -> std::os::raw::c_int;
        // SAFETY: sqlite3_vec_init is SQLite's extension entry point; the crate declares it without its
        // parameters, and its C definition has exactly those of `Init`. sqlite3_auto_extension only keeps
        // the pointer, which points to code and so stays valid for the life of the process.
        unsafe {
            let init = std::mem::transmute::<*const (), Init>(sqlite_vec::sqlite3_vec_init as *const ());
            rusqlite::ffi::sqlite3_auto_extension(Some(init));
        }
    });
}

/// The write connection.
pub(crate) fn open_writer(path: &Path, key: Option<&DatabaseKey>) -> StoreResult<Connection> {
    register_sqlite_vec();
    let connection = Connection::open(path)?;
    cipher::unlock(&connection, path, key)?;
    // WAL is a property of the file; the rest belongs to the connection.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // NORMAL survives the death of the process; forgetting switches to FULL (ruling 9).
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "secure_delete", "ON")?;
    // No more than holds the upper pages of all trees: each commit goes through the whole of it. While SQLite balances a tree a page
    // has a number past the end of the database, and what lies past the end is looked for in the cache.
    connection.pragma_update(None, "cache_size", if key.is_some() { -32_000 } else { -8_000 })?;
    common(&connection)?;
    Ok(connection)
}

/// Has the kind of every job that a statement makes wait for a worker noted, as a bit of `queued`, so that none has to be remembered.
pub(crate) fn note_queued(writer: &Connection, queued: &Arc<AtomicU32>) -> StoreResult<()> {
    let queued = queued.clone();
    writer.create_scalar_function("note_queued", 1, FunctionFlags::SQLITE_UTF8, move |of| {
        let kind: Option<JobKind> = of.get_raw(0).as_str()?.parse().ok();
        queued.fetch_or(kind.map_or(0, |kind| 1 << kind as u32), Ordering::Relaxed);
        Ok(rusqlite::types::Null)
    })?;
    writer.execute_batch(
        "CREATE TEMP TRIGGER jobs_queued_insert AFTER INSERT ON main.jobs WHEN NEW.status = 'pending'
         BEGIN SELECT note_queued(NEW.kind); END;
         CREATE TEMP TRIGGER jobs_queued_update AFTER UPDATE OF status ON main.jobs
         WHEN NEW.status = 'pending' AND OLD.status <> 'pending'
         BEGIN SELECT note_queued(NEW.kind); END;",
    )?;
    Ok(())
}

/// Lets the connection's own statements, and nothing that stands in the database, make hashes under the key:
/// `keyed_hash(kind, value)`, see [`Key::hmac`].
pub(crate) fn hash_under(connection: &Connection, key: &Key) -> StoreResult<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    let key = key.clone();
    connection.create_scalar_function("keyed_hash", 2, flags, move |of| {
        Ok(key.hmac(of.get_raw(0).as_str()?, of.get_raw(1).as_str()?))
    })?;
    Ok(())
}

/// One that copies the write-ahead log into the database, and nothing else.
pub(crate) fn open_copier(path: &Path, key: Option<&DatabaseKey>) -> StoreResult<Connection> {
    register_sqlite_vec();
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    cipher::unlock(&connection, path, key)?;
    register_functions(&connection)?;
    Ok(connection)
}

/// A read-only connection.
pub(crate) fn open_reader(path: &Path, key: Option<&DatabaseKey>) -> StoreResult<Connection> {
    register_sqlite_vec();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    cipher::unlock(&connection, path, key)?;
    connection.pragma_update(None, "query_only", "ON")?;
    // An encrypted page that is not in the cache is decrypted anew, and a recall reads every vector of its spaces.
    connection.pragma_update(None, "cache_size", if key.is_some() { -128_000 } else { -16_000 })?;
    common(&connection)?;
    Ok(connection)
}

/// Adds what the product's own SQL calls: `folded_name(text)`, by which names are compared in SQL as everywhere else, as SQLite's
/// `lower` knows ASCII alone, `found_name(text)`, the form in which names are looked for, `mail_sender(text)`, who a mail is from, in that
/// form, and `sha256_hex(text)`, the hash by which events are found; of what is no text, NULL.
///
/// # Errors
/// SQLite's.
pub fn register_functions(connection: &Connection) -> StoreResult<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("folded_name", 1, flags, |of| {
        Ok(of.get_raw(0).as_str_or_null().ok().flatten().map(crate::pairing::folded))
    })?;
    connection.create_scalar_function("found_name", 1, flags, |of| {
        Ok(of.get_raw(0).as_str_or_null().ok().flatten().map(crate::filter::found))
    })?;
    connection.create_scalar_function("mail_sender", 1, flags, |of| {
        let sender = of.get_raw(0).as_bytes_or_null().ok().flatten().map(crate::mail::beginning);
        Ok(sender.and_then(crate::mail::sender).map(|sender| crate::filter::found(&sender)))
    })?;
    connection.create_scalar_function("sha256_hex", 1, flags, |of| {
        Ok(of.get_raw(0).as_str_or_null().ok().flatten().map(crate::events::sha256_hex))
    })?;
    crate::codes::register_none(connection)
}

fn common(connection: &Connection) -> StoreResult<()> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // Without it INSERT OR REPLACE slips past delete triggers (ruling 1).
    connection.pragma_update(None, "recursive_triggers", "ON")?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(PREPARED);
    register_functions(connection)?;
    // Otherwise a statement that SQLite compares with a partial index is compiled anew each time it is bound.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Admitted;
    use crate::{fts, spaces};
    use rusqlite::hooks::{AuthContext, Authorization};
    use std::sync::atomic::AtomicUsize;
    use um_model::{AgentId, SpaceId, SpaceType};

    /// What a question asks of the tables of a space.
    fn ask(connection: &Connection, space: &SpaceId) {
        let names = ["ana", "ben"].map(str::to_owned);
        assert!(fts::any_beginning_with(connection, space, &names).unwrap());
        assert_eq!(fts::beginning_with(connection, space, "ana", 20).unwrap().len(), 1);
        let found = fts::search(connection, space, "\"ferry\" OR \"noon\"", &Admitted::All, 75).unwrap();
        assert_eq!(found.len(), 1);
        assert!(!fts::any(connection, space, "\"tram\"", &Admitted::All).unwrap());
        let rids: Vec<i64> = found.iter().map(|(rid, _)| *rid).collect();
        assert_eq!(fts::texts(connection, space, &rids).unwrap().len(), 1);
    }

    #[test]
    fn what_is_asked_of_each_of_300_spaces_stays_prepared() {
        let mut connection = crate::migrate::migrated();
        common(&connection).unwrap();
        let made: Vec<SpaceId> = (0..300)
            .map(|number| {
                let name = format!("space {number}");
                let space = spaces::insert(&connection, &name, SpaceType::Project, None, &AgentId::owner(), 1).unwrap();
                let table = fts::table(&connection, &space).unwrap().unwrap();
                let unit = fts::Indexed { unit_rid: number, text: "Ana: The ferry leaves.", heading: "", title: "" };
                fts::insert(&connection, &table, &[unit]).unwrap();
                space
            })
            .collect();
        let compiled = Arc::new(AtomicUsize::new(0));
        let counted = compiled.clone();
        // It is asked of each table and column as a statement is compiled, and of nothing as that runs.
        let count = move |_: AuthContext<'_>| {
            counted.fetch_add(1, Ordering::Relaxed);
            Authorization::Allow
        };
        connection.authorizer(Some(count)).unwrap();
        let ask_all = || {
            made.iter().for_each(|space| ask(&connection, space));
            compiled.swap(0, Ordering::Relaxed)
        };
        assert!(ask_all() > 300);
        assert_eq!(ask_all(), 0);
    }
}
