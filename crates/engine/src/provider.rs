//! What the engine asks of models and readers. It knows these traits and no concrete model; the
//! adapters stand in `um-providers`, the doubles in tests.

use crate::language::{EntailmentProvider, LlmProvider, NerProvider};
use image::RgbImage;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use um_model::{Bbox, ModelKind, ModelState, models::Model};

/// Why a reader or model did not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The model is not installed: the job waits for it.
    #[error("The {} model is not installed.", kind_words(*.0))]
    ModelMissing(ModelKind),
    /// A program or library is not installed.
    #[error("{what} is not installed. {hint}")]
    ToolMissing {
        /// The program or library.
        what: String,
        /// How to get it.
        hint: String,
    },
    /// The file is locked, or the password is wrong.
    #[error("The file needs its password.")]
    PasswordNeeded {
        /// Whether a password was given that does not fit.
        wrong: bool,
    },
    /// The bytes are not what their type says.
    #[error("The file cannot be read: {0}")]
    Corrupt(String),
    /// The type, codec or feature is not supported.
    #[error("{0}")]
    Unsupported(String),
    /// It took too long and was stopped.
    #[error("Reading took longer than {seconds} s and was stopped.")]
    TimedOut {
        /// The limit in seconds.
        seconds: u64,
    },
    /// It waits for the person to change a setting, or for another day.
    #[error("{0}")]
    Waits(String),
    /// Somebody cancelled it.
    #[error("Cancelled.")]
    Cancelled,
    /// The reader failed in a way that may pass.
    #[error("{0}")]
    Failed(String),
}

fn kind_words(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::TextEmbedding => "text embedding",
        ModelKind::Speech => "speech",
        ModelKind::VoiceActivity => "voice activity",
        ModelKind::Entailment => "entailment",
        ModelKind::Names => "names",
        ModelKind::Reranking => "reranking",
    }
}

/// What a provider call gives.
pub type ProviderResult<T> = Result<T, ProviderError>;

/// Says that a piece of work is no longer wanted. Clones share one state.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    over: Arc<AtomicBool>,
    /// Whether somebody asked for it, so that it is not only cut off.
    asked: Arc<AtomicBool>,
}

impl Cancel {
    /// Asks for the work to stop.
    pub fn cancel(&self) {
        self.asked.store(true, Ordering::Release);
        self.over.store(true, Ordering::Release);
    }

    /// Stops the work for now, as the service or the connection ends: nobody decided against it, and what can goes on later.
    pub fn cut_off(&self) {
        self.over.store(true, Ordering::Release);
    }

    /// Whether somebody asked for the work to stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Acquire)
    }

    /// Whether the work is no longer wanted.
    pub fn is_cancelled(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// The shared flag, for libraries that want one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.over.clone()
    }

    /// # Errors
    /// [`ProviderError::Cancelled`] once the work is no longer wanted.
    pub fn check(&self) -> ProviderResult<()> {
        if self.is_cancelled() { Err(ProviderError::Cancelled) } else { Ok(()) }
    }
}

/// A word with its place, as OCR and PDF readers give it, in reading order.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedWord {
    /// The word; never empty, no white space inside.
    pub text: String,
    /// `[x, y, w, h]`, origin at the top left: pixels of the picture, or points of the page.
    pub bbox: Bbox,
    /// 0 to 1; 1 for a PDF's own text.
    pub confidence: f32,
    /// Rises with each line, over the whole page.
    pub line: u32,
    /// Rises with each block (paragraph), over the whole page.
    pub block: u32,
}

/// A page of words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WordPage {
    /// The words in reading order.
    pub words: Vec<PlacedWord>,
    /// Width of the page, in the unit of the boxes.
    pub width: f64,
    /// Height of the page, in the unit of the boxes.
    pub height: f64,
}

