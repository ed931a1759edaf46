//! The store: opened, written, read; its indexes kept in step with its rows.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;
use support::{Folder, embed, nearest, open, read, remember, search, set_active, space, write};
use um_model::belief::EntityType;
use um_model::{EntityId, MemoryId, SpaceId};
use um_store::fts::{Kind, table};
use um_store::keyed::Key;
use um_store::rejected::Checked;
use um_store::{Keys, Store, StoreError, StoreResult, candidates, checks, entities, memories};

mod support;

fn schema(store: &Store) -> Vec<String> {
    read(store, |c| {
        let mut statement =
            c.prepare("SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name")?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    })
}

#[test]
fn opening_again_changes_nothing() {
    let Folder { store, folder } = open();
    let before = schema(&store);
    drop(store);
    let store = Store::open(&folder.path().join("memory.db"), Keys::hashing(Key::new([1; 32])), 2).unwrap();
    assert_eq!(schema(&store), before);
    assert_eq!(read(&store, um_store::schema_version), um_store::MIGRATIONS.len() as i64);
    let created: i64 =
        read(&store, |c| Ok(c.query_row("SELECT max(created_at) FROM memory_spaces", [], |r| r.get(0))?));
    assert_eq!(created, 1, "seeded rows keep the time of their making");
}

/// A database of before names were compared with `ß` as `ss`.
#[test]
fn names_of_an_older_version_are_brought_into_the_form_that_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (db, _) = support::before(folder.path().join("memory.db"), "0052_name_form.sql");
    let space = SpaceId::default_project();
    let of = |name: &str| entities::insert(&db, &space, name, &name.to_lowercase(), EntityType::Person, 1).unwrap();
    let [eszett, double] = ["Strauß", "Strauss"].map(of);
    let also = |name: &str, at: i64| {
        entities::add_alias(&db, &space, &eszett, name, &name.to_lowercase(), at).unwrap();
    };
    also("Weiß", 1);
    also("Weiss", 1);
    also("Groß", 1);
    also("Gross", 1);
    entities::remove_alias(&db, &eszett, "gross", 1).unwrap();
    // Of two with ß, the one that came first does not count any more.
    also("Maßgroßer", 1);
    also("Massgroßer", 1);
    entities::remove_alias(&db, &eszett, "maßgroßer", 1).unwrap();
    let new = support::new_memory(&space, 1, "Strauß likes tea.".to_owned(), None);
    let (memory, _) = memories::insert(&db, &Checked::held(new), 1).unwrap();
    let hash_of = |name: &str| {
        use sha2::{Digest, Sha256};
        format!("{:x}", Sha256::digest(format!("ambiguous_name\0{memory}\0{name}")))
    };
    let hold = |id: usize, name: &str, choices: &[&EntityId], decided: Option<&EntityId>| {
        let choices: Vec<&str> = choices.iter().map(|choice| choice.as_str()).collect();
        let canonical = name.to_lowercase();
        let payload = serde_json::json!({"memory": memory, "canonical": canonical, "choices": choices, "proposed": []})
            .to_string();
        let id = format!("00000000-0000-7000-8000-{id:012}");
        db.execute(
            "INSERT INTO candidates (id, space_id, actor_id, kind, title, content, content_hash, payload, reason, status, created_at)
             VALUES (?1, ?2, ?3, 'claim', ?4, 'It is said.', ?5, ?6, 'ambiguous_name', 'pending', 1)",
            rusqlite::params![id, space.as_str(), um_model::OWNER_AGENT, name, hash_of(&canonical), payload],
        )
        .unwrap();
        if let Some(meant) = decided {
            db.execute(
                "UPDATE candidates SET status = 'approved', imported_id = ?2, reviewed_by = ?3, reviewed_at = 1 WHERE id = ?1",
                [id.as_str(), meant.as_str(), um_model::OWNER_AGENT],
            )
            .unwrap();
        }
    };
    hold(1, "Strauß", &[&eszett], None);
    // What waits is one; what was decided stays decided, whichever came first.
    hold(2, "Weiss", &[&eszett], None);
    hold(3, "Weiß", &[&eszett, &double], None);
    hold(4, "Gross", &[&eszett], None);
    hold(5, "Groß", &[&eszett, &double], Some(&eszett));
    drop(db);
    let store = support::open_at(&folder);
    let named = |name: &str| -> Vec<EntityId> {
        read(&store, |c| entities::by_name(c, &space, name)).into_iter().map(|named| named.id).collect()
    };
    assert_eq!(named("strauss"), [eszett.clone(), double], "they stay two");
    assert_eq!((named("weiss"), named("gross")), (vec![eszett.clone()], vec![eszett]));
    assert!(named("strauß").is_empty() && named("weiß").is_empty() && named("groß").is_empty());
    assert_eq!(read(&store, |c| entities::with_words(c, &space, &["strauss"], 9)).len(), 2);
    let held = read(&store, |c| candidates::of_name(c, &space, &memory, "strauss")).unwrap();
    assert_eq!((held.canonical.as_str(), held.name.as_str()), ("strauss", "Strauß"));
    assert_eq!(named("massgrosser"), [named("gross")[0].clone()], "one of the two counted");
    let list = |decided: bool| -> Vec<(String, String, usize)> {
        let (listed, total) = read(&store, |c| candidates::list(c, std::slice::from_ref(&space), decided, 0, 9));
        assert_eq!(total, listed.len() as u64);
        listed.into_iter().map(|held| (held.name, held.canonical, held.choices.len())).collect()
    };
    let told = |name: &str, canonical: &str, choices| (name.to_owned(), canonical.to_owned(), choices);
    assert_eq!(list(false), [told("Strauß", "strauss", 1), told("Weiss", "weiss", 2)]);
    assert_eq!(list(true), [told("Groß", "gross", 2)]);
    let decided = read(&store, |c| candidates::of_name(c, &space, &memory, "gross")).unwrap();
    assert_eq!(decided.meant, Some(named("gross")[0].clone()));
}

