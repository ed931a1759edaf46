-- Made from the migrations by `UPDATE_SNAPSHOTS=1 cargo test -p um-store --test schema`.

PRAGMA defer_foreign_keys = ON;

CREATE TABLE agent_grants (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  agent_id TEXT NOT NULL REFERENCES agents(id),
  operation TEXT NOT NULL CHECK (operation IN
    ('redact', 'forget', 'purge', 'compliance_mode', 'approve_promotion', 'manage_members')),
  granted_by TEXT NOT NULL REFERENCES agents(id),
  granted_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE agent_tokens (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
  name TEXT,
  space_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(space_ids)),
  rights TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(rights)),
  requests_per_minute INTEGER CHECK (requests_per_minute > 0),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

CREATE TABLE agents (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  agent_type TEXT NOT NULL CHECK (agent_type IN ('system', 'human', 'ai')),
  default_trust_weight REAL NOT NULL DEFAULT 1.0 CHECK (default_trust_weight BETWEEN 0 AND 1),
  home_space_id TEXT REFERENCES memory_spaces(id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL
, folders TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(folders)), profile TEXT NOT NULL DEFAULT 'default'
  CHECK (profile IN ('default', 'work', 'knowledge', 'beliefs', 'library', 'review', 'all'))) STRICT;

CREATE TABLE answer_traces (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  query TEXT NOT NULL,
  compiled_context_id TEXT REFERENCES compiled_contexts(id) ON DELETE SET NULL,
  recall_trace TEXT NOT NULL CHECK (json_valid(recall_trace)),
  answer TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'abstained', 'error')),
  feedback_type TEXT CHECK (feedback_type IN ('positive', 'negative', 'correction')),
  correction_text TEXT,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND query = '[REDACTED]' AND recall_trace = '{}'
    AND answer IS NULL AND correction_text IS NULL))
) STRICT;

CREATE TABLE artifact_bytes (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  blob BLOB NOT NULL
) STRICT;

CREATE TABLE artifacts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  content_hash TEXT NOT NULL,
  original_filename TEXT,
  source_path TEXT,
  mime_type TEXT NOT NULL,
  modality TEXT NOT NULL CHECK (modality IN
    ('image', 'audio', 'video', 'pdf', 'document', 'html', 'text', 'source', 'other')),
  byte_size INTEGER CHECK (byte_size >= 0),
  storage_backend TEXT NOT NULL CHECK (storage_backend IN ('sqlite_blob', 'filesystem', 's3', 'http')),
  storage_uri TEXT,
  bytes_id TEXT UNIQUE REFERENCES artifact_bytes(id),
  derived_from_artifact_id TEXT REFERENCES artifacts(id),
  width INTEGER CHECK (width > 0),
  height INTEGER CHECK (height > 0),
  duration_ms INTEGER CHECK (duration_ms >= 0),
  page_count INTEGER CHECK (page_count >= 0),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  occurred_at INTEGER,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  -- One place for the bytes, and none once they are redacted.
  CHECK (
    (is_redacted = 1 AND bytes_id IS NULL AND storage_uri IS NULL) OR
    (is_redacted = 0 AND storage_backend = 'sqlite_blob' AND bytes_id IS NOT NULL AND storage_uri IS NULL) OR
    (is_redacted = 0 AND storage_backend <> 'sqlite_blob' AND storage_uri IS NOT NULL AND bytes_id IS NULL)
  ),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND original_filename IS NULL AND source_path IS NULL AND metadata = '{}')),
  CHECK (derived_from_artifact_id IS NULL OR derived_from_artifact_id <> id)
) STRICT;

CREATE TABLE associations (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  from_type TEXT NOT NULL CHECK (from_type IN
    ('memory', 'artifact', 'claim', 'entity', 'entry', 'resource')),
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL CHECK (to_type IN
    ('memory', 'artifact', 'claim', 'entity', 'entry', 'resource')),
  to_id TEXT NOT NULL,
  basis TEXT NOT NULL CHECK (basis IN ('entity', 'tag', 'relation', 'co_use', 'document')),
  weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
  updated_at INTEGER NOT NULL,
  UNIQUE (from_type, from_id, to_type, to_id, basis)
) STRICT;

CREATE TABLE attribute_keys (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  cardinality TEXT NOT NULL DEFAULT 'many' CHECK (cardinality IN ('one', 'many')),
  value_kind TEXT NOT NULL DEFAULT 'text' CHECK (value_kind IN ('text', 'number', 'date', 'boolean')),
  description TEXT,
  is_predefined INTEGER NOT NULL DEFAULT 0 CHECK (is_predefined IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, name)
) STRICT;

CREATE TABLE "audit_events" (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_type TEXT NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  instance_id TEXT NOT NULL,
  logical_clock INTEGER NOT NULL,
  space_id TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  request_id TEXT,
  purpose TEXT,
  occurred_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  UNIQUE (instance_id, logical_clock)
) STRICT;

CREATE TABLE candidates (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  kind TEXT NOT NULL DEFAULT 'memory' CHECK (kind IN ('memory', 'claim', 'entry', 'core_block', 'resource')),
  title TEXT,
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  reason TEXT,
  source_event_id TEXT REFERENCES evidence_events(id),
  artifact_id TEXT REFERENCES artifacts(id),
  segment_id TEXT REFERENCES media_segments(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  session_id TEXT REFERENCES sessions(id),
  quality REAL CHECK (quality BETWEEN 0 AND 1),
  safety_flags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(safety_flags)),
  duplicate_of TEXT REFERENCES memories(id),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'imported')),
  reviewed_by TEXT REFERENCES agents(id),
  reviewed_at INTEGER,
  imported_id TEXT,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (status IN ('pending') OR (reviewed_by IS NOT NULL AND reviewed_at IS NOT NULL)),
  CHECK (status <> 'imported' OR imported_id IS NOT NULL),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND title IS NULL AND content = '[REDACTED]'
    AND payload = '{}' AND reason IS NULL))
) STRICT;

CREATE TABLE claim_evidence (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim_id TEXT NOT NULL REFERENCES claims(id),
  memory_id TEXT REFERENCES memories(id),
  derived_text_view_id TEXT REFERENCES derived_text_views(id),
  segment_id TEXT REFERENCES media_segments(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  extracted_text TEXT NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  source_hash TEXT NOT NULL,
  span_hash TEXT NOT NULL,
  polarity TEXT NOT NULL DEFAULT 'supporting' CHECK (polarity IN ('supporting', 'contradicting', 'neutral')),
  -- What it would do to its claim, were it not too much for its day: it speaks when others are gone.
  spare TEXT CHECK (spare IN ('supporting', 'contradicting')),
  confidence REAL NOT NULL DEFAULT 0.5 CHECK (confidence BETWEEN 0 AND 1),
  extraction_method TEXT NOT NULL CHECK (extraction_method IN ('llm', 'rule', 'user', 'inference')),
  source_type TEXT NOT NULL DEFAULT 'direct' CHECK (source_type IN ('direct', 'inference')),
  derived_from TEXT CHECK (derived_from IS NULL OR json_valid(derived_from)),
  cluster_id TEXT,
  drift_status TEXT NOT NULL DEFAULT 'ok' CHECK (drift_status IN ('ok', 'moved', 'missing')),
  observed_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, untold INTEGER NOT NULL DEFAULT 0 CHECK (untold IN (0, 1)),
  UNIQUE (claim_id, source_hash),
  CHECK ((memory_id IS NOT NULL) + (derived_text_view_id IS NOT NULL) = 1),
  CHECK (segment_id IS NULL OR derived_text_view_id IS NOT NULL),
  CHECK (0 <= start_offset AND start_offset < end_offset),
  CHECK (spare IS NULL OR polarity = 'neutral'),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND extracted_text = '[REDACTED]'))
) STRICT;

CREATE TABLE claim_state_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN
    ('evidence', 'extraction', 'conflict', 'resolution', 'supersession', 'refinement', 'redaction', 'user', 'undo')),
  undo_of TEXT REFERENCES claim_state_history(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  confidence REAL CHECK (confidence BETWEEN 0 AND 1),
  changed_at INTEGER NOT NULL,
  CHECK ((cause = 'undo') = (undo_of IS NOT NULL))
) STRICT;

CREATE TABLE claim_state_transitions (
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  requires TEXT NOT NULL CHECK (requires IN ('nothing', 'support', 'new_support', 'undo')),
  PRIMARY KEY (from_state, to_state)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim_window_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  from_valid_from INTEGER,
  from_valid_to INTEGER,
  to_valid_from INTEGER,
  to_valid_to INTEGER,
  cause TEXT NOT NULL CHECK (cause IN ('told', 'decision', 'undo')),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  changed_at INTEGER NOT NULL,
  CHECK (to_valid_from IS NOT from_valid_from OR to_valid_to IS NOT from_valid_to),
  CHECK (to_valid_from IS NULL OR to_valid_to IS NULL OR to_valid_to >= to_valid_from)
) STRICT;

CREATE TABLE claims (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim_key TEXT NOT NULL,
  -- What those share that tell one fact, each with circumstances of its own; none once it is redacted.
  fact_key TEXT,
  entity_id TEXT NOT NULL REFERENCES entities(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  claim_type TEXT NOT NULL CHECK (claim_type IN ('attribute', 'relationship', 'event', 'preference')),
  attribute_key TEXT,
  attribute_value TEXT,
  target_entity_id TEXT REFERENCES entities(id),
  relationship_type_id TEXT REFERENCES relationship_types(id),
  statement TEXT NOT NULL,
  qualifiers TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(qualifiers)),
  state TEXT NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'asserted', 'disputed', 'retracted', 'superseded')),
  polarity TEXT NOT NULL DEFAULT 'positive' CHECK (polarity IN ('positive', 'negative')),
  confidence REAL NOT NULL DEFAULT 0.0 CHECK (confidence BETWEEN 0 AND 1),
  -- Kept by triggers on claim_evidence; redacted evidence counts no more.
  evidence_count INTEGER NOT NULL DEFAULT 0,
  supporting_count INTEGER NOT NULL DEFAULT 0,
  contradicting_count INTEGER NOT NULL DEFAULT 0,
  last_evidence_at INTEGER,
  first_asserted_at INTEGER,
  last_updated_at INTEGER NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  superseded_by_id TEXT REFERENCES claims(id),
  created_at INTEGER NOT NULL,
  created_by_actor TEXT NOT NULL REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, first_said_at INTEGER, last_said_at INTEGER, told_from INTEGER CHECK (is_redacted = 0 OR told_from IS NULL), told_to INTEGER CHECK (is_redacted = 0 OR told_to IS NULL), heard_at INTEGER, stated_at INTEGER, voice_id TEXT REFERENCES agents(id), kept_out_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(kept_out_by)),
  CHECK (claim_type = 'relationship' OR attribute_key IS NOT NULL OR is_redacted = 1),
  CHECK (claim_type <> 'relationship' OR (relationship_type_id IS NOT NULL AND target_entity_id IS NOT NULL)),
  CHECK (valid_from IS NULL OR valid_to IS NULL OR valid_to >= valid_from),
  CHECK (superseded_by_id IS NULL OR superseded_by_id <> id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND statement = '[REDACTED]' AND attribute_value IS NULL
    AND qualifiers = '{}'))
) STRICT;

CREATE TABLE compiled_contexts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  session_id TEXT REFERENCES sessions(id),
  query TEXT,
  policy TEXT NOT NULL DEFAULT 'auto' CHECK (policy IN ('auto', 'task', 'workspace')),
  budget_tokens INTEGER CHECK (budget_tokens >= 0),
  estimated_tokens INTEGER CHECK (estimated_tokens >= 0),
  blocks TEXT NOT NULL CHECK (json_valid(blocks)),
  full_text TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  memory_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(memory_ids)),
  claim_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(claim_ids)),
  edge_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(edge_ids)),
  item_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(item_ids)),
  verification_warnings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(verification_warnings)),
  recall_warnings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(recall_warnings)),
  overlay_space_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(overlay_space_ids)),
  compiler_config_version TEXT NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, counted_by TEXT
  CHECK (counted_by IN ('o200k_base', 'cl100k_base', 'approximate')), left_out TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(left_out)) CHECK (is_redacted = 0 OR left_out = '[]'), utc_offset INTEGER NOT NULL DEFAULT 0, as_of INTEGER, known_at INTEGER, as_agent TEXT REFERENCES agents(id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND query IS NULL AND blocks = '[]'
    AND full_text = '[REDACTED]' AND verification_warnings = '[]' AND recall_warnings = '[]'))
) STRICT;

CREATE TABLE conflict_resolutions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  conflict_id TEXT NOT NULL REFERENCES conflicts(id),
  resolution_type TEXT NOT NULL CHECK (resolution_type IN
    ('claim_a_wins', 'claim_b_wins', 'both_disputed', 'manual_override')),
  resolved_by_actor TEXT NOT NULL REFERENCES agents(id),
  resolved_at INTEGER NOT NULL,
  notes TEXT,
  undone_by_actor TEXT REFERENCES agents(id),
  undone_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, reopened_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND notes IS NULL))
) STRICT;

CREATE TABLE conflicts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  claim_a_id TEXT NOT NULL REFERENCES claims(id),
  claim_b_id TEXT NOT NULL REFERENCES claims(id),
  conflict_type TEXT NOT NULL CHECK (conflict_type IN
    ('contradicting_value', 'opposite_polarity', 'cardinality_violation')),
  found_by TEXT NOT NULL DEFAULT 'rule' CHECK (found_by IN ('rule', 'model')),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
  detected_at INTEGER NOT NULL,
  reopened_at INTEGER,
  resolution_id TEXT REFERENCES conflict_resolutions(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  UNIQUE (claim_a_id, claim_b_id),
  CHECK (claim_a_id < claim_b_id),
  CHECK ((status = 'resolved') = (resolution_id IS NOT NULL))
) STRICT;

CREATE TABLE core_block_versions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  core_block_id TEXT NOT NULL REFERENCES core_blocks(id),
  version_num INTEGER NOT NULL CHECK (version_num >= 1),
  content TEXT NOT NULL,
  change_reason TEXT,
  created_by TEXT NOT NULL REFERENCES agents(id),
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (core_block_id, version_num),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND content = '[REDACTED]' AND change_reason IS NULL))
) STRICT;

CREATE TABLE core_blocks (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  label TEXT NOT NULL,
  content TEXT NOT NULL,
  authority INTEGER NOT NULL DEFAULT 50 CHECK (authority BETWEEN 0 AND 100),
  read_only INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1)),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  current_version INTEGER NOT NULL DEFAULT 1 CHECK (current_version >= 1),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND content = '[REDACTED]' AND metadata = '{}'))
) STRICT;

CREATE TABLE derived_text_views (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  artifact_id TEXT NOT NULL REFERENCES artifacts(id),
  segment_id TEXT REFERENCES media_segments(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  view_type TEXT NOT NULL CHECK (view_type IN
    ('ocr_text', 'asr_transcript', 'caption', 'pdf_text', 'metadata_text', 'user_annotation', 'document_text')),
  ordinal INTEGER NOT NULL DEFAULT 0,
  page INTEGER CHECK (page >= 1),
  text TEXT NOT NULL,
  -- When words of it were last blacked out, each code unit by one of the mask, so that offsets stay.
  masked_at INTEGER,
  language TEXT,
  extractor_id TEXT NOT NULL,
  model_id TEXT,
  config_hash TEXT NOT NULL,
  quality REAL NOT NULL DEFAULT 0.5 CHECK (quality BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  -- The detectors, and their version, that last looked for personal data in it; null before they did.
  detected_by TEXT,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND text = '[REDACTED]' AND metadata = '{}'))
) STRICT;

CREATE VIRTUAL TABLE embeddings_audio_text_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[512] distance_metric=cosine,
  chunk_size=64
);

CREATE VIRTUAL TABLE embeddings_text_dense_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[384] distance_metric=cosine,
  chunk_size=64
);

CREATE VIRTUAL TABLE embeddings_vision_language_vec USING vec0(
  embedding_rid INTEGER PRIMARY KEY,
  space_id TEXT PARTITION KEY,
  embedding float[512] distance_metric=cosine,
  chunk_size=64
);

CREATE TABLE entities (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  canonical_name TEXT NOT NULL,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('person', 'organization', 'concept', 'location', 'thing')),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  merged_into TEXT REFERENCES entities(id),
  attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- GLOBAL for those that every space may name.
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (merged_into IS NULL OR merged_into <> id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND name = '[REDACTED]' AND canonical_name = '[REDACTED]'
    AND attributes = '{}'))
) STRICT;

CREATE TABLE entity_aliases (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  entity_id TEXT NOT NULL REFERENCES entities(id),
  -- As it is written, and the form that names are compared in.
  alias TEXT NOT NULL,
  canonical_alias TEXT NOT NULL,
  alias_type TEXT NOT NULL DEFAULT 'name' CHECK (alias_type IN ('name', 'abbreviation', 'nickname', 'formal')),
  is_primary INTEGER NOT NULL DEFAULT 0 CHECK (is_primary IN (0, 1)),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  created_at INTEGER NOT NULL,
  -- Since when it is no other name of its entity any more.
  removed_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND alias = '[REDACTED]' AND canonical_alias = '[REDACTED]'))
) STRICT;

CREATE TABLE entity_merges (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  kept_entity_id TEXT NOT NULL REFERENCES entities(id),
  merged_entity_id TEXT NOT NULL REFERENCES entities(id),
  -- Ids of what moved, by table.
  moved TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(moved)),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  merged_at INTEGER NOT NULL,
  undone_by TEXT REFERENCES agents(id),
  undone_at INTEGER,
  CHECK (kept_entity_id <> merged_entity_id)
) STRICT;

CREATE TABLE entity_relationships (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  source_entity_id TEXT NOT NULL REFERENCES entities(id),
  target_entity_id TEXT NOT NULL REFERENCES entities(id),
  relationship_type_id TEXT NOT NULL REFERENCES relationship_types(id),
  claim_id TEXT NOT NULL REFERENCES claims(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
  valid_from INTEGER,
  valid_to INTEGER,
  created_at INTEGER NOT NULL,
  deactivated_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (valid_from IS NULL OR valid_to IS NULL OR valid_to >= valid_from),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND attributes = '{}' AND is_active = 0))
) STRICT;

CREATE TABLE entity_words (
  -- That of the entity.
  rid INTEGER NOT NULL,
  space_id TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (space_id, word, rid)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  session_id TEXT REFERENCES sessions(id),
  entry_type TEXT NOT NULL CHECK (entry_type IN ('tool', 'guideline', 'knowledge')),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  category TEXT,
  priority INTEGER NOT NULL DEFAULT 50 CHECK (priority BETWEEN 0 AND 100),
  current_version_id TEXT REFERENCES entry_versions(id),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, updated_at INTEGER,
  CHECK (category IS NULL
    OR (entry_type = 'tool' AND category IN ('mcp', 'cli', 'function', 'api'))
    OR (entry_type = 'guideline' AND category IN
      ('code_style', 'behavior', 'security', 'performance', 'error_handling', 'logging'))
    OR (entry_type = 'knowledge' AND category IN ('decision', 'fact', 'context', 'reference'))),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND name = '[REDACTED]'))
) STRICT;

CREATE TABLE entry_conflicts (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  entry_id TEXT NOT NULL REFERENCES entries(id),
  version_a_id TEXT NOT NULL REFERENCES entry_versions(id),
  version_b_id TEXT NOT NULL REFERENCES entry_versions(id),
  detected_at INTEGER NOT NULL,
  resolved INTEGER NOT NULL DEFAULT 0 CHECK (resolved IN (0, 1)),
  resolution TEXT,
  resolved_at INTEGER,
  resolved_by TEXT REFERENCES agents(id), outcome TEXT
  CHECK (outcome IN ('keep_a', 'keep_b', 'merged', 'dismissed')) CHECK (resolved = 0 OR outcome IS NOT NULL),
  UNIQUE (version_a_id, version_b_id),
  CHECK (version_a_id <> version_b_id),
  CHECK (resolved = 0 OR (resolved_at IS NOT NULL AND resolved_by IS NOT NULL))
) STRICT;

CREATE TABLE entry_versions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  entry_id TEXT NOT NULL REFERENCES entries(id),
  version_num INTEGER NOT NULL CHECK (version_num >= 1),
  body TEXT NOT NULL CHECK (json_valid(body)),
  change_reason TEXT,
  conflict_flag INTEGER NOT NULL DEFAULT 0 CHECK (conflict_flag IN (0, 1)),
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, metadata TEXT NOT NULL DEFAULT '{}'
  CHECK (json_valid(metadata)) CHECK (is_redacted = 0 OR metadata = '{}'),
  UNIQUE (entry_id, version_num),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND body = '{}' AND change_reason IS NULL))
) STRICT;

CREATE TABLE evidence_events (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  session_id TEXT REFERENCES sessions(id),
  kind TEXT NOT NULL CHECK (kind IN
    ('assistant_message', 'explicit_memory', 'file_edit', 'system_event', 'tool_call', 'tool_result', 'user_message')),
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  occurred_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND content = '[REDACTED]' AND metadata = '{}'))
) STRICT;

CREATE TABLE file_locks (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  path TEXT NOT NULL,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  session_id TEXT REFERENCES sessions(id),
  note TEXT,
  checked_out_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  released_at INTEGER,
  released_by TEXT REFERENCES agents(id),
  was_forced INTEGER NOT NULL DEFAULT 0 CHECK (was_forced IN (0, 1))
) STRICT;

CREATE TABLE forgettings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  -- What was named: memory, artifact, entity, claim, owner, folder, query.
  selector TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'erased', 'done', 'cancelled')),
  -- The rows that it begins from, by table: {"memories": ["..."]}.
  roots TEXT NOT NULL CHECK (json_valid(roots)),
  -- How many rows lost what they said, by table.
  counts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(counts)),
  -- What was looked for afterwards, and what was found: numbers only.
  proof TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(proof)),
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK (status NOT IN ('done', 'cancelled') OR ended_at IS NOT NULL),
  CHECK (ended_at IS NULL OR status IN ('done', 'cancelled'))
) STRICT;

