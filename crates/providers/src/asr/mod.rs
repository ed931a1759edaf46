//! Speech to words, by whisper.cpp inside this process.

mod voice;
mod windows;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use um_engine::provider::{AsrProvider, Cancel, ProviderError, ProviderResult, Sound, Transcript, Utterance};
use um_model::ModelKind;
use whisper_rs::{
    FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperSegment, WhisperState, get_lang_str,
};

use crate::Locations;
use crate::catalogue::{self, Entry, SILERO, WHISPER_FILE};
use crate::models::ggml;

/// The most threads of a transcription.
const THREADS: usize = 4;
/// whisper.cpp refuses what is shorter than a second.
const SHORTEST: usize = Sound::RATE as usize * 11 / 10;
/// A stretch that is silent with this probability counts as such, unless its words are sure.
const NO_SPEECH: f32 = 0.6;
/// Words below this confidence in a stretch that is probably silent are invented.
const UNSURE: f32 = 0.5;
/// The same sentence more often than this in a row is a decoder in a loop.
const MOST_REPEATS: usize = 2;

/// The installed whisper model, loaded when it is first needed and one at a time.
pub struct Whisper {
    locations: Arc<Locations>,
    loaded: Mutex<Option<Loaded>>,
    in_memory: AtomicBool,
    problem: Mutex<Option<(PathBuf, String)>>,
}

struct Loaded {
    path: PathBuf,
    context: WhisperContext,
    used: Instant,
}

impl Whisper {
    /// Finds its model at these places, once it is needed.
    pub fn new(locations: Arc<Locations>) -> Whisper {
        Whisper { locations, loaded: Mutex::new(None), in_memory: AtomicBool::new(false), problem: Mutex::new(None) }
    }

    /// Whether a model is in memory.
    pub(crate) fn is_loaded(&self) -> bool {
        self.in_memory.load(Ordering::Relaxed)
    }

    /// Why the model in this file cannot be loaded, where that was tried.
    pub(crate) fn problem(&self, file: &Path) -> Option<String> {
        let problem = lock(&self.problem);
        problem.as_ref().filter(|(path, _)| path == file).map(|(_, why)| why.clone())
    }

    /// Takes the model out of memory, when it has not been used for so long and is not in use; whether it did.
    pub(crate) fn unload_idle(&self, idle: Duration) -> bool {
        let Ok(mut loaded) = self.loaded.try_lock() else {
            return false;
        };
        let unloaded = loaded.take_if(|loaded| loaded.used.elapsed() >= idle).is_some();
        if unloaded {
            self.in_memory.store(false, Ordering::Relaxed);
        }
        unloaded
    }

    /// Forgets what it knows of a file that has changed.
    pub(crate) fn forget(&self) {
        *lock(&self.problem) = None;
        self.unload_idle(Duration::ZERO);
    }

    /// The model to use and its file.
    pub(crate) fn chosen(&self) -> Option<(&'static Entry, PathBuf)> {
        catalogue::speech().find_map(|entry| Some((entry, installed_file(&self.locations, entry.id)?)))
    }

    /// Where somebody speaks, where the model that tells is installed.
    fn spoken(&self, samples: &[f32]) -> ProviderResult<Option<Vec<Range<usize>>>> {
        let Some(file) = voice::installed_file(&self.locations) else { return Ok(None) };
        let spoken = voice::speech(&file, samples).map_err(|why| {
            ProviderError::Failed(format!("The voice activity model cannot be used: {why}. Add it again."))
        })?;
        Ok(Some(spoken))
    }

