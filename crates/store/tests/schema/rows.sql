-- Legal rows of every table, in a space of their own: {s} becomes "a" in one space and "b" in another.
-- Every reference column is filled in at least one row.

INSERT INTO memory_spaces (id, name, space_type, parent_space_id, created_at) VALUES
  ('{s}-top', 'Top {s}', 'organization', NULL, 1), ('{s}', 'Space {s}', 'project', '{s}-top', 1);
INSERT INTO agents (id, name, agent_type, home_space_id, created_at) VALUES ('{s}-agent', 'Agent {s}', 'ai', '{s}', 1);
INSERT INTO space_overlays (id, space_id, overlay_space_id, created_at) VALUES ('{s}-over', '{s}', '{s}-top', 1);
INSERT INTO space_memberships (id, space_id, agent_id, role, trust_weight, added_at, added_by_actor)
  VALUES ('{s}-member', '{s}', '{s}-agent', 'member', 0.5, 1, '{s}-agent');
INSERT INTO agent_grants (id, space_id, agent_id, operation, granted_by, granted_at)
  VALUES ('{s}-grant', '{s}', '{s}-agent', 'redact', '{s}-agent', 1);
INSERT INTO agent_tokens (id, agent_id, token_hash, requests_per_minute, created_at)
  VALUES ('{s}-token', '{s}-agent', '{s}' || hex(zeroblob(31)) || '0', 60, 1);
INSERT INTO pairing_requests (id, client_name, token_hash, created_at) VALUES ('{s}-pair', 'client', hex(zeroblob(32)), 1);
INSERT INTO space_settings (id, space_id, key, value, updated_at) VALUES ('{s}-setting', '{s}', 'mask', '["email"]', 1);
INSERT INTO rejected_values (id, space_id, value_kind, value_hmac, reason, actor_id, created_at)
  VALUES ('{s}-rejected', '{s}', 'content', 'hmac {s}', 'forgotten', '{s}-agent', 1);
INSERT INTO space_indexes (id, space_id, fts_table, created_at) VALUES ('{s}-index', '{s}', 'fts_{s}', 1);
INSERT INTO saved_searches (id, space_id, actor_id, name, query, created_at, updated_at)
  VALUES ('{s}-search', '{s}', '{s}-agent', 'bears', 'polar bears', 1, 1);

INSERT INTO sessions (id, space_id, name, purpose, client_ref, agent_id, started_at)
  VALUES ('{s}-session', '{s}', 'Monday', 'tests', 'cli-{s}', '{s}-agent', 1);
INSERT INTO file_locks (id, space_id, path, agent_id, session_id, checked_out_at, expires_at)
  VALUES ('{s}-lock', '{s}', 'src/main.rs', '{s}-agent', '{s}-session', 1, 9);
INSERT INTO evidence_events (id, space_id, actor_id, session_id, kind, content, content_hash, metadata, occurred_at, recorded_at)
  VALUES ('{s}-event', '{s}', '{s}-agent', '{s}-session', 'user_message', 'hello', 'h-{s}-event', '{"k":1}', 1, 1);

INSERT INTO artifact_bytes (id, space_id, blob) VALUES
  ('{s}-bytes0', '{s}', x'00'), ('{s}-bytes', '{s}', x'01'), ('{s}-spare', '{s}', x'02');
INSERT INTO artifacts (id, space_id, actor_id, content_hash, original_filename, source_path, mime_type, modality,
    byte_size, storage_backend, bytes_id, derived_from_artifact_id, width, height, duration_ms, page_count, valid_from,
    created_at, metadata) VALUES
  ('{s}-file0', '{s}', '{s}-agent', 'h-{s}-file0', 'a.png', '/x/a.png', 'image/png', 'image',
    1, 'sqlite_blob', '{s}-bytes0', NULL, 1, 1, 0, 1, 1, 1, '{"k":1}'),
  ('{s}-file', '{s}', '{s}-agent', 'h-{s}-file', 'b.png', '/x/b.png', 'image/png', 'image',
    1, 'sqlite_blob', '{s}-bytes', '{s}-file0', 1, 1, 0, 1, 1, 1, '{"k":1}');
