//! What a place among the passages is made of: each signal by its name, with a bar as long as it is beside the greatest.

use super::words::sentence;
use crate::format::percent;
use leptos::prelude::*;
use std::{cmp::Ordering::Equal, collections::BTreeMap};
use um_model::recall::ScoreParts;

/// Signals by the names that the engine gives them, and what each is of, in words; in this order.
const NAMES: [(&str, &str); 13] = [
    ("words", "Its words"),
    ("cosine", "Its meaning"),
    ("near", "What stands around it"),
    ("thread", "What else is said there"),
    ("reply", "The question it replies to"),
    ("said_by", "Who said it"),
    ("date", "When it was"),
    ("tells_time", "That it tells a time"),
    ("asks", "That it asks itself"),
    ("short", "That it is short"),
    ("opening", "That a text begins with it"),
    ("rerank", "How well it answers"),
    ("repeats", "That it repeats others"),
];

/// Signals whose place has another name.
const PLACES: [(&str, &str); 2] = [("bm25_rank", "words"), ("vector_rank", "cosine")];

/// What another signal tells more plainly.
const HIDDEN: [&str; 1] = ["bm25"];

/// One signal of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    key: String,
    /// What it is of.
    pub name: String,
    /// How strong it is; none where only its place is known.
    pub value: Option<f64>,
    /// Its place among all that were found by it, from 1.
    pub place: Option<u32>,
}

/// The signals of a passage: those with a name in the order of the names, then all others.
pub fn signals(parts: &ScoreParts) -> Vec<Signal> {
    let all = serde_json::to_value(parts).unwrap_or_default();
    let mut found: BTreeMap<String, (Option<f64>, Option<u32>)> = BTreeMap::new();
    for (key, value) in all.as_object().into_iter().flatten() {
        let Some(number) = value.as_f64().filter(|_| !HIDDEN.contains(&key.as_str())) else { continue };
        let of = PLACES.iter().find(|(place, _)| place == key).map(|(_, of)| *of).or_else(|| key.strip_suffix("_rank"));
        match of {
            Some(of) => found.entry(of.to_owned()).or_default().1 = Some(number as u32),
            None => found.entry(key.clone()).or_default().0 = Some(number),
        }
    }
    let mut out: Vec<Signal> =
        found.into_iter().map(|(key, (value, place))| Signal { name: name(&key), key, value, place }).collect();
    let order = |signal: &Signal| NAMES.iter().position(|(key, _)| *key == signal.key).unwrap_or(NAMES.len());
    out.sort_by_key(order);
    out
}

fn name(key: &str) -> String {
    let known = NAMES.iter().find(|(one, _)| *one == key).map(|(_, name)| (*name).to_owned());
    known.unwrap_or_else(|| sentence(&key.replace('_', " ")))
}

impl Signal {
    /// Its place and strength: `place 1 (7.25)`, `+0.03`.
    fn says(&self) -> String {
        match (self.place, self.value) {
            (Some(place), Some(value)) => format!("place {place} ({value:.2})"),
            (Some(place), None) => format!("place {place}"),
            (None, Some(value)) if value.abs() < 10.0 => format!("{value:+.3}"),
            (None, Some(value)) => format!("{value:+.1}"),
            (None, None) => String::new(),
        }
    }
}

/// Why a passage is there, in a sentence: `Best by its words; second by its meaning.`
pub fn why(parts: &ScoreParts) -> String {
    let all = signals(parts);
    let searched = all.iter().filter(|signal| matches!(signal.key.as_str(), "words" | "cosine"));
    let mut places: Vec<(u32, &str)> = searched.filter_map(|s| Some((s.place?, s.name.as_str()))).collect();
    places.sort_by_key(|(place, _)| *place);
    let by = |(place, name): (u32, &str)| format!("{} by {}", nth(place), name.to_lowercase());
    if !places.is_empty() {
        return sentence(&format!("{}.", places.into_iter().map(by).collect::<Vec<_>>().join("; ")));
    }
    let most = all.iter().filter(|s| s.value > Some(0.0)).max_by(|a, b| a.value.partial_cmp(&b.value).unwrap_or(Equal));
    let most = most.map(|most| format!("; most for it speaks: {}", most.name.to_lowercase())).unwrap_or_default();
    format!("Found neither by its words nor by its meaning{most}.")
}

/// A place in words.
fn nth(place: u32) -> String {
    match place {
        1 => "best".into(),
        2 => "second".into(),
        3 => "third".into(),
        more => format!("in place {more}"),
    }
}

/// The greatest of each signal, and of the score, among some passages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scale {
    score: f64,
    most: BTreeMap<String, f64>,
}

impl Scale {
    /// Of these scores and their parts.
    pub fn of<'a>(all: impl Iterator<Item = (f64, &'a ScoreParts)>) -> Self {
        let mut scale = Self::default();
        for (score, parts) in all {
            scale.score = scale.score.max(score.abs());
            for signal in signals(parts) {
                let most = scale.most.entry(signal.key).or_default();
                *most = most.max(signal.value.unwrap_or_default().abs());
            }
        }
        scale
    }

    /// How long the bar of a score is, from 0 to 1.
    pub fn score(&self, score: f64) -> f64 {
        share(score, self.score)
    }

    /// How long the bar of a signal is, from 0 to 1. Where only its place is known, the first is whole.
    fn signal(&self, signal: &Signal) -> f64 {
        match (signal.value, signal.place) {
            (Some(value), _) => share(value, self.most.get(&signal.key).copied().unwrap_or_default()),
            (None, Some(place)) => 1.0 / f64::from(place.max(1)),
            (None, None) => 0.0,
        }
    }
}

