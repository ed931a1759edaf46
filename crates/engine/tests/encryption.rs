//! Encryption at rest: turned on and off for a whole data folder, cut off anywhere, and everything else as before.

#[allow(dead_code)]
mod support;

use std::path::{Path, PathBuf};
use support::inputs::{self, Page};
use support::{BEGIN, MODEL, Rig, passphrase, traces};
use um_engine::encryption::{self, Passphrase};
use um_model::capture::{INLINE_FILE_BYTES, Media, MediaPart, MediaRead};
use um_model::forget::{ForgetExecute, ForgetPreview, ForgetWhat};
use um_model::health::{HealthCheck, StatusGet};
use um_model::{ArtifactId, ErrorCode, JobStatus};

/// Stands in every text that is kept, in one form or another.
const STEM: &str = "zorvex";

/// A rig with a bit of everything in it, and the file that is too large for a plain database.
fn filled() -> (Rig, ArtifactId) {
    let rig = Rig::new();
    rig.script.speech.store(true, std::sync::atomic::Ordering::Relaxed);
    rig.remember("The zorvexone lighthouse is painted every spring.");
    let docs = [
        ("zorvextwo.md", b"# A zorvexthree\n\nIt stands near the harbour.".to_vec()),
        ("four.png", inputs::png("a picture of zorvexfour here")),
        ("five.pdf", inputs::pdf(None, &[Page::Text("page on zorvexfive".to_owned())])),
        ("six.wav", inputs::wav(&["we talked of zorvexsix then"])),
    ];
    for (name, bytes) in docs {
        let id = rig.ingest(name, bytes);
        rig.reads(&id, JobStatus::Completed);
    }
    let large = rig.ingest("seven.bin", large());
    rig.settled();
    (rig, large)
}

fn large() -> Vec<u8> {
    let mut bytes = b"zorvexseven".to_vec();
    bytes.resize(INLINE_FILE_BYTES as usize + 5, 0xfe);
    bytes
}

fn encrypt(data: &Path) {
    encryption::turn_on(data, &passphrase(), BEGIN).unwrap();
}

fn original(rig: &Rig, id: &ArtifactId) -> Media {
    rig.run(MediaRead { id: id.clone(), part: MediaPart::Original }).unwrap()
}

/// That all is found and shown as when it came in.
#[track_caller]
fn whole(rig: &Rig, large: &ArtifactId) {
    for (words, hits) in [("lighthouse", 1), ("harbour", 1), ("zorvexfour", 1), ("zorvexfive", 1), ("zorvexsix", 1)] {
        assert_eq!(rig.found(words).len(), hits, "{words}");
    }
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(original(rig, large).base64).unwrap();
    assert!(bytes == self::large());
    let report = rig.run(HealthCheck::default()).unwrap();
    assert!(report.ok, "{report:?}");
}

fn is_told_encrypted(rig: &Rig) -> bool {
    rig.run(StatusGet {}).unwrap().encrypted
}

fn copy_file(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(from, to).unwrap();
}

#[test]
fn nothing_in_the_folder_tells_what_is_kept() {
    let (mut rig, large) = filled();
    assert!(!traces(rig.data(), STEM).is_empty());
    rig.meanwhile(MODEL, encrypt);
    assert_eq!(traces(rig.data(), STEM), Vec::<String>::new());
    assert!(is_told_encrypted(&rig));
    whole(&rig, &large);
    rig.engine().start();
    // What comes in from now on; the write-ahead log has it.
    rig.remember("The zorvexeight is new.");
    let mut other = self::large();
    other.push(1);
    let other = rig.ingest("zorvexnine.bin", &other);
    let sound = rig.ingest("ten.wav", inputs::wav(&["we talked of zorvexten"]));
    rig.reads(&sound, JobStatus::Completed);
    rig.settled();
    assert_eq!(original(&rig, &other).mime_type, "application/octet-stream");
    assert_eq!(rig.found("zorvexten").len(), 1);
    assert_eq!(traces(rig.data(), STEM), Vec::<String>::new());
    rig.meanwhile(MODEL, |_| {});
    assert_eq!(traces(rig.data(), STEM), Vec::<String>::new());
}

