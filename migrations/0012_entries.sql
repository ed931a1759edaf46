-- Versioned entries: tools, guidelines, knowledge.

-- A tool, a guideline or a piece of knowledge. Session-scoped ones have a session and are nearest.
CREATE TABLE entries (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  session_id TEXT REFERENCES sessions(id),
  entry_type TEXT NOT NULL CHECK (entry_type IN ('tool', 'guideline', 'knowledge')),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  category TEXT,
  priority INTEGER NOT NULL DEFAULT 50 CHECK (priority BETWEEN 0 AND 100),
  current_version_id TEXT REFERENCES entry_versions(id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (category IS NULL
    OR (entry_type = 'tool' AND category IN ('mcp', 'cli', 'function', 'api'))
    OR (entry_type = 'guideline' AND category IN
      ('code_style', 'behavior', 'security', 'performance', 'error_handling', 'logging'))
    OR (entry_type = 'knowledge' AND category IN ('decision', 'fact', 'context', 'reference'))),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND name = '[REDACTED]'))
) STRICT;

CREATE UNIQUE INDEX uq_entries_name
ON entries(space_id, ifnull(session_id, ''), entry_type, name) WHERE is_redacted = 0;
CREATE INDEX idx_entries_session ON entries(session_id) WHERE session_id IS NOT NULL;

CREATE TRIGGER entries_no_replace
BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entries WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entries: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entries_identity
BEFORE UPDATE ON entries
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entries: rid, id and space_id never change');
END;

CREATE TRIGGER entries_delete_guard
BEFORE DELETE ON entries
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entries: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entries_redaction_final
BEFORE UPDATE ON entries
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entries: a redacted row stays redacted');
END;
CREATE TRIGGER entries_space_insert
BEFORE INSERT ON entries
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entries.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entries_space_update
BEFORE UPDATE OF session_id ON entries
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entries.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entries_starts_unversioned
BEFORE INSERT ON entries
WHEN NEW.current_version_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'entries: an entry comes first, then its version, then the pointer to it');
END;

CREATE TRIGGER entries_current_version
BEFORE UPDATE OF current_version_id ON entries
WHEN NEW.current_version_id IS NOT NULL
  AND (SELECT entry_id FROM entry_versions WHERE id = NEW.current_version_id) IS NOT NEW.id
BEGIN
  SELECT RAISE(ABORT, 'entries.current_version_id must be a version of this entry');
END;

CREATE TRIGGER entries_type_immutable
BEFORE UPDATE OF entry_type ON entries
WHEN NEW.entry_type IS NOT OLD.entry_type
BEGIN
  SELECT RAISE(ABORT, 'entries.entry_type is immutable');
END;

-- body, by type. tool: description, parameters, examples, constraints; guideline: content, rationale,
-- examples {good, bad}; knowledge: content, source, confidence, valid_until.
CREATE TABLE entry_versions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  entry_id TEXT NOT NULL REFERENCES entries(id),
  version_num INTEGER NOT NULL CHECK (version_num >= 1),
  body TEXT NOT NULL CHECK (json_valid(body)),
  change_reason TEXT,
  conflict_flag INTEGER NOT NULL DEFAULT 0 CHECK (conflict_flag IN (0, 1)),
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (entry_id, version_num),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND body = '{}' AND change_reason IS NULL))
) STRICT;

CREATE INDEX idx_entry_versions_space ON entry_versions(space_id);

