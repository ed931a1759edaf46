//! Recordings and films to samples at 16 kHz: by symphonia where it knows the codec, else by ffmpeg as a program.

mod ffmpeg;
mod native;
mod resample;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use um_engine::plain;
use um_engine::provider::{Cancel, ProviderError, ProviderResult, SampleSink, Sound, SoundProvider};

use crate::Locations;

/// The longest sound: whoever reads it holds its samples on disk, and an hour is 230 MB.
const MOST_SECONDS: usize = 4 * 3600;
const MOST_SAMPLES: usize = MOST_SECONDS * Sound::RATE as usize;

/// symphonia, then ffmpeg.
#[derive(Debug)]
pub struct Decoder {
    locations: Arc<Locations>,
}

impl Decoder {
    /// Finds ffmpeg at these places or on the path, once it is needed.
    pub fn new(locations: Arc<Locations>) -> Decoder {
        Decoder { locations }
    }
}

impl SoundProvider for Decoder {
    fn decode(&self, file: &Path, cancel: &Cancel, sink: &mut SampleSink<'_>) -> ProviderResult<()> {
        cancel.check()?;
        // Told apart here, where the error can be the system's own.
        std::fs::File::open(file)
            .map_err(|error| ProviderError::Failed(format!("The file cannot be opened: {}.", plain(&error))))?;
        let mut bounded = Bounded { sink, taken: 0 };
        // A file made to trip a decoder may make it panic; that is one more thing that it cannot read.
        let native = catch_unwind(AssertUnwindSafe(|| native::decode(file, cancel, &mut bounded)));
        let native = native.unwrap_or_else(|_| Err(ProviderError::Corrupt("its sound trips the decoder".into())));
        let first = match native {
            // What was taken cannot be taken back: a sound that trips its decoder on the way ends there.
            Err(ProviderError::Corrupt(_)) if bounded.taken > 0 => return Ok(()),
            Err(error @ (ProviderError::Unsupported(_) | ProviderError::Corrupt(_))) if bounded.taken == 0 => error,
            ended => return ended,
        };
        match ffmpeg::decode(&self.locations.program("ffmpeg"), file, cancel, &mut bounded) {
            // What the first decoder said tells more than that a second one could be installed, where the file is
            // broken.
            Err(ProviderError::ToolMissing { .. }) if matches!(first, ProviderError::Corrupt(_)) => Err(first),
            ended => ended,
        }
    }
}

/// A sink that takes no more than [`MOST_SAMPLES`].
struct Bounded<'a, 'b> {
    sink: &'a mut SampleSink<'b>,
    taken: usize,
}

impl Bounded<'_, '_> {
    fn take(&mut self, samples: &[f32]) -> ProviderResult<()> {
        self.taken += samples.len();
        if self.taken > MOST_SAMPLES {
            return Err(ProviderError::Unsupported(format!(
                "The recording is longer than {} hours: cut it into parts and add those.",
                MOST_SECONDS / 3600
            )));
        }
        if samples.is_empty() { Ok(()) } else { (self.sink)(samples) }
    }
}
