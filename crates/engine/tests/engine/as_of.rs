//! One picture of a day: whatever kind of thing is asked for, as of a day it tells what was so then, and as known at a day what
//! was known (ruling 19).

use crate::support::{BEGIN, Rig, SPACE};
use std::time::{Duration, UNIX_EPOCH};
use um_model::capture::{MemoryIngest, MemoryRemember};
use um_model::claims::*;
use um_model::recall::MemoryRecall;
use um_model::traces::RecallWhyNot;
use um_model::work::*;
use um_model::{EpochMs, MemoryId, MemoryStatus};

const DAY: EpochMs = 86_400_000;
/// Where Ana lives, each for ten days.
const HOMES: [&str; 3] = ["Leeds", "Porto", "Oslo"];

/// What one question over all kinds finds.
const QUERIED: [ItemType; 5] =
    [ItemType::Entry, ItemType::CoreBlock, ItemType::Resource, ItemType::SessionState, ItemType::Memory];

fn written(day: EpochMs) -> Option<String> {
    um_rules::date_written(BEGIN + day * DAY)
}

fn live(rig: &Rig, at: usize) {
    let home = HOMES[at];
    let text = format!("Ana lives in {home}.");
    let request = MemoryRemember { text, space: SPACE.into(), key: Some("home".into()), ..MemoryRemember::default() };
    rig.run(request).unwrap();
    let begins = at as EpochMs * 10;
    let fact = |home: &str, from: EpochMs, until: Option<EpochMs>| FactInput {
        subject: "Ana".into(),
        predicate: "lives_in".into(),
        object: home.into(),
        valid_from: written(from),
        valid_until: until.and_then(written),
        ..FactInput::default()
    };
    let ended = at.checked_sub(1).map(|before| fact(HOMES[before], begins - 10, Some(begins)));
    let facts = ended.into_iter().chain([fact(home, begins, None)]).collect();
    rig.run(FactsAdd { space: SPACE.into(), facts }).unwrap();
    rig.run(EntrySave {
        space: None,
        session: None,
        entry_type: EntryType::Knowledge,
        name: "Home".into(),
        category: None,
        priority: None,
        body: EntryBody { content: Some(home.into()), ..EntryBody::default() },
        change_reason: None,
        base_version: None,
        metadata: Default::default(),
        tags: Vec::new(),
    })
    .unwrap();
    rig.run(ResourcePut { uri: "home".into(), content: Some(home.into()), ..ResourcePut::default() }).unwrap();
    rig.run(BlockSet { label: "home".into(), content: home.into(), ..BlockSet::default() }).unwrap();
    rig.run(StateSet { current_goal: Some(format!("Visit Ana in {home}")), ..StateSet::default() }).unwrap();
}

/// Each kind of thing, with the homes that it tells of.
fn told(rig: &Rig, as_of: Option<EpochMs>, known_at: Option<EpochMs>) -> Vec<(&'static str, Vec<String>)> {
    let homes = |texts: Vec<String>| -> Vec<String> {
        let tells = |home: &&&str| texts.iter().any(|text| text.contains(**home));
        HOMES.iter().filter(tells).map(|home| (*home).to_owned()).collect()
    };
    let recall = MemoryRecall { query: "Where does Ana live".into(), as_of, known_at, ..MemoryRecall::default() };
    // What keeps the words of a fact is a memory of its own, and has no versions.
    let recalled = rig.run(recall).unwrap().hits.into_iter().map(|hit| hit.quote);
    let recalled = recalled.filter(|quote| !quote.contains('(')).collect();
    let search = FactsSearch { predicate: Some("lives_in".into()), as_of, known_at, ..FactsSearch::default() };
    let facts = rig.run(search).unwrap().facts.into_iter().map(|fact| fact.statement).collect();
    let get = EntityGet { entity: "Ana".into(), space: Some(SPACE.into()), as_of, known_at, ..EntityGet::default() };
    let entity = rig.run(get).map(|got| got.claims.into_iter().map(|claim| claim.statement).collect());
    let get = ResourceGet { uri: Some("home".into()), as_of, known_at, ..ResourceGet::default() };
    let resource = rig.run(get).map(|resource| resource.content.unwrap_or_default());
    let speaks = |home: &&&str| {
        let text = Some((**home).to_owned());
        let found = rig.run(ResourcesBrowse { text, as_of, known_at, ..ResourcesBrowse::default() }).unwrap();
        assert_eq!((found.children.len() as u64, found.notices.len()), (found.total, 0));
        !found.children.is_empty()
    };
    let mut told = vec![
        ("memories", homes(recalled)),
        ("facts", homes(facts)),
        ("entity", homes(entity.unwrap_or_default())),
        ("resource", homes(resource.into_iter().collect())),
        ("resources by words", HOMES.iter().filter(speaks).map(|home| (*home).to_owned()).collect()),
    ];
    if known_at.is_none() {
        let walk = GraphTraverse {
            entity: "Ana".into(),
            space: Some(SPACE.into()),
            depth: Some(1),
            direction: Direction::Out,
            relations: vec!["lives_in".into()],
            as_of,
            ..GraphTraverse::default()
        };
        let edges = rig.run(walk).unwrap().edges.into_iter().map(|edge| edge.target.name).collect();
        let got = EntryGet {
            entry_type: Some(EntryType::Knowledge),
            name: Some("Home".into()),
            as_of,
            ..EntryGet::default()
        };
        let entry = rig.run(got).map(|got| got.entry.version.body.content.unwrap_or_default());
        told.push(("edges", homes(edges)));
        told.push(("entry", homes(entry.into_iter().collect())));
        let text = Some(HOMES.join(" "));
        let listed = rig.run(EntriesList { text: text.clone(), as_of, ..EntriesList::default() }).unwrap().entries;
        let listed = listed.into_iter().filter_map(|entry| entry.version.body.content);
        told.push(("entries by words", homes(listed.collect())));
        for (kind, text) in QUERIED.into_iter().flat_map(|kind| [(kind, None), (kind, text.clone())]) {
            let asked = ItemsQuery { types: vec![kind], text, as_of, limit: Some(100), ..ItemsQuery::default() };
            let found = rig.run(asked).unwrap().items.into_iter().map(|one| one.says);
            told.push((kind.as_str(), homes(found.filter(|says| !says.contains('(')).collect())));
        }
    }
    told
}

