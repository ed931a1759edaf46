//! Readers and models that do what the test tells them. Each reads its words out of the file itself, so
//! that a test's inputs say what comes out; see [`super::inputs`].

use super::inputs::{self, Page, Paper};
use image::RgbImage;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use um_engine::language::{
    Completion, Entailment, EntailmentProvider, LlmConfig, LlmError, LlmProvider, Name, NerProvider, Prompt,
};
use um_engine::provider::*;
use um_model::models::Model;
use um_model::{ModelKind, ModelState};

/// Where the work of a double can be held up.
#[derive(Default)]
pub struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    closed: bool,
    inside: usize,
    /// So many more may pass while it is closed.
    admitted: usize,
}

impl Gate {
    pub fn close(&self) {
        self.state.lock().unwrap().closed = true;
    }

    pub fn open(&self) {
        self.state.lock().unwrap().closed = false;
        self.changed.notify_all();
    }

    /// Lets so many through, and no more.
    pub fn admit(&self, number: usize) {
        let mut state = self.state.lock().unwrap();
        (state.closed, state.admitted) = (true, state.admitted + number);
        self.changed.notify_all();
    }

    /// How many wait at the gate.
    pub fn inside(&self) -> usize {
        self.state.lock().unwrap().inside
    }

    /// Waits while the gate is closed, and gives up once the work is no longer wanted.
    fn pass(&self, cancel: &Cancel) -> ProviderResult<()> {
        let mut state = self.state.lock().unwrap();
        state.inside += 1;
        while state.closed && state.admitted == 0 && !cancel.is_cancelled() {
            state = self.changed.wait_timeout(state, Duration::from_millis(10)).unwrap().0;
        }
        state.inside -= 1;
        state.admitted = state.admitted.saturating_sub(1);
        cancel.check()
    }
}

/// What stands in for a model of entailment: a premise and a hypothesis go in.
pub type Judge = fn(&str, &str) -> Entailment;

/// What stands in for a reranking model: a question and a passage go in.
pub type Ranker = fn(&str, &str) -> ProviderResult<f64>;

/// What is shared between the doubles and the test that steers them.
#[derive(Default)]
pub struct Script {
    /// Everything that a recogniser does goes through here.
    pub ocr: Gate,
    /// Errors of the next recognitions.
    pub ocr_errors: Mutex<VecDeque<ProviderError>>,
    /// Part of the recogniser's settings: another value gives other views.
    pub ocr_config: Mutex<String>,
    /// Put in front of what is recognised.
    pub ocr_prefix: Mutex<String>,
    /// What was recognised, in its order.
    pub ocr_read: Mutex<Vec<String>>,
    /// Everything that is decoded goes through here.
    pub sound: Gate,
    /// Everything that is heard goes through here.
    pub hearing: Gate,
    /// Lengths of the stretches that were heard, in samples.
    pub heard: Mutex<Vec<usize>>,
    /// Everything that is embedded goes through here.
    pub embedding: Gate,
    /// So many more texts are embedded before the model fails; negative: it never does.
    pub embeds_left: AtomicI64,
    /// A text that holds this word is not embedded, nor is any other with it.
    pub embedding_refuses: Mutex<Option<&'static str>>,
    /// How many texts were embedded.
    pub embedded: AtomicU64,
    /// Whether the embedding model is there.
    pub embedding_missing: AtomicBool,
    /// Whether the embedding model is in memory, and nobody uses it.
    pub embedding_free: AtomicBool,
    /// Whether it breaks at what it is given then.
    pub embedding_breaks: AtomicBool,
    /// Whether the embedding model lacks its library.
    pub embedding_lacks: AtomicBool,
    /// Whether the speech model is there.
    pub speech: AtomicBool,
    /// What the entailment model says of pairs of premise and hypothesis; no model where there is none.
    pub entailment: Mutex<Option<Judge>>,
    /// Everything that the entailment model judges goes through here.
    pub judging: Gate,
    /// The model for names: its name, and the words that it takes for a person's name; no model where there is none.
    pub names: Mutex<Option<(&'static str, &'static str)>>,
    /// Errors of its next looks.
    pub names_errors: Mutex<VecDeque<ProviderError>>,
    /// How well a passage answers a question, by the reranking model; no model where there is none.
    pub reranker: Mutex<Option<Ranker>>,
    /// Everything that the reranking model reads goes through here.
    pub reranking: Gate,
    /// What the language model answers next.
    pub llm_answers: Mutex<VecDeque<Result<serde_json::Value, LlmError>>>,
    /// What the language model was asked.
    pub llm_asked: Mutex<Vec<(LlmConfig, Prompt)>>,
    /// How often PDFs were opened.
    pub pdf_opened: AtomicU64,
}

