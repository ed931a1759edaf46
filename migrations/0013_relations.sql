-- What hangs on items of any kind: tags, relations, checks, associations.

-- The space of every item that another row can name by type and id.
CREATE VIEW item_spaces(item_type, item_id, space_id) AS
  SELECT 'memory', id, space_id FROM memories UNION ALL
  SELECT 'artifact', id, space_id FROM artifacts UNION ALL
  SELECT 'media_segment', id, space_id FROM media_segments UNION ALL
  SELECT 'derived_text_view', id, space_id FROM derived_text_views UNION ALL
  SELECT 'text_unit', id, space_id FROM text_units UNION ALL
  SELECT 'event', id, space_id FROM evidence_events UNION ALL
  SELECT 'claim', id, space_id FROM claims UNION ALL
  SELECT 'edge', id, space_id FROM entity_relationships UNION ALL
  SELECT 'entity', id, space_id FROM entities UNION ALL
  SELECT 'entry', id, space_id FROM entries UNION ALL
  SELECT 'core_block', id, space_id FROM core_blocks UNION ALL
  SELECT 'session', id, space_id FROM sessions UNION ALL
  SELECT 'session_state', id, space_id FROM session_states UNION ALL
  SELECT 'resource', id, space_id FROM workspace_resources UNION ALL
  SELECT 'candidate', id, space_id FROM candidates UNION ALL
  SELECT 'watch_folder', id, space_id FROM watch_folders UNION ALL
  SELECT 'watched_file', id, space_id FROM watched_files UNION ALL
  SELECT 'space', id, id FROM memory_spaces;

-- Predefined tags are GLOBAL; a space may add its own.
CREATE TABLE tags (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  category TEXT NOT NULL DEFAULT 'custom' CHECK (category IN ('language', 'domain', 'meta', 'custom')),
  is_predefined INTEGER NOT NULL DEFAULT 0 CHECK (is_predefined IN (0, 1)),
  description TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, name)
) STRICT;

CREATE TRIGGER tags_no_replace
BEFORE INSERT ON tags
WHEN EXISTS (SELECT 1 FROM tags WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM tags WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'tags: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER tags_identity
BEFORE UPDATE ON tags
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'tags: rid, id and space_id never change');
END;

CREATE TABLE item_tags (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  item_type TEXT NOT NULL CHECK (item_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session', 'resource', 'space')),
  item_id TEXT NOT NULL,
  tag_id TEXT NOT NULL REFERENCES tags(id),
  created_at INTEGER NOT NULL,
  UNIQUE (item_type, item_id, tag_id)
) STRICT;

CREATE INDEX idx_item_tags_tag ON item_tags(tag_id);
CREATE INDEX idx_item_tags_space ON item_tags(space_id);

CREATE TRIGGER item_tags_no_replace
BEFORE INSERT ON item_tags
WHEN EXISTS (SELECT 1 FROM item_tags WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM item_tags WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'item_tags: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_tags_identity
BEFORE UPDATE ON item_tags
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'item_tags: rid, id and space_id never change');
END;
CREATE TRIGGER item_tags_space_insert
BEFORE INSERT ON item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER item_tags_space_update
BEFORE UPDATE OF item_type, item_id, tag_id ON item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TABLE item_relations (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  from_type TEXT NOT NULL CHECK (from_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session_state', 'resource', 'space')),
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL CHECK (to_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session_state', 'resource', 'space')),
  to_id TEXT NOT NULL,
  relation_type TEXT NOT NULL CHECK (relation_type IN
    ('contradicts', 'derives', 'extends', 'supports', 'supersedes',
     'applies_to', 'depends_on', 'conflicts_with', 'related_to')),
  valid_from INTEGER,
  valid_until INTEGER,
  source_event_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_event_ids)),
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES agents(id),
  CHECK (from_type <> to_type OR from_id <> to_id),
  CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_from < valid_until)
) STRICT;

