//! Watched folders: what the disk says becomes so. Most tests start the engine anew, which compares each
//! folder with what is known; the last ones listen to the disk itself.

use crate::support::inputs;
use crate::support::{Rig, SPACE};
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::{Duration, SystemTime};
use um_model::capture::{ArtifactDetail, ArtifactsList};
use um_model::watch::{WatchAdd, WatchRemove, WatchesList};
use um_model::{DeletePolicy, ErrorCode};

/// The names of the files in use.
fn names(rig: &Rig) -> Vec<String> {
    let request = ArtifactsList { order: um_model::capture::ArtifactOrder::Name, ..ArtifactsList::default() };
    let mut names: Vec<String> = rig.run(request).unwrap().artifacts.into_iter().map(|a| a.artifact.filename).collect();
    names.sort();
    names
}

/// The file of that name that is in use.
#[track_caller]
fn file(rig: &Rig, name: &str) -> ArtifactDetail {
    let request = ArtifactsList { name: Some(name.into()), ..ArtifactsList::default() };
    let found = rig.run(request).unwrap().artifacts;
    assert_eq!(found.len(), 1, "{name}");
    rig.artifact(&found[0].artifact.id)
}

#[track_caller]
fn check_words(rig: &Rig, expected: &[(&str, usize)]) {
    for (word, hits) in expected {
        assert_eq!(rig.found(word).len(), *hits, "{word}");
    }
}

#[test]
fn a_folder_comes_in_with_all_that_is_below_it() {
    let rig = Rig::new();
    rig.file("one.txt", "an avocet");
    rig.file("deep/er/two.md", "a bunting");
    rig.file("shot.png", inputs::png("a curlew"));
    let watch = rig.watch(|_| {});
    rig.compared();
    rig.settled();
    check_words(&rig, &[("avocet", 1), ("bunting", 1), ("curlew", 1)]);
    let listed = rig.run(WatchesList {}).unwrap().watches.remove(0);
    assert_eq!((listed.id, listed.files, listed.problem), (watch.id, 3, None));
}

#[test]
fn names_and_patterns_say_what_comes_in() {
    #[track_caller]
    fn check(change: impl FnOnce(&mut WatchAdd), expected: &[&str]) {
        let rig = Rig::new();
        for name in [
            "a.md",
            "b.txt",
            "deep/c.md",
            "build/d.md",
            ".hidden.md",
            ".git/e.md",
            "f.md~",
            "g.tmp",
            "h.part",
            "~$i.docx",
            "Thumbs.db",
            "ignored/j.md",
            "k.log",
        ] {
            rig.file(name, name);
        }
        rig.file(".gitignore", "ignored/\n*.log\n");
        rig.watch(change);
        rig.compared();
        rig.settled();
        assert_eq!(names(&rig), expected);
    }
    let globs = |patterns: &[&str]| patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    check(|_| {}, &["a.md", "b.txt", "c.md", "d.md", "j.md", "k.log"]);
    check(|w| w.honour_gitignore = true, &["a.md", "b.txt", "c.md", "d.md"]);
    check(|w| w.include = globs(&["*.md"]), &["a.md", "c.md", "d.md", "j.md"]);
    check(|w| w.exclude = globs(&["build/**", "ignored/**", "*.log"]), &["a.md", "b.txt", "c.md"]);
    check(|w| (w.include, w.exclude) = (globs(&["*.md"]), globs(&["deep/*"])), &["a.md", "d.md", "j.md"]);
}

