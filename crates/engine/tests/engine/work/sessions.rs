//! Sessions: begun, put off, taken up again, ended, given up; what is in hand in them; what they mark to be remembered.

use super::{guideline, saying};
use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use um_engine::Caller;
use um_model::ErrorCode;
use um_model::held::{HeldDecide, HeldDecision, HeldList, HoldReason};
use um_model::work::*;

fn begin(rig: &Rig, by: &Caller, client_ref: Option<&str>) -> SessionBegun {
    let client_ref = client_ref.map(str::to_owned);
    let request = SessionBegin { purpose: Some("Mend the pier.".into()), client_ref, ..SessionBegin::default() };
    rig.engine().run(by, request).unwrap()
}

fn said(kind: EventKind, content: &str) -> NewEvent {
    NewEvent { kind, content: content.into(), metadata: Default::default(), occurred_at: None }
}

#[test]
fn a_session_goes_only_where_its_status_leads() {
    use SessionStatus::{Active, Completed, Discarded, Paused};
    let check = |from: SessionStatus, to: SessionStatus, is_legal: bool| {
        let rig = Rig::resting();
        let owner = Caller::owner("test");
        let session = begin(&rig, &owner, None).session.id;
        let go = |to: SessionStatus| match to {
            Active | Paused => {
                let (name, purpose, metadata) = (None, None, None);
                rig.run(SessionSet { session: session.clone(), status: Some(to), name, purpose, metadata })
            }
            Completed => {
                let request = SessionEnd { session: session.clone(), summary: None, transcript: Vec::new() };
                rig.run(request).map(|ended| ended.session)
            }
            Discarded => rig.run(SessionDiscard { session: session.clone() }),
        };
        if from != Active {
            assert_eq!(go(from).unwrap().status, from);
        }
        assert_eq!(go(to).is_ok(), is_legal, "{from} to {to}");
        assert_eq!(from.may_become(to), is_legal && from != to, "{from} to {to}, by its type");
        // By raw SQL as well what has ended stays so.
        let set = format!("UPDATE sessions SET status = '{to}', ended_at = 1 WHERE id = '{session}'");
        if from.is_over() && from != to {
            assert!(rig.db().execute(&set, []).unwrap_err().to_string().contains("stays ended"));
        }
    };
    for from in SessionStatus::ALL {
        for to in SessionStatus::ALL {
            check(*from, *to, !from.is_over());
        }
    }
}

#[test]
fn a_session_is_taken_up_again_by_what_its_program_calls_it() {
    let rig = Rig::new();
    let (one, other) = (rig.agent_in("one", &[SPACE], &[]), rig.agent_in("other", &[SPACE], &[]));
    let first = begin(&rig, &one, Some("run-7"));
    assert!(!first.resumed && first.state.is_none());
    let pause = SessionSet {
        session: first.session.id.clone(),
        status: Some(SessionStatus::Paused),
        name: Some("Pier".into()),
        purpose: None,
        metadata: None,
    };
    assert_eq!(rig.engine().run(&one, pause.clone()).unwrap().name.as_deref(), Some("Pier"));
    let goal = StateSet {
        session: Some(first.session.id.clone()),
        current_goal: Some("Find the crack.".into()),
        ..StateSet::default()
    };
    rig.engine().run(&one, goal).unwrap();
    let again = begin(&rig, &one, Some("run-7"));
    assert_eq!(
        (again.session.id.clone(), again.resumed, again.session.status),
        (first.session.id.clone(), true, SessionStatus::Active)
    );
    assert_eq!(again.state.unwrap().current_goal, "Find the crack.");
    assert_ne!(begin(&rig, &other, Some("run-7")).session.id, first.session.id, "another agent's is another");
    for refused in [
        rig.engine().run(&other, pause).unwrap_err(),
        rig.engine().run(&other, SessionDiscard { session: first.session.id.clone() }).unwrap_err(),
    ] {
        assert_eq!(refused.code, ErrorCode::Forbidden);
    }
    let end =
        SessionEnd { session: first.session.id.clone(), summary: Some("Found it.".into()), transcript: Vec::new() };
    let ended = rig.engine().run(&one, end).unwrap().session;
    assert_eq!((ended.status, ended.ended_at), (SessionStatus::Completed, Some(rig.now())));
    let next = begin(&rig, &one, Some("run-7"));
    assert!(!next.resumed && next.session.id != first.session.id, "what has ended is not taken up again");
    let listed = rig.run(SessionsList { statuses: vec![SessionStatus::Completed], ..SessionsList::default() }).unwrap();
    assert_eq!(listed.sessions.len(), 1);
    let detail = rig.run(SessionGet { session: first.session.id, events: None }).unwrap();
    let state = detail.state.unwrap();
    assert_eq!((state.status, state.summary.as_deref()), (StateStatus::Complete, Some("Found it.")));
}

