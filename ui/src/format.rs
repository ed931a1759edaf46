//! Places, times, sizes and counts in the words that a person reads.

pub use um_model::numbers::grouped;
use um_model::{Modality, TimeSpan, ViewType, capture::TextView};

/// A moment in a recording: `0:42`, `12:41`, `1:02:03`.
pub fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// A span of a recording: `0:42-0:47`, or one moment where both ends fall into the same second.
pub fn clock_span(time: TimeSpan) -> String {
    let (start, end) = (clock(time.start_ms), clock(time.end_ms));
    if start == end { start } else { format!("{start}-{end}") }
}

/// Lines of a text: `line 12`, `lines 12-14`.
pub fn lines_label([first, last]: [u32; 2]) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first}-{last}") }
}

/// How sure the reader was, named: `read 94 %` (OCR), `heard 83 %` (speech); nothing for native text.
pub fn quality_label(view: Option<ViewType>, quality: Option<f64>) -> Option<String> {
    let verb = match view? {
        ViewType::Ocr => "read",
        ViewType::Asr => "heard",
        _ => return None,
    };
    Some(format!("{verb} {}", percent(quality?)))
}

/// A share from 0 to 1 as `94 %`.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share.clamp(0.0, 1.0) * 100.0)
}

/// A size in decimal units: `820 bytes`, `38 MB`, `1.2 GB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return count(bytes, "byte");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if value < 9.95 && unit > 0 { format!("{value:.1} {}", UNITS[unit]) } else { format!("{value:.0} {}", UNITS[unit]) }
}

/// A number with its noun: `1 file`, `12 files`, `1,204 files`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Words that begin with a capital letter.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `a`, `a or b`, `a, b or c`: with such a word before the last.
pub fn joined(words: &[String], by: &str) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} {by} {last}", first.join(", ")),
        words => words.concat(),
    }
}

/// A reader's name as people know it.
pub fn reader_word(extractor: &str) -> &str {
    match extractor {
        "tesseract" => "Tesseract",
        "whisper" => "Whisper",
        other => other,
    }
}

/// What a reader does, and its name where it can be another one.
pub fn reader_name(view: &TextView) -> String {
    let version = view.model_id.as_deref().filter(|model| !model.is_empty() && *model != "not installed");
    match (view.extractor_id.as_str(), version) {
        ("tesseract", Some(version)) => format!("Text recognition (Tesseract {version})"),
        ("tesseract", None) => "Text recognition (Tesseract)".into(),
        ("whisper", Some(model)) => format!("Speech recognition (Whisper, {model})"),
        ("whisper", None) => "Speech recognition (Whisper)".into(),
        ("pdfium", _) => "The words that the PDF holds".into(),
        ("metadata", _) => "The file's name".into(),
        ("html" | "docx" | "markdown" | "mail" | "text", _) => "The words that the file holds".into(),
        (other, _) => other.to_owned(),
    }
}

/// What a file is, in a word.
pub fn modality_name(modality: Modality) -> &'static str {
    match modality {
        Modality::Text => "Text",
        Modality::Source => "Source code",
        Modality::Html => "Web page",
        Modality::Document => "Document",
        Modality::Pdf => "PDF",
        Modality::Image => "Picture",
        Modality::Audio => "Recording",
        Modality::Video => "Video",
        Modality::Other => "Other",
    }
}

/// How a text came about, in words.
pub fn view_name(view: ViewType) -> &'static str {
    match view {
        ViewType::Ocr => "Words in the picture",
        ViewType::Asr => "What is said",
        ViewType::Caption => "Description",
        ViewType::Pdf => "PDF text",
        ViewType::Metadata => "File details",
        ViewType::Annotation => "Your note",
        ViewType::Document => "Text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_as_people_do() {
        for (words, expected) in
            [(&["a"][..], "a"), (&["a", "b"], "a or b"), (&["a", "b", "c"], "a, b or c"), (&[], "")]
        {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(joined(&words, "or"), expected);
        }
    }

    #[test]
    fn moments_and_spans() {
        assert_eq!(clock(0), "0:00");
        assert_eq!(clock(42_900), "0:42");
        assert_eq!(clock(761_000), "12:41");
        assert_eq!(clock(3_723_000), "1:02:03");
        assert_eq!(clock_span(TimeSpan { start_ms: 42_000, end_ms: 47_500 }), "0:42-0:47");
        assert_eq!(clock_span(TimeSpan { start_ms: 7_000, end_ms: 7_400 }), "0:07");
    }

    #[test]
    fn lines_are_one_or_many() {
        assert_eq!(lines_label([12, 12]), "line 12");
        assert_eq!(lines_label([12, 14]), "lines 12-14");
    }

    #[test]
    fn sizes_are_decimal_and_short() {
        for (bytes, text) in [
            (1, "1 byte"),
            (820, "820 bytes"),
            (1_000, "1 KB"),
            (38_200_000, "38 MB"),
            (1_240_000_000, "1.2 GB"),
            (999_600, "1.0 MB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_204), "1,204");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(12, "file"), "12 files");
    }

    #[test]
    fn quality_names_itself_and_native_text_has_none() {
        assert_eq!(quality_label(Some(ViewType::Ocr), Some(0.94)).as_deref(), Some("read 94 %"));
        assert_eq!(quality_label(Some(ViewType::Asr), Some(0.83)).as_deref(), Some("heard 83 %"));
        assert_eq!(quality_label(Some(ViewType::Pdf), Some(1.0)), None);
        assert_eq!(quality_label(None, Some(1.0)), None);
    }
}