    fn load(&self, path: PathBuf) -> ProviderResult<MutexGuard<'_, Option<Loaded>>> {
        let mut loaded = lock(&self.loaded);
        if loaded.as_ref().is_some_and(|loaded| loaded.path == path) {
            return Ok(loaded);
        }
        // The old one goes first: two do not fit in every memory.
        *loaded = None;
        self.in_memory.store(false, Ordering::Relaxed);
        match load_file(&path) {
            Ok(context) => {
                *loaded = Some(Loaded { path, context, used: Instant::now() });
                self.in_memory.store(true, Ordering::Relaxed);
                Ok(loaded)
            }
            Err(why) => {
                *lock(&self.problem) = Some((path, why.clone()));
                Err(ProviderError::Failed(format!("The speech model cannot be loaded: {why}. Add it again.")))
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves a model or a message behind, both still whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file of an installed model of whisper.cpp.
pub(crate) fn installed_file(locations: &Locations, id: &str) -> Option<PathBuf> {
    locations.model_folders(id).map(|folder| folder.join(WHISPER_FILE)).find(|file| file.is_file())
}

/// Keeps whisper.cpp from writing to the terminal.
fn quiet() {
    static QUIET: Once = Once::new();
    QUIET.call_once(whisper_rs::install_logging_hooks);
}

/// Loads a model.
///
/// # Errors
/// Why it cannot be used, in words.
pub(crate) fn load_file(path: &Path) -> Result<WhisperContext, String> {
    quiet();
    // Looked through first: whisper.cpp ends the process over some files that it does not expect.
    ggml::inspect(path)?;
    WhisperContext::new_with_params(path, WhisperContextParameters::default()).map_err(|error| format!("{error}"))
}

impl AsrProvider for Whisper {
    fn extractor_id(&self) -> &str {
        "whisper"
    }

    fn model_id(&self) -> Option<String> {
        self.chosen().map(|(entry, _)| entry.id.into())
    }

    fn config(&self) -> String {
        let window = self.chosen().map_or(0, |(entry, _)| entry.window_seconds);
        let voice = if voice::installed_file(&self.locations).is_some() { SILERO } else { "loudness" };
        format!(
            "whisper.cpp={};greedy;window={window}s;voice={voice};no_speech={NO_SPEECH};unsure={UNSURE};\
             repeats={MOST_REPEATS}",
            whisper_rs::WHISPER_CPP_VERSION
        )
    }

    fn transcribe(
        &self,
        sound: &Sound,
        progress: &(dyn Fn(f32) + Sync),
        cancel: &Cancel,
    ) -> ProviderResult<Transcript> {
        cancel.check()?;
        let (entry, path) = self.chosen().ok_or(ProviderError::ModelMissing(ModelKind::Speech))?;
        let spoken = self.spoken(&sound.samples)?;
        let windows = windows::cut(&sound.samples, spoken.as_deref(), entry.window_seconds * Sound::RATE as usize);
        let mut loaded = self.load(path)?;
        let Some(model) = loaded.as_mut() else {
            return Err(ProviderError::ModelMissing(ModelKind::Speech));
        };
        let mut state = model.context.create_state().map_err(failed)?;
        let longest = windows.iter().max_by_key(|window| window.len());
        let language = match longest {
            Some(window) if model.context.is_multilingual() => detect(&mut state, &sound.samples[window.clone()])?,
            _ => Some("en"),
        };
        let mut utterances = Vec::new();
        for (done, window) in windows.iter().enumerate() {
            cancel.check()?;
            progress(done as f32 / windows.len() as f32);
            let heard = hear(&mut state, &sound.samples[window.clone()], language, cancel)?;
            let start = window.start as u64 * 1000 / u64::from(Sound::RATE);
            utterances.extend(heard.into_iter().map(|said| Utterance {
                start_ms: start + said.start_ms,
                end_ms: start + said.end_ms,
                ..said
            }));
        }
        model.used = Instant::now();
        progress(1.0);
        Ok(Transcript { utterances, language: language.map(str::to_string) })
    }
}

fn failed(error: whisper_rs::WhisperError) -> ProviderError {
    ProviderError::Failed(format!("Speech recognition failed: {error}."))
}

/// Half the processors: ggml's threads wait for each other by spinning, and where others want a processor too, one
/// that is kept waiting holds up all.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| (count.get() / 2).clamp(1, THREADS))
}

/// The language of a stretch, as BCP 47; whisper's own names are ISO 639-1.
fn detect(state: &mut WhisperState, samples: &[f32]) -> ProviderResult<Option<&'static str>> {
    state.pcm_to_mel(&padded(samples), threads()).map_err(failed)?;
    let (language, _) = state.lang_detect(0, threads()).map_err(failed)?;
    Ok(get_lang_str(language))
}

fn padded(samples: &[f32]) -> Vec<f32> {
    let mut padded = samples.to_vec();
    padded.resize(samples.len().max(SHORTEST), 0.0);
    padded
}

/// What is said in one window; times count from its beginning.
fn hear(
    state: &mut WhisperState,
    samples: &[f32],
    language: Option<&str>,
    cancel: &Cancel,
) -> ProviderResult<Vec<Utterance>> {
    let done = state.full(parameters(language, cancel), &padded(samples));
    // The error of an aborted run says nothing of who aborted it.
    cancel.check()?;
    done.map_err(failed)?;
    let length = samples.len() as u64 * 1000 / u64::from(Sound::RATE);
    let segments = (0..state.full_n_segments()).filter_map(|index| state.get_segment(index));
    Ok(without_loops(segments.filter_map(|segment| utterance(&segment, length)).collect()))
}

fn parameters<'a>(language: Option<&'a str>, cancel: &Cancel) -> FullParams<'a, 'static> {
    let mut parameters = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
    parameters.set_n_threads(threads() as i32);
    parameters.set_language(language);
    // A window's words do not colour the next one's: an error would run on.
    parameters.set_no_context(true);
    parameters.set_suppress_blank(true);
    parameters.set_suppress_nst(true);
    parameters.set_no_speech_thold(NO_SPEECH);
    parameters.set_print_special(false);
    parameters.set_print_progress(false);
    parameters.set_print_realtime(false);
    parameters.set_print_timestamps(false);
    let flag = cancel.flag();
    // The box is not for show: whisper-rs 0.16 hands its callback a pointer to a `Box<dyn FnMut() -> bool>` and
    // reads it as the closure's own type, so that the two have to be one type.
    let stop: Box<dyn FnMut() -> bool> = Box::new(move || flag.load(Ordering::Relaxed));
    parameters.set_abort_callback_safe::<_, Box<dyn FnMut() -> bool>>(Some(stop));
    parameters
}

