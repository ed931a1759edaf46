//! Two entities that are one, and one that is two after all.

use super::*;
use um_model::belief::{EntityType, MatchType};
use um_model::{ErrorCode, MergeId};

fn merge(rig: &Rig, keep: &str, merge: &str) -> Result<EntityDetail, ApiError> {
    rig.run(EntityMerge { keep: entity_id(rig, keep), merge: entity_id(rig, merge) })
}

fn unmerge(rig: &Rig, merge: &MergeId) -> Result<EntityDetail, ApiError> {
    rig.run(EntityUnmerge { merge: merge.clone() })
}

fn merge_id(detail: &EntityDetail) -> MergeId {
    detail.merges.iter().find(|merge| !merge.undone).unwrap().id.clone()
}

#[test]
fn a_merge_and_its_undoing_leave_everything_as_it_was() {
    #[track_caller]
    fn check(what: &str, facts: &[FactInput], expected: &[&str], conflicts: usize) {
        let rig = Rig::resting();
        for fact in facts {
            add(&rig, fact.clone());
        }
        let before = picture(&rig);
        let merged = merge(&rig, "Robert", "Bob").unwrap();
        assert_eq!(believed(&rig), expected, "{what}");
        assert_eq!(open(&rig).len(), conflicts, "{what}");
        assert_eq!(merged.entity.aliases, ["Bob"], "{what}");
        assert_eq!(entity(&rig, "Bob").entity.id, merged.entity.id, "{what}");
        let apart = unmerge(&rig, &merge_id(&merged)).unwrap();
        assert_eq!(apart.entity.name, "Bob");
        assert_eq!(picture(&rig), before, "{what}");
        let again = unmerge(&rig, &merge_id(&merged)).unwrap_err();
        assert_eq!(again.code, ErrorCode::InvalidRequest);
        // Once more, now that all the rows of the first time are there.
        let merged = merge(&rig, "Robert", "Bob").unwrap();
        assert_eq!(believed(&rig), expected, "{what}, again");
        unmerge(&rig, &merge_id(&merged)).unwrap();
        assert_eq!(picture(&rig), before, "{what}, again");
    }
    let sure = |fact: FactInput, confidence| FactInput { confidence: Some(confidence), ..fact };
    let role = |fact: FactInput, role: &str| FactInput { qualifiers: [("role".into(), role.into())].into(), ..fact };
    check(
        "claims of their own",
        &[fact("Robert", "likes", "tea"), fact("Bob", "lives_in", "Oslo"), fact("Ana", "manages", "Bob")],
        &["asserted: Ana manages Robert", "asserted: Robert likes tea", "asserted: Robert lives in Oslo"],
        0,
    );
    check(
        "the same claim",
        &[fact("Robert", "lives_in", "Oslo"), sure(fact("Bob", "lives_in", "Oslo"), 0.5)],
        &["asserted: Robert lives in Oslo"],
        0,
    );
    check(
        "claims that disagree",
        &[fact("Robert", "birthday", "1984"), fact("Bob", "birthday", "1985"), fact("Bob", "lives_in", "Oslo")],
        &[
            "asserted: Robert lives in Oslo",
            "disputed: Robert has the birthday 1984",
            "disputed: Robert has the birthday 1985",
        ],
        1,
    );
    check(
        "a conflict that goes away with the join",
        &[fact("Robert", "birthday", "1984"), fact("Bob", "birthday", "1984"), fact("Bob", "birthday", "1985")],
        &["disputed: Robert has the birthday 1984", "disputed: Robert has the birthday 1985"],
        1,
    );
    check(
        "opposites",
        &[fact("Robert", "likes", "tea"), denied(fact("Bob", "likes", "tea"))],
        &["disputed: It is not so that Robert likes tea", "disputed: Robert likes tea"],
        1,
    );
    check(
        "a relation of the two",
        &[fact("Robert", "knows", "Bob"), fact("Ana", "knows", "Bob"), fact("Cleo", "knows", "Robert")],
        &["asserted: Robert knows Ana", "asserted: Robert knows Cleo"],
        0,
    );
    check(
        "relations that read both ways",
        &[fact("Ana", "friend_of", "Bob"), fact("Robert", "friend_of", "Ana"), fact("Bob", "friend_of", "Zoe")],
        &["asserted: Ana is a friend of Robert", "asserted: Robert is a friend of Zoe"],
        0,
    );
    check(
        "one place in the graph",
        &[role(sure(fact("Robert", "works_at", "Orbis"), 0.7), "cook"), role(fact("Bob", "works_at", "Orbis"), "lead")],
        &["asserted: Robert works at Orbis (role: cook)", "asserted: Robert works at Orbis (role: lead)"],
        0,
    );
}

