//! Where words come in: they are compared with what was forgotten, before the writer is asked, as long texts take long, and in its
//! transaction where something was forgotten since.

use super::tombstones::{refuse_said, refuse_whole};
use crate::error::Fault;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::HashSet;
use um_model::SpaceId;
use um_store::keyed::Key;
use um_store::rejected::{Checked, Said, Says};
use um_store::{Connection, forget};

/// A space's door for words.
pub(crate) struct Door {
    pub(crate) space: SpaceId,
    /// What these forgot does not come in: the space itself, and those that what comes in was asked of.
    refusing: Vec<SpaceId>,
    key: Key,
    /// The last forgetting when `compared` was.
    last: i64,
    /// Hashes of what was compared by then.
    compared: RefCell<HashSet<[u8; 32]>>,
}

impl Door {
    /// One at which nothing was compared yet.
    pub(crate) fn of(key: &Key, space: &SpaceId) -> Self {
        let refusing = vec![space.clone()];
        Self { space: space.clone(), refusing, key: key.clone(), last: -1, compared: RefCell::default() }
    }

    /// The same for what is kept in this space and concerns others as well: what one of them forgot does not come in either. All are
    /// asked at once, so that several cost hardly more than one.
    pub(crate) fn and_of<'a>(mut self, others: impl IntoIterator<Item = &'a SpaceId>) -> Self {
        self.refusing.extend(others.into_iter().cloned());
        self
    }

    /// One at which what comes in is compared with what is forgotten by now.
    pub(crate) fn open(c: &Connection, key: &Key, space: &SpaceId) -> Result<Self, Fault> {
        Ok(Self { last: forget::last(c)?, ..Self::of(key, space) })
    }

    /// One at which all that somebody wants to bring in was compared.
    ///
    /// # Errors
    /// `Forgotten`.
    pub(crate) fn compared(c: &Connection, key: &Key, space: &SpaceId, all: &impl Says) -> Result<Self, Fault> {
        let door = Self::open(c, key, space)?;
        door.compare(c, all)?;
        Ok(door)
    }

    /// Compares what somebody wants to bring in, in the moment at which it was opened.
    ///
    /// # Errors
    /// `Forgotten`.
    pub(crate) fn compare(&self, c: &Connection, all: &impl Says) -> Result<(), Fault> {
        let mut outcome = Ok(());
        all.says(&mut |said| {
            if outcome.is_ok() {
                outcome = refuse_said(c, &self.key, &self.refusing, said);
            }
            if outcome.is_ok() {
                self.compared.borrow_mut().insert(hash(said));
            }
        });
        outcome
    }

    /// Lets a row in, by which words come in.
    ///
    /// # Errors
    /// `Forgotten`.
    pub(crate) fn pass<T: Says>(&self, tx: &Connection, row: T) -> Result<Checked<T>, Fault> {
        let is_fresh = forget::last(tx)? == self.last;
        Checked::new(row, |said| match is_fresh && self.compared.borrow().contains(&hash(said)) {
            true => Ok(()),
            false => refuse_said(tx, &self.key, &self.refusing, said),
        })
    }

    /// Compares a text as a whole, all parts of which were compared.
    ///
    /// # Errors
    /// `Forgotten`.
    pub(crate) fn compare_whole(&self, tx: &Connection, text: &str) -> Result<(), Fault> {
        if forget::last(tx)? == self.last {
            refuse_whole(tx, &self.key, &self.refusing, text)?;
            self.compared.borrow_mut().insert(hash(Said::Text(text)));
        }
        Ok(())
    }
}

/// What was said, in a few bytes.
fn hash(said: Said<'_>) -> [u8; 32] {
    let kind = match said {
        Said::Text(_) => "text",
        Said::Name(_) => "name",
        Said::Path(_) => "path",
        Said::Bytes(_) => "bytes",
    };
    Sha256::new().chain_update(kind).chain_update([0]).chain_update(said.words()).finalize().into()
}
