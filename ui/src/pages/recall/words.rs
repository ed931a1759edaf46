//! How an answer came about, in the words that a person reads.

use crate::{
    dates::{DAY, local_day},
    format::{modality_name, percent, sentence},
};
use std::{cmp::Reverse, collections::BTreeMap, ops::Range};
use um_model::{
    EpochMs, Tier,
    recall::{EventTaken, MemoryRecall},
    traces::{Feedback, Gate, RankChange, RecallTrace, TraceOutcome, TracedBehind},
    work::{RecallWarning, VerificationWarning, WarningKind},
};

/// Why a passage that was found was not given.
pub fn gate(gate: Gate) -> &'static str {
    match gate {
        Gate::BeyondLimit => "Others fit better",
        Gate::SameMemory => "A better passage of the same source was given",
        Gate::Duplicate => "It says the same as one that was given",
        Gate::WeakMeaning => "Only its meaning is near, and not near enough",
        Gate::WeakActivation => "It only came along with others, which carry too little",
        Gate::Chatter => "It speaks of asking or remembering, not of the matter",
        Gate::LowInformation => "It has hardly any words, and says nothing by itself",
        Gate::Stale => "Nobody confirmed it for long, and one that was given says much the same",
        Gate::OtherFacet => "It happened at another time",
    }
}

/// What stands behind the passages that are told one by one: how many there are for each reason.
pub fn behind(all: &[TracedBehind]) -> Option<String> {
    let gates: Vec<Gate> = all.iter().map(|one| one.gate).collect();
    (!gates.is_empty()).then(|| format!("Behind them: {}.", counted(&gates)))
}

/// How many of what was passed over were forgotten since; none where none were.
pub fn forgotten(number: u32) -> Option<String> {
    (number > 0).then(|| format!("Forgotten since, and told no more: {number}."))
}

/// What left others out of an answer, for each reason how many, beside a passage that was given: it stood all that. Where nothing is
/// called an answer, how far what was found is from one.
pub fn left_out(recall: &RecallTrace) -> Option<String> {
    if recall.answerability < recall.threshold {
        let sure = sure(recall.answerability, recall.threshold);
        return Some(format!("Nothing found is sure enough to be an answer: {sure}."));
    }
    let rejected = recall.rejected.iter().filter_map(|one| one.gate);
    let gates: Vec<Gate> = rejected.chain(recall.behind.iter().map(|one| one.gate)).collect();
    (!gates.is_empty()).then(|| format!("It passed what left others out: {}.", counted(&gates)))
}

/// How sure an answer is, in words: `62 %, above the 40 % that an answer needs`.
pub fn sure(answerability: f64, threshold: f64) -> String {
    let (is, needs) = (percent(answerability), percent(threshold));
    let than = match (answerability >= threshold, is == needs) {
        (true, true) => "enough for",
        (true, false) => "above",
        // Rounded they are the same, and one is less all the same.
        (false, true) => "just below",
        (false, false) => "below",
    };
    format!("{is}, {than} the {needs} that an answer needs")
}

/// Each reason with how many there are of it: `1 repeated another, 2 were too far in meaning`.
fn counted(gates: &[Gate]) -> String {
    let of = |why: &Gate| match gates.iter().filter(|one| *one == why).count() {
        0 => None,
        many => Some(format!("{many} {}", left_for(*why, many == 1))),
    };
    Gate::ALL.iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

/// What is said behind the number of those that were left out for one reason.
fn left_for(gate: Gate, is_one: bool) -> &'static str {
    match (gate, is_one) {
        (Gate::BeyondLimit, _) => "fitted less well",
        (Gate::SameMemory, true) => "stood behind a better passage of its source",
        (Gate::SameMemory, false) => "stood behind a better passage of their source",
        (Gate::Duplicate, true) => "repeated another",
        (Gate::Duplicate, false) => "repeated others",
        (Gate::WeakMeaning, true) => "was too far in meaning",
        (Gate::WeakMeaning, false) => "were too far in meaning",
        (Gate::WeakActivation, true) => "only came along with others and was too weak",
        (Gate::WeakActivation, false) => "only came along with others and were too weak",
        (Gate::Chatter, _) => "spoke of asking or remembering and not of the matter",
        (Gate::LowInformation, _) => "had hardly any words",
        (Gate::Stale, true) => "was long unconfirmed and said much the same as another",
        (Gate::Stale, false) => "were long unconfirmed and said much the same as others",
        (Gate::OtherFacet, _) => "happened at another time",
    }
}

