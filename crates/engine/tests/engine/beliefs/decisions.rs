//! What a person decides: conflicts resolved in four ways, claims taken back; and that each can be undone.

use super::*;
use um_model::ErrorCode;
use um_model::belief::ResolutionType::{self, BothDisputed, ClaimAWins, ClaimBWins, ManualOverride};
use um_model::capture::MemoryRemember;

fn decision(conflict: &ConflictId, resolution: ResolutionType) -> ConflictsResolve {
    ConflictsResolve::of(conflict.clone(), resolution)
}

fn windows(a_until: &str, b_from: &str) -> Option<Windows> {
    Some(Windows { a_until: Some(a_until.into()), b_from: Some(b_from.into()), ..Windows::default() })
}

fn retract(rig: &Rig, claim: &ClaimId, undo: bool) -> Result<Claim, ApiError> {
    rig.run(ClaimRetract { claim: claim.clone(), undo })
}

fn reopen(rig: &Rig, conflict: &ConflictId) -> Result<Conflict, ApiError> {
    rig.run(ConflictsReopen { conflict: conflict.clone() })
}

/// Two homes of Ana that cannot both be, a third one that can be neither, and a friend who is left alone.
fn homes(rig: &Rig) -> (ConflictId, Vec<ClaimId>) {
    let ids = ["Oslo", "Porto", "Turin"].map(|city| add(rig, fact("Ana", "lives_in", city)).claim.id);
    add(rig, fact("Ben", "lives_in", "Oslo"));
    let first = open(rig).into_iter().find(|c| [&c.claim_a.id, &c.claim_b.id].iter().all(|id| **id != ids[2])).unwrap();
    (first.id, ids.to_vec())
}

#[test]
fn each_decision_does_what_it_says_and_is_undone_to_the_last_row() {
    #[track_caller]
    fn check(decide: impl Fn(&ConflictId) -> ConflictsResolve, expected: &[&str], edge: &[&str]) {
        let rig = Rig::resting();
        let (conflict, _) = homes(&rig);
        let before = picture(&rig);
        let decided = rig.run(decide(&conflict)).unwrap();
        let by = decided.resolution.as_ref().unwrap();
        assert_eq!((by.actor_name.as_str(), by.by_itself), ("owner", false));
        assert_eq!(believed(&rig), expected);
        assert_eq!(edges(&rig), edge);
        let again = rig.run(decide(&conflict)).unwrap_err();
        assert_eq!(again.code, ErrorCode::Conflict);
        let reopened = reopen(&rig, &conflict).unwrap();
        assert!(reopened.resolution.is_none() && reopened.reopened_at.is_some());
        let after = picture(&rig);
        let gone: Vec<&String> = before.iter().filter(|row| !after.contains(row)).collect();
        assert!(gone.is_empty(), "{gone:#?}\nof {after:#?}");
        // Rows are not deleted: a claim that was made in place of both is retracted, and its entity is there.
        for row in after.iter().filter(|row| !before.contains(row)) {
            let left = ["entity", "link", "alias"].iter().any(|kind| row.starts_with(&format!("[\"{kind}\"")));
            assert!(left || (row.starts_with("[\"claim\"") && row.contains("\"retracted\"")), "{row}");
        }
        assert_eq!(reopen(&rig, &conflict).unwrap_err().code, ErrorCode::InvalidRequest);
    }
    check(
        |id| decision(id, ClaimAWins),
        &["asserted: Ben lives in Oslo", "disputed: Ana lives in Oslo", "disputed: Ana lives in Turin"],
        &["Ben lives_in Oslo"],
    );
    check(
        |id| decision(id, ClaimBWins),
        &["asserted: Ben lives in Oslo", "disputed: Ana lives in Porto", "disputed: Ana lives in Turin"],
        &["Ben lives_in Oslo"],
    );
    check(
        |id| decision(id, BothDisputed),
        &[
            "asserted: Ben lives in Oslo",
            "disputed: Ana lives in Oslo",
            "disputed: Ana lives in Porto",
            "disputed: Ana lives in Turin",
        ],
        &["Ben lives_in Oslo"],
    );
    check(
        |id| ConflictsResolve { value: Some("Bergen".into()), ..decision(id, ManualOverride) },
        &["asserted: Ben lives in Oslo", "disputed: Ana lives in Bergen", "disputed: Ana lives in Turin"],
        &["Ben lives_in Oslo"],
    );
    check(
        |id| ConflictsResolve { windows: windows("2020", "2020"), ..decision(id, ManualOverride) },
        // Turin may have been before Oslo, or come after it.
        &[
            "asserted: Ana lives in Oslo",
            "asserted: Ben lives in Oslo",
            "disputed: Ana lives in Porto",
            "disputed: Ana lives in Turin",
        ],
        &["Ana lives_in Oslo", "Ben lives_in Oslo"],
    );
    check(
        |id| ConflictsResolve { value: Some("turin".into()), ..decision(id, ManualOverride) },
        &["asserted: Ana lives in Turin", "asserted: Ben lives in Oslo"],
        &["Ana lives_in Turin", "Ben lives_in Oslo"],
    );
}