#[test]
fn what_is_in_hand_leaves_an_event_each_time_from_which_it_can_be_read_again() {
    let rig = Rig::resting();
    let session = begin(&rig, &Caller::owner("test"), None).session.id;
    let set = |change: fn(&mut StateSet)| {
        let mut request = StateSet { session: Some(session.clone()), ..StateSet::default() };
        change(&mut request);
        rig.run(request)
    };
    assert_eq!(set(|_| {}).unwrap_err().code, ErrorCode::Empty, "nothing is wanted yet");
    set(|r| r.current_goal = Some("Find the crack.".into())).unwrap();
    set(|r| r.working_set = Some(vec!["pier/plank.rs".into()])).unwrap();
    let state = set(|r| (r.status, r.summary) = (Some(StateStatus::Blocked), Some("It rains.".into()))).unwrap();
    assert_eq!((state.current_goal.as_str(), state.working_set.len()), ("Find the crack.", 1), "the rest stays");
    let events = EventsList { session: Some(session.clone()), ..EventsList::default() };
    let events = rig.run(events).unwrap().events;
    assert_eq!(events.len(), 3);
    assert_eq!(
        (events[0].kind, events[0].metadata["about"].as_str()),
        (EventKind::SystemEvent, Some(state.id.as_str()))
    );
    let told: Value = events[0].metadata["state"].clone();
    for (field, value) in serde_json::to_value(&state).unwrap().as_object().unwrap() {
        if told.get(field).is_some() {
            assert_eq!(&told[field], value, "{field}");
        }
    }
    assert_eq!(told["current_goal"], "Find the crack.");
    assert_eq!(rig.count("SELECT count(*) FROM session_states"), 1);
    let unknown = set(|r| r.source_event_ids = Some(vec![um_model::EventId::parse(um_model::OWNER_AGENT).unwrap()]));
    assert_eq!(unknown.unwrap_err().code, ErrorCode::NotFound);
    // A space has one of its own, and another once that is done.
    let of_space = |goal: &str, status| {
        rig.run(StateSet { current_goal: Some(goal.into()), status, ..StateSet::default() }).unwrap().id
    };
    let first = of_space("Open the harbour.", None);
    assert_eq!(of_space("Open the harbour today.", Some(StateStatus::Complete)), first);
    assert!(rig.run(StateGet::default()).unwrap().state.is_none());
    assert_ne!(of_space("Paint it.", None), first);
}

#[test]
fn what_a_session_marks_waits_for_the_person_and_becomes_a_memory_only_then() {
    let rig = Rig::new();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let session = begin(&rig, &bot, None).session.id;
    let transcript = vec![
        said(EventKind::UserMessage, "Remember: the ferry leaves at noon."),
        said(
            EventKind::AssistantMessage,
            "Done.\n- Decision: planks are oak\n- Lesson learned: measure twice\n- Decision: planks are oak",
        ),
        said(EventKind::ToolResult, "Decision: none of this counts"),
    ];
    let end = SessionEnd { session: session.clone(), summary: None, transcript };
    let ended = rig.engine().run(&bot, end).unwrap();
    rig.settled();
    assert_eq!((ended.held.len(), ended.session.events), (3, 3));
    assert_eq!(rig.count("SELECT count(*) FROM memories"), 0);
    let held = rig.run(HeldList::default()).unwrap().held;
    let says: Vec<&str> = held.iter().map(|one| one.says.as_str()).collect();
    assert_eq!(says, ["the ferry leaves at noon.", "planks are oak", "measure twice"]);
    assert!(held.iter().all(|one| one.reasons == [HoldReason::Marker] && one.actor_name == "bot"));
    assert!(held[0].source_event_id.is_some());
    let kept = rig.run(HeldDecide { id: held[0].id.clone(), decision: HeldDecision::Accept }).unwrap().item_id.unwrap();
    let lineage = format!(
        "SELECT count(*) FROM item_relations r JOIN evidence_events e ON e.id = r.to_id
         WHERE r.from_id = '{kept}' AND r.from_type = 'memory' AND r.to_type = 'event' AND r.relation_type = 'derives'"
    );
    assert_eq!(rig.count(&lineage), 1);
    rig.settled();
    assert_eq!(rig.found("when does the ferry leave").len(), 1);
}

