//! Events that have tags are those that a walk over all events finds.

use super::{database, tag, tags_of};
use crate::entries::Place;
use crate::events::{self, NewEvent};
use crate::query::candidates::{FEW, Listed, latest, tagged_of};
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
            let listed = Listed { at, of: ItemType::Event, inactive: false };
            // By what bears the rarest tag, and by walking the list first.
            for few in [FEW, 0] {
                prop_assert_eq!(&tagged_of(&c, listed, &tags, (limit, few)).unwrap(), &walked);
            }
            let last: Vec<i64> = there().map(|(_, rid, ..)| *rid).take(limit).collect();
            prop_assert_eq!(latest(&c, at, (ItemType::Event, false), limit).unwrap(), last);
        }
    }
}
