//! A recording's samples, on disk while it is heard: decoded once, then read stretch by stretch, so that no
//! more than ten minutes of it are in memory.

use super::{Reading, Stopped};
use crate::error::from_io;
use crate::extract::wave;
use crate::provider::{ProviderError, Sound};
use crate::work_file::overwrite;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The longest stretch that is heard at once, in samples: ten minutes.
pub(super) const STRETCH: usize = 600 * Sound::RATE as usize;
/// Bytes of a sample.
const WIDE: u64 = 4;

/// How many samples a recording has; they are kept nowhere.
pub(super) fn measure(reading: &Reading<'_>, path: &Path) -> Result<u64, Stopped> {
    let mut samples = 0;
    reading.engine.providers().sound.decode(path, reading.cancel, &mut |piece| {
        samples += piece.len() as u64;
        Ok(())
    })?;
    Ok(samples)
}

/// A decoded recording. Its file has no name, and goes with it, overwritten.
pub(super) struct Recording {
    file: File,
    pub(super) samples: u64,
    /// Where the next stretch begins.
    at: u64,
}

impl Drop for Recording {
    fn drop(&mut self) {
        // It has no name any more; nothing can be done where its disk fails.
        drop(overwrite(&mut self.file));
    }
}

impl Recording {
    pub(super) fn decode(reading: &Reading<'_>, path: &Path) -> Result<Self, Stopped> {
        let scratch = reading.engine.data_dir().join("tmp");
        let file = tempfile::tempfile_in(&scratch).map_err(|e| from_io("Writing in", &scratch, &e))?;
        // Overwritten also where it cannot be decoded to its end.
        let mut recording = Self { file, samples: 0, at: 0 };
        let mut writer = BufWriter::with_capacity(1 << 20, &recording.file);
        let mut samples = 0;
        reading.engine.providers().sound.decode(path, reading.cancel, &mut |piece| {
            samples += piece.len() as u64;
            let bytes: Vec<u8> = piece.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            writer.write_all(&bytes).map_err(|e| unkept(&e))
        })?;
        writer.flush().map_err(|e| unkept(&e))?;
        drop(writer);
        recording.samples = samples;
        Ok(recording)
    }

    /// The next stretch and the sample at which it begins; it ends at a quiet place, or with the recording.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Sound)>, Stopped> {
        let left = (self.samples - self.at).min(STRETCH as u64);
        if left == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; (left * WIDE) as usize];
        let read = self.file.seek(SeekFrom::Start(self.at * WIDE)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|e| unkept(&e))?;
        let mut samples: Vec<f32> =
            bytes.chunks_exact(WIDE as usize).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        drop(bytes);
        if self.at + left < self.samples {
            samples.truncate(wave::quiet_end(&samples));
        }
        let begin = self.at;
        self.at += samples.len() as u64;
        Ok(Some((begin, Sound { samples })))
    }
}

fn unkept(error: &std::io::Error) -> ProviderError {
    ProviderError::Failed(format!("The decoded sound cannot be kept on disk: {}.", crate::plain(error)))
}
