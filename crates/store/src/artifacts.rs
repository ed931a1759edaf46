//! `artifacts`: files as they came in.

use crate::StoreResult;
use crate::ids::{has_part, new_id};
use crate::rejected::{Checked, Said, Says};
use rusqlite::{Connection, OptionalExtension, Row, params};
use um_model::capture::{Artifact, ArtifactOrder, ArtifactsList};
use um_model::{AgentId, ArtifactId, EpochMs, Modality, SpaceId};

const COLUMNS: &str = "a.id, a.space_id, a.actor_id, a.content_hash, a.original_filename, a.mime_type, a.modality,
  a.byte_size, a.source_path, a.status, a.is_redacted, a.page_count, a.width, a.height, a.duration_ms,
  a.occurred_at, a.created_at";

/// The files in whose place a newer version stands, of all spaces: to be narrowed by `m.space_id`.
pub(crate) const REPLACED: &str = "SELECT m.primary_artifact_id FROM memories m
  WHERE m.status = 'superseded' AND m.primary_artifact_id IS NOT NULL";

fn artifact(row: &Row<'_>) -> StoreResult<Artifact> {
    Ok(Artifact {
        id: ArtifactId::parse(row.get::<_, String>(0)?)?,
        space_id: SpaceId::parse(row.get::<_, String>(1)?)?,
        actor_id: AgentId::parse(row.get::<_, String>(2)?)?,
        content_hash: row.get(3)?,
        filename: row.get::<_, Option<String>>(4)?.unwrap_or_default(),
        mime_type: row.get(5)?,
        modality: row.get::<_, String>(6)?.parse()?,
        byte_size: row.get::<_, Option<u64>>(7)?.unwrap_or_default(),
        source_path: row.get(8)?,
        deleted: row.get::<_, String>(9)? == "deleted",
        redacted: row.get(10)?,
        page_count: row.get(11)?,
        width: row.get(12)?,
        height: row.get(13)?,
        duration_ms: row.get(14)?,
        occurred_at: row.get(15)?,
        created_at: row.get(16)?,
    })
}

/// Where a file's bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bytes {
    /// In the database.
    Inline(Vec<u8>),
    /// In the folder of blobs, under this relative path.
    File(String),
    /// Destroyed.
    Gone,
}

/// What is known of a file when it comes in.
#[derive(Debug, Clone)]
pub struct NewArtifact {
    /// The space it goes to.
    pub space: SpaceId,
    /// Who brings it.
    pub actor: AgentId,
    /// SHA-256 of its bytes, in hex.
    pub content_hash: String,
    /// Its name.
    pub filename: String,
    /// Where it came from.
    pub source_path: Option<String>,
    /// Its type.
    pub mime_type: String,
    /// What it is.
    pub modality: Modality,
    /// Its size.
    pub byte_size: u64,
    /// Its bytes.
    pub bytes: Bytes,
    /// When the thing itself was made.
    pub occurred_at: Option<EpochMs>,
}

impl Says for NewArtifact {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Bytes(&self.content_hash));
        tell(Said::Name(&self.filename));
        self.source_path.iter().for_each(|path| tell(Said::Path(path)));
    }
}

/// Adds a file.
///
/// # Errors
/// A duplicate of (space, content hash); SQLite's.
pub fn insert(connection: &Connection, new: &Checked<NewArtifact>, now: EpochMs) -> StoreResult<ArtifactId> {
    let id = new_id(now);
    let (backend, uri, bytes_id) = match &new.bytes {
        Bytes::Inline(bytes) => ("sqlite_blob", None, Some(insert_bytes(connection, &new.space, bytes, now)?)),
        Bytes::File(uri) => ("filesystem", Some(uri), None),
        Bytes::Gone => return Err(crate::StoreError::Damaged("a new file has bytes".to_owned())),
    };
    connection
        .prepare_cached(
            "INSERT INTO artifacts (id, space_id, actor_id, content_hash, original_filename, source_path, mime_type,
               modality, byte_size, storage_backend, storage_uri, bytes_id, occurred_at, valid_from, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14)",
        )?
        .execute(params![
            id,
            new.space.as_str(),
            new.actor.as_str(),
            new.content_hash,
            new.filename,
            new.source_path,
            new.mime_type,
            new.modality.as_str(),
            new.byte_size,
            backend,
            uri,
            bytes_id,
            new.occurred_at,
            now
        ])?;
    Ok(ArtifactId::parse(id)?)
}

