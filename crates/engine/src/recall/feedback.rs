//! What people think of an answer. A wrong one is laid to what it rested on; what might be wrong waits in Review, and nothing is
//! changed silently. Who thinks otherwise later, or takes it back, takes back what waits for it.

use super::traces::{find, found, named};
use crate::access::Wish;
use crate::error::{Fault, Outcome, invalid};
use crate::forget::Door;
use crate::language::{Entailment, EntailmentLabel};
use crate::{Caller, Engine};
use std::collections::{HashMap, HashSet};
use um_model::access::Right;
use um_model::capture::{MemoryRemember, MemoryRemove};
use um_model::health::Event;
use um_model::held::{HeldState, HoldReason};
use um_model::traces::*;
use um_model::{
    AgentId, ApiError, CandidateId, ClaimId, EpochMs, ErrorCode, MemoryId, MemoryStatus, SpaceId, TraceId, UnitId,
};
use um_store::held::{self, Asked, NewHeld, Withdrawn};
use um_store::keyed::Key;
use um_store::rejected::Remark;
use um_store::traces::{self, Opinion, Worth};
use um_store::{Connection, associations, memories, units};

/// The longest correction or answer, in characters.
const MAX_TEXT: usize = 10_000;
/// So many of the first memories of an answer were used together.
const USED: usize = 3;
/// Of a wrong answer, what carries at least so much of it waits in Review, beside what carries most: of five passages that carry as
/// much as each other, none would.
const SUSPECT: f64 = 0.25;
/// A wrong answer is laid to so many of its first passages.
const BLAMED: usize = 5;

/// Notes what an answer was worth, and what was answered. A wrong one is laid to what it rested on, and waits in Review; what an earlier
/// opinion of it let wait there, and this one does not, is taken back, as all of it is where the opinion itself is taken back. Nothing else
/// changes. What the person said of an answer's worth, no agent changes.
pub(crate) fn trace_feedback(engine: &Engine, caller: &Caller, request: TraceFeedback) -> Outcome<FeedbackGiven> {
    let TraceFeedback { id, feedback, correction, answer, withdraw } = request;
    let correction = checked(correction, "correction")?;
    let answer = checked(answer, "answer")?;
    let worth = worth((feedback, withdraw), correction.is_some(), answer.is_some())?;
    let kept = found(engine, caller, &id)?;
    let recall = kept.recall.ok_or_else(|| invalid("What this trace told was forgotten."))?;
    let (blamed, suspects) = match worth {
        Worth::Stays | Worth::TakenBack | Worth::Said(Feedback::Positive) => (Vec::new(), Vec::new()),
        Worth::Said(Feedback::Negative | Feedback::Correction) => blame(engine, &recall, correction.as_deref())?,
    };
    let thought =
        Thought { asked: kept.summary, recall, worth, answer, correction, blamed, suspects, now: engine.now() };
    let (writer, key) = (caller.clone(), engine.key().clone());
    let given = engine.write(move |tx| thought.noted(tx, &writer, &key))?;
    if !given.proposed.is_empty() || !given.withdrawn.is_empty() {
        engine.tell(Event::Held);
    }
    Ok(given)
}

/// What somebody thinks of an answer.
struct Thought {
    asked: TraceSummary,
    recall: RecallTrace,
    worth: Worth,
    answer: Option<String>,
    correction: Option<String>,
    /// What a wrong answer rested on, as far as it is in use.
    blamed: Vec<Blamed>,
    /// What of it is to be looked at, in use or not.
    suspects: Vec<MemoryId>,
    now: EpochMs,
}

