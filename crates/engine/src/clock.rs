//! The one clock. Logic asks it; tests set it. And which times can be told at all.

use crate::error::{Outcome, invalid};
use um_model::EpochMs;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now, in milliseconds since the epoch.
    fn now(&self) -> EpochMs;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> EpochMs {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as EpochMs)
    }
}

/// Whether a date can be written of a time: it lies in the years 1 to 9999.
pub(crate) fn has_date(at: EpochMs) -> bool {
    um_rules::date_written(at).is_some()
}

/// Refuses times from outside that have no date: nothing that is kept lies beyond them, so that days can be added to it.
pub(crate) fn check(times: &[Option<EpochMs>]) -> Outcome<()> {
    match times.iter().flatten().all(|at| has_date(*at)) {
        true => Ok(()),
        false => {
            Err(invalid("A time lies outside of the years 1 to 9999.").hint("Give it in milliseconds since 1970, UTC."))
        }
    }
}
