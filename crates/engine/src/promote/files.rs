//! Files, with the memories that stand for them and what was read from them.

use super::copy::To;
use super::plan::{Object, Plan};
use crate::Engine;
use crate::error::{Fault, Outcome, not_found};
use crate::ingest::{blobs, read_on};
use um_model::capture::{Artifact, Memory};
use um_model::spaces::Space;
use um_model::{ArtifactId, MemoryId};
use um_store::artifacts::{self, Bytes};
use um_store::promotions::{Copied, Lineage, copy_file, copy_memory, copy_reading, led};
use um_store::{Transaction, jobs, memories};

/// Puts a large file's bytes where the target's lie, before any row names them there: bytes without a row are swept up at the
/// next start. Gives where; nothing for what lies in the database, or in the target already.
pub(super) fn place(engine: &Engine, target: &Space, plan: &Plan) -> Outcome<Option<String>> {
    let Object::File(file, _) = &plan.object else { return Ok(None) };
    let (bytes, known) = engine
        .read(|c| Ok((artifacts::bytes(c, &file.id)?, artifacts::by_hash(c, &target.id, &file.content_hash)?)))?;
    let (Some(Bytes::File(uri)), None) = (bytes, known) else { return Ok(None) };
    let taken = blobs::take(engine, &blobs::folder(engine.data_dir()).join(uri))?;
    match taken.place(engine.data_dir(), &target.id)? {
        Bytes::File(uri) => Ok(Some(uri)),
        Bytes::Inline(_) | Bytes::Gone => Ok(None),
    }
}

/// Copies a file. Gives its id in the target, and that of the memory that stands for it there.
pub(super) fn file(
    tx: &Transaction<'_>,
    to: &To<'_>,
    (file, memory): (&Artifact, &Memory),
    lineage: &mut Lineage,
) -> Result<(ArtifactId, MemoryId), Fault> {
    let target = &to.target.id;
    if let Some(known) = artifacts::by_hash(tx, target, &file.content_hash)? {
        let there = memories::by_artifact(tx, &known.id)?.ok_or_else(|| not_found("file", known.id.as_str()))?;
        if known.deleted {
            artifacts::set_deleted(tx, &known.id, false, to.now)?;
        }
        to.use_known(tx, &there, memory)?;
        read_on(tx, &known, jobs::PRIORITY_PERSON, to.now)?;
        return Ok((known.id, there.id));
    }
    let id = copy_file(tx, &file.id, target, to.placed, to.now)?;
    led(lineage, "artifacts", file.id.as_str(), id.as_str());
    let copied = Copied { words: None, artifact: Some(&id) };
    let stands_for_it = copy_memory(tx, &memory.id, target, &copied, to.now)?;
    led(lineage, "memories", memory.id.as_str(), stands_for_it.as_str());
    copy_reading(tx, (&file.id, &id), (target, &stands_for_it), lineage, to.now)?;
    to.found_and_looked_through(tx, memory, &stands_for_it)?;
    crate::work::queue_extraction(tx, &stands_for_it, target, jobs::PRIORITY_PERSON, to.now)?;
    to.audit(tx, "artifact.promoted", ("artifacts", id.as_str()), (file.id.as_str(), &file.space_id))?;
    Ok((id, stands_for_it))
}
