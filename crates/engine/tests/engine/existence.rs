//! That a closed space does not exist holds for how long a refusal takes, too: for an id of a thing there the database is asked the
//! same as for an id that nothing has.

use crate::support::{Rig, SPACE};
use rusqlite::ffi;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::Once;
use um_engine::{Caller, is_open};
use um_model::access::{Grant, Right};
use um_model::ops::{Effect, OPERATIONS};

thread_local! {
    /// The statements that this thread began, while they are written down.
    static BEGUN: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Called by SQLite as a statement begins, with its SQL.
unsafe extern "C" fn begun(_: c_uint, _: *mut c_void, statement: *mut c_void, _: *mut c_void) -> c_int {
    BEGUN.with_borrow_mut(|all| {
        if let Some(all) = all {
            // SAFETY: SQLite passes the statement that begins, which is valid as long as this runs, and so is its text.
            let sql = unsafe { CStr::from_ptr(ffi::sqlite3_sql(statement.cast())) };
            all.push(sql.to_string_lossy().split_whitespace().collect::<Vec<_>>().join(" "));
        }
    });
    0
}

/// Called by SQLite for each connection that is opened.
unsafe extern "C" fn opened(db: *mut ffi::sqlite3, _: *mut *mut c_char, _: *const ffi::sqlite3_api_routines) -> c_int {
    // SAFETY: the connection is open, and what is called back is code, which stays.
    unsafe { ffi::sqlite3_trace_v2(db, ffi::SQLITE_TRACE_STMT as c_uint, Some(begun), std::ptr::null_mut()) }
}

/// From now on the statements of each connection that this process opens are heard.
fn listen() {
    static ONCE: Once = Once::new();
    // SAFETY: SQLite keeps the pointer alone, which points to code.
    ONCE.call_once(|| unsafe {
        ffi::sqlite3_auto_extension(Some(opened));
    });
}

/// What this thread asks the database meanwhile.
fn asked_meanwhile(act: impl FnOnce()) -> Vec<String> {
    BEGUN.set(Some(Vec::new()));
    act();
    BEGUN.take().unwrap_or_default()
}

/// Each way in which an operation that reads takes an id, asked about that one.
fn asks(id: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("memory_get", json!({"id": id})),
        ("artifact_get", json!({"id": id})),
        ("view_read", json!({"id": id})),
        ("media_read", json!({"id": id, "what": "original"})),
        ("claim_explain", json!({"claim": id})),
        ("entity_get", json!({"entity": id})),
        ("entity_get", json!({"entity": id, "space": SPACE})),
        ("graph_traverse", json!({"entity": id})),
        ("facts_search", json!({"entity": id})),
        ("facts_search", json!({"artifact": id})),
        ("memory_recall", json!({"query": "zeppelin", "space": id})),
        ("recall_explain", json!({"recall": {"query": "zeppelin"}, "expected": id})),
        ("recall_explain", json!({"recall": {"query": "zeppelin", "space": id}, "expected": id})),
        ("artifacts_list", json!({"space": id})),
        ("entities_list", json!({"space": id})),
        ("entities_resolve", json!({"text": "x", "space": id})),
        ("conflicts_list", json!({"space": id})),
        ("conflicts_list", json!({"conflict": id})),
        ("facts_search", json!({"space": id})),
        ("jobs_status", json!({"space": id})),
        ("findings_list", json!({"artifact": id})),
        ("findings_list", json!({"memory": id})),
        ("findings_list", json!({"space": id})),
        ("forget_preview", json!({"memory": id, "space": SPACE})),
        ("forget_preview", json!({"artifact": id, "space": SPACE})),
        ("forget_preview", json!({"claim": id, "space": SPACE})),
        ("forget_preview", json!({"entity": id, "space": SPACE})),
        ("forget_preview", json!({"query": "zeppelin", "space": id})),
        ("promotions_list", json!({"space": id})),
        ("promotion_show", json!({"id": id})),
        ("entry_get", json!({"id": id})),
        ("entry_get", json!({"entry_type": "guideline", "name": "Zeppelin", "space": id})),
        ("entry_get", json!({"entry_type": "guideline", "name": "Zeppelin", "session": id})),
        ("entries_list", json!({"space": id})),
        ("entries_list", json!({"session": id})),
        ("versions_list", json!({"item_type": "entry", "id": id})),
        ("versions_list", json!({"item_type": "core_block", "id": id})),
        ("versions_list", json!({"item_type": "resource", "id": id})),
        ("versions_list", json!({"item_type": "resource", "id": id, "version": 1})),
        ("versions_diff", json!({"item_type": "entry", "id": id, "from": 1, "to": 2})),
        ("clashes_list", json!({"space": id})),
        ("clashes_list", json!({"entry": id})),
        ("tags_list", json!({"space": id})),
        ("tags_list", json!({"item": {"item_type": "entry", "id": id}})),
        ("tags_list", json!({"item": {"item_type": "memory", "id": id}})),
        ("tags_list", json!({"item": {"item_type": "session", "id": id}})),
        ("relations_list", json!({"space": id})),
        ("relations_list", json!({"item": {"item_type": "entry", "id": id}})),
        ("relations_list", json!({"item": {"item_type": "memory", "id": id}})),
        ("relations_walk", json!({"item_type": "entry", "id": id})),
        ("relations_walk", json!({"item_type": "event", "id": id})),
        ("items_query", json!({"space": id})),
        ("items_query", json!({"session": id})),
        ("items_query", json!({"related_to": {"item_type": "entry", "id": id}})),
        ("verifications_list", json!({"space": id})),
        ("verifications_list", json!({"item": {"item_type": "memory", "id": id}})),
        ("verifications_list", json!({"item": {"item_type": "artifact", "id": id}})),
        ("verifications_list", json!({"item": {"item_type": "event", "id": id}})),
        ("verifications_list", json!({"item": {"item_type": "claim", "id": id}})),
        ("verifications_list", json!({"item": {"item_type": "entity", "id": id}})),
        ("verifications_list", json!({"item": {"item_type": "entry", "id": id}})),
        ("verifications_list", json!({"item": {"item_type": "session_state", "id": id}})),
        ("blocks_list", json!({"space": id})),
        ("resources_browse", json!({"space": id})),
        ("resource_get", json!({"id": id})),
        ("resource_get", json!({"uri": "x", "space": id})),
        ("context_compile", json!({"space": id})),
        ("context_compile", json!({"session": id})),
        ("context_hydrate", json!({"pack": id})),
        ("context_hydrate", json!({"pack": id, "items": [{"item_type": "entry", "id": id}], "citations": ["R1"]})),
        ("contexts_list", json!({"space": id})),
        ("contexts_list", json!({"after": id})),
        ("drift_check", json!({"space": id})),
        ("drift_check", json!({"session": id})),
        ("drift_check", json!({"items": [{"item_type": "entry", "id": id}]})),
        ("drift_check", json!({"items": [{"item_type": "memory", "id": id}]})),
        ("drift_check", json!({"items": [{"item_type": "session_state", "id": id}]})),
        ("session_get", json!({"session": id})),
        ("sessions_list", json!({"space": id})),
        ("state_get", json!({"space": id})),
        ("state_get", json!({"session": id})),
        ("events_list", json!({"space": id})),
        ("events_list", json!({"session": id})),
        ("events_list", json!({"event": id})),
        ("locks_list", json!({"space": id})),
    ]
}

