//! Versions of entries, standing rules and resources, and what changed between two of them.

mod diff;

use crate::error::{Fault, Outcome, not_found};
use crate::{Caller, Engine};
use um_model::SpaceId;
use um_model::work::*;
use um_store::{Connection, versions};

/// Lists the versions of something, the last first.
pub(crate) fn versions_list(engine: &Engine, caller: &Caller, request: VersionsList) -> Outcome<VersionsListed> {
    engine.read(|c| {
        open(c, caller, request.item_type, &request.id)?;
        if let Some(number) = request.version {
            let version = versions::by_number(c, request.item_type, &request.id, number)?;
            return Ok(VersionsListed { total: version.iter().len() as u64, versions: version.into_iter().collect() });
        }
        let page = (request.offset, request.limit.unwrap_or(50).clamp(1, 200));
        let (mut versions, total) = versions::list(c, request.item_type, &request.id, page)?;
        versions.iter_mut().for_each(crate::bounded::version);
        Ok(VersionsListed { versions, total })
    })
}

/// Tells what changed between two versions.
pub(crate) fn versions_diff(engine: &Engine, caller: &Caller, request: VersionsDiff) -> Outcome<VersionsDiffed> {
    let (space_id, from, to) = engine.read(|c| {
        let space = open(c, caller, request.item_type, &request.id)?;
        let version = |number: u32| {
            let unknown = || not_found("version of this", &number.to_string());
            versions::by_number(c, request.item_type, &request.id, number)?.ok_or_else(|| Fault::from(unknown()))
        };
        Ok((space, version(request.from)?, version(request.to)?))
    })?;
    Ok(VersionsDiffed { space_id, fields: diff::fields(&from.says, &to.says) })
}

fn open(c: &Connection, caller: &Caller, item: VersionedType, id: &str) -> Result<SpaceId, Fault> {
    let what = match item {
        VersionedType::Entry => "entry",
        VersionedType::CoreBlock => "standing rule",
        VersionedType::Resource => "resource",
    };
    crate::spaces::open(c, caller, versions::space_of(c, item, id)?, || not_found(what, id))
}
