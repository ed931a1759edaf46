//! What is looked through in memory before it is compared exactly follows the index, whatever happens to that.

use rusqlite::StatementStatus;
use support::{Folder, embed_as, open, read, remember_at, set_active, space};
use um_model::{MemoryId, SpaceId, Utf16Span};
use um_store::filter::{Admitted, UnitFilter};
use um_store::rejected::Checked;
use um_store::units::{self, Mail, NewUnit, Source};
use um_store::{Connection, Store, StoreError, StoreResult, memories, vectors};

mod support;

/// So many chunks of the index, one a space, are more than are read for a question.
const SPACES: usize = 150;

/// A vector that points anywhere, another for each number (xorshift, Marsaglia 2003).
fn vector(number: usize) -> Vec<f32> {
    let mut state = 1 + number as u64 * 0x9E37_79B9;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..400).map(|_| next()).skip(16).collect()
}

fn remember(store: &Store, space: &SpaceId, number: usize) -> MemoryId {
    let memory = remember_at(store, space, number as u64, &[format!("Passage {number}.")], None);
    embed_as(store, &memory, move |_| vector(number));
    memory
}

/// A vector of a subject: so near to the others of it that most vectors need not be compared.
fn of_subject(number: usize) -> Vec<f32> {
    let subject = vector(100_000 + number % 30);
    subject.iter().zip(vector(number)).map(|(of_all, own)| of_all + 0.5 * own).collect()
}

#[test]
fn what_need_not_be_compared_is_none_of_the_nearest() {
    const COUNT: usize = 1_500;
    let Folder { store, folder: _folder } = open();
    let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    for number in 0..COUNT {
        let memory =
            remember_at(&store, &spaces[number % SPACES], number as u64, &[format!("Passage {number}.")], None);
        embed_as(&store, &memory, move |_| of_subject(number));
    }
    read(&store, |c| vectors::nearest(c, &spaces, &vector(3), &Admitted::All, 10));
    assert_eq!(store.wait_for_vectors().unwrap(), COUNT as u64);
    for question in 0..60 {
        read(&store, |c| {
            let asked = of_subject(COUNT + question);
            let expected = vectors::nearest_exactly(c, &spaces, &asked, 10)?;
            assert_eq!(vectors::nearest(c, &spaces, &asked, &Admitted::All, 10)?, expected, "{question}");
            Ok(())
        });
    }
}

/// What is found of a question in all spaces: how many passages, and the best cosine in hundredths.
fn found(store: &Store, spaces: &[SpaceId], number: usize) -> (usize, i64) {
    let found = read(store, |c| vectors::nearest(c, spaces, &vector(number), &Admitted::All, 2_000));
    (found.len(), found.first().map_or(-100, |(_, cosine)| (cosine * 100.0).round() as i64))
}

