//! The data folder: one owner, checked, rebuilt, embedded anew; settings.

use crate::support::inputs;
use crate::support::{MODEL, Rig, SPACE};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use um_engine::{Caller, Engine};
use um_model::ErrorCode;
use um_model::audit::{AuditEvent, AuditExport, AuditList, AuditTopic, AuditVerify};
use um_model::health::*;
use um_model::memories::{MemoriesAdd, MemoryText};
use um_model::spaces::SpaceCreate;

#[test]
fn a_data_folder_has_one_owner() {
    let mut rig = Rig::resting();
    let refused = rig.open(rig.data(), MODEL).err().unwrap();
    assert_eq!((refused.code, refused.hint.is_some()), (ErrorCode::DataFolderInUse, true));
    rig.remember("still here");
    rig.reopen(MODEL);
    assert_eq!(rig.recall("still").hits.len(), 1);
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let rig = Rig::resting();
    let other = rig.folder().join("newer");
    rig.open(&other, MODEL).unwrap();
    let db = rusqlite::Connection::open(other.join("memory.db")).unwrap();
    db.pragma_update(None, "user_version", 9_999).unwrap();
    drop(db);
    let refused = rig.open(&other, MODEL).err().unwrap();
    assert_eq!((refused.code, refused.hint.is_some()), (ErrorCode::DatabaseTooNew, true));
}

fn checks(engine: &Engine, rebuild: bool) -> Vec<String> {
    let report = engine.run(&Caller::owner("test"), HealthCheck { rebuild }).unwrap();
    assert_eq!(report.ok, report.checks.iter().all(|check| check.ok));
    report.checks.into_iter().filter(|check| !check.ok).map(|check| check.name).collect()
}

/// A data folder with a memory, a text file and a large one; without its owner.
fn sample(rig: &mut Rig) {
    rig.engine().start();
    rig.remember("The cormorant dries its wings.");
    rig.ingest("note.txt", "The shag does as well.");
    rig.ingest("large.bin", vec![7u8; 10 * 1024 * 1024]);
    rig.settled();
    rig.reopen(MODEL);
}

/// The same with something of each kind that is found by its words.
fn with_work(rig: &mut Rig) {
    sample(rig);
    let call = |operation: &str, request: Value| {
        rig.engine().call(&Caller::owner("test"), operation, request).unwrap();
    };
    for number in 0..3 {
        let text = format!("The cormorant has {number} eggs.");
        let fact = json!({"subject": format!("Orla {number}"), "predicate": "lives_in", "object": "Leeds"});
        call("facts_add", json!({"space": SPACE, "facts": [fact]}));
        let event = json!({"kind": "user_message", "content": text});
        call("events_append", json!({"space": SPACE, "events": [event]}));
        let examples = json!({"good": [format!("Count {number}.")], "bad": ["Guess."]});
        let body = json!({"content": text, "rationale": "Eggs count.", "examples": examples});
        let name = format!("Nest {number}");
        call("entry_save", json!({"space": SPACE, "entry_type": "guideline", "name": name, "body": body}));
        call("resource_put", json!({"space": SPACE, "uri": format!("nest://{number}"), "content": text}));
    }
    // What is out of use, taken away, and written anew.
    let old = json!({"space": SPACE, "entry_type": "guideline", "name": "Nest 0", "body": {"content": "No eggs."}});
    call("entry_save", old);
    let gone = rig.text("SELECT id FROM workspace_resources WHERE uri = 'nest://1'");
    call("resource_remove", json!({"id": gone}));
    call("resource_put", json!({"space": SPACE, "uri": "nest://bare"}));
    call("state_set", json!({"space": SPACE, "current_goal": "Count", "working_set": ["egg.rs", "nest.rs"]}));
    call("session_begin", json!({"space": SPACE, "name": "Watch", "client_ref": "one"}));
    let session = rig.text("SELECT id FROM sessions WHERE client_ref = 'one'");
    call("state_set", json!({"session": session, "current_goal": "Watch", "summary": "One egg more."}));
}

