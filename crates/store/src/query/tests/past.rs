//! What was there at another time is looked up: nothing goes through all that there is of a kind.

use super::{database, tag, tags_of};
use crate::entries::versions::{self, NewVersion};
use crate::entries::{self, NewEntry, Place};
use crate::events::{self, NewEvent};
use crate::filter::Then;
use crate::migrate::{plan, scanned};
use crate::query::Tags;
use crate::query::candidates::{FEW, Listed, states_said, tagged_of};
use crate::query::found::{Among, SAID, Wanted, Written, saying};
use crate::query::rows;
use crate::rejected::Checked;
use crate::{briefs, resources, tags};
use um_model::work::{EntryBody, EntryType, EventKind, ItemKey, ItemType};
use um_model::{AgentId, ResourceId};

#[test]
fn what_was_there_then_is_looked_up_in_indexes() {
    let (c, spaces, session) = database();
    let check = |of: ItemType, in_session: bool, steps: &[&str], is_sorted: bool| {
        let at = Place { space: &spaces[0], session: in_session.then_some(&session) };
        let listed = Listed { at, of, inactive: false, as_of: Some(1) };
        let plan = plan(&c, &listed.latest(9).unwrap().text);
        for step in steps {
            assert!(plan.contains(step), "{of}: {step}: {plan}");
        }
        assert!(!plan.contains("SCAN"), "{of}: {plan}");
        assert_eq!(plan.contains("B-TREE"), is_sorted, "{of}: {plan}");
    };
    let about = "idx_events_about (<expr>=?)";
    // Walked in the order of an index, until there are enough.
    check(ItemType::Event, false, &["idx_events_space (space_id=?)"], false);
    check(ItemType::Event, true, &["idx_events_session (session_id=?)"], false);
    let changes = "idx_memory_history_memory (memory_id=?)";
    check(ItemType::Memory, false, &["idx_memories_space_created (space_id=?)", changes], false);
    // All of the space, each with what it was.
    check(ItemType::SessionState, false, &["(space_id=?)", about], true);
    check(ItemType::SessionState, true, &["(session_id=?)", about], false);
    check(ItemType::Resource, false, &["(space_id=?)", about, "(resource_id=?)"], true);
    check(ItemType::CoreBlock, false, &["(space_id=?)", "(core_block_id=?)"], true);
}

#[test]
fn what_was_written_anew_since_is_looked_up_in_indexes() {
    let (c, spaces, session) = database();
    let (at, tags) = (Place { space: &spaces[0], session: None }, Tags::default());
    let wanted =
        Wanted { at, nearer: &[], types: EntryType::ALL, category: None, inactive: false, as_of: Some(1), tags: &tags };
    let walk = plan(&c, &wanted.statement(&Among::Listed(Some(9)), Some(Written::Since), 9).unwrap().text);
    assert_eq!(walk.matches("INDEX idx_entries_listed").count(), 6, "{walk}");
    for (plan, through) in [(walk, "s"), (plan(&c, SAID), "f"), (plan(&c, &states_said("?2")), "f")] {
        assert_eq!(scanned(&plan), [through], "{plan}");
        assert!(!plan.contains("B-TREE"), "{plan}");
    }
    for in_session in [false, true] {
        let at = Place { space: &spaces[0], session: in_session.then_some(&session) };
        let listed = Listed { at, of: ItemType::SessionState, inactive: false, as_of: Some(1) };
        let states = plan(&c, &listed.rewritten().unwrap().text);
        let step = if in_session { "(session_id=?)" } else { "(space_id=? AND status=? AND updated_at>?)" };
        assert!(states.contains(step) && !states.contains("SCAN") && !states.contains("B-TREE"), "{states}");
    }
}