/// Adds a file that was made of another one.
///
/// # Errors
/// A duplicate of (space, content hash); SQLite's.
pub fn insert_rendition(
    connection: &Connection,
    new: &Checked<NewArtifact>,
    of: &ArtifactId,
    now: EpochMs,
) -> StoreResult<ArtifactId> {
    let id = insert(connection, new, now)?;
    connection.execute(
        "UPDATE artifacts SET derived_from_artifact_id = ?2,
           (width, height, duration_ms, page_count, metadata) =
             (SELECT width, height, duration_ms, page_count, iif(ifnull(source.metadata ->> '$.only_modified', 0),
                json_set(artifacts.metadata, '$.only_modified', 1), artifacts.metadata)
              FROM artifacts source WHERE source.id = ?2) WHERE id = ?1",
        [id.as_str(), of.as_str()],
    )?;
    Ok(id)
}

/// Keeps bytes for a file that will name them. The rows of files stay small, so that changing one is cheap.
fn insert_bytes(connection: &Connection, space: &SpaceId, bytes: &[u8], now: EpochMs) -> StoreResult<String> {
    let id = new_id(now);
    connection
        .prepare_cached("INSERT INTO artifact_bytes (id, space_id, blob) VALUES (?1, ?2, ?3)")?
        .execute(params![id, space.as_str(), bytes])?;
    Ok(id)
}

/// The file of that id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &ArtifactId) -> StoreResult<Option<Artifact>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM artifacts a WHERE a.id = ?1"))?
        .query_row([id.as_str()], |row| Ok(artifact(row)))
        .optional()?
        .transpose()
}

/// The files in these spaces whose ids begin or end so, but for those that were forgotten; at most `limit`.
///
/// # Errors
/// SQLite's.
pub fn with_part(connection: &Connection, spaces: &[SpaceId], part: &str, limit: u32) -> StoreResult<Vec<Artifact>> {
    let spaces = crate::filter::ids(spaces)?;
    let of_part = has_part("a.id", "artifacts");
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM artifacts a WHERE {of_part} AND a.is_redacted = 0
               AND +a.space_id IN (SELECT value FROM json_each(?1)) ORDER BY a.id LIMIT ?3"
        ))?
        .query_and_then(params![spaces, part, limit], artifact)?
        .collect()
}

/// The space's file with that hash.
///
/// # Errors
/// SQLite's.
pub fn by_hash(connection: &Connection, space: &SpaceId, hash: &str) -> StoreResult<Option<Artifact>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM artifacts a WHERE a.space_id = ?1 AND a.content_hash = ?2"))?
        .query_row([space.as_str(), hash], |row| Ok(artifact(row)))
        .optional()?
        .transpose()
}

/// A file's bytes, or where they are.
///
/// # Errors
/// SQLite's.
pub fn bytes(connection: &Connection, id: &ArtifactId) -> StoreResult<Option<Bytes>> {
    Ok(connection
        .prepare_cached(
            "SELECT b.blob, a.storage_uri FROM artifacts a LEFT JOIN artifact_bytes b ON b.id = a.bytes_id
             WHERE a.id = ?1",
        )?
        .query_row([id.as_str()], |row| {
            Ok(match (row.get::<_, Option<Vec<u8>>>(0)?, row.get::<_, Option<String>>(1)?) {
                (Some(bytes), _) => Bytes::Inline(bytes),
                (None, Some(uri)) => Bytes::File(uri),
                (None, None) => Bytes::Gone,
            })
        })
        .optional()?)
}

