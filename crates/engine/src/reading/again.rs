//! Reading again what an earlier version read otherwise: mails, which it kept as the text that they came as.

use crate::Engine;
use crate::error::Outcome;
use crate::extract::MAIL;
use std::sync::atomic::{AtomicI64, Ordering};
use um_store::{artifacts, jobs};

/// Behind which file (its rid) the next old mail is looked for in this run, so that one that cannot be read is tried once.
#[derive(Debug, Default)]
pub(crate) struct OldMails(AtomicI64);

/// Queues one mail that an earlier version read, where there is one: at the lowest priority, and the next one not before this one is
/// done. Gives whether it queued any.
pub(crate) fn queue_next(engine: &Engine) -> Outcome<bool> {
    let OldMails(looked_at) = &engine.core().old_mails;
    let after = looked_at.load(Ordering::Relaxed);
    // All mails that come in from then on are read by this version.
    if after == i64::MAX {
        return Ok(false);
    }
    let next = engine.read(|c| Ok(artifacts::read_as_text(c, MAIL, after)?))?;
    looked_at.fetch_max(next.as_ref().map_or(i64::MAX, |(rid, _)| *rid), Ordering::Relaxed);
    let Some((_, file)) = next else { return Ok(false) };
    let now = engine.now();
    engine.write(move |tx| {
        let of = (&file.id, file.modality);
        crate::work::queue_reading(tx, of, &file.space_id, jobs::PRIORITY_AGAIN, true, now)
    })?;
    Ok(true)
}
