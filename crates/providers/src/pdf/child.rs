//! The process that a PDF is read in. It knows one file and one library, answers questions until its standard
//! input ends, and is bounded in memory, processor time and files before it loads anything.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc::{self, Receiver};

use image::{DynamicImage, RgbaImage};
use pdfium_render::prelude::*;

use super::wire::{Answer, Ask, Failure, read_frame, write_frame};
use super::words::{self, Glyph};
use super::{CHILD, limits};

/// The most pixels of a picture: 160 MB as pdfium holds them.
const MOST_PIXELS: f64 = 40e6;
/// The most characters of a page; the longest printed ones have a tenth of it.
const MOST_CHARACTERS: i32 = 1_000_000;
/// The most characters of a date; a whole one has 23.
const MOST_DATE: usize = 40;

/// What there is to say where the library names no reason that means anything to a person.
const SENSELESS: &str = "pdfium cannot make sense of it";

/// Serves, where this process was started for it: `<program> __pdf-child <library> <file>`.
pub fn run_if_child() {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let [_, mark, library, file] = arguments.as_slice()
        && mark == CHILD
    {
        limits::set();
        // Whatever ends the conversation ends the process; nobody is left to tell why.
        let Err(_) = serve(&questions(), Path::new(library), &PathBuf::from(file));
        process::exit(0);
    }
}

/// Reads questions on a thread of its own, so that the end of the input (the parent is gone) ends this process
/// even in the middle of a page that never ends.
fn questions() -> Receiver<Ask> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(frame) = read_frame(&mut input) {
            let Ok(ask) = serde_json::from_slice(&frame) else {
                break;
            };
            if sender.send(ask).is_err() {
                break;
            }
        }
        // Not `exit`: that would wait for locks that the other thread may hold.
        process::abort();
    });
    receiver
}

fn serve(questions: &Receiver<Ask>, library: &Path, file: &Path) -> io::Result<Infallible> {
    let mut output = BufWriter::new(io::stdout().lock());
    let password = loop {
        match questions.recv().map_err(io::Error::other)? {
            Ask::Open { password } => break password,
            _ => answer(&mut output, &Answer::Failed(Failure::Corrupt("no file is open yet".into())))?,
        }
    };
    let pdfium = match Pdfium::bind_to_library(library) {
        Ok(bindings) => Pdfium::new(bindings),
        Err(error) => return refuse(&mut output, questions, Failure::Library(format!("{error:?}"))),
    };
    match pdfium.load_pdf_from_file(file, password.as_deref()) {
        Err(error) => refuse(&mut output, questions, why_not_opened(&error, password.is_some())),
        Ok(document) if document.pages().is_empty() => {
            refuse(&mut output, questions, Failure::Corrupt("it has no pages".into()))
        }
        Ok(document) => {
            let pages = document.pages().len().unsigned_abs();
            answer(&mut output, &Answer::Opened { pages, created: created(&document) })?;
            loop {
                let ask = questions.recv().map_err(io::Error::other)?;
                reply(&mut output, &document, &ask)?;
            }
        }
    }
}

/// When the document says that it was made.
fn created(document: &PdfDocument) -> Option<String> {
    let tag = document.metadata().get(PdfDocumentMetadataTagType::CreationDate)?;
    Some(tag.value().chars().take(MOST_DATE).collect())
}

/// Says why there is nothing to ask about, until the parent goes.
fn refuse(output: &mut impl Write, questions: &Receiver<Ask>, failure: Failure) -> io::Result<Infallible> {
    loop {
        answer(output, &Answer::Failed(failure.clone()))?;
        questions.recv().map_err(io::Error::other)?;
    }
}

fn answer(output: &mut impl Write, answer: &Answer) -> io::Result<()> {
    write_frame(output, &serde_json::to_vec(answer)?)
}

fn reply(output: &mut impl Write, document: &PdfDocument, ask: &Ask) -> io::Result<()> {
    match answer_to(document, ask) {
        Ok((said, None)) => answer(output, &said),
        Ok((said, Some(samples))) => {
            answer(output, &said)?;
            write_frame(output, &samples)
        }
        Err(failure) => answer(output, &Answer::Failed(failure)),
    }
}

/// An answer, with the samples that follow it where it is a picture.
fn answer_to(document: &PdfDocument, ask: &Ask) -> Result<(Answer, Option<Vec<u8>>), Failure> {
    match *ask {
        Ask::Size { page } => Ok((Answer::Size(size(&load(document, page)?)?), None)),
        Ask::Words { page } => Ok((words_of(&load(document, page)?)?, None)),
        Ask::Render { page, width } => {
            let (size, samples) = render(&load(document, page)?, width)?;
            Ok((Answer::Picture { size }, Some(samples)))
        }
        Ask::Open { .. } => Err(Failure::Corrupt("the file is open already".into())),
    }
}

fn why_not_opened(error: &PdfiumError, password_given: bool) -> Failure {
    match error {
        PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::PasswordError) => {
            Failure::Password { wrong: password_given }
        }
        PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::SecurityError) => {
            Failure::Corrupt("it is locked in a way that this version of pdfium does not know".into())
        }
        PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::FormatError) => {
            Failure::Corrupt("it is no PDF, or broken beyond repair".into())
        }
        _ => Failure::Corrupt(SENSELESS.into()),
    }
}

fn load<'a>(document: &'a PdfDocument, page: u32) -> Result<PdfPage<'a>, Failure> {
    let number = page + 1;
    let index = page.try_into().map_err(|_| Failure::Corrupt(format!("there is no page {number}")))?;
    document.pages().get(index).map_err(|_| Failure::Corrupt(format!("page {number}: {SENSELESS}")))
}

