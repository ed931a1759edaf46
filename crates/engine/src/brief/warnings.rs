//! What speaks against relying on the items of a pack, or on what was recalled. None is left out for it: whoever reads decides.

use super::gather::LOW_TRUST;
use crate::error::Fault;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use um_model::envelope::ConfidenceLabel;
use um_model::recall::{Hit, MemoryRecall};
use um_model::work::*;
use um_model::{AgentId, EpochMs, SpaceId, UnitId};
use um_store::briefs::{self, Against};
use um_store::filter::Then;
use um_store::{Connection, contexts, events, verification};

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

/// An item, and the passage of it that is told where not all of it is.
type Told<'a> = (&'a ItemRef, Option<&'a UnitId>);

/// Sources that are missing, what contradicts an item or stands in its place, memories that nobody confirmed for long, and knowledge
/// that ran out, of the time that is asked for, by a clock that is so many minutes ahead of UTC.
pub(super) fn of_sources(
    c: &Connection,
    items: &[PackItem],
    (then, utc_offset): (Then, i32),
    now: EpochMs,
) -> Result<Vec<RecallWarning>, Fault> {
    let units: Vec<Option<UnitId>> = items.iter().map(contexts::unit_of).collect();
    let told: Vec<Told<'_>> = items.iter().zip(&units).map(|(item, unit)| (&item.item, unit.as_ref())).collect();
    let at = then.as_of.unwrap_or(now);
    let mut against = against(c, &told, (at, then.known_at))?.into_iter().peekable();
    let refs: Vec<&ItemRef> = items.iter().map(|item| &item.item).collect();
    let mut aged = briefs::aged(c, &refs, (at, then.earlier()))?.into_iter().peekable();
    let mut warnings = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let ids: Vec<String> = item.source_event_ids.iter().map(ToString::to_string).collect();
        let missing = events::missing(c, &item.space_id, &ids)?;
        if !missing.is_empty() {
            let message = "Events that it rests on are not there.";
            warnings.push(warning(WarningKind::CitationMissing, &item.item, message, missing));
        }
        while let Some((_, warning)) = against.next_if(|(of, _)| *of == at) {
            warnings.push(warning);
        }
        while let Some((_, since)) = aged.next_if(|(of, _)| *of == at) {
            warnings.push(of_age(&item.item, since, utc_offset));
        }
    }
    Ok(warnings)
}

/// That nobody confirmed a memory since a moment, or that an entry held until then, by a clock that is so many minutes ahead of UTC.
fn of_age(item: &ItemRef, moment: EpochMs, utc_offset: i32) -> RecallWarning {
    if item.item_type != ItemType::Entry {
        return stale(item, moment, utc_offset);
    }
    let day = last_day(moment, utc_offset).unwrap_or_else(|| moment.to_string());
    warning(WarningKind::RanOut, item, &format!("It held until {day}."), Vec::new())
}

/// The last day of what holds until a moment, the first one after it, by a clock that is so many minutes ahead of UTC.
pub(super) fn last_day(until: EpochMs, utc_offset: i32) -> Option<String> {
    day(until.saturating_sub(1), utc_offset)
}

/// The day of a moment by a clock that is so many minutes ahead of UTC.
pub(super) fn day(at: EpochMs, utc_offset: i32) -> Option<String> {
    um_rules::date_written(at.saturating_add(EpochMs::from(utc_offset) * 60_000))
}

/// Warns of hits that something contradicts, or stands in the place of, at the time that is asked for, as was known at another one
/// (ruling 33: relations only warn), of those that say a fact which another one contradicts or the person decided against, of those that
/// nobody confirmed for long, and of those that come from somebody who is trusted little.
pub(crate) fn warn_of_hits(
    c: &Connection,
    hits: &mut [Hit],
    request: &MemoryRecall,
    now: EpochMs,
) -> Result<(), Fault> {
    let at = (request.as_of.unwrap_or(now), request.known_at);
    let of_hit = |hit: &Hit| ItemRef {
        item_type: ItemType::Memory,
        id: hit.ids.memory.to_string(),
        space_id: hit.ids.space.clone(),
        title: hit.title.clone(),
    };
    let items: Vec<ItemRef> = hits.iter().map(of_hit).collect();
    let told: Vec<Told<'_>> = items.iter().zip(hits.iter()).map(|(item, hit)| (item, Some(&hit.ids.unit))).collect();
    let warnings = against(c, &told, at)?;
    for (of, warning) in warnings {
        hits[of].warnings.push(warning);
    }
    // What was confirmed after the time that is asked for was not stale for long then.
    let until = at.0.min(at.1.unwrap_or(EpochMs::MAX));
    for (hit, item) in hits.iter_mut().zip(&items) {
        let since = stale_since(hit).filter(|since| *since <= until);
        hit.warnings.extend(since.map(|since| stale(item, since, request.utc_offset)));
    }
    let is_low = trusted_little(c, hits)?;
    for ((hit, item), _) in hits.iter_mut().zip(&items).zip(is_low).filter(|(_, is_low)| *is_low) {
        let message = "It comes from somebody who is trusted little.";
        hit.warnings.push(warning(WarningKind::LowTrust, item, message, Vec::new()));
    }
    Ok(())
}

