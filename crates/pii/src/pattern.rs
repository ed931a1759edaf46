//! Detectors that are a pattern and a check.

use crate::kind::Kind;
use crate::settle::Proposal;
use crate::source::Source;
use regex::Regex;
use std::ops::Range;

/// A detector as data. The pattern's group 1, where it has one, is what is found; else all of it.
pub(crate) struct Pattern {
    pub(crate) detector: &'static str,
    pub(crate) kind: Kind,
    /// Where it repeats without a bound, it does so up to the end of its match: then looking for all its matches is linear.
    pub(crate) pattern: &'static str,
    /// The confidence in a match, or that it is none.
    pub(crate) check: fn(&Source<'_>, &Range<usize>) -> Option<f64>,
}

/// A pattern made ready.
pub(crate) struct Ready {
    regex: Regex,
    of: &'static Pattern,
}

/// Makes a table of patterns ready.
///
/// # Panics
/// When a pattern is no regular expression; a test makes all of them ready.
pub(crate) fn ready(table: &'static [Pattern]) -> Vec<Ready> {
    table
        .iter()
        .map(|of| Ready {
            regex: Regex::new(of.pattern).unwrap_or_else(|error| panic!("{}: {error}", of.detector)),
            of,
        })
        .collect()
}

/// What patterns find whose matches have digits in them.
pub(crate) fn detect(table: &[Ready], source: &Source<'_>, found: &mut Vec<Proposal>) {
    for ready in table {
        source.numeric.iter().for_each(|stretch| ready.detect(source, stretch.clone(), found));
    }
}

/// What patterns find anywhere.
pub(crate) fn detect_anywhere(table: &[Ready], source: &Source<'_>, found: &mut Vec<Proposal>) {
    table.iter().for_each(|ready| ready.detect(source, 0..source.text.len(), found));
}

impl Ready {
    fn detect(&self, source: &Source<'_>, stretch: Range<usize>, found: &mut Vec<Proposal>) {
        let Ready { regex, of } = self;
        let (text, from) = (&source.text[stretch.clone()], stretch.start);
        let grouped = regex.captures_len() > 1;
        for whole in regex.find_iter(text) {
            let within = if grouped { group(regex, text, whole.range()) } else { whole.range() };
            let range = from + within.start..from + within.end;
            if let Some(confidence) = (of.check)(source, &range) {
                found.push(Proposal { range, kind: of.kind, detector: of.detector, confidence });
            }
        }
    }
}

/// Group 1 of a match that is known; captures are looked for there only, because looking for them is slow.
fn group(regex: &Regex, text: &str, whole: Range<usize>) -> Range<usize> {
    let captures = regex.captures_at(&text[..whole.end], whole.start);
    captures.and_then(|captures| captures.get(1)).map_or(whole, |group| group.range())
}
