//! How people narrow a search down in one line: `from:ana type:pdf before:2025-06 "exact words" -without`. Each part goes to
//! the field of the request that it names; what is left is the question.

use super::DAY;
use super::dates::Now;
use crate::error::{Fault, invalid};
use um_model::recall::MemoryRecall;
use um_model::{EpochMs, Modality};

/// One part of what was typed.
#[derive(Debug, PartialEq)]
struct Part {
    /// `from` of `from:ana`.
    field: Option<String>,
    /// Whether a minus stands before it.
    minus: bool,
    quoted: bool,
    text: String,
}

/// Reads the question of a request, and fills in the fields that it names. `now` and the clock of whoever asks tell which day is
/// today.
///
/// # Errors
/// `InvalidRequest` for a type or a date that cannot be read, and for a field with a minus before it.
pub(super) fn read(mut request: MemoryRecall, now: EpochMs) -> Result<MemoryRecall, Fault> {
    let now = Now::of(&request, now);
    let mut words: Vec<String> = Vec::new();
    for part in parts(&request.query) {
        let Part { field, minus, quoted, text } = part;
        match field.as_deref() {
            Some("from") => request.from.push(text),
            Some("tag") => request.tags.push(text),
            Some("type") => request.modalities.push(modality(&text)?),
            Some("before") => request.until = earlier(request.until, date("before", &text, now)?),
            Some("after") => request.since = request.since.max(Some(date("after", &text, now)?)),
            _ if minus && !quoted && self::field(&text).0.is_some() => return Err(left_out_field(&text)),
            _ if minus => request.without.push(text),
            _ if quoted => {
                words.push(text.clone());
                request.phrases.push(text);
            }
            _ => words.push(text),
        }
    }
    request.query = words.join(" ");
    request.fielded = false;
    Ok(request)
}

/// A field says what is searched; nothing is left out by one.
fn left_out_field(text: &str) -> Fault {
    let error = invalid(format!("-{text} leaves nothing out: a minus stands before words only."));
    error
        .hint("Write fields without a minus, for what you want to find; leave words out as in -word or -\"two words\".")
        .into()
}

fn earlier(one: Option<EpochMs>, other: EpochMs) -> Option<EpochMs> {
    Some(one.map_or(other, |one| one.min(other)))
}

/// The fields that are read; any other word with a colon is a word.
const FIELDS: [&str; 5] = ["from", "tag", "type", "before", "after"];

/// What was typed, in its parts. A quote that is not closed ends with the line.
fn parts(typed: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = typed.trim_start();
    while !rest.is_empty() {
        let (field, after) = field(rest);
        let (minus, after) = match after.strip_prefix('-') {
            Some(word) if field.is_none() && word.starts_with(|c: char| c.is_alphabetic() || is_quote(c)) => {
                (true, word)
            }
            _ => (false, after),
        };
        let (quoted, text, left) = text(after);
        if !text.is_empty() {
            parts.push(Part { field, minus, quoted, text: text.to_owned() });
        }
        rest = left.trim_start();
    }
    parts
}

