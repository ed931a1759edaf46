//! Keeping what was read.

use super::{Reading, Stopped};
use crate::error::{Fault, Outcome};
use crate::extract::Text;
use crate::forget::Door;
use crate::ingest::cut_units;
use crate::work::{queue_detection, queue_embedding, queue_extraction};
use sha2::{Digest, Sha256};
use um_model::capture::Anchor;
use um_model::place::union;
use um_model::{ApiError, Bbox, ErrorCode, MemoryStatus, SegmentId, Utf16Span, ViewId, ViewType};
use um_store::rejected::{Said, Says};
use um_store::units::{self, NewUnit, Source};
use um_store::views::{self, NewSegment, NewView, Owner};
use um_store::{Connection, jobs, memories};

/// A text that was read from a file or one of its pages, with the segments to keep for it.
pub(super) struct Read {
    pub(super) view_type: ViewType,
    /// Page, from 1; `None` for what has no pages.
    pub(super) page: Option<u32>,
    pub(super) text: Text,
    pub(super) extractor_id: String,
    pub(super) model_id: Option<String>,
    /// All that changes the result, as text; it is hashed.
    pub(super) config: String,
    /// Blocks and lines, or utterances, with the range of the text that each covers.
    pub(super) parts: Vec<Part>,
}

/// A place in the source and the part of the text that was read there.
pub(super) struct Part {
    pub(super) span: Utf16Span,
    pub(super) segment: NewSegment,
    /// Which part before this one it lies in.
    pub(super) parent: Option<usize>,
}

/// Names a reader's settings.
pub(super) fn config_hash(config: &str) -> String {
    format!("{:x}", Sha256::digest(config.as_bytes()))
}

/// The view of a page that was read before with the same settings.
pub(super) fn known(
    reading: &Reading<'_>,
    page: Option<u32>,
    view_type: ViewType,
    extractor_id: &str,
    config: &str,
) -> Result<Option<ViewId>, Stopped> {
    let by = (view_type, extractor_id, &*config_hash(config));
    Ok(reading.engine.read(|c| Ok(views::known(c, &reading.artifact.id, page, by)?))?)
}

/// Keeps a text with its segments and passages, in one transaction; finds it again where it was kept
/// before.
pub(super) fn keep(reading: &Reading<'_>, read: Read) -> Result<ViewId, Stopped> {
    let (engine, space, given) = (reading.engine, &reading.artifact.space_id, Given(&read.text.text));
    let of = (read.page, read.view_type);
    crate::forget::let_in_with_file(engine, reading.artifact, &read.text.text)?;
    let door = not_forgotten(reading, of, engine.read(|c| Door::compared(c, engine.key(), space, &given)))?;
    let cut = cut_units(&read.text);
    let now = reading.engine.now();
    let (artifact, memory, priority) = (reading.artifact.clone(), reading.memory.clone(), reading.priority);
    let kept = engine.write(move |tx| {
        let Some(title) = wanted_as(tx, &artifact, &memory)? else { return Ok(None) };
        let owner =
            Owner { artifact: artifact.id.clone(), space: artifact.space_id.clone(), actor: artifact.actor_id.clone() };
        let segment = page_segment(tx, &owner, read.page, now)?;
        let (view, is_new) = views::upsert(tx, &owner, &door.pass(tx, new_view(&read, &segment))?, now)?;
        if is_new {
            let parts = keep_parts(tx, &owner, &read.parts, &segment, now)?;
            let units = place(cut, &parts, &segment);
            units::insert(tx, &owner.space, &memory, Source::View(&view), &title, &units, now)?;
            // At once, so that a long file's first pages are found by meaning before its last are read.
            queue_embedding(tx, &memory, &artifact.space_id, priority, now)?;
        }
        queue_detection(tx, (&memory, &artifact.space_id), um_pii::VERSION, jobs::PRIORITY_SCAN, now)?;
        Ok(Some(view))
    });
    not_forgotten(reading, of, kept)?.ok_or(Stopped::Cancelled)
}

