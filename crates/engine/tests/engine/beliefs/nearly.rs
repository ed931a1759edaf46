//! What seems to disagree and does not, and what does though it seems not to.

use super::*;

/// Has texts kept and read, each said on its day.
fn told(texts: &[(&str, &str)]) -> Rig {
    let rig = Rig::new();
    for (day, text) in texts {
        say(&rig, day, text);
    }
    rig
}

fn say(rig: &Rig, day: &str, text: &str) {
    rig.advance(1);
    let occurred_at = um_rules::date_begins(day);
    let request = um_model::capture::MemoryRemember {
        text: text.to_owned(),
        space: SPACE.into(),
        occurred_at,
        ..um_model::capture::MemoryRemember::default()
    };
    rig.run(request).unwrap();
    rig.settled();
}

#[test]
fn a_place_within_another_is_no_other_home() {
    let homes = [("", "Anna Berg lives in Norway."), ("", "Anna Berg lives in Oslo.")];
    let within = ("", "Oslo is located in Norway.");
    for texts in [[homes[0], homes[1], within], [within, homes[0], homes[1]], [homes[1], within, homes[0]]] {
        let rig = told(&texts);
        assert_eq!(open(&rig).len(), 0, "{texts:?}: {:?}", believed(&rig));
        assert!(believed(&rig).iter().all(|fact| fact.starts_with("asserted")), "{texts:?}: {:?}", believed(&rig));
        let lies =
            rig.run(FactsSearch { query: Some("located".into()), ..FactsSearch::default() }).unwrap().facts.remove(0);
        rig.run(ClaimRetract { claim: lies.id, undo: false }).unwrap();
        assert_eq!(open(&rig).len(), 1, "{texts:?}, once that is taken back");
    }
    assert_eq!(open(&told(&[homes[0], homes[1], ("", "Oslo is located in Denmark.")])).len(), 1);
}

#[test]
fn a_place_lies_in_another_where_somebody_else_than_one_agent_says_so_surely_and_one_way_round() {
    let homes = ["Oslo", "Porto"].map(|city| fact("Ana", "lives_in", city));
    let part = |one: &str, other: &str| fact(one, "part_of", other);
    let check = |what: &str, conflicts: usize, tell: &dyn Fn(&Rig)| {
        for before in [true, false] {
            let rig = Rig::resting();
            if before {
                tell(&rig);
            }
            homes.iter().for_each(|home| drop(add(&rig, home.clone())));
            if !before {
                tell(&rig);
            }
            assert_eq!(open(&rig).len(), conflicts, "{what}, {before}: {:?}", believed(&rig));
        }
    };
    let by = |rig: &Rig, name: &str| {
        let request = FactsAdd { space: SPACE.into(), facts: vec![part("Porto", "Oslo")] };
        rig.engine().run(&agent(rig, name), request).unwrap();
    };
    check("the person", 0, &|rig| drop(add(rig, part("Porto", "Oslo"))));
    check("an agent", 1, &|rig| by(rig, "notes-bot"));
    check("two agents", 0, &|rig| ["notes-bot", "other-bot"].into_iter().for_each(|name| by(rig, name)));
    check("unsure", 1, &|rig| drop(add(rig, FactInput { confidence: Some(0.3), ..part("Porto", "Oslo") })));
    check("both ways round", 1, &|rig| drop([part("Porto", "Oslo"), part("Oslo", "Porto")].map(|fact| add(rig, fact))));
    check("denied", 2, &|rig| drop([part("Porto", "Oslo"), denied(part("Porto", "Oslo"))].map(|fact| add(rig, fact))));
    check("elsewhere, too", 2, &|rig| {
        drop(["Oslo", "Sweden"].map(|place| add(rig, fact("Porto", "located_in", place))))
    });
}

#[test]
fn what_ended_meets_nothing_that_was_told_later() {
    let check = |texts: &[(&str, &str)]| {
        let rig = told(texts);
        assert_eq!(open(&rig).len(), 0, "{texts:?}: {:?}", believed(&rig));
    };
    let orbis = ("2023-05-05", "Anna Berg works at Orbis.");
    let until = ("2023-04-04", "Anna Berg worked at Halden Labs until 2022.");
    check(&[("2020-02-02", "Anna Berg works at Halden Labs since 2019."), until, orbis]);
    check(&[("2020-02-02", "Anna Berg works at Halden Labs as an engineer since 2019."), until, orbis]);
    check(&[("2020-02-02", "Anna Berg works at Halden Labs as an engineer."), until, orbis]);
}

