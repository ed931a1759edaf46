//! Mailboxes: mails one after the other, each behind a line that begins with `From ` (RFC 4155).

use super::head::is_field;
use std::borrow::Cow;
use std::ops::Range;

const MARK: &[u8] = b"From ";

/// Whether a file is a mailbox.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Where the mails of a mailbox lie, each with the line before it.
pub(super) fn mails(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let (mut at, mut is_behind_blank) = (0, true);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = at + line.len();
        // Not every program marks such lines in what a mail says: a head has to follow.
        let begins = line.starts_with(MARK) && (is_behind_blank || has_time(line)) && is_field(&bytes[end..]);
        if at == 0 || begins {
            starts.push(at);
        }
        is_behind_blank = line.trim_ascii().is_empty();
        at = end;
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Whether `09:14` stands in a line.
fn has_time(line: &[u8]) -> bool {
    line.windows(5)
        .any(|five| matches!(five, [a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit())))
}

/// A mail with the lines that begin with `From ` as they were: a `>` was put before each of them.
pub(super) fn unmarked(mail: &[u8]) -> Cow<'_, [u8]> {
    let is_marked = |line: &[u8]| {
        let signs = line.iter().take_while(|byte| **byte == b'>').count();
        signs > 0 && line[signs..].starts_with(MARK)
    };
    let lines = || mail.split_inclusive(|byte| *byte == b'\n');
    if !lines().any(is_marked) {
        return Cow::Borrowed(mail);
    }
    Cow::Owned(lines().flat_map(|line| if is_marked(line) { &line[1..] } else { line }).copied().collect())
}
