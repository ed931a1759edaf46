-- What is cold stands in no index of words or vectors: where it is asked for, it is listed by its space and looked through. Of memories
-- that are not cold, this holds nothing.
CREATE INDEX idx_memories_cold ON memories(space_id) WHERE tier = 'cold' AND status = 'active';
