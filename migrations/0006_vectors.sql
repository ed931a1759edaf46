-- Embeddings. memory_embeddings is the truth; the vec0 tables are indexes that can be rebuilt from it.

CREATE TABLE memory_embeddings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  memory_id TEXT REFERENCES memories(id),
  artifact_id TEXT REFERENCES artifacts(id),
  segment_id TEXT REFERENCES media_segments(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  unit_id TEXT REFERENCES text_units(id),
  embedding_space TEXT NOT NULL CHECK (embedding_space IN
    ('text_dense', 'vision_language', 'audio_text', 'video_frame')),
  model_id TEXT NOT NULL,
  dimensions INTEGER NOT NULL CHECK (dimensions > 0),
  -- Little-endian 32-bit floats; NULL once redacted.
  embedding BLOB,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  CHECK ((memory_id IS NOT NULL) + (artifact_id IS NOT NULL) + (segment_id IS NOT NULL)
    + (text_view_id IS NOT NULL) + (unit_id IS NOT NULL) = 1),
  CHECK (embedding IS NULL OR length(embedding) = 4 * dimensions),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND embedding IS NULL AND metadata = '{}'))
) STRICT;

CREATE UNIQUE INDEX uq_embed_memory
ON memory_embeddings(embedding_space, model_id, memory_id) WHERE memory_id IS NOT NULL;
CREATE UNIQUE INDEX uq_embed_artifact
ON memory_embeddings(embedding_space, model_id, artifact_id) WHERE artifact_id IS NOT NULL;
CREATE UNIQUE INDEX uq_embed_segment
ON memory_embeddings(embedding_space, model_id, segment_id) WHERE segment_id IS NOT NULL;
CREATE UNIQUE INDEX uq_embed_text_view
ON memory_embeddings(embedding_space, model_id, text_view_id) WHERE text_view_id IS NOT NULL;
CREATE UNIQUE INDEX uq_embed_unit
ON memory_embeddings(embedding_space, model_id, unit_id) WHERE unit_id IS NOT NULL;
CREATE INDEX idx_embeddings_space_kind ON memory_embeddings(space_id, embedding_space, status);
CREATE INDEX idx_embeddings_unit ON memory_embeddings(unit_id) WHERE unit_id IS NOT NULL;
CREATE INDEX idx_embeddings_memory ON memory_embeddings(memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX idx_embeddings_artifact ON memory_embeddings(artifact_id) WHERE artifact_id IS NOT NULL;
CREATE INDEX idx_embeddings_segment ON memory_embeddings(segment_id) WHERE segment_id IS NOT NULL;
CREATE INDEX idx_embeddings_text_view ON memory_embeddings(text_view_id) WHERE text_view_id IS NOT NULL;

CREATE TRIGGER memory_embeddings_no_replace
BEFORE INSERT ON memory_embeddings
WHEN EXISTS (SELECT 1 FROM memory_embeddings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_embeddings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_embeddings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_embeddings_identity
BEFORE UPDATE ON memory_embeddings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_embeddings: rid, id and space_id never change');
END;

CREATE TRIGGER memory_embeddings_redaction_final
BEFORE UPDATE ON memory_embeddings
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'memory_embeddings: a redacted row stays redacted');
END;
CREATE TRIGGER memory_embeddings_space_insert
BEFORE INSERT ON memory_embeddings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.memory_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.text_view_id must lie in the space of its row')
    WHEN NEW.unit_id IS NOT NULL AND (SELECT space_id FROM text_units WHERE id = NEW.unit_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.unit_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_embeddings_space_update
BEFORE UPDATE OF memory_id, artifact_id, segment_id, text_view_id, unit_id ON memory_embeddings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.memory_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.text_view_id must lie in the space of its row')
    WHEN NEW.unit_id IS NOT NULL AND (SELECT space_id FROM text_units WHERE id = NEW.unit_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.unit_id must lie in the space of its row')
  END;
END;

-- embedding_rid is memory_embeddings.rid. Space, owner type, tier and status are filtered inside the
-- index; a space's vectors lie in chunks of 64, as small spaces are many.
CREATE VIRTUAL TABLE embeddings_text_dense_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[384] distance_metric=cosine,
  owner_type TEXT,
  tier TEXT,
  status TEXT,
  +owner_id TEXT,
  chunk_size=64
);

CREATE VIRTUAL TABLE embeddings_vision_language_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[512] distance_metric=cosine,
  owner_type TEXT,
  tier TEXT,
  status TEXT,
  +owner_id TEXT,
  chunk_size=64
);

CREATE VIRTUAL TABLE embeddings_audio_text_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[512] distance_metric=cosine,
  owner_type TEXT,
  tier TEXT,
  status TEXT,
  +owner_id TEXT,
  chunk_size=64
);
