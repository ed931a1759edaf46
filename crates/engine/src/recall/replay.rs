//! Computing a trace again from what it holds, to the bit: no score, order, gate or answerability that does not follow from its
//! signals, each by what it counted then. What a trace does not hold enough for is named ([`as_told`]).

use super::{answer, gates, graph, newest, score};
use um_model::UnitId;
use um_model::traces::{Gate, RecallTrace, ReplayPart, Traced};

/// The passages of a trace in the order that their signals give.
pub(super) fn order(trace: &RecallTrace) -> Vec<UnitId> {
    let mut all: Vec<(&UnitId, f64)> = trace.given.iter().map(|one| (&one.unit, scored(trace, one))).collect();
    // Equal scores keep the order in which they stand: that of their rids.
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.into_iter().map(|(unit, _)| unit.clone()).collect()
}

/// The score of a passage by what each signal counted then: what it counts now may be another thing.
fn scored(trace: &RecallTrace, traced: &Traced) -> f64 {
    score::score_then(&traced.signals, &trace.weights)
}

/// What a trace tells that does not follow from what it holds: the order of what was given, each score of that and of what was not,
/// why each was not given, how well it answers, and why what is connected was told or not; as far as [`as_told`] does not say otherwise.
pub(super) fn differs(trace: &RecallTrace) -> Vec<ReplayPart> {
    if trace.failed.is_some() {
        // It holds no passage, and nothing follows from that.
        let is_empty = trace.given.is_empty() && trace.rejected.is_empty();
        return if is_empty { Vec::new() } else { vec![ReplayPart::Order] };
    }
    let is_score = |traced: &Traced| scored(trace, traced).to_bits() == traced.score.to_bits();
    let passed_over = trace.rejected.iter().map(|one| one.score).chain(trace.behind.iter().map(|one| one.score));
    let is_ordered = order(trace).iter().eq(trace.given.iter().map(|traced| &traced.unit))
        && passed_over.is_sorted_by(|one, next| one >= next);
    let parts = [
        (ReplayPart::Order, is_ordered),
        (ReplayPart::Scores, trace.given.iter().chain(&trace.rejected).all(is_score)),
        (ReplayPart::Gates, gated(trace)),
        (ReplayPart::Answerability, answers(trace)),
        (ReplayPart::Connected, connected(trace)),
    ];
    parts.into_iter().filter(|(_, follows)| !follows).map(|(part, _)| part).collect()
}

/// Whether each passage was given or left out for a reason that its signals, its place and its memory allow.
fn gated(trace: &RecallTrace) -> bool {
    let limit = super::limit(&trace.asked);
    let is_full = trace.given.len() == limit;
    let least = trace.given.last().map_or(f64::INFINITY, |last| last.score);
    // Passages are taken best first: once there are enough, all others are beyond the limit, and none was before.
    let in_place = |gate: Gate, score: f64| match gate {
        Gate::BeyondLimit => is_full && score <= least,
        _ => !is_full || score >= least,
    };
    // One that gave way was given when the next of its memory came.
    let gave_way = |one: &Traced| {
        let mut stale = trace.rejected.iter().filter(|other| other.gate == Some(Gate::Stale));
        stale.any(|other| other.memory == one.memory && other.score >= one.score)
    };
    let takes_any = takes_any_of_its_memory(&trace.ranking);
    let by_memory = |one: &Traced| {
        let most = if takes_any { 1 } else { gates::most_of_its_memory(&one.signals) };
        let mail = one.mail.filter(|_| gates::counts_by_mail(&one.signals));
        let is_beside = |given: &&Traced| given.memory == one.memory && (mail.is_none() || given.mail == mail);
        let of_its_memory = trace.given.iter().filter(is_beside);
        match one.gate {
            Some(Gate::BeyondLimit) => true,
            Some(Gate::SameMemory) => {
                of_its_memory.filter(|given| given.score >= one.score).count() >= most || gave_way(one)
            }
            _ => {
                of_its_memory.filter(|given| given.score > one.score).count() < gates::most_of_its_memory(&one.signals)
            }
        }
    };
    let left_out = |one: &Traced| {
        let is_in_place = one.gate.is_some_and(|gate| in_place(gate, one.score));
        is_in_place && by_memory(one) && gates::is_allowed(one.gate, &one.signals)
    };
    trace.given.len() <= limit
        && trace.given.iter().all(|one| one.gate.is_none() && gates::is_allowed(None, &one.signals))
        && trace.rejected.iter().all(left_out)
        && trace.behind.iter().all(|one| in_place(one.gate, one.score))
}