#[test]
fn it_can_be_turned_off_and_on_again() {
    let (mut rig, large) = filled();
    rig.meanwhile(MODEL, encrypt);
    rig.meanwhile(MODEL, |data| {
        let other = Passphrase::new("another passphrase".to_owned());
        let refused = |code: ErrorCode, result: Result<(), um_model::ApiError>| {
            assert_eq!(result.unwrap_err().code, code);
        };
        refused(ErrorCode::InvalidRequest, encryption::turn_on(data, &passphrase(), BEGIN));
        refused(ErrorCode::WrongKey, encryption::turn_off(data, &other, BEGIN));
        encryption::turn_off(data, &passphrase(), BEGIN).unwrap();
        refused(ErrorCode::InvalidRequest, encryption::turn_off(data, &passphrase(), BEGIN));
        assert!(!data.join("memory.key").exists());
    });
    assert!(!is_told_encrypted(&rig));
    whole(&rig, &large);
    rig.meanwhile(MODEL, encrypt);
    whole(&rig, &large);
}

#[test]
fn without_the_passphrase_it_stays_closed_and_as_it_is() {
    let (mut rig, large) = filled();
    rig.meanwhile(MODEL, |data| {
        let short = Passphrase::new("seven l".to_owned());
        assert_eq!(encryption::turn_on(data, &short, BEGIN).unwrap_err().code, ErrorCode::InvalidRequest);
        encrypt(data);
        let before = [std::fs::read(data.join("memory.db")).unwrap(), std::fs::read(data.join("memory.key")).unwrap()];
        let wrong = Passphrase::new("another passphrase".to_owned());
        assert_eq!(encryption::unlock(data, None).unwrap_err().code, ErrorCode::KeyNeeded);
        assert_eq!(encryption::unlock(data, Some(&wrong)).unwrap_err().code, ErrorCode::WrongKey);
        assert!(before == ["memory.db", "memory.key"].map(|name| std::fs::read(data.join(name)).unwrap()));
        // Another passphrase, and back.
        encryption::change_passphrase(data, &passphrase(), &wrong).unwrap();
        assert_eq!(encryption::unlock(data, Some(&passphrase())).unwrap_err().code, ErrorCode::WrongKey);
        encryption::change_passphrase(data, &wrong, &passphrase()).unwrap();
        assert!(before[0] == std::fs::read(data.join("memory.db")).unwrap());
    });
    whole(&rig, &large);
    // A key without its database is no reason to begin a new one that is not encrypted.
    let copy = rig.copied(1);
    std::fs::remove_file(copy.join("memory.db")).unwrap();
    for _ in 0..2 {
        assert_eq!(rig.open(&copy, MODEL).err().unwrap().code, ErrorCode::Conflict);
    }
    // And a database without its key is none either.
    let copy = rig.copied(2);
    std::fs::remove_file(copy.join("memory.key")).unwrap();
    assert_eq!(rig.open(&copy, MODEL).err().unwrap().code, ErrorCode::KeyNeeded);
}