/// Every relative path in the folder of blobs that a row names.
///
/// # Errors
/// SQLite's.
pub fn blob_files(connection: &Connection) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare("SELECT storage_uri FROM artifacts WHERE storage_backend = 'filesystem' AND storage_uri IS NOT NULL")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// Moves a file's bytes from the folder of blobs into the database.
///
/// # Errors
/// SQLite's.
pub fn bring_in(connection: &Connection, uri: &str, bytes: &[u8], now: EpochMs) -> StoreResult<()> {
    let named: Vec<(String, String)> = connection
        .prepare("SELECT id, space_id FROM artifacts WHERE storage_backend = 'filesystem' AND storage_uri = ?1")?
        .query_map([uri], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (id, space) in named {
        let bytes_id = insert_bytes(connection, &SpaceId::parse(space)?, bytes, now)?;
        connection.execute(
            "UPDATE artifacts SET storage_backend = 'sqlite_blob', storage_uri = NULL, bytes_id = ?2 WHERE id = ?1",
            [id, bytes_id],
        )?;
    }
    Ok(())
}

/// What reading finds out about a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measures {
    /// Pages of a PDF.
    pub page_count: Option<u32>,
    /// Width in pixels of the upright picture.
    pub width: Option<u32>,
    /// Height in pixels of the upright picture.
    pub height: Option<u32>,
    /// Length of a recording.
    pub duration_ms: Option<u64>,
}

/// Keeps what reading found out; absent fields stay.
///
/// # Errors
/// SQLite's.
pub fn set_measures(connection: &Connection, id: &ArtifactId, m: Measures) -> StoreResult<()> {
    connection.execute(
        "UPDATE artifacts SET page_count = ifnull(?2, page_count), width = ifnull(?3, width),
           height = ifnull(?4, height), duration_ms = ifnull(?5, duration_ms) WHERE id = ?1",
        params![id.as_str(), m.page_count, m.width, m.height, m.duration_ms],
    )?;
    Ok(())
}

/// Keeps the sizes of a PDF's pages (points) beside the file, as `[[w, h], …]`.
///
/// # Errors
/// SQLite's.
pub fn set_page_sizes(connection: &Connection, id: &ArtifactId, sizes: &[[f64; 2]]) -> StoreResult<()> {
    connection.execute(
        "UPDATE artifacts SET metadata = json_set(metadata, '$.page_sizes', json(?2)) WHERE id = ?1",
        params![id.as_str(), serde_json::to_string(sizes)?],
    )?;
    Ok(())
}

/// The sizes of a PDF's pages, in points.
///
/// # Errors
/// SQLite's.
pub fn page_sizes(connection: &Connection, id: &ArtifactId) -> StoreResult<Vec<[f64; 2]>> {
    let json: Option<String> = connection
        .prepare_cached("SELECT json_extract(metadata, '$.page_sizes') FROM artifacts WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?
        .flatten();
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?.unwrap_or_default())
}

/// Marks a file as deleted or in use.
///
/// # Errors
/// SQLite's.
pub fn set_deleted(connection: &Connection, id: &ArtifactId, deleted: bool, now: EpochMs) -> StoreResult<()> {
    connection.execute(
        "UPDATE artifacts SET status = ?2, valid_to = ?3 WHERE id = ?1",
        params![id.as_str(), if deleted { "deleted" } else { "active" }, deleted.then_some(now)],
    )?;
    Ok(())
}

/// Where a file lies.
#[derive(Debug, Clone, Copy)]
pub struct Whereabouts<'a> {
    /// Its name.
    pub filename: &'a str,
    /// Its path, where it has one.
    pub path: Option<&'a str>,
}

impl Says for Whereabouts<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Name(self.filename));
        self.path.iter().for_each(|path| tell(Said::Path(path)));
    }
}

/// Says where a file is now: its name and its path. The path that it had is kept among its earlier ones.
///
/// # Errors
/// SQLite's.
pub fn set_source(connection: &Connection, id: &ArtifactId, to: &Checked<Whereabouts<'_>>) -> StoreResult<()> {
    connection.execute(
        "UPDATE artifacts SET metadata = json_insert(
             json_set(metadata, '$.earlier_paths', json(ifnull(metadata -> '$.earlier_paths', '[]'))),
             '$.earlier_paths[#]', source_path)
         WHERE id = ?1 AND source_path IS NOT NULL AND source_path IS NOT ?2 AND is_redacted = 0
           AND source_path NOT IN (SELECT value FROM json_each(metadata, '$.earlier_paths'))",
        params![id.as_str(), to.path],
    )?;
    connection.execute(
        "UPDATE artifacts SET original_filename = ?2, source_path = ?3 WHERE id = ?1",
        params![id.as_str(), to.filename, to.path],
    )?;
    Ok(())
}

