//! Which columns can hold what a person wrote, said or named, so that forgetting is tested against all of them.

/// Whether a column can hold content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Words, bytes, names or paths of the person's, or a plain hash or vector of them: forgetting
    /// must overwrite or remove every such value.
    Content,
    /// Ids, words of a fixed list, numbers, configuration, keyed hashes: may stay.
    NotContent,
}

/// Writes `(table, column, class)` for each column of each table.
macro_rules! classes {
    ($($table:ident { content: [$($content:ident)*] other: [$($other:ident)*] })*) => {
        &[$(
            $((stringify!($table), stringify!($content), Class::Content),)*
            $((stringify!($table), stringify!($other), Class::NotContent),)*
        )*]
    };
}

/// Every TEXT and BLOB column of the schema, by table, with its class.
///
/// Virtual tables stand with the columns that they declare. Full text tables are made while the program
/// runs (`space_indexes` names them); all that they hold is content.
#[rustfmt::skip]
pub const CONTENT_COLUMNS: &[(&str, &str, Class)] = classes! {
    agent_grants {
        content: []
        other: [id space_id agent_id operation granted_by]
    }
    agent_tokens {
        content: []
        other: [id agent_id token_hash name space_ids rights]
    }
    agents {
        content: [name metadata folders]
        other: [id agent_type home_space_id profile]
    }
    answer_traces {
        content: [query recall_trace answer correction_text]
        other: [id space_id actor_id compiled_context_id outcome feedback_type]
    }
    artifact_bytes {
        content: [blob]
        other: [id space_id]
    }
    artifacts {
        content: [content_hash original_filename source_path storage_uri metadata]
        other: [
            id space_id actor_id mime_type modality storage_backend bytes_id derived_from_artifact_id status
        ]
    }
    associations {
        content: []
        other: [id space_id from_type from_id to_type to_id basis]
    }
    attribute_keys {
        content: [name description]
        other: [id space_id cardinality value_kind]
    }
    audit_events {
        content: []
        other: [
            id event_type object_type object_id payload instance_id space_id actor_id request_id purpose
            prev_hash hash
        ]
    }
    candidates {
        content: [title content content_hash payload reason]
        other: [
            id space_id actor_id kind source_event_id artifact_id segment_id text_view_id session_id
            safety_flags duplicate_of status reviewed_by imported_id
        ]
    }
    claim_evidence {
        content: [extracted_text source_hash span_hash]
        other: [
            id claim_id memory_id derived_text_view_id segment_id space_id polarity spare extraction_method
            source_type derived_from cluster_id drift_status actor_id
        ]
    }
    claim_state_history {
        content: []
        other: [id space_id claim_id from_state to_state cause undo_of actor_id]
    }
    claim_state_transitions {
        content: []
        other: [from_state to_state requires]
    }
    claim_window_history {
        content: []
        other: [id space_id claim_id cause actor_id]
    }
    claims {
        content: [claim_key fact_key attribute_key attribute_value statement qualifiers]
        other: [
            id entity_id space_id claim_type target_entity_id relationship_type_id state polarity
            superseded_by_id created_by_actor voice_id kept_out_by
        ]
    }
    compiled_contexts {
        content: [query blocks full_text text_hash verification_warnings recall_warnings left_out]
        other: [
            id space_id actor_id session_id policy memory_ids claim_ids edge_ids item_ids overlay_space_ids
            compiler_config_version counted_by as_agent
        ]
    }
    conflict_resolutions {
        content: [notes]
        other: [id space_id conflict_id resolution_type resolved_by_actor undone_by_actor]
    }
    conflicts {
        content: []
        other: [id claim_a_id claim_b_id conflict_type found_by status resolution_id space_id]
    }
    core_block_versions {
        content: [content change_reason]
        other: [id space_id core_block_id created_by]
    }
    core_blocks {
        content: [label content metadata]
        other: [id space_id actor_id]
    }
    derived_text_views {
        content: [text metadata]
        other: [
            id artifact_id segment_id space_id actor_id view_type language extractor_id model_id config_hash
            detected_by status
        ]
    }
    embeddings_audio_text_vec {
        content: [embedding]
        other: [space_id]
    }
    embeddings_text_dense_vec {
        content: [embedding]
        other: [space_id]
    }
    embeddings_vision_language_vec {
        content: [embedding]
        other: [space_id]
    }
    entities {
        content: [name canonical_name attributes]
        other: [id entity_type merged_into space_id]
    }
    entity_aliases {
        content: [alias canonical_alias]
        other: [id entity_id alias_type space_id]
    }
    entity_merges {
        content: []
        other: [id space_id kept_entity_id merged_entity_id moved actor_id undone_by]
    }
    entity_relationships {
        content: [attributes]
        other: [id source_entity_id target_entity_id relationship_type_id claim_id space_id]
    }
    entity_words {
        content: [word]
        other: [space_id]
    }
    entries {
        content: [name]
        other: [id space_id session_id entry_type category current_version_id created_by]
    }
    entry_conflicts {
        content: [resolution]
        other: [id space_id entry_id version_a_id version_b_id resolved_by outcome]
    }
    entry_versions {
        content: [body change_reason metadata]
        other: [id space_id entry_id created_by]
    }
    evidence_events {
        content: [content content_hash metadata]
        other: [id space_id actor_id session_id kind]
    }
    file_locks {
        content: [path note]
        other: [id space_id agent_id session_id released_by]
    }
    forgettings {
        content: []
        other: [id actor_id selector status roots counts proof]
    }
    item_relation_ends {
        content: []
        other: [id relation_id]
    }
    item_relations {
        content: []
        other: [id space_id from_type from_id to_type to_id relation_type source_event_ids created_by]
    }
    item_tags {
        content: []
        other: [id space_id item_type item_id item_subtype tag_id]
    }
    jobs {
        content: [progress_note last_error]
        other: [
            id kind subject_type subject_id processor_id config_hash space_id payload status lease_owner
            last_error_code result_id
        ]
    }
    maintenance_runs {
        content: []
        other: [id task status report]
    }
    media_segments {
        content: [metadata]
        other: [
            id artifact_id space_id actor_id segment_type selector selector_hash level parent_segment_id
            status
        ]
    }
    memories {
        content: [
            content content_hash title summary memory_key owner artifact_ref session_id skill_links sources metadata
        ]
        other: [
            id modality primary_artifact_id scope classifier_id extractor_id detected_by record_kind tier status supersedes_id
            superseded_by_id consolidation_group consolidated_into space_id actor_id source_type layer
            confidence_label
        ]
    }
    memory_artifact_links {
        content: []
        other: [id space_id memory_id artifact_id role]
    }
    memory_derivations {
        content: []
        other: [id derived_memory_id source_memory_id method space_id actor_id]
    }
    memory_embeddings {
        content: [embedding metadata]
        other: [
            id space_id actor_id memory_id artifact_id segment_id text_view_id unit_id embedding_space
            model_id status
        ]
    }
    memory_entity_links {
        content: []
        other: [id memory_id entity_id link_type match_type text_view_id spans space_id]
    }
    memory_spaces {
        content: [name description root_path metadata]
        other: [id space_type parent_space_id read_policy write_policy status created_by_actor]
    }
    memory_status_history {
        content: []
        other: [id space_id memory_id from_status to_status]
    }
    memory_status_transitions {
        content: []
        other: [from_status to_status]
    }
    models_installed {
        content: []
        other: [id catalogue_id kind path sha256 licence]
    }
    pairing_requests {
        content: [client_name claimed_process requested_spaces]
        other: [id kind token_hash requested_rights status decision decided_by agent_id token_id]
    }
    past_item_tags {
        content: []
        other: [id space_id item_type item_id tag_id]
    }
    promotion_requests {
        content: [notes review_notes]
        other: [
            id object_type object_id source_space_id target_space_id status requested_by reviewed_by
            promoted_object_id lineage asked_hmac
        ]
    }
    raw_archive {
        content: [envelope reason]
        other: [id space_id memory_id content_hmac archived_by]
    }
    redaction_findings {
        content: []
        other: [
            id space_id memory_id text_view_id artifact_id place finding_kind detector_id detector_version
            status decided_by
        ]
    }
    rejected_values {
        content: []
        other: [id space_id value_kind value_hmac reason source_type source_id actor_id allowed_by]
    }
    relationship_types {
        content: [name inverse_name description]
        other: [id space_id cardinality]
    }
    saved_searches {
        content: [name query filters]
        other: [id space_id actor_id]
    }
    session_states {
        content: [current_goal summary working_set metadata]
        other: [id space_id session_id actor_id status source_event_ids]
    }
    sessions {
        content: [name purpose client_ref metadata]
        other: [id space_id agent_id status]
    }
    space_indexes {
        content: []
        other: [id space_id kind fts_table]
    }
    space_memberships {
        content: []
        other: [id space_id agent_id role status added_by_actor]
    }
    space_overlays {
        content: []
        other: [id space_id overlay_space_id include_mode created_by_actor]
    }
    space_settings {
        content: [value]
        other: [id space_id key updated_by]
    }
    system_settings {
        content: []
        other: [key value]
    }
    tags {
        content: [name description]
        other: [id space_id category]
    }
    text_units {
        content: [heading_path mail_from]
        other: [id space_id memory_id text_view_id owner_memory_id segment_id status]
    }
    text_view_spans {
        content: []
        other: [text_view_id space_id spans]
    }
    thumbnails {
        content: [blob]
        other: [id artifact_id space_id]
    }
    undo_log {
        content: [before_state after_state]
        other: [id space_id actor_id operation object_type object_id undone_by]
    }
    verification_records {
        content: [detail]
        other: [id space_id target_type target_id status checker actor_id]
    }
    watch_folders {
        content: [path include_globs exclude_globs]
        other: [id space_id on_delete actor_id]
    }
    watched_files {
        content: [rel_path content_hash last_error]
        other: [id watch_id space_id file_key artifact_id memory_id status]
    }
    workspace_resource_versions {
        content: [title content content_hash]
        other: [id space_id resource_id actor_id]
    }
    workspace_resources {
        content: [uri parent_uri title content content_hash metadata]
        other: [id space_id actor_id kind source_event_ids status]
    }
};
