-- What was decided is listed by when, the latest first, from every table that holds decisions.
CREATE INDEX idx_resolutions_at ON conflict_resolutions(resolved_at);
CREATE INDEX idx_candidates_reviewed ON candidates(reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX idx_findings_decided ON redaction_findings(decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX idx_promotions_reviewed ON promotion_requests(reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX idx_pairing_decided ON pairing_requests(decided_at) WHERE decided_at IS NOT NULL;