#[test]
fn memory_follows_the_index() {
    let Folder { store, folder } = open();
    let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    let memories: Vec<MemoryId> =
        spaces.iter().enumerate().map(|(number, space)| remember(&store, space, number)).collect();
    assert_eq!(store.wait_for_vectors().unwrap(), 0, "nobody asked");
    let check = |store: &Store, number: usize, expected: (usize, bool)| {
        let (count, cosine) = found(store, &spaces, number);
        assert_eq!((count, cosine == 100), expected, "{number}: {cosine}");
        assert_eq!(store.wait_for_vectors().unwrap(), count as u64);
        assert!(store.check_vectors().unwrap());
    };
    check(&store, 5, (SPACES, true));

    set_active(&store, &spaces[5], &memories[5], false);
    check(&store, 5, (SPACES - 1, false));
    set_active(&store, &spaces[5], &memories[5], true);
    check(&store, 5, (SPACES, true));

    // What is undone was never there.
    let rid = read(&store, |c| Ok(c.query_row("SELECT max(rid) FROM text_units", [], |row| row.get::<_, i64>(0))?));
    let undone = store.write(|tx| {
        tx.execute("DELETE FROM embeddings_text_dense_vec", [])?;
        Err::<(), _>(StoreError::Closed)
    });
    assert!(undone.is_err());
    check(&store, 7, (SPACES, true));
    let half_undone = store.write(move |tx| {
        let nothing = um_store::tentatively(tx, || {
            tx.execute("DELETE FROM embeddings_text_dense_vec", [])?;
            Ok::<_, StoreError>(Err::<(), ()>(()))
        })?;
        assert!(nothing.is_err());
        vectors::restore_units(tx, &[rid])
    });
    half_undone.unwrap();
    check(&store, 7, (SPACES, true));

    // A transaction finds what it has not committed yet.
    let (all, home, last) = (spaces.clone(), spaces[0].clone(), SPACES + 1);
    let memory = remember_at(&store, &home, last as u64, &["Another.".to_owned()], None);
    let within = store.write(move |tx| {
        let rid = um_store::units::unembedded(tx, &memory, support::MODEL, 1)?.rids[0];
        // What an earlier vector of that number left in the index gives way.
        tx.execute(
            "INSERT INTO embeddings_text_dense_vec (embedding_rid, space_id, embedding)
             SELECT max(rid) + 1, space_id, embedding FROM memory_embeddings",
            [],
        )?;
        vectors::insert_unit(tx, rid, support::MODEL, &vector(last), 1)?;
        Ok::<_, StoreError>(vectors::nearest(tx, &all, &vector(last), &Admitted::All, 1)?[0])
    });
    assert!((within.unwrap().1 - 1.0).abs() < 1e-5);
    check(&store, last, (SPACES + 1, true));

    // What comes in while all is read anew is there afterwards.
    store.write(|tx| vectors::rebuild(tx).map(drop)).unwrap();
    check(&store, last, (SPACES + 1, true));
    // Nothing that is there is read for that.
    store
        .write(|tx| {
            tx.execute("DELETE FROM embeddings_text_dense_vec_vector_chunks00 WHERE _rowid_ = 1", [])?;
            vectors::rebuild(tx)
        })
        .unwrap();
    let _ = found(&store, &spaces, 1);
    remember(&store, &spaces[1], SPACES + 2);
    check(&store, SPACES + 2, (SPACES + 2, true));

    // Only the spaces that are asked.
    let (count, _) = found(&store, &spaces[2..4], 2);
    assert_eq!(count, 2);
    drop(store);
    let again = support::open_at(&folder);
    check(&again, SPACES + 2, (SPACES + 2, true));
}

#[test]
fn codes_of_other_vectors_are_found_and_read_anew() {
    const OF_CHUNK: &str = "SELECT vectors FROM embeddings_text_dense_vec_vector_chunks00 WHERE _rowid_ = ?1";
    let Folder { store, folder: _folder } = open();
    let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    spaces.iter().enumerate().for_each(|(number, space)| drop(remember(&store, space, number)));
    let agrees = || {
        let (count, _) = found(&store, &spaces, 1);
        assert_eq!(store.wait_for_vectors().unwrap(), count as u64);
        store.check_vectors().unwrap()
    };
    assert!(agrees());
    // Each space has a chunk with its one vector: as many as before, and the same rids.
    let swap = store.write(|tx| {
        let vectors = [2, 1].map(|chunk| tx.query_row(OF_CHUNK, [chunk], |row| row.get::<_, Vec<u8>>(0)));
        for (chunk, vectors) in [1, 2].into_iter().zip(vectors) {
            tx.execute(
                "UPDATE embeddings_text_dense_vec_vector_chunks00 SET vectors = ?2 WHERE _rowid_ = ?1",
                (chunk, vectors?),
            )?;
        }
        Ok::<_, StoreError>(())
    });
    swap.unwrap();
    assert_eq!([agrees(), agrees()], [false, true]);
}

#[test]
fn what_cannot_be_read_into_memory_is_read_once_the_index_is_made_anew() {
    let check = |damage: &'static str| {
        let Folder { store, folder: _folder } = open();
        let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
        for (number, space) in spaces.iter().enumerate() {
            remember(&store, space, number);
        }
        let sql = format!("UPDATE embeddings_text_dense_vec_vector_chunks00 SET vectors = {damage} WHERE _rowid_ = 2");
        store.write(move |tx| Ok::<_, StoreError>(tx.execute(&sql, [])?)).unwrap();
        let found_in = |which: &[SpaceId]| store.read(|c| vectors::nearest(c, which, &vector(3), &Admitted::All, 10));
        assert!(matches!(found_in(&spaces), Err(StoreError::Damaged(_))), "{damage}");
        // The chunk of another space is whole, and the next question begins to read all of them.
        assert_eq!(found_in(&spaces[3..4]).unwrap().len(), 1, "{damage}");
        assert_eq!(store.wait_for_vectors().unwrap(), 0, "{damage}");
        store.write(|tx| vectors::rebuild(tx).map(drop)).unwrap();
        assert_eq!(found_in(&spaces).unwrap().len(), 10, "{damage}");
        assert_eq!(store.wait_for_vectors().unwrap(), SPACES as u64, "{damage}");
    };
    check("x''");
    check("zeroblob(4 * 64 * 8)");
}

