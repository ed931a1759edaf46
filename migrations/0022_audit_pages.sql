-- The ledger is read page by page, the newest first: an index whose entries of one kind lie in the order of their rows
-- gives a page without sorting all of that kind.
DROP INDEX idx_audit_type;
DROP INDEX idx_audit_space;
DROP INDEX idx_audit_actor;
CREATE INDEX idx_audit_type ON audit_events(event_type);
CREATE INDEX idx_audit_space ON audit_events(space_id);
CREATE INDEX idx_audit_actor ON audit_events(actor_id);
