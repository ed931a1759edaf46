//! The ledger has an entry of everything that is changed, and no entry says what was said.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use um_engine::{Caller, Progress};
use um_model::access::AgentsList;
use um_model::audit::{AuditEvent, AuditList};
use um_model::capture::MemoryIngest;
use um_model::health::SettingsSet;
use um_model::jobs::CallCancel;
use um_model::llm::{LlmChange, Secret};
use um_model::ops::{Effect, OPERATIONS};

/// What the owner is answered.
fn call(rig: &Rig, operation: &str, request: Value) -> Value {
    let answer = rig.engine().call(&Caller::owner("test"), operation, request.clone());
    answer.unwrap_or_else(|error| panic!("{operation} {request}: {error}"))
}

fn entries(rig: &Rig) -> i64 {
    rig.count("SELECT count(*) FROM audit_events")
}

fn events(rig: &Rig) -> Vec<AuditEvent> {
    rig.run(AuditList { limit: Some(1_000), ..AuditList::default() }).unwrap().events
}

/// Things of a rig that requests are about; each is made anew.
struct Things<'a>(&'a Rig);

impl Things<'_> {
    fn call(&self, operation: &str, request: Value) -> Value {
        call(self.0, operation, request)
    }

    fn memory(&self, text: &str) -> Value {
        self.call("memory_remember", json!({"text": text, "space": SPACE}))["memory"]["id"].clone()
    }

    fn file(&self, name: &str) -> Value {
        json!(self.0.ingest(name, format!("The oar of {name} is red.")))
    }

    fn read_file(&self, name: &str) -> Value {
        let file = self.file(name);
        self.0.settled();
        file
    }

    /// A fact of somebody, as it was added.
    fn fact(&self, who: &str, predicate: &str, what: &str) -> Value {
        let fact = json!({"subject": who, "predicate": predicate, "object": what});
        self.0.advance(1);
        self.call("facts_add", json!({"space": SPACE, "facts": [fact]}))["facts"][0].clone()
    }

    fn entity(&self, who: &str) -> Value {
        self.fact(who, "likes", "tea")["claim"]["subject"]["id"].clone()
    }

    fn conflict(&self, who: &str) -> Value {
        self.fact(who, "born_in", "Leeds");
        self.fact(who, "born_in", "Porto")["conflicts"][0].clone()
    }

    fn agent(&self, name: &str) -> Value {
        self.call("agent_pair", json!({"name": name, "spaces": [SPACE]}));
        json!(name)
    }

    fn merged(&self, one: &str, other: &str) -> Value {
        let (keep, merge) = (self.entity(one), self.entity(other));
        self.call("entity_merge", json!({"keep": keep, "merge": merge}));
        let db = self.0.db();
        db.query_row("SELECT id FROM entity_merges ORDER BY rid DESC LIMIT 1", [], |row| row.get::<_, String>(0))
            .unwrap()
            .into()
    }

    /// A name that may mean two.
    fn held(&self, name: &str) -> (Value, Value) {
        let both = ["Smith", "Lee"].map(|family| {
            let entity = self.entity(&format!("{name} {family}"));
            self.call("entity_edit", json!({"entity": entity, "alias": name}));
            entity
        });
        self.0.ingest(&format!("{name}.txt"), format!("Some notes.\nNora Quist reports to {name}.\n"));
        self.0.settled();
        let waiting = self.call("candidates_list", json!({}))["candidates"][0].clone();
        (waiting["id"].clone(), both[0].clone())
    }

    fn promotion(&self, text: &str) -> Value {
        let memory = self.memory(text);
        self.call("promotion_request", json!({"kind": "memory", "id": memory, "to": "Other"}))["id"].clone()
    }

    /// A job that waits, as all work is paused.
    fn job(&self, name: &str) -> Value {
        self.call("work_pause", json!({"paused": true}));
        let file = self.file(name);
        self.call("artifact_get", json!({"id": file}))["reading"]["id"].clone()
    }

    fn planned(&self, text: &str) -> Value {
        let memory = self.memory(text);
        self.0.settled();
        let plan = self.call("forget_preview", json!({"memory": memory}));
        json!({"memory": memory, "token": plan["token"]})
    }

    fn forgotten(&self, text: &str) {
        let request = self.planned(text);
        self.call("forget_execute", request);
    }

    fn marked(&self, words: &str) -> Value {
        let memory = self.memory(&format!("They call it {words} there."));
        self.0.settled();
        self.call("findings_mark", json!({"words": words, "memory": memory}));
        memory
    }

    fn raw(&self) -> Value {
        let raw = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1d";
        let sql =
            "INSERT INTO memories (id, content, content_hash, scope, valid_from, created_at, space_id, actor_id, layer)
                   VALUES (?1, 'they said so', 'h', 'fact', 1, 1, ?2, ?3, 'raw')";
        self.0.db().execute(sql, [raw, SPACE, um_model::OWNER_AGENT]).unwrap();
        json!(raw)
    }

    fn path(&self, name: &str) -> Value {
        json!(self.0.folder().join(name).display().to_string())
    }

    /// What relates a memory to its space.
    fn related(&self, text: &str) -> Value {
        let (memory, space) = (self.memory(text), json!({"item_type": "space", "id": SPACE}));
        json!({"from": {"item_type": "memory", "id": memory}, "to": space, "relation_type": "applies_to"})
    }

    fn session(&self) -> Value {
        self.call("session_begin", json!({}))["session"]["id"].clone()
    }

    /// A request of an operation that succeeds, once all is made that it needs.
    fn request(&self, operation: &str) -> Value {
        let finch = "The ferry of Orla Finch leaves at noon.";
        let rule =
            |name: &str, content: &str| json!({"entry_type": "guideline", "name": name, "body": {"content": content}});
        match operation {
            "memory_remember" => json!({"text": "The heron stands in the reeds.", "space": SPACE}),
            "memories_add" => {
                json!({"space": SPACE, "memories": [{"text": "The reeds are high."}, {"text": "The heron is gone."}]})
            }
            "memory_confirm" => json!({"id": self.memory("The tide is low."), "label": "verified"}),
            "memory_expire" => {
                json!({"id": self.memory("The tide is low today."), "expires_at": 9_000_000_000_000_i64})
            }
            "memory_tier" => json!({"id": self.memory("The tide is slow."), "tier": "cold"}),
            "memory_distill" => {
                let raw = json!({"text": "The tide is high.", "space": SPACE, "kind": "raw"});
                json!({"id": self.call("memory_remember", raw)["memory"]["id"]})
            }
            "event_promote" => {
                let event = json!({"kind": "user_message", "content": "The tide turns."});
                json!({"event": self.call("events_append", json!({"events": [event]}))["events"][0]})
            }
            "memory_ingest" => {
                let path = self.0.file("ingested.txt", "The jetty is long.");
                json!({"paths": [path.display().to_string()], "space": SPACE})
            }
            "memory_remove" => json!({"id": self.memory("The pier is long.")}),
            "memory_restore" => {
                let memory = self.memory("The quay is wet.");
                self.call("memory_remove", json!({"id": memory}));
                json!({"id": memory})
            }
            "memory_archive" => json!({"id": self.raw(), "reason": "no longer wanted"}),
            "space_create" => json!({"name": "New"}),
            "space_mask" => json!({"space": SPACE, "kinds": ["email"]}),
            "space_edit" => json!({"space": "Spare", "name": "Changed"}),
            "overlay_set" => json!({"space": "Other", "overlay": SPACE, "mode": "read_only"}),
            "agent_pair" => json!({"name": "newcomer", "spaces": [SPACE]}),
            "agent_edit" => json!({"agent": self.agent("edited"), "is_active": false}),
            "agent_revoke" => json!({"agent": self.agent("revoked")}),
            "membership_set" => json!({"space": SPACE, "agent": self.agent("member"), "trust_weight": 0.5}),
            "pairing_decide" => {
                self.0.admit(&"a".repeat(64), "asker").unwrap_err();
                let waiting = self.0.run(AgentsList {}).unwrap().waiting;
                json!({"id": waiting[0].id, "answer": "always"})
            }
            "audit_export" => json!({"path": self.path("ledger.jsonl")}),
            "artifact_remove" => json!({"id": self.read_file("removed.txt")}),
            "artifact_restore" => {
                let file = self.read_file("restored.txt");
                self.call("artifact_remove", json!({"id": file}));
                json!({"id": file})
            }
            "artifact_reread" => json!({"id": self.read_file("again.txt")}),
            "artifact_unlock" => json!({"id": self.read_file("locked.txt"), "password": "zorvexpass"}),
            "job_cancel" => json!({"id": self.job("cancelled.txt")}),
            "job_retry" => {
                let job = self.job("retried.txt");
                self.call("job_cancel", json!({"id": job}));
                json!({"id": job})
            }
            "work_pause" => json!({"paused": true}),
            "watch_add" => json!({"path": self.0.file("watched/a.txt", "A.").parent().unwrap(), "space": SPACE}),
            "watch_remove" => {
                let path = self.0.file("unwatched/a.txt", "B.").parent().unwrap().to_owned();
                json!({"id": self.call("watch_add", json!({"path": path, "space": SPACE}))["id"]})
            }
            "model_add" => json!({"path": self.0.file("model.bin", "speech model")}),
            "model_download" => json!({"id": "double-speech"}),
            "index_reembed" => json!({}),
            "facts_add" => {
                json!({"space": SPACE, "facts": [{"subject": "Dora", "predicate": "likes", "object": "tea"}]})
            }
            "entity_edit" => json!({"entity": self.entity("Edna"), "alias": "Eddy"}),
            "entity_merge" => json!({"keep": self.entity("Fred"), "merge": self.entity("Freddy")}),
            "entity_unmerge" => json!({"merge": self.merged("Gwen", "Gwendolyn")}),
            "entity_share" => json!({"entity": self.entity("Hugo")}),
            "candidates_decide" => {
                let (candidate, entity) = self.held("Jordan");
                json!({"candidate": candidate, "entity": entity})
            }
            "candidates_reopen" => {
                let (candidate, entity) = self.held("Robin");
                self.call("candidates_decide", json!({"candidate": candidate, "entity": entity}));
                self.0.settled();
                json!({"candidate": candidate})
            }
            "claim_retract" => json!({"claim": self.fact("Ida", "likes", "rain")["claim"]["id"]}),
            "conflicts_resolve" => json!({"conflict": self.conflict("Jack"), "resolution": "claim_a_wins"}),
            "conflicts_reopen" => {
                let conflict = self.conflict("Kate");
                self.call("conflicts_resolve", json!({"conflict": conflict, "resolution": "claim_a_wins"}));
                json!({"conflict": conflict})
            }
            "predicate_define" => json!({"space": SPACE, "predicate": {
                "name": "sails_with", "phrase": "sails with", "relates": true, "cardinality": "many_to_many"}}),
            "findings_decide" => {
                json!({"decision": "dismiss", "all": {"memory": self.memory("Write to ana@finch.example.")}})
            }
            "finding_add" => json!({"memory": self.memory(finch), "span": {"start": 4, "end": 9}}),
            "findings_mark" => json!({"memory": self.memory(finch), "words": "Orla Finch"}),
            "redaction_apply" => json!({"memory": self.marked("Deepwater")}),
            "forget_execute" => self.planned("The quince is ripe."),
            "forget_export" => {
                self.forgotten("The medlar is not.");
                json!({"path": self.path("report.json")})
            }
            "forget_allow" => {
                self.forgotten("The apple is red.");
                json!({"text": "The apple is red."})
            }
            "rows_purge" => {
                self.forgotten("The pear is green.");
                self.call("settings_set", json!({"compliance_mode": true}));
                json!({"dry_run": false})
            }
            "held_decide" => {
                let bot = self.0.agent_in("writer", &[SPACE], &[]);
                let text = "The deploy key is ghp_16C7e42F292c6912E7710c838347Ae178B4a, rotate it in May.";
                let request = json!({"text": text, "space": SPACE});
                self.0.engine().call(&bot, "memory_remember", request).unwrap_err();
                json!({"id": self.call("held_list", json!({}))["held"][0]["id"], "decision": "dismiss"})
            }
            "promotion_request" => json!({"kind": "memory", "id": self.memory("A copy."), "to": "Other"}),
            "promotion_decide" => json!({"id": self.promotion("No copy."), "decision": "reject"}),
            "settings_set" => json!({"theme": "dark"}),
            "llm_test" => {
                self.call("settings_set", json!({"llm": {"base_url": "http://127.0.0.1:9/v1", "model": "m"}}));
                json!({})
            }
            "entry_save" => rule("Heron", "The heron stands."),
            "entry_disable" => json!({"id": self.call("entry_save", rule("Reed", "The reed bends."))["entry"]["id"]}),
            "entry_enable" => {
                let entry = self.call("entry_save", rule("Rush", "The rush grows."))["entry"]["id"].clone();
                self.call("entry_disable", json!({"id": entry}));
                json!({"id": entry})
            }
            "clash_resolve" => {
                self.call("entry_save", rule("Moss", "The moss is dry."));
                let clash = self.call("entry_save", rule("Moss", "The moss is wet."))["conflict"].clone();
                json!({"clash": clash, "outcome": "keep_a"})
            }
            "tag_create" => json!({"name": "heron"}),
            "tag_attach" => json!({"item_type": "memory", "id": self.memory("A tag."), "tags": ["rust"]}),
            "tag_detach" => {
                let tagged = json!({"item_type": "memory", "id": self.memory("No tag."), "tags": ["rust"]});
                self.call("tag_attach", tagged.clone());
                tagged
            }
            "trace_feedback" => {
                let trace = self.call("memory_recall", json!({"query": "heron"}))["trace"].clone();
                json!({"id": trace, "feedback": "correction", "correction": "The heron is a crane."})
            }
            "search_save" => json!({"name": "Herons", "recall": {"query": "heron"}}),
            "search_drop" => {
                let saved = self.call("search_save", json!({"name": "Reeds", "recall": {"query": "reed"}}));
                json!({"id": saved["id"]})
            }
            "relation_add" => self.related("An added relation."),
            "relation_end" => json!({"relation": self.call("relation_add", self.related("An ended relation."))["id"]}),
            "relation_remove" => json!({"relation": self.call("relation_add", self.related("No relation."))["id"]}),
            "verification_add" => {
                let checked = self.memory("A check.");
                json!({"item_type": "memory", "id": checked, "status": "failed", "detail": "The reeds are gone."})
            }
            "session_begin" => json!({"purpose": "Watch the heron"}),
            "session_set" => json!({"session": self.session(), "status": "paused"}),
            "session_end" | "session_discard" => json!({"session": self.session()}),
            "state_set" => json!({"current_goal": "Watch the heron"}),
            "events_append" => json!({"events": [{"kind": "user_message", "content": "The heron flies."}]}),
            "lock_checkout" => json!({"path": "heron.rs"}),
            "lock_checkin" => json!({"lock": self.call("lock_checkout", json!({"path": "reed.rs"}))["id"]}),
            "lock_force" => json!({"lock": self.call("lock_checkout", json!({"path": "rush.rs"}))["id"]}),
            "block_set" => json!({"label": "heron", "content": "Leave it alone."}),
            "block_remove" => {
                let set = self.call("block_set", json!({"label": "reed", "content": "Leave it alone."}));
                json!({"block": set["block"]["id"]})
            }
            "memory_pin" => json!({"id": self.memory("A pin."), "pinned": true}),
            "resource_put" => json!({"uri": "heron://plan", "content": "A plan."}),
            "resource_remove" => {
                json!({"id": self.call("resource_put", json!({"uri": "reed://plan", "content": "A plan."}))["id"]})
            }
            other => panic!("{other} writes: say here what it is asked"),
        }
    }
}

