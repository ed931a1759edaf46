//! Who asks to be let in, as far as the system knows: so that whoever makes names up takes nobody else's place.

use crate::error::Fault;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use um_model::access::CheckedProcess;
use um_model::{ApiError, ErrorCode, PairingId};

/// More requests than this do not wait at once.
const MAX_WAITING: usize = 20;
/// Of one process no more than this.
const MAX_OF_ONE: usize = 5;

/// A process at the other end of the socket, as the system tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Its number.
    pub pid: i32,
    /// Its program, then the one that started it: bridges are of one program, whoever runs them. Empty where the first is not
    /// known.
    pub programs: Vec<PathBuf>,
}

impl Peer {
    /// The process of that number.
    pub fn of(pid: i32) -> Self {
        let own = program(pid);
        let starter = own.as_ref().and_then(|_| program(parent(pid)?));
        Self { pid, programs: own.into_iter().chain(starter).collect() }
    }
}

#[cfg(target_os = "linux")]
fn program(pid: i32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/exe")).ok()
}

#[cfg(target_os = "linux")]
fn parent(pid: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it stands in brackets, and may have any signs in it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn program(_: i32) -> Option<PathBuf> {
    None
}

#[cfg(not(target_os = "linux"))]
fn parent(_: i32) -> Option<i32> {
    None
}

/// Whose the requests are that wait. Of those from before the service was started, nobody knows.
#[derive(Debug, Default)]
pub(crate) struct Peers(Mutex<BTreeMap<PairingId, Peer>>);

impl Peers {
    /// Remembers whose a request is.
    pub(super) fn note(&self, id: PairingId, peer: Option<&Peer>) {
        if let Some(peer) = peer {
            crate::engine::lock(&self.0).insert(id, peer.clone());
        }
    }

    /// The process whose request it is, as a person is told.
    pub(super) fn told(&self, id: &PairingId) -> Option<CheckedProcess> {
        let known = crate::engine::lock(&self.0);
        let Peer { pid, programs } = known.get(id)?;
        let mut programs = programs.iter().map(|program| program.display().to_string());
        Some(CheckedProcess { pid: *pid, program: programs.next(), started_by: programs.next() })
    }

    /// Makes room for another request: gives the one that ends for it, where one has to. Whoever comes takes the newest place of the
    /// program that asks most, unless that is its own; those whose program nobody knows count as of one.
    ///
    /// # Errors
    /// `RateLimited`.
    pub(super) fn room(&self, waiting: &[PairingId], peer: Option<&Peer>) -> Result<Option<PairingId>, Fault> {
        let mut known = crate::engine::lock(&self.0);
        known.retain(|id, _| waiting.contains(id));
        let pid_of = |one: &PairingId| known.get(one).map(|of| of.pid);
        let too_many = |message: &str| -> Fault {
            let error = ApiError::new(ErrorCode::RateLimited, message);
            error.hint("Try again once the person has answered some of them.").into()
        };
        if let Some(peer) = peer
            && waiting.iter().filter(|one| pid_of(one) == Some(peer.pid)).count() >= MAX_OF_ONE
        {
            return Err(too_many("This program asks under several names already."));
        }
        if waiting.len() < MAX_WAITING {
            return Ok(None);
        }
        let groups: Vec<&[PathBuf]> = waiting.iter().map(|one| programs(known.get(one))).collect();
        let own = programs(peer);
        let count = |of: &[PathBuf]| groups.iter().filter(|group| **group == of).count();
        // Of several that ask as often, the last: that came latest.
        let most = (0..groups.len()).max_by_key(|at| count(groups[*at])).filter(|at| count(groups[*at]) > count(own));
        // Who cannot be told apart displaces whoever cannot either.
        let oldest = || groups.iter().position(|group| own.is_empty() && group.is_empty());
        let place = most.or_else(oldest).ok_or_else(|| too_many("Too many programs ask to be let in."))?;
        Ok(Some(waiting[place].clone()))
    }
}

/// The program that asks, with the one that started it; empty where nobody knows.
fn programs(peer: Option<&Peer>) -> &[PathBuf] {
    peer.map_or(&[], |peer| &peer.programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that wait, by the numbers of their processes and the programs of these; 0 for one that nobody knows.
    fn waiting(peers: &Peers, of: &[(i32, &str)]) -> Vec<PairingId> {
        let note = |(number, (pid, program)): (usize, &(i32, &str))| {
            let id = PairingId::parse(format!("0190f5e2-7c1a-7d3e-9b1f-{number:012x}")).unwrap();
            peers.note(id.clone(), peer(*pid, program).as_ref());
            id
        };
        of.iter().enumerate().map(note).collect()
    }

    fn peer(pid: i32, program: &str) -> Option<Peer> {
        let programs = (!program.is_empty()).then(|| program.into()).into_iter().collect();
        (pid > 0).then_some(Peer { pid, programs })
    }

    /// One row for each way of flooding: who waits, who comes, and whose place it takes.
    #[test]
    fn a_flood_displaces_only_its_own() {
        let flood = |from: i32, step: i32| (0..MAX_WAITING as i32).map(move |n| (from + n * step, "evil"));
        let with = |honest: &[(i32, &'static str)], many: Vec<(i32, &'static str)>| -> Vec<(i32, &'static str)> {
            honest.iter().copied().chain(many).take(MAX_WAITING).collect()
        };
        let copies = ["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"];
        const LIMITED: Result<Option<usize>, ErrorCode> = Err(ErrorCode::RateLimited);
        for (of, comes, expected) in [
            (vec![(7, "good")], (8, "evil"), Ok(None)),
            (vec![(8, "evil"); MAX_OF_ONE], (8, "evil"), LIMITED),
            (vec![(8, "evil"); MAX_OF_ONE], (9, "good"), Ok(None)),
            // Many processes of one program.
            (with(&[(7, "good")], flood(100, 1).collect()), (9, "other"), Ok(Some(MAX_WAITING - 1))),
            (with(&[(7, "good")], flood(100, 1).collect()), (99, "evil"), LIMITED),
            (with(&[(7, "good"), (6, "good")], flood(100, 1).collect()), (9, "good"), Ok(Some(MAX_WAITING - 1))),
            // As many programs as wait: nobody was first but those.
            (
                (1..=MAX_WAITING as i32).map(|n| (n, ["a", "b", "c", "d", "e"][n as usize % 5])).collect(),
                (99, "a"),
                LIMITED,
            ),
            // Nobody knows whose they are.
            (vec![(0, ""); MAX_WAITING], (0, ""), Ok(Some(0))),
            (with(&[(7, "good")], vec![(0, ""); MAX_WAITING]), (0, ""), Ok(Some(1))),
            // From before the service was started, or where the system tells no program: who is known comes in, and so does the last.
            (vec![(0, ""); MAX_WAITING], (9, "good"), Ok(Some(MAX_WAITING - 1))),
            ((1..=MAX_WAITING as i32).map(|n| (n, "")).collect(), (99, ""), Ok(Some(0))),
            ((1..=MAX_WAITING as i32).map(|n| (n, "")).collect(), (99, "good"), Ok(Some(MAX_WAITING - 1))),
            // Who came before a flood stays, whoever it is that floods.
            (with(&[(7, "good")], (100..130).map(|n| (n, "")).collect()), (99, "other"), Ok(Some(MAX_WAITING - 1))),
            (with(&[(7, "")], flood(100, 1).collect()), (99, ""), Ok(Some(MAX_WAITING - 1))),
            // A copy of the program for each name.
            (with(&[(7, "good")], copies.map(|copy| (8, copy)).to_vec()), (9, "late"), Ok(Some(MAX_WAITING - 1))),
        ] {
            let peers = Peers::default();
            let waiting = waiting(&peers, &of);
            let room = peers.room(&waiting, peer(comes.0, comes.1).as_ref());
            let place = room.map(|id| id.and_then(|id| waiting.iter().position(|one| *one == id)));
            let place = place.map_err(|fault| ApiError::from(fault).code);
            assert_eq!(place, expected, "{of:?}, then {comes:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_known_by_its_program_and_its_parents() {
        let peer = Peer::of(std::process::id() as i32);
        assert_eq!(peer.programs[0], std::env::current_exe().unwrap());
        assert_eq!(peer, Peer::of(peer.pid));
    }
}