/// The field that a part begins with, and what follows it. `from:` with nothing behind it is a word.
fn field(part: &str) -> (Option<String>, &str) {
    let named = part.split_once(':').filter(|(_, value)| value.starts_with(|c: char| !c.is_whitespace()));
    match named.map(|(name, value)| (name.to_lowercase(), value)) {
        Some((name, value)) if FIELDS.contains(&name.as_str()) => (Some(name), value),
        _ => (None, part),
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„')
}

/// A word, or what stands in quotes; and what follows.
fn text(part: &str) -> (bool, &str, &str) {
    let mut chars = part.chars();
    if chars.next().is_some_and(is_quote) {
        let inside = chars.as_str();
        return match inside.find(is_quote) {
            Some(end) => (true, inside[..end].trim(), inside[end..].trim_start_matches(is_quote)),
            None => (true, inside.trim(), ""),
        };
    }
    let end = part.find(char::is_whitespace).unwrap_or(part.len());
    (false, &part[..end], &part[end..])
}

fn modality(text: &str) -> Result<Modality, Fault> {
    let name = text.to_lowercase();
    let spoken = match name.as_str() {
        "note" | "words" => "text",
        "photo" | "picture" | "scan" | "screenshot" => "image",
        "recording" | "sound" | "voice" => "audio",
        "film" => "video",
        "doc" | "docx" | "file" => "document",
        "page" | "web" => "html",
        "code" => "source",
        other => other,
    };
    spoken.parse().map_err(|_| {
        let all: Vec<&str> = Modality::ALL.iter().map(|modality| modality.as_str()).collect();
        invalid(format!("type:{text} is no type.")).hint(format!("Write one of {}.", all.join(", "))).into()
    })
}

/// The first moment of a date, by the clock of whoever asks.
fn date(field: &str, text: &str, now: Now) -> Result<EpochMs, Fault> {
    let written = match text.to_lowercase().as_str() {
        "today" => um_rules::date_written(now.local()),
        "yesterday" => um_rules::date_written(now.local() - DAY),
        _ => None,
    };
    let begins = um_rules::date_begins(written.as_deref().unwrap_or(text));
    begins.map(|begins| now.moment(begins)).ok_or_else(|| {
        let error = invalid(format!("{field}:{text} is no date."));
        error.hint(format!("Write {field}:2025-06-01, {field}:2025-06, {field}:2025 or {field}:yesterday.")).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2025-03-02, 12:00 UTC.
    const NOW: EpochMs = 1_740_916_800_000;
    const FIRST_OF_MARCH: EpochMs = 1_740_787_200_000;

    fn asked(query: &str) -> MemoryRecall {
        MemoryRecall { query: query.to_owned(), fielded: true, ..MemoryRecall::default() }
    }

    #[test]
    fn what_is_typed_goes_to_its_fields() {
        let check = |typed: &str, query: &str, fill: &dyn Fn(&mut MemoryRecall)| {
            let mut expected = MemoryRecall { query: query.to_owned(), ..MemoryRecall::default() };
            fill(&mut expected);
            let read = read(asked(typed), NOW).unwrap_or_else(|_| panic!("{typed}"));
            assert_eq!(serde_json::to_value(read).unwrap(), serde_json::to_value(expected).unwrap(), "{typed}");
        };
        let strings = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        check("where is the lease", "where is the lease", &|_| ());
        check("lease from:Ana", "lease", &|r| r.from = strings(&["Ana"]));
        check("from:\"Ana Lima\" rent", "rent", &|r| r.from = strings(&["Ana Lima"]));
        check("type:PDF type:photo rent", "rent", &|r| r.modalities = vec![Modality::Pdf, Modality::Image]);
        check("rent before:2025-03-01", "rent", &|r| r.until = Some(FIRST_OF_MARCH));
        check("rent after:yesterday", "rent", &|r| r.since = Some(FIRST_OF_MARCH));
        check("rent before:today before:2025-03-01", "rent", &|r| r.until = Some(FIRST_OF_MARCH));
        check("\"cold rent\" -flat", "cold rent", &|r| {
            r.phrases = strings(&["cold rent"]);
            r.without = strings(&["flat"]);
        });
        check("rent -\"two rooms\" “warm rent”", "rent warm rent", &|r| {
            r.without = strings(&["two rooms"]);
            r.phrases = strings(&["warm rent"]);
        });
        check("rent -\"type:pdf\" -http://a", "rent", &|r| r.without = strings(&["type:pdf", "http://a"]));
        check("tag:tax 2024", "2024", &|r| r.tags = strings(&["tax"]));
        // What only looks like a field is a word, and a hyphen within a word is a part of it.
        check("https://a.example well-known -5 from: here", "https://a.example well-known -5 from: here", &|_| ());
        check("\"not closed", "not closed", &|r| r.phrases = strings(&["not closed"]));
        check("\"\" -", "-", &|_| ());
    }

    #[test]
    fn days_are_those_of_the_clock_of_whoever_asks() {
        const HOUR: EpochMs = 3_600_000;
        const SECOND_OF_MARCH: EpochMs = FIRST_OF_MARCH + DAY;
        // It is 01:00 UTC on the second: in Los Angeles still the first.
        let now = SECOND_OF_MARCH + HOUR;
        let check = |typed: &str, hours: i32, since: Option<EpochMs>, until: Option<EpochMs>| {
            let asked = MemoryRecall { utc_offset: hours * 60, ..asked(typed) };
            let read = read(asked, now).unwrap_or_else(|_| panic!("{typed}"));
            assert_eq!((read.since, read.until), (since, until), "{typed}, {hours} hours ahead");
        };
        check("after:today", 0, Some(SECOND_OF_MARCH), None);
        check("after:today", -8, Some(FIRST_OF_MARCH + 8 * HOUR), None);
        check("after:yesterday before:today", -8, Some(FIRST_OF_MARCH - 16 * HOUR), Some(FIRST_OF_MARCH + 8 * HOUR));
        check("after:today", 14, Some(SECOND_OF_MARCH - 14 * HOUR), None);
        check("before:2025-03-01", 1, None, Some(FIRST_OF_MARCH - HOUR));
        check("after:2025-03", -8, Some(FIRST_OF_MARCH + 8 * HOUR), None);
    }

    #[test]
    fn what_cannot_be_read_says_how_it_is_written() {
        for (typed, hint) in [
            ("type:smell x", "pdf"),
            ("before:soon x", "before:2025-06"),
            ("rent -type:pdf", "without a minus"),
            ("rent -from:ana", "without a minus"),
            ("-TAG:\"two words\" rent", "without a minus"),
        ] {
            let Err(fault) = read(asked(typed), NOW) else { panic!("{typed}") };
            let error = um_model::ApiError::from(fault);
            assert!(error.hint.unwrap_or_default().contains(hint), "{typed}");
        }
    }
}
