//! What queues work: files to be read, memories to be embedded.

use crate::error::Fault;
use std::ops::RangeInclusive;
use um_model::{ArtifactId, EpochMs, JobId, JobKind, MemoryId, Modality, SpaceId};
use um_store::Connection;
use um_store::jobs::{self, NewJob, Subject};

/// Queues the reading of a file. Recordings have a queue of their own, as each takes long. `again` queues
/// anew what has ended.
pub(crate) fn queue_reading(
    tx: &Connection,
    (artifact, modality): (&ArtifactId, Modality),
    space: &SpaceId,
    priority: i64,
    again: bool,
    now: EpochMs,
) -> Result<JobId, Fault> {
    let kind = match modality {
        Modality::Audio | Modality::Video => JobKind::Listen,
        _ => JobKind::Read,
    };
    let subject = Subject::Artifact(artifact.clone());
    Ok(jobs::enqueue(tx, &NewJob { kind, subject: &subject, space, priority, again }, now)?)
}

/// Queues a job of a memory, anew where one has ended.
pub(super) fn queue_memory(
    tx: &Connection,
    kind: JobKind,
    (memory, space): (&MemoryId, &SpaceId),
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    let subject = Subject::Memory(memory.clone());
    Ok(jobs::enqueue(tx, &NewJob { kind, subject: &subject, space, priority, again: true }, now)?)
}

/// Queues a job of memories of a space that came in together.
pub(crate) fn queue_several(
    tx: &Connection,
    kind: JobKind,
    (space, rids): (&SpaceId, &RangeInclusive<i64>),
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    let subject = Subject::Memories(space.clone(), rids.clone());
    Ok(jobs::enqueue(tx, &NewJob { kind, subject: &subject, space, priority, again: true }, now)?)
}

/// Queues what is read of memories of a space that came in together; where new ones are about to be read these are among them.
pub(crate) fn queue_read(
    tx: &Connection,
    (space, rids): (&SpaceId, &RangeInclusive<i64>),
    now: EpochMs,
) -> Result<(), Fault> {
    for (kind, priority) in [(JobKind::Extract, jobs::PRIORITY_AGENT), (JobKind::Detect, jobs::PRIORITY_SCAN)] {
        if jobs::takes_new(tx, kind, space)? {
            jobs::enqueue_new(tx, (kind, priority), (space, *rids.start()), now)?;
        } else {
            queue_several(tx, kind, (space, rids), priority, now)?;
        }
    }
    Ok(())
}

/// Queues what is done with a new memory (and its rid): with those that come in after it what it claims, the look for personal data
/// and, where it has its vector, its comparison; else its embedding, after which it is compared.
pub(crate) fn queue_new(
    tx: &Connection,
    (memory, rid): (&MemoryId, i64),
    space: &SpaceId,
    has_vector: bool,
    now: EpochMs,
) -> Result<(), Fault> {
    jobs::enqueue_new(tx, (JobKind::Extract, jobs::PRIORITY_AGENT), (space, rid), now)?;
    jobs::enqueue_new(tx, (JobKind::Detect, jobs::PRIORITY_SCAN), (space, rid), now)?;
    if has_vector {
        jobs::enqueue_new(tx, (JobKind::Dedupe, jobs::PRIORITY_SCAN), (space, rid), now)?;
    } else {
        queue_embedding(tx, memory, space, jobs::PRIORITY_AGENT, now)?;
    }
    Ok(())
}

/// Queues what brings the claims in line with a memory: it is new, changed its texts, left use or came back.
pub(crate) fn queue_extraction(
    tx: &Connection,
    memory: &MemoryId,
    space: &SpaceId,
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    queue_memory(tx, JobKind::Extract, (memory, space), priority, now)
}

/// Queues what puts a memory's texts to the language model; `texts` names these texts and the model, so that the same
/// are asked about once.
pub(crate) fn queue_asking(
    tx: &Connection,
    memory: &MemoryId,
    space: &SpaceId,
    texts: &str,
    now: EpochMs,
) -> Result<JobId, Fault> {
    let subject = Subject::Memory(memory.clone());
    let priority = jobs::PRIORITY_SCAN;
    let job = NewJob { kind: JobKind::Ask, subject: &subject, space, priority, again: false };
    Ok(jobs::enqueue_variant(tx, &job, texts, now)?)
}

/// Queues the comparison of a memory with those that seem to say the same.
pub(crate) fn queue_dedupe(
    tx: &Connection,
    memory: &MemoryId,
    space: &SpaceId,
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    queue_memory(tx, JobKind::Dedupe, (memory, space), priority, now)
}

/// Queues the look for personal and secret data in a memory's texts: in those that no such version of the detectors has
/// looked at. Nobody waits for it.
pub(crate) fn queue_detection(
    tx: &Connection,
    (memory, space): (&MemoryId, &SpaceId),
    version: &str,
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    let subject = Subject::Memory(memory.clone());
    let job = NewJob { kind: JobKind::Detect, subject: &subject, space, priority, again: true };
    Ok(jobs::enqueue_variant(tx, &job, version, now)?)
}

/// Queues the embedding of a memory's passages: of those that have no vector yet.
pub(crate) fn queue_embedding(
    tx: &Connection,
    memory: &MemoryId,
    space: &SpaceId,
    priority: i64,
    now: EpochMs,
) -> Result<JobId, Fault> {
    queue_memory(tx, JobKind::Embed, (memory, space), priority, now)
}