/// How a question ended.
pub fn outcome(outcome: TraceOutcome) -> &'static str {
    match outcome {
        TraceOutcome::Success => "Answered",
        TraceOutcome::Abstained => "No answer",
        TraceOutcome::Error => "Failed",
    }
}

/// What somebody thought of an answer.
pub fn feedback(feedback: Feedback) -> &'static str {
    match feedback {
        Feedback::Positive => "right",
        Feedback::Negative => "wrong",
        Feedback::Correction => "corrected",
    }
}

/// What was searched: `words`, `meaning`, `time`, `what was in use then` or `what is cold`, as a trace names it.
pub fn index(name: &str) -> String {
    match name {
        "words" => "its words".into(),
        "meaning" => "its meaning".into(),
        "time" => "its time".into(),
        "what is cold" => "what is out of the way".into(),
        other => other.replace('_', " "),
    }
}

/// What tells how well an answer fits, as a trace names it; in this order.
const ANSWER_PARTS: [(&str, &str); 5] = [
    ("share", "Words of the question in it"),
    ("cosine", "Nearness of its meaning"),
    ("said", "Said by whom the question names"),
    // Of traces of earlier versions, which told it though it was no part of how well an answer fits.
    ("ahead", "Ahead of the next passage"),
    ("unheld", "Numbers and names as you wrote them that nothing holds"),
];

/// What tells how well an answer fits, by its names in words. What is 0 tells nothing, and is left out.
pub fn answer_parts(parts: &BTreeMap<String, f64>) -> Vec<(String, f64)> {
    let place = |name: &str| ANSWER_PARTS.iter().position(|(one, _)| *one == name).unwrap_or(ANSWER_PARTS.len());
    let mut told: Vec<(&String, &f64)> = parts.iter().filter(|(_, value)| **value != 0.0).collect();
    told.sort_by_key(|(name, _)| place(name));
    let in_words = |name: &str| match ANSWER_PARTS.get(place(name)) {
        Some((_, words)) => (*words).to_owned(),
        None => sentence(&name.replace('_', " ")),
    };
    told.into_iter().map(|(name, value)| (in_words(name), *value)).collect()
}

/// A step that took its time, as a trace names it.
pub fn step(name: &str) -> String {
    match name {
        "filter" => "Narrow down".into(),
        "words" => "Search by words".into(),
        "question" => "Read the question".into(),
        "embed" => "Find its meaning".into(),
        "meaning" => "Search by meaning".into(),
        "wait" => "Wait for its turn".into(),
        "entities" => "Look up names".into(),
        "event" => "Look up when it was".into(),
        "fuse" => "Put in order".into(),
        "rerank" => "Read the best again".into(),
        "cite" => "Quote".into(),
        "associate" => "Look for what is connected".into(),
        "total" => "In all".into(),
        other => sentence(&other.replace('_', " ")),
    }
}

/// A time that was spent: `0.4 ms`, `12 ms`, `1.3 s`.
pub fn spent(ms: f64) -> String {
    match ms {
        short if short < 10.0 => format!("{short:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        long => format!("{:.1} s", long / 1000.0),
    }
}

/// A period before now: `past week`, `past 14 days`.
pub fn past(days: u32) -> String {
    match days {
        1 => "past day".into(),
        7 => "past week".into(),
        31 => "past month".into(),
        365 => "past year".into(),
        days => format!("past {days} days"),
    }
}

/// How near at hand something is.
pub fn at_hand(tier: Tier) -> &'static str {
    match tier {
        Tier::Hot => "close at hand",
        Tier::Warm => "at hand",
        Tier::Cold => "put out of the way",
    }
}

