//! What speaks against relying on the items of a pack. None is left out for it: whoever reads decides.

use crate::error::Fault;
use sha2::{Digest, Sha256};
use um_model::EpochMs;
use um_model::work::*;
use um_store::{Connection, briefs, events, verification};

/// The items that did not pass when they were checked last.
pub(super) fn of_checks(c: &Connection, items: &[PackItem]) -> Result<Vec<VerificationWarning>, Fault> {
    let mut warnings = Vec::new();
    for item in items {
        let Some(last) = verification::not_passed(c, &item.item)? else { continue };
        warnings.push(VerificationWarning {
            target: item.item.clone(),
            space_id: item.space_id.clone(),
            status: last.status,
            checker: last.checker,
            detail: last.detail,
            checked_at: last.checked_at,
        });
    }
    Ok(warnings)
}

/// Sources that are missing, and what contradicts an item or stands in its place.
pub(super) fn of_sources(c: &Connection, items: &[PackItem], now: EpochMs) -> Result<Vec<RecallWarning>, Fault> {
    let mut warnings = Vec::new();
    for item in items {
        let ids: Vec<String> = item.source_event_ids.iter().map(ToString::to_string).collect();
        let missing = events::missing(c, &item.space_id, &ids)?;
        if !missing.is_empty() {
            let message = "Events that it rests on are not there.";
            warnings.push(warning(WarningKind::CitationMissing, &item.item, message, missing));
        }
        for (relation, is_from, other) in briefs::against(c, &item.item, now)? {
            let (kind, message) = match (relation.as_str(), is_from) {
                ("supersedes", true) => (WarningKind::TemporalSupersession, "It stands in the place of another one."),
                ("supersedes", false) => (WarningKind::TemporalSupersession, "Another one stands in its place."),
                _ => (WarningKind::TemporalContradiction, "It and another one contradict each other."),
            };
            warnings.push(warning(kind, &item.item, message, vec![other]));
        }
    }
    Ok(warnings)
}

/// A warning with its id, which is the same for the same warning.
pub(crate) fn warning(kind: WarningKind, item: &ItemRef, message: &str, mut related: Vec<String>) -> RecallWarning {
    related.sort();
    let target = item.clone();
    let parts = ["um-warning", kind.as_str(), target.item_type.as_str(), &target.id, message].join("\0");
    let mut id = format!("{:x}", Sha256::digest(format!("{parts}\0{}", related.join("\0"))));
    id.truncate(16);
    RecallWarning { id, kind, target, message: message.to_owned(), related }
}
