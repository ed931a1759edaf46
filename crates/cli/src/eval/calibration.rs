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

/// The calibration of some questions; none where none of them tells.
pub(super) fn calibration(answered: &[&Answered]) -> Option<Calibration> {
    let telling = answered.iter().filter(|one| one.unanswerable || !one.gold.is_empty());
    let stated: Vec<(f64, bool)> = telling.map(|one| (1.0 - one.abstention, is_given(one))).collect();
    let count = |is_so: &dyn Fn(&Answered) -> bool| answered.iter().filter(|one| is_so(one)).count();
    let bins = bins(&stated);
    Some(Calibration {
        brier: brier(&stated)?,
        ece: bins.iter().map(|bin| bin.queries as f64 * (bin.stated - bin.found).abs()).sum::<f64>()
            / stated.len() as f64,
        bins,
        refused: count(&|one| has_answer(one) && one.abstained),
        answerable: count(&has_answer),
        false_answers: count(&|one| one.unanswerable && !one.abstained),
        unanswerable: count(&|one| one.unanswerable),
    })
}

fn has_answer(one: &Answered) -> bool {
    !one.unanswerable && !one.gold.is_empty()
}

fn is_given(one: &Answered) -> bool {
    has_answer(one) && one.ranked.iter().any(|found| one.gold.contains(found))
}

fn brier(stated: &[(f64, bool)]) -> Option<f64> {
    let squares: f64 = stated.iter().map(|(stated, is_so)| (stated - f64::from(u8::from(*is_so))).powi(2)).sum();
    (!stated.is_empty()).then(|| squares / stated.len() as f64)
}

fn bins(stated: &[(f64, bool)]) -> Vec<Bin> {
    let place = |stated: f64| ((stated * BINS as f64) as usize).min(BINS - 1);
    let bin = |at: usize| {
        let inside: Vec<&(f64, bool)> = stated.iter().filter(|(stated, _)| place(*stated) == at).collect();
        let share = |sum: f64| sum / inside.len() as f64;
        (!inside.is_empty()).then(|| Bin {
            from: at as f64 / BINS as f64,
            queries: inside.len(),
            stated: share(inside.iter().map(|(stated, _)| stated).sum()),
            found: share(inside.iter().filter(|(_, is_so)| *is_so).count() as f64),
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
    let Calibration { brier, ece, refused, answerable, false_answers, unanswerable, .. } = calibration;
    format!(
        "Brier score {brier:.3}, expected calibration error {ece:.3}.\n\
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

    #[test]
    fn brier_by_hand() {
        close(brier(&[(1.0, true), (0.0, false)]).unwrap(), 0.0);
        close(brier(&[(1.0, false), (0.0, true)]).unwrap(), 1.0);
        close(brier(&[(0.5, true), (0.5, false)]).unwrap(), 0.25);
        close(brier(&[(0.8, true), (0.3, false)]).unwrap(), (0.04 + 0.09) / 2.0);
        assert_eq!(brier(&[]), None);
    }

    #[test]
    fn bins_by_hand() {
        let found = bins(&[(0.0, false), (0.72, true), (0.78, false), (0.75, true), (1.0, true)]);
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
        assert_eq!((found.refused, found.answerable), (1, 3));
        assert_eq!((found.false_answers, found.unanswerable), (1, 2));
        assert_eq!(rows(&found)[1], ["0.1-0.2", "2", "0.150", "0.500"]);
        let untold = Answered { unanswerable: false, ..answered("x", "", 0.5, false) };
        assert_eq!(calibration(&[&untold]), None, "a question without gold that may have an answer");
    }
}