/// Says that the person brought in a file, too, which an agent had brought in.
///
/// # Errors
/// SQLite's.
pub fn set_of_person(connection: &Connection, id: &ArtifactId) -> StoreResult<()> {
    connection
        .execute("UPDATE artifacts SET metadata = json_set(metadata, '$.of_person', 1) WHERE id = ?1", [id.as_str()])?;
    Ok(())
}

/// The paths that a file stood at before it was moved, oldest first.
///
/// # Errors
/// SQLite's.
pub fn earlier_paths(connection: &Connection, id: &ArtifactId) -> StoreResult<Vec<String>> {
    Ok(connection
        .prepare_cached("SELECT p.value FROM artifacts a, json_each(a.metadata, '$.earlier_paths') p WHERE a.id = ?1")?
        .query_map([id.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}

/// A page of the files that fit `question`, with their number in all. `spaces` limits the answer.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    question: &ArtifactsList,
    spaces: &[SpaceId],
    limit: u32,
) -> StoreResult<(Vec<Artifact>, u64)> {
    let order = match question.order {
        ArtifactOrder::Newest => "a.rid DESC",
        ArtifactOrder::Name => "a.original_filename COLLATE NOCASE, a.rid",
        ArtifactOrder::Size => "a.byte_size DESC, a.rid",
    };
    let words = |items: Vec<&'static str>| serde_json::to_string(&items);
    let pattern = question.name.as_deref().map(|name| format!("%{}%", escape_like(name)));
    // What was forgotten has no name any more and cannot be restored.
    let there = if question.deleted { "AND a.is_redacted = 0" } else { "" };
    // Lists in place of looking up each file: that of replaced versions and that of states are short.
    let filter = format!(
        "a.space_id IN (SELECT value FROM json_each(:spaces)) AND a.status = :status
        {there} AND a.id NOT IN ({REPLACED} AND m.space_id IN (SELECT value FROM json_each(:spaces)))
        AND (:name IS NULL OR a.original_filename LIKE :name ESCAPE '\\')
        AND (:modalities = '[]' OR a.modality IN (SELECT value FROM json_each(:modalities)))
        AND (:since IS NULL OR a.created_at >= :since)
        AND (:states = '[]' OR a.id IN (SELECT j.subject_id FROM jobs j WHERE j.kind IN ('read', 'listen')
             AND +j.subject_type = 'artifact' AND j.status IN (SELECT value FROM json_each(:states))))"
    );
    let spaces = crate::filter::ids(spaces)?;
    let status = if question.deleted { "deleted" } else { "active" };
    let modalities = words(question.modalities.iter().map(|m| m.as_str()).collect())?;
    let states = words(question.states.iter().map(|s| s.as_str()).collect())?;
    let shared = rusqlite::named_params! {
        ":spaces": spaces, ":status": status, ":name": pattern, ":modalities": modalities,
        ":since": question.since, ":states": states,
    };
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM artifacts a WHERE {filter}"))?
        .query_row(shared, |row| row.get(0))?;
    let artifacts = connection
        .prepare_cached(&format!(
            // The page is chosen first, from the index alone where the order is that of the index.
            "SELECT {COLUMNS} FROM artifacts a WHERE a.rid IN
               (SELECT a.rid FROM artifacts a WHERE {filter} ORDER BY {order} LIMIT {limit} OFFSET {})
             ORDER BY {order}",
            question.offset
        ))?
        .query_and_then(shared, artifact)?
        .collect::<StoreResult<_>>()?;
    Ok((artifacts, total))
}

fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// A file's memory.
#[derive(Debug)]
pub struct MemoryOf {
    /// Its id.
    pub id: um_model::MemoryId,
    /// Its state.
    pub status: um_model::MemoryStatus,
    /// Whether any text of the file is in use.
    pub has_text: bool,
    /// Whether that is a mail's and less than sure, as parts of it could not be decoded.
    pub is_damaged: bool,
}

/// The next file of a media type, by its place (rid) behind `after`, that is in use and was read as plain text; or a mailbox (`.mbox`) that
/// was read with other settings than those of `config_hash`. What rests on that text and is no find of the rules would be lost with it: no
/// language model is asked about what is only read again, and whoever stated a fact by its words does not state it anew. Nor is what
/// somebody chose to have blacked out found in what was encoded then. Such a file stays as it is, and so does one that was to be read with
/// these settings before ([`crate::jobs::set_reader`]): it could not.
///
/// # Errors
/// SQLite's.
pub fn read_otherwise(
    connection: &Connection,
    mime_type: &str,
    config_hash: &str,
    after: i64,
) -> StoreResult<Option<(i64, Artifact)>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS}, a.rid FROM artifacts a
             WHERE a.rid > ?2 AND a.mime_type = ?1 AND a.status = 'active' AND a.is_redacted = 0
               AND EXISTS (SELECT 1 FROM memories m WHERE m.primary_artifact_id = a.id AND m.status = 'active')
               AND EXISTS (SELECT 1 FROM derived_text_views v WHERE v.artifact_id = a.id AND v.status = 'active'
                             AND (v.extractor_id = 'text' OR v.extractor_id = 'mail' AND v.config_hash <> ?3
                               AND a.original_filename LIKE '%.mbox'))
               AND NOT EXISTS (SELECT 1 FROM derived_text_views v JOIN claim_evidence e ON e.derived_text_view_id = v.id
                                 WHERE v.artifact_id = a.id AND v.status = 'active' AND e.extraction_method <> 'rule'
                                   AND ifnull(e.spare, e.polarity) <> 'neutral' AND e.is_redacted = 0)
               AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'read' AND j.subject_type = 'artifact' AND j.subject_id = a.id
                                 AND j.payload ->> '$.reader' = ?3)
               AND NOT EXISTS (SELECT 1 FROM derived_text_views v CROSS JOIN redaction_findings f ON f.text_view_id = v.id
                                 WHERE v.artifact_id = a.id AND v.status = 'active' AND f.status = 'accepted')
             ORDER BY a.rid LIMIT 1"
        ))?
        .query_row(params![mime_type, after, config_hash], |row| Ok((row.get::<_, i64>(17)?, artifact(row))))
        .optional()?
        .map(|(rid, file)| Ok((rid, file?)))
        .transpose()
}

