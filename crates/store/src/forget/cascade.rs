//! The description of forgetting, as data. A new table with content needs its line here; a test compares these lists
//! with the schema.

use super::passed::PASSED;

/// How the rows of a kind lose what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loses {
    /// The row stays under its id, and these assignments are made. `:now` is the time.
    Sets(&'static str),
    /// The row goes: it is nothing but content, or a link from it.
    Goes,
    /// The row stays, without what it tells of the rows that go: a trace, of what it passed over.
    Entries,
}

/// A kind of row, and how it loses what it says.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The table; with a column, or a part of what it says, behind a point where that is a kind of its own.
    pub name: &'static str,
    /// The column that identifies its rows.
    pub id: &'static str,
    /// Only rows for which this holds have anything to lose.
    pub only: &'static str,
    /// How.
    pub loses: Loses,
}

const fn sets(name: &'static str, only: &'static str, assignments: &'static str) -> Kind {
    Kind { name, id: "id", only, loses: Loses::Sets(assignments) }
}

/// A kind whose table has `is_redacted`.
const fn redacts(name: &'static str, assignments: &'static str) -> Kind {
    sets(name, "is_redacted = 0", assignments)
}

const fn goes(name: &'static str, id: &'static str, only: &'static str) -> Kind {
    Kind { name, id, only, loses: Loses::Goes }
}

