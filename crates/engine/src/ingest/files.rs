//! Keeping a file.

use super::blobs::{self, Incoming};
use super::{classify, remember, replace};
use crate::error::{Fault, Outcome};
use crate::extract::{FileType, Reader, Text};
use crate::forget::Door;
use crate::{Caller, Engine, work};
use sha2::{Digest, Sha256};
use std::path::Path;
use um_model::capture::{Artifact, IngestedFile, Memory};
use um_model::health::Event;
use um_model::{
    AgentId, ApiError, ArtifactId, EpochMs, JobStatus, MemoryId, MemoryStatus, Modality, SpaceId, ViewType,
};
use um_store::artifacts::{self, NewArtifact, Whereabouts};
use um_store::envelope::NewEnvelope;
use um_store::memories::{self, Label, NewMemory};
use um_store::rejected::{Checked, Said, Says};
use um_store::units::{self, Source};
use um_store::views::{self, NewSegment, NewView, Owner};
use um_store::watches;
use um_store::{Connection, Transaction};
use um_store::{evidence, jobs};

/// How a file comes in.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    /// The space it goes to.
    pub(crate) space: SpaceId,
    /// Its name.
    pub(crate) name: String,
    /// Its path, where it has one: two contents of one path are two versions of one thing.
    pub(crate) path: Option<String>,
    /// When it was last changed.
    pub(crate) modified: Option<EpochMs>,
    /// When what it holds was made or happened, where whoever brings it in says so: that counts for more than what the
    /// file says itself.
    pub(crate) occurred: Option<EpochMs>,
    /// Priority of its reading.
    pub(crate) priority: i64,
    /// Envelope: whose it is.
    pub(crate) owner: Option<String>,
    /// Envelope: the session it comes from.
    pub(crate) session: Option<String>,
    /// The memory that stood for this path before, where the caller knows one.
    pub(crate) replaces: Option<MemoryId>,
    /// Whether a file that the person removed comes back by this.
    pub(crate) revives: bool,
}

/// A file that is kept now.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) artifact: ArtifactId,
    pub(crate) memory: MemoryId,
    pub(crate) created: bool,
    pub(crate) hash: String,
}

impl Kept {
    /// As it is told to whoever brought it in.
    pub(super) fn told(&self, path: &Path) -> IngestedFile {
        IngestedFile {
            path: path_text(path),
            artifact_id: Some(self.artifact.clone()),
            memory_id: Some(self.memory.clone()),
            created: self.created,
            error: None,
        }
    }
}

/// A file's last name.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "unnamed".to_owned(), |name| path_text(Path::new(name)))
}

/// A path as text. Bytes that are no Unicode, such as names of older systems, are written as `\xFC`: two files whose
/// names differ in them alone are two.
pub(crate) fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    text
}

/// When a file was last changed, as far as that has a date.
pub(crate) fn modified(path: &Path) -> Option<EpochMs> {
    let changed = std::fs::metadata(path).and_then(|m| m.modified()).ok()?;
    let since = changed.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().filter(|at| crate::clock::has_date(*at))
}

/// Keeps a file of this machine.
///
/// # Errors
/// `FileTooLarge`, `Forgotten`, `Io`, `Database`.
pub(crate) fn keep_file(engine: &Engine, caller: &Caller, path: &Path, arrival: &Arrival) -> Outcome<Kept> {
    let incoming = blobs::take(engine, path)?;
    keep(engine, caller, incoming, arrival)
}

/// Keeps a file whose bytes are here.
pub(crate) fn keep_bytes(engine: &Engine, caller: &Caller, bytes: Vec<u8>, arrival: &Arrival) -> Outcome<Kept> {
    let incoming = blobs::take_bytes(engine, bytes, &arrival.name)?;
    keep(engine, caller, incoming, arrival)
}

impl Engine {
    /// Keeps a file that comes as bytes, from a file chooser of the window.
    ///
    /// # Errors
    /// `FileTooLarge`, `NotFound` for the space, `Io`, `Database`.
    pub fn ingest_bytes(&self, caller: &Caller, name: &str, space: &str, bytes: Vec<u8>) -> Outcome<IngestedFile> {
        let space = self.read(|c| crate::spaces::resolve(c, caller, space))?;
        let arrival = Arrival {
            space: space.id,
            name: file_name(Path::new(name)),
            path: None,
            modified: None,
            occurred: None,
            priority: jobs::PRIORITY_PERSON,
            owner: None,
            session: None,
            replaces: None,
            revives: true,
        };
        keep_bytes(self, caller, bytes, &arrival).map(|kept| kept.told(Path::new(name)))
    }
}

