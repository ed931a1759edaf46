//! The MCP tools: made from the list of operations, so that they cannot drift from it.

use crate::guides;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;
use std::sync::Arc;
use um_model::access::ToolProfile::{self, *};
use um_model::access::{Grant, Right};
use um_model::ops::{Effect, Operation};

/// A tool is shown in these profiles, besides `all`.
type Profiles = &'static [ToolProfile];

/// What every agent needs, whatever else it does.
const EVERY: Profiles = ToolProfile::ALL;
/// Nothing but `all`, and whoever was granted what it needs.
const GRANTED: Profiles = &[Review];

/// The operations that agents reach as tools, in the order in which they are listed, with the profiles that list them. Every
/// tool can be called whatever the list shows.
pub const TOOLS: &[(&str, Profiles)] = &[
    ("session_begin", &[Default, Work]),
    ("session_set", &[Work]),
    ("session_end", &[Default, Work]),
    ("session_discard", &[Work]),
    ("sessions_list", &[Work]),
    ("session_get", &[Work]),
    ("state_set", &[Default, Work]),
    ("state_get", &[Work]),
    ("events_append", &[Default, Work]),
    ("events_list", &[Work, Library]),
    ("context_compile", &[Default, Work, Knowledge]),
    ("context_hydrate", &[Default, Library]),
    ("drift_check", &[Work]),
    ("memory_remember", EVERY),
    ("memories_add", &[Library]),
    ("memory_ingest", &[Default, Library]),
    ("memory_recall", EVERY),
    ("recall_explain", &[Library]),
    ("trace_feedback", &[Default, Library]),
    ("memory_get", EVERY),
    ("memory_confirm", &[Library]),
    ("memory_tier", &[Library]),
    ("memory_distill", &[Library]),
    ("event_promote", &[Library]),
    ("entry_save", &[Default, Knowledge]),
    ("entry_get", &[Default, Knowledge]),
    ("entries_list", &[Knowledge]),
    ("entry_disable", &[Knowledge]),
    ("entry_enable", &[Knowledge]),
    ("versions_list", &[Knowledge]),
    ("versions_diff", &[Knowledge]),
    ("clashes_list", &[Knowledge]),
    ("clash_resolve", &[Knowledge]),
    ("blocks_list", &[Knowledge]),
    ("block_set", &[Knowledge]),
    ("resource_put", &[Default, Work]),
    ("resources_browse", &[Default, Work]),
    ("resource_get", &[Work]),
    ("resource_remove", &[Library]),
    ("tags_list", &[Knowledge]),
    ("tag_create", &[Library]),
    ("tag_attach", &[Default, Knowledge]),
    ("tag_detach", &[Knowledge]),
    ("relation_add", &[Default, Knowledge]),
    ("relation_end", &[Knowledge]),
    ("relations_list", &[Knowledge]),
    ("relations_walk", &[Knowledge]),
    ("items_query", &[Default, Work, Knowledge]),
    ("verification_add", &[Work]),
    ("verifications_list", &[Library]),
    ("spaces_list", EVERY),
    ("artifacts_list", &[Library]),
    ("jobs_status", &[Library]),
    ("facts_add", &[Default, Beliefs]),
    ("facts_search", &[Default, Beliefs]),
    ("entity_get", &[Default, Beliefs]),
    ("claim_explain", &[Default, Beliefs]),
    ("lock_checkout", &[Work]),
    ("lock_checkin", &[Work]),
    ("locks_list", &[Work]),
    ("graph_traverse", &[Beliefs]),
    ("conflicts_list", &[Default, Beliefs]),
    ("conflicts_resolve", &[Beliefs]),
    ("findings_list", GRANTED),
    ("findings_decide", GRANTED),
    ("redaction_apply", GRANTED),
    ("forget_preview", GRANTED),
    ("forget_execute", GRANTED),
    ("promotion_request", &[Beliefs, Review]),
    ("promotions_list", &[Beliefs, Review]),
    ("promotion_show", &[Beliefs, Review]),
    ("promotion_decide", GRANTED),
    ("membership_set", GRANTED),
];

/// The names of all tools.
pub fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|(name, _)| *name)
}