#[test]
fn the_database_is_asked_the_same_for_a_closed_id_as_for_none() {
    listen();
    let rig = Rig::new();
    let vault = rig.space("Vault").id.to_string();
    let agent = rig.agent_granted("bot", SPACE, Grant::ALL);
    crate::access::plant(&rig, "Vault");
    let own = rig.remember("The ferry leaves at noon.").id;
    for (id, to) in [(own.to_string(), vault.as_str()), (id_of(&rig, "memories", &vault), SPACE)] {
        let request = json!({"kind": "memory", "id": id, "to": to});
        rig.engine().call(&Caller::owner("test"), "promotion_request", request).unwrap();
    }
    rig.settled();
    rig.engine().stop();
    let reads: BTreeSet<&str> = OPERATIONS
        .iter()
        .filter(|known| known.effect == Effect::Reads && is_open(known.name, Right::ALL, Grant::ALL))
        .map(|known| known.name)
        .filter(|name| *name != "spaces_list")
        .collect();
    let asked: BTreeSet<&str> = asks("").into_iter().map(|(operation, _)| operation).collect();
    assert_eq!(asked, reads, "each that takes an id");

    let statements = |id: &str| -> Vec<Vec<String>> {
        let ask = |(operation, request)| asked_meanwhile(|| drop(rig.engine().call(&agent, operation, request)));
        asks(id).into_iter().map(ask).collect()
    };
    let unknown = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b";
    // The first time statements are made ready, and what is remembered is read.
    statements(unknown);
    let nothing = statements(unknown);
    assert!(nothing.iter().all(|of| of.len() > 2), "they are heard");
    let mut apart = Vec::new();
    for table in [
        "memories",
        "artifacts",
        "derived_text_views",
        "text_units",
        "claims",
        "entities",
        "conflicts",
        "redaction_findings",
        "promotion_requests",
        "claim_evidence",
        "jobs",
        "entries",
        "sessions",
        "session_states",
        "evidence_events",
        "file_locks",
        "compiled_contexts",
    ] {
        let id = id_of(&rig, table, &vault);
        for ((one, other), (operation, request)) in statements(&id).iter().zip(&nothing).zip(asks("ID")) {
            if one != other {
                let more: Vec<_> = one.iter().filter(|sql| !other.contains(sql)).collect();
                let less: Vec<_> = other.iter().filter(|sql| !one.contains(sql)).collect();
                apart.push(format!(
                    "{table}: {operation} {request}: {} for {}; more {more:#?}, less {less:#?}",
                    one.len(),
                    other.len()
                ));
            }
        }
    }
    for ((one, other), (operation, request)) in statements(&vault).iter().zip(&nothing).zip(asks("ID")) {
        if one != other {
            apart.push(format!("the space: {operation} {request}: {one:#?} for {other:#?}"));
        }
    }
    assert!(apart.is_empty(), "{}: {}", apart.len(), apart.join("\n"));
}

fn id_of(rig: &Rig, table: &str, space: &str) -> String {
    let column = if table == "promotion_requests" { "source_space_id" } else { "space_id" };
    let sql = format!("SELECT max(id) FROM {table} WHERE {column} = ?1");
    rig.db().query_row(&sql, [space], |row| row.get(0)).unwrap_or_else(|error| panic!("{table}: {error}"))
}