#[test]
fn who_leaves_one_company_stays_in_every_club() {
    for left in ["Anna Berg left Halden Labs.", "Anna Berg left Halden Labs in 2022."] {
        for texts in [["Anna Berg joined Siemens in 2015.", left], [left, "Anna Berg joined Siemens in 2015."]] {
            let rig = told(&texts.map(|text| ("", text)));
            let facts = rig.run(FactsSearch::default()).unwrap().facts;
            let member = facts.iter().find(|fact| fact.predicate == "member_of").unwrap();
            assert_eq!((member.valid_to, member.state), (None, ClaimState::Asserted), "{left}");
            assert!(explain(&rig, &member.id).evidence.iter().all(|piece| !piece.citation.quote.contains("Halden")));
            assert_eq!(edges(&rig).len(), 1, "{left}");
        }
    }
}

#[test]
fn a_watched_folder_is_nobodys_agent() {
    let rig = Rig::new();
    rig.file("cv.md", "Anna Berg works at Orbis since 2019.\n");
    rig.file("geo.md", "Oslo is located in Norway.\n");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    say(&rig, "", "Anna Berg works at Orbis.");
    say(&rig, "", "Anna Berg lives in Oslo.");
    say(&rig, "", "Anna Berg lives in Norway.");
    assert_eq!(open(&rig).len(), 0, "{:?}", believed(&rig));
    assert!(
        believed(&rig).contains(&"asserted: Anna Berg works at Orbis (since: 2019)".to_owned()),
        "{:?}",
        believed(&rig)
    );
}

#[test]
fn who_left_in_a_year_was_there_until_then() {
    let both_ways = |one: (&str, &str), other: (&str, &str)| [told(&[one, other]), told(&[other, one])];
    let check = |one: (&str, &str), other: (&str, &str), fact: &str| {
        for rig in both_ways(one, other) {
            assert_eq!(open(&rig).len(), 0, "{one:?}: {:?}", believed(&rig));
            let listed = |as_of: &str| {
                let as_of = um_rules::date_begins(as_of);
                let facts = rig.run(FactsSearch { as_of, ..FactsSearch::default() }).unwrap().facts;
                facts.into_iter().map(|fact| format!("{}: {}", fact.state, fact.statement)).collect::<Vec<_>>()
            };
            assert_eq!(listed("2020"), [format!("asserted: {fact}")]);
            assert!(!listed("2023").contains(&format!("asserted: {fact}")), "{:?}", listed("2023"));
            assert_eq!(edges(&rig).len(), 1);
            // The end falls with its words.
            let left =
                rows(&rig, "SELECT id FROM memories WHERE content LIKE '%left%' AND content NOT LIKE '%joined%'");
            for id in left {
                rig.run(um_model::capture::MemoryRemove { id: MemoryId::parse(id).unwrap() }).unwrap();
                rig.settled();
                assert_eq!(listed("2023"), [format!("asserted: {fact}")]);
            }
        }
    };
    let left = ("", "Anna Berg left Halden Labs in 2022.");
    let works = "Anna Berg works at Halden Labs (since: 2019)";
    check(("", "Anna Berg joined Halden Labs in 2019."), left, works);
    check(("", "Anna Berg joined Halden Labs in 2019. Anna Berg left Halden Labs in 2022."), ("", "It rains."), works);
    check(("", "Anna Berg works at Halden Labs since 2019."), left, works);
    check(("2020-02-02", "Anna Berg works at Halden Labs."), ("2023-02-02", left.1), "Anna Berg works at Halden Labs");
    let siemens = ("", "Anna Berg left Siemens in 2022.");
    check(("", "Anna Berg joined Siemens in 2019."), siemens, "Anna Berg is a member of Siemens (since: 2019)");

    let asked = |one: (&str, &str), other: (&str, &str)| {
        for rig in both_ways(one, other) {
            assert_eq!(open(&rig).len(), 1, "{one:?}: {:?}", believed(&rig));
        }
    };
    asked(("2024-02-02", "Anna Berg works at Halden Labs since 2019."), left);
    asked(("2024-02-02", "Anna Berg works at Halden Labs."), left);
    asked(("", "Anna Berg works at Halden Labs since 2022."), left);
    // Who left and came back was there twice.
    for rig in both_ways(("", "Anna Berg works at Halden Labs since 2023."), left) {
        assert_eq!(open(&rig).len(), 0, "{:?}", believed(&rig));
    }
    // An agent alone ends nothing that somebody else says.
    let rig = told(&[("", "Anna Berg joined Halden Labs in 2019.")]);
    let facts = vec![between(denied(fact("Anna Berg", "works_at", "Halden Labs")), "2022", "")];
    rig.engine().run(&agent(&rig, "notes-bot"), FactsAdd { space: SPACE.into(), facts }).unwrap();
    assert_eq!(open(&rig).len(), 1);
}

