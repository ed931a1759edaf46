-- Sessions as the agent's own program calls them, one state in hand for each, who checked, which tools an agent is shown.
ALTER TABLE sessions ADD COLUMN client_ref TEXT CHECK (is_redacted = 0 OR client_ref IS NULL);
CREATE UNIQUE INDEX uq_sessions_client ON sessions(space_id, agent_id, client_ref) WHERE client_ref IS NOT NULL;

CREATE UNIQUE INDEX uq_session_states_session ON session_states(session_id)
WHERE session_id IS NOT NULL AND is_redacted = 0;
CREATE UNIQUE INDEX uq_session_states_space ON session_states(space_id)
WHERE session_id IS NULL AND is_redacted = 0 AND status <> 'complete';

ALTER TABLE memory_spaces ADD COLUMN updated_at INTEGER;
ALTER TABLE agents ADD COLUMN profile TEXT NOT NULL DEFAULT 'default'
  CHECK (profile IN ('default', 'work', 'knowledge', 'beliefs', 'library', 'review', 'all'));

ALTER TABLE verification_records ADD COLUMN actor_id TEXT REFERENCES agents(id);
DROP TRIGGER verification_records_append_only;
CREATE TRIGGER verification_records_append_only
BEFORE UPDATE ON verification_records
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid OR NEW.id IS NOT OLD.id OR NEW.space_id IS NOT OLD.space_id
  OR NEW.target_type IS NOT OLD.target_type OR NEW.target_id IS NOT OLD.target_id
  OR NEW.status IS NOT OLD.status OR NEW.checker IS NOT OLD.checker OR NEW.actor_id IS NOT OLD.actor_id
  OR NEW.checked_at IS NOT OLD.checked_at OR NEW.created_at IS NOT OLD.created_at
BEGIN
  SELECT RAISE(ABORT, 'verification_records is append-only: redaction is the one change');
END;

CREATE INDEX idx_file_locks_due ON file_locks(expires_at) WHERE released_at IS NULL;
-- Proposals that wait for a person; names that may mean several have an index of their own (m0014:37).
CREATE INDEX idx_candidates_proposed ON candidates(space_id, rid) WHERE status = 'pending' AND kind <> 'claim';
-- What was not seen for long, the longest first.
CREATE INDEX idx_memories_unseen ON memories(ifnull(last_confirmed_at, created_at))
WHERE confidence_label = 'observed' AND status = 'active' AND is_redacted = 0;