#[test]
fn folders_that_cannot_be_watched_are_refused() {
    #[track_caller]
    fn check(rig: &Rig, change: impl FnOnce(&mut WatchAdd), code: ErrorCode) {
        let mut request =
            WatchAdd { path: rig.folder().display().to_string(), space: SPACE.into(), ..WatchAdd::default() };
        change(&mut request);
        assert_eq!(rig.run(request).unwrap_err().code, code);
    }
    let rig = Rig::resting();
    let file = rig.file("file.txt", "x");
    fs::create_dir(rig.folder().join("sub")).unwrap();
    check(&rig, |w| w.path = "/nowhere/at/all".into(), ErrorCode::Io);
    check(&rig, |w| w.path = file.display().to_string(), ErrorCode::InvalidRequest);
    check(&rig, |w| w.path = rig.data().display().to_string(), ErrorCode::InvalidRequest);
    check(&rig, |w| w.path = rig.data().parent().unwrap().display().to_string(), ErrorCode::InvalidRequest);
    check(&rig, |w| w.include = vec!["[".into()], ErrorCode::InvalidRequest);
    check(&rig, |w| w.space = "Nowhere".into(), ErrorCode::NotFound);
    rig.watch(|_| {});
    check(&rig, |w| w.path = format!("{}/sub", w.path), ErrorCode::Conflict);
}

#[test]
fn an_edit_is_one_new_version() {
    let rig = Rig::new();
    let path = rig.file("plan.txt", "meet at noon by the weir");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    let old = file(&rig, "plan.txt").summary.artifact.id;
    fs::write(&path, "meet at dusk by the mill").unwrap();
    rig.rescan();
    check_words(&rig, &[("weir", 0), ("mill", 1)]);
    let detail = rig.artifact(&rig.found("mill")[0].ids.artifact.clone().unwrap());
    assert_eq!(detail.versions.iter().map(|v| &v.artifact_id).collect::<Vec<_>>(), [&old]);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 2);
    // Undone: the old content is the current one again.
    fs::write(&path, "meet at noon by the weir").unwrap();
    rig.rescan();
    check_words(&rig, &[("weir", 1), ("mill", 0)]);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 2);
}

#[test]
fn a_moved_file_keeps_its_identity() {
    let rig = Rig::new();
    let path = rig.file("draft.txt", "notes on the estuary");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    let before = file(&rig, "draft.txt").summary;
    fs::create_dir(rig.folder().join("done")).unwrap();
    let target = rig.folder().join("done/quayside.txt");
    fs::rename(&path, &target).unwrap();
    rig.rescan();
    let after = file(&rig, "quayside.txt").summary;
    assert_eq!((&after.artifact.id, &after.memory_id), (&before.artifact.id, &before.memory_id));
    assert_eq!(after.artifact.source_path, Some(target.display().to_string()));
    assert_eq!(rig.titles("estuary"), ["quayside.txt"]);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 1);
    let by_name = rig.recall("quayside").hits;
    assert_eq!(by_name[0].score_parts.bm25_rank, Some(1), "it is found by its new name");
    // It is still one thing: an edit at the new place is its next version.
    fs::write(&target, "notes on the lagoon").unwrap();
    rig.rescan();
    check_words(&rig, &[("estuary", 0), ("lagoon", 1)]);
}

#[test]
fn a_renamed_folder_moves_all_its_files() {
    let rig = Rig::new();
    for number in 0..20 {
        rig.file(&format!("old/{number}.txt"), format!("a moorhen {number}"));
    }
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    fs::rename(rig.folder().join("old"), rig.folder().join("new")).unwrap();
    rig.rescan();
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 20);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts WHERE source_path LIKE '%/new/%' AND status = 'active'"), 20);
    assert_eq!(rig.count("SELECT count(*) FROM memories WHERE status = 'active'"), 20);
}

#[test]
fn a_deleted_file_follows_the_folders_policy() {
    #[track_caller]
    fn check(policy: Option<DeletePolicy>, found: usize) {
        let rig = Rig::new();
        let path = rig.file("gone.txt", "the vanishing vole");
        rig.watch(|watch| watch.on_delete = policy);
        rig.compared();
        rig.settled();
        let id = file(&rig, "gone.txt").summary.artifact.id;
        fs::remove_file(&path).unwrap();
        rig.rescan();
        check_words(&rig, &[("vole", found)]);
        assert_eq!(rig.artifact(&id).summary.artifact.deleted, found == 0);
        assert_eq!(rig.run(WatchesList {}).unwrap().watches[0].files, 0);
        // Once it is there again, so is what came of it.
        fs::write(&path, "the vanishing vole").unwrap();
        rig.rescan();
        check_words(&rig, &[("vole", 1)]);
        assert_eq!(file(&rig, "gone.txt").summary.artifact.id, id);
    }
    check(None, 0);
    check(Some(DeletePolicy::Mark), 0);
    check(Some(DeletePolicy::Keep), 1);
}

