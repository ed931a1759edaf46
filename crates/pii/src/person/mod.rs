//! Names of people: by first names, titles and initials, by the words around them, and by where they stand.
//!
//! Every run of words that are written as names is weighed once ([`weigh`]); what a text calls somebody in full is
//! known where it comes again in part.

mod beside;
mod cues;
mod run;
mod small;
mod weigh;

use crate::kind::Kind;
use crate::settle::Proposal;
use crate::source::Source;
use run::Run;
use std::collections::HashSet;

/// From here on a full name is taken as known, and found again in part.
const KNOWN: f64 = 0.65;

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    let runs: Vec<Run> = run::runs(source);
    let weights: Vec<Option<(f64, &'static str)>> = runs.iter().map(|run| weigh::weigh(source, *run)).collect();
    let known = known(source, &runs, &weights);
    for (run, weight) in runs.iter().zip(weights) {
        let again = run.len() == 1 && known.contains(source.word(run.from));
        let again = again.then_some((0.6, "person.again"));
        let best = [weight, again].into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((confidence, detector)) = best {
            let range = source.range(run.from, run.to);
            found.push(Proposal { range, kind: Kind::Person, detector, confidence });
        }
    }
    small::detect(source, found);
    beside::detect(source, found);
}

/// The words of all names that are sure and have more than one.
fn known<'a>(source: &Source<'a>, runs: &[Run], weights: &[Option<(f64, &'static str)>]) -> HashSet<&'a str> {
    let sure =
        runs.iter().zip(weights).filter(|(run, weight)| run.len() > 1 && weight.is_some_and(|(sure, _)| sure >= KNOWN));
    sure.flat_map(|(run, _)| run.from..run.to)
        .filter(|at| source.tokens[*at].is_capital() && !source.tokens[*at].is(crate::lexicon::Marks::ORDINARY))
        .map(|at| source.word(at))
        .collect()
}
