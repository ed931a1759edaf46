//! How much is asked of a database, as tests count it.

use rusqlite::ffi;
use um_store::Connection;

/// How often the statements that a connection keeps (`prepare_cached`) were run, all together. Those that are prepared for one use are gone
/// with it, and not counted: what is to be counted has to keep its statements.
pub(crate) fn runs(connection: &Connection) -> i32 {
    let mut runs = 0;
    // SAFETY: the handle is that of an open connection, which outlives the walk over its own statements.
    unsafe {
        let mut statement = ffi::sqlite3_next_stmt(connection.handle(), std::ptr::null_mut());
        while !statement.is_null() {
            runs += ffi::sqlite3_stmt_status(statement, ffi::SQLITE_STMTSTATUS_RUN, 0);
            statement = ffi::sqlite3_next_stmt(connection.handle(), statement);
        }
    }
    runs
}
