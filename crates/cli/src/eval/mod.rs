//! `umem eval recall`: scores recall on documents and questions, in a data folder of its own that goes
//! afterwards. No service takes part.

mod beliefs;
mod calibration;
mod metrics;
mod pii;
mod set;

pub(crate) use beliefs::beliefs;
pub(crate) use pii::pii;

use crate::failure::{Failure, system};
use crate::print::{Output, say, table};
use crate::serve;
use calibration::{Calibration, calibration};
use metrics::{Answered, Scores, scores};
use serde::Serialize;
use set::{Document, Query, Set};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use um_engine::{Caller, Engine, SIGNALS, Signal};
use um_model::capture::MemoryRemember;
use um_model::health::StatusGet;
use um_model::jobs::JobsStatus;
use um_model::recall::{Hit, MemoryRecall};
use um_model::spaces::SpaceCreate;
use um_model::{ApiError, ErrorCode};
use um_server::text::count;

/// Passages asked for by each question: the deepest metric is R@20.
const DEPTH: u32 = 20;
/// So many where they are put in other orders as well.
const DEEP: u32 = 100;
/// What is said of the metrics without a signal.
const ORDER_ALONE: &str = "\nWithout a signal, the best hundred are put in the order that their scores have without it: what is found, \
     what it repeats and how surely there is no answer (AUROC) are not computed anew.";
/// The category whose questions have no answer.
const ADVERSARIAL: &str = "adversarial";

/// What the verb answers.
#[derive(Debug, Serialize)]
struct Report {
    overall: Scores,
    categories: BTreeMap<String, Scores>,
    /// How well what is stated fits what is found, overall.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<Calibration>,
    /// The metrics without each of the ranking's signals.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    without: BTreeMap<&'static str, Without>,
}

/// The metrics that the order would have without a signal. What it does not tell is left out: how sure an answer is that there is
/// none does not follow from the order.
#[derive(Debug, Serialize)]
struct Without {
    overall: Scores,
    categories: BTreeMap<String, Scores>,
}

impl Without {
    /// Of questions that are scored in that order.
    fn of(report: Report) -> Self {
        let of_order = |scores: Scores| Scores { auroc: None, ..scores };
        let categories = report.categories.into_iter().map(|(name, scores)| (name, of_order(scores))).collect();
        Self { overall: of_order(report.overall), categories }
    }
}

/// Memories of a corpus: its space, and the memory that stands for each document.
struct Corpus {
    space: String,
    memory_of: HashMap<String, String>,
}

/// Runs the evaluation. Models are looked for where the data folder's service would look for them.
pub(crate) fn recall(data: &Path, file: &Path, ablate: bool, output: Output) -> Result<ExitCode, Failure> {
    let set = Set::read(file)?;
    let folder = tempfile::tempdir().map_err(system)?;
    let engine = serve::open(folder.path(), data)?;
    engine.start();
    let result = run(&engine, &set, if ablate { DEEP } else { DEPTH });
    engine.stop();
    Ok(output.answer(&result?, report))
}

fn run(engine: &Engine, set: &Set, depth: u32) -> Result<Report, Failure> {
    let caller = Caller { purpose: Some("eval".to_owned()), ..Caller::owner("eval") };
    let mut corpora: HashMap<&str, Corpus> = HashMap::new();
    for (at, document) in set.documents.iter().enumerate() {
        if at % 1000 == 0 {
            say(&format!("remembering: {at} of {}", set.documents.len()));
        }
        if !corpora.contains_key(document.corpus.as_str()) {
            corpora.insert(&document.corpus, make_corpus(engine, &caller, corpora.len() + 1)?);
        }
        if let Some(corpus) = corpora.get_mut(document.corpus.as_str()) {
            let id = remember(engine, &caller, &corpus.space, document)?;
            corpus.memory_of.insert(document.id.clone(), id);
        }
    }
    wait_until_embedded(engine, &caller)?;
    let mut answered = Vec::with_capacity(set.queries.len());
    for (at, query) in set.queries.iter().enumerate() {
        if at % 200 == 0 {
            say(&format!("asking: {at} of {}", set.queries.len()));
        }
        answered.push(ask(engine, &caller, &corpora, query, depth)?);
    }
    let mut report = score(&set.queries, &answered.iter().map(|one| one.in_order(None)).collect::<Vec<_>>());
    if depth == DEEP {
        for signal in SIGNALS {
            let without: Vec<Answered> = answered.iter().map(|one| one.in_order(Some(signal))).collect();
            report.without.insert(signal.name, Without::of(score(&set.queries, &without)));
        }
    }
    Ok(report)
}

fn make_corpus(engine: &Engine, caller: &Caller, number: usize) -> Result<Corpus, Failure> {
    let name = format!("corpus {number}");
    let space = engine.run(caller, SpaceCreate { name, ..SpaceCreate::default() })?;
    Ok(Corpus { space: space.id.to_string(), memory_of: HashMap::new() })
}

fn remember(engine: &Engine, caller: &Caller, space: &str, document: &Document) -> Result<String, Failure> {
    let request = MemoryRemember {
        text: document.text.clone(),
        space: space.to_owned(),
        session: document.session.clone(),
        occurred_at: document.occurred_at,
        ..MemoryRemember::default()
    };
    Ok(engine.run(caller, request)?.memory.id.to_string())
}