/// All that a file brings in, but for the words in it, which are compared once it is read.
struct Given<'a> {
    arrival: &'a Arrival,
    sha256: &'a str,
}

impl Says for Given<'_> {
    fn says(&self, tell: &mut dyn FnMut(Said<'_>)) {
        let arrival = self.arrival;
        tell(Said::Bytes(self.sha256));
        tell(Said::Name(&arrival.name));
        arrival.path.iter().for_each(|path| tell(Said::Path(path)));
        memory_key(arrival).iter().for_each(|key| tell(Said::Name(key)));
        [&arrival.owner, &arrival.session].into_iter().flatten().for_each(|label| tell(Said::Name(label)));
    }
}

fn keep(engine: &Engine, caller: &Caller, incoming: Incoming, arrival: &Arrival) -> Outcome<Kept> {
    let mut file_type = incoming.file_type(&arrival.name)?;
    if incoming.size == 0 {
        // There is nothing to read; it is kept, and found by its name.
        file_type.reader = Reader::None;
    }
    let (hash, size) = (incoming.hash.clone(), incoming.size);
    let door = engine.read(|c| Door::compared(c, engine.key(), &arrival.space, &Given { arrival, sha256: &hash }))?;
    let known = engine.read(|c| Ok(artifacts::by_hash(c, &arrival.space, &hash)?))?;
    let bytes = match known {
        // The bytes are here already: nothing is written a second time, unless they were taken away from outside.
        Some(_) if !incoming.is_lacking(engine.data_dir(), &arrival.space) => None,
        _ => Some(incoming.place(engine.data_dir(), &arrival.space)?),
    };
    let (caller, arrival, now) = (caller.clone(), arrival.clone(), engine.now());
    let kept = engine.write(move |tx| {
        if let Some(known) = artifacts::by_hash(tx, &arrival.space, &hash)? {
            return keep_known(tx, (&caller, &door), &known, &arrival, now);
        }
        let Some(bytes) = bytes else {
            return Err(ApiError::new(um_model::ErrorCode::Conflict, "The file was purged while it came in.")
                .hint("Try again.")
                .into());
        };
        let new = NewArtifact {
            space: arrival.space.clone(),
            actor: caller.actor.clone(),
            content_hash: hash,
            filename: arrival.name.clone(),
            source_path: arrival.path.clone(),
            mime_type: file_type.mime_type.clone(),
            modality: file_type.modality,
            byte_size: size,
            bytes,
            occurred_at: arrival.modified,
        };
        keep_new(tx, (&caller, &door), new, &file_type, &arrival, now)
    })?;
    engine.tell(Event::Library);
    engine.tell(Event::Jobs);
    Ok(kept)
}

/// A memory of modality `text` has its own words; a text file's words are in its view.
fn memory_modality(of_file: Modality) -> &'static str {
    match of_file {
        Modality::Text => "document",
        other => other.as_str(),
    }
}

fn memory_key(arrival: &Arrival) -> Option<String> {
    arrival.path.as_ref().map(|path| format!("file:{path}"))
}

fn keep_new(
    tx: &Transaction<'_>,
    (caller, door): (&Caller, &Door),
    new: NewArtifact,
    file_type: &FileType,
    arrival: &Arrival,
    now: EpochMs,
) -> Result<Kept, Fault> {
    let new = door.pass(tx, new)?;
    let artifact = artifacts::insert(tx, &new, now)?;
    let key = memory_key(arrival);
    let older = make_way(tx, Place { since: arrival.occurred, ..Place::of(arrival) }, None, now)?;
    let stands_for_it = door.pass(
        tx,
        NewMemory {
            space: new.space.clone(),
            actor: new.actor.clone(),
            content: None,
            content_hash: format!("{:x}", Sha256::digest(format!("artifact\0{}", new.content_hash))),
            modality: memory_modality(new.modality).to_owned(),
            artifact: Some(artifact.clone()),
            title: Some(new.filename.clone()),
            // What it is about shows once it is read.
            scope: classify::UNREAD.0,
            classification_confidence: classify::UNREAD.1,
            classifier_id: classify::CLASSIFIER_ID.to_owned(),
            source_type: "observation",
            memory_key: key,
            supersedes: older.first().cloned(),
            owner: arrival.owner.clone(),
            session: arrival.session.clone(),
            occurred_at: arrival.occurred.or(arrival.modified),
            envelope: NewEnvelope::default(),
        },
    )?;
    let (memory, _) = memories::insert(tx, &stands_for_it, now)?;
    for older in &older {
        memories::set_superseded_by(tx, older, Some(&memory))?;
    }
    let owner = Owner { artifact: artifact.clone(), space: new.space.clone(), actor: new.actor.clone() };
    if arrival.modified.is_some() {
        memories::set_only_modified(tx, &artifact)?;
    }
    if let Some(at) = arrival.occurred {
        memories::tell_occurred(tx, &artifact, at)?;
    }
    let whole = views::upsert_segment(tx, &owner, &whole_segment(), None, now)?;
    if file_type.reader == Reader::None {
        keep_name(tx, &owner, &memory, &whole, &new, now)?;
    } else {
        work::queue_reading(tx, (&artifact, new.modality), &new.space, arrival.priority, false, now)?;
    }
    let payload = serde_json::json!({ "bytes": new.byte_size, "modality": new.modality });
    Engine::audit(tx, caller, "artifact.ingested", ("artifacts", artifact.as_str()), &new.space, payload, now)?;
    Ok(Kept { artifact, memory, created: true, hash: new.content_hash.clone() })
}