#[test]
fn who_wins_alone_is_believed_again() {
    let rig = Rig::resting();
    let a = add(&rig, fact("Ana", "birthday", "1984-05-03")).claim.id;
    let b = add(&rig, fact("Ana", "birthday", "1984-05-05")).claim.id;
    let conflict = open(&rig).remove(0);
    assert_eq!(conflict.summary, "Two sources disagree: Ana has the birthday 1984-05-03 or 1984-05-05.");
    rig.run(ConflictsResolve { notes: Some("Her passport.".into()), ..decision(&conflict.id, ClaimAWins) }).unwrap();
    assert_eq!((state(&rig, &a), state(&rig, &b)), (ClaimState::Asserted, ClaimState::Retracted));
    let told = explain(&rig, &b);
    let history: Vec<(ClaimState, &str)> =
        told.history.iter().map(|change| (change.to, change.cause.as_str())).collect();
    assert_eq!(
        history,
        [(ClaimState::Asserted, "evidence"), (ClaimState::Disputed, "conflict"), (ClaimState::Retracted, "resolution")]
    );
    assert_eq!(told.conflicts[0].resolution.as_ref().unwrap().notes.as_deref(), Some("Her passport."));
    assert!(open(&rig).is_empty());
}

#[test]
fn what_was_decided_against_stands_behind_and_is_told_with_a_warning() {
    use um_model::recall::MemoryRecall;
    use um_model::work::WarningKind::DecidedAgainst;
    /// The towns that are recalled, each with whether it was decided against, as of now; as of a time before nothing was.
    #[track_caller]
    fn check(beside: &str, decide: impl Fn(&Rig, &Conflict), expected: [(&str, bool); 2]) {
        let rig = Rig::resting();
        for town in ["Oslo", "Porto"] {
            let quote = format!("Ana lives in {town}.");
            let note = rig.remember(&format!("{quote}{beside}"));
            add(&rig, FactInput { quote: Some(quote), ..of(&note, fact("Ana", "lives_in", town)) });
        }
        let then = Some(rig.now());
        rig.advance(1_000);
        let told = |as_of, known_at| {
            let request = MemoryRecall { query: "Ana lives".to_owned(), as_of, known_at, ..MemoryRecall::default() };
            let mut told = Vec::new();
            for hit in rig.run(request).unwrap().hits {
                let is_against = hit.warnings.iter().any(|one| one.kind == DecidedAgainst);
                let town = ["Oslo", "Porto"].into_iter().find(|town| hit.quote.contains(town));
                told.extend(town.map(|town| (town, is_against)));
            }
            told
        };
        let before = [("Oslo", false), ("Porto", false)];
        assert_eq!(told(None, None), before);
        decide(&rig, &open(&rig).remove(0));
        assert_eq!(told(None, None), expected);
        assert_eq!([told(then, None), told(None, then)], [before, before]);
    }
    let run = |rig: &Rig, request: ConflictsResolve| drop(rig.run(request).unwrap());
    let value = Some("Turin".to_owned());
    let porto = [("Porto", false), ("Oslo", true)];
    check("", |rig, conflict| run(rig, decision(&conflict.id, ClaimAWins)), [("Oslo", false), ("Porto", true)]);
    check("", |rig, conflict| run(rig, decision(&conflict.id, ClaimBWins)), porto);
    check("", |rig, conflict| drop(retract(rig, &conflict.claim_a.id, false).unwrap()), porto);
    let instead = |id: &ConflictId| ConflictsResolve { value: value.clone(), ..decision(id, ManualOverride) };
    check("", |rig, conflict| run(rig, instead(&conflict.id)), [("Oslo", true), ("Porto", true)]);
    let neither = [("Oslo", false), ("Porto", false)];
    check("", |rig, conflict| run(rig, decision(&conflict.id, BothDisputed)), neither);
    let at_times =
        |id: &ConflictId| ConflictsResolve { windows: windows("2020", "2020"), ..decision(id, ManualOverride) };
    check("", |rig, conflict| run(rig, at_times(&conflict.id)), neither);
    let undone = |rig: &Rig, conflict: &Conflict| {
        run(rig, decision(&conflict.id, ClaimBWins));
        reopen(rig, &conflict.id).unwrap();
    };
    check("", undone, neither);
    // What says more than that keeps its place.
    let more = " The harbour is cold in winter, and the boats stay ashore.";
    check(more, |rig, conflict| run(rig, decision(&conflict.id, ClaimBWins)), [("Oslo", true), ("Porto", false)]);
}

