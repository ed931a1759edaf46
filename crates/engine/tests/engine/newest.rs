//! A question that is nothing but what narrows it down: the newest that pass.

use crate::support::{Rig, SPACE, check_quote};
use std::time::{Duration, UNIX_EPOCH};
use um_model::capture::MemoryRemember;
use um_model::recall::{MemoryRecall, Recalled};
use um_model::traces::{Lost, RecallWhyNot, SearchSave, SearchesList, TraceGet, TraceReplay, TracesList};
use um_model::work::{ContextCompile, ItemType, TagAttach};
use um_model::{ApiError, ErrorCode, MemoryId, Modality};

const DAY: i64 = 86_400_000;

/// Four notes, kept a day after each other, of which the second happened last; a file after them; and a note in another space.
fn sample() -> (Rig, Vec<MemoryId>) {
    let rig = Rig::new();
    let mut ids = Vec::new();
    for (at, text) in
        ["Ana keeps herons.", "Ben keeps storks.", "Ana feeds cranes.", "Ben feeds rails."].iter().enumerate()
    {
        let occurred_at = (at == 1).then(|| rig.now() + 9 * DAY);
        let key = (at == 2).then(|| "cranes".to_owned());
        let (text, space) = ((*text).to_owned(), SPACE.to_owned());
        let request = MemoryRemember { text, space, key, occurred_at, ..MemoryRemember::default() };
        ids.push(rig.run(request).unwrap().memory.id);
        rig.advance(DAY);
    }
    let path = rig.file("reeds.txt", "Reeds grow here.\n\nAnd here as well.");
    let written = UNIX_EPOCH + Duration::from_millis(rig.now() as u64);
    std::fs::File::options().append(true).open(&path).unwrap().set_modified(written).unwrap();
    let file = rig.ingest_path(SPACE, &path).remove(0);
    rig.settled();
    ids.push(file.memory_id.unwrap());
    rig.advance(DAY);
    rig.space("Other");
    ids.push(rig.remember_in("Other", "Ana has an owl elsewhere.").id);
    let tag = |at: usize, tag: &str| {
        let (id, tags) = (ids[at].to_string(), vec![tag.to_owned()]);
        rig.run(TagAttach { item_type: ItemType::Memory, id, tags }).unwrap();
    };
    [(0, "bird"), (2, "bird"), (3, "bird"), (3, "rail")].into_iter().for_each(|(at, name)| tag(at, name));
    rig.settled();
    (rig, ids)
}

fn ask(rig: &Rig, request: MemoryRecall) -> Result<Recalled, ApiError> {
    rig.run(request)
}

fn typed(line: &str) -> MemoryRecall {
    MemoryRecall { query: line.to_owned(), fielded: true, ..MemoryRecall::default() }
}

/// The places in the sample of what is given, in order.
fn places(ids: &[MemoryId], recalled: &Recalled) -> Vec<usize> {
    recalled.hits.iter().map(|hit| ids.iter().position(|id| *id == hit.ids.memory).unwrap()).collect()
}

#[test]
fn only_a_recall_is_told_that_it_can_ask_for_fields() {
    let rig = Rig::resting();
    rig.remember("The rent goes up.");
    let query = "rent from:ana".to_owned();
    let is_told = |notices: &[String]| notices.iter().any(|notice| notice.contains("was taken as words"));
    assert!(is_told(&rig.recall(&query).notices));
    // A pack has no such request.
    let pack = rig.run(ContextCompile { query: Some(query), ..ContextCompile::default() }).unwrap();
    assert!(!is_told(&pack.recall.unwrap().notices));
}