#[test]
fn one_content_in_two_places_lasts_as_long_as_either() {
    /// What is done to the copies `a.txt` and `b.txt`, and whether their content is still found.
    #[track_caller]
    fn check(acts: &[(&str, Option<&str>)], found: usize, others: &[&str]) {
        let rig = Rig::new();
        rig.file("a.txt", "the twin stone");
        rig.file("b.txt", "the twin stone");
        rig.watch(|_| {});
        rig.compared();
        rig.settled();
        assert_eq!((rig.count("SELECT count(*) FROM artifacts"), rig.found("twin").len()), (1, 1));
        for (name, text) in acts {
            match text {
                Some(text) => drop(rig.file(name, text)),
                None => fs::remove_file(rig.folder().join(name)).unwrap(),
            }
            rig.rescan();
        }
        assert_eq!(rig.found("twin").len(), found, "{acts:?}");
        for word in others {
            assert_eq!(rig.found(word).len(), 1, "{word} after {acts:?}");
        }
    }
    check(&[("a.txt", None)], 1, &[]);
    check(&[("b.txt", None)], 1, &[]);
    check(&[("a.txt", None), ("b.txt", None)], 0, &[]);
    check(&[("b.txt", None), ("a.txt", None)], 0, &[]);
    check(&[("a.txt", Some("changed first"))], 1, &["first"]);
    check(&[("b.txt", Some("changed second"))], 1, &["second"]);
    check(&[("a.txt", Some("changed first")), ("b.txt", Some("changed second"))], 0, &["first", "second"]);
    check(&[("b.txt", Some("changed second")), ("a.txt", Some("changed first"))], 0, &["first", "second"]);
    check(&[("a.txt", Some("changed first")), ("b.txt", None)], 0, &["first"]);
    check(&[("b.txt", Some("changed second")), ("a.txt", None)], 0, &["second"]);
    check(&[("b.txt", Some("changed second")), ("b.txt", Some("the twin stone")), ("a.txt", None)], 1, &[]);
}

#[test]
fn a_file_that_takes_on_anothers_content_leaves_its_own() {
    let rig = Rig::new();
    rig.file("a.txt", "the granite slab");
    rig.file("b.txt", "the slate roof");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    rig.file("b.txt", "the granite slab");
    rig.rescan();
    check_words(&rig, &[("granite", 1), ("slate", 0)]);
    rig.file("b.txt", "the marble floor");
    rig.rescan();
    check_words(&rig, &[("granite", 1), ("slate", 0), ("marble", 1)]);
}

#[test]
fn a_folder_that_vanished_is_no_deletion() {
    let rig = Rig::new();
    rig.file("disk/note.txt", "on the other disk, a tarn");
    let folder = rig.folder().join("disk");
    let away = rig.folder().join("away");
    rig.watch(|watch| watch.path = folder.display().to_string());
    rig.compared();
    rig.settled();
    fs::rename(&folder, &away).unwrap();
    rig.rescan();
    check_words(&rig, &[("tarn", 1)]);
    assert!(rig.run(WatchesList {}).unwrap().watches[0].problem.is_some(), "it is said");
    fs::rename(&away, &folder).unwrap();
    rig.rescan();
    check_words(&rig, &[("tarn", 1)]);
    assert_eq!(rig.run(WatchesList {}).unwrap().watches[0].problem, None);
}

