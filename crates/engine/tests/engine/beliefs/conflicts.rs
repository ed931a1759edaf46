//! Which claims cannot both stand, and what that does to them.

use super::*;
use um_engine::language::{Entailment, EntailmentLabel};
use um_model::belief::{Cardinality, ConflictType, ValueKind};

/// Facts that are added in their order, and the sentences that are believed then.
#[track_caller]
fn check(facts: &[FactInput], expected: &[&str], conflicts: &[ConflictType]) {
    let orders: [Vec<FactInput>; 2] = [facts.to_vec(), facts.iter().rev().cloned().collect()];
    for order in orders {
        let rig = Rig::resting();
        define(&rig, "project_lead", Cardinality::OneToMany);
        for fact in order {
            add(&rig, fact);
        }
        assert_eq!(believed(&rig), expected);
        let open = open(&rig);
        assert_eq!(open.iter().map(|conflict| conflict.conflict_type).collect::<Vec<_>>(), conflicts);
        for side in open.iter().flat_map(|conflict| [&conflict.claim_a, &conflict.claim_b]) {
            assert_eq!(side.state, ClaimState::Disputed);
            assert!(!side.citations.is_empty(), "each side shows its words");
            assert_eq!(side.conflicts.len(), 1);
        }
    }
}

fn define(rig: &Rig, name: &str, cardinality: Cardinality) {
    let predicate = PredicateInfo {
        name: name.into(),
        phrase: String::new(),
        relates: true,
        inverse: None,
        cardinality,
        value_kind: None,
    };
    rig.run(PredicateDefine { space: SPACE.into(), predicate, change: false }).unwrap();
}

#[test]
fn a_conflict_is_over_where_both_sides_are_forgotten_at_once() {
    let rig = Rig::resting();
    let note = rig.remember("Both say so.");
    let born = |day: &str| of(&note, fact("Ana", "birthday", day));
    add(&rig, born("1984-05-03"));
    add(&rig, born("1984-05-05"));
    add(&rig, fact("Ana", "likes", "tea"));
    assert_eq!(open(&rig).len(), 1);
    forget(&rig, &note.id);
    assert_eq!(open(&rig).len(), 0);
    assert_eq!(rows(&rig, "SELECT status FROM conflicts"), ["resolved"]);
}

#[test]
fn claims_that_cannot_both_stand_are_disputed() {
    use ConflictType::{CardinalityViolation, ContradictingValue, OppositePolarity};
    check(
        &[fact("Ana", "birthday", "1984-05-03"), fact("Ana", "birthday", "5 May 1984")],
        &["disputed: Ana has the birthday 1984-05-03", "disputed: Ana has the birthday 5 May 1984"],
        &[ContradictingValue],
    );
    check(
        &[fact("Ana", "lives_in", "Oslo"), fact("Ana", "lives_in", "Porto")],
        &["disputed: Ana lives in Oslo", "disputed: Ana lives in Porto"],
        &[CardinalityViolation],
    );
    check(
        &[fact("Ana", "project_lead", "Heron"), fact("Ben", "project_lead", "Heron")],
        &["disputed: Ana project lead Heron", "disputed: Ben project lead Heron"],
        &[CardinalityViolation],
    );
    check(
        &[fact("Ana", "likes", "tea"), denied(fact("Ana", "likes", "tea"))],
        &["disputed: Ana likes tea", "disputed: It is not so that Ana likes tea"],
        &[OppositePolarity],
    );
}

#[test]
fn a_date_that_is_told_less_exactly_is_no_other_one() {
    let birthday = |date: &str| fact("Ana", "birthday", date);
    check(
        &[birthday("1984-05-03"), birthday("1984"), birthday("May 1984"), birthday("3 May")],
        &[
            "asserted: Ana has the birthday 1984",
            "asserted: Ana has the birthday 1984-05-03",
            "asserted: Ana has the birthday 3 May",
            "asserted: Ana has the birthday May 1984",
        ],
        &[],
    );
}