#[test]
fn a_reranker_puts_what_was_decided_against_not_before_what_was_decided_for() {
    use um_engine::provider::ProviderResult;
    use um_model::recall::MemoryRecall;
    use um_model::traces::TraceReplay;
    let rig = Rig::resting();
    for town in ["Oslo", "Porto"] {
        let note = rig.remember(&format!("Ana lives in {town}."));
        add(&rig, of(&note, fact("Ana", "lives_in", town)));
    }
    let likes_porto: fn(&str, &str) -> ProviderResult<f64> =
        |_, passage| Ok(if passage.contains("Porto") { 1.0 } else { 0.0 });
    *rig.script.reranker.lock().unwrap() = Some(likes_porto);
    let told = || {
        let request = MemoryRecall { query: "Ana lives".to_owned(), ..MemoryRecall::default() };
        let recalled = rig.run(request).unwrap();
        assert!(rig.run(TraceReplay { id: recalled.trace.unwrap() }).unwrap().exact);
        recalled.hits.into_iter().map(|hit| hit.quote).collect::<Vec<_>>()
    };
    assert_eq!(told(), ["Ana lives in Porto.", "Ana lives in Oslo."]);
    rig.run(decision(&open(&rig).remove(0).id, ClaimAWins)).unwrap();
    assert_eq!(told(), ["Ana lives in Oslo.", "Ana lives in Porto."]);
}

#[test]
fn a_right_value_takes_the_place_of_both() {
    let rig = Rig::resting();
    for (one, other, value, expected) in [
        (
            fact("Ana", "birthday", "1984-05-03"),
            fact("Ana", "birthday", "1984-05-05"),
            "4 May 1984",
            "Ana has the birthday 4 May 1984",
        ),
        (fact("Ana", "manages", "Heron"), fact("Ben", "manages", "Heron"), "Cleo", "Cleo manages Heron"),
        (fact("Dan", "married_to", "Eve"), fact("Finn", "married_to", "Eve"), "Gus", "Eve is married to Gus"),
    ] {
        let [a, b] = [one, other].map(|fact| add(&rig, fact).claim.id);
        let conflict = open(&rig).remove(0);
        rig.run(ConflictsResolve { value: Some(value.into()), ..decision(&conflict.id, ManualOverride) }).unwrap();
        assert_eq!((state(&rig, &a), state(&rig, &b)), (ClaimState::Superseded, ClaimState::Superseded));
        assert!(believed(&rig).contains(&format!("asserted: {expected}")), "{:?}", believed(&rig));
        let words = rows(&rig, "SELECT content FROM memories ORDER BY rid DESC LIMIT 1");
        assert_eq!(words, [format!("{expected}.")], "the decision is its source, in words");
    }
}

#[test]
fn a_right_value_is_so_when_the_person_says() {
    let rig = Rig::resting();
    add(&rig, between(fact("Ana", "lives_in", "Oslo"), "2015", "2021"));
    add(&rig, between(fact("Ana", "lives_in", "Porto"), "2018", "2024"));
    add(&rig, between(fact("Ana", "lives_in", "Turin"), "2019", "2020"));
    for conflict in
        open(&rig).iter().filter(|c| [&c.claim_a, &c.claim_b].iter().any(|side| side.object.text() == "Turin"))
    {
        rig.run(decision(&conflict.id, BothDisputed)).unwrap();
    }
    let conflict = open(&rig).remove(0).id;
    let date = |text: &str| um_rules::date_begins(text);
    let home = |rig: &Rig, city: &str| {
        let claim = entity(rig, city).named_in.remove(0);
        (claim.valid_from, claim.valid_to)
    };
    let told = (date("2019"), date("2020"));
    for (city, from, until, expected) in [
        ("Bergen", None, None, (None, None)),
        ("Rome", Some("2017"), None, (date("2017"), None)),
        ("Bonn", Some("2017"), Some("2018"), (date("2017"), date("2018"))),
        ("Turin", None, None, told),
        ("Turin", Some("2017"), None, (date("2017"), told.1)),
    ] {
        let [valid_from, valid_until] = [from, until].map(|end| end.map(str::to_owned));
        rig.advance(1);
        let value = Some(city.into());
        rig.run(ConflictsResolve { value, valid_from, valid_until, ..decision(&conflict, ManualOverride) }).unwrap();
        assert_eq!(home(&rig, city), expected, "{city}");
        rig.advance(1);
        reopen(&rig, &conflict).unwrap();
        assert_eq!(home(&rig, "Turin"), told, "after {city}");
    }
    let oslo = ConflictsResolve {
        value: Some("Oslo".into()),
        valid_from: Some("2014".into()),
        ..decision(&conflict, ManualOverride)
    };
    rig.run(oslo).unwrap();
    assert_eq!(home(&rig, "Oslo"), (date("2014"), date("2021")), "one side, at a time that the person says");
}