/// One entry says something else at 10, the other one the same all the time.
#[test]
fn words_are_looked_for_in_what_was_said_then() {
    let (c, spaces, _) = database();
    let at = Place { space: &spaces[0], session: None };
    let actor = &AgentId::owner();
    let metadata = Default::default();
    let write = |id: &um_model::EntryId, says: &str, now: i64| {
        let body = EntryBody { content: Some(says.to_owned()), ..EntryBody::default() };
        let space = &spaces[0];
        let new = NewVersion { space, body: &body, change_reason: None, metadata: &metadata, actor, is_flagged: false };
        versions::append(&c, id, &Checked::held(new), now).unwrap();
    };
    let [first, second] = ["One", "Two"].map(|name| {
        let entry_type = EntryType::Guideline;
        let new = NewEntry { place: at, entry_type, name, category: None, priority: 50, actor };
        entries::insert(&c, &Checked::held(new), 1).unwrap()
    });
    write(&first, "A heron stands.", 5);
    write(&second, "The heron, the heron.", 6);
    write(&first, "A stork stands.", 10);
    let tags = Tags::default();
    let check = |as_of: Option<i64>, word: &str, expected: &[i64]| {
        let inactive = false;
        let wanted = Wanted { at, nearer: &[], types: EntryType::ALL, category: None, inactive, as_of, tags: &tags };
        let expression = format!("\"{word}\"");
        for given in [None, Some(vec![1, 2])] {
            let found = saying(&c, &wanted, (&expression, given.clone()), 9).unwrap();
            let mut rids = found.rids;
            rids.sort_unstable();
            assert_eq!(rids, expected, "{as_of:?} {word} {given:?}");
            assert!(!found.is_cut && !found.past_is_cut, "{as_of:?} {word}");
        }
    };
    for (as_of, heron, stork) in [
        (None, &[2][..], &[1][..]),
        (Some(10), &[2], &[1]),
        (Some(9), &[1, 2], &[]),
        (Some(5), &[1], &[]),
        (Some(4), &[], &[]),
    ] {
        check(as_of, "heron", heron);
        check(as_of, "stork", stork);
    }
}

/// A rule, a resource and an entry that say something else at 5 and at 9: what they said from 5 on was forgotten.
const REWRITTEN: &str = "
    INSERT INTO core_blocks (rid, id, space_id, actor_id, label, content, created_at, updated_at)
      SELECT 1, 'rule', :space, :actor, 'tone', 'First.', 1, 1;
    INSERT INTO core_block_versions (id, space_id, core_block_id, version_num, content, created_by, created_at)
      SELECT 'rule ' || (value ->> 0), :space, 'rule', value ->> 0, value ->> 1, :actor, value ->> 2 FROM json_each(:said);
    UPDATE core_blocks SET content = 'Third.', current_version = 3, updated_at = 9;
    UPDATE core_block_versions SET content = '[REDACTED]', is_redacted = 1, redacted_at = 9 WHERE version_num = 2;
    INSERT INTO workspace_resources (rid, id, space_id, actor_id, uri, title, kind, content, created_at, updated_at)
      SELECT 1, :resource, :space, :actor, 'repo://a', 'First.', 'document', 'First.', 1, 1;
    INSERT INTO workspace_resource_versions (id, space_id, resource_id, version_num, title, content, valid_from, recorded_at, actor_id)
      SELECT 'resource ' || (value ->> 0), :space, :resource, value ->> 0, value ->> 1, value ->> 1, value ->> 2, value ->> 2, :actor
      FROM json_each(:said);
    UPDATE workspace_resources SET title = 'Third.', content = 'Third.', current_version = 3, updated_at = 9;
    UPDATE workspace_resource_versions SET title = '[REDACTED]', content = NULL, is_redacted = 1, redacted_at = 9 WHERE version_num = 2;
    UPDATE entry_versions SET body = '{}', metadata = '{}', is_redacted = 1, redacted_at = 9 WHERE version_num = 2;";

