//! What is told of conflicts that were decided, and what counts as a decision for one of their sides.

use super::*;
use um_model::ErrorCode;
use um_model::belief::ResolutionType;

/// Two birthdays of Ana, and the conflict of them.
fn two_birthdays(rig: &Rig) -> Conflict {
    add(rig, of(&rig.remember("One."), fact("Ana", "birthday", "1984-05-03")));
    add(rig, of(&rig.remember("Two."), fact("Ana", "birthday", "5 May 1984")));
    open(rig).remove(0)
}

fn with_value(rig: &Rig, conflict: &ConflictId, value: &str) -> Result<Conflict, ApiError> {
    let (conflict, value) = (conflict.clone(), Some(value.to_owned()));
    let resolution = ResolutionType::ManualOverride;
    rig.run(ConflictsResolve { value, ..ConflictsResolve::of(conflict, resolution) })
}

#[test]
fn what_a_side_says_already_chooses_that_side() {
    let rig = Rig::resting();
    let conflict = two_birthdays(&rig);
    let before = (picture(&rig), rig.count("SELECT count(*) FROM memories"));
    let decided = with_value(&rig, &conflict.id, "the 5th of May 1984").unwrap();
    let right = if decided.claim_a.object.text() == "5 May 1984" {
        ResolutionType::ClaimAWins
    } else {
        ResolutionType::ClaimBWins
    };
    assert_eq!(decided.resolution.map(|decided| decided.resolution_type), Some(right));
    assert_eq!(believed(&rig), ["asserted: Ana has the birthday 5 May 1984"]);
    assert_eq!(rig.count("SELECT count(*) FROM memories"), before.1, "nothing was stated");
    rig.run(ConflictsReopen { conflict: conflict.id }).unwrap();
    assert_eq!(picture(&rig), before.0);

    add(&rig, fact("Ana", "lives_in", "Oslo"));
    add(&rig, fact("Ana", "lives_in", "Porto"));
    let home = open(&rig).into_iter().find(|conflict| conflict.claim_a.predicate == "lives_in").unwrap();
    with_value(&rig, &home.id, "porto").unwrap();
    assert!(believed(&rig).contains(&"asserted: Ana lives in Porto".to_owned()), "{:?}", believed(&rig));

    let since = |year: &str| FactInput {
        qualifiers: [("since".to_owned(), year.to_owned())].into(),
        ..fact("Bo", "works_at", "Orbis")
    };
    add(&rig, since("2019"));
    add(&rig, since("2021"));
    let times = open(&rig).into_iter().find(|conflict| conflict.claim_a.predicate == "works_at").unwrap();
    assert_eq!(with_value(&rig, &times.id, "Orbis").unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn a_decision_that_was_taken_back_is_told_among_the_decided() {
    let rig = Rig::resting();
    let conflict = two_birthdays(&rig);
    let decided = || rig.run(ConflictsList { resolved: true, ..ConflictsList::default() }).unwrap();
    let choose = |resolution| {
        rig.advance(10);
        let conflict = conflict.id.clone();
        rig.run(ConflictsResolve::of(conflict, resolution)).unwrap()
    };
    choose(ResolutionType::ClaimAWins);
    rig.advance(10);
    let reopened = rig.run(ConflictsReopen { conflict: conflict.id.clone() }).unwrap();
    assert!(reopened.resolution.is_none(), "it is open");
    let listed = decided();
    assert_eq!((listed.total, listed.conflicts.len(), open(&rig).len()), (1, 1, 1));
    let told = listed.conflicts[0].resolution.clone().unwrap();
    assert_eq!((told.resolution_type, told.undone_at), (ResolutionType::ClaimAWins, Some(told.resolved_at + 10)));
    assert_eq!(told.undone_by.as_deref(), Some(told.actor_name.as_str()));

    choose(ResolutionType::ClaimBWins);
    let listed = decided();
    let told = listed.conflicts[0].resolution.clone().unwrap();
    assert_eq!((listed.total, told.resolution_type, told.undone_at), (2, ResolutionType::ClaimBWins, None));
}

#[test]
fn a_conflict_that_ended_with_a_merge_no_longer_says_that_only_one_is_right() {
    let rig = Rig::resting();
    add(&rig, fact("Ana", "birthday", "1984-05-03"));
    add(&rig, fact("Ana Ruiz", "birthday", "1984-05-05"));
    let (keep, merge) = (entity_id(&rig, "Ana"), entity_id(&rig, "Ana Ruiz"));
    let merged = rig.run(EntityMerge { keep, merge }).unwrap();
    assert!(open(&rig)[0].summary.starts_with("Two sources disagree"), "{}", open(&rig)[0].summary);
    rig.run(EntityUnmerge { merge: merged.merges[0].id.clone() }).unwrap();
    let listed = rig.run(ConflictsList { resolved: true, ..ConflictsList::default() }).unwrap().conflicts;
    assert_eq!(
        listed.iter().map(|conflict| conflict.summary.as_str()).collect::<Vec<_>>(),
        ["Both can stand: Ana has the birthday 1984-05-03; Ana Ruiz has the birthday 1984-05-05."]
    );
}

#[test]
fn what_can_be_stated_is_listed_and_what_is_new_is_said() {
    let rig = Rig::resting();
    let predicate = PredicateInfo {
        name: "commutes_by".into(),
        phrase: "commutes by".into(),
        relates: false,
        inverse: None,
        cardinality: um_model::belief::Cardinality::ManyToOne,
        value_kind: None,
    };
    rig.run(PredicateDefine { space: SPACE.into(), predicate, change: false }).unwrap();
    let listed = rig.run(PredicatesList::default()).unwrap().predicates;
    let of = |name: &str| listed.iter().find(|known| known.predicate.name == name).unwrap();
    assert_eq!((of("works_at").predicate.phrase.as_str(), of("works_at").space.is_some()), ("works at", false));
    assert!(of("commutes_by").space.is_some() && !of("commutes_by").predicate.relates);

    let warnings = |fact: FactInput| add(&rig, fact).warnings;
    assert!(warnings(fact("Ana", "commutes_by", "tram")).is_empty());
    let new = warnings(fact("Ana", "hums", "tunes"));
    assert!(new.len() == 1 && new[0].contains("\"hums\"") && new[0].contains("predicates list"), "{new:?}");
    assert!(warnings(fact("Bo", "hums", "marches")).is_empty(), "it is new once");
}

#[test]
fn a_part_of_an_id_finds_what_has_it() {
    let rig = Rig::resting();
    let conflict = two_birthdays(&rig);
    let find = |of, part: &str| rig.run(IdsFind { of, part: part.to_owned() });
    let ids =
        |of, part: &str| -> Vec<String> { find(of, part).unwrap().found.into_iter().map(|found| found.id).collect() };
    let (a, b) = (conflict.claim_a.id.to_string(), conflict.claim_b.id.to_string());
    assert_eq!(ids(IdsOf::Claims, &a[..30].to_uppercase()), [a.as_str()]);
    assert_eq!(ids(IdsOf::Claims, &a[..8]), [a.as_str(), b.as_str()], "both were made within a minute");
    assert_eq!(ids(IdsOf::Claims, &a[28..].to_uppercase()), [a.as_str()], "their ends are random");
    assert_eq!(ids(IdsOf::Claims, &b[20..]), [b.as_str()]);
    assert!(ids(IdsOf::Claims, &a[20..30]).is_empty(), "what stands within it is no part that is told");
    assert_eq!(ids(IdsOf::Conflicts, &conflict.id.as_str()[28..]), [conflict.id.as_str()]);
    assert_eq!(ids(IdsOf::Conflicts, &conflict.id.as_str()[..36]), [conflict.id.as_str()]);
    assert!(ids(IdsOf::Conflicts, "00000000").is_empty());
    for short in ["", "0123456", "no id at all", "%%%%%%%%%%"] {
        assert_eq!(find(IdsOf::Claims, short).unwrap_err().code, ErrorCode::InvalidRequest, "{short}");
    }
}

#[test]
fn a_field_that_an_operation_does_not_know_is_refused_with_those_that_it_knows() {
    let rig = Rig::resting();
    let call = |request: serde_json::Value| rig.engine().call(&Caller::owner("test"), "facts_search", request);
    let refused = call(serde_json::json!({ "quary": "tea" })).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidRequest);
    assert!(refused.message.contains("\"quary\""), "{refused:?}");
    assert!(
        refused.hint.as_deref().is_some_and(|hint| hint.contains("query") && hint.contains("limit")),
        "{refused:?}"
    );
    call(serde_json::json!({ "query": "tea" })).unwrap();
    call(serde_json::Value::Null).unwrap();
}
