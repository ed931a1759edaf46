//! What came in while two entities were one, once they are two again.

use super::*;
use um_model::MergeId;
use um_model::belief::ResolutionType::{self, BothDisputed, ManualOverride};

/// Has a text kept and read.
fn read(rig: &Rig, text: &str) {
    rig.advance(1);
    rig.remember(text);
    rig.settled();
}

fn merged(rig: &Rig, keep: &str, merge: &str) -> MergeId {
    rig.advance(1);
    let merged = rig.run(EntityMerge { keep: entity_id(rig, keep), merge: entity_id(rig, merge) }).unwrap();
    rig.settled();
    merged.merges.into_iter().find(|merge| !merge.undone).unwrap().id
}

fn part(rig: &Rig, merge: MergeId) {
    rig.advance(1);
    rig.run(EntityUnmerge { merge }).unwrap();
    rig.settled();
}

fn decide(rig: &Rig, conflict: &ConflictId, resolution: ResolutionType, value: Option<&str>) {
    rig.advance(1);
    let value = value.map(str::to_owned);
    rig.run(ConflictsResolve { value, ..ConflictsResolve::of(conflict.clone(), resolution) }).unwrap();
}

#[test]
fn each_text_that_came_in_meanwhile_names_its_own_person_again() {
    #[track_caller]
    fn check(meanwhile: &[&str], together: &[&str], apart: &[&str], conflicts: usize) {
        let rig = Rig::new();
        read(&rig, "Maya Okafor lives in Oslo.");
        read(&rig, "M. Okafor lives in Tromsø.");
        let merge = merged(&rig, "Maya Okafor", "M. Okafor");
        for text in meanwhile {
            read(&rig, text);
        }
        assert_eq!(believed(&rig), together, "{meanwhile:?}, while they are one");
        part(&rig, merge);
        assert_eq!(believed(&rig), apart, "{meanwhile:?}");
        assert_eq!(open(&rig).len(), conflicts, "{meanwhile:?}");
        for fact in rig.run(FactsSearch::default()).unwrap().facts {
            let name = &fact.subject.name;
            assert!(
                fact.citations.iter().all(|cited| cited.quote.contains(name.as_str())),
                "{name}: {:?}",
                fact.citations
            );
        }
    }
    let homes = ["disputed: Maya Okafor lives in Oslo", "disputed: Maya Okafor lives in Tromsø"];
    check(
        &["So it is: Maya Okafor lives in Tromsø."],
        &homes,
        &["asserted: M. Okafor lives in Tromsø", homes[0], homes[1]],
        1,
    );
    check(
        &["M. Okafor works at Orbis."],
        &["asserted: Maya Okafor works at Orbis", homes[0], homes[1]],
        &[
            "asserted: M. Okafor lives in Tromsø",
            "asserted: M. Okafor works at Orbis",
            "asserted: Maya Okafor lives in Oslo",
        ],
        0,
    );
    check(
        &["Maya Okafor works at Halden Labs.", "M. Okafor works at Halden Labs."],
        &["asserted: Maya Okafor works at Halden Labs", homes[0], homes[1]],
        &[
            "asserted: M. Okafor lives in Tromsø",
            "asserted: M. Okafor works at Halden Labs",
            "asserted: Maya Okafor lives in Oslo",
            "asserted: Maya Okafor works at Halden Labs",
        ],
        0,
    );
}

#[test]
fn what_names_only_the_one_who_stayed_is_believed_while_texts_are_read_again() {
    let rig = Rig::new();
    read(&rig, "Maya Okafor lives in Oslo.");
    read(&rig, "M. Okafor works at Orbis.");
    let merge = merged(&rig, "Maya Okafor", "M. Okafor");
    read(&rig, "Maya Okafor likes tea. Maya Okafor plays the cello.");
    read(&rig, "M. Okafor owns a boat.");
    rig.pause();
    let changes = || rig.count("SELECT count(*) FROM claim_state_history");
    let before = (believed(&rig), changes());
    rig.advance(1);
    rig.run(EntityUnmerge { merge }).unwrap();
    let hers = |all: &[String]| all.iter().filter(|fact| fact.contains("Maya")).count();
    // Hers stay, but for what the other one's text says.
    assert_eq!((hers(&before.0), hers(&believed(&rig))), (5, 3), "{:?}", believed(&rig));
    assert_eq!(changes(), before.1 + 1, "one is taken back");
    rig.wake();
    rig.settled();
    let wanted = [
        "asserted: M. Okafor owns boat",
        "asserted: M. Okafor works at Orbis",
        "asserted: Maya Okafor likes tea",
        "asserted: Maya Okafor lives in Oslo",
        "asserted: Maya Okafor plays cello",
    ];
    assert_eq!(believed(&rig), wanted);
}

