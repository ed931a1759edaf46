//! `umem eval pii`: what the detectors find in each line of a set, beside what a person marked in it. No service and
//! no data folder take part.

use crate::by_line;
use crate::failure::Failure;
use crate::print::{Output, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use um_model::Utf16Span;
use um_pii::eval::{self, Score, Scores};
use um_pii::{Finding, Kind, Rules, find};

/// A line of the set.
#[derive(Debug, Deserialize)]
struct Case {
    text: String,
    spans: Vec<Mark>,
}

/// A marked stretch, in UTF-16 code units.
#[derive(Debug, Deserialize)]
struct Mark {
    start: u32,
    end: u32,
    #[serde(rename = "type")]
    kind: String,
}

/// What the verb answers.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    overall: Shares,
    any_kind: Shares,
    sure: Shares,
    kinds: BTreeMap<&'static str, Shares>,
    unmarked_kinds: BTreeMap<&'static str, usize>,
    lines: Vec<Line>,
}

/// A score with its shares.
#[derive(Debug, Clone, Serialize)]
struct Shares {
    precision: f64,
    recall: f64,
    f2: f64,
    right: usize,
    found: usize,
    expected: usize,
}

/// What is not as it was marked in a line.
#[derive(Debug, Serialize)]
struct Line {
    text: String,
    missed: Vec<Said>,
    wrong: Vec<Said>,
}

/// A stretch of a line; of a finding, with who found it.
#[derive(Debug, Serialize)]
struct Said {
    kind: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detector: Option<&'static str>,
}

/// A line with its marks and all that was found in it.
struct Read {
    text: String,
    marks: Vec<(Utf16Span, Kind)>,
    findings: Vec<Finding>,
}

/// Runs the evaluation, with every kind that the set marks somewhere.
pub(crate) fn pii(file: &Path, output: Output) -> Result<ExitCode, Failure> {
    let lines = read(file)?;
    let marked = |kind: Kind| {
        let is_date = |kind| matches!(kind, Kind::Date | Kind::BirthDate);
        lines.iter().flat_map(|line| &line.marks).any(|(_, of)| *of == kind || (is_date(*of) && is_date(kind)))
    };
    let (kinds, others): (Vec<Kind>, Vec<Kind>) = Kind::ALL.iter().copied().partition(|kind| marked(*kind));
    let all = total(&lines, |finding| kinds.contains(&finding.kind));
    let sure = total(&lines, |finding| kinds.contains(&finding.kind) && finding.confidence >= SURE);
    let count =
        |kind: Kind| lines.iter().flat_map(|line| &line.findings).filter(|finding| finding.kind == kind).count();
    let report = Report {
        overall: Shares::of(all.overall()),
        any_kind: Shares::of(all.any_kind),
        sure: Shares::of(sure.overall()),
        kinds: all.kinds.iter().map(|(kind, score)| (kind.as_str(), Shares::of(*score))).collect(),
        unmarked_kinds: others
            .iter()
            .map(|kind| (kind.as_str(), count(*kind)))
            .filter(|(_, count)| *count > 0)
            .collect(),
        lines: lines.iter().map(|line| differences(line, &kinds)).filter(Line::is_worth_a_look).collect(),
    };
    Ok(output.answer(&report, words))
}

/// From here on findings are more often right than wrong.
const SURE: f64 = 0.5;

fn total(lines: &[Read], want: impl Fn(&Finding) -> bool) -> Scores {
    let mut total = Scores::default();
    for line in lines {
        let findings: Vec<Finding> = line.findings.iter().filter(|finding| want(finding)).cloned().collect();
        total.add(&eval::compare(&findings, &line.marks));
    }
    total
}

