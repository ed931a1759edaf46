//! Checks of items: every kind of item, every outcome, every checker; a history that nothing rewrites, of which the last one counts.

use super::saying;
use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use um_engine::Caller;
use um_model::access::Right;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::work::*;
use um_model::{ApiError, ErrorCode};

use VerificationStatus::{Failed, Passed, Stale, Unknown, Warning};

/// One item of each kind that can be checked, each of which says that word.
fn items(rig: &Rig, space: &str, word: &str) -> Vec<ItemKey> {
    let call = |operation: &str, request: Value| rig.engine().call(&Caller::owner("test"), operation, request).unwrap();
    let text = format!("The {word} leaves at noon.");
    let fact = json!({"subject": word, "predicate": "lives_in", "object": "Leeds"});
    let claim = call("facts_add", json!({"space": space, "facts": [fact]}))["facts"][0]["claim"].clone();
    let event = json!({"kind": "user_message", "content": text});
    let entry = json!({"space": space, "entry_type": "guideline", "name": word, "body": {"content": text}});
    let path = rig.file(&format!("{word}.txt"), &text);
    let file = rig.ingest_path(space, &path).remove(0).artifact_id;
    let made = [
        (ItemType::Memory, call("memory_remember", json!({"text": text, "space": space}))["memory"]["id"].clone()),
        (ItemType::Artifact, json!(file)),
        (ItemType::Event, call("events_append", json!({"space": space, "events": [event]}))["events"][0].clone()),
        (ItemType::Claim, claim["id"].clone()),
        (ItemType::Entity, claim["subject"]["id"].clone()),
        (ItemType::Entry, call("entry_save", entry)["entry"]["id"].clone()),
        (
            ItemType::CoreBlock,
            call("block_set", json!({"space": space, "label": word, "content": text}))["block"]["id"].clone(),
        ),
        (ItemType::SessionState, call("state_set", json!({"space": space, "current_goal": text}))["id"].clone()),
        (
            ItemType::Resource,
            call("resource_put", json!({"space": space, "uri": "a://b", "content": text}))["id"].clone(),
        ),
    ];
    let keys = made.map(|(item_type, id)| ItemKey { item_type, id: id.as_str().unwrap().to_owned() });
    let kinds: Vec<ItemType> = ItemType::ALL.iter().copied().filter(|kind| kind.can_be_checked()).collect();
    assert!(kinds.iter().all(|kind| keys.iter().any(|key| key.item_type == *kind)), "one of each kind");
    keys.into()
}

fn of(item: &ItemKey, status: VerificationStatus) -> VerificationAdd {
    let (item_type, id) = (item.item_type, item.id.clone());
    VerificationAdd { item_type, id, status, checker: None, detail: None, checked_at: None }
}

fn listed(rig: &Rig, item: &ItemKey, latest: bool) -> VerificationsListed {
    rig.run(VerificationsList { item: Some(item.clone()), latest, ..VerificationsList::default() }).unwrap()
}

#[test]
fn items_of_each_kind_come_out_in_each_way_by_each_checker() {
    let rig = Rig::resting();
    let items = items(&rig, SPACE, "ferry");
    let mut events = rig.count("SELECT count(*) FROM audit_events");
    let check = |item: &ItemKey| {
        let mut wanted = Vec::new();
        for status in VerificationStatus::ALL {
            for checker in VerificationChecker::ALL {
                rig.advance(1);
                let detail = Some(format!("{status}, says the {checker}."));
                let request = VerificationAdd { checker: Some(*checker), detail: detail.clone(), ..of(item, *status) };
                let told = rig.run(request).unwrap();
                assert_eq!((told.item.key(), told.status, told.checker), (item.clone(), *status, *checker));
                assert_eq!((&told.detail, told.checked_at, told.created_at), (&detail, rig.now(), rig.now()));
                assert!(told.actor_id.is_some() && told.actor.is_some() && !told.item.title.is_empty(), "{told:?}");
                wanted.insert(0, told);
            }
        }
        let all = listed(&rig, item, false);
        assert_eq!((all.verifications, all.total), (wanted.clone(), 25), "the latest first, and none is lost");
        let last = listed(&rig, item, true);
        assert_eq!((last.verifications, last.total), (wanted[..1].to_vec(), 1));
    };
    items.iter().for_each(check);
    events += 25 * items.len() as i64;
    assert_eq!(rig.count("SELECT count(*) FROM audit_events"), events, "each is in the ledger");
    let list = |request: VerificationsList| {
        let listed = rig.run(request).unwrap();
        (listed.verifications.len(), listed.total)
    };
    let all = VerificationsList { limit: Some(200), ..VerificationsList::default() };
    assert_eq!(list(all.clone()), (200, 225));
    assert_eq!(list(VerificationsList { offset: 220, ..all.clone() }), (5, 225));
    assert_eq!(list(VerificationsList { latest: true, space: Some(SPACE.into()), ..all.clone() }), (9, 9));
    assert_eq!(list(VerificationsList { statuses: vec![Failed, Stale], ..all.clone() }), (90, 90));
    assert_eq!(list(VerificationsList { statuses: vec![Passed], latest: true, ..all }), (0, 0), "warned of last");
}