CREATE TABLE item_relation_ends (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,               -- that of the relation, and which of its ends it is
  relation_id TEXT NOT NULL REFERENCES item_relations(id) ON DELETE CASCADE,
  valid_until INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;

CREATE TABLE item_relations (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  from_type TEXT NOT NULL CHECK (from_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session_state', 'resource', 'space')),
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL CHECK (to_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session_state', 'resource', 'space')),
  to_id TEXT NOT NULL,
  relation_type TEXT NOT NULL CHECK (relation_type IN
    ('contradicts', 'derives', 'extends', 'supports', 'supersedes',
     'applies_to', 'depends_on', 'conflicts_with', 'related_to')),
  valid_from INTEGER,
  valid_until INTEGER,
  source_event_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_event_ids)),
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES agents(id),
  CHECK (from_type <> to_type OR from_id <> to_id),
  CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_from < valid_until)
) STRICT;

CREATE TABLE item_tags (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  item_type TEXT NOT NULL CHECK (item_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session', 'resource', 'space')),
  item_id TEXT NOT NULL,
  tag_id TEXT NOT NULL REFERENCES tags(id),
  created_at INTEGER NOT NULL, item_rid INTEGER, item_subtype TEXT, standing INTEGER NOT NULL DEFAULT 1 CHECK (standing BETWEEN 0 AND 2), by_classifier INTEGER NOT NULL DEFAULT 0 CHECK (by_classifier IN (0, 1)),
  UNIQUE (item_type, item_id, tag_id)
) STRICT;

CREATE TABLE jobs (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (length(kind) > 0),
  subject_type TEXT NOT NULL CHECK (subject_type IN
    ('memory', 'artifact', 'media_segment', 'derived_text_view', 'text_unit', 'event', 'claim', 'entity', 'entry',
     'resource', 'candidate', 'watch_folder', 'watched_file', 'space', 'model', 'database')),
  subject_id TEXT NOT NULL,
  processor_id TEXT NOT NULL DEFAULT '',
  config_hash TEXT NOT NULL DEFAULT '',
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  priority INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'processing', 'completed', 'failed', 'poison', 'cancelled', 'waiting_for_model', 'waiting_for_password')),
  progress REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  progress_note TEXT,
  lease_owner TEXT,
  leased_at INTEGER,
  lease_expires_at INTEGER,
  heartbeat_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  max_attempts INTEGER NOT NULL DEFAULT 3 CHECK (max_attempts >= 1),
  not_before INTEGER NOT NULL DEFAULT 0,
  last_error_code TEXT,
  last_error TEXT,
  result_id TEXT,
  cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  UNIQUE (kind, subject_type, subject_id, processor_id, config_hash),
  CHECK (status <> 'processing' OR (lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL))
) STRICT;

CREATE TABLE maintenance_runs (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL CHECK (task IN
    ('reconcile', 'expire', 'staleness', 'retention', 'divergence', 'prune_stale', 'dream', 'rebuild', 'reembed')),
  status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
  applied INTEGER NOT NULL DEFAULT 0 CHECK (applied IN (0, 1)),
  report TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(report)),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  CHECK ((status = 'running') = (finished_at IS NULL))
) STRICT;

CREATE TABLE media_segments (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  artifact_id TEXT NOT NULL REFERENCES artifacts(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  segment_type TEXT NOT NULL CHECK (segment_type IN
    ('whole', 'temporal', 'page_range', 'bbox', 'text_range', 'custom')),
  selector TEXT NOT NULL CHECK (json_valid(selector)),
  selector_hash TEXT NOT NULL,
  level TEXT NOT NULL DEFAULT 'block' CHECK (level IN
    ('whole', 'page', 'block', 'line', 'word', 'utterance', 'range')),
  ordinal INTEGER NOT NULL DEFAULT 0,
  parent_segment_id TEXT REFERENCES media_segments(id),
  confidence REAL CHECK (confidence BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  UNIQUE (artifact_id, selector_hash),
  CHECK (parent_segment_id IS NULL OR parent_segment_id <> id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND metadata = '{}'))
) STRICT;

CREATE TABLE memories (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,

  content TEXT,
  content_hash TEXT NOT NULL,
  modality TEXT NOT NULL DEFAULT 'text' CHECK (modality IN
    ('text', 'image', 'audio', 'video', 'pdf', 'document', 'html', 'source', 'other', 'mixed')),
  primary_artifact_id TEXT REFERENCES artifacts(id),
  title TEXT,
  summary TEXT,

  -- Classification
  scope TEXT NOT NULL CHECK (scope IN ('identity', 'preference', 'fact', 'experience', 'skill')),
  classification_confidence REAL NOT NULL DEFAULT 0.5 CHECK (classification_confidence BETWEEN 0 AND 1),
  classifier_id TEXT,
  record_kind TEXT,
  -- The rules, and their version, that its claims were last read by; null before its first reading.
  extractor_id TEXT,
  -- The detectors, and their version, that last looked for personal data in its words; null before they did.
  detected_by TEXT,
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  trust_level REAL NOT NULL DEFAULT 0.5 CHECK (trust_level BETWEEN 0 AND 1),

  -- Lifecycle
  tier TEXT NOT NULL DEFAULT 'warm' CHECK (tier IN ('hot', 'warm', 'cold')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN
    ('active', 'superseded', 'consolidated', 'archived', 'retracted', 'expired', 'deleted')),
  status_changed_at INTEGER,
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  expires_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,

  -- Versions
  memory_key TEXT,
  supersedes_id TEXT REFERENCES memories(id),
  superseded_by_id TEXT REFERENCES memories(id),
  consolidation_group TEXT,
  consolidated_into TEXT REFERENCES memories(id),

  -- Time
  valid_from INTEGER NOT NULL,
  valid_to INTEGER,
  occurred_at INTEGER,
  created_at INTEGER NOT NULL,

  -- Governance and envelope
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  source_type TEXT NOT NULL DEFAULT 'observation' CHECK (source_type IN
    ('observation', 'inference', 'consolidation', 'user_input')),
  layer TEXT NOT NULL DEFAULT 'distilled' CHECK (layer IN ('raw', 'distilled')),
  owner TEXT,
  artifact_ref TEXT,
  session_id TEXT,
  confidence_label TEXT NOT NULL DEFAULT 'observed' CHECK (confidence_label IN
    ('verified', 'observed', 'inferred', 'stale')),
  last_confirmed_at INTEGER,

  skill_links TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(skill_links)),
  sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),

  -- A text file's memory has the modality 'document' or 'source': its words are in a text view.
  CHECK (modality <> 'text' OR content IS NOT NULL),
  CHECK (content IS NOT NULL OR primary_artifact_id IS NOT NULL),
  CHECK (valid_to IS NULL OR valid_to >= valid_from),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND ifnull(content, '[REDACTED]') = '[REDACTED]'
    AND title IS NULL AND summary IS NULL AND skill_links = '[]' AND sources = '[]' AND metadata = '{}'))
) STRICT;

CREATE TABLE memory_artifact_links (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT NOT NULL REFERENCES memories(id),
  artifact_id TEXT NOT NULL REFERENCES artifacts(id),
  role TEXT NOT NULL CHECK (role IN
    ('primary', 'thumbnail', 'keyframe', 'audio_track', 'page_image', 'attachment')),
  created_at INTEGER NOT NULL,
  UNIQUE (memory_id, artifact_id, role)
) STRICT;

CREATE TABLE memory_derivations (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  derived_memory_id TEXT NOT NULL REFERENCES memories(id),
  source_memory_id TEXT NOT NULL REFERENCES memories(id),
  method TEXT NOT NULL CHECK (method IN ('consolidation', 'summarization', 'inference', 'promotion')),
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  created_at INTEGER NOT NULL,
  UNIQUE (derived_memory_id, source_memory_id),
  CHECK (derived_memory_id <> source_memory_id)
) STRICT;

CREATE TABLE memory_embeddings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  memory_id TEXT REFERENCES memories(id),
  artifact_id TEXT REFERENCES artifacts(id),
  segment_id TEXT REFERENCES media_segments(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  unit_id TEXT REFERENCES text_units(id),
  embedding_space TEXT NOT NULL CHECK (embedding_space IN
    ('text_dense', 'vision_language', 'audio_text', 'video_frame')),
  model_id TEXT NOT NULL,
  dimensions INTEGER NOT NULL CHECK (dimensions > 0),
  -- Little-endian 32-bit floats; NULL once redacted.
  embedding BLOB,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  created_at INTEGER NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  CHECK ((memory_id IS NOT NULL) + (artifact_id IS NOT NULL) + (segment_id IS NOT NULL)
    + (text_view_id IS NOT NULL) + (unit_id IS NOT NULL) = 1),
  CHECK (embedding IS NULL OR length(embedding) = 4 * dimensions),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND embedding IS NULL AND metadata = '{}'))
) STRICT;

CREATE TABLE memory_entity_links (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  memory_id TEXT NOT NULL REFERENCES memories(id),
  entity_id TEXT NOT NULL REFERENCES entities(id),
  link_type TEXT NOT NULL DEFAULT 'mention' CHECK (link_type IN ('mention', 'subject', 'about')),
  match_type TEXT CHECK (match_type IN ('exact', 'alias', 'fuzzy', 'user')),
  -- Where it is named: [[start, end], ...] in UTF-16 units of the memory's content or the view's text.
  text_view_id TEXT REFERENCES derived_text_views(id),
  spans TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(spans)),
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  created_at INTEGER NOT NULL,
  UNIQUE (memory_id, entity_id, link_type)
) STRICT;

CREATE TABLE memory_spaces (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  space_type TEXT NOT NULL CHECK (space_type IN
    ('global', 'user_core', 'user_personal', 'organization', 'project', 'shared', 'hive')),
  parent_space_id TEXT REFERENCES memory_spaces(id),
  read_policy TEXT NOT NULL DEFAULT 'members' CHECK (read_policy IN ('owner_only', 'members', 'public')),
  write_policy TEXT NOT NULL DEFAULT 'members' CHECK (write_policy IN ('owner_only', 'leaders', 'members')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'deleted')),
  description TEXT,
  root_path TEXT,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  created_by_actor TEXT REFERENCES agents(id), updated_at INTEGER,
  CHECK ((id = 'GLOBAL') = (space_type = 'global'))
) STRICT;

CREATE TABLE memory_status_history (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,               -- that of the memory, and which of its changes it is
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT NOT NULL REFERENCES memories(id),
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  valid_from INTEGER,                    -- since when it is so; null for what was never so (retracted), and for the end of that
  changed_at INTEGER NOT NULL,           -- when that was recorded
  CHECK (from_status <> to_status)
) STRICT;

CREATE TABLE memory_status_transitions (
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  PRIMARY KEY (from_status, to_status)
) STRICT, WITHOUT ROWID;

CREATE TABLE models_installed (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  catalogue_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  byte_size INTEGER NOT NULL CHECK (byte_size >= 0),
  licence TEXT NOT NULL,
  installed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE pairing_requests (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL DEFAULT 'pairing' CHECK (kind IN ('pairing', 'access')),
  client_name TEXT NOT NULL,
  claimed_process TEXT,
  peer_uid INTEGER,
  token_hash TEXT NOT NULL CHECK (length(token_hash) = 64),
  requested_spaces TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(requested_spaces)),
  requested_rights TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(requested_rights)),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'denied', 'expired')),
  decision TEXT CHECK (decision IN ('once', 'always', 'never')),
  decided_by TEXT REFERENCES agents(id),
  decided_at INTEGER,
  agent_id TEXT REFERENCES agents(id),
  token_id TEXT REFERENCES agent_tokens(id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  CHECK (status NOT IN ('approved', 'denied') OR (decision IS NOT NULL AND decided_by IS NOT NULL AND decided_at IS NOT NULL))
) STRICT;

CREATE TABLE past_item_tags (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  item_type TEXT NOT NULL,
  item_id TEXT NOT NULL,
  tag_id TEXT NOT NULL REFERENCES tags(id),
  created_at INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE promotion_requests (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  object_type TEXT NOT NULL CHECK (object_type IN ('memory', 'claim', 'entity', 'artifact')),
  object_id TEXT NOT NULL,
  source_space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  target_space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  requested_by TEXT NOT NULL REFERENCES agents(id),
  requested_at INTEGER NOT NULL,
  reviewed_by TEXT REFERENCES agents(id),
  reviewed_at INTEGER,
  promoted_object_id TEXT,
  -- Ids of all that was copied along, source to copy.
  lineage TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(lineage)),
  notes TEXT,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, asked_hmac TEXT, review_notes TEXT CHECK (is_redacted = 0 OR review_notes IS NULL),
  CHECK (source_space_id <> target_space_id),
  CHECK (status = 'pending' OR (reviewed_by IS NOT NULL AND reviewed_at IS NOT NULL)),
  CHECK ((status = 'approved') = (promoted_object_id IS NOT NULL)),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND notes IS NULL))
) STRICT;

CREATE TABLE raw_archive (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT NOT NULL UNIQUE REFERENCES memories(id),
  content_hmac TEXT NOT NULL,
  envelope TEXT NOT NULL CHECK (json_valid(envelope)),
  reason TEXT NOT NULL,
  archived_by TEXT NOT NULL REFERENCES agents(id),
  archived_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND envelope = '{}' AND reason = '[REDACTED]'))
) STRICT;

CREATE TABLE redaction_findings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT REFERENCES memories(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  artifact_id TEXT REFERENCES artifacts(id),
  start_offset INTEGER,
  end_offset INTEGER,
  -- Of a file: {"page":1,"bbox":[x,y,w,h]} or {"start_ms":..,"end_ms":..}
  place TEXT CHECK (place IS NULL OR json_valid(place)),
  finding_kind TEXT NOT NULL,
  -- 'person' for what a person marked.
  detector_id TEXT NOT NULL,
  detector_version TEXT NOT NULL DEFAULT '',
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'dismissed', 'applied')),
  decided_by TEXT REFERENCES agents(id),
  decided_at INTEGER,
  applied_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((memory_id IS NOT NULL) + (text_view_id IS NOT NULL) + (artifact_id IS NOT NULL) = 1),
  CHECK ((start_offset IS NULL) = (end_offset IS NULL)),
  CHECK (start_offset IS NULL OR (0 <= start_offset AND start_offset < end_offset)),
  CHECK ((artifact_id IS NULL) = (place IS NULL)),
  CHECK ((artifact_id IS NULL) = (start_offset IS NOT NULL)),
  CHECK (status = 'pending' OR (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
  CHECK (status <> 'applied' OR applied_at IS NOT NULL)
) STRICT;

CREATE TABLE rejected_values (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  value_kind TEXT NOT NULL CHECK (value_kind IN ('content', 'artifact', 'detected_value', 'entity_name', 'uri')),
  value_hmac TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('forgotten', 'redacted', 'rejected', 'purged')),
  source_type TEXT,
  source_id TEXT,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  created_at INTEGER NOT NULL,
  -- When and by whom it was let in again; null while it is refused.
  allowed_at INTEGER,
  allowed_by TEXT REFERENCES agents(id),
  UNIQUE (space_id, value_kind, value_hmac)
) STRICT;

CREATE TABLE relationship_types (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  inverse_name TEXT,
  -- Unknown means many, so that no conflict is invented.
  cardinality TEXT NOT NULL DEFAULT 'many_to_many' CHECK (cardinality IN
    ('one_to_one', 'one_to_many', 'many_to_one', 'many_to_many')),
  description TEXT,
  is_predefined INTEGER NOT NULL DEFAULT 0 CHECK (is_predefined IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, name)
) STRICT;

CREATE TABLE saved_searches (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  filters TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(filters)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (space_id, actor_id, name)
) STRICT;

CREATE TABLE session_states (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  session_id TEXT REFERENCES sessions(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'blocked', 'complete')),
  current_goal TEXT NOT NULL,
  summary TEXT,
  working_set TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(working_set)),
  source_event_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_event_ids)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND current_goal = '[REDACTED]' AND summary IS NULL
    AND working_set = '[]' AND metadata = '{}'))
) STRICT;

CREATE TABLE sessions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT,
  purpose TEXT,
  agent_id TEXT REFERENCES agents(id),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'completed', 'discarded')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, client_ref TEXT CHECK (is_redacted = 0 OR client_ref IS NULL),
  CHECK (status NOT IN ('completed', 'discarded') OR ended_at IS NOT NULL),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND name IS NULL AND purpose IS NULL AND metadata = '{}'))
) STRICT;

CREATE TABLE space_indexes (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  kind TEXT NOT NULL DEFAULT 'units' CHECK (kind IN
    ('units', 'claims', 'events', 'entries', 'resources', 'session_states', 'entities')),
  fts_table TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, kind)
) STRICT;

CREATE TABLE space_memberships (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  agent_id TEXT NOT NULL REFERENCES agents(id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'leader', 'member', 'observer')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'removed')),
  trust_weight REAL CHECK (trust_weight BETWEEN 0 AND 1),
  added_at INTEGER NOT NULL,
  added_by_actor TEXT NOT NULL REFERENCES agents(id),
  UNIQUE (space_id, agent_id)
) STRICT;

CREATE TABLE space_overlays (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  overlay_space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  include_mode TEXT NOT NULL DEFAULT 'read_only' CHECK (include_mode IN ('read_only', 'read_write')),
  created_at INTEGER NOT NULL,
  created_by_actor TEXT REFERENCES agents(id),
  UNIQUE (space_id, overlay_space_id),
  CHECK (space_id <> overlay_space_id)
) STRICT;

CREATE TABLE space_settings (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  key TEXT NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  updated_by TEXT REFERENCES agents(id),
  updated_at INTEGER NOT NULL,
  UNIQUE (space_id, key)
) STRICT;

CREATE TABLE system_settings (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (key <> 'compliance_mode' OR value IN ('true', 'false'))
) STRICT;

CREATE TABLE tags (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  category TEXT NOT NULL DEFAULT 'custom' CHECK (category IN ('language', 'domain', 'meta', 'custom')),
  is_predefined INTEGER NOT NULL DEFAULT 0 CHECK (is_predefined IN (0, 1)),
  description TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, name)
) STRICT;

CREATE TABLE text_units (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  memory_id TEXT REFERENCES memories(id),
  text_view_id TEXT REFERENCES derived_text_views(id),
  owner_memory_id TEXT NOT NULL REFERENCES memories(id),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  segment_id TEXT REFERENCES media_segments(id),
  heading_path TEXT,
  token_count INTEGER,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at INTEGER NOT NULL, mail_start INTEGER, mail_from TEXT, mail_sent_at INTEGER,
  UNIQUE (memory_id, ordinal),
  UNIQUE (text_view_id, ordinal),
  CHECK ((memory_id IS NOT NULL) + (text_view_id IS NOT NULL) = 1),
  CHECK (memory_id IS NULL OR memory_id = owner_memory_id),
  CHECK (0 <= start_offset AND start_offset <= end_offset)
) STRICT;

CREATE TABLE text_view_spans (
  rid INTEGER PRIMARY KEY,
  text_view_id TEXT NOT NULL UNIQUE REFERENCES derived_text_views(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  spans TEXT NOT NULL CHECK (json_valid(spans))
) STRICT;

CREATE TABLE thumbnails (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  artifact_id TEXT NOT NULL UNIQUE REFERENCES artifacts(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  blob BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE undo_log (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  operation TEXT NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  before_state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(before_state)),
  after_state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(after_state)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  undone_by TEXT REFERENCES agents(id),
  undone_at INTEGER,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND before_state = '{}' AND after_state = '{}'))
) STRICT;

CREATE TABLE verification_records (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  target_type TEXT NOT NULL CHECK (target_type IN
    ('memory', 'artifact', 'event', 'claim', 'entity', 'entry', 'core_block', 'session_state', 'resource')),
  target_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('failed', 'passed', 'stale', 'unknown', 'warning')),
  checker TEXT NOT NULL,
  detail TEXT,
  checked_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER, actor_id TEXT REFERENCES agents(id),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND detail IS NULL))
) STRICT;

CREATE TABLE watch_folders (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  path TEXT NOT NULL,
  include_globs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(include_globs)),
  exclude_globs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(exclude_globs)),
  honour_gitignore INTEGER NOT NULL DEFAULT 0 CHECK (honour_gitignore IN (0, 1)),
  on_delete TEXT NOT NULL DEFAULT 'mark' CHECK (on_delete IN ('mark', 'keep')),
  recursive INTEGER NOT NULL DEFAULT 1 CHECK (recursive IN (0, 1)),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  last_scan_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (space_id, path)
) STRICT;

CREATE TABLE watched_files (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  watch_id TEXT NOT NULL REFERENCES watch_folders(id),
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  rel_path TEXT NOT NULL,
  size INTEGER CHECK (size >= 0),
  mtime_ns INTEGER,
  -- Device and inode: what a moved file keeps.
  file_key TEXT,
  content_hash TEXT,
  artifact_id TEXT REFERENCES artifacts(id),
  memory_id TEXT REFERENCES memories(id),
  status TEXT NOT NULL DEFAULT 'present' CHECK (status IN ('present', 'missing', 'ignored', 'failed')),
  last_error TEXT,
  last_seen_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (watch_id, rel_path)
) STRICT;

CREATE TABLE workspace_resource_versions (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  resource_id TEXT NOT NULL REFERENCES workspace_resources(id),
  version_num INTEGER NOT NULL CHECK (version_num >= 1),
  title TEXT NOT NULL,
  content TEXT,
  content_hash TEXT,
  valid_from INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  actor_id TEXT NOT NULL REFERENCES agents(id),
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (resource_id, version_num),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND title = '[REDACTED]'
    AND ifnull(content, '[REDACTED]') = '[REDACTED]'))
) STRICT;