fn size(page: &PdfPage) -> Result<[f64; 2], Failure> {
    let size = [f64::from(page.width().value), f64::from(page.height().value)];
    if size.iter().all(|side| side.is_finite() && *side > 0.0) {
        return Ok(size);
    }
    Err(Failure::Corrupt("the page has no size".into()))
}

fn render(page: &PdfPage, width: u32) -> Result<([u32; 2], Vec<u8>), Failure> {
    let [page_width, page_height] = size(page)?;
    let tall = page_height / page_width;
    let widest = (MOST_PIXELS / tall).sqrt();
    let width = f64::from(width.max(1)).min(widest);
    let pixels = |side: f64| (side.floor() as i32).clamp(1, i32::from(i16::MAX) * 4);
    let (width, height) = (pixels(width), pixels(width * tall));
    let config = PdfRenderConfig::new().set_fixed_size(width, height).render_form_data(true);
    let bitmap = page.render_with_config(&config).map_err(|_| Failure::Corrupt(SENSELESS.into()))?;
    let size = [bitmap.width() as u32, bitmap.height() as u32];
    let picture = RgbaImage::from_raw(size[0], size[1], bitmap.as_rgba_bytes());
    let picture = picture.ok_or_else(|| Failure::Corrupt("the picture of a page does not fit its size".into()))?;
    // Through `DynamicImage`: its code is compiled in `image`, with that package's optimisation.
    Ok((size, DynamicImage::ImageRgba8(picture).into_rgb8().into_raw()))
}

fn words_of(page: &PdfPage) -> Result<Answer, Failure> {
    let size = size(page)?;
    let text = page.text().map_err(|_| Failure::Corrupt(SENSELESS.into()))?;
    if text.len() > MOST_CHARACTERS {
        return Err(Failure::Corrupt(format!("a page has more than {MOST_CHARACTERS} characters")));
    }
    let upright = Upright::of(page, size);
    let glyphs: Vec<Glyph> = text.chars().iter().map(|character| glyph(&character, &upright)).collect();
    let page = words::page(&glyphs, size[0], size[1]);
    let words = page.words.into_iter().map(|word| (word.text, word.bbox, word.line, word.block)).collect();
    Ok(Answer::Words { words, size })
}

fn glyph(character: &PdfPageTextChar, upright: &Upright) -> Glyph {
    let has_area = |rect: &PdfRect| rect.width().value > 0.0 && rect.height().value > 0.0;
    let loose = character.loose_bounds().ok().filter(has_area);
    let rect = loose.or_else(|| character.tight_bounds().ok());
    Glyph {
        code: character.unicode_value(),
        place: rect.map(|rect| upright.place(&rect)).filter(|place| place.iter().all(|side| side.is_finite())),
        hyphen: character.is_hyphen().unwrap_or(false),
    }
}

/// Turns boxes in the page's own space (origin at the bottom left, unrotated) into boxes of the page as shown.
struct Upright {
    /// Left, bottom, right, top of what is shown, in the page's own space.
    shown: [f64; 4],
    rotation: PdfPageRenderRotation,
}

impl Upright {
    fn of(page: &PdfPage, [width, height]: [f64; 2]) -> Upright {
        let rotation = page.rotation().unwrap_or(PdfPageRenderRotation::None);
        let sideways = matches!(rotation, PdfPageRenderRotation::Degrees90 | PdfPageRenderRotation::Degrees270);
        let shown = match page.boundaries().bounding() {
            Ok(found) => edges(&found.bounds),
            Err(_) if sideways => [0.0, 0.0, height, width],
            Err(_) => [0.0, 0.0, width, height],
        };
        Upright { shown, rotation }
    }

    fn place(&self, rect: &PdfRect) -> [f64; 4] {
        let [left, bottom, right, top] = edges(rect);
        let [page_left, page_bottom, page_right, page_top] = self.shown;
        match self.rotation {
            PdfPageRenderRotation::None => [left - page_left, page_top - top, right - page_left, page_top - bottom],
            PdfPageRenderRotation::Degrees90 => {
                [bottom - page_bottom, left - page_left, top - page_bottom, right - page_left]
            }
            PdfPageRenderRotation::Degrees180 => {
                [page_right - right, bottom - page_bottom, page_right - left, top - page_bottom]
            }
            PdfPageRenderRotation::Degrees270 => {
                [page_top - top, page_right - right, page_top - bottom, page_right - left]
            }
        }
    }
}

/// Left, bottom, right, top.
fn edges(rect: &PdfRect) -> [f64; 4] {
    [rect.left(), rect.bottom(), rect.right(), rect.top()].map(|side| f64::from(side.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A letter near the upper left corner of an upright page is near the upper right one once it is turned.
    #[test]
    fn boxes_turn_with_the_page() {
        let rect = PdfRect::new_from_values(700.0, 10.0, 710.0, 20.0);
        let place = |rotation| Upright { shown: [0.0, 0.0, 600.0, 800.0], rotation }.place(&rect);
        assert_eq!(place(PdfPageRenderRotation::None), [10.0, 90.0, 20.0, 100.0]);
        assert_eq!(place(PdfPageRenderRotation::Degrees90), [700.0, 10.0, 710.0, 20.0]);
        assert_eq!(place(PdfPageRenderRotation::Degrees180), [580.0, 700.0, 590.0, 710.0]);
        assert_eq!(place(PdfPageRenderRotation::Degrees270), [90.0, 580.0, 100.0, 590.0]);
    }
}
