//! Sound for the ear and the eye: WAV files and waveforms.

use crate::provider::Sound;

/// Makes a WAV file (RIFF, 16-bit PCM, mono, 16 kHz) of samples between -1 and 1; what lies outside is
/// clipped, what is no number is silence.
pub fn to_wav(samples: &[f32]) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX - 36);
    let mut wav = Vec::with_capacity(44 + samples.len() * 2);
    wav.extend_from_slice(b"RIFF");
    wav.extend_from_slice(&(36 + bytes).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16u32.to_le_bytes());
    wav.extend_from_slice(&1u16.to_le_bytes()); // PCM
    wav.extend_from_slice(&1u16.to_le_bytes()); // mono
    wav.extend_from_slice(&Sound::RATE.to_le_bytes());
    wav.extend_from_slice(&(Sound::RATE * 2).to_le_bytes()); // bytes a second
    wav.extend_from_slice(&2u16.to_le_bytes()); // bytes a sample
    wav.extend_from_slice(&16u16.to_le_bytes()); // bits a sample
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&bytes.to_le_bytes());
    for sample in samples {
        // A cast of NaN gives 0.
        let value = (sample.clamp(-1.0, 1.0) * 32_767.0).round() as i16;
        wav.extend_from_slice(&value.to_le_bytes());
    }
    wav
}

/// How loud each of `bins` equal stretches is, for drawing: 255 is the loudest stretch of the recording,
/// 0 is silence; the scale is the square root of the effective value, so that quiet speech still shows.
pub fn loudness(samples: &[f32], bins: usize) -> Vec<u8> {
    /// Below this effective value (-60 dB) a whole recording counts as silent.
    const SILENCE: f64 = 0.001;
    let levels: Vec<f64> = (0..bins).map(|bin| effective(stretch(samples, bin, bins))).collect();
    let loudest = levels.iter().copied().fold(0.0, f64::max);
    if loudest < SILENCE {
        return vec![0; bins];
    }
    levels.iter().map(|level| ((level / loudest).sqrt() * 255.0).round() as u8).collect()
}

/// The samples of one bin: at least one, where there are any.
fn stretch(samples: &[f32], bin: usize, bins: usize) -> &[f32] {
    let at = |bin: usize| (bin as u128 * samples.len() as u128 / bins as u128) as usize;
    let start = at(bin).min(samples.len().saturating_sub(1));
    let end = at(bin + 1).max(start + 1).min(samples.len());
    &samples[start..end]
}

/// The effective value (root of the mean square) of samples; what is no number counts as silence.
fn effective(samples: &[f32]) -> f64 {
    if samples.is_empty() {
        return 0.0;
    }
    let finite = samples.iter().filter(|s| s.is_finite());
    let sum: f64 = finite.map(|s| f64::from(s.clamp(-1.0, 1.0)).powi(2)).sum();
    (sum / samples.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wav_has_the_header_that_players_expect() {
        let wav = to_wav(&[0.0, 1.0, -1.0, 2.0, f32::NAN]);
        assert_eq!(wav.len(), 44 + 10);
        assert_eq!(&wav[..4], b"RIFF");
        assert_eq!(u32::from_le_bytes(wav[4..8].try_into().unwrap()), 46);
        assert_eq!(&wav[8..16], b"WAVEfmt ");
        assert_eq!(u32::from_le_bytes(wav[24..28].try_into().unwrap()), 16_000);
        assert_eq!(u32::from_le_bytes(wav[40..44].try_into().unwrap()), 10);
        let samples: Vec<i16> = wav[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!(samples, [0, 32_767, -32_767, 32_767, 0]);
    }

    fn check(samples: &[f32], bins: usize, expected: &[u8]) {
        assert_eq!(loudness(samples, bins), expected, "{samples:?} in {bins}");
    }

    #[test]
    fn loudness_is_relative_to_the_loudest_stretch() {
        check(&[], 3, &[0, 0, 0]);
        check(&[0.5, 0.5], 0, &[]);
        check(&[0.0; 100], 2, &[0, 0]);
        check(&[0.0005; 100], 2, &[0, 0]);
        check(&[0.1, -0.1, 0.4, -0.4], 2, &[128, 255]);
        check(&[0.1, 0.4], 4, &[128, 128, 255, 255]);
        check(&[f32::NAN, 0.4], 2, &[0, 255]);
        assert_eq!(loudness(&vec![0.3; 1_000_003], 4096), vec![255; 4096]);
    }
}
