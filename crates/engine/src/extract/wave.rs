//! Sound for the ear and the eye: WAV files and waveforms, made as the samples come.

use crate::provider::Sound;

/// Samples of which one level is kept: 5 ms. Four hours have three million levels.
const FRAME: usize = Sound::RATE as usize / 200;
/// Bytes of a WAV file's head.
const HEAD: usize = 44;

/// A WAV file (RIFF, 16-bit PCM, mono, 16 kHz) that grows sample by sample.
pub struct Wav(Vec<u8>);

impl Wav {
    /// An empty file.
    pub fn new() -> Self {
        Self(vec![0; HEAD])
    }

    /// Adds samples between -1 and 1; what lies outside is clipped, what is no number is silence.
    pub fn push(&mut self, samples: &[f32]) {
        for sample in samples {
            // A cast of NaN gives 0.
            let value = (sample.clamp(-1.0, 1.0) * 32_767.0).round() as i16;
            self.0.extend_from_slice(&value.to_le_bytes());
        }
    }

    /// The whole file.
    pub fn finish(mut self) -> Vec<u8> {
        let bytes = u32::try_from(self.0.len() - HEAD).unwrap_or(u32::MAX - 36);
        let mut head = Vec::with_capacity(HEAD);
        head.extend_from_slice(b"RIFF");
        head.extend_from_slice(&(36 + bytes).to_le_bytes());
        head.extend_from_slice(b"WAVEfmt ");
        head.extend_from_slice(&16u32.to_le_bytes());
        head.extend_from_slice(&1u16.to_le_bytes()); // PCM
        head.extend_from_slice(&1u16.to_le_bytes()); // mono
        head.extend_from_slice(&Sound::RATE.to_le_bytes());
        head.extend_from_slice(&(Sound::RATE * 2).to_le_bytes()); // bytes a second
        head.extend_from_slice(&2u16.to_le_bytes()); // bytes a sample
        head.extend_from_slice(&16u16.to_le_bytes()); // bits a sample
        head.extend_from_slice(b"data");
        head.extend_from_slice(&bytes.to_le_bytes());
        self.0[..HEAD].copy_from_slice(&head);
        self.0
    }
}

/// How loud a recording is, in short frames.
#[derive(Default)]
pub struct Levels {
    /// The effective value of each frame that is whole.
    levels: Vec<f32>,
    rest: Vec<f32>,
}

impl Levels {
    /// Adds samples.
    pub fn push(&mut self, samples: &[f32]) {
        self.rest.extend_from_slice(samples);
        let whole = self.rest.len() / FRAME * FRAME;
        self.levels.extend(self.rest[..whole].chunks(FRAME).map(effective));
        self.rest.drain(..whole);
    }

    /// How loud each of `bins` equal stretches is, for drawing.
    pub fn finish(mut self, bins: usize) -> Vec<u8> {
        if !self.rest.is_empty() {
            self.levels.push(effective(&self.rest));
        }
        loudness(&self.levels, bins)
    }
}

/// How loud each of `bins` equal stretches of levels is: 255 is the loudest stretch of the recording, 0 is
/// silence; the scale is the square root of the effective value, so that quiet speech still shows.
fn loudness(levels: &[f32], bins: usize) -> Vec<u8> {
    /// Below this effective value (-60 dB) a whole recording counts as silent.
    const SILENCE: f32 = 0.001;
    let levels: Vec<f32> = (0..bins).map(|bin| effective(stretch(levels, bin, bins))).collect();
    let loudest = levels.iter().copied().fold(0.0, f32::max);
    if loudest < SILENCE {
        return vec![0; bins];
    }
    levels.iter().map(|level| ((level / loudest).sqrt() * 255.0).round() as u8).collect()
}

/// The levels of one bin: at least one, where there are any.
fn stretch(levels: &[f32], bin: usize, bins: usize) -> &[f32] {
    let at = |bin: usize| (bin as u128 * levels.len() as u128 / bins as u128) as usize;
    let start = at(bin).min(levels.len().saturating_sub(1));
    let end = at(bin + 1).max(start + 1).min(levels.len());
    &levels[start..end]
}