fn read(file: &Path) -> Result<Vec<Read>, Failure> {
    let hint = "Each line is {\"text\":…,\"spans\":[{\"start\":…,\"end\":…,\"type\":…}]}; see docs/cli.md.";
    let mut lines = Vec::new();
    for (number, case) in by_line::parsed::<Case>(file, hint)? {
        let wrong = |why: String| by_line::wrong(number, &why, hint);
        let mut marks = Vec::with_capacity(case.spans.len());
        for Mark { start, end, kind: name } in &case.spans {
            let span = Utf16Span { start: *start, end: *end };
            let kind = eval::kind_of(name).ok_or_else(|| wrong(format!("there is no kind {name:?}")))?;
            if start > end || span.slice(&case.text).is_none() {
                return Err(wrong(format!("the text has no stretch from {start} to {end}")));
            }
            marks.push((span, kind));
        }
        let findings = find(&case.text, &Rules::everything());
        lines.push(Read { text: case.text, marks, findings });
    }
    if lines.is_empty() { Err(by_line::lacking(file, "line", hint)) } else { Ok(lines) }
}

/// Marks and findings that are not matched for the most part.
fn differences(line: &Read, kinds: &[Kind]) -> Line {
    let findings: Vec<&Finding> = line.findings.iter().filter(|finding| kinds.contains(&finding.kind)).collect();
    let matched = |span: Utf16Span, others: &mut dyn Iterator<Item = Utf16Span>| {
        let shared: u32 = others.map(|other| other.end.min(span.end).saturating_sub(other.start.max(span.start))).sum();
        shared * 2 > span.len()
    };
    let said = |span: Utf16Span, kind: Kind, detector| Said {
        kind: kind.as_str(),
        text: span.slice(&line.text).unwrap_or_default().to_owned(),
        detector,
    };
    let same = |a: Kind, b: Kind| a == b || (a == Kind::BirthDate && b == Kind::Date);
    let missed = line.marks.iter().filter(|(span, kind)| {
        !matched(*span, &mut findings.iter().filter(|finding| same(finding.kind, *kind)).map(|finding| finding.span))
    });
    let wrong = findings.iter().filter(|finding| {
        !matched(
            finding.span,
            &mut line.marks.iter().filter(|(_, kind)| same(finding.kind, *kind)).map(|(span, _)| *span),
        )
    });
    Line {
        text: line.text.clone(),
        missed: missed.map(|(span, kind)| said(*span, *kind, None)).collect(),
        wrong: wrong.map(|finding| said(finding.span, finding.kind, Some(finding.detector))).collect(),
    }
}

impl Line {
    fn is_worth_a_look(&self) -> bool {
        !self.missed.is_empty() || !self.wrong.is_empty()
    }
}

impl Shares {
    fn of(score: Score) -> Self {
        let Score { right, found, expected } = score;
        Self { precision: score.precision(), recall: score.recall(), f2: score.f2(), right, found, expected }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let shares = [self.precision, self.recall, self.f2].map(|share| format!("{share:.3}"));
        let counts = [self.right, self.found, self.expected].map(|count| count.to_string());
        std::iter::once(name.to_owned()).chain(shares).chain(counts).collect()
    }
}

fn words(report: &Report) -> String {
    let mut parts = Vec::new();
    for line in &report.lines {
        parts.push(line.text.clone());
        parts.extend(line.missed.iter().map(|said| format!("   missed  {} {:?}", said.kind, said.text)));
        let by = |said: &Said| said.detector.map(|detector| format!(" ({detector})")).unwrap_or_default();
        parts.extend(line.wrong.iter().map(|said| format!("   wrong   {} {:?}{}", said.kind, said.text, by(said))));
    }
    let head = ["", "precision", "recall", "F2", "right", "found", "expected"].map(str::to_owned).to_vec();
    let mut rows = vec![head, report.overall.row("overall"), report.any_kind.row("any kind"), report.sure.row("sure")];
    rows.extend(report.kinds.iter().map(|(name, shares)| shares.row(name)));
    parts.push(table(&rows));
    parts.join("\n")
}
