//! Text-bearing files.

use super::keep::{self, Read};
use super::{Reading, Stopped};
use crate::error::from_io;
use crate::extract::{self, Reader};
use std::path::Path;
use um_model::{ViewId, ViewType};

/// Changes when the readers of documents give other text for the same bytes.
const VERSION: &str = "1";

/// Names a reader of documents, as it is now.
pub(super) fn config(extractor_id: &str) -> String {
    format!("{extractor_id} {VERSION}")
}

pub(super) fn read(reading: &Reading<'_>, reader: Reader, path: &Path) -> Result<Vec<ViewId>, Stopped> {
    (reading.progress)(0.1, "reading");
    let bytes = std::fs::read(path).map_err(|e| from_io("Reading", path, &e))?;
    let text = extract::read_document(reader, &bytes)?;
    reading.cancel.check()?;
    reading.was_made(extract::mail_date(&text.text))?;
    let extractor_id = match reader {
        Reader::Html => "html",
        Reader::Docx => "docx",
        Reader::Mail => "mail",
        Reader::Markdown => "markdown",
        _ => "text",
    };
    let view = keep::keep(
        reading,
        Read {
            view_type: ViewType::Document,
            page: None,
            text,
            extractor_id: extractor_id.to_owned(),
            model_id: None,
            config: config(extractor_id),
            parts: Vec::new(),
        },
    )?;
    Ok(vec![view])
}
