-- Work: durable jobs, watched folders, installed models, what the scheduler did.

-- payload holds ids only. GLOBAL is the space of work that belongs to no space.
CREATE TABLE jobs (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (length(kind) > 0),
  subject_type TEXT NOT NULL CHECK (subject_type IN
    ('memory', 'artifact', 'media_segment', 'derived_text_view', 'text_unit', 'event', 'claim', 'entity', 'entry',
     'resource', 'candidate', 'watch_folder', 'watched_file', 'space', 'model', 'database')),
  subject_id TEXT NOT NULL,
  processor_id TEXT NOT NULL DEFAULT '',
  config_hash TEXT NOT NULL DEFAULT '',
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  priority INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'processing', 'completed', 'failed', 'poison', 'cancelled', 'waiting_for_model', 'waiting_for_password')),
  progress REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  progress_note TEXT,
  lease_owner TEXT,
  leased_at INTEGER,
  lease_expires_at INTEGER,
  heartbeat_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  max_attempts INTEGER NOT NULL DEFAULT 3 CHECK (max_attempts >= 1),
  not_before INTEGER NOT NULL DEFAULT 0,
  last_error_code TEXT,
  last_error TEXT,
  result_id TEXT,
  cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  UNIQUE (kind, subject_type, subject_id, processor_id, config_hash),
  CHECK (status <> 'processing' OR (lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL))
) STRICT;

-- A job's place in line is when it came, or when it last had its turn.
CREATE INDEX idx_jobs_claim ON jobs(kind, status, priority DESC, ifnull(leased_at, created_at), rid);
CREATE INDEX idx_jobs_status ON jobs(status, updated_at);
CREATE INDEX idx_jobs_lease ON jobs(lease_expires_at) WHERE status = 'processing';
CREATE INDEX idx_jobs_subject ON jobs(subject_type, subject_id);
-- Idle workers ask for these two whenever they wake, however many jobs wait their turn.
CREATE INDEX idx_jobs_delayed ON jobs(not_before) WHERE status = 'pending' AND not_before > 0;
CREATE INDEX idx_jobs_lacking ON jobs(last_error, status, updated_at) WHERE last_error_code = 'tool_missing';
CREATE INDEX idx_jobs_space ON jobs(space_id, status, updated_at);

CREATE TRIGGER jobs_no_replace
BEFORE INSERT ON jobs
WHEN EXISTS (SELECT 1 FROM jobs WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM jobs WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'jobs: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER jobs_identity
BEFORE UPDATE ON jobs
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'jobs: rid, id and space_id never change');
END;

CREATE TRIGGER jobs_space_insert
BEFORE INSERT ON jobs
WHEN NEW.subject_type NOT IN ('model', 'database')
  AND (SELECT space_id FROM item_spaces WHERE item_type = NEW.subject_type AND item_id = NEW.subject_id)
    IS NOT NEW.space_id
BEGIN
  SELECT RAISE(ABORT, 'jobs.subject_id must lie in the space of its row');
END;

-- What a job is about is fixed; anything else would be another job.
CREATE TRIGGER jobs_subject_immutable
BEFORE UPDATE ON jobs
WHEN NEW.kind IS NOT OLD.kind
  OR NEW.subject_type IS NOT OLD.subject_type
  OR NEW.subject_id IS NOT OLD.subject_id
BEGIN
  SELECT RAISE(ABORT, 'jobs: kind and subject are immutable');
END;

CREATE TABLE watch_folders (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  path TEXT NOT NULL,
  include_globs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(include_globs)),
  exclude_globs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(exclude_globs)),
  honour_gitignore INTEGER NOT NULL DEFAULT 0 CHECK (honour_gitignore IN (0, 1)),
  on_delete TEXT NOT NULL DEFAULT 'mark' CHECK (on_delete IN ('mark', 'keep')),
  recursive INTEGER NOT NULL DEFAULT 1 CHECK (recursive IN (0, 1)),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  last_scan_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, path)
) STRICT;

CREATE TRIGGER watch_folders_no_replace
BEFORE INSERT ON watch_folders
WHEN EXISTS (SELECT 1 FROM watch_folders WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM watch_folders WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'watch_folders: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER watch_folders_identity
BEFORE UPDATE ON watch_folders
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'watch_folders: rid, id and space_id never change');
END;

CREATE TABLE watched_files (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  watch_id TEXT NOT NULL REFERENCES watch_folders(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  rel_path TEXT NOT NULL,
  size INTEGER CHECK (size >= 0),
  mtime_ns INTEGER,
  -- Device and inode: what a moved file keeps.
  file_key TEXT,
  content_hash TEXT,
  artifact_id TEXT REFERENCES artifacts(id),
  memory_id TEXT REFERENCES memories(id),
  status TEXT NOT NULL DEFAULT 'present' CHECK (status IN ('present', 'missing', 'ignored', 'failed')),
  last_error TEXT,
  last_seen_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (watch_id, rel_path)
) STRICT;

CREATE INDEX idx_watched_files_key ON watched_files(watch_id, file_key);
CREATE INDEX idx_watched_files_artifact ON watched_files(artifact_id);
CREATE INDEX idx_watched_files_memory ON watched_files(memory_id);
CREATE INDEX idx_watched_files_space ON watched_files(space_id);

CREATE TRIGGER watched_files_no_replace
BEFORE INSERT ON watched_files
WHEN EXISTS (SELECT 1 FROM watched_files WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM watched_files WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'watched_files: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER watched_files_identity
BEFORE UPDATE ON watched_files
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'watched_files: rid, id and space_id never change');
END;
CREATE TRIGGER watched_files_space_insert
BEFORE INSERT ON watched_files
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM watch_folders WHERE id = NEW.watch_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.watch_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.artifact_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER watched_files_space_update
BEFORE UPDATE OF watch_id, artifact_id, memory_id ON watched_files
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM watch_folders WHERE id = NEW.watch_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.watch_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.artifact_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.memory_id must lie in the space of its row')
  END;
END;

CREATE TABLE models_installed (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  catalogue_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  byte_size INTEGER NOT NULL CHECK (byte_size >= 0),
  licence TEXT NOT NULL,
  installed_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER models_installed_no_replace
BEFORE INSERT ON models_installed
WHEN EXISTS (SELECT 1 FROM models_installed WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM models_installed WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'models_installed: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER models_installed_identity
BEFORE UPDATE ON models_installed
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'models_installed: rid and id never change');
END;

-- What the scheduler did: reconciliation, expiry, staleness, retention, divergence checks. Counts only.
CREATE TABLE maintenance_runs (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL CHECK (task IN
    ('reconcile', 'expire', 'staleness', 'retention', 'divergence', 'prune_stale', 'dream', 'rebuild', 'reembed')),
  status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
  applied INTEGER NOT NULL DEFAULT 0 CHECK (applied IN (0, 1)),
  report TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(report)),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  CHECK ((status = 'running') = (finished_at IS NULL))
) STRICT;

CREATE INDEX idx_maintenance_task ON maintenance_runs(task, started_at);

CREATE TRIGGER maintenance_runs_no_replace
BEFORE INSERT ON maintenance_runs
WHEN EXISTS (SELECT 1 FROM maintenance_runs WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM maintenance_runs WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'maintenance_runs: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER maintenance_runs_identity
BEFORE UPDATE ON maintenance_runs
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'maintenance_runs: rid and id never change');
END;
