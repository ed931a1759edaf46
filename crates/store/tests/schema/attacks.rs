//! Raw SQL against the triggers that belong to one table alone, and the legal counterparts.

/// The last of `steps` must be refused by `trigger`; those before it lead up to it.
pub struct Attack {
    pub trigger: &'static str,
    pub steps: &'static [&'static str],
}

macro_rules! attacks {
    ($($trigger:ident: $($step:literal)=>+;)*) => {
        pub const ATTACKS: &[Attack] = &[$(Attack { trigger: stringify!($trigger), steps: &[$($step),+] }),*];
    };
}

attacks! {
    derived_text_views_of_redacted: "UPDATE artifacts SET is_redacted = 1, redacted_at = 9, bytes_id = NULL, original_filename = NULL, source_path = NULL,
           metadata = '{}' WHERE id = 'a-file0'"
        => "INSERT INTO derived_text_views (id, artifact_id, space_id, actor_id, view_type, text, extractor_id, config_hash, created_at)
            VALUES ('n', 'a-file0', 'a', 'a-agent', 'ocr_text', 'x', 'y', 'z', 1)";
    thumbnails_of_redacted: "UPDATE artifacts SET is_redacted = 1, redacted_at = 9, bytes_id = NULL, original_filename = NULL, source_path = NULL,
           metadata = '{}' WHERE id = 'a-file0'"
        => "INSERT INTO thumbnails (id, artifact_id, space_id, blob, created_at) VALUES ('n', 'a-file0', 'a', x'ff', 1)";
    text_units_of_redacted: "UPDATE memories SET is_redacted = 1, redacted_at = 9, content = '[REDACTED]', title = NULL, summary = NULL,
           skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-memory'"
        => "INSERT INTO text_units (id, space_id, memory_id, owner_memory_id, ordinal, start_offset, end_offset, created_at)
            VALUES ('n', 'a', 'a-memory', 'a-memory', 9, 0, 3, 1)";
    claim_evidence_of_redacted: "UPDATE memories SET is_redacted = 1, redacted_at = 9, content = '[REDACTED]', title = NULL, summary = NULL,
           skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-memory'"
        => "INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset, source_hash,
              span_hash, extraction_method, observed_at, recorded_at, actor_id)
            VALUES ('n', 'a-claim0', 'a-memory', 'a', 'x', 0, 1, 'new', 's', 'rule', 1, 1, 'a-agent')";
    claim_evidence_of_redacted:
        "UPDATE derived_text_views SET is_redacted = 1, redacted_at = 9, text = '[REDACTED]', metadata = '{}' WHERE id = 'a-view'"
        => "INSERT INTO claim_evidence (id, claim_id, derived_text_view_id, space_id, extracted_text, start_offset, end_offset,
              source_hash, span_hash, extraction_method, observed_at, recorded_at, actor_id)
            VALUES ('n', 'a-claim0', 'a-view', 'a', 'x', 0, 1, 'new', 's', 'rule', 1, 1, 'a-agent')";
    memory_entity_links_of_redacted: "UPDATE memories SET is_redacted = 1, redacted_at = 9, content = '[REDACTED]', title = NULL, summary = NULL,
           skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-memory'"
        => "INSERT INTO memory_entity_links (id, memory_id, entity_id, link_type, space_id, created_at)
            VALUES ('n', 'a-memory', 'a-acme', 'about', 'a', 1)";
    memory_entity_links_of_redacted:
        "UPDATE entities SET is_redacted = 1, redacted_at = 9, name = '[REDACTED]', canonical_name = '[REDACTED]',
           attributes = '{}' WHERE id = 'a-acme'"
        => "INSERT INTO memory_entity_links (id, memory_id, entity_id, link_type, space_id, created_at)
            VALUES ('n', 'a-memory', 'a-acme', 'about', 'a', 1)";

    rejected_values_fixed: "UPDATE rejected_values SET value_kind = 'uri' WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET value_hmac = 'x' WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET reason = 'purged' WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET source_type = 'x' WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET source_id = 'x' WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET actor_id = 'b-agent' WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET created_at = 9 WHERE id = 'a-rejected'";
    rejected_values_fixed: "UPDATE rejected_values SET space_id = 'b' WHERE id = 'a-rejected'";
    memory_spaces_no_cycle: "UPDATE memory_spaces SET parent_space_id = 'a' WHERE id = 'a-top'";
    memory_spaces_no_cycle: "UPDATE OR REPLACE memory_spaces SET parent_space_id = 'a' WHERE id = 'a'";
    memory_spaces_no_self_parent:
        "INSERT INTO memory_spaces (id, name, space_type, parent_space_id, created_at) VALUES ('n', 'n', 'project', 'n', 1)";
    space_overlays_no_cycle_insert:
        "INSERT INTO space_overlays (id, space_id, overlay_space_id, created_at) VALUES ('n', 'a-top', 'a', 1)";
    space_overlays_no_cycle_insert:
        "INSERT OR REPLACE INTO space_overlays (id, space_id, overlay_space_id, created_at) VALUES ('n', 'a-top', 'a', 1)";
    space_overlays_no_cycle_update:
        "INSERT INTO space_overlays (id, space_id, overlay_space_id, created_at) VALUES ('n', 'a-top', 'b', 1)"
        => "UPDATE space_overlays SET overlay_space_id = 'a' WHERE id = 'n'";
    agent_tokens_fixed: "UPDATE agent_tokens SET agent_id = 'b-agent' WHERE id = 'a-token'";
    agent_tokens_fixed: "UPDATE agent_tokens SET token_hash = 'c' || substr(token_hash, 2) WHERE id = 'a-token'";
    agent_tokens_fixed: "UPDATE agent_tokens SET revoked_at = 5 WHERE id = 'a-token'"
        => "UPDATE agent_tokens SET revoked_at = NULL WHERE id = 'a-token'";
    pairing_requests_decided_once:
        "UPDATE pairing_requests SET status = 'denied', decision = 'never', decided_by = 'a-agent', decided_at = 2 WHERE id = 'a-pair'"
        => "UPDATE pairing_requests SET status = 'approved' WHERE id = 'a-pair'";

    artifacts_content_hash_immutable: "UPDATE artifacts SET content_hash = 'x' WHERE id = 'a-file'";
    artifacts_content_hash_immutable:
        "UPDATE artifacts SET is_redacted = 1, redacted_at = 9, bytes_id = NULL, original_filename = NULL, source_path = NULL,
           metadata = '{}', content_hash = 'y' WHERE id = 'a-file'"
        => "UPDATE artifacts SET content_hash = 'z' WHERE id = 'a-file'";
    artifacts_bytes_immutable: "UPDATE artifacts SET bytes_id = 'a-spare' WHERE id = 'a-file'";
    artifacts_bytes_immutable: "UPDATE OR REPLACE artifacts SET bytes_id = 'a-bytes0' WHERE id = 'a-file'";
    artifact_bytes_immutable: "UPDATE artifact_bytes SET blob = x'ff' WHERE id = 'a-bytes'";
    artifact_bytes_immutable: "UPDATE OR REPLACE artifact_bytes SET blob = x'' WHERE id = 'a-bytes'";
    artifact_bytes_in_use: "DELETE FROM artifact_bytes WHERE id = 'a-bytes'";
    artifact_bytes_in_use: "PRAGMA defer_foreign_keys = ON; DELETE FROM artifact_bytes WHERE id = 'a-bytes'";
    media_segments_parent_insert:
        "INSERT INTO media_segments (id, artifact_id, space_id, actor_id, segment_type, selector, selector_hash, parent_segment_id, created_at)
         VALUES ('n', 'a-file0', 'a', 'a-agent', 'bbox', '{}', 'n', 'a-page', 1)";
    media_segments_parent_update: "UPDATE media_segments SET parent_segment_id = 'a-box0' WHERE id = 'a-box'";
    media_segments_parent_update: "UPDATE media_segments SET artifact_id = 'a-file0' WHERE id = 'a-box'";
    derived_text_views_segment_insert:
        "INSERT INTO derived_text_views (id, artifact_id, segment_id, space_id, actor_id, view_type, text, extractor_id, config_hash, created_at)
         VALUES ('n', 'a-file', 'a-box0', 'a', 'a-agent', 'ocr_text', 't', 'e', 'c', 1)";
    derived_text_views_segment_update: "UPDATE derived_text_views SET segment_id = 'a-box0' WHERE id = 'a-view'";
    derived_text_views_segment_update: "UPDATE derived_text_views SET artifact_id = 'a-file0' WHERE id = 'a-view'";
    derived_text_views_text_immutable: "UPDATE derived_text_views SET text = 'brown bears' WHERE id = 'a-view'";

    text_view_spans_identity: "UPDATE text_view_spans SET rid = rid + 9 WHERE text_view_id = 'a-view'";
    text_view_spans_identity: "UPDATE text_view_spans SET space_id = 'b' WHERE text_view_id = 'a-view'";
    text_view_spans_identity: "DELETE FROM text_view_spans WHERE text_view_id = 'b-view'"
        => "UPDATE text_view_spans SET text_view_id = 'b-view' WHERE text_view_id = 'a-view'";
    text_view_spans_space_insert: "DELETE FROM text_view_spans WHERE text_view_id = 'b-view'"
        => "INSERT INTO text_view_spans (text_view_id, space_id, spans) VALUES ('b-view', 'a', '[]')";
    text_view_spans_space_update: "DELETE FROM text_view_spans WHERE text_view_id = 'b-view'"
        => "UPDATE text_view_spans SET text_view_id = 'b-view' WHERE text_view_id = 'a-view'";
    text_units_segment_insert:
        "INSERT INTO text_units (id, space_id, text_view_id, owner_memory_id, ordinal, start_offset, end_offset, segment_id, created_at)
         VALUES ('n', 'a', 'a-view', 'a-memory', 5, 0, 1, 'a-box0', 1)";
    text_units_segment_insert:
        "INSERT INTO text_units (id, space_id, memory_id, owner_memory_id, ordinal, start_offset, end_offset, segment_id, created_at)
         VALUES ('n', 'a', 'a-memory', 'a-memory', 5, 0, 1, 'a-box', 1)";
    text_units_segment_update: "UPDATE text_units SET segment_id = 'a-box0' WHERE id = 'a-unit'";

    memories_start_active:
        "INSERT INTO memories (id, content, content_hash, scope, status, valid_from, created_at, space_id, actor_id)
         VALUES ('n', 'n', 'n', 'fact', 'archived', 1, 1, 'a', 'a-agent')";
    memories_start_active:
        "INSERT INTO memories (id, content, content_hash, scope, is_redacted, redacted_at, valid_from, created_at, space_id, actor_id)
         VALUES ('n', '[REDACTED]', 'n', 'fact', 1, 1, 1, 1, 'a', 'a-agent')";
    memories_status_transition: "UPDATE memories SET status = 'archived' WHERE id = 'a-memory'"
        => "UPDATE memories SET status = 'superseded' WHERE id = 'a-memory'";
    memories_status_transition: "UPDATE memories SET status = 'deleted' WHERE id = 'a-memory'"
        => "UPDATE OR REPLACE memories SET status = 'expired' WHERE id = 'a-memory'";
    memories_redacted_not_active:
        "UPDATE memories SET status = 'deleted', is_redacted = 1, redacted_at = 9, content = '[REDACTED]', title = NULL, summary = NULL,
           skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-memory'"
        => "UPDATE memories SET status = 'active' WHERE id = 'a-memory'";
    memories_status_has_time: "UPDATE memories SET status = 'archived', status_changed_at = NULL WHERE id = 'a-memory'";
    memories_status_has_time: "UPDATE OR IGNORE memories SET status = 'active', status_changed_at = NULL WHERE id = 'a-past'";
    memory_status_history_legal:
        "INSERT INTO memory_status_history (id, space_id, memory_id, from_status, to_status, valid_from, changed_at)
         VALUES ('n', 'a', 'a-past', 'archived', 'active', 9, 9)";
    memory_status_history_legal:
        "INSERT INTO memory_status_history (id, space_id, memory_id, from_status, to_status, valid_from, changed_at)
         VALUES ('n', 'a', 'a-memory', 'archived', 'active', 1, 1)";
    memory_status_history_legal:
        "INSERT OR REPLACE INTO memory_status_history (id, space_id, memory_id, from_status, to_status, valid_from, changed_at)
         VALUES ('n', 'a', 'a-past', 'active', 'archived', 1, 2)";
    memories_layer_immutable: "UPDATE memories SET layer = 'distilled' WHERE id = 'a-raw1'";
    memories_layer_immutable: "UPDATE memories SET layer = 'raw' WHERE id = 'a-memory'";
    memories_raw_append_only: "UPDATE memories SET content = 'said otherwise' WHERE id = 'a-raw'";
    memories_raw_append_only: "UPDATE memories SET content_hash = 'x' WHERE id = 'a-raw'";
    memories_raw_append_only: "UPDATE memories SET owner = 'user:x' WHERE id = 'a-raw'";
    memories_raw_append_only: "UPDATE memories SET metadata = '{}' WHERE id = 'a-raw'";
    memories_raw_append_only: "UPDATE memories SET status = 'deleted' WHERE id = 'a-raw'";
    memories_raw_append_only: "UPDATE memories SET status = 'archived' WHERE id = 'a-raw'";
    memories_raw_append_only:
        "UPDATE memories SET status = 'archived', is_redacted = 1, redacted_at = 9, content = '[REDACTED]', title = NULL, summary = NULL,
           skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-raw1'";
    raw_archive_raw_only:
        "INSERT INTO raw_archive (id, space_id, memory_id, content_hmac, envelope, reason, archived_by, archived_at)
         VALUES ('n', 'a', 'a-memory', 'h', '{}', 'r', 'a-agent', 1)";

    claims_must_start_draft:
        "INSERT INTO claims (id, claim_key, entity_id, space_id, claim_type, attribute_key, statement, state, last_updated_at, created_at, created_by_actor)
         VALUES ('n', 'n', 'a-ada', 'a', 'attribute', 'k', 's', 'asserted', 1, 1, 'a-agent')";
    claims_must_start_draft:
        "INSERT INTO claims (id, claim_key, entity_id, space_id, claim_type, attribute_key, statement, supporting_count, last_updated_at, created_at, created_by_actor)
         VALUES ('n', 'n', 'a-ada', 'a', 'attribute', 'k', 's', 1, 1, 1, 'a-agent')";
    claims_must_start_draft:
        "INSERT INTO claims (id, claim_key, entity_id, space_id, claim_type, attribute_key, statement, confidence, last_updated_at, created_at, created_by_actor)
         VALUES ('n', 'n', 'a-ada', 'a', 'attribute', 'k', 's', 0.1, 1, 1, 'a-agent')";
    claims_said_immutable: "UPDATE claims SET attribute_value = 'y' WHERE id = 'a-claim'";
    claims_said_immutable: "UPDATE claims SET attribute_key = 'height' WHERE id = 'a-claim0'";
    claims_said_immutable: "UPDATE claims SET claim_type = 'preference' WHERE id = 'a-claim0'";
    claims_said_immutable: "UPDATE claims SET polarity = 'negative' WHERE id = 'a-claim'";
    claims_said_immutable: "UPDATE claims SET qualifiers = '{}' WHERE id = 'a-claim'";
    claims_said_immutable:
        "UPDATE claims SET relationship_type_id = (SELECT id FROM relationship_types WHERE name = 'works_at') WHERE id = 'a-claim'";
    claims_redacted_immutable: "UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]',
         attribute_value = NULL, qualifiers = '{}' WHERE id = 'a-claim'"
        => "UPDATE claims SET claim_key = 'other' WHERE id = 'a-claim'";
    claims_redacted_immutable: "UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]',
         attribute_value = NULL, qualifiers = '{}' WHERE id = 'a-claim'"
        => "UPDATE claims SET entity_id = 'a-acme' WHERE id = 'a-claim'";
    claims_redacted_immutable: "UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]',
         attribute_value = NULL, qualifiers = '{}' WHERE id = 'a-claim'"
        => "UPDATE claims SET target_entity_id = 'a-ada' WHERE id = 'a-claim'";
    claims_superseded_is_out: "UPDATE claims SET superseded_by_id = 'a-claim0' WHERE id = 'a-claim'";
    claims_superseded_is_out:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'disputed', 'conflict', 'a-agent', 5)"
        => "UPDATE claims SET superseded_by_id = 'a-claim0' WHERE id = 'a-claim'";
    claims_confidence_from_evidence: "UPDATE claims SET confidence = 0.1 WHERE id = 'a-claim0'";
    claims_confidence_from_evidence:
        "UPDATE claim_evidence SET is_redacted = 1, redacted_at = 9, extracted_text = '[REDACTED]' WHERE id = 'a-proof2'"
        => "UPDATE claims SET confidence = 0.51 WHERE id = 'a-claim'";
    claims_confidence_from_evidence:
        "UPDATE claim_evidence SET polarity = 'neutral' WHERE id = 'a-proof2'"
        => "UPDATE OR IGNORE claims SET confidence = 1 WHERE id = 'a-claim'";
    claims_window_needs_history: "UPDATE claims SET valid_to = 9 WHERE id = 'a-claim'";
    claims_window_needs_history: "UPDATE claims SET valid_from = NULL WHERE id = 'a-claim'";
    claims_window_needs_history: "UPDATE claims SET valid_from = NULL, valid_to = NULL WHERE id = 'a-claim'";
    claims_window_needs_history: "UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]',
         attribute_value = NULL, qualifiers = '{}' WHERE id = 'a-claim'"
        => "UPDATE claims SET valid_from = NULL, valid_to = NULL WHERE id = 'a-claim'";
    // Back without a row, the way that the latest row came.
    claims_window_needs_history: "UPDATE claims SET valid_to = 2 WHERE id = 'a-claim9'";
    claim_window_history_legal:
        "INSERT INTO claim_window_history (id, space_id, claim_id, from_valid_from, from_valid_to, to_valid_from, to_valid_to,
           cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim9', 1, 2, 1, 5, 'told', 'a-agent', 5)";
    claim_window_history_legal:
        "INSERT INTO claim_window_history (id, space_id, claim_id, to_valid_from, to_valid_to, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim9', 1, 5, 'told', 'a-agent', 5)";
    claims_state_needs_history: "UPDATE claims SET state = 'retracted' WHERE id = 'a-claim'";
    // A row that does not come last changes nothing.
    claims_state_needs_history:
        "INSERT INTO claim_state_history (rid, id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES (-5, 'n', 'a', 'a-claim', 'asserted', 'retracted', 'user', 'a-agent', 5)";
    claims_state_needs_history: "UPDATE OR REPLACE claims SET state = 'draft' WHERE id = 'a-claim'";
    claims_assert_requires_evidence:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim0', 'draft', 'asserted', 'user', 'a-agent', 5)";
    claims_assert_requires_evidence:
        "INSERT OR IGNORE INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim0', 'draft', 'asserted', 'user', 'a-agent', 5)";
    claims_assert_requires_evidence:
        "INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset, source_hash,
           span_hash, extraction_method, polarity, observed_at, recorded_at, actor_id)
         VALUES ('n', 'a-claim0', 'a-memory', 'a', 'Ada', 0, 3, 's', 'h', 'rule', 'contradicting', 7, 7, 'a-agent')"
        => "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
            VALUES ('n', 'a', 'a-claim0', 'draft', 'asserted', 'user', 'a-agent', 5)";
    claims_counts_are_counted: "UPDATE claims SET evidence_count = 99 WHERE id = 'a-claim'";
    claims_counts_are_counted: "UPDATE claims SET supporting_count = 99 WHERE id = 'a-claim'";
    claims_counts_are_counted: "UPDATE claims SET contradicting_count = 99 WHERE id = 'a-claim'";
    claim_state_history_legal:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'draft', 'retracted', 'user', 'a-agent', 5)";
    claim_state_history_legal:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'draft', 'user', 'a-agent', 5)";
    claim_state_history_legal:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'disputed', 'undo', 'b-history', 'a-agent', 5)";
    claim_state_history_legal:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'superseded', 'supersession', 'a-agent', 5)"
        => "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
            VALUES ('m', 'a', 'a-claim', 'superseded', 'asserted', 'user', 'a-agent', 6)";
    claim_state_history_legal:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'retracted', 'user', 'a-agent', 5)"
        => "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
            VALUES ('m', 'a', 'a-claim', 'retracted', 'asserted', 'evidence', 'a-agent', 6)";

    claim_state_transitions_fixed_insert:
        "INSERT INTO claim_state_transitions (from_state, to_state, requires) VALUES ('superseded', 'disputed', 'nothing')";
    claim_state_transitions_fixed_insert:
        "INSERT OR REPLACE INTO claim_state_transitions (from_state, to_state, requires)
         VALUES ('superseded', 'asserted', 'nothing')";
    claim_state_transitions_fixed_insert:
        "INSERT OR IGNORE INTO claim_state_transitions (from_state, to_state, requires)
         VALUES ('superseded', 'disputed', 'nothing')";
    claim_state_transitions_fixed_update: "UPDATE claim_state_transitions SET requires = 'nothing'";
    claim_state_transitions_fixed_update:
        "UPDATE OR IGNORE claim_state_transitions SET to_state = 'disputed' WHERE from_state = 'superseded'";
    claim_state_transitions_fixed_delete: "DELETE FROM claim_state_transitions WHERE from_state = 'superseded'";
    memory_status_transitions_fixed_insert:
        "INSERT INTO memory_status_transitions (from_status, to_status) VALUES ('deleted', 'archived')";
    memory_status_transitions_fixed_insert:
        "INSERT OR REPLACE INTO memory_status_transitions (from_status, to_status) VALUES ('deleted', 'archived')";
    memory_status_transitions_fixed_update: "UPDATE memory_status_transitions SET to_status = 'archived' WHERE from_status = 'deleted'";
    memory_status_transitions_fixed_delete: "DELETE FROM memory_status_transitions";

    // An older retraction is not there to be undone, nor anything but the latest change.
    claim_state_history_legal:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'retracted', 'evidence', 'a-agent', 5);
         INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
         VALUES ('m', 'a', 'a-claim', 'retracted', 'asserted', 'undo', 'n', 'a-agent', 6);
         INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('o', 'a', 'a-claim', 'asserted', 'retracted', 'user', 'a-agent', 7)"
        => "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
            VALUES ('p', 'a', 'a-claim', 'retracted', 'asserted', 'undo', 'n', 'a-agent', 8)";
    // The change that took the support away is not undone without support.
    claims_assert_requires_evidence:
        "UPDATE claim_evidence SET polarity = 'neutral' WHERE claim_id = 'a-claim'"
        => "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
            SELECT 'n', 'a', 'a-claim', 'retracted', 'asserted', 'undo', id, 'a-agent', 8 FROM claim_state_history
            WHERE claim_id = 'a-claim' ORDER BY rid DESC LIMIT 1";

    claim_evidence_reading: "UPDATE claim_evidence SET polarity = 'contradicting' WHERE id = 'a-proof'";
    claim_evidence_reading: "UPDATE OR IGNORE claim_evidence SET polarity = 'contradicting' WHERE id = 'a-proof'";
    claim_evidence_reading:
        "UPDATE claim_evidence SET polarity = 'neutral' WHERE id = 'a-proof';
         UPDATE claim_evidence SET polarity = 'contradicting' WHERE id = 'a-proof'"
        => "UPDATE claim_evidence SET polarity = 'supporting' WHERE id = 'a-proof'";
    claim_evidence_reading: "UPDATE claim_evidence SET confidence = 1 WHERE id = 'a-proof'";
    claim_evidence_source_immutable: "UPDATE claim_evidence SET memory_id = 'a-memory0' WHERE id = 'a-proof'";
    claim_evidence_source_immutable:
        "UPDATE claim_evidence SET memory_id = NULL, derived_text_view_id = 'a-view' WHERE id = 'a-proof'";
    claim_evidence_source_immutable: "UPDATE claim_evidence SET segment_id = NULL WHERE id = 'a-proof2'";
    claim_evidence_source_immutable: "UPDATE claim_evidence SET source_type = 'inference' WHERE id = 'a-proof'";
    claim_evidence_source_immutable: "UPDATE claim_evidence SET recorded_at = 99 WHERE id = 'a-proof'";
    claim_evidence_quote_immutable: "UPDATE claim_evidence SET extracted_text = 'Ada owns Acme' WHERE id = 'a-proof'";
    claim_evidence_quote_immutable: "UPDATE claim_evidence SET span_hash = 'x' WHERE id = 'a-proof'";
    claim_evidence_quote_immutable: "UPDATE claim_evidence SET source_hash = 'x' WHERE id = 'a-proof'";
    claim_evidence_segment_insert:
        "INSERT INTO claim_evidence (id, claim_id, derived_text_view_id, segment_id, space_id, extracted_text, start_offset,
           end_offset, source_hash, span_hash, extraction_method, observed_at, recorded_at, actor_id)
         VALUES ('n', 'a-claim', 'a-view', 'a-box0', 'a', 'polar', 0, 5, 's', 'h', 'rule', 7, 7, 'a-agent')";
    entity_relationships_asserted_insert:
        "INSERT INTO entity_relationships (id, source_entity_id, target_entity_id, relationship_type_id, claim_id, space_id, confidence, created_at)
         VALUES ('n', 'a-acme', 'a-ada', 'a-reltype', 'a-claim0', 'a', 0.9, 2)";
    entity_relationships_asserted_update: "UPDATE entity_relationships SET claim_id = 'a-claim0' WHERE id = 'a-edge'";
    entity_relationships_asserted_update:
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'disputed', 'conflict', 'a-agent', 5)"
        => "UPDATE entity_relationships SET is_active = 1 WHERE id = 'a-edge'";
    conflict_resolutions_decision_immutable: "UPDATE conflict_resolutions SET conflict_id = 'b-conflict' WHERE id = 'a-resolution'";
    conflict_resolutions_decision_immutable: "UPDATE conflict_resolutions SET resolution_type = 'claim_b_wins' WHERE id = 'a-resolution'";
    conflict_resolutions_decision_immutable: "UPDATE conflict_resolutions SET resolved_by_actor = 'b-agent' WHERE id = 'a-resolution'";
    conflict_resolutions_decision_immutable: "UPDATE conflict_resolutions SET resolved_at = 99 WHERE id = 'a-resolution'";
    conflicts_resolution_insert:
        "INSERT INTO conflicts (id, claim_a_id, claim_b_id, conflict_type, status, resolution_id, detected_at, space_id)
         VALUES ('n', 'a-claim', 'a-claim9', 'contradicting_value', 'resolved', 'a-resolution', 2, 'a')";
    conflicts_resolution_update: "UPDATE conflicts SET status = 'resolved', resolution_id = 'b-resolution' WHERE id = 'a-conflict'";
    conflicts_resolution_update: "UPDATE conflict_resolutions SET undone_at = 5, undone_by_actor = 'a-agent' WHERE id = 'a-resolution'"
        => "UPDATE conflicts SET status = 'resolved', resolution_id = 'a-resolution' WHERE id = 'a-conflict'";

    sessions_end_once: "UPDATE sessions SET status = 'completed', ended_at = 5 WHERE id = 'a-session'"
        => "UPDATE sessions SET status = 'active', ended_at = NULL WHERE id = 'a-session'";
    entries_starts_unversioned:
        "INSERT INTO entries (id, space_id, entry_type, name, current_version_id, created_at)
         VALUES ('n', 'a', 'tool', 'n', 'a-entryv1', 1)";
    entries_current_version: "UPDATE entries SET current_version_id = 'b-entryv1' WHERE id = 'a-entry'";
    entries_type_immutable: "UPDATE entries SET entry_type = 'knowledge', category = NULL WHERE id = 'a-entry'";
    entry_versions_numbered:
        "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
         VALUES ('n', 'a', 'a-entry', 4, '{\"content\":\"x\"}', 1)";
    entry_versions_body:
        "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at) VALUES ('n', 'a', 'a-entry', 3, '[]', 1)";
    entry_versions_body:
        "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
         VALUES ('n', 'a', 'a-entry', 3, '{\"content\":7}', 1)";
    entry_versions_body:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'knowledge', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"content\":\"x\",\"confidence\":1.5}', 1)";
    entry_versions_body:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'knowledge', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"content\":\"x\",\"confidence\":null}', 1)";
    entry_versions_tool:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'tool', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"description\":7}', 1)";
    entry_versions_tool:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'tool', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"description\":\"x\",\"parameters\":{\"required\":\"a\"}}', 1)";
    entry_versions_tool:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'tool', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"description\":\"x\",\"examples\":{}}', 1)";
    entry_versions_guideline:
        "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
         VALUES ('n', 'a', 'a-entry', 3, '{\"content\":\"x\",\"rationale\":[]}', 1)";
    entry_versions_guideline:
        "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
         VALUES ('n', 'a', 'a-entry', 3, '{\"content\":\"x\",\"examples\":{\"good\":\"y\"}}', 1)";
    entry_versions_knowledge:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'knowledge', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"content\":\"x\",\"source\":7}', 1)";
    entry_versions_knowledge:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'knowledge', 'n', 1)"
        => "INSERT INTO entry_versions (id, space_id, entry_id, version_num, body, created_at)
            VALUES ('m', 'a', 'n', 1, '{\"content\":\"x\",\"valid_until\":\"soon\"}', 1)";
    entry_conflicts_versions:
        "INSERT INTO entries (id, space_id, entry_type, name, created_at) VALUES ('n', 'a', 'tool', 'n', 1)"
        => "INSERT INTO entry_conflicts (id, space_id, entry_id, version_a_id, version_b_id, detected_at)
            VALUES ('m', 'a', 'n', 'a-entryv2', 'a-entryv1', 2)";
    entry_conflicts_pair_immutable:
        "UPDATE entry_conflicts SET version_a_id = version_b_id, version_b_id = version_a_id WHERE id = 'a-entryc'";

    candidates_start_pending:
        "INSERT INTO candidates (id, space_id, actor_id, content, content_hash, status, reviewed_by, reviewed_at, created_at)
         VALUES ('n', 'a', 'a-agent', 'x', 'x', 'approved', 'a-agent', 1, 1)";
    candidates_review_first:
        "UPDATE candidates SET status = 'imported', imported_id = 'a-memory', reviewed_by = 'a-agent', reviewed_at = 2 WHERE id = 'a-candidate'";
    candidates_review_first:
        "UPDATE candidates SET status = 'approved', reviewed_by = 'a-agent', reviewed_at = 2 WHERE id = 'a-candidate';
         UPDATE candidates SET status = 'imported', imported_id = 'a-memory' WHERE id = 'a-candidate'"
        => "UPDATE candidates SET status = 'rejected' WHERE id = 'a-candidate'";
    redaction_findings_applied_final:
        "UPDATE redaction_findings SET status = 'applied', applied_at = 3, decided_by = 'a-agent', decided_at = 2 WHERE id = 'a-find1'";
    redaction_findings_applied_final:
        "UPDATE redaction_findings SET status = 'accepted', decided_by = 'a-agent', decided_at = 2 WHERE id = 'a-find1';
         UPDATE redaction_findings SET status = 'applied', applied_at = 3 WHERE id = 'a-find1'"
        => "UPDATE redaction_findings SET status = 'pending' WHERE id = 'a-find1'";
    promotion_requests_begin:
        "INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, status, requested_by,
           requested_at, reviewed_by, reviewed_at)
         VALUES ('n', 'memory', 'a-memory0', 'a', 'b', 'rejected', 'a-agent', 1, 'a-agent', 1)";
    promotion_requests_begin:
        "INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, requested_by, requested_at)
         VALUES ('n', 'memory', 'b-memory', 'a', 'a-top', 'a-agent', 1)";
    promotion_requests_begin:
        "INSERT INTO promotion_requests (id, object_type, object_id, source_space_id, target_space_id, requested_by, requested_at)
         VALUES ('n', 'artifact', 'a-memory', 'a', 'a-top', 'a-agent', 1)";
    promotion_requests_asked_immutable: "UPDATE promotion_requests SET target_space_id = 'b' WHERE id = 'a-promotion'";
    promotion_requests_asked_immutable: "UPDATE promotion_requests SET object_id = 'a-memory0' WHERE id = 'a-promotion'";
    promotion_requests_asked_immutable:
        "UPDATE promotion_requests SET status = 'rejected', reviewed_by = 'a-agent', reviewed_at = 2 WHERE id = 'a-promotion'"
        => "UPDATE promotion_requests SET status = 'pending' WHERE id = 'a-promotion'";
    promotion_requests_copy_in_target:
        "UPDATE promotion_requests SET status = 'approved', promoted_object_id = 'a-memory0', reviewed_by = 'a-agent', reviewed_at = 2
         WHERE id = 'a-promotion'";

    promotion_requests_decision_stands:
        "UPDATE promotion_requests SET status = 'rejected', reviewed_by = 'a-agent', reviewed_at = 2 WHERE id = 'a-promotion'"
        => "UPDATE promotion_requests SET reviewed_at = 3 WHERE id = 'a-promotion'";
    promotion_requests_decision_stands:
        "UPDATE promotion_requests SET status = 'rejected', reviewed_by = 'a-agent', reviewed_at = 2 WHERE id = 'a-promotion'"
        => "UPDATE promotion_requests SET reviewed_by = 'b-agent' WHERE id = 'a-promotion'";
    promotion_requests_lineage_of_copy:
        "UPDATE promotion_requests SET lineage = '{\"a\":\"b\"}' WHERE id = 'a-promotion'";

    audit_events_unique:
        "INSERT OR REPLACE INTO audit_events (id, event_type, object_type, object_id, instance_id, logical_clock, space_id, actor_id,
           occurred_at, recorded_at, prev_hash, hash)
         SELECT 'n', event_type, object_type, object_id, instance_id, logical_clock, space_id, actor_id, 1, 1,
           (SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1), 'c' || substr(hash, 2) FROM audit_events WHERE id = 'a-audit'";
    audit_events_chain:
        "INSERT INTO audit_events (id, event_type, object_type, object_id, instance_id, logical_clock, space_id, actor_id,
           occurred_at, recorded_at, prev_hash, hash)
         SELECT 'n', event_type, object_type, object_id, instance_id, 99, space_id, actor_id, 1, 1, '', 'c' || substr(hash, 2)
         FROM audit_events WHERE id = 'a-audit'";
    audit_events_order:
        "INSERT INTO audit_events (rid, id, event_type, object_type, object_id, instance_id, logical_clock, space_id, actor_id,
           occurred_at, recorded_at, prev_hash, hash)
         SELECT -5, 'n', event_type, object_type, object_id, instance_id, 99, space_id, actor_id, 1, 1,
           (SELECT hash FROM audit_events ORDER BY rid DESC LIMIT 1), 'c' || substr(hash, 2) FROM audit_events WHERE id = 'a-audit'";
    undo_log_once: "UPDATE undo_log SET undone_at = 5, undone_by = 'a-agent' WHERE id = 'a-undo'"
        => "UPDATE undo_log SET undone_at = NULL WHERE id = 'a-undo'";
    jobs_space_insert:
        "INSERT INTO jobs (id, kind, subject_type, subject_id, space_id, created_at, updated_at)
         VALUES ('n', 'embed', 'memory', 'b-memory', 'a', 1, 1)";
    jobs_space_insert:
        "INSERT OR REPLACE INTO jobs (id, kind, subject_type, subject_id, space_id, created_at, updated_at)
         VALUES ('n', 'embed', 'memory', 'no such memory', 'a', 1, 1)";
    jobs_subject_immutable: "UPDATE jobs SET subject_type = 'memory', subject_id = 'b-memory' WHERE id = 'a-job'";
    jobs_subject_immutable: "UPDATE jobs SET kind = 'other' WHERE id = 'a-job'";
}

