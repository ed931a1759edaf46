-- A resource of an agent waits for the person as its other writes do: the kinds of what waits have one more, which SQLite takes only in a
-- table made anew. A view names this one, so that no other can be renamed to it: its rows wait in another meanwhile. Its triggers come
-- after them, as one of them lets in only what is pending.
CREATE TABLE candidates_before AS SELECT * FROM candidates ORDER BY rid;
DROP TABLE candidates;
CREATE TABLE candidates (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  kind TEXT NOT NULL DEFAULT 'memory' CHECK (kind IN ('memory', 'claim', 'entry', 'core_block', 'resource')),
  title TEXT,
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  reason TEXT,
  source_event_id TEXT REFERENCES evidence_events(id),
  artifact_id TEXT REFERENCES artifacts(id),
  segment_id TEXT REFERENCES media_segments(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  session_id TEXT REFERENCES sessions(id),
  quality REAL CHECK (quality BETWEEN 0 AND 1),
  safety_flags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(safety_flags)),
  duplicate_of TEXT REFERENCES memories(id),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'imported')),
  reviewed_by TEXT REFERENCES agents(id),
  reviewed_at INTEGER,
  imported_id TEXT,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (status IN ('pending') OR (reviewed_by IS NOT NULL AND reviewed_at IS NOT NULL)),
  CHECK (status <> 'imported' OR imported_id IS NOT NULL),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND title IS NULL AND content = '[REDACTED]'
    AND payload = '{}' AND reason IS NULL))
) STRICT;
INSERT INTO candidates SELECT * FROM candidates_before ORDER BY rid;
DROP TABLE candidates_before;

CREATE INDEX idx_candidates_dropped ON candidates(reviewed_at) WHERE reason = 'held' AND status = 'rejected';
CREATE INDEX idx_candidates_hash ON candidates(space_id, content_hash);
CREATE INDEX idx_candidates_held ON candidates(space_id, rid) WHERE reason = 'held' AND status = 'pending';
CREATE INDEX idx_candidates_memory ON candidates(json_extract(payload, '$.memory'), status) WHERE reason = 'ambiguous_name';
CREATE INDEX idx_candidates_name ON candidates(space_id, json_extract(payload, '$.canonical')) WHERE reason = 'ambiguous_name';
CREATE INDEX idx_candidates_proposed ON candidates(space_id, rid) WHERE status = 'pending' AND kind <> 'claim';
CREATE INDEX idx_candidates_reviewed ON candidates(reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX idx_candidates_space ON candidates(space_id, status, created_at);
CREATE INDEX idx_candidates_waiting ON candidates(space_id, rid) WHERE reason = 'ambiguous_name' AND status = 'pending';

CREATE TRIGGER candidates_delete_guard
BEFORE DELETE ON candidates
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'candidates: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER candidates_identity
BEFORE UPDATE ON candidates
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'candidates: rid, id and space_id never change');
END;

CREATE TRIGGER candidates_no_replace
BEFORE INSERT ON candidates
WHEN EXISTS (SELECT 1 FROM candidates WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM candidates WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'candidates: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER candidates_redaction_final
BEFORE UPDATE ON candidates
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'candidates: a redacted row stays redacted');
END;

CREATE TRIGGER candidates_review_first
BEFORE UPDATE OF status ON candidates
WHEN (NEW.status = 'imported' AND OLD.status NOT IN ('approved', 'imported'))
  OR (OLD.status = 'imported' AND NEW.status IS NOT 'imported')
BEGIN
  SELECT RAISE(ABORT, 'candidates: only an approved candidate is imported, and an imported one stays so');
END;

CREATE TRIGGER candidates_space_insert
BEFORE INSERT ON candidates
BEGIN
  SELECT CASE
    WHEN NEW.source_event_id IS NOT NULL AND (SELECT space_id FROM evidence_events WHERE id = NEW.source_event_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.source_event_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.text_view_id must lie in the space of its row')
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.session_id must lie in the space of its row')
    WHEN NEW.duplicate_of IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.duplicate_of) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.duplicate_of must lie in the space of its row')
  END;
END;

CREATE TRIGGER candidates_space_update
BEFORE UPDATE OF source_event_id, artifact_id, segment_id, text_view_id, session_id, duplicate_of ON candidates
BEGIN
  SELECT CASE
    WHEN NEW.source_event_id IS NOT NULL AND (SELECT space_id FROM evidence_events WHERE id = NEW.source_event_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.source_event_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.text_view_id must lie in the space of its row')
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.session_id must lie in the space of its row')
    WHEN NEW.duplicate_of IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.duplicate_of) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.duplicate_of must lie in the space of its row')
  END;
END;

CREATE TRIGGER candidates_start_pending
BEFORE INSERT ON candidates
WHEN NEW.status IS NOT 'pending'
BEGIN
  SELECT RAISE(ABORT, 'candidates: a candidate begins pending');
END;
