//! The indexes are compared with what they stand for, a slice at a time, and what differs is mended.

use rusqlite::StatementStatus;
use support::{Folder, embed_as, open, read, remember, space, vector_of, write};
use um_model::SpaceId;
use um_store::divergence::{self, MENDED, Report, SLICE};
use um_store::filter::Admitted;
use um_store::{Store, checks, fts, rebuild, vectors};

mod support;

/// Five memories of three passages in each of two spaces, each passage with a vector.
fn many() -> (Folder, [SpaceId; 2]) {
    let folder = open();
    let store = &folder.store;
    write(store, |tx| um_store::settings::set(tx, um_store::settings::EMBEDDING_MODEL, support::MODEL, 1));
    let spaces = [space(store, "a"), space(store, "b")];
    for number in 0..10 {
        let sentences: Vec<String> =
            ["heron", "stork", "crane"].map(|bird| format!("A {bird} stands at {number}.")).into();
        let memory = remember(store, &spaces[number as usize % 2], number, &sentences);
        embed_as(store, &memory, move |place| vector_of(number * 3 + place as u64));
    }
    (folder, spaces)
}

/// A whole round in slices of so many rows.
fn round(store: &Store, most: u32) -> Report {
    write(store, |tx| divergence::begin(tx, 5));
    go_on(store, most)
}

/// The rest of the round that is under way, in slices of so many rows.
fn go_on(store: &Store, most: u32) -> Report {
    loop {
        // Each slice goes on with what is kept of the one before.
        let mut round = read(store, divergence::under_way).unwrap();
        let slice = read(store, |c| round.report.next(c, most)).unwrap();
        let found = read(store, |c| slice.compare(c));
        assert!(found.rows <= u64::from(most));
        round.report.compared += found.rows;
        round.report.unreadable += found.unreadable;
        for part in found.parts {
            let differing = read(store, |c| part.compare(c)).differing;
            let mended = write(store, move |tx| part.mend(tx, 6));
            assert_eq!(mended, differing);
            round.report.mended += mended;
        }
        assert_eq!(read(store, |c| slice.compare(c)).differing, 0);
        round.report = round.report.behind(&slice);
        let (report, whole) = (round.report, round.report.is_whole());
        write(store, move |tx| divergence::keep(tx, &round, 7));
        if whole {
            assert!(read(store, divergence::under_way).is_none());
            return report;
        }
    }
}

/// The rids of all that the words and the vectors of a space tell.
fn told(store: &Store, space: &SpaceId) -> (Vec<i64>, Vec<i64>) {
    let rids = |found: Vec<(i64, f64)>| {
        let mut rids: Vec<i64> = found.into_iter().map(|(rid, _)| rid).collect();
        rids.sort_unstable();
        rids
    };
    read(store, |c| {
        let words = fts::search(c, space, "stands", &Admitted::All, 100)?;
        let near = vectors::nearest(c, std::slice::from_ref(space), &vector_of(1), &Admitted::All, 100)?;
        Ok((rids(words), rids(near)))
    })
}

