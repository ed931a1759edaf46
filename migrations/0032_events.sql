-- Forgetting looks for the event that a memory was stated in by its hash, not by reading a million texts.
CREATE INDEX idx_events_stated ON evidence_events(space_id, content_hash) WHERE kind = 'explicit_memory';
CREATE INDEX idx_events_kind ON evidence_events(space_id, kind);        -- newest of a kind: rowid is its end
-- The events that writing a state, resource, relation or block left.
CREATE INDEX idx_events_about ON evidence_events(json_extract(metadata, '$.about')) WHERE kind = 'system_event';
