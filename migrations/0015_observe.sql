-- What was asked, what was given, who did what.

CREATE TABLE compiled_contexts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  session_id TEXT REFERENCES sessions(id),
  query TEXT,
  policy TEXT NOT NULL DEFAULT 'auto' CHECK (policy IN ('auto', 'task', 'workspace')),
  budget_tokens INTEGER CHECK (budget_tokens >= 0),
  estimated_tokens INTEGER CHECK (estimated_tokens >= 0),
  blocks TEXT NOT NULL CHECK (json_valid(blocks)),
  full_text TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  memory_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(memory_ids)),
  claim_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(claim_ids)),
  edge_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(edge_ids)),
  item_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(item_ids)),
  verification_warnings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(verification_warnings)),
  recall_warnings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(recall_warnings)),
  overlay_space_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(overlay_space_ids)),
  compiler_config_version TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND query IS NULL AND blocks = '[]'
    AND full_text = '[REDACTED]' AND verification_warnings = '[]' AND recall_warnings = '[]'))
) STRICT;

CREATE INDEX idx_contexts_space ON compiled_contexts(space_id, created_at);
CREATE INDEX idx_contexts_expires ON compiled_contexts(expires_at) WHERE expires_at IS NOT NULL;

CREATE TRIGGER compiled_contexts_no_replace
BEFORE INSERT ON compiled_contexts
WHEN EXISTS (SELECT 1 FROM compiled_contexts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM compiled_contexts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'compiled_contexts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER compiled_contexts_identity
BEFORE UPDATE ON compiled_contexts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'compiled_contexts: rid, id and space_id never change');
END;

CREATE TRIGGER compiled_contexts_redaction_final
BEFORE UPDATE ON compiled_contexts
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'compiled_contexts: a redacted row stays redacted');
END;
CREATE TRIGGER compiled_contexts_space_insert
BEFORE INSERT ON compiled_contexts
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'compiled_contexts.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER compiled_contexts_space_update
BEFORE UPDATE OF session_id ON compiled_contexts
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'compiled_contexts.session_id must lie in the space of its row')
  END;
END;

CREATE TABLE answer_traces (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  query TEXT NOT NULL,
  compiled_context_id TEXT REFERENCES compiled_contexts(id) ON DELETE SET NULL,
  recall_trace TEXT NOT NULL CHECK (json_valid(recall_trace)),
  answer TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'abstained', 'error')),
  feedback_type TEXT CHECK (feedback_type IN ('positive', 'negative', 'correction')),
  correction_text TEXT,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND query = '[REDACTED]' AND recall_trace = '{}'
    AND answer IS NULL AND correction_text IS NULL))
) STRICT;

CREATE INDEX idx_traces_space ON answer_traces(space_id, created_at);
CREATE INDEX idx_traces_context ON answer_traces(compiled_context_id);
CREATE INDEX idx_traces_expires ON answer_traces(expires_at) WHERE expires_at IS NOT NULL;

CREATE TRIGGER answer_traces_no_replace
BEFORE INSERT ON answer_traces
WHEN EXISTS (SELECT 1 FROM answer_traces WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM answer_traces WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'answer_traces: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER answer_traces_identity
BEFORE UPDATE ON answer_traces
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'answer_traces: rid, id and space_id never change');
END;

CREATE TRIGGER answer_traces_redaction_final
BEFORE UPDATE ON answer_traces
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'answer_traces: a redacted row stays redacted');
END;
CREATE TRIGGER answer_traces_space_insert
BEFORE INSERT ON answer_traces
BEGIN
  SELECT CASE
    WHEN NEW.compiled_context_id IS NOT NULL AND (SELECT space_id FROM compiled_contexts WHERE id = NEW.compiled_context_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'answer_traces.compiled_context_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER answer_traces_space_update
BEFORE UPDATE OF compiled_context_id ON answer_traces
BEGIN
  SELECT CASE
    WHEN NEW.compiled_context_id IS NOT NULL AND (SELECT space_id FROM compiled_contexts WHERE id = NEW.compiled_context_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'answer_traces.compiled_context_id must lie in the space of its row')
  END;
END;

-- The ledger: ids and hashes only. Each row holds the hash of the one before; nothing is ever changed or
-- removed. space_id and actor_id are plain words here, as the ledger outlives what it names.
CREATE TABLE audit_events (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_type TEXT NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  instance_id TEXT NOT NULL,
  logical_clock INTEGER NOT NULL,
  space_id TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  request_id TEXT,
  purpose TEXT,
  occurred_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  UNIQUE (instance_id, logical_clock)
) STRICT;

CREATE INDEX idx_audit_type ON audit_events(event_type, recorded_at);
CREATE INDEX idx_audit_object ON audit_events(object_type, object_id);
CREATE INDEX idx_audit_time ON audit_events(recorded_at);
CREATE INDEX idx_audit_space ON audit_events(space_id, recorded_at);
CREATE INDEX idx_audit_actor ON audit_events(actor_id, recorded_at);

CREATE TRIGGER audit_events_no_replace
BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM audit_events WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER audit_events_append_only
BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'audit_events is append-only: no row changes');
END;

CREATE TRIGGER audit_events_no_delete
BEFORE DELETE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'audit_events is append-only: no row is deleted');
END;

CREATE TRIGGER audit_events_unique
BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events WHERE hash = NEW.hash)
  OR EXISTS (SELECT 1 FROM audit_events
    WHERE instance_id = NEW.instance_id AND logical_clock = NEW.logical_clock)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: this hash or clock is taken, and rows are never replaced');
END;

CREATE TRIGGER audit_events_chain
BEFORE INSERT ON audit_events
WHEN NEW.prev_hash IS NOT ifnull((SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1), '')
BEGIN
  SELECT RAISE(ABORT, 'audit_events: prev_hash must be the hash of the last event');
END;

CREATE TRIGGER audit_events_order
AFTER INSERT ON audit_events
WHEN NEW.rid IS NOT (SELECT max(rid) FROM audit_events)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: events are appended at the end');
END;

-- What undo needs to put a decision back.
CREATE TABLE undo_log (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  operation TEXT NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  before_state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(before_state)),
  after_state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(after_state)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  undone_by TEXT REFERENCES agents(id),
  undone_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND before_state = '{}' AND after_state = '{}'))
) STRICT;

CREATE INDEX idx_undo_space ON undo_log(space_id, created_at);
CREATE INDEX idx_undo_object ON undo_log(object_type, object_id);
CREATE INDEX idx_undo_expires ON undo_log(expires_at) WHERE expires_at IS NOT NULL;

CREATE TRIGGER undo_log_no_replace
BEFORE INSERT ON undo_log
WHEN EXISTS (SELECT 1 FROM undo_log WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM undo_log WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'undo_log: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER undo_log_identity
BEFORE UPDATE ON undo_log
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'undo_log: rid, id and space_id never change');
END;

CREATE TRIGGER undo_log_redaction_final
BEFORE UPDATE ON undo_log
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'undo_log: a redacted row stays redacted');
END;

CREATE TRIGGER undo_log_once
BEFORE UPDATE OF undone_at ON undo_log
WHEN OLD.undone_at IS NOT NULL AND NEW.undone_at IS NOT OLD.undone_at
BEGIN
  SELECT RAISE(ABORT, 'undo_log: an entry is undone once');
END;
