//! What is kept in a file's place: a picture with black boxes, a PDF of such pages, a recording with silence, or the text that
//! is left.

use super::gather::Work;
use crate::Engine;
use crate::error::{Fault, Outcome, from_io, from_provider};
use crate::extract::{paper::Paper, picture, wave};
use crate::ingest::blobs;
use crate::provider::{Cancel, PdfDocument, ProviderError, ProviderResult, Sound};
use crate::reading::with_file;
use image::{Rgb, RgbImage};
use std::path::Path;
use um_model::capture::Artifact;
use um_model::{AgentId, Bbox, Modality, SpaceId, Utf16Span};
use um_store::artifacts::{Bytes, NewArtifact};
use um_store::forget::Heard;
use um_store::{Connection, redact, units, views};

/// A box is widened by so many pixels of a picture, or points of a page, as letters reach beyond it.
const AROUND: f64 = 2.0;
/// Silence begins and ends by so many milliseconds outside of what is said.
const AROUND_MS: u64 = 80;
/// A page is drawn at so many pixels a point: 180 dpi.
const SCALE: f64 = 2.5;
/// The widest drawing of a page, in pixels.
const MAX_WIDTH: f64 = 4000.0;
/// PDFs of more pages are kept as text.
const MAX_PAGES: u32 = 300;
/// PDFs whose drawn pages have more bytes are kept as text.
const MAX_BYTES: usize = 200 << 20;
/// The size of a page that does not tell its own, in points.
const A4: [f64; 2] = [595.0, 842.0];
/// Longer recordings are kept as text, in milliseconds.
const MAX_SOUND_MS: u64 = 3_600_000;

/// Bytes to be kept.
pub(super) struct Rendition {
    /// `picture`, `pages`, `sound` or `text`.
    pub(super) kept_as: &'static str,
    bytes: Vec<u8>,
    kind: &'static Kind,
}

struct Kind {
    ending: &'static str,
    mime_type: &'static str,
    modality: Modality,
    /// A text's words are in its views: its memory is a document.
    of_memory: &'static str,
}

const PICTURE: Kind = Kind { ending: "png", mime_type: "image/png", modality: Modality::Image, of_memory: "image" };
const SOUND: Kind = Kind { ending: "wav", mime_type: "audio/wav", modality: Modality::Audio, of_memory: "audio" };
const PAGES: Kind = Kind { ending: "pdf", mime_type: "application/pdf", modality: Modality::Pdf, of_memory: "pdf" };
const TEXT: Kind = Kind { ending: "txt", mime_type: "text/plain", modality: Modality::Text, of_memory: "document" };

/// Makes the rendition of a file without what is to go.
pub(super) fn make(engine: &Engine, file: &Artifact, work: &Work) -> Outcome<Rendition> {
    match file.modality {
        Modality::Image => {
            let bytes = with_file(engine, file, read_all)?;
            let mut picture = picture::decode_upright(&bytes).map_err(|e| from_provider(&e))?;
            work.boxes.iter().for_each(|(_, bbox)| black_box(&mut picture, *bbox, AROUND));
            Ok(Rendition { kept_as: "picture", bytes: picture::to_png(&picture), kind: &PICTURE })
        }
        Modality::Audio if file.duration_ms.is_some_and(|ms| ms <= MAX_SOUND_MS) => {
            Ok(Rendition { kept_as: "sound", bytes: silenced(engine, file, work)?, kind: &SOUND })
        }
        Modality::Pdf => match pages(engine, file, work)? {
            Some(bytes) => Ok(Rendition { kept_as: "pages", bytes, kind: &PAGES }),
            None => text(engine, file, work),
        },
        _ => text(engine, file, work),
    }
}

fn text(engine: &Engine, file: &Artifact, work: &Work) -> Outcome<Rendition> {
    Ok(Rendition { kept_as: "text", bytes: text_left(engine, file, work)?.into_bytes(), kind: &TEXT })
}

/// The pages as pictures with black boxes; `None` where that cannot be: words of them have no place on a page, there are too
/// many, or nothing here can draw them.
fn pages(engine: &Engine, file: &Artifact, work: &Work) -> Outcome<Option<Vec<u8>>> {
    if !engine.read(|c| every_word_has_a_box(c, work))? {
        return Ok(None);
    }
    let password = crate::engine::lock(&engine.core().passwords).get(&file.id).cloned();
    let _turn = crate::engine::lock(&engine.core().pictures);
    with_file(engine, file, |path| {
        let drawn = engine
            .providers()
            .pdf
            .open(path, password.as_deref(), &Cancel::default())
            .and_then(|document| blackened(document, &work.boxes));
        Ok(drawn.unwrap_or_else(|error| {
            tracing::info!(%error, "a PDF could not be drawn: its text is kept");
            None
        }))
    })
}

