//! Citing: from a passage back to the exact words of its source and to the place they stand at.

use super::fuse::Candidate;
use super::words::{Question, Stems};
use crate::error::Fault;
use crate::extract::line_range;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::ops::Range;
use um_model::capture::Anchor;
use um_model::place::union;
use um_model::recall::{Hit, HitIds, Match};
use um_model::span::Utf16Offsets;
use um_model::{Bbox, Modality, Place, TimeSpan, Utf16Span, ViewId, ViewType};
use um_store::hits::{self, Found};
use um_store::parts::{self, Text};
use um_store::{Connection, StoreError, fts, views};
use unicode_segmentation::UnicodeSegmentation;

/// More words of the question than this are not marked in one quote.
const MAX_MATCHES: usize = 100;

/// So many letters of a text stand for the title of what has none.
const SHORT: usize = 60;

/// A ranked passage, with its place among them.
type Passage<'a> = (u32, &'a Candidate, Found);

/// Turns ranked passages into hits. Those of one source are cited together: it may be large, and is gone through once.
pub(super) fn cite(c: &Connection, question: &Question, ranked: &[Candidate]) -> Result<Vec<Hit>, Fault> {
    let rids: Vec<i64> = ranked.iter().map(|candidate| candidate.rid).collect();
    let mut found: HashMap<i64, Found> = hits::found(c, &rids)?.into_iter().map(|f| (f.rid, f)).collect();
    let there = ranked.iter().filter_map(|candidate| Some((candidate, found.remove(&candidate.rid)?)));
    let mut passages: Vec<Passage<'_>> =
        there.zip(1..).map(|((candidate, found), rank)| (rank, candidate, found)).collect();
    passages.sort_by(|(_, _, a), (_, _, b)| (source(a), a.span.start).cmp(&(source(b), b.span.start)));
    let stems = question.stems();
    let mut cited = Vec::with_capacity(passages.len());
    let mut rest = passages.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut together = vec![first];
        while let Some(next) = rest.next_if(|next| source(&next.2) == source(&together[0].2)) {
            together.push(next);
        }
        cited.extend(of_source(c, &stems, together)?);
    }
    cited.sort_by_key(|hit| hit.rank);
    Ok(cited)
}

/// The id of the view that a passage is cut from, or of the memory.
fn source(found: &Found) -> &str {
    found.view.as_ref().map_or(found.memory.as_str(), ViewId::as_str)
}

/// The hits of one source, from passages in the order of its text, which is looked at where SQLite has it.
fn of_source(c: &Connection, stems: &Stems, passages: Vec<Passage<'_>>) -> Result<Vec<Hit>, Fault> {
    let Some((_, _, first)) = passages.first() else { return Ok(Vec::new()) };
    let (text, anchors) = match &first.view {
        Some(view) => {
            let spans: Vec<Utf16Span> = passages.iter().map(|(_, _, found)| found.span).collect();
            (Text::View(view.clone()), views::anchors_of(c, view, &spans)?)
        }
        None => (Text::Memory(first.memory.clone()), Vec::new()),
    };
    parts::look_at(c, &text, |text| {
        let mut reached = Reached::of(text);
        let cited = |passage: Passage<'_>| -> Result<Hit, Fault> {
            let found = &passage.2;
            let (bytes, lines) = reached
                .passage(found.span, has_lines(found.view_type))
                .ok_or_else(|| StoreError::Damaged(format!("passage {} does not fit its text", found.unit)))?;
            let own = anchors.iter().filter(|anchor| anchor.span.overlaps(found.span)).cloned().collect::<Vec<_>>();
            Ok(hit(stems, passage, (text, bytes), lines, &own))
        };
        passages.into_iter().map(cited).collect::<Result<Vec<Hit>, Fault>>()
    })?
}

/// How far a text was gone through, from passage to passage.
struct Reached<'a> {
    text: &'a str,
    offsets: Utf16Offsets<'a>,
    /// The beginning of the last passage that has lines, in bytes, and how many lines end before it.
    lines: (usize, u32),
}

impl<'a> Reached<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, offsets: Utf16Offsets::new(text), lines: (0, 0) }
    }

    /// Where a passage stands that begins no earlier than the last one: its bytes and its lines, where it has such.
    fn passage(&mut self, span: Utf16Span, has_lines: bool) -> Option<(Range<usize>, Option<[u32; 2]>)> {
        let start = self.offsets.byte_at(span.start)?;
        // The next one may begin before this one ends.
        let bytes = start..self.offsets.clone().byte_at(span.end)?;
        if !has_lines {
            return Some((bytes, None));
        }
        let (last, before) = self.lines;
        let lines = line_range(&self.text[last..], start - last..bytes.end - last).map(|line| line + before);
        self.lines = (start, lines[0] - 1);
        Some((bytes, Some(lines)))
    }
}

fn hit(
    stems: &Stems,
    (rank, candidate, found): Passage<'_>,
    (text, bytes): (&str, Range<usize>),
    lines: Option<[u32; 2]>,
    anchors: &[Anchor],
) -> Hit {
    let (quote, place) = (&text[bytes], place(anchors, found.span));
    Hit {
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
        lines,
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
    }
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
    // The one behind them is looked at, too: a mark would belong to the last.
    let short = match line.as_bytes().get(..=SHORT) {
        None => line.len(),
        Some(begin) if begin.is_ascii() => SHORT,
        Some(_) => line.grapheme_indices(true).nth(SHORT).map_or(line.len(), |(at, _)| at),
    };
    if short < line.len() { format!("{}…", line[..short].trim_end()) } else { line.to_owned() }
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
    if text.is_ascii() {
        return text.unicode_word_indices().collect();
    }
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
    fn passages_of_one_text_stand_where_each_stands_alone() {
        let text = "One 🍵\n\ntwo,\n🍵🍵 three\r\nfour\n".repeat(3);
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut reached = Reached::of(&text);
        for start in &ends {
            for end in ends.iter().filter(|end| *end >= start) {
                let bytes = *start..*end;
                let span = Utf16Span::from_byte_range(&text, bytes.clone());
                let lines = line_range(&text, bytes.clone());
                assert_eq!(reached.passage(span, true), Some((bytes.clone(), Some(lines))), "{bytes:?}");
                assert_eq!(reached.passage(span, false), Some((bytes.clone(), None)), "{bytes:?}");
            }
        }
        assert_eq!(reached.passage(Utf16Span::new(0, 1), true), None, "the text is gone through once");
        let end = Utf16Span::from_byte_range(&text, 0..text.len()).end;
        assert_eq!(Reached::of(&text).passage(Utf16Span::new(end, end + 1), true), None);
    }

    #[test]
    fn what_has_no_title_is_called_by_how_it_begins() {
        let a = |count: usize| "a".repeat(count);
        for (text, expected) in [
            (format!(" {}\nbcd", a(60)), a(60)),
            (a(61), format!("{}…", a(60))),
            (format!("{} {}", a(59), a(9)), format!("{}…", a(59))),
            // Marks belong to their letter.
            (format!("{}\u{301}", a(60)), format!("{}\u{301}", a(60))),
            (format!("{}\u{301}b", a(60)), format!("{}\u{301}…", a(60))),
            ("é".repeat(61), format!("{}…", "é".repeat(60))),
            ("é".repeat(60), "é".repeat(60)),
            (String::new(), String::new()),
        ] {
            assert_eq!(first_words(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn words_are_whole_with_what_stands_unseen_in_them() {
        for (text, expected) in [
            ("It's 3.14, a_b", vec![(0, "It's"), (5, "3.14"), (11, "a_b")]),
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
