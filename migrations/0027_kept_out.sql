-- Which decisions of conflicts keep a claim out of what is believed, against whoever says it: their ids. It comes in once none
-- of them stands any more, or somebody else says it.
ALTER TABLE claims ADD COLUMN kept_out_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(kept_out_by));
CREATE INDEX idx_claims_kept_out ON claims(space_id) WHERE kept_out_by <> '[]';
-- Whether a person decided anything in a space is asked before each claim that is new there.
CREATE INDEX idx_resolutions_standing ON conflict_resolutions(space_id, resolved_by_actor) WHERE undone_at IS NULL;
