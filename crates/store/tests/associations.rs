//! What connects memories: how many links there are of it, as of which time they lead somewhere, and which passage is told.

use support::{Folder, open, read, remember, space, write};
use um_model::belief::{EntityType, MatchType};
use um_model::{EntityId, EpochMs, MemoryId, MemoryStatus, SpaceId, Tier, Utf16Span};
use um_store::filter::Then;
use um_store::units::{self, Which};
use um_store::{Store, associations, entities, memories, tags};

mod support;

const NOW: EpochMs = 100;

/// Somebody of a space.
fn entity(store: &Store, space: &SpaceId, name: &str) -> EntityId {
    let (space, name) = (space.clone(), name.to_owned());
    write(store, move |tx| entities::insert(tx, &space, &name, &name, EntityType::Person, 1))
}

/// Says that a memory names somebody, at a place where that is known, since a time.
fn name(
    store: &Store,
    space: &SpaceId,
    (memory, entity): (&MemoryId, &EntityId),
    span: Option<Utf16Span>,
    at: EpochMs,
) {
    let (space, memory, entity) = (space.clone(), memory.clone(), entity.clone());
    write(store, move |tx| {
        let match_type = MatchType::Exact;
        let (view, link_type) = (None, "mention");
        let link = entities::Link { memory: &memory, view, entity: &entity, link_type, match_type, span };
        entities::link(tx, &space, &link, at)
    });
}

/// Another memory takes a memory's place.
fn replace(store: &Store, space: &SpaceId, memory: &MemoryId, at: EpochMs) {
    let (space, memory) = (space.clone(), memory.clone());
    write(store, move |tx| {
        memories::set_status(tx, &memory, MemoryStatus::Superseded, at)?;
        units::deactivate(tx, &space, Which::OfMemory(&memory))
    });
}

#[test]
fn links_that_are_not_followed_are_counted() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let check = |who: &str, named: u64, followed: usize, fan: u32| {
        let who = entity(&store, &home, who);
        for number in 0..named {
            let memory = remember(&store, &home, u64::from(fan) * 1_000 + number, &[format!("Note {number}.")]);
            name(&store, &home, (&memory, &who), None, 1);
        }
        let spaces = std::slice::from_ref(&home);
        let links = read(&store, |c| associations::links(c, &[who.as_str()], spaces, (Then::default(), false), NOW));
        assert_eq!(links.len(), followed, "{named}");
        assert!(links.iter().all(|link| link.fan == fan && link.to_memory && link.from == who.as_str()), "{links:?}");
    };
    check("ana", 5, 5, 5);
    check("ben", 30, 12, 30);
    check("hub", 420, 12, 400);
}

/// Thirteen that are cold came last: of one node twelve links are followed.
#[test]
fn what_is_cold_takes_no_place_where_it_is_not_asked_for() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let ana = entity(&store, &home, "ana");
    let mut all = Vec::new();
    for number in 0..15 {
        let memory = remember(&store, &home, number, &[format!("Note {number}.")]);
        name(&store, &home, (&memory, &ana), None, 1);
        let (of, home, names) = (memory.clone(), home.clone(), vec!["harbour".to_owned()]);
        write(&store, move |tx| {
            if number >= 2 {
                memories::set_tier(tx, &of, Tier::Cold)?;
                units::deactivate(tx, &home, Which::OfMemory(&of))?;
            }
            tags::set_of_memory(tx, &home, &of, &names, 1)
        });
        all.push(memory);
    }
    let spaces = std::slice::from_ref(&home);
    let check = |from: &str, with_cold: bool, expected: &[&MemoryId], fan: u32| {
        for then in [Then::default(), Then { as_of: Some(50), known_at: None }] {
            let links = read(&store, |c| associations::links(c, &[from], spaces, (then, with_cold), NOW));
            let links: Vec<_> = links.into_iter().filter(|link| link.to_memory).collect();
            assert!(links.iter().all(|link| link.fan == fan), "{then:?}: {links:?}");
            let mut found: Vec<&str> = links.iter().map(|link| link.to.as_str()).collect();
            found.sort_unstable();
            let mut expected: Vec<&str> = expected.iter().map(|memory| memory.as_str()).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{then:?}, {with_cold}");
        }
    };
    let newest: Vec<&MemoryId> = all[3..].iter().collect();
    check(ana.as_str(), false, &[&all[0], &all[1]], 2);
    check(ana.as_str(), true, &newest, 15);
    // By a tag.
    check(all[0].as_str(), false, &[&all[1]], 1);
    check(all[0].as_str(), true, &newest, 14);
}

