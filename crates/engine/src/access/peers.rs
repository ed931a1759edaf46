//! Who asks to be let in, as far as the system knows: so that whoever makes names up takes nobody else's place.

use crate::error::Fault;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use um_model::access::PairingRequest;
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
    /// Its program, and the one that started it: bridges are of one program, whoever runs them.
    pub programs: Vec<PathBuf>,
}

impl Peer {
    /// The process of that number.
    pub fn of(pid: i32) -> Self {
        let programs = [Some(pid), parent(pid)].into_iter().flatten().filter_map(program).collect();
        Self { pid, programs }
    }

    fn is_like(&self, other: &Peer) -> bool {
        self.pid == other.pid || (!self.programs.is_empty() && self.programs == other.programs)
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

    /// Makes room for another request: gives the one that ends for it, where one has to. A flood displaces its own only; where none
    /// of the others waits in numbers, whoever comes last waits.
    ///
    /// # Errors
    /// `RateLimited`.
    pub(super) fn room(&self, waiting: &[PairingRequest], peer: Option<&Peer>) -> Result<Option<PairingId>, Fault> {
        let mut known = crate::engine::lock(&self.0);
        known.retain(|id, _| waiting.iter().any(|one| one.id == *id));
        let of = |one: &PairingRequest| known.get(&one.id);
        let too_many = |message: &str| -> Fault {
            let error = ApiError::new(ErrorCode::RateLimited, message);
            error.hint("Try again once the person has answered some of them.").into()
        };
        if let Some(peer) = peer
            && waiting.iter().filter(|one| of(one).is_some_and(|of| of.pid == peer.pid)).count() >= MAX_OF_ONE
        {
            return Err(too_many("This program asks under several names already."));
        }
        if waiting.len() < MAX_WAITING {
            return Ok(None);
        }
        let Some(peer) = peer else {
            // Who cannot be told apart displaces whoever cannot either.
            let oldest = waiting.iter().find(|one| of(one).is_none()).map(|one| one.id.clone());
            return oldest.map(Some).ok_or_else(|| too_many("Too many programs ask to be let in."));
        };
        let alike = |peer: &Peer| waiting.iter().filter(|one| of(one).is_some_and(|of| of.is_like(peer))).count();
        let (flood, count) = waiting
            .iter()
            .filter_map(|one| of(one).map(|of| (one, alike(of))))
            // Of several that wait in the same number, the last: those are the newest.
            .max_by_key(|(_, count)| *count)
            .ok_or_else(|| too_many("Too many programs ask to be let in."))?;
        match count > alike(peer) + 1 {
            true => Ok(Some(flood.id.clone())),
            false => Err(too_many("Too many programs ask to be let in.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::access::PairingStatus;

    /// Those that wait, by the numbers of their processes and the programs of these; 0 for one that nobody knows.
    fn waiting(peers: &Peers, of: &[(i32, &str)]) -> Vec<PairingRequest> {
        let request = |number: usize| PairingRequest {
            id: PairingId::parse(format!("0190f5e2-7c1a-7d3e-9b1f-{number:012x}")).unwrap(),
            client_name: format!("agent {number}"),
            claimed_process: None,
            peer_uid: None,
            spaces: Vec::new(),
            rights: Vec::new(),
            status: PairingStatus::Pending,
            answer: None,
            created_at: number as i64,
            is_known: false,
            parts: Vec::new(),
            folders: Vec::new(),
        };
        let note = |(number, (pid, program)): (usize, &(i32, &str))| {
            let request = request(number);
            peers.note(request.id.clone(), peer(*pid, program).as_ref());
            request
        };
        of.iter().enumerate().map(note).collect()
    }

    fn peer(pid: i32, program: &str) -> Option<Peer> {
        (pid > 0).then(|| Peer { pid, programs: vec![program.into()] })
    }

    /// One row for each way of flooding: who waits, who comes, and whose place it takes.
    #[test]
    fn a_flood_displaces_only_its_own() {
        let flood = |from: i32, step: i32| (0..MAX_WAITING as i32).map(move |n| (from + n * step, "evil"));
        let with = |honest: &[(i32, &'static str)], many: Vec<(i32, &'static str)>| -> Vec<(i32, &'static str)> {
            honest.iter().copied().chain(many).take(MAX_WAITING).collect()
        };
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
            (vec![(0, ""); MAX_WAITING], (9, "good"), LIMITED),
        ] {
            let peers = Peers::default();
            let waiting = waiting(&peers, &of);
            let room = peers.room(&waiting, peer(comes.0, comes.1).as_ref());
            let place = room.map(|id| id.and_then(|id| waiting.iter().position(|one| one.id == id)));
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
