-- Who attached a tag. What the classifier attached it may take away again; what somebody attached stays until somebody detaches it.
ALTER TABLE item_tags ADD COLUMN by_classifier INTEGER NOT NULL DEFAULT 0 CHECK (by_classifier IN (0, 1));
-- Until now nobody but the classifier tagged memories.
UPDATE item_tags SET by_classifier = 1 WHERE item_type = 'memory';