/// What takes long is stopped while it goes on: the entries before and after that.
fn stopped_call(rig: &Arc<Rig>) -> (i64, i64) {
    for number in 0..3 {
        rig.file(&format!("many/{number}.txt"), format!("text {number}"));
    }
    let (seen, within) = (Arc::new(Mutex::new(None)), Arc::downgrade(rig));
    let told = seen.clone();
    let progress = Progress::new(move |call: &um_model::jobs::LongCall| {
        let rig = within.upgrade().unwrap();
        told.lock().unwrap().get_or_insert_with(|| {
            let before = entries(&rig);
            rig.run(CallCancel { id: call.id.clone() }).unwrap();
            (before, entries(&rig))
        });
    });
    let caller = Caller { progress, ..Caller::owner("test") };
    let paths = vec![rig.folder().join("many").display().to_string()];
    rig.engine().run(&caller, MemoryIngest { paths, space: SPACE.into(), ..MemoryIngest::default() }).unwrap();
    seen.lock().unwrap().expect("it told how far it was")
}

#[test]
fn every_operation_that_writes_leaves_an_entry() {
    let rig = Arc::new(Rig::new());
    for name in ["Other", "Spare"] {
        rig.space(name);
    }
    let things = Things(&rig);
    let mut silent = Vec::new();
    for operation in OPERATIONS.iter().filter(|known| known.effect != Effect::Reads) {
        let (before, after) = match operation.name {
            "call_cancel" => stopped_call(&rig),
            name => {
                let request = things.request(name);
                // Nothing else writes meanwhile; of a job that waits, all work is paused already.
                if !rig.jobs().paused {
                    rig.settled();
                }
                let before = entries(&rig);
                call(&rig, name, request);
                (before, entries(&rig))
            }
        };
        if after <= before {
            silent.push(operation.name);
        }
        rig.wake();
        rig.settled();
    }
    assert_eq!(silent, [""; 0], "nothing of these is in the ledger");
    let told = serde_json::to_string(&events(&rig)).unwrap();
    for said in
        ["zorvexpass", "127.0.0.1", "Orla", "Deepwater", "ghp_", "ana@finch", "model.bin", "ledger.jsonl", "reeds"]
    {
        assert!(!told.contains(said), "{said} stands in the ledger");
    }
}

