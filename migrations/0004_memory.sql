-- Memories: one row each, whether a sentence an agent kept or a file a person dropped.

CREATE TABLE memory_status_transitions (
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  PRIMARY KEY (from_status, to_status)
) STRICT, WITHOUT ROWID;

INSERT INTO memory_status_transitions (from_status, to_status) VALUES
  ('active', 'superseded'), ('active', 'consolidated'), ('active', 'archived'),
  ('active', 'retracted'), ('active', 'expired'), ('active', 'deleted'),
  ('superseded', 'active'), ('superseded', 'deleted'),
  ('consolidated', 'active'), ('consolidated', 'deleted'),
  ('archived', 'active'), ('archived', 'deleted'),
  ('retracted', 'active'), ('retracted', 'deleted'),
  ('expired', 'active'), ('expired', 'deleted'),
  ('deleted', 'active');

CREATE TABLE memories (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,

  content TEXT,
  content_hash TEXT NOT NULL,
  modality TEXT NOT NULL DEFAULT 'text' CHECK (modality IN
    ('text', 'image', 'audio', 'video', 'pdf', 'document', 'html', 'source', 'other', 'mixed')),
  primary_artifact_id TEXT REFERENCES artifacts(id),
  title TEXT,
  summary TEXT,

  -- Classification
  scope TEXT NOT NULL CHECK (scope IN ('identity', 'preference', 'fact', 'experience', 'skill')),
  classification_confidence REAL NOT NULL DEFAULT 0.5 CHECK (classification_confidence BETWEEN 0 AND 1),
  classifier_id TEXT,
  record_kind TEXT,
  -- The rules, and their version, that its claims were last read by; null before its first reading.
  extractor_id TEXT,
  -- The detectors, and their version, that last looked for personal data in its words; null before they did.
  detected_by TEXT,
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  trust_level REAL NOT NULL DEFAULT 0.5 CHECK (trust_level BETWEEN 0 AND 1),

  -- Lifecycle
  tier TEXT NOT NULL DEFAULT 'warm' CHECK (tier IN ('hot', 'warm', 'cold')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN
    ('active', 'superseded', 'consolidated', 'archived', 'retracted', 'expired', 'deleted')),
  status_changed_at INTEGER,
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  expires_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,

  -- Versions
  memory_key TEXT,
  supersedes_id TEXT REFERENCES memories(id),
  superseded_by_id TEXT REFERENCES memories(id),
  consolidation_group TEXT,
  consolidated_into TEXT REFERENCES memories(id),

  -- Time
  valid_from INTEGER NOT NULL,
  valid_to INTEGER,
  occurred_at INTEGER,
  created_at INTEGER NOT NULL,

  -- Governance and envelope
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  source_type TEXT NOT NULL DEFAULT 'observation' CHECK (source_type IN
    ('observation', 'inference', 'consolidation', 'user_input')),
  layer TEXT NOT NULL DEFAULT 'distilled' CHECK (layer IN ('raw', 'distilled')),
  owner TEXT,
  artifact_ref TEXT,
  session_id TEXT,
  confidence_label TEXT NOT NULL DEFAULT 'observed' CHECK (confidence_label IN
    ('verified', 'observed', 'inferred', 'stale')),
  last_confirmed_at INTEGER,

  skill_links TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(skill_links)),
  sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),

  -- A text file's memory has the modality 'document' or 'source': its words are in a text view.
  CHECK (modality <> 'text' OR content IS NOT NULL),
  CHECK (content IS NOT NULL OR primary_artifact_id IS NOT NULL),
  CHECK (valid_to IS NULL OR valid_to >= valid_from),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND ifnull(content, '[REDACTED]') = '[REDACTED]'
    AND title IS NULL AND summary IS NULL AND skill_links = '[]' AND sources = '[]' AND metadata = '{}'))
) STRICT;