#[test]
fn what_a_model_found_of_the_other_one_goes_over_to_that_one() {
    let rig = Rig::new();
    read(&rig, "Maya Okafor lives in Oslo.");
    read(&rig, "M. Okafor lives in Tromsø.");
    let merge = merged(&rig, "Maya Okafor", "M. Okafor");
    read(&rig, "M. Okafor works at Orbis.");
    read(&rig, "Maya Okafor likes tea.");
    // As if a model had found them.
    let found = "UPDATE claim_evidence SET extraction_method = 'llm' WHERE extracted_text LIKE '%Orbis%' OR extracted_text LIKE '%tea%'";
    assert_eq!(rig.db().execute(found, []).unwrap(), 2);
    rig.pause();
    rig.advance(1);
    rig.run(EntityUnmerge { merge }).unwrap();
    let wanted = [
        "asserted: M. Okafor lives in Tromsø",
        "asserted: M. Okafor works at Orbis",
        "asserted: Maya Okafor likes tea",
        "asserted: Maya Okafor lives in Oslo",
    ];
    assert_eq!(believed(&rig), wanted);
    rig.wake();
    rig.settled();
    assert_eq!(believed(&rig), wanted);
}

#[test]
fn what_a_space_said_of_whom_it_shared_is_its_own_again() {
    let rig = Rig::new();
    read(&rig, "Maya Okafor lives in Oslo.");
    let shared = rig.run(EntityShare { entity: entity_id(&rig, "Maya Okafor") }).unwrap();
    rig.settled();
    add(&rig, fact("Maya Okafor", "likes", "tea"));
    read(&rig, "Maya Okafor lives in Porto.");
    let together = believed(&rig);
    assert_eq!((together.len(), open(&rig).len()), (3, 1), "{together:?}");
    part(&rig, shared.merges[0].id.clone());
    assert_eq!((believed(&rig), open(&rig).len()), (together, 1));
    let own = entity(&rig, "Maya Okafor");
    assert_eq!((own.entity.space_id.as_str(), own.claims.len()), (SPACE, 3));
}

#[test]
fn an_agents_sentence_parts_nobody_and_undoes_no_decision() {
    let check = |decides: bool, by_agent: bool, parts: bool| {
        let rig = Rig::new();
        let bot = agent(&rig, "notes-bot");
        read(&rig, "My sister lives in Oslo.");
        read(&rig, "My sister Ana lives in Porto.");
        if decides {
            let conflict = open(&rig).remove(0);
            let porto = conflict.claim_a.statement.contains("Porto");
            decide(
                &rig,
                &conflict.id,
                if porto { ResolutionType::ClaimAWins } else { ResolutionType::ClaimBWins },
                None,
            );
        }
        let text = "My sister Bea likes tea.".to_owned();
        let request = um_model::capture::MemoryRemember { text, space: SPACE.into(), ..Default::default() };
        rig.advance(1);
        rig.engine().run(&if by_agent { bot } else { Caller::owner("test") }, request).unwrap();
        rig.settled();
        let oslo = believed(&rig).contains(&"asserted: Your sister lives in Oslo".to_owned());
        assert_eq!(oslo, parts, "{decides}, {by_agent}: {:?}", believed(&rig));
        assert!(believed(&rig).contains(&"asserted: Bea likes tea".to_owned()), "{:?}", believed(&rig));
        if !parts {
            assert_eq!(open(&rig).len(), usize::from(!decides));
            read(&rig, "My sister plays chess.");
            let held = rig.run(CandidatesList::default()).unwrap().candidates;
            assert_eq!(
                held.len(),
                usize::from(!by_agent),
                "whom the name means is asked, unless an agent told its own"
            );
        }
    };
    check(false, false, true);
    check(true, false, false);
    check(false, true, false);
    check(true, true, false);
}

