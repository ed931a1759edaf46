-- Of which time a pack tells what was so and what was known, where that is another one than now; and the agent as which the person looked.
ALTER TABLE compiled_contexts ADD COLUMN as_of INTEGER;
ALTER TABLE compiled_contexts ADD COLUMN known_at INTEGER;
ALTER TABLE compiled_contexts ADD COLUMN as_agent TEXT REFERENCES agents(id);

-- An agent lists its own.
CREATE INDEX idx_contexts_actor ON compiled_contexts(actor_id);
