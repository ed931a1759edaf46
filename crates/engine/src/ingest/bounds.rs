//! What a text that is to be kept may say, and how much of it.

use super::remember::layer;
use crate::clock;
use crate::error::{Outcome, invalid};
use um_model::capture::{self, MemoryRemember};
use um_model::envelope::MemoryLayer;
use um_model::{ApiError, ErrorCode};

/// The longest title, in bytes: it stands beside each passage in the index.
const MAX_TITLE: usize = 500;
/// A memory is made of at most so many others.
const MAX_ORIGINS: usize = 50;
/// The longest key, owner and session, in bytes.
const MAX_LABEL: usize = 200;
/// The longest address of where it came from, in bytes.
const MAX_REFERENCE: usize = 2_000;
/// The product's own name in the metadata of a memory, by which copies say that nobody knows when they were said.
const UNTOLD: &str = "untold";

/// Refuses a text without words, one with too many, one of a time without a date, and an envelope that does not go with it.
pub(super) fn check(request: &MemoryRemember) -> Outcome<()> {
    let labels = [
        (&request.title, MAX_TITLE),
        (&request.key, MAX_LABEL),
        (&request.owner, MAX_LABEL),
        (&request.session, MAX_LABEL),
        (&request.artifact_ref, MAX_REFERENCE),
    ];
    if labels.iter().any(|(label, limit)| label.as_ref().is_some_and(|label| label.len() > *limit)) {
        return Err(ApiError::new(
            ErrorCode::TextTooLong,
            format!(
                "A title has at most {MAX_TITLE} bytes; a key, owner or session at most {MAX_LABEL}; an address at most \
                 {MAX_REFERENCE}."
            ),
        ));
    }
    check_envelope(request)?;
    clock::check(&[request.occurred_at])?;
    if request.derived_from.len() > MAX_ORIGINS {
        return Err(invalid(format!("A memory is made of at most {MAX_ORIGINS} others.")).hint("Name the main ones."));
    }
    if request.text.trim().is_empty() {
        return Err(ApiError::new(ErrorCode::Empty, "There is no text to remember."));
    }
    if request.text.len() > capture::MAX_MEMORY_BYTES {
        return Err(ApiError::new(
            ErrorCode::TextTooLong,
            format!("The text has {} bytes; a memory has at most {}.", request.text.len(), capture::MAX_MEMORY_BYTES),
        )
        .hint("Save it as a file and ingest that, or split it."));
    }
    Ok(())
}

fn check_envelope(request: &MemoryRemember) -> Outcome<()> {
    if request.importance.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
        return Err(invalid("How much it matters is a number from 0 to 1."));
    }
    crate::blocks::check_metadata(&request.metadata)?;
    if request.metadata.contains_key(UNTOLD) {
        return Err(invalid(format!("The metadata say \"{UNTOLD}\".")).hint("That is kept for the product itself."));
    }
    if layer(request) == MemoryLayer::Raw {
        if request.key.as_ref().is_some_and(|key| !key.trim().is_empty()) {
            return Err(invalid("A raw memory has no key, as nothing takes its place.")
                .hint("Leave the key out, or keep a distilled memory."));
        }
        if !request.derived_from.is_empty() {
            return Err(invalid("A raw memory is what was said, and made of no others.")
                .hint("Keep a distilled one of what you conclude."));
        }
        if request.expires_at.is_some() {
            return Err(invalid("A raw memory is what was said, and stays.")
                .hint("Keep a distilled one of what is so for a time only."));
        }
    }
    Ok(())
}