/// The operations that are no tools, each with the reason. The JSON-RPC door has no such list: it has all.
pub const NOT_TOOLS: &[(&str, &str)] = &[
    ("space_create", "the person decides what spaces there are"),
    ("space_edit", "the person decides what spaces there are"),
    ("space_mask", "the person decides what is hidden from agents"),
    ("audit_list", "who did what is the person's to see"),
    ("audit_verify", "administration"),
    ("audit_export", "who did what is the person's to see"),
    ("access_get", "who may read what is the person's to see"),
    ("agents_list", "who may read what is the person's to see"),
    ("agent_edit", "the person decides who may do what"),
    ("agent_pair", "the person decides who comes in"),
    ("agent_revoke", "the person decides who comes in"),
    ("pairing_decide", "the person decides who comes in"),
    ("requests_list", "what other agents ask is the person's to see"),
    ("overlay_set", "the person decides what is read with what"),
    ("traces_list", "what was asked before is the person's to see"),
    ("trace_get", "how the product ranks is the person's to look into"),
    ("trace_replay", "the person's to check"),
    ("contexts_list", "an agent has the id of each pack that it was given; the person looks back at them"),
    ("search_save", "the person's own questions"),
    ("searches_list", "the person's own questions"),
    ("search_drop", "the person's own questions"),
    ("artifact_get", "memory_get answers it"),
    ("artifact_remove", "the person decides what leaves recall"),
    ("artifact_restore", "the person decides what comes back"),
    ("artifact_reread", "the person's to ask for"),
    ("artifact_unlock", "passwords are the person's"),
    ("memories_status", "memory_get tells it of each"),
    ("view_read", "memory_get answers it"),
    ("media_read", "bytes for display in the window"),
    ("call_cancel", "an agent cancels its own request by MCP's own notification"),
    ("job_cancel", "the person's work"),
    ("job_retry", "the person's work"),
    ("lock_force", "only the person takes a file away from an agent"),
    ("work_pause", "the person's work"),
    ("watch_add", "the person decides what is watched"),
    ("watches_list", "paths of the person's folders"),
    ("watch_remove", "the person decides what is watched"),
    ("models_list", "administration"),
    ("model_add", "administration"),
    ("model_download", "administration"),
    ("health_check", "administration"),
    ("index_reembed", "administration"),
    ("entities_list", "facts_search finds who and what is spoken of"),
    ("entities_resolve", "entity_get finds a name, and lists whom it may mean"),
    ("entity_merge", "the person decides who is one"),
    ("entity_share", "the person decides what every space may name"),
    ("entity_unmerge", "the person decides who is two"),
    ("entity_edit", "the person decides what things are called"),
    ("candidates_list", "the person decides whom a name means"),
    ("candidates_decide", "the person decides whom a name means"),
    ("candidates_reopen", "the person takes decisions back"),
    ("held_list", "the person looks through what is proposed"),
    ("held_decide", "the person decides what is proposed"),
    ("claim_retract", "an agent adds what speaks against a fact; the person takes it back"),
    ("decisions_list", "the person looks back at what was decided"),
    ("conflicts_reopen", "the person takes decisions back"),
    ("predicates_list", "facts_add says what is new, and umem call reaches it"),
    ("ids_find", "agents have whole ids"),
    ("predicate_define", "the person decides what contradicts what"),
    ("finding_add", "the person decides what is blacked out"),
    ("findings_mark", "the person decides what is blacked out"),
    ("redactions_list", "the person looks through what is personal"),
    ("forget_show", "the person decides what is forgotten"),
    ("forget_export", "the person decides what is forgotten"),
    ("rows_purge", "the person decides what is removed for good"),
    ("forget_allow", "the person decides what comes in again"),
    ("memory_remove", "the person decides what leaves recall"),
    ("memory_restore", "the person decides what comes back"),
    ("memory_expire", "the person decides what leaves recall"),
    ("memory_archive", "the person decides what is destroyed"),
    ("block_remove", "standing rules are the person's to end"),
    ("relation_remove", "an agent ends a relation; the person takes one back"),
    ("memory_pin", "what every agent always reads is the person's"),
    ("settings_get", "administration"),
    ("settings_set", "administration"),
    ("llm_test", "the language model is the person's to turn on"),
    ("status_get", "administration"),
];

