//! Searching by meaning and under filters: the answers are those of comparing everything.

use proptest::prelude::*;
use std::collections::HashSet;
use std::ops::Range;
use support::{Folder, embed_as, name_files, new_memory, open, read, remember_at, set_active, space, write};
use um_model::{AgentId, ArtifactId, MemoryId, SpaceId, Utf16Span};
use um_store::filter::{Admitted, UnitFilter};
use um_store::memories::NewMemory;
use um_store::rejected::Checked;
use um_store::units::{self, Mail, NewUnit, Source};
use um_store::{Connection, Store, StoreError, fts, hits, memories, tags, vectors};

mod support;

/// A direction between two axes: the greater the angle, the farther from the first.
fn at_angle(angle: f64) -> Vec<f32> {
    let mut vector = vec![0.0_f32; 384];
    vector[0] = angle.cos() as f32;
    vector[383] = angle.sin() as f32;
    vector
}

fn close(found: &[(i64, f64)], expected: &[(i64, f64)]) {
    let rids = |list: &[(i64, f64)]| list.iter().map(|(rid, _)| *rid).collect::<Vec<_>>();
    assert_eq!(rids(found), rids(expected));
    assert!(found.iter().zip(expected).all(|(a, b)| (a.1 - b.1).abs() < 1e-6), "{found:?} {expected:?}");
}

/// Best first, ties by rid.
fn in_order(found: &mut [(i64, f64)]) {
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}

/// What sqlite-vec's own KNN says, in the order that recall wants.
fn knn(c: &Connection, space: &SpaceId, query: &[f32]) -> Vec<(i64, f64)> {
    let mut statement = c
        .prepare(
            "WITH knn AS MATERIALIZED (SELECT embedding_rid, distance FROM embeddings_text_dense_vec
               WHERE embedding MATCH ?1 AND k = 4000 AND space_id = ?2)
             SELECT u.rid, 1.0 - knn.distance FROM knn JOIN memory_embeddings e ON e.rid = knn.embedding_rid
             JOIN text_units u ON u.id = e.unit_id",
        )
        .unwrap();
    let rows = statement.query_map((vectors::to_blob(query), space.as_str()), |row| Ok((row.get(0)?, row.get(1)?)));
    let mut found: Vec<(i64, f64)> = rows.unwrap().collect::<Result<_, _>>().unwrap();
    in_order(&mut found);
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    /// Memories of one to 90 passages (a chunk of the index has 64), each at one of 40 angles, some removed.
    #[test]
    fn the_nearest_are_those_of_sqlite_vec(
        memories in proptest::collection::vec((0..2usize, proptest::collection::vec(0..40u32, 1..90), any::<bool>()), 1..12),
        asked in 0..40u32,
        limit in 1..120usize,
    ) {
        let Folder { store, folder } = open();
        let spaces = [space(&store, "a"), space(&store, "b")];
        for (number, (home, angles, stays)) in memories.into_iter().enumerate() {
            let sentences: Vec<String> = (0..angles.len()).map(|at| format!("Passage {at}.")).collect();
            let memory = remember_at(&store, &spaces[home], number as u64, &sentences, None);
            embed_as(&store, &memory, move |place| at_angle(f64::from(angles[place]) / 20.0));
            if !stays {
                set_active(&store, &spaces[home], &memory, false);
            }
        }
        // Beside the angles, so that no two of them are equally far.
        let query = at_angle(f64::from(asked) / 20.0 + 0.013);
        read(&store, |c| {
            let mut both = Vec::new();
            for space in &spaces {
                let mut expected = knn(c, space, &query);
                both.extend(expected.clone());
                expected.truncate(limit);
                close(&vectors::nearest(c, std::slice::from_ref(space), &query, &Admitted::All, limit)?, &expected);
            }
            in_order(&mut both);
            both.truncate(limit);
            close(&vectors::nearest(c, &spaces, &query, &Admitted::All, limit)?, &both);
            Ok(())
        });
        drop(store);
        drop(folder);
    }
}

#[test]
fn vectors_are_kept_at_length_one_and_need_a_direction() {
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    let memory = remember_at(&store, &space, 1, &["One.".into(), "Two.".into()], None);
    embed_as(&store, &memory, |place| at_angle(1.0).iter().map(|v| v * [5.0, 0.01][place]).collect());
    let long: Vec<f32> = at_angle(1.0).iter().map(|v| v * 300.0).collect();
    for query in [at_angle(1.0), long] {
        let found = read(&store, |c| vectors::nearest(c, std::slice::from_ref(&space), &query, &Admitted::All, 10));
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|(_, cosine)| (cosine - 1.0).abs() < 1e-6), "{found:?}");
    }
    let fault = store.read(|c| vectors::nearest(c, std::slice::from_ref(&space), &[0.0; 384], &Admitted::All, 10));
    assert!(matches!(fault, Err(StoreError::Damaged(_))));
    let other = remember_at(&store, &space, 2, &["Three.".into()], None);
    let rid = read(&store, |c| um_store::units::unembedded(c, &other, support::MODEL, 1)).rids[0];
    for bad in [0.0, f32::NAN, f32::INFINITY] {
        let fault = store.write(move |tx| vectors::insert_unit(tx, rid, support::MODEL, &[bad; 384], 1));
        assert!(matches!(fault, Err(StoreError::Damaged(_))), "{bad}");
    }
    let short = store.read(|c| vectors::nearest(c, std::slice::from_ref(&space), &[1.0; 16], &Admitted::All, 10));
    assert!(matches!(short, Err(StoreError::Damaged(_))), "a question of another model");
}