#[test]
fn what_differs_is_mended_whatever_was_done_to_it() {
    let (Folder { store, folder: _folder }, spaces) = many();
    let whole = spaces.each_ref().map(|space| told(&store, space));
    let table = |space: &SpaceId| {
        let name = fts::table::find;
        read(&store, |c| name(c, space, fts::Kind::Units)).unwrap()
    };
    let tables = spaces.each_ref().map(table);
    assert_eq!(whole[0].0.len(), 15);
    assert_eq!(whole[0], (whole[0].1.clone(), whole[0].0.clone()));
    let check = |harm: &str, wrong: u64| {
        let harm = harm.replace("{a}", &tables[0]).replace("{b}", &tables[1]);
        for most in [1, 4, 2_000] {
            let again = harm.clone();
            write(&store, move |tx| Ok(tx.execute_batch(&again)?));
            let report = round(&store, most);
            assert_eq!((report.compared, report.mended, report.unreadable), (60, wrong, 0), "{harm} by {most}");
            assert_eq!(read(&store, divergence::last), Some((report, 7)));
            assert_eq!(spaces.each_ref().map(|space| told(&store, space)), whole, "{harm}");
            let ill: Vec<_> = store.inspect(checks::run).unwrap().into_iter().filter(|c| !c.ok).collect();
            assert!(ill.is_empty(), "{harm}: {ill:?}");
        }
    };
    check("", 0);
    check("DELETE FROM {a} WHERE rowid = 2", 1);
    check("DELETE FROM {a}", 15);
    check("INSERT INTO {b}(rowid, text) VALUES (9999, 'It stands.'), (-7, 'It stands.')", 2);
    check("UPDATE {a} SET text = 'Nothing of it.' WHERE rowid = 3", 1);
    check("UPDATE {a} SET title = 'Another' WHERE rowid = 1", 1);
    // A row in the full text of the wrong space, and of another one there.
    check("INSERT INTO {b}(rowid, text) SELECT rowid, text FROM {a} WHERE rowid = 1", 1);
    check("UPDATE {b} SET rowid = 8888 WHERE rowid = 5", 2);
    check("DROP TABLE {a}; DELETE FROM space_indexes WHERE fts_table = '{a}'", 15);
    check("DELETE FROM embeddings_text_dense_vec WHERE embedding_rid = 4", 1);
    check("DELETE FROM embeddings_text_dense_vec", 30);
    check(
        "INSERT INTO embeddings_text_dense_vec (embedding_rid, space_id, embedding)
         SELECT 7777, space_id, embedding FROM memory_embeddings WHERE rid = 1",
        1,
    );
    check(
        "UPDATE embeddings_text_dense_vec SET embedding = (SELECT embedding FROM memory_embeddings WHERE rid = 9)
         WHERE embedding_rid = 2",
        1,
    );
}

/// A database of before a migration, opened by now, with events in full text as they are written.
fn of_older(folder: &tempfile::TempDir, migration: &str, contents: &[&str]) -> (Store, SpaceId) {
    let (db, _) = support::before(folder.path().join("memory.db"), migration);
    let space = SpaceId::default_project();
    for (number, content) in contents.iter().enumerate() {
        db.execute(
            "INSERT INTO evidence_events (id, space_id, actor_id, kind, content, content_hash, occurred_at, recorded_at)
             VALUES (?1, ?2, ?3, 'explicit_memory', ?4, ?1, 1, 1)",
            (format!("event {number}"), space.as_str(), um_model::OWNER_AGENT, content),
        )
        .unwrap();
    }
    let name = "INSERT INTO space_indexes (id, space_id, kind, fts_table, created_at) VALUES ('events', ?1, 'events', 'old', 1)";
    db.execute(name, [space.as_str()]).unwrap();
    db.execute_batch(
        "CREATE VIRTUAL TABLE old USING fts5(content, tokenize = \"porter unicode61 remove_diacritics 2\");
         INSERT INTO old(rowid, content) SELECT rid, content FROM evidence_events",
    )
    .unwrap();
    drop(db);
    (support::open_at(folder), space)
}

/// A database of before what stands in words unseen was left out has words with it in two.
#[test]
fn what_an_older_version_indexed_in_two_is_found_whole() {
    let folder = tempfile::tempdir().unwrap();
    let contents = ["The ze\u{200b}ppelin flies.", "Der Miet\u{ad}vertrag endet.", "The lease ends."];
    let (store, space) = of_older(&folder, "0053_whole_words.sql", &contents);
    let found = |words: &str| {
        let of = (&space, fts::Kind::Events);
        read(&store, |c| fts::table::ranked(c, of, &fts::quoted(words), 10)).len()
    };
    assert_eq!((found("zeppelin"), found("Mietvertrag"), found("lease")), (0, 0, 1));
    assert!(read(&store, rebuild::is_of_old_form), "recall can tell");
    assert_eq!(go_on(&store, 2).mended, 2, "what is as it was is not written again");
    assert_eq!((found("zeppelin"), found("Mietvertrag"), found("lease"), found("le\u{200b}ase")), (1, 1, 1, 1));
    assert!(!read(&store, rebuild::is_of_old_form));
}

