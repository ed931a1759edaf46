//! PDFs, by pdfium, each in a process of its own: a hostile or broken file ends that process and nothing else.

mod child;
mod limits;
mod wire;
mod words;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use image::RgbImage;
use sha2::{Digest, Sha256};
use um_engine::plain;
use um_engine::provider::{Cancel, PdfDocument, PdfProvider, PlacedWord, ProviderError, ProviderResult, WordPage};

use crate::Locations;
use crate::process::{GLANCE, Tool};
use wire::{Answer, Ask, Failure, read_frame, write_frame};

pub use child::run_if_child;

/// The first argument of a process that reads a PDF.
const CHILD: &str = "__pdf-child";
/// How long one question may take: opening, a page's words, a page's picture.
const TIME: Duration = Duration::from_secs(20);

const PDFIUM: Tool = Tool {
    name: "pdfium, which reads PDFs,",
    hint: "Run `cargo xtask run` once in a checkout, or put libpdfium beside the program or into $UM_TOOLS_DIR/pdfium. What waits for it is then read by itself.",
};

/// pdfium, loaded by a child process for each document.
pub struct Pdfium {
    locations: Arc<Locations>,
    version: OnceLock<String>,
}

impl Pdfium {
    /// Finds the library and the child's program at these places, once a document is opened.
    pub fn new(locations: Arc<Locations>) -> Pdfium {
        Pdfium { locations, version: OnceLock::new() }
    }

    /// The library among the tools, else its bare name, which the system's loader looks for.
    fn library(&self) -> PathBuf {
        let bare = format!("{}pdfium{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.locations.library("pdfium", "pdfium").unwrap_or_else(|| PathBuf::from(bare))
    }
}

impl PdfProvider for Pdfium {
    fn extractor_id(&self) -> &str {
        "pdfium"
    }

    /// pdfium does not tell its version, so the library's own bytes stand for it.
    fn model_id(&self) -> String {
        if let Some(known) = self.version.get() {
            return known.clone();
        }
        match fingerprint(&self.library()) {
            Ok(version) => self.version.get_or_init(|| version).clone(),
            Err(_) => "system".into(),
        }
    }

    fn open(&self, file: &Path, password: Option<&str>, cancel: &Cancel) -> ProviderResult<Box<dyn PdfDocument>> {
        // Told apart here, where the error can be the system's own.
        File::open(file)
            .map_err(|error| ProviderError::Failed(format!("The file cannot be opened: {}.", plain(&error))))?;
        let mut document = Document {
            program: self.locations.pdf_child.clone(),
            library: self.library(),
            file: std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf()),
            password: password.map(str::to_string),
            pages: 0,
            created: None,
            reader: None,
            cancel: cancel.clone(),
        };
        document.reader()?;
        Ok(Box::new(document))
    }
}

fn fingerprint(library: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(library)?, &mut hash)?;
    let hex: String = hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("sha256:{hex}"))
}

/// An open file. Its process is started anew after it had to be ended, so that one page that hangs or kills it
/// leaves the others readable.
struct Document {
    program: PathBuf,
    library: PathBuf,
    file: PathBuf,
    password: Option<String>,
    pages: u32,
    created: Option<String>,
    reader: Option<Reader>,
    cancel: Cancel,
}

impl Document {
    fn reader(&mut self) -> ProviderResult<&mut Reader> {
        if self.reader.is_none() {
            let mut reader = Reader::start(&self.program, &self.library, &self.file)?;
            match reader.ask(&Ask::Open { password: self.password.clone() }, &self.cancel)? {
                Answer::Opened { pages, created } => (self.pages, self.created) = (pages, created),
                other => return Err(unexpected(other)),
            }
            return Ok(self.reader.insert(reader));
        }
        self.reader.as_mut().ok_or_else(|| ProviderError::Failed("The PDF's process is gone.".into()))
    }

    /// Asks, and lets go of the process when it did not answer.
    fn ask(&mut self, ask: &Ask) -> ProviderResult<Answer> {
        let cancel = self.cancel.clone();
        cancel.check()?;
        let answer = self.reader()?.ask(ask, &cancel);
        if answer.is_err() {
            self.reader = None;
        }
        answer
    }

