//! One fact that several sources tell, one more exactly than the other: it is one belief, with the words of all of them.

use super::sources::ingest;
use super::*;
use um_model::belief::{ConflictType, ResolutionType};

fn told(fact: FactInput, qualifiers: &[(&str, &str)]) -> FactInput {
    let more = qualifiers.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    FactInput { qualifiers: fact.qualifiers.into_iter().chain(more).collect(), ..fact }
}

fn job(qualifiers: &[(&str, &str)]) -> FactInput {
    told(fact("Ana", "works_at", "Orbis"), qualifiers)
}

/// Sources that each say a fact, read in every order: what is believed then, and how many conflicts are open.
#[track_caller]
fn check(what: &str, facts: &[FactInput], expected: &[&str], conflicts: usize) -> Vec<Rig> {
    let orders: Vec<Vec<usize>> = match facts.len() {
        2 => vec![vec![0, 1], vec![1, 0]],
        _ => vec![vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2], vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]],
    };
    let read = |order: &Vec<usize>| {
        let rig = Rig::resting();
        for at in order {
            let memory = rig.remember(&format!("Source {at} says what it says."));
            add(&rig, of(&memory, facts[*at].clone()));
        }
        assert_eq!(
            (believed(&rig), open(&rig).len()),
            (expected.iter().map(|f| (*f).to_owned()).collect(), conflicts),
            "{what}, read as {order:?}"
        );
        rig
    };
    orders.iter().map(read).collect()
}

#[test]
fn what_says_less_supports_what_says_more() {
    let one = "asserted: Ana works at Orbis (since: 2021)";
    for rig in check("without a time", &[job(&[]), job(&[("since", "2021")])], &[one], 0) {
        let found = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        near(found.confidence, 1.0 - 0.1 * 0.1);
        assert_eq!((found.citations.len(), found.evidence_count), (2, 2), "the quotes of both");
        let why = explain(&rig, &found.id);
        assert_eq!((why.evidence.len(), why.confidence.supporting.len()), (2, 2));
        near(why.confidence.confidence, found.confidence);
    }
    check(
        "a month of that year",
        &[job(&[("since", "2021")]), job(&[("since", "May 2021")])],
        &["asserted: Ana works at Orbis (since: May 2021)"],
        0,
    );
    let ends = [between(job(&[]), "", "2016"), between(job(&[("until", "April 2016")]), "", "2016-04")];
    for rig in check("a month of the year of its end", &ends, &["asserted: Ana works at Orbis (until: April 2016)"], 0)
    {
        let found = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        assert_eq!((found.citations.len(), found.evidence_count), (2, 2), "the quotes of both");
    }
    check(
        "another year's month",
        &[between(job(&[]), "", "2016"), between(job(&[]), "", "2017-04")],
        &["disputed: Ana works at Orbis (until: 2016)", "disputed: Ana works at Orbis (until: 2017-04)"],
        1,
    );
    check("a role", &[job(&[]), job(&[("role", "engineer")])], &["asserted: Ana works at Orbis (role: engineer)"], 0);
    check(
        "a role, and since when",
        &[job(&[]), job(&[("role", "engineer")]), job(&[("role", "engineer"), ("since", "2021")])],
        &["asserted: Ana works at Orbis (role: engineer, since: 2021)"],
        0,
    );
    check(
        "a time that was stated, and one that was read",
        &[between(job(&[]), "2021", ""), job(&[("since", "2021")])],
        &[one],
        0,
    );
}

#[test]
fn what_says_something_else_stands_beside_it() {
    check(
        "two roles",
        &[job(&[("role", "engineer")]), job(&[("role", "driver")])],
        &["asserted: Ana works at Orbis (role: driver)", "asserted: Ana works at Orbis (role: engineer)"],
        0,
    );
    let price = |qualifiers| told(fact("Shirt", "price", "12"), qualifiers);
    check(
        "which one, rather than when",
        &[price(&[]), price(&[("size", "small")])],
        &["asserted: Shirt costs 12", "asserted: Shirt costs 12 (size: small)"],
        0,
    );
    check(
        "denied",
        &[denied(job(&[])), denied(job(&[("role", "driver")]))],
        &[
            "asserted: It is not so that Ana works at Orbis",
            "asserted: It is not so that Ana works at Orbis (role: driver)",
        ],
        0,
    );
}

