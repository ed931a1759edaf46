-- The queues that a person decides: candidates, findings, promotions.

-- What might become a memory: held for review with the reason, neither refused silently nor trusted.
CREATE TABLE candidates (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  kind TEXT NOT NULL DEFAULT 'memory' CHECK (kind IN ('memory', 'claim', 'entry', 'core_block')),
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

CREATE INDEX idx_candidates_space ON candidates(space_id, status, created_at);
CREATE INDEX idx_candidates_hash ON candidates(space_id, content_hash);
-- Names that may mean several: of a memory, written so, and those that wait.
CREATE INDEX idx_candidates_memory ON candidates(json_extract(payload, '$.memory'), status) WHERE reason = 'ambiguous_name';
CREATE INDEX idx_candidates_name ON candidates(space_id, json_extract(payload, '$.canonical')) WHERE reason = 'ambiguous_name';
CREATE INDEX idx_candidates_waiting ON candidates(space_id, rid) WHERE reason = 'ambiguous_name' AND status = 'pending';

CREATE TRIGGER candidates_no_replace
BEFORE INSERT ON candidates
WHEN EXISTS (SELECT 1 FROM candidates WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM candidates WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'candidates: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER candidates_identity
BEFORE UPDATE ON candidates
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'candidates: rid, id and space_id never change');
END;

CREATE TRIGGER candidates_delete_guard
BEFORE DELETE ON candidates
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'candidates: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER candidates_redaction_final
BEFORE UPDATE ON candidates
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'candidates: a redacted row stays redacted');
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

CREATE TRIGGER candidates_review_first
BEFORE UPDATE OF status ON candidates
WHEN (NEW.status = 'imported' AND OLD.status NOT IN ('approved', 'imported'))
  OR (OLD.status = 'imported' AND NEW.status IS NOT 'imported')
BEGIN
  SELECT RAISE(ABORT, 'candidates: only an approved candidate is imported, and an imported one stays so');
END;

