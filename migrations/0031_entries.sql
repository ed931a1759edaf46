ALTER TABLE entries ADD COLUMN updated_at INTEGER;           -- when its current version was made
-- Where and of what state of a work tree a version was written: branch, commit, file, hash.
ALTER TABLE entry_versions ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}'
  CHECK (json_valid(metadata)) CHECK (is_redacted = 0 OR metadata = '{}');
ALTER TABLE entry_conflicts ADD COLUMN outcome TEXT
  CHECK (outcome IN ('keep_a', 'keep_b', 'merged', 'dismissed')) CHECK (resolved = 0 OR outcome IS NOT NULL);

-- Lists of one level, best first. A session's entries are a level of their own.
CREATE INDEX idx_entries_listed
ON entries(space_id, ifnull(session_id, ''), entry_type, is_active, priority DESC, updated_at DESC) WHERE is_redacted = 0;

CREATE TRIGGER entry_versions_tool
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body) AND (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'tool'
BEGIN
  SELECT CASE
    WHEN ifnull(json_type(NEW.body, '$.description'), 'text') <> 'text' OR ifnull(json_type(NEW.body, '$.constraints'), 'text') <> 'text'
      THEN RAISE(ABORT, 'entry_versions.body of a tool: description and constraints are texts')
    WHEN ifnull(json_type(NEW.body, '$.parameters'), 'object') <> 'object'
      OR ifnull(json_type(NEW.body, '$.parameters.required'), 'array') <> 'array'
      OR ifnull(json_type(NEW.body, '$.parameters.optional'), 'array') <> 'array'
      OR ifnull(json_type(NEW.body, '$.parameters.schema'), 'object') <> 'object'
      THEN RAISE(ABORT, 'entry_versions.body of a tool: parameters has lists required and optional and an object schema')
    WHEN ifnull(json_type(NEW.body, '$.examples'), 'array') <> 'array'
      THEN RAISE(ABORT, 'entry_versions.body of a tool: examples is a list')
  END;
END;

CREATE TRIGGER entry_versions_guideline
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body) AND (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'guideline'
BEGIN
  SELECT CASE
    WHEN ifnull(json_type(NEW.body, '$.rationale'), 'text') <> 'text'
      THEN RAISE(ABORT, 'entry_versions.body of a guideline: rationale is a text')
    WHEN ifnull(json_type(NEW.body, '$.examples'), 'object') <> 'object'
      OR ifnull(json_type(NEW.body, '$.examples.good'), 'array') <> 'array'
      OR ifnull(json_type(NEW.body, '$.examples.bad'), 'array') <> 'array'
      THEN RAISE(ABORT, 'entry_versions.body of a guideline: examples has lists good and bad')
  END;
END;

CREATE TRIGGER entry_versions_knowledge
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body) AND (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'knowledge'
BEGIN
  SELECT CASE
    WHEN ifnull(json_type(NEW.body, '$.source'), 'text') <> 'text'
      THEN RAISE(ABORT, 'entry_versions.body of knowledge: source is a text')
    WHEN ifnull(json_type(NEW.body, '$.valid_until'), 'integer') <> 'integer'
      THEN RAISE(ABORT, 'entry_versions.body of knowledge: valid_until is a time in milliseconds')
  END;
END;
