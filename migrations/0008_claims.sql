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
  -- What those share that tell one fact, each with circumstances of its own; none once it is redacted.
  fact_key TEXT,
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
  CHECK (superseded_by_id IS NULL OR superseded_by_id <> id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND statement = '[REDACTED]' AND attribute_value IS NULL
    AND qualifiers = '{}'))
) STRICT;

CREATE UNIQUE INDEX uq_claims_space_key ON claims(space_id, claim_key);
CREATE INDEX idx_claims_fact ON claims(space_id, fact_key) WHERE fact_key IS NOT NULL;
CREATE INDEX idx_claims_attribute ON claims(space_id, attribute_key) WHERE attribute_key IS NOT NULL;
CREATE INDEX idx_claims_superseded_by ON claims(superseded_by_id) WHERE superseded_by_id IS NOT NULL;
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
  OR NEW.confidence <> 0
BEGIN
  SELECT RAISE(ABORT, 'claims: a claim begins as a draft without evidence');
END;

-- What a claim says is what its evidence was found for: another claim says something else. Its entities, and the key and
-- the wording that follow from them, change by a merge.
CREATE TRIGGER claims_said_immutable
BEFORE UPDATE OF claim_type, attribute_key, attribute_value, relationship_type_id, qualifiers, polarity ON claims
WHEN NEW.is_redacted = 0
  AND (NEW.claim_type IS NOT OLD.claim_type
    OR NEW.attribute_key IS NOT OLD.attribute_key
    OR NEW.attribute_value IS NOT OLD.attribute_value
    OR NEW.relationship_type_id IS NOT OLD.relationship_type_id
    OR NEW.qualifiers IS NOT OLD.qualifiers
    OR NEW.polarity IS NOT OLD.polarity)
BEGIN
  SELECT RAISE(ABORT, 'claims: what a claim says is immutable; only redaction replaces it');
END;

CREATE TRIGGER claims_redacted_immutable
BEFORE UPDATE OF claim_key, entity_id, target_entity_id, claim_type, attribute_key, relationship_type_id, polarity ON claims
WHEN OLD.is_redacted = 1
  AND (NEW.claim_key IS NOT OLD.claim_key
    OR NEW.entity_id IS NOT OLD.entity_id
    OR NEW.target_entity_id IS NOT OLD.target_entity_id
    OR NEW.claim_type IS NOT OLD.claim_type
    OR NEW.attribute_key IS NOT OLD.attribute_key
    OR NEW.relationship_type_id IS NOT OLD.relationship_type_id
    OR NEW.polarity IS NOT OLD.polarity)
BEGIN
  SELECT RAISE(ABORT, 'claims: what is left of a redacted claim never changes');
END;

CREATE TRIGGER claims_superseded_is_out
BEFORE UPDATE OF superseded_by_id ON claims
WHEN NEW.superseded_by_id IS NOT NULL AND NEW.state IN ('asserted', 'disputed')
BEGIN
  SELECT RAISE(ABORT, 'claims: no other claim stands in the place of one that is believed');
END;

-- Every change of state, once: its row is the change. A trigger gives the claim the state that the row says, so that no
-- claim is in another state than its history.
CREATE TABLE claim_state_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN
    ('evidence', 'extraction', 'conflict', 'resolution', 'supersession', 'refinement', 'redaction', 'user', 'undo')),
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
    WHEN NEW.undo_of IS NOT NULL AND NEW.undo_of IS NOT (SELECT id FROM claim_state_history
        WHERE claim_id = NEW.claim_id ORDER BY rid DESC LIMIT 1)
      THEN RAISE(ABORT, 'claim_state_history: undo_of must be the latest change of this claim')
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

-- No other claim stands in the place of one that is believed again.
CREATE TRIGGER claim_state_history_applies
AFTER INSERT ON claim_state_history
BEGIN
  UPDATE claims SET
    state = NEW.to_state,
    last_updated_at = max(last_updated_at, NEW.changed_at),
    first_asserted_at = CASE NEW.to_state WHEN 'asserted' THEN ifnull(first_asserted_at, NEW.changed_at) ELSE first_asserted_at END,
    superseded_by_id = CASE NEW.to_state WHEN 'asserted' THEN NULL ELSE superseded_by_id END
  WHERE id = NEW.claim_id;
END;

CREATE TRIGGER claims_state_needs_history
BEFORE UPDATE OF state ON claims
WHEN NEW.state IS NOT OLD.state AND NOT EXISTS (
  SELECT 1 FROM claim_state_history
  WHERE rid = (SELECT max(rid) FROM claim_state_history WHERE claim_id = OLD.id)
    AND from_state = OLD.state AND to_state = NEW.state)
