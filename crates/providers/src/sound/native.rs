//! Decoding by symphonia, inside this process: it is written in safe Rust.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use symphonia::core::audio::GenericAudioBufferRef;
use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use um_engine::provider::{Cancel, ProviderError, ProviderResult};

use super::Bounded;
use super::resample::ToSpeechRate;

/// How long decoding may take; ten hours of MP3 are decoded in less.
const TIME: Duration = Duration::from_secs(300);
/// So many broken packets in a row, and the rest is given up.
const MOST_BROKEN: u32 = 500;

/// The sound of a file, its type told from its content.
///
/// # Errors
/// `Unsupported` for unknown types and codecs, `Corrupt` when nothing of it can be decoded; the sink's.
pub fn decode(file: &Path, cancel: &Cancel, sink: &mut Bounded<'_, '_>) -> ProviderResult<()> {
    let source = File::open(file).map_err(|error| ProviderError::Failed(error.to_string()))?;
    let stream = MediaSourceStream::new(Box::new(source), Default::default());
    let probed = symphonia::default::get_probe().probe(&Hint::new(), stream, Default::default(), Default::default());
    let mut format = probed.map_err(refused)?;
    let track = format.default_track(TrackType::Audio).ok_or_else(no_sound)?;
    let id = track.id;
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio()).ok_or_else(no_sound)?;
    let codecs = symphonia::default::get_codecs();
    let mut decoder = codecs.make_audio_decoder(parameters, &AudioDecoderOptions::default()).map_err(refused)?;
    let mut mono = Mono { resampler: None, sink, interleaved: Vec::new(), mixed: Vec::new() };
    decode_packets(format.as_mut(), id, decoder.as_mut(), &mut mono, cancel)?;
    mono.finish()
}

fn refused(error: Error) -> ProviderError {
    match error {
        Error::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            ProviderError::Corrupt("it ends where its sound should begin".into())
        }
        Error::DecodeError(why) => ProviderError::Corrupt(why.into()),
        other => ProviderError::Unsupported(format!("The sound cannot be read: {other}.")),
    }
}

fn no_sound() -> ProviderError {
    ProviderError::Unsupported("The file has no sound.".into())
}

fn decode_packets(
    format: &mut dyn FormatReader,
    track: u32,
    decoder: &mut dyn AudioDecoder,
    mono: &mut Mono<'_, '_, '_>,
    cancel: &Cancel,
) -> ProviderResult<()> {
    let started = Instant::now();
    let mut broken = 0;
    // A stream that breaks off gives what came before it.
    while let Ok(Some(packet)) = format.next_packet() {
        cancel.check()?;
        if started.elapsed() > TIME {
            return Err(ProviderError::TimedOut { seconds: TIME.as_secs() });
        }
        if packet.track_id != track {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(decoded) => {
                broken = 0;
                mono.push(&decoded)?;
            }
            Err(Error::DecodeError(_) | Error::IoError(_)) if broken < MOST_BROKEN => broken += 1,
            Err(_) => break,
        }
    }
    Ok(())
}

/// Channels mixed to one, at the rate of speech.
struct Mono<'a, 'b, 'c> {
    resampler: Option<ToSpeechRate>,
    sink: &'a mut Bounded<'b, 'c>,
    interleaved: Vec<f32>,
    mixed: Vec<f32>,
}

impl Mono<'_, '_, '_> {
    fn push(&mut self, decoded: &GenericAudioBufferRef) -> ProviderResult<()> {
        let (rate, channels) = (decoded.spec().rate(), decoded.num_planes());
        if channels == 0 || decoded.frames() == 0 {
            return Ok(());
        }
        decoded.copy_to_vec_interleaved(&mut self.interleaved);
        self.mixed.clear();
        let frames = self.interleaved.chunks_exact(channels);
        self.mixed.extend(frames.map(|frame| sane(frame.iter().sum::<f32>() / channels as f32)));
        // A stream may change its rate on the way.
        if self.resampler.as_ref().is_some_and(|resampler| resampler.from() != rate) {
            self.close()?;
        }
        if self.resampler.is_none() {
            self.resampler = Some(ToSpeechRate::new(rate)?);
        }
        let Some(resampler) = &mut self.resampler else {
            return Ok(());
        };
        resampler.push(&self.mixed)?;
        self.sink.take(&resampler.given())
    }

    fn close(&mut self) -> ProviderResult<()> {
        match self.resampler.take() {
            Some(resampler) => self.sink.take(&resampler.finish()?),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> ProviderResult<()> {
        self.close()?;
        if self.sink.taken == 0 {
            return Err(ProviderError::Corrupt("none of its sound can be decoded".into()));
        }
        Ok(())
    }
}

/// Samples of broken float streams may be anything.
fn sane(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1.0, 1.0) } else { 0.0 }
}