-- Idempotent per space. Deleted content that comes again is restored; redacted rows have other hashes.
CREATE UNIQUE INDEX uq_memories_space_hash ON memories(space_id, content_hash);
CREATE UNIQUE INDEX uq_memories_latest_by_key
ON memories(space_id, memory_key) WHERE memory_key IS NOT NULL AND status = 'active';
CREATE INDEX idx_memories_space_tier_status ON memories(space_id, tier, status);
CREATE INDEX idx_memories_space_created ON memories(space_id, created_at);
CREATE INDEX idx_memories_artifact ON memories(primary_artifact_id);
CREATE INDEX idx_memories_consolidation_group ON memories(consolidation_group);
CREATE INDEX idx_memories_consolidated_into ON memories(consolidated_into);
CREATE INDEX idx_memories_supersedes ON memories(supersedes_id);
CREATE INDEX idx_memories_superseded_by ON memories(superseded_by_id);
CREATE INDEX idx_memories_owner ON memories(owner) WHERE owner IS NOT NULL;
CREATE INDEX idx_memories_session ON memories(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX idx_memories_expires ON memories(expires_at) WHERE expires_at IS NOT NULL AND status = 'active';
CREATE INDEX idx_memories_extractor ON memories(extractor_id) WHERE extractor_id IS NOT NULL AND status = 'active';
CREATE INDEX idx_memories_detected ON memories(detected_by) WHERE detected_by IS NOT NULL AND is_redacted = 0;
CREATE INDEX idx_memories_pinned ON memories(space_id) WHERE pinned = 1 AND status = 'active';

CREATE TRIGGER memories_no_replace
BEFORE INSERT ON memories
WHEN EXISTS (SELECT 1 FROM memories WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memories WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memories: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memories_identity
BEFORE UPDATE ON memories
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memories: rid, id and space_id never change');
END;

CREATE TRIGGER memories_delete_guard
BEFORE DELETE ON memories
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'memories: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER memories_redaction_final
BEFORE UPDATE ON memories
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'memories: a redacted row stays redacted');
END;
CREATE TRIGGER memories_space_insert
BEFORE INSERT ON memories
BEGIN
  SELECT CASE
    WHEN NEW.primary_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.primary_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.primary_artifact_id must lie in the space of its row')
    WHEN NEW.supersedes_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.supersedes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.supersedes_id must lie in the space of its row')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.superseded_by_id must lie in the space of its row')
    WHEN NEW.consolidated_into IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.consolidated_into) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.consolidated_into must lie in the space of its row')
  END;
END;

CREATE TRIGGER memories_space_update
BEFORE UPDATE OF primary_artifact_id, supersedes_id, superseded_by_id, consolidated_into ON memories
BEGIN
  SELECT CASE
    WHEN NEW.primary_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.primary_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.primary_artifact_id must lie in the space of its row')
    WHEN NEW.supersedes_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.supersedes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.supersedes_id must lie in the space of its row')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.superseded_by_id must lie in the space of its row')
    WHEN NEW.consolidated_into IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.consolidated_into) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.consolidated_into must lie in the space of its row')
  END;
END;

CREATE TRIGGER memories_start_active
BEFORE INSERT ON memories
WHEN NEW.status IS NOT 'active' OR NEW.is_redacted IS NOT 0
BEGIN
  SELECT RAISE(ABORT, 'memories: a memory begins active and not redacted');
END;

CREATE TRIGGER memories_status_transition
BEFORE UPDATE OF status ON memories
WHEN NEW.status IS NOT OLD.status AND NOT EXISTS (
  SELECT 1 FROM memory_status_transitions WHERE from_status = OLD.status AND to_status = NEW.status)
BEGIN
  SELECT RAISE(ABORT, 'memories: this change of status is not allowed');
END;

CREATE TRIGGER memories_redacted_not_active
BEFORE UPDATE OF status ON memories
WHEN NEW.status = 'active' AND OLD.status <> 'active' AND (OLD.is_redacted = 1 OR NEW.is_redacted = 1)
BEGIN
  SELECT RAISE(ABORT, 'memories: a redacted memory does not become active again');
END;

CREATE TRIGGER memories_layer_immutable
BEFORE UPDATE OF layer ON memories
WHEN NEW.layer IS NOT OLD.layer
BEGIN
  SELECT RAISE(ABORT, 'memories.layer is immutable; promotion makes a distilled memory beside the raw one');
END;

-- Raw rows say what was said. The one way out is archive_raw: a raw_archive row first, then archived and redacted.
CREATE TRIGGER memories_raw_append_only
BEFORE UPDATE ON memories
WHEN OLD.layer = 'raw'
  AND (NEW.content IS NOT OLD.content
    OR NEW.content_hash IS NOT OLD.content_hash
    OR NEW.modality IS NOT OLD.modality
    OR NEW.primary_artifact_id IS NOT OLD.primary_artifact_id
    OR NEW.title IS NOT OLD.title
    OR NEW.summary IS NOT OLD.summary
    OR NEW.status IS NOT OLD.status
    OR NEW.is_redacted IS NOT OLD.is_redacted
    OR NEW.occurred_at IS NOT OLD.occurred_at
    OR NEW.valid_from IS NOT OLD.valid_from
    OR NEW.created_at IS NOT OLD.created_at
    OR NEW.actor_id IS NOT OLD.actor_id
    OR NEW.source_type IS NOT OLD.source_type
    OR NEW.owner IS NOT OLD.owner
    OR NEW.artifact_ref IS NOT OLD.artifact_ref
    OR NEW.session_id IS NOT OLD.session_id
    OR NEW.sources IS NOT OLD.sources
    OR NEW.metadata IS NOT OLD.metadata)
  AND NOT (NEW.is_redacted = 1
    AND NEW.status IN ('archived', 'deleted')
    AND EXISTS (SELECT 1 FROM raw_archive WHERE memory_id = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'memories: raw rows are append-only; archive_raw is the one way out');
END;

-- What archive_raw leaves behind: ids, keyed hash, envelope and reason; never the content. Forgetting an owner
-- empties envelope and reason too.
CREATE TABLE raw_archive (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT NOT NULL UNIQUE REFERENCES memories(id),
  content_hmac TEXT NOT NULL,
  envelope TEXT NOT NULL CHECK (json_valid(envelope)),
  reason TEXT NOT NULL,
  archived_by TEXT NOT NULL REFERENCES agents(id),
  archived_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND envelope = '{}' AND reason = '[REDACTED]'))
) STRICT;

