-- What a note writes is mostly pages of indexes. Those that no query asks for go, and so does what the index of vectors kept of
-- each beside its space: it holds only vectors that can be found, and what tells which these are is read from the memories
-- themselves. It is made anew without that once this is done.
DROP INDEX idx_memories_space_tier_status;
DROP INDEX idx_memories_owner;
DROP INDEX idx_memories_session;
DROP INDEX idx_memories_expires;
DROP INDEX idx_memories_consolidation_group;
DROP INDEX idx_embeddings_space_kind;
DROP INDEX idx_jobs_lease;

-- The versions of a file, whatever became of them.
CREATE INDEX idx_memories_key ON memories(space_id, memory_key) WHERE memory_key IS NOT NULL;

DROP TABLE embeddings_text_dense_vec;
DROP TABLE embeddings_audio_text_vec;
DROP TABLE embeddings_vision_language_vec;
CREATE VIRTUAL TABLE embeddings_text_dense_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[384] distance_metric=cosine,
  chunk_size=64
);
CREATE VIRTUAL TABLE embeddings_audio_text_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[512] distance_metric=cosine,
  chunk_size=64
);
CREATE VIRTUAL TABLE embeddings_vision_language_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[512] distance_metric=cosine,
  chunk_size=64
);

-- The hash of an event is of its clock, which nothing else has, and of the one before it: an index of hashes says no more, and each
-- event was written to another page of it.
CREATE TABLE audit_events_lean (
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
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  UNIQUE (instance_id, logical_clock)
) STRICT;
INSERT INTO audit_events_lean SELECT * FROM audit_events ORDER BY rid;
DROP TABLE audit_events;
ALTER TABLE audit_events_lean RENAME TO audit_events;
CREATE INDEX idx_audit_actor ON audit_events(actor_id);
-- What was done to a thing is asked by its id.
CREATE INDEX idx_audit_object ON audit_events(object_id, object_type);
CREATE INDEX idx_audit_space ON audit_events(space_id);
CREATE INDEX idx_audit_time ON audit_events(recorded_at);
CREATE INDEX idx_audit_type ON audit_events(event_type);

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
WHEN EXISTS (SELECT 1 FROM audit_events
    WHERE instance_id = NEW.instance_id AND logical_clock = NEW.logical_clock)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: this clock is taken, and rows are never replaced');
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
