//! `umem trace`: how answers came about, and what they were worth.

use crate::args;
use crate::failure::Failure;
use crate::ids;
use crate::print::{Output, cell, list, table};
use crate::searches;
use crate::when;
use std::collections::BTreeMap;
use std::process::ExitCode;
use um_model::claims::IdsOf;
use um_model::recall::{PathStep, ScoreParts};
use um_model::traces::*;
use um_model::{ApiError, EpochMs, ErrorCode, MemoryId, TraceId};
use um_server::client::Connection;
use um_server::text::{self, count, iso_time};

/// A trace by its id, or the beginning or end of it.
async fn trace_id(service: &mut Connection, text: String) -> Result<TraceId, Failure> {
    ids::named(service, text, IdsOf::Traces, TraceId::parse, "umem trace list").await
}

/// `umem trace …`
pub(crate) async fn trace(service: &mut Connection, asked: args::Trace, output: Output) -> Result<ExitCode, Failure> {
    let withdraw = matches!(asked, args::Trace::Unsay { .. });
    let (id, feedback, correction, answer) = match asked {
        args::Trace::List { query, actor, since, until, space, outcome, with_feedback, limit, after } => {
            let (since, until) = (when::since(since.as_deref())?, when::until(until.as_deref())?);
            let after = match after {
                Some(after) => Some(trace_id(service, after).await?),
                None => None,
            };
            let request = TracesList { query, actor, since, until, space, outcome, with_feedback, limit, after };
            let found = service.run(request.clone()).await?;
            return Ok(output.answer(&found, |found| listed(found, &request)));
        }
        args::Trace::Show { id } => {
            let id = trace_id(service, id).await?;
            let trace = service.run(TraceGet { id }).await?;
            return Ok(output.answer(&trace, shown));
        }
        args::Trace::Replay { id } => {
            let id = trace_id(service, id).await?;
            let replayed = service.run(TraceReplay { id }).await?;
            return Ok(output.answer(&replayed, compared));
        }
        args::Trace::Right { id } => (id, Some(Feedback::Positive), None, None),
        args::Trace::Wrong { id, correction: None } => (id, Some(Feedback::Negative), None, None),
        args::Trace::Wrong { id, correction: Some(right) } => {
            (id, Some(Feedback::Correction), Some(corrected(right)?), None)
        }
        args::Trace::Unsay { id } => (id, None, None, None),
        args::Trace::Answer { id, text } => (id, None, None, Some(answered(text)?)),
    };
    let id = trace_id(service, id).await?;
    let request = TraceFeedback { id, feedback, correction, answer, withdraw };
    Ok(output.answer(&service.run(request).await?, |told| given(told, withdraw)))
}

fn wrong(message: &str, hint: &str) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, message).hint(hint))
}

/// What is right, as it was given.
fn corrected(text: String) -> Result<String, Failure> {
    match text.trim().is_empty() {
        true => Err(wrong("The correction is empty.", "Say what is right, or leave out --correction.")),
        false => Ok(text),
    }
}

/// What was answered, as it was given or from standard input.
fn answered(text: String) -> Result<String, Failure> {
    let text = crate::capture::words(text).map_err(|failure| match failure.error.code {
        // It has more than a memory may have, which is more than is kept of an answer.
        ErrorCode::TextTooLong => wrong("The text is too long.", "What was answered has 10,000 characters at most."),
        _ => failure,
    })?;
    match text.trim().is_empty() {
        true => Err(wrong("The text is empty.", "Say what was answered.")),
        false => Ok(text),
    }
}

fn listed(listed: &TracesListed, asked_for: &TracesList) -> String {
    if listed.traces.is_empty() {
        return none_listed(asked_for);
    }
    let line = |one: &TraceSummary| {
        let feedback = one.feedback.map_or(String::new(), |feedback| format!(", {}", feedback.as_str()));
        let (at, who, said) = (iso_time(one.created_at), &one.actor_name, asked(one));
        format!("{}  {at}  {who}: {said} ({}{feedback})", one.id, one.outcome.as_str())
    };
    let mut lines: Vec<String> = listed.traces.iter().map(line).collect();
    if let (true, Some(last)) = (listed.more, listed.traces.last()) {
        lines.push(format!("There are more: umem trace list{} --after {}", flags(asked_for), last.id));
    }
    list(lines)
}

