//! Recordings, and the sound of films: what is said in them.

use super::keep::{self, Part, Read};
use super::recording::{self, Recording, STRETCH};
use super::{Reading, Stopped};
use crate::extract;
use crate::provider::{ProviderError, Sound, Transcript, Utterance};
use std::path::Path;
use um_model::{ModelKind, ViewId, ViewType};
use um_store::artifacts::{self, Measures};
use um_store::views::NewSegment;

pub(super) fn read(reading: &Reading<'_>, path: &Path) -> Result<Vec<ViewId>, Stopped> {
    let asr = &reading.engine.providers().asr;
    let Some(model) = asr.model_id() else {
        // Without a model the sound is decoded once, for its length; not again at each look for a model.
        if reading.artifact.duration_ms.is_none() {
            (reading.progress)(0.0, "decoding the sound");
            keep_length(reading, recording::measure(reading, path)?)?;
        }
        return Err(ProviderError::ModelMissing(ModelKind::Speech).into());
    };
    let config = format!("{model} {} stretch={STRETCH}", asr.config());
    let known = keep::known(reading, None, ViewType::Asr, asr.extractor_id(), &config)?;
    if let (Some(view), Some(_)) = (known, reading.artifact.duration_ms) {
        return Ok(vec![view]);
    }
    (reading.progress)(0.0, "decoding the sound");
    let recording = Recording::decode(reading, path)?;
    keep_length(reading, recording.samples)?;
    let transcript = transcribe(reading, recording)?;
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

fn keep_length(reading: &Reading<'_>, samples: u64) -> Result<(), Stopped> {
    let id = reading.artifact.id.clone();
    let measures = Measures { duration_ms: Some(milliseconds(samples)), ..Measures::default() };
    Ok(reading.engine.write(move |tx| Ok(artifacts::set_measures(tx, &id, measures)?))?)
}

fn milliseconds(samples: u64) -> u64 {
    samples * 1000 / u64::from(Sound::RATE)
}

/// Hears a recording stretch by stretch; times are of the whole.
fn transcribe(reading: &Reading<'_>, mut recording: Recording) -> Result<Transcript, Stopped> {
    let asr = &reading.engine.providers().asr;
    let whole = recording.samples.max(1) as f64;
    let mut transcript = Transcript::default();
    while let Some((begin, sound)) = recording.next()? {
        let heard = |share: f32| {
            let done = (begin as f64 + f64::from(share) * sound.samples.len() as f64) / whole;
            (reading.progress)(0.1 + 0.9 * done, "listening");
        };
        let stretch = asr.transcribe(&sound, &heard, reading.cancel)?;
        transcript.language = transcript.language.or(stretch.language);
        let begin = milliseconds(begin);
        transcript.utterances.extend(stretch.utterances.into_iter().map(|said| Utterance {
            start_ms: begin + said.start_ms,
            end_ms: begin + said.end_ms,
            ..said
        }));
    }
    Ok(transcript)
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
