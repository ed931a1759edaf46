//! Removing rows for good, in compliance mode.

use crate::error::Outcome;
use crate::{Caller, Engine};
use um_model::forget::{RowsPurge, RowsPurged};
use um_model::{ApiError, ErrorCode, SpaceId};
use um_store::{forget, spaces};

/// Removes for good the rows that forgetting left empty, in one transaction: a death of the process leaves all or none.
pub(crate) fn rows_purge(engine: &Engine, caller: &Caller, request: RowsPurge) -> Outcome<RowsPurged> {
    let by = caller;
    let (caller, now) = (caller.clone(), engine.now());
    let (purged, spaces) = engine.write_durably(move |tx| {
        crate::access::may_act(tx, &caller)?;
        if request.dry_run {
            return Ok((forget::empty_rows(tx)?, Vec::new()));
        }
        if !forget::compliance_mode(tx)? {
            let error = ApiError::new(ErrorCode::Forbidden, "Rows are removed for good in compliance mode alone.");
            return Err(error.hint("Turn it on first: umem purge --compliance-mode on.").into());
        }
        let purged = forget::purge(tx)?;
        let payload = serde_json::json!({ "counts": purged.goes, "stays": purged.stays });
        let object = ("system_settings", um_store::settings::COMPLIANCE_MODE);
        Engine::audit(tx, &caller, "purged", object, &SpaceId::global(), payload, now)?;
        let spaces = spaces::all(tx)?.into_iter().map(|space| space.id).collect();
        Ok((purged, spaces))
    })?;
    if !request.dry_run {
        super::clear::finish_quietly(engine, by, spaces)?;
    }
    Ok(RowsPurged { counts: purged.goes, stays: purged.stays })
}
