//! The copy: new rows in the target, found there like any others, each led back to its source by the request's lineage.
//! What the target had already is used and stays its own.

use super::plan::{Object, Plan};
use super::{beliefs, files};
use crate::error::{Fault, not_found};
use crate::extract::Text;
use crate::ingest::{bring_back, cut_units, text_hash};
use crate::library::{set_expiry, warm_up};
use crate::{Caller, Engine, work};
use um_model::capture::Memory;
use um_model::envelope::MemoryLayer;
use um_model::promote::PromotedKind;
use um_model::spaces::Space;
use um_model::{EpochMs, MemoryId, SpaceId};
use um_store::promotions::{Copied, Lineage, copy_memory, decided_findings, led};
use um_store::units::{self, Source};
use um_store::{Transaction, jobs, memories};

/// Where copies go.
pub(super) struct To<'a> {
    /// Who approved.
    pub(super) caller: &'a Caller,
    /// The space.
    pub(super) target: &'a Space,
    /// Where a large file's bytes lie for the target already.
    pub(super) placed: Option<&'a str>,
    /// When.
    pub(super) now: EpochMs,
}

impl To<'_> {
    /// The jobs by which a copy of a memory is found by its meaning and looked through.
    pub(super) fn found_and_looked_through(
        &self,
        tx: &Transaction<'_>,
        memory: &Memory,
        copy: &MemoryId,
    ) -> Result<(), Fault> {
        let (space, now) = (&self.target.id, self.now);
        work::queue_embedding(tx, copy, space, jobs::PRIORITY_PERSON, now)?;
        work::queue_detection(tx, (copy, space), um_pii::VERSION, jobs::PRIORITY_SCAN, now)?;
        self.audit(tx, "memory.promoted", ("memories", copy.as_str()), (memory.id.as_str(), &memory.space_id))
    }

    /// Brings what the target has already back into use and near at hand, for as long as either of both is to be in use.
    pub(super) fn use_known(&self, tx: &Transaction<'_>, known: &Memory, source: &Memory) -> Result<(), Fault> {
        bring_back(tx, self.caller, known, None, self.now)?;
        warm_up(tx, self.caller, known, self.now)?;
        let end = known.expires_at.zip(source.expires_at).map(|(known, source)| known.max(source));
        set_expiry(tx, self.caller, known, end, self.now)
    }

    /// The copy's line in the ledger.
    pub(super) fn audit(
        &self,
        tx: &Transaction<'_>,
        event: &str,
        copy: (&str, &str),
        (source, space): (&str, &SpaceId),
    ) -> Result<(), Fault> {
        let payload = serde_json::json!({ "source": source, "source_space": space });
        Engine::audit(tx, self.caller, event, copy, &self.target.id, payload, self.now)
    }
}

/// Copies what was planned. Gives the id of what stands for it in the target, and what was copied.
pub(super) fn copy(
    tx: &Transaction<'_>,
    to: &To<'_>,
    (kind, plan): (PromotedKind, &Plan),
) -> Result<(String, Lineage), Fault> {
    let mut lineage = Lineage::default();
    let promoted = match &plan.object {
        Object::Memory(memory) => words(tx, to, memory, &mut lineage)?.to_string(),
        Object::File(file, memory) => {
            let (file, memory) = files::file(tx, to, (file, memory), &mut lineage)?;
            if kind == PromotedKind::Memory { memory.to_string() } else { file.to_string() }
        }
        Object::Claim(claim) => beliefs::claim(tx, to, claim, &mut lineage)?,
        Object::Entity(entity) => beliefs::entity(tx, to, entity, &mut lineage)?.to_string(),
        Object::Gone => return Err(not_found("thing to copy", "").into()),
    };
    Ok((promoted, lineage))
}

/// Copies a memory of words.
fn words(tx: &Transaction<'_>, to: &To<'_>, memory: &Memory, lineage: &mut Lineage) -> Result<MemoryId, Fault> {
    let text = memory.content.as_deref().unwrap_or_default();
    if let Some(known) = memories::by_hash(tx, &to.target.id, &text_hash(text))? {
        to.use_known(tx, &known, memory)?;
        return Ok(known.id);
    }
    // A copy is distilled: of a raw memory it is known by another hash.
    let hash = text_hash(text);
    let words = (memory.layer == MemoryLayer::Raw).then_some((text, hash.as_str()));
    let id = copy_memory(tx, &memory.id, &to.target.id, &Copied { words, artifact: None }, to.now)?;
    led(lineage, "memories", memory.id.as_str(), id.as_str());
    decided_findings(tx, "memory_id", (memory.id.as_str(), id.as_str()), &to.target.id, to.now)?;
    to.found_and_looked_through(tx, memory, &id)?;
    work::queue_extraction(tx, &id, &to.target.id, jobs::PRIORITY_PERSON, to.now)?;
    let cut = cut_units(&Text::plain(text.to_owned()));
    let title = memory.title.as_deref().unwrap_or("");
    units::insert(tx, &to.target.id, &id, Source::Memory(&id), title, &cut, to.now)?;
    Ok(id)
}
