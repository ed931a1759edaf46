//! An encrypted data folder, and a build that opens none.

use crate::support::{Folder, code, words};

#[test]
fn a_build_without_encryption_says_so_and_changes_nothing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.data()).unwrap();
    let database = folder.data().join("memory.db");
    let random: Vec<u8> = (0..8192_u32).map(|at| (at * 7 % 251) as u8).collect();
    std::fs::write(&database, &random).unwrap();
    std::fs::write(folder.data().join("memory.key"), &random).unwrap();
    let passphrase = folder.file("passphrase", "four words, seldom said\n");
    for args in [&["status"][..], &["serve"], &["encryption", "off"]] {
        let refused = folder.command(args).env("UM_PASSPHRASE_FILE", &passphrase).output().unwrap();
        assert_eq!(code(&refused), 3, "{args:?}: {}", words(&refused));
        assert!(words(&refused).contains("--features encryption"), "{args:?}: {}", words(&refused));
    }
    let (exit, status) = folder.json(&["encryption", "status"]);
    assert_eq!((exit, &status["encrypted"], &status["possible"]), (0, &true.into(), &false.into()));
    assert_eq!(std::fs::read(&database).unwrap(), random);
}
