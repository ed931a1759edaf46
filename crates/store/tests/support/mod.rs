//! A store with memories in it. Each test uses a part of this.
#![allow(dead_code)]

use std::path::Path;
use um_model::{AgentId, EpochMs, MemoryId, MemoryScope, MemoryStatus, SpaceId, SpaceType, Utf16Span, ViewId};
use um_store::filter::Admitted;
use um_store::keyed::Key;
use um_store::rejected::Checked;
use um_store::units::{self, NewUnit, Source, Which};
use um_store::{Keys, Store, StoreResult, fts, memories, spaces, vectors};

pub const MODEL: &str = "all-MiniLM-L6-v2";

pub struct Folder {
    pub store: Store,
    pub folder: tempfile::TempDir,
}

pub fn open() -> Folder {
    let folder = tempfile::tempdir().unwrap();
    Folder { store: open_at(&folder), folder }
}

pub fn open_at(folder: &tempfile::TempDir) -> Store {
    Store::open(&folder.path().join("memory.db"), Keys::hashing(Key::new([1; 32])), 1).unwrap()
}

/// A database as the version before a migration left it, in this file or in memory; and that migration, by the beginning of its name.
pub fn before(file: impl AsRef<Path>, migration: &str) -> (um_store::Connection, &'static str) {
    let upto = um_store::MIGRATIONS.iter().position(|(name, _)| name.starts_with(migration)).unwrap();
    um_store::register_sqlite_vec();
    let db = um_store::Connection::open(file).unwrap();
    um_store::register_functions(&db).unwrap();
    um_store::MIGRATIONS[..upto].iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
    db.pragma_update(None, "user_version", upto as i64).unwrap();
    (db, um_store::MIGRATIONS[upto].1)
}

/// What SQLite calls a database that is in no file.
pub const IN_MEMORY: &str = ":memory:";

pub fn write<T: Send + 'static>(
    store: &Store,
    work: impl FnOnce(&um_store::Transaction<'_>) -> StoreResult<T> + Send + 'static,
) -> T {
    store.write(work).unwrap()
}

pub fn read<T>(store: &Store, work: impl FnOnce(&um_store::Connection) -> StoreResult<T>) -> T {
    store.read(work).unwrap()
}

pub fn space(store: &Store, name: &str) -> SpaceId {
    let name = name.to_owned();
    write(store, move |tx| spaces::insert(tx, &name, SpaceType::Project, None, &AgentId::owner(), 1))
}

/// A vector that points somewhere else for each number.
pub fn vector_of(number: u64) -> Vec<f32> {
    let mut vector = vec![0.0f32; 384];
    vector[(number as usize * 7) % 384] = 0.8;
    vector[(number as usize * 13 + 1) % 384] = 0.6;
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    vector.iter().map(|v| v / length).collect()
}

/// A memory of several passages, each a sentence.
pub fn remember(store: &Store, space: &SpaceId, number: u64, sentences: &[String]) -> MemoryId {
    remember_at(store, space, number, sentences, None)
}

/// A memory of several passages of something that happened then.
pub fn remember_at(
    store: &Store,
    space: &SpaceId,
    number: u64,
    sentences: &[String],
    occurred_at: Option<EpochMs>,
) -> MemoryId {
    let new = new_memory(space, number, sentences.join(" "), occurred_at);
    let space = space.clone();
    let mut cut = Vec::new();
    let mut at = 0;
    for sentence in sentences {
        let end = at + sentence.len() as u32;
        let span = Utf16Span::new(at, end);
        cut.push(NewUnit {
            span,
            text: sentence.clone(),
            heading_path: None,
            segment: None,
            token_count: 5,
            mail: None,
        });
        at = end + 1;
    }
    write(store, move |tx| {
        let (memory, _) = memories::insert(tx, &Checked::held(new), 1)?;
        units::insert(tx, &space, &memory, Source::Memory(&memory), "", &cut, 1)?;
        Ok(memory)
    })
}