/// Where a file comes to stand.
#[derive(Clone, Copy)]
struct Place<'a> {
    space: &'a SpaceId,
    path: Option<&'a str>,
    /// The memory that stood there before, where one is known.
    replaces: Option<&'a MemoryId>,
    /// Since when what comes to stand there is so, where whoever brings it in says that.
    since: Option<EpochMs>,
}

impl<'a> Place<'a> {
    fn of(arrival: &'a Arrival) -> Self {
        let (path, replaces) = (arrival.path.as_deref(), arrival.replaces.as_ref());
        Self { space: &arrival.space, path, replaces, since: None }
    }
}

/// A file was moved: all its versions are those of its new path now, and the old path stands in its history.
/// `replaces` is the memory that stood at the new path before, where one is known.
pub(crate) fn move_versions(
    tx: &Connection,
    door: &Door,
    memory: &Memory,
    (from, to): (&str, &str),
    replaces: Option<&MemoryId>,
    now: EpochMs,
) -> Result<(), Fault> {
    let (old_key, key) = (format!("file:{from}"), format!("file:{to}"));
    if memory.memory_key.as_deref() != Some(&old_key) {
        // A copy of it stands elsewhere, and its versions belong there.
        return Ok(());
    }
    let place = Place { space: &memory.space_id, path: Some(to), replaces, since: None };
    for older in make_way(tx, place, Some(&memory.id), now)? {
        memories::set_superseded_by(tx, &older, Some(&memory.id))?;
    }
    let name = file_name(Path::new(to));
    let label = door.pass(tx, Label { key: Some(&key), title: Some(&name) })?;
    memories::rename_key(tx, &memory.space_id, &old_key, &label)?;
    memories::set_label(tx, &memory.id, &label)?;
    if let Some(artifact) = &memory.artifact_id {
        artifacts::set_source(tx, artifact, &door.pass(tx, Whereabouts { filename: &name, path: Some(to) })?)?;
    }
    if memory.status == MemoryStatus::Active {
        // The name is indexed beside each passage.
        units::deactivate(tx, &memory.space_id, units::Which::OfMemory(&memory.id))?;
        units::activate(tx, &memory.space_id, &memory.id)?;
    }
    Ok(())
}

/// The memories that stood for this path before make way: each leaves recall, unless its content still
/// stands at another watched path, to which it then belongs. Gives those that left.
fn make_way(tx: &Connection, place: Place<'_>, newer: Option<&MemoryId>, now: EpochMs) -> Result<Vec<MemoryId>, Fault> {
    let Some(path) = place.path else { return Ok(Vec::new()) };
    let by_key = memories::active_by_key(tx, place.space, &format!("file:{path}"))?;
    let by_row = place.replaces.map(|id| memories::by_id(tx, id)).transpose()?.flatten();
    let mut older: Vec<Memory> = by_key.into_iter().chain(by_row).collect();
    older.retain(|memory| memory.status == MemoryStatus::Active && Some(&memory.id) != newer);
    older.dedup_by(|a, b| a.id == b.id);
    let mut left = Vec::new();
    for memory in older {
        match watches::copy_elsewhere(tx, &memory.id, path)? {
            Some(copy) => {
                let key = format!("file:{copy}");
                let is_free = memories::active_by_key(tx, &memory.space_id, &key)?.is_none_or(|m| m.id == memory.id);
                let label = Label { key: is_free.then_some(key.as_str()), title: None };
                memories::set_label(tx, &memory.id, &Checked::held(label))?;
            }
            None => {
                // When a file was changed on its disk tells nothing of how long another one stood at its path.
                replace::retire(tx, &memory, replace::so_until(&memory, place.since, now), now)?;
                left.push(memory.id);
            }
        }
    }
    Ok(left)
}