#[test]
fn every_kind_tells_the_same_of_a_day() {
    let rig = Rig::new();
    for at in 0..HOMES.len() {
        live(&rig, at);
        rig.settled();
        rig.advance(10 * DAY);
    }
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, expected: &[&str]| {
        let moment = |day: Option<EpochMs>| day.map(|day| BEGIN + day * DAY);
        for (kind, homes) in told(&rig, moment(as_of), moment(known_at)) {
            assert_eq!(homes, expected, "{kind} as of {as_of:?}, known at {known_at:?}");
        }
    };
    check(Some(-5), None, &[]);
    check(Some(5), None, &["Leeds"]);
    check(Some(15), None, &["Porto"]);
    check(Some(25), None, &["Oslo"]);
    // As it was known on a day, of that day and of those to come.
    for (known_at, home) in [(5, "Leeds"), (15, "Porto"), (25, "Oslo")] {
        check(Some(known_at), Some(known_at), &[home]);
        check(Some(40), Some(known_at), &[home]);
    }
    check(Some(5), Some(15), &["Leeds"]);
    check(None, Some(-5), &[]);
}

/// The tags with which what is said of a ferry is found by some tags, as of a day, as was known on one; none where it is not found.
#[track_caller]
fn check_tags(
    rig: &Rig,
    tags: &[&str],
    (as_of, known_at): (Option<EpochMs>, Option<EpochMs>),
    expected: Option<&[&str]>,
) {
    let [as_of, known_at] = [as_of, known_at].map(|day| day.map(|day| BEGIN + day * DAY));
    let expected: Option<Vec<String>> = expected.map(|tags| tags.iter().map(|tag| (*tag).to_owned()).collect());
    for query in ["ferry", ""] {
        let (query, tags) = (query.to_owned(), tags.iter().map(|tag| (*tag).to_owned()).collect());
        let asked = MemoryRecall { query, tags, as_of, known_at, ..MemoryRecall::default() };
        let found = rig.run(asked).unwrap().hits.into_iter().next().map(|hit| hit.tags);
        assert_eq!(found, expected, "as of {as_of:?}, known at {known_at:?}");
    }
}

#[test]
fn a_tag_is_known_since_it_was_attached() {
    let rig = Rig::new();
    let id = rig.remember("The ferry leaves at noon.").id.to_string();
    rig.settled();
    rig.advance(10 * DAY);
    rig.run(TagAttach { item_type: ItemType::Memory, id, tags: vec!["harbour".into()] }).unwrap();
    let check = |tags: &[&str], then, expected: Option<&[&str]>| check_tags(&rig, tags, then, expected);
    let tagged: &[&str] = &["harbour"];
    check(&[], (None, Some(5)), Some(&[]));
    check(tagged, (None, Some(5)), None);
    check(&[], (None, Some(15)), Some(tagged));
    check(tagged, (None, Some(15)), Some(tagged));
    // As of a day, what is known now counts.
    check(tagged, (Some(5), None), Some(tagged));
    check(tagged, (Some(5), Some(5)), None);
}

