//! Character references such as `&eacute;` and `&#233;`.

use pulldown_cmark::{Event, Parser};
use std::borrow::Cow;

/// A text with its character references (HTML standard, 13.2.5.72 and on) replaced by what they stand for;
/// what is none stays as it is.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, meaning) = reference(rest).unwrap_or((1, Cow::Borrowed("&")));
        out.push_str(&meaning);
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The reference that a text begins with: its length and what it stands for.
fn reference(text: &str) -> Option<(usize, Cow<'static, str>)> {
    let body = &text[1..];
    if let Some(number) = body.strip_prefix('#') {
        return numeric(number).map(|(length, meaning)| (2 + length, meaning));
    }
    /// The longest name, `CounterClockwiseContourIntegral`, has 31 letters.
    const LONGEST: usize = 32;
    let length = body.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let name = &body[..length];
    let is_closed = length > 0 && body[length..].starts_with(';');
    if let Some(meaning) = is_closed.then(|| named(name)).flatten() {
        return Some((length + 2, meaning));
    }
    // Names from before HTML 4 that need no semicolon: those in common use.
    let old = [("nbsp", " "), ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("copy", "©"), ("reg", "®")];
    let (name, meaning) = old.into_iter().find(|(old, _)| name.starts_with(old))?;
    Some((1 + name.len(), Cow::Borrowed(meaning)))
}

/// What a name stands for.
fn named(name: &str) -> Option<Cow<'static, str>> {
    let common = match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => " ",
        _ => "",
    };
    if !common.is_empty() {
        return Some(Cow::Borrowed(common));
    }
    // Markdown takes its names from HTML, so its parser has the whole list.
    let markdown = format!("&{name};");
    let meaning: String = Parser::new(&markdown)
        .filter_map(|event| match event {
            Event::Text(text) => Some(text.into_string()),
            _ => None,
        })
        .collect();
    (meaning != markdown && !meaning.is_empty()).then_some(Cow::Owned(meaning))
}

/// What the number after `&#` stands for.
fn numeric(text: &str) -> Option<(usize, Cow<'static, str>)> {
    let (digits, radix, prefix) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (text, 10, 0),
    };
    let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if length == 0 {
        return None;
    }
    let number = u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX);
    let end = prefix + length + usize::from(digits[length..].starts_with(';'));
    let meaning = match number {
        // Numbers that only ever meant the characters of Windows-1252.
        0x80..=0x9F => encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[number as u8]).0.into_owned(),
        0 => char::REPLACEMENT_CHARACTER.to_string(),
        number => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER).to_string(),
    };
    Some((end, Cow::Owned(meaning)))
}