#[test]
fn a_merge_of_what_a_person_decided_keeps_the_decisions() {
    let rig = Rig::resting();
    add(&rig, fact("Robert", "likes", "tea"));
    let tea = add(&rig, fact("Bob", "likes", "tea")).claim.id;
    let rain = add(&rig, fact("Bob", "likes", "rain")).claim.id;
    for claim in [&tea, &rain] {
        rig.run(ClaimRetract { claim: claim.clone(), undo: false }).unwrap();
    }
    let before = picture(&rig);
    let merged = merge(&rig, "Robert", "Bob").unwrap();
    assert_eq!(believed(&rig), ["asserted: Robert likes tea"]);
    let refused = rig.run(ClaimRetract { claim: tea, undo: true }).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict, "its entity went into another one");
    unmerge(&rig, &merge_id(&merged)).unwrap();
    assert_eq!(picture(&rig), before);
}

#[test]
fn words_that_somebody_decided_against_make_no_other_claim_surer() {
    let rig = Rig::resting();
    let kept = add(&rig, FactInput { confidence: Some(0.5), ..fact("Robert", "likes", "tea") }).claim;
    let bobs = add(&rig, fact("Bob", "likes", "tea")).claim.id;
    rig.run(ClaimRetract { claim: bobs, undo: false }).unwrap();
    merge(&rig, "Robert", "Bob").unwrap();
    near(confidence(&rig, &kept.id), kept.confidence);
}

#[test]
fn what_was_decided_for_and_goes_with_a_merge_at_once_was_not_decided_against() {
    use um_model::belief::ResolutionType::{ClaimAWins, ClaimBWins};
    use um_model::recall::MemoryRecall;
    use um_model::work::WarningKind::DecidedAgainst;
    let check = |resolution, expected: bool| {
        let rig = Rig::resting();
        let note = rig.remember("Robert knows Bob.");
        add(&rig, of(&note, fact("Robert", "knows", "Bob")));
        add(&rig, denied(fact("Robert", "knows", "Bob")));
        rig.run(ConflictsResolve::of(open(&rig).remove(0).id, resolution)).unwrap();
        // In the same millisecond: nobody knows himself, so that both claims go.
        merge(&rig, "Robert", "Bob").unwrap();
        assert_eq!(believed(&rig), [""; 0]);
        let request = MemoryRecall { query: "Robert knows".to_owned(), ..MemoryRecall::default() };
        let hits = rig.run(request).unwrap().hits;
        let told = hits.iter().find(|hit| hit.ids.memory == note.id).unwrap();
        assert_eq!(told.warnings.iter().any(|one| one.kind == DecidedAgainst), expected, "{resolution:?}");
    };
    check(ClaimAWins, false);
    check(ClaimBWins, true);
}

#[test]
fn what_came_after_a_merge_stays_with_the_one_that_stayed() {
    let rig = Rig::resting();
    add(&rig, fact("Robert", "likes", "tea"));
    add(&rig, fact("Bob", "likes", "rain"));
    let merged = merge(&rig, "Robert", "Bob").unwrap();
    add(&rig, fact("Bob", "likes", "snow"));
    add(&rig, of(&rig.remember("So he says."), fact("Bob", "likes", "rain")));
    unmerge(&rig, &merge_id(&merged)).unwrap();
    let likes =
        |name: &str| entity(&rig, name).claims.into_iter().map(|c| c.object.text().to_owned()).collect::<Vec<_>>();
    assert_eq!(likes("Bob"), ["rain"]);
    assert_eq!(likes("Robert"), ["tea", "snow"]);
}