#[test]
fn of_settings_the_ledger_has_the_names_and_of_an_address_a_keyed_hash() {
    let rig = Rig::resting();
    let last = || events(&rig).remove(0);
    let set = |request: SettingsSet| drop(rig.run(request).unwrap());
    let to = |url: &str, key: Option<&str>| {
        let llm = LlmChange { base_url: Some(url.into()), key: key.map(Secret::new), ..LlmChange::default() };
        set(SettingsSet { llm: Some(llm), ..SettingsSet::default() });
        let payload = last().payload;
        let hash = payload["sent_to"].as_str().unwrap().to_owned();
        assert!(hash.len() == 64 && !payload.to_string().contains("host"), "{payload}");
        (payload["keys"].clone(), hash)
    };
    set(SettingsSet { theme: Some("dark".into()), close_to_tray: Some(true), ..SettingsSet::default() });
    let event = last();
    assert_eq!(event.event_type, "settings.changed");
    assert_eq!(event.payload, json!({"keys": ["user.theme", "user.close_to_tray"]}));
    let (keys, one) = to("https://one.host.example/v1", Some("sk-secret"));
    assert_eq!(keys, json!(["user.llm.base_url", "user.llm.key"]));
    let (keys, other) = to("https://other.host.example/v1", None);
    assert_eq!(keys, json!(["user.llm.base_url", "user.llm.key"]), "the key went with its host");
    let (keys, again) = to("https://one.host.example/v1", None);
    assert_eq!(keys, json!(["user.llm.base_url"]), "there was none");
    assert!(one == again && one != other);
    let before = entries(&rig);
    set(SettingsSet::default());
    assert_eq!(entries(&rig), before, "nothing was changed");
}

#[test]
fn what_is_read_out_of_texts_is_counted() {
    let rig = Rig::new();
    rig.remember("Mira lives in Leeds. She works at Orbis.");
    rig.settled();
    let of = |event_type: &str| {
        let mut found = events(&rig);
        found.retain(|event| event.event_type == event_type);
        found
    };
    let read = of("beliefs.read");
    assert_eq!(read.len(), 1, "{read:?}");
    assert_eq!((read[0].object_type.as_str(), read[0].space_id.as_str()), ("memories", SPACE));
    let count = |field: &str| read[0].payload[field].as_i64().unwrap();
    assert_eq!(count("claims"), rig.count("SELECT count(*) FROM claims"), "{read:?}");
    assert_eq!(count("entities"), rig.count("SELECT count(*) FROM entities"), "{read:?}");
    // Read again, nothing comes of it.
    let entries = of("beliefs.read").len() + of("beliefs.settled").len();
    rig.remember("The weather is fine.");
    rig.settled();
    assert_eq!(of("beliefs.read").len() + of("beliefs.settled").len(), entries);
}
