//! Reconciliation (spine 7.7): once in a while every claim is settled anew by its evidence, and every quote is
//! looked for in its source. What drifted is repaired, or marked as gone.

use super::settle::{Why, settle_all};
use crate::Engine;
use crate::error::Outcome;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use um_model::health::Event;
use um_model::{AgentId, ClaimId, Utf16Span};
use um_store::claims::{self, Cause};
use um_store::evidence::{self, Found, Source};
use um_store::{Connection, settings, units};

/// So many rows are gone through in one transaction.
const STEP: u32 = 200;

/// When reconciliation last began: `system_settings`.
const RECONCILED_AT: &str = "beliefs.reconciled_at";
/// It begins once a day.
const DAY_MS: i64 = 86_400_000;

/// Reconciles where a day has passed since the last time. A database that was never reconciled is new: its day
/// begins now. Gives whether it did anything.
pub(crate) fn reconcile_when_due(engine: &Engine, wanted: &dyn Fn() -> bool) -> Outcome<bool> {
    let now = engine.now();
    let last = engine.read(|c| Ok(settings::get(c, RECONCILED_AT)?))?.and_then(|at| at.parse::<i64>().ok());
    if last.is_some_and(|last| now - last < DAY_MS) {
        return Ok(false);
    }
    engine.write(move |tx| Ok(settings::set(tx, RECONCILED_AT, &now.to_string(), now)?))?;
    if last.is_some() {
        let done = reconcile(engine, wanted)?;
        tracing::info!(claims = done.claims, moved = done.moved, missing = done.missing, "beliefs were reconciled");
        engine.tell(Event::Beliefs);
    }
    Ok(last.is_some())
}

/// What reconciliation found and mended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Reconciled {
    /// Claims that were settled.
    claims: u64,
    /// Quotes whose place was mended.
    moved: u64,
    /// Quotes that their source no longer has.
    missing: u64,
}

/// Goes through all evidence and all claims of the database, in steps; stops where `wanted` says so.
fn reconcile(engine: &Engine, wanted: &dyn Fn() -> bool) -> Outcome<Reconciled> {
    let mut done = Reconciled::default();
    let mut after = 0;
    while wanted() {
        let page = engine.read(|c| {
            let page = evidence::page(c, after, STEP)?;
            let drifted = drifted(c, &page)?;
            Ok((page.last().map(|(rid, _)| *rid), drifted))
        })?;
        let (Some(last), drifted) = page else { break };
        after = last;
        done.moved += drifted.iter().filter(|(_, span)| span.is_some()).count() as u64;
        done.missing += drifted.iter().filter(|(_, span)| span.is_none()).count() as u64;
        if !drifted.is_empty() {
            engine.write(move |tx| {
                for (found, span) in drifted {
                    let drift = if span.is_some() { "moved" } else { "missing" };
                    evidence::set_drift(tx, &found.id, span, drift)?;
                }
                Ok(())
            })?;
        }
    }
    let mut after = 0;
    while wanted() {
        let page = engine.read(|c| Ok(claims::page_of_ids(c, after, STEP)?))?;
        let Some((last, _)) = page.last() else { break };
        after = *last;
        let ids: Vec<ClaimId> = page.into_iter().map(|(_, id)| id).collect();
        done.claims += ids.len() as u64;
        let now = engine.now();
        engine.write(move |tx| {
            let why = Why { actor: &AgentId::system(), now, cause: Cause::Evidence, new_source: false };
            settle_all(tx, ids, &why).map(drop)
        })?;
    }
    Ok(done)
}

/// The quotes that do not stand where they are said to, with where they stand now.
fn drifted(c: &Connection, page: &[(i64, Found)]) -> Result<Vec<(Found, Option<Utf16Span>)>, crate::error::Fault> {
    let mut texts: HashMap<String, String> = HashMap::new();
    let mut drifted = Vec::new();
    for (_, found) in page {
        let (key, is_memory) = match &found.source {
            Source::Memory(id) => (id.as_str(), true),
            Source::View(id, _) => (id.as_str(), false),
        };
        if !texts.contains_key(key) {
            texts.insert(key.to_owned(), units::source_text(c, key, is_memory)?);
        }
        let text = &texts[key];
        let stands = found.span.slice(text).is_some_and(|words| hash(words) == found.span_hash);
        let span = text.find(&found.quote).map(|at| Utf16Span::from_byte_range(text, at..at + found.quote.len()));
        match (stands, span, found.drift.as_str()) {
            (true, ..) | (false, None, "missing") => {}
            (false, span, _) => drifted.push((found.clone(), span)),
        }
    }
    Ok(drifted)
}

fn hash(words: &str) -> String {
    format!("{:x}", Sha256::digest(words.as_bytes()))
}
