//! Reconciliation (spine 7.7): once in a while every claim is settled anew by its evidence, and every quote is
//! looked for in its source. What drifted is repaired, or marked as gone.

use super::contradict::judge_marked;
use super::ledger::told;
use super::settle::{Why, settle_all};
use super::turns::{TURN, settle_marked};
use crate::Engine;
use crate::error::{Fault, Outcome};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use um_model::health::Event;
use um_model::span::Utf16Offsets;
use um_model::{AgentId, ClaimId, EpochMs, EvidenceId, SpaceId, Utf16Span};
use um_store::claims::{self, Cause};
use um_store::evidence::{self, Found, Source};
use um_store::{Connection, entities, settings, units};

/// So many quotes are looked up in one step.
const STEP: u32 = 200;

/// When reconciliation last began: `system_settings`.
const RECONCILED_AT: &str = "beliefs.reconciled_at";
/// How far it is, while it goes on: `system_settings`.
const POSITION: &str = "beliefs.reconciling";
/// It begins once a day.
const DAY_MS: i64 = 86_400_000;

/// Settles what was left to be settled, and judges what is to be judged. Then reconciles, where that was begun and not ended, or
/// a day has passed since it last began. A database that was never reconciled is new: its day begins now. Gives whether
/// it did anything.
pub(crate) fn reconcile_when_due(engine: &Engine, wanted: &dyn Fn() -> bool) -> Outcome<bool> {
    let settled = settle_marked(engine, wanted)?;
    if judge_marked(engine, wanted)? || settled {
        engine.tell(Event::Beliefs);
    }
    let now = engine.now();
    let (last, position) = engine.read(|c| Ok((settings::get(c, RECONCILED_AT)?, settings::get(c, POSITION)?)))?;
    let last = last.and_then(|at| at.parse::<i64>().ok());
    let position = match position.as_deref().and_then(Position::parse) {
        Some(position) => position,
        None if last.is_some_and(|last| now - last < DAY_MS) => return Ok(false),
        None => Position::Evidence(0),
    };
    let is_new = last.is_none();
    if position == Position::Evidence(0) {
        engine.write(move |tx| {
            settings::set(tx, RECONCILED_AT, &now.to_string(), now)?;
            if is_new { Ok(()) } else { position.keep(tx, now) }
        })?;
    }
    if !is_new {
        let done = reconcile(engine, position, wanted)?;
        tracing::info!(claims = done.claims, moved = done.moved, missing = done.missing, "beliefs were reconciled");
        engine.tell(Event::Beliefs);
    }
    Ok(!is_new)
}

/// The rid of the row that was gone through last: of all evidence first, then of all claims, then of all entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Evidence(i64),
    Claims(i64),
    Entities(i64),
}

impl Position {
    fn parse(text: &str) -> Option<Self> {
        let (what, rid) = text.split_once(':')?;
        let rid = rid.parse().ok()?;
        match what {
            "evidence" => Some(Self::Evidence(rid)),
            "claims" => Some(Self::Claims(rid)),
            "entities" => Some(Self::Entities(rid)),
            _ => None,
        }
    }

