//! Places, times, sizes and counts in the words that a person reads.

use um_model::{Modality, TimeSpan, ViewType, recall::Hit};

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

/// Where a hit stands, in the shortest words: a time, else a page, else a box, else lines.
/// `box_number` counts the cited boxes of one picture from 1.
pub fn place_label(hit: &Hit, box_number: Option<u32>) -> Option<String> {
    if let Some(time) = hit.time {
        return Some(clock_span(time));
    }
    if hit.modality == Modality::Image {
        return box_number.map(|number| format!("box {number}"));
    }
    hit.page.map(|page| format!("p. {page}")).or_else(|| hit.lines.map(lines_label))
}

/// The number of each hit's box among the hits on the same picture, counted from the top; none for
/// hits that are not on a picture.
pub fn box_numbers(hits: &[Hit]) -> Vec<Option<u32>> {
    let above = |a: &Hit, b: &Hit| match (a.bbox, b.bbox) {
        (Some(a), Some(b)) => (a[1], a[0]) < (b[1], b[0]),
        _ => false,
    };
    hits.iter()
        .map(|hit| {
            (hit.modality == Modality::Image).then(|| {
                let same = hits.iter().filter(|other| other.ids.artifact == hit.ids.artifact);
                1 + same.filter(|other| above(other, hit)).count() as u32
            })
        })
        .collect()
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

/// A number with a comma at each thousand.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A reader's name as people know it.
pub fn reader_name(extractor: &str) -> String {
    match extractor {
        "tesseract" => "Tesseract".into(),
        "whisper" => "Whisper".into(),
        "pdfium" => "pdfium".into(),
        other => other.to_owned(),
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

    fn hit(artifact: u8, modality: &str, extra: &str) -> Hit {
        let id = format!("00000000-0000-7000-8000-0000000000{artifact:02}");
        serde_json::from_str(&format!(
            r#"{{"rank":1,"score":1.0,"score_parts":{{}},"quote":"q","span":{{"start":0,"end":1}},"span_hash":"",
            "matches":[],"ids":{{"unit":"{id}","memory":"{id}","artifact":"{id}","space":"{id}"}},
            "title":"t","modality":"{modality}","space_name":"s","actor_id":"{id}","actor_name":"a",
            "recorded_at":0{extra}}}"#
        ))
        .unwrap()
    }

    #[test]
    fn a_time_wins_over_a_page_and_lines_come_last() {
        assert_eq!(
            place_label(&hit(1, "audio", r#","time":{"start_ms":42000,"end_ms":47000},"page":3"#), None).unwrap(),
            "0:42-0:47"
        );
        assert_eq!(place_label(&hit(1, "pdf", r#","page":2,"lines":[4,5]"#), None).unwrap(), "p. 2");
        assert_eq!(place_label(&hit(1, "text", r#","lines":[12,14]"#), None).unwrap(), "lines 12-14");
        assert_eq!(place_label(&hit(1, "image", r#","bbox":[0,0,1,1]"#), Some(4)).unwrap(), "box 4");
    }

    #[test]
    fn boxes_are_counted_from_the_top_of_each_picture() {
        let hits = [
            hit(1, "image", r#","bbox":[0,90,5,5]"#),
            hit(1, "image", r#","bbox":[0,10,5,5]"#),
            hit(2, "image", r#","bbox":[0,50,5,5]"#),
            hit(3, "text", ""),
        ];
        assert_eq!(box_numbers(&hits), [Some(2), Some(1), Some(1), None]);
    }
}