INSERT INTO thumbnails (id, artifact_id, space_id, blob, created_at) VALUES ('{s}-small', '{s}-file', '{s}', x'ff', 1);
INSERT INTO media_segments (id, artifact_id, space_id, actor_id, segment_type, selector, selector_hash, level,
    parent_segment_id, confidence, created_at, metadata) VALUES
  ('{s}-page', '{s}-file', '{s}', '{s}-agent', 'page_range', '{"page":1}', 'sel-page', 'page', NULL, 1.0, 1, '{"k":1}'),
  ('{s}-box', '{s}-file', '{s}', '{s}-agent', 'bbox', '{"page":1,"bbox":[1,2,3,4]}', 'sel-box', 'block', '{s}-page', 0.9, 1, '{"k":1}'),
  ('{s}-box0', '{s}-file0', '{s}', '{s}-agent', 'whole', '{}', 'sel-whole', 'whole', NULL, 1.0, 1, '{"k":1}');
INSERT INTO derived_text_views (id, artifact_id, segment_id, space_id, actor_id, view_type, page, text, extractor_id,
    config_hash, created_at, metadata)
  VALUES ('{s}-view', '{s}-file', '{s}-page', '{s}', '{s}-agent', 'ocr_text', 1, 'polar bears', 'tesseract', 'cfg', 1, '{"k":1}');
INSERT INTO text_view_spans (text_view_id, space_id, spans) VALUES ('{s}-view', '{s}', '[[0,11,1,1,1,2,3,4,null,null,900]]');

INSERT INTO memories (id, content, content_hash, modality, primary_artifact_id, title, summary, scope, valid_from, valid_to,
    created_at, space_id, actor_id, layer, supersedes_id, superseded_by_id, consolidated_into, skill_links, sources, metadata) VALUES
  ('{s}-past', 'older', 'h-{s}-past', 'text', NULL, 't', 's', 'fact', 1, NULL, 1, '{s}', '{s}-agent', 'distilled',
    NULL, NULL, NULL, '["x"]', '["x"]', '{"k":1}'),
  ('{s}-memory0', 'old', 'h-{s}-memory0', 'text', NULL, 't', 's', 'fact', 1, 2, 1, '{s}', '{s}-agent', 'distilled',
    NULL, NULL, NULL, '["x"]', '["x"]', '{"k":1}'),
  ('{s}-memory', 'Ada works at Acme', 'h-{s}-memory', 'image', '{s}-file', 't', 's', 'fact', 1, 2, 1, '{s}', '{s}-agent', 'distilled',
    '{s}-memory0', '{s}-memory0', '{s}-memory0', '["x"]', '["x"]', '{"k":1}'),
  ('{s}-raw', 'said so', 'h-{s}-raw', 'text', NULL, 't', 's', 'fact', 1, 2, 1, '{s}', '{s}-agent', 'raw',
    NULL, NULL, NULL, '["x"]', '["x"]', '{"k":1}'),
  ('{s}-raw1', 'said more', 'h-{s}-raw1', 'text', NULL, 't', 's', 'fact', 1, 2, 1, '{s}', '{s}-agent', 'raw',
    NULL, NULL, NULL, '["x"]', '["x"]', '{"k":1}');
UPDATE memories SET status_changed_at = 1 WHERE space_id = '{s}';
UPDATE memories SET status = 'archived', status_changed_at = 2, valid_to = 2 WHERE id = '{s}-past';
INSERT INTO raw_archive (id, space_id, memory_id, content_hmac, envelope, reason, archived_by, archived_at)
  VALUES ('{s}-archive', '{s}', '{s}-raw', 'hmac', '{"owner":"x"}', 'old', '{s}-agent', 1);
INSERT INTO memory_derivations (id, derived_memory_id, source_memory_id, method, space_id, actor_id, created_at)
  VALUES ('{s}-derivation', '{s}-memory', '{s}-memory0', 'summarization', '{s}', '{s}-agent', 1);
INSERT INTO memory_artifact_links (id, space_id, memory_id, artifact_id, role, created_at)
  VALUES ('{s}-link', '{s}', '{s}-memory', '{s}-file', 'primary', 1);
INSERT INTO core_blocks (id, space_id, actor_id, label, content, metadata, created_at, updated_at)
  VALUES ('{s}-block', '{s}', '{s}-agent', 'rules', 'be brief', '{"k":1}', 1, 1);
INSERT INTO core_block_versions (id, space_id, core_block_id, version_num, content, change_reason, created_by, created_at)
  VALUES ('{s}-blockv', '{s}', '{s}-block', 1, 'be brief', 'first', '{s}-agent', 1);
INSERT INTO text_units (id, space_id, memory_id, text_view_id, owner_memory_id, ordinal, start_offset, end_offset,
    segment_id, created_at) VALUES
  ('{s}-unit', '{s}', NULL, '{s}-view', '{s}-memory', 0, 0, 11, '{s}-box', 1),
  ('{s}-unit0', '{s}', '{s}-memory0', NULL, '{s}-memory0', 0, 0, 3, NULL, 1);