#[test]
fn cosines_are_told_of_all_that_have_a_vector() {
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    let remember = |number, angle: f64| {
        let memory = remember_at(&store, &space, number, &["One.".into(), "Two.".into()], None);
        embed_as(&store, &memory, move |place| at_angle(angle + place as f64));
        memory
    };
    let (kept, removed) = (remember(1, 0.5), remember(2, 0.25));
    set_active(&store, &space, &removed, false);
    let bare = remember_at(&store, &space, 3, &["Three.".into()], None);
    let rids = |memory: &um_model::MemoryId| {
        let sql = "SELECT rid FROM text_units WHERE owner_memory_id = ?1 ORDER BY rid";
        read(&store, |c| {
            Ok(c.prepare(sql)?.query_map([memory.as_str()], |r| r.get(0))?.collect::<Result<Vec<i64>, _>>()?)
        })
    };
    let check = |asked: &[i64], expected: &[(i64, f64)]| {
        let mut found: Vec<(i64, f64)> =
            read(&store, |c| vectors::cosines(c, &at_angle(0.0), asked)).into_iter().collect();
        in_order(&mut found);
        close(&found, expected);
    };
    let (kept, removed, bare) = (rids(&kept), rids(&removed), rids(&bare));
    check(&[], &[]);
    check(&bare, &[]);
    check(&[kept[1], kept[0], 1_000_000, bare[0]], &[(kept[0], 0.5_f64.cos()), (kept[1], 1.5_f64.cos())]);
    check(&removed, &[(removed[0], 0.25_f64.cos()), (removed[1], 1.25_f64.cos())]);
}

const MEMORIES: usize = 66;
const PASSAGES: usize = 100;

/// 6,600 passages in two spaces: memory number n happened at n, and its passages are the farther from the first
/// axis, and say "otter" the less often, the later it happened.
fn many() -> (Folder, [SpaceId; 2]) {
    let folder = open();
    let spaces = [space(&folder.store, "a"), space(&folder.store, "b")];
    for number in 0..MEMORIES {
        let otters = "otter ".repeat(1 + (MEMORIES - number) / 8);
        let sentences: Vec<String> = (0..PASSAGES).map(|at| format!("{otters}swims {at}.")).collect();
        let space = &spaces[usize::from(number % 11 == 0)];
        let memory = remember_at(&folder.store, space, number as u64, &sentences, Some(number as i64));
        embed_as(&folder.store, &memory, move |place| at_angle((number * PASSAGES + place / 2) as f64 / 5000.0));
    }
    (folder, spaces)
}

/// The rids of the units whose memory happened then, asked for without the filter.
fn within(store: &Store, since: i64, until: i64) -> HashSet<i64> {
    read(store, |c| {
        let sql = "SELECT u.rid FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
                   WHERE m.occurred_at >= ?1 AND m.occurred_at < ?2";
        Ok(c.prepare(sql)?.query_map((since, until), |row| row.get(0))?.collect::<Result<_, _>>()?)
    })
}