fn utterance(segment: &WhisperSegment, length: u64) -> Option<Utterance> {
    let text = segment.to_str_lossy().ok()?.trim().to_string();
    let confidence = confidence(segment);
    if !is_speech(&text) || segment.no_speech_probability() > NO_SPEECH && confidence < UNSURE {
        return None;
    }
    // Whisper counts hundredths of a second, and now and then past the end.
    let at = |hundredths: i64| (hundredths.max(0) as u64 * 10).min(length);
    let start_ms = at(segment.start_timestamp()).min(length.saturating_sub(10));
    let end_ms = at(segment.end_timestamp()).max(start_ms + 10);
    Some(Utterance { text, start_ms, end_ms, confidence })
}

/// The mean probability of the segment's tokens, but for its marks: `[_BEG_]`, `[_TT_50]`.
fn confidence(segment: &WhisperSegment) -> f32 {
    let tokens = (0..segment.n_tokens()).filter_map(|index| segment.get_token(index));
    let words = tokens.filter(|token| !token.to_str_lossy().is_ok_and(|text| text.starts_with("[_")));
    let (sum, count) = words.fold((0.0, 0), |(sum, count), token| (sum + token.token_probability(), count + 1));
    if count == 0 { 0.0 } else { (sum / count as f32).clamp(0.0, 1.0) }
}

/// Whether it has words: `[BLANK_AUDIO]`, `(music)` and `♪` are what the model writes where it hears none.
fn is_speech(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|c| {
        match c {
            '[' | '(' | '*' if depth == 0 => depth = 1,
            ']' | ')' | '*' => depth = 0,
            _ => {}
        }
        depth == 0 && c.is_alphanumeric()
    })
}

/// Cuts repetitions of one sentence down to [`MOST_REPEATS`].
fn without_loops(utterances: Vec<Utterance>) -> Vec<Utterance> {
    let mut kept: Vec<Utterance> = Vec::new();
    for said in utterances {
        let repeats = kept.iter().rev().take_while(|earlier| earlier.text == said.text).count();
        if repeats < MOST_REPEATS {
            kept.push(said);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_no_speech() {
        for mark in ["[BLANK_AUDIO]", "(music)", "♪♪", "...", "", "*laughs*", "[Music] (applause)"] {
            assert!(!is_speech(mark), "{mark}");
        }
        for words in ["room 5", "(music) hello", "7", "да"] {
            assert!(is_speech(words), "{words}");
        }
    }

    #[test]
    fn a_loop_is_cut_and_other_sentences_stay() {
        let said = |text: &str| Utterance { text: text.into(), start_ms: 0, end_ms: 10, confidence: 1.0 };
        let kept = without_loops(["a", "a", "a", "a", "b", "a"].map(said).to_vec());
        assert_eq!(kept.iter().map(|u| u.text.as_str()).collect::<Vec<_>>(), ["a", "a", "b", "a"]);
    }

    #[test]
    fn without_a_model_it_says_so() {
        let whisper = Whisper::new(Arc::default());
        let heard = whisper.transcribe(&Sound::default(), &|_| {}, &Cancel::default());
        assert_eq!(heard, Err(ProviderError::ModelMissing(ModelKind::Speech)));
        assert_eq!(whisper.model_id(), None);
    }
}
