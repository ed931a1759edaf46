-- What was so at another time is asked of what is no longer so as well: a rule by its label whether it is in force or not, and all
-- versions of an entry that were written without regard to one another, decided or not.
CREATE INDEX idx_core_blocks_label ON core_blocks(space_id, label);
CREATE INDEX idx_entry_conflicts_entry ON entry_conflicts(entry_id, detected_at);