#[test]
fn a_relation_that_reads_both_ways_is_one_whichever_way_it_was_said() {
    let said = [("Ana", "Ben"), ("Ana", "Cleo"), ("Ben", "Ana"), ("Cleo", "Ana")];
    for first in said {
        for second in said {
            let rig = Rig::resting();
            add(&rig, fact(first.0, "married_to", first.1));
            add(&rig, fact(second.1, "spouse_of", second.0));
            let same = std::collections::BTreeSet::from(<[&str; 2]>::from(first)) == <[&str; 2]>::from(second).into();
            assert_eq!(
                (believed(&rig).len(), open(&rig).len()),
                if same { (1, 0) } else { (2, 1) },
                "{first:?} {second:?}"
            );
        }
    }
}

#[test]
fn claims_that_can_both_stand_are_left_alone() {
    check(
        &[fact("Ana", "likes", "rain"), fact("Ana", "likes", "tea")],
        &["asserted: Ana likes rain", "asserted: Ana likes tea"],
        &[],
    );
    check(
        &[
            between(fact("Ana", "works_at", "Finch"), "2021", ""),
            between(fact("Ana", "works_at", "Orbis"), "2019", "2021"),
        ],
        &["asserted: Ana works at Finch (since: 2021)", "asserted: Ana works at Orbis (since: 2019, until: 2021)"],
        &[],
    );
    check(
        &[fact("Ana", "birthday", "1984-05-03"), fact("Ben", "birthday", "1990")],
        &["asserted: Ana has the birthday 1984-05-03", "asserted: Ben has the birthday 1990"],
        &[],
    );
    check(
        &[fact("Ana", "project_lead", "Heron"), fact("Ana", "project_lead", "Tern")],
        &["asserted: Ana project lead Heron", "asserted: Ana project lead Tern"],
        &[],
    );
    let sized = |size: &str, value: &str| FactInput {
        qualifiers: [("size".to_owned(), size.to_owned())].into(),
        ..fact("Shirt", "price", value)
    };
    check(
        &[sized("large", "12"), sized("small", "10")],
        &["asserted: Shirt costs 10 (size: small)", "asserted: Shirt costs 12 (size: large)"],
        &[],
    );
}

#[test]
fn what_denies_a_fact_and_the_fact_weigh_against_each_other_whichever_came_first() {
    let mut told = Vec::new();
    for turn in [false, true] {
        let rig = Rig::resting();
        let sources = ["one", "two", "three"].map(|text| rig.remember(text));
        let tea = || fact("Ana", "likes", "tea");
        let mut facts = vec![
            of(&sources[0], tea()),
            of(&sources[1], denied(tea())),
            of(&sources[2], FactInput { confidence: Some(0.5), ..tea() }),
        ];
        if turn {
            facts.reverse();
        }
        for fact in facts {
            add(&rig, fact);
        }
        let conflict = open(&rig).remove(0);
        let mut sides = [conflict.claim_a, conflict.claim_b].map(|side| {
            (side.statement, explain(&rig, &side.id).evidence.len(), (side.confidence * 1e6).round() as i64)
        });
        sides.sort();
        told.push(sides);
    }
    assert_eq!(told[0], told[1]);
    // 1 - 0.1 * 0.5 - 0.5 * 0.9, and 0.9 - 0.5 (0.9 + 0.5)
    assert_eq!((told[0][0].2, told[0][1].2), (500_000, 200_000));
    assert_eq!((told[0][0].1, told[0][1].1), (3, 3), "each has the words of the other against it");
}

#[test]
fn a_disputed_claim_is_no_edge() {
    let rig = Rig::resting();
    add(&rig, fact("Ana", "lives_in", "Oslo"));
    assert_eq!(edges(&rig), ["Ana lives_in Oslo"]);
    add(&rig, fact("Ana", "lives_in", "Porto"));
    assert_eq!(edges(&rig), [""; 0]);
    add(&rig, FactInput { confidence: Some(0.4), ..fact("Ben", "lives_in", "Oslo") });
    assert_eq!(edges(&rig), [""; 0], "nor is one that is hardly believed");
    add(&rig, of(&rig.remember("Ben is in Oslo for good."), fact("Ben", "lives_in", "Oslo")));
    assert_eq!(edges(&rig), ["Ben lives_in Oslo"]);
    add(&rig, denied(fact("Cleo", "lives_in", "Oslo")));
    assert_eq!(edges(&rig), ["Ben lives_in Oslo"], "nor is what is denied");
}