/// All rows of a full text table.
fn indexed(rig: &Rig, table: &str) -> Vec<String> {
    let db = rig.db();
    let mut all = db.prepare(&format!("SELECT rowid, * FROM {table} ORDER BY rowid")).unwrap();
    let columns = all.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        (0..columns).map(|at| row.get_ref(at).map(|value| format!("{value:?}"))).collect::<Result<Vec<_>, _>>()
    };
    all.query_map([], row).unwrap().map(|row| row.unwrap().join(" ")).collect()
}

#[test]
fn indexes_are_checked_and_rebuilt_from_what_they_stand_for() {
    let mut rig = Rig::resting();
    with_work(&mut rig);
    let check = |harm: &str, name: &str, said: &str| {
        rig.db().execute_batch(harm).unwrap();
        let report = rig.run(HealthCheck { rebuild: false }).unwrap();
        let ill: Vec<&Check> = report.checks.iter().filter(|check| !check.ok).collect();
        assert_eq!(ill.iter().map(|check| check.name.as_str()).collect::<Vec<_>>(), [name], "{harm}");
        assert!(ill[0].detail.contains(said) && ill[0].detail.contains("--rebuild"), "{harm}: {}", ill[0].detail);
        assert_eq!(checks(rig.engine(), true), [""; 0], "{harm}");
    };
    for (kind, called, count) in [
        ("units", "passages", None),
        ("claims", "facts", None),
        ("events", "events", None),
        ("entries", "entries", Some(3)),
        ("resources", "resources", Some(3)),
        ("session_states", "states", Some(2)),
    ] {
        let table =
            rig.text(&format!("SELECT fts_table FROM space_indexes WHERE kind = '{kind}' AND space_id = '{SPACE}'"));
        let whole = indexed(&rig, &table);
        let rows = count.unwrap_or(whole.len());
        assert!(rows > 1 && whole.len() == rows, "{kind}: {whole:?}");
        let check = |harm: &str, wrong: usize| {
            check(&harm.replace("{fts}", &table), "fts", &format!(": {wrong} of {called}. "));
            assert_eq!(indexed(&rig, &table), whole, "{harm}: word by word as it was written");
        };
        check("DELETE FROM {fts}", rows);
        check("DELETE FROM {fts} WHERE rowid = (SELECT max(rowid) FROM {fts})", 1);
        check("INSERT INTO {fts}(rowid) VALUES (99999)", 1);
        check("UPDATE {fts} SET rowid = 99999 WHERE rowid = (SELECT min(rowid) FROM {fts})", 2);
        check("DROP TABLE {fts}; DELETE FROM space_indexes WHERE fts_table = '{fts}'", rows);
    }
    check("DELETE FROM embeddings_text_dense_vec", "vectors", "");
    let hit = &rig.found("cormorant")[0];
    assert!(hit.score_parts.bm25_rank.is_some() && hit.score_parts.vector_rank.is_some(), "{hit:?}");
}

/// The detail of the check of that name.
fn said_of(rig: &Rig, name: &str) -> (bool, String) {
    let report = rig.run(HealthCheck { rebuild: false }).unwrap();
    let check = report.checks.into_iter().find(|check| check.name == name).unwrap();
    (check.ok, check.detail)
}

#[test]
fn indexes_are_compared_by_themselves_once_a_day_and_mended() {
    let mut rig = Rig::resting();
    with_work(&mut rig);
    assert!(said_of(&rig, "self_check").1.contains("not done yet"));
    rig.engine().start();
    let set = "SELECT count(*) FROM system_settings WHERE key = 'indexes.compared_at'";
    rig.until("its first day has begun", || rig.count(set) == 1);
    rig.settled();
    let table = rig.text(&format!("SELECT fts_table FROM space_indexes WHERE kind = 'units' AND space_id = '{SPACE}'"));
    let rounds = "SELECT count(*) FROM maintenance_runs WHERE task = 'divergence' AND status <> 'running'";
    let check = |number: i64, harm: &str, mended: &str| {
        rig.db().execute_batch(&harm.replace("{fts}", &table)).unwrap();
        assert_eq!(rig.count(rounds), number - 1, "not before a day has passed");
        rig.advance(86_400_000);
        rig.wake();
        rig.until("they were compared", || rig.count(rounds) == number);
        let (ok, detail) = said_of(&rig, "self_check");
        assert!(ok && detail.contains(mended), "{harm}: {detail}");
        let hit = &rig.found("cormorant")[0];
        assert!(hit.score_parts.bm25_rank.is_some() && hit.score_parts.vector_rank.is_some(), "{harm}: {hit:?}");
    };
    check(1, "", "nothing differed");
    check(2, "DELETE FROM {fts} WHERE rowid = 1", " 1 that differed");
    check(3, "DELETE FROM embeddings_text_dense_vec", "that differed were mended");
    check(4, "INSERT INTO {fts}(rowid, text) VALUES (9999, 'cormorant'), (9998, 'cormorant')", " 2 that differed");
}

