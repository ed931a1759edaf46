//! The text of a document as it is put together, event by event, without a tree.

use super::super::Heading;
use super::styles::{Style, Styles, attribute, outline_heading};
use super::{MAX_CHARS, corrupt, too_long};
use crate::provider::ProviderResult;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// A paragraph that is open.
#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    style: Style,
    /// The level of its list, where it is an item.
    item: Option<usize>,
}

/// What was written last, which decides how far the next stands from it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    Paragraph,
    Item,
    Row,
}

/// Text boxes and tables that are open inside one another beyond this depth are not told apart.
const DEEPEST: usize = 32;

/// A document as it is read.
pub(super) struct Story<'a> {
    styles: &'a Styles,
    text: String,
    headings: Vec<Heading>,
    last: Last,
    /// Open paragraphs: a text box stands inside one.
    paragraphs: Vec<Paragraph>,
    /// The finished cells of each open row, and the text of its open cell.
    rows: Vec<Vec<String>>,
    cells: Vec<String>,
    in_run: bool,
    /// Whether the run is not to be seen.
    is_vanished: bool,
    /// How many elements are open whose content is a repetition or was moved away.
    skipped: usize,
    /// Whether the text of `t` is open.
    in_text: bool,
    /// The ids of notes in the order of their marks; `f` or `e` before the number.
    notes: Vec<String>,
    /// The mark that the next paragraph begins with.
    mark: Option<String>,
}

