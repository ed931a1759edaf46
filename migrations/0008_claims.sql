-- Beliefs, second part: claims and the changes of their state.

-- requires: what a change of state needs besides being listed. Every way into 'asserted' needs supporting
-- evidence in any case; 'new_support' needs some recorded since the last change, or an undo.
CREATE TABLE claim_state_transitions (
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  requires TEXT NOT NULL CHECK (requires IN ('nothing', 'support', 'new_support', 'undo')),
  PRIMARY KEY (from_state, to_state)
) STRICT, WITHOUT ROWID;

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES
  ('draft', 'asserted', 'support'), ('draft', 'retracted', 'nothing'),
  ('asserted', 'disputed', 'nothing'), ('asserted', 'retracted', 'nothing'), ('asserted', 'superseded', 'nothing'),
  ('disputed', 'asserted', 'support'), ('disputed', 'retracted', 'nothing'), ('disputed', 'superseded', 'nothing'),
  ('retracted', 'asserted', 'new_support'),
  ('superseded', 'asserted', 'undo');

CREATE TABLE claims (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim_key TEXT NOT NULL,
  entity_id TEXT NOT NULL REFERENCES entities(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_type TEXT NOT NULL CHECK (claim_type IN ('attribute', 'relationship', 'event', 'preference')),
  attribute_key TEXT,
  attribute_value TEXT,
  target_entity_id TEXT REFERENCES entities(id),
  relationship_type_id TEXT REFERENCES relationship_types(id),
  statement TEXT NOT NULL,
  qualifiers TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(qualifiers)),
  state TEXT NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'asserted', 'disputed', 'retracted', 'superseded')),
  polarity TEXT NOT NULL DEFAULT 'positive' CHECK (polarity IN ('positive', 'negative')),
  confidence REAL NOT NULL DEFAULT 0.0 CHECK (confidence BETWEEN 0 AND 1),
  -- Kept by triggers on claim_evidence; redacted evidence counts no more.
  evidence_count INTEGER NOT NULL DEFAULT 0,
  supporting_count INTEGER NOT NULL DEFAULT 0,
  contradicting_count INTEGER NOT NULL DEFAULT 0,
  last_evidence_at INTEGER,
  first_asserted_at INTEGER,
  last_updated_at INTEGER NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  superseded_by_id TEXT REFERENCES claims(id),
  created_at INTEGER NOT NULL,
  created_by_actor TEXT NOT NULL REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (claim_type = 'relationship' OR attribute_key IS NOT NULL OR is_redacted = 1),
  CHECK (claim_type <> 'relationship' OR (relationship_type_id IS NOT NULL AND target_entity_id IS NOT NULL)),
  CHECK (valid_from IS NULL OR valid_to IS NULL OR valid_to >= valid_from),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND statement = '[REDACTED]' AND attribute_value IS NULL
    AND qualifiers = '{}'))
) STRICT;

CREATE UNIQUE INDEX uq_claims_space_key ON claims(space_id, claim_key);
CREATE INDEX idx_claims_entity ON claims(entity_id, state);
CREATE INDEX idx_claims_target ON claims(target_entity_id, relationship_type_id, entity_id) WHERE target_entity_id IS NOT NULL;
CREATE INDEX idx_claims_space_state ON claims(space_id, state);
CREATE INDEX idx_claims_slot ON claims(entity_id, attribute_key, relationship_type_id);

CREATE TRIGGER claims_no_replace
BEFORE INSERT ON claims
WHEN EXISTS (SELECT 1 FROM claims WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claims WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claims: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claims_identity
BEFORE UPDATE ON claims
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'claims: rid, id and space_id never change');
END;

CREATE TRIGGER claims_delete_guard
BEFORE DELETE ON claims
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claims: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claims_redaction_final
BEFORE UPDATE ON claims
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'claims: a redacted row stays redacted');
END;
CREATE TRIGGER claims_space_insert
BEFORE INSERT ON claims
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.target_entity_id IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.relationship_type_id IS NOT NULL AND ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.relationship_type_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM claims WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claims.superseded_by_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claims_space_update
BEFORE UPDATE OF entity_id, target_entity_id, relationship_type_id, superseded_by_id ON claims
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.target_entity_id IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.relationship_type_id IS NOT NULL AND ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.relationship_type_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM claims WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claims.superseded_by_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claims_must_start_draft
BEFORE INSERT ON claims
WHEN NEW.state IS NOT 'draft' OR NEW.evidence_count <> 0 OR NEW.supporting_count <> 0 OR NEW.contradicting_count <> 0
BEGIN
  SELECT RAISE(ABORT, 'claims: a claim begins as a draft without evidence');