#[test]
fn a_mail_is_from_whoever_its_head_says() {
    let rig = Rig::new();
    let bring = |name: &str, from: &str, says: &str| {
        let file = rig.ingest(name, format!("From: {from}\nTo: Bo\nSubject: rent\n\n{says}\n"));
        rig.artifact(&file).summary.memory_id.unwrap()
    };
    let first = bring("first.eml", "Ana Silva <ana@example.org>", "The rent goes up.");
    let second = bring("second.eml", "Cem Dogan <cem@example.org>", "Ana pays the rent.");
    let encoded = bring("encoded.eml", "=?UTF-8?Q?Andr=C3=A9?=\n <lima@example.org>", "The rent is paid.");
    bring("third.txt", "Ana Silva <ana@example.org>", "The rent of the garden, which is no mail.");
    let mail = |from: &str| {
        format!(
            "From ana@example.org Tue Mar 12\nFrom: {from}@example.org>\nSubject: rent\n\nThe rent is one of many.\n\n"
        )
    };
    // Neither mail is dated: they are one of the newest, whoever of the two is asked for.
    let mails = [mail("Finn Lund <finn"), mail("Eda Kaya <eda")].concat();
    let mailbox = rig.artifact(&rig.ingest("box.mbox", mails)).summary.memory_id.unwrap();
    // Servers add their lines above who it is from.
    let above = "Received: from a.example by b.example\n with SMTP\n".repeat(600);
    let long = format!("{above}From: Dora Klein <dora@example.org>\nSubject: rent\n\nThe rent is late.\n");
    let long = rig.artifact(&rig.ingest("long.eml", long)).summary.memory_id.unwrap();
    rig.settled();
    let check = |query: &str, expected: &[&MemoryId]| {
        let request = MemoryRecall { query: query.into(), fielded: true, ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits;
        let mut found: Vec<&MemoryId> = hits.iter().map(|hit| &hit.ids.memory).collect();
        found.dedup();
        assert_eq!(found, expected, "{query}");
    };
    check("rent from:ana", &[&first]);
    check("from:\"ana silva\"", &[&first]);
    check("from:CEM@example.org", &[&second]);
    check("rent from:André", &[&encoded]);
    check("rent from:andre", &[&encoded]);
    check("rent from:lima@example.org", &[&encoded]);
    check("rent from:dora", &[&long]);
    check("rent from:nobody", &[]);
    check("rent from:box", &[&mailbox]);
    check("rent from:eda", &[&mailbox]);
    check("from:\"eda kaya\"", &[&mailbox]);
    check("from:\"finn lund\"", &[&mailbox]);
}

/// The week is that before the question is asked, whenever it was saved; a trace keeps the moment that it began at.
#[test]
fn a_saved_period_is_counted_from_when_it_is_asked() {
    let rig = Rig::new();
    let remember = |text: &str| rig.remember(text).id;
    let ids = [remember("The heron is grey."), {
        rig.advance(150 * DAY);
        remember("The stork is white.")
    }];
    rig.settled();
    let save = |name: &str, past_days: u32| {
        let recall = MemoryRecall { past_days: Some(past_days), ..MemoryRecall::default() };
        rig.run(SearchSave { name: name.to_owned(), recall })
    };
    for past_days in [0, 36_501] {
        assert_eq!(save("Never", past_days).unwrap_err().code, ErrorCode::InvalidRequest, "{past_days}");
    }
    for (name, days) in [("Week", 7), ("Half a year", 183)] {
        assert_eq!(save(name, days).unwrap().recall.past_days, Some(days), "it is kept as it is");
    }
    let check = |name: &str, expected: &[usize]| {
        let kept = rig.run(SearchesList {}).unwrap().searches;
        let recall = kept.into_iter().find(|one| one.name == name).unwrap().recall;
        let days = i64::from(recall.past_days.unwrap());
        let recalled = ask(&rig, recall).unwrap();
        assert_eq!(places(&ids, &recalled), expected, "{name}");
        let Some(id) = recalled.trace else { return };
        let asked = rig.run(TraceGet { id }).unwrap().recall.unwrap().asked;
        assert_eq!((asked.past_days, asked.since), (None, Some(rig.now() - days * DAY)), "{name}");
    };
    check("Week", &[1]);
    check("Half a year", &[1, 0]);
    rig.advance(60 * DAY);
    check("Week", &[]);
    check("Half a year", &[1]);
}

/// `yesterday` and `last week` are those before a kept question is asked; the moment that it is asked as of stays.
#[test]
fn a_saved_question_counts_its_days_from_when_it_is_asked() {
    let rig = Rig::new();
    let tell = |text: &str, days_ago: i64| {
        let (text, space, occurred_at) = (text.to_owned(), SPACE.to_owned(), Some(rig.now() - days_ago * DAY));
        rig.run(MemoryRemember { text, space, occurred_at, ..MemoryRemember::default() }).unwrap().memory.id
    };
    let check = |ids: &[MemoryId], name: &str, expected: &[usize]| {
        let kept = rig.run(SearchesList {}).unwrap().searches;
        let recall = kept.into_iter().find(|one| one.name == name).unwrap().recall;
        let mut recalled = ask(&rig, recall).unwrap();
        // What is of another time than the one that is named stands behind, and is not left out.
        recalled.hits.retain(|hit| hit.score_parts.date.is_none_or(|near| near == 1.0));
        let mut found = places(ids, &recalled);
        found.sort_unstable();
        assert_eq!(found, expected, "{name} of {}", ids.len());
    };
    let mut ids = vec![tell("The heron is grey.", 0), tell("In the reeds a heron has its nest.", 7)];
    rig.settled();
    for (name, recall) in [
        ("Week", typed("heron last week")),
        ("Yesterday", typed("heron after:yesterday")),
        ("Then", MemoryRecall { as_of: Some(rig.now() + DAY), ..typed("heron") }),
    ] {
        rig.run(SearchSave { name: name.to_owned(), recall }).unwrap();
    }
    check(&ids, "Week", &[1]);
    check(&ids, "Yesterday", &[0]);
    check(&ids, "Then", &[0, 1]);
    rig.advance(14 * DAY);
    ids.extend([tell("Every heron fishes at dawn.", 0), tell("Two storks chased some heron away.", 7)]);
    rig.settled();
    check(&ids, "Week", &[3]);
    check(&ids, "Yesterday", &[2]);
    check(&ids, "Then", &[0, 1]);
}

/// Ten in the morning and five in the afternoon of one day in Los Angeles are two days in UTC.
#[test]
fn today_is_that_of_the_clock_of_whoever_asks() {
    const HOUR: i64 = 3_600_000;
    let rig = Rig::new();
    rig.advance(DAY - rig.now() % DAY + 18 * HOUR);
    let heron = rig.remember("The heron is grey.").id;
    rig.advance(7 * HOUR);
    let ids = [heron, rig.remember("The stork is white.").id];
    rig.settled();
    let check = |line: &str, minutes: i32, expected: &[usize]| {
        let recalled = ask(&rig, MemoryRecall { utc_offset: minutes, ..typed(line) }).unwrap();
        assert_eq!(places(&ids, &recalled), expected, "{line}, {minutes} minutes ahead");
    };
    check("after:today", 0, &[1]);
    check("after:today", -480, &[1, 0]);
    check("before:today", 0, &[0]);
    check("before:today", -480, &[]);
    check("after:yesterday before:today", 0, &[0]);
    check("after:yesterday before:today", 840, &[]);
    for (minutes, is_one) in [(840, true), (-840, true), (841, false), (-841, false), (i32::MIN, false)] {
        let asked = ask(&rig, MemoryRecall { utc_offset: minutes, ..typed("type:text") });
        assert_eq!(
            asked.map_err(|error| error.code).err(),
            (!is_one).then_some(ErrorCode::InvalidRequest),
            "{minutes}"
        );
    }
}

/// What is told of a day alone is of that day wherever it is asked for, and what happened at a moment by the clock of whoever asks.
#[test]
fn dates_of_filters_are_days_of_the_clock_of_whoever_asks() {
    const HOUR: i64 = 3_600_000;
    let rig = Rig::new();
    let of_day = um_rules::date_begins("2025-03-04").unwrap();
    let tell = |text: &str, occurred_at: i64| {
        let (text, space, occurred_at) = (text.to_owned(), SPACE.to_owned(), Some(occurred_at));
        rig.run(MemoryRemember { text, space, occurred_at, ..MemoryRemember::default() }).unwrap().memory.id
    };
    let ids = [tell("The heron is grey.", of_day), tell("The stork is white.", of_day + 4 * HOUR)];
    rig.settled();
    let check = |line: &str, hours: i32, expected: &[usize]| {
        let asked = MemoryRecall { utc_offset: hours * 60, ..typed(line) };
        assert_eq!(places(&ids, &ask(&rig, asked.clone()).unwrap()), expected, "{line}, {hours} hours ahead");
        let lost = |id: &MemoryId| {
            rig.run(RecallWhyNot { recall: asked.clone(), expected: id.to_string() }).unwrap().lost == Lost::Filter
        };
        let left_out: Vec<bool> = (0..ids.len()).map(|at| !expected.contains(&at)).collect();
        assert_eq!(ids.iter().map(lost).collect::<Vec<_>>(), left_out, "{line}, {hours} hours ahead");
    };
    check("before:2025-03-04", 0, &[]);
    check("before:2025-03-04", -8, &[1]);
    check("after:2025-03-04", 0, &[1, 0]);
    check("after:2025-03-04", -8, &[0]);
    check("after:2025-03-04", 14, &[1, 0]);
    check("after:2025-03-04 before:2025-03-05", -8, &[0]);
}

#[test]
fn the_newest_that_pass_are_given_in_order_of_time() {
    let (rig, ids) = sample();
    let begin = crate::support::BEGIN;
    let check = |request: MemoryRecall, expected: &[usize]| {
        let what = format!("{request:?}");
        let recalled = ask(&rig, request).unwrap();
        assert_eq!(places(&ids, &recalled), expected, "{what}");
        assert_eq!(recalled.abstained, expected.is_empty(), "{what}");
        assert_eq!(recalled.reason.is_some(), expected.is_empty(), "{what}");
        let are_told = recalled.notices.iter().any(|notice| notice.contains("newest first"));
        assert_eq!(are_told, !expected.is_empty(), "{what}");
        for (at, hit) in recalled.hits.iter().enumerate() {
            check_quote(&rig, hit);
            assert_eq!((hit.rank as usize, hit.score), (at + 1, 0.0), "{what}");
            assert_eq!(hit.score_parts, Default::default(), "{what}");
        }
    };
    let none = MemoryRecall::default;
    check(typed("tag:bird"), &[3, 2, 0]);
    check(typed("tag:bird tag:rail"), &[3]);
    check(typed("type:text"), &[1, 5, 4, 3, 2, 0]);
    check(typed("from:reeds"), &[4]);
    check(typed("tag:unheard"), &[]);
    check(typed("-ana type:text"), &[1, 4, 3]);
    check(MemoryRecall { tags: vec!["bird".into()], limit: Some(2), ..none() }, &[3, 2]);
    check(MemoryRecall { until: Some(begin + 3 * DAY), ..none() }, &[2, 0]);
    check(MemoryRecall { since: Some(begin + 4 * DAY), ..none() }, &[1, 5, 4]);
    check(MemoryRecall { past_days: Some(1), ..none() }, &[1, 5, 4]);
    check(MemoryRecall { since: Some(begin + 5 * DAY), past_days: Some(30), ..none() }, &[1, 5]);
    check(MemoryRecall { modalities: vec![Modality::Text], space: Some("Other".into()), ..none() }, &[5]);
    // Signs are no words, and words that it must have alone are a filter.
    check(MemoryRecall { query: "?!".into(), tags: vec!["bird".into()], ..none() }, &[3, 2, 0]);
    check(MemoryRecall { phrases: vec!["ana feeds".into()], ..none() }, &[2]);
}

/// A tag is kept in small letters, those of every script.
#[test]
fn a_tag_is_found_however_it_is_written() {
    let rig = Rig::new();
    let id = rig.remember("Ana plays scales.").id;
    rig.remember("Ana plays cards.");
    let tags = vec!["Übung  am Abend".to_owned()];
    rig.run(TagAttach { item_type: ItemType::Memory, id: id.to_string(), tags }).unwrap();
    rig.settled();
    for tag in ["Übung am Abend", "ÜBUNG AM ABEND", " übung  am abend ", "ubung am abend"] {
        for query in ["", "What does Ana play?"] {
            let recall =
                MemoryRecall { query: query.to_owned(), tags: vec![tag.to_owned()], ..MemoryRecall::default() };
            let found = ask(&rig, recall.clone()).unwrap();
            let found: Vec<&str> = found.hits.iter().map(|hit| hit.quote.as_str()).collect();
            assert_eq!(found, ["Ana plays scales."], "{tag:?} {query:?}");
            let told = rig.run(RecallWhyNot { recall, expected: id.to_string() }).unwrap();
            assert_eq!(told.lost, Lost::Given, "{tag:?} {query:?}: {told:?}");
        }
    }
    assert_eq!(places(&[id], &ask(&rig, typed("tag:\"#Übung am Abend\"")).unwrap()), [0]);
}

/// One row for each spelling of what a tag and an owner are called: which memory it finds, now and as of then.
#[test]
fn accents_make_no_difference_to_what_a_tag_or_a_name_finds() {
    let rig = Rig::new();
    let kept = [("Zoë Façade", "straße"), ("Jörg Müller", "rue"), ("Thomas Strasser", "strand")];
    let ids = kept.map(|(owner, tag)| {
        let (text, space) = (format!("The lamp of {owner} is lit."), SPACE.to_owned());
        let request = MemoryRemember { text, space, owner: Some(owner.to_owned()), ..MemoryRemember::default() };
        let id = rig.run(request).unwrap().memory.id;
        let attach = TagAttach { item_type: ItemType::Memory, id: id.to_string(), tags: vec![tag.to_owned()] };
        rig.run(attach).unwrap();
        id
    });
    rig.settled();
    rig.advance(DAY);
    for (asked, expected) in [
        ("from:zoe", &[0][..]),
        ("from:Zoë", &[0]),
        ("from:FACADE", &[0]),
        ("from:jorg", &[1]),
        ("from:\"jo\u{308}rg muller\"", &[1]),
        ("from:straßer", &[2]),
        ("from:zo-e", &[]),
        ("tag:strasse", &[0]),
        ("tag:straße", &[0]),
        ("tag:#STRASSE", &[0]),
        ("tag:Strände", &[]),
        ("tag:strand", &[2]),
        ("tag:stränd", &[2]),
    ] {
        for as_of in [None, Some(rig.now())] {
            for lamp in ["", " lamp"] {
                let asked = format!("{asked}{lamp}");
                let found = ask(&rig, MemoryRecall { as_of, ..typed(&asked) }).unwrap();
                assert_eq!(places(&ids, &found), expected, "{asked:?} {as_of:?}");
            }
        }
    }
}

/// Somebody who looks for what is older than a year means the files of then, whenever they were dropped in.
#[test]
fn a_file_that_does_not_tell_when_it_happened_goes_by_its_last_change() {
    let rig = Rig::new();
    let path = rig.file("reeds.txt", "Reeds grow here.");
    let changed = rig.now() - 400 * DAY;
    let written = UNIX_EPOCH + Duration::from_millis(changed as u64);
    std::fs::File::options().append(true).open(&path).unwrap().set_modified(written).unwrap();
    let file = rig.ingest_path(SPACE, &path).remove(0).memory_id.unwrap();
    let ids = [rig.remember("The heron is grey.").id, file];
    rig.settled();
    let check = |request: MemoryRecall, expected: &[usize]| {
        let what = format!("{request:?}");
        let recalled = ask(&rig, request).unwrap();
        assert_eq!(places(&ids, &recalled), expected, "{what}");
        assert!(
            recalled.hits.iter().all(|hit| hit.occurred_at.is_none()),
            "nothing tells that it happened then: {what}"
        );
    };
    check(typed("type:text"), &[0, 1]);
    check(MemoryRecall { until: Some(changed + 1), ..MemoryRecall::default() }, &[1]);
    check(MemoryRecall { since: Some(changed + 1), ..MemoryRecall::default() }, &[0]);
    check(MemoryRecall { past_days: Some(31), ..MemoryRecall::default() }, &[0]);
}

#[test]
fn without_anything_to_narrow_it_down_an_empty_question_is_none() {
    let (rig, _) = sample();
    for request in [typed(""), typed("  "), typed("?!"), MemoryRecall::default()] {
        let what = format!("{request:?}");
        assert_eq!(ask(&rig, request).unwrap_err().code, ErrorCode::InvalidRequest, "{what}");
    }
    // What was typed is not too short: it says nothing.
    for query in ["\"\"", " \"\" -\"\" "] {
        let error = ask(&rig, typed(query)).unwrap_err();
        assert!(error.message.starts_with("Quotes with nothing between them"), "{query}: {error:?}");
        assert_eq!((error.code, error.hint.is_some()), (ErrorCode::InvalidRequest, true), "{query}");
    }
    assert!(!ask(&rig, typed("\"\" tag:bird")).unwrap().notices.is_empty(), "beside something else it is told");
    // With a word it is a question as before.
    let asked = ask(&rig, typed("herons tag:bird")).unwrap();
    assert!(asked.hits[0].score > 0.0 && asked.notices.is_empty(), "{asked:?}");
}

#[test]
fn what_was_in_use_then_is_among_the_newest() {
    let (rig, ids) = sample();
    let then = rig.now();
    rig.advance(DAY);
    let gone = MemoryRemember {
        text: "Ana feeds cranes no more.".into(),
        space: SPACE.into(),
        key: Some("cranes".into()),
        ..MemoryRemember::default()
    };
    rig.run(gone).unwrap();
    let asked =
        |as_of| ask(&rig, MemoryRecall { as_of, tags: vec!["bird".into()], ..MemoryRecall::default() }).unwrap();
    assert_eq!(places(&ids, &asked(None)), [3, 0]);
    assert_eq!(places(&ids, &asked(Some(then))), [3, 2, 0]);
}

#[test]
fn how_it_came_about_is_kept_and_why_not_is_told() {
    let (rig, ids) = sample();
    let recalled = ask(&rig, typed("tag:bird")).unwrap();
    let id = recalled.trace.clone().unwrap();
    let trace = rig.run(TraceGet { id: id.clone() }).unwrap();
    let recall = trace.recall.unwrap();
    assert_eq!((recall.indexes, recall.words.len(), recall.given.len()), (vec!["time".to_owned()], 0, 3));
    let replayed = rig.run(TraceReplay { id }).unwrap();
    assert!(replayed.exact && replayed.changes.is_empty() && !replayed.abstains_now, "{replayed:?}");
    assert_eq!(rig.run(TracesList::default()).unwrap().traces.len(), 1);
    let check = |at: usize, limit: u32, lost: Lost, rank: Option<u32>| {
        let recall = MemoryRecall { limit: Some(limit), ..typed("tag:bird") };
        let why = rig.run(RecallWhyNot { recall, expected: ids[at].to_string() }).unwrap();
        assert_eq!((why.lost, why.rank), (lost, rank), "{at}");
    };
    check(2, 10, Lost::Given, Some(2));
    check(0, 2, Lost::Rank, None);
    check(1, 10, Lost::Filter, None);
    let why = |line: &str| {
        let expected = ids[1].to_string();
        rig.run(RecallWhyNot { recall: typed(line), expected }).unwrap().reason
    };
    for (line, expected) in [
        ("tag:bird", "leaves it out: it does not carry the tag \"bird\"."),
        ("storks type:pdf", "leaves it out: it is of another type."),
        ("storks before:2020", "leaves it out: it is dated later than that."),
        ("storks after:2090", "leaves it out: it is dated earlier than that."),
        ("from:reeds -ben", "leaves it out: it is not from \"reeds\"; it says \"ben\"."),
        ("\"storks keeps\"", "leaves it out: it does not say \"storks keeps\" in these words and this order."),
    ] {
        assert!(why(line).contains(expected), "{line}: {}", why(line));
    }
}
