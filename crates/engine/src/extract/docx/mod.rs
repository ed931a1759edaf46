//! Word processor documents: Office Open XML (ECMA-376, part 1).

use super::{MAX_CHARS, Text, plain, too_long};
use crate::provider::{ProviderError, ProviderResult};
use std::collections::HashMap;
use std::io::Cursor;

mod body;
mod package;
mod styles;

pub(super) use package::open;

use body::Story;
use package::Package;

/// Reads a document: paragraphs, headings by their styles, lists, tables row by row, and its footnotes and
/// endnotes behind it. Headers, footers, comments and deleted text are left out.
///
/// # Errors
/// `Corrupt` when it is no such document or is damaged, `Unsupported` when it unpacks to more than the
/// limits allow.
pub(super) fn read(bytes: &[u8]) -> ProviderResult<Text> {
    let mut package = Package::new(open(Cursor::new(bytes))?);
    let Some(document) = package.part("word/document.xml")? else {
        return Err(ProviderError::Corrupt("it has no part word/document.xml".into()));
    };
    // Without its styles a document only loses its headings.
    let styles = match package.part("word/styles.xml")? {
        Some(xml) => styles::read(&xml).unwrap_or_default(),
        None => HashMap::new(),
    };
    let mut story = Story::new(&styles);
    story.read(&document)?;
    drop(document);
    for part in ["word/footnotes.xml", "word/endnotes.xml"] {
        if let Some(xml) = package.part(part)? {
            story.read_notes(&xml)?;
        }
    }
    let (text, headings) = story.finish();
    if text.len() > MAX_CHARS && text.chars().count() > MAX_CHARS {
        return Err(too_long());
    }
    Ok(Text { headings, ..Text::plain(text) })
}

/// The text of a part.
fn decoded(bytes: &[u8]) -> String {
    plain::clean(&plain::decode(bytes).0)
}

fn corrupt(error: impl std::fmt::Display) -> ProviderError {
    ProviderError::Corrupt(error.to_string())
}

#[cfg(test)]
mod tests;