/// The tools that an agent of these rights and grants can use and that a profile lists. What was granted to it beyond its roles
/// is listed with every profile.
pub fn for_agent(rights: &[Right], grants: &[Grant], profile: ToolProfile) -> Vec<Tool> {
    let is_shown = |name: &str, profiles: Profiles| {
        profile == ToolProfile::All || profiles.contains(&profile) || !um_engine::is_open(name, rights, &[])
    };
    let usable =
        TOOLS.iter().filter(|(name, profiles)| um_engine::is_open(name, rights, grants) && is_shown(name, profiles));
    usable.filter_map(|(name, _)| um_model::ops::operation(name)).map(tool).collect()
}

/// All tools.
pub fn all() -> Vec<Tool> {
    for_agent(Right::ALL, Grant::ALL, ToolProfile::All)
}

/// The operation behind a tool.
pub fn operation(name: &str) -> Option<&'static Operation> {
    names().find(|known| *known == name).and_then(um_model::ops::operation)
}

fn tool(operation: &Operation) -> Tool {
    let description = guides::description(operation.name, operation.summary);
    Tool::new(operation.name, description, object_schema((operation.request_schema)()))
        .with_title(title(operation.name))
        .with_raw_output_schema(object_schema((operation.response_schema)()))
        .with_annotations(annotations(operation.effect))
}

/// `memory_recall` as people read it: `Memory recall`.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What the effect promises (ruling 43). Everything happens on this machine, so the world is closed; what
/// is written can be written again without a second effect, as [`Effect::Writes`] says.
fn annotations(effect: Effect) -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(effect == Effect::Reads)
        .destructive(effect == Effect::Destroys)
        .idempotent(effect != Effect::Destroys)
        .open_world(false)
}

/// MCP wants an object at the root of every schema, and clients complain about formats that JSON Schema
/// does not define, such as `uint32`.
fn object_schema(mut schema: Value) -> Arc<JsonObject> {
    remove_formats(&mut schema);
    let mut object = match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    };
    object.insert("type".to_owned(), Value::from("object"));
    Arc::new(object)
}

fn remove_formats(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("format").is_some_and(Value::is_string) {
                object.remove("format");
            }
            object.values_mut().for_each(remove_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_formats),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::ops::OPERATIONS;

    #[test]
    fn every_operation_is_a_tool_or_a_written_exception() {
        for operation in OPERATIONS {
            let tool = names().any(|name| name == operation.name);
            let exception = NOT_TOOLS.iter().any(|(name, _)| *name == operation.name);
            assert!(tool != exception, "{} must stand in TOOLS or, with a reason, in NOT_TOOLS", operation.name);
        }
        assert_eq!(TOOLS.len() + NOT_TOOLS.len(), OPERATIONS.len(), "a list names an operation that is gone");
    }

    #[test]
    fn tools_are_few_described_and_truly_annotated() {
        let tools = all();
        assert_eq!(tools.iter().map(|t| t.name.as_ref()).collect::<Vec<_>>(), names().collect::<Vec<_>>());
        for profile in ToolProfile::ALL.iter().filter(|profile| **profile != All) {
            let listed = for_agent(Right::ALL, &[], *profile).len();
            assert!((4..25).contains(&listed), "{profile} lists {listed}: no agent chooses well among more");
        }
        for tool in &tools {
            let effect = operation(&tool.name).unwrap().effect;
            let hints = tool.annotations.as_ref().unwrap();
            assert_eq!(hints.read_only_hint, Some(effect == Effect::Reads));
            assert_eq!(hints.destructive_hint, Some(effect == Effect::Destroys));
            assert_eq!(hints.open_world_hint, Some(false));
            assert!(!tool.description.as_ref().unwrap().is_empty());
            assert_eq!(tool.input_schema["type"], "object");
            assert_eq!(tool.output_schema.as_ref().unwrap()["type"], "object");
            let text = serde_json::to_string(tool).unwrap();
            assert!(!text.contains("\"format\""), "{}: {text}", tool.name);
        }
    }
}
