//! How near at hand memories are: what is cold is found only where cold ones are asked for, and is in use all the same.

use crate::support::{Rig, SPACE};
use um_model::capture::*;
use um_model::claims::FactsSearch;
use um_model::envelope::MemoryTier;
use um_model::health::Reembed;
use um_model::recall::{Hit, MemoryRecall};
use um_model::traces::{Lost, RecallWhyNot, TraceGet};
use um_model::work::{ContextCompile, ItemType, ItemsQuery, Part, TagAttach};
use um_model::{ErrorCode, MemoryId, MemoryStatus, Tier};

const DAY: i64 = 86_400_000;
const COLD: &str = "The ferry leaves at noon.";

fn set(rig: &Rig, id: &MemoryId, tier: Tier) {
    assert_eq!(rig.run(MemoryTier { id: id.clone(), tier }).unwrap().tier, tier);
}

fn hits(rig: &Rig, request: MemoryRecall) -> Vec<Hit> {
    rig.run(request).unwrap().hits
}

/// The memories that a question finds, in the order of their ids.
fn found(rig: &Rig, query: &str, tiers: &[Tier]) -> Vec<MemoryId> {
    let request = MemoryRecall { query: query.into(), tiers: tiers.to_vec(), fielded: true, ..MemoryRecall::default() };
    let mut found: Vec<MemoryId> = hits(rig, request).into_iter().map(|hit| hit.ids.memory).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn only_what_asks_for_cold_ones_finds_them() {
    let rig = Rig::new();
    let ids = [COLD, "A ferry is painted red.", "Whoever is on the ferry pays the captain."]
        .map(|text| rig.remember(text).id);
    let [cold, warm, hot] = &ids;
    for id in &ids {
        let (item_type, id) = (ItemType::Memory, id.to_string());
        rig.run(TagAttach { item_type, id, tags: vec!["harbour".into()] }).unwrap();
    }
    rig.settled();
    set(&rig, cold, Tier::Cold);
    set(&rig, hot, Tier::Hot);
    rig.settled();
    let check = |query: &str, tiers: &[Tier], expected: &[&MemoryId]| {
        let mut expected: Vec<MemoryId> = expected.iter().map(|id| (*id).clone()).collect();
        expected.sort();
        assert_eq!(found(&rig, query, tiers), expected, "{query} {tiers:?}");
    };
    use Tier::{Cold, Hot, Warm};
    for query in ["ferry", "tag:harbour"] {
        check(query, &[], &[warm, hot]);
        check(query, &[Hot, Warm], &[warm, hot]);
        check(query, &[Hot], &[hot]);
        check(query, &[Cold], &[cold]);
        check(query, &[Hot, Cold], &[cold, hot]);
        check(query, &[Hot, Warm, Cold], &[cold, warm, hot]);
        check(&format!("{query} tier:cold"), &[], &[cold]);
    }
    // It is compared by meaning as well, by the vector that was kept.
    let asked = MemoryRecall { query: "ferry".into(), tiers: vec![Cold], ..MemoryRecall::default() };
    let hit = hits(&rig, asked).remove(0);
    assert!(hit.score_parts.vector_rank.is_some() && hit.score_parts.bm25_rank.is_some(), "{:?}", hit.score_parts);
    let day = rig.now();
    rig.advance(DAY);
    for as_of in [None, Some(day)] {
        let listed = rig.run(ItemsQuery { types: vec![ItemType::Memory], as_of, ..ItemsQuery::default() }).unwrap();
        assert_eq!(listed.items.len(), 2, "as of {as_of:?}");
    }
}

#[test]
fn a_trace_says_whether_cold_ones_were_searched() {
    let rig = Rig::new();
    set(&rig, &rig.remember(COLD).id, Tier::Cold);
    rig.settled();
    let check = |query: &str, as_of: Option<i64>, expected: &[&str]| {
        let asked = MemoryRecall { query: query.into(), as_of, fielded: true, ..MemoryRecall::default() };
        let id = rig.run(asked).unwrap().trace.unwrap();
        assert_eq!(rig.run(TraceGet { id }).unwrap().recall.unwrap().indexes, expected, "{query} {as_of:?}");
    };
    let now = Some(rig.now());
    check("ferry", None, &["words", "meaning"]);
    check("ferry tier:hot", None, &["words", "meaning"]);
    check("ferry tier:cold", None, &["words", "meaning", "what is cold"]);
    check("ferry tier:cold", now, &["words", "meaning", "what was in use then", "what is cold"]);
    check("tier:cold", None, &["time", "what is cold"]);
}

#[test]
fn it_is_found_again_once_it_is_warm_or_comes_again() {
    type Back = fn(&Rig, &MemoryId);
    let backs: [(&str, Back); 3] = [
        ("warm", |rig, id| set(rig, id, Tier::Warm)),
        ("said again", |rig, id| assert_eq!(rig.remember(COLD).id, *id)),
        ("removed and restored", |rig, id| {
            rig.run(MemoryRemove { id: id.clone() }).unwrap();
            rig.run(MemoryRestore { id: id.clone() }).unwrap();
        }),
    ];
    for (name, back) in backs {
        let rig = Rig::resting();
        let id = rig.remember(COLD).id;
        set(&rig, &id, Tier::Cold);
        assert_eq!(found(&rig, "ferry", &[]), [], "{name}");
        back(&rig, &id);
        assert_eq!(rig.memory(&id).tier, Tier::Warm, "{name}");
        assert_eq!(found(&rig, "ferry", &[]), [id], "{name}");
    }
}

#[test]
fn a_file_that_is_read_again_stays_cold_until_it_comes_again() {
    let rig = Rig::new();
    let file = rig.ingest("quay.md", "The quay is wet.");
    rig.settled();
    let id = rig.artifact(&file).summary.memory_id.unwrap();
    set(&rig, &id, Tier::Cold);
    rig.run(ArtifactReread { id: file.clone() }).unwrap();
    rig.settled();
    assert_eq!((found(&rig, "quay", &[]), found(&rig, "quay", &[Tier::Cold])), (vec![], vec![id.clone()]));
    assert_eq!(rig.ingest("quay.md", "The quay is wet."), file);
    rig.settled();
    assert_eq!(found(&rig, "quay", &[]), [id]);
}

#[test]
fn what_was_cold_before_it_was_embedded_is_found_by_its_meaning() {
    let mut rig = Rig::new();
    rig.pause();
    let id = rig.remember(COLD).id;
    set(&rig, &id, Tier::Cold);
    let check = |rig: &Rig, expected: bool| {
        let request = MemoryRecall { query: "ferry".into(), tiers: vec![Tier::Cold], ..MemoryRecall::default() };
        let hit = hits(rig, request).remove(0);
        assert_eq!(hit.score_parts.vector_rank.is_some(), expected, "{:?}", hit.score_parts);
        assert_eq!(rig.count("SELECT count(*) FROM embeddings_text_dense_vec"), 0, "no index holds it");
    };
    check(&rig, false);
    rig.wake();
    rig.settled();
    check(&rig, true);
    rig.reopen("another-model");
    check(&rig, false);
    rig.run(Reembed::default()).unwrap();
    check(&rig, true);
}

#[test]
fn whoever_speaks_in_what_is_cold_is_known_where_that_is_asked_for() {
    let rig = Rig::new();
    let [hers, _] = ["Ana: The pears are in the barn.", "The pears are ripe."].map(|text| rig.remember(text).id);
    rig.settled();
    set(&rig, &hers, Tier::Cold);
    let check = |tiers: &[Tier], expected: usize| {
        let query = "Where did Ana put the pears?".into();
        let request = MemoryRecall { query, tiers: tiers.to_vec(), ..MemoryRecall::default() };
        let said = hits(&rig, request).into_iter().filter(|hit| hit.score_parts.said_by.is_some()).count();
        assert_eq!(said, expected, "{tiers:?}");
    };
    check(&[], 0);
    check(&[Tier::Cold], 1);
    check(&[Tier::Warm, Tier::Cold], 1);
}

#[test]
fn it_is_in_use_all_the_same() {
    let rig = Rig::new();
    let id = rig.remember("Ana lives in Porto.").id;
    rig.settled();
    set(&rig, &id, Tier::Cold);
    rig.settled();
    let search = FactsSearch { predicate: Some("lives_in".into()), ..FactsSearch::default() };
    assert_eq!(rig.run(search).unwrap().facts.len(), 1);
    assert_eq!(rig.memory(&id).status, MemoryStatus::Active);
    // A pack has it as a fact, and not in its own words.
    let asked = ContextCompile { query: Some("Where does Ana live?".into()), ..ContextCompile::default() };
    let packed = rig.run(asked).unwrap().items;
    let parts: Vec<Part> = packed.iter().filter(|item| item.text.contains("Porto")).map(|item| item.part).collect();
    assert_eq!(parts, [Part::Fact], "{packed:?}");
    let begin = rig.now();
    rig.advance(2 * DAY);
    let then = MemoryRecall {
        query: "Porto".into(),
        as_of: Some(begin + DAY),
        tiers: vec![Tier::Cold],
        ..MemoryRecall::default()
    };
    assert_eq!(hits(&rig, then).len(), 1);
    let entries = "SELECT group_concat(payload ->> '$.was' || ' ' || (payload ->> '$.tier')) FROM audit_events
        WHERE event_type = 'memory.tier_set'";
    assert_eq!(rig.text(entries), "warm cold");
}

#[test]
fn why_it_is_not_found_is_told() {
    let rig = Rig::resting();
    let id = rig.remember(COLD).id;
    set(&rig, &id, Tier::Cold);
    let why = |tiers: &[Tier]| {
        let recall = MemoryRecall { query: "ferry".into(), tiers: tiers.to_vec(), ..MemoryRecall::default() };
        rig.run(RecallWhyNot { recall, expected: id.to_string() }).unwrap()
    };
    let lost = why(&[]);
    assert_eq!(lost.lost, Lost::Filter);
    assert!(lost.reason.contains("tier:cold"), "{}", lost.reason);
    assert_eq!(why(&[Tier::Cold]).lost, Lost::Given);
}

#[test]
fn an_agent_says_so_of_its_own_and_what_is_out_of_use_has_no_tier() {
    let rig = Rig::resting();
    let bot = rig.agent_in("bot", &[SPACE], &[]);
    let owners = rig.remember("The person's ferry leaves at one.").id;
    for tier in [Tier::Cold, Tier::Hot] {
        let refused = rig.engine().run(&bot, MemoryTier { id: owners.clone(), tier }).unwrap_err();
        assert_eq!(refused.code, ErrorCode::Forbidden, "{refused}");
    }
    assert_eq!(rig.memory(&owners).tier, Tier::Warm);
    assert_eq!(found(&rig, "ferry", &[]), [owners]);
    let (text, space) = (COLD.to_owned(), SPACE.to_owned());
    let id = rig.engine().run(&bot, MemoryRemember { text, space, ..MemoryRemember::default() }).unwrap().memory.id;
    let asked = MemoryTier { id: id.clone(), tier: Tier::Cold };
    assert_eq!(rig.engine().run(&bot, asked.clone()).unwrap().tier, Tier::Cold);
    assert_eq!(rig.run(asked.clone()).unwrap().tier, Tier::Cold, "the person says so of all");
    rig.run(MemoryRemove { id }).unwrap();
    assert_eq!(rig.run(asked).unwrap_err().code, ErrorCode::InvalidRequest);
}

#[test]
fn what_became_of_several_memories_is_told_at_once() {
    let rig = Rig::resting();
    let [cold, removed, used] =
        ["The ferry leaves at noon.", "A tram is red.", "A bus is late."].map(|text| rig.remember(text).id);
    set(&rig, &cold, Tier::Cold);
    rig.run(MemoryRemove { id: removed.clone() }).unwrap();
    let told = |ids: &[&MemoryId]| {
        let ids = ids.iter().map(|id| (*id).clone()).collect();
        let told = rig.run(MemoriesStatus { ids }).unwrap().memories;
        told.into_iter().map(|one| (one.id, one.status, one.tier)).collect::<Vec<_>>()
    };
    let unknown = MemoryId::parse(um_model::OWNER_AGENT).unwrap();
    let expected = [
        (used.clone(), MemoryStatus::Active, Tier::Warm),
        (removed.clone(), MemoryStatus::Deleted, Tier::Warm),
        (cold.clone(), MemoryStatus::Active, Tier::Cold),
    ];
    assert_eq!(told(&[&used, &unknown, &removed, &cold]), expected);
    assert!(told(&[]).is_empty());
    let many = rig.run(MemoriesStatus { ids: vec![used; 201] }).unwrap_err();
    assert_eq!(many.code, ErrorCode::InvalidRequest);
    let agent = rig.agent_in("bot", &[SPACE], &[]);
    let refused = rig.engine().run(&agent, MemoriesStatus { ids: vec![cold] }).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden);
}