/// The same bytes came in again: what is there is brought back where it was deleted or superseded, under
/// the name and path that it has now.
fn keep_known(
    tx: &Transaction<'_>,
    (caller, door): (&Caller, &Door),
    known: &Artifact,
    arrival: &Arrival,
    now: EpochMs,
) -> Result<Kept, Fault> {
    let memory = memories::by_artifact(tx, &known.id)?.ok_or_else(|| {
        ApiError::new(um_model::ErrorCode::Database, "A file has lost its memory.").hint("Run `umem doctor`.")
    })?;
    let kept = Kept {
        artifact: known.id.clone(),
        memory: memory.id.clone(),
        created: false,
        hash: known.content_hash.clone(),
    };
    for older in make_way(tx, Place::of(arrival), Some(&memory.id), now)? {
        memories::set_superseded_by(tx, &older, Some(&memory.id))?;
    }
    if caller.actor == AgentId::owner() && memory.actor_id != AgentId::owner() {
        artifacts::set_of_person(tx, &known.id)?;
        crate::belief::settle_later(tx, evidence::claims_of_memory(tx, &memory.id)?, &caller.actor, now)?;
    }
    if memory.status == MemoryStatus::Deleted && !arrival.revives {
        return Ok(kept);
    }
    if known.deleted {
        artifacts::set_deleted(tx, &known.id, false, now)?;
    }
    if memory.status != MemoryStatus::Active {
        let key = memory_key(arrival);
        let label = door.pass(tx, Label { key: key.as_deref(), title: Some(&arrival.name) })?;
        if let (Some(old), Some(key)) = (memory.memory_key.as_deref(), label.key)
            && old != key
            && memories::active_by_key(tx, &arrival.space, old)?.is_none()
        {
            // Nothing stands at its old path any more: it was moved by way of somewhere else, with its versions.
            memories::rename_key(tx, &arrival.space, old, &label)?;
        }
        let place = Whereabouts { filename: &arrival.name, path: arrival.path.as_deref() };
        artifacts::set_source(tx, &known.id, &door.pass(tx, place)?)?;
        replace::bring_back(tx, caller, &memory, Some(&label), now)?;
    }
    // What a watched folder still holds does not come again.
    if arrival.revives {
        crate::library::warm_up(tx, caller, &memory, now)?;
    }
    crate::envelope::seen_again(tx, caller, &memory, now)?;
    if let Some(at) = arrival.occurred.filter(|at| memory.occurred_at != Some(*at)) {
        // What it says of last month is of another month now: it is read anew, as by another reader.
        memories::tell_occurred(tx, &known.id, at)?;
        memories::set_extractor(tx, &memory.id, "another time")?;
        work::queue_extraction(tx, &memory.id, &arrival.space, arrival.priority, now)?;
    }
    read_on(tx, known, arrival.priority, now)?;
    Ok(kept)
}

/// Queues the reading of a file anew where it was cancelled, or is just being cancelled.
pub(crate) fn read_on(tx: &Connection, artifact: &Artifact, priority: i64, now: EpochMs) -> Result<(), Fault> {
    let reading = jobs::reading(tx, std::slice::from_ref(&artifact.id))?;
    let cut_off = |job: &um_model::jobs::Job| matches!(job.status, JobStatus::Cancelled | JobStatus::Processing);
    if reading.get(&artifact.id).is_some_and(cut_off) {
        work::queue_reading(tx, (&artifact.id, artifact.modality), &artifact.space_id, priority, true, now)?;
    }
    Ok(())
}

/// The segment that stands for all of a file (spine 6.5, step 4).
pub(crate) fn whole_segment() -> NewSegment {
    NewSegment { segment_type: "whole", level: "whole", ordinal: 0, selector: serde_json::json!({}), confidence: None }
}

/// A file that nobody can read is found by its name (ruling 14: metadata is a view). A name is no text: it comes after
/// all that is, and has no vector.
fn keep_name(
    tx: &Connection,
    owner: &Owner,
    memory: &MemoryId,
    whole: &um_model::SegmentId,
    new: &NewArtifact,
    now: EpochMs,
) -> Result<(), Fault> {
    let text = new.filename.clone();
    let cut = remember::cut_units(&Text::plain(text.clone()));
    let view = NewView {
        view_type: ViewType::Metadata,
        segment: Some(whole.clone()),
        ordinal: 0,
        page: None,
        text,
        language: None,
        extractor_id: "metadata".to_owned(),
        model_id: None,
        config_hash: "1".to_owned(),
        quality: 1.0,
        anchors: Vec::new(),
    };
    let (id, is_new) = views::upsert(tx, owner, &Checked::held(view), now)?;
    if is_new {
        units::insert(tx, &owner.space, memory, Source::View(&id), &new.filename, &cut, now)?;
    }
    Ok(())
}