impl Thought {
    /// Notes it, with what comes of it.
    fn noted(self, tx: &Connection, caller: &Caller, key: &Key) -> Result<FeedbackGiven, Fault> {
        let (id, space) = (&self.asked.id, crate::spaces::resolve(tx, caller, self.asked.space_id.as_str())?.id);
        // It may say again what another space that was searched forgot.
        let door = Door::of(key, &space).and_of(&self.recall.spaces);
        self.may_be_said(tx, caller)?;
        self.keep(tx, caller, &door)?;
        let feedback = if let Worth::Said(feedback) = self.worth { Some(feedback) } else { None };
        let (withdrawn, answered) = (self.worth == Worth::TakenBack, self.answer.is_some());
        let payload = serde_json::json!({ "feedback": feedback, "withdrawn": withdrawn, "answered": answered });
        Engine::audit(tx, caller, "trace.feedback", ("answer_traces", id.as_str()), &space, payload, self.now)?;
        let proposed = self.propose(tx, caller, key, &door)?;
        // What was answered says nothing of what that is worth.
        let withdrawn = match self.worth {
            Worth::Stays => Vec::new(),
            Worth::Said(_) | Worth::TakenBack => {
                take_back(tx, caller, (id, &self.recall), &space, &proposed, self.now)?
            }
        };
        Ok(FeedbackGiven { trace: find(tx, caller, id, self.now)?.summary, blamed: self.blamed, proposed, withdrawn })
    }

    /// An agent says nothing of an answer's worth once the person did: what they said would be lost.
    fn may_be_said(&self, tx: &Connection, caller: &Caller) -> Result<(), Fault> {
        let is_the_persons = find(tx, caller, &self.asked.id, self.now)?.said_by == Some(AgentId::owner());
        if self.worth == Worth::Stays || !caller.is_agent() || !is_the_persons {
            return Ok(());
        }
        let error = ApiError::new(ErrorCode::Forbidden, "The person said what this answer was worth, and that stays.");
        Err(error.hint("Only the person changes it or takes it back.").into())
    }

    /// Keeps it with the trace, and what was used together for a right answer.
    fn keep(&self, tx: &Connection, caller: &Caller, door: &Door) -> Result<(), Fault> {
        let was_right = find(tx, caller, &self.asked.id, self.now)?.summary.feedback == Some(Feedback::Positive);
        let opinion =
            Opinion { worth: self.worth, answer: self.answer.as_deref(), correction: self.correction.as_deref() };
        traces::set_feedback(tx, &self.asked.id, &door.pass(tx, opinion)?, &caller.actor)?;
        let is_right =
            if self.worth == Worth::Stays { was_right } else { self.worth == Worth::Said(Feedback::Positive) };
        // Said again, it counts once; and what is not right after all brought nothing together.
        if was_right != is_right {
            let (used, counts) = (used(&self.recall.given, &door.space), (is_right, self.asked.created_at));
            associations::used_together(tx, &door.space, &used, counts, self.now)?;
        }
        Ok(())
    }

    /// Lets the correction and what the wrong answer rested on wait in Review, where the caller may write.
    fn propose(&self, tx: &Connection, caller: &Caller, key: &Key, door: &Door) -> Result<Vec<CandidateId>, Fault> {
        let all = self.proposals(tx, caller, &door.space)?;
        if !all.is_empty() {
            // Each of them says the question again, in which something may have been forgotten since.
            door.pass(tx, Remark(Some(&self.recall.asked.query)))?;
        }
        let mut waiting = Vec::new();
        for one in &all {
            waiting.extend(self.hold(tx, caller, key, one)?);
        }
        Ok(waiting)
    }

    /// What is to be proposed: in the space of the question what is right, and in theirs that the suspects go.
    fn proposals(&self, tx: &Connection, caller: &Caller, space: &SpaceId) -> Result<Vec<Proposed>, Fault> {
        let mut all = Vec::new();
        if let Some(right) = &self.correction
            && !is_kept(tx, space, right)?
        {
            let text = right.clone();
            let request = MemoryRemember { text, space: space.to_string(), ..MemoryRemember::default() };
            let (asked, reason) = (Asked::of(&request)?, HoldReason::Correction);
            all.push(Proposed { space: space.clone(), says: right.clone(), reason, asked });
        }
        let writable = writable(tx, caller)?;
        // What is out of use already is proposed no more, and nothing else in its place.
        for suspect in self.blamed.iter().filter(|one| self.suspects.contains(&one.memory)) {
            let is_it = |traced: &&Traced| traced.memory == suspect.memory && writable.contains(&traced.space);
            let Some(traced) = self.recall.given.iter().find(is_it) else { continue };
            let asked = Asked::of(&MemoryRemove { id: suspect.memory.clone() })?;
            let (space, says, reason) = (traced.space.clone(), suspect.title.clone(), HoldReason::Doubted);
            all.push(Proposed { space, says, reason, asked });
        }
        Ok(all)
    }