/// What a text is, as it is compared.
struct Given<'a>(&'a str);

impl Says for Given<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        tell(Said::Text(self.0));
    }
}

/// What the person is told of a file of which nothing more is read, as they forgot what it says.
const STAYS: &str = "It says something that you asked to forget, so it stays as it was read before. \
    Forget the file as well to let go of it.";

/// A text that says nothing of what was forgotten.
///
/// # Errors
/// `Fails` with `Forgotten` where it does, and a text stands in its place that was read before: that stays, with the file, as nobody asked
/// for either to go. A new file is not kept, and its reading ends; the person's own file stays where it is.
fn not_forgotten<T>(
    reading: &Reading<'_>,
    (page, view_type): (Option<u32>, ViewType),
    compared: Outcome<T>,
) -> Result<T, Stopped> {
    let error = match compared {
        Err(error) if error.code == ErrorCode::Forgotten => error,
        other => return Ok(other?),
    };
    let file = &reading.artifact.id;
    if reading.engine.read(|c| Ok(views::is_read(c, file, page, view_type)?))? {
        return Err(Stopped::Fails(ApiError::new(ErrorCode::Forgotten, STAYS)));
    }
    crate::forget::drop_copy(reading.engine, reading.artifact)?;
    // Whoever brought it in is told why it is not there.
    let (file, now) = (file.clone(), reading.engine.now());
    reading.engine.write(move |tx| Ok(jobs::tell_refused(tx, &file, &error, now)?))?;
    Err(Stopped::Cancelled)
}

/// What a file is called by now: it may have been moved while it was read. None where it was removed or superseded
/// meanwhile: it gets no more text, as its passages must not come into the indexes.
fn wanted_as(
    tx: &Connection,
    artifact: &um_model::capture::Artifact,
    memory: &um_model::MemoryId,
) -> Result<Option<String>, Fault> {
    let is_there = um_store::artifacts::by_id(tx, &artifact.id)?.is_some_and(|a| !a.deleted && !a.redacted);
    let memory = memories::by_id(tx, memory)?.filter(|m| is_there && m.status == MemoryStatus::Active);
    Ok(memory.map(|memory| memory.title.unwrap_or_default()))
}

fn page_segment(tx: &Connection, owner: &Owner, page: Option<u32>, now: i64) -> Result<SegmentId, Fault> {
    let whole = views::upsert_segment(tx, owner, &crate::ingest::whole_segment(), None, now)?;
    let Some(page) = page else { return Ok(whole) };
    let segment = NewSegment {
        segment_type: "page_range",
        level: "page",
        ordinal: page,
        selector: serde_json::json!({ "page": page }),
        confidence: None,
    };
    Ok(views::upsert_segment(tx, owner, &segment, Some(&whole), now)?)
}

fn new_view(read: &Read, segment: &SegmentId) -> NewView {
    NewView {
        view_type: read.view_type,
        segment: Some(segment.clone()),
        ordinal: read.page.unwrap_or(0),
        page: read.page,
        text: read.text.text.clone(),
        language: read.text.language.clone(),
        extractor_id: read.extractor_id.clone(),
        model_id: read.model_id.clone(),
        config_hash: config_hash(&read.config),
        quality: read.text.quality,
        anchors: read.text.anchors.clone(),
    }
}

fn keep_parts(
    tx: &Connection,
    owner: &Owner,
    parts: &[Part],
    page: &SegmentId,
    now: i64,
) -> Result<Vec<(Utf16Span, SegmentId)>, Fault> {
    let mut kept: Vec<(Utf16Span, SegmentId)> = Vec::with_capacity(parts.len());
    for part in parts {
        let parent = part.parent.map_or(page, |at| &kept[at].1);
        let id = views::upsert_segment(tx, owner, &part.segment, Some(parent), now)?;
        kept.push((part.span, id));
    }
    Ok(kept)
}

