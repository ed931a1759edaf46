//! `umem` on a data folder that is encrypted and decrypted, with the passphrase in a file or on standard input.

#[allow(dead_code)]
#[path = "umem/support.rs"]
mod support;

use std::path::Path;
use std::process::Output;
use support::{Folder, code, words};

fn run(folder: &Folder, passphrase: Option<&Path>, args: &[&str]) -> Output {
    let mut command = folder.command(args);
    match passphrase {
        Some(file) => command.env("UM_PASSPHRASE_FILE", file),
        None => command.env_remove("UM_PASSPHRASE_FILE"),
    };
    command.output().unwrap()
}

#[track_caller]
fn done(output: Output) -> String {
    assert_eq!(code(&output), 0, "{}", words(&output));
    words(&output)
}

#[test]
fn a_folder_is_encrypted_used_and_decrypted() {
    let folder = Folder::new();
    let right = folder.file("right", "four words, seldom said\n");
    let wrong = folder.file("wrong", "four other words\n");
    let both = folder.file("both", "four words, seldom said\nfour other words\n");
    done(run(&folder, None, &["remember", "The spare key hangs behind the boiler.", "--space", "default"]));
    assert!(done(run(&folder, None, &["status"])).contains("encrypted          no"));
    assert_eq!(code(&run(&folder, None, &["encryption", "on"])), 1);
    // The service that was started above ends by itself.
    assert!(done(run(&folder, Some(&right), &["encryption", "on"])).contains("is encrypted"));
    let recall = &["recall", "Where is the spare key?"];
    for (passphrase, said) in [(None, "UM_PASSPHRASE_FILE"), (Some(&*wrong), "does not open")] {
        let refused = run(&folder, passphrase, recall);
        assert_eq!(code(&refused), 1);
        assert!(words(&refused).contains(said), "{}", words(&refused));
    }
    assert!(done(run(&folder, Some(&right), recall)).contains("behind the boiler"));
    // The service runs, and whoever comes to it needs no passphrase.
    assert!(done(run(&folder, None, recall)).contains("behind the boiler"));
    assert!(done(run(&folder, None, &["status"])).contains("encrypted          yes"));
    done(run(&folder, None, &["stop"]));
    done(run(&folder, Some(&both), &["encryption", "passphrase"]));
    assert_eq!(code(&run(&folder, Some(&right), recall)), 1);
    assert!(done(run(&folder, Some(&wrong), &["encryption", "off"])).contains("is not encrypted"));
    assert!(done(run(&folder, None, recall)).contains("behind the boiler"));
}
