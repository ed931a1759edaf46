//! Traces of answers, narrowing a question down, and other days than today.

use crate::support::Rig;
use std::collections::BTreeSet;
use um_engine::Caller;
use um_model::access::{OverlayMode, OverlaySet, Right};
use um_model::capture::MemoryRemember;
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::recall::{MemoryRecall, Recalled, ScoreParts};
use um_model::traces::*;
use um_model::{EpochMs, ErrorCode, MemoryId, MemoryStatus, Modality, Tier};

pub const DAY: EpochMs = 86_400_000;

pub fn fielded(query: &str) -> MemoryRecall {
    MemoryRecall { query: query.to_owned(), fielded: true, ..MemoryRecall::default() }
}

pub fn quotes(recalled: &Recalled) -> Vec<&str> {
    recalled.hits.iter().map(|hit| hit.quote.as_str()).collect()
}

pub fn get(rig: &Rig, recalled: &Recalled) -> AnswerTrace {
    rig.run(TraceGet { id: recalled.trace.clone().unwrap() }).unwrap()
}

pub fn forget(rig: &Rig, memory: &MemoryId) {
    let what = ForgetWhat { memory: Some(memory.clone()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
}

#[test]
fn a_question_is_narrowed_down_by_its_fields() {
    let rig = Rig::new();
    let at = |text: &str, title: Option<&str>, days: i64| {
        rig.run(MemoryRemember {
            text: text.to_owned(),
            space: crate::support::SPACE.to_owned(),
            title: title.map(str::to_owned),
            occurred_at: Some(crate::support::BEGIN - days * DAY),
            ..MemoryRemember::default()
        })
        .unwrap()
    };
    at("The ferry to Vexmark leaves at noon.", Some("Timetable of Orla"), 400);
    rig.run(MemoryRemember {
        text: "I take the night boat.".to_owned(),
        space: crate::support::SPACE.to_owned(),
        owner: Some("Bo Lind".to_owned()),
        ..MemoryRemember::default()
    })
    .unwrap();
    at("The ferry was late and the harbour cold.", None, 3);
    rig.ingest("ferry.md", "# Ferry\n\nThe ferry has a new bell.");
    rig.ingest("Émile Zola.txt", "The sloop of the Élysée.");
    at("A sloop lies in Odessa.", Some("Расписание"), 5);
    rig.settled();
    let check = |query: &str, expected: &[&str]| {
        let recalled = rig.run(fielded(query)).unwrap();
        let mut found = quotes(&recalled);
        found.sort_unstable();
        assert_eq!(found.len(), expected.len(), "{query}: {found:?}");
        for (quote, begins) in found.iter().zip(expected) {
            assert!(quote.contains(begins), "{query}: {found:?}");
        }
    };
    check("ferry", &["new bell", "leaves at noon", "was late"]);
    check("ferry from:orla", &["leaves at noon"]);
    check("ferry from:ferry.md", &["new bell"]);
    check("boat from:lind", &["night boat"]);
    check("boat from:orla", &[]);
    check("sloop from:émile", &["Élysée"]);
    check("sloop from:ÉMILE", &["Élysée"]);
    check("sloop from:e\u{301}mile", &["Élysée"]);
    check("sloop from:расПИСАНИЕ", &["Odessa"]);
    check("ferry type:text", &["new bell", "leaves at noon", "was late"]);
    check("ferry type:pdf", &[]);
    check("ferry before:2024-12", &["leaves at noon"]);
    check("ferry -bell -late", &["leaves at noon"]);
    check("\"harbour cold\"", &["was late"]);
    check("ferry \"cold harbour\"", &[]);
    let error = rig.run(fielded("ferry type:smell")).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest);
    // What is not asked to be read so is words.
    let plain = rig.run(MemoryRecall { query: "ferry from:orla".to_owned(), ..MemoryRecall::default() }).unwrap();
    assert_eq!(plain.hits.len(), 3);
    assert!(plain.notices.iter().any(|notice| notice.contains("`from:`")), "{:?}", plain.notices);
    let narrowed = rig.run(fielded("ferry from:orla")).unwrap();
    assert!(!narrowed.notices.iter().any(|notice| notice.contains("`from:`")), "{:?}", narrowed.notices);
}

#[test]
fn what_narrows_a_question_down_by_too_much_is_told() {
    let rig = Rig::resting();
    let check = |recall: MemoryRecall, says: Option<&str>| {
        let told = rig.run(recall).err().map(|error| (error.code, error.message));
        assert_eq!(told, says.map(|says| (ErrorCode::InvalidRequest, says.to_owned())));
    };
    let asked = || MemoryRecall { query: "ferry".to_owned(), ..MemoryRecall::default() };
    let many = |number: usize| vec!["ana".to_owned(); number];
    let long = |letter: &str, number: usize| vec!["ana".to_owned(), letter.repeat(number)];
    check(MemoryRecall { from: many(20), tags: many(20), ..asked() }, None);
    check(MemoryRecall { from: many(21), ..asked() }, Some("A question has at most 20 names, and this one has 21."));
    check(
        MemoryRecall { without: many(1_234), ..asked() },
        Some("A question has at most 20 words to leave out, and this one has 1,234."),
    );
    check(MemoryRecall { modalities: vec![Modality::Pdf; 20], tiers: vec![Tier::Hot; 20], ..asked() }, None);
    check(
        MemoryRecall { modalities: vec![Modality::Pdf; 21], ..asked() },
        Some("A question has at most 20 types, and this one has 21."),
    );
    check(
        MemoryRecall { tiers: vec![Tier::Hot; 1_234], ..asked() },
        Some("A question has at most 20 tiers, and this one has 1,234."),
    );
    // Characters are counted, whatever they take.
    check(MemoryRecall { phrases: long("会", 2_000), ..asked() }, None);
    check(fielded(&format!("\"{}\"", "会".repeat(700))), None);
    check(
        MemoryRecall { phrases: long("会", 2_001), ..asked() },
        Some("Of the phrases of a question, each has at most 2,000 characters, and one has 2,001."),
    );
}

#[test]
fn what_of_a_question_is_half_written_is_told_and_not_kept() {
    let rig = Rig::new();
    rig.remember("The ferry leaves at noon.");
    rig.settled();
    for (query, says) in [("ferry - noon", "-flat"), ("ferry \"\"", "between them")] {
        let recalled = rig.run(fielded(query)).unwrap();
        assert_eq!(quotes(&recalled), ["The ferry leaves at noon."], "{query}");
        assert!(recalled.notices.iter().any(|notice| notice.contains(says)), "{query}: {:?}", recalled.notices);
        let plain = rig.run(MemoryRecall { fielded: false, ..fielded(query) }).unwrap();
        assert!(!plain.notices.iter().any(|notice| notice.contains(says)), "{query}: {:?}", plain.notices);
    }
    for query in ["ferry from:", "ferry after: ", "ferry tag:#", "ferry before:notaday", "ferry \"at noon"] {
        let errors = [
            rig.run(fielded(query)).unwrap_err(),
            rig.run(SearchSave { name: "Ferry".into(), recall: fielded(query) }).unwrap_err(),
        ];
        assert!(
            errors.iter().all(|error| error.code == ErrorCode::InvalidRequest && error.hint.is_some()),
            "{errors:?}"
        );
    }
}

#[test]
fn another_day_finds_what_was_so_and_what_was_known() {
    let rig = Rig::new();
    let keyed = |text: &str| {
        let request = MemoryRemember {
            text: text.to_owned(),
            space: crate::support::SPACE.to_owned(),
            key: Some("rent".to_owned()),
            ..MemoryRemember::default()
        };
        rig.run(request).unwrap().memory.id
    };
    let old = keyed("The rent of the flat is 700.");
    let first = rig.now();
    rig.advance(10 * DAY);
    let new = keyed("The rent of the flat is 800.");
    rig.settled();
    assert_eq!(rig.memory(&old).status, MemoryStatus::Superseded);
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, expected: &[&MemoryId]| {
        let request = MemoryRecall { query: "rent flat".to_owned(), as_of, known_at, ..MemoryRecall::default() };
        let recalled = rig.run(request).unwrap();
        let found: Vec<&MemoryId> = recalled.hits.iter().map(|hit| &hit.ids.memory).collect();
        assert_eq!(found, expected, "as of {as_of:?}, known at {known_at:?}");
    };
    let later = rig.now() + DAY;
    check(None, None, &[&new]);
    check(Some(first + DAY), None, &[&old]);
    check(Some(later), None, &[&new]);
    check(None, Some(first + DAY), &[&old]);
    check(None, Some(later), &[&new]);
    check(Some(first - DAY), None, &[]);
    check(Some(later), Some(first + DAY), &[&old]);
    // What was so then and has not the words that it must have is left out by them.
    let recall = |words: &str| MemoryRecall {
        query: "rent flat".to_owned(),
        as_of: Some(first + DAY),
        phrases: vec![words.to_owned()],
        ..MemoryRecall::default()
    };
    for (words, lost) in [("of the flat", Lost::Given), ("of the harbour", Lost::Filter)] {
        let told = rig.run(RecallWhyNot { recall: recall(words), expected: old.to_string() }).unwrap();
        assert_eq!(told.lost, lost, "{words}: {told:?}");
    }
    // What was removed, and what was forgotten, is in no past.
    rig.run(um_model::capture::MemoryRemove { id: new.clone() }).unwrap();
    check(Some(later), None, &[]);
    forget(&rig, &old);
    check(Some(first + DAY), None, &[]);
}

#[test]
fn a_trace_tells_how_an_answer_came_about_and_gives_it_again() {
    let rig = Rig::new();
    rig.remember("The zeppelin is in the barn.");
    rig.remember("The barn has a red door.");
    rig.settled();
    let recalled =
        rig.run(MemoryRecall { query: "zeppelin barn".to_owned(), limit: Some(1), ..Default::default() }).unwrap();
    let trace = get(&rig, &recalled);
    let told = trace.recall.unwrap();
    assert_eq!(trace.summary.outcome, TraceOutcome::Success);
    assert_eq!(told.given.iter().map(|one| &one.unit).collect::<Vec<_>>(), [&recalled.hits[0].ids.unit]);
    assert_eq!(told.rejected.iter().map(|one| one.gate).collect::<Vec<_>>(), [Some(Gate::BeyondLimit)]);
    assert_eq!(told.words, ["zeppelin", "barn"]);
    assert_eq!(trace.memories[&recalled.hits[0].ids.memory], "The zeppelin is in the barn.");
    let replayed = rig.run(TraceReplay { id: trace.summary.id.clone() }).unwrap();
    assert!(replayed.exact && replayed.other_ranking.is_none() && replayed.changes.is_empty(), "{replayed:?}");
    // What was learned since then changes what is found now, and not the trace.
    rig.remember("Zeppelin, zeppelin: the barn of the zeppelin.");
    rig.settled();
    let replayed = rig.run(TraceReplay { id: trace.summary.id.clone() }).unwrap();
    assert!(replayed.exact && !replayed.changes.is_empty(), "{replayed:?}");
    let listed = rig.run(TracesList::default()).unwrap();
    assert_eq!(listed.traces.iter().map(|one| &one.id).collect::<Vec<_>>(), [&trace.summary.id]);
    // After 30 days it goes.
    rig.advance(31 * DAY);
    rig.wake();
    rig.until("the trace goes", || rig.run(TracesList::default()).unwrap().traces.is_empty());
}

#[test]
fn the_traces_of_a_space_are_those_of_its_questions_and_of_its_answers() {
    let rig = Rig::new();
    for (space, text) in [("Work", "The tide is low."), ("Shared", "The zeppelin is in the barn.")] {
        rig.space(space);
        rig.remember_in(space, text);
    }
    let mode = Some(OverlayMode::ReadOnly);
    rig.run(OverlaySet { space: "Work".into(), overlay: "Shared".into(), mode }).unwrap();
    rig.settled();
    let ask = |query: &str, space: Option<&str>| {
        let space = space.map(str::to_owned);
        rig.run(MemoryRecall { query: query.to_owned(), space, ..MemoryRecall::default() }).unwrap().trace.unwrap()
    };
    let found_elsewhere = ask("zeppelin barn", Some("Work"));
    let own = ask("tide", Some("Work"));
    let of_all = ask("zeppelin", None);
    let of_shared = ask("barn", Some("Shared"));
    let check = |space: Option<&str>, after: Option<&um_model::TraceId>, expected: &[&um_model::TraceId]| {
        let (space, after) = (space.map(str::to_owned), after.cloned());
        let listed = rig.run(TracesList { space, after, ..TracesList::default() }).unwrap().traces;
        assert_eq!(listed.iter().map(|one| &one.id).collect::<Vec<_>>(), expected);
    };
    check(Some("Work"), None, &[&own, &found_elsewhere]);
    check(Some("Work"), Some(&own), &[&found_elsewhere]);
    check(Some("Shared"), None, &[&of_shared, &of_all, &found_elsewhere]);
    check(None, None, &[&of_shared, &of_all, &own, &found_elsewhere]);
    // What went since does not end the list.
    rig.db().execute("DELETE FROM answer_traces WHERE id = ?1", [own.as_str()]).unwrap();
    let gone = TracesList { after: Some(own), ..TracesList::default() };
    let error = rig.run(gone).unwrap_err();
    assert!(error.code == ErrorCode::NotFound && error.hint.is_some(), "{error:?}");
    check(None, Some(&of_all), &[&found_elsewhere]);
}

#[test]
fn traces_are_found_again_by_who_asked_when_and_in_which_words() {
    let rig = Rig::resting();
    rig.remember("The zeppelin of Émile is in the barn.");
    rig.space("Quiet");
    rig.remember_in("Quiet", "The barn is red.");
    let bot = rig.agent_in("bot", &[crate::support::SPACE], &[Right::Read]);
    let owner = Caller::owner("test");
    let ask = |caller: &Caller, query: &str, space: Option<&str>| {
        rig.advance(DAY);
        let asked = MemoryRecall { space: space.map(str::to_owned), ..fielded(query) };
        rig.engine().run(caller, asked).unwrap();
        rig.now()
    };
    let first = ask(&owner, "Zeppelin of ÉMILE", None);
    let second = ask(&bot, "barn zeppelin", None);
    let third = ask(&owner, "red barn", Some("Quiet"));
    let check = |narrowed: TracesList, expected: &[&str]| {
        let told = format!("{narrowed:?}");
        let listed = rig.run(narrowed).unwrap().traces;
        assert_eq!(listed.iter().map(|one| one.query.as_str()).collect::<Vec<_>>(), expected, "{told}");
    };
    let none = TracesList::default;
    let said = |query: &str| TracesList { query: Some(query.to_owned()), ..none() };
    let by = |actor: &str| TracesList { actor: Some(actor.to_owned()), ..none() };
    let (emile, bots, red) = ("Zeppelin of ÉMILE", "barn zeppelin", "red barn");
    check(none(), &[red, bots, emile]);
    check(said(" "), &[red, bots, emile]);
    check(said("ZEPP"), &[bots, emile]);
    check(said("émile zeppelin"), &[emile]);
    check(said("zeppelin barn"), &[bots]);
    check(said("boat"), &[]);
    check(said("%"), &[]);
    check(by("BOT"), &[bots]);
    check(by(owner.actor.as_str()), &[red, emile]);
    check(TracesList { since: Some(second), ..none() }, &[red, bots]);
    check(TracesList { until: Some(second), ..none() }, &[emile]);
    check(TracesList { since: Some(first), until: Some(third), ..by("owner") }, &[emile]);
    check(TracesList { since: Some(first), until: Some(third), ..said("barn") }, &[bots]);
    let quiet = || Some("Quiet".to_owned());
    check(TracesList { space: quiet(), ..said("barn") }, &[red]);
    check(TracesList { space: quiet(), until: Some(third), ..none() }, &[]);
    // It goes on behind the last of a page, and is cut where the page is full.
    let page = rig.run(TracesList { limit: Some(1), ..said("zeppelin") }).unwrap();
    assert!(page.more && page.traces.len() == 1, "{page:?}");
    let after = Some(page.traces[0].id.clone());
    check(TracesList { after, ..said("zeppelin") }, &[emile]);
    let code = |asked: TracesList| rig.run(asked).unwrap_err().code;
    assert_eq!(code(by("nobody")), ErrorCode::NotFound);
    assert_eq!(code(said(&"barn ".repeat(500))), ErrorCode::InvalidRequest);
    // Who may not list them at all learns nothing by the words.
    assert_eq!(rig.engine().run(&bot, said("zeppelin")).unwrap_err().code, ErrorCode::Forbidden);
}

#[test]
fn a_trace_is_replayed_whatever_its_space_is_called_by_now() {
    use um_model::spaces::SpaceEdit;
    let rig = Rig::new();
    rig.space("Barn");
    rig.remember_in("Barn", "The zeppelin is in the barn.");
    rig.settled();
    let asked = MemoryRecall { query: "zeppelin".into(), space: Some("Barn".into()), ..MemoryRecall::default() };
    let id = rig.run(asked).unwrap().trace.unwrap();
    let edit = SpaceEdit { space: "Barn".into(), name: Some("Hangar".into()), ..SpaceEdit::default() };
    rig.run(edit).unwrap();
    let replayed = rig.run(TraceReplay { id }).unwrap();
    assert!(replayed.exact && replayed.changes.is_empty() && replayed.now.len() == 1, "{replayed:?}");
}

/// Whoever looks at what an agent asked reads more than it does: what lies there is no change since.
#[test]
fn what_an_agent_asked_is_asked_again_where_it_was_asked() {
    let rig = Rig::new();
    rig.space("Barn");
    rig.space("Hangar");
    let mode = Some(OverlayMode::ReadOnly);
    rig.run(OverlaySet { space: "Barn".into(), overlay: "Hangar".into(), mode }).unwrap();
    let told = rig.remember_in("Barn", "The zeppelin is in the barn.").id;
    let other = rig.remember_in("Hangar", "Zeppelin, zeppelin: the barn of the zeppelin.").id;
    rig.settled();
    let bot = rig.agent_in("bot", &["Barn"], &[Right::Read]);
    let owner = Caller::owner("test");
    let check = |by: &Caller, space: Option<&str>, expected: &[&MemoryId]| {
        let (query, space) = ("zeppelin barn".to_owned(), space.map(str::to_owned));
        let recalled = rig.engine().run(by, MemoryRecall { query, space, ..MemoryRecall::default() }).unwrap();
        let replayed = rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap();
        let now: BTreeSet<&MemoryId> = replayed.now.iter().map(|hit| &hit.ids.memory).collect();
        assert_eq!(now, expected.iter().copied().collect::<BTreeSet<_>>(), "{:?}", replayed.now);
        assert!(replayed.exact && replayed.changes.is_empty(), "{replayed:?}");
    };
    for space in [None, Some("Barn")] {
        check(&bot, space, &[&told]);
        check(&owner, space, &[&told, &other]);
    }
}

#[test]
fn an_answer_and_its_trace_tell_what_each_signal_adds() {
    let rig = Rig::new();
    let memory = rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let recalled = rig.recall("zeppelin barn");
    let adds = |parts: &ScoreParts| {
        let values = serde_json::to_value(parts).unwrap();
        let add = |(name, weight): (&String, &f64)| weight * values[name.as_str()].as_f64().unwrap_or_default();
        recalled.weights.iter().map(add).sum::<f64>()
    };
    let hit = &recalled.hits[0];
    assert!(hit.score > 0.0 && (adds(&hit.score_parts) - hit.score).abs() < 1e-9, "{hit:?}");
    let against = recalled.weights.iter().filter(|(_, weight)| **weight < 0.0).map(|(name, _)| name.as_str());
    assert_eq!(against.collect::<Vec<_>>(), ["asks", "repeats"]);
    assert_eq!(get(&rig, &recalled).recall.unwrap().weights, recalled.weights);
    let why = RecallWhyNot { recall: fielded("zeppelin barn"), expected: memory.id.to_string() };
    assert_eq!(rig.run(why).unwrap().weights, recalled.weights);
    // As an earlier version kept it.
    rig.db().execute("UPDATE answer_traces SET recall_trace = json_remove(recall_trace, '$.weights')", []).unwrap();
    assert!(get(&rig, &recalled).recall.unwrap().weights.is_empty());
    assert!(rig.run(TraceReplay { id: recalled.trace.clone().unwrap() }).unwrap().exact);
}

#[test]
fn a_trace_is_replayed_where_its_question_cannot_be_asked_again() {
    let rig = Rig::new();
    rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let id = rig.recall("zeppelin").trace.unwrap();
    let replay = || rig.run(TraceReplay { id: id.clone() }).unwrap();
    assert!(replay().failed.is_none());
    // As it may be kept by an earlier version, which let through what this one does not.
    let long = "zeppelin ".repeat(300);
    let sql = "UPDATE answer_traces SET recall_trace = json_set(recall_trace, '$.asked.query', ?1)";
    rig.db().execute(sql, [&long]).unwrap();
    let replayed = replay();
    assert_eq!(replayed.failed.map(|error| error.code), Some(ErrorCode::InvalidRequest));
    assert!(replayed.exact && replayed.replayed.len() == 1 && replayed.changes.is_empty());
}

#[test]
fn a_search_that_failed_leaves_a_trace_and_one_that_was_refused_none() {
    let rig = Rig::new();
    rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let failed = || {
        let asked = TracesList { outcome: Some(TraceOutcome::Error), ..TracesList::default() };
        rig.run(asked).unwrap().traces
    };
    let nowhere = MemoryRecall { space: Some("Nowhere".to_owned()), ..fielded("zeppelin") };
    for refused in [fielded("zeppelin type:smell"), fielded("?"), nowhere] {
        assert!(rig.run(refused.clone()).is_err(), "{refused:?}");
        assert!(failed().is_empty(), "{refused:?}");
    }
    // How well a question must be answered here cannot be read for a while.
    let id = um_model::OWNER_AGENT;
    let add = "INSERT INTO space_settings (id, space_id, key, value, updated_at)
       SELECT ?1, id, 'abstain_below', '\"high\"', 0 FROM memory_spaces WHERE name = ?2 OR id = ?2";
    rig.db().execute(add, [id, crate::support::SPACE]).unwrap();
    let error = rig.run(fielded("zeppelin type:text")).unwrap_err();
    rig.db().execute("DELETE FROM space_settings WHERE id = ?1", [id]).unwrap();
    let [one] = failed().try_into().unwrap();
    assert_eq!(one.query, "zeppelin");
    let told = rig.run(TraceGet { id: one.id.clone() }).unwrap().recall.unwrap();
    // What could not be read is not told there: it may be of any memory.
    let failed = told.failed.clone().unwrap();
    assert!(failed.code == error.code && !failed.message.contains("high") && failed.hint.is_some(), "{failed:?}");
    assert!(told.given.is_empty() && told.reason.is_none() && !told.asked.modalities.is_empty(), "{told:?}");
    let replayed = rig.run(TraceReplay { id: one.id }).unwrap();
    assert!(replayed.exact && replayed.abstained_then && !replayed.abstains_now && replayed.now.len() == 1);
}

#[test]
fn what_is_forgotten_goes_from_its_traces() {
    let rig = Rig::new();
    let memory = rig.remember("The zeppelin is in the barn.");
    rig.settled();
    let recalled = rig.recall("Where is the zeppelin?");
    assert!(get(&rig, &recalled).recall.is_some());
    forget(&rig, &memory.id);
    let trace = get(&rig, &recalled);
    assert!(trace.recall.is_none() && trace.memories.is_empty(), "{trace:?}");
    assert_eq!(trace.summary.query, "[REDACTED]");
    assert!(rig.run(TracesList::default()).unwrap().traces.is_empty());
    assert!(rig.run(TraceReplay { id: trace.summary.id }).is_err());
}

#[test]
fn words_of_a_title_are_not_missing() {
    let rig = Rig::new();
    let request = MemoryRemember {
        text: "It crosses the sea.".to_owned(),
        space: crate::support::SPACE.to_owned(),
        title: Some("Zeppelin.plan_2".to_owned()),
        ..MemoryRemember::default()
    };
    let plan = rig.run(request).unwrap().memory.id;
    rig.settled();
    let recall = MemoryRecall { query: "zeppelin plan sea harbour".to_owned(), ..MemoryRecall::default() };
    let told = rig.run(RecallWhyNot { recall, expected: plan.to_string() }).unwrap();
    assert_eq!(told.words_missing, ["harbour"]);
}

#[test]
fn words_of_any_part_of_a_file_are_not_missing() {
    let rig = Rig::new();
    let file = rig.ingest("Guide.md", "# Harbour\n\nThe crane lifts.\n\n# Dock\n\nThe rope is wet.\n");
    rig.settled();
    let recall = MemoryRecall { query: "guide harbour crane zeppelin rope".to_owned(), ..MemoryRecall::default() };
    let told = rig.run(RecallWhyNot { recall, expected: file.to_string() }).unwrap();
    assert_eq!(told.words_missing, ["zeppelin"]);
}

#[test]
fn it_tells_why_something_is_not_among_the_passages() {
    let rig = Rig::new();
    let zeppelin = rig.remember("The zeppelin is in the barn.").id;
    let barn = rig.remember("The barn has a red door.").id;
    let removed = rig.remember("The barn was a stable.").id;
    rig.run(um_model::capture::MemoryRemove { id: removed.clone() }).unwrap();
    rig.space("Other");
    let elsewhere = rig.remember_in("Other", "The barn stands on a hill.").id;
    rig.settled();
    let check = |recall: MemoryRecall, expected: &MemoryId, lost: Lost, rank: Option<u32>| {
        let told = rig.run(RecallWhyNot { recall, expected: expected.to_string() }).unwrap();
        assert_eq!((told.lost, told.rank), (lost, rank), "{told:?}");
        told
    };
    let ask = |query: &str| MemoryRecall {
        query: query.to_owned(),
        space: Some(crate::support::SPACE.to_owned()),
        limit: Some(1),
        ..MemoryRecall::default()
    };
    check(ask("zeppelin"), &zeppelin, Lost::Given, Some(1));
    let told = check(ask("zeppelin barn"), &barn, Lost::Rank, Some(2));
    assert_eq!(told.words_missing, ["zeppelin"]);
    let told = check(ask("barn"), &removed, Lost::OutOfUse, None);
    assert!(told.reason.contains("can be restored"), "{told:?}");
    forget(&rig, &removed);
    let told = check(ask("barn"), &removed, Lost::OutOfUse, None);
    assert!(told.reason.contains("was forgotten"), "{told:?}");
    check(ask("barn"), &elsewhere, Lost::Space, None);
    check(MemoryRecall { without: vec!["red".to_owned()], ..ask("barn") }, &barn, Lost::Filter, None);
    let unknown = RecallWhyNot { recall: ask("barn"), expected: um_model::OWNER_AGENT.to_owned() };
    assert_eq!(rig.run(unknown).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn what_is_among_the_closest_of_no_answer_is_not_called_one() {
    let rig = Rig::new();
    let herons = rig.remember("Herons stayed beside salt ropes and green barrels.").id;
    rig.settled();
    for (query, abstains, says) in [
        ("Where did we stay?", true, "It was found, in place 1, but nothing is called an answer"),
        ("herons", false, "It is there, in place 1."),
    ] {
        let recall = MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
        assert_eq!(rig.run(recall.clone()).unwrap().abstained, abstains, "{query}");
        let told = rig.run(RecallWhyNot { recall, expected: herons.to_string() }).unwrap();
        assert_eq!((told.lost, told.rank), (Lost::Given, Some(1)), "{query}: {told:?}");
        assert!(told.reason.starts_with(says), "{query}: {told:?}");
    }
}

/// A long file has more passages than a list of them would hold, and those of its earlier readings stand before them.
#[test]
fn why_something_is_not_there_is_told_whatever_number_of_passages_it_has() {
    for status in ["inactive", "active"] {
        let rig = Rig::new();
        let id = rig.remember("The zeppelin is in the barn.").id;
        rig.remember("The barn has a red door.");
        rig.settled();
        rig.db()
            .execute(
                "WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 6000)
                 INSERT INTO text_units (rid, id, space_id, memory_id, owner_memory_id, ordinal, start_offset, end_offset,
                   created_at, status)
                 SELECT -at, 'unit ' || at, m.space_id, m.id, m.id, at, 0, 0, 1, ?2 FROM n CROSS JOIN memories m WHERE m.id = ?1",
                (id.as_str(), status),
            )
            .unwrap();
        let by_type = MemoryRecall { modalities: vec![um_model::Modality::Text], ..MemoryRecall::default() };
        for query in ["zeppelin", ""] {
            let recall = MemoryRecall { query: query.to_owned(), ..by_type.clone() };
            let told = rig.run(RecallWhyNot { recall, expected: id.to_string() }).unwrap();
            assert_eq!(told.lost, Lost::Given, "{status} {query:?}: {told:?}");
        }
        // Nothing indexed them.
        rig.db().execute("DELETE FROM text_units WHERE rid < 0", []).unwrap();
    }
}

#[test]
fn where_all_that_was_found_is_left_out_the_answer_and_its_trace_say_so() {
    let rig = Rig::new();
    let tell = |text: &str| {
        let (text, space) = (text.to_owned(), crate::support::SPACE.to_owned());
        let occurred_at = Some(crate::support::BEGIN);
        rig.run(MemoryRemember { text, space, occurred_at, ..MemoryRemember::default() }).unwrap();
    };
    tell("The walrus sank the yacht of the bank.");
    rig.settled();
    let check = |query: &str, hits: usize, reason: &str, gates: Option<&[Gate]>| {
        let recalled = rig.run(fielded(query)).unwrap();
        assert_eq!(recalled.hits.len(), hits, "{query}: {recalled:?}");
        assert!(recalled.reason.as_deref().unwrap_or_default().contains(reason), "{query}: {:?}", recalled.reason);
        let AnswerTrace { summary, recall, .. } = get(&rig, &recalled);
        let told = recall.unwrap();
        assert_eq!(told.reason, recalled.reason, "{query}");
        assert_eq!(summary.outcome == TraceOutcome::Success, recalled.reason.is_none(), "{query}");
        let replayed = rig.run(TraceReplay { id: summary.id }).unwrap();
        assert!(replayed.exact, "{query}");
        // Where nothing was found, that is told, and nothing of what was asked.
        assert_eq!(told.wordless, gates.is_none(), "{query}");
        assert_eq!(replayed.failed.is_some(), gates.is_none(), "{query}");
        match gates {
            Some(gates) => {
                let told: Vec<Gate> = told.rejected.iter().filter_map(|one| one.gate).collect();
                assert_eq!(told, gates, "{query}");
            }
            None => {
                assert!(summary.query.is_empty() && told.words.is_empty(), "{query}: {told:?}");
                let kept = serde_json::to_string(&told).unwrap();
                assert!(!kept.contains("glockenspiel") && !kept.contains("yacht"), "{query}: {kept}");
            }
        }
    };
    check("Who sank the yacht of the bank in 2008?", 0, "another time", Some(&[Gate::OtherFacet]));
    check("glockenspiel", 0, "Nothing here has these words", None);
    // Of another year, and only weakly near.
    check("glockenspiel in 2008", 0, "Nothing here has these words", None);
    check("glockenspiel type:text", 0, "Nothing here has these words", None);
    check("\"glockenspiel\"", 0, "Nothing here has these words", None);
    check("\"bank yacht\"", 0, "has these words in this order", None);
    // What was asked may be what was forgotten: it is not written down.
    check("yacht of the bank before:1990", 0, "Nothing here passes what narrows it down", None);
    tell("The crisis of 2008 sank the yacht of the bank.");
    rig.settled();
    check("Who sank the yacht of the bank in 2008?", 1, "", Some(&[Gate::OtherFacet]));
}

#[test]
fn where_nothing_is_kept_an_answer_says_so_and_how_to_add_something() {
    let rig = Rig::new();
    rig.space("Empty");
    let reason = |query: &str, space: Option<&str>| {
        let recalled = rig.run(MemoryRecall { space: space.map(str::to_owned), ..fielded(query) }).unwrap();
        assert!(recalled.hits.is_empty() && recalled.abstained, "{query}: {recalled:?}");
        assert_eq!(get(&rig, &recalled).recall.unwrap().reason, recalled.reason, "{query}");
        recalled.reason.unwrap()
    };
    let check = |query: &str, space: Option<&str>, says_empty: bool| {
        let told = reason(query, space);
        let is_told = told.starts_with("No file or note is kept here yet.") && told.contains("umem ingest");
        assert_eq!(is_told, says_empty, "{query} {space:?}: {told}");
    };
    for query in ["glockenspiel", "glockenspiel type:text", "type:pdf", "\"glockenspiel\""] {
        check(query, None, true);
    }
    let kept = rig.remember("The walrus sank the yacht.").id;
    rig.settled();
    for query in ["glockenspiel", "type:pdf"] {
        check(query, None, false);
        check(query, Some(crate::support::SPACE), false);
        check(query, Some("Empty"), true);
    }
    // What was removed is kept, and may be restored; what was forgotten is not.
    rig.run(um_model::capture::MemoryRemove { id: kept.clone() }).unwrap();
    check("glockenspiel", None, false);
    rig.run(um_model::capture::MemoryRestore { id: kept.clone() }).unwrap();
    forget(&rig, &kept);
    check("glockenspiel", None, true);
}

/// What is weakly near, or has another word of the question, is found for nearly every question: also for one of what was forgotten.
#[test]
fn a_question_that_is_not_answered_keeps_no_word_that_nothing_holds() {
    use um_model::held::HeldList;
    use um_model::spaces::SpaceEdit;
    let rig = Rig::new();
    let strict = rig.space("Strict").id;
    let below = SpaceEdit { space: "Strict".into(), abstain_below: Some(1.0), ..SpaceEdit::default() };
    rig.run(below).unwrap();
    for space in ["Strict", crate::support::SPACE] {
        rig.remember_in(space, "The wardrobe has a blue door.");
        rig.remember_in(space, "The kettle whistles each morning.");
    }
    rig.settled();
    let check = |query: &str, space: &str, keeps: bool| {
        let asked = MemoryRecall { query: query.to_owned(), space: Some(space.to_owned()), ..MemoryRecall::default() };
        let recalled = rig.run(asked).unwrap();
        assert_eq!((recalled.hits.is_empty(), recalled.abstained), (false, space == strict.as_str()), "{query}");
        let AnswerTrace { summary, recall, .. } = get(&rig, &recalled);
        let told = recall.unwrap();
        assert_eq!((told.wordless, summary.query.as_str()), (!keeps, if keeps { query } else { "" }));
        assert_eq!(told.reason.is_some(), recalled.abstained, "{query}");
        let kept = serde_json::to_string(&told).unwrap();
        assert!(keeps || !kept.to_lowercase().contains("quillfeather"), "{query}: {kept}");
        let replayed = rig.run(TraceReplay { id: summary.id.clone() }).unwrap();
        assert_eq!((replayed.exact, replayed.failed.is_none()), (true, keeps), "{query}");
        summary.id
    };
    check("wardrobe kettle", strict.as_str(), true);
    check("Which wardrobes whistle?", strict.as_str(), true);
    check("wardrobe quillfeather", crate::support::SPACE, true);
    let correct = |id, right: &str| {
        let (feedback, correction) = (Some(Feedback::Correction), Some(right.to_owned()));
        rig.run(TraceFeedback { id, feedback, correction, answer: None, withdraw: false }).unwrap()
    };
    let titles = || -> Vec<Option<String>> {
        let held = rig.run(HeldList::default()).unwrap().held.into_iter();
        held.filter(|one| one.operation == "memory_remember").map(|one| one.title).collect()
    };
    correct(check("wardrobe door", strict.as_str(), true), "The wardrobe has no door.");
    assert_eq!(titles(), [Some("wardrobe door".to_owned())]);
    correct(check("wardrobe quillfeather", strict.as_str(), false), "The wardrobe is gone.");
    assert_eq!(titles(), [Some("wardrobe door".to_owned()), None]);
}

#[test]
fn what_stands_behind_the_best_that_was_not_given_is_told_in_short() {
    let rig = Rig::new();
    for number in 0..40 {
        rig.remember(&format!("The ferry of harbour {number} leaves at noon."));
    }
    rig.settled();
    let ask = MemoryRecall { query: "ferry".to_owned(), limit: Some(2), ..MemoryRecall::default() };
    let recalled = rig.run(ask).unwrap();
    let told = get(&rig, &recalled).recall.unwrap();
    assert_eq!((told.given.len(), told.rejected.len(), told.behind.len()), (2, 30, 8));
    assert_eq!(told.considered, 40);
    assert!(told.behind.iter().all(|one| one.gate == Gate::BeyondLimit), "{:?}", told.behind);
    assert!(told.behind.is_sorted_by(|one, next| one.score >= next.score), "{:?}", told.behind);
    assert!(told.rejected[29].score >= told.behind[0].score);
}

#[test]
fn a_trace_leads_from_what_was_given_to_its_text_and_file() {
    let rig = Rig::new();
    rig.ingest("ferry.md", "# Ferry\n\nThe ferry has a new bell.");
    rig.remember("The ferry leaves at noon.");
    rig.settled();
    let recalled = rig.recall("ferry");
    let given = get(&rig, &recalled).recall.unwrap().given;
    let told: Vec<_> = given.iter().map(|one| (&one.unit, &one.view, &one.artifact)).collect();
    let hits = recalled.hits.iter().map(|hit| &hit.ids);
    assert_eq!(told, hits.map(|ids| (&ids.unit, &ids.view, &ids.artifact)).collect::<Vec<_>>());
    assert_eq!(given.iter().filter(|one| one.view.is_some() && one.artifact.is_some()).count(), 1, "{given:?}");
}

#[test]
fn what_only_goes_on_with_a_talk_finds_nothing_and_says_why() {
    let rig = Rig::new();
    let memory = rig.remember("Ana: ok, go on, thanks!").id;
    rig.settled();
    for query in ["ok, go on", "Thanks!"] {
        let recalled = rig.recall(query);
        assert!(recalled.abstained && recalled.hits.is_empty(), "{query}: {recalled:?}");
        let AnswerTrace { summary, recall, .. } = get(&rig, &recalled);
        assert_eq!((summary.query.as_str(), summary.outcome), (query, TraceOutcome::Abstained));
        assert_eq!(recall.unwrap().reason, recalled.reason, "{query}");
        assert!(recalled.reason.unwrap().contains("asks for nothing by itself"), "{query}");
        assert_eq!(recalled.spaces.is_empty(), rig.recall("boat").spaces.is_empty());
        let recall = MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
        let told = rig.run(RecallWhyNot { recall, expected: memory.to_string() }).unwrap();
        assert_eq!(told.lost, Lost::NotFound, "{told:?}");
    }
    assert_eq!(rig.run(fielded("\"go on\"")).unwrap().hits.len(), 1, "the words themselves are found");
    let nowhere = MemoryRecall { query: "thanks".into(), space: Some("Nowhere".into()), ..MemoryRecall::default() };
    assert_eq!(rig.run(nowhere).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn a_part_of_an_id_finds_the_traces_that_have_it() {
    use um_model::claims::{IdsFind, IdsOf};
    let rig = Rig::resting();
    rig.remember("The zeppelin is in the barn.");
    let bot = rig.agent_in("bot", &[crate::support::SPACE], &[Right::Read]);
    let owner = Caller::owner("test");
    let ask = |caller: &Caller, query: &str| {
        let asked = rig.engine().run(caller, fielded(query)).unwrap().trace.unwrap().to_string();
        rig.advance(DAY);
        asked
    };
    let (first, second, own) = (ask(&owner, "zeppelin"), ask(&owner, "barn"), ask(&bot, "zeppelin barn"));
    let check = |part: &str, expected: &[(&str, &str)]| {
        let request = IdsFind { of: IdsOf::Traces, part: part.to_owned() };
        let found = rig.run(request).unwrap().found;
        let told: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.says.as_str())).collect();
        assert_eq!(told, expected, "{part}");
    };
    check(&first[..8].to_uppercase(), &[(first.as_str(), "zeppelin")]);
    check(&second[..20], &[(second.as_str(), "barn")]);
    check(&second[28..], &[(second.as_str(), "barn")]);
    check(&own, &[(own.as_str(), "zeppelin barn")]);
    check("00000000", &[]);
}

#[test]
fn a_part_of_an_id_finds_memories_and_those_of_files() {
    use um_model::claims::{IdsFind, IdsOf};
    let rig = Rig::new();
    let note = rig.remember("The zeppelin is in the barn.").id;
    let file = rig.artifact(&rig.ingest("barn.md", "The barn is red.")).summary;
    let of_file = file.memory_id.unwrap();
    rig.settled();
    let bot = rig.agent_in("bot", &[crate::support::SPACE], &[Right::Read]);
    let check = |part: &str, expected: &MemoryId, says: &str| {
        let request = IdsFind { of: IdsOf::Memories, part: part.to_owned() };
        let refused = rig.engine().run(&bot, request.clone()).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Forbidden, "{part}");
        let found = rig.run(request).unwrap().found;
        let told: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.says.as_str())).collect();
        assert_eq!(told, [(expected.as_str(), says)], "{part}");
    };
    check(&note.as_str()[..30].to_uppercase(), &note, "The zeppelin is in the barn.");
    check(&of_file.as_str()[..30], &of_file, "barn.md");
    check(&file.artifact.id.as_str()[..30], &of_file, "barn.md");
    check(&note.as_str()[28..].to_uppercase(), &note, "The zeppelin is in the barn.");
    check(&of_file.as_str()[28..], &of_file, "barn.md");
    check(&file.artifact.id.as_str()[28..], &of_file, "barn.md");
    let forgotten = IdsFind { of: IdsOf::Memories, part: note.to_string() };
    forget(&rig, &note);
    assert!(rig.run(forgotten).unwrap().found.is_empty());
}

