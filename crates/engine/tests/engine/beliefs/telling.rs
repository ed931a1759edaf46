//! One fact told of different times: what does not fit the time that is known is asked about, and overwrites nothing.

use super::when::said;
use super::*;
use um_model::belief::ResolutionType::ManualOverride;

fn home(city: &str) -> FactInput {
    fact("Ana", "lives_in", city)
}

/// Oslo until 2020, Bergen since then, as the person decided; gives the conflict and both claims.
fn decided(rig: &Rig) -> (ConflictId, [ClaimId; 2]) {
    let ids =
        ["Oslo", "Bergen"].map(|city| add(rig, of(&rig.remember(&format!("{city} it is.")), home(city))).claim.id);
    let conflict = open(rig).remove(0);
    let year = || Some("2020".to_owned());
    let windows = Some(match conflict.claim_a.id == ids[0] {
        true => Windows { a_until: year(), b_from: year(), ..Windows::default() },
        false => Windows { b_until: year(), a_from: year(), ..Windows::default() },
    });
    let (conflict, resolution) = (conflict.id, ManualOverride);
    let decision = ConflictsResolve { windows, ..ConflictsResolve::of(conflict.clone(), resolution) };
    rig.run(decision).unwrap();
    assert!(open(rig).is_empty());
    (conflict, ids)
}

#[test]
fn what_a_decision_ended_is_asked_about_when_a_new_source_says_it_goes_on() {
    let rig = Rig::resting();
    let (conflict, [oslo, bergen]) = decided(&rig);
    let before = explain(&rig, &oslo);
    assert!(said(&rig, "2015-02-03", home("Oslo")).conflicts.is_empty(), "it was so then");
    assert!(said(&rig, "2023-02-03", home("Bergen")).conflicts.is_empty(), "it is so since then");
    assert_eq!(explain(&rig, &oslo).evidence.len(), before.evidence.len() + 1);

    let on = said(&rig, "2024-02-03", home("Oslo"));
    assert_eq!(on.conflicts.len(), 2, "with where she is since, and with when it ended");
    assert!(![&oslo, &bergen].contains(&&on.claim.id), "the old claim is not what it says");
    let after = explain(&rig, &oslo);
    assert_eq!((after.claim.valid_to, after.claim.state), (before.claim.valid_to, ClaimState::Disputed));
    assert!(super::conflict(&rig, &conflict).resolution.is_some(), "nothing is overwritten");
    let of_time = open(&rig).into_iter().find(|open| open.summary.contains("time")).unwrap();
    assert!(of_time.summary.contains("until 2020") && of_time.summary.contains("2024-02-03"), "{}", of_time.summary);

    // The next one who says so says the same.
    let again = said(&rig, "2025-02-03", home("Oslo"));
    assert_eq!((again.claim.id, again.conflicts.len()), (on.claim.id, 2));
}

/// Tells facts, each in words of its own: what is believed then, and what was asked.
#[track_caller]
fn check(what: &str, facts: &[FactInput], believed: &[&str], conflicts: usize) {
    let rig = Rig::resting();
    for (at, fact) in facts.iter().enumerate() {
        rig.advance(1);
        add(&rig, of(&rig.remember(&format!("Source {at} says what it says.")), fact.clone()));
    }
    assert_eq!(
        (super::believed(&rig), open(&rig).len()),
        (believed.iter().map(|f| (*f).to_owned()).collect(), conflicts),
        "{what}"
    );
}

#[test]
fn a_telling_of_another_time_is_a_claim_of_its_own() {
    check(
        "since when",
        &[between(home("Oslo"), "2019", ""), between(home("Oslo"), "2021", "")],
        &["disputed: Ana lives in Oslo (since: 2019)", "disputed: Ana lives in Oslo (since: 2021)"],
        1,
    );
    check(
        "until when",
        &[between(home("Oslo"), "", "2018"), between(home("Oslo"), "", "2020")],
        &["disputed: Ana lives in Oslo (until: 2018)", "disputed: Ana lives in Oslo (until: 2020)"],
        1,
    );
    check(
        "there again",
        &[between(home("Oslo"), "2015", "2018"), between(home("Oslo"), "2020", "")],
        &["asserted: Ana lives in Oslo (since: 2015, until: 2018)", "asserted: Ana lives in Oslo (since: 2020)"],
        0,
    );
    check(
        "what is, and that it ended",
        &[home("Oslo"), between(home("Oslo"), "", "2001")],
        &["asserted: Ana lives in Oslo (until: 2001)"],
        0,
    );
    check(
        "what was, and that it is so",
        &[between(home("Oslo"), "", "2001"), home("Oslo")],
        &["disputed: Ana lives in Oslo", "disputed: Ana lives in Oslo (until: 2001)"],
        1,
    );
    check(
        "a time that nobody told",
        &[home("Oslo"), between(home("Oslo"), "2019", "")],
        &["asserted: Ana lives in Oslo (since: 2019)"],
        0,
    );
}

