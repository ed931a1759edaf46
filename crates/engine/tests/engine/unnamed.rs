//! Questions about somebody whom nothing that is found names: that is told, and what is nearest is no sure answer.

use crate::support::Rig;
use um_model::recall::{MemoryRecall, Recalled};
use um_model::traces::{RecallTrace, TraceGet, TraceReplay};

/// The trace of an answer, which follows from what it holds.
fn traced(rig: &Rig, recalled: &Recalled) -> RecallTrace {
    let id = recalled.trace.clone().unwrap();
    assert!(rig.run(TraceReplay { id: id.clone() }).unwrap().exact, "{recalled:?}");
    rig.run(TraceGet { id }).unwrap().recall.unwrap()
}

/// What is told of what nothing found says.
fn gap(recalled: &Recalled) -> Option<&str> {
    let told = recalled.notices.iter().chain(&recalled.reason);
    told.filter_map(|told| told.find("Nothing found says").map(|at| &told[at..])).next()
}

#[test]
fn a_question_about_somebody_whom_nothing_names_has_no_sure_answer() {
    let rig = Rig::new();
    rig.remember("Ben signed the lease of the Vexmark house on 3 May.");
    rig.settled();
    let ask = |question: &str, unnamed: Option<f64>| {
        let recalled = rig.recall(question);
        let part = traced(&rig, &recalled).answer_parts.get("unnamed").copied();
        assert_eq!(part, unnamed, "{question}: {recalled:?}");
        recalled
    };
    let his = ask("When did Ben sign the lease of the Vexmark house?", None);
    assert_eq!((his.hits.len(), his.abstained, gap(&his)), (1, false, None), "{his:?}");
    let hers = ask("When did Ana sign the lease of the Vexmark house?", Some(1.0));
    assert_eq!((hers.hits.len(), gap(&hers)), (1, Some("Nothing found says “Ana”.")), "{hers:?}");
    assert!(hers.answerability < 0.5 && hers.answerability < his.answerability - 0.2, "{his:?} {hers:?}");
    // By two names, one of which is said, with a capital for nothing else, and in German.
    ask("When did Ben Okafor sign the lease of the house?", None);
    ask("Herons: who signed the lease of the house?", None);
    ask("Wann war die Unterschrift unter den Lease von Vexmark?", None);
}

#[test]
fn who_is_named_in_a_title_or_elsewhere_in_the_text_is_named() {
    let rig = Rig::new();
    rig.ingest("Ana.txt", "The tenant pays 900 for the house.");
    let far = "The herons nest beside the lake and leave it in autumn. ".repeat(40);
    rig.ingest("lease.txt", format!("The tenant of the barn is Dora.\n\n{far}\n\nThe tenant pays 700 for the barn."));
    rig.settled();
    for (question, unnamed) in [
        ("What does the tenant Ana pay for the house?", None),
        ("What does the tenant Dora pay for the barn?", None),
        ("What does the tenant Carl pay for the barn?", Some(1.0)),
    ] {
        let recall = MemoryRecall { query: question.to_owned(), limit: Some(2), ..MemoryRecall::default() };
        let recalled = rig.run(recall).unwrap();
        let part = traced(&rig, &recalled).answer_parts.get("unnamed").copied();
        assert_eq!(part, unnamed, "{question}: {recalled:?}");
    }
}

#[test]
fn what_a_space_is_called_by_is_named_there() {
    let rig = Rig::new();
    rig.space("Vexmark");
    rig.remember_in("Vexmark", "The tests run against a real database.");
    rig.settled();
    for (question, unnamed) in [
        ("Against which database do the tests of Vexmark run?", None),
        ("Against which database do the tests of Zorbil run?", Some(1.0)),
    ] {
        let recalled = rig.recall(question);
        let part = traced(&rig, &recalled).answer_parts.get("unnamed").copied();
        assert_eq!((recalled.hits.len(), part), (1, unnamed), "{question}: {recalled:?}");
    }
}
