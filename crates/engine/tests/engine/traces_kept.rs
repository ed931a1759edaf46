//! Which traces are kept, and for how long.

use crate::support::Rig;
use crate::traces::{DAY, fielded};
use um_model::ErrorCode;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::recall::MemoryRecall;
use um_model::traces::{Feedback, SearchSave, TraceFeedback, TraceGet, TracesList};

#[test]
fn the_oldest_of_too_many_traces_go_as_others_come_in() {
    let rig = Rig::new();
    rig.remember("The ferry leaves at noon.");
    rig.settled();
    rig.run(fielded("ferry")).unwrap();
    // One is there before them, and the next one is the 5,376th: 21 times 256.
    rig.run(TracesList::default()).unwrap();
    let sql = "INSERT INTO answer_traces (id, space_id, actor_id, query, recall_trace, outcome, expires_at, created_at)
       SELECT printf('00000000-0000-7000-8000-%012d', n.value), space_id, actor_id, query, recall_trace, outcome,
         expires_at, created_at
       FROM answer_traces t, generate n";
    let many =
        "WITH RECURSIVE generate(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM generate WHERE value < 5375) ";
    rig.db().execute(&format!("{many}{sql}"), []).unwrap();
    let last = rig.run(fielded("ferry")).unwrap().trace.unwrap();
    rig.run(TracesList::default()).unwrap();
    assert_eq!(rig.count("SELECT count(*) FROM answer_traces"), 5_000);
    assert_eq!(rig.text("SELECT id FROM answer_traces ORDER BY rid DESC LIMIT 1"), last.to_string());
}

#[test]
fn traces_are_kept_for_as_long_as_the_person_says() {
    use um_model::health::SettingsSet;
    let rig = Rig::new();
    rig.remember("The ferry leaves at noon.");
    rig.settled();
    let keep = |days| rig.run(SettingsSet { traces_kept_days: Some(days), ..SettingsSet::default() });
    let kept = || rig.run(TracesList::default()).unwrap().traces;
    assert_eq!(keep(366).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(keep(2).unwrap().traces_kept_days, 2);
    rig.recall("ferry");
    assert_eq!(kept()[0].expires_at, Some(rig.now() + 2 * DAY));
    keep(100).unwrap();
    assert_eq!(kept()[0].expires_at, Some(rig.now() + 2 * DAY), "what was to go goes");
    keep(1).unwrap();
    assert_eq!(kept()[0].expires_at, Some(rig.now() + DAY));
    keep(0).unwrap();
    assert!(kept().is_empty());
    assert_eq!(rig.recall("ferry").trace, None);
}

#[test]
fn a_trace_whose_time_is_over_is_gone_whether_or_not_it_was_dropped() {
    use um_model::claims::{IdsFind, IdsOf};
    let rig = Rig::resting();
    rig.remember("The ferry leaves at noon.");
    let id = rig.recall("ferry").trace.unwrap();
    let told = || {
        let found = rig.run(IdsFind { of: IdsOf::Traces, part: id.to_string() }).unwrap().found.len();
        let listed = rig.run(TracesList::default()).unwrap().traces.len();
        (rig.run(TraceGet { id: id.clone() }).map(drop).map_err(|error| error.code), listed, found)
    };
    rig.advance(30 * DAY - 1);
    assert_eq!(told(), (Ok(()), 1, 1));
    rig.advance(1);
    assert_eq!(told(), (Err(ErrorCode::NotFound), 0, 0));
    assert_eq!(rig.count("SELECT count(*) FROM answer_traces"), 1, "nothing dropped it yet");
}

#[test]
fn what_was_forgotten_or_is_not_to_be_kept_by_the_time_a_trace_is_written_is_not() {
    let rig = Rig::new();
    rig.remember("The ferry leaves at noon.");
    rig.settled();
    for meanwhile in [
        "INSERT INTO forgettings (id, actor_id, selector, roots, begun_at)
         VALUES ('00000000-0000-7000-8000-00000000f001', (SELECT id FROM agents LIMIT 1), 'memory', '{}', 0)",
        "INSERT OR REPLACE INTO system_settings (key, value, updated_at) VALUES ('user.traces_kept_days', '0', 0)",
    ] {
        let kept = rig.recall("ferry").trace.unwrap();
        assert_eq!(rig.run(TraceGet { id: kept.clone() }).unwrap().summary.id, kept);
        // While somebody else writes, what is found waits to be kept.
        let db = rig.db();
        db.execute_batch("BEGIN IMMEDIATE").unwrap();
        let waits = rig.recall("ferry").trace.unwrap();
        db.execute_batch(meanwhile).unwrap();
        db.execute_batch("COMMIT").unwrap();
        assert_eq!(rig.run(TraceGet { id: waits }).unwrap_err().code, ErrorCode::NotFound, "{meanwhile}");
    }
}

#[test]
fn a_question_asked_of_several_spaces_is_kept_only_where_none_of_them_forgot_what_it_says() {
    const FORGOTTEN: &str = "carla.voss@firma.example";
    let rig = Rig::new();
    rig.space("Other");
    rig.remember(&format!("The ferry of {FORGOTTEN} leaves at noon."));
    let gone = rig.remember_in("Other", &format!("Write to {FORGOTTEN} about the boat.")).id;
    rig.settled();
    let what = ForgetWhat { memory: Some(gone), space: Some("Other".to_owned()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();

    let said = format!("ferry {FORGOTTEN}");
    let ask = |query: &str, space: Option<&str>| MemoryRecall {
        query: query.to_owned(),
        space: space.map(str::to_owned),
        ..MemoryRecall::default()
    };
    let trace = |query: &str, space: Option<&str>| rig.run(ask(query, space)).unwrap().trace.unwrap();
    let say = |space: Option<&str>, feedback, correction: Option<&str>, answer: Option<&str>| {
        let [correction, answer] = [correction, answer].map(|words| words.map(str::to_owned));
        rig.run(TraceFeedback {
            id: trace("ferry", space),
            feedback: Some(feedback),
            correction,
            answer,
            withdraw: false,
        })
        .map(drop)
    };
    let check = |what: &str, act: &dyn Fn(Option<&str>) -> Result<(), um_model::ApiError>, refused: ErrorCode| {
        assert_eq!(act(None).map_err(|error| error.code), Err(refused), "{what} of all spaces");
        act(Some(crate::support::SPACE)).unwrap_or_else(|error| panic!("{what} of one that forgot nothing: {error:?}"));
    };
    let written = || {
        let sql = "SELECT (SELECT count(*) FROM answer_traces WHERE query LIKE '%carla%' OR answer LIKE '%carla%')
                        + (SELECT count(*) FROM saved_searches WHERE query LIKE '%carla%')";
        rig.run(TracesList::default()).unwrap();
        rig.count(sql)
    };
    check("a trace", &|space| rig.run(TraceGet { id: trace(&said, space) }).map(drop), ErrorCode::NotFound);
    let save =
        |space: Option<&str>| rig.run(SearchSave { name: "Ferry".to_owned(), recall: ask(&said, space) }).map(drop);
    check("a saved search", &save, ErrorCode::Forgotten);
    check("an answer", &|space| say(space, Feedback::Positive, None, Some(&said)), ErrorCode::Forgotten);
    check("a correction", &|space| say(space, Feedback::Correction, Some(&said), None), ErrorCode::Forgotten);
    assert_eq!(written(), 3, "each where it was asked of one space");
}
