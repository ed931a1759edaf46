//! From a question to its answer, one step after the other: it is planned, and then, all of one moment, passages are gathered, ranked
//! (scored and gated, [`rank`]) and cited, and it is told how that came about.

use super::part::Part;
use super::rank::rank;
use super::rerank::Reranking;
use super::search::{Found, Past};
use super::wanted::Wanted;
use super::words::Question;
use super::{INCOMPLETE, MEANING_IS_LOST, NO_MEANING, Steps};
use super::{answer, before, dates, event, follow_up, fuse, graph, identifiers, newest, score, search, trace};
use super::{associates, cited, enough, filter_now, limit, old_form};
use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use um_model::recall::{Associate, Hit, MemoryRecall, Recalled};
use um_model::traces::{RecallTrace, TracedAssociate};
use um_model::{EpochMs, SpaceId};
use um_store::filter::UnitFilter;
use um_store::{Connection, memories};

/// Finds the passages that answer a question that is [read](super::read), and tells how. An evaluation leaves a part of that out.
pub(super) fn run(
    engine: &Engine,
    caller: &Caller,
    request: MemoryRecall,
    without: Option<Part>,
) -> Outcome<(Recalled, RecallTrace)> {
    if newest::is_asked(&request) {
        return newest::answer(engine, caller, request);
    }
    let mut told = Told::begin();
    let mut question = super::question(engine, caller, &request)?;
    if without == Some(Part::Names) {
        question = question.about(Vec::new());
    }
    told.clock.step("question");
    if let Some(nothing) = follow_up::answered(engine, caller, &request, &question)? {
        return Ok(nothing);
    }
    let mut plan = plan(engine, (request, question), without, &mut told);
    let mut reranking = match without {
        Some(Part::Reranking) => Reranking::default(),
        _ => turn(engine, caller, &plan.question, &mut told.clock)?,
    };
    engine.read(|c| {
        let spaces = crate::spaces::asked(c, caller, plan.request.space.as_deref())?;
        let spaces: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let past = search::past(c, &spaces, &plan.filter)?;
        let (gathered, ranking) = ranked(c, &mut plan, (spaces, past), (&mut reranking, &mut told))?;
        let cited = cite(c, &plan, &gathered, &ranking, &mut told)?;
        let judged = judge(c, &plan, &gathered, (&ranking, &cited.hits), &mut told.notices)?;
        Ok(trace(plan, gathered, (ranking, cited, judged), told))
    })
}

/// What is told on the way to an answer.
pub(super) struct Told {
    /// What the person should know of it.
    pub(super) notices: Vec<String>,
    /// The model that reranked the best passages.
    reranker: Option<String>,
    clock: Steps,
}

impl Told {
    pub(super) fn begin() -> Self {
        Self { notices: Vec::new(), reranker: None, clock: Steps::begin() }
    }
}

/// What is looked for, and among what.
pub(super) struct Plan {
    pub(super) request: MemoryRecall,
    pub(super) question: Question,
    /// What the question means; none where meaning is not searched.
    vector: Option<Vec<f32>>,
    /// The model that says so.
    model: Option<String>,
    pub(super) filter: UnitFilter,
    /// So many hits are given at most.
    limit: usize,
    now: EpochMs,
    /// The part that an evaluation leaves out.
    without: Option<Part>,
}

/// Says what is looked for: what the question means, where a model tells it, and what may pass.
pub(super) fn plan(
    engine: &Engine,
    (request, question): (MemoryRecall, Question),
    without: Option<Part>,
    told: &mut Told,
) -> Plan {
    let vector = match without {
        Some(Part::Meaning) => None,
        _ => crate::work::embed_query(engine, &question.matter())
            .map_err(|error| told.notices.push(format!("{NO_MEANING} {error}")))
            .ok(),
    };
    let model = vector.is_some().then(|| engine.providers().embedding.model_id().to_owned());
    told.clock.step("embed");
    let (filter, limit, now) = (filter_now(engine, &request), limit(&request), engine.now());
    Plan { request, question, vector, model, filter, limit, now, without }
}