CREATE TRIGGER entry_versions_no_replace
BEFORE INSERT ON entry_versions
WHEN EXISTS (SELECT 1 FROM entry_versions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entry_versions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entry_versions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entry_versions_delete_guard
BEFORE DELETE ON entry_versions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entry_versions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entry_versions_append_only
BEFORE UPDATE ON entry_versions
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.entry_id IS NOT OLD.entry_id
  OR NEW.version_num IS NOT OLD.version_num
  OR NEW.conflict_flag IS NOT OLD.conflict_flag
  OR NEW.created_at IS NOT OLD.created_at
  OR NEW.created_by IS NOT OLD.created_by
BEGIN
  SELECT RAISE(ABORT, 'entry_versions is append-only: redaction is the one change');
END;
CREATE TRIGGER entry_versions_space_insert
BEFORE INSERT ON entry_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_versions.entry_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_versions_space_update
BEFORE UPDATE OF entry_id ON entry_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_versions.entry_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_versions_numbered
BEFORE INSERT ON entry_versions
WHEN NEW.version_num IS NOT
  1 + ifnull((SELECT max(version_num) FROM entry_versions WHERE entry_id = NEW.entry_id), 0)
BEGIN
  SELECT RAISE(ABORT, 'entry_versions: versions are numbered without a gap');
END;

CREATE TRIGGER entry_versions_body
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body)
BEGIN
  SELECT CASE
    WHEN json_type(NEW.body) IS NOT 'object'
      THEN RAISE(ABORT, 'entry_versions.body must be a JSON object')
    WHEN (SELECT entry_type FROM entries WHERE id = NEW.entry_id) IN ('guideline', 'knowledge')
      AND json_type(NEW.body, '$.content') IS NOT 'text'
      THEN RAISE(ABORT, 'entry_versions.body of a guideline or knowledge needs a text "content"')
    WHEN (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'knowledge'
      AND json_type(NEW.body, '$.confidence') IS NOT NULL
      AND NOT ifnull(json_extract(NEW.body, '$.confidence') BETWEEN 0 AND 1
        AND json_type(NEW.body, '$.confidence') IN ('integer', 'real'), 0)
      THEN RAISE(ABORT, 'entry_versions.body: confidence is a number from 0 to 1')
  END;
END;

CREATE TABLE entry_conflicts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  entry_id TEXT NOT NULL REFERENCES entries(id),
  version_a_id TEXT NOT NULL REFERENCES entry_versions(id),
  version_b_id TEXT NOT NULL REFERENCES entry_versions(id),
  detected_at INTEGER NOT NULL,
  resolved INTEGER NOT NULL DEFAULT 0 CHECK (resolved IN (0, 1)),
  resolution TEXT,
  resolved_at INTEGER,
  resolved_by TEXT REFERENCES agents(id),
  UNIQUE (version_a_id, version_b_id),
  CHECK (version_a_id <> version_b_id),
  CHECK (resolved = 0 OR (resolved_at IS NOT NULL AND resolved_by IS NOT NULL))
) STRICT;

CREATE INDEX idx_entry_conflicts_open ON entry_conflicts(entry_id) WHERE resolved = 0;
CREATE INDEX idx_entry_conflicts_space ON entry_conflicts(space_id);

CREATE TRIGGER entry_conflicts_no_replace
BEFORE INSERT ON entry_conflicts
WHEN EXISTS (SELECT 1 FROM entry_conflicts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entry_conflicts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entry_conflicts_identity
BEFORE UPDATE ON entry_conflicts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: rid, id and space_id never change');
END;

CREATE TRIGGER entry_conflicts_delete_guard
BEFORE DELETE ON entry_conflicts
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;
CREATE TRIGGER entry_conflicts_space_insert
BEFORE INSERT ON entry_conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.entry_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_conflicts_space_update
BEFORE UPDATE OF entry_id, version_a_id, version_b_id ON entry_conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.entry_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_conflicts_versions
BEFORE INSERT ON entry_conflicts
WHEN (SELECT entry_id FROM entry_versions WHERE id = NEW.version_a_id) IS NOT NEW.entry_id
  OR (SELECT entry_id FROM entry_versions WHERE id = NEW.version_b_id) IS NOT NEW.entry_id
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: both versions must belong to the entry');
END;

CREATE TRIGGER entry_conflicts_pair_immutable
BEFORE UPDATE ON entry_conflicts
WHEN NEW.entry_id IS NOT OLD.entry_id
  OR NEW.version_a_id IS NOT OLD.version_a_id
  OR NEW.version_b_id IS NOT OLD.version_b_id
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: the entry and its two versions are immutable');
END;
