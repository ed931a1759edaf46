//! A space that an agent may not read does not exist for it: rows of every table of the schema are planted there, and every
//! operation by which agents read answers the same as before, whatever string of its request names them.

use crate::doors::{put, strings};
use crate::support::{MODEL, Rig, SPACE};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use um_engine::{Caller, Engine, is_open};
use um_model::access::{Grant, Right};
use um_model::ops::{Effect, OPERATIONS};
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
        let promotion = call("promotion_request", json!({"kind": "memory", "id": memory, "to": "Other"}))["id"].clone();
        let detail = call("artifact_get", json!({"id": artifact}));
        let (claim, entity) = (claim["id"].clone(), claim["subject"]["id"].clone());
        Self { memory, view: detail["views"][0]["id"].clone(), artifact, claim, entity, promotion }
    }

    /// Requests of an operation that reads, which are answered: more than one where only one of several fields may be given.
    fn asks(&self, operation: &str) -> Vec<Value> {
        vec![match operation {
            "spaces_list" | "artifacts_list" | "facts_search" | "entities_list" | "conflicts_list"
            | "findings_list" | "promotions_list" => json!({}),
            "jobs_status" => json!({"space": SPACE}),
            "memory_recall" => json!({"query": "ferry"}),
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

/// What each request is answered, without how long it took.
fn answered(engine: &Engine, agent: &Caller, requests: &[(&'static str, Value)]) -> BTreeMap<String, String> {
    let told = |(operation, request): &(&str, Value)| {
        let answer = match engine.call(agent, operation, request.clone()) {
            Ok(mut answer) => {
                if let Some(fields) = answer.as_object_mut() {
                    fields.remove("timings");
                }
                answer.to_string()
            }
            Err(error) => format!("{} {error}", error.code),
        };
        (format!("{operation} {request}"), answer)
    };
    requests.iter().map(told).collect()
}

#[test]
fn no_read_tells_of_a_row_of_a_closed_space() {
    let rig = Rig::new();
    rig.space("Other");
    let secret = rig.secret_of("bot", &[SPACE, "Other"], &[]);
    let granted = json!({"space": SPACE, "agent": "bot", "grants": Grant::ALL});
    rig.engine().call(&Caller::owner("test"), "membership_set", granted).unwrap();
    let agent = Caller::agent(rig.admit(&secret, "bot").unwrap(), "agent");
    let own = Own::of(&rig, &agent);
    rig.settled();
    rig.engine().stop();
    // What is planted there is told first, so that the same is asked before and after.
    let scratch = rig.copied(0);
    plant(&scratch);
    let requests = own.all(&planted(&scratch));
    assert!(requests.len() > 1_000, "{}", requests.len());

    // A copy, as the rows are no whole memories: the engine's own check would find fault with them.
    let folder = rig.copied(1);
    let engine = rig.open(&folder, MODEL).unwrap();
    let before = answered(&engine, &agent, &requests);
    let answers = before.values().filter(|answer| answer.starts_with(['{', '['])).count();
    assert!(answers > 200, "only {answers} are answered");
    plant(&folder);
    let after = answered(&engine, &agent, &requests);
    let told: Vec<String> = before
        .iter()
        .filter(|(request, answer)| after[*request] != **answer)
        .map(|(request, answer)| format!("{request}: {answer}, then {}", after[request]))
        .collect();
    assert!(told.is_empty(), "{} tell of it: {:#?}", told.len(), &told[..told.len().min(20)]);
}