/// Whether any other passage of its memory was enough to keep one back, as in rankings before `signals-7`.
fn takes_any_of_its_memory(ranking: &str) -> bool {
    ranking.strip_prefix("signals-").and_then(|version| version.parse::<u32>().ok()).is_some_and(|version| version < 7)
}

/// Whether what is connected stands in the order of its activation, and was told or not by that and its place: what was forgotten of it
/// stood behind all that was told.
fn connected(trace: &RecallTrace) -> bool {
    let all = &trace.associated;
    all.is_sorted_by(|one, next| one.activation >= next.activation)
        && all.iter().enumerate().all(|(at, one)| one.gate == graph::gate(at, one.activation))
}

/// What of a trace is taken as it is told, as it does not hold what that follows from: a sentence for each.
pub(super) fn as_told(trace: &RecallTrace) -> Vec<String> {
    let by_words = trace.rejected.iter().filter(|one| one.gate.is_some_and(gates::reads)).count();
    let is_newest = newest::is_traced(trace);
    let is_scored = !is_newest && (!trace.given.is_empty() || !trace.rejected.is_empty());
    let behind = trace.behind.len();
    let all = [
        (is_newest, "Which passages pass and which are the newest: when each happened is not kept.".to_owned()),
        (is_scored, "What was found, and its signals: the indexes are not kept as they were.".to_owned()),
        (
            by_words > 0,
            format!("Why {by_words} of the passages were left out for what they say: their words are not kept."),
        ),
        (
            behind > 0,
            format!(
                "The scores and reasons of the {behind} passages behind those, but for their order and place: their \
                 signals are not kept."
            ),
        ),
        (
            trace.forgotten > 0,
            format!("What else was found and not told, {} of it: that was forgotten since.", trace.forgotten),
        ),
        (
            !trace.associated.is_empty(),
            "How active what is connected is, but for its order: the links to it are not kept.".to_owned(),
        ),
    ];
    all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, says)| says).collect()
}

