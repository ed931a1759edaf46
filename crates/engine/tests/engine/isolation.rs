//! A space that an agent may not read does not exist for it: rows of every table of the schema are planted there, and every
//! operation by which agents read answers the same as before, whatever string of its request names them.

use crate::doors::{put, strings};
use crate::support::{BEGIN, Rig, SPACE};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use um_engine::{Caller, is_open};
use um_model::ErrorCode;
use um_model::access::{Grant, Right};
use um_model::ops::{Effect, OPERATIONS};
use um_model::traces::TracesList;
use um_store::content_columns::{CONTENT_COLUMNS, Class};

/// Legal rows of every table, which the store's own tests plant.
const ROWS: &str = include_str!("../../../store/tests/schema/rows.sql");
/// Shorter words stand everywhere.
const SHORTEST: usize = 4;

/// The id that a row of that name gets. Ids are in the order of their names: of two claims in conflict, the lesser is first.
fn id(name: &str) -> String {
    let hex: String = name.bytes().chain([0; 11]).take(11).map(|byte| format!("{byte:02x}")).collect();
    format!("0190f5e2-{}-7{}-9{}-{}", &hex[..4], &hex[4..7], &hex[7..10], &hex[10..22])
}

/// The rows with such ids as the engine gives; `{s}` alone is the space.
fn rows() -> String {
    let well_formed = ROWS.replace(r#"{"k":1}"#, r#"{"k":"zanzibar"}"#);
    let hashed = well_formed.replace("'{s}' || hex(zeroblob(31)) || '0'", "lower(hex(randomblob(32)))");
    // After what the engine wrote into the ledger.
    let later = hashed.replace("'{s}', 1, '{s}', '{s}-agent'", "'{s}', 1000000, '{s}', '{s}-agent'");
    let mut pieces = later.split("{s}");
    let mut sql = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let name: String = match piece.strip_prefix('-') {
            Some(rest) => rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect(),
            None => String::new(),
        };
        sql += &id(&name);
        sql += if name.is_empty() { piece } else { &piece[name.len() + 1..] };
    }
    sql
}

fn open(folder: &Path) -> rusqlite::Connection {
    um_store::register_sqlite_vec();
    let db = rusqlite::Connection::open(folder.join("memory.db")).unwrap();
    db.pragma_update(None, "foreign_keys", "ON").unwrap();
    db
}

fn plant(folder: &Path) {
    open(folder).execute_batch(&format!("BEGIN; {} COMMIT;", rows())).unwrap();
}

fn column(db: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let rows = statement.query_map([], |row| row.get::<_, Option<String>>(0)).unwrap();
    rows.filter_map(Result::unwrap).collect()
}

/// What the planted rows are known by and say: of each table an id, of each column with content its words.
fn planted(folder: &Path) -> BTreeSet<String> {
    let (db, space) = (open(folder), id(""));
    let tables = column(
        &db,
        "SELECT m.name FROM sqlite_schema m WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'
           AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'space_id')",
    );
    assert!(tables.len() > 40, "{tables:?}");
    let mut found: BTreeSet<String> = [space.clone(), format!("Space {space}")].into();
    for table in tables {
        let count: i64 = db
            .query_row(&format!("SELECT count(*) FROM {table} WHERE space_id = ?1"), [&space], |row| row.get(0))
            .unwrap();
        assert!(count > 0, "{table} has a space: plant rows of it in rows.sql");
        let columns = column(&db, &format!("SELECT name FROM pragma_table_info('{table}')"));
        if columns.iter().any(|column| column == "id") {
            found.extend(column(&db, &format!("SELECT max(id) FROM {table} WHERE space_id = '{space}'")));
        }
        for (_, column_name, _) in
            CONTENT_COLUMNS.iter().filter(|(of, _, class)| *of == table && *class == Class::Content)
        {
            let says = format!(
                "SELECT max({column_name}) FROM {table} WHERE space_id = '{space}' AND typeof({column_name}) = 'text'"
            );
            let words =
                column(&db, &says).into_iter().filter(|says| says.len() >= SHORTEST && !says.starts_with(['{', '[']));
            found.extend(words);
        }
    }
    found
}

/// An agent's own things, in the space that it reads.
struct Own {
    memory: Value,
    artifact: Value,
    view: Value,
    claim: Value,
    entity: Value,
    promotion: Value,
    entry: Value,
    session: Value,
    resource: Value,
    pack: Value,
}

