//! Citing: from a passage back to the exact words of its source and to the place they stand at.

use super::fuse::Candidate;
use super::words::{Question, Stems};
use crate::error::Fault;
use crate::extract::line_range;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use um_model::capture::Anchor;
use um_model::place::union;
use um_model::recall::{Hit, HitIds, Match};
use um_model::span::Utf16Offsets;
use um_model::{Bbox, Modality, Place, TimeSpan, Utf16Span, ViewType};
use um_store::hits::{self, Found};
use um_store::parts::{self, Text};
use um_store::{Connection, StoreError, fts, views};
use unicode_segmentation::UnicodeSegmentation;

/// More words of the question than this are not marked in one quote.
const MAX_MATCHES: usize = 100;

/// Turns ranked passages into hits.
pub(super) fn cite(c: &Connection, question: &Question, ranked: &[Candidate]) -> Result<Vec<Hit>, Fault> {
    let rids: Vec<i64> = ranked.iter().map(|candidate| candidate.rid).collect();
    let mut found: HashMap<i64, Found> = hits::found(c, &rids)?.into_iter().map(|f| (f.rid, f)).collect();
    let stems = question.stems();
    let mut cited = Vec::with_capacity(ranked.len());
    for candidate in ranked {
        let Some(found) = found.remove(&candidate.rid) else { continue };
        let (source, anchors) = match &found.view {
            Some(view) => (Text::View(view.clone()), views::anchors_of(c, view, &[found.span])?),
            None => (Text::Memory(found.memory.clone()), Vec::new()),
        };
        // A source may be large: it is looked at where SQLite has it, and one at a time.
        let rank = cited.len() as u32 + 1;
        cited.push(parts::look_at(c, &source, |text| hit(&stems, rank, candidate, found, text, &anchors))??);
    }
    Ok(cited)
}

fn hit(
    stems: &Stems,
    rank: u32,
    candidate: &Candidate,
    found: Found,
    text: &str,
    anchors: &[Anchor],
) -> Result<Hit, Fault> {
    let bytes = found
        .span
        .byte_range(text)
        .ok_or_else(|| StoreError::Damaged(format!("passage {} does not fit its text", found.unit)))?;
    let quote = &text[bytes.clone()];
    let mut place = place(anchors, found.span);
    if has_lines(found.view_type) {
        place.lines = Some(line_range(text, bytes.clone()));
    }
    Ok(Hit {
        rank,
        score: candidate.score,
        score_parts: candidate.parts.clone(),
        named: Vec::new(),
        span: found.span,
        span_hash: format!("{:x}", Sha256::digest(quote.as_bytes())),
        matches: matches(stems, quote, found.span.start, anchors),
        quote: quote.to_owned(),
        ids: HitIds {
            unit: found.unit,
            memory: found.memory,
            view: found.view,
            segment: found.segment,
            artifact: found.artifact,
            space: found.space,
        },
        page: place.page,
        bbox: place.bbox,
        boxes: place.boxes,
        time: place.time,
        lines: place.lines,
        title: found.title.unwrap_or_else(|| first_words(text)),
        heading_path: found.heading_path,
        tags: found.tags,
        modality: found.modality.parse().unwrap_or(Modality::Other),
        view_type: found.view_type,
        extractor: found.extractor,
        quality: found.quality.filter(|_| is_recognised(found.view_type)),
        space_name: found.space_name,
        actor_id: found.actor,
        actor_name: found.actor_name,
        occurred_at: found.occurred_at,
        recorded_at: found.recorded_at,
        valid_to: found.valid_to,
        envelope: Some(found.envelope),
        note: None,
        warnings: Vec::new(),
    })
}

pub(crate) fn has_lines(view_type: Option<ViewType>) -> bool {
    matches!(view_type, None | Some(ViewType::Document))
}