    /// Lets one wait. None where it does not: the person dismissed or accepted it before, or too much of an agent's waits there.
    fn hold(&self, tx: &Connection, caller: &Caller, key: &Key, one: &Proposed) -> Result<Option<CandidateId>, Fault> {
        let Proposed { space, says, reason, asked } = one;
        let new = NewHeld {
            space,
            actor: &caller.actor,
            kind: "memory",
            // Where its words are not kept, it is told by none.
            title: Some(self.recall.asked.query.as_str()).filter(|query| !query.is_empty()),
            says,
            reasons: &[*reason],
            asked,
            session: None,
            event: None,
            trace: Some(&self.asked.id),
            seen: None,
        };
        let new = Door::of(key, space).pass(tx, new)?;
        let is_new = held::known(tx, &new)?.is_none();
        // The person's own doubts are as many as they like.
        if is_new && caller.is_agent() && held::waiting_of(tx, space, &caller.actor)? >= crate::held::MOST_WAITING {
            return Ok(None);
        }
        // What the person dismissed before stays dismissed.
        let (id, HeldState::Waiting) = held::hold(tx, &new, self.now)? else { return Ok(None) };
        if is_new {
            let payload = serde_json::json!({ "reasons": [reason] });
            Engine::audit(tx, caller, "write.held", ("candidates", id.as_str()), space, payload, self.now)?;
        }
        Ok(Some(id))
    }
}

/// What a wrong answer gives reason to do, which waits for the person.
struct Proposed {
    space: SpaceId,
    says: String,
    reason: HoldReason,
    asked: Asked,
}

/// What becomes of what was said of an answer's worth, by what is said now.
fn worth((feedback, withdraw): (Option<Feedback>, bool), is_corrected: bool, is_answered: bool) -> Outcome<Worth> {
    match (feedback, withdraw) {
        (None, false) if !is_corrected && !is_answered => Err(invalid("Nothing is said of this answer.")
            .hint("Give `feedback`, or what was answered as `answer`; `withdraw` takes back what was said.")),
        (_, true) if feedback.is_some() || is_corrected => {
            Err(invalid("What was said of an answer is taken back or said anew, not both.")
                .hint("Leave out `withdraw`, or `feedback` and `correction`."))
        }
        (None, true) => Ok(Worth::TakenBack),
        (Some(Feedback::Correction), _) if !is_corrected => Err(invalid("The correction is empty.")
            .hint("Say in `correction` what is right, or call the answer `negative` where nobody knows it.")),
        (feedback, _) if is_corrected && feedback != Some(Feedback::Correction) => {
            Err(invalid("What is right is told of an answer that is corrected, and of no other.")
                .hint("Give the feedback `correction` with it, or leave it out."))
        }
        (feedback, _) => Ok(feedback.map_or(Worth::Stays, Worth::Said)),
    }
}

/// The first memories of an answer, of that space, each once, however many of its passages were given: what answered together.
fn used(given: &[Traced], space: &SpaceId) -> Vec<MemoryId> {
    let mut seen = HashSet::new();
    let first = given.iter().filter(|traced| seen.insert(&traced.memory)).take(USED);
    let mut used: Vec<MemoryId> =
        first.filter(|traced| traced.space == *space).map(|traced| traced.memory.clone()).collect();
    used.sort();
    used
}

