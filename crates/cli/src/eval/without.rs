//! What each part of recall, and each signal of its ranking, brings: the metrics without it, and how far they are from those with all.

use super::metrics::Scores;
use super::{Report, markdown};
use serde::Serialize;
use std::collections::BTreeMap;

/// The metrics without a part or a signal.
#[derive(Debug, Serialize)]
pub(super) struct Without {
    pub overall: Scores,
    pub categories: BTreeMap<String, Scores>,
    /// How far `overall` is from the metrics with all.
    pub change: Change,
}

/// What each metric gains without a part; below 0 where the part brings something.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Change {
    #[serde(rename = "R@5")]
    pub r5: Option<f64>,
    #[serde(rename = "R@10")]
    pub r10: Option<f64>,
    #[serde(rename = "MRR")]
    pub mrr: Option<f64>,
    #[serde(rename = "AUROC")]
    pub auroc: Option<f64>,
}

impl Change {
    fn of(without: &Scores, all: &Scores) -> Self {
        let less = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one - other);
        Self {
            r5: less(without.r5, all.r5),
            r10: less(without.r10, all.r10),
            mrr: less(without.mrr, all.mrr),
            auroc: less(without.auroc, all.auroc),
        }
    }

    fn values(self) -> [Option<f64>; 4] {
        [self.r5, self.r10, self.mrr, self.auroc]
    }
}

impl Without {
    /// Of questions that were asked anew.
    pub(super) fn asked_anew(report: Report, all: &Scores) -> Self {
        let Report { overall, categories, .. } = report;
        Self { change: Change::of(&overall, all), overall, categories }
    }

    /// Of questions that are scored in the order that they have without a signal. What an order does not tell is left out: how sure an
    /// answer is that there is none does not follow from it.
    pub(super) fn in_other_order(report: Report, all: &Scores) -> Self {
        let of_order = |scores: Scores| Scores { auroc: None, ..scores };
        let categories = report.categories.into_iter().map(|(name, scores)| (name, of_order(scores))).collect();
        Self::asked_anew(Report { overall: of_order(report.overall), categories, ..Report::default() }, all)
    }
}

/// A row for each part or signal, with all of them first, and one below it for each category.
pub(super) fn rows(all: &Report, without: &BTreeMap<&'static str, Without>) -> String {
    let head = ["without", "R@5", "R@10", "MRR", "AUROC"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    let mut add = |name: &str, scores: &Scores, all: &Scores| rows.push(row(name, scores, Change::of(scores, all)));
    add("(nothing)", &all.overall, &all.overall);
    for (name, without) in without {
        add(name, &without.overall, &all.overall);
        for (category, scores) in &without.categories {
            if let Some(all) = all.categories.get(category) {
                add(&format!("{name}: {category}"), scores, all);
            }
        }
    }
    markdown(&rows)
}

/// `0.812 (-0.020)` for each metric; `-` for what is not told.
fn row(name: &str, scores: &Scores, change: Change) -> Vec<String> {
    let values = [scores.r5, scores.r10, scores.mrr, scores.auroc];
    let cell = |(value, change): (Option<f64>, Option<f64>)| match (value, change) {
        // A zero has no sign of its own.
        (Some(value), Some(change)) => format!("{value:.3} ({:+.3})", (change * 1e3).round() / 1e3 + 0.0),
        (Some(value), None) => format!("{value:.3}"),
        (None, _) => "-".to_owned(),
    };
    std::iter::once(name.to_owned()).chain(values.into_iter().zip(change.values()).map(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(r5: f64, auroc: Option<f64>) -> Scores {
        Scores { r5: Some(r5), r10: Some(r5), mrr: Some(r5), auroc, ..Scores::default() }
    }

    fn report(r5: f64, auroc: Option<f64>) -> Report {
        let categories = BTreeMap::from([("fact".to_owned(), scores(r5, None))]);
        Report { overall: scores(r5, auroc), categories, ..Report::default() }
    }

    #[test]
    fn each_row_says_how_far_it_is_from_all() {
        let all = report(0.8, Some(0.7));
        let asked = Without::asked_anew(report(0.75, Some(0.7)), &all.overall);
        assert!((asked.change.r5.unwrap() + 0.05).abs() < 1e-9 && asked.change.auroc == Some(0.0), "{asked:?}");
        let expected = "\
| without     | R@5            | R@10           | MRR            | AUROC          |
|-------------|----------------|----------------|----------------|----------------|
| (nothing)   | 0.800 (+0.000) | 0.800 (+0.000) | 0.800 (+0.000) | 0.700 (+0.000) |
| words       | 0.750 (-0.050) | 0.750 (-0.050) | 0.750 (-0.050) | 0.700 (+0.000) |
| words: fact | 0.750 (-0.050) | 0.750 (-0.050) | 0.750 (-0.050) | -              |";
        assert_eq!(rows(&all, &BTreeMap::from([("words", asked)])), expected);
    }

    #[test]
    fn an_order_does_not_tell_how_sure_an_answer_is() {
        let all = report(0.8, Some(0.7));
        let without = Without::in_other_order(report(0.8, Some(0.7)), &all.overall);
        assert_eq!((without.overall.auroc, without.change.auroc, without.change.mrr), (None, None, Some(0.0)));
    }
}