#[test]
fn recall_tells_that_vectors_are_missing_until_a_rebuild_that_was_cut_off_is_whole() {
    let mut rig = Rig::resting();
    with_work(&mut rig);
    let told = |rig: &Rig| rig.recall("cormorant").notices.iter().any(|notice| notice.contains("being made again"));
    assert!(!told(&rig));
    let cut_off = "DELETE FROM embeddings_text_dense_vec;
        INSERT INTO system_settings (key, value, updated_at) VALUES ('indexes.rebuilding', '0', 1)";
    rig.db().execute_batch(cut_off).unwrap();
    assert!(told(&rig));
    assert!(said_of(&rig, "vectors").1.contains("being made again"));
    rig.engine().start();
    let marks = "SELECT count(*) FROM system_settings WHERE key = 'indexes.rebuilding'";
    rig.until("the index is whole", || rig.count(marks) == 0);
    assert!(!told(&rig));
    let hit = &rig.found("cormorant")[0];
    assert!(hit.score_parts.vector_rank.is_some(), "{hit:?}");
    assert_eq!(rig.count("SELECT count(*) FROM maintenance_runs WHERE task = 'divergence'"), 0, "none was needed");
}

#[test]
fn that_words_are_indexed_anew_is_told_until_it_is_done() {
    let mut rig = Rig::resting();
    with_work(&mut rig);
    let check = |rig: &Rig, expected: bool| {
        let told = said_of(rig, "self_check").1.contains("indexed anew");
        let notice = rig.recall("cormorant").notices.iter().any(|notice| notice.starts_with("The index of words"));
        let status = rig.run(StatusGet {}).unwrap().indexing_anew;
        assert_eq!([told, notice, status], [expected; 3]);
    };
    check(&rig, false);
    let table = rig.text(&format!("SELECT fts_table FROM space_indexes WHERE kind = 'units' AND space_id = '{SPACE}'"));
    let old =
        "DELETE FROM {fts}; INSERT INTO system_settings (key, value, updated_at) VALUES ('indexes.old_form', '', 1)";
    rig.db().execute_batch(&old.replace("{fts}", &table)).unwrap();
    check(&rig, true);
    let (_, detail) = said_of(&rig, "fts");
    assert!(detail.ends_with("They are being indexed again."), "there is nothing to be done: {detail}");
    rig.run(HealthCheck { rebuild: true }).unwrap();
    check(&rig, false);
}

#[test]
fn harm_that_no_rebuild_mends_is_told() {
    #[track_caller]
    fn check(harm: impl FnOnce(&Rig), name: &str) {
        let mut rig = Rig::resting();
        sample(&mut rig);
        harm(&rig);
        assert_eq!(checks(rig.engine(), false), [name]);
        // What was harmed for good would fail the check at the end: it goes with its folder.
        let elsewhere = rig.folder().join("fresh");
        rig.move_to(elsewhere);
    }
    check(|rig| std::fs::remove_dir_all(rig.data().join("blobs")).unwrap(), "files");
    check(
        |rig| unguarded(rig, "audit_events", "UPDATE audit_events SET payload = '{\"x\":1}' WHERE logical_clock = 2"),
        "audit",
    );
    check(|rig| unguarded(rig, "jobs", "UPDATE jobs SET space_id = 'nowhere'"), "foreign_keys");
    let lone = "INSERT INTO associations (id, space_id, from_type, from_id, to_type, to_id, basis, weight, updated_at)
        SELECT 'lone', space_id, 'memory', id, 'memory', 'nowhere', 'co_use', 0.5, 1 FROM memories LIMIT 1";
    check(|rig| unguarded(rig, "associations", lone), "associations");
}

