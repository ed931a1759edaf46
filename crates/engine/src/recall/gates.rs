//! The gates: what a search found and what is not worth giving, each with its reason. What was replaced or removed is in no index
//! and comes to no gate; relations between memories only warn (ruling 33).

use super::dates::Named;
use super::features::Features;
use super::fuse::{Candidate, Wanted};
use std::hash::{DefaultHasher, Hasher};
use um_model::EpochMs;
use um_model::traces::Gate;
use unicode_segmentation::UnicodeSegmentation;

/// A passage without any of the words, and of less than this cosine, is not near enough.
const WEAK_MEANING: f64 = 0.1;
/// One that no search found, and that came along with its neighbours, needs as much by itself.
const WEAK_ACTIVATION: f64 = 0.02;
/// Passages that have so much of their words in common say the same.
const SAME: f64 = 0.9;
/// Of two that have so much in common, one that nobody confirmed for long is left out.
const ALIKE: f64 = 0.6;
/// What answers with so few words says nothing by itself.
const FEW: usize = 3;

/// What is known of a passage at a gate.
pub(super) struct Passing<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) features: &'a Features,
    pub(super) text: &'a str,
    pub(super) occurred_at: Option<EpochMs>,
}

/// Why a passage is not given, by itself; none where it may be.
pub(super) fn gate(passing: &Passing<'_>, wanted: &Wanted) -> Option<Gate> {
    let Passing { candidate, features, text, .. } = passing;
    let parts = &candidate.parts;
    let has_words = parts.words.is_some();
    let cosine = parts.cosine.unwrap_or(0.0);
    let came_along = parts.bm25_rank.is_none() && parts.vector_rank.is_none();
    if is_of_another_time(passing, wanted) {
        return Some(Gate::OtherFacet);
    }
    if features.asks && is_chatter(text) && !wanted.about_memory {
        return Some(Gate::Chatter);
    }
    if features.words <= FEW && parts.reply.is_none() && !has_words && !tells_anything(text) {
        return Some(Gate::LowInformation);
    }
    if came_along && parts.cosine.is_some() && cosine < WEAK_ACTIVATION && parts.reply.is_none() {
        return Some(Gate::WeakActivation);
    }
    (!came_along && !has_words && cosine < WEAK_MEANING && parts.reply.is_none()).then_some(Gate::WeakMeaning)
}

/// Whether what a gate keeps back is what was asked for, rather than merely near it.
pub(super) fn is_found(gate: Gate) -> bool {
    !matches!(gate, Gate::WeakMeaning | Gate::WeakActivation)
}

/// A gate, as a person is told.
pub(super) fn in_words(gate: Gate) -> &'static str {
    match gate {
        Gate::BeyondLimit => "Others fit better.",
        Gate::SameMemory => "Another passage of it was given.",
        Gate::Duplicate => "It says the same as one that was given.",
        Gate::WeakMeaning => "Only its meaning is near, and not near enough.",
        Gate::WeakActivation => "It only came along with others, and they carry too little.",
        Gate::Chatter => "It speaks of remembering or searching, not of the matter.",
        Gate::LowInformation => "It is too short to say anything by itself.",
        Gate::Stale => "Nobody has seen it confirmed for long, or its source has changed.",
        Gate::OtherFacet => "It happened in another year than the one that the question names.",
    }
}

/// The question names a year, and it happened in another one and tells of no other time.
fn is_of_another_time(passing: &Passing<'_>, wanted: &Wanted) -> bool {
    let year = match wanted.date {
        Some(Named::Year(year) | Named::Month { year: Some(year), .. } | Named::Day { year: Some(year), .. }) => year,
        _ => return false,
    };
    let of = passing.occurred_at.map(super::dates::year_of);
    !passing.features.mentions_time && of.is_some_and(|of| (of - year).abs() > 1)
}

