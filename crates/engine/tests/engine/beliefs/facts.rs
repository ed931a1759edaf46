//! Facts that are stated outright.

use super::*;
use um_model::ErrorCode;
use um_model::belief::EntityType;
use um_model::capture::MemoryRemember;

#[test]
fn a_fact_is_one_claim_however_often_and_in_whatever_words_it_is_stated() {
    #[track_caller]
    fn check(rig: &Rig, first: FactInput, again: FactInput) {
        let first = add(rig, first);
        let again = add(rig, again);
        assert!(first.created && !again.created);
        assert_eq!(first.claim.id, again.claim.id);
    }
    let rig = Rig::resting();
    check(&rig, fact("Ana", "works_at", "Orbis"), fact(" ana ", "Works-At", "The Orbis"));
    check(&rig, fact("Jana Strauß", "works_at", "Weiß GmbH"), fact("Jana Strauss", "works_at", "WEISS GmbH"));
    check(&rig, fact("Ben", "works_at", "Orbis"), fact("Orbis", "employs", "Ben"));
    check(&rig, fact("Cleo", "birthday", "1984-05-03"), fact("Cleo", "date of birth", "3 May 1984"));
    check(&rig, fact("Dan", "married_to", "Eve"), fact("Eve", "spouse_of", "Dan"));
    check(&rig, fact("Lamp", "shoe_size", "Forty  Two"), fact("lamp", "Shoe Size", "forty two"));
    check(&rig, denied(fact("Ana", "likes", "tea")), denied(fact("ANA", "likes", "Tea")));
    let role = |key: &str, value: &str| FactInput {
        qualifiers: [(key.to_owned(), value.to_owned())].into(),
        ..fact("Finn", "works_at", "Orbis")
    };
    check(&rig, role("role", "lead"), role(" Role ", " Lead "));
    assert!(add(&rig, role("role", "cook")).created, "another role is another claim");
}

#[test]
fn the_same_words_count_once_and_other_sources_count_more() {
    let rig = Rig::resting();
    let works = || fact("Ana", "works_at", "Orbis");
    let first = add(&rig, works()).claim;
    let again = add(&rig, works()).claim;
    assert_eq!((again.evidence_count, again.id.clone()), (1, first.id));
    near(again.confidence, 0.9);

    let note = rig.remember("She has been with Orbis for years.");
    let second = add(&rig, of(&note, works())).claim;
    assert_eq!(second.evidence_count, 2);
    near(second.confidence, 0.99);
    let quotes: Vec<&str> = second.citations.iter().map(|citation| citation.quote.as_str()).collect();
    assert_eq!(quotes, ["Ana works at Orbis.", "She has been with Orbis for years."]);

    let part = FactInput { quote: Some("with Orbis".into()), memory_id: Some(note.id.clone()), ..works() };
    let third = add(&rig, part).claim;
    assert_eq!(third.evidence_count, 3, "other words of the same memory are another piece");
    near(third.confidence, 0.99);
}

#[test]
fn the_arithmetic_is_told() {
    let rig = Rig::resting();
    let sure = |confidence| FactInput { confidence: Some(confidence), ..fact("Ana", "likes", "tea") };
    let memories = ["one", "two", "three"].map(|text| rig.remember(text));
    let id = add(&rig, of(&memories[0], sure(0.8))).claim.id;
    add(&rig, of(&memories[1], sure(0.5)));
    add(&rig, FactInput { contradicts: true, ..of(&memories[2], sure(0.6)) });
    let told = explain(&rig, &id);
    assert_eq!(told.confidence.arithmetic, "1 - (1 - 0.80)(1 - 0.50) - 0.5 (0.60) = 0.60");
    near(told.claim.confidence, 0.6);
    near(told.confidence.combined - told.confidence.penalty, 0.6);
    assert_eq!(told.evidence.len(), 3);
    for piece in &told.evidence {
        near(piece.weight, piece.confidence * piece.trust * piece.source_weight * piece.quality);
    }
    assert_eq!((told.history.len(), told.history[0].cause.as_str()), (1, "evidence"));
}

