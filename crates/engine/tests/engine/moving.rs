//! Moves inside watched folders: a file stays one thing with all its versions, however it was moved.

use crate::support::{Rig, inputs};
use std::fs;
use std::path::{Path, PathBuf};
use um_model::ArtifactId;
use um_model::capture::ArtifactDetail;
use um_model::spaces::SpacesList;

/// The one file that is found by a word.
#[track_caller]
fn holding(rig: &Rig, word: &str) -> ArtifactDetail {
    let hits = rig.found(word);
    assert_eq!(hits.len(), 1, "{word}");
    rig.artifact(&hits[0].ids.artifact.clone().unwrap())
}

/// Its other versions, newest first.
fn others(detail: &ArtifactDetail) -> Vec<ArtifactId> {
    detail.versions.iter().map(|version| version.artifact_id.clone()).collect()
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// A watched folder with `plan.txt` in two versions; the path, and the ids of the versions.
fn with_two_versions() -> (Rig, PathBuf, [ArtifactId; 2]) {
    let rig = Rig::new();
    let path = rig.file("plan.txt", "meet by the weir");
    rig.watch(|_| {});
    rig.compared();
    rig.settled();
    let first = holding(&rig, "weir").summary.artifact.id;
    fs::write(&path, "meet by the old mill").unwrap();
    rig.rescan();
    let second = holding(&rig, "mill").summary.artifact.id;
    (rig, path, [first, second])
}

#[test]
fn all_versions_move_with_their_file() {
    let (rig, path, [first, second]) = with_two_versions();
    let target = rig.file("done/.keep", "").with_file_name("agreed.txt");
    fs::rename(&path, &target).unwrap();
    rig.rescan();
    let moved = holding(&rig, "mill");
    assert_eq!((&moved.summary.artifact.id, others(&moved)), (&second, vec![first.clone()]));
    assert_eq!(moved.summary.artifact.source_path, Some(text(&target)));
    assert_eq!(moved.earlier_paths, [text(&path)]);
    assert_eq!(moved.versions[0].path, Some(text(&path)), "the older one never stood elsewhere");
    fs::write(&target, "meet by the bridge").unwrap();
    rig.rescan();
    let third = holding(&rig, "bridge");
    assert_eq!(others(&third), [second, first.clone()]);
    assert_eq!(third.versions[0].earlier_paths, [text(&path)], "the old path stands in its history");
    assert_eq!((rig.found("weir").len(), rig.found("mill").len()), (0, 0), "only the newest is found");
    assert_eq!(others(&rig.artifact(&first)).len(), 2, "it is one history from wherever one looks");
    // What comes to stand at the old path is another thing.
    fs::write(&path, "another plan, of the quarry").unwrap();
    rig.rescan();
    assert_eq!(others(&holding(&rig, "quarry")), []);
}

#[test]
fn moves_are_heard() {
    let (rig, path, [first, second]) = with_two_versions();
    rig.file("old/note.txt", "a bittern booms");
    rig.until("the new file is found", || rig.found("bittern").len() == 1);
    let note = holding(&rig, "bittern").summary.artifact.id;
    fs::write(rig.folder().join("old/note.txt"), "a bittern boomed at dusk").unwrap();
    rig.until("the edit is found", || rig.found("dusk").len() == 1);
    // A file, and a whole folder.
    let target = rig.folder().join("agreed.txt");
    fs::rename(&path, &target).unwrap();
    fs::rename(rig.folder().join("old"), rig.folder().join("new")).unwrap();
    let new = text(&rig.folder().join("new/note.txt"));
    rig.until("both moves are seen", || {
        let at = |word: &str| rig.found(word).first().and_then(|hit| hit.ids.artifact.clone());
        let path = |word: &str| at(word).and_then(|id| rig.artifact(&id).summary.artifact.source_path);
        path("mill") == Some(text(&target)) && path("dusk") == Some(new.clone())
    });
    assert_eq!(others(&holding(&rig, "dusk")), [note]);
    // Moved and edited in one go.
    let last = rig.folder().join("new/final.txt");
    fs::rename(&target, &last).unwrap();
    fs::write(&last, "meet by the bridge").unwrap();
    rig.until("the edit is found", || rig.found("bridge").len() == 1);
    rig.settled();
    assert_eq!(others(&holding(&rig, "bridge")), [second, first]);
    assert_eq!((rig.found("weir").len(), rig.found("mill").len()), (0, 0));
}

#[test]
fn a_file_that_is_moved_and_edited_while_nobody_looks_is_the_same() {
    let (rig, path, [first, second]) = with_two_versions();
    let target = rig.folder().join("agreed.txt");
    // A disk that does not tell when a file was born cannot tell this from a new file.
    let is_told = fs::metadata(&path).unwrap().created().is_ok();
    rig.engine().stop();
    fs::rename(&path, &target).unwrap();
    fs::write(&target, "meet by the bridge").unwrap();
    rig.rescan();
    let expected = if is_told { vec![second, first] } else { vec![] };
    assert_eq!(others(&holding(&rig, "bridge")), expected);
    assert_eq!(rig.found("mill").len(), 0);
}

#[test]
fn a_move_from_one_watched_folder_to_another_is_a_move() {
    for [from, to] in [["a", "b"], ["b", "a"]] {
        for edited in [false, true] {
            let rig = Rig::new();
            let path = rig.file(&format!("{from}/plan.txt"), "meet by the weir");
            rig.file(&format!("{to}/other.txt"), "the other folder");
            for name in ["a", "b"] {
                rig.watch(|watch| watch.path = text(&rig.folder().join(name)));
            }
            rig.compared();
            fs::write(&path, "meet by the old mill").unwrap();
            rig.rescan();
            let second = holding(&rig, "mill").summary.artifact.id;
            let first = others(&holding(&rig, "mill"));
            let target = rig.folder().join(to).join("agreed.txt");
            let is_told = fs::metadata(&path).unwrap().created().is_ok();
            fs::rename(&path, &target).unwrap();
            if edited {
                fs::write(&target, "meet by the bridge").unwrap();
            }
            rig.rescan();
            let now = holding(&rig, if edited { "bridge" } else { "meet" });
            assert_eq!(now.summary.artifact.source_path, Some(text(&target)), "{from} {edited}");
            if !edited {
                assert_eq!((&now.summary.artifact.id, others(&now)), (&second, first));
            } else if is_told {
                assert_eq!(others(&now), [vec![second], first].concat(), "{from}");
            }
        }
    }
}

#[test]
fn a_new_file_in_a_deleted_ones_place_on_disk_is_another_thing() {
    let (rig, path, _) = with_two_versions();
    rig.engine().stop();
    // Many disks give the next file the number of the one that was just deleted.
    fs::remove_file(&path).unwrap();
    fs::write(rig.folder().join("poem.txt"), "an ode to the heron").unwrap();
    rig.rescan();
    assert_eq!(others(&holding(&rig, "heron")), []);
    assert_eq!(rig.found("mill").len(), 0);
}

#[test]
fn a_file_moved_onto_another_takes_its_place() {
    let (rig, path, [first, second]) = with_two_versions();
    let target = rig.file("agreed.txt", "not agreed, the marsh");
    rig.rescan();
    let replaced = holding(&rig, "marsh").summary.artifact.id;
    fs::rename(&path, &target).unwrap();
    rig.rescan();
    let now = holding(&rig, "mill");
    assert_eq!((&now.summary.artifact.id, now.summary.artifact.source_path.clone()), (&second, Some(text(&target))));
    assert_eq!(others(&now), [replaced, first]);
    assert_eq!(rig.found("marsh").len(), 0);
}

#[test]
fn a_file_is_found_by_its_new_name_even_where_it_was_moved_while_it_was_read() {
    #[track_caller]
    fn check(while_read: bool) {
        let rig = Rig::new();
        if while_read {
            rig.script.ocr.close();
        }
        let path = rig.file("draft.png", inputs::png("the weir by the mill"));
        rig.watch(|_| {});
        rig.compared();
        match while_read {
            true => rig.until("it is being read", || rig.script.ocr.inside() == 1),
            false => rig.settled(),
        }
        let target = path.with_file_name("agreed.png");
        fs::rename(&path, &target).unwrap();
        let moved = format!("SELECT count(*) FROM artifacts WHERE source_path = '{}'", text(&target));
        rig.until("the move is seen", || rig.count(&moved) == 1);
        rig.script.ocr.open();
        rig.settled();
        let table = rig.text(
            "SELECT fts_table FROM space_indexes WHERE kind = 'units' AND space_id = (SELECT space_id FROM memories)",
        );
        assert_eq!(rig.text(&format!("SELECT group_concat(title) FROM {table}")), "agreed.png", "{while_read}");
    }
    check(false);
    check(true);
}

#[test]
fn a_copy_beside_the_original_moves_nothing() {
    let (rig, path, [first, second]) = with_two_versions();
    fs::copy(&path, rig.folder().join("copy.txt")).unwrap();
    rig.rescan();
    let kept = holding(&rig, "mill");
    assert_eq!((&kept.summary.artifact.id, others(&kept)), (&second, vec![first]));
    assert_eq!((kept.summary.artifact.source_path, kept.earlier_paths), (Some(text(&path)), vec![]));
}

#[test]
fn a_space_counts_the_files_that_it_lists() {
    let (rig, path, _) = with_two_versions();
    let count = || rig.run(SpacesList {}).unwrap().spaces.iter().map(|space| space.artifacts).sum::<u64>();
    assert_eq!(count(), 1, "an older version is no file of its own");
    fs::remove_file(path).unwrap();
    rig.rescan();
    assert_eq!(count(), 0);
}