#[test]
fn a_denial_by_another_predicate_is_weighed_too() {
    let rig = told(&[("", "Anna Berg joined Siemens.")]);
    let member = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
    say(&rig, "", "Anna Berg left Siemens.");
    assert_eq!(open(&rig).len(), 1, "{:?}", believed(&rig));
    assert!(confidence(&rig, &member.id) < member.confidence - 0.3, "{}", confidence(&rig, &member.id));
}

#[test]
fn a_denial_is_weighed_against_what_it_contradicts_alone() {
    let rig = told(&[
        ("2024-02-02", "Maya Okafor does not work at Orbis any more."),
        ("2020-02-02", "Maya Okafor works at Orbis."),
        ("2024-01-01", "Maya Okafor worked at Orbis until 2023."),
    ]);
    let facts = rig.run(FactsSearch::default()).unwrap().facts;
    let denial = facts.iter().find(|fact| fact.statement.starts_with("It is not so")).unwrap();
    assert_eq!((denial.state, open(&rig).len()), (ClaimState::Asserted, 0));
    assert!(denial.confidence > 0.8, "{}: {:?}", denial.confidence, believed(&rig));
}

#[test]
fn who_divorced_is_no_longer_married() {
    let check = |divorced: &str, until: Option<&str>, conflicts: usize| {
        let rig = told(&[("2015-02-02", "Anna Berg is married to Tom Lund."), ("2022-02-02", divorced)]);
        let married = rig.run(FactsSearch { query: Some("married".into()), ..FactsSearch::default() }).unwrap().facts;
        let married = married.iter().find(|fact| !fact.statement.starts_with("It is not so")).unwrap();
        assert_eq!(married.valid_to.and_then(um_rules::date_written).as_deref(), until, "{divorced}");
        let asked = open(&rig);
        assert_eq!(asked.len(), conflicts, "{divorced}: {:?}", believed(&rig));
        assert!(asked.iter().all(|asked| asked.conflict_type == um_model::belief::ConflictType::OppositePolarity));
    };
    check("Anna Berg divorced Tom Lund in 2021.", Some("2021-01-01"), 0);
    check("Anna Berg divorced Tom Lund.", None, 1);
}

#[test]
fn the_same_words_of_another_day_are_told_anew() {
    let rig = told(&[("2020-03-03", "I live in Oslo."), ("2024-03-03", "I live in Bergen.")]);
    let conflict = open(&rig).remove(0);
    let oslo_first = conflict.claim_a.object.text() == "Oslo";
    let year = || Some("2023".to_owned());
    let windows = match oslo_first {
        true => Windows { a_until: year(), b_from: year(), ..Windows::default() },
        false => Windows { b_until: year(), a_from: year(), ..Windows::default() },
    };
    let decision = ConflictsResolve {
        windows: Some(windows),
        ..ConflictsResolve::of(conflict.id, um_model::belief::ResolutionType::ManualOverride)
    };
    rig.run(decision).unwrap();
    say(&rig, "2020-03-03", "I live in Oslo.");
    assert_eq!((open(&rig).len(), rig.count("SELECT count(*) FROM memories")), (0, 2), "that was known");
    say(&rig, "2025-06-01", "I live in Oslo.");
    // Against the other home, and against the end that was decided.
    assert_eq!((open(&rig).len(), rig.count("SELECT count(*) FROM memories")), (2, 3), "{:?}", believed(&rig));
    say(&rig, "2025-06-01", " I live in Oslo. ");
    assert_eq!(rig.count("SELECT count(*) FROM memories"), 3);
}
