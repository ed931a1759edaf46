//! The ledger of evidence: what is appended stays as it was.

use super::saying;
use crate::support::{Rig, SPACE};
use serde_json::json;
use um_model::ErrorCode;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::work::*;

fn event(kind: EventKind, content: &str) -> NewEvent {
    NewEvent { kind, content: content.into(), metadata: Default::default(), occurred_at: None }
}

fn append(rig: &Rig, events: Vec<NewEvent>) -> Result<EventsAppended, ErrorCode> {
    rig.run(EventsAppend { events, ..EventsAppend::default() }).map_err(|error| error.code)
}

fn listed(rig: &Rig, request: EventsList) -> Vec<String> {
    rig.run(request).unwrap().events.into_iter().map(|event| event.content).collect()
}

#[test]
fn events_of_every_kind_are_appended_listed_and_found() {
    let rig = Rig::resting();
    for kind in EventKind::ALL {
        append(&rig, vec![event(*kind, &format!("The {kind} tells of ferries."))]).unwrap();
        rig.advance(1_000);
    }
    let all = listed(&rig, EventsList::default());
    assert_eq!((all.len(), all[0].as_str()), (7, "The user_message tells of ferries."), "the latest first");
    for kind in EventKind::ALL {
        let kinds = vec![*kind];
        let wanted = [format!("The {kind} tells of ferries.")];
        assert_eq!(listed(&rig, EventsList { kinds: kinds.clone(), ..EventsList::default() }), wanted);
        let text = Some("ferry".to_owned());
        assert_eq!(listed(&rig, EventsList { kinds, text, ..EventsList::default() }), wanted, "by its words");
    }
    let since = Some(rig.now() - 2_500);
    assert_eq!(listed(&rig, EventsList { since, ..EventsList::default() }).len(), 2);
    assert_eq!(listed(&rig, EventsList { until: since, ..EventsList::default() }).len(), 5);
    let mut pages = Vec::new();
    for offset in [0, 3, 6] {
        let page = rig.run(EventsList { offset, limit: Some(3), ..EventsList::default() }).unwrap();
        assert_eq!(page.more, offset < 6);
        pages.extend(page.events.into_iter().map(|event| event.content));
    }
    assert_eq!(pages, all);
}

#[test]
fn a_batch_is_appended_whole_or_not_at_all() {
    let rig = Rig::resting();
    let check = |events: Vec<NewEvent>, code: ErrorCode| {
        assert_eq!(append(&rig, events).err(), Some(code));
        assert_eq!(rig.count("SELECT count(*) FROM evidence_events"), 0);
    };
    let good = || event(EventKind::ToolCall, "x");
    check(Vec::new(), ErrorCode::Empty);
    check(vec![good(), event(EventKind::ToolCall, " ")], ErrorCode::Empty);
    check(vec![good(); 501], ErrorCode::TextTooLong);
    check(vec![event(EventKind::ToolCall, &"x".repeat(100_001))], ErrorCode::TextTooLong);
    check(vec![event(EventKind::ToolCall, &"x".repeat(99_000)); 11], ErrorCode::TextTooLong);
    let with = |kind, metadata: serde_json::Value| NewEvent {
        metadata: metadata.as_object().unwrap().clone(),
        ..event(kind, "x")
    };
    check(vec![with(EventKind::ToolCall, json!({"x": "y".repeat(5_000)}))], ErrorCode::TextTooLong);
    check(vec![with(EventKind::SystemEvent, json!({"about": "x"}))], ErrorCode::InvalidRequest);
    assert_eq!(append(&rig, vec![good(); 500]).unwrap().events.len(), 500);
}

#[test]
fn nothing_rewrites_an_event_and_forgetting_takes_its_words_everywhere() {
    let rig = Rig::resting();
    let kept = append(&rig, vec![event(EventKind::UserMessage, "Call zanzibar tomorrow.")]).unwrap();
    append(&rig, vec![event(EventKind::UserMessage, "Call Leeds tomorrow.")]).unwrap();
    for change in
        ["content = 'x'", "kind = 'tool_call'", "occurred_at = 1", "content_hash = 'x'", "metadata = '{\"a\":1}'"]
    {
        assert!(rig.db().execute(&format!("UPDATE evidence_events SET {change}"), []).is_err(), "{change}");
    }
    assert!(rig.db().execute("DELETE FROM evidence_events", []).is_err());
    let what = ForgetWhat { query: Some("zanzibar".into()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    let left = saying(&rig, "zanzibar");
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(listed(&rig, EventsList::default()), ["Call Leeds tomorrow."]);
    assert_eq!(rig.count(&format!("SELECT is_redacted FROM evidence_events WHERE id = '{}'", kept.events[0])), 1);
    assert_eq!(
        append(&rig, vec![event(EventKind::UserMessage, "Call zanzibar tomorrow.")]).err(),
        Some(ErrorCode::Forgotten)
    );
    let elsewhere = EventsList { text: Some("tomorrow".into()), space: Some(SPACE.into()), ..EventsList::default() };
    assert_eq!(listed(&rig, elsewhere), ["Call Leeds tomorrow."]);
}

#[test]
fn of_a_session_all_events_are_looked_through() {
    let rig = Rig::resting();
    let session = rig.run(SessionBegin::default()).unwrap().session.id;
    let request = EventsAppend {
        session: Some(session.clone()),
        events: vec![event(EventKind::UserMessage, "A heron, and very many other words beside it.")],
        ..EventsAppend::default()
    };
    rig.run(request).unwrap();
    append(&rig, vec![event(EventKind::UserMessage, "heron heron"); 500]).unwrap();
    append(&rig, vec![event(EventKind::UserMessage, "heron heron heron"); 100]).unwrap();
    let found = EventsList { session: Some(session), text: Some("heron".into()), ..EventsList::default() };
    assert_eq!(listed(&rig, found), ["A heron, and very many other words beside it."]);
}