/// One row for each way to falsify the ledger: what is done with the file, and what the check says.
#[test]
fn the_ledger_tells_what_was_done_to_it() {
    #[track_caller]
    fn check(change: &str, said: &str) {
        let mut rig = Rig::resting();
        sample(&mut rig);
        let whole = rig.run(AuditVerify {}).unwrap();
        let listed = rig.run(AuditList::default()).unwrap();
        assert!(whole.ok && !listed.more, "{whole:?}");
        assert_eq!(whole.checked, listed.events.len() as u64);
        assert_eq!(whole.last_hash.as_deref(), Some(listed.events[0].hash.as_str()));
        unguarded(&rig, "audit_events", change);
        let found = rig.run(AuditVerify {}).unwrap();
        assert_eq!((found.ok, found.message.as_deref()), (false, Some(said)), "{change}");
        // Whatever is written later, where anything can be, does not make it whole again.
        drop(rig.run(SpaceCreate { name: "Later".into(), ..SpaceCreate::default() }));
        assert!(!rig.run(AuditVerify {}).unwrap().ok, "{change}");
        let elsewhere = rig.folder().join("fresh");
        rig.move_to(elsewhere);
    }
    let last = "(SELECT max(logical_clock) FROM audit_events)";
    check(
        "UPDATE audit_events SET actor_id = '00000000-0000-7000-8000-00000000000b' WHERE logical_clock = 2",
        "Entry 2 is not as it was written.",
    );
    check("UPDATE audit_events SET occurred_at = 5 WHERE logical_clock = 2", "Entry 2 is not as it was written.");
    check(
        "UPDATE audit_events SET instance_id = 'elsewhere' WHERE logical_clock = 1",
        "Entry 1 is not as it was written.",
    );
    check("DELETE FROM audit_events WHERE logical_clock = 1", "What stood before entry 2 is missing or was moved.");
    check(
        "UPDATE audit_events SET rid = 1000 + logical_clock WHERE logical_clock = 1",
        "What stood before entry 2 is missing or was moved.",
    );
    let cut = format!("DELETE FROM audit_events WHERE logical_clock > 1 AND logical_clock <= {last}");
    let ends = |number| {
        format!(
            "The ledger does not end as it was left: entries after {number} are missing, all were written anew, or \
             forgotten.key is another one."
        )
    };
    check(&cut, &ends(1));
    let sealed_without_the_key =
        "UPDATE system_settings SET value = (SELECT hash FROM audit_events) WHERE key = 'audit.seal'";
    check(&format!("{cut}; {sealed_without_the_key}"), &ends(1));
    check("DELETE FROM audit_events; DELETE FROM system_settings WHERE key = 'audit.seal'", &ends(0));
}

#[test]
fn the_ledger_is_filtered_and_paged() {
    let rig = Rig::resting();
    rig.space("Ledger");
    for number in 0..5 {
        rig.remember(&format!("Knot {number} on the shore."));
    }
    let list = |request: AuditList| {
        let listed = rig.run(request).unwrap();
        (listed.events.into_iter().map(|event| event.number).collect::<Vec<_>>(), listed.more)
    };
    let all = list(AuditList::default()).0;
    assert!(all.len() >= 6 && all.is_sorted_by(|a, b| a > b), "{all:?}");
    let (page, more) = list(AuditList { limit: Some(2), ..AuditList::default() });
    assert_eq!((page.as_slice(), more), (&all[..2], true));
    assert_eq!(list(AuditList { before: Some(page[1]), ..AuditList::default() }).0, all[2..]);
    let typed = |word: &str| list(AuditList { event_type: Some(word.into()), ..AuditList::default() }).0.len();
    assert_eq!((typed("memory"), typed("memory.remembered"), typed("mem"), typed("space.created")), (5, 5, 0, 1));
    let of = |space: &str| list(AuditList { space: Some(space.into()), ..AuditList::default() }).0.len();
    assert_eq!((of("Ledger"), of("default")), (1, 5));
    let agent = list(AuditList { agent: Some("owner".into()), ..AuditList::default() }).0;
    assert_eq!(agent, all);
    let nobody = rig.run(AuditList { agent: Some("nobody".into()), ..AuditList::default() }).unwrap_err();
    assert_eq!(nobody.code, um_model::ErrorCode::NotFound);
}