impl<'a> Story<'a> {
    pub(super) fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            text: String::new(),
            headings: Vec::new(),
            last: Last::Nothing,
            paragraphs: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            in_run: false,
            is_vanished: false,
            skipped: 0,
            in_text: false,
            notes: Vec::new(),
            mark: None,
        }
    }

    /// Reads `word/document.xml`.
    pub(super) fn read(&mut self, xml: &str) -> ProviderResult<()> {
        let mut reader = quick_xml::Reader::from_str(xml);
        loop {
            let place = reader.buffer_position();
            let event = reader.read_event();
            match event.map_err(|error| corrupt(format!("word/document.xml at byte {place}: {error}")))? {
                Event::Eof => return Ok(()),
                event => self.take(&event)?,
            }
        }
    }

    /// Reads `word/footnotes.xml` or `word/endnotes.xml`: the notes that the text has marks for.
    pub(super) fn read_notes(&mut self, xml: &str) -> ProviderResult<()> {
        let mut reader = quick_xml::Reader::from_str(xml);
        loop {
            match reader.read_event().map_err(corrupt)? {
                Event::Eof => return Ok(()),
                Event::Start(tag) if matches!(tag.local_name().as_ref(), "footnote" | "endnote") => {
                    let id = note_id(&tag);
                    // Separators between text and notes are notes that nothing marks.
                    match self.notes.iter().position(|known| *known == id) {
                        Some(index) => self.mark = Some(format!("[{}] ", index + 1)),
                        None => {
                            reader.read_to_end(tag.name()).map_err(corrupt)?;
                        }
                    }
                }
                event => self.take(&event)?,
            }
        }
    }

    fn take(&mut self, event: &Event<'_>) -> ProviderResult<()> {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::Empty(tag) => {
                self.open(tag);
                self.close(tag.local_name().as_ref())?;
            }
            Event::End(tag) => self.close(tag.local_name().as_ref())?,
            Event::Text(text) if self.in_text => self.say(text.as_ref()),
            Event::CData(text) if self.in_text => self.say(text.as_ref()),
            Event::GeneralRef(reference) if self.in_text => self.say(&meaning(reference)),
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            "Fallback" | "moveFrom" => self.skipped += 1,
            "p" if self.paragraphs.len() < DEEPEST => self.paragraphs.push(Paragraph::default()),
            "pStyle" => self.set_style(attribute(tag, "val")),
            "outlineLvl" => {
                let level = outline_heading(attribute(tag, "val"));
                self.edit(|paragraph| paragraph.style.heading = level.or(paragraph.style.heading));
            }
            "ilvl" => {
                let level = attribute(tag, "val").and_then(|level| level.parse().ok()).unwrap_or(0);
                self.edit(|paragraph| paragraph.item = Some(level));
            }
            "numId" => {
                let listed = attribute(tag, "val").is_some_and(|id| id != "0");
                self.edit(|paragraph| paragraph.item = listed.then(|| paragraph.item.unwrap_or(0)));
            }
            "r" => (self.in_run, self.is_vanished) = (true, false),
            "vanish" if self.in_run => {
                self.is_vanished = !matches!(attribute(tag, "val").as_deref(), Some("0" | "false" | "off"));
            }
            "t" => self.in_text = true,
            "tab" | "ptab" if self.in_run => self.say("\t"),
            "br" | "cr" if self.in_run => self.say("\n"),
            "noBreakHyphen" => self.say("-"),
            "sym" => self.say_symbol(tag),
            "footnoteReference" | "endnoteReference" => self.mark_note(tag),
            "tr" if self.rows.len() < DEEPEST => self.rows.push(Vec::new()),
            "tc" if self.cells.len() < DEEPEST => self.cells.push(String::new()),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) -> ProviderResult<()> {
        match name {
            "Fallback" | "moveFrom" => self.skipped = self.skipped.saturating_sub(1),
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.end_paragraph(&paragraph);
                }
            }
            "r" => (self.in_run, self.is_vanished) = (false, false),
            "t" => self.in_text = false,
            "tc" => {
                if let (Some(cell), Some(row)) = (self.cells.pop(), self.rows.last_mut()) {
                    row.push(cell);
                }
            }
            "tr" => {
                if let Some(row) = self.rows.pop() {
                    self.end_row(&row);
                }
            }
            _ => {}
        }
        if self.text.len() > MAX_CHARS * 4 {
            return Err(too_long());
        }
        Ok(())
    }

    fn edit(&mut self, change: impl FnOnce(&mut Paragraph)) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            change(paragraph);
        }
    }

    fn set_style(&mut self, id: Option<String>) {
        let style = id.and_then(|id| self.styles.get(&id).copied()).unwrap_or_default();
        self.edit(|paragraph| {
            paragraph.item = paragraph.item.or(style.is_list.then_some(0));
            paragraph.style = style;
        });
    }

    fn say(&mut self, words: &str) {
        if self.skipped == 0 && !self.is_vanished {
            self.edit(|paragraph| paragraph.text.push_str(words));
        }
    }

    /// A character of a symbol font, where it has a meaning outside that font.
    fn say_symbol(&mut self, tag: &BytesStart<'_>) {
        let code = attribute(tag, "char").and_then(|code| u32::from_str_radix(&code, 16).ok());
        if let Some(c) = code.and_then(char::from_u32).filter(|c| !matches!(c, '\u{E000}'..='\u{F8FF}')) {
            self.say(c.encode_utf8(&mut [0; 4]));
        }
    }

    fn mark_note(&mut self, tag: &BytesStart<'_>) {
        /// Documents with more notes than this are made to take time.
        const MOST: usize = 20_000;
        if self.notes.len() < MOST && self.skipped == 0 {
            self.notes.push(note_id(tag));
            let mark = format!("[{}]", self.notes.len());
            self.say(&mark);
        }
    }

    fn end_paragraph(&mut self, paragraph: &Paragraph) {
        let words = paragraph.text.trim();
        if words.is_empty() {
            return;
        }
        if let Some(cell) = self.cells.last_mut() {
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&words.split_whitespace().collect::<Vec<_>>().join(" "));
            return;
        }
        let is_item = paragraph.item.is_some() && paragraph.style.heading.is_none();
        self.part_from_last(if is_item { Last::Item } else { Last::Paragraph });
        if let Some(level) = paragraph.style.heading {
            let text = words.split_whitespace().collect::<Vec<_>>().join(" ");
            self.headings.push(Heading { at: self.text.len(), level, text });
        }
        if let Some(level) = paragraph.item.filter(|_| is_item) {
            self.text.push_str(&"  ".repeat(level.min(8)));
            self.text.push_str("- ");
        }
        if let Some(mark) = self.mark.take() {
            self.text.push_str(&mark);
        }
        self.text.push_str(words);
    }

    fn end_row(&mut self, row: &[String]) {
        let line = row.join("\t");
        if line.trim().is_empty() {
            return;
        }
        // A table inside a cell has its rows there.
        if let Some(cell) = self.cells.last_mut() {
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&line.replace('\t', " "));
            return;
        }
        self.part_from_last(Last::Row);
        self.text.push_str(line.trim_end());
    }

    /// Writes what stands between the last paragraph or row and the next.
    fn part_from_last(&mut self, next: Last) {
        self.text.push_str(match (self.last, next) {
            (Last::Nothing, _) => "",
            (Last::Item, Last::Item) | (Last::Row, Last::Row) => "\n",
            _ => "\n\n",
        });
        self.last = next;
    }

    pub(super) fn finish(mut self) -> (String, Vec<Heading>) {
        // What a damaged end left open.
        while let Some(paragraph) = self.paragraphs.pop() {
            self.cells.clear();
            self.end_paragraph(&paragraph);
        }
        (self.text, self.headings)
    }
}

/// The name of a note: its kind and its id.
fn note_id(tag: &BytesStart<'_>) -> String {
    let kind = if tag.local_name().as_ref().starts_with("foot") { 'f' } else { 'e' };
    format!("{kind}{}", attribute(tag, "id").unwrap_or_default())
}

/// What a reference stands for: a character, or one of XML's five names. Entities that a document declares
/// itself are never expanded.
fn meaning(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(c)) = reference.resolve_char_ref() {
        return if c.is_control() && !matches!(c, '\t' | '\n') { String::new() } else { c.to_string() };
    }
    quick_xml::escape::resolve_predefined_entity(reference.as_ref()).unwrap_or_default().to_owned()
}