#[test]
fn of_a_session_that_is_given_up_the_evidence_alone_is_left() {
    let rig = Rig::resting();
    let owner = Caller::owner("test");
    let session = begin(&rig, &owner, Some("zanzibar-1")).session.id;
    let set = SessionSet {
        session: session.clone(),
        status: None,
        name: None,
        purpose: None,
        metadata: json!({"scratch": "zanzibar"}).as_object().cloned(),
    };
    rig.run(set).unwrap();
    for goal in ["Sail to zanzibar.", "Sail back from zanzibar."] {
        let (session, current_goal) = (Some(session.clone()), Some(goal.to_owned()));
        rig.run(StateSet { session, current_goal, ..StateSet::default() }).unwrap();
    }
    for says in ["zanzibar is far", "zanzibar is near"] {
        let tags = vec!["rust".to_owned()];
        rig.run(EntrySave { session: Some(session.clone()), tags, ..guideline("zanzibar", says) }).unwrap();
    }
    let (item_type, id) = (ItemType::Entry, rig.text("SELECT id FROM entries"));
    rig.run(TagAttach { item_type, id: id.clone(), tags: vec!["web".into()] }).unwrap();
    rig.run(TagDetach { item_type, id, tags: vec!["web".into()] }).unwrap();
    let take = LockCheckout { session: Some(session.clone()), path: "sail.rs".into(), ..LockCheckout::default() };
    rig.run(take.clone()).unwrap();
    let events = vec![said(EventKind::UserMessage, "The boat is blue.")];
    rig.run(EventsAppend { space: None, session: Some(session.clone()), events }).unwrap();
    assert_eq!(rig.run(SessionDiscard { session: session.clone() }).unwrap().status, SessionStatus::Discarded);
    let left = saying(&rig, "zanzibar");
    assert!(left.is_empty(), "{left:?}");
    for tags in ["item_tags", "past_item_tags"] {
        assert_eq!(
            rig.count(&format!("SELECT count(*) FROM {tags}")),
            0,
            "what nobody sees bears no tag, and bore none"
        );
    }
    let events = rig.run(EventsList { session: Some(session.clone()), ..EventsList::default() }).unwrap().events;
    assert_eq!(events.iter().map(|event| event.content.as_str()).collect::<Vec<_>>(), ["The boat is blue."]);
    assert_eq!(rig.run(LocksList::default()).unwrap().locks.len(), 0);
    assert_eq!(rig.run(take).unwrap_err().code, ErrorCode::Conflict);
    let late = EntrySave { session: Some(session), ..guideline("late", "late") };
    assert_eq!(rig.run(late).unwrap_err().code, ErrorCode::Conflict);
}