#[test]
fn the_ledger_is_filtered_by_what_it_is_about() {
    let mut rig = Rig::resting();
    sample(&mut rig);
    rig.space("Ledger");
    let all = rig.run(AuditList::default()).unwrap().events;
    let about = |topic| {
        let listed = rig.run(AuditList { topic: Some(topic), ..AuditList::default() }).unwrap().events;
        listed.into_iter().map(|event| event.event_type).collect::<Vec<_>>()
    };
    assert_eq!(about(AuditTopic::Access), ["space.created"]);
    let found: usize = AuditTopic::ALL.iter().map(|topic| about(*topic).len()).sum();
    assert_eq!(found, all.len(), "each entry is about one thing");
}

#[test]
fn an_export_holds_every_entry_and_takes_no_files_place() {
    let rig = Rig::resting();
    (0..3).for_each(|number| drop(rig.remember(&format!("Plank {number} of the pier."))));
    let export = |path: &std::path::Path| rig.run(AuditExport { path: path.display().to_string() });
    let written = export(&rig.folder()).unwrap();
    let text = std::fs::read_to_string(&written.path).unwrap();
    let lines: Vec<AuditEvent> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, rig.run(AuditList::default()).unwrap().events);
    assert_eq!((written.entries, text.contains("Plank")), (lines.len() as u64, false));
    let refused = |path: &std::path::Path| export(path).unwrap_err().code;
    assert_eq!(refused(&rig.folder()), ErrorCode::Conflict, "the file is there already");
    assert_eq!(refused(std::path::Path::new("ledger.jsonl")), ErrorCode::InvalidRequest);
}

