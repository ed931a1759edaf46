//! What is asked all the time costs the same in a small database and in a large one: nothing that grows with
//! the tables is gone through. Counting is left out of this; it goes through an index.

use rusqlite::{ffi, params};
use support::{Folder, name_files, open, remember, space, write};
use um_model::capture::ArtifactsList;
use um_model::{ArtifactId, JobStatus, MemoryId, SpaceId, ViewType, WatchId};
use um_store::filter::{Admitted, UnitFilter};
use um_store::rejected::Checked;
use um_store::{Connection, Store, StoreResult, artifacts, checks, fts, hits, jobs, memories, units, views, watches};

mod support;

fn id(kind: u32, number: usize) -> String {
    format!("00000000-0000-7000-8{kind:03}-{number:012}")
}

/// So many files, each with its memory, a unit and the job that read it; every tenth job failed, and a few files
/// are older versions.
fn files(count: usize) -> (Folder, SpaceId) {
    let folder = open();
    let space = space(&folder.store, "library");
    let home = space.clone();
    write(&folder.store, move |tx| {
        for number in 0..count {
            let [file, memory, unit, job] = [1, 2, 3, 4].map(|kind| id(kind, number));
            let (at, owner) = (number as i64, um_model::AgentId::owner());
            tx.prepare_cached(
                "INSERT INTO artifacts (id, space_id, actor_id, content_hash, original_filename, mime_type, modality,
                   storage_backend, storage_uri, valid_from, created_at)
                 VALUES (?1, ?2, ?3, ?1, ?1, 'image/png', 'image', 'filesystem', 'aa/bb', 1, ?4)",
            )?
            .execute(params![file, home.as_str(), owner.as_str(), at])?;
            tx.prepare_cached(
                "INSERT INTO memories (id, content_hash, modality, primary_artifact_id, scope, valid_from, created_at,
                   space_id, actor_id) VALUES (?1, ?1, 'image', ?2, 'fact', 1, ?3, ?4, ?5)",
            )?
            .execute(params![memory, file, at, home.as_str(), owner.as_str()])?;
            tx.prepare_cached(
                "INSERT INTO text_units (id, space_id, memory_id, owner_memory_id, ordinal, start_offset, end_offset,
                   created_at) VALUES (?1, ?2, ?3, ?3, 0, 0, 0, ?4)",
            )?
            .execute(params![unit, home.as_str(), memory, at])?;
            tx.prepare_cached(
                "INSERT INTO jobs (id, kind, subject_type, subject_id, space_id, status, created_at, updated_at)
                 VALUES (?1, 'read', 'artifact', ?2, ?3, iif(?4 % 10 = 0, 'failed', 'completed'), ?4, ?4)",
            )?
            .execute(params![job, file, home.as_str(), at])?;
        }
        tx.execute("UPDATE memories SET status = 'superseded', status_changed_at = 20 WHERE created_at < 20", [])?;
        Ok(())
    });
    (folder, space)
}

/// Runs `each` for every statement that the connection has prepared.
fn statements(connection: &Connection, mut each: impl FnMut(*mut ffi::sqlite3_stmt, &str)) {
    // SAFETY: the handle is that of an open connection, which outlives the walk over its own statements; a
    // statement's SQL is UTF-8, ends in a zero, and lives as long as the statement.
    unsafe {
        let mut statement = ffi::sqlite3_next_stmt(connection.handle(), std::ptr::null_mut());
        while !statement.is_null() {
            let sql = std::ffi::CStr::from_ptr(ffi::sqlite3_sql(statement)).to_str().unwrap();
            each(statement, sql);
            statement = ffi::sqlite3_next_stmt(connection.handle(), statement);
        }
    }
}