/// Recognises words in a picture.
pub trait OcrProvider: Send + Sync {
    /// `tesseract`
    fn extractor_id(&self) -> &str;
    /// Version and languages: `5.3.0 eng`. Part of the view's provenance.
    fn model_id(&self) -> String;
    /// Everything that changes the result, as text; the engine hashes it.
    fn config(&self) -> String;
    /// Reads an upright picture. Boxes are in its pixels, whatever scaling the adapter did inside.
    ///
    /// # Errors
    /// `ToolMissing`, `TimedOut`, `Cancelled`, `Failed`.
    fn read(&self, picture: &RgbImage, languages: &str, cancel: &Cancel) -> ProviderResult<WordPage>;
}

/// Opens PDFs, each in a process of its own, so that a hostile one costs that file only.
pub trait PdfProvider: Send + Sync {
    /// `pdfium`
    fn extractor_id(&self) -> &str;
    /// The library's version.
    fn model_id(&self) -> String;
    /// Opens a file.
    ///
    /// # Errors
    /// `PasswordNeeded`, `Corrupt`, `ToolMissing`, `TimedOut`.
    fn open(&self, file: &Path, password: Option<&str>, cancel: &Cancel) -> ProviderResult<Box<dyn PdfDocument>>;
}

/// An open PDF. A page that breaks its reader leaves the others readable. Dropping it ends its process.
pub trait PdfDocument: Send {
    /// How many pages it has: at least one.
    fn page_count(&self) -> u32;
    /// When it was made, as the file writes it: `D:20240131093000+01'00'`.
    fn created(&self) -> Option<&str>;
    /// The words of a page's text layer, in points. `page` counts from 1.
    ///
    /// # Errors
    /// `Corrupt`, `TimedOut`, `Cancelled`.
    fn words(&mut self, page: u32) -> ProviderResult<WordPage>;
    /// Width and height of a page in points, as it is shown (rotation applied).
    ///
    /// # Errors
    /// `Corrupt`, `TimedOut`.
    fn page_size(&mut self, page: u32) -> ProviderResult<[f64; 2]>;
    /// A page as a picture, so many pixels wide (the height follows; at most 40 megapixels).
    ///
    /// # Errors
    /// `Corrupt`, `TimedOut`, `Cancelled`.
    fn render(&mut self, page: u32, width: u32) -> ProviderResult<RgbImage>;
}

/// Sound as speech recognition wants it: a recording, or a stretch of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sound {
    /// Mono samples at 16 kHz, -1 to 1.
    pub samples: Vec<f32>,
}

impl Sound {
    /// Samples a second.
    pub const RATE: u32 = 16_000;

    /// Its length in milliseconds.
    pub fn duration_ms(&self) -> u64 {
        self.samples.len() as u64 * 1000 / u64::from(Self::RATE)
    }
}

/// Takes samples as they are decoded: mono at 16 kHz, -1 to 1, in their order. An error ends the decoding.
pub type SampleSink<'a> = dyn FnMut(&[f32]) -> ProviderResult<()> + Send + 'a;

/// Decodes the sound of a recording or film.
pub trait SoundProvider: Send + Sync {
    /// Decodes all of it, piece by piece, so that a long recording is never in memory whole.
    ///
    /// # Errors
    /// `Unsupported` (no sound track, unknown codec), `Corrupt`, `ToolMissing`, `TimedOut`, `Cancelled`; the
    /// sink's own. What the sink has taken by then is no sound of a whole file.
    fn decode(&self, file: &Path, cancel: &Cancel, sink: &mut SampleSink<'_>) -> ProviderResult<()>;
}

/// A stretch of recognised speech.
#[derive(Debug, Clone, PartialEq)]
pub struct Utterance {
    /// The words; trimmed, never empty.
    pub text: String,
    /// Milliseconds from the beginning.
    pub start_ms: u64,
    /// Milliseconds from the beginning.
    pub end_ms: u64,
    /// 0 to 1.
    pub confidence: f32,
}

/// What was said in a recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// In the order of time.
    pub utterances: Vec<Utterance>,
    /// BCP 47, where known.
    pub language: Option<String>,
}

