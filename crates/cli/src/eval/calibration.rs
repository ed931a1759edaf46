//! Whether recall is as sure as it is right: what it states (`answerability`) beside how often the question has an answer that is among
//! what was given; and how often it refuses what it could answer, or answers what it could not.

use super::metrics::Answered;
use serde::Serialize;

const BINS: usize = 10;

/// How well stated confidence fits what was found, over the questions with gold and those that have no answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Calibration {
    /// Mean squared distance of what is stated from 1 where the answer is given, or 0 where it is not: 0 is best.
    pub brier: f64,
    /// Expected calibration error: the distance of stated from found in each bin, weighted by its questions.
    pub ece: f64,
    /// Both, were there as many questions with an answer as without one: what is stated is meant so, as nobody knows how often
    /// somebody will ask for what is not there. None where all have one, or none has.
    pub even: Option<Even>,
    /// The bins that hold questions, the least confidence first.
    pub bins: Vec<Bin>,
    /// Questions with gold that were refused, at the threshold in use.
    pub refused: usize,
    /// Questions with gold.
    pub answerable: usize,
    /// Questions without an answer that were answered.
    pub false_answers: usize,
    /// Questions without an answer.
    pub unanswerable: usize,
}

/// The same errors with both kinds of questions counted as much.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Even {
    /// As [`Calibration::brier`].
    pub brier: f64,
    /// As [`Calibration::ece`].
    pub ece: f64,
}

/// The questions of which about as much confidence is stated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Bin {
    /// The confidence where the bin begins; it ends a tenth above.
    pub from: f64,
    /// How many there are.
    pub queries: usize,
    /// Their mean confidence.
    pub stated: f64,
    /// The share of them whose answer is given.
    pub found: f64,
}

/// What is stated of a question, and what is so.
#[derive(Debug, Clone, Copy)]
struct Stated {
    confidence: f64,
    is_given: bool,
    weight: f64,
}

impl Stated {
    /// How much too sure it is; too modest below 0.
    fn error(self) -> f64 {
        self.confidence - f64::from(u8::from(self.is_given))
    }
}

/// The calibration of some questions; none where none of them tells.
pub(super) fn calibration(answered: &[&Answered]) -> Option<Calibration> {
    let telling: Vec<&&Answered> = answered.iter().filter(|one| one.unanswerable || has_answer(one)).collect();
    let count = |is_so: &dyn Fn(&Answered) -> bool| answered.iter().filter(|one| is_so(one)).count();
    let (answerable, unanswerable) = (count(&has_answer), count(&|one| one.unanswerable));
    let stated = |weight: &dyn Fn(&Answered) -> f64| -> Vec<Stated> {
        let of = |one: &&&Answered| Stated {
            confidence: 1.0 - one.abstention,
            is_given: is_given(one),
            weight: weight(one),
        };
        telling.iter().map(of).collect()
    };
    let (equal, even) =
        (stated(&|_| 1.0), stated(&|one| 1.0 / if one.unanswerable { unanswerable as f64 } else { answerable as f64 }));
    let has_both = answerable > 0 && unanswerable > 0;
    Some(Calibration {
        brier: brier(&equal)?,
        ece: ece(&equal)?,
        even: brier(&even).zip(ece(&even)).filter(|_| has_both).map(|(brier, ece)| Even { brier, ece }),
        bins: bins(&equal),
        refused: count(&|one| has_answer(one) && one.abstained),
        answerable,
        false_answers: count(&|one| one.unanswerable && !one.abstained),
        unanswerable,
    })
}

fn has_answer(one: &Answered) -> bool {
    !one.unanswerable && !one.gold.is_empty()
}

fn is_given(one: &Answered) -> bool {
    has_answer(one) && one.ranked.iter().any(|found| one.gold.contains(found))
}

fn brier(stated: &[Stated]) -> Option<f64> {
    mean(stated, stated.iter().map(|one| one.weight * one.error().powi(2)).sum())
}

fn ece(stated: &[Stated]) -> Option<f64> {
    let of_bin = |at: usize| -> f64 { inside(stated, at).map(|one| one.weight * one.error()).sum() };
    mean(stated, (0..BINS).map(|at| of_bin(at).abs()).sum())
}

/// A sum over all, beside their weights.
fn mean(stated: &[Stated], sum: f64) -> Option<f64> {
    (!stated.is_empty()).then(|| sum / stated.iter().map(|one| one.weight).sum::<f64>())
}

/// Those of a bin.
fn inside(stated: &[Stated], at: usize) -> impl Iterator<Item = &Stated> {
    stated.iter().filter(move |one| ((one.confidence * BINS as f64) as usize).min(BINS - 1) == at)
}

