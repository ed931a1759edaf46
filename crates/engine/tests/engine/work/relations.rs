//! Relations: said, ended, listed, walked along.

use super::guideline;
use crate::support::{Rig, SPACE};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use um_model::claims::Direction;
use um_model::work::*;
use um_model::{EpochMs, ErrorCode};

fn entry(rig: &Rig, name: &str) -> ItemKey {
    let id = rig.run(guideline(name, "Do so.")).unwrap().entry.id.to_string();
    ItemKey { item_type: ItemType::Entry, id }
}

fn said(from: &ItemKey, relation_type: RelationType, to: &ItemKey) -> RelationAdd {
    RelationAdd {
        from: from.clone(),
        to: to.clone(),
        relation_type,
        valid_from: None,
        valid_until: None,
        source_event_ids: Vec::new(),
    }
}

fn of_item(rig: &Rig, item: &ItemKey, as_of: Option<EpochMs>) -> Vec<Relation> {
    rig.run(RelationsList { item: Some(item.clone()), as_of, ..RelationsList::default() }).unwrap().relations
}

fn walk(rig: &Rig, from: &ItemKey, direction: Direction, depth: u8) -> RelationsWalked {
    let (item_type, id) = (from.item_type, from.id.clone());
    let (direction, depth) = (Some(direction), Some(depth));
    rig.run(RelationsWalk { item_type, id, types: Vec::new(), direction, depth, as_of: None, known_at: None }).unwrap()
}

#[test]
fn every_type_is_said_once_and_rests_on_an_event() {
    let rig = Rig::resting();
    let (one, other) = (entry(&rig, "One"), entry(&rig, "Other"));
    for relation_type in RelationType::ALL {
        let first = rig.run(said(&one, *relation_type, &other)).unwrap();
        assert_eq!(
            (first.relation_type, first.from.title.as_str(), first.to.title.as_str()),
            (*relation_type, "One", "Other")
        );
        assert_eq!(first.source_event_ids.len(), 1, "that it was said");
        assert_eq!(rig.run(said(&one, *relation_type, &other)).unwrap(), first, "twice is once");
    }
    assert_eq!(of_item(&rig, &other, None).len(), RelationType::ALL.len());
    let only = RelationsList { types: vec![RelationType::Extends], limit: Some(1), ..RelationsList::default() };
    let listed = rig.run(only).unwrap();
    assert!(!listed.more && listed.relations[0].relation_type == RelationType::Extends);
}