/// The folder before and after, and what a conversion that was cut off leaves of both.
#[test]
fn wherever_it_is_cut_off_one_of_both_is_whole() {
    let (mut rig, large) = filled();
    rig.meanwhile(MODEL, |_| {});
    let plain = rig.copied(1);
    rig.meanwhile(MODEL, encrypt);
    let encrypted = rig.copied(2);
    let blobs = |to: &Path| {
        for uri in walk(&plain.join("blobs")) {
            copy_file(&uri, &to.join(uri.strip_prefix(&plain).unwrap()));
        }
    };
    let database = |from: &Path, to: PathBuf| copy_file(&from.join("memory.db"), &to);
    type Left<'a> = &'a dyn Fn(&Path);
    let cases: [(&str, bool, Left<'_>); 6] = [
        ("while the new one is written", false, &|to| {
            database(&plain, to.join("memory.db"));
            std::fs::write(to.join("memory.db.new"), b"half of it").unwrap();
            std::fs::write(to.join("memory.db.new-wal"), b"half of it").unwrap();
            blobs(to);
        }),
        ("before the renames", false, &|to| {
            database(&plain, to.join("memory.db"));
            database(&encrypted, to.join("memory.db.new"));
            blobs(to);
        }),
        ("between the renames", true, &|to| {
            database(&plain, to.join("memory.db.old"));
            database(&encrypted, to.join("memory.db.new"));
            blobs(to);
        }),
        ("after the renames", true, &|to| {
            database(&plain, to.join("memory.db.old"));
            database(&encrypted, to.join("memory.db"));
            blobs(to);
        }),
        ("while the old one is destroyed", true, &|to| {
            std::fs::write(to.join("memory.db.old"), [0; 5000]).unwrap();
            database(&encrypted, to.join("memory.db"));
        }),
        ("between the renames of turning it off", false, &|to| {
            database(&encrypted, to.join("memory.db.old"));
            database(&plain, to.join("memory.db.new"));
            blobs(to);
        }),
    ];
    for (number, (when, is_encrypted, left)) in cases.into_iter().enumerate() {
        let to = plain.with_file_name(format!("cut-{number}"));
        std::fs::create_dir(&to).unwrap();
        for name in ["memory.key", "forgotten.key"] {
            copy_file(&encrypted.join(name), &to.join(name));
        }
        left(&to);
        assert_eq!(encryption::is_encrypted(&to), is_encrypted, "{when}");
        rig.move_to(to.clone());
        assert_eq!(is_told_encrypted(&rig), is_encrypted, "{when}");
        whole(&rig, &large);
        assert_eq!(traces(&to, STEM).is_empty(), is_encrypted, "{when}");
        assert!(!to.join("memory.db.old").exists() && !to.join("memory.db.new").exists(), "{when}");
        if !is_encrypted {
            // Once more, with the key that the interrupted one made.
            rig.meanwhile(MODEL, encrypt);
            whole(&rig, &large);
            assert_eq!(traces(&to, STEM), Vec::<String>::new(), "{when}");
        }
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn a_folder_in_use_is_left_alone() {
    let rig = Rig::resting();
    let refused = encryption::turn_on(rig.data(), &passphrase(), BEGIN).unwrap_err();
    assert_eq!(refused.code, ErrorCode::DataFolderInUse);
    assert!(!is_told_encrypted(&rig));
}

#[test]
fn what_is_forgotten_is_searched_for_in_the_pages_as_they_are_without_encryption() {
    let (mut rig, large) = filled();
    rig.meanwhile(MODEL, encrypt);
    rig.engine().start();
    let gone = rig.remember("The zorvexgone archive burned down in autumn.");
    rig.settled();
    for what in [
        ForgetWhat { memory: Some(gone.id), ..ForgetWhat::default() },
        ForgetWhat { artifact: Some(large), ..ForgetWhat::default() },
    ] {
        let plan = rig.run(ForgetPreview { what: what.clone() }).unwrap();
        let report = rig.run(ForgetExecute { what, token: plan.token }).unwrap();
        assert_eq!((report.status.as_str(), report.proof.left), ("done", 0), "{report:?}");
        assert!(report.proof.searched > 0, "{report:?}");
        assert!(report.proof.bytes > std::fs::metadata(rig.data().join("memory.db")).unwrap().len() / 2, "{report:?}");
    }
    assert!(rig.found("zorvexgone").is_empty());
    assert_eq!(rig.found("lighthouse").len(), 1);
}