pub struct Ocr(pub Arc<Script>);

impl OcrProvider for Ocr {
    fn extractor_id(&self) -> &str {
        "double-ocr"
    }

    fn model_id(&self) -> String {
        "1".to_owned()
    }

    fn config(&self) -> String {
        self.0.ocr_config.lock().unwrap().clone()
    }

    fn read(&self, picture: &RgbImage, _: &str, cancel: &Cancel) -> ProviderResult<WordPage> {
        self.0.ocr.pass(cancel)?;
        if let Some(error) = self.0.ocr_errors.lock().unwrap().pop_front() {
            return Err(error);
        }
        let text = format!("{}{}", self.0.ocr_prefix.lock().unwrap(), inputs::picture_text(picture));
        self.0.ocr_read.lock().unwrap().push(text.clone());
        assert!(!text.contains("PANIC"), "this picture takes its reader down");
        Ok(words(&text, f64::from(picture.width()), f64::from(picture.height()), 0.9))
    }
}

/// One line a line of the text; a word is ten wide for each letter, a line is twenty high.
fn words(text: &str, width: f64, height: f64, confidence: f32) -> WordPage {
    let mut page = WordPage { words: Vec::new(), width, height };
    for (line, row) in text.lines().enumerate() {
        let mut x = 10.0;
        for word in row.split_whitespace() {
            let wide = 10.0 * word.chars().count() as f64;
            page.words.push(PlacedWord {
                text: word.to_owned(),
                bbox: [x, 300.0 + 20.0 * line as f64, wide, 18.0],
                confidence,
                line: line as u32,
                block: 0,
            });
            x += wide + 10.0;
        }
    }
    page
}

pub struct Pdf(pub Arc<Script>);

impl PdfProvider for Pdf {
    fn extractor_id(&self) -> &str {
        "double-pdf"
    }

    fn model_id(&self) -> String {
        "1".to_owned()
    }

    fn open(&self, file: &Path, password: Option<&str>, _: &Cancel) -> ProviderResult<Box<dyn PdfDocument>> {
        self.0.pdf_opened.fetch_add(1, Ordering::Relaxed);
        let bytes = std::fs::read(file).map_err(|e| ProviderError::Failed(e.to_string()))?;
        let paper = inputs::parse_pdf(&bytes).ok_or_else(|| ProviderError::Corrupt("no pages".to_owned()))?;
        match (&paper.password, password) {
            (Some(wanted), Some(given)) if wanted == given => {}
            (Some(_), given) => return Err(ProviderError::PasswordNeeded { wrong: given.is_some() }),
            (None, _) => {}
        }
        Ok(Box::new(paper))
    }
}

impl PdfDocument for Paper {
    fn page_count(&self) -> u32 {
        self.pages.len() as u32
    }

    fn created(&self) -> Option<&str> {
        self.created.as_deref()
    }

    fn words(&mut self, page: u32) -> ProviderResult<WordPage> {
        match &self.pages[page as usize - 1] {
            Page::Text(text) => Ok(words(text, 600.0, 800.0, 1.0)),
            Page::Scan(_) => Ok(WordPage { words: Vec::new(), width: 600.0, height: 800.0 }),
            Page::Broken => Err(ProviderError::Corrupt("this page breaks the reader".to_owned())),
        }
    }

    fn page_size(&mut self, _: u32) -> ProviderResult<[f64; 2]> {
        Ok([600.0, 800.0])
    }

    fn render(&mut self, page: u32, _: u32) -> ProviderResult<RgbImage> {
        match &self.pages[page as usize - 1] {
            Page::Text(text) | Page::Scan(text) => Ok(inputs::picture(text)),
            Page::Broken => Err(ProviderError::Corrupt("this page breaks the reader".to_owned())),
        }
    }
}

/// Gives a recording's samples in small pieces; of what is none, its bytes.
pub struct SoundBytes(pub Arc<Script>);

impl SoundProvider for SoundBytes {
    fn decode(&self, file: &Path, cancel: &Cancel, sink: &mut SampleSink<'_>) -> ProviderResult<()> {
        self.0.sound.pass(cancel)?;
        let bytes = std::fs::read(file).map_err(|e| ProviderError::Failed(e.to_string()))?;
        let samples: Vec<f32> = match inputs::samples_of(&bytes) {
            Some(samples) => samples.into_iter().map(|sample| f32::from(sample) / 32_768.0).collect(),
            None => bytes.into_iter().map(|byte| f32::from(byte) / 256.0).collect(),
        };
        for piece in samples.chunks(1000) {
            sink(piece)?;
        }
        Ok(())
    }
}