/// Waits until nothing more is embedded; says so where vectors are missing at the end.
fn wait_until_embedded(engine: &Engine, caller: &Caller) -> Result<(), Failure> {
    let mut said = u64::MAX;
    loop {
        let busy = engine.run(caller, JobsStatus { limit: Some(1), ..JobsStatus::default() })?.busy;
        let left = engine.run(caller, StatusGet {})?.units_unembedded;
        if !busy {
            if left > 0 {
                let left = count(left, "passage");
                say(&format!("{left} without a vector: is the embedding model installed? (umem models)"));
            }
            return Ok(());
        }
        if said.saturating_sub(left) >= 500 {
            say(&format!("embedding: {} to go", count(left, "passage")));
            said = left;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Asks a question in its corpus. Documents with the same words are one memory, so both the answer and
/// the gold are told in memories.
fn ask(
    engine: &Engine,
    caller: &Caller,
    corpora: &HashMap<&str, Corpus>,
    query: &Query,
    depth: u32,
) -> Result<Found, Failure> {
    let unknown = |what: &str, name: &str| {
        Failure::usage(
            ApiError::new(
                ErrorCode::InvalidRequest,
                format!("A query names the {what} {name:?}, of which there is no document."),
            )
            .hint("Put every document before the queries that name it."),
        )
    };
    let corpus = corpora.get(query.corpus.as_str()).ok_or_else(|| unknown("corpus", &query.corpus))?;
    let memory_of = |id: &String| corpus.memory_of.get(id).cloned().ok_or_else(|| unknown("document", id));
    let gold = query.gold.iter().map(memory_of).collect::<Result<Vec<_>, _>>()?;
    let request = MemoryRecall {
        query: query.text.clone(),
        space: Some(corpus.space.clone()),
        limit: Some(depth),
        ..MemoryRecall::default()
    };
    let recalled = engine.run(caller, request)?;
    let abstention = 1.0 - recalled.answerability;
    Ok(Found {
        hits: recalled.hits,
        gold,
        abstention,
        unanswerable: query.category == ADVERSARIAL,
        abstained: recalled.abstained,
    })
}

/// What a question found.
struct Found {
    hits: Vec<Hit>,
    gold: Vec<String>,
    abstention: f64,
    unanswerable: bool,
    abstained: bool,
}

impl Found {
    /// What it found in the order that the scores have, or would have without a signal.
    fn in_order(&self, without: Option<&Signal>) -> Answered {
        let less = |hit: &Hit| without.map_or(0.0, |one| one.weight * (one.of)(&hit.score_parts).unwrap_or(0.0));
        let mut hits: Vec<(f64, &Hit)> = self.hits.iter().map(|hit| (hit.score - less(hit), hit)).collect();
        hits.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Of several passages of a document, the first counts.
        let mut seen = HashSet::new();
        let first = hits.into_iter().map(|(_, hit)| &hit.ids.memory).filter(|memory| seen.insert(*memory));
        let ranked = first.take(DEPTH as usize).map(ToString::to_string).collect();
        let Self { abstention, unanswerable, abstained, .. } = *self;
        Answered { ranked, gold: self.gold.clone(), abstention, unanswerable, abstained }
    }
}

/// A category's AUROC compares its questions with the unanswerable ones of the whole set.
fn score(queries: &[Query], answered: &[Answered]) -> Report {
    let mut categories: BTreeMap<String, Vec<&Answered>> = BTreeMap::new();
    for (query, answered) in queries.iter().zip(answered) {
        categories.entry(query.category.clone()).or_default().push(answered);
    }
    let all: Vec<&Answered> = answered.iter().collect();
    let unanswerable: Vec<&Answered> = all.iter().copied().filter(|one| one.unanswerable).collect();
    let of_category = |(name, own): (String, Vec<&Answered>)| (name, scores(&own, &unanswerable));
    Report {
        overall: scores(&all, &unanswerable),
        categories: categories.into_iter().map(of_category).collect(),
        calibration: calibration(&all),
        without: BTreeMap::new(),
    }
}

fn report(report: &Report) -> String {
    let mut rows = vec![std::iter::once("").chain(Scores::NAMES).map(str::to_owned).collect::<Vec<_>>()];
    let row = |name: &str, scores: &Scores| {
        let cell = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        let counts = std::iter::once(scores.queries.to_string());
        std::iter::once(name.to_owned()).chain(scores.values().map(cell)).chain(counts).collect::<Vec<_>>()
    };
    rows[0].push("queries".to_owned());
    rows.push(row("overall", &report.overall));
    rows.extend(report.categories.iter().map(|(name, scores)| row(name, scores)));
    for (signal, without) in &report.without {
        rows.push(row(&format!("without {signal}"), &without.overall));
        let of_category = |(name, scores): (&String, &Scores)| row(&format!("without {signal}: {name}"), scores);
        rows.extend(without.categories.iter().map(of_category));
    }
    let about = if report.without.is_empty() { "" } else { ORDER_ALONE };
    let of_confidence =
        |one: &Calibration| format!("\n\n{}\n{}", table(&calibration::rows(one)), calibration::words(one));
    table(&rows) + about + &report.calibration.as_ref().map(of_confidence).unwrap_or_default()
}