INSERT INTO memory_embeddings (id, space_id, actor_id, memory_id, artifact_id, segment_id, text_view_id, unit_id,
    embedding_space, model_id, dimensions, embedding, created_at, metadata) VALUES
  ('{s}-vec1', '{s}', '{s}-agent', '{s}-memory', NULL, NULL, NULL, NULL, 'text_dense', 'm', 1, x'00000000', 1, '{"k":1}'),
  ('{s}-vec2', '{s}', '{s}-agent', NULL, '{s}-file', NULL, NULL, NULL, 'vision_language', 'm', 1, x'00000000', 1, '{"k":1}'),
  ('{s}-vec3', '{s}', '{s}-agent', NULL, NULL, '{s}-box', NULL, NULL, 'vision_language', 'm', 1, x'00000000', 1, '{"k":1}'),
  ('{s}-vec4', '{s}', '{s}-agent', NULL, NULL, NULL, '{s}-view', NULL, 'text_dense', 'm', 1, x'00000000', 1, '{"k":1}'),
  ('{s}-vec5', '{s}', '{s}-agent', NULL, NULL, NULL, NULL, '{s}-unit', 'text_dense', 'm', 1, x'00000000', 1, '{"k":1}');

INSERT INTO entities (id, name, canonical_name, entity_type, merged_into, attributes, created_at, updated_at, space_id) VALUES
  ('{s}-acme', 'Acme', 'acme', 'organization', NULL, '{"k":1}', 1, 1, '{s}'),
  ('{s}-ada', 'Ada', 'ada', 'person', NULL, '{"k":1}', 1, 1, '{s}'),
  ('{s}-ada2', 'A. L.', 'a. l.', 'person', '{s}-ada', '{"k":1}', 1, 1, '{s}');
INSERT INTO entity_aliases (id, entity_id, alias, canonical_alias, space_id, created_at)
  VALUES ('{s}-alias', '{s}-ada', 'Ada L.', 'ada l', '{s}', 1);
INSERT INTO entity_merges (id, space_id, kept_entity_id, merged_entity_id, actor_id, merged_at)
  VALUES ('{s}-merge', '{s}', '{s}-ada', '{s}-ada2', '{s}-agent', 1);
INSERT INTO memory_entity_links (id, memory_id, entity_id, match_type, text_view_id, space_id, created_at)
  VALUES ('{s}-mel', '{s}-memory', '{s}-ada', 'exact', '{s}-view', '{s}', 1);
INSERT INTO relationship_types (id, space_id, name, created_at) VALUES ('{s}-reltype', '{s}', 'feeds', 1);
INSERT INTO attribute_keys (id, space_id, name, created_at) VALUES ('{s}-attr', '{s}', 'shoe_size', 1);

INSERT INTO claims (id, claim_key, entity_id, space_id, claim_type, attribute_key, attribute_value, target_entity_id,
    relationship_type_id, statement, qualifiers, last_updated_at, valid_from, valid_to, superseded_by_id, created_at, created_by_actor) VALUES
  ('{s}-claim0', 'key0', '{s}-ada', '{s}', 'attribute', 'age', '36', NULL, NULL, 'Ada is 36', '{"k":1}', 1, 1, 2, NULL, 1, '{s}-agent'),
  ('{s}-claim9', 'key9', '{s}-ada', '{s}', 'attribute', 'age', '39', NULL, NULL, 'Ada is 39', '{"k":1}', 1, 1, 2, '{s}-claim0', 1, '{s}-agent'),
  ('{s}-claim', 'key', '{s}-ada', '{s}', 'relationship', NULL, 'x', '{s}-acme', '{s}-reltype', 'Ada works at Acme', '{"k":1}',
    1, 1, 2, NULL, 1, '{s}-agent');
INSERT INTO claim_evidence (id, claim_id, memory_id, derived_text_view_id, segment_id, space_id, extracted_text, start_offset,
    end_offset, source_hash, span_hash, extraction_method, derived_from, observed_at, recorded_at, actor_id) VALUES
  ('{s}-proof', '{s}-claim', '{s}-memory', NULL, NULL, '{s}', 'Ada works at Acme', 0, 17, 'src1', 'span1', 'rule', '[]', 1, 1, '{s}-agent'),
  ('{s}-proof2', '{s}-claim', NULL, '{s}-view', '{s}-box', '{s}', 'polar', 0, 5, 'src2', 'span2', 'rule', '[]', 1, 1, '{s}-agent');
INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, confidence, changed_at)
  VALUES ('{s}-history', '{s}', '{s}-claim', 'draft', 'asserted', 'evidence', '{s}-agent', 0.9, 2);
INSERT INTO claim_window_history (id, space_id, claim_id, from_valid_from, from_valid_to, to_valid_from, to_valid_to, cause,
    actor_id, changed_at)
  VALUES ('{s}-window', '{s}', '{s}-claim9', 1, 2, 1, 4, 'told', '{s}-agent', 2);
INSERT INTO entity_relationships (id, source_entity_id, target_entity_id, relationship_type_id, claim_id, space_id, confidence,
    attributes, valid_from, valid_to, created_at)
  VALUES ('{s}-edge', '{s}-ada', '{s}-acme', '{s}-reltype', '{s}-claim', '{s}', 0.9, '{"k":1}', 1, 2, 2);
INSERT INTO conflicts (id, claim_a_id, claim_b_id, conflict_type, detected_at, space_id)
  VALUES ('{s}-conflict', '{s}-claim', '{s}-claim0', 'contradicting_value', 2, '{s}');
INSERT INTO conflict_resolutions (id, space_id, conflict_id, resolution_type, resolved_by_actor, resolved_at, notes)
  VALUES ('{s}-resolution', '{s}', '{s}-conflict', 'claim_a_wins', '{s}-agent', 3, 'newer');

INSERT INTO session_states (id, space_id, session_id, actor_id, current_goal, summary, working_set, metadata, created_at, updated_at)
  VALUES ('{s}-state', '{s}', '{s}-session', '{s}-agent', 'test', 'so far', '["x"]', '{"k":1}', 1, 1);
INSERT INTO workspace_resources (id, space_id, actor_id, uri, parent_uri, title, kind, content, metadata, created_at, updated_at)
  VALUES ('{s}-resource', '{s}', '{s}-agent', 'file:///x', 'file:///', 'x', 'file', 'text', '{"k":1}', 1, 1);
INSERT INTO workspace_resource_versions (id, space_id, resource_id, version_num, title, content, valid_from, recorded_at, actor_id)
  VALUES ('{s}-resourcev', '{s}', '{s}-resource', 1, 'x', 'text', 1, 1, '{s}-agent');
INSERT INTO entries (id, space_id, session_id, entry_type, name, category, created_at)
  VALUES ('{s}-entry', '{s}', '{s}-session', 'guideline', 'tests first', 'behavior', 1);
INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, change_reason, metadata, created_at) VALUES
  ('{s}-entryv1', '{s}', '{s}-entry', 1, '{"content":"write tests"}', 'first', '{"k":1}', 1),
  ('{s}-entryv2', '{s}', '{s}-entry', 2, '{"content":"write tests first"}', 'clearer', '{"k":1}', 2);
UPDATE entries SET current_version_id = '{s}-entryv2' WHERE id = '{s}-entry';
INSERT INTO entry_conflicts (id, space_id, entry_id, version_a_id, version_b_id, detected_at)
  VALUES ('{s}-entryc', '{s}', '{s}-entry', '{s}-entryv1', '{s}-entryv2', 2);

INSERT INTO tags (id, space_id, name, created_at) VALUES ('{s}-tag', '{s}', 'bears', 1);
INSERT INTO item_tags (id, space_id, item_type, item_id, tag_id, created_at)
  VALUES ('{s}-itemtag', '{s}', 'memory', '{s}-memory', '{s}-tag', 1);
INSERT INTO past_item_tags (id, space_id, item_type, item_id, tag_id, created_at, removed_at)
  VALUES ('{s}-pasttag', '{s}', 'memory', '{s}-memory', '{s}-tag', 1, 2);
INSERT INTO item_relations (id, space_id, from_type, from_id, to_type, to_id, relation_type, valid_from, valid_until, created_at)
  VALUES ('{s}-rel', '{s}', 'memory', '{s}-memory', 'memory', '{s}-memory0', 'supersedes', 1, 2, 1);
INSERT INTO item_relation_ends (id, relation_id, valid_until, recorded_at) VALUES ('{s}-rel:1', '{s}-rel', 2, 1);
INSERT INTO verification_records (id, space_id, target_type, target_id, status, checker, detail, actor_id, checked_at, created_at)
  VALUES ('{s}-check', '{s}', 'memory', '{s}-memory', 'passed', 'drift', 'same hash', '{s}-agent', 1, 1);
