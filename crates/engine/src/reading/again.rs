//! Reading again what an earlier version read otherwise: mails, which it kept as the text that they came as, and mailboxes, of whose mails
//! it did not know whom each is from. One that cannot be read so is tried once by each version of the reader.

use super::{document, keep};
use crate::Engine;
use crate::error::Outcome;
use crate::extract::MAIL;
use std::sync::atomic::{AtomicI64, Ordering};
use um_store::{artifacts, jobs};

/// Behind which file (its rid) the next old mail is looked for in this run, so that each is looked at once.
#[derive(Debug, Default)]
pub(crate) struct OldMails(AtomicI64);

impl OldMails {
    /// Moves on from a file to the next one, or to the end. Gives whether nobody else did so since.
    fn go_on(&self, from: i64, to: i64) -> bool {
        self.0.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// Queues one mail that an earlier version read, where there is one, at the lowest priority: each reader that has nothing else to read
/// does so, and does not look for the next one before it has read this one. Gives whether there may be more to do.
pub(crate) fn queue_next(engine: &Engine) -> Outcome<bool> {
    let looked_at = &engine.core().old_mails;
    let after = looked_at.0.load(Ordering::Relaxed);
    // All mails that come in from then on are read by this version.
    if after == i64::MAX {
        return Ok(false);
    }
    let config = keep::config_hash(&document::mail_config());
    let next = engine.read(|c| Ok(artifacts::read_otherwise(c, MAIL, &config, after)?))?;
    // Another reader may have found the same one meanwhile: that one reads it.
    if !looked_at.go_on(after, next.as_ref().map_or(i64::MAX, |(rid, _)| *rid)) {
        return Ok(true);
    }
    let Some((_, file)) = next else { return Ok(false) };
    let now = engine.now();
    engine.write(move |tx| {
        let of = (&file.id, file.modality);
        let job = crate::work::queue_reading(tx, of, &file.space_id, jobs::PRIORITY_AGAIN, true, now)?;
        Ok(jobs::set_reader(tx, &job, &config)?)
    })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_that_two_readers_find_is_one_readers() {
        let mails = OldMails::default();
        assert!(mails.go_on(0, 7));
        assert!(!mails.go_on(0, 7));
        assert!(mails.go_on(7, i64::MAX));
    }
}
