//! HTML cut into tags and text, by the tokenization rules of the HTML standard (13.2.5), one pass, without
//! a tree: however deep or broken the nesting, the work grows with the length alone.

use super::references::decode;
use std::borrow::Cow;

/// A token of HTML. Comments, declarations and processing instructions are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text with its character references.
    Text(&'a str),
    /// The content of an element that holds no tags, as it is written.
    Raw(&'a str),
    /// A start tag.
    Open(Tag<'a>),
    /// An end tag, by its name in lower case.
    Close(String),
}

/// A start tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// In lower case.
    pub(super) name: String,
    attributes: Vec<(String, Cow<'a, str>)>,
}

impl Tag<'_> {
    /// The value of an attribute; empty where it is named without one.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_ref())
    }
}

/// The tokens of a text.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// The element whose raw content comes next.
    raw: Option<String>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { rest: html, raw: None }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// What follows `<` at the beginning of the rest; `None` for what is skipped.
    fn markup(&mut self) -> Option<Token<'a>> {
        let mut after = self.rest[1..].chars();
        match (after.next(), after.next()) {
            (Some(c), _) if c.is_ascii_alphabetic() => self.start_tag(),
            (Some('/'), Some(c)) if c.is_ascii_alphabetic() => self.end_tag(),
            (Some('!' | '?' | '/'), _) => {
                let length = declaration_length(self.rest);
                self.take(length);
                None
            }
            _ => Some(Token::Text(self.take(1))),
        }
    }

    fn start_tag(&mut self) -> Option<Token<'a>> {
        self.take(1);
        let name = self.name();
        let mut attributes = Vec::new();
        loop {
            self.skip(|c| is_space(c) || c == '/');
            match self.rest.chars().next() {
                None => return None, // cut off inside a tag
                Some('>') => break,
                Some(_) => attributes.extend(self.attribute()),
            }
        }
        self.take(1);
        if is_raw(&name) {
            self.raw = Some(name.clone());
        }
        Some(Token::Open(Tag { name, attributes }))
    }

    fn end_tag(&mut self) -> Option<Token<'a>> {
        self.take(2);
        let name = self.name();
        let length = self.rest.find('>').map_or(self.rest.len(), |at| at + 1);
        self.take(length);
        Some(Token::Close(name))
    }

    fn name(&mut self) -> String {
        let end = self.rest.find(|c| is_space(c) || matches!(c, '/' | '>')).unwrap_or(self.rest.len());
        self.take(end).to_ascii_lowercase()
    }

    /// The next attribute, where it is one that anything here asks for.
    fn attribute(&mut self) -> Option<(String, Cow<'a, str>)> {
        // An equals sign at the beginning belongs to the name.
        let first = usize::from(self.rest.starts_with('='));
        let end = self.rest[first..].find(|c| is_space(c) || matches!(c, '/' | '>' | '='));
        let name = self.take(end.map_or(self.rest.len(), |end| first + end));
        self.skip(is_space);
        let mut value = "";
        if self.rest.starts_with('=') {
            self.take(1);
            self.skip(is_space);
            value = self.value();
        }
        let asked = ["hidden", "style", "alt", "lang", "start", "open"];
        let name = asked.iter().find(|asked| name.eq_ignore_ascii_case(asked))?;
        Some(((*name).to_owned(), decode(value)))
    }

    fn value(&mut self) -> &'a str {
        let Some(quote @ ('"' | '\'')) = self.rest.chars().next() else {
            let end = self.rest.find(|c| is_space(c) || c == '>').unwrap_or(self.rest.len());
            return self.take(end);
        };
        self.take(1);
        let end = self.rest.find(quote).unwrap_or(self.rest.len());
        let value = self.take(end);
        self.take(usize::from(!self.rest.is_empty()));
        value
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(skipped);
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(name) = self.raw.take() {
            let length = raw_length(self.rest, &name);
            return Some(Token::Raw(self.take(length)));
        }
        while !self.rest.is_empty() {
            match self.rest.find('<') {
                Some(0) => {
                    if let Some(token) = self.markup() {
                        return Some(token);
                    }
                }
                Some(length) => return Some(Token::Text(self.take(length))),
                None => return Some(Token::Text(self.take(self.rest.len()))),
            }
        }
        None
    }
}

/// White space as HTML knows it.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}')
}

/// Elements whose content has no tags.
fn is_raw(name: &str) -> bool {
    matches!(name, "script" | "style" | "title" | "textarea" | "xmp" | "iframe" | "noembed" | "noframes")
}

/// How long the raw content of an element is: up to its end tag, or all of the rest.
fn raw_length(rest: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(at) = rest[from..].find("</") {
        let start = from + at;
        let after = &rest.as_bytes()[start + 2..];
        let named = after.get(..name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()));
        if named && after.get(name.len()).is_none_or(|byte| is_space(char::from(*byte)) || b"/>".contains(byte)) {
            return start;
        }
        from = start + 2;
    }
    rest.len()
}

/// The length of a comment or declaration.
fn declaration_length(rest: &str) -> usize {
    let Some(comment) = rest.strip_prefix("<!--") else {
        return rest.find('>').map_or(rest.len(), |at| at + 1);
    };
    if comment.starts_with('>') {
        return 5;
    }
    if comment.starts_with("->") {
        return 6;
    }
    let ends = ["-->", "--!>"].into_iter().filter_map(|end| comment.find(end).map(|at| at + end.len()));
    ends.min().map_or(rest.len(), |end| 4 + end)
}
