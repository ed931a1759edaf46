//! Recordings, and the sound of films: what is said in them.

use super::keep::{self, Part, Read};
use super::{Reading, Stopped};
use crate::extract;
use crate::provider::{ProviderError, Transcript};
use std::path::Path;
use um_model::{ModelKind, ViewId, ViewType};
use um_store::artifacts::{self, Measures};
use um_store::views::NewSegment;

pub(super) fn read(reading: &Reading<'_>, path: &Path, mime_type: &str) -> Result<Vec<ViewId>, Stopped> {
    let providers = reading.engine.providers();
    let asr = &providers.asr;
    let missing = ProviderError::ModelMissing(ModelKind::Speech);
    // Without a model the sound is decoded once, for its length; not again at each look for a model.
    if asr.model_id().is_none() && reading.artifact.duration_ms.is_some() {
        return Err(missing.into());
    }
    (reading.progress)(0.0, "decoding the sound");
    let sound = providers.sound.decode(path, mime_type, reading.cancel)?;
    let id = reading.artifact.id.clone();
    let measures = Measures { duration_ms: Some(sound.duration_ms()), ..Measures::default() };
    reading.engine.write(move |tx| Ok(artifacts::set_measures(tx, &id, measures)?))?;

    let model = asr.model_id().ok_or(missing)?;
    let config = format!("{model} {}", asr.config());
    if let Some(view) = keep::known(reading, None, ViewType::Asr, asr.extractor_id(), &config)? {
        return Ok(vec![view]);
    }
    let heard = |share: f32| (reading.progress)(0.1 + 0.9 * f64::from(share), "listening");
    let transcript = asr.transcribe(&sound, &heard, reading.cancel)?;
    let text = extract::compose_transcript(&transcript);
    let parts = utterances(&text, &transcript);
    let view = keep::keep(
        reading,
        Read {
            view_type: ViewType::Asr,
            page: None,
            text,
            extractor_id: asr.extractor_id().to_owned(),
            model_id: Some(model),
            config,
            parts,
        },
    )?;
    Ok(vec![view])
}

fn utterances(text: &extract::Text, transcript: &Transcript) -> Vec<Part> {
    text.anchors
        .iter()
        .zip(&transcript.utterances)
        .enumerate()
        .map(|(ordinal, (anchor, said))| Part {
            span: anchor.span,
            segment: NewSegment {
                segment_type: "temporal",
                level: "utterance",
                ordinal: ordinal as u32,
                selector: serde_json::json!({ "start_ms": said.start_ms, "end_ms": said.end_ms }),
                confidence: Some(f64::from(said.confidence)),
            },
            parent: None,
        })
        .collect()
}
