-- Which states a claim and a memory may change between is part of the schema, not of the data: nobody writes it.
CREATE TRIGGER claim_state_transitions_fixed_insert
BEFORE INSERT ON claim_state_transitions
BEGIN
  SELECT RAISE(ABORT, 'claim_state_transitions: which changes of state are allowed is fixed');
END;

CREATE TRIGGER claim_state_transitions_fixed_update
BEFORE UPDATE ON claim_state_transitions
BEGIN
  SELECT RAISE(ABORT, 'claim_state_transitions: an allowed change of state stays as it is');
END;

CREATE TRIGGER claim_state_transitions_fixed_delete
BEFORE DELETE ON claim_state_transitions
BEGIN
  SELECT RAISE(ABORT, 'claim_state_transitions: an allowed change of state is not taken away');
END;

CREATE TRIGGER memory_status_transitions_fixed_insert
BEFORE INSERT ON memory_status_transitions
BEGIN
  SELECT RAISE(ABORT, 'memory_status_transitions: which changes of status are allowed is fixed');
END;

CREATE TRIGGER memory_status_transitions_fixed_update
BEFORE UPDATE ON memory_status_transitions
BEGIN
  SELECT RAISE(ABORT, 'memory_status_transitions: an allowed change of status stays as it is');
END;

CREATE TRIGGER memory_status_transitions_fixed_delete
BEFORE DELETE ON memory_status_transitions
BEGIN
  SELECT RAISE(ABORT, 'memory_status_transitions: an allowed change of status is not taken away');
END;

-- Words that were copied from where nothing tells when they were said: whoever approved the copy did not say them that day.
ALTER TABLE claim_evidence ADD COLUMN untold INTEGER NOT NULL DEFAULT 0 CHECK (untold IN (0, 1));
