-- What a pack left out, and by what its tokens were counted; the same pack again is the same row.

ALTER TABLE compiled_contexts ADD COLUMN counted_by TEXT
  CHECK (counted_by IN ('o200k_base', 'cl100k_base', 'approximate'));
ALTER TABLE compiled_contexts ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(left_out)) CHECK (is_redacted = 0 OR left_out = '[]');

CREATE INDEX idx_contexts_hash ON compiled_contexts(text_hash, actor_id);
