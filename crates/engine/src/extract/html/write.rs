//! The text of a page as it is put together.

use super::super::{Heading, Text};
use super::tokens::{Tag, is_space};

/// What stands between the text so far and the next words.
#[derive(Debug, Default, Clone, Copy)]
struct Gap {
    space: bool,
    /// Line breaks: 2 make a blank line.
    breaks: u8,
    /// Empty cells of a table, and the border to the next.
    tabs: u16,
}

/// An open table.
#[derive(Debug, Default, Clone, Copy)]
struct Table {
    in_cell: bool,
    /// Whether the row has a cell already.
    in_row: bool,
    /// Whether its cells hold whole parts of the page, so that it only arranges them.
    is_layout: bool,
}

/// An open list: the number of its next item, where it is ordered.
type List = Option<i64>;

/// Lists and tables that are open inside one another beyond this depth are not told apart.
const DEEPEST: usize = 64;

/// Writes the visible text of a page.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
    gap: Gap,
    /// The mark of a list's item, until its first word.
    mark: Option<String>,
    lists: Vec<List>,
    tables: Vec<Table>,
    /// How many elements are open that keep white space.
    preformatted: usize,
    headings: Vec<Heading>,
    heading: Option<Heading>,
}

impl Writer {
    /// Adds text; white space is collapsed unless it is preformatted.
    pub(super) fn text(&mut self, text: &str) {
        if self.preformatted > 0 && !self.in_plain_cell() {
            return self.preformatted_text(text);
        }
        let space = |c: char| is_space(c) || c == '\u{A0}';
        self.gap.space |= text.starts_with(space);
        let mut words = text.split(space).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            self.word(word);
            self.gap.space = words.peek().is_some() || text.ends_with(space);
        }
    }

    fn preformatted_text(&mut self, text: &str) {
        // Outer line breaks are the element's, not the text's.
        let inner = if self.gap.breaks > 0 || self.text.is_empty() { text.trim_start_matches('\n') } else { text };
        if !inner.is_empty() {
            self.word(inner);
        }
    }

    /// Writes what stands before a word, and the word.
    fn word(&mut self, word: &str) {
        let gap = std::mem::take(&mut self.gap);
        if !self.text.is_empty() {
            // Preformatted text may have ended with line breaks of its own.
            let there = self.text.bytes().rev().take(2).take_while(|byte| *byte == b'\n').count();
            self.text.extend(std::iter::repeat_n('\n', usize::from(gap.breaks).saturating_sub(there)));
        }
        self.text.extend(std::iter::repeat_n('\t', usize::from(gap.tabs)));
        if let Some(mark) = self.mark.take() {
            self.text.push_str(&mark);
        } else if gap.space
            && gap.breaks == 0
            && gap.tabs == 0
            && !self.text.ends_with(['\n', '\t'])
            && !self.text.is_empty()
        {
            self.text.push(' ');
        }
        if let Some(heading) = self.heading.as_mut().filter(|heading| heading.at == usize::MAX) {
            heading.at = self.text.len();
        }
        self.text.extend(word.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
    }

    /// Whether the next words stand in a cell that is one field of a row.
    fn in_plain_cell(&self) -> bool {
        self.tables.last().is_some_and(|table| table.in_cell && !table.is_layout)
    }

    fn break_line(&mut self, breaks: u8) {
        if self.in_plain_cell() {
            self.gap.space = true;
        } else {
            self.gap = Gap { breaks: self.gap.breaks.max(breaks), ..Gap::default() };
        }
    }

    /// A part of a page begins that has no place in a field of a row.
    fn lay_out(&mut self) {
        self.tables.iter_mut().for_each(|table| table.is_layout |= table.in_cell);
    }

    /// Takes in a start tag.
    pub(super) fn open(&mut self, tag: &Tag<'_>) {
        match tag.name.as_str() {
            "br" if self.in_plain_cell() => self.gap.space = true,
            "br" => self.gap = Gap { breaks: (self.gap.breaks + 1).min(2), ..Gap::default() },
            "img" => self.text(&format!(" {} ", tag.attribute("alt").unwrap_or_default())),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.open_heading(&tag.name),
            "ul" | "menu" | "ol" | "dl" => self.open_list(tag),
            "li" => self.open_item(),
            "table" => self.open_table(),
            "tr" => self.open_row(),
            "td" | "th" => self.open_cell(),
            "pre" | "listing" => {
                self.lay_out();
                self.break_line(2);
                self.preformatted += 1;
            }
            name => self.border(name, true),
        }
    }

    /// Takes in an end tag.
    pub(super) fn close(&mut self, name: &str) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.close_heading();
                self.break_line(2);
            }
            "ul" | "menu" | "ol" | "dl" => {
                self.lists.pop();
                self.mark = None;
                self.break_line(if self.lists.is_empty() { 2 } else { 1 });
            }
            "table" => {
                self.tables.pop();
                self.break_line(2);
            }
            "td" | "th" => self.close_cell(),
            "pre" | "listing" => {
                self.preformatted = self.preformatted.saturating_sub(1);
                self.break_line(2);
            }
            name => self.border(name, false),
        }
    }

    /// The border of an element that has lines of its own.
    fn border(&mut self, name: &str, opens: bool) {
        match name {
            "p" | "blockquote" | "figure" | "hr" | "section" | "article" | "main" | "header" | "footer" | "nav"
            | "aside" | "details" | "fieldset" | "form" | "address" | "hgroup" | "dialog" => {
                if opens && name != "p" {
                    self.lay_out();
                }
                if opens && matches!(name, "p" | "section" | "article" | "main") {
                    self.close_heading();
                }
                // A paragraph inside an item goes on with its line.
                self.break_line(if self.lists.is_empty() { 2 } else { 1 });
            }
            "div" | "li" | "dt" | "dd" | "tr" | "caption" | "figcaption" | "summary" | "legend" | "option"
            | "center" | "body" | "head" | "title" | "textarea" | "xmp" => self.break_line(1),
            _ => {}
        }
    }

    fn open_heading(&mut self, name: &str) {
        self.close_heading();
        self.lay_out();
        self.break_line(2);
        let level = name.as_bytes()[1] - b'0';
        self.heading = Some(Heading { at: usize::MAX, level, text: String::new() });
    }

    fn close_heading(&mut self) {
        let Some(heading) = self.heading.take().filter(|heading| heading.at != usize::MAX) else { return };
        let words = self.text[heading.at..].split_whitespace().collect::<Vec<_>>().join(" ");
        // The section begins with the line, which may have a list's mark before the heading.
        let at = self.text[..heading.at].rfind('\n').map_or(0, |end| end + 1);
        self.headings.push(Heading { at, text: words, ..heading });
    }

    fn open_list(&mut self, tag: &Tag<'_>) {
        self.close_heading();
        self.lay_out();
        self.break_line(if self.lists.is_empty() { 2 } else { 1 });
        let first = tag.attribute("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
        if self.lists.len() < DEEPEST {
            self.lists.push((tag.name == "ol").then_some(first));
        }
    }

    fn open_item(&mut self) {
        /// Deeper items are not indented further.
        const INDENTED: usize = 8;
        self.break_line(1);
        let depth = self.lists.len().clamp(1, INDENTED) - 1;
        let indent = "  ".repeat(depth);
        self.mark = Some(match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{indent}{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => format!("{indent}- "),
        });
    }

    fn open_table(&mut self) {
        self.close_heading();
        self.lay_out();
        self.break_line(2);
        if self.tables.len() < DEEPEST {
            self.tables.push(Table::default());
        }
    }

    fn open_row(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            *table = Table::default();
        }
        self.break_line(1);
    }

    fn open_cell(&mut self) {
        let Some(table) = self.tables.last_mut() else { return self.break_line(1) };
        let first = !table.in_row;
        let laid_out = table.is_layout;
        *table = Table { in_cell: true, in_row: true, is_layout: false };
        if laid_out {
            self.break_line(1);
        } else if !first {
            self.gap = Gap { tabs: self.gap.tabs.saturating_add(1), space: false, ..self.gap };
        }
    }

    fn close_cell(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            table.in_cell = false;
        }
        self.gap.space = false;
    }

    /// The text, with the page's title above it.
    pub(super) fn finish(mut self, title: Option<&str>) -> Text {
        self.close_heading();
        let body = self.text.trim_end().len();
        self.text.truncate(body);
        let mut headings = self.headings;
        headings.retain(|heading| !heading.text.is_empty());
        headings.dedup_by_key(|heading| heading.at);
        let Some(title) = title else { return Text { headings, ..Text::plain(self.text) } };
        if headings.first().is_some_and(|first| first.at == 0 && first.text == title) {
            return Text { headings, ..Text::plain(self.text) };
        }
        let above = format!("{title}\n\n");
        headings.iter_mut().for_each(|heading| heading.at += above.len());
        headings.insert(0, Heading { at: 0, level: 0, text: title.to_owned() });
        Text { headings, ..Text::plain((above + &self.text).trim_end().to_owned()) }
    }
}
