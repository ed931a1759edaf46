//! What a place among the passages is made of: each signal by its name, with a bar as long as what it adds to the score, all beside
//! the greatest.

use crate::format::{percent, sentence};
use leptos::prelude::*;
use std::collections::BTreeMap;
use um_model::recall::ScoreParts;

/// What each signal counts, by the name that the engine gives it, as an answer and its trace tell it.
pub type Weights = BTreeMap<String, f64>;

/// Signals by the names that the engine gives them, and what each is of, in words; in this order where they add as much.
const NAMES: [(&str, &str); 21] = [
    ("words", "Its words"),
    ("cosine", "Its meaning"),
    ("near", "What stands around it"),
    ("thread", "What else is said there"),
    ("reply", "The question it replies to"),
    ("said_by", "Who said it"),
    ("entity", "Whom or what it names"),
    ("exact", "A number or name as you wrote it"),
    ("date", "When it was"),
    ("tells_time", "That it tells a time"),
    ("asks", "That it asks itself"),
    ("short", "That it is short"),
    ("opening", "That a text begins with it"),
    ("rerank", "How well it answers"),
    ("repeats", "That it repeats others"),
    ("tags", "Its tags"),
    ("importance", "How much it matters"),
    ("confidence", "Whether it was confirmed"),
    ("trust", "Who brought it in"),
    ("decided", "What you decided"),
    ("latest", "Its place by date"),
];

/// Signals whose place has another name.
const PLACES: [(&str, &str); 2] = [("bm25_rank", "words"), ("vector_rank", "cosine")];

/// What another signal tells more plainly.
const HIDDEN: [&str; 2] = ["bm25", "period"];

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
    /// What it adds to the score, below 0 where it speaks against the passage; none where nothing tells what it counts, as in traces of
    /// earlier versions.
    pub adds: Option<f64>,
}

/// The signals of a passage, what adds or takes most first.
pub fn signals(parts: &ScoreParts, weights: &Weights) -> Vec<Signal> {
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
    let told = |(key, (value, place)): (String, (Option<f64>, Option<u32>))| {
        let adds = value.zip(weights.get(&key)).map(|(value, weight)| value * weight);
        Signal { name: name(&key), key, value, place, adds }
    };
    let mut out: Vec<Signal> = found.into_iter().map(told).collect();
    let order = |signal: &Signal| NAMES.iter().position(|(key, _)| *key == signal.key).unwrap_or(NAMES.len());
    let size = |signal: &Signal| signal.adds.unwrap_or_default().abs();
    out.sort_by(|a, b| size(b).total_cmp(&size(a)).then(order(a).cmp(&order(b))));
    out
}

fn name(key: &str) -> String {
    let known = NAMES.iter().find(|(one, _)| *one == key).map(|(_, name)| (*name).to_owned());
    known.unwrap_or_else(|| sentence(&key.replace('_', " ")))
}

impl Signal {
    /// What it adds, and its place: `+1.000, place 1`. Where nothing tells what it counts, its place and strength: `place 1 (7.25)`.
    fn says(&self) -> String {
        match (self.adds, self.place, self.value) {
            (Some(adds), Some(place), _) => format!("{adds:+.3}, place {place}"),
            (Some(adds), None, _) => format!("{adds:+.3}"),
            (None, Some(place), Some(value)) => format!("place {place} ({value:.2})"),
            (None, Some(place), None) => format!("place {place}"),
            (None, None, Some(value)) => format!("{value:.3}"),
            (None, None, None) => String::new(),
        }
    }

    /// What is 0 adds nothing, and is not told.
    fn is_told(&self) -> bool {
        self.place.is_some() || self.value != Some(0.0)
    }

    /// Whether it speaks against the passage.
    fn is_against(&self) -> bool {
        self.adds.is_some_and(|adds| adds < 0.0)
    }
}

/// Why a passage is there, in a sentence: `Best by its words; second by its meaning.`
pub fn why(parts: &ScoreParts, weights: &Weights) -> String {
    let all = signals(parts, weights);
    let searched = all.iter().filter(|signal| matches!(signal.key.as_str(), "words" | "cosine"));
    let mut places: Vec<(u32, &str)> = searched.filter_map(|s| Some((s.place?, s.name.as_str()))).collect();
    places.sort_by_key(|(place, _)| *place);
    let by = |(place, name): (u32, &str)| format!("{} by {}", nth(place), name.to_lowercase());
    if !places.is_empty() {
        return sentence(&format!("{}.", places.into_iter().map(by).collect::<Vec<_>>().join("; ")));
    }
    if parts.period.is_some() {
        return "Found by its time.".to_owned();
    }
    let most = all.iter().find(|signal| signal.adds > Some(0.0));
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

/// What each signal counts in an answer, and the greatest of its bars.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scale {
    /// What each signal counts.
    pub weights: Weights,
    /// The greatest score.
    score: f64,
    /// The most that is added, taken or had in all.
    most: f64,
}

