//! PDFs, page by page: a page's own text where it has a usable one, else what can be recognised on it.
//! So a file that mixes both is complete.

use super::keep::{self, Read};
use super::{Reading, Stopped};
use crate::error::from_provider;
use crate::extract;
use crate::provider::{PdfDocument, ProviderError, WordPage};
use std::collections::BTreeMap;
use std::path::Path;
use um_model::{ApiError, ErrorCode, ViewId, ViewType};
use um_store::artifacts::{self, Measures};

/// A page is rendered for recognition at so many pixels a point: 216 dpi.
const SCALE: f64 = 3.0;
/// More pages than this are not read.
const MAX_PAGES: u32 = 5_000;
/// After so many pages in a row that break the reader, the rest is left.
const MAX_FAILURES: usize = 5;
/// The widest rendering, in pixels.
const MAX_WIDTH: f64 = 4000.0;

pub(super) fn read(reading: &Reading<'_>, path: &Path) -> Result<Vec<ViewId>, Stopped> {
    let password = crate::engine::lock(&reading.engine.core().passwords).get(&reading.artifact.id).cloned();
    let pdf = &reading.engine.providers().pdf;
    let mut document = match pdf.open(path, password.as_deref(), reading.cancel) {
        Err(error @ ProviderError::PasswordNeeded { .. }) => {
            crate::engine::lock(&reading.engine.core().passwords).remove(&reading.artifact.id);
            return Err(error.into());
        }
        opened => opened?,
    };
    let pages = document.page_count();
    if pages > MAX_PAGES {
        return Err(Stopped::Fails(
            ApiError::new(
                ErrorCode::UnsupportedType,
                format!("The file has {pages} pages; {MAX_PAGES} are read at most."),
            )
            .hint("Split it, then add the parts."),
        ));
    }
    keep_measures(reading, document.as_mut(), pages)?;
    reading.was_made(document.created().and_then(extract::pdf_date))?;
    let Pages { views, missed } = read_pages(reading, document.as_mut(), pages)?;
    let Some(first) = missed.first() else { return Ok(views.into_values().collect()) };
    let error = match views.is_empty() {
        true => ApiError::new(from_provider(&first.error).code, format!("Page {}: {}", first.page, first.error)),
        false => {
            let unread: Vec<u32> = (1..=pages).filter(|page| !views.contains_key(page)).collect();
            let message = format!(
                "{} of {pages} pages could not be read; the first is page {}: {}",
                unread.len(),
                first.page,
                first.error
            );
            keep::settle(reading, &views.into_values().collect::<Vec<_>>(), &unread)?;
            ApiError::new(ErrorCode::ReaderFailed, message)
        }
    };
    // The pages that are there are not read again by another try.
    Err(if missed.iter().any(|page| page.may_pass) { Stopped::Retries(error) } else { Stopped::Fails(error) })
}

/// What came of a file's pages.
#[derive(Default)]
struct Pages {
    views: BTreeMap<u32, ViewId>,
    missed: Vec<Missed>,
}

/// A page that could not be read.
struct Missed {
    page: u32,
    error: ProviderError,
    may_pass: bool,
}

/// Reads page by page; one that breaks the reader costs that page only.
fn read_pages(reading: &Reading<'_>, document: &mut dyn PdfDocument, pages: u32) -> Result<Pages, Stopped> {
    let mut read = Pages::default();
    let mut in_a_row = 0;
    for page in 1..=pages {
        reading.cancel.check()?;
        (reading.progress)(f64::from(page - 1) / f64::from(pages), &format!("page {page} of {pages}"));
        match read_page(reading, document, page) {
            Ok(view) => {
                read.views.insert(page, view);
                in_a_row = 0;
            }
            Err(PageStopped::Page { error, may_pass }) => {
                read.missed.push(Missed { page, error, may_pass });
                in_a_row += 1;
                if in_a_row == MAX_FAILURES {
                    break;
                }
            }
            Err(PageStopped::File(stopped)) => return Err(stopped),
        }
    }
    Ok(read)
}

