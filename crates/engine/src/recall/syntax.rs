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
        check("type:mail rent", "rent", &|r| r.mails = true);
        check("type:.EML type:pdf type:e-mail", "", &|r| {
            r.mails = true;
            r.modalities = vec![Modality::Pdf];
        });
        check("type:PDF type:photo rent", "rent", &|r| r.modalities = vec![Modality::Pdf, Modality::Image]);
        check("tier:Cold rent tier:warm", "rent", &|r| r.tiers = vec![Tier::Cold, Tier::Warm]);
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
        check("\"cold rent\"\"two rooms\" x", "cold rent two rooms x", &|r| {
            r.phrases = strings(&["cold rent", "two rooms"]);
        });
        // A mark too many behind what is closed is left out, and one before a further quote begins that.
        check("\"cold rent\"\"", "cold rent", &|r| r.phrases = strings(&["cold rent"]));
        check("“cold rent”\" flat", "cold rent flat", &|r| r.phrases = strings(&["cold rent"]));
        check("\"cold rent\"\" two rooms\" x", "cold rent two rooms x", &|r| {
            r.phrases = strings(&["cold rent", "two rooms"]);
        });
        check("rent -\"two rooms\"\"", "rent", &|r| r.without = strings(&["two rooms"]));
        check("from:\"Ana Lima\"\" rent", "rent", &|r| r.from = strings(&["Ana Lima"]));
        check("rent -\"type:pdf\" -http://a", "rent", &|r| r.without = strings(&["type:pdf", "http://a"]));
        check("tag:tax 2024", "2024", &|r| r.tags = strings(&["tax"]));
        check("tag:#tax tag:\"#two words\" 2024", "2024", &|r| r.tags = strings(&["tax", "two words"]));
        // What only looks like a field is a word, and a hyphen within a word is a part of it.
        check("https://a.example well-known -5", "https://a.example well-known -5", &|_| ());
        check("27\" is wide", "27\" is wide", &|_| ());
        check("\"from:\" here", "from: here", &|r| r.phrases = strings(&["from:"]));
        check("\"\" -\"\" -", "-", &|_| ());
    }

    #[test]
    fn a_type_is_meant_by_what_people_and_files_call_it() {
        let check = |typed: &str, expected: Modality| {
            let Ok(read) = read(asked(&format!("type:{typed} rent")), NOW) else { panic!("{typed}") };
            assert_eq!((read.modalities, read.query.as_str()), (vec![expected], "rent"), "{typed}");
        };
        let names = |called: &Called| -> Vec<&'static str> {
            called.same.split_whitespace().chain(called.narrower.split_whitespace()).collect()
        };
        for called in &CALLED {
            check(called.modality.as_str(), called.modality);
            names(called).into_iter().for_each(|name| check(name, called.modality));
        }
        check("Markdown", Modality::Text);
        check(".MD", Modality::Text);
        check("other", Modality::Other);
        let all: Vec<&str> = CALLED.iter().flat_map(names).chain(MAILS.split_whitespace()).collect();
        for (at, name) in all.iter().enumerate() {
            assert!(!all[..at].contains(name) && name.parse::<Modality>().is_err(), "{name} stands there twice");
        }
        // What texts end with is called as a file that ends so is taken for.
        let endings = "txt log md markdown rst org adoc csv tsv ics vcf srt vtt rs py js ts c cpp java go rb sh sql json \
            yaml yml toml xml css";
        for ending in endings.split(' ') {
            let file = crate::extract::sniff_bytes(b"The rent is 700.", &format!("rent.{ending}"));
            check(ending, file.modality);
        }
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
            ("type:. x", "other"),
            ("tier:icy x", "hot, warm, cold"),
            ("rent tier:", "tier:cold"),
            ("before:soon x", "before:2025-06"),
            ("rent -type:pdf", "without a minus"),
            ("rent -from:ana", "without a minus"),
            ("-TAG:\"two words\" rent", "without a minus"),
            ("before:notaday x", "before:yesterday"),
            ("from: ana", "as in from:ana; or \"from:\""),
            ("rent from:", "from:ana"),
            ("rent FROM:\"\"", "from:ana"),
            ("tag:# rent", "tag:tax"),
            ("before:05/01/2024 x", "Write before:2024-01-05 if the day stands first in it, or before:2024-05-01"),
            ("after:5/1/24 x", "after:2024-01-05"),
            ("type: pdf", "type:pdf"),
            ("rent before:", "before:2025-06"),
            ("after: type:pdf", "after:2025-06"),
            ("rent -from:", "without a minus"),
            ("\"not closed", "the second mark"),
            ("rent -\"two rooms", "the second mark"),
            ("from:\"Ana Lima", "the second mark"),
            ("rent \"", "the second mark"),
            ("\"cold rent\" \"", "the second mark"),
            ("\"cold rent\"\"two rooms", "the second mark"),
        ] {
            let Err(fault) = read(asked(typed), NOW) else { panic!("{typed}") };
            let error = um_model::ApiError::from(fault);
            assert_eq!(error.code, um_model::ErrorCode::InvalidRequest, "{typed}");
            assert!(error.hint.unwrap_or_default().contains(hint), "{typed}");
        }
    }

    #[test]
    fn what_says_nothing_is_told() {
        let check = |request: MemoryRecall, expected: &[&str]| assert_eq!(notices(&request), expected, "{request:?}");
        for typed in ["rent - flat", "- flat", "rent -"] {
            check(asked(typed), &[LONE_MINUS]);
        }
        check(asked("rent \"\""), &[NO_WORDS]);
        check(asked("- rent -\"\" -"), &[LONE_MINUS, NO_WORDS]);
        check(asked("\"cold rent\"\""), &[STRAY_QUOTE]);
        for typed in ["rent -flat -5", "\"-\" rent", "from:- rent", "well-known", "\"cold rent\""] {
            check(asked(typed), &[]);
        }
        check(MemoryRecall { fielded: false, ..asked("rent - \"\"") }, &[]);
    }

    #[test]
    fn fields_that_are_taken_as_words_are_told() {
        let check = |query: &str, fields: Option<&str>| {
            let told = notices(&MemoryRecall { fielded: false, ..asked(query) });
            let begins = fields.map(|fields| format!("{fields} in the question was taken as words"));
            assert_eq!(told.len(), usize::from(begins.is_some()), "{query}: {told:?}");
            assert!(told.iter().zip(&begins).all(|(told, begins)| told.starts_with(begins)), "{query}: {told:?}");
        };
        check("rent from:ana", Some("`from:`"));
        check("type:pdf rent FROM:\"Ana Lima\" from:bo before:2025-06", Some("`before:`, `from:`, `type:`"));
        check("tag:#tax after:yesterday tier:cold", Some("`after:`, `tag:`, `tier:`"));
        for words in
            ["rent", "Note from: Ana", "type:smell", "before:lunch after:all", "from:- tier:two", "https://a.example"]
        {
            check(words, None);
        }
    }

    #[test]
    fn a_type_that_is_taken_for_more_is_told() {
        let check = |typed: &str, expected: &[&str]| assert_eq!(notices(&asked(typed)), expected, "{typed}");
        let md = "type:md is taken as type:text, which other files are of, too.";
        check("type:md rent", &[md]);
        check("rent type:md type:md", &[md]);
        check(
            "type:\"md\" type:.JPG - rent",
            &[LONE_MINUS, "type:.JPG is taken as type:image, which other files are of, too.", md],
        );
        for typed in [
            "type:text rent",
            "type:mail rent",
            "type:note rent",
            "type:photos rent",
            "type:htm rent",
            "type:other rent",
            "md rent",
        ] {
            check(typed, &[]);
        }
    }

    #[test]
    fn phrases_of_signs_alone_are_told() {
        let check = |phrases: &[&str], without: &[&str], is_told: bool| {
            let strings = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
            let request =
                MemoryRecall { phrases: strings(phrases), without: strings(without), ..MemoryRecall::default() };
            assert_eq!(wordless(&request), is_told.then_some(NO_LETTERS), "{phrases:?} {without:?}");
        };
        check(&["cold rent", "7"], &["会議"], false);
        check(&["cold rent", "!!!"], &[], true);
        check(&[], &["?"], true);
        check(&[""], &[], true);
    }
}