/// Waits for the turn of the question where somebody reranks what is found.
fn turn(engine: &Engine, caller: &Caller, question: &Question, clock: &mut Steps) -> Outcome<Reranking> {
    let reranking = Reranking::of(engine, question)?;
    match caller.is_agent() {
        // How long the questions of others take is nothing that an agent is told.
        true => clock.leave_out(),
        false => clock.step("wait"),
    }
    Ok(reranking)
}

/// What is known of the spaces that are searched, besides the passages that were found.
pub(super) struct Gathered<'a> {
    spaces: Vec<SpaceId>,
    /// What is out of use, or cold where that is asked for, and passes.
    past: Past<'a>,
    /// The passages of that which may be given.
    gone: Vec<i64>,
    wanted: Wanted,
    /// Whom or what the question names.
    named: Vec<graph::Named>,
    /// The event that it names.
    event: event::Taken,
}

/// Gathers passages of the spaces beside what is [past](search::past) there, and ranks them. What was read of meaning that is lost takes
/// no part any more.
pub(super) fn ranked<'a>(
    c: &'a Connection,
    plan: &mut Plan,
    searched: (Vec<SpaceId>, Past<'a>),
    (reranking, told): (&mut Reranking, &mut Told),
) -> Result<(Gathered<'a>, fuse::Ranking), Fault> {
    let (found, gathered) = gather(c, plan, searched, told)?;
    if found.meaning_is_lost {
        (plan.vector, plan.model) = (None, None);
    }
    let asked = (&plan.question, plan.vector.as_deref());
    let narrowed = (&plan.filter, &gathered.wanted);
    let ranking = rank(c, found, asked, narrowed, (reranking, &mut told.clock), plan.limit)?;
    told.notices.extend(reranking.notice.take());
    told.reranker = reranking.model.take();
    Ok((gathered, ranking))
}

/// Searches the spaces, and looks up there whom and what the question names.
fn gather<'a>(
    c: &'a Connection,
    plan: &Plan,
    (spaces, past): (Vec<SpaceId>, Past<'a>),
    Told { notices, clock, .. }: &mut Told,
) -> Result<(Found, Gathered<'a>), Fault> {
    let Plan { request, question, vector, filter, .. } = plan;
    let is_incomplete = vector.is_some() && um_store::rebuild::is_incomplete(c)?;
    notices.extend(is_incomplete.then(|| INCOMPLETE.to_owned()));
    notices.extend(old_form(c, request)?.map(str::to_owned));
    let admitted = filter.admit(c, &spaces)?;
    let mut wanted = Wanted::of(question, dates::Now::of(request, plan.now)).leaving_out(plan.without);
    let narrowed = (filter, &admitted, &past, plan.limit);
    let found = search::search(c, &spaces, (question, &wanted), vector.as_deref(), narrowed, clock)?;
    notices.extend(found.meaning_is_lost.then(|| format!("{NO_MEANING} {MEANING_IS_LOST}")));
    notices.extend(found.past_notice.map(str::to_owned));
    let (named, notice) = match plan.without {
        Some(Part::Names) => (Vec::new(), None),
        _ => graph::take(c, &spaces, (&question.text, request.associated), &mut wanted)?,
    };
    notices.extend(notice);
    clock.step("entities");
    let event = match plan.without {
        Some(Part::Times) => event::Taken::default(),
        _ => event::take(c, &spaces, (question, filter, &admitted, &past), &mut wanted)?,
    };
    clock.step("event");
    let gone = found.past.clone();
    Ok((found, Gathered { spaces, past, gone, wanted, named, event }))
}

/// What is given, with its sources.
pub(super) struct Cited {
    pub(super) hits: Vec<Hit>,
    /// What is connected with it.
    associated: Vec<Associate>,
    /// The same as a trace tells it.
    connected: Vec<TracedAssociate>,
}

