//! Hiding in a whole answer: first what is seen in each of its texts, then the same words wherever else they stand.

use super::text::{Hidden, occurrences, placed, seen, without, words_for};
use super::walk::{self, Object, Scope, empty_hashes, is_hash};
use super::{Kinds, Masks};
use crate::error::Fault;
use crate::findings::detect::is_current;
use serde_json::Value;
use std::collections::BTreeSet;
use um_model::findings::FindingKind;
use um_model::{ApiError, Utf16Span};
use um_store::parts::{self, Text};
use um_store::{Connection, findings, units};

/// So much of a source's text before and behind the words that are shown is looked at where nobody looked at it yet, in
/// bytes: what is cut in two where the words begin or end is seen by its whole.
const AROUND: usize = 4_000;
/// A title may be the first words of a text, which are among so many characters.
const BEGINNING: u32 = 2_000;
/// What is shorter is hidden only where it was seen: it stands in too many other words.
const LEAST: usize = 4;

/// Hides what spaces hide from agents.
pub(super) fn hide(c: &Connection, masks: &Masks, answer: &mut Value) -> Result<(), Fault> {
    let mut hiding = Hiding { c, masks, values: BTreeSet::new() };
    hiding.visit(answer, &Scope::of_all(masks), None)?;
    let values: Vec<(FindingKind, String)> = hiding.values.into_iter().collect();
    hide_again(masks, &values, answer, &Scope::of_all(masks));
    Ok(())
}

/// The same in an error's words.
pub(super) fn hide_in_error(masks: &Masks, error: ApiError) -> ApiError {
    let shown = |words: String| without(&words, seen(&words, &masks.any));
    ApiError { message: shown(error.message), hint: error.hint.map(shown), ..error }
}

struct Hiding<'a> {
    c: &'a Connection,
    masks: &'a Masks,
    /// What was hidden.
    values: BTreeSet<(FindingKind, String)>,
}

impl Hiding<'_> {
    /// Hides in a value. Says whether anything in it was hidden.
    fn visit(&mut self, value: &mut Value, scope: &Scope, label: Option<&str>) -> Result<bool, Fault> {
        match value {
            Value::String(_) if scope.kinds().is_empty() => Ok(false),
            Value::String(text) => {
                let hidden = seen_behind(label, text, scope.kinds());
                Ok(self.replace(text, hidden))
            }
            Value::Array(items) => {
                let mut any = false;
                for item in items {
                    any |= self.visit(item, scope, label)?;
                }
                Ok(any)
            }
            Value::Object(object) => self.visit_object(object, scope, label),
            _ => Ok(false),
        }
    }

    fn visit_object(&mut self, object: &mut Object, scope: &Scope, label: Option<&str>) -> Result<bool, Fault> {
        let scope = scope.within(self.masks, object);
        if scope.kinds().is_empty() {
            // What lies within may be of another space all the same.
            for value in object.values_mut().filter(|value| !value.is_string()) {
                self.visit(value, &scope, None)?;
            }
            return Ok(false);
        }
        let mut any = self.hide_names(object, scope.kinds());
        any |= self.hide_by_source(object, scope.kinds())?;
        let of_object = walk::label(object);
        for (key, value) in object.iter_mut().filter(|(key, _)| !is_hash(key)) {
            let label = if key == "object" { of_object.as_deref() } else { label.filter(|_| key == "value") };
            any |= self.visit(value, &scope, label)?;
        }
        if any {
            empty_hashes(object);
        }
        Ok(any)
    }

    /// The names of a person.
    fn hide_names(&mut self, object: &mut Object, kinds: &Kinds) -> bool {
        if !kinds.contains(&FindingKind::Person) || !walk::names_a_person(object) {
            return false;
        }
        let mut names: Vec<&mut String> = Vec::new();
        for (key, value) in object.iter_mut() {
            match value {
                Value::String(name) if matches!(key.as_str(), "name" | "via") => names.push(name),
                Value::Array(others) if key == "aliases" => names.extend(others.iter_mut().filter_map(as_string)),
                _ => {}
            }
        }
        names.retain(|name| is_name(name));
        for name in &mut names {
            let name = std::mem::replace(*name, words_for(FindingKind::Person));
            self.remember(FindingKind::Person, &name);
        }
        !names.is_empty()
    }

    /// What the whole source tells of the words that are shown of it, which may begin or end in the middle of something.
    fn hide_by_source(&mut self, object: &mut Object, kinds: &Kinds) -> Result<bool, Fault> {
        let Some(source) = walk::source_of(object) else { return Ok(false) };
        let mut any = false;
        if let Some((key, span)) = walk::shown_words(object) {
            let hidden = self.seen_in_source(&source, span, kinds)?;
            any |= self.replace_at(object, key, hidden);
        }
        // Where a source has no title, its first words stand there.
        let title = object.get("title").and_then(Value::as_str).unwrap_or_default();
        let words = title.trim_end_matches('…');
        let beginning = if words.is_empty() { String::new() } else { parts::beginning(self.c, &source, BEGINNING)? };
        if let Some(at) = beginning.find(words).filter(|at| !words.is_empty() && beginning[..*at].trim().is_empty()) {
            let span = Utf16Span::from_byte_range(&beginning, at..at + words.len());
            let hidden = self.seen_in_source(&source, span, kinds)?;
            any |= self.replace_at(object, "title", hidden);
        }
        Ok(any)
    }

    /// What was found in a part of a source's text, as spans of that part.
    fn seen_in_source(
        &self,
        source: &Text,
        part: Utf16Span,
        kinds: &Kinds,
    ) -> Result<Vec<(FindingKind, Utf16Span)>, Fault> {
        let of_kinds: Vec<FindingKind> = kinds.iter().copied().collect();
        let mut found = findings::within(self.c, source, part, &of_kinds)?;
        // The background looks for what names, reaches or unlocks somebody.
        let is_complete = !kinds.iter().any(|kind| kind.only_describes())
            && findings::looked_at_by(self.c, source)?.is_some_and(|version| is_current(&version));
        if !is_complete {
            found.extend(seen_around(self.c, source, part, &of_kinds)?);
        }
        let clamp = |offset: u32| offset.clamp(part.start, part.end) - part.start;
        let within =
            |(kind, span): (FindingKind, Utf16Span)| (kind, Utf16Span::new(clamp(span.start), clamp(span.end)));
        Ok(found.into_iter().map(within).filter(|(_, span)| !span.is_empty()).collect())
    }

    fn replace_at(&mut self, object: &mut Object, key: &str, found: Vec<(FindingKind, Utf16Span)>) -> bool {
        let Some(Value::String(text)) = object.get_mut(key) else { return false };
        let hidden = placed(text, found.into_iter());
        self.replace(text, hidden)
    }

    fn replace(&mut self, text: &mut String, hidden: Vec<Hidden>) -> bool {
        if hidden.is_empty() {
            return false;
        }
        for one in &hidden {
            self.remember(one.kind, &text[one.range.clone()]);
        }
        *text = without(text, hidden);
        true
    }

    fn remember(&mut self, kind: FindingKind, value: &str) {
        let value = value.trim();
        if value.len() >= LEAST || kind == FindingKind::Person {
            self.values.insert((kind, value.to_owned()));
        }
    }
}