#[test]
fn a_tag_that_was_taken_off_was_there_until_then() {
    let rig = Rig::new();
    let id = rig.remember("The ferry leaves at noon.").id.to_string();
    rig.settled();
    rig.advance(10 * DAY);
    let tags = || (ItemType::Memory, id.clone(), vec!["harbour".to_owned()]);
    let attach = || {
        let (item_type, id, tags) = tags();
        rig.run(TagAttach { item_type, id, tags }).unwrap();
    };
    attach();
    rig.advance(10 * DAY);
    let (item_type, id, names) = tags();
    rig.run(TagDetach { item_type, id, tags: names }).unwrap();
    rig.advance(10 * DAY);
    let check = |tags: &[&str], then, expected: Option<&[&str]>| check_tags(&rig, tags, then, expected);
    let tagged: &[&str] = &["harbour"];
    check(tagged, (None, None), None);
    for (then, is_tagged) in [
        ((None, Some(5)), false),
        ((None, Some(15)), true),
        ((None, Some(25)), false),
        ((Some(5), None), false),
        ((Some(15), None), true),
        ((Some(25), None), false),
        // Of a day it is known since when it was on, and until when.
        ((Some(15), Some(25)), true),
        ((Some(25), Some(15)), true),
        ((Some(15), Some(5)), false),
        ((Some(25), Some(25)), false),
    ] {
        check(tagged, then, is_tagged.then_some(tagged));
    }
    let none: &[&str] = &[];
    for (day, expected) in [(5, none), (15, tagged), (25, none)] {
        check_first(&rig, (Some(day), None), expected);
        check_first(&rig, (None, Some(day)), expected);
    }
    // Once it is on again, the time between stays.
    attach();
    check(tagged, (None, None), Some(tagged));
    check(tagged, (None, Some(15)), Some(tagged));
    check(tagged, (None, Some(25)), None);
}

#[test]
fn what_was_tagged_then_fits_and_is_connected_as_of_then() {
    let rig = Rig::new();
    let [ferry, keeper] =
        ["The ferry leaves at noon.", "The lighthouse keeper sleeps."].map(|text| rig.remember(text).id);
    rig.settled();
    rig.advance(10 * DAY);
    let named = |memory: &MemoryId| (ItemType::Memory, memory.to_string(), vec!["harbour".to_owned()]);
    for memory in [&ferry, &keeper] {
        let (item_type, id, tags) = named(memory);
        rig.run(TagAttach { item_type, id, tags }).unwrap();
    }
    rig.advance(10 * DAY);
    let (item_type, id, tags) = named(&ferry);
    rig.run(TagDetach { item_type, id, tags }).unwrap();
    rig.advance(10 * DAY);
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, is_tagged: bool| {
        let [as_of, known_at] = [as_of, known_at].map(|day| day.map(|day| BEGIN + day * DAY));
        let (query, limit) = ("ferry noon harbour".to_owned(), Some(1));
        let request = MemoryRecall { query, limit, associated: true, as_of, known_at, ..MemoryRecall::default() };
        let recalled = rig.run(request).unwrap();
        let then = format!("as of {as_of:?}, known at {known_at:?}");
        assert_eq!(recalled.hits[0].ids.memory, ferry, "{then}");
        assert_eq!(recalled.hits[0].score_parts.tags.is_some(), is_tagged, "{then}");
        let connected: Vec<&MemoryId> = recalled.associated.iter().map(|one| &one.hit.ids.memory).collect();
        let expected: Vec<&MemoryId> = is_tagged.then_some(&keeper).into_iter().collect();
        assert_eq!(connected, expected, "{then}");
    };
    check(None, None, false);
    for (day, is_tagged) in [(5, false), (15, true), (25, false)] {
        check(Some(day), None, is_tagged);
        check(None, Some(day), is_tagged);
    }
    check(Some(15), Some(25), true);
    check(Some(15), Some(5), false);
}

/// The tags that what is said of a ferry is told with.
#[track_caller]
fn check_first(rig: &Rig, then: (Option<EpochMs>, Option<EpochMs>), expected: &[&str]) {
    let [as_of, known_at] = [then.0, then.1].map(|day| day.map(|day| BEGIN + day * DAY));
    let asked = MemoryRecall { query: "ferry".into(), as_of, known_at, ..MemoryRecall::default() };
    assert_eq!(rig.run(asked).unwrap().hits[0].tags, expected, "{then:?}");
}

