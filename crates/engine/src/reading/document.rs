//! Text-bearing files.

use super::keep::{self, Read};
use super::{Reading, Stopped};
use crate::error::from_io;
use crate::extract::{self, Reader};
use std::path::Path;
use um_model::{ViewId, ViewType};

/// Changes when the readers of documents give other text for the same bytes.
const VERSION: &str = "1";
/// The same of mails, and when they tell otherwise whom those of a mailbox are from and when they were sent: these are read again then
/// ([`super::again`]).
const MAIL_VERSION: &str = "3";

/// The settings with which mails are read.
pub(super) fn mail_config() -> String {
    format!("mail {MAIL_VERSION}")
}

pub(super) fn read(reading: &Reading<'_>, reader: Reader, path: &Path) -> Result<Vec<ViewId>, Stopped> {
    (reading.progress)(0.1, "reading");
    let bytes = std::fs::read(path).map_err(|e| from_io("Reading", path, &e))?;
    let mut text = extract::read_document(reader, &bytes)?;
    reading.cancel.check()?;
    reading.was_made(extract::mail_date(&text.text))?;
    for mail in &mut text.mails {
        mail.sent_at = mail.sent_at.filter(|at| reading.can_be_of(*at));
    }
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
            config: match reader {
                Reader::Mail => mail_config(),
                _ => format!("{extractor_id} {VERSION}"),
            },
            parts: Vec::new(),
        },
    )?;
    Ok(vec![view])
}
