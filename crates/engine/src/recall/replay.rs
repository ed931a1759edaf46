//! Computing a trace again from what it holds, to the bit: no score, order or answerability that does not follow from its signals.

use super::{answer, newest, score};
use um_model::UnitId;
use um_model::traces::{Gate, RecallTrace, Traced};

/// The passages of a trace in the order that their signals give.
pub(super) fn order(trace: &RecallTrace) -> Vec<UnitId> {
    let mut scored: Vec<(&UnitId, f64)> =
        trace.given.iter().map(|traced| (&traced.unit, score::score(&traced.signals))).collect();
    // Equal scores keep the order in which they stand: that of their rids.
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.into_iter().map(|(unit, _)| unit.clone()).collect()
}

/// Whether all that a trace tells follows from what it holds: the order of what was given, each score of that and of what was not,
/// that what was beyond the limit is no better than what was given, and how well it answers.
pub(super) fn is_exact(trace: &RecallTrace) -> bool {
    if trace.failed.is_some() {
        // It holds no passage, and nothing follows from that.
        return trace.given.is_empty() && trace.rejected.is_empty();
    }
    let is_score = |traced: &Traced| score::score(&traced.signals).to_bits() == traced.score.to_bits();
    let least = trace.given.last().map_or(f64::INFINITY, |last| last.score);
    let beyond = trace.rejected.iter().filter(|traced| traced.gate == Some(Gate::BeyondLimit));
    order(trace).iter().eq(trace.given.iter().map(|traced| &traced.unit))
        && trace.given.iter().chain(&trace.rejected).all(is_score)
        && trace.rejected.is_sorted_by(|one, next| one.score >= next.score)
        && beyond.into_iter().all(|traced| traced.score <= least)
        && answers(trace)
}

/// Whether how well it answers follows from its parts, and whether it abstained from that.
fn answers(trace: &RecallTrace) -> bool {
    let answerability = match newest::is_traced(trace) {
        true => Some(newest::answerability(trace.given.is_empty())),
        false if trace.given.is_empty() => Some(answer::NOTHING),
        false => answer::again(&trace.answer_parts),
    };
    let abstains = trace.answerability < trace.threshold;
    answerability.is_some_and(|again| again.to_bits() == trace.answerability.to_bits())
        && abstains == trace.reason.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::recall::{MemoryRecall, ScoreParts};
    use um_model::{MemoryId, SpaceId};

    fn traced(number: u8, cosine: f64, gate: Option<Gate>) -> Traced {
        let id = format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a{number:02x}");
        let signals = ScoreParts { cosine: Some(cosine), words: Some(0.3), ..ScoreParts::default() };
        Traced {
            unit: UnitId::parse(id.clone()).unwrap(),
            memory: MemoryId::parse(id).unwrap(),
            space: SpaceId::global(),
            score: score::score(&signals),
            signals,
            gate,
        }
    }

    fn trace() -> RecallTrace {
        let parts = [("said", 0.1), ("share", 0.5), ("cosine", 0.7)].map(|(name, part)| (name.to_owned(), part)).into();
        RecallTrace {
            ranking: score::VERSION.to_owned(),
            asked: MemoryRecall::default(),
            words: Vec::new(),
            spaces: Vec::new(),
            indexes: Vec::new(),
            model: None,
            considered: 4,
            given: vec![traced(1, 0.7, None), traced(2, 0.7, None), traced(3, 0.6, None)],
            rejected: vec![traced(4, 0.65, Some(Gate::Duplicate)), traced(5, 0.5, Some(Gate::BeyondLimit))],
            associated: Vec::new(),
            answerability: answer::again(&parts).unwrap(),
            answer_parts: parts,
            threshold: answer::ENOUGH,
            reason: None,
            notices: Vec::new(),
            failed: None,
            event: None,
            event_notice: None,
            timings: Default::default(),
        }
    }

    #[test]
    fn a_trace_follows_from_what_it_holds_or_does_not() {
        type Change = fn(&mut RecallTrace);
        let changes: [(&str, bool, Change); 9] = [
            ("nothing", true, |_| {}),
            ("a score, by a bit", false, |trace| trace.given[0].score = trace.given[0].score.next_up()),
            ("the order", false, |trace| trace.given.swap(1, 2)),
            ("a score of what was not given", false, |trace| trace.rejected[0].score += 1e-12),
            ("the order of what was not given", false, |trace| trace.rejected.swap(0, 1)),
            ("better, and beyond the limit", false, |trace| trace.rejected[0].gate = Some(Gate::BeyondLimit)),
            ("answerability, by a bit", false, |trace| trace.answerability = trace.answerability.next_down()),
            ("a part of it", false, |trace| _ = trace.answer_parts.remove("said")),
            ("whether it abstained", false, |trace| trace.reason = Some("Why.".to_owned())),
        ];
        for (what, exact, change) in changes {
            let mut trace = trace();
            change(&mut trace);
            assert_eq!(is_exact(&trace), exact, "{what}");
        }
        let none = RecallTrace {
            given: Vec::new(),
            rejected: vec![traced(4, 0.65, Some(Gate::OtherFacet))],
            answerability: answer::NOTHING,
            answer_parts: Default::default(),
            reason: Some("Why.".to_owned()),
            ..trace()
        };
        assert!(is_exact(&none), "nothing was given");
        let read: RecallTrace = serde_json::from_str(&serde_json::to_string(&trace()).unwrap()).unwrap();
        assert!(is_exact(&read), "as it is kept");
    }
}
