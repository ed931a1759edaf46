//! Packing, without a database.

use super::*;
use crate::brief::LEAST;
use crate::brief::shown::ShownItem;
use std::cell::RefCell;
use std::rc::Rc;
use um_model::SpaceId;
use um_store::filter::Then;

/// An item of a memory called by that letter.
pub(in crate::brief) fn item_of(part: Part, letter: char, citation: &str, text: &str) -> PackItem {
    let space_id = SpaceId::global();
    let item = super::super::gather::item(ItemType::Memory, &letter.to_string(), &space_id, "");
    PackItem {
        part,
        because: Because::Always,
        space_id,
        item,
        text: text.to_owned(),
        citation: citation.to_owned(),
        tokens: 0,
        associated: false,
        low_trust: false,
        by: None,
        source_event_ids: Vec::new(),
        metadata: Map::new(),
        mark: String::new(),
    }
}

/// A pack of some items that is to be finished, of which each is warned of, with so many tokens at most.
fn packed(items: &[PackItem], budget_tokens: u32) -> Packed {
    let counter = Counter::of(None);
    let warn = |item: &PackItem| warnings::warning(WarningKind::Stale, &item.item, "It is old.", Vec::new());
    let pack = Briefing {
        id: None,
        base_space_id: SpaceId::global(),
        session_id: None,
        query: None,
        as_of: None,
        known_at: None,
        as_agent: None,
        as_agent_name: None,
        notices: Vec::new(),
        policy: Policy::Auto,
        budget_tokens,
        estimated_tokens: 0,
        counted_by: counter.0,
        recall: None,
        recall_warnings: items.iter().map(warn).collect(),
        items: Vec::new(),
        left_out: Vec::new(),
        left_out_total: 0,
        verification_warnings: Vec::new(),
        full_text: String::new(),
        text_hash: String::new(),
    };
    let place = |item: &PackItem| Place {
        item: item.clone(),
        seen: None,
        is_cited: true,
        is_over: false,
        is_whole: true,
        is_taken: false,
        tokens: (0, false),
        same: None,
        metadata: Map::new(),
        is_compared: false,
    };
    let (places, mark) = (items.iter().map(place).collect(), "0a1b2c3d".into());
    Packed { pack, places, notices: Vec::new(), said: BTreeMap::new(), longest: 0, mark, counter, compare: None }
}

/// A pack as it is shown where something is hidden in it.
fn hidden(pack: &Briefing, hide: impl Fn(&str) -> String) -> Shown {
    let shown = |item: &PackItem| ShownItem {
        title: item.item.title.clone(),
        text: hide(&item.text),
        by: item.by.as_deref().map(&hide),
    };
    Shown { text: hide(&pack.full_text), items: pack.items.iter().map(shown).collect() }
}

#[test]
fn what_is_shortened_by_hiding_has_room() {
    let names = "Ana Maria Ruiz de la Torre y Fernandez ".repeat(12);
    let all: Vec<PackItem> = (1..=3_u8)
        .map(|at| item_of(Part::Pinned, char::from(b'a' + at), &format!("P{at}"), &format!("{names} {at}")))
        .collect();
    let hide = |text: &str| text.replace(&names, "[hidden]");
    let shown = |pack: &Briefing| Ok(Some(hidden(pack, hide)));
    let pack = packed(&all, 200).finish(shown).unwrap();
    assert_eq!((pack.items.len(), pack.left_out.len()), (3, 0), "{}", pack.full_text);
    let pack = packed(&all, 60).finish(shown).unwrap();
    assert!(!pack.left_out.is_empty() && pack.left_out.iter().all(|one| one.tokens < 60), "{:?}", pack.left_out);
}