#[test]
fn a_folder_no_longer_watched_keeps_what_came_in() {
    let rig = Rig::new();
    let path = rig.file("note.txt", "the lasting larch");
    let watch = rig.watch(|_| {});
    rig.compared();
    rig.settled();
    rig.run(WatchRemove { id: watch.id.clone() }).unwrap();
    assert!(rig.run(WatchesList {}).unwrap().watches.is_empty());
    fs::remove_file(path).unwrap();
    rig.rescan();
    check_words(&rig, &[("larch", 1)]);
    assert_eq!(rig.run(WatchRemove { id: watch.id }).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn nothing_more_comes_in_from_a_folder_that_is_watched_no_longer() {
    const FILES: i64 = 400;
    let rig = Rig::new();
    rig.pause();
    for number in 0..FILES {
        rig.file(&format!("large/{number}.txt"), format!("number {number}"));
    }
    rig.file("next/note.txt", "a note");
    let of = |name: &str| rig.folder().join(name).display().to_string();
    let watch = rig.watch(|watch| watch.path = of("large"));
    let count = || rig.count("SELECT count(*) FROM artifacts");
    rig.until("the first file is there", || count() > 0);
    rig.run(WatchRemove { id: watch.id }).unwrap();
    // One folder is compared after the other.
    rig.watch(|watch| watch.path = of("next"));
    rig.compared();
    assert!(count() < FILES, "{} files", count());
}

#[cfg(unix)]
#[test]
fn whatever_a_file_is_called_it_comes_in_and_goes() {
    use std::os::unix::ffi::OsStrExt;
    let rig = Rig::new();
    let files = [(&b"f\xFCr.txt"[..], "wigeon"), (b"f\xE4r.txt", "gadwall"), (br"a\b.txt", "pochard")]
        .map(|(name, word)| (rig.folder().join(std::ffi::OsStr::from_bytes(name)), word));
    for (path, word) in &files {
        fs::write(path, format!("a {word}")).unwrap();
    }
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    let in_use = |expected: usize| files.iter().for_each(|(_, word)| check_words(&rig, &[(word, expected)]));
    in_use(1);
    rig.rescan();
    in_use(1);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 3);
    files.iter().for_each(|(path, _)| fs::remove_file(path).unwrap());
    rig.rescan();
    in_use(0);
}

#[test]
fn empty_and_unreadable_files_cost_themselves_only() {
    let rig = Rig::new();
    let empty = rig.file("empty.txt", "");
    rig.file("good.txt", "a good guillemot");
    let huge = rig.file("huge.bin", "");
    fs::File::options().write(true).open(&huge).unwrap().set_len(100 * 1024 * 1024 + 1).unwrap();
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    assert_eq!(names(&rig), ["good.txt"]);
    let status = |name: &str| {
        let sql = format!("SELECT status FROM watched_files WHERE rel_path = '{name}'");
        rig.db().query_row(&sql, [], |row| row.get::<_, String>(0)).unwrap()
    };
    assert_eq!((status("empty.txt").as_str(), status("huge.bin").as_str()), ("ignored", "failed"));
    fs::write(empty, "no longer an empty egret").unwrap();
    rig.rescan();
    check_words(&rig, &[("egret", 1), ("guillemot", 1)]);
}

#[test]
fn two_thousand_unchanged_files_are_not_opened() {
    let rig = Rig::new();
    rig.pause();
    let name = |number: usize| format!("{}/{number}.txt", number % 40);
    for number in 0..2_000 {
        rig.file(&name(number), format!("first {number:05}"));
    }
    rig.watch(|_| {});
    rig.compared();
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 2_000);
    // Other words of the same length, in place and with the old time: nothing but opening tells.
    for number in 0..2_000 {
        let path = rig.folder().join(name(number));
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, format!("other {number:05}")).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }
    let events = rig.count("SELECT count(*) FROM audit_events");
    rig.rescan();
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 2_000, "none was opened");
    assert_eq!(rig.count("SELECT count(*) FROM audit_events"), events);
    // One whose time changed is.
    let later = SystemTime::now() + Duration::from_secs(5);
    fs::File::options().write(true).open(rig.folder().join(name(7))).unwrap().set_modified(later).unwrap();
    rig.rescan();
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 2_001);
}