#[test]
fn a_memory_that_comes_back_was_away() {
    let rig = Rig::new();
    let keep = |text: &str| {
        let request = MemoryRemember {
            text: text.to_owned(),
            space: SPACE.into(),
            key: Some("home".into()),
            ..MemoryRemember::default()
        };
        let id = rig.run(request).unwrap().memory.id;
        rig.settled();
        rig.advance(10 * DAY);
        id
    };
    let leeds = keep("Ana lives in Leeds.");
    let porto = keep("Ana lives in Porto.");
    assert_eq!(keep("Ana lives in Leeds."), leeds, "told again, it is the same");
    assert_eq!(rig.memory(&porto).status, MemoryStatus::Superseded);
    for (day, expected) in [(5, &leeds), (15, &porto), (25, &leeds)] {
        let at = Some(BEGIN + day * DAY);
        for (as_of, known_at) in [(at, None), (None, at), (at, at)] {
            let request = MemoryRecall { query: "Ana lives".into(), as_of, known_at, ..MemoryRecall::default() };
            let found: Vec<_> = rig.run(request).unwrap().hits.into_iter().map(|hit| hit.ids.memory).collect();
            assert_eq!(found, std::slice::from_ref(expected), "as of {as_of:?}, known at {known_at:?}");
        }
    }
}

#[test]
fn what_is_told_late_was_so_since_it_happened() {
    let rig = Rig::resting();
    let keep = |text: &str, days_ago: i64| {
        let (key, occurred_at) = (Some("door".into()), Some(rig.now() - days_ago * DAY));
        let (text, space) = (text.to_owned(), SPACE.to_owned());
        let request = MemoryRemember { text, space, key, occurred_at, ..MemoryRemember::default() };
        rig.run(request).unwrap().memory.id
    };
    let (first, second) = (keep("The door code is 4417.", 700), keep("The door code is 9090.", 300));
    for (days_ago, expected) in [(800, None), (500, Some(&first)), (0, Some(&second))] {
        let as_of = Some(rig.now() - days_ago * DAY);
        let request = MemoryRecall { query: "door code".into(), as_of, ..MemoryRecall::default() };
        let found: Vec<_> = rig.run(request).unwrap().hits.into_iter().map(|hit| hit.ids.memory).collect();
        assert_eq!(found.first(), expected, "{days_ago} days ago");
    }
}

#[test]
fn a_file_was_so_since_it_was_made_by_its_own_word() {
    // It is brought in 100 days after it was sent.
    const MAIL: &str = "From: Ana <ana@example.org>\r\nTo: Bo <bo@example.org>\r\nDate: Fri, 7 Mar 2025 09:00:00 +0000\r\n\
        Subject: boats\r\n\r\nThe ferry carries a plover.\r\n";
    let rig = Rig::new();
    let copied = BEGIN - 2 * DAY;
    let bring = |name: &str, words: &str, occurred_at: Option<EpochMs>| {
        let path = rig.file(name, words);
        let modified = UNIX_EPOCH + Duration::from_millis(copied as u64);
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();
        let paths = vec![path.display().to_string()];
        rig.run(MemoryIngest { paths, space: SPACE.into(), occurred_at, ..MemoryIngest::default() }).unwrap();
    };
    bring("told.txt", "The ferry carries a heron.\n", Some(BEGIN - 200 * DAY));
    bring("mail.eml", MAIL, None);
    bring("copied.txt", "The ferry carries a crane.\n", None);
    // It is told anew when it happened.
    bring("again.txt", "The ferry carries a stork.\n", Some(BEGIN - 400 * DAY));
    bring("again.txt", "The ferry carries a stork.\n", Some(BEGIN - 300 * DAY));
    rig.settled();
    for (days_ago, expected) in [
        (350, vec![]),
        (250, vec!["again.txt"]),
        (150, vec!["again.txt", "told.txt"]),
        (50, vec!["again.txt", "mail.eml", "told.txt"]),
        // When it was copied narrows down when it was written.
        (1, vec!["again.txt", "copied.txt", "mail.eml", "told.txt"]),
    ] {
        let as_of = Some(BEGIN - days_ago * DAY);
        let request = MemoryRecall { query: "ferry".into(), as_of, ..MemoryRecall::default() };
        let mut found: Vec<_> = rig.run(request).unwrap().hits.into_iter().map(|hit| hit.title).collect();
        found.sort();
        found.dedup();
        assert_eq!(found, expected, "{days_ago} days ago");
        let asked = ItemsQuery { types: vec![ItemType::Memory], as_of, ..ItemsQuery::default() };
        assert_eq!(rig.run(asked).unwrap().items.len(), expected.len(), "{days_ago} days ago");
    }
}

