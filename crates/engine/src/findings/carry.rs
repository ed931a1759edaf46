//! What a person decided in an earlier reading of a page holds for the same words in the reading that took its place.

use super::words::places;
use crate::error::Fault;
use crate::{Caller, Engine};
use std::collections::HashMap;
use um_model::findings::{FindingKind, FindingStatus};
use um_model::{EpochMs, FindingId, SpaceId, Utf16Span, ViewId};
use um_store::findings::{self, Earlier, Spot};
use um_store::parts::Text;
use um_store::{Connection, units};

/// Decides what was found in a view as the same words were decided in earlier readings, and marks what was marked there.
pub(super) fn carry_over(tx: &Connection, view: &ViewId, words: &str, now: EpochMs) -> Result<(), Fault> {
    let earlier = with_words(tx, view)?;
    if earlier.is_empty() {
        return Ok(());
    }
    let text = Text::View(view.clone());
    let mut changed: Vec<FindingId> = Vec::new();
    // What was decided last counts.
    let last: HashMap<(FindingKind, &str), &Earlier> =
        earlier.iter().map(|(decided, value)| ((decided.kind, value.as_str()), decided)).collect();
    for (id, kind, span) in findings::pending_in(tx, &text)? {
        let Some(decided) = span.slice(words).and_then(|value| last.get(&(kind, value))) else { continue };
        if findings::decide(tx, &id, decided.status, &decided.by, decided.at)? {
            changed.push(id);
        }
    }
    let space = space_of(tx, view)?;
    for (decided, value) in earlier.iter().filter(|(decided, _)| is_mark(decided)) {
        if let Some(span) = nearest(words, value, decided.span.start) {
            let spot = Spot::Words(text.clone(), span);
            changed.push(findings::mark(tx, &space, &spot, decided.kind, &decided.by, decided.at)?);
        }
    }
    if !changed.is_empty() {
        let (object, payload) = (("derived_text_views", view.as_str()), serde_json::json!({ "ids": changed }));
        Engine::audit(tx, &Caller::system("findings"), "findings.carried_over", object, &space, payload, now)?;
    }
    Ok(())
}

/// What a person marked as of these kinds in earlier readings of a page, where its words stand in the reading that took their place:
/// as long as nobody looked at that, which marks them there ([`carry_over`]).
pub(super) fn marked_before(
    c: &Connection,
    view: &ViewId,
    kinds: &[FindingKind],
) -> Result<Vec<(FindingKind, Utf16Span)>, Fault> {
    if findings::looked_at_by(c, &Text::View(view.clone()))?.is_some() {
        return Ok(Vec::new());
    }
    let mut earlier = with_words(c, view)?;
    earlier.retain(|(decided, _)| is_mark(decided) && kinds.contains(&decided.kind));
    if earlier.is_empty() {
        return Ok(Vec::new());
    }
    let words = units::source_text(c, view.as_str(), false)?;
    let stands = |(decided, value): &(Earlier, String)| {
        nearest(&words, value, decided.span.start).map(|span| (decided.kind, span))
    };
    Ok(earlier.iter().filter_map(stands).collect())
}

/// Whether it is a person's mark that still holds.
fn is_mark(decided: &Earlier) -> bool {
    decided.marked && decided.status == FindingStatus::Accepted
}

/// What was decided earlier, with the words that it was decided about.
fn with_words(c: &Connection, view: &ViewId) -> Result<Vec<(Earlier, String)>, Fault> {
    let mut texts: HashMap<ViewId, String> = HashMap::new();
    let mut decided = Vec::new();
    for one in findings::earlier(c, view)? {
        if !texts.contains_key(&one.view) {
            texts.insert(one.view.clone(), units::source_text(c, one.view.as_str(), false)?);
        }
        if let Some(value) = one.span.slice(&texts[&one.view]).map(str::to_owned) {
            decided.push((one, value));
        }
    }
    Ok(decided)
}

fn space_of(c: &Connection, view: &ViewId) -> Result<SpaceId, Fault> {
    let found = um_store::views::by_id(c, view)?;
    Ok(found.map(|(view, _)| view.space_id).ok_or_else(|| crate::error::not_found("text view", view.as_str()))?)
}

/// Where some words stand in a text, nearest to where they stood: as they were written, or, where they are nowhere so, however they are
/// spaced, capitalised and spelled.
fn nearest(text: &str, words: &str, stood: u32) -> Option<Utf16Span> {
    let mut offsets = um_model::span::Utf16Offsets::new(text);
    let spans = text.match_indices(words).map(|(at, _)| {
        let start = offsets.unit_at(at);
        Utf16Span::new(start, start + um_model::span::utf16_len(words))
    });
    let distance = |span: &Utf16Span| span.start.abs_diff(stood);
    spans.min_by_key(distance).or_else(|| places(text, words).into_iter().min_by_key(distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_again_nearest_to_where_they_stood() {
        let check = |text: &str, stood, expected: Option<(u32, u32)>| {
            let expected = expected.map(|(from, to)| Utf16Span::new(from, to));
            assert_eq!(nearest(text, "🦊b", stood), expected, "{text}");
        };
        check("", 0, None);
        check("🦊 b", 0, None);
        check("a🦊b", 9, Some((1, 4)));
        check("🦊b 🦊b 🦊b", 5, Some((4, 7)));
        check("🦊b 🦊b 🦊b", 99, Some((8, 11)));
        check("🦊B", 0, Some((0, 3)));
        check("🦊B 🦊b", 0, Some((4, 7)));
        assert_eq!(nearest("By MIRA  Quell.", "Mira\nQuell", 0), Some(Utf16Span::new(3, 14)));
    }
}
