//! An encrypted database: its key, what tells that it is encrypted, and rewriting it under another key or none.
//! SQLCipher does the encrypting, in builds with the feature `encryption`; without a key it is plain SQLite.

use crate::{StoreError, StoreResult, connection, shared_file};
use rusqlite::{Connection, OptionalExtension};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// Whether this build can open and write encrypted databases.
pub const BUILT_IN: bool = cfg!(feature = "encryption");

/// Bytes of a key.
pub const KEY_BYTES: usize = 32;

/// What every database begins with that is not encrypted. An encrypted one begins with random bytes.
const PLAIN: &[u8; 16] = b"SQLite format 3\0";

/// Rounds of PBKDF2-HMAC-SHA512 from a passphrase to the key of a [`seal`]: about a second on a laptop. SQLCipher's own
/// default is 256,000.
const ROUNDS: i64 = 1_000_000;

/// The key of an encrypted database: random bytes, used as they are. Overwritten in memory when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseKey(Zeroizing<[u8; KEY_BYTES]>);

impl std::fmt::Debug for DatabaseKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DatabaseKey")
    }
}

impl DatabaseKey {
    /// A key of these bytes.
    pub fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The key whose bytes these are; nothing where there are not as many.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::new)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// As SQLCipher takes a key that is not to be derived from a passphrase.
    fn literal(&self) -> Zeroizing<String> {
        let mut literal = Zeroizing::new(String::with_capacity(2 * KEY_BYTES + 3));
        literal.push_str("x'");
        for byte in self.0.iter() {
            // Writing to a String cannot fail.
            let _ = write!(literal, "{byte:02x}");
        }
        literal.push('\'');
        literal
    }
}

/// Whether there is a database that does not begin as a plain one does.
pub fn is_encrypted(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = shared_file::open(path)
        .and_then(|file| shared_file::Reader::new(file).take(PLAIN.len() as u64).read_to_end(&mut start));
    read.is_ok() && !start.is_empty() && start != PLAIN
}

/// Gives a new connection its key, where the database is encrypted.
pub(crate) fn unlock(connection: &Connection, path: &Path, key: Option<&DatabaseKey>) -> StoreResult<()> {
    if !is_encrypted(path) {
        return Ok(());
    }
    check_built_in()?;
    use_key(connection, &key.ok_or(StoreError::KeyNeeded)?.literal())?;
    check_key(connection)
}

fn check_built_in() -> StoreResult<()> {
    if BUILT_IN { Ok(()) } else { Err(StoreError::EncryptionMissing) }
}

fn use_key(connection: &Connection, key: &str) -> StoreResult<()> {
    // SQLCipher writes what it meets to standard error; the error itself says it.
    connection.pragma_update(None, "cipher_log_level", "NONE")?;
    connection.pragma_update(None, "key", key)?;
    Ok(())
}

fn check_key(connection: &Connection) -> StoreResult<()> {
    let first_page = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    first_page.map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => StoreError::WrongKey,
        _ => error.into(),
    })
}

/// Writes the whole of a database into a new file, under another key or none, and compares the two. Nothing may have
/// either open.
///
/// # Errors
/// [`StoreError::EncryptionMissing`]; [`StoreError::Damaged`] where the copy is not what it was made of; SQLite's.
pub fn copy_as(from: (&Path, Option<&DatabaseKey>), to: (&Path, Option<&DatabaseKey>)) -> StoreResult<()> {
    check_built_in()?;
    let source = connection::open_writer(from.0, from.1)?;
    let key = to.1.map(DatabaseKey::literal).unwrap_or_default();
    source.execute("ATTACH DATABASE ?1 AS copy KEY ?2", rusqlite::params![to.0.to_string_lossy(), key.as_str()])?;
    // Whoever is interrupted throws the copy away.
    source.pragma_update(Some("copy"), "journal_mode", "OFF")?;
    source.query_row("SELECT sqlcipher_export('copy')", [], |_| Ok(()))?;
    source.pragma_update(Some("copy"), "user_version", crate::schema_version(&source)?)?;
    source.execute_batch("DETACH DATABASE copy")?;
    let copy = connection::open_writer(to.0, to.1)?;
    check_copy(&source, &copy)
}

fn check_copy(source: &Connection, copy: &Connection) -> StoreResult<()> {
    let differs = |what: &str| StoreError::Damaged(format!("{what} of the copy differs; the original is as it was"));
    let schema =
        "SELECT group_concat(ifnull(sql, name), char(10)) FROM (SELECT * FROM sqlite_schema ORDER BY type, name)";
    let schema_of = |c: &Connection| c.query_row(schema, [], |row| row.get::<_, String>(0));
    if schema_of(source)? != schema_of(copy)? {
        return Err(differs("the schema"));
    }
    let stored = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0";
    let tables: Vec<String> = source.prepare(stored)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for table in tables {
        let rows = format!("SELECT count(*) FROM \"{table}\"");
        let rows_of = |c: &Connection| c.query_row(&rows, [], |row| row.get::<_, i64>(0));
        if rows_of(source)? != rows_of(copy)? {
            return Err(differs(&table));
        }
    }
    let whole: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    let broken = copy.query_row("SELECT 1 FROM pragma_foreign_key_check LIMIT 1", [], |_| Ok(())).optional()?;
    if whole != "ok" || broken.is_some() {
        return Err(differs("the integrity"));
    }
    Ok(())
}

/// How many pages of an encrypted database are not as SQLCipher wrote them.
///
/// # Errors
/// SQLite's.
pub(crate) fn damaged_pages(connection: &Connection) -> StoreResult<u64> {
    let found = connection.prepare("PRAGMA cipher_integrity_check")?.query_map([], |_| Ok(()))?.count();
    Ok(found as u64)
}

/// Writes a key into a new file that a passphrase opens: an encrypted database of one row.
///
/// # Errors
/// [`StoreError::EncryptionMissing`]; SQLite's.
pub fn seal(path: &Path, passphrase: &str, key: &DatabaseKey) -> StoreResult<()> {
    let sealed = open_sealed(path, passphrase)?;
    sealed.execute_batch("CREATE TABLE key (bytes BLOB NOT NULL) STRICT")?;
    sealed.execute("INSERT INTO key VALUES (?1)", [key.bytes()])?;
    Ok(())
}

/// The key in a file that [`seal`] wrote.
///
/// # Errors
/// [`StoreError::WrongKey`] where the passphrase is another one; [`StoreError::EncryptionMissing`]; SQLite's.
pub fn unseal(path: &Path, passphrase: &str) -> StoreResult<DatabaseKey> {
    let sealed = open_sealed(path, passphrase)?;
    check_key(&sealed)?;
    let bytes: Zeroizing<Vec<u8>> =
        sealed.query_row("SELECT bytes FROM key", [], |row| row.get(0).map(Zeroizing::new))?;
    DatabaseKey::of(&bytes).ok_or_else(|| StoreError::Damaged("the key is not as long as keys are".to_owned()))
}

fn open_sealed(path: &Path, passphrase: &str) -> StoreResult<Connection> {
    check_built_in()?;
    let sealed = Connection::open(path)?;
    use_key(&sealed, passphrase)?;
    sealed.pragma_update(None, "kdf_iter", ROUNDS)?;
    Ok(sealed)
}