/// Recognises speech.
pub trait AsrProvider: Send + Sync {
    /// `whisper`
    fn extractor_id(&self) -> &str;
    /// The catalogue id of the model in use, if one is installed.
    fn model_id(&self) -> Option<String>;
    /// Everything that changes the result, as text.
    fn config(&self) -> String;
    /// Transcribes; calls `progress` with 0 to 1 now and then.
    ///
    /// # Errors
    /// `ModelMissing`, `Failed`, `Cancelled`.
    fn transcribe(&self, sound: &Sound, progress: &(dyn Fn(f32) + Sync), cancel: &Cancel)
    -> ProviderResult<Transcript>;
}

/// Turns texts into unit vectors.
pub trait EmbeddingProvider: Send + Sync {
    /// The catalogue id of the model: `all-MiniLM-L6-v2`.
    fn model_id(&self) -> &str;
    /// Length of a vector.
    fn dimensions(&self) -> usize;
    /// One normalized vector a text, in their order. Of a text that is longer than the model's window, the rest
    /// is left out. Batches inside are bounded by the adapter.
    ///
    /// # Errors
    /// `ModelMissing`, `ToolMissing`, `Failed`.
    fn embed(&self, texts: &[&str]) -> ProviderResult<Vec<Vec<f32>>>;
    /// The vector of one text as [`Self::embed`] gives it, where the model is in memory and nobody uses it. `None` where the
    /// caller would wait, and where it fails: whoever can wait asks again, and hears why.
    fn embed_if_free(&self, _: &str) -> Option<Vec<f32>> {
        None
    }
}

/// Judges how well passages answer a question, reading each together with it: a cross-encoder.
pub trait RerankerProvider: Send + Sync {
    /// The catalogue id of the model in use, if one is installed.
    fn model_id(&self) -> Option<String>;
    /// One number a passage, in their order; the higher, the better it answers. Only numbers of one call compare. Batches
    /// inside are bounded by the adapter.
    ///
    /// # Errors
    /// `ModelMissing`, `ToolMissing`, `Failed`, `Cancelled`.
    fn rerank(&self, question: &str, passages: &[&str], cancel: &Cancel) -> ProviderResult<Vec<f64>>;
}

/// The models of the catalogue on this machine: finds, fetches, verifies, installs and unloads them.
pub trait ModelLibrary: Send + Sync {
    /// Every model of the catalogue with its state (`jobs_waiting` and `in_use` are the engine's to fill).
    fn list(&self) -> Vec<Model>;
    /// Installs a model from a file or folder.
    ///
    /// # Errors
    /// `Corrupt` when it is not the model it is said to be, `Unsupported` when it fits none, `Failed`.
    fn add(&self, path: &Path, id: Option<&str>) -> ProviderResult<Model>;
    /// Begins to fetch a model, in the background, resuming what an earlier try left; `changed` is
    /// called as it moves on and once at its end.
    ///
    /// # Errors
    /// `Unsupported` when the catalogue has no such model.
    fn download(&self, id: &str, changed: Arc<dyn Fn() + Send + Sync>) -> ProviderResult<Model>;
    /// Stops fetching a model.
    fn cancel_download(&self, id: &str);
    /// The state of the model that is in use for a kind.
    fn state(&self, kind: ModelKind) -> ModelState;
    /// Takes models out of memory that were not used for so long.
    fn unload_idle(&self, idle: std::time::Duration);
}

/// All that the engine reaches models and readers through.
#[derive(Clone)]
pub struct Providers {
    /// Pictures to words.
    pub ocr: Arc<dyn OcrProvider>,
    /// PDFs.
    pub pdf: Arc<dyn PdfProvider>,
    /// Recordings to samples.
    pub sound: Arc<dyn SoundProvider>,
    /// Samples to words.
    pub asr: Arc<dyn AsrProvider>,
    /// Texts to vectors.
    pub embedding: Arc<dyn EmbeddingProvider>,
    /// Whether one text follows from another.
    pub entailment: Arc<dyn EntailmentProvider>,
    /// Names in texts.
    pub names: Arc<dyn NerProvider>,
    /// How well passages answer a question.
    pub reranker: Arc<dyn RerankerProvider>,
    /// Language models on other machines or in other programs, where the person turned one on.
    pub llm: Arc<dyn LlmProvider>,
    /// The models themselves.
    pub models: Arc<dyn ModelLibrary>,
}