/// Cites what is given, and what is connected with it where that is asked for.
pub(super) fn cite(
    c: &Connection,
    plan: &Plan,
    gathered: &Gathered<'_>,
    ranking: &fuse::Ranking,
    Told { notices, clock, .. }: &mut Told,
) -> Result<Cited, Fault> {
    let (Plan { request, question, filter, now, .. }, spaces) = (plan, &gathered.spaces);
    notices.extend(identifiers::notice(&question.text, &ranking.unheld));
    let mut hits = cited(c, question, &ranking.given, request, *now)?;
    ranking.naming.tell(&mut hits);
    notices.extend(before::notice(c, spaces, request, hits.is_empty())?);
    clock.step("cite");
    let (mut associated, mut connected) = (Vec::new(), Vec::new());
    if request.associated {
        let narrowed = (request, filter, gathered.gone.as_slice());
        (associated, connected) = associates(c, spaces, (question, &gathered.named), &hits, narrowed, *now)?;
        clock.step("associate");
    }
    Ok(Cited { hits, associated, connected })
}

/// How well the question is answered.
pub(super) struct Judged {
    pub(super) answer: answer::Answer,
    /// Whether a word of the question stands nowhere that was searched, where there is no answer.
    has_unheld: bool,
}

/// Judges how well the first passages answer, and tells of what nothing says.
pub(super) fn judge(
    c: &Connection,
    plan: &Plan,
    gathered: &Gathered<'_>,
    (ranking, hits): (&fuse::Ranking, &[Hit]),
    notices: &mut Vec<String>,
) -> Result<Judged, Fault> {
    let asked = (&plan.question, &gathered.wanted);
    let unnamed = answer::unnamed(c, &gathered.spaces, asked, (ranking, hits, &gathered.past))?;
    let (enough, lacking) = (enough(c)?, (ranking, !unnamed.is_empty()));
    let mut answer = answer::judged(asked, hits, lacking, (enough.as_slice(), plan.vector.is_some()));
    if hits.is_empty() && !memories::any(c, &gathered.spaces)? {
        answer.reason = Some(answer::NOTHING_KEPT.to_owned());
    }
    let has_unheld = answer.abstains && answer::has_unheld(c, &gathered.spaces, asked, ranking)?;
    // What tells of an event says already what nothing says of it.
    let may_lack = answer.abstains || answer.score < answer::UNSURE && gathered.event.notice.is_none();
    if plan.filter.then.is_now()
        && let Some(gap) = answer::gap(c, asked, (ranking, &gathered.past), (&unnamed, may_lack))?
    {
        match &mut answer.reason {
            Some(reason) => *reason = format!("{reason} {gap}"),
            None => notices.push(gap),
        }
    }
    Ok(Judged { answer, has_unheld })
}

/// The answer, and how it came about.
fn trace(
    plan: Plan,
    gathered: Gathered<'_>,
    (ranking, cited, judged): (fuse::Ranking, Cited, Judged),
    told: Told,
) -> (Recalled, RecallTrace) {
    let (Gathered { spaces, wanted, event, .. }, Judged { answer, has_unheld }) = (gathered, judged);
    let recalled = Recalled {
        abstained: answer.abstains,
        reason: answer.reason,
        answerability: answer.score,
        hits: cited.hits,
        associated: cited.associated,
        notices: told.notices,
        event: event.event,
        event_notice: event.notice,
        spaces,
        weights: score::weights(),
        timings: told.clock.0.1,
        trace: None,
    };
    let of_answer = (plan.model, answer.enough, answer.parts);
    let mut trace = trace::told(plan.request, &plan.question, &ranking, &recalled, of_answer);
    trace.wordless = has_unheld;
    trace.indexes.extend(wanted.is_of_period_alone().then(|| newest::INDEX.to_owned()));
    let (associated, event_notice) = (cited.connected, event.kept_notice);
    (recalled, RecallTrace { reranker: told.reranker, associated, event_notice, ..trace })
}