fn share(of: f64, most: f64) -> f64 {
    if most > 0.0 { (of.abs() / most).clamp(0.0, 1.0) } else { 0.0 }
}

/// A bar; the number beside it says the same.
pub fn bar(share: f64, class: &'static str) -> impl IntoView {
    view! {
        <svg class=format!("signal-bar {class}") height="8" aria-hidden="true" focusable="false" data-testid="signal-bar">
            <rect class="ground" width="100%" height="8" rx="2"></rect>
            <rect class="full" width=format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0) height="8" rx="2"></rect>
        </svg>
    }
}

/// A short bar that stands by itself, with what it says: the same as a share in percent.
pub fn told_bar(share: f64) -> impl IntoView {
    view! { <span class="share">{bar(share, "short")} <span data-testid="share">{percent(share)}</span></span> }
}

/// The signals of a passage as bars, beside the greatest of the same answer. What no search found it by is said, too.
pub fn bars(score: f64, parts: &ScoreParts, scale: &Scale) -> impl IntoView + use<> {
    let mut rows = vec![row("In all".into(), format!("{score:.3}"), scale.score(score), "all")];
    let found = signals(parts);
    for (key, name) in NAMES.iter().filter(|(key, _)| matches!(*key, "words" | "cosine")) {
        if !found.iter().any(|signal| signal.key == *key) {
            rows.push(row((*name).to_owned(), "not found by this".into(), 0.0, ""));
        }
    }
    // What is 0 adds nothing, and is not told.
    for signal in found.iter().filter(|signal| signal.place.is_some() || signal.value != Some(0.0)) {
        let against = signal.value.is_some_and(|value| value < 0.0);
        rows.push(row(signal.name.clone(), signal.says(), scale.signal(signal), if against { "against" } else { "" }));
    }
    view! { <dl class="signals" data-testid="why-parts">{rows}</dl> }
}

/// The signals of a passage that stands by itself: there is nothing beside which a bar would be long or short.
pub fn numbers(score: f64, parts: &ScoreParts) -> impl IntoView + use<> {
    let signals = signals(parts).into_iter().filter(|signal| signal.place.is_some() || signal.value != Some(0.0));
    let rows = std::iter::once(("In all".to_owned(), format!("{score:.3}")))
        .chain(signals.map(|s| (s.name.clone(), s.says())));
    let rows = rows.map(|(name, says)| view! { <div><dt>{name}</dt><dd class="signal-says">{says}</dd></div> });
    view! { <dl class="signals">{rows.collect_view()}</dl> }
}

fn row(name: String, says: String, share: f64, class: &'static str) -> AnyView {
    view! { <div><dt>{name}</dt><dd>{bar(share, class)} <span class="signal-says">{says}</span></dd></div> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> ScoreParts {
        ScoreParts { bm25_rank: Some(1), bm25: Some(7.25), words: Some(1.0), near: Some(-0.5), ..Default::default() }
    }

    #[test]
    fn a_score_says_where_it_comes_from() {
        let told: Vec<_> = signals(&parts()).iter().map(|s| (s.name.clone(), s.says())).collect();
        let expected = [("Its words", "place 1 (1.00)"), ("What stands around it", "-0.500")];
        assert_eq!(told, expected.map(|(name, says)| (name.to_owned(), says.to_owned())));
        assert_eq!(name("some_signal"), "Some signal");
    }

    #[test]
    fn why_a_passage_is_there_is_a_sentence() {
        let placed = |bm25_rank, vector_rank| ScoreParts { bm25_rank, vector_rank, ..ScoreParts::default() };
        for (parts, says) in [
            (placed(Some(1), Some(2)), "Best by its words; second by its meaning."),
            (placed(Some(12), Some(3)), "Third by its meaning; in place 12 by its words."),
            (placed(Some(1), None), "Best by its words."),
            (
                ScoreParts { near: Some(0.5), short: Some(-0.1), date: Some(0.2), ..ScoreParts::default() },
                "Found neither by its words nor by its meaning; most for it speaks: what stands around it.",
            ),
            (ScoreParts::default(), "Found neither by its words nor by its meaning."),
        ] {
            assert_eq!(why(&parts), says);
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_signal_beside_the_greatest() {
        let other = ScoreParts { bm25_rank: Some(2), words: Some(0.5), near: Some(1.0), ..Default::default() };
        let scale = Scale::of([(0.5, &parts()), (0.25, &other)].into_iter());
        let shares = |parts: &ScoreParts| signals(parts).iter().map(|s| scale.signal(s)).collect::<Vec<_>>();
        assert_eq!(shares(&parts()), [1.0, 0.5]);
        assert_eq!(shares(&other), [0.5, 1.0]);
        assert_eq!(scale.score(0.25), 0.5);
        assert_eq!(Scale::default().score(0.25), 0.0);
    }
}