#[test]
fn all_that_stands_beside_the_items_has_room_in_the_least_budget() {
    let (past, now, to_come) = (1_620_034_506_789, 1_720_034_506_789, 1_820_034_506_789);
    let lost = "Meaning was not searched, only words.";
    assert!(crate::recall::is_of_lost_search(lost));
    let recall = PackRecall { abstained: true, reason: None, answerability: 0.0, notices: vec![lost.to_owned()] };
    for policy in Policy::ALL {
        for as_of in [past, to_come] {
            let of_then = Then { as_of: Some(as_of), known_at: Some(past) };
            let Packed { mut pack, mark, .. } = packed(&[], LEAST);
            pack.notices = then::notices(of_then, (now, 0), (*policy, true));
            pack.policy = *policy;
            pack.query = Some("Where?".to_owned());
            pack.recall = (*policy != Policy::Workspace).then(|| recall.clone());
            let text = text::compose(&pack, LeftOutCount { all: 9_999, rules: 999 }, &[], &mark);
            let tokens = Counter::of(Some("any other model")).tokens(&text);
            assert!(tokens <= LEAST, "{tokens}: {text}");
        }
    }
}

#[test]
fn what_goes_takes_the_warnings_of_no_item_that_stays() {
    let pinned = item_of(Part::Pinned, 'a', "P1", "The walrus sleeps.");
    let check = |last: PackItem, warned: &[&str]| {
        let all = [pinned.clone(), last];
        let finish = |budget| packed(&all, budget).finish(|_| Ok(None)).unwrap();
        let whole = finish(u32::MAX);
        let pack = finish(whole.estimated_tokens - 1);
        assert_eq!((whole.items.len(), pack.items.len(), pack.left_out.len()), (2, 1, 1), "{}", pack.full_text);
        let targets: Vec<&str> = pack.recall_warnings.iter().map(|one| one.target.id.as_str()).collect();
        assert_eq!(targets, warned, "{}", pack.full_text);
        assert!(pack.full_text.contains("Warning: P1 was not confirmed for long."), "{}", pack.full_text);
    };
    check(item_of(Part::Evidence, 'a', "E1", "It wakes at noon, says the keeper."), &["a"]);
    check(item_of(Part::Evidence, 'b', "E1", "It wakes at noon, says the keeper."), &["a"]);
}

#[test]
fn what_has_room_where_the_last_went_is_taken() {
    let long = "The keeper says that the walrus wakes at noon, and eats a herring. ".repeat(4);
    let all = [
        item_of(Part::Core, 'a', "C1", "The walrus sleeps."),
        item_of(Part::Knowledge, 'b', "K1", &long),
        item_of(Part::Evidence, 'c', "E1", "A seal swims."),
    ];
    let whole = packed(&all, u32::MAX).finish(|_| Ok(None)).unwrap().estimated_tokens;
    for budget in 60..whole + 10 {
        let pack = packed(&all, budget).finish(|_| Ok(None)).unwrap();
        assert!(pack.estimated_tokens <= budget, "{} of {budget}", pack.estimated_tokens);
        let left = budget - pack.estimated_tokens;
        for one in &pack.left_out {
            let of = all.iter().find(|item| item.item == one.item).unwrap();
            let line = text::against(&packed(&all, 1).pack, of).unwrap();
            let needed = one.tokens + Counter::of(None).tokens(&line);
            assert!(needed > left, "{budget}: {} has room in {left}", of.citation);
        }
    }
}