/// Whether a question is about what is remembered rather than about the matter: `Do you remember …?`, asked of somebody or of a
/// program, and kept as it was said.
fn is_chatter(text: &str) -> bool {
    const ABOUT: [&str; 6] = [
        "do you remember",
        "can you remember",
        "can you recall",
        "search your memory",
        "search my memory",
        "what do you know about",
    ];
    let lower = text.to_lowercase();
    ABOUT.iter().any(|words| lower.contains(words))
}

/// Whether a question is about remembering itself.
pub(super) fn is_about_memory(question: &str) -> bool {
    question
        .unicode_words()
        .any(|word| word.to_lowercase().starts_with("remember") || word.eq_ignore_ascii_case("memory"))
}

/// A number or a name tells something, however short.
fn tells_anything(text: &str) -> bool {
    let said = text.rsplit_once(": ").map_or(text, |(_, said)| said);
    let mut words = said.unicode_words();
    let first_is_number = words.next().is_some_and(|word| word.contains(|c: char| c.is_numeric()));
    first_is_number || words.any(|word| word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_numeric()))
}

/// What turns what is said into something else.
const NEGATIONS: [&str; 8] = ["cannot", "neither", "never", "no", "nobody", "none", "nor", "not"];

/// What was given, to compare the next with.
#[derive(Default)]
pub(super) struct Given(Vec<Words>);

/// The words of a passage, each once: their hashes, in order.
struct Words {
    all: Vec<u64>,
    /// Those of them without which it says something else: numbers and negations.
    telling: Vec<u64>,
}

impl Given {
    /// Whether a passage says what was given already; if not, it is given.
    pub(super) fn repeats(&mut self, text: &str, is_stale: bool) -> Option<Gate> {
        let words = words(text);
        let shares: Vec<f64> = self.0.iter().map(|given| overlap(&given.all, &words.all)).collect();
        let says_same = |(given, share): (&Words, &f64)| *share >= SAME && given.telling == words.telling;
        if self.0.iter().zip(&shares).any(says_same) {
            return Some(Gate::Duplicate);
        }
        if is_stale && shares.iter().any(|share| *share >= ALIKE) {
            return Some(Gate::Stale);
        }
        self.0.push(words);
        None
    }
}

fn words(text: &str) -> Words {
    let (mut all, mut telling) = (Vec::new(), Vec::new());
    for word in text.unicode_words() {
        let mut hasher = DefaultHasher::new();
        word.chars().flat_map(char::to_lowercase).for_each(|letter| hasher.write_u32(u32::from(letter)));
        let hash = hasher.finish();
        all.push(hash);
        if is_telling(word) {
            telling.push(hash);
        }
    }
    for words in [&mut all, &mut telling] {
        words.sort_unstable();
        words.dedup();
    }
    Words { all, telling }
}