#[cfg(unix)]
#[test]
fn what_did_not_change_is_read_where_it_is_mapped() {
    let Folder { store, folder: _folder } = open();
    let own = space(&store, "own");
    let check = |is_mapped: bool, names: u32, why: &str| {
        let (mapped, found) = read(&store, |c| {
            let mapped: i64 = c.pragma_query_value(None, "mmap_size", |row| row.get(0))?;
            let found = c.query_row("SELECT count(*) FROM memories", [], |row| row.get(0))?;
            Ok((mapped > 0, found))
        });
        assert_eq!((mapped, found), (is_mapped, names), "{why}");
    };
    // One that was not used yet knows of no change, and of nothing before.
    read(&store, |_| Ok(()));
    check(true, 0, "nothing was written");
    for written in 1..=3 {
        remember(&store, &own, u64::from(written), &[format!("{written}.")]);
        check(false, written, "it just changed");
        check(true, written, "it stays");
        check(true, written, "it stays longer");
    }
}

#[test]
fn notes_are_counted_among_so_many_memories_whatever_their_space() {
    let Folder { store, folder: _folder } = open();
    let (own, other) = (space(&store, "own"), space(&store, "other"));
    for (number, space) in [&other, &other, &own, &own, &own].into_iter().enumerate() {
        remember(&store, space, number as u64, &["One.".to_owned()]);
    }
    let check = |most: i64, expected: (u64, bool)| {
        let counted = read(&store, |c| memories::count_among(c, &own, &(1..=i64::MAX), most));
        assert_eq!(counted, expected, "{most}");
    };
    check(2, (0, true));
    check(4, (2, true));
    check(9, (3, false));
}

#[test]
fn whether_anybody_writes_is_told_without_waiting() {
    let Folder { store, folder: _folder } = open();
    let store = &store;
    let (begun, has_begun) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    assert!(!store.is_writing());
    std::thread::scope(|threads| {
        threads.spawn(move || {
            write(store, move |_| {
                begun.send(()).unwrap();
                may_go_on.recv().unwrap();
                Ok(())
            })
        });
        has_begun.recv().unwrap();
        assert!(store.is_writing());
        go_on.send(()).unwrap();
    });
    assert!(!store.is_writing());
}