/// The flags by which the same is asked for, but for where the list goes on.
fn flags(asked_for: &TracesList) -> String {
    let moment = |at: Option<EpochMs>| at.map(|at| at.to_string());
    let with_values = crate::print::flags([
        ("query", asked_for.query.clone()),
        ("actor", asked_for.actor.clone()),
        ("since", moment(asked_for.since)),
        ("until", moment(asked_for.until)),
        ("space", asked_for.space.clone()),
        ("outcome", asked_for.outcome.map(|outcome| outcome.to_string())),
        ("limit", asked_for.limit.map(|limit| limit.to_string())),
    ]);
    with_values + if asked_for.with_feedback { " --with-feedback" } else { "" }
}

/// Why no trace is listed: there is none, or none that is so.
fn none_listed(asked_for: &TracesList) -> String {
    let words = asked_for.query.as_ref().map(|words| format!("has \"{words}\""));
    let actor = asked_for.actor.as_ref().map(|actor| format!("was asked by {actor}"));
    let since = asked_for.since.map(|at| format!("was asked since {}", iso_time(at)));
    let until = asked_for.until.map(|at| format!("was asked before {}", iso_time(at)));
    let space = asked_for.space.as_ref().map(|space| format!("was asked of {space}"));
    let outcome = asked_for.outcome.map(|outcome| format!("ended as {outcome}"));
    let said = asked_for.with_feedback.then(|| "was said to be right or wrong".to_owned());
    let so: Vec<String> = [words, actor, since, until, space, outcome, said].into_iter().flatten().collect();
    match (so.is_empty(), &asked_for.after) {
        (true, None) => "Nothing was asked yet, or what was asked is older than traces are kept.".to_owned(),
        (true, Some(_)) => "Nothing older is kept.".to_owned(),
        (false, None) => format!("Of what is kept, nothing {}.", so.join(" and ")),
        (false, Some(_)) => format!("Of what is older and kept, nothing {}.", so.join(" and ")),
    }
}

/// What was asked, or that its words are not kept.
fn asked(one: &TraceSummary) -> &str {
    match (one.query.as_str(), one.outcome) {
        ("", TraceOutcome::Abstained) => "(nothing that fits was found, so its words are not kept)",
        ("", _) => searches::NEWEST,
        (query, _) => query,
    }
}

fn shown(trace: &AnswerTrace) -> String {
    let one = &trace.summary;
    let mut parts = vec![format!("{} asked at {}: {}", one.actor_name, iso_time(one.created_at), asked(one))];
    let Some(recall) = &trace.recall else {
        parts.push("What this trace told was forgotten.".to_owned());
        return parts.join("\n");
    };
    let with = searches::asked_with(&recall.asked);
    if !with.is_empty() {
        parts.push(format!("Asked for: {}", with.join(", ")));
    }
    if let Some(error) = &recall.failed {
        parts.push(format!("The search failed: {error}"));
        return parts.join("\n");
    }
    let searched = [recall.indexes.join(", "), count(recall.spaces.len() as u64, "space")].join(" in ");
    parts.push(format!(
        "Searched {searched}; {} considered; it answers with {:.2} of 1, {:.2} is needed.",
        count(u64::from(recall.considered), "passage"),
        recall.answerability,
        recall.threshold
    ));
    parts.extend(recall.reranker.as_ref().map(|model| format!("The best passages were reranked by {model}.")));
    parts.extend(recall.reason.iter().chain(&recall.event_notice).cloned());
    let head = ["", "score", "signals", "memory", "why not"].map(str::to_owned).to_vec();
    let row = |at: usize, traced: &Traced| {
        let name = trace.memories.get(&traced.memory).cloned().unwrap_or_else(|| traced.memory.to_string());
        let gate = traced.gate.map_or(String::new(), |gate| gate.as_str().to_owned());
        vec![at.to_string(), format!("{:.4}", traced.score), signals(&traced.signals), name, gate]
    };
    let rows = recall.given.iter().chain(&recall.rejected).enumerate().map(|(at, traced)| row(at + 1, traced));
    parts.push(table(&[head].into_iter().chain(rows).collect::<Vec<_>>()));
    parts.extend(behind(&recall.behind));
    parts.extend((recall.forgotten > 0).then(|| format!("Forgotten since, and told no more: {}", recall.forgotten)));
    parts
        .extend(recall.given.iter().enumerate().filter_map(|(at, one)| Some(format!("{} {}", at + 1, named_by(one)?))));
    parts.extend(recall.given.iter().enumerate().filter_map(|(at, one)| led_back(at + 1, one)));
    if !recall.associated.is_empty() {
        parts.push(format!("{}:", text::CONNECTED));
        parts.push(connected(&recall.associated, &trace.memories));
    }
    let spent: Vec<String> = recall.timings.iter().map(|(step, ms)| format!("{step} {ms} ms")).collect();
    parts.push(spent.join(", "));
    parts.extend(trace.context.as_ref().map(|pack| format!("It went into the pack {pack}.")));
    parts.extend(trace.answer.as_ref().map(|answer| format!("What was answered: {answer}")));
    parts.extend(one.feedback.map(|feedback| format!("Said of it: {}", feedback.as_str())));
    parts.extend(trace.correction.as_ref().map(|right| format!("What is right: {right}")));
    parts.join("\n")
}