fn bins(stated: &[Stated]) -> Vec<Bin> {
    let bin = |at: usize| {
        let queries = inside(stated, at).count();
        let share = |sum: f64| sum / queries as f64;
        (queries > 0).then(|| Bin {
            from: at as f64 / BINS as f64,
            queries,
            stated: share(inside(stated, at).map(|one| one.confidence).sum()),
            found: share(inside(stated, at).filter(|one| one.is_given).count() as f64),
        })
    };
    (0..BINS).filter_map(bin).collect()
}

/// Its table, below that of the metrics.
pub(super) fn rows(calibration: &Calibration) -> Vec<Vec<String>> {
    let head = ["confidence", "queries", "stated", "found"].map(str::to_owned).to_vec();
    let row = |bin: &Bin| {
        let (from, to) = (bin.from, bin.from + 1.0 / BINS as f64);
        let [stated, found] = [bin.stated, bin.found].map(|share| format!("{share:.3}"));
        vec![format!("{from:.1}-{to:.1}"), bin.queries.to_string(), stated, found]
    };
    std::iter::once(head).chain(calibration.bins.iter().map(row)).collect()
}

/// The rest of it, in sentences.
pub(super) fn words(calibration: &Calibration) -> String {
    let Calibration { brier, ece, even, refused, answerable, false_answers, unanswerable, .. } = calibration;
    let even = even.map_or(String::new(), |Even { brier, ece }| {
        format!(" Were there as many questions without an answer as with one: {brier:.3} and {ece:.3}.")
    });
    format!(
        "Brier score {brier:.3}, expected calibration error {ece:.3}.{even}\n\
         Refused though there is an answer: {refused} of {answerable}. Answered though there is none: {false_answers} of {unanswerable}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(ranked: &str, gold: &str, confidence: f64, abstained: bool) -> Answered {
        let ids = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let unanswerable = gold.is_empty();
        Answered { ranked: ids(ranked), gold: ids(gold), abstention: 1.0 - confidence, unanswerable, abstained }
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }

    fn stated(all: &[(f64, bool)]) -> Vec<Stated> {
        all.iter()
            .map(|(confidence, is_given)| Stated { confidence: *confidence, is_given: *is_given, weight: 1.0 })
            .collect()
    }

    #[test]
    fn brier_by_hand() {
        for (all, expected) in [
            (vec![(1.0, true), (0.0, false)], 0.0),
            (vec![(1.0, false), (0.0, true)], 1.0),
            (vec![(0.5, true), (0.5, false)], 0.25),
            (vec![(0.8, true), (0.3, false)], (0.04 + 0.09) / 2.0),
        ] {
            close(brier(&stated(&all)).unwrap(), expected);
        }
        assert_eq!(brier(&[]), None);
    }

    #[test]
    fn bins_by_hand() {
        let found = bins(&stated(&[(0.0, false), (0.72, true), (0.78, false), (0.75, true), (1.0, true)]));
        let places: Vec<(usize, usize)> =
            found.iter().map(|bin| ((bin.from * 10.0).round() as usize, bin.queries)).collect();
        assert_eq!(places, [(0, 1), (7, 3), (9, 1)], "what is quite sure is in the last one");
        close(found[1].stated, 0.75);
        close(found[1].found, 2.0 / 3.0);
    }

    #[test]
    fn a_set_by_hand() {
        let all = [
            answered("x a", "a", 0.95, false),
            answered("x", "a", 0.95, false),
            answered("a", "a", 0.15, true),
            answered("x", "", 0.15, true),
            answered("x", "", 0.65, false),
        ];
        let found = calibration(&all.iter().collect::<Vec<_>>()).unwrap();
        close(found.brier, (0.0025 + 0.9025 + 0.7225 + 0.0225 + 0.4225) / 5.0);
        // Stated .95 and found .5 of two, .15 and .5 of two, .65 and 0 of one.
        close(found.ece, (2.0 * 0.45 + 2.0 * 0.35 + 0.65) / 5.0);
        // The same, three with an answer and two without each weighing a half.
        let even = found.even.unwrap();
        close(even.brier, (0.0025 + 0.9025 + 0.7225) / 6.0 + (0.0225 + 0.4225) / 4.0);
        close(even.ece, (0.9 / 3.0 + (0.15 / 2.0 - 0.85 / 3.0_f64).abs() + 0.65 / 2.0) / 2.0);
        assert_eq!((found.refused, found.answerable), (1, 3));
        assert_eq!((found.false_answers, found.unanswerable), (1, 2));
        assert_eq!(rows(&found)[1], ["0.1-0.2", "2", "0.150", "0.500"]);
        let untold = Answered { unanswerable: false, ..answered("x", "", 0.5, false) };
        assert_eq!(calibration(&[&untold]), None, "a question without gold that may have an answer");
    }
}
