//! Promotion: asked for, looked at, approved by who may, copied whole or not at all.

mod beliefs;
mod files;

use crate::support::{Rig, SPACE};
use um_engine::Caller;
use um_model::access::*;
use um_model::capture::*;
use um_model::envelope::MemoryTier;
use um_model::findings::*;
use um_model::forget::*;
use um_model::promote::*;
use um_model::spaces::{SpaceEdit, SpaceMask};
use um_model::{ApiError, ErrorCode, MemoryId, PromotionId, Tier};

const TEAM: &str = "Team";
const FERRY: &str = "The ferry leaves at noon from the northern pier.";

/// With a space to promote to.
fn rig() -> Rig {
    let rig = Rig::new();
    rig.space(TEAM);
    rig
}

fn asking(kind: PromotedKind, id: &str) -> PromotionRequest {
    PromotionRequest { kind, id: id.to_owned(), to: TEAM.to_owned(), notes: None }
}

fn ask(rig: &Rig, memory: &MemoryId) -> Result<Promotion, ApiError> {
    rig.run(asking(PromotedKind::Memory, memory.as_str()))
}

fn show(rig: &Rig, id: &PromotionId) -> PromotionDetail {
    rig.run(PromotionShow { id: id.clone() }).unwrap()
}

fn decide(
    rig: &Rig,
    who: &Caller,
    id: &PromotionId,
    decision: PromotionDecision,
    token: Option<String>,
) -> Result<Promotion, ApiError> {
    rig.engine().run(who, PromotionDecide { id: id.clone(), decision, token, notes: None })
}

/// Looks and approves.
fn approve(rig: &Rig, id: &PromotionId) -> Result<Promotion, ApiError> {
    let token = show(rig, id).token;
    decide(rig, &Caller::owner("test"), id, PromotionDecision::Approve, token)
}

fn obstacles(detail: &PromotionDetail) -> Vec<PromotionObstacle> {
    detail.blocks.iter().map(|block| block.obstacle).collect()
}

/// An agent that was let into these spaces, with another part in the team's where one is named.
fn agent(rig: &Rig, name: &str, spaces: &[&str], rights: &[Right], part: Option<(Role, &[Grant])>) -> Caller {
    let secret = rig.secret_of(name, spaces, rights);
    if let Some((role, grants)) = part {
        let (space, agent, grants) = (TEAM.to_owned(), name.to_owned(), Some(grants.to_vec()));
        let part = MembershipSet { space, agent, role: Some(role), status: None, trust_weight: None, grants };
        rig.run(part).unwrap();
    }
    Caller::agent(rig.admit(&secret, name).unwrap(), "agent")
}

