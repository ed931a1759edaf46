//! Questions that name a period: what is of it is found by that where nothing else is asked for, and need be less near where more is.

use crate::support::{Rig, SPACE};
use serde_json::{Value, json};
use um_engine::Caller;
use um_model::capture::MemoryRemember;
use um_model::envelope::MemoryTier;
use um_model::recall::{MemoryRecall, Recalled};
use um_model::traces::{Gate, RecallTrace, TraceGet, TraceReplay};
use um_model::{EpochMs, MemoryId, Tier};

const DAY: EpochMs = 86_400_000;

fn day(written: &str) -> EpochMs {
    um_rules::date_begins(written).unwrap()
}

fn on(day_of: &str, text: &str) -> MemoryRemember {
    let occurred_at = Some(day(day_of) + DAY / 2);
    MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), occurred_at, ..MemoryRemember::default() }
}

fn said(rig: &Rig, day_of: &str, text: &str) -> MemoryId {
    rig.run(on(day_of, text)).unwrap().memory.id
}

/// What was said in May, February and last October; and, with no day of its own, now: on 15 June 2025.
fn sample() -> Rig {
    let rig = Rig::new();
    said(&rig, "2025-05-10", "We fed herons near Vexmark.");
    said(&rig, "2025-05-20", "Ana mended a torn sail.");
    said(&rig, "2025-02-03", "Crystals shine by night.");
    said(&rig, "2024-10-07", "Bees left their hive.");
    rig.remember("Jars stand on shelves.");
    rig.settled();
    rig
}

/// What was found by its time, in the order of the alphabet.
fn by_time(recalled: &Recalled) -> Vec<&str> {
    let hits = recalled.hits.iter().filter(|hit| hit.score_parts.period.is_some());
    let mut found: Vec<&str> = hits.map(|hit| hit.quote.as_str()).collect();
    found.sort_unstable();
    found
}

fn trace(rig: &Rig, recalled: &Recalled) -> RecallTrace {
    rig.run(TraceGet { id: recalled.trace.clone().unwrap() }).unwrap().recall.unwrap()
}

#[test]
fn a_question_that_is_nothing_but_a_time_finds_what_is_of_it() {
    let rig = sample();
    let check = |question: &str, expected: &[&str]| {
        let recalled = rig.recall(question);
        assert_eq!(by_time(&recalled), expected, "{question}: {recalled:?}");
        assert!(!recalled.abstained, "{question}: {recalled:?}");
        assert!(recalled.hits[0].score_parts.period.is_some(), "{question}: {recalled:?}");
        assert!(trace(&rig, &recalled).indexes.iter().any(|index| index == "time"), "{question}");
        assert!(rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap().exact, "{question}");
    };
    let (herons, sail) = ("We fed herons near Vexmark.", "Ana mended a torn sail.");
    for of_may in
        ["im Mai 2025", "Was habe ich im Mai 2025 geschrieben?", "le mois dernier", "en mai 2025", "el mes pasado"]
    {
        check(of_may, &[sail, herons]);
    }
    check("Notizen aus dem Oktober 2024", &["Bees left their hive."]);
    check("last month", &[sail, herons]);
    check("What happened in May 2025?", &[sail, herons]);
    check("notes from October 2024", &["Bees left their hive."]);
    check("What did I write in October?", &["Bees left their hive."]);
    check("What did I write this month?", &["Jars stand on shelves."]);
    check("spring 2025", &[sail, herons]);
    check("What happened in winter 2024/25?", &["Crystals shine by night."]);
    check("notes from Q4 2024", &["Bees left their hive."]);
    check("the last quarter of 2024", &["Bees left their hive."]);
    check("everything between January and May 2025", &[sail, "Crystals shine by night.", herons]);
}