/// The memories that stand for files, by file.
///
/// # Errors
/// SQLite's.
pub fn memories_of(
    connection: &Connection,
    artifacts: &[ArtifactId],
) -> StoreResult<std::collections::BTreeMap<ArtifactId, MemoryOf>> {
    let ids = serde_json::to_string(&artifacts.iter().map(ArtifactId::as_str).collect::<Vec<_>>())?;
    connection
        .prepare_cached(
            "SELECT m.primary_artifact_id, m.id, m.status,
               EXISTS (SELECT 1 FROM derived_text_views v WHERE v.artifact_id = m.primary_artifact_id
                 AND v.status = 'active' AND v.view_type <> 'metadata_text' AND length(v.text) > 0),
               EXISTS (SELECT 1 FROM artifacts a CROSS JOIN derived_text_views v ON v.artifact_id = a.id
                 WHERE a.id = m.primary_artifact_id AND a.mime_type = 'message/rfc822' AND v.status = 'active'
                 AND v.view_type = 'document_text' AND v.quality < 1)
             FROM memories m WHERE m.primary_artifact_id IN (SELECT value FROM json_each(?1))",
        )?
        .query_and_then([ids], |row| {
            let memory = MemoryOf {
                id: um_model::MemoryId::parse(row.get::<_, String>(1)?)?,
                status: row.get::<_, String>(2)?.parse()?,
                has_text: row.get(3)?,
                is_damaged: row.get(4)?,
            };
            Ok((ArtifactId::parse(row.get::<_, String>(0)?)?, memory))
        })?
        .collect()
}
