-- Writes of agents that wait for the person (ruling 36) stand among the candidates, with what was asked as their payload.
CREATE INDEX idx_candidates_held ON candidates(space_id, rid) WHERE reason = 'held' AND status = 'pending';
CREATE INDEX idx_candidates_dropped ON candidates(reviewed_at) WHERE reason = 'held' AND status = 'rejected';