/// Whom or what the question names and a passage's memory names, too: what its signal `entity` is of.
fn named_by(one: &Traced) -> Option<String> {
    let name = |step: &PathStep| match step.entity_type {
        Some(is) => format!("{} ({is})", cell(&step.via)),
        None => cell(&step.via),
    };
    let names: Vec<String> = one.named.iter().map(name).collect();
    (!names.is_empty()).then(|| format!("names, as the question does: {}", names.join(", ")))
}

/// The text that a passage stands in, and the file that this was read from.
fn led_back(place: usize, one: &Traced) -> Option<String> {
    let view = one.view.as_ref()?;
    let file = one.artifact.as_ref().map_or(String::new(), |file| format!(" of the file {file}"));
    Some(format!("{place} stands in the text {view}{file}"))
}

/// What stands behind the passages that are told one by one: how many there are for each reason.
fn behind(all: &[TracedBehind]) -> Option<String> {
    let of = |gate: &Gate| {
        let many = all.iter().filter(|one| one.gate == *gate).count();
        (many > 0).then(|| format!("{many} {gate}"))
    };
    let told: Vec<String> = Gate::ALL.iter().filter_map(of).collect();
    (!told.is_empty()).then(|| format!("Behind them: {}", told.join(", ")))
}

/// What is connected with an answer: how much, by which way, and why it was not told.
fn connected(all: &[TracedAssociate], names: &BTreeMap<MemoryId, String>) -> String {
    let head = ["activation", "by", "memory", "why not"].map(str::to_owned).to_vec();
    let row = |one: &TracedAssociate| {
        let name = names.get(&one.memory).cloned().unwrap_or_else(|| one.memory.to_string());
        let gate = one.gate.map_or(String::new(), |gate| gate.as_str().to_owned());
        vec![format!("{:.4}", one.activation), text::way(&one.path).join(", then "), name, gate]
    };
    table(&[head].into_iter().chain(all.iter().map(row)).collect::<Vec<_>>())
}

