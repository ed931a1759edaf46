//! Personal and secret data: found in every text, with its place; decided by the person, who may mark more.

mod again;
mod decisions;
mod items;
mod marking;
mod masked_answers;
mod masking;
mod places;

use crate::support::inputs::{self, Page};
use crate::support::{Rig, SPACE};
use um_engine::Caller;
use um_engine::provider::ProviderError;
use um_model::findings::*;
use um_model::spaces::SpacesList;
use um_model::{ApiError, ErrorCode, FindingId, MemoryId, SpaceType};

const MAIL: &str = "ana@halden.example";
const CARD: &str = "4111 1111 1111 1111";
const IBAN: &str = "GB82 WEST 1234 5698 7654 32";

fn list(rig: &Rig, request: FindingsList) -> FindingsListed {
    rig.run(request).unwrap()
}

fn of_memory(rig: &Rig, memory: &MemoryId) -> Vec<Finding> {
    let statuses = FindingStatus::ALL.to_vec();
    list(rig, FindingsList { memory: Some(memory.clone()), statuses, ..FindingsList::default() }).findings
}

/// Each finding in use as `kind status value`, in the order in which they were found.
fn told(rig: &Rig) -> Vec<String> {
    let statuses = FindingStatus::ALL.to_vec();
    let found = list(rig, FindingsList { statuses, ..FindingsList::default() }).findings;
    found.iter().map(|one| format!("{} {} {}", one.kind, one.status, one.value)).collect()
}

fn decide(rig: &Rig, decision: FindingDecision, ids: &[FindingId]) -> FindingsDecided {
    rig.run(FindingsDecide { decision, ids: ids.to_vec(), all: None }).unwrap()
}

/// An agent that was let into every project.
fn agent(rig: &Rig) -> Caller {
    let spaces = rig.run(SpacesList {}).unwrap().spaces;
    let projects = spaces.iter().filter(|one| one.space.space_type == SpaceType::Project);
    let ids: Vec<&str> = projects.map(|one| one.space.id.as_str()).collect();
    rig.agent_in("reader", &ids, &[])
}

/// Refused as what only the person may do.
#[track_caller]
fn forbidden<T: std::fmt::Debug>(answer: Result<T, ApiError>) {
    assert_eq!(answer.unwrap_err().code, ErrorCode::Forbidden);
}