END;

-- Every change of state, once: the row comes first, and the claim's update must match it.
CREATE TABLE claim_state_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN
    ('evidence', 'extraction', 'conflict', 'resolution', 'supersession', 'redaction', 'user', 'undo')),
  undo_of TEXT REFERENCES claim_state_history(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  confidence REAL CHECK (confidence BETWEEN 0 AND 1),
  changed_at INTEGER NOT NULL,
  CHECK ((cause = 'undo') = (undo_of IS NOT NULL))
) STRICT;

CREATE INDEX idx_claim_history_claim ON claim_state_history(claim_id, rid);
CREATE INDEX idx_claim_history_space ON claim_state_history(space_id, changed_at);

CREATE TRIGGER claim_state_history_no_replace
BEFORE INSERT ON claim_state_history
WHEN EXISTS (SELECT 1 FROM claim_state_history WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claim_state_history WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claim_state_history: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claim_state_history_delete_guard
BEFORE DELETE ON claim_state_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claim_state_history: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claim_state_history_append_only
BEFORE UPDATE ON claim_state_history
BEGIN
  SELECT RAISE(ABORT, 'claim_state_history is append-only: no row changes');
END;
CREATE TRIGGER claim_state_history_space_insert
BEFORE INSERT ON claim_state_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_state_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_state_history_space_update
BEFORE UPDATE OF claim_id ON claim_state_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_state_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_state_history_legal
BEFORE INSERT ON claim_state_history
BEGIN
  SELECT CASE
    WHEN (SELECT state FROM claims WHERE id = NEW.claim_id) IS NOT NEW.from_state
      THEN RAISE(ABORT, 'claim_state_history: from_state must be the state that the claim is in')
    WHEN NOT EXISTS (SELECT 1 FROM claim_state_transitions
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state)
      THEN RAISE(ABORT, 'claim_state_history: this change of state is not allowed')
    WHEN NEW.undo_of IS NOT NULL AND NOT EXISTS (SELECT 1 FROM claim_state_history
        WHERE id = NEW.undo_of AND claim_id = NEW.claim_id AND to_state = NEW.from_state)
      THEN RAISE(ABORT, 'claim_state_history: undo_of must be the change of this claim into its present state')
    WHEN NEW.undo_of IS NULL AND (SELECT requires FROM claim_state_transitions
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state) = 'undo'
      THEN RAISE(ABORT, 'claim_state_history: this change of state is made only by undo')
    WHEN NEW.undo_of IS NULL AND (SELECT requires FROM claim_state_transitions
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state) = 'new_support'
      AND NOT EXISTS (SELECT 1 FROM claim_evidence
        WHERE claim_id = NEW.claim_id AND polarity = 'supporting' AND is_redacted = 0 AND recorded_at >=
          (SELECT changed_at FROM claim_state_history WHERE claim_id = NEW.claim_id ORDER BY rid DESC LIMIT 1))
      THEN RAISE(ABORT, 'claim_state_history: a retracted claim needs new supporting evidence')
  END;
END;

CREATE TRIGGER claims_state_needs_history
BEFORE UPDATE OF state ON claims
WHEN NEW.state IS NOT OLD.state AND NOT EXISTS (
  SELECT 1 FROM claim_state_history
  WHERE rid = (SELECT max(rid) FROM claim_state_history WHERE claim_id = OLD.id)
    AND from_state = OLD.state AND to_state = NEW.state)
BEGIN
  SELECT RAISE(ABORT, 'claims: a change of state needs its row in claim_state_history first');
END;

CREATE TRIGGER claims_assert_requires_evidence
BEFORE UPDATE OF state ON claims
WHEN NEW.state = 'asserted' AND OLD.state <> 'asserted' AND NOT EXISTS (
  SELECT 1 FROM claim_evidence WHERE claim_id = NEW.id AND polarity = 'supporting' AND is_redacted = 0)
BEGIN
  SELECT RAISE(ABORT, 'claims: a claim is asserted only with supporting evidence');
END;

CREATE TRIGGER claims_counts_are_counted
BEFORE UPDATE OF evidence_count, supporting_count, contradicting_count ON claims
WHEN NEW.evidence_count IS NOT
    (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.id AND is_redacted = 0)
  OR NEW.supporting_count IS NOT
    (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.id AND is_redacted = 0 AND polarity = 'supporting')
  OR NEW.contradicting_count IS NOT
    (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.id AND is_redacted = 0 AND polarity = 'contradicting')
BEGIN
  SELECT RAISE(ABORT, 'claims: evidence counts are kept by claim_evidence');
END;