impl Own {
    fn of(rig: &Rig, agent: &Caller) -> Self {
        let call = |operation: &str, request: Value| {
            rig.engine().call(agent, operation, request).unwrap_or_else(|error| panic!("{operation}: {error}"))
        };
        let text = "The ferry of Orla Finch leaves at noon, says orla@finch.example.";
        let memory = call("memory_remember", json!({"text": text, "space": SPACE}))["memory"]["id"].clone();
        let fact = |object: &str| json!({"subject": "Orla Finch", "predicate": "born_in", "object": object});
        let added = call("facts_add", json!({"space": SPACE, "facts": [fact("Leeds"), fact("Porto")]}));
        let claim = &added["facts"][0]["claim"];
        let artifact = json!(rig.ingest("pier.md", "# Pier\n\nThe pier of Orla Finch is long."));
        rig.settled();
        // Connected by a tag that every space knows.
        let other = call("memory_remember", json!({"text": "The lighthouse keeper sleeps.", "space": SPACE}));
        for tagged in [&memory, &other["memory"]["id"]] {
            call("tag_attach", json!({"item_type": "memory", "id": tagged, "tags": ["rust"]}));
        }
        let promotion = call("promotion_request", json!({"kind": "memory", "id": memory, "to": "Other"}))["id"].clone();
        let body = |content: &str| json!({"entry_type": "guideline", "name": "Pier", "body": {"content": content}});
        let entry = call("entry_save", body("Mind the gap of the pier."))["entry"]["id"].clone();
        call("entry_save", body("Mind the planks of the pier."));
        let session = call("session_begin", json!({"purpose": "Mend the pier"}))["session"]["id"].clone();
        call("state_set", json!({"session": session, "current_goal": "Find the crack of the pier"}));
        let event = json!({"kind": "user_message", "content": "The ferry of Orla Finch was late."});
        call("events_append", json!({"session": session, "events": [event]}));
        call("lock_checkout", json!({"session": session, "path": "pier/plank.rs"}));
        let checked = json!({"item_type": "memory", "id": memory, "status": "failed", "detail": "The ferry was late."});
        call("verification_add", checked);
        let detail = call("artifact_get", json!({"id": artifact}));
        let (claim, entity) = (claim["id"].clone(), claim["subject"]["id"].clone());
        call("block_set", json!({"label": "ferries", "content": "Tell when ferries leave.", "space": SPACE}));
        let put = json!({"uri": "pier://orla", "content": "The ferry lies at the pier.", "space": SPACE});
        let resource = call("resource_put", put)["id"].clone();
        let (from, to) = (json!({"item_type": "entry", "id": entry}), json!({"item_type": "resource", "id": resource}));
        call("relation_add", json!({"from": from, "to": to, "relation_type": "applies_to"}));
        let pack = call("context_compile", json!({"space": SPACE}))["id"].clone();
        Self {
            pack,
            memory,
            view: detail["views"][0]["id"].clone(),
            artifact,
            claim,
            entity,
            promotion,
            entry,
            session,
            resource,
        }
    }