#[test]
fn a_newer_database_is_refused_and_left_alone() {
    let Folder { store, folder } = open();
    let path = folder.path().join("memory.db");
    drop(store);
    let newer = um_store::MIGRATIONS.len() as i64 + 1;
    um_store::Connection::open(&path).unwrap().pragma_update(None, "user_version", newer).unwrap();
    let before = std::fs::read(&path).unwrap();
    match Store::open(&path, Keys::hashing(Key::new([1; 32])), 2).err() {
        Some(StoreError::TooNew { found, known }) => assert_eq!((found, known), (newer, newer - 1)),
        other => panic!("{other:?}"),
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// Before there were sessions, nothing but passages and claims was found by its words.
#[test]
fn what_older_versions_wrote_is_found_by_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (db, _) = support::before(&path, "0030");
    for number in 0..600 {
        let (space, owner) = (um_model::DEFAULT_SPACE, um_model::OWNER_AGENT);
        db.execute(
            "INSERT INTO evidence_events (id, space_id, actor_id, kind, content, content_hash, occurred_at, recorded_at)
             VALUES (?1, ?2, ?3, 'explicit_memory', ?4, ?1, 1, 1)",
            (format!("event {number}"), space, owner, format!("Badger {number} digs.")),
        )
        .unwrap();
    }
    drop(db);
    let store = Store::open(&path, Keys::hashing(Key::new([1; 32])), 2).unwrap();
    let found = |words: &'static str| {
        let at = (&SpaceId::default_project(), Kind::Events);
        read(&store, |c| table::ranked(c, at, words, 1_000)).len()
    };
    assert_eq!((found("badger"), found("599"), found("walrus")), (600, 1, 0));
    let fts = store.inspect(checks::run).unwrap().into_iter().find(|check| check.name == "fts").unwrap();
    assert!(fts.ok, "{fts:?}");
}

/// The kinds of what waits stand in its table, which is made anew for one more.
#[test]
fn what_waited_before_resources_did_waits_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (db, _) = support::before(&path, "0055");
    let (space, owner) = (um_model::DEFAULT_SPACE, um_model::OWNER_AGENT);
    for id in ["waits", "was kept"] {
        db.execute(
            "INSERT INTO candidates (id, space_id, actor_id, content, content_hash, reason, created_at)
             VALUES (?1, ?2, ?3, ?1, ?1, 'held', 1)",
            (id, space, owner),
        )
        .unwrap();
    }
    db.execute_batch(
        "UPDATE candidates SET status = 'approved', reviewed_by = actor_id, reviewed_at = 2 WHERE id = 'was kept';
         UPDATE candidates SET status = 'imported', imported_id = 'x' WHERE id = 'was kept'",
    )
    .unwrap();
    drop(db);
    let store = Store::open(&path, Keys::hashing(Key::new([1; 32])), 2).unwrap();
    let there: String = read(&store, |c| {
        let told =
            "SELECT group_concat(rid || ' ' || id || ': ' || status) FROM (SELECT * FROM candidates ORDER BY rid)";
        Ok(c.query_row(told, [], |row| row.get(0))?)
    });
    assert_eq!(there, "1 waits: pending,2 was kept: imported");
    let may = |sql: &'static str| store.write(move |tx| Ok::<_, StoreError>(tx.execute(sql, [])?)).is_ok();
    let of_kind = [
        "INSERT INTO candidates (id, space_id, actor_id, kind, content, content_hash, created_at)
           SELECT 'r', space_id, actor_id, 'resource', 'x', 'x', 3 FROM candidates WHERE id = 'waits'",
        "INSERT INTO candidates (id, space_id, actor_id, kind, content, content_hash, created_at)
           SELECT 't', space_id, actor_id, 'tag', 'x', 'x', 3 FROM candidates WHERE id = 'waits'",
    ];
    assert_eq!(of_kind.map(may), [true, false]);
    assert!(!may("DELETE FROM candidates WHERE id = 'waits'"), "its rules hold as before");
}

#[test]
fn every_connection_has_its_pragmas() {
    fn check(c: &um_store::Connection, expected: &[(&str, &str)]) {
        for (pragma, value) in expected {
            let found: String =
                c.query_row(&format!("SELECT CAST({pragma} AS TEXT) FROM pragma_{pragma}"), [], |r| r.get(0)).unwrap();
            assert_eq!(found, *value, "{pragma}");
        }
        let timeout: i64 = c.pragma_query_value(None, "busy_timeout", |row| row.get(0)).unwrap();
        assert_eq!(timeout, 5000);
    }
    let Folder { store, folder: _folder } = open();
    let common = [("journal_mode", "wal"), ("foreign_keys", "1"), ("recursive_triggers", "1")];
    write(&store, move |tx| {
        check(tx, &common);
        check(tx, &[("secure_delete", "1")]);
        Ok(())
    });
    read(&store, |c| {
        check(c, &common);
        check(c, &[("query_only", "1")]);
        Ok(())
    });
    let refused = store.read(|c| -> StoreResult<()> { Ok(c.execute_batch("DELETE FROM system_settings")?) });
    assert!(refused.is_err(), "a reader writes nothing");
}

