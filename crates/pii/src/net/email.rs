//! E-mail addresses, from each `@` outwards.

use crate::kind::Kind;
use crate::settle::Proposal;
use crate::source::Source;

/// The longest name of a mailbox, in bytes (RFC 5321).
const LOCAL: usize = 64;
/// The longest name of a host, in bytes.
const HOST: usize = 255;
/// Endings of files, which follow `icon@2x`, and an address that a file is named after.
const FILES: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "ts", "json", "pdf", "html", "md", "rs", "py", "txt",
    "csv", "docx", "xlsx", "eml", "wav", "mp3", "mp4",
];

pub(crate) fn detect(source: &Source<'_>, found: &mut Vec<Proposal>) {
    for (at, _) in source.text.match_indices('@') {
        let local = local(source.before(at, LOCAL));
        let host = host(source.after(at + 1, HOST));
        if local.is_empty() || host.is_empty() || is_remote(source, local, at + 1 + host.len()) {
            continue;
        }
        let range = at - local.len()..at + 1 + host.len();
        found.push(Proposal { range, kind: Kind::Email, detector: "net.email", confidence: 0.97 });
    }
}

/// The mailbox before an `@`; empty where none stands there.
fn local(before: &str) -> &str {
    let start = before.rfind(|c: char| !(c.is_alphanumeric() || "._%+-'’&".contains(c)));
    let local = start.map_or(before, |at| &before[at + before[at..].chars().next().map_or(0, char::len_utf8)..]);
    local.trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// The host after an `@`: labels with dots between them, the last one of letters only; empty where none stands there.
fn host(after: &str) -> &str {
    let end = after.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-')).unwrap_or(after.len());
    let host = without_ending(after[..end].trim_end_matches(['.', '-']));
    let Some((name, top)) = host.rsplit_once('.') else { return "" };
    let labels = name.split('.').all(|label| !label.is_empty() && !label.starts_with('-'));
    let letters = top.chars().count() >= 2 && top.chars().all(char::is_alphabetic);
    if labels && letters { host } else { "" }
}

/// A host without the ending of a file behind it.
fn without_ending(host: &str) -> &str {
    match host.rsplit_once('.') {
        Some((name, ending)) if FILES.contains(&ending.to_ascii_lowercase().as_str()) => name,
        _ => host,
    }
}

/// `git@host:owner`: where a program connects to, and nobody's mailbox.
fn is_remote(source: &Source<'_>, local: &str, end: usize) -> bool {
    local == "git" && source.text[end..].starts_with([':', '/'])
}