/// What narrowed a question down, each in a few words. `day` writes a moment as its day. A day that was asked of is that of the clock
/// by which it was asked, wherever it is told: `numbered` writes it.
pub fn narrowed(recall: &MemoryRecall, day: fn(EpochMs) -> String, numbered: fn(i64) -> String) -> Vec<String> {
    let one = |lead: &str, all: &[String]| all.iter().map(|text| format!("{lead}{text}")).collect::<Vec<_>>();
    let mut out: Vec<String> = recall.modalities.iter().map(|m| modality_name(*m).to_owned()).collect();
    out.extend(recall.mails.then(|| "Mail".to_owned()));
    out.extend(one("from ", &recall.from));
    out.extend(one("tag ", &recall.tags));
    out.extend(recall.tiers.iter().map(|tier| at_hand(*tier).to_owned()));
    out.extend(recall.phrases.iter().map(|phrase| format!("with \"{phrase}\"")));
    out.extend(one("without ", &recall.without));
    out.extend(recall.past_days.map(past));
    out.extend(recall.since.map(|at| format!("from {} on", day(at))));
    // The day of the last moment that counts: days are not all equally long.
    out.extend(recall.until.map(|at| format!("until {}", day(at.saturating_sub(1)))));
    let asked_of = |at| numbered(local_day(at, recall.utc_offset));
    out.extend(recall.as_of.map(|at| format!("as of {}", asked_of(at))));
    out.extend(recall.known_at.map(|at| format!("as it was known on {}", asked_of(at))));
    out
}

/// Which days an event that a question names was taken to be. `day` writes a moment as its day.
pub fn taken(event: &EventTaken, day: fn(EpochMs) -> String) -> String {
    let phrase = event.phrase.trim();
    match (event.from, event.until.map(|until| until - 1)) {
        (Some(from), Some(until)) if until - from < DAY => format!("\"{phrase}\" was taken to be {}", day(from)),
        (Some(from), Some(until)) => format!("\"{phrase}\" was taken to be {} to {}", day(from), day(until)),
        (Some(from), None) => format!("\"{phrase}\" was taken to be {} and later", day(from)),
        (None, Some(until)) => format!("\"{phrase}\" was taken to be until {}", day(until)),
        (None, None) => format!("\"{phrase}\" was taken for no day"),
    }
}

/// How a check of an item came out that it did not pass: `Rotate keys was checked, and came out as stale: no such key`.
pub fn checked(one: &VerificationWarning) -> String {
    let detail = one.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
    let title = match one.target.title.as_str() {
        "" => "An item without a title",
        title => title,
    };
    format!("{title} was checked, and came out as {}{detail}", one.status)
}

/// What speaks against relying on an item: `Gates: gate.txt says something else`.
pub fn careful(one: &RecallWarning) -> String {
    match one.target.title.as_str() {
        "" => warns(one),
        title => format!("{title}: {}", warns(one)),
    }
}

/// A warning as the person reads it, who alone decides.
pub fn warns(one: &RecallWarning) -> String {
    match one.kind {
        WarningKind::DecidedAgainst => "You decided against what this says.".to_owned(),
        _ => one.message.clone(),
    }
}

/// How long it is kept how answers came about.
pub fn kept_for(days: u32) -> String {
    match days {
        0 => "How answers came about is not kept.".into(),
        1 => "How each answer came about is kept for 1 day.".into(),
        days => format!("How each answer came about is kept for {days} days."),
    }
}

/// How a place changed: `new in place 2`, `from place 1 to 3`, `no longer there (was in place 2)`.
pub fn change(change: &RankChange) -> String {
    match (change.then, change.now) {
        (Some(then), Some(now)) => format!("from place {then} to {now}"),
        (None, Some(now)) => format!("new, in place {now}"),
        (Some(then), None) => format!("no longer there, was in place {then}"),
        (None, None) => "not there".into(),
    }
}

/// The words of a question without what narrows it down: `lease from:ana -flat` asks for `lease`.
pub fn bare(query: &str) -> String {
    const FIELDS: [&str; 6] = ["from:", "tag:", "type:", "tier:", "before:", "after:"];
    let mut out: Vec<&str> = Vec::new();
    let mut in_quotes = false;
    for word in query.split_whitespace() {
        let lower = word.to_lowercase();
        let narrows = FIELDS.iter().any(|field| lower.starts_with(field) && lower.len() > field.len());
        let without = word.starts_with('-') && word.len() > 1;
        let quotes = word.matches('"').count();
        if in_quotes {
            in_quotes = quotes % 2 == 0;
        } else if narrows || without {
            // What stands in quotes behind a field belongs to it.
            in_quotes = quotes % 2 == 1;
        } else {
            out.push(word.trim_matches('"'));
        }
    }
    out.join(" ")
}