INSERT INTO associations (id, space_id, from_type, from_id, to_type, to_id, basis, weight, updated_at)
  VALUES ('{s}-assoc', '{s}', 'memory', '{s}-memory', 'memory', '{s}-memory0', 'entity', 0.5, 1);

INSERT INTO candidates (id, space_id, actor_id, title, content, content_hash, payload, reason, source_event_id, artifact_id,
    segment_id, text_view_id, session_id, quality, duplicate_of, created_at)
  VALUES ('{s}-candidate', '{s}', '{s}-agent', 't', 'Remember: x', 'h', '{"k":1}', 'secret-like', '{s}-event', '{s}-file',
    '{s}-box', '{s}-view', '{s}-session', 0.5, '{s}-memory', 1);
INSERT INTO redaction_findings (id, space_id, memory_id, text_view_id, artifact_id, start_offset, end_offset, place,
    finding_kind, detector_id, confidence, status, decided_by, decided_at, created_at) VALUES
  ('{s}-find1', '{s}', '{s}-memory', NULL, NULL, 0, 3, NULL, 'name', 'd', 0.9, 'dismissed', '{s}-agent', 1, 1),
  ('{s}-find2', '{s}', NULL, '{s}-view', NULL, 0, 5, NULL, 'name', 'd', 0.9, 'dismissed', '{s}-agent', 1, 1),
  ('{s}-find3', '{s}', NULL, NULL, '{s}-file', NULL, NULL, '{"page":1,"bbox":[1,2,3,4]}', 'face', 'd', 0.9, 'dismissed',
    '{s}-agent', 1, 1);
INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, requested_by, requested_at, notes)
  VALUES ('{s}-promotion', 'memory', '{s}-memory', '{s}', '{s}-top', '{s}-agent', 1, 'useful');

INSERT INTO compiled_contexts (id, space_id, actor_id, session_id, query, budget_tokens, estimated_tokens, blocks, full_text, text_hash,
    verification_warnings, recall_warnings, compiler_config_version, created_at)
  VALUES ('{s}-context', '{s}', '{s}-agent', '{s}-session', 'q', 10, 5, '["b"]', 'text', 'h', '["w"]', '["w"]', '1', 1);
INSERT INTO answer_traces (id, space_id, actor_id, query, compiled_context_id, recall_trace, answer, outcome, correction_text, created_at)
  VALUES ('{s}-trace', '{s}', '{s}-agent', 'q', '{s}-context', '{"k":1}', 'yes', 'success', 'no', 1);
INSERT INTO audit_events (id, event_type, object_type, object_id, instance_id, logical_clock, space_id, actor_id, occurred_at,
    recorded_at, prev_hash, hash)
  VALUES ('{s}-audit', 'memory.created', 'memory', '{s}-memory', '{s}', 1, '{s}', '{s}-agent', 1, 1,
    ifnull((SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1), ''), '{s}' || hex(zeroblob(31)) || '0');
INSERT INTO undo_log (id, space_id, actor_id, operation, object_type, object_id, before_state, after_state, created_at)
  VALUES ('{s}-undo', '{s}', '{s}-agent', 'retract', 'claim', '{s}-claim', '{"k":1}', '{"k":1}', 1);

INSERT INTO watch_folders (id, space_id, path, actor_id, created_at) VALUES ('{s}-watch', '{s}', '/x', '{s}-agent', 1);
INSERT INTO watched_files (id, watch_id, space_id, rel_path, size, artifact_id, memory_id, created_at)
  VALUES ('{s}-watched', '{s}-watch', '{s}', 'b.png', 1, '{s}-file', '{s}-memory', 1);
INSERT INTO jobs (id, kind, subject_type, subject_id, space_id, created_at, updated_at)
  VALUES ('{s}-job', 'read', 'artifact', '{s}-file', '{s}', 1, 1);
INSERT INTO models_installed (id, catalogue_id, kind, path, sha256, byte_size, licence, installed_at)
  VALUES ('{s}-model', 'model {s}', 'text_embedding', '/m', '{s}' || hex(zeroblob(31)) || '0', 1, 'MIT', 1);
INSERT INTO maintenance_runs (id, task, started_at) VALUES ('{s}-run', 'expire', 1);
INSERT INTO forgettings (id, actor_id, selector, roots, begun_at)
  VALUES ('{s}-forgetting', '{s}-agent', 'memory', '{"memories":["{s}-memory"]}', 1);
