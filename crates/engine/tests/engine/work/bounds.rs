//! Lists have a bound, whatever was kept: what is long is cut short there, says so, and is had whole when it is asked for alone.

use super::guideline;
use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use um_engine::Caller;
use um_model::work::*;

const LONG: usize = 60_000;
/// No list of a few things is longer, in bytes.
const BOUND: usize = 20_000;

fn long() -> String {
    format!("{}end", "heron ".repeat(LONG / 6))
}

fn ask(rig: &Rig, operation: &str, request: Value) -> Value {
    rig.engine().call(&Caller::owner("test"), operation, request).unwrap_or_else(|error| panic!("{operation}: {error}"))
}

#[test]
fn what_is_long_is_cut_short_in_lists_and_whole_alone() {
    let rig = Rig::resting();
    let session = rig.run(SessionBegin::default()).unwrap().session.id;
    let event = json!({"kind": "user_message", "content": long()});
    let event = ask(&rig, "events_append", json!({"session": session, "events": [event]}))["events"][0].clone();
    let entry = rig.run(EntrySave { session: Some(session.clone()), ..guideline("Birds", &long()) }).unwrap().entry.id;
    rig.run(EntrySave { session: Some(session.clone()), ..guideline("Birds", "Count them.") }).unwrap();
    rig.run(EntrySave { session: Some(session.clone()), ..guideline("Birds", &format!("Again: {}", long())) }).unwrap();
    let put = |content: &str| {
        ask(&rig, "resource_put", json!({"uri": "pier", "content": content}));
    };
    put(&long());
    put("short");
    let resource = ask(&rig, "resource_get", json!({"uri": "pier"}))["id"].clone();
    let memory = rig.remember(&long());
    rig.run(MemoryPin { id: memory.id, pinned: true }).unwrap();
    let of = |item_type: &str, id: &Value| json!({"item_type": item_type, "id": id});
    let check = |operation: &str, request: Value, at: &str| {
        let told = ask(&rig, operation, request.clone());
        let size = told.to_string().len();
        assert!(size < BOUND, "{operation} {request}: {size}");
        let truncated = told.pointer(at).and_then(Value::as_u64);
        assert!(truncated.is_some_and(|whole| whole >= LONG as u64), "{operation} {request}: {truncated:?}");
    };
    check("events_list", json!({"session": session, "kinds": ["user_message"]}), "/events/0/truncated");
    // What a resource was set to stands in the event that setting it left.
    check("events_list", json!({"space": SPACE, "text": "put", "kinds": ["system_event"]}), "/events/1/truncated");
    check("entries_list", json!({"session": session}), "/entries/0/version/truncated");
    check("session_get", json!({"session": session, "events": 1}), "/entries/0/version/truncated");
    check("versions_list", of("entry", &json!(entry)), "/versions/0/truncated");
    check("versions_list", of("resource", &resource), "/versions/1/truncated");
    check(
        "items_query",
        json!({"session": session, "versions": true, "types": ["entry"]}),
        "/items/0/versions/1/truncated",
    );
    check("blocks_list", json!({}), "/pinned/0/truncated");

    let whole = |operation: &str, request: Value, at: &str| {
        let told = ask(&rig, operation, request.clone());
        assert_eq!(told.pointer(at).and_then(Value::as_str), Some(long().as_str()), "{operation} {request}");
        assert!(!told.to_string().contains("truncated"), "{operation} {request}");
    };
    whole("events_list", json!({"event": event}), "/events/0/content");
    let version = |item_type: &str, id: &Value| json!({"item_type": item_type, "id": id, "version": 1});
    whole("versions_list", version("entry", &json!(entry)), "/versions/0/says/content");
    whole("versions_list", version("resource", &resource), "/versions/0/says/content");
    whole("entry_get", json!({"id": entry, "version": 1}), "/entry/version/body/content");
}

#[test]
fn tags_come_in_pages() {
    let rig = Rig::resting();
    let entry = rig.run(guideline("Birds", "Count them.")).unwrap().entry.id.to_string();
    for part in 0..30 {
        let tags = (0..20).map(|number| format!("zz {part} {number}")).collect();
        rig.run(TagAttach { item_type: ItemType::Entry, id: entry.clone(), tags }).unwrap();
    }
    let page = |offset: u32, limit: Option<u32>| rig.run(TagsList { offset, limit, ..TagsList::default() }).unwrap();
    let first = page(0, None);
    assert_eq!((first.tags.len(), first.more), (500, true));
    let rest = page(500, None);
    assert!(!rest.more && rest.tags.len() >= 100);
    assert_eq!(page(0, Some(9_000)).tags.len(), 500 + rest.tags.len());
}

#[test]
fn versions_and_resources_of_then_are_told_as_they_were() {
    let rig = Rig::resting();
    let set = |request: Value| ask(&rig, "block_set", request);
    let label = json!({"label": "pier", "content": "Mind it.", "authority": 20, "metadata": {"why": "wet"}});
    let block = set(label)["block"]["id"].clone();
    set(json!({"label": "pier", "content": "Mind it.", "authority": 80, "read_only": true, "metadata": {}}));
    let says = |item_type: &str, id: &Value, version: u32| {
        let asked = json!({"item_type": item_type, "id": id, "version": version});
        ask(&rig, "versions_list", asked)["versions"][0]["says"].clone()
    };
    assert_eq!(
        says("core_block", &block, 1),
        json!({"content": "Mind it.", "authority": 20, "read_only": false, "metadata": {"why": "wet"}})
    );
    assert_eq!(says("core_block", &block, 2), json!({"content": "Mind it.", "authority": 80, "read_only": true}));
    let changed = ask(&rig, "versions_diff", json!({"item_type": "core_block", "id": block, "from": 1, "to": 2}));
    let fields: Vec<&str> =
        changed["fields"].as_array().unwrap().iter().filter_map(|one| one["field"].as_str()).collect();
    assert_eq!(fields, ["authority", "metadata", "read_only"]);

    let put = |request: Value| ask(&rig, "resource_put", request);
    put(json!({"uri": "root"}));
    let first = put(json!({"uri": "pier", "kind": "note", "content": "Wet.", "parent_uri": "root",
        "metadata": {"why": "rain"}}));
    let then = rig.now();
    rig.advance(1_000);
    let last = put(json!({"uri": "pier", "kind": "task", "content": "Dry.", "metadata": {"why": "sun"}}));
    let told = |as_of: Option<i64>| ask(&rig, "resource_get", json!({"uri": "pier", "as_of": as_of}));
    let fields = ["kind", "content", "parent_uri", "metadata", "source_event_ids", "version", "updated_at"];
    for (as_of, wanted) in [(Some(then), &first), (Some(rig.now()), &last), (None, &last)] {
        let told = told(as_of);
        for field in fields {
            assert_eq!(told[field], wanted[field], "{as_of:?} {field}");
        }
    }
    assert_eq!(
        says("resource", &first["id"], 1),
        json!({"title": "pier", "content": "Wet.", "kind": "note", "parent_uri": "root", "metadata": {"why": "rain"}})
    );
}