/// Changes a table as one can who has the file: without its triggers.
fn unguarded(rig: &Rig, table: &str, change: &str) {
    let db = rig.db();
    let guards: Vec<String> = {
        let mut found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1").unwrap();
        found.query_map([table], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert!(!guards.is_empty(), "{table} is guarded");
    guards.iter().for_each(|name| db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
    db.pragma_update(None, "foreign_keys", "OFF").unwrap();
    change.split("; ").for_each(|one| assert!(db.execute(one, []).unwrap() > 0, "{one}"));
}

#[test]
fn a_check_sees_what_was_written_since_the_last_one() {
    let rig = Rig::new();
    for number in 0..30 {
        rig.remember(&format!("Knot {number} on the shore."));
        assert_eq!(checks(rig.engine(), false), [""; 0], "after {number}");
    }
    rig.settled();
}

#[test]
fn every_act_stands_in_the_ledger_and_never_what_it_said() {
    let rig = Rig::new();
    rig.space("Ledger");
    rig.remember("The secret sanderling.");
    let id = rig.ingest("sanderling.txt", "Another sanderling.");
    rig.settled();
    rig.run(um_model::capture::ArtifactRemove { id: id.clone() }).unwrap();
    rig.run(um_model::capture::ArtifactRestore { id }).unwrap();
    rig.settled();
    let events: Vec<String> = {
        let db = rig.db();
        let mut found = db.prepare("SELECT event_type FROM audit_events ORDER BY rid").unwrap();
        found.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let expected = ["space.created", "memory.remembered", "artifact.ingested", "artifact.deleted", "memory.restored"];
    assert_eq!(events, expected);
    assert_eq!(rig.count("SELECT count(*) FROM audit_events WHERE payload LIKE '%sanderling%'"), 0);
    assert_eq!(rig.count("SELECT count(*) FROM audit_events WHERE request_id <> 'test' OR actor_id IS NULL"), 0);
}

#[test]
fn another_model_is_refused_until_everything_is_embedded_anew() {
    let mut rig = Rig::new();
    for number in 0..100 {
        rig.remember(&format!("Record {number} of the sandpiper."));
    }
    rig.settled();
    let embedded = |rig: &Rig, model: &str| {
        rig.count(&format!("SELECT count(*) FROM memory_embeddings WHERE model_id = '{model}'"))
    };
    let indexed = |rig: &Rig| rig.count("SELECT count(*) FROM embeddings_text_dense_vec");
    assert_eq!((embedded(&rig, MODEL), indexed(&rig)), (100, 100));

    rig.reopen("another-model");
    rig.engine().start();
    let answer = rig.recall("sandpiper");
    assert!(answer.notices[0].contains("reembed"), "{:?}", answer.notices);
    assert!(!answer.hits.is_empty(), "words are found all the same");
    rig.remember("One more sandpiper, meanwhile.");
    rig.until("embedding waits", || rig.jobs().counts.contains_key(&um_model::JobStatus::WaitingForModel));
    assert_eq!(rig.jobs().jobs.iter().find_map(|job| job.error.as_ref()).unwrap().code, ErrorCode::ModelMismatch);
    assert_eq!(rig.run(Reembed { model: Some("a-third".into()) }).unwrap_err().code, ErrorCode::ModelMissing);

    // It fails midway: the index is as it was, and what was done is kept.
    rig.script.embeds_left.store(50, Ordering::Relaxed);
    assert_eq!(rig.run(Reembed::default()).unwrap_err().code, ErrorCode::ReaderFailed);
    let done = embedded(&rig, "another-model");
    assert!((1..101).contains(&done), "{done}");
    assert_eq!((embedded(&rig, MODEL), indexed(&rig)), (100, 100));
    assert_eq!(rig.run(SettingsGet {}).unwrap().embedding_model, MODEL);
    assert_eq!(checks(rig.engine(), false), [""; 0]);

    rig.script.embeds_left.store(-1, Ordering::Relaxed);
    let ended = rig.run(Reembed::default()).unwrap();
    assert_eq!(
        (ended.model.as_str(), ended.resumed, ended.embedded),
        ("another-model", done as u64, 101 - done as u64)
    );
    rig.settled();
    assert_eq!(indexed(&rig), 101);
    assert_eq!(rig.run(SettingsGet {}).unwrap().embedding_model, "another-model");
    let answer = rig.recall("Record 42 of the sandpiper");
    assert!(answer.notices.is_empty(), "{:?}", answer.notices);
    assert_eq!(answer.hits[0].score_parts.vector_rank, Some(1));
    assert_eq!(rig.run(Reembed::default()).unwrap().embedded, 0, "a second time does nothing");
}

#[test]
fn embedding_anew_can_be_stopped_and_goes_on_later() {
    let mut rig = Rig::new();
    for number in 0..100 {
        rig.remember(&format!("Record {number} of the sanderling."));
    }
    rig.settled();
    rig.reopen("another-model");
    let cancel = um_engine::provider::Cancel::default();
    let stop = cancel.clone();
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = told.clone();
    let progress = um_engine::Progress::new(move |call| {
        heard.lock().unwrap().push(call.done);
        if call.done >= 64 {
            stop.cancel();
        }
    });
    let caller = Caller { cancel, progress, ..Caller::owner("test") };
    let stopped = rig.engine().run(&caller, Reembed::default()).unwrap_err();
    assert_eq!((stopped.code, stopped.hint.is_some()), (ErrorCode::Cancelled, true));
    assert_eq!(told.lock().unwrap()[..2], [32, 64]);
    assert_eq!(rig.script.embedded.load(Ordering::Relaxed), 100 + 64, "it stops at the next batch");
    assert_eq!(rig.run(SettingsGet {}).unwrap().embedding_model, MODEL, "nothing is put in place");
    let ended = rig.run(Reembed::default()).unwrap();
    assert_eq!((ended.resumed, ended.embedded), (64, 36));
}

#[test]
fn a_passage_that_the_model_refuses_keeps_no_other_from_being_embedded_anew() {
    let mut rig = Rig::new();
    for number in 0..70 {
        rig.remember(&format!("Record {number} of the dunlin."));
    }
    let refused = rig.remember("An unreadable record of the dunlin.").id;
    for number in 70..100 {
        rig.remember(&format!("Record {number} of the dunlin."));
    }
    rig.settled();
    rig.reopen("another-model");
    *rig.script.embedding_refuses.lock().unwrap() = Some("unreadable");
    let reembed = || {
        let ended = rig.run(Reembed::default()).unwrap();
        (ended.embedded, ended.resumed, ended.refused, ended.refused_of)
    };
    let (embedded, resumed, count, of) = reembed();
    assert_eq!((embedded, resumed, count), (100, 0, 1));
    let [one] = &*of else { panic!("{of:?}") };
    assert_eq!((&one.memory, &*one.title, one.passages), (&refused, "An unreadable record of the dunlin.", 1));
    assert!(one.reason.contains("it cannot read this"), "{one:?}");
    assert_eq!(rig.run(SettingsGet {}).unwrap().embedding_model, "another-model", "the others are put in place");
    assert_eq!(reembed(), (0, 100, 1, of), "it is tried again");
    *rig.script.embedding_refuses.lock().unwrap() = None;
    assert_eq!(reembed(), (1, 100, 0, Vec::new()));
    assert_eq!(rig.count("SELECT count(*) FROM embeddings_text_dense_vec"), 101);
}

#[test]
fn what_was_removed_is_embedded_when_it_comes_back_under_another_model() {
    let mut rig = Rig::new();
    let id = rig.ingest("note.txt", "the returning redwing");
    rig.settled();
    rig.run(um_model::capture::ArtifactRemove { id: id.clone() }).unwrap();
    rig.reopen("another-model");
    rig.engine().start();
    rig.run(Reembed::default()).unwrap();
    rig.run(um_model::capture::ArtifactRestore { id }).unwrap();
    rig.settled();
    assert_eq!(rig.found("redwing")[0].score_parts.vector_rank, Some(1));
}

#[test]
fn settings_are_kept_and_checked() {
    let mut rig = Rig::resting();
    let first = rig.run(SettingsGet {}).unwrap();
    assert_eq!((first.theme.as_str(), first.ocr_languages.as_str()), ("system", "eng"));
    let change = SettingsSet {
        theme: Some("dark".into()),
        single_key_actions: Some(false),
        ask_keys: Some("Ctrl+Alt+M".into()),
        ocr_languages: Some("eng+deu".into()),
        ..SettingsSet::default()
    };
    rig.run(change).unwrap();
    rig.reopen(MODEL);
    let kept = rig.run(SettingsGet {}).unwrap();
    assert_eq!((kept.theme.as_str(), kept.single_key_actions, kept.close_to_tray), ("dark", false, true));
    assert_eq!((first.ask_keys.as_str(), kept.ask_keys.as_str()), ("", "Ctrl+Alt+M"));
    for wrong in [
        SettingsSet { theme: Some("pink".into()), ..SettingsSet::default() },
        SettingsSet { ocr_languages: Some("".into()), ..SettingsSet::default() },
        SettingsSet { ocr_languages: Some("eng; rm".into()), ..SettingsSet::default() },
        SettingsSet { ask_keys: Some("Ctrl and M".into()), ..SettingsSet::default() },
        SettingsSet { ask_keys: Some("M".into()), ..SettingsSet::default() },
        SettingsSet { ask_keys: Some("Ctrl+C".into()), ..SettingsSet::default() },
    ] {
        let refused = rig.run(wrong).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidRequest);
        assert!(refused.hint.is_some(), "{refused:?}");
    }
    assert_eq!(rig.run(SettingsGet {}).unwrap(), kept);
}

#[test]
fn the_status_line_counts_what_is_there() {
    let rig = Rig::new();
    rig.script.embedding.close();
    rig.remember("A waiting wheatear.");
    let shot = rig.ingest("shot.png", inputs::png("a wheatear"));
    rig.reads(&shot, um_model::JobStatus::Completed);
    let status = rig.run(StatusGet {}).unwrap();
    assert_eq!((status.artifacts, status.memories, status.paused), (1, 2, false));
    assert!(status.units_unembedded >= 1);
    let together = ["One.", "Two.", "Three."].map(|text| MemoryText { text: text.into(), ..MemoryText::default() });
    rig.run(MemoriesAdd { space: SPACE.into(), memories: together.to_vec() }).unwrap();
    let later = rig.run(StatusGet {}).unwrap().units_unembedded;
    assert_eq!(later, status.units_unembedded + 3, "of what came in together, each counts");
    rig.script.embedding.open();
    rig.settled();
    assert_eq!(rig.run(StatusGet {}).unwrap().units_unembedded, 0);
    rig.engine().agent_connected();
    rig.engine().set_socket(Some("somewhere".into()));
    let status = rig.run(StatusGet {}).unwrap();
    assert_eq!((status.agents_connected, status.socket.as_deref()), (1, Some("somewhere")));
}
