-- When a relation's end was entered, and until when it was to hold before that: what was known of it at an earlier time still tells that it
-- held on. Ends that came with the relation were known as long as the relation is.
ALTER TABLE item_relations ADD COLUMN ended_at INTEGER CHECK (ended_at IS NULL OR valid_until IS NOT NULL);
ALTER TABLE item_relations ADD COLUMN planned_until INTEGER CHECK (planned_until IS NULL OR ended_at IS NOT NULL);
UPDATE item_relations SET ended_at = (SELECT max(a.recorded_at) FROM audit_events a
  WHERE a.object_id = item_relations.id AND a.object_type = 'item_relations' AND a.event_type = 'relation.ended')
WHERE valid_until IS NOT NULL;