fn checked(text: Option<String>, what: &str) -> Outcome<Option<String>> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match &text {
        Some(long) if long.chars().count() > MAX_TEXT => {
            Err(invalid(format!("The {what} has 10,000 characters at most.")))
        }
        _ => Ok(text),
    }
}

/// How much of an answer rests on each of its first passages: on what contradicts the correction, where that can be judged; by
/// their scores otherwise. What is out of use by now is not told, but keeps its share, so that none of the others seems to carry more than
/// it did. Gives as well what of all that is to be looked at.
fn blame(engine: &Engine, recall: &RecallTrace, correction: Option<&str>) -> Outcome<(Vec<Blamed>, Vec<MemoryId>)> {
    let given = &recall.given[..recall.given.len().min(BLAMED)];
    let ids: Vec<MemoryId> = given.iter().map(|traced| traced.memory.clone()).collect();
    let (names, quotes, resting) = engine.read(|c| {
        let quotes = quotes(c, given)?;
        Ok((named(c, ids.iter())?, quotes, traces::resting(c, &ids)?))
    })?;
    let judged = correction.and_then(|right| contradicting(engine, &quotes, right));
    let (weights, by) = match judged.filter(|weights| weights.iter().any(|weight| *weight > 0.0)) {
        Some(weights) => (weights, "entailment"),
        None => (given.iter().map(|traced| traced.score.max(0.0)).collect(), "score"),
    };
    let claims_of = |id: &MemoryId| {
        let own = resting.iter().filter(|(memory, _)| memory == id.as_str());
        own.filter_map(|(_, claim)| ClaimId::parse(claim.clone()).ok()).collect()
    };
    let shares = shares(ids.iter().zip(weights));
    let in_use = |(memory, share): &(MemoryId, f64)| {
        let (title, claims) = (names.get(memory)?.clone(), claims_of(memory));
        Some(Blamed { title, memory: memory.clone(), share: *share, by: by.to_owned(), claims })
    };
    Ok((shares.iter().filter_map(in_use).collect(), suspects(&shares)))
}

/// What share of the whole weight each memory carries, most first. Several passages of one memory are one that it rests on.
fn shares<'a>(weights: impl Iterator<Item = (&'a MemoryId, f64)> + Clone) -> Vec<(MemoryId, f64)> {
    let total: f64 = weights.clone().map(|(_, weight)| weight).sum();
    let alike = 1.0 / weights.clone().count().max(1) as f64;
    let mut shares: Vec<(MemoryId, f64)> = Vec::new();
    for (memory, weight) in weights {
        let share = if total > 0.0 { weight / total } else { alike };
        match shares.iter_mut().find(|(known, _)| known == memory) {
            Some((_, known)) => *known += share,
            None => shares.push((memory.clone(), share)),
        }
    }
    shares.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    shares
}

/// The words of passages, in their order.
fn quotes(c: &Connection, given: &[Traced]) -> Result<Vec<String>, Fault> {
    let units: Vec<&UnitId> = given.iter().map(|traced| &traced.unit).collect();
    let texts: HashMap<UnitId, String> = units::texts_of(c, &units)?.into_iter().collect();
    Ok(units.into_iter().map(|unit| texts.get(unit).cloned().unwrap_or_default()).collect())
}

/// How surely each text contradicts what is right. None where no model can tell.
fn contradicting(engine: &Engine, quotes: &[String], right: &str) -> Option<Vec<f64>> {
    let pairs: Vec<(&str, &str)> = quotes.iter().map(|quote| (quote.as_str(), right)).collect();
    let judged = engine.providers().entailment.entailment(&pairs, &Default::default()).ok()?;
    let weight = |one: &Entailment| match one.label {
        EntailmentLabel::Contradicts => one.score,
        _ => 0.0,
    };
    Some(judged.iter().map(weight).collect())
}