#[test]
fn a_rival_is_one_conflict_however_exactly_each_source_tells_a_fact() {
    check(
        "another employer",
        &[job(&[]), job(&[("since", "2021")]), fact("Ana", "works_at", "Finch")],
        &["disputed: Ana works at Finch", "disputed: Ana works at Orbis (since: 2021)"],
        1,
    );
}

#[test]
fn two_beginnings_of_one_fact_are_a_conflict() {
    let expected = ["disputed: Ana works at Orbis (since: 2019)", "disputed: Ana works at Orbis (since: 2021)"];
    for rig in check("since when", &[job(&[("since", "2019")]), job(&[("since", "2021")])], &expected, 1) {
        let conflict = open(&rig).remove(0);
        assert_eq!(conflict.conflict_type, ConflictType::ContradictingValue);
        assert!(conflict.summary.contains("2019") && conflict.summary.contains("2021"), "{}", conflict.summary);
    }
    check("and one without", &[job(&[]), job(&[("since", "2019")]), job(&[("since", "2021")])], &expected, 1);
    check(
        "in different years",
        &[between(job(&[("at", "2019")]), "2019", "2020"), between(job(&[("at", "2021")]), "2021", "2022")],
        &["asserted: Ana works at Orbis (at: 2019)", "asserted: Ana works at Orbis (at: 2021)"],
        0,
    );
    check(
        "a role since then",
        &[job(&[("since", "2019")]), job(&[("role", "manager"), ("since", "2021")])],
        &["asserted: Ana works at Orbis (role: manager, since: 2021)", "asserted: Ana works at Orbis (since: 2019)"],
        0,
    );
}

#[test]
fn what_says_less_is_there_again_when_what_said_more_is_gone() {
    let rig = Rig::new();
    ingest(&rig, "one.txt", "Ana Ruiz works at Orbis.\n");
    let alone = believed(&rig);
    let exact = ingest(&rig, "two.txt", "Ana Ruiz has worked at Orbis since May 2021.\n");
    let both = believed(&rig);
    assert_eq!((alone.len(), both.len()), (1, 1));
    assert_ne!(alone, both);
    rig.run(um_model::capture::ArtifactRemove { id: exact.clone() }).unwrap();
    rig.settled();
    assert_eq!(believed(&rig), alone);
    rig.run(um_model::capture::ArtifactRestore { id: exact }).unwrap();
    rig.settled();
    assert_eq!(believed(&rig), both);
}

#[test]
fn a_decision_against_a_fact_takes_all_words_for_it() {
    let rig = Rig::resting();
    let less = add(&rig, of(&rig.remember("One."), job(&[]))).claim.id;
    let more = add(&rig, of(&rig.remember("Two."), job(&[("since", "2021")]))).claim.id;
    let other = add(&rig, of(&rig.remember("Three."), fact("Ana", "works_at", "Finch")));
    let conflict = other.conflicts[0].clone();
    let before = picture(&rig);
    let wins = |conflict: &Conflict| match conflict.claim_a.id == other.claim.id {
        true => ResolutionType::ClaimAWins,
        false => ResolutionType::ClaimBWins,
    };
    let resolution = wins(&open(&rig)[0]);
    rig.run(ConflictsResolve::of(conflict.clone(), resolution)).unwrap();
    assert_eq!((believed(&rig), open(&rig).len()), (vec!["asserted: Ana works at Finch".to_owned()], 0));
    rig.run(ConflictsReopen { conflict }).unwrap();
    assert_eq!(picture(&rig), before);

    // What a person takes back leaves what another source says less exactly.
    rig.run(ClaimRetract { claim: more.clone(), undo: false }).unwrap();
    assert_eq!(believed(&rig), ["disputed: Ana works at Finch", "disputed: Ana works at Orbis"]);
    rig.run(ClaimRetract { claim: more.clone(), undo: true }).unwrap();
    assert_eq!(believed(&rig), ["disputed: Ana works at Finch", "disputed: Ana works at Orbis (since: 2021)"]);
    assert_eq!((state(&rig, &less), open(&rig).len()), (ClaimState::Superseded, 1));
}

