//! A file's bytes for display. Nothing of a foreign file is shown but pixels, samples and text.

use crate::error::{Outcome, from_provider, invalid};
use crate::extract::{picture, wave};
use crate::provider::Cancel;
use crate::reading::with_file;
use crate::{Caller, Engine};
use base64::Engine as _;
use std::path::Path;
use um_model::capture::{Artifact, Media, MediaPart, MediaRead};
use um_model::{ApiError, ErrorCode, Modality};

/// Width and height of a thumbnail, at most, in pixels.
const THUMBNAIL: u32 = 320;
/// Longer recordings are not handed out whole, in milliseconds: an hour is 115 MB of samples.
const MAX_SOUND_MS: u64 = 3_600_000;

/// Reads bytes of a file.
pub(crate) fn media_read(engine: &Engine, caller: &Caller, request: MediaRead) -> Outcome<Media> {
    let artifact = engine.read(|c| {
        crate::spaces::may_act(c, caller)?;
        super::existing(c, &request.id)
    })?;
    // One at a time: a decoded picture or recording takes hundreds of megabytes.
    let turn = crate::engine::lock(&engine.core().media);
    let (mime_type, bytes) = part(engine, &artifact, request.part)?;
    drop(turn);
    Ok(Media { mime_type, base64: base64::engine::general_purpose::STANDARD.encode(bytes) })
}

impl Engine {
    /// A file's name and bytes as they came in, for a door that hands them to another program.
    ///
    /// # Errors
    /// `NotFound`, `Conflict` where they were destroyed, `Io`.
    pub fn original(&self, caller: &Caller, id: &um_model::ArtifactId) -> Outcome<(String, Vec<u8>)> {
        let artifact = self.read(|c| {
            crate::spaces::may_act(c, caller)?;
            super::existing(c, id)
        })?;
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
        MediaPart::Sound if artifact.duration_ms.is_some_and(|ms| ms > MAX_SOUND_MS) => {
            Err(invalid("The recording is too long to be played here.").hint("Open the original instead."))
        }
        MediaPart::Sound => Ok(("audio/wav".to_owned(), wave::to_wav(&sound(engine, artifact)?.samples))),
        MediaPart::Waveform { bins } => {
            let bins = bins.clamp(1, 4096) as usize;
            Ok(("application/octet-stream".to_owned(), wave::loudness(&sound(engine, artifact)?.samples, bins)))
        }
    }
}

fn thumbnail(engine: &Engine, artifact: &Artifact) -> Outcome<(String, Vec<u8>)> {
    let whole = match artifact.modality {
        Modality::Image => upright(engine, artifact)?,
        Modality::Pdf => page_picture(engine, artifact, 1, THUMBNAIL * 2)?,
        _ => return Err(invalid("Only pictures and PDFs have thumbnails.")),
    };
    let bytes = picture::thumbnail(&whole, THUMBNAIL);
    let mime_type = if bytes.starts_with(&[0xff, 0xd8]) { "image/jpeg" } else { "image/png" };
    Ok((mime_type.to_owned(), bytes))
}

fn upright(engine: &Engine, artifact: &Artifact) -> Outcome<image::RgbImage> {
    if artifact.modality != Modality::Image {
        return Err(invalid("This file is no picture."));
    }
    let bytes = with_file(engine, artifact, read_all)?;
    picture::decode_upright(&bytes).map_err(|e| from_provider(&e))
}

fn page_picture(engine: &Engine, artifact: &Artifact, page: u32, width: u32) -> Outcome<image::RgbImage> {
    if artifact.modality != Modality::Pdf {
        return Err(invalid("This file has no pages."));
    }
    let password = crate::engine::lock(&engine.core().passwords).get(&artifact.id).cloned();
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

fn sound(engine: &Engine, artifact: &Artifact) -> Outcome<crate::provider::Sound> {
    if !matches!(artifact.modality, Modality::Audio | Modality::Video) {
        return Err(invalid("This file has no sound."));
    }
    with_file(engine, artifact, |path| {
        engine.providers().sound.decode(path, &artifact.mime_type, &Cancel::default()).map_err(|e| from_provider(&e))
    })
}