CREATE TRIGGER raw_archive_no_replace
BEFORE INSERT ON raw_archive
WHEN EXISTS (SELECT 1 FROM raw_archive WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM raw_archive WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'raw_archive: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER raw_archive_delete_guard
BEFORE DELETE ON raw_archive
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'raw_archive: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER raw_archive_append_only
BEFORE UPDATE ON raw_archive
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.memory_id IS NOT OLD.memory_id
  OR NEW.content_hmac IS NOT OLD.content_hmac
  OR NEW.archived_by IS NOT OLD.archived_by
  OR NEW.archived_at IS NOT OLD.archived_at
BEGIN
  SELECT RAISE(ABORT, 'raw_archive is append-only: redaction is the one change');
END;
CREATE TRIGGER raw_archive_space_insert
BEFORE INSERT ON raw_archive
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'raw_archive.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER raw_archive_space_update
BEFORE UPDATE OF memory_id ON raw_archive
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'raw_archive.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER raw_archive_raw_only
BEFORE INSERT ON raw_archive
WHEN (SELECT layer FROM memories WHERE id = NEW.memory_id) IS NOT 'raw'
BEGIN
  SELECT RAISE(ABORT, 'raw_archive: only raw memories are archived this way');
END;

-- Which memories a synthesized memory was made from; never counted as evidence.
CREATE TABLE memory_derivations (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  derived_memory_id TEXT NOT NULL REFERENCES memories(id),
  source_memory_id TEXT NOT NULL REFERENCES memories(id),
  method TEXT NOT NULL CHECK (method IN ('consolidation', 'summarization', 'inference', 'promotion')),
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  created_at INTEGER NOT NULL,
  UNIQUE (derived_memory_id, source_memory_id),
  CHECK (derived_memory_id <> source_memory_id)
) STRICT;

CREATE INDEX idx_derivations_source ON memory_derivations(source_memory_id);
CREATE INDEX idx_derivations_space ON memory_derivations(space_id);

CREATE TRIGGER memory_derivations_no_replace
BEFORE INSERT ON memory_derivations
WHEN EXISTS (SELECT 1 FROM memory_derivations WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_derivations WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_derivations: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_derivations_identity
BEFORE UPDATE ON memory_derivations
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_derivations: rid, id and space_id never change');
END;

CREATE TRIGGER memory_derivations_delete_guard
BEFORE DELETE ON memory_derivations
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'memory_derivations: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;
CREATE TRIGGER memory_derivations_space_insert
BEFORE INSERT ON memory_derivations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.derived_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.derived_memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.source_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.source_memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_derivations_space_update
BEFORE UPDATE OF derived_memory_id, source_memory_id ON memory_derivations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.derived_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.derived_memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.source_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.source_memory_id must lie in the space of its row')
  END;
END;

CREATE TABLE memory_artifact_links (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT NOT NULL REFERENCES memories(id),
  artifact_id TEXT NOT NULL REFERENCES artifacts(id),
  role TEXT NOT NULL CHECK (role IN
    ('primary', 'thumbnail', 'keyframe', 'audio_track', 'page_image', 'attachment')),
  created_at INTEGER NOT NULL,
  UNIQUE (memory_id, artifact_id, role)
) STRICT;

CREATE INDEX idx_mal_artifact ON memory_artifact_links(artifact_id);
CREATE INDEX idx_mal_space ON memory_artifact_links(space_id);

CREATE TRIGGER memory_artifact_links_no_replace
BEFORE INSERT ON memory_artifact_links
WHEN EXISTS (SELECT 1 FROM memory_artifact_links WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_artifact_links WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_artifact_links: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_artifact_links_identity
BEFORE UPDATE ON memory_artifact_links
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_artifact_links: rid, id and space_id never change');
END;
CREATE TRIGGER memory_artifact_links_space_insert
BEFORE INSERT ON memory_artifact_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_artifact_links_space_update
BEFORE UPDATE OF memory_id, artifact_id ON memory_artifact_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.artifact_id must lie in the space of its row')
  END;
END;
