//! Telling how a recall came about.

use super::fuse::{Candidate, Ranking};
use super::words::Question;
use super::{answer, score};
use std::collections::BTreeMap;
use um_model::recall::{Hit, MemoryRecall, Recalled};
use um_model::traces::{Gate, RecallTrace, Traced, TracedBehind};
use um_model::{ApiError, MemoryId, SpaceId, Tier, UnitId};

/// Of what was not given, so much is told with its signals: some 500 bytes each.
const REJECTED: usize = 30;
/// So much of what stands behind that is told without: some 70 bytes each. That is all, unless more than 50 passages are asked for.
const BEHIND: usize = 400;

/// The trace of a recall.
pub(super) fn told(
    asked: MemoryRecall,
    question: &Question,
    ranking: &Ranking,
    recalled: &Recalled,
    (model, threshold, answer_parts): (Option<String>, f64, BTreeMap<String, f64>),
) -> RecallTrace {
    let mut indexes = vec!["words".to_owned()];
    indexes.extend(model.is_some().then(|| "meaning".to_owned()));
    indexes.extend(beside(&asked));
    RecallTrace {
        ranking: score::VERSION.to_owned(),
        asked,
        wordless: false,
        words: question.words.clone(),
        spaces: recalled.spaces.clone(),
        indexes,
        model,
        reranker: None,
        considered: ranking.considered as u32,
        given: ranking
            .given
            .iter()
            .filter_map(|candidate| Some(led_back(traced(candidate, ranking, None)?, &recalled.hits)))
            .collect(),
        rejected: ranking
            .rejected
            .iter()
            .take(REJECTED)
            // Whom the question names is of its words: where nothing is given, they are not kept ([`without_words`]).
            .filter_map(|(candidate, gate)| {
                Some(Traced { named: Vec::new(), ..traced(candidate, ranking, Some(*gate))? })
            })
            .collect(),
        behind: ranking
            .rejected
            .iter()
            .skip(REJECTED)
            .take(BEHIND)
            .map(|(candidate, gate)| TracedBehind { number: candidate.rid, score: candidate.score, gate: *gate })
            .collect(),
        forgotten: 0,
        weights: recalled.weights.clone(),
        associated: Vec::new(),
        answerability: recalled.answerability,
        answer_parts,
        threshold,
        reason: recalled.reason.clone(),
        notices: recalled.notices.clone(),
        failed: None,
        event: recalled.event.clone(),
        event_notice: None,
        timings: recalled.timings.clone(),
    }
}

/// What is searched besides what the indexes hold, where that is asked for.
pub(super) fn beside(asked: &MemoryRecall) -> impl Iterator<Item = String> + use<> {
    let is_of_then = asked.as_of.is_some() || asked.known_at.is_some();
    let is_cold = asked.tiers.contains(&Tier::Cold);
    let all = [(is_of_then, "what was in use then"), (is_cold, "what is cold")];
    all.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, name)| name.to_owned())
}

/// The trace of a recall that failed: what was asked, and where.
pub(super) fn failed(asked: MemoryRecall, spaces: Vec<SpaceId>, error: ApiError) -> RecallTrace {
    let question = Question::parse(&asked.query);
    let recalled = Recalled {
        hits: Vec::new(),
        associated: Vec::new(),
        abstained: false,
        reason: None,
        answerability: answer::NOTHING,
        notices: Vec::new(),
        spaces,
        weights: BTreeMap::new(),
        timings: BTreeMap::new(),
        event: None,
        event_notice: None,
        trace: None,
    };
    let judged = (None, answer::ENOUGH, BTreeMap::new());
    let trace = told(asked, &question, &Ranking::default(), &recalled, judged);
    RecallTrace { indexes: Vec::new(), failed: Some(error), ..trace }
}

/// A trace without anything that the question says: that it was asked is left, where, when within, and how it ended.
pub(super) fn without_words(trace: RecallTrace) -> RecallTrace {
    // Why what was given is no answer may be told in words of the question; why nothing was given is not.
    let reason =
        trace.reason.map(|reason| if trace.given.is_empty() { reason } else { answer::FAR_FROM_IT.to_owned() });
    let given = trace.given.into_iter().map(|one| Traced { named: Vec::new(), ..one }).collect();
    let asked = MemoryRecall {
        query: String::new(),
        from: Vec::new(),
        tags: Vec::new(),
        phrases: Vec::new(),
        without: Vec::new(),
        ..trace.asked
    };
    let notices = trace.notices.into_iter().filter(|notice| !super::says_the_question(notice)).collect();
    let (words, associated) = (Vec::new(), Vec::new());
    let (event, event_notice) = (None, None);
    RecallTrace { asked, wordless: true, words, given, reason, notices, associated, event, event_notice, ..trace }
}

/// A passage that was given, with the text that it stands in and the file that this was read from.
fn led_back(traced: Traced, hits: &[Hit]) -> Traced {
    match hits.iter().find(|hit| hit.ids.unit == traced.unit) {
        Some(hit) => Traced { view: hit.ids.view.clone(), artifact: hit.ids.artifact.clone(), ..traced },
        None => traced,
    }
}

/// A passage in a trace.
pub(super) fn traced(candidate: &Candidate, ranking: &Ranking, gate: Option<Gate>) -> Option<Traced> {
    let place = ranking.passages.get(&candidate.rid)?;
    Some(Traced {
        unit: UnitId::parse(place.unit.clone()).ok()?,
        memory: MemoryId::parse(place.memory.clone()).ok()?,
        space: SpaceId::parse(place.space.clone()).ok()?,
        mail: place.mail,
        view: None,
        artifact: None,
        score: candidate.score,
        signals: candidate.parts.clone(),
        named: candidate.parts.entity.map(|_| ranking.naming.steps(&place.memory)).unwrap_or_default(),
        gate,
    })
}
