-- Beliefs, first part: who and what is spoken of, and the words for what may be said of them.

CREATE TABLE entities (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  canonical_name TEXT NOT NULL,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('person', 'organization', 'concept', 'location', 'thing')),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  merged_into TEXT REFERENCES entities(id),
  attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- GLOBAL for those that every space may name.
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (merged_into IS NULL OR merged_into <> id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND name = '[REDACTED]' AND canonical_name = '[REDACTED]'
    AND attributes = '{}'))
) STRICT;

CREATE INDEX idx_entities_canonical ON entities(space_id, canonical_name);
CREATE INDEX idx_entities_type ON entities(space_id, entity_type);
CREATE INDEX idx_entities_merged ON entities(merged_into) WHERE merged_into IS NOT NULL;

CREATE TRIGGER entities_no_replace
BEFORE INSERT ON entities
WHEN EXISTS (SELECT 1 FROM entities WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entities WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entities: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entities_identity
BEFORE UPDATE ON entities
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entities: rid, id and space_id never change');
END;

CREATE TRIGGER entities_delete_guard
BEFORE DELETE ON entities
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entities: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entities_redaction_final
BEFORE UPDATE ON entities
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entities: a redacted row stays redacted');
END;
CREATE TRIGGER entities_space_insert
BEFORE INSERT ON entities
BEGIN
  SELECT CASE
    WHEN NEW.merged_into IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_into), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entities.merged_into must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entities_space_update
BEFORE UPDATE OF merged_into ON entities
BEGIN
  SELECT CASE
    WHEN NEW.merged_into IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_into), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entities.merged_into must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TABLE entity_aliases (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  entity_id TEXT NOT NULL REFERENCES entities(id),
  -- As it is written, and the form that names are compared in.
  alias TEXT NOT NULL,
  canonical_alias TEXT NOT NULL,
  alias_type TEXT NOT NULL DEFAULT 'name' CHECK (alias_type IN ('name', 'abbreviation', 'nickname', 'formal')),
  is_primary INTEGER NOT NULL DEFAULT 0 CHECK (is_primary IN (0, 1)),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  created_at INTEGER NOT NULL,
  -- Since when it is no other name of its entity any more.
  removed_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND alias = '[REDACTED]' AND canonical_alias = '[REDACTED]'))
) STRICT;

CREATE UNIQUE INDEX uq_alias_entity ON entity_aliases(space_id, canonical_alias, entity_id) WHERE is_redacted = 0;
CREATE INDEX idx_alias_lookup ON entity_aliases(canonical_alias);
CREATE INDEX idx_alias_entity ON entity_aliases(entity_id);

CREATE TRIGGER entity_aliases_no_replace
BEFORE INSERT ON entity_aliases
WHEN EXISTS (SELECT 1 FROM entity_aliases WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entity_aliases WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entity_aliases_identity
BEFORE UPDATE ON entity_aliases
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: rid, id and space_id never change');
END;

CREATE TRIGGER entity_aliases_delete_guard
BEFORE DELETE ON entity_aliases
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entity_aliases_redaction_final
BEFORE UPDATE ON entity_aliases
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: a redacted row stays redacted');
END;
CREATE TRIGGER entity_aliases_space_insert
BEFORE INSERT ON entity_aliases
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_aliases.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_aliases_space_update
BEFORE UPDATE OF entity_id ON entity_aliases
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_aliases.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

-- Merges, and what they moved, so that an un-merge restores it.
CREATE TABLE entity_merges (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  kept_entity_id TEXT NOT NULL REFERENCES entities(id),
  merged_entity_id TEXT NOT NULL REFERENCES entities(id),
  -- Ids of what moved, by table.
  moved TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(moved)),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  merged_at INTEGER NOT NULL,
  undone_by TEXT REFERENCES agents(id),
  undone_at INTEGER,
  CHECK (kept_entity_id <> merged_entity_id)
) STRICT;

CREATE INDEX idx_merges_kept ON entity_merges(kept_entity_id);
CREATE INDEX idx_merges_merged ON entity_merges(merged_entity_id);

