//! Where to cut a recording: at silences, into stretches that the model hears at once. Where nobody has told where
//! speech is, silence is told by energy alone, relative to the recording's own quiet and loud parts. Stretches of
//! nothing but silence are left out, because speech models invent words for them.

use std::ops::Range;

use um_engine::provider::Sound;

/// Samples of a frame: 30 ms.
const FRAME: usize = Sound::RATE as usize * 30 / 1000;
/// Quieter frames than this are silent in any recording (about -60 dBFS).
const SILENT: f32 = 0.001;
/// So many frames (0.2 s) around speech belong to it: beginnings and ends of words are quiet. A pause of twice as
/// many parts two stretches.
const MARGIN: usize = 7;

/// Stretches of samples, in order and apart, none longer than `longest` samples. `spoken` says in which samples
/// somebody speaks, where that is known.
pub fn cut(samples: &[f32], spoken: Option<&[Range<usize>]>, longest: usize) -> Vec<Range<usize>> {
    let energy: Vec<f32> = samples.chunks(FRAME).map(loudness).collect();
    let longest = (longest / FRAME).max(2 * MARGIN + 1);
    let mut windows: Vec<Range<usize>> = Vec::new();
    let stretches = match spoken {
        Some(spoken) => with_margins(spoken.iter().map(|s| s.start / FRAME..s.end.div_ceil(FRAME)), energy.len()),
        None => loud(&energy),
    };
    for speech in stretches {
        for part in split(speech, &energy, longest) {
            match windows.last_mut() {
                Some(last) if part.end - last.start <= longest => last.end = part.end,
                _ => windows.push(part),
            }
        }
    }
    windows.into_iter().map(|w| w.start * FRAME..(w.end * FRAME).min(samples.len())).collect()
}

/// Root of the mean square.
fn loudness(frame: &[f32]) -> f32 {
    (frame.iter().map(|s| s * s).sum::<f32>() / frame.len().max(1) as f32).sqrt()
}

/// Stretches of loud frames, margins included.
fn loud(energy: &[f32]) -> Vec<Range<usize>> {
    let threshold = threshold(energy);
    let loud = energy.iter().enumerate().filter(|(_, loud)| **loud > threshold);
    with_margins(loud.map(|(frame, _)| frame..frame + 1), energy.len())
}

/// Stretches of frames with their margins; those that touch become one.
fn with_margins(stretches: impl Iterator<Item = Range<usize>>, frames: usize) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for stretch in stretches {
        let around = stretch.start.saturating_sub(MARGIN)..(stretch.end + MARGIN).min(frames);
        match joined.last_mut() {
            Some(last) if around.start <= last.end => last.end = around.end,
            _ => joined.push(around),
        }
    }
    joined
}

/// Three times the quiet part's level, but never so much that the loud part would count as silent.
fn threshold(energy: &[f32]) -> f32 {
    let mut sorted = energy.to_vec();
    sorted.sort_by(f32::total_cmp);
    let at = |part: usize| sorted.get(sorted.len() * part / 100).copied().unwrap_or(0.0);
    (3.0 * at(10)).min(0.3 * at(90)).max(SILENT)
}

/// Cuts a stretch that is too long where it is quietest, in the last third of what fits.
fn split(stretch: Range<usize>, energy: &[f32], longest: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = stretch.start;
    while stretch.end - start > longest {
        let search = start + longest * 2 / 3..start + longest;
        let quietest = search.min_by(|a, b| energy[*a].total_cmp(&energy[*b])).unwrap_or(start + longest);
        parts.push(start..quietest);
        start = quietest;
    }
    parts.push(start..stretch.end);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: usize = Sound::RATE as usize;

    /// Seconds of tone (loud) and near silence, alternating, beginning with silence.
    fn recording(seconds: &[f32]) -> Vec<f32> {
        let part = |(i, length): (usize, &f32)| {
            let loud = if i % 2 == 1 { 0.3 } else { 0.0005 };
            (0..(length * SECOND as f32) as usize).map(move |s| (s as f32 * 0.2).sin() * loud)
        };
        seconds.iter().enumerate().flat_map(part).collect()
    }

    fn seconds(windows: &[Range<usize>]) -> Vec<(f32, f32)> {
        windows.iter().map(|w| (w.start as f32 / SECOND as f32, w.end as f32 / SECOND as f32)).collect()
    }

    #[test]
    fn silence_alone_gives_nothing() {
        assert!(cut(&recording(&[30.0]), None, 10 * SECOND).is_empty());
        assert!(cut(&[], None, SECOND).is_empty());
        assert!(cut(&vec![0.0; SECOND], None, SECOND).is_empty());
    }

    #[test]
    fn where_speech_is_known_loudness_says_nothing() {
        let samples = recording(&[1.0, 2.0, 5.0, 2.0]);
        assert!(cut(&samples, Some(&[]), 28 * SECOND).is_empty());
        let spoken = [SECOND / 2..SECOND, 9 * SECOND..10 * SECOND];
        let windows = seconds(&cut(&samples, Some(&spoken), 5 * SECOND));
        assert_eq!(windows.len(), 2, "{windows:?}");
        assert!(windows[0].0 < 0.5 && (1.0..1.5).contains(&windows[0].1), "{windows:?}");
        assert!((8.5..9.0).contains(&windows[1].0) && windows[1].1 == 10.0, "{windows:?}");
    }

    #[test]
    fn short_stretches_share_a_window_and_cuts_fall_into_silences() {
        let samples = recording(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 5.0]);
        let windows = seconds(&cut(&samples, None, 6 * SECOND));
        assert_eq!(windows.len(), 2, "{windows:?}");
        let in_silence =
            |at: f32| [(0.0, 1.0), (3.0, 4.0), (6.0, 7.0), (9.0, 14.0)].iter().any(|s| s.0 <= at && at <= s.1);
        assert!(windows.iter().all(|w| in_silence(w.0) && in_silence(w.1)), "{windows:?}");
    }

    #[test]
    fn speech_without_pause_is_cut_all_the_same_and_nothing_is_lost() {
        let samples = recording(&[0.0, 65.0]);
        let windows = cut(&samples, None, 28 * SECOND);
        assert!(windows.iter().all(|w| w.len() <= 28 * SECOND));
        assert!(windows.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((windows[0].start, windows.last().unwrap().end), (0, samples.len()));
    }

    #[test]
    fn soft_speech_in_a_loud_hiss_is_not_lost() {
        let noise = |i: usize| ((i * 7919 % 1000) as f32 / 1000.0 - 0.5) * 0.05;
        let samples: Vec<f32> =
            recording(&[1.0, 2.0, 1.0]).iter().enumerate().map(|(i, s)| s * 0.3 + noise(i)).collect();
        let windows = seconds(&cut(&samples, None, 28 * SECOND));
        assert!(windows.iter().any(|w| w.0 <= 1.0 && w.1 >= 3.0) && windows.len() == 1, "{windows:?}");
    }
}
