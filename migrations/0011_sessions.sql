-- What agents work with: standing blocks, sessions and their state, resources.

-- Always-visible memory of high authority: standing rules, stable preferences.
CREATE TABLE core_blocks (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  label TEXT NOT NULL,
  content TEXT NOT NULL,
  authority INTEGER NOT NULL DEFAULT 50 CHECK (authority BETWEEN 0 AND 100),
  read_only INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1)),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  current_version INTEGER NOT NULL DEFAULT 1 CHECK (current_version >= 1),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND content = '[REDACTED]' AND metadata = '{}'))
) STRICT;

CREATE UNIQUE INDEX uq_core_blocks_label ON core_blocks(space_id, label) WHERE is_active = 1;

CREATE TRIGGER core_blocks_no_replace
BEFORE INSERT ON core_blocks
WHEN EXISTS (SELECT 1 FROM core_blocks WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM core_blocks WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER core_blocks_identity
BEFORE UPDATE ON core_blocks
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: rid, id and space_id never change');
END;

CREATE TRIGGER core_blocks_delete_guard
BEFORE DELETE ON core_blocks
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER core_blocks_redaction_final
BEFORE UPDATE ON core_blocks
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: a redacted row stays redacted');
END;

CREATE TABLE core_block_versions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  core_block_id TEXT NOT NULL REFERENCES core_blocks(id),
  version_num INTEGER NOT NULL CHECK (version_num >= 1),
  content TEXT NOT NULL,
  change_reason TEXT,
  created_by TEXT NOT NULL REFERENCES agents(id),
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (core_block_id, version_num),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND content = '[REDACTED]' AND change_reason IS NULL))
) STRICT;

CREATE TRIGGER core_block_versions_no_replace
BEFORE INSERT ON core_block_versions
WHEN EXISTS (SELECT 1 FROM core_block_versions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM core_block_versions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'core_block_versions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER core_block_versions_delete_guard
BEFORE DELETE ON core_block_versions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'core_block_versions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER core_block_versions_append_only
BEFORE UPDATE ON core_block_versions
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.core_block_id IS NOT OLD.core_block_id
  OR NEW.version_num IS NOT OLD.version_num
  OR NEW.created_by IS NOT OLD.created_by
  OR NEW.created_at IS NOT OLD.created_at
BEGIN
  SELECT RAISE(ABORT, 'core_block_versions is append-only: redaction is the one change');
END;
CREATE TRIGGER core_block_versions_space_insert
BEFORE INSERT ON core_block_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM core_blocks WHERE id = NEW.core_block_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'core_block_versions.core_block_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER core_block_versions_space_update
BEFORE UPDATE OF core_block_id ON core_block_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM core_blocks WHERE id = NEW.core_block_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'core_block_versions.core_block_id must lie in the space of its row')
  END;
END;

CREATE TABLE sessions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT,
  purpose TEXT,
  agent_id TEXT REFERENCES agents(id),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'completed', 'discarded')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (status NOT IN ('completed', 'discarded') OR ended_at IS NOT NULL),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND name IS NULL AND purpose IS NULL AND metadata = '{}'))
) STRICT;

CREATE INDEX idx_sessions_space ON sessions(space_id, status, started_at);
CREATE INDEX idx_sessions_agent ON sessions(agent_id);

CREATE TRIGGER sessions_no_replace
BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM sessions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM sessions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'sessions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER sessions_identity
BEFORE UPDATE ON sessions
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'sessions: rid, id and space_id never change');
END;

CREATE TRIGGER sessions_delete_guard
BEFORE DELETE ON sessions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'sessions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER sessions_redaction_final
BEFORE UPDATE ON sessions
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'sessions: a redacted row stays redacted');
END;

CREATE TRIGGER sessions_end_once
BEFORE UPDATE OF status ON sessions
WHEN OLD.status IN ('completed', 'discarded') AND NEW.status IS NOT OLD.status
BEGIN
  SELECT RAISE(ABORT, 'sessions: an ended session stays ended');
END;