#[test]
fn what_is_taken_back_takes_along_what_its_own_source_says_less_exactly() {
    let check = |sources: [&str; 2], expected: &[&str]| {
        let rig = Rig::new();
        for (at, text) in sources.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            ingest(&rig, &format!("{at}.txt"), text);
        }
        let exact = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        assert_eq!(believed(&rig).len(), 1, "{:?}", believed(&rig));
        rig.run(ClaimRetract { claim: exact.id, undo: false }).unwrap();
        assert_eq!(believed(&rig), expected, "{sources:?}");
    };
    let (less, more) = ("Ana Ruiz works at Orbis.\n", "Ana Ruiz has worked at Orbis since May 2021.\n");
    check([less, more], &["asserted: Ana Ruiz works at Orbis"]);
    check([&format!("{less}{more}"), ""], &[]);
}

#[test]
fn an_unsure_detail_stands_behind_what_is_surer() {
    let unsure = |fact| FactInput { confidence: Some(0.02), ..fact };
    let plain = ["asserted: Ana works at Orbis"];
    for rig in check("an unsure role", &[job(&[]), unsure(job(&[("role", "janitor")]))], &plain, 0) {
        let found = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        near(found.confidence, 1.0 - 0.1 * 0.98);
        let states = vec![ClaimState::Superseded];
        let detail = rig.run(FactsSearch { states, ..FactsSearch::default() }).unwrap().facts.remove(0);
        near(detail.confidence, 0.02);
        rig.run(ClaimRetract { claim: found.id.clone(), undo: false }).unwrap();
        assert_eq!(believed(&rig), [""; 0], "who works there no more is no janitor there");
        rig.run(ClaimRetract { claim: found.id, undo: true }).unwrap();
        assert_eq!(believed(&rig), plain);
        add(&rig, of(&rig.remember("She cleans."), job(&[("role", "janitor")])));
        assert_eq!(believed(&rig), ["asserted: Ana works at Orbis (role: janitor)"]);
    }
    let janitor = job(&[("role", "janitor")]);
    for rig in check("a sure role", &[job(&[]), janitor.clone()], &["asserted: Ana works at Orbis (role: janitor)"], 0)
    {
        // By what contradicts it the role becomes unsure.
        add(&rig, of(&rig.remember("She never cleans."), FactInput { contradicts: true, ..janitor.clone() }));
        assert_eq!(believed(&rig), plain);
        add(&rig, of(&rig.remember("She does clean."), janitor.clone()));
        assert_eq!(believed(&rig), ["asserted: Ana works at Orbis (role: janitor)"]);
    }
    check(
        "an unsure end",
        &[job(&[("since", "2010")]), unsure(between(job(&[]), "", "2099"))],
        &["asserted: Ana works at Orbis (since: 2010)", "asserted: Ana works at Orbis (until: 2099)"],
        0,
    );
    check(
        "both unsure",
        &[unsure(job(&[])), unsure(job(&[("role", "janitor")]))],
        &["asserted: Ana works at Orbis (role: janitor)"],
        0,
    );
}

#[test]
fn a_fact_that_is_known_more_exactly_is_answered_with_what_is_known() {
    let rig = Rig::resting();
    let known = add(&rig, of(&rig.remember("One."), job(&[("since", "2021")])));
    let added = add(&rig, of(&rig.remember("Two."), job(&[])));
    assert_eq!((added.claim.id, added.created), (known.claim.id, false));
    assert!(added.warnings.is_empty(), "{:?}", added.warnings);
}

#[test]
fn merging_and_parting_keeps_what_each_source_told() {
    let rig = Rig::resting();
    add(&rig, of(&rig.remember("One."), job(&[])));
    add(&rig, of(&rig.remember("Two."), told(fact("Ana Ruiz", "works_at", "Orbis"), &[("since", "2021")])));
    let before = picture(&rig);
    let (keep, merge) = (entity_id(&rig, "Ana"), entity_id(&rig, "Ana Ruiz"));
    let merged = rig.run(EntityMerge { keep, merge }).unwrap();
    assert_eq!(believed(&rig), ["asserted: Ana works at Orbis (since: 2021)"]);
    rig.run(EntityUnmerge { merge: merged.merges[0].id.clone() }).unwrap();
    assert_eq!(picture(&rig), before);
}
