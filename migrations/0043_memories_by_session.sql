-- What is told in one session stands together there, whatever is told beside it: a passage's neighbours are looked up in it.
CREATE INDEX idx_memories_session ON memories(space_id, session_id) WHERE session_id IS NOT NULL;
