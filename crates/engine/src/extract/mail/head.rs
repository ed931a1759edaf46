//! The head of a mail or of one of its parts (RFC 5322, section 2.2; RFC 2045, section 3).

use super::super::plain;
use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};

/// The fields that are read; the others are for machines.
const FIELDS: [&str; 9] =
    ["from", "to", "cc", "bcc", "date", "subject", "content-type", "content-disposition", "content-transfer-encoding"];
/// No more fields of one head are read.
const MOST_FIELDS: usize = 100;
/// What a part is said to be is read up to this length, in bytes.
const LONGEST_TYPE: usize = 4_096;

/// How the content of a part was made fit for sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Not at all.
    None,
    /// Base64.
    Base64,
    /// Quoted-printable.
    Quoted,
}

/// How the lines of a text end (RFC 3676).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// As it was written.
    Fixed,
    /// Those that end with a space were broken for sending.
    Flowed,
    /// These, too, and the space is none of the text.
    Glued,
}

/// What a part is, by its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kind {
    /// Its media type in small letters.
    pub(super) mime: String,
    /// The encoding of its words.
    pub(super) charset: Option<String>,
    /// What stands between its own parts.
    pub(super) boundary: Option<String>,
    /// The name of the file that it was.
    pub(super) name: Option<String>,
    /// Whether it is to be shown apart from the text.
    pub(super) is_attachment: bool,
    pub(super) encoding: Encoding,
    pub(super) lines: Lines,
}

/// The fields of a head that are read.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Name, and value as it was written, with its line breaks.
    fields: Vec<(&'static str, String)>,
}

impl Head {
    /// The head that a mail or part begins with, and what stands behind it. It ends with a blank line, or before what is no field.
    pub(super) fn split(bytes: &[u8]) -> (Self, &[u8]) {
        let mut at = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let behind = &bytes[at + line.len()..];
            let goes_on = at > 0 && matches!(line[0], b' ' | b'\t');
            // A field may end with a line of spaces (RFC 5322, section 4.2), with others behind it.
            if line.trim_ascii().is_empty() && !(goes_on && is_field(behind)) {
                return (Self::of(&bytes[..at]), behind);
            }
            if !goes_on && !is_field(line) {
                break;
            }
            at += line.len();
        }
        (Self::of(&bytes[..at]), &bytes[at..])
    }

    fn of(bytes: &[u8]) -> Self {
        let (text, _) = plain::decode(bytes);
        let mut fields: Vec<(&'static str, String)> = Vec::new();
        let mut is_read = false;
        for line in text.split_inclusive('\n') {
            if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = fields.last_mut().filter(|_| is_read) {
                    value.push_str(line);
                }
                continue;
            }
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let known = FIELDS.into_iter().find(|field| field.eq_ignore_ascii_case(name.trim()));
            let known = known.filter(|_| fields.len() < MOST_FIELDS);
            is_read = known.is_some();
            fields.extend(known.map(|field| (field, value.to_owned())));
        }
        Self { fields }
    }

    /// Whether it stands over a mail, and not over a text that only begins with a word and a colon.
    pub(super) fn is_of_mail(&self) -> bool {
        let telling = ["from", "subject", "content-type"];
        self.fields.len() > 1 || telling.into_iter().any(|name| self.written(name).is_some())
    }

    /// A field as it was written.
    fn written(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.as_str())
    }

    /// What a field says, decoded (RFC 2047) and on one line; of those who got the mail, what all such fields say.
    pub(super) fn said(&self, name: &str) -> Option<String> {
        let most = if matches!(name, "to" | "cc" | "bcc") { usize::MAX } else { 1 };
        let values = self.fields.iter().filter(|(field, _)| *field == name).take(most);
        let said: Vec<String> = values.map(|(_, value)| decoded(value)).filter(|value| !value.is_empty()).collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// What the part is; `usual` is the media type of one that says none.
    pub(super) fn kind(&self, usual: &str) -> Kind {
        let (is, shown) = (self.typed("content-type"), self.typed("content-disposition"));
        let said = |of: &Option<ContentType<'_>>, name: &str| {
            let value = one_line(of.as_ref()?.attribute(name)?);
            Some(value).filter(|value| !value.is_empty())
        };
        let mime = is.as_ref().and_then(|is| Some(one_line(&format!("{}/{}", is.ctype(), is.subtype()?))));
        let mime = mime.map_or_else(|| usual.to_owned(), |mime| mime.to_ascii_lowercase());
        let says = |name: &str, word: &str| said(&is, name).is_some_and(|value| value.eq_ignore_ascii_case(word));
        let lines = match (mime == "text/plain" && says("format", "flowed"), says("delsp", "yes")) {
            (false, _) => Lines::Fixed,
            (true, false) => Lines::Flowed,
            (true, true) => Lines::Glued,
        };
        Kind {
            mime,
            charset: said(&is, "charset"),
            boundary: is.as_ref().and_then(|is| border(is.attribute("boundary")?)),
            name: said(&shown, "filename").or_else(|| said(&is, "name")),
            is_attachment: shown.is_some_and(|shown| shown.is_attachment()),
            encoding: self.encoding(),
            lines,
        }
    }

    fn typed(&self, name: &str) -> Option<ContentType<'static>> {
        let written = self.written(name).filter(|value| value.len() <= LONGEST_TYPE)?;
        let value = ended(&without_openings(&joined(written)));
        match MessageStream::new(value.as_bytes()).parse_content_type().into_owned() {
            HeaderValue::ContentType(said) => Some(said),
            _ => None,
        }
    }

    fn encoding(&self) -> Encoding {
        let said = self.written("content-transfer-encoding").unwrap_or_default().trim();
        let said = said.split([';', '(', ' ']).next().unwrap_or_default();
        if said.eq_ignore_ascii_case("base64") {
            Encoding::Base64
        } else if said.eq_ignore_ascii_case("quoted-printable") {
            Encoding::Quoted
        } else {
            Encoding::None
        }
    }
}

