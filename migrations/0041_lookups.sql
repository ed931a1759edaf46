-- The words of names. Whom a question nearly names is looked up by any word of a name: without an index of words each question with a
-- capital in it went through all entities of a space. Triggers keep these rows what the names are.
CREATE TABLE entity_words (
  -- That of the entity.
  rid INTEGER NOT NULL,
  space_id TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (space_id, word, rid)
) STRICT, WITHOUT ROWID;

INSERT INTO entity_words (rid, space_id, word)
SELECT DISTINCT e.rid, e.space_id, w.value
FROM entities e, json_each('[' || replace(json_quote(e.canonical_name), ' ', '","') || ']') w
WHERE e.is_redacted = 0 AND w.value <> '';

CREATE TRIGGER entities_words_come
AFTER INSERT ON entities
WHEN NEW.is_redacted = 0
BEGIN
  INSERT INTO entity_words (rid, space_id, word)
  SELECT DISTINCT NEW.rid, NEW.space_id, value
  FROM json_each('[' || replace(json_quote(NEW.canonical_name), ' ', '","') || ']') WHERE value <> '';
END;

CREATE TRIGGER entities_words_change
AFTER UPDATE OF space_id, canonical_name ON entities
WHEN NEW.space_id IS NOT OLD.space_id OR NEW.canonical_name IS NOT OLD.canonical_name
BEGIN
  DELETE FROM entity_words WHERE rid = OLD.rid AND space_id = OLD.space_id AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(OLD.canonical_name), ' ', '","') || ']'));
  INSERT INTO entity_words (rid, space_id, word)
  SELECT DISTINCT NEW.rid, NEW.space_id, value
  FROM json_each('[' || replace(json_quote(NEW.canonical_name), ' ', '","') || ']')
  WHERE value <> '' AND NEW.is_redacted = 0;
END;

CREATE TRIGGER entities_words_go
AFTER DELETE ON entities
BEGIN
  DELETE FROM entity_words WHERE rid = OLD.rid AND space_id = OLD.space_id AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(OLD.canonical_name), ' ', '","') || ']'));
END;

-- When an event was that a question names is looked up in claims of one relation, such as where somebody lives.
CREATE INDEX idx_claims_relation ON claims(space_id, relationship_type_id) WHERE relationship_type_id IS NOT NULL;