#[test]
fn what_speaks_against_a_fact_makes_it_less_sure_and_asserts_nothing() {
    let rig = Rig::resting();
    let tea = || fact("Ana", "likes", "tea");
    let against = FactInput { contradicts: true, ..tea() };
    assert_eq!(try_add(&rig, against.clone()).unwrap_err().code, ErrorCode::InvalidRequest, "nobody's words");
    let nobody = add(&rig, of(&rig.remember("She never said so."), against));
    assert_eq!((nobody.claim.state, nobody.claim.confidence), (ClaimState::Draft, 0.0));
    let told = add(&rig, of(&rig.remember("She said so."), tea())).claim;
    assert_eq!(told.state, ClaimState::Asserted);
    near(told.confidence, 0.9 - 0.5 * 0.9);
    let both = add(&rig, of(&rig.remember("She said so."), FactInput { contradicts: true, ..tea() })).claim;
    near(both.confidence, 0.0);
    assert_eq!(both.state, ClaimState::Asserted, "it is still stated; a person decides");
}

#[test]
fn a_fact_finds_its_entities() {
    let rig = Rig::resting();
    let types = |rig: &Rig, name: &str| entity(rig, name).entity.entity_type;
    add(&rig, fact("me", "lives_in", "Porto"));
    assert_eq!(claim(&rig, &add(&rig, fact("I", "likes", "rain")).claim.id).subject.name, "You");
    add(&rig, fact("Orbis", "employs", "Ana"));
    assert_eq!((types(&rig, "Ana"), types(&rig, "Orbis")), (EntityType::Person, EntityType::Organization));
    // A likely type makes no second Orbis.
    add(&rig, fact("Orbis", "manages", "Finch"));
    assert_eq!(entity(&rig, "Orbis").claims.len(), 1);
    assert_eq!(entity(&rig, "Orbis").named_in.len(), 1);
    let by_id = fact(entity_id(&rig, "Ana").as_str(), "likes", "tea");
    assert_eq!(add(&rig, by_id).claim.statement, "Ana likes tea");
}

#[test]
fn a_name_that_means_two_is_not_guessed() {
    let rig = Rig::resting();
    for (name, entity_type) in [("Jordan", EntityType::Person), ("Jordan", EntityType::Location)] {
        add(&rig, FactInput { subject_type: Some(entity_type), ..fact(name, "note", entity_type.as_str()) });
    }
    let refused = try_add(&rig, fact("Jordan", "motto", "onward")).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Ambiguous);
    let listed = rig.run(EntitiesList { query: Some("jordan".into()), ..EntitiesList::default() }).unwrap().entities;
    let hint = refused.hint.unwrap();
    assert!(listed.len() == 2 && listed.iter().all(|entity| hint.contains(entity.id.as_str())), "{hint}");
    let by_id = fact(listed[0].id.as_str(), "motto", "onward");
    assert_eq!(add(&rig, by_id).claim.subject.id, listed[0].id);
    // Where only one of the two can be meant, it is.
    assert_eq!(add(&rig, fact("Ana", "lives_in", "Jordan")).claim.object.text(), "Jordan");
    let refused = rig.run(EntityGet { entity: "Jordan".into(), ..EntityGet::default() }).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Ambiguous);
    assert!(listed.iter().all(|entity| refused.hint.as_ref().unwrap().contains(entity.id.as_str())));
}