#[test]
fn both_may_be_right_at_different_times() {
    let rig = Rig::resting();
    let ids = ["Oslo", "Porto"].map(|city| add(&rig, fact("Ana", "lives_in", city)).claim.id);
    let conflict = open(&rig).remove(0);
    rig.run(ConflictsResolve { windows: windows("2020", "2020"), ..decision(&conflict.id, ManualOverride) }).unwrap();
    assert_eq!(believed(&rig), ["asserted: Ana lives in Oslo", "asserted: Ana lives in Porto"]);
    assert_eq!(edges(&rig), ["Ana lives_in Oslo", "Ana lives_in Porto"]);
    // One more that overlaps with neither window's other side.
    add(&rig, between(fact("Ana", "lives_in", "Turin"), "2023", ""));
    let third = open(&rig).remove(0);
    assert!([&third.claim_a.id, &third.claim_b.id].contains(&&ids[1]));
    assert_eq!(state(&rig, &ids[0]), ClaimState::Asserted);
}

#[test]
fn undoing_a_decision_leaves_the_times_that_it_did_not_set() {
    let rig = Rig::resting();
    let note = rig.remember("She has been in Oslo for years.");
    let oslo = add(&rig, of(&note, fact("Ana", "lives_in", "Oslo"))).claim.id;
    add(&rig, fact("Ana", "lives_in", "Porto"));
    let conflict = open(&rig).remove(0).id;
    rig.run(decision(&conflict, BothDisputed)).unwrap();
    add(&rig, of(&note, between(fact("Ana", "lives_in", "Oslo"), "2019", "")));
    let home = || entity(&rig, "Oslo").named_in.remove(0);
    let told = home().valid_from;
    assert!(told.is_some());
    let conflict = reopen(&rig, &conflict).unwrap().id;
    assert_eq!((home().valid_from, home().id != oslo), (told, true), "who was told of since when stays so");

    rig.run(ConflictsResolve { windows: windows("2020", "2020"), ..decision(&conflict, ManualOverride) }).unwrap();
    reopen(&rig, &conflict).unwrap();
    let of_oslo = explain(&rig, &home().id);
    assert_eq!((of_oslo.claim.valid_from, of_oslo.claim.valid_to), (told, None));
    let causes: Vec<&str> = of_oslo.windows.iter().map(|change| change.cause.as_str()).collect();
    assert_eq!(causes, ["decision", "undo"]);
}

#[test]
fn a_decision_that_cannot_be_meant_is_refused() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    let before = picture(&rig);
    let check = |request: ConflictsResolve, code: ErrorCode| {
        let refused = rig.run(request.clone()).unwrap_err();
        assert_eq!(refused.code, code, "{request:?}: {refused}");
    };
    let invalid = ErrorCode::InvalidRequest;
    check(decision(&conflict, ManualOverride), invalid);
    check(ConflictsResolve { value: Some("x".into()), ..decision(&conflict, ClaimAWins) }, invalid);
    check(ConflictsResolve { valid_from: Some("2020".into()), ..decision(&conflict, ClaimAWins) }, invalid);
    let soon = ConflictsResolve { valid_from: Some("soon".into()), ..decision(&conflict, ManualOverride) };
    check(ConflictsResolve { value: Some("x".into()), ..soon }, invalid);
    check(ConflictsResolve { windows: windows("2020", "2020"), ..decision(&conflict, BothDisputed) }, invalid);
    let both = ConflictsResolve {
        value: Some("x".into()),
        windows: windows("2020", "2020"),
        ..decision(&conflict, ManualOverride)
    };
    check(both, invalid);
    check(ConflictsResolve { windows: windows("2020", "2019"), ..decision(&conflict, ManualOverride) }, invalid);
    check(ConflictsResolve { windows: windows("2020", "soon"), ..decision(&conflict, ManualOverride) }, invalid);
    check(ConflictsResolve { value: Some(" ".into()), ..decision(&conflict, ManualOverride) }, invalid);
    check(ConflictsResolve { notes: Some("x".repeat(2_001)), ..decision(&conflict, ClaimAWins) }, invalid);
    let nobody = ConflictId::parse(um_model::OWNER_AGENT).unwrap();
    check(decision(&nobody, ClaimAWins), ErrorCode::NotFound);
    assert_eq!(reopen(&rig, &nobody).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(picture(&rig), before);
}