/// The effective value (root of the mean square) of samples or levels; what is no number counts as silence.
fn effective(samples: &[f32]) -> f32 {
    if samples.is_empty() {
        return 0.0;
    }
    let finite = samples.iter().filter(|s| s.is_finite());
    let sum: f64 = finite.map(|s| f64::from(s.clamp(-1.0, 1.0)).powi(2)).sum();
    (sum / samples.len() as f64).sqrt() as f32
}

/// Where to cut samples that go on after their end: in the middle of the quietest third of a second of their
/// last half minute. More than nothing, and never all.
pub fn quiet_end(samples: &[f32]) -> usize {
    const PAUSE: usize = Sound::RATE as usize / 3;
    const LAST: usize = 30 * Sound::RATE as usize;
    let from = samples.len().saturating_sub(LAST).max(samples.len() / 2);
    let starts = (from..samples.len().saturating_sub(PAUSE)).step_by(FRAME);
    let loud = |start: &usize| effective(&samples[*start..start + PAUSE]);
    let quietest = starts.min_by(|a, b| loud(a).total_cmp(&loud(b)));
    quietest.map_or(samples.len(), |start| start + PAUSE / 2).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wav_has_the_header_that_players_expect() {
        let mut wav = Wav::new();
        wav.push(&[0.0, 1.0]);
        wav.push(&[-1.0, 2.0, f32::NAN]);
        let wav = wav.finish();
        assert_eq!(wav.len(), 44 + 10);
        assert_eq!(&wav[..4], b"RIFF");
        assert_eq!(u32::from_le_bytes(wav[4..8].try_into().unwrap()), 46);
        assert_eq!(&wav[8..16], b"WAVEfmt ");
        assert_eq!(u32::from_le_bytes(wav[24..28].try_into().unwrap()), 16_000);
        assert_eq!(u32::from_le_bytes(wav[40..44].try_into().unwrap()), 10);
        let samples: Vec<i16> = wav[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!(samples, [0, 32_767, -32_767, 32_767, 0]);
    }

    fn check(levels: &[f32], bins: usize, expected: &[u8]) {
        assert_eq!(loudness(levels, bins), expected, "{levels:?} in {bins}");
    }

    #[test]
    fn loudness_is_relative_to_the_loudest_stretch() {
        check(&[], 3, &[0, 0, 0]);
        check(&[0.5, 0.5], 0, &[]);
        check(&[0.0; 100], 2, &[0, 0]);
        check(&[0.0005; 100], 2, &[0, 0]);
        check(&[0.1, 0.1, 0.4, 0.4], 2, &[128, 255]);
        check(&[0.1, 0.4], 4, &[128, 128, 255, 255]);
        check(&[f32::NAN, 0.4], 2, &[0, 255]);
    }

    #[test]
    fn the_size_of_the_pieces_changes_no_waveform() {
        let samples: Vec<f32> = (0..10_007).map(|i| (i as f32 * 0.1).sin() * (i as f32 / 10_007.0)).collect();
        let drawn = |piece: usize| {
            let mut levels = Levels::default();
            samples.chunks(piece).for_each(|piece| levels.push(piece));
            levels.finish(50)
        };
        assert_eq!(drawn(1), drawn(9_999));
        let grows = drawn(100);
        assert!(grows[0] < 60 && grows[49] > 240, "{grows:?}");
    }

    #[test]
    fn a_long_recording_is_cut_where_it_is_quiet() {
        const SECOND: usize = Sound::RATE as usize;
        let mut samples: Vec<f32> = (0..100 * SECOND).map(|i| (i as f32 * 0.2).sin() * 0.3).collect();
        let pause = 85 * SECOND..86 * SECOND;
        samples[pause.clone()].fill(0.0);
        samples[20 * SECOND..22 * SECOND].fill(0.0);
        assert!(pause.contains(&quiet_end(&samples)), "{}", quiet_end(&samples));
        for short in [1, 2, SECOND / 3, SECOND] {
            let end = quiet_end(&samples[..short]);
            assert!((1..=short).contains(&end), "{end} of {short}");
        }
    }
}
