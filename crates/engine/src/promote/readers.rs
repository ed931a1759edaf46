//! Who would read a copy.

use crate::access::really;
use crate::error::Fault;
use um_model::EpochMs;
use um_model::access::{AgentType, Right};
use um_model::promote::NewReader;
use um_model::spaces::Space;
use um_store::{Connection, members};

/// The agents that read the target and not the source, by their tokens, their roles and the spaces' policies.
pub(super) fn new(c: &Connection, source: &Space, target: &Space, now: EpochMs) -> Result<Vec<NewReader>, Fault> {
    let mut readers = Vec::new();
    for agent in members::agents(c)? {
        let reads = really(c, &agent, &[source.clone(), target.clone()], Right::Read, now)?;
        if agent.agent_type != AgentType::Ai || !reads.contains(target) || reads.contains(source) {
            continue;
        }
        let role = members::of(c, &target.id, &agent.id)?.map(|membership| membership.role);
        readers.push(NewReader { agent_id: agent.id, name: agent.name, role });
    }
    Ok(readers)
}