-- The task in hand, in few words. Without a session it holds for the whole space.
CREATE TABLE session_states (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  session_id TEXT REFERENCES sessions(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'blocked', 'complete')),
  current_goal TEXT NOT NULL,
  summary TEXT,
  working_set TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(working_set)),
  source_event_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_event_ids)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND current_goal = '[REDACTED]' AND summary IS NULL
    AND working_set = '[]' AND metadata = '{}'))
) STRICT;

CREATE INDEX idx_session_states_space ON session_states(space_id, status, updated_at);
CREATE INDEX idx_session_states_session ON session_states(session_id);

CREATE TRIGGER session_states_no_replace
BEFORE INSERT ON session_states
WHEN EXISTS (SELECT 1 FROM session_states WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM session_states WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'session_states: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER session_states_identity
BEFORE UPDATE ON session_states
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'session_states: rid, id and space_id never change');
END;

CREATE TRIGGER session_states_delete_guard
BEFORE DELETE ON session_states
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'session_states: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER session_states_redaction_final
BEFORE UPDATE ON session_states
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'session_states: a redacted row stays redacted');
END;
CREATE TRIGGER session_states_space_insert
BEFORE INSERT ON session_states
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'session_states.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER session_states_space_update
BEFORE UPDATE OF session_id ON session_states
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'session_states.session_id must lie in the space of its row')
  END;
END;

CREATE TABLE workspace_resources (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  uri TEXT NOT NULL,
  parent_uri TEXT,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT,
  content_hash TEXT,
  source_event_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_event_ids)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  current_version INTEGER NOT NULL DEFAULT 1 CHECK (current_version >= 1),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (space_id, uri),
  CHECK (parent_uri IS NULL OR parent_uri <> uri),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND title = '[REDACTED]'
    AND ifnull(content, '[REDACTED]') = '[REDACTED]' AND metadata = '{}'))
) STRICT;

CREATE INDEX idx_resources_parent ON workspace_resources(space_id, parent_uri);

CREATE TRIGGER workspace_resources_no_replace
BEFORE INSERT ON workspace_resources
WHEN EXISTS (SELECT 1 FROM workspace_resources WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM workspace_resources WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER workspace_resources_identity
BEFORE UPDATE ON workspace_resources
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: rid, id and space_id never change');
END;

CREATE TRIGGER workspace_resources_delete_guard
BEFORE DELETE ON workspace_resources
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER workspace_resources_redaction_final
BEFORE UPDATE ON workspace_resources
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: a redacted row stays redacted');
END;

-- What a resource said and when, so that the past can be asked for.
CREATE TABLE workspace_resource_versions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  resource_id TEXT NOT NULL REFERENCES workspace_resources(id),
  version_num INTEGER NOT NULL CHECK (version_num >= 1),
  title TEXT NOT NULL,
  content TEXT,
  content_hash TEXT,
  valid_from INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (resource_id, version_num),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND title = '[REDACTED]'
    AND ifnull(content, '[REDACTED]') = '[REDACTED]'))
) STRICT;

CREATE TRIGGER workspace_resource_versions_no_replace
BEFORE INSERT ON workspace_resource_versions
WHEN EXISTS (SELECT 1 FROM workspace_resource_versions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM workspace_resource_versions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'workspace_resource_versions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER workspace_resource_versions_delete_guard
BEFORE DELETE ON workspace_resource_versions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'workspace_resource_versions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER workspace_resource_versions_append_only
BEFORE UPDATE ON workspace_resource_versions
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.resource_id IS NOT OLD.resource_id
  OR NEW.version_num IS NOT OLD.version_num
  OR NEW.valid_from IS NOT OLD.valid_from
  OR NEW.recorded_at IS NOT OLD.recorded_at
  OR NEW.actor_id IS NOT OLD.actor_id
BEGIN
  SELECT RAISE(ABORT, 'workspace_resource_versions is append-only: redaction is the one change');
END;
CREATE TRIGGER workspace_resource_versions_space_insert
BEFORE INSERT ON workspace_resource_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM workspace_resources WHERE id = NEW.resource_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'workspace_resource_versions.resource_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER workspace_resource_versions_space_update
BEFORE UPDATE OF resource_id ON workspace_resource_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM workspace_resources WHERE id = NEW.resource_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'workspace_resource_versions.resource_id must lie in the space of its row')
  END;
END;
