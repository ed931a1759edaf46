//! Looking for personal and secret data in the texts of a memory. A text is looked at once by each version of the
//! detectors; looking twice changes nothing.
//!
//! At first the detectors look alone, at once. Where a model for names is installed, it looks with them at the lowest
//! priority, as at all texts that were there before it: so whatever becomes of the model, each text has been looked at.

use crate::Engine;
use crate::error::{Outcome, from_provider};
use crate::provider::{Cancel, ProviderError};
use std::sync::Arc;
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, MemoryId};
use um_pii::{Proposal, Rules, VERSION};
use um_store::findings::{self, Looked, Versions};
use um_store::parts::Text;
use um_store::{jobs, units};

/// So many findings are kept in one transaction, so that a long text does not keep others waiting.
const BATCH: usize = 500;
/// How the model's findings are marked.
const MODEL: &str = "model.names";

/// The detectors' version with the model that looks beside them, if one does.
fn version_with(model: Option<&str>) -> String {
    model.map_or_else(|| VERSION.to_owned(), |model| format!("{VERSION}+{model}"))
}

/// The versions by which a text need not be looked at again. Without a model, what any model found stays.
fn versions(model: Option<&str>) -> Versions {
    let version = version_with(model);
    match model {
        Some(_) => version.clone()..=version,
        // The sign after `+` is higher than any version with a model.
        None => version..=format!("{VERSION},"),
    }
}

/// Whether the detectors as they are now have looked, with whatever model.
pub(super) fn is_current(version: &str) -> bool {
    versions(None).contains(&version.to_owned())
}

/// Queues one memory that another version of the detectors looked at, where there is one: at the lowest priority, and the
/// next one not before this one is done. Gives whether it queued any.
pub(crate) fn queue_next(engine: &Engine) -> Outcome<bool> {
    let model = engine.providers().names.model_id();
    let versions = versions(model.as_deref());
    let next = engine.read(|c| Ok(findings::any_unlooked(c, &versions)?))?;
    let Some((id, space)) = next else { return Ok(false) };
    let now = engine.now();
    engine.write(move |tx| {
        crate::work::queue_detection(tx, (&id, &space), versions.start(), jobs::PRIORITY_AGAIN, now)
    })?;
    Ok(true)
}

/// Looks at those texts of a memory that this version of the detectors has not looked at.
pub(crate) fn detect_memory(engine: &Engine, id: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    let model = engine.providers().names.model_id();
    let texts = engine.read(|c| Ok(findings::unlooked(c, id, &versions(model.as_deref()))?))?;
    for text in &texts {
        detect_in(engine, text, model.as_deref(), cancel)?;
    }
    if !texts.is_empty() {
        engine.tell(Event::Findings);
    }
    Ok(())
}

fn detect_in(engine: &Engine, text: &Text, model: Option<&str>, cancel: &Cancel) -> Outcome<()> {
    let (id, is_memory) = match text {
        Text::Memory(id) => (id.as_str(), true),
        Text::View(id) => (id.as_str(), false),
    };
    let (words, before) =
        engine.read(|c| Ok((units::source_text(c, id, is_memory)?, findings::looked_at_by(c, text)?)))?;
    let is_first = before.is_none();
    let model = model.filter(|_| before.is_some_and(|version| is_current(&version)));
    let version = version_with(model);
    let words = Arc::new(words);
    let keep = |batch: Vec<Looked>, ends: bool| {
        let (text, words, version, now) = (text.clone(), words.clone(), version.clone(), engine.now());
        engine.write(move |tx| {
            // Its words may have been blacked out since they were read; then whoever did that asks for another look.
            if !findings::record(tx, (&text, &words), &version, &batch, now)? {
                return Ok(false);
            }
            if ends {
                findings::end(tx, &text, &version)?;
                if let (true, Text::View(view)) = (is_first, &text) {
                    super::carry::carry_over(tx, view, &words, now)?;
                }
            }
            Ok(true)
        })
    };
    let mut batch: Vec<Looked> = Vec::new();
    let rules = Rules::default();
    let names = |piece: &str| match model {
        Some(_) => engine.providers().names.names(piece, cancel).map(|names| names.into_iter().map(proposal).collect()),
        None => Ok(Vec::new()),
    };
    for found in um_pii::find_together(&words, &rules, names) {
        if cancel.is_cancelled() {
            return Err(ApiError::new(ErrorCode::Cancelled, "Looking for personal data was cancelled."));
        }
        batch.extend(found.map_err(|error: ProviderError| from_provider(&error))?.into_iter().map(looked));
        while batch.len() > BATCH {
            let rest = batch.split_off(BATCH);
            if !keep(std::mem::replace(&mut batch, rest), false)? {
                return Ok(());
            }
        }
    }
    keep(batch, true).map(drop)
}

fn proposal(name: crate::language::Name) -> Proposal {
    Proposal { range: name.range, kind: name.kind, detector: MODEL, confidence: name.confidence }
}

fn looked(found: um_pii::Finding) -> Looked {
    Looked { span: found.span, kind: found.kind, detector: found.detector, confidence: found.confidence }
}
