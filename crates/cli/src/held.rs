//! `umem held`: what agents wrote that waits for the person.

use crate::args;
use crate::failure::{Failure, id};
use crate::print::{Output, cell};
use std::process::ExitCode;
use um_model::CandidateId;
use um_model::held::*;
use um_server::client::Connection;
use um_server::text::count;

/// `umem held …`
pub(crate) async fn held(service: &mut Connection, asked: args::Held, output: Output) -> Result<ExitCode, Failure> {
    let (id, decision) = match asked {
        args::Held::List { space, dropped, limit, offset } => {
            let listed = service.run(HeldList { space, dropped, offset, limit }).await?;
            return Ok(output.answer(&listed, listed_words));
        }
        args::Held::Keep { id } => (id, HeldDecision::Keep),
        args::Held::Drop { id } => (id, HeldDecision::Drop),
        args::Held::Wait { id } => (id, HeldDecision::Wait),
    };
    let id = self::id(id, CandidateId::parse, "umem held list")?;
    let decided = service.run(HeldDecide { id, decision }).await?;
    Ok(output.answer(&decided, |one| match (&one.state, &one.kept_id) {
        (HeldState::Kept, Some(kept)) => format!("Kept as {}'s: {kept}", one.actor_name),
        (HeldState::Dropped, _) => {
            format!("Dropped; it goes for good in 30 days. To take that back: umem held wait {}", one.id)
        }
        _ => "It waits again.".to_owned(),
    }))
}

fn listed_words(listed: &HeldListed) -> String {
    if listed.held.is_empty() {
        return "Nothing that an agent wrote waits.".to_owned();
    }
    let mut parts: Vec<String> = listed.held.iter().map(shown).collect();
    parts.push(format!("{} of {}", listed.held.len(), count(listed.total, "write")));
    parts.join("\n\n")
}

fn shown(one: &HeldWrite) -> String {
    let reasons: Vec<&str> = one.reasons.iter().map(|reason| reason.looks_like()).collect();
    let says: Vec<String> = one
        .title
        .iter()
        .chain(&one.labels)
        .map(|label| cell(label))
        .chain(one.says.lines().map(str::to_owned))
        .map(|line| format!("| {line}"))
        .collect();
    let next = match one.state {
        HeldState::Dropped => format!("   take it back: umem held wait {}", one.id),
        _ => format!("   keep it: umem held keep {id}\n   drop it: umem held drop {id}", id = one.id),
    };
    format!("{} wrote what looks like {}:\n{}\n{next}", one.actor_name, reasons.join(" and "), says.join("\n"))
}