#[test]
fn a_transaction_is_kept_whole_or_not_at_all() {
    let Folder { store, folder: _folder } = open();
    let set = |tx: &um_store::Transaction<'_>| um_store::settings::set(tx, "test.key", "value", 1);
    let get = |store: &Store| read(store, |c| um_store::settings::get(c, "test.key"));
    let refused: StoreResult<()> = store.write(move |tx| {
        set(tx)?;
        Err(StoreError::Damaged("on purpose".into()))
    });
    assert!(refused.is_err());
    assert_eq!(get(&store), None);
    write(&store, set);
    assert_eq!(get(&store).as_deref(), Some("value"));
}

#[test]
fn the_writer_outlives_a_panic() {
    let Folder { store, folder: _folder } = open();
    let panicked: StoreResult<()> = store.write(|tx| {
        um_store::settings::set(tx, "test.key", "lost", 1)?;
        panic!("on purpose")
    });
    assert!(panicked.is_err());
    assert_eq!(read(&store, |c| um_store::settings::get(c, "test.key")), None, "rolled back");
    write(&store, |tx| um_store::settings::set(tx, "test.key", "kept", 1));
    assert_eq!(read(&store, |c| um_store::settings::get(c, "test.key")).as_deref(), Some("kept"));
}

#[test]
fn what_readers_leave_behind_is_kept_before_what_comes_after_it_and_one_takes_no_other_along() {
    use um_store::settings::{get, set};
    let Folder { store, .. } = &open();
    let (tell, told) = mpsc::channel();
    let leave = |name: &'static str, end: fn() -> StoreResult<()>| {
        let tell = tell.clone();
        let later = move |tx: &um_store::Transaction<'_>| set(tx, name, "left", 1).and_then(|()| end());
        store.write_later(later, move |done| tell.send((name, done.is_ok())).unwrap()).unwrap();
    };
    leave("one", || Ok(()));
    leave("two", || panic!("on purpose"));
    leave("three", || Err(StoreError::Busy));
    leave("four", || Ok(()));
    let kept: Vec<bool> =
        write(store, |tx| ["one", "two", "three", "four"].iter().map(|name| Ok(get(tx, name)?.is_some())).collect());
    assert_eq!(kept, [true, false, false, true]);
    let done: Vec<(&str, bool)> = told.try_iter().collect();
    assert_eq!(done, [("one", true), ("two", false), ("three", false), ("four", true)]);
}

#[test]
fn behind_a_write_that_takes_long_no_more_is_left_than_memory_holds() {
    let Folder { store, folder: _folder } = open();
    let ((begin, begun), (end, ended)) = (mpsc::channel(), mpsc::channel::<()>());
    let writing = store.clone();
    let long = std::thread::spawn(move || {
        write(&writing, move |_| {
            begin.send(()).unwrap();
            ended.recv().unwrap();
            Ok(())
        });
    });
    begun.recv().unwrap();
    let (tell, told) = mpsc::channel();
    let leave = || {
        let tell = tell.clone();
        store.write_later(|_| Ok::<_, StoreError>(()), move |done| _ = tell.send(done.is_ok())).unwrap()
    };
    let left = (0..100_000).take_while(|_| leave()).count();
    assert!((64..100_000).contains(&left), "{left}");
    end.send(()).unwrap();
    long.join().unwrap();
    write(&store, |_| Ok(()));
    assert_eq!(told.try_iter().filter(|done| *done).count(), left, "all that was taken is written");
    assert!(leave());
}

#[test]
fn readers_outlive_panics() {
    let Folder { store, folder: _folder } = open();
    let (done, end) = mpsc::channel();
    for _ in 0..6 {
        let (store, done) = (store.clone(), done.clone());
        std::thread::spawn(move || {
            let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                store.read(|_| -> StoreResult<()> { panic!("on purpose") })
            }));
            done.send(read.is_err()).unwrap();
        });
        assert_eq!(end.recv_timeout(Duration::from_secs(20)), Ok(true), "a connection was lost to a panic");
    }
    read(&store, |_| Ok(()));
}