/// Whether a text begins with a field: a name and a colon.
pub(super) fn is_field(text: &[u8]) -> bool {
    let name = text.iter().take_while(|byte| byte.is_ascii_graphic() && **byte != b':').count();
    let behind = text[name..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    name > 0 && behind == Some(&b':')
}

/// What stands between parts, space for space; it ends with none (RFC 2046, section 5.1.1).
fn border(said: &str) -> Option<String> {
    Some(said.trim_end().replace(HIDDEN, "")).filter(|said| !said.is_empty())
}

/// What a value says. Encoded words are decoded wherever they stand, also within quotes, as mail programs do; what cannot be decoded stays
/// as it was written.
fn decoded(value: &str) -> String {
    let value = joined(value);
    let mut text = String::with_capacity(value.len());
    let (mut rest, mut is_behind_one) = (value.as_str(), false);
    while let Some(word) = next_word(rest) {
        let said = MessageStream::new(&word.whole.as_bytes()[1..]).decode_rfc2047();
        // Spaces between two of them only part these.
        if !is_behind_one || said.is_none() || !word.before.trim().is_empty() {
            text.push_str(word.before);
        }
        text.push_str(said.as_deref().unwrap_or(word.whole));
        (rest, is_behind_one) = (word.behind, said.is_some());
    }
    text.push_str(rest);
    one_line(&text)
}

/// A value in which encoded words that follow one another, encoded alike, are one word: many programs part a text within a character.
fn joined(value: &str) -> String {
    let mut joined = String::with_capacity(value.len());
    let (mut rest, mut last) = (value, None::<&str>);
    while let Some(word) = next_word(rest) {
        if last.is_some_and(|last| last.eq_ignore_ascii_case(word.opening)) && word.before.trim().is_empty() {
            joined.truncate(joined.len() - 2);
            joined.push_str(&word.whole[word.opening.len()..]);
        } else {
            joined.extend([word.before, word.whole]);
        }
        (rest, last) = (word.behind, Some(word.opening));
    }
    joined.push_str(rest);
    joined
}

/// Stands within what only begins as encoded words do, where a type is read: it would be looked through for an end up to that of the value.
/// [`one_line`] leaves it out.
const HIDDEN: char = '\u{1}';

/// A value in which nothing looks like an encoded word but those that are.
fn without_openings(value: &str) -> String {
    let hide = |text: &str| text.replace("=?", &format!("={HIDDEN}?"));
    let mut without = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(word) = next_word(rest) {
        without.extend([hide(word.before).as_str(), word.whole]);
        rest = word.behind;
    }
    without + &hide(rest)
}

/// An encoded word of a value (RFC 2047): `=?utf-8?B?R3LDvMOfZQ==?=`.
#[derive(Debug)]
struct Word<'a> {
    /// What stands before it.
    before: &'a str,
    /// What it begins with: `=?utf-8?B?`.
    opening: &'a str,
    /// All of it.
    whole: &'a str,
    /// What stands behind it.
    behind: &'a str,
}