#[test]
fn a_merge_is_undone_where_what_it_moved_or_joined_was_forgotten_since() {
    #[track_caller]
    fn check(what: &str, forgotten: [FactInput; 2], expected: &[&str]) {
        let rig = Rig::resting();
        let note = rig.remember("One.");
        add(&rig, of(&note, forgotten[0].clone()));
        add(&rig, of(&rig.remember("Two."), forgotten[1].clone()));
        add(&rig, fact("Robert", "likes", "tea"));
        add(&rig, fact("Bob", "plays", "go"));
        let merged = merge(&rig, "Robert", "Bob").unwrap();
        forget(&rig, &note.id);
        unmerge(&rig, &merge_id(&merged)).unwrap();
        assert_eq!(believed(&rig), expected, "{what}");
    }
    let rest = ["asserted: Bob plays go", "asserted: Robert likes tea"];
    let (bob, robert) = (fact("Bob", "lives_in", "Oslo"), fact("Robert", "lives_in", "Oslo"));
    let ana = fact("Ana", "likes", "rain");
    check("moved", [bob.clone(), ana], &["asserted: Ana likes rain", rest[0], rest[1]]);
    check(
        "joined",
        [bob.clone(), robert.clone()],
        &[rest[0], "asserted: Robert likes tea", "asserted: Robert lives in Oslo"],
    );
    check("joined with", [robert, bob], &["asserted: Bob lives in Oslo", rest[0], rest[1]]);
}

#[test]
fn merges_are_undone_from_the_last_to_the_first() {
    let rig = Rig::resting();
    for name in ["Robert", "Bob", "Bobby"] {
        add(&rig, fact(name, "likes", "tea"));
    }
    let before = picture(&rig);
    let first = merge_id(&merge(&rig, "Robert", "Bob").unwrap());
    let second = merge_id(&merge(&rig, "Bobby", "Robert").unwrap());
    assert_eq!(entity(&rig, "Bob").entity.name, "Bobby");
    let refused = unmerge(&rig, &first).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert!(refused.hint.is_some());
    unmerge(&rig, &second).unwrap();
    unmerge(&rig, &first).unwrap();
    assert_eq!(picture(&rig), before);
}

