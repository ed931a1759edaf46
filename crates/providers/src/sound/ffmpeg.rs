//! Decoding by ffmpeg as a program: films, Opus, and whatever else it knows.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use um_engine::provider::{Cancel, ProviderError, ProviderResult, Sound};

use super::{Bounded, MOST_SAMPLES, MOST_SECONDS};
use crate::process::{Bounds, Tool, run};

const FFMPEG: Tool = Tool {
    name: "ffmpeg",
    hint: "Install it with `sudo apt-get install ffmpeg` (macOS: `brew install ffmpeg`). What waits for it is then read by itself.",
};

const TIME: Duration = Duration::from_secs(300);

/// Containers of sound and film. Others are not opened: playlists and the like can name other files to read.
const CONTAINERS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,ogg,wav,w64,aiff,mp3,flac,aac,ac3,eac3,dts,caf,au,amr,\
    asf,avi,flv,mpeg,mpegts,mpegvideo,rm,voc,wv,ape,tta,mpc,mpc8,dsf,gsm,sbc,truehd,mlp,nut,ivf,mxf";

/// The first sound track of a file.
///
/// # Errors
/// `ToolMissing`, `TimedOut`, `Cancelled`; `Unsupported` without sound, `Corrupt` when ffmpeg cannot read it; the
/// sink's.
pub fn decode(program: &Path, file: &Path, cancel: &Cancel, sink: &mut Bounded<'_, '_>) -> ProviderResult<()> {
    // A second more than the sink takes, so that it is the sink which says that it is too long.
    let bounds = Bounds { time: TIME, output: (MOST_SAMPLES + Sound::RATE as usize) as u64 * 4 };
    let mut rest = Vec::new();
    let mut taken = Ok(());
    let ended = run(&FFMPEG, command(program, file), b"", &bounds, cancel, &mut |piece| {
        let samples = samples(&mut rest, piece);
        if taken.is_ok() {
            taken = sink.take(&samples);
        }
    })?;
    taken?;
    // A stream that breaks off gives what came before it.
    if sink.taken > 0 { Ok(()) } else { Err(why(&ended.complaint)) }
}

fn command(program: &Path, file: &Path) -> Command {
    let mut input = std::ffi::OsString::from("file:");
    input.push(file);
    let mut command = Command::new(program);
    command.args([
        "-nostdin",
        "-v",
        "error",
        "-protocol_whitelist",
        "file,pipe",
        "-format_whitelist",
        CONTAINERS,
        "-i",
    ]);
    command.arg(input).args(["-map", "0:a:0", "-vn", "-sn", "-dn", "-threads", "1", "-ac", "1", "-ar", "16000"]);
    // Channels are averaged: by default they are added up to the same loudness, beyond what a sample can hold.
    command.args(["-rematrix_maxval", "1.0"]);
    command.args(["-t", &(MOST_SECONDS + 1).to_string(), "-f", "f32le", "pipe:1"]);
    command
}

fn why(complaint: &str) -> ProviderError {
    if complaint.is_empty()
        || complaint.contains("matches no streams")
        || complaint.contains("does not contain any stream")
    {
        return ProviderError::Unsupported("The file has no sound.".into());
    }
    // The last line names the file as well, and files' names are nobody's business in a log.
    let line = complaint.lines().next().unwrap_or_default();
    let line = line.rsplit("] ").next().unwrap_or(line);
    ProviderError::Corrupt(format!("ffmpeg: {}", line.rsplit("file:").last().unwrap_or(line).trim()))
}

/// The whole samples, of four bytes each, of what is left over and a piece of any length.
fn samples(rest: &mut Vec<u8>, piece: &[u8]) -> Vec<f32> {
    rest.extend_from_slice(piece);
    let whole = rest.len() / 4 * 4;
    let samples = rest[..whole].chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let samples = samples.map(|s| if s.is_finite() { s.clamp(-1.0, 1.0) } else { 0.0 }).collect();
    rest.drain(..whole);
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_are_cut_between_pieces_come_out_whole() {
        let bytes: Vec<u8> = [0.25_f32, -1.0, 0.5].iter().flat_map(|s| s.to_le_bytes()).collect();
        let mut rest = Vec::new();
        let whole: Vec<f32> = bytes.chunks(3).flat_map(|piece| samples(&mut rest, piece)).collect();
        assert_eq!(whole, [0.25, -1.0, 0.5]);
    }

    #[test]
    fn a_film_without_sound_is_not_a_broken_one() {
        assert!(matches!(why("Stream map '0:a:0' matches no streams."), ProviderError::Unsupported(_)));
        assert!(matches!(why("[mov @ 0x1] moov atom not found\nfile:x: Invalid data"), ProviderError::Corrupt(_)));
    }
}
