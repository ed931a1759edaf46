//! Requests under names that were forgotten. Nobody is asked about them; they wait and end like any other, so that whoever tries
//! names out learns nothing by it. Only keyed hashes of them are kept, while the service runs.

use crate::Engine;
use crate::engine::lock;
use crate::error::Fault;
use std::sync::Mutex;
use um_model::{EpochMs, ErrorCode, PairingId, SpaceId};
use um_store::keyed::Key;
use um_store::rejected::Said;
use um_store::{Connection, ids, pairing};

/// One that waits.
#[derive(Debug)]
struct One {
    id: PairingId,
    name: String,
    secret: String,
    at: EpochMs,
}

/// Those that wait.
#[derive(Debug, Default)]
pub(crate) struct Silent(Mutex<Vec<One>>);

impl Silent {
    /// The ids of those that came after `since`.
    pub(super) fn waiting(&self, since: EpochMs) -> Vec<PairingId> {
        let mut all = lock(&self.0);
        all.retain(|one| one.at > since);
        all.iter().map(|one| one.id.clone()).collect()
    }

    /// Whether one of that name waits.
    pub(super) fn is_named(&self, key: &Key, name: &str, since: EpochMs) -> bool {
        let name = hash(key, name);
        lock(&self.0).iter().any(|one| one.at > since && one.name == name)
    }

    /// Whether one of that secret waits.
    pub(super) fn is_of(&self, secret: &str, since: EpochMs) -> bool {
        lock(&self.0).iter().any(|one| one.at > since && one.secret == secret)
    }

    /// Lets one wait.
    pub(super) fn keep(&self, key: &Key, (name, secret): (&str, &str), now: EpochMs) -> Result<PairingId, Fault> {
        let id = PairingId::parse(ids::new_id(now)).map_err(um_store::StoreError::from)?;
        lock(&self.0).push(One { id: id.clone(), name: hash(key, name), secret: secret.to_owned(), at: now });
        Ok(id)
    }

    /// Ends the one of that id, where there is one.
    pub(super) fn displace(&self, id: &PairingId) {
        lock(&self.0).retain(|one| one.id != *id);
    }

    /// Ends those of a name, which was let in again.
    pub(super) fn allowed(&self, key: &Key, name: &str) {
        let name = hash(key, name);
        lock(&self.0).retain(|one| one.name != name);
    }
}

/// Whether a name waits about which nobody is asked, as it was forgotten.
pub(super) fn waits_silently(c: &Connection, engine: &Engine, name: &str, now: EpochMs) -> Result<bool, Fault> {
    let (silent, key) = (&engine.core().silent, engine.key());
    if !silent.is_named(key, name, now - super::pairing::PATIENCE) {
        return Ok(false);
    }
    let allowed = may_come(c, key, Said::Name(name))?;
    if allowed {
        silent.allowed(key, name);
    }
    Ok(!allowed)
}

/// Whether words may come in, as they hold nothing that was forgotten.
pub(super) fn may_come(c: &Connection, key: &Key, said: Said<'_>) -> Result<bool, Fault> {
    match crate::forget::refuse_said(c, key, &[SpaceId::global()], said) {
        Err(Fault::Api(error)) if error.code == ErrorCode::Forgotten => Ok(false),
        other => other.map(|()| true),
    }
}

/// What a name is known by here.
fn hash(key: &Key, name: &str) -> String {
    key.hmac("pairing", &pairing::folded(name))
}