#[test]
fn what_is_written_in_one_space_changes_nothing_in_another() {
    let Folder { store, folder: _folder } = open();
    let (a, b) = (space(&store, "a"), space(&store, "b"));
    for number in 0..20 {
        let sentence = format!("The otter number {number} {}.", "swims ".repeat(number as usize % 5 + 1));
        let memory = remember(&store, &a, number, &[sentence]);
        embed(&store, &memory, number);
    }
    let state = || (search(&store, &a, "otter OR swims OR number"), nearest(&store, &a, 3));
    let before = state();
    assert_eq!((before.0.len(), before.1.len()), (20, 20));
    for number in 0..50 {
        let memory =
            remember(&store, &b, number, &[format!("The otter and the heron, {number}."), "Otter swims.".into()]);
        embed(&store, &memory, number);
        if number % 3 == 0 {
            set_active(&store, &b, &memory, false);
        }
        assert!(state() == before, "after writing {number} in the other space");
    }
    assert_eq!(search(&store, &b, "otter").len(), 2 * 33);
}

/// What may happen to a memory.
#[derive(Debug, Clone)]
enum Act {
    Remember(usize),
    Remove(prop::sample::Index),
    Restore(prop::sample::Index),
    Embed(prop::sample::Index),
    Rebuild,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => (1..4usize).prop_map(Act::Remember),
        2 => any::<prop::sample::Index>().prop_map(Act::Remove),
        2 => any::<prop::sample::Index>().prop_map(Act::Restore),
        3 => any::<prop::sample::Index>().prop_map(Act::Embed),
        1 => Just(Act::Rebuild),
    ];
    proptest::collection::vec(act, 1..25)
}

/// What is known of a memory: its passages, whether it is in use, whether it has vectors.
#[derive(Debug, Clone)]
struct Known {
    number: u64,
    passages: usize,
    active: bool,
    embedded: bool,
}

fn act(store: &Store, space: &SpaceId, model: &mut BTreeMap<MemoryId, Known>, act: Act) {
    let picked = |index: prop::sample::Index| {
        let ids: Vec<&MemoryId> = model.keys().collect();
        (!ids.is_empty()).then(|| (*index.get(&ids)).clone())
    };
    match act {
        Act::Remember(passages) => {
            let number = model.len() as u64;
            let sentences: Vec<String> = (0..passages).map(|at| format!("Badger {number} digs hole {at}.")).collect();
            let id = remember(store, space, number, &sentences);
            model.insert(id, Known { number, passages, active: true, embedded: false });
        }
        Act::Remove(index) | Act::Restore(index) => {
            let Some(id) = picked(index) else { return };
            let active = matches!(act, Act::Restore(_));
            set_active(store, space, &id, active);
            model.get_mut(&id).unwrap().active = active;
        }
        Act::Embed(index) => {
            let Some(id) = picked(index) else { return };
            let known = model.get_mut(&id).unwrap();
            embed(store, &id, known.number);
            known.embedded |= known.active;
        }
        Act::Rebuild => store.rebuild(1).unwrap(),
    }
}

fn check_in_step(store: &Store, space: &SpaceId, model: &BTreeMap<MemoryId, Known>) {
    let findable: usize = model.values().filter(|k| k.active).map(|k| k.passages).sum();
    assert_eq!(search(store, space, "badger").len(), findable, "by words: {model:?}");
    let near: usize = model.values().filter(|k| k.active && k.embedded).map(|k| k.passages).sum();
    assert_eq!(nearest(store, space, 0).len(), near, "by meaning: {model:?}");
    let ill: Vec<_> = store.inspect(checks::run).unwrap().into_iter().filter(|c| !c.ok && c.name != "audit").collect();
    assert!(ill.is_empty(), "{ill:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_indexes_stay_in_step_with_the_memories(acts in acts()) {
        let Folder { store, folder } = open();
        let space = space(&store, "a");
        let mut model = BTreeMap::new();
        for next in acts {
            act(&store, &space, &mut model, next);
            check_in_step(&store, &space, &model);
        }
        drop(store);
        drop(folder);
    }
}