#[test]
fn a_new_version_of_a_file_is_so_since_the_day_that_is_given() {
    // On which day since the older one came in the newer one happened, as is told; it comes in on day 20, and was changed on its disk on day 15.
    // On some days, whether the older one and the newer one were so.
    type Case<'a> = (Option<i64>, &'a [(i64, bool, bool)]);
    let cases: [Case<'_>; 3] = [
        (Some(10), &[(5, true, false), (9, true, false), (10, false, true), (17, false, true)]),
        (None, &[(10, true, false), (17, true, true), (20, false, true)]),
        // It happened before the older one: both were so for a while.
        (Some(-10), &[(-5, false, true), (17, true, true), (20, false, true)]),
    ];
    for (told, expected) in cases {
        let rig = Rig::new();
        let day = |day: i64| BEGIN + day * DAY;
        let bring = |words: &str, changed: i64, told: Option<i64>| {
            let path = rig.file("ferry.txt", words);
            let modified = UNIX_EPOCH + Duration::from_millis(day(changed) as u64);
            std::fs::File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();
            let (paths, occurred_at) = (vec![path.display().to_string()], told.map(day));
            rig.run(MemoryIngest { paths, space: SPACE.into(), occurred_at, ..MemoryIngest::default() }).unwrap();
            rig.settled();
        };
        bring("The ferry leaves at noon.\n", -2, None);
        rig.advance(20 * DAY);
        bring("The ferry leaves at nine.\n", 15, told);
        for (at, is_old, is_new) in expected {
            let request = MemoryRecall { query: "ferry".into(), as_of: Some(day(*at)), ..MemoryRecall::default() };
            let hits = rig.run(request).unwrap().hits;
            let says = |word: &str| hits.iter().any(|hit| hit.quote.contains(word));
            assert_eq!((says("noon"), says("nine")), (*is_old, *is_new), "{told:?}, on day {at}");
        }
    }
}

/// The memories that a question of a ferry finds as of a moment, as was known at one, each with until when it was so; the same by
/// asking for all memories of a moment.
fn ferries(rig: &Rig, as_of: Option<EpochMs>, known_at: Option<EpochMs>) -> Vec<(String, Option<EpochMs>)> {
    let request = MemoryRecall { query: "ferry".into(), as_of, known_at, ..MemoryRecall::default() };
    let hits = rig.run(request).unwrap().hits;
    let mut found: Vec<_> = hits.into_iter().map(|hit| (hit.quote, hit.valid_to)).collect();
    found.sort();
    if known_at.is_none() {
        let asked = ItemsQuery { types: vec![ItemType::Memory], as_of, ..ItemsQuery::default() };
        let mut said: Vec<_> = rig.run(asked).unwrap().items.into_iter().map(|one| one.says).collect();
        said.sort();
        assert_eq!(said, found.iter().map(|(says, _)| says.clone()).collect::<Vec<_>>(), "as of {as_of:?}");
    }
    found
}

#[test]
fn what_was_replaced_was_so_until_the_newer_one_happened() {
    const OLD: &str = "The ferry leaves at noon.";
    const NEW: &str = "The ferry leaves at nine.";
    // The days since the older one was written down on which it and the newer one happened, where that is told; the newer one was
    // written down on day 20. With it until which day the older one was so.
    let cases: [(Option<i64>, Option<i64>, i64); 8] = [
        (Some(-100), Some(-10), -10),
        (Some(-100), Some(10), 10),
        (None, Some(10), 10),
        (Some(-100), None, 20),
        (None, None, 20),
        // It happened before the older one, or as it did; or it is only to come.
        (Some(-10), Some(-100), 20),
        (Some(-10), Some(-10), 20),
        (None, Some(30), 20),
    ];
    for (older, newer, until) in cases {
        let rig = Rig::resting();
        let day = |day: i64| BEGIN + day * DAY;
        let keep = |text: &str, happened: Option<i64>| {
            let (text, space, key) = (text.to_owned(), SPACE.to_owned(), Some("ferry".to_owned()));
            let occurred_at = happened.map(day);
            rig.run(MemoryRemember { text, space, key, occurred_at, ..MemoryRemember::default() }).unwrap().memory.id
        };
        let old = keep(OLD, older);
        rig.advance(20 * DAY);
        let new = keep(NEW, newer);
        assert_eq!(rig.memory(&old).superseded_by_id, Some(new));
        let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, is_old: bool, is_new: bool| {
            let mut expected: Vec<(String, Option<EpochMs>)> = Vec::new();
            expected.extend(is_new.then(|| (NEW.to_owned(), None)));
            expected.extend(is_old.then(|| (OLD.to_owned(), Some(day(until)))));
            let case = (older, newer, as_of, known_at);
            assert_eq!(ferries(&rig, as_of, known_at), expected, "{case:?}");
        };
        check(None, None, false, true);
        // Where the newer one happened first, both were so for a while.
        let is_first = newer.is_some_and(|newer| newer < until);
        check(Some(day(until) - 1), None, true, is_first);
        check(Some(day(until)), None, false, true);
        check(Some(day(20)), None, false, true);
        // What was known: the older one, whatever was told of it later.
        for as_of in [None, Some(day(until)), Some(day(19))] {
            check(as_of, Some(day(19)), true, false);
        }
        check(None, Some(day(20)), false, true);
    }
}

