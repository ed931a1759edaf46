-- Beliefs, third part: the exact words that carry a claim.

-- An exact quote from one text: a memory's content, or a text view (and then the place in its artifact).
CREATE TABLE claim_evidence (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  memory_id TEXT REFERENCES memories(id),
  derived_text_view_id TEXT REFERENCES derived_text_views(id),
  segment_id TEXT REFERENCES media_segments(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  extracted_text TEXT NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  source_hash TEXT NOT NULL,
  span_hash TEXT NOT NULL,
  polarity TEXT NOT NULL DEFAULT 'supporting' CHECK (polarity IN ('supporting', 'contradicting', 'neutral')),
  -- What it would do to its claim, were it not too much for its day: it speaks when others are gone.
  spare TEXT CHECK (spare IN ('supporting', 'contradicting')),
  confidence REAL NOT NULL DEFAULT 0.5 CHECK (confidence BETWEEN 0 AND 1),
  extraction_method TEXT NOT NULL CHECK (extraction_method IN ('llm', 'rule', 'user', 'inference')),
  source_type TEXT NOT NULL DEFAULT 'direct' CHECK (source_type IN ('direct', 'inference')),
  derived_from TEXT CHECK (derived_from IS NULL OR json_valid(derived_from)),
  cluster_id TEXT,
  drift_status TEXT NOT NULL DEFAULT 'ok' CHECK (drift_status IN ('ok', 'moved', 'missing')),
  observed_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (claim_id, source_hash),
  CHECK ((memory_id IS NOT NULL) + (derived_text_view_id IS NOT NULL) = 1),
  CHECK (segment_id IS NULL OR derived_text_view_id IS NOT NULL),
  CHECK (0 <= start_offset AND start_offset < end_offset),
  CHECK (spare IS NULL OR polarity = 'neutral'),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND extracted_text = '[REDACTED]'))
) STRICT;

-- With the confidence, so that summing it up reads no row.
CREATE INDEX idx_evidence_claim ON claim_evidence(claim_id, polarity, confidence) WHERE is_redacted = 0;
CREATE INDEX idx_evidence_claim_all ON claim_evidence(claim_id);
CREATE INDEX idx_evidence_memory ON claim_evidence(memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX idx_evidence_view ON claim_evidence(derived_text_view_id) WHERE derived_text_view_id IS NOT NULL;
CREATE INDEX idx_evidence_segment ON claim_evidence(segment_id) WHERE segment_id IS NOT NULL;
CREATE INDEX idx_evidence_space ON claim_evidence(space_id);

CREATE TRIGGER claim_evidence_no_replace
BEFORE INSERT ON claim_evidence
WHEN EXISTS (SELECT 1 FROM claim_evidence WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claim_evidence WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claim_evidence_identity
BEFORE UPDATE ON claim_evidence
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: rid, id and space_id never change');
END;

CREATE TRIGGER claim_evidence_delete_guard
BEFORE DELETE ON claim_evidence
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claim_evidence_redaction_final
BEFORE UPDATE ON claim_evidence
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: a redacted row stays redacted');
END;
CREATE TRIGGER claim_evidence_space_insert
BEFORE INSERT ON claim_evidence
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.claim_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.memory_id must lie in the space of its row')
    WHEN NEW.derived_text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.derived_text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.derived_text_view_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_evidence_space_update
BEFORE UPDATE OF claim_id, memory_id, derived_text_view_id, segment_id ON claim_evidence
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.claim_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.memory_id must lie in the space of its row')
    WHEN NEW.derived_text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.derived_text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.derived_text_view_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.segment_id must lie in the space of its row')
  END;
END;

-- Where a quote came from is fixed; its offsets may be mended after drift, its claim by a merge of entities.
CREATE TRIGGER claim_evidence_source_immutable
BEFORE UPDATE ON claim_evidence
WHEN NEW.memory_id IS NOT OLD.memory_id
  OR NEW.derived_text_view_id IS NOT OLD.derived_text_view_id
  OR NEW.segment_id IS NOT OLD.segment_id
  OR NEW.source_type IS NOT OLD.source_type
  OR NEW.derived_from IS NOT OLD.derived_from
  OR NEW.recorded_at IS NOT OLD.recorded_at
  OR NEW.actor_id IS NOT OLD.actor_id
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: the source of evidence is immutable');
END;

CREATE TRIGGER claim_evidence_quote_immutable
BEFORE UPDATE OF extracted_text, span_hash, source_hash ON claim_evidence
WHEN NEW.is_redacted = 0
  AND (NEW.extracted_text IS NOT OLD.extracted_text
    OR NEW.span_hash IS NOT OLD.span_hash
    OR NEW.source_hash IS NOT OLD.source_hash)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: the quote is immutable; only redaction replaces it');
END;

-- The words say what they say. A reading that no longer finds that makes them neutral, and a later one may read them anew.
CREATE TRIGGER claim_evidence_reading
BEFORE UPDATE OF polarity, confidence ON claim_evidence
WHEN OLD.polarity <> 'neutral'
  AND (NEW.polarity NOT IN (OLD.polarity, 'neutral') OR NEW.confidence IS NOT OLD.confidence)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: what a quote says, and how surely, changes only once it is neutral');
END;

CREATE TRIGGER claim_evidence_segment_insert
BEFORE INSERT ON claim_evidence
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id)
    IS NOT (SELECT artifact_id FROM derived_text_views WHERE id = NEW.derived_text_view_id)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence.segment_id must belong to the artifact of derived_text_view_id');
END;

-- Counts follow every piece, and confidence goes down with what is lost; how sure the rest makes a claim is the
-- engine's to say.
CREATE TRIGGER claim_evidence_counts_insert
AFTER INSERT ON claim_evidence
BEGIN
  UPDATE claims SET
    evidence_count = (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.claim_id AND is_redacted = 0),
    supporting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = NEW.claim_id AND is_redacted = 0 AND polarity = 'supporting'),
    contradicting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = NEW.claim_id AND is_redacted = 0 AND polarity = 'contradicting'),
    last_evidence_at = max(ifnull(last_evidence_at, NEW.recorded_at), NEW.recorded_at),
    last_updated_at = max(last_updated_at, NEW.recorded_at)
  WHERE id = NEW.claim_id;