/// Every kind that can be forgotten, in the order in which they are: what refers goes before what it refers to. A table
/// that is missing here is emptied by a trigger of the schema (`artifact_bytes`, `thumbnails`), with its rows' vectors or
/// words by [`erase`](super::erase()) (full text, `embeddings_*_vec`), or holds nothing that anybody said.
pub const KINDS: &[Kind] = &[
    redacts(
        "claim_evidence",
        "extracted_text = '[REDACTED]', source_hash = 'redacted:' || id, span_hash = 'redacted:' || id,
         is_redacted = 1, redacted_at = :now",
    ),
    // An edge has to lead somewhere: what is left leads nowhere, and says nothing.
    redacts(
        "entity_relationships",
        "attributes = '{}', valid_from = NULL, valid_to = NULL, target_entity_id = source_entity_id,
         relationship_type_id = ifnull((SELECT id FROM relationship_types WHERE name = 'related_to' AND space_id = 'GLOBAL'),
           relationship_type_id),
         is_active = 0, is_redacted = 1, redacted_at = :now",
    ),
    redacts("conflict_resolutions", "notes = NULL, is_redacted = 1, redacted_at = :now"),
    redacts(
        "claims",
        "claim_key = 'redacted:' || id, fact_key = NULL, claim_type = 'attribute', attribute_key = NULL, attribute_value = NULL,
         relationship_type_id = NULL, target_entity_id = NULL, polarity = 'positive', statement = '[REDACTED]',
         qualifiers = '{}', valid_from = NULL, valid_to = NULL, told_from = NULL, told_to = NULL, is_redacted = 1,
         redacted_at = :now",
    ),
    redacts(
        "candidates",
        "title = NULL, content = '[REDACTED]', content_hash = 'redacted:' || id, payload = '{}', reason = NULL,
         status = CASE status WHEN 'pending' THEN 'rejected' ELSE status END,
         reviewed_by = ifnull(reviewed_by, actor_id), reviewed_at = ifnull(reviewed_at, :now),
         is_redacted = 1, redacted_at = :now",
    ),
    redacts(
        "entity_aliases",
        "alias = '[REDACTED]', canonical_alias = '[REDACTED]', is_redacted = 1, redacted_at = :now",
    ),
    redacts(
        "entities",
        "name = '[REDACTED]', canonical_name = '[REDACTED]', attributes = '{}', is_active = 0,
         is_redacted = 1, redacted_at = :now",
    ),
    goes("memory_entity_links", "id", "1"),
    // Nobody is asked about what is gone. What was decided stays, as a place without words.
    goes("redaction_findings", "id", "status = 'pending'"),
    redacts(
        "memory_embeddings",
        "embedding = NULL, metadata = '{}', status = 'deleted', is_redacted = 1, redacted_at = :now",
    ),
    sets("text_units", "1", "heading_path = NULL, mail_from = NULL, status = 'inactive'"),
    goes("text_view_spans", "text_view_id", "1"),
    redacts(
        "derived_text_views",
        "text = '[REDACTED]', metadata = '{}', status = 'deleted', is_redacted = 1, redacted_at = :now",
    ),
    redacts("media_segments", "metadata = '{}', status = 'deleted', is_redacted = 1, redacted_at = :now"),
    redacts("raw_archive", "envelope = '{}', reason = '[REDACTED]', is_redacted = 1, redacted_at = :now"),
    redacts(
        "memories",
        "content = CASE WHEN content IS NOT NULL THEN '[REDACTED]' END, content_hash = 'redacted:' || id, title = NULL,
         summary = NULL, memory_key = NULL, owner = NULL, artifact_ref = NULL, session_id = NULL, skill_links = '[]',
         sources = '[]', metadata = '{}', pinned = 0, expires_at = NULL,
         status = CASE WHEN layer = 'raw' AND status = 'active' THEN 'archived' ELSE 'deleted' END,
         status_changed_at = :now, is_redacted = 1, redacted_at = :now",
    ),
    redacts(
        "artifacts",
        "content_hash = 'redacted:' || id, original_filename = NULL, source_path = NULL, storage_uri = NULL,
         bytes_id = NULL, metadata = '{}', status = 'deleted', is_redacted = 1, redacted_at = :now",
    ),
    redacts(
        "evidence_events",
        "content = '[REDACTED]', content_hash = 'redacted:' || id, metadata = '{}', is_redacted = 1, redacted_at = :now",
    ),
    goes("watched_files", "id", "1"),
    goes("watch_folders", "id", "1"),
    sets(
        "jobs",
        "1",
        "progress_note = NULL, last_error = NULL, cancel_requested = 1,
         status = CASE WHEN status IN ('completed', 'failed', 'poison') THEN status ELSE 'cancelled' END,
         lease_owner = NULL, lease_expires_at = NULL, completed_at = ifnull(completed_at, :now)",
    ),
    // What these acts keep are ids and states, as a merge does: rows keep theirs, so that the rest can still be undone.
    sets(
        "undo_log",
        "is_redacted = 0 AND operation NOT IN ('conflicts_resolve', 'predicate_define')",
        "before_state = '{}', after_state = '{}', is_redacted = 1, redacted_at = :now",
    ),
    redacts("verification_records", "detail = NULL, is_redacted = 1, redacted_at = :now"),
    goes("associations", "id", "1"),
    goes("item_tags", "id", "1"),
    goes("past_item_tags", "id", "1"),
    goes("tags", "id", "is_predefined = 0"),
    goes("saved_searches", "id", "1"),
    goes("file_locks", "id", "1"),
    redacts(
        "answer_traces",
        "query = '[REDACTED]', recall_trace = '{}', answer = NULL, correction_text = NULL, is_redacted = 1,
         redacted_at = :now",
    ),
    // Of what a question only found and did not give, its trace tells ids and numbers.
    Kind { name: PASSED, id: "id", only: "recall_trace <> '{}'", loses: Loses::Entries },
    redacts(
        "compiled_contexts",
        "query = NULL, blocks = '[]', full_text = '[REDACTED]', text_hash = 'redacted:' || id,
         verification_warnings = '[]', recall_warnings = '[]', left_out = '[]', is_redacted = 1, redacted_at = :now",
    ),
    redacts(
        "session_states",
        "current_goal = '[REDACTED]', summary = NULL, working_set = '[]', metadata = '{}', is_redacted = 1,
         redacted_at = :now",
    ),
    redacts(
        "sessions",
        "name = NULL, purpose = NULL, client_ref = NULL, metadata = '{}', is_redacted = 1, redacted_at = :now",
    ),
    redacts("core_block_versions", "content = '[REDACTED]', change_reason = NULL, is_redacted = 1, redacted_at = :now"),
    redacts(
        "core_blocks",
        "label = 'redacted:' || id, content = '[REDACTED]', metadata = '{}', is_active = 0, is_redacted = 1,
         redacted_at = :now",
    ),
    redacts(
        "workspace_resource_versions",
        "title = '[REDACTED]', content = NULL, content_hash = NULL, is_redacted = 1, redacted_at = :now",
    ),
    redacts(
        "workspace_resources",
        "uri = 'redacted:' || id, parent_uri = NULL, title = '[REDACTED]', content = NULL, content_hash = NULL,
         metadata = '{}', status = 'deleted', is_redacted = 1, redacted_at = :now",
    ),
    sets("entry_conflicts", "1", "resolution = NULL"),
    redacts(
        "entry_versions",
        "body = '{}', change_reason = NULL, metadata = '{}', is_redacted = 1, redacted_at = :now",
    ),
    redacts("entries", "name = '[REDACTED]', is_active = 0, is_redacted = 1, redacted_at = :now"),
    // Nobody decides any more about what is gone.
    redacts(
        "promotion_requests",
        "notes = NULL, review_notes = NULL, asked_hmac = NULL,
         status = CASE status WHEN 'pending' THEN 'rejected' ELSE status END,
         reviewed_by = ifnull(reviewed_by, requested_by), reviewed_at = ifnull(reviewed_at, :now),
         is_redacted = 1, redacted_at = :now",
    ),
    goes("space_settings", "id", "1"),
    // What a person set up keeps its place; only the column that says it is emptied.
    sets("memory_spaces", "1", "description = NULL, root_path = NULL, metadata = '{}'"),
    sets("memory_spaces.name", "space_type NOT IN ('global', 'user_core')", "name = 'Space ' || rid"),
    sets("agents", "1", "metadata = '{}'"),
    sets("agents.folders", "folders <> '[]'", "folders = '[]'"),
    sets("agents.name", "agent_type = 'ai'", "name = 'agent ' || rid"),
    sets("pairing_requests", "1", "client_name = 'agent', claimed_process = NULL, requested_spaces = '[]'"),
    sets("relationship_types", "is_predefined = 0", "inverse_name = NULL, description = NULL"),
    sets("relationship_types.name", "is_predefined = 0", "name = 'relation_' || rid"),
    sets("attribute_keys", "is_predefined = 0", "description = NULL"),
    sets("attribute_keys.name", "is_predefined = 0", "name = 'attribute_' || rid"),
];