/// What of a wrong answer is to be looked at: what carries most of it, and whatever else carries much.
fn suspects(shares: &[(MemoryId, f64)]) -> Vec<MemoryId> {
    let much = shares.iter().enumerate().filter(|(at, (_, share))| *at == 0 || *share >= SUSPECT);
    much.map(|(_, (memory, _))| memory.clone()).collect()
}

/// The spaces in which the caller may change anything. What an answer rested on may lie in another one, which is only read with the
/// one that was asked.
fn writable(tx: &Connection, caller: &Caller) -> Result<HashSet<SpaceId>, Fault> {
    let writer = caller.wishing(Wish::Use(Right::Write));
    Ok(crate::spaces::readable(tx, &writer, None)?.into_iter().map(|space| space.id).collect())
}

/// Whether the space has that text in use: what the person accepted once is not proposed again.
fn is_kept(tx: &Connection, space: &SpaceId, text: &str) -> Result<bool, Fault> {
    let known = memories::by_hash(tx, space, &crate::ingest::text_hash(text))?;
    Ok(known.is_some_and(|memory| memory.status == MemoryStatus::Active))
}

/// Takes back what waits for an answer's sake, but for what it proposes `still`. The person takes back whatever it is, an agent what it
/// proposed itself where it may write; what was decided already stays so.
fn take_back(
    tx: &Connection,
    caller: &Caller,
    (trace, recall): (&TraceId, &RecallTrace),
    space: &SpaceId,
    still: &[CandidateId],
    now: EpochMs,
) -> Result<Vec<CandidateId>, Fault> {
    let writable = writable(tx, caller)?;
    let proposed_in = recall.spaces.iter().chain([space]).filter(|space| writable.contains(*space));
    let spaces: Vec<SpaceId> = proposed_in.cloned().collect();
    let of = caller.is_agent().then_some(&caller.actor);
    let which = Withdrawn { trace, spaces: &spaces, of, still };
    let mut withdrawn = Vec::new();
    for (id, space) in held::withdraw(tx, &which, &caller.actor, now)? {
        let payload = serde_json::json!({ "trace": trace });
        Engine::audit(tx, caller, "write.withdrawn", ("candidates", id.as_str()), &space, payload, now)?;
        withdrawn.push(id);
    }
    Ok(withdrawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An id that ends so.
    fn id(end: char) -> String {
        format!("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1{end}")
    }

    #[test]
    fn the_first_memories_are_used_together_however_many_passages_each_has() {
        let space = SpaceId::parse(id('f')).unwrap();
        // Each letter is a passage of that memory; in capitals of another space.
        let check = |given: &str, expected: &str| {
            let one = |letter: char| -> Traced {
                let of = if letter.is_uppercase() { 'e' } else { 'f' };
                let memory = id(letter.to_ascii_lowercase());
                let told = serde_json::json!({"unit": id('0'), "memory": memory, "space": id(of), "score": 1.0, "signals": {}});
                serde_json::from_value(told).unwrap()
            };
            let given: Vec<Traced> = given.chars().map(one).collect();
            let expected: Vec<String> = expected.chars().map(id).collect();
            let used: Vec<String> = used(&given, &space).iter().map(MemoryId::to_string).collect();
            assert_eq!(used, expected, "{given:?}");
        };
        check("", "");
        check("ab", "ab");
        check("aaab", "ab");
        check("babaacd", "abc");
        check("aBBcd", "ac");
    }

    #[test]
    fn what_carries_most_of_a_wrong_answer_is_always_looked_at() {
        let memory = MemoryId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c").unwrap();
        let check = |shares: &[f64], looked_at: usize| {
            let carried: Vec<(MemoryId, f64)> = shares.iter().map(|share| (memory.clone(), *share)).collect();
            assert_eq!(suspects(&carried).len(), looked_at, "{shares:?}");
        };
        check(&[], 0);
        check(&[1.0], 1);
        check(&[0.5, 0.3, 0.2], 2);
        check(&[0.2, 0.2, 0.2, 0.2, 0.2], 1);
        check(&[0.25, 0.25, 0.25, 0.25], 4);
    }
}
