//! The metrics: what part of the gold is found how early, and how well abstention tells questions apart.

use serde::Serialize;

/// A question that was answered.
#[derive(Debug, Clone, Default)]
pub(super) struct Answered {
    /// What was found, best first, each once.
    pub ranked: Vec<String>,
    /// What should be found. An id stands twice where two documents are one memory.
    pub gold: Vec<String>,
    /// How sure the answer is that there is none: higher is surer.
    pub abstention: f64,
    /// Whether there is none.
    pub unanswerable: bool,
    /// Whether it was refused.
    pub abstained: bool,
}

/// The metrics of a group of questions. Absent where no question of the group counts for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Scores {
    /// Mean fraction of the gold in the first one, over the questions with gold.
    #[serde(rename = "R@1")]
    pub r1: Option<f64>,
    /// In the first five.
    #[serde(rename = "R@5")]
    pub r5: Option<f64>,
    /// In the first ten.
    #[serde(rename = "R@10")]
    pub r10: Option<f64>,
    /// In the first twenty.
    #[serde(rename = "R@20")]
    pub r20: Option<f64>,
    /// Mean of 1 / rank of the first gold one; 0 where none is found.
    #[serde(rename = "MRR")]
    pub mrr: Option<f64>,
    /// Mean discounted gain in the first ten, with 1 for the best order.
    #[serde(rename = "nDCG@10")]
    pub ndcg10: Option<f64>,
    /// How likely an unanswerable question has a higher abstention score than one with gold.
    #[serde(rename = "AUROC")]
    pub auroc: Option<f64>,
    /// How many questions the group has.
    pub queries: usize,
}

impl Scores {
    /// The metrics' names.
    pub(super) const NAMES: [&str; 7] = ["R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "AUROC"];

    /// The metrics in the order of their names.
    pub(super) fn values(&self) -> impl Iterator<Item = Option<f64>> {
        [self.r1, self.r5, self.r10, self.r20, self.mrr, self.ndcg10, self.auroc].into_iter()
    }
}

/// The metrics of a group; abstention is compared with these unanswerable questions.
pub(super) fn scores(group: &[&Answered], unanswerable: &[&Answered]) -> Scores {
    let with_gold: Vec<&Answered> = group.iter().copied().filter(|one| !one.gold.is_empty()).collect();
    let mean_of = |metric: &dyn Fn(&Answered) -> f64| mean(with_gold.iter().map(|one| metric(one)));
    let abstentions = |all: &[&Answered]| all.iter().map(|one| one.abstention).collect::<Vec<_>>();
    Scores {
        r1: mean_of(&|one| recall_at(1, one)),
        r5: mean_of(&|one| recall_at(5, one)),
        r10: mean_of(&|one| recall_at(10, one)),
        r20: mean_of(&|one| recall_at(20, one)),
        mrr: mean_of(&reciprocal_rank),
        ndcg10: mean_of(&|one| ndcg_at(10, one)),
        auroc: auroc(&abstentions(unanswerable), &abstentions(&with_gold)),
        queries: group.len(),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn recall_at(k: usize, one: &Answered) -> f64 {
    let first = &one.ranked[..k.min(one.ranked.len())];
    one.gold.iter().filter(|gold| first.contains(gold)).count() as f64 / one.gold.len() as f64
}

fn reciprocal_rank(one: &Answered) -> f64 {
    one.ranked.iter().position(|found| one.gold.contains(found)).map_or(0.0, |at| 1.0 / (at + 1) as f64)
}

fn ndcg_at(k: usize, one: &Answered) -> f64 {
    let gain = |at: usize| 1.0 / ((at + 2) as f64).log2();
    let found: f64 = (0..k.min(one.ranked.len())).filter(|at| one.gold.contains(&one.ranked[*at])).map(gain).sum();
    let mut distinct: Vec<&String> = one.gold.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    found / (0..k.min(distinct.len())).map(gain).sum::<f64>()
}

/// The chance that a positive scores higher than a negative; a tie counts half.
fn auroc(positives: &[f64], negatives: &[f64]) -> Option<f64> {
    if positives.is_empty() || negatives.is_empty() {
        return None;
    }
    let mut sorted = negatives.to_vec();
    sorted.sort_by(f64::total_cmp);
    let wins = |score: f64| {
        let below = sorted.partition_point(|negative| *negative < score);
        let not_above = sorted.partition_point(|negative| *negative <= score);
        (below + not_above) as f64 / 2.0
    };
    let total: f64 = positives.iter().map(|score| wins(*score)).sum();
    Some(total / (positives.len() * negatives.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(ranked: &str, gold: &str, abstention: f64) -> Answered {
        let ids = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Answered { ranked: ids(ranked), gold: ids(gold), abstention, unanswerable: gold.is_empty(), abstained: false }
    }

    fn close(found: Option<f64>, expected: f64) {
        assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?}, expected {expected}");
    }

    #[test]
    fn one_question_by_hand() {
        // Gold at ranks 2 and 6 of three: one of three in the first five, two in the first ten.
        let one = answered("x a x2 x3 x4 b", "a b c", 0.0);
        let found = scores(&[&one], &[]);
        close(found.r1, 0.0);
        close(found.r5, 1.0 / 3.0);
        close(found.r10, 2.0 / 3.0);
        close(found.r20, 2.0 / 3.0);
        close(found.mrr, 0.5);
        let best = 1.0 + 1.0 / 3_f64.log2() + 0.5;
        close(found.ndcg10, (1.0 / 3_f64.log2() + 1.0 / 7_f64.log2()) / best);
        assert_eq!(found.auroc, None);
    }

    #[test]
    fn questions_without_gold_count_for_abstention_only() {
        let (hit, miss, none) = (answered("a", "a", 0.1), answered("x", "a", 0.4), answered("a", "", 0.4));
        let found = scores(&[&hit, &miss, &none], &[&none]);
        close(found.r1, 0.5);
        close(found.mrr, 0.5);
        close(found.ndcg10, 0.5);
        // 0.4 beats 0.1 and ties with 0.4.
        close(found.auroc, 0.75);
        assert_eq!(found.queries, 3);
    }

    #[test]
    fn two_documents_in_one_memory_count_twice_as_gold_and_once_as_gain() {
        let found = scores(&[&answered("a b", "a a b", 0.0)], &[]);
        close(found.r1, 2.0 / 3.0);
        close(found.r5, 1.0);
        close(found.ndcg10, 1.0);
    }

    #[test]
    fn the_twenty_first_is_not_looked_at() {
        let twenty: Vec<String> = (0..20).map(|at| format!("x{at}")).collect();
        let found = scores(&[&answered(&(twenty.join(" ") + " a"), "a", 0.0)], &[]);
        close(found.r20, 0.0);
    }

    #[test]
    fn auroc_by_hand() {
        close(auroc(&[0.9, 0.8], &[0.1, 0.2]), 1.0);
        close(auroc(&[0.1], &[0.9]), 0.0);
        close(auroc(&[0.5, 0.5], &[0.5]), 0.5);
        // Pairs won: 0.7 beats both, 0.3 beats one of two.
        close(auroc(&[0.7, 0.3], &[0.2, 0.6]), 0.75);
        assert_eq!(auroc(&[], &[0.1]), None);
    }

    #[test]
    fn names_are_exact() {
        let found = serde_json::to_value(scores(&[&answered("a", "a", 0.0)], &[])).unwrap();
        for name in Scores::NAMES {
            assert!(found.get(name).is_some(), "{name}");
        }
    }
}
