//! How long storing and recalling take at 10,000 and 100,000 passages, beside the goals of the design
//! (spine, part 9.6): `cargo bench -p um-bench`, or `cargo bench -p um-bench -- 10000` for one size, `… -- 100000 one` for a part
//! of it (`one`, `many`, `files`, `store`), or `cargo bench -p um-bench -- beliefs` for what is believed, `… -- forget` for
//! forgetting, `… -- work` for what agents work with (entries, sessions, events, locks), or
//! `cargo bench -p um-bench --features encryption -- encryption` for what encryption costs. `… -- peers FOLDER OUT` is the
//! product's side of `benches/peers`.
//!
//! "Database only" stands a double in for the embedding model. With the real model the vectors of the
//! questions are real and those of the texts are not: times do not depend on what vectors say. A reranking model takes part in
//! the one row that names it, where one is installed. All data is notes, but for the row that names long files: 200 of them lie
//! beside so many notes there, with 200,000 characters each.

mod beliefs;
mod data;
mod encryption;
mod forget;
mod peers;
mod work;

use data::{Data, HUGE, Layout, SMALL};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use um_bench::measure::{self, Goal, Sample};
use um_bench::words::Language;
use um_engine::{Caller, Engine};
use um_model::ApiError;
use um_model::health::SettingsSet;
use um_model::recall::MemoryRecall;

/// Questions that are asked, after as many as [`WARM`] that do not count: beside the first, the vectors are read into memory.
const QUESTIONS: usize = 200;
const WARM: usize = 50;
/// So many passages are given, each with its source.
const GIVEN: u32 = 50;
/// Questions that are asked where a reranking model reads the passages of each: that may take seconds.
const RERANKED: usize = 30;
/// What is measured of each size: recall among notes of one space, of many, or beside long files, and storing.
const PARTS: [&str; 4] = ["one", "many", "files", "store"];
/// Texts that are stored.
const STORED: usize = 200;