/// The next encoded word of a value. What begins as one and does not end before another begins is none: so a value is gone through but
/// a few times for all its words, however many there are and whoever wrote them.
fn next_word(value: &str) -> Option<Word<'_>> {
    let mut from = 0;
    while let Some(at) = value[from..].find("=?").map(|found| from + found) {
        let Some(opening) = opening(&value[at..]) else {
            from = at + 2;
            continue;
        };
        from = at + opening.len();
        if let Some(end) = word_end(&value[from..]).map(|end| from + end) {
            return Some(Word { before: &value[..at], opening, whole: &value[at..end], behind: &value[end..] });
        }
    }
    None
}

/// Where an encoded word ends, of which this stands behind its opening; behind the `?=`.
fn word_end(encoded: &str) -> Option<usize> {
    for (at, _) in encoded.match_indices('?') {
        if encoded[at + 1..].starts_with('=') {
            return Some(at + 2);
        }
        // Another one begins.
        if encoded[..at].ends_with('=') {
            return None;
        }
    }
    None
}

/// What an encoded word begins with: `=?utf-8?B?`.
fn opening(word: &str) -> Option<&str> {
    let charset = word.get(2..)?.find(|c: char| c == '?' || c.is_whitespace())? + 2;
    let encoding = word.get(charset..charset + 3)?;
    matches!(encoding, "?B?" | "?b?" | "?Q?" | "?q?").then(|| &word[..charset + 3])
}

/// A field's value with the line break that ends it, and no other at its end.
fn ended(value: &str) -> String {
    format!("{}\n", value.trim_end())
}

/// Text on one line, without what no reader sees.
pub(super) fn one_line(text: &str) -> String {
    plain::clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many encoded words of a value are decoded, and how many bytes are looked through to do so.
    #[track_caller]
    fn check(value: &str, words: usize, bytes: usize) {
        let (mut rest, mut looked_through) = (value, Vec::new());
        while let Some(word) = next_word(rest) {
            looked_through.push(word.whole.len());
            rest = word.behind;
        }
        assert_eq!((looked_through.len(), looked_through.iter().sum::<usize>()), (words, bytes));
        // No other one is looked for where a type is read.
        assert_eq!(without_openings(value).matches("=?").count(), words);
    }

    #[test]
    fn the_effort_of_decoding_grows_as_the_field_does() {
        check("2 =? 3 =?x", 0, 0);
        check("=?utf-8?q?b?= =?utf-8?q?a?= x", 2, 26);
        for many in [1_000, 100_000] {
            check(&"=?utf-8?q?a b ".repeat(many), 0, 0);
            check(&format!("{}?=", "=?utf-8?q?a b ".repeat(many)), 1, 16);
            check(&"=?utf-8?q?=zz?= ".repeat(many), many, 15 * many);
            check(&"=?".repeat(many), 0, 0);
            check(&"=?a b?q?".repeat(many), 0, 0);
        }
    }
}
