//! Texts in scripts that put no spaces between words, and in letters that are written in several ways, are found by their words.

use crate::support::{Rig, check_quote};
use crate::traces::{fielded, quotes};
use um_model::recall::{Hit, MemoryRecall, Recalled};
use um_model::traces::{Lost, RecallWhyNot};

const MEETING: &str = "明日の会議は十時です。";
const PARLIAMENT: &str = "議会の建物は駅の近く。";
const MIXED: &str = "ABC会議の議事録。";
const CHERRY: &str = "さくらがきれいに咲いた。";
const THAI: &str = "ประชุมตอนเช้า";

/// The quotes of what was found by its words, in the order of their signs.
fn by_words(rig: &Rig, recalled: &Recalled) -> Vec<String> {
    recalled.hits.iter().for_each(|hit| check_quote(rig, hit));
    let found = recalled.hits.iter().filter(|hit| hit.score_parts.bm25_rank.is_some());
    let mut quotes: Vec<String> = found.map(|hit| hit.quote.clone()).collect();
    quotes.sort();
    quotes
}

/// What is marked in a hit's quote.
fn marked(hit: &Hit) -> Vec<String> {
    let units: Vec<u16> = hit.quote.encode_utf16().collect();
    let at = |unit: u32| (unit - hit.span.start) as usize;
    let words = hit.matches.iter().map(|found| &units[at(found.span.start)..at(found.span.end)]);
    words.map(|word| String::from_utf16(word).unwrap()).collect()
}

#[test]
fn what_has_no_spaces_is_found_by_its_words() {
    let rig = Rig::new();
    let [meeting, parliament, ..] = [MEETING, PARLIAMENT, MIXED, CHERRY, THAI].map(|text| rig.remember(text).id);
    rig.ingest("東京出張.txt", "Nothing else is told here.");
    rig.settled();
    let check = |typed: &str, expected: &[&str]| {
        let recalled = rig.run(fielded(typed)).unwrap();
        assert_eq!(by_words(&rig, &recalled), expected, "{typed}: {recalled:?}");
    };
    check("会議", &[MIXED, MEETING, PARLIAMENT]);
    check("\"会議\"", &[MIXED, MEETING]);
    check("会議 -\"会議\"", &[PARLIAMENT]);
    check("\"ABC会議\"", &[MIXED]);
    check("\"さくら\"", &[CHERRY]);
    check("\"ประชุม\"", &[THAI]);
    check("\"東京\"", &["Nothing else is told here."]);
    let none = rig.run(fielded("\"会建\"")).unwrap();
    assert!(none.hits.is_empty() && none.reason.unwrap().contains("in this order"));
    let told = |expected: &um_model::MemoryId| {
        rig.run(RecallWhyNot { recall: fielded("\"会議\""), expected: expected.to_string() }).unwrap()
    };
    assert_eq!(told(&meeting).lost, Lost::Given);
    let left_out = told(&parliament);
    assert_eq!(left_out.lost, Lost::Filter);
    assert!(left_out.reason.contains("does not say \"会議\""), "{left_out:?}");
}

#[test]
fn letters_that_are_written_in_several_ways_are_the_same() {
    let rig = Rig::new();
    rig.remember("The ﬁnance report is due.");
    rig.ingest("ﬁsh.txt", "Herons nest here.");
    rig.settled();
    for (typed, quote) in [
        ("finance", "The ﬁnance report is due."),
        ("\"ﬁnance report\"", "The ﬁnance report is due."),
        ("ｆｉｎａｎｃｅ", "The ﬁnance report is due."),
        ("\"fish\"", "Herons nest here."),
        ("ﬁsh", "Herons nest here."),
    ] {
        let recalled = rig.run(fielded(typed)).unwrap();
        assert_eq!(by_words(&rig, &recalled), [quote], "{typed}: {recalled:?}");
    }
    // It is marked where it stands.
    assert_eq!(rig.found("finance").len(), 1);
}