#[test]
fn what_comes_back_takes_the_place_of_another_one_from_then_on() {
    let rig = Rig::resting();
    let keep = |text: &str, day: i64| {
        let (text, space, key) = (text.to_owned(), SPACE.to_owned(), Some("ferry".to_owned()));
        let occurred_at = Some(BEGIN + day * DAY);
        rig.run(MemoryRemember { text, space, key, occurred_at, ..MemoryRemember::default() }).unwrap();
        rig.advance(10 * DAY);
    };
    // The first one is of a later day, and takes the place of the second one only when it is said again.
    keep("The ferry leaves at noon.", -10);
    keep("The ferry leaves at nine.", -100);
    keep("The ferry leaves at noon.", -10);
    let found = ferries(&rig, Some(BEGIN + 15 * DAY), None);
    assert_eq!(found, [("The ferry leaves at nine.".to_owned(), Some(BEGIN + 20 * DAY))]);
}

/// The memories that are connected with the one that answers best, as of a moment, and as was known at one.
fn connected(rig: &Rig, query: &str, best: &MemoryId, then: (Option<EpochMs>, Option<EpochMs>)) -> Vec<MemoryId> {
    let (as_of, known_at) = then;
    let (query, limit) = (query.to_owned(), Some(1));
    let request = MemoryRecall { query, limit, associated: true, as_of, known_at, ..MemoryRecall::default() };
    let recalled = rig.run(request).unwrap();
    assert_eq!(recalled.hits[0].ids.memory, *best, "{then:?}");
    recalled.associated.into_iter().map(|one| one.hit.ids.memory).collect()
}

#[test]
fn what_was_only_to_come_was_not_so_yet() {
    let rig = Rig::resting();
    let day = rig.now() + 10 * DAY;
    let keep = |text: &str, key: Option<&str>| {
        let (text, space, key) = (text.to_owned(), SPACE.to_owned(), key.map(str::to_owned));
        let request = MemoryRemember { text, space, key, occurred_at: Some(day), ..MemoryRemember::default() };
        rig.run(request).unwrap().memory.id
    };
    let visit = keep("The dentist fills a tooth.", None);
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, expected: Option<&um_model::MemoryId>| {
        let request = MemoryRecall { query: "dentist".into(), as_of, known_at, ..MemoryRecall::default() };
        let found: Vec<_> = rig.run(request).unwrap().hits.into_iter().map(|hit| hit.ids.memory).collect();
        assert_eq!(found.first(), expected, "as of {as_of:?}, known at {known_at:?}");
    };
    check(None, None, Some(&visit));
    check(None, Some(rig.now()), Some(&visit));
    check(Some(rig.now()), None, None);
    check(Some(day - 1), None, None);
    check(Some(day), None, Some(&visit));
    check(Some(day), Some(rig.now()), Some(&visit));
    // What takes the place of another one does so at once: nothing else is so meanwhile.
    keep("The dentist is Bo.", Some("dentist"));
    let next = keep("The dentist is Ida.", Some("dentist"));
    check(Some(rig.now()), None, Some(&next));
}

#[test]
fn what_was_in_use_then_is_connected_as_of_then() {
    let rig = Rig::new();
    let one = rig.remember("Orla Finch lives in Vexmark, by the harbour.").id;
    let keep = |text: &str| {
        let (text, space, key) = (text.to_owned(), SPACE.to_owned(), Some("job".to_owned()));
        let id = rig.run(MemoryRemember { text, space, key, ..MemoryRemember::default() }).unwrap().memory.id;
        rig.settled();
        rig.advance(10 * DAY);
        id
    };
    let (old, new) = (keep("Orla Finch works for Halden."), keep("Orla Finch works for Orbis."));
    for (as_of, known_at, expected) in [
        (None, None, &new),
        (Some(5), None, &old),
        (None, Some(5), &old),
        (Some(15), None, &new),
        (Some(15), Some(5), &old),
        (Some(5), Some(15), &old),
    ] {
        let day = |days: i64| BEGIN + days * DAY;
        let found = connected(&rig, "harbour in Vexmark", &one, (as_of.map(day), known_at.map(day)));
        assert_eq!(found, std::slice::from_ref(expected), "as of {as_of:?}, known at {known_at:?}");
    }
}