#[test]
fn a_merge_that_makes_no_sense_is_refused() {
    let rig = Rig::resting();
    let other = rig.space("Other");
    add(&rig, fact("Robert", "likes", "tea"));
    add(&rig, fact("Bob", "likes", "tea"));
    rig.run(FactsAdd { space: other.id.to_string(), facts: vec![fact("Rob", "likes", "tea")] }).unwrap();
    let there = rig.run(EntityGet { entity: "Rob".into(), ..EntityGet::default() }).unwrap().entity.id;
    let (robert, bob) = (entity_id(&rig, "Robert"), entity_id(&rig, "Bob"));
    let check = |keep: &EntityId, merge: &EntityId, code: ErrorCode| {
        let refused = rig.run(EntityMerge { keep: keep.clone(), merge: merge.clone() }).unwrap_err();
        assert_eq!(refused.code, code, "{refused}");
    };
    check(&robert, &robert, ErrorCode::InvalidRequest);
    add(&rig, fact("Robert", "lives_in", "Oslo"));
    check(&robert, &entity_id(&rig, "Oslo"), ErrorCode::InvalidRequest);
    check(&robert, &there, ErrorCode::InvalidRequest);
    check(&robert, &EntityId::parse(um_model::OWNER_AGENT).unwrap(), ErrorCode::NotFound);
    merge(&rig, "Robert", "Bob").unwrap();
    check(&robert, &bob, ErrorCode::Conflict);
    let nobody = MergeId::parse(um_model::OWNER_AGENT).unwrap();
    assert_eq!(unmerge(&rig, &nobody).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn an_entity_gets_other_names() {
    let rig = Rig::resting();
    add(&rig, fact("Maya", "works_at", "Halden"));
    let edit = |change: EntityEdit| rig.run(change);
    let change = |id: EntityId| EntityEdit { entity: id.to_string(), ..EntityEdit::default() };
    let id = entity_id(&rig, "Maya");
    let renamed = edit(EntityEdit { name: Some("Maya  Okafor".into()), ..change(id.clone()) }).unwrap();
    assert_eq!((renamed.entity.name.as_str(), renamed.entity.aliases), ("Maya Okafor", vec!["Maya".to_owned()]));
    assert_eq!(believed(&rig), ["asserted: Maya Okafor works at Halden"]);
    let found =
        |query: &str| rig.run(FactsSearch { query: Some(query.into()), ..FactsSearch::default() }).unwrap().total;
    assert_eq!((found("okafor"), found("maya")), (1, 1), "it is found by the words of today");
    let known =
        edit(EntityEdit { alias: Some("MO".into()), entity_type: Some(EntityType::Thing), ..change(id.clone()) })
            .unwrap();
    assert_eq!(known.entity.aliases, ["Maya", "MO"]);
    assert!(!add(&rig, fact("mo", "works_at", "Halden")).created);
    let back = edit(EntityEdit { name: Some("Maya".into()), ..change(id.clone()) }).unwrap();
    assert_eq!(back.entity.aliases, ["MO", "Maya Okafor"], "its own name is no other name");
    assert_eq!(
        edit(EntityEdit { name: Some(" . ".into()), ..change(id.clone()) }).unwrap_err().code,
        ErrorCode::InvalidRequest
    );
    assert_eq!(
        edit(EntityEdit { alias: Some("x".repeat(121)), ..change(id) }).unwrap_err().code,
        ErrorCode::InvalidRequest
    );
}

#[test]
fn entities_are_listed_and_shown_with_all_that_is_said_of_them() {
    let rig = Rig::resting();
    for (subject, object) in [("Maya Okafor", "tea"), ("Maya Okafor", "rain"), ("Okafor Maya", "tea"), ("Ben", "tea")] {
        add(&rig, fact(subject, "likes", object));
    }
    add(&rig, fact("Ben", "reports_to", "Maya Okafor"));
    let list = |list: EntitiesList| rig.run(list).unwrap();
    let all = list(EntitiesList::default());
    assert_eq!((all.total, all.entities[0].claims), (3, 2), "{:?}", all.entities);
    let named = |query: &str| list(EntitiesList { query: Some(query.into()), ..EntitiesList::default() }).total;
    assert_eq!((named("oka"), named("ben"), named("kafor")), (2, 1, 0));
    let things = EntitiesList { types: vec![EntityType::Location], ..EntitiesList::default() };
    assert_eq!(list(things).total, 0);
    let detail = entity(&rig, "Maya Okafor");
    assert_eq!((detail.claims.len(), detail.named_in.len(), detail.near.len()), (2, 1, 1));
    assert_eq!(detail.similar.iter().map(|other| other.name.as_str()).collect::<Vec<_>>(), ["Okafor Maya"]);
    assert_eq!(detail.entity.memories, 3);
    rig.run(ClaimRetract { claim: detail.claims[0].id.clone(), undo: false }).unwrap();
    assert_eq!(entity(&rig, "Maya Okafor").claims.len(), 1);
    let past = EntityGet { entity: detail.entity.id.to_string(), history: true, ..EntityGet::default() };
    assert_eq!(rig.run(past).unwrap().claims.len(), 2);
    let resolved = rig.run(EntitiesResolve { space: SPACE.into(), text: "Ask ben.".into() }).unwrap().mentions;
    assert_eq!(resolved[0].candidates[0].match_type, MatchType::Exact);
    let missing = rig.run(EntityGet { entity: "Nobody".into(), ..EntityGet::default() }).unwrap_err();
    assert_eq!(missing.code, ErrorCode::NotFound);
}

#[test]
fn whoever_was_merged_twice_is_found_where_they_went() {
    let rig = Rig::resting();
    for name in ["Robert", "Bob", "Bobby"] {
        add(&rig, fact(name, "likes", &format!("{name}'s tea")));
    }
    let bob = entity_id(&rig, "Bob");
    merge(&rig, "Robert", "Bob").unwrap();
    merge(&rig, "Bobby", "Robert").unwrap();
    let found = rig.run(EntityGet { entity: bob.to_string(), ..EntityGet::default() }).unwrap();
    assert_eq!((found.entity.name.as_str(), found.claims.len()), ("Bobby", 3));
    assert_eq!(add(&rig, fact(bob.as_str(), "lives_in", "Oslo")).claim.subject.name, "Bobby");
}

const UNSETTLED: &str = "SELECT count(*) FROM system_settings WHERE key LIKE 'beliefs.unsettled.%'";

#[test]
fn others_write_while_a_large_merge_is_settled() {
    let rig = Rig::resting();
    add(&rig, fact("Robert", "likes", "thing 0"));
    for part in 0..4 {
        let facts = (0..100).map(|n| fact("Bob", "likes", &format!("thing {}", part * 100 + n))).collect();
        rig.run(FactsAdd { space: SPACE.into(), facts }).unwrap();
    }
    let request = EntityMerge { keep: entity_id(&rig, "Robert"), merge: entity_id(&rig, "Bob") };
    let done = std::sync::atomic::AtomicBool::new(false);
    let mut between = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let merged = rig.run(request);
            done.store(true, std::sync::atomic::Ordering::SeqCst);
            merged.unwrap();
        });
        for number in 0.. {
            if done.load(std::sync::atomic::Ordering::SeqCst) {
                break;
            }
            rig.remember(&format!("Another note, {number}."));
            between += usize::from(rig.count(UNSETTLED) > 0);
        }
    });
    assert!(between > 0, "somebody else wrote before all of it was settled");
    assert_eq!((rig.count(UNSETTLED), believed(&rig).len()), (0, 200));
    assert_eq!(rig.count("SELECT count(*) FROM claims WHERE state = 'asserted'"), 400);
}

