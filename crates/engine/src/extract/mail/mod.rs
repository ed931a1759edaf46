//! Mails, one in a file (RFC 5322, `.eml`) or many (RFC 4155, `.mbox`): who they are from and to, when, about what, and what they
//! say, as a mail program would show it.

use super::{MAX_CHARS, Text, plain, too_long};
use crate::provider::{ProviderError, ProviderResult};
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;

mod content;
mod date;
mod flowed;
mod head;
mod mailbox;
mod multipart;
mod write;

pub use date::mail_date;

use head::Head;
use write::Writer;

/// Mails with more parts than this are not read: parts inside parts, and mails inside a mail with theirs.
const MOST_PARTS: usize = 1_000;
/// Parts that lie deeper inside one another are not read.
const DEEPEST: usize = 20;

/// Reads a mail, or the mails of a mailbox, each under a heading of its own. What is no mail is read as plain text. Other fields of
/// heads than a mail program shows are left out, and so are attachments but for their names.
///
/// # Errors
/// `Unsupported` when there is more than the limits allow. A mail of a mailbox that has too many parts is read as it came instead, as
/// whoever can send a mail could keep the whole mailbox from being read.
pub(super) fn read(bytes: &[u8]) -> ProviderResult<Text> {
    let whole = in_bytes(bytes);
    let mails = whole.trim_ascii_start();
    let mut writer = Writer::default();
    if mailbox::is_one(mails) {
        for mail in mailbox::mails(mails) {
            writer.mail_of_mailbox(&mails[mail]);
            // Each character has at most four bytes; the exact number is looked at once all is there.
            if writer.length() > 4 * MAX_CHARS {
                return Err(too_long());
            }
        }
    } else if Head::split(mails).0.is_of_mail() {
        writer.mail(mails)?;
    } else {
        return Ok(plain::read(bytes));
    }
    Ok(writer.finish())
}

/// A file without its byte order mark and, where some program saved it so, out of UTF-16.
fn in_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    if encoding == UTF_8 && plain::utf16_without_mark(bytes).is_none() {
        return Cow::Borrowed(&bytes[mark..]);
    }
    Cow::Owned(plain::decode(bytes).0.into_bytes())
}

fn too_many_parts() -> ProviderError {
    ProviderError::Unsupported(format!(
        "The mail has more than {MOST_PARTS} parts, or parts inside one another more than {DEEPEST} deep. Save what you need of it as \
         files of their own to have these read."
    ))
}

#[cfg(test)]
mod tests;