#[test]
fn the_disk_is_heard() {
    let rig = Rig::new();
    rig.file("there.txt", "already a jackdaw");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    // A new file, in a new folder.
    let path = rig.file("new/note.txt", "suddenly a kestrel");
    rig.until("the new file is found", || rig.found("kestrel").len() == 1);
    // Written in three steps: one version.
    let mut text = String::new();
    for part in ["written ", "bit by ", "bit a lapwing"] {
        text.push_str(part);
        fs::write(&path, &text).unwrap();
    }
    rig.until("the edit is found", || rig.found("lapwing").len() == 1);
    // Saved by way of a temporary file: one version, the same thing.
    let temporary = rig.file("new/.note.txt.tmp", "saved anew, a magpie");
    fs::rename(temporary, &path).unwrap();
    rig.until("the saved file is found", || rig.found("magpie").len() == 1);
    rig.settled();
    check_words(&rig, &[("kestrel", 0), ("lapwing", 0), ("jackdaw", 1)]);
    assert_eq!(rig.count("SELECT count(*) FROM artifacts"), 4, "one version a save");
    let detail = file_in_use(&rig, "magpie");
    assert_eq!(detail.versions.len(), 2);
    // Moved, then deleted.
    let moved = rig.folder().join("moved.txt");
    fs::rename(&path, &moved).unwrap();
    rig.until("the move is seen", || rig.titles("magpie") == ["moved.txt"]);
    assert_eq!(file_in_use(&rig, "magpie").summary.artifact.id, detail.summary.artifact.id);
    fs::remove_file(moved).unwrap();
    rig.until("the deletion is seen", || rig.found("magpie").is_empty());
    fs::remove_dir_all(rig.folder().join("new")).unwrap();
    rig.settled();
    check_words(&rig, &[("jackdaw", 1)]);
}

fn file_in_use(rig: &Rig, word: &str) -> ArtifactDetail {
    rig.artifact(&rig.found(word)[0].ids.artifact.clone().unwrap())
}

/// Does this as a user whom permissions bind: whoever runs as root runs the test again as nobody.
#[cfg(unix)]
fn as_a_user(test: &str, work: impl FnOnce(&Rig)) {
    use std::os::unix::process::CommandExt;
    let rig = Rig::new();
    if fs::metadata(rig.folder()).unwrap().uid() != 0 {
        return work(&rig);
    }
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let ran = again.args(["--exact", test]).uid(65_534).gid(65_534).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

#[cfg(unix)]
fn allow(path: &std::path::Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_read_is_refused() {
    as_a_user("watching::a_folder_that_may_not_be_read_is_refused", |rig| {
        rig.file("secret/note.txt", "a hidden hoopoe");
        let folder = rig.folder().join("secret");
        // Neither listing alone nor opening alone is enough.
        for mode in [0o000, 0o400, 0o100] {
            allow(&folder, mode);
            let request = WatchAdd { path: folder.display().to_string(), space: SPACE.into(), ..WatchAdd::default() };
            let refused = rig.run(request).unwrap_err();
            assert_eq!(refused.code, ErrorCode::Io, "{mode:o}");
            let words = refused.to_string();
            assert!(words.contains("Allow your user") && !words.contains("os error"), "{words}");
            assert!(rig.run(WatchesList {}).unwrap().watches.is_empty());
        }
        allow(&folder, 0o700);
    });
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_read_any_more_says_so_and_loses_nothing() {
    as_a_user("watching::a_folder_that_may_not_be_read_any_more_says_so_and_loses_nothing", |rig| {
        rig.file("folder/note.txt", "a guarded gannet");
        let folder = rig.folder().join("folder");
        rig.watch(|watch| watch.path = folder.display().to_string());
        rig.compared();
        rig.settled();
        let problem = || rig.run(WatchesList {}).unwrap().watches.remove(0).problem;
        assert_eq!(problem(), None);
        allow(&folder, 0o000);
        let said = problem().unwrap();
        assert!(said.starts_with("The folder cannot be read") && !said.contains("os error"), "{said}");
        rig.engine().stop();
        rig.engine().start();
        assert!(problem().is_some());
        check_words(rig, &[("gannet", 1)]);
        allow(&folder, 0o700);
        fs::write(folder.join("note.txt"), "a free fulmar").unwrap();
        rig.rescan();
        assert_eq!(problem(), None);
        check_words(rig, &[("gannet", 0), ("fulmar", 1)]);
    });
}