    fn keep(self, tx: &Connection, now: EpochMs) -> Result<(), Fault> {
        let text = match self {
            Self::Evidence(rid) => format!("evidence:{rid}"),
            Self::Claims(rid) => format!("claims:{rid}"),
            Self::Entities(rid) => format!("entities:{rid}"),
        };
        Ok(settings::set(tx, POSITION, &text, now)?)
    }
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

/// Goes through all evidence, all claims and all entities of the database from a position on, in steps; stops where
/// `wanted` says so, and goes on there the next time.
fn reconcile(engine: &Engine, mut position: Position, wanted: &dyn Fn() -> bool) -> Outcome<Reconciled> {
    let mut done = Reconciled::default();
    while wanted() {
        let next = match position {
            Position::Evidence(after) => look_up(engine, after, &mut done)?,
            Position::Claims(after) => settle_page(engine, after, &mut done)?,
            Position::Entities(after) => drop_orphans(engine, after)?,
        };
        match next {
            Some(next) => position = next,
            None => break,
        }
    }
    Ok(done)
}

/// Looks up a page of quotes, and keeps where they stand now.
fn look_up(engine: &Engine, after: i64, done: &mut Reconciled) -> Outcome<Option<Position>> {
    let (last, drifted) = engine.read(|c| {
        let page = evidence::page(c, after, STEP)?;
        Ok((page.last().map(|(rid, _)| *rid), drifted(c, &page)?))
    })?;
    let count = |wanted: &str| drifted.iter().filter(|(.., drift)| *drift == wanted).count() as u64;
    done.moved += count("moved");
    done.missing += count("missing");
    let (next, now) = (last.map_or(Position::Claims(0), Position::Evidence), engine.now());
    engine.write(move |tx| {
        for (id, span, drift) in drifted {
            evidence::set_drift(tx, &id, span, drift)?;
        }
        next.keep(tx, now)
    })?;
    Ok(Some(next))
}

/// Settles a page of claims.
fn settle_page(engine: &Engine, after: i64, done: &mut Reconciled) -> Outcome<Option<Position>> {
    let page = engine.read(|c| Ok(claims::page_of_ids(c, after, TURN as u32)?))?;
    let next = page.last().map_or(Position::Entities(0), |(last, _)| Position::Claims(*last));
    let ids: Vec<ClaimId> = page.into_iter().map(|(_, id)| id).collect();
    done.claims += ids.len() as u64;
    let now = engine.now();
    engine.write(move |tx| {
        let why = Why { actor: &AgentId::system(), now, cause: Cause::Evidence, new_source: false };
        if let Some(first) = ids.first().cloned() {
            let space = claims::space_of(tx, &first)?.unwrap_or_else(SpaceId::global);
            told(tx, "beliefs.settled", ("claims", first.as_str()), &space, now, || settle_all(tx, ids, &why))?;
        }
        next.keep(tx, now)
    })?;
    Ok(Some(next))
}

/// Takes those entities of a page out of use that nothing names.
fn drop_orphans(engine: &Engine, after: i64) -> Outcome<Option<Position>> {
    let now = engine.now();
    engine.write(move |tx| {
        let next = entities::drop_orphans(tx, after, STEP, now)?.map(Position::Entities);
        match next {
            Some(next) => next.keep(tx, now)?,
            None => settings::remove(tx, POSITION)?,
        }
        Ok(next)
    })
}

/// A quote that drifted: where it stands now, if it does, and what is to be known of it.
type Drifted = (EvidenceId, Option<Utf16Span>, &'static str);

/// The quotes that do not stand where they are said to, and those that were gone and are there again.
fn drifted(c: &Connection, page: &[(i64, Found)]) -> Result<Vec<Drifted>, Fault> {
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
        if stands {
            if found.drift == "missing" {
                drifted.push((found.id.clone(), None, "ok"));
            }
            continue;
        }
        let span = nearest(text, &found.quote, found.span);
        match (span, found.drift.as_str()) {
            (None, "missing") => {}
            (Some(span), _) => drifted.push((found.id.clone(), Some(span), "moved")),
            (None, _) => drifted.push((found.id.clone(), None, "missing")),
        }
    }
    Ok(drifted)
}

/// Where words stand in a text: of several places the one nearest to where they stood.
fn nearest(text: &str, quote: &str, stood: Utf16Span) -> Option<Utf16Span> {
    let mut offsets = Utf16Offsets::new(text);
    let places = text.match_indices(quote).filter(|(_, words)| !words.is_empty());
    let spans = places.map(|(at, words)| Utf16Span::new(offsets.unit_at(at), offsets.unit_at(at + words.len())));
    spans.min_by_key(|span| span.start.abs_diff(stood.start))
}

fn hash(words: &str) -> String {
    format!("{:x}", Sha256::digest(words.as_bytes()))
}
