//! HTML: what a person would see of a page, without running or fetching anything of it.

use super::{Text, plain};

mod hidden;
mod references;
mod tokens;
mod write;

use hidden::Hidden;
use references::decode;
use tokens::{Tag, Token, Tokens};
use write::Writer;

/// Reads HTML: its visible text, the title first, with headings, lists and, row by row, tables.
pub(super) fn read(bytes: &[u8]) -> Text {
    let (raw, quality) = plain::decode_as(bytes, said_encoding(bytes).as_deref());
    Text { quality, ..read_text(&raw) }
}

/// Reads HTML whose encoding something else said.
pub(super) fn read_text(raw: &str) -> Text {
    let mut page = Page::default();
    for token in Tokens::new(&plain::clean(raw)) {
        page.take(token);
    }
    page.finish()
}

/// The encoding that a page names in its first kilobyte (`<meta charset=…>`).
fn said_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let value = head.split_once("charset")?.1.trim_start().strip_prefix('=')?;
    let value = value.trim_start_matches(['"', '\'', ' ']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':'));
    Some(value[..end.unwrap_or(value.len())].to_owned())
}

/// A page as it is read.
#[derive(Default)]
struct Page {
    writer: Writer,
    title: Option<String>,
    language: Option<String>,
    /// The hidden element that is open.
    hidden: Option<Hidden>,
    /// The element whose raw content comes next.
    raw: Option<String>,
}

impl Page {
    fn take(&mut self, token: Token<'_>) {
        if let Some(hidden) = &mut self.hidden {
            if hidden.covers(&token) {
                return;
            }
            let own_end = matches!(&token, Token::Close(name) if hidden.is_named(name));
            self.hidden = None;
            if own_end {
                return;
            }
        }
        match token {
            Token::Text(text) => self.writer.text(&decode(text)),
            Token::Raw(text) => self.raw_content(text),
            Token::Open(tag) => self.open(&tag),
            Token::Close(name) => self.writer.close(&name),
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name.as_str() {
            "html" if self.language.is_none() => {
                let said = tag.attribute("lang").map(str::trim).filter(|said| !said.is_empty());
                self.language = said.map(str::to_owned);
            }
            "title" | "textarea" | "xmp" => self.raw = Some(tag.name.clone()),
            _ => self.hidden = Hidden::opened_by(tag),
        }
        if self.hidden.is_none() {
            self.writer.open(tag);
        }
    }

    /// The content of an element without tags: the title, or text to show; the rest is for machines.
    fn raw_content(&mut self, text: &str) {
        match self.raw.take().as_deref() {
            Some("title") if self.title.is_none() => {
                let words = decode(text).split_whitespace().collect::<Vec<_>>().join(" ");
                self.title = Some(words).filter(|words| !words.is_empty());
            }
            Some("textarea") => self.writer.text(&decode(text)),
            Some("xmp") => self.writer.text(text),
            _ => {}
        }
    }

    fn finish(self) -> Text {
        let mut text = self.writer.finish(self.title.as_deref());
        text.language = self.language;
        text
    }
}

#[cfg(test)]
mod tests;
