//! The product's side of `benches/peers`: it is given the texts and vectors that its peers are given, adds them through the
//! engine's own path and asks what they are asked. `cargo bench -p um-bench -- peers FOLDER OUT`; `benches/peers/data.py`
//! tells what the folder holds, `benches/peers/README.md` what is compared.
//!
//! Nothing is left out of an add: the text is kept, cut, indexed by its words, audited and queued, and the workers that embed,
//! read claims, compare duplicates and look for personal data run beside it as they do for a person. Many are added by the
//! operation for many.

use super::data;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use um_bench::double;
use um_bench::measure::Sample;
use um_engine::provider::{EmbeddingProvider, ProviderResult};
use um_engine::{Caller, Engine};
use um_model::capture::MemoryRemember;
use um_model::health::Event;
use um_model::jobs::JobsStatus;
use um_model::memories::{MAX_ADDED, MemoriesAdd, MemoryText};
use um_model::recall::MemoryRecall;
use um_model::spaces::SpaceCreate;
use um_model::{ApiError, JobKind, JobStatus};

/// How many there are of what, as `plan.json` says.
#[derive(Deserialize)]
struct Plan {
    units: usize,
    spaces: usize,
    singles: usize,
    warm: usize,
    /// So many seconds one row may take.
    cap: f64,
}

/// A unit or a question.
#[derive(Deserialize)]
struct Text {
    text: String,
    space: String,
    /// The number of the unit that a question is about.
    of: Option<usize>,
}

/// Gives each text the vector that came with it.
struct Given {
    vectors: HashMap<String, Vec<f32>>,
    /// How many texts were embedded.
    embedded: AtomicUsize,
    /// How many of them before they were kept: these are kept with their vectors.
    ahead: AtomicUsize,
}

impl EmbeddingProvider for Given {
    fn model_id(&self) -> &str {
        double::MODEL
    }

    fn dimensions(&self) -> usize {
        double::DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> ProviderResult<Vec<Vec<f32>>> {
        let known = |text: &&str| self.vectors.get(*text).cloned();
        let Some(vectors) = texts.iter().map(known).collect() else {
            // A failed job would be waited for without end.
            eprintln!("A text came without its vector.");
            std::process::exit(1);
        };
        self.embedded.fetch_add(texts.len(), Ordering::SeqCst);
        Ok(vectors)
    }

    fn embed_if_free(&self, text: &str) -> Option<Vec<f32>> {
        let vector = self.embed(&[text]).ok()?.pop();
        self.ahead.fetch_add(1, Ordering::SeqCst);
        vector
    }
}

/// Measures with what is in a folder, and writes a report. The database is kept beside that.
pub fn measure(folder: &Path, out: &Path) -> Result<(), ApiError> {
    let plan: Plan = serde_json::from_str(&read(folder, "plan.json")).expect("plan.json is a plan");
    let lines = read(folder, "texts.jsonl");
    let texts: Vec<Text> = lines.lines().map(|line| serde_json::from_str(line).expect("a line is a text")).collect();
    let own = out.with_file_name("product");
    std::fs::create_dir(&own).expect("there is a place beside the report");
    let given =
        Arc::new(Given { vectors: vectors(folder, &texts), embedded: AtomicUsize::new(0), ahead: AtomicUsize::new(0) });
    let engine = data::open_as(&own, given.clone())?;
    let cap = Duration::from_secs_f64(plan.cap);
    let side = Side { engine, caller: Caller::owner("bench"), given, spaces: plan.spaces, cap };
    let (bulk, rest) = texts.split_at(plan.units);
    let (singles, questions) = rest.split_at(plan.singles);
    side.make_spaces(&texts)?;
    side.engine.start();
    let added = side.bulk(bulk)?;
    let asked: Vec<&Text> = questions.iter().filter(|question| question.of < Some(added.units)).collect();
    let Single { acknowledged, found, all } = side.singles(singles)?;
    let (times, share) = side.ask(&asked, plan.warm, bulk)?;
    let report = json!({
        "bulk": {
            "units": added.units, "seconds": added.embedded, "capped": added.units < bulk.len(),
            "acknowledged": added.acknowledged, "all": added.all,
        },
        "acknowledged": row(acknowledged, singles.len())?,
        "single": row(found, singles.len())?,
        "single_all": all,
        "query": row(times, asked.len() - plan.warm)?,
        "found": share,
    });
    side.engine.stop();
    std::fs::write(out, report.to_string()).expect("the report can be written");
    Ok(())
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("the folder holds what it should")
}

/// The vectors by their texts. The file: u32 count, u32 dimensions, then as many f32s, all little-endian.
fn vectors(folder: &Path, texts: &[Text]) -> HashMap<String, Vec<f32>> {
    let bytes = std::fs::read(folder.join("vectors.bin")).expect("the vectors can be read");
    let (head, values) = bytes.split_at(8);
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize;
    assert_eq!((number(&head[..4]), number(&head[4..])), (texts.len(), double::DIMENSIONS), "a vector a text");
    let vectors = values.chunks_exact(4 * double::DIMENSIONS).map(|vector| {
        vector.chunks_exact(4).map(|value| f32::from_le_bytes(value.try_into().expect("four bytes"))).collect()
    });
    texts.iter().map(|text| text.text.clone()).zip(vectors).collect()
}

/// Percentiles in milliseconds of what was measured, of so many.
fn row(times: Vec<Duration>, of: usize) -> Result<Value, ApiError> {
    let n = times.len();
    let sample = Sample::of(times.into_iter().map(Ok::<_, ApiError>))?;
    Ok(json!({ "n": n, "capped": n < of, "p50": sample.at(0.5), "p95": sample.at(0.95), "mean": sample.mean() }))
}

/// What came of adding many, in seconds from the first.
struct Added {
    units: usize,
    /// Until the last was acknowledged, found by its words.
    acknowledged: f64,
    /// Until the last had its vector.
    embedded: f64,
    /// Until its claims were read as well, and nothing was left to do.
    all: f64,
}

/// What came of adding one by one.
struct Single {
    /// Until each was acknowledged.
    acknowledged: Vec<Duration>,
    /// Until each had its vector.
    found: Vec<Duration>,
    /// Until the claims of all were read, and nothing was left to do: in seconds from the first.
    all: f64,
}

struct Side {
    engine: Engine,
    caller: Caller,
    given: Arc<Given>,
    spaces: usize,
    cap: Duration,
}

impl Side {
    fn make_spaces(&self, texts: &[Text]) -> Result<(), ApiError> {
        let mut names: Vec<&String> = texts.iter().map(|text| &text.space).collect();
        names.sort();
        names.dedup();
        for name in names {
            self.engine.run(&self.caller, SpaceCreate { name: name.clone(), ..SpaceCreate::default() })?;
        }
        Ok(())
    }

