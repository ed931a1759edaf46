-- Promotion: what was asked for is known again, whoever decides says why, and what was copied stands as it was written.

-- A keyed hash of what the object said when it was asked for.
ALTER TABLE promotion_requests ADD COLUMN asked_hmac TEXT;
-- Why it was decided so.
ALTER TABLE promotion_requests ADD COLUMN review_notes TEXT CHECK (is_redacted = 0 OR review_notes IS NULL);

CREATE TRIGGER promotion_requests_decision_stands
BEFORE UPDATE ON promotion_requests
WHEN OLD.status <> 'pending'
  AND (NEW.promoted_object_id IS NOT OLD.promoted_object_id
    OR NEW.lineage IS NOT OLD.lineage
    OR NEW.reviewed_by IS NOT OLD.reviewed_by
    OR NEW.reviewed_at IS NOT OLD.reviewed_at)
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: who decided, and what was copied, stands');
END;

-- A copy leads back to what it was made of: only approving makes one.
CREATE TRIGGER promotion_requests_lineage_of_copy
BEFORE UPDATE OF lineage ON promotion_requests
WHEN NEW.lineage <> '{}' AND NEW.status <> 'approved'
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: only an approved request has copies');
END;

CREATE INDEX idx_promotions_object ON promotion_requests(object_type, object_id, target_space_id);
