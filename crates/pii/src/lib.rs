//! Finds personal and secret data in text: names, addresses, numbers, keys.
//!
//! Everything here is pure: text in, findings out, in time that grows with the length of the text and with memory
//! for one piece of it (see [`find`]). Detectors are small and independent; each proposes what it sees with a
//! confidence, and one place settles what overlaps. Whatever a finding stands for, the text alone is looked at: no
//! service, no clock, and no model but what [`find_together`] is given.

mod context;
pub mod eval;
mod ids;
mod kind;
mod lexicon;
mod net;
mod numbers;
mod pattern;
mod person;
mod place;
mod rules;
mod secret;
mod settle;
mod source;
mod token;
mod trade;
mod when;

pub use kind::Kind;
pub use rules::Rules;
pub use settle::Proposal;
pub use source::PIECE;

use source::Source;
use um_model::Utf16Span;
use um_model::span::Utf16Offsets;

/// Names what the detectors find: it changes whenever the same text may give other findings, so that texts are looked at
/// again.
pub const VERSION: &str = "pii-4";

/// Something personal or secret in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Where it stands, in UTF-16 code units.
    pub span: Utf16Span,
    /// What it is.
    pub kind: Kind,
    /// Which detector saw it: `family.name`, stable, for reports and for rules that leave one out.
    pub detector: &'static str,
    /// How sure the detector is, from 0 to 1. Above 0.5 more such findings are right than wrong.
    pub confidence: f64,
}

/// A family of detectors: what it sees in a source goes to the end of the list.
type Detect = fn(&Source<'_>, &mut Vec<Proposal>);

const FAMILIES: &[Detect] = &[
    net::detect,
    numbers::detect,
    ids::detect,
    secret::detect,
    when::detect,
    place::detect,
    trade::detect,
    person::detect,
];

/// The findings in a text, sorted by their places and without overlaps.
///
/// Where two findings overlap, the longer contains the shorter or the surer keeps what both claim; no character that
/// a detector marked is lost by that. A text is read in pieces of at most [`PIECE`] bytes, cut at empty lines where
/// there are any; what stands across a cut may be found in part.
pub fn find(text: &str, rules: &Rules) -> Vec<Finding> {
    find_by_piece(text, rules).flatten().collect()
}

/// The same, piece by piece, so that nothing but the findings of one piece is kept in memory.
pub fn find_by_piece<'a>(text: &'a str, rules: &'a Rules) -> impl Iterator<Item = Vec<Finding>> + 'a {
    let nobody = |_: &str| Ok::<_, std::convert::Infallible>(Vec::new());
    find_together(text, rules, nobody).map(|found| found.unwrap_or_else(|never| match never {}))
}

/// The same with another detector that sees each piece: what it proposes is settled together with the rest.
///
/// # Errors
/// The other detector's, in place of the findings of that piece.
pub fn find_together<'a, E: 'a>(
    text: &'a str,
    rules: &'a Rules,
    mut other: impl FnMut(&str) -> Result<Vec<Proposal>, E> + 'a,
) -> impl Iterator<Item = Result<Vec<Finding>, E>> + 'a {
    let mut offsets = Utf16Offsets::new(text);
    source::pieces(text).map(move |piece| {
        let proposed = other(&text[piece.clone()])?;
        let placed = |Proposal { range, kind, detector, confidence }| {
            let start = offsets.unit_at(piece.start + range.start);
            let span = Utf16Span::new(start, offsets.unit_at(piece.start + range.end));
            Finding { span, kind, detector, confidence }
        };
        Ok(find_in(&text[piece.clone()], rules, proposed).into_iter().map(placed).collect())
    })
}

fn find_in(piece: &str, rules: &Rules, mut proposed: Vec<Proposal>) -> Vec<Proposal> {
    let source = Source::new(piece);
    for detect in FAMILIES {
        detect(&source, &mut proposed);
    }
    proposed.retain(|one| !one.range.is_empty() && rules.want(one.kind, one.confidence));
    settle::settle(proposed)
}
