//! What was decided, of every kind, in one list.

use crate::support::{Rig, SPACE};
use um_engine::Claim;
use um_model::ErrorCode;
use um_model::access::{AgentsList, PairingAnswer, PairingDecide};
use um_model::belief::ResolutionType;
use um_model::claims::*;
use um_model::decisions::*;
use um_model::findings::*;
use um_model::forget::RedactionApply;
use um_model::promote::*;

/// Each decision in a word or two.
fn told(one: &Decision) -> String {
    match &one.about {
        Decided::Conflict(conflict) => {
            let decided = conflict.resolution.as_ref().unwrap();
            let since = match (decided.undone_at.is_some(), decided.asked_again) {
                (true, _) => ", taken back",
                (false, true) => ", asked again",
                _ => "",
            };
            format!("conflict{since}")
        }
        Decided::Name(name) => format!("name {}", name.name),
        Decided::Redaction(found) => format!("{} {}", found.ids.len(), found.status),
        Decided::Promotion(promotion) => format!("promotion {}", promotion.status),
        Decided::Held(write) => format!("held {}", write.state),
        Decided::Access(request) => format!("access {}", request.status),
    }
}

fn listed(rig: &Rig, kind: Option<DecisionKind>) -> Vec<String> {
    let request = DecisionsList { kind, ..DecisionsList::default() };
    rig.run(request).unwrap().decisions.iter().map(told).collect()
}

/// Two homes of Ana that cannot both be, decided.
fn conflict(rig: &Rig) -> Conflict {
    for city in ["Oslo", "Porto"] {
        let fact = FactInput {
            subject: "Ana".into(),
            predicate: "lives_in".into(),
            object: city.into(),
            ..FactInput::default()
        };
        rig.run(FactsAdd { space: SPACE.into(), facts: vec![fact] }).unwrap();
    }
    let open = rig.run(ConflictsList::default()).unwrap().conflicts.remove(0);
    let resolution = ResolutionType::ClaimAWins;
    rig.run(ConflictsResolve::of(open.id, resolution)).unwrap()
}

#[test]
fn all_decisions_are_listed_the_latest_first_and_read_in_parts() {
    let rig = Rig::new();
    rig.space("Team");
    assert!(listed(&rig, None).is_empty());
    let conflict = conflict(&rig);
    let mail = rig.remember("Write to ana@halden.example or to ben@halden.example.");
    let ferry = rig.remember("The ferry leaves at noon.");
    rig.settled();
    let all = AllFindings { memory: Some(mail.id.clone()), ..AllFindings::default() };
    let decided = |decision| rig.run(FindingsDecide { decision, ids: Vec::new(), all: Some(all.clone()) }).unwrap();
    decided(FindingDecision::Dismiss);
    let request =
        PromotionRequest { kind: PromotedKind::Memory, id: ferry.id.to_string(), to: "Team".into(), notes: None };
    let asked = rig.run(request).unwrap();
    let decision = PromotionDecision::Reject;
    rig.run(PromotionDecide { id: asked.id, decision, token: None, notes: None }).unwrap();
    let claim = Claim { secret: "a".repeat(64), name: "Scout".into(), ..Claim::default() };
    drop(rig.engine().admit(&claim));
    let id = rig.run(AgentsList {}).unwrap().waiting.remove(0).id;
    rig.run(PairingDecide {
        id,
        answer: Some(PairingAnswer::Never),
        spaces: None,
        rights: None,
        expires_in_days: None,
    })
    .unwrap();
    let expected = ["access denied", "promotion rejected", "2 dismissed", "conflict"];
    assert_eq!(listed(&rig, None), expected);
    assert_eq!(listed(&rig, Some(DecisionKind::Redaction)), ["2 dismissed"]);
    // By one at a time, each after the one before.
    let (mut read, mut before) = (Vec::new(), None);
    loop {
        let page = rig.run(DecisionsList { before, limit: Some(1), ..DecisionsList::default() }).unwrap();
        read.extend(page.decisions.iter().map(told));
        before = page.decisions.last().map(|last| DecisionPlace { at: last.at, id: last.id.clone() });
        if !page.more {
            break;
        }
    }
    assert_eq!(read, expected);
    // What is taken back is gone, or says that it was.
    decided(FindingDecision::Reopen);
    rig.run(ConflictsReopen { conflict: conflict.id }).unwrap();
    assert_eq!(listed(&rig, None), ["access denied", "promotion rejected", "conflict, taken back"]);
    decided(FindingDecision::Accept);
    assert_eq!(listed(&rig, Some(DecisionKind::Redaction)), ["2 accepted"]);
    rig.run(RedactionApply { memory: Some(mail.id.clone()), artifact: None }).unwrap();
    assert_eq!(listed(&rig, Some(DecisionKind::Redaction)), ["2 applied"]);
    let elsewhere = DecisionsList { space: Some("Team".into()), ..DecisionsList::default() };
    let elsewhere: Vec<String> = rig.run(elsewhere).unwrap().decisions.iter().map(told).collect();
    assert_eq!(elsewhere, ["access denied", "promotion rejected"]);
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    assert_eq!(rig.engine().run(&agent, DecisionsList::default()).unwrap_err().code, ErrorCode::Forbidden);
}

#[test]
fn each_decision_of_one_conflict_is_listed() {
    let rig = Rig::resting();
    let id = conflict(&rig).id;
    let decide = |resolution| {
        rig.advance(1);
        let conflict = id.clone();
        rig.run(ConflictsResolve::of(conflict, resolution)).unwrap();
    };
    rig.advance(1);
    rig.run(ConflictsReopen { conflict: id.clone() }).unwrap();
    decide(ResolutionType::ClaimBWins);
    rig.advance(1);
    // Whatever lost is told by another source.
    let lost =
        rig.run(ConflictsList { resolved: true, ..ConflictsList::default() }).unwrap().conflicts.remove(0).claim_a;
    let note = rig.remember("It stands on her door.");
    let fact = FactInput {
        subject: "Ana".into(),
        predicate: "lives_in".into(),
        object: lost.object.text().into(),
        memory_id: Some(note.id),
        quote: note.content,
        ..FactInput::default()
    };
    rig.run(FactsAdd { space: SPACE.into(), facts: vec![fact] }).unwrap();
    assert_eq!(listed(&rig, None), ["conflict, asked again", "conflict, taken back"]);
    decide(ResolutionType::BothDisputed);
    let all = ["conflict", "conflict, asked again", "conflict, taken back"];
    assert_eq!(listed(&rig, Some(DecisionKind::Conflict)), all);
    let decided = rig.run(ConflictsList { resolved: true, ..ConflictsList::default() }).unwrap();
    assert_eq!((decided.total, decided.conflicts.len()), (3, 3));
    assert!(decided.conflicts.iter().all(|decided| decided.id == id));
    let page = DecisionsList { limit: Some(1), ..DecisionsList::default() };
    let first = rig.run(page.clone()).unwrap().decisions.remove(0);
    let before = Some(DecisionPlace { at: first.at, id: first.id.clone() });
    let second = rig.run(DecisionsList { before, ..page }).unwrap().decisions.remove(0);
    assert!(second.at < first.at && second.id != first.id);
}
