//! A file's bytes for display. Nothing of a foreign file is shown but pixels, samples and text.

use crate::error::{Outcome, from_provider, invalid};
use crate::extract::{picture, wave};
use crate::provider::{Cancel, ProviderError, SampleSink, Sound};
use crate::reading::with_file;
use crate::{Caller, Engine};
use base64::Engine as _;
use std::path::Path;
use um_model::capture::{Artifact, Media, MediaPart, MediaRead};
use um_model::{ApiError, ErrorCode, Modality};
use um_store::thumbnails;

/// Width and height of a thumbnail, at most, in pixels.
const THUMBNAIL: u32 = 320;
/// Longer recordings are not handed out whole, in milliseconds: an hour is 115 MB of samples.
const MAX_SOUND_MS: u64 = 3_600_000;

/// Reads bytes of a file.
pub(crate) fn media_read(engine: &Engine, caller: &Caller, request: MediaRead) -> Outcome<Media> {
    let artifact = engine.read(|c| super::existing(c, caller, &request.id))?;
    let (mime_type, bytes) = part(engine, &artifact, request.part)?;
    Ok(Media { mime_type, base64: base64::engine::general_purpose::STANDARD.encode(bytes) })
}

impl Engine {
    /// A file's name and bytes as they came in, for a door that hands them to another program.
    ///
    /// # Errors
    /// `NotFound`, `Conflict` where they were destroyed, `Io`.
    pub fn original(&self, caller: &Caller, id: &um_model::ArtifactId) -> Outcome<(String, Vec<u8>)> {
        let artifact = self.read(|c| super::existing(c, caller, id))?;
        let bytes = with_file(self, &artifact, read_all)?;
        Ok((artifact.filename, bytes))
    }
}

fn read_all(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|e| crate::error::from_io("Reading", path, &e))
}

fn part(engine: &Engine, artifact: &Artifact, part: MediaPart) -> Outcome<(String, Vec<u8>)> {
    let png = || "image/png".to_owned();
    match part {
        MediaPart::Original => Ok((artifact.mime_type.clone(), with_file(engine, artifact, read_all)?)),
        MediaPart::Upright => Ok((png(), picture::to_png(&upright(engine, artifact)?))),
        MediaPart::Thumbnail => thumbnail(engine, artifact),
        MediaPart::Page { page, width } => {
            let width = width.clamp(200, 3000);
            Ok((png(), picture::to_png(&page_picture(engine, artifact, page, width)?)))
        }
        MediaPart::Sound => Ok(("audio/wav".to_owned(), playable(engine, artifact)?)),
        MediaPart::Waveform { bins } => {
            let mut levels = wave::Levels::default();
            decode(engine, artifact, &mut |samples| {
                levels.push(samples);
                Ok(())
            })?;
            Ok(("application/octet-stream".to_owned(), levels.finish(bins.clamp(1, 4096) as usize)))
        }
    }
}

/// A small picture: the one that was kept, else made and kept for the next time.
fn thumbnail(engine: &Engine, artifact: &Artifact) -> Outcome<(String, Vec<u8>)> {
    let kept = |c: &um_store::Connection| Ok(thumbnails::of(c, &artifact.id)?);
    let mime_type = "image/jpeg".to_owned();
    if let Some(jpeg) = engine.read(kept)? {
        return Ok((mime_type, jpeg));
    }
    let whole = match artifact.modality {
        Modality::Image => upright(engine, artifact)?,
        Modality::Pdf => page_picture(engine, artifact, 1, THUMBNAIL * 2)?,
        _ => return Err(invalid("Only pictures and PDFs have thumbnails.")),
    };
    let jpeg = picture::thumbnail(&whole, THUMBNAIL);
    let (id, copy, now) = (artifact.id.clone(), jpeg.clone(), engine.now());
    engine.write(move |tx| Ok(thumbnails::keep(tx, &id, &copy, now)?))?;
    Ok((mime_type, jpeg))
}

fn upright(engine: &Engine, artifact: &Artifact) -> Outcome<image::RgbImage> {
    if artifact.modality != Modality::Image {
        return Err(invalid("This file is no picture."));
    }
    let _turn = crate::engine::lock(&engine.core().pictures);
    let bytes = with_file(engine, artifact, read_all)?;
    picture::decode_upright(&bytes).map_err(|e| from_provider(&e))
}

fn page_picture(engine: &Engine, artifact: &Artifact, page: u32, width: u32) -> Outcome<image::RgbImage> {
    if artifact.modality != Modality::Pdf {
        return Err(invalid("This file has no pages."));
    }
    let password = crate::engine::lock(&engine.core().passwords).get(&artifact.id).cloned();
    let _turn = crate::engine::lock(&engine.core().pictures);
    with_file(engine, artifact, |path| {
        let mut document = engine
            .providers()
            .pdf
            .open(path, password.as_deref(), &Cancel::default())
            .map_err(|e| from_provider(&e))?;
        if page == 0 || page > document.page_count() {
            return Err(ApiError::new(ErrorCode::NotFound, format!("The file has {} pages.", document.page_count())));
        }
        document.render(page, width).map_err(|e| from_provider(&e))
    })
}

/// A recording as a WAV file, where it is not too long to be handed out whole.
fn playable(engine: &Engine, artifact: &Artifact) -> Outcome<Vec<u8>> {
    const MOST: u64 = MAX_SOUND_MS * Sound::RATE as u64 / 1000;
    let too_long = || invalid("The recording is too long to be played here.").hint("Open the original instead.");
    if artifact.duration_ms.is_some_and(|ms| ms > MAX_SOUND_MS) {
        return Err(too_long());
    }
    let (mut wav, mut samples) = (wave::Wav::new(), 0);
    let decoded = decode(engine, artifact, &mut |piece| {
        samples += piece.len() as u64;
        if samples > MOST {
            return Err(ProviderError::Cancelled);
        }
        wav.push(piece);
        Ok(())
    });
    if samples > MOST {
        return Err(too_long());
    }
    decoded.map(|()| wav.finish())
}

/// Decodes a recording or film, one at a time: long ones take a while and a processor.
fn decode(engine: &Engine, artifact: &Artifact, sink: &mut SampleSink<'_>) -> Outcome<()> {
    if !matches!(artifact.modality, Modality::Audio | Modality::Video) {
        return Err(invalid("This file has no sound."));
    }
    let _turn = crate::engine::lock(&engine.core().sounds);
    with_file(engine, artifact, |path| {
        engine.providers().sound.decode(path, &Cancel::default(), sink).map_err(|e| from_provider(&e))
    })
}