#[test]
fn a_small_space_is_compared_without_the_chunks_of_others() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let others: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    others.iter().enumerate().for_each(|(number, space)| drop(remember(&store, space, number)));
    (1_000..1_070).for_each(|number| drop(remember(&store, &home, number)));
    let of_home = |store: &Store| found(store, std::slice::from_ref(&home), 1_003);
    let exactly = of_home(&store);
    assert_eq!(exactly, (70, 100));
    found(&store, &others, 3);
    assert!(store.wait_for_vectors().unwrap() > 0);
    assert_eq!(of_home(&store), exactly);
    // No chunk is read any more.
    support::write(&store, |tx| Ok(tx.execute("DELETE FROM embeddings_text_dense_vec_vector_chunks00", [])?));
    assert_eq!(of_home(&store), exactly);
}

/// Keeps memories of one passage each, spread over some spaces: number n happened at n, some as a mail does in a mailbox of another time,
/// and every tenth is nearer to the question 3
/// the earlier it happened, and nearer than any other.
fn remember_over_time(store: &Store, spaces: &[SpaceId], count: usize) {
    let spaces = spaces.to_vec();
    support::write(store, move |tx| {
        (0..count).try_for_each(|number| {
            let space = &spaces[number % spaces.len()];
            let text = format!("Passage {number}.");
            let span = Utf16Span::new(0, text.len() as u32);
            let at = Some(number as i64);
            let mail = (number % 20 == 10).then_some(Mail { start: 0, from: None, sent_at: at });
            let of_memory = if mail.is_some() { Some(9_000) } else { at };
            let new = support::new_memory(space, number as u64, text.clone(), of_memory);
            let (memory, _) = memories::insert(tx, &Checked::held(new), 1)?;
            let unit = NewUnit { span, text, heading_path: None, segment: None, token_count: 5, mail };
            let rids = units::insert(tx, space, &memory, Source::Memory(&memory), "", &[unit], 1)?;
            let is_near = number % 10 == 0;
            let vector = if is_near { near(3, 0.9 - number as f32 * 0.0002) } else { vector(20_000 + number) };
            vectors::insert_unit(tx, rids[0], support::MODEL, &vector, 1)
        })
    });
}

