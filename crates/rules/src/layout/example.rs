//! Stretches that only show what something might look like: below `Example:`, under `## Examples`, behind `looks like
//! this:`.

use super::Line;
use crate::data::words::contains_word;

/// How far what was announced goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The next heading of this level, or of a higher one.
    Heading(usize),
    /// The end of the paragraph; one that has not begun yet.
    Paragraph {
        /// Whether a line of it was seen.
        begun: bool,
    },
}

/// What a heading announces.
const HEADINGS: &str = " example examples sample samples demo template templates ";
/// Words that announce an example where a line ends behind them.
const ANNOUNCES: &[&str] = &[
    "example",
    "examples",
    "for example",
    "for instance",
    "e.g.",
    "e.g",
    "looks like this",
    "look like this",
    "looks like",
    "like this",
    "like so",
    "sample",
    "template",
];

/// What a heading of a level announces.
pub(super) fn of_heading(words: &str, level: usize) -> Option<Until> {
    let lower = words.to_lowercase();
    let mut parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default();
    let last = lower.rsplit(' ').next().unwrap_or_default().trim_end_matches(':');
    (contains_word(HEADINGS, first) || contains_word(HEADINGS, last)).then_some(Until::Heading(level))
}

/// What a line announces: of itself and what follows in its paragraph, or of the next one.
pub(super) fn of_line(line: &Line<'_>) -> Option<Until> {
    let lower = line.text.trim_matches(['*', '_', '-', ' ']).to_lowercase();
    if let Some(before) = lower.trim_end_matches(['*', '_']).strip_suffix(':') {
        let announces = |words: &str| {
            before.strip_suffix(words).is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', ',', '(']))
        };
        if ANNOUNCES.iter().any(|words| announces(words)) {
            return Some(Until::Paragraph { begun: false });
        }
    }
    let (label, _) = lower.split_once(':')?;
    let numbered = label.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    matches!(numbered, "example" | "sample" | "e.g." | "e.g" | "for example" | "for instance")
        .then_some(Until::Paragraph { begun: true })
}

/// Whether what was announced goes on past a line, with what is then to be expected.
pub(super) fn goes_on(until: Until, line: &Line<'_>, heading: Option<usize>) -> Option<Until> {
    match until {
        Until::Heading(level) => heading.is_none_or(|found| found > level).then_some(until),
        Until::Paragraph { .. } if heading.is_some() => None,
        Until::Paragraph { begun: true } => (!line.text.is_empty()).then_some(until),
        Until::Paragraph { begun: false } => Some(Until::Paragraph { begun: !line.text.is_empty() }),
    }
}