#[test]
fn what_is_refused_says_why_and_keeps_nothing() {
    #[track_caller]
    fn check(rig: &Rig, facts: Vec<FactInput>, code: ErrorCode) {
        let refused = rig.run(FactsAdd { space: SPACE.into(), facts }).unwrap_err();
        assert_eq!(refused.code, code, "{refused}");
    }
    let rig = Rig::resting();
    let good = || fact("Ana", "likes", "tea");
    let invalid = ErrorCode::InvalidRequest;
    check(&rig, vec![], invalid);
    check(&rig, vec![good(); 101], invalid);
    check(&rig, vec![fact(" ", "likes", "tea")], invalid);
    check(&rig, vec![fact("Ana", "likes", "")], invalid);
    check(&rig, vec![fact("Ana", "likes", &"x".repeat(3_000))], invalid);
    check(&rig, vec![fact("...", "likes", "tea")], invalid);
    check(&rig, vec![FactInput { confidence: Some(1.5), ..good() }], invalid);
    check(&rig, vec![FactInput { confidence: Some(f64::NAN), ..good() }], invalid);
    check(&rig, vec![FactInput { quote: Some("tea".into()), ..good() }], invalid);
    check(&rig, vec![between(good(), "soon", "")], invalid);
    check(&rig, vec![between(good(), "2021", "2020")], invalid);
    check(&rig, vec![FactInput { object_is_entity: Some(true), ..fact("Ana", "motto", "Ben") }], invalid);
    check(&rig, vec![fact("Ana", "married_to", "ana")], invalid);
    let with = |key: &str, value: &str| FactInput { qualifiers: [(key.to_owned(), value.to_owned())].into(), ..good() };
    check(&rig, vec![with(" ", "lead")], invalid);
    check(&rig, vec![with(&"x".repeat(61), "lead")], invalid);
    check(&rig, vec![with("role", &"x".repeat(501))], invalid);
    let many = (0..17).map(|n| (format!("part {n}"), "x".to_owned())).collect();
    check(&rig, vec![FactInput { qualifiers: many, ..good() }], invalid);
    let of_events = |ids: Vec<String>| FactInput { source_event_ids: ids, ..good() };
    check(&rig, vec![of_events(vec!["x".to_owned(); 51])], invalid);
    check(&rig, vec![of_events(vec!["x".repeat(101)])], invalid);
    check(&rig, vec![of_events(vec![String::new()])], invalid);
    // One that cannot be kept keeps the others out.
    check(&rig, vec![good(), fact("Ana", "lives_in", "...")], invalid);
    let elsewhere = rig.run(FactsAdd { space: "Nowhere".into(), facts: vec![good()] }).unwrap_err();
    assert_eq!(elsewhere.code, ErrorCode::NotFound);
    for table in ["claims", "claim_evidence", "entities", "memories", "evidence_events"] {
        assert_eq!(rig.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[test]
fn a_quote_is_looked_up_in_its_memory() {
    #[track_caller]
    fn check(rig: &Rig, memory: &Memory, quote: Option<&str>, found: Result<&str, ErrorCode>) {
        let source = FactInput {
            memory_id: Some(memory.id.clone()),
            quote: quote.map(str::to_owned),
            ..fact("Ana", "likes", "tea")
        };
        match (try_add(rig, source), found) {
            (Ok(added), Ok(words)) => {
                let cited = added.claim.citations.iter().find(|citation| citation.memory_id == memory.id).unwrap();
                assert_eq!(cited.quote, words);
            }
            (Err(refused), Err(code)) => assert_eq!(refused.code, code, "{refused}"),
            (added, _) => panic!("{quote:?}: {added:?}"),
        }
    }
    let rig = Rig::resting();
    let short = rig.remember("Ana drinks green tea 🍵 daily.");
    check(&rig, &short, Some("green tea 🍵"), Ok("green tea 🍵"));
    check(&rig, &short, Some("black tea"), Err(ErrorCode::InvalidRequest));
    check(&rig, &short, Some(""), Err(ErrorCode::InvalidRequest));
    let whole = rig.remember("Tea, and nothing else.");
    check(&rig, &whole, None, Ok("Tea, and nothing else."));
    let long = rig.remember(&"She likes tea very much. ".repeat(40));
    check(&rig, &long, None, Err(ErrorCode::InvalidRequest));
    check(&rig, &long, Some("She likes tea"), Ok("She likes tea"));
    let other = rig.space("Other");
    let there = rig.remember_in(other.id.as_str(), "Ana drinks tea there.");
    check(&rig, &there, None, Err(ErrorCode::NotFound));
    let keyed = |text: &str| MemoryRemember {
        text: text.into(),
        space: SPACE.into(),
        key: Some("drink".into()),
        ..MemoryRemember::default()
    };
    let old = rig.run(keyed("Ana drinks cocoa.")).unwrap().memory;
    rig.run(keyed("Ana drinks water.")).unwrap();
    check(&rig, &old, None, Err(ErrorCode::InvalidRequest));
}

#[test]
fn a_quote_from_a_file_leads_to_its_lines() {
    let rig = Rig::new();
    let file = rig.ingest("team.txt", "The team:\nzorg of Orbis\nblip of Finch\n");
    rig.settled();
    let memory = rig.artifact(&file).summary.memory_id.unwrap();
    let source =
        FactInput { memory_id: Some(memory), quote: Some("blip of Finch".into()), ..fact("Blip", "works_at", "Finch") };
    let cited = add(&rig, source).claim.citations.remove(0);
    assert_eq!((cited.quote.as_str(), cited.place.lines), ("blip of Finch", Some([3, 3])));
    assert_eq!((cited.artifact_id, cited.title.as_str()), (Some(file), "team.txt"));
    assert!(cited.view_id.is_some() && cited.segment_id.is_some());
}

#[test]
fn a_missing_event_is_a_warning() {
    let rig = Rig::resting();
    let stated = add(&rig, fact("Ana", "likes", "tea"));
    assert!(stated.warnings.is_empty());
    let event = rows(&rig, "SELECT id FROM evidence_events").remove(0);
    let known = FactInput { source_event_ids: vec![event, "e-17".into()], ..fact("Ana", "likes", "rain") };
    let warnings = add(&rig, known).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("e-17"));
}

#[test]
fn facts_are_searched_by_words_names_predicates_states_and_time() {
    #[track_caller]
    fn check(rig: &Rig, search: FactsSearch, expected: &[&str]) {
        let found = rig.run(search.clone()).unwrap();
        let mut words: Vec<&str> = found.facts.iter().map(|fact| fact.statement.as_str()).collect();
        words.sort_unstable();
        assert_eq!(words, expected, "{search:?}");
        assert_eq!(found.total, expected.len() as u64);
    }
    let rig = Rig::resting();
    add(&rig, between(fact("Ana", "works_at", "Orbis"), "2019", "2021"));
    add(&rig, between(fact("Ana", "works_at", "Finch"), "2021", ""));
    add(&rig, fact("Ben", "likes", "orchids"));
    let gone = add(&rig, fact("Ben", "likes", "noise")).claim.id;
    rig.run(ClaimRetract { claim: gone, undo: false }).unwrap();
    let all = FactsSearch::default;
    check(
        &rig,
        all(),
        &["Ana works at Finch (since: 2021)", "Ana works at Orbis (since: 2019, until: 2021)", "Ben likes orchids"],
    );
    check(&rig, FactsSearch { query: Some("orchids".into()), ..all() }, &["Ben likes orchids"]);
    check(
        &rig,
        FactsSearch { query: Some("working".into()), ..all() },
        &["Ana works at Finch (since: 2021)", "Ana works at Orbis (since: 2019, until: 2021)"],
    );
    check(&rig, FactsSearch { entity: Some("Finch".into()), ..all() }, &["Ana works at Finch (since: 2021)"]);
    check(
        &rig,
        FactsSearch { predicate: Some("employs".into()), entity: Some("Orbis".into()), ..all() },
        &["Ana works at Orbis (since: 2019, until: 2021)"],
    );
    check(&rig, FactsSearch { states: vec![ClaimState::Retracted], ..all() }, &["Ben likes noise"]);
    let year_2020 = 1_580_000_000_000;
    check(
        &rig,
        FactsSearch { as_of: Some(year_2020), predicate: Some("works_at".into()), ..all() },
        &["Ana works at Orbis (since: 2019, until: 2021)"],
    );
    let page = rig.run(FactsSearch { limit: Some(1), offset: 1, ..all() }).unwrap();
    assert_eq!((page.facts.len(), page.total), (1, 3));
    let nobody = rig.run(FactsSearch { entity: Some("Zed".into()), ..all() }).unwrap_err();
    assert_eq!(nobody.code, ErrorCode::NotFound);
}

#[test]
fn a_filter_finds_what_hundreds_of_better_matches_hide() {
    let rig = Rig::resting();
    let many: Vec<FactInput> = (0..600).map(|at| fact(&format!("Person {at}"), "likes", "orchids")).collect();
    for facts in many.chunks(100) {
        rig.run(FactsAdd { space: SPACE.to_owned(), facts: facts.to_vec() }).unwrap();
    }
    let long = "to speak of orchids only where a great many other words stand around them, so that others match better";
    add(&rig, fact("Zoe", "motto", long));
    let found = |search: FactsSearch| rig.run(FactsSearch { query: Some("orchids".into()), ..search }).unwrap();
    assert_eq!(found(FactsSearch::default()).total, 601);
    let last = found(FactsSearch { offset: 600, ..FactsSearch::default() }).facts;
    assert_eq!(last.iter().map(|fact| fact.subject.name.as_str()).collect::<Vec<_>>(), ["Zoe"]);
    for search in [
        FactsSearch { predicate: Some("motto".into()), ..FactsSearch::default() },
        FactsSearch { entity: Some("Zoe".into()), ..FactsSearch::default() },
    ] {
        for uncounted in [false, true] {
            let found = found(FactsSearch { uncounted, ..search.clone() });
            assert_eq!((found.total, found.facts.len()), (1, 1));
            assert_eq!(found.facts[0].subject.name, "Zoe");
        }
    }
    let page = FactsSearch { limit: Some(20), ..FactsSearch::default() };
    let first = found(FactsSearch { uncounted: true, ..page.clone() });
    assert_eq!((first.total, first.facts), (20, found(page).facts), "the same, and the others are not counted");
}

#[test]
fn a_stated_fact_is_not_read_for_claims_again() {
    let rig = Rig::new();
    let role = [("role".to_owned(), "lead engineer".to_owned())].into();
    add(&rig, FactInput { qualifiers: role, ..fact("Maya Okafor", "works_at", "Halden Labs") });
    add(&rig, denied(fact("Tomás", "works_at", "Brightwater")));
    rig.settled();
    assert_eq!(
        believed(&rig),
        [
            "asserted: It is not so that Tomás works at Brightwater",
            "asserted: Maya Okafor works at Halden Labs (role: lead engineer)"
        ]
    );
    assert!(!rig.found("Brightwater").is_empty(), "recall finds it as any memory");
}

#[test]
fn mentions_are_found_in_a_text() {
    let rig = Rig::resting();
    add(&rig, fact("Halden Labs", "motto", "onward"));
    add(&rig, fact("Maya Okafor", "works_at", "Halden Labs"));
    let text = "Yesterday Maya Okafor left halden labs; Haldon Labs closed.";
    let found = rig.run(EntitiesResolve { space: SPACE.into(), text: text.into() }).unwrap().mentions;
    let named: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|m| (m.text.as_str(), m.candidates[0].entity.name.as_str(), m.candidates[0].match_type.as_str()))
        .collect();
    assert_eq!(
        named,
        [
            ("Maya Okafor", "Maya Okafor", "exact"),
            ("halden labs", "Halden Labs", "exact"),
            ("Haldon Labs", "Halden Labs", "fuzzy")
        ]
    );
    for mention in &found {
        assert_eq!(mention.span.slice(text), Some(mention.text.as_str()));
    }
}

#[test]
fn a_known_fact_takes_the_time_that_nobody_told_and_is_asked_about_where_it_was_told_otherwise() {
    #[track_caller]
    fn check(rig: &Rig, from: &str, until: &str, expected: (Option<&str>, Option<&str>), asked: bool) {
        let added = add(rig, between(fact("Ana", "works_at", "Orbis"), from, until));
        let date = |end: Option<&str>| end.map(|end| um_rules::date_begins(end).unwrap());
        assert_eq!((added.claim.valid_from, added.claim.valid_to), (date(expected.0), date(expected.1)));
        assert_eq!(!added.conflicts.is_empty(), asked, "{from} {until}");
    }
    let rig = Rig::resting();
    check(&rig, "", "", (None, None), false);
    check(&rig, "2019", "", (Some("2019"), None), false);
    check(&rig, "", "", (Some("2019"), None), false);
    check(&rig, "2019", "2021-06", (Some("2019"), Some("2021-06")), false);
    let window = "SELECT json_array(valid_from, valid_to) FROM entity_relationships WHERE is_active = 1";
    let claim = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
    assert_eq!(rows(&rig, window), [serde_json::json!([claim.valid_from, claim.valid_to]).to_string()]);
    check(&rig, "2018", "", (Some("2018"), None), true);
    check(&rig, "2019", "2022", (Some("2019"), Some("2022")), true);
    check(&rig, "2023", "", (Some("2023"), None), true);
    assert_eq!(
        (super::claim(&rig, &claim.id).valid_from, super::claim(&rig, &claim.id).valid_to),
        (claim.valid_from, claim.valid_to)
    );
    // Who takes it back may say it anew.
    let rig = Rig::resting();
    check(&rig, "2019", "2021-06", (Some("2019"), Some("2021-06")), false);
    let claim = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
    rig.run(ClaimRetract { claim: claim.id, undo: false }).unwrap();
    check(&rig, "2023", "2024", (Some("2023"), Some("2024")), false);
}

#[test]
fn a_date_that_may_be_two_days_is_asked_back() {
    let rig = Rig::resting();
    let check = |refused: ApiError| {
        let hint = refused.hint.clone().unwrap_or_default();
        assert!(refused.code == ErrorCode::InvalidRequest && refused.message.contains("may be two days"), "{refused}");
        assert!(hint.contains("2024-01-05") && hint.contains("2024-05-01"), "{hint}");
    };
    for (from, until) in [("05/01/2024", ""), ("", "5/1/24"), ("05-01-2024", "2025")] {
        check(try_add(&rig, between(fact("Ana", "works_at", "Orbis"), from, until)).unwrap_err());
    }
    for city in ["Oslo", "Porto"] {
        add(&rig, fact("Ana", "lives_in", city));
    }
    let conflict = open(&rig).remove(0).id;
    let decision = ConflictsResolve::of(conflict, um_model::belief::ResolutionType::ManualOverride);
    let date = || Some("05/01/2024".to_owned());
    let windows = Windows { a_until: date(), b_from: Some("2024-06".to_owned()), ..Windows::default() };
    check(rig.run(ConflictsResolve { windows: Some(windows), ..decision.clone() }).unwrap_err());
    let value = Some("Bern".to_owned());
    check(rig.run(ConflictsResolve { value, valid_from: date(), ..decision }).unwrap_err());
    let added = add(&rig, between(fact("Ana", "works_at", "Orbis"), "25/12/2023", "05.01.2024"));
    let days = [added.claim.valid_from, added.claim.valid_to].map(|at| at.and_then(um_rules::date_written));
    assert_eq!(days, [Some("2023-12-25".to_owned()), Some("2024-01-05".to_owned())]);
}

#[test]
fn a_conflict_ends_with_the_time_that_is_stated() {
    let rig = Rig::resting();
    for city in ["Oslo", "Porto"] {
        add(&rig, fact("Ana", "lives_in", city));
    }
    let conflict = open(&rig).remove(0).id;
    add(&rig, between(fact("Ana", "lives_in", "Oslo"), "2010", ""));
    assert_eq!(open(&rig).len(), 1);
    add(&rig, between(fact("Ana", "lives_in", "Porto"), "2015", ""));
    assert_eq!(open(&rig).len(), 1);
    add(&rig, between(fact("Ana", "lives_in", "Oslo"), "", "2015"));
    assert_eq!(
        believed(&rig),
        ["asserted: Ana lives in Oslo (since: 2010)", "asserted: Ana lives in Porto (since: 2015)"]
    );
    let settled = super::conflict(&rig, &conflict).resolution.unwrap();
    assert_eq!((settled.by_itself, settled.actor_name.as_str()), (true, "system"));
}

#[test]
fn an_agent_that_restates_disputed_facts_with_times_settles_nothing() {
    let rig = Rig::resting();
    let [oslo, porto] = ["Oslo", "Porto"].map(|city| fact("Ana", "lives_in", city));
    add(&rig, oslo.clone());
    add(&rig, porto.clone());
    for restated in [between(oslo, "", "2020"), between(porto, "2020", "")] {
        rig.advance(1);
        let request = FactsAdd { space: SPACE.to_owned(), facts: vec![restated] };
        let added = rig.engine().run(&agent(&rig, "notes-bot"), request).unwrap().facts.remove(0);
        assert!(!added.conflicts.is_empty(), "and the agent hears of it");
    }
    let homes = believed(&rig);
    assert!(
        homes.iter().all(|home| home.starts_with("disputed")) && homes.contains(&"disputed: Ana lives in Oslo".into())
    );
}

#[test]
fn a_denial_finds_the_fact_that_it_denies_however_many_there_are() {
    let rig = Rig::resting();
    let owns = |number: usize| fact("Ana", "owns", &format!("gadget {number}"));
    (0..205).for_each(|number| drop(add(&rig, owns(number))));
    add(&rig, denied(owns(0)));
    let listed = rig.run(ConflictsList::default()).unwrap();
    assert_eq!(listed.total, 1);
    assert_eq!(listed.conflicts[0].claim_a.state, um_model::belief::ClaimState::Disputed);
}

#[test]
fn a_value_that_is_stated_is_of_the_kind_that_its_attribute_has() {
    let rig = Rig::resting();
    let number = PredicateInfo {
        name: "pays".into(),
        phrase: String::new(),
        relates: false,
        inverse: None,
        cardinality: um_model::belief::Cardinality::ManyToOne,
        value_kind: Some(um_model::belief::ValueKind::Number),
    };
    rig.run(PredicateDefine { space: SPACE.into(), predicate: number, change: false }).unwrap();
    for (predicate, wrong, right) in [
        ("birthday", "not a date", "3 May 1984"),
        ("birthday", "31 February 1991", "July 14"),
        ("pays", "lots", "EUR 12.50"),
    ] {
        let refused = try_add(&rig, fact("Ana", predicate, wrong)).unwrap_err();
        assert!(refused.code == ErrorCode::InvalidRequest && refused.hint.is_some(), "{wrong}: {refused}");
        add(&rig, fact(right, predicate, right));
    }
    assert_eq!(rig.count("SELECT count(*) FROM claims WHERE attribute_value IN ('not a date', 'lots')"), 0);
}