/// What the same triggers must let through.
pub const LEGAL: &[&str] = &[
    "UPDATE rejected_values SET allowed_at = 5, allowed_by = 'a-agent' WHERE id = 'a-rejected';
     UPDATE rejected_values SET allowed_at = NULL, allowed_by = NULL WHERE id = 'a-rejected'",
    "UPDATE memory_spaces SET parent_space_id = 'b-top', name = 'Moved' WHERE id = 'a'",
    "UPDATE space_overlays SET overlay_space_id = 'GLOBAL' WHERE id = 'a-over'",
    "UPDATE agent_tokens SET revoked_at = 5 WHERE id = 'a-token'",
    "UPDATE pairing_requests SET status = 'approved', decision = 'always', decided_by = 'a-agent', decided_at = 2,
       token_id = 'a-token', agent_id = 'a-agent' WHERE id = 'a-pair'",
    "INSERT INTO space_settings (id, space_id, key, value, updated_at) VALUES ('n', 'a', 'mask', '[]', 2)
     ON CONFLICT (space_id, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
    "UPDATE artifacts SET is_redacted = 1, redacted_at = 9, bytes_id = NULL, original_filename = NULL, source_path = NULL,
       metadata = '{}', content_hash = 'replaced' WHERE id = 'a-file'",
    "UPDATE artifacts SET bytes_id = NULL, storage_backend = 'filesystem', storage_uri = 'aa/bb' WHERE id = 'a-file'",
    "DELETE FROM artifact_bytes WHERE id = 'a-spare'",
    "UPDATE derived_text_views SET text = '[REDACTED]', metadata = '{}', is_redacted = 1, redacted_at = 9 WHERE id = 'a-view'",
    "DELETE FROM text_view_spans; UPDATE text_units SET status = 'inactive', segment_id = 'a-page' WHERE id = 'a-unit'",
    "DELETE FROM memory_embeddings; DELETE FROM text_units",
    // archive_raw: its row first, then archived and redacted, with another hash; then it may be deleted too.
    "UPDATE memories SET status = 'archived', is_redacted = 1, redacted_at = 9, content = '[REDACTED]', content_hash = 'replaced',
       title = NULL, summary = NULL, skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-raw';
     UPDATE memories SET status = 'deleted' WHERE id = 'a-raw'",
    "UPDATE memories SET tier = 'cold', importance = 0.9, confidence_label = 'stale' WHERE id = 'a-raw'",
    // An entity of GLOBAL may be named from any space, and predefined tags and types too.
    "INSERT INTO entities (id, name, canonical_name, entity_type, created_at, updated_at, space_id)
       VALUES ('earth', 'Earth', 'earth', 'location', 1, 1, 'GLOBAL');
     UPDATE claims SET entity_id = 'earth', target_entity_id = 'earth' WHERE id = 'a-claim';
     UPDATE entity_relationships SET source_entity_id = 'earth' WHERE id = 'a-edge';
     UPDATE memory_entity_links SET entity_id = 'earth' WHERE id = 'a-mel';
     INSERT INTO claims (id, claim_key, entity_id, space_id, claim_type, target_entity_id, relationship_type_id, statement,
       last_updated_at, created_at, created_by_actor)
     SELECT 'n', 'n', 'a-ada', 'a', 'relationship', 'earth', id, 's', 1, 1, 'a-agent' FROM relationship_types WHERE name = 'works_at'",
    // A claim that is taken out may have another one in its place, and is redacted with its window.
    "UPDATE claims SET superseded_by_id = 'a-claim0' WHERE id = 'a-claim9';
     UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]', attribute_value = NULL, qualifiers = '{}',
       claim_key = 'replaced', valid_from = NULL, valid_to = NULL WHERE id = 'a-claim9'",
    // What tells the same fact less exactly makes it surer: nobody could say so of a claim alone.
    "UPDATE claims SET fact_key = 'fact' WHERE id IN ('a-claim', 'a-claim9');
     INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset, source_hash, span_hash,
       extraction_method, observed_at, recorded_at, actor_id)
       VALUES ('n', 'a-claim9', 'a-memory0', 'a', 'old', 0, 3, 's', 'h', 'user', 7, 7, 'a-agent');
     UPDATE claims SET confidence = 1.0 WHERE id = 'a-claim9'",
    // As sure as two pieces of 0.5 can make it.
    "UPDATE claims SET confidence = 0.75 WHERE id = 'a-claim'",
    // A reading that finds less, and a later one that finds it again, and is surer.
    "UPDATE claim_evidence SET polarity = 'neutral' WHERE id = 'a-proof';
     UPDATE claim_evidence SET polarity = 'contradicting', confidence = 0.9 WHERE id = 'a-proof'",
    // What lost its support comes back by undo, once the support is there again.
    "UPDATE claim_evidence SET claim_id = 'a-claim0' WHERE claim_id = 'a-claim';
     UPDATE claim_evidence SET claim_id = 'a-claim' WHERE claim_id = 'a-claim0';
     INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
       SELECT 'n', 'a', 'a-claim', 'retracted', 'asserted', 'undo', id, 'a-agent', 8 FROM claim_state_history
       WHERE claim_id = 'a-claim' ORDER BY rid DESC LIMIT 1",
    // Retracted, then asserted again with new evidence.
    "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
       VALUES ('n', 'a', 'a-claim', 'asserted', 'retracted', 'user', 'a-agent', 5);
     INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset, source_hash, span_hash,
       extraction_method, observed_at, recorded_at, actor_id)
       VALUES ('n', 'a-claim', 'a-memory0', 'a', 'old', 0, 3, 's', 'h', 'user', 7, 7, 'a-agent');
     INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
       VALUES ('m', 'a', 'a-claim', 'retracted', 'asserted', 'evidence', 'a-agent', 8)",
    // Superseded, and back by undo.
    "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
       VALUES ('n', 'a', 'a-claim', 'asserted', 'superseded', 'supersession', 'a-agent', 5);
     INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
       VALUES ('m', 'a', 'a-claim', 'superseded', 'asserted', 'undo', 'n', 'a-agent', 6);
     UPDATE entity_relationships SET is_active = 1 WHERE id = 'a-edge'",
    "UPDATE claim_evidence SET start_offset = 1, end_offset = 18, drift_status = 'moved' WHERE id = 'a-proof'",
    "UPDATE conflicts SET status = 'resolved', resolution_id = 'a-resolution' WHERE id = 'a-conflict';
     UPDATE conflicts SET status = 'open', resolution_id = NULL, reopened_at = 9 WHERE id = 'a-conflict'",
    "UPDATE sessions SET status = 'paused' WHERE id = 'a-session';
     UPDATE sessions SET status = 'active' WHERE id = 'a-session';
     UPDATE sessions SET status = 'completed', ended_at = 9 WHERE id = 'a-session'",
    "UPDATE entries SET current_version_id = 'a-entryv1', is_active = 0, priority = 90 WHERE id = 'a-entry'",
    "UPDATE entry_conflicts SET resolved = 1, outcome = 'keep_b', resolution = 'clearer', resolved_at = 3, resolved_by = 'a-agent' WHERE id = 'a-entryc'",
    "UPDATE candidates SET status = 'approved', reviewed_by = 'a-agent', reviewed_at = 2 WHERE id = 'a-candidate';
     UPDATE candidates SET status = 'imported', imported_id = 'a-memory' WHERE id = 'a-candidate'",
    "UPDATE redaction_findings SET status = 'accepted', decided_by = 'a-agent', decided_at = 2 WHERE id = 'a-find1';
     UPDATE redaction_findings SET status = 'applied', applied_at = 3 WHERE id = 'a-find1'",
    "UPDATE redaction_findings SET status = 'pending', decided_by = NULL, decided_at = NULL WHERE id = 'a-find2';
     DELETE FROM redaction_findings WHERE id = 'a-find2'",
    "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id)
       VALUES ('n', 'n', 'n', 'fact', 1, 1, 'a-top', 'a-agent');
     UPDATE promotion_requests SET status = 'approved', promoted_object_id = 'n', reviewed_by = 'a-agent', reviewed_at = 2
       WHERE id = 'a-promotion'",
    "INSERT INTO jobs (id, kind, subject_type, subject_id, space_id, created_at, updated_at)
       VALUES ('n', 'download', 'model', 'whisper-base', 'GLOBAL', 1, 1);
     UPDATE jobs SET status = 'processing', lease_owner = 'w', lease_expires_at = 9, progress = 0.5 WHERE id = 'n'",
    "DELETE FROM answer_traces; DELETE FROM compiled_contexts; DELETE FROM jobs; DELETE FROM item_tags; DELETE FROM past_item_tags;
     DELETE FROM item_relations",
];