#[test]
fn a_memory_is_copied_and_found_in_the_target() {
    let rig = rig();
    let memory = rig.remember(FERRY);
    rig.settled();
    let asked = ask(&rig, &memory.id).unwrap();
    assert_eq!(ask(&rig, &memory.id).unwrap().id, asked.id, "what is asked for already is not asked for twice");
    let detail = show(&rig, &asked.id);
    assert_eq!(detail.blocks, []);
    let [item] = detail.items.as_slice() else { panic!("{:?}", detail.items) };
    assert_eq!(
        (item.kind, item.text.as_str(), item.standing),
        (PromotionItemKind::Memory, FERRY, PromotionStanding::New)
    );
    let done = approve(&rig, &asked.id).unwrap();
    rig.settled();
    let copy = rig.memory(&MemoryId::parse(done.promoted_id.unwrap()).unwrap());
    assert_ne!(copy.id, memory.id);
    assert_eq!((copy.content.as_deref(), &copy.space_id), (Some(FERRY), &done.target_space_id));
    assert_eq!(rig.memory(&memory.id), memory, "what was copied stays as it was");
    let hits = rig.recall_in(&done.target_space_id, "When does the ferry leave?");
    assert_eq!(hits.iter().map(|hit| &hit.ids.memory).collect::<Vec<_>>(), [&copy.id]);
    assert_eq!(rig.count("SELECT count(*) FROM memory_embeddings"), 2);
    let lineage: String = rig.db().query_row("SELECT lineage FROM promotion_requests", [], |row| row.get(0)).unwrap();
    assert_eq!(lineage, format!(r#"{{"memories":{{"{}":"{}"}}}}"#, memory.id, copy.id));
    assert_eq!(ask(&rig, &memory.id).unwrap_err().code, ErrorCode::AlreadyExists);
    // Removed, it is asked for again and comes back.
    rig.run(MemoryRemove { id: copy.id.clone() }).unwrap();
    let again = ask(&rig, &memory.id).unwrap();
    assert_eq!(show(&rig, &again.id).items[0].standing, PromotionStanding::Returns);
    assert_eq!(approve(&rig, &again.id).unwrap().promoted_id.as_deref(), Some(copy.id.as_str()));
    rig.settled();
    assert_eq!(rig.recall_in(&copy.space_id, "When does the ferry leave?").len(), 1);
}

/// What the target has already is brought near at hand, for as long as either of both is to be in use.
#[test]
fn what_lies_cold_in_the_target_is_found_there_again() {
    const DAY: i64 = 86_400_000;
    let check = |source: Option<i64>, there: Option<i64>, left: Option<i64>| {
        let rig = rig();
        let keep = |space: &str, days: Option<i64>| {
            let expires_at = days.map(|days| rig.now() + days * DAY);
            let (text, space) = (FERRY.to_owned(), space.to_owned());
            rig.run(MemoryRemember { text, space, expires_at, ..MemoryRemember::default() }).unwrap().memory
        };
        let (memory, known) = (keep(SPACE, source), keep(TEAM, there));
        rig.settled();
        assert_eq!(ask(&rig, &memory.id).unwrap_err().code, ErrorCode::AlreadyExists);
        rig.run(MemoryTier { id: known.id.clone(), tier: Tier::Cold }).unwrap();
        assert_eq!(rig.recall_in(&known.space_id, "When does the ferry leave?").len(), 0);
        let asked = ask(&rig, &memory.id).unwrap();
        assert_eq!(show(&rig, &asked.id).items[0].standing, PromotionStanding::Returns);
        assert_eq!(approve(&rig, &asked.id).unwrap().promoted_id.as_deref(), Some(known.id.as_str()));
        rig.settled();
        let case = format!("{source:?} and {there:?}");
        assert_eq!(rig.memory(&known.id).expires_at, left.map(|days| rig.now() + days * DAY), "{case}");
        let hits = rig.recall_in(&known.space_id, "When does the ferry leave?");
        assert_eq!(hits.iter().map(|hit| &hit.ids.memory).collect::<Vec<_>>(), [&known.id], "{case}");
    };
    check(None, None, None);
    check(Some(3), Some(1), Some(3));
    check(Some(1), Some(3), Some(3));
    check(None, Some(1), None);
    check(Some(1), None, None);
}

/// A token that stands for something else, or none, is told of before anything waits for the writer.
#[test]
fn a_wrong_token_never_comes_to_the_writer() {
    let rig = rig();
    let memory = rig.remember(FERRY);
    let file = rig.ingest("ferry.md", format!("# Ferries\n\n{FERRY} ").repeat(200));
    rig.settled();
    let asked = ask(&rig, &memory.id).unwrap();
    let of_file = rig.run(asking(PromotedKind::Artifact, file.as_str())).unwrap();
    let (token, of_file_token) = (show(&rig, &asked.id).token, show(&rig, &of_file.id).token);
    let db = rig.db();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    for (id, token, code) in [
        (&asked.id, Some("0".repeat(64)), ErrorCode::Conflict),
        (&asked.id, of_file_token.clone(), ErrorCode::Conflict),
        (&of_file.id, token.clone(), ErrorCode::Conflict),
        (&of_file.id, None, ErrorCode::InvalidRequest),
    ] {
        let told = decide(&rig, &Caller::owner("test"), id, PromotionDecision::Approve, token);
        assert_eq!(told.unwrap_err().code, code);
    }
    db.execute_batch("ROLLBACK").unwrap();
    decide(&rig, &Caller::owner("test"), &of_file.id, PromotionDecision::Approve, of_file_token).unwrap();
    decide(&rig, &Caller::owner("test"), &asked.id, PromotionDecision::Approve, token).unwrap();
    rig.settled();
}

#[test]
fn a_decision_is_made_once() {
    let rig = rig();
    let memory = rig.remember(FERRY);
    rig.settled();
    let in_use = || rig.count("SELECT count(*) FROM memories WHERE status = 'active'");
    for first in PromotionDecision::ALL {
        let asked = ask(&rig, &memory.id).unwrap();
        let token = show(&rig, &asked.id).token;
        let owner = Caller::owner("test");
        let without = decide(&rig, &owner, &asked.id, PromotionDecision::Approve, None);
        assert_eq!(without.unwrap_err().code, ErrorCode::InvalidRequest, "what is approved is looked at");
        decide(&rig, &owner, &asked.id, *first, token.clone()).unwrap();
        for second in PromotionDecision::ALL {
            let refused = decide(&rig, &owner, &asked.id, *second, token.clone());
            assert_eq!(refused.unwrap_err().code, ErrorCode::Conflict, "{first} then {second}");
        }
        let copy = show(&rig, &asked.id).promotion.promoted_id;
        assert_eq!(in_use(), 1 + i64::from(*first == PromotionDecision::Approve));
        if let Some(copy) = copy {
            rig.run(MemoryRemove { id: MemoryId::parse(copy).unwrap() }).unwrap();
        }
        assert_eq!(show(&rig, &asked.id).token, None);
    }
    let all = rig.run(PromotionsList { statuses: PromotionStatus::ALL.to_vec(), ..PromotionsList::default() }).unwrap();
    assert_eq!(
        all.promotions.iter().map(|one| one.status).collect::<Vec<_>>(),
        [PromotionStatus::Rejected, PromotionStatus::Approved]
    );
    assert_eq!(rig.run(PromotionsList::default()).unwrap().total, 0);
}

/// What happens between looking and approving; whether that is told, and whether it can be approved as it was shown.
#[test]
fn what_changed_since_it_was_shown_is_not_approved() {
    #[track_caller]
    fn check(what: &str, change: impl FnOnce(&Rig, &Promotion), expected: Result<(), ErrorCode>) {
        let rig = rig();
        let memory = rig.remember(FERRY);
        rig.settled();
        let asked = ask(&rig, &memory.id).unwrap();
        let token = show(&rig, &asked.id).token;
        change(&rig, &asked);
        rig.settled();
        let done = decide(&rig, &Caller::owner("test"), &asked.id, PromotionDecision::Approve, token);
        assert_eq!(done.map(drop).map_err(|e| e.code), expected, "{what}");
        let copies = rig.count("SELECT count(*) FROM promotion_requests WHERE lineage <> '{}'");
        assert_eq!(copies, i64::from(expected.is_ok()), "{what}");
    }
    check("nothing", |_, _| {}, Ok(()));
    check("a note elsewhere", |rig, _| drop(rig.remember("Something else happened.")), Ok(()));
    let stale = Err(ErrorCode::Conflict);
    check("another reader", |rig, _| drop(rig.agent_in("bot", &[TEAM], &[])), stale);
    check("the target has it now", |rig, _| drop(rig.remember_in(TEAM, FERRY)), stale);
    check(
        "it was removed",
        |rig, asked| {
            rig.run(MemoryRemove { id: MemoryId::parse(asked.object_id.as_str()).unwrap() }).unwrap();
        },
        stale,
    );
    check(
        "its target is read by all",
        |rig, _| {
            let read_policy = Some(ReadPolicy::Public);
            rig.run(SpaceEdit { space: TEAM.into(), read_policy, ..SpaceEdit::default() }).unwrap();
        },
        stale,
    );
}

#[test]
fn who_would_read_the_copy_is_told() {
    let rig = rig();
    let memory = rig.remember(FERRY);
    rig.agent_in("both", &[SPACE, TEAM], &[]);
    rig.agent_in("source only", &[SPACE], &[]);
    rig.agent_in("target only", &[TEAM], &[]);
    let id = ask(&rig, &memory.id).unwrap().id;
    let told = |rig: &Rig| -> Vec<(String, Option<Role>)> {
        show(rig, &id).new_readers.into_iter().map(|reader| (reader.name, reader.role)).collect()
    };
    assert_eq!(told(&rig), [("target only".to_owned(), Some(Role::Member))]);
    rig.run(AgentEdit { agent: "target only".into(), is_active: Some(false), ..AgentEdit::default() }).unwrap();
    assert_eq!(told(&rig), []);
    rig.run(AgentEdit { agent: "target only".into(), is_active: Some(true), ..AgentEdit::default() }).unwrap();
    rig.run(AgentRevoke { agent: "target only".into(), token: None }).unwrap();
    assert_eq!(told(&rig), [], "without a token it reads nothing");
}

#[test]
fn what_is_personal_is_decided_first() {
    let rig = rig();
    let memory = rig.remember("The ferry is booked by ana@halden.example for noon.");
    let unlooked = rig.remember("The key is under the mat.");
    rig.settled();
    rig.db().execute("UPDATE memories SET detected_by = NULL WHERE id = ?1", [unlooked.id.as_str()]).unwrap();
    let asked = ask(&rig, &unlooked.id).unwrap();
    assert_eq!(obstacles(&show(&rig, &asked.id)), [PromotionObstacle::NotLookedAt]);

    let asked = ask(&rig, &memory.id).unwrap();
    let blocked = |expected: &[PromotionObstacle]| {
        assert_eq!(obstacles(&show(&rig, &asked.id)), expected);
        let refused = approve(&rig, &asked.id).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Conflict);
        assert!(refused.hint.is_some(), "{refused}");
        assert_eq!(rig.count("SELECT count(*) FROM promotion_requests WHERE lineage <> '{}'"), 0);
    };
    blocked(&[PromotionObstacle::Undecided]);
    let leads_to = show(&rig, &asked.id).blocks[0].settled_at.clone();
    assert_eq!(leads_to, Some(PromotionSettledAt::Memory(memory.id.clone())), "where it is decided");
    let all = Some(AllFindings { memory: Some(memory.id.clone()), ..AllFindings::default() });
    let decided = |decision| rig.run(FindingsDecide { decision, ids: Vec::new(), all: all.clone() }).unwrap();
    decided(FindingDecision::Accept);
    blocked(&[PromotionObstacle::NotBlackedOut]);
    decided(FindingDecision::Reopen);
    // What the target hides from agents need not be decided.
    let kinds = |kinds: &[FindingKind]| rig.run(SpaceMask { space: TEAM.into(), kinds: kinds.to_vec() }).unwrap();
    kinds(&[FindingKind::Phone]);
    blocked(&[PromotionObstacle::Undecided]);
    kinds(&[FindingKind::Email]);
    assert_eq!(obstacles(&show(&rig, &asked.id)), []);
    kinds(&[]);
    decided(FindingDecision::Dismiss);
    let copy = approve(&rig, &asked.id).unwrap().promoted_id.unwrap();
    rig.settled();
    let of_copy = format!("SELECT count(*) FROM redaction_findings WHERE memory_id = '{copy}'");
    assert_eq!(rig.count(&of_copy), 1, "what was decided is not asked about anew");
    assert_eq!(rig.count(&format!("{of_copy} AND status = 'dismissed'")), 1);
}

#[test]
fn what_is_blacked_out_is_promoted_black() {
    let rig = rig();
    let memory = rig.remember("The ferry is booked by ana@halden.example for noon.");
    rig.settled();
    let asked = ask(&rig, &memory.id).unwrap();
    let all = Some(AllFindings { memory: Some(memory.id.clone()), ..AllFindings::default() });
    rig.run(FindingsDecide { decision: FindingDecision::Accept, ids: Vec::new(), all }).unwrap();
    rig.run(RedactionApply { memory: Some(memory.id.clone()), artifact: None }).unwrap();
    rig.settled();
    let detail = show(&rig, &asked.id);
    assert!(detail.changed_since_asked, "it says something else than when it was asked for");
    assert_eq!(detail.blocks, []);
    let copy = approve(&rig, &asked.id).unwrap().promoted_id.unwrap();
    let content = rig.memory(&MemoryId::parse(copy).unwrap()).content.unwrap();
    assert!(content.contains("██") && !content.contains("ana@"), "{content}");
}

#[test]
fn what_was_forgotten_does_not_come_in_by_promotion() {
    let rig = rig();
    let there = rig.remember_in(TEAM, FERRY);
    rig.settled();
    let what = ForgetWhat { memory: Some(there.id), space: Some(TEAM.to_owned()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    let memory = rig.remember(FERRY);
    assert_eq!(ask(&rig, &memory.id).unwrap_err().code, ErrorCode::Forgotten);
    rig.run(MemoryRemove { id: memory.id.clone() }).unwrap();
    assert_eq!(ask(&rig, &memory.id).unwrap_err().code, ErrorCode::Conflict, "what is out of recall is not promoted");
    rig.settled();
}

#[test]
fn a_copy_is_forgotten_with_its_source() {
    let rig = rig();
    let memory = rig.remember("The zorvexq ferry leaves at noon.");
    rig.settled();
    let asked = ask(&rig, &memory.id).unwrap();
    approve(&rig, &asked.id).unwrap();
    rig.settled();
    let pending = rig.space("Third");
    let other = PromotionRequest { to: pending.id.to_string(), ..asking(PromotedKind::Memory, memory.id.as_str()) };
    let other = rig.run(other).unwrap();
    let what = ForgetWhat { memory: Some(memory.id), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    let report = rig.run(ForgetExecute { what, token }).unwrap();
    assert_eq!((report.status.as_str(), report.proof.left), ("done", 0), "{report:?}");
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE is_redacted = 1"), 2);
    assert!(crate::support::traces(rig.data(), "zorvexq").is_empty());
    assert_eq!(show(&rig, &other.id).promotion.status, PromotionStatus::Rejected, "nobody decides about what is gone");
}

/// Each row: the agent's role and grants in the target, the rights of its token; what asking and approving come to.
#[test]
fn what_is_blacked_out_is_blacked_out_in_every_copy() {
    let rig = rig();
    let text = "The password of the ferry is zorvexian since May.";
    let memory = rig.remember(text);
    rig.settled();
    let dismissed = "UPDATE redaction_findings SET status = 'dismissed', decided_at = 1, decided_by = ?1";
    rig.db().execute(dismissed, [um_model::OWNER_AGENT]).unwrap();
    let asked = ask(&rig, &memory.id).unwrap();
    let done = approve(&rig, &asked.id).unwrap();
    rig.settled();
    let copy = MemoryId::parse(done.promoted_id.unwrap()).unwrap();
    crate::redacting::mark(&rig, &memory, "zorvexian");
    let request = RedactionApply { memory: Some(memory.id.clone()), artifact: None };
    let by_agent = agent(&rig, "reader", &[SPACE], &[], None);
    assert!(rig.engine().run(&by_agent, request.clone()).is_err());
    let applied = rig.run(request).unwrap();
    assert_eq!((applied.copies, applied.proof.left, applied.proof.said_elsewhere), (1, 0, 0), "{applied:?}");
    for id in [&memory.id, &copy] {
        assert_eq!(rig.memory(id).content.unwrap(), text.replace("zorvexian", "█████████"));
    }
    rig.settled();
    rig.engine().stop();
    assert_eq!(crate::support::traces(rig.data(), "zorvexian"), Vec::<String>::new());
}

#[test]
fn agents_ask_and_decide_as_the_target_allows() {
    #[track_caller]
    fn check(
        (role, grants, rights): (Option<Role>, &[Grant], &[Right]),
        asks: Result<(), ErrorCode>,
        approves: Result<(), ErrorCode>,
    ) {
        let rig = rig();
        let memory = rig.remember(FERRY);
        rig.settled();
        let spaces: &[&str] = if role.is_some() { &[SPACE, TEAM] } else { &[SPACE] };
        let bot = agent(&rig, "bot", spaces, rights, role.map(|role| (role, grants)));
        let asked = rig.engine().run(&bot, asking(PromotedKind::Memory, memory.id.as_str()));
        let case = format!("{role:?} {grants:?} {rights:?}");
        assert_eq!(asked.as_ref().map(drop).map_err(|e| e.code), asks, "{case} asks");
        let seen = rig.engine().run(&bot, PromotionsList::default()).unwrap().total;
        assert_eq!(seen, u64::from(asks.is_ok()), "{case} sees its own");
        // What somebody else asks for: only those who decide see it.
        let id = asked.map_or_else(|_| ask(&rig, &memory.id).unwrap().id, |asked| asked.id);
        let token = show(&rig, &id).token;
        let done = decide(&rig, &bot, &id, PromotionDecision::Approve, token);
        assert_eq!(done.map(drop).map_err(|e| e.code), approves, "{case} approves");
    }
    let (both, reads): (&[Right], &[Right]) = (Right::ALL, &[Right::Read]);
    let granted: &[Grant] = &[Grant::ApprovePromotion];
    let (forbidden, unknown) = (Err(ErrorCode::Forbidden), Err(ErrorCode::NotFound));
    check((None, &[], both), unknown, forbidden);
    check((Some(Role::Observer), &[], both), Ok(()), forbidden);
    check((Some(Role::Observer), granted, both), Ok(()), forbidden);
    check((Some(Role::Member), granted, both), Ok(()), forbidden);
    check((Some(Role::Leader), &[], both), Ok(()), forbidden);
    check((Some(Role::Leader), &[Grant::ManageMembers], both), Ok(()), forbidden);
    check((Some(Role::Leader), granted, both), Ok(()), Ok(()));
    check((Some(Role::Owner), granted, both), Ok(()), Ok(()));
    check((Some(Role::Owner), granted, reads), forbidden, forbidden);
}

#[test]
fn agents_see_their_own_requests_and_those_that_they_decide() {
    let rig = rig();
    let memories = ["One.", "Two.", "Three."].map(|text| rig.remember(text).id);
    let decides: Option<(Role, &[Grant])> = Some((Role::Leader, &[Grant::ApprovePromotion]));
    let asker = agent(&rig, "asker", &[SPACE, TEAM], &[], None);
    let decider = agent(&rig, "decider", &[SPACE, TEAM], &[], decides);
    let other = agent(&rig, "other", &[SPACE, TEAM], &[], None);
    let blind = agent(&rig, "blind", &[TEAM], &[], decides);
    let own = rig.engine().run(&asker, asking(PromotedKind::Memory, memories[0].as_str())).unwrap();
    ask(&rig, &memories[1]).unwrap();
    let sees = |who: &Caller| rig.engine().run(who, PromotionsList::default()).unwrap().total;
    assert_eq!([&asker, &decider, &other, &blind].map(sees), [1, 2, 0, 0]);
    for (who, may) in [(&asker, true), (&decider, true), (&other, false), (&blind, false)] {
        let shown = rig.engine().run(who, PromotionShow { id: own.id.clone() });
        assert_eq!(shown.is_ok(), may, "{:?}", who.agent_name);
    }
    let nobody = PromotionId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b").unwrap();
    let told = |id: &PromotionId| {
        let refused = rig.engine().run(&other, PromotionShow { id: id.clone() }).unwrap_err();
        refused.to_string().replace(id.as_str(), "ID")
    };
    assert_eq!(told(&own.id), told(&nobody), "what it may not see does not exist for it");
    rig.settled();
}

/// What an agent asks for is answered with a request of its own, whatever others ask; a yes settles all of them.
#[test]
fn who_asks_for_what_another_asked_sees_nothing_of_that() {
    let rig = rig();
    let memory = rig.remember(FERRY);
    rig.settled();
    let notes = Some("For the lawyer only.".to_owned());
    let first = rig.run(PromotionRequest { notes, ..asking(PromotedKind::Memory, memory.id.as_str()) }).unwrap();
    let bot = agent(&rig, "bot", &[SPACE, TEAM], &[], None);
    let asks = || rig.engine().run(&bot, asking(PromotedKind::Memory, memory.id.as_str())).unwrap();
    let own = asks();
    assert_eq!((own.requested_by_name.as_str(), &own.notes), ("bot", &None));
    assert_ne!(own.id, first.id);
    assert_eq!(asks().id, own.id, "asked twice, it is one wish");
    let sees = rig.engine().run(&bot, PromotionsList::default()).unwrap();
    assert_eq!((sees.total, &sees.promotions[0].id), (1, &own.id));
    assert_eq!(ask(&rig, &memory.id).unwrap().id, first.id);
    let token = show(&rig, &first.id).token;
    let yes =
        PromotionDecide { id: first.id, decision: PromotionDecision::Approve, token, notes: Some("Fine.".into()) };
    let done = rig.run(yes).unwrap();
    let detail = rig.engine().run(&bot, PromotionShow { id: own.id }).unwrap().promotion;
    assert_eq!((detail.status, detail.promoted_id), (PromotionStatus::Approved, done.promoted_id));
    assert_eq!(detail.review_notes, None, "what was said to another is not told");
}

#[test]
fn nonsense_is_refused_with_what_to_do() {
    let rig = rig();
    let memory = rig.remember(FERRY).id;
    let check = |request: PromotionRequest, expected: ErrorCode| {
        let refused = rig.run(request.clone()).unwrap_err();
        assert_eq!(refused.code, expected, "{request:?}: {refused}");
    };
    let to = |to: &str| PromotionRequest { to: to.to_owned(), ..asking(PromotedKind::Memory, memory.as_str()) };
    check(to(SPACE), ErrorCode::InvalidRequest);
    check(to("Global"), ErrorCode::InvalidRequest);
    check(to("Nowhere"), ErrorCode::NotFound);
    check(to(""), ErrorCode::InvalidRequest);
    for id in ["", "x", SPACE, "0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b", "../../etc/passwd"] {
        check(asking(PromotedKind::Memory, id), ErrorCode::NotFound);
    }
    let long = PromotionRequest { notes: Some("x".repeat(2_001)), ..to(TEAM) };
    check(long, ErrorCode::TextTooLong);
    rig.settled();
}

/// What waits already is answered before anything is looked through, and what was forgotten since is refused at the end.
#[test]
fn what_waits_is_not_looked_through_again() {
    let rig = rig();
    let secret = "Write to carla.voss@firma.example about the ferry.";
    let memory = rig.remember(secret);
    rig.settled();
    let asked = ask(&rig, &memory.id).unwrap();
    let space = rig.run(um_model::spaces::SpacesList::default()).unwrap().spaces;
    let team = space.into_iter().find(|space| space.space.name == TEAM).unwrap().space.id;
    let there = rig.remember_in(team.as_str(), "In the team: carla.voss@firma.example again.");
    rig.settled();
    let what = ForgetWhat { memory: Some(there.id), space: Some(team.to_string()), ..ForgetWhat::default() };
    let token = rig.run(ForgetPreview { what: what.clone() }).unwrap().token;
    rig.run(ForgetExecute { what, token }).unwrap();
    let forgotten =
        rig.run(MemoryRemember { text: secret.to_owned(), space: TEAM.to_owned(), ..MemoryRemember::default() });
    assert_eq!(forgotten.unwrap_err().code, ErrorCode::Forgotten);
    assert_eq!(ask(&rig, &memory.id).unwrap().id, asked.id);
    assert!(obstacles(&show(&rig, &asked.id)).contains(&PromotionObstacle::Forgotten));
    assert!(approve(&rig, &asked.id).is_err());
}