#[test]
fn what_has_room_alone_is_compared_and_what_speaks_against_it_takes_room() {
    let long = "The keeper says that the walrus wakes at noon, and eats a herring. ".repeat(80);
    let all = [
        item_of(Part::Core, 'a', "C1", "The walrus sleeps."),
        item_of(Part::Knowledge, 'b', "K1", &long),
        item_of(Part::Evidence, 'c', "E1", "A seal swims."),
        item_of(Part::Evidence, 'a', "E2", "The walrus sleeps until noon."),
    ];
    let against = |item: &ItemRef| warnings::warning(WarningKind::FileMissing, item, "It is not there.", Vec::new());
    let finish = |budget: u32| {
        let compared = Rc::new(RefCell::new(Vec::new()));
        let (mut packed, noted) = (packed(&all, budget), compared.clone());
        packed.compare_by(move |item, _| {
            noted.borrow_mut().push(item.id.clone());
            vec![against(item)]
        });
        (packed.finish(|_| Ok(None)).unwrap(), compared.take().concat())
    };
    let (whole, compared) = finish(u32::MAX);
    assert_eq!((whole.items.len(), compared.as_str()), (4, "abc"), "in their order, each once");
    let (none, compared) = finish(1);
    assert_eq!((none.items.len(), compared.as_str()), (0, ""));
    let mut counts = BTreeSet::new();
    for budget in 60..400 {
        let (pack, compared) = finish(budget);
        assert!(pack.estimated_tokens <= budget, "{} of {budget}", pack.estimated_tokens);
        assert!(!compared.contains('b'), "{budget}: what has no room is read");
        for item in &pack.items {
            assert!(pack.recall_warnings.contains(&against(&item.item)), "{budget}: {}", item.citation);
        }
        let left = budget - pack.estimated_tokens;
        for one in &pack.left_out {
            let of = all.iter().find(|item| item.item == one.item && item.part == one.part).unwrap();
            let warned = Briefing { recall_warnings: whole.recall_warnings.clone(), ..pack.clone() };
            let line = text::against(&warned, of).unwrap();
            let needed = one.tokens + Counter::of(None).tokens(&line);
            assert!(needed > left, "{budget}: {} has room in {left}", of.citation);
        }
        counts.insert(pack.items.len());
    }
    assert!(counts.contains(&3), "{counts:?}");
}

#[test]
fn a_rule_that_was_said_by_one_that_went_is_counted() {
    let mut all = vec![item_of(Part::Core, 'a', "C1", "The walrus sleeps.")];
    all.push(item_of(Part::Core, 'b', "C2", "The walrus  sleeps."));
    let mut packed = packed(&all, u32::MAX);
    packed.fill();
    let rules = |packed: &Packed| packed.left_out(|_| true).rules;
    assert_eq!((packed.places[1].same, rules(&packed)), (Some(0), 0));
    packed.put_back(0);
    assert_eq!((packed.places[1].same, rules(&packed)), (None, 2));
}

#[test]
fn what_is_hidden_is_counted_as_it_is_shown() {
    // Hiding so many names takes more than another mark of the pack may save.
    let names = "Ana, Bo, ".repeat(8);
    let says = |at: usize| format!("{names}and Ana met at noon, says keeper {at}.");
    let all: Vec<PackItem> = (1..=8_u8)
        .map(|at| item_of(Part::Pinned, char::from(b'a' + at), &format!("P{at}"), &says(at.into())))
        .collect();
    let hide = |text: &str| text.replace("Ana", "[person hidden]").replace("Bo", "[person hidden]");
    let shown = |pack: &Briefing| Ok(Some(hidden(pack, hide)));
    let open = packed(&all, u32::MAX).finish(|_| Ok(None)).unwrap();
    let pack = packed(&all, open.estimated_tokens).finish(shown).unwrap();
    assert_eq!(pack.estimated_tokens, Counter::of(None).tokens(&pack.full_text));
    assert!(pack.estimated_tokens <= open.estimated_tokens, "{}", pack.full_text);
    assert!(!pack.full_text.contains("Ana") && pack.full_text.contains("[person hidden]"), "{}", pack.full_text);
    assert!((1..8).contains(&pack.items.len()) && pack.items.len() + pack.left_out.len() == 8, "{pack:?}");
    assert!(pack.full_text.contains(&format!("Left out: {}.", pack.left_out.len())), "{}", pack.full_text);
    assert!(pack.items[0].tokens > open.items[0].tokens, "{} tokens", pack.items[0].tokens);
    assert_eq!(pack.text_hash, format!("{:x}", Sha256::digest(&pack.full_text)));
}
