-- How agents come in, what a space is set to, and what it refuses.

-- Tokens are kept as hashes: what is in here opens nothing.
CREATE TABLE agent_tokens (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
  name TEXT,
  space_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(space_ids)),
  rights TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(rights)),
  requests_per_minute INTEGER CHECK (requests_per_minute > 0),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

CREATE INDEX idx_tokens_agent ON agent_tokens(agent_id);

CREATE TRIGGER agent_tokens_no_replace
BEFORE INSERT ON agent_tokens
WHEN EXISTS (SELECT 1 FROM agent_tokens WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM agent_tokens WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER agent_tokens_identity
BEFORE UPDATE ON agent_tokens
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: rid and id never change');
END;

CREATE TRIGGER agent_tokens_delete_guard
BEFORE DELETE ON agent_tokens
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER agent_tokens_fixed
BEFORE UPDATE ON agent_tokens
WHEN NEW.agent_id IS NOT OLD.agent_id
  OR NEW.token_hash IS NOT OLD.token_hash
  OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at)
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: agent and hash are fixed, and a revoked token stays revoked');
END;

-- An agent asks to be let in with a secret that it made itself; here is its hash. Name and process are what it *claims*.
CREATE TABLE pairing_requests (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL DEFAULT 'pairing' CHECK (kind IN ('pairing', 'access')),
  client_name TEXT NOT NULL,
  claimed_process TEXT,
  peer_uid INTEGER,
  token_hash TEXT NOT NULL CHECK (length(token_hash) = 64),
  requested_spaces TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(requested_spaces)),
  requested_rights TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(requested_rights)),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'denied', 'expired')),
  decision TEXT CHECK (decision IN ('once', 'always', 'never')),
  decided_by TEXT REFERENCES agents(id),
  decided_at INTEGER,
  agent_id TEXT REFERENCES agents(id),
  token_id TEXT REFERENCES agent_tokens(id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  CHECK (status NOT IN ('approved', 'denied') OR (decision IS NOT NULL AND decided_by IS NOT NULL AND decided_at IS NOT NULL))
) STRICT;

CREATE INDEX idx_pairing_status ON pairing_requests(status, created_at);
CREATE INDEX idx_pairing_name ON pairing_requests(client_name, status);

CREATE TRIGGER pairing_requests_no_replace
BEFORE INSERT ON pairing_requests
WHEN EXISTS (SELECT 1 FROM pairing_requests WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM pairing_requests WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER pairing_requests_identity
BEFORE UPDATE ON pairing_requests
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: rid and id never change');
END;

CREATE TRIGGER pairing_requests_delete_guard
BEFORE DELETE ON pairing_requests
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER pairing_requests_decided_once
BEFORE UPDATE OF status ON pairing_requests
WHEN OLD.status <> 'pending' AND NEW.status <> OLD.status
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: a decided request stays decided; revoke the token instead');
END;

CREATE TABLE space_settings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  key TEXT NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  updated_by TEXT REFERENCES agents(id),
  updated_at INTEGER NOT NULL,
  UNIQUE (space_id, key)
) STRICT;

CREATE TRIGGER space_settings_no_replace
BEFORE INSERT ON space_settings
WHEN EXISTS (SELECT 1 FROM space_settings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_settings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_settings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_settings_identity
BEFORE UPDATE ON space_settings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_settings: rid, id and space_id never change');
END;

-- What was forgotten or refused must not come back: keyed hashes (HMAC-SHA-256), never the values.
CREATE TABLE rejected_values (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  value_kind TEXT NOT NULL CHECK (value_kind IN ('content', 'artifact', 'detected_value', 'entity_name', 'uri')),
  value_hmac TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('forgotten', 'redacted', 'rejected', 'purged')),
  source_type TEXT,
  source_id TEXT,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  created_at INTEGER NOT NULL,
  -- When and by whom it was let in again; null while it is refused.
  allowed_at INTEGER,
  allowed_by TEXT REFERENCES agents(id),
  UNIQUE (space_id, value_kind, value_hmac)
) STRICT;

CREATE INDEX idx_rejected_hmac ON rejected_values(value_hmac);

CREATE TRIGGER rejected_values_no_replace
BEFORE INSERT ON rejected_values
WHEN EXISTS (SELECT 1 FROM rejected_values WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM rejected_values WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'rejected_values: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER rejected_values_delete_guard
BEFORE DELETE ON rejected_values
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'rejected_values: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER rejected_values_fixed
BEFORE UPDATE ON rejected_values
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.value_kind IS NOT OLD.value_kind
  OR NEW.value_hmac IS NOT OLD.value_hmac
  OR NEW.reason IS NOT OLD.reason
  OR NEW.source_type IS NOT OLD.source_type
  OR NEW.source_id IS NOT OLD.source_id
  OR NEW.actor_id IS NOT OLD.actor_id
  OR NEW.created_at IS NOT OLD.created_at
BEGIN
  SELECT RAISE(ABORT, 'rejected_values: a refused value is fixed; only whether it is let in again changes');
END;

-- The full text tables of a space. The store makes and drops them while it runs: word statistics are
-- global to an FTS5 table, so sharing one would let a space's rows change the scores of another.
CREATE TABLE space_indexes (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  kind TEXT NOT NULL DEFAULT 'units' CHECK (kind IN
    ('units', 'claims', 'events', 'entries', 'resources', 'session_states', 'entities')),
  fts_table TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, kind)
) STRICT;

CREATE TRIGGER space_indexes_no_replace
BEFORE INSERT ON space_indexes
WHEN EXISTS (SELECT 1 FROM space_indexes WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_indexes WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_indexes: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_indexes_identity
BEFORE UPDATE ON space_indexes
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_indexes: rid, id and space_id never change');
END;

-- Agents' locks on files of a space's work tree.
CREATE TABLE file_locks (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  path TEXT NOT NULL,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  session_id TEXT REFERENCES sessions(id),
  note TEXT,
  checked_out_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  released_at INTEGER,
  released_by TEXT REFERENCES agents(id),
  was_forced INTEGER NOT NULL DEFAULT 0 CHECK (was_forced IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX uq_file_locks_held ON file_locks(space_id, path) WHERE released_at IS NULL;

CREATE TRIGGER file_locks_no_replace
BEFORE INSERT ON file_locks
WHEN EXISTS (SELECT 1 FROM file_locks WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM file_locks WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'file_locks: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER file_locks_identity
BEFORE UPDATE ON file_locks
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'file_locks: rid, id and space_id never change');
END;
CREATE TRIGGER file_locks_space_insert
BEFORE INSERT ON file_locks
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'file_locks.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER file_locks_space_update
BEFORE UPDATE OF session_id ON file_locks
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'file_locks.session_id must lie in the space of its row')
  END;
END;

CREATE TABLE saved_searches (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  filters TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(filters)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (space_id, actor_id, name)
) STRICT;

CREATE TRIGGER saved_searches_no_replace
BEFORE INSERT ON saved_searches
WHEN EXISTS (SELECT 1 FROM saved_searches WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM saved_searches WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'saved_searches: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER saved_searches_identity
BEFORE UPDATE ON saved_searches
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'saved_searches: rid, id and space_id never change');
END;
