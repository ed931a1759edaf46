//! Each gate of recall, in the trace of a question that was asked.

use crate::support::{BEGIN, Rig, SPACE};
use um_model::MemoryId;
use um_model::capture::MemoryRemember;
use um_model::envelope::ConfidenceLabel;
use um_model::recall::MemoryRecall;
use um_model::traces::{Feedback, Gate, TraceFeedback, TraceGet, TraceReplay};

/// What is given.
const PORTO: &str = "The boat lies in the harbour of Porto since May.";

fn said(text: &str) -> MemoryRemember {
    MemoryRemember { text: text.to_owned(), space: SPACE.to_owned(), ..MemoryRemember::default() }
}

fn tell(rig: &Rig, request: MemoryRemember) -> MemoryId {
    rig.run(request).unwrap().memory.id
}

fn asked(query: &str) -> MemoryRecall {
    MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() }
}

/// Beside a boat in Porto something else is told; the question is answered without it, and the trace says why.
fn check(gate: Gate, request: MemoryRecall, left_out: impl FnOnce(&Rig) -> MemoryId) {
    let rig = Rig::new();
    tell(&rig, MemoryRemember { session: Some("talk".to_owned()), ..said(PORTO) });
    let left_out = left_out(&rig);
    rig.settled();
    let recalled = rig.run(request).unwrap();
    assert!(recalled.hits.iter().all(|hit| hit.ids.memory != left_out), "{gate}: {recalled:?}");
    let trace = rig.run(TraceGet { id: recalled.trace.unwrap() }).unwrap().recall.unwrap();
    let told = trace.rejected.iter().find(|one| one.memory == left_out).and_then(|one| one.gate);
    assert_eq!(told, Some(gate), "{:?}", trace.rejected);
}

#[test]
fn each_gate_is_told_in_the_trace() {
    let boat = || asked("Where is the boat?");
    check(Gate::WeakMeaning, boat(), |rig| tell(rig, said("Some quartz glows under our lamps at dusk.")));
    check(Gate::Chatter, boat(), |rig| tell(rig, said("Do you remember my boat?")));
    check(Gate::Chatter, boat(), |rig| tell(rig, said("Search your memory for my boat.")));
    check(Gate::LowInformation, boat(), |rig| tell(rig, said("Oh yes, thanks!")));
    check(Gate::OtherFacet, asked("Where was the boat in 2008?"), |rig| {
        tell(rig, MemoryRemember { occurred_at: Some(BEGIN), ..said("The boat leaks at the stern.") })
    });
    check(Gate::BeyondLimit, MemoryRecall { limit: Some(1), ..asked("boat harbour Porto") }, |rig| {
        tell(rig, said("The boat leaks at the stern."))
    });
    check(Gate::Duplicate, boat(), |rig| tell(rig, said("THE BOAT lies in the harbour of Porto: since May.")));
    check(Gate::Stale, boat(), |rig| {
        let confidence_label = Some(ConfidenceLabel::Stale);
        tell(rig, MemoryRemember { confidence_label, ..said("The boat lies in the harbour of Porto now, since May.") })
    });
}

/// What nobody confirmed for long is so by now: as of another day it hides behind nothing.
#[test]
fn what_is_stale_by_now_was_not_then() {
    let rig = Rig::new();
    let confidence_label = Some(ConfidenceLabel::Stale);
    tell(&rig, said(PORTO));
    let stale = MemoryRemember { confidence_label, ..said("The boat lies in the harbour of Porto now, since May.") };
    let stale = tell(&rig, stale);
    rig.settled();
    let is_given = |as_of, known_at| {
        let request = MemoryRecall { as_of, known_at, ..asked("Where is the boat?") };
        rig.run(request).unwrap().hits.iter().any(|hit| hit.ids.memory == stale)
    };
    let now = Some(rig.now());
    assert_eq!([(None, None), (now, None), (None, now)].map(|(so, known)| is_given(so, known)), [false, true, true]);
}

/// It stands beside what was found, and is farther from the question than all that its meaning finds.
#[test]
fn what_only_came_along_is_told_in_the_trace() {
    check(Gate::WeakActivation, asked("Where is the boat?"), |rig| {
        let beside = "Nobody ever brought my umbrella back from Leeds after that long and windy winter.";
        let along = tell(rig, MemoryRemember { session: Some("talk".to_owned()), ..said(beside) });
        for number in 0..105 {
            tell(rig, said(&format!("Shelf {number} is full of jars, ropes and candles.")));
        }
        along
    });
}

/// A long file answers in several places, and leaves room for what else answers.
#[test]
fn a_file_is_given_with_three_passages_at_most() {
    let rig = Rig::new();
    let manual: String =
        (1..=6).map(|n| format!("# Boiler {n}\n\nThe valve of boiler {n} opens at {n} bar of steam.\n\n")).collect();
    let file = rig.ingest("manual.md", &manual);
    let note = tell(&rig, said("A spare valve for the boiler hangs on the cellar wall."));
    rig.settled();
    let memory = rig.artifact(&file).summary.memory_id.unwrap();
    let recalled = rig.run(asked("At how many bar does the valve of the boiler open?")).unwrap();
    let of_file = recalled.hits.iter().filter(|hit| hit.ids.memory == memory).count();
    let has_note = recalled.hits.iter().any(|hit| hit.ids.memory == note);
    assert_eq!((of_file, has_note), (3, true), "{:?}", recalled.hits);
    let id = recalled.trace.unwrap();
    let trace = rig.run(TraceGet { id: id.clone() }).unwrap().recall.unwrap();
    let left_out = trace.rejected.iter().filter(|one| one.memory == memory && one.gate == Some(Gate::SameMemory));
    assert!(left_out.count() > 0, "{:?}", trace.rejected);
    let replayed = rig.run(TraceReplay { id: id.clone() }).unwrap();
    assert!(replayed.exact && replayed.changes.is_empty(), "{:?}", replayed.changes);
    // It is one source, whatever it is given with.
    let feedback = Some(Feedback::Negative);
    let blamed =
        rig.run(TraceFeedback { id, feedback, correction: None, answer: None, withdraw: false }).unwrap().blamed;
    assert_eq!(blamed.iter().filter(|one| one.memory == memory).count(), 1, "{blamed:?}");
    assert!((blamed.iter().map(|one| one.share).sum::<f64>() - 1.0).abs() < 1e-9, "{blamed:?}");
}