#[test]
fn where_what_stood_then_was_forgotten_nothing_is_told() {
    let (c, spaces, _) = database();
    let (at, metadata) = (Place { space: &spaces[0], session: None }, Default::default());
    let actor = &AgentId::owner();
    let new =
        NewEntry { place: at, entry_type: EntryType::Guideline, name: "One", category: None, priority: 50, actor };
    let entry = entries::insert(&c, &Checked::held(new), 1).unwrap();
    let said = [("First.", 1), ("Second.", 5), ("Third.", 9)];
    for (says, now) in said {
        let body = EntryBody { content: Some(says.to_owned()), ..EntryBody::default() };
        let space = at.space;
        let new = NewVersion { space, body: &body, change_reason: None, metadata: &metadata, actor, is_flagged: false };
        versions::append(&c, &entry, &Checked::held(new), now).unwrap();
    }
    let resource = ResourceId::parse("0190f5e2-7c1a-7d3e-9b1f-2a4c6e8f0a01".to_owned()).unwrap();
    let said: Vec<_> = (1..).zip(said).map(|(number, (says, at))| (number, says, at)).collect();
    let quoted = |value: &str| format!("'{value}'");
    let sql = REWRITTEN
        .replace(":space", &quoted(at.space.as_str()))
        .replace(":actor", &quoted(actor.as_str()))
        .replace(":resource", &quoted(resource.as_str()))
        .replace(":said", &quoted(&serde_json::to_string(&said).unwrap()));
    c.execute_batch(&sql).unwrap();
    for (as_of, expected) in
        [(1, Some("First.")), (4, Some("First.")), (5, None), (8, None), (9, Some("Third.")), (12, Some("Third."))]
    {
        for of in [ItemType::CoreBlock, ItemType::Resource] {
            let there = rows::rows(&c, of, &[1], Some(as_of)).unwrap().len();
            assert_eq!(there, usize::from(expected.is_some()), "{of}, {as_of}");
            assert_eq!(rows::says(&c, of, 1, Some(as_of)).unwrap(), expected.unwrap_or_default(), "{of}, {as_of}");
        }
        let then = Then { as_of: Some(as_of), known_at: None };
        let version = resources::version_at(&c, &resource, then).unwrap();
        assert_eq!(version.and_then(|version| version.content).as_deref(), expected, "{as_of}");
        let entries = briefs::entries_then(&c, at.space, &[1], as_of).unwrap();
        let says = |body: &str| serde_json::from_str::<EntryBody>(body).unwrap().content;
        assert_eq!(entries.first().and_then(|entry| says(&entry.body)).as_deref(), expected, "{as_of}");
        assert_eq!(entries.len(), usize::from(expected.is_some()), "{as_of}");
    }
}

/// Three events with two tags, of which the second loses the first tag at 5 and has it again at 8.
#[test]
fn what_bore_the_tags_then_is_found_by_them_and_by_a_walk() {
    let (c, spaces, _) = database();
    let ids = [1, 2, 3].map(|_| {
        let event = NewEvent {
            space: &spaces[0],
            session: None,
            actor: &AgentId::owner(),
            kind: EventKind::UserMessage,
            content: "A heron stands.",
            metadata: &Default::default(),
            occurred_at: 1,
        };
        let id = events::append(&c, &Checked::held(event), 1).unwrap().to_string();
        tag(&c, &spaces[0], &ItemKey { item_type: ItemType::Event, id: id.clone() }, 0b11);
        id
    });
    let second = ItemKey { item_type: ItemType::Event, id: ids[1].clone() };
    assert!(tags::detach(&c, &second, "one", 5).unwrap());
    tags::attach(&c, &spaces[0], &second, &Checked::held(tags::NewTag::named("one")), 8).unwrap();
    let first: i64 = c.query_row("SELECT min(rid) FROM evidence_events", [], |row| row.get(0)).unwrap();
    let check = |as_of: Option<i64>, bits: (u8, u8, u8), expected: &[i64]| {
        let at = Place { space: &spaces[0], session: None };
        let listed = Listed { at, of: ItemType::Event, inactive: false, as_of };
        let tags = tags_of(&c, &spaces[0], bits);
        for few in [FEW, 0] {
            let found = tagged_of(&c, listed, &tags, (9, few)).unwrap();
            let found: Vec<i64> = found.into_iter().map(|rid| rid - first).collect();
            assert_eq!(found, expected, "{as_of:?} {bits:?} {few}");
        }
        let told = rows::tags(&c, ItemType::Event, &[&ids[1]], as_of).unwrap();
        let expected: &[&str] = if as_of == Some(5) { &["two"] } else { &["one", "two"] };
        assert_eq!(told[&ids[1]], expected, "{as_of:?}");
    };
    for (as_of, has) in [(Some(4), true), (Some(5), false), (Some(8), true), (None, true)] {
        let (with, without): (&[i64], &[i64]) = if has { (&[2, 1, 0], &[]) } else { (&[2, 0], &[1]) };
        check(as_of, (1, 0, 0), with);
        check(as_of, (0, 3, 0), with);
        check(as_of, (0, 2, 1), without);
    }
}

#[test]
fn the_tags_of_then_are_looked_up_by_their_items() {
    let (c, ..) = database();
    for of in [ItemType::Entry, ItemType::Memory, ItemType::Event] {
        let plan = plan(&c, &rows::tags_of(of, Some("?2")));
        for index in ["sqlite_autoindex_item_tags_2", "idx_past_item_tags_item"] {
            assert!(
                plan.contains(&format!("SEARCH i USING INDEX {index} (item_type=? AND item_id=?)")),
                "{of}: {plan}"
            );
        }
    }
}
