//! Thumbnails: kept for files in use, few, and gone with their files.

use um_model::{AgentId, ArtifactId, Modality, SpaceId};
use um_store::artifacts::{self, Bytes, NewArtifact};
use um_store::keyed::Key;
use um_store::rejected::Checked;
use um_store::{Keys, Store, thumbnails};

fn add(store: &Store, number: u32) -> ArtifactId {
    let new = NewArtifact {
        space: SpaceId::default_project(),
        actor: AgentId::owner(),
        content_hash: format!("hash {number}"),
        filename: "a.png".into(),
        source_path: None,
        mime_type: "image/png".into(),
        modality: Modality::Image,
        byte_size: 1,
        bytes: Bytes::Inline(vec![1]),
        occurred_at: None,
    };
    store.write(move |tx| artifacts::insert(tx, &Checked::held(new), 1)).unwrap()
}

fn keep(store: &Store, id: &ArtifactId, jpeg: &'static [u8]) {
    let id = id.clone();
    store.write(move |tx| thumbnails::keep(tx, &id, jpeg, 2)).unwrap();
}

fn kept(store: &Store, id: &ArtifactId) -> Option<Vec<u8>> {
    store.read(|c| thumbnails::of(c, id)).unwrap()
}

#[test]
fn a_thumbnail_lives_as_long_as_its_file_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("memory.db"), Keys::hashing(Key::new([1; 32])), 1).unwrap();
    let id = add(&store, 0);
    keep(&store, &id, b"small");
    keep(&store, &id, b"another");
    assert_eq!(kept(&store, &id).as_deref(), Some(&b"small"[..]));
    let removed = id.clone();
    store.write(move |tx| artifacts::set_deleted(tx, &removed, true, 3)).unwrap();
    assert_eq!(kept(&store, &id), None);
    keep(&store, &id, b"late");
    assert_eq!(kept(&store, &id), None, "one that was being made comes too late");
}

#[test]
fn the_oldest_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("memory.db"), Keys::hashing(Key::new([1; 32])), 1).unwrap();
    let [first, second] = [0, 1].map(|number| add(&store, number));
    keep(&store, &first, b"1");
    // As if all others had been made and had gone again.
    let number = i64::from(thumbnails::MOST) + 1;
    let other = second.clone();
    store
        .write(move |tx| {
            tx.execute(
                "INSERT INTO thumbnails (rid, id, artifact_id, space_id, blob, created_at)
                 VALUES (?1, 'x', ?2, ?3, x'02', 2)",
                rusqlite::params![number, other.as_str(), SpaceId::default_project().as_str()],
            )
            .map_err(um_store::StoreError::from)
        })
        .unwrap();
    assert!(kept(&store, &first).is_some());
    let third = add(&store, 2);
    keep(&store, &third, b"3");
    assert_eq!([&first, &second, &third].map(|id| kept(&store, id).is_some()), [false, true, true]);
}
