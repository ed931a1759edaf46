//! What a memory is about, by local rules (ruling 13). Precision before recall: what no rule knows is a
//! fact of low confidence without tags.

use crate::Engine;
use crate::error::{Fault, Outcome};
use um_model::capture::Memory;
use um_model::health::Event;
use um_model::{EpochMs, MemoryId, MemoryScope, SpaceId};
use um_store::{Transaction, memories, tags};

/// Names these rules in `memories.classifier_id`.
pub(crate) const CLASSIFIER_ID: &str = "rules-3";
/// What no rule has read yet.
pub(crate) const UNREAD: (MemoryScope, f64) = (MemoryScope::Fact, 0.3);
/// So many bytes of a memory's texts tell what it is about.
const ENOUGH: usize = 100_000;

/// What a text is about.
pub(crate) struct Classified {
    pub(crate) scope: MemoryScope,
    /// 0 to 1.
    pub(crate) confidence: f64,
    pub(crate) tags: Vec<String>,
}

/// What a text is about, and how sure the rules are.
pub(crate) fn classify(text: &str, title: Option<&str>) -> Classified {
    let found = um_rules::classify(text);
    Classified { scope: found.scope, confidence: found.confidence, tags: um_rules::tags(text, title) }
}

/// Says what a memory is about from what was read of it, where it still says that. What a language model said of it stays.
pub(crate) fn classify_texts(engine: &Engine, memory: &Memory, texts: Vec<String>) -> Outcome<()> {
    let by = engine.read(|c| Ok(memories::classifier(c, &memory.id)?))?;
    if by.as_ref().is_some_and(|by| !by.starts_with("rules-")) || texts.iter().all(|text| text.trim().is_empty()) {
        return Ok(());
    }
    let found = classify(&beginning(&texts), memory.title.as_deref());
    let same = memory.scope == found.scope
        && memory.classification_confidence == found.confidence
        && memory.tags == found.tags
        && by.as_deref() == Some(CLASSIFIER_ID);
    if same {
        return Ok(());
    }
    let (id, space, now) = (memory.id.clone(), memory.space_id.clone(), engine.now());
    engine.write(move |tx| {
        // Its words may have been forgotten or blacked out since: what they were about goes with them.
        if crate::belief::extract::texts(tx, &id)?.as_ref() != Some(&texts) {
            return Ok(());
        }
        set(tx, (&id, &space), &found, now)
    })?;
    engine.tell(Event::Library);
    Ok(())
}

/// Says what a memory is about.
pub(crate) fn set(
    tx: &Transaction<'_>,
    (id, space): (&MemoryId, &SpaceId),
    found: &Classified,
    now: EpochMs,
) -> Result<(), Fault> {
    memories::set_classification(tx, id, found.scope, found.confidence, CLASSIFIER_ID)?;
    Ok(tags::set_of_memory(tx, space, id, &found.tags, now)?)
}

/// The first of the texts' words.
fn beginning(texts: &[impl AsRef<str>]) -> String {
    let mut all = String::new();
    for text in texts.iter().map(AsRef::as_ref) {
        let room = ENOUGH.saturating_sub(all.len());
        let end = (0..=room.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        all.push_str(&text[..end]);
        all.push_str("\n\n");
        if all.len() >= ENOUGH {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_asked() {
        let found = classify("I prefer tea to coffee. #tea", None);
        assert_eq!((found.scope, found.tags.as_slice()), (MemoryScope::Preference, &["tea".to_owned()][..]));
        assert!(found.confidence > classify("Hm.", None).confidence);
    }

    #[test]
    fn the_beginning_is_cut_between_letters() {
        let long = "é".repeat(ENOUGH);
        assert!(beginning(&[&long, "more"]).len() <= ENOUGH + 2);
        assert_eq!(beginning(&["a", "b"]), "a\n\nb\n\n");
    }
}