/// Only what was recognised can be misread.
pub(crate) fn is_recognised(view_type: Option<ViewType>) -> bool {
    matches!(view_type, Some(ViewType::Ocr | ViewType::Asr | ViewType::Caption))
}

pub(crate) fn first_words(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let short: String = line.graphemes(true).take(60).collect();
    if short.len() < line.len() { format!("{}…", short.trim_end()) } else { short }
}

/// Where a range of a text stands, by the anchors of its words.
pub(crate) fn place(anchors: &[Anchor], span: Utf16Span) -> Place {
    let mut place = Place::default();
    let mut line: Option<Bbox> = None;
    for anchor in anchors.iter().filter(|anchor| anchor.span.overlaps(span)) {
        if place.page.is_none() {
            place.page = anchor.page;
        }
        if let Some(bbox) = anchor.bbox.filter(|_| anchor.page == place.page) {
            place.bbox = Some(place.bbox.map_or(bbox, |all| union(all, bbox)));
            line = Some(match line {
                Some(current) if on_one_line(current, bbox) => union(current, bbox),
                Some(done) => {
                    place.boxes.push(done);
                    bbox
                }
                None => bbox,
            });
        }
        if let Some(time) = anchor.time {
            place.time = Some(place.time.map_or(time, |all: TimeSpan| TimeSpan {
                start_ms: all.start_ms.min(time.start_ms),
                end_ms: all.end_ms.max(time.end_ms),
            }));
        }
    }
    place.boxes.extend(line);
    place
}

/// Whether a word goes on a line: their heights overlap by half, and it stands to the right.
fn on_one_line(line: Bbox, word: Bbox) -> bool {
    let overlap = (line[1] + line[3]).min(word[1] + word[3]) - line[1].max(word[1]);
    overlap > 0.5 * line[3].min(word[3]) && word[0] + word[2] > line[0]
}

/// The words of a text, each with the byte that it begins at. What stands unseen within one is a part of it, as where it is looked up.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (at, word) in text.unicode_word_indices() {
        // Of what is unseen some ends a word, and some is of none.
        let word = word.trim_end_matches(fts::is_unseen);
        let goes_on = |(start, last): &(usize, &str)| fts::is_within_word(last, &text[start + last.len()..at], word);
        match words.pop_if(|last| goes_on(last)) {
            Some((start, _)) => words.push((start, &text[start..at + word.len()])),
            None => words.push((at, word)),
        }
    }
    words
}

/// The words of the question in a quote, with their places.
fn matches(stems: &Stems, quote: &str, start: u32, anchors: &[Anchor]) -> Vec<Match> {
    let mut offsets = Utf16Offsets::new(quote);
    words(quote)
        .into_iter()
        .filter(|(_, word)| stems.place(word).is_some())
        .take(MAX_MATCHES)
        .map(|(at, word)| {
            let from = start + offsets.unit_at(at);
            let span = Utf16Span::new(from, start + offsets.unit_at(at + word.len()));
            let anchor = anchors.iter().find(|anchor| anchor.span.overlaps(span));
            Match { span, bbox: anchor.and_then(|a| a.bbox), time: anchor.and_then(|a| a.time) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_with_what_stands_unseen_in_them() {
        for (text, expected) in [
            ("The ze\u{200b}ppelin flies.", vec![(0, "The"), (4, "ze\u{200b}ppelin"), (16, "flies")]),
            ("Miet\u{ad}ver\u{ad}trag", vec![(0, "Miet\u{ad}ver\u{ad}trag")]),
            ("a\u{ad}\u{200b}b\u{200b}\u{ad}c", vec![(0, "a\u{ad}\u{200b}b\u{200b}\u{ad}c")]),
            ("lease\u{ad}, rent", vec![(0, "lease"), (9, "rent")]),
            ("lease \u{200b}rent", vec![(0, "lease"), (9, "rent")]),
            ("会\u{200b}議", vec![(0, "会"), (6, "議")]),
            ("", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }
}
