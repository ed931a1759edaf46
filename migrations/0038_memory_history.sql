-- When a memory was in use, in both times: each change of its status once, as claims have them. A row comes about with the
-- change itself, by a trigger, so that no way of changing a status leaves none; a memory without rows is in use since it was kept.
CREATE TABLE memory_status_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,               -- that of the memory, and which of its changes it is
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT NOT NULL REFERENCES memories(id),
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  valid_from INTEGER,                    -- since when it is so; null for what was never so (retracted), and for the end of that
  changed_at INTEGER NOT NULL,           -- when that was recorded
  CHECK (from_status <> to_status)
) STRICT;

CREATE INDEX idx_memory_history_memory ON memory_status_history(memory_id, rid);
CREATE INDEX idx_memory_history_space ON memory_status_history(space_id, changed_at);
-- What is out of use and may be asked for as of another time, by space, the latest change last.
CREATE INDEX idx_memories_past ON memories(space_id, status_changed_at)
WHERE status NOT IN ('active', 'deleted') AND is_redacted = 0;

-- Of what changed before there was a history, only the last change is known. What is in use again was so all along.
INSERT INTO memory_status_history (id, space_id, memory_id, from_status, to_status, valid_from, changed_at)
SELECT id || ':1', space_id, id, 'active', status,
  CASE status WHEN 'retracted' THEN NULL ELSE coalesce(valid_to, status_changed_at, created_at) END,
  coalesce(status_changed_at, valid_to, created_at)
FROM memories WHERE status <> 'active' AND is_redacted = 0 ORDER BY rid;

CREATE TRIGGER memory_status_history_no_replace
BEFORE INSERT ON memory_status_history
WHEN EXISTS (SELECT 1 FROM memory_status_history WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_status_history WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_status_history_delete_guard
BEFORE DELETE ON memory_status_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
  AND (SELECT is_redacted FROM memories WHERE id = OLD.memory_id) IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history: rows are deleted only in compliance mode or with what a forgotten memory said');
END;

CREATE TRIGGER memory_status_history_append_only
BEFORE UPDATE ON memory_status_history
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history is append-only: no row changes');
END;

CREATE TRIGGER memory_status_history_space_insert
BEFORE INSERT ON memory_status_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_status_history.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_status_history_space_update
BEFORE UPDATE OF memory_id ON memory_status_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_status_history.memory_id must lie in the space of its row')
  END;
END;

-- Nobody writes a change that was none: it begins at the status of the last row, and ends at the one that the memory has.
CREATE TRIGGER memory_status_history_legal
BEFORE INSERT ON memory_status_history
WHEN NOT EXISTS (SELECT 1 FROM memories
    WHERE id = NEW.memory_id AND status = NEW.to_status AND status_changed_at = NEW.changed_at)
  OR NEW.from_status IS NOT ifnull((SELECT to_status FROM memory_status_history
    WHERE memory_id = NEW.memory_id ORDER BY rid DESC LIMIT 1), 'active')
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history: a row is the change by which its memory came to the status that it has');
END;

CREATE TRIGGER memories_status_has_time
BEFORE UPDATE OF status ON memories
WHEN NEW.status IS NOT OLD.status AND NEW.status_changed_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'memories: a status changes at a time, which status_changed_at says');
END;

CREATE TRIGGER memories_keep_history
AFTER UPDATE OF status ON memories
WHEN NEW.status IS NOT OLD.status AND NEW.is_redacted = 0
BEGIN
  INSERT INTO memory_status_history (id, space_id, memory_id, from_status, to_status, valid_from, changed_at)
  VALUES (
    NEW.id || ':' || (1 + (SELECT count(*) FROM memory_status_history WHERE memory_id = NEW.id)),
    NEW.space_id, NEW.id, OLD.status, NEW.status,
    CASE WHEN 'retracted' IN (OLD.status, NEW.status) THEN NULL
      WHEN NEW.status = 'active' THEN NEW.status_changed_at
      ELSE ifnull(NEW.valid_to, NEW.status_changed_at) END,
    NEW.status_changed_at);
END;

-- When a memory that is forgotten was in use is forgotten with it.
CREATE TRIGGER memories_forget_history
AFTER UPDATE OF is_redacted ON memories
WHEN OLD.is_redacted = 0 AND NEW.is_redacted = 1
BEGIN
  DELETE FROM memory_status_history WHERE memory_id = NEW.id;
END;