/// Whether a word is a number, or has one, or denies.
fn is_telling(word: &str) -> bool {
    let denies = |one: &&str| word.eq_ignore_ascii_case(one);
    let ends = |end: &str| {
        let last = word.len().checked_sub(end.len()).and_then(|at| word.get(at..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    word.contains(char::is_numeric) || NEGATIONS.iter().any(denies) || ends("n't") || ends("n’t")
}

/// The share that two sets have in common (Jaccard). Sets of a few words are never the same.
fn overlap(one: &[u64], other: &[u64]) -> f64 {
    // No more than the smaller one can be in both.
    if (one.len().min(other.len()) as f64) < ALIKE * one.len().max(other.len()) as f64 {
        return 0.0;
    }
    let (mut both, mut at) = (0, 0);
    for word in one {
        at += other[at..].iter().take_while(|next| *next < word).count();
        both += usize::from(other.get(at) == Some(word));
    }
    let all = one.len() + other.len() - both;
    if all <= 2 * FEW { 0.0 } else { both as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::recall::ScoreParts;

    fn check(text: &str, parts: ScoreParts, question: &str, expected: Option<Gate>) {
        let candidate = Candidate { rid: 1, score: 1.0, parts };
        let features = Features::of(text);
        let question = super::super::words::Question::parse(question);
        let wanted = Wanted::of(&question, 0);
        // 7 May 2023.
        let occurred_at = Some(1_683_460_000_000);
        let passing = Passing { candidate: &candidate, features: &features, text, occurred_at };
        assert_eq!(gate(&passing, &wanted), expected, "{text}");
    }

    #[test]
    fn each_gate_has_its_reason() {
        let meaning = |cosine| ScoreParts { cosine: Some(cosine), vector_rank: Some(9), ..ScoreParts::default() };
        let words = || ScoreParts { words: Some(0.5), bm25_rank: Some(3), cosine: Some(0.05), ..ScoreParts::default() };
        let along = |cosine| ScoreParts { cosine: Some(cosine), ..ScoreParts::default() };
        check("The boat lies in the harbour.", meaning(0.05), "boat", Some(Gate::WeakMeaning));
        check("The boat lies in the harbour.", meaning(0.4), "boat", None);
        check("The boat lies in the harbour.", words(), "boat", None);
        check("The boat lies in the harbour.", along(0.0), "boat", Some(Gate::WeakActivation));
        check("Do you remember my boat?", words(), "Where is the boat?", Some(Gate::Chatter));
        check("Do you remember my boat?", words(), "What did I want remembered?", None);
        check("Ana: Oh yes, thanks!", meaning(0.3), "boat", None);
        check("Oh yes, thanks!", meaning(0.3), "boat", Some(Gate::LowInformation));
        check("In Porto.", meaning(0.3), "boat", None);
        check("At 7.", meaning(0.3), "boat", None);
        check("The boat lies in the harbour.", words(), "the boat in 2019", Some(Gate::OtherFacet));
        check("The boat lay there years ago.", words(), "the boat in 2019", None);
        check("The crisis of 2008 cost them the boat.", words(), "the boat in the 2008 crisis", None);
        check("The boat lies in the harbour.", words(), "the boat of May 1200", None);
        check("The boat lies in the harbour.", words(), "the boat in 2022", None);
    }

    #[test]
    fn what_says_the_same_is_given_once() {
        let mut given = Given::default();
        let text = "The boat lies in the harbour of Porto since May.";
        assert_eq!(given.repeats(text, false), None);
        assert_eq!(given.repeats("the BOAT lies in the harbour of Porto, since May", false), Some(Gate::Duplicate));
        let alike = "The boat lies in the harbour of Lisbon since June.";
        assert_eq!(given.repeats(alike, true), Some(Gate::Stale));
        assert_eq!(given.repeats(alike, false), None);
        assert_eq!(given.repeats("Yes.", false), None);
        assert_eq!(given.repeats("Yes.", false), None);
    }

    #[test]
    fn another_number_or_a_denial_is_no_repeat() {
        let check = |one: &str, other: &str, expected: Option<Gate>| {
            let mut given = Given::default();
            assert_eq!(given.repeats(one, false), None, "{one}");
            assert_eq!(given.repeats(other, false), expected, "{one} | {other}");
        };
        let tank = |end: &str| {
            let valve = "The relief valve of the northern tank in the old boiler house by the harbour of Vexmark";
            format!("{valve} opens at a steady pressure of {end}")
        };
        check(&tank("4 bar."), &tank("4 bar"), Some(Gate::Duplicate));
        check(&tank("4 bar."), &tank("9 bar."), None);
        check(&tank("4 bar."), &tank("4 bar, not more."), None);
        check(&tank("4 bar."), &tank("4 bar at T9."), None);
        let key = |verb: &str| {
            let whoever = "Whoever holds the key of the old boiler house by the northern harbour of Vexmark";
            format!("{whoever} on a Sunday {verb} open the gate before noon for the ferry")
        };
        check(&key("must"), &key("mustn't"), None);
        check(&key("must"), &key("MUSTN’T"), None);
        check(&key("must"), &key("must NEVER"), None);
        check(&key("must not"), &key("must Not"), Some(Gate::Duplicate));
    }
}
