-- Forgetting: what was begun and must come to its end, and what refuses to hang anew on what is forgotten.

-- A forgetting under way or done. It is written before anything goes, so that one cut off by the death of the process is
-- ended at the next start. Everything in it is ids, counts and fixed words.
CREATE TABLE forgettings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  -- What was named: memory, artifact, entity, claim, owner, folder, query.
  selector TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'erased', 'done', 'cancelled')),
  -- The rows that it begins from, by table: {"memories": ["..."]}.
  roots TEXT NOT NULL CHECK (json_valid(roots)),
  -- How many rows lost what they said, by table.
  counts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(counts)),
  -- What was looked for afterwards, and what was found: numbers only.
  proof TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(proof)),
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK (status NOT IN ('done', 'cancelled') OR ended_at IS NOT NULL),
  CHECK (ended_at IS NULL OR status IN ('done', 'cancelled'))
) STRICT;

CREATE INDEX idx_forgettings_open ON forgettings(rid) WHERE ended_at IS NULL;

CREATE TRIGGER forgettings_no_replace
BEFORE INSERT ON forgettings
WHEN EXISTS (SELECT 1 FROM forgettings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM forgettings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'forgettings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER forgettings_identity
BEFORE UPDATE ON forgettings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'forgettings: rid and id never change');
END;

CREATE TRIGGER forgettings_delete_guard
BEFORE DELETE ON forgettings
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'forgettings: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

-- A worker that read a file while it was forgotten keeps nothing of it.
CREATE TRIGGER derived_text_views_of_redacted
BEFORE INSERT ON derived_text_views
WHEN (SELECT is_redacted FROM artifacts WHERE id = NEW.artifact_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: its file was redacted');
END;

CREATE TRIGGER thumbnails_of_redacted
BEFORE INSERT ON thumbnails
WHEN (SELECT is_redacted FROM artifacts WHERE id = NEW.artifact_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'thumbnails: its file was redacted');
END;

CREATE TRIGGER text_units_of_redacted
BEFORE INSERT ON text_units
WHEN (SELECT is_redacted FROM memories WHERE id = NEW.owner_memory_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'text_units: its memory was redacted');
END;

CREATE TRIGGER claim_evidence_of_redacted
BEFORE INSERT ON claim_evidence
WHEN (SELECT is_redacted FROM memories WHERE id = NEW.memory_id) = 1
  OR (SELECT is_redacted FROM derived_text_views WHERE id = NEW.derived_text_view_id) = 1
  OR (SELECT is_redacted FROM claims WHERE id = NEW.claim_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: its source or its claim was redacted');
END;

CREATE TRIGGER memory_entity_links_of_redacted
BEFORE INSERT ON memory_entity_links
WHEN (SELECT is_redacted FROM memories WHERE id = NEW.memory_id) = 1
  OR (SELECT is_redacted FROM entities WHERE id = NEW.entity_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'memory_entity_links: its memory or its entity was redacted');
END;