/// Where some of it cannot be compared, nothing is under way until the next round: then a rebuild is what helps.
#[test]
fn nothing_is_being_renewed_once_a_round_failed_until_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = of_older(&folder, "0053_whole_words.sql", &["The ze\u{200b}ppelin flies.", "The lease ends."]);
    write(&store, |tx| Ok(tx.execute("DELETE FROM old WHERE rowid = 2", [])?));
    let helps = |store: &Store| {
        let found = store.inspect(checks::run).unwrap().into_iter().find(|check| check.name == "fts").unwrap();
        found.detail.split(". ").last().unwrap().to_owned()
    };
    let check = |expected: bool, told: &str| {
        assert!(read(&store, rebuild::is_of_old_form), "words may be missed");
        assert_eq!(read(&store, rebuild::is_renewing_form), expected);
        assert_eq!(helps(&store), told);
    };
    check(true, "They are being indexed again.");
    let mut failed = read(&store, divergence::under_way).unwrap();
    failed.report =
        serde_json::from_str(r#"{"index": 99, "after": 0, "compared": 1, "mended": 0, "failed": 1}"#).unwrap();
    write(&store, move |tx| divergence::keep(tx, &failed, 7));
    check(false, "Run `umem doctor --rebuild`.");
    write(&store, |tx| divergence::begin(tx, 8));
    check(true, "They are being indexed again.");
    go_on(&store, 2);
    assert!(!read(&store, rebuild::is_renewing_form));
}

/// A database of before there was a form for them has words without spaces whole in its full text, and letters as they were written.
#[test]
fn what_an_older_version_indexed_is_brought_into_the_form_that_is_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let contents = ["明日の会議です。", "A ﬁnance report.", "The lease ends.", "Die Straße endet."];
    let (store, space) = of_older(&folder, "0049_indexed_form.sql", &contents);
    let found = |words: &str| {
        let of = (&space, fts::Kind::Events);
        read(&store, |c| fts::table::ranked(c, of, &fts::quoted(words), 10)).len()
    };
    assert_eq!((found("会議"), found("finance"), found("lease"), found("Strasse")), (0, 0, 1, 0));
    assert!(read(&store, rebuild::is_of_old_form), "recall can tell");
    assert_eq!(go_on(&store, 2).mended, 3, "what is as it was is not written again");
    assert_eq!((found("会議"), found("ﬁnance"), found("lease")), (1, 1, 1));
    assert_eq!((found("Strasse"), found("STRAẞE")), (1, 1));
    assert!(!read(&store, rebuild::is_of_old_form));
    // A new database has nothing of an older form.
    assert!(!read(&open().store, rebuild::is_of_old_form));
}

#[test]
fn what_cannot_be_read_is_told_and_keeps_nothing_else_from_being_mended() {
    let (Folder { store, folder: _folder }, spaces) = many();
    let table = read(&store, |c| fts::table::find(c, &spaces[0], fts::Kind::Units)).unwrap();
    let harm =
        format!("UPDATE text_units SET end_offset = 5000 WHERE rid = 1; DELETE FROM {table} WHERE rowid IN (1, 2)");
    write(&store, move |tx| Ok(tx.execute_batch(&harm)?));
    let fts = || store.inspect(checks::run).unwrap().into_iter().find(|check| check.name == "fts").unwrap().detail;
    let helps = "1 of them cannot be read. Restore the database from a backup.";
    assert_eq!(fts(), format!("Rows that differ from the full text: 2 of passages. {helps}"));
    let report = round(&store, 2_000);
    assert_eq!((report.mended, report.unreadable), (1, 1));
    assert_eq!(fts(), format!("Rows that differ from the full text: 1 of passages. {helps}"));
    assert_eq!(told(&store, &spaces[0]).0.len(), 14);
    // Making the indexes anew says that it cannot be read; once it can, all is well, and what failed is no more.
    assert!(store.rebuild(8).is_err());
    assert!(read(&store, divergence::under_way).is_some(), "what it did not come to is compared");
    write(&store, |tx| Ok(tx.execute_batch("UPDATE text_units SET end_offset = 20 WHERE rid = 1")?));
    assert_eq!(fts(), "Rows that differ from the full text: 1 of passages. Run `umem doctor --rebuild`.");
    store.rebuild(8).unwrap();
    assert_eq!(read(&store, divergence::last), None);
}

