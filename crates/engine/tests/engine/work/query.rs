//! One question over everything.

use super::{Levels, guideline};
use crate::support::{Rig, SPACE};
use proptest::prelude::*;
use std::collections::BTreeSet;
use um_model::capture::MemoryRemember;
use um_model::memories::{MemoriesAdd, MemoryText};
use um_model::work::*;
use um_model::{BlockId, EntryId, ErrorCode, ResourceId};

fn titles(found: &ItemsFound) -> Vec<&str> {
    found.items.iter().map(|one| one.item.title.as_str()).collect()
}

/// A space with one item of each kind that speaks of boats, and others.
fn harbour() -> Rig {
    let rig = Rig::new();
    let entry = |name: &str, content: &str, tags: &[&str], priority| EntrySave {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        priority: Some(priority),
        ..guideline(name, content)
    };
    rig.run(entry("Boats", "Tie every boat to the pier.", &["rust", "web"], 90)).unwrap();
    rig.run(entry("Nets", "Dry the nets.", &["rust"], 60)).unwrap();
    rig.run(entry("Oars", "Count the oars of a boat.", &["web", "python"], 40)).unwrap();
    rig.remember("The boat of Orla leaves at noon.");
    let block = BlockSet { label: "harbour".into(), content: "No boat leaves in fog.".into(), ..BlockSet::default() };
    rig.run(block).unwrap();
    let resource =
        ResourcePut { uri: "pier://one".into(), content: Some("A boat lies here.".into()), ..ResourcePut::default() };
    rig.run(resource).unwrap();
    rig.run(StateSet { current_goal: Some("Paint the boat".into()), ..StateSet::default() }).unwrap();
    let event = NewEvent {
        kind: EventKind::UserMessage,
        content: "Where is the boat?".into(),
        metadata: Default::default(),
        occurred_at: None,
    };
    rig.run(EventsAppend { space: None, session: None, events: vec![event] }).unwrap();
    rig.settled();
    rig
}

fn of(types: &[ItemType]) -> ItemsQuery {
    ItemsQuery { types: types.to_vec(), ..ItemsQuery::default() }
}

const ALL: [ItemType; 6] = [
    ItemType::Entry,
    ItemType::CoreBlock,
    ItemType::Resource,
    ItemType::SessionState,
    ItemType::Memory,
    ItemType::Event,
];

#[test]
fn each_kind_is_found_by_its_words_and_without_any() {
    let rig = harbour();
    for kind in ALL {
        let listed = rig.run(of(&[kind])).unwrap();
        assert!(!listed.items.is_empty(), "{kind}");
        let asked = ItemsQuery { text: Some("boats".into()), ..of(&[kind]) };
        let found = rig.run(asked).unwrap();
        let wanted = if kind == ItemType::Entry { 2 } else { 1 };
        let said = found.items.iter().filter(|one| one.says.to_lowercase().contains("boat")).count();
        // A label says "harbour": the text of a rule is matched by what its words contain.
        let wanted = if kind == ItemType::CoreBlock { 0 } else { wanted };
        assert!(said >= wanted, "{kind}: {found:?}");
        assert!(found.total_is_exact);
        for one in &found.items {
            let weights: f64 = one.why.iter().map(|part| part.weight).sum();
            let sum: f64 = one.why.iter().map(|part| part.weight * part.value).sum();
            assert!((weights - 1.0).abs() < 1e-9 && (sum - one.score).abs() < 1e-9 && (0.0..=1.0).contains(&sum));
        }
        let nothing = ItemsQuery { text: Some("zeppelin".into()), ..of(&[kind]) };
        assert_eq!(rig.run(nothing).unwrap().total, 0, "{kind}");
    }
    let every = rig.run(ItemsQuery { text: Some("boat".into()), ..of(&ALL) }).unwrap();
    let kinds: BTreeSet<&str> = every.items.iter().map(|one| one.item.item_type.as_str()).collect();
    assert_eq!(kinds.len(), ALL.len(), "{kinds:?}");
}

