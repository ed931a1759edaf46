//! Looking for personal and secret data in the texts of a memory. A text is looked at once by each version of the
//! detectors; looking twice changes nothing.

use crate::Engine;
use crate::error::Outcome;
use crate::provider::Cancel;
use std::sync::Arc;
use um_model::health::Event;
use um_model::{ApiError, ErrorCode, MemoryId};
use um_pii::Rules;
use um_store::findings::{self, Looked};
use um_store::parts::Text;
use um_store::{jobs, units};

/// So many findings are kept in one transaction, so that a long text does not keep others waiting.
const BATCH: usize = 500;

/// Queues one memory that another version of the detectors looked at, where there is one: at the lowest priority, and the
/// next one not before this one is done. Gives whether it queued any.
pub(crate) fn queue_next(engine: &Engine) -> Outcome<bool> {
    let Some((id, space)) = engine.read(|c| Ok(findings::any_unlooked(c, um_pii::VERSION)?))? else { return Ok(false) };
    let now = engine.now();
    engine.write(move |tx| crate::work::queue_detection(tx, &id, &space, jobs::PRIORITY_AGAIN, now))?;
    Ok(true)
}

/// Looks at those texts of a memory that this version of the detectors has not looked at.
pub(crate) fn detect_memory(engine: &Engine, id: &MemoryId, cancel: &Cancel) -> Outcome<()> {
    let texts = engine.read(|c| Ok(findings::unlooked(c, id, um_pii::VERSION)?))?;
    for text in &texts {
        detect_in(engine, text, cancel)?;
    }
    if !texts.is_empty() {
        engine.tell(Event::Findings);
    }
    Ok(())
}

fn detect_in(engine: &Engine, text: &Text, cancel: &Cancel) -> Outcome<()> {
    let (id, is_memory) = match text {
        Text::Memory(id) => (id.as_str(), true),
        Text::View(id) => (id.as_str(), false),
    };
    let (words, is_first) =
        engine.read(|c| Ok((units::source_text(c, id, is_memory)?, findings::looked_at_by(c, text)?.is_none())))?;
    let words = Arc::new(words);
    let keep = |batch: Vec<Looked>, ends: bool| {
        let (text, words, now) = (text.clone(), words.clone(), engine.now());
        engine.write(move |tx| {
            // Its words may have been blacked out since they were read; then whoever did that asks for another look.
            if !findings::record(tx, (&text, &words), um_pii::VERSION, &batch, now)? {
                return Ok(false);
            }
            if ends {
                findings::end(tx, &text, um_pii::VERSION)?;
                if let (true, Text::View(view)) = (is_first, &text) {
                    super::carry::carry_over(tx, view, &words, now)?;
                }
            }
            Ok(true)
        })
    };
    let mut batch: Vec<Looked> = Vec::new();
    let rules = Rules::default();
    for found in um_pii::find_by_piece(&words, &rules) {
        if cancel.is_cancelled() {
            return Err(ApiError::new(ErrorCode::Cancelled, "Looking for personal data was cancelled."));
        }
        batch.extend(found.into_iter().map(looked));
        while batch.len() > BATCH {
            let rest = batch.split_off(BATCH);
            if !keep(std::mem::replace(&mut batch, rest), false)? {
                return Ok(());
            }
        }
    }
    keep(batch, true).map(drop)
}

fn looked(found: um_pii::Finding) -> Looked {
    Looked { span: found.span, kind: found.kind, detector: found.detector, confidence: found.confidence }
}
