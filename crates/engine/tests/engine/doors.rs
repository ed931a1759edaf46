//! What was forgotten comes in by no door: each operation by which agents write, each string of its request.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use um_engine::{Caller, is_open};
use um_model::EntityId;
use um_model::access::{Grant, Right};
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::ops::{Effect, OPERATIONS};
use um_model::spaces::SpaceCreate;

const FORGOTTEN: &str = "carla.voss@firma.example";

fn forget(rig: &Rig, what: ForgetWhat) {
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
}

/// Where the forgotten value stands, in which column of which table.
fn said_in(rig: &Rig) -> Vec<String> {
    let db = rig.db();
    let list = |sql: &str| -> Vec<String> {
        let mut rows = db.prepare(sql).unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let mut found = Vec::new();
    for table in list("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%USING vec0%'") {
        for column in list(&format!("SELECT name FROM pragma_table_info('{table}')")) {
            let says = format!(
                "SELECT count(*) FROM \"{table}\" WHERE instr(lower(CAST(\"{column}\" AS TEXT)), 'carla.voss')"
            );
            if db.query_row(&says, [], |row| row.get::<_, i64>(0)).is_ok_and(|count| count > 0) {
                found.push(format!("{table}.{column}"));
            }
        }
    }
    found
}

/// The paths of all strings that a schema has room for; `{}` for the name of a field that is free, `0` for the first of a list.
pub fn strings(root: &Value, schema: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        return strings(root, root.pointer(name.trim_start_matches('#')).unwrap(), at, found);
    }
    for any in ["anyOf", "allOf", "oneOf"] {
        schema[any].as_array().into_iter().flatten().for_each(|one| strings(root, one, at, found));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    if types.contains(&"string") && schema["enum"].is_null() && schema["const"].is_null() {
        found.push(at.to_owned());
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        strings(root, field, &format!("{at}/{name}"), found);
    }
    if schema["additionalProperties"].is_object() {
        found.push(format!("{at}/{{}}"));
        strings(root, &schema["additionalProperties"], &format!("{at}/any"), found);
    }
    if schema["items"].is_object() {
        strings(root, &schema["items"], &format!("{at}/0"), found);
    }
}

/// Puts the value there, making what lies on the way.
pub fn put(value: &mut Value, path: &[&str], said: &str) {
    let Some((first, rest)) = path.split_first() else {
        *value = said.into();
        return;
    };
    if *first == "0" {
        if value.as_array().is_none_or(Vec::is_empty) {
            *value = json!([null]);
        }
        return put(&mut value[0], rest, said);
    }
    if !value.is_object() {
        *value = json!({});
    }
    match *first {
        "{}" => value[said] = "x".into(),
        name => put(&mut value[name], rest, said),
    }
}

/// Valid requests of an operation that writes; each call makes others, as some can be carried out once only.
fn valid(rig: &Rig, agent: &Caller, operation: &str, number: usize) -> Vec<Value> {
    let owner = Caller::owner("test");
    let call = |operation: &str, request: Value| rig.engine().call(&owner, operation, request).unwrap();
    let text = format!("The favourite colour of Orla Finch is blue {number}.");
    let kept = || call("memory_remember", json!({"text": text, "space": SPACE}))["memory"]["id"].clone();
    let fact = || json!({"subject": "Orla Finch", "predicate": "favourite_colour", "object": format!("blue {number}")});
    let agents = |operation: &str, request: Value| rig.engine().call(agent, operation, request).unwrap();
    let session = || agents("session_begin", json!({"purpose": "Mend the pier"}))["session"]["id"].clone();
    let entry = || {
        let name = format!("Rule {number}");
        call("entry_save", json!({"entry_type": "guideline", "name": name, "body": {"content": text}}))
    };
    match operation {
        "memory_remember" => {
            let more = json!({"text": text, "space": SPACE, "kind": "raw", "artifact_ref": "file:///boat", "record_kind": "decision",
                "confidence_label": "inferred", "importance": 0.9, "metadata": {"a": "b"}});
            vec![json!({"text": text, "space": SPACE}), more]
        }
        "memories_add" => {
            let more = json!({"text": text, "title": "A boat", "metadata": {"a": "b"}});
            vec![json!({"space": SPACE, "memories": [more, {"text": format!("Blue, they say {number}.")}]})]
        }
        "memory_confirm" => vec![json!({"id": kept(), "label": "observed"})],
        "memory_tier" => {
            let own = agents("memory_remember", json!({"text": text, "space": SPACE}));
            vec![json!({"id": own["memory"]["id"], "tier": "hot"})]
        }
        "memory_distill" => {
            let raw =
                call("memory_remember", json!({"text": text, "space": SPACE, "kind": "raw"}))["memory"]["id"].clone();
            vec![json!({"id": raw}), json!({"id": raw, "text": format!("Blue, they say {number}.")})]
        }
        "event_promote" => {
            let event = json!({"kind": "user_message", "content": text});
            let event = agents("events_append", json!({"events": [event]}))["events"][0].clone();
            vec![json!({"event": event, "text": text, "title": "A boat", "record_kind": "decision", "importance": 0.9})]
        }
        "memory_ingest" => {
            let path = rig.file(&format!("{number}.txt"), &text);
            vec![json!({"paths": [path.display().to_string()], "space": SPACE})]
        }
        "facts_add" => {
            let mut quoting = fact();
            quoting["memory_id"] = kept();
            vec![json!({"space": SPACE, "facts": [fact()]}), json!({"space": SPACE, "facts": [quoting]})]
        }
        "conflicts_resolve" => {
            let born =
                |place: &str| json!({"subject": format!("Dora {number}"), "predicate": "born_in", "object": place});
            call("facts_add", json!({"space": SPACE, "facts": [born("Leeds"), born("Porto")]}));
            let open = call("conflicts_list", json!({"space": SPACE}));
            let conflict = &open["conflicts"][0]["id"];
            vec![
                json!({"conflict": conflict, "resolution": "manual_override", "value": "Turin", "notes": "they said so"}),
            ]
        }
        "entry_save" => {
            let guideline =
                json!({"rationale": "So we agreed.", "content": text, "examples": {"good": ["a"], "bad": ["b"]}});
            let tool = json!({"description": text, "parameters": {"required": ["path"], "schema": {"type": "object"}},
                "constraints": "slow", "examples": [{"description": "all", "input": "x", "output": "y"}]});
            let entry = |of: &str, body: Value| {
                json!({"entry_type": of, "name": format!("Note {number}"), "body": body, "tags": ["rust"],
                    "change_reason": "They asked.", "metadata": {"git_branch": "main"}})
            };
            vec![entry("guideline", guideline), entry("tool", tool)]
        }
        "entry_disable" | "entry_enable" => {
            vec![json!({"id": entry()["entry"]["id"]})]
        }
        "trace_feedback" => {
            kept();
            let trace = agents("memory_recall", json!({"query": text, "space": SPACE}))["trace"].clone();
            vec![
                json!({"id": trace, "feedback": "correction", "correction": text}),
                json!({"id": trace, "feedback": "negative", "answer": text}),
                json!({"id": trace, "answer": text}),
            ]
        }
        "clash_resolve" => {
            entry();
            let again =
                json!({"entry_type": "guideline", "name": format!("Rule {number}"), "body": {"content": "Other."}});
            let clash = call("entry_save", again)["conflict"].clone();
            vec![json!({"clash": clash, "outcome": "merged", "body": {"content": text}, "note": "They said so."})]
        }
        "tag_create" => vec![json!({"space": SPACE, "name": format!("tag {number}"), "description": text})],
        "tag_attach" | "tag_detach" => vec![json!({"item_type": "memory", "id": kept(), "tags": ["rust"]})],
        "relation_add" | "relation_end" => {
            let rule = json!({"item_type": "entry", "id": entry()["entry"]["id"]});
            let memory = json!({"item_type": "memory", "id": kept()});
            let related = json!({"from": rule, "to": memory, "relation_type": "supports"});
            match operation {
                "relation_add" => vec![related],
                _ => vec![json!({"relation": call("relation_add", related)["id"]})],
            }
        }
        "verification_add" => {
            vec![json!({"item_type": "memory", "id": kept(), "status": "failed", "checker": "test", "detail": text})]
        }
        "session_begin" => {
            vec![
                json!({"name": format!("Run {number}"), "purpose": text, "client_ref": format!("run-{number}"), "metadata": {"a": "b"}}),
            ]
        }
        "session_set" => vec![json!({"session": session(), "name": "Run", "purpose": text, "metadata": {"a": "b"}})],
        "session_end" => {
            let event = json!({"kind": "user_message", "content": text, "metadata": {"a": "b"}});
            vec![json!({"session": session(), "summary": text, "transcript": [event]})]
        }
        "session_discard" => vec![json!({"session": session()})],
        "state_set" => {
            vec![
                json!({"session": session(), "current_goal": text, "summary": text, "working_set": ["a.rs"], "metadata": {"a": "b"}}),
            ]
        }
        "events_append" => {
            let event = json!({"kind": "tool_call", "content": text, "metadata": {"tool": "grep"}});
            vec![json!({"session": session(), "events": [event]})]
        }
        "lock_checkout" => vec![json!({"path": format!("src/{number}.rs"), "note": text})],
        "lock_checkin" => {
            agents("lock_checkout", json!({"path": format!("src/{number}.rs")}));
            vec![json!({"path": format!("src/{number}.rs"), "space": SPACE})]
        }
        "block_set" => {
            vec![
                json!({"label": format!("rule {number}"), "content": text, "change_reason": "They said so.", "space": SPACE}),
            ]
        }
        "resource_put" => {
            call("resource_put", json!({"uri": "root", "space": SPACE}));
            let uri = format!("root/{number}");
            vec![json!({"uri": uri, "parent_uri": "root", "title": "A boat", "content": text, "space": SPACE})]
        }
        "resource_remove" => {
            let put = call("resource_put", json!({"uri": format!("gone {number}"), "space": SPACE}));
            vec![json!({"id": put["id"]})]
        }
        "promotion_request" => vec![json!({"kind": "memory", "id": kept(), "to": "Other"})],
        "promotion_decide" => {
            let asked = call("promotion_request", json!({"kind": "memory", "id": kept(), "to": "Other"}));
            vec![json!({"id": asked["id"], "decision": "reject"})]
        }
        "findings_decide" => vec![json!({"decision": "accept", "all": {"memory": kept()}})],
        "redaction_apply" => vec![json!({"memory": kept()})],
        "forget_execute" => {
            let plan = call("forget_preview", json!({"memory": kept(), "space": SPACE}));
            vec![json!({"memory": kept(), "space": SPACE, "token": plan["token"]})]
        }
        "membership_set" => {
            call("agent_pair", json!({"name": format!("helper {number}"), "spaces": [SPACE]}));
            vec![json!({"space": SPACE, "agent": format!("helper {number}"), "role": "observer"})]
        }
        other => panic!("{other} writes for agents: say here what it is asked"),
    }
}

#[test]
fn no_string_of_no_request_brings_it_back() {
    let rig = Rig::new();
    rig.run(SpaceCreate { name: "Other".into(), ..SpaceCreate::default() }).unwrap();
    let secret = rig.secret_of("probe", &[SPACE, "Other"], &[]);
    for space in [SPACE, "Other"] {
        let leads = json!({"space": space, "agent": "probe", "role": "leader", "grants": Grant::ALL});
        rig.engine().call(&Caller::owner("test"), "membership_set", leads).unwrap();
    }
    let agent = Caller::agent(rig.admit(&secret, "probe").unwrap(), "agent");
    rig.open_to("probe", &[&rig.folder()]).unwrap();
    let told = rig.remember(&format!("Write to {FORGOTTEN} about the boat."));
    rig.settled();
    forget(&rig, ForgetWhat { memory: Some(told.id), ..ForgetWhat::default() });
    assert_eq!(said_in(&rig), Vec::<String>::new());
    let elsewhere = rig.file(&format!("{FORGOTTEN}/oar.txt"), "The oar is red.").display().to_string();

    let mut number = 0;
    let mut next = || {
        number += 1;
        number
    };
    let writes = OPERATIONS.iter().filter(|known| known.effect != Effect::Reads);
    for operation in writes.filter(|known| is_open(known.name, Right::ALL, Grant::ALL)) {
        let name = operation.name;
        let call = |request: &Value| rig.engine().call(&agent, name, request.clone());
        let asked = valid(&rig, &agent, name, next()).len();
        for which in 0..asked {
            let request = valid(&rig, &agent, name, next()).remove(which);
            let answer = call(&request);
            assert!(answer.is_ok() || operation.effect == Effect::Destroys, "{name} {request}: {answer:?}");
            let schema = (operation.request_schema)();
            let mut paths = Vec::new();
            strings(&schema, &schema, "", &mut paths);
            assert!(!paths.is_empty(), "{name}");
            for path in paths {
                let mut request = valid(&rig, &agent, name, next()).remove(which);
                let said = if path == "/paths/0" { &elsewhere } else { FORGOTTEN };
                put(&mut request, &path.split('/').skip(1).collect::<Vec<_>>(), said);
                let answer = call(&request);
                rig.settled();
                assert_eq!(said_in(&rig), Vec::<String>::new(), "{name} {path}: {request} {answer:?}");
            }
        }
    }
}

/// A file that is watched, and one in a folder: names count however their words are joined.
#[test]
fn no_file_brings_it_back_by_its_name_or_its_folder() {
    let rig = Rig::new();
    let jetty = rig.file("watched/jetty.txt", "The jetty is long.");
    rig.watch(|watch| watch.path = rig.folder().join("watched").display().to_string());
    rig.compared();
    let named = json!({"subject": "Quirin Zaboth", "predicate": "lives_in", "object": "Leeds"});
    let request = json!({"space": SPACE, "facts": [named]});
    let added = rig.engine().call(&Caller::owner("test"), "facts_add", request).unwrap();
    let entity = added["facts"][0]["claim"]["subject"]["id"].as_str().map(|id| EntityId::parse(id).unwrap());
    rig.settled();
    forget(&rig, ForgetWhat { entity, ..ForgetWhat::default() });
    std::fs::rename(&jetty, jetty.with_file_name("quirin_zaboth.txt")).unwrap();
    rig.rescan();
    rig.settled();
    assert_eq!(rig.titles("jetty"), Vec::<String>::new());
    for name in ["Quirin Zaboth/oar.txt", "quirin-zaboth.txt", "of Quirin_Zaboth.2024/oar.txt"] {
        let path = rig.file(name, "The oar is red.");
        let error = rig.ingest_path(SPACE, &path).remove(0).error;
        assert_eq!(error.map(|error| error.code), Some(um_model::ErrorCode::Forgotten), "{name}");
    }
    let says = "SELECT count(*) FROM watched_files WHERE lower(rel_path) LIKE '%quirin%'";
    assert_eq!(rig.count(says), 0);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts WHERE lower(source_path) LIKE '%quirin%'"), 0);
}