#[test]
fn the_surest_of_those_that_want_one_place_in_the_graph_has_it() {
    let rig = Rig::resting();
    let role = |role: &str, confidence: f64| FactInput {
        qualifiers: [("role".to_owned(), role.to_owned())].into(),
        confidence: Some(confidence),
        ..fact("Ana", "works_at", "Orbis")
    };
    let holder = |rig: &Rig| rows(rig, "SELECT attributes FROM entity_relationships WHERE is_active = 1");
    let cook = add(&rig, role("cook", 0.7)).claim.id;
    let lead = add(&rig, role("lead", 0.9)).claim.id;
    assert_eq!(holder(&rig), [r#"{"role":"lead"}"#]);
    rig.run(ClaimRetract { claim: lead.clone(), undo: false }).unwrap();
    assert_eq!(holder(&rig), [r#"{"role":"cook"}"#], "the next one steps up");
    rig.run(ClaimRetract { claim: lead, undo: true }).unwrap();
    assert_eq!(holder(&rig), [r#"{"role":"lead"}"#]);
    add(&rig, of(&rig.remember("She cooks there."), role("cook", 0.9)));
    assert_eq!(holder(&rig), [r#"{"role":"cook"}"#]);
    assert_eq!(state(&rig, &cook), ClaimState::Asserted);
}

#[test]
fn a_word_of_ones_own_has_the_limits_that_it_was_given() {
    let rig = Rig::resting();
    let one = |name: &str, relates: bool, cardinality| PredicateInfo {
        name: name.into(),
        phrase: "is badge".into(),
        relates,
        inverse: None,
        cardinality,
        value_kind: (!relates).then_some(ValueKind::Number),
    };
    let define = |predicate| rig.run(PredicateDefine { space: SPACE.into(), predicate, change: false });
    add(&rig, fact("Ana", "badge", "1,249"));
    add(&rig, fact("Ana", "badge", "1300"));
    assert!(open(&rig).is_empty(), "of what is unknown there may be many");
    define(one("Badge", false, Cardinality::ManyToOne)).unwrap();
    assert_eq!(open(&rig).len(), 1, "what was claimed before is looked at again");
    assert!(!add(&rig, fact("Ana", "badge", "1249")).created, "as numbers they are one");
    assert_eq!(add(&rig, fact("Ben", "badge", "7")).claim.statement, "Ben is badge 7");

    let sees = PredicateInfo {
        inverse: Some("seen by".into()),
        phrase: "sees".into(),
        ..one("sees", true, Cardinality::ManyToMany)
    };
    assert_eq!(define(sees).unwrap().inverse.as_deref(), Some("seen_by"));
    let first = add(&rig, fact("Ana", "sees", "Ben"));
    assert_eq!(first.claim.statement, "Ana sees Ben");
    let again = add(&rig, fact("Ben", "seen_by", "Ana"));
    assert_eq!((again.claim.id, again.created), (first.claim.id, false));
    let beside = PredicateInfo { inverse: Some("beside".into()), ..one("beside", true, Cardinality::OneToOne) };
    define(beside).unwrap();
    let kept = add(&rig, fact("Ana", "beside", "Ben")).claim.id;
    assert_eq!(add(&rig, fact("Ben", "beside", "Ana")).claim.id, kept);
    assert_eq!(add(&rig, fact("Cleo", "beside", "Ana")).conflicts.len(), 1);
}

#[test]
fn a_changed_definition_is_held_against_what_is_claimed() {
    let rig = Rig::resting();
    let sees = |inverse: Option<&str>, cardinality| PredicateInfo {
        name: "sees".into(),
        phrase: "sees".into(),
        relates: true,
        inverse: inverse.map(str::to_owned),
        cardinality,
        value_kind: None,
    };
    let run = |predicate, change| rig.run(PredicateDefine { space: SPACE.into(), predicate, change });
    let (one, many) = (Cardinality::ManyToOne, Cardinality::ManyToMany);
    assert_eq!(run(sees(None, many), true).unwrap_err().code, um_model::ErrorCode::NotFound);
    run(sees(None, many), false).unwrap();
    let there = add(&rig, fact("Ana", "sees", "Ben")).claim.id;
    let other = add(&rig, fact("Ana", "sees", "Cleo")).claim.id;
    assert!(open(&rig).is_empty());
    run(sees(None, one), true).unwrap();
    assert_eq!((open(&rig).len(), edges(&rig).len()), (1, 0), "there may be one only now");
    let conflict = open(&rig).remove(0).id;
    run(sees(Some("seen_by"), many), true).unwrap();
    assert!(open(&rig).is_empty() && super::conflict(&rig, &conflict).resolution.unwrap().by_itself);
    assert_eq!(edges(&rig).len(), 2);
    assert_eq!(add(&rig, fact("Ben", "seen by", "Ana")).claim.id, there);

    let back = add(&rig, fact("Ben", "sees", "Ana")).claim.id;
    assert_ne!(back, there);
    run(sees(Some("sees"), many), true).unwrap();
    assert_eq!(believed(&rig).len(), 2, "who sees whom reads both ways: {:?}", believed(&rig));
    let stays = if state(&rig, &back) == ClaimState::Asserted { back } else { there };
    assert_eq!(add(&rig, fact("Ana", "sees", "Ben")).claim.id, stays);
    assert_eq!(state(&rig, &other), ClaimState::Asserted);
}

#[test]
fn values_of_what_is_defined_as_a_relation_later_are_as_many_as_it_has() {
    let rig = Rig::resting();
    add(&rig, fact("Ana", "rides", "a bicycle"));
    add(&rig, fact("Ana", "rides", "a horse"));
    define(&rig, "rides", Cardinality::ManyToOne);
    assert_eq!(open(&rig).len(), 1);
}

#[test]
fn values_that_are_compared_in_another_way_are_joined() {
    let rig = Rig::resting();
    let badge = |kind| PredicateInfo {
        name: "badge".into(),
        phrase: "has badge".into(),
        relates: false,
        inverse: None,
        cardinality: Cardinality::ManyToOne,
        value_kind: Some(kind),
    };
    let run = |predicate, change| rig.run(PredicateDefine { space: SPACE.into(), predicate, change }).unwrap();
    run(badge(ValueKind::Text), false);
    add(&rig, fact("Ana", "badge", "1,249"));
    add(&rig, fact("Ana", "badge", "1249"));
    let disagreed = open(&rig).remove(0).id;
    run(badge(ValueKind::Number), true);
    assert!(open(&rig).is_empty());
    assert_eq!(believed(&rig).len(), 1, "{:?}", believed(&rig));
    assert_eq!(add(&rig, fact("Ana", "badge", "1,249.0")).claim.evidence_count, 3);
    // As words again they are two, each with its own source; there may be many, so that they do not disagree.
    run(PredicateInfo { cardinality: Cardinality::ManyToMany, ..badge(ValueKind::Text) }, true);
    assert_eq!(believed(&rig).len(), 2, "{:?}", believed(&rig));
    assert!(open(&rig).is_empty() && conflict(&rig, &disagreed).resolution.unwrap().by_itself);
    run(badge(ValueKind::Text), true);
    assert_eq!(open(&rig).len(), 1, "only one can be right");
}

#[test]
fn a_merge_that_is_undone_after_a_definition_changed_keeps_to_the_new_one() {
    let rig = Rig::resting();
    let define = |kind, change| define_badge(&rig, kind, change);
    define(ValueKind::Text, false);
    let bobs = add(&rig, fact("Bob", "badge", "1,249")).claim.id;
    add(&rig, fact("Robert", "likes", "tea"));
    let merge = EntityMerge { keep: entity_id(&rig, "Robert"), merge: entity_id(&rig, "Bob") };
    let merged = rig.run(merge).unwrap().merges.remove(0).id;
    define(ValueKind::Number, true);
    rig.run(EntityUnmerge { merge: merged }).unwrap();
    let again = add(&rig, fact("Bob", "badge", "1249"));
    assert_eq!((again.created, again.claim.id), (false, bobs), "as numbers they are one");
}

#[test]
fn a_definition_that_makes_no_sense_is_refused() {
    use um_model::ErrorCode::{self, AlreadyExists, InvalidRequest};
    let rig = Rig::resting();
    let relation = PredicateInfo {
        name: "sees".into(),
        phrase: String::new(),
        relates: true,
        inverse: None,
        cardinality: Cardinality::ManyToMany,
        value_kind: None,
    };
    let attribute = PredicateInfo { name: "badge".into(), relates: false, ..relation.clone() };
    let check = |predicate: PredicateInfo, code: ErrorCode| {
        let asked = PredicateDefine { space: SPACE.into(), predicate: predicate.clone(), change: false };
        let refused = rig.run(asked).unwrap_err();
        assert_eq!(refused.code, code, "{predicate:?}: {refused}");
    };
    check(PredicateInfo { name: " ".into(), ..relation.clone() }, InvalidRequest);
    check(PredicateInfo { name: "see!".into(), ..relation.clone() }, InvalidRequest);
    check(PredicateInfo { name: "x".repeat(61), ..relation.clone() }, InvalidRequest);
    check(PredicateInfo { name: "Works At".into(), ..relation.clone() }, AlreadyExists);
    check(PredicateInfo { inverse: Some("employs".into()), ..relation.clone() }, AlreadyExists);
    check(PredicateInfo { value_kind: Some(ValueKind::Text), ..relation.clone() }, InvalidRequest);
    check(PredicateInfo { inverse: Some("badge_of".into()), ..attribute.clone() }, InvalidRequest);
    check(PredicateInfo { cardinality: Cardinality::OneToMany, ..attribute.clone() }, InvalidRequest);
    let both_ways =
        PredicateInfo { inverse: Some("sees".into()), cardinality: Cardinality::ManyToOne, ..relation.clone() };
    check(both_ways, InvalidRequest);
    rig.run(PredicateDefine { space: SPACE.into(), predicate: relation.clone(), change: false }).unwrap();
    check(relation, AlreadyExists);
    check(PredicateInfo { name: "sees".into(), ..attribute }, AlreadyExists);
}

#[test]
fn what_a_model_finds_to_contradict_is_disputed_as_long_as_both_are_believed() {
    let rig = Rig::new();
    *rig.script.entailment.lock().unwrap() = Some(|a, b| {
        let both = a.contains("vegan") != b.contains("vegan");
        let label = if both { EntailmentLabel::Contradicts } else { EntailmentLabel::Neutral };
        Entailment { label, score: 0.99 }
    });
    let meat = rig.ingest("meat.txt", "Ana eats beef.\n");
    let vegan = rig.ingest("vegan.txt", "Ana eats vegan food.\n");
    rig.settled();
    let memory = |file| rig.artifact(file).summary.memory_id.unwrap();
    let of_file = |file, object: &str| FactInput { memory_id: Some(memory(file)), ..fact("Ana", "eats", object) };
    add(&rig, of_file(&meat, "beef"));
    add(&rig, of_file(&vegan, "vegan food"));
    let judge = |rig: &Rig, file| {
        rig.run(um_model::capture::ArtifactReread { id: file }).unwrap();
        rig.settled();
    };
    judge(&rig, meat.clone());
    assert_eq!(open(&rig).len(), 1, "{:?}", believed(&rig));
    rig.run(um_model::capture::ArtifactRemove { id: vegan.clone() }).unwrap();
    rig.settled();
    assert!(open(&rig).is_empty());
    assert_eq!(believed(&rig), ["asserted: Ana eats beef"]);
    rig.run(um_model::capture::ArtifactRestore { id: vegan }).unwrap();
    rig.settled();
    assert_eq!(open(&rig).len(), 1, "{:?}", believed(&rig));
}

#[test]
fn a_relation_that_is_defined_both_ways_and_back_says_what_it_said() {
    let rig = Rig::resting();
    let define = |inverse: &str, change| {
        let predicate = PredicateInfo {
            name: "spars".into(),
            phrase: "spars with".into(),
            relates: true,
            inverse: Some(inverse.into()),
            cardinality: Cardinality::ManyToMany,
            value_kind: None,
        };
        rig.run(PredicateDefine { space: SPACE.into(), predicate, change }).unwrap();
    };
    define("sparred_by", false);
    // Whichever of the two was known first.
    add(&rig, fact("Ana", "likes", "tea"));
    add(&rig, fact("Zed", "spars", "Ana"));
    add(&rig, fact("Ana", "spars", "Ben"));
    let before = picture(&rig);
    define("spars", true);
    define("sparred_by", true);
    assert_eq!(picture(&rig), before);
}

#[test]
fn where_hundreds_disagree_settling_again_finds_no_more() {
    let rig = Rig::resting();
    for chunk in 0..3 {
        let said = |n: i32| fact("Ana", "birthday", &format!("19{:02}-0{}-03", n, chunk + 1));
        rig.run(FactsAdd { space: SPACE.into(), facts: (0..90).map(said).collect() }).unwrap();
    }
    let count = "SELECT count(*) FROM conflicts";
    let before = rig.count(count);
    let conflict = open(&rig).remove(0).id;
    let decide = ConflictsResolve::of(conflict.clone(), um_model::belief::ResolutionType::BothDisputed);
    rig.run(decide).unwrap();
    rig.run(ConflictsReopen { conflict }).unwrap();
    assert_eq!(rig.count(count), before);
}

#[test]
fn as_was_known_a_conflict_is_warned_of_while_it_was_open() {
    use um_model::recall::MemoryRecall;
    use um_model::work::WarningKind;
    let rig = Rig::resting();
    let [yacht, ferry] =
        ["The yacht of Ana: born in Oslo.", "Of the ferry: Ana is from Porto."].map(|text| rig.remember(text));
    let after = |act: &dyn Fn()| {
        act();
        let at = rig.now();
        rig.advance(1_000);
        Some(at)
    };
    let decide = |id: &ConflictId| {
        rig.run(ConflictsResolve::of(id.clone(), um_model::belief::ResolutionType::ClaimAWins)).unwrap();
    };
    let alone = after(&|| drop(add(&rig, of(&yacht, fact("Ana", "born_in", "Oslo")))));
    let both = after(&|| drop(add(&rig, of(&ferry, fact("Ana", "born_in", "Porto")))));
    let id = open(&rig).remove(0).id;
    let decided = after(&|| decide(&id));
    let again = after(&|| drop(rig.run(ConflictsReopen { conflict: id.clone() }).unwrap()));
    decide(&id);
    let check = |known_at: Option<um_model::EpochMs>, warned: usize| {
        let request = MemoryRecall { query: "yacht ferry Ana".to_owned(), known_at, ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits;
        let is_warned = |hit: &&um_model::recall::Hit| {
            hit.warnings.iter().any(|one| one.kind == WarningKind::TemporalContradiction)
        };
        assert_eq!((hits.len(), hits.iter().filter(is_warned).count()), (2, warned), "{known_at:?}");
    };
    check(alone, 0);
    check(both, 2);
    check(decided, 0);
    check(again, 2);
    check(None, 0);
    // What was forgotten since is told of no time.
    forget(&rig, &ferry.id);
    let request = MemoryRecall { query: "yacht Ana".to_owned(), known_at: both, ..MemoryRecall::default() };
    assert!(rig.run(request).unwrap().hits.iter().all(|hit| hit.warnings.is_empty()));
}

#[test]
fn as_was_known_a_conflict_is_warned_of_each_time_that_it_came_up() {
    use um_model::recall::MemoryRecall;
    use um_model::work::WarningKind;
    let rig = Rig::resting();
    let [yacht, ferry] =
        ["The yacht of Ana: born in Oslo.", "Of the ferry: Ana is from Porto."].map(|text| rig.remember(text));
    add(&rig, of(&yacht, fact("Ana", "born_in", "Oslo")));
    add(&rig, of(&ferry, fact("Ana", "born_in", "Porto")));
    let id = open(&rig).remove(0).id;
    let decide = || {
        rig.advance(1_000);
        rig.run(ConflictsResolve::of(id.clone(), um_model::belief::ResolutionType::ClaimAWins)).unwrap();
        rig.now()
    };
    let hear = |says: &str| {
        rig.advance(1_000);
        add(&rig, of(&rig.remember(says), fact("Ana", "born_in", "Porto")));
        rig.now()
    };
    // A new source is heard after each decision, and no decision is taken back.
    let times = [decide(), hear("Her mother says Porto."), decide(), hear("Her aunt says Porto."), decide()];
    for (known_at, is_open) in times.into_iter().zip([false, true, false, true, false]) {
        let request = MemoryRecall { query: "yacht".into(), known_at: Some(known_at), ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits;
        let mut warnings = hits.iter().flat_map(|hit| &hit.warnings);
        assert_eq!(warnings.any(|one| one.kind == WarningKind::TemporalContradiction), is_open, "{known_at}");
    }
}

#[test]
fn what_says_one_side_of_an_open_conflict_is_told_with_a_warning() {
    use um_model::recall::MemoryRecall;
    use um_model::work::{ContextCompile, RecallWarning, WarningKind};
    let rig = Rig::resting();
    let [yacht, ferry, _] =
        ["The yacht of Ana: born in Oslo.", "Of the ferry: Ana is from Porto.", "The yacht of Ana is white."]
            .map(|text| rig.remember(text));
    let warned = || {
        let query = "yacht ferry Ana".to_owned();
        let hits = rig.run(MemoryRecall { query: query.clone(), ..MemoryRecall::default() }).unwrap().hits;
        let pack = rig.run(ContextCompile { query: Some(query), ..ContextCompile::default() }).unwrap();
        let told = |one: RecallWarning| (one.kind, one.target.id, one.related, one.conflict);
        let mut told = [hits.into_iter().flat_map(|hit| hit.warnings).collect(), pack.recall_warnings]
            .map(|warnings: Vec<RecallWarning>| warnings.into_iter().map(told).collect::<Vec<_>>());
        told.iter_mut().for_each(|told| told.sort());
        told
    };
    let oslo = add(&rig, of(&yacht, fact("Ana", "born_in", "Oslo"))).claim.id;
    assert!(warned().iter().all(Vec::is_empty));
    let porto = add(&rig, of(&ferry, fact("Ana", "born_in", "Porto"))).claim.id;
    let contradicted = WarningKind::TemporalContradiction;
    let conflict = open(&rig).remove(0).id;
    let told =
        |item: &str, other: &ClaimId| (contradicted, item.to_owned(), vec![other.to_string()], Some(conflict.clone()));
    let mut of_hits = vec![told(yacht.id.as_str(), &porto), told(ferry.id.as_str(), &oslo)];
    let mut of_pack = of_hits.clone();
    of_pack.extend([told(oslo.as_str(), &porto), told(porto.as_str(), &oslo)]);
    of_hits.sort();
    of_pack.sort();
    assert_eq!(warned(), [of_hits, of_pack]);
    let decided = um_model::belief::ResolutionType::ClaimAWins;
    rig.run(ConflictsResolve::of(open(&rig).remove(0).id, decided)).unwrap();
    let decided = (WarningKind::DecidedAgainst, ferry.id.to_string(), vec![porto.to_string()], None);
    assert_eq!(warned(), [vec![decided.clone()], vec![decided]]);
}

#[test]
fn a_warning_names_the_conflict_that_it_is_of() {
    use um_model::recall::MemoryRecall;
    let rig = Rig::resting();
    let says = |text: &str, of_whom: &str, born_in: &str| {
        let memory = rig.remember(text);
        add(&rig, of(&memory, fact(of_whom, "born_in", born_in)));
        memory.id
    };
    says("The yacht of Ana: born in Oslo.", "Ana", "Oslo");
    says("Ana is from Porto.", "Ana", "Porto");
    let later = says("The ferry of Bo: born in Turin.", "Bo", "Turin");
    says("Bo is from Genoa.", "Bo", "Genoa");
    let is_of_bo = |one: &Conflict| [&one.claim_a, &one.claim_b].iter().any(|side| side.statement.contains("Turin"));
    let of_bo = open(&rig).into_iter().find(is_of_bo).unwrap().id;
    let recall = MemoryRecall { query: "ferry of Bo".to_owned(), ..MemoryRecall::default() };
    let hit = rig.run(recall).unwrap().hits.into_iter().find(|hit| hit.ids.memory == later).unwrap();
    let told: Vec<_> = hit.warnings.into_iter().filter_map(|one| one.conflict).collect();
    assert_eq!(told, [of_bo], "and not the first that is open");
}