#[test]
fn an_eszett_and_two_of_s_are_the_same() {
    let rig = Rig::new();
    let (side, ana) = ("Das Rad steht auf der Straßenseite 😀 mit viel Schatten.", "Weiß: Das Rad steht im Keller.");
    rig.remember(side);
    rig.remember(ana);
    rig.ingest("GROẞE_Straße_7.txt", "Herons nest here.");
    rig.settled();
    for (typed, quote) in [
        ("STRASSENSEITE", side),
        ("Strassenseite", side),
        ("Straßenseite", side),
        ("straẞenseite", side),
        ("\"Strassenseite 😀 mit\"", side),
        ("\"der Straßenseite\"", side),
        ("grosse_strasse_7.txt", "Herons nest here."),
    ] {
        let recalled = rig.run(fielded(typed)).unwrap();
        assert_eq!(by_words(&rig, &recalled), [quote], "{typed}: {recalled:?}");
    }
    // What is cited is the source as it is, and the word is marked where it stands, with what follows it.
    let hit = rig.run(fielded("Strassenseite Schatten")).unwrap().hits.remove(0);
    assert_eq!(marked(&hit), ["Straßenseite", "Schatten"]);
    // Who speaks is known by either.
    for question in ["Wo steht das Rad von Weiss?", "Wo steht das Rad von Weiß?"] {
        assert_eq!(rig.recall(question).hits[0].quote, ana, "{question}");
    }
}

#[test]
fn what_stands_unseen_in_a_word_hides_it_from_nobody() {
    let rig = Rig::new();
    let (space, hyphen) = ("The ze\u{200b}ppelin flies at noon.", "Der Miet\u{ad}ver\u{ad}trag endet im Mai.");
    let (joined, herons) = ("Herons nest near Val\u{2060}pa\u{200d}raíso.", "The lighthouse is white.");
    [space, hyphen, joined, herons].into_iter().for_each(|text| drop(rig.remember(text)));
    rig.settled();
    for (typed, quote) in [
        ("zeppelin", space),
        ("\"zeppelin flies\"", space),
        ("Mietvertrag", hyphen),
        ("valparaíso", joined),
        // Nor does what is asked so hide from what is there.
        ("light\u{200b}house", herons),
        ("light\u{ad}house", herons),
        ("\"light\u{2060}house\"", herons),
    ] {
        let recalled = rig.run(fielded(typed)).unwrap();
        assert_eq!(by_words(&rig, &recalled), [quote], "{typed:?}: {recalled:?}");
    }
    // It is marked as it stands there, and what follows it where that stands.
    for (typed, expected) in [
        ("zeppelin noon", vec!["ze\u{200b}ppelin", "noon"]),
        ("Mietvertrag Mai", vec!["Miet\u{ad}ver\u{ad}trag", "Mai"]),
        ("valparaíso", vec!["Val\u{2060}pa\u{200d}raíso"]),
        ("light\u{200b}house", vec!["lighthouse"]),
    ] {
        let hit = rig.run(fielded(typed)).unwrap().hits.remove(0);
        assert_eq!(marked(&hit), expected, "{typed:?}");
    }
}

#[test]
fn a_quotation_mark_within_a_word_is_a_part_of_it() {
    let rig = Rig::new();
    let (army, ana) = ("The lease of צה\"ל ends.", "The lease of Ana ends.");
    [army, ana].into_iter().for_each(|text| drop(rig.remember(text)));
    rig.settled();
    assert_eq!(quotes(&rig.run(fielded("lease -צה\"ל")).unwrap()), [ana]);
    let phrases = vec!["צה\"ל".to_owned()];
    let recall = MemoryRecall { query: "lease".to_owned(), phrases, ..MemoryRecall::default() };
    assert_eq!(quotes(&rig.run(recall).unwrap()), [army]);
    rig.recall("ת\"ז-1234567");
}

#[test]
fn what_narrows_nothing_down_or_may_not_be_found_yet_is_told() {
    let rig = Rig::new();
    rig.remember("The lease ends.");
    rig.settled();
    let told = |query: &str, phrase: Option<&str>, notice: &str| {
        let phrases = phrase.map(str::to_owned).into_iter().collect();
        let recall = MemoryRecall { query: query.to_owned(), phrases, ..MemoryRecall::default() };
        rig.run(recall).unwrap().notices.iter().any(|told| told.starts_with(notice))
    };
    let signs = "Signs alone";
    assert!(told("lease", Some("!!!"), signs));
    assert!(!told("lease", Some("lease"), signs));
    let words = "The index of words is being made again: until that is done, passages in scripts";
    let any = "The index of words is being made again: until that is done, some of what";
    assert!(!told("会議", None, words) && !told("lease", None, any));
    let old = "INSERT INTO system_settings (key, value, updated_at) VALUES ('indexes.old_form', '', 1)";
    rig.db().execute_batch(old).unwrap();
    assert!(told("会議", None, words));
    assert!(told("", Some("会議"), words));
    assert!(told("Maß", None, words));
    assert!(told("lease", None, any) && !told("lease", None, words));
}
