-- The checks of what lies in a space.
CREATE INDEX idx_verification_space ON verification_records(space_id, checked_at);
