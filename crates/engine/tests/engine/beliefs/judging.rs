//! What a model of entailment is asked about claims, and what follows from its answers.

use super::*;
use um_engine::language::{Entailment, EntailmentLabel};
use um_model::ArtifactId;
use um_model::capture::ArtifactReread;

/// Whoever eats vegan food eats nothing else.
fn turn_on(rig: &Rig) {
    *rig.script.entailment.lock().unwrap() = Some(|a, b| {
        let label = match a.contains("vegan") != b.contains("vegan") {
            true => EntailmentLabel::Contradicts,
            false => EntailmentLabel::Neutral,
        };
        Entailment { label, score: 0.99 }
    });
}

/// A fact whose source is a file, which is judged whenever the file is read again.
fn of_file(rig: &Rig, name: &str, fact: FactInput) -> ArtifactId {
    let words = format!("{} {} {}.\n", fact.subject, fact.predicate, fact.object);
    let file = rig.ingest(name, words);
    rig.settled();
    let memory_id = rig.artifact(&file).summary.memory_id;
    add(rig, FactInput { memory_id, ..fact });
    rig.settled();
    file
}

fn judge(rig: &Rig, file: &ArtifactId) {
    rig.run(ArtifactReread { id: file.clone() }).unwrap();
    rig.settled();
}

#[test]
fn what_was_so_at_other_times_is_no_contradiction() {
    let rig = Rig::new();
    let eats = |object: &str, from: &str, until: &str| between(fact("Ana", "eats", object), from, until);
    of_file(&rig, "then.txt", eats("beef", "2010", "2015"));
    let now = of_file(&rig, "now.txt", eats("vegan food", "2016", ""));
    turn_on(&rig);
    judge(&rig, &now);
    assert!(open(&rig).is_empty(), "{:?}", believed(&rig));
    let both = of_file(&rig, "both.txt", eats("lamb", "2014", "2018"));
    judge(&rig, &both);
    assert_eq!(open(&rig).len(), 1, "{:?}", believed(&rig));
}

#[test]
fn of_many_the_nearest_are_judged_and_what_is_left_is_said() {
    let rig = Rig::new();
    add(&rig, fact("Ana", "eats", "vegan stew with beans"));
    for number in 0..40 {
        add(&rig, fact("Ana", "eats", &format!("dish {number}")));
    }
    let stew = of_file(&rig, "stew.txt", fact("Ana", "eats", "beef stew with beans"));
    turn_on(&rig);
    judge(&rig, &stew);
    let found = open(&rig);
    assert_eq!(found.len(), 1, "{:?}", believed(&rig));
    let told = "SELECT count(*) FROM audit_events WHERE event_type = 'beliefs.judged'
                AND payload ->> '$.judged' = 32 AND payload ->> '$.left' = 9";
    assert_eq!(rig.count(told), 1);
}

#[test]
fn what_is_stated_merged_or_decided_is_judged_as_what_is_read() {
    let eats = |who: &str, what: &str| fact(who, "eats", what);
    let judged = |rig: &Rig| {
        rig.until("all is judged", || {
            rig.wake();
            rig.count("SELECT count(*) FROM system_settings WHERE key LIKE 'beliefs.unjudged.%'") == 0
        });
        open(rig).len()
    };
    let rig = Rig::new();
    turn_on(&rig);
    add(&rig, eats("Ana", "beef"));
    add(&rig, eats("Ana", "vegan food"));
    rig.until("it is found", || judged(&rig) == 1);

    let rig = Rig::new();
    turn_on(&rig);
    add(&rig, eats("Ana", "beef"));
    add(&rig, eats("Anna", "vegan food"));
    assert_eq!(judged(&rig), 0);
    rig.run(EntityMerge { keep: entity_id(&rig, "Ana"), merge: entity_id(&rig, "Anna") }).unwrap();
    rig.until("it is found", || judged(&rig) == 1);

    // A claim that a decision brings in.
    let rig = Rig::new();
    for city in ["Oslo", "Porto"] {
        add(&rig, fact("Ana", "birthday", if city == "Oslo" { "1984-05-03" } else { "1984-05-05" }));
    }
    let conflict = open(&rig).remove(0).id;
    turn_on(&rig);
    add(&rig, eats("Ana", "beef"));
    judged(&rig);
    let resolution = um_model::belief::ResolutionType::ClaimAWins;
    rig.run(ConflictsResolve::of(conflict, resolution)).unwrap();
    assert_eq!(judged(&rig), 0, "what agrees stays as it is");
}