#[test]
fn whoever_spoke_then_is_known_as_of_then() {
    let rig = Rig::new();
    for text in ["Ana: I feed the otter at noon.", "Nobody feeds the otter at noon."] {
        let (text, space, key) = (text.to_owned(), SPACE.to_owned(), Some("otter".to_owned()));
        rig.run(MemoryRemember { text, space, key, ..MemoryRemember::default() }).unwrap();
        rig.settled();
        rig.advance(10 * DAY);
    }
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, expected: (&str, bool)| {
        let day = |days: i64| BEGIN + days * DAY;
        let query = "When does Ana feed the otter?".to_owned();
        let (as_of, known_at) = (as_of.map(day), known_at.map(day));
        let hits = rig.run(MemoryRecall { query, as_of, known_at, ..MemoryRecall::default() }).unwrap().hits;
        let found: Vec<(&str, bool)> =
            hits.iter().map(|hit| (hit.quote.as_str(), hit.score_parts.said_by.is_some())).collect();
        assert_eq!(found, [expected], "as of {as_of:?}, known at {known_at:?}");
    };
    check(Some(5), None, ("Ana: I feed the otter at noon.", true));
    check(None, Some(5), ("Ana: I feed the otter at noon.", true));
    check(Some(15), None, ("Nobody feeds the otter at noon.", false));
    check(None, None, ("Nobody feeds the otter at noon.", false));
}

