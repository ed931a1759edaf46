//! How fast one connection may ask.

use tokio::time::Instant;
use um_model::{ApiError, ErrorCode};

/// A bucket that fills steadily: each request takes one drop.
#[derive(Debug)]
pub(crate) struct Bucket {
    size: f64,
    per_second: f64,
    drops: f64,
    filled_at: Instant,
}

impl Bucket {
    /// A full bucket that holds two seconds' worth.
    pub(crate) fn new(per_second: u32) -> Self {
        let size = f64::from(per_second) * 2.0;
        Self { size, per_second: f64::from(per_second), drops: size, filled_at: Instant::now() }
    }

    /// Takes a drop.
    ///
    /// # Errors
    /// `RateLimited` when there is none.
    pub(crate) fn take(&mut self) -> Result<(), ApiError> {
        let now = Instant::now();
        let gained = now.duration_since(self.filled_at).as_secs_f64() * self.per_second;
        self.filled_at = now;
        self.drops = (self.drops + gained).min(self.size);
        if self.drops < 1.0 {
            return Err(too_many(format!("more than {} requests a second", self.per_second)));
        }
        self.drops -= 1.0;
        Ok(())
    }
}

/// The refusal of one request too many.
pub(crate) fn too_many(what: String) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, format!("Too many requests on this connection: {what}."))
        .hint("Wait a second and try again.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_empties_and_fills_again() {
        let mut bucket = Bucket::new(10);
        for _ in 0..20 {
            bucket.take().unwrap();
        }
        assert_eq!(bucket.take().unwrap_err().code, ErrorCode::RateLimited);
        tokio::time::advance(Duration::from_millis(100)).await;
        bucket.take().unwrap();
        assert!(bucket.take().is_err());
    }
}
