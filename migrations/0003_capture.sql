-- Capture: what came in, as it came in. Events, files, places in files, the text read from them.

-- The ledger: messages, tool use, edits, explicit writes. Rows change only to be redacted.
CREATE TABLE evidence_events (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  session_id TEXT REFERENCES sessions(id),
  kind TEXT NOT NULL CHECK (kind IN
    ('assistant_message', 'explicit_memory', 'file_edit', 'system_event', 'tool_call', 'tool_result', 'user_message')),
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  occurred_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND content = '[REDACTED]' AND metadata = '{}'))
) STRICT;

CREATE INDEX idx_events_space ON evidence_events(space_id, recorded_at);
CREATE INDEX idx_events_session ON evidence_events(session_id, recorded_at);

CREATE TRIGGER evidence_events_no_replace
BEFORE INSERT ON evidence_events
WHEN EXISTS (SELECT 1 FROM evidence_events WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM evidence_events WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'evidence_events: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER evidence_events_delete_guard
BEFORE DELETE ON evidence_events
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'evidence_events: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER evidence_events_append_only
BEFORE UPDATE ON evidence_events
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.actor_id IS NOT OLD.actor_id
  OR NEW.session_id IS NOT OLD.session_id
  OR NEW.kind IS NOT OLD.kind
  OR NEW.occurred_at IS NOT OLD.occurred_at
  OR NEW.recorded_at IS NOT OLD.recorded_at
BEGIN
  SELECT RAISE(ABORT, 'evidence_events is append-only: redaction is the one change');
END;
CREATE TRIGGER evidence_events_space_insert
BEFORE INSERT ON evidence_events
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'evidence_events.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER evidence_events_space_update
BEFORE UPDATE OF session_id ON evidence_events
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'evidence_events.session_id must lie in the space of its row')
  END;
END;

-- The bytes of files that lie in the database. They have a table of their own, as each change of a row rewrites
-- the whole of it. They are written before the file that names them, and go when it names them no longer.
CREATE TABLE artifact_bytes (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  blob BLOB NOT NULL
) STRICT;

CREATE INDEX idx_artifact_bytes_space ON artifact_bytes(space_id);

CREATE TRIGGER artifact_bytes_no_replace
BEFORE INSERT ON artifact_bytes
WHEN EXISTS (SELECT 1 FROM artifact_bytes WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM artifact_bytes WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER artifact_bytes_identity
BEFORE UPDATE ON artifact_bytes
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes: rid, id and space_id never change');
END;

CREATE TRIGGER artifact_bytes_immutable
BEFORE UPDATE OF blob ON artifact_bytes
WHEN NEW.blob IS NOT OLD.blob
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes.blob is immutable');
END;

CREATE TRIGGER artifact_bytes_in_use
BEFORE DELETE ON artifact_bytes
WHEN EXISTS (SELECT 1 FROM artifacts WHERE bytes_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes: a file names these bytes; redact the file and they go with it');
END;

-- A file, addressed by the SHA-256 of its bytes, and where they lie.
CREATE TABLE artifacts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  content_hash TEXT NOT NULL,
  original_filename TEXT,
  source_path TEXT,
  mime_type TEXT NOT NULL,
  modality TEXT NOT NULL CHECK (modality IN
    ('image', 'audio', 'video', 'pdf', 'document', 'html', 'text', 'source', 'other')),
  byte_size INTEGER CHECK (byte_size >= 0),
  storage_backend TEXT NOT NULL CHECK (storage_backend IN ('sqlite_blob', 'filesystem', 's3', 'http')),
  storage_uri TEXT,
  bytes_id TEXT UNIQUE REFERENCES artifact_bytes(id),
  derived_from_artifact_id TEXT REFERENCES artifacts(id),
  width INTEGER CHECK (width > 0),
  height INTEGER CHECK (height > 0),
  duration_ms INTEGER CHECK (duration_ms >= 0),
  page_count INTEGER CHECK (page_count >= 0),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  occurred_at INTEGER,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  -- One place for the bytes, and none once they are redacted.
  CHECK (
    (is_redacted = 1 AND bytes_id IS NULL AND storage_uri IS NULL) OR
    (is_redacted = 0 AND storage_backend = 'sqlite_blob' AND bytes_id IS NOT NULL AND storage_uri IS NULL) OR
    (is_redacted = 0 AND storage_backend <> 'sqlite_blob' AND storage_uri IS NOT NULL AND bytes_id IS NULL)
  ),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND original_filename IS NULL AND source_path IS NULL AND metadata = '{}')),
  CHECK (derived_from_artifact_id IS NULL OR derived_from_artifact_id <> id)
) STRICT;

