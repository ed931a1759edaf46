//! `umem held`: what is proposed and waits for the person.

use crate::args;
use crate::failure::{Failure, id};
use crate::print::{Output, cell};
use std::process::ExitCode;
use um_engine::{Clock as _, SystemClock};
use um_model::held::*;
use um_model::{CandidateId, EpochMs};
use um_server::client::Connection;
use um_server::text::{count, iso_time};

/// `umem held …`
pub(crate) async fn held(service: &mut Connection, asked: args::Held, output: Output) -> Result<ExitCode, Failure> {
    let (id, decision) = match asked {
        args::Held::List { space, dismissed, limit, offset } => {
            let listed = service.run(HeldList { space, dismissed, offset, limit }).await?;
            return Ok(output.answer(&listed, |listed| listed_words(listed, dismissed, SystemClock.now())));
        }
        args::Held::Accept { id } => (id, HeldDecision::Accept),
        args::Held::Dismiss { id } => (id, HeldDecision::Dismiss),
        args::Held::Wait { id } => (id, HeldDecision::Wait),
    };
    let id = self::id(id, CandidateId::parse, "umem held list")?;
    let decided = service.run(HeldDecide { id, decision }).await?;
    Ok(output.answer(&decided, came_of))
}

/// What was done, and how that is undone.
fn came_of(one: &HeldWrite) -> String {
    let (proposal, words) = (one.proposal(), one.proposal().words());
    let (item, by) = (one.item_id.as_deref().unwrap_or_default(), &one.actor_name);
    match (one.state, proposal) {
        (HeldState::Accepted, Proposal::Removal) => {
            format!("{}: {item}. To undo that: umem restore {item}", words.accepted)
        }
        (HeldState::Accepted, Proposal::Note | Proposal::Correction) => {
            format!("{} as {by}'s: {item}. To undo that: umem remove {item}", words.accepted)
        }
        (HeldState::Accepted, Proposal::Facts) => {
            format!("{} as {by}'s: {item}. To take a fact back: umem claim retract {item}", words.accepted)
        }
        // Either may be the next version of what was there before.
        (HeldState::Accepted, Proposal::Entry | Proposal::Rule | Proposal::Resource) => {
            format!("{} as {by}'s: {item}", words.accepted)
        }
        (HeldState::Dismissed, Proposal::Removal) => {
            format!("{}. To decide it again: umem held wait {}", words.dismissed, one.id)
        }
        (HeldState::Dismissed, _) => {
            format!("{}; it goes for good in 30 days. To take that back: umem held wait {}", words.dismissed, one.id)
        }
        (HeldState::Waiting, _) => "It waits again.".to_owned(),
    }
}

fn listed_words(listed: &HeldListed, dismissed: bool, now: EpochMs) -> String {
    match (listed.held.is_empty(), listed.total, dismissed) {
        (true, 0, false) => return "Nothing that is proposed waits for you.".to_owned(),
        (true, 0, true) => return "Nothing that was proposed was dismissed in the last 30 days.".to_owned(),
        _ => {}
    }
    let mut parts: Vec<String> = listed.held.iter().map(|one| shown(one, now)).collect();
    parts.push(format!("{} of {}", listed.held.len(), count(listed.total, "proposal")));
    parts.join("\n\n")
}