#[test]
fn tags_are_included_required_and_excluded() {
    let rig = harbour();
    let check = |include: &[&str], require: &[&str], exclude: &[&str], wanted: &[&str]| {
        let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let tags = TagFilter { include: words(include), require: words(require), exclude: words(exclude) };
        let found = rig.run(ItemsQuery { tags, ..of(&[ItemType::Entry]) }).unwrap();
        assert_eq!(titles(&found), wanted, "{include:?} {require:?} {exclude:?}");
        assert_eq!(found.total, wanted.len() as u64);
    };
    check(&["rust"], &[], &[], &["Boats", "Nets"]);
    check(&["rust", "web"], &[], &[], &["Boats", "Nets", "Oars"]);
    check(&[], &["rust", "web"], &[], &["Boats"]);
    check(&[], &[], &["web"], &["Nets"]);
    check(&["web"], &[], &["python"], &["Boats"]);
    check(&["Rust "], &["web"], &["python"], &["Boats"]);
    check(&["unheard"], &[], &[], &[]);
    check(&["rust"], &["unheard"], &[], &[]);
    check(&["rust"], &[], &["unheard"], &["Boats", "Nets"]);
}

#[test]
fn what_is_related_is_found_by_its_steps() {
    let rig = harbour();
    let entries = rig.run(of(&[ItemType::Entry])).unwrap().items;
    let key = |title: &str| entries.iter().find(|one| one.item.title == title).unwrap().item.key();
    for (from, to) in [("Boats", "Nets"), ("Nets", "Oars")] {
        let (from, to, relation_type) = (key(from), key(to), RelationType::DependsOn);
        let add =
            RelationAdd { from, to, relation_type, valid_from: None, valid_until: None, source_event_ids: vec![] };
        rig.run(add).unwrap();
    }
    let asked = |depth: u8, text: Option<&str>| {
        let ItemKey { item_type, id } = key("Boats");
        let related = Related { item_type, id, relations: vec![], direction: None, depth: Some(depth) };
        let text = text.map(str::to_owned);
        let found = rig.run(ItemsQuery { related_to: Some(related), text, ..of(&[ItemType::Entry]) }).unwrap();
        titles(&found).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(asked(1, None), ["Nets"]);
    assert_eq!(asked(2, None), ["Nets", "Oars"]);
    assert_eq!(asked(2, Some("boat")), ["Oars"]);
}

#[test]
fn the_nearest_level_wins_and_all_can_be_asked_for() {
    let levels = Levels::new();
    for (name, place) in levels.places() {
        let entry = EntrySave { space: Some(place.clone()), ..guideline("Tabs", &format!("As {name} says.")) };
        levels.rig.run(entry).unwrap();
    }
    let asked = |all_levels: bool, inherit: bool| {
        let (session, types) = (Some(levels.session.clone()), vec![ItemType::Entry]);
        levels.rig.run(ItemsQuery { session, types, all_levels, inherit, ..ItemsQuery::default() }).unwrap()
    };
    let nearest = asked(false, true);
    assert_eq!((nearest.items.len(), nearest.items[0].says.as_str(), nearest.total), (1, "As session says.", 1));
    let all = asked(true, true);
    let said: Vec<&str> = all.items.iter().map(|one| one.says.as_str()).collect();
    assert_eq!(said, ["As session says.", "As project says.", "As organization says.", "As global says."]);
    assert_eq!(all.items.iter().map(|one| one.level).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(asked(true, false).items.len(), 2, "the session and its space");
}

#[test]
fn what_is_out_of_use_and_earlier_versions_are_told_where_asked_for() {
    let rig = harbour();
    rig.run(guideline("Nets", "Dry the nets in the sun.")).unwrap();
    let nets = rig.run(of(&[ItemType::Entry])).unwrap().items.into_iter().find(|one| one.item.title == "Nets").unwrap();
    assert!(nets.versions.is_empty());
    let id = um_model::EntryId::parse(nets.item.id).unwrap();
    rig.run(EntryDisable { id }).unwrap();
    assert!(!titles(&rig.run(of(&[ItemType::Entry])).unwrap()).contains(&"Nets"));
    let all = rig.run(ItemsQuery { inactive: true, versions: true, ..of(&[ItemType::Entry]) }).unwrap();
    let nets = all.items.iter().find(|one| one.item.title == "Nets").unwrap();
    assert!(!nets.is_active && nets.versions.len() == 1 && nets.versions[0].number == 1);
    let tagged = TagFilter { include: vec!["rust".into()], ..TagFilter::default() };
    let tagged = rig.run(ItemsQuery { inactive: true, tags: tagged, ..of(&[ItemType::Entry]) }).unwrap();
    assert!(titles(&tagged).contains(&"Nets"));
}

#[test]
fn it_is_asked_of_a_time_what_was_in_use_then() {
    let rig = harbour();
    let said = |kind: ItemType, as_of: Option<i64>| {
        let found = rig.run(ItemsQuery { as_of, limit: Some(100), ..of(&[kind]) }).unwrap();
        assert!(found.total_is_exact && found.items.iter().all(|one| one.is_active), "{kind}: {found:?}");
        let mut said: Vec<String> = found.items.into_iter().map(|one| one.says).collect();
        said.sort();
        said
    };
    let (then, before) = (rig.now(), ALL.map(|kind| said(kind, None)));
    rig.advance(60_000);
    let id = |kind: ItemType, title: &str| {
        let found = rig.run(ItemsQuery { limit: Some(100), ..of(&[kind]) }).unwrap().items;
        found.into_iter().find(|one| one.item.title == title).unwrap().item.id
    };
    let nets = EntryId::parse(id(ItemType::Entry, "Nets")).unwrap();
    rig.run(guideline("Oars", "Burn the oars.")).unwrap();
    rig.run(EntryDisable { id: nets.clone() }).unwrap();
    let block = BlockId::parse(id(ItemType::CoreBlock, "harbour")).unwrap();
    rig.run(BlockRemove { block }).unwrap();
    let pier = ResourceId::parse(id(ItemType::Resource, "one")).unwrap();
    rig.run(ResourceRemove { id: pier }).unwrap();
    rig.run(StateSet { status: Some(StateStatus::Complete), ..StateSet::default() }).unwrap();
    rig.remember("The boat of Orla sank.");
    for (kind, before) in ALL.iter().zip(&before) {
        assert_eq!((&said(*kind, Some(then)), said(*kind, None) == *before), (before, false), "{kind}");
        assert_eq!(said(*kind, Some(then - 1)), Vec::<String>::new(), "{kind}");
    }
    let require = TagFilter { require: vec!["rust".into()], ..TagFilter::default() };
    let asked = |as_of, inactive| {
        let (tags, versions) = (require.clone(), true);
        rig.run(ItemsQuery { as_of, inactive, tags, versions, ..of(&[ItemType::Entry]) }).unwrap()
    };
    assert_eq!(titles(&asked(None, false)), ["Boats"]);
    assert_eq!(titles(&asked(Some(then), false)), ["Boats", "Nets"]);
    rig.run(guideline("Boats", "Burn the boats.")).unwrap();
    rig.run(EntryEnable { id: nets }).unwrap();
    let out = asked(Some(rig.now() - 1), true);
    assert_eq!(out.total, 2);
    assert!(out.items.iter().all(|one| one.is_active && one.versions.is_empty()), "{out:?}");
}

#[test]
fn words_are_looked_for_in_what_was_said_then() {
    let rig = harbour();
    let said = |kind: ItemType, as_of: Option<i64>, text: &str| {
        let asked = ItemsQuery { as_of, text: Some(text.into()), limit: Some(100), ..of(&[kind]) };
        let found = rig.run(asked).unwrap();
        assert!(found.total_is_exact && found.notices.is_empty(), "{kind}: {found:?}");
        let mut said: Vec<String> = found.items.into_iter().map(|one| one.says).collect();
        said.sort();
        said
    };
    let (then, before) = (rig.now(), ALL.map(|kind| said(kind, None, "boat")));
    assert!(before.iter().all(|said| !said.is_empty()), "{before:?}");
    rig.advance(60_000);
    for name in ["Boats", "Oars"] {
        rig.run(guideline(name, "Ask for a kayak.")).unwrap();
    }
    let content = Some("A kayak lies here.".to_owned());
    rig.run(ResourcePut { uri: "pier://one".into(), content, ..ResourcePut::default() }).unwrap();
    let content = "No kayak leaves in fog.".to_owned();
    rig.run(BlockSet { label: "harbour".into(), content, ..BlockSet::default() }).unwrap();
    rig.run(StateSet { current_goal: Some("Paint the kayak".into()), ..StateSet::default() }).unwrap();
    for (kind, before) in ALL.iter().zip(&before) {
        assert_eq!(&said(*kind, Some(then), "boat"), before, "{kind}");
        for as_of in [then - 1, then] {
            assert_eq!(said(*kind, Some(as_of), "kayak"), Vec::<String>::new(), "{kind} {as_of}");
        }
        assert_eq!(said(*kind, Some(then - 1), "boat"), Vec::<String>::new(), "{kind}");
        // That the state was set is an event.
        let says_it = *kind != ItemType::Memory;
        for as_of in [None, Some(rig.now())] {
            assert_eq!(said(*kind, as_of, "kayak").is_empty(), !says_it, "{kind} {as_of:?}");
        }
    }
}

#[test]
fn it_is_asked_of_a_time_by_the_tags_of_then() {
    let rig = Rig::resting();
    let entry = rig.run(EntrySave { tags: vec!["rust".into()], ..guideline("Boats", "Paint the boats.") }).unwrap();
    let memory = rig.remember("The boat of Orla is red.").id.to_string();
    let attach = |item_type: ItemType, id: &str, tag: &str| {
        rig.run(TagAttach { item_type, id: id.to_owned(), tags: vec![tag.to_owned()] }).unwrap();
    };
    attach(ItemType::Memory, &memory, "rust");
    let then = rig.now();
    rig.advance(60_000);
    let items = [(ItemType::Entry, entry.entry.id.to_string()), (ItemType::Memory, memory)];
    for (item_type, id) in &items {
        let tags = vec!["rust".to_owned()];
        rig.run(TagDetach { item_type: *item_type, id: id.clone(), tags }).unwrap();
        attach(*item_type, id, "web");
    }
    let filters: [fn(Vec<String>) -> TagFilter; 3] = [
        |include| TagFilter { include, ..TagFilter::default() },
        |require| TagFilter { require, ..TagFilter::default() },
        |exclude| TagFilter { exclude, ..TagFilter::default() },
    ];
    for (kind, id) in &items {
        for (as_of, tag) in [(None, "web"), (Some(then), "rust"), (Some(rig.now()), "web")] {
            let ask = |tags: TagFilter| rig.run(ItemsQuery { as_of, tags, ..of(&[*kind]) }).unwrap().items;
            for asked in ["rust", "web"] {
                for (at, filter) in filters.iter().enumerate() {
                    let found = ask(filter(vec![asked.to_owned()]));
                    let is_wanted = (asked == tag) == (at < 2);
                    assert_eq!(found.iter().any(|one| one.item.id == *id), is_wanted, "{kind} {as_of:?} {asked} {at}");
                    assert!(found.iter().all(|one| one.tags == [tag]), "{kind} {as_of:?}: {found:?}");
                }
            }
        }
    }
    // What was told late has the tags of now.
    let (text, occurred_at) = ("The boat of Ana was blue.".to_owned(), Some(then - 1));
    let told = MemoryRemember { text, space: SPACE.to_owned(), occurred_at, ..MemoryRemember::default() };
    let told = rig.run(told).unwrap().memory.id.to_string();
    attach(ItemType::Memory, &told, "python");
    let tags = TagFilter { require: vec!["python".into()], ..TagFilter::default() };
    let found = rig.run(ItemsQuery { as_of: Some(then), tags, ..of(&[ItemType::Memory]) }).unwrap().items;
    assert_eq!(found.iter().map(|one| one.item.id.as_str()).collect::<Vec<_>>(), [told.as_str()]);
}

#[test]
fn a_nearer_level_overrides_as_of_a_time_what_it_had_then() {
    let levels = Levels::new();
    let rig = &levels.rig;
    let write = |place: &str, says: &str| {
        let space = Some(place.to_owned());
        rig.run(EntrySave { space: space.clone(), ..guideline("Tabs", says) }).unwrap();
        let block = BlockSet { space, label: "tabs".into(), content: says.to_owned(), ..BlockSet::default() };
        rig.run(block).unwrap();
        rig.advance(60_000);
        rig.now() - 1
    };
    let above = write("organization:Acme", "Spaces.");
    let nearer = write("project:Apollo", "Tabs.");
    for kind in [ItemType::Entry, ItemType::CoreBlock] {
        for (as_of, expected) in [(Some(above), "Spaces."), (Some(nearer), "Tabs."), (None, "Tabs.")] {
            let space = Some("project:Apollo".to_owned());
            let found = rig.run(ItemsQuery { space, as_of, ..of(&[kind]) }).unwrap();
            let said: Vec<&str> = found.items.iter().map(|one| one.says.as_str()).collect();
            assert_eq!(said, [expected], "{kind} as of {as_of:?}");
        }
    }
}

#[test]
fn pages_follow_one_another_and_what_cannot_be_asked_is_refused() {
    let rig = Rig::resting();
    for number in 0..7 {
        rig.run(EntrySave { priority: Some(number), ..guideline(&format!("Rule {number}"), "Do so.") }).unwrap();
    }
    let page = |offset| ItemsQuery { offset, limit: Some(3), ..of(&[ItemType::Entry]) };
    let mut seen = Vec::new();
    for offset in [0, 3, 6] {
        let found = rig.run(page(offset)).unwrap();
        assert_eq!((found.total, found.total_is_exact), (7, true));
        seen.extend(titles(&found).into_iter().map(str::to_owned));
    }
    assert_eq!(seen, (0..7).rev().map(|number| format!("Rule {number}")).collect::<Vec<_>>());
    // As a client fills in what may be left out.
    let blank = ItemsQuery { text: Some(" ".into()), ..of(&[ItemType::Entry]) };
    assert_eq!(rig.run(blank).unwrap().total, 7);
    let related = |depth| Related {
        item_type: ItemType::Space,
        id: SPACE.into(),
        relations: vec![],
        direction: None,
        depth: Some(depth),
    };
    for wrong in [
        of(&[ItemType::Claim]),
        ItemsQuery { text: Some("x".repeat(2_001)), ..ItemsQuery::default() },
        ItemsQuery { text: Some("?!".into()), ..ItemsQuery::default() },
        ItemsQuery { offset: 5_000, ..ItemsQuery::default() },
        ItemsQuery { related_to: Some(related(6)), ..ItemsQuery::default() },
    ] {
        assert_eq!(rig.run(wrong).unwrap_err().code, ErrorCode::InvalidRequest);
    }
}

#[test]
fn by_tags_a_session_has_its_own_events_alone() {
    let levels = Levels::new();
    let rig = &levels.rig;
    let append = |session: Option<&um_model::SessionId>, content: &str| {
        let event = NewEvent {
            kind: EventKind::UserMessage,
            content: content.into(),
            metadata: Default::default(),
            occurred_at: None,
        };
        let space = session.is_none().then(|| "project:Apollo".to_owned());
        let id =
            rig.run(EventsAppend { space, session: session.cloned(), events: vec![event] }).unwrap().events.remove(0);
        let (item_type, id, tags) = (ItemType::Event, id.to_string(), vec!["rust".to_owned()]);
        rig.run(TagAttach { item_type, id, tags }).unwrap();
    };
    append(Some(&levels.session), "The crane turns in the session.");
    append(None, "The crane turns in the space.");
    let check = |text: Option<&str>, include: &[&str]| {
        let tags = TagFilter { include: include.iter().map(|tag| (*tag).to_owned()).collect(), ..TagFilter::default() };
        let (session, text) = (Some(levels.session.clone()), text.map(str::to_owned));
        let asked = ItemsQuery { session, text, tags, inherit: false, ..of(&[ItemType::Event]) };
        let mut told: Vec<(u8, String)> =
            rig.run(asked).unwrap().items.into_iter().map(|one| (one.level, one.says)).collect();
        told.sort();
        let wanted =
            [(0, "The crane turns in the session.".to_owned()), (1, "The crane turns in the space.".to_owned())];
        assert_eq!(told, wanted, "{include:?}");
    };
    check(None, &["rust"]);
    check(Some("crane"), &["rust"]);
    check(Some("crane"), &[]);
    check(None, &[]);
}

/// Of 400 memories that say one word, those with a tag say it among the most others: they stand behind all.
#[test]
fn a_rare_tag_with_a_common_word_finds_all_that_has_both() {
    let rig = Rig::resting();
    let text = |at: usize| {
        let others: Vec<String> = (0..=at / 10).map(|other| format!("reed{at}x{other}")).collect();
        MemoryText { text: format!("The crane stands by {}.", others.join(" ")), ..MemoryText::default() }
    };
    let added = rig.run(MemoriesAdd { space: SPACE.into(), memories: (0..400).map(text).collect() }).unwrap();
    for (at, one) in added.memories.into_iter().enumerate() {
        let mut tags: Vec<String> = Vec::new();
        tags.extend((at >= 397).then(|| "rare".to_owned()));
        tags.extend((at >= 250).then(|| "common".to_owned()));
        if !tags.is_empty() {
            rig.run(TagAttach { item_type: ItemType::Memory, id: one.id.unwrap().to_string(), tags }).unwrap();
        }
    }
    let check = |[include, require, exclude]: [&[&str]; 3], total: u64, exact: bool| {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let tags = TagFilter { include: names(include), require: names(require), exclude: names(exclude) };
        for text in [Some("crane"), None] {
            let asked = ItemsQuery { text: text.map(str::to_owned), tags: tags.clone(), ..of(&[ItemType::Memory]) };
            let found = rig.run(asked).unwrap();
            assert_eq!(
                (found.total, found.total_is_exact),
                (total, exact),
                "{include:?} {require:?} {exclude:?} {text:?}"
            );
        }
    };
    check([&["rare"], &[], &[]], 3, true);
    check([&[], &["rare", "common"], &[]], 3, true);
    check([&["common"], &["rare"], &["unheard"]], 3, true);
    check([&["rare"], &[], &["common"]], 0, true);
    // No more than 100 are looked at closely, and all of them fit.
    check([&["common"], &[], &["rare"]], 100, false);
    check([&[], &[], &["common"]], 100, false);
    check([&[], &[], &[]], 100, false);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    /// What is found by tags, words and levels is what a search by hand finds.
    #[test]
    fn it_finds_what_a_search_by_hand_finds(
        entries in prop::collection::vec((0_usize..4, 0_usize..6, 0_u8..8, any::<bool>()), 1..14),
        include in 0_u8..8, require in 0_u8..8, exclude in 0_u8..8, word in any::<bool>(), all_levels in any::<bool>(),
    ) {
        const TAGS: [&str; 3] = ["rust", "web", "python"];
        let names = |bits: u8| -> Vec<String> {
            (0..3).filter(|at| bits & 1 << at != 0).map(|at| TAGS[at].to_owned()).collect()
        };
        let levels = Levels::new();
        let places = levels.places();
        // The last of a name and place counts, and tags add up.
        let mut known: std::collections::BTreeMap<(usize, usize), (u8, bool)> = Default::default();
        for (level, name, tags, says) in entries {
            let content = if says { "The heron stands." } else { "Something else." };
            let save = EntrySave {
                space: Some(places[level].1.clone()), tags: names(tags), ..guideline(&format!("Rule {name}"), content)
            };
            levels.rig.run(save).unwrap();
            let one = known.entry((level, name)).or_default();
            *one = (one.0 | tags, says);
        }
        let wanted: BTreeSet<(u8, String)> = known.iter().filter(|((level, name), (tags, says))| {
            // The nearest is the last of the places.
            let overridden = (level + 1..4).any(|nearer| known.contains_key(&(nearer, *name)));
            (include == 0 || tags & include != 0) && tags & require == require && tags & exclude == 0
                && (!word || *says) && (all_levels || !overridden)
        }).map(|((level, name), _)| (3 - *level as u8, format!("Rule {name}"))).collect();
        let tags = TagFilter { include: names(include), require: names(require), exclude: names(exclude) };
        let found = levels.rig.run(ItemsQuery {
            session: Some(levels.session.clone()), types: vec![ItemType::Entry], tags, all_levels,
            text: word.then(|| "heron".to_owned()), limit: Some(100), ..ItemsQuery::default()
        }).unwrap();
        let total = found.total;
        let found: BTreeSet<(u8, String)> = found.items.into_iter().map(|one| (one.level, one.item.title)).collect();
        prop_assert_eq!(total as usize, wanted.len());
        prop_assert_eq!(found, wanted);
    }
}
