//! What somebody may mean who asks why something is not among the passages: it can be named whatever became of it.

use crate::support::{Rig, SPACE};
use crate::traces::{DAY, fielded, forget};
use um_model::access::Right;
use um_model::capture::{ArtifactRemove, MemoryRemember, MemoryRemove};
use um_model::claims::{Expected, IdsFind, IdsOf};
use um_model::envelope::MemoryTier;
use um_model::recall::MemoryRecall;
use um_model::traces::{Lost, RecallWhyNot};
use um_model::{EpochMs, ErrorCode, MemoryId, MemoryStatus, Modality, Tier};

fn asked(part: &str) -> IdsFind {
    IdsFind { of: IdsOf::Expected, part: part.to_owned() }
}

/// What may be meant, by the ids, in their order.
fn meant(rig: &Rig, part: &str) -> Vec<(String, Expected)> {
    let found = rig.run(asked(part)).unwrap();
    assert!(!found.is_cut);
    let mut told: Vec<_> = found.found.into_iter().map(|one| (one.id, one.expected.unwrap())).collect();
    told.sort_by(|a, b| a.0.cmp(&b.0));
    told
}

fn keep(rig: &Rig, text: &str, key: Option<&str>, expires_at: Option<EpochMs>) -> MemoryId {
    let (text, space, key) = (text.to_owned(), SPACE.to_owned(), key.map(str::to_owned));
    rig.run(MemoryRemember { text, space, key, expires_at, ..MemoryRemember::default() }).unwrap().memory.id
}

#[test]
fn what_was_lost_is_named_whatever_became_of_it() {
    let rig = Rig::new();
    let boats = rig.space("Boats").id;
    let replaced = keep(&rig, "The zeppelin stood in the north hangar.", Some("hangar"), None);
    let newer = keep(&rig, "The zeppelin stands in the south hangar.", Some("hangar"), None);
    let expired = keep(&rig, "The zeppelin is lent until spring.", None, Some(rig.now() + DAY));
    let cold = keep(&rig, "The zeppelin was blue once.", None, None);
    let removed = keep(&rig, "The zeppelin is for sale.", None, None);
    let forgotten = keep(&rig, "The zeppelin has a leak.", None, None);
    let elsewhere = rig.remember_in("Boats", "The zeppelin may tow boats.").id;
    let [bill, plan] = ["zeppelin-bill.md", "zeppelin-plan.md"].map(|name| rig.ingest(name, format!("See {name}.")));
    let [bill, of_plan] = [&bill, &plan].map(|file| rig.artifact(file).summary.memory_id.unwrap());
    rig.settled();
    rig.run(MemoryTier { id: cold.clone(), tier: Tier::Cold }).unwrap();
    rig.run(MemoryRemove { id: removed.clone() }).unwrap();
    rig.run(ArtifactRemove { id: plan }).unwrap();
    forget(&rig, &forgotten);
    rig.advance(2 * DAY);
    let mut expected = Vec::new();
    for (id, status, tier) in [
        (&replaced, MemoryStatus::Superseded, Tier::Warm),
        (&newer, MemoryStatus::Active, Tier::Warm),
        (&expired, MemoryStatus::Expired, Tier::Warm),
        (&cold, MemoryStatus::Active, Tier::Cold),
        (&removed, MemoryStatus::Deleted, Tier::Warm),
        (&elsewhere, MemoryStatus::Active, Tier::Warm),
        (&bill, MemoryStatus::Active, Tier::Warm),
        (&of_plan, MemoryStatus::Deleted, Tier::Warm),
    ] {
        let space_id = if *id == elsewhere { boats.clone() } else { rig.memory(&newer).space_id };
        let modality = (*id == bill || *id == of_plan).then_some(Modality::Document);
        expected.push((id.to_string(), Expected { space_id, modality, status, tier }));
    }
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    let told = meant(&rig, "Zeppelin");
    assert_eq!(told, expected);
    for one in &expected {
        for part in [one.0.clone(), one.0[28..].to_uppercase()] {
            assert_eq!(meant(&rig, &part), std::slice::from_ref(one), "{part}");
        }
    }
    for nothing in [forgotten.as_str(), &forgotten.as_str()[28..], "leak", "", " "] {
        assert!(meant(&rig, nothing).is_empty(), "{nothing:?}");
    }
    let ids = |part: &str| meant(&rig, part).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    // What no index holds is found by parts of words, too, and has to have all of them.
    assert_eq!(ids("NORTH hang"), [replaced.to_string()]);
    assert!(ids("north sale").is_empty());
    assert_eq!(ids("-plan"), [of_plan.to_string()]);
    let bot = rig.agent_in("bot", &[SPACE], &[Right::Read]);
    assert_eq!(rig.engine().run(&bot, asked("zeppelin")).unwrap_err().code, ErrorCode::Forbidden);
    assert_eq!(rig.run(asked(&"zeppelin ".repeat(300))).unwrap_err().code, ErrorCode::InvalidRequest);
    why_not(
        &rig,
        &[
            (&replaced, Lost::OutOfUse, "Something newer took its place."),
            (&expired, Lost::OutOfUse, "It expired"),
            (&cold, Lost::Filter, "It is cold."),
            (&removed, Lost::OutOfUse, "It was removed"),
            (&of_plan, Lost::OutOfUse, "It was removed"),
            (&elsewhere, Lost::Space, "Its space was not searched."),
        ],
    );
}

/// Asks why they are not among the passages of a question.
fn why_not(rig: &Rig, all: &[(&MemoryId, Lost, &str)]) {
    for (id, lost, begins) in all {
        let recall = MemoryRecall { space: Some(SPACE.to_owned()), ..fielded("zeppelin") };
        let told = rig.run(RecallWhyNot { recall, expected: id.to_string() }).unwrap();
        assert!(told.lost == *lost && told.reason.starts_with(begins), "{told:?}");
    }
}
