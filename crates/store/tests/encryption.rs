//! An encrypted database: the whole schema with its indexes works in it, nothing of it can be read without its key, and
//! what was changed from outside is found.

use std::io::Read;
use std::path::{Path, PathBuf};
use support::{embed, nearest, remember, search, set_active, space};
use um_model::SpaceId;
use um_store::cipher::{self, DatabaseKey};
use um_store::keyed::Key;
use um_store::{Keys, Store, StoreError, checks};

mod support;

const SAID: &str = "Zanzibar lighthouse keeper";
const KEY: [u8; 32] = [7; 32];

fn keys() -> Keys {
    Keys::hashing(Key::new([1; 32]))
}

/// A database with a memory in it, not encrypted, and the space that the memory is in.
fn plain(folder: &Path) -> (PathBuf, SpaceId) {
    let path = folder.join("plain.db");
    let store = Store::open(&path, keys(), 1).unwrap();
    let space = space(&store, "a");
    for number in 0..80 {
        let memory = remember(&store, &space, number, &[format!("{SAID} number {number}.")]);
        embed(&store, &memory, number);
    }
    (path, space)
}

fn encrypted(folder: &Path) -> (PathBuf, DatabaseKey, SpaceId) {
    let (plain, space) = plain(folder);
    let (path, key) = (folder.join("encrypted.db"), DatabaseKey::new(KEY));
    cipher::copy_as((&plain, None), (&path, Some(&key))).unwrap();
    std::fs::remove_file(plain).unwrap();
    (path, key, space)
}

fn holds(bytes: &[u8], text: &str) -> bool {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [text.as_bytes(), &wide].iter().any(|form| bytes.windows(form.len()).any(|at| at.eq_ignore_ascii_case(form)))
}

/// Whether any file of a folder has these words.
fn told(folder: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.is_file()).any(|path| holds(&std::fs::read(path).unwrap(), text))
}

#[test]
fn it_is_found_as_before_and_no_file_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, key, space) = encrypted(folder.path());
    assert!(!told(folder.path(), "Zanzibar"));
    let store = Store::open(&path, Keys { database: Some(key.clone()), ..keys() }, 2).unwrap();
    assert!(store.is_encrypted());
    assert_eq!(search(&store, &space, "lighthouse").len(), 80);
    assert_eq!(nearest(&store, &space, 5).len(), 80);
    let memory = remember(&store, &space, 900, &["Quokkas of Rottnest.".to_owned()]);
    embed(&store, &memory, 900);
    assert_eq!(search(&store, &space, "quokkas").len(), 1);
    set_active(&store, &space, &memory, false);
    assert!(search(&store, &space, "quokkas").is_empty());
    // The write-ahead log has it still.
    assert!(std::fs::metadata(folder.path().join("encrypted.db-wal")).unwrap().len() > 0);
    assert!(!told(folder.path(), "Rottnest") && !told(folder.path(), "Zanzibar"));
    let ill: Vec<_> = store.inspect(checks::run).unwrap().into_iter().filter(|check| !check.ok).collect();
    assert!(ill.is_empty(), "{ill:?}");
    assert!(store.inspect(|c| checks::encryption(c, true)).unwrap().ok);
}

#[test]
fn it_comes_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (path, key, space) = encrypted(folder.path());
    let back = folder.path().join("back.db");
    cipher::copy_as((&path, Some(&key)), (&back, None)).unwrap();
    assert!(cipher::is_encrypted(&path) && !cipher::is_encrypted(&back));
    let store = Store::open(&back, keys(), 2).unwrap();
    assert_eq!(search(&store, &space, "lighthouse").len(), 80);
    assert_eq!(nearest(&store, &space, 5).len(), 80);
}

#[test]
fn without_its_key_it_stays_closed_and_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _, _) = encrypted(folder.path());
    let before = std::fs::read(&path).unwrap();
    let opened = |key| Store::open(&path, Keys { database: key, ..keys() }, 2).err().unwrap();
    assert!(matches!(opened(None), StoreError::KeyNeeded));
    assert!(matches!(opened(Some(DatabaseKey::new([8; 32]))), StoreError::WrongKey));
    assert!(before == std::fs::read(&path).unwrap());
}

#[test]
fn pages_are_read_without_encryption_to_the_last_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, key, space) = encrypted(folder.path());
    let store = Store::open(&path, Keys { database: Some(key), ..keys() }, 2).unwrap();
    // Goes to the end of the file, so that its pages are the last ones.
    remember(&store, &space, 901, &["Last of all, the axolotl.".to_owned()]);
    store.scrub(Vec::new(), false).unwrap();
    let mut pages = Vec::new();
    store.raw(&path).unwrap().read_to_end(&mut pages).unwrap();
    assert!(holds(&pages, SAID) && holds(&pages, "axolotl"));
}

#[test]
fn what_was_changed_or_moved_from_outside_is_found() {
    const PAGE: usize = 4096;
    let swap = |bytes: &mut Vec<u8>| (0..PAGE).for_each(|at| bytes.swap(5 * PAGE + at, 6 * PAGE + at));
    let flip = |bytes: &mut Vec<u8>| bytes[5 * PAGE + 9] ^= 1;
    let changes: [&dyn Fn(&mut Vec<u8>); 2] = [&swap, &flip];
    for change in changes {
        let folder = tempfile::tempdir().unwrap();
        let (path, key, _) = encrypted(folder.path());
        let mut bytes = std::fs::read(&path).unwrap();
        change(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        if let Ok(store) = Store::open(&path, Keys { database: Some(key), ..keys() }, 2) {
            assert!(!store.inspect(|c| checks::encryption(c, true)).unwrap().ok);
        }
    }
}

#[test]
fn a_passphrase_opens_the_key_that_it_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, key) = (folder.path().join("memory.key"), DatabaseKey::new(KEY));
    cipher::seal(&path, "it's a \"long\" one", &key).unwrap();
    assert!(cipher::unseal(&path, "it's a \"long\" one").unwrap() == key);
    assert!(matches!(cipher::unseal(&path, "it is another"), Err(StoreError::WrongKey)));
    assert!(!std::fs::read(&path).unwrap().windows(32).any(|window| window == KEY));
}
