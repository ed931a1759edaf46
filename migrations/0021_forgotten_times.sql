-- When a claim that is forgotten was so is forgotten with it: the changes of its time hold nothing else.
DROP TRIGGER claim_window_history_delete_guard;
DELETE FROM claim_window_history WHERE claim_id IN (SELECT id FROM claims WHERE is_redacted = 1);
CREATE TRIGGER claim_window_history_delete_guard
BEFORE DELETE ON claim_window_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
  AND (SELECT is_redacted FROM claims WHERE id = OLD.claim_id) IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: rows are deleted only in compliance mode or with what a forgotten claim said');
END;

CREATE TRIGGER claims_forget_windows
AFTER UPDATE OF is_redacted ON claims
WHEN OLD.is_redacted = 0 AND NEW.is_redacted = 1
BEGIN
  DELETE FROM claim_window_history WHERE claim_id = NEW.id;
END;

-- The ends of a claim's time that its own words do not tell and others of the same fact do ("since 2010", "until 2015"), as
-- settling keeps them: they follow from what is there, and fall with it.
ALTER TABLE claims ADD COLUMN told_from INTEGER CHECK (is_redacted = 0 OR told_from IS NULL);
ALTER TABLE claims ADD COLUMN told_to INTEGER CHECK (is_redacted = 0 OR told_to IS NULL);
-- When the last of its words in use came in, when it was last stated outright, and who says it where all words are of one.
ALTER TABLE claims ADD COLUMN heard_at INTEGER;
ALTER TABLE claims ADD COLUMN stated_at INTEGER;
ALTER TABLE claims ADD COLUMN voice_id TEXT REFERENCES agents(id);

-- An edge that is out of the graph keeps no time: it is given anew with the edge.
UPDATE entity_relationships SET valid_from = NULL, valid_to = NULL WHERE is_active = 0;
CREATE TRIGGER entity_relationships_lose_time
AFTER UPDATE OF is_active ON entity_relationships
WHEN NEW.is_active = 0 AND (NEW.valid_from IS NOT NULL OR NEW.valid_to IS NOT NULL)
BEGIN
  UPDATE entity_relationships SET valid_from = NULL, valid_to = NULL WHERE rid = NEW.rid;
END;