fn shown(one: &HeldWrite, now: EpochMs) -> String {
    let (words, id) = (one.proposal().words(), &one.id);
    let says: Vec<String> = one
        .title
        .iter()
        .chain(&one.labels)
        .map(|label| cell(label))
        .chain(one.says.lines().map(str::to_owned))
        .map(|line| format!("| {line}"))
        .collect();
    let next = match one.state {
        HeldState::Dismissed => format!("   {}. To decide it again: umem held wait {id}", words.dismissed),
        _ if one.is_over(now) => format!("   {}: umem held dismiss {id}", words.dismiss),
        _ => format!("   {}: umem held accept {id}\n   {}: umem held dismiss {id}", words.accept, words.dismiss),
    };
    let why: Vec<String> = [one.why()].into_iter().chain(one.instead()).chain(one.until(now, iso_time)).collect();
    format!("{}. {}\n{}\n{next}", one.heading(&one.actor_name), why.join(" "), says.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use um_model::OWNER_AGENT;

    #[test]
    fn what_is_offered_and_what_is_said_is_what_happens() {
        let id = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c";
        let check = |operation: &str, reason: HoldReason, [offered, not, done, left]: [&str; 4]| {
            let one = |state: HeldState| -> HeldWrite {
                serde_json::from_value(serde_json::json!({
                    "id": id, "space_id": id, "actor_id": OWNER_AGENT, "actor_name": "owner", "operation": operation,
                    "says": "The rent is 700.", "reasons": [reason], "state": state, "item_id": id, "created_at": 0,
                }))
                .unwrap()
            };
            let told = shown(&one(HeldState::Waiting), 0);
            assert!(told.contains(&format!("{offered}: umem held accept {id}")), "{told}");
            assert!(told.contains(&format!("{not}: umem held dismiss {id}")), "{told}");
            assert_eq!(came_of(&one(HeldState::Accepted)), done.replace("ID", id));
            assert_eq!(came_of(&one(HeldState::Dismissed)), left.replace("ID", id));
        };
        let dropped = "Dropped; it goes for good in 30 days. To take that back: umem held wait ID";
        let out = "Taken out of recall: ID. To undo that: umem restore ID";
        let stays = "Left in recall. To decide it again: umem held wait ID";
        check("memory_remove", HoldReason::Doubted, ["Take it out of recall", "Leave it in recall", out, stays]);
        let kept = "Kept as owner's: ID. To undo that: umem remove ID";
        check("memory_remember", HoldReason::Correction, ["Keep it", "Drop it", kept, dropped]);
        check("memory_distill", HoldReason::Secret, ["Keep it", "Drop it", kept, dropped]);
        let kept = "Kept as owner's: ID. To take a fact back: umem claim retract ID";
        check("facts_add", HoldReason::Secret, ["Keep it", "Drop it", kept, dropped]);
        check("entry_save", HoldReason::Secret, ["Keep it", "Drop it", "Kept as owner's: ID", dropped]);
        check("resource_put", HoldReason::Secret, ["Keep it", "Drop it", "Kept as owner's: ID", dropped]);
        check("block_set", HoldReason::Secret, ["Set it", "Drop it", "Set as owner's: ID", dropped]);
    }

    #[test]
    fn a_resource_tells_where_it_would_lie_and_in_whose_place() {
        let id = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c";
        for (replaces, is_told) in [(None, false), (Some(3), true)] {
            let one: HeldWrite = serde_json::from_value(serde_json::json!({
                "id": id, "space_id": id, "actor_id": id, "actor_name": "Scout", "operation": "resource_put",
                "says": "The rent is 700.", "labels": ["uri: home://rent"], "reasons": ["secret"], "state": "waiting",
                "created_at": 0, "replaces": replaces,
            }))
            .unwrap();
            let told = shown(&one, 0);
            assert!(told.contains("| uri: home://rent\n| The rent is 700."), "{told}");
            assert_eq!(told.contains("It would take the place of version 3"), is_told, "{told}");
        }
    }

    #[test]
    fn what_is_over_by_now_is_not_offered_to_be_kept() {
        let id = "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1c";
        let one: HeldWrite = serde_json::from_value(serde_json::json!({
            "id": id, "space_id": id, "actor_id": id, "actor_name": "Scout", "operation": "memory_remember",
            "says": "The rent is 700.", "reasons": ["displaces"], "state": "waiting", "created_at": 0, "expires_at": 5_000,
        }))
        .unwrap();
        for (now, until, is_offered) in [
            (4_999, "It is to be in use until 1970-01-01T00:00:05Z.", true),
            (5_000, "It was to be in use until 1970-01-01T00:00:05Z, which is over.", false),
        ] {
            let told = shown(&one, now);
            assert!(told.contains(until) && told.contains("Drop it: umem held dismiss"), "{told}");
            assert_eq!(told.contains("umem held accept"), is_offered, "{told}");
        }
    }
}
