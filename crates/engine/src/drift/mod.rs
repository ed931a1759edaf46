//! Drift: what was written on a branch, at a commit, of a file, is compared with the work tree as it is now ([`warn`]). The disk is
//! read in [`tree`] alone, and for each request as far as its [`ground`] goes. What is written is told its state ([`capture`]).

mod capture;
mod ground;
mod look;
mod tree;
mod warn;

pub(crate) use capture::fill;

use crate::error::{Fault, Outcome, invalid, not_found};
use crate::scopes::{At, resolve_at};
use crate::{Caller, Engine};
use look::Look;
use serde_json::{Map, Value};
use um_model::spaces::Space;
use um_model::work::*;
use um_store::provenance::{self, Written};
use um_store::{Connection, items};

/// So many items can be named, and so many of a space are looked at.
const MOST_NAMED: usize = 200;
const MOST_LISTED: usize = 500;

/// Compares what was written of a work tree with the work tree as it is.
pub(crate) fn drift_check(engine: &Engine, caller: &Caller, request: DriftCheck) -> Outcome<Drifted> {
    if request.items.len() > MOST_NAMED {
        return Err(invalid(format!("At most {MOST_NAMED} items are compared at once.")).hint("Name fewer, or none."));
    }
    let (space, mut items) = engine.read(|c| {
        let at = resolve_at(c, caller, request.space.as_deref(), request.session.as_ref())?;
        let items = match request.items.is_empty() {
            true => listed(c, &at)?,
            false => request.items.iter().map(|key| named(c, caller, key)).collect::<Result<Vec<_>, _>>()?,
        };
        Ok::<_, Fault>((at.space, items))
    })?;
    let more = items.len() > MOST_LISTED;
    items.truncate(MOST_LISTED);
    let mut look = Look::of(engine, caller, &space, request.workspace.as_deref())?.or_root_of(&space);
    let mut drifted = Drifted { warnings: Vec::new(), checked: 0, skipped: 0, more };
    for (item, metadata) in &items {
        let said = Provenance::of(metadata);
        if !said.can_drift() {
            continue;
        }
        match warn::of(&mut look, item, &said) {
            Some(warnings) => {
                drifted.checked += 1;
                drifted.warnings.extend(warnings);
            }
            None => drifted.skipped += 1,
        }
    }
    Ok(drifted)
}

/// One more than are looked at, where there are more.
fn listed(c: &Connection, at: &At) -> Result<Vec<Written>, Fault> {
    Ok(provenance::listed(c, (&at.space.id, at.session.as_ref()), MOST_LISTED + 1)?)
}

fn named(c: &Connection, caller: &Caller, key: &ItemKey) -> Result<Written, Fault> {
    let key = ItemKey { item_type: key.item_type, id: key.id.trim().to_owned() };
    let found = items::by_key(c, &key)?;
    let unknown = || not_found(key.item_type.called(), &key.id);
    crate::spaces::open(c, caller, found.as_ref().map(|item| item.space_id.clone()), unknown)?;
    Ok((found.ok_or_else(unknown)?, provenance::of_item(c, &key)?))
}

/// A work tree that items of a pack are compared with.
pub(crate) struct WorkTree(Look);

impl WorkTree {
    /// The one that is named.
    ///
    /// # Errors
    /// `Forbidden` for an agent, whether the folder is closed to it or is not there; `Io` for the person and one that is not.
    pub(crate) fn named(engine: &Engine, caller: &Caller, space: &Space, workspace: &str) -> Outcome<Self> {
        Look::of(engine, caller, space, Some(workspace)).map(Self)
    }

    /// What speaks against relying on an item, by its metadata.
    pub(crate) fn warnings(&mut self, item: &ItemRef, metadata: &Map<String, Value>) -> Vec<RecallWarning> {
        let said = Provenance::of(metadata);
        match said.can_drift() {
            true => warn::of(&mut self.0, item, &said).unwrap_or_default(),
            false => Vec::new(),
        }
    }
}