#[test]
fn a_decision_stands_until_a_new_source_is_heard() {
    for resolution in [ClaimAWins, BothDisputed] {
        let rig = Rig::resting();
        let a = add(&rig, fact("Ana", "birthday", "1984-05-03")).claim.id;
        let note = rig.remember("Her cake said the fifth. Her cake said so twice.");
        let quoted = |quote: &str| FactInput {
            memory_id: Some(note.id.clone()),
            quote: Some(quote.into()),
            ..fact("Ana", "birthday", "1984-05-05")
        };
        let b = add(&rig, quoted("Her cake said the fifth.")).claim.id;
        let conflict = open(&rig).remove(0).id;
        rig.run(decision(&conflict, resolution)).unwrap();
        add(&rig, quoted("Her cake said the fifth."));
        add(&rig, quoted("Her cake said so twice."));
        assert!(open(&rig).is_empty(), "{resolution}: the same source is no news");
        add(&rig, of(&rig.remember("Her mother says the fifth."), fact("Ana", "birthday", "1984-05-05")));
        let open = open(&rig);
        assert_eq!(open.iter().map(|c| c.id.clone()).collect::<Vec<_>>(), [conflict], "{resolution}");
        assert!(open[0].reopened_at.is_some());
        assert_eq!((state(&rig, &a), state(&rig, &b)), (ClaimState::Disputed, ClaimState::Disputed));
    }
}

#[test]
fn what_a_right_value_took_the_place_of_is_asked_about_when_a_new_source_says_it() {
    let rig = Rig::resting();
    let note = rig.remember("She moved to Oslo. Oslo it is.");
    let oslo = |quote: &str| FactInput {
        memory_id: Some(note.id.clone()),
        quote: Some(quote.into()),
        ..fact("Ana", "lives_in", "Oslo")
    };
    let id = add(&rig, oslo("She moved to Oslo.")).claim.id;
    add(&rig, fact("Ana", "lives_in", "Porto"));
    let first = open(&rig).remove(0).id;
    rig.run(ConflictsResolve { value: Some("Bergen".into()), ..decision(&first, ManualOverride) }).unwrap();
    let known = add(&rig, oslo("Oslo it is."));
    assert_eq!((known.claim.state, known.warnings.len()), (ClaimState::Superseded, 1), "the same source is no news");
    let again = add(&rig, of(&rig.remember("Her letter came from Oslo."), fact("Ana", "lives_in", "Oslo")));
    assert_eq!((again.claim.id, again.conflicts.len(), again.warnings.len()), (id.clone(), 1, 0));
    assert_eq!(believed(&rig), ["disputed: Ana lives in Bergen", "disputed: Ana lives in Oslo"]);
    assert_eq!(
        rows(&rig, "SELECT id FROM claims WHERE superseded_by_id IS NOT NULL AND state <> 'superseded'"),
        [""; 0]
    );
    let second = open(&rig).remove(0);
    let wins = if second.claim_a.id == id { ClaimAWins } else { ClaimBWins };
    rig.run(decision(&second.id, wins)).unwrap();
    assert_eq!(believed(&rig), ["asserted: Ana lives in Oslo"]);
}

#[test]
fn what_was_left_disputed_is_free_once_the_other_side_is_gone() {
    let rig = Rig::resting();
    let ids = ["Oslo", "Porto"].map(|city| add(&rig, fact("Ana", "lives_in", city)).claim.id);
    let conflict = open(&rig).remove(0).id;
    rig.run(decision(&conflict, BothDisputed)).unwrap();
    retract(&rig, &ids[0], false).unwrap();
    assert_eq!(state(&rig, &ids[1]), ClaimState::Asserted);
    retract(&rig, &ids[0], true).unwrap();
    assert_eq!((state(&rig, &ids[0]), state(&rig, &ids[1])), (ClaimState::Disputed, ClaimState::Disputed));
    assert!(open(&rig).is_empty(), "the decision stands");
}

