//! Parts of stored texts: no more of a text is read than to the end of the part that is wanted, and none of it is copied
//! but the part itself. Offsets are UTF-16 code units (spine 2.2); SQLite counts characters, of which a text has no more
//! than code units.

use crate::StoreResult;
use rusqlite::{Connection, OptionalExtension, params};
use std::rc::Rc;
use um_model::span::utf16_len;
use um_model::{MemoryId, Utf16Span, ViewId};

/// A text that is kept: a view's, or a memory's own words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Text {
    /// A memory's own words.
    Memory(MemoryId),
    /// What was read from a file.
    View(ViewId),
}

/// Lets something look at the first characters of a text; at none where there is no such text.
fn beginning_of<T>(
    connection: &Connection,
    text: &Text,
    characters: u32,
    look: impl FnOnce(&str) -> T,
) -> StoreResult<T> {
    let (sql, id) = match text {
        Text::Memory(id) => ("SELECT substr(content, 1, ?2) FROM memories WHERE id = ?1", id.as_str()),
        Text::View(id) => ("SELECT substr(text, 1, ?2) FROM derived_text_views WHERE id = ?1", id.as_str()),
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![id, characters])?;
    Ok(match rows.next()? {
        Some(row) => look(row.get_ref(0)?.as_str_or_null().ok().flatten().unwrap_or_default()),
        None => look(""),
    })
}

/// Lets something look at the whole of a text, which is not copied for that; at nothing where there is no such text.
///
/// # Errors
/// SQLite's.
pub fn look_at<T>(connection: &Connection, text: &Text, look: impl FnOnce(&str) -> T) -> StoreResult<T> {
    let (sql, id) = whole_of(text);
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([id])?;
    Ok(match rows.next()? {
        Some(row) => look(row.get_ref(0)?.as_str_or_null().ok().flatten().unwrap_or_default()),
        None => look(""),
    })
}

/// The whole of a text, to be looked at again and again; nothing where there is no such text.
///
/// # Errors
/// SQLite's.
pub fn whole(connection: &Connection, text: &Text) -> StoreResult<Option<Rc<str>>> {
    let (sql, id) = whole_of(text);
    let found: Option<Option<Rc<str>>> =
        connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?;
    Ok(found.map(|words| words.unwrap_or_else(|| Rc::from(""))))
}

/// What asks for the whole of a text, by the id that stands with it.
fn whole_of(text: &Text) -> (&'static str, &str) {
    match text {
        Text::Memory(id) => ("SELECT content FROM memories WHERE id = ?1", id.as_str()),
        Text::View(id) => ("SELECT text FROM derived_text_views WHERE id = ?1", id.as_str()),
    }
}

/// The first characters of a text.
///
/// # Errors
/// SQLite's.
pub fn beginning(connection: &Connection, text: &Text, characters: u32) -> StoreResult<String> {
    beginning_of(connection, text, characters, str::to_owned)
}

/// The lines that spans of a text stand on, from 1: the first and the last. `None` for a span that does not fit. The text
/// is gone through once.
///
/// # Errors
/// SQLite's.
pub fn lines(connection: &Connection, text: &Text, spans: &[Utf16Span]) -> StoreResult<Vec<Option<[u32; 2]>>> {
    let end = spans.iter().map(|span| span.end).max().unwrap_or_default();
    beginning_of(connection, text, end, |text| lines_in(text, spans))
}

fn lines_in(text: &str, spans: &[Utf16Span]) -> Vec<Option<[u32; 2]>> {
    let mut wanted: Vec<u32> = spans.iter().flat_map(|span| [span.start, span.end]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    // How many lines end before each offset, and whether one ends right before it.
    let mut breaks: Vec<Option<(u32, bool)>> = Vec::with_capacity(wanted.len());
    let (mut unit, mut before, mut ended) = (0, 0, false);
    let mut rest = text.chars();
    for offset in &wanted {
        while unit < *offset {
            let Some(c) = rest.next() else { break };
            unit += c.len_utf16() as u32;
            ended = c == '\n';
            before += u32::from(ended);
        }
        breaks.push((unit == *offset).then_some((before, ended)));
    }
    let at = |offset: u32| wanted.binary_search(&offset).ok().and_then(|at| breaks[at]);
    let range = |span: &Utf16Span| {
        let ((first, _), (last, ended)) = (at(span.start)?, at(span.end)?);
        Some([1 + first, 1 + last - u32::from(ended && !span.is_empty())])
    };
    spans.iter().map(range).collect()
}

/// The words around a place, on its line: those of `margin` code units before and after it, whole words only, with where
/// they stand. `None` for a place that does not fit.
///
/// # Errors
/// SQLite's.
pub fn around(
    connection: &Connection,
    text: &Text,
    place: Utf16Span,
    margin: u32,
) -> StoreResult<Option<(Utf16Span, String)>> {
    beginning_of(connection, text, place.end.saturating_add(margin), |text| around_in(text, place, margin))
}

/// The same for several places of a text, which is gone through once, in their order.
///
/// # Errors
/// SQLite's.
pub fn around_each(
    connection: &Connection,
    text: &Text,
    places: &[Utf16Span],
    margin: u32,
) -> StoreResult<Vec<Option<(Utf16Span, String)>>> {
    let end = places.iter().map(|place| place.end).max().unwrap_or_default();
    beginning_of(connection, text, end.saturating_add(margin), |text| around_each_in(text, places, margin))
}

fn around_each_in(text: &str, places: &[Utf16Span], margin: u32) -> Vec<Option<(Utf16Span, String)>> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|at| places[*at].start);
    let mut found = vec![None; places.len()];
    let mut offsets = Forward { text, byte: 0, unit: 0 };
    for at in order {
        let place = places[at];
        // Two code units more than the margin, so that a word that is cut there is seen to be cut.
        offsets.go_to(place.start.saturating_sub(margin.saturating_add(2)));
        let Some(start) = place.start.checked_sub(offsets.unit) else { continue };
        let within = Utf16Span::new(start, start + place.len());
        let shifted = |(span, words): (Utf16Span, String)| {
            (Utf16Span::new(span.start + offsets.unit, span.end + offsets.unit), words)
        };
        found[at] = around_in(&text[offsets.byte..], within, margin).map(shifted);
    }
    found
}