#[test]
fn what_is_nearest_of_a_time_is_that_of_comparing_everything() {
    const COUNT: usize = 1_500;
    let Folder { store, folder: _folder } = open();
    let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    remember_over_time(&store, &spaces, COUNT);
    let check = |c: &Connection, (since, until): (i64, i64), count: usize, first: Option<i64>| -> StoreResult<()> {
        let of_times = UnitFilter { since: Some(since), until: Some(until), ..UnitFilter::default() };
        let of_texts = UnitFilter { modalities: vec!["text".to_owned()], ..of_times.clone() };
        let mut nearest = vectors::nearest_exactly(c, &spaces, &vector(3), COUNT)?;
        assert_eq!(nearest.len(), COUNT);
        let passing = of_times.keep(c, &nearest.iter().map(|(rid, _)| *rid).collect::<Vec<_>>())?;
        nearest.retain(|(rid, _)| passing.contains(rid));
        nearest.truncate(10);
        let rids = |found: Vec<(i64, f64)>| found.into_iter().map(|(rid, _)| rid).collect::<Vec<_>>();
        let expected = rids(nearest);
        assert_eq!(expected.len(), count, "{since} to {until}");
        for admitted in [Admitted::Many(&of_times), Admitted::Many(&of_texts), of_times.admit(c, &spaces)?] {
            let found = rids(vectors::nearest(c, &spaces, &vector(3), &admitted, 10)?);
            assert_eq!(found, expected, "{since} to {until}, {admitted:?}");
        }
        let told = expected.first().map(|rid| {
            let of_unit = "SELECT m.content FROM text_units u JOIN memories m ON m.id = u.memory_id WHERE u.rid = ?1";
            c.query_row(of_unit, [rid], |row| row.get::<_, String>(0)).unwrap()
        });
        assert_eq!(told, first.map(|number| format!("Passage {number}.")), "{since} to {until}");
        Ok(())
    };
    let check_all = |c: &Connection| -> StoreResult<()> {
        check(c, (0, 1_500), 10, Some(0))?;
        check(c, (750, 1_500), 10, Some(750))?;
        check(c, (1_350, 1_500), 10, Some(1_350))?;
        check(c, (600, 601), 1, Some(600))?;
        check(c, (5_000, 6_000), 0, None)
    };
    // From the index: a connection that is no store's knows of no memory.
    let of_no_store = Connection::open(store.path()).unwrap();
    um_store::register_functions(&of_no_store).unwrap();
    check_all(&of_no_store).unwrap();
    // From memory, which follows what becomes of the times.
    found(&store, &spaces, 3);
    assert_eq!(store.wait_for_vectors().unwrap(), COUNT as u64);
    read(&store, check_all);
    support::write(&store, |tx| Ok(tx.execute("UPDATE memories SET occurred_at = 1400 WHERE occurred_at = 20", [])?));
    assert_eq!(store.wait_for_vectors().unwrap(), COUNT as u64);
    read(&store, |c| {
        check(c, (1_350, 1_500), 10, Some(20))?;
        check(c, (0, 1_300), 10, Some(0))?;
        check(c, (20, 21), 0, None)
    });
}

/// By the clock of whoever asks, memory tells of more than passes: what is beside it is among the nearest here, more of it each time.
#[test]
fn what_is_nearest_of_a_time_by_a_clock_is_looked_for_among_what_is_dated_so() {
    const COUNT: usize = 1_500;
    const NOON: i64 = 43_200_000;
    const ASKED: &str = "SELECT vector_candidates(?1, ?2, ?3, ?4, ?5, ?6)";
    let Folder { store, folder: _folder } = open();
    let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    remember_over_time(&store, &spaces, COUNT);
    found(&store, &spaces, 3);
    assert_eq!(store.wait_for_vectors().unwrap(), COUNT as u64);
    let check = |beside: i64, times_asked: i32| {
        let (since, until) = (Some(750), Some(1_500));
        let filter = UnitFilter { since, until, ahead: NOON - beside, ..UnitFilter::default() };
        read(&store, |c| {
            let mut expected = vectors::nearest_exactly(c, &spaces, &vector(3), COUNT)?;
            let passing = filter.keep(c, &expected.iter().map(|(rid, _)| *rid).collect::<Vec<_>>())?;
            expected.retain(|(rid, _)| passing.contains(rid));
            expected.truncate(10);
            c.prepare_cached(ASKED)?.reset_status(StatementStatus::Run);
            let found = vectors::nearest(c, &spaces, &vector(3), &Admitted::Many(&filter), 10)?;
            let asked = c.prepare_cached(ASKED)?.get_status(StatementStatus::Run);
            let rids = |found: &[(i64, f64)]| found.iter().map(|(rid, _)| *rid).collect::<Vec<_>>();
            assert_eq!((rids(&found), asked), (rids(&expected), times_asked), "{beside} beside");
            Ok(())
        });
    };
    check(0, 1);
    check(5, 1);
    // One, nine, and fifteen that are nearer than all that passes.
    check(10, 2);
    check(95, 2);
    check(150, 2);
    // So many that it is looked for as under any filter.
    check(400, 4);
}