#[test]
fn a_part_of_an_id_finds_files_and_whatever_is_fetched_by_one() {
    use um_model::claims::{IdsFind, IdsOf};
    let rig = Rig::new();
    let note = rig.remember("The zeppelin is in the hangar.").id;
    let file = rig.ingest("barn.md", "The barn is red.");
    let strict = rig.space("Strict").id;
    rig.settled();
    let hit = rig.recall("barn").hits.into_iter().find(|hit| hit.ids.artifact.is_some()).unwrap();
    let job = rig.reading(&file).id;
    let bot = rig.agent_in("bot", &[crate::support::SPACE], &[Right::Read]);
    let check = |of: IdsOf, id: &str, says: &str| {
        for part in [id.to_owned(), id[..30].to_uppercase(), id[28..].to_owned()] {
            let request = IdsFind { of, part };
            let refused = rig.engine().run(&bot, request.clone()).unwrap_err();
            assert_eq!(refused.code, ErrorCode::Forbidden, "{request:?}");
            let found = rig.run(request).unwrap().found;
            let told: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.says.as_str())).collect();
            assert_eq!(told, [(id, says)], "{of:?}");
        }
    };
    check(IdsOf::Artifacts, file.as_str(), "barn.md");
    check(IdsOf::Things, file.as_str(), "file: barn.md");
    check(IdsOf::Things, note.as_str(), "memory: The zeppelin is in the hangar.");
    check(IdsOf::Things, hit.ids.view.unwrap().as_str(), "text of a file: The barn is red.");
    check(IdsOf::Things, hit.ids.unit.as_str(), "passage: The barn is red.");
    check(IdsOf::Things, strict.as_str(), "space: Strict");
    check(IdsOf::Things, job.as_str(), "job: read of barn.md");
    let none = IdsFind { of: IdsOf::Artifacts, part: note.to_string() };
    assert!(rig.run(none).unwrap().found.is_empty(), "a note is no file");
}

#[test]
fn a_part_of_an_id_finds_nothing_that_was_forgotten() {
    use um_model::claims::{IdsFind, IdsOf};
    let rig = Rig::new();
    let note = rig.remember("The zeppelin is in the hangar, beside two balloons and a kite.").id;
    let stays = rig.remember("The barn is red.").id;
    rig.settled();
    let passage = rig.recall("zeppelin").hits[0].ids.unit.clone();
    let found = |id: &str| rig.run(IdsFind { of: IdsOf::Things, part: id.to_owned() }).unwrap().found;
    for id in [note.as_str(), passage.as_str(), stays.as_str()] {
        assert_eq!(found(id).len(), 1, "{id}");
    }
    forget(&rig, &note);
    for (id, expected) in [(note.as_str(), 0), (passage.as_str(), 0), (stays.as_str(), 1)] {
        assert_eq!(found(id).len(), expected, "{id}");
    }
}