pub struct Asr(pub Arc<Script>);

impl AsrProvider for Asr {
    fn extractor_id(&self) -> &str {
        "double-asr"
    }

    fn model_id(&self) -> Option<String> {
        self.0.speech.load(Ordering::Relaxed).then(|| "double-speech".to_owned())
    }

    fn config(&self) -> String {
        "1".to_owned()
    }

    /// A sentence a second.
    fn transcribe(
        &self,
        sound: &Sound,
        progress: &(dyn Fn(f32) + Sync),
        cancel: &Cancel,
    ) -> ProviderResult<Transcript> {
        self.0.hearing.pass(cancel)?;
        progress(0.5);
        self.0.heard.lock().unwrap().push(sound.samples.len());
        let bytes: Vec<u8> = sound.samples.iter().map(|sample| (sample * 256.0).round() as u8).collect();
        // Only where it hums is something said in each second.
        let hums = bytes.first() == Some(&inputs::HUM);
        let stretch = if hums { inputs::SECOND } else { bytes.len().max(1) };
        let sentences = bytes.chunks(stretch).enumerate().flat_map(|(second, said)| {
            inputs::sound_sentences(said).into_iter().enumerate().map(move |(at, text)| (second + at, text))
        });
        let utterances = sentences
            .map(|(at, text)| Utterance {
                text,
                start_ms: at as u64 * 1000,
                end_ms: at as u64 * 1000 + 900,
                confidence: 0.8,
            })
            .collect();
        Ok(Transcript { utterances, language: Some("en".to_owned()) })
    }
}

/// Length of the doubles' vectors.
pub const DIMENSIONS: usize = 384;

/// A bag of hashed words: texts that share words are near each other, always in the same way.
pub fn bag_of_words(text: &str, salt: &str) -> Vec<f32> {
    use sha2::{Digest, Sha256};
    let mut vector = vec![0.0f32; DIMENSIONS];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let digest = Sha256::digest(format!("{salt}{}", word.to_lowercase()));
        vector[usize::from(u16::from_le_bytes([digest[0], digest[1]])) % DIMENSIONS] += 1.0;
    }
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length == 0.0 {
        vector[0] = 1.0;
        return vector;
    }
    vector.iter().map(|v| v / length).collect()
}

pub struct Embedding {
    pub script: Arc<Script>,
    pub model: String,
}

impl EmbeddingProvider for Embedding {
    fn model_id(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, texts: &[&str]) -> ProviderResult<Vec<Vec<f32>>> {
        if self.script.embedding_missing.load(Ordering::Relaxed) {
            return Err(ProviderError::ModelMissing(ModelKind::TextEmbedding));
        }
        if self.script.embedding_lacks.load(Ordering::Relaxed) {
            return Err(ProviderError::ToolMissing { what: "ONNX Runtime".into(), hint: "Install it.".into() });
        }
        self.script.embedding.pass(&Cancel::default())?;
        if self
            .script
            .embedding_refuses
            .lock()
            .unwrap()
            .is_some_and(|word| texts.iter().any(|text| text.contains(word)))
        {
            return Err(ProviderError::Failed("it cannot read this".to_owned()));
        }
        let left = self.script.embeds_left.load(Ordering::Relaxed);
        if (0..texts.len() as i64).contains(&left) {
            return Err(ProviderError::Failed("the model failed midway".to_owned()));
        }
        if left >= 0 {
            self.script.embeds_left.fetch_sub(texts.len() as i64, Ordering::Relaxed);
        }
        self.script.embedded.fetch_add(texts.len() as u64, Ordering::Relaxed);
        Ok(texts.iter().map(|text| bag_of_words(text, &self.model)).collect())
    }

    fn embed_if_free(&self, text: &str) -> Option<Vec<f32>> {
        assert!(!self.script.embedding_breaks.load(Ordering::Relaxed), "the double breaks, as it was told to");
        self.script.embedding_free.load(Ordering::Relaxed).then(|| self.embed(&[text]).ok()?.pop())?
    }
}

pub struct Nli(pub Arc<Script>);

impl EntailmentProvider for Nli {
    fn model_id(&self) -> Option<String> {
        self.0.entailment.lock().unwrap().map(|_| "double-nli".to_owned())
    }