/// Whether each of some hits comes from somebody who is trusted little in its space, as in packs. Each of them is looked up once.
fn trusted_little(c: &Connection, hits: &[Hit]) -> Result<Vec<bool>, Fault> {
    let mut known: BTreeMap<(&SpaceId, &AgentId), bool> = BTreeMap::new();
    let mut all = Vec::new();
    for hit in hits {
        let whose = (&hit.ids.space, &hit.actor_id);
        let is_low = match known.get(&whose) {
            Some(is_low) => *is_low,
            None => briefs::trust(c, whose.0, whose.1)? < LOW_TRUST,
        };
        known.insert(whose, is_low);
        all.push(is_low);
    }
    Ok(all)
}

/// Since when nobody confirmed the memory of a hit, where that is too long.
fn stale_since(hit: &Hit) -> Option<EpochMs> {
    let envelope = hit.envelope.as_ref().filter(|envelope| envelope.confidence_label == ConfidenceLabel::Stale)?;
    Some(envelope.last_confirmed_at.unwrap_or(hit.recorded_at))
}

/// That nobody confirmed an item since a day of a clock that is so many minutes ahead of UTC.
fn stale(item: &ItemRef, since: EpochMs, utc_offset: i32) -> RecallWarning {
    let message = match day(since, utc_offset) {
        Some(day) => format!("Nobody confirmed it since {day}."),
        None => "Nobody confirmed it for long.".to_owned(),
    };
    warning(WarningKind::Stale, item, &message, Vec::new())
}

/// What speaks against items, each with the item's place in the list, in that order: relations, then open conflicts, then what was decided.
fn against(
    c: &Connection,
    items: &[Told<'_>],
    at: (EpochMs, Option<EpochMs>),
) -> Result<Vec<(usize, RecallWarning)>, Fault> {
    let refs: Vec<&ItemRef> = items.iter().map(|(item, _)| *item).collect();
    let mut warnings = of_relations(c, &refs, at)?;
    for (of, other, conflict) in briefs::disputed(c, items, at.1)? {
        let message = match refs[of].item_type {
            ItemType::Claim => "It and another fact contradict each other, and nobody has decided between them.",
            _ => "A fact that it says and another one contradict each other, and nobody has decided between them.",
        };
        let kind = WarningKind::TemporalContradiction;
        let told = warning(kind, refs[of], message, vec![other.to_string()]);
        warnings.push((of, RecallWarning { conflict: Some(conflict), ..told }));
    }
    warnings.extend(of_decisions(c, items, at)?);
    warnings.sort_by_key(|(of, _)| *of);
    Ok(warnings)
}

/// That items are or say what was decided against by then, each with the item's place in the list: one for each item, with its claims.
fn of_decisions(
    c: &Connection,
    items: &[Told<'_>],
    (as_of, known_at): (EpochMs, Option<EpochMs>),
) -> Result<Vec<(usize, RecallWarning)>, Fault> {
    let by = as_of.min(known_at.unwrap_or(EpochMs::MAX));
    let mut out: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (of, claim) in briefs::decided_against(c, items, by)? {
        out.entry(of).or_default().push(claim.to_string());
    }
    let told = |(of, claims): (usize, Vec<String>)| {
        let (item, _) = items[of];
        let message = match item.item_type {
            ItemType::Claim => "It was decided against.",
            _ => "A fact that it says was decided against.",
        };
        (of, warning(WarningKind::DecidedAgainst, item, message, claims))
    };
    Ok(out.into_iter().map(told).collect())
}

/// What contradicts items or stands in their place, each with the item's place in the list, in that order.
fn of_relations(
    c: &Connection,
    items: &[&ItemRef],
    at: (EpochMs, Option<EpochMs>),
) -> Result<Vec<(usize, RecallWarning)>, Fault> {
    let told = |one: Against| {
        let (kind, message) = match (one.relation.as_str(), one.is_from) {
            ("supersedes", true) => (WarningKind::TemporalSupersession, "It stands in the place of another one."),
            ("supersedes", false) => (WarningKind::TemporalSupersession, "Another one stands in its place."),
            _ => (WarningKind::TemporalContradiction, "It and another one contradict each other."),
        };
        (one.at, warning(kind, items[one.at], message, vec![one.other]))
    };
    Ok(briefs::against(c, items, at)?.into_iter().map(told).collect())
}

/// A warning with its id, which is the same for the same warning.
pub(crate) fn warning(kind: WarningKind, item: &ItemRef, message: &str, mut related: Vec<String>) -> RecallWarning {
    related.sort();
    let target = item.clone();
    let parts = ["um-warning", kind.as_str(), target.item_type.as_str(), &target.id, message].join("\0");
    let mut id = format!("{:x}", Sha256::digest(format!("{parts}\0{}", related.join("\0"))));
    id.truncate(16);
    RecallWarning { id, kind, target, message: message.to_owned(), related, conflict: None }
}
