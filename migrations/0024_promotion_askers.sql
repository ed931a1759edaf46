-- Whoever asks for a copy has a request of their own: an answer to one tells nothing of what others asked.
DROP INDEX uq_promotions_pending;
CREATE UNIQUE INDEX uq_promotions_pending
ON promotion_requests(object_type, object_id, target_space_id, requested_by) WHERE status = 'pending';