END;

CREATE TRIGGER claim_evidence_counts_update
AFTER UPDATE OF claim_id, polarity, is_redacted ON claim_evidence
BEGIN
  UPDATE claims SET
    evidence_count = (SELECT count(*) FROM claim_evidence WHERE claim_id = claims.id AND is_redacted = 0),
    supporting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = claims.id AND is_redacted = 0 AND polarity = 'supporting'),
    contradicting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = claims.id AND is_redacted = 0 AND polarity = 'contradicting'),
    confidence = min(confidence, (SELECT total(e.confidence) FROM claim_evidence e
      WHERE e.claim_id = claims.id AND e.is_redacted = 0 AND e.polarity = 'supporting')),
    last_evidence_at = (SELECT max(recorded_at) FROM claim_evidence WHERE claim_id = claims.id AND is_redacted = 0),
    last_updated_at = max(last_updated_at, ifnull(NEW.redacted_at, last_updated_at))
  WHERE id IN (OLD.claim_id, NEW.claim_id);
END;

CREATE TRIGGER claim_evidence_counts_delete
AFTER DELETE ON claim_evidence
BEGIN
  UPDATE claims SET
    evidence_count = (SELECT count(*) FROM claim_evidence WHERE claim_id = OLD.claim_id AND is_redacted = 0),
    supporting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = OLD.claim_id AND is_redacted = 0 AND polarity = 'supporting'),
    contradicting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = OLD.claim_id AND is_redacted = 0 AND polarity = 'contradicting'),
    confidence = min(confidence, (SELECT total(e.confidence) FROM claim_evidence e
      WHERE e.claim_id = OLD.claim_id AND e.is_redacted = 0 AND e.polarity = 'supporting')),
    last_evidence_at = (SELECT max(recorded_at) FROM claim_evidence WHERE claim_id = OLD.claim_id AND is_redacted = 0)
  WHERE id = OLD.claim_id;
END;

-- A claim that is left without support is believed no more (ruling 25), whoever took it away. The system is the actor,
-- and the time is the latest that the claim knows of. The id is a UUIDv7 of that time. Since this writes history, whoever
-- purges a claim deletes its evidence first.
CREATE TRIGGER claims_retract_unsupported
AFTER UPDATE OF supporting_count ON claims
WHEN NEW.supporting_count = 0 AND NEW.state IN ('asserted', 'disputed')
BEGIN
  INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, confidence, changed_at)
  SELECT substr(at, 1, 8) || '-' || substr(at, 9) || '-7' || substr(chance, 1, 3) || '-' || substr('89ab', 1 + (random() & 3), 1)
      || substr(chance, 4, 3) || '-' || substr(chance, 7),
    NEW.space_id, NEW.id, NEW.state, 'retracted', 'evidence', '00000000-0000-7000-8000-00000000000b', NEW.confidence,
    NEW.last_updated_at
  FROM (SELECT printf('%012x', max(NEW.last_updated_at, 0) & 0xffffffffffff) AS at, lower(hex(randomblob(9))) AS chance);
END;