BEGIN
  SELECT RAISE(ABORT, 'claims: a state changes by a row in claim_state_history only');
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

-- What is left of a redacted claim tells no fact.
CREATE TRIGGER claims_redacted_is_no_fact
AFTER UPDATE OF is_redacted ON claims
WHEN NEW.is_redacted = 1 AND NEW.fact_key IS NOT NULL
BEGIN
  UPDATE claims SET fact_key = NULL WHERE id = NEW.id;
END;

-- A bound that costs little: noisy-OR is at most the sum. What speaks against a claim only lowers its confidence; what
-- says less of the same fact speaks for it, too.
CREATE TRIGGER claims_confidence_from_evidence
BEFORE UPDATE OF confidence ON claims
WHEN NEW.confidence > OLD.confidence AND NEW.confidence > 1e-9 + (
  SELECT total(e.confidence) FROM claim_evidence e
  WHERE e.claim_id = NEW.id AND e.polarity = 'supporting' AND e.is_redacted = 0) + (
  SELECT total(e.confidence) FROM claims c JOIN claim_evidence e ON e.claim_id = c.id
  WHERE NEW.fact_key IS NOT NULL AND c.space_id = NEW.space_id AND c.fact_key = NEW.fact_key AND c.id <> NEW.id
    AND c.polarity = NEW.polarity AND e.polarity = 'supporting' AND e.is_redacted = 0)
BEGIN
  SELECT RAISE(ABORT, 'claims: no claim is surer than its supporting evidence together');
END;

-- Every change of the time in which a claim is so, once: its row is the change, as with states.
CREATE TABLE claim_window_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  from_valid_from INTEGER,
  from_valid_to INTEGER,
  to_valid_from INTEGER,
  to_valid_to INTEGER,
  cause TEXT NOT NULL CHECK (cause IN ('told', 'decision', 'undo')),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  changed_at INTEGER NOT NULL,
  CHECK (to_valid_from IS NOT from_valid_from OR to_valid_to IS NOT from_valid_to),
  CHECK (to_valid_from IS NULL OR to_valid_to IS NULL OR to_valid_to >= to_valid_from)
) STRICT;

CREATE INDEX idx_claim_windows_claim ON claim_window_history(claim_id, rid);
CREATE INDEX idx_claim_windows_space ON claim_window_history(space_id, changed_at);

CREATE TRIGGER claim_window_history_no_replace
BEFORE INSERT ON claim_window_history
WHEN EXISTS (SELECT 1 FROM claim_window_history WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claim_window_history WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claim_window_history_delete_guard
BEFORE DELETE ON claim_window_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claim_window_history_append_only
BEFORE UPDATE ON claim_window_history
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history is append-only: no row changes');
END;
CREATE TRIGGER claim_window_history_space_insert
BEFORE INSERT ON claim_window_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_window_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_window_history_space_update
BEFORE UPDATE OF claim_id ON claim_window_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_window_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_window_history_legal
BEFORE INSERT ON claim_window_history
WHEN NOT EXISTS (SELECT 1 FROM claims
  WHERE id = NEW.claim_id AND valid_from IS NEW.from_valid_from AND valid_to IS NEW.from_valid_to)
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: from_valid_from and from_valid_to must be the window that the claim has');
END;

CREATE TRIGGER claim_window_history_applies
AFTER INSERT ON claim_window_history
BEGIN
  UPDATE claims SET valid_from = NEW.to_valid_from, valid_to = NEW.to_valid_to WHERE id = NEW.claim_id;
END;

-- Redacting may take the window away without a row.
CREATE TRIGGER claims_window_needs_history
BEFORE UPDATE OF valid_from, valid_to ON claims
WHEN (NEW.valid_from IS NOT OLD.valid_from OR NEW.valid_to IS NOT OLD.valid_to)
  AND NOT (OLD.is_redacted = 0 AND NEW.is_redacted = 1 AND NEW.valid_from IS NULL AND NEW.valid_to IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM claim_window_history
    WHERE rid = (SELECT max(rid) FROM claim_window_history WHERE claim_id = OLD.id)
      AND from_valid_from IS OLD.valid_from AND from_valid_to IS OLD.valid_to
      AND to_valid_from IS NEW.valid_from AND to_valid_to IS NEW.valid_to)
BEGIN
  SELECT RAISE(ABORT, 'claims: a window changes by a row in claim_window_history only');
END;
