-- Text units, and where the text of a view stands in its artifact.

-- Where each stretch of a view's text stands, one row a view, numbers only. Each span:
-- [start, end, segment ordinal or null, page, x, y, w, h, start_ms, end_ms, confidence * 1000].
CREATE TABLE text_view_spans (
  rid INTEGER PRIMARY KEY,
  text_view_id TEXT NOT NULL UNIQUE REFERENCES derived_text_views(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  spans TEXT NOT NULL CHECK (json_valid(spans))
) STRICT;

CREATE TRIGGER text_view_spans_space_insert
BEFORE INSERT ON text_view_spans
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_view_spans.text_view_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_view_spans_space_update
BEFORE UPDATE OF text_view_id ON text_view_spans
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_view_spans.text_view_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_view_spans_identity
BEFORE UPDATE ON text_view_spans
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.text_view_id IS NOT OLD.text_view_id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'text_view_spans: rid, text_view_id and space_id never change');
END;

-- What is indexed and embedded: a stretch of a memory's content or of a view's text (UTF-16 offsets).
-- owner_memory_id is the memory that a hit on the unit leads to, for both kinds.
CREATE TABLE text_units (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT REFERENCES memories(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  owner_memory_id TEXT NOT NULL REFERENCES memories(id),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  segment_id TEXT REFERENCES media_segments(id),
  heading_path TEXT,
  token_count INTEGER,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at INTEGER NOT NULL,
  UNIQUE (memory_id, ordinal),
  UNIQUE (text_view_id, ordinal),
  CHECK ((memory_id IS NOT NULL) + (text_view_id IS NOT NULL) = 1),
  CHECK (memory_id IS NULL OR memory_id = owner_memory_id),
  CHECK (0 <= start_offset AND start_offset <= end_offset)
) STRICT;

CREATE INDEX idx_units_owner ON text_units(owner_memory_id);
CREATE INDEX idx_units_space ON text_units(space_id, status);
CREATE INDEX idx_units_segment ON text_units(segment_id);

-- What a filter by time lists of a space, with all that a filter by modality asks of a memory.
CREATE INDEX idx_memories_when
ON memories(space_id, status, ifnull(occurred_at, created_at), modality, primary_artifact_id, id);

CREATE TRIGGER text_units_no_replace
BEFORE INSERT ON text_units
WHEN EXISTS (SELECT 1 FROM text_units WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM text_units WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'text_units: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER text_units_identity
BEFORE UPDATE ON text_units
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'text_units: rid, id and space_id never change');
END;
CREATE TRIGGER text_units_space_insert
BEFORE INSERT ON text_units
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.text_view_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.owner_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.owner_memory_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_units_space_update
BEFORE UPDATE OF memory_id, text_view_id, owner_memory_id, segment_id ON text_units
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.text_view_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.owner_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.owner_memory_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_units_segment_insert
BEFORE INSERT ON text_units
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id)
    IS NOT (SELECT artifact_id FROM derived_text_views WHERE id = NEW.text_view_id)
BEGIN
  SELECT RAISE(ABORT, 'text_units.segment_id must belong to the artifact of text_view_id');
END;

CREATE TRIGGER text_units_segment_update
BEFORE UPDATE OF segment_id, text_view_id ON text_units
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id)
    IS NOT (SELECT artifact_id FROM derived_text_views WHERE id = NEW.text_view_id)
BEGIN
  SELECT RAISE(ABORT, 'text_units.segment_id must belong to the artifact of text_view_id');
END;
