//! Mails of several parts (RFC 2046, section 5.1).

/// What stands between borders.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// The parts, each with its head.
    pub(super) parts: Vec<&'a [u8]>,
    /// What stands behind the last border, as lists add to a mail.
    pub(super) behind: &'a [u8],
}

/// The parts of a content, at most `most` and one. What stands before the first border is for programs that know no parts.
/// `None` where there is no border.
pub(super) fn split<'a>(content: &'a [u8], boundary: &str, most: usize) -> Option<Parts<'a>> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (None, 0);
    for line in content.split_inclusive(|byte| *byte == b'\n') {
        let (begin, end) = (at, at + line.len());
        at = end;
        let border = line.strip_prefix(b"--").and_then(|rest| rest.strip_prefix(boundary.as_bytes()));
        let Some(rest) = border.map(<[u8]>::trim_ascii_end).filter(|rest| rest.is_empty() || *rest == b"--") else {
            continue;
        };
        if let Some(start) = start.replace(end) {
            parts.push(&content[start..begin]);
        }
        if parts.len() > most {
            return Some(Parts { parts, behind: &[] });
        }
        if rest == b"--" {
            return Some(Parts { parts, behind: &content[end..] });
        }
    }
    // The last border may have been cut off.
    parts.push(&content[start?..]);
    Some(Parts { parts, behind: &[] })
}