impl Scale {
    /// Of these scores and their parts.
    pub fn of<'a>(all: impl Iterator<Item = (f64, &'a ScoreParts)>, weights: &Weights) -> Self {
        let mut scale = Self { weights: weights.clone(), ..Self::default() };
        for (score, parts) in all {
            scale.score = scale.score.max(score);
            let adds = signals(parts, weights).into_iter().filter_map(|signal| signal.adds);
            scale.most = adds.fold(scale.most.max(score.abs()), |most, adds| most.max(adds.abs()));
        }
        scale
    }

    /// How much of the greatest score a score is, from 0 to 1: of one below nothing it is nothing.
    pub fn score(&self, score: f64) -> f64 {
        share(score.max(0.0), self.score)
    }

    /// How long the bar is of what is added, taken or had in all, from 0 to 1: all bars of an answer are beside the same.
    fn bar(&self, of: f64) -> f64 {
        share(of, self.most)
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
    said_bar(share, percent(share))
}

/// The same of how much something is connected: `connected 62 %`.
pub fn connected_bar(share: f64) -> impl IntoView {
    said_bar(share, format!("connected {}", percent(share)))
}

fn said_bar(share: f64, says: String) -> impl IntoView {
    view! { <span class="share">{bar(share, "short")} <span data-testid="share">{says}</span></span> }
}

/// The signals of a passage as bars, beside the greatest of the same answer. What no search found it by is said, too.
pub fn bars(score: f64, parts: &ScoreParts, scale: &Scale) -> impl IntoView + use<> {
    let mut rows = vec![row("In all".into(), format!("{score:.3}"), Some(scale.bar(score)), "all")];
    let found = signals(parts, &scale.weights);
    for signal in found.iter().filter(|signal| signal.is_told()) {
        let class = if signal.is_against() { "against" } else { "" };
        rows.push(row(signal.name.clone(), signal.says(), signal.adds.map(|adds| scale.bar(adds)), class));
    }
    for (key, name) in NAMES.iter().filter(|(key, _)| matches!(*key, "words" | "cosine")) {
        if !found.iter().any(|signal| signal.key == *key) {
            rows.push(row((*name).to_owned(), "not found by this".into(), Some(0.0), ""));
        }
    }
    view! { <dl class="signals" data-testid="why-parts">{rows}</dl> }
}

/// The signals of a passage that stands by itself: there is nothing beside which a bar would be long or short.
pub fn numbers(score: f64, parts: &ScoreParts, weights: &Weights) -> impl IntoView + use<> {
    let signals = signals(parts, weights).into_iter().filter(Signal::is_told);
    let rows = std::iter::once(("In all".to_owned(), format!("{score:.3}")))
        .chain(signals.map(|s| (s.name.clone(), s.says())));
    let rows = rows.map(|(name, says)| view! { <div><dt>{name}</dt><dd class="signal-says">{says}</dd></div> });
    view! { <dl class="signals">{rows.collect_view()}</dl> }
}