CREATE TABLE workspace_resources (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space_id TEXT NOT NULL REFERENCES memory_spaces(id),
  actor_id TEXT NOT NULL REFERENCES agents(id),
  uri TEXT NOT NULL,
  parent_uri TEXT,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT,
  content_hash TEXT,
  source_event_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_event_ids)),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleted')),
  current_version INTEGER NOT NULL DEFAULT 1 CHECK (current_version >= 1),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_redacted INTEGER NOT NULL DEFAULT 0 CHECK (is_redacted IN (0, 1)),
  redacted_at INTEGER,
  UNIQUE (space_id, uri),
  CHECK (parent_uri IS NULL OR parent_uri <> uri),
  CHECK (is_redacted = 0 OR (redacted_at IS NOT NULL AND title = '[REDACTED]'
    AND ifnull(content, '[REDACTED]') = '[REDACTED]' AND metadata = '{}'))
) STRICT;

INSERT INTO agents (rid, id, name, agent_type, default_trust_weight, home_space_id, is_active, metadata, created_at, folders, profile) VALUES (1, '00000000-0000-7000-8000-00000000000a', 'owner', 'human', 1.0, '00000000-0000-7000-8000-000000000001', 1, '{}', 0, '[]', 'default');

INSERT INTO agents (rid, id, name, agent_type, default_trust_weight, home_space_id, is_active, metadata, created_at, folders, profile) VALUES (2, '00000000-0000-7000-8000-00000000000b', 'system', 'system', 1.0, 'GLOBAL', 1, '{}', 0, '[]', 'default');

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (1, '00000000-0000-7000-8000-000000000300', 'GLOBAL', 'name', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (10, '00000000-0000-7000-8000-000000000309', 'GLOBAL', 'nationality', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (11, '00000000-0000-7000-8000-00000000030a', 'GLOBAL', 'language', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (12, '00000000-0000-7000-8000-00000000030b', 'GLOBAL', 'diet', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (13, '00000000-0000-7000-8000-00000000030c', 'GLOBAL', 'allergy', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (14, '00000000-0000-7000-8000-00000000030d', 'GLOBAL', 'eats', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (15, '00000000-0000-7000-8000-00000000030e', 'GLOBAL', 'drinks', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (16, '00000000-0000-7000-8000-00000000030f', 'GLOBAL', 'health_condition', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (17, '00000000-0000-7000-8000-000000000310', 'GLOBAL', 'medication', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (18, '00000000-0000-7000-8000-000000000311', 'GLOBAL', 'plays', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (19, '00000000-0000-7000-8000-000000000312', 'GLOBAL', 'studies', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (2, '00000000-0000-7000-8000-000000000301', 'GLOBAL', 'full_name', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (20, '00000000-0000-7000-8000-000000000313', 'GLOBAL', 'teaches', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (21, '00000000-0000-7000-8000-000000000314', 'GLOBAL', 'number_of_children', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (22, '00000000-0000-7000-8000-000000000315', 'GLOBAL', 'practices', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (23, '00000000-0000-7000-8000-000000000316', 'GLOBAL', 'reads', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (24, '00000000-0000-7000-8000-000000000317', 'GLOBAL', 'goal', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (25, '00000000-0000-7000-8000-000000000318', 'GLOBAL', 'is_a', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (26, '00000000-0000-7000-8000-000000000319', 'GLOBAL', 'time_zone', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (27, '00000000-0000-7000-8000-00000000031a', 'GLOBAL', 'marital_status', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (28, '00000000-0000-7000-8000-00000000031b', 'GLOBAL', 'pronouns', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (29, '00000000-0000-7000-8000-00000000031c', 'GLOBAL', 'store', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (3, '00000000-0000-7000-8000-000000000302', 'GLOBAL', 'birthday', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (30, '00000000-0000-7000-8000-00000000031d', 'GLOBAL', 'date', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (31, '00000000-0000-7000-8000-00000000031e', 'GLOBAL', 'total', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (32, '00000000-0000-7000-8000-00000000031f', 'GLOBAL', 'total_due', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (33, '00000000-0000-7000-8000-000000000320', 'GLOBAL', 'subtotal', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (34, '00000000-0000-7000-8000-000000000321', 'GLOBAL', 'tax', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (35, '00000000-0000-7000-8000-000000000322', 'GLOBAL', 'currency', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (36, '00000000-0000-7000-8000-000000000323', 'GLOBAL', 'version', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (37, '00000000-0000-7000-8000-000000000324', 'GLOBAL', 'status', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (38, '00000000-0000-7000-8000-000000000325', 'GLOBAL', 'deadline', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (39, '00000000-0000-7000-8000-000000000326', 'GLOBAL', 'price', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (4, '00000000-0000-7000-8000-000000000303', 'GLOBAL', 'age', 'one', 'number', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (40, '00000000-0000-7000-8000-000000000327', 'GLOBAL', 'expires_in', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (41, '00000000-0000-7000-8000-000000000328', 'GLOBAL', 'expires_on', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (42, '00000000-0000-7000-8000-000000000329', 'GLOBAL', 'renews_on', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (43, '00000000-0000-7000-8000-00000000032a', 'GLOBAL', 'paid_on', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (44, '00000000-0000-7000-8000-00000000032b', 'GLOBAL', 'license', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (45, '00000000-0000-7000-8000-00000000032c', 'GLOBAL', 'ships_on', 'one', 'date', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (46, '00000000-0000-7000-8000-00000000032d', 'GLOBAL', 'scheduled_at', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (47, '00000000-0000-7000-8000-00000000032e', 'GLOBAL', 'starts_on', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (48, '00000000-0000-7000-8000-00000000032f', 'GLOBAL', 'ends_on', 'one', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (49, '00000000-0000-7000-8000-000000000330', 'GLOBAL', 'opens_at', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (5, '00000000-0000-7000-8000-000000000304', 'GLOBAL', 'email', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (50, '00000000-0000-7000-8000-000000000331', 'GLOBAL', 'closes_at', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (51, '00000000-0000-7000-8000-000000000332', 'GLOBAL', 'departs_at', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (52, '00000000-0000-7000-8000-000000000333', 'GLOBAL', 'arrives_at', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (53, '00000000-0000-7000-8000-000000000334', 'GLOBAL', 'likes', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (54, '00000000-0000-7000-8000-000000000335', 'GLOBAL', 'dislikes', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (55, '00000000-0000-7000-8000-000000000336', 'GLOBAL', 'prefers', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (56, '00000000-0000-7000-8000-000000000337', 'GLOBAL', 'adopted', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (57, '00000000-0000-7000-8000-000000000338', 'GLOBAL', 'started', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (58, '00000000-0000-7000-8000-000000000339', 'GLOBAL', 'finished', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (59, '00000000-0000-7000-8000-00000000033a', 'GLOBAL', 'quit', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (6, '00000000-0000-7000-8000-000000000305', 'GLOBAL', 'phone', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (60, '00000000-0000-7000-8000-00000000033b', 'GLOBAL', 'won', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (61, '00000000-0000-7000-8000-00000000033c', 'GLOBAL', 'lost', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (62, '00000000-0000-7000-8000-00000000033d', 'GLOBAL', 'received', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (63, '00000000-0000-7000-8000-00000000033e', 'GLOBAL', 'did', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (64, '00000000-0000-7000-8000-00000000033f', 'GLOBAL', 'read', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (65, '00000000-0000-7000-8000-000000000340', 'GLOBAL', 'watched', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (66, '00000000-0000-7000-8000-000000000341', 'GLOBAL', 'performed_at', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (67, '00000000-0000-7000-8000-000000000342', 'GLOBAL', 'decided', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (68, '00000000-0000-7000-8000-000000000343', 'GLOBAL', 'died', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (69, '00000000-0000-7000-8000-000000000344', 'GLOBAL', 'retired', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (7, '00000000-0000-7000-8000-000000000306', 'GLOBAL', 'address', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (70, '00000000-0000-7000-8000-000000000345', 'GLOBAL', 'injured', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (8, '00000000-0000-7000-8000-000000000307', 'GLOBAL', 'website', 'many', 'text', NULL, 1, 0);

INSERT INTO attribute_keys (rid, id, space_id, name, cardinality, value_kind, description, is_predefined, created_at) VALUES (9, '00000000-0000-7000-8000-000000000308', 'GLOBAL', 'job_title', 'many', 'text', NULL, 1, 0);

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('asserted', 'disputed', 'nothing');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('asserted', 'retracted', 'nothing');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('asserted', 'superseded', 'nothing');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('disputed', 'asserted', 'support');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('disputed', 'retracted', 'nothing');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('disputed', 'superseded', 'nothing');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('draft', 'asserted', 'support');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('draft', 'retracted', 'nothing');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('retracted', 'asserted', 'new_support');

INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('superseded', 'asserted', 'undo');

INSERT INTO memory_spaces (rid, id, name, space_type, parent_space_id, read_policy, write_policy, status, description, root_path, metadata, created_at, created_by_actor, updated_at) VALUES (1, 'GLOBAL', 'Global', 'global', NULL, 'public', 'leaders', 'active', 'What every space may name: shared entities, predefined tags and types.', NULL, '{}', 0, '00000000-0000-7000-8000-00000000000b', NULL);

INSERT INTO memory_spaces (rid, id, name, space_type, parent_space_id, read_policy, write_policy, status, description, root_path, metadata, created_at, created_by_actor, updated_at) VALUES (2, '00000000-0000-7000-8000-000000000001', 'Me', 'user_core', NULL, 'owner_only', 'owner_only', 'active', 'Who you are and what you prefer.', NULL, '{}', 0, '00000000-0000-7000-8000-00000000000b', NULL);

INSERT INTO memory_spaces (rid, id, name, space_type, parent_space_id, read_policy, write_policy, status, description, root_path, metadata, created_at, created_by_actor, updated_at) VALUES (3, '00000000-0000-7000-8000-000000000002', 'default', 'project', NULL, 'members', 'members', 'active', 'Where things go when no space is named.', NULL, '{}', 0, '00000000-0000-7000-8000-00000000000b', NULL);

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('active', 'archived');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('active', 'consolidated');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('active', 'deleted');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('active', 'expired');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('active', 'retracted');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('active', 'superseded');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('archived', 'active');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('archived', 'deleted');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('consolidated', 'active');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('consolidated', 'deleted');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('deleted', 'active');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('expired', 'active');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('expired', 'deleted');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('retracted', 'active');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('retracted', 'deleted');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('superseded', 'active');

INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('superseded', 'deleted');

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (1, '00000000-0000-7000-8000-000000000200', 'GLOBAL', 'works_at', 'employs', 'many_to_one', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (10, '00000000-0000-7000-8000-000000000209', 'GLOBAL', 'married_to', 'married_to', 'one_to_one', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (11, '00000000-0000-7000-8000-00000000020a', 'GLOBAL', 'partner_of', 'partner_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (12, '00000000-0000-7000-8000-00000000020b', 'GLOBAL', 'parent_of', 'child_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (13, '00000000-0000-7000-8000-00000000020c', 'GLOBAL', 'sibling_of', 'sibling_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (14, '00000000-0000-7000-8000-00000000020d', 'GLOBAL', 'friend_of', 'friend_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (15, '00000000-0000-7000-8000-00000000020e', 'GLOBAL', 'knows', 'knows', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (16, '00000000-0000-7000-8000-00000000020f', 'GLOBAL', 'colleague_of', 'colleague_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (17, '00000000-0000-7000-8000-000000000210', 'GLOBAL', 'reports_to', 'supervises', 'many_to_one', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (18, '00000000-0000-7000-8000-000000000211', 'GLOBAL', 'created', 'created_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (19, '00000000-0000-7000-8000-000000000212', 'GLOBAL', 'uses', 'used_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (2, '00000000-0000-7000-8000-000000000201', 'GLOBAL', 'member_of', 'has_member', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (20, '00000000-0000-7000-8000-000000000213', 'GLOBAL', 'part_of', 'has_part', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (21, '00000000-0000-7000-8000-000000000214', 'GLOBAL', 'depends_on', 'dependency_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (22, '00000000-0000-7000-8000-000000000215', 'GLOBAL', 'bought_from', 'sold_to', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (23, '00000000-0000-7000-8000-000000000216', 'GLOBAL', 'visited', 'visited_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (24, '00000000-0000-7000-8000-000000000217', 'GLOBAL', 'attended', 'attended_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (25, '00000000-0000-7000-8000-000000000218', 'GLOBAL', 'has_pet', 'pet_of', 'one_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (26, '00000000-0000-7000-8000-000000000219', 'GLOBAL', 'related_to', 'related_to', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (27, '00000000-0000-7000-8000-00000000021a', 'GLOBAL', 'comes_from', 'origin_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (28, '00000000-0000-7000-8000-00000000021b', 'GLOBAL', 'graduated_from', 'has_graduate', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (29, '00000000-0000-7000-8000-00000000021c', 'GLOBAL', 'teaches_at', 'has_teacher', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (3, '00000000-0000-7000-8000-000000000202', 'GLOBAL', 'manages', 'managed_by', 'one_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (30, '00000000-0000-7000-8000-00000000021d', 'GLOBAL', 'volunteers_at', 'has_volunteer', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (31, '00000000-0000-7000-8000-00000000021e', 'GLOBAL', 'works_on', 'worked_on_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (32, '00000000-0000-7000-8000-00000000021f', 'GLOBAL', 'engaged_to', 'engaged_to', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (33, '00000000-0000-7000-8000-000000000220', 'GLOBAL', 'divorced_from', 'divorced_from', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (34, '00000000-0000-7000-8000-000000000221', 'GLOBAL', 'grandparent_of', 'grandchild_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (35, '00000000-0000-7000-8000-000000000222', 'GLOBAL', 'aunt_or_uncle_of', 'niece_or_nephew_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (36, '00000000-0000-7000-8000-000000000223', 'GLOBAL', 'cousin_of', 'cousin_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (37, '00000000-0000-7000-8000-000000000224', 'GLOBAL', 'in_law_of', 'in_law_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (38, '00000000-0000-7000-8000-000000000225', 'GLOBAL', 'neighbor_of', 'neighbor_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (39, '00000000-0000-7000-8000-000000000226', 'GLOBAL', 'roommate_of', 'roommate_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (4, '00000000-0000-7000-8000-000000000203', 'GLOBAL', 'founded', 'founded_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (40, '00000000-0000-7000-8000-000000000227', 'GLOBAL', 'mentors', 'mentored_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (41, '00000000-0000-7000-8000-000000000228', 'GLOBAL', 'assistant_of', 'has_assistant', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (42, '00000000-0000-7000-8000-000000000229', 'GLOBAL', 'doctor_of', 'patient_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (43, '00000000-0000-7000-8000-00000000022a', 'GLOBAL', 'client_of', 'has_client', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (44, '00000000-0000-7000-8000-00000000022b', 'GLOBAL', 'written_by', 'wrote', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (45, '00000000-0000-7000-8000-00000000022c', 'GLOBAL', 'reviewed_by', 'reviewed', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (46, '00000000-0000-7000-8000-00000000022d', 'GLOBAL', 'approved_by', 'approved', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (47, '00000000-0000-7000-8000-00000000022e', 'GLOBAL', 'signed_by', 'signed', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (48, '00000000-0000-7000-8000-00000000022f', 'GLOBAL', 'directed_by', 'directed', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (49, '00000000-0000-7000-8000-000000000230', 'GLOBAL', 'published_by', 'published', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (5, '00000000-0000-7000-8000-000000000204', 'GLOBAL', 'owns', 'owned_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (50, '00000000-0000-7000-8000-000000000231', 'GLOBAL', 'maintained_by', 'maintains', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (51, '00000000-0000-7000-8000-000000000232', 'GLOBAL', 'assigned_to', 'assigned', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (52, '00000000-0000-7000-8000-000000000233', 'GLOBAL', 'organized_by', 'organizes', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (53, '00000000-0000-7000-8000-000000000234', 'GLOBAL', 'performed_by', 'performed', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (54, '00000000-0000-7000-8000-000000000235', 'GLOBAL', 'translated_by', 'translated', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (55, '00000000-0000-7000-8000-000000000236', 'GLOBAL', 'installed_by', 'installed', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (56, '00000000-0000-7000-8000-000000000237', 'GLOBAL', 'sponsored_by', 'sponsors', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (57, '00000000-0000-7000-8000-000000000238', 'GLOBAL', 'provided_by', 'provides', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (58, '00000000-0000-7000-8000-000000000239', 'GLOBAL', 'hosted_on', 'hosts', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (59, '00000000-0000-7000-8000-00000000023a', 'GLOBAL', 'runs', 'run_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (6, '00000000-0000-7000-8000-000000000205', 'GLOBAL', 'located_in', 'contains', 'many_to_one', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (60, '00000000-0000-7000-8000-00000000023b', 'GLOBAL', 'requires', 'required_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (61, '00000000-0000-7000-8000-00000000023c', 'GLOBAL', 'supports', 'supported_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (62, '00000000-0000-7000-8000-00000000023d', 'GLOBAL', 'connects_to', 'connected_from', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (63, '00000000-0000-7000-8000-00000000023e', 'GLOBAL', 'replaced', 'replaced_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (64, '00000000-0000-7000-8000-00000000023f', 'GLOBAL', 'acquired', 'acquired_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (65, '00000000-0000-7000-8000-000000000240', 'GLOBAL', 'merged_with', 'merged_with', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (66, '00000000-0000-7000-8000-000000000241', 'GLOBAL', 'subsidiary_of', 'has_subsidiary', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (67, '00000000-0000-7000-8000-000000000242', 'GLOBAL', 'bought', 'bought_by', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (68, '00000000-0000-7000-8000-000000000243', 'GLOBAL', 'invested_in', 'has_investor', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (69, '00000000-0000-7000-8000-000000000244', 'GLOBAL', 'named_after', 'namesake_of', 'many_to_many', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (7, '00000000-0000-7000-8000-000000000206', 'GLOBAL', 'lives_in', 'home_of', 'many_to_one', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (8, '00000000-0000-7000-8000-000000000207', 'GLOBAL', 'born_in', 'birthplace_of', 'many_to_one', NULL, 1, 0);

INSERT INTO relationship_types (rid, id, space_id, name, inverse_name, cardinality, description, is_predefined, created_at) VALUES (9, '00000000-0000-7000-8000-000000000208', 'GLOBAL', 'studied_at', 'has_student', 'many_to_many', NULL, 1, 0);

INSERT INTO space_memberships (rid, id, space_id, agent_id, role, status, trust_weight, added_at, added_by_actor) VALUES (1, '00000000-0000-7000-8000-000000000011', 'GLOBAL', '00000000-0000-7000-8000-00000000000a', 'owner', 'active', NULL, 0, '00000000-0000-7000-8000-00000000000b');

INSERT INTO space_memberships (rid, id, space_id, agent_id, role, status, trust_weight, added_at, added_by_actor) VALUES (2, '00000000-0000-7000-8000-000000000012', '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000a', 'owner', 'active', NULL, 0, '00000000-0000-7000-8000-00000000000b');

INSERT INTO space_memberships (rid, id, space_id, agent_id, role, status, trust_weight, added_at, added_by_actor) VALUES (3, '00000000-0000-7000-8000-000000000013', '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-00000000000a', 'owner', 'active', NULL, 0, '00000000-0000-7000-8000-00000000000b');

INSERT INTO system_settings (key, value, updated_at) VALUES ('compliance_mode', 'false', 0);

INSERT INTO system_settings (key, value, updated_at) VALUES ('embedding_dimensions', '384', 0);

INSERT INTO system_settings (key, value, updated_at) VALUES ('embedding_model_id', 'all-MiniLM-L6-v2', 0);

INSERT INTO system_settings (key, value, updated_at) VALUES ('schema_version', '1', 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (1, '00000000-0000-7000-8000-000000000100', 'GLOBAL', 'python', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (10, '00000000-0000-7000-8000-000000000109', 'GLOBAL', 'web', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (11, '00000000-0000-7000-8000-00000000010a', 'GLOBAL', 'cli', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (12, '00000000-0000-7000-8000-00000000010b', 'GLOBAL', 'api', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (13, '00000000-0000-7000-8000-00000000010c', 'GLOBAL', 'database', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (14, '00000000-0000-7000-8000-00000000010d', 'GLOBAL', 'ml', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (15, '00000000-0000-7000-8000-00000000010e', 'GLOBAL', 'devops', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (16, '00000000-0000-7000-8000-00000000010f', 'GLOBAL', 'security', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (17, '00000000-0000-7000-8000-000000000110', 'GLOBAL', 'testing', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (18, '00000000-0000-7000-8000-000000000111', 'GLOBAL', 'documentation', 'domain', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (19, '00000000-0000-7000-8000-000000000112', 'GLOBAL', 'deprecated', 'meta', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (2, '00000000-0000-7000-8000-000000000101', 'GLOBAL', 'typescript', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (20, '00000000-0000-7000-8000-000000000113', 'GLOBAL', 'experimental', 'meta', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (21, '00000000-0000-7000-8000-000000000114', 'GLOBAL', 'stable', 'meta', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (22, '00000000-0000-7000-8000-000000000115', 'GLOBAL', 'required', 'meta', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (23, '00000000-0000-7000-8000-000000000116', 'GLOBAL', 'optional', 'meta', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (3, '00000000-0000-7000-8000-000000000102', 'GLOBAL', 'javascript', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (4, '00000000-0000-7000-8000-000000000103', 'GLOBAL', 'rust', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (5, '00000000-0000-7000-8000-000000000104', 'GLOBAL', 'go', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (6, '00000000-0000-7000-8000-000000000105', 'GLOBAL', 'java', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (7, '00000000-0000-7000-8000-000000000106', 'GLOBAL', 'sql', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (8, '00000000-0000-7000-8000-000000000107', 'GLOBAL', 'bash', 'language', 1, NULL, 0);

INSERT INTO tags (rid, id, space_id, name, category, is_predefined, description, created_at) VALUES (9, '00000000-0000-7000-8000-000000000108', 'GLOBAL', 'markdown', 'language', 1, NULL, 0);

CREATE INDEX idx_alias_entity ON entity_aliases(entity_id);

CREATE INDEX idx_alias_lookup ON entity_aliases(canonical_alias);

CREATE INDEX idx_artifact_bytes_space ON artifact_bytes(space_id);

CREATE INDEX idx_artifacts_derived_from ON artifacts(derived_from_artifact_id);

CREATE INDEX idx_artifacts_mails ON artifacts(space_id) WHERE mime_type = 'message/rfc822';

CREATE INDEX idx_artifacts_newest ON artifacts(space_id, status, rid, modality, created_at, id);

CREATE INDEX idx_artifacts_type ON artifacts(space_id, modality) WHERE modality <> 'text';

CREATE INDEX idx_artifacts_uri ON artifacts(storage_uri) WHERE storage_uri IS NOT NULL;

CREATE INDEX idx_associations_space ON associations(space_id);

CREATE INDEX idx_associations_to ON associations(to_type, to_id);

CREATE INDEX idx_audit_actor ON audit_events(actor_id);

CREATE INDEX idx_audit_object ON audit_events(object_id, object_type);

CREATE INDEX idx_audit_space ON audit_events(space_id);

CREATE INDEX idx_audit_time ON audit_events(recorded_at);

CREATE INDEX idx_audit_type ON audit_events(event_type);

CREATE INDEX idx_candidates_dropped ON candidates(reviewed_at) WHERE reason = 'held' AND status = 'rejected';

CREATE INDEX idx_candidates_hash ON candidates(space_id, content_hash);

CREATE INDEX idx_candidates_held ON candidates(space_id, rid) WHERE reason = 'held' AND status = 'pending';

CREATE INDEX idx_candidates_memory ON candidates(json_extract(payload, '$.memory'), status) WHERE reason = 'ambiguous_name';

CREATE INDEX idx_candidates_name ON candidates(space_id, json_extract(payload, '$.canonical')) WHERE reason = 'ambiguous_name';

CREATE INDEX idx_candidates_proposed ON candidates(space_id, rid) WHERE status = 'pending' AND kind <> 'claim';

CREATE INDEX idx_candidates_reviewed ON candidates(reviewed_at) WHERE reviewed_at IS NOT NULL;

CREATE INDEX idx_candidates_space ON candidates(space_id, status, created_at);

CREATE INDEX idx_candidates_waiting ON candidates(space_id, rid) WHERE reason = 'ambiguous_name' AND status = 'pending';

CREATE INDEX idx_claim_history_claim ON claim_state_history(claim_id, rid);

CREATE INDEX idx_claim_history_space ON claim_state_history(space_id, changed_at);

CREATE INDEX idx_claim_windows_claim ON claim_window_history(claim_id, rid);

CREATE INDEX idx_claim_windows_space ON claim_window_history(space_id, changed_at);

CREATE INDEX idx_claims_attribute ON claims(space_id, attribute_key) WHERE attribute_key IS NOT NULL;

CREATE INDEX idx_claims_entity ON claims(entity_id, state);

CREATE INDEX idx_claims_fact ON claims(space_id, fact_key) WHERE fact_key IS NOT NULL;

CREATE INDEX idx_claims_kept_out ON claims(space_id) WHERE kept_out_by <> '[]';

CREATE INDEX idx_claims_relation ON claims(space_id, relationship_type_id) WHERE relationship_type_id IS NOT NULL;

CREATE INDEX idx_claims_slot ON claims(entity_id, attribute_key, relationship_type_id);

CREATE INDEX idx_claims_space_state ON claims(space_id, state);

CREATE INDEX idx_claims_superseded_by ON claims(superseded_by_id) WHERE superseded_by_id IS NOT NULL;

CREATE INDEX idx_claims_target ON claims(target_entity_id, relationship_type_id, entity_id) WHERE target_entity_id IS NOT NULL;

CREATE INDEX idx_conflicts_claim_b ON conflicts(claim_b_id);

CREATE INDEX idx_conflicts_space ON conflicts(space_id, status);

CREATE INDEX idx_contexts_actor ON compiled_contexts(actor_id);

CREATE INDEX idx_contexts_expires ON compiled_contexts(expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX idx_contexts_hash ON compiled_contexts(text_hash, actor_id);

CREATE INDEX idx_contexts_space ON compiled_contexts(space_id, created_at);

CREATE INDEX idx_core_blocks_label ON core_blocks(space_id, label);

CREATE INDEX idx_derivations_source ON memory_derivations(source_memory_id);

CREATE INDEX idx_derivations_space ON memory_derivations(space_id);

CREATE INDEX idx_dtv_artifact ON derived_text_views(artifact_id, ordinal);

CREATE INDEX idx_dtv_detected ON derived_text_views(detected_by)
WHERE detected_by IS NOT NULL AND status = 'active' AND is_redacted = 0;

CREATE INDEX idx_dtv_segment ON derived_text_views(segment_id);

CREATE INDEX idx_dtv_space ON derived_text_views(space_id, view_type);

CREATE INDEX idx_edges_claim ON entity_relationships(claim_id);

CREATE INDEX idx_edges_source ON entity_relationships(source_entity_id, is_active);

CREATE INDEX idx_edges_target ON entity_relationships(target_entity_id, is_active);

CREATE INDEX idx_embeddings_artifact ON memory_embeddings(artifact_id) WHERE artifact_id IS NOT NULL;

CREATE INDEX idx_embeddings_memory ON memory_embeddings(memory_id) WHERE memory_id IS NOT NULL;

CREATE INDEX idx_embeddings_segment ON memory_embeddings(segment_id) WHERE segment_id IS NOT NULL;

CREATE INDEX idx_embeddings_text_view ON memory_embeddings(text_view_id) WHERE text_view_id IS NOT NULL;

CREATE INDEX idx_entities_canonical ON entities(space_id, canonical_name);

CREATE INDEX idx_entities_merged ON entities(merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX idx_entities_type ON entities(space_id, entity_type);

CREATE INDEX idx_entries_listed
ON entries(space_id, ifnull(session_id, ''), entry_type, is_active, priority DESC, updated_at DESC) WHERE is_redacted = 0;

CREATE INDEX idx_entries_session ON entries(session_id) WHERE session_id IS NOT NULL;

CREATE INDEX idx_entry_conflicts_entry ON entry_conflicts(entry_id, detected_at);

CREATE INDEX idx_entry_conflicts_open ON entry_conflicts(entry_id) WHERE resolved = 0;

CREATE INDEX idx_entry_conflicts_space ON entry_conflicts(space_id);

CREATE INDEX idx_entry_versions_space ON entry_versions(space_id);

CREATE INDEX idx_events_about ON evidence_events(json_extract(metadata, '$.about')) WHERE kind = 'system_event';

CREATE INDEX idx_events_kind ON evidence_events(space_id, kind);

CREATE INDEX idx_events_session ON evidence_events(session_id, recorded_at);

CREATE INDEX idx_events_space ON evidence_events(space_id, recorded_at);

CREATE INDEX idx_events_stated ON evidence_events(space_id, content_hash) WHERE kind = 'explicit_memory';

CREATE INDEX idx_evidence_claim ON claim_evidence(claim_id, polarity, confidence) WHERE is_redacted = 0;

CREATE INDEX idx_evidence_claim_all ON claim_evidence(claim_id);

CREATE INDEX idx_evidence_memory ON claim_evidence(memory_id) WHERE memory_id IS NOT NULL;

CREATE INDEX idx_evidence_segment ON claim_evidence(segment_id) WHERE segment_id IS NOT NULL;

CREATE INDEX idx_evidence_space ON claim_evidence(space_id);

CREATE INDEX idx_evidence_view ON claim_evidence(derived_text_view_id) WHERE derived_text_view_id IS NOT NULL;

CREATE INDEX idx_file_locks_due ON file_locks(expires_at) WHERE released_at IS NULL;

CREATE INDEX idx_findings_artifact ON redaction_findings(artifact_id) WHERE artifact_id IS NOT NULL;

CREATE INDEX idx_findings_decided ON redaction_findings(decided_at) WHERE decided_at IS NOT NULL;

CREATE INDEX idx_findings_memory ON redaction_findings(memory_id) WHERE memory_id IS NOT NULL;

CREATE INDEX idx_findings_space ON redaction_findings(space_id, status, finding_kind);

CREATE INDEX idx_findings_view ON redaction_findings(text_view_id) WHERE text_view_id IS NOT NULL;

CREATE INDEX idx_forgettings_open ON forgettings(rid) WHERE ended_at IS NULL;

CREATE INDEX idx_item_relations_space ON item_relations(space_id, relation_type);

CREATE INDEX idx_item_tags_found ON item_tags(tag_id, item_type, space_id, standing, item_subtype, item_rid);

CREATE INDEX idx_item_tags_space ON item_tags(space_id);

CREATE INDEX idx_jobs_claim ON jobs(kind, status, priority DESC, ifnull(leased_at, created_at), rid);

CREATE INDEX idx_jobs_delayed ON jobs(not_before) WHERE status = 'pending' AND not_before > 0;

CREATE INDEX idx_jobs_lacking ON jobs(last_error, status, updated_at) WHERE last_error_code = 'tool_missing';

CREATE INDEX idx_jobs_space ON jobs(space_id, status, updated_at);

CREATE INDEX idx_jobs_status ON jobs(status, updated_at);

CREATE INDEX idx_jobs_subject ON jobs(subject_type, subject_id);

CREATE INDEX idx_maintenance_task ON maintenance_runs(task, started_at);

CREATE INDEX idx_mal_artifact ON memory_artifact_links(artifact_id);

CREATE INDEX idx_mal_space ON memory_artifact_links(space_id);

CREATE INDEX idx_mel_entity ON memory_entity_links(entity_id);

CREATE INDEX idx_mel_space ON memory_entity_links(space_id);

CREATE INDEX idx_memberships_agent ON space_memberships(agent_id, status);

CREATE INDEX idx_memories_artifact ON memories(primary_artifact_id) WHERE primary_artifact_id IS NOT NULL;

CREATE INDEX idx_memories_cold ON memories(space_id) WHERE tier = 'cold' AND status = 'active';

CREATE INDEX idx_memories_consolidated_into ON memories(consolidated_into) WHERE consolidated_into IS NOT NULL;

CREATE INDEX idx_memories_detected ON memories(detected_by) WHERE detected_by IS NOT NULL AND is_redacted = 0;

CREATE INDEX idx_memories_expires ON memories(expires_at) WHERE expires_at IS NOT NULL AND status = 'active';

CREATE INDEX idx_memories_extractor ON memories(extractor_id) WHERE extractor_id IS NOT NULL AND status = 'active';

CREATE INDEX idx_memories_key ON memories(space_id, memory_key) WHERE memory_key IS NOT NULL;

CREATE INDEX idx_memories_of_agents ON memories(space_id, actor_id)
WHERE status = 'active' AND actor_id <> '00000000-0000-7000-8000-00000000000a';

CREATE INDEX idx_memories_owned ON memories(space_id) WHERE owner IS NOT NULL AND status = 'active';

CREATE INDEX idx_memories_past ON memories(space_id, status_changed_at)
WHERE status NOT IN ('active', 'deleted') AND is_redacted = 0;

CREATE INDEX idx_memories_pinned ON memories(space_id) WHERE pinned = 1 AND status = 'active';

CREATE INDEX idx_memories_session ON memories(space_id, session_id) WHERE session_id IS NOT NULL;

CREATE INDEX idx_memories_space_created ON memories(space_id, created_at);

CREATE INDEX idx_memories_superseded_by ON memories(superseded_by_id) WHERE superseded_by_id IS NOT NULL;

CREATE INDEX idx_memories_supersedes ON memories(supersedes_id) WHERE supersedes_id IS NOT NULL;

CREATE INDEX idx_memories_titled ON memories(space_id) WHERE title IS NOT NULL AND status = 'active';

CREATE INDEX idx_memories_type ON memories(space_id, modality) WHERE primary_artifact_id IS NULL AND modality <> 'text';

CREATE INDEX idx_memories_unseen ON memories(ifnull(last_confirmed_at, created_at))
WHERE confidence_label = 'observed' AND status = 'active' AND is_redacted = 0;

CREATE INDEX idx_memories_when
ON memories(space_id, status, ifnull(occurred_at, created_at), modality, primary_artifact_id, id);

CREATE INDEX idx_memory_history_memory ON memory_status_history(memory_id, rid);

CREATE INDEX idx_memory_history_space ON memory_status_history(space_id, changed_at);

CREATE INDEX idx_merges_kept ON entity_merges(kept_entity_id);

CREATE INDEX idx_merges_merged ON entity_merges(merged_entity_id);

CREATE INDEX idx_pairing_decided ON pairing_requests(decided_at) WHERE decided_at IS NOT NULL;

CREATE INDEX idx_pairing_name ON pairing_requests(client_name, status);

CREATE INDEX idx_pairing_status ON pairing_requests(status, created_at);

CREATE INDEX idx_past_item_tags_item ON past_item_tags(item_type, item_id, tag_id);

CREATE INDEX idx_past_item_tags_space ON past_item_tags(space_id);

CREATE INDEX idx_past_item_tags_tag ON past_item_tags(tag_id, item_type, space_id);

CREATE INDEX idx_promotions_object ON promotion_requests(object_type, object_id, target_space_id);

CREATE INDEX idx_promotions_reviewed ON promotion_requests(reviewed_at) WHERE reviewed_at IS NOT NULL;

CREATE INDEX idx_promotions_source ON promotion_requests(source_space_id);

CREATE INDEX idx_promotions_status ON promotion_requests(status, requested_at);

CREATE INDEX idx_promotions_target ON promotion_requests(target_space_id);

CREATE INDEX idx_rejected_hmac ON rejected_values(value_hmac);

CREATE INDEX idx_relation_ends ON item_relation_ends(relation_id);

CREATE INDEX idx_relations_from ON item_relations(from_type, from_id);

CREATE INDEX idx_relations_to ON item_relations(to_type, to_id);

CREATE INDEX idx_resolutions_at ON conflict_resolutions(resolved_at);

CREATE INDEX idx_resolutions_conflict ON conflict_resolutions(conflict_id);

CREATE INDEX idx_resolutions_standing ON conflict_resolutions(space_id, resolved_by_actor) WHERE undone_at IS NULL;

CREATE INDEX idx_resolutions_undone ON conflict_resolutions(conflict_id, rid) WHERE undone_at IS NOT NULL;

CREATE INDEX idx_resources_parent ON workspace_resources(space_id, parent_uri);

CREATE INDEX idx_resources_recent ON workspace_resources(space_id, status, updated_at);

CREATE INDEX idx_segments_artifact ON media_segments(artifact_id, ordinal);

CREATE INDEX idx_segments_parent ON media_segments(parent_segment_id);

CREATE INDEX idx_segments_space ON media_segments(space_id);

CREATE INDEX idx_session_states_session ON session_states(session_id);

CREATE INDEX idx_session_states_space ON session_states(space_id, status, updated_at);

CREATE INDEX idx_sessions_agent ON sessions(agent_id);

CREATE INDEX idx_sessions_space ON sessions(space_id, status, started_at);

CREATE INDEX idx_spaces_parent ON memory_spaces(parent_space_id);

CREATE INDEX idx_thumbnails_space ON thumbnails(space_id);

CREATE INDEX idx_tokens_agent ON agent_tokens(agent_id);

CREATE INDEX idx_traces_asked ON answer_traces(recall_trace ->> '$.spaces[0]') WHERE recall_trace ->> '$.asked.space' IS NOT NULL;

CREATE INDEX idx_traces_context ON answer_traces(compiled_context_id);

CREATE INDEX idx_traces_expires ON answer_traces(expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX idx_traces_space ON answer_traces(space_id, created_at);

CREATE INDEX idx_undo_expires ON undo_log(expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX idx_undo_object ON undo_log(object_type, object_id);

CREATE INDEX idx_undo_space ON undo_log(space_id, created_at);

CREATE INDEX idx_units_mail_from ON text_units(space_id, mail_from) WHERE mail_from IS NOT NULL;

CREATE INDEX idx_units_mails ON text_units(space_id, mail_sent_at) WHERE mail_sent_at IS NOT NULL;

CREATE INDEX idx_units_owner ON text_units(owner_memory_id);

CREATE INDEX idx_units_segment ON text_units(segment_id) WHERE segment_id IS NOT NULL;

CREATE INDEX idx_units_space ON text_units(space_id, status);

CREATE INDEX idx_verification_space ON verification_records(space_id, checked_at);

CREATE INDEX idx_verification_target ON verification_records(target_type, target_id, checked_at);

CREATE INDEX idx_watched_files_artifact ON watched_files(artifact_id);

CREATE INDEX idx_watched_files_key ON watched_files(watch_id, file_key);

CREATE INDEX idx_watched_files_memory ON watched_files(memory_id);

CREATE INDEX idx_watched_files_space ON watched_files(space_id);

CREATE UNIQUE INDEX uq_active_edge
ON entity_relationships(space_id, source_entity_id, target_entity_id, relationship_type_id) WHERE is_active = 1;

CREATE UNIQUE INDEX uq_alias_entity ON entity_aliases(space_id, canonical_alias, entity_id) WHERE is_redacted = 0;

CREATE UNIQUE INDEX uq_artifacts_space_hash ON artifacts(space_id, content_hash);

CREATE UNIQUE INDEX uq_claims_space_key ON claims(space_id, claim_key);

CREATE UNIQUE INDEX uq_core_blocks_label ON core_blocks(space_id, label) WHERE is_active = 1;

CREATE UNIQUE INDEX uq_dtv_idempotent ON derived_text_views(
  space_id, artifact_id, ifnull(segment_id, '__whole__'), view_type, extractor_id, config_hash, ordinal);

CREATE UNIQUE INDEX uq_embed_artifact
ON memory_embeddings(embedding_space, model_id, artifact_id) WHERE artifact_id IS NOT NULL;

CREATE UNIQUE INDEX uq_embed_memory
ON memory_embeddings(embedding_space, model_id, memory_id) WHERE memory_id IS NOT NULL;

CREATE UNIQUE INDEX uq_embed_segment
ON memory_embeddings(embedding_space, model_id, segment_id) WHERE segment_id IS NOT NULL;

CREATE UNIQUE INDEX uq_embed_text_view
ON memory_embeddings(embedding_space, model_id, text_view_id) WHERE text_view_id IS NOT NULL;

CREATE UNIQUE INDEX uq_embed_unit ON memory_embeddings(unit_id, embedding_space, model_id) WHERE unit_id IS NOT NULL;

CREATE UNIQUE INDEX uq_entries_name
ON entries(space_id, ifnull(session_id, ''), entry_type, name) WHERE is_redacted = 0;

CREATE UNIQUE INDEX uq_file_locks_held ON file_locks(space_id, path) WHERE released_at IS NULL;

CREATE UNIQUE INDEX uq_findings_place ON redaction_findings(
  coalesce(memory_id, text_view_id, artifact_id), finding_kind, ifnull(start_offset, -1), ifnull(end_offset, -1),
  ifnull(place, ''));

CREATE UNIQUE INDEX uq_grants_live ON agent_grants(space_id, agent_id, operation) WHERE revoked_at IS NULL;

CREATE UNIQUE INDEX uq_item_relations
ON item_relations(space_id, from_type, from_id, to_type, to_id, relation_type, ifnull(valid_from, -1));

CREATE UNIQUE INDEX uq_memories_latest_by_key
ON memories(space_id, memory_key) WHERE memory_key IS NOT NULL AND status = 'active';

CREATE UNIQUE INDEX uq_memories_space_hash ON memories(space_id, content_hash);

CREATE UNIQUE INDEX uq_promotions_pending
ON promotion_requests(object_type, object_id, target_space_id, requested_by) WHERE status = 'pending';

CREATE UNIQUE INDEX uq_session_states_session ON session_states(session_id)
WHERE session_id IS NOT NULL AND is_redacted = 0;

CREATE UNIQUE INDEX uq_session_states_space ON session_states(space_id)
WHERE session_id IS NULL AND is_redacted = 0 AND status <> 'complete';

CREATE UNIQUE INDEX uq_sessions_client ON sessions(space_id, agent_id, client_ref) WHERE client_ref IS NOT NULL;

CREATE UNIQUE INDEX uq_spaces_name
ON memory_spaces(ifnull(parent_space_id, ''), name COLLATE NOCASE) WHERE status <> 'deleted';

CREATE TRIGGER agent_grants_delete_guard
BEFORE DELETE ON agent_grants
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'agent_grants: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER agent_grants_identity
BEFORE UPDATE ON agent_grants
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'agent_grants: rid, id and space_id never change');
END;

CREATE TRIGGER agent_grants_no_replace
BEFORE INSERT ON agent_grants
WHEN EXISTS (SELECT 1 FROM agent_grants WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM agent_grants WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'agent_grants: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER agent_tokens_delete_guard
BEFORE DELETE ON agent_tokens
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER agent_tokens_fixed
BEFORE UPDATE ON agent_tokens
WHEN NEW.agent_id IS NOT OLD.agent_id
  OR NEW.token_hash IS NOT OLD.token_hash
  OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at)
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: agent and hash are fixed, and a revoked token stays revoked');
END;

CREATE TRIGGER agent_tokens_identity
BEFORE UPDATE ON agent_tokens
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: rid and id never change');
END;

CREATE TRIGGER agent_tokens_no_replace
BEFORE INSERT ON agent_tokens
WHEN EXISTS (SELECT 1 FROM agent_tokens WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM agent_tokens WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'agent_tokens: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER agents_delete_guard
BEFORE DELETE ON agents
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'agents: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER agents_identity
BEFORE UPDATE ON agents
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'agents: rid and id never change');
END;

CREATE TRIGGER agents_no_replace
BEFORE INSERT ON agents
WHEN EXISTS (SELECT 1 FROM agents WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM agents WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'agents: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER answer_traces_identity
BEFORE UPDATE ON answer_traces
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'answer_traces: rid, id and space_id never change');
END;

CREATE TRIGGER answer_traces_no_replace
BEFORE INSERT ON answer_traces
WHEN EXISTS (SELECT 1 FROM answer_traces WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM answer_traces WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'answer_traces: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER answer_traces_redaction_final
BEFORE UPDATE ON answer_traces
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'answer_traces: a redacted row stays redacted');
END;

CREATE TRIGGER answer_traces_space_insert
BEFORE INSERT ON answer_traces
BEGIN
  SELECT CASE
    WHEN NEW.compiled_context_id IS NOT NULL AND (SELECT space_id FROM compiled_contexts WHERE id = NEW.compiled_context_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'answer_traces.compiled_context_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER answer_traces_space_update
BEFORE UPDATE OF compiled_context_id ON answer_traces
BEGIN
  SELECT CASE
    WHEN NEW.compiled_context_id IS NOT NULL AND (SELECT space_id FROM compiled_contexts WHERE id = NEW.compiled_context_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'answer_traces.compiled_context_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER artifact_bytes_identity
BEFORE UPDATE ON artifact_bytes
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes: rid, id and space_id never change');
END;

CREATE TRIGGER artifact_bytes_immutable
BEFORE UPDATE OF blob ON artifact_bytes
WHEN NEW.blob IS NOT OLD.blob
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes.blob is immutable');
END;

CREATE TRIGGER artifact_bytes_in_use
BEFORE DELETE ON artifact_bytes
WHEN EXISTS (SELECT 1 FROM artifacts WHERE bytes_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes: a file names these bytes; redact the file and they go with it');
END;

CREATE TRIGGER artifact_bytes_no_replace
BEFORE INSERT ON artifact_bytes
WHEN EXISTS (SELECT 1 FROM artifact_bytes WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM artifact_bytes WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'artifact_bytes: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER artifacts_bytes_go_delete
AFTER DELETE ON artifacts
WHEN OLD.bytes_id IS NOT NULL
BEGIN
  DELETE FROM artifact_bytes WHERE id = OLD.bytes_id;
END;

CREATE TRIGGER artifacts_bytes_go_update
AFTER UPDATE OF bytes_id ON artifacts
WHEN OLD.bytes_id IS NOT NULL AND NEW.bytes_id IS NULL
BEGIN
  DELETE FROM artifact_bytes WHERE id = OLD.bytes_id;
END;

CREATE TRIGGER artifacts_bytes_immutable
BEFORE UPDATE OF bytes_id ON artifacts
WHEN OLD.bytes_id IS NOT NULL AND NEW.bytes_id IS NOT NULL AND NEW.bytes_id IS NOT OLD.bytes_id
BEGIN
  SELECT RAISE(ABORT, 'artifacts.bytes_id is immutable');
END;

CREATE TRIGGER artifacts_content_hash_immutable
BEFORE UPDATE OF content_hash ON artifacts
WHEN NEW.content_hash IS NOT OLD.content_hash AND NOT (OLD.is_redacted = 0 AND NEW.is_redacted = 1)
BEGIN
  SELECT RAISE(ABORT, 'artifacts.content_hash is immutable');
END;

CREATE TRIGGER artifacts_delete_guard
BEFORE DELETE ON artifacts
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'artifacts: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER artifacts_identity
BEFORE UPDATE ON artifacts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'artifacts: rid, id and space_id never change');
END;

CREATE TRIGGER artifacts_no_replace
BEFORE INSERT ON artifacts
WHEN EXISTS (SELECT 1 FROM artifacts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM artifacts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'artifacts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER artifacts_redaction_final
BEFORE UPDATE ON artifacts
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'artifacts: a redacted row stays redacted');
END;

CREATE TRIGGER artifacts_space_insert
BEFORE INSERT ON artifacts
BEGIN
  SELECT CASE
    WHEN NEW.derived_from_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.derived_from_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.derived_from_artifact_id must lie in the space of its row')
    WHEN NEW.bytes_id IS NOT NULL AND (SELECT space_id FROM artifact_bytes WHERE id = NEW.bytes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.bytes_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER artifacts_space_update
BEFORE UPDATE OF derived_from_artifact_id, bytes_id ON artifacts
BEGIN
  SELECT CASE
    WHEN NEW.derived_from_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.derived_from_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.derived_from_artifact_id must lie in the space of its row')
    WHEN NEW.bytes_id IS NOT NULL AND (SELECT space_id FROM artifact_bytes WHERE id = NEW.bytes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'artifacts.bytes_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER artifacts_thumbnail_goes_delete
AFTER DELETE ON artifacts
BEGIN
  DELETE FROM thumbnails WHERE artifact_id = OLD.id;
END;

CREATE TRIGGER artifacts_thumbnail_goes_update
AFTER UPDATE OF status, is_redacted ON artifacts
WHEN NEW.status IS NOT 'active' OR NEW.is_redacted = 1
BEGIN
  DELETE FROM thumbnails WHERE artifact_id = NEW.id;
END;

CREATE TRIGGER associations_identity
BEFORE UPDATE ON associations
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'associations: rid, id and space_id never change');
END;

CREATE TRIGGER associations_no_replace
BEFORE INSERT ON associations
WHEN EXISTS (SELECT 1 FROM associations WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM associations WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'associations: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER associations_space_insert
BEFORE INSERT ON associations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.from_id must lie in the space of its row')
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.to_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER associations_space_update
BEFORE UPDATE OF from_type, from_id, to_type, to_id ON associations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.from_id must lie in the space of its row')
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'associations.to_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER attribute_keys_delete_guard
BEFORE DELETE ON attribute_keys
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'attribute_keys: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER attribute_keys_identity
BEFORE UPDATE ON attribute_keys
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'attribute_keys: rid, id and space_id never change');
END;

CREATE TRIGGER attribute_keys_no_replace
BEFORE INSERT ON attribute_keys
WHEN EXISTS (SELECT 1 FROM attribute_keys WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM attribute_keys WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'attribute_keys: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER audit_events_append_only
BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'audit_events is append-only: no row changes');
END;

CREATE TRIGGER audit_events_chain
BEFORE INSERT ON audit_events
WHEN NEW.prev_hash IS NOT ifnull((SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1), '')
BEGIN
  SELECT RAISE(ABORT, 'audit_events: prev_hash must be the hash of the last event');
END;

CREATE TRIGGER audit_events_no_delete
BEFORE DELETE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'audit_events is append-only: no row is deleted');
END;

CREATE TRIGGER audit_events_no_replace
BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM audit_events WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER audit_events_order
AFTER INSERT ON audit_events
WHEN NEW.rid IS NOT (SELECT max(rid) FROM audit_events)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: events are appended at the end');
END;

CREATE TRIGGER audit_events_unique
BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events
    WHERE instance_id = NEW.instance_id AND logical_clock = NEW.logical_clock)
BEGIN
  SELECT RAISE(ABORT, 'audit_events: this clock is taken, and rows are never replaced');
END;

CREATE TRIGGER candidates_delete_guard
BEFORE DELETE ON candidates
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'candidates: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER candidates_identity
BEFORE UPDATE ON candidates
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'candidates: rid, id and space_id never change');
END;

CREATE TRIGGER candidates_no_replace
BEFORE INSERT ON candidates
WHEN EXISTS (SELECT 1 FROM candidates WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM candidates WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'candidates: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER candidates_redaction_final
BEFORE UPDATE ON candidates
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'candidates: a redacted row stays redacted');
END;

CREATE TRIGGER candidates_review_first
BEFORE UPDATE OF status ON candidates
WHEN (NEW.status = 'imported' AND OLD.status NOT IN ('approved', 'imported'))
  OR (OLD.status = 'imported' AND NEW.status IS NOT 'imported')
BEGIN
  SELECT RAISE(ABORT, 'candidates: only an approved candidate is imported, and an imported one stays so');
END;

CREATE TRIGGER candidates_space_insert
BEFORE INSERT ON candidates
BEGIN
  SELECT CASE
    WHEN NEW.source_event_id IS NOT NULL AND (SELECT space_id FROM evidence_events WHERE id = NEW.source_event_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.source_event_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.text_view_id must lie in the space of its row')
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.session_id must lie in the space of its row')
    WHEN NEW.duplicate_of IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.duplicate_of) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.duplicate_of must lie in the space of its row')
  END;
END;

CREATE TRIGGER candidates_space_update
BEFORE UPDATE OF source_event_id, artifact_id, segment_id, text_view_id, session_id, duplicate_of ON candidates
BEGIN
  SELECT CASE
    WHEN NEW.source_event_id IS NOT NULL AND (SELECT space_id FROM evidence_events WHERE id = NEW.source_event_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.source_event_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.text_view_id must lie in the space of its row')
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.session_id must lie in the space of its row')
    WHEN NEW.duplicate_of IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.duplicate_of) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'candidates.duplicate_of must lie in the space of its row')
  END;
END;

CREATE TRIGGER candidates_start_pending
BEFORE INSERT ON candidates
WHEN NEW.status IS NOT 'pending'
BEGIN
  SELECT RAISE(ABORT, 'candidates: a candidate begins pending');
END;

CREATE TRIGGER claim_evidence_counts_delete
AFTER DELETE ON claim_evidence
BEGIN
  UPDATE claims SET
    evidence_count = (SELECT count(*) FROM claim_evidence WHERE claim_id = OLD.claim_id AND is_redacted = 0),
    supporting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = OLD.claim_id AND is_redacted = 0 AND polarity = 'supporting'),
    contradicting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = OLD.claim_id AND is_redacted = 0 AND polarity = 'contradicting'),
    confidence = min(confidence, (SELECT total(e.confidence) FROM claim_evidence e
      WHERE e.claim_id = OLD.claim_id AND e.is_redacted = 0 AND e.polarity = 'supporting')),
    last_evidence_at = (SELECT max(recorded_at) FROM claim_evidence WHERE claim_id = OLD.claim_id AND is_redacted = 0)
  WHERE id = OLD.claim_id;
END;

CREATE TRIGGER claim_evidence_counts_insert
AFTER INSERT ON claim_evidence
BEGIN
  UPDATE claims SET
    evidence_count = (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.claim_id AND is_redacted = 0),
    supporting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = NEW.claim_id AND is_redacted = 0 AND polarity = 'supporting'),
    contradicting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = NEW.claim_id AND is_redacted = 0 AND polarity = 'contradicting'),
    last_evidence_at = max(ifnull(last_evidence_at, NEW.recorded_at), NEW.recorded_at),
    last_updated_at = max(last_updated_at, NEW.recorded_at)
  WHERE id = NEW.claim_id;
END;

CREATE TRIGGER claim_evidence_counts_update
AFTER UPDATE OF claim_id, polarity, is_redacted ON claim_evidence
BEGIN
  UPDATE claims SET
    evidence_count = (SELECT count(*) FROM claim_evidence WHERE claim_id = claims.id AND is_redacted = 0),
    supporting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = claims.id AND is_redacted = 0 AND polarity = 'supporting'),
    contradicting_count = (SELECT count(*) FROM claim_evidence
      WHERE claim_id = claims.id AND is_redacted = 0 AND polarity = 'contradicting'),
    confidence = min(confidence, (SELECT total(e.confidence) FROM claim_evidence e
      WHERE e.claim_id = claims.id AND e.is_redacted = 0 AND e.polarity = 'supporting')),
    last_evidence_at = (SELECT max(recorded_at) FROM claim_evidence WHERE claim_id = claims.id AND is_redacted = 0),
    last_updated_at = max(last_updated_at, ifnull(NEW.redacted_at, last_updated_at))
  WHERE id IN (OLD.claim_id, NEW.claim_id);
END;

CREATE TRIGGER claim_evidence_delete_guard
BEFORE DELETE ON claim_evidence
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claim_evidence_identity
BEFORE UPDATE ON claim_evidence
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: rid, id and space_id never change');
END;

CREATE TRIGGER claim_evidence_no_replace
BEFORE INSERT ON claim_evidence
WHEN EXISTS (SELECT 1 FROM claim_evidence WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claim_evidence WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claim_evidence_of_redacted
BEFORE INSERT ON claim_evidence
WHEN (SELECT is_redacted FROM memories WHERE id = NEW.memory_id) = 1
  OR (SELECT is_redacted FROM derived_text_views WHERE id = NEW.derived_text_view_id) = 1
  OR (SELECT is_redacted FROM claims WHERE id = NEW.claim_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: its source or its claim was redacted');
END;

CREATE TRIGGER claim_evidence_quote_immutable
BEFORE UPDATE OF extracted_text, span_hash, source_hash ON claim_evidence
WHEN NEW.is_redacted = 0
  AND (NEW.extracted_text IS NOT OLD.extracted_text
    OR NEW.span_hash IS NOT OLD.span_hash
    OR NEW.source_hash IS NOT OLD.source_hash)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: the quote is immutable; only redaction replaces it');
END;

CREATE TRIGGER claim_evidence_reading
BEFORE UPDATE OF polarity, confidence ON claim_evidence
WHEN OLD.polarity <> 'neutral'
  AND (NEW.polarity NOT IN (OLD.polarity, 'neutral') OR NEW.confidence IS NOT OLD.confidence)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: what a quote says, and how surely, changes only once it is neutral');
END;

CREATE TRIGGER claim_evidence_redaction_final
BEFORE UPDATE ON claim_evidence
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: a redacted row stays redacted');
END;

CREATE TRIGGER claim_evidence_segment_insert
BEFORE INSERT ON claim_evidence
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id)
    IS NOT (SELECT artifact_id FROM derived_text_views WHERE id = NEW.derived_text_view_id)
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence.segment_id must belong to the artifact of derived_text_view_id');
END;

CREATE TRIGGER claim_evidence_source_immutable
BEFORE UPDATE ON claim_evidence
WHEN NEW.memory_id IS NOT OLD.memory_id
  OR NEW.derived_text_view_id IS NOT OLD.derived_text_view_id
  OR NEW.segment_id IS NOT OLD.segment_id
  OR NEW.source_type IS NOT OLD.source_type
  OR NEW.derived_from IS NOT OLD.derived_from
  OR NEW.recorded_at IS NOT OLD.recorded_at
  OR NEW.actor_id IS NOT OLD.actor_id
BEGIN
  SELECT RAISE(ABORT, 'claim_evidence: the source of evidence is immutable');
END;

CREATE TRIGGER claim_evidence_space_insert
BEFORE INSERT ON claim_evidence
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.claim_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.memory_id must lie in the space of its row')
    WHEN NEW.derived_text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.derived_text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.derived_text_view_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_evidence_space_update
BEFORE UPDATE OF claim_id, memory_id, derived_text_view_id, segment_id ON claim_evidence
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.claim_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.memory_id must lie in the space of its row')
    WHEN NEW.derived_text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.derived_text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.derived_text_view_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_evidence.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_state_history_append_only
BEFORE UPDATE ON claim_state_history
BEGIN
  SELECT RAISE(ABORT, 'claim_state_history is append-only: no row changes');
END;

CREATE TRIGGER claim_state_history_applies
AFTER INSERT ON claim_state_history
BEGIN
  UPDATE claims SET
    state = NEW.to_state,
    last_updated_at = max(last_updated_at, NEW.changed_at),
    first_asserted_at = CASE NEW.to_state WHEN 'asserted' THEN ifnull(first_asserted_at, NEW.changed_at) ELSE first_asserted_at END,
    superseded_by_id = CASE NEW.to_state WHEN 'asserted' THEN NULL ELSE superseded_by_id END
  WHERE id = NEW.claim_id;
END;

CREATE TRIGGER claim_state_history_delete_guard
BEFORE DELETE ON claim_state_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claim_state_history: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claim_state_history_legal
BEFORE INSERT ON claim_state_history
BEGIN
  SELECT CASE
    WHEN (SELECT state FROM claims WHERE id = NEW.claim_id) IS NOT NEW.from_state
      THEN RAISE(ABORT, 'claim_state_history: from_state must be the state that the claim is in')
    WHEN NOT EXISTS (SELECT 1 FROM claim_state_transitions
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state)
      THEN RAISE(ABORT, 'claim_state_history: this change of state is not allowed')
    WHEN NEW.undo_of IS NOT NULL AND NEW.undo_of IS NOT (SELECT id FROM claim_state_history
        WHERE claim_id = NEW.claim_id ORDER BY rid DESC LIMIT 1)
      THEN RAISE(ABORT, 'claim_state_history: undo_of must be the latest change of this claim')
    WHEN NEW.undo_of IS NULL AND (SELECT requires FROM claim_state_transitions
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state) = 'undo'
      THEN RAISE(ABORT, 'claim_state_history: this change of state is made only by undo')
    WHEN NEW.undo_of IS NULL AND (SELECT requires FROM claim_state_transitions
        WHERE from_state = NEW.from_state AND to_state = NEW.to_state) = 'new_support'
      AND NOT EXISTS (SELECT 1 FROM claim_evidence
        WHERE claim_id = NEW.claim_id AND polarity = 'supporting' AND is_redacted = 0 AND recorded_at >=
          (SELECT changed_at FROM claim_state_history WHERE claim_id = NEW.claim_id ORDER BY rid DESC LIMIT 1))
      THEN RAISE(ABORT, 'claim_state_history: a retracted claim needs new supporting evidence')
  END;
END;

CREATE TRIGGER claim_state_history_no_replace
BEFORE INSERT ON claim_state_history
WHEN EXISTS (SELECT 1 FROM claim_state_history WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claim_state_history WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claim_state_history: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claim_state_history_space_insert
BEFORE INSERT ON claim_state_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_state_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_state_history_space_update
BEFORE UPDATE OF claim_id ON claim_state_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_state_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_state_transitions_fixed_delete
BEFORE DELETE ON claim_state_transitions
BEGIN
  SELECT RAISE(ABORT, 'claim_state_transitions: an allowed change of state is not taken away');
END;

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

CREATE TRIGGER claim_window_history_append_only
BEFORE UPDATE ON claim_window_history
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history is append-only: no row changes');
END;

CREATE TRIGGER claim_window_history_applies
AFTER INSERT ON claim_window_history
BEGIN
  UPDATE claims SET valid_from = NEW.to_valid_from, valid_to = NEW.to_valid_to WHERE id = NEW.claim_id;
END;

CREATE TRIGGER claim_window_history_delete_guard
BEFORE DELETE ON claim_window_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
  AND (SELECT is_redacted FROM claims WHERE id = OLD.claim_id) IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: rows are deleted only in compliance mode or with what a forgotten claim said');
END;

CREATE TRIGGER claim_window_history_legal
BEFORE INSERT ON claim_window_history
WHEN NOT EXISTS (SELECT 1 FROM claims
  WHERE id = NEW.claim_id AND valid_from IS NEW.from_valid_from AND valid_to IS NEW.from_valid_to)
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: from_valid_from and from_valid_to must be the window that the claim has');
END;

CREATE TRIGGER claim_window_history_no_replace
BEFORE INSERT ON claim_window_history
WHEN EXISTS (SELECT 1 FROM claim_window_history WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claim_window_history WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claim_window_history: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claim_window_history_space_insert
BEFORE INSERT ON claim_window_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_window_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claim_window_history_space_update
BEFORE UPDATE OF claim_id ON claim_window_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claim_window_history.claim_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claims_assert_requires_evidence
BEFORE UPDATE OF state ON claims
WHEN NEW.state = 'asserted' AND OLD.state <> 'asserted' AND NOT EXISTS (
  SELECT 1 FROM claim_evidence WHERE claim_id = NEW.id AND polarity = 'supporting' AND is_redacted = 0)
BEGIN
  SELECT RAISE(ABORT, 'claims: a claim is asserted only with supporting evidence');
END;

CREATE TRIGGER claims_confidence_from_evidence
BEFORE UPDATE OF confidence ON claims
WHEN NEW.confidence > OLD.confidence AND NEW.confidence > 1e-9 + (
  SELECT total(e.confidence) FROM claim_evidence e
  WHERE e.claim_id = NEW.id AND e.polarity = 'supporting' AND e.is_redacted = 0) + (
  SELECT total(e.confidence) FROM claims c JOIN claim_evidence e ON e.claim_id = c.id
  WHERE NEW.fact_key IS NOT NULL AND c.space_id = NEW.space_id AND c.fact_key = NEW.fact_key AND c.id <> NEW.id
    AND c.polarity = NEW.polarity AND e.polarity = 'supporting' AND e.is_redacted = 0)
BEGIN
  SELECT RAISE(ABORT, 'claims: no claim is surer than its supporting evidence together');
END;

CREATE TRIGGER claims_counts_are_counted
BEFORE UPDATE OF evidence_count, supporting_count, contradicting_count ON claims
WHEN NEW.evidence_count IS NOT
    (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.id AND is_redacted = 0)
  OR NEW.supporting_count IS NOT
    (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.id AND is_redacted = 0 AND polarity = 'supporting')
  OR NEW.contradicting_count IS NOT
    (SELECT count(*) FROM claim_evidence WHERE claim_id = NEW.id AND is_redacted = 0 AND polarity = 'contradicting')
BEGIN
  SELECT RAISE(ABORT, 'claims: evidence counts are kept by claim_evidence');
END;

CREATE TRIGGER claims_deactivate_edges
AFTER UPDATE OF state ON claims
WHEN OLD.state = 'asserted' AND NEW.state <> 'asserted'
BEGIN
  UPDATE entity_relationships SET is_active = 0, deactivated_at = NEW.last_updated_at
  WHERE claim_id = NEW.id AND is_active = 1;
END;

CREATE TRIGGER claims_delete_guard
BEFORE DELETE ON claims
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'claims: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER claims_forget_windows
AFTER UPDATE OF is_redacted ON claims
WHEN OLD.is_redacted = 0 AND NEW.is_redacted = 1
BEGIN
  DELETE FROM claim_window_history WHERE claim_id = NEW.id;
END;

CREATE TRIGGER claims_identity
BEFORE UPDATE ON claims
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'claims: rid, id and space_id never change');
END;

CREATE TRIGGER claims_must_start_draft
BEFORE INSERT ON claims
WHEN NEW.state IS NOT 'draft' OR NEW.evidence_count <> 0 OR NEW.supporting_count <> 0 OR NEW.contradicting_count <> 0
  OR NEW.confidence <> 0
BEGIN
  SELECT RAISE(ABORT, 'claims: a claim begins as a draft without evidence');
END;

CREATE TRIGGER claims_no_replace
BEFORE INSERT ON claims
WHEN EXISTS (SELECT 1 FROM claims WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM claims WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'claims: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER claims_redacted_immutable
BEFORE UPDATE OF claim_key, entity_id, target_entity_id, claim_type, attribute_key, relationship_type_id, polarity ON claims
WHEN OLD.is_redacted = 1
  AND (NEW.claim_key IS NOT OLD.claim_key
    OR NEW.entity_id IS NOT OLD.entity_id
    OR NEW.target_entity_id IS NOT OLD.target_entity_id
    OR NEW.claim_type IS NOT OLD.claim_type
    OR NEW.attribute_key IS NOT OLD.attribute_key
    OR NEW.relationship_type_id IS NOT OLD.relationship_type_id
    OR NEW.polarity IS NOT OLD.polarity)
BEGIN
  SELECT RAISE(ABORT, 'claims: what is left of a redacted claim never changes');
END;

CREATE TRIGGER claims_redacted_is_no_fact
AFTER UPDATE OF is_redacted ON claims
WHEN NEW.is_redacted = 1 AND NEW.fact_key IS NOT NULL
BEGIN
  UPDATE claims SET fact_key = NULL WHERE id = NEW.id;
END;

CREATE TRIGGER claims_redaction_final
BEFORE UPDATE ON claims
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'claims: a redacted row stays redacted');
END;

CREATE TRIGGER claims_retract_unsupported
AFTER UPDATE OF supporting_count ON claims
WHEN NEW.supporting_count = 0 AND NEW.state IN ('asserted', 'disputed')
BEGIN
  INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, confidence, changed_at)
  SELECT substr(at, 1, 8) || '-' || substr(at, 9) || '-7' || substr(chance, 1, 3) || '-' || substr('89ab', 1 + (random() & 3), 1)
      || substr(chance, 4, 3) || '-' || substr(chance, 7),
    NEW.space_id, NEW.id, NEW.state, 'retracted', 'evidence', '00000000-0000-7000-8000-00000000000b', NEW.confidence,
    NEW.last_updated_at
  FROM (SELECT printf('%012x', max(NEW.last_updated_at, 0) & 0xffffffffffff) AS at, lower(hex(randomblob(9))) AS chance);
END;

CREATE TRIGGER claims_said_immutable
BEFORE UPDATE OF claim_type, attribute_key, attribute_value, relationship_type_id, qualifiers, polarity ON claims
WHEN NEW.is_redacted = 0
  AND (NEW.claim_type IS NOT OLD.claim_type
    OR NEW.attribute_key IS NOT OLD.attribute_key
    OR NEW.attribute_value IS NOT OLD.attribute_value
    OR NEW.relationship_type_id IS NOT OLD.relationship_type_id
    OR NEW.qualifiers IS NOT OLD.qualifiers
    OR NEW.polarity IS NOT OLD.polarity)
BEGIN
  SELECT RAISE(ABORT, 'claims: what a claim says is immutable; only redaction replaces it');
END;

CREATE TRIGGER claims_space_insert
BEFORE INSERT ON claims
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.target_entity_id IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.relationship_type_id IS NOT NULL AND ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.relationship_type_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM claims WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claims.superseded_by_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claims_space_update
BEFORE UPDATE OF entity_id, target_entity_id, relationship_type_id, superseded_by_id ON claims
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.target_entity_id IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.relationship_type_id IS NOT NULL AND ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'claims.relationship_type_id must lie in the space of its row or in GLOBAL')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM claims WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'claims.superseded_by_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER claims_state_needs_history
BEFORE UPDATE OF state ON claims
WHEN NEW.state IS NOT OLD.state AND NOT EXISTS (
  SELECT 1 FROM claim_state_history
  WHERE rid = (SELECT max(rid) FROM claim_state_history WHERE claim_id = OLD.id)
    AND from_state = OLD.state AND to_state = NEW.state)
BEGIN
  SELECT RAISE(ABORT, 'claims: a state changes by a row in claim_state_history only');
END;

CREATE TRIGGER claims_superseded_is_out
BEFORE UPDATE OF superseded_by_id ON claims
WHEN NEW.superseded_by_id IS NOT NULL AND NEW.state IN ('asserted', 'disputed')
BEGIN
  SELECT RAISE(ABORT, 'claims: no other claim stands in the place of one that is believed');
END;

CREATE TRIGGER claims_window_needs_history
BEFORE UPDATE OF valid_from, valid_to ON claims
WHEN (NEW.valid_from IS NOT OLD.valid_from OR NEW.valid_to IS NOT OLD.valid_to)
  AND NOT (OLD.is_redacted = 0 AND NEW.is_redacted = 1 AND NEW.valid_from IS NULL AND NEW.valid_to IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM claim_window_history
    WHERE rid = (SELECT max(rid) FROM claim_window_history WHERE claim_id = OLD.id)
      AND from_valid_from IS OLD.valid_from AND from_valid_to IS OLD.valid_to
      AND to_valid_from IS NEW.valid_from AND to_valid_to IS NEW.valid_to)
BEGIN
  SELECT RAISE(ABORT, 'claims: a window changes by a row in claim_window_history only');
END;

CREATE TRIGGER compiled_contexts_identity
BEFORE UPDATE ON compiled_contexts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'compiled_contexts: rid, id and space_id never change');
END;

CREATE TRIGGER compiled_contexts_no_replace
BEFORE INSERT ON compiled_contexts
WHEN EXISTS (SELECT 1 FROM compiled_contexts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM compiled_contexts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'compiled_contexts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER compiled_contexts_redaction_final
BEFORE UPDATE ON compiled_contexts
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'compiled_contexts: a redacted row stays redacted');
END;

CREATE TRIGGER compiled_contexts_space_insert
BEFORE INSERT ON compiled_contexts
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'compiled_contexts.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER compiled_contexts_space_update
BEFORE UPDATE OF session_id ON compiled_contexts
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'compiled_contexts.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflict_resolutions_decision_immutable
BEFORE UPDATE ON conflict_resolutions
WHEN NEW.conflict_id IS NOT OLD.conflict_id
  OR NEW.resolution_type IS NOT OLD.resolution_type
  OR NEW.resolved_by_actor IS NOT OLD.resolved_by_actor
  OR NEW.resolved_at IS NOT OLD.resolved_at
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: a decision is immutable; undo it and decide again');
END;

CREATE TRIGGER conflict_resolutions_delete_guard
BEFORE DELETE ON conflict_resolutions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER conflict_resolutions_identity
BEFORE UPDATE ON conflict_resolutions
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: rid, id and space_id never change');
END;

CREATE TRIGGER conflict_resolutions_no_replace
BEFORE INSERT ON conflict_resolutions
WHEN EXISTS (SELECT 1 FROM conflict_resolutions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM conflict_resolutions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER conflict_resolutions_redaction_final
BEFORE UPDATE ON conflict_resolutions
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'conflict_resolutions: a redacted row stays redacted');
END;

CREATE TRIGGER conflict_resolutions_space_insert
BEFORE INSERT ON conflict_resolutions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM conflicts WHERE id = NEW.conflict_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflict_resolutions.conflict_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflict_resolutions_space_update
BEFORE UPDATE OF conflict_id ON conflict_resolutions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM conflicts WHERE id = NEW.conflict_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflict_resolutions.conflict_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflicts_delete_guard
BEFORE DELETE ON conflicts
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'conflicts: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER conflicts_identity
BEFORE UPDATE ON conflicts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'conflicts: rid, id and space_id never change');
END;

CREATE TRIGGER conflicts_no_replace
BEFORE INSERT ON conflicts
WHEN EXISTS (SELECT 1 FROM conflicts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM conflicts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'conflicts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER conflicts_resolution_insert
BEFORE INSERT ON conflicts
WHEN NEW.status <> 'open'
BEGIN
  SELECT RAISE(ABORT, 'conflicts: a conflict begins open');
END;

CREATE TRIGGER conflicts_resolution_update
BEFORE UPDATE OF resolution_id ON conflicts
WHEN NEW.resolution_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM conflict_resolutions WHERE id = NEW.resolution_id AND conflict_id = NEW.id AND undone_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'conflicts.resolution_id must be a standing resolution of this conflict');
END;

CREATE TRIGGER conflicts_space_insert
BEFORE INSERT ON conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER conflicts_space_update
BEFORE UPDATE OF claim_a_id, claim_b_id ON conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'conflicts.claim_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER core_block_versions_append_only
BEFORE UPDATE ON core_block_versions
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.core_block_id IS NOT OLD.core_block_id
  OR NEW.version_num IS NOT OLD.version_num
  OR NEW.created_by IS NOT OLD.created_by
  OR NEW.created_at IS NOT OLD.created_at
BEGIN
  SELECT RAISE(ABORT, 'core_block_versions is append-only: redaction is the one change');
END;

CREATE TRIGGER core_block_versions_delete_guard
BEFORE DELETE ON core_block_versions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'core_block_versions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER core_block_versions_no_replace
BEFORE INSERT ON core_block_versions
WHEN EXISTS (SELECT 1 FROM core_block_versions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM core_block_versions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'core_block_versions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER core_block_versions_space_insert
BEFORE INSERT ON core_block_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM core_blocks WHERE id = NEW.core_block_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'core_block_versions.core_block_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER core_block_versions_space_update
BEFORE UPDATE OF core_block_id ON core_block_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM core_blocks WHERE id = NEW.core_block_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'core_block_versions.core_block_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER core_blocks_delete_guard
BEFORE DELETE ON core_blocks
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER core_blocks_identity
BEFORE UPDATE ON core_blocks
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: rid, id and space_id never change');
END;

CREATE TRIGGER core_blocks_no_replace
BEFORE INSERT ON core_blocks
WHEN EXISTS (SELECT 1 FROM core_blocks WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM core_blocks WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER core_blocks_redaction_final
BEFORE UPDATE ON core_blocks
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'core_blocks: a redacted row stays redacted');
END;

CREATE TRIGGER derived_text_views_delete_guard
BEFORE DELETE ON derived_text_views
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER derived_text_views_identity
BEFORE UPDATE ON derived_text_views
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: rid, id and space_id never change');
END;

CREATE TRIGGER derived_text_views_no_replace
BEFORE INSERT ON derived_text_views
WHEN EXISTS (SELECT 1 FROM derived_text_views WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM derived_text_views WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER derived_text_views_of_redacted
BEFORE INSERT ON derived_text_views
WHEN (SELECT is_redacted FROM artifacts WHERE id = NEW.artifact_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: its file was redacted');
END;

CREATE TRIGGER derived_text_views_redaction_final
BEFORE UPDATE ON derived_text_views
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views: a redacted row stays redacted');
END;

CREATE TRIGGER derived_text_views_segment_insert
BEFORE INSERT ON derived_text_views
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views.segment_id must belong to artifact_id');
END;

CREATE TRIGGER derived_text_views_segment_update
BEFORE UPDATE OF segment_id, artifact_id ON derived_text_views
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views.segment_id must belong to artifact_id');
END;

CREATE TRIGGER derived_text_views_space_insert
BEFORE INSERT ON derived_text_views
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER derived_text_views_space_update
BEFORE UPDATE OF artifact_id, segment_id ON derived_text_views
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'derived_text_views.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER derived_text_views_text_immutable
BEFORE UPDATE OF text ON derived_text_views
WHEN NEW.text IS NOT OLD.text AND NEW.is_redacted = 0 AND (NEW.masked_at IS NULL OR NEW.masked_at IS OLD.masked_at)
BEGIN
  SELECT RAISE(ABORT, 'derived_text_views.text is immutable; a new reading is a new view');
END;

CREATE TRIGGER entities_delete_guard
BEFORE DELETE ON entities
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entities: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entities_identity
BEFORE UPDATE ON entities
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entities: rid, id and space_id never change');
END;

CREATE TRIGGER entities_no_replace
BEFORE INSERT ON entities
WHEN EXISTS (SELECT 1 FROM entities WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entities WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entities: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entities_redaction_final
BEFORE UPDATE ON entities
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entities: a redacted row stays redacted');
END;

CREATE TRIGGER entities_space_insert
BEFORE INSERT ON entities
BEGIN
  SELECT CASE
    WHEN NEW.merged_into IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_into), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entities.merged_into must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entities_space_update
BEFORE UPDATE OF merged_into ON entities
BEGIN
  SELECT CASE
    WHEN NEW.merged_into IS NOT NULL AND ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_into), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entities.merged_into must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entities_words_change
AFTER UPDATE OF space_id, canonical_name ON entities
WHEN NEW.space_id IS NOT OLD.space_id OR NEW.canonical_name IS NOT OLD.canonical_name
BEGIN
  DELETE FROM entity_words WHERE rid = OLD.rid AND space_id = OLD.space_id AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(OLD.canonical_name), ' ', '","') || ']'));
  INSERT INTO entity_words (rid, space_id, word)
  SELECT DISTINCT NEW.rid, NEW.space_id, value
  FROM json_each('[' || replace(json_quote(NEW.canonical_name), ' ', '","') || ']')
  WHERE value <> '' AND NEW.is_redacted = 0;
END;

CREATE TRIGGER entities_words_come
AFTER INSERT ON entities
WHEN NEW.is_redacted = 0
BEGIN
  INSERT INTO entity_words (rid, space_id, word)
  SELECT DISTINCT NEW.rid, NEW.space_id, value
  FROM json_each('[' || replace(json_quote(NEW.canonical_name), ' ', '","') || ']') WHERE value <> '';
END;

CREATE TRIGGER entities_words_go
AFTER DELETE ON entities
BEGIN
  DELETE FROM entity_words WHERE rid = OLD.rid AND space_id = OLD.space_id AND word IN
    (SELECT value FROM json_each('[' || replace(json_quote(OLD.canonical_name), ' ', '","') || ']'));
END;

CREATE TRIGGER entity_aliases_delete_guard
BEFORE DELETE ON entity_aliases
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entity_aliases_identity
BEFORE UPDATE ON entity_aliases
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: rid, id and space_id never change');
END;

CREATE TRIGGER entity_aliases_no_replace
BEFORE INSERT ON entity_aliases
WHEN EXISTS (SELECT 1 FROM entity_aliases WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entity_aliases WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entity_aliases_redaction_final
BEFORE UPDATE ON entity_aliases
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entity_aliases: a redacted row stays redacted');
END;

CREATE TRIGGER entity_aliases_space_insert
BEFORE INSERT ON entity_aliases
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_aliases.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_aliases_space_update
BEFORE UPDATE OF entity_id ON entity_aliases
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_aliases.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_merges_delete_guard
BEFORE DELETE ON entity_merges
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entity_merges: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entity_merges_identity
BEFORE UPDATE ON entity_merges
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entity_merges: rid, id and space_id never change');
END;

CREATE TRIGGER entity_merges_no_replace
BEFORE INSERT ON entity_merges
WHEN EXISTS (SELECT 1 FROM entity_merges WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entity_merges WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entity_merges: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entity_merges_space_insert
BEFORE INSERT ON entity_merges
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.kept_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.kept_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.merged_entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_merges_space_update
BEFORE UPDATE OF kept_entity_id, merged_entity_id ON entity_merges
BEGIN
  SELECT CASE
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.kept_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.kept_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.merged_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_merges.merged_entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_relationships_asserted_insert
BEFORE INSERT ON entity_relationships
WHEN NEW.is_active = 1 AND (SELECT state FROM claims WHERE id = NEW.claim_id) IS NOT 'asserted'
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: an active edge needs an asserted claim');
END;

CREATE TRIGGER entity_relationships_asserted_update
BEFORE UPDATE OF is_active, claim_id ON entity_relationships
WHEN NEW.is_active = 1 AND (SELECT state FROM claims WHERE id = NEW.claim_id) IS NOT 'asserted'
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: an active edge needs an asserted claim');
END;

CREATE TRIGGER entity_relationships_delete_guard
BEFORE DELETE ON entity_relationships
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entity_relationships_identity
BEFORE UPDATE ON entity_relationships
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: rid, id and space_id never change');
END;

CREATE TRIGGER entity_relationships_lose_time
AFTER UPDATE OF is_active ON entity_relationships
WHEN NEW.is_active = 0 AND (NEW.valid_from IS NOT NULL OR NEW.valid_to IS NOT NULL)
BEGIN
  UPDATE entity_relationships SET valid_from = NULL, valid_to = NULL WHERE rid = NEW.rid;
END;

CREATE TRIGGER entity_relationships_no_replace
BEFORE INSERT ON entity_relationships
WHEN EXISTS (SELECT 1 FROM entity_relationships WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entity_relationships WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entity_relationships_redaction_final
BEFORE UPDATE ON entity_relationships
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entity_relationships: a redacted row stays redacted');
END;

CREATE TRIGGER entity_relationships_space_insert
BEFORE INSERT ON entity_relationships
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entity_relationships.claim_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.source_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.source_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.relationship_type_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entity_relationships_space_update
BEFORE UPDATE OF claim_id, source_entity_id, target_entity_id, relationship_type_id ON entity_relationships
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM claims WHERE id = NEW.claim_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entity_relationships.claim_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.source_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.source_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.target_entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.target_entity_id must lie in the space of its row or in GLOBAL')
    WHEN ifnull((SELECT space_id FROM relationship_types WHERE id = NEW.relationship_type_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'entity_relationships.relationship_type_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER entries_current_version
BEFORE UPDATE OF current_version_id ON entries
WHEN NEW.current_version_id IS NOT NULL
  AND (SELECT entry_id FROM entry_versions WHERE id = NEW.current_version_id) IS NOT NEW.id
BEGIN
  SELECT RAISE(ABORT, 'entries.current_version_id must be a version of this entry');
END;

CREATE TRIGGER entries_delete_guard
BEFORE DELETE ON entries
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entries: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entries_identity
BEFORE UPDATE ON entries
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entries: rid, id and space_id never change');
END;

CREATE TRIGGER entries_no_replace
BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entries WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entries: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entries_redaction_final
BEFORE UPDATE ON entries
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'entries: a redacted row stays redacted');
END;

CREATE TRIGGER entries_space_insert
BEFORE INSERT ON entries
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entries.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entries_space_update
BEFORE UPDATE OF session_id ON entries
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entries.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entries_starts_unversioned
BEFORE INSERT ON entries
WHEN NEW.current_version_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'entries: an entry comes first, then its version, then the pointer to it');
END;

CREATE TRIGGER entries_tags_stand
AFTER UPDATE OF is_active, is_redacted ON entries
WHEN NEW.is_active IS NOT OLD.is_active OR NEW.is_redacted IS NOT OLD.is_redacted
BEGIN
  UPDATE item_tags SET standing = CASE WHEN NEW.is_active = 0 OR NEW.is_redacted = 1 THEN 0 WHEN NEW.session_id IS NULL THEN 1 ELSE 2 END
  WHERE item_type = 'entry' AND item_id = NEW.id;
END;

CREATE TRIGGER entries_type_immutable
BEFORE UPDATE OF entry_type ON entries
WHEN NEW.entry_type IS NOT OLD.entry_type
BEGIN
  SELECT RAISE(ABORT, 'entries.entry_type is immutable');
END;

CREATE TRIGGER entry_conflicts_delete_guard
BEFORE DELETE ON entry_conflicts
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entry_conflicts_identity
BEFORE UPDATE ON entry_conflicts
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: rid, id and space_id never change');
END;

CREATE TRIGGER entry_conflicts_no_replace
BEFORE INSERT ON entry_conflicts
WHEN EXISTS (SELECT 1 FROM entry_conflicts WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entry_conflicts WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entry_conflicts_pair_immutable
BEFORE UPDATE ON entry_conflicts
WHEN NEW.entry_id IS NOT OLD.entry_id
  OR NEW.version_a_id IS NOT OLD.version_a_id
  OR NEW.version_b_id IS NOT OLD.version_b_id
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: the entry and its two versions are immutable');
END;

CREATE TRIGGER entry_conflicts_space_insert
BEFORE INSERT ON entry_conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.entry_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_conflicts_space_update
BEFORE UPDATE OF entry_id, version_a_id, version_b_id ON entry_conflicts
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.entry_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_a_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_a_id must lie in the space of its row')
    WHEN (SELECT space_id FROM entry_versions WHERE id = NEW.version_b_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_conflicts.version_b_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_conflicts_versions
BEFORE INSERT ON entry_conflicts
WHEN (SELECT entry_id FROM entry_versions WHERE id = NEW.version_a_id) IS NOT NEW.entry_id
  OR (SELECT entry_id FROM entry_versions WHERE id = NEW.version_b_id) IS NOT NEW.entry_id
BEGIN
  SELECT RAISE(ABORT, 'entry_conflicts: both versions must belong to the entry');
END;

CREATE TRIGGER entry_versions_append_only
BEFORE UPDATE ON entry_versions
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.entry_id IS NOT OLD.entry_id
  OR NEW.version_num IS NOT OLD.version_num
  OR NEW.conflict_flag IS NOT OLD.conflict_flag
  OR NEW.created_at IS NOT OLD.created_at
  OR NEW.created_by IS NOT OLD.created_by
BEGIN
  SELECT RAISE(ABORT, 'entry_versions is append-only: redaction is the one change');
END;

CREATE TRIGGER entry_versions_body
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body)
BEGIN
  SELECT CASE
    WHEN json_type(NEW.body) IS NOT 'object'
      THEN RAISE(ABORT, 'entry_versions.body must be a JSON object')
    WHEN (SELECT entry_type FROM entries WHERE id = NEW.entry_id) IN ('guideline', 'knowledge')
      AND json_type(NEW.body, '$.content') IS NOT 'text'
      THEN RAISE(ABORT, 'entry_versions.body of a guideline or knowledge needs a text "content"')
    WHEN (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'knowledge'
      AND json_type(NEW.body, '$.confidence') IS NOT NULL
      AND NOT ifnull(json_extract(NEW.body, '$.confidence') BETWEEN 0 AND 1
        AND json_type(NEW.body, '$.confidence') IN ('integer', 'real'), 0)
      THEN RAISE(ABORT, 'entry_versions.body: confidence is a number from 0 to 1')
  END;
END;

CREATE TRIGGER entry_versions_delete_guard
BEFORE DELETE ON entry_versions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'entry_versions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER entry_versions_guideline
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body) AND (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'guideline'
BEGIN
  SELECT CASE
    WHEN ifnull(json_type(NEW.body, '$.rationale'), 'text') <> 'text'
      THEN RAISE(ABORT, 'entry_versions.body of a guideline: rationale is a text')
    WHEN ifnull(json_type(NEW.body, '$.examples'), 'object') <> 'object'
      OR ifnull(json_type(NEW.body, '$.examples.good'), 'array') <> 'array'
      OR ifnull(json_type(NEW.body, '$.examples.bad'), 'array') <> 'array'
      THEN RAISE(ABORT, 'entry_versions.body of a guideline: examples has lists good and bad')
  END;
END;

CREATE TRIGGER entry_versions_knowledge
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body) AND (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'knowledge'
BEGIN
  SELECT CASE
    WHEN ifnull(json_type(NEW.body, '$.source'), 'text') <> 'text'
      THEN RAISE(ABORT, 'entry_versions.body of knowledge: source is a text')
    WHEN ifnull(json_type(NEW.body, '$.valid_until'), 'integer') <> 'integer'
      THEN RAISE(ABORT, 'entry_versions.body of knowledge: valid_until is a time in milliseconds')
  END;
END;

CREATE TRIGGER entry_versions_no_replace
BEFORE INSERT ON entry_versions
WHEN EXISTS (SELECT 1 FROM entry_versions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM entry_versions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'entry_versions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER entry_versions_numbered
BEFORE INSERT ON entry_versions
WHEN NEW.version_num IS NOT
  1 + ifnull((SELECT max(version_num) FROM entry_versions WHERE entry_id = NEW.entry_id), 0)
BEGIN
  SELECT RAISE(ABORT, 'entry_versions: versions are numbered without a gap');
END;

CREATE TRIGGER entry_versions_space_insert
BEFORE INSERT ON entry_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_versions.entry_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_versions_space_update
BEFORE UPDATE OF entry_id ON entry_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM entries WHERE id = NEW.entry_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'entry_versions.entry_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER entry_versions_tool
BEFORE INSERT ON entry_versions
WHEN json_valid(NEW.body) AND (SELECT entry_type FROM entries WHERE id = NEW.entry_id) = 'tool'
BEGIN
  SELECT CASE
    WHEN ifnull(json_type(NEW.body, '$.description'), 'text') <> 'text' OR ifnull(json_type(NEW.body, '$.constraints'), 'text') <> 'text'
      THEN RAISE(ABORT, 'entry_versions.body of a tool: description and constraints are texts')
    WHEN ifnull(json_type(NEW.body, '$.parameters'), 'object') <> 'object'
      OR ifnull(json_type(NEW.body, '$.parameters.required'), 'array') <> 'array'
      OR ifnull(json_type(NEW.body, '$.parameters.optional'), 'array') <> 'array'
      OR ifnull(json_type(NEW.body, '$.parameters.schema'), 'object') <> 'object'
      THEN RAISE(ABORT, 'entry_versions.body of a tool: parameters has lists required and optional and an object schema')
    WHEN ifnull(json_type(NEW.body, '$.examples'), 'array') <> 'array'
      THEN RAISE(ABORT, 'entry_versions.body of a tool: examples is a list')
  END;
END;

CREATE TRIGGER evidence_events_append_only
BEFORE UPDATE ON evidence_events
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.actor_id IS NOT OLD.actor_id
  OR NEW.session_id IS NOT OLD.session_id
  OR NEW.kind IS NOT OLD.kind
  OR NEW.occurred_at IS NOT OLD.occurred_at
  OR NEW.recorded_at IS NOT OLD.recorded_at
BEGIN
  SELECT RAISE(ABORT, 'evidence_events is append-only: redaction is the one change');
END;

CREATE TRIGGER evidence_events_delete_guard
BEFORE DELETE ON evidence_events
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'evidence_events: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER evidence_events_no_replace
BEFORE INSERT ON evidence_events
WHEN EXISTS (SELECT 1 FROM evidence_events WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM evidence_events WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'evidence_events: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER evidence_events_space_insert
BEFORE INSERT ON evidence_events
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'evidence_events.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER evidence_events_space_update
BEFORE UPDATE OF session_id ON evidence_events
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'evidence_events.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER file_locks_identity
BEFORE UPDATE ON file_locks
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'file_locks: rid, id and space_id never change');
END;

CREATE TRIGGER file_locks_no_replace
BEFORE INSERT ON file_locks
WHEN EXISTS (SELECT 1 FROM file_locks WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM file_locks WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'file_locks: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER file_locks_space_insert
BEFORE INSERT ON file_locks
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'file_locks.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER file_locks_space_update
BEFORE UPDATE OF session_id ON file_locks
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'file_locks.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER forgettings_delete_guard
BEFORE DELETE ON forgettings
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'forgettings: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER forgettings_identity
BEFORE UPDATE ON forgettings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'forgettings: rid and id never change');
END;

CREATE TRIGGER forgettings_no_replace
BEFORE INSERT ON forgettings
WHEN EXISTS (SELECT 1 FROM forgettings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM forgettings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'forgettings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_relation_ends_append_only
BEFORE UPDATE ON item_relation_ends
BEGIN
  SELECT RAISE(ABORT, 'item_relation_ends is append-only: no row changes');
END;

CREATE TRIGGER item_relation_ends_delete_guard
BEFORE DELETE ON item_relation_ends
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
  AND EXISTS (SELECT 1 FROM item_relations WHERE id = OLD.relation_id)
BEGIN
  SELECT RAISE(ABORT, 'item_relation_ends: rows are deleted only in compliance mode or with their relation');
END;

CREATE TRIGGER item_relation_ends_no_replace
BEFORE INSERT ON item_relation_ends
WHEN EXISTS (SELECT 1 FROM item_relation_ends WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM item_relation_ends WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'item_relation_ends: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_relations_identity
BEFORE UPDATE ON item_relations
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'item_relations: rid, id and space_id never change');
END;

CREATE TRIGGER item_relations_no_replace
BEFORE INSERT ON item_relations
WHEN EXISTS (SELECT 1 FROM item_relations WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM item_relations WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'item_relations: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_relations_space_insert
BEFORE INSERT ON item_relations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_relations.from_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_relations.to_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER item_relations_space_update
BEFORE UPDATE OF from_type, from_id, to_type, to_id ON item_relations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.from_type AND item_id = NEW.from_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_relations.from_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM item_spaces WHERE item_type = NEW.to_type AND item_id = NEW.to_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_relations.to_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER item_tags_identity
BEFORE UPDATE ON item_tags
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'item_tags: rid, id and space_id never change');
END;

CREATE TRIGGER item_tags_no_replace
BEFORE INSERT ON item_tags
WHEN EXISTS (SELECT 1 FROM item_tags WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM item_tags WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'item_tags: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER item_tags_of_entry
AFTER INSERT ON item_tags
WHEN NEW.item_type = 'entry'
BEGIN
  UPDATE item_tags SET (item_rid, item_subtype, standing) =
    (SELECT e.rid, e.entry_type, CASE WHEN e.is_active = 0 OR e.is_redacted = 1 THEN 0 WHEN e.session_id IS NULL THEN 1 ELSE 2 END
     FROM entries e WHERE e.id = NEW.item_id)
  WHERE rid = NEW.rid;
END;

CREATE TRIGGER item_tags_space_insert
BEFORE INSERT ON item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER item_tags_space_update
BEFORE UPDATE OF item_type, item_id, tag_id ON item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER jobs_identity
BEFORE UPDATE ON jobs
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'jobs: rid, id and space_id never change');
END;

CREATE TRIGGER jobs_no_replace
BEFORE INSERT ON jobs
WHEN EXISTS (SELECT 1 FROM jobs WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM jobs WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'jobs: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER jobs_space_insert
BEFORE INSERT ON jobs
WHEN NEW.subject_type NOT IN ('model', 'database')
  AND (SELECT space_id FROM item_spaces WHERE item_type = NEW.subject_type AND item_id = NEW.subject_id)
    IS NOT NEW.space_id
BEGIN
  SELECT RAISE(ABORT, 'jobs.subject_id must lie in the space of its row');
END;

CREATE TRIGGER jobs_subject_immutable
BEFORE UPDATE ON jobs
WHEN NEW.kind IS NOT OLD.kind
  OR NEW.subject_type IS NOT OLD.subject_type
  OR NEW.subject_id IS NOT OLD.subject_id
BEGIN
  SELECT RAISE(ABORT, 'jobs: kind and subject are immutable');
END;

CREATE TRIGGER maintenance_runs_identity
BEFORE UPDATE ON maintenance_runs
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'maintenance_runs: rid and id never change');
END;

CREATE TRIGGER maintenance_runs_no_replace
BEFORE INSERT ON maintenance_runs
WHEN EXISTS (SELECT 1 FROM maintenance_runs WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM maintenance_runs WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'maintenance_runs: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER media_segments_delete_guard
BEFORE DELETE ON media_segments
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'media_segments: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER media_segments_identity
BEFORE UPDATE ON media_segments
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'media_segments: rid, id and space_id never change');
END;

CREATE TRIGGER media_segments_no_replace
BEFORE INSERT ON media_segments
WHEN EXISTS (SELECT 1 FROM media_segments WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM media_segments WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'media_segments: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER media_segments_parent_insert
BEFORE INSERT ON media_segments
WHEN NEW.parent_segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'media_segments.parent_segment_id must belong to the same artifact');
END;

CREATE TRIGGER media_segments_parent_update
BEFORE UPDATE OF parent_segment_id, artifact_id ON media_segments
WHEN NEW.parent_segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.artifact_id
BEGIN
  SELECT RAISE(ABORT, 'media_segments.parent_segment_id must belong to the same artifact');
END;

CREATE TRIGGER media_segments_redaction_final
BEFORE UPDATE ON media_segments
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'media_segments: a redacted row stays redacted');
END;

CREATE TRIGGER media_segments_space_insert
BEFORE INSERT ON media_segments
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.artifact_id must lie in the space of its row')
    WHEN NEW.parent_segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.parent_segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER media_segments_space_update
BEFORE UPDATE OF artifact_id, parent_segment_id ON media_segments
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.artifact_id must lie in the space of its row')
    WHEN NEW.parent_segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.parent_segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'media_segments.parent_segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memories_delete_guard
BEFORE DELETE ON memories
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'memories: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER memories_forget_history
AFTER UPDATE OF is_redacted ON memories
WHEN OLD.is_redacted = 0 AND NEW.is_redacted = 1
BEGIN
  DELETE FROM memory_status_history WHERE memory_id = NEW.id;
END;

CREATE TRIGGER memories_identity
BEFORE UPDATE ON memories
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memories: rid, id and space_id never change');
END;

CREATE TRIGGER memories_keep_history
AFTER UPDATE OF status ON memories
WHEN NEW.status IS NOT OLD.status AND NEW.is_redacted = 0
BEGIN
  INSERT INTO memory_status_history (id, space_id, memory_id, from_status, to_status, valid_from, changed_at)
  VALUES (
    NEW.id || ':' || (1 + (SELECT count(*) FROM memory_status_history WHERE memory_id = NEW.id)),
    NEW.space_id, NEW.id, OLD.status, NEW.status,
    CASE WHEN 'retracted' IN (OLD.status, NEW.status) THEN NULL
      WHEN NEW.status = 'active' THEN NEW.status_changed_at
      ELSE ifnull(NEW.valid_to, NEW.status_changed_at) END,
    NEW.status_changed_at);
END;

CREATE TRIGGER memories_layer_immutable
BEFORE UPDATE OF layer ON memories
WHEN NEW.layer IS NOT OLD.layer
BEGIN
  SELECT RAISE(ABORT, 'memories.layer is immutable; promotion makes a distilled memory beside the raw one');
END;

CREATE TRIGGER memories_no_replace
BEFORE INSERT ON memories
WHEN EXISTS (SELECT 1 FROM memories WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memories WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memories: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memories_raw_append_only
BEFORE UPDATE ON memories
WHEN OLD.layer = 'raw'
  AND (NEW.content IS NOT OLD.content
    OR NEW.content_hash IS NOT OLD.content_hash
    OR NEW.modality IS NOT OLD.modality
    OR NEW.primary_artifact_id IS NOT OLD.primary_artifact_id
    OR NEW.title IS NOT OLD.title
    OR NEW.summary IS NOT OLD.summary
    OR NEW.status IS NOT OLD.status
    OR NEW.is_redacted IS NOT OLD.is_redacted
    OR NEW.occurred_at IS NOT OLD.occurred_at
    OR NEW.valid_from IS NOT OLD.valid_from
    OR NEW.created_at IS NOT OLD.created_at
    OR NEW.actor_id IS NOT OLD.actor_id
    OR NEW.source_type IS NOT OLD.source_type
    OR NEW.owner IS NOT OLD.owner
    OR NEW.artifact_ref IS NOT OLD.artifact_ref
    OR NEW.session_id IS NOT OLD.session_id
    OR NEW.sources IS NOT OLD.sources
    OR NEW.metadata IS NOT OLD.metadata)
  AND NOT (NEW.is_redacted = 1
    AND NEW.status IN ('archived', 'deleted')
    AND EXISTS (SELECT 1 FROM raw_archive WHERE memory_id = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'memories: raw rows are append-only; archive_raw is the one way out');
END;

CREATE TRIGGER memories_redacted_not_active
BEFORE UPDATE OF status ON memories
WHEN NEW.status = 'active' AND OLD.status <> 'active' AND (OLD.is_redacted = 1 OR NEW.is_redacted = 1)
BEGIN
  SELECT RAISE(ABORT, 'memories: a redacted memory does not become active again');
END;

CREATE TRIGGER memories_redaction_final
BEFORE UPDATE ON memories
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'memories: a redacted row stays redacted');
END;

CREATE TRIGGER memories_space_insert
BEFORE INSERT ON memories
BEGIN
  SELECT CASE
    WHEN NEW.primary_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.primary_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.primary_artifact_id must lie in the space of its row')
    WHEN NEW.supersedes_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.supersedes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.supersedes_id must lie in the space of its row')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.superseded_by_id must lie in the space of its row')
    WHEN NEW.consolidated_into IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.consolidated_into) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.consolidated_into must lie in the space of its row')
  END;
END;

CREATE TRIGGER memories_space_update
BEFORE UPDATE OF primary_artifact_id, supersedes_id, superseded_by_id, consolidated_into ON memories
BEGIN
  SELECT CASE
    WHEN NEW.primary_artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.primary_artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.primary_artifact_id must lie in the space of its row')
    WHEN NEW.supersedes_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.supersedes_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.supersedes_id must lie in the space of its row')
    WHEN NEW.superseded_by_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.superseded_by_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.superseded_by_id must lie in the space of its row')
    WHEN NEW.consolidated_into IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.consolidated_into) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memories.consolidated_into must lie in the space of its row')
  END;
END;

CREATE TRIGGER memories_start_active
BEFORE INSERT ON memories
WHEN NEW.status IS NOT 'active' OR NEW.is_redacted IS NOT 0
BEGIN
  SELECT RAISE(ABORT, 'memories: a memory begins active and not redacted');
END;

CREATE TRIGGER memories_status_has_time
BEFORE UPDATE OF status ON memories
WHEN NEW.status IS NOT OLD.status AND NEW.status_changed_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'memories: a status changes at a time, which status_changed_at says');
END;

CREATE TRIGGER memories_status_transition
BEFORE UPDATE OF status ON memories
WHEN NEW.status IS NOT OLD.status AND NOT EXISTS (
  SELECT 1 FROM memory_status_transitions WHERE from_status = OLD.status AND to_status = NEW.status)
BEGIN
  SELECT RAISE(ABORT, 'memories: this change of status is not allowed');
END;

CREATE TRIGGER memory_artifact_links_identity
BEFORE UPDATE ON memory_artifact_links
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_artifact_links: rid, id and space_id never change');
END;

CREATE TRIGGER memory_artifact_links_no_replace
BEFORE INSERT ON memory_artifact_links
WHEN EXISTS (SELECT 1 FROM memory_artifact_links WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_artifact_links WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_artifact_links: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_artifact_links_space_insert
BEFORE INSERT ON memory_artifact_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_artifact_links_space_update
BEFORE UPDATE OF memory_id, artifact_id ON memory_artifact_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_artifact_links.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_derivations_delete_guard
BEFORE DELETE ON memory_derivations
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'memory_derivations: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER memory_derivations_identity
BEFORE UPDATE ON memory_derivations
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_derivations: rid, id and space_id never change');
END;

CREATE TRIGGER memory_derivations_no_replace
BEFORE INSERT ON memory_derivations
WHEN EXISTS (SELECT 1 FROM memory_derivations WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_derivations WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_derivations: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_derivations_space_insert
BEFORE INSERT ON memory_derivations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.derived_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.derived_memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.source_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.source_memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_derivations_space_update
BEFORE UPDATE OF derived_memory_id, source_memory_id ON memory_derivations
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.derived_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.derived_memory_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.source_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_derivations.source_memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_embeddings_identity
BEFORE UPDATE ON memory_embeddings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_embeddings: rid, id and space_id never change');
END;

CREATE TRIGGER memory_embeddings_no_replace
BEFORE INSERT ON memory_embeddings
WHEN EXISTS (SELECT 1 FROM memory_embeddings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_embeddings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_embeddings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_embeddings_redaction_final
BEFORE UPDATE ON memory_embeddings
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'memory_embeddings: a redacted row stays redacted');
END;

CREATE TRIGGER memory_embeddings_space_insert
BEFORE INSERT ON memory_embeddings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.memory_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.text_view_id must lie in the space of its row')
    WHEN NEW.unit_id IS NOT NULL AND (SELECT space_id FROM text_units WHERE id = NEW.unit_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.unit_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_embeddings_space_update
BEFORE UPDATE OF memory_id, artifact_id, segment_id, text_view_id, unit_id ON memory_embeddings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.memory_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.artifact_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.segment_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.text_view_id must lie in the space of its row')
    WHEN NEW.unit_id IS NOT NULL AND (SELECT space_id FROM text_units WHERE id = NEW.unit_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_embeddings.unit_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_entity_links_identity
BEFORE UPDATE ON memory_entity_links
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'memory_entity_links: rid, id and space_id never change');
END;

CREATE TRIGGER memory_entity_links_no_replace
BEFORE INSERT ON memory_entity_links
WHEN EXISTS (SELECT 1 FROM memory_entity_links WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_entity_links WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_entity_links: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_entity_links_of_redacted
BEFORE INSERT ON memory_entity_links
WHEN (SELECT is_redacted FROM memories WHERE id = NEW.memory_id) = 1
  OR (SELECT is_redacted FROM entities WHERE id = NEW.entity_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'memory_entity_links: its memory or its entity was redacted');
END;

CREATE TRIGGER memory_entity_links_space_insert
BEFORE INSERT ON memory_entity_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.text_view_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'memory_entity_links.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER memory_entity_links_space_update
BEFORE UPDATE OF memory_id, text_view_id, entity_id ON memory_entity_links
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_entity_links.text_view_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM entities WHERE id = NEW.entity_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'memory_entity_links.entity_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER memory_spaces_delete_guard
BEFORE DELETE ON memory_spaces
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER memory_spaces_identity
BEFORE UPDATE ON memory_spaces
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: rid and id never change');
END;

CREATE TRIGGER memory_spaces_no_cycle
AFTER UPDATE OF parent_space_id ON memory_spaces
WHEN EXISTS (SELECT 1 FROM space_ancestors WHERE space_id = NEW.id AND ancestor_id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: a space cannot be its own ancestor');
END;

CREATE TRIGGER memory_spaces_no_replace
BEFORE INSERT ON memory_spaces
WHEN EXISTS (SELECT 1 FROM memory_spaces WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_spaces WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_spaces_no_self_parent
BEFORE INSERT ON memory_spaces
WHEN NEW.parent_space_id = NEW.id
BEGIN
  SELECT RAISE(ABORT, 'memory_spaces: a space cannot be its own parent');
END;

CREATE TRIGGER memory_status_history_append_only
BEFORE UPDATE ON memory_status_history
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history is append-only: no row changes');
END;

CREATE TRIGGER memory_status_history_delete_guard
BEFORE DELETE ON memory_status_history
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
  AND (SELECT is_redacted FROM memories WHERE id = OLD.memory_id) IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history: rows are deleted only in compliance mode or with what a forgotten memory said');
END;

CREATE TRIGGER memory_status_history_legal
BEFORE INSERT ON memory_status_history
WHEN NOT EXISTS (SELECT 1 FROM memories
    WHERE id = NEW.memory_id AND status = NEW.to_status AND status_changed_at = NEW.changed_at)
  OR NEW.from_status IS NOT ifnull((SELECT to_status FROM memory_status_history
    WHERE memory_id = NEW.memory_id ORDER BY rid DESC LIMIT 1), 'active')
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history: a row is the change by which its memory came to the status that it has');
END;

CREATE TRIGGER memory_status_history_no_replace
BEFORE INSERT ON memory_status_history
WHEN EXISTS (SELECT 1 FROM memory_status_history WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM memory_status_history WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'memory_status_history: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER memory_status_history_space_insert
BEFORE INSERT ON memory_status_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_status_history.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_status_history_space_update
BEFORE UPDATE OF memory_id ON memory_status_history
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'memory_status_history.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER memory_status_transitions_fixed_delete
BEFORE DELETE ON memory_status_transitions
BEGIN
  SELECT RAISE(ABORT, 'memory_status_transitions: an allowed change of status is not taken away');
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

CREATE TRIGGER models_installed_identity
BEFORE UPDATE ON models_installed
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'models_installed: rid and id never change');
END;

CREATE TRIGGER models_installed_no_replace
BEFORE INSERT ON models_installed
WHEN EXISTS (SELECT 1 FROM models_installed WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM models_installed WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'models_installed: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER pairing_requests_decided_once
BEFORE UPDATE OF status ON pairing_requests
WHEN OLD.status <> 'pending' AND NEW.status <> OLD.status
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: a decided request stays decided; revoke the token instead');
END;

CREATE TRIGGER pairing_requests_delete_guard
BEFORE DELETE ON pairing_requests
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER pairing_requests_identity
BEFORE UPDATE ON pairing_requests
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: rid and id never change');
END;

CREATE TRIGGER pairing_requests_no_replace
BEFORE INSERT ON pairing_requests
WHEN EXISTS (SELECT 1 FROM pairing_requests WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM pairing_requests WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'pairing_requests: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER past_item_tags_append_only
BEFORE UPDATE ON past_item_tags
BEGIN
  SELECT RAISE(ABORT, 'past_item_tags is append-only: no row changes');
END;

CREATE TRIGGER past_item_tags_no_replace
BEFORE INSERT ON past_item_tags
WHEN EXISTS (SELECT 1 FROM past_item_tags WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM past_item_tags WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'past_item_tags: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER past_item_tags_space_insert
BEFORE INSERT ON past_item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'past_item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'past_item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER past_item_tags_space_update
BEFORE UPDATE OF item_type, item_id, tag_id ON past_item_tags
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.item_type AND item_id = NEW.item_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'past_item_tags.item_id must lie in the space of its row')
    WHEN ifnull((SELECT space_id FROM tags WHERE id = NEW.tag_id), '') NOT IN (NEW.space_id, 'GLOBAL')
      THEN RAISE(ABORT, 'past_item_tags.tag_id must lie in the space of its row or in GLOBAL')
  END;
END;

CREATE TRIGGER promotion_requests_asked_immutable
BEFORE UPDATE ON promotion_requests
WHEN NEW.object_type IS NOT OLD.object_type
  OR NEW.object_id IS NOT OLD.object_id
  OR NEW.source_space_id IS NOT OLD.source_space_id
  OR NEW.target_space_id IS NOT OLD.target_space_id
  OR NEW.requested_by IS NOT OLD.requested_by
  OR (OLD.status <> 'pending' AND NEW.status IS NOT OLD.status)
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: what was asked is immutable, and a decision stands');
END;

CREATE TRIGGER promotion_requests_begin
BEFORE INSERT ON promotion_requests
BEGIN
  SELECT CASE
    WHEN NEW.status IS NOT 'pending'
      THEN RAISE(ABORT, 'promotion_requests: a request begins pending')
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.object_type AND item_id = NEW.object_id)
        IS NOT NEW.source_space_id
      THEN RAISE(ABORT, 'promotion_requests.object_id must lie in source_space_id')
  END;
END;

CREATE TRIGGER promotion_requests_copy_in_target
BEFORE UPDATE OF promoted_object_id ON promotion_requests
WHEN NEW.promoted_object_id IS NOT NULL
  AND (SELECT space_id FROM item_spaces WHERE item_type = NEW.object_type AND item_id = NEW.promoted_object_id)
    IS NOT NEW.target_space_id
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests.promoted_object_id must lie in target_space_id');
END;

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

CREATE TRIGGER promotion_requests_delete_guard
BEFORE DELETE ON promotion_requests
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER promotion_requests_identity
BEFORE UPDATE ON promotion_requests
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: rid and id never change');
END;

CREATE TRIGGER promotion_requests_lineage_of_copy
BEFORE UPDATE OF lineage ON promotion_requests
WHEN NEW.lineage <> '{}' AND NEW.status <> 'approved'
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: only an approved request has copies');
END;

CREATE TRIGGER promotion_requests_no_replace
BEFORE INSERT ON promotion_requests
WHEN EXISTS (SELECT 1 FROM promotion_requests WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM promotion_requests WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER promotion_requests_redaction_final
BEFORE UPDATE ON promotion_requests
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'promotion_requests: a redacted row stays redacted');
END;

CREATE TRIGGER raw_archive_append_only
BEFORE UPDATE ON raw_archive
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.memory_id IS NOT OLD.memory_id
  OR NEW.content_hmac IS NOT OLD.content_hmac
  OR NEW.archived_by IS NOT OLD.archived_by
  OR NEW.archived_at IS NOT OLD.archived_at
BEGIN
  SELECT RAISE(ABORT, 'raw_archive is append-only: redaction is the one change');
END;

CREATE TRIGGER raw_archive_delete_guard
BEFORE DELETE ON raw_archive
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'raw_archive: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER raw_archive_no_replace
BEFORE INSERT ON raw_archive
WHEN EXISTS (SELECT 1 FROM raw_archive WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM raw_archive WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'raw_archive: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER raw_archive_raw_only
BEFORE INSERT ON raw_archive
WHEN (SELECT layer FROM memories WHERE id = NEW.memory_id) IS NOT 'raw'
BEGIN
  SELECT RAISE(ABORT, 'raw_archive: only raw memories are archived this way');
END;

CREATE TRIGGER raw_archive_space_insert
BEFORE INSERT ON raw_archive
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'raw_archive.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER raw_archive_space_update
BEFORE UPDATE OF memory_id ON raw_archive
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'raw_archive.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER redaction_findings_applied_final
BEFORE UPDATE OF status ON redaction_findings
WHEN (OLD.status = 'applied' AND NEW.status IS NOT 'applied')
  OR (NEW.status = 'applied' AND OLD.status NOT IN ('accepted', 'applied'))
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: only an accepted finding is applied, and an applied one stays so');
END;

CREATE TRIGGER redaction_findings_delete_guard
BEFORE DELETE ON redaction_findings
WHEN OLD.status <> 'pending' AND (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: what a person decided is deleted only in compliance mode');
END;

CREATE TRIGGER redaction_findings_identity
BEFORE UPDATE ON redaction_findings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: rid, id and space_id never change');
END;

CREATE TRIGGER redaction_findings_no_replace
BEFORE INSERT ON redaction_findings
WHEN EXISTS (SELECT 1 FROM redaction_findings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM redaction_findings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'redaction_findings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER redaction_findings_space_insert
BEFORE INSERT ON redaction_findings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.text_view_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER redaction_findings_space_update
BEFORE UPDATE OF memory_id, text_view_id, artifact_id ON redaction_findings
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.text_view_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'redaction_findings.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER rejected_values_delete_guard
BEFORE DELETE ON rejected_values
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'rejected_values: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER rejected_values_fixed
BEFORE UPDATE ON rejected_values
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.value_kind IS NOT OLD.value_kind
  OR NEW.value_hmac IS NOT OLD.value_hmac
  OR NEW.reason IS NOT OLD.reason
  OR NEW.source_type IS NOT OLD.source_type
  OR NEW.source_id IS NOT OLD.source_id
  OR NEW.actor_id IS NOT OLD.actor_id
  OR NEW.created_at IS NOT OLD.created_at
BEGIN
  SELECT RAISE(ABORT, 'rejected_values: a refused value is fixed; only whether it is let in again changes');
END;

CREATE TRIGGER rejected_values_no_replace
BEFORE INSERT ON rejected_values
WHEN EXISTS (SELECT 1 FROM rejected_values WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM rejected_values WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'rejected_values: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER relationship_types_delete_guard
BEFORE DELETE ON relationship_types
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'relationship_types: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER relationship_types_identity
BEFORE UPDATE ON relationship_types
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'relationship_types: rid, id and space_id never change');
END;

CREATE TRIGGER relationship_types_no_replace
BEFORE INSERT ON relationship_types
WHEN EXISTS (SELECT 1 FROM relationship_types WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM relationship_types WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'relationship_types: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER saved_searches_identity
BEFORE UPDATE ON saved_searches
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'saved_searches: rid, id and space_id never change');
END;

CREATE TRIGGER saved_searches_no_replace
BEFORE INSERT ON saved_searches
WHEN EXISTS (SELECT 1 FROM saved_searches WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM saved_searches WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'saved_searches: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER session_states_delete_guard
BEFORE DELETE ON session_states
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'session_states: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER session_states_identity
BEFORE UPDATE ON session_states
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'session_states: rid, id and space_id never change');
END;

CREATE TRIGGER session_states_no_replace
BEFORE INSERT ON session_states
WHEN EXISTS (SELECT 1 FROM session_states WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM session_states WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'session_states: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER session_states_redaction_final
BEFORE UPDATE ON session_states
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'session_states: a redacted row stays redacted');
END;

CREATE TRIGGER session_states_space_insert
BEFORE INSERT ON session_states
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'session_states.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER session_states_space_update
BEFORE UPDATE OF session_id ON session_states
BEGIN
  SELECT CASE
    WHEN NEW.session_id IS NOT NULL AND (SELECT space_id FROM sessions WHERE id = NEW.session_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'session_states.session_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER sessions_delete_guard
BEFORE DELETE ON sessions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'sessions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER sessions_end_once
BEFORE UPDATE OF status ON sessions
WHEN OLD.status IN ('completed', 'discarded') AND NEW.status IS NOT OLD.status
BEGIN
  SELECT RAISE(ABORT, 'sessions: an ended session stays ended');
END;

CREATE TRIGGER sessions_identity
BEFORE UPDATE ON sessions
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'sessions: rid, id and space_id never change');
END;

CREATE TRIGGER sessions_no_replace
BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM sessions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM sessions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'sessions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER sessions_redaction_final
BEFORE UPDATE ON sessions
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'sessions: a redacted row stays redacted');
END;

CREATE TRIGGER space_indexes_identity
BEFORE UPDATE ON space_indexes
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_indexes: rid, id and space_id never change');
END;

CREATE TRIGGER space_indexes_no_replace
BEFORE INSERT ON space_indexes
WHEN EXISTS (SELECT 1 FROM space_indexes WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_indexes WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_indexes: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_memberships_delete_guard
BEFORE DELETE ON space_memberships
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'space_memberships: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER space_memberships_identity
BEFORE UPDATE ON space_memberships
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_memberships: rid, id and space_id never change');
END;

CREATE TRIGGER space_memberships_no_replace
BEFORE INSERT ON space_memberships
WHEN EXISTS (SELECT 1 FROM space_memberships WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_memberships WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_memberships: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_overlays_identity
BEFORE UPDATE ON space_overlays
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: rid, id and space_id never change');
END;

CREATE TRIGGER space_overlays_no_cycle_insert
AFTER INSERT ON space_overlays
WHEN EXISTS (SELECT 1 FROM overlay_reach WHERE space_id = NEW.space_id AND reach_id = NEW.space_id)
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: overlays cannot form a cycle');
END;

CREATE TRIGGER space_overlays_no_cycle_update
AFTER UPDATE OF overlay_space_id ON space_overlays
WHEN EXISTS (SELECT 1 FROM overlay_reach WHERE space_id = NEW.space_id AND reach_id = NEW.space_id)
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: overlays cannot form a cycle');
END;

CREATE TRIGGER space_overlays_no_replace
BEFORE INSERT ON space_overlays
WHEN EXISTS (SELECT 1 FROM space_overlays WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_overlays WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_overlays: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER space_settings_identity
BEFORE UPDATE ON space_settings
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'space_settings: rid, id and space_id never change');
END;

CREATE TRIGGER space_settings_no_replace
BEFORE INSERT ON space_settings
WHEN EXISTS (SELECT 1 FROM space_settings WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM space_settings WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'space_settings: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER tags_identity
BEFORE UPDATE ON tags
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'tags: rid, id and space_id never change');
END;

CREATE TRIGGER tags_no_replace
BEFORE INSERT ON tags
WHEN EXISTS (SELECT 1 FROM tags WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM tags WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'tags: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER text_units_identity
BEFORE UPDATE ON text_units
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'text_units: rid, id and space_id never change');
END;

CREATE TRIGGER text_units_no_replace
BEFORE INSERT ON text_units
WHEN EXISTS (SELECT 1 FROM text_units WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM text_units WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'text_units: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER text_units_of_redacted
BEFORE INSERT ON text_units
WHEN (SELECT is_redacted FROM memories WHERE id = NEW.owner_memory_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'text_units: its memory was redacted');
END;

CREATE TRIGGER text_units_segment_insert
BEFORE INSERT ON text_units
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id)
    IS NOT (SELECT artifact_id FROM derived_text_views WHERE id = NEW.text_view_id)
BEGIN
  SELECT RAISE(ABORT, 'text_units.segment_id must belong to the artifact of text_view_id');
END;

CREATE TRIGGER text_units_segment_update
BEFORE UPDATE OF segment_id, text_view_id ON text_units
WHEN NEW.segment_id IS NOT NULL
  AND (SELECT artifact_id FROM media_segments WHERE id = NEW.segment_id)
    IS NOT (SELECT artifact_id FROM derived_text_views WHERE id = NEW.text_view_id)
BEGIN
  SELECT RAISE(ABORT, 'text_units.segment_id must belong to the artifact of text_view_id');
END;

CREATE TRIGGER text_units_space_insert
BEFORE INSERT ON text_units
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.text_view_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.owner_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.owner_memory_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_units_space_update
BEFORE UPDATE OF memory_id, text_view_id, owner_memory_id, segment_id ON text_units
BEGIN
  SELECT CASE
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.memory_id must lie in the space of its row')
    WHEN NEW.text_view_id IS NOT NULL AND (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.text_view_id must lie in the space of its row')
    WHEN (SELECT space_id FROM memories WHERE id = NEW.owner_memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.owner_memory_id must lie in the space of its row')
    WHEN NEW.segment_id IS NOT NULL AND (SELECT space_id FROM media_segments WHERE id = NEW.segment_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_units.segment_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_view_spans_identity
BEFORE UPDATE ON text_view_spans
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.text_view_id IS NOT OLD.text_view_id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'text_view_spans: rid, text_view_id and space_id never change');
END;

CREATE TRIGGER text_view_spans_space_insert
BEFORE INSERT ON text_view_spans
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_view_spans.text_view_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER text_view_spans_space_update
BEFORE UPDATE OF text_view_id ON text_view_spans
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM derived_text_views WHERE id = NEW.text_view_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'text_view_spans.text_view_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER thumbnails_identity
BEFORE UPDATE ON thumbnails
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'thumbnails: rid, id and space_id never change');
END;

CREATE TRIGGER thumbnails_no_replace
BEFORE INSERT ON thumbnails
WHEN EXISTS (SELECT 1 FROM thumbnails WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM thumbnails WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'thumbnails: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER thumbnails_of_redacted
BEFORE INSERT ON thumbnails
WHEN (SELECT is_redacted FROM artifacts WHERE id = NEW.artifact_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'thumbnails: its file was redacted');
END;

CREATE TRIGGER thumbnails_space_insert
BEFORE INSERT ON thumbnails
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'thumbnails.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER thumbnails_space_update
BEFORE UPDATE OF artifact_id ON thumbnails
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'thumbnails.artifact_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER undo_log_identity
BEFORE UPDATE ON undo_log
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'undo_log: rid, id and space_id never change');
END;

CREATE TRIGGER undo_log_no_replace
BEFORE INSERT ON undo_log
WHEN EXISTS (SELECT 1 FROM undo_log WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM undo_log WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'undo_log: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER undo_log_once
BEFORE UPDATE OF undone_at ON undo_log
WHEN OLD.undone_at IS NOT NULL AND NEW.undone_at IS NOT OLD.undone_at
BEGIN
  SELECT RAISE(ABORT, 'undo_log: an entry is undone once');
END;

CREATE TRIGGER undo_log_redaction_final
BEFORE UPDATE ON undo_log
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'undo_log: a redacted row stays redacted');
END;

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

CREATE TRIGGER verification_records_delete_guard
BEFORE DELETE ON verification_records
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'verification_records: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER verification_records_no_replace
BEFORE INSERT ON verification_records
WHEN EXISTS (SELECT 1 FROM verification_records WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM verification_records WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'verification_records: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER verification_records_space_insert
BEFORE INSERT ON verification_records
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.target_type AND item_id = NEW.target_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'verification_records.target_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER verification_records_space_update
BEFORE UPDATE OF target_type, target_id ON verification_records
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM item_spaces WHERE item_type = NEW.target_type AND item_id = NEW.target_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'verification_records.target_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER watch_folders_identity
BEFORE UPDATE ON watch_folders
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'watch_folders: rid, id and space_id never change');
END;

CREATE TRIGGER watch_folders_no_replace
BEFORE INSERT ON watch_folders
WHEN EXISTS (SELECT 1 FROM watch_folders WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM watch_folders WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'watch_folders: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER watched_files_identity
BEFORE UPDATE ON watched_files
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'watched_files: rid, id and space_id never change');
END;

CREATE TRIGGER watched_files_no_replace
BEFORE INSERT ON watched_files
WHEN EXISTS (SELECT 1 FROM watched_files WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM watched_files WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'watched_files: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER watched_files_space_insert
BEFORE INSERT ON watched_files
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM watch_folders WHERE id = NEW.watch_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.watch_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.artifact_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER watched_files_space_update
BEFORE UPDATE OF watch_id, artifact_id, memory_id ON watched_files
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM watch_folders WHERE id = NEW.watch_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.watch_id must lie in the space of its row')
    WHEN NEW.artifact_id IS NOT NULL AND (SELECT space_id FROM artifacts WHERE id = NEW.artifact_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.artifact_id must lie in the space of its row')
    WHEN NEW.memory_id IS NOT NULL AND (SELECT space_id FROM memories WHERE id = NEW.memory_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'watched_files.memory_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER workspace_resource_versions_append_only
BEFORE UPDATE ON workspace_resource_versions
WHEN NEW.is_redacted IS NOT 1
  OR NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
  OR NEW.resource_id IS NOT OLD.resource_id
  OR NEW.version_num IS NOT OLD.version_num
  OR NEW.valid_from IS NOT OLD.valid_from
  OR NEW.recorded_at IS NOT OLD.recorded_at
  OR NEW.actor_id IS NOT OLD.actor_id
BEGIN
  SELECT RAISE(ABORT, 'workspace_resource_versions is append-only: redaction is the one change');
END;

CREATE TRIGGER workspace_resource_versions_delete_guard
BEFORE DELETE ON workspace_resource_versions
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'workspace_resource_versions: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER workspace_resource_versions_no_replace
BEFORE INSERT ON workspace_resource_versions
WHEN EXISTS (SELECT 1 FROM workspace_resource_versions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM workspace_resource_versions WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'workspace_resource_versions: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER workspace_resource_versions_space_insert
BEFORE INSERT ON workspace_resource_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM workspace_resources WHERE id = NEW.resource_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'workspace_resource_versions.resource_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER workspace_resource_versions_space_update
BEFORE UPDATE OF resource_id ON workspace_resource_versions
BEGIN
  SELECT CASE
    WHEN (SELECT space_id FROM workspace_resources WHERE id = NEW.resource_id) IS NOT NEW.space_id
      THEN RAISE(ABORT, 'workspace_resource_versions.resource_id must lie in the space of its row')
  END;
END;

CREATE TRIGGER workspace_resources_delete_guard
BEFORE DELETE ON workspace_resources
WHEN (SELECT value FROM system_settings WHERE key = 'compliance_mode') IS NOT 'true'
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: rows are deleted only in compliance mode; redact the row or mark it deleted');
END;

CREATE TRIGGER workspace_resources_identity
BEFORE UPDATE ON workspace_resources
WHEN NEW.rid IS NOT OLD.rid
  OR NEW.id IS NOT OLD.id
  OR NEW.space_id IS NOT OLD.space_id
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: rid, id and space_id never change');
END;

CREATE TRIGGER workspace_resources_no_replace
BEFORE INSERT ON workspace_resources
WHEN EXISTS (SELECT 1 FROM workspace_resources WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM workspace_resources WHERE rid = NEW.rid)
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: a row with this id exists, and rows are never replaced');
END;

CREATE TRIGGER workspace_resources_redaction_final
BEFORE UPDATE ON workspace_resources
WHEN OLD.is_redacted = 1 AND NEW.is_redacted IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'workspace_resources: a redacted row stays redacted');
END;

CREATE VIEW item_spaces(item_type, item_id, space_id) AS
  SELECT 'memory', id, space_id FROM memories UNION ALL
  SELECT 'artifact', id, space_id FROM artifacts UNION ALL
  SELECT 'media_segment', id, space_id FROM media_segments UNION ALL
  SELECT 'derived_text_view', id, space_id FROM derived_text_views UNION ALL
  SELECT 'text_unit', id, space_id FROM text_units UNION ALL
  SELECT 'event', id, space_id FROM evidence_events UNION ALL
  SELECT 'claim', id, space_id FROM claims UNION ALL
  SELECT 'edge', id, space_id FROM entity_relationships UNION ALL
  SELECT 'entity', id, space_id FROM entities UNION ALL
  SELECT 'entry', id, space_id FROM entries UNION ALL
  SELECT 'core_block', id, space_id FROM core_blocks UNION ALL
  SELECT 'session', id, space_id FROM sessions UNION ALL
  SELECT 'session_state', id, space_id FROM session_states UNION ALL
  SELECT 'resource', id, space_id FROM workspace_resources UNION ALL
  SELECT 'candidate', id, space_id FROM candidates UNION ALL
  SELECT 'watch_folder', id, space_id FROM watch_folders UNION ALL
  SELECT 'watched_file', id, space_id FROM watched_files UNION ALL
  SELECT 'space', id, id FROM memory_spaces;

CREATE VIEW overlay_reach(space_id, reach_id) AS
WITH RECURSIVE reach(space_id, reach_id) AS (
  SELECT space_id, overlay_space_id FROM space_overlays
  UNION
  SELECT reach.space_id, next.overlay_space_id
  FROM reach JOIN space_overlays next ON next.space_id = reach.reach_id
)
SELECT space_id, reach_id FROM reach;

CREATE VIEW space_ancestors(space_id, ancestor_id) AS
WITH RECURSIVE up(space_id, ancestor_id) AS (
  SELECT id, parent_space_id FROM memory_spaces WHERE parent_space_id IS NOT NULL
  UNION
  SELECT up.space_id, parent.parent_space_id
  FROM up JOIN memory_spaces parent ON parent.id = up.ancestor_id
  WHERE parent.parent_space_id IS NOT NULL
)
SELECT space_id, ancestor_id FROM up;

