//! Questions that spell an identifier out: it is looked for as it is spelled, dates nothing, and where nothing holds it, that is told.

use crate::support::{Rig, SPACE};
use um_model::capture::MemoryRemember;
use um_model::recall::MemoryRecall;
use um_model::traces::{TraceGet, TraceReplay};

#[test]
fn the_year_in_an_identifier_is_no_date() {
    let rig = Rig::new();
    // It happened in another year than the number begins with.
    let occurred_at = Some(um_rules::date_begins("2019-04-03").unwrap());
    for text in ["Ticket 2024-0013 was closed by Ben.", "Ticket 2024-0031 is open."] {
        let (text, space) = (text.to_owned(), SPACE.to_owned());
        rig.run(MemoryRemember { text, space, occurred_at, ..MemoryRemember::default() }).unwrap();
    }
    rig.settled();
    for question in ["ticket 2024-0031", "Is 2024-0031 closed?"] {
        let recalled = rig.recall(question);
        let first = &recalled.hits[0];
        assert_eq!(first.quote, "Ticket 2024-0031 is open.", "{question}");
        assert_eq!((first.score_parts.exact, first.score_parts.date), (Some(1.0), None), "{question}");
        assert!(recalled.notices.is_empty() && recalled.hits.len() == 2, "{question}: {recalled:?}");
    }
}

#[test]
fn what_nothing_holds_is_told_and_the_answer_is_less_sure() {
    let rig = Rig::new();
    rig.remember("INV-20391 was for a boat.");
    rig.ingest("report_2023.txt", "Herons nest here.");
    rig.space("Other");
    rig.remember_in("Other", "Paid inv 99999 at noon.");
    rig.settled();
    let unheld = "Nothing that was searched holds “INV-99999”.";
    let check = |question: &str, space: Option<&str>, notice: Option<&str>| {
        let asked = MemoryRecall { query: question.to_owned(), space: space.map(str::to_owned), ..Default::default() };
        let recalled = rig.run(asked).unwrap();
        assert_eq!(recalled.notices.first().map(String::as_str), notice, "{question} {space:?}");
        let id = recalled.trace.clone().unwrap();
        assert!(rig.run(TraceReplay { id: id.clone() }).unwrap().exact, "{question}");
        let trace = rig.run(TraceGet { id }).unwrap().recall.unwrap();
        assert_eq!(trace.notices, recalled.notices, "{question}");
        recalled
    };
    let held = check("What was INV-20391 for?", Some(SPACE), None);
    let other = check("What was INV-99999 for?", Some(SPACE), Some(unheld));
    assert_eq!(other.hits[0].quote, held.hits[0].quote);
    assert!(held.answerability > 0.5 && !other.abstained, "{held:?} {other:?}");
    assert!(other.answerability < 0.3, "{other:?}");
    // Other signs may join its parts, it may be a file's name, and another space may hold it.
    check("What was INV-99999 for?", None, None);
    check("What was INV_20391 for?", Some(SPACE), None);
    check("What stands in report_2023.txt?", Some(SPACE), None);
    check("What was INV-99999 for, and INV-20391?", Some(SPACE), Some(unheld));
}

/// Whoever asks whether something is forgotten does not write it down again.
#[test]
fn a_trace_of_nothing_does_not_spell_what_nothing_holds() {
    let rig = Rig::new();
    rig.remember("Herons nest here.");
    rig.settled();
    let recalled = rig.recall("INV-99999");
    assert!(recalled.hits.is_empty() && recalled.abstained, "{recalled:?}");
    assert_eq!(recalled.notices, ["Nothing that was searched holds “INV-99999”."]);
    let trace = rig.run(TraceGet { id: recalled.trace.unwrap() }).unwrap();
    let kept = serde_json::to_string(&trace).unwrap();
    assert!(trace.recall.unwrap().wordless && !kept.contains("99999"), "{kept}");
}
