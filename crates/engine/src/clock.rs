//! The one clock. Logic asks it; tests set it.

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
