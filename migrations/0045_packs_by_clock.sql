-- By whose clock a pack tells its days, in minutes ahead of UTC: what stands behind it is told by the same.
ALTER TABLE compiled_contexts ADD COLUMN utc_offset INTEGER NOT NULL DEFAULT 0;