fn kind(admitted: &Admitted<'_>) -> &'static str {
    match admitted {
        Admitted::All => "all",
        Admitted::Few(_) => "few",
        Admitted::Many(_) => "many",
    }
}

/// Five in the afternoon of the ninth in Los Angeles is one in the morning of the tenth in UTC.
#[test]
fn what_is_told_of_a_day_alone_is_of_that_day_by_every_clock() {
    const HOUR: i64 = 3_600_000;
    const DAY: i64 = 24 * HOUR;
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    for (number, at) in [(1, 10 * DAY), (2, 10 * DAY + HOUR), (3, 10 * DAY + 20 * HOUR)] {
        remember_at(&store, &space, number, &["One.".into()], Some(at));
    }
    let all = read(&store, |c| {
        let sql = "SELECT rid FROM text_units ORDER BY rid";
        Ok(c.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?)
    });
    let check = |day: i64, (hours, then): (i64, i64), expected: &[usize]| {
        let (since, until) = (Some(day * DAY - then * HOUR), Some((day + 1) * DAY - then * HOUR));
        let ahead = hours * HOUR;
        let filter = UnitFilter { since, until, ahead, ..UnitFilter::default() };
        let expected: Vec<i64> = expected.iter().map(|at| all[*at]).collect();
        read(&store, |c| {
            // What is in use, and what is not and is given.
            let asked: [(&[SpaceId], &[i64]); 2] = [(std::slice::from_ref(&space), &[]), (&[], all.as_slice())];
            for (spaces, past) in asked {
                let mut newest = filter.newest(c, spaces, past, 10)?;
                newest.sort_unstable();
                assert_eq!(newest, expected, "day {day}, {hours} hours ahead, of the past {past:?}");
            }
            let kept = filter.keep(c, &all)?;
            assert_eq!(kept, expected.iter().copied().collect::<HashSet<i64>>(), "day {day}, {hours} hours ahead");
            Ok(())
        });
    };
    check(10, (0, 0), &[0, 1, 2]);
    check(9, (-8, -8), &[1]);
    check(10, (-8, -8), &[0, 2]);
    check(11, (-8, -8), &[]);
    check(9, (10, 10), &[]);
    check(10, (10, 10), &[0, 1]);
    check(11, (10, 10), &[2]);
    check(10, (12, 12), &[0, 1]);
    // The clock has changed since.
    check(9, (-7, -8), &[1]);
    check(10, (-7, -8), &[0, 2]);
    check(10, (-8, -7), &[0, 2]);
    check(11, (10, 11), &[2]);
    // Without times no clock counts.
    let open = UnitFilter { ahead: HOUR, ..UnitFilter::default() };
    assert!(open.is_open());
    assert_eq!(read(&store, |c| open.keep(c, &all)).len(), 3);
}

#[test]
fn what_must_not_be_there_is_looked_up_among_few_alone() {
    let (Folder { store, folder: _folder }, spaces) = many();
    // All but two fifths of each memory's passages.
    let must_not = (0..60).map(|at| at.to_string()).collect::<Vec<_>>().join(" OR ");
    let everything = MEMORIES * PASSAGES;
    let check = |since: i64, until: i64, expected_kind: &str, limit: usize| {
        let (since, until, must_not) = (Some(since), Some(until), Some(must_not.clone()));
        let filter = UnitFilter { since, until, must_not: must_not.clone(), ..UnitFilter::default() };
        let within = within(&store, filter.since.unwrap(), filter.until.unwrap());
        read(&store, |c| {
            let admitted = filter.admit(c, &spaces)?;
            assert_eq!(kind(&admitted), expected_kind, "{since:?} to {until:?}");
            for space in &spaces {
                let has = fts::search(c, space, must_not.as_deref().unwrap(), &Admitted::All, everything)?;
                let has: HashSet<i64> = has.into_iter().map(|(rid, _)| rid).collect();
                let mut all = fts::search(c, space, "otter OR swims", &Admitted::All, everything)?;
                all.retain(|(rid, _)| within.contains(rid) && !has.contains(rid));
                all.truncate(limit);
                assert!(!all.is_empty(), "{since:?} to {until:?} in {space}");
                assert_eq!(fts::search(c, space, "otter OR swims", &admitted, limit)?, all, "{since:?} to {until:?}");
            }
            Ok(())
        });
    };
    check(0, 20, "few", 100);
    // 2,640 of 6,600 pass: that these are few is not found out.
    check(0, 66, "many", 100);
    check(0, 66, "many", 3_000);
}

#[test]
fn words_that_must_be_there_are_looked_up_among_few_where_many_have_them() {
    let (Folder { store, folder: _folder }, spaces) = many();
    let everything = MEMORIES * PASSAGES;
    let check = |must: &str, since: i64, expected_kind: &str, limit: usize| {
        let filter = UnitFilter { since: Some(since), must: Some(must.to_owned()), ..UnitFilter::default() };
        let within = within(&store, since, i64::MAX);
        read(&store, |c| {
            let admitted = filter.admit(c, &spaces)?;
            assert_eq!(kind(&admitted), expected_kind, "{must} since {since}");
            for space in &spaces {
                let has = fts::search(c, space, must, &Admitted::All, everything)?;
                let has: HashSet<i64> = has.into_iter().map(|(rid, _)| rid).collect();
                let mut all = fts::search(c, space, "swims", &Admitted::All, everything)?;
                all.retain(|(rid, _)| within.contains(rid) && has.contains(rid));
                all.truncate(limit);
                assert_eq!(fts::search(c, space, "swims", &admitted, limit)?, all, "{must} since {since}");
            }
            // One passage of each memory, the newest first.
            let newest = filter.newest(c, &spaces, &[], 10)?;
            let mut owners = c.prepare(
                "SELECT m.occurred_at FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
                WHERE u.rid = ?1",
            )?;
            let times: Vec<i64> = newest.iter().map(|rid| owners.query_row([rid], |row| row.get(0)).unwrap()).collect();
            let expected: Vec<i64> = (since..MEMORIES as i64).rev().take(10).collect();
            assert_eq!(times, expected, "{must} since {since}");
            Ok(())
        });
    };
    // All say it: of those that are late, few.
    check("\"otter swims\"", 0, "many", 100);
    check("\"otter swims\"", 40, "few", 100);
    check("\"otter swims\"", 65, "few", 100);
    // One passage of each memory.
    check("\"swims 7\"", 0, "few", 100);
    check("\"swims 7\"", 60, "few", 3);
}

#[test]
fn a_filter_finds_what_comparing_everything_finds() {
    let (Folder { store, folder: _folder }, spaces) = many();
    let everything = MEMORIES * PASSAGES;
    let check = |since: i64, until: i64, expected_kind: &str, limit: usize| {
        let filter = UnitFilter { since: Some(since), until: Some(until), ..UnitFilter::default() };
        let passing = within(&store, since, until);
        read(&store, |c| {
            let admitted = filter.admit(c, &spaces)?;
            assert_eq!(kind(&admitted), expected_kind, "{since} to {until}");
            let only = |mut all: Vec<(i64, f64)>| {
                all.retain(|(rid, _)| passing.contains(rid));
                all.truncate(limit);
                all
            };
            let query = at_angle(0.0);
            let all = only(vectors::nearest(c, &spaces, &query, &Admitted::All, everything)?);
            assert_eq!(all.len(), limit.min(passing.len()), "{since} to {until}");
            close(&vectors::nearest(c, &spaces, &query, &admitted, limit)?, &all);
            for space in &spaces {
                let all = only(fts::search(c, space, "otter OR swims", &Admitted::All, everything)?);
                let found = fts::search(c, space, "otter OR swims", &admitted, limit)?;
                assert_eq!(found, all, "{since} to {until} in {space}");
            }
            Ok(())
        });
    };
    // A few are compared one by one; none at all is no error.
    check(10, 20, "few", 100);
    check(60, 61, "few", 300);
    check(500, 600, "few", 100);
    // Of many, the best of all are looked at: here enough of them pass ...
    check(0, 60, "many", 100);
    check(5, 66, "many", 100);
    // ... and here none of the first 2,048 does.
    check(24, 66, "many", 100);
}

#[test]
fn rare_words_are_enough_where_enough_of_their_passages_pass() {
    let (Folder { store, folder: _folder }, [space, _]) = many();
    // All passages have the one word, 60 the other: a passage of each memory.
    let words = r#""otter" OR "7""#;
    let check = |since: i64, limit: usize, alone: bool| {
        let filter = UnitFilter { since: Some(since), ..UnitFilter::default() };
        let passing = within(&store, since, i64::MAX);
        read(&store, |c| {
            let among = if alone { 60 } else { MEMORIES * PASSAGES };
            let mut all = fts::search(c, &space, if alone { r#""7""# } else { words }, &Admitted::All, among)?;
            all.retain(|(rid, _)| passing.contains(rid));
            all.truncate(limit);
            assert_eq!(fts::search(c, &space, words, &Admitted::Many(&filter), limit)?, all, "since {since}");
            Ok(())
        });
    };
    check(0, 10, true);
    check(33, 10, true);
    check(60, 3, true);
    // Too few of the 60 pass: then all words are searched.
    check(40, 30, false);
    check(65, 10, false);
    check(500, 10, false);
}

#[test]
fn names_of_files_come_after_all_that_is_text() {
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    // Each of the names says hardly anything else, and each text more than the one before.
    name_files(&store, &space, &(0..140).map(|at| format!("otter {at}")).collect::<Vec<_>>());
    for number in 0..30 {
        let says = format!("An otter {}.", "swims on and on ".repeat(number as usize + 1));
        remember_at(&store, &space, number, &[says], None);
    }
    read(&store, |c| {
        let table = fts::table::find(c, &space, fts::Kind::Units)?.unwrap();
        let sql = format!(
            "SELECT rowid, -bm25({table}, 1.0, 0.6, 0.4) AS score FROM {table} WHERE {table} MATCH 'otter'
             ORDER BY score DESC, rowid"
        );
        let rows = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let scored: Vec<(i64, f64)> = c.prepare(&sql)?.query_map([], rows)?.collect::<Result<_, _>>()?;
        let sql = "SELECT rid FROM text_units WHERE text_view_id IS NOT NULL";
        let named: HashSet<i64> = c.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        assert!(named.contains(&scored[0].0), "{scored:?}");
        let (names, mut all): (Vec<_>, Vec<_>) = scored.into_iter().partition(|(rid, _)| named.contains(rid));
        all.extend(names);
        let few = [(space.as_str().to_owned(), all.iter().map(|(rid, _)| *rid).collect())].into();
        for admitted in [Admitted::All, Admitted::Few(few)] {
            for limit in [1, 15, 30, 31, 100, 169, 170, 171, 1000] {
                let found = fts::search(c, &space, "otter", &admitted, limit)?;
                assert_eq!(found, all[..limit.min(all.len())], "{limit}");
            }
        }
        Ok(())
    });
}

#[test]
fn spaces_and_beginnings_are_told_before_they_are_searched() {
    let Folder { store, folder: _folder } = open();
    let [none, one, gone] = ["a", "b", "c"].map(|name| space(&store, name));
    let says = ["Ana: the otter swims.".to_owned(), "Ben said so to Cleo.".to_owned()];
    remember_at(&store, &one, 1, &says, None);
    let removed = remember_at(&store, &gone, 2, &says, None);
    set_active(&store, &gone, &removed, false);
    let all = [gone.clone(), one.clone(), none.clone()];
    assert_eq!(read(&store, |c| fts::that_have_units(c, &all)), std::slice::from_ref(&one));
    set_active(&store, &gone, &removed, true);
    assert_eq!(read(&store, |c| fts::that_have_units(c, &all)), [gone, one.clone()]);
    let check = |space: &SpaceId, words: &[&str], expected: bool| {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        assert_eq!(read(&store, |c| fts::any_beginning_with(c, space, &words)), expected, "{words:?}");
    };
    check(&one, &["cleo", "ana"], true);
    check(&one, &["ben"], true);
    check(&one, &["cleo", "otter"], false);
    check(&one, &[], false);
    check(&none, &["ana"], false);
}

#[test]
fn many_memories_of_a_time_are_many_before_their_passages_are_listed() {
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    let of = space.clone();
    write(&store, move |tx| {
        (0..4_100).try_for_each(|number| {
            let new = new_memory(&of, number, format!("Note {number}."), Some(number as i64));
            memories::insert(tx, &Checked::held(new), 1).map(drop)
        })
    });
    let check = |since: i64, expected: &str| {
        let filter = UnitFilter { since: Some(since), ..UnitFilter::default() };
        let told = read(&store, |c| Ok(kind(&filter.admit(c, std::slice::from_ref(&space))?).to_owned()));
        assert_eq!(told, expected, "since {since}");
    };
    // 4,097 and 4,096 of them; none has a passage yet.
    check(3, "many");
    check(4, "few");
}

#[test]
fn a_modality_is_that_of_the_file_or_of_the_memory() {
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    let memory = remember_at(&store, &space, 1, &["An otter.".into()], Some(5));
    let file = remember_at(&store, &space, 2, &["Another otter.".into()], Some(6));
    let (of, at) = (file.clone(), space.clone());
    write(&store, move |tx| {
        tx.execute(
            "INSERT INTO artifacts (id, space_id, actor_id, content_hash, mime_type, modality, storage_backend, storage_uri,
               valid_from, created_at) VALUES ('file', ?1, ?2, 'h', 'image/png', 'image', 'filesystem', 'aa/bb', 1, 1)",
            [at.as_str(), um_model::AgentId::owner().as_str()],
        )?;
        tx.execute("UPDATE memories SET primary_artifact_id = 'file' WHERE id = ?1", [of.as_str()])?;
        Ok(())
    });
    let found = |modalities: &[&str], since: Option<i64>| {
        let filter = UnitFilter {
            modalities: modalities.iter().map(ToString::to_string).collect(),
            since,
            ..UnitFilter::default()
        };
        read(&store, |c| {
            let admitted = filter.admit(c, std::slice::from_ref(&space))?;
            let found = fts::search(c, &space, "otter", &admitted, 10)?;
            let rids: Vec<i64> = found.iter().map(|(rid, _)| *rid).collect();
            assert_eq!(filter.keep(c, &rids)?.len(), rids.len());
            let sql = "SELECT owner_memory_id FROM text_units WHERE rid = ?1";
            let owners: Result<Vec<String>, _> = rids.iter().map(|rid| c.query_row(sql, [rid], |r| r.get(0))).collect();
            Ok(owners?)
        })
    };
    let [memory, file] = [memory, file].map(|id| id.as_str().to_owned());
    assert_eq!(found(&["text"], None), std::slice::from_ref(&memory));
    assert_eq!(found(&["image"], None), std::slice::from_ref(&file));
    assert_eq!(found(&["image"], Some(7)), [""; 0]);
    let both: HashSet<String> = found(&["image", "text"], Some(5)).into_iter().collect();
    assert_eq!(both, HashSet::from([memory, file]));
}

/// A memory of so many passages, of a session or none.
fn told_in(store: &Store, space: &SpaceId, number: u64, passages: u64, session: Option<&str>) -> um_model::MemoryId {
    let texts: Vec<String> = (0..passages).map(|passage| format!("Bear {number}-{passage}.")).collect();
    let memory = remember_at(store, space, number, &texts, None);
    let (id, session) = (memory.clone(), session.map(str::to_owned));
    write(store, move |tx| {
        tx.execute("UPDATE memories SET session_id = ?2 WHERE id = ?1", rusqlite::params![id.as_str(), session])?;
        Ok(())
    });
    memory
}

/// All passages, each with its thread, and where each stands.
fn places(store: &Store) -> (Vec<(i64, String)>, hits::Places) {
    read(store, |c| {
        let sql = "SELECT u.rid, ifnull(m.space_id || m.session_id, m.id)
                   FROM text_units u JOIN memories m ON m.id = u.owner_memory_id ORDER BY u.rid";
        let all: Vec<(i64, String)> =
            c.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let mut places = hits::Places::default();
        places.look_up(c, &all.iter().map(|(rid, _)| *rid).collect::<Vec<_>>())?;
        Ok((all, places))
    })
}

#[test]
fn neighbours_are_those_of_a_passages_thread() {
    let folder = open();
    let store = &folder.store;
    let spaces = [space(store, "one"), space(store, "other")];
    let mut told = [0, 0];
    for number in 0..36 {
        let at = usize::from(number % 3 == 2);
        told[at] += 1;
        // Two sessions of the same names in each space, one after the other, and memories without any.
        let (session, passages) = match told[at] % 3 {
            0 => (None, 3),
            1 => (Some("a"), 2),
            _ => (Some("b"), 2),
        };
        let memory = told_in(store, &spaces[at], number, passages, session);
        if number % 5 == 4 {
            set_active(store, &spaces[at], &memory, false);
        }
    }
    told_in(store, &spaces[0], 36, 6, Some("nobody else writes"));
    let (all, places) = places(store);
    for (rid, thread) in &all {
        let own: Vec<i64> = all.iter().filter(|(_, of)| of == thread).map(|(rid, _)| *rid).collect();
        let at = own.iter().position(|other| other == rid).unwrap() as i64;
        for step in [-2, -1, 1, 2] {
            let expected = usize::try_from(at + step).ok().and_then(|at| own.get(at).copied());
            assert_eq!(places.beside(*rid, step), expected, "{step} from {rid} of {all:?}");
        }
    }
}

#[test]
fn a_session_is_followed_past_the_passages_of_others() {
    let check = |others: u64| {
        let folder = open();
        let space = space(&folder.store, "one");
        told_in(&folder.store, &space, 0, 1, Some("a"));
        told_in(&folder.store, &space, 1, others, Some("b"));
        told_in(&folder.store, &space, 2, 1, Some("a"));
        let (all, places) = places(&folder.store);
        let [first, last] = [all.first(), all.last()].map(|one| one.unwrap().0);
        assert_eq!(places.beside(first, 1), Some(last), "{others} others");
        assert_eq!(places.beside(last, -1), Some(first), "{others} others");
    };
    check(1);
    check(40);
}

/// When the memories of units happened, or their mails were sent, in the order of these.
fn times(c: &Connection, rids: &[i64]) -> um_store::StoreResult<Vec<i64>> {
    let sql =
        "SELECT ifnull(u.mail_sent_at, m.occurred_at) FROM text_units u JOIN memories m ON m.id = u.owner_memory_id
               WHERE u.rid = ?1";
    let times: Result<Vec<i64>, _> = rids.iter().map(|rid| c.query_row(sql, [rid], |row| row.get(0))).collect();
    Ok(times?)
}

/// The newest memories without a word are found whether few or most of the newest have it.
#[test]
fn the_newest_without_a_word_are_the_newest_of_all_without_it() {
    let Folder { store, folder: _folder } = open();
    let space = space(&store, "a");
    for number in 0..600 {
        // The word is in every third memory, in all of the newest 300, and in one passage of the newest.
        let word = if number % 3 == 0 || number >= 300 { "heron" } else { "otter" };
        let second = if number == 599 { "swan" } else { word };
        let sentences = [format!("A {word} swims {number}."), format!("A {second} flies {number}.")];
        remember_at(&store, &space, number, &sentences, Some(number as i64));
    }
    let check = |must_not: &str, until: i64, expected: &[i64]| {
        let must_not = Some(must_not.to_owned());
        let filter = UnitFilter { must_not, until: Some(until), ..UnitFilter::default() };
        let found = read(&store, |c| times(c, &filter.newest(c, std::slice::from_ref(&space), &[], 3)?));
        assert_eq!(found, expected, "without {must_not:?} before {until}", must_not = filter.must_not);
    };
    check("otter", 1_000, &[599, 598, 597]);
    check("heron", 300, &[299, 298, 296]);
    check("heron", 1_000, &[599, 299, 298]);
    check("heron OR swan", 1_000, &[299, 298, 296]);
    check("heron OR otter", 500, &[]);
}

/// A mailbox with what each mail says and when it was sent.
fn mailbox(store: &Store, space: &SpaceId, mails: &[(String, i64)]) {
    let says: Vec<&str> = mails.iter().map(|(says, _)| says.as_str()).collect();
    let new = new_memory(space, 10_000, says.join("\n"), Some(0));
    let (space, mut cut, mut start) = (space.clone(), Vec::new(), 0);
    for (says, sent_at) in mails {
        let span = Utf16Span::new(start, start + says.len() as u32);
        let mail = Some(Mail { start, from: None, sent_at: Some(*sent_at) });
        cut.push(NewUnit { span, text: says.clone(), heading_path: None, segment: None, token_count: 5, mail });
        start = span.end + 1;
    }
    write(store, move |tx| {
        let (memory, _) = memories::insert(tx, &Checked::held(new), 1)?;
        units::insert(tx, &space, &memory, Source::Memory(&memory), "", &cut, 1)
    });
}

/// The newest without a word may be mails behind many that have it, however many older notes have it not; and the other way round.
#[test]
fn the_newest_without_a_word_are_those_of_notes_and_mails() {
    let Folder { store, folder: _folder } = open();
    let spaces = ["a", "b"].map(|name| space(&store, name));
    // In the one space the notes come before the mails, in the other one behind them. A word is in the newest 300 of what comes behind.
    let says = |at: i64| format!("A {} flies {at}.", if at < 600 { "otter" } else { "heron" });
    let notes = |space: &SpaceId, times: Range<i64>| {
        times.for_each(|at| _ = remember_at(&store, space, at as u64, &[says(at)], Some(at)));
    };
    let mails = |space: &SpaceId, times: Range<i64>| {
        mailbox(&store, space, &times.map(|at| (says(at), at)).collect::<Vec<_>>());
    };
    notes(&spaces[0], 0..300);
    mails(&spaces[0], 300..900);
    mails(&spaces[1], 0..300);
    notes(&spaces[1], 300..900);
    for space in &spaces {
        let check = |must_not: &str, expected: &[i64]| {
            let filter = UnitFilter { must_not: Some(must_not.to_owned()), ..UnitFilter::default() };
            let found = read(&store, |c| times(c, &filter.newest(c, std::slice::from_ref(space), &[], 3)?));
            assert_eq!(found, expected, "without {must_not} in {space}");
        };
        check("heron", &[599, 598, 597]);
        check("otter", &[899, 898, 897]);
    }
}

fn tag(store: &Store, space: &SpaceId, memory: &MemoryId, names: &[&str]) {
    let (space, memory) = (space.clone(), memory.clone());
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    write(store, move |tx| tags::set_of_memory(tx, &space, &memory, &names, 1));
}

/// More memories of a space carry a tag than are few; none of these has a passage.
fn many_carry(store: &Store, space: &SpaceId, name: &str) {
    let (space, names) = (space.clone(), vec![name.to_owned()]);
    write(store, move |tx| {
        for number in 1_000..5_100 {
            let new = new_memory(&space, number, format!("Elk {number}."), Some(0));
            let (memory, _) = memories::insert(tx, &Checked::held(new), 1)?;
            tags::set_of_memory(tx, &space, &memory, &names, 1)?;
        }
        Ok(())
    });
}

/// The newest that carry a tag are found whether few or many carry it.
#[test]
fn the_newest_that_carry_a_tag_are_the_newest_of_all_that_do() {
    let Folder { store, folder: _folder } = open();
    let [here, there] = ["a", "b"].map(|name| space(&store, name));
    for number in 0..40 {
        let word = if number == 28 { "heron" } else { "otter" };
        let sentences = [format!("A {word} swims {number}."), format!("A {word} flies {number}.")];
        let memory = remember_at(&store, &here, number, &sentences, Some(number as i64));
        let names: &[&str] = if number % 7 == 0 { &["common", "rare"] } else { &["common"] };
        tag(&store, &here, &memory, names);
    }
    let elsewhere = remember_at(&store, &there, 0, &["An owl.".into()], Some(100));
    tag(&store, &there, &elsewhere, &["rare"]);
    many_carry(&store, &here, "common");
    let both = [here.clone(), there];
    let check = |spaces: &[SpaceId], carried: &[&str], must_not: Option<&str>, expected: &[i64]| {
        let carried: Vec<String> = carried.iter().map(ToString::to_string).collect();
        let must_not = must_not.map(str::to_owned);
        let filter = UnitFilter { tags: carried, must_not, ..UnitFilter::default() };
        let found = read(&store, |c| times(c, &filter.newest(c, spaces, &[], 3)?));
        assert_eq!(found, expected, "{:?} without {:?}", filter.tags, filter.must_not);
    };
    let here = std::slice::from_ref(&here);
    check(here, &["Rare"], None, &[35, 28, 21]);
    check(here, &["common"], None, &[39, 38, 37]);
    check(here, &["rare", "common"], None, &[35, 28, 21]);
    check(here, &["common", "rare"], None, &[35, 28, 21]);
    check(here, &["unheard"], None, &[]);
    check(here, &["rare"], Some("heron"), &[35, 21, 14]);
    check(here, &["common", "rare"], Some("heron"), &[35, 21, 14]);
    check(&both, &["rare"], None, &[100, 35, 28]);
}

/// A file of some name, with what was read from it.
fn file(
    store: &Store,
    space: &SpaceId,
    number: u64,
    (name, mime, modality): (&str, &str, &str),
    says: &str,
) -> ArtifactId {
    let [file, view] = ["a", "b"].map(|kind| format!("00000000-0000-7000-8{kind}00-{number:012}"));
    let id = ArtifactId::parse(file.clone()).unwrap();
    let person = AgentId::owner().as_str().to_owned();
    let [space, name, mime, modality, says] = [space.as_str(), name, mime, modality, says].map(str::to_owned);
    write(store, move |tx| {
        tx.execute(
            "INSERT INTO artifacts (id, space_id, actor_id, content_hash, original_filename, mime_type, modality, storage_backend,
               storage_uri, valid_from, created_at) VALUES (?1, ?2, ?3, ?1, ?4, ?5, ?6, 'filesystem', 'aa/bb', 1, 1)",
            [&file, &space, &person, &name, &mime, &modality],
        )?;
        tx.execute(
            "INSERT INTO derived_text_views (id, artifact_id, space_id, actor_id, view_type, text, extractor_id, config_hash, created_at)
             VALUES (?1, ?2, ?3, ?4, 'document_text', ?5, 'text', '1', 1)",
            [&view, &file, &space, &person, &says],
        )?;
        Ok(())
    });
    id
}

/// A memory with a passage of each of some mails, or of none.
fn keep_passages(store: &Store, new: NewMemory, senders: &[Option<&str>]) {
    let mut cut = Vec::new();
    for (at, from) in (0..).zip(senders) {
        let mail = from.map(|from| Mail { start: 6 * at, from: Some(from.to_owned()), sent_at: None });
        let span = Utf16Span::new(6 * at, 6 * at + 5);
        cut.push(NewUnit { span, text: "Words".into(), heading_path: None, segment: None, token_count: 5, mail });
    }
    write(store, move |tx| {
        let (memory, _) = memories::insert(tx, &Checked::held(new.clone()), 1)?;
        units::insert(tx, &new.space, &memory, Source::Memory(&memory), "", &cut, 1)
    });
}

/// What names and types lead to, in both of two spaces, is all that passes where each passage is compared, and none of it twice.
#[test]
fn names_and_types_lead_to_all_that_passes() {
    let Folder { store, folder: _folder } = open();
    let spaces = ["a", "b"].map(|name| space(&store, name));
    let agent = AgentId::parse("00000000-0000-7000-8c00-000000000001").unwrap();
    let by = agent.clone();
    write(&store, move |tx| {
        let sql = "INSERT INTO agents (id, name, agent_type, created_at) VALUES (?1, 'Héron bot', 'ai', 1)";
        Ok(tx.execute(sql, [by.as_str()])?)
    });
    let new = |number: u64| {
        new_memory(
            &spaces[usize::from(number.is_multiple_of(2))],
            number,
            "Words Words Words".into(),
            Some(number as i64),
        )
    };
    let of_file = |number: u64, of: (&str, &str, &str), says: &str| {
        let artifact = Some(file(&store, &new(number).space, number, of, says));
        let modality = if of.2 == "text" { "document" } else { of.2 };
        keep_passages(&store, NewMemory { artifact, modality: modality.into(), ..new(number) }, &[None, None]);
    };
    keep_passages(&store, new(1), &[None, None]);
    keep_passages(&store, NewMemory { actor: agent, ..new(2) }, &[None]);
    keep_passages(&store, NewMemory { owner: Some("Zoë".into()), title: Some("To a HERON".into()), ..new(3) }, &[None]);
    keep_passages(&store, NewMemory { title: Some("Otters".into()), ..new(4) }, &[None, None]);
    keep_passages(&store, new(5), &[Some("Zoe <z@x.y>"), Some("Ana Lima"), Some("Ben")]);
    keep_passages(&store, new(6), &[Some("Ana Lima"), Some("Ana Lima")]);
    keep_passages(&store, NewMemory { modality: "audio".into(), ..new(7) }, &[None]);
    of_file(8, ("heron.pdf", "application/pdf", "pdf"), "Words.");
    of_file(9, ("one.eml", "message/rfc822", "document"), "From: Ana <ana@x.y>\n\nWords.");
    of_file(10, ("ben.eml", "message/rfc822", "document"), "From: Zoë <z@x.y>\n\nFrom: Ana");
    of_file(11, ("words.md", "text/markdown", "text"), "From: Ana\n\nWords.");
    let check = |(from, types, mails): (&[&str], &[&str], bool), since: Option<i64>, expected: &[i64]| {
        let [from, modalities] = [from, types].map(|all| all.iter().map(ToString::to_string).collect());
        let filter = UnitFilter { from, modalities, mails, since, ..UnitFilter::default() };
        read(&store, |c| {
            let sql = "SELECT rid FROM text_units ORDER BY rid";
            let all: Vec<i64> = c.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let mut kept: Vec<i64> = filter.keep(c, &all)?.into_iter().collect();
            let Admitted::Few(few) = filter.admit(c, &spaces)? else { panic!("{filter:?} is not of few") };
            let mut led: Vec<i64> = few.into_values().flatten().collect();
            kept.sort_unstable();
            led.sort_unstable();
            assert_eq!(led, kept, "{filter:?}");
            assert_eq!(times(c, &filter.newest(c, &spaces, &[], 20)?)?, expected, "{filter:?}");
            Ok(())
        });
    };
    check((&["heron"], &[], false), None, &[8, 3, 2]);
    check((&["ana"], &[], false), None, &[9, 6, 5]);
    check((&["zoe"], &[], false), None, &[10, 5, 3]);
    check((&["lima", "ana"], &[], false), None, &[9, 6, 5]);
    check((&["ben"], &[], false), None, &[10, 5]);
    check((&["zoe"], &[], false), Some(4), &[10, 5]);
    check((&["nobody"], &[], false), None, &[]);
    // The person's own, which all but one are.
    check((&["owner"], &[], false), None, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 1]);
    check((&[], &["pdf"], false), None, &[8]);
    check((&[], &["audio", "pdf", "pdf"], false), None, &[8, 7]);
    check((&[], &["document"], false), None, &[10, 9]);
    check((&[], &["text"], false), None, &[11, 6, 5, 4, 3, 2, 1]);
    check((&[], &["video"], false), None, &[]);
    check((&[], &[], true), None, &[10, 9]);
    check((&[], &["pdf"], true), None, &[10, 9, 8]);
    check((&["ana"], &["document"], false), None, &[9]);
    check((&["heron"], &["pdf"], false), None, &[8]);
}