/// From rows of one kind to rows of another, `t`, that derive from them.
#[derive(Debug, Clone, Copy)]
pub struct Lead {
    /// The kind it leads from.
    pub from: &'static str,
    /// The kind it leads to.
    pub to: &'static str,
    /// Which those are; `:new` are the ids of the rows it leads from, as a JSON array.
    pub condition: &'static str,
}

macro_rules! leads {
    ($($from:literal => { $($to:literal: $condition:literal;)* })*) => {
        /// What derives from what, one step at a time.
        pub const LEADS: &[Lead] = &[$($(
            Lead { from: $from, to: $to, condition: $condition },
        )*)*];
    };
}

leads! {
    "memories" => {
        // Its file; older versions of it; what was made of it (consolidated, summarized, inferred, promoted).
        "artifacts": "t.id IN (SELECT primary_artifact_id FROM memories WHERE id IN (SELECT value FROM json_each(:new)))";
        "artifacts": "t.id IN (SELECT l.artifact_id FROM memory_artifact_links l WHERE l.memory_id IN (SELECT value FROM json_each(:new))
            AND NOT EXISTS (SELECT 1 FROM memory_artifact_links o WHERE o.artifact_id = l.artifact_id
              AND o.memory_id NOT IN (SELECT value FROM json_each(:new))))";
        "memories": "t.superseded_by_id IN (SELECT value FROM json_each(:new))";
        "memories": "t.id IN (SELECT derived_memory_id FROM memory_derivations WHERE source_memory_id IN (SELECT value FROM json_each(:new)))";
        "memories": "t.id IN (SELECT consolidated_into FROM memories WHERE id IN (SELECT value FROM json_each(:new)))";
        // The event that it was stated in.
        "evidence_events": "t.id IN (SELECT e.id FROM memories m JOIN evidence_events e INDEXED BY idx_events_stated
            ON e.space_id = m.space_id AND e.content_hash = sha256_hex(m.content) AND e.kind = 'explicit_memory'
            WHERE m.id IN (SELECT value FROM json_each(:new)) AND m.content IS NOT NULL AND m.is_redacted = 0)";
        "redaction_findings": "t.memory_id IN (SELECT value FROM json_each(:new))";
        "text_units": "t.owner_memory_id IN (SELECT value FROM json_each(:new))";
        "memory_embeddings": "t.memory_id IN (SELECT value FROM json_each(:new))";
        "claim_evidence": "t.memory_id IN (SELECT value FROM json_each(:new))";
        "memory_entity_links": "t.memory_id IN (SELECT value FROM json_each(:new))";
        "candidates": "t.duplicate_of IN (SELECT value FROM json_each(:new))";
        "raw_archive": "t.memory_id IN (SELECT value FROM json_each(:new))";
        "watched_files": "t.memory_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'memory' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'memory' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'memory' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'memory' AND t.target_id IN (SELECT value FROM json_each(:new))";
        "associations": "t.from_id IN (SELECT value FROM json_each(:new)) OR t.to_id IN (SELECT value FROM json_each(:new))";
    }
    "artifacts" => {
        "memories": "t.primary_artifact_id IN (SELECT value FROM json_each(:new))";
        "artifacts": "t.derived_from_artifact_id IN (SELECT value FROM json_each(:new))";
        "redaction_findings": "t.artifact_id IN (SELECT value FROM json_each(:new))";
        "media_segments": "t.artifact_id IN (SELECT value FROM json_each(:new))";
        "derived_text_views": "t.artifact_id IN (SELECT value FROM json_each(:new))";
        "memory_embeddings": "t.artifact_id IN (SELECT value FROM json_each(:new))";
        "candidates": "t.artifact_id IN (SELECT value FROM json_each(:new))";
        "watched_files": "t.artifact_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'artifact' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'artifact' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'artifact' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'artifact' AND t.target_id IN (SELECT value FROM json_each(:new))";
    }
    "media_segments" => {
        "memory_embeddings": "t.segment_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'media_segment' AND t.subject_id IN (SELECT value FROM json_each(:new))";
    }
    "derived_text_views" => {
        "redaction_findings": "t.text_view_id IN (SELECT value FROM json_each(:new))";
        "text_units": "t.text_view_id IN (SELECT value FROM json_each(:new))";
        "text_view_spans": "t.text_view_id IN (SELECT value FROM json_each(:new))";
        "memory_embeddings": "t.text_view_id IN (SELECT value FROM json_each(:new))";
        "claim_evidence": "t.derived_text_view_id IN (SELECT value FROM json_each(:new))";
        "memory_entity_links": "t.text_view_id IN (SELECT value FROM json_each(:new))";
        "candidates": "t.text_view_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'derived_text_view' AND t.subject_id IN (SELECT value FROM json_each(:new))";
    }
    "text_units" => {
        "memory_embeddings": "t.unit_id IN (SELECT value FROM json_each(:new))";
    }
    "evidence_events" => {
        "memories": "t.id IN (SELECT m.id FROM evidence_events e JOIN memories m ON m.space_id = e.space_id AND m.content = e.content
            WHERE e.id IN (SELECT value FROM json_each(:new)) AND e.is_redacted = 0)";
        // What was promoted from it. With the plus SQLite takes the relations to it instead of all from memories.
        "memories": "t.id IN (SELECT r.from_id FROM item_relations r WHERE r.to_type = 'event'
            AND r.to_id IN (SELECT value FROM json_each(:new)) AND r.relation_type = 'derives' AND +r.from_type = 'memory')";
        "verification_records": "t.target_type = 'event' AND t.target_id IN (SELECT value FROM json_each(:new))";
        "candidates": "t.source_event_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'event' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'event' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'event' AND t.item_id IN (SELECT value FROM json_each(:new))";
    }
    "claims" => {
        "claim_evidence": "t.claim_id IN (SELECT value FROM json_each(:new))";
        "entity_relationships": "t.claim_id IN (SELECT value FROM json_each(:new))";
        "conflict_resolutions": "t.conflict_id IN (SELECT id FROM conflicts WHERE claim_a_id IN (SELECT value FROM json_each(:new))
            OR claim_b_id IN (SELECT value FROM json_each(:new)))";
        "jobs": "t.subject_type = 'claim' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'claim' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'claim' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'claim' AND t.target_id IN (SELECT value FROM json_each(:new))";
    }
    "entities" => {
        "entities": "t.merged_into IN (SELECT value FROM json_each(:new))";
        "entity_aliases": "t.entity_id IN (SELECT value FROM json_each(:new))";
        "memory_entity_links": "t.entity_id IN (SELECT value FROM json_each(:new))";
        "claims": "t.entity_id IN (SELECT value FROM json_each(:new))";
        "claims": "t.target_entity_id IN (SELECT value FROM json_each(:new))";
        "entity_relationships": "t.source_entity_id IN (SELECT value FROM json_each(:new))";
        "entity_relationships": "t.target_entity_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'entity' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'entity' AND t.target_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'entity' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'entity' AND t.item_id IN (SELECT value FROM json_each(:new))";
    }
    "sessions" => {
        "session_states": "t.session_id IN (SELECT value FROM json_each(:new))";
        "evidence_events": "t.session_id IN (SELECT value FROM json_each(:new))";
        "entries": "t.session_id IN (SELECT value FROM json_each(:new))";
        "candidates": "t.session_id IN (SELECT value FROM json_each(:new))";
        "compiled_contexts": "t.session_id IN (SELECT value FROM json_each(:new))";
        "file_locks": "t.session_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'session' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'session' AND t.item_id IN (SELECT value FROM json_each(:new))";
    }
    "session_states" => {
        "evidence_events": "t.kind = 'system_event' AND json_extract(t.metadata, '$.about') IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'session_state' AND t.target_id IN (SELECT value FROM json_each(:new))";
    }
    "core_blocks" => {
        "evidence_events": "t.kind = 'system_event' AND json_extract(t.metadata, '$.about') IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'core_block' AND t.target_id IN (SELECT value FROM json_each(:new))";
        "core_block_versions": "t.core_block_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'core_block' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'core_block' AND t.item_id IN (SELECT value FROM json_each(:new))";
    }
    "workspace_resources" => {
        "evidence_events": "t.kind = 'system_event' AND json_extract(t.metadata, '$.about') IN (SELECT value FROM json_each(:new))";
        "verification_records": "t.target_type = 'resource' AND t.target_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'resource' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "workspace_resource_versions": "t.resource_id IN (SELECT value FROM json_each(:new))";
        // What waits to take its place.
        "candidates": "t.id IN (SELECT k.id FROM workspace_resources r JOIN candidates k ON k.space_id = r.space_id
            WHERE r.id IN (SELECT value FROM json_each(:new)) AND k.status IN ('pending', 'rejected') AND k.kind = 'resource'
              AND k.is_redacted = 0 AND trim(k.payload ->> '$.request.uri') = r.uri)";
        "item_tags": "t.item_type = 'resource' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'resource' AND t.item_id IN (SELECT value FROM json_each(:new))";
    }
    "entries" => {
        "verification_records": "t.target_type = 'entry' AND t.target_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'entry' AND t.subject_id IN (SELECT value FROM json_each(:new))";
        "entry_versions": "t.entry_id IN (SELECT value FROM json_each(:new))";
        "entry_conflicts": "t.entry_id IN (SELECT value FROM json_each(:new))";
        "item_tags": "t.item_type = 'entry' AND t.item_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.item_type = 'entry' AND t.item_id IN (SELECT value FROM json_each(:new))";
    }
    "entry_versions" => {
        // An entry that does not say any more what counts says nothing.
        "entries": "t.id IN (SELECT v.entry_id FROM entry_versions v WHERE v.id IN (SELECT value FROM json_each(:new)))
           AND t.current_version_id IN (SELECT value FROM json_each(:new))";
    }
    "compiled_contexts" => {
        "answer_traces": "t.compiled_context_id IN (SELECT value FROM json_each(:new))";
    }
    "watch_folders" => {
        "watched_files": "t.watch_id IN (SELECT value FROM json_each(:new))";
        "jobs": "t.subject_type = 'watch_folder' AND t.subject_id IN (SELECT value FROM json_each(:new))";
    }
    "watched_files" => {
        "jobs": "t.subject_type = 'watched_file' AND t.subject_id IN (SELECT value FROM json_each(:new))";
    }
    "tags" => {
        "item_tags": "t.tag_id IN (SELECT value FROM json_each(:new))";
        "past_item_tags": "t.tag_id IN (SELECT value FROM json_each(:new))";
    }
    "candidates" => {
        "jobs": "t.subject_type = 'candidate' AND t.subject_id IN (SELECT value FROM json_each(:new))";
    }
}

