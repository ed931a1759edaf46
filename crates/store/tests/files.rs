//! Files and their bytes: changed cheaply, checked, and gone when they are redacted.

use rusqlite::Connection;
use std::path::PathBuf;
use um_model::{AgentId, ArtifactId, Modality, SpaceId};
use um_store::artifacts::{self, Bytes, Measures, NewArtifact};
use um_store::keyed::Key;
use um_store::rejected::Checked;
use um_store::{Keys, Store, StoreResult, checks};

struct Folder {
    path: PathBuf,
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { path: folder.path().join("memory.db"), folder }
    }

    fn store(&self) -> Store {
        Store::open(&self.path, Keys::hashing(Key::new([1; 32])), 1).unwrap()
    }

    fn journal(&self) -> u64 {
        std::fs::metadata(self.folder.path().join("memory.db-wal")).map_or(0, |file| file.len())
    }

    /// Changes the database as one can who has the file: with no trigger and no reference in the way.
    fn harm(&self, sql: &str) {
        let db = Connection::open(&self.path).unwrap();
        let triggers: Vec<String> = {
            let mut found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").unwrap();
            found.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        triggers.iter().for_each(|name| db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
        db.pragma_update(None, "foreign_keys", "OFF").unwrap();
        assert!(db.execute(sql, []).unwrap() > 0, "{sql}");
    }
}

fn add(store: &Store, bytes: Bytes, byte_size: u64) -> ArtifactId {
    let new = NewArtifact {
        space: SpaceId::parse("00000000-0000-7000-8000-000000000002").unwrap(),
        actor: AgentId::owner(),
        content_hash: format!("hash of {byte_size}"),
        filename: "scan.png".into(),
        source_path: None,
        mime_type: "image/png".into(),
        modality: Modality::Image,
        byte_size,
        bytes,
        occurred_at: None,
    };
    store.write(move |tx| artifacts::insert(tx, &Checked::held(new), 1)).unwrap()
}

#[test]
fn bytes_come_back_from_where_they_lie() {
    let folder = Folder::new();
    let store = folder.store();
    for (bytes, size) in [(Bytes::Inline(vec![1, 2, 3]), 3), (Bytes::File("aa/bb".into()), 4)] {
        let id = add(&store, bytes.clone(), size);
        assert_eq!(store.read(|c| artifacts::bytes(c, &id)).unwrap(), Some(bytes));
    }
    let gone: StoreResult<ArtifactId> = store.write(|tx| {
        let sql = "UPDATE artifacts SET is_redacted = 1, redacted_at = 2, bytes_id = NULL, storage_uri = NULL,
                     original_filename = NULL RETURNING id";
        let ids: Vec<String> = tx.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        assert_eq!(tx.query_row("SELECT count(*) FROM artifact_bytes", [], |row| row.get::<_, i64>(0))?, 0);
        Ok(ArtifactId::parse(ids[0].clone())?)
    });
    let gone = gone.unwrap();
    assert_eq!(store.read(|c| artifacts::bytes(c, &gone)).unwrap(), Some(Bytes::Gone));
}

#[test]
fn changing_a_file_does_not_write_its_bytes_again() {
    let folder = Folder::new();
    let id = add(&folder.store(), Bytes::Inline(vec![7; 5_000_000]), 5_000_000);
    // The last one to close the database empties its journal: what is in it afterwards is of the change.
    let store = folder.store();
    store
        .write(move |tx| artifacts::set_measures(tx, &id, Measures { width: Some(8), ..Measures::default() }))
        .unwrap();
    let written = folder.journal();
    assert!((1..100_000).contains(&written), "{written} bytes");
}

#[test]
fn bytes_that_do_not_fit_their_file_are_found() {
    #[track_caller]
    fn check(harm: &str, expected: &[&str]) {
        let folder = Folder::new();
        add(&folder.store(), Bytes::Inline(vec![1, 2, 3]), 3);
        if !harm.is_empty() {
            folder.harm(harm);
        }
        let found = folder.store().inspect(checks::run).unwrap();
        // The file of this test stands for no memory.
        let ill: Vec<String> =
            found.into_iter().filter(|c| !c.ok && c.name != "artifacts").map(|check| check.name).collect();
        assert_eq!(ill, expected, "{harm}");
    }
    check("", &[]);
    check("DELETE FROM artifact_bytes", &["foreign_keys", "file_bytes"]);
    check("UPDATE artifact_bytes SET blob = x'01'", &["file_bytes"]);
    check("INSERT INTO artifact_bytes (id, space_id, blob) VALUES ('lone', 'GLOBAL', x'01')", &["file_bytes"]);
}

#[test]
fn a_long_journal_is_emptied_once_nobody_reads_from_it() {
    let (folder, bytes) = (Folder::new(), vec![7; 1 << 20]);
    let store = folder.store();
    let write = |size| add(&store, Bytes::Inline(bytes.clone()), size);
    // The first of these keeps the log from beginning anew while the others are kept.
    let kept: StoreResult<u64> = store.read(|c| {
        c.query_row("SELECT count(*) FROM artifacts", [], |_| Ok(()))?;
        (0..100).for_each(|size| drop(write(size)));
        Ok(folder.journal())
    });
    assert!(kept.unwrap() > 100 << 20, "readers keep what they read");
    (100..200).for_each(|size| drop(write(size)));
    assert!(folder.journal() < 100 << 20, "{} bytes", folder.journal());
}
