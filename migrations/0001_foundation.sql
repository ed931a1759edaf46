-- Who may see what: settings, spaces, agents, memberships, tokens.
--
-- Holds for every file: tables are STRICT; `rid` is the row's own integer key (full text and vector
-- rows point at it) and `id` its public UUIDv7; times are epoch milliseconds that the engine supplies.
-- The connection has foreign_keys and recursive_triggers on.
--
-- Trigger families, by the end of their names:
--   _no_replace      an insert under an existing id fails, so INSERT OR REPLACE cannot rewrite a row
--   _identity        rid, id and space_id never change
--   _delete_guard    rows are deleted only in compliance mode (a missing setting counts as "off")
--   _append_only     rows do not change, except by redaction where the message says so
--   _redaction_final what is redacted stays redacted
--   _space_insert, _space_update   a row's references lie in its own space (or in GLOBAL, where said)

CREATE TABLE system_settings (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (key <> 'compliance_mode' OR value IN ('true', 'false'))
) STRICT;

CREATE TABLE memory_spaces (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  space_type TEXT NOT NULL CHECK (space_type IN
    ('global', 'user_core', 'user_personal', 'organization', 'project', 'shared', 'hive')),
  parent_space_id TEXT REFERENCES memory_spaces(id),
  read_policy TEXT NOT NULL DEFAULT 'members' CHECK (read_policy IN ('owner_only', 'members', 'public')),
  write_policy TEXT NOT NULL DEFAULT 'members' CHECK (write_policy IN ('owner_only', 'leaders', 'members')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'deleted')),
  description TEXT,
  root_path TEXT,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  created_by_actor TEXT REFERENCES agents(id),
  CHECK ((id = 'GLOBAL') = (space_type = 'global'))
) STRICT;

-- Names are unique under their parent, without case (ASCII here; the engine folds the rest).
CREATE UNIQUE INDEX uq_spaces_name
ON memory_spaces(ifnull(parent_space_id, ''), name COLLATE NOCASE) WHERE status <> 'deleted';
CREATE INDEX idx_spaces_parent ON memory_spaces(parent_space_id);