/// The most that one statement takes of something in `work`, by SQLite's own account; of those that are looked at.
fn most_of<T>(
    store: &Store,
    of: std::ffi::c_int,
    is_looked_at: impl Fn(&str) -> bool,
    work: impl Fn(&Connection) -> StoreResult<T>,
) -> i32 {
    let taken = |statement, reset: bool| {
        // SAFETY: the statement is one of an open connection.
        unsafe { ffi::sqlite3_stmt_status(statement, of, i32::from(reset)) }
    };
    let read: StoreResult<i32> = store.read(|c| {
        work(c)?;
        statements(c, |statement, _| {
            taken(statement, true);
        });
        work(c)?;
        let mut most = 0;
        statements(c, |statement, sql| {
            if is_looked_at(sql) {
                most = most.max(taken(statement, false));
            }
        });
        Ok(most)
    });
    read.unwrap()
}

/// The most steps that one statement takes in `work`.
fn steps<T>(store: &Store, work: impl Fn(&Connection) -> StoreResult<T>) -> i32 {
    let counts = |sql: &str| sql.starts_with("SELECT count(*)") || sql.starts_with("SELECT status, count(*)");
    most_of(store, ffi::SQLITE_STMTSTATUS_VM_STEP, |sql| !counts(sql), work)
}

#[test]
fn words_cost_the_same_however_many_files_are_known_by_their_names() {
    let [few, many] = [300, 3000].map(|count| {
        let Folder { store, folder: _folder } = &open();
        let space = space(store, "library");
        name_files(store, &space, &(0..count).map(|at| format!("otter {at}")).collect::<Vec<_>>());
        (0..50).for_each(|number| drop(remember(store, &space, number, &["A heron stands there.".to_owned()])));
        steps(store, |c| {
            let found = fts::search(c, &space, "heron", &Admitted::All, 10)?;
            assert_eq!(found.len(), 10);
            Ok(found)
        })
    });
    assert!(0 < few && many < 2 * few, "{few} steps among 300 names, {many} among 3,000");
}

#[test]
fn what_has_a_word_that_must_not_be_there_is_looked_up_once() {
    let Folder { store, folder: _folder } = &open();
    let space = space(store, "library");
    // More than are listed before anything is searched, of which the best 2,000 have the word.
    for number in 0..45 {
        let says = if number < 20 { "otter otter heron" } else { "otter swims there" };
        remember(store, &space, number, &vec![says.to_owned(); 100]);
    }
    let filter = UnitFilter { must_not: Some("heron".to_owned()), ..UnitFilter::default() };
    let times = most_of(
        store,
        ffi::SQLITE_STMTSTATUS_RUN,
        |sql| sql.starts_with("SELECT rowid FROM fts_"),
        |c| {
            let admitted = filter.admit(c, std::slice::from_ref(&space))?;
            assert!(matches!(admitted, Admitted::Many(_)));
            let found = fts::search(c, &space, "otter", &admitted, 10)?;
            assert!(found.len() == 10 && found.iter().all(|(rid, _)| *rid > 2_000), "{found:?}");
            Ok(found)
        },
    );
    assert_eq!(times, 1);
}

#[test]
fn whether_any_has_some_words_costs_the_same_however_many_have_them() {
    let [few, many] = [5, 50].map(|count| {
        let Folder { store, folder: _folder } = &open();
        let space = space(store, "library");
        (0..count)
            .for_each(|number| drop(remember(store, &space, number, &vec!["The user_id is set.".to_owned(); 100])));
        let check = |words: &str, admitted: &Admitted<'_>, expected: bool| {
            steps(store, |c| {
                assert_eq!(fts::any(c, &space, words, admitted)?, expected, "{words} {admitted:?}");
                Ok(())
            })
        };
        let few = |rids: &[i64]| Admitted::Few([(space.as_str().to_owned(), rids.to_vec())].into());
        let of_texts = UnitFilter { modalities: vec!["text".to_owned()], ..UnitFilter::default() };
        let of_files = UnitFilter { modalities: vec!["pdf".to_owned()], ..UnitFilter::default() };
        for admitted in [Admitted::All, few(&[7]), Admitted::Many(&of_texts)] {
            check("\"user id\"", &admitted, true);
            check("\"id user\"", &admitted, false);
        }
        for admitted in [few(&[]), few(&[1_000_000]), Admitted::Few(Default::default()), Admitted::Many(&of_files)] {
            check("\"user id\"", &admitted, false);
        }
        [Admitted::All, Admitted::Many(&of_texts)].map(|admitted| check("\"user id\"", &admitted, true))
    });
    for (few, many) in few.into_iter().zip(many) {
        // The index has some more parts.
        assert!(0 < few && many < 5 * few, "{few} steps among 500 passages, {many} among 5,000");
    }
}

