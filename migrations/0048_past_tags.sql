-- Tags that were taken off, with when they were on: what was so at another time is asked by the tags that things had then. A row comes
-- about as the tag is taken off, with the id of the row that goes, and goes with what is forgotten. What was taken off before there was
-- this table is not known.
CREATE TABLE past_item_tags (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  item_type TEXT NOT NULL,
  item_id TEXT NOT NULL,
  tag_id TEXT NOT NULL REFERENCES tags(id),
  created_at INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_past_item_tags_item ON past_item_tags(item_type, item_id, tag_id);
CREATE INDEX idx_past_item_tags_space ON past_item_tags(space_id);
CREATE INDEX idx_past_item_tags_tag ON past_item_tags(tag_id, item_type, space_id);

CREATE TRIGGER past_item_tags_append_only
BEFORE UPDATE ON past_item_tags
BEGIN
  SELECT RAISE(ABORT, 'past_item_tags is append-only: no row changes');
END;

CREATE TRIGGER past_item_tags_no_replace
BEFORE INSERT ON past_item_tags
WHEN EXISTS (SELECT 1 FROM past_item_tags WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM past_item_tags WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'past_item_tags: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER past_item_tags_space_insert
BEFORE INSERT ON past_item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'past_item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'past_item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER past_item_tags_space_update
BEFORE UPDATE OF item_type, item_id, tag_id ON past_item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'past_item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'past_item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;