#[test]
fn a_vector_of_another_length_is_told_and_keeps_no_other_from_being_indexed() {
    let (Folder { store, folder: _folder }, _) = many();
    let harm = "UPDATE memory_embeddings SET dimensions = 2, embedding = zeroblob(8) WHERE rid = 5";
    write(&store, move |tx| Ok(tx.execute_batch(harm)?));
    let ill = || -> Vec<String> {
        let checks = store.inspect(checks::run).unwrap();
        checks.into_iter().filter(|check| !check.ok).map(|check| check.detail).collect()
    };
    let check = |what: &str, mended: u64| {
        let report = round(&store, 2_000);
        assert_eq!((report.compared, report.mended, report.unreadable), (60, mended, 1), "{what}");
        assert_eq!(read(&store, vectors::count), 29, "{what}");
        assert_eq!(ill(), ["1 vector cannot be read. Restore the database from a backup."], "{what}");
    };
    check("what the index had in its place is taken out", 1);
    store.rebuild(8).unwrap();
    check("made anew a part at a time", 0);
    write(&store, |tx| vectors::rebuild(tx));
    check("made anew at once", 0);
    write(&store, |tx| Ok(tx.execute_batch("DELETE FROM embeddings_text_dense_vec")?));
    check("mended", 29);
    let of_unit = "SELECT u.rid FROM memory_embeddings e JOIN text_units u ON u.id = e.unit_id WHERE e.rid = 5";
    write(&store, move |tx| {
        let unit = tx.query_row(of_unit, [], |row| row.get(0))?;
        vectors::restore_units(tx, &[unit])
    });
    check("its passage comes back into use", 0);
}

/// How a passage's source is read, word for word.
const TEXT: &str = "SELECT ifnull(content, '') FROM memories WHERE id = ?1";

#[test]
fn many_that_differ_are_mended_a_part_at_a_time() {
    let Folder { store, folder: _folder } = &open();
    write(store, |tx| um_store::settings::set(tx, um_store::settings::EMBEDDING_MODEL, support::MODEL, 1));
    let space = space(store, "a");
    let (rows, most) = (2 * MENDED + 3, MENDED as u64);
    let memory = remember(store, &space, 1, &vec!["A heron stands there.".to_owned(); rows]);
    embed_as(store, &memory, |place| vector_of(place as u64));
    let table = read(store, |c| fts::table::find(c, &space, fts::Kind::Units)).unwrap();
    // The text is read to compare a part, and what is indexed of it is what was read.
    let check = |harm: &str, parts: &[u64], reads: i32| {
        let batch = harm.replace("{fts}", &table);
        write(store, move |tx| Ok(tx.execute_batch(&batch)?));
        write(store, |tx| divergence::begin(tx, 5));
        let mut round = read(store, divergence::under_way).unwrap();
        let (mut differing, mut times_read) = (Vec::new(), 0);
        while let Some(slice) = read(store, |c| round.report.next(c, SLICE)) {
            let found = read(store, |c| slice.compare(c));
            differing.extend(found.parts.iter().map(|part| read(store, |c| part.compare(c)).differing));
            for part in found.parts {
                times_read += write(store, move |tx| {
                    tx.prepare_cached(TEXT)?.reset_status(StatementStatus::Run);
                    part.mend(tx, 6)?;
                    Ok(tx.prepare_cached(TEXT)?.get_status(StatementStatus::Run))
                });
            }
            assert_eq!(read(store, |c| slice.compare(c)).differing, 0);
            round.report = round.report.behind(&slice);
        }
        assert_eq!((differing.as_slice(), times_read), (parts, reads), "{harm}");
        write(store, move |tx| divergence::keep(tx, &round, 7));
    };
    check("", &[], 0);
    check("DELETE FROM {fts}", &[most, most, 3], 3);
    check("DELETE FROM embeddings_text_dense_vec", &[most, most, 3], 0);
    check("DELETE FROM {fts} WHERE rowid IN (1, 30); INSERT INTO {fts}(rowid) VALUES (-9), (99999)", &[4], 1);
}