#[test]
fn words_that_many_have_are_not_listed() {
    let [few, many] = [50, 150].map(|count| {
        let Folder { store, folder: _folder } = &open();
        let space = space(store, "library");
        (0..count).for_each(|number| drop(remember(store, &space, number, &vec!["otter swims there".to_owned(); 100])));
        let filter = UnitFilter { must: Some("\"otter swims\"".to_owned()), ..UnitFilter::default() };
        steps(store, |c| {
            let admitted = filter.admit(c, std::slice::from_ref(&space))?;
            assert!(matches!(admitted, Admitted::Many(_)));
            Ok(())
        })
    });
    assert!(0 < few && many < 2 * few, "{few} steps among 5,000 passages, {many} among 15,000");
}

#[test]
fn lists_cost_the_same_however_much_there_is() {
    let (small, large) = (files(300), files(3000));
    let check = |what: &str, work: &dyn Fn(&Connection, &SpaceId) -> StoreResult<()>| {
        let [few, many] = [&small, &large].map(|(folder, space)| steps(&folder.store, |c| work(c, space)));
        assert!(0 < few && many < 2 * few, "{what}: {few} steps among 300 files, {many} among 3,000");
    };
    let page: Vec<ArtifactId> = (100..120).map(|n| ArtifactId::parse(id(1, n)).unwrap()).collect();
    let rids: Vec<i64> = (100..120).collect();
    let global = SpaceId::parse("GLOBAL").unwrap();
    check("newest files of a space", &|c, space| {
        artifacts::list(c, &ArtifactsList::default(), std::slice::from_ref(space), 20).map(drop)
    });
    check("newest files of several spaces", &|c, space| {
        artifacts::list(c, &ArtifactsList::default(), &[space.clone(), global.clone()], 20).map(drop)
    });
    check("memories of files", &|c, _| artifacts::memories_of(c, &page).map(drop));
    check("jobs of files", &|c, _| jobs::reading(c, &page).map(drop));
    check("jobs", &|c, _| jobs::list(c, None, &[], 0, 20).map(drop));
    check("jobs of a space", &|c, space| jobs::list(c, Some(space), &[], 0, 20).map(drop));
    check("failed jobs", &|c, _| jobs::list(c, None, &[JobStatus::Failed], 20, 20).map(drop));
    check("passages", &|c, _| hits::add_texts(c, &mut hits::passages(c, &rids, &[])?));
    check("sources", &|c, _| hits::found(c, &rids).map(drop));
    // Notes that came in together, after all the rest.
    check("notes of a range", &|c, space| memories::among(c, space, &(100..=131), 32).map(drop));
    check("passages without a vector of a range", &|c, space| {
        units::unembedded_among(c, space, (&(100..=131), 0), "a-model", 32).map(drop)
    });
}

