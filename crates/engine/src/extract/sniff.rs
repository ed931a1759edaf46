//! What a file is, by its content. A name's ending only tells kinds of text apart.

use super::plain::utf16_without_mark;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use um_model::Modality;

mod signatures;
mod words;

pub(crate) use words::MAIL;

/// So much of a file's beginning tells its type, in bytes.
const HEAD: usize = 64 * 1024;

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileType {
    /// Its media type.
    pub mime_type: String,
    /// What it is to a person.
    pub modality: Modality,
    /// What reads it.
    pub reader: Reader,
}

/// What reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reader {
    /// Plain text.
    Text,
    /// Program source and data written as text.
    Source,
    /// Markdown.
    Markdown,
    /// HTML.
    Html,
    /// Word processor documents (Office Open XML).
    Docx,
    /// Mails and mailboxes.
    Mail,
    /// PDF.
    Pdf,
    /// Pictures that can be decoded.
    Picture,
    /// Recordings.
    Sound,
    /// Films: their sound.
    Film,
    /// Nothing: the file is kept, not read.
    None,
}

impl FileType {
    fn new(mime_type: &str, modality: Modality, reader: Reader) -> Self {
        Self { mime_type: mime_type.to_owned(), modality, reader }
    }
}

/// Finds the type of a file that is in memory, from its beginning (up to [`HEAD`] bytes) and its name. An
/// archive is looked into.
pub fn sniff_bytes(bytes: &[u8], name: &str) -> FileType {
    let head = &bytes[..bytes.len().min(HEAD)];
    let found = by_head(head, name, head.len() == bytes.len());
    if found.mime_type == signatures::ZIP { in_archive(Cursor::new(bytes)).unwrap_or(found) } else { found }
}

/// Finds the type of a file on disk, reading its beginning and, of a ZIP archive, its directory.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn sniff_file(path: &Path, name: &str) -> io::Result<FileType> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let whole = file.metadata()?.len() <= head.len() as u64;
    let found = by_head(&head, name, whole);
    if found.mime_type != signatures::ZIP {
        return Ok(found);
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(in_archive(io::BufReader::new(file)).unwrap_or(found))
}

fn by_head(head: &[u8], name: &str, whole: bool) -> FileType {
    let text = text_of(head, whole, words::is_text_name(name));
    match &text {
        // A text may begin with the letters of a signature ("BMW", "ID3"), a binary file is no text.
        Some(text) => signatures::in_text(text).unwrap_or_else(|| words::kind_of_text(text, name)),
        None => signatures::of_bytes(head)
            .unwrap_or_else(|| FileType::new("application/octet-stream", Modality::Other, Reader::None)),
    }
}

/// The head as text, where it is text: in UTF-8 or UTF-16, or in an older encoding, with next to no control
/// characters. `named` is whether the name says that it is text, which lets more of them pass.
fn text_of(head: &[u8], whole: bool, named: bool) -> Option<String> {
    let controls = |bytes: &[u8]| bytes.iter().filter(|byte| is_control(**byte)).count();
    let utf16 = matches!(head, [0xFF, 0xFE, rest @ ..] | [0xFE, 0xFF, rest @ ..] if !rest.starts_with(&[0, 0]));
    if utf16 || utf16_without_mark(head).is_some() {
        let text = super::plain::decode(&head[..head.len() & !1]).0;
        let odd = text.chars().filter(|c| is_odd(*c)).count();
        return (odd * 50 <= text.chars().count()).then_some(text);
    }
    let odd = controls(head);
    let share = if named { 10 } else { 200 };
    match std::str::from_utf8(head) {
        Ok(text) if odd * share <= head.len() => Some(text.to_owned()),
        // The head may end inside a character.
        Err(error) if error.error_len().is_none() && !whole && odd * share <= head.len() => {
            Some(String::from_utf8_lossy(&head[..error.valid_up_to()]).into_owned())
        }
        Err(_) if signatures::of_bytes(head).is_none() && odd * share <= head.len() && is_wordy(head, named) => {
            Some(super::plain::decode(head).0)
        }
        _ => None,
    }
}

/// Bytes that stand in no text, whatever its encoding. Escape opens the shifts of ISO 2022.
fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B) || byte == 0x7F
}

fn is_odd(c: char) -> bool {
    c == char::REPLACEMENT_CHARACTER || (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}'))
}

/// Whether bytes that are not UTF-8 look like words in an older encoding: compressed data has few spaces
/// and uses the range 0x80 to 0x9F as often as any other.
fn is_wordy(head: &[u8], named: bool) -> bool {
    let white = head.iter().filter(|byte| byte.is_ascii_whitespace()).count();
    let ascii = head.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    named || white * 50 >= head.len() || ascii * 2 >= head.len()
}

/// What a ZIP archive holds, by the names of its parts. `None` where it is no document, or broken.
fn in_archive(file: impl Read + Seek) -> Option<FileType> {
    let mut archive = super::docx::open(file).ok()?;
    let (modality, none) = (Modality::Document, Reader::None);
    let office = "application/vnd.openxmlformats-officedocument.";
    for (part, kind, reader) in [
        ("word/document.xml", "wordprocessingml.document", Reader::Docx),
        ("xl/workbook.xml", "spreadsheetml.sheet", none),
        ("ppt/presentation.xml", "presentationml.presentation", none),
    ] {
        if archive.index_for_name(part).is_some() {
            return Some(FileType::new(&format!("{office}{kind}"), modality, reader));
        }
    }
    // OpenDocument and EPUB say their type in a part of its own.
    let mut said = String::new();
    archive.by_name("mimetype").ok()?.take(100).read_to_string(&mut said).ok()?;
    let said = said.trim();
    let known = said.starts_with("application/vnd.oasis.opendocument.") || said == "application/epub+zip";
    known.then(|| FileType::new(said, modality, none))
}

#[cfg(test)]
mod tests;