fn main() -> Result<(), ApiError> {
    um_providers::run_if_child();
    let words: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` runs this without the flag, to see that it builds.
    if !words.iter().any(|word| word == "--bench") {
        return Ok(());
    }
    if let Some(at) = words.iter().position(|word| word == "peers") {
        let [folder, out] = [at + 1, at + 2].map(|at| words.get(at).map(Path::new).expect("peers FOLDER OUT"));
        return peers::measure(folder, out);
    }
    let asked: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10_000, 100_000] } else { asked };
    if words.iter().any(|word| word == "work") {
        let language = Language::new();
        return sizes.into_iter().try_for_each(|size| work::measure(size, &language));
    }
    measure::head();
    if words.iter().any(|word| word == "beliefs") {
        return sizes.last().map_or(Ok(()), |claims| beliefs::measure(*claims));
    }
    let language = Language::new();
    if words.iter().any(|word| word == "forget") {
        return sizes.into_iter().try_for_each(|units| forget::measure(units, &language));
    }
    if words.iter().any(|word| word == "encryption") {
        return sizes.into_iter().try_for_each(|units| encryption::measure(&language, units));
    }
    let mut steps = Vec::new();
    for units in sizes {
        let goals = Goals::of(units);
        let parts: Vec<&String> = words.iter().filter(|word| PARTS.contains(&word.as_str())).collect();
        let is_asked = |part: &str| parts.is_empty() || parts.iter().any(|asked| *asked == part);
        for (part, layout) in [("one", Layout::One), ("many", Layout::Many), ("files", Layout::Files)] {
            if is_asked(part) {
                recall(&language, Data { units, layout }, &goals, &mut steps)?;
            }
        }
        if is_asked("store") {
            store(&language, Data { units, layout: Layout::One }, &goals)?;
        }
    }
    println!("\nMedian milliseconds of recall's steps:\n");
    steps.iter().for_each(|step| println!("- {step}"));
    Ok(())
}

/// The design's goals for a size.
struct Goals {
    store: Goal,
    store_with_model: Goal,
    recall: Goal,
    recall_with_model: Goal,
    recall_with_reranker: Goal,
}

impl Goals {
    /// The design has no goal for a recall with the model and without a reranker: what the model may add
    /// to a store is allowed here as well.
    fn of(units: usize) -> Self {
        if units <= 10_000 {
            Self {
                store: Goal(30.0, 50.0),
                store_with_model: Goal(100.0, 200.0),
                recall: Goal(50.0, 100.0),
                recall_with_model: Goal(120.0, 250.0),
                recall_with_reranker: Goal(200.0, 400.0),
            }
        } else {
            Self {
                store: Goal(50.0, 100.0),
                store_with_model: Goal(150.0, 300.0),
                recall: Goal(100.0, 200.0),
                recall_with_model: Goal(200.0, 400.0),
                recall_with_reranker: Goal(300.0, 600.0),
            }
        }
    }
}

/// Where a question is asked.
struct Asked {
    what: &'static str,
    space: Option<&'static str>,
    /// Only the newest texts are searched: one of so many.
    one_in: Option<usize>,
    /// How often.
    times: usize,
}

fn recall(language: &Language, data: Data, goals: &Goals, steps: &mut Vec<String>) -> Result<(), ApiError> {
    let asked = |what, space| Asked { what, space, one_in: None, times: QUESTIONS };
    let newer = |what, space, parts| Asked { one_in: Some(parts), ..asked(what, space) };
    let all = match data.layout {
        Layout::One => vec![
            asked("recall, one space", Some(HUGE)),
            newer("recall, one space, newer half", Some(HUGE), 2),
            newer("recall, one space, newest tenth", Some(HUGE), 10),
            newer("recall, one space, newest hundredth", Some(HUGE), 100),
        ],
        Layout::Many => vec![
            asked("recall, a small space beside a huge one", Some(SMALL)),
            asked("recall, the huge space beside 300 small ones", Some(HUGE)),
            asked("recall, all 301 spaces", None),
            newer("recall, all 301 spaces, newer half", None, 2),
        ],
        Layout::Files => vec![asked("recall, one space, of long files beside the notes", Some(HUGE))],
    };
    let folder = data.copy(language)?;
    for double in [true, false] {
        let engine = data::open(folder.path(), double)?;
        rerank(&engine, false)?;
        if !double && !has_model(&engine)? {
            eprintln!("The embedding model is not installed: only the database is measured.");
            continue;
        }
        let (suffix, goal) =
            if double { ("database only", goals.recall) } else { ("with the model", goals.recall_with_model) };
        for asked in &all[..if double { all.len() } else { 1 }] {
            let mut medians: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            let sample = questions(language, data, &engine, asked, &mut medians)?;
            measure::line(data.units, &format!("{}; {suffix}", asked.what), &sample, goal);
            steps.push(format!("{}, {}; {suffix}: {}", data.units, asked.what, shown(medians)?));
        }
    }
    match data.layout {
        Layout::One => reranked(language, data, folder.path(), goals, steps),
        Layout::Many | Layout::Files => Ok(()),
    }
}

/// The same with the reranking model that is installed, which reads the best passages of each question; the embedding model's double
/// keeps its time apart.
fn reranked(
    language: &Language,
    data: Data,
    folder: &Path,
    goals: &Goals,
    steps: &mut Vec<String>,
) -> Result<(), ApiError> {
    let engine = data::open(folder, true)?;
    rerank(&engine, true)?;
    let probe = || {
        let request = MemoryRecall { query: language.question(0), ..MemoryRecall::default() };
        engine.run(&Caller::owner("bench"), request)
    };
    // The first question loads the model, and may go on without it.
    probe()?;
    let probed = probe()?;
    if !probed.timings.contains_key("rerank") {
        eprintln!("No reranking model is installed (umem models): recall with one is not measured.");
        return Ok(());
    }
    if let Some(notice) = probed.notices.first() {
        eprintln!("Recall with a reranker is not measured: {notice}");
        return Ok(());
    }
    let what = "recall, one space; with the reranker, its time included";
    let asked = Asked { what, space: Some(HUGE), one_in: None, times: RERANKED };
    let mut medians: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let sample = questions(language, data, &engine, &asked, &mut medians)?;
    measure::line(data.units, what, &sample, goals.recall_with_reranker);
    steps.push(format!("{}, {what}: {}", data.units, shown(medians)?));
    Ok(())
}

/// Whether a reranking model, where one is installed, reads the passages.
fn rerank(engine: &Engine, is_on: bool) -> Result<(), ApiError> {
    let request = SettingsSet { rerank: Some(is_on), ..SettingsSet::default() };
    engine.run(&Caller::owner("bench"), request).map(drop)
}

fn shown(steps: BTreeMap<String, Vec<f64>>) -> Result<String, ApiError> {
    let median = |times: Vec<f64>| {
        Sample::of(times.into_iter().map(|ms| Ok::<_, ApiError>(Duration::from_secs_f64(ms / 1000.0))))
    };
    let all: Vec<String> = steps
        .into_iter()
        .map(|(step, times)| Ok(format!("{step} {:.1}", median(times)?.at(0.5))))
        .collect::<Result<_, ApiError>>()?;
    Ok(all.join(", "))
}

fn questions(
    language: &Language,
    data: Data,
    engine: &Engine,
    asked: &Asked,
    steps: &mut BTreeMap<String, Vec<f64>>,
) -> Result<Sample, ApiError> {
    let caller = Caller::owner("bench");
    let numbers = (0..asked.times + WARM).map(|nth| data.asked(nth));
    let mut times = Vec::with_capacity(asked.times);
    for (at, number) in numbers.enumerate() {
        let request = MemoryRecall {
            query: language.question(number),
            space: asked.space.map(str::to_owned),
            limit: Some(GIVEN),
            since: asked.one_in.map(|parts| data.time(data.units - data.units / parts)),
            ..MemoryRecall::default()
        };
        let mut answer = None;
        let took = measure::time(|| engine.run(&caller, request).map(|found| answer = Some(found)))?;
        if at >= WARM {
            times.push(took);
            for (step, ms) in answer.map(|found| found.timings).unwrap_or_default() {
                steps.entry(step).or_default().push(ms);
            }
        }
    }
    Sample::of(times.into_iter().map(Ok::<_, ApiError>))
}

/// Whether questions are embedded: otherwise recall says that meaning was not searched.
fn has_model(engine: &Engine) -> Result<bool, ApiError> {
    let request = MemoryRecall { query: "ready".to_owned(), ..MemoryRecall::default() };
    Ok(engine.run(&Caller::owner("bench"), request)?.notices.is_empty())
}

fn store(language: &Language, data: Data, goals: &Goals) -> Result<(), ApiError> {
    let folder = data.copy(language)?;
    let mut next = data.units;
    let mut numbers = || {
        next += STORED;
        next - STORED..next
    };
    let caller = Caller::owner("bench");
    let engine = data::open(folder.path(), true)?;
    let remember = |number| measure::time(|| engine.run(&caller, data.request(language, number)));
    let sample = Sample::of(numbers().map(remember))?;
    measure::line(data.units, "store, acknowledged and found by its words; database only", &sample, goals.store);
    drop(engine);
    for double in [true, false] {
        let engine = data::open(folder.path(), double)?;
        if !double && !has_model(&engine)? {
            continue;
        }
        let (suffix, goal) =
            if double { ("database only", goals.store) } else { ("with the model", goals.store_with_model) };
        // What the first run left is embedded before anything is measured.
        engine.start();
        data::wait_until_idle(&engine, &caller)?;
        let sample = Sample::of(numbers().map(|number| until_embedded(language, data, &engine, &caller, number)))?;
        measure::line(data.units, &format!("store, until its vector is found; {suffix}"), &sample, goal);
        engine.stop();
    }
    Ok(())
}

/// The time until the text that is stored has its vector. Its claims are read beside that, and not waited for.
fn until_embedded(
    language: &Language,
    data: Data,
    engine: &Engine,
    caller: &Caller,
    number: usize,
) -> Result<Duration, ApiError> {
    let mut events = engine.subscribe();
    measure::time(|| {
        engine.run(caller, data.request(language, number))?;
        data::wait_until_embedded(engine, caller, &mut events)
    })
}