    /// Requests of an operation that reads, which are answered: more than one where only one of several fields may be given.
    fn asks(&self, operation: &str) -> Vec<Value> {
        vec![match operation {
            "spaces_list" | "artifacts_list" | "facts_search" | "entities_list" | "conflicts_list"
            | "findings_list" | "promotions_list" => json!({}),
            "entry_get" => {
                return vec![
                    json!({"id": self.entry}),
                    json!({"entry_type": "guideline", "name": "Pier", "all_levels": true, "inactive": true}),
                ];
            }
            "entries_list" => {
                return vec![
                    json!({"session": self.session}),
                    json!({"space": SPACE, "text": "pier"}),
                    json!({"space": SPACE, "text": "pier", "as_of": BEGIN}),
                ];
            }
            "clashes_list" | "sessions_list" | "events_list" | "locks_list" => json!({}),
            "versions_list" => json!({"item_type": "entry", "id": self.entry}),
            "versions_diff" => json!({"item_type": "entry", "id": self.entry, "from": 1, "to": 2}),
            "verifications_list" => {
                return vec![
                    json!({"space": SPACE}),
                    json!({"item": {"item_type": "memory", "id": self.memory}, "latest": true}),
                ];
            }
            "tags_list" => return vec![json!({}), json!({"item": {"item_type": "entry", "id": self.entry}})],
            "relations_list" => return vec![json!({}), json!({"item": {"item_type": "entry", "id": self.entry}})],
            "relations_walk" => json!({"item_type": "entry", "id": self.entry}),
            "items_query" => {
                let related = json!({"item_type": "entry", "id": self.entry});
                return vec![
                    json!({"types": ["entry", "core_block", "resource", "session_state", "memory", "event"], "text": "ferry pier"}),
                    json!({"types": ["entry", "core_block", "resource", "session_state", "memory", "event"], "text": "ferry pier", "as_of": BEGIN}),
                    json!({"tags": {"include": ["rust"], "require": ["web"], "exclude": ["python"]}, "inactive": true}),
                    json!({"session": self.session, "versions": true}),
                    json!({"related_to": related}),
                ];
            }
            "session_get" | "state_get" => json!({"session": self.session}),
            "jobs_status" => json!({"space": SPACE}),
            "memory_recall" => json!({"query": "ferry", "why": true, "associated": true}),
            "recall_explain" => json!({"recall": {"query": "ferry"}, "expected": self.memory}),
            "memory_get" => json!({"id": self.memory}),
            "artifact_get" => json!({"id": self.artifact}),
            "view_read" => json!({"id": self.view}),
            "media_read" => json!({"id": self.artifact, "what": "original"}),
            "entity_get" | "graph_traverse" => json!({"entity": self.entity}),
            "entities_resolve" => json!({"text": "Orla Finch", "space": SPACE}),
            "claim_explain" => json!({"claim": self.claim}),
            "forget_preview" => {
                let whats = [
                    ("query", json!("ferry")),
                    ("memory", self.memory.clone()),
                    ("artifact", self.artifact.clone()),
                    ("claim", self.claim.clone()),
                    ("entity", self.entity.clone()),
                    ("owner", json!("bot")),
                    ("folder", json!("/nowhere")),
                ];
                return whats.into_iter().map(|(field, what)| json!({field: what, "space": SPACE})).collect();
            }
            "promotion_show" => json!({"id": self.promotion}),
            "blocks_list" => json!({"space": SPACE}),
            "resources_browse" => {
                return vec![
                    json!({"space": SPACE, "text": "ferry"}),
                    json!({"space": SPACE, "text": "ferry", "as_of": BEGIN, "known_at": BEGIN}),
                    json!({"space": SPACE, "parent_uri": "pier://orla"}),
                ];
            }
            "resource_get" => {
                return vec![json!({"id": self.resource}), json!({"uri": "pier://orla", "space": SPACE})];
            }
            "context_compile" => json!({"space": SPACE, "query": "ferry"}),
            "context_hydrate" => {
                let items = json!([{"item_type": "resource", "id": self.resource}]);
                return vec![json!({"pack": self.pack}), json!({"pack": self.pack, "items": items})];
            }
            "contexts_list" => json!({}),
            "drift_check" => {
                let items = json!([{"item_type": "entry", "id": self.entry}]);
                return vec![json!({"space": SPACE}), json!({"session": self.session, "items": items})];
            }
            other => panic!("agents read by {other}: say here what it is asked"),
        }]
    }

    /// All requests: as they are, and with each of some strings in the place of each string.
    fn all(&self, said: &BTreeSet<String>) -> Vec<(&'static str, Value)> {
        let mut all = Vec::new();
        let reads = OPERATIONS.iter().filter(|known| known.effect == Effect::Reads);
        for operation in reads.filter(|known| is_open(known.name, Right::ALL, Grant::ALL)) {
            let schema = (operation.request_schema)();
            let mut paths = Vec::new();
            strings(&schema, &schema, "", &mut paths);
            let paths: BTreeSet<String> = paths.into_iter().collect();
            let requests = self.asks(operation.name);
            for request in &requests {
                let fits = |path: &&String| requests.len() == 1 || request.pointer(path).is_some();
                let paths = paths.iter().filter(fits);
                for (path, said) in paths.flat_map(|path| said.iter().map(move |said| (path, said))) {
                    let mut request = request.clone();
                    put(&mut request, &path.split('/').skip(1).collect::<Vec<_>>(), said);
                    all.push((operation.name, request));
                }
            }
            all.extend(requests.into_iter().map(|request| (operation.name, request)));
        }
        all
    }
}

