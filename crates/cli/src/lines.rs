//! `remember --file`: many texts, one a line.

use crate::args;
use crate::by_line;
use crate::failure::{Exit, Failure};
use crate::print::{Live, Output};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use um_model::memories::{MAX_ADDED, MemoriesAdd, MemoriesAdded, MemoryAdded, MemoryText};
use um_model::{ApiError, ErrorCode};
use um_server::client::Connection;
use um_server::text::count;

/// So many bytes of JSON are sent at once: a request is one line of the socket, which has an end.
const PORTION: usize = 768 * 1024;

/// The longest line in bytes: a text may be written with escapes.
const LONGEST: usize = 2 * um_model::capture::MAX_MEMORY_BYTES;

/// What the verb answers.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// What became of each line that says something, in their order.
    memories: Vec<Told>,
    created: u64,
    known: u64,
    refused: u64,
}

/// What became of a line.
#[derive(Debug, Serialize)]
struct Told {
    /// Its number, from 1.
    line: usize,
    #[serde(flatten)]
    added: MemoryAdded,
}

/// A text with the number of its line.
type Line = (usize, MemoryText);

/// `umem remember --file FILE`
pub(crate) async fn remember(
    service: &mut Connection,
    (file, asked): (&Path, &args::Remember),
    output: Output,
) -> Result<ExitCode, Failure> {
    let lines = texts(by_line::lines(file)?)?;
    let (total, mut done, mut report, mut shown) = (lines.len(), 0, Report::default(), Live::default());
    for portion in portions(lines) {
        let (numbers, memories): (Vec<usize>, Vec<MemoryText>) = portion.into_iter().unzip();
        let added = service.run(MemoriesAdd { space: asked.space.clone(), memories }).await?;
        report.add(&numbers, added);
        done += numbers.len();
        shown.show(&format!("{done} of {}", count(total as u64, "text")));
    }
    shown.clear();
    let exit = output.answer(&report, words);
    Ok(if report.refused > 0 { Exit::Failed.into() } else { exit })
}

impl Report {
    fn add(&mut self, numbers: &[usize], added: MemoriesAdded) {
        self.created += added.created;
        self.known += added.known;
        self.refused += added.refused;
        let told = numbers.iter().zip(added.memories).map(|(line, added)| Told { line: *line, added });
        self.memories.extend(told);
    }
}

fn words(report: &Report) -> String {
    let refused = report.memories.iter().filter_map(|told| Some((told.line, told.added.error.as_ref()?)));
    let mut lines: Vec<String> = refused.map(|(line, error)| format!("Line {line}: {error}")).collect();
    let Report { created, known, refused, .. } = report;
    lines.push(format!("{created} remembered, {known} known already, {refused} not kept"));
    lines.join("\n")
}

/// The texts of lines: what begins with a brace is JSON, as memories_add takes it; any other line is a text.
fn texts(said: Vec<(usize, String)>) -> Result<Vec<Line>, Failure> {
    let text = |(number, line): (usize, String)| Ok((number, text_of(number, line.trim())?));
    let texts: Vec<Line> = said.into_iter().map(text).collect::<Result<_, Failure>>()?;
    match texts.is_empty() {
        true => Err(ApiError::new(ErrorCode::Empty, "There is no text to remember.").into()),
        false => Ok(texts),
    }
}

fn text_of(number: usize, line: &str) -> Result<MemoryText, Failure> {
    if line.len() > LONGEST {
        let says = format!("Line {number} has more than {LONGEST} bytes.");
        let hint = "Save it as a file and bring that in: umem ingest PATH --space S";
        return Err(ApiError::new(ErrorCode::TextTooLong, says).hint(hint).into());
    }
    if !line.starts_with('{') {
        return Ok(MemoryText { text: line.to_owned(), ..MemoryText::default() });
    }
    let hint = "A line is a text, or {\"text\": …} with the fields of memories_add; see docs/cli.md.";
    let parsed: MemoryText = by_line::json(number, line, hint)?;
    let known = serde_json::to_value(&parsed).map_err(|error| by_line::wrong(number, &error.to_string(), hint))?;
    let said: Value = by_line::json(number, line, hint)?;
    match said.as_object().into_iter().flatten().find(|(field, _)| known.get(field).is_none()) {
        Some((field, _)) => Err(by_line::wrong(number, &format!("there is no field \"{field}\""), hint)),
        None => Ok(parsed),
    }
}

/// As few portions as one request each takes.
fn portions(lines: Vec<Line>) -> Vec<Vec<Line>> {
    let mut portions: Vec<Vec<Line>> = Vec::new();
    let mut room = 0;
    for line in lines {
        let bytes = serde_json::to_string(&line.1).map_or(PORTION, |json| json.len());
        match portions.last_mut().filter(|last| last.len() < MAX_ADDED && bytes <= room) {
            Some(last) => last.push(line),
            None => {
                portions.push(vec![line]);
                room = PORTION;
            }
        }
        room = room.saturating_sub(bytes);
    }
    portions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_texts_or_json() {
        let read = |text: &str| texts(by_line::said(text.as_bytes()).unwrap()).map_err(|failure| failure.error.message);
        let texts = read("One.\r\n\n  {\"text\": \"Two.\", \"key\": \"k\"}\n\tThree {3}.\n").unwrap();
        let told: Vec<_> = texts.iter().map(|(at, text)| (*at, text.text.as_str(), text.key.as_deref())).collect();
        assert_eq!(told, [(1, "One.", None), (3, "Two.", Some("k")), (4, "Three {3}.", None)]);
        for (text, says) in [
            ("", "There is no text"),
            (" \n\n", "There is no text"),
            ("a\n{\"text\": 5}", "Line 2: invalid type"),
            ("{\"txt\": \"a\"}", "Line 1: missing field `text`"),
            ("{\"text\": \"a\", \"keey\": \"a\"}", "Line 1: there is no field \"keey\""),
            ("{not json", "Line 1: "),
            (&"x".repeat(LONGEST + 1), "Line 1 has more than"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.starts_with(says), "{text}: {message}");
        }
    }

    #[test]
    fn portions_keep_the_order_and_fit_a_request() {
        for (count, bytes) in [(1, 10), (2_500, 10), (50, 90_000), (3, LONGEST)] {
            let line = |number: usize| (number, MemoryText { text: "x".repeat(bytes), ..MemoryText::default() });
            let portions = portions((0..count).map(line).collect());
            let sent = |portion: &Vec<Line>| serde_json::to_string(portion).unwrap().len();
            assert!(portions.iter().all(|one| one.len() <= MAX_ADDED && sent(one) < 1 << 20));
            let numbers: Vec<usize> = portions.iter().flatten().map(|(number, _)| *number).collect();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
    }
}
