-- The graph that asserted claims give, and where claims disagree.

CREATE TABLE entity_relationships (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  source_entity_id TEXT NOT NULL REFERENCES entities(id),
  target_entity_id TEXT NOT NULL REFERENCES entities(id),
  relationship_type_id TEXT NOT NULL REFERENCES relationship_types(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
  valid_from INTEGER,
  valid_to INTEGER,
  created_at INTEGER NOT NULL,
  deactivated_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (valid_from IS NULL OR valid_to IS NULL OR valid_to >= valid_from),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND attributes = '{}' AND is_active = 0))
) STRICT;

CREATE UNIQUE INDEX uq_active_edge
ON entity_relationships(space_id, source_entity_id, target_entity_id, relationship_type_id) WHERE is_active = 1;
CREATE INDEX idx_edges_source ON entity_relationships(source_entity_id, is_active);
CREATE INDEX idx_edges_target ON entity_relationships(target_entity_id, is_active);
CREATE INDEX idx_edges_claim ON entity_relationships(claim_id);

CREATE TRIGGER entity_relationships_no_replace
BEFORE INSERT ON entity_relationships
WHEN EXISTS (SELECT 1 FROM entity_relationships WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entity_relationships WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entity_relationships_identity
BEFORE UPDATE ON entity_relationships
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: rid, id and space_id never change');
END;

CREATE TRIGGER entity_relationships_delete_guard
BEFORE DELETE ON entity_relationships
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entity_relationships_redaction_final
BEFORE UPDATE ON entity_relationships
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: a redacted row stays redacted');
END;
CREATE TRIGGER entity_relationships_space_insert
BEFORE INSERT ON entity_relationships
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entity_relationships.claim_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.source_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.source_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.relationship_type_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_relationships_space_update
BEFORE UPDATE OF claim_id, source_entity_id, target_entity_id, relationship_type_id ON entity_relationships
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entity_relationships.claim_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.source_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.source_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.relationship_type_id must lie in the space of its row or in GLOBAL')
  END;
END;

-- Edges come from asserted claims only, and leave with them.
CREATE TRIGGER entity_relationships_asserted_insert
BEFORE INSERT ON entity_relationships
WHEN NEW.is_active = 1 AND (SELECT state FROM claims WHERE id = NEW.claim_id) IS NOT 'asserted'
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: an active edge needs an asserted claim');
END;

CREATE TRIGGER entity_relationships_asserted_update
BEFORE UPDATE OF is_active, claim_id ON entity_relationships
WHEN NEW.is_active = 1 AND (SELECT state FROM claims WHERE id = NEW.claim_id) IS NOT 'asserted'
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: an active edge needs an asserted claim');
END;

CREATE TRIGGER claims_deactivate_edges
AFTER UPDATE OF state ON claims
WHEN OLD.state = 'asserted' AND NEW.state <> 'asserted'
BEGIN
  UPDATE entity_relationships SET is_active = 0, deactivated_at = NEW.last_updated_at
  WHERE claim_id = NEW.id AND is_active = 1;
END;

-- The smaller id comes first, so that a pair is there once.
CREATE TABLE conflicts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim_a_id TEXT NOT NULL REFERENCES claims(id),
  claim_b_id TEXT NOT NULL REFERENCES claims(id),
  conflict_type TEXT NOT NULL CHECK (conflict_type IN
    ('contradicting_value', 'opposite_polarity', 'cardinality_violation')),
  found_by TEXT NOT NULL DEFAULT 'rule' CHECK (found_by IN ('rule', 'model')),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
  detected_at INTEGER NOT NULL,
  reopened_at INTEGER,
  resolution_id TEXT REFERENCES conflict_resolutions(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  UNIQUE (claim_a_id, claim_b_id),
  CHECK (claim_a_id < claim_b_id),
  CHECK ((status = 'resolved') = (resolution_id IS NOT NULL))
) STRICT;

CREATE INDEX idx_conflicts_claim_b ON conflicts(claim_b_id);
CREATE INDEX idx_conflicts_space ON conflicts(space_id, status);

CREATE TRIGGER conflicts_no_replace
BEFORE INSERT ON conflicts
WHEN EXISTS (SELECT 1 FROM conflicts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM conflicts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'conflicts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER conflicts_identity
BEFORE UPDATE ON conflicts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'conflicts: rid, id and space_id never change');
END;

CREATE TRIGGER conflicts_delete_guard
BEFORE DELETE ON conflicts
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'conflicts: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;
CREATE TRIGGER conflicts_space_insert
BEFORE INSERT ON conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflicts_space_update
BEFORE UPDATE OF claim_a_id, claim_b_id ON conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_b_id must lie in the space of its row')
  END;
END;

CREATE TABLE conflict_resolutions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  conflict_id TEXT NOT NULL REFERENCES conflicts(id),
  resolution_type TEXT NOT NULL CHECK (resolution_type IN
    ('claim_a_wins', 'claim_b_wins', 'both_disputed', 'manual_override')),
  resolved_by_actor TEXT NOT NULL REFERENCES agents(id),
  resolved_at INTEGER NOT NULL,
  notes TEXT,
  undone_by_actor TEXT REFERENCES agents(id),
  undone_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND notes IS NULL))
) STRICT;

CREATE INDEX idx_resolutions_conflict ON conflict_resolutions(conflict_id);
CREATE INDEX idx_resolutions_undone ON conflict_resolutions(conflict_id, rid) WHERE undone_at IS NOT NULL;

CREATE TRIGGER conflict_resolutions_no_replace
BEFORE INSERT ON conflict_resolutions
WHEN EXISTS (SELECT 1 FROM conflict_resolutions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM conflict_resolutions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER conflict_resolutions_identity
BEFORE UPDATE ON conflict_resolutions
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: rid, id and space_id never change');
END;

CREATE TRIGGER conflict_resolutions_delete_guard
BEFORE DELETE ON conflict_resolutions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER conflict_resolutions_redaction_final
BEFORE UPDATE ON conflict_resolutions
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: a redacted row stays redacted');
END;
CREATE TRIGGER conflict_resolutions_space_insert
BEFORE INSERT ON conflict_resolutions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM conflicts WHERE id = NEW.conflict_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflict_resolutions.conflict_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflict_resolutions_space_update
BEFORE UPDATE OF conflict_id ON conflict_resolutions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM conflicts WHERE id = NEW.conflict_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflict_resolutions.conflict_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflict_resolutions_decision_immutable
BEFORE UPDATE ON conflict_resolutions
WHEN NEW.conflict_id IS NOT OLD.conflict_id
  OR NEW.resolution_type IS NOT OLD.resolution_type
  OR NEW.resolved_by_actor IS NOT OLD.resolved_by_actor
  OR NEW.resolved_at IS NOT OLD.resolved_at
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: a decision is immutable; undo it and decide again');
END;

CREATE TRIGGER conflicts_resolution_insert
BEFORE INSERT ON conflicts
WHEN NEW.status <> 'open'
BEGIN
  SELECT RAISE(ABORT, 'conflicts: a conflict begins open');
END;

CREATE TRIGGER conflicts_resolution_update
BEFORE UPDATE OF resolution_id ON conflicts
WHEN NEW.resolution_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM conflict_resolutions WHERE id = NEW.resolution_id AND conflict_id = NEW.id AND undone_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'conflicts.resolution_id must be a standing resolution of this conflict');
END;