#[test]
fn a_claim_that_is_taken_back_is_out_until_that_is_undone() {
    let rig = Rig::resting();
    let ids = ["Oslo", "Porto"].map(|city| add(&rig, fact("Ana", "lives_in", city)).claim.id);
    let before = picture(&rig);
    assert_eq!(retract(&rig, &ids[0], true).unwrap_err().code, ErrorCode::InvalidRequest);
    assert_eq!(retract(&rig, &ids[0], false).unwrap().state, ClaimState::Retracted);
    assert_eq!(believed(&rig), ["asserted: Ana lives in Porto"], "what it disputed is free");
    assert_eq!(edges(&rig), ["Ana lives_in Porto"]);
    assert_eq!(retract(&rig, &ids[0], false).unwrap_err().code, ErrorCode::InvalidRequest);
    assert!(open(&rig).is_empty());
    assert_eq!(retract(&rig, &ids[0], true).unwrap().state, ClaimState::Disputed);
    assert_eq!(picture(&rig), before);
    let nobody = ClaimId::parse(um_model::OWNER_AGENT).unwrap();
    assert_eq!(retract(&rig, &nobody, false).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn the_loser_of_a_decision_that_is_restored_opens_it_again() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    rig.run(decision(&conflict, ClaimAWins)).unwrap();
    let loser = super::conflict(&rig, &conflict).claim_b.id;
    assert_eq!(retract(&rig, &loser, true).unwrap().state, ClaimState::Disputed);
    assert!(super::conflict(&rig, &conflict).resolution.is_none());
}

#[test]
fn a_decision_is_not_undone_over_what_came_after_it() {
    let rig = Rig::resting();
    let ids = ["Oslo", "Porto"].map(|city| add(&rig, fact("Ana", "lives_in", city)).claim.id);
    let conflict = open(&rig).remove(0).id;
    rig.run(decision(&conflict, ClaimAWins)).unwrap();
    let winner = super::conflict(&rig, &conflict).claim_a.id;
    retract(&rig, &winner, false).unwrap();
    let refused = reopen(&rig, &conflict).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert_eq!(state(&rig, &winner), ClaimState::Retracted, "who was taken back since stays so");
    retract(&rig, &winner, true).unwrap();
    reopen(&rig, &conflict).unwrap();
    assert!(ids.iter().all(|id| state(&rig, id) == ClaimState::Disputed));
}

#[test]
fn conflicts_are_listed_open_or_decided() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    let list = |resolved| rig.run(ConflictsList { resolved, limit: Some(2), ..ConflictsList::default() }).unwrap();
    let open = list(false);
    assert_eq!((open.total, open.conflicts.len()), (3, 2));
    rig.run(decision(&conflict, ClaimBWins)).unwrap();
    let decided = list(true);
    assert_eq!(decided.total, 2, "the loser's other conflict ended with it");
    assert_eq!(list(false).total, 1);
    let nowhere = rig.run(ConflictsList { space: Some("Nowhere".into()), ..ConflictsList::default() }).unwrap_err();
    assert_eq!(nowhere.code, ErrorCode::NotFound);
}

