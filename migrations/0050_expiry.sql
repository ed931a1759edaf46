-- What is due to go out of use by itself is looked up by its time. Of memories that never do, it holds nothing.
CREATE INDEX idx_memories_expires ON memories(expires_at) WHERE expires_at IS NOT NULL AND status = 'active';