#[test]
fn what_is_dated_beyond_all_dates_breaks_no_question_of_a_time() {
    let rig = sample();
    for (occurred_at, text) in [(EpochMs::MIN, "Herons nest at Orla."), (EpochMs::MAX, "A bridge bears two herons.")] {
        let id = rig.remember(text).id;
        // None comes in so, but such a time may have been kept before that was looked at.
        let sql = "UPDATE memories SET occurred_at = ?1 WHERE id = ?2";
        assert_eq!(rig.db().execute(sql, (occurred_at, id.as_str())).unwrap(), 1);
    }
    rig.settled();
    for utc_offset in [-840, 0, 840] {
        for query in
            ["Which herons did we feed last month?", "herons on 7 May", "herons in September", "herons before 1960"]
        {
            let request = MemoryRecall { query: query.to_owned(), utc_offset, ..MemoryRecall::default() };
            let recalled = rig.run(request).unwrap();
            assert!(!recalled.hits.is_empty(), "{query}, {utc_offset}");
        }
        let request = MemoryRecall { query: "last month".to_owned(), utc_offset, ..MemoryRecall::default() };
        assert!(by_time(&rig.run(request).unwrap()).contains(&"We fed herons near Vexmark."), "{utc_offset}");
    }
}

/// Each operation that keeps a time from outside, with that one.
fn doors(at: EpochMs, id: &MemoryId, path: &str) -> Vec<(&'static str, Value)> {
    let text = format!("Bo waved at {at}.");
    let event = json!({"kind": "user_message", "content": "Hi.", "occurred_at": at});
    let body = json!({"content": "Porto", "valid_until": at});
    let relation = |end: &str| {
        let (from, to) = (json!({"item_type": "memory", "id": id}), json!({"item_type": "memory", "id": "other"}));
        json!({"from": from, "to": to, "relation_type": "extends", end: at})
    };
    vec![
        ("memory_remember", json!({"space": SPACE, "text": text, "occurred_at": at})),
        ("memory_remember", json!({"space": SPACE, "text": text, "expires_at": at})),
        ("memories_add", json!({"space": SPACE, "memories": [{"text": text, "occurred_at": at}]})),
        ("memory_ingest", json!({"space": SPACE, "paths": [path], "occurred_at": at})),
        ("memory_expire", json!({"id": id, "expires_at": at})),
        ("events_append", json!({"space": SPACE, "events": [event]})),
        ("entry_save", json!({"space": SPACE, "entry_type": "knowledge", "name": "Home", "body": body})),
        ("relation_add", relation("valid_from")),
        ("relation_add", relation("valid_until")),
        ("relation_end", json!({"relation": id, "at": at})),
    ]
}

#[test]
fn what_has_no_date_comes_in_by_no_door() {
    let rig = sample();
    let [first, end] = [1, 10_000].map(|year| um_model::calendar::day_count(year, 1, 1) * DAY);
    let id = rig.remember("A heron stood there.").id;
    let path = rig.file("ferry.txt", "The ferry left.").display().to_string();
    for (at, is_refused) in
        [(EpochMs::MIN, true), (first - 1, true), (first, false), (end - 1, false), (end, true), (EpochMs::MAX, true)]
    {
        for (operation, request) in doors(at, &id, &path) {
            // Of several texts each is answered by itself.
            let told = match rig.engine().call(&Caller::owner("test"), operation, request) {
                Ok(told) => told.to_string(),
                Err(error) => error.to_string(),
            };
            assert_eq!(told.contains("outside of the years 1 to 9999"), is_refused, "{operation}, {at}: {told}");
        }
    }
}