#[test]
fn what_was_told_to_have_ended_and_goes_on_is_asked_about() {
    let rig = Rig::resting();
    let ended = add(&rig, between(home("Oslo"), "2015", "2020")).claim;
    rig.advance(1);
    let on = add(&rig, home("Oslo"));
    assert_eq!((on.conflicts.len(), open(&rig).len()), (1, 1));
    assert_ne!(on.claim.id, ended.id);
    near(confidence(&rig, &ended.id), ended.confidence);
    // Whoever says again that it ended then is heard.
    let again = add(&rig, of(&rig.remember("She left in 2020."), between(home("Oslo"), "", "2020")));
    assert_eq!(again.claim.id, ended.id);
    assert!(confidence(&rig, &ended.id) > ended.confidence);
}

#[test]
fn an_agent_that_tells_an_end_makes_what_goes_on_no_surer() {
    let rig = Rig::resting();
    let on = add(&rig, home("Oslo")).claim;
    let bot = agent(&rig, "notes-bot");
    let request = FactsAdd { space: SPACE.to_owned(), facts: vec![between(home("Oslo"), "", "2020")] };
    let told = rig.engine().run(&bot, request).unwrap().facts.remove(0);
    assert_ne!(told.claim.id, on.id);
    near(confidence(&rig, &on.id), on.confidence);
    assert_eq!((claim(&rig, &on.id).valid_to, open(&rig).len()), (None, 1), "the person is asked");
}

#[test]
fn the_old_time_of_what_was_decided_is_asked_about_when_a_new_source_says_it() {
    let check = |decide: fn(&mut ConflictsResolve, bool), what: &str| {
        let rig = Rig::resting();
        let told = |text: &str, fact: FactInput| {
            rig.advance(1);
            add(&rig, of(&rig.remember(text), fact))
        };
        let oslo = told("She is in Oslo since 2019.", between(home("Oslo"), "2019", "")).claim.id;
        told("Porto it is.", home("Porto"));
        let conflict = open(&rig).remove(0);
        let mut decision = ConflictsResolve::of(conflict.id.clone(), ManualOverride);
        decide(&mut decision, conflict.claim_a.id == oslo);
        rig.run(decision).unwrap();
        let decided = claim(&rig, &oslo);
        told("By the way, she is in Oslo since 2019.", between(home("Oslo"), "2019", ""));
        let of_time = open(&rig).iter().filter(|open| open.summary.contains("time")).count();
        assert_eq!(of_time, 1, "{what}: {:?}", believed(&rig));
        let after = claim(&rig, &oslo);
        near(after.confidence, decided.confidence);
        assert_eq!((after.valid_from, after.valid_to), (decided.valid_from, decided.valid_to), "{what}");
    };
    check(|decision, _| (decision.value, decision.valid_from) = (Some("Oslo".into()), Some("2021".into())), "since");
    check(
        |decision, oslo_is_a| {
            let year = || Some("2020".to_owned());
            decision.windows = Some(match oslo_is_a {
                true => Windows { a_until: year(), b_from: year(), ..Windows::default() },
                false => Windows { b_until: year(), a_from: year(), ..Windows::default() },
            });
        },
        "until",
    );
}

#[test]
fn what_is_read_again_after_a_decision_is_no_news() {
    let rig = Rig::resting();
    let note = rig.remember("Of her homes.");
    let ids = ["Oslo", "Bergen"].map(|city| add(&rig, of(&note, home(city))).claim.id);
    let conflict = open(&rig).remove(0).id;
    let windows = Some(Windows { a_until: Some("2020".into()), b_from: Some("2020".into()), ..Windows::default() });
    let request = ConflictsResolve { windows, ..ConflictsResolve::of(conflict, ManualOverride) };
    rig.run(request).unwrap();
    for (city, id) in ["Oslo", "Bergen"].into_iter().zip(ids) {
        assert_eq!(add(&rig, of(&note, home(city))).claim.id, id);
    }
    assert!(open(&rig).is_empty());
}

/// The one fact that is listed: its sentence, since when, until when.
#[track_caller]
fn listed(rig: &Rig) -> (String, [Option<String>; 2]) {
    let mut facts = rig.run(FactsSearch::default()).unwrap().facts;
    assert_eq!(facts.len(), 1, "{facts:?}");
    let fact = facts.remove(0);
    (fact.statement, [fact.valid_from, fact.valid_to].map(|at| at.and_then(um_rules::date_written)))
}

