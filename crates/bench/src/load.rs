//! Recall while somebody stores all the time: how much longer it takes, and how soon it knows what was stored.

use crate::measure::{Sample, time};
use crate::report::{Asked, HITS, Row, TRIES, WARM, row};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use um_engine::Caller;
use um_model::ApiError;
use um_model::capture::MemoryRemember;
use um_model::recall::MemoryRecall;

/// So many ask all the time.
const READERS: usize = 4;
/// So many texts are stored each second meanwhile.
const WRITES: u32 = 200;
/// By so many who store in turn, as agents do: one who waits for each text alone would store no faster than it is kept.
const WRITERS: u32 = 8;
/// How long they ask at most while nobody stores, to compare with.
const QUIET: Duration = Duration::from_secs(10);
/// The time from one marker to the next.
const EACH_MARKER: Duration = Duration::from_millis(250);
/// What they say besides is in texts of these numbers, which no other text has.
const FIRST_MARKER: usize = 500_000_000;
/// A marker that is not found within this is lost.
const PATIENCE: Duration = Duration::from_secs(10);

/// What storing all the time does to those who ask meanwhile, and after how long what is stored is found.
#[derive(Debug, Clone, Serialize)]
pub struct Load {
    /// How long it lasted.
    pub seconds: u64,
    /// How many asked all the time.
    pub readers: usize,
    /// How many texts were stored each second.
    pub stored_per_second: f64,
    /// The p95 of a recall, divided by what it is while as many ask and nobody stores.
    pub recall_p95_ratio: f64,
    /// Texts that were asked for as soon as they were stored.
    pub markers: usize,
    /// How many of them the first answer had.
    pub found_at_once: usize,
    /// How many of them no answer had within ten seconds.
    pub lost: usize,
    /// The longest from the call that stores one to the end of the answer that has it, in milliseconds; none where all are lost.
    pub slowest_find_ms: Option<f64>,
}

/// What became of the markers.
#[derive(Default)]
struct Markers {
    /// How long each took that was found.
    found: Vec<Duration>,
    at_once: usize,
    lost: usize,
}

impl Markers {
    fn count(&self) -> usize {
        self.found.len() + self.lost
    }
}

impl Asked {
    /// Recall while several ask; then recall, storing and finding what is stored, while somebody stores besides.
    pub(crate) fn under_load(&self, seconds: u64) -> Result<(Load, [Row; 4]), ApiError> {
        let lasting = Duration::from_secs(seconds);
        let (quiet, ()) = self.beside(|| std::thread::sleep(lasting.min(QUIET)));
        let (loaded, (stored, markers)) = self.beside(|| self.store_and_find(lasting));
        let (quiet, loaded) = (Sample::of(quiet.into_iter())?, Sample::of(loaded.into_iter())?);
        let (stored, markers) = (Sample::of(stored.into_iter())?, markers?);
        let found = Sample::of(markers.found.iter().copied().map(Ok::<_, ApiError>))?;
        let load = Load {
            seconds,
            readers: READERS,
            stored_per_second: stored.count() as f64 / lasting.as_secs_f64(),
            recall_p95_ratio: loaded.at(0.95) / quiet.at(0.95),
            markers: markers.count(),
            found_at_once: markers.at_once,
            lost: markers.lost,
            slowest_find_ms: markers.found.iter().max().map(|longest| longest.as_secs_f64() * 1000.0),
        };
        let rows = [
            row(&format!("recall, while {READERS} ask"), &quiet),
            row(&format!("recall, while {WRITES} a second are stored and {READERS} ask"), &loaded),
            row(&format!("store, {WRITES} a second while {READERS} ask"), &stored),
            row("store one more meanwhile, until an answer has it", &found),
        ];
        Ok((load, rows))
    }

    /// How long recalls take while several ask all the time and something else is done.
    fn beside<T>(&self, act: impl FnOnce() -> T) -> (Vec<Result<Duration, ApiError>>, T) {
        let is_over = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            let ask = |reader: usize| {
                let mut times = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let question = self.question(reader + times.len() * READERS);
                    times.push(time(|| self.engine.run(&Caller::owner("bench"), question)));
                }
                times
            };
            let readers: Vec<_> = (0..READERS).map(|reader| scope.spawn(move || ask(reader))).collect();
            let done = act();
            is_over.store(true, Ordering::Relaxed);
            (readers.into_iter().flat_map(|one| one.join().expect("no reader panics")).collect(), done)
        })
    }

    fn store_and_find(&self, lasting: Duration) -> (Vec<Result<Duration, ApiError>>, Result<Markers, ApiError>) {
        let is_over = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            let seeker = scope.spawn(move || self.find_markers(is_over));
            let stored = self.store_steadily(lasting);
            is_over.store(true, Ordering::Relaxed);
            (stored, seeker.join().expect("no seeker panics"))
        })
    }

    fn store_steadily(&self, lasting: Duration) -> Vec<Result<Duration, ApiError>> {
        let begun = Instant::now();
        let store = |writer: u32| {
            let mut times = Vec::new();
            let mut turn = writer;
            loop {
                std::thread::sleep((Duration::from_secs(1) / WRITES * turn).saturating_sub(begun.elapsed()));
                if begun.elapsed() >= lasting {
                    return times;
                }
                let number = WARM + TRIES + turn as usize;
                times.push(time(|| self.engine.run(&Caller::owner("bench"), self.text(number))));
                turn += WRITERS;
            }
        };
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || store(writer))).collect();
            writers.into_iter().flat_map(|one| one.join().expect("no writer panics")).collect()
        })
    }

    /// Stores one marker after the other among the load, and asks for each until an answer has it.
    fn find_markers(&self, is_over: &AtomicBool) -> Result<Markers, ApiError> {
        let begun = Instant::now();
        let mut markers = Markers::default();
        while markers.count() == 0 || !is_over.load(Ordering::Relaxed) {
            match self.find(markers.count())? {
                Some((took, asked)) => {
                    markers.found.push(took);
                    markers.at_once += usize::from(asked == 1);
                }
                None => markers.lost += 1,
            }
            let due = EACH_MARKER * markers.count() as u32;
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        Ok(markers)
    }

    /// From storing the marker of that number until an answer has it, and how often it was asked for; none where it is lost.
    fn find(&self, number: usize) -> Result<Option<(Duration, usize)>, ApiError> {
        let (caller, word) = (Caller::owner("bench"), format!("marker{number}"));
        let MemoryRemember { text, space, .. } = self.text(FIRST_MARKER + number);
        let question = MemoryRecall {
            query: format!("What about {word}?"),
            space: Some(space.clone()),
            limit: Some(HITS),
            ..MemoryRecall::default()
        };
        let text = format!("{word} {text}");
        let begun = Instant::now();
        let marker = MemoryRemember { text, space, key: Some(word), ..MemoryRemember::default() };
        let id = self.engine.run(&caller, marker)?.memory.id;
        for asked in 1.. {
            let hits = self.engine.run(&caller, question.clone())?.hits;
            if hits.iter().any(|hit| hit.ids.memory == id) {
                return Ok(Some((begun.elapsed(), asked)));
            }
            if begun.elapsed() > PATIENCE {
                break;
            }
        }
        Ok(None)
    }
}
