//! What a page does not show.

use super::tokens::{Tag, Token};

/// An open element that is not shown, with all that is in it.
#[derive(Debug)]
pub(super) struct Hidden {
    name: String,
    /// How many elements that must be closed are open inside.
    depth: usize,
}

impl Hidden {
    /// The hidden element that a tag opens, if it does.
    pub(super) fn opened_by(tag: &Tag<'_>) -> Option<Self> {
        let unseen = matches!(
            tag.name.as_str(),
            "script"
                | "style"
                | "template"
                | "noscript"
                | "iframe"
                | "noembed"
                | "noframes"
                | "svg"
                | "canvas"
                | "object"
                | "audio"
                | "video"
                | "select"
                | "datalist"
                | "rp"
                | "annotation"
                | "annotation-xml"
        ) || (tag.name == "dialog" && tag.attribute("open").is_none());
        let said = tag.attribute("hidden").is_some() || tag.attribute("style").is_some_and(is_unseen_style);
        let hides = (unseen || said) && !is_void(&tag.name) && !matches!(tag.name.as_str(), "html" | "body");
        hides.then(|| Self { name: tag.name.clone(), depth: 0 })
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name
    }

    /// Whether a token belongs to the element. The first that does not ends it: its own end tag, the end
    /// of an element around it, or what closes it without an end tag.
    pub(super) fn covers(&mut self, token: &Token<'_>) -> bool {
        match token {
            Token::Text(_) | Token::Raw(_) => true,
            Token::Open(tag) => {
                if self.depth == 0 && self.ends_before(&tag.name) {
                    return false;
                }
                self.depth += usize::from(self.counts(&tag.name));
                true
            }
            Token::Close(name) if !self.counts(name) => true,
            Token::Close(_) if self.depth == 0 => false,
            Token::Close(_) => {
                self.depth -= 1;
                true
            }
        }
    }

    /// Whether the nesting of such elements is followed: those that must be closed.
    fn counts(&self, name: &str) -> bool {
        self.name == name || is_container(name)
    }

    /// Whether the element, which has no end tag of its own, ends where another begins.
    fn ends_before(&self, name: &str) -> bool {
        match self.name.as_str() {
            "p" => name == "p" || is_container(name),
            "li" | "tr" | "option" => name == self.name,
            "td" | "th" => matches!(name, "td" | "th" | "tr"),
            "dt" | "dd" => matches!(name, "dt" | "dd"),
            _ => false,
        }
    }
}

/// Elements without content.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Elements that hold others and are always closed.
fn is_container(name: &str) -> bool {
    matches!(
        name,
        "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "footer"
            | "nav"
            | "aside"
            | "form"
            | "fieldset"
            | "ul"
            | "ol"
            | "dl"
            | "table"
            | "blockquote"
            | "figure"
            | "details"
            | "pre"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "body"
            | "html"
    )
}

/// Whether a style attribute takes its element out of sight.
fn is_unseen_style(style: &str) -> bool {
    let bare: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    bare.split(';').any(|rule| rule.starts_with("display:none") || rule.starts_with("visibility:hidden"))
}