CREATE TRIGGER entity_merges_no_replace
BEFORE INSERT ON entity_merges
WHEN EXISTS (SELECT 1 FROM entity_merges WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entity_merges WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entity_merges: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entity_merges_identity
BEFORE UPDATE ON entity_merges
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entity_merges: rid, id and space_id never change');
END;

CREATE TRIGGER entity_merges_delete_guard
BEFORE DELETE ON entity_merges
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entity_merges: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;
CREATE TRIGGER entity_merges_space_insert
BEFORE INSERT ON entity_merges
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.kept_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.kept_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.merged_entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_merges_space_update
BEFORE UPDATE OF kept_entity_id, merged_entity_id ON entity_merges
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.kept_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.kept_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.merged_entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TABLE memory_entity_links (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  memory_id TEXT NOT NULL REFERENCES memories(id),
  entity_id TEXT NOT NULL REFERENCES entities(id),
  link_type TEXT NOT NULL DEFAULT 'mention' CHECK (link_type IN ('mention', 'subject', 'about')),
  match_type TEXT CHECK (match_type IN ('exact', 'alias', 'fuzzy', 'user')),
  -- Where it is named: [[start, end], ...] in UTF-16 units of the memory's content or the view's text.
  text_view_id TEXT REFERENCES derived_text_views(id),
  spans TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(spans)),
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  created_at INTEGER NOT NULL,
  UNIQUE (memory_id, entity_id, link_type)
) STRICT;

CREATE INDEX idx_mel_entity ON memory_entity_links(entity_id);
CREATE INDEX idx_mel_space ON memory_entity_links(space_id);

CREATE TRIGGER memory_entity_links_no_replace
BEFORE INSERT ON memory_entity_links
WHEN EXISTS (SELECT 1 FROM memory_entity_links WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_entity_links WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_entity_links: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_entity_links_identity
BEFORE UPDATE ON memory_entity_links
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_entity_links: rid, id and space_id never change');
END;
CREATE TRIGGER memory_entity_links_space_insert
BEFORE INSERT ON memory_entity_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.text_view_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'memory_entity_links.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER memory_entity_links_space_update
BEFORE UPDATE OF memory_id, text_view_id, entity_id ON memory_entity_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.text_view_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'memory_entity_links.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

-- Predefined types are GLOBAL; a space may add its own.
CREATE TABLE relationship_types (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  inverse_name TEXT,
  -- Unknown means many, so that no conflict is invented.
  cardinality TEXT NOT NULL DEFAULT 'many_to_many' CHECK (cardinality IN
    ('one_to_one', 'one_to_many', 'many_to_one', 'many_to_many')),
  description TEXT,
  is_predefined INTEGER NOT NULL DEFAULT 0 CHECK (is_predefined IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, name)
) STRICT;

CREATE TRIGGER relationship_types_no_replace
BEFORE INSERT ON relationship_types
WHEN EXISTS (SELECT 1 FROM relationship_types WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM relationship_types WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'relationship_types: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER relationship_types_identity
BEFORE UPDATE ON relationship_types
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'relationship_types: rid, id and space_id never change');
END;

CREATE TRIGGER relationship_types_delete_guard
BEFORE DELETE ON relationship_types
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'relationship_types: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TABLE attribute_keys (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  cardinality TEXT NOT NULL DEFAULT 'many' CHECK (cardinality IN ('one', 'many')),
  value_kind TEXT NOT NULL DEFAULT 'text' CHECK (value_kind IN ('text', 'number', 'date', 'boolean')),
  description TEXT,
  is_predefined INTEGER NOT NULL DEFAULT 0 CHECK (is_predefined IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, name)
) STRICT;

CREATE TRIGGER attribute_keys_no_replace
BEFORE INSERT ON attribute_keys
WHEN EXISTS (SELECT 1 FROM attribute_keys WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM attribute_keys WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'attribute_keys: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER attribute_keys_identity
BEFORE UPDATE ON attribute_keys
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'attribute_keys: rid, id and space_id never change');
END;

CREATE TRIGGER attribute_keys_delete_guard
BEFORE DELETE ON attribute_keys
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'attribute_keys: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;