/// Tables whose rows name others by ids within their columns, and derive from them. Traces that name them only among what they passed over
/// stay, without that.
pub const NAMERS: &[(&str, &[&str])] = &[
    ("undo_log", &["object_id", "before_state", "after_state"]),
    ("candidates", &["payload"]),
    ("compiled_contexts", &["memory_ids", "claim_ids", "edge_ids", "item_ids", "blocks"]),
    ("answer_traces", &["recall_trace"]),
    ("session_states", &["source_event_ids"]),
    ("workspace_resources", &["source_event_ids"]),
    ("promotion_requests", &["object_id", "promoted_object_id", "lineage"]),
    ("claim_evidence", &["derived_from"]),
];

/// Rows that rest on others, and go once all those do.
#[derive(Debug, Clone, Copy)]
pub struct Rests {
    /// The kinds that it rests on; `:a` and `:b` are the ids of all that go of the first and second.
    pub on: [&'static str; 2],
    /// The kind.
    pub kind: &'static str,
    /// Gives the ids of those that have nothing left to rest on.
    pub sql: &'static str,
}

/// The copies that a promotion made of claims and entities: those among `:copies` that nothing else carries in their space. What
/// was learned there by itself stays, and so does whoever else is spoken of.
pub const BARE_COPIES: &[(&str, &str)] = &[
    (
        "claims",
        "SELECT c.id FROM claims c WHERE c.id IN (SELECT value FROM json_each(:copies)) AND NOT EXISTS (
           SELECT 1 FROM claim_evidence o WHERE o.claim_id = c.id AND o.is_redacted = 0
             AND ifnull(o.spare, o.polarity) = 'supporting' AND o.id NOT IN (SELECT value FROM json_each(:evidence)))
           AND :links IS NOT NULL AND :claims IS NOT NULL",
    ),
    (
        "entities",
        "SELECT e.id FROM entities e WHERE e.id IN (SELECT value FROM json_each(:copies))
           AND NOT EXISTS (SELECT 1 FROM memory_entity_links l WHERE l.entity_id = e.id
             AND l.id NOT IN (SELECT value FROM json_each(:links)))
           AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.entity_id = e.id AND c.is_redacted = 0
             AND c.id NOT IN (SELECT value FROM json_each(:claims)))
           AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.target_entity_id = e.id AND c.is_redacted = 0
             AND c.id NOT IN (SELECT value FROM json_each(:claims)))
           AND :evidence IS NOT NULL",
    ),
];

