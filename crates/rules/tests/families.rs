//! Sentences and the claims that a careful reader draws from them. A line of claims is
//! `subject | predicate | object | key=value; key=value`, with `!` in front where it is denied.

use std::collections::BTreeMap;
use um_model::belief::{CandidateObject, Polarity};
use um_rules::eval::{Gold, Score, score};
use um_rules::{Context, claims};

#[path = "families/asserted.rs"]
mod asserted;
#[path = "families/silent.rs"]
mod silent;
#[path = "families/varied.rs"]
mod varied;
#[path = "families/written.rs"]
mod written;

fn gold(line: &str) -> Gold {
    let (polarity, line) = match line.strip_prefix('!') {
        Some(rest) => (Polarity::Negative, rest),
        None => (Polarity::Positive, line),
    };
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let qualifiers: BTreeMap<String, String> = parts
        .get(3)
        .iter()
        .flat_map(|all| all.split(';'))
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect();
    Gold { subject: parts[0].into(), predicate: parts[1].into(), object: parts[2].into(), polarity, qualifiers }
}

/// 8 May 2023, a Monday.
const SAID_AT: i64 = 1_683_554_160_000;

/// What is wrong with the claims of one text, in words; nothing where all is right.
fn check(text: &str, expected: &[&str]) -> Option<String> {
    let context = Context { occurred_at: Some(SAID_AT), ..Context::default() };
    let proposed = claims(text, &context);
    let expected: Vec<Gold> = expected.iter().map(|line| gold(line)).collect();
    let found = score(&proposed, &expected);
    if found.right == found.expected && found.right == found.proposed {
        return None;
    }
    let shown: Vec<String> = proposed
        .iter()
        .map(|claim| {
            let sign = if claim.polarity == Polarity::Negative { "!" } else { "" };
            let object = match &claim.object {
                CandidateObject::Entity(mention) => &mention.name,
                CandidateObject::Value { text, .. } => text,
            };
            format!("{sign}{} | {} | {object} | {:?}", claim.subject.name, claim.predicate, claim.qualifiers)
        })
        .collect();
    Some(format!("{text}\n    expected {expected:?}\n    proposed {shown:#?}"))
}

fn check_all<'a>(cases: impl Iterator<Item = (&'a str, &'a [&'a str])>) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (text, expected) in cases {
        count += 1;
        wrong.extend(check(text, expected));
    }
    assert!(wrong.is_empty(), "{} of {count} texts are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_asserted_is_read() {
    check_all(asserted::CASES.iter().copied());
}

#[test]
fn what_is_not_asserted_is_left() {
    check_all(silent::CASES.iter().map(|text| (*text, &[][..])));
}

/// Texts with the claims that a careful reader draws from them.
type Cases = [(&'static str, &'static [&'static str])];

/// The score of every second of some texts, and what is wrong with them in words.
fn half(cases: &Cases, of: usize) -> (Score, usize, Vec<String>) {
    let (mut total, mut slips, mut wrong) = (Score::default(), 0, Vec::new());
    for (text, expected) in cases.iter().skip(of).step_by(2) {
        let context = Context { occurred_at: Some(SAID_AT), ..Context::default() };
        let expected_claims: Vec<Gold> = expected.iter().map(|line| gold(line)).collect();
        let found = score(&claims(text, &context), &expected_claims);
        slips += usize::from(expected.is_empty() && found.proposed > 0);
        wrong.extend(check(text, expected));
        total += found;
    }
    (total, slips, wrong)
}

/// Measures both halves; each is read at least so well.
fn measure(what: &str, cases: &Cases, least: (f64, f64)) {
    for (of, name) in [(0, "tuned"), (1, "held out")] {
        let (found, slips, wrong) = half(cases, of);
        let (precision, recall) = (found.precision(), found.recall());
        eprintln!(
            "{what}, {name}: precision {precision:.3}, recall {recall:.3}, claims from silent texts {slips}, {found:?}"
        );
        // What is held out is counted and not looked at.
        if of == 0 {
            eprintln!("{}", wrong.join("\n"));
        }
        assert!(precision >= least.0 && recall >= least.1, "{what}, {name}: {found:?}");
    }
}

#[test]
fn varied_sentences_are_read() {
    measure("varied", varied::CASES, (0.95, 0.85));
}

#[test]
fn texts_as_people_write_them_are_read() {
    measure("written", written::CASES, (0.85, 0.85));
}

/// Of when it is that a text says something: the years of both ends, where they are known.
fn windows(text: &str) -> Vec<(Option<i64>, Option<i64>)> {
    let year = |at: i64| 1970 + at / 31_556_952_000;
    let context = Context { occurred_at: Some(SAID_AT), ..Context::default() };
    claims(text, &context)
        .iter()
        .map(|claim| (claim.valid_from.map(|at| year(at + 86_400_000)), claim.valid_to.map(|at| year(at + 86_400_000))))
        .collect()
}

#[test]
fn what_is_over_has_an_end() {
    for (text, expected) in [
        // Whoever told it in 2023 told it of what was over.
        ("Paolo worked at Ferrante Motors for six years.", vec![(None, Some(2023))]),
        ("Paolo has worked at Ferrante Motors for six years.", vec![(None, None)]),
        ("Paolo worked at Ferrante Motors until 2019.", vec![(None, Some(2019))]),
        ("Paolo started working at Ferrante Motors in 2019.", vec![(Some(2019), None)]),
        // One firm after the other, and not both in 2014.
        (
            "# Jane Dorsey\n\n- 2011-2014 Welder, Tern AG\n- 2014-2016 Welder, Auk Steel",
            vec![(Some(2011), Some(2014)), (Some(2014), Some(2016))],
        ),
        // The same words give the same end, however they begin.
        ("Paolo worked at Ferrante Motors from 2015 until 2019.", vec![(Some(2015), Some(2019))]),
        ("Paolo worked at Ferrante Motors from 2015 to 2019.", vec![(Some(2015), Some(2019))]),
        // What began and ended in one year did so within it.
        ("# Jane Dorsey\n\n- 2014-2014 Welder, Tern AG", vec![(Some(2014), Some(2015))]),
    ] {
        assert_eq!(windows(text), expected, "{text}");
    }
}
