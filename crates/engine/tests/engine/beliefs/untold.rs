//! When a file was last changed tells by when it was written, and no more: what it says holds at no time by that.

use super::*;
use std::time::{Duration, SystemTime};
use um_model::capture::MemoryIngest;

/// How a text comes in.
#[derive(Debug, Clone, Copy)]
enum Text {
    /// A file that was last changed in this year.
    File(i32, &'static str),
    /// A note of today.
    Note(&'static str),
    /// A file of which whoever brings it in tells the day.
    Dated(&'static str, &'static str),
    /// As that, and brought in before without the day.
    Later(&'static str, &'static str),
}
use Text::{Dated, File, Later, Note};

fn bring(rig: &Rig, at: usize, text: Text) {
    rig.advance(1);
    let words = match text {
        Note(words) => {
            rig.remember(words);
            return rig.settled();
        }
        File(_, words) | Dated(_, words) | Later(_, words) => words,
    };
    let path = rig.file(&format!("{at}.txt"), format!("{words}\n"));
    if let File(year, _) = text {
        let days = u64::try_from(year - 1970).unwrap() * 365 + 200;
        let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
    }
    let occurred_at = match text {
        Dated(day, _) | Later(day, _) => um_rules::date_begins(day),
        _ => None,
    };
    let ingest = |occurred_at| {
        let paths = vec![path.display().to_string()];
        rig.run(MemoryIngest { paths, space: SPACE.into(), occurred_at, ..MemoryIngest::default() }).unwrap();
        rig.settled();
    };
    if let Later(..) = text {
        ingest(None);
    }
    ingest(occurred_at);
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    match count {
        0 => vec![Vec::new()],
        _ => orders(count - 1)
            .into_iter()
            .flat_map(|order| {
                (0..count).map(move |at| {
                    let mut all = order.clone();
                    all.insert(at, count - 1);
                    all
                })
            })
            .collect(),
    }
}

fn told(rig: &Rig) -> Vec<String> {
    let day = |at: Option<i64>| at.and_then(um_rules::date_written).unwrap_or_default();
    let facts = rig.run(FactsSearch::default()).unwrap().facts;
    let mut told: Vec<String> = facts
        .iter()
        .map(|fact| format!("{}: {} {}..{}", fact.state, fact.statement, day(fact.valid_from), day(fact.valid_to)))
        .collect();
    told.sort();
    told
}

/// What is believed of texts, in whichever order they come in.
#[track_caller]
fn check(what: &str, texts: &[Text], expected: &[&str]) {
    for order in orders(texts.len()) {
        let rig = Rig::new();
        for at in &order {
            bring(&rig, *at, texts[*at]);
        }
        assert_eq!(told(&rig), expected, "{what}, as {order:?}");
        let disputed = expected.iter().filter(|fact| fact.starts_with("disputed")).count();
        assert_eq!(open(&rig).is_empty(), disputed == 0, "{what}, as {order:?}");
    }
}

const JOINED: &str = "Ana Ruiz joined Halden Labs.";
const LEFT: &str = "Ana Ruiz left Halden Labs in 2021.";
const AGAIN: &str = "Ana Ruiz joined Halden Labs again in 2023.";
const GONE: &str = "asserted: It is not so that Ana Ruiz works at Halden Labs (at: 2021) 2021-01-01..";

#[test]
fn who_joined_and_left_has_one_history_whenever_the_files_were_changed() {
    for changed in [2015, 2021, 2024] {
        check(
            "joined, left",
            &[File(changed, JOINED), File(2024, LEFT)],
            &["asserted: Ana Ruiz works at Halden Labs ..2021-01-01", GONE],
        );
        check(
            "joined in 2019, left",
            &[File(changed, "Ana Ruiz joined Halden Labs in 2019."), File(2024, LEFT)],
            &["asserted: Ana Ruiz works at Halden Labs (since: 2019) 2019-01-01..2021-01-01", GONE],
        );
    }
    check(
        "works there, left",
        &[File(2024, "Ana Ruiz has worked at Halden Labs since 2019."), Note(LEFT)],
        &["asserted: Ana Ruiz works at Halden Labs (since: 2019) 2019-01-01..2021-01-01", GONE],
    );
    check(
        "works there, worked there until then",
        &[File(2024, "Ana Ruiz works at Halden Labs."), File(2024, "Ana Ruiz worked at Halden Labs until 2021.")],
        &["asserted: Ana Ruiz works at Halden Labs (until: 2021) ..2021-01-01"],
    );
}

#[test]
fn who_left_and_joined_again_was_there_twice() {
    let again = "asserted: Ana Ruiz works at Halden Labs (since: 2023) 2023-01-01..";
    check("left, joined again", &[File(2024, LEFT), File(2020, AGAIN)], &[again, GONE]);
    check("joined, left, joined again", &[File(2024, JOINED), File(2020, LEFT), File(2020, AGAIN)], &[again, GONE]);
    check(
        "joined in 2019, left, joined again",
        &[File(2024, "Ana Ruiz joined Halden Labs in 2019."), Note(LEFT), File(2020, AGAIN)],
        &["asserted: Ana Ruiz works at Halden Labs (since: 2019) 2019-01-01..2021-01-01", again, GONE],
    );
}

#[test]
fn a_note_of_today_is_ended_by_no_file_that_was_changed_since() {
    let note = "asserted: Ana Ruiz works at Halden Labs ..";
    let disputed = "disputed: Ana Ruiz works at Halden Labs ..";
    let today = Note("Ana Ruiz works at Halden Labs.");
    check(
        "left",
        &[today, File(2026, "Ana Ruiz left Halden Labs.")],
        &[disputed, "disputed: It is not so that Ana Ruiz works at Halden Labs .."],
    );
    check(
        "worked there until some week",
        &[today, File(2026, "Ana Ruiz worked at Halden Labs until last week.")],
        &[note],
    );
    check(
        "of the day on which it was said",
        &[Note("Ana Ruiz lives in Oslo."), Dated("2019-05-03", "Ana Ruiz has lived in Porto since last month.")],
        &["disputed: Ana Ruiz lives in Oslo ..", "disputed: Ana Ruiz lives in Porto (since: 2019-04) 2019-04-01.."],
    );
}

#[test]
fn what_is_so_until_a_day_that_nobody_knows_is_kept_without_that_end() {
    let works = "asserted: Ana Ruiz works at Halden Labs (until: June) ..";
    check("works until June", &[File(2020, "Ana Ruiz works at Halden Labs until June.")], &[works]);
    check(
        "lives there until Friday",
        &[File(2020, "Until Friday Ana Ruiz lives in Porto.")],
        &["asserted: Ana Ruiz lives in Porto (until: Friday) .."],
    );
    for over in [
        "Ana Ruiz worked at Halden Labs until June.",
        "Ana Ruiz worked at Halden Labs until last week.",
        "Ana Ruiz lived in Porto until June.",
    ] {
        check(over, &[File(2020, over)], &[]);
    }
}

#[test]
fn what_was_so_by_a_file_of_no_known_day_is_not_said_to_be_so_now() {
    for words in [
        "Ana Ruiz lived in Oslo last year.",
        "Last year Ana Ruiz lived in Oslo.",
        "Ana Ruiz was living in Oslo last year.",
        "Ana Ruiz lived in Oslo within a year.",
        "Ana Ruiz didn't live in Oslo last year.",
        "Paolo worked at Ferrante Motors for years.",
        "Ana Ruiz worked at Halden Labs last week.",
        "Ana Ruiz worked at Halden Labs every summer.",
        "Ana Ruiz was not allergic to milk last year.",
    ] {
        check(words, &[File(2020, words)], &[]);
    }
    let now = Note("Ana Ruiz lives in Porto.");
    let there = "asserted: Ana Ruiz lives in Porto ..";
    check("a home of then", &[File(2020, "Ana Ruiz lived in Oslo last year."), now], &[there]);
    for (words, expected) in [
        ("Ana Ruiz lived in Oslo in 2019.", "asserted: Ana Ruiz lives in Oslo (at: 2019) 2019-01-01..2020-01-01"),
        ("Ana Ruiz lived in Oslo for ten years.", "asserted: Ana Ruiz lives in Oslo (for: ten years) ..2020-07-07"),
        ("Ana Ruiz has lived in Oslo for years.", "asserted: Ana Ruiz lives in Oslo .."),
        ("Ana Ruiz moved to Oslo last year.", "asserted: Ana Ruiz lives in Oslo .."),
        ("Ana Ruiz no longer lives in Oslo.", "asserted: It is not so that Ana Ruiz lives in Oslo .."),
    ] {
        check(words, &[File(2020, words)], &[expected]);
    }
}

#[test]
fn what_was_said_on_a_known_day_counts_behind_a_file_that_says_more() {
    let more = File(2020, "Ana Ruiz works at Halden Labs as an engineer.");
    let mail = |day| Dated(day, "Ana Ruiz works at Halden Labs.");
    check(
        "said since then",
        &[more, mail("2024-05-03"), Note(LEFT)],
        &[
            "disputed: Ana Ruiz works at Halden Labs (role: engineer) ..",
            "disputed: It is not so that Ana Ruiz works at Halden Labs (at: 2021) 2021-01-01..",
        ],
    );
    check(
        "said before",
        &[more, mail("2019-05-03"), Note(LEFT)],
        &["asserted: Ana Ruiz works at Halden Labs (role: engineer) ..2021-01-01", GONE],
    );
}

#[test]
fn a_day_that_is_told_later_is_that_on_which_it_was_said() {
    check(
        "works there, left",
        &[Later("2019-05-03", "Ana Ruiz works at Halden Labs."), Note(LEFT)],
        &["asserted: Ana Ruiz works at Halden Labs ..2021-01-01", GONE],
    );
}
