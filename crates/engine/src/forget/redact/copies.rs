//! Copies of a memory in other spaces, made by promotion: what a person blacks out in it is blacked out in them.

use super::gather::Work;
use crate::error::{Fault, Outcome};
use crate::findings::places;
use crate::{Caller, Engine};
use std::collections::BTreeSet;
use um_model::capture::Memory;
use um_model::findings::{FindingKind, Region};
use um_model::{ApiError, ErrorCode, MemoryId};
use um_store::findings::{self, Spot};
use um_store::parts::Text;
use um_store::{Connection, memories, promotions, redact, units, views};

/// Marks in all copies of a memory, and in copies of these, what was accepted in it. Gives all of them, each with whether
/// something was marked in it: facts that say it go from the others too, whatever their quotes say.
///
/// # Errors
/// `Forbidden` for an agent where there are any: what it was granted ends at the space.
pub(super) fn mark(engine: &Engine, caller: &Caller, work: &Work) -> Outcome<Vec<(MemoryId, bool)>> {
    let (copies, quoted) = engine.read(|c| {
        let quoted = caller.is_agent() && promotions::is_quoted_elsewhere(c, &work.memory.id)?;
        Ok((copies(c, &work.memory.id)?, quoted))
    })?;
    if copies.is_empty() && !quoted {
        return Ok(Vec::new());
    }
    if caller.is_agent() {
        let error = ApiError::new(ErrorCode::Forbidden, "This reaches further than an agent may black out.");
        return Err(error.hint("Ask the person: they black out in the window, or with `umem findings apply`."));
    }
    let (actor, work, now) = (caller.actor.clone(), work.clone(), engine.now());
    engine.write(move |tx| {
        let mut marked = Vec::new();
        for copy in copies {
            let spots = spots(tx, &work, &copy)?;
            for spot in &spots {
                findings::mark(tx, &copy.space_id, spot, FindingKind::Other, &actor, now)?;
            }
            marked.push((copy.id, !spots.is_empty()));
        }
        Ok::<_, Fault>(marked)
    })
}

/// All copies of a memory that are there.
fn copies(c: &Connection, memory: &MemoryId) -> Result<Vec<Memory>, Fault> {
    let (mut seen, mut found) = (BTreeSet::from([memory.clone()]), Vec::new());
    let mut open = vec![memory.clone()];
    while let Some(memory) = open.pop() {
        for copy in promotions::copies_of(c, &memory)? {
            if seen.insert(copy.clone()) {
                found.extend(memories::by_id(c, &copy)?);
                open.push(copy);
            }
        }
    }
    Ok(found)
}

/// Where a copy has what was accepted: at the same place where its text is the same, else wherever it says the words.
fn spots(c: &Connection, work: &Work, copy: &Memory) -> Result<Vec<Spot>, Fault> {
    let mut texts = Vec::new();
    if let Some(content) = &copy.content {
        texts.push((Text::Memory(copy.id.clone()), content.clone()));
    }
    let mut spots = Vec::new();
    if let Some(file) = &copy.artifact_id {
        for view in views::of_artifact(c, file)? {
            let text = units::source_text(c, view.id.as_str(), false)?;
            texts.push((Text::View(view.id), text));
        }
        spots.extend(work.accepted.regions.iter().map(|region| Spot::Region(file.clone(), as_marked(*region))));
    }
    for (text, words) in texts {
        let spans = match work.texts.iter().find(|(of_work, _)| *of_work == words) {
            Some((_, spans)) => spans.clone(),
            // A copy says what its source says, so that short words mean the same there.
            None => work.own.iter().flat_map(|value| places(&words, value)).collect(),
        };
        spots.extend(spans.into_iter().map(|span| Spot::Words(text.clone(), span)));
    }
    Ok(spots)
}

fn as_marked(region: redact::Region) -> Region {
    match region {
        redact::Region::Box { page, bbox } => Region::Box { page, bbox },
        redact::Region::Time(time) => Region::Time(time),
    }
}