/// A memory of something that happened then, as it comes in.
pub fn new_memory(space: &SpaceId, number: u64, content: String, occurred_at: Option<EpochMs>) -> memories::NewMemory {
    memories::NewMemory {
        space: space.clone(),
        actor: AgentId::owner(),
        content_hash: format!("{number}"),
        content: Some(content),
        modality: "text".into(),
        artifact: None,
        title: None,
        scope: MemoryScope::Fact,
        classification_confidence: 0.5,
        classifier_id: "test".into(),
        source_type: "user_input",
        memory_key: None,
        supersedes: None,
        owner: None,
        session: None,
        occurred_at,
        envelope: Default::default(),
    }
}

/// Files of which only the names are known.
pub fn name_files(store: &Store, space: &SpaceId, names: &[String]) {
    let (space, names) = (space.clone(), names.to_vec());
    write(store, move |tx| {
        for (number, name) in names.iter().enumerate() {
            let [file, view] = ["a", "b"].map(|kind| format!("00000000-0000-7000-8{kind}00-{number:012}"));
            tx.prepare_cached(
                "INSERT INTO artifacts (id, space_id, actor_id, content_hash, mime_type, modality, storage_backend,
                   storage_uri, valid_from, created_at)
                 VALUES (?1, ?2, ?3, ?1, 'image/png', 'image', 'filesystem', 'aa/bb', 1, 1)",
            )?
            .execute([file.as_str(), space.as_str(), AgentId::owner().as_str()])?;
            tx.prepare_cached(
                "INSERT INTO derived_text_views (id, artifact_id, space_id, actor_id, view_type, text, extractor_id,
                   config_hash, created_at) VALUES (?1, ?2, ?3, ?4, 'metadata_text', ?5, 'metadata', '1', 1)",
            )?
            .execute([
                view.as_str(),
                file.as_str(),
                space.as_str(),
                AgentId::owner().as_str(),
                name.as_str(),
            ])?;
            let new = new_memory(&space, 1_000_000 + number as u64, name.clone(), None);
            let (memory, _) = memories::insert(tx, &Checked::held(new), 1)?;
            let span = Utf16Span::new(0, name.len() as u32);
            let unit =
                NewUnit { span, text: name.clone(), heading_path: None, segment: None, token_count: 5, mail: None };
            units::insert(tx, &space, &memory, Source::View(&ViewId::parse(view)?), name, &[unit], 1)?;
        }
        Ok(())
    });
}

pub fn set_active(store: &Store, space: &SpaceId, memory: &MemoryId, active: bool) {
    let (space, memory) = (space.clone(), memory.clone());
    write(store, move |tx| {
        let to = if active { MemoryStatus::Active } else { MemoryStatus::Deleted };
        if active {
            memories::set_status(tx, &memory, to, 2)?;
            units::activate(tx, &space, &memory)
        } else {
            memories::set_status(tx, &memory, to, 2)?;
            units::deactivate(tx, &space, Which::OfMemory(&memory))
        }
    });
}

pub fn embed(store: &Store, memory: &MemoryId, number: u64) {
    embed_as(store, memory, move |_| vector_of(number));
}

/// Gives each passage that has none the vector of its place in the memory.
pub fn embed_as(store: &Store, memory: &MemoryId, vector: impl Fn(usize) -> Vec<f32> + Send + 'static) {
    let memory = memory.clone();
    write(store, move |tx| {
        for (place, rid) in units::unembedded(tx, &memory, MODEL, usize::MAX)?.rids.into_iter().enumerate() {
            vectors::insert_unit(tx, rid, MODEL, &vector(place), 1)?;
        }
        Ok(())
    });
}

/// What the words find in a space, with their scores, bit for bit.
pub fn search(store: &Store, space: &SpaceId, words: &str) -> Vec<(i64, u64)> {
    let found = read(store, |c| fts::search(c, space, words, &Admitted::All, 1000));
    found.into_iter().map(|(rid, score)| (rid, score.to_bits())).collect()
}

pub fn nearest(store: &Store, space: &SpaceId, number: u64) -> Vec<(i64, f64)> {
    let spaces = std::slice::from_ref(space);
    read(store, |c| vectors::nearest(c, spaces, &vector_of(number), &Admitted::All, 1000))
}
