//! Assignments that break the CHECKs whose words alone do not tell how.

/// What breaks a CHECK.
pub struct Special {
    pub table: &'static str,
    /// How the CHECK begins.
    pub check: &'static str,
    /// The row; empty where the table has no ids.
    pub id: &'static str,
    /// Columns and the SQL that breaks it.
    pub set: &'static [(&'static str, &'static str)],
}

macro_rules! specials {
    ($($table:ident $id:literal: $check:literal <= $($column:ident = $value:literal),+;)*) => {
        pub const SPECIAL: &[Special] = &[$(
            Special {
                table: stringify!($table),
                check: $check,
                id: $id,
                set: &[$((stringify!($column), $value)),+],
            }
        ),*];
    };
}

specials! {
    forgettings "a-forgetting": "status NOT IN" <= status = "'done'";
    forgettings "a-forgetting": "ended_at IS NULL OR" <= ended_at = "2";
    system_settings "": "key <> 'compliance_mode'" <= value = "'yes'";
    memory_spaces "a": "(id = 'GLOBAL')" <= space_type = "'global'";
    space_overlays "a-over": "space_id <> overlay" <= overlay_space_id = "space_id";
    pairing_requests "a-pair": "status NOT IN" <= status = "'approved'";
    artifacts "a-file": "(is_redacted = 1 AND bytes" <= bytes_id = "NULL";
    artifacts "a-file": "(is_redacted = 1 AND bytes" <= storage_uri = "'aa/bb'";
    artifacts "a-file": "(is_redacted = 1 AND bytes" <= storage_backend = "'filesystem'";
    artifacts "a-file": "(is_redacted = 1 AND bytes" <= bytes_id = "NULL", storage_uri = "'aa/bb'";
    artifacts "a-file": "derived_from_artifact_id IS NULL" <= derived_from_artifact_id = "id";
    media_segments "a-box": "parent_segment_id IS NULL" <= parent_segment_id = "id";
    text_units "a-unit": "(memory_id IS NOT NULL)" <= memory_id = "owner_memory_id";
    text_units "a-unit": "(memory_id IS NOT NULL)" <= text_view_id = "NULL", segment_id = "NULL";
    text_units "a-unit0": "memory_id IS NULL OR" <= owner_memory_id = "'a-memory'";
    text_units "a-unit": "0 <= start_offset" <= start_offset = "-1";
    text_units "a-unit": "0 <= start_offset" <= end_offset = "-1";
    memories "a-memory0": "modality <> 'text'" <= content = "NULL", primary_artifact_id = "'a-file'";
    memories "a-memory": "content IS NOT NULL OR primary" <= content = "NULL", primary_artifact_id = "NULL";
    memories "a-memory": "valid_to IS NULL" <= valid_to = "0";
    memory_derivations "a-derivation": "derived_memory_id <>"
        <= derived_memory_id = "'a-memory'", source_memory_id = "'a-memory'";
    memory_status_history "a-past:1": "from_status <> to_status" <= to_status = "from_status";
    memory_embeddings "a-vec1": "(memory_id IS NOT NULL)" <= memory_id = "NULL";
    memory_embeddings "a-vec1": "(memory_id IS NOT NULL)" <= unit_id = "'a-unit'";
    memory_embeddings "a-vec1": "embedding IS NULL OR length" <= embedding = "x'00'";
    entities "a-ada": "merged_into IS NULL" <= merged_into = "id";
    entity_merges "a-merge": "kept_entity_id <>" <= kept_entity_id = "merged_entity_id";
    claims "a-claim0": "claim_type = 'relationship'" <= attribute_key = "NULL";
    claims "a-claim": "claim_type <> 'relationship'" <= target_entity_id = "NULL";
    claims "a-claim": "claim_type <> 'relationship'" <= relationship_type_id = "NULL";
    claims "a-claim": "valid_from IS NULL" <= valid_to = "0";
    claims "a-claim9": "superseded_by_id IS NULL" <= superseded_by_id = "id";
    claims "a-claim9": "is_redacted = 0 OR told_from IS NULL" <= is_redacted = "1", redacted_at = "9",
        statement = "'[REDACTED]'", attribute_value = "NULL", qualifiers = "'{}'", told_from = "1";
    claims "a-claim9": "is_redacted = 0 OR told_to IS NULL" <= is_redacted = "1", redacted_at = "9",
        statement = "'[REDACTED]'", attribute_value = "NULL", qualifiers = "'{}'", told_to = "1";
    claim_window_history "a-window": "to_valid_from IS NOT"
        <= to_valid_from = "from_valid_from", from_valid_to = "2", to_valid_to = "2";
    claim_window_history "a-window": "to_valid_from IS NULL" <= to_valid_to = "0";
    claim_state_history "a-history": "(cause = 'undo')" <= cause = "'undo'";
    claim_evidence "a-proof": "(memory_id IS NOT NULL)" <= derived_text_view_id = "'a-view'";
    claim_evidence "a-proof": "(memory_id IS NOT NULL)" <= memory_id = "NULL";
    claim_evidence "a-proof": "spare IS NULL" <= spare = "'supporting'";
    claim_evidence "a-proof": "segment_id IS NULL" <= segment_id = "'a-box'";
    claim_evidence "a-proof": "0 <= start_offset" <= start_offset = "-1";
    claim_evidence "a-proof": "0 <= start_offset" <= end_offset = "start_offset";
    entity_relationships "a-edge": "valid_from IS NULL" <= valid_to = "0";
    conflicts "a-conflict": "claim_a_id < claim_b_id" <= claim_a_id = "claim_b_id", claim_b_id = "claim_a_id";
    conflicts "a-conflict": "(status = 'resolved')" <= status = "'resolved'";
    conflicts "a-conflict": "(status = 'resolved')" <= resolution_id = "'a-resolution'";
    sessions "a-session": "status NOT IN" <= status = "'discarded'";
    sessions "a-session": "is_redacted = 0 OR client_ref" <= is_redacted = "1", redacted_at = "9", name = "NULL",
        purpose = "NULL", metadata = "'{}'";
    compiled_contexts "a-context": "is_redacted = 0 OR left_out" <= is_redacted = "1", redacted_at = "9", query = "NULL",
        blocks = "'[]'", full_text = "'[REDACTED]'", verification_warnings = "'[]'", recall_warnings = "'[]'",
        left_out = "'[1]'";
    workspace_resources "a-resource": "parent_uri IS NULL" <= uri = "'file:///y'", parent_uri = "'file:///y'";
    entries "a-entry": "category IS NULL OR" <= category = "'mcp'";
    entries "a-entry": "category IS NULL OR" <= category = "'anything'";
    entry_conflicts "a-entryc": "version_a_id <>"
        <= version_a_id = "'a-entryv1'", version_b_id = "'a-entryv1'";
    entry_conflicts "a-entryc": "resolved = 0 OR (" <= resolved = "1";
    entry_conflicts "a-entryc": "resolved = 0 OR outcome" <= resolved = "1", resolved_at = "1", resolved_by = "'a-agent'";
    entry_versions "a-entryv1": "is_redacted = 0 OR metadata" <= is_redacted = "1", redacted_at = "9", body = "'{}'",
        change_reason = "NULL";
    item_relations "a-rel": "from_type <> to_type" <= to_id = "from_id";
    item_relations "a-rel": "valid_from IS NULL" <= valid_until = "valid_from";
    candidates "a-candidate": "status IN ('pending') OR" <= status = "'approved'";
    candidates "a-candidate": "status <> 'imported'"
        <= status = "'imported'", reviewed_by = "'a-agent'", reviewed_at = "1";
    redaction_findings "a-find1": "(memory_id IS NOT NULL)" <= text_view_id = "'a-view'";
    redaction_findings "a-find3": "(start_offset IS NULL)" <= end_offset = "1";
    redaction_findings "a-find1": "start_offset IS NULL OR" <= start_offset = "-1";
    redaction_findings "a-find1": "start_offset IS NULL OR" <= end_offset = "start_offset";
    redaction_findings "a-find3": "(artifact_id IS NULL) = (place" <= place = "NULL";
    redaction_findings "a-find1": "(artifact_id IS NULL) = (start_offset" <= start_offset = "NULL", end_offset = "NULL";
    redaction_findings "a-find1": "status = 'pending' OR (decided_by" <= decided_by = "NULL";
    redaction_findings "a-find1": "status <> 'applied'"
        <= status = "'applied'";
    promotion_requests "a-promotion": "source_space_id <>" <= target_space_id = "'a'";
    promotion_requests "a-promotion": "status = 'pending' OR" <= status = "'rejected'";
    promotion_requests "a-promotion": "(status = 'approved')"
        <= status = "'approved'", reviewed_by = "'a-agent'", reviewed_at = "1";
    promotion_requests "a-promotion": "is_redacted = 0 OR review_notes"
        <= is_redacted = "1", redacted_at = "1", notes = "NULL", review_notes = "'x'";
    jobs "a-job": "status <> 'processing'" <= status = "'processing'";
    maintenance_runs "a-run": "(status = 'running')" <= status = "'done'";
    maintenance_runs "a-run": "(status = 'running')" <= finished_at = "1";
    claim_state_transitions "": "requires IN" <= requires = "'luck'";
}