fn as_string(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Whether what an entity is called is a name, and no `I` or `user`.
fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase) && text.chars().nth(1).is_some()
}

/// What detectors see in a text that stands behind a label, such as a value behind the name of its attribute.
fn seen_behind(label: Option<&str>, text: &str, kinds: &Kinds) -> Vec<Hidden> {
    let mut hidden = seen(text, kinds);
    if let Some(label) = label.filter(|_| hidden.is_empty()) {
        let labelled = format!("{label}{text}");
        hidden = seen(&labelled, kinds)
            .into_iter()
            .filter(|one| one.range.end > label.len())
            .map(|one| Hidden {
                range: one.range.start.max(label.len()) - label.len()..one.range.end - label.len(),
                ..one
            })
            .collect();
    }
    hidden
}

/// What detectors see around a part of a source that nobody looked at.
fn seen_around(
    c: &Connection,
    source: &Text,
    part: Utf16Span,
    kinds: &[FindingKind],
) -> Result<Vec<(FindingKind, Utf16Span)>, Fault> {
    let (id, is_memory) = match source {
        Text::Memory(id) => (id.as_str(), true),
        Text::View(id) => (id.as_str(), false),
    };
    let text = units::source_text(c, id, is_memory)?;
    let Some(range) = part.byte_range(&text) else { return Ok(Vec::new()) };
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let from = (0..=range.start.saturating_sub(AROUND)).rev().find(is_boundary).unwrap_or(0);
    let to = ((range.end + AROUND).min(text.len())..=text.len()).find(is_boundary).unwrap_or(text.len());
    let before = part.start - um_model::span::utf16_len(&text[from..range.start]);
    let rules = um_pii::Rules::of(kinds);
    let found = um_pii::find(&text[from..to], &rules).into_iter();
    let shifted = |span: Utf16Span| Utf16Span::new(span.start + before, span.end + before);
    Ok(found.map(|one| (one.kind, shifted(one.span))).filter(|(_, span)| span.overlaps(part)).collect())
}

/// Hides the words that were hidden somewhere wherever else they stand, such as a claim's value that a quote gave. Says
/// whether it hid any.
fn hide_again(masks: &Masks, values: &[(FindingKind, String)], value: &mut Value, scope: &Scope) -> bool {
    match value {
        Value::String(text) => {
            let of_scope = values.iter().filter(|(kind, _)| scope.kinds().contains(kind));
            let hidden: Vec<Hidden> = of_scope
                .flat_map(|(kind, words)| {
                    occurrences(text, words).into_iter().map(|range| Hidden { range, kind: *kind })
                })
                .collect();
            if !hidden.is_empty() {
                *text = without(text, hidden.clone());
            }
            !hidden.is_empty()
        }
        Value::Array(items) => {
            let mut any = false;
            for item in items {
                any |= hide_again(masks, values, item, scope);
            }
            any
        }
        Value::Object(object) => {
            let scope = scope.within(masks, object);
            let mut any = false;
            for (_, value) in object.iter_mut().filter(|(key, _)| !is_hash(key)) {
                any |= hide_again(masks, values, value, &scope);
            }
            if any {
                empty_hashes(object);
            }
            any
        }
        _ => false,
    }
}