/// Facts of one text each; that text falls, by being removed or forgotten: what is listed before and after, and nothing
/// anywhere has the time of day that it told.
#[track_caller]
fn falls(
    orders: &[[usize; 2]],
    facts: [FactInput; 2],
    before: (&str, [&str; 2]),
    after: (&str, [&str; 2]),
    told: &str,
) {
    let words = |(sentence, ends): (&str, [&str; 2])| {
        (sentence.to_owned(), ends.map(|end| (!end.is_empty()).then(|| end.to_owned())))
    };
    for forgotten in [false, true] {
        for order in orders.iter().copied() {
            let rig = Rig::new();
            let notes = order.map(|at| {
                rig.advance(1);
                let note = rig.remember(&format!("Source {at} says what it says."));
                add(&rig, of(&note, facts[at].clone()));
                (at, note.id)
            });
            assert_eq!(listed(&rig), words(before), "{order:?}");
            let at = um_rules::date_begins(told).unwrap();
            let as_of = |at| rig.run(FactsSearch { as_of: Some(at), ..FactsSearch::default() }).unwrap().total;
            assert_eq!((as_of(at - 1), as_of(at)), (1, 0), "{order:?}");
            let edge = "SELECT CAST(valid_to AS TEXT) FROM entity_relationships WHERE is_active = 1";
            assert_eq!(rows(&rig, edge), [at.to_string()]);
            let id = notes.into_iter().find(|(at, _)| *at == 1).unwrap().1;
            if forgotten {
                forget(&rig, &id);
            } else {
                rig.run(um_model::capture::MemoryRemove { id }).unwrap();
            }
            rig.settled();
            assert_eq!(listed(&rig), words(after), "{order:?}, {forgotten}");
            assert_eq!(as_of(at), 1);
            let fact = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
            let why = explain(&rig, &fact.id);
            assert_eq!((why.claim.valid_to, why.windows.len(), why.evidence.len()), (None, 0, 1));
            let told = |table: &str, column: &str| format!("SELECT count(*) FROM {table} WHERE {column} = {at}");
            assert_eq!(rig.count(&told("claims", "told_to")) + rig.count(&told("entity_relationships", "valid_to")), 0);
            if forgotten {
                assert_eq!(rig.count(&told("claims", "valid_to")), 0);
            }
        }
    }
}

#[test]
fn a_told_time_falls_with_its_words() {
    let until = || between(home("Oslo"), "", "2023-04-05");
    falls(
        &[[0, 1]],
        [home("Oslo"), until()],
        ("Ana lives in Oslo (until: 2023-04-05)", ["", "2023-04-05"]),
        ("Ana lives in Oslo", ["", ""]),
        "2023-04-05",
    );
}

#[test]
fn what_lost_its_words_falls_also_where_what_it_tells_more_exactly_is_settled_first() {
    for is_told_again in [false, true] {
        let rig = Rig::new();
        let said = |text: &str, fact: FactInput| {
            let note = rig.remember(text);
            add(&rig, of(&note, fact));
            note.id
        };
        let remove = |id| rig.run(um_model::capture::MemoryRemove { id }).unwrap();
        said("It is said.", home("Oslo"));
        let twice = said("It is said twice.", home("Oslo"));
        let until = said("It is said to be over.", between(home("Oslo"), "", "2023-04-05"));
        rig.settled();
        rig.pause();
        if !is_told_again {
            remove(twice);
        }
        remove(until);
        if is_told_again {
            said("It is said again.", home("Oslo"));
        }
        rig.wake();
        rig.settled();
        assert_eq!(listed(&rig), ("Ana lives in Oslo".to_owned(), [None, None]));
        let id = rig.run(FactsSearch::default()).unwrap().facts.remove(0).id;
        let evidence = explain(&rig, &id).evidence;
        let live = evidence.iter().filter(|piece| piece.live).count();
        let expected = if is_told_again { (3, 3) } else { (2, 1) };
        assert_eq!((evidence.len(), live), expected, "{evidence:?}");
        assert_eq!(rig.count("SELECT count(*) FROM conflicts"), 0);
    }
}

#[test]
fn what_lost_its_words_disputes_nothing_also_before_it_is_settled() {
    for (is_removed, conflicts) in [(false, 1), (true, 0)] {
        let rig = Rig::new();
        let said = |city: &str| {
            let note = rig.remember(&format!("{city} is said."));
            add(&rig, of(&note, home(city)));
            note.id
        };
        let id = said("Oslo");
        rig.settled();
        rig.pause();
        if is_removed {
            rig.run(um_model::capture::MemoryRemove { id }).unwrap();
        }
        said("Bergen");
        rig.wake();
        rig.settled();
        assert_eq!(rig.count("SELECT count(*) FROM conflicts"), conflicts, "{is_removed}");
    }
}

#[test]
fn two_ends_of_one_fact_are_told_as_one_and_each_falls_with_its_words() {
    falls(
        &[[0, 1], [1, 0]],
        [between(home("Oslo"), "2010", ""), between(home("Oslo"), "", "2015-04-05")],
        ("Ana lives in Oslo (until: 2015-04-05)", ["2010-01-01", "2015-04-05"]),
        ("Ana lives in Oslo (since: 2010)", ["2010-01-01", ""]),
        "2015-04-05",
    );
    falls(
        &[[0, 1], [1, 0]],
        [between(home("Oslo"), "2010-06-07", ""), between(home("Oslo"), "", "2015")],
        ("Ana lives in Oslo (since: 2010-06-07)", ["2010-06-07", "2015-01-01"]),
        ("Ana lives in Oslo (since: 2010-06-07)", ["2010-06-07", ""]),
        "2015",
    );
}