#[test]
fn a_text_that_only_mentions_somebody_is_under_its_own_person_again() {
    let rig = Rig::new();
    read(&rig, "Maya Okafor lives in Oslo.");
    read(&rig, "M. Okafor lives in Oslo.");
    let merge = merged(&rig, "Maya Okafor", "M. Okafor");
    read(&rig, "Ask M. Okafor about the roof.");
    part(&rig, merge);
    let mentions = |name: &str| entity(&rig, name).mentions.len();
    assert_eq!((mentions("Maya Okafor"), mentions("M. Okafor")), (0, 1));
}

#[test]
fn a_decision_of_what_is_no_longer_of_one_is_taken_back() {
    #[track_caller]
    fn check(texts: &[&str], resolution: ResolutionType, value: Option<&str>, apart: &[&str], conflicts: usize) {
        let rig = Rig::new();
        for text in texts {
            read(&rig, text);
        }
        let merge = merged(&rig, "Maya Okafor", "M. Okafor");
        let conflict = open(&rig).remove(0);
        decide(&rig, &conflict.id, resolution, value);
        part(&rig, merge);
        assert_eq!(believed(&rig), apart, "{texts:?}");
        assert_eq!(open(&rig).len(), conflicts, "{texts:?}");
    }
    let homes = ["Maya Okafor lives in Oslo.", "M. Okafor lives in Tromsø."];
    let both = ["asserted: M. Okafor lives in Tromsø", "asserted: Maya Okafor lives in Oslo"];
    check(&homes, ResolutionType::ClaimAWins, None, &both, 0);
    check(&homes, ResolutionType::ClaimBWins, None, &both, 0);
    check(&homes, BothDisputed, None, &both, 0);
    check(&homes, ManualOverride, Some("Bergen"), &both, 0);
    let three = ["Maya Okafor lives in Oslo.", "Maya Okafor lives in Bergen.", "M. Okafor lives in Tromsø."];
    check(
        &three,
        ManualOverride,
        Some("Tromsø"),
        &[
            "asserted: M. Okafor lives in Tromsø",
            "disputed: Maya Okafor lives in Bergen",
            "disputed: Maya Okafor lives in Oslo",
        ],
        1,
    );
    let hers = ["Maya Okafor lives in Oslo.", "Maya Okafor lives in Bergen.", "M. Okafor works at Orbis."];
    check(
        &hers,
        ManualOverride,
        Some("Turin"),
        &["asserted: M. Okafor works at Orbis", "asserted: Maya Okafor lives in Turin"],
        0,
    );
}

#[test]
fn what_was_said_by_the_first_name_alone_follows_the_names() {
    for [keep, merge] in [["Maya Okafor", "Maya"], ["Maya", "Maya Okafor"]] {
        let rig = Rig::new();
        read(&rig, "Maya Okafor lives in Oslo.");
        add(&rig, fact("Maya", "likes", "jazz"));
        let merge = merged(&rig, keep, merge);
        read(&rig, "Maya plays the cello.");
        read(&rig, "Maya Okafor works at Orbis.");
        add(&rig, fact("Maya", "likes", "tea"));
        add(&rig, fact("Maya Okafor", "likes", "coffee"));
        assert!(
            believed(&rig).iter().all(|fact| fact.starts_with(&format!("asserted: {keep} "))),
            "{:?}",
            believed(&rig)
        );
        part(&rig, merge);
        // Who states a fact by the bare name means the one who is called so then.
        let tea = format!("{keep} likes tea");
        let mut apart = [
            "Maya Okafor likes coffee",
            "Maya Okafor lives in Oslo",
            "Maya Okafor works at Orbis",
            "Maya likes jazz",
            "Maya plays cello",
            &tea,
        ];
        apart.sort_unstable();
        assert_eq!(believed(&rig), apart.map(|fact| format!("asserted: {fact}")), "{keep} stayed");
    }
}