#[test]
fn what_does_not_fit_is_refused() {
    let rig = Rig::resting();
    let (one, other) = (entry(&rig, "One"), entry(&rig, "Other"));
    let add = |from: &ItemKey, to: &ItemKey| said(from, RelationType::Supports, to);
    let unknown = ItemKey { item_type: ItemType::Memory, id: one.id.clone() };
    let session = rig.run(SessionBegin::default()).unwrap().session.id.to_string();
    let session = ItemKey { item_type: ItemType::Session, id: session };
    rig.space("Elsewhere");
    let far = rig.run(EntrySave { space: Some("Elsewhere".into()), ..guideline("Far", "Do so.") }).unwrap().entry.id;
    let far = ItemKey { item_type: ItemType::Entry, id: far.to_string() };
    let backwards = RelationAdd { valid_from: Some(2), valid_until: Some(2), ..add(&one, &other) };
    let missing = um_model::EventId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a1b").unwrap();
    let sourceless = RelationAdd { source_event_ids: vec![missing], ..add(&one, &other) };
    for (request, code) in [
        (add(&one, &one), ErrorCode::InvalidRequest),
        (add(&one, &unknown), ErrorCode::NotFound),
        (add(&one, &session), ErrorCode::InvalidRequest),
        (add(&one, &far), ErrorCode::InvalidRequest),
        (backwards, ErrorCode::InvalidRequest),
        (sourceless, ErrorCode::NotFound),
    ] {
        let error = rig.run(request.clone()).unwrap_err();
        assert_eq!(error.code, code, "{request:?}: {error}");
    }
    let global = rig.run(EntrySave { space: Some("global".into()), ..guideline("Everywhere", "Do so.") });
    let global = ItemKey { item_type: ItemType::Entry, id: global.unwrap().entry.id.to_string() };
    rig.run(add(&one, &global)).expect("what is everybody's can be named");
    assert_eq!(rig.run(add(&global, &one)).unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn what_has_ended_stays_on_record_and_can_hold_again() {
    let rig = Rig::resting();
    let (one, other) = (entry(&rig, "One"), entry(&rig, "Other"));
    let first = rig.run(said(&one, RelationType::DependsOn, &other)).unwrap();
    rig.advance(1_000);
    let before = rig.now();
    let ended = rig.run(RelationEnd { relation: first.id.clone(), at: None }).unwrap();
    assert_eq!(ended.valid_until, Some(before));
    rig.advance(1_000);
    assert_eq!(rig.run(RelationEnd { relation: first.id.clone(), at: None }).unwrap(), ended, "once");
    assert_eq!(of_item(&rig, &one, Some(before - 1)).len(), 1);
    assert!(of_item(&rig, &one, Some(before)).is_empty());
    assert!(walk(&rig, &one, Direction::Both, 1).items.is_empty());
    let again = rig.run(said(&one, RelationType::DependsOn, &other)).unwrap();
    assert_ne!(again.id, first.id);
    assert_eq!(again.valid_from, Some(rig.now()));
    assert_eq!(of_item(&rig, &one, None).len(), 2);
    let too_soon = RelationEnd { relation: again.id.clone(), at: Some(before) };
    assert_eq!(rig.run(too_soon).unwrap_err().code, ErrorCode::InvalidRequest);
    rig.run(RelationRemove { relation: again.id.clone() }).unwrap();
    assert_eq!(rig.run(RelationRemove { relation: again.id }).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(of_item(&rig, &one, None).len(), 1);
}

#[test]
fn what_was_ended_later_goes_on_as_far_as_was_known() {
    let rig = Rig::resting();
    let (one, other) = (entry(&rig, "One"), entry(&rig, "Other"));
    let begun = rig.now();
    let planned = RelationAdd { valid_until: Some(begun + 10_000), ..said(&one, RelationType::Extends, &other) };
    let planned = rig.run(planned).unwrap().id;
    let open = rig.run(said(&one, RelationType::DependsOn, &other)).unwrap().id;
    rig.advance(1_000);
    let ended = rig.now();
    rig.run(RelationEnd { relation: open, at: None }).unwrap();
    rig.run(RelationEnd { relation: planned.clone(), at: Some(begun + 20_000) }).unwrap();
    rig.advance(1_000);
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, expected: &[(RelationType, Option<EpochMs>)]| {
        let request = RelationsList { item: Some(one.clone()), as_of, known_at, ..RelationsList::default() };
        let listed = rig.run(request).unwrap().relations;
        let told: Vec<_> = listed.iter().map(|one| (one.relation_type, one.valid_until)).collect();
        assert_eq!(told, expected, "as of {as_of:?}, known at {known_at:?}");
        let Some(as_of) = as_of else { return };
        let (item_type, id, types) = (one.item_type, one.id.clone(), Vec::new());
        let walk =
            RelationsWalk { item_type, id, types, direction: None, depth: Some(1), as_of: Some(as_of), known_at };
        assert_eq!(rig.run(walk).unwrap().relations, listed, "as of {as_of}, known at {known_at:?}");
    };
    let (depends, extends) = (RelationType::DependsOn, RelationType::Extends);
    let (before, as_they_are) = (Some(ended - 1), [(depends, Some(ended)), (extends, Some(begun + 20_000))]);
    check(None, None, &as_they_are);
    check(None, Some(ended), &as_they_are);
    check(None, before, &[(depends, None), (extends, Some(begun + 10_000))]);
    check(Some(begun + 15_000), before, &[(depends, None)]);
    check(Some(begun + 15_000), Some(ended), &as_they_are[1..]);
    check(Some(begun + 15_000), None, &as_they_are[1..]);
    check(None, Some(begun - 1), &[]);

    // Ended a second and a third time: what was known between the two is.
    let first_end = [(extends, Some(begun + 20_000))];
    let again = |at: EpochMs| {
        rig.run(RelationEnd { relation: planned.clone(), at: Some(at) }).unwrap();
        rig.advance(1_000);
        rig.now() - 1
    };
    let (second, third) = (again(begun + 5_000), again(begun + 30_000));
    let until = Some(begun + 15_000);
    check(until, Some(ended), &first_end);
    check(until, Some(second), &[]);
    check(until, Some(third), &[(extends, Some(begun + 30_000))]);
    check(until, None, &[(extends, Some(begun + 30_000))]);
    check(until, before, &[(depends, None)]);
    let ends = || rig.count("SELECT count(*) FROM item_relation_ends");
    assert_eq!(ends(), 5);
    rig.run(RelationRemove { relation: planned }).unwrap();
    assert_eq!(ends(), 1, "they go with it");
}

#[test]
fn a_walk_knows_directions_depths_and_circles() {
    let rig = Rig::resting();
    let all: Vec<ItemKey> = ["A", "B", "C", "D"].iter().map(|name| entry(&rig, name)).collect();
    let chain = [
        (0, RelationType::DependsOn, 1),
        (1, RelationType::Extends, 2),
        (2, RelationType::DependsOn, 0),
        (3, RelationType::Contradicts, 0),
    ];
    for (from, of, to) in chain {
        rig.run(said(&all[from], of, &all[to])).unwrap();
    }
    let check = |from: usize, direction: Direction, depth: u8, reached: &[(&str, u8)]| {
        let walked = walk(&rig, &all[from], direction, depth);
        let found: BTreeSet<(&str, u8)> = walked.items.iter().map(|one| (one.item.title.as_str(), one.steps)).collect();
        assert_eq!(found, reached.iter().copied().collect(), "{from} {direction:?} {depth}");
        assert!(!walked.truncated);
    };
    check(0, Direction::Out, 1, &[("B", 1), ("D", 1)]);
    check(0, Direction::In, 1, &[("C", 1), ("D", 1)]);
    check(0, Direction::Out, 2, &[("B", 1), ("C", 2), ("D", 1)]);
    check(3, Direction::Out, 5, &[("A", 1), ("B", 2), ("C", 3)]);
    check(0, Direction::Both, 1, &[("B", 1), ("C", 1), ("D", 1)]);
    let deep = RelationsWalk {
        item_type: ItemType::Entry,
        id: all[0].id.clone(),
        types: Vec::new(),
        direction: None,
        depth: Some(6),
        as_of: None,
        known_at: None,
    };
    assert_eq!(rig.run(deep).unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn a_walk_says_when_there_is_more() {
    let rig = Rig::resting();
    let hub = entry(&rig, "Hub");
    for number in 0..102 {
        rig.run(said(&entry(&rig, &format!("Spoke {number}")), RelationType::AppliesTo, &hub)).unwrap();
    }
    let walked = walk(&rig, &hub, Direction::In, 1);
    assert!(walked.truncated);
    assert_eq!(walked.items.len(), 100);
    assert!(!walk(&rig, &hub, Direction::Out, 1).truncated);
}

#[test]
fn no_relation_leads_to_what_is_forgotten() {
    let rig = Rig::new();
    let rule = entry(&rig, "Rule");
    let memory = rig.remember("The ferry of Orla Finch leaves at noon.").id;
    let item = ItemKey { item_type: ItemType::Memory, id: memory.to_string() };
    rig.run(said(&rule, RelationType::AppliesTo, &item)).unwrap();
    rig.settled();
    let owner = um_engine::Caller::owner("test");
    let mut what = serde_json::json!({"memory": memory, "space": SPACE});
    what["token"] = rig.engine().call(&owner, "forget_preview", what.clone()).unwrap()["token"].clone();
    rig.engine().call(&owner, "forget_execute", what).unwrap();
    assert!(of_item(&rig, &rule, None).is_empty());
    assert!(walk(&rig, &rule, Direction::Both, 2).items.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// A walk reaches what a search by hand reaches, in as many steps.
    #[test]
    fn a_walk_reaches_what_can_be_reached(edges in prop::collection::vec((0_usize..7, 0_usize..9, 0_usize..7), 0..16), depth in 1_u8..5) {
        let rig = Rig::resting();
        let all: Vec<ItemKey> = (0..7).map(|number| entry(&rig, &number.to_string())).collect();
        let mut known = BTreeSet::new();
        for (from, of, to) in edges.into_iter().filter(|(from, _, to)| from != to) {
            let of = RelationType::ALL[of];
            rig.run(said(&all[from], of, &all[to])).unwrap();
            known.insert((from, to));
            if of.is_mutual() {
                known.insert((to, from));
            }
        }
        let mut steps = BTreeMap::from([(0, 0)]);
        for step in 1..=depth {
            let here: Vec<usize> = steps.iter().filter(|(_, at)| **at == step - 1).map(|(one, _)| *one).collect();
            for (_, to) in known.iter().filter(|(from, _)| here.contains(from)) {
                steps.entry(*to).or_insert(step);
            }
        }
        steps.remove(&0);
        let found: BTreeMap<usize, u8> = walk(&rig, &all[0], Direction::Out, depth)
            .items
            .iter()
            .map(|one| (one.item.title.parse().unwrap(), one.steps))
            .collect();
        prop_assert_eq!(found, steps);
    }
}

/// Ruling 33: status removes from recall, relations only warn.
#[test]
fn recall_marks_what_something_stands_in_the_place_of() {
    use um_model::recall::MemoryRecall;
    let rig = Rig::new();
    let memory = |text: &str| ItemKey { item_type: ItemType::Memory, id: rig.remember(text).id.to_string() };
    let (old, new) = (memory("The rent of the flat is 700."), memory("The rent of that flat became 800 lately."));
    memory("The flat has a balcony.");
    rig.settled();
    let warned_as_known = |as_of: Option<EpochMs>, known_at: Option<EpochMs>| {
        let request = MemoryRecall { query: "rent flat".into(), as_of, known_at, ..MemoryRecall::default() };
        let mut told: Vec<(String, WarningKind, String, Vec<String>)> = Vec::new();
        for hit in rig.run(request).unwrap().hits {
            for warning in hit.warnings {
                assert_eq!(warning.target.id, hit.ids.memory.to_string());
                told.push((warning.target.id, warning.kind, warning.message, warning.related));
            }
        }
        told.sort();
        told
    };
    let warned = |as_of| warned_as_known(as_of, None);
    assert_eq!(warned(None), []);
    let before = rig.now();
    rig.advance(1_000);
    let now = rig.now();
    let relation = RelationAdd { valid_from: Some(now), ..said(&new, RelationType::Supersedes, &old) };
    let id = rig.run(relation).unwrap().id;
    let kind = WarningKind::TemporalSupersession;
    let mut expected = vec![
        (old.id.clone(), kind, "Another one stands in its place.".to_owned(), vec![new.id.clone()]),
        (new.id.clone(), kind, "It stands in the place of another one.".to_owned(), vec![old.id.clone()]),
    ];
    expected.sort();
    assert_eq!(warned(None), expected);
    assert_eq!(warned_as_known(None, Some(now)), expected);
    assert_eq!(warned_as_known(None, Some(before)), [], "nobody knew of it then");
    rig.advance(1_000);
    rig.run(RelationEnd { relation: id, at: None }).unwrap();
    assert_eq!(warned(None), [], "what ended warns no more");
    assert_eq!(warned_as_known(None, Some(now)), expected, "nobody knew of its end then");
    assert_eq!(warned(Some(now)), expected, "and did then");
}