/// What each request is answered, without how long it took. What was asked leaves traces and packs, which what is asked afterwards
/// finds: each time begins with no traces, asks for passages and packs at last, and takes its packs with it.
fn answered(rig: &Rig, agent: &Caller, requests: &[(&'static str, Value)]) -> BTreeMap<String, String> {
    let engine = rig.engine();
    rig.run(TracesList::default()).unwrap();
    // Of a pack that was asked for with a question, that is not kept where nothing fits it: it is known by having come later.
    let kept = rig.count("SELECT ifnull(max(rid), 0) FROM compiled_contexts");
    rig.db().execute("DELETE FROM answer_traces", []).unwrap();
    let (last, first): (Vec<_>, Vec<_>) =
        requests.iter().partition(|(operation, _)| ["memory_recall", "context_compile"].contains(operation));
    let told = |(operation, request): &(&str, Value)| {
        let answer = match engine.call(agent, operation, request.clone()) {
            Ok(mut answer) => {
                if let Some(fields) = answer.as_object_mut() {
                    fields.remove("timings");
                    // Each answer has a trace of its own.
                    fields.remove("trace");
                    if *operation == "context_compile" {
                        fields.remove("id");
                    }
                }
                answer.to_string()
            }
            Err(error) => format!("{} {error}", error.code),
        };
        (format!("{operation} {request}"), answer)
    };
    let answers = first.into_iter().chain(last).map(told).collect();
    rig.db().execute("DELETE FROM compiled_contexts WHERE rid > ?1", [kept]).unwrap();
    answers
}

/// An agent by its token, and by another one that opens more, with every grant in the one space.
fn agents(rig: &Rig, opened: &[&[&str]]) -> Vec<Caller> {
    let secrets: Vec<String> = opened.iter().map(|spaces| rig.secret_of("bot", spaces, &[])).collect();
    let granted = json!({"space": SPACE, "agent": "bot", "grants": Grant::ALL});
    rig.engine().call(&Caller::owner("test"), "membership_set", granted).unwrap();
    secrets.iter().map(|secret| Caller::agent(rig.admit(secret, "bot").unwrap(), "agent")).collect()
}

/// The requests that are answered otherwise, with both answers.
fn apart(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<String> {
    let differ = one.iter().filter(|(request, answer)| other[*request] != **answer);
    differ.map(|(request, answer)| format!("{request}: {answer}, then {}", other[request])).collect()
}

/// What the space says that `access::plant` fills: its name, and words of each kind of thing.
const SAID: [&str; 9] = [
    "Vault",
    "Zora Quill",
    "zora@halden.example",
    "zeppelin",
    "Zeppelin note",
    "zeppelin.md",
    "Vexmark",
    "Tolbrook",
    "The zeppelin of Zora Quill flies.",
];

/// Closed to the agent are rows of every table, which are no whole things, and a space that the engine filled: what stands there is in
/// the indexes of words and of meaning.
#[test]
fn no_read_tells_of_a_row_of_a_closed_space() {
    let mut rig = Rig::new();
    rig.space("Other");
    let agent = agents(&rig, &[&[SPACE, "Other"]]).remove(0);
    let own = Own::of(&rig, &agent);
    rig.settled();
    rig.engine().stop();
    // What is planted there is told first, so that the same is asked before and after.
    let scratch = rig.copied(0);
    plant(&scratch);
    let said = planted(&scratch).into_iter().chain(SAID.map(str::to_owned)).collect();
    let requests = own.all(&said);
    assert!(requests.len() > 1_000, "{}", requests.len());

    // A copy, as the rows are no whole memories: the engine's own check would find fault with them.
    let (home, folder) = (rig.data().to_owned(), rig.copied(1));
    rig.move_to(folder.clone());
    let before = answered(&rig, &agent, &requests);
    let answers = before.values().filter(|answer| answer.starts_with(['{', '['])).count();
    assert!(answers > 200, "only {answers} are answered");
    rig.space("Vault");
    rig.engine().start();
    crate::access::plant(&rig, "Vault");
    rig.engine().stop();
    assert!(
        rig.count(
            "SELECT count(*) FROM text_units WHERE space_id IN (SELECT id FROM memory_spaces WHERE name = 'Vault')"
        ) > 1
    );
    plant(&folder);
    let after = answered(&rig, &agent, &requests);
    rig.move_to(home);
    let told = apart(&before, &after);
    assert!(told.is_empty(), "{} tell of it: {:#?}", told.len(), &told[..told.len().min(20)]);
}

/// Every read of an agent whose token opens a space that includes another: it is answered as one whose token opens both; behind a
/// closed space it is answered as if nothing were included.
#[test]
fn every_read_shows_of_an_overlay_what_the_overlay_says() {
    let rig = Rig::new();
    for name in ["Other", "Vault", "Middle"] {
        rig.space(name);
    }
    let tokens = [&[SPACE, "Other"][..], &[SPACE, "Other", "Vault"], &[SPACE, "Other", "Vault", "Middle"]];
    let [through, of_both, of_all] = agents(&rig, &tokens).try_into().unwrap();
    crate::access::plant(&rig, "Vault");
    let own = Own::of(&rig, &through);
    rig.settled();
    rig.engine().stop();
    let ids = ["memories", "artifacts", "claims", "entities", "conflicts", "derived_text_views", "text_units"];
    let of_vault = "space_id IN (SELECT id FROM memory_spaces WHERE name = 'Vault')";
    let ids = ids.iter().flat_map(|table| column(&rig.db(), &format!("SELECT max(id) FROM {table} WHERE {of_vault}")));
    let said: BTreeSet<String> = ids.chain(SAID.map(str::to_owned)).collect();
    let requests = own.all(&said);
    let owner = Caller::owner("test");
    let set = |operation: &str, request: Value| drop(rig.engine().call(&owner, operation, request).unwrap());
    let overlay = |space: &str, other: &str, mode: Option<&str>| {
        set("overlay_set", json!({"space": space, "overlay": other, "mode": mode}));
    };
    // A file that is not there: whoever may write is told that, and nothing is written.
    let writes = || {
        let asked = json!({"paths": ["/nowhere"], "space": "Vault"});
        rig.engine().call(&through, "memory_ingest", asked).map(drop).map_err(|error| error.code)
    };
    let (unknown, read_only) = (Err(ErrorCode::NotFound), Err(ErrorCode::Forbidden));
    let without = answered(&rig, &through, &requests);
    assert_eq!(writes(), unknown);
    // How the included space is reached, whether that is open, and what writing to it is told.
    for (first, second, is_open, may_write) in [
        (("Vault", "read_only"), None, true, read_only),
        (("Vault", "read_write"), None, true, Ok(())),
        (("Middle", "read_write"), Some("read_write"), true, Ok(())),
        (("Middle", "read_only"), Some("read_write"), true, read_only),
        (("Middle", "read_write"), Some("read_only"), true, read_only),
        (("Middle", "read_write"), Some("read_write"), false, unknown),
    ] {
        let what = format!("{first:?}, then {second:?}, open: {is_open}");
        set("space_edit", json!({"space": "Middle", "read_policy": if is_open { "members" } else { "owner_only" }}));
        overlay(SPACE, first.0, Some(first.1));
        second.into_iter().for_each(|mode| overlay("Middle", "Vault", Some(mode)));
        let told = answered(&rig, &through, &requests);
        if is_open {
            let opens = if second.is_some() { &of_all } else { &of_both };
            let both = answered(&rig, opens, &requests);
            let differ = apart(&told, &both);
            assert!(differ.is_empty(), "{what}: {} differ: {:#?}", differ.len(), &differ[..differ.len().min(10)]);
            let more = apart(&without, &told).len();
            assert!(more > 50, "{what}: only {more} answers tell of what is included");
        } else {
            let differ = apart(&without, &told);
            assert!(differ.is_empty(), "{what}: {} tell: {:#?}", differ.len(), &differ[..differ.len().min(10)]);
        }
        assert_eq!(writes(), may_write, "{what}");
        overlay(SPACE, first.0, None);
        second.into_iter().for_each(|_| overlay("Middle", "Vault", None));
    }
    let again = apart(&without, &answered(&rig, &through, &requests));
    assert!(again.is_empty(), "an overlay that has ended: {:#?}", &again[..again.len().min(10)]);
}
