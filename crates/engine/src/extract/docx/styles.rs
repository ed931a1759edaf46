//! Which styles make headings and lists.

use super::corrupt;
use crate::provider::ProviderResult;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;

/// What a paragraph style means to a reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// The level of its headings: 0 for the title of the whole.
    pub(super) heading: Option<u8>,
    /// Whether its paragraphs are items of a list.
    pub(super) is_list: bool,
}

/// Styles by their ids.
pub(super) type Styles = HashMap<String, Style>;

/// The value of an attribute, by its name without prefix.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).flatten().find(|a| a.key.local_name().as_ref() == name)?;
    // References are left as they are where they cannot be resolved.
    let value = quick_xml::escape::unescape(&found.value).map(|value| value.into_owned());
    Some(value.unwrap_or_else(|_| found.value.to_string()))
}

/// The heading level that an outline level (0 to 8; 9 is body text) stands for.
pub(super) fn outline_heading(value: Option<String>) -> Option<u8> {
    let level: u8 = value?.parse().ok()?;
    (level < 9).then_some(level + 1)
}

/// What `word/styles.xml` says.
pub(super) fn read(xml: &str) -> ProviderResult<Styles> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut styles = Styles::new();
    let mut parents = Vec::new();
    let mut id = String::new();
    loop {
        let tag = match reader.read_event().map_err(corrupt)? {
            Event::Start(tag) | Event::Empty(tag) => tag,
            Event::Eof => break,
            _ => continue,
        };
        match tag.local_name().as_ref() {
            "style" => id = attribute(&tag, "styleId").unwrap_or_default(),
            "name" => {
                let named = attribute(&tag, "val").and_then(|name| named_heading(&name));
                let style: &mut Style = styles.entry(id.clone()).or_default();
                style.heading = style.heading.or(named);
            }
            "basedOn" => parents.extend(attribute(&tag, "val").map(|parent| (id.clone(), parent))),
            "outlineLvl" => {
                let level = outline_heading(attribute(&tag, "val"));
                let style: &mut Style = styles.entry(id.clone()).or_default();
                style.heading = style.heading.or(level);
            }
            "numPr" => styles.entry(id.clone()).or_default().is_list = true,
            _ => {}
        }
    }
    inherit(&mut styles, &parents);
    Ok(styles)
}

/// The heading level of a built-in style, whose names are the same in every language.
fn named_heading(name: &str) -> Option<u8> {
    let name = name.to_lowercase();
    match name.strip_prefix("heading ") {
        Some(level) => level.trim().parse().ok().filter(|level| (1..=9).contains(level)),
        None => (name == "title").then_some(0),
    }
}

/// Passes on what styles leave to those they are based on, through a few generations.
fn inherit(styles: &mut Styles, parents: &[(String, String)]) {
    for _ in 0..8 {
        for (id, parent) in parents {
            let above = styles.get(parent).copied().unwrap_or_default();
            let style = styles.entry(id.clone()).or_default();
            style.heading = style.heading.or(above.heading);
            style.is_list |= above.is_list;
        }
    }
}
