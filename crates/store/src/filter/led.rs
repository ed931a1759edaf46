//! Where types and names lead to what may pass.

use super::over::{OF_MAIL_FILES, OF_NAMED, OF_PERSON, OF_TYPED, Over};
use super::{FEW, UnitFilter, all_found, ids};
use crate::StoreResult;
use rusqlite::{Connection, params};
use um_model::{AgentId, SpaceId};

impl UnitFilter {
    /// All units in use of some spaces, or what is known to be the only ones that may pass, also where types or names [lead to less](Self::led).
    pub(super) fn of_all(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<&'static Over> {
        Ok(self.led(connection, spaces)?.unwrap_or_else(|| self.of_spaces()))
    }

    /// What the types or the names that are asked for lead to, which is all that may pass of some spaces, where neither tags do so nor times
    /// that few are of. Of types and names it is the names: most files may be of one type.
    fn led(&self, connection: &Connection, spaces: &[SpaceId]) -> StoreResult<Option<&'static Over>> {
        let by_name = !self.from.is_empty() && !self.is_from_person(connection)?;
        let led = if by_name { Some(&OF_NAMED) } else { self.typed() };
        if led.is_none() || !self.tags.is_empty() {
            return Ok(None);
        }
        let leads = !self.has_times() || self.dates_many(connection, spaces)?;
        Ok(led.filter(|_| leads))
    }

    /// What the types that are asked for lead to, where text is none of them, nor mails beside others.
    pub(super) fn typed(&self) -> Option<&'static Over> {
        match (self.modalities.is_empty(), self.mails) {
            (true, true) => Some(&OF_MAIL_FILES),
            (false, false) if !self.modalities.iter().any(|modality| modality == "text") => Some(&OF_TYPED),
            _ => None,
        }
    }

    /// Whether the person's own name is among what is asked for.
    fn is_from_person(&self, connection: &Connection) -> StoreResult<bool> {
        let person = AgentId::owner();
        Ok(connection.prepare_cached(OF_PERSON)?.exists(params![person.as_str(), all_found(&self.from)?])?)
    }

    /// All that types or names [lead to](Self::led) of some spaces and that passes in all but its words, where that is little.
    pub(super) fn few_led_to(
        &self,
        connection: &Connection,
        spaces: &[SpaceId],
    ) -> StoreResult<Option<Vec<(String, i64)>>> {
        let Some(over) = self.led(connection, spaces)? else { return Ok(None) };
        let found = self.passing(connection, over, &ids(spaces)?, FEW + 1)?;
        Ok((found.len() <= FEW).then_some(found))
    }
}
