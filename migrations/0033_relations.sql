-- What a list of tagged entries is filtered by stands beside the tag, so that a tag on 60,000 entries is counted and paged from one index.
-- standing: 0 out of use, 1 in use, 2 in use in its session only. Only tags of entries have the first two columns.
ALTER TABLE item_tags ADD COLUMN item_rid INTEGER;
ALTER TABLE item_tags ADD COLUMN item_subtype TEXT;
ALTER TABLE item_tags ADD COLUMN standing INTEGER NOT NULL DEFAULT 1 CHECK (standing BETWEEN 0 AND 2);
UPDATE item_tags SET (item_rid, item_subtype, standing) =
  (SELECT e.rid, e.entry_type, CASE WHEN e.is_active = 0 OR e.is_redacted = 1 THEN 0 WHEN e.session_id IS NULL THEN 1 ELSE 2 END
   FROM entries e WHERE e.id = item_id) WHERE item_type = 'entry';
CREATE TRIGGER item_tags_of_entry
AFTER INSERT ON item_tags
WHEN NEW.item_type = 'entry'
BEGIN
  UPDATE item_tags SET (item_rid, item_subtype, standing) =
    (SELECT e.rid, e.entry_type, CASE WHEN e.is_active = 0 OR e.is_redacted = 1 THEN 0 WHEN e.session_id IS NULL THEN 1 ELSE 2 END
     FROM entries e WHERE e.id = NEW.item_id)
  WHERE rid = NEW.rid;
END;
CREATE TRIGGER entries_tags_stand
AFTER UPDATE OF is_active, is_redacted ON entries
WHEN NEW.is_active IS NOT OLD.is_active OR NEW.is_redacted IS NOT OLD.is_redacted
BEGIN
  UPDATE item_tags SET standing = CASE WHEN NEW.is_active = 0 OR NEW.is_redacted = 1 THEN 0 WHEN NEW.session_id IS NULL THEN 1 ELSE 2 END
  WHERE item_type = 'entry' AND item_id = NEW.id;
END;
DROP INDEX idx_item_tags_tag;
CREATE INDEX idx_item_tags_found ON item_tags(tag_id, item_type, space_id, standing, item_subtype, item_rid);
CREATE INDEX idx_item_relations_space ON item_relations(space_id, relation_type);