-- Personal or secret data found in a text or marked on a page: where it stands and what kind it is, never its words. Where
-- the words of a view stand on a page or in a recording, the view's spans tell.
CREATE TABLE redaction_findings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT REFERENCES memories(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  artifact_id TEXT REFERENCES artifacts(id),
  start_offset INTEGER,
  end_offset INTEGER,
  -- Of a file: {"page":1,"bbox":[x,y,w,h]} or {"start_ms":..,"end_ms":..}
  place TEXT CHECK (place IS NULL OR json_valid(place)),
  finding_kind TEXT NOT NULL,
  -- 'person' for what a person marked.
  detector_id TEXT NOT NULL,
  detector_version TEXT NOT NULL DEFAULT '',
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'dismissed', 'applied')),
  decided_by TEXT REFERENCES agents(id),
  decided_at INTEGER,
  applied_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((memory_id IS NOT NULL) + (text_view_id IS NOT NULL) + (artifact_id IS NOT NULL) = 1),
  CHECK ((start_offset IS NULL) = (end_offset IS NULL)),
  CHECK (start_offset IS NULL OR (0 <= start_offset AND start_offset < end_offset)),
  CHECK ((artifact_id IS NULL) = (place IS NULL)),
  CHECK ((artifact_id IS NULL) = (start_offset IS NOT NULL)),
  CHECK (status = 'pending' OR (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
  CHECK (status <> 'applied' OR applied_at IS NOT NULL)
) STRICT;

-- The same thing at the same place is found once, whoever finds it and however often.
CREATE UNIQUE INDEX uq_findings_place ON redaction_findings(
  coalesce(memory_id, text_view_id, artifact_id), finding_kind, ifnull(start_offset, -1), ifnull(end_offset, -1),
  ifnull(place, ''));
CREATE INDEX idx_findings_space ON redaction_findings(space_id, status, finding_kind);
CREATE INDEX idx_findings_memory ON redaction_findings(memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX idx_findings_view ON redaction_findings(text_view_id) WHERE text_view_id IS NOT NULL;
CREATE INDEX idx_findings_artifact ON redaction_findings(artifact_id) WHERE artifact_id IS NOT NULL;

CREATE TRIGGER redaction_findings_no_replace
BEFORE INSERT ON redaction_findings
WHEN EXISTS (SELECT 1 FROM redaction_findings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM redaction_findings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER redaction_findings_identity
BEFORE UPDATE ON redaction_findings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: rid, id and space_id never change');
END;

-- What nobody decided goes when a later look no longer finds it.
CREATE TRIGGER redaction_findings_delete_guard
BEFORE DELETE ON redaction_findings
WHEN OLD.status <> 'pending' AND (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: what a person decided is deleted only in compliance mode');
END;

CREATE TRIGGER redaction_findings_space_insert
BEFORE INSERT ON redaction_findings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.text_view_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER redaction_findings_space_update
BEFORE UPDATE OF memory_id, text_view_id, artifact_id ON redaction_findings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.text_view_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER redaction_findings_applied_final
BEFORE UPDATE OF status ON redaction_findings
WHEN (OLD.status = 'applied' AND NEW.status IS NOT 'applied')
  OR (NEW.status = 'applied' AND OLD.status NOT IN ('accepted', 'applied'))
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: only an accepted finding is applied, and an applied one stays so');
END;

-- From one space to another, by a copy with lineage, never by moving a row.
CREATE TABLE promotion_requests (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  object_type TEXT NOT NULL CHECK (object_type IN ('memory', 'claim', 'entity', 'artifact')),
  object_id TEXT NOT NULL,
  source_space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  target_space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  requested_by TEXT NOT NULL REFERENCES agents(id),
  requested_at INTEGER NOT NULL,
  reviewed_by TEXT REFERENCES agents(id),
  reviewed_at INTEGER,
  promoted_object_id TEXT,
  -- Ids of all that was copied along, source to copy.
  lineage TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(lineage)),
  notes TEXT,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (source_space_id <> target_space_id),
  CHECK (status = 'pending' OR (reviewed_by IS NOT NULL AND reviewed_at IS NOT NULL)),
  CHECK ((status = 'approved') = (promoted_object_id IS NOT NULL)),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND notes IS NULL))
) STRICT;

CREATE INDEX idx_promotions_status ON promotion_requests(status, requested_at);
CREATE INDEX idx_promotions_source ON promotion_requests(source_space_id);
CREATE INDEX idx_promotions_target ON promotion_requests(target_space_id);
CREATE UNIQUE INDEX uq_promotions_pending
ON promotion_requests(object_type, object_id, target_space_id) WHERE status = 'pending';

CREATE TRIGGER promotion_requests_no_replace
BEFORE INSERT ON promotion_requests
WHEN EXISTS (SELECT 1 FROM promotion_requests WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM promotion_requests WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER promotion_requests_identity
BEFORE UPDATE ON promotion_requests
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: rid and id never change');
END;

CREATE TRIGGER promotion_requests_delete_guard
BEFORE DELETE ON promotion_requests
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER promotion_requests_redaction_final
BEFORE UPDATE ON promotion_requests
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: a redacted row stays redacted');
END;

CREATE TRIGGER promotion_requests_begin
BEFORE INSERT ON promotion_requests
BEGIN
  SELECT CASE
    WHEN NEW.status IS NOT 'pending'
      THEN RAISE(ABORT, 'promotion_requests: a request begins pending')
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.object_type AND item_id = NEW.object_id)
        IS NOT NEW.source_space_id
      THEN RAISE(ABORT, 'promotion_requests.object_id must lie in source_space_id')
  END;
END;

CREATE TRIGGER promotion_requests_asked_immutable
BEFORE UPDATE ON promotion_requests
WHEN NEW.object_type IS NOT OLD.object_type
  OR NEW.object_id IS NOT OLD.object_id
  OR NEW.source_space_id IS NOT OLD.source_space_id
  OR NEW.target_space_id IS NOT OLD.target_space_id
  OR NEW.requested_by IS NOT OLD.requested_by
  OR (OLD.status <> 'pending' AND NEW.status IS NOT OLD.status)
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: what was asked is immutable, and a decision stands');
END;

CREATE TRIGGER promotion_requests_copy_in_target
BEFORE UPDATE OF promoted_object_id ON promotion_requests
WHEN NEW.promoted_object_id IS NOT NULL
  AND (SELECT space_id FROM item_spaces WHERE item_type = NEW.object_type AND item_id = NEW.promoted_object_id)
    IS NOT NEW.target_space_id
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests.promoted_object_id must lie in target_space_id');
END;
