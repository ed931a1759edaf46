//! What was decided, of every kind, in one list.

use crate::belief::{Sources, conflict_decided, name_shown};
use crate::error::{Fault, Outcome};
use crate::{Caller, Engine};
use um_model::decisions::*;
use um_model::{CandidateId, FindingId, PairingId, PromotionId, SpaceId};
use um_store::decisions::{self, Entry};
use um_store::parts::Text;
use um_store::{Connection, StoreError, held, pairing, promotions};

/// Lists what was decided, the latest first.
pub(crate) fn decisions_list(engine: &Engine, caller: &Caller, request: DecisionsList) -> Outcome<DecisionsListed> {
    let limit = request.limit.unwrap_or(100).clamp(1, 1_000);
    engine.read(|c| {
        let spaces = crate::spaces::readable(c, caller, request.space.as_deref())?;
        let spaces: Vec<SpaceId> = spaces.into_iter().map(|space| space.id).collect();
        let kinds = request.kind.map_or_else(|| DecisionKind::ALL.to_vec(), |kind| vec![kind]);
        let mut entries = decisions::list(c, &spaces, &kinds, request.before.as_ref(), limit + 1)?;
        let more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        let mut sources = Sources::default();
        let decisions = entries
            .into_iter()
            .map(|entry| {
                let about = about(c, &entry, &mut sources)?;
                Ok(about.map(|about| Decision { id: entry.place.id, at: entry.place.at, by: entry.by, about }))
            })
            .filter_map(Result::transpose)
            .collect::<Result<_, Fault>>()?;
        Ok(DecisionsListed { decisions, more })
    })
}

/// What a decision is about. All is read in one moment, so that what is listed is there.
fn about(c: &Connection, entry: &Entry, sources: &mut Sources) -> Result<Option<Decided>, Fault> {
    let id = entry.place.id.as_str();
    Ok(match entry.kind {
        DecisionKind::Conflict => conflict_decided(c, id)?.map(Box::new).map(Decided::Conflict),
        DecisionKind::Name => {
            let id = CandidateId::parse(id).map_err(StoreError::from)?;
            name_shown(c, &id)?.map(Box::new).map(Decided::Name)
        }
        DecisionKind::Held => {
            let id = CandidateId::parse(id).map_err(StoreError::from)?;
            held::by_id(c, &id)?.map(|(write, _)| Decided::Held(Box::new(write)))
        }
        DecisionKind::Redaction => {
            let id = FindingId::parse(id).map_err(StoreError::from)?;
            decisions::together(c, &id)?.map(|found| findings(c, found, sources)).transpose()?
        }
        DecisionKind::Promotion => {
            let id = PromotionId::parse(id).map_err(StoreError::from)?;
            let found = promotions::by_id(c, &id)?.map(|stored| stored.promotion);
            crate::promote::with_paths(c, found.into_iter().collect())?.pop().map(Box::new).map(Decided::Promotion)
        }
        DecisionKind::Access => {
            let id = PairingId::parse(id).map_err(StoreError::from)?;
            pairing::request_by_id(c, &id)?.map(|(request, _)| Decided::Access(request))
        }
    })
}

fn findings(c: &Connection, found: decisions::Together, sources: &mut Sources) -> Result<Decided, Fault> {
    let title = match found.title {
        Some(title) => title,
        None => sources.head(c, &Text::Memory(found.memory.clone()))?,
    };
    Ok(Decided::Redaction(DecidedFindings {
        memory_id: found.memory,
        artifact_id: found.artifact,
        title,
        space_id: found.space,
        status: found.status,
        kinds: found.kinds,
        ids: found.ids,
    }))
}
