//! From a text to passages, the units that are indexed and found.

use super::Text;
use std::ops::Range;

mod pack;
mod pieces;

/// How long passages may be, in tokens as [`super::estimate_tokens`] counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitLimit {
    /// No passage is longer: the window of the model, its own marks included. Values below 8, in which a
    /// single character may not find room, count as 8.
    pub tokens: usize,
    /// Passages are about this long, where the text allows it.
    pub target: usize,
    /// So much of a passage's end, at most, is repeated at the beginning of the next.
    pub overlap: usize,
}

impl UnitLimit {
    /// With a window that holds any character and a target inside the window.
    fn sane(self) -> Self {
        let tokens = self.tokens.max(8);
        Self { tokens, target: self.target.clamp(8, tokens), overlap: self.overlap.min(tokens / 2) }
    }
}

/// A passage that was cut from a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitDraft {
    /// Its place in the text, in bytes.
    pub bytes: Range<usize>,
    /// The headings above it, outermost first, joined by ` › `.
    pub heading_path: Option<String>,
}

/// Cuts a text into passages, in the order of the text.
///
/// A passage never crosses a heading and never tears a character that a reader sees as one, unless that
/// one is longer than the window. It ends with a sentence, a line of a list or table, or better with a
/// paragraph, block or utterance; only a sentence longer than the window is cut inside, at white space if
/// there is any. Where a section is cut, the next passage repeats whole sentences of the one before.
/// Everything but white space is in at least one passage, and no passage begins or ends with it.
pub fn split_units(text: &Text, limit: &UnitLimit) -> Vec<UnitDraft> {
    let limit = limit.sane();
    let mut units = Vec::new();
    for section in sections(text) {
        let pieces = pieces::pieces(text, section.bytes, &limit);
        let drafts = pack::pack(&text.text, &pieces, &limit).into_iter();
        units.extend(drafts.map(|bytes| UnitDraft { bytes, heading_path: section.path.clone() }));
    }
    units
}

/// A stretch of a text without a heading inside.
struct Section {
    bytes: Range<usize>,
    path: Option<String>,
}

/// The sections of a text, the one before the first heading included.
fn sections(text: &Text) -> Vec<Section> {
    let mut found = Vec::new();
    let mut above: Vec<(u8, String)> = Vec::new();
    let mut start = 0;
    let mut push = |bytes: Range<usize>, above: &[(u8, String)]| {
        let names: Vec<_> = above.iter().map(|(_, name)| name.as_str()).collect();
        let path = (!names.is_empty()).then(|| names.join(" › "));
        found.push(Section { bytes, path });
    };
    for heading in &text.headings {
        let at = heading.at.min(text.text.len());
        if at > start {
            push(start..at, &above);
            start = at;
        }
        while above.last().is_some_and(|(level, _)| *level >= heading.level) {
            above.pop();
        }
        above.push((heading.level, short(&heading.text)));
    }
    push(start..text.text.len(), &above);
    found
}

/// A heading as part of a path, which every passage below it repeats.
fn short(heading: &str) -> String {
    /// In characters.
    const LONGEST: usize = 120;
    match heading.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", heading[..at].trim_end()),
        None => heading.to_owned(),
    }
}

#[cfg(test)]
mod tests;