/// A question as it would be typed, with what has no field of its own: `"cold rent" now -"flat"`.
pub fn typed(asked: &MemoryRecall) -> String {
    // What was typed in quotes stands among the words, too: between spaces, as it was typed.
    let mut quoted = in_quotes(&asked.query, &asked.phrases);
    let apart = asked.phrases.iter().zip(&quoted).filter(|(_, at)| at.is_none());
    let apart: String = apart.map(|(phrase, _)| format!(" \"{phrase}\"")).collect();
    quoted.sort_by_key(|at| at.as_ref().map(|at| at.start));
    let (mut query, mut done) = (String::new(), 0);
    for at in quoted.into_iter().flatten() {
        query += &format!("{}\"{}\"", &asked.query[done..at.start], &asked.query[at.clone()]);
        done = at.end;
    }
    query += &asked.query[done..];
    let without: String = asked.without.iter().map(|words| format!(" -\"{words}\"")).collect();
    let tiers: String = asked.tiers.iter().map(|tier| format!(" tier:{tier}")).collect();
    format!("{query}{apart}{without}{tiers}").trim().to_owned()
}

/// Where each phrase stands in a text, none inside or across another one.
fn in_quotes(text: &str, phrases: &[String]) -> Vec<Option<Range<usize>>> {
    let mut taken = vec![None; phrases.len()];
    let mut longest_first: Vec<usize> = (0..phrases.len()).collect();
    longest_first.sort_by_key(|number| Reverse(phrases[*number].len()));
    for number in longest_first {
        let at = alone(text, &phrases[number], &taken);
        taken[number] = at;
    }
    taken
}