/// A claim rests on what supports it, somebody spoken of on what is claimed of them and where they are named, a tag on what
/// bears it: that something else bore it once does not hold it.
pub const RESTS: &[Rests] = &[
    Rests {
        on: ["claim_evidence", "claims"],
        kind: "claims",
        sql: "SELECT DISTINCT e.claim_id FROM claim_evidence e JOIN json_each(:a) gone ON gone.value = e.id
              WHERE e.claim_id NOT IN (SELECT value FROM json_each(:b)) AND NOT EXISTS (
                SELECT 1 FROM claim_evidence o WHERE o.claim_id = e.claim_id AND o.is_redacted = 0
                  AND ifnull(o.spare, o.polarity) = 'supporting' AND o.id NOT IN (SELECT value FROM json_each(:a)))",
    },
    Rests {
        on: ["memory_entity_links", "claims"],
        kind: "entities",
        sql: "SELECT e.id FROM entities e
              WHERE e.id IN (SELECT l.entity_id FROM json_each(:a) gone JOIN memory_entity_links l ON l.id = gone.value
                             UNION SELECT c.entity_id FROM json_each(:b) gone JOIN claims c ON c.id = gone.value
                             UNION SELECT c.target_entity_id FROM json_each(:b) gone JOIN claims c ON c.id = gone.value)
                AND NOT EXISTS (SELECT 1 FROM memory_entity_links l WHERE l.entity_id = e.id
                  AND l.id NOT IN (SELECT value FROM json_each(:a)))
                AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.entity_id = e.id AND c.is_redacted = 0
                  AND c.id NOT IN (SELECT value FROM json_each(:b)))
                AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.target_entity_id = e.id AND c.is_redacted = 0
                  AND c.id NOT IN (SELECT value FROM json_each(:b)))",
    },
    Rests {
        on: ["item_tags", "past_item_tags"],
        kind: "tags",
        sql: "SELECT t.id FROM tags t WHERE t.is_predefined = 0
                AND t.id IN (SELECT i.tag_id FROM json_each(:a) gone JOIN item_tags i ON i.id = gone.value
                             UNION SELECT p.tag_id FROM json_each(:b) gone JOIN past_item_tags p ON p.id = gone.value)
                AND NOT EXISTS (SELECT 1 FROM item_tags i WHERE i.tag_id = t.id
                  AND i.id NOT IN (SELECT value FROM json_each(:a)))",
    },
];