/// The signals that there are, by their names in the answer's JSON.
fn signals(parts: &ScoreParts) -> String {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(parts) else { return String::new() };
    let one = |(name, value): (&String, &serde_json::Value)| match value.as_f64() {
        Some(number) if value.is_f64() => format!("{name} {number:.3}"),
        _ => format!("{name} {value}"),
    };
    fields.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What computing a trace again gave.
fn again(replayed: &TraceReplayed) -> String {
    let changed = if replayed.other_ranking.is_some() { "The ranking has changed since: the" } else { "The" };
    let differs: Vec<&str> = replayed.differs.iter().map(|part| part.called()).collect();
    match replayed.exact {
        true => {
            "The trace gives the same again: the order, the scores, what was left out and why, and how well it answers."
                .to_owned()
        }
        false => format!("{changed} trace does not give the same again. This differs: {}.", differs.join("; ")),
    }
}

fn compared(replayed: &TraceReplayed) -> String {
    let mut lines = vec![again(replayed)];
    if !replayed.as_told.is_empty() {
        lines.push("Taken as it was told:".to_owned());
        lines.extend(replayed.as_told.iter().map(|what| format!("  {what}")));
    }
    if let Some(error) = &replayed.failed {
        lines.push(format!("It could not be asked again: {error}"));
        return lines.join("\n");
    }
    lines.extend(replayed.other_reranker.clone());
    let place = |place: Option<u32>| place.map_or("not given".to_owned(), |place| format!("place {place}"));
    match replayed.changes.is_empty() {
        true => lines.push("Asked now, it gives the same memories in the same order.".to_owned()),
        false => lines.extend(
            replayed
                .changes
                .iter()
                .map(|one| format!("{}: {} then, {} now", one.memory, place(one.then), place(one.now))),
        ),
    }
    if replayed.abstained_then != replayed.abstains_now {
        let now = if replayed.abstains_now { "There is no answer any more." } else { "There is an answer now." };
        lines.push(now.to_owned());
    }
    lines.join("\n")
}

/// What came of a word on an answer, or of taking one back.
fn given(given: &FeedbackGiven, is_taken_back: bool) -> String {
    let noted = if is_taken_back { "Nothing is said of that answer any more." } else { "Noted." };
    let mut lines = vec![noted.to_owned()];
    let blamed = |one: &Blamed| {
        let claims = count(one.claims.len() as u64, "fact");
        format!("{:.0} % rests on {} ({}), with {claims}", one.share * 100.0, one.title, one.memory)
    };
    lines.extend(given.blamed.iter().map(blamed));
    if !given.proposed.is_empty() {
        lines.push(format!("{} to decide: umem held list", count(given.proposed.len() as u64, "proposal")));
    }
    if !given.withdrawn.is_empty() {
        let taken_back = count(given.withdrawn.len() as u64, "proposal");
        lines.push(format!("Taken back, as nobody decided it yet: {taken_back}"));
    }
    list(lines)
}

/// Why something is not among the passages.
pub(crate) fn why_not(told: &WhyNot) -> String {
    let mut lines = vec![told.reason.clone()];
    if !told.words_missing.is_empty() {
        lines.push(format!("Words that it does not have: {}", told.words_missing.join(", ")));
    }
    if let Some(traced) = &told.traced {
        let least = told.least_given.map_or(String::new(), |least| format!("; the last given has {least:.4}"));
        lines.push(format!("Its score is {:.4}{least} ({})", traced.score, signals(&traced.signals)));
        lines.extend(named_by(traced).map(|named| format!("It {named}")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_nothing_is_listed_says_of_what() {
        let check = |space: Option<&str>, outcome, with_feedback, expected: &str| {
            let space = space.map(str::to_owned);
            let asked_for = TracesList { space, outcome, with_feedback, ..TracesList::default() };
            let none = TracesListed { traces: Vec::new(), more: false };
            assert_eq!(listed(&none, &asked_for), expected);
        };
        let nothing = "Nothing was asked yet, or what was asked is older than traces are kept.";
        check(None, None, false, nothing);
        check(None, Some(TraceOutcome::Error), false, "Of what is kept, nothing ended as error.");
        check(None, None, true, "Of what is kept, nothing was said to be right or wrong.");
        let both = "Of what is kept, nothing was asked of Boats and ended as abstained.";
        check(Some("Boats"), Some(TraceOutcome::Abstained), false, both);
        let (query, actor) = (Some("spare key".to_owned()), Some("robo".to_owned()));
        let asked_for = TracesList { query, actor, since: Some(0), until: Some(86_400_000), ..TracesList::default() };
        let told = none_listed(&asked_for);
        assert!(
            told.starts_with(
                "Of what is kept, nothing has \"spare key\" and was asked by robo and was asked since 1970-01-01"
            ),
            "{told}"
        );
        assert!(told.contains(" and was asked before 1970-01-02"), "{told}");
    }

    #[test]
    fn whom_a_question_names_is_told_with_the_signals() {
        let id = um_model::OWNER_AGENT;
        let check = |named: serde_json::Value, says: Option<&str>| {
            let one = serde_json::json!({"unit": id, "memory": id, "space": id, "score": 1.0, "signals": {"entity": 1.0}, "named": named});
            let traced: Traced = serde_json::from_value(one).unwrap();
            assert_eq!(named_by(&traced).as_deref(), says);
            let told =
                serde_json::json!({"lost": "given", "reason": "It is there.", "words_missing": [], "traced": traced});
            let line = says.map(|says| format!("It {says}"));
            assert_eq!(why_not(&serde_json::from_value(told).unwrap()).lines().nth(2), line.as_deref());
        };
        let step = |name: &str, more: serde_json::Value| {
            let mut step = serde_json::json!({"from": id, "basis": "entity", "via": name});
            step.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            step
        };
        check(serde_json::json!([]), None);
        let two =
            [step("Ana\nRuiz", serde_json::json!({"entity_type": "person"})), step("Halden", serde_json::json!({}))];
        check(two.to_vec().into(), Some("names, as the question does: Ana Ruiz (person), Halden"));
    }

    #[test]
    fn a_list_goes_on_as_it_began() {
        let id = um_model::OWNER_AGENT;
        let one = serde_json::json!({"id": id, "query": "ferry", "space_id": id, "actor_id": id, "actor_name": "owner",
            "outcome": "success", "created_at": 0});
        let found = TracesListed { traces: vec![serde_json::from_value(one).unwrap()], more: true };
        let check = |asked_for: TracesList, flags: &str| {
            let told = listed(&found, &asked_for);
            assert!(told.ends_with(&format!("There are more: umem trace list{flags} --after {id}")), "{told}");
        };
        check(TracesList::default(), "");
        let diary = TracesList { space: Some("Diary".to_owned()), limit: Some(3), ..TracesList::default() };
        check(diary.clone(), " --space Diary --limit 3");
        let outcome = Some(TraceOutcome::Success);
        let all = TracesList { outcome, with_feedback: true, space: Some("My Diary".to_owned()), ..diary };
        check(all, " --space 'My Diary' --outcome success --limit 3 --with-feedback");
        let (query, actor) = (Some("spare key".to_owned()), Some("robo".to_owned()));
        let (since, until) = (Some(1_700_000_000_000), Some(1_700_086_400_000));
        let found_again = TracesList { query, actor, since, until, ..TracesList::default() };
        check(found_again, " --query 'spare key' --actor robo --since 1700000000000 --until 1700086400000");
    }

    #[test]
    fn only_another_ranking_is_told_as_one() {
        const RERANKED: &str = "The best passages were reranked by one then, and by other now.";
        let check = |exact: bool, other: Option<&str>, begins: &str, is_changed: bool| {
            let replayed = TraceReplayed {
                replayed: Vec::new(),
                exact,
                differs: if exact { Vec::new() } else { vec![ReplayPart::Scores, ReplayPart::Gates] },
                as_told: Vec::new(),
                other_ranking: other.map(str::to_owned),
                other_reranker: other.map(|_| RERANKED.to_owned()),
                failed: None,
                now: Vec::new(),
                changes: Vec::new(),
                abstained_then: false,
                abstains_now: false,
            };
            let told = compared(&replayed);
            assert!(told.starts_with(begins), "{told}");
            assert_eq!(told.contains("The ranking has changed"), is_changed, "{told}");
            assert_eq!(told.lines().nth(1) == Some(RERANKED), other.is_some(), "{told}");
        };
        check(true, None, "The trace gives the same again: ", false);
        check(true, Some("2"), "The trace gives the same again: ", false);
        check(false, Some("2"), "The ranking has changed since: ", true);
        let what = "The trace does not give the same again. This differs: the scores; what was left out and why.";
        check(false, None, what, false);
    }
}