CREATE UNIQUE INDEX uq_artifacts_space_hash ON artifacts(space_id, content_hash);
-- Files newest first, with what lists of them are filtered by.
CREATE INDEX idx_artifacts_newest ON artifacts(space_id, status, rid, modality, created_at, id);
-- The few that lie beside the database.
CREATE INDEX idx_artifacts_uri ON artifacts(storage_uri) WHERE storage_uri IS NOT NULL;
CREATE INDEX idx_artifacts_derived_from ON artifacts(derived_from_artifact_id);

CREATE TRIGGER artifacts_no_replace
BEFORE INSERT ON artifacts
WHEN EXISTS (SELECT 1 FROM artifacts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM artifacts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'artifacts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER artifacts_identity
BEFORE UPDATE ON artifacts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'artifacts: rid, id and space_id never change');
END;

CREATE TRIGGER artifacts_delete_guard
BEFORE DELETE ON artifacts
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'artifacts: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER artifacts_redaction_final
BEFORE UPDATE ON artifacts
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'artifacts: a redacted row stays redacted');
END;
CREATE TRIGGER artifacts_space_insert
BEFORE INSERT ON artifacts
BEGIN
  SELECT CASE
    WHEN NEW.derived_from_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.derived_from_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.derived_from_artifact_id must lie in the space of its row')
    WHEN NEW.bytes_id IS NOT NULL AND (SELECT space_id FROM artifact_bytes WHERE id = NEW.bytes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.bytes_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER artifacts_space_update
BEFORE UPDATE OF derived_from_artifact_id, bytes_id ON artifacts
BEGIN
  SELECT CASE
    WHEN NEW.derived_from_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.derived_from_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.derived_from_artifact_id must lie in the space of its row')
    WHEN NEW.bytes_id IS NOT NULL AND (SELECT space_id FROM artifact_bytes WHERE id = NEW.bytes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.bytes_id must lie in the space of its row')
  END;
END;

-- The address of bytes does not change, except that redaction replaces it.
CREATE TRIGGER artifacts_content_hash_immutable
BEFORE UPDATE OF content_hash ON artifacts
WHEN NEW.content_hash IS NOT OLD.content_hash AND NOT (OLD.is_redacted = 0 AND NEW.is_redacted = 1)
BEGIN
  SELECT RAISE(ABORT, 'artifacts.content_hash is immutable');
END;

-- Bytes may move between the database and a file; they are not exchanged for others.
CREATE TRIGGER artifacts_bytes_immutable
BEFORE UPDATE OF bytes_id ON artifacts
WHEN OLD.bytes_id IS NOT NULL AND NEW.bytes_id IS NOT NULL AND NEW.bytes_id IS NOT OLD.bytes_id
BEGIN
  SELECT RAISE(ABORT, 'artifacts.bytes_id is immutable');
END;

-- Bytes that no file names are gone: whoever redacts or purges a file cannot leave them behind.
CREATE TRIGGER artifacts_bytes_go_update
AFTER UPDATE OF bytes_id ON artifacts
WHEN OLD.bytes_id IS NOT NULL AND NEW.bytes_id IS NULL
BEGIN
  DELETE FROM artifact_bytes WHERE id = OLD.bytes_id;
END;

CREATE TRIGGER artifacts_bytes_go_delete
AFTER DELETE ON artifacts
WHEN OLD.bytes_id IS NOT NULL
BEGIN
  DELETE FROM artifact_bytes WHERE id = OLD.bytes_id;
END;

-- Small pictures of files, for lists. Derived: each is made again when it is wanted.
CREATE TABLE thumbnails (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  artifact_id TEXT NOT NULL UNIQUE REFERENCES artifacts(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  blob BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_thumbnails_space ON thumbnails(space_id);

CREATE TRIGGER thumbnails_no_replace
BEFORE INSERT ON thumbnails
WHEN EXISTS (SELECT 1 FROM thumbnails WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM thumbnails WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'thumbnails: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER thumbnails_identity
BEFORE UPDATE ON thumbnails
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'thumbnails: rid, id and space_id never change');
END;

CREATE TRIGGER thumbnails_space_insert
BEFORE INSERT ON thumbnails
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'thumbnails.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER thumbnails_space_update
BEFORE UPDATE OF artifact_id ON thumbnails
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'thumbnails.artifact_id must lie in the space of its row')
  END;
END;

-- A file that is redacted, removed or purged leaves no picture of itself behind.
CREATE TRIGGER artifacts_thumbnail_goes_update
AFTER UPDATE OF status, is_redacted ON artifacts
WHEN NEW.status IS NOT 'active' OR NEW.is_redacted = 1
BEGIN
  DELETE FROM thumbnails WHERE artifact_id = NEW.id;
END;

CREATE TRIGGER artifacts_thumbnail_goes_delete
AFTER DELETE ON artifacts
BEGIN
  DELETE FROM thumbnails WHERE artifact_id = OLD.id;
END;

-- A place in an artifact. Selectors: bbox {"page":1,"bbox":[x,y,w,h]} in pixels of the upright rendition,
-- temporal {"start_ms":..,"end_ms":..}, page_range {"page":n}, text_range {"start":..,"end":..}, whole {}.
CREATE TABLE media_segments (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  artifact_id TEXT NOT NULL REFERENCES artifacts(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  segment_type TEXT NOT NULL CHECK (segment_type IN
    ('whole', 'temporal', 'page_range', 'bbox', 'text_range', 'custom')),
  selector TEXT NOT NULL CHECK (json_valid(selector)),
  selector_hash TEXT NOT NULL,
  level TEXT NOT NULL DEFAULT 'block' CHECK (level IN
    ('whole', 'page', 'block', 'line', 'word', 'utterance', 'range')),
  ordinal INTEGER NOT NULL DEFAULT 0,
  parent_segment_id TEXT REFERENCES media_segments(id),
  confidence REAL CHECK (confidence BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  UNIQUE (artifact_id, selector_hash),
  CHECK (parent_segment_id IS NULL OR parent_segment_id <> id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND metadata = '{}'))
) STRICT;

CREATE INDEX idx_segments_artifact ON media_segments(artifact_id, ordinal);
CREATE INDEX idx_segments_parent ON media_segments(parent_segment_id);
CREATE INDEX idx_segments_space ON media_segments(space_id);

CREATE TRIGGER media_segments_no_replace
BEFORE INSERT ON media_segments
WHEN EXISTS (SELECT 1 FROM media_segments WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM media_segments WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'media_segments: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER media_segments_identity
BEFORE UPDATE ON media_segments
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'media_segments: rid, id and space_id never change');
END;

CREATE TRIGGER media_segments_delete_guard
BEFORE DELETE ON media_segments
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'media_segments: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER media_segments_redaction_final
BEFORE UPDATE ON media_segments
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'media_segments: a redacted row stays redacted');
END;
CREATE TRIGGER media_segments_space_insert
BEFORE INSERT ON media_segments
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.artifact_id must lie in the space of its row')
    WHEN NEW.parent_segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.parent_segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER media_segments_space_update
BEFORE UPDATE OF artifact_id, parent_segment_id ON media_segments
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.artifact_id must lie in the space of its row')
    WHEN NEW.parent_segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.parent_segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER media_segments_parent_insert
BEFORE INSERT ON media_segments
WHEN NEW.parent_segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'media_segments.parent_segment_id must belong to the same artifact');
END;

CREATE TRIGGER media_segments_parent_update
BEFORE UPDATE OF parent_segment_id, artifact_id ON media_segments
WHEN NEW.parent_segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'media_segments.parent_segment_id must belong to the same artifact');
END;

-- Text read from an artifact: OCR, transcript, PDF text, a document's words, a person's note on it.
CREATE TABLE derived_text_views (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  artifact_id TEXT NOT NULL REFERENCES artifacts(id),
  segment_id TEXT REFERENCES media_segments(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  view_type TEXT NOT NULL CHECK (view_type IN
    ('ocr_text', 'asr_transcript', 'caption', 'pdf_text', 'metadata_text', 'user_annotation', 'document_text')),
  ordinal INTEGER NOT NULL DEFAULT 0,
  page INTEGER CHECK (page >= 1),
  text TEXT NOT NULL,
  -- When words of it were last blacked out, each code unit by one of the mask, so that offsets stay.
  masked_at INTEGER,
  language TEXT,
  extractor_id TEXT NOT NULL,
  model_id TEXT,
  config_hash TEXT NOT NULL,
  quality REAL NOT NULL DEFAULT 0.5 CHECK (quality BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  -- The detectors, and their version, that last looked for personal data in it; null before they did.
  detected_by TEXT,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND text = '[REDACTED]' AND metadata = '{}'))
) STRICT;

-- The same reader with the same configuration gives the same view, once.
CREATE UNIQUE INDEX uq_dtv_idempotent ON derived_text_views(
  space_id, artifact_id, ifnull(segment_id, '__whole__'), view_type, extractor_id, config_hash, ordinal);
CREATE INDEX idx_dtv_artifact ON derived_text_views(artifact_id, ordinal);
CREATE INDEX idx_dtv_segment ON derived_text_views(segment_id);
CREATE INDEX idx_dtv_detected ON derived_text_views(detected_by)
WHERE detected_by IS NOT NULL AND status = 'active' AND is_redacted = 0;
CREATE INDEX idx_dtv_space ON derived_text_views(space_id, view_type);

CREATE TRIGGER derived_text_views_no_replace
BEFORE INSERT ON derived_text_views
WHEN EXISTS (SELECT 1 FROM derived_text_views WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM derived_text_views WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER derived_text_views_identity
BEFORE UPDATE ON derived_text_views
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: rid, id and space_id never change');
END;

CREATE TRIGGER derived_text_views_delete_guard
BEFORE DELETE ON derived_text_views
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER derived_text_views_redaction_final
BEFORE UPDATE ON derived_text_views
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: a redacted row stays redacted');
END;
CREATE TRIGGER derived_text_views_space_insert
BEFORE INSERT ON derived_text_views
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER derived_text_views_space_update
BEFORE UPDATE OF artifact_id, segment_id ON derived_text_views
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER derived_text_views_segment_insert
BEFORE INSERT ON derived_text_views
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views.segment_id must belong to artifact_id');
END;

CREATE TRIGGER derived_text_views_segment_update
BEFORE UPDATE OF segment_id, artifact_id ON derived_text_views
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views.segment_id must belong to artifact_id');
END;

-- Offsets of units, evidence and findings count characters of this text: it changes only by redaction.
CREATE TRIGGER derived_text_views_text_immutable
BEFORE UPDATE OF text ON derived_text_views
WHEN NEW.text IS NOT OLD.text AND NEW.is_redacted = 0 AND (NEW.masked_at IS NULL OR NEW.masked_at IS OLD.masked_at)
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views.text is immutable; a new reading is a new view');
END;