/// Whether all words that go stand in boxes: no others could be blacked out on a page.
fn every_word_has_a_box(c: &Connection, work: &Work) -> Result<bool, Fault> {
    for (view, spans) in &work.views {
        let anchors = views::anchors(c, view)?;
        let is_placed = |span: &Utf16Span| {
            let boxed = anchors.iter().filter(|anchor| anchor.bbox.is_some());
            covered(*span, boxed.map(|anchor| anchor.span))
        };
        if !spans.iter().all(is_placed) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether both ends of a stretch lie in some of these, which are in order.
fn covered(span: Utf16Span, by: impl Iterator<Item = Utf16Span>) -> bool {
    let (mut first, mut last) = (false, false);
    for one in by {
        first |= one.start <= span.start && span.start < one.end;
        last |= one.start < span.end && span.end <= one.end;
    }
    first && last
}

/// Each page drawn, with its boxes black. One that breaks its reader is an empty one.
fn blackened(mut document: Box<dyn PdfDocument>, boxes: &[(u32, Bbox)]) -> ProviderResult<Option<Vec<u8>>> {
    if document.page_count() > MAX_PAGES {
        return Ok(None);
    }
    let mut paper = Paper::new();
    for page in 1..=document.page_count() {
        let size = document.page_size(page).unwrap_or(A4);
        let width = (size[0] * SCALE).clamp(200.0, MAX_WIDTH);
        let mut picture = match document.render(page, width as u32) {
            Ok(picture) => picture,
            Err(ProviderError::Corrupt(_)) => RgbImage::from_pixel(1, 1, Rgb([255, 255, 255])),
            Err(error) => return Err(error),
        };
        let scale = f64::from(picture.width()) / size[0].max(1.0);
        for (_, bbox) in boxes.iter().filter(|(on, _)| *on == page) {
            black_box(&mut picture, bbox.map(|side| side * scale), AROUND * scale.max(1.0));
        }
        paper.add(&picture, size).map_err(|error| ProviderError::Failed(error.to_string()))?;
        if paper.len() > MAX_BYTES {
            return Ok(None);
        }
    }
    Ok(Some(paper.finish()))
}

fn read_all(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|e| from_io("Reading", path, &e))
}

/// Paints a box black, and so many pixels around it.
fn black_box(picture: &mut RgbImage, [x, y, width, height]: Bbox, around: f64) {
    let (right, bottom) = picture.dimensions();
    let within = |value: f64, most: u32| value.clamp(0.0, f64::from(most)) as u32;
    let columns = within((x - around).floor(), right)..within((x + width + around).ceil(), right);
    let rows = within((y - around).floor(), bottom)..within((y + height + around).ceil(), bottom);
    for row in rows {
        for column in columns.clone() {
            picture.put_pixel(column, row, Rgb([0, 0, 0]));
        }
    }
}

/// The recording as a WAV file, silent where it is to be.
fn silenced(engine: &Engine, file: &Artifact, work: &Work) -> Outcome<Vec<u8>> {
    let (mut wav, mut at) = (wave::Wav::new(), 0_u64);
    let silent = |sample: u64| {
        let ms = sample * 1000 / u64::from(Sound::RATE);
        work.times.iter().any(|t| t.start_ms.saturating_sub(AROUND_MS) <= ms && ms < t.end_ms + AROUND_MS)
    };
    let _turn = crate::engine::lock(&engine.core().sounds);
    with_file(engine, file, |path| {
        let mut sink = |piece: &[f32]| -> Result<(), ProviderError> {
            let quiet = piece.iter().zip(at..).map(|(sample, at)| if silent(at) { 0.0 } else { *sample });
            wav.push(&quiet.collect::<Vec<f32>>());
            at += piece.len() as u64;
            Ok(())
        };
        engine.providers().sound.decode(path, &Cancel::default(), &mut sink).map_err(|e| from_provider(&e))
    })?;
    Ok(wav.finish())
}

/// What is left of a file's texts, in their order.
fn text_left(engine: &Engine, file: &Artifact, work: &Work) -> Outcome<String> {
    engine.read(|c| {
        let mut texts = Vec::new();
        for view in views::of_artifact(c, &file.id)? {
            let text = units::source_text(c, view.id.as_str(), false)?;
            texts.push(redact::blacked(&text, work.views.get(&view.id).map_or(&[], Vec::as_slice)));
        }
        Ok(texts.join("\n\n"))
    })
}

/// A rendition whose bytes have their place.
pub(super) struct Placed {
    hash: String,
    size: u64,
    bytes: Bytes,
    kind: &'static Kind,
    pub(super) memory_modality: &'static str,
}

impl Rendition {
    /// Writes a large one beside the database.
    pub(super) fn placed(self, engine: &Engine, space: &SpaceId) -> Outcome<Placed> {
        let incoming = blobs::take_bytes(engine, self.bytes, "rendition")?;
        let (hash, size) = (incoming.hash.clone(), incoming.size);
        let bytes = incoming.place(engine.data_dir(), space)?;
        Ok(Placed { hash, size, bytes, kind: self.kind, memory_modality: self.kind.of_memory })
    }
}

impl Placed {
    /// As a file of the product's own, in another's place. It came from nowhere on disk.
    pub(super) fn of(&self, file: &Artifact, work: &Work, actor: &AgentId) -> NewArtifact {
        let stem = Path::new(&file.filename).file_stem().map(|stem| stem.to_string_lossy());
        // A name that says what was blacked out is not kept.
        let said = |stem: &std::borrow::Cow<'_, str>| {
            let stem = Heard::new(stem);
            work.own.iter().any(|value| stem.says(value))
        };
        let stem = stem.filter(|stem| !said(stem)).unwrap_or("file".into());
        NewArtifact {
            space: file.space_id.clone(),
            actor: actor.clone(),
            content_hash: self.hash.clone(),
            filename: format!("{stem} (blacked out).{}", self.kind.ending),
            source_path: None,
            mime_type: self.kind.mime_type.to_owned(),
            modality: self.kind.modality,
            byte_size: self.size,
            bytes: self.bytes.clone(),
            occurred_at: file.occurred_at,
        }
    }
}
