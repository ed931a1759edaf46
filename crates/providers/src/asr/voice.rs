//! Where somebody speaks, by Silero's model through whisper.cpp, where a person has installed it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use um_engine::provider::Sound;
use whisper_rs::{WhisperVadContext, WhisperVadContextParams, WhisperVadParams};

use crate::Locations;
use crate::catalogue::{self, SILERO};
use crate::models::sha256;

/// Shorter noises are no speech, in milliseconds: half of "no".
const SHORTEST: i32 = 100;
/// Shorter pauses are inside of words.
const PAUSE: i32 = 200;

/// The model's file, where it is installed.
pub fn installed_file(locations: &Locations) -> Option<PathBuf> {
    super::installed_file(locations, SILERO)
}

/// Stretches of samples in which somebody speaks, in order and apart.
///
/// # Errors
/// Why the model cannot be used, in words.
pub fn speech(file: &Path, samples: &[f32]) -> Result<Vec<Range<usize>>, String> {
    let mut model = load(file)?;
    let mut parameters = WhisperVadParams::new();
    parameters.set_min_speech_duration(SHORTEST);
    parameters.set_min_silence_duration(PAUSE);
    let found = model.segments_from_samples(parameters, samples).map_err(|error| error.to_string())?;
    // The model counts hundredths of a second.
    let at = |hundredths: f32| ((hundredths.max(0.0) * Sound::RATE as f32 / 100.0) as usize).min(samples.len());
    Ok(found.map(|stretch| at(stretch.start)..at(stretch.end)).filter(|stretch| !stretch.is_empty()).collect())
}

/// Loads the model of the catalogue and no other: whisper.cpp trusts such a file blindly.
///
/// # Errors
/// Why it is not that one, in words.
fn load(file: &Path) -> Result<WhisperVadContext, String> {
    super::quiet();
    let wanted = catalogue::entry(SILERO).and_then(|entry| entry.files.first()).map(|file| file.sha256);
    let found = sha256(file).map_err(|error| error.to_string())?;
    let path = file.to_str().filter(|_| wanted == Some(found.as_str())).ok_or("it is not the one of the catalogue")?;
    let mut parameters = WhisperVadContextParams::new();
    // It is small: more threads would wait for each other.
    parameters.set_n_threads(1);
    WhisperVadContext::new(path, parameters).map_err(|error| error.to_string())
}
