//! `umem eval beliefs`: the claims that the local rules propose for each line of a set, beside those that a person
//! drew from it. No service and no data folder take part.

use crate::by_line;
use crate::failure::Failure;
use crate::print::{Output, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use um_model::EpochMs;
use um_model::belief::{CandidateObject, ClaimCandidate, Polarity};
use um_rules::eval::{Gold, follows, same_claim};

/// A line of the set.
#[derive(Debug, Deserialize)]
struct Case {
    text: String,
    #[serde(default)]
    claims: Vec<Said>,
    #[serde(default)]
    occurred_at: Option<EpochMs>,
}

/// A claim, in the set and in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Said {
    subject: String,
    predicate: String,
    object: String,
    #[serde(default = "positive")]
    polarity: Polarity,
    #[serde(default)]
    qualifiers: BTreeMap<String, String>,
}

fn positive() -> Polarity {
    Polarity::Positive
}

/// What the verb answers.
#[derive(Debug, Serialize)]
struct Report {
    precision: f64,
    recall: f64,
    right: usize,
    proposed: usize,
    expected: usize,
    lines: Vec<Line>,
}

/// What became of a line.
#[derive(Debug, Serialize)]
struct Line {
    text: String,
    proposed: Vec<Said>,
    missed: Vec<Said>,
    wrong: Vec<Said>,
}

/// Runs the evaluation.
pub(crate) fn beliefs(file: &Path, output: Output) -> Result<ExitCode, Failure> {
    let lines: Vec<Line> = read(file)?.into_iter().map(judge).collect();
    let sum = |count: fn(&Line) -> usize| lines.iter().map(count).sum::<usize>();
    let proposed = sum(|line| line.proposed.len());
    let right = proposed - sum(|line| line.wrong.len());
    let expected = right + sum(|line| line.missed.len());
    let share = |of: usize| if of == 0 { 1.0 } else { right as f64 / of as f64 };
    let report = Report { precision: share(proposed), recall: share(expected), right, proposed, expected, lines };
    Ok(output.answer(&report, words))
}

fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let hint = "Each line is {\"text\":…,\"claims\":[{\"subject\":…,\"predicate\":…,\"object\":…}]}; see docs/cli.md.";
    let cases: Vec<Case> = by_line::parsed(file, hint)?.into_iter().map(|(_, case)| case).collect();
    if cases.is_empty() { Err(by_line::lacking(file, "line", hint)) } else { Ok(cases) }
}

/// Each expected claim counts once.
fn judge(case: Case) -> Line {
    let context = um_rules::Context { occurred_at: case.occurred_at, ..um_rules::Context::default() };
    let mut missed = case.claims;
    let (mut proposed, mut wrong) = (Vec::new(), Vec::new());
    let found = um_rules::claims(&case.text, &context);
    for claim in &found {
        let said = Said::from(claim);
        match missed.iter().position(|expected| same_claim(claim, &expected.gold())) {
            Some(at) => drop(missed.remove(at)),
            None if follows(claim, &found) => continue,
            None => wrong.push(said.clone()),
        }
        proposed.push(said);
    }
    Line { text: case.text, proposed, missed, wrong }
}

impl Said {
    fn gold(&self) -> Gold {
        Gold {
            subject: self.subject.clone(),
            predicate: self.predicate.clone(),
            object: self.object.clone(),
            polarity: self.polarity,
            qualifiers: self.qualifiers.clone(),
        }
    }

    fn sentence(&self) -> String {
        let not = if self.polarity == Polarity::Negative { "NOT " } else { "" };
        let more: String = self.qualifiers.iter().map(|(key, value)| format!(" ({key}: {value})")).collect();
        format!("{not}{} | {} | {}{more}", self.subject, self.predicate, self.object)
    }
}

impl From<&ClaimCandidate> for Said {
    fn from(claim: &ClaimCandidate) -> Self {
        let object = match &claim.object {
            CandidateObject::Entity(mention) => &mention.name,
            CandidateObject::Value { text, .. } => text,
        };
        Self {
            subject: claim.subject.name.clone(),
            predicate: claim.predicate.clone(),
            object: object.clone(),
            polarity: claim.polarity,
            qualifiers: claim.qualifiers.clone(),
        }
    }
}

fn words(report: &Report) -> String {
    let mut parts = Vec::new();
    for line in report.lines.iter().filter(|line| !line.missed.is_empty() || !line.wrong.is_empty()) {
        parts.push(line.text.clone());
        parts.extend(line.missed.iter().map(|said| format!("   missed  {}", said.sentence())));
        parts.extend(line.wrong.iter().map(|said| format!("   wrong   {}", said.sentence())));
    }
    let numbers = [report.right, report.proposed, report.expected].map(|number| number.to_string());
    let shares = [report.precision, report.recall].map(|share| format!("{share:.3}"));
    let head = ["precision", "recall", "right", "proposed", "expected"].map(str::to_owned);
    parts.push(table(&[head.to_vec(), shares.into_iter().chain(numbers).collect()]));
    parts.join("\n")
}