/// What differs in who reranked the best passages, where that does, in a sentence; none where there were no passages, or it is not kept who it
/// was.
pub(super) fn other_reranker(then: &RecallTrace, now: &RecallTrace) -> Option<String> {
    let is_reranked = then.given.iter().chain(&then.rejected).any(|one| one.signals.rerank.is_some());
    let is_kept = then.reranker.is_some() || !is_reranked;
    let differs = then.reranker != now.reranker && then.considered > 0 && now.considered > 0;
    let [then, now] = [then, now].map(|trace| trace.reranker.as_deref().unwrap_or("no model"));
    (is_kept && differs).then(|| format!("The best passages were reranked by {then} then, and by {now} now."))
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
    use um_model::traces::{TracedAssociate, TracedBehind};
    use um_model::{MemoryId, SpaceId};

    fn traced(number: u8, cosine: f64, gate: Option<Gate>) -> Traced {
        let id = format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a{number:02x}");
        let signals = ScoreParts { cosine: Some(cosine), words: Some(0.3), ..ScoreParts::default() };
        Traced {
            unit: UnitId::parse(id.clone()).unwrap(),
            memory: MemoryId::parse(id).unwrap(),
            space: SpaceId::global(),
            mail: None,
            view: None,
            artifact: None,
            score: score::score(&signals),
            signals,
            named: Vec::new(),
            gate,
        }
    }

    fn connected(number: u8, activation: f64, gate: Option<Gate>) -> TracedAssociate {
        let Traced { unit, memory, .. } = traced(number, 0.0, None);
        TracedAssociate { unit, memory, activation, path: Vec::new(), gate }
    }

    fn trace() -> RecallTrace {
        let parts = [("said", 0.1), ("share", 0.5), ("cosine", 0.7)].map(|(name, part)| (name.to_owned(), part)).into();
        RecallTrace {
            ranking: score::VERSION.to_owned(),
            asked: MemoryRecall { limit: Some(3), ..MemoryRecall::default() },
            wordless: false,
            words: Vec::new(),
            spaces: Vec::new(),
            indexes: Vec::new(),
            model: None,
            reranker: None,
            considered: 6,
            given: vec![traced(1, 0.7, None), traced(2, 0.7, None), traced(3, 0.6, None)],
            rejected: vec![traced(4, 0.65, Some(Gate::Duplicate)), traced(5, 0.5, Some(Gate::BeyondLimit))],
            behind: vec![TracedBehind { number: 6, score: 0.4, gate: Gate::BeyondLimit }],
            forgotten: 0,
            weights: score::weights(),
            associated: vec![connected(7, 0.5, None), connected(8, 0.1, Some(Gate::WeakActivation))],
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

    /// Lets a passage give way, and another one of its memory and this cosine be left out.
    fn gave_way(trace: &mut RecallTrace, cosine: f64) {
        trace.rejected[0].gate = Some(Gate::Stale);
        let memory = trace.rejected[0].memory.clone();
        trace.rejected.push(Traced { memory, ..traced(9, cosine, Some(Gate::SameMemory)) });
        trace.rejected.sort_by(|one, other| other.score.total_cmp(&one.score));
    }

    /// Lets a passage that a search found be left out for the sake of a single one of its memory.
    fn one_of_its_memory(trace: &mut RecallTrace) {
        trace.rejected[0].gate = Some(Gate::SameMemory);
        trace.rejected[0].memory = trace.given[0].memory.clone();
        trace.rejected[0].signals.bm25_rank = Some(1);
    }

    /// Lets a passage that a search found be left out by a gate, beside three of one mail of its mailbox, of that mail or another one.
    fn of_a_mailbox(trace: &mut RecallTrace, gate: Gate, mail: i64) {
        trace.asked.limit = Some(4);
        trace.behind.clear();
        trace.rejected = vec![traced(4, 0.5, Some(gate))];
        let memory = trace.given[0].memory.clone();
        for one in trace.given.iter_mut().chain(&mut trace.rejected) {
            (one.memory, one.mail) = (memory.clone(), Some(7));
            one.signals.bm25_rank = Some(1);
        }
        trace.rejected[0].mail = Some(mail);
    }

    /// Lets the signals count as in another version, and the scores be by that or not.
    fn weighed_otherwise(trace: &mut RecallTrace, scores_too: bool) {
        trace.ranking = "signals-1".to_owned();
        trace.weights = [("words", 1.0), ("cosine", 2.5)].map(|(name, weight)| (name.to_owned(), weight)).into();
        let weights = trace.weights.clone();
        for traced in trace.given.iter_mut().chain(&mut trace.rejected).filter(|_| scores_too) {
            traced.score = score::score_then(&traced.signals, &weights);
        }
    }

    /// Lets what was passed over be forgotten, as the store takes it out.
    fn forgotten(trace: &mut RecallTrace) {
        trace.rejected.remove(0);
        trace.associated.retain(|one| one.gate.is_none());
        trace.forgotten = 2;
    }

    fn is_exact(trace: &RecallTrace) -> bool {
        differs(trace).is_empty()
    }

    #[test]
    fn what_does_not_follow_is_told() {
        let check = |expected: &[ReplayPart], change: fn(&mut RecallTrace)| {
            let mut trace = trace();
            change(&mut trace);
            assert_eq!(differs(&trace), expected);
        };
        check(&[], |_| {});
        check(&[ReplayPart::Order], |trace| trace.rejected.swap(0, 1));
        check(&[ReplayPart::Scores], |trace| trace.given[0].score = trace.given[0].score.next_up());
        check(&[ReplayPart::Gates], |trace| trace.rejected[0].gate = Some(Gate::WeakMeaning));
        check(&[ReplayPart::Answerability], |trace| trace.reason = Some("Why.".to_owned()));
        check(&[ReplayPart::Connected], |trace| trace.associated.swap(0, 1));
        // Where another one is the last that was given, others are better than it.
        check(&[ReplayPart::Order, ReplayPart::Gates], |trace| trace.given.swap(1, 2));
    }

    #[test]
    fn a_trace_follows_from_what_it_holds_or_does_not() {
        type Change = fn(&mut RecallTrace);
        let changes: [(&str, bool, Change); 32] = [
            ("nothing", true, |_| {}),
            ("weights of an earlier version, and scores by these", true, |trace| weighed_otherwise(trace, true)),
            ("weights by which the scores are others", false, |trace| weighed_otherwise(trace, false)),
            ("the weights, which are those of now", true, |trace| trace.weights.clear()),
            ("a score, by a bit", false, |trace| trace.given[0].score = trace.given[0].score.next_up()),
            ("the order", false, |trace| trace.given.swap(1, 2)),
            ("a score of what was not given", false, |trace| trace.rejected[0].score += 1e-12),
            ("the order of what was not given", false, |trace| trace.rejected.swap(0, 1)),
            ("better, and beyond the limit", false, |trace| trace.rejected[0].gate = Some(Gate::BeyondLimit)),
            ("a limit that was not reached", false, |trace| trace.asked.limit = Some(4)),
            ("more than were asked for", false, |trace| trace.asked.limit = Some(2)),
            ("better, and of a memory that was given", true, |trace| {
                trace.rejected[0].gate = Some(Gate::SameMemory);
                trace.rejected[0].memory = trace.given[0].memory.clone();
            }),
            ("found, and of a memory of which too little was given", false, one_of_its_memory),
            ("the same of an earlier version", true, |trace| {
                one_of_its_memory(trace);
                trace.ranking = "signals-6".to_owned();
            }),
            ("of a mail of which enough was given", true, |trace| of_a_mailbox(trace, Gate::SameMemory, 7)),
            ("of a mail of which none was given", false, |trace| of_a_mailbox(trace, Gate::SameMemory, 9)),
            ("a repeat, of a mail of which enough was given", false, |trace| of_a_mailbox(trace, Gate::Duplicate, 7)),
            ("a repeat, of another mail", true, |trace| of_a_mailbox(trace, Gate::Duplicate, 9)),
            ("come along, and of a mailbox of which one was given", true, |trace| {
                of_a_mailbox(trace, Gate::SameMemory, 9);
                trace.rejected[0].signals.bm25_rank = None;
            }),
            ("of a memory that gave way", true, |trace| gave_way(trace, 0.62)),
            ("better than what gave way of its memory", false, |trace| gave_way(trace, 0.66)),
            ("of a memory that was not given", false, |trace| trace.rejected[0].gate = Some(Gate::SameMemory)),
            ("weak, and not by its signals", false, |trace| trace.rejected[0].gate = Some(Gate::WeakMeaning)),
            ("chatter, which its words tell", true, |trace| trace.rejected[0].gate = Some(Gate::Chatter)),
            ("further behind, and better", false, |trace| trace.behind[0].score = 9.0),
            ("further behind, and within the limit", false, |trace| trace.behind[0].gate = Gate::Duplicate),
            ("connected enough, and not told", false, |trace| trace.associated[0].gate = Some(Gate::WeakActivation)),
            ("the order of what is connected", false, |trace| trace.associated.swap(0, 1)),
            ("what was not given, and was forgotten since", true, |trace| forgotten(trace)),
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
            behind: Vec::new(),
            associated: Vec::new(),
            answerability: answer::NOTHING,
            answer_parts: Default::default(),
            reason: Some("Why.".to_owned()),
            ..trace()
        };
        assert!(is_exact(&none), "nothing was given");
        assert_eq!(as_told(&none).len(), 2, "{:?}", as_told(&none));
        assert_eq!(as_told(&trace()).len(), 4, "{:?}", as_told(&trace()));
        assert_eq!(as_told(&RecallTrace { forgotten: 1, ..trace() }).len(), 5, "what was forgotten is told");
        let read: RecallTrace = serde_json::from_str(&serde_json::to_string(&trace()).unwrap()).unwrap();
        assert!(is_exact(&read), "as it is kept");
    }

    #[test]
    fn another_reranker_is_told_where_it_is_kept_who_it_was() {
        let by = |model: Option<&str>| RecallTrace { reranker: model.map(str::to_owned), ..trace() };
        let check = |then: &RecallTrace, now: &RecallTrace, says: Option<&str>| {
            assert_eq!(other_reranker(then, now).as_deref(), says, "{:?} {:?}", then.reranker, now.reranker);
        };
        let (none, one, other) = (by(None), by(Some("one")), by(Some("other")));
        check(&none, &none, None);
        check(&one, &one, None);
        check(&one, &other, Some("The best passages were reranked by one then, and by other now."));
        check(&one, &none, Some("The best passages were reranked by one then, and by no model now."));
        check(&none, &one, Some("The best passages were reranked by no model then, and by one now."));
        check(&RecallTrace { considered: 0, ..by(None) }, &one, None);
        check(&one, &RecallTrace { considered: 0, ..by(None) }, None);
        // Earlier versions kept what it said and not who it was.
        let mut earlier = by(None);
        earlier.rejected[0].signals.rerank = Some(0.5);
        check(&earlier, &one, None);
    }
}
