//! Any sample rate to 16 kHz, piece by piece.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler};
use um_engine::provider::{ProviderError, ProviderResult, Sound};

const CHUNK: usize = 4096;

/// Takes mono samples at one rate, gives them at [`Sound::RATE`].
pub struct ToSpeechRate {
    from: u32,
    resampler: Option<Fft<f32>>,
    /// What waits for a whole chunk.
    waiting: Vec<f32>,
    /// One chunk of output.
    chunk: Vec<f32>,
    taken: u64,
    /// Samples that were handed out already.
    given: usize,
    /// Samples of the filter's delay yet to be dropped.
    delay: usize,
    out: Vec<f32>,
}

impl ToSpeechRate {
    /// A resampler for a rate in samples a second.
    ///
    /// # Errors
    /// `Unsupported` for a rate that no recording has.
    pub fn new(from: u32) -> ProviderResult<ToSpeechRate> {
        let odd = || ProviderError::Unsupported(format!("Sound with {from} samples a second cannot be read."));
        if !(1000..=768_000).contains(&from) {
            return Err(odd());
        }
        let resampler = if from == Sound::RATE {
            None
        } else {
            let made = Fft::new(from as usize, Sound::RATE as usize, CHUNK, 1, FixedSync::Input);
            Some(made.map_err(|_| odd())?)
        };
        let chunk = vec![0.0; resampler.as_ref().map_or(0, |resampler| resampler.output_frames_max())];
        let delay = resampler.as_ref().map_or(0, |resampler| resampler.output_delay());
        Ok(ToSpeechRate { from, resampler, waiting: Vec::new(), chunk, taken: 0, given: 0, delay, out: Vec::new() })
    }

    /// The rate that it takes.
    pub fn from(&self) -> u32 {
        self.from
    }

    /// What is ready since it was last asked.
    pub fn given(&mut self) -> Vec<f32> {
        self.given += self.out.len();
        std::mem::take(&mut self.out)
    }

    /// Takes samples.
    ///
    /// # Errors
    /// `Failed` when the resampler fails.
    pub fn push(&mut self, mono: &[f32]) -> ProviderResult<()> {
        self.taken += mono.len() as u64;
        let Some(needed) = self.resampler.as_ref().map(|resampler| resampler.input_frames_next()) else {
            self.out.extend_from_slice(mono);
            return Ok(());
        };
        self.waiting.extend_from_slice(mono);
        let whole = self.waiting.len() / needed * needed;
        for start in (0..whole).step_by(needed) {
            self.chunk_at(start, None)?;
        }
        self.waiting.drain(..whole);
        Ok(())
    }

    /// The end: gives what is left.
    ///
    /// # Errors
    /// `Failed` when the resampler fails.
    pub fn finish(mut self) -> ProviderResult<Vec<f32>> {
        if self.resampler.is_none() {
            return Ok(self.out);
        }
        let whole = (self.taken * u64::from(Sound::RATE)).div_ceil(u64::from(self.from)) as usize;
        let expected = whole.saturating_sub(self.given);
        let mut left = self.waiting.len();
        // The filter's delay is flushed with silence.
        while self.out.len() < expected {
            self.chunk_at(0, Some(left))?;
            left = 0;
        }
        self.out.truncate(expected);
        Ok(self.out)
    }

    fn chunk_at(&mut self, start: usize, partial: Option<usize>) -> ProviderResult<()> {
        let Some(resampler) = &mut self.resampler else {
            return Ok(());
        };
        let failed = |error: String| ProviderError::Failed(format!("The sound cannot be brought to 16 kHz: {error}."));
        let input = &self.waiting[start..];
        let input = InterleavedSlice::new(input, 1, input.len()).map_err(|error| failed(error.to_string()))?;
        let room = self.chunk.len();
        let mut output =
            InterleavedSlice::new_mut(&mut self.chunk, 1, room).map_err(|error| failed(error.to_string()))?;
        let indexing = Indexing { partial_len: partial, ..Indexing::default() };
        let done = resampler.process_into_buffer(&input, &mut output, Some(&indexing));
        let (_, made) = done.map_err(|error| failed(error.to_string()))?;
        let skipped = self.delay.min(made);
        self.delay -= skipped;
        self.out.extend_from_slice(&self.chunk[skipped..made]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, hertz: f32, seconds: f32) -> Vec<f32> {
        let count = (rate as f32 * seconds) as usize;
        (0..count).map(|i| (i as f32 / rate as f32 * hertz * std::f32::consts::TAU).sin() * 0.5).collect()
    }

    fn resampled(from: u32, samples: &[f32], piece: usize) -> Vec<f32> {
        let mut resampler = ToSpeechRate::new(from).unwrap();
        let mut out = Vec::new();
        for piece in samples.chunks(piece) {
            resampler.push(piece).unwrap();
            out.extend(resampler.given());
        }
        out.extend(resampler.finish().unwrap());
        out
    }

    #[test]
    fn a_tone_keeps_its_pitch_its_place_and_its_length() {
        for rate in [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000] {
            let out = resampled(rate, &tone(rate, 440.0, 1.5), 1000);
            assert_eq!(out.len(), 24_000, "{rate}");
            let expected = tone(16_000, 440.0, 1.5);
            let worst = (2000..22_000).map(|i| (out[i] - expected[i]).abs()).fold(0.0, f32::max);
            // The filter's delay is dropped in whole samples: less than one of them may remain.
            assert!(worst < 0.09, "{rate}: {worst}");
        }
    }

    #[test]
    fn the_size_of_the_pieces_changes_nothing() {
        let samples = tone(44_100, 300.0, 0.7);
        assert_eq!(resampled(44_100, &samples, 1), resampled(44_100, &samples, 30_000));
    }

    #[test]
    fn nothing_gives_nothing_and_odd_rates_are_refused() {
        assert!(resampled(44_100, &[], 1).is_empty());
        assert!(ToSpeechRate::new(0).is_err());
        assert!(ToSpeechRate::new(u32::MAX).is_err());
    }
}