#[test]
fn more_vectors_than_one_transaction_takes_are_indexed_anew() {
    let Folder { store, folder: _folder } = &open();
    write(store, |tx| um_store::settings::set(tx, um_store::settings::EMBEDDING_MODEL, support::MODEL, 1));
    let space = space(store, "a");
    for number in 0..41 {
        let memory = remember(store, &space, number, &vec!["A heron stands there.".to_owned(); 50]);
        embed_as(store, &memory, move |place| vector_of(number * 50 + place as u64));
    }
    for harm in ["", "DELETE FROM embeddings_text_dense_vec"] {
        write(store, move |tx| Ok(tx.execute_batch(harm)?));
        store.rebuild(8).unwrap();
        assert_eq!(read(store, vectors::count), 2_050, "{harm}");
        let ill: Vec<_> = store.inspect(checks::run).unwrap().into_iter().filter(|c| !c.ok).collect();
        assert!(ill.is_empty(), "{harm}: {ill:?}");
    }
}

#[test]
fn a_rebuild_that_was_cut_off_goes_on_where_it_was() {
    let (Folder { store, folder }, spaces) = many();
    let whole = spaces.each_ref().map(|space| told(&store, space));
    write(&store, |tx| rebuild::begin(tx, 8));
    let is_left = write(&store, |tx| {
        rebuild::renew_vectors(tx, 8)?;
        rebuild::index_next(tx, 7, 8)
    });
    assert!(is_left);
    drop(store);
    let store = support::open_at(&folder);
    assert!(read(&store, rebuild::is_incomplete), "recall can tell");
    assert!(read(&store, divergence::under_way).is_some());
    assert_eq!(read(&store, vectors::count), 7);
    assert!(write(&store, |tx| rebuild::index_next(tx, 7, 9)));
    assert_eq!(read(&store, vectors::count), 14, "on from where it was");
    // Another that is cut off in its full texts makes no vectors.
    write(&store, |tx| rebuild::begin(tx, 9));
    drop(store);
    let store = support::open_at(&folder);
    assert!(read(&store, rebuild::is_incomplete));
    while store.go_on_rebuilding(10).unwrap() {}
    assert!(!read(&store, rebuild::is_incomplete));
    assert_eq!(read(&store, vectors::count), 30);
    assert_eq!(spaces.each_ref().map(|space| told(&store, space)), whole);
    let ill: Vec<_> = store.inspect(checks::run).unwrap().into_iter().filter(|c| !c.ok).collect();
    assert!(ill.is_empty(), "{ill:?}");
}

#[test]
fn a_rebuild_that_was_cut_off_in_its_full_texts_is_compared_at_once() {
    let (Folder { store, folder }, _) = many();
    write(&store, |tx| rebuild::begin(tx, 8));
    assert_eq!(read(&store, divergence::under_way), None);
    assert!(!read(&store, rebuild::is_incomplete), "the vectors are as they were");
    drop(store);
    let store = support::open_at(&folder);
    assert!(read(&store, divergence::under_way).is_some());
    assert!(!store.go_on_rebuilding(9).unwrap());
    assert_eq!(read(&store, |c| um_store::settings::get(c, "indexes.rebuilding")), None);
}

#[test]
fn one_rebuild_begins_once_the_one_before_has_ended() {
    let (Folder { store, folder: _folder }, _) = many();
    write(&store, |tx| {
        Ok(tx.execute_batch(
            "CREATE TABLE told (what TEXT);
             CREATE TRIGGER tell_begin AFTER INSERT ON system_settings WHEN NEW.key = 'indexes.rebuilding'
             BEGIN INSERT INTO told VALUES ('begun'); END;
             CREATE TRIGGER tell_end AFTER DELETE ON system_settings WHEN OLD.key = 'indexes.rebuilding'
             BEGIN INSERT INTO told VALUES ('ended'); END;",
        )?)
    });
    let together = std::sync::Barrier::new(2);
    let rebuild = || {
        together.wait();
        store.rebuild(8).unwrap();
    };
    std::thread::scope(|scope| {
        scope.spawn(rebuild);
        scope.spawn(rebuild);
    });
    let told: Vec<String> = read(&store, |c| {
        let mut all = c.prepare("SELECT what FROM told ORDER BY rowid")?;
        let rows = all.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    });
    assert_eq!(told, ["begun", "ended", "begun", "ended"]);
    assert_eq!(read(&store, vectors::count), 30);
}
