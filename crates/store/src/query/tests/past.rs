//! What was there at another time is looked up: nothing goes through all that there is of a kind.

use super::database;
use crate::entries::Place;
use crate::migrate::plan;
use crate::query::candidates::Listed;
use um_model::work::ItemType;

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