#[test]
fn what_a_death_left_unsettled_is_settled_at_the_next_start() {
    let mut rig = Rig::new();
    let id = add(&rig, fact("Robert", "likes", "tea")).claim.id;
    rig.settled();
    rig.reopen(crate::support::MODEL);
    let before = picture(&rig);
    let turn = serde_json::json!({ "actor": um_model::AgentId::owner(), "claims": [id] }).to_string();
    let row = "INSERT INTO system_settings (key, value, updated_at) VALUES ('beliefs.unsettled.a', ?1, 0)";
    rig.db().execute(row, [turn]).unwrap();
    rig.db().execute("UPDATE claims SET confidence = 0.01, statement = 'Bob likes tea'", []).unwrap();
    rig.engine().start();
    rig.until("it is settled", || rig.count(UNSETTLED) == 0);
    assert_eq!(picture(&rig), before);
}

#[test]
fn who_states_a_fact_does_not_wait_for_what_others_left_to_be_settled() {
    let rig = Rig::resting();
    let id = add(&rig, fact("Robert", "likes", "tea")).claim.id;
    let turn = serde_json::json!({ "actor": um_model::AgentId::owner(), "claims": [id] }).to_string();
    let row = "INSERT INTO system_settings (key, value, updated_at) VALUES ('beliefs.unsettled.a', ?1, 0)";
    rig.db().execute(row, [turn]).unwrap();
    add(&rig, fact("Robert", "likes", "rain"));
    assert_eq!(rig.count(UNSETTLED), 1);
}

#[test]
fn whoever_stays_the_person_is_asked_about_what_they_took_back_of_the_other() {
    for turn in [false, true] {
        let rig = Rig::resting();
        let taken_back = add(&rig, fact("Robert", "lives_in", "Porto")).claim.id;
        rig.run(ClaimRetract { claim: taken_back, undo: false }).unwrap();
        add(&rig, fact("Robert", "lives_in", "Lisbon"));
        add(&rig, fact("Bob", "lives_in", "Porto"));
        let before = believed(&rig);
        let merged = if turn { merge(&rig, "Bob", "Robert") } else { merge(&rig, "Robert", "Bob") }.unwrap();
        let mut homes: Vec<String> = merged.claims.iter().map(|claim| claim.object.text().to_owned()).collect();
        homes.sort();
        assert_eq!((homes, open(&rig).len()), (vec!["Lisbon".to_owned(), "Porto".to_owned()], 1), "{turn}");
        unmerge(&rig, &merge_id(&merged)).unwrap();
        assert_eq!(believed(&rig), before, "{turn}");
    }
}
