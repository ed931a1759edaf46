//! What is kept in a file's place: a picture with black boxes, a recording with silence, or the text that is left.

use super::gather::Work;
use crate::Engine;
use crate::error::{Outcome, from_io, from_provider};
use crate::extract::{picture, wave};
use crate::ingest::blobs;
use crate::provider::{Cancel, ProviderError, Sound};
use crate::reading::with_file;
use image::{Rgb, RgbImage};
use std::path::Path;
use um_model::capture::Artifact;
use um_model::{AgentId, Modality, SpaceId};
use um_store::artifacts::{Bytes, NewArtifact};
use um_store::forget::{folded, says};
use um_store::{redact, units, views};

/// A box is widened by so many pixels, as letters reach beyond it.
const AROUND: f64 = 2.0;
/// Silence begins and ends by so many milliseconds outside of what is said.
const AROUND_MS: u64 = 80;
/// Longer recordings are kept as text, in milliseconds.
const MAX_SOUND_MS: u64 = 3_600_000;

/// Bytes to be kept.
pub(super) struct Rendition {
    /// `picture`, `sound` or `text`.
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
const TEXT: Kind = Kind { ending: "txt", mime_type: "text/plain", modality: Modality::Text, of_memory: "document" };

/// Makes the rendition of a file without what is to go.
pub(super) fn make(engine: &Engine, file: &Artifact, work: &Work) -> Outcome<Rendition> {
    match file.modality {
        Modality::Image => {
            let bytes = with_file(engine, file, read_all)?;
            let mut picture = picture::decode_upright(&bytes).map_err(|e| from_provider(&e))?;
            work.boxes.iter().for_each(|(_, bbox)| black_box(&mut picture, *bbox));
            Ok(Rendition { kept_as: "picture", bytes: picture::to_png(&picture), kind: &PICTURE })
        }
        Modality::Audio if file.duration_ms.is_some_and(|ms| ms <= MAX_SOUND_MS) => {
            Ok(Rendition { kept_as: "sound", bytes: silenced(engine, file, work)?, kind: &SOUND })
        }
        _ => Ok(Rendition { kept_as: "text", bytes: text_left(engine, file, work)?.into_bytes(), kind: &TEXT }),
    }
}

fn read_all(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|e| from_io("Reading", path, &e))
}

fn black_box(picture: &mut RgbImage, [x, y, width, height]: [f64; 4]) {
    let (right, bottom) = picture.dimensions();
    let within = |value: f64, most: u32| value.clamp(0.0, f64::from(most)) as u32;
    let columns = within((x - AROUND).floor(), right)..within((x + width + AROUND).ceil(), right);
    let rows = within((y - AROUND).floor(), bottom)..within((y + height + AROUND).ceil(), bottom);
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
        let said = |stem: &std::borrow::Cow<'_, str>| work.own.iter().any(|value| says(&folded(stem), value));
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
