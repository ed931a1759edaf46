//! The person decides, one by one or all of a kind, and takes it back; agents do not.

use super::*;

#[test]
fn decisions_are_kept_taken_back_and_audited() {
    let rig = Rig::new();
    rig.remember(&format!("Write to {MAIL}, pay with {CARD}."));
    rig.settled();
    let found = list(&rig, FindingsList::default()).findings;
    let (mail, card) = (&found[0].id, &found[1].id);
    let both = [mail.clone(), card.clone()];
    let changed = decide(&rig, FindingDecision::Accept, &both).changed;
    assert_eq!(changed, both);
    let accepted = list(&rig, FindingsList { statuses: vec![FindingStatus::Accepted], ..FindingsList::default() });
    assert!(accepted.findings.iter().all(|one| one.decided_by.is_some() && one.decided_at.is_some()));
    assert_eq!(list(&rig, FindingsList::default()).total, 0, "pending ones are asked about");
    assert_eq!(decide(&rig, FindingDecision::Accept, &both).changed, [], "nothing changes twice");
    decide(&rig, FindingDecision::Dismiss, std::slice::from_ref(card));
    assert_eq!(told(&rig), [format!("email accepted {MAIL}"), format!("card dismissed {CARD}")]);
    decide(&rig, FindingDecision::Reopen, &both);
    assert_eq!(told(&rig), [format!("email pending {MAIL}"), format!("card pending {CARD}")]);
    let ledger = rig.count("SELECT count(*) FROM audit_events WHERE event_type = 'findings.decided'");
    assert_eq!(ledger, 3, "what changed nothing leaves no entry");
    assert_eq!(rig.count("SELECT count(*) FROM audit_events WHERE payload LIKE '%halden%'"), 0);
}

#[test]
fn all_of_a_kind_are_decided_in_a_space_or_a_file() {
    let rig = Rig::new();
    let other = rig.space("other");
    rig.remember(&format!("Write to {MAIL}."));
    rig.remember_in("other", &format!("Write to {MAIL} or pay with {CARD}."));
    let file = rig.ingest("note.txt", format!("Pay with {CARD}. Write to {MAIL}."));
    rig.settled();
    let all = |decision, all: AllFindings| {
        let all = Some(all);
        rig.run(FindingsDecide { decision, ids: Vec::new(), all }).unwrap().changed.len()
    };
    let mails = AllFindings { kind: Some(FindingKind::Email), ..AllFindings::default() };
    let in_file = AllFindings { artifact: Some(file), ..AllFindings::default() };
    assert_eq!(all(FindingDecision::Accept, AllFindings { space: Some("other".into()), ..mails.clone() }), 1);
    assert_eq!(all(FindingDecision::Dismiss, in_file.clone()), 2);
    assert_eq!(all(FindingDecision::Reopen, AllFindings { kind: Some(FindingKind::Card), ..in_file }), 1);
    assert_eq!(
        told(&rig),
        [
            format!("email pending {MAIL}"),
            format!("email accepted {MAIL}"),
            format!("card pending {CARD}"),
            format!("card pending {CARD}"),
            format!("email dismissed {MAIL}"),
        ]
    );
    let of_other = FindingsList { space: Some(other.id.to_string()), ..FindingsList::default() };
    assert_eq!(list(&rig, of_other).findings.len(), 1);
}

#[test]
fn pages_of_a_list_are_in_order_and_know_the_whole() {
    let rig = Rig::new();
    let cards: String = (0..25).map(|_| format!("pay with {CARD}.\n")).collect();
    rig.remember(&cards);
    rig.settled();
    let page = |offset| list(&rig, FindingsList { offset, limit: Some(10), ..FindingsList::default() });
    let spans: Vec<u32> =
        [0, 10, 20].iter().flat_map(|at| page(*at).findings).map(|one| one.span.unwrap().start).collect();
    assert_eq!(spans.len(), 25);
    assert!(spans.is_sorted());
    assert_eq!(page(20).total, 25);
}

#[test]
fn requests_that_mean_nothing_are_refused() {
    let rig = Rig::new();
    rig.remember(&format!("Write to {MAIL}."));
    rig.settled();
    let known = list(&rig, FindingsList::default()).findings[0].id.clone();
    let check = |ids: Vec<FindingId>, all: Option<AllFindings>, code| {
        let error = rig.run(FindingsDecide { decision: FindingDecision::Accept, ids, all }).unwrap_err();
        assert_eq!(error.code, code, "{error}");
    };
    let space = || Some(AllFindings { space: Some(SPACE.into()), ..AllFindings::default() });
    check(vec![], None, ErrorCode::InvalidRequest);
    check(vec![known.clone()], space(), ErrorCode::InvalidRequest);
    check(vec![], Some(AllFindings::default()), ErrorCode::InvalidRequest);
    check(vec![known.clone(); 1_001], None, ErrorCode::InvalidRequest);
    check(vec![known.clone(), FindingId::parse(um_model::OWNER_AGENT).unwrap()], None, ErrorCode::NotFound);
    assert_eq!(told(&rig), [format!("email pending {MAIL}")], "of a refused request nothing is done");
    // What was blacked out stays so.
    rig.db()
        .execute_batch(
            "UPDATE redaction_findings SET status = 'accepted', decided_by = '00000000-0000-7000-8000-00000000000a', decided_at = 1;
             UPDATE redaction_findings SET status = 'applied', applied_at = 2",
        )
        .unwrap();
    check(vec![known], None, ErrorCode::Conflict);
    assert_eq!(told(&rig), ["email applied "], "what stood there is not shown");
}

#[test]
fn agents_neither_look_through_findings_nor_decide() {
    let rig = Rig::new();
    let memory = rig.remember(&format!("Write to {MAIL}."));
    rig.settled();
    let id = list(&rig, FindingsList::default()).findings[0].id.clone();
    let engine = rig.engine();
    forbidden(engine.run(&agent(&rig), FindingsList::default()));
    let decision = FindingDecision::Dismiss;
    forbidden(engine.run(&agent(&rig), FindingsDecide { decision, ids: vec![id], all: None }));
    let span = Some(um_model::Utf16Span::new(0, 5));
    forbidden(engine.run(&agent(&rig), FindingAdd { memory: Some(memory.id), span, ..FindingAdd::default() }));
    assert_eq!(told(&rig), [format!("email pending {MAIL}")]);
}
