-- Until when a relation holds, each time that somebody said so: it was written down with the first, where it had an end, and ended anew
-- with each later one. What was known of it at an earlier time is the last row of until then; without one it held on.
CREATE TABLE item_relation_ends (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,               -- that of the relation, and which of its ends it is
  relation_id TEXT NOT NULL REFERENCES item_relations(id) ON DELETE CASCADE,
  valid_until INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_relation_ends ON item_relation_ends(relation_id);

-- The ledger has each end that was entered; the event that a relation left, what it was written down with.
INSERT INTO item_relation_ends (id, relation_id, valid_until, recorded_at)
WITH entered(relation_id, rid, place, valid_until, recorded_at) AS (
  SELECT r.id, r.rid, a.rid, ifnull(a.payload ->> '$.at', a.recorded_at), a.recorded_at
  FROM item_relations r JOIN audit_events a ON a.object_id = r.id
  WHERE r.valid_until IS NOT NULL AND a.object_type = 'item_relations' AND a.event_type = 'relation.ended'),
ends(relation_id, rid, place, valid_until, recorded_at) AS (
  SELECT * FROM entered
  UNION ALL SELECT r.id, r.rid, 0, CASE WHEN NOT EXISTS (SELECT 1 FROM entered n WHERE n.relation_id = r.id) THEN r.valid_until
      ELSE (SELECT e.metadata ->> '$.state.valid_until' FROM evidence_events e
        WHERE e.id = r.source_event_ids ->> '$[0]' AND e.metadata ->> '$.is' = 'relation') END, r.created_at
  FROM item_relations r WHERE r.valid_until IS NOT NULL)
SELECT relation_id || ':' || row_number() OVER (PARTITION BY relation_id ORDER BY place), relation_id, valid_until, recorded_at
FROM ends WHERE valid_until IS NOT NULL ORDER BY rid, place;

CREATE TRIGGER item_relation_ends_no_replace
BEFORE INSERT ON item_relation_ends
WHEN EXISTS (SELECT 1 FROM item_relation_ends WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM item_relation_ends WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'item_relation_ends: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_relation_ends_append_only
BEFORE UPDATE ON item_relation_ends
BEGIN
  SELECT RAISE(ABORT, 'item_relation_ends is append-only: no row changes');
END;

-- They go with their relation, which is gone by then.
CREATE TRIGGER item_relation_ends_delete_guard
BEFORE DELETE ON item_relation_ends
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
  AND EXISTS (SELECT 1 FROM item_relations WHERE id = OLD.relation_id)
BEGIN
  SELECT RAISE(ABORT, 'item_relation_ends: rows are deleted only in compliance mode or with their relation');
END;

-- Vectors of earlier models, which stayed before they were let go of, go now: they are looked at from the first one on.
INSERT OR IGNORE INTO system_settings (key, value, updated_at)
SELECT 'vectors.outdated', json_object('after', 0, 'last', max(rid), 'gone', 0), 0 FROM memory_embeddings HAVING max(rid) IS NOT NULL;
