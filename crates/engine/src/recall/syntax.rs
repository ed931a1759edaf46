//! How people narrow a search down in one line: `from:ana type:pdf before:2025-06 "exact words" -without`. Each part goes to
//! the field of the request that it names; what is left is the question.

use super::DAY;
use super::dates::Now;
use super::words;
use crate::error::{Fault, invalid};
use std::collections::BTreeSet;
use um_model::recall::MemoryRecall;
use um_model::{EpochMs, Modality, Tier};

/// One part of what was typed.
#[derive(Debug, PartialEq)]
struct Part {
    /// `from` of `from:ana`.
    field: Option<String>,
    /// Whether a minus stands before it.
    minus: bool,
    quotes: Quotes,
    text: String,
}

/// Whether a part stands in quotes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quotes {
    None,
    /// The second mark is missing.
    Open,
    Closed,
    /// It is a mark too many, right behind what is closed; there is no text.
    Stray,
}

/// Reads the question of a request, and fills in the fields that it names. `now` and the clock of whoever asks tell which day is
/// today.
///
/// # Errors
/// `InvalidRequest` for a type, a tier or a date that cannot be read, for a field with nothing behind it or a minus before it, and for a quote that
/// is not closed.
pub(super) fn read(mut request: MemoryRecall, now: EpochMs) -> Result<MemoryRecall, Fault> {
    let now = Now::of(&request, now);
    let mut words: Vec<String> = Vec::new();
    for part in parts(&request.query) {
        let Part { field, minus, quotes, text } = part;
        let text = match field.as_deref() {
            // As a text names its tags: `#tax`.
            Some("tag") => text.trim_start_matches('#').to_owned(),
            _ => text,
        };
        if quotes == Quotes::Open {
            return Err(not_closed());
        }
        match field.as_deref() {
            Some(field) if text.is_empty() => return Err(says_nothing(field)),
            None if text.is_empty() => (),
            Some("from") => request.from.push(text),
            Some("tag") => request.tags.push(text),
            Some("type") if is_mail(&text) => request.mails = true,
            Some("type") => request.modalities.push(modality(&text)?),
            Some("tier") => request.tiers.push(tier(&text)?),
            Some("before") => request.until = earlier(request.until, date("before", &text, now)?),
            Some("after") => request.since = request.since.max(Some(date("after", &text, now)?)),
            _ if minus && quotes == Quotes::None && self::field(&text).0.is_some() => {
                return Err(left_out_field(&text));
            }
            _ if minus => request.without.push(text),
            _ if quotes == Quotes::Closed => {
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

/// The field is meant to narrow the question down, and does not tell to what.
fn says_nothing(field: &str) -> Fault {
    let example = match field {
        "from" => "from:ana",
        "tag" => "tag:tax",
        "type" => "type:pdf",
        "tier" => "tier:cold",
        "before" => "before:2025-06",
        _ => "after:2025-06",
    };
    let error = invalid(format!("{field}: says nothing by itself."));
    let hint =
        format!("Write what you look for right behind it, as in {example}; or \"{field}:\" for the word itself.");
    error.hint(hint).into()
}

fn not_closed() -> Fault {
    invalid("A quote is not closed.")
        .hint("Write the second mark, as in \"two words\", or leave the first one out.")
        .into()
}

/// What is told of a minus that stands alone.
const LONE_MINUS: &str =
    "A minus by itself leaves nothing out. To leave a word out, write the minus right before it, as in -flat.";
/// What is told of quotes with nothing between them.
const NO_WORDS: &str =
    "Quotes with nothing between them narrow nothing down. Write the words that must stand so between them.";
/// What is told of a mark too many.
const STRAY_QUOTE: &str = "A quotation mark right behind a quote that is closed says nothing; it was left out.";

/// What in a question says nothing, or less than it is taken for, although it looks as if it did: a sentence for each kind, and for each
/// type. Of one that is not read for fields, that those that it has were taken as words.
pub(super) fn notices(request: &MemoryRecall) -> Vec<String> {
    let parts = parts(&request.query);
    if !request.fielded {
        return taken_as_words(&parts).into_iter().collect();
    }
    let is_minus = |part: &Part| part.field.is_none() && part.quotes == Quotes::None && part.text == "-";
    let is_empty = |part: &Part| part.quotes == Quotes::Closed && part.text.is_empty();
    let is_stray = |part: &Part| part.quotes == Quotes::Stray;
    let told = [
        (parts.iter().any(is_minus), LONE_MINUS),
        (parts.iter().any(is_empty), NO_WORDS),
        (parts.iter().any(is_stray), STRAY_QUOTE),
    ];
    let told = told.into_iter().filter(|(is_so, _)| *is_so).map(|(_, notice)| notice.to_owned());
    let types: BTreeSet<String> = parts.iter().filter_map(taken_for_more).collect();
    told.chain(types).collect()
}

/// What is told of the fields that a question names with what they may be, where it is not read for them. It says no word of the question
/// but their names.
fn taken_as_words(parts: &[Part]) -> Option<String> {
    let meant = |part: &&Part| match part.field.as_deref() {
        Some("type") => is_mail(&part.text) || type_called(&part.text).is_some(),
        Some("tier") => tier(&part.text).is_ok(),
        Some("before" | "after") => {
            ["today", "yesterday"].contains(&&*part.text.to_lowercase()) || um_rules::date_begins(&part.text).is_some()
        }
        Some(_) => part.text.contains(char::is_alphanumeric),
        None => false,
    };
    let fields: BTreeSet<String> =
        parts.iter().filter(meant).filter_map(|part| Some(format!("`{}:`", part.field.as_ref()?))).collect();
    let all = fields.into_iter().collect::<Vec<_>>().join(", ");
    (!all.is_empty()).then(|| {
        format!("{all} in the question was taken as words and narrows nothing down. Ask `memory_recall` with `fielded`: true for that.")
    })
}

/// What is told of phrases of signs alone.
const NO_LETTERS: &str =
    "Signs alone, in quotes or behind a minus, narrow nothing down: only words and numbers are looked for.";

/// What is told where a phrase that must stand somewhere, or must not, has no word: nothing is found or left out by it.
pub(super) fn wordless(request: &MemoryRecall) -> Option<&'static str> {
    let mut all = request.phrases.iter().chain(&request.without);
    all.any(|phrase| words::phrase(phrase).is_none()).then_some(NO_LETTERS)
}

fn earlier(one: Option<EpochMs>, other: EpochMs) -> Option<EpochMs> {
    Some(one.map_or(other, |one| one.min(other)))
}

/// The fields that are read; any other word with a colon is a word.
const FIELDS: [&str; 6] = ["from", "tag", "type", "tier", "before", "after"];

/// What was typed, in its parts; also those that say nothing. A quote that is not closed ends with the line.
fn parts(typed: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = typed.trim_start();
    let mut is_behind_quote = false;
    while !rest.is_empty() {
        if let Some(left) = behind_stray(rest).filter(|_| is_behind_quote) {
            parts.push(Part { field: None, minus: false, quotes: Quotes::Stray, text: String::new() });
            rest = left;
            is_behind_quote = false;
            continue;
        }
        let (field, after) = field(rest);
        let (minus, after) = match after.strip_prefix('-') {
            Some(word) if field.is_none() && word.starts_with(|c: char| c.is_alphabetic() || is_quote(c)) => {
                (true, word)
            }
            _ => (false, after),
        };
        let (quotes, text, left) = text(after);
        parts.push(Part { field, minus, quotes, text: text.to_owned() });
        is_behind_quote = quotes == Quotes::Closed && left.starts_with(is_quote);
        rest = left.trim_start();
    }
    parts
}

/// The field that a part begins with, and what follows it.
fn field(part: &str) -> (Option<String>, &str) {
    match part.split_once(':').map(|(name, value)| (name.to_lowercase(), value)) {
        Some((name, value)) if FIELDS.contains(&name.as_str()) => (Some(name), value),
        _ => (None, part),
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„')
}

/// What follows a mark that begins no quote: it stands before no word, and no other mark follows.
fn behind_stray(part: &str) -> Option<&str> {
    let after = part.strip_prefix(is_quote)?;
    let is_before_word = after.starts_with(|sign: char| !sign.is_whitespace());
    (!is_before_word && !after.contains(is_quote)).then(|| after.trim_start())
}

/// A word, or what stands in quotes; and what follows.
fn text(part: &str) -> (Quotes, &str, &str) {
    let mut chars = part.chars();
    if chars.next().is_some_and(is_quote) {
        let inside = chars.as_str();
        return match inside.find(is_quote) {
            // What follows at once may stand in quotes of its own.
            Some(end) => {
                let mut left = inside[end..].chars();
                left.next();
                (Quotes::Closed, inside[..end].trim(), left.as_str())
            }
            None => (Quotes::Open, inside.trim(), ""),
        };
    }
    let end = part.find(char::is_whitespace).unwrap_or(part.len());
    (Quotes::None, &part[..end], &part[end..])
}

/// What else a type is called.
struct Called {
    modality: Modality,
    /// What says the same.
    same: &'static str,
    /// What says less: some of what is of that type. It is taken for all of it.
    narrower: &'static str,
}

/// What else types are called, by people and by the endings of files, beside their own names.
const CALLED: [Called; 8] = [
    Called {
        modality: Modality::Text,
        same: "note notes texts words plain",
        narrower: "txt log md markdown rst org adoc csv tsv ics vcf srt vtt",
    },
    Called {
        modality: Modality::Source,
        same: "sources code program",
        narrower: "script rs py js ts c cpp java go rb sh sql json yaml yml toml xml css",
    },
    Called { modality: Modality::Html, same: "page pages web webpage website site htm xhtml", narrower: "" },
    Called {
        modality: Modality::Document,
        same: "documents file",
        narrower: "doc docx word office odt ods odp rtf epub xls xlsx spreadsheet ppt pptx presentation slides",
    },
    Called { modality: Modality::Pdf, same: "pdfs", narrower: "" },
    Called {
        modality: Modality::Image,
        same: "images img photo photos picture pictures pic",
        narrower: "scan scans screenshot screenshots jpg jpeg png gif webp heic tif tiff bmp",
    },
    Called {
        modality: Modality::Audio,
        same: "recording recordings sound sounds voice speech",
        narrower: "mp3 m4a wav ogg opus flac aac",
    },
    Called {
        modality: Modality::Video,
        same: "videos film films movie movies clip clips",
        narrower: "mp4 mov mkv avi webm",
    },
];

/// What mails and mailboxes are called, by people and by the endings of files.
const MAILS: &str = "mail mails email emails e-mail e-mails mailbox mailboxes eml mbox";

/// Whether a type is that of mails.
fn is_mail(text: &str) -> bool {
    is_among(MAILS, &called(text))
}

/// A type as it is called, without the point before the ending of a file.
fn called(text: &str) -> String {
    text.to_lowercase().trim_start_matches('.').to_owned()
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|one| one == name)
}

/// A type by what it is called, and whether that says less.
fn type_called(text: &str) -> Option<(Modality, bool)> {
    let name = called(text);
    let known = CALLED.iter().find_map(|called| match is_among(called.narrower, &name) {
        true => Some((called.modality, true)),
        false => is_among(called.same, &name).then_some((called.modality, false)),
    });
    known.or_else(|| Some((name.parse().ok()?, false)))
}

fn modality(text: &str) -> Result<Modality, Fault> {
    type_called(text).map(|(modality, _)| modality).ok_or_else(|| {
        let all: Vec<&str> = Modality::ALL.iter().map(|modality| modality.as_str()).collect();
        let hint = format!("Write one of {}; or what files of that type end with, as in type:md.", all.join(", "));
        invalid(format!("type:{text} is no type.")).hint(hint).into()
    })
}

/// What is told of a type that is taken for more than it says.
fn taken_for_more(part: &Part) -> Option<String> {
    let text = Some(&part.text).filter(|_| part.field.as_deref() == Some("type"))?;
    let (modality, _) = type_called(text).filter(|(_, is_narrower)| *is_narrower)?;
    Some(format!("type:{text} is taken as type:{modality}, which other files are of, too."))
}

fn tier(text: &str) -> Result<Tier, Fault> {
    text.to_lowercase().parse().map_err(|_| {
        let all: Vec<&str> = Tier::ALL.iter().map(|tier| tier.as_str()).collect();
        invalid(format!("tier:{text} is no tier.")).hint(format!("Write one of {}.", all.join(", "))).into()
    })
}

/// The first moment of a date, by the clock of whoever asks.
fn date(field: &str, text: &str, now: Now) -> Result<EpochMs, Fault> {
    let written = match text.to_lowercase().as_str() {
        "today" => um_rules::date_written(now.local()),
        "yesterday" => um_rules::date_written(now.local() - DAY),
        _ => None,
    };
    if let Some([day_first, month_first]) = um_rules::two_readings(text) {
        let error = invalid(format!("{field}:{text} may be two days."));
        let hint = format!(
            "Write {field}:{day_first} if the day stands first in it, or {field}:{month_first} if the month does."
        );
        return Err(error.hint(hint).into());
    }
    let begins = um_rules::date_begins(written.as_deref().unwrap_or(text));
    begins.map(|begins| now.moment(begins)).ok_or_else(|| {
        let error = invalid(format!("{field}:{text} is no date."));
        error.hint(format!("Write {field}:2025-06-01, {field}:2025-06, {field}:2025 or {field}:yesterday.")).into()
    })
}

#[cfg(test)]
mod tests;