#[test]
fn what_has_its_vector_is_not_gone_through_for_what_has_none() {
    // The last forty of so many passages have none yet.
    let embedded = |count: usize| {
        let (folder, home) = files(1);
        let from = write(&folder.store, {
            let (space, memory) = (home.clone(), id(2, 0));
            move |tx| {
                let (mut from, owner) = (0, um_model::AgentId::owner());
                for number in 1..=count {
                    tx.prepare_cached(
                        "INSERT INTO text_units (id, space_id, memory_id, owner_memory_id, ordinal, start_offset, end_offset,
                           created_at) VALUES (?1, ?2, ?3, ?3, ?4, 0, 0, 1)",
                    )?
                    .execute(params![id(3, number), space.as_str(), memory, number as i64])?;
                    if number == count - 39 {
                        from = tx.last_insert_rowid();
                    }
                }
                tx.execute(
                    "INSERT INTO memory_embeddings (id, space_id, actor_id, unit_id, embedding_space, model_id, dimensions,
                       embedding, created_at)
                     SELECT replace(id, '-8003-', '-8005-'), space_id, ?1, id, 'text_dense', 'a-model', 1, zeroblob(4), 1
                     FROM text_units WHERE rid < ?2",
                    params![owner.as_str(), from],
                )?;
                Ok(from)
            }
        });
        (folder, home, from)
    };
    let memory = MemoryId::parse(id(2, 0)).unwrap();
    let (small, large) = (embedded(300), embedded(3000));
    let check = |what: &str, work: &dyn Fn(&Connection, &SpaceId, i64) -> StoreResult<usize>| {
        let [few, many] = [&small, &large].map(|(folder, space, from)| {
            steps(&folder.store, |c| {
                assert_eq!(work(c, space, *from)?, 32, "{what}");
                Ok(())
            })
        });
        assert!(0 < few && many < 2 * few, "{what}: {few} steps behind 260 passages, {many} behind 2,960");
    };
    check("of a memory", &|c, _, from| Ok(units::unembedded_from(c, &memory, from, "a-model", 32)?.len()));
    check(
        "of a range",
        &|c, space, from| Ok(units::unembedded_among(c, space, (&(1..=1), from), "a-model", 32)?.len()),
    );
    check("of all", &|c, _, from| Ok(checks::without_vector(c, "a-model", from - 1, 32)?.len()));
}

#[test]
fn what_comes_in_is_compared_at_the_same_cost_however_much_is_refused() {
    use um_model::forget::RejectedKind;
    use um_store::rejected;
    let refusing = |count: usize| {
        let (folder, home) = files(1);
        let space = home.clone();
        write(&folder.store, move |tx| {
            for number in 0..count {
                let (value, owner) = (number.to_string(), um_model::AgentId::owner());
                rejected::reject(tx, &space, (RejectedKind::Content, &value), ("forgettings", "x"), &owner, 1)?;
            }
            Ok(())
        });
        (folder, home)
    };
    let (small, large) = (refusing(300), refusing(3000));
    let check = |what: &str, work: &dyn Fn(&Connection, &[SpaceId]) -> StoreResult<()>| {
        let [few, many] = [&small, &large]
            .map(|(folder, space)| steps(&folder.store, |c| work(c, &[space.clone(), SpaceId::global()])));
        assert!(0 < few && many < 2 * few, "{what}: {few} steps beside 300 values, {many} beside 3,000");
    };
    check("whether a kind is refused", &|c, spaces| {
        assert!(
            rejected::any(c, spaces, RejectedKind::Content)? && !rejected::any(c, spaces, RejectedKind::EntityName)?
        );
        Ok(())
    });
    check("which are refused", &|c, spaces| {
        assert_eq!(rejected::refused(c, spaces, &["7".to_owned(), "no".to_owned()])?, ["7"]);
        Ok(())
    });
}

#[test]
fn idle_workers_ask_little_however_many_jobs_wait() {
    let waiting = |count| {
        let (folder, _) = files(count);
        write(&folder.store, |tx| Ok(tx.execute("UPDATE jobs SET status = 'pending'", [])?));
        folder
    };
    let (small, large) = (waiting(300), waiting(3000));
    let check = |what: &str, work: &dyn Fn(&Connection) -> StoreResult<bool>| {
        let [few, many] = [&small, &large].map(|folder| steps(&folder.store, work));
        assert!(0 < few && many < 2 * few, "{what}: {few} steps while 300 jobs wait, {many} while 3,000 do");
    };
    check("a job to be claimed", &|c| jobs::any_pending(c, um_model::JobKind::Read, 1));
    check("no job to be claimed", &|c| jobs::any_pending(c, um_model::JobKind::Embed, 1));
    check("the next job", &|c| Ok(jobs::next(c, um_model::JobKind::Read, 1)?.is_some()));
    check("a job on new notes", &|c| {
        jobs::takes_new(c, um_model::JobKind::Extract, &SpaceId::parse("GLOBAL").unwrap())
    });
    check("a job that waits for its time", &jobs::any_delayed);
    check("a program that is lacking", &|c| jobs::any_lack_tools(c, 1));
    check("whether anybody waits", &|c| jobs::any_wanted(c, None));
    check("whether anybody waits in another space", &|c| jobs::any_wanted(c, Some(&SpaceId::parse("GLOBAL").unwrap())));
}

