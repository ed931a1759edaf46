//! How fast one connection may ask, and how much one agent may ask and get over all of its connections.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::time::Instant;
use um_engine::Admitted;
use um_model::{AgentId, ApiError, ErrorCode};

/// Bytes of answers that an agent gets in a minute, on average: some 4 million words.
const ANSWER_BYTES_PER_MINUTE: f64 = 24.0 * 1024.0 * 1024.0;

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
        Self::of(f64::from(per_second) * 2.0, f64::from(per_second))
    }

    /// A full bucket of that size.
    fn of(size: f64, per_second: f64) -> Self {
        Self { size, per_second, drops: size, filled_at: Instant::now() }
    }

    fn fill(&mut self) {
        let now = Instant::now();
        let gained = now.duration_since(self.filled_at).as_secs_f64() * self.per_second;
        self.filled_at = now;
        self.drops = (self.drops + gained).min(self.size);
    }

    /// Takes a drop, if there is one.
    fn has_taken(&mut self) -> bool {
        self.fill();
        let is_there = self.drops >= 1.0;
        if is_there {
            self.drops -= 1.0;
        }
        is_there
    }

    /// Takes a drop.
    ///
    /// # Errors
    /// `RateLimited` when there is none.
    pub(crate) fn take(&mut self) -> Result<(), ApiError> {
        match self.has_taken() {
            true => Ok(()),
            false => Err(too_many(format!("more than {} requests a second", self.per_second))),
        }
    }
}

/// The refusal of one request too many.
pub(crate) fn too_many(what: String) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, format!("Too many requests on this connection: {what}."))
        .hint("Wait a second and try again.")
}

/// What is left to each agent.
#[derive(Debug, Default)]
pub(crate) struct Rates(Mutex<HashMap<AgentId, Left>>);

#[derive(Debug)]
struct Left {
    per_minute: u32,
    requests: Bucket,
    bytes: Bucket,
}

impl Left {
    fn of(agent: &Admitted) -> Self {
        let per_minute = agent.requests_per_minute;
        let bytes = Bucket::of(ANSWER_BYTES_PER_MINUTE, ANSWER_BYTES_PER_MINUTE / 60.0);
        // A minute's worth may come at once.
        let minute = f64::from(per_minute);
        Self { per_minute, requests: Bucket::of(minute, minute / 60.0), bytes }
    }
}

impl Rates {
    fn with<T>(&self, agent: &Admitted, act: impl FnOnce(&mut Left) -> T) -> T {
        let mut agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = agents.entry(agent.agent.clone()).or_insert_with(|| Left::of(agent));
        if left.per_minute != agent.requests_per_minute {
            *left = Left::of(agent);
        }
        act(left)
    }

    /// Takes a request.
    ///
    /// # Errors
    /// `RateLimited`.
    pub(crate) fn take(&self, agent: &Admitted) -> Result<(), ApiError> {
        let limited = |message: String| {
            Err(ApiError::new(ErrorCode::RateLimited, message).hint("Wait a few seconds, and ask for less."))
        };
        self.with(agent, |left| {
            left.bytes.fill();
            if left.bytes.drops <= 0.0 {
                return limited(format!("{} got more than its share of answers in the last minute.", agent.name));
            }
            match left.requests.has_taken() {
                true => Ok(()),
                false => limited(format!("{} asked more than {} times a minute.", agent.name, left.per_minute)),
            }
        })
    }

    /// Takes an answer. The last one may be larger than what was left: it is waited for before the next.
    pub(crate) fn charge(&self, agent: &Admitted, bytes: usize) {
        self.with(agent, |left| {
            left.bytes.fill();
            left.bytes.drops -= bytes as f64;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use um_model::access::ToolProfile;

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

    fn agent(requests_per_minute: u32) -> Admitted {
        Admitted {
            agent: AgentId::owner(),
            name: "test".into(),
            token: um_model::TokenId::parse(um_model::OWNER_AGENT).unwrap(),
            spaces: Vec::new(),
            rights: Vec::new(),
            grants: Vec::new(),
            profile: ToolProfile::Default,
            requests_per_minute,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_agent_is_held_to_its_requests_and_its_bytes() {
        let rates = Rates::default();
        let slow = agent(60);
        for _ in 0..60 {
            rates.take(&slow).unwrap();
        }
        assert_eq!(rates.take(&slow).unwrap_err().code, ErrorCode::RateLimited);
        tokio::time::advance(Duration::from_secs(1)).await;
        rates.take(&slow).unwrap();
        // Another number counts from now on.
        rates.take(&agent(600)).unwrap();
        rates.charge(&agent(600), 2 * ANSWER_BYTES_PER_MINUTE as usize);
        let refused = rates.take(&agent(600)).unwrap_err();
        assert!(refused.message.contains("share of answers"), "{refused}");
        tokio::time::advance(Duration::from_secs(90)).await;
        rates.take(&agent(600)).unwrap();
    }
}
