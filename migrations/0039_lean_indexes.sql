-- An index entry costs each write as much as the row itself. What most rows have not is indexed where they have it; and what one
-- index answers has no second one.
DROP INDEX idx_memories_artifact;
DROP INDEX idx_memories_consolidation_group;
DROP INDEX idx_memories_consolidated_into;
DROP INDEX idx_memories_supersedes;
DROP INDEX idx_memories_superseded_by;
CREATE INDEX idx_memories_artifact ON memories(primary_artifact_id) WHERE primary_artifact_id IS NOT NULL;
CREATE INDEX idx_memories_consolidation_group ON memories(consolidation_group) WHERE consolidation_group IS NOT NULL;
CREATE INDEX idx_memories_consolidated_into ON memories(consolidated_into) WHERE consolidated_into IS NOT NULL;
CREATE INDEX idx_memories_supersedes ON memories(supersedes_id) WHERE supersedes_id IS NOT NULL;
CREATE INDEX idx_memories_superseded_by ON memories(superseded_by_id) WHERE superseded_by_id IS NOT NULL;

DROP INDEX idx_units_segment;
CREATE INDEX idx_units_segment ON text_units(segment_id) WHERE segment_id IS NOT NULL;

-- The vectors of a passage are found by the passage, and those of one model among them.
DROP INDEX idx_embeddings_unit;
DROP INDEX uq_embed_unit;
CREATE UNIQUE INDEX uq_embed_unit ON memory_embeddings(unit_id, embedding_space, model_id) WHERE unit_id IS NOT NULL;