    /// From 1, as people count, to 0, as the library does.
    fn index(&self, page: u32) -> ProviderResult<u32> {
        let index = page.checked_sub(1).filter(|index| *index < self.pages);
        index.ok_or_else(|| ProviderError::Corrupt(format!("it has {} pages and no page {page}", self.pages)))
    }
}

impl PdfDocument for Document {
    fn page_count(&self) -> u32 {
        self.pages
    }

    fn created(&self) -> Option<&str> {
        self.created.as_deref()
    }

    fn words(&mut self, page: u32) -> ProviderResult<WordPage> {
        let page = self.index(page)?;
        let (words, [width, height]) = match self.ask(&Ask::Words { page })? {
            Answer::Words { words, size } => (words, size),
            other => return Err(unexpected(other)),
        };
        let words =
            words.into_iter().map(|(text, bbox, line, block)| PlacedWord { text, bbox, confidence: 1.0, line, block });
        Ok(WordPage { words: words.collect(), width, height })
    }

    fn page_size(&mut self, page: u32) -> ProviderResult<[f64; 2]> {
        let page = self.index(page)?;
        match self.ask(&Ask::Size { page })? {
            Answer::Size(size) => Ok(size),
            other => Err(unexpected(other)),
        }
    }

    fn render(&mut self, page: u32, width: u32) -> ProviderResult<RgbImage> {
        let page = self.index(page)?;
        let [width, height] = match self.ask(&Ask::Render { page, width })? {
            Answer::Picture { size } => size,
            other => return Err(unexpected(other)),
        };
        let cancel = self.cancel.clone();
        let samples = self.reader()?.frame(Instant::now(), &cancel)?;
        RgbImage::from_raw(width, height, samples)
            .ok_or_else(|| ProviderError::Corrupt("the picture of a page does not fit its size".into()))
    }
}

/// What an answer that is not the wanted one says.
fn unexpected(answer: Answer) -> ProviderError {
    match answer {
        Answer::Failed(Failure::Password { wrong }) => ProviderError::PasswordNeeded { wrong },
        Answer::Failed(Failure::Corrupt(why)) => ProviderError::Corrupt(why),
        Answer::Failed(Failure::Library(why)) => {
            tracing::info!("pdfium was not loaded: {why}");
            PDFIUM.missing()
        }
        _ => ProviderError::Corrupt("its process gave an answer to another question".into()),
    }
}

/// A process that has one file open. Dropping it ends it.
struct Reader {
    process: Child,
    questions: ChildStdin,
    answers: Receiver<io::Result<Vec<u8>>>,
}

impl Reader {
    fn start(program: &Path, library: &Path, file: &Path) -> ProviderResult<Reader> {
        let mut command = Command::new(program);
        command.arg(CHILD).arg(library).arg(file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| {
            ProviderError::Failed(format!("The process for PDFs cannot be started: {}.", plain(&error)))
        })?;
        let (Some(questions), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            let _ = process.kill();
            return Err(ProviderError::Failed("The process for PDFs has no streams.".into()));
        };
        // One frame waits at most: a process that talks without being asked is held by its pipe.
        let (sender, answers) = mpsc::sync_channel(1);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let frame = read_frame(&mut output);
                let ended = frame.is_err();
                if sender.send(frame).is_err() || ended {
                    return;
                }
            }
        });
        Ok(Reader { process, questions, answers })
    }

    fn ask(&mut self, ask: &Ask, cancel: &Cancel) -> ProviderResult<Answer> {
        let started = Instant::now();
        let question = serde_json::to_vec(ask).map_err(|error| ProviderError::Failed(error.to_string()))?;
        write_frame(&mut self.questions, &question).map_err(|_| self.died())?;
        let answer = self.frame(started, cancel)?;
        serde_json::from_slice(&answer)
            .map_err(|_| ProviderError::Corrupt("its process answered in no known form".into()))
    }

    fn frame(&mut self, started: Instant, cancel: &Cancel) -> ProviderResult<Vec<u8>> {
        loop {
            match self.answers.recv_timeout(GLANCE) {
                Ok(Ok(frame)) => return Ok(frame),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) => cancel.check()?,
            }
            if started.elapsed() > TIME {
                return Err(ProviderError::TimedOut { seconds: TIME.as_secs() });
            }
        }
    }

    fn died(&mut self) -> ProviderError {
        let _ = self.process.kill();
        let how = self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        ProviderError::Corrupt(format!("reading it ended its process ({how})"))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
