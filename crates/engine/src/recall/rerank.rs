//! Reranking: where a reranker is installed and not turned off, it reads the question together with each of the best
//! passages. What it says is a signal like the others, told beside the best and the least of those that it read, in the unit
//! of their scores: so models whose numbers lie elsewhere count alike, whatever is asked, and a trace can be computed again.

use super::fuse::Ranked;
use super::words::Question;
use crate::error::Outcome;
use crate::provider::{Cancel, ProviderError, ProviderResult, RerankerProvider};
use crate::{Engine, settings};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// So many of the best passages are read by it.
const DEPTH: usize = 40;
/// A question waits so long for its turn and for what is said of it together, and then goes without.
const PATIENCE: Duration = Duration::from_secs(5);
/// One question at a time: the model reads them one after the other anyway, and each holds one of the few readers of the
/// database meanwhile.
static TURNS: Turns = Turns { taken: Mutex::new(false), free: Condvar::new() };

/// Turns, of which one is taken at a time.
struct Turns {
    taken: Mutex<bool>,
    free: Condvar,
}

impl Turns {
    /// Takes the turn, once it is free; `None` where it is not within so long.
    fn take(&self, patience: Duration) -> Option<Turn<'_>> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.free.wait_timeout_while(taken, patience, |taken| *taken);
        let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *taken {
            return None;
        }
        *taken = true;
        Some(Turn(self))
    }
}

/// A turn that is taken, until it is dropped.
struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.free.notify_one();
    }
}

/// The reranking of one question.
#[derive(Default)]
pub(super) struct Reranking {
    /// The question and who reads it; none where nobody does.
    asked: Option<(String, Arc<dyn RerankerProvider>)>,
    /// What the person should know of it.
    pub(super) notice: Option<String>,
    /// The model that reranked, once it has.
    pub(super) model: Option<String>,
    /// What is left of its patience.
    left: Duration,
    /// Its turn, until the passages are in their new order.
    turn: Option<Turn<'static>>,
}

impl Reranking {
    /// Waits for its turn where a reranker is installed and not turned off; else, and where its turn does not come in time, it leaves
    /// every ranking as it is.
    pub(super) fn of(engine: &Engine, question: &Question) -> Outcome<Self> {
        let reranker = &engine.providers().reranker;
        if reranker.model_id().is_none() || !engine.read(settings::reranks)? {
            return Ok(Self::default());
        }
        let begun = Instant::now();
        let Some(turn) = TURNS.take(PATIENCE) else {
            return Ok(Self { notice: Some(late()), ..Self::default() });
        };
        let asked = Some((question.text.clone(), reranker.clone()));
        Ok(Self { asked, left: PATIENCE.saturating_sub(begun.elapsed()), turn: Some(turn), ..Self::default() })
    }

    /// Gives the best passages the signal, and puts all in their new order; with that its turn ends. Gives whether it was asked.
    pub(super) fn rerank(&mut self, ranked: &mut Ranked) -> bool {
        let (asked, _turn) = (self.asked.take(), self.turn.take());
        let Some((question, reranker)) = asked else { return false };
        let (best, model) = (ranked.best(DEPTH), reranker.model_id());
        let texts: Vec<String> = best.iter().map(|rid| ranked.passages[rid].text.clone()).collect();
        let scored = within(self.left, move |cancel| {
            reranker.rerank(&question, &texts.iter().map(String::as_str).collect::<Vec<_>>(), cancel)
        });
        match scored.and_then(|scores| beside_each_other(&scores, best.len())) {
            Ok(values) => {
                ranked.rerank(&values);
                self.model = model.filter(|_| !values.is_empty());
            }
            Err(ProviderError::TimedOut { .. }) => self.notice = Some(late()),
            Err(error) => self.notice = Some(format!("{NOT_RERANKED}. {error}")),
        }
        true
    }
}

/// What is told first where the best passages were not reranked.
pub(super) const NOT_RERANKED: &str = "The best passages were not reranked";

/// What is said where a question goes without.
fn late() -> String {
    format!("{NOT_RERANKED}: it would have taken longer than {} s.", PATIENCE.as_secs())
}

/// 1 for the best, 0 for the least, and the rest between them; 1 for all where they do not differ.
fn beside_each_other(scores: &[f64], wanted: usize) -> ProviderResult<Vec<f64>> {
    if scores.len() != wanted || scores.iter().any(|score| !score.is_finite()) {
        return Err(ProviderError::Failed("The reranking model did not give one number a passage.".to_owned()));
    }
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let least = scores.iter().copied().fold(f64::MAX, f64::min);
    let value = |score: &f64| if most > least { (score - least) / (most - least) } else { 1.0 };
    Ok(scores.iter().map(value).collect())
}