/// A place in a text that only moves on, in bytes and in code units.
struct Forward<'a> {
    text: &'a str,
    byte: usize,
    unit: u32,
}

impl Forward<'_> {
    /// Moves on to the first character at or behind a code unit.
    fn go_to(&mut self, unit: u32) {
        for c in self.text[self.byte..].chars() {
            if self.unit >= unit {
                return;
            }
            self.byte += c.len_utf8();
            self.unit += c.len_utf16() as u32;
        }
    }
}

fn around_in(text: &str, place: Utf16Span, margin: u32) -> Option<(Utf16Span, String)> {
    let range = place.byte_range(text)?;
    let (left, right) = (&text[..range.start], &text[range.end..]);
    let is_break = |c: char| matches!(c, '\n' | '\r');
    let (mut start, mut units) = (range.start, 0);
    for (at, c) in left.char_indices().rev() {
        units += c.len_utf16() as u32;
        if is_break(c) || units > margin {
            // What was cut begins with a whole word.
            if !is_break(c) && !c.is_whitespace() {
                start = left[start..].find(char::is_whitespace).map_or(range.start, |space| start + space);
            }
            break;
        }
        start = at;
    }
    let (mut end, mut units) = (range.end, 0);
    for (at, c) in right.char_indices() {
        units += c.len_utf16() as u32;
        if is_break(c) || units > margin {
            if !is_break(c) && !c.is_whitespace() {
                end = right[..end - range.end].rfind(char::is_whitespace).map_or(range.end, |space| range.end + space);
            }
            break;
        }
        end = range.end + at + c.len_utf8();
    }
    let words = &text[start..end];
    let start = (start + words.len() - words.trim_start().len()).min(range.start);
    let end = (end - (words.len() - words.trim_end().len())).max(range.end);
    let words = &text[start..end];
    let begin = place.start - utf16_len(&text[start..range.start]);
    Some((Utf16Span::new(begin, begin + utf16_len(words)), words.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_place_is_shown_among_its_words() {
        #[track_caller]
        fn check(text: &str, name: &str, margin: u32, expected: &str) {
            let at = text.find(name).unwrap();
            let place = Utf16Span::from_byte_range(text, at..at + name.len());
            let (span, words) = around_in(text, place, margin).unwrap();
            assert_eq!(words, expected, "{text:?}");
            assert_eq!(span.slice(text), Some(expected), "{text:?}");
        }
        check("Ana came.", "Ana", 50, "Ana came.");
        check("before\n  Yesterday Ana came.\r\nafter", "Ana", 50, "Yesterday Ana came.");
        check("one two three Ana four five six", "Ana", 8, "three Ana four");
        check("🍵🍵🍵🍵 🍵 Ana 🍵 🍵🍵🍵", "Ana", 5, "🍵 Ana 🍵");
        check("uninterruptedAnawords", "Ana", 4, "Ana");
        check("Ana", "Ana", 0, "Ana");
        assert_eq!(around_in("Ana", Utf16Span::new(2, 9), 5), None);
        assert_eq!(around_in("🍵Ana", Utf16Span::new(1, 3), 5), None);
    }

    proptest! {
        #[test]
        fn several_places_are_shown_as_each_alone(
            text in "([a-z]{0,9}|\n|\r\n| |🍵|e\u{301}){0,30}",
            places in prop::collection::vec((0u32..60, 0u32..9), 0..8),
            margin in 0u32..12,
        ) {
            let places: Vec<Utf16Span> = places.into_iter().map(|(at, len)| Utf16Span::new(at, at + len)).collect();
            let alone: Vec<_> = places.iter().map(|place| around_in(&text, *place, margin)).collect();
            prop_assert_eq!(around_each_in(&text, &places, margin), alone);
        }
    }

    /// Lines as the whole text tells them.
    fn told(text: &str, span: Utf16Span) -> Option<[u32; 2]> {
        let bytes = span.byte_range(text)?;
        let breaks = |part: &str| part.matches('\n').count() as u32;
        let inside = &text[bytes.clone()];
        let first = 1 + breaks(&text[..bytes.start]);
        Some([first, first + breaks(inside.strip_suffix('\n').unwrap_or(inside))])
    }

    proptest! {
        #[test]
        fn lines_are_those_of_the_whole_text(
            text in "([a-z]{0,3}|\n|\r\n|🍵|e\u{301}|👩‍👩‍👧){0,20}",
            spans in prop::collection::vec((0u32..40, 0u32..12), 0..6),
        ) {
            let spans: Vec<Utf16Span> = spans.into_iter().map(|(at, len)| Utf16Span::new(at, at + len)).collect();
            // No more of the text than SQLite gives: as many characters as there are code units to the last end.
            let end = spans.iter().map(|span| span.end).max().unwrap_or_default();
            let given: String = text.chars().take(end as usize).collect();
            let expected: Vec<_> = spans.iter().map(|span| told(&text, *span)).collect();
            prop_assert_eq!(lines_in(&given, &spans), expected);
        }
    }
}