    fn remember(&self, text: &Text) -> Result<(), ApiError> {
        let (text, space) = (text.text.clone(), text.space.clone());
        self.engine.run(&self.caller, MemoryRemember { text, space, ..MemoryRemember::default() })?;
        Ok(())
    }

    /// Many of one space, in one call.
    fn add(&self, space: &str, texts: &[&Text]) -> Result<(), ApiError> {
        let memories =
            texts.iter().map(|text| MemoryText { text: text.text.clone(), ..MemoryText::default() }).collect();
        let added = self.engine.run(&self.caller, MemoriesAdd { space: space.to_owned(), memories })?;
        assert_eq!(added.created, texts.len() as u64, "each is new");
        Ok(())
    }

    /// In calls of as many of one space as one takes, all spaces in turn, as the peers do.
    fn bulk(&self, texts: &[Text]) -> Result<Added, ApiError> {
        let begun = Instant::now();
        let mut units = 0;
        for turn in texts.chunks(MAX_ADDED * self.spaces) {
            let mut by_space: BTreeMap<&str, Vec<&Text>> = BTreeMap::new();
            turn.iter().for_each(|text| by_space.entry(&text.space).or_default().push(text));
            for (space, texts) in by_space {
                self.add(space, &texts)?;
                units += texts.len();
            }
            if begun.elapsed() > self.cap {
                break;
            }
        }
        let acknowledged = begun.elapsed().as_secs_f64();
        self.wait_until_embedded(units)?;
        let embedded = begun.elapsed().as_secs_f64();
        data::wait_until_idle(&self.engine, &self.caller)?;
        Ok(Added { units, acknowledged, embedded, all: begun.elapsed().as_secs_f64() })
    }

    /// One by one.
    fn singles(&self, texts: &[Text]) -> Result<Single, ApiError> {
        let begun = Instant::now();
        let (mut acknowledged, mut found) = (Vec::new(), Vec::new());
        for text in texts {
            let count = |count: &AtomicUsize| count.load(Ordering::SeqCst);
            let (wanted, ahead) = (count(&self.given.embedded) + 1, count(&self.given.ahead));
            let one = Instant::now();
            self.remember(text)?;
            acknowledged.push(one.elapsed());
            if count(&self.given.ahead) == ahead {
                self.wait_until_embedded(wanted)?;
            }
            found.push(one.elapsed());
            if begun.elapsed() > self.cap {
                break;
            }
        }
        data::wait_until_idle(&self.engine, &self.caller)?;
        Ok(Single { acknowledged, found, all: begun.elapsed().as_secs_f64() })
    }

    /// The times after the first few, and the share of them whose ten answers held the unit that was asked about.
    fn ask(&self, questions: &[&Text], warm: usize, units: &[Text]) -> Result<(Vec<Duration>, f64), ApiError> {
        let begun = Instant::now();
        let (mut times, mut found) = (Vec::new(), 0);
        for (at, question) in questions.iter().enumerate() {
            let (query, space) = (question.text.clone(), Some(question.space.clone()));
            let one = Instant::now();
            let request = MemoryRecall { query, space, limit: Some(10), ..MemoryRecall::default() };
            let answer = self.engine.run(&self.caller, request)?;
            if at >= warm {
                times.push(one.elapsed());
                let wanted = question.of.map(|unit| units[unit].text.as_str());
                found += usize::from(answer.hits.iter().any(|hit| Some(hit.quote.as_str()) == wanted));
                assert!(answer.notices.is_empty(), "meaning was searched");
            }
            if begun.elapsed() > self.cap {
                break;
            }
        }
        let share = found as f64 / times.len().max(1) as f64;
        Ok((times, share))
    }

    /// Waits until so many texts were embedded in all, and what was embedded is kept.
    fn wait_until_embedded(&self, wanted: usize) -> Result<(), ApiError> {
        let mut events = self.engine.subscribe();
        // A job is being worked on until its vectors are kept.
        let jobs = JobsStatus { statuses: vec![JobStatus::Processing], ..JobsStatus::default() };
        let working = || {
            let jobs = self.engine.run(&self.caller, jobs.clone())?.jobs;
            Ok::<_, ApiError>(jobs.iter().any(|job| job.kind == JobKind::Embed))
        };
        while self.given.embedded.load(Ordering::SeqCst) < wanted || working()? {
            // What was missed was a move as well.
            while !matches!(events.blocking_recv(), Ok(Event::Jobs) | Err(_)) {}
        }
        Ok(())
    }
}
