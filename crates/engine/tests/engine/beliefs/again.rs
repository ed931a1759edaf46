//! Texts that an earlier version of the rules read are read again, and say what the rules make of them now.

use super::*;

/// As an earlier version of the rules would have left it: the memory read by that, and the claim of another reading its
/// own.
fn read_by_an_earlier_version(rig: &Rig, found: Option<&ClaimId>) {
    rig.settled();
    rig.pause();
    let db = rig.db();
    db.execute("UPDATE memories SET extractor_id = 'rules-en-0' WHERE extractor_id IS NOT NULL", []).unwrap();
    if let Some(claim) = found {
        let sql = "UPDATE claim_evidence SET extraction_method = 'rule' WHERE claim_id = ?1";
        db.execute(sql, [claim.as_str()]).unwrap();
    }
}

fn read_again(rig: &Rig) {
    let left = "SELECT count(*) FROM memories WHERE extractor_id = 'rules-en-0' AND status = 'active'";
    rig.until("all is read again", || {
        rig.wake();
        rig.count(left) == 0 && !rig.jobs().busy
    });
}

/// A claim that stands on words of a memory which say no such thing.
fn misread(memory: &Memory, fact: FactInput) -> FactInput {
    FactInput { memory_id: Some(memory.id.clone()), quote: Some("Maya lives in Porto.".into()), ..fact }
}

#[test]
fn a_memory_knows_by_which_version_it_was_read() {
    let rig = Rig::new();
    rig.remember("Maya lives in Porto.");
    rig.settled();
    let version = format!("rules-{}", um_rules::VERSION);
    assert_eq!(rows(&rig, "SELECT extractor_id FROM memories"), [version]);
}

#[test]
fn what_only_the_earlier_version_found_is_taken_back_and_nothing_is_doubled() {
    let rig = Rig::new();
    let memory = rig.remember("Maya lives in Porto. Maya works at Halden Labs.");
    rig.settled();
    let wrong = add(&rig, misread(&memory, fact("Maya", "owns", "Porto"))).claim.id;
    let also = add(&rig, misread(&memory, fact("Maya", "likes", "Porto"))).claim.id;
    add(&rig, fact("Maya", "likes", "Porto"));
    read_by_an_earlier_version(&rig, Some(&wrong));
    rig.db()
        .execute(
            "UPDATE claim_evidence SET extraction_method = 'rule' WHERE claim_id = ?1 AND memory_id = ?2",
            [also.as_str(), memory.id.as_str()],
        )
        .unwrap();
    let evidence = rig.count("SELECT count(*) FROM claim_evidence");
    read_again(&rig);
    assert_eq!(
        believed(&rig),
        ["asserted: Maya likes Porto", "asserted: Maya lives in Porto", "asserted: Maya works at Halden Labs"]
    );
    assert_eq!((state(&rig, &wrong), confidence(&rig, &wrong)), (ClaimState::Retracted, 0.0));
    assert_eq!(rig.count("SELECT count(*) FROM claim_evidence"), evidence);
    assert_eq!(rig.count("SELECT count(*) FROM claim_evidence WHERE polarity = 'neutral'"), 2);
    // A third version finds nothing else.
    let before = picture(&rig);
    read_by_an_earlier_version(&rig, None);
    read_again(&rig);
    assert_eq!(picture(&rig), before);
}

#[test]
fn what_is_read_again_has_the_time_that_it_tells_by_now() {
    let check = |cause: &str, until: &str| {
        let rig = Rig::new();
        rig.remember("Maya lived in Porto from 2019 to 2022.");
        rig.settled();
        let sql = "INSERT INTO claim_window_history (id, space_id, claim_id, from_valid_from, from_valid_to, to_valid_from,
                     to_valid_to, cause, actor_id, changed_at)
                   SELECT '00000000-0000-7000-8000-000000000077', space_id, id, valid_from, valid_to, valid_from, ?1, ?2,
                     created_by_actor, 1 FROM claims WHERE valid_to IS NOT NULL";
        let later = um_rules::date_begins("2023").unwrap();
        assert_eq!(rig.db().execute(sql, rusqlite::params![later, cause]).unwrap(), 1);
        read_by_an_earlier_version(&rig, None);
        read_again(&rig);
        let home = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
        assert_eq!(home.valid_to.and_then(um_rules::date_written).as_deref(), Some(until), "{cause}");
    };
    check("told", "2022-01-01");
    check("decision", "2023-01-01");
}

#[test]
fn what_the_person_states_of_words_stands_by_itself() {
    let rig = Rig::new();
    let memory = rig.remember("Maya lives in Porto.");
    rig.settled();
    let read = rig.run(FactsSearch::default()).unwrap().facts.remove(0);
    assert!(read.confidence < 0.9);
    let stated = add(&rig, misread(&memory, fact("Maya", "lives_in", "Porto"))).claim;
    assert_eq!((stated.id.clone(), stated.evidence_count), (read.id, 2));
    assert_eq!(stated.citations.len(), 1, "the words are shown once");
    near(stated.confidence, 0.9);
    // The rules do not find it any more.
    let rules = "UPDATE claim_evidence SET polarity = 'neutral' WHERE extraction_method = 'rule'";
    rig.db().execute(rules, []).unwrap();
    super::sources::reconcile(&rig);
    assert_eq!(state(&rig, &stated.id), ClaimState::Asserted);
    near(confidence(&rig, &stated.id), 0.9);
}

#[test]
fn what_a_later_version_finds_again_is_believed_again() {
    let rig = Rig::new();
    rig.remember("Maya lives in Porto.");
    rig.settled();
    let before = picture(&rig);
    // The version before did not find it, and took it back.
    rig.db().execute("UPDATE claim_evidence SET polarity = 'neutral'", []).unwrap();
    super::sources::reconcile(&rig);
    assert!(believed(&rig).is_empty());
    read_by_an_earlier_version(&rig, None);
    read_again(&rig);
    assert_eq!(picture(&rig), before);
}

#[test]
fn nobody_waits_for_what_is_read_again() {
    let rig = Rig::resting();
    rig.remember("Maya lives in Porto.");
    assert!(rig.jobs().busy);
    rig.db().execute("DELETE FROM jobs WHERE kind IN ('embed', 'detect')", []).unwrap();
    rig.db().execute("UPDATE jobs SET priority = -100 WHERE kind = 'extract'", []).unwrap();
    let report = rig.jobs();
    assert_eq!((report.busy, report.total), (false, 1));
}

#[test]
fn many_are_read_again_one_at_a_time_and_after_all_else() {
    let mut rig = Rig::new();
    for number in 0..12 {
        rig.remember(&format!("Maya{number} lives in Porto."));
    }
    read_by_an_earlier_version(&rig, None);
    rig.reopen(crate::support::MODEL);
    rig.engine().start();
    let note = rig.remember("Dana lives in Oslo.");
    let queued = "SELECT count(*) FROM jobs WHERE kind = 'extract' AND priority < 0";
    assert_eq!(rig.count(queued), 0);
    rig.wake();
    rig.until("the note is read", || believed(&rig).iter().any(|said| said.contains("Dana")));
    assert!(rig.count(queued) <= 1);
    rig.settled();
    read_again(&rig);
    assert_eq!(believed(&rig).len(), 13);
    assert_eq!(rig.memory(&note.id).status, um_model::MemoryStatus::Active);
}
