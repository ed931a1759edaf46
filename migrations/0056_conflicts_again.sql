-- A conflict may come up again more than once. Each decision tells since when it stands no more for that; of those that were taken before
-- this, the last time alone is known.
ALTER TABLE conflict_resolutions ADD COLUMN reopened_at INTEGER;
UPDATE conflict_resolutions SET reopened_at =
  (SELECT k.reopened_at FROM conflicts k WHERE k.id = conflict_id AND k.reopened_at >= resolved_at);