#[test]
fn what_stood_beside_an_answer_then_comes_along_as_of_then() {
    let rig = Rig::resting();
    let keep = |text: &str, key: Option<&str>, session: Option<&str>| {
        let (text, space) = (text.to_owned(), SPACE.to_owned());
        let [key, session] = [key, session].map(|name| name.map(str::to_owned));
        rig.run(MemoryRemember { text, space, key, session, ..MemoryRemember::default() }).unwrap().memory.id
    };
    keep("Ana: Which boat did you buy?", None, Some("talk"));
    let reply = keep("Ben: The blue one, of wood.", Some("answer"), Some("talk"));
    rig.advance(10 * DAY);
    keep("Nobody buys anything in spring.", Some("answer"), None);
    let check = |as_of: Option<i64>, known_at: Option<i64>, expected: Option<bool>| {
        let [as_of, known_at] = [as_of, known_at].map(|days| days.map(|days| BEGIN + days * DAY));
        let request = MemoryRecall { query: "Which boat".to_owned(), as_of, known_at, ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits;
        let replies = hits.iter().find(|hit| hit.ids.memory == reply).map(|hit| hit.score_parts.reply.is_some());
        assert_eq!(replies, expected, "as of {as_of:?}, known at {known_at:?}: {hits:?}");
    };
    check(Some(5), None, Some(true));
    check(None, Some(5), Some(true));
    check(Some(15), None, None);
    check(None, None, None);
}

#[test]
fn what_was_related_then_is_connected_as_of_then() {
    let rig = Rig::new();
    let one = rig.remember("The ferry leaves at noon.").id;
    let other = rig.remember("The lighthouse keeper sleeps.").id;
    rig.settled();
    let begun = rig.now();
    rig.advance(DAY);
    let item = |id: &MemoryId| ItemKey { item_type: ItemType::Memory, id: id.to_string() };
    let related = RelationAdd {
        from: item(&one),
        to: item(&other),
        relation_type: RelationType::RelatedTo,
        valid_from: Some(begun + 10 * DAY),
        valid_until: Some(begun + 20 * DAY),
        source_event_ids: Vec::new(),
    };
    let relation = rig.run(related).unwrap().id;
    let check = |as_of: Option<i64>, known_at: Option<i64>, is_connected: bool| {
        let day = |days: i64| begun + days * DAY;
        let found = connected(&rig, "ferry noon", &one, (as_of.map(day), known_at.map(day)));
        assert_eq!(found.len(), usize::from(is_connected), "as of {as_of:?}, known at {known_at:?}");
    };
    check(None, None, false);
    check(Some(15), None, true);
    check(Some(25), None, false);
    check(Some(15), Some(2), true);
    check(Some(15), Some(0), false);
    rig.advance(15 * DAY);
    check(None, None, true);
    check(Some(5), None, false);
    // It ends sooner than it was to, which nobody knew the day before.
    rig.run(RelationEnd { relation, at: None }).unwrap();
    check(Some(17), None, false);
    check(Some(17), Some(15), true);
}

/// All spaces together have a limit of what is compared that is out of use, so the more they are, the less of each is.
#[test]
fn what_of_the_past_is_not_compared_is_said() {
    let rig = Rig::resting();
    for number in 0..60 {
        rig.space(&format!("Other {number}"));
    }
    let keep = |key: &str, text: &str| {
        let (key, text, space) = (Some(key.to_owned()), text.to_owned(), SPACE.to_owned());
        let id = rig.run(MemoryRemember { text, space, key, ..MemoryRemember::default() }).unwrap().memory.id;
        rig.advance(DAY);
        id
    };
    let log: Vec<String> =
        (0..1_000).map(|day| format!("On day {day} the keeper counted the gulls and wrote it down.\n")).collect();
    let pier = keep("pier", "The heron waits at the pier.");
    keep("log", &log.concat());
    // They go out of use at the moment at which the next ones come.
    let as_of = Some(rig.now() - 1);
    keep("pier", "Nobody waits there any more.");
    keep("log", "The log was closed.");
    let past = rig.count("SELECT count(*) FROM text_units WHERE status = 'inactive'");
    assert!((5_000 / 60..5_000).contains(&past), "{past}");
    let check = |query: &str, space: Option<&str>, is_cut: bool| {
        let (query, space) = (query.to_owned(), space.map(str::to_owned));
        let recall = MemoryRecall { query, space, as_of, ..MemoryRecall::default() };
        let told = |notice: &String| notice.contains("out of use");
        let recalled = rig.run(recall.clone()).unwrap();
        assert_eq!(recalled.notices.iter().filter(|notice| told(notice)).count(), usize::from(is_cut), "{recall:?}");
        let found = recalled.hits.iter().any(|hit| hit.ids.memory == pier);
        let why = rig.run(RecallWhyNot { recall: recall.clone(), expected: pier.to_string() }).unwrap();
        assert_eq!((found, told(&why.reason)), (!is_cut, is_cut), "{recall:?}: {why:?}");
    };
    // A question, and what is nothing but the day.
    for query in ["heron at the pier", ""] {
        check(query, None, true);
        check(query, Some(SPACE), false);
    }
}

#[test]
fn before_anything_was_kept_it_is_told_since_when_something_is() {
    let rig = Rig::resting();
    let ask = |query: &str, as_of: Option<EpochMs>, known_at: Option<EpochMs>, utc_offset: i32| {
        let request = MemoryRecall { query: query.into(), as_of, known_at, utc_offset, ..MemoryRecall::default() };
        let recalled = rig.run(request).unwrap();
        (recalled.hits.len(), recalled.notices.into_iter().filter(|notice| notice.contains("kept")).collect::<Vec<_>>())
    };
    let nothing: Vec<String> = Vec::new();
    assert_eq!(ask("heron", Some(BEGIN - DAY), None, 0), (0, nothing.clone()), "where nothing is, none is the first");
    let keep = |text: &str, occurred_at: Option<EpochMs>| {
        let (text, space) = (text.to_owned(), SPACE.to_owned());
        rig.run(MemoryRemember { text, space, occurred_at, ..MemoryRemember::default() }).unwrap();
        rig.advance(DAY);
    };
    // 2025-06-15T15:06:40Z.
    keep("The heron waits at the pier.", None);
    keep("The pier was built of oak.", Some(BEGIN - 5 * DAY));
    let of_time = |day: &str| vec![format!("Nothing of that time is kept here: what is kept begins on {day}.")];
    let known = |day: &str| vec![format!("Nothing was kept here by then: the first was kept on {day}.")];
    for query in ["heron", ""] {
        assert_eq!(ask(query, Some(BEGIN - 6 * DAY), None, 0), (0, of_time("2025-06-10")), "{query}");
        assert_eq!(ask(query, None, Some(BEGIN - DAY), 0), (0, known("2025-06-15")), "{query}");
        // By the clock of who asks.
        assert_eq!(ask(query, None, Some(BEGIN - DAY), 600), (0, known("2025-06-16")), "{query}");
        assert_eq!(ask(query, Some(BEGIN), None, 0).1, nothing, "{query}");
    }
    assert_eq!(ask("heron", None, None, 0).1, nothing);
    // What is told of a day alone is of it by every clock.
    keep("The reeds were planted.", Some((BEGIN - 9 * DAY).div_euclid(DAY) * DAY));
    for utc_offset in [0, -480, 600] {
        let told = ask("heron", Some(BEGIN - 12 * DAY), None, utc_offset);
        assert_eq!(told, (0, of_time("2025-06-06")), "{utc_offset}");
    }
}