/// A line: its name, its bar where there is one, and what it says.
fn row(name: String, says: String, share: Option<f64>, class: &'static str) -> AnyView {
    let bar = share.map(|share| bar(share, class));
    view! { <div><dt>{name}</dt><dd>{bar} <span class="signal-says">{says}</span></dd></div> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(all: &[(&str, f64)]) -> Weights {
        all.iter().map(|(key, weight)| ((*key).to_owned(), *weight)).collect()
    }

    fn parts() -> ScoreParts {
        ScoreParts { bm25_rank: Some(1), bm25: Some(7.25), words: Some(1.0), near: Some(-0.5), ..Default::default() }
    }

    /// Every part that there is: one that is added must be added here, too.
    fn every() -> ScoreParts {
        ScoreParts {
            bm25_rank: Some(1),
            bm25: Some(0.5),
            vector_rank: Some(1),
            cosine: Some(0.5),
            words: Some(0.5),
            near: Some(0.5),
            thread: Some(0.5),
            reply: Some(0.5),
            said_by: Some(0.5),
            entity: Some(0.5),
            exact: Some(0.5),
            asks: Some(0.5),
            date: Some(0.5),
            period: Some(0.5),
            tells_time: Some(0.5),
            short: Some(0.5),
            opening: Some(0.5),
            rerank: Some(0.5),
            repeats: Some(0.5),
            importance: Some(0.5),
            confidence: Some(0.5),
            trust: Some(0.5),
            tags: Some(0.5),
            decided: Some(0.5),
            latest: Some(0.5),
        }
    }

    #[test]
    fn a_score_says_where_it_comes_from() {
        let check = |weights: &Weights, expected: &[(&str, &str)]| {
            let told: Vec<_> = signals(&parts(), weights).iter().map(|s| (s.name.clone(), s.says())).collect();
            let told: Vec<_> = told.iter().map(|(name, says)| (name.as_str(), says.as_str())).collect();
            assert_eq!(told, expected, "{weights:?}");
        };
        let (words, near) = ("Its words", "What stands around it");
        check(&weights(&[("words", 1.0), ("near", 0.5)]), &[(words, "+1.000, place 1"), (near, "-0.250")]);
        check(&weights(&[("words", 1.0), ("near", 3.0)]), &[(near, "-1.500"), (words, "+1.000, place 1")]);
        check(&Weights::new(), &[(words, "place 1 (1.00)"), (near, "-0.500")]);
        assert_eq!(name("some_signal"), "Some signal");
    }

    #[test]
    fn every_signal_has_a_name_in_words() {
        for signal in signals(&every(), &Weights::new()) {
            assert!(NAMES.iter().any(|(key, _)| *key == signal.key), "{}", signal.key);
        }
        assert_eq!(signals(&every(), &Weights::new()).len(), NAMES.len(), "a name is of no signal");
    }

    #[test]
    fn what_takes_from_the_score_is_drawn_as_against() {
        for (key, _) in NAMES {
            for (weight, against) in [(-0.25, true), (0.25, false)] {
                let all = signals(&every(), &weights(&[(key, weight)]));
                assert_eq!((all[0].key.as_str(), all[0].is_against()), (key, against), "{weight}");
                assert!(all[1..].iter().all(|other| !other.is_against()), "{key}");
            }
        }
        let below = signals(&ScoreParts { short: Some(-0.5), ..Default::default() }, &weights(&[("short", 0.4)]));
        assert!(below[0].is_against(), "a weight above 0 of what is below it");
    }

    #[test]
    fn why_a_passage_is_there_is_a_sentence() {
        let placed = |bm25_rank, vector_rank| ScoreParts { bm25_rank, vector_rank, ..ScoreParts::default() };
        let weights = weights(&[("near", 0.12), ("short", 0.4), ("date", 2.0), ("repeats", -0.2)]);
        let none = "Found neither by its words nor by its meaning.";
        for (parts, says) in [
            (placed(Some(1), Some(2)), "Best by its words; second by its meaning."),
            (placed(Some(12), Some(3)), "Third by its meaning; in place 12 by its words."),
            (placed(Some(1), None), "Best by its words."),
            (
                ScoreParts { near: Some(0.5), short: Some(-0.1), date: Some(0.2), ..ScoreParts::default() },
                "Found neither by its words nor by its meaning; most for it speaks: when it was.",
            ),
            (ScoreParts { period: Some(1.0), date: Some(1.0), ..ScoreParts::default() }, "Found by its time."),
            (ScoreParts { repeats: Some(0.9), ..ScoreParts::default() }, none),
            (ScoreParts { thread: Some(0.9), ..ScoreParts::default() }, none),
            (ScoreParts::default(), none),
        ] {
            assert_eq!(why(&parts, &weights), says);
        }
    }

    #[test]
    fn all_bars_are_beside_the_greatest_of_them() {
        let other = ScoreParts { bm25_rank: Some(2), words: Some(0.5), near: Some(1.0), ..Default::default() };
        let weights = weights(&[("words", 2.0), ("near", -1.0)]);
        let scale = Scale::of([(1.5, &parts()), (0.75, &other)].into_iter(), &weights);
        let shares = |parts: &ScoreParts| {
            let adds = signals(parts, &weights).into_iter().filter_map(|signal| signal.adds);
            adds.map(|adds| scale.bar(adds)).collect::<Vec<_>>()
        };
        assert_eq!(shares(&parts()), [1.0, 0.25]);
        assert_eq!(shares(&other), [0.5, 0.5]);
        assert_eq!((scale.bar(1.5), scale.score(0.75), scale.score(-0.75)), (0.75, 0.5, 0.0));
        assert_eq!(Scale::default().score(0.25), 0.0);
    }
}