    fn entailment(&self, pairs: &[(&str, &str)], cancel: &Cancel) -> ProviderResult<Vec<Entailment>> {
        self.0.judging.pass(cancel)?;
        let judge = *self.0.entailment.lock().unwrap();
        let judge = judge.ok_or(ProviderError::ModelMissing(ModelKind::Entailment))?;
        Ok(pairs.iter().map(|(premise, hypothesis)| judge(premise, hypothesis)).collect())
    }
}

pub struct Ner(pub Arc<Script>);

impl NerProvider for Ner {
    fn model_id(&self) -> Option<String> {
        self.0.names.lock().unwrap().map(|(model, _)| model.to_owned())
    }

    fn names(&self, text: &str, _: &Cancel) -> ProviderResult<Vec<Name>> {
        if let Some(error) = self.0.names_errors.lock().unwrap().pop_front() {
            return Err(error);
        }
        let (_, wanted) = self.0.names.lock().unwrap().ok_or(ProviderError::ModelMissing(ModelKind::Names))?;
        let kind = um_model::findings::FindingKind::Person;
        let name = |(at, words): (usize, &str)| Name { range: at..at + words.len(), kind, confidence: 0.9 };
        Ok(text.match_indices(wanted).map(name).collect())
    }
}

pub struct Reranker(pub Arc<Script>);

impl RerankerProvider for Reranker {
    fn model_id(&self) -> Option<String> {
        self.0.reranker.lock().unwrap().map(|_| "double-reranker".to_owned())
    }

    fn rerank(&self, question: &str, passages: &[&str], cancel: &Cancel) -> ProviderResult<Vec<f64>> {
        self.0.reranking.pass(cancel)?;
        let ranker = *self.0.reranker.lock().unwrap();
        let ranker = ranker.ok_or(ProviderError::ModelMissing(ModelKind::Reranking))?;
        passages.iter().map(|passage| ranker(question, passage)).collect()
    }
}

/// A language model that says what the test laid ready, in its order.
pub struct Llm(pub Arc<Script>);

impl LlmProvider for Llm {
    fn complete(&self, config: &LlmConfig, prompt: &Prompt, cancel: &Cancel) -> Result<Completion, LlmError> {
        if cancel.is_cancelled() {
            return Err(LlmError::Cancelled);
        }
        self.0.llm_asked.lock().unwrap().push((config.clone(), prompt.clone()));
        let answer = self.0.llm_answers.lock().unwrap().pop_front();
        let answer = answer.unwrap_or(Err(LlmError::Unfit("the test laid no answer ready")))?;
        Ok(Completion { answer, input_tokens: 100, output_tokens: 20 })
    }
}

/// A library of one speech model, installed from a file that says `speech model`.
pub struct Models(pub Arc<Script>);

impl Models {
    fn speech(&self) -> Model {
        Model {
            id: "double-speech".to_owned(),
            name: "Speech".to_owned(),
            purpose: "Hears what is said.".to_owned(),
            kind: ModelKind::Speech,
            download_bytes: 1,
            licence: "MIT".to_owned(),
            state: self.state(ModelKind::Speech),
            downloaded_bytes: None,
            problem: None,
            jobs_waiting: 0,
            in_use: false,
        }
    }
}

impl ModelLibrary for Models {
    fn list(&self) -> Vec<Model> {
        vec![self.speech()]
    }

    fn add(&self, path: &Path, _: Option<&str>) -> ProviderResult<Model> {
        let bytes = std::fs::read(path).map_err(|e| ProviderError::Failed(e.to_string()))?;
        if bytes != b"speech model" {
            return Err(ProviderError::Unsupported("This is no model.".to_owned()));
        }
        self.0.speech.store(true, Ordering::Relaxed);
        Ok(self.speech())
    }

    fn download(&self, id: &str, _: Arc<dyn Fn() + Send + Sync>) -> ProviderResult<Model> {
        match id == self.speech().id {
            true => Ok(self.speech()),
            false => Err(ProviderError::Unsupported(format!("There is no model {id}."))),
        }
    }

    fn cancel_download(&self, _: &str) {}

    fn state(&self, kind: ModelKind) -> ModelState {
        let there = match kind {
            ModelKind::Speech => self.0.speech.load(Ordering::Relaxed),
            ModelKind::TextEmbedding => !self.0.embedding_missing.load(Ordering::Relaxed),
            ModelKind::Entailment => self.0.entailment.lock().unwrap().is_some(),
            ModelKind::Names => self.0.names.lock().unwrap().is_some(),
            ModelKind::Reranking => self.0.reranker.lock().unwrap().is_some(),
            ModelKind::VoiceActivity => false,
        };
        if there { ModelState::Installed } else { ModelState::Missing }
    }

    fn unload_idle(&self, _: Duration) {}
}