/// Of 78 that carry a tag, 30 are cold, and 45 were replaced.
#[test]
fn a_tag_is_as_common_as_those_that_carry_it_and_may_be_reached() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let keep = |number: u64, is_cold: bool| {
        let memory = remember(&store, &home, number, &[format!("Note {number}.")]);
        let (of, home, names) = (memory.clone(), home.clone(), vec!["harbour".to_owned()]);
        write(&store, move |tx| {
            if is_cold {
                memories::set_tier(tx, &of, Tier::Cold)?;
                units::deactivate(tx, &home, Which::OfMemory(&of))?;
            }
            tags::set_of_memory(tx, &home, &of, &names, 1)
        });
        memory
    };
    let all: Vec<MemoryId> = (0..78).map(|number| keep(number, (3..33).contains(&number))).collect();
    all[33..].iter().for_each(|memory| replace(&store, &home, memory, 20));
    let check = |as_of: Option<EpochMs>, with_cold: bool, expected: usize, many: u32| {
        let (spaces, then) = (std::slice::from_ref(&home), Then { as_of, known_at: None });
        let links = read(&store, |c| associations::links(c, &[all[0].as_str()], spaces, (then, with_cold), NOW));
        assert_eq!(links.len(), expected, "as of {as_of:?}, {with_cold}");
        let weight = 1.0 / f64::from(1 + many);
        assert!(links.iter().all(|link| (link.weight - weight).abs() < 1e-12), "{links:?}");
    };
    check(None, false, 2, 3);
    check(None, true, 12, 33);
    check(Some(30), false, 2, 3);
    check(Some(10), false, 0, 48);
    // Those of a tag that very many carry are not gone through.
    (100..430).for_each(|number| drop(keep(number, true)));
    check(None, false, 0, 3);
}

#[test]
fn a_link_leads_to_what_was_in_use_and_was_known_then() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let ana = entity(&store, &home, "ana");
    let [old, new] = [1, 2].map(|number| remember(&store, &home, number, &[format!("Ana moved, {number}.")]));
    name(&store, &home, (&old, &ana), None, 1);
    name(&store, &home, (&new, &ana), None, 50);
    replace(&store, &home, &old, 20);
    let check = |as_of: Option<EpochMs>, known_at: Option<EpochMs>, expected: &[&MemoryId]| {
        let (spaces, then) = (std::slice::from_ref(&home), Then { as_of, known_at });
        let links = read(&store, |c| associations::links(c, &[ana.as_str()], spaces, (then, false), NOW));
        let mut found: Vec<&str> = links.iter().map(|link| link.to.as_str()).collect();
        found.sort_unstable();
        let mut expected: Vec<&str> = expected.iter().map(|memory| memory.as_str()).collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "as of {as_of:?}, known at {known_at:?}");
        // From the memories back, whatever became of them: they were reached.
        let nodes = [old.as_str(), new.as_str()];
        let back = read(&store, |c| associations::links(c, &nodes, spaces, (then, false), NOW));
        let known = [1, 50].iter().filter(|at| known_at.is_none_or(|by| **at <= by)).count();
        assert_eq!(back.len(), known, "as of {as_of:?}, known at {known_at:?}");
    };
    check(None, None, &[&new]);
    check(Some(10), None, &[&old, &new]);
    check(Some(30), None, &[&new]);
    check(Some(0), None, &[]);
    check(None, Some(10), &[&old]);
    check(None, Some(30), &[]);
    check(None, Some(60), &[&new]);
    check(Some(30), Some(10), &[&old]);
}

#[test]
fn the_passage_that_names_somebody_is_told() {
    let Folder { store, folder: _folder } = open();
    let [here, there] = ["here", "there"].map(|name| space(&store, name));
    let ana = entity(&store, &here, "ana");
    let sentences = ["An otter.", "Ana swims.", "An owl."].map(str::to_owned);
    let [named, unplaced, gone] = [1, 2, 3].map(|number| remember(&store, &here, number, &sentences));
    let other = remember(&store, &there, 4, &sentences);
    // "Ana" of the second sentence.
    let place = Some(Utf16Span::new(10, 13));
    name(&store, &here, (&named, &ana), place, 1);
    name(&store, &here, (&gone, &ana), place, 1);
    name(&store, &here, (&unplaced, &ana), None, 1);
    replace(&store, &here, &gone, 2);
    let by_ana = Some(ana.as_str());
    let rids = |memory: &MemoryId| read(&store, |c| units::rids_of(c, memory));
    let check =
        |spaces: &[&SpaceId], reached: &[(&MemoryId, Option<&str>)], past: &[i64], expected: &[Option<usize>]| {
            let spaces: Vec<SpaceId> = spaces.iter().copied().cloned().collect();
            let given: Vec<(&str, Option<&str>)> = reached.iter().map(|(memory, by)| (memory.as_str(), *by)).collect();
            let found = read(&store, |c| associations::passages(c, &spaces, &given, past));
            let told: Vec<(MemoryId, i64)> = found.into_iter().map(|(memory, rid, _)| (memory, rid)).collect();
            let of = |((memory, _), place): (&(&MemoryId, Option<&str>), &Option<usize>)| {
                place.map(|place| ((*memory).clone(), rids(memory)[place]))
            };
            let expected: Vec<(MemoryId, i64)> = reached.iter().zip(expected).filter_map(of).collect();
            assert_eq!(told, expected, "{spaces:?} {reached:?}");
        };
    check(&[&here], &[(&named, by_ana), (&unplaced, by_ana)], &[], &[Some(1), Some(0)]);
    check(&[&here], &[(&named, None)], &[], &[Some(0)]);
    // Each of the spaces that are asked, in the order in which they were reached.
    check(&[&here], &[(&other, None), (&named, None)], &[], &[None, Some(0)]);
    check(&[&there], &[(&other, None), (&named, None)], &[], &[Some(0), None]);
    check(&[&there, &here], &[(&other, by_ana), (&named, None)], &[], &[Some(0), Some(0)]);
    // What is out of use is told where it was in use then.
    check(&[&here], &[(&gone, by_ana)], &[], &[None]);
    check(&[&here], &[(&gone, by_ana), (&gone, None)], &rids(&gone), &[Some(1), Some(0)]);
}