fn keep_measures(reading: &Reading<'_>, document: &mut dyn PdfDocument, pages: u32) -> Result<(), Stopped> {
    let sizes: Vec<[f64; 2]> = (1..=pages).map(|page| document.page_size(page).unwrap_or(UNKNOWN_SIZE)).collect();
    let id = reading.artifact.id.clone();
    reading.engine.write(move |tx| {
        artifacts::set_measures(tx, &id, Measures { page_count: Some(pages), ..Measures::default() })?;
        Ok(artifacts::set_page_sizes(tx, &id, &sizes)?)
    })?;
    Ok(())
}

/// A4, for a page that does not tell its size.
const UNKNOWN_SIZE: [f64; 2] = [595.0, 842.0];

/// How reading a page stopped.
enum PageStopped {
    /// The page could not be read. Where it may pass, another try is worth it.
    Page { error: ProviderError, may_pass: bool },
    /// The whole file is done with.
    File(Stopped),
}

impl From<Stopped> for PageStopped {
    fn from(stopped: Stopped) -> Self {
        Self::File(stopped)
    }
}

impl From<ProviderError> for PageStopped {
    fn from(error: ProviderError) -> Self {
        match error {
            // Whoever ran out of time may have had a busy machine.
            ProviderError::Failed(_) | ProviderError::TimedOut { .. } => Self::Page { error, may_pass: true },
            ProviderError::Corrupt(_) | ProviderError::Unsupported(_) => Self::Page { error, may_pass: false },
            other => Self::File(other.into()),
        }
    }
}

fn read_page(reading: &Reading<'_>, document: &mut dyn PdfDocument, page: u32) -> Result<ViewId, PageStopped> {
    let providers = reading.engine.providers();
    let pdf = &providers.pdf;
    let text_config = format!("pdf 1 {}", pdf.model_id());
    if let Some(view) = keep::known(reading, Some(page), ViewType::Pdf, pdf.extractor_id(), &text_config)? {
        return Ok(view);
    }
    let words = document.words(page)?;
    if extract::usable_text_layer(&words) {
        return keep_page(reading, page, words, ViewType::Pdf, pdf.extractor_id(), pdf.model_id(), text_config);
    }
    let languages = reading.engine.read(crate::settings::ocr_languages).map_err(Stopped::from)?;
    let config = format!("pdf {SCALE} {} {languages}", providers.ocr.config());
    if let Some(view) = keep::known(reading, Some(page), ViewType::Ocr, providers.ocr.extractor_id(), &config)? {
        return Ok(view);
    }
    let recognised = recognise(reading, document, page, &languages)?;
    let ocr = &providers.ocr;
    keep_page(reading, page, recognised, ViewType::Ocr, ocr.extractor_id(), ocr.model_id(), config)
}

/// Recognises the words of a rendered page; their boxes are in points again.
fn recognise(
    reading: &Reading<'_>,
    document: &mut dyn PdfDocument,
    page: u32,
    languages: &str,
) -> Result<WordPage, ProviderError> {
    let [width, height] = document.page_size(page)?;
    let picture = document.render(page, (width * SCALE).clamp(200.0, MAX_WIDTH) as u32)?;
    let mut recognised = reading.engine.providers().ocr.read(&picture, languages, reading.cancel)?;
    let (to_x, to_y) = (width / f64::from(picture.width()), height / f64::from(picture.height()));
    for word in &mut recognised.words {
        let [x, y, w, h] = word.bbox;
        word.bbox = [x * to_x, y * to_y, w * to_x, h * to_y];
    }
    (recognised.width, recognised.height) = (width, height);
    Ok(recognised)
}

fn keep_page(
    reading: &Reading<'_>,
    page: u32,
    words: WordPage,
    view_type: ViewType,
    extractor_id: &str,
    model_id: String,
    config: String,
) -> Result<ViewId, PageStopped> {
    let text = extract::compose_page(&words, Some(page));
    let parts = keep::word_parts(&text.anchors, &words.words, page, view_type == ViewType::Ocr);
    let read = Read {
        view_type,
        page: Some(page),
        text,
        extractor_id: extractor_id.to_owned(),
        model_id: Some(model_id),
        config,
        parts,
    };
    match keep::keep(reading, read) {
        // What was read of the page before stays, and the other pages are read.
        Err(Stopped::Fails(error)) if error.code == ErrorCode::Forgotten => {
            Err(PageStopped::Page { error: ProviderError::Unsupported(error.message), may_pass: false })
        }
        kept => Ok(kept?),
    }
}