/// Gives each passage the smallest segment that holds all of it.
fn place(cut: Vec<NewUnit>, parts: &[(Utf16Span, SegmentId)], page: &SegmentId) -> Vec<NewUnit> {
    cut.into_iter()
        .map(|mut unit| {
            let holder = parts
                .iter()
                .filter(|(span, _)| span.start <= unit.span.start && unit.span.end <= span.end)
                .min_by_key(|(span, _)| span.len());
            unit.segment = Some(holder.map_or(page, |(_, id)| id).clone());
            unit
        })
        .collect()
}

/// Ends a reading: other readings of the file step aside, but for those of pages that could not be read
/// this time, and what is new is embedded.
pub(super) fn settle(reading: &Reading<'_>, kept: &[ViewId], failed_pages: &[u32]) -> Result<(), Stopped> {
    let (now, priority) = (reading.engine.now(), reading.priority);
    let (artifact, memory) = (reading.artifact.clone(), reading.memory.clone());
    let (kept, failed_pages) = (kept.to_vec(), failed_pages.to_vec());
    reading.engine.write(move |tx| {
        for view in views::retire_others(tx, &artifact.id, &kept, &failed_pages)? {
            units::deactivate(tx, &artifact.space_id, units::Which::OfView(&view))?;
        }
        if wanted_as(tx, &artifact, &memory)?.is_some() {
            units::activate(tx, &artifact.space_id, &memory)?;
            queue_embedding(tx, &memory, &artifact.space_id, priority, now)?;
        }
        queue_extraction(tx, &memory, &artifact.space_id, priority, now)?;
        Ok(())
    })?;
    reading.engine.tell(um_model::health::Event::Library);
    Ok(())
}

/// The block and line segments of a page of words. `page` is 1 for pictures. Words that the anchors
/// give in the order of the text are grouped by the lines and blocks that the reader saw.
pub(super) fn word_parts(
    anchors: &[Anchor],
    words: &[crate::provider::PlacedWord],
    page: u32,
    lines: bool,
) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut block_at = None;
    let mut last: Option<(u32, u32)> = None;
    for (anchor, word) in anchors.iter().zip(words) {
        let new_block = last.is_none_or(|(block, _)| block != word.block);
        let new_line = new_block || last.is_none_or(|(_, line)| line != word.line);
        if new_block {
            block_at = Some(parts.len());
            parts.push(word_part("block", anchor, word, None));
        } else if let Some(at) = block_at {
            widen(&mut parts[at], anchor, word);
        }
        if lines {
            if new_line {
                parts.push(word_part("line", anchor, word, block_at));
            } else if let Some(line) = parts.last_mut() {
                widen(line, anchor, word);
            }
        }
        last = Some((word.block, word.line));
    }
    for (ordinal, part) in parts.iter_mut().enumerate() {
        part.segment.ordinal = ordinal as u32;
        part.segment.selector["page"] = page.into();
    }
    parts
}

fn word_part(level: &'static str, anchor: &Anchor, word: &crate::provider::PlacedWord, parent: Option<usize>) -> Part {
    let segment = NewSegment {
        segment_type: "bbox",
        level,
        ordinal: 0,
        selector: serde_json::json!({ "bbox": rounded(word.bbox) }),
        confidence: Some(f64::from(word.confidence)),
    };
    Part { span: anchor.span, segment, parent }
}

fn rounded(bbox: Bbox) -> Bbox {
    bbox.map(|v| (v * 10.0).round() / 10.0)
}

/// Takes a word into a part; its confidence is that of its least sure word.
fn widen(part: &mut Part, anchor: &Anchor, word: &crate::provider::PlacedWord) {
    part.span.end = anchor.span.end;
    let bbox = serde_json::from_value::<Bbox>(part.segment.selector["bbox"].clone()).unwrap_or(word.bbox);
    part.segment.selector["bbox"] = serde_json::json!(rounded(union(bbox, word.bbox)));
    part.segment.confidence = part.segment.confidence.map(|c| c.min(f64::from(word.confidence)));
}
