//! Files and memories with findings: those that wait, and those in which something was blacked out.

use super::*;
use um_model::forget::RedactionApply;

fn items(rig: &Rig, applied: bool) -> Vec<String> {
    let listed = rig.run(RedactionsList { applied, ..RedactionsList::default() }).unwrap();
    assert_eq!(listed.items.len() as u64, listed.total);
    let one = |item: &RedactionItem| {
        let kinds: Vec<String> = item.kinds.iter().map(|of| format!("{} {}", of.kind, of.count)).collect();
        format!("{}: {} {} {} ({})", item.title, item.pending, item.accepted, item.applied, kinds.join(", "))
    };
    listed.items.iter().map(one).collect()
}

#[test]
fn what_waits_and_what_was_blacked_out_is_listed_by_file_and_memory() {
    let rig = Rig::new();
    let memory = rig.remember(&format!("Write to {MAIL}."));
    rig.ingest("cards.txt", format!("{CARD} and {IBAN} and {MAIL}"));
    rig.remember("The heron stands in the reeds.");
    rig.settled();
    let (first, file) = (format!("Write to {MAIL}.: 1 0 0 (email 1)"), "cards.txt: 3 0 0 (email 1, card 1, iban 1)");
    assert_eq!(items(&rig, false), [first.as_str(), file]);
    assert_eq!(items(&rig, true), [""; 0]);
    let found = of_memory(&rig, &memory.id);
    decide(&rig, FindingDecision::Accept, &[found[0].id.clone()]);
    assert_eq!(items(&rig, false)[0], format!("Write to {MAIL}.: 0 1 0 (email 1)"), "it waits to be blacked out");
    rig.run(RedactionApply { memory: Some(memory.id.clone()), artifact: None }).unwrap();
    rig.settled();
    assert_eq!(items(&rig, false), [file]);
    assert_eq!(items(&rig, true), [format!("Write to {}.: 0 0 1 (email 1)", "█".repeat(MAIL.len()))]);
    let page = |offset| rig.run(RedactionsList { offset, limit: Some(1), ..RedactionsList::default() }).unwrap();
    assert_eq!((page(0).items.len(), page(1).items.len(), page(1).total), (1, 0, 1));
    // What is dismissed waits no more.
    let all = AllFindings { space: Some(SPACE.into()), ..AllFindings::default() };
    rig.run(FindingsDecide { decision: FindingDecision::Dismiss, ids: Vec::new(), all: Some(all) }).unwrap();
    assert_eq!(items(&rig, false), [""; 0]);
    forbidden(rig.engine().run(&agent(&rig), RedactionsList::default()));
}

#[test]
fn where_nothing_but_names_waits_is_told_apart_and_left_as_it_is_at_once() {
    let rig = Rig::new();
    let mixed = rig.remember(&format!("Rosa Vane writes to {MAIL}."));
    let names = rig.remember("Rosa Vane rows to the island.");
    rig.settled();
    for (memory, words) in [(&mixed, "Rosa Vane"), (&names, "Rosa Vane")] {
        let kind = Some(FindingKind::Person);
        let request =
            FindingsMark { words: words.into(), memory: Some(memory.id.clone()), kind, ..FindingsMark::default() };
        // What a person marks is to be blacked out, and waits again once that is taken back.
        let marked = rig.run(request).unwrap().marked;
        assert_eq!(decide(&rig, FindingDecision::Reopen, &marked).changed.len(), marked.len());
    }
    let listed = |names_only| {
        let request = RedactionsList { names_only, ..RedactionsList::default() };
        let listed = rig.run(request).unwrap();
        assert_eq!(listed.items.len() as u64, listed.total);
        listed.items.into_iter().map(|item| item.memory_id).collect::<Vec<_>>()
    };
    assert_eq!(listed(Some(true)), std::slice::from_ref(&names.id));
    assert_eq!(listed(Some(false)), std::slice::from_ref(&mixed.id));
    assert_eq!(listed(None).len(), 2);
    let all = AllFindings { space: Some(SPACE.into()), names_only: true, ..AllFindings::default() };
    let request = FindingsDecide { decision: FindingDecision::Dismiss, ids: Vec::new(), all: Some(all) };
    let kept = rig.run(request).unwrap();
    assert!(kept.left == 0 && !kept.changed.is_empty(), "{kept:?}");
    assert_eq!((listed(Some(true)), listed(None)), (vec![], vec![mixed.id.clone()]), "the name beside the mail waits");
    decide(&rig, FindingDecision::Reopen, &kept.changed);
    assert_eq!(listed(Some(true)), std::slice::from_ref(&names.id));
    // A name that is to be blacked out is no mere name any more.
    decide(&rig, FindingDecision::Accept, &kept.changed);
    assert_eq!((listed(Some(true)), listed(Some(false)).len()), (vec![], 2));
}
