//! Events that have tags are those that a walk over all events finds, and those of them that say some words.

use super::{database, tag, tags_of};
use crate::entries::Place;
use crate::events::{self, NewEvent};
use crate::query::candidates::{FEW, Listed, latest, saying, tagged_of};
use crate::rejected::Checked;
use proptest::prelude::*;
use um_model::AgentId;
use um_model::work::{EventKind, ItemKey, ItemType};

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn they_are_what_a_walk_finds(
        all in prop::collection::vec((0..2_usize, any::<bool>(), 0..8_u8, 1..4_i64), 0..30),
        asked in prop::collection::vec((any::<bool>(), (0..8_u8, 0..8_u8, 0..8_u8)), 8),
        limit in 1..9_usize,
    ) {
        let (c, spaces, session) = database();
        // When it was recorded, its rid, whether it is of the session, and its tags.
        let mut of_space: Vec<(i64, i64, bool, u8)> = Vec::new();
        for (space, in_session, tags, at) in all {
            let in_session = in_session && space == 0;
            let event = NewEvent {
                space: &spaces[space],
                session: in_session.then_some(&session),
                actor: &AgentId::owner(),
                kind: EventKind::UserMessage,
                content: "A heron stands.",
                metadata: &Default::default(),
                occurred_at: at,
            };
            let id = events::append(&c, &Checked::held(event), at).unwrap().to_string();
            tag(&c, &spaces[space], &ItemKey { item_type: ItemType::Event, id }, tags);
            if space == 0 {
                let rid = c.query_row("SELECT max(rid) FROM evidence_events", [], |row| row.get(0)).unwrap();
                of_space.push((at, rid, in_session, tags));
            }
        }
        of_space.sort_unstable_by(|a, b| b.cmp(a));
        for (in_session, (include, require, exclude)) in asked {
            let at = Place { space: &spaces[0], session: in_session.then_some(&session) };
            let there = || of_space.iter().filter(|(_, _, of_session, _)| *of_session || !in_session);
            let fits = |tags: &u8| (include == 0 || tags & include != 0) && tags & require == require && tags & exclude == 0;
            let walked: Vec<i64> =
                there().filter(|(.., tags)| fits(tags)).map(|(_, rid, ..)| *rid).take(limit).collect();
            let tags = tags_of(&c, &spaces[0], (include, require, exclude));
            let listed = Listed { at, of: ItemType::Event, inactive: false, as_of: None };
            // By what bears the rarest tag, and by walking the list first.
            for few in [FEW, 0] {
                prop_assert_eq!(&tagged_of(&c, listed, &tags, (limit, few)).unwrap(), &walked);
            }
            let last: Vec<i64> = there().map(|(_, rid, ..)| *rid).take(limit).collect();
            prop_assert_eq!(latest(&c, at, (ItemType::Event, false, None), limit).unwrap(), last);
        }
    }
}

/// Thirty events of a space and its session, of which the later say a word less often among others: that with the number `at` has the
/// tags of `at % 10`, and the even ones are of the session.
#[test]
fn of_what_says_the_words_only_what_has_the_tags_takes_a_place() {
    let (c, spaces, session) = database();
    for at in 0..30_u8 {
        let says = "heron ".repeat(40 - usize::from(at)) + &"reed ".repeat(10 + usize::from(at));
        let event = NewEvent {
            space: &spaces[0],
            session: (at % 2 == 0).then_some(&session),
            actor: &AgentId::owner(),
            kind: EventKind::UserMessage,
            content: &says,
            metadata: &Default::default(),
            occurred_at: 1,
        };
        let id = events::append(&c, &Checked::held(event), 1).unwrap().to_string();
        tag(&c, &spaces[0], &ItemKey { item_type: ItemType::Event, id }, if at % 10 < 8 { at % 10 } else { 0 });
    }
    let first: i64 = c.query_row("SELECT min(rid) FROM evidence_events", [], |row| row.get(0)).unwrap();
    let check = |in_session: bool, bits: (u8, u8, u8), allowed: Option<&[i64]>, limit: usize, expected: &[i64]| {
        let at = Place { space: &spaces[0], session: in_session.then_some(&session) };
        let tags = tags_of(&c, &spaces[0], bits);
        let of = (ItemType::Event, false, None);
        let allowed: Option<Vec<i64>> = allowed.map(|all| all.iter().map(|at| at + first).collect());
        let words = ["heron".to_owned()];
        let found = saying(&c, at, of, &tags, ("\"heron\"", &words), allowed.as_deref(), limit).unwrap();
        let found: Vec<i64> = found.rids.iter().map(|rid| rid - first).collect();
        assert_eq!(found, expected, "{bits:?} {allowed:?}");
    };
    check(false, (0, 0, 0), None, 3, &[0, 1, 2]);
    // All three tags are on those that say it least among the first ten, the second and the third.
    check(false, (0, 7, 0), None, 1, &[7]);
    check(false, (0, 7, 0), None, 9, &[7, 17, 27]);
    check(false, (4, 0, 0), None, 5, &[4, 5, 6, 7, 14]);
    check(false, (0, 0, 7), None, 4, &[0, 8, 9, 10]);
    check(false, (1, 2, 4), None, 9, &[3, 13, 23]);
    check(true, (0, 4, 0), None, 3, &[4, 6, 14]);
    check(true, (0, 7, 0), None, 3, &[]);
    check(false, (0, 4, 0), Some(&[0, 5, 25, 29]), 3, &[5, 25]);
    check(false, (0, 4, 0), Some(&[]), 3, &[]);
}
