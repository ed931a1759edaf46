//! A question that is nothing but what narrows it down (`from:ana before:2024`): the newest memories that pass. Nothing is searched,
//! and nothing is scored.

use super::fuse::{Candidate, Ranking};
use super::words::Question;
use super::{Steps, search, trace};
use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use std::iter;
use um_model::SpaceId;
use um_model::recall::{MemoryRecall, Recalled};
use um_model::traces::RecallTrace;
use um_store::filter::UnitFilter;
use um_store::{Connection, hits, memories};

/// What is told of such an answer.
const NOTICE: &str = "Nothing was asked but what narrows it down: these are the newest that pass, the newest first.";
/// What was looked through, as a trace tells it.
pub(super) const INDEX: &str = "time";

/// Whether a request asks for nothing else.
pub(super) fn is_asked(request: &MemoryRecall) -> bool {
    !super::filter(request).is_open() && Question::parse(&request.query).words.is_empty()
}

/// Whether a trace is of such an answer.
pub(super) fn is_traced(trace: &RecallTrace) -> bool {
    trace.indexes.first().is_some_and(|index| index == INDEX)
}

/// How well it answers: all that passes is what was asked for.
pub(super) fn answerability(is_empty: bool) -> f64 {
    if is_empty { 0.0 } else { 1.0 }
}

/// The passages of the newest that pass, of what is in use and of what is [`past`](search::past) with this filter.
pub(super) fn find(
    c: &Connection,
    spaces: &[SpaceId],
    (filter, past): (&UnitFilter, &search::Past<'_>),
    limit: usize,
) -> Result<Vec<i64>, Fault> {
    Ok(filter.newest(c, spaces, &past.rids(), limit)?)
}

/// Answers a request that asks for nothing else.
pub(super) fn answer(engine: &Engine, caller: &Caller, request: MemoryRecall) -> Outcome<(Recalled, RecallTrace)> {
    let mut clock = Steps::begin();
    let (filter, now) = (super::filter_now(engine, &request), engine.now());
    let limit = super::limit(&request);
    engine.read(|c| {
        let spaces = crate::spaces::asked(c, caller, request.space.as_deref())?;
        let spaces: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let past = search::past(c, &spaces, &filter)?;
        let rids = find(c, &spaces, (&filter, &past), limit)?;
        clock.step("filter");
        let given = rids.iter().map(|rid| Candidate { rid: *rid, ..Candidate::default() }).collect();
        let gone = past.rids();
        let passages = hits::passages(c, &rids, &gone)?;
        let ranking = Ranking { considered: rids.len(), given, passages, ..Ranking::default() };
        // The words that it must have are marked.
        let marked = Question::parse(&request.phrases.join(" "));
        let hits = super::cited(c, &marked, &ranking.given, &request, now)?;
        clock.step("cite");
        let (mut associated, mut connected) = (Vec::new(), Vec::new());
        if request.associated {
            let narrowed = (&request, &filter, gone.as_slice());
            (associated, connected) = super::associates(c, &spaces, (&marked, &[]), &hits, narrowed, now)?;
            clock.step("associate");
        }
        let notice = (!hits.is_empty()).then_some(NOTICE);
        let old_form = super::old_form(c, &request)?;
        let before = super::before::notice(c, &spaces, &request, hits.is_empty())?;
        let recalled = Recalled {
            abstained: hits.is_empty(),
            reason: why_empty(c, &spaces, hits.is_empty())?.map(str::to_owned),
            answerability: answerability(hits.is_empty()),
            hits,
            associated,
            notices: notice.into_iter().chain(past.notice()).chain(old_form).map(str::to_owned).chain(before).collect(),
            spaces,
            weights: Default::default(),
            timings: clock.0.1,
            event: None,
            event_notice: None,
            trace: None,
        };
        let nothing = Question::parse("");
        let judged = (None, super::answer::ENOUGH, Default::default());
        let trace = trace::told(request, &nothing, &ranking, &recalled, judged);
        let indexes = iter::once(INDEX.to_owned()).chain(trace::beside(&trace.asked)).collect();
        Ok((recalled, RecallTrace { indexes, associated: connected, ..trace }))
    })
}

/// Why nothing is given, where nothing is.
fn why_empty(c: &Connection, spaces: &[SpaceId], is_empty: bool) -> Result<Option<&'static str>, Fault> {
    Ok(match is_empty {
        false => None,
        true if memories::any(c, spaces)? => Some(super::answer::NOTHING_PASSES),
        true => Some(super::answer::NOTHING_KEPT),
    })
}
