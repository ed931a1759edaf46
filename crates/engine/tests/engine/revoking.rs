//! An agent that loses its access in the middle of a call: the call ends, and tells nothing.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use std::path::PathBuf;
use um_engine::{Caller, Engine, Progress};
use um_model::access::*;
use um_model::{ApiError, ErrorCode, TokenId};

/// So many files are in the folder.
const FILES: u64 = 40;
/// After so many of them something is done.
const AT: u64 = 3;

const NAME: &str = "bot";

fn folder_of(rig: &Rig) -> PathBuf {
    for number in 0..FILES {
        rig.file(&format!("opened/{number}.txt"), format!("Crate {number} holds quinces."));
    }
    rig.folder().join("opened")
}

/// An agent that brings a folder in, during which something is done in the person's name: its answer, and how many files were kept.
fn meanwhile(does: impl Fn(&Engine, &TokenId) + Send + Sync + 'static) -> (Result<Value, ApiError>, u64) {
    let rig = Rig::resting();
    let folder = folder_of(&rig);
    let agent = rig.agent_in(NAME, &[SPACE], &[]);
    // Another of its tokens, that of the call being the first.
    rig.secret_of(NAME, &[SPACE], &[]);
    rig.open_to(NAME, &[&folder]).unwrap();
    let (engine, token) = (rig.engine().clone(), agent.token.clone().unwrap());
    let progress = Progress::new(move |call| {
        if call.done == AT {
            does(&engine, &token);
        }
    });
    let caller = Caller { progress, ..agent };
    let answer = rig.engine().call(&caller, "memory_ingest", json!({ "paths": [folder], "space": SPACE }));
    (answer, rig.count("SELECT count(*) FROM artifacts") as u64)
}

fn owner() -> Caller {
    Caller::owner("test")
}

fn part(status: MembershipStatus, role: Role, grants: &[Grant]) -> MembershipSet {
    MembershipSet {
        space: SPACE.to_owned(),
        agent: NAME.to_owned(),
        role: Some(role),
        status: Some(status),
        trust_weight: None,
        grants: Some(grants.to_vec()),
    }
}

fn edit(change: impl FnOnce(&mut AgentEdit)) -> AgentEdit {
    let mut edit = AgentEdit { agent: NAME.to_owned(), ..AgentEdit::default() };
    change(&mut edit);
    edit
}

/// One row for each thing that the person may do meanwhile: how the call ends. `None`: it goes on to its end.
#[test]
fn a_call_under_way_ends_when_its_agent_loses_what_it_needs() {
    #[track_caller]
    fn check(
        what: &str,
        ends: Option<Result<(), ErrorCode>>,
        does: impl Fn(&Engine, &TokenId) + Send + Sync + 'static,
    ) {
        let (answer, kept) = meanwhile(does);
        assert_eq!(kept, if ends.is_some() { AT } else { FILES }, "{what}: {answer:?}");
        match answer {
            Ok(told) => assert_eq!(told["cancelled"], ends.is_some(), "{what}: {told}"),
            Err(error) => assert_eq!(ends, Some(Err(error.code)), "{what}: {error}"),
        }
    }
    use MembershipStatus::{Active, Removed, Suspended};
    let (lost, stopped, goes_on) = (Some(Err(ErrorCode::AccessEnded)), Some(Ok(())), None);
    check("all tokens are revoked", lost, |engine, _| {
        engine.run(&owner(), AgentRevoke { agent: NAME.to_owned(), token: None }).unwrap();
    });
    check("its token is revoked", lost, |engine, token| {
        engine.run(&owner(), AgentRevoke { agent: NAME.to_owned(), token: Some(token.clone()) }).unwrap();
    });
    check("another token is revoked", goes_on, |engine, token| {
        let all = engine.run(&owner(), AgentsList {}).unwrap().agents;
        let tokens = all.into_iter().find(|one| one.name == NAME).unwrap().tokens;
        let other = tokens.into_iter().map(|one| one.id).find(|one| one != token);
        engine.run(&owner(), AgentRevoke { agent: NAME.to_owned(), token: other }).unwrap();
    });
    check("it is suspended", Some(Err(ErrorCode::Forbidden)), |engine, _| {
        engine.run(&owner(), edit(|edit| edit.is_active = Some(false))).unwrap();
    });
    check("a folder is closed", stopped, |engine, _| {
        engine.run(&owner(), edit(|edit| edit.folders = Some(Vec::new()))).unwrap();
    });
    check("it is trusted less", goes_on, |engine, _| {
        engine.run(&owner(), edit(|edit| edit.trust_weight = Some(0.1))).unwrap();
    });
    for (what, ends, request) in [
        ("its part is suspended", stopped, part(Suspended, Role::Member, &[])),
        ("its part is ended", stopped, part(Removed, Role::Member, &[])),
        ("it is made an observer", stopped, part(Active, Role::Observer, &[])),
        ("it is made a leader", goes_on, part(Active, Role::Leader, &[])),
        ("it is granted something", goes_on, part(Active, Role::Member, &[Grant::Forget])),
    ] {
        check(what, ends, move |engine, _| drop(engine.run(&owner(), request.clone()).unwrap()));
    }
}

/// Whoever was let in just before its token was revoked begins nothing any more.
#[test]
fn who_was_let_in_just_before_does_nothing_any_more() {
    let rig = Rig::resting();
    rig.remember("The ferry leaves at nine.");
    let agent = rig.agent_in(NAME, &[SPACE], &[]);
    let folder = folder_of(&rig);
    rig.open_to(NAME, &[&folder]).unwrap();
    rig.run(AgentRevoke { agent: NAME.to_owned(), token: None }).unwrap();
    let before = rig.count("SELECT count(*) FROM memories");
    for (operation, request) in [
        ("memory_ingest", json!({ "paths": [folder], "space": SPACE })),
        ("memory_remember", json!({ "text": "I was here.", "space": SPACE })),
        ("memories_add", json!({ "memories": [{ "text": "I was here, too." }], "space": SPACE })),
        ("memory_recall", json!({ "query": "ferry" })),
        ("spaces_list", json!({})),
    ] {
        let refused = rig.engine().call(&agent, operation, request).unwrap_err();
        assert_eq!(refused.code, ErrorCode::AccessEnded, "{operation}: {refused}");
    }
    assert_eq!(rig.count("SELECT count(*) FROM memories"), before);
}
