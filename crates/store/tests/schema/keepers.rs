//! Triggers that keep something true instead of refusing.

use crate::support::{filled, string, undone};
use crate::triggers::triggers;
use std::collections::BTreeSet;

/// Triggers that keep something true instead of refusing, each with what it keeps.
const KEEPERS: &[(&str, &str, &str, &str)] = &[
    (
        "artifacts_bytes_go_update",
        "UPDATE artifacts SET is_redacted = 1, redacted_at = 9, bytes_id = NULL, original_filename = NULL,
           source_path = NULL, metadata = '{}' WHERE id = 'a-file'",
        "SELECT count(*) || '' FROM artifact_bytes WHERE id = 'a-bytes'",
        "0",
    ),
    (
        "artifacts_bytes_go_update",
        "UPDATE artifacts SET bytes_id = NULL, storage_backend = 'filesystem', storage_uri = 'aa/bb' WHERE id = 'a-file'",
        "SELECT count(*) || '' FROM artifact_bytes WHERE id IN ('a-bytes', 'a-bytes0')",
        "1",
    ),
    (
        "artifacts_bytes_go_delete",
        "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
         PRAGMA defer_foreign_keys = ON;
         DELETE FROM artifacts WHERE id = 'a-file'",
        "SELECT count(*) || '' FROM artifact_bytes WHERE id = 'a-bytes'",
        "0",
    ),
    (
        "artifacts_thumbnail_goes_update",
        "UPDATE artifacts SET status = 'deleted', valid_to = 9 WHERE id = 'a-file'",
        "SELECT count(*) || '' FROM thumbnails WHERE artifact_id = 'a-file'",
        "0",
    ),
    (
        "artifacts_thumbnail_goes_update",
        "UPDATE artifacts SET is_redacted = 1, redacted_at = 9, bytes_id = NULL, original_filename = NULL,
           source_path = NULL, metadata = '{}' WHERE id = 'a-file'",
        "SELECT count(*) || '' FROM thumbnails WHERE artifact_id = 'a-file'",
        "0",
    ),
    (
        "artifacts_thumbnail_goes_delete",
        "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
         PRAGMA defer_foreign_keys = ON;
         DELETE FROM artifacts WHERE id = 'a-file'",
        "SELECT count(*) || '' FROM thumbnails WHERE artifact_id = 'a-file'",
        "0",
    ),
    (
        "memories_keep_history",
        "UPDATE memories SET status = 'archived', status_changed_at = 7, valid_to = 6 WHERE id = 'a-memory';
         UPDATE memories SET status = 'active', status_changed_at = 8, valid_to = NULL WHERE id = 'a-memory';
         UPDATE memories SET status = 'retracted', status_changed_at = 9, valid_to = 9 WHERE id = 'a-memory'",
        "SELECT group_concat(from_status || ' ' || to_status || ' ' || ifnull(valid_from, 'never') || ' ' || changed_at) FROM
           (SELECT * FROM memory_status_history WHERE memory_id = 'a-memory' ORDER BY rid)",
        "active archived 6 7,archived active 8 8,active retracted never 9",
    ),
    (
        "memories_forget_history",
        "UPDATE memories SET status = 'deleted', is_redacted = 1, redacted_at = 9, content = '[REDACTED]', title = NULL,
           summary = NULL, skill_links = '[]', sources = '[]', metadata = '{}' WHERE id = 'a-past'",
        "SELECT count(*) || '' FROM memory_status_history WHERE memory_id = 'a-past'",
        "0",
    ),
    (
        "claim_evidence_counts_insert",
        "INSERT INTO claim_evidence (id, claim_id, memory_id, space_id, extracted_text, start_offset, end_offset, source_hash,
           span_hash, extraction_method, polarity, observed_at, recorded_at, actor_id)
         VALUES ('n', 'a-claim', 'a-memory', 'a', 'Ada', 0, 3, 's', 'h', 'rule', 'contradicting', 7, 7, 'a-agent')",
        "SELECT evidence_count || supporting_count || contradicting_count || last_evidence_at || last_updated_at
         FROM claims WHERE id = 'a-claim'",
        "32177",
    ),
    (
        "claim_evidence_counts_update",
        "UPDATE claim_evidence SET polarity = 'neutral' WHERE id = 'a-proof';
         UPDATE claim_evidence SET is_redacted = 1, redacted_at = 9, extracted_text = '[REDACTED]' WHERE id = 'a-proof2'",
        "SELECT evidence_count || supporting_count || contradicting_count FROM claims WHERE id = 'a-claim'",
        "100",
    ),
    (
        "claim_evidence_counts_update",
        "UPDATE claim_evidence SET claim_id = 'a-claim0' WHERE id = 'a-proof'",
        "SELECT group_concat(evidence_count || supporting_count, ' ') FROM claims WHERE id IN ('a-claim', 'a-claim0') ORDER BY id",
        "11 11",
    ),
    (
        "claim_evidence_counts_delete",
        "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
         DELETE FROM claim_evidence WHERE id = 'a-proof'",
        "SELECT evidence_count || supporting_count FROM claims WHERE id = 'a-claim'",
        "11",
    ),
    (
        "claim_evidence_counts_update",
        "UPDATE claims SET confidence = 0.75 WHERE id = 'a-claim';
         UPDATE claim_evidence SET is_redacted = 1, redacted_at = 9, extracted_text = '[REDACTED]' WHERE id = 'a-proof2'",
        "SELECT state || confidence || last_updated_at FROM claims WHERE id = 'a-claim'",
        "asserted0.59",
    ),
    (
        "claims_retract_unsupported",
        "UPDATE claim_evidence SET polarity = 'neutral' WHERE claim_id = 'a-claim'",
        "SELECT group_concat(state || is_active) FROM claims c JOIN entity_relationships e ON e.claim_id = c.id WHERE c.id = 'a-claim'",
        "retracted0",
    ),
    (
        "claims_retract_unsupported",
        "UPDATE claim_evidence SET is_redacted = 1, redacted_at = 9, extracted_text = '[REDACTED]' WHERE claim_id = 'a-claim'",
        "SELECT cause || from_state || to_state || (actor_id = (SELECT id FROM agents WHERE agent_type = 'system')) || confidence
           || changed_at FROM claim_state_history WHERE claim_id = 'a-claim' ORDER BY rid DESC LIMIT 1",
        "evidenceassertedretracted10.09",
    ),
    (
        "claims_retract_unsupported",
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'disputed', 'conflict', 'a-agent', 5);
         UPDATE claim_evidence SET claim_id = 'a-claim0' WHERE claim_id = 'a-claim'",
        "SELECT group_concat(state, ' ') FROM claims WHERE id IN ('a-claim', 'a-claim0') ORDER BY id",
        "retracted draft",
    ),
    (
        "claims_retract_unsupported",
        "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
         DELETE FROM claim_evidence WHERE claim_id = 'a-claim'",
        "SELECT state || last_updated_at FROM claims WHERE id = 'a-claim'",
        "retracted2",
    ),
    (
        "claims_redacted_is_no_fact",
        "UPDATE claims SET fact_key = 'fact' WHERE id IN ('a-claim0', 'a-claim9');
         UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]', attribute_value = NULL, qualifiers = '{}',
           claim_key = 'replaced', valid_from = NULL, valid_to = NULL WHERE id = 'a-claim9'",
        "SELECT group_concat(ifnull(fact_key, 'none'), ' ') FROM claims WHERE id IN ('a-claim0', 'a-claim9') ORDER BY id",
        "fact none",
    ),
    (
        "claim_state_history_applies",
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'superseded', 'supersession', 'a-agent', 5);
         UPDATE claims SET superseded_by_id = 'a-claim0' WHERE id = 'a-claim' AND state = 'superseded';
         INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, undo_of, actor_id, changed_at)
         SELECT 'm', 'a', 'a-claim', state, 'asserted', 'undo', 'n', 'a-agent', 4 FROM claims WHERE id = 'a-claim' AND state = 'superseded'",
        "SELECT state || first_asserted_at || last_updated_at || ifnull(superseded_by_id, '') FROM claims WHERE id = 'a-claim'",
        "asserted25",
    ),
    (
        "claim_window_history_applies",
        "INSERT INTO claim_window_history (id, space_id, claim_id, from_valid_from, from_valid_to, to_valid_from, to_valid_to,
           cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 1, 2, 0, NULL, 'told', 'a-agent', 5)",
        "SELECT valid_from || ifnull(valid_to, ' on') FROM claims WHERE id = 'a-claim'",
        "0 on",
    ),
    (
        "claims_forget_windows",
        "UPDATE claims SET is_redacted = 1, redacted_at = 9, statement = '[REDACTED]', attribute_value = NULL, qualifiers = '{}',
           valid_from = NULL, valid_to = NULL WHERE id = 'a-claim9'",
        "SELECT count(*) || '' FROM claim_window_history WHERE claim_id = 'a-claim9'",
        "0",
    ),
    (
        "entities_words_come",
        "INSERT INTO entities (id, name, canonical_name, entity_type, created_at, updated_at, space_id)
         VALUES ('n', 'New \"York\" New', 'new \"york\" new', 'location', 1, 1, 'a')",
        "SELECT group_concat(word, '+') FROM (SELECT word FROM entity_words
           WHERE rid = (SELECT rid FROM entities WHERE id = 'n') ORDER BY word)",
        "\"york\"+new",
    ),
    (
        "entities_words_change",
        "UPDATE entities SET name = 'Ada King', canonical_name = 'ada king' WHERE id = 'a-ada'",
        "SELECT group_concat(word, '+') FROM (SELECT word FROM entity_words
           WHERE rid = (SELECT rid FROM entities WHERE id = 'a-ada') ORDER BY word)",
        "ada+king",
    ),
    (
        "entities_words_change",
        "UPDATE entities SET is_redacted = 1, redacted_at = 9, name = '[REDACTED]', canonical_name = '[REDACTED]',
           attributes = '{}' WHERE id = 'a-ada'",
        "SELECT count(*) || '' FROM entity_words WHERE rid = (SELECT rid FROM entities WHERE id = 'a-ada')",
        "0",
    ),
    (
        "entities_words_go",
        "UPDATE system_settings SET value = 'true' WHERE key = 'compliance_mode';
         PRAGMA defer_foreign_keys = ON;
         DELETE FROM entities WHERE id = 'a-ada'",
        "SELECT count(*) || '' FROM entity_words w WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.rid = w.rid)",
        "0",
    ),
    (
        "entity_relationships_lose_time",
        "UPDATE entity_relationships SET is_active = 0 WHERE id = 'a-edge'",
        "SELECT (count(valid_from) + count(valid_to)) || '' FROM entity_relationships WHERE id = 'a-edge'",
        "0",
    ),
    (
        "item_tags_of_entry",
        "INSERT INTO item_tags (id, space_id, item_type, item_id, tag_id, created_at)
         VALUES ('n', 'a', 'entry', 'a-entry', 'a-tag', 1)",
        "SELECT (item_rid = (SELECT rid FROM entries WHERE id = 'a-entry')) || item_subtype || standing FROM item_tags WHERE id = 'n'",
        "1guideline2",
    ),
    (
        "entries_tags_stand",
        "INSERT INTO item_tags (id, space_id, item_type, item_id, tag_id, created_at)
         VALUES ('n', 'a', 'entry', 'a-entry', 'a-tag', 1);
         UPDATE entries SET is_active = 0 WHERE id = 'a-entry'",
        "SELECT standing || '' FROM item_tags WHERE id = 'n'",
        "0",
    ),
    (
        "claims_deactivate_edges",
        "INSERT INTO claim_state_history (id, space_id, claim_id, from_state, to_state, cause, actor_id, changed_at)
         VALUES ('n', 'a', 'a-claim', 'asserted', 'disputed', 'conflict', 'a-agent', 5)",
        "SELECT is_active || deactivated_at FROM entity_relationships WHERE id = 'a-edge'",
        "05",
    ),
];

#[test]
fn keepers_keep() {
    let db = filled();
    let silent: BTreeSet<String> =
        triggers(&db).into_iter().filter(|(_, t)| t.messages.is_empty()).map(|(name, _)| name).collect();
    let tested: BTreeSet<String> = KEEPERS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(silent, tested);
    for (name, act, ask, expected) in KEEPERS {
        let kept = undone(&db, || {
            db.execute_batch(act).unwrap_or_else(|e| panic!("{name}: {e}"));
            string(&db, ask)
        });
        assert_eq!(kept, *expected, "{name}");
        let unkept = undone(&db, || {
            db.execute_batch(&format!("DROP TRIGGER {name}; {act}")).unwrap();
            db.query_row(ask, [], |row| row.get::<_, Option<String>>(0)).unwrap()
        });
        assert_ne!(unkept.as_deref(), Some(*expected), "{name} is not what keeps this");
    }
}
