//! Reading: from a file's bytes to text with its headings and places, and from there to passages.
//!
//! Everything here is a pure function of its input. Models and outside programs stand behind
//! [`crate::provider`]; this folder finds out what a file is, reads what needs no model, puts words and
//! utterances together, and cuts text into passages.

mod compose;
mod dates;
mod docx;
mod html;
mod lines;
mod mail;
mod markdown;
pub(crate) mod paper;
pub mod picture;
mod plain;
mod sentence;
mod sniff;
mod split;
mod tokens;
pub mod wave;

pub use compose::{compose_page, compose_transcript, usable_text_layer};
pub use dates::pdf_date;
pub use lines::line_range;
pub use mail::mail_date;
pub(crate) use sniff::MAIL;
pub use sniff::{FileType, Reader, sniff_bytes, sniff_file};
pub use split::{UnitLimit, split_units};
pub use tokens::estimate_tokens;

use crate::provider::{ProviderError, ProviderResult};
use std::ops::Range;
use um_model::EpochMs;
use um_model::capture::Anchor;

/// The longest text that is read from one file, in characters.
pub const MAX_CHARS: usize = 20_000_000;

/// A text that was read, with what the source says about its parts.
///
/// Lines end with `\n` alone: CRLF and CR of the source are made one. All offsets refer to this text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Its headings, in their order.
    pub headings: Vec<Heading>,
    /// Where its words or utterances stand in the source, in their order; empty for documents.
    pub anchors: Vec<Anchor>,
    /// Byte ranges of the parts that the source itself knows, in their order: the blocks of a page, the
    /// utterances of a recording. Empty for documents.
    pub blocks: Vec<Range<usize>>,
    /// The mails of a mailbox, in their order; empty for all else.
    pub mails: Vec<MailHead>,
    /// BCP 47, where the source says it.
    pub language: Option<String>,
    /// 0 to 1: how sure the reader is.
    pub quality: f64,
}

impl Text {
    /// A text that is its own source, such as a memory's.
    pub fn plain(text: String) -> Self {
        Self { text, quality: 1.0, ..Self::default() }
    }
}

/// What the head of a mail of a mailbox says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailHead {
    /// Byte offset at which the mail starts.
    pub at: usize,
    /// Whom it is from.
    pub from: Option<String>,
    /// When it was written, or came into the mailbox.
    pub sent_at: Option<EpochMs>,
}

/// A heading of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Byte offset at which its section starts: that of the heading's own line.
    pub at: usize,
    /// 1 for the outermost of the text, rising inwards; 0 for a title above all of it.
    pub level: u8,
    /// Its words, white space collapsed.
    pub text: String,
}

/// Reads a document that needs no model.
///
/// # Errors
/// `Corrupt` when the bytes are not what the reader expects, `Unsupported` when they hold more than the
/// limits allow, or when the reader needs a model or program ([`Reader::Pdf`] and so on).
pub fn read_document(reader: Reader, bytes: &[u8]) -> ProviderResult<Text> {
    let text = match reader {
        Reader::Text | Reader::Source => plain::read(bytes),
        Reader::Markdown => markdown::read(bytes),
        Reader::Html => html::read(bytes),
        Reader::Docx => docx::read(bytes)?,
        Reader::Mail => mail::read(bytes)?,
        Reader::Pdf | Reader::Picture | Reader::Sound | Reader::Film | Reader::None => {
            return Err(ProviderError::Unsupported("This type is not read as a document.".into()));
        }
    };
    bounded(text)
}

/// Refuses texts beyond [`MAX_CHARS`].
fn bounded(text: Text) -> ProviderResult<Text> {
    if text.text.len() > MAX_CHARS && text.text.chars().count() > MAX_CHARS {
        return Err(too_long());
    }
    Ok(text)
}

/// The refusal of a text beyond [`MAX_CHARS`].
fn too_long() -> ProviderError {
    ProviderError::Unsupported(
        "The file holds more than 20 million characters. Split it into smaller files to have it read.".into(),
    )
}