/// On 15 June 2025: what was said today and has no day of its own, and what says words of such questions and is of other days.
#[test]
fn where_a_period_is_all_that_is_asked_for_what_is_of_it_answers_and_nothing_else() {
    let rig = sample();
    said(&rig, "2025-06-14", "Today I write notes of today: two engineers met in week 48.");
    said(&rig, "2025-06-04", "The invoice of February 2024 was paid.");
    said(&rig, "2025-06-10", "Ben oiled an old hinge.");
    rig.ingest("Notes.md", "# Notes\n\nNotes of last Friday, of the last two weeks and of February.\n");
    rig.settled();
    let check = |question: &str, expected: &[&str]| {
        let recalled = rig.recall(question);
        let mut found: Vec<&str> = recalled.hits.iter().map(|hit| hit.quote.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{question}: {recalled:?}");
        assert_eq!(recalled.abstained, expected.is_empty(), "{question}: {recalled:?}");
        assert!(rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap().exact, "{question}");
    };
    let (engineers, hinge) = ("Today I write notes of today: two engineers met in week 48.", "Ben oiled an old hinge.");
    let (herons, sail) = ("We fed herons near Vexmark.", "Ana mended a torn sail.");
    check("notes from yesterday", &[engineers]);
    check("notes from last Tuesday", &[hinge]);
    check("between 9 and 12 June 2025", &[hinge]);
    check("before January 2025", &["Bees left their hive.", "The invoice of February 2024 was paid."]);
    check("notes from Oct 2024", &["Bees left their hive."]);
    check("May 2025", &[sail, herons]);
    // It says so itself.
    check("notes from February 2024", &["The invoice of February 2024 was paid."]);
    check("notes from Q1 2024", &["The invoice of February 2024 was paid."]);
    check("the first quarter of 2024", &["The invoice of February 2024 was paid."]);
    check("notes from February 2019", &[]);
    check("summer 2019", &[]);
    for question in ["today", "what did I write today", "notes from today"] {
        let recalled = rig.recall(question);
        assert!(!recalled.abstained, "{question}: {recalled:?}");
        assert!(recalled.hits.iter().any(|hit| hit.quote == "Jars stand on shelves."), "{question}: {recalled:?}");
        assert!(recalled.hits.iter().all(|hit| hit.score_parts.period.is_some()), "{question}: {recalled:?}");
        assert!(recalled.hits.iter().all(|hit| hit.quote != engineers), "{question}: {recalled:?}");
    }
}

/// Eight in the evening of 3 March in Los Angeles is 4 March in UTC; and what is told of 4 March alone is of that day anywhere.
#[test]
fn days_that_a_question_writes_out_are_those_of_the_clock_of_whoever_asks() {
    const HOUR: EpochMs = DAY / 24;
    let rig = Rig::new();
    let told = |at: EpochMs, text: &str| {
        rig.run(MemoryRemember { occurred_at: Some(at), ..on("2025-03-04", text) }).unwrap();
    };
    let (sail, hinge) = ("Ana mended a torn sail.", "Ben oiled an old hinge.");
    let (bees, crystals) = ("Bees left their hive.", "Crystals shine by night.");
    told(day("2025-03-04") + 4 * HOUR, sail);
    told(day("2025-03-03") + 18 * HOUR, hinge);
    told(day("2025-03-04"), bees);
    told(day("2025-02-01") + 3 * HOUR, crystals);
    rig.settled();
    let check = |question: &str, hours: i32, expected: &[&str]| {
        let (query, utc_offset) = (question.to_owned(), hours * 60);
        let recalled = rig.run(MemoryRecall { query, utc_offset, ..MemoryRecall::default() }).unwrap();
        assert_eq!(by_time(&recalled), expected, "{question}, {hours} hours ahead: {recalled:?}");
        let replayed = rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap();
        let is_same = expected.is_empty() || replayed.changes.is_empty() && !replayed.abstains_now;
        assert!(replayed.exact && is_same, "{question}, {hours} hours ahead: {replayed:?}");
    };
    check("What happened on 3 March 2025?", 0, &[hinge]);
    check("What happened on 3 March 2025?", -8, &[sail, hinge]);
    check("What happened on 3 March 2025?", 10, &[]);
    check("What happened on 4 March 2025?", 0, &[sail, bees]);
    check("What happened on 4 March 2025?", -8, &[bees]);
    check("What happened on 4 March 2025?", 10, &[sail, bees, hinge]);
    check("notes from 2025-03-03", -8, &[sail, hinge]);
    check("between 1 and 3 March 2025", -8, &[sail, hinge]);
    check("since 4 March 2025", -8, &[bees]);
    check("before 4 March 2025", -8, &[sail, hinge, crystals]);
    check("before 4 March 2025", 0, &[hinge, crystals]);
    check("notes from February 2025", 0, &[crystals]);
    check("notes from Jan 2025", -8, &[crystals]);
}

#[test]
fn what_is_found_by_its_time_passes_what_narrows_the_question_down() {
    let rig = sample();
    let painted = |what: &str, text: &str, day_of: &str| {
        rig.run(MemoryRemember { key: Some(what.to_owned()), ..on(day_of, text) }).unwrap();
    };
    painted("door", "Doors were painted green.", "2025-05-12");
    // In use then as well, and of no such month.
    painted("gate", "Gates were painted red.", "2025-04-12");
    let then = rig.now();
    rig.advance(DAY);
    painted("door", "Doors were painted grey.", "2025-06-16");
    painted("gate", "Gates were painted white.", "2025-06-16");
    rig.settled();
    let check = |request: MemoryRecall, expected: &[&str]| {
        let request = MemoryRecall { query: "last month".to_owned(), ..request };
        assert_eq!(by_time(&rig.run(request.clone()).unwrap()), expected, "{request:?}");
    };
    let (herons, sail) = ("We fed herons near Vexmark.", "Ana mended a torn sail.");
    let none = MemoryRecall::default;
    check(none(), &[sail, herons]);
    check(MemoryRecall { until: Some(day("2025-05-15")), ..none() }, &[herons]);
    check(MemoryRecall { since: Some(day("2025-05-15")), ..none() }, &[sail]);
    check(MemoryRecall { without: vec!["sail".to_owned()], ..none() }, &[herons]);
    check(MemoryRecall { as_of: Some(then), ..none() }, &[sail, "Doors were painted green.", herons]);
    let without = vec!["green".to_owned()];
    check(MemoryRecall { as_of: Some(then), without, ..none() }, &[sail, herons]);
}

#[test]
fn where_nothing_is_of_the_time_that_is_asked_for_that_is_told() {
    let rig = sample();
    for question in ["What did I write in May 2024?", "yesterday"] {
        let recalled = rig.recall(question);
        assert!(recalled.abstained && by_time(&recalled).is_empty(), "{question}: {recalled:?}");
        let reason = recalled.reason.unwrap();
        assert!(reason.contains("Nothing that was searched is of the time"), "{question}: {reason}");
    }
}

#[test]
fn what_is_of_the_period_need_be_less_near_but_not_quite_another_matter() {
    // It shares one word with the question that is no word to search for: a cosine of 0.09.
    let near = "Salt ropes hang beside green doors, and seven herons sleep in old barrels near Vexmark quay at dusk.";
    let far = "Salt ropes hang beside green doors, and seven herons sleep among old barrels near Vexmark quay at dusk.";
    let check = |day_of: &str, text: &str, question: &str, expected: Option<Gate>| {
        let rig = Rig::new();
        let memory = said(&rig, day_of, text);
        rig.settled();
        let recalled = rig.recall(question);
        let told = trace(&rig, &recalled);
        let rejected = told.rejected.iter().find(|one| one.memory == memory);
        let is_given = recalled.hits.iter().any(|hit| hit.ids.memory == memory);
        assert_eq!(
            (rejected.and_then(|one| one.gate), is_given),
            (expected, expected.is_none()),
            "{day_of} {question}"
        );
        // That it is of then does not make it the answer.
        assert!(recalled.abstained, "{day_of} {question}: {recalled:?}");
        let of_time = recalled.reason.unwrap().contains("is of that time");
        assert_eq!(of_time, expected.is_none(), "{day_of} {question}");
    };
    let question = "Where did we stay in May 2025?";
    check("2025-05-10", near, question, None);
    check("2025-02-10", near, question, Some(Gate::WeakMeaning));
    check("2025-05-10", far, question, Some(Gate::WeakMeaning));
    // What is open at one end is no period.
    check("2025-05-10", near, "Where did we stay in since May 2025?", Some(Gate::WeakMeaning));
    check("2025-05-10", near, "Where did all of us stay in then?", Some(Gate::WeakMeaning));
}

#[test]
fn that_it_is_of_the_period_counts_as_half_a_word_of_the_question() {
    let check = |day_of: &str, reason: Option<&str>| {
        let rig = Rig::new();
        said(&rig, day_of, "We did sleep near herons.");
        rig.settled();
        let recalled = rig.recall("Where did we stay this spring?");
        assert_eq!(recalled.abstained, reason.is_some(), "{day_of}: {recalled:?}");
        let told = recalled.reason.unwrap_or_default();
        assert!(told.contains(reason.unwrap_or_default()), "{day_of}: {told}");
        assert!(rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap().exact, "{day_of}");
    };
    check("2025-04-10", None);
    check("2025-02-10", Some("none of these words, and is not near enough to their meaning"));
}

/// Words are searched in all their forms.
#[test]
fn what_has_a_word_in_another_form_is_not_said_to_have_none() {
    let rig = Rig::new();
    rig.remember("Herons stayed beside salt ropes and green barrels.");
    rig.settled();
    let recalled = rig.recall("Where did we stay?");
    assert_eq!((recalled.hits.len(), recalled.abstained), (1, true), "{recalled:?}");
    assert!(recalled.reason.unwrap().contains("some of these words"));
}

#[test]
fn what_is_no_answer_tells_which_words_nothing_found_says() {
    let rig = Rig::new();
    let herons = rig.remember("Herons stayed beside salt ropes and green barrels.");
    rig.settled();
    let check = |recall: MemoryRecall, expected: Option<&str>| {
        let recalled = rig.run(recall.clone()).unwrap();
        assert!(recalled.abstained && !recalled.hits.is_empty(), "{recall:?}: {recalled:?}");
        let reason = recalled.reason.unwrap();
        let gap = reason.find("Nothing found says").map(|at| &reason[at..]);
        assert_eq!(gap, expected, "{recall:?}: {reason}");
    };
    let asked = |query: &str| MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
    check(asked("Where did the Old ferry stay?"), Some("Nothing found says “Old” or “ferry”."));
    // All of it is said, in another form.
    check(asked("Where did we stay?"), None);
    // What was in use then is in no index.
    check(MemoryRecall { as_of: Some(rig.now()), ..asked("Where did the Old ferry stay?") }, None);
    // What is cold is indexed for the question that asks for it.
    rig.run(MemoryTier { id: herons.id, tier: Tier::Cold }).unwrap();
    let cold = |query: &str| MemoryRecall { tiers: vec![Tier::Cold], ..asked(query) };
    check(cold("Where did the Old ferry stay?"), Some("Nothing found says “Old” or “ferry”."));
    check(cold("Where did we stay?"), None);
}

/// What has some of the words may well be about something else.
#[test]
fn an_answer_that_is_unsure_tells_which_words_nothing_found_says() {
    let rig = Rig::new();
    rig.remember("Our hotel in Lisbon was cheap, though breakfast had a price.");
    rig.settled();
    let check = |recall: MemoryRecall, is_sure: bool, expected: &[&str]| {
        let recalled = rig.run(recall.clone()).unwrap();
        assert_eq!((recalled.abstained, recalled.answerability >= 0.5), (false, is_sure), "{recall:?}: {recalled:?}");
        assert_eq!(recalled.notices, expected, "{recall:?}");
        assert!(rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap().exact, "{recall:?}");
    };
    let asked = |query: &str| MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
    check(asked("price hotel terrace"), false, &["Nothing found says “terrace”."]);
    check(asked("price hotel Lisbon"), true, &[]);
    // What was in use then is in no index.
    check(MemoryRecall { as_of: Some(rig.now()), ..asked("price hotel terrace") }, false, &[]);
}