CREATE TRIGGER memory_spaces_no_replace
BEFORE INSERT ON memory_spaces
WHEN EXISTS (SELECT 1 FROM memory_spaces WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_spaces WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_spaces_identity
BEFORE UPDATE ON memory_spaces
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: rid and id never change');
END;

CREATE TRIGGER memory_spaces_delete_guard
BEFORE DELETE ON memory_spaces
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

-- Every space with each of its ancestors.
CREATE VIEW space_ancestors(space_id, ancestor_id) AS
WITH RECURSIVE up(space_id, ancestor_id) AS (
  SELECT id, parent_space_id FROM memory_spaces WHERE parent_space_id IS NOT NULL
  UNION
  SELECT up.space_id, parent.parent_space_id
  FROM up JOIN memory_spaces parent ON parent.id = up.ancestor_id
  WHERE parent.parent_space_id IS NOT NULL
)
SELECT space_id, ancestor_id FROM up;

CREATE TRIGGER memory_spaces_no_cycle
AFTER UPDATE OF parent_space_id ON memory_spaces
WHEN EXISTS (SELECT 1 FROM space_ancestors WHERE space_id = NEW.id AND ancestor_id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: a space cannot be its own ancestor');
END;

CREATE TRIGGER memory_spaces_no_self_parent
BEFORE INSERT ON memory_spaces
WHEN NEW.parent_space_id = NEW.id
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: a space cannot be its own parent');
END;

-- Overlays widen what is read, and nothing else: no reference crosses on their account.
CREATE TABLE space_overlays (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  overlay_space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  include_mode TEXT NOT NULL DEFAULT 'read_only' CHECK (include_mode IN ('read_only', 'read_write')),
  created_at INTEGER NOT NULL,
  created_by_actor TEXT REFERENCES agents(id),
  UNIQUE (space_id, overlay_space_id),
  CHECK (space_id <> overlay_space_id)
) STRICT;

CREATE TRIGGER space_overlays_no_replace
BEFORE INSERT ON space_overlays
WHEN EXISTS (SELECT 1 FROM space_overlays WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_overlays WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_overlays_identity
BEFORE UPDATE ON space_overlays
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: rid, id and space_id never change');
END;

-- Every space with each space that it reads through overlays, however many hops away.
CREATE VIEW overlay_reach(space_id, reach_id) AS
WITH RECURSIVE reach(space_id, reach_id) AS (
  SELECT space_id, overlay_space_id FROM space_overlays
  UNION
  SELECT reach.space_id, next.overlay_space_id
  FROM reach JOIN space_overlays next ON next.space_id = reach.reach_id
)
SELECT space_id, reach_id FROM reach;

CREATE TRIGGER space_overlays_no_cycle_insert
AFTER INSERT ON space_overlays
WHEN EXISTS (SELECT 1 FROM overlay_reach WHERE space_id = NEW.space_id AND reach_id = NEW.space_id)
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: overlays cannot form a cycle');
END;

CREATE TRIGGER space_overlays_no_cycle_update
AFTER UPDATE OF overlay_space_id ON space_overlays
WHEN EXISTS (SELECT 1 FROM overlay_reach WHERE space_id = NEW.space_id AND reach_id = NEW.space_id)
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: overlays cannot form a cycle');
END;

CREATE TABLE agents (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  agent_type TEXT NOT NULL CHECK (agent_type IN ('system', 'human', 'ai')),
  default_trust_weight REAL NOT NULL DEFAULT 1.0 CHECK (default_trust_weight BETWEEN 0 AND 1),
  home_space_id TEXT REFERENCES memory_spaces(id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER agents_no_replace
BEFORE INSERT ON agents
WHEN EXISTS (SELECT 1 FROM agents WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM agents WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'agents: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER agents_identity
BEFORE UPDATE ON agents
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'agents: rid and id never change');
END;

CREATE TRIGGER agents_delete_guard
BEFORE DELETE ON agents
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'agents: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

-- A membership ends by its status; the row stays.
CREATE TABLE space_memberships (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  agent_id TEXT NOT NULL REFERENCES agents(id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'leader', 'member', 'observer')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'removed')),
  trust_weight REAL CHECK (trust_weight BETWEEN 0 AND 1),
  added_at INTEGER NOT NULL,
  added_by_actor TEXT NOT NULL REFERENCES agents(id),
  UNIQUE (space_id, agent_id)
) STRICT;

CREATE INDEX idx_memberships_agent ON space_memberships(agent_id, status);

CREATE TRIGGER space_memberships_no_replace
BEFORE INSERT ON space_memberships
WHEN EXISTS (SELECT 1 FROM space_memberships WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_memberships WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_memberships: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_memberships_identity
BEFORE UPDATE ON space_memberships
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_memberships: rid, id and space_id never change');
END;

CREATE TRIGGER space_memberships_delete_guard
BEFORE DELETE ON space_memberships
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'space_memberships: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

-- What an agent may do beyond its role: redact, forget, approve, change compliance mode.
CREATE TABLE agent_grants (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  agent_id TEXT NOT NULL REFERENCES agents(id),
  operation TEXT NOT NULL CHECK (operation IN
    ('redact', 'forget', 'purge', 'compliance_mode', 'approve_promotion', 'manage_members')),
  granted_by TEXT NOT NULL REFERENCES agents(id),
  granted_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE UNIQUE INDEX uq_grants_live ON agent_grants(space_id, agent_id, operation) WHERE revoked_at IS NULL;

CREATE TRIGGER agent_grants_no_replace
BEFORE INSERT ON agent_grants
WHEN EXISTS (SELECT 1 FROM agent_grants WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM agent_grants WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'agent_grants: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER agent_grants_identity
BEFORE UPDATE ON agent_grants
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'agent_grants: rid, id and space_id never change');
END;

CREATE TRIGGER agent_grants_delete_guard
BEFORE DELETE ON agent_grants
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'agent_grants: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;
