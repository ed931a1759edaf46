//! Many at once.

use super::*;
use std::sync::Barrier;
use um_model::capture::ArtifactReread;

/// Runs on so many threads at the same time.
pub(super) fn together(threads: usize, act: impl Fn(usize) + Sync) {
    let start = Barrier::new(threads);
    std::thread::scope(|scope| {
        for number in 0..threads {
            let (start, act) = (&start, &act);
            scope.spawn(move || {
                start.wait();
                act(number);
            });
        }
    });
}

#[test]
fn eight_who_make_the_same_claim_make_it_once_with_all_their_evidence() {
    let rig = Rig::resting();
    let memories: Vec<Memory> = (0..8).map(|n| rig.remember(&format!("Witness {n} saw her there."))).collect();
    together(8, |number| {
        for _ in 0..5 {
            add(&rig, of(&memories[number], FactInput { confidence: Some(0.1), ..fact("Ana", "works_at", "Orbis") }));
        }
    });
    let claims = rig.run(FactsSearch::default()).unwrap().facts;
    assert_eq!((claims.len(), claims[0].evidence_count, claims[0].state), (1, 8, ClaimState::Asserted));
    near(claims[0].confidence, 1.0 - 0.9f64.powi(8));
    assert_eq!(rig.count("SELECT count(*) FROM claim_state_history"), 1);
    assert_eq!(rig.count("SELECT count(*) FROM entities"), 2);
}

#[test]
fn eight_who_disagree_make_every_conflict_once() {
    let rig = Rig::resting();
    together(8, |number| drop(add(&rig, fact("Ana", "birthday", &format!("198{number}")))));
    assert_eq!(open(&rig).len(), 8 * 7 / 2);
    assert!(believed(&rig).iter().all(|words| words.starts_with("disputed")));
}

#[test]
fn those_who_read_a_file_and_those_who_quote_it_do_not_get_into_each_others_way() {
    let rig = Rig::new();
    let text: String = (0..40).map(|n| format!("Person{n} lives in Porto.\n")).collect();
    let file = rig.ingest("people.txt", text);
    rig.settled();
    let memory = rig.artifact(&file).summary.memory_id.unwrap();
    together(4, |number| {
        for n in 0..40 {
            if number == 0 && n % 10 == 0 {
                rig.run(ArtifactReread { id: file.clone() }).unwrap();
            }
            let quote = format!("Person{n} lives in Porto.");
            let source = FactInput {
                memory_id: Some(memory.clone()),
                quote: Some(quote),
                ..fact(&format!("Person{n}"), "lives_in", "Porto")
            };
            add(&rig, source);
        }
    });
    rig.settled();
    let found = rig
        .run(FactsSearch { predicate: Some("lives_in".into()), limit: Some(200), ..FactsSearch::default() })
        .unwrap();
    assert_eq!(found.total, 40);
    let one_source = |claim: &Claim| explain(&rig, &claim.id).confidence.supporting.len() == 1;
    assert!(found.facts.iter().all(|claim| claim.state == ClaimState::Asserted && one_source(claim)));
    assert_eq!(rig.jobs().jobs.iter().filter(|job| job.error.is_some()).count(), 0);
}

#[test]
fn those_who_read_the_same_memory_at_once_find_each_claim_once() {
    let rig = Rig::new();
    let text: String = (0..40).map(|n| format!("Person{n} lives in Porto.\n")).collect();
    // While the local rules read it, two agents do, from either end.
    let memory = rig.remember(&text);
    together(2, |reader| {
        for at in 0..40 {
            let n = if reader == 0 { at } else { 39 - at };
            let source = FactInput {
                memory_id: Some(memory.id.clone()),
                quote: Some(format!("Person{n} lives in Porto.")),
                ..fact(&format!("Person{n}"), "lives_in", "Porto")
            };
            add(&rig, source);
        }
    });
    rig.settled();
    let found = rig
        .run(FactsSearch { predicate: Some("lives_in".into()), limit: Some(200), ..FactsSearch::default() })
        .unwrap();
    assert_eq!((found.total, rig.count("SELECT count(*) FROM claims")), (40, 40));
    assert_eq!(rig.count("SELECT count(*) FROM entities"), 41, "forty people and one town");
    let one_source = |claim: &Claim| explain(&rig, &claim.id).confidence.supporting.len() == 1;
    assert!(found.facts.iter().all(|claim| claim.state == ClaimState::Asserted && one_source(claim)));
    assert_eq!(rig.jobs().jobs.iter().filter(|job| job.error.is_some()).count(), 0);
}
