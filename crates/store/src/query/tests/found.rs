//! What is found is what a walk over all entries finds, whichever way it is looked for.

use super::{database, tag, tags_of};
use crate::entries::{self, NewEntry, Place};
use crate::fts::table::{self, Kind};
use crate::query::found::{FEW, Wanted, best_of, fitting, saying};
use crate::rejected::Checked;
use proptest::prelude::*;
use rusqlite::Connection;
use std::cmp::Reverse;
use um_model::work::{EntryCategory, EntryType, ItemKey, ItemType};
use um_model::{AgentId, SessionId, SpaceId};

/// An entry as it is planted.
#[derive(Debug, Clone)]
struct Planted {
    /// 0 a session, 1 its space, 2 the space above.
    level: usize,
    name: usize,
    of: EntryType,
    category: Option<EntryCategory>,
    priority: u8,
    at: i64,
    is_active: bool,
    /// A bit for each of the tags.
    tags: u8,
    says: bool,
}

fn planted() -> impl Strategy<Value = Vec<Planted>> {
    let what = (0..3_usize, 0..12_usize, 0..EntryType::ALL.len(), any::<bool>());
    let how = (0..3_u8, 1..4_i64, prop::bool::weighted(0.8), 0..8_u8, any::<bool>());
    let one = (what, how).prop_map(|((level, name, of, has_category), (priority, at, is_active, tags, says))| {
        let of = EntryType::ALL[of];
        let category = EntryCategory::ALL.iter().copied().find(|category| category.of() == of);
        Planted { level, name, of, category: category.filter(|_| has_category), priority, at, is_active, tags, says }
    });
    prop::collection::vec(one, 0..40)
}

fn levels<'a>([space, above]: &'a [SpaceId; 2], session: &'a SessionId) -> [Place<'a>; 3] {
    [Place { space, session: Some(session) }, Place { space, session: None }, Place { space: above, session: None }]
}

/// Plants them. Of those of one type and name at a level only the first is. Gives them with their rids.
fn plant<'a>(c: &Connection, levels: &[Place<'_>; 3], all: &'a [Planted]) -> Vec<(i64, &'a Planted)> {
    let mut rows: Vec<(i64, &Planted)> = Vec::new();
    for one in all {
        if rows.iter().any(|(_, row)| (row.level, row.name, row.of) == (one.level, one.name, one.of)) {
            continue;
        }
        let (place, name) = (levels[one.level], format!("Entry {}", one.name));
        let actor = &AgentId::owner();
        let (entry_type, category, priority) = (one.of, one.category, one.priority);
        let new = Checked::held(NewEntry { place, entry_type, name: &name, category, priority, actor });
        let id = entries::insert(c, &new, one.at).unwrap();
        let item = ItemKey { item_type: ItemType::Entry, id: id.to_string() };
        tag(c, place.space, &item, one.tags);
        entries::set_active(c, &id, one.is_active).unwrap();
        let rid = c.query_row("SELECT rid FROM entries WHERE id = ?1", [id.as_str()], |row| row.get(0)).unwrap();
        let words = if one.says { "a heron" } else { "nothing" };
        table::put(c, (place.space, Kind::Entries), rid, &[&name, words], one.at).unwrap();
        rows.push((rid, one));
    }
    rows
}

/// What is asked: the level, the tags as bits, whether those of a category, those out of use, and those of all levels.
type Asked = (usize, (u8, u8, u8), bool, bool, bool);

/// The rids of those that fit, the best first.
fn walked(rows: &[(i64, &Planted)], (at, (include, require, exclude), of_category, inactive, all): Asked) -> Vec<i64> {
    let is_there = |row: &Planted| row.is_active || inactive;
    let mut fits: Vec<(i64, &Planted)> = rows
        .iter()
        .copied()
        .filter(|(_, row)| {
            let hidden = |(_, other): &(i64, &Planted)| {
                other.level < at && (other.of, other.name) == (row.of, row.name) && is_there(other)
            };
            row.level == at
                && is_there(row)
                && (!of_category || row.category == Some(EntryCategory::CodeStyle))
                && (include == 0 || row.tags & include != 0)
                && row.tags & require == require
                && row.tags & exclude == 0
                && (all || !rows.iter().any(hidden))
        })
        .collect();
    fits.sort_by_key(|(rid, row)| (Reverse((row.priority, row.at)), *rid));
    fits.into_iter().map(|(rid, _)| rid).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_what_a_walk_finds(
        all in planted(),
        asked in prop::collection::vec(
            (0..3_usize, (0..8_u8, 0..8_u8, 0..8_u8), any::<bool>(), prop::bool::weighted(0.2), any::<bool>()), 8),
        limit in 1..9_usize,
    ) {
        let (c, spaces, session) = database();
        let levels = levels(&spaces, &session);
        let rows = plant(&c, &levels, &all);
        for asked in asked {
            let (at, bits, of_category, inactive, all_levels) = asked;
            let tags = tags_of(&c, levels[at].space, bits);
            let wanted = Wanted {
                at: levels[at],
                nearer: if all_levels { &[] } else { &levels[..at] },
                types: EntryType::ALL,
                category: of_category.then_some(EntryCategory::CodeStyle),
                inactive,
                as_of: None,
                tags: &tags,
            };
            let fits = walked(&rows, asked);
            let first: Vec<i64> = fits.iter().copied().take(limit).collect();
            // By sorting what bears the rarest tag, and by walking the list first.
            for few in [FEW, 0] {
                prop_assert_eq!(&best_of(&c, &wanted, (limit, few)).unwrap(), &first);
            }
            let every: Vec<i64> = rows.iter().map(|(rid, _)| *rid).collect();
            let mut kept = fitting(&c, &wanted, &every).unwrap();
            prop_assert!(kept.is_sorted());
            kept.sort_by_key(|rid| fits.iter().position(|fit| fit == rid));
            prop_assert_eq!(&kept, &fits);
            let said = |rid: &&i64| rows.iter().any(|(other, row)| other == *rid && row.says);
            let mut said: Vec<i64> = fits.iter().filter(said).copied().collect();
            said.sort_unstable();
            for given in [None, Some(every)] {
                let found = saying(&c, &wanted, ("\"heron\" OR \"stork\"", given), 100).unwrap();
                prop_assert!(!found.is_cut);
                let mut found = found.rids;
                found.sort_unstable();
                prop_assert_eq!(&found, &said);
            }
        }
    }
}