CREATE UNIQUE INDEX uq_item_relations
ON item_relations(space_id, from_type, from_id, to_type, to_id, relation_type, ifnull(valid_from, -1));
CREATE INDEX idx_relations_to ON item_relations(to_type, to_id);
CREATE INDEX idx_relations_from ON item_relations(from_type, from_id);

CREATE TRIGGER item_relations_no_replace
BEFORE INSERT ON item_relations
WHEN EXISTS (SELECT 1 FROM item_relations WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM item_relations WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'item_relations: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_relations_identity
BEFORE UPDATE ON item_relations
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'item_relations: rid, id and space_id never change');
END;
CREATE TRIGGER item_relations_space_insert
BEFORE INSERT ON item_relations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_relations.from_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_relations.to_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER item_relations_space_update
BEFORE UPDATE OF from_type, from_id, to_type, to_id ON item_relations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_relations.from_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_relations.to_id must lie in the space of its row or in GLOBAL')
  END;
END;

-- Checks of an item; the newest counts.
CREATE TABLE verification_records (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  target_type TEXT NOT NULL CHECK (target_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session_state', 'resource')),
  target_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('failed', 'passed', 'stale', 'unknown', 'warning')),
  checker TEXT NOT NULL,
  detail TEXT,
  checked_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND detail IS NULL))
) STRICT;

CREATE INDEX idx_verification_target ON verification_records(target_type, target_id, checked_at);

CREATE TRIGGER verification_records_no_replace
BEFORE INSERT ON verification_records
WHEN EXISTS (SELECT 1 FROM verification_records WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM verification_records WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'verification_records: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER verification_records_delete_guard
BEFORE DELETE ON verification_records
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'verification_records: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER verification_records_append_only
BEFORE UPDATE ON verification_records
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.target_type IS NOT OLD.target_type
  OR NEW.target_id IS NOT OLD.target_id
  OR NEW.status IS NOT OLD.status
  OR NEW.checker IS NOT OLD.checker
  OR NEW.checked_at IS NOT OLD.checked_at
  OR NEW.created_at IS NOT OLD.created_at
BEGIN
  SELECT RAISE(ABORT, 'verification_records is append-only: redaction is the one change');
END;
CREATE TRIGGER verification_records_space_insert
BEFORE INSERT ON verification_records
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.target_type AND item_id = NEW.target_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'verification_records.target_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER verification_records_space_update
BEFORE UPDATE OF target_type, target_id ON verification_records
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.target_type AND item_id = NEW.target_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'verification_records.target_id must lie in the space of its row')
  END;
END;

-- Derived: what belongs together by entities, tags, relations or use. Can be dropped and built again. Nothing writes the basis
-- 'document'; it stays allowed, as a migration that databases have is never changed.
CREATE TABLE associations (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  from_type TEXT NOT NULL CHECK (from_type IN
    ('memory', 'artifact', 'claim', 'entity', 'entry', 'resource')),
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL CHECK (to_type IN
    ('memory', 'artifact', 'claim', 'entity', 'entry', 'resource')),
  to_id TEXT NOT NULL,
  basis TEXT NOT NULL CHECK (basis IN ('entity', 'tag', 'relation', 'co_use', 'document')),
  weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
  updated_at INTEGER NOT NULL,
  UNIQUE (from_type, from_id, to_type, to_id, basis)
) STRICT;

CREATE INDEX idx_associations_to ON associations(to_type, to_id);
CREATE INDEX idx_associations_space ON associations(space_id);

CREATE TRIGGER associations_no_replace
BEFORE INSERT ON associations
WHEN EXISTS (SELECT 1 FROM associations WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM associations WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'associations: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER associations_identity
BEFORE UPDATE ON associations
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'associations: rid, id and space_id never change');
END;
CREATE TRIGGER associations_space_insert
BEFORE INSERT ON associations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.from_id must lie in the space of its row')
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.to_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER associations_space_update
BEFORE UPDATE OF from_type, from_id, to_type, to_id ON associations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.from_id must lie in the space of its row')
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.to_id must lie in the space of its row')
  END;
END;