/// Has something done on a thread of its own, and waits for it so long. What takes longer is told to stop, and nobody waits
/// until it does.
fn within<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce(&Cancel) -> ProviderResult<T> + Send + 'static,
) -> ProviderResult<T> {
    let (cancel, (answer, answered)) = (Cancel::default(), mpsc::channel());
    let stop = cancel.clone();
    let begun = thread::Builder::new().name("rerank".to_owned()).spawn(move || answer.send(work(&stop)));
    begun.map_err(|error| ProviderError::Failed(crate::plain(&error)))?;
    answered.recv_timeout(patience).unwrap_or_else(|over| {
        cancel.cut_off();
        Err(match over {
            mpsc::RecvTimeoutError::Timeout => ProviderError::TimedOut { seconds: patience.as_secs() },
            mpsc::RecvTimeoutError::Disconnected => ProviderError::Failed("The reranking model broke off.".to_owned()),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::dates;
    use super::super::fuse::{self, Lists};
    use super::super::wanted::Wanted;
    use super::*;
    use std::collections::HashMap;
    use um_store::hits::{Passage, Places};

    /// Reads every passage alike.
    struct Indifferent;

    impl RerankerProvider for Indifferent {
        fn model_id(&self) -> Option<String> {
            Some("indifferent".to_owned())
        }

        fn rerank(&self, _: &str, passages: &[&str], _: &Cancel) -> ProviderResult<Vec<f64>> {
            Ok(vec![0.5; passages.len()])
        }
    }

    #[test]
    fn the_turn_ends_with_the_new_order() {
        static OWN: Turns = Turns { taken: Mutex::new(false), free: Condvar::new() };
        let asked: Option<(String, Arc<dyn RerankerProvider>)> = Some(("Porto".to_owned(), Arc::new(Indifferent)));
        let turn = OWN.take(Duration::ZERO);
        let mut reranking = Reranking { asked, turn, left: PATIENCE, ..Reranking::default() };
        assert!(OWN.take(Duration::ZERO).is_none());
        let lists = Lists { words: vec![vec![(1, 1.0)]], ..Lists::default() };
        let passages = HashMap::from([(1, Passage { rid: 1, text: "Porto 7".to_owned(), ..Passage::default() })]);
        let wanted = Wanted::of(&Question::parse("Porto"), dates::Now::utc(0));
        let candidates = fuse::candidates(&lists, &HashMap::new());
        let mut ranked = fuse::fuse(candidates, &wanted, (passages, &Places::default()));
        assert!(reranking.rerank(&mut ranked));
        assert_eq!(reranking.model.as_deref(), Some("indifferent"));
        assert!(OWN.take(Duration::ZERO).is_some(), "the rest of the answer holds nobody up");
    }

    #[test]
    fn numbers_are_told_beside_each_other() {
        let check = |scores: &[f64], expected: Option<&[f64]>| {
            assert_eq!(beside_each_other(scores, 3).ok().as_deref(), expected, "{scores:?}");
        };
        check(&[-8.0, 2.0, -3.0], Some(&[0.0, 1.0, 0.5]));
        check(&[4.0, 4.0, 4.0], Some(&[1.0, 1.0, 1.0]));
        check(&[1.0, 2.0], None);
        check(&[1.0, f64::NAN, 2.0], None);
    }

    #[test]
    fn one_turn_is_taken_at_a_time_and_nobody_waits_too_long_for_it() {
        let turns = Turns { taken: Mutex::new(false), free: Condvar::new() };
        let first = turns.take(Duration::ZERO);
        assert!(first.is_some() && turns.take(Duration::ZERO).is_none());
        drop(first);
        let second = turns.take(Duration::ZERO);
        assert!(second.is_some());
        thread::scope(|scope| {
            let third = scope.spawn(|| turns.take(Duration::MAX).is_some());
            drop(second);
            assert!(third.join().unwrap());
        });
    }

    #[test]
    fn nobody_waits_for_what_takes_too_long_and_it_is_told_to_stop() {
        let (told, heard) = mpsc::channel();
        let (go_on, wait) = mpsc::channel::<()>();
        let late = within(Duration::ZERO, move |cancel| {
            let _ = wait.recv();
            let _ = told.send(cancel.is_cancelled());
            Ok(())
        });
        assert_eq!(late, Err(ProviderError::TimedOut { seconds: 0 }));
        drop(go_on);
        assert_eq!(heard.recv(), Ok(true));
        assert_eq!(within(PATIENCE, |_| Ok(7)), Ok(7));
        let broken: ProviderResult<()> = within(PATIENCE, |_| panic!("it breaks"));
        assert!(matches!(broken, Err(ProviderError::Failed(_))));
    }
}