#[test]
fn a_change_in_a_watched_folder_costs_the_same_however_many_files_it_has() {
    let watched = |count: usize| {
        let folder = open();
        let space = space(&folder.store, "library");
        let watch = write(&folder.store, move |tx| {
            let (policy, owner) = (um_model::DeletePolicy::Mark, um_model::AgentId::owner());
            let watch = watches::upsert(tx, &space, "/w", &[], &[], true, policy, &owner, 1)?;
            for number in 0..count {
                let (path, key) = (format!("{:02}/{number}.txt", number % 50), format!("1:{number}:1"));
                let seen = watches::Seen {
                    watch: &watch,
                    space: &space,
                    rel_path: &path,
                    size: 1,
                    mtime_ns: 1,
                    file_key: Some(&key),
                    content_hash: None,
                    artifact: None,
                    memory: None,
                    status: "present",
                    error: None,
                };
                watches::put_file(tx, &seen, 1)?;
            }
            Ok((watch, space))
        });
        (folder, watch)
    };
    let (small, large) = (watched(300), watched(3000));
    let check = |what: &str, work: &dyn Fn(&Connection, &WatchId, &SpaceId) -> StoreResult<()>| {
        let [few, many] =
            [&small, &large].map(|(folder, (watch, space))| steps(&folder.store, |c| work(c, watch, space)));
        assert!(0 < few && many < 2 * few, "{what}: {few} steps among 300 files, {many} among 3,000");
    };
    check("what is known at a path", &|c, watch, _| {
        assert_eq!(watches::files_below(c, watch, &["07/7.txt".to_owned()])?.len(), 1);
        Ok(())
    });
    check("where a file was", &|c, _, space| {
        assert_eq!(watches::by_file_key(c, space, "1:9:1")?.len(), 1);
        Ok(())
    });
    check("which folders are watched", &|c, _, _| watches::watched(c).map(drop));
}

#[test]
fn a_page_is_looked_for_at_the_same_cost_however_many_the_file_has() {
    let read = |pages: u32| {
        let (folder, home) = files(1);
        let file = ArtifactId::parse(id(1, 0)).unwrap();
        let owner = views::Owner { artifact: file.clone(), space: home, actor: um_model::AgentId::owner() };
        write(&folder.store, move |tx| {
            for page in 1..=pages {
                let view = views::NewView {
                    view_type: ViewType::Pdf,
                    segment: None,
                    ordinal: page,
                    page: Some(page),
                    text: "a page".to_owned(),
                    language: None,
                    extractor_id: "pdfium".to_owned(),
                    model_id: None,
                    config_hash: page.to_string(),
                    quality: 1.0,
                    anchors: Vec::new(),
                };
                views::upsert(tx, &owner, &Checked::held(view), 1)?;
            }
            Ok(())
        });
        (folder, file)
    };
    let [few, many] = [300, 3000].map(|pages| {
        let (folder, file) = read(pages);
        steps(&folder.store, |c| {
            let found = |page, hash| views::known(c, &file, Some(page), (ViewType::Pdf, "pdfium", hash));
            assert!(found(200, "200")?.is_some());
            assert!(found(200, "another reader")?.is_none() && found(pages + 1, "1")?.is_none());
            Ok(())
        })
    });
    assert!(0 < few && many < 2 * few, "{few} steps among 300 pages, {many} among 3,000");
}
