-- What lists of a space's resources and memories begin with: what was written last.
CREATE INDEX idx_resources_recent ON workspace_resources(space_id, status, updated_at);
