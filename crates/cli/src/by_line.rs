//! Files that say one thing a line. They are read in one place, so that every verb takes the same files, and names a line that does
//! not fit.

use crate::failure::Failure;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Error, ErrorKind};
use std::path::Path;
use um_model::{ApiError, ErrorCode};

/// What some editors write before the first line of UTF-8 (Unicode Standard, section 23.8). It says nothing.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The lines of a file that say something, with their numbers from 1; `-` is standard input.
///
/// # Errors
/// Wrong usage where it cannot be read, or is not UTF-8.
pub(crate) fn lines(file: &Path) -> Result<Vec<(usize, String)>, Failure> {
    let read = match file == Path::new("-") {
        true => said(std::io::stdin().lock()),
        false => std::fs::File::open(file).and_then(|file| said(BufReader::new(file))),
    };
    read.map_err(|error| unreadable(file, &error))
}

/// What each line of a file says as JSON, with the number of the line. The hint tells what a line is.
///
/// # Errors
/// Wrong usage, as of [`lines`]; or where a line does not fit, which is named.
pub(crate) fn parsed<T: DeserializeOwned>(file: &Path, hint: &str) -> Result<Vec<(usize, T)>, Failure> {
    let parse = |(number, line): (usize, String)| Ok((number, json(number, &line, hint)?));
    lines(file)?.into_iter().map(parse).collect()
}

/// A line as JSON.
///
/// # Errors
/// Wrong usage that names the line.
pub(crate) fn json<T: DeserializeOwned>(number: usize, line: &str, hint: &str) -> Result<T, Failure> {
    // The one line that the parser knows of is no line of the file.
    let why = |error: serde_json::Error| error.to_string().replace(" at line 1 column ", ", column ");
    serde_json::from_str(line).map_err(|error| wrong(number, &why(error), hint))
}

/// Wrong usage because of a line.
pub(crate) fn wrong(number: usize, why: &str, hint: &str) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, format!("Line {number}: {why}.")).hint(hint))
}

/// The lines that say something, with their numbers.
pub(crate) fn said(reader: impl BufRead) -> Result<Vec<(usize, String)>, Error> {
    let mut said = Vec::new();
    for (at, line) in reader.lines().enumerate() {
        let mut line = line?;
        if at == 0 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        if !line.trim().is_empty() {
            said.push((at + 1, line));
        }
    }
    Ok(said)
}

/// Wrong usage because a file has nothing that is asked of it.
pub(crate) fn lacking(file: &Path, what: &str, hint: &str) -> Failure {
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, format!("{} has no {what}.", name(file))).hint(hint))
}

/// What a file is called; `-` is standard input.
fn name(file: &Path) -> String {
    if file == Path::new("-") { "Standard input".to_owned() } else { file.display().to_string() }
}

fn unreadable(file: &Path, error: &Error) -> Failure {
    let name = name(file);
    let message = match error.kind() {
        ErrorKind::InvalidData => format!("{name} is not UTF-8 text."),
        _ => format!("{name}: {}.", um_server::paths::plain(error)),
    };
    Failure::usage(ApiError::new(ErrorCode::InvalidRequest, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;

    #[track_caller]
    fn check(bytes: &[u8], expected: &[(usize, &str)]) {
        let said = said(bytes).unwrap();
        assert_eq!(said.iter().map(|(number, line)| (*number, line.as_str())).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_that_say_something_keep_their_numbers() {
        check(b"", &[]);
        check(b"a\r\n\n \t\nb", &[(1, "a"), (4, "b")]);
        check(b"\n\na\n", &[(3, "a")]);
    }

    #[test]
    fn a_mark_before_the_first_line_says_nothing() {
        check("\u{feff}{\"a\": 1}\nb".as_bytes(), &[(1, "{\"a\": 1}"), (2, "b")]);
        check("\u{feff}\nb".as_bytes(), &[(2, "b")]);
        check("\u{feff}".as_bytes(), &[]);
        check("a\n\u{feff}b".as_bytes(), &[(1, "a"), (2, "\u{feff}b")]);
        check("\u{feff}\u{feff}a".as_bytes(), &[(1, "\u{feff}a")]);
    }

    #[test]
    fn what_cannot_be_read_is_wrong_usage_and_a_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("set.jsonl");
        for (bytes, says) in [
            (&b"1\n\n2\n"[..], "read"),
            (b"1\n\ntwo\n", "Line 3: expected ident, column 2."),
            (b"1\n\"2\"", "Line 2: invalid type: string \"2\", expected u32, column 3."),
            (b"1\n\xff\n", "is not UTF-8 text."),
        ] {
            std::fs::write(&file, bytes).unwrap();
            match parsed::<u32>(&file, "Write numbers.") {
                Ok(read) => assert_eq!((read.as_slice(), says), (&[(1, 1), (3, 2)][..], "read")),
                Err(Failure { error, exit }) => {
                    assert_eq!(exit, Exit::Usage);
                    assert!(error.message.ends_with(says), "{says}: {error}");
                }
            }
        }
        let missing = lines(&folder.path().join("none")).unwrap_err();
        assert!(missing.exit == Exit::Usage && missing.error.message.contains("none: "), "{}", missing.error);
    }
}
