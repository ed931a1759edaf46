//! Recordings and films to samples at 16 kHz: by symphonia where it knows the codec, else by ffmpeg as a program.

mod ffmpeg;
mod native;
mod resample;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use um_engine::provider::{Cancel, ProviderError, ProviderResult, Sound, SoundProvider};

/// The longest sound: it is held in memory whole, and an hour is 230 MB.
const MOST_SECONDS: usize = 4 * 3600;
const MOST_SAMPLES: usize = MOST_SECONDS * Sound::RATE as usize;

/// symphonia, then ffmpeg.
#[derive(Debug, Default)]
pub struct Decoder;

impl SoundProvider for Decoder {
    fn decode(&self, file: &Path, _mime_type: &str, cancel: &Cancel) -> ProviderResult<Sound> {
        cancel.check()?;
        // Told apart here, where the error can be the system's own.
        std::fs::File::open(file)
            .map_err(|error| ProviderError::Failed(format!("The file cannot be opened: {error}.")))?;
        // A file made to trip a decoder may make it panic; that is one more thing that it cannot read.
        let native = catch_unwind(AssertUnwindSafe(|| native::decode(file, cancel)));
        let native = native.unwrap_or_else(|_| Err(ProviderError::Corrupt("its sound trips the decoder".into())));
        match native {
            Err(ProviderError::Unsupported(_) | ProviderError::Corrupt(_)) => {
                let first = native.err();
                match ffmpeg::decode(file, cancel) {
                    // What the first decoder said tells more than that a second one could be installed, where the
                    // file is broken.
                    Err(ProviderError::ToolMissing { .. }) if matches!(first, Some(ProviderError::Corrupt(_))) => {
                        Err(first.unwrap_or(ProviderError::Cancelled))
                    }
                    other => other,
                }
            }
            done => done,
        }
    }
}

fn too_long() -> ProviderError {
    ProviderError::Unsupported(format!(
        "The recording is longer than {} hours: cut it into parts and add those.",
        MOST_SECONDS / 3600
    ))
}