#[test]
fn whoever_begins_is_told_what_to_know_and_what_is_forgotten_goes_out_of_that_too() {
    use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
    let rig = Rig::new();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let owner = Caller::owner("test");
    let call = |operation: &str, request: Value| rig.engine().call(&owner, operation, request).unwrap();
    call("block_set", json!({"label": "pier", "content": "Never work on the pier alone."}));
    rig.run(guideline("Planks", "Oak comes from quimby.")).unwrap();
    call("state_set", json!({"current_goal": "Open the harbour."}));
    let briefing = begin(&rig, &bot, None).briefing;
    for words in ["Never work on the pier alone.", "Oak comes from quimby.", "Open the harbour."] {
        assert!(briefing.full_text.contains(words), "{}", briefing.full_text);
    }
    assert_eq!(rig.count("SELECT count(*) FROM compiled_contexts"), 1);
    let what = ForgetWhat { query: Some("quimby".into()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    let left = saying(&rig, "quimby");
    assert!(left.is_empty(), "{left:?}");
    let budget = SessionBegin { budget_tokens: Some(10), ..SessionBegin::default() };
    assert_eq!(rig.engine().run(&bot, budget).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(rig.count("SELECT count(*) FROM sessions"), 1, "what is refused begins nothing");
}

#[test]
fn a_session_that_is_called_nothing_is_another_each_time_and_one_that_goes_on_says_what_it_kept() {
    let rig = Rig::resting();
    rig.space("Other");
    let owner = Caller::owner("test");
    let check = |called: &str| {
        let (one, other) = (begin(&rig, &owner, Some(called)), begin(&rig, &owner, Some(called)));
        assert!(!other.resumed && one.session.id != other.session.id, "{called:?}");
        assert_eq!(other.session.client_ref, None);
    };
    check("");
    check(" ");
    let known = begin(&rig, &owner, Some("run-7")).session.id;
    let again = |change: &dyn Fn(&mut SessionBegin)| {
        let mut request = SessionBegin { client_ref: Some(" run-7 ".into()), ..SessionBegin::default() };
        change(&mut request);
        rig.run(request)
    };
    let same = again(&|request| request.purpose = Some("Mend the pier.".into())).unwrap();
    assert!(same.resumed && same.session.id == known && same.notices.is_empty(), "{:?}", same.notices);
    let differs = again(&|request| request.name = Some("Pier".into())).unwrap();
    assert_eq!((differs.session.name, differs.notices.len()), (None, 1));
    assert!(differs.notices[0].contains("name of this call changed nothing"), "{:?}", differs.notices);
    let elsewhere = again(&|request| (request.resume, request.space) = (Some(known.clone()), Some("Other".into())));
    assert_eq!(elsewhere.unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn what_is_marked_and_has_no_room_is_counted() {
    let rig = Rig::resting();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let end = |from: usize, to: usize| {
        let session = begin(&rig, &bot, None).session.id;
        let lines: Vec<String> = (from..to).map(|number| format!("- Remember: pier {number} is wet")).collect();
        let transcript = vec![said(EventKind::UserMessage, &lines.join("\n"))];
        let ended = rig.engine().run(&bot, SessionEnd { session, summary: None, transcript }).unwrap();
        (ended.held.len(), ended.not_held)
    };
    assert_eq!(end(0, 199), (199, 0));
    assert_eq!(end(199, 204), (1, 4));
    assert_eq!(end(300, 301), (0, 1), "nothing is held where there is no room");
    assert_eq!(rig.count("SELECT count(*) FROM candidates"), 200);
}

/// What others wrote, in each thing that an agent writes to.
#[test]
fn whoever_only_writes_is_told_none_of_the_words_that_are_there() {
    use um_model::access::Right;
    let rig = Rig::resting();
    let owner = Caller::owner("test");
    // No token is given out like that; if one were, it would tell nothing.
    let bot = Caller { rights: vec![Right::Write], ..rig.agent_in("bot", &[SPACE], Right::ALL) };
    let call = |by: &Caller, operation: &str, request: Value| {
        rig.engine().call(by, operation, request).unwrap_or_else(|error| panic!("{operation}: {error}"))
    };
    let set = |operation: &str, request: Value| call(&owner, operation, request);
    set("state_set", json!({"current_goal": "Sail to zanzibar.", "working_set": ["zanzibar.rs"]}));
    let saved = |says: &str| {
        let body = json!({"content": says});
        let tags = json!(["zanzibar"]);
        set("entry_save", json!({"entry_type": "guideline", "name": "zanzibar", "body": body, "tags": tags}))
    };
    let entry = saved("Zanzibar is far.")["entry"]["id"].clone();
    let clash = {
        saved("Zanzibar is near.");
        let body = json!({"content": "Zanzibar is here."});
        let of = json!({"entry_type": "guideline", "name": "zanzibar", "body": body, "base_version": 1});
        set("entry_save", of)["conflict"].clone()
    };
    let memory =
        set("memory_remember", json!({"text": "Zanzibar is hot.", "title": "Zanzibar", "space": SPACE}))["memory"]["id"].clone();
    set("block_set", json!({"label": "pier", "content": "Mind it.", "metadata": {"zanzibar": 1}}));
    let other = set("resource_put", json!({"uri": "zanzibar://one"}))["id"].clone();
    let key = |item_type: &str, id: &Value| json!({"item_type": item_type, "id": id});
    let check = |operation: &str, request: Value| {
        let told = call(&bot, operation, request).to_string().to_lowercase();
        assert!(!told.contains("zanzibar"), "{operation}: {told}");
    };
    check("session_begin", json!({}));
    check("state_set", json!({"status": "blocked"}));
    check("entry_disable", json!({"id": entry}));
    check("entry_enable", json!({"id": entry}));
    check("clash_resolve", json!({"clash": clash, "outcome": "keep_a", "note": "The person says so."}));
    check("tag_attach", json!({"item_type": "entry", "id": entry, "tags": ["rust"]}));
    check("tag_detach", json!({"item_type": "entry", "id": entry, "tags": ["rust"]}));
    let (from, to) = (key("entry", &entry), key("resource", &other));
    let relation = json!({"from": from, "to": to, "relation_type": "depends_on"});
    let id = call(&owner, "relation_add", relation.clone())["id"].clone();
    check("relation_add", relation);
    check("relation_end", json!({"relation": id}));
    check("verification_add", json!({"item_type": "memory", "id": memory, "status": "passed"}));
    check("block_set", json!({"label": "pier", "content": "Mind it well."}));
}