#[test]
fn what_the_schema_has_no_checks_of_is_refused() {
    let rig = Rig::resting();
    let sql = rig.text("SELECT sql FROM sqlite_schema WHERE name = 'verification_records'");
    let list = sql.split("target_type IN").nth(1).unwrap().split("))").next().unwrap();
    let session = rig.run(SessionBegin::default()).unwrap().session.id.to_string();
    for item_type in ItemType::ALL {
        assert_eq!(item_type.can_be_checked(), list.contains(&format!("'{item_type}'")), "{item_type}");
        let id = if *item_type == ItemType::Space { SPACE.to_owned() } else { session.clone() };
        let code = if item_type.can_be_checked() { ErrorCode::NotFound } else { ErrorCode::InvalidRequest };
        let item = ItemKey { item_type: *item_type, id };
        assert_eq!(rig.run(of(&item, Passed)).unwrap_err().code, code, "{item_type}");
        let list = VerificationsList { item: Some(item), ..VerificationsList::default() };
        assert_eq!(rig.run(list).unwrap_err().code, code, "{item_type}");
    }
}

#[test]
fn the_check_of_the_latest_time_counts_whenever_it_was_written_down() {
    let rig = Rig::resting();
    let item = ItemKey { item_type: ItemType::Memory, id: rig.remember("The ferry leaves at noon.").id.to_string() };
    let add = |status, ago: i64| {
        let checked_at = Some(rig.now() - ago);
        rig.run(VerificationAdd { checked_at, detail: Some(" looked ".into()), ..of(&item, status) })
    };
    let first = add(Passed, 10).unwrap();
    assert_eq!(first.detail.as_deref(), Some("looked"));
    add(Failed, 20).unwrap();
    let last = |status| assert_eq!(listed(&rig, &item, true).verifications[0].status, status);
    last(Passed);
    add(Warning, 10).unwrap();
    last(Warning);
    let rows = "SELECT count(*) FROM verification_records";
    let events = "SELECT count(*) FROM audit_events";
    let before = (rig.count(rows), rig.count(events));
    assert_eq!(add(Passed, 10).unwrap(), first, "said again, it is the same");
    assert_eq!((rig.count(rows), rig.count(events)), before);
    last(Warning);
    assert_eq!(listed(&rig, &item, false).total, 3);
    assert_eq!(add(Unknown, -1).unwrap_err().code, ErrorCode::InvalidRequest, "it was not checked yet");
    assert_eq!(add(Unknown, rig.now() + 1).unwrap_err().code, ErrorCode::InvalidRequest, "before 1970");
    let long = VerificationAdd { detail: Some("x".repeat(2_001)), ..of(&item, Failed) };
    assert_eq!(rig.run(long).unwrap_err().code, ErrorCode::TextTooLong);
    let both =
        VerificationsList { item: Some(item.clone()), space: Some(SPACE.into()), ..VerificationsList::default() };
    assert_eq!(rig.run(both).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!((rig.count(rows), rig.count(events)), before, "nothing of what was refused is kept");
}

#[test]
fn an_agent_speaks_for_no_person_and_checks_nothing_that_is_closed_to_it() {
    let rig = Rig::resting();
    rig.space("Vault");
    let closed = items(&rig, "Vault", "zeppelin");
    let memory = ItemKey { item_type: ItemType::Memory, id: rig.remember("The ferry leaves at noon.").id.to_string() };
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let reader = rig.agent_in("reader", &[SPACE], &[Right::Read]);
    let add =
        |by: &Caller, item: &ItemKey, checker| rig.engine().run(by, VerificationAdd { checker, ..of(item, Failed) });
    let code = |answer: Result<Verification, ApiError>| answer.unwrap_err().code;
    assert_eq!(code(add(&bot, &memory, Some(VerificationChecker::Person))), ErrorCode::Forbidden);
    assert_eq!(code(add(&reader, &memory, None)), ErrorCode::Forbidden);
    assert_eq!(add(&bot, &memory, None).unwrap().checker, VerificationChecker::Agent);
    let owner = Caller::owner("test");
    assert_eq!(add(&owner, &memory, None).unwrap().checker, VerificationChecker::Person);
    let unknown = "00000000-0000-7000-8000-0000000009ff";
    let bare = |answer: Result<Value, ApiError>, id: &str| answer.unwrap_err().to_string().replace(id, "ID");
    for item in &closed {
        add(&owner, item, None).unwrap();
        let nothing = ItemKey { id: unknown.to_owned(), ..item.clone() };
        let added = |item: &ItemKey| add(&bot, item, None).map(|told| json!(told));
        assert_eq!(code(add(&bot, item, None)), ErrorCode::NotFound, "{item:?}");
        assert_eq!(bare(added(item), &item.id), bare(added(&nothing), unknown), "{item:?}");
        let told = |item: &ItemKey| {
            let request = VerificationsList { item: Some(item.clone()), ..VerificationsList::default() };
            rig.engine().run(&bot, request).map(|told| json!(told))
        };
        assert_eq!(bare(told(item), &item.id), bare(told(&nothing), unknown), "{item:?}");
    }
    let all = |by: &Caller| rig.engine().run(by, VerificationsList::default()).unwrap().total;
    assert_eq!((all(&bot), all(&reader), all(&owner)), (2, 2, 2 + closed.len() as u64));
}

#[test]
fn nothing_rewrites_a_check() {
    let rig = Rig::resting();
    let memory = rig.remember("The ferry leaves at noon.").id;
    let item = ItemKey { item_type: ItemType::Memory, id: memory.to_string() };
    let told = rig.run(VerificationAdd { detail: Some("It sailed at one.".into()), ..of(&item, Failed) }).unwrap();
    for (sql, words) in [
        ("UPDATE verification_records SET status = 'passed'", "append-only"),
        ("UPDATE verification_records SET detail = 'It sailed at noon.'", "append-only"),
        ("UPDATE verification_records SET checker = 'test'", "append-only"),
        ("UPDATE verification_records SET actor_id = NULL", "append-only"),
        ("UPDATE verification_records SET checked_at = 1", "append-only"),
        ("DELETE FROM verification_records", "compliance mode"),
    ] {
        let refused = rig.db().execute(sql, []).unwrap_err().to_string();
        assert!(refused.contains(words), "{sql}: {refused}");
    }
    assert_eq!(listed(&rig, &item, false).verifications, [told]);
}

#[test]
fn what_is_forgotten_takes_its_checks_along() {
    let rig = Rig::new();
    let all = items(&rig, SPACE, "quimbly");
    let kept = ItemKey { item_type: ItemType::Memory, id: rig.remember("The pier is long.").id.to_string() };
    for item in all.iter().chain([&kept]) {
        let said = if item.id == kept.id { "It was measured." } else { "Zorvex looked." };
        rig.run(VerificationAdd { detail: Some(said.into()), ..of(item, Failed) }).unwrap();
    }
    rig.settled();
    assert!(saying(&rig, "zorvex").contains(&"verification_records.detail".to_owned()));
    let what = ForgetWhat { query: Some("quimbly".into()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    assert_eq!(saying(&rig, "zorvex"), [""; 0]);
    let gone = "SELECT count(*) FROM verification_records WHERE is_redacted = 1 AND detail IS NULL";
    assert_eq!(rig.count(gone), all.len() as i64);
    let left = rig.run(VerificationsList::default()).unwrap();
    assert_eq!((left.total, left.verifications[0].item.key()), (1, kept.clone()));
    for item in &all {
        let list = VerificationsList { item: Some(item.clone()), ..VerificationsList::default() };
        assert_eq!(rig.run(list).unwrap_err().code, ErrorCode::NotFound, "{item:?}");
        assert_eq!(rig.run(of(item, Passed)).unwrap_err().code, ErrorCode::NotFound, "{item:?}");
    }
    let again = VerificationAdd { detail: Some("The quimbly leaves at noon.".into()), ..of(&kept, Failed) };
    assert_eq!(rig.run(again).unwrap_err().code, ErrorCode::Forgotten);
}

#[test]
fn a_pack_warns_of_what_did_not_pass_its_last_check() {
    let rig = Rig::resting();
    let put =
        |uri: &str| ResourcePut { uri: uri.into(), content: Some(format!("{uri} is well.")), ..Default::default() };
    let [checked, other] = ["a://one", "a://two"].map(|uri| rig.run(put(uri)).unwrap().id.to_string());
    let item = ItemKey { item_type: ItemType::Resource, id: checked };
    let pack = || rig.run(ContextCompile::default()).unwrap();
    let words = "did not pass its last check";
    let is_well = || {
        let pack = pack();
        assert!(pack.verification_warnings.is_empty() && !pack.full_text.contains(words), "{pack:?}");
        assert_eq!(pack.items.len(), 2);
    };
    is_well();
    for status in [Failed, Stale, Unknown, Warning] {
        rig.advance(1);
        let detail = Some(format!("It came out {status}."));
        rig.run(VerificationAdd {
            checker: Some(VerificationChecker::Test),
            detail: detail.clone(),
            ..of(&item, status)
        })
        .unwrap();
        let pack = pack();
        let [warning] = &pack.verification_warnings[..] else { panic!("{pack:?}") };
        assert_eq!((warning.target.key(), warning.status), (item.clone(), status));
        assert_eq!((warning.checker, &warning.detail), (VerificationChecker::Test, &detail));
        assert_eq!(warning.checked_at, rig.now());
        assert!(pack.full_text.contains(words), "{}", pack.full_text);
        rig.advance(1);
        rig.run(of(&item, Passed)).unwrap();
        is_well();
    }
    let other = ItemKey { item_type: ItemType::Resource, id: other };
    rig.run(of(&other, Passed)).unwrap();
    is_well();
}