#[test]
fn a_conflict_is_told_by_its_id_whether_it_is_open_or_decided() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    let told = |space: Option<&str>, id: &ConflictId| {
        let one = ConflictsList {
            space: space.map(str::to_owned),
            conflict: Some(id.clone()),
            limit: Some(1),
            ..ConflictsList::default()
        };
        let listed = rig.run(one).unwrap();
        assert_eq!(listed.total, listed.conflicts.len() as u64);
        listed.conflicts.into_iter().map(|one| (one.id, one.resolution.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(told(None, &conflict), [(conflict.clone(), false)]);
    rig.run(decision(&conflict, ClaimBWins)).unwrap();
    assert_eq!(told(None, &conflict), [(conflict.clone(), true)]);
    reopen(&rig, &conflict).unwrap();
    assert_eq!(told(Some(SPACE), &conflict), [(conflict.clone(), false)]);
    rig.space("Elsewhere");
    assert!(told(Some("Elsewhere"), &conflict).is_empty());
    assert!(told(None, &ConflictId::parse(um_model::OWNER_AGENT).unwrap()).is_empty());
}

#[test]
fn an_agent_passes_a_decision_on_only_with_the_persons_words() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    let agent = agent(&rig, "notes-bot");
    let actor = agent.actor.clone();
    assert_eq!(rig.agent_in(" notes-bot ", &[SPACE], &[]).actor, actor, "one agent for one name");
    let ask = |notes: Option<&str>| {
        let request = ConflictsResolve { notes: notes.map(str::to_owned), ..decision(&conflict, ClaimAWins) };
        rig.engine().run(&agent, request)
    };
    for silent in [None, Some(" ")] {
        let refused = ask(silent).unwrap_err();
        assert!(refused.code == ErrorCode::Forbidden && refused.hint.is_some(), "{refused}");
    }
    let decided = ask(Some("She lives in Oslo, she says.")).unwrap();
    let by = decided.resolution.unwrap();
    assert_eq!((by.actor_id, by.actor_name.as_str(), by.by_itself), (actor, "notes-bot", false));
    let kept = rig
        .engine()
        .run(&agent, MemoryRemember { text: "Ana moved.".into(), space: SPACE.into(), ..Default::default() });
    assert!(kept.is_ok());
    assert_eq!(rig.recall("Ana moved").hits[0].actor_name, "notes-bot");
}

#[test]
fn what_was_denied_and_is_found_right_is_as_sure_as_before() {
    let rig = Rig::resting();
    let so = add(&rig, of(&rig.remember("Ana works at Orbis."), fact("Ana", "works_at", "Orbis"))).claim;
    let before = confidence(&rig, &so.id);
    add(&rig, of(&rig.remember("Ana does not work at Orbis."), denied(fact("Ana", "works_at", "Orbis"))));
    near(confidence(&rig, &so.id), before - 0.5 * before);
    let conflict = open(&rig).remove(0);
    let right = if conflict.claim_a.id == so.id { ResolutionType::ClaimAWins } else { ResolutionType::ClaimBWins };
    let decided = ConflictsResolve::of(conflict.id, right);
    rig.run(decided).unwrap();
    near(confidence(&rig, &so.id), before);
    assert_eq!(edges(&rig), ["Ana works_at Orbis"]);
}

#[test]
fn what_is_stated_again_after_a_decision_outlives_it() {
    let rig = Rig::resting();
    for day in ["1990-05-03", "1990-05-05"] {
        add(&rig, fact("Lena", "birthday", day));
    }
    let conflict = open(&rig).remove(0).id;
    rig.run(ConflictsResolve { value: Some("1991-01-01".into()), ..decision(&conflict, ManualOverride) }).unwrap();
    let said = add(&rig, fact("Lena", "birthday", "1991-01-01")).claim.id;
    reopen(&rig, &conflict).unwrap();
    assert_eq!((state(&rig, &said), open(&rig).len()), (ClaimState::Disputed, 3));
}

#[test]
fn what_an_agent_tells_of_a_statement_does_not_state_it_again() {
    use um_model::work::{EventKind, EventsAppend, NewEvent};
    let rig = Rig::resting();
    for day in ["1990-05-03", "1990-05-05"] {
        add(&rig, fact("Lena", "birthday", day));
    }
    let conflict = open(&rig).remove(0).id;
    rig.run(ConflictsResolve { value: Some("1991-01-01".into()), ..decision(&conflict, ManualOverride) }).unwrap();
    let content =
        rig.text("SELECT content FROM evidence_events WHERE kind = 'explicit_memory' ORDER BY rid DESC LIMIT 1");
    rig.advance(1_000);
    let event = NewEvent { kind: EventKind::ExplicitMemory, content, metadata: Default::default(), occurred_at: None };
    rig.run(EventsAppend { events: vec![event], ..EventsAppend::default() }).unwrap();
    reopen(&rig, &conflict).unwrap();
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE status = 'retracted'"), 1);
}

#[test]
fn the_times_of_a_decision_are_undone_where_nobody_told_otherwise_since() {
    let rig = Rig::resting();
    let note = rig.remember("Of her homes.");
    let [oslo, porto] = ["Oslo", "Porto"].map(|city| of(&note, fact("Ana", "lives_in", city)));
    let ids = [&oslo, &porto].map(|home| add(&rig, home.clone()).claim.id);
    let conflict = open(&rig).remove(0).id;
    rig.run(ConflictsResolve { windows: windows("2020", "2020"), ..decision(&conflict, ManualOverride) }).unwrap();
    let date = |text: &str| um_rules::date_begins(text);
    let times =
        || ["Oslo", "Porto"].map(|city| entity(&rig, city).named_in.remove(0)).map(|c| (c.valid_from, c.valid_to));
    add(&rig, between(oslo, "2015", ""));
    add(&rig, between(porto, "", "2024"));
    assert_eq!(times(), [(date("2015"), date("2020")), (date("2020"), date("2024"))]);
    reopen(&rig, &conflict).unwrap();
    assert_eq!(times(), [(date("2015"), None), (None, date("2024"))]);
    assert_eq!(ids.map(|id| claim(&rig, &id)).map(|home| (home.valid_from, home.valid_to)), [(None, None); 2]);
}

#[test]
fn a_value_that_was_taken_back_before_is_believed_when_the_person_decides_for_it() {
    #[track_caller]
    fn check(before: impl Fn(&Rig) -> ClaimId) {
        let rig = Rig::resting();
        let turin = before(&rig);
        let was = state(&rig, &turin);
        for city in ["Oslo", "Porto"] {
            add(&rig, of(&rig.remember(&format!("{city} it is.")), fact("Ana", "lives_in", city)));
        }
        let conflict = open(&rig).remove(0).id;
        let before = picture(&rig);
        let decide = || {
            rig.advance(1);
            let value = Some("Turin".to_owned());
            rig.run(ConflictsResolve { value, ..decision(&conflict, ManualOverride) }).unwrap();
            assert_eq!(
                (believed(&rig), state(&rig, &turin)),
                (vec!["asserted: Ana lives in Turin".into()], ClaimState::Asserted)
            );
        };
        decide();
        rig.advance(1);
        reopen(&rig, &conflict).unwrap();
        assert_eq!((state(&rig, &turin), open(&rig).len()), (was, 1));
        let evidence = |row: &&String| !row.starts_with("[\"evidence\"");
        let now = picture(&rig);
        assert_eq!(now.iter().filter(evidence).collect::<Vec<_>>(), before.iter().filter(evidence).collect::<Vec<_>>());
        decide();
    }
    check(|rig| {
        let turin = add(rig, fact("Ana", "lives_in", "Turin")).claim.id;
        retract(rig, &turin, false).unwrap();
        turin
    });
    check(|rig| {
        let turin = add(rig, fact("Ana", "lives_in", "Turin")).claim.id;
        add(rig, fact("Ana", "lives_in", "Rome"));
        let conflict = open(rig).remove(0).id;
        rig.run(ConflictsResolve { value: Some("Bern".into()), ..decision(&conflict, ManualOverride) }).unwrap();
        let bern = entity(rig, "Bern").named_in.remove(0).id;
        retract(rig, &bern, false).unwrap();
        turin
    });
}

#[test]
fn a_decision_is_reopened_when_its_winner_is_told_more_exactly_since() {
    let rig = Rig::resting();
    let oslo = add(&rig, of(&rig.remember("One."), fact("Ana", "lives_in", "Oslo"))).claim.id;
    let porto = add(&rig, of(&rig.remember("Two."), fact("Ana", "lives_in", "Porto"))).claim.id;
    let conflict = open(&rig).remove(0);
    let wins = if conflict.claim_a.id == oslo { ClaimAWins } else { ClaimBWins };
    rig.run(decision(&conflict.id, wins)).unwrap();
    let since = [("since".to_owned(), "2019".to_owned())].into();
    add(&rig, of(&rig.remember("Three."), FactInput { qualifiers: since, ..fact("Ana", "lives_in", "Oslo") }));
    assert_eq!(state(&rig, &oslo), ClaimState::Superseded);
    let reopened = reopen(&rig, &conflict.id).unwrap();
    assert!(reopened.resolution.is_none());
    assert_eq!(open(&rig).iter().map(|open| open.id.clone()).collect::<Vec<_>>(), [reopened.id]);
    assert_eq!(state(&rig, &porto), ClaimState::Disputed);
    assert_eq!(believed(&rig), ["disputed: Ana lives in Oslo (since: 2019)", "disputed: Ana lives in Porto"]);
}

#[test]
fn the_times_of_a_decision_leave_the_ends_that_were_told() {
    let rig = Rig::resting();
    let ids = [("Oslo", "2015", ""), ("Porto", "2018", "2024")]
        .map(|(city, from, until)| add(&rig, between(fact("Ana", "lives_in", city), from, until)).claim.id);
    let conflict = open(&rig).remove(0).id;
    rig.run(ConflictsResolve { windows: windows("2020", "2020"), ..decision(&conflict, ManualOverride) }).unwrap();
    let date = |text: &str| um_rules::date_begins(text);
    let times = || ids.clone().map(|id| claim(&rig, &id)).map(|home| (home.valid_from, home.valid_to));
    assert_eq!(times(), [(date("2015"), date("2020")), (date("2020"), date("2024"))]);
    reopen(&rig, &conflict).unwrap();
    assert_eq!(times(), [(date("2015"), None), (date("2018"), date("2024"))]);
    let late = ConflictsResolve { windows: windows("2025", "2025"), ..decision(&conflict, ManualOverride) };
    let refused = rig.run(late).unwrap_err();
    assert!(refused.code == ErrorCode::InvalidRequest && refused.hint.is_some(), "{refused}");
}

#[test]
fn a_value_that_was_decided_for_twice_is_taken_back_twice() {
    let rig = Rig::resting();
    let (conflict, _) = homes(&rig);
    let said = || rig.count("SELECT count(*) FROM memories WHERE status = 'active' AND content LIKE '%Bern%'");
    for _ in 0..2 {
        rig.advance(1);
        rig.run(ConflictsResolve { value: Some("Bern".into()), ..decision(&conflict, ManualOverride) }).unwrap();
        assert_eq!(said(), 1);
        rig.advance(1);
        reopen(&rig, &conflict).unwrap();
        assert_eq!(said(), 0, "the decision's words go with it");
    }
}

#[test]
fn a_decision_is_undone_where_one_side_was_forgotten_since() {
    for (forgotten, left) in [(0, "asserted: Ana lives in Porto"), (1, "asserted: Ana lives in Oslo")] {
        let rig = Rig::resting();
        let homes = ["Oslo", "Porto"].map(|city| {
            let memory = rig.remember(&format!("{city} it is."));
            add(&rig, of(&memory, fact("Ana", "lives_in", city)));
            memory.id
        });
        let open = open(&rig).remove(0);
        let oslo = if open.claim_a.object.text() == "Oslo" { ClaimAWins } else { ClaimBWins };
        rig.run(decision(&open.id, oslo)).unwrap();
        forget(&rig, &homes[forgotten]);
        let after = reopen(&rig, &open.id).unwrap();
        assert_eq!(believed(&rig), [left]);
        assert!(after.summary.starts_with("One side of it was forgotten."), "{}", after.summary);
        let ended = after.resolution.unwrap();
        assert_eq!((ended.by_itself, ended.notes.as_deref()), (true, Some("The other side was forgotten.")));
    }
}