/// Where words first stand in a text with nothing but spaces around them, apart from what is taken.
fn alone(text: &str, words: &str, taken: &[Option<Range<usize>>]) -> Option<Range<usize>> {
    let is_alone = |at: &Range<usize>| {
        let (before, after) = (&text[..at.start], &text[at.end..]);
        let ends = before.chars().next_back().is_none_or(char::is_whitespace);
        ends && after.chars().next().is_none_or(char::is_whitespace)
    };
    let is_free = |at: &Range<usize>| taken.iter().flatten().all(|one| at.end <= one.start || one.end <= at.start);
    text.match_indices(words).map(|(at, _)| at..at + words.len()).find(|at| is_alone(at) && is_free(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dates::end_of;

    #[test]
    fn a_question_is_told_from_what_narrows_it_down() {
        for (query, asked) in [
            ("where is the lease", "where is the lease"),
            ("lease from:ana type:pdf tier:cold -flat", "lease"),
            ("from:\"Ana Lima\" rent before:2025-06", "rent"),
            ("\"cold rent\" now", "cold rent now"),
            ("from: ana", "from: ana"),
            ("a - b", "a - b"),
        ] {
            assert_eq!(bare(query), asked, "{query}");
        }
    }

    #[test]
    fn a_warning_speaks_to_the_person() {
        for (kind, title, says) in [
            ("stale", "", "It is so."),
            ("stale", "Ferry", "Ferry: It is so."),
            ("decided_against", "", "You decided against what this says."),
            ("decided_against", "Ferry", "Ferry: You decided against what this says."),
        ] {
            let space = um_model::SpaceId::default_project();
            let target = serde_json::json!({"item_type": "memory", "id": "m", "space_id": space, "title": title});
            let warning =
                serde_json::json!({"id": "0123456789abcdef", "kind": kind, "target": target, "message": "It is so."});
            assert_eq!(careful(&serde_json::from_value(warning).unwrap()), says, "{kind} {title}");
        }
    }

    #[test]
    fn what_was_searched_is_told_in_words() {
        for (name, told) in [
            ("words", "its words"),
            ("meaning", "its meaning"),
            ("time", "its time"),
            ("what was in use then", "what was in use then"),
            ("what is cold", "what is out of the way"),
            ("of_another_version", "of another version"),
        ] {
            assert_eq!(index(name), told);
        }
    }

    #[test]
    fn a_question_is_typed_again_with_what_has_no_field() {
        let cold = MemoryRecall { query: "rent".into(), tiers: vec![um_model::Tier::Cold], ..MemoryRecall::default() };
        assert_eq!(typed(&cold), "rent tier:cold");
        let asked = |query: &str, phrases: &[&str], without: &[&str]| {
            let all = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
            typed(&MemoryRecall {
                query: query.into(),
                phrases: all(phrases),
                without: all(without),
                ..MemoryRecall::default()
            })
        };
        assert_eq!(asked("where is the lease", &[], &[]), "where is the lease");
        assert_eq!(asked("cold rent now", &["cold rent"], &["flat"]), "\"cold rent\" now -\"flat\"");
        assert_eq!(asked("rent", &["cold rent"], &[]), "rent \"cold rent\"");
        assert_eq!(asked("party art", &["art"], &[]), "party \"art\"");
        assert_eq!(asked("party", &["art"], &[]), "party \"art\"");
        assert_eq!(asked("art-nouveau art", &["art"], &[]), "art-nouveau \"art\"");
        assert_eq!(asked("cold rent rent", &["cold rent", "rent"], &[]), "\"cold rent\" \"rent\"");
        for phrases in [["cold rent now", "rent"], ["rent", "cold rent now"]] {
            assert_eq!(asked("cold rent now rent", &phrases, &[]), "\"cold rent now\" \"rent\"");
            assert_eq!(asked("cold rent now", &phrases, &[]), "\"cold rent now\" \"rent\"");
        }
        assert_eq!(asked("cold rent", &["rent", "cold"], &[]), "\"cold\" \"rent\"");
        assert_eq!(asked("rent rent", &["rent", "rent"], &[]), "\"rent\" \"rent\"");
        assert_eq!(asked("", &[], &["two rooms"]), "-\"two rooms\"");
    }

    #[test]
    fn filters_are_told_in_words() {
        let recall = MemoryRecall {
            from: vec!["ana".into()],
            tiers: vec![um_model::Tier::Cold],
            phrases: vec!["cold rent".into()],
            without: vec!["flat".into()],
            modalities: vec![um_model::Modality::Pdf],
            // At nine in the morning there.
            until: Some(2 * DAY + DAY / 4),
            past_days: Some(7),
            utc_offset: -480,
            as_of: Some(end_of(5, -480)),
            ..MemoryRecall::default()
        };
        // As 3 hours east of Greenwich.
        let told = narrowed(&recall, |at| format!("day {}", (at + DAY / 8) / DAY), |day| format!("day {day}"));
        assert_eq!(
            told,
            [
                "PDF",
                "from ana",
                "put out of the way",
                "with \"cold rent\"",
                "without flat",
                "past week",
                "until day 2",
                "as of day 5"
            ]
        );
        assert_eq!(past(14), "past 14 days");
    }

    #[test]
    fn what_stands_further_behind_is_counted() {
        let of = |gate| TracedBehind { number: 1, score: 0.5, gate };
        assert_eq!(behind(&[]), None);
        let told = behind(&[of(Gate::SameMemory), of(Gate::BeyondLimit), of(Gate::BeyondLimit)]);
        let says = "Behind them: 2 fitted less well, 1 stood behind a better passage of its source.";
        assert_eq!(told.as_deref(), Some(says));
    }

    #[test]
    fn a_passage_says_what_left_others_out() {
        let id = um_model::OWNER_AGENT;
        let told = |answerability: f64, rejected: &[Gate], further: &[Gate]| {
            let one = |gate: &Gate| serde_json::json!({"unit": id, "memory": id, "space": id, "score": 0.5, "signals": {}, "gate": gate});
            let rejected: Vec<_> = rejected.iter().map(one).collect();
            let further: Vec<_> =
                further.iter().map(|gate| TracedBehind { number: 1, score: 0.5, gate: *gate }).collect();
            let trace = serde_json::json!({"ranking": "", "asked": {"query": "boat"}, "words": [], "spaces": [], "indexes": [],
                "considered": 9, "given": [], "rejected": rejected, "behind": further, "answerability": answerability,
                "answer_parts": {}, "threshold": 0.2, "notices": [], "timings": {}});
            left_out(&serde_json::from_value(trace).unwrap())
        };
        let check = |rejected: &[Gate], further: &[Gate], says: Option<&str>| {
            assert_eq!(told(0.2, rejected, further).as_deref(), says);
            let not_sure = "Nothing found is sure enough to be an answer: 10 %, below the 20 % that an answer needs.";
            assert_eq!(told(0.1, rejected, further).as_deref(), Some(not_sure));
        };
        check(&[], &[], None);
        assert_eq!((forgotten(0), forgotten(2)), (None, Some("Forgotten since, and told no more: 2.".to_owned())));
        let says = "It passed what left others out: 2 fitted less well, 1 repeated another.";
        check(&[Gate::BeyondLimit, Gate::Duplicate], &[Gate::BeyondLimit], Some(says));
        let says = "It passed what left others out: 2 repeated others, 1 was too far in meaning.";
        check(&[Gate::Duplicate, Gate::WeakMeaning], &[Gate::Duplicate], Some(says));
    }

    #[test]
    fn how_sure_is_told_beside_what_an_answer_needs() {
        assert_eq!(sure(0.62, 0.4), "62 %, above the 40 % that an answer needs");
        assert_eq!(sure(0.1, 0.4), "10 %, below the 40 % that an answer needs");
        assert_eq!(sure(0.1996, 0.2), "20 %, just below the 20 % that an answer needs");
        assert_eq!(sure(0.2, 0.2), "20 %, enough for the 20 % that an answer needs");
        assert_eq!(sure(0.2004, 0.2), "20 %, enough for the 20 % that an answer needs");
    }

    #[test]
    fn what_tells_how_well_an_answer_fits_is_told_in_words() {
        let parts = [("ahead", 1.04), ("said", 0.0), ("share", 1.0), ("some_more", 0.5)];
        let parts = parts.map(|(name, value)| (name.to_owned(), value)).into();
        let told = [("Words of the question in it", 1.0), ("Ahead of the next passage", 1.04), ("Some more", 0.5)];
        assert_eq!(answer_parts(&parts), told.map(|(words, value)| (words.to_owned(), value)));
    }

    #[test]
    fn how_a_check_came_out_is_told() {
        let id = um_model::OWNER_AGENT;
        let check = |title: &str, status: &str, detail: Option<&str>, says: &str| {
            let target = serde_json::json!({ "item_type": "entry", "id": id, "space_id": id, "title": title });
            let told = serde_json::json!({ "target": target, "space_id": id, "status": status, "checker": "agent",
                "detail": detail, "checked_at": 0 });
            assert_eq!(checked(&serde_json::from_value(told).unwrap()), says);
        };
        let stale = "Rotate keys was checked, and came out as stale: no such key";
        check("Rotate keys", "stale", Some("no such key"), stale);
        for status in ["failed", "unknown", "warning"] {
            check("Rotate keys", status, None, &format!("Rotate keys was checked, and came out as {status}"));
        }
        check("", "failed", None, "An item without a title was checked, and came out as failed");
    }

    #[test]
    fn how_long_it_is_kept_is_told_by_the_setting() {
        assert_eq!(kept_for(0), "How answers came about is not kept.");
        assert_eq!(kept_for(1), "How each answer came about is kept for 1 day.");
        assert_eq!(kept_for(90), "How each answer came about is kept for 90 days.");
    }

    #[test]
    fn changes_and_times_are_told_in_words() {
        let memory = || um_model::MemoryId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b").unwrap();
        for (then, now, told) in [
            (Some(1), Some(3), "from place 1 to 3"),
            (None, Some(2), "new, in place 2"),
            (Some(2), None, "no longer there, was in place 2"),
        ] {
            assert_eq!(change(&RankChange { memory: memory(), then, now }), told);
        }
        for (ms, told) in [(0.42, "0.4 ms"), (12.3, "12 ms"), (1_340.0, "1.3 s")] {
            assert_eq!(spent(ms), told);
        }
        assert_eq!(step("rerank_pairs"), "Rerank pairs");
    }
}
