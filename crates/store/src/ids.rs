//! New ids. UUIDv7 rises with time, so that ids made later sort later.

use std::sync::{LazyLock, Mutex};
use um_model::EpochMs;
use uuid::{ContextV7, Timestamp, Uuid};

static CONTEXT: LazyLock<Mutex<ContextV7>> = LazyLock::new(|| Mutex::new(ContextV7::new()));

/// A new UUIDv7 of the engine's time. Ids made in one millisecond by one process still rise.
pub fn new_id(now: EpochMs) -> String {
    let millis = now.max(0) as u64;
    let context = CONTEXT.lock().expect("making a timestamp does not panic");
    let timestamp = Timestamp::from_unix(&*context, millis / 1000, (millis % 1000) as u32 * 1_000_000);
    Uuid::new_v7(timestamp).to_string()
}

/// The condition that an id, `named` in a statement, begins or ends with `?2`; `table` has it as `id`. Ids that were made within a minute
/// begin alike, and end at random. The ends are looked for in the index of ids, from its first to its last.
pub(crate) fn has_part(named: &str, table: &str) -> String {
    // After all that ids are made of comes the g.
    format!(
        "({named} >= ?2 AND {named} < ?2 || 'g'
          OR {named} IN (SELECT told.id FROM {table} told WHERE told.id LIKE '%' || ?2))"
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_rise() {
        let ids: Vec<_> = (0..1000).map(|_| super::new_id(1_700_000_000_000)).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(um_model::UnitId::parse(ids[0].clone()).is_ok());
    }
}