/// What left the index is in memory until that is told of the commit.
#[test]
fn what_just_left_the_index_does_not_end_a_search_among_what_passes() {
    const COUNT: usize = 1_500;
    let Folder { store, folder: _folder } = open();
    let spaces: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    remember_over_time(&store, &spaces, COUNT);
    found(&store, &spaces, 3);
    assert_eq!(store.wait_for_vectors().unwrap(), COUNT as u64);
    let nearest = read(&store, |c| vectors::nearest_exactly(c, &spaces, &vector(3), 100));
    // Memory hears only of what the store itself writes.
    let of_no_store = Connection::open(store.path()).unwrap();
    let gone = "DELETE FROM embeddings_text_dense_vec_rowids WHERE rowid =
        (SELECT e.rid FROM memory_embeddings e JOIN text_units u ON u.id = e.unit_id WHERE u.rid = ?1)";
    assert_eq!(of_no_store.execute(gone, [nearest[0].0]).unwrap(), 1);
    // None of the forty nearest passes.
    let must_not: Vec<String> = (0..40).map(|number| format!("\"passage {}\"", number * 10)).collect();
    let filter = UnitFilter { must_not: Some(must_not.join(" OR ")), ..UnitFilter::default() };
    let found = read(&store, |c| vectors::nearest(c, &spaces, &vector(3), &Admitted::Many(&filter), 10));
    let rids = |found: &[(i64, f64)]| found.iter().map(|(rid, _)| *rid).collect::<Vec<_>>();
    assert_eq!(rids(&found), rids(&nearest[40..50]));
}

/// A vector whose cosine with that of a number is so high.
fn near(number: usize, cosine: f32) -> Vec<f32> {
    let length = |vector: &[f32]| vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let (one, other) = (vector(number), vector(number + 10_000));
    let (of_one, product) = (length(&one), one.iter().zip(&other).map(|(a, b)| a * b).sum::<f32>());
    // What of the other does not point the way of the one.
    let rest: Vec<f32> = one.iter().zip(&other).map(|(a, b)| b - a * product / (of_one * of_one)).collect();
    let of_rest = length(&rest);
    one.iter().zip(&rest).map(|(a, b)| cosine * a / of_one + (1.0 - cosine * cosine).sqrt() * b / of_rest).collect()
}

#[test]
fn what_is_alike_is_found_in_memory_as_in_the_index() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let others: Vec<SpaceId> = (0..SPACES).map(|number| space(&store, &format!("s{number}"))).collect();
    others.iter().enumerate().for_each(|(number, space)| drop(remember(&store, space, number)));
    let cosines = [0.999, 0.97, 0.93, 0.925, 0.915, 0.8, 0.5];
    for (at, cosine) in cosines.into_iter().enumerate() {
        let memory = remember_at(&store, &home, 500 + at as u64, &[format!("Near {at}.")], None);
        embed_as(&store, &memory, move |_| near(3, cosine));
    }
    // As many as are told apart by their bits alone.
    (1_000..1_100).for_each(|number| drop(remember(&store, &home, number)));
    let check = |limit: usize, expected: usize| {
        let found = read(&store, |c| vectors::alike(c, &home, &vector(3), 0.92, limit));
        let told: Vec<i64> = found.iter().map(|(_, cosine)| (cosine * 1_000.0).round() as i64).collect();
        assert_eq!(told, [999, 970, 930, 925][..expected], "the nearest first, and none of another space");
    };
    assert_eq!(store.wait_for_vectors().unwrap(), 0);
    check(10, 4);
    // Somebody asks for what is nearest among many: from then on they are in memory.
    found(&store, &others, 3);
    assert!(store.wait_for_vectors().unwrap() > 0);
    check(10, 4);
    check(2, 2);
}

#[test]
fn a_vector_without_room_is_an_error_and_leaves_nothing() {
    let Folder { store, folder: _folder } = open();
    let home = space(&store, "home");
    let memory = remember_at(&store, &home, 1, &["The quay is wet.".to_owned()], None);
    let keep = move |store: &Store, pages: i64| {
        let memory = memory.clone();
        store.write(move |tx| {
            tx.pragma_update(None, "max_page_count", pages)?;
            let rid = um_store::units::unembedded(tx, &memory, support::MODEL, 1)?.rids[0];
            vectors::insert_unit(tx, rid, support::MODEL, &vector(1), 1)
        })
    };
    // No more pages than there are.
    assert!(keep(&store, 1).is_err());
    let count = "SELECT count(*) FROM memory_embeddings";
    let kept = || read(&store, |c| Ok(c.query_row(count, [], |row| row.get::<_, i64>(0))?));
    assert_eq!(kept(), 0);
    keep(&store, i64::from(i32::MAX)).unwrap();
    assert_eq!(kept(), 1);
}
