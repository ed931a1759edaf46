//! The places of connections: how many there are, whose they are, and who gives way where all are taken.

use crate::wire::invalid;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use um_model::{ApiError, ErrorCode};

/// All places.
#[derive(Debug)]
pub(crate) struct Places {
    /// Connections at once.
    most: usize,
    /// Of them, of one process.
    of_one: usize,
    taken: Mutex<Vec<Taken>>,
}

/// A place that is taken.
#[derive(Debug)]
struct Taken {
    /// The process at the other end, where the system tells it.
    pid: Option<i32>,
    /// No whole line has come.
    is_silent: bool,
    /// Rung once somebody else has the place.
    lost: Arc<Notify>,
}

/// A connection's place. It is free again once this goes.
#[derive(Debug)]
pub(crate) struct Place {
    places: Arc<Places>,
    lost: Arc<Notify>,
}

impl Places {
    pub(crate) fn new(most: usize, of_one: usize) -> Self {
        Self { most, of_one, taken: Mutex::default() }
    }

    fn taken(&self) -> MutexGuard<'_, Vec<Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody is connected.
    pub(crate) fn are_free(&self) -> bool {
        self.taken().is_empty()
    }

    /// A place for a connection of that process. Where all are taken, it is that of one that has said nothing yet, as far as its
    /// process has more than this one has.
    ///
    /// # Errors
    /// `RateLimited`.
    pub(crate) fn take(self: &Arc<Self>, pid: Option<i32>) -> Result<Place, ApiError> {
        let mut taken = self.taken();
        let count = |taken: &[Taken], pid| taken.iter().filter(|one| one.pid == pid).count();
        let own = count(&taken, pid);
        // Those that nobody can tell apart are not of one process.
        if pid.is_some() && own >= self.of_one {
            return Err(too_many(format!("This program has {own} connections already.")));
        }
        if taken.len() >= self.most {
            let silent = (0..taken.len()).rev().filter(|at| taken[*at].is_silent);
            let gives_way = |at: &usize| pid.is_none() || count(&taken, taken[*at].pid) > own;
            // Of several with as many the one that came first: it has had the longest time to say something.
            let at = silent.filter(gives_way).max_by_key(|at| count(&taken, taken[*at].pid));
            let at = at.ok_or_else(|| too_many("Too many connections.".to_owned()))?;
            taken.remove(at).lost.notify_one();
        }
        let lost = Arc::new(Notify::new());
        taken.push(Taken { pid, is_silent: true, lost: lost.clone() });
        Ok(Place { places: self.clone(), lost })
    }
}

impl Place {
    /// A whole line came: nobody takes the place any more.
    pub(crate) fn spoken(&self) {
        let mut taken = self.places.taken();
        taken.iter_mut().filter(|one| Arc::ptr_eq(&one.lost, &self.lost)).for_each(|one| one.is_silent = false);
    }

    /// Returns once somebody else has the place.
    pub(crate) async fn lost(&self) {
        self.lost.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.taken().retain(|one| !Arc::ptr_eq(&one.lost, &self.lost));
    }
}

fn too_many(message: String) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, message).hint("Close some, or wait and try again.")
}

/// What a connection is told that says no whole line in time.
pub(crate) fn too_slow(within: std::time::Duration) -> ApiError {
    invalid(&format!("No whole line came within {within:?}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 6;
    const OF_ONE: usize = 4;

    /// Who has a place, by the number of the process (0 where nobody knows it, below 0 where it has spoken); who comes; and which of
    /// them gives way.
    #[track_caller]
    fn check(there: &[i32], comes: i32, expected: Result<Option<usize>, &str>) {
        let (places, pid) = (Arc::new(Places::new(MOST, OF_ONE)), |of: i32| (of != 0).then_some(of.abs()));
        let mut held = Vec::new();
        for of in there {
            let place = places.take(pid(*of)).expect("a place");
            if *of < 0 {
                place.spoken();
            }
            held.push(place);
        }
        let told = places.take(pid(comes));
        let is_there = |place: &Place| places.taken().iter().any(|one| Arc::ptr_eq(&one.lost, &place.lost));
        let gone = held.iter().position(|place| !is_there(place));
        match (told, expected) {
            (Ok(_place), Ok(expected)) => assert_eq!(gone, expected, "{there:?}, then {comes}"),
            (Err(error), Err(words)) => {
                assert!(error.message.contains(words) && gone.is_none(), "{there:?}, then {comes}: {error}");
            }
            (told, expected) => panic!("{there:?}, then {comes}: {told:?}, not {expected:?}"),
        }
        drop(held);
        assert!(places.are_free(), "who loses its place frees nobody else's");
    }

    #[test]
    fn one_process_takes_not_all_and_who_says_nothing_gives_way() {
        check(&[], 1, Ok(None));
        check(&[1, 1, 1], 1, Ok(None));
        check(&[1, 1, 1, 1], 1, Err("4 connections"));
        check(&[1, 1, 1, 1, 2], 2, Ok(None));
        // All are taken: the oldest silent one of the process that has the most.
        check(&[2, 1, 1, 1, 3, 3], 4, Ok(Some(1)));
        check(&[2, -1, 1, 1, 3, 3], 4, Ok(Some(2)));
        check(&[2, -1, -1, -1, 3, 3], 4, Ok(Some(4)));
        check(&[1, 1, 1, 2, 2, 2], 1, Err("Too many"));
        check(&[1, 1, 1, 1, 2, 2], 2, Ok(Some(0)));
        check(&[-1, -1, -1, -2, -2, -2], 3, Err("Too many"));
        check(&[1, 2, 3, 4, 5, 6], 7, Ok(Some(0)));
        // Where the system tells no process, those that say nothing give way to each other.
        check(&[0, 0, 0, 0, 0], 0, Ok(None));
        check(&[0, 0, 0, 0, 0, 0], 0, Ok(Some(0)));
        check(&[0, 0, 0, 0, 0, 0], 1, Ok(Some(0)));
    }
}
