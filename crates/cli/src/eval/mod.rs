//! `umem eval recall`: scores recall on documents and questions, in a data folder of its own that goes
//! afterwards. No service takes part.

mod beliefs;
mod calibration;
mod metrics;
mod pii;
mod set;
mod without;

pub(crate) use beliefs::beliefs;
pub(crate) use pii::pii;

use crate::failure::{Failure, system};
use crate::print::{Output, cell, say, table};
use crate::serve;
use calibration::{Calibration, calibration};
use metrics::{Answered, Scores, scores};
use serde::Serialize;
use set::{Document, Query, Set};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use um_engine::{Caller, Engine, Part, SIGNALS, Signal};
use um_model::capture::MemoryRemember;
use um_model::health::StatusGet;
use um_model::jobs::JobsStatus;
use um_model::recall::{Hit, MemoryRecall};
use um_model::spaces::SpaceCreate;
use um_model::{ApiError, ErrorCode};
use um_server::text::count;
use without::Without;

/// Passages asked for by each question: the deepest metric is R@20.
const DEPTH: u32 = 20;
/// So many where they are put in other orders.
const DEEP: u32 = 100;
/// What is said of the metrics without a part.
const ASKED_ANEW: &str = "Without a part of recall, all is asked anew (in brackets: the difference to all parts):";
/// What is said of the metrics without a signal.
const ORDER_ALONE: &str = "Without a signal of the score, the best hundred are put in the order that their scores have without it (in \
     brackets: the difference to their order with it): what is found, what it repeats and how surely there is no answer (AUROC) are not \
     computed anew.";
/// The category whose questions have no answer.
const ADVERSARIAL: &str = "adversarial";

/// What the verb answers.
#[derive(Debug, Default, Serialize)]
struct Report {
    overall: Scores,
    categories: BTreeMap<String, Scores>,
    /// How well what is stated fits what is found, overall.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<Calibration>,
    /// The metrics without each part of recall.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<&'static str, Without>,
    /// The metrics without each of the ranking's signals.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    without: BTreeMap<&'static str, Without>,
    /// What those are compared with: the metrics of the best hundred.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_hundred: Option<Box<Report>>,
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
    let result = run(&engine, &set, ablate);
    engine.stop();
    Ok(output.answer(&result?, report))
}

fn run(engine: &Engine, set: &Set, ablate: bool) -> Result<Report, Failure> {
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
    let asking = Asking { engine, caller: &caller, corpora: &corpora, queries: &set.queries };
    let mut report = asking.report(None)?;
    if ablate {
        for part in Part::ALL {
            let without = Without::asked_anew(asking.report(Some(part))?, &report.overall);
            report.parts.insert(part.name(), without);
        }
        let found = asking.all(DEEP, None)?;
        let best = scored(&set.queries, &found, None);
        for signal in SIGNALS {
            let without = Without::in_other_order(scored(&set.queries, &found, Some(signal)), &best.overall);
            report.without.insert(signal.name, without);
        }
        report.best_hundred = Some(Box::new(Report { calibration: None, ..best }));
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

/// Questions, and who is asked.
struct Asking<'a> {
    engine: &'a Engine,
    caller: &'a Caller,
    corpora: &'a HashMap<&'a str, Corpus>,
    queries: &'a [Query],
}

impl Asking<'_> {
    /// The metrics of all questions, with all parts of recall or without one.
    fn report(&self, without: Option<Part>) -> Result<Report, Failure> {
        Ok(scored(self.queries, &self.all(DEPTH, without)?, None))
    }

    /// Asks all questions for so many passages, of recall without a part where one is named.
    fn all(&self, depth: u32, without: Option<Part>) -> Result<Vec<Found>, Failure> {
        let by = without.map_or(String::new(), |part| format!(" without {}", part.name()));
        let ask = |(at, query): (usize, &Query)| {
            if at % 200 == 0 {
                say(&format!("asking{by}: {at} of {}", self.queries.len()));
            }
            ask((self.engine, self.caller), self.corpora, query, (depth, without))
        };
        self.queries.iter().enumerate().map(ask).collect()
    }
}

/// Asks a question in its corpus. Documents with the same words are one memory, so both the answer and
/// the gold are told in memories.
fn ask(
    (engine, caller): (&Engine, &Caller),
    corpora: &HashMap<&str, Corpus>,
    query: &Query,
    (depth, without): (u32, Option<Part>),
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
    let recalled = match without {
        None => engine.run(caller, request)?,
        Some(part) => engine.recall_without(caller, request, part)?,
    };
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

/// The metrics of what was found, in the order that the scores have, or would have without a signal.
fn scored(queries: &[Query], found: &[Found], without: Option<&Signal>) -> Report {
    score(queries, &found.iter().map(|one| one.in_order(without)).collect::<Vec<_>>())
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
        ..Report::default()
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
    let of_confidence =
        |one: &Calibration| format!("\n\n{}\n{}", table(&calibration::rows(one)), calibration::words(one));
    let of_parts = |best: &Report| {
        let (parts, signals) = (without::rows(report, &report.parts), without::rows(best, &report.without));
        format!("\n\n{ASKED_ANEW}\n\n{parts}\n\n{ORDER_ALONE}\n\n{signals}")
    };
    table(&rows)
        + &report.calibration.as_ref().map(of_confidence).unwrap_or_default()
        + &report.best_hundred.as_deref().map(of_parts).unwrap_or_default()
}

/// A table in Markdown, with aligned columns; the first row is its head.
fn markdown(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|text| cell(text).replace('|', "\\|")).collect()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or_default()).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = widths.iter().map(|width| "-".repeat(width + 2)).collect::<Vec<_>>().join("|");
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(lines.len().min(1), format!("|{rule}|"));
    lines.join("\n")
}
